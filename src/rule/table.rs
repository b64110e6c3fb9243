//! Every case that a ruleset can meet, with its answer: what circuits are compiled from and checked against.
//!
//! A case is the cell's own state, its neighbours, the declared parities and the coins. Of neighbours whose
//! arrangement doesn't matter only their counts are listed.

use thiserror::Error;

use super::{Dependence, Ruleset, Site};
use crate::cell::{DEAD, State};
use crate::coin::Coin;
use crate::coords::Coords;
use crate::lattice::Neighbours;

/// The most cases that are listed; rules that need more have no circuit.
pub const MAX_CASES: u64 = 1 << 20;

/// Why a ruleset has no table.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TableError {
    /// The ruleset answered with a state that it says does not exist; mend the ruleset.
    #[error("the rule answered with state {answer}, but declares only {states} states")]
    StateOutOfRange {
        /// The answer.
        answer: State,
        /// States declared.
        states: u16,
    },
    /// Too many cases to list.
    #[error("the rule has {cases} cases; at most {MAX_CASES} can be listed")]
    TooManyCases {
        /// How many there are.
        cases: u64,
    },
    /// Coins declared past what engines toss; mend the ruleset.
    #[error("the rule tosses {0} coins a cell; at most {max} are supported", max = crate::coin::MAX_TOSSES)]
    TooManyCoins(u32),
    /// More coins tossed than declared, which engines but the oracle would not toss; mend the ruleset.
    #[error("the rule tossed {tossed} coins for a cell, but declares only {declared}")]
    UndeclaredToss {
        /// Coins tossed.
        tossed: u32,
        /// Coins declared.
        declared: u32,
    },
    /// A number of states that is not 2 to 256, or of seen ones that is more; mend the ruleset.
    #[error("a rule has 2 to 256 states and sees no more of them than it has, not {0}")]
    States(u16),
    /// `seen_as` has not one entry for each state, or as many different ones as `seen_states` says, or takes states
    /// for others that are not seen as themselves, or the dead state for another; mend the ruleset.
    #[error("the rule's list of what neighbours are taken for contradicts itself")]
    SeenAs,
}

/// One case with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The cell's own state.
    pub own: State,
    /// Its neighbours; when only counts matter, one arrangement that has them.
    pub neighbours: Neighbours,
    /// Parity of x (bit 0), of y (bit 1), of the generation (bit 2); 0 where not declared.
    pub parities: u8,
    /// The coins: bit n is the answer of toss n. 0 where none are tossed.
    pub coins: u32,
    /// Whether the ruleset tossed here.
    pub tosses: bool,
    /// The answer: the cell's next state.
    pub next: State,
}

/// All cases of a ruleset.
#[derive(Clone, Debug)]
pub struct TransitionTable {
    /// What the cases vary over.
    pub depends_on: Dependence,
    /// Every case.
    pub cases: Vec<Case>,
}

impl TransitionTable {
    /// Asks `ruleset` for every case.
    pub fn enumerate(ruleset: &dyn Ruleset) -> Result<Self, TableError> {
        let depends_on = ruleset.depends_on();
        check(depends_on)?;
        let wanted = cases_of(depends_on);
        if wanted > MAX_CASES {
            return Err(TableError::TooManyCases { cases: wanted });
        }
        let last = State::try_from(depends_on.states - 1).expect("at most 256 states");
        let declared = [depends_on.parity_x, depends_on.parity_y, depends_on.parity_generation];
        let mut cases = Vec::new();
        for neighbours in neighbourhoods(depends_on) {
            for own in DEAD..=last {
                for parities in 0..8u8 {
                    if declared.iter().enumerate().any(|(bit, &known)| !known && parities >> bit & 1 == 1) {
                        continue;
                    }
                    let site = Site {
                        at: Coords::new(i64::from(parities & 1), i64::from(parities >> 1 & 1)),
                        generation: u64::from(parities >> 2),
                    };
                    for coins in 0..1u32 << depends_on.coins {
                        let mut coin = Coin::fixed(coins);
                        let next = ruleset.cell_next(&neighbours, own, site, &mut coin);
                        if next > last {
                            return Err(TableError::StateOutOfRange {
                                answer: next,
                                states: depends_on.states,
                            });
                        }
                        if coin.tossed() > depends_on.coins {
                            return Err(TableError::UndeclaredToss {
                                tossed: coin.tossed(),
                                declared: depends_on.coins,
                            });
                        }
                        let tosses = coin.tossed() > 0;
                        // Without a toss, one case stands for all coins.
                        if tosses || coins == 0 {
                            cases.push(Case { own, neighbours, parities, coins, tosses, next });
                        }
                    }
                }
            }
        }
        Ok(Self { depends_on, cases })
    }
}

/// What is demanded of every ruleset that is to be compiled.
pub(super) fn check(depends_on: Dependence) -> Result<(), TableError> {
    if !(2..=256).contains(&depends_on.states) || !(2..=depends_on.states).contains(&depends_on.seen_states) {
        return Err(TableError::States(depends_on.states));
    }
    if let Some(seen_as) = depends_on.seen_as {
        let is_seen = |state: State| depends_on.seen(state) == state;
        let is_whole = seen_as.len() == usize::from(depends_on.states)
            && is_seen(DEAD)
            && seen_as.iter().all(|&state| u16::from(state) < depends_on.states && is_seen(state));
        if !is_whole || depends_on.seen_list().len() != usize::from(depends_on.seen_states) {
            return Err(TableError::SeenAs);
        }
    }
    if depends_on.coins > crate::coin::MAX_TOSSES {
        return Err(TableError::TooManyCoins(depends_on.coins));
    }
    Ok(())
}

