//! A rule, a board, an engine, the way back to the start: what the window, the terminal and the command line drive.
//!
//! Knows no faces. Every change either succeeds as a whole or leaves the session as it was.
//!
//! # When the GPU fails
//!
//! A device may be lost, or its memory run out, in the middle of a run. So that the board isn't lost with it, the
//! session holds one: the board that was loaded, and while the GPU steps a copy every half a minute, less often where
//! copying takes more than a fiftieth of the time; it is made piece by piece where a frame waits. After a failure the
//! CPU engine goes on from the held board, and [`Session::take_notice`] says so. Known limit: what was drawn by hand
//! since the copy is lost with the device.

mod bands;
mod heritage;
mod source;
mod verify;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

pub use bands::SessionBands;
pub use heritage::Heritage;
pub use source::{DEMO, MANY_AGES, Source, demo, rule_of};
pub use verify::{Mismatch, Verification};

use crate::board::{Board, Cells, SoupError, Tally, Topology};
use crate::cell::State;
use crate::coords::Rect;
use crate::engine::{self, Cancel, Edit, Engine, EngineError, EngineKind};
use crate::pattern::{Pattern, PatternError};
use crate::rule::circuit::CompileError;
use crate::rule::{ParseError, Rule};
use crate::text::grouped;

/// How many populations are remembered for the plot.
const HISTORY: usize = 2048;
/// How often the board of a GPU is copied, at the most.
const HOLD_EVERY: Duration = Duration::from_secs(30);
/// And how many times longer the time between two copies is than a copy takes.
const HOLD_SHARE: u32 = 50;

/// Why a session could not do what it was asked; it is as it was.
#[derive(Debug, Error)]
pub enum SessionError {
    /// The rule string is wrong.
    #[error(transparent)]
    Rule(#[from] ParseError),
    /// The pattern can't be read or written.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// The soup can't be made.
    #[error(transparent)]
    Soup(#[from] SoupError),
    /// The engine can't do it.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The work was stopped on request.
    #[error("stopped before the end")]
    Cancelled,
}

/// Which engine a session is to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// The one that suits the machine ([`engine::automatic`]).
    #[default]
    Automatic,
    /// This one.
    Fixed(EngineKind),
}

impl EngineChoice {
    /// The engine, and why it was chosen, in words (empty when it was asked for).
    fn decide(self) -> (EngineKind, String) {
        match self {
            Self::Automatic => engine::automatic(),
            Self::Fixed(kind) => (kind, String::new()),
        }
    }
}

impl std::str::FromStr for EngineChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("auto") {
            return Ok(Self::Automatic);
        }
        text.parse().map(Self::Fixed).map_err(|error: String| format!("{error}, and auto"))
    }
}

/// Populations at one generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    /// The generation.
    pub generation: u64,
    /// Cells by state, from state 1 on.
    pub populations: Vec<u64>,
}

/// The board that is gone on from when the GPU fails.
struct Held {
    /// `None`: the board that a reset goes back to.
    board: Option<Arc<Board>>,
    /// When the next one is taken.
    next: Instant,
    every: Duration,
    /// The next one in the making.
    copy: Option<Copying>,
}

impl Held {
    fn new(board: Option<Arc<Board>>) -> Self {
        Self { board, next: Instant::now() + HOLD_EVERY, every: HOLD_EVERY, copy: None }
    }
}

/// A copy of the board that is being made while the board holds still.
struct Copying {
    /// What is still to be read.
    pieces: std::vec::IntoIter<Rect>,
    cells: Cells,
    taken: Duration,
}

/// A running board.
pub struct Session {
    engine: Box<dyn Engine>,
    choice: EngineChoice,
    engine_reason: String,
    /// What a reset goes back to.
    start: Arc<Board>,
    /// The tally of the present board, once asked for.
    tally: Option<Tally>,
    history: VecDeque<Census>,
    held: Held,
    notice: Option<String>,
}

impl Session {
    /// A session on a board. Errors when the engine does not take it, as when its topology is not the rule's.
    pub fn new(
        rule: &Rule,
        board: impl Into<Arc<Board>>,
        choice: EngineChoice,
    ) -> Result<Self, SessionError> {
        let board = board.into();
        let (engine, engine_reason) = loaded_engine(rule, &board, choice)?;
        Ok(Self {
            engine,
            choice,
            engine_reason,
            start: board,
            tally: None,
            history: VecDeque::new(),
            held: Held::new(None),
            notice: None,
        })
    }

    /// The rule, with its topology.
    pub fn rule(&self) -> &Rule {
        self.engine.rule()
    }

