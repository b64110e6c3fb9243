//! Two-species counting rules as matrices: for an empty cell and for each species, what becomes of it for every count
//! of neighbours of species 1 and 2. What the matrix editor paints, and any such rule can be looked at as one.
//!
//! ```text
//! text    := "PAIR" base64                45 characters, case counts; the alphabet of MAP rules
//! entries := for own state 0, 1, 2: for n1 from 0 to 8: for n2 from 0 to 8 − n1: 2 bits, high bit first
//!            0 dead, 1 species 1, 2 species 2, 3 a coin decides between the species
//! ```

use std::fmt;

use super::{Dependence, Ruleset, Site};
use crate::cell::{DEAD, State};
use crate::coin::Coin;
use crate::lattice::{MAX_NEIGHBOURS, Neighbourhood, Neighbours};

/// What a matrix's text begins with.
pub const PREFIX: &str = "PAIR";
/// Pairs of counts that eight neighbours can have.
const PAIRS: usize = 45;
/// Neighbours of a cell.
const NEIGHBOURS: u8 = 8;
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// What becomes of a cell in one situation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// It is empty.
    #[default]
    Dead,
    /// It is of species 1.
    One,
    /// It is of species 2.
    Two,
    /// A fair coin decides between the species.
    Coin,
}

impl Outcome {
    /// All outcomes, in the order of their numbers in the text.
    pub const ALL: [Self; 4] = [Self::Dead, Self::One, Self::Two, Self::Coin];

    /// The same with the species exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
            other => other,
        }
    }
}

/// One situation of a cell: its own state (0, 1, 2) and its neighbours of species 1 and 2, together at most 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Situation {
    /// The cell's own state.
    pub own: State,
    /// Neighbours of species 1.
    pub ones: u8,
    /// Neighbours of species 2.
    pub twos: u8,
}

impl Situation {
    /// Every situation, in the order of the text.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..3).flat_map(|own| {
            (0..=NEIGHBOURS)
                .flat_map(move |ones| (0..=NEIGHBOURS - ones).map(move |twos| Self { own, ones, twos }))
        })
    }

    /// The situation of a cell in state `own` with these neighbours.
    pub fn of(own: State, neighbours: &Neighbours) -> Self {
        Self { own, ones: neighbours.count(1), twos: neighbours.count(2) }
    }

    /// The same with the species exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        let own = if self.own == DEAD { DEAD } else { 3 - self.own };
        Self { own, ones: self.twos, twos: self.ones }
    }

    fn index(self) -> usize {
        // Rows of 9, 8, … entries lie behind each other.
        let before =
            |ones: u8| usize::from(ones) * 9 - usize::from(ones) * usize::from(ones.saturating_sub(1)) / 2;
        usize::from(self.own) * PAIRS + before(self.ones) + usize::from(self.twos)
    }
}

/// A two-species rule of eight neighbours that sees only counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    outcomes: Vec<Outcome>,
}

impl Matrix {
    /// The matrix of a ruleset; `None` when it is not a two-species rule of counts on the Moore neighbourhood without
    /// parities, or when a coin decides something else than the species.
    pub fn of(ruleset: &dyn Ruleset) -> Option<Self> {
        let depends_on = ruleset.depends_on();
        let plain = Dependence { coins: depends_on.coins, ..Dependence::counting(3) };
        if depends_on != plain || depends_on.coins > 1 {
            return None;
        }
        let outcome = |situation: Situation| {
            let mut states = [DEAD; MAX_NEIGHBOURS];
            states[..usize::from(situation.ones)].fill(1);
            states[usize::from(situation.ones)..usize::from(situation.ones + situation.twos)].fill(2);
            let neighbours = Neighbours::new(&states[..Neighbourhood::Moore.size()]);
            let ask = |coins| {
                ruleset.cell_next(&neighbours, situation.own, Site::default(), &mut Coin::fixed(coins))
            };
            match (ask(0), ask(1)) {
                (0, 0) => Some(Outcome::Dead),
                (1, 1) => Some(Outcome::One),
                (2, 2) => Some(Outcome::Two),
                (1, 2) => Some(Outcome::Coin),
                _ => None,
            }
        };
        Situation::all().map(outcome).collect::<Option<Vec<_>>>().map(|outcomes| Self { outcomes })
    }

    /// What becomes of a cell in this situation.
    pub fn outcome(&self, situation: Situation) -> Outcome {
        self.outcomes[situation.index()]
    }

    /// Sets what becomes of a cell in this situation.
    pub fn set(&mut self, situation: Situation, outcome: Outcome) {
        self.outcomes[situation.index()] = outcome;
    }

