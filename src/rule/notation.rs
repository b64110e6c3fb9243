//! The field's rule strings: text to [`Rule`], with errors that point at the character.
//!
//! ```text
//! rule   := body [":" topology]                       case and spaces don't matter
//! body   := name                                      Life, HighLife, Immigration, QuadLife, P2Life, …
//!         | "B" digits ["/"] ["S" digits]             either order: S23/B3 too
//!         | digits "/" digits                         survivals first: 23/3
//!         | [body] ("Immigration" | "QuadLife") ["-" tie]
//! tie    := "coin" | "parity" | "none" | species      the default is coin
//! ```
//!
//! The canonical text is what [`Rule`] displays.

use thiserror::Error;

use super::colours::{ColouredLife, Tie};
use super::law;
use super::life::BirthSurvival;
use super::named;
use super::p2life::P2Life;
use super::{Rule, Ruleset};
use crate::board::Topology;

/// Why a rule string is not understood. Shown, it gives one line and then the text with a caret below the place.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("rule {text:?}, character {}: {message}\n  {text}\n  {:>caret$}", .column + 1, "^", caret = .column + 1)]
pub struct ParseError {
    /// The rule string as it was given.
    pub text: String,
    /// Which character is wrong, from 0; the length of the text when something is missing at its end.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl ParseError {
    /// What is wrong, without the text: for where the text stands right above.
    pub fn one_line(&self) -> String {
        format!("character {}: {}", self.column + 1, self.message)
    }
}

/// A complaint about the character at a place in the text.
type Complaint = (usize, String);

/// The characters that count, each with its place in the text.
struct Characters<'a>(&'a [(usize, char)]);

impl Characters<'_> {
    fn text(&self) -> String {
        self.0.iter().map(|(_, c)| c).collect()
    }
}

/// Reads a rule string, with its topology suffix.
pub fn parse(text: &str) -> Result<Rule, ParseError> {
    if law::is_law(text) {
        return law::parse(text);
    }
    let error = |(column, message): Complaint| ParseError { text: text.to_owned(), column, message };
    if text.chars().any(char::is_control) {
        let column = text.chars().position(char::is_control).unwrap_or(0);
        return Err(error((column, "a rule string is one line of visible characters".to_owned())));
    }
    let characters: Vec<(usize, char)> =
        text.chars().enumerate().filter(|(_, c)| !c.is_whitespace()).collect();
    let end = text.chars().count();
    let colon = characters.iter().position(|(_, c)| *c == ':').unwrap_or(characters.len());
    let (body, suffix) = characters.split_at(colon);
    let topology = match suffix.split_first() {
        None => Topology::Unbounded,
        Some((_, suffix)) => Topology::parse(&Characters(suffix).text())
            .map_err(|e| error((suffix.get(e.at).map_or(end, |(place, _)| *place), e.message)))?,
    };
    let body_end = body.last().map_or(0, |(place, _)| place + 1);
    parse_body(&Characters(body), body_end).map(|rule| rule.with_topology(topology)).map_err(error)
}

/// A rule of the unbounded plane from the text before the colon, which ends at `end`.
fn parse_body(body: &Characters<'_>, end: usize) -> Result<Rule, Complaint> {
    let text = body.text().to_ascii_lowercase();
    if text.is_empty() {
        return Err((0, "a rule is missing: try B3/S23 or Immigration".to_owned()));
    }
    // A rule that is its own name is read below.
    if let Some(alias) = named::find(&text).filter(|alias| !alias.rule.eq_ignore_ascii_case(&text)) {
        return parse(alias.rule).map_err(|e| (0, e.message));
    }
    for (name, colours) in [("immigration", 2), ("quadlife", 4), ("lifecolor", 4)] {
        // No other part of a rule string has a letter of these names, so the first hit is the only one.
        if let Some(at) = text.find(name) {
            let at = text[..at].chars().count();
            let (prefix, rest) = body.0.split_at(at);
            let life =
                if prefix.is_empty() { BirthSurvival::CONWAY } else { birth_survival(prefix, rest[0].0)? };
            let tie = tie_policy(&rest[name.len()..], colours, end)?;
            return Ok(built_in(ColouredLife { life, colours, tie }, ColouredLife::to_string));
        }
    }
    if text == "p2life" {
        return Ok(built_in(P2Life, |_| "P2Life".to_owned()));
    }
    let life = birth_survival(body.0, end)?;
    Ok(built_in(life, BirthSurvival::to_string))
}

fn built_in<R: Ruleset + 'static>(ruleset: R, name: impl Fn(&R) -> String) -> Rule {
    let name = name(&ruleset);
    Rule::custom(&name, ruleset, Topology::Unbounded)
}

