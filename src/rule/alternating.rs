//! Two rules in turn: one for even generations, one for odd ones. `B3/S23|B36/S23`.

use thiserror::Error;

use super::{Dependence, Meaning, Rule, Ruleset, Site};
use crate::cell::State;
use crate::coin::Coin;
use crate::lattice::Neighbours;

/// Why two rules can't take turns.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum AlternatingError {
    /// Give both the same number of states.
    #[error("rules that alternate have the same number of states, not {0} and {1}")]
    States(u16, u16),
    /// Give both the same neighbourhood.
    #[error("rules that alternate have the same neighbourhood")]
    Neighbourhood,
}

/// Even generations by one rule, odd ones by another.
pub struct Alternating {
    even: Rule,
    odd: Rule,
}

impl Alternating {
    /// `even` and `odd` in turn; of their topologies neither matters.
    pub fn new(even: &Rule, odd: &Rule) -> Result<Self, AlternatingError> {
        let (one, two) = (even.depends_on(), odd.depends_on());
        if one.states != two.states {
            return Err(AlternatingError::States(one.states, two.states));
        }
        if one.neighbourhood != two.neighbourhood {
            return Err(AlternatingError::Neighbourhood);
        }
        Ok(Self { even: even.clone(), odd: odd.clone() })
    }

    fn at(&self, site: Site) -> &dyn Ruleset {
        if site.generation.is_multiple_of(2) { self.even.ruleset() } else { self.odd.ruleset() }
    }
}

impl Ruleset for Alternating {
    fn depends_on(&self) -> Dependence {
        let (one, two) = (self.even.depends_on(), self.odd.depends_on());
        let (seen_states, seen_as) = match (one.seen_as, two.seen_as) {
            (None, None) => (one.seen_states.max(two.seen_states), None),
            (seen_as, other) if seen_as == other => (one.seen_states, seen_as),
            // What one of them takes for another state the other rule may tell apart.
            _ => (one.states, None),
        };
        Dependence {
            states: one.states,
            seen_states,
            seen_as,
            neighbourhood: one.neighbourhood,
            arrangement: one.arrangement || two.arrangement,
            parity_x: one.parity_x || two.parity_x,
            parity_y: one.parity_y || two.parity_y,
            parity_generation: true,
            coins: one.coins.max(two.coins),
        }
    }

    fn empty_cell_next(&self, neighbours: &Neighbours, site: Site, coin: &mut Coin) -> State {
        self.at(site).empty_cell_next(neighbours, site, coin)
    }

    fn meaning(&self) -> Meaning {
        let (even, odd) = (self.even.meaning(), self.odd.meaning());
        if even == odd { even } else { Meaning::Species }
    }

    fn occupied_cell_next(
        &self,
        neighbours: &Neighbours,
        value: State,
        site: Site,
        coin: &mut Coin,
    ) -> State {
        self.at(site).occupied_cell_next(neighbours, value, site, coin)
    }
}