    /// The engine.
    pub fn engine(&self) -> &dyn Engine {
        self.engine.as_ref()
    }

    /// The engine, to change its board: [`Session::touched`] must follow when the board was changed.
    pub fn engine_mut(&mut self) -> &mut dyn Engine {
        self.engine.as_mut()
    }

    /// Which engine was asked for.
    pub const fn choice(&self) -> EngineChoice {
        self.choice
    }

    /// Why this engine is used, in words; empty when it was asked for.
    pub fn engine_reason(&self) -> &str {
        &self.engine_reason
    }

    /// The generation of the board.
    pub fn generation(&self) -> u64 {
        self.engine.generation()
    }

    /// The seed of coins.
    pub fn seed(&self) -> u64 {
        self.engine.seed()
    }

    /// Steps up to `generations` generations, fewer when `cancel` is due; gives how many were done.
    ///
    /// When a GPU fails, none were, and the generation may be an earlier one: the CPU engine goes on from there.
    pub fn step(&mut self, generations: u64, cancel: &Cancel) -> Result<u64, SessionError> {
        let stepped = match self.hold(cancel) {
            Ok(false) => return Ok(0),
            Ok(true) => self.engine.step(generations, cancel),
            Err(error) => Err(error),
        };
        let done = stepped.or_else(|error| self.fall_back(error).map(|()| 0))?;
        if done > 0 {
            self.tally = None;
        }
        Ok(done)
    }

    /// What the user should be told that came up while the board ran, once.
    pub const fn take_notice(&mut self) -> Option<String> {
        self.notice.take()
    }

    /// Takes a copy of the GPU's board, if it is time to; whether that is done with, or was not due.
    fn hold(&mut self, cancel: &Cancel) -> Result<bool, EngineError> {
        let begin = Instant::now();
        if self.engine.kind() != EngineKind::Gpu || begin < self.held.next {
            return Ok(true);
        }
        let mut copy = if let Some(copy) = self.held.copy.take() {
            copy
        } else {
            let pieces = bands::pieces_of(&self.engine.tally()?, bands::PIECE_CELLS).into_iter();
            Copying { pieces, cells: Cells::new(), taken: Duration::ZERO }
        };
        for area in copy.pieces.by_ref() {
            copy.cells.append(self.engine.read(area)?);
            if cancel.is_due() {
                break;
            }
        }
        copy.taken += begin.elapsed();
        if copy.pieces.len() > 0 {
            self.held.copy = Some(copy);
            return Ok(false);
        }
        self.held.next = Instant::now() + self.held.every.max(copy.taken * HOLD_SHARE);
        self.held.board = Some(Arc::new(self.heritage().board(copy.cells)));
        Ok(true)
    }

    /// Goes on on the CPU engine after the GPU has failed; any other error is given back.
    fn fall_back(&mut self, error: EngineError) -> Result<(), SessionError> {
        let of_gpu = self.engine.kind() == EngineKind::Gpu;
        let board = match &error {
            EngineError::Gpu(_) | EngineError::DeviceLost(_) | EngineError::OutOfGpuMemory if of_gpu => {
                Arc::clone(self.held.board.as_ref().unwrap_or(&self.start))
            }
            // The board is as it was. Whoever asked for the GPU alone is told that it is too small.
            EngineError::Outgrown { .. } if of_gpu && self.choice == EngineChoice::Automatic => {
                Arc::new(self.engine.snapshot()?)
            }
            _ => return Err(error.into()),
        };
        let rule = self.rule().clone();
        let cpu = engine::create(EngineKind::Cpu, &rule).and_then(|mut cpu| cpu.load(&board).map(|()| cpu));
        let Ok(cpu) = cpu else { return Err(error.into()) };
        let generation = grouped(board.generation);
        self.notice = Some(format!("{error}; the cpu engine goes on from generation {generation}"));
        (self.engine, self.engine_reason, self.tally) = (cpu, error.to_string(), None);
        Ok(())
    }

    /// Populations and bounds of the present board, worked out once a generation and noted in the history.
    pub fn tally(&mut self) -> Result<&Tally, SessionError> {
        if self.tally.is_none() {
            let tally = match self.engine.tally() {
                Err(error) => {
                    self.fall_back(error)?;
                    self.engine.tally()?
                }
                Ok(tally) => tally,
            };
            let census =
                Census { generation: self.generation(), populations: tally.by_state(self.rule().states()) };
            if self.history.back().is_some_and(|last| last.generation >= census.generation) {
                self.history.retain(|earlier| earlier.generation < census.generation);
            }
            if self.history.len() == HISTORY {
                // Every other one of the old ones goes, so that the whole story stays.
                let mut index = 0;
                self.history.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
            }
            self.history.push_back(census);
            self.tally = Some(tally);
        }
        Ok(self.tally.get_or_insert_default())
    }

