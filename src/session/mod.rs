//! A rule, a board, an engine, the way back to the start: what the window, the terminal and the command line drive.
//!
//! Knows no faces. Every change either succeeds as a whole or leaves the session as it was.

mod bands;
mod source;
mod verify;

use std::collections::VecDeque;

use thiserror::Error;

pub use bands::SessionBands;
pub use source::{DEMO, MANY_AGES, Source, demo, rule_of};
pub use verify::{Mismatch, Verification};

use crate::board::{Board, Cells, SoupError, Tally, Topology};
use crate::cell::State;
use crate::coords::Rect;
use crate::engine::{self, Cancel, Edit, Engine, EngineError, EngineKind};
use crate::pattern::{MAX_RULE_FILE, Pattern, PatternError};
use crate::rule::circuit::CompileError;
use crate::rule::{ParseError, Rule};

/// How many populations are remembered for the plot.
const HISTORY: usize = 2048;

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

/// A running board.
pub struct Session {
    engine: Box<dyn Engine>,
    choice: EngineChoice,
    engine_reason: String,
    /// What a reset goes back to.
    start: Board,
    /// The tally of the present board, once asked for.
    tally: Option<Tally>,
    history: VecDeque<Census>,
}

impl Session {
    /// A session on a board. `board.topology` must be the rule's.
    pub fn new(rule: &Rule, board: Board, choice: EngineChoice) -> Result<Self, SessionError> {
        let (engine, engine_reason) = loaded_engine(rule, &board, choice)?;
        Ok(Self { engine, choice, engine_reason, start: board, tally: None, history: VecDeque::new() })
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
    pub fn step(&mut self, generations: u64, cancel: &Cancel) -> Result<u64, SessionError> {
        let done = self.engine.step(generations, cancel)?;
        if done > 0 {
            self.tally = None;
        }
        Ok(done)
    }

    /// Populations and bounds of the present board, worked out once a generation and noted in the history.
    pub fn tally(&mut self) -> Result<&Tally, SessionError> {
        if self.tally.is_none() {
            let tally = self.engine.tally()?;
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

    /// Populations at the generations at which they were asked for, oldest first; thinned out when there are many.
    pub const fn history(&self) -> &VecDeque<Census> {
        &self.history
    }

    /// Notes that the board was changed by hand.
    pub fn touched(&mut self) {
        self.tally = None;
    }

    /// Sets cells.
    pub fn edit(&mut self, edits: &[Edit]) -> Result<(), SessionError> {
        self.engine.write(edits)?;
        // What is drawn before the first generation belongs to the start.
        if self.generation() == self.start.generation {
            let bounds = self.start.topology.bounds();
            for edit in edits.iter().filter(|edit| bounds.is_none_or(|bounds| bounds.contains(edit.at))) {
                self.start
                    .cells
                    .set(edit.at, edit.state ^ self.start.background)
                    .map_err(EngineError::from)?;
            }
        }
        self.touched();
        Ok(())
    }

    /// Goes back to the board that was loaded or made last, with what was drawn on it before it ran.
    pub fn reset(&mut self) -> Result<(), SessionError> {
        let start = self.start.clone();
        self.replace(&self.rule().clone(), start, self.choice)
    }

    /// Takes another board, and another rule with it.
    pub fn load(&mut self, rule: &Rule, board: Board) -> Result<(), SessionError> {
        self.replace(rule, board, self.choice)
    }

    /// Goes on under another rule: states that it lacks become others of its species; on another topology the board
    /// keeps its middle, and what lies beyond the new edges is dropped.
    pub fn set_rule(&mut self, rule: &Rule) -> Result<(), SessionError> {
        if rule == self.rule() {
            return Ok(());
        }
        let board = converted(&self.engine.snapshot()?, rule)?;
        let start = converted(&self.start, rule)?;
        let history = std::mem::take(&mut self.history);
        match self.replace(rule, board, self.choice) {
            Ok(()) => {
                self.start = start;
                Ok(())
            }
            Err(error) => {
                self.history = history;
                Err(error)
            }
        }
    }

    /// Goes on on another engine.
    pub fn set_engine(&mut self, choice: EngineChoice) -> Result<(), SessionError> {
        let board = self.engine.snapshot()?;
        let (engine, reason) = loaded_engine(self.rule(), &board, choice)?;
        (self.engine, self.engine_reason, self.choice) = (engine, reason, choice);
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
        let rule = self.rule();
        let mut pattern = Pattern::about_board(
            rule.topology(),
            self.engine.background(),
            self.generation(),
            living,
            &rule.to_string(),
        )?;
        // A saved board comes back with its rule, wherever the rule's file is then.
        pattern.rule_file =
            self.rule().file_text().filter(|text| text.len() <= MAX_RULE_FILE).map(str::to_owned);
        Ok(pattern)
    }

    /// The cells of the present board, to be saved band by band.
    pub const fn bands(&mut self) -> SessionBands<'_> {
        SessionBands::new(self)
    }

    fn replace(&mut self, rule: &Rule, board: Board, choice: EngineChoice) -> Result<(), SessionError> {
        // An engine of the same rule only takes the board: its pipelines stay.
        if rule == self.rule() && choice == self.choice {
            self.engine.load(&board)?;
        } else {
            let (engine, reason) = loaded_engine(rule, &board, choice)?;
            (self.engine, self.engine_reason, self.choice) = (engine, reason, choice);
        }
        self.start = board;
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
