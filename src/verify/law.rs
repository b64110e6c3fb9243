//! Random laws, as trees that can be made simpler while they still fail.
//!
//! What is drawn reads as a law ([`crate::rule::law`]) whatever the numbers are: ties are settled by what the number of
//! species allows, and no law has more cases than can be asked in a fraction of a second.

use std::fmt;

use super::random::Random;
use crate::lattice::Neighbourhood;
use crate::rule::{ParseError, Rule, parse};

/// How deep conditions nest.
const DEPTH: u32 = 3;

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Condition {
    /// `own == 3`: two numbers and what is between them.
    Compare(Number, &'static str, Number),
    /// `own in 2..=3`.
    Within(Number, u64, u64),
    /// `total in [2, 3, 6]`.
    Among(Number, Vec<u64>),
    /// A text that is a condition by itself: `coin`, `x % 2 == 0`.
    Plain(String),
    Not(Box<Self>),
    /// `&&` or `||`.
    Both(Box<Self>, &'static str, Box<Self>),
}

/// A number.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Number {
    /// A count, a variable or a literal.
    Plain(String),
    /// `own - other`.
    Of(Box<Self>, char, Box<Self>),
    /// `max(own, 2)`.
    Call(&'static str, Box<Self>, Box<Self>),
}

/// A law that was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RandomLaw {
    species: u64,
    /// By keyword.
    clauses: Vec<(&'static str, Condition)>,
    tie: String,
    neighbourhood: Neighbourhood,
}

/// What may be drawn in a law.
struct Words<'a> {
    random: &'a mut Random,
    species: u64,
    neighbours: u64,
    /// Whether parities of x, y and generation may be asked, and coins tossed.
    sites: bool,
    coins: bool,
}

impl RandomLaw {
    pub(super) fn draw(random: &mut Random) -> Self {
        let neighbourhood = random.choice(&Neighbourhood::ALL);
        let neighbours = neighbourhood.size() as u64;
        let most = match neighbours {
            0..=4 => 4,
            5..=8 => 3,
            _ => 2,
        };
        let species = 1 + random.below(most);
        // Every case is asked for each parity.
        let sites = species < 3 && random.one_of(2);
        // A coin can't choose one of three that claim a cell.
        let ties: &[&str] =
            if species < 3 { &["coin", "parity", "none", "1"] } else { &["none", "1", "2", "3"] };
        let tie = random.choice(ties).to_owned();
        let coins = species < 3 && random.one_of(3);
        let mut words = Words { random, species, neighbours, sites, coins };
        let mut clauses = Vec::new();
        for (keyword, times) in [("born", 1), ("survive", 1), ("take", 3)] {
            if words.random.one_of(times) {
                let mut condition = words.condition(DEPTH);
                if keyword == "born" {
                    // Birth out of nothing fills the plane, and there empty space has to be even: once in a while.
                    if !words.random.one_of(8) {
                        let any = Condition::Compare(
                            Number::Plain("total".to_owned()),
                            ">",
                            Number::Plain("0".to_owned()),
                        );
                        condition = Condition::Both(Box::new(any), "&&", Box::new(condition));
                    }
                }
                clauses.push((keyword, condition));
            }
        }
        Self { species, clauses, tie, neighbourhood }
    }

    /// The rule, on the unbounded plane.
    pub(super) fn rule(&self) -> Result<Rule, ParseError> {
        parse(&self.to_string())
    }

    /// Laws that are one step simpler: a clause less, or a part of a condition in the place of the whole.
    pub(super) fn simpler(&self) -> Vec<Self> {
        let mut found = Vec::new();
        for (index, (_, condition)) in self.clauses.iter().enumerate() {
            if self.clauses.len() > 1 {
                let mut law = self.clone();
                law.clauses.remove(index);
                found.push(law);
            }
            found.extend(condition.simpler().into_iter().map(|simpler| {
                let mut law = self.clone();
                law.clauses[index].1 = simpler;
                law
            }));
        }
        found
    }
}

impl Words<'_> {
    fn number(&mut self, depth: u32) -> Number {
        let plain = |text: &str| Number::Plain(text.to_owned());
        if depth == 0 || self.random.one_of(2) {
            return match self.random.below(8) {
                0 | 1 => plain("own"),
                2 => plain("other"),
                3 => plain("rival"),
                4 => plain("total"),
                5 => plain("species"),
                6 => plain("cell"),
                _ => Number::Plain(format!("n{}", 1 + self.random.below(self.species))),
            };
        }
        let one = Box::new(self.number(depth - 1));
        let two = Box::new(if self.random.one_of(2) { self.number(depth - 1) } else { self.literal() });
        if self.random.one_of(3) {
            Number::Call(self.random.choice(&["min", "max"]), one, two)
        } else {
            Number::Of(one, self.random.choice(&['+', '-', '*']), two)
        }
    }

    fn literal(&mut self) -> Number {
        Number::Plain(self.random.below(self.neighbours.min(6) + 1).to_string())
    }

    fn condition(&mut self, depth: u32) -> Condition {
        if depth > 0 && !self.random.one_of(3) {
            let one = Box::new(self.condition(depth - 1));
            if self.random.one_of(5) {
                return Condition::Not(one);
            }
            let two = Box::new(self.condition(depth - 1));
            return Condition::Both(one, self.random.choice(&["&&", "||"]), two);
        }
        match self.random.below(8) {
            0..=2 => {
                let number = self.number(1);
                let to = if self.random.one_of(2) { self.number(1) } else { self.literal() };
                Condition::Compare(number, self.random.choice(&["==", "!=", "<", "<=", ">", ">="]), to)
            }
            3 | 4 => {
                let least = self.random.below(self.neighbours);
                Condition::Within(self.number(1), least, least + self.random.below(3))
            }
            5 => {
                let members = 1 + self.random.below(3);
                let list = (0..members).map(|_| self.random.below(self.neighbours + 1)).collect();
                Condition::Among(self.number(1), list)
            }
            6 if self.coins => Condition::Plain("coin".to_owned()),
            7 if self.sites => {
                let odd = self.random.choice(&["x", "y", "generation", "(x + y)", "(x + generation)"]);
                Condition::Plain(format!("{odd} % 2 == {}", self.random.below(2)))
            }
            _ => Condition::Compare(self.number(1), "==", self.literal()),
        }
    }
}

