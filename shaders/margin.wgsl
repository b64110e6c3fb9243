// The ring of ghost cells around a board whose edges are glued: copies of the cells that stand there by the topology, so
// that the step need not know of any edge.
//
// Joined after board.wgsl. Driven by src/engine/gpu/mod.rs after each generation: `gather` reads the texture and fills
// a buffer, `scatter` writes the buffer into the texture, so that no dispatch reads a texture that it writes.
//
// Bindings: group 0 as in board.wgsl, and for `scatter` 4 the texture that is written; group 1, 0 the words of the ring.
// The ring is two cells wide at the sides and one at top and bottom, since no neighbourhood reaches further. One
// invocation handles one word that holds ghosts. Dispatched: that many, rounded up to workgroups.

@group(0) @binding(4) var back: texture_storage_2d_array<r32uint, write>;
@group(1) @binding(0) var<storage, read_write> ring: array<u32>;

fn wrapped(value: i32, length: i32) -> i32 {
    return ((value % length) + length) % length;
}

// Which cell of the board stands at (x, y), which may be two cells beyond a side or one beyond top or bottom. The twin
// of Topology::locate in src/board/topology.rs.
fn locate(place: vec2<i32>) -> vec2<i32> {
    var x = place.x;
    var y = place.y;
    let width = board.size.x;
    let height = board.size.y;
    if x >= 0 && y >= 0 && x < width && y < height {
        return place;
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
        default: {
            let corner = clamp(place, vec2<i32>(0), board.size - 1);
            let deep = abs(place - corner) - 1;
            if all(corner != place) {
                x = corner.x;
                y = corner.y;
            } else if corner.x != x {
                if board.glue == 5u {
                    x = select(deep.x, width - 1 - deep.x, place.x < 0);
                    y = height - 1 - place.y;
                } else {
                    x = place.y;
                    y = select(height - 1 - deep.x, deep.x, place.x < 0);
                }
            } else {
                if board.glue == 5u {
                    x = width - 1 - place.x;
                    y = select(deep.y, height - 1 - deep.y, place.y < 0);
                } else {
                    y = place.x;
                    x = select(width - 1 - deep.y, deep.y, place.y < 0);
                }
            }
            x = clamp(x, 0, width - 1);
            y = clamp(y, 0, height - 1);
        }
    }
    return vec2<i32>(x, y);
}

// Column of words and row of the n-th word of the ring; n may be past the last one.
fn place_of(n: u32) -> vec2<i32> {
    let last = (board.size.x + 1) >> 5u;
    let across = u32(last + 2);
    if n < 2u * across {
        return vec2<i32>(i32(n % across) - 1, select(-1, board.size.y, n >= across));
    }
    // Three words a row: left of the board, and two at its right side, which may be the same.
    let side = n - 2u * across;
    let columns = vec3<i32>(-1, board.size.x >> 5u, last);
    return vec2<i32>(columns[side % 3u], i32(side / 3u));
}

fn words() -> u32 {
    return 2u * u32(((board.size.x + 1) >> 5u) + 2) + 3u * u32(board.size.y);
}

fn texels_at(word: i32, y: i32) -> vec3<u32> {
    let slot = slot_of(vec2<i32>((32 * word) >> TILE_SHIFT, y >> TILE_SHIFT));
    return texels_of(slot) + vec3<u32>(u32(word) & (TILE_WORDS - 1u), u32(y) & (TILE_SIDE - 1u), 0u);
}

@compute @workgroup_size(64)
fn gather(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let n = id.y * groups.x * 64u + id.x;
    if n >= words() {
        return;
    }
    let place = place_of(n);
    let x = 32 * place.x;
    let own = texels_at(place.x, place.y);
    var result: array<u32, PLANES>;
    var first = max(x, -2);
    if place.x >= 0 && place.y >= 0 && place.y < board.size.y {
        // What the word holds of the board itself stays.
        let inside = inside_mask(x);
        for (var plane = 0u; plane < PLANES; plane++) {
            result[plane] = textureLoad(front, own.xy, own.z + plane).x & inside;
        }
        first = max(x, board.size.x);
    }
    for (var ghost = first; ghost < min(x + 32, board.size.x + 2); ghost++) {
        let cell = locate(vec2<i32>(ghost, place.y));
        let texels = texels_at(cell.x >> 5u, cell.y);
        for (var plane = 0u; plane < PLANES; plane++) {
            let word = textureLoad(front, texels.xy, texels.z + plane).x;
            result[plane] |= (word >> u32(cell.x & 31) & 1u) << u32(ghost - x);
        }
    }
    for (var plane = 0u; plane < PLANES; plane++) {
        ring[n * PLANES + plane] = result[plane];
    }
}

@compute @workgroup_size(64)
fn scatter(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let n = id.y * groups.x * 64u + id.x;
    if n >= words() {
        return;
    }
    let place = place_of(n);
    let own = texels_at(place.x, place.y);
    for (var plane = 0u; plane < PLANES; plane++) {
        textureStore(back, own.xy, own.z + plane, vec4<u32>(ring[n * PLANES + plane], 0u, 0u, 0u));
    }
}
