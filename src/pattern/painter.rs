//! Puts the runs of living cells that a reader meets into [`Cells`], within a limit of memory.
//!
//! Runs come in reading order (as in RLE), so the 64 cells of a word are gathered here, words go into the tiles of the
//! band of rows that they are in, which are found by their column, and a tile is stored when its rows are past: a look-up
//! in a tree for each run, or even each word, would take most of a reader's time.

use std::collections::HashMap;

use crate::board::{Cells, CellsError, MAX_PLANES, TILE_ROWS, TILE_SIDE, Tile};
use crate::cell::{DEAD, State};
use crate::coords::{COORDINATE_LIMIT, Coords, to_index};

/// Cells that are filled between two looks at the memory taken.
const STRIDE: i64 = 65_536;
/// Columns of tiles that are found by counting: enough for rows of two million cells.
const NEAR: usize = 1 << 15;
/// Tiles at most whose memory is kept to be used again.
const SPARE: usize = 1 << 12;

/// Memory granted to cells, and about how much of it is taken.
pub(super) struct Budget {
    limit_bytes: u64,
    /// Never below the bytes taken, except by [`Self::slack`].
    estimate: u64,
}

impl Budget {
    pub(super) fn new(limit_bytes: u64) -> Self {
        Self { limit_bytes, estimate: 0 }
    }

    /// Counting the tiles takes a while, so near the limit it is done once for every so many bytes.
    fn slack(&self) -> u64 {
        (self.limit_bytes / 256).max(4096)
    }

    /// Asks for up to `bytes` more.
    #[inline]
    pub(super) fn take(&mut self, cells: &Cells, bytes: u64) -> Result<(), CellsError> {
        self.estimate = self.estimate.saturating_add(bytes);
        if self.estimate > self.limit_bytes {
            self.check(cells)?;
            let highest = self.limit_bytes.saturating_sub(self.slack());
            self.estimate = cells.bytes().min(highest).saturating_add(bytes);
        }
        Ok(())
    }

    /// Errors when the cells take more than the limit.
    pub(super) fn check(&self, cells: &Cells) -> Result<(), CellsError> {
        if cells.bytes() > self.limit_bytes {
            return Err(CellsError::TooLarge { limit_bytes: self.limit_bytes });
        }
        Ok(())
    }

    /// [`Cells::fill_run`] within this budget.
    pub(super) fn fill_run(
        &mut self,
        cells: &mut Cells,
        at: Coords,
        length: i64,
        state: State,
    ) -> Result<(), CellsError> {
        // The tiles that the run covers whole are there afterwards in any case.
        let least = Cells::bytes_of_run((length - 4 * TILE_SIDE).max(0), state);
        if length > 4 * TILE_SIDE && least > self.limit_bytes {
            return Err(CellsError::TooLarge { limit_bytes: self.limit_bytes });
        }
        let mut done = 0;
        while done < length {
            let piece = (length - done).min(STRIDE);
            self.take(cells, Cells::bytes_of_run(piece, state))?;
            cells.fill_run(at.offset(done, 0), piece, state)?;
            done += piece;
        }
        Ok(())
    }
}

/// Gathers runs into words, words into the tiles of a band, and bands into cells.
pub(super) struct Painter {
    /// Tiles that are done, in reading order.
    tiles: Vec<(Coords, Tile)>,
    /// Those that came after later ones.
    late: Cells,
    /// Where (0, 0) will come to in the world: what is in reach is told by that.
    origin: Coords,
    limit_bytes: u64,
    /// Bytes that `tiles` and `late` take, and `band`.
    taken: u64,
    taken_open: u64,
    /// The word that is being gathered: cells `64 * column` … `64 * column + 63` of row `y`, plane by plane.
    column: i64,
    y: i64,
    planes: [u64; MAX_PLANES],
    /// The row of tiles that row `y` is in them.
    row: usize,
    /// The tiles that row `y` goes through, as they came.
    band: Vec<Open>,
    /// By column from 0 on, the place in `band` of the tile there and one more, 0 where there is none.
    places: Vec<u32>,
    /// The places of the tiles in all other columns.
    far_places: HashMap<i64, usize>,
    /// Planes of tiles that were stored, to be used again.
    spare: Vec<Vec<[u64; TILE_ROWS]>>,
}

