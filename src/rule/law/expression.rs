//! The expressions of a law, in rhai, with what they see and with limits on what they may do.
//!
//! Only expressions are compiled: no statements, loops, functions or assignments. What rhai would let pass in
//! silence and nobody means, such as `2 <= own <= 3` (a truth compared with a number: always false there), is an
//! error here.

use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

use rhai::packages::{ArithmeticPackage, LogicPackage, Package};
use rhai::{AST, Array, Dynamic, Engine, EvalAltResult, INT, ParseErrorType, Position, Scope};

use super::text::Clause;
use super::{Complaint, MAX_SPECIES};
use crate::cell::State;
use crate::text::quoted;

/// What the expressions see of the sites of a cell by parity only.
pub(super) const PARITIES: [&str; 3] = ["x", "y", "generation"];
/// The variable that is a coin.
pub(super) const COIN: &str = "coin";
/// Counts of each species by itself.
const COUNTS: [&str; MAX_SPECIES as usize] = ["n1", "n2", "n3", "n4"];

/// Steps of evaluation that one expression may take for one case.
const MAX_OPERATIONS: u64 = 2000;
/// How deep expressions nest.
const MAX_DEPTH: usize = 40;
/// The longest list.
const MAX_LIST: usize = 64;
/// The most characters that are taken over of what rhai says.
const MAX_SAID: usize = 200;

/// What an expression sees in one case.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// The species that is asked, from 1.
    pub(super) species: State,
    /// The state of the cell.
    pub(super) cell: State,
    /// Neighbours by species.
    pub(super) counts: [u8; MAX_SPECIES as usize],
    /// Bit 0: x is odd; 1: y is; 2: the generation is.
    pub(super) parities: u8,
    /// What the coin shows.
    pub(super) coin: bool,
}

/// A compiled expression.
pub(super) struct Expression<'a> {
    keyword: &'static str,
    clause: &'a Clause,
    tree: AST,
    /// The words in it.
    words: Vec<&'a str>,
}

/// What to say of a number that is looked for in a number.
const CONTAINED: &str = "after in comes a range or a list, as in own in 2..=3 or own in [2, 3]";
/// What a [`Parity`] is called.
const COORDINATE: &str = "coordinate";

/// An integer of which only the parity may be asked.
#[derive(Clone, Copy, Debug)]
struct Parity(bool);

impl From<INT> for Parity {
    fn from(number: INT) -> Self {
        Self(number & 1 == 1)
    }
}

/// The one engine, which holds no state between evaluations.
static ENGINE: LazyLock<Engine> = LazyLock::new(engine);

type Answer<T> = Result<T, Box<EvalAltResult>>;

/// An error of a function that an expression called.
fn fail<T>(message: &str) -> Answer<T> {
    Err(EvalAltResult::ErrorRuntime(message.into(), Position::NONE).into())
}

fn engine() -> Engine {
    let mut engine = Engine::new_raw();
    engine
        // Else rhai's own comparisons of unlike things come before the traps below.
        .set_fast_operators(false)
        .set_strict_variables(true)
        .set_max_operations(MAX_OPERATIONS)
        .set_max_expr_depths(MAX_DEPTH)
        .set_max_array_size(MAX_LIST)
        .set_max_string_size(MAX_LIST);
    for word in ["eval", "print", "debug", "type_of", "is_def_var", "Fn", "call", "curry", "this", "global"] {
        engine.disable_symbol(word);
    }
    ArithmeticPackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    engine
        .register_fn("contains", |_: INT, _: INT| fail::<bool>(CONTAINED))
        .register_fn("contains", |range: RangeInclusive<INT>, number: INT| range.contains(&number))
        .register_fn("contains", |range: Range<INT>, number: INT| range.contains(&number))
        .register_fn("contains", |list: Array, number: INT| -> Answer<bool> {
            let numbers: Result<Vec<INT>, _> = list.iter().map(Dynamic::as_int).collect();
            numbers
                .map_or_else(|_| fail("a list holds numbers, as in [2, 3, 6]"), |n| Ok(n.contains(&number)))
        });
    register_parity(&mut engine);
    register_traps(&mut engine);
    engine
}

