//! What can go wrong between a file and a pattern, and where in the text.
//!
//! The path is never part of a message: whoever opened the file names it (once, at the top).

use std::fmt;
use std::io;

use thiserror::Error;

use super::Format;
use crate::board::CellsError;
use crate::cell::State;
use crate::coords::{Coords, Rect};
use crate::text::{self, around};

/// Why a pattern could not be read, placed or written.
#[derive(Debug, Error)]
pub enum PatternError {
    /// The text breaks the rules of its format; correct it at the place shown.
    #[error("{0}")]
    Syntax(Box<SyntaxError>),
    /// The file is none that can be read; the message says what it seems to be.
    #[error("{0}")]
    Unrecognised(String),
    /// The cells would take more memory than [`super::Limits::cell_bytes`]; nothing was kept.
    /// Raise the limit, or cut the pattern.
    #[error("the pattern needs more than {} of memory for its cells", text::bytes(*.limit_bytes))]
    TooLarge {
        /// The memory that was granted, bytes.
        limit_bytes: u64,
    },
    /// The text is longer (after unpacking) than [`super::Limits::text_bytes`]; nothing was kept.
    #[error("the file holds more than {} of text, more than is read", text::bytes(*.limit_bytes))]
    TextTooLong {
        /// The most text that is read, bytes.
        limit_bytes: u64,
    },
    /// The pattern's place is further out than any engine reaches; move it nearer to the origin.
    #[error("the pattern can't be placed: {0}")]
    OutOfReach(CellsError),
    /// Not one living cell of the pattern would lie on the board; take a larger board or an unbounded one.
    #[error(
        "no cell of the pattern lies on the board of {} × {} cells: \
         the pattern's {} × {} cells start at column {}, row {}",
        .board.width, .board.height, .pattern.width, .pattern.height, .pattern.x, .pattern.y
    )]
    OffTheBoard {
        /// The living cells' bounding box in the board's coordinates.
        pattern: Rect,
        /// The board.
        board: Rect,
    },
    /// The reading was stopped on request; nothing was kept.
    #[error("stopped before the end")]
    Cancelled,
    /// The board that is to be saved can't give its cells; the message says why.
    #[error("{0}")]
    Source(Box<dyn std::error::Error + Send + Sync>),
    /// What is to be saved has no form in this format; the message says what to do instead.
    #[error("{0}")]
    Unsaveable(String),
    /// The file could not be read or written (missing, no permission, disk full, damaged gzip data …).
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl PatternError {
    /// The cell at `at` has a state that a rule of `states` states lacks.
    pub(super) fn of_alien_state(at: Coords, state: State, states: u16) -> Self {
        Self::Unsaveable(format!(
            "the cell ({}, {}) has state {state}, but the rule has {states} states",
            at.x, at.y
        ))
    }
}

/// What cells without a place in a text are refused for.
impl From<CellsError> for PatternError {
    fn from(error: CellsError) -> Self {
        match error {
            CellsError::TooLarge { limit_bytes } => Self::TooLarge { limit_bytes },
            other @ CellsError::OutOfReach { .. } => Self::OutOfReach(other),
        }
    }
}

impl From<SyntaxError> for PatternError {
    fn from(error: SyntaxError) -> Self {
        Self::Syntax(Box::new(error))
    }
}

/// A fault in a pattern's text, with its place.
///
/// Displayed as `line 2, column 5: what is wrong`, then the line (trimmed when long) and a caret under the place.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub struct SyntaxError {
    /// The format that the text was read as.
    pub format: Format,
    /// Line, from 1.
    pub line: u64,
    /// Column in characters, from 1 (far to the right of a very long line: in bytes).
    pub column: u64,
    /// What is wrong, and what would be right.
    pub message: String,
    /// The faulty line, or the part of it around the place; cuts are marked with `…`.
    pub excerpt: String,
    /// The character of `excerpt` that the caret stands under, from 0.
    pub caret: usize,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, message, excerpt, caret, .. } = self;
        write!(f, "line {line}, column {column}: {message}\n  {excerpt}\n  {:caret$}^", "")
    }
}

/// The place of a fault: what stands before and after it in its line.
pub(super) struct Place<'a> {
    /// Line, from 1.
    pub(super) line: u64,
    /// Bytes of the line before `before`, which are no longer at hand.
    pub(super) lost: u64,
    /// The line up to the fault.
    pub(super) before: &'a [u8],
    /// The line from the fault on, without the line break.
    pub(super) after: &'a [u8],
}

impl Place<'_> {
    /// The error at this place.
    pub(super) fn error(&self, format: Format, message: impl Into<String>) -> SyntaxError {
        let before = decode(self.before);
        let column = self.lost + before.chars().count() as u64 + 1;
        let (excerpt, caret) = around(&before, &decode(self.after), self.lost > 0);
        SyntaxError { format, line: self.line, column, message: message.into(), excerpt, caret }
    }
}

/// Bytes of a text file as text: UTF-8 where they are, else Latin-1, which the old collections are written in.
pub(super) fn decode(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).map_or_else(|_| bytes.iter().copied().map(char::from).collect(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_under_the_fault() {
        let place = Place { line: 2, lost: 0, before: b"b2o$", after: b"3 o!" };
        let error = place.error(Format::Rle, "a count stands directly before its symbol");
        assert_eq!(
            error.to_string(),
            "line 2, column 5: a count stands directly before its symbol\n  b2o$3 o!\n      ^",
            "shown error"
        );
    }

    #[test]
    fn far_into_a_long_line_the_column_is_known_still() {
        let long = [b'b'; 300];
        let error = Place { line: 1, lost: 10, before: &long, after: &long }.error(Format::Rle, "no");
        assert_eq!(error.column, 311, "column");
        assert_eq!((error.excerpt.matches('…').count(), error.caret), (2, 49), "{}", error.excerpt);
    }

    #[test]
    fn a_limit_is_said_in_round_units() {
        assert_eq!(
            PatternError::TooLarge { limit_bytes: 3 << 20 }.to_string(),
            "the pattern needs more than 3 MiB of memory for its cells",
            "message"
        );
    }
}
