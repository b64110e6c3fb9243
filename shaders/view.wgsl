// How the board is looked at: the part that drawing it has in common with mixing the colours of its far view.
//
// Joined after board.wgsl and the rule's text (src/rule/wgsl.rs: SPECIES, MASKS, species_masks, state_of).
// Driven by src/app/renderer.rs.
//
// Bindings: group 1, 0 the view.

// Colours of all states, and four more.
const COLOURS = 260u;
const DEAD_COLOUR = 0u;
const GRID_COLOUR = 256u;
const OUTSIDE_COLOUR = 257u;
const BIRTH_COLOUR = 258u;
const DEATH_COLOUR = 259u;
struct View {
    // The cell at the top-left corner of the viewport, or one beside it that points down where cells are triangles;
    // and where the corner is from that cell's anchor, pitches.
    corner: vec2<i32>,
    fraction: vec2<f32>,
    // Top-left pixel of the viewport in the window.
    viewport: vec2<f32>,
    // Pitches along a pixel.
    cells_per_px: f32,
    // How visible grid lines are, 0 to 1.
    grid: f32,
    // The state of all cells that no tile holds.
    background: u32,
    // 1 when the world ends at the edges of the board.
    bounded: u32,
    // Pixels of the window per point.
    scale: f32,
    // From afar the corner is a block of 2^far_level cells a side; 0 where cells are looked at themselves.
    far_level: u32,
    // How far the corner's cell is from that block's own corner.
    remainder: vec2<f32>,
    // Fills up to 16 bytes.
    unused: vec2<u32>,
    // Squares of sRGB values, with alpha 1.
    colours: array<vec4<f32>, COLOURS>,
}

@group(1) @binding(0) var<uniform> view: View;

// Rows and columns before view.corner from which on cells are seen; sent by src/app/renderer.rs.
const SEEN_MARGIN = 4;

// Colours are mixed as squares, which is close to light; the root at the end gives back what was squared.
fn colour(index: u32) -> vec3<f32> {
    return view.colours[index].rgb;
}

fn on_board(cell: vec2<i32>) -> bool {
    return (view.bounded == 0u) | (all(cell >= vec2<i32>(0)) & all(cell < board.size));
}

// The sum of the colours of the living cells of a word that `mask` picks, and how many they are.
fn living_colours(planes: array<u32, PLANES>, mask: u32) -> vec4<f32> {
    var sum = vec4<f32>(0.0);
    if MASKS {
        let masks = species_masks(planes);
        for (var s = 0u; s < SPECIES; s++) {
            sum += f32(countOneBits(masks[s] & mask)) * vec4<f32>(colour(s + 1u), 1.0);
        }
    } else {
        var living = 0u;
        for (var plane = 0u; plane < PLANES; plane++) {
            living |= planes[plane];
        }
        for (living &= mask; living != 0u; living &= living - 1u) {
            sum += vec4<f32>(colour(state_of(planes, firstTrailingBit(living))), 1.0);
        }
    }
    return sum;
}

// Shades are means over blocks of 2^level cells a side: of the colours of living cells, and of 1 for each of them. Of each
// slot there are those of levels LEAST_LEVEL to TILE_SHIFT, one level after the other, row by row.
const LEAST_LEVEL = 5u;
const SHADES = (TILE_WORDS * TILE_WORDS * 4u - 1u) / 3u;

// Where the shades of a level begin among those of a slot.
fn first_shade(level: u32) -> u32 {
    // What is left is a sum of powers of four.
    return SHADES - ((4u << (2u * (TILE_SHIFT - level))) - 1u) / 3u;
}

// That of a block of background.
fn background_shade() -> vec4<f32> {
    return select(vec4<f32>(0.0), vec4<f32>(colour(view.background), 1.0), view.background != 0u);
}