/// Sums and products of parities, and `% 2`.
fn register_parity(engine: &mut Engine) {
    const ONLY: &str = "of x, y and generation only the parity can be asked, as in x % 2 == 0 or (x + y) % 2";
    engine.register_type_with_name::<Parity>(COORDINATE);
    for sum in ["+", "-"] {
        engine
            .register_fn(sum, |a: Parity, b: Parity| Parity(a.0 ^ b.0))
            .register_fn(sum, |a: Parity, b: INT| Parity(a.0 ^ Parity::from(b).0))
            .register_fn(sum, |a: INT, b: Parity| Parity(Parity::from(a).0 ^ b.0))
            .register_fn(sum, |a: Parity| a);
    }
    engine
        .register_fn("*", |a: Parity, b: Parity| Parity(a.0 && b.0))
        .register_fn("*", |a: Parity, b: INT| Parity(a.0 && Parity::from(b).0))
        .register_fn("*", |a: INT, b: Parity| Parity(Parity::from(a).0 && b.0))
        .register_fn("is_odd", |a: Parity| a.0)
        .register_fn("is_even", |a: Parity| !a.0)
        .register_fn("%", |a: Parity, b: INT| if b == 2 { Ok(INT::from(a.0)) } else { fail(ONLY) });
    for comparison in COMPARISONS {
        engine
            .register_fn(comparison, |_: Parity, _: INT| fail::<bool>(ONLY))
            .register_fn(comparison, |_: INT, _: Parity| fail::<bool>(ONLY))
            .register_fn(comparison, |_: Parity, _: bool| fail::<bool>(ONLY))
            .register_fn(comparison, |_: bool, _: Parity| fail::<bool>(ONLY))
            .register_fn(comparison, |_: Parity, _: Parity| fail::<bool>(ONLY));
    }
}

const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

/// Comparisons that rhai would answer though they compare what can't be compared.
fn register_traps(engine: &mut Engine) {
    const CHAIN: &str =
        "true or false can't be compared with a number; say 2 <= own && own <= 3, or own in 2..=3";
    for comparison in COMPARISONS {
        engine
            .register_fn(comparison, |_: bool, _: INT| fail::<bool>(CHAIN))
            .register_fn(comparison, |_: INT, _: bool| fail::<bool>(CHAIN));
    }
    for comparison in &COMPARISONS[2..] {
        engine.register_fn(*comparison, |_: bool, _: bool| {
            fail::<bool>("of true and false neither is more; they are compared by == and !=")
        });
    }
}

/// The functions that an expression may call.
const FUNCTIONS: [&str; 5] = ["min", "max", "abs", "is_odd", "is_even"];
/// Signs of more than one character, longest first.
const LONG_SIGNS: [&str; 10] = ["..=", "..", "&&", "||", "**", "<<", ">>", "==", "<=", ">="];
/// Signs that mean something to rhai and nothing in a law, and what to say of them.
const FOREIGN_SIGNS: [(&str, &str); 7] = [
    ("**", "numbers are multiplied by *, as in own * own"),
    ("<<", "numbers are reckoned with by + - * / %"),
    (">>", "numbers are reckoned with by + - * / %"),
    ("^", "numbers are reckoned with by + - * / %"),
    ("&", "conditions are joined by &&, and the parity of a number is own % 2"),
    ("|", "conditions are joined by ||"),
    (".", "numbers are whole, and nothing is called by a dot"),
];

/// The words and signs of a text without blanks, each with its place.
fn tokens(text: &str) -> Vec<(usize, &str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let sign = LONG_SIGNS.iter().find(|sign| rest.starts_with(**sign)).map(|sign| sign.len());
        let length = match sign {
            Some(length) => length,
            None if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            None => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        if !first.is_whitespace() {
            tokens.push((text.len() - rest.len(), token));
        }
        rest = after;
    }
    tokens
}

