//! Where the cells of what is written come from: cells at hand, or the bands of an engine's board, which are read one
//! after the other so that no second copy of the board is made.

use super::PatternError;
use crate::board::Cells;
use crate::coords::{Coords, Rect};

/// Gives the living cells of a board from the top to the bottom.
pub trait Bands {
    /// The smallest rectangle that holds every living cell.
    fn bounding_box(&mut self) -> Result<Option<Rect>, PatternError>;

    /// Gives `take` all living cells, in pieces: no row of cells is in two of them, and they come from the top.
    /// Ends early with the first error of `take`.
    fn each(&mut self, take: &mut dyn FnMut(Cells) -> Result<(), PatternError>) -> Result<(), PatternError>;
}

/// Row of tiles by row of tiles; the tiles are shared, not copied.
impl Bands for &Cells {
    fn bounding_box(&mut self) -> Result<Option<Rect>, PatternError> {
        Ok(Cells::bounding_box(self))
    }

    fn each(&mut self, take: &mut dyn FnMut(Cells) -> Result<(), PatternError>) -> Result<(), PatternError> {
        for (y, tiles) in self.bands() {
            take(tiles.into_iter().map(|(x, tile)| (Coords::new(x, y), tile.clone())).collect())?;
        }
        Ok(())
    }
}
