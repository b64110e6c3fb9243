//! The field's rule strings: text to [`Rule`], with errors that point at the character.
//!
//! ```text
//! rule      := body ["|" body] [":" topology]         case (but MAP's) and spaces don't matter
//! body      := name                                   Life, HighLife, Immigration, QuadLife, P2Life, …; a name may
//!                                                     have a colon in it (9:43 at Knight), see [`named`]
//!            | condition [states]                     two states, or ageing cells (Generations)
//!            | "PAIR" base64                          a painted matrix, see [`super::matrix`]
//!            | [condition] ("Immigration" | "QuadLife") ["-" tie]
//!            | condition ("Symbiosis" | "DeadlyEnemies") ["-majority"]
//!            | condition "History"
//! condition := "B" numbers ["/"] ["S" numbers] [around]     either order: S23/B3 too
//!            | numbers "/" numbers [around]           survivals first: 23/3
//!            | "MAP" base64                           6, 22 or 86 characters, "==" may follow
//!            | "R1,…" | "1,3,3,3,4"                   HROT, MCell and Evans forms of range 1
//!            | name                                   of a rule of two states: LifeHistory, HighLifeImmigration
//! numbers   := { digit [["-"] letters] }              Hensel's letters; on hexagons o, m, p
//! around    := V | NX | H | HT | L | LE | LV | LI | LO | LB | LR      Moore's eight cells without a letter
//! states    := "/" number | "/C" number | ["/"] "G" number  at the end, or C… or G… in front; 2 to 256
//! tie       := "coin" | "parity" | "none" | species   the default is coin
//! ```
//!
//! On triangles the digits above 9 are x, y, z (read also as a, b, c). The two bodies around `|` take even and odd
//! generations. The canonical text is what [`Rule`] displays: the shortest form of a condition, `B…/S…` or `S/B/C`, and
//! MAP only for what is not isotropic. The diagonal neighbourhood has no letter in the field; it is `NX`, as in HROT.
//!
//! A condition by itself that has B0 and S with all neighbours is run as its dual, as Golly and `LifeViewer` do: its
//! files are drawn with dead and living exchanged. In turn with another rule, with ageing cells and in colours it is run
//! as it is written.

mod counts;
mod hensel;
mod hrot;
mod map;
mod write;

use std::fmt;

use thiserror::Error;

use super::alternating::Alternating;
use super::colours::{ColouredLife, Tie};
use super::condition::Condition;
use super::contact::{Mixed, Touch, TwoColonies};
use super::generations::Generations;
use super::history::History;
use super::law;
use super::matrix::{self, Matrix};
use super::named::{self, Found};
use super::p2life::P2Life;
use super::{Rule, Ruleset};
use crate::board::Topology;
use crate::text::{around, quoted};

/// Why a rule string is not understood. Shown, it gives one line, and then the text around the place with a caret below
/// it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub struct ParseError {
    /// The rule string as it was given.
    pub text: String,
    /// Which character is wrong, from 0; the length of the text when something is missing at its end.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, column, message } = self;
        let place = text.char_indices().nth(*column).map_or(text.len(), |(place, _)| place);
        let (before, after) = text.split_at(place);
        let (excerpt, caret) = around(before, after, false);
        let name = quoted(text);
        write!(f, "rule {name:?}, character {}: {message}\n  {excerpt}\n  {:caret$}^", column + 1, "")
    }
}

impl ParseError {
    /// What is wrong, without the text: for where the text stands right above.
    pub fn one_line(&self) -> String {
        format!("character {}: {}", self.column + 1, self.message)
    }
}

/// What a pattern's rule begins with where its file names a family of rules of `MCell` that has no rule strings here.
pub const FOREIGN_FAMILY: &str = "MCell's";

/// A complaint about the character at a place in the text.
type Complaint = (usize, String);

/// The characters that count, each with its place in the text.
type Text<'a> = &'a [(usize, char)];

fn text_of(text: Text<'_>) -> String {
    text.iter().map(|(_, c)| c).collect()
}

/// Reads a rule string, with its topology suffix.
pub(super) fn parse(text: &str) -> Result<Rule, ParseError> {
    if law::is_law(text) {
        return law::parse(text);
    }
    let error = |(column, message): Complaint| ParseError { text: text.to_owned(), column, message };
    if let Some(family) = text.strip_prefix(FOREIGN_FAMILY) {
        let family = family.split(':').next().unwrap_or_default().trim();
        let message =
            format!("rules of MCell's family {family:?} can't be run; choose another rule for the cells");
        return Err(error((0, message)));
    }
    if text.chars().any(char::is_control) {
        let column = text.chars().position(char::is_control).unwrap_or(0);
        return Err(error((column, "a rule string is one line of visible characters".to_owned())));
    }
    let characters: Vec<(usize, char)> =
        text.chars().enumerate().filter(|(_, c)| !c.is_whitespace()).collect();
    let end = text.chars().count();
    let first_colon = || characters.iter().position(|(_, c)| *c == ':').unwrap_or(characters.len());
    let colon = end_of_name(text, &characters).unwrap_or_else(first_colon);
    let (body, suffix) = characters.split_at(colon);
    let topology = match suffix.split_first() {
        None => Topology::Unbounded,
        Some((_, suffix)) => Topology::parse(&text_of(suffix))
            .map_err(|e| error((suffix.get(e.at).map_or(end, |(place, _)| *place), e.message)))?,
    };
    let body_end = body.last().map_or(0, |(place, _)| place + 1);
    parse_body(text, body, body_end).map(|rule| rule.with_topology(topology)).map_err(error)
}