/// A tile that may get more rows.
struct Open {
    /// Its cells are those with x = 64 `column` … + 63.
    column: i64,
    planes: Vec<[u64; TILE_ROWS]>,
}

impl Painter {
    /// No cells yet, and `limit_bytes` of memory for those to come.
    pub(super) fn new(limit_bytes: u64) -> Self {
        Self {
            tiles: Vec::new(),
            late: Cells::new(),
            origin: Coords::default(),
            limit_bytes,
            taken: 0,
            taken_open: 0,
            column: 0,
            y: 0,
            planes: [0; MAX_PLANES],
            row: 0,
            band: Vec::new(),
            places: Vec::new(),
            far_places: HashMap::new(),
            spare: Vec::new(),
        }
    }

    /// A painter for one of `parts` of the same text, with its share of the memory that is left.
    pub(super) fn share(&self, parts: usize) -> Self {
        let left = self.limit_bytes.saturating_sub(self.taken + self.taken_open);
        Self { origin: self.origin, ..Self::new(left / parts.max(1) as u64) }
    }

    /// Adds all cells of `other`, which come after these in reading order.
    pub(super) fn append(&mut self, mut other: Self) -> Result<(), CellsError> {
        let (column, y) = (other.column, other.y);
        other.end_word();
        other.end_band();
        self.turn_to(column, y)?;
        self.end_band();
        for (corner, tile) in other.tiles {
            self.store(corner, tile);
        }
        self.taken += self.late.append(other.late);
        self.check()
    }

    /// Takes `origin` for the place of (0, 0) in the world.
    pub(super) fn place(&mut self, origin: Coords) {
        self.origin = origin;
    }

    /// Whether the world has coordinates for this cell.
    fn reaches(&self, x: i64, y: i64) -> bool {
        Coords::new(x.saturating_add(self.origin.x), y.saturating_add(self.origin.y)).is_in_reach()
    }

    /// Gives `length` cells from (`x`, `y`) on the state `state`; they come after all earlier ones in reading order.
    #[inline]
    pub(super) fn run(&mut self, x: i64, y: i64, length: i64, state: State) -> Result<(), CellsError> {
        if state == DEAD || length <= 0 {
            return Ok(());
        }
        let column = x.div_euclid(TILE_SIDE);
        let bit = x.rem_euclid(TILE_SIDE);
        if column != self.column || y != self.y || bit + length > TILE_SIDE {
            return self.long_run(x, y, length, state);
        }
        self.paint((u64::MAX >> (TILE_SIDE - length)) << bit, state);
        Ok(())
    }

    /// Makes row `y` the one whose words [`Self::put`] takes; it must not come before the present one. Gives the last
    /// column that the world has coordinates for, `None` where (0, `y`) is out of reach already. Errors when the cells
    /// have taken more memory than was granted.
    pub(super) fn open(&mut self, y: i64) -> Result<Option<i64>, CellsError> {
        if !self.reaches(0, y) {
            return Ok(None);
        }
        self.turn_to(self.column, y)?;
        Ok(Some(COORDINATE_LIMIT - self.origin.x))
    }

    /// Adds a word of the row that was opened, plane by plane: the cells `64 * column` … + 63.
    #[inline]
    pub(super) fn put<const P: usize>(&mut self, column: i64, planes: &[u64; P]) {
        let place = usize::try_from(column).ok().and_then(|column| self.places.get(column));
        let place = match place {
            Some(&place) if place > 0 => place as usize - 1,
            _ => self.place_of(column),
        };
        let tile = &mut self.band[place].planes;
        if planes[P - 1] != 0 && tile.len() < P || P > 2 {
            let used = planes.iter().rposition(|bits| *bits != 0).map_or(0, |last| last + 1);
            if used > tile.len() {
                self.taken_open += Cells::bytes_of_tile(used) - Cells::bytes_of_tile(tile.len());
                tile.resize(used, [0; TILE_ROWS]);
            }
        }
        for (rows, bits) in tile.iter_mut().zip(planes) {
            rows[self.row] |= bits;
        }
    }

