//! `biota run`: steps a board and says what became of it.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde::Serialize;

use super::args::RunArguments;
use super::output::{Progress, columns, in_thousands, note, print_json, stdout};
use super::start::start;
use super::target::Target;
use super::{Outcome, Start};
use crate::board::{Board, Tally};
use crate::cell::{State, glyph, state_name};
use crate::coords::{Coords, Rect};
use crate::engine::{Cancel, EngineError, EngineKind};
use crate::pattern::Pattern;
use crate::rule::Rule;
use crate::session::{EngineChoice, Session, SessionError, Source, interesting_area};
use crate::text::grouped;

/// How long the engine works between two looks at the progress.
const SLICE: Duration = Duration::from_millis(200);
/// How many species are named with their populations.
const NAMED_SPECIES: usize = 8;
/// The most rows of a board that are printed.
const MAX_PRINTED_ROWS: i64 = 1000;

/// What `--json` prints; the names and their order are the contract.
#[derive(Serialize)]
struct Report {
    rule: String,
    engine: &'static str,
    adapter: Option<String>,
    generation: u64,
    population: u64,
    populations: Vec<u64>,
    bounding_box: Option<[i64; 4]>,
    hash: String,
    seconds: f64,
    kernel: Option<String>,
}

pub(super) fn run(arguments: &RunArguments) -> anyhow::Result<Outcome> {
    let targets: Vec<Target> =
        arguments.out.iter().map(|path| Target::new(path)).collect::<Result<_, _>>()?;
    let prints_rle = targets.iter().filter(|target| target.is_stdout()).count();
    ensure!(prints_rle + usize::from(arguments.json) <= 1, "standard output is wanted twice: for {}", {
        if arguments.json { "--out - and --json" } else { "--out - and --out -" }
    });
    let start = start(&arguments.board, false)?;
    for target in &targets {
        target.check_states(start.rule.states())?;
    }
    let (mut session, notes) = start.session()?;
    for text in &notes {
        note(&of_pattern(&start, text));
    }
    let (seconds, stopped) = match step(&mut session, arguments.generations) {
        Ok(seconds) => (seconds, None),
        // The board is still there, and whoever wants it in a file gets it as far as it came.
        Err(error @ SessionError::Engine(EngineError::Outgrown { .. })) if !targets.is_empty() => {
            (0.0, Some(error))
        }
        Err(error) => return Err(error.into()),
    };
    for target in &targets {
        let states = session.rule().states();
        if target.is_pattern() {
            let about = described(&mut session, &start).with_context(|| target.name())?;
            target.write_pattern(&about, &mut session.bands(), states)?;
        } else {
            let area = interesting_area(session.rule().topology(), session.tally()?.bounding_box);
            target.write_picture(&session.engine_mut().snapshot()?, area, states)?;
        }
    }
    if let Some(error) = stopped {
        return Err(anyhow::Error::new(error).context("the board is saved as far as it came"));
    }
    if arguments.json {
        if start.engine == EngineChoice::Automatic && session.engine().kind() == EngineKind::Cpu {
            note(&format!("the engine is cpu: {}", session.engine_reason()));
        }
        print_json(&report(&mut session, seconds)?)?;
    } else if targets.is_empty() {
        print_summary(&mut session, arguments.generations, seconds)?;
    }
    Ok(Outcome::Fine)
}

/// A remark on the pattern, with its name.
fn of_pattern(start: &Start, text: &str) -> String {
    start.name.as_ref().map_or_else(|| text.to_owned(), |name| format!("{name}: {text}"))
}

/// Steps, with progress; gives the seconds that it took.
fn step(session: &mut Session, generations: u64) -> Result<f64, SessionError> {
    let mut progress = Progress::new();
    let begin = Instant::now();
    let mut done = 0;
    while done < generations {
        let cancel = if progress.is_on() { Cancel::at(Instant::now() + SLICE) } else { Cancel::never() };
        done += session.step(generations - done, &cancel)?;
        progress.show(|| {
            format!(
                "{} of {} generations, {}/s",
                grouped(done),
                grouped(generations),
                in_thousands(done as f64 / begin.elapsed().as_secs_f64())
            )
        });
    }
    Ok(begin.elapsed().as_secs_f64())
}

/// The board as a pattern without its cells, with what its source said of itself.
fn described(session: &mut Session, start: &Start) -> anyhow::Result<Pattern> {
    let pattern = session.about()?;
    Ok(match &start.source {
        Source::Pattern(source) => Pattern {
            name: source.name.clone(),
            author: source.author.clone(),
            comments: source.comments.clone(),
            ..pattern
        },
        _ => pattern,
    })
}

