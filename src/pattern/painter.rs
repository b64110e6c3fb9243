//! Puts the runs of living cells that a reader meets into [`Cells`], within a limit of memory.
//!
//! Runs come in reading order (as in RLE), so the 64 cells of a word are gathered here, the words of a row are put into
//! their tiles in one walk along them, and a tile is stored when the rows that it has are past: a look-up a run, or even
//! a word, would take most of a reader's time.

use crate::board::{Cells, CellsError, MAX_PLANES, TILE_ROWS, TILE_SIDE, Tile};
use crate::cell::{DEAD, State};
use crate::coords::{COORDINATE_LIMIT, Coords, to_index};

/// Cells that are filled between two looks at the memory taken.
const STRIDE: i64 = 65_536;
/// Words of a row that are stored at a time, at the most.
const ROW_WORDS: usize = 1024;
/// Tiles of a band that are kept open: enough for rows of a million cells. Of wider bands, tiles are stored and added to
/// several times.
const BAND_TILES: usize = 1 << 14;

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

/// Gathers runs into words, words into rows, rows into the tiles of a band, and bands into cells.
pub(super) struct Painter {
    cells: Cells,
    /// Where (0, 0) will come to in the world: what is in reach is told by that.
    origin: Coords,
    limit_bytes: u64,
    /// Bytes that `cells` takes, and `band`.
    taken: u64,
    taken_open: u64,
    /// The word that is being gathered: cells `64 * column` … `64 * column + 63` of row `y`, plane by plane.
    column: i64,
    y: i64,
    planes: [u64; MAX_PLANES],
    /// The words of row `y` that were gathered before and hold life, from the left.
    row: Vec<Word>,
    /// The tiles that row `y` goes through, from the left: those with life in the rows above it.
    band: Vec<Open>,
    /// Planes of tiles that were stored, to be used again.
    spare: Vec<Vec<[u64; TILE_ROWS]>>,
}

/// 64 cells of one row, plane by plane.
struct Word {
    /// The cells are those with x = 64 `column` … + 63.
    column: i64,
    planes: [u64; MAX_PLANES],
}

/// A tile that may get more rows.
struct Open {
    /// Its cells are those with x = 64 `column` … + 63.
    column: i64,
    planes: Vec<[u64; TILE_ROWS]>,
}

impl Open {
    /// Adds `word` to row `row`; gives the bytes that this takes in cells, about.
    fn add(&mut self, row: usize, word: &Word) -> u64 {
        let before = Cells::bytes_of_tile(self.planes.len());
        let used = word.planes.iter().rposition(|bits| *bits != 0).map_or(0, |last| last + 1);
        if used > self.planes.len() {
            self.planes.resize(used, [0; TILE_ROWS]);
        }
        for (rows, bits) in self.planes.iter_mut().zip(word.planes) {
            rows[row] |= bits;
        }
        Cells::bytes_of_tile(self.planes.len()) - before
    }
}

