// Several generations in one dispatch, in registers: reads one texture, writes the other.
//
// Joined after step.wgsl, whose bindings it shares, and the text of src/engine/gpu/shuffle.rs, which says what the shape
// of the work is (LEAP, ROWS, WORDS, LANES, PARTS, COINS, SCRATCH) and holds the gates, with a name for each word: no
// array has an index that a compiler would have to work out, since what has one may end up in memory.
//
// One invocation holds ROWS rows of a window of COLUMNS = WORDS + 1 words, in all planes; one subgroup holds as many rows
// as its invocations have together, one below the other. What lies left and right is in the invocation's own registers,
// and of the rows above and below only the features are asked of the neighbours, by shuffles. So there is neither
// workgroup memory nor a barrier between generations, and no lane idles, whatever the size of subgroups. After LEAP
// generations the rows within LEAP of either end of the subgroup are spoilt, as are the 16 cells at either side of a
// window, which stands half a word to the left of the words that it is for: LEAP is less than 16.
//
//   window of 9 words     ....|----|----| ... |----|....     . margin: half of the last word of the tile to the left,
//   words of the tile         0000 1111   ...   7777           and half of the first one of the tile to the right
//
// What is right is put through workgroup memory, so that neighbours store words that lie side by side.
//
// Dispatched: slots x PARTS workgroups of LANES invocations, which are whole subgroups. Bands of a tile are shared out
// to the subgroups by their number; where there are more subgroups than bands, the last band is done again.
//
// Operations for a word and generation are the gates of the circuit, two shifts a plane, and the coins, of which one
// call of Philox serves four words. Counted by src/engine/gpu/shuffle.rs for subgroups of 32:
//
//                 operations a word   shuffles   rows x words   useful   operations a useful word
//   Life          10 + 2              4 for 9    9 x 8          0.790    15
//   Immigration   17 + 4              9 for 5    5 x 8          0.711    30, tall 27
//   P2Life        38 + 4 and coins    9 for 5    5 x 8          0.711    59, tall 53, and coins
//   QuadLife      51 + 6 and coins    17 for 5   5 x 4          0.640    89, tall 80, and coins
//
// A tall shape has 9 x 8, and 5 x 8 for QuadLife: there is less that is done twice, and there are fewer invocations at
// a time, since each has more registers. What is useful: rows and columns of a tile's next state, of all that are worked
// out. leap.wgsl has 0.58 for two planes, besides loads from workgroup memory and barriers.

const COLUMNS = WORDS + 1u;
// Windows beside each other in a tile.
const ACROSS = TILE_WORDS / WORDS;
const SIDE = i32(TILE_SIDE);
const MARGIN = i32(LEAP);
// Further off than any cell of a window.
const FAR_OFF = 4096;

// Of each invocation, the words that it stores; before that, those of its coins.
var<workgroup> scratch: array<array<u32, SCRATCH>, LANES>;

// The slot that is stepped, the first word of it that the window is for, and the invocation's first row in it.
var<private> tile: u32;
var<private> first_word: u32;
var<private> first_row: i32;
// Which of the workgroup's invocations this is, by subgroups.
var<private> place: u32;
// Where the board ends, seen from the tile: first column and the one after the last, first row and the one after.
var<private> edges: vec4<i32>;
// What is to be added to a row of the tile to give its coordinate: in the tile above, in the tile, in the one below.
var<private> rows_from: vec3<i32>;
// Whether the coins of this generation have been tossed: in all invocations of a subgroup or in none.
var<private> is_tossed: bool;

// Where one row begins: left of the window's words, at them, right of them.
struct Begin {
    left: vec3<u32>,
    here: vec3<u32>,
    right: vec3<u32>,
}

// The row of the tile, or of those above and below; what is beyond them is spoilt anyway.
fn begin_of(row: i32) -> Begin {
    let y = min(row, 2 * SIDE - 1);
    let band = select(select(3u, 6u, y >= SIDE), 0u, y < 0);
    let down = vec3<u32>(0u, u32(y) & (TILE_SIDE - 1u), 0u);
    let here = texels_of(tiles[tile].around[band + 1u]) + down + vec3<u32>(first_word, 0u, 0u);
    var begin = Begin(here - vec3<u32>(1u, 0u, 0u), here, here + vec3<u32>(WORDS, 0u, 0u));
    if first_word == 0u {
        begin.left = texels_of(tiles[tile].around[band]) + down + vec3<u32>(TILE_WORDS - 1u, 0u, 0u);
    }
    if first_word + WORDS == TILE_WORDS {
        begin.right = texels_of(tiles[tile].around[band + 2u]) + down;
    }
    return begin;
}

// Where life ends. Boards whose edges are glued have none: ghosts live on. Nor has a torus of whole tiles, as far as the
// tiles beyond its edges are held; those that are not have no life near them.
fn find_edges() {
    edges = vec4<i32>(-FAR_OFF, FAR_OFF, -FAR_OFF, FAR_OFF);
    if board.size.x == ENDLESS || board.glue != 0u {
        return;
    }
    let at = tiles[tile].at;
    let end = board.size - at * SIDE;
    if at.x == 0 && tiles[tile].around[3] == NO_TILE {
        edges.x = 0;
    }
    if end.x < 2 * SIDE && (end.x != SIDE || tiles[tile].around[5] == NO_TILE) {
        edges.y = end.x;
    }
    if at.y == 0 && tiles[tile].around[1] == NO_TILE {
        edges.z = 0;
    }
    if end.y < 2 * SIDE && (end.y != SIDE || tiles[tile].around[7] == NO_TILE) {
        edges.w = end.y;
    }
}