    /// The place in the band of the tile in a column, which is made where there is none.
    #[cold]
    fn place_of(&mut self, column: i64) -> usize {
        if let Some(place) = self.far_places.get(&column) {
            return *place;
        }
        let place = self.band.len();
        let mut planes = self.spare.pop().unwrap_or_default();
        planes.resize(1, [0; TILE_ROWS]);
        self.taken_open += Cells::bytes_of_tile(1);
        self.band.push(Open { column, planes });
        match (usize::try_from(column), u32::try_from(place + 1)) {
            (Ok(near @ ..NEAR), Ok(place)) => {
                if self.places.len() <= near {
                    self.places.resize(near + 1, 0);
                }
                self.places[near] = place;
            }
            _ => {
                self.far_places.insert(column, place);
            }
        }
        place
    }

    /// Gives the cells of `mask` in the word being gathered the state `state`.
    #[inline]
    fn paint(&mut self, mask: u64, state: State) {
        for (plane, word) in self.planes.iter_mut().enumerate() {
            *word |= mask & 0u64.wrapping_sub(u64::from(state >> plane & 1));
        }
    }

    /// A run that leaves the word being gathered.
    fn long_run(&mut self, x: i64, y: i64, length: i64, state: State) -> Result<(), CellsError> {
        let last = x.saturating_add(length - 1);
        if let Some(x) = [x, last].into_iter().find(|&x| !self.reaches(x, y)) {
            let at = (x.saturating_add(self.origin.x), y.saturating_add(self.origin.y));
            return Err(CellsError::OutOfReach { x: at.0, y: at.1 });
        }
        // The tiles that the run covers whole are there afterwards in any case.
        let least = Cells::bytes_of_run((length - 4 * TILE_SIDE).max(0), state);
        if length > 4 * TILE_SIDE && least > self.limit_bytes {
            return Err(CellsError::TooLarge { limit_bytes: self.limit_bytes });
        }
        for column in x.div_euclid(TILE_SIDE)..=last.div_euclid(TILE_SIDE) {
            self.turn_to(column, y)?;
            let from = (x - column * TILE_SIDE).max(0);
            let to = (last - column * TILE_SIDE).min(TILE_SIDE - 1);
            self.paint((u64::MAX >> (TILE_SIDE - 1 - (to - from))) << from, state);
        }
        Ok(())
    }

    /// Puts the word gathered into its tile and begins another, unless it is the same one.
    fn turn_to(&mut self, column: i64, y: i64) -> Result<(), CellsError> {
        if (column, y) == (self.column, self.y) {
            return Ok(());
        }
        self.end_word();
        self.check()?;
        if y.div_euclid(TILE_SIDE) != self.y.div_euclid(TILE_SIDE) {
            self.end_band();
        }
        (self.column, self.y, self.row) = (column, y, to_index(y.rem_euclid(TILE_SIDE)));
        Ok(())
    }

    /// Puts the word gathered into its tile, if it lives.
    fn end_word(&mut self) {
        let planes = std::mem::take(&mut self.planes);
        if planes != [0; MAX_PLANES] {
            self.put(self.column, &planes);
        }
    }

    /// Puts the tiles of the band to those that are done.
    fn end_band(&mut self) {
        let y = self.y.div_euclid(TILE_SIDE) * TILE_SIDE;
        let mut band = std::mem::take(&mut self.band);
        band.sort_by_key(|tile| tile.column);
        for Open { column, mut planes } in band.drain(..) {
            if let Some(place) = usize::try_from(column).ok().and_then(|column| self.places.get_mut(column)) {
                *place = 0;
            }
            self.store(Coords::new(column * TILE_SIDE, y), Tile::new(&planes));
            if self.spare.len() < SPARE {
                planes.clear();
                self.spare.push(planes);
            }
        }
        self.far_places.clear();
        (self.band, self.taken_open) = (band, 0);
    }

    /// Puts a tile to those that are done.
    fn store(&mut self, corner: Coords, tile: Tile) {
        let key = |(corner, _): &(Coords, Tile)| (corner.y, corner.x);
        if self.tiles.last().is_none_or(|last| key(last) < (corner.y, corner.x)) {
            self.taken += Cells::bytes_of_tile(tile.planes());
            self.tiles.push((corner, tile));
            return;
        }
        self.taken += match self.tiles.binary_search_by_key(&(corner.y, corner.x), key) {
            Ok(place) => self.tiles[place].1.add(&tile),
            Err(_) => self.late.add_tile(corner, tile),
        };
    }

    /// Errors when more memory is taken than was granted.
    pub(super) fn check(&self) -> Result<(), CellsError> {
        if self.taken + self.taken_open > self.limit_bytes {
            return Err(CellsError::TooLarge { limit_bytes: self.limit_bytes });
        }
        Ok(())
    }