/// Reads `-coin`, `-parity`, `-none`, `-1`, or nothing.
fn tie_policy(characters: &[(usize, char)], colours: u8, end: usize) -> Result<Tie, Complaint> {
    let Some((&(place, first), policy)) = characters.split_first() else {
        return Ok(Tie::default());
    };
    let wanted = format!("after the name comes nothing or -coin, -parity, -none or -1 to -{colours}");
    if first != '-' {
        return Err((place, wanted));
    }
    match Characters(policy).text().to_ascii_lowercase().as_str() {
        "coin" => Ok(Tie::Coin),
        "parity" => Ok(Tie::Parity),
        "none" => Ok(Tie::NoBirth),
        number => match number.parse() {
            Ok(species) if (1..=colours).contains(&species) => Ok(Tie::Species(species)),
            _ => Err((policy.first().map_or(end, |(place, _)| *place), wanted)),
        },
    }
}

/// Which numbers the digits belong to.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// No letter yet: survivals before the slash, births after it.
    Unlabelled,
    Births,
    Survivals,
}

/// Reads `B3/S23` in all its forms; the text ends at `end`.
fn birth_survival(characters: &[(usize, char)], end: usize) -> Result<BirthSurvival, Complaint> {
    if characters.len() > 3 && Characters(&characters[..3]).text().eq_ignore_ascii_case("MAP") {
        return Err((characters[0].0, "MAP rules are not supported yet".to_owned()));
    }
    let mut life = BirthSurvival::default();
    let mut part = Part::Unlabelled;
    let (mut births_named, mut survivals_named, mut slash) = (false, false, None);
    for (index, &(place, character)) in characters.iter().enumerate() {
        match character.to_ascii_uppercase() {
            'B' if births_named => return Err((place, "only one B is allowed".to_owned())),
            'S' if survivals_named => return Err((place, "only one S is allowed".to_owned())),
            letter @ ('B' | 'S') => {
                if part == Part::Unlabelled && (life.survivals | life.births) != 0 {
                    return Err((
                        characters[0].0,
                        format!(
                            "these digits need a letter, since {letter} has one: B (births) or S (survivals)"
                        ),
                    ));
                }
                (births_named, survivals_named) =
                    (births_named || letter == 'B', survivals_named || letter == 'S');
                part = if letter == 'B' { Part::Births } else { Part::Survivals };
            }
            '/' if slash.is_some() => {
                return Err((
                    place,
                    "only one slash is allowed (rules with ageing cells, S/B/C, are not supported yet)"
                        .to_owned(),
                ));
            }
            '/' => {
                slash = Some(index);
                // Without letters the survivals come first, the births after the slash.
                part = match part {
                    Part::Births => Part::Survivals,
                    Part::Survivals => Part::Births,
                    Part::Unlabelled => Part::Unlabelled,
                };
            }
            '9' => {
                return Err((
                    place,
                    "9 is greater than the neighbourhood allows: a cell has 8 neighbours".to_owned(),
                ));
            }
            digit @ '0'..='8' => {
                let bit = 1 << (digit as u32 - '0' as u32);
                match (part, slash) {
                    (Part::Births, _) | (Part::Unlabelled, Some(_)) => life.births |= bit,
                    (Part::Survivals, _) | (Part::Unlabelled, None) => life.survivals |= bit,
                }
            }
            '_' => {
                return Err((
                    place,
                    "an underscore is not valid in a rule that only counts neighbours; use /".to_owned(),
                ));
            }
            'H' => return Err((place, "hexagonal rules (H) are not supported yet".to_owned())),
            'V' => return Err((place, "von Neumann rules (V) are not supported yet".to_owned())),
            'L' => return Err((place, "triangular rules (L) are not supported yet".to_owned())),
            letter
                if "CEKAINYQJRTWZ".contains(letter)
                    && index > 0
                    && characters[index - 1].1.is_ascii_digit() =>
            {
                return Err((
                    place,
                    format!("letters after a digit ('{character}': isotropic rules) are not supported yet"),
                ));
            }
            _ => return Err((place, unknown(characters, character))),
        }
    }
    if !births_named && !survivals_named && slash.is_none() {
        return Err((end, "a rule needs a slash, B or S, as in B3/S23 or 23/3".to_owned()));
    }
    Ok(life)
}

