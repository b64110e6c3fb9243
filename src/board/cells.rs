//! Sparse storage of cells as bit planes in square tiles: what patterns are read into, what engines load and
//! give back, what is counted, hashed and written to files.
//!
//! ```text
//! tile (tx, ty) holds the cells x = 64 tx … 64 tx + 63, y = 64 ty … 64 ty + 63
//! plane p, row r: one 64-bit word, bit b = bit p of the state of cell (64 tx + b, 64 ty + r)
//!                 (lowest bit leftmost; a 32-bit word of the GPU is one half of it)
//! ```
//!
//! Tiles are kept in reading order (by `ty`, then `tx`), so that walks are repeatable and files can be written
//! row by row. Only tiles with living cells are kept. Knows no rules and no files.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::cell::{DEAD, State};
use crate::coords::{COORDINATE_LIMIT, Coords, Rect, to_index};

/// Cells along the side of a tile.
pub const TILE_SIDE: i64 = 64;
/// Rows of a tile, and words of one plane of it.
const ROWS: usize = 64;
/// Cells in a word of the GPU's bit planes.
pub const ROW_WORD: i64 = 32;

/// Why cells could not be stored.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CellsError {
    /// A cell lies further out than any engine reaches; move the pattern nearer to the origin.
    #[error("cell ({x}, {y}) is out of reach: coordinates go to ±{COORDINATE_LIMIT}")]
    OutOfReach {
        /// Column asked for.
        x: i64,
        /// Row asked for.
        y: i64,
    },
    /// The cells need more memory than was granted; nothing of them was kept by the reader that asked.
    #[error("the cells need more than {limit_bytes} bytes of memory")]
    TooLarge {
        /// The memory that was granted, bytes.
        limit_bytes: u64,
    },
}

/// 64 × 64 cells as bit planes; as many planes as the highest state in it needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tile {
    planes: Vec<[u64; ROWS]>,
}

impl Tile {
    /// The 64 cells of row `row` (0–63) in plane `plane`; 0 for planes that are not stored.
    pub fn row(&self, plane: usize, row: usize) -> u64 {
        self.planes.get(plane).map_or(0, |words| words[row])
    }

    /// How many planes are stored; all higher ones are empty.
    pub fn planes(&self) -> usize {
        self.planes.len()
    }

    /// Cells of row `row` that live.
    fn living(&self, row: usize) -> u64 {
        self.planes.iter().fold(0, |all, words| all | words[row])
    }

    fn is_empty(&self) -> bool {
        (0..ROWS).all(|row| self.living(row) == 0)
    }

    /// Gives the cells of `mask` in row `row` the state `state`.
    fn set_row(&mut self, row: usize, mask: u64, state: State) {
        self.ensure_planes(to_planes(state));
        for (p, words) in self.planes.iter_mut().enumerate() {
            if state >> p & 1 == 1 {
                words[row] |= mask;
            } else {
                words[row] &= !mask;
            }
        }
    }

    /// Grows by just what is needed: a vector left to itself takes room for four planes at once.
    fn ensure_planes(&mut self, needed: usize) {
        if self.planes.len() < needed {
            self.planes.reserve_exact(needed - self.planes.len());
            self.planes.resize(needed, [0; ROWS]);
        }
    }

    fn set_word(&mut self, plane: usize, row: usize, word: u64) {
        if self.planes.len() <= plane {
            if word == 0 {
                return;
            }
            self.ensure_planes(plane + 1);
        }
        self.planes[plane][row] = word;
    }

    fn state(&self, row: usize, bit: u32) -> State {
        self.planes
            .iter()
            .enumerate()
            .fold(DEAD, |state, (p, words)| state | (u8::from(words[row] >> bit & 1 == 1) << p))
    }

    /// Drops planes that became empty.
    fn trim(&mut self) {
        while self.planes.last().is_some_and(|words| words.iter().all(|w| *w == 0)) {
            self.planes.pop();
        }
    }
}

