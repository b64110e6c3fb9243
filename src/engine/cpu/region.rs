//! A macro-step of some tiles of a chunk: they are copied with their surroundings into scratch columns, stepped there,
//! and their cells copied back.
//!
//! ```text
//! scratch columns: one more than the tiles'; column j begins 32 cells left of column j of the tiles
//! rows of a column: 8 spare ones, K above, the tiles' own, K below, spare ones up to a multiple of 8
//! ```
//!
//! In each generation what is wrong at the edges of the scratch columns comes one cell (of some lattices two) nearer, so
//! that after K of them the tiles' own cells are still right.

use std::ops::Range;

use super::chunk::{COLUMNS, PLANE, ROWS, SIDE, TILE_ROWS};
use super::gates;
use super::stepper::{Columns, Lane, Place, Plan, Space, VECTOR, lanes, words_mut};
use crate::coords::Rect;

/// Cells left and right of the tiles: K generations at a reach of n cells need K · n of them.
const SIDE_CELLS: i64 = 32;
/// Rows above and below the tiles, at the most.
const MOST_GENERATIONS: usize = 32;
/// Rows of a scratch column at the most.
const MOST_ROWS: usize = ROWS + 2 * MOST_GENERATIONS + 3 * VECTOR;

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
}

impl Scratch {
    pub(super) fn new(plan: &Plan, planes: usize) -> Self {
        let size = (COLUMNS + 3) * MOST_ROWS;
        Self { space: Space::new(plan), planes: [0, 1].map(|_| vec![lanes(size); planes]) }
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
        let columns = region.columns + 1;
        let rows = TILE_ROWS * region.rows + 2 * job.generations;
        let valid = VECTOR..VECTOR + rows;
        let height = valid.end.next_multiple_of(VECTOR) + VECTOR;
        let signed = |value: usize| i64::try_from(value).expect("a row or a column of a chunk");
        let top = signed(TILE_ROWS * region.row) - signed(job.generations);
        self.gather(job, around, region, top, valid.clone(), height);
        let mut place = Place {
            word_x: (rect.x + signed(64 * region.column) - SIDE_CELLS).div_euclid(32),
            y: rect.y + top - signed(VECTOR),
            generation: job.generation,
            seed: job.seed,
            wraps: job.wraps,
        };
        let clip = job
            .bounds
            .filter(|_| job.dead_outside)
            .and_then(|bounds| Clip::new(bounds, &place, height, columns, valid.clone()));
        let [from, to] = &mut self.planes;
        let mut from: Vec<&mut [u64]> = from.iter_mut().map(|plane| words_mut(plane)).collect();
        let mut to: Vec<&mut [u64]> = to.iter_mut().map(|plane| words_mut(plane)).collect();
        if let Some(clip) = &clip {
            from.iter_mut().for_each(|plane| clip.apply(plane));
        }
        let mut tossed = false;
        for generation in 1..=job.generations {
            let source: Vec<&[u64]> = from.iter().map(|plane| &**plane).collect();
            let rows = valid.start + generation..valid.end - generation;
            let mut work = Columns { from: &source, to: &mut to, height, count: columns };
            tossed |= job.plan.generation(&mut self.space, &place, &mut work, rows);
            if let Some(clip) = &clip {
                to.iter_mut().for_each(|plane| clip.apply(plane));
            }
            std::mem::swap(&mut from, &mut to);
            place.generation += 1;
        }
        let after: Vec<&[u64]> = from.iter().map(|plane| &**plane).collect();
        scatter(job, rect, around[4].unwrap_or_default(), &after, region, height, back, outcome);
        if tossed {
            // The next coins may fall otherwise.
            outcome.changed |= region.tiles();
        }
    }

    /// Copies the tiles and what is around them into rows `valid` of the scratch columns, of which the first is row `top` of
    /// the chunk.
    fn gather(
        &mut self,
        job: &Job<'_>,
        around: &Around<'_>,
        region: Region,
        top: i64,
        valid: Range<usize>,
        height: usize,
    ) {
        // Pieces of rows that lie in one of the three rows of chunks: which, the first there, and the first in a column.
        let bottom = top + i64::try_from(valid.len()).expect("some rows");
        let pieces = [-SIDE, 0, SIDE].map(|y| {
            let (from, to) = (top.max(y), bottom.min(y + SIDE));
            let index = |y: i64| usize::try_from(y.max(0)).expect("a row");
            (index(from - y), index(from - top) + valid.start, index(to - from))
        });
        let uniform_words = [0u64; ROWS];
        for (p, plane) in self.planes[0].iter_mut().enumerate() {
            let plane = words_mut(plane);
            let uniform = uniform_words.map(|_| job.uniform[p]);
            for (band, &(first, at, count)) in pieces.iter().enumerate().filter(|(_, piece)| piece.2 > 0) {
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
                for j in 0..=region.columns {
                    let start = (1 + j) * height + at;
                    let out = &mut plane[start..start + count];
                    gates::halves(column(region.column + j), column(region.column + j + 1), out);
                }
            }
        }
    }
}