fn report(session: &mut Session, seconds: f64) -> anyhow::Result<Report> {
    let tally = session.tally()?.clone();
    let hash = session.hash()?;
    Ok(Report {
        rule: session.rule().to_string(),
        engine: session.engine().kind().name(),
        adapter: session.engine().adapter(),
        generation: session.generation(),
        population: tally.population(),
        populations: tally.by_state(session.rule().states()),
        bounding_box: tally.bounding_box.map(|bounds| [bounds.x, bounds.y, bounds.width, bounds.height]),
        hash: format!("{hash:016x}"),
        seconds,
        kernel: session.engine().kernel(),
    })
}

/// For people: what ran, how much lives, and the board itself where there is room for it.
fn print_summary(session: &mut Session, generations: u64, seconds: f64) -> anyhow::Result<()> {
    let tally = session.tally()?.clone();
    let states = session.rule().states();
    let bounds = session.rule().topology().bounds();
    let engine = session.engine();
    let mut out = stdout();
    writeln!(out, "rule        {}", session.rule())?;
    write!(out, "engine      {}", engine.kind())?;
    if let Some(adapter) = engine.adapter() {
        write!(out, " on {adapter}")?;
    } else if !session.engine_reason().is_empty() {
        write!(out, " ({})", session.engine_reason())?;
    }
    writeln!(out)?;
    if let Some(kernel) = engine.kernel() {
        writeln!(out, "kernel      {kernel}")?;
    }
    writeln!(out, "generation  {}", grouped(session.generation()))?;
    writeln!(out, "population  {}", populations(&tally, session.rule()))?;
    let background = engine.background();
    if background != 0 {
        let name = state_name(background, states);
        writeln!(out, "background  {name} everywhere; what differs from it is counted")?;
    }
    if let Some(Rect { x, y, width, height }) = tally.bounding_box {
        writeln!(out, "bounds      {width} × {height} at ({x}, {y})")?;
    }
    if generations > 0 {
        let rate = generations as f64 / seconds.max(1e-9);
        write!(out, "speed       {} generations/s", in_thousands(rate))?;
        if let Some(bounds) = bounds {
            write!(out, ", {} cells/s", in_thousands(rate * bounds.area() as f64).trim_end())?;
        }
        writeln!(out)?;
    }
    let fits = |area: &Rect| {
        usize::try_from(area.width).is_ok_and(|width| width <= columns()) && area.height <= MAX_PRINTED_ROWS
    };
    if let Some(area) = [bounds, tally.bounding_box].into_iter().flatten().find(fits) {
        writeln!(out)?;
        let board = session.engine_mut().snapshot()?;
        out.write_all(drawn(&board, area, states).as_bytes())?;
    }
    out.flush()?;
    Ok(())
}

/// `812: white 400, black 412`; of a single species just the number. Of many species the largest are named.
fn populations(tally: &Tally, rule: &Rule) -> String {
    let mut text = grouped(tally.population());
    let by_state = tally.by_state(rule.states());
    if by_state.len() > 1 {
        let mut species: Vec<(State, u64)> = (1..=State::MAX).zip(by_state).collect();
        let mut others = 0;
        if species.len() > NAMED_SPECIES {
            species.retain(|(_, count)| *count > 0);
            species.sort_by_key(|(_, count)| Reverse(*count));
            others = species.len().saturating_sub(NAMED_SPECIES);
            species.truncate(NAMED_SPECIES);
            species.sort_by_key(|(state, _)| *state);
        }
        let named = species.iter().map(|&(state, count)| {
            let name = rule.state_name(state).map_or_else(|| state_name(state, rule.states()), str::to_owned);
            format!("{name} {}", grouped(count))
        });
        // Writing to a string never fails.
        let _ = write!(text, ": {}", named.collect::<Vec<_>>().join(", "));
        if others > 0 {
            let _ = write!(text, ", and {others} more states");
        }
    }
    text
}

/// The cells of `area` as glyphs, a line a row.
fn drawn(board: &Board, area: Rect, states: u16) -> String {
    let mut text = String::new();
    for y in area.y..area.bottom() {
        text.extend((area.x..area.right()).map(|x| glyph(board.get(Coords::new(x, y)), states)));
        text.push('\n');
    }
    text
}
