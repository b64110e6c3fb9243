// One generation: reads `front`, writes `back`. Nothing is read from the texture that is written.
//
// Joined after board.wgsl, philox.wgsl and the rule's text (src/rule/wgsl.rs: Features, row_features, next_planes).
// Driven by src/engine/gpu/mod.rs.
//
// Bindings: group 0 as in board.wgsl, and 2 the texture that is written; group 1, 0 the moment (dynamic offset).
// One invocation walks down STRIP rows of one column of words, keeping the features of three rows.
// Dispatched: words / 64 x rows / STRIP workgroups, both rounded up.

override STRIP: u32;
// Whether the cells beyond the edges are found by whole words: on open edges, and on tori without shifts whose width is
// not 1 more than a multiple of 32. A constant of the pipeline, since software adapters run both sides of every branch.
override PLAIN: bool;

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

fn wrapped(value: i32, length: i32) -> i32 {
    return ((value % length) + length) % length;
}

// Which cell of the board stands at (x, y), which may be two cells beyond a side or one beyond top or bottom; z is 0
// where there is none. The twin of Topology::locate in src/board/topology.rs.
fn locate(place_x: i32, place_y: i32) -> vec3<i32> {
    var x = place_x;
    var y = place_y;
    let width = i32(board.size.x);
    let height = i32(board.size.y);
    if x >= 0 && y >= 0 && x < width && y < height {
        return vec3<i32>(x, y, 1);
    }
    switch board.glue {
        case 1u, 2u: {
            x = wrapped(x, width);
            if y < 0 || y >= height {
                let down = select(1, -1, y < 0);
                x = wrapped(select(board.offset - x, x + down * board.offset, board.glue == 1u), width);
                y -= down * height;
            }
        }
        case 3u, 4u: {
            y = wrapped(y, height);
            // A board of one column is left twice.
            for (var crossing = 0; crossing < 2; crossing++) {
                if x < 0 || x >= width {
                    let right = select(1, -1, x < 0);
                    y = wrapped(select(board.offset - y, y + right * board.offset, board.glue == 3u), height);
                    x -= right * width;
                }
            }
        }
        case 5u, 6u: {
            let corner_x = clamp(x, 0, width - 1);
            let corner_y = clamp(y, 0, height - 1);
            let deep_x = abs(x - corner_x) - 1;
            let deep_y = abs(y - corner_y) - 1;
            let asked = vec2<i32>(x, y);
            if corner_x != x && corner_y != y {
                x = corner_x;
                y = corner_y;
            } else if corner_x != x {
                if board.glue == 5u {
                    x = select(deep_x, width - 1 - deep_x, asked.x < 0);
                    y = height - 1 - asked.y;
                } else {
                    x = asked.y;
                    y = select(height - 1 - deep_x, deep_x, asked.x < 0);
                }
            } else {
                if board.glue == 5u {
                    x = width - 1 - asked.x;
                    y = select(deep_y, height - 1 - deep_y, asked.y < 0);
                } else {
                    y = asked.x;
                    x = select(width - 1 - deep_y, deep_y, asked.y < 0);
                }
            }
            x = clamp(x, 0, width - 1);
            y = clamp(y, 0, height - 1);
        }
        default: {
            return vec3<i32>(0, 0, 0);
        }
    }
    return vec3<i32>(x, y, 1);
}

// The plane bits of the cell at (x, y), wherever that is.
fn code_at(x: i32, y: i32) -> u32 {
    let cell = locate(x, y);
    if cell.z == 0 {
        return moment.background;
    }
    let at = place(u32(cell.x) >> 5u, u32(cell.y));
    let bit = u32(cell.x) & 31u;
    var code = 0u;
    for (var plane = 0u; plane < PLANES; plane++) {
        code |= (textureLoad(front, at.xy, at.z + plane).x >> bit & 1u) << plane;
    }
    return code;
}

fn features_of(word: u32, y: i32) -> Features {
    if PLAIN {
        return features_plain(word, y);
    }
    return features_glued(word, y);
}

fn shifted_by_two(before: u32, centre: u32, after: u32) -> array<u32, 5> {
    return array<u32, 5>(
        centre << 2u | before >> 30u,
        centre << 1u | before >> 31u,
        centre,
        centre >> 1u | after << 31u,
        centre >> 2u | after << 30u,
    );
}