/// Planes that a state needs.
fn to_planes(state: State) -> usize {
    (u8::BITS - state.leading_zeros()) as usize
}

/// Populations by state, and where the living cells are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Cells by state, from state 1 on: `populations[0]` is species 1. Trailing zeros may be there or not.
    pub populations: Vec<u64>,
    /// The smallest rectangle that holds every counted cell; `None` when there is none.
    pub bounding_box: Option<Rect>,
}

impl Tally {
    /// All counted cells.
    pub fn population(&self) -> u64 {
        self.populations.iter().sum()
    }

    /// The populations of states 1 … `states` − 1.
    pub fn by_state(&self, states: u16) -> Vec<u64> {
        let mut populations = self.populations.clone();
        populations.resize(usize::from(states).saturating_sub(1), 0);
        populations
    }
}

/// A sparse set of living cells on an unbounded plane.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// By (ty, tx), so that they are walked in reading order.
    tiles: BTreeMap<(i64, i64), Tile>,
}

impl PartialEq for Cells {
    fn eq(&self, other: &Self) -> bool {
        let mut ours = self.tiles.iter().filter(|(_, tile)| !tile.is_empty());
        let mut theirs = other.tiles.iter().filter(|(_, tile)| !tile.is_empty());
        loop {
            match (ours.next(), theirs.next()) {
                (None, None) => return true,
                (Some((a, one)), Some((b, two))) => {
                    let planes = one.planes().max(two.planes());
                    let same =
                        a == b && (0..planes).all(|p| (0..ROWS).all(|r| one.row(p, r) == two.row(p, r)));
                    if !same {
                        return false;
                    }
                }
                _ => return false,
            }
        }
    }
}

impl Eq for Cells {}

impl Cells {
    /// No cells.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether no cell lives.
    pub fn is_empty(&self) -> bool {
        self.tiles.values().all(Tile::is_empty)
    }

    /// The state stored at `at`, [`DEAD`] where none is.
    pub fn get(&self, at: Coords) -> State {
        let (key, row, bit) = place(at.x, at.y);
        self.tiles.get(&key).map_or(DEAD, |tile| tile.state(row, bit))
    }

    /// Gives the cell at `at` the state `state`.
    pub fn set(&mut self, at: Coords, state: State) -> Result<(), CellsError> {
        self.fill_run(at, 1, state)
    }

    /// Gives the `length` cells from `at` to the right the state `state` ([`DEAD`] clears them).
    ///
    /// Errors when the run reaches past ±[`COORDINATE_LIMIT`]; then nothing is changed.
    pub fn fill_run(&mut self, at: Coords, length: i64, state: State) -> Result<(), CellsError> {
        if length <= 0 {
            return Ok(());
        }
        let last = at.x.checked_add(length - 1).ok_or(CellsError::OutOfReach { x: at.x, y: at.y })?;
        for x in [at.x, last] {
            if x.abs() > COORDINATE_LIMIT || at.y.abs() > COORDINATE_LIMIT {
                return Err(CellsError::OutOfReach { x, y: at.y });
            }
        }
        let (ty, row) = (at.y.div_euclid(TILE_SIDE), to_index(at.y.rem_euclid(TILE_SIDE)));
        let mask = |tx: i64| {
            let from = (at.x - tx * TILE_SIDE).max(0);
            let to = (last - tx * TILE_SIDE).min(TILE_SIDE - 1);
            (u64::MAX >> (TILE_SIDE - 1 - (to - from))) << from
        };
        // One walk over the tiles that are there, since a long run would look up thousands of them.
        let (first, last) = (at.x.div_euclid(TILE_SIDE), last.div_euclid(TILE_SIDE));
        let mut missing = Vec::new();
        let mut next = first;
        for (&(_, tx), tile) in self.tiles.range_mut((ty, first)..=(ty, last)) {
            missing.push(next..tx);
            tile.set_row(row, mask(tx), state);
            next = tx + 1;
        }
        missing.push(next..last + 1);
        if state != DEAD {
            for tx in missing.into_iter().flatten() {
                self.tiles.entry((ty, tx)).or_default().set_row(row, mask(tx), state);
            }
        }
        Ok(())
    }

