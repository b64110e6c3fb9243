// Where cells are: the one file that knows how a board lies in its textures.
//
// Driven by src/engine/gpu/layout.rs, which is its twin in Rust; a test compares the structs by naga's reflection.
// Joined in front of the other shaders. Needs PLANES from the rule's text, and TILE_SHIFT from layout.rs.
// None of them branches on uniforms alone, but for how edges are glued; src/engine/gpu/shaders.rs says why.
//
// Bindings: group 0, 0 the board, 1 the texture of the generation that is read, 2 the tiles, 3 the map.
//
// The plane is cut into square tiles of 2^TILE_SHIFT cells a side. Those that are held have slots in the atlas:
//
//   texel                 32 cells of one row of one bit plane, lowest bit leftmost
//   slot s, plane p       TILE_WORDS x TILE_SIDE texels of layer (s >> (columns_shift + rows_shift)) * PLANES + p,
//                         at column (s mod 2^columns_shift) * TILE_WORDS,
//                         row ((s >> columns_shift) mod 2^rows_shift) * TILE_SIDE
//   slot 0                the background: what stands in all tiles that are not held

const TILE_SIDE = 1u << TILE_SHIFT;
const TILE_WORDS = TILE_SIDE / 32u;
const NO_TILE = 0u;
// The sides of the unbounded plane.
const ENDLESS = 0x7FFFFFFF;

struct Board {
    // Columns and rows of a bounded board, whose top-left cell is (0, 0); ENDLESS on the unbounded plane.
    size: vec2<i32>,
    // Slots in a row of the atlas are 2^columns_shift, rows of slots in a layer 2^rows_shift.
    columns_shift: u32,
    rows_shift: u32,
    // How edges are glued: 0 not at all; 1 tops shifted, 2 tops flipped, 3 sides shifted, 4 sides flipped;
    // 5 cross-surface; 6 sphere. See Topology::glue in src/board/topology.rs.
    glue: u32,
    // The shift, or what the coordinate along a flipped edge is taken from.
    offset: i32,
}

struct Tile {
    // Its coordinates in tiles: the cells from 2^TILE_SHIFT times this on.
    at: vec2<i32>,
    // The slots of the tiles around it in reading order, itself in the middle.
    around: array<u32, 9>,
    // Fills up to 8 bytes.
    unused: u32,
}

// A place of the map, a hash table with linear probing.
struct Place {
    at: vec2<i32>,
    slot: u32,
    // 0 where the place is free.
    used: u32,
}

@group(0) @binding(0) var<uniform> board: Board;
@group(0) @binding(1) var front: texture_storage_2d_array<r32uint, read>;
@group(0) @binding(2) var<storage, read> tiles: array<Tile>;
// As many as a power of two.
@group(0) @binding(3) var<storage, read> map: array<Place>;

// Texel column and row of a slot's first word, and the layer of its plane 0.
fn texels_of(slot: u32) -> vec3<u32> {
    let column = slot & ((1u << board.columns_shift) - 1u);
    let row = (slot >> board.columns_shift) & ((1u << board.rows_shift) - 1u);
    return vec3<u32>(column * TILE_WORDS, row * TILE_SIDE, (slot >> (board.columns_shift + board.rows_shift)) * PLANES);
}

// Where a tile is looked for in a map first. The twin of `hash` in src/engine/gpu/tiles.rs.
fn hash_of(tile: vec2<i32>) -> u32 {
    let hash = (bitcast<u32>(tile.x) * 0x9E3779B1u) ^ (bitcast<u32>(tile.y) * 0x85EBCA77u);
    return hash ^ (hash >> 15u);
}

// The slot of a tile, NO_TILE if it is not held.
fn slot_of(tile: vec2<i32>) -> u32 {
    let hash = hash_of(tile);
    let mask = arrayLength(&map) - 1u;
    // Bounded, so that nothing can go round for ever; the map has free places.
    for (var probe = 0u; probe <= mask; probe++) {
        let place = map[(hash + probe) & mask];
        if place.used == 0u {
            break;
        }
        if all(place.at == tile) {
            return place.slot;
        }
    }
    return NO_TILE;
}

// 32 cells of all planes: word `word` of row `row` of the slot whose texels begin at `texels`.
fn load_planes(texels: vec3<u32>, word: u32, row: u32) -> array<u32, PLANES> {
    var planes: array<u32, PLANES>;
    for (var plane = 0u; plane < PLANES; plane++) {
        planes[plane] = textureLoad(front, texels.xy + vec2<u32>(word, row), texels.z + plane).x;
    }
    return planes;
}

// Which of 32 cells from column `x` on stand on the board, as far as columns go.
fn inside_mask(x: i32) -> u32 {
    let used = board.size.x - x;
    let is_whole = (used >= 32) | (board.size.x == ENDLESS);
    return select(select(0u, (1u << u32(used & 31)) - 1u, used > 0), 0xFFFFFFFFu, is_whole);
}

// How many rows of a tile stand on the board.
fn rows_inside(tile: vec2<i32>) -> u32 {
    let used = u32(clamp(board.size.y - tile.y * i32(TILE_SIDE), 0, i32(TILE_SIDE)));
    return select(used, TILE_SIDE, board.size.y == ENDLESS);
}

// The coordinate on a board of this length that a coordinate comes down to when it goes round.
fn wrapped(value: i32, length: i32) -> i32 {
    let rest = value % length;
    return select(rest, rest + length, rest < 0);
}

// All 32 cells of a word in the state whose plane bits are `code`: its word of one plane.
fn uniform_word(code: u32, plane: u32) -> u32 {
    return 0u - (code >> plane & 1u);
}