impl Painter {
    /// No cells yet, and `limit_bytes` of memory for those to come.
    pub(super) fn new(limit_bytes: u64) -> Self {
        Self {
            cells: Cells::new(),
            origin: Coords::default(),
            limit_bytes,
            taken: 0,
            taken_open: 0,
            column: 0,
            y: 0,
            planes: [0; MAX_PLANES],
            row: Vec::new(),
            band: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// A painter for one of `parts` of the same text, with its share of the memory that is left.
    pub(super) fn share(&self, parts: usize) -> Self {
        let left = self.limit_bytes.saturating_sub(self.taken + self.taken_open);
        Self { origin: self.origin, ..Self::new(left / parts.max(1) as u64) }
    }

    /// Adds all cells of `other`, which come after these in reading order.
    pub(super) fn append(&mut self, other: Self) -> Result<(), CellsError> {
        let (column, y) = (other.column, other.y);
        let cells = other.finish()?;
        self.turn_to(column, y)?;
        self.end_band();
        self.taken += self.cells.append(cells);
        self.check()
    }

    /// Takes `origin` for the place of (0, 0) in the world.
    pub(super) fn place(&mut self, origin: Coords) {
        self.origin = origin;
    }

    /// Whether the world has coordinates for this cell.
    fn reaches(&self, x: i64, y: i64) -> bool {
        let within = |value: i64, by: i64| value.saturating_add(by).abs() <= COORDINATE_LIMIT;
        within(x, self.origin.x) && within(y, self.origin.y)
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

    /// Makes the word that holds (`x`, `y`) the one that is gathered, for [`Self::add`]; it must not come before the
    /// present one. False where no cell is in reach.
    pub(super) fn open(&mut self, x: i64, y: i64) -> Result<bool, CellsError> {
        let reachable = self.reaches(x, y);
        if reachable {
            self.turn_to(x.div_euclid(TILE_SIDE), y)?;
        }
        Ok(reachable)
    }

    /// Adds cells to the word being gathered, plane by plane.
    #[inline]
    pub(super) fn add(&mut self, planes: &[u64]) {
        for (word, bits) in self.planes.iter_mut().zip(planes) {
            *word |= bits;
        }
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

    /// Puts the word gathered into its row and begins another, unless it is the same one.
    fn turn_to(&mut self, column: i64, y: i64) -> Result<(), CellsError> {
        if (column, y) == (self.column, self.y) {
            return Ok(());
        }
        self.end_word();
        if y != self.y || self.row.len() >= ROW_WORDS {
            self.end_row()?;
        }
        if y.div_euclid(TILE_SIDE) != self.y.div_euclid(TILE_SIDE) {
            self.end_band();
        }
        (self.column, self.y) = (column, y);
        Ok(())
    }

    /// Puts the word gathered into its row, if it lives.
    fn end_word(&mut self) {
        if self.planes.iter().fold(0, |all, word| all | word) != 0 {
            self.row.push(Word { column: self.column, planes: std::mem::take(&mut self.planes) });
        }
    }

    /// Puts the words of the row into their tiles.
    fn end_row(&mut self) -> Result<(), CellsError> {
        let Some(first) = self.row.first() else { return Ok(()) };
        let row = to_index(self.y.rem_euclid(TILE_SIDE));
        let mut at = self.band.partition_point(|tile| tile.column < first.column);
        let there = self.band.len();
        for word in self.row.drain(..) {
            at += self.band[at..there].iter().take_while(|tile| tile.column < word.column).count();
            match self.band[..there].get_mut(at) {
                Some(tile) if tile.column == word.column => self.taken_open += tile.add(row, &word),
                _ => {
                    let mut tile = Open { column: word.column, planes: self.spare.pop().unwrap_or_default() };
                    self.taken_open += Cells::bytes_of_tile(0) + tile.add(row, &word);
                    self.band.push(tile);
                }
            }
        }
        self.check()?;
        if at < there && there < self.band.len() {
            // Two sorted pieces: this takes one walk.
            self.band.sort_by_key(|tile| tile.column);
        }
        if self.band.len() > BAND_TILES {
            self.end_band();
        }
        Ok(())
    }

    /// Puts the tiles of the band into cells.
    fn end_band(&mut self) {
        let y = self.y.div_euclid(TILE_SIDE) * TILE_SIDE;
        for Open { column, mut planes } in self.band.drain(..) {
            self.taken += self.cells.add_tile(Coords::new(column * TILE_SIDE, y), Tile::new(&planes));
            planes.clear();
            self.spare.push(planes);
        }
        self.taken_open = 0;
    }

    /// Errors when more memory is taken than was granted.
    fn check(&self) -> Result<(), CellsError> {
        if self.taken + self.taken_open > self.limit_bytes {
            return Err(CellsError::TooLarge { limit_bytes: self.limit_bytes });
        }
        Ok(())
    }

    /// All cells.
    pub(super) fn finish(mut self) -> Result<Cells, CellsError> {
        self.end_word();
        self.end_row()?;
        self.end_band();
        Ok(self.cells)
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
        assert!(painter.cells.bytes() < limit_bytes + 5000, "{} bytes taken", painter.cells.bytes());

        let mut painter = Painter::new(limit_bytes);
        let error = painter.run(0, 0, 2_000_000_000, 1).expect_err("a limit");
        assert_eq!(error, CellsError::TooLarge { limit_bytes }, "one long run");
        assert!(painter.cells.bytes() < 2000, "refused before it was filled");
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
        assert_eq!(painter.cells.tally().population(), 6, "all cells that came");
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