    /// Bytes that the tiles take, about.
    pub fn bytes(&self) -> u64 {
        let planes: usize = self.tiles.values().map(Tile::planes).sum();
        (planes * ROWS * 8 + self.tiles.len() * 64) as u64
    }

    /// Bytes that a run of `length` cells of one state takes at most when none of its tiles is there yet.
    pub fn bytes_of_run(length: i64, state: State) -> u64 {
        let tiles = length.unsigned_abs() / TILE_SIDE.unsigned_abs() + 2;
        tiles.saturating_mul((to_planes(state) * ROWS * 8 + 64) as u64)
    }

    /// The stored tiles in reading order, each with the coordinates of its top-left cell.
    pub fn tiles(&self) -> impl Iterator<Item = (Coords, &Tile)> {
        self.tiles.iter().map(|(&(ty, tx), tile)| (Coords::new(tx * TILE_SIDE, ty * TILE_SIDE), tile))
    }

    /// The stored tiles that row `y` goes through, from the left, each with the x of its left column.
    pub fn tiles_in_row(&self, y: i64) -> impl Iterator<Item = (i64, &Tile)> {
        self.band(y.div_euclid(TILE_SIDE)).map(|(tx, tile)| (tx * TILE_SIDE, tile))
    }

    /// Copies 64-cell words into row `y` from column `x` on, which must be a multiple of 64: `words` are those of
    /// one plane. Zero words make no tiles.
    ///
    /// # Panics
    /// When `x` is not a multiple of 64.
    pub fn put_words(&mut self, plane: usize, x: i64, y: i64, words: impl IntoIterator<Item = u64>) {
        assert!(x.rem_euclid(TILE_SIDE) == 0, "words are put at tile borders, not at x = {x}");
        let (ty, row) = (y.div_euclid(TILE_SIDE), to_index(y.rem_euclid(TILE_SIDE)));
        for (tx, word) in (x.div_euclid(TILE_SIDE)..).zip(words) {
            if word != 0 {
                self.tiles.entry((ty, tx)).or_default().set_word(plane, row, word);
            } else if let Some(tile) = self.tiles.get_mut(&(ty, tx)) {
                tile.set_word(plane, row, 0);
            }
        }
    }

    /// Every living cell in reading order.
    pub fn iter(&self) -> impl Iterator<Item = (Coords, State)> {
        self.rows()
            .flat_map(|y| self.runs(y).map(move |run| (y, run)))
            .flat_map(|(y, (x, length, state))| (x..x + length).map(move |x| (Coords::new(x, y), state)))
    }

    /// The rows that hold living cells, from the top.
    pub fn rows(&self) -> impl Iterator<Item = i64> {
        let mut last = None;
        let bands =
            self.tiles.keys().filter_map(move |&(ty, _)| (last.replace(ty) != Some(ty)).then_some(ty));
        bands.flat_map(move |ty| {
            let living = self.band(ty).fold([0u64; ROWS], |mut all, (_, tile)| {
                for (row, word) in all.iter_mut().enumerate() {
                    *word |= tile.living(row);
                }
                all
            });
            (0i64..).zip(living).filter(|(_, word)| *word != 0).map(move |(row, _)| ty * TILE_SIDE + row)
        })
    }

    /// The tiles of one row of tiles, from the left, each with its tx.
    fn band(&self, ty: i64) -> impl Iterator<Item = (i64, &Tile)> {
        self.tiles.range((ty, i64::MIN)..=(ty, i64::MAX)).map(|(&(_, tx), tile)| (tx, tile))
    }

