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

/// What becomes of an empty cell that would be born of parents of both colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mixed {
    /// It stays empty, as in `CAViewer`.
    #[default]
    Childless,
    /// It takes the colour of most parents, and stays empty when there are as many of each: the reading of the rule file
    /// that goes round on the forum. `-majority`.
    Majority,
}

/// Two colours under one condition, states 1 and 2.
///
/// A living cell with any neighbour of the other colour stays as it is, or dies, as `touch` says; any other lives on by
/// the number of its neighbours. A cell that is born takes the colour of its parents; `mixed` says what becomes of it
/// when they have both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwoColonies {
    /// Births and survivals.
    pub condition: Condition,
    /// What the other colour does.
    pub touch: Touch,
    /// What parents of both colours have.
    pub mixed: Mixed,
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
            (one, two) if self.mixed == Mixed::Majority && one != two => State::from(two > one) + 1,
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
            TwoColonies { condition: Condition::CONWAY, touch, mixed: Mixed::Childless }.cell_next(
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

    #[test]
    fn mixed_parents_have_a_child_of_their_majority_where_that_is_wanted() {
        let born = |mixed, neighbours: [State; 8], births| {
            let condition = Condition::counting(crate::lattice::Neighbourhood::Moore, births, 0);
            TwoColonies { condition, touch: Touch::Kills, mixed }.cell_next(
                &Neighbours::new(&neighbours),
                DEAD,
                Site::default(),
                &mut Coin::fixed(0),
            )
        };
        for (neighbours, majority) in
            [([1, 2, 1, 0, 0, 0, 0, 0], 1), ([2, 0, 2, 1, 0, 0, 0, 0], 2), ([1, 2, 0, 0, 0, 0, 0, 0], 0)]
        {
            assert_eq!(born(Mixed::Childless, neighbours, 0x1FF), 0, "{neighbours:?}");
            assert_eq!(born(Mixed::Majority, neighbours, 0x1FF), majority, "{neighbours:?}");
            assert_eq!(born(Mixed::Majority, neighbours, 1 << 7), 0, "no birth of {neighbours:?}");
        }
    }
}
