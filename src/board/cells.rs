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
//! row by row. Only tiles with living cells are kept. A tile's planes are shared by all clones of it until one of them
//! changes: a clone of a board of 10⁹ cells takes some megabytes, and only what is changed in it is copied.
//! What is done to many cells is done to whole tiles or whole rows of words. Knows no rules and no files.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use thiserror::Error;

use crate::cell::{DEAD, State};
use crate::coin::low32;
use crate::coords::{COORDINATE_LIMIT, Coords, Rect, to_index};

/// Cells along the side of a tile.
pub const TILE_SIDE: i64 = 64;
/// Rows of a tile, and words of one plane of it.
pub const TILE_ROWS: usize = 64;
/// Planes of the highest state.
pub(crate) const MAX_PLANES: usize = 8;
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
    planes: Arc<[[u64; TILE_ROWS]]>,
}

impl Tile {
    /// A tile of these planes, lowest first: 64 rows each. Empty planes at the end are left out.
    pub fn new(planes: &[[u64; TILE_ROWS]]) -> Self {
        let used = planes.iter().rposition(|words| *words != [0; TILE_ROWS]).map_or(0, |last| last + 1);
        Self { planes: planes[..used].into() }
    }

    /// The 64 cells of row `row` (0–63) in plane `plane`; 0 for planes that are not stored.
    pub fn row(&self, plane: usize, row: usize) -> u64 {
        self.planes.get(plane).map_or(0, |words| words[row])
    }

    /// How many planes are stored; all higher ones are empty.
    pub fn planes(&self) -> usize {
        self.planes.len()
    }

    /// The stored planes, lowest first, as the words of their 64 rows.
    pub fn words(&self) -> &[[u64; TILE_ROWS]] {
        &self.planes
    }

    /// The highest state in the tile.
    pub fn highest_state(&self) -> State {
        let mut highest = DEAD;
        let mut among = [u64::MAX; TILE_ROWS];
        for (plane, words) in self.planes.iter().enumerate().rev() {
            let having = both(&among, words);
            if having != [0; TILE_ROWS] {
                highest |= 1 << plane;
                among = having;
            }
        }
        highest
    }

    /// Bytes that it takes in [`Cells`], about.
    fn bytes(&self) -> u64 {
        bytes_of_tile(self.planes())
    }

    /// Cells of row `row` that live.
    fn living(&self, row: usize) -> u64 {
        self.planes.iter().fold(0, |all, words| all | words[row])
    }

    /// Cells of every row that live.
    pub(crate) fn living_rows(&self) -> [u64; TILE_ROWS] {
        self.planes.iter().fold([0; TILE_ROWS], |mut all, words| {
            for (all, word) in all.iter_mut().zip(words) {
                *all |= word;
            }
            all
        })
    }

    fn is_empty(&self) -> bool {
        self.planes.iter().all(|words| *words == [0; TILE_ROWS])
    }

    /// The living cells' bounds, counted from the tile's corner.
    fn bounds(&self) -> Option<Rect> {
        let living = self.living_rows();
        let columns = living.iter().fold(0, |all, word| all | word);
        let first = living.iter().position(|word| *word != 0)?;
        let last = living.iter().rposition(|word| *word != 0)?;
        let (x, right) = (i64::from(columns.trailing_zeros()), 64 - i64::from(columns.leading_zeros()));
        let row = |row: usize| i64::try_from(row).expect("a row of a tile is below 64");
        Some(Rect::new(x, row(first), right - x, row(last) - row(first) + 1))
    }

    /// The planes, for changing; copied if they are shared.
    fn planes_mut(&mut self) -> &mut [[u64; TILE_ROWS]] {
        Arc::make_mut(&mut self.planes)
    }

    /// Gives the cells of `mask` in row `row` the state `state`.
    fn set_row(&mut self, row: usize, mask: u64, state: State) {
        self.ensure_planes(to_planes(state));
        for (p, words) in self.planes_mut().iter_mut().enumerate() {
            if state >> p & 1 == 1 {
                words[row] |= mask;
            } else {
                words[row] &= !mask;
            }
        }
    }

