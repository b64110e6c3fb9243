//! A session's board for saving, band by band: no second copy of it is made, on whichever engine it is.

use super::{Session, SessionError};
use crate::board::{Cells, TILE_SIDE, Tally, hash_of_both, hash_on};
use crate::coords::Rect;
use crate::pattern::{Bands, PatternError};

/// Cells of a band, about: some megabytes of planes.
const BAND_CELLS: i64 = 1 << 25;
/// Cells of a piece that is read within a frame, about.
pub(super) const PIECE_CELLS: i64 = 1 << 22;
/// How many bands there are at the most, about: an engine looks through all its tiles for each.
const MOST_BANDS: i64 = 1 << 12;
/// Boards of fewer living cells are read at once: far apart, they would be in millions of bands of nothing.
const FEW_CELLS: u64 = 1 << 16;

/// The cells of a session's present board.
pub struct SessionBands<'a> {
    session: &'a mut Session,
    /// Cells of a band, about.
    band_cells: i64,
}

impl<'a> SessionBands<'a> {
    pub(super) const fn new(session: &'a mut Session) -> Self {
        Self { session, band_cells: BAND_CELLS }
    }

    /// The rectangles to read one after the other.
    fn bands(&mut self) -> Result<Vec<Rect>, SessionError> {
        let band_cells = self.band_cells;
        Ok(pieces_of(self.session.tally()?, band_cells))
    }
}

/// The rectangles of about so many cells in which all that was counted is, from the top.
pub(super) fn pieces_of(tally: &Tally, cells: i64) -> Vec<Rect> {
    let Some(life) = tally.bounding_box else { return Vec::new() };
    if tally.population() < FEW_CELLS {
        return vec![life];
    }
    // Whole rows of tiles, so that no tile is made twice.
    let rows = (cells / life.width).max(life.height / MOST_BANDS).max(TILE_SIDE) / TILE_SIDE * TILE_SIDE;
    let first = life.y.div_euclid(TILE_SIDE) * TILE_SIDE;
    let tops = (first..life.bottom()).step_by(usize::try_from(rows).unwrap_or(usize::MAX));
    tops.map(|top| Rect::new(life.x, top, life.width, rows).intersection(life)).collect()
}

impl Bands for SessionBands<'_> {
    fn bounding_box(&mut self) -> Result<Option<Rect>, PatternError> {
        Ok(self.session.tally().map_err(failed)?.bounding_box)
    }

    fn each(&mut self, take: &mut dyn FnMut(Cells) -> Result<(), PatternError>) -> Result<(), PatternError> {
        for band in self.bands().map_err(failed)? {
            take(self.session.engine_mut().read(band).map_err(failed)?)?;
        }
        Ok(())
    }
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> PatternError {
    PatternError::Source(Box::new(error))
}

impl Session {
    /// The rectangles that hold all living cells, from the top, each small enough to be read within a frame.
    pub fn pieces(&mut self) -> Result<Vec<Rect>, SessionError> {
        Ok(pieces_of(self.tally()?, PIECE_CELLS))
    }

    /// The [hash](crate::board::Board::hash) of the present board.
    pub fn hash(&mut self) -> Result<u64, SessionError> {
        let mut hash = 0;
        self.bands().each(&mut |cells| {
            hash = hash_of_both(hash, cells.hash());
            Ok(())
        })?;
        Ok(hash_on(self.engine().background(), hash))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{EngineChoice, Source};
    use super::{BAND_CELLS, FEW_CELLS, MOST_BANDS, pieces_of};
    use crate::board::{Board, COORDINATE_LIMIT, Tally};
    use crate::coords::Rect;
    use crate::engine::EngineKind;
    use crate::pattern::{Format, Limits, read, write};

    #[test]
    fn a_board_is_saved_and_hashed_in_bands_as_it_is_at_once() {
        for (width, height, bands) in [(300, 200, 1), (777, 300, 5)] {
            let source = Source::Soup { width, height, densities: vec![0.3, 0.2] };
            let rule = format!("Immigration:T{width},{height}");
            let (mut session, _) =
                source.session(Some(&rule), 5, EngineChoice::Fixed(EngineKind::Cpu)).expect("a session");
            let board = session.engine_mut().snapshot().expect("a board");
            assert_eq!(session.hash().expect("a hash"), board.hash(), "{rule}");
            // As a file gives it back.
            let board = Board { seed: 0, ..board };
            for format in [Format::Rle, Format::Macrocell] {
                let about = session.about().expect("a dead background");
                let mut source = session.bands();
                source.band_cells = 0;
                assert_eq!(source.bands().expect("bands").len(), bands, "{rule}");
                let mut out = Vec::new();
                write(&mut out, format, &about, &mut source, 3).expect("written");
                let read = read(out.as_slice(), &Limits::default()).expect("read");
                assert!(read.to_board(board.topology).expect("placed").board == board, "{format}, {rule}");
            }
        }
    }

    #[test]
    fn there_are_few_bands_however_far_apart_life_is() {
        let side = 2 * COORDINATE_LIMIT + 1;
        let life = Rect::new(-COORDINATE_LIMIT, -COORDINATE_LIMIT, side, side);
        let tally = Tally { populations: vec![FEW_CELLS], bounding_box: Some(life) };
        let bands = pieces_of(&tally, BAND_CELLS);
        let most = usize::try_from(MOST_BANDS).expect("small");
        assert!((most / 2..=most + 2).contains(&bands.len()), "{} bands", bands.len());
        assert!(bands.windows(2).all(|pair| pair[0].bottom() == pair[1].y), "one below the other");
        assert_eq!(bands.iter().fold(bands[0], |all, band| all.union(*band)), life, "nothing is left out");
    }
}