// The lowest `count` bits, 0 to 32.
fn low_bits(count: i32) -> u32 {
    return select((1u << u32(count & 31)) - 1u, 0xFFFFFFFFu, count >= 32);
}

// Which of the cells of a window's word stand between the edges at left and right.
fn columns_inside(column: u32) -> u32 {
    let x = 32 * i32(first_word + column) - 16;
    return low_bits(clamp(edges.y - x, 0, 32)) & ~low_bits(clamp(edges.x - x, 0, 32));
}

// All bits set where the invocation's row stands between the edges above and below, else none.
fn row_inside(row: i32) -> u32 {
    return select(0u, 0xFFFFFFFFu, first_row + row >= edges.z && first_row + row < edges.w);
}

// All bits set where the invocation's row is odd, else none.
fn row_parity(row: i32) -> u32 {
    return 0u - (u32(first_row + row) & 1u);
}

// The column of words, from the origin of coordinates, of a word of the tile or of those beside it.
fn word_at(word: i32) -> i32 {
    let across = clamp((32 * word) >> TILE_SHIFT, -1, 1);
    let beside = tiles[tile].around[u32(4 + across)];
    var at = tiles[tile].at.x + across;
    if beside != NO_TILE {
        // Which is elsewhere where the board wraps round.
        at = tiles[beside].at.x;
    }
    let column = at * i32(TILE_WORDS) + word - across * i32(TILE_WORDS);
    if board.glue != 0u {
        // Ghosts toss the coins of the cells that they are copies of: on plain tori whose rows are whole words.
        return wrapped(column, (board.size.x + 31) >> 5u);
    }
    return column;
}

// What is to be added to a row of the tile to give its coordinate, in the tile that is `down` tiles below it.
fn row_from(down: i32) -> i32 {
    let beside = tiles[tile].around[u32(4 + 3 * down)];
    if beside != NO_TILE {
        return (tiles[beside].at.y - down) * SIDE;
    }
    return tiles[tile].at.y * SIDE;
}

// The row, in coordinates, of one of the invocation's rows.
fn row_at(row: u32) -> i32 {
    let y = first_row + i32(row);
    let coordinate = y + select(select(rows_from.y, rows_from.z, y >= SIDE), rows_from.x, y < 0);
    if board.glue != 0u {
        return wrapped(coordinate, board.size.y);
    }
    return coordinate;
}

// Tosses the coins of all the invocation's rows: scratch holds those of COLUMNS + 1 words a row, from the one before the
// words that the window is for.
fn toss_coins() {
    for (var toss = 0u; toss < COINS; toss++) {
        if board.glue == 0u {
            // Windows begin at a multiple of four words, and each toss is for four.
            for (var four = 0u; four <= WORDS / 4u + 1u; four++) {
                let fourth = word_at(i32(first_word + 4u * four) - 4) >> 2u;
                for (var row = 0u; row < ROWS; row++) {
                    let tosses = coins_of_four(fourth, row_at(row), toss);
                    let index = (toss * ROWS + row) * (COLUMNS + 1u) + 4u * four;
                    if four > 0u {
                        scratch[place][index - 3u] = tosses.x;
                    }
                    if four > 0u && four <= WORDS / 4u {
                        scratch[place][index - 2u] = tosses.y;
                        scratch[place][index - 1u] = tosses.z;
                    }
                    if four <= WORDS / 4u {
                        scratch[place][index] = tosses.w;
                    }
                }
            }
        } else {
            for (var word = 0u; word <= COLUMNS; word++) {
                let at = word_at(i32(first_word + word) - 1);
                for (var row = 0u; row < ROWS; row++) {
                    let tosses = coins_of_four(at >> 2u, row_at(row), toss);
                    scratch[place][(toss * ROWS + row) * (COLUMNS + 1u) + word] = tosses[u32(at & 3)];
                }
            }
        }
    }
}

@compute @workgroup_size(LANES)
fn shuffle(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_size) size: u32,
    @builtin(subgroup_invocation_id) lane: u32,
) {
    let index = group.y * groups.x + group.x;
    // Workgroups past the last slot do its work once more.
    tile = list[min(moment.first + index / PARTS, moment.end - 1u)];
    let part = index % PARTS;
    first_word = part % ACROSS * WORDS;
    place = subgroup * size + lane;
    let useful = min(i32(size * ROWS) - 2 * MARGIN, SIDE);
    let band = part / ACROSS * (LANES / size) + subgroup;
    let top = min(i32(band) * useful, SIDE - useful);
    first_row = top - MARGIN + i32(lane * ROWS);
    if COINS > 0u {
        rows_from = vec3<i32>(row_from(-1), row_from(0), row_from(1));
    }
    find_edges();
    let is_at_edge = any(edges != vec4<i32>(-FAR_OFF, FAR_OFF, -FAR_OFF, FAR_OFF));

    load_rows();
    for (var generation = 0u; generation < LEAP; generation++) {
        ahead = generation;
        is_tossed = false;
        next_generation();
        if is_at_edge {
            keep_inside();
        }
    }
    put_rows();
    workgroupBarrier();
    let at = tiles[tile].at;
    let word = first_word + lane % WORDS;
    let inside = inside_mask(32 * (at.x * i32(TILE_WORDS) + i32(word)));
    let rows = i32(rows_inside(at));
    let texels = texels_of(tile) + vec3<u32>(word, 0u, 0u);
    for (var row = i32(lane / WORDS); row < useful; row += i32(size / WORDS)) {
        let source = u32(row + MARGIN);
        let owner = subgroup * size + source / ROWS;
        let mask = select(0u, inside, top + row < rows);
        store_row(texels + vec3<u32>(0u, u32(top + row), 0u), owner, source % ROWS * WORDS + lane % WORDS, mask);
    }
}