/// What to say of a character that begins nothing known.
fn unknown(characters: &[(usize, char)], character: char) -> String {
    let letters = characters.iter().filter(|(_, c)| c.is_alphabetic()).count();
    if letters > 3 {
        return format!(
            "no rule is called {:?}; `biota rules` lists the names, and B3/S23 is the form of the others",
            Characters(characters).text()
        );
    }
    format!("'{character}' has no place in a rule such as B3/S23")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        parse(text).unwrap_or_else(|e| panic!("{e}")).to_string()
    }

    #[test]
    fn every_form_of_birth_and_survival_is_read() {
        for text in [
            "B3/S23",
            "b3s23",
            "S23/B3",
            "s32b3",
            " B 3 / S 2 3 ",
            "23/3",
            "B3/23",
            "B33/S2323",
            "Life",
            "conway",
        ] {
            assert_eq!(canonical(text), "B3/S23", "{text}");
        }
        for (text, expected) in [
            ("B2", "B2/S"),
            ("B2/S", "B2/S"),
            ("/2", "B2/S"),
            ("S", "B/S"),
            ("/", "B/S"),
            ("23/", "B/S23"),
            ("B0123478/S01234678", "B0123478/S01234678"),
            ("HighLife", "B36/S23"),
            ("b36/s23:t 100 , 50", "B36/S23:T100,50"),
            ("B3/S23:", "B3/S23"),
            ("Life:P7", "B3/S23:P7,7"),
        ] {
            assert_eq!(canonical(text), expected, "{text}");
        }
    }

    #[test]
    fn coloured_rules_carry_their_tie_policy() {
        for (text, expected) in [
            ("immigration", "Immigration"),
            ("B3/S23Immigration", "Immigration"),
            ("Immigration-parity", "Immigration"),
            ("b36/s23immigration", "B36/S23Immigration"),
            ("B36S23Immigration-COIN", "B36/S23Immigration"),
            ("B36/S23Immigration-parity:P9", "B36/S23Immigration-parity:P9,9"),
            ("23/36Immigration-2", "B36/S23Immigration-2"),
            ("B2/SQuadLife-none", "B2/SQuadLife-none"),
            ("LifeColor", "QuadLife"),
            ("QuadLife-4:T64", "QuadLife:T64,64"),
            ("p2life:T3,5", "P2Life:T3,5"),
            ("Day & Night Immigration".split(' ').next_back().expect("a word"), "Immigration"),
        ] {
            assert_eq!(canonical(text), expected, "{text}");
        }
    }

    #[test]
    fn the_canonical_text_reads_back_as_itself() {
        for rule in named::NAMED {
            let text = canonical(rule.rule);
            assert_eq!(text, rule.rule, "{} is listed canonically", rule.name);
            assert_eq!(canonical(&text), text, "{}", rule.name);
        }
    }

    #[test]
    fn errors_point_at_the_character() {
        for (text, column, part) in [
            ("", 0, "missing"),
            ("  ", 0, "missing"),
            ("B3/S9", 4, "9 is greater"),
            ("B3/S23/4", 6, "only one slash"),
            ("B3B2", 2, "only one B"),
            ("S3S2", 2, "only one S"),
            ("23", 2, "needs a slash"),
            ("B3/S2x", 5, "'x'"),
            ("B2/S34H", 6, "hexagonal"),
            ("B2-a/S12", 2, "'-'"),
            ("B2a/S12", 2, "isotropic"),
            ("B3_S23", 2, "underscore"),
            ("B3/S23:X5", 7, "topology"),
            ("B3/S23:T5,", 10, "number"),
            ("Imigration", 0, "no rule is called"),
            ("Immigration-maybe", 12, "-coin"),
            ("Immigration-3", 12, "-1 to -2"),
            ("Immigrations", 11, "-coin"),
            ("3Immigration", 1, "needs a slash"),
            ("MAPARYX", 0, "MAP"),
            ("23B3", 0, "need a letter"),
            ("B3/S23\n", 6, "one line"),
            ("Café/S23", 0, "no rule is called"),
            ("B3/S23\u{1F600}", 6, "no place"),
        ] {
            let error = parse(text).expect_err(text);
            assert_eq!(error.column, column, "{error}");
            assert!(error.message.contains(part), "{error}: {part} was expected");
        }
    }

    #[test]
    fn an_error_shows_the_text_with_a_caret() {
        let shown = parse("B3/S2x").expect_err("x").to_string();
        assert_eq!(
            shown,
            "rule \"B3/S2x\", character 6: 'x' has no place in a rule such as B3/S23\n  B3/S2x\n       ^",
            "line, text, caret"
        );
    }

    proptest::proptest! {
        #[test]
        fn any_text_gives_a_rule_or_an_error(text in "\\PC{0,40}|[BSbs0-9/:TPImmigration,+-]{0,24}") {
            if let Ok(rule) = parse(&text) {
                proptest::prop_assert_eq!(canonical(&rule.to_string()), rule.to_string(), "{}", text);
            }
        }

        #[test]
        fn every_birth_and_survival_set_reads_back(births in 0u16..512, survivals in 0u16..512) {
            let life = BirthSurvival { births, survivals };
            proptest::prop_assert_eq!(canonical(&life.to_string()), life.to_string());
        }
    }
}
