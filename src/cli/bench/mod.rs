//! `biota bench`: the same soups on several engines, timed, with equal boards demanded at the end.
//!
//! ```text
//! sizes × rules: one soup each --every engine: create, load, warm up--> a pace --> how many generations are stepped
//!               --every engine, several times: load, step against the clock, count, hash--> Measurement (the median)
//! ```
//!
//! Only stepping is timed. What the columns mean is said in `biota bench --help`.
//! Known limit: where an engine steps several generations in one pass over memory, it may come out above 100 % of the
//! roofline, which is of one pass a generation.

mod memory;
mod table;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde::Serialize;

use super::Outcome;
use super::args::{BenchArguments, Size};
use super::output::{Progress, in_thousands, note, print_json_array, stdout};
use super::rule_text::rule_text;
use crate::board::{Board, Topology};
use crate::engine::gpu::Gpu;
use crate::engine::{self, Cancel, Engine, EngineError, EngineKind, GpuEngine};
use crate::rule::{Rule, library};
use crate::session::Source;

/// The rules that are measured when none is named: one, two and four species, with coins and without, ageing cells, and
/// a table of counts drawn at random.
const RULES: [&str; 6] = [
    "Life",
    "Immigration",
    "P2Life",
    "QuadLife",
    "Brian's Brain",
    "PAIRRIgP/58waM+Dx3A5idNoDCDBwb2Dc4/dsdc6lC1MXlPq2",
];
/// Sides of the boards when no size is named: those of software adapters and processors, and those of GPUs.
const SIDES: [i64; 3] = [1024, 4096, 8192];
const GPU_SIDES: [i64; 3] = [2048, 8192, 32_768];
/// How long the measurements of one rule on one board take on all engines, when no number of generations is given.
const BUDGET: Duration = Duration::from_secs(2);
/// How full the soups are.
const DENSITY: f64 = 0.5;
/// Generations before any clock starts, and how long they may take: drivers compile shaders, and engines try their ways.
const WARM_UP: u64 = 64;
const WARM_UP_TIME: Duration = Duration::from_millis(400);
/// The least time from which a pace is taken.
const PACED: Duration = Duration::from_millis(20);

/// One measurement; in JSON the names and their order are the contract.
#[derive(Serialize)]
struct Measurement {
    engine: &'static str,
    adapter: Option<String>,
    rule: String,
    width: i64,
    height: i64,
    generations: u64,
    /// The median of `samples`.
    seconds: f64,
    cells_per_second: f64,
    population: u64,
    hash: String,
    /// What runs the rule, in words.
    kernel: Option<String>,
    /// The kernel by which the GPU did the last generations: `step`, `leap`, `shuffle` or `tall-shuffle`; none on the other engines.
    stepped_by: Option<&'static str>,
    /// Seconds of each repetition, in their order.
    samples: Vec<f64>,
    /// Three-input gates of the rule's circuit; none on the oracle, and where a decision diagram is walked.
    gates: Option<usize>,
    /// Gates × cells × generations in a second.
    gate_evaluations_per_second: Option<f64>,
    /// Bytes that the engine's machine copies in a second, and the share of the time that reading and writing all
    /// planes once a generation would take at that rate.
    copy_bytes_per_second: Option<f64>,
    roofline: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Profile>,
}

/// Seconds that each stage takes, once.
#[derive(Clone, Serialize)]
struct Profile {
    soup: f64,
    /// From the rule to its circuit or diagram; none on the oracle.
    compile: Option<f64>,
    /// Making the engine: pipelines on the GPU.
    create: f64,
    load: f64,
    /// One generation.
    step: f64,
    /// What of that the GPU itself accounts for; none on the other engines, and on adapters without timestamps.
    #[serde(skip_serializing_if = "Option::is_none")]
    on_gpu: Option<OnGpu>,
    tally: f64,
    /// Reading the board back.
    read: f64,
    hash: f64,
}

/// Seconds of one generation, from a repetition in which the GPU timed its passes.
#[derive(Clone, Serialize)]
struct OnGpu {
    /// By the clock of the machine, all in all.
    wall: f64,
    /// By the GPU's own clock, by kind of pass.
    passes: BTreeMap<&'static str, f64>,
}

