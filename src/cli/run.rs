//! `biota run`: steps a board and says what became of it.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde::Serialize;

use super::args::RunArguments;
use super::checkpoint::Checkpoint;
use super::output::{Progress, clock, columns, in_thousands, note, print_json, stdout};
use super::start::start;
use super::target::Target;
use super::{Outcome, Start, all_of};
use crate::board::{Board, Tally};
use crate::cell::{DEAD, State, glyph, state_name};
use crate::coords::{Coords, Rect, to_index};
use crate::engine::{Cancel, EngineError, EngineKind};
use crate::export::Look;
use crate::lattice::{Lattice, triangle};
use crate::pattern::Pattern;
use crate::rule::Rule;
use crate::session::{EngineChoice, Session, SessionError, Source, interesting_area};
use crate::signals::{Ending, Signal};
use crate::text::grouped;

/// How long the engine works between two looks at the progress.
const SLICE: Duration = Duration::from_millis(200);
/// How many species are named with their populations.
const NAMED_SPECIES: usize = 8;
/// How many times longer the time between two counts of the population is than a count takes.
const COUNTING_SHARE: u32 = 10;
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
    let mut checkpoint = Checkpoint::new(arguments)?;
    let start = start(&arguments.board, false)?;
    for target in &targets {
        target.check_states(start.rule.states())?;
    }
    let (mut session, notes) = start.session()?;
    for text in &notes {
        note(&of_pattern(&start, text));
    }
    // Up to here there is nothing to be lost.
    let ending = Ending::watch(&[Signal::Interrupt, Signal::Terminate, Signal::HangUp]);
    let stepped = step(&mut session, arguments.generations, &ending, checkpoint.as_mut(), &start)?;
    let saves = !targets.is_empty() || checkpoint.is_some();
    // One that fails is no reason to lose the others.
    let mut failed = Vec::new();
    let kept = checkpoint.as_ref().map(|checkpoint| checkpoint.save(&mut session, &start));
    let goes_on = matches!(kept, Some(Ok(())));
    failed.extend(kept.and_then(Result::err));
    failed.extend(targets.iter().filter_map(|target| write(target, &mut session, &start).err()));
    if let Some(error) = stepped.outgrown {
        // The board is still there, and whoever wanted it in a file has it as far as it came.
        let mut error = anyhow::Error::new(error);
        if saves && failed.is_empty() {
            error = error.context("the board is saved as far as it came");
        }
        failed.insert(0, error);
        return all_of(failed).map(|()| Outcome::Fine);
    }
    let (seconds, left) = (stepped.seconds, stepped.left);
    if arguments.json {
        if start.engine == EngineChoice::Automatic && session.engine().kind() == EngineKind::Cpu {
            note(&format!("the engine is cpu: {}", session.engine_reason()));
        }
        failed.extend(report(&mut session, seconds).and_then(|report| print_json(&report)).err());
    } else if targets.is_empty() {
        let printed = print_summary(&mut session, arguments.generations - left, seconds);
        // A terminal that was closed takes no summary, and its end was why the run ended.
        failed.extend(printed.err().filter(|_| !ending.is_asked()));
    }
    if left == 0 {
        return all_of(failed).map(|()| Outcome::Fine);
    }
    let mut text = format!("interrupted at generation {}", grouped(session.generation()));
    if let Some(checkpoint) = checkpoint.filter(|_| goes_on) {
        text = format!("{text}; `{}` goes on", checkpoint.command(left));
    }
    note(&text);
    all_of(failed).map(|()| Outcome::Interrupted)
}

/// Writes the board to a target.
fn write(target: &Target, session: &mut Session, start: &Start) -> anyhow::Result<()> {
    let states = session.rule().states();
    if target.is_pattern() {
        let about = described(session, start).with_context(|| target.name())?;
        return target.write_pattern(&about, &mut session.bands(), states);
    }
    let area = interesting_area(session.rule().topology(), session.tally()?.bounding_box);
    let look = Look::of(session.rule());
    target.write_picture(&session.engine_mut().snapshot()?, area, &look)
}

/// A remark on the pattern, with its name.
fn of_pattern(start: &Start, text: &str) -> String {
    start.name.as_ref().map_or_else(|| text.to_owned(), |name| format!("{name}: {text}"))
}

/// How a run ended.
struct Stepped {
    /// How long it took.
    seconds: f64,
    /// Generations that were to be done and are not.
    left: u64,
    /// Why, where that is the board's fault: life has spread too far.
    outgrown: Option<SessionError>,
}

