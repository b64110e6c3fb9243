//! Engines against the oracle on random boards, rules and topologies; and when they differ, the smallest board on
//! which they do.
//!
//! ```text
//! seed, number --Case::draw--> rule, board, generations --Trial--> engine and oracle, stepped --compare--> equal?
//!                                         no: shrink --> Failure: fewest generations, fewest cells, smallest board
//! ```
//!
//! A case is drawn from the seed and its own number alone, so that it can be repeated without those before it. What is drawn
//! covers everything that engines do differently by construction: see [`PROPERTIES`], and [`Coverage`] for how often what was
//! tried.
//! Knows no faces. Engines are handed in as [`Subject`]s, so that a test can hand in a broken one.

mod case;
mod compare;
mod failure;
mod large;
mod law;
mod random;
mod schedule;
mod shrink;
mod situation;
mod synthetic;

use std::cell::OnceCell;
use std::collections::BTreeSet;

pub use case::Case;
pub use compare::{Difference, Differing, compare};
pub use failure::Failure;
pub use situation::{Coverage, PROPERTIES, Property, Share, Situation};

use case::Drawn;
use schedule::Schedule;

use crate::board::{Board, Topology};
use crate::engine::{self, Cancel, Engine, EngineError, EngineKind};
use crate::rule::Rule;

/// Makes an engine for a rule and the number of a case.
type Make = dyn Fn(&Rule, u64) -> Result<Box<dyn Engine>, EngineError>;

/// In one case of so many, all of the GPU's kernels may be chosen whatever the adapter.
const RARELY: u64 = 16;

/// An engine that is to be checked.
pub struct Subject {
    name: String,
    make: Box<Make>,
}

impl Subject {
    /// An engine of one's own, made for each case by `make`.
    pub fn new(name: &str, make: impl Fn(&Rule) -> Result<Box<dyn Engine>, EngineError> + 'static) -> Self {
        Self { name: name.to_owned(), make: Box::new(move |rule, _| make(rule)) }
    }

