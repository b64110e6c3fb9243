//! Laws: rules of one to four species in a line, an expression for each thing that can happen to a cell.
//!
//! ```text
//! law 2 { born own == 3 && other != 3; survive own - other in 2..=3 || own - other == 1 && own >= 2; tie coin }
//!
//! law    := "law" [species] "{" clause { ";" clause } "}" [":" topology]
//! clause := ("born" | "survive" | "take") ["="] expression     asked once for each species that could have the cell
//!         | "tie" ["="] ("coin" | "parity" | "none" | species) who has it when several would
//!         | "neighbourhood" ["="] ("moore" | "v" | "nx" | "h" | "ht" | "l" | "le" | …)
//! ```
//!
//! | clause | is asked | by default |
//! |---|---|---|
//! | `born` | of an empty cell, for each species | never |
//! | `take` | of a living cell, for each other species: does that one take it over? Asked before `survive` | never |
//! | `survive` | of a living cell, for its own species | never |
//! | `tie` | when two or more species are born, or take the cell, at once | such a law is refused |
//! | `neighbourhood` | | Moore |
//!
//! An expression gives true or false. It is written in [rhai](https://rhai.rs): numbers, `+ - * / %`, `== != < <= > >=`,
//! `&& || !`, `in 2..=3`, `in [2, 3, 6]`, `min max abs is_odd is_even`; what else rhai knows is refused. It sees:
//!
//! | variable | is |
//! |---|---|
//! | `own` | neighbours of the species that is asked |
//! | `other` | living neighbours of all other species |
//! | `rival` | neighbours of that other species that has most |
//! | `total` | all living neighbours |
//! | `n1` … `n4` | neighbours of species 1, …, whoever is asked |
//! | `species` | the number of the species that is asked |
//! | `cell` | the state of the cell: 0 empty |
//! | `x`, `y`, `generation` | only their parity: `x % 2`, `(x + y) % 2`, 0 or 1 |
//! | `coin` | true or false, tossed for this cell in this generation |
//!
//! Neither case nor blanks matter; `~` is a blank too, for places where there can't be one. The canonical text has
//! no blank and no colon, and goes into the `rule =` of an RLE: `law2{born=own==3;survive=own~in~2..=3}`.
//!
//! Every case is asked when the law is read, so a law either is a total table or is refused with the case that
//! failed. What is left knows nothing of expressions. Limits: what only depends on the counts of neighbours, not on
//! where they stand, can be said.

mod cases;
mod expression;
#[cfg(test)]
mod tests;
mod text;

use std::fmt;

use super::{Dependence, ParseError, Rule, Ruleset, Site};
use crate::board::Topology;
use crate::cell::State;
use crate::coin::Coin;
use crate::lattice::{MAX_NEIGHBOURS, Neighbours};
use cases::Table;

/// The most species of a law.
pub const MAX_SPECIES: u8 = 4;

/// A complaint about the character at a place in the text, counted from 0.
type Complaint = (usize, String);

/// A law, as the table of all its cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    /// The canonical text.
    text: String,
    table: Table,
}

impl Law {
    /// Reads a law; its topology is given beside it.
    pub fn parse(text: &str) -> Result<(Self, Topology), ParseError> {
        let error = |(column, message): Complaint| ParseError { text: text.to_owned(), column, message };
        let parts = text::split(text).map_err(error)?;
        let table = Table::new(&parts).map_err(error)?;
        Ok((Self { text: parts.canonical(), table }, parts.topology))
    }
}

impl fmt::Display for Law {
    /// The canonical text, without blanks, colons and topology.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Ruleset for Law {
    fn depends_on(&self) -> Dependence {
        self.table.depends_on
    }

    fn empty_cell_next(&self, neighbours: &Neighbours, site: Site, coin: &mut Coin) -> State {
        self.cell_next(neighbours, crate::cell::DEAD, site, coin)
    }

    fn occupied_cell_next(
        &self,
        neighbours: &Neighbours,
        value: State,
        site: Site,
        coin: &mut Coin,
    ) -> State {
        self.cell_next(neighbours, value, site, coin)
    }

    fn cell_next(&self, neighbours: &Neighbours, value: State, site: Site, coin: &mut Coin) -> State {
        let counts = [1, 2, 3, 4].map(|species| neighbours.count(species));
        self.table.next(value, counts, site, coin)
    }
}

/// Whether a rule string is meant as a law: it begins with that word.
pub fn is_law(text: &str) -> bool {
    let text = text.trim_start();
    let next = text.get(3..).and_then(|rest| rest.chars().next());
    text.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("law"))
        && next.is_none_or(|c| !c.is_alphabetic())
}

/// Reads a law with its topology as a rule.
pub fn parse(text: &str) -> Result<Rule, ParseError> {
    let (law, topology) = Law::parse(text)?;
    let name = law.to_string();
    Ok(Rule::custom(&name, law, topology))
}

/// The rule string that a file holds: its lines in one, comments from `#` to the end of a line left out.
///
/// Every character keeps its place, so that an error's column counts the characters of the file.
pub fn from_file(text: &str) -> String {
    let mut comment = false;
    text.chars()
        .map(|c| {
            comment = c == '#' || comment && !matches!(c, '\n' | '\r');
            if comment || c.is_control() || c == '\u{FEFF}' { ' ' } else { c }
        })
        .collect()
}

/// Counts of up to four species fit into any neighbourhood.
const _: () = assert!(MAX_NEIGHBOURS < u8::MAX as usize, "counts are bytes");
