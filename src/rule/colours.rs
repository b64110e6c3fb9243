//! Life in colours: births and deaths by the number of all living neighbours, colours by inheritance.
//!
//! With two colours it is Don Woods's Immigration (*`LifeLine`* 2, 1971), with four Dean Hickerson's `QuadLife`
//! (*`LifeLine`* 11, 1973), both with B3/S23; here under any condition on any lattice, and then ties can occur.

use std::fmt;

use super::condition::{Condition, occupied};
use super::{Dependence, Ruleset, Site};
use crate::cell::{DEAD, State};
use crate::coin::Coin;
use crate::lattice::Neighbours;

/// What colour a newborn gets when no colour leads among its parents.
///
/// There is no standard; each policy that the field uses is here. In rule strings it follows the rule's name:
/// `B36/S23Immigration-parity`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tie {
    /// A fair coin decides among the leading colours, as in p2life. `-coin`, and the default.
    #[default]
    Coin,
    /// The parity of x + y decides, as in `GollyX`: even gives the lower of two colours, odd the higher one; of four
    /// colours, the number (x + y mod 2) + 2 (y mod 2). `-parity`.
    Parity,
    /// Always this species. `-1` … `-4`.
    Species(State),
    /// Nothing is born. `-none`.
    NoBirth,
}

impl fmt::Display for Tie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Coin => f.write_str("coin"),
            Self::Parity => f.write_str("parity"),
            Self::Species(species) => write!(f, "{species}"),
            Self::NoBirth => f.write_str("none"),
        }
    }
}

/// Immigration (two colours) or `QuadLife` (four), under any condition.
///
/// A survivor keeps its colour. A newborn takes the colour that leads among its parents; when exactly three
/// colours share the lead it takes the fourth one; otherwise `tie` decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColouredLife {
    /// Births and survivals, by all living neighbours whatever their colour.
    pub condition: Condition,
    /// Number of colours, 2 or 4.
    pub colours: State,
    /// Who wins a tie.
    pub tie: Tie,
}

/// The most parents that any neighbourhood gives.
const MOST_PARENTS: u8 = 12;

/// The colours that lead among the parents, lowest first, as a set of bits (bit c − 1: colour c).
fn leaders(counts: [u8; 4], colours: State) -> u8 {
    let counts = &counts[..usize::from(colours)];
    let most = counts.iter().max().copied().unwrap_or(0);
    counts.iter().enumerate().fold(0, |set, (c, &count)| set | u8::from(count == most) << c)
}

impl ColouredLife {
    /// Whether some birth of this rule is a tie that the policy has to decide.
    pub fn can_tie(self) -> bool {
        let born = self.condition.birth_counts();
        (0..=MOST_PARENTS).filter(|parents| born >> parents & 1 == 1).any(|parents| {
            // All ways to share the parents among the colours.
            let rest = if self.colours == 2 { 0 } else { parents };
            (0..=parents).any(|one| {
                (0..=rest.min(parents - one)).any(|three| {
                    (0..=rest.min(parents - one - three)).any(|four| {
                        let counts = [one, parents - one - three - four, three, four];
                        matches!(leaders(counts, self.colours).count_ones(), 2 | 4)
                    })
                })
            })
        })
    }

    /// The colour of a newborn whose parents have these counts by colour.
    fn newborn(self, counts: [u8; 4], site: Site, coin: &mut Coin) -> State {
        let set = leaders(counts, self.colours);
        let nth = |n: u8| {
            (1..=self.colours).filter(|c| set >> (c - 1) & 1 == 1).nth(usize::from(n)).unwrap_or(DEAD)
        };
        match (set.count_ones(), self.tie) {
            (1, _) => nth(0),
            (3, _) => (1..=4).find(|c| set >> (c - 1) & 1 == 0).unwrap_or(DEAD),
            (_, Tie::Species(species)) => species,
            (_, Tie::NoBirth) => DEAD,
            (leading, Tie::Coin) => {
                let low = u8::from(coin.toss());
                let high = if leading == 4 { u8::from(coin.toss()) } else { 0 };
                nth(low + 2 * high)
            }
            (leading, Tie::Parity) => {
                let parity = |value: i64| u8::from(value.rem_euclid(2) == 1);
                let high = if leading == 4 { parity(site.at.y) } else { 0 };
                nth(parity(site.at.x + site.at.y) + 2 * high)
            }
        }
    }
}