    /// Counts until the populations are known or `cancel` is due; whether they are: then [`Self::tally`] has them at
    /// once. What was counted is lost when the board goes on.
    pub fn count(&mut self, cancel: &Cancel) -> Result<bool, SessionError> {
        if self.tally.is_none() && self.engine.count(cancel).is_ok_and(|whole| !whole) {
            return Ok(false);
        }
        // Where counting failed it does so again.
        self.tally().map(|_| true)
    }

    /// Populations at the generations at which they were asked for, oldest first; thinned out when there are many.
    pub const fn history(&self) -> &VecDeque<Census> {
        &self.history
    }

    /// Notes that the board was changed by hand.
    pub fn touched(&mut self) {
        self.tally = None;
        self.held.copy = None;
    }

    /// Sets cells.
    pub fn edit(&mut self, edits: &[Edit]) -> Result<(), SessionError> {
        self.engine.write(edits)?;
        // What is drawn before the first generation belongs to the start.
        if self.generation() == self.start.generation {
            let bounds = self.start.topology.bounds();
            let start = Arc::make_mut(&mut self.start);
            for edit in edits.iter().filter(|edit| bounds.is_none_or(|bounds| bounds.contains(edit.at))) {
                start.cells.set(edit.at, edit.state ^ start.background).map_err(EngineError::from)?;
            }
        }
        self.touched();
        Ok(())
    }

    /// Goes back to the board that was loaded or made last, with what was drawn on it before it ran.
    pub fn reset(&mut self) -> Result<(), SessionError> {
        let start = Arc::clone(&self.start);
        self.replace(&self.rule().clone(), start, self.choice)
    }

    /// What a reset goes back to.
    pub const fn start(&self) -> &Arc<Board> {
        &self.start
    }

    /// Takes another board, and another rule with it.
    pub fn load(&mut self, rule: &Rule, board: Board) -> Result<(), SessionError> {
        self.replace(rule, Arc::new(board), self.choice)
    }

    /// Goes on under another rule: states that it lacks become others of its species; on another topology the board
    /// keeps its middle, and what lies beyond the new edges is dropped.
    pub fn set_rule(&mut self, rule: &Rule) -> Result<(), SessionError> {
        if rule != self.rule() {
            let board = self.engine.snapshot()?;
            *self = self.heritage().under(board, rule)?;
        }
        Ok(())
    }

    /// Goes on on another engine.
    pub fn set_engine(&mut self, choice: EngineChoice) -> Result<(), SessionError> {
        let board = self.engine.snapshot()?;
        *self = self.heritage().on(board, choice)?;
        Ok(())
    }

    /// The present board as a pattern that can be saved.
    pub fn pattern(&mut self) -> Result<Pattern, SessionError> {
        let about = self.about()?;
        Ok(Pattern { cells: self.engine.read(self.engine.field())?, ..about })
    }

    /// [`Self::pattern`] without its cells: these are given by [`Self::bands`].
    pub fn about(&mut self) -> Result<Pattern, SessionError> {
        let living = self.tally()?.bounding_box;
        Ok(self.heritage().about(living))
    }

    /// The cells of the present board, to be saved band by band.
    pub const fn bands(&mut self) -> SessionBands<'_> {
        SessionBands::new(self)
    }

    fn replace(&mut self, rule: &Rule, board: Arc<Board>, choice: EngineChoice) -> Result<(), SessionError> {
        // An engine of the same rule only takes the board: its pipelines stay.
        if rule == self.rule() && choice == self.choice {
            self.engine.load(&board)?;
        } else {
            let (engine, reason) = loaded_engine(rule, &board, choice)?;
            (self.engine, self.engine_reason, self.choice) = (engine, reason, choice);
        }
        self.start = board;
        self.held = Held::new(None);
        self.tally = None;
        self.history.clear();
        Ok(())
    }
}