/// Finds what rhai would read and a law can't mean: signs that are not among those of a law, lists and ranges that
/// nothing is looked for in, elements of a list, parentheses with nothing in them, other functions.
fn foreign(text: &str) -> Option<(usize, String)> {
    let tokens = tokens(text);
    let word =
        |index: Option<usize>| index.and_then(|index| tokens.get(index)).map_or("", |(_, token)| *token);
    tokens.iter().enumerate().find_map(|(index, &(place, token))| {
        let (before, after) = (word(index.checked_sub(1)), word(Some(index + 1)));
        let message = match token {
            "[" if before != "in" => "a list stands after in, as in own in [2, 3]".to_owned(),
            ".." | "..=" if !is_looked_in(&tokens[..index]) => {
                "a range stands after in, as in own in 2..=3".to_owned()
            }
            "(" if after == ")" => "between these parentheses there is nothing".to_owned(),
            name if after == "("
                && name.starts_with(|c: char| c.is_ascii_alphabetic())
                && !FUNCTIONS.contains(&name)
                && !["in", "not"].contains(&name) =>
            {
                format!("there is no {}; an expression may call {}", quoted(name), FUNCTIONS.join(", "))
            }
            sign => FOREIGN_SIGNS.iter().find(|(foreign, _)| *foreign == sign)?.1.to_owned(),
        };
        Some((place, message))
    })
}

/// Whether something is looked for in the range that begins at the end of `tokens`.
fn is_looked_in(tokens: &[(usize, &str)]) -> bool {
    let mut closed = 0;
    for (_, token) in tokens.iter().rev() {
        match *token {
            ")" | "]" => closed += 1,
            // The range may be in parentheses.
            "(" if closed == 0 => {}
            "(" | "[" if closed > 0 => closed -= 1,
            _ if closed > 0 => {}
            "in" => return true,
            "[" | "," | "&&" | "||" | "==" | "!" | "=" | "<" | "<=" | ">" | ">=" => return false,
            _ => {}
        }
    }
    false
}

/// The variables of a law of so many species, with their values in one case.
fn scope(species: State, view: View) -> Scope<'static> {
    let mut scope = Scope::new();
    let number = |count: u8| INT::from(count);
    let counts = &view.counts[..usize::from(species)];
    let own = counts[usize::from(view.species) - 1];
    let total: u8 = counts.iter().sum();
    let rival = (1..).zip(counts).filter(|(s, _)| *s != view.species).map(|(_, &n)| n).max().unwrap_or(0);
    scope
        .push("own", number(own))
        .push("other", number(total - own))
        .push("rival", number(rival))
        .push("total", number(total))
        .push("species", number(view.species))
        .push("cell", number(view.cell))
        .push(COIN, view.coin);
    for (name, &count) in COUNTS.iter().zip(counts) {
        scope.push(*name, number(count));
    }
    for (bit, name) in PARITIES.into_iter().enumerate() {
        scope.push(name, Parity(view.parities >> bit & 1 == 1));
    }
    scope
}

impl<'a> Expression<'a> {
    /// Compiles the expression of a clause, in a law of so many species.
    pub(super) fn new(keyword: &'static str, clause: &'a Clause, species: State) -> Result<Self, Complaint> {
        let nothing = View { species: 1, cell: 0, counts: [0; 4], parities: 0, coin: false };
        let tree = ENGINE
            .compile_expression_with_scope(&scope(species, nothing), &clause.text)
            .map_err(|error| (place(clause, error.position()), misread(error.err_type(), species)))?;
        if let Some((at, message)) = foreign(&clause.text) {
            return Err((clause.start + at, message));
        }
        let words = clause
            .text
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty())
            .collect();
        Ok(Self { keyword, clause, tree, words })
    }

    /// Where it begins.
    pub(super) const fn start(&self) -> usize {
        self.clause.start
    }

    /// Whether it may look at a variable.
    pub(super) fn names(&self, variable: &str) -> bool {
        self.words.contains(&variable)
    }

    /// Its value in one case; `describe` says in words which case that is.
    pub(super) fn value(
        &self,
        species: State,
        view: View,
        describe: impl FnOnce() -> String,
    ) -> Result<bool, Complaint> {
        match ENGINE.eval_ast_with_scope::<Dynamic>(&mut scope(species, view), &self.tree) {
            Ok(value) => value.as_bool().map_err(|kind| {
                let is_parity = value.is::<Parity>();
                let kind = if is_parity { COORDINATE } else { kind };
                let shown = value.as_int().map_or_else(|_| format!("a {kind}"), |number| number.to_string());
                let example = if is_parity { "x % 2 == 0" } else { "own == 3" };
                let message = format!(
                    "{} gives {shown}, and has to give true or false, as {example} does ({})",
                    self.keyword,
                    describe()
                );
                (self.clause.start, message)
            }),
            Err(error) => {
                let at = place(self.clause, error.position());
                Err((at, format!("{} ({})", failed(&error), describe())))
            }
        }
    }
}