    /// Whether exchanging the species everywhere changes nothing.
    pub fn is_symmetric(&self) -> bool {
        Situation::all().all(|s| self.outcome(s.mirrored()) == self.outcome(s).mirrored())
    }

    /// Reads the text behind the prefix. Errors with the offset of the character that is wrong and what is wrong.
    pub fn parse(text: &str) -> Result<Self, (usize, String)> {
        let mut outcomes = Vec::new();
        for (at, character) in text.chars().enumerate() {
            let Some(value) = ALPHABET.iter().position(|&c| char::from(c) == character) else {
                return Err((at, format!("'{character}' is none of A–Z, a–z, 0–9, + and /")));
            };
            if outcomes.len() >= 3 * PAIRS {
                return Err((at, format!("a matrix has {PAIRS} characters")));
            }
            outcomes.extend([4, 2, 0].map(|shift| Outcome::ALL[value >> shift & 3]));
        }
        if outcomes.len() < 3 * PAIRS {
            return Err((
                text.chars().count(),
                format!("a matrix has {PAIRS} characters, not {}", outcomes.len() / 3),
            ));
        }
        Ok(Self { outcomes })
    }
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PREFIX)?;
        for three in self.outcomes.chunks_exact(3) {
            let number = |outcome: Outcome| Outcome::ALL.iter().position(|&o| o == outcome).unwrap_or(0);
            let value = three.iter().fold(0, |value, &outcome| value << 2 | number(outcome));
            write!(f, "{}", char::from(ALPHABET[value]))?;
        }
        Ok(())
    }
}

impl Ruleset for Matrix {
    fn depends_on(&self) -> Dependence {
        Dependence { coins: u32::from(self.outcomes.contains(&Outcome::Coin)), ..Dependence::counting(3) }
    }

    fn empty_cell_next(&self, neighbours: &Neighbours, site: Site, coin: &mut Coin) -> State {
        self.occupied_cell_next(neighbours, DEAD, site, coin)
    }

    fn occupied_cell_next(&self, neighbours: &Neighbours, value: State, _: Site, coin: &mut Coin) -> State {
        match self.outcome(Situation::of(value, neighbours)) {
            Outcome::Dead => DEAD,
            Outcome::One => 1,
            Outcome::Two => 2,
            Outcome::Coin => 1 + State::from(coin.toss()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::parse;
    use crate::rule::table::TransitionTable;

    #[test]
    fn situations_have_places_of_their_own() {
        let places: Vec<usize> = Situation::all().map(Situation::index).collect();
        assert_eq!(places, (0..135).collect::<Vec<_>>(), "in the order of the text");
        assert!(Situation::all().all(|s| s.mirrored().mirrored() == s), "twice mirrored is the same");
    }

    #[test]
    fn known_rules_are_the_same_as_matrices_and_come_back_from_text() {
        for name in ["Immigration", "P2Life", "B36/S23Immigration", "B36/S23Immigration-2"] {
            let rule = parse(name).unwrap_or_else(|e| panic!("{e}"));
            let matrix = Matrix::of(rule.ruleset()).unwrap_or_else(|| panic!("{name} is a matrix"));
            let expected = TransitionTable::enumerate(rule.ruleset()).expect("a table");
            let found = TransitionTable::enumerate(&matrix).expect("a table");
            for case in &expected.cases {
                let same = found
                    .cases
                    .iter()
                    .find(|c| (c.own, c.neighbours, c.coins) == (case.own, case.neighbours, case.coins));
                let next = same.or_else(|| {
                    found.cases.iter().find(|c| (c.own, c.neighbours) == (case.own, case.neighbours))
                });
                assert_eq!(next.map(|c| c.next), Some(case.next), "{name}: {case:?}");
            }
            let text = matrix.to_string();
            assert_eq!(Matrix::parse(&text[PREFIX.len()..]), Ok(matrix.clone()), "{text}");
            assert_eq!(matrix.is_symmetric(), name != "B36/S23Immigration-2", "{name}: symmetry");
        }
        assert!(parse("QuadLife").is_ok_and(|r| Matrix::of(r.ruleset()).is_none()), "four species");
        assert!(
            parse("B36/S23Immigration-parity").is_ok_and(|r| Matrix::of(r.ruleset()).is_none()),
            "parity"
        );
    }

    #[test]
    fn wrong_texts_are_refused_at_the_character() {
        assert_eq!(Matrix::parse("AA-").expect_err("a sign").0, 2, "a sign");
        assert_eq!(Matrix::parse(&"A".repeat(44)).expect_err("short").0, 44, "short");
        assert_eq!(Matrix::parse(&"A".repeat(46)).expect_err("long").0, 45, "long");
    }
}
