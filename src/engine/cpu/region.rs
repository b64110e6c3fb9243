//! A macro-step of some tiles of a chunk: they are copied with their surroundings into scratch columns, stepped there,
//! and their cells copied back.
//!
//! ```text
//! scratch columns: one more than the tiles'; column j begins 32 cells left of column j of the tiles
//! rows of a column: K above, the tiles' own, K below, spare ones up to a multiple of 8
//! ```
//!
//! In each generation what is wrong at the edges of the scratch columns comes one cell (of some lattices two) nearer, so
//! that after K of them the tiles' own cells are still right.

use super::chunk::{COLUMNS, PLANE, ROWS, SIDE, TILE_ROWS};
use super::gates;
use super::stepper::{Columns, Lane, Place, Plan, Shape, Space, lanes, words_mut};
use crate::coords::Rect;

/// Cells left and right of the tiles: K generations at a reach of n cells need K · n of them.
const SIDE_CELLS: i64 = 32;
/// Rows above and below the tiles, at the most.
const MOST_GENERATIONS: usize = 32;
/// The largest scratch columns.
const MOST: Shape = Shape::new(COLUMNS + 1, ROWS + 2 * MOST_GENERATIONS);

/// What a macro-step of all regions has in common.
pub(super) struct Job<'a> {
    pub(super) plan: &'a Plan,
    pub(super) generations: usize,
    pub(super) seed: u64,
    pub(super) generation: u64,
    pub(super) wraps: Option<(i64, i64)>,
    /// Words of each plane where there is nothing but background, before and after.
    pub(super) uniform: &'a [u64],
    pub(super) uniform_after: &'a [u64],
    /// The cells of the board, if it is bounded; whether all beyond them is dead.
    pub(super) bounds: Option<Rect>,
    pub(super) dead_outside: bool,
}

/// What came of a chunk.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome {
    pub(super) changed: u64,
    pub(super) living: u64,
}

/// The planes of a chunk and of the eight around it in reading order.
pub(super) type Around<'a> = [Option<&'a [u64]>; 9];

/// Scratch columns and buffers; one for each thread.
pub(super) struct Scratch {
    space: Space,
    planes: [Vec<Vec<Lane>>; 2],
    /// The rows of one column after the other.
    rows: Vec<Lane>,
}

impl Scratch {
    pub(super) fn new(plan: &Plan, planes: usize) -> Self {
        Self {
            space: Space::new(plan, MOST.rows()),
            planes: [0, 1].map(|_| vec![lanes(MOST.words()); planes]),
            rows: lanes((COLUMNS + 1) * MOST.rows()),
        }
    }

    /// Steps the tiles of `awake` of the chunk at `rect`; `back` takes their next planes.
    pub(super) fn chunk(
        &mut self,
        job: &Job<'_>,
        rect: Rect,
        around: &Around<'_>,
        awake: u64,
        back: &mut [u64],
    ) -> Outcome {
        let mut outcome = Outcome::default();
        let mut left = awake;
        while left != 0 {
            let (region, tiles) = first_region(left);
            left &= !tiles;
            self.region(job, rect, around, region, back, &mut outcome);
        }
        outcome
    }

    fn region(
        &mut self,
        job: &Job<'_>,
        rect: Rect,
        around: &Around<'_>,
        region: Region,
        back: &mut [u64],
        outcome: &mut Outcome,
    ) {
        let rows = TILE_ROWS * region.rows + 2 * job.generations;
        let shape = Shape::new(region.columns + 1, rows);
        let signed = |value: usize| i64::try_from(value).expect("a row or a column of a chunk");
        let top = signed(TILE_ROWS * region.row) - signed(job.generations);
        self.gather(job, around, region, top, rows, shape);
        let mut place = Place {
            word_x: (rect.x + signed(64 * region.column) - SIDE_CELLS).div_euclid(32),
            y: rect.y + top,
            generation: job.generation,
            seed: job.seed,
            wraps: job.wraps,
        };
        let clip =
            job.bounds.filter(|_| job.dead_outside).and_then(|bounds| Clip::new(bounds, &place, shape, rows));
        let [from, to] = &mut self.planes;
        let mut from: Vec<&mut [u64]> = from.iter_mut().map(|plane| words_mut(plane)).collect();
        let mut to: Vec<&mut [u64]> = to.iter_mut().map(|plane| words_mut(plane)).collect();
        if let Some(clip) = &clip {
            clip.apply(&mut from);
        }
        let mut tossed = false;
        for generation in 1..=job.generations {
            for plane in &mut from {
                shape.sew(plane);
            }
            let source: Vec<&[u64]> = from.iter().map(|plane| &**plane).collect();
            let mut work = Columns { from: &source, to: &mut to, shape };
            let rows = generation..rows - generation;
            tossed |= job.plan.generation(&mut self.space, &place, &mut work, rows);
            if let Some(clip) = &clip {
                clip.apply(&mut to);
            }
            std::mem::swap(&mut from, &mut to);
            place.generation += 1;
        }
        let after: Vec<&[u64]> = from.iter().map(|plane| &**plane).collect();
        let front = around[4].unwrap_or_default();
        let lines = words_mut(&mut self.rows);
        scatter(job, rect, front, &after, lines, region, shape, back, outcome);
        if tossed {
            // The next coins may fall otherwise.
            outcome.changed |= region.tiles();
        }
    }

