// The board as a picture, read from the bit planes in place: nothing is copied.
//
// Joined after cover.wgsl, view.wgsl, board.wgsl and the rule's text (src/rule/wgsl.rs: SPECIES, MASKS, species_masks, state_of).
// Driven by src/app/renderer.rs.
//
// Bindings: group 0 as in board.wgsl; group 1, 0 the view; group 2, 0 the cells that are seen from near, from near.wgsl;
// group 3, 0 the shades and 1 where they are, from far.wgsl.
// The triangle of cover.wgsl covers the viewport; one fragment is one pixel of the window.
//
// Lengths are in pixels or in pitches: the pitch is the distance of two cells of a row. How cells lie on the plane is
// told in src/lattice/geometry.rs.

// How cells are shaped, an index of Lattice::ALL; and Lattice::row_height of it, pitches.
override LATTICE: u32;
override ROW_HEIGHT: f32;
// Whether births and deaths of the next generation are marked.
override WITH_MARKS: bool;
const SQUARE = 0u;
const HEXAGONAL = 1u;
const TRIANGULAR = 2u;
const SQRT_3 = 1.7320508;

// Points of a pixel, along each side, at which hexagons and triangles of a few pixels are looked up.
const SAMPLES = 3;

@group(2) @binding(0) var seen: texture_2d<u32>;
@group(3) @binding(0) var<storage, read> shades: array<vec4<f32>>;
// A map as that of tiles; `used` is the level of a block, `slot` the place of its shade.
@group(3) @binding(1) var<storage, read> blocks: array<Place>;

// The states of a cell that is seen from near now, and in the next generation if that is marked.
fn states_at(cell: vec2<i32>) -> vec2<u32> {
    return textureLoad(seen, cell - view.corner + SEEN_MARGIN, 0).xy;
}

// The colour of one cell, without lines and marks.
fn cell_colour(cell: vec2<i32>) -> vec3<f32> {
    if !on_board(cell) {
        return colour(OUTSIDE_COLOUR);
    }
    return colour(states_at(cell).x);
}

// First column, and the one after the last, that a pixel from `low` to before `high` covers of a row; columns and row
// are counted from view.corner. Rows of hexagons lean: each begins half a column further on than the one above.
fn columns(low: f32, high: f32, row: i32) -> vec2<i32> {
    var ends = vec2<i32>(floor(vec2<f32>(low, high)));
    if LATTICE == HEXAGONAL {
        ends = vec2<i32>(floor(vec2<f32>(low, high) + 0.5 * f32(row & 1))) + (row >> 1u);
    }
    return vec2<i32>(ends.x, max(ends.y, ends.x + 1));
}

// The mean over the cells of a pixel: from `low` to before `high`, in columns and rows from view.corner.
fn far_colour(low: vec2<f32>, high: vec2<f32>) -> vec3<f32> {
    let low_end = select(vec2<i32>(-ENDLESS), vec2<i32>(0), view.bounded == 1u);
    let size = board.size;
    let top = view.corner.y + i32(floor(low.y));
    let bottom = max(view.corner.y + i32(floor(high.y)), top + 1);
    let first = clamp(top, low_end.y, size.y);
    let end = clamp(bottom, low_end.y, size.y);
    var living = vec4<f32>(0.0);
    var seen = 0.0;
    var whole = 0.0;
    // Most pixels lie in one tile, which is looked for once.
    var tile = vec2<i32>(ENDLESS);
    var texels: vec3<u32>;
    for (var y = first; y < end; y++) {
        let ends = view.corner.x + columns(low.x, high.x, y - view.corner.y);
        let left = clamp(ends.x, low_end.x, size.x);
        let right = clamp(ends.y, low_end.x, size.x);
        whole += f32(ends.y - ends.x);
        if left >= right {
            continue;
        }
        for (var word = left >> 5u; word <= (right - 1) >> 5u; word++) {
            let low_bit = max(left - 32 * word, 0);
            let bits = min(right - 32 * word, 32) - low_bit;
            let mask = (0xFFFFFFFFu >> u32(32 - bits)) << u32(low_bit);
            let here = vec2<i32>(32 * word, y) >> vec2<u32>(TILE_SHIFT);
            if any(here != tile) {
                tile = here;
                texels = texels_of(slot_of(tile));
            }
            let planes = load_planes(texels, u32(word) & (TILE_WORDS - 1u), u32(y) & (TILE_SIDE - 1u));
            living += living_colours(planes, mask);
        }
        seen += f32(right - left);
    }
    return mixed_colour(living, seen, seen / whole * (f32(end - first) / f32(bottom - top)));
}

