//! A macro-step of some tiles of a chunk: they are copied with their surroundings into scratch rows, stepped there, and
//! their cells copied back.
//!
//! ```text
//! scratch rows: K above, the tiles' own, K below          stride: the tiles' columns + 1 words
//! scratch word j of a row: 32 cells left of column j of the tiles … 31 cells further right
//! ```
//!
//! In each generation what is wrong at the edges of the scratch rows comes one cell (of some lattices two) nearer, so
//! that after K of them the tiles' own cells are still right.

use super::chunk::{PLANE, ROWS, SIDE, WORDS};
use super::stepper::{Lane, Place, Plan, Space, lanes, words, words_mut};
use crate::coords::Rect;

/// Cells left and right of the tiles: K generations at a reach of n cells need K · n of them.
pub(super) const SIDE_CELLS: i64 = 32;
/// Rows above and below the tiles, at the most.
pub(super) const MOST_GENERATIONS: usize = 32;

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

/// Scratch rows and buffers; one for each thread.
pub(super) struct Scratch {
    space: Space,
    planes: [Vec<Vec<Lane>>; 2],
}

impl Scratch {
    pub(super) fn new(plan: &Plan, planes: usize) -> Self {
        let size = (WORDS + 1) * (ROWS + 2 * MOST_GENERATIONS) + 2;
        Self { space: Space::new(plan), planes: [0, 1].map(|_| vec![lanes(size); planes]) }
    }

    /// Steps the tiles of `awake`: `around` holds the planes of the nine chunks around in reading order, `back` takes
    /// the tiles' next ones.
    pub(super) fn chunk(
        &mut self,
        job: &Job<'_>,
        rect: Rect,
        around: &[Option<&[u64]>; 9],
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
        around: &[Option<&[u64]>; 9],
        region: Region,
        back: &mut [u64],
        outcome: &mut Outcome,
    ) {
        let stride = region.columns + 1;
        let rows = 64 * region.rows + 2 * job.generations;
        let top = i64::try_from(64 * region.row).expect("a row") - i64::try_from(job.generations).expect("a few");
        self.gather(job, around, region, top, rows);
        let mut place = Place {
            word_x: (rect.x + i64::try_from(64 * region.column).expect("a column") - SIDE_CELLS).div_euclid(32),
            y: rect.y + top,
            generation: job.generation,
            seed: job.seed,
            wraps: job.wraps,
        };
        let clip = job.bounds.filter(|_| job.dead_outside).and_then(|bounds| Clip::new(bounds, &place, stride, rows));
        if let Some(clip) = &clip {
            self.planes[0].iter_mut().for_each(|plane| clip.apply(words_mut(plane), stride, 0..rows));
        }
        let mut tossed = false;
        for generation in 0..job.generations {
            let [from, to] = &mut self.planes;
            let source: Vec<&[u64]> = from.iter().map(|plane| words(plane)).collect();
            let mut target: Vec<&mut [u64]> = to.iter_mut().map(|plane| words_mut(plane)).collect();
            let valid = generation + 1..rows - generation - 1;
            tossed |= job.plan.generation(&mut self.space, &place, &source, &mut target, stride, valid.clone());
            if let Some(clip) = &clip {
                target.iter_mut().for_each(|plane| clip.apply(plane, stride, valid.clone()));
            }
            self.planes.swap(0, 1);
            place.generation += 1;
        }
        let inside = job.bounds.filter(|bounds| !bounds.contains_rect(rect));
        self.scatter(job, rect, around[4], region, inside, back, outcome);
        if tossed {
            // The next coins may fall otherwise.
            outcome.changed |= region.tiles();
        }
    }

    /// Copies the tiles and what is around them into the scratch rows, of which the first is row `top` of the chunk.
    fn gather(&mut self, job: &Job<'_>, around: &[Option<&[u64]>; 9], region: Region, top: i64, rows: usize) {
        let stride = region.columns + 1;
        for (p, plane) in self.planes[0].iter_mut().enumerate() {
            let out = &mut words_mut(plane)[1..=rows * stride];
            let uniform = job.uniform[p];
            for (y, out) in (top..).zip(out.chunks_mut(stride)) {
                let band = usize::from(y >= 0) + usize::from(y >= SIDE);
                let row = usize::try_from(y.rem_euclid(SIDE)).expect("a row of a chunk");
                let at = p * PLANE + row * WORDS;
                let [left, here, right] = [0, 1, 2].map(|n| around[3 * band + n].map(|planes| &planes[at..at + WORDS]));
                let first = match region.column {
                    0 => left.map_or(uniform, |words| words[WORDS - 1]),
                    column => here.map_or(uniform, |words| words[column - 1]),
                };
                let end = region.column + region.columns;
                let last = if end == WORDS {
                    right.map_or(uniform, |words| words[0])
                } else {
                    here.map_or(uniform, |words| words[end])
                };
                let Some(here) = here else {
                    out.fill(uniform);
                    out[0] = first >> 32 | uniform << 32;
                    out[stride - 1] = uniform >> 32 | last << 32;
                    continue;
                };
                let mut before = first;
                for (out, &word) in out.iter_mut().zip(&here[region.column..end]) {
                    *out = before >> 32 | word << 32;
                    before = word;
                }
                out[stride - 1] = before >> 32 | last << 32;
            }
        }
    }

