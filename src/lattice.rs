//! Neighbourhoods: which cells a cell sees, and what it saw.
//!
//! Knows no boards and no rules.

use crate::cell::{DEAD, State};
use crate::coords::Coords;

/// The most neighbours that any neighbourhood has.
pub const MAX_NEIGHBOURS: usize = 8;

/// Which cells are a cell's neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Neighbourhood {
    /// The eight cells around, on the square lattice.
    #[default]
    Moore,
}

impl Neighbourhood {
    /// The places of the neighbours of the cell at `at`, as (dx, dy), in reading order.
    pub const fn offsets(self, _at: Coords) -> &'static [(i64, i64)] {
        match self {
            Self::Moore => &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)],
        }
    }

    /// How many neighbours a cell has.
    pub const fn size(self) -> usize {
        match self {
            Self::Moore => 8,
        }
    }
}

/// The states of a cell's neighbours, in the order of [`Neighbourhood::offsets`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    states: [State; MAX_NEIGHBOURS],
    length: usize,
}

impl Neighbours {
    /// Neighbours with these states.
    ///
    /// # Panics
    /// When there are more than [`MAX_NEIGHBOURS`].
    pub fn new(states: &[State]) -> Self {
        let mut held = [DEAD; MAX_NEIGHBOURS];
        held[..states.len()].copy_from_slice(states);
        Self { states: held, length: states.len() }
    }

    /// The states in the order of [`Neighbourhood::offsets`].
    pub fn states(&self) -> &[State] {
        &self.states[..self.length]
    }

    /// How many neighbours are in `state`, 0 to [`MAX_NEIGHBOURS`].
    pub fn count(&self, state: State) -> u8 {
        self.count_where(|s| s == state)
    }

    /// How many neighbours live, whatever their species.
    pub fn living(&self) -> u8 {
        self.count_where(|s| s != DEAD)
    }

    fn count_where(&self, wanted: impl Fn(State) -> bool) -> u8 {
        self.states().iter().fold(0, |count, &s| count + u8::from(wanted(s)))
    }
}