impl Ruleset for ColouredLife {
    fn depends_on(&self) -> Dependence {
        let ties = self.can_tie();
        let parity = ties && self.tie == Tie::Parity;
        Dependence {
            parity_x: parity,
            parity_y: parity,
            coins: match (ties && self.tie == Tie::Coin, self.colours) {
                (false, _) => 0,
                (true, 2) => 1,
                (true, _) => 2,
            },
            ..self.condition.seen_by(u16::from(self.colours) + 1)
        }
    }

    fn empty_cell_next(&self, neighbours: &Neighbours, site: Site, coin: &mut Coin) -> State {
        if !self.condition.is_born(neighbours, occupied) {
            return DEAD;
        }
        self.newborn([1, 2, 3, 4].map(|colour| neighbours.count(colour)), site, coin)
    }

    fn occupied_cell_next(&self, neighbours: &Neighbours, value: State, _: Site, _: &mut Coin) -> State {
        if self.condition.survives(neighbours, occupied) { value } else { DEAD }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::Neighbourhood;

    fn quad(tie: Tie) -> ColouredLife {
        ColouredLife { condition: Condition::counting(Neighbourhood::Moore, 0x1FF, 0), colours: 4, tie }
    }

    fn born(rule: ColouredLife, parents: &[State], at: (i64, i64), coins: u32) -> State {
        let site = Site { at: crate::coords::Coords::new(at.0, at.1), generation: 0 };
        rule.empty_cell_next(&Neighbours::new(parents), site, &mut Coin::fixed(coins))
    }

    #[test]
    fn three_different_parents_have_a_child_of_the_fourth_colour() {
        for (parents, child) in
            [([1, 2, 3], 4), ([4, 2, 3], 1), ([1, 1, 3], 1), ([4, 2, 4], 4), ([2, 2, 2], 2)]
        {
            assert_eq!(born(quad(Tie::Coin), &parents, (0, 0), 0), child, "parents {parents:?}");
        }
        assert_eq!(born(quad(Tie::NoBirth), &[1, 2, 3, 1, 2, 3], (0, 0), 0), 4, "two of each of three");
    }

    #[test]
    fn each_policy_decides_ties_as_documented() {
        let two = [1, 3];
        assert_eq!([0, 1].map(|coins| born(quad(Tie::Coin), &two, (0, 0), coins)), [1, 3], "coin");
        let places = [(0, 0), (1, 0), (0, 1), (1, 1), (-1, 0)];
        assert_eq!(places.map(|at| born(quad(Tie::Parity), &two, at, 0)), [1, 3, 3, 1, 3], "parity");
        assert_eq!(born(quad(Tie::Species(2)), &two, (0, 0), 0), 2, "fixed");
        assert_eq!(born(quad(Tie::NoBirth), &two, (0, 0), 0), DEAD, "none");
        let four = [1, 2, 3, 4];
        assert_eq!([0, 1, 2, 3].map(|coins| born(quad(Tie::Coin), &four, (0, 0), coins)), four, "two coins");
        assert_eq!(
            [(0, 0), (1, 0), (1, 1), (0, 1)].map(|at| born(quad(Tie::Parity), &four, at, 0)),
            four,
            "parity of four"
        );
    }

    #[test]
    fn ties_are_known_where_they_can_occur() {
        for (births, two, four) in [
            (1 << 3, false, false),
            (1 << 2, true, true),
            (1 << 5, false, true),
            (1 << 1, false, false),
            (1, true, true),
            (1 << 6, true, true),
        ] {
            let condition = Condition::counting(Neighbourhood::Moore, births, 0);
            let can_tie = |colours| ColouredLife { condition, colours, tie: Tie::Coin }.can_tie();
            assert_eq!((can_tie(2), can_tie(4)), (two, four), "births {births:b}");
        }
        let triangles = |births| {
            let condition = Condition::counting(Neighbourhood::Triangular, births, 0);
            ColouredLife { condition, colours: 2, tie: Tie::Coin }.can_tie()
        };
        assert!(triangles(1 << 10) && triangles(1 << 12), "five against five, six against six");
        assert!(!triangles(1 << 11 | 1 << 9), "odd numbers of parents");
    }
}