// The colour of a pixel with so many living cells of `seen` that it has of the board, which cover so much of it.
fn mixed_colour(living: vec4<f32>, seen: f32, covered: f32) -> vec3<f32> {
    let beyond = select(colour(view.background), colour(OUTSIDE_COLOUR), view.bounded == 1u);
    if seen <= 0.0 {
        return beyond;
    }
    let dead = colour(DEAD_COLOUR);
    var inside = dead;
    if living.w > 0.0 {
        // A few living cells among many are still to be seen: the eye gets the root of their share.
        inside = mix(dead, living.rgb / living.w, sqrt(min(1.0, 1.6 * living.w / seen)));
    }
    return mix(beyond, inside, covered);
}

// The shade of a block of level view.far_level: the mean of colour and 1 over its living cells, and 0 over the others.
fn shade_of(block: vec2<i32>) -> vec4<f32> {
    let level = min(view.far_level, TILE_SHIFT);
    let within = TILE_SHIFT - level;
    let slot = slot_of(block >> vec2<u32>(within));
    if (view.far_level == level) & (slot != NO_TILE) {
        let at = vec2<u32>(block) & vec2<u32>((1u << within) - 1u);
        return shades[slot * SHADES + first_shade(level) + (at.y << within) + at.x];
    }
    // Larger blocks than a tile; none of them has a level as low as that of others.
    let mask = arrayLength(&blocks) - 1u;
    for (var probe = 0u; probe <= mask; probe++) {
        let place = blocks[(hash_of(block) + probe) & mask];
        if place.used == 0u {
            break;
        }
        if place.used == view.far_level && all(place.at == block) {
            return shades[place.slot];
        }
    }
    return background_shade();
}