/// Where a name that has a colon in it ends, among the characters that count: at a colon behind it, or at the end.
fn end_of_name(text: &str, characters: Text<'_>) -> Option<usize> {
    let colons = (0..characters.len()).filter(|&at| characters[at].1 == ':');
    let ends: Vec<usize> = colons.chain([characters.len()]).skip(1).collect();
    ends.into_iter().rev().find(|&end| named::find(raw(text, &characters[..end])).is_some())
}

/// The part of a text that these characters of it span, blanks and all.
fn raw<'a>(text: &'a str, characters: Text<'_>) -> &'a str {
    let (Some((first, _)), Some((last, _))) = (characters.first(), characters.last()) else { return "" };
    let place = |nth: usize| text.char_indices().nth(nth).map_or(text.len(), |(at, _)| at);
    &text[place(*first)..place(last + 1)]
}

/// A rule of the unbounded plane from the text before the colon, which ends at `end`: one rule or two in turn.
fn parse_body(whole: &str, body: Text<'_>, end: usize) -> Result<Rule, Complaint> {
    let Some(bar) = body.iter().position(|(_, c)| *c == '|') else {
        return parse_single(whole, body, end, Reading::Alone);
    };
    let (even, odd) = (&body[..bar], &body[bar + 1..]);
    if let Some((place, _)) = odd.iter().find(|(_, c)| *c == '|') {
        return Err((*place, "only two rules can alternate".to_owned()));
    }
    let place = odd.first().map_or(end, |(place, _)| *place);
    let even = parse_single(whole, even, body[bar].0, Reading::InTurn)?;
    let odd = parse_single(whole, odd, end, Reading::InTurn)?;
    // A name may stand for two rules in turn.
    if let Some(rule) = [&even, &odd].into_iter().find(|rule| rule.name().contains('|')) {
        return Err((body[bar].0, format!("only two rules can alternate, and {rule} is two already")));
    }
    // A rule that would be run as its dual if it stood alone is run as it is written in turn with itself.
    if even == odd && !parse_single(whole, &body[..bar], body[bar].0, Reading::Alone)?.runs_its_dual() {
        return Ok(even);
    }
    let alternating = Alternating::new(&even, &odd).map_err(|e| (place, e.to_string()))?;
    let name = format!("{}|{}", even.name(), odd.name());
    Ok(Rule::custom(&name, alternating, Topology::Unbounded))
}

/// What may follow a condition.
#[derive(Clone, Copy)]
enum Species {
    /// This many colours that are inherited.
    Colours(u8),
    Touch(Touch),
    /// Cells that remember.
    History,
}

const SPECIES: [(&str, Species); 6] = [
    ("immigration", Species::Colours(2)),
    ("quadlife", Species::Colours(4)),
    ("lifecolor", Species::Colours(4)),
    ("symbiosis", Species::Touch(Touch::Keeps)),
    ("deadlyenemies", Species::Touch(Touch::Kills)),
    ("history", Species::History),
];

/// Where the name of a species rule begins in a text, its length, and which it is.
fn find_species(text: Text<'_>) -> Option<(usize, usize, Species)> {
    let lower: Vec<char> = text.iter().map(|(_, c)| c.to_ascii_lowercase()).collect();
    SPECIES.iter().find_map(|&(name, species)| {
        let name: Vec<char> = name.chars().collect();
        let at = lower.windows(name.len()).position(|window| *window == *name)?;
        Some((at, name.len(), species))
    })
}

/// How a condition is taken.
#[derive(Clone, Copy, PartialEq)]
enum Reading {
    /// As the whole rule: its dual may be run instead.
    Alone,
    /// In turn with another one, as it is written.
    InTurn,
}

/// The rule that is meant by a name; `None` when the text is no name, or the rule is its own name.
fn parse_name(name: &str, place: usize, reading: Reading) -> Option<Result<Rule, Complaint>> {
    let rule = match named::find(name)? {
        Found::Rule(rule) => rule,
        Found::Several(rules) => {
            let rules: Vec<String> = rules.iter().map(|(name, rule)| format!("{rule} ({name})")).collect();
            return Some(Err((
                place,
                format!("{name:?} may be {}; give the rule itself", rules.join(" or ")),
            )));
        }
    };
    let compact: String = name.chars().filter(|c| !c.is_whitespace()).collect();
    // A rule that is its own name is read as a rule string.
    if rule.eq_ignore_ascii_case(&compact) {
        return None;
    }
    let characters: Vec<(usize, char)> = rule.chars().enumerate().collect();
    let parsed = if law::is_law(rule) {
        law::parse(rule).map_err(|e| (place, e.message))
    } else if reading == Reading::InTurn && !rule.contains('|') {
        parse_single(rule, &characters, characters.len(), reading)
    } else {
        // A name may stand for two rules in turn.
        parse_body(rule, &characters, characters.len())
    };
    Some(parsed.map_err(|(_, message)| (place, format!("{name} is {rule}: {message}"))))
}

