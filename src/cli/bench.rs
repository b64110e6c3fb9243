//! `biota bench`: the same soup on several engines, timed, with equal boards demanded at the end.

use std::io::Write;
use std::time::Instant;

use anyhow::{Context, ensure};
use serde::Serialize;

use super::Outcome;
use super::args::BenchArguments;
use super::output::{Progress, in_thousands, note, print_json_array, stdout};
use super::rule_text::rule_text;
use crate::board::{Board, Topology};
use crate::engine::{self, Cancel, Engine, EngineError, EngineKind};
use crate::rule::{Rule, library};
use crate::session::Source;
use crate::text::grouped;

/// How full the soup is.
const DENSITY: f64 = 0.5;
/// Generations before the clock starts: drivers compile shaders at the first of them.
const WARM_UP: u64 = 8;

/// One measurement; in JSON the names and their order are the contract.
#[derive(Serialize)]
struct Measurement {
    engine: &'static str,
    adapter: Option<String>,
    rule: String,
    width: i64,
    height: i64,
    generations: u64,
    seconds: f64,
    cells_per_second: f64,
    population: u64,
    hash: String,
    kernel: Option<String>,
}

pub(super) fn bench(arguments: &BenchArguments) -> anyhow::Result<Outcome> {
    ensure!(arguments.generations > 0, "--generations is at least 1: there is nothing to measure otherwise");
    let size = arguments.size;
    let rules: Vec<Rule> =
        arguments.rule.iter().map(|text| rule_of(text, arguments)).collect::<Result<_, _>>()?;
    let engines = engines(arguments)?;
    let mut progress = Progress::new();
    let mut measurements = Vec::new();
    let mut outcome = Outcome::Fine;
    let mut out = stdout();
    for rule in &rules {
        let source = Source::Soup { width: size.width, height: size.height, densities: vec![DENSITY] };
        let (board, _) = source.board(rule, arguments.seed)?;
        let mut of_rule: Vec<Measurement> = Vec::new();
        for &kind in &engines {
            progress.show(|| format!("{rule} on {kind} …"));
            of_rule.push(
                measure(kind, rule, &board, arguments.generations)
                    .with_context(|| format!("{kind}, {rule}"))?,
            );
        }
        // The others are measured by the CPU engine, or by the first one where it does not run.
        let base = of_rule
            .iter()
            .find(|measured| measured.engine == EngineKind::Cpu.name())
            .or(of_rule.first())
            .map_or(1.0, |measured| measured.seconds);
        if !arguments.json {
            // The head only now: an engine that isn't there leaves nothing on stdout.
            if measurements.is_empty() {
                print_head(&mut out, arguments)?;
            }
            for measured in &of_rule {
                let Measurement { engine, seconds, cells_per_second, .. } = measured;
                let per_sec = in_thousands(arguments.generations as f64 / seconds);
                let cells = in_thousands(*cells_per_second);
                let ratio = in_thousands(base / seconds);
                writeln!(out, "{:24} {engine:8} {per_sec:>14} {cells:>12} {ratio:>10}", rule.name())?;
            }
            out.flush()?;
        }
        if let Some(text) = disagreement(&of_rule, arguments.seed) {
            note(&text);
            outcome = Outcome::Difference;
        }
        measurements.extend(of_rule);
    }
    drop(progress);
    if arguments.json {
        print_json_array(&measurements)?;
    } else {
        if let Some(adapter) = measurements.iter().find_map(|measured| measured.adapter.as_ref()) {
            writeln!(out, "\nThe GPU is {adapter}.")?;
        }
        if outcome == Outcome::Fine && engines.len() > 1 {
            writeln!(out, "All engines ended on the same board.")?;
        }
        out.flush()?;
    }
    Ok(outcome)
}

fn print_head(out: &mut impl Write, arguments: &BenchArguments) -> std::io::Result<()> {
    let (width, height) = (arguments.size.width, arguments.size.height);
    writeln!(out, "{width} × {height} cells, {} generations\n", grouped(arguments.generations))?;
    writeln!(out, "{:24} {:8} {:>14} {:>12} {:>10}", "RULE", "ENGINE", "GENERATIONS/S", "CELLS/S", "RATIO")
}