/// Steps, with progress and checkpoints on the way, until all is done, life has outgrown the engine or the user has had enough.
fn step(
    session: &mut Session,
    generations: u64,
    ending: &Ending,
    mut checkpoint: Option<&mut Checkpoint>,
    start: &Start,
) -> anyhow::Result<Stepped> {
    let mut progress = RunProgress::new(session, generations);
    let begin = Instant::now();
    let last = session.generation().saturating_add(generations);
    let mut next = checkpoint.as_ref().map_or(last, |checkpoint| checkpoint.next(session.generation()));
    let mut outgrown = None;
    while session.generation() < last && !ending.is_asked() {
        let mut cancel = Cancel::on(ending.flag());
        if progress.line.is_on() {
            cancel = cancel.by(Instant::now() + SLICE);
        }
        match session.step(next.min(last).saturating_sub(session.generation()), &cancel) {
            Ok(_) => {}
            Err(error @ SessionError::Engine(EngineError::Outgrown { .. })) => {
                outgrown = Some(error);
                break;
            }
            Err(error) => return Err(error.into()),
        }
        if let Some(text) = session.take_notice() {
            progress.line.clear();
            note(&text);
        }
        if let Some(checkpoint) = checkpoint.as_mut()
            && session.generation() >= next
            && session.generation() < last
        {
            if let Some(text) = checkpoint.try_save(session, start) {
                progress.line.clear();
                note(&text);
            }
            next = checkpoint.next(session.generation());
        }
        progress.show(session)?;
    }
    let seconds = begin.elapsed().as_secs_f64();
    Ok(Stepped { seconds, left: last - session.generation(), outgrown })
}

/// What is said of a run while it runs: generation, speed, population, time left.
struct RunProgress {
    line: Progress,
    begin: Instant,
    first: u64,
    last: u64,
    /// The population when it was counted last; counting is a pass over the board.
    population: u64,
    next_count: Instant,
}

impl RunProgress {
    fn new(session: &Session, generations: u64) -> Self {
        let first = session.generation();
        let (begin, last) = (Instant::now(), first.saturating_add(generations));
        Self { line: Progress::new(), begin, first, last, population: 0, next_count: begin }
    }

    fn show(&mut self, session: &mut Session) -> anyhow::Result<()> {
        if !self.line.is_due() {
            return Ok(());
        }
        let now = Instant::now();
        if now >= self.next_count {
            self.population = session.tally()?.population();
            let counted = Instant::now();
            self.next_count = counted + (counted - now) * COUNTING_SHARE;
        }
        let Self { first, last, population, .. } = *self;
        let generation = session.generation();
        let rate = generation.saturating_sub(first) as f64 / self.begin.elapsed().as_secs_f64();
        // Before the first generation of a huge board is done, nothing is known.
        let left = Duration::try_from_secs_f64((last - generation) as f64 / rate)
            .map_or_else(|_| "?".to_owned(), clock);
        self.line.show(|| {
            format!(
                "generation {} of {}, {}/s, population {}, {left} left",
                grouped(generation),
                grouped(last),
                in_thousands(rate),
                grouped(population),
            )
        });
        Ok(())
    }
}

/// The board as a pattern without its cells, with what its source said of itself.
pub(super) fn described(session: &mut Session, start: &Start) -> anyhow::Result<Pattern> {
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
    let is_hexagonal = session.rule().depends_on().neighbourhood.lattice() == Lattice::Hexagonal;
    let fits = |area: &Rect| {
        let width = if is_hexagonal { 2 * area.width + area.height } else { area.width };
        usize::try_from(width).is_ok_and(|width| width <= columns()) && area.height <= MAX_PRINTED_ROWS
    };
    if let Some(area) = [bounds, tally.bounding_box].into_iter().flatten().find(fits) {
        writeln!(out)?;
        let board = session.engine_mut().snapshot()?;
        out.write_all(drawn(&board, area, session.rule()).as_bytes())?;
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

/// The cells of `area` as glyphs, a line a row; hexagons with a blank between them, each row half a cell to the left of
/// the one above.
fn drawn(board: &Board, area: Rect, rule: &Rule) -> String {
    let (states, lattice) = (rule.states(), rule.depends_on().neighbourhood.lattice());
    let symbol = |at: Coords| match board.get(at) {
        DEAD => glyph(DEAD, states),
        _ if lattice == Lattice::Triangular && states == 2 => triangle(at),
        living => glyph(living, states),
    };
    let mut text = String::new();
    for y in area.y..area.bottom() {
        let row = (area.x..area.right()).map(|x| symbol(Coords::new(x, y)));
        if lattice == Lattice::Hexagonal {
            text.extend(std::iter::repeat_n(' ', to_index(area.bottom() - 1 - y)));
            text.extend(row.flat_map(|symbol| [symbol, ' ']));
            text.truncate(text.trim_end().len());
        } else {
            text.extend(row);
        }
        text.push('\n');
    }
    text
}
