// One generation: `step` reads one texture and writes the other; `compare` reads both and tells which tiles go on in
// circles.
//
// Loops over PLANES are written out by src/engine/gpu/shaders.rs.
// Joined after board.wgsl, philox.wgsl and the rule's text (src/rule/wgsl.rs: Features, row_features, next_planes).
// Driven by src/engine/gpu/mod.rs.
//
// Bindings: group 0 as in board.wgsl, 4 the texture that is written, and 5 the slots that are stepped; group 1, 0 the
// moment (dynamic offset); for `compare` group 2, 0 the texture of the generation before, 1 the slots that are compared,
// 2 whether each changes.
// One invocation walks down STRIP rows of two columns of words, keeping the features of three rows: two columns, since
// where loads cost more than gates, four loads for two words are less than six.
// Dispatched: slots x (TILE_WORDS / 2) x (TILE_SIDE / STRIP) invocations, rounded up to workgroups.

override STRIP: u32;

const PAIRS = TILE_WORDS / 2u;
// Invocations that work on one slot.
override WALKS = PAIRS * (TILE_SIDE / STRIP);

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

@group(2) @binding(0) var past: texture_storage_2d_array<r32uint, read>;
@group(2) @binding(1) var<storage, read> compared: array<u32>;
@group(2) @binding(2) var<storage, read_write> changes: array<atomic<u32>>;

// Whether this invocation has tossed a coin.
var<private> tossed: u32;
// How many generations after that of the moment it is.
var<private> ahead: u32;

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

// The coins of 128 cells, of four words from column 4 * `fourth` on; see src/coin.rs.
fn coins_of_four(fourth: i32, y: i32, toss: u32) -> vec4<u32> {
    let generation = moment.generation_low + ahead;
    let carry = select(0u, 1u, generation < ahead);
    let counter = vec4<u32>(
        bitcast<u32>(fourth),
        bitcast<u32>(y),
        generation,
        ((moment.generation_high + carry) & 0x3FFFFFFFu) | (toss << 30u),
    );
    return philox4x32_10(counter, vec2<u32>(moment.seed_low, moment.seed_high));
}

// The coins of 32 cells.
fn coins(site: Site, toss: u32) -> u32 {
    tossed = 1u;
    let random = coins_of_four(site.word_x >> 2u, site.y, toss);
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

// One invocation's way down two columns of words.
struct Walk {
    columns: Columns,
    // Where the row after the last one is.
    beyond: Columns,
    first: u32,
    end: u32,
    above: Pair,
    here: Pair,
    site: Site,
    left_inside: u32,
    right_inside: u32,
}

// The way of the n-th invocation of a slot; it has no rows where the board has ended.
fn walk_of(slot: u32, n: u32) -> Walk {
    let at = tiles[slot].at;
    let pair = n % PAIRS;
    let word = at.x * i32(TILE_WORDS) + i32(2u * pair);
    var walk: Walk;
    walk.first = n / PAIRS * STRIP;
    walk.end = min(walk.first + STRIP, rows_inside(at));
    walk.left_inside = inside_mask(32 * word);
    walk.right_inside = inside_mask(32 * word + 32);
    walk.columns = columns_of(slot, 1u, pair);
    walk.site = Site(word, at.y * i32(TILE_SIDE) + i32(walk.first), 0u, 0u - (moment.generation_low & 1u));
    var before = walk.columns;
    if walk.first == 0u {
        before = columns_of(slot, 0u, pair);
    }
    walk.beyond = walk.columns;
    if walk.end == TILE_SIDE {
        walk.beyond = columns_of(slot, 2u, pair);
    }
    if walk.first < walk.end {
        walk.above = features_of(before, (walk.first - 1u) & (TILE_SIDE - 1u));
        walk.here = features_of(walk.columns, walk.first);
    }
    return walk;
}

// The next planes of two words.
struct Next {
    left: array<u32, PLANES>,
    right: array<u32, PLANES>,
}

// Those of row `row` of a tile, which must be the one after that of the call before.
fn next_row(walk: ptr<function, Walk>, row: u32) -> Next {
    var source = (*walk).columns;
    if row + 1u == (*walk).end {
        source = (*walk).beyond;
    }
    let below = features_of(source, (row + 1u) & (TILE_SIDE - 1u));
    let above = (*walk).above;
    let here = (*walk).here;
    var site = (*walk).site;
    site.parity_y = 0u - (row & 1u);
    var next: Next;
    next.left = next_planes(above.left, here.left, below.left, site);
    site.word_x += 1;
    next.right = next_planes(above.right, here.right, below.right, site);
    for (var plane = 0u; plane < PLANES; plane++) {
        next.left[plane] &= (*walk).left_inside;
        next.right[plane] &= (*walk).right_inside;
    }
    (*walk).above = here;
    (*walk).here = below;
    (*walk).site.y += 1;
    return next;
}

// Which invocation this is of all that were dispatched.
fn index_of(group: vec3<u32>, groups: vec3<u32>, lane: u32) -> u32 {
    return 64u * (group.y * groups.x + group.x) + lane;
}

@compute @workgroup_size(64)
fn step(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = index_of(group, groups, lane);
    let item = moment.first + index / WALKS;
    if item >= moment.end {
        return;
    }
    var walk = walk_of(list[item], index % WALKS);
    for (var row = walk.first; row < walk.end; row++) {
        let next = next_row(&walk, row);
        let texel = walk.columns.here + vec3<u32>(0u, row, 0u);
        for (var plane = 0u; plane < PLANES; plane++) {
            let layer = texel.z + plane;
            textureStore(back, texel.xy, layer, vec4<u32>(next.left[plane], 0u, 0u, 0u));
            textureStore(back, texel.xy + vec2<u32>(1u, 0u), layer, vec4<u32>(next.right[plane], 0u, 0u, 0u));
        }
    }
}

// Whether tiles will be after the next generation what they were before the last one: works out the next generation as
// `step` does, and compares it with the texture that it would be written into. Coins that are tossed come out
// differently each time, so a tile with one is told to change.
@compute @workgroup_size(64)
fn compare(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = index_of(group, groups, lane);
    let item = moment.first + index / WALKS;
    if item >= moment.end {
        return;
    }
    var walk = walk_of(compared[item], index % WALKS);
    var differs = 0u;
    for (var row = walk.first; row < walk.end; row++) {
        let next = next_row(&walk, row);
        let texel = walk.columns.here + vec3<u32>(0u, row, 0u);
        for (var plane = 0u; plane < PLANES; plane++) {
            let left = textureLoad(past, texel.xy, texel.z + plane).x & walk.left_inside;
            let right = textureLoad(past, texel.xy + vec2<u32>(1u, 0u), texel.z + plane).x & walk.right_inside;
            differs |= (next.left[plane] ^ left) | (next.right[plane] ^ right);
        }
    }
    if (differs | tossed) != 0u {
        atomicOr(&changes[item], 1u);
    }
}
