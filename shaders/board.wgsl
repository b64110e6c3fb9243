// Where cells are: the one file that knows how a board lies in its texture.
//
// Driven by src/engine/gpu/layout.rs, which is its twin in Rust; a test compares the structs by naga's reflection.
// Joined in front of step.wgsl, tally.wgsl and draw.wgsl. Needs PLANES from the rule's text.
//
// Bindings: group 0, 0 the board, 1 the texture of the generation that is read.
//
// A texel is 32 cells of one row of one bit plane, lowest bit leftmost. Rows are folded into layers when the
// board is higher than the texture: row y of plane p is row y mod 2^fold_shift of layer
// (y >> fold_shift) * PLANES + p.

struct Board {
    // Coordinates of the top-left cell; x is a multiple of 32.
    origin: vec2<i32>,
    // Columns and rows, cells.
    size: vec2<u32>,
    // Words of a row: columns / 32, rounded up.
    words: u32,
    // Rows of a layer are 2^fold_shift.
    fold_shift: u32,
    // How edges are glued: 0 not at all, all beyond them is background; 1 tops shifted, 2 tops flipped, 3 sides
    // shifted, 4 sides flipped; 5 cross-surface; 6 sphere. See Topology::glue in src/board/topology.rs.
    glue: u32,
    // The shift, or what the coordinate along a flipped edge is taken from.
    offset: i32,
}

@group(0) @binding(0) var<uniform> board: Board;
@group(0) @binding(1) var front: texture_storage_2d_array<r32uint, read>;

// Texel column and row, and the layer of plane 0.
fn place(word: u32, y: u32) -> vec3<u32> {
    return vec3<u32>(word, y & ((1u << board.fold_shift) - 1u), (y >> board.fold_shift) * PLANES);
}

// 32 cells of one plane; `word` and `y` must be on the board. Bits past the last column are 0.
fn load_word(plane: u32, word: u32, y: u32) -> u32 {
    let at = place(word, y);
    return textureLoad(front, at.xy, at.z + plane).x;
}

fn load_planes(word: u32, y: u32) -> array<u32, PLANES> {
    let at = place(word, y);
    var planes: array<u32, PLANES>;
    for (var plane = 0u; plane < PLANES; plane++) {
        planes[plane] = textureLoad(front, at.xy, at.z + plane).x;
    }
    return planes;
}

// Which bits of a word of a row are cells.
fn inside_mask(word: u32) -> u32 {
    let used = board.size.x & 31u;
    return select(0xFFFFFFFFu, (1u << used) - 1u, word + 1u == board.words && used != 0u);
}

// All 32 cells of a word in the state whose plane bits are `code`: its word of one plane.
fn uniform_word(code: u32, plane: u32) -> u32 {
    return 0u - (code >> plane & 1u);
}