    /// A built-in engine. The GPU's goes through the kernels that there are for the rule, case by case: which one is fastest
    /// would be another one each time.
    pub fn of(kind: EngineKind) -> Self {
        let make = move |rule: &Rule, number: u64| {
            let mut engine = engine::create(kind, rule)?;
            if let Some(gpu) = engine.as_gpu_mut() {
                let mut all = gpu.gaits();
                // A software adapter takes seconds to compile those that work in registers.
                if gpu.gpu().is_software() && !number.is_multiple_of(RARELY) {
                    all.truncate(2);
                }
                let turn = (number / RARELY + number) % all.len().max(1) as u64;
                let chosen = usize::try_from(turn).ok().and_then(|turn| all.get(turn).copied());
                // One that the driver does not take is not there, as the log says; then the engine chooses.
                gpu.set_gait(chosen).ok();
            }
            Ok(engine)
        };
        Self { name: kind.name().to_owned(), make: Box::new(make) }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Which cases are tried.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What all cases are drawn from.
    pub seed: u64,
    /// The number of the first case.
    pub first: u64,
    /// How many cases are tried.
    pub cases: u64,
    /// The rules that they are of.
    pub rules: Rules,
}

/// The rules that cases are of.
#[derive(Clone, Debug)]
pub enum Rules {
    /// Named ones and random ones by turns, each for some cases on boards of all shapes.
    Any,
    /// This rule, on boards of all shapes.
    OnAnyBoard(Rule),
    /// This rule with its own topology.
    AsItIs(Rule),
}

impl Plan {
    /// The command that repeats one case of this plan on one engine.
    fn repeating(&self, case: u64, engine: &str) -> String {
        let command =
            format!("biota verify --seed {} --first {case} --cases 1 --engines {engine}", self.seed);
        match &self.rules {
            Rules::Any => command,
            Rules::OnAnyBoard(rule) => format!("{command} --rule '{}'", rule.name()),
            Rules::AsItIs(rule) if rule.topology() == Topology::Unbounded => {
                format!("{command} --rule '{rule}:'")
            }
            Rules::AsItIs(rule) => format!("{command} --rule '{rule}'"),
        }
    }
}

/// What came of the cases that were tried.
#[derive(Debug, Default)]
pub struct Report {
    /// Cases that were equal on all engines.
    pub equal: u64,
    /// How many rules they had, not counting topologies.
    pub rules: usize,
    /// Cells times generations that the engines and the oracle were compared over, about (of the unbounded plane: the
    /// cells of the soup).
    pub cell_generations: u64,
    /// What was tried.
    pub coverage: Coverage,
    /// The first case that was not equal, shrunk; no further ones are tried.
    pub failure: Option<Box<Failure>>,
}

/// Tries the cases of `plan` on each of `subjects`, up to the first difference; `watch` is told the number of each.
///
/// Errors when an engine can't do its work at all.
pub fn verify(plan: &Plan, subjects: &[Subject], mut watch: impl FnMut(u64)) -> Result<Report, EngineError> {
    let mut report = Report::default();
    let mut rules = BTreeSet::new();
    let schedule = OnceCell::new();
    // Compiling a rule takes longer than running a case, so the rule of the case before is kept.
    let mut known: Option<(u64, Drawn)> = None;
    for number in (plan.first..).take(usize::try_from(plan.cases).unwrap_or(usize::MAX)) {
        watch(number);
        let group = case::group(number);
        let drawn = match (&plan.rules, known) {
            (_, Some((of, drawn))) if of == group => drawn,
            (Rules::Any, _) => {
                case::draw_rule(plan.seed, group, schedule.get_or_init(|| Schedule::new(plan.seed)))
            }
            (Rules::OnAnyBoard(rule) | Rules::AsItIs(rule), _) => Drawn::from(rule.clone()),
        };
        let case = Case::draw(plan.seed, number, &drawn, matches!(plan.rules, Rules::AsItIs(_)));
        for subject in subjects {
            let mut trial = Trial::new(subject, &case.rule, number)?;
            if trial.difference(&case.board, case.generations, case.cut)?.is_some() {
                let failure = shrink::shrink(subject, &case, drawn.law, plan)?;
                report.failure = Some(Box::new(failure));
                report.rules = rules.len();
                return Ok(report);
            }
        }
        report.coverage.note(&case.situation()?);
        rules.insert(drawn.rule.name().to_owned());
        report.equal += 1;
        report.cell_generations += case.cell_generations();
        known = Some((group, drawn));
    }
    report.rules = rules.len();
    Ok(report)
}

/// An engine and the oracle for one rule, side by side.
struct Trial {
    oracle: Box<dyn Engine>,
    engine: Box<dyn Engine>,
}

impl Trial {
    /// For a rule and the number of a case.
    fn new(subject: &Subject, rule: &Rule, number: u64) -> Result<Self, EngineError> {
        Ok(Self { oracle: engine::create(EngineKind::Oracle, rule)?, engine: (subject.make)(rule, number)? })
    }

    /// How the boards differ that both make of `board` after `generations`, of which the engine does the first `cut`
    /// in a call of its own; `None` when they are equal.
    fn difference(
        &mut self,
        board: &Board,
        generations: u64,
        cut: u64,
    ) -> Result<Option<Difference>, EngineError> {
        let expected = stepped(self.oracle.as_mut(), board, generations)?;
        self.engine.load(board)?;
        step(self.engine.as_mut(), cut.min(generations))?;
        step(self.engine.as_mut(), generations - cut.min(generations))?;
        // Counting comes first: it must not depend on the board having been read.
        let tally = self.engine.tally()?;
        let found = self.engine.snapshot()?;
        Ok(compare(&expected, &found, &tally))
    }
}

/// The board that an engine makes of `board` in `generations`.
fn stepped(engine: &mut dyn Engine, board: &Board, generations: u64) -> Result<Board, EngineError> {
    engine.load(board)?;
    step(engine, generations)?;
    engine.snapshot()
}

fn step(engine: &mut dyn Engine, generations: u64) -> Result<(), EngineError> {
    let mut done = 0;
    while done < generations {
        done += engine.step(generations - done, &Cancel::never())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