    /// Copies the tiles and what is around them into the first `count` rows of the scratch columns, of which the first is
    /// row `top` of the chunk.
    fn gather(
        &mut self,
        job: &Job<'_>,
        around: &Around<'_>,
        region: Region,
        top: i64,
        count: usize,
        shape: Shape,
    ) {
        // Pieces of rows that lie in one of the three rows of chunks: which, the first there, and the first in a column.
        let bottom = top + i64::try_from(count).expect("some rows");
        let pieces = [-SIDE, 0, SIDE].map(|y| {
            let (from, to) = (top.max(y), bottom.min(y + SIDE));
            let index = |y: i64| usize::try_from(y.max(0)).expect("a row");
            (index(from - y), index(from - top), index(to - from))
        });
        let lines = words_mut(&mut self.rows);
        let uniform_words = [0u64; ROWS];
        for (p, plane) in self.planes[0].iter_mut().enumerate() {
            let plane = words_mut(plane);
            let uniform = uniform_words.map(|_| job.uniform[p]);
            for j in 0..shape.columns {
                for (band, &(first, at, count)) in pieces.iter().enumerate().filter(|(_, piece)| piece.2 > 0)
                {
                    // Column c of the chunk, which may be one beyond it.
                    let column = |c: usize| {
                        let (chunk, c) = match c {
                            0 => (0, COLUMNS - 1),
                            c if c <= COLUMNS => (1, c - 1),
                            _ => (2, 0),
                        };
                        around[3 * band + chunk].map_or(&uniform[..count], |planes| {
                            let start = p * PLANE + c * ROWS + first;
                            &planes[start..start + count]
                        })
                    };
                    let out = &mut lines[at..at + count];
                    gates::halves(column(region.column + j), column(region.column + j + 1), out);
                }
                shape.weave(lines, &mut plane[shape.of_column(j)]);
            }
        }
    }
}

/// Copies the tiles' cells back, and notes which tiles changed and which live. `lines` is room for the rows of all columns.
#[expect(clippy::too_many_arguments, reason = "where from, where to, and what of it counts")]
fn scatter(
    job: &Job<'_>,
    rect: Rect,
    front: &[u64],
    after: &[&[u64]],
    lines: &mut [u64],
    region: Region,
    shape: Shape,
    back: &mut [u64],
    outcome: &mut Outcome,
) {
    let board = job.bounds.filter(|bounds| !bounds.contains_rect(rect));
    for (p, plane) in after.iter().enumerate() {
        for (j, rows) in lines.chunks_exact_mut(shape.rows()).enumerate().take(shape.columns) {
            shape.unravel(&plane[shape.of_column(j)], rows);
        }
        for tile in (0..COLUMNS * COLUMNS).filter(|tile| region.tiles() >> tile & 1 == 1) {
            let (row, column) = (tile / COLUMNS, tile % COLUMNS);
            let x = rect.x + 64 * i64::try_from(column).expect("a column of a chunk");
            let y = rect.y + 64 * i64::try_from(row).expect("a row of a chunk");
            // What of the tile is on the board.
            let mask = board.map_or(u64::MAX, |board| bits_inside(board, x));
            let index = |y: i64| usize::try_from(y.clamp(0, 64)).expect("clamped");
            let inside = board.map_or(0..TILE_ROWS, |board| index(board.y - y)..index(board.bottom() - y));
            let left =
                (column - region.column) * shape.rows() + job.generations + TILE_ROWS * (row - region.row);
            let at = p * PLANE + column * ROWS + row * TILE_ROWS;
            let new = &mut back[at..at + TILE_ROWS];
            let right = left + shape.rows();
            gates::halves(&lines[left..left + TILE_ROWS], &lines[right..right + TILE_ROWS], new);
            if !inside.is_empty() {
                let old = &front[at..at + TILE_ROWS];
                let (differs, lives) =
                    gates::compare(&new[inside.clone()], &old[inside], job.uniform_after[p]);
                outcome.changed |= if differs & mask == 0 { 0 } else { 1 << tile };
                outcome.living |= if lives & mask == 0 { 0 } else { 1 << tile };
            }
        }
    }
}