    /// The runs of equal living cells of row `y` from the left, as (x, length, state); touching runs differ.
    pub fn runs(&self, y: i64) -> impl Iterator<Item = (i64, i64, State)> {
        let row = to_index(y.rem_euclid(TILE_SIDE));
        let pieces = self.band(y.div_euclid(TILE_SIDE)).flat_map(move |(tx, tile)| {
            let mut bit = 0u32;
            std::iter::from_fn(move || {
                let left = tile.living(row).checked_shr(bit).unwrap_or(0);
                if left == 0 {
                    return None;
                }
                bit += left.trailing_zeros();
                let state = tile.state(row, bit);
                // Cells that have this state, from `bit` on.
                let same = (0..tile.planes()).fold(u64::MAX, |same, p| {
                    let word = tile.row(p, row);
                    same & if state >> p & 1 == 1 { word } else { !word }
                }) >> bit;
                let length = same.trailing_ones().min(64 - bit);
                let run = (tx * TILE_SIDE + i64::from(bit), i64::from(length), state);
                bit += length;
                Some(run)
            })
        });
        // Join the pieces that go on across a tile's border.
        let mut pieces = pieces.peekable();
        std::iter::from_fn(move || {
            let (x, mut length, state) = pieces.next()?;
            while let Some((_, more, _)) = pieces.next_if(|&(next, _, s)| next == x + length && s == state) {
                length += more;
            }
            Some((x, length, state))
        })
    }

    /// The smallest rectangle that holds every living cell.
    pub fn bounding_box(&self) -> Option<Rect> {
        self.tally().bounding_box
    }

    /// Populations by stored state, and the bounding box.
    pub fn tally(&self) -> Tally {
        let mut populations: Vec<u64> = Vec::new();
        let mut bounds = Rect::default();
        for (corner, tile) in self.tiles() {
            for row in 0..ROWS {
                let living = tile.living(row);
                if living == 0 {
                    continue;
                }
                let y = corner.y + i64::try_from(row).expect("a row of a tile is below 64");
                let first = corner.x + i64::from(living.trailing_zeros());
                let last = corner.x + 63 - i64::from(living.leading_zeros());
                bounds = bounds.union(Rect::new(first, y, last - first + 1, 1));
                count_states(tile, row, living, &mut populations);
            }
        }
        Tally { populations, bounding_box: (!bounds.is_empty()).then_some(bounds) }
    }

    /// The cells inside `bounds`.
    #[must_use]
    pub fn clipped(self, bounds: Rect) -> Self {
        if self.bounding_box().is_none_or(|b| bounds.contains_rect(b)) {
            return self;
        }
        let mut tiles = self.tiles;
        for (&(ty, tx), tile) in &mut tiles {
            let whole = Rect::new(tx * TILE_SIDE, ty * TILE_SIDE, TILE_SIDE, TILE_SIDE);
            let keep = whole.intersection(bounds);
            if keep == whole {
                continue;
            }
            let columns = if keep.is_empty() {
                0
            } else {
                (u64::MAX >> (TILE_SIDE - keep.width)) << (keep.x - whole.x)
            };
            for (row, y) in (0..ROWS).zip(whole.y..) {
                let mask = if y >= keep.y && y < keep.bottom() { columns } else { 0 };
                for words in &mut tile.planes {
                    words[row] &= mask;
                }
            }
        }
        tiles.retain(|_, tile| !tile.is_empty());
        tiles.values_mut().for_each(Tile::trim);
        Self { tiles }
    }