/// Copies the tiles' cells back, and notes which tiles changed and which live.
#[expect(clippy::too_many_arguments, reason = "where from, where to, and what of it counts")]
fn scatter(
    job: &Job<'_>,
    rect: Rect,
    front: &[u64],
    after: &[&[u64]],
    region: Region,
    height: usize,
    back: &mut [u64],
    outcome: &mut Outcome,
) {
    let board = job.bounds.filter(|bounds| !bounds.contains_rect(rect));
    for tile in (0..COLUMNS * COLUMNS).filter(|tile| region.tiles() >> tile & 1 == 1) {
        let (row, column) = (tile / COLUMNS, tile % COLUMNS);
        let x = rect.x + 64 * i64::try_from(column).expect("a column of a chunk");
        let y = rect.y + 64 * i64::try_from(row).expect("a row of a chunk");
        // What of the tile is on the board.
        let mask = board.map_or(u64::MAX, |board| bits_inside(board, x));
        let index = |y: i64| usize::try_from(y.clamp(0, 64)).expect("clamped");
        let inside = board.map_or(0..TILE_ROWS, |board| index(board.y - y)..index(board.bottom() - y));
        let (mut differs, mut lives) = (0, 0);
        for (p, plane) in after.iter().enumerate() {
            let scratch = (1 + column - region.column) * height
                + VECTOR
                + job.generations
                + TILE_ROWS * (row - region.row);
            let at = p * PLANE + column * ROWS + row * TILE_ROWS;
            let new = &mut back[at..at + TILE_ROWS];
            gates::halves(&plane[scratch..][..TILE_ROWS], &plane[scratch + height..][..TILE_ROWS], new);
            if !inside.is_empty() {
                let old = &front[at..at + TILE_ROWS];
                let found = gates::compare(&new[inside.clone()], &old[inside.clone()], job.uniform_after[p]);
                (differs, lives) = (differs | found.0, lives | found.1);
            }
        }
        outcome.changed |= if differs & mask == 0 { 0 } else { 1 << tile };
        outcome.living |= if lives & mask == 0 { 0 } else { 1 << tile };
    }
}

/// Which of the 64 cells from column `x` on are columns of a board.
pub(super) fn bits_inside(board: Rect, x: i64) -> u64 {
    let from = (board.x - x).clamp(0, 64);
    let to = (board.right() - x).clamp(0, 64);
    if to <= from { 0 } else { (u64::MAX >> (64 - (to - from))) << from }
}

/// What of the scratch columns lies beyond a bounded plane, where all is dead in every generation.
struct Clip {
    height: usize,
    /// Rows on the board.
    rows: Range<usize>,
    /// Cells on the board, by columns.
    columns: Vec<u64>,
}

impl Clip {
    /// `None` when all of the rows `valid` is on the board.
    fn new(board: Rect, place: &Place, height: usize, columns: usize, valid: Range<usize>) -> Option<Self> {
        let most = i64::try_from(height).expect("some rows");
        let clamped = |y: i64| usize::try_from(y.clamp(0, most)).expect("clamped");
        let clip = Self {
            height,
            rows: clamped(board.y - place.y)..clamped(board.bottom() - place.y),
            columns: (0..columns)
                .map(|j| bits_inside(board, 32 * place.word_x + 64 * i64::try_from(j).expect("a column")))
                .collect(),
        };
        let whole = clip.rows.start <= valid.start
            && clip.rows.end >= valid.end
            && clip.columns.iter().all(|&mask| mask == u64::MAX);
        (!whole).then_some(clip)
    }

    /// Kills what is beyond the board in a plane.
    fn apply(&self, plane: &mut [u64]) {
        for (column, &mask) in plane[self.height..].chunks_mut(self.height).zip(&self.columns) {
            column[..self.rows.start].fill(0);
            column[self.rows.end.max(self.rows.start)..].fill(0);
            if mask != u64::MAX {
                column[self.rows.start..self.rows.end.max(self.rows.start)].iter_mut().for_each(|word| *word &= mask);
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
    while region.row + region.rows < COLUMNS && tiles >> (COLUMNS * (region.row + region.rows) + column) & run == run {
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
