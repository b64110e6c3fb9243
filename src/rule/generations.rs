//! Ageing cells, the field's "Generations": a cell that does not survive grows old before it dies.
//!
//! Brian Silverman's Brian's Brain, `/2/3`, is the simplest.

use super::condition::Condition;
use super::{Dependence, Meaning, Ruleset, Site};
use crate::cell::{DEAD, State};
use crate::coin::Coin;
use crate::lattice::Neighbours;

/// The living state; higher ones are ages.
const LIVING: State = 1;

/// A condition with ageing cells.
///
/// Only cells in state 1 count as living neighbours. A living cell that does not survive goes to state 2, and an
/// ageing one always to the next state, until it is dead after the last; only dead cells are born.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generations {
    condition: Condition,
    last: State,
}

impl Generations {
    /// Cells of `states` states, 3 to 256; `None` for other numbers: with two states it is the condition itself.
    pub fn new(condition: Condition, states: u16) -> Option<Self> {
        let last = State::try_from(states.checked_sub(1)?).ok()?;
        (last > LIVING).then_some(Self { condition, last })
    }

    /// Births and survivals.
    pub const fn condition(&self) -> Condition {
        self.condition
    }

    /// Number of states, the dead one among them: 3 to 256.
    pub const fn states(&self) -> u16 {
        self.last as u16 + 1
    }
}

impl Ruleset for Generations {
    fn depends_on(&self) -> Dependence {
        // Ageing neighbours are as good as dead.
        Dependence { seen_states: 2, ..self.condition.seen_by(self.states()) }
    }

    fn empty_cell_next(&self, neighbours: &Neighbours, _: Site, _: &mut Coin) -> State {
        if self.condition.is_born(neighbours, |state| state == LIVING) { LIVING } else { DEAD }
    }

    fn occupied_cell_next(&self, neighbours: &Neighbours, value: State, _: Site, _: &mut Coin) -> State {
        if value == LIVING && self.condition.survives(neighbours, |state| state == LIVING) {
            LIVING
        } else if value < self.last {
            value + 1
        } else {
            DEAD
        }
    }

    fn meaning(&self) -> Meaning {
        Meaning::Ages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_age_until_they_are_dead() {
        let rule = Generations::new(Condition::CONWAY, 4).expect("four states");
        let next = |neighbours: &[State; 8], own| {
            rule.cell_next(&Neighbours::new(neighbours), own, Site::default(), &mut Coin::fixed(0))
        };
        let three = [1, 1, 1, 0, 0, 0, 0, 0];
        assert_eq!([0, 1, 2, 3].map(|own| next(&three, own)), [1, 1, 3, 0], "three living neighbours");
        let old = [1, 2, 2, 3, 3, 0, 0, 0];
        assert_eq!(
            [0, 1, 2, 3].map(|own| next(&old, own)),
            [0, 2, 3, 0],
            "one living, four ageing neighbours"
        );
    }

    #[test]
    fn three_to_256_states_are_possible() {
        let states = |n| Generations::new(Condition::CONWAY, n).map(|rule| rule.states());
        assert_eq!([0, 1, 2, 257].map(states), [None; 4], "too few, too many");
        assert_eq!([3, 256].map(states), [Some(3), Some(256)], "the first and the last");
    }
}