/// Which of the 64 cells from column `x` on are columns of a board.
pub(super) fn bits_inside(board: Rect, x: i64) -> u64 {
    let from = (board.x - x).clamp(0, 64);
    let to = (board.right() - x).clamp(0, 64);
    if to <= from { 0 } else { (u64::MAX >> (64 - (to - from))) << from }
}

/// What of the scratch columns lies on a bounded plane, beyond which all is dead in every generation.
struct Clip {
    shape: Shape,
    /// Of each word of a column, by rows.
    rows: Vec<u64>,
    /// Of each word of a row, by columns.
    columns: Vec<u64>,
}

impl Clip {
    /// `None` when all of the first `count` rows is on the board.
    fn new(board: Rect, place: &Place, shape: Shape, count: usize) -> Option<Self> {
        let most = i64::try_from(shape.rows()).expect("some rows");
        let clamped = |y: i64| usize::try_from(y.clamp(0, most)).expect("clamped");
        let (first, end) = (clamped(board.y - place.y), clamped(board.bottom() - place.y));
        let columns: Vec<u64> = (0..shape.columns)
            .map(|j| bits_inside(board, 32 * place.word_x + 64 * i64::try_from(j).expect("a column")))
            .collect();
        if first == 0 && end >= count && columns.iter().all(|&mask| mask == u64::MAX) {
            return None;
        }
        let lines: Vec<u64> =
            (0..shape.rows()).map(|row| if (first..end).contains(&row) { u64::MAX } else { 0 }).collect();
        let mut rows = vec![0; shape.rows()];
        shape.weave(&lines, &mut rows);
        Some(Self { shape, rows, columns })
    }

    /// Kills what is beyond the board in some planes.
    fn apply(&self, planes: &mut [&mut [u64]]) {
        for plane in planes {
            for (j, mask) in self.columns.iter().enumerate() {
                let column = &mut plane[self.shape.of_column(j)];
                column.iter_mut().zip(&self.rows).for_each(|(word, row)| *word &= row & mask);
            }
        }
    }
}

/// A rectangle of tiles of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Region {
    row: usize,
    column: usize,
    rows: usize,
    columns: usize,
}

impl Region {
    /// Its tiles as a mask.
    fn tiles(self) -> u64 {
        let line = (u64::MAX >> (64 - self.columns)) << self.column;
        (self.row..self.row + self.rows).fold(0, |all, row| all | line << (COLUMNS * row))
    }
}

/// The whole chunk when most of `tiles` are set; else a run of them in the first row that has one, with the rows below
/// as far as the same run is set there. Also which tiles that takes.
fn first_region(tiles: u64) -> (Region, u64) {
    if tiles.count_ones() >= 48 {
        let whole = Region { row: 0, column: 0, rows: COLUMNS, columns: COLUMNS };
        return (whole, u64::MAX);
    }
    let first = tiles.trailing_zeros() as usize;
    let (row, column) = (first / COLUMNS, first % COLUMNS);
    let line = (tiles >> (COLUMNS * row) & 0xFF) >> column;
    let columns = line.trailing_ones() as usize;
    let mut region = Region { row, column, rows: 1, columns };
    let run = (1u64 << columns) - 1;
    while region.row + region.rows < COLUMNS
        && tiles >> (COLUMNS * (region.row + region.rows) + column) & run == run
    {
        region.rows += 1;
    }
    (region, region.tiles())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_cover_what_is_awake_once() {
        let mut tiles = 0x0123_4567_89AB_CDEFu64;
        for _ in 0..200 {
            tiles = tiles.wrapping_mul(0x5851_F42D_4C95_7F2D).rotate_left(17) | 1;
            let awake = tiles & tiles.rotate_left(23) & !(1 << 40);
            let mut left = awake;
            while left != 0 {
                let (region, taken) = first_region(left);
                assert_eq!(taken, region.tiles(), "{region:?}");
                assert!(awake.count_ones() >= 48 || taken & !left == 0, "{region:?} of {left:#x}");
                left &= !taken;
            }
        }
    }

    #[test]
    fn bits_inside_are_the_columns_of_the_board() {
        let board = Rect::new(0, 0, 100, 10);
        assert_eq!(bits_inside(board, -64), 0, "left of it");
        assert_eq!(bits_inside(board, -32), u64::MAX << 32, "half");
        assert_eq!(bits_inside(board, 64), (1 << 36) - 1, "the right end");
        assert_eq!(bits_inside(board, 128), 0, "right of it");
    }
}