/// The rule on a torus of the size asked for; a topology of its own must have that size.
fn rule_of(text: &str, arguments: &BenchArguments) -> anyhow::Result<Rule> {
    let rule = library::open(&rule_text(text)?)?;
    let size = arguments.size;
    match rule.topology().bounds() {
        None => Ok(rule.with_topology(Topology::Torus { width: size.width, height: size.height })),
        Some(bounds) => {
            ensure!(
                (bounds.width, bounds.height) == (size.width, size.height),
                "{rule} has a board of its own size; give that as --size {}x{}",
                bounds.width,
                bounds.height
            );
            Ok(rule)
        }
    }
}

/// Which engines ended on different boards, in words; `None` when all are equal.
fn disagreement(of_rule: &[Measurement], seed: u64) -> Option<String> {
    let first = of_rule.first()?;
    let other = of_rule.iter().find(|measured| measured.hash != first.hash)?;
    Some(format!(
        "{}, seed {seed}, generation {}: {} and {} hold different boards (hashes {} and {}); `biota verify --rule {}` \
         finds out where",
        first.rule,
        first.generations,
        first.engine,
        other.engine,
        first.hash,
        other.hash,
        first.rule.split(':').next().unwrap_or_default()
    ))
}

/// The engines asked for; by default the CPU engine, and the GPU where there is one.
fn engines(arguments: &BenchArguments) -> anyhow::Result<Vec<EngineKind>> {
    if !arguments.engines.is_empty() {
        return Ok(arguments.engines.clone());
    }
    match engine::gpu::Gpu::shared() {
        Ok(_) => Ok(vec![EngineKind::Gpu, EngineKind::Cpu]),
        Err(error @ EngineError::NoAdapter(_)) => {
            note(&format!("only cpu is measured: {error}"));
            Ok(vec![EngineKind::Cpu])
        }
        Err(error) => Err(error.into()),
    }
}

fn measure(kind: EngineKind, rule: &Rule, board: &Board, generations: u64) -> anyhow::Result<Measurement> {
    let mut engine = engine::create(kind, rule)?;
    if kind != EngineKind::Oracle {
        engine.load(board)?;
        step(engine.as_mut(), WARM_UP)?;
    }
    engine.load(board)?;
    let begin = Instant::now();
    step(engine.as_mut(), generations)?;
    let seconds = begin.elapsed().as_secs_f64().max(1e-9);
    let end = engine.snapshot()?;
    let bounds = engine.field();
    Ok(Measurement {
        engine: kind.name(),
        adapter: engine.adapter(),
        rule: rule.to_string(),
        width: bounds.width,
        height: bounds.height,
        generations,
        seconds,
        cells_per_second: bounds.area() as f64 * generations as f64 / seconds,
        population: end.cells.tally().population(),
        hash: format!("{:016x}", end.hash()),
        kernel: engine.kernel(),
    })
}

fn step(engine: &mut dyn Engine, generations: u64) -> Result<(), EngineError> {
    let mut done = 0;
    while done < generations {
        done += engine.step(generations - done, &Cancel::never())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(engine: &'static str, hash: &str) -> Measurement {
        Measurement {
            engine,
            adapter: None,
            rule: "P2Life:T64,64".to_owned(),
            width: 64,
            height: 64,
            generations: 9,
            seconds: 1.0,
            cells_per_second: 1.0,
            population: 5,
            hash: hash.to_owned(),
            kernel: None,
        }
    }

    #[test]
    fn a_fast_wrong_engine_is_told_from_a_right_one() {
        let equal = [measured("gpu", "01"), measured("cpu", "01")];
        assert_eq!(disagreement(&equal, 3), None, "equal boards");
        let different = [measured("gpu", "01"), measured("cpu", "01"), measured("oracle", "02")];
        let text = disagreement(&different, 3).expect("the oracle's board is another one");
        assert!(text.starts_with("P2Life:T64,64, seed 3, generation 9: gpu and oracle hold"), "{text}");
        assert!(text.contains("`biota verify --rule P2Life`"), "{text}");
    }
}
