// Several generations in one dispatch: reads one texture, works in workgroup memory, writes the other texture.
//
// Joined after step.wgsl, whose bindings it shares. Driven by src/engine/gpu/mod.rs, which sends K = LEAP, the rows of a
// block, BLOCK, and CHUNK by generation in layout.rs: the first two are multiples of the third, and K cells times the
// reach of the neighbourhood are no more than a word. Loops over CHUNK and PLANES are written out by shaders.rs.
//
// One workgroup leaps with BLOCK rows of one tile. It loads them with a word at either side and LEAP rows above and
// below; each generation spoils what is at the rim, and after LEAP of them just the block is left, which is stored. One
// invocation works on CHUNK rows of one column of words. Dispatched: slots x (TILE_SIDE / BLOCK) workgroups.
// Ghosts around a board with glued edges live on as the cells do that they are copies of; their ring is as wide as that
// needs, see margin.wgsl.
//
//   memory: plane after plane, of each BLOCK + 2 LEAP rows of TILE_WORDS + 2 words

const LEAP_COLUMNS = TILE_WORDS + 2u;
const LEAP_ROWS = BLOCK + 2u * LEAP;

var<workgroup> memory: array<u32, PLANES * LEAP_ROWS * LEAP_COLUMNS>;

fn memory_features(column: u32, row: i32) -> Features {
    // What is beyond the rim is spoilt anyway.
    let y = u32(clamp(row, 0, i32(LEAP_ROWS) - 1));
    let left = max(column, 1u) - 1u;
    let right = min(column + 1u, LEAP_COLUMNS - 1u);
    var shifted: array<array<u32, 5>, PLANES>;
    for (var plane = 0u; plane < PLANES; plane++) {
        let at = (plane * LEAP_ROWS + y) * LEAP_COLUMNS;
        shifted[plane] = shifted_by_two(memory[at + left], memory[at + column], memory[at + right]);
    }
    return row_features(shifted);
}

@compute @workgroup_size(256)
fn leap(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = group.y * groups.x + group.x;
    let blocks = TILE_SIDE / BLOCK;
    // Workgroups past the last slot do its work once more.
    let item = min(moment.first + index / blocks, moment.end - 1u);
    let slot = list[item];
    let column = lane % LEAP_COLUMNS;
    let chunk = lane / LEAP_COLUMNS;
    let works = chunk < LEAP_ROWS / CHUNK;
    let first = CHUNK * chunk;

    // All rows of a chunk stand in one tile.
    let row = i32(index % blocks * BLOCK + first) - i32(LEAP);
    let across = select(select(0, 1, column > TILE_WORDS), -1, column == 0u);
    let down = select(select(0, 1, row >= i32(TILE_SIDE)), -1, row < 0);
    let beside = tiles[slot].around[u32(3 * (down + 1) + across + 1)];
    var at = tiles[slot].at + vec2<i32>(across, down);
    if beside != NO_TILE {
        // Which is elsewhere where the board wraps round.
        at = tiles[beside].at;
    }
    let word = (column - 1u) & (TILE_WORDS - 1u);
    let tile_row = u32(row) & (TILE_SIDE - 1u);
    let texels = texels_of(beside) + vec3<u32>(word, tile_row, 0u);
    var site = Site(at.x * i32(TILE_WORDS) + i32(word), at.y * i32(TILE_SIDE) + i32(tile_row), 0u, 0u);
    let is_beyond = board.size.x != ENDLESS && any(at < vec2<i32>(0));
    let inside = select(inside_mask(32 * site.word_x), 0u, is_beyond);
    let rows = rows_inside(at);
    var ys: array<i32, CHUNK>;
    for (var y = 0u; y < CHUNK; y++) {
        ys[y] = site.y + i32(y);
        if board.glue != 0u {
            // Ghosts toss the coins of the cells that they are copies of: on plain tori whose rows are whole words.
            ys[y] = wrapped(ys[y], board.size.y);
        }
    }
    if board.glue != 0u {
        site.word_x = wrapped(site.word_x, (board.size.x + 31) >> 5u);
    }
    if works {
        for (var y = 0u; y < CHUNK; y++) {
            for (var plane = 0u; plane < PLANES; plane++) {
                memory[(plane * LEAP_ROWS + first + y) * LEAP_COLUMNS + column] =
                    textureLoad(front, texels.xy + vec2<u32>(0u, y), texels.z + plane).x;
            }
        }
    }
    workgroupBarrier();

    var next: array<array<u32, PLANES>, CHUNK>;
    for (var generation = 0u; generation < LEAP; generation++) {
        ahead = generation;
        site.parity_generation = 0u - ((moment.generation_low + generation) & 1u);
        if works {
            var above = memory_features(column, i32(first) - 1);
            var here = memory_features(column, i32(first));
            for (var y = 0u; y < CHUNK; y++) {
                let below = memory_features(column, i32(first + y) + 1);
                var place = site;
                place.y = ys[y];
                place.parity_y = 0u - (y & 1u);
                next[y] = next_planes(above, here, below, place);
                if board.glue == 0u || generation == LEAP - 1u {
                    let mask = select(0u, inside, tile_row + y < rows);
                    for (var plane = 0u; plane < PLANES; plane++) {
                        next[y][plane] &= mask;
                    }
                }
                above = here;
                here = below;
            }
        }
        workgroupBarrier();
        if works {
            for (var y = 0u; y < CHUNK; y++) {
                for (var plane = 0u; plane < PLANES; plane++) {
                    memory[(plane * LEAP_ROWS + first + y) * LEAP_COLUMNS + column] = next[y][plane];
                }
            }
        }
        workgroupBarrier();
    }
    if works && across == 0 && first >= LEAP && first < LEAP + BLOCK {
        for (var y = 0u; y < CHUNK; y++) {
            for (var plane = 0u; plane < PLANES; plane++) {
                textureStore(back, texels.xy + vec2<u32>(0u, y), texels.z + plane, vec4<u32>(next[y][plane], 0u, 0u, 0u));
            }
        }
    }
}

// Whether tiles are after a leap what they were before it. One workgroup looks at one tile.
@compute @workgroup_size(64)
fn repeat(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let item = moment.first + group.y * groups.x + group.x;
    if item >= moment.end {
        return;
    }
    let at = tiles[compared[item]].at;
    let texels = texels_of(compared[item]);
    var differs = 0u;
    for (var index = lane; index < TILE_WORDS * rows_inside(at); index += 64u) {
        let word = index % TILE_WORDS;
        let inside = inside_mask(32 * (at.x * i32(TILE_WORDS) + i32(word)));
        let texel = texels.xy + vec2<u32>(word, index / TILE_WORDS);
        for (var plane = 0u; plane < PLANES; plane++) {
            let layer = texels.z + plane;
            differs |= (textureLoad(front, texel, layer).x ^ textureLoad(past, texel, layer).x) & inside;
        }
    }
    if differs != 0u {
        atomicOr(&changes[item], 1u);
    }
}