    /// The same cells moved by (`dx`, `dy`).
    ///
    /// Errors when a cell would leave ±[`COORDINATE_LIMIT`].
    pub fn translated(&self, dx: i64, dy: i64) -> Result<Self, CellsError> {
        let Some(life) = self.bounding_box() else { return Ok(Self::new()) };
        for (x, y) in [(life.x, life.y), (life.right() - 1, life.bottom() - 1)] {
            let reachable =
                |value: i64, by: i64| value.checked_add(by).is_some_and(|v| v.abs() <= COORDINATE_LIMIT);
            if !reachable(x, dx) || !reachable(y, dy) {
                return Err(CellsError::OutOfReach { x: x.saturating_add(dx), y: y.saturating_add(dy) });
            }
        }
        let (tiles_right, right) = (dx.div_euclid(TILE_SIDE), dx.rem_euclid(TILE_SIDE));
        let (tiles_down, down) = (dy.div_euclid(TILE_SIDE), to_index(dy.rem_euclid(TILE_SIDE)));
        let mut moved = Self::new();
        // Each tile goes into up to four: each word is cut in two columns, the rows in two bands.
        for (&(ty, tx), tile) in &self.tiles {
            for (band, rows) in [(0, 0..ROWS - down), (1, ROWS - down..ROWS)] {
                for column in 0..2 {
                    let part = |word: u64| match (column, right) {
                        (0, _) => word << right,
                        (_, 0) => 0,
                        _ => word >> (TILE_SIDE - right),
                    };
                    if rows.clone().all(|row| part(tile.living(row)) == 0) {
                        continue;
                    }
                    let target =
                        moved.tiles.entry((ty + tiles_down + band, tx + tiles_right + column)).or_default();
                    target.ensure_planes(tile.planes());
                    for (plane, words) in tile.planes.iter().enumerate() {
                        for row in rows.clone() {
                            target.planes[plane][(row + down) % ROWS] |= part(words[row]);
                        }
                    }
                }
            }
        }
        Ok(moved)
    }

    /// Writes the living cells of `other`, moved by (`dx`, `dy`), over these.
    pub fn paste(&mut self, other: &Cells, dx: i64, dy: i64) -> Result<(), CellsError> {
        for y in other.rows() {
            for (x, length, state) in other.runs(y) {
                let (Some(x), Some(y)) = (x.checked_add(dx), y.checked_add(dy)) else {
                    return Err(CellsError::OutOfReach { x, y });
                };
                self.fill_run(Coords::new(x, y), length, state)?;
            }
        }
        Ok(())
    }

    /// A 64-bit hash of the cells: equal for equal cells, whatever stored them.
    ///
    /// It is the sum over all 32-cell words that are not 0 of two 32-bit mixes of (word column, row, plane, word),
    /// so it doesn't depend on the order of the words and can be added up anywhere.
    pub fn hash(&self) -> u64 {
        let mut sum = [0u32; 2];
        for (corner, tile) in self.tiles() {
            for plane in 0..tile.planes() {
                for (row, y) in (0..ROWS).zip(corner.y..) {
                    let word = tile.row(plane, row);
                    for half in 0..2u32 {
                        let bits = low32(word >> (32 * half));
                        if bits != 0 {
                            let column = corner.x / ROW_WORD + i64::from(half);
                            let mixed = mix(low32(column as u64), low32(y as u64), low32(plane as u64), bits);
                            sum[0] = sum[0].wrapping_add(mixed[0]);
                            sum[1] = sum[1].wrapping_add(mixed[1]);
                        }
                    }
                }
            }
        }
        u64::from(sum[1]) << 32 | u64::from(sum[0])
    }
}

/// Adds the cells of one row of a tile to the populations by state.
fn count_states(tile: &Tile, row: usize, living: u64, populations: &mut Vec<u64>) {
    // Split the living cells by one plane after the other: at most 2^planes sets, and mostly far fewer.
    let mut sets = vec![(living, 0usize)];
    for plane in 0..tile.planes() {
        let word = tile.row(plane, row);
        sets = sets
            .into_iter()
            .flat_map(|(set, state)| [(set & !word, state), (set & word, state | 1 << plane)])
            .filter(|(set, _)| *set != 0)
            .collect();
    }
    for (set, state) in sets {
        if populations.len() < state {
            populations.resize(state, 0);
        }
        populations[state - 1] += u64::from(set.count_ones());
    }
}

/// Where the cell (x, y) is stored: (ty, tx), row, bit.
fn place(x: i64, y: i64) -> ((i64, i64), usize, u32) {
    let bit = u32::try_from(x.rem_euclid(TILE_SIDE)).expect("below 64");
    ((y.div_euclid(TILE_SIDE), x.div_euclid(TILE_SIDE)), to_index(y.rem_euclid(TILE_SIDE)), bit)
}