    /// Adds the cells of `other`, which are dead here; gives how many bytes more that takes.
    pub(crate) fn add(&mut self, other: &Self) -> u64 {
        let before = self.bytes();
        self.ensure_planes(other.planes());
        for (words, others) in self.planes_mut().iter_mut().zip(&*other.planes) {
            for (word, other) in words.iter_mut().zip(others) {
                *word |= other;
            }
        }
        self.bytes() - before
    }

    fn ensure_planes(&mut self, needed: usize) {
        if self.planes.len() < needed {
            let empty = std::iter::repeat([0; TILE_ROWS]);
            self.planes = self.planes.iter().copied().chain(empty).take(needed).collect();
        }
    }

    fn set_word(&mut self, plane: usize, row: usize, word: u64) {
        if self.planes.len() <= plane {
            if word == 0 {
                return;
            }
            self.ensure_planes(plane + 1);
        }
        self.planes_mut()[plane][row] = word;
    }

    fn state(&self, row: usize, bit: u32) -> State {
        self.planes
            .iter()
            .enumerate()
            .fold(DEAD, |state, (p, words)| state | (u8::from(words[row] >> bit & 1 == 1) << p))
    }

    /// Drops planes that became empty.
    fn trim(&mut self) {
        if self.planes.last().is_some_and(|words| *words == [0; TILE_ROWS]) {
            *self = Self::new(&self.planes);
        }
    }
}

/// The cells in both.
fn both(a: &[u64; TILE_ROWS], b: &[u64; TILE_ROWS]) -> [u64; TILE_ROWS] {
    std::array::from_fn(|row| a[row] & b[row])
}

/// Bytes that a tile of so many planes takes, about.
const fn bytes_of_tile(planes: usize) -> u64 {
    // What the memory manager adds to an allocation, the two counts of shares before the words, and the entry in a tree
    // whose nodes are half full at worst.
    const BESIDES: usize = 16 + 16 + 2 * (size_of::<(i64, i64)>() + size_of::<Tile>()) + 32;
    (planes * TILE_ROWS * 8 + BESIDES) as u64
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
                    let is_same = Arc::ptr_eq(&one.planes, &two.planes)
                        || (0..one.planes().max(two.planes()))
                            .all(|p| (0..TILE_ROWS).all(|r| one.row(p, r) == two.row(p, r)));
                    if a != b || !is_same {
                        return false;
                    }
                }
                _ => return false,
            }
        }
    }
}

impl Eq for Cells {}