/// An engine that holds `board`. When the automatic choice can't take it, the CPU engine is tried before giving up; a
/// rule that is too large to compile runs on the oracle then.
fn loaded_engine(
    rule: &Rule,
    board: &Board,
    choice: EngineChoice,
) -> Result<(Box<dyn Engine>, String), SessionError> {
    let refused = (choice == EngineChoice::Automatic).then(|| rule.kernel().err()).flatten();
    let (kind, reason) = match refused.filter(CompileError::is_of_size) {
        Some(error) => (EngineKind::Oracle, error.to_string()),
        None => choice.decide(),
    };
    let load = |kind| -> Result<Box<dyn Engine>, EngineError> {
        let mut engine = engine::create(kind, rule)?;
        engine.load(board)?;
        Ok(engine)
    };
    match load(kind) {
        Ok(engine) => Ok((engine, reason)),
        Err(error) if choice == EngineChoice::Automatic && kind == EngineKind::Gpu => {
            let engine = load(EngineKind::Cpu)?;
            Ok((engine, error.to_string()))
        }
        Err(error) => Err(error.into()),
    }
}

/// A board for another rule.
fn converted(board: &Board, rule: &Rule) -> Result<Board, SessionError> {
    let species = u16::from(State::MAX).min(rule.states() - 1);
    let (old, new) = (board.topology.bounds(), rule.topology().bounds());
    let (dx, dy) = match (old, new) {
        _ if board.topology == rule.topology() => (0, 0),
        (Some(old), Some(new)) => ((new.width - old.width) / 2, (new.height - old.height) / 2),
        (None, Some(new)) => board.cells.bounding_box().map_or((0, 0), |life| {
            (middle(new.width, life.x, life.width), middle(new.height, life.y, life.height))
        }),
        (_, None) => (0, 0),
    };
    let cells = if board.cells.tiles().all(|(_, tile)| u16::from(tile.highest_state()) <= species) {
        board.cells.translated(dx, dy).map_err(EngineError::from)?
    } else {
        let mut cells = Cells::new();
        for y in board.cells.rows() {
            for (x, length, state) in board.cells.runs(y) {
                let state =
                    u8::try_from((u16::from(state) - 1) % species + 1).expect("at most the species before");
                cells
                    .fill_run(crate::coords::Coords::new(x + dx, y + dy), length, state)
                    .map_err(EngineError::from)?;
            }
        }
        cells
    };
    // A living background is left behind: its cells go on as those that differ from a dead one.
    Ok(Board { generation: board.generation, seed: board.seed, ..Board::with_cells(rule.topology(), cells) })
}

/// How far to move what is at `at`, `size` long, so that it stands in the middle of `whole`.
const fn middle(whole: i64, at: i64, size: i64) -> i64 {
    (whole - size) / 2 - at
}

