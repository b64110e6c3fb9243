// One generation: reads `front`, writes `back`. Nothing is read from the texture that is written.
//
// Joined after board.wgsl, philox.wgsl and the rule's text (src/rule/wgsl.rs: Features, row_features, next_planes).
// Driven by src/engine/gpu/mod.rs.
//
// Bindings: group 0 as in board.wgsl, and 2 the texture that is written; group 1, 0 the moment (dynamic offset).
// One invocation walks down STRIP rows of one column of words, keeping the features of three rows.
// Dispatched: words / 64 x rows / STRIP workgroups, both rounded up.

override STRIP: u32;

struct Moment {
    // The generation that is read.
    generation_low: u32,
    generation_high: u32,
    seed_low: u32,
    seed_high: u32,
    // Rows to work out: from first_row, before end_row.
    first_row: u32,
    end_row: u32,
    // Plane bits of all cells beyond the board.
    background: u32,
    // Fills up to 16 bytes.
    unused: u32,
}

@group(0) @binding(2) var back: texture_storage_2d_array<r32uint, write>;
@group(1) @binding(0) var<uniform> moment: Moment;

// What a rule may ask of the place and time of 32 cells.
struct Site {
    // Column of words, from the origin of coordinates.
    word_x: i32,
    // Row, in coordinates.
    y: i32,
    // All bits set where odd, else none.
    parity_y: u32,
    parity_generation: u32,
}

// The coins of 32 cells; see src/coin.rs.
fn coins(site: Site, toss: u32) -> u32 {
    let counter = vec4<u32>(
        bitcast<u32>(site.word_x >> 2u),
        bitcast<u32>(site.y),
        moment.generation_low,
        (moment.generation_high & 0x3FFFFFFFu) | (toss << 30u),
    );
    let random = philox4x32_10(counter, vec2<u32>(moment.seed_low, moment.seed_high));
    return random[u32(site.word_x & 3)];
}

// The features of the words at column `word` of row `y`, which may be one beyond the board.
fn features_of(word: u32, y: i32) -> Features {
    var left: array<u32, PLANES>;
    var centre: array<u32, PLANES>;
    var right: array<u32, PLANES>;
    let height = i32(board.size.y);
    let beyond = y < 0 || y >= height;
    let last = board.words - 1u;
    let used = board.size.x - 32u * last;
    let row = u32((y + height) % height);
    let at = place(word, row);
    for (var plane = 0u; plane < PLANES; plane++) {
        if beyond && board.wraps == 0u {
            let all = uniform_word(moment.background, plane);
            left[plane] = all;
            centre[plane] = all;
            right[plane] = all;
            continue;
        }
        let layer = at.z + plane;
        var here = textureLoad(front, at.xy, layer).x;
        // The cell left of the word, as bit 0; the cell right of it, as bit 0.
        var before: u32;
        var after: u32;
        if word > 0u {
            before = textureLoad(front, vec2<u32>(word - 1u, at.y), layer).x >> 31u;
        } else if board.wraps == 1u {
            before = textureLoad(front, vec2<u32>(last, at.y), layer).x >> (used - 1u);
        } else {
            before = moment.background >> plane & 1u;
        }
        if word < last {
            after = textureLoad(front, vec2<u32>(word + 1u, at.y), layer).x & 1u;
        } else {
            if board.wraps == 1u {
                after = textureLoad(front, vec2<u32>(0u, at.y), layer).x & 1u;
            } else {
                after = moment.background >> plane & 1u;
            }
            // In a word that is not full, the cell right of the board stands right of the last one.
            if used < 32u {
                here |= after << used;
            }
        }
        left[plane] = here << 1u | before;
        centre[plane] = here;
        right[plane] = here >> 1u | after << 31u;
    }
    return row_features(left, centre, right);
}

@compute @workgroup_size(64)
fn step(@builtin(global_invocation_id) id: vec3<u32>) {
    let word = id.x;
    let first = moment.first_row + id.y * STRIP;
    if word >= board.words || first >= moment.end_row {
        return;
    }
    let end = min(first + STRIP, moment.end_row);
    let inside = inside_mask(word);
    var above = features_of(word, i32(first) - 1);
    var here = features_of(word, i32(first));
    for (var y = first; y < end; y++) {
        let below = features_of(word, i32(y) + 1);
        let row = board.origin.y + i32(y);
        let site = Site(
            (board.origin.x >> 5u) + i32(word),
            row,
            0u - u32(row & 1),
            0u - (moment.generation_low & 1u),
        );
        let next = next_planes(above, here, below, site);
        let at = place(word, y);
        for (var plane = 0u; plane < PLANES; plane++) {
            textureStore(back, at.xy, at.z + plane, vec4<u32>(next[plane] & inside, 0u, 0u, 0u));
        }
        above = here;
        here = below;
    }
}