    /// Copies the tiles' cells back, and notes which tiles changed and which live.
    #[expect(clippy::too_many_arguments, reason = "where from, where to, and what of it counts")]
    fn scatter(
        &self,
        job: &Job<'_>,
        rect: Rect,
        front: Option<&[u64]>,
        region: Region,
        inside: Option<Rect>,
        back: &mut [u64],
        outcome: &mut Outcome,
    ) {
        let stride = region.columns + 1;
        let front = front.unwrap_or_default();
        for tile_row in 0..region.rows {
            let (mut differs, mut lives) = ([0u64; WORDS], [0u64; WORDS]);
            for (p, plane) in self.planes[0].iter().enumerate() {
                let from = words(plane);
                let uniform = job.uniform_after[p];
                for row in 64 * tile_row..64 * (tile_row + 1) {
                    let scratch = 1 + (row + job.generations) * stride;
                    let at = p * PLANE + (64 * region.row + row) * WORDS + region.column;
                    let mask = inside.map(|inside| {
                        columns_inside(inside, rect, 64 * region.row + row, region.column, region.columns)
                    });
                    let from = &from[scratch..scratch + stride];
                    let to = &mut back[at..at + region.columns];
                    let old = &front[at..at + region.columns];
                    for c in 0..region.columns {
                        let word = from[c] >> 32 | from[c + 1] << 32;
                        let mask = mask.as_ref().map_or(u64::MAX, |mask| mask[c]);
                        differs[c] |= (word ^ old[c]) & mask;
                        lives[c] |= (word ^ uniform) & mask;
                        to[c] = word;
                    }
                }
            }
            for c in 0..region.columns {
                let tile = 1 << (WORDS * (region.row + tile_row) + region.column + c);
                outcome.changed |= if differs[c] == 0 { 0 } else { tile };
                outcome.living |= if lives[c] == 0 { 0 } else { tile };
            }
        }
    }
}

/// Which cells of words of row `row` of a chunk are on a board.
pub(super) fn columns_inside(board: Rect, chunk: Rect, row: usize, column: usize, columns: usize) -> [u64; WORDS] {
    let mut masks = [0; WORDS];
    let y = chunk.y + i64::try_from(row).expect("a row of a chunk");
    if y >= board.y && y < board.bottom() {
        for (c, mask) in masks[..columns].iter_mut().enumerate() {
            *mask = bits_inside(board, chunk.x + 64 * i64::try_from(column + c).expect("a column of words"));
        }
    }
    masks
}

/// Which of the 64 cells from column `x` on are columns of a board.
pub(super) fn bits_inside(board: Rect, x: i64) -> u64 {
    let from = (board.x - x).clamp(0, 64);
    let to = (board.right() - x).clamp(0, 64);
    if to <= from { 0 } else { (u64::MAX >> (64 - (to - from))) << from }
}

/// What of the scratch rows lies beyond a bounded plane, where all is dead in every generation.
struct Clip {
    /// Rows on the board.
    rows: std::ops::Range<usize>,
    /// Cells on the board, by columns of words.
    columns: Vec<u64>,
}

impl Clip {
    /// `None` when all is on the board.
    fn new(board: Rect, place: &Place, stride: usize, rows: usize) -> Option<Self> {
        let clamped = |y: i64| usize::try_from(y.clamp(0, i64::try_from(rows).expect("some rows"))).expect("clamped");
        let clip = Self {
            rows: clamped(board.y - place.y)..clamped(board.bottom() - place.y),
            columns: (0..stride)
                .map(|j| bits_inside(board, 32 * place.word_x + 64 * i64::try_from(j).expect("a column")))
                .collect(),
        };
        let whole = clip.rows == (0..rows) && clip.columns.iter().all(|&mask| mask == u64::MAX);
        (!whole).then_some(clip)
    }

    /// Kills what is beyond the board in some rows of a plane.
    fn apply(&self, plane: &mut [u64], stride: usize, rows: std::ops::Range<usize>) {
        let all_columns = self.columns.iter().all(|&mask| mask == u64::MAX);
        let start = rows.start;
        for (row, line) in (start..rows.end).zip(plane[1 + start * stride..].chunks_mut(stride)) {
            if !self.rows.contains(&row) {
                line.fill(0);
            } else if !all_columns {
                line.iter_mut().zip(&self.columns).for_each(|(word, mask)| *word &= mask);
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
        (self.row..self.row + self.rows).fold(0, |all, row| all | line << (WORDS * row))
    }
}

/// The whole chunk when most of `tiles` are set; else a run of them in the first row that has one, with the rows below
/// as far as the same run is set there. Also which tiles that takes.
fn first_region(tiles: u64) -> (Region, u64) {
    if tiles.count_ones() >= 48 {
        let whole = Region { row: 0, column: 0, rows: WORDS, columns: WORDS };
        return (whole, u64::MAX);
    }
    let first = tiles.trailing_zeros() as usize;
    let (row, column) = (first / WORDS, first % WORDS);
    let line = (tiles >> (WORDS * row) & 0xFF) >> column;
    let columns = line.trailing_ones() as usize;
    let mut region = Region { row, column, rows: 1, columns };
    let run = (1u64 << columns) - 1;
    while region.row + region.rows < WORDS && tiles >> (WORDS * (region.row + region.rows) + column) & run == run {
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
