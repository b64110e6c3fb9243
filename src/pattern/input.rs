//! Text that streams in: a window of bytes with the line and column of every byte in it.
//!
//! Reads in large pieces and keeps the last [`CONTEXT`] bytes that were consumed, so that an error can show its
//! line; holds no more of a file than that. A line ends with LF, CR LF or CR.
//! Knows nothing of any format.

use std::io::{ErrorKind, Read};

use super::error::{PatternError, Place, SyntaxError};
use super::{Format, Limits};

/// Bytes of a window.
const WINDOW: usize = 4 << 20;
/// Consumed bytes that are kept before a window.
const CONTEXT: usize = 256;
/// The longest line that the line-wise formats and headers may have, bytes.
pub(super) const MAX_LINE: usize = 1 << 20;

/// A place in a text, from which the rest of the line is then read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Here {
    /// Line, from 1.
    pub(super) line: u64,
    /// Bytes of the line before this place.
    lost: u64,
}

impl Here {
    /// The error `message` at the byte `at` of `rest`, which is the line from here on.
    pub(super) fn error(
        self,
        format: Format,
        rest: &[u8],
        at: usize,
        message: impl Into<String>,
    ) -> SyntaxError {
        let (before, after) = rest.split_at(at);
        Place { line: self.line, lost: self.lost, before, after }.error(format, message)
    }
}

/// A text file being read.
pub(super) struct Input<'a> {
    source: &'a mut dyn Read,
    buffer: Vec<u8>,
    /// The unread bytes are `buffer[at..end]`.
    at: usize,
    end: usize,
    /// Offset in the text of `buffer[0]`.
    base: u64,
    ended: bool,
    limit_bytes: u64,
    /// The line that the next byte is in, from 1.
    line: u64,
    /// Offset in the text of that line's first byte.
    line_start: u64,
}

impl<'a> Input<'a> {
    /// Reads `source` from its beginning; a byte order mark is skipped.
    pub(super) fn new(source: &'a mut dyn Read, limits: &Limits) -> Result<Self, PatternError> {
        let mut input = Self {
            source,
            buffer: vec![0; CONTEXT + WINDOW],
            at: 0,
            end: 0,
            base: 0,
            ended: false,
            limit_bytes: limits.text_bytes,
            line: 1,
            line_start: 0,
        };
        if input.window(3)?.starts_with(b"\xEF\xBB\xBF") {
            input.at = 3;
            input.line_start = 3;
        }
        Ok(input)
    }

    /// The unread bytes at hand: at least `least` (up to [`WINDOW`]), fewer only where the text ends.
    pub(super) fn window(&mut self, least: usize) -> Result<&[u8], PatternError> {
        if self.end - self.at < least && !self.ended {
            self.refill()?;
        }
        Ok(&self.buffer[self.at..self.end])
    }

    /// Whether nothing follows the bytes at hand.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    fn refill(&mut self) -> Result<(), PatternError> {
        let keep = self.at.saturating_sub(CONTEXT);
        self.buffer.copy_within(keep..self.end, 0);
        self.base += keep as u64;
        self.at -= keep;
        self.end -= keep;
        while self.end < self.buffer.len() {
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(0) => {
                    self.ended = true;
                    break;
                }
                Ok(count) => self.end += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        if self.base + self.end as u64 > self.limit_bytes {
            return Err(PatternError::TextTooLong { limit_bytes: self.limit_bytes });
        }
        Ok(())
    }

    /// Takes `count` bytes of the window as read, which hold no line break.
    pub(super) fn consume(&mut self, count: usize) {
        self.at += count;
    }

    /// Takes `count` bytes of the window as read, the last of which breaks the line.
    pub(super) fn consume_line(&mut self, count: usize) {
        self.consume_lines(count, 1, 0);
    }

    /// Takes `count` bytes of the window as read, which break the line `lines` times, the last time before the last
    /// `of_last_line` of them.
    pub(super) fn consume_lines(&mut self, count: usize, lines: u64, of_last_line: usize) {
        self.at += count;
        self.line += lines;
        if lines > 0 {
            self.line_start = self.offset() - of_last_line as u64;
        }
    }

    /// Offset in the text of the next byte.
    pub(super) fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    /// How many digits end directly before the next byte, up to [`CONTEXT`].
    pub(super) fn digits_before(&self) -> u64 {
        let before = &self.buffer[self.at.saturating_sub(CONTEXT)..self.at];
        before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count() as u64
    }

    /// The place of the next byte.
    pub(super) fn here(&self) -> Here {
        Here { line: self.line, lost: self.offset() - self.line_start }
    }

