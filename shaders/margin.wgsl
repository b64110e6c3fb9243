// The ring of ghost cells around a board whose edges are glued: copies of the cells that stand there by the topology, so
// that the step need not know of any edge.
//
// Joined after board.wgsl. Driven by src/engine/gpu/mod.rs after each generation or leap: `gather` reads the texture and
// fills a buffer, `scatter` writes the buffer into the texture, so that no dispatch reads a texture that it writes.
//
// Bindings: group 0 as in board.wgsl, and for `scatter` 4 the texture that is written; group 1, 0 the words of the ring,
// 1 where they stand.
// A ring is as many rows high at top and bottom as generations are stepped until it is filled anew, and twice as many
// columns wide at the sides, since no neighbourhood reaches further. One invocation handles one word that holds ghosts.
// Dispatched: that many, rounded up to workgroups.

// A word that holds ghosts; listed by `ring` in src/engine/gpu/tiles.rs.
struct Ghosts {
    // Column of words, and row.
    word: i32,
    y: i32,
    // Which of its cells are ghosts: all between two of them are.
    cells: u32,
    // The slot that it is in.
    slot: u32,
}

@group(0) @binding(4) var back: texture_storage_2d_array<r32uint, write>;
@group(1) @binding(0) var<storage, read_write> words: array<u32>;
@group(1) @binding(1) var<storage, read> ring: array<Ghosts>;

// A coordinate on the board, moved by an offset on it: the sum may be too large for signed numbers.
fn moved(value: i32, by: i32, length: i32) -> i32 {
    return i32((u32(value) + u32(by)) % u32(length));
}

// Which cell of the board stands at a place of the ring. The twin of Topology::locate in src/board/topology.rs.
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
            while y < 0 || y >= height {
                let above = y < 0;
                if board.glue == 1u {
                    x = moved(x, select(board.offset, width - board.offset, above), width);
                } else {
                    x = wrapped(board.offset - x, width);
                }
                y += select(-height, height, above);
            }
        }
        case 3u, 4u: {
            y = wrapped(y, height);
            while x < 0 || x >= width {
                let before = x < 0;
                if board.glue == 3u {
                    y = moved(y, select(board.offset, height - board.offset, before), height);
                } else {
                    y = wrapped(board.offset - y, height);
                }
                x += select(-width, width, before);
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

fn planes_at(word: i32, y: i32) -> array<u32, PLANES> {
    let slot = slot_of(vec2<i32>((32 * word) >> TILE_SHIFT, y >> TILE_SHIFT));
    return load_planes(texels_of(slot), u32(word) & (TILE_WORDS - 1u), u32(y) & (TILE_SIDE - 1u));
}

@compute @workgroup_size(64)
fn gather(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let n = id.y * groups.x * 64u + id.x;
    if n >= arrayLength(&ring) {
        return;
    }
    let ghosts = ring[n];
    var result = load_planes(
        texels_of(ghosts.slot),
        u32(ghosts.word) & (TILE_WORDS - 1u),
        u32(ghosts.y) & (TILE_SIDE - 1u),
    );
    for (var plane = 0u; plane < PLANES; plane++) {
        result[plane] &= ~ghosts.cells;
    }
    let first = firstTrailingBit(ghosts.cells);
    let count = 1u + firstLeadingBit(ghosts.cells) - first;
    let place = vec2<i32>(32 * ghosts.word + i32(first), ghosts.y);
    let begin = locate(place);
    var toward = vec2<i32>(1, 0);
    if count > 1u {
        toward = locate(place + vec2<i32>(1, 0)) - begin;
    }
    let end = locate(place + vec2<i32>(i32(count) - 1, 0));
    if abs(toward.x) == 1 && toward.y == 0 && all(end == begin + toward * (i32(count) - 1)) {
        // They stand side by side on the board too, perhaps the other way round.
        let left = min(begin.x, end.x);
        let bit = u32(left & 31);
        let low = planes_at(left >> 5u, begin.y);
        var high: array<u32, PLANES>;
        if bit + count > 32u {
            high = planes_at((left >> 5u) + 1, begin.y);
        }
        for (var plane = 0u; plane < PLANES; plane++) {
            // Shifted twice, since a shift by 32 is none.
            var cells = low[plane] >> bit | high[plane] << 1u << (31u - bit);
            if toward.x < 0 {
                cells = reverseBits(cells << (32u - count));
            }
            result[plane] |= cells << first & ghosts.cells;
        }
    } else {
        for (var ghost = 0u; ghost < count; ghost++) {
            let cell = locate(place + vec2<i32>(i32(ghost), 0));
            let planes = planes_at(cell.x >> 5u, cell.y);
            for (var plane = 0u; plane < PLANES; plane++) {
                result[plane] |= (planes[plane] >> u32(cell.x & 31) & 1u) << (first + ghost);
            }
        }
    }
    for (var plane = 0u; plane < PLANES; plane++) {
        words[n * PLANES + plane] = result[plane];
    }
}

@compute @workgroup_size(64)
fn scatter(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let n = id.y * groups.x * 64u + id.x;
    if n >= arrayLength(&ring) {
        return;
    }
    let ghosts = ring[n];
    let texel = texels_of(ghosts.slot)
        + vec3<u32>(u32(ghosts.word) & (TILE_WORDS - 1u), u32(ghosts.y) & (TILE_SIDE - 1u), 0u);
    for (var plane = 0u; plane < PLANES; plane++) {
        textureStore(back, texel.xy, texel.z + plane, vec4<u32>(words[n * PLANES + plane], 0u, 0u, 0u));
    }
}