// The features of the words at column `word` of row `y`, which may be one beyond the board, where PLAIN holds.
fn features_plain(word: u32, y: i32) -> Features {
    let height = i32(board.size.y);
    let last = board.words - 1u;
    let used = board.size.x - 32u * last;
    let open = board.glue == 0u;
    let beyond = y < 0 || y >= height;
    let row = u32(select(select(y, y - height, y >= height), y + height, y < 0));
    let at = place(word, row);
    let first_word = word == 0u;
    let last_word = word == last;
    let left = select(word - 1u, last, first_word);
    let right = select(word + 1u, 0u, last_word);
    // Of the last word only some cells stand left of the first one.
    let gap = select(0u, 32u - used, first_word && !open);
    let partial = last_word && used < 32u;
    var shifted: array<array<u32, 5>, PLANES>;
    for (var plane = 0u; plane < PLANES; plane++) {
        let layer = at.z + plane;
        let outside = uniform_word(moment.background, plane);
        var here = textureLoad(front, at.xy, layer).x;
        var before = textureLoad(front, vec2<u32>(left, at.y), layer).x << gap;
        var after = textureLoad(front, vec2<u32>(right, at.y), layer).x;
        here = select(here, outside, open && beyond);
        before = select(before, outside, open && (beyond || first_word));
        after = select(after, outside, open && (beyond || last_word));
        // Two cells further may be beyond an open edge already.
        after |= select(0u, outside & 2u, open && used == 1u && word + 1u == last);
        // In a word that is not full, the cells right of the board stand right of the last one.
        here = select(here, (here & inside_mask(word)) | after << (used & 31u), partial);
        after = select(after, after >> (32u - used & 31u), partial);
        shifted[plane] = shifted_by_two(before, here, after);
    }
    return row_features(shifted);
}

// The same on any surface.
fn features_glued(word: u32, y: i32) -> Features {
    // The words left of, at and right of this one.
    var before: array<u32, PLANES>;
    var here: array<u32, PLANES>;
    var after: array<u32, PLANES>;
    let height = i32(board.size.y);
    let last = board.words - 1u;
    let used = board.size.x - 32u * last;
    let beyond = y < 0 || y >= height;
    // A torus without shifts has all its rows and words in place.
    let torus = board.glue == 1u && board.offset == 0;
    if beyond && board.glue == 0u {
        for (var plane = 0u; plane < PLANES; plane++) {
            let all = uniform_word(moment.background, plane);
            before[plane] = all;
            here[plane] = all;
            after[plane] = all;
        }
    } else {
        if beyond && !torus {
            // Each cell may come from elsewhere.
            for (var bit = 0u; bit < select(32u, used, word == last); bit++) {
                let code = code_at(i32(32u * word + bit), y);
                for (var plane = 0u; plane < PLANES; plane++) {
                    here[plane] |= (code >> plane & 1u) << bit;
                }
            }
        } else {
            here = load_planes(word, u32((y + height) % height));
        }
        let row = u32((y + height) % height);
        let far = 32 * i32(word);
        if word > 0u && !(beyond && !torus) {
            before = load_planes(word - 1u, row);
        } else if torus && used > 1u {
            before = load_planes(last, row);
            for (var plane = 0u; plane < PLANES; plane++) {
                before[plane] <<= 32u - used;
            }
        } else {
            let one = code_at(far - 1, y);
            let two = code_at(far - 2, y);
            for (var plane = 0u; plane < PLANES; plane++) {
                before[plane] = (one >> plane & 1u) << 31u | (two >> plane & 1u) << 30u;
            }
        }
        if word < last && !(beyond && !torus) {
            after = load_planes(word + 1u, row);
        } else if torus && board.size.x > 1u {
            after = load_planes(0u, row);
        } else {
            let end = min(far + 32, i32(board.size.x));
            let one = code_at(end, y);
            let two = code_at(end + 1, y);
            for (var plane = 0u; plane < PLANES; plane++) {
                after[plane] = (one >> plane & 1u) | (two >> plane & 1u) << 1u;
            }
        }
        // Two cells further may be beyond the board already.
        if word + 1u == last && used == 1u {
            let code = code_at(i32(board.size.x), y);
            for (var plane = 0u; plane < PLANES; plane++) {
                after[plane] |= (code >> plane & 1u) << 1u;
            }
        }
        // In a word that is not full, the cells right of the board stand right of the last one.
        if word == last && used < 32u {
            for (var plane = 0u; plane < PLANES; plane++) {
                here[plane] |= after[plane] << used;
                after[plane] >>= 32u - used;
            }
        }
    }
    var shifted: array<array<u32, 5>, PLANES>;
    for (var plane = 0u; plane < PLANES; plane++) {
        shifted[plane] = shifted_by_two(before[plane], here[plane], after[plane]);
    }
    return row_features(shifted);
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