/// The place in the law of a place in a clause.
fn place(clause: &Clause, position: Position) -> usize {
    let length = clause.text.chars().count();
    clause.start + position.position().map_or(length, |column| (column - 1).min(length))
}

/// What those who know other languages write, and what to say then.
const HINTS: [(&str, &str); 12] = [
    ("=", "numbers are compared by =="),
    ("is", "numbers are compared by =="),
    ("equals", "numbers are compared by =="),
    ("=>", "numbers are compared by == != < <= > >="),
    ("<>", "numbers are compared by == != < <= > >="),
    (">", "numbers are compared by == != < <= > >="),
    ("or", "conditions are joined by || (or) and && (and)"),
    ("and", "conditions are joined by || (or) and && (and)"),
    (",", "several numbers are a list, as in own in [2, 3]"),
    (".", "numbers are whole, and nothing is called by a dot"),
    ("{", "there are only expressions, such as own == 3 && other == 0"),
    ("this", "there is no 'this'; cell is the state of the cell"),
];

/// What to say when an expression can't be read.
fn misread(error: &ParseErrorType, species: State) -> String {
    match error {
        ParseErrorType::VariableUndefined(name) => match COUNTS.iter().position(|count| count == name) {
            Some(_) => format!("there is no species {}: the law has {species}", &name[1..]),
            None => format!(
                "'{}' is not known; there are own, other, rival, total, {}, species, cell, x, y, generation, coin",
                quoted(name),
                COUNTS[..usize::from(species)].join(", ")
            ),
        },
        ParseErrorType::ExprTooDeep => format!("the expression nests too deep: at most {MAX_DEPTH} levels"),
        ParseErrorType::UnexpectedEOF => "the expression is not finished".to_owned(),
        other => {
            // A token may be as long as the law.
            let said: String = lower_first(&other.to_string()).chars().take(MAX_SAID).collect();
            let hint = HINTS.iter().find(|(what, _)| said.contains(&format!("'{what}'")));
            hint.map_or(said, |(_, hint)| (*hint).to_owned())
        }
    }
}

/// What to say when an expression fails.
fn failed(error: &EvalAltResult) -> String {
    match error {
        EvalAltResult::ErrorRuntime(message, _) => message.to_string(),
        EvalAltResult::ErrorTooManyOperations(_) => "the expression takes too long".to_owned(),
        EvalAltResult::ErrorFunctionNotFound(name, _) if name.starts_with("not ") => {
            "not is written !, as in !(own == 3)".to_owned()
        }
        EvalAltResult::ErrorFunctionNotFound(name, _) => {
            format!("there is no {}", quoted(name).replace("i64", "number").replace("bool", "truth"))
        }
        EvalAltResult::ErrorMismatchDataType(wanted, found, _) => format!(
            "a {} is needed here, and this is a {}",
            wanted.replace("i64", "number").replace("bool", "truth"),
            found.replace("i64", "number").replace("bool", "truth")
        ),
        EvalAltResult::ErrorArithmetic(message, _) => lower_first(message),
        other => {
            let mut other = other.to_string();
            // The place is told by the character already.
            if let Some(at) = other.rfind(" (line ") {
                other.truncate(at);
            }
            lower_first(&other)
        }
    }
}

/// A sentence as the part of another one.
fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}
