//! When a cell is born and when it survives: the [`Condition`] that two-state rules, ageing cells and rules in colours
//! are all built on.
//!
//! ```text
//! B3/S23          counts, on any neighbourhood
//! B2-a/S12        isotropic: counts and how the neighbours stand, on Moore's and on the hexagonal neighbourhood
//! MAP…            any arrangement, on Moore's, the hexagonal and von Neumann's neighbourhood
//! ```
//!
//! Bit i of an arrangement says whether the neighbour at place i of [`Neighbourhood::offsets`] lives. A condition on
//! arrangements that looks only at counts is kept as counts, so that equal conditions are equal values.

use super::{Dependence, Ruleset, Site};
use crate::cell::{DEAD, State};
use crate::coin::Coin;
use crate::lattice::{MAX_NEIGHBOURS, Neighbourhood, Neighbours};

/// The most neighbours of which arrangements are told apart.
const MAX_ARRANGED: usize = 8;

/// A set of neighbourhoods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Set {
    /// Bit n: those with n living neighbours.
    Counts(u16),
    /// Bit a: those whose arrangement is a; the lowest word first.
    Arrangements([u64; 4]),
}

impl Set {
    /// Whether these neighbours, of whom only those live that `lives` says, are in the set.
    fn holds(&self, neighbours: &Neighbours, lives: impl Fn(State) -> bool) -> bool {
        match self {
            Self::Counts(counts) => counts >> neighbours.count_where(lives) & 1 == 1,
            Self::Arrangements(_) => {
                let arrangement = neighbours
                    .states()
                    .iter()
                    .rev()
                    .fold(0u8, |arrangement, &state| arrangement << 1 | u8::from(lives(state)));
                self.holds_arrangement(arrangement)
            }
        }
    }

    /// Whether an arrangement is in the set.
    pub(super) fn holds_arrangement(&self, arrangement: u8) -> bool {
        match self {
            Self::Counts(counts) => counts >> arrangement.count_ones() & 1 == 1,
            Self::Arrangements(words) => words[usize::from(arrangement >> 6)] >> (arrangement & 63) & 1 == 1,
        }
    }

    /// The set of those arrangements of `size` neighbours that `wanted` holds of; counts where they suffice.
    fn of_arrangements(size: usize, wanted: impl Fn(u8) -> bool) -> Self {
        let (mut words, mut counts, mut missing) = ([0; 4], 0u16, 0u16);
        for arrangement in 0..=last_arrangement(size) {
            let count = 1 << arrangement.count_ones();
            if wanted(arrangement) {
                words[usize::from(arrangement >> 6)] |= 1 << (arrangement & 63);
                counts |= count;
            } else {
                missing |= count;
            }
        }
        if counts & missing == 0 { Self::Counts(counts) } else { Self::Arrangements(words) }
    }

    /// The neighbourhoods of `size` cells that are not in the set once dead and living are exchanged.
    fn of_the_opposite(&self, size: usize) -> Self {
        match self {
            Self::Counts(counts) => Self::Counts(
                (0..=size).filter(|n| counts >> (size - n) & 1 == 0).fold(0, |set, n| set | 1 << n),
            ),
            Self::Arrangements(_) => {
                Self::of_arrangements(size, |a| !self.holds_arrangement(last_arrangement(size) & !a))
            }
        }
    }

    /// Bit n: some neighbourhood with n living neighbours is in the set.
    fn counts(&self, size: usize) -> u16 {
        match self {
            Self::Counts(counts) => *counts,
            Self::Arrangements(_) => (0..=last_arrangement(size))
                .filter(|&arrangement| self.holds_arrangement(arrangement))
                .fold(0, |counts, arrangement| counts | 1 << arrangement.count_ones()),
        }
    }
}

/// The highest arrangement of `size` neighbours, at most [`MAX_ARRANGED`].
pub(super) fn last_arrangement(size: usize) -> u8 {
    u8::try_from((1u16 << size) - 1).expect("at most eight neighbours are arranged")
}

/// When a cell is born and when it survives, by what lives around it.
///
/// By itself it is a rule of two states. What counts as living is up to the rule that asks: any species, or only cells
/// that do not age.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Condition {
    pub(super) neighbourhood: Neighbourhood,
    pub(super) births: Set,
    pub(super) survivals: Set,
}

impl Condition {
    /// Conway's Life, B3/S23.
    pub const CONWAY: Self = Self::counting(Neighbourhood::Moore, 1 << 3, 1 << 2 | 1 << 3);

    /// By the number of living neighbours: bit n of `births` and `survivals` is for n of them, n from 0 to the size of
    /// the neighbourhood. Higher bits are dropped.
    pub const fn counting(neighbourhood: Neighbourhood, births: u16, survivals: u16) -> Self {
        let all = (1 << (neighbourhood.size() + 1)) - 1;
        Self { neighbourhood, births: Set::Counts(births & all), survivals: Set::Counts(survivals & all) }
    }

    /// By how the living neighbours stand: `births` and `survivals` are asked for every arrangement, bit i of which
    /// says whether the neighbour at place i of [`Neighbourhood::offsets`] lives.
    ///
    /// `None` when arrangements have no notation there: for all neighbourhoods but Moore's, the hexagonal and von
    /// Neumann's.
    pub fn arranged(
        neighbourhood: Neighbourhood,
        births: impl Fn(u8) -> bool,
        survivals: impl Fn(u8) -> bool,
    ) -> Option<Self> {
        let size = neighbourhood.size();
        let known = matches!(
            neighbourhood,
            Neighbourhood::Moore | Neighbourhood::Hexagonal | Neighbourhood::VonNeumann
        );
        (known && size <= MAX_ARRANGED).then(|| Self {
            neighbourhood,
            births: Set::of_arrangements(size, births),
            survivals: Set::of_arrangements(size, survivals),
        })
    }