/// The cells of tiles, each given with the coordinates of its top-left cell; see [`Cells::place_tile`].
impl FromIterator<(Coords, Tile)> for Cells {
    fn from_iter<T: IntoIterator<Item = (Coords, Tile)>>(tiles: T) -> Self {
        let living = tiles.into_iter().filter(|(_, tile)| tile.planes() > 0);
        Self { tiles: living.map(|(corner, tile)| (tile_at(corner), tile)).collect() }
    }
}

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
        if let Some(x) = [at.x, last].into_iter().find(|x| !Coords::new(*x, at.y).is_in_reach()) {
            return Err(CellsError::OutOfReach { x, y: at.y });
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

    /// Bytes that the tiles take, about; as if none of them were shared.
    pub fn bytes(&self) -> u64 {
        self.tiles.values().map(Tile::bytes).sum()
    }

    /// Bytes that a run of `length` cells of one state takes at most when none of its tiles is there yet.
    pub fn bytes_of_run(length: i64, state: State) -> u64 {
        let tiles = length.unsigned_abs() / TILE_SIDE.unsigned_abs() + 2;
        tiles.saturating_mul(bytes_of_tile(to_planes(state)))
    }

    /// Bytes that a tile of so many planes takes, about.
    pub(crate) const fn bytes_of_tile(planes: usize) -> u64 {
        bytes_of_tile(planes)
    }

    /// Takes out the tiles that lie wholly above row `y`.
    pub(crate) fn take_above(&mut self, y: i64) -> Self {
        let rest = self.tiles.split_off(&(y.div_euclid(TILE_SIDE), i64::MIN));
        Self { tiles: std::mem::replace(&mut self.tiles, rest) }
    }

    /// The stored tiles in reading order, each with the coordinates of its top-left cell.
    pub fn tiles(&self) -> impl Iterator<Item = (Coords, &Tile)> {
        self.tiles.iter().map(|(&(ty, tx), tile)| (Coords::new(tx * TILE_SIDE, ty * TILE_SIDE), tile))
    }

    /// The stored tiles that row `y` goes through, from the left, each with the x of its left column.
    pub fn tiles_in_row(&self, y: i64) -> impl Iterator<Item = (i64, &Tile)> {
        self.band(y.div_euclid(TILE_SIDE)).map(|(tx, tile)| (tx * TILE_SIDE, tile))
    }

    /// The stored tile whose top-left cell is `corner`; `None` where nothing is stored.
    ///
    /// # Panics
    /// When the coordinates of `corner` are no multiples of 64.
    pub fn tile(&self, corner: Coords) -> Option<&Tile> {
        self.tiles.get(&tile_at(corner))
    }

    /// Puts a tile of these planes (see [`Tile::words`]) in the place of the one whose top-left cell is `corner`.
    ///
    /// # Panics
    /// When the coordinates of `corner` are no multiples of 64.
    pub fn put_tile(&mut self, corner: Coords, planes: &[[u64; TILE_ROWS]]) {
        self.place_tile(corner, Tile::new(planes));
    }

    /// Puts `tile` in the place of the one whose top-left cell is `corner`; its planes stay shared with other owners.
    ///
    /// # Panics
    /// When the coordinates of `corner` are no multiples of 64.
    pub fn place_tile(&mut self, corner: Coords, tile: Tile) {
        let key = tile_at(corner);
        if tile.planes() > 0 {
            self.tiles.insert(key, tile);
        } else {
            self.tiles.remove(&key);
        }
    }

    /// Adds the cells of `other`, where these are dead; gives how many [bytes](Self::bytes) more that takes.
    pub fn append(&mut self, other: Self) -> u64 {
        other.tiles.into_iter().map(|(key, tile)| self.add(key, tile)).sum()
    }

    /// Adds the cells of `tile`, whose top-left cell is `corner`, where these are dead; gives how many bytes more that
    /// takes.
    ///
    /// # Panics
    /// When the coordinates of `corner` are no multiples of 64.
    pub(crate) fn add_tile(&mut self, corner: Coords, tile: Tile) -> u64 {
        self.add(tile_at(corner), tile)
    }

    fn add(&mut self, key: (i64, i64), tile: Tile) -> u64 {
        match self.tiles.entry(key) {
            Entry::Vacant(place) => place.insert(tile).bytes(),
            Entry::Occupied(mut place) => place.get_mut().add(&tile),
        }
    }

    /// Copies 64-cell words into row `y` from column `x` on, which must be a multiple of 64: `words` are those of
    /// one plane. Zero words make no tiles.
    ///
    /// # Panics
    /// When `x` is not a multiple of 64.
    pub fn put_words(&mut self, plane: usize, x: i64, y: i64, words: impl IntoIterator<Item = u64>) {
        assert!(x.rem_euclid(TILE_SIDE) == 0, "words are put at tile borders, not at x = {x}");
        let (ty, row) = (y.div_euclid(TILE_SIDE), to_index(y.rem_euclid(TILE_SIDE)));
        let first = x.div_euclid(TILE_SIDE);
        let mut there = self.tiles.range_mut((ty, first)..=(ty, i64::MAX)).peekable();
        let mut missing = Vec::new();
        for (tx, word) in (first..).zip(words) {
            if let Some((_, tile)) = there.next_if(|(key, _)| key.1 == tx) {
                tile.set_word(plane, row, word);
            } else if word != 0 {
                missing.push((tx, word));
            }
        }
        for (tx, word) in missing {
            self.tiles.entry((ty, tx)).or_default().set_word(plane, row, word);
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
        self.bands().flat_map(|(top, tiles)| {
            let living = tiles.iter().fold([0u64; TILE_ROWS], |mut all, (_, tile)| {
                for (all, word) in all.iter_mut().zip(tile.living_rows()) {
                    *all |= word;
                }
                all
            });
            (top..).zip(living).filter(|(_, word)| *word != 0).map(|(y, _)| y)
        })
    }

    /// The stored tiles row of tiles by row of tiles: the y of its top row, and its tiles from the left, each with
    /// the x of its left column.
    pub fn bands(&self) -> impl Iterator<Item = (i64, Vec<(i64, &Tile)>)> {
        let mut tiles = self.tiles.iter().peekable();
        std::iter::from_fn(move || {
            let &(&(ty, _), _) = tiles.peek()?;
            let mut band = Vec::new();
            while let Some((&(_, tx), tile)) = tiles.next_if(|(key, _)| key.0 == ty) {
                band.push((tx * TILE_SIDE, tile));
            }
            Some((ty * TILE_SIDE, band))
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
        let mut bounds = Rect::default();
        for (corner, tile) in self.tiles() {
            // Of a dense board only the tiles at its edge are looked into.
            if !bounds.contains_rect(Rect::new(corner.x, corner.y, TILE_SIDE, TILE_SIDE))
                && let Some(living) = tile.bounds()
            {
                bounds = bounds.union(living.translated(corner.x, corner.y));
            }
        }
        (!bounds.is_empty()).then_some(bounds)
    }

    /// Populations by stored state, and the bounding box.
    pub fn tally(&self) -> Tally {
        let mut populations = vec![0; usize::from(State::MAX)];
        for tile in self.tiles.values() {
            count_states(tile.words(), &tile.living_rows(), 0, &mut populations);
        }
        let highest = populations.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1);
        populations.truncate(highest);
        Tally { populations, bounding_box: self.bounding_box() }
    }

    /// The cells inside `bounds`.
    #[must_use]
    pub fn clipped(mut self, bounds: Rect) -> Self {
        self.tiles.retain(|&(ty, tx), tile| {
            let whole = Rect::new(tx * TILE_SIDE, ty * TILE_SIDE, TILE_SIDE, TILE_SIDE);
            let keep = whole.intersection(bounds);
            if keep == whole {
                return true;
            }
            if keep.is_empty() {
                return false;
            }
            if tile.bounds().is_some_and(|living| keep.contains_rect(living.translated(whole.x, whole.y))) {
                return true;
            }
            let columns = (u64::MAX >> (TILE_SIDE - keep.width)) << (keep.x - whole.x);
            let rows: [u64; TILE_ROWS] = std::array::from_fn(|row| {
                let y = whole.y + i64::try_from(row).expect("a row of a tile is below 64");
                if y >= keep.y && y < keep.bottom() { columns } else { 0 }
            });
            for words in tile.planes_mut() {
                *words = both(words, &rows);
            }
            tile.trim();
            tile.planes() > 0
        });
        self
    }

    /// The same cells moved by (`dx`, `dy`).
    ///
    /// Errors when a cell would leave ±[`COORDINATE_LIMIT`].
    pub fn translated(&self, dx: i64, dy: i64) -> Result<Self, CellsError> {
        self.clone().into_translated(dx, dy)
    }

    /// [`Self::translated`], with the tiles given away one by one as they are moved: it takes no memory for a second
    /// copy where nobody else holds them. Moved by whole tiles, they stay as they are.
    pub fn into_translated(self, dx: i64, dy: i64) -> Result<Self, CellsError> {
        self.into_translated_within(dx, dy, u64::MAX)
    }

    /// [`Self::into_translated`] that also errors when the tiles take more than `limit_bytes` afterwards: cells of one
    /// tile may come to lie in four.
    pub fn into_translated_within(self, dx: i64, dy: i64, limit_bytes: u64) -> Result<Self, CellsError> {
        let Some(life) = self.bounding_box() else { return Ok(Self::new()) };
        for (x, y) in [(life.x, life.y), (life.right() - 1, life.bottom() - 1)] {
            // What is saturated is out of reach, too.
            let (x, y) = (x.saturating_add(dx), y.saturating_add(dy));
            if !Coords::new(x, y).is_in_reach() {
                return Err(CellsError::OutOfReach { x, y });
            }
        }
        self.moved_within(dx, dy, limit_bytes)
    }

    /// [`Self::into_translated`] also to where no board reaches, for files that count coordinates otherwise.
    pub(crate) fn into_moved(self, dx: i64, dy: i64) -> Self {
        self.moved_within(dx, dy, u64::MAX).expect("no memory has so many bytes")
    }

    fn moved_within(self, dx: i64, dy: i64, limit_bytes: u64) -> Result<Self, CellsError> {
        let (tiles_right, right) = (dx.div_euclid(TILE_SIDE), dx.rem_euclid(TILE_SIDE));
        let (tiles_down, down) = (dy.div_euclid(TILE_SIDE), to_index(dy.rem_euclid(TILE_SIDE)));
        if (right, down) == (0, 0) {
            let tiles = self.tiles.into_iter();
            let tiles = tiles.map(|((ty, tx), tile)| ((ty + tiles_down, tx + tiles_right), tile)).collect();
            return Ok(Self { tiles });
        }
        let mut moved = Self::new();
        let mut taken = 0;
        // Each tile goes into up to four: each word is cut in two columns, the rows in two bands.
        for ((ty, tx), tile) in self.tiles {
            let living = tile.living_rows();
            for (band, rows) in [(0, 0..TILE_ROWS - down), (1, TILE_ROWS - down..TILE_ROWS)] {
                for column in 0..2 {
                    let part = |word: u64| match (column, right) {
                        (0, _) => word << right,
                        (_, 0) => 0,
                        _ => word >> (TILE_SIDE - right),
                    };
                    if living[rows.clone()].iter().all(|word| part(*word) == 0) {
                        continue;
                    }
                    let target =
                        moved.tiles.entry((ty + tiles_down + band, tx + tiles_right + column)).or_default();
                    let before = if target.planes() == 0 { 0 } else { target.bytes() };
                    target.ensure_planes(tile.planes());
                    taken += target.bytes() - before;
                    for (target, words) in target.planes_mut().iter_mut().zip(tile.words()) {
                        for row in rows.clone() {
                            target[(row + down) % TILE_ROWS] |= part(words[row]);
                        }
                    }
                }
            }
            if taken > limit_bytes {
                return Err(CellsError::TooLarge { limit_bytes });
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

    /// The cells of `bounds` with their state XOR `background`: those that are dead come to life in that state. All
    /// cells must lie in `bounds`.
    ///
    /// Errors when that takes more than `limit_bytes`.
    pub fn against(mut self, background: State, bounds: Rect, limit_bytes: u64) -> Result<Self, CellsError> {
        if background == DEAD || bounds.is_empty() {
            return Ok(self);
        }
        let ((top, left), ..) = place(bounds.x, bounds.y);
        let ((bottom, right), ..) = place(bounds.right() - 1, bounds.bottom() - 1);
        let tiles = (bottom - top + 1).unsigned_abs().saturating_mul((right - left + 1).unsigned_abs());
        if tiles.saturating_mul(bytes_of_tile(to_planes(background))) > limit_bytes {
            return Err(CellsError::TooLarge { limit_bytes });
        }
        // The tiles that hold nothing else are one.
        let mut whole = Tile::default();
        for row in 0..TILE_ROWS {
            whole.set_row(row, u64::MAX, background);
        }
        for key in (top..=bottom).flat_map(|ty| (left..=right).map(move |tx| (ty, tx))) {
            let inside = Self { tiles: BTreeMap::from([(key, whole.clone())]) }.clipped(bounds);
            let mut tile = inside.tiles.into_values().next().unwrap_or_default();
            if let Some(cells) = self.tiles.get(&key) {
                tile.ensure_planes(cells.planes());
                for (words, others) in tile.planes_mut().iter_mut().zip(&*cells.planes) {
                    for (word, other) in words.iter_mut().zip(others) {
                        *word ^= other;
                    }
                }
                tile.trim();
            }
            if tile.is_empty() {
                self.tiles.remove(&key);
            } else {
                self.tiles.insert(key, tile);
            }
        }
        Ok(self)
    }

    /// A 64-bit hash of the cells: equal for equal cells, whatever stored them.
    ///
    /// It is the sum over all 32-cell words that are not 0 of two 32-bit mixes of (word column, row, plane, word),
    /// so it doesn't depend on the order of the words and can be added up anywhere.
    pub fn hash(&self) -> u64 {
        // The parts of the sum are of 32 bits each: see `hash_of_both`.
        let mut sums = [0u32; 2];
        for (corner, tile) in self.tiles() {
            for half in 0..2u32 {
                let column = low32((corner.x / ROW_WORD + i64::from(half)) as u64);
                for (sum, seed) in sums.iter_mut().zip(SEEDS) {
                    let column = absorbed(seed, column);
                    let rows: [u32; TILE_ROWS] =
                        std::array::from_fn(|row| absorbed(column, low32((corner.y + row as i64) as u64)));
                    for (plane, words) in (0..).zip(tile.words()) {
                        // Without a branch, so that the compiler takes several words at a time.
                        for (row, word) in rows.iter().zip(words) {
                            let bits = low32(word >> (32 * half));
                            let mixed = finished(absorbed(absorbed(*row, plane), bits));
                            *sum = sum.wrapping_add(if bits == 0 { 0 } else { mixed });
                        }
                    }
                }
            }
        }
        u64::from(sums[1]) << 32 | u64::from(sums[0])
    }
}

/// The hash of two sets of cells together, which have no cell in common, of the [`Cells::hash`] of each.
pub(crate) const fn hash_of_both(a: u64, b: u64) -> u64 {
    let high = (a >> 32).wrapping_add(b >> 32);
    high << 32 | a.wrapping_add(b) & 0xFFFF_FFFF
}

/// Adds the cells of `among`, which have the state `above` shifted by as many planes as there are in `planes` (and of
/// which none is dead), to the populations by state.
fn count_states(
    planes: &[[u64; TILE_ROWS]],
    among: &[u64; TILE_ROWS],
    above: usize,
    populations: &mut [u64],
) {
    let Some((highest, lower)) = planes.split_last() else {
        if above > 0 {
            populations[above - 1] += among.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        }
        return;
    };
    // Split by one plane after the other: at most 2^planes sets, and mostly far fewer.
    let having = both(among, highest);
    let lacking: [u64; TILE_ROWS] = std::array::from_fn(|row| among[row] & !highest[row]);
    for (bit, set) in [(0, lacking), (1, having)] {
        if set != [0; TILE_ROWS] {
            count_states(lower, &set, above << 1 | bit, populations);
        }
    }
}

/// The key of the tile whose top-left cell is `corner`.
fn tile_at(corner: Coords) -> (i64, i64) {
    let is_corner = corner.x.rem_euclid(TILE_SIDE) == 0 && corner.y.rem_euclid(TILE_SIDE) == 0;
    assert!(is_corner, "tiles lie at multiples of {TILE_SIDE}, not at ({}, {})", corner.x, corner.y);
    (corner.y / TILE_SIDE, corner.x / TILE_SIDE)
}

/// Where the cell (x, y) is stored: (ty, tx), row, bit.
fn place(x: i64, y: i64) -> ((i64, i64), usize, u32) {
    let bit = u32::try_from(x.rem_euclid(TILE_SIDE)).expect("below 64");
    ((y.div_euclid(TILE_SIDE), x.div_euclid(TILE_SIDE)), to_index(y.rem_euclid(TILE_SIDE)), bit)
}

/// Where the two mixes of a hash begin.
const SEEDS: [u32; 2] = [0x9E37_79B9, 0x85EB_CA77];

/// A mix that takes in one more value (the step of murmur3, with its finaliser's first half).
#[inline]
const fn absorbed(mix: u32, value: u32) -> u32 {
    let mix =
        (mix ^ value.wrapping_mul(0xCC9E_2D51)).rotate_left(13).wrapping_mul(5).wrapping_add(0xE654_6B64);
    (mix ^ mix >> 16).wrapping_mul(0x85EB_CA6B)
}

/// A mix that has taken in all its values (the rest of murmur3's finaliser).
#[inline]
const fn finished(mix: u32) -> u32 {
    let mix = (mix ^ mix >> 13).wrapping_mul(0xC2B2_AE35);
    mix ^ mix >> 16
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
    fn places_at_the_ends_of_the_numbers_are_out_of_reach() {
        for end in [i64::MIN, i64::MIN + 1, i64::MAX, COORDINATE_LIMIT + 1, -COORDINATE_LIMIT - 1] {
            for at in [Coords::new(end, 0), Coords::new(0, end), Coords::new(end, end)] {
                Cells::new().set(at, 1).expect_err("a cell");
                Cells::new().fill_run(at, i64::MAX, 1).expect_err("a run");
                sample().translated(at.x, at.y).expect_err("cells that are moved there");
                Cells::new().paste(&sample(), at.x, at.y).expect_err("cells that are put there");
            }
        }
    }

    #[test]
    fn memory_is_counted_with_what_a_tile_takes_besides_its_words() {
        // A million tiles of one cell each took 617 bytes a tile from RLE and 608 from Life 1.06, by the process's size.
        assert!((617..700).contains(&bytes_of_tile(1)), "{}", bytes_of_tile(1));
        assert_eq!(bytes_of_tile(3) - bytes_of_tile(1), 2 * 512, "and the words of each plane");
    }

    #[test]
    fn tiles_that_fall_apart_when_they_are_moved_are_held_to_a_limit() {
        let mut cells = Cells::new();
        for row in 0..64 {
            cells.fill_run(Coords::new(0, row), 64, 1).expect("in reach");
        }
        let four = 4 * cells.bytes();
        let moved = |limit| cells.clone().into_translated_within(5, 7, limit).map(|cells| cells.bytes());
        assert_eq!(moved(four), Ok(four), "four tiles");
        assert_eq!(moved(four - 1), Err(CellsError::TooLarge { limit_bytes: four - 1 }), "one byte too few");
        assert_eq!(
            cells.clone().into_translated_within(64, -64, 1).map(|cells| cells.bytes()),
            Ok(four / 4),
            "whole"
        );
    }

    #[test]
    fn clipping_and_moving_keep_the_rest() {
        let cells = sample();
        let clipped = cells.clone().clipped(Rect::new(0, -5, 12, 10));
        assert_eq!(clipped.tally().by_state(3), [2, 10], "inside only");
        let back = cells.translated(-1000, 77).and_then(|c| c.translated(1000, -77)).expect("in reach");
        assert_eq!(back, cells, "there and back");
    }

    /// The hash word by word, in plain steps.
    fn plain_hash(cells: &Cells) -> u64 {
        let mut sum = [0u32; 2];
        for (corner, tile) in cells.tiles() {
            for (plane, words) in (0u32..).zip(tile.words()) {
                for (y, word) in (corner.y..).zip(words) {
                    for (column, bits) in (corner.x / 32..).zip([low32(*word), low32(word >> 32)]) {
                        for (sum, seed) in sum.iter_mut().zip([0x9E37_79B9u32, 0x85EB_CA77]) {
                            let mut h = seed;
                            for value in [low32(column as u64), low32(y as u64), plane, bits] {
                                h = (h ^ value.wrapping_mul(0xCC9E_2D51)).rotate_left(13);
                                h = h.wrapping_mul(5).wrapping_add(0xE654_6B64);
                                h ^= h >> 16;
                                h = h.wrapping_mul(0x85EB_CA6B);
                            }
                            h ^= h >> 13;
                            h = h.wrapping_mul(0xC2B2_AE35);
                            h ^= h >> 16;
                            *sum = sum.wrapping_add(if bits == 0 { 0 } else { h });
                        }
                    }
                }
            }
        }
        u64::from(sum[1]) << 32 | u64::from(sum[0])
    }

    #[test]
    fn the_hash_is_the_sum_of_the_mixes_of_its_words() {
        let cells = sample().translated(-700, 33).expect("in reach");
        assert_eq!(cells.hash(), plain_hash(&cells), "word by word");
        // So that files and messages that state a hash stay true.
        let mut one = Cells::new();
        one.set(Coords::new(-1, 5), 3).expect("in reach");
        assert_eq!(one.hash(), plain_hash(&one), "one cell");
        assert_eq!(Cells::new().hash(), 0, "no cells");
    }

    #[test]
    fn a_clone_changes_alone() {
        let cells = sample();
        let mut other = cells.clone();
        other.set(Coords::new(0, -1), 7).expect("in reach");
        assert_eq!((cells.get(Coords::new(0, -1)), other.get(Coords::new(0, -1))), (2, 7), "the cell");
        let shared = |corner| {
            let (Some(a), Some(b)) = (cells.tile(corner), other.tile(corner)) else { panic!("no tile") };
            Arc::ptr_eq(&a.planes, &b.planes)
        };
        assert!(shared(Coords::new(192, 128)) && !shared(Coords::new(0, -64)), "only what changed is copied");
    }

    #[test]
    fn tiles_are_given_and_taken_whole() {
        let cells = sample();
        let mut copy = Cells::new();
        for (corner, tile) in cells.tiles() {
            copy.put_tile(corner, &[tile.words(), &[[0; 64]]].concat());
        }
        assert_eq!(copy, cells, "tile by tile");
        assert_eq!(copy.bytes(), cells.bytes(), "empty planes are left out");
        assert_eq!(copy.tile(Coords::new(192, 128)).map(Tile::highest_state), Some(255), "highest state");
        copy.put_tile(Coords::new(192, 128), &[[0; 64]]);
        assert_eq!(copy.tally().population(), 70, "a dead tile takes the old one away");
        let bands: Vec<_> = cells.bands().map(|(y, tiles)| (y, tiles.len())).collect();
        assert_eq!(bands, [(-64, 3), (128, 1)], "rows of tiles");
        let mut sum = copy.clone();
        sum.append(cells.clone().clipped(Rect::new(200, 129, 1, 1)));
        assert_eq!(sum, cells, "put together again");
        let (above, below) = (cells.clone().clipped(Rect::new(-99, -9, 999, 9)), sum.clone());
        let below = below.clipped(Rect::new(-99, 0, 999, 999));
        assert_eq!(hash_of_both(above.hash(), below.hash()), cells.hash(), "the hash of both");
    }

    #[test]
    fn words_of_a_row_are_put_over_what_was_there() {
        let mut cells = sample();
        cells.put_words(0, -64, -1, [5, 0, 0, 1]);
        assert_eq!(cells.get(Coords::new(-64, -1)), 1, "a new cell");
        assert_eq!(cells.get(Coords::new(128, -1)), 1, "in a new tile");
        assert_eq!(
            (cells.get(Coords::new(12, -1)), cells.get(Coords::new(20, -1))),
            (0, 2),
            "one plane only"
        );
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