/// A single rule, which is a part of the text `whole`; it ends at `end`.
fn parse_single(whole: &str, body: Text<'_>, end: usize, reading: Reading) -> Result<Rule, Complaint> {
    let text = text_of(body).to_ascii_lowercase();
    if text.is_empty() {
        return Err((end, "a rule is missing: try B3/S23 or Immigration".to_owned()));
    }
    if let Some(named) = parse_name(raw(whole, body), body[0].0, reading) {
        return named;
    }
    if text == "p2life" {
        return Ok(built_in(P2Life, |_| "P2Life".to_owned()));
    }
    if let Some(matrix) = text_of(body).strip_prefix(matrix::PREFIX) {
        let place = |at: usize| body.get(matrix::PREFIX.len() + at).map_or(end, |(place, _)| *place);
        let matrix = Matrix::parse(matrix).map_err(|(at, message)| (place(at), message))?;
        return Ok(built_in(matrix, Matrix::to_string));
    }
    if map::begins(body) {
        let follows = |rest: Text<'_>| {
            rest.is_empty() || rest[0].1 == '/' || matches!(find_species(rest), Some((0, ..)))
        };
        let (condition, rest) = map::read(body, follows)?;
        return match (rest, find_species(rest)) {
            ([], _) => Ok(alone(condition, 2, reading)),
            (_, Some((0, length, species))) => {
                in_colours(condition, 2, (rest[0].0, species), &rest[length..], end)
            }
            _ => Ok(alone(condition, counts::states(&rest[1..], end)?.0, reading)),
        };
    }
    let Some((at, length, species)) = find_species(body) else {
        let (condition, states) = condition(body, end)?;
        return Ok(alone(condition, states, reading));
    };
    let (prefix, rest) = body.split_at(at);
    let place = rest[0].0;
    let (condition, states) =
        if prefix.is_empty() { (Condition::CONWAY, 2) } else { named_condition(whole, prefix, place)? };
    in_colours(condition, states, (place, species), &rest[length..], end)
}

/// What becomes of a rule of more states, and of its cells, when only life and death are left of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsLife {
    /// The rule of two states, with the topology suffix.
    pub rule: String,
    /// Whether the odd states live (`[R]History`, `[R]Super`, `[R]Investigator`); else all but the dead one do.
    pub only_odd: bool,
}

/// The rule of two states that is at the bottom of another one: of `[R]History` and its like, and of every rule in colours,
/// R. Of all other rules of more states, and of unknown ones, it is Life. A rule of two states stays as it is.
pub fn as_life(text: &str) -> AsLife {
    if let Ok(rule) = super::parse(text)
        && rule.states() == 2
    {
        return AsLife { rule: text.to_owned(), only_odd: false };
    }
    let suffix = text.find(':').filter(|_| named::states_topology(text)).map_or("", |at| &text[at..]);
    let body = &text[..text.len() - suffix.len()];
    let compact: String = body.chars().filter(|c| !c.is_whitespace()).collect();
    let lower = compact.to_ascii_lowercase();
    let ending = |words: &[&'static str]| words.iter().find_map(|word| lower.rfind(word));
    let odd = ending(&["history", "super", "investigator"]);
    let colours: Vec<&str> = SPECIES.iter().map(|(name, _)| *name).collect();
    let base = odd.or_else(|| ending(&colours)).map(|at| &compact[..at]);
    let is_rule = |base: &&str| super::parse(base).is_ok_and(|rule| rule.states() == 2);
    let base = base.filter(is_rule).unwrap_or("B3/S23");
    AsLife { rule: format!("{base}{suffix}"), only_odd: odd.is_some() }
}

/// A condition and a number of states, which may be given by the name of a rule of those.
fn named_condition(whole: &str, text: Text<'_>, end: usize) -> Result<(Condition, u16), Complaint> {
    match named::find(raw(whole, text)) {
        Some(Found::Rule(rule)) => {
            let rule: Vec<(usize, char)> = rule.chars().map(|c| (text[0].0, c)).collect();
            condition(&rule, end)
        }
        _ => condition(text, end),
    }
}

/// A condition and a number of states, in any form but MAP; the text ends at `end`.
fn condition(text: Text<'_>, end: usize) -> Result<(Condition, u16), Complaint> {
    match text {
        [(place, letter), (_, '0'..='9'), ..] if letter.eq_ignore_ascii_case(&'w') => {
            Err((*place, "one-dimensional rules (W) are not supported".to_owned()))
        }
        [(place, letter), (_, '0'..='9'), ..] if letter.eq_ignore_ascii_case(&'m') => {
            Err((*place, "rules of blocks (M, Margolus) are not supported".to_owned()))
        }
        _ if text_of(text).to_ascii_lowercase().contains("pca") => {
            Err((text[0].0, "partitioned automata (PCA) are not supported".to_owned()))
        }
        _ if hrot::begins(text) => hrot::read(text, end),
        _ => counts::read(text, end),
    }
}

/// The rule of a condition and a number of states.
fn alone(condition: Condition, states: u16, reading: Reading) -> Rule {
    match (Generations::new(condition, states), reading) {
        (Some(generations), _) => built_in(generations, Generations::to_string),
        (None, Reading::Alone) => Rule::of_condition(condition),
        (None, Reading::InTurn) => built_in(condition, Condition::to_string),
    }
}

/// The rule of a condition, a number of states, a species suffix with its place, and what follows that.
fn in_colours(
    condition: Condition,
    states: u16,
    (place, species): (usize, Species),
    rest: Text<'_>,
    end: usize,
) -> Result<Rule, Complaint> {
    if states != 2 {
        let kind = if matches!(species, Species::History) { "a History" } else { "a rule in colours" };
        return Err((place, format!("{kind} has no ageing cells, but {states} states are given")));
    }
    match (species, rest.first()) {
        (Species::Colours(colours), _) => {
            let tie = tie_policy(rest, colours, end)?;
            Ok(built_in(ColouredLife { condition, colours, tie }, ColouredLife::to_string))
        }
        (Species::Touch(touch), _) => {
            let mixed = mixed_policy(rest)?;
            Ok(built_in(TwoColonies { condition, touch, mixed }, TwoColonies::to_string))
        }
        (Species::History, _) if condition.of_uniform_space().0 => {
            Err((place, "cells that remember are not known for rules with B0".to_owned()))
        }
        (Species::History, None) => Ok(built_in(History { condition }, History::to_string)),
        (Species::History, Some((place, _))) => Err((*place, "nothing comes after the name".to_owned())),
    }
}

fn built_in<R: Ruleset + 'static>(ruleset: R, name: impl Fn(&R) -> String) -> Rule {
    let name = name(&ruleset);
    Rule::custom(&name, ruleset, Topology::Unbounded)
}

