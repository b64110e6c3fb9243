//! What differs between two boards that should be equal, and between a board and what was counted of it.

use crate::board::{Board, Tally};
use crate::cell::State;
use crate::coords::{Coords, Rect};

/// How many differing cells are kept.
const KEPT: usize = 5;
/// States that a cell can hold.
const MAX_STATES: u16 = 256;

/// A cell in which two boards differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Differing {
    /// Where.
    pub at: Coords,
    /// The oracle's state.
    pub expected: State,
    /// The engine's state.
    pub found: State,
}

/// How two boards differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// The generation that was reached.
    pub generation: u64,
    /// The first cells that differ, in reading order; at most five.
    pub first: Vec<Differing>,
    /// How many cells differ in all.
    pub cells: u64,
    /// What else is wrong: generation, background, what the engine counted of its own board.
    pub others: Vec<String>,
}

/// What differs between the oracle's board and an engine's board with what the engine counted of it; `None` when
/// nothing does.
pub fn compare(expected: &Board, found: &Board, counted: &Tally) -> Option<Difference> {
    let mut difference = Difference { generation: expected.generation, ..Difference::default() };
    let mut other = |text: String| difference.others.push(text);
    if expected.generation != found.generation {
        other(format!(
            "generation {} on the oracle, {} on the engine",
            expected.generation, found.generation
        ));
    }
    if expected.background != found.background {
        other(format!(
            "background {} on the oracle, {} on the engine",
            expected.background, found.background
        ));
    }
    // What was counted is held against the engine's own board: cells that differ are a fault of their own.
    let tally = found.cells.tally();
    if tally.by_state(MAX_STATES) != counted.by_state(MAX_STATES) {
        other(format!("populations: {:?} counted, {:?} there", counted.populations, tally.populations));
    }
    if tally.bounding_box != counted.bounding_box {
        let shown = |bounds: Option<Rect>| {
            bounds.map_or("none".to_owned(), |b| format!("{} × {} at ({}, {})", b.width, b.height, b.x, b.y))
        };
        other(format!("bounds: {} found, {} there", shown(counted.bounding_box), shown(tally.bounding_box)));
    }
    if expected.cells != found.cells || expected.background != found.background {
        // Elsewhere both are background; boards may be far too wide to be gone through.
        let mut places: Vec<(i64, i64)> =
            expected.cells.iter().chain(found.cells.iter()).map(|(at, _)| (at.y, at.x)).collect();
        places.sort_unstable();
        places.dedup();
        for at in places.into_iter().map(|(y, x)| Coords::new(x, y)) {
            let (expected, found) = (expected.get(at), found.get(at));
            if expected != found {
                difference.cells += 1;
                if difference.first.len() < KEPT {
                    difference.first.push(Differing { at, expected, found });
                }
            }
        }
    }
    (difference.cells > 0 || !difference.others.is_empty()).then_some(difference)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cells, Topology};

    fn board() -> Board {
        let mut cells = Cells::new();
        cells.fill_run(Coords::new(-3, 2), 70, 1).expect("in reach");
        Board::with_cells(Topology::Unbounded, cells)
    }

    #[test]
    fn one_flipped_cell_is_seen() {
        let (expected, mut found) = (board(), board());
        assert_eq!(compare(&expected, &found, &found.cells.tally()), None, "equal boards are equal");
        let at = Coords::new(66, 2);
        found.cells.set(at, 2).expect("in reach");
        let difference = compare(&expected, &found, &found.cells.tally()).expect("one cell differs");
        assert_eq!(difference.first, [Differing { at, expected: 1, found: 2 }], "the cell");
        assert_eq!(difference.cells, 1, "all cells");
        assert_eq!(difference.others, Vec::<String>::new(), "nothing else");
    }

    #[test]
    fn a_wrong_count_is_seen_on_equal_boards() {
        let board = board();
        let mut tally = board.cells.tally();
        tally.populations[0] += 1;
        let difference = compare(&board, &board, &tally).expect("the count is wrong");
        assert_eq!((difference.cells, difference.others.len()), (0, 1), "{difference:?}");
    }

    #[test]
    fn a_wrong_background_is_seen() {
        let expected = board();
        let found = Board { background: 1, ..board() };
        let difference = compare(&expected, &found, &found.cells.tally()).expect("backgrounds differ");
        assert!(difference.others[0].starts_with("background"), "{difference:?}");
    }
}