    /// Which cells are seen.
    pub const fn neighbourhood(&self) -> Neighbourhood {
        self.neighbourhood
    }

    /// Whether it matters how the neighbours stand, and not only how many live.
    pub const fn arrangement(&self) -> bool {
        matches!(self.births, Set::Arrangements(_)) || matches!(self.survivals, Set::Arrangements(_))
    }

    /// Whether a dead cell with these neighbours is born; a neighbour lives when `lives` says so of its state.
    pub fn is_born(&self, neighbours: &Neighbours, lives: impl Fn(State) -> bool) -> bool {
        self.births.holds(neighbours, lives)
    }

    /// Whether a living cell with these neighbours stays alive; a neighbour lives when `lives` says so of its state.
    pub fn survives(&self, neighbours: &Neighbours, lives: impl Fn(State) -> bool) -> bool {
        self.survivals.holds(neighbours, lives)
    }

    /// Bit n: some cell with n living neighbours is born.
    pub fn birth_counts(&self) -> u16 {
        self.births.counts(self.neighbourhood.size())
    }

    /// Whether a dead cell among dead ones is born (B0), and whether a living cell among living ones stays alive (S with
    /// as many neighbours as there are).
    pub(super) fn of_uniform_space(&self) -> (bool, bool) {
        let all = Neighbours::new(&[1; MAX_NEIGHBOURS][..self.neighbourhood.size()]);
        let none = Neighbours::new(&[DEAD; MAX_NEIGHBOURS][..self.neighbourhood.size()]);
        (self.is_born(&none, occupied), self.survives(&all, occupied))
    }

    /// The condition with dead and living exchanged: what is the opposite of a board goes on as the opposite of what
    /// the board goes on as.
    #[must_use]
    pub fn dual(&self) -> Self {
        let size = self.neighbourhood.size();
        Self {
            neighbourhood: self.neighbourhood,
            births: self.survivals.of_the_opposite(size),
            survivals: self.births.of_the_opposite(size),
        }
    }

    /// A rule of `states` states that sees what this condition sees.
    pub const fn seen_by(&self, states: u16) -> Dependence {
        Dependence {
            neighbourhood: self.neighbourhood,
            arrangement: self.arrangement(),
            ..Dependence::counting(states)
        }
    }
}

/// Whether a cell lives, whatever its species.
pub(super) const fn occupied(state: State) -> bool {
    state != DEAD
}

impl Ruleset for Condition {
    fn depends_on(&self) -> Dependence {
        self.seen_by(2)
    }

    fn empty_cell_next(&self, neighbours: &Neighbours, _: Site, _: &mut Coin) -> State {
        State::from(self.is_born(neighbours, occupied))
    }

    fn occupied_cell_next(&self, neighbours: &Neighbours, _: State, _: Site, _: &mut Coin) -> State {
        State::from(self.survives(neighbours, occupied))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrangements_that_only_count_are_kept_as_counts() {
        for neighbourhood in [Neighbourhood::Moore, Neighbourhood::Hexagonal, Neighbourhood::VonNeumann] {
            let arranged = Condition::arranged(
                neighbourhood,
                |a| a.count_ones() == 3,
                |a| matches!(a.count_ones(), 2 | 3),
            );
            assert_eq!(
                arranged,
                Some(Condition::counting(neighbourhood, 1 << 3, 1 << 2 | 1 << 3)),
                "{neighbourhood:?}"
            );
        }
        let corner = Condition::arranged(Neighbourhood::Moore, |a| a == 1, |_| false).expect("arranged");
        assert!(corner.arrangement(), "one corner only");
        assert_eq!(corner.birth_counts(), 1 << 1, "one neighbour");
        assert_eq!(
            Condition::arranged(Neighbourhood::Triangular, |_| true, |_| true),
            None,
            "twelve neighbours"
        );
    }

    #[test]
    fn a_dual_is_the_rule_of_the_opposite_board() {
        for neighbourhood in Neighbourhood::ALL {
            let size = neighbourhood.size();
            let odd = Condition::counting(neighbourhood, 0x1553, 0x1635);
            let mut conditions = vec![odd];
            conditions.extend(Condition::arranged(neighbourhood, |a| a % 3 == 0, |a| a % 5 != 2));
            for condition in conditions {
                for (case, own) in (0u16..1 << size).flat_map(|case| [(case, 0), (case, 1)]) {
                    let next = |rule: &Condition, flip: State| {
                        let states: Vec<State> =
                            (0..size).map(|place| State::from(case >> place & 1 == 1) ^ flip).collect();
                        rule.cell_next(
                            &Neighbours::new(&states),
                            own ^ flip,
                            Site::default(),
                            &mut Coin::fixed(0),
                        )
                    };
                    let found = next(&condition.dual(), 1) ^ 1;
                    assert_eq!(found, next(&condition, 0), "{neighbourhood:?}, {case:b}, {own}");
                }
                assert_eq!(condition.dual().dual(), condition, "{neighbourhood:?}: twice");
            }
        }
    }

    #[test]
    fn neighbours_stand_in_reading_order() {
        // Born only with the neighbours in the north-east and in the west.
        let rule =
            Condition::arranged(Neighbourhood::Moore, |a| a == 0b0000_1100, |_| false).expect("arranged");
        let next = |states: [State; 8]| {
            rule.cell_next(&Neighbours::new(&states), DEAD, Site::default(), &mut Coin::fixed(0))
        };
        assert_eq!(next([0, 0, 1, 1, 0, 0, 0, 0]), 1, "north-east and west");
        assert_eq!(next([1, 0, 0, 1, 0, 0, 0, 0]), 0, "north-west and west");
    }
}
