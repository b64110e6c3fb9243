//! `biota verify`: the engines against the oracle, on random cases.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::ensure;
use serde::Serialize;

use super::Outcome;
use super::args::VerifyArguments;
use super::output::{Progress, in_thousands, note, print_json, stdout};
use super::rule_text::rule_text;
use crate::coords::Rect;
use crate::engine::{self, EngineError, EngineKind};
use crate::rule::library::open;
use crate::rule::named::states_topology;
use crate::text::grouped;
use crate::verify::{self, Plan, Report, Rules, Share, Subject};

/// The largest board that is verified, cells.
const MAX_CELLS: u64 = 1 << 24;

pub(super) fn verify(arguments: &VerifyArguments) -> anyhow::Result<Outcome> {
    let text = arguments.rule.as_deref().map(rule_text).transpose()?;
    let rules = match text.as_deref() {
        None => Rules::Any,
        // A colon says that the board is part of the rule, be it the unbounded plane.
        Some(text) if states_topology(text) => Rules::AsItIs(open(text)?),
        Some(text) => Rules::OnAnyBoard(open(text)?),
    };
    if let Rules::AsItIs(rule) = &rules {
        let cells = rule.topology().bounds().map_or(0, Rect::area);
        ensure!(
            cells <= MAX_CELLS,
            "{rule} has too large a board for the oracle: at most {MAX_CELLS} cells; without a size boards of many \
             sizes are tried"
        );
    }
    let plan = Plan { seed: arguments.seed, first: arguments.first, cases: arguments.cases, rules };
    let engines = engine_names(&arguments.engines)?;
    let subjects: Vec<Subject> = arguments.engines.iter().copied().map(Subject::of).collect();
    let begin = Instant::now();
    let mut progress = Progress::new();
    let report = verify::verify(&plan, &subjects, |number| {
        progress.show(|| format!("case {} of {}", number - plan.first + 1, plan.cases));
    })?;
    drop(progress);
    let failure = report.failure.as_deref();
    if arguments.json {
        print_json(&Verified::of(&report, &plan, &engines, begin.elapsed().as_secs_f64()))?;
    } else if failure.is_none() {
        print_summary(&report, &plan, &engines.join(" and "), begin.elapsed().as_secs_f64())?;
    }
    let Some(failure) = failure else { return Ok(Outcome::Fine) };
    let saved = match failure.save(Path::new(".")) {
        Ok(_) => format!("the board is in {}", failure.file_name()),
        Err(error) => format!("{} was not written: {error}", failure.file_name()),
    };
    if arguments.json {
        note(&saved);
    } else {
        writeln!(stdout(), "{failure}\n{saved}")?;
    }
    Ok(Outcome::Difference)
}

/// What is printed when all cases were equal.
fn print_summary(report: &Report, plan: &Plan, engines: &str, seconds: f64) -> std::io::Result<()> {
    let mut out = stdout();
    writeln!(
        out,
        "{} cases equal on {engines}: {} rule{}, {} cells × generations, seed {}, {seconds:.1} s",
        grouped(report.equal),
        report.rules,
        if report.rules == 1 { "" } else { "s" },
        in_thousands(report.cell_generations as f64),
        plan.seed,
    )?;
    for (property, values) in report.coverage.by_value() {
        let tried = values.iter().filter(|(_, cases)| *cases > 0);
        let listed: Vec<String> =
            tried.map(|(value, cases)| format!("{value} {}", grouped(*cases))).collect();
        writeln!(out, "  {property:<15}{}", listed.join(" · "))?;
    }
    if matches!(plan.rules, Rules::Any) {
        let [pairs, triples] = [2, 3].map(|order| report.coverage.share(order));
        writeln!(
            out,
            "{} of {} pairs of these that are possible were tried, {} of {} triples",
            grouped(pairs.tried as u64),
            grouped(pairs.possible as u64),
            grouped(triples.tried as u64),
            grouped(triples.possible as u64)
        )?;
    }
    out.flush()
}

/// What `--json` prints; the names and their order are the contract.
#[derive(Serialize)]
struct Verified {
    seed: u64,
    first: u64,
    cases: u64,
    equal: u64,
    engines: Vec<String>,
    rules: usize,
    cell_generations: u64,
    seconds: f64,
    /// Cases by property and value.
    tried: BTreeMap<&'static str, BTreeMap<&'static str, u64>>,
    pairs: Combinations,
    triples: Combinations,
    failure: Option<Failed>,
}

/// How often combinations of values were tried.
#[derive(Serialize)]
struct Combinations {
    tried: usize,
    possible: usize,
    /// Cases by the names of the values.
    cases: BTreeMap<String, u64>,
}

/// The case on which an engine differs, made as small as could be.
#[derive(Serialize)]
struct Failed {
    engine: String,
    case: u64,
    rule: String,
    generations: u64,
    cells: u64,
    repeated_by: String,
    text: String,
}

impl Verified {
    fn of(report: &Report, plan: &Plan, engines: &[String], seconds: f64) -> Self {
        let combinations = |order| {
            let Share { tried, possible } = report.coverage.share(order);
            Combinations { tried, possible, cases: report.coverage.by_combination(order).collect() }
        };
        let by_value = report.coverage.by_value();
        Self {
            seed: plan.seed,
            first: plan.first,
            cases: plan.cases,
            equal: report.equal,
            engines: engines.to_vec(),
            rules: report.rules,
            cell_generations: report.cell_generations,
            seconds,
            tried: by_value.map(|(property, values)| (property, values.into_iter().collect())).collect(),
            pairs: combinations(2),
            triples: combinations(3),
            failure: report.failure.as_deref().map(|failure| Failed {
                engine: failure.engine.clone(),
                case: failure.case,
                rule: failure.rule.to_string(),
                generations: failure.generations,
                cells: failure.difference.cells,
                repeated_by: failure.repeated_by.clone(),
                text: failure.to_string(),
            }),
        }
    }
}

/// The engines in words, the GPU with its adapter. A GPU that was to be checked and isn't there is an error.
fn engine_names(engines: &[EngineKind]) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for kind in engines {
        names.push(match kind {
            EngineKind::Gpu => match engine::gpu::Gpu::shared() {
                Ok(gpu) => format!("gpu ({})", gpu.name()),
                Err(error @ EngineError::NoAdapter(_)) => {
                    anyhow::bail!("{error}; `--engines cpu` checks the CPU engine alone")
                }
                Err(error) => return Err(error.into()),
            },
            other => other.name().to_owned(),
        });
    }
    Ok(names)
}
