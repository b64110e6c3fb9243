//! Two colonies that live by the same condition and change each other's fate by touch: `[R]Symbiosis` and
//! `[R]DeadlyEnemies` of `CAViewer`.

use super::condition::{Condition, occupied};
use super::{Dependence, Ruleset, Site};
use crate::cell::{DEAD, State};
use crate::coin::Coin;
use crate::lattice::Neighbours;

/// What a neighbour of the other colour does to a living cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Touch {
    /// It keeps the cell alive. `Symbiosis`.
    Keeps,
    /// It kills the cell. `DeadlyEnemies`.
    Kills,
}

/// Two colours under one condition, states 1 and 2.
///
/// A living cell with any neighbour of the other colour stays as it is, or dies, as `touch` says; any other lives on by
/// the number of its neighbours. A cell is born only where all living neighbours are of one colour, and takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwoColonies {
    /// Births and survivals.
    pub condition: Condition,
    /// What the other colour does.
    pub touch: Touch,
}

impl Ruleset for TwoColonies {
    fn depends_on(&self) -> Dependence {
        self.condition.seen_by(3)
    }

    fn empty_cell_next(&self, neighbours: &Neighbours, _: Site, _: &mut Coin) -> State {
        let colour = match (neighbours.count(1), neighbours.count(2)) {
            // Where nothing lives around (B0) there is no colour to take but the first.
            (_, 0) => 1,
            (0, _) => 2,
            _ => return DEAD,
        };
        if self.condition.is_born(neighbours, occupied) { colour } else { DEAD }
    }

    fn occupied_cell_next(&self, neighbours: &Neighbours, value: State, _: Site, _: &mut Coin) -> State {
        let survives = if neighbours.count(3 - value) > 0 {
            self.touch == Touch::Keeps
        } else {
            self.condition.survives(neighbours, occupied)
        };
        if survives { value } else { DEAD }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_colour_keeps_or_kills() {
        let next = |touch, neighbours: [State; 8], own| {
            TwoColonies { condition: Condition::CONWAY, touch }.cell_next(
                &Neighbours::new(&neighbours),
                own,
                Site::default(),
                &mut Coin::fixed(0),
            )
        };
        for (touch, kept) in [(Touch::Keeps, 1), (Touch::Kills, 0)] {
            for neighbours in [[2, 0, 0, 0, 0, 0, 0, 0], [1, 2, 1, 0, 0, 0, 0, 0], [2; 8]] {
                assert_eq!(next(touch, neighbours, 1), kept, "{touch:?}: {neighbours:?}");
            }
            for (neighbours, own, then) in [
                ([1, 1, 0, 0, 0, 0, 0, 0], 1, 1),
                ([1, 0, 0, 0, 0, 0, 0, 0], 1, 0),
                ([1, 1, 1, 0, 0, 0, 0, 0], 0, 1),
                ([0, 2, 2, 2, 0, 0, 0, 0], 0, 2),
                ([1, 1, 2, 0, 0, 0, 0, 0], 0, 0),
                ([1, 1, 1, 2, 0, 0, 0, 0], 0, 0),
            ] {
                assert_eq!(next(touch, neighbours, own), then, "{touch:?}: {own} among {neighbours:?}");
            }
        }
    }
}
