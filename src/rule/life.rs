//! Outer-totalistic rules of one species: birth and survival by the number of living neighbours.

use std::fmt;

use super::{Dependence, Ruleset, Site};
use crate::cell::State;
use crate::coin::Coin;
use crate::lattice::Neighbours;

/// The numbers of living neighbours for which a cell is born and survives: `B3/S23`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BirthSurvival {
    /// Bit n: born with n living neighbours (n from 0 to 8).
    pub births: u16,
    /// Bit n: survives with n living neighbours (n from 0 to 8).
    pub survivals: u16,
}

impl BirthSurvival {
    /// Conway's Life, B3/S23.
    pub const CONWAY: Self = Self { births: 1 << 3, survivals: 1 << 2 | 1 << 3 };

    /// Whether an empty cell with `living` living neighbours is born.
    pub const fn is_born(self, living: u8) -> bool {
        self.births >> living & 1 == 1
    }

    /// Whether a living cell with `living` living neighbours stays alive.
    pub const fn survives(self, living: u8) -> bool {
        self.survivals >> living & 1 == 1
    }
}

impl fmt::Display for BirthSurvival {
    /// `B…/S…`, digits ascending.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = |set: u16| (0..=8).filter(move |n| set >> n & 1 == 1).map(|n| n.to_string());
        write!(
            f,
            "B{}/S{}",
            digits(self.births).collect::<String>(),
            digits(self.survivals).collect::<String>()
        )
    }
}

impl Ruleset for BirthSurvival {
    fn depends_on(&self) -> Dependence {
        Dependence::counting(2)
    }

    fn empty_cell_next(&self, neighbours: &Neighbours, _: Site, _: &mut Coin) -> State {
        State::from(self.is_born(neighbours.living()))
    }

    fn occupied_cell_next(&self, neighbours: &Neighbours, _: State, _: Site, _: &mut Coin) -> State {
        State::from(self.survives(neighbours.living()))
    }
}
