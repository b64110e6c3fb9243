// The board as a picture, read from the bit planes in place: nothing is copied.
//
// Joined after board.wgsl and the rule's text (src/rule/wgsl.rs: SPECIES, species_masks).
// Driven by src/app/renderer.rs.
//
// Bindings: group 0 as in board.wgsl; group 1, 0 the view; group 2, 0 and 1 the next generation, as in board.wgsl.
// One triangle covers the viewport; one fragment is one pixel of the window.

// Colours of dead cells and of states 1 to 16, and four more.
const COLOURS = 21u;
const DEAD_COLOUR = 0u;
const GRID_COLOUR = 17u;
const OUTSIDE_COLOUR = 18u;
const BIRTH_COLOUR = 19u;
const DEATH_COLOUR = 20u;
// Rows of cells that are looked at for one pixel at the most; of more, every n-th is.
const SAMPLED_ROWS = 32;

struct View {
    // The cell at the top-left corner of the viewport, and where in it the corner is, 0 to 1.
    corner: vec2<i32>,
    fraction: vec2<f32>,
    // Top-left pixel of the viewport in the window.
    viewport: vec2<f32>,
    cells_per_px: f32,
    // How visible grid lines are, 0 to 1.
    grid: f32,
    // 1 to mark births and deaths of the next generation.
    marks: u32,
    // The state of all cells beyond an unbounded board's texture.
    background: u32,
    // 1 when the world ends at the edges of the board.
    bounded: u32,
    // Pixels of the window per point.
    scale: f32,
    // Squares of sRGB values, with alpha 1.
    colours: array<vec4<f32>, COLOURS>,
}

@group(1) @binding(0) var<uniform> view: View;
@group(2) @binding(1) var next_front: texture_storage_2d_array<r32uint, read>;

@vertex
fn cover(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2<f32>(f32((index << 1u) & 2u), f32(index & 2u));
    return vec4<f32>(corner * 2.0 - 1.0, 0.0, 1.0);
}

// Colours are mixed as squares, which is close to light; the root at the end gives back what was squared.
fn colour(index: u32) -> vec3<f32> {
    return view.colours[index].rgb;
}

fn on_board(cell: vec2<i32>) -> bool {
    let at = cell - board.origin;
    return all(at >= vec2<i32>(0)) && all(at < vec2<i32>(board.size));
}

// The state of 32 cells' bit `bit`, from their planes.
fn state_of(planes: array<u32, PLANES>, bit: u32) -> u32 {
    let masks = species_masks(planes);
    var state = 0u;
    for (var s = 0u; s < SPECIES; s++) {
        state += (s + 1u) * (masks[s] >> bit & 1u);
    }
    return state;
}

// The state of a cell anywhere; beyond the texture the background's.
fn state_at(cell: vec2<i32>) -> u32 {
    if !on_board(cell) {
        return view.background;
    }
    let at = vec2<u32>(cell - board.origin);
    return state_of(load_planes(at.x >> 5u, at.y), at.x & 31u);
}

fn next_state_at(cell: vec2<i32>) -> u32 {
    let at = vec2<u32>(cell - board.origin);
    let texel = place(at.x >> 5u, at.y);
    var planes: array<u32, PLANES>;
    for (var plane = 0u; plane < PLANES; plane++) {
        planes[plane] = textureLoad(next_front, texel.xy, texel.z + plane).x;
    }
    return state_of(planes, at.x & 31u);
}

// The colour of one cell, without lines and marks.
fn cell_colour(cell: vec2<i32>) -> vec3<f32> {
    if view.bounded == 1u && !on_board(cell) {
        return colour(OUTSIDE_COLOUR);
    }
    return colour(state_at(cell));
}

// The mean over the cells of a pixel: `low` to before `high`, in cells of the texture.
fn far_colour(low: vec2<i32>, high: vec2<i32>) -> vec3<f32> {
    let first = clamp(low, vec2<i32>(0), vec2<i32>(board.size));
    let end = clamp(high, vec2<i32>(0), vec2<i32>(board.size));
    let whole = high - low;
    let all_cells = f32(whole.x) * f32(whole.y);
    let beyond = select(colour(view.background), colour(OUTSIDE_COLOUR), view.bounded == 1u);
    if any(first >= end) {
        return beyond;
    }
    // Rows are sampled at places fixed to the board, so that panning doesn't flicker.
    let stride = max(1, (end.y - first.y + SAMPLED_ROWS - 1) / SAMPLED_ROWS);
    var counts: array<f32, SPECIES>;
    var seen = 0.0;
    for (var y = (first.y + stride - 1) / stride * stride; y < end.y; y += stride) {
        for (var word = first.x >> 5u; word <= (end.x - 1) >> 5u; word++) {
            let low_bit = max(first.x - 32 * word, 0);
            let bits = min(end.x - 32 * word, 32) - low_bit;
            let mask = (0xFFFFFFFFu >> u32(32 - bits)) << u32(low_bit);
            let masks = species_masks(load_planes(u32(word), u32(y)));
            for (var s = 0u; s < SPECIES; s++) {
                counts[s] += f32(countOneBits(masks[s] & mask));
            }
        }
        seen += f32(end.x - first.x);
    }
    var living = 0.0;
    var mixed = vec3<f32>(0.0);
    for (var s = 0u; s < SPECIES; s++) {
        living += counts[s];
        mixed += counts[s] * colour(s + 1u);
    }
    let dead = colour(DEAD_COLOUR);
    var inside = dead;
    if living > 0.0 {
        // A few living cells among many are still to be seen: the eye gets the root of their share.
        inside = mix(dead, mixed / living, sqrt(min(1.0, 1.6 * living / max(seen, 1.0))));
    }
    let covered = f32(end.x - first.x) * f32(end.y - first.y) / all_cells;
    return mix(beyond, inside, covered);
}

