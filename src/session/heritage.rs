//! What the next session takes over of one: so that it can be made on another thread while this one is still shown.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{Census, EngineChoice, Held, Session, SessionError, converted};
use crate::board::{Board, Cells};
use crate::cell::State;
use crate::coords::Rect;
use crate::pattern::{MAX_RULE_FILE, Pattern};
use crate::rule::Rule;

/// All of a session at one generation but the engine and the cells of its board.
#[derive(Clone, Debug)]
pub struct Heritage {
    rule: Rule,
    choice: EngineChoice,
    start: Arc<Board>,
    history: VecDeque<Census>,
    background: State,
    generation: u64,
    seed: u64,
}

impl Session {
    /// What the next session takes over, besides the cells.
    pub fn heritage(&self) -> Heritage {
        Heritage {
            rule: self.rule().clone(),
            choice: self.choice,
            start: Arc::clone(&self.start),
            history: self.history.clone(),
            background: self.engine.background(),
            generation: self.generation(),
            seed: self.seed(),
        }
    }

    /// The present board, where it is the one that a reset goes back to: then nothing has to be read from the engine.
    pub fn board_at_start(&self) -> Option<&Arc<Board>> {
        // What is drawn before the first generation is drawn on the start too.
        (self.generation() == self.start.generation).then_some(&self.start)
    }
}

impl Heritage {
    /// The board of which these are the cells.
    pub fn board(&self, cells: Cells) -> Board {
        Board {
            cells,
            topology: self.rule.topology(),
            background: self.background,
            generation: self.generation,
            seed: self.seed,
        }
    }

    /// The board as a pattern that can be saved, without its cells; `living` are their bounds.
    pub fn about(&self, living: Option<Rect>) -> Pattern {
        let mut pattern = Pattern::about_board(&self.board(Cells::new()), living, &self.rule);
        // The coins go on as they would have; without coins a seed is of no use.
        pattern.seed = (self.rule.depends_on().coins > 0).then_some(self.seed);
        // A saved board comes back with its rule, wherever the rule's file is then.
        pattern.rule_file =
            self.rule.file_text().filter(|text| text.len() <= MAX_RULE_FILE).map(str::to_owned);
        pattern
    }

    /// How many states the rule has.
    pub fn states(&self) -> u16 {
        self.rule.states()
    }

    /// The session that goes on from `board` under another rule, as [`Session::set_rule`] says.
    pub fn under(self, board: impl Into<Arc<Board>>, rule: &Rule) -> Result<Session, SessionError> {
        let board = board.into();
        let held = converted(&board, rule).map(Arc::new)?;
        let start = if Arc::ptr_eq(&board, &self.start) {
            Arc::clone(&held)
        } else {
            Arc::new(converted(&self.start, rule)?)
        };
        let session = Session::new(rule, Arc::clone(&held), self.choice)?;
        Ok(Session { start, history: self.history, held: Held::new(Some(held)), ..session })
    }

    /// The session that goes on from `board` on another engine.
    pub fn on(self, board: impl Into<Arc<Board>>, choice: EngineChoice) -> Result<Session, SessionError> {
        let board = board.into();
        let session = Session::new(&self.rule, Arc::clone(&board), choice)?;
        Ok(Session { start: self.start, history: self.history, held: Held::new(Some(board)), ..session })
    }
}