    /// All cells.
    pub(super) fn finish(mut self) -> Result<Cells, CellsError> {
        self.end_word();
        self.check()?;
        self.end_band();
        let mut cells: Cells = self.tiles.into_iter().collect();
        cells.append(self.late);
        Ok(cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn painted_runs_are_filled_runs(
            rows in prop::collection::vec(
                (1i64..70, prop::collection::vec((0i64..150, 1i64..400, 1u8..=255), 0..12)),
                0..12,
            ),
        ) {
            let mut painter = Painter::new(u64::MAX);
            let mut cells = Cells::new();
            let mut y = -70;
            for (down, runs) in rows {
                y += down;
                let mut x = -300;
                for (gap, length, state) in runs {
                    painter.run(x + gap, y, length, state).expect("in reach");
                    cells.fill_run(Coords::new(x + gap, y), length, state).expect("in reach");
                    x += gap + length;
                }
            }
            prop_assert!(painter.finish().expect("no limit") == cells, "painted and filled differ");
        }
    }

    #[test]
    fn runs_that_meet_in_one_word_both_stay() {
        let mut painter = Painter::new(u64::MAX);
        // Both cross a word's border, and the word between belongs to both.
        painter.run(60, 0, 8, 1).expect("in reach");
        painter.run(70, 0, 60, 1).expect("in reach");
        assert_eq!(painter.finish().expect("no limit").tally().population(), 68, "population");
    }

    #[test]
    fn no_more_memory_is_taken_than_was_granted() {
        let limit_bytes = 100_000;
        let mut painter = Painter::new(limit_bytes);
        let error = (0i64..).find_map(|i| painter.run(0, i * 64, 1, 1).err()).expect("a limit");
        assert_eq!(error, CellsError::TooLarge { limit_bytes }, "scattered cells");
        let taken = painter.finish().map_or(limit_bytes, |cells| cells.bytes());
        assert!(taken < limit_bytes + 5000, "{taken} bytes taken");

        let mut painter = Painter::new(limit_bytes);
        let error = painter.run(0, 0, 2_000_000_000, 1).expect_err("a limit");
        assert_eq!(error, CellsError::TooLarge { limit_bytes }, "one long run");
        assert!(painter.taken + painter.taken_open < 2000, "refused before it was filled");
    }

    #[test]
    fn a_solid_block_near_the_limit_is_not_refused() {
        let mut painter = Painter::new(600 * 1100);
        for y in 0..64 {
            painter.run(0, y, 64_000, 1).expect("1000 tiles fit into the memory of 1100");
        }
        assert_eq!(painter.finish().expect("fits").tally().population(), 64 * 64_000, "population");
    }

    #[test]
    fn parts_share_what_memory_is_left() {
        let tile = Cells::bytes_of_tile(1);
        let mut painter = Painter::new(4 * tile);
        painter.run(0, 0, 1, 1).expect("the first of four tiles");
        for (y, share) in [(1, 2 * tile), (64, 3 * tile / 2), (128, tile), (192, tile / 2)] {
            let mut part = painter.share(2);
            assert_eq!(part.limit_bytes, share, "for row {y}");
            part.limit_bytes = tile;
            part.run(0, y, 1, 1).expect("within this word");
            painter.append(part).expect("four tiles");
        }
        assert_eq!(painter.taken, 4 * tile, "the second row is in the first tile");
        let mut part = Painter::new(tile);
        part.run(0, 256, 1, 1).expect("within this word");
        painter.append(part).expect_err("a fifth tile");
        painter.limit_bytes = u64::MAX;
        assert_eq!(painter.finish().expect("no limit").tally().population(), 6, "all cells that came");
    }

    #[test]
    fn runs_out_of_reach_are_refused() {
        let mut painter = Painter::new(u64::MAX);
        let error = painter.run(COORDINATE_LIMIT, 7, 2, 1).expect_err("beyond");
        assert_eq!(error, CellsError::OutOfReach { x: COORDINATE_LIMIT + 1, y: 7 }, "columns");
        painter.run(0, COORDINATE_LIMIT + 1, 1, 1).expect_err("rows");
        painter.run(COORDINATE_LIMIT, COORDINATE_LIMIT, 1, 1).expect("the last cell");
    }
}
