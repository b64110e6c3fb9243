// One generation: reads one texture, writes the other.
//
// Joined after board.wgsl, philox.wgsl and the rule's text (src/rule/wgsl.rs: Features, row_features, next_planes).
// Driven by src/engine/gpu/mod.rs.
//
// Bindings: group 0 as in board.wgsl, 4 the texture that is written, and 5 the slots that are stepped; group 1, 0 the
// moment (dynamic offset).
// One invocation walks down STRIP rows of two columns of words, keeping the features of three rows: two columns, since
// where loads cost more than gates, four loads for two words are less than six.
// Dispatched: slots x (TILE_WORDS / 2) x (TILE_SIDE / STRIP) invocations, rounded up to workgroups.

override STRIP: u32;

const PAIRS = TILE_WORDS / 2u;

struct Moment {
    // The generation that is read.
    generation_low: u32,
    generation_high: u32,
    seed_low: u32,
    seed_high: u32,
    // Which of the slots are stepped: from first, before end.
    first: u32,
    end: u32,
    // Fills up to 16 bytes.
    unused0: u32,
    unused1: u32,
}

@group(0) @binding(4) var back: texture_storage_2d_array<r32uint, write>;
@group(0) @binding(5) var<storage, read> list: array<u32>;
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

// Where two columns of words and those beside them begin, in one row of tiles: texel column and row, layer.
struct Columns {
    left: vec3<u32>,
    here: vec3<u32>,
    right: vec3<u32>,
}

// `band` is 0 for the tiles above that in `slot`, 1 for those beside it, 2 for those below.
fn columns_of(slot: u32, band: u32, pair: u32) -> Columns {
    let middle = texels_of(tiles[slot].around[3u * band + 1u]) + vec3<u32>(2u * pair, 0u, 0u);
    var columns = Columns(middle - vec3<u32>(1u, 0u, 0u), middle, middle + vec3<u32>(2u, 0u, 0u));
    if pair == 0u {
        columns.left = texels_of(tiles[slot].around[3u * band]) + vec3<u32>(TILE_WORDS - 1u, 0u, 0u);
    }
    if pair == PAIRS - 1u {
        columns.right = texels_of(tiles[slot].around[3u * band + 2u]);
    }
    return columns;
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

// The features of two words.
struct Pair {
    left: Features,
    right: Features,
}

// Those of row `row` of the tiles that `columns` are of.
fn features_of(columns: Columns, row: u32) -> Pair {
    var left: array<array<u32, 5>, PLANES>;
    var right: array<array<u32, 5>, PLANES>;
    let down = vec2<u32>(0u, row);
    for (var plane = 0u; plane < PLANES; plane++) {
        let before = textureLoad(front, columns.left.xy + down, columns.left.z + plane).x;
        let first = textureLoad(front, columns.here.xy + down, columns.here.z + plane).x;
        let second = textureLoad(front, columns.here.xy + vec2<u32>(1u, row), columns.here.z + plane).x;
        let after = textureLoad(front, columns.right.xy + down, columns.right.z + plane).x;
        left[plane] = shifted_by_two(before, first, second);
        right[plane] = shifted_by_two(first, second, after);
    }
    return Pair(row_features(left), row_features(right));
}

@compute @workgroup_size(64)
fn step(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let strips = TILE_SIDE / STRIP;
    let index = 64u * (group.y * groups.x + group.x) + lane;
    let item = moment.first + index / (PAIRS * strips);
    if item >= moment.end {
        return;
    }
    let slot = list[item];
    let at = tiles[slot].at;
    let pair = index % PAIRS;
    let first = index / PAIRS % strips * STRIP;
    let end = min(first + STRIP, rows_inside(at));
    if first >= end {
        return;
    }
    let word = at.x * i32(TILE_WORDS) + i32(2u * pair);
    let y = at.y * i32(TILE_SIDE);
    let left_inside = inside_mask(32 * word);
    let right_inside = inside_mask(32 * word + 32);
    let columns = columns_of(slot, 1u, pair);
    var beyond = columns;
    if first == 0u {
        beyond = columns_of(slot, 0u, pair);
    }
    var above = features_of(beyond, (first - 1u) & (TILE_SIDE - 1u));
    var here = features_of(columns, first);
    beyond = columns;
    if end == TILE_SIDE {
        beyond = columns_of(slot, 2u, pair);
    }
    for (var row = first; row < end; row++) {
        var source = columns;
        if row + 1u == end {
            source = beyond;
        }
        let below = features_of(source, (row + 1u) & (TILE_SIDE - 1u));
        let odd_row = 0u - (row & 1u);
        let odd_generation = 0u - (moment.generation_low & 1u);
        let left = next_planes(
            above.left, here.left, below.left, Site(word, y + i32(row), odd_row, odd_generation)
        );
        let right = next_planes(
            above.right, here.right, below.right, Site(word + 1, y + i32(row), odd_row, odd_generation)
        );
        let texel = columns.here + vec3<u32>(0u, row, 0u);
        for (var plane = 0u; plane < PLANES; plane++) {
            let layer = texel.z + plane;
            textureStore(back, texel.xy, layer, vec4<u32>(left[plane] & left_inside, 0u, 0u, 0u));
            textureStore(back, texel.xy + vec2<u32>(1u, 0u), layer, vec4<u32>(right[plane] & right_inside, 0u, 0u, 0u));
        }
        above = here;
        here = below;
    }
}
