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
        .register_fn("%", |a: Parity, b: INT| if b == 2 { Ok(INT::from(a.0)) } else { fail(ONLY) })
        .register_fn("&", |a: Parity, b: INT| if b == 1 { Ok(INT::from(a.0)) } else { fail(ONLY) });
    for comparison in COMPARISONS {
        engine
            .register_fn(comparison, |_: Parity, _: INT| fail::<bool>(ONLY))
            .register_fn(comparison, |_: INT, _: Parity| fail::<bool>(ONLY))
            .register_fn(comparison, |_: Parity, _: Parity| fail::<bool>(ONLY));
    }
}

const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

/// Comparisons that rhai would answer though they compare what can't be compared.
fn register_traps(engine: &mut Engine) {
    const CHAIN: &str =
        "true or false can't be compared with a number; say 2 <= own && own <= 3, or own in 2..=3";
    const RANGE: &str = "a range can't be compared; say own in 2..=3";
    const LIST: &str = "a list can't be compared; say own in [2, 3]";
    for comparison in COMPARISONS {
        engine
            .register_fn(comparison, |_: bool, _: INT| fail::<bool>(CHAIN))
            .register_fn(comparison, |_: INT, _: bool| fail::<bool>(CHAIN))
            .register_fn(comparison, |_: INT, _: RangeInclusive<INT>| fail::<bool>(RANGE))
            .register_fn(comparison, |_: INT, _: Range<INT>| fail::<bool>(RANGE))
            .register_fn(comparison, |_: INT, _: Array| fail::<bool>(LIST));
    }
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
                "'{name}' is not known; there are own, other, rival, total, {}, species, cell, x, y, generation, coin",
                COUNTS[..usize::from(species)].join(", ")
            ),
        },
        ParseErrorType::ExprTooDeep => format!("the expression nests too deep: at most {MAX_DEPTH} levels"),
        ParseErrorType::UnexpectedEOF => "the expression is not finished".to_owned(),
        other => {
            let said = lower_first(&other.to_string());
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
            format!("there is no {}", name.replace("i64", "number").replace("bool", "truth"))
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