impl Condition {
    fn simpler(&self) -> Vec<Self> {
        let boxed = |condition: &Self| Box::new(condition.clone());
        match self {
            Self::Plain(_) => Vec::new(),
            Self::Compare(one, sign, two) => {
                let left = one.simpler().into_iter().map(|one| Self::Compare(one, sign, two.clone()));
                let right = two.simpler().into_iter().map(|two| Self::Compare(one.clone(), sign, two));
                left.chain(right).collect()
            }
            Self::Within(number, least, most) => {
                number.simpler().into_iter().map(|number| Self::Within(number, *least, *most)).collect()
            }
            Self::Among(number, list) => {
                let shorter = (0..list.len()).filter(|_| list.len() > 1).map(|gone| {
                    let mut list = list.clone();
                    list.remove(gone);
                    Self::Among(number.clone(), list)
                });
                let simpler = number.simpler().into_iter().map(|number| Self::Among(number, list.clone()));
                shorter.chain(simpler).collect()
            }
            Self::Not(inner) => {
                let simpler = inner.simpler().into_iter().map(|inner| Self::Not(Box::new(inner)));
                [inner.as_ref().clone()].into_iter().chain(simpler).collect()
            }
            Self::Both(one, sign, two) => {
                let left = one.simpler().into_iter().map(|one| Self::Both(Box::new(one), sign, boxed(two)));
                let right = two.simpler().into_iter().map(|two| Self::Both(boxed(one), sign, Box::new(two)));
                [one.as_ref().clone(), two.as_ref().clone()].into_iter().chain(left).chain(right).collect()
            }
        }
    }
}

impl Number {
    fn simpler(&self) -> Vec<Self> {
        match self {
            Self::Plain(_) => Vec::new(),
            Self::Of(one, _, two) | Self::Call(_, one, two) => {
                vec![one.as_ref().clone(), two.as_ref().clone()]
            }
        }
    }
}

impl fmt::Display for RandomLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "law {} {{", self.species)?;
        for (keyword, condition) in &self.clauses {
            write!(f, " {keyword} {condition};")?;
        }
        write!(f, " tie {}", self.tie)?;
        match self.neighbourhood {
            Neighbourhood::Moore => write!(f, " }}"),
            other => write!(f, "; neighbourhood {} }}", other.suffix().to_ascii_lowercase()),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(text) => f.write_str(text),
            Self::Compare(one, sign, two) => write!(f, "{one} {sign} {two}"),
            Self::Within(number, least, most) => write!(f, "{number} in {least}..={most}"),
            Self::Among(number, list) => write!(f, "{number} in {list:?}"),
            Self::Not(inner) => write!(f, "!({inner})"),
            Self::Both(one, sign, two) => write!(f, "({one}) {sign} ({two})"),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(text) => f.write_str(text),
            Self::Of(one, sign, two) => write!(f, "({one} {sign} {two})"),
            Self::Call(name, one, two) => write!(f, "{name}({one}, {two})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::Purpose;
    use super::*;

    fn drawn(number: u64) -> RandomLaw {
        RandomLaw::draw(&mut Random::new(3, number, Purpose::Rule))
    }

    #[test]
    fn every_law_that_is_drawn_can_be_read_and_so_can_its_canonical_text() {
        let mut seen = std::collections::BTreeSet::new();
        for number in 0..60 {
            let law = drawn(number);
            let rule = law.rule().unwrap_or_else(|error| panic!("law {number}: {error}"));
            let again: Rule =
                rule.to_string().parse().unwrap_or_else(|error| panic!("law {number}: {error}"));
            assert_eq!(again, rule, "law {number}: {law}");
            seen.insert(format!("{:?}", law.neighbourhood));
        }
        assert_eq!(seen.len(), Neighbourhood::ALL.len(), "every neighbourhood is drawn: {seen:?}");
    }

    #[test]
    fn making_a_law_simpler_comes_to_an_end_and_every_step_can_be_read() {
        for number in 0..20 {
            let mut law = drawn(number);
            let mut steps = 0;
            while let Some(simpler) = law.simpler().into_iter().next_back() {
                assert!(simpler.to_string().len() < law.to_string().len(), "{simpler} is simpler than {law}");
                law = simpler;
                steps += 1;
                assert!(steps < 200, "law {number} ends: {law}");
            }
            law.rule().unwrap_or_else(|error| panic!("law {number}, made simpler: {error}"));
        }
    }
}