// The mean over a pixel of many cells, from `low` to before `high`, in columns and rows from the corner of the block
// view.corner. Blocks that reach beyond the pixel count by their share of it.
fn distant_colour(low: vec2<f32>, high: vec2<f32>) -> vec3<f32> {
    let size = exp2(f32(view.far_level));
    let top = low.y / size;
    let bottom = high.y / size;
    let begin = -vec2<f32>(view.corner);
    let of_board = vec4<f32>(begin, begin + vec2<f32>(board.size) / size);
    let edges = select(vec4<f32>(-1e30, -1e30, 1e30, 1e30), of_board, view.bounded == 1u);
    var living = vec4<f32>(0.0);
    var seen = 0.0;
    for (var y = floor(top); y < bottom; y += 1.0) {
        let first = max(top, y);
        let end = min(bottom, y + 1.0);
        var lean = 0.0;
        if LATTICE == HEXAGONAL {
            lean = 0.5 * (0.5 * (first + end) - view.remainder.y / size);
        }
        let left = low.x / size + lean;
        let right = high.x / size + lean;
        for (var x = floor(left); x < right; x += 1.0) {
            let cover = (min(right, x + 1.0) - max(left, x)) * (end - first);
            living += cover * shade_of(view.corner + vec2<i32>(vec2<f32>(x, y)));
        }
        let high_end = min(vec2<f32>(right, end), edges.zw);
        let inside = max(high_end - max(vec2<f32>(left, first), edges.xy), vec2<f32>(0.0));
        seen += inside.x * inside.y;
    }
    return mixed_colour(living, seen, seen / ((high.x - low.x) * (high.y - low.y) / (size * size)));
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

// `under` with the mark of what becomes of a cell in the next generation; `from_middle` is the place in the cell, and
// `px` the diameter of the circle inside it, both in pixels.
fn marked(under: vec3<f32>, cell: vec2<i32>, from_middle: vec2<f32>, px: f32) -> vec3<f32> {
    var result = under;
    let states = states_at(cell);
    let state = states.x;
    let next = states.y;
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
    return result;
}

// A square of many pixels with grid lines and marks; `within` is the place in the cell, 0 to 1.
fn near_square_colour(cell: vec2<i32>, within: vec2<f32>) -> vec3<f32> {
    let px = 1.0 / view.cells_per_px;
    var result = cell_colour(cell);
    let inside = on_board(cell);
    if WITH_MARKS && inside {
        result = marked(result, cell, (within - 0.5) * px, px);
    }
    if (view.grid > 0.0) & inside {
        // Lines lie on the left and top pixels of a cell; every tenth is stronger.
        let width = max(1.0, floor(view.scale));
        let on_line = within * px < vec2<f32>(width);
        if any(on_line) {
            let tenth = any(on_line & (cell % vec2<i32>(10) == vec2<i32>(0)));
            result = mix(result, colour(GRID_COLOUR), view.grid * select(0.55, 1.0, tenth));
        }
    }
    return result;
}

// Where a point lies on hexagons or triangles.
struct Spot {
    // The cell, and the one on the other side of the nearest edge, counted from view.corner.
    cell: vec2<i32>,
    across: vec2<i32>,
    // From the middle of the circle inside the cell, pitches.
    from_middle: vec2<f32>,
    // How far the nearest edge is, pitches.
    edge: f32,
}

// Finds the hexagon at a point, which is given from the centre of the one at view.corner.
fn hexagon_at(point: vec2<f32>) -> Spot {
    // The nearest centre, by three coordinates that add up to 0: the one that was rounded most follows from the others.
    let row = point.y / ROW_HEIGHT;
    let column = point.x + 0.5 * row;
    let exact = vec3<f32>(column - row, row, -column);
    var near = round(exact);
    let off = abs(exact - near);
    if off.x >= off.y && off.x >= off.z {
        near.x = -near.y - near.z;
    } else if off.y >= off.z {
        near.y = -near.x - near.z;
    } else {
        near.z = -near.x - near.y;
    }
    let centre = vec2<f32>(-near.z - 0.5 * near.y, near.y * ROW_HEIGHT);
    var spot: Spot;
    spot.cell = vec2<i32>(vec2<f32>(-near.z, near.y));
    spot.from_middle = point - centre;
    // Towards the neighbours E, SE and S, which lie straight to the right, down right and down left; or away from them.
    let along = vec3<f32>(
        spot.from_middle.x,
        dot(spot.from_middle, vec2<f32>(0.5, 0.5 * SQRT_3)),
        dot(spot.from_middle, vec2<f32>(-0.5, 0.5 * SQRT_3)),
    );
    let most = max(abs(along.x), max(abs(along.y), abs(along.z)));
    var neighbour = vec2<i32>(1, 0);
    var side = along.x;
    if most == abs(along.y) {
        neighbour = vec2<i32>(1, 1);
        side = along.y;
    } else if most == abs(along.z) {
        neighbour = vec2<i32>(0, 1);
        side = along.z;
    }
    spot.across = spot.cell + select(-neighbour, neighbour, side >= 0.0);
    spot.edge = 0.5 - most;
    return spot;
}

// Finds the triangle at a point, which is given from the middle of the top edge of the one at view.corner, which points
// down.
fn triangle_at(point: vec2<f32>) -> Spot {
    let rows = point.y / ROW_HEIGHT;
    let row = floor(rows);
    let down = rows - row;
    let odd = f32(i32(row) & 1);
    // The nearest one that points down; right and left of it stand those that point up.
    var column = 2.0 * round((point.x - odd) * 0.5) + odd;
    var aside = point.x - column;
    let points_down = abs(aside) <= 1.0 - down;
    if !points_down {
        column += select(-1.0, 1.0, aside >= 0.0);
        aside = point.x - column;
    }
    // From the level edge to the corner across from it, 0 to 1.
    let from_level = select(1.0 - down, down, points_down);
    let to_level = from_level * SQRT_3;
    let to_slanted = (1.0 - abs(aside) - from_level) * 0.5 * SQRT_3;
    let beyond_level = vec2<i32>(0, select(1, -1, points_down));
    let beyond_slanted = vec2<i32>(select(-1, 1, aside >= 0.0), 0);
    var spot: Spot;
    spot.cell = vec2<i32>(vec2<f32>(column, row));
    spot.from_middle = vec2<f32>(aside, (down - select(2.0, 1.0, points_down) / 3.0) * SQRT_3);
    spot.across = spot.cell + select(beyond_slanted, beyond_level, to_level < to_slanted);
    spot.edge = min(to_level, to_slanted);
    return spot;
}

fn spot_at(point: vec2<f32>) -> Spot {
    if LATTICE == HEXAGONAL {
        return hexagon_at(point);
    }
    return triangle_at(point);
}

// Hexagons and triangles of a few pixels: the mean over some points of the pixel around `middle`.
fn sampled_colour(middle: vec2<f32>) -> vec3<f32> {
    let spot = spot_at(middle);
    // Well inside a cell.
    if spot.edge > 0.71 * view.cells_per_px {
        return cell_colour(view.corner + spot.cell);
    }
    var sum = vec3<f32>(0.0);
    for (var y = 0; y < SAMPLES; y++) {
        for (var x = 0; x < SAMPLES; x++) {
            let within = (vec2<f32>(f32(x), f32(y)) + 0.5) / f32(SAMPLES) - 0.5;
            sum += cell_colour(view.corner + spot_at(middle + within * view.cells_per_px).cell);
        }
    }
    return sum / f32(SAMPLES * SAMPLES);
}

// A hexagon or triangle of many pixels with grid lines and marks, its edges smooth.
fn near_colour(middle: vec2<f32>) -> vec3<f32> {
    let px = 1.0 / view.cells_per_px;
    let spot = spot_at(middle);
    let cell = view.corner + spot.cell;
    let across = view.corner + spot.across;
    var result = cell_colour(cell);
    let to_edge = spot.edge * px;
    if to_edge < 0.5 {
        result = mix(cell_colour(across), result, 0.5 + to_edge);
    }
    let inside = on_board(cell);
    if WITH_MARKS && inside {
        let diameter = select(2.0 / SQRT_3, 1.0, LATTICE == HEXAGONAL);
        result = marked(result, cell, spot.from_middle * px, diameter * px);
    }
    if (view.grid > 0.0) & (inside | on_board(across)) {
        // Lines lie on the middle of edges.
        let half_width = 0.5 * max(1.0, floor(view.scale));
        result = mix(result, colour(GRID_COLOUR), view.grid * 0.7 * line_cover(to_edge, half_width));
    }
    return result;
}

// What a pixel covers, in pitches from the anchor of the cell view.corner.
struct Pixel {
    low: vec2<f32>,
    high: vec2<f32>,
}

fn pixel_at(position: vec2<f32>) -> Pixel {
    let low = view.fraction + (floor(position) - view.viewport) * view.cells_per_px;
    return Pixel(low, low + view.cells_per_px);
}

fn painted(squares: vec3<f32>) -> vec4<f32> {
    return vec4<f32>(sqrt(squares), 1.0);
}

// Columns and rows that a pixel covers, as if all cells were as high as their row and a pitch wide: from their beginnings,
// not from their anchors.
fn cells_of(pixel: Pixel) -> Pixel {
    let first = select(vec2<f32>(0.5, 0.0), vec2<f32>(0.5), LATTICE == HEXAGONAL);
    let before = select(first, vec2<f32>(0.0), LATTICE == SQUARE);
    let rows = vec2<f32>(1.0, ROW_HEIGHT);
    return Pixel(pixel.low / rows + before, pixel.high / rows + before);
}

// The four ways to paint a pixel, from the nearest to the farthest. Each is a shader of its own, since software adapters run
// both sides of every branch; which one, is decided in src/app/renderer.rs.

@fragment
fn paint_near(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = pixel_at(position.xy);
    let middle = (pixel.low + pixel.high) * 0.5;
    if LATTICE != SQUARE {
        return painted(near_colour(middle));
    }
    let cell = floor(middle);
    return painted(near_square_colour(view.corner + vec2<i32>(cell), middle - cell));
}

@fragment
fn paint_small(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = pixel_at(position.xy);
    if LATTICE != SQUARE {
        return painted(sampled_colour((pixel.low + pixel.high) * 0.5));
    }
    return painted(blended_colour(pixel.low, pixel.high, view.corner));
}

@fragment
fn paint_far(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let cells = cells_of(pixel_at(position.xy));
    return painted(far_colour(cells.low, cells.high));
}

@fragment
fn paint_distant(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let cells = cells_of(pixel_at(position.xy));
    return painted(distant_colour(cells.low + view.remainder, cells.high + view.remainder));
}