/// Reads `-majority`, or nothing.
fn mixed_policy(characters: Text<'_>) -> Result<Mixed, Complaint> {
    match (characters.first(), text_of(characters).to_ascii_lowercase().as_str()) {
        (None, _) => Ok(Mixed::Childless),
        (_, "-majority") => Ok(Mixed::Majority),
        (Some((place, _)), _) => Err((*place, "after the name comes nothing or -majority".to_owned())),
    }
}

/// Reads `-coin`, `-parity`, `-none`, `-1`, or nothing.
fn tie_policy(characters: Text<'_>, colours: u8, end: usize) -> Result<Tie, Complaint> {
    let Some((&(place, first), policy)) = characters.split_first() else {
        return Ok(Tie::default());
    };
    let wanted = format!("after the name comes nothing or -coin, -parity, -none or -1 to -{colours}");
    if first != '-' {
        return Err((place, wanted));
    }
    match text_of(policy).to_ascii_lowercase().as_str() {
        "coin" => Ok(Tie::Coin),
        "parity" => Ok(Tie::Parity),
        "none" => Ok(Tie::NoBirth),
        number => match number.parse() {
            Ok(species) if (1..=colours).contains(&species) => Ok(Tie::Species(species)),
            _ => Err((policy.first().map_or(end, |(place, _)| *place), wanted)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::Neighbourhood;

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
            "3/S23",
            "23/B3",
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
            ("362/S", "B236/S"),
            ("362/S/4", "/236/4"),
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
    fn rules_with_a_memory_stand_on_any_condition_and_on_names() {
        for (text, expected) in [
            ("LifeHistory", "B3/S23History"),
            ("History:T9", "B3/S23History:T9,9"),
            ("b36/s23 history", "B36/S23History"),
            ("High Life History", "B36/S23History"),
            ("tlifeHistory", "B3/S2-i34qHistory"),
            ("B2/S34HHistory", "B2/S34HHistory"),
            ("B45/S34LHistory:P7", "B45/S34LHistory:P7,7"),
            ("B3/S23History|B36/S23History", "B3/S23History|B36/S23History"),
            ("DryLifeImmigration", "B37/S23Immigration"),
        ] {
            assert_eq!(canonical(text), expected, "{text}");
        }
    }

    #[test]
    fn rules_of_more_states_have_a_rule_of_two_at_their_bottom() {
        for (text, rule, only_odd) in [
            ("LifeHistory", "Life", true),
            ("B36/S23History:T9", "B36/S23:T9", true),
            ("b3s23super", "b3s23", true),
            ("HighLifeInvestigator:P5,6", "HighLife:P5,6", true),
            ("Super", "B3/S23", true),
            ("Immigration:T9", "B3/S23:T9", false),
            ("B36/S23Immigration-parity", "B36/S23", false),
            ("B2/SQuadLife", "B2/S", false),
            ("B3/S23DeadlyEnemies", "B3/S23", false),
            ("345/2/4", "B3/S23", false),
            ("WireWorld:T20", "B3/S23:T20", false),
            ("B36/S23:K9*,8", "B36/S23:K9*,8", false),
            ("23/3", "23/3", false),
        ] {
            assert_eq!(as_life(text), AsLife { rule: rule.to_owned(), only_odd }, "{text}");
        }
    }

    #[test]
    fn a_name_with_a_colon_is_tried_before_the_colon_is_split_off() {
        assert_eq!(canonical("9:43 at Knight"), "237/34578/4");
        assert_eq!(canonical("9:43 at Knight:T64,60"), "237/34578/4:T64,60");
        assert_eq!(canonical("Hex Life|HexLife:P5"), "B2o3m56/S2mo4oH|B3o/S234mp6H:P5,5");
    }

    /// Every name of the community is the rule that it stands for, or is refused with the rule that it stands for.
    #[test]
    fn every_name_of_the_community_is_understood() {
        let (mut known, mut refused) = (0, 0);
        for (name, rule) in named::names() {
            match (parse(name), parse(rule)) {
                (Ok(named), Ok(rule)) => {
                    assert_eq!(named, rule, "{name}");
                    known += 1;
                }
                (Err(error), Err(why)) => {
                    let is_one_of_two = error.message.contains("may be");
                    assert!(is_one_of_two || error.message.contains(&why.message), "{name}: {error}");
                    assert!(error.message.contains(rule), "{name}: {error}");
                    refused += 1;
                }
                (Err(error), Ok(_)) => {
                    // Two names of one spelling.
                    assert!(*name == "Majority" && error.message.contains(rule), "{name}: {error}");
                }
                (Ok(named), Err(why)) => panic!("{name} is read as {named}, but {rule} is not: {why}"),
            }
        }
        assert!(known > 500 && refused > 35, "{known} names known, {refused} of rules that are not");
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
            ("B3/S23/4/5", 6, "only one slash"),
            ("B3/S23/1", 7, "2 to 256"),
            ("/2/", 3, "2 to 256"),
            ("B3/S23/C300", 8, "2 to 256"),
            ("G4/B3/S23/4", 10, "only one number"),
            ("345/2/4Immigration", 7, "no ageing"),
            ("B3B2", 2, "only one B"),
            ("S3S2", 2, "only one S"),
            ("23", 2, "needs a slash"),
            ("B3/S2x", 5, "'x'"),
            ("B2/S37H", 5, "7 is greater"),
            ("B2/S5V", 4, "5 is greater"),
            ("B2/S4xLV", 5, "no place"),
            ("BH2/S34", 1, "must be at the end"),
            ("b2/s34hsuper:T9", 7, "the rule itself is b2/s34h"),
            ("/2/3History", 4, "no ageing"),
            ("B3/S23History2", 13, "nothing comes after"),
            ("B03/S23History", 7, "B0"),
            ("boatlife", 0, "B3-knqy/S2-n3-ey4akwy5aik6kn (BoatLife)"),
            ("Majority:T9", 0, "or R4,C2,M1,S41..81,B41..80,NM"),
            ("Bosco's Rule", 0, "not of range 5"),
            ("LifeSuper", 4, "the rule itself is Life"),
            ("B3/S23Energetic", 6, "no suffix is called \"Energetic\""),
            ("B3/S23 investigator:T9", 7, "the rule itself is B3/S23"),
            ("23/3foldH", 4, "no suffix is called \"foldH\""),
            ("B2o/S2m34HH", 9, "must be at the end"),
            ("B-2/S12", 1, "can only follow a digit"),
            ("B2--a/S12", 2, "left out"),
            ("B2-/S12", 2, "left out"),
            ("B2-xz/S12", 3, "the letters are aceikn"),
            ("B2a/S12V", 2, "letters after digits"),
            ("B2aS2-cL", 5, "letters after digits"),
            ("B2aS2k2-aV", 2, "letters after digits"),
            ("B2a2-c/S", 3, "both with letters"),
            ("B2b/S", 2, "only one B"),
            ("B2y/S", 2, "the letters are aceikn"),
            ("B8c/S", 2, "no letter can follow 8"),
            ("B3k/S3H", 2, "letters after digits"),
            ("B1o/SH", 2, "no letter can follow 1"),
            ("W110", 0, "one-dimensional"),
            ("R2,C0,S2,B3", 1, "range 1"),
            ("R1,C0,S2-9,B3", 9, "9 is greater"),
            ("R1,C0,S3-2,B3", 9, "upwards"),
            ("R1,C0,S2-3", 10, "both S and B"),
            ("R1,C0,4,S2-3,B3", 6, "no list"),
            ("R1,C0,S2-3,B3,NE", 14, "neighbourhoods of range 1"),
            ("R1,C2,S2-3,B3,NW212101212", 14, "weighted"),
            ("R1,C2,S2-3,B3,NG", 14, "Gaussian"),
            ("R1,C2,S2-3,B3,N@7f", 14, "one's own"),
            ("R1,C0,S23,B3,NM", 7, "2-3"),
            ("R5,C0,M1,S34..58,B34..45,NM", 1, "not of range 5"),
            ("5,34,45,34,58", 0, "not of range 5"),
            ("M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15", 0, "Margolus"),
            ("2PCA4,0,4,8,3,1,10,6,7,2,9,5,11,12,13,14,15", 0, "partitioned"),
            ("w30", 0, "one-dimensional"),
            ("R1,C0,,B3", 9, "missing"),
            ("1,3,3,3", 7, "five numbers"),
            ("2,3,3,3,4", 0, "range 1"),
            ("B3/S23|B36/S23|B2/S", 14, "two rules"),
            ("B3/S23|", 7, "missing"),
            ("B3/S23|Phoenix", 6, "two already"),
            ("|B3/S23", 0, "missing"),
            ("B3/S23|B2/SH", 7, "same neighbourhood"),
            ("B3/S23|/2/3", 7, "same number of states"),
            ("B3/S23Symbiosis2", 15, "-majority"),
            ("B3_S23", 2, "underscore"),
            ("B3/S23:X5", 7, "topology"),
            ("B3/S23:T5,", 10, "number"),
            ("Imigration", 0, "no rule is called"),
            ("Immigration-maybe", 12, "-coin"),
            ("Immigration-3", 12, "-1 to -2"),
            ("Immigrations", 11, "-coin"),
            ("3Immigration", 1, "needs a slash"),
            ("MAP", 3, "here by 0"),
            ("MAPARYX", 7, "here by 4"),
            ("MAPARYX!Zab", 7, "here by 4"),
            ("MAPHmlphgX", 10, "here by 7"),
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

    /// Golly's rules for B0; the duals were found with an independent program.
    #[test]
    fn births_of_nothing_are_run_as_golly_does() {
        for (text, dual) in [
            ("B0123478/S01234678", Some("B3/S23")),
            ("Anti-Life", Some("B3/S23")),
            ("B0123478/S01234678:T20,30", Some("B3/S23")),
            ("01234678/0123478:P20,30", Some("B3/S23")),
            ("B012345678/S012345678", Some("B/S")),
            ("B0/S8", Some("B12345678/S01234567")),
            // Four letters change places: c e, i t, n r, y j, q w.
            ("B01234e5678/S0123456-i78", Some("B2i/S4-c")),
            ("B0124/S0134V", Some("B2/S1V")),
            ("B01256/S01256H", Some("B23/S23H")),
            ("B03/S23", None),
            ("B3/S2345678", None),
            ("B0123478/S01234678Immigration", None),
            ("B0123478/S01234678|B3/S23", None),
            ("B3/S23|Anti-Life", None),
            ("Anti-Life|Anti-Life", None),
            ("01234678/0123478/3", None),
        ] {
            let rule = parse(text).unwrap_or_else(|error| panic!("{error}"));
            let note = rule.notes().into_iter().next();
            assert_eq!(note.is_some(), dual.is_some(), "{text}: {note:?}");
            let Some(dual) = dual else { continue };
            assert!(
                note.as_deref().is_some_and(|note| note.contains(&format!("dual {dual} is"))),
                "{text}: {note:?}"
            );
            let cases = |rule: &Rule| {
                crate::rule::table::TransitionTable::enumerate(rule.ruleset()).expect("a table").cases
            };
            assert_eq!(cases(&rule), cases(&parse(dual).expect("a rule")), "{text}");
            assert!(!rule.name().starts_with(dual), "{text}: the text stays");
        }
        let flashes = |text: &str| parse(text).expect("a rule").is_inverted_in_files(7);
        assert!(flashes("B03/S23") && flashes("B0/S:T9") && flashes("B0124-k/S1c25"), "in Golly's files");
        assert!(!flashes("B3/S23") && !flashes("B0/S8") && !flashes("B03/S23|B03/S2"), "not in these");
        assert!(!parse("B03/S23").expect("a rule").is_inverted_in_files(8), "at even generations never");
    }

    #[test]
    fn what_is_wrong_with_a_long_text_is_shown_around_its_place() {
        for text in [
            format!("B3/S2{}x", "3".repeat(5000)),
            format!("law1{{born={}own=3}}", "own==3||".repeat(450)),
            format!("law1{{born={}}}", "own==3||".repeat(600)),
            format!("{}Energetic", "x".repeat(3000)),
            "Q".repeat(5000),
            format!("B3/S23{}Super", "3".repeat(4000)),
            format!("B3/S23{}History2", "3".repeat(4000)),
            format!("R1,C0,S2-3,B3,N{}", "q".repeat(4000)),
            format!("MAP{}!", "A".repeat(9000)),
            format!("PAIR{}!", "A".repeat(9000)),
            format!("P2Life:T{}", "9".repeat(9000)),
            format!("law1{{born={}==3}}", "q".repeat(3000)),
            format!("law1{{born={}(own)}}", "q".repeat(3000)),
            format!("law1{{born=own=={}}}", "9".repeat(3000)),
            format!("B3/S23|{}", "é\u{1b}".repeat(900)),
        ] {
            let shown = parse(&text).expect_err("wrong").to_string();
            assert!(shown.chars().count() < 700, "{} characters: {shown}", shown.chars().count());
            let lines: Vec<&str> = shown.lines().collect();
            assert_eq!((lines.len(), shown.contains('\u{1b}')), (3, false), "{shown}");
            let caret = lines[2].chars().count() - 1;
            assert!(caret <= lines[1].chars().count(), "the caret is below the text: {shown}");
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

    #[test]
    fn isotropic_rules_are_written_in_gollys_canonical_form() {
        for (text, expected) in [
            ("B4-qjrtwz/S", "B4aceikny/S"),
            ("B2-aceikn3/S", "B3/S"),
            ("B2cekin/S12", "B2-a/S12"),
            ("b2-a_s12", "B2-a/S12"),
            // A digit given bare, too, keeps its letters.
            ("B44y/S", "B4y/S"),
            ("B4y4/S", "B4y/S"),
            ("B4-y4/S", "B4-y/S"),
            ("B3/S22-i3", "B3/S2-i3"),
            ("12/2-a", "B2-a/S12"),
            ("B3/S2-i34Q", "B3/S2-i34q"),
            ("B2acek2in/S", "B2/S"),
            ("B2o2m2/SH", "B2mo/SH"),
            ("B2o3m56/S2-p4oH", "B2o3m56/S2mo4oH"),
            ("B2o/S2m34H", "B2o/S2m34H"),
            ("B2-p_S2-m4H", "B2mo/S2op4H"),
        ] {
            assert_eq!(canonical(text), expected, "{text}");
        }
    }

    #[test]
    fn every_lattice_has_its_letters() {
        for neighbourhood in Neighbourhood::ALL {
            let all = (1 << (neighbourhood.size() + 1)) - 1;
            let rule = Condition::counting(neighbourhood, 1 << 2, all);
            assert_eq!(canonical(&rule.to_string()), rule.to_string(), "{neighbourhood:?}");
            let read = parse(&rule.to_string().to_lowercase()).expect("a rule");
            assert_eq!(read.depends_on(), rule.depends_on(), "{neighbourhood:?}");
        }
        for (text, expected) in [
            ("B45/S34L", "B45/S34L"),
            ("34/45l", "B45/S34L"),
            ("B4/S45xyzL", "B4/S45xyzL"),
            ("B4a/S45abcL", "B4x/S45xyzL"),
            ("S2b/B3bL", "B3y/S2yL"),
            ("B3bS2bcL", "B3y/S2yzL"),
            ("B2/S9LV", "B2/S9LV"),
            ("B1/S1LB", "B1/S1LB"),
            ("B2/S34 H", "B2/S34H"),
            ("B1/S3HT", "B1/S3HT"),
            ("B13/S24nx", "B13/S24NX"),
        ] {
            assert_eq!(canonical(text), expected, "{text}");
        }
    }

    #[test]
    fn ageing_cells_are_read_in_every_form() {
        for (text, expected) in [
            ("/2/3", "/2/3"),
            ("Brian's Brain", "/2/3"),
            ("345/2/4", "345/2/4"),
            ("23/3/2", "B3/S23"),
            ("B3/S23/4", "23/3/4"),
            ("S23/B3/4", "23/3/4"),
            ("B3S23/4", "23/3/4"),
            ("B3/S23/G4", "23/3/4"),
            ("B3/S23/C4", "23/3/4"),
            ("G4/B3/S23", "23/3/4"),
            ("C4/B3/S23", "23/3/4"),
            ("G4B3S23", "23/3/4"),
            ("B3/S23G4", "23/3/4"),
            ("g256/23/3", "23/3/256"),
            ("34/2/4H", "34/2/4H"),
            ("B2/S34H/4", "34/2/4H"),
            ("B2/S/3V", "/2/3V"),
            ("12/2-a/3", "12/2-a/3"),
            ("B2-a_S12_3", "12/2-a/3"),
            ("B4x/S45L/G5", "45/4x/5L"),
        ] {
            assert_eq!(canonical(text), expected, "{text}");
        }
    }

    #[test]
    fn ranged_forms_of_range_one_are_the_rules_that_they_mean() {
        for (text, expected) in [
            ("R1,C0,S2-3,B3", "B3/S23"),
            ("R1,C0,S2-3,B3,NM", "B3/S23"),
            ("r1,c2,s2,3,b3,nm", "B3/S23"),
            ("R1,C0,M0,S2..3,B3..3,NM", "B3/S23"),
            ("R1,C0,M1,S3..4,B3..3,NM", "B3/S23"),
            ("1,3,3,3,4", "B3/S23"),
            ("R1,C4,S3-5,B2,NM", "345/2/4"),
            ("R1,C1,S,B2", "B2/S"),
            ("R1,C0,S1-2,B1,NN", "B1/S12V"),
            ("R1,C0,S1,B1,NX", "B1/S1NX"),
            ("R1,C0,S2-3,B3,NC", "B3/S23"),
            ("R1,C0,S2-3,B3,NB", "B3/S23V"),
            ("R1,C0,S2-3,B3,ND", "B3/S23NX"),
            ("R1,C0,S3-4,B2,NH", "B2/S34H"),
            ("R1,C0,S1,B1,N3", "B1/S1HT"),
            ("R1,C0,S3-4,B4-5,NL", "B45/S34L"),
            ("R1,C0,S2,10-12,B4,NL", "B4/S2xyzL"),
            ("R1,C2,S2-3,B3,NMDeadlyEnemies", "B3/S23DeadlyEnemies"),
            ("R1,C2,S2-3,B3,6Immigration-parity", "B36/S23Immigration-parity"),
        ] {
            assert_eq!(canonical(text), expected, "{text}");
        }
    }

    const LIFE_MAP: &str =
        "MAPARYXfhZofugWaH7oaIDogBZofuhogOiAaIDogIAAgAAWaH7oaIDogGiA6ICAAIAAaIDogIAAgACAAIAAAAAAAA";

    #[test]
    fn maps_are_written_as_short_as_they_can_be() {
        for (suffix, expected) in [
            ("", "B3/S23"),
            ("==", "B3/S23"),
            ("/3", "23/3/3"),
            ("Immigration", "Immigration"),
            ("==Symbiosis:T9", "B3/S23Symbiosis:T9,9"),
        ] {
            assert_eq!(canonical(&format!("{LIFE_MAP}{suffix}")), expected, "MAP{suffix}");
        }
        // Only a north-western neighbour gives birth: no letters can say that.
        let moved = format!("MAP{}", "A".repeat(42) + "IAA" + "A".repeat(41).as_str());
        assert_eq!(canonical(&moved), moved, "not isotropic");
        let hex = format!("MAPI{}", "A".repeat(21));
        assert_eq!(canonical(&hex), hex, "on hexagons");
        assert_eq!(canonical("MAPQAAAAAImmigration"), "MAPQAAAAAImmigration", "von Neumann, two colours");
        assert_eq!(canonical("MAPQAAAAA/5"), "MAPQAAAAA/5", "von Neumann, ageing");
        assert_eq!(canonical("MAPAAAAAA"), "B/SV", "von Neumann, nothing lives");
    }

    #[test]
    fn species_live_on_any_condition() {
        for text in [
            "B36/S23Symbiosis",
            "B2/S34HImmigration",
            "B45/S34LQuadLife",
            "B2-a/S12DeadlyEnemies",
            "B24/SVImmigration-parity",
            "B3/S23Symbiosis|B36/S23DeadlyEnemies",
            "B3/S23DeadlyEnemies-majority",
            "B3/S23|B36/S23",
            "Immigration|B36/S23Immigration-none",
            "/2/3|345/2/3",
        ] {
            assert_eq!(canonical(text), text, "{text}");
        }
        assert_eq!(canonical("life|b3s23"), "B3/S23", "the same twice");
        assert_eq!(canonical("symbiosis"), "B3/S23Symbiosis", "Life's by default");
    }

    proptest::proptest! {
        #[test]
        fn any_text_gives_a_rule_or_an_error(
            text in "\\PC{0,40}|[BSbs0-9/:TPImmigration,+-]{0,24}|[BSRMCNHLVGceaikxyzomp0-9/_,.|+-]{0,20}|MAP[A-Za-z/=]{0,30}",
        ) {
            if let Ok(rule) = parse(&text) {
                proptest::prop_assert_eq!(canonical(&rule.to_string()), rule.to_string(), "{}", text);
            }
        }

        #[test]
        fn every_birth_and_survival_set_reads_back(
            place in 0usize..12, births in 0u16..1 << 13, survivals in 0u16..1 << 13, states in 2u16..=256,
        ) {
            let condition = Condition::counting(Neighbourhood::ALL[place], births, survivals);
            let rule = parse(&condition.to_string()).expect("canonical");
            proptest::prop_assert_eq!(rule.name(), condition.to_string());
            let ageing = Generations::new(condition, states).map_or(condition.to_string(), |g| g.to_string());
            let rule = parse(&ageing).expect("canonical");
            proptest::prop_assert_eq!(rule.name(), ageing);
            proptest::prop_assert_eq!(rule.states(), states);
        }

        #[test]
        fn every_arrangement_reads_back(place in 0usize..3, births: [u64; 4], survivals: [u64; 4]) {
            let on = [Neighbourhood::Moore, Neighbourhood::Hexagonal, Neighbourhood::VonNeumann][place];
            let bit = |words: [u64; 4]| move |a: u8| words[usize::from(a >> 6)] >> (a & 63) & 1 == 1;
            let condition = Condition::arranged(on, bit(births), bit(survivals)).expect("arranged");
            let map = condition.to_map().expect("a map");
            for text in [map, condition.to_string()] {
                let read = parse(&text).expect("canonical");
                proptest::prop_assert_eq!(read.name(), condition.to_string());
                let table = |ruleset: &dyn Ruleset| {
                    crate::rule::table::TransitionTable::enumerate(ruleset).map(|table| table.cases)
                };
                let run = if read.runs_its_dual() { condition.dual() } else { condition };
                proptest::prop_assert!(table(read.ruleset()) == table(&run), "{}", text);
            }
        }

        #[test]
        fn any_letters_read_back(births: [u16; 9], survivals: [u16; 9], hexagonal: bool) {
            let on = if hexagonal { Neighbourhood::Hexagonal } else { Neighbourhood::Moore };
            let letters = hensel::Letters::of(on).expect("letters");
            let condition = letters.condition(&births, &survivals);
            let rule = parse(&condition.to_string()).expect("canonical");
            proptest::prop_assert_eq!(rule.name(), condition.to_string());
            proptest::prop_assert!(!rule.name().starts_with("MAP"), "isotropic: {}", rule.name());
        }
    }
}