    /// Reads the rest of the line into `line`, up to `keep` bytes of it; whether all of it was kept.
    /// The line break is read too.
    pub(super) fn rest_of_line(&mut self, line: &mut Vec<u8>, keep: usize) -> Result<bool, PatternError> {
        line.clear();
        let mut whole = true;
        loop {
            let bytes = self.window(2)?;
            let found = bytes.iter().position(|b| matches!(b, b'\n' | b'\r'));
            let content = found.unwrap_or(bytes.len());
            let kept = content.min(keep - line.len());
            line.extend_from_slice(&bytes[..kept]);
            whole &= kept == content;
            if let Some(at) = found {
                let pair = bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
                // The LF of a pair may be just beyond the window.
                if bytes[at] == b'\r' && at + 1 == bytes.len() && !self.ended {
                    self.consume(at);
                    let pair = self.window(2)?.get(1) == Some(&b'\n');
                    self.consume_line(1 + usize::from(pair));
                } else {
                    self.consume_line(at + 1 + usize::from(pair));
                }
                return Ok(whole);
            }
            self.consume(content);
            if self.ended && self.at == self.end {
                return Ok(whole);
            }
        }
    }

    /// The next whole line without its break, in `line`; false when there is none.
    ///
    /// Errors when it is longer than [`MAX_LINE`].
    pub(super) fn next_line(&mut self, format: Format, line: &mut Vec<u8>) -> Result<bool, PatternError> {
        if self.window(1)?.is_empty() {
            return Ok(false);
        }
        let start = self.here();
        if !self.rest_of_line(line, MAX_LINE)? {
            return Err(start
                .error(format, line, line.len(), format!("a line is longer than {MAX_LINE} bytes"))
                .into());
        }
        Ok(true)
    }

    /// The error `message` at the byte with offset `offset` in the text, which is in the current line and at most
    /// [`CONTEXT`] bytes before the next byte.
    pub(super) fn error_at(&self, offset: u64, format: Format, message: impl Into<String>) -> SyntaxError {
        let index = |offset: u64| {
            usize::try_from(offset.saturating_sub(self.base))
                .expect("the buffer's indices are small")
                .min(self.end)
        };
        let (start, at) = (index(self.line_start), index(offset));
        let rest = &self.buffer[at..self.end];
        let stop = rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len());
        let place = Place {
            line: self.line,
            lost: self.base.saturating_sub(self.line_start),
            before: &self.buffer[start.min(at)..at],
            after: &rest[..stop],
        };
        place.error(format, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_line_ends_are_one_line_each() {
        let mut text: &[u8] = b"\xEF\xBB\xBFone\r\ntwo\rthree\n\nfive";
        let mut input = Input::new(&mut text, &Limits::default()).expect("a slice is read");
        let (mut line, mut lines) = (Vec::new(), Vec::new());
        while input.next_line(Format::Rle, &mut line).expect("short lines") {
            lines.push(String::from_utf8(line.clone()).expect("ASCII"));
        }
        assert_eq!(lines, ["one", "two", "three", "", "five"], "lines");
        assert_eq!(input.here().line, 5, "the last line has no break");
    }

    #[test]
    fn a_line_break_pair_across_windows_is_one_break() {
        let mut text = vec![b'.'; CONTEXT + WINDOW - 1];
        text.extend_from_slice(b"\r\nnext");
        let mut source: &[u8] = &text;
        let mut input = Input::new(&mut source, &Limits::default()).expect("a slice is read");
        let mut line = Vec::new();
        assert!(input.rest_of_line(&mut line, usize::MAX).expect("fits"), "whole");
        assert_eq!(line.len(), text.len() - 6, "first line");
        assert!(input.rest_of_line(&mut line, usize::MAX).expect("fits"), "whole");
        assert_eq!((line.as_slice(), input.here().line), (b"next".as_slice(), 2), "second line");
    }

    #[test]
    fn errors_far_into_a_long_line_know_their_column() {
        let text = vec![b'b'; 3 * WINDOW];
        let mut source: &[u8] = &text;
        let mut input = Input::new(&mut source, &Limits::default()).expect("a slice is read");
        let mut left = 2 * WINDOW + 5;
        while left > 0 {
            let count = input.window(2).expect("a slice is read").len().min(left);
            input.consume(count);
            left -= count;
        }
        let error = input.error_at(input.offset() - 4, Format::Rle, "here");
        assert_eq!((error.line, error.column), (1, (2 * WINDOW + 2) as u64), "place");
    }

    #[test]
    fn text_beyond_the_limit_is_refused() {
        let limits = Limits { text_bytes: 1000, ..Limits::default() };
        let mut source = std::io::repeat(b' ');
        let error = Input::new(&mut source, &limits).err().expect("endless text");
        assert!(matches!(error, PatternError::TextTooLong { limit_bytes: 1000 }), "{error}");
    }
}