impl OnGpu {
    /// Steps once more from `board`, timed.
    fn of(engine: &mut dyn Engine, board: &Board, generations: u64) -> Result<Option<Self>, EngineError> {
        if engine.kind() != EngineKind::Gpu {
            return Ok(None);
        }
        engine.load(board)?;
        let measure = |engine: &mut dyn Engine, wanted| {
            if let Some(gpu) = engine.as_gpu_mut() {
                gpu.measure(wanted);
            }
        };
        measure(engine, true);
        let ((), wall) = timed(|| step(engine, generations))?;
        let times = engine.as_gpu_mut().map_or(Ok(Vec::new()), GpuEngine::take_times)?;
        measure(engine, false);
        let of_one = |seconds: f64| seconds / generations as f64;
        let passes: BTreeMap<_, _> =
            times.into_iter().map(|(kind, time)| (kind, of_one(time.as_secs_f64()))).collect();
        Ok((!passes.is_empty()).then(|| Self { wall: of_one(wall), passes }))
    }
}

impl Profile {
    fn stages(&self) -> Vec<(&'static str, Option<f64>)> {
        vec![
            ("soup", Some(self.soup)),
            ("compile", self.compile),
            ("create", Some(self.create)),
            ("load", Some(self.load)),
            ("step", Some(self.step)),
            ("tally", Some(self.tally)),
            ("read", Some(self.read)),
            ("hash", Some(self.hash)),
        ]
    }
}

pub(super) fn bench(arguments: &BenchArguments) -> anyhow::Result<Outcome> {
    ensure!(
        arguments.generations != Some(0),
        "--generations is at least 1: there is nothing to measure otherwise"
    );
    let engines = engines(arguments)?;
    ensure!(
        arguments.kernel.is_none() || engines.contains(&EngineKind::Gpu),
        "--kernel is one of the gpu engine, which is not among --engines"
    );
    let cases = cases(arguments, &engines)?;
    let mut roofline = Roofline::default();
    let mut progress = Progress::new();
    let mut measurements: Vec<Measurement> = Vec::new();
    let mut outcome = Outcome::Fine;
    let mut out = stdout();
    let mut soups = BTreeMap::new();
    for (rule, size) in &cases {
        let soup = Soup::of(&mut soups, rule, *size, arguments.seed)?;
        let what = format!("{rule}, {} × {}", size.width, size.height);
        let of_case = measure(&engines, rule, soup, arguments, &mut roofline, |stage| {
            progress.show(|| format!("{what}, {stage} …"));
        })
        .with_context(|| what.clone())?;
        if !arguments.json {
            progress.clear();
            // The head only now: an engine that isn't there leaves nothing on stdout.
            if measurements.is_empty() {
                table::head(&mut out)?;
            }
            // The others are measured by the CPU engine, or by the first one where it does not run.
            let of_cpu = of_case.iter().find(|measured| measured.engine == EngineKind::Cpu.name());
            for measured in &of_case {
                table::row(&mut out, measured, of_cpu.unwrap_or(&of_case[0]))?;
            }
            out.flush()?;
        }
        if let Some(text) = disagreement(&of_case, arguments.seed) {
            progress.clear();
            note(&text);
            outcome = Outcome::Difference;
        }
        measurements.extend(of_case);
    }
    drop(progress);
    if arguments.json {
        print_json_array(&measurements)?;
        return Ok(outcome);
    }
    if arguments.profile {
        table::profile(&mut out, &measurements)?;
    }
    writeln!(out)?;
    for kind in [EngineKind::Gpu, EngineKind::Cpu] {
        let Some(measured) = measurements.iter().find(|measured| measured.engine == kind.name()) else {
            continue;
        };
        let adapter = measured.adapter.as_deref().map_or_else(String::new, |name| format!(" is {name}, and"));
        if let Some(rate) = measured.copy_bytes_per_second {
            writeln!(out, "The {kind}{adapter} copies {}bytes/s.", spaced(&in_thousands(rate)))?;
        }
    }
    if outcome == Outcome::Fine && engines.len() > 1 {
        writeln!(out, "All engines ended on the same boards.")?;
    }
    out.flush()?;
    Ok(outcome)
}

/// `4.07 G` before a unit; `12.3` before a unit.
fn spaced(rate: &str) -> String {
    if rate.ends_with(char::is_alphabetic) { rate.to_owned() } else { format!("{rate} ") }
}

