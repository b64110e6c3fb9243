//! `[R]History`: a rule of two states whose cells remember where life has been, as in Golly and LifeViewer.
//!
//! ```text
//! 0 off   1 on   2 was on   3 marked, on   4 marked, off   5 marked at the start, on   6 boundary
//! ```
//!
//! Odd states live. What lives beside a boundary cell dies, which stops gliders and keeps guns apart; births beside one
//! go by the rule. Conway's Life with a memory, `LifeHistory`, is what most patterns of the community with more than
//! two states are written for.

use super::condition::Condition;
use super::{Dependence, Meaning, Ruleset, Site};
use crate::cell::{DEAD, State};
use crate::coin::Coin;
use crate::lattice::Neighbours;

/// Number of states.
const STATES: u16 = 7;
const ON: State = 1;
const WAS_ON: State = 2;
const MARKED_ON: State = 3;
const MARKED_OFF: State = 4;
const BOUNDARY: State = 6;

/// What a neighbour is taken for, by its state: dead, living, or a boundary.
const SEEN_AS: [State; STATES as usize] = [DEAD, ON, DEAD, ON, DEAD, ON, BOUNDARY];

/// What the states are called.
pub(super) const NAMES: [&str; STATES as usize] =
    ["off", "on", "was on", "marked on", "marked off", "start on", "boundary"];

/// A condition whose cells remember. The states are listed at the top of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct History {
    /// Births and survivals, by the number of neighbours in odd states.
    pub condition: Condition,
}

/// Whether a cell in this state lives.
const fn lives(state: State) -> bool {
    state % 2 == 1
}

/// What a living cell leaves behind.
const fn dying(state: State) -> State {
    if state == ON { WAS_ON } else { MARKED_OFF }
}

impl Ruleset for History {
    fn depends_on(&self) -> Dependence {
        Dependence { seen_states: 3, seen_as: Some(&SEEN_AS), ..self.condition.seen_by(STATES) }
    }

    fn empty_cell_next(&self, neighbours: &Neighbours, _: Site, _: &mut Coin) -> State {
        if self.condition.is_born(neighbours, lives) { ON } else { DEAD }
    }

    fn occupied_cell_next(&self, neighbours: &Neighbours, value: State, _: Site, _: &mut Coin) -> State {
        if lives(value) {
            let bounded = neighbours.count(BOUNDARY) > 0;
            return if bounded || !self.condition.survives(neighbours, lives) { dying(value) } else { value };
        }
        match value {
            WAS_ON if self.condition.is_born(neighbours, lives) => ON,
            MARKED_OFF if self.condition.is_born(neighbours, lives) => MARKED_ON,
            _ => value,
        }
    }

    fn meaning(&self) -> Meaning {
        Meaning::History
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(neighbours: [State; 8], own: State) -> State {
        let rule = History { condition: Condition::CONWAY };
        rule.cell_next(&Neighbours::new(&neighbours), own, Site::default(), &mut Coin::fixed(0))
    }

    #[test]
    fn cells_remember_that_they_lived_and_how_they_were_marked() {
        let all = [0, 1, 2, 3, 4, 5, 6];
        // Three that live, whichever of the odd states they are in; even ones don't count.
        let three = [1, 3, 5, 0, 2, 2, 4, 4];
        assert_eq!(all.map(|own| next(three, own)), [1, 1, 1, 3, 3, 5, 6], "born and surviving");
        let one = [5, 0, 0, 0, 2, 2, 4, 4];
        assert_eq!(all.map(|own| next(one, own)), [0, 2, 2, 4, 4, 4, 6], "alone");
    }

    #[test]
    fn a_boundary_kills_beside_it_and_stays() {
        let all = [0, 1, 2, 3, 4, 5, 6];
        let three = [1, 1, 1, 6, 0, 0, 0, 0];
        assert_eq!(all.map(|own| next(three, own)), [1, 2, 1, 4, 3, 4, 6], "beside a boundary");
    }
}