/// The low 32 bits.
fn low32(value: u64) -> u32 {
    u32::try_from(value & 0xFFFF_FFFF).expect("masked to 32 bits")
}

/// Two independent 32-bit mixes of one word of one plane (murmur3's finaliser over a multiply-rotate chain).
fn mix(column: u32, row: u32, plane: u32, bits: u32) -> [u32; 2] {
    [0x9E37_79B9u32, 0x85EB_CA77].map(|seed| {
        let mut h = seed;
        for value in [column, row, plane, bits] {
            h = (h ^ value.wrapping_mul(0xCC9E_2D51))
                .rotate_left(13)
                .wrapping_mul(5)
                .wrapping_add(0xE654_6B64);
            h ^= h >> 16;
            h = h.wrapping_mul(0x85EB_CA6B);
        }
        h ^= h >> 13;
        h = h.wrapping_mul(0xC2B2_AE35);
        h ^ h >> 16
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Cells {
        let mut cells = Cells::new();
        cells.fill_run(Coords::new(-3, -1), 70, 2).expect("in reach");
        cells.fill_run(Coords::new(10, -1), 5, 1).expect("in reach");
        cells.set(Coords::new(200, 129), 255).expect("in reach");
        cells
    }

    #[test]
    fn runs_go_on_across_tiles_and_split_at_other_states() {
        let cells = sample();
        assert_eq!(cells.rows().collect::<Vec<_>>(), [-1, 129], "rows with life");
        assert_eq!(cells.runs(-1).collect::<Vec<_>>(), [(-3, 13, 2), (10, 5, 1), (15, 52, 2)], "runs");
        assert_eq!(cells.get(Coords::new(12, -1)), 1, "overwritten");
        assert_eq!(cells.get(Coords::new(200, 129)), 255, "highest state");
        assert_eq!(cells.iter().count(), 71, "each living cell once");
    }

    #[test]
    fn tally_counts_by_state_and_finds_the_bounds() {
        let tally = sample().tally();
        assert_eq!(tally.by_state(3), [5, 65], "states 1 and 2");
        assert_eq!(tally.populations[254], 1, "state 255");
        assert_eq!(tally.population(), 71, "all");
        assert_eq!(tally.bounding_box, Some(Rect::new(-3, -1, 204, 131)), "bounds");
    }

    #[test]
    fn hash_and_equality_depend_on_cells_only() {
        let a = sample();
        let mut b = sample();
        b.set(Coords::new(1000, 1000), 3).expect("in reach");
        assert_ne!(a, b, "one cell more");
        assert_ne!(a.hash(), b.hash(), "one cell more");
        b.set(Coords::new(1000, 1000), DEAD).expect("in reach");
        assert_eq!(a, b, "erased again");
        assert_eq!(a.hash(), b.hash(), "erased again");
        assert_ne!(a.hash(), a.translated(1, 0).expect("in reach").hash(), "moved");
    }

    #[test]
    fn clipping_and_moving_keep_the_rest() {
        let cells = sample();
        let clipped = cells.clone().clipped(Rect::new(0, -5, 12, 10));
        assert_eq!(clipped.tally().by_state(3), [2, 10], "inside only");
        let back = cells.translated(-1000, 77).and_then(|c| c.translated(1000, -77)).expect("in reach");
        assert_eq!(back, cells, "there and back");
    }

    #[test]
    fn cells_out_of_reach_are_refused() {
        let mut cells = Cells::new();
        for (x, length) in [(COORDINATE_LIMIT, 2), (-COORDINATE_LIMIT - 1, 1), (0, i64::MAX)] {
            assert!(cells.fill_run(Coords::new(x, 0), length, 1).is_err(), "x = {x}, length {length}");
        }
        assert!(cells.is_empty(), "nothing was stored");
    }
}