/// The rules and the boards that each is measured on, boards of one size after each other.
fn cases(arguments: &BenchArguments, engines: &[EngineKind]) -> anyhow::Result<Vec<(Rule, Size)>> {
    let named: Vec<&str> = if arguments.rule.is_empty() {
        RULES.to_vec()
    } else {
        arguments.rule.iter().map(String::as_str).collect()
    };
    let rules: Vec<Rule> =
        named.iter().map(|text| Ok(library::open(&rule_text(text)?)?)).collect::<anyhow::Result<_>>()?;
    let is_fast = engines.contains(&EngineKind::Gpu) && !Gpu::shared()?.is_software();
    let square = |side| Size { width: side, height: side };
    let sizes = if arguments.size.is_empty() {
        (if is_fast { GPU_SIDES } else { SIDES }).map(square).to_vec()
    } else {
        arguments.size.clone()
    };
    let mut cases = Vec::new();
    for size in sizes {
        for rule in rules.iter().filter(|rule| rule.topology().bounds().is_none()) {
            let Size { width, height } = size;
            cases.push((rule.with_topology(Topology::Torus { width, height }), size));
        }
    }
    for rule in rules {
        if let Some(bounds) = rule.topology().bounds() {
            let own = Size { width: bounds.width, height: bounds.height };
            ensure!(
                arguments.size.is_empty() || arguments.size == [own],
                "{rule} has a board of its own size; give that as --size {}x{}, or none",
                bounds.width,
                bounds.height
            );
            cases.push((rule, own));
        }
    }
    Ok(cases)
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
    match Gpu::shared() {
        Ok(_) => Ok(vec![EngineKind::Gpu, EngineKind::Cpu]),
        Err(error @ EngineError::NoAdapter(_)) => {
            note(&format!("only cpu is measured: {error}"));
            Ok(vec![EngineKind::Cpu])
        }
        Err(error) => Err(error.into()),
    }
}

/// A soup, and how long it took to make.
struct Soup {
    board: Board,
    seconds: f64,
}

/// Soups of one size, by number of species.
type Soups = BTreeMap<u16, (Size, Soup)>;

impl Soup {
    /// The soup for a rule; rules of as many states share one.
    fn of<'a>(soups: &'a mut Soups, rule: &Rule, size: Size, seed: u64) -> anyhow::Result<&'a Self> {
        soups.retain(|_, (of, _)| *of == size);
        Ok(match soups.entry(rule.states()) {
            Entry::Occupied(known) => &known.into_mut().1,
            Entry::Vacant(free) => {
                let source =
                    Source::Soup { width: size.width, height: size.height, densities: vec![DENSITY] };
                let ((board, _), seconds) = timed(|| source.board(rule, seed))?;
                &free.insert((size, Self { board, seconds })).1
            }
        })
    }
}

/// How fast memory is copied, measured when first asked for.
#[derive(Default)]
struct Roofline {
    processor: Option<f64>,
    gpu: Option<f64>,
}

impl Roofline {
    fn of(&mut self, kind: EngineKind) -> Result<Option<f64>, EngineError> {
        let (kept, measure): (_, fn() -> Result<f64, EngineError>) = match kind {
            EngineKind::Oracle => return Ok(None),
            EngineKind::Cpu => (&mut self.processor, || Ok(memory::copy_bytes_per_second())),
            EngineKind::Gpu => (&mut self.gpu, || Gpu::shared()?.copy_bytes_per_second()),
        };
        if kept.is_none() {
            *kept = Some(measure()?);
        }
        Ok(*kept)
    }
}

/// Times a stage.
fn timed<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<(T, f64), E> {
    let begin = Instant::now();
    let value = work()?;
    // A clock may be too coarse for what was done.
    Ok((value, begin.elapsed().as_secs_f64().max(1e-9)))
}