// Between cells of a few pixels and one: the exact mean over up to 3 x 3 cells, weighted by cover.
fn blended_colour(low: vec2<f32>, high: vec2<f32>, corner: vec2<i32>) -> vec3<f32> {
    let first = vec2<i32>(floor(low));
    let last = vec2<i32>(ceil(high)) - 1;
    if all(first == last) {
        return cell_colour(corner + first);
    }
    var sum = vec3<f32>(0.0);
    for (var y = first.y; y <= last.y; y++) {
        for (var x = first.x; x <= last.x; x++) {
            let cell = vec2<f32>(f32(x), f32(y));
            let cover = min(high, cell + 1.0) - max(low, cell);
            sum += max(cover.x, 0.0) * max(cover.y, 0.0) * cell_colour(corner + vec2<i32>(x, y));
        }
    }
    let size = high - low;
    return sum / (size.x * size.y);
}

// How much of a pixel is within `half_width` pixels of a line at `distance` pixels.
fn line_cover(distance: f32, half_width: f32) -> f32 {
    return clamp(half_width + 0.5 - abs(distance), 0.0, 1.0);
}

// A cell of many pixels with grid lines and marks; `within` is the place in the cell, 0 to 1.
fn near_colour(cell: vec2<i32>, within: vec2<f32>) -> vec3<f32> {
    let px = 1.0 / view.cells_per_px;
    var result = cell_colour(cell);
    let inside = on_board(cell);
    if view.marks == 1u && inside {
        let state = state_at(cell);
        let next = next_state_at(cell);
        let from_middle = (within - 0.5) * px;
        if state == 0u && next != 0u {
            let distance = length(from_middle);
            result = mix(result, colour(next), clamp(0.13 * px + 0.5 - distance, 0.0, 1.0));
            result = mix(result, colour(BIRTH_COLOUR), line_cover(distance - 0.3 * px, max(0.05 * px, 0.5)));
        } else if state != 0u && next == 0u {
            let arms = min(abs(from_middle.x - from_middle.y), abs(from_middle.x + from_middle.y)) * 0.7071;
            let within_arms = select(0.0, 1.0, all(abs(from_middle) <= vec2<f32>(0.27 * px)));
            // A dark edge keeps the cross apart from a cell of a similar colour.
            result = mix(result, colour(DEAD_COLOUR), within_arms * line_cover(arms, max(0.12 * px, 1.0)));
            result = mix(result, colour(DEATH_COLOUR), within_arms * line_cover(arms, max(0.05 * px, 0.5)));
        }
    }
    if view.grid > 0.0 && (inside || view.bounded == 0u) {
        // Lines lie on the left and top pixels of a cell; every tenth is stronger.
        let width = max(1.0, floor(view.scale));
        let on_line = within * px < vec2<f32>(width);
        if any(on_line) {
            let tenth = (on_line.x && cell.x % 10 == 0) || (on_line.y && cell.y % 10 == 0);
            result = mix(result, colour(GRID_COLOUR), view.grid * select(0.55, 1.0, tenth));
        }
    }
    return result;
}

@fragment
fn paint(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = floor(position.xy) - view.viewport;
    let low = view.fraction + pixel * view.cells_per_px;
    let high = low + view.cells_per_px;
    var result: vec3<f32>;
    if view.cells_per_px > 1.0 {
        let first = view.corner + vec2<i32>(floor(low)) - board.origin;
        let end = view.corner + vec2<i32>(floor(high)) - board.origin;
        result = far_colour(first, max(end, first + 1));
    } else if view.cells_per_px > 0.2 {
        result = blended_colour(low, high, view.corner);
    } else {
        let middle = (low + high) * 0.5;
        let cell = floor(middle);
        result = near_colour(view.corner + vec2<i32>(cell), middle - cell);
    }
    return vec4<f32>(sqrt(result), 1.0);
}