/// How many cases there are, saturating.
pub(super) fn cases_of(depends_on: Dependence) -> u64 {
    let states = u64::from(depends_on.seen_states);
    let size = u64::try_from(depends_on.neighbourhood.size()).expect("a few neighbours");
    let seen = if depends_on.arrangement {
        states.checked_pow(u32::try_from(size).expect("a few neighbours")).unwrap_or(u64::MAX)
    } else {
        // Ways to share the neighbours among the states: C(size + states − 1, size).
        (1..=size).fold(1u64, |ways, n| ways.saturating_mul(states - 1 + n) / n)
    };
    let parities = [depends_on.parity_x, depends_on.parity_y, depends_on.parity_generation];
    let extras = parities.iter().map(|&p| u32::from(p)).sum::<u32>() + depends_on.coins;
    seen.saturating_mul(u64::from(depends_on.states)).saturating_mul(1 << extras)
}

/// Every neighbourhood that a rule can tell apart, as states in ascending order when arrangement doesn't matter.
fn neighbourhoods(depends_on: Dependence) -> impl Iterator<Item = Neighbours> {
    let seen = depends_on.seen_list();
    // Places in the list.
    let mut wheels = Some(vec![0; depends_on.neighbourhood.size()]);
    std::iter::from_fn(move || {
        let current = wheels.take()?;
        // Count up like an odometer; in the ascending ones, what follows the wheel that moved starts at its value.
        let mut next = current.clone();
        if let Some(wheel) = next.iter().rposition(|&place| place + 1 < seen.len()) {
            next[wheel] += 1;
            let low = if depends_on.arrangement { 0 } else { next[wheel] };
            next[wheel + 1..].fill(low);
            wheels = Some(next);
        }
        let states: Vec<State> = current.into_iter().map(|place| seen[place]).collect();
        Some(Neighbours::new(&states))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{Condition, P2Life};

    #[test]
    fn all_cases_are_listed_once() {
        let life = TransitionTable::enumerate(&Condition::CONWAY).expect("a table");
        assert_eq!(life.cases.len(), 2 * 9, "own state x count");
        let p2life = TransitionTable::enumerate(&P2Life).expect("a table");
        assert_eq!(
            p2life.cases.len(),
            3 * 45 + 1,
            "own state x counts, and one more for the coin of 3 and 3"
        );
        assert_eq!(p2life.cases.iter().filter(|c| c.tosses).count(), 2, "heads and tails");
    }

    struct Wrong(Dependence);

    impl Ruleset for Wrong {
        fn depends_on(&self) -> Dependence {
            self.0
        }
        fn empty_cell_next(&self, _: &Neighbours, _: Site, _: &mut Coin) -> State {
            2
        }
        fn occupied_cell_next(&self, _: &Neighbours, value: State, _: Site, _: &mut Coin) -> State {
            value
        }
    }

    /// Tosses twice.
    struct Tosses(u32);

    impl Ruleset for Tosses {
        fn depends_on(&self) -> Dependence {
            Dependence { coins: self.0, ..Dependence::counting(2) }
        }
        fn empty_cell_next(&self, _: &Neighbours, _: Site, coin: &mut Coin) -> State {
            State::from(coin.toss() && coin.toss())
        }
        fn occupied_cell_next(&self, _: &Neighbours, value: State, _: Site, _: &mut Coin) -> State {
            value
        }
    }

    #[test]
    fn coins_that_are_tossed_and_not_declared_are_refused_by_tables_and_by_diagrams() {
        for (declared, tossed) in [(0, 1), (1, 2)] {
            let expected = TableError::UndeclaredToss { tossed, declared };
            let table = TransitionTable::enumerate(&Tosses(declared)).err();
            assert_eq!(table, Some(expected.clone()), "{declared} declared");
            let walk = crate::rule::walk::Walk::new(&Tosses(declared)).err();
            assert_eq!(walk, Some(expected.into()), "{declared} declared");
        }
        assert!(TransitionTable::enumerate(&Tosses(2)).is_ok(), "both declared");
    }

    #[test]
    fn rulesets_that_contradict_themselves_are_refused() {
        let table = |depends_on| TransitionTable::enumerate(&Wrong(depends_on)).map(|t| t.cases.len());
        let counting = Dependence::counting(2);
        assert_eq!(
            table(counting),
            Err(TableError::StateOutOfRange { answer: 2, states: 2 }),
            "state 2 of 2"
        );
        assert_eq!(
            table(Dependence { coins: 3, ..counting }),
            Err(TableError::TooManyCoins(3)),
            "three coins"
        );
        assert_eq!(table(Dependence::counting(1)), Err(TableError::States(1)), "one state");
        let huge = Dependence { arrangement: true, ..Dependence::counting(256) };
        assert!(matches!(table(huge), Err(TableError::TooManyCases { .. })), "256^9 cases");
        let three = Dependence { arrangement: true, ..Dependence::counting(3) };
        assert_eq!(table(three), Ok(19_683), "3^9 cases");
    }
}