/// Measures a rule on each engine from one soup.
fn measure(
    engines: &[EngineKind],
    rule: &Rule,
    soup: &Soup,
    arguments: &BenchArguments,
    roofline: &mut Roofline,
    mut watch: impl FnMut(&str),
) -> anyhow::Result<Vec<Measurement>> {
    let board = Board { topology: rule.topology(), ..soup.board.clone() };
    let compiles = engines.iter().any(|kind| *kind != EngineKind::Oracle);
    watch("compiling");
    let compiled = if compiles { Some(timed(|| rule.kernel())?) } else { None };
    let mut made: Vec<(EngineKind, Box<dyn Engine>, f64)> = Vec::new();
    let mut pace = 0.0;
    for &kind in engines {
        watch(&format!("{kind}, warming up"));
        let (mut engine, create) = timed(|| engine::create(kind, rule)).with_context(|| kind.name())?;
        if let (Some(gpu), Some(kernel)) = (engine.as_gpu_mut(), arguments.kernel) {
            gpu.set_gait(Some(kernel))?;
        }
        if kind != EngineKind::Oracle || arguments.generations.is_none() {
            engine.load(&board).with_context(|| kind.name())?;
            pace += seconds_of_a_generation(engine.as_mut()).with_context(|| kind.name())?;
        }
        made.push((kind, engine, create));
    }
    let samples = arguments.samples.max(1);
    let generations =
        arguments.generations.unwrap_or_else(|| fitting(BUDGET.as_secs_f64() / (pace * f64::from(samples))));
    let mut measurements = Vec::new();
    for (kind, engine, create) in &mut made {
        let engine = engine.as_mut();
        let mut loads = Vec::new();
        let mut steps = Vec::new();
        for sample in 1..=samples {
            watch(&format!("{kind}, {sample} of {samples}"));
            loads.push(timed(|| engine.load(&board))?.1);
            steps.push(timed(|| step(engine, generations))?.1);
        }
        let stepped_by = engine.as_gpu().map(|gpu| gpu.last_gait().name());
        let on_gpu = if arguments.profile { OnGpu::of(engine, &board, generations)? } else { None };
        let (tally, tally_seconds) = timed(|| engine.tally())?;
        let (end, read_seconds) = timed(|| engine.snapshot())?;
        let (hash, hash_seconds) = timed(|| Ok::<_, EngineError>(end.hash()))?;
        let bounds = engine.field();
        let seconds = median(&steps);
        let cells_per_second = bounds.area() as f64 * generations as f64 / seconds;
        let kernel = compiled.as_ref().filter(|_| *kind != EngineKind::Oracle);
        let gates = kernel.and_then(|(kernel, _)| Some(kernel.as_circuit()?.gates()));
        let copy_bytes_per_second = roofline.of(*kind)?;
        // Planes are read once and written once a generation, as a copy does.
        let bytes_per_cell = kernel.map(|(kernel, _)| kernel.planes() as f64 / 8.0);
        let roofline =
            copy_bytes_per_second.zip(bytes_per_cell).map(|(rate, bytes)| cells_per_second * bytes / rate);
        let profile = Profile {
            soup: soup.seconds,
            compile: kernel.map(|(_, seconds)| *seconds),
            create: *create,
            load: median(&loads),
            step: seconds / generations as f64,
            on_gpu,
            tally: tally_seconds,
            read: read_seconds,
            hash: hash_seconds,
        };
        measurements.push(Measurement {
            engine: kind.name(),
            adapter: engine.adapter(),
            rule: rule.to_string(),
            width: bounds.width,
            height: bounds.height,
            generations,
            seconds,
            cells_per_second,
            population: tally.population(),
            hash: format!("{hash:016x}"),
            kernel: engine.kernel(),
            stepped_by,
            samples: steps,
            gates,
            gate_evaluations_per_second: gates.map(|gates| gates as f64 * cells_per_second),
            copy_bytes_per_second,
            roofline,
            profile: arguments.profile.then_some(profile),
        });
    }
    Ok(measurements)
}

/// How long an engine takes for a generation once it is warm.
fn seconds_of_a_generation(engine: &mut dyn Engine) -> Result<f64, EngineError> {
    // The oracle has nothing to warm up, and all the time that it takes counts.
    if engine.kind() != EngineKind::Oracle {
        let until = Instant::now() + WARM_UP_TIME;
        let mut done = 0;
        while done < WARM_UP && Instant::now() < until {
            done += engine.step(WARM_UP - done, &Cancel::at(until))?;
        }
    }
    let mut generations = 1;
    loop {
        let ((), seconds) = timed(|| step(engine, generations))?;
        if seconds >= PACED.as_secs_f64() || generations >= 1 << 20 {
            return Ok(seconds / generations as f64);
        }
        generations *= 4;
    }
}

/// The largest of 1, 2, 5, 10, 20, … that is at most `most`; 1 at the least.
fn fitting(most: f64) -> u64 {
    let steps = (0..=6).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10u64.pow(zeros)));
    steps.take_while(|step| *step as f64 <= most).last().unwrap_or(1)
}

/// The middle one; of an even number, the lower of the two in the middle.
fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[(sorted.len() - 1) / 2]
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

    pub(super) fn measured(engine: &'static str, hash: &str) -> Measurement {
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
            stepped_by: None,
            samples: vec![1.0],
            gates: Some(38),
            gate_evaluations_per_second: Some(38.0),
            copy_bytes_per_second: Some(1e10),
            roofline: Some(0.25),
            profile: None,
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

    #[test]
    fn generations_are_round_numbers_and_medians_are_in_the_middle() {
        let rounded = [0.0, 0.9, 1.0, 4.99, 5.0, 12.0, 99.0, 1e9].map(fitting);
        assert_eq!(rounded, [1, 1, 1, 2, 5, 10, 50, 5_000_000], "rounded down");
        assert_eq!(median(&[3.0, 1.0, 2.0]).to_string(), "2", "three");
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]).to_string(), "2", "four");
    }
}
