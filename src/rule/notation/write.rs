//! The canonical text of every rule that has a notation.

use std::fmt;

use super::hensel::Letters;
use super::map;
use crate::lattice::Neighbourhood;
use crate::rule::colours::{ColouredLife, Tie};
use crate::rule::condition::{Condition, Set};
use crate::rule::contact::{Mixed, Touch, TwoColonies};
use crate::rule::generations::Generations;
use crate::rule::history::History;

/// The digits for 0 to 12 neighbours.
pub(super) const DIGITS: [char; 13] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'x', 'y', 'z'];

impl Condition {
    /// The MAP string of the condition, whether or not it has a shorter form; `None` for neighbourhoods that have no
    /// MAP strings.
    pub fn to_map(&self) -> Option<String> {
        map::write(self)
    }

    /// Births and survivals in digits and letters; `None` when the condition is not isotropic.
    fn digits(&self) -> Option<[String; 2]> {
        let written =
            [&self.births, &self.survivals].map(|set| match (set, Letters::of(self.neighbourhood)) {
                (Set::Counts(counts), _) => {
                    Some((0..DIGITS.len()).filter(|n| counts >> n & 1 == 1).map(|n| DIGITS[n]).collect())
                }
                (Set::Arrangements(_), Some(letters)) => letters.write(set),
                (Set::Arrangements(_), None) => None,
            });
        let [births, survivals] = written;
        Some([births?, survivals?])
    }
}

impl fmt::Display for Condition {
    /// `B…/S…` with the letter of the neighbourhood, or `MAP…` when it is not isotropic.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.digits() {
            Some([births, survivals]) => write!(f, "B{births}/S{survivals}{}", self.neighbourhood.suffix()),
            None => {
                f.write_str(&self.to_map().expect("what is not isotropic is on a neighbourhood with MAP"))
            }
        }
    }
}

impl fmt::Display for Generations {
    /// `S/B/C` with the letter of the neighbourhood, or `MAP…/C`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (condition, states) = (self.condition(), self.states());
        match condition.digits() {
            Some([births, survivals]) => {
                write!(f, "{survivals}/{births}/{states}{}", condition.neighbourhood().suffix())
            }
            None => write!(f, "{condition}/{states}"),
        }
    }
}

impl fmt::Display for ColouredLife {
    /// `Immigration` or `QuadLife` after the condition, which is left out when it is Life's; the tie policy where it
    /// matters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.condition != Condition::CONWAY {
            write!(f, "{}", self.condition)?;
        }
        f.write_str(if self.colours == 2 { "Immigration" } else { "QuadLife" })?;
        if self.tie != Tie::default() && self.can_tie() {
            write!(f, "-{}", self.tie)?;
        }
        Ok(())
    }
}

impl fmt::Display for TwoColonies {
    /// `Symbiosis` or `DeadlyEnemies` after the condition, and `-majority` where parents of both colours have a child.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.touch {
            Touch::Keeps => "Symbiosis",
            Touch::Kills => "DeadlyEnemies",
        };
        let mixed = match self.mixed {
            Mixed::Childless => "",
            Mixed::Majority => "-majority",
        };
        write!(f, "{}{name}{mixed}", self.condition)
    }
}

impl fmt::Display for History {
    /// `History` after the condition.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}History", self.condition)
    }
}

/// The letters that may end a rule, longest first, with their neighbourhoods.
pub(super) fn suffixes() -> Vec<(&'static str, Neighbourhood)> {
    let mut suffixes: Vec<_> = Neighbourhood::ALL
        .into_iter()
        .map(|neighbourhood| (neighbourhood.suffix(), neighbourhood))
        .filter(|(suffix, _)| !suffix.is_empty())
        .collect();
    suffixes.sort_by_key(|(suffix, _)| std::cmp::Reverse(suffix.len()));
    suffixes
}
