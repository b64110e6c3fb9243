//! Where cells live: coordinates and rectangles, topologies, the [`Grid`] protocol with its two plain grids,
//! sparse bit planes ([`Cells`]), populations ([`Tally`]), random soups.
//!
//! Knows no rules: a [`Grid`] is told by a closure what becomes of a cell.

mod cells;
mod grid;
mod soup;
mod topology;

pub use crate::coords::{COORDINATE_LIMIT, Coords, Rect, to_index};
pub use cells::{Cells, CellsError, ROW_WORD, TILE_ROWS, TILE_SIDE, Tally, Tile};
pub(crate) use cells::{MAX_PLANES, hash_of_both};
pub use grid::{DenseGrid, Grid, NextState, SparseGrid};
pub use soup::{Soup, SoupError};
pub use topology::{Edges, Glue, MAX_SIDE, Topology, TopologyError};

use crate::cell::State;

/// A whole world at rest: what engines load and give back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Every cell that differs from the background, as its state XOR the background's
    /// (so plainly its state where the background is dead, which is everywhere but under B0 rules).
    ///
    /// On a bounded board a cell outside the board is never here.
    pub cells: Cells,
    /// The shape of the world.
    pub topology: Topology,
    /// The state of all cells that are not in `cells` (0 except for B0 rules on the unbounded plane).
    pub background: State,
    /// The generation that `cells` is, counted from 0.
    pub generation: u64,
    /// The seed of the coins that the rule tosses.
    pub seed: u64,
}

impl Board {
    /// An empty world at generation 0.
    pub fn empty(topology: Topology) -> Self {
        Self::with_cells(topology, Cells::new())
    }

    /// A world at generation 0 holding `cells`; on a bounded topology the cells outside are dropped.
    pub fn with_cells(topology: Topology, cells: Cells) -> Self {
        let cells = match topology.bounds() {
            Some(bounds) => cells.clipped(bounds),
            None => cells,
        };
        Self { cells, topology, background: 0, generation: 0, seed: 0 }
    }

    /// The state of the cell at `at`; the background's where nothing is stored.
    pub fn get(&self, at: Coords) -> State {
        self.cells.get(at) ^ self.background
    }

    /// A 64-bit hash of the content: that of the cells, and another one where the background lives. Equal for boards
    /// with the same state in every cell, whatever engine they come from; topology, generation and seed don't matter.
    pub fn hash(&self) -> u64 {
        hash_on(self.background, self.cells.hash())
    }
}

/// The hash of a board with this background, when that of its cells is `cells`.
pub(crate) fn hash_on(background: State, cells: u64) -> u64 {
    // An odd factor, so that each background gives another hash.
    cells ^ u64::from(background).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