/// The rectangle to show of a board at first: the board, or life with some room around.
pub fn interesting_area(topology: Topology, life: Option<Rect>) -> Rect {
    topology.bounds().unwrap_or_else(|| life.map_or(Rect::new(-32, -20, 64, 40), |life| life.grown(4)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::CpuEngine;

    /// A CPU engine that says it is a GPU, and is lost after so many more generations.
    struct Failing {
        inner: CpuEngine,
        left: u64,
        error: EngineError,
    }

    impl Failing {
        fn worked<T>(&self, value: T) -> Result<T, EngineError> {
            if self.left > 0 { Ok(value) } else { Err(self.error.clone()) }
        }
    }

    impl Engine for Failing {
        fn kind(&self) -> EngineKind {
            EngineKind::Gpu
        }
        fn rule(&self) -> &Rule {
            self.inner.rule()
        }
        fn load(&mut self, board: &Board) -> Result<(), EngineError> {
            self.inner.load(board)
        }
        fn step(&mut self, generations: u64, cancel: &Cancel) -> Result<u64, EngineError> {
            let done = self.inner.step(generations.min(self.left), cancel)?;
            self.left -= done;
            self.worked(done)
        }
        fn generation(&self) -> u64 {
            self.inner.generation()
        }
        fn background(&self) -> State {
            self.inner.background()
        }
        fn tally(&mut self) -> Result<Tally, EngineError> {
            let tally = self.inner.tally();
            self.worked(())?;
            tally
        }
        fn read(&mut self, area: Rect) -> Result<Cells, EngineError> {
            // A board that was only outgrown can still be read.
            if !matches!(self.error, EngineError::Outgrown { .. }) {
                self.worked(())?;
            }
            self.inner.read(area)
        }
        fn field(&self) -> Rect {
            self.inner.field()
        }
        fn write(&mut self, edits: &[Edit]) -> Result<(), EngineError> {
            self.inner.write(edits)
        }
        fn seed(&self) -> u64 {
            self.inner.seed()
        }
    }

    fn session(choice: EngineChoice) -> Session {
        let source = Source::Soup { width: 40, height: 30, densities: vec![0.5] };
        let (session, _) = source.session(Some("P2Life:T40,30"), 9, choice).expect("a session");
        session
    }

    /// A session whose GPU is lost after so many generations.
    fn failing(left: u64, error: EngineError, choice: EngineChoice) -> Session {
        let mut session = session(EngineChoice::Fixed(EngineKind::Cpu));
        let mut inner = CpuEngine::new(session.rule()).expect("an engine");
        inner.load(&session.start).expect("it fits");
        (session.engine, session.choice) = (Box::new(Failing { inner, left, error }), choice);
        session
    }

    /// Goes on to a generation, ten at a time.
    fn go_to(session: &mut Session, generation: u64) -> Result<(), SessionError> {
        while session.generation() < generation {
            let ahead = generation - session.generation();
            session.step(ahead.min(10), &Cancel::never())?;
        }
        Ok(())
    }

    fn lost() -> EngineError {
        EngineError::Gpu("the device was lost: unplugged".to_owned())
    }

    #[test]
    fn a_lost_gpu_is_followed_by_the_cpu_and_the_board_ends_as_it_would_have() {
        let mut expected = session(EngineChoice::Fixed(EngineKind::Cpu));
        go_to(&mut expected, 60).expect("it runs");
        let expected = expected.engine_mut().snapshot().expect("a board");
        for (every, goes_on_from) in [(Duration::ZERO, "20"), (HOLD_EVERY, "0")] {
            let mut session = failing(25, lost(), EngineChoice::Fixed(EngineKind::Gpu));
            session.held = Held { next: Instant::now() + every, every, ..Held::new(None) };
            while session.generation() < 60 {
                // However long the last copy took.
                session.held.next = session.held.next.min(Instant::now() + every);
                session.step(10, &Cancel::never()).expect("it goes on");
            }
            assert_eq!(session.engine().kind(), EngineKind::Cpu, "every {every:?}: on the CPU");
            let notice = session.take_notice().expect("a notice");
            assert!(
                notice
                    .ends_with(&format!("unplugged; the cpu engine goes on from generation {goes_on_from}")),
                "every {every:?}: {notice}"
            );
            assert_eq!(session.take_notice(), None, "every {every:?}: told once");
            let board = session.engine_mut().snapshot().expect("a board");
            assert_eq!(board, expected, "every {every:?}: the same board, coins included");
        }
    }

    #[test]
    fn a_copy_of_a_large_board_is_made_piece_by_piece_where_a_frame_waits() {
        let source = Source::Soup { width: 2100, height: 2100, densities: vec![0.3] };
        let choice = EngineChoice::Fixed(EngineKind::Cpu);
        let (mut session, _) = source.session(Some("Life:T2100,2100"), 9, choice).expect("a session");
        let hash = session.hash().expect("a hash");
        let mut inner = CpuEngine::new(session.rule()).expect("an engine");
        inner.load(&session.start).expect("it fits");
        session.engine = Box::new(Failing { inner, left: 9, error: lost() });
        session.held.next = Instant::now();
        let due = || Cancel::at(Instant::now());
        assert_eq!(session.step(1, &due()).expect("a piece"), 0, "the board holds still");
        assert!(session.held.copy.is_some() && session.held.board.is_none(), "it is being copied");
        while session.generation() == 0 {
            session.step(1, &due()).expect("it goes on");
        }
        let held = session.held.board.as_ref().expect("a copy");
        assert_eq!((held.generation, held.hash()), (0, hash), "the board as it was");
    }

    #[test]
    fn a_gpu_that_is_lost_while_it_counts_is_followed_too() {
        let mut session = failing(10, lost(), EngineChoice::Automatic);
        let population = session.tally().expect("a tally").population();
        session.engine.step(10, &Cancel::never()).expect_err("lost in its last generation");
        session.touched();
        assert_eq!(session.tally().expect("a tally").population(), population, "of the board that was held");
        assert_eq!((session.generation(), session.engine().kind()), (0, EngineKind::Cpu), "from the start");
    }

    #[test]
    fn a_board_that_outgrows_the_gpu_goes_on_where_it_is_unless_only_the_gpu_was_asked_for() {
        let outgrown =
            || EngineError::Outgrown { generation: 5, width: 9, height: 9, reason: "a test".to_owned() };
        let mut session = failing(5, outgrown(), EngineChoice::Automatic);
        session.step(5, &Cancel::never()).expect("it goes on");
        assert_eq!(
            (session.generation(), session.engine().kind()),
            (5, EngineKind::Cpu),
            "from generation 5"
        );
        let mut session = failing(5, outgrown(), EngineChoice::Fixed(EngineKind::Gpu));
        session.step(5, &Cancel::never()).expect_err("it was asked for");
        assert_eq!(session.generation(), 5, "the board is as it was");
    }
}
