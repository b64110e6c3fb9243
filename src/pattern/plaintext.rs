//! Plain text (`.cells`): comments that begin with `!`, then one row a line.
//!
//! ```text
//! !Name: Glider
//! !Author: Richard K. Guy
//! .O.
//! ..O            . , space: dead     O o * X x @ #: alive
//! OOO            23.O: a count before a symbol, as the dblife collection has
//! ```
//!
//! Empty lines before the first row are passed over, later ones are empty rows. `.cells` has no place for a rule, a
//! position or a generation: its top-left cell is at (0, 0), which is the middle of a bounded board.

use std::io::Write;

use super::error::{PatternError, decode};
use super::input::{Input, MAX_LINE};
use super::painter::Painter;
use super::{Bands, Format, Limits, MAX_COMMENTS, Pattern, one_line};
use crate::board::CellsError;
use crate::cell::DEAD;
use crate::coords::{COORDINATE_LIMIT, Coords};

/// Characters for dead cells.
pub(super) const DEAD_CELLS: &[u8] = b"., \t";
/// Characters for living cells.
pub(super) const LIVING_CELLS: &[u8] = b"Oo*Xx@#";
/// The longest text that is written, bytes: cells far apart need a dead cell's `.` for every cell between them.
const MAX_TEXT: u64 = 1 << 30;

/// Reads the rest of `input` as plain text.
pub(super) fn read(input: &mut Input<'_>, limits: &Limits) -> Result<Pattern, PatternError> {
    let mut pattern =
        Pattern { format: Format::Cells, position: Some(Coords::default()), ..Pattern::default() };
    let mut room = MAX_COMMENTS;
    let mut painter = Painter::new(limits.cell_bytes);
    let mut line = Vec::new();
    let (mut x, mut y, mut columns, mut rows) = (0i64, 0i64, 0i64, 0i64);
    // The count before a symbol, 0 when there is none, and where it began.
    let (mut count, mut count_at) = (0i64, 0u64);
    let mut fresh = true;
    loop {
        let start = input.offset();
        // A line break of two bytes must be seen whole.
        let ended = input.window(2)?.len() < 2;
        let bytes = input.window(2)?;
        let Some(&byte) = bytes.first() else {
            break;
        };
        let next = bytes.get(1).copied();
        if fresh && byte == b'!' {
            input.rest_of_line(&mut line, MAX_LINE)?;
            comment(&mut pattern, &line, &mut room);
            continue;
        }
        if matches!(byte, b'\n' | b'\r') {
            if count > 0 {
                break;
            }
            input.consume_line(if byte == b'\r' && next == Some(b'\n') { 2 } else { 1 });
            columns = columns.max(x);
            if !(fresh && rows == 0) {
                y += 1;
            }
            if !fresh {
                rows = y;
            }
            (x, fresh) = (0, true);
            continue;
        }
        fresh = false;
        if byte.is_ascii_digit() {
            if count == 0 {
                count_at = start;
                if byte == b'0' {
                    return Err(input.error_at(start, Format::Cells, "a count doesn't begin with 0").into());
                }
            }
            count = count * 10 + i64::from(byte - b'0');
            if count > COORDINATE_LIMIT {
                let message = format!("a count is at most {COORDINATE_LIMIT}");
                return Err(input.error_at(count_at, Format::Cells, message).into());
            }
            input.consume(1);
            continue;
        }
        // All that follow of the same symbol are one run.
        let same = if count > 0 || ended { 1 } else { bytes.iter().take_while(|b| **b == byte).count() };
        let length = if count > 0 { count } else { i64::try_from(same).expect("a window is small") };
        if LIVING_CELLS.contains(&byte) {
            painter.run(x, y, length, 1).map_err(|error| match error {
                CellsError::TooLarge { limit_bytes } => PatternError::TooLarge { limit_bytes },
                other @ CellsError::OutOfReach { .. } => {
                    input.error_at(start, Format::Cells, other.to_string()).into()
                }
            })?;
        } else if !DEAD_CELLS.contains(&byte) {
            let message = "a row is made of . for dead and O for living cells";
            return Err(input.error_at(start, Format::Cells, message).into());
        }
        x = x.saturating_add(length);
        count = 0;
        input.consume(same);
    }
    if count > 0 {
        return Err(input
            .error_at(count_at, Format::Cells, "a count stands directly before its symbol")
            .into());
    }
    if !fresh {
        rows = y + 1;
    }
    pattern.size = Some((columns.max(x).min(2 * COORDINATE_LIMIT), rows));
    pattern.cells = painter.finish()?;
    while pattern.comments.last().is_some_and(String::is_empty) {
        pattern.comments.pop();
    }
    Ok(pattern)
}

/// Reads a line that begins with `!`.
fn comment(pattern: &mut Pattern, line: &[u8], room: &mut usize) {
    let text = decode(&line[1..]);
    let text = text.trim_end();
    let field = |mark: &str| {
        let (head, rest) = text.split_at_checked(mark.len())?;
        (head.eq_ignore_ascii_case(mark) && !rest.trim().is_empty()).then(|| rest.trim().to_owned())
    };
    match (field("Name:"), field("Author:")) {
        (Some(name), _) if pattern.name.is_none() => pattern.name = Some(name),
        (_, Some(author)) if pattern.author.is_none() => pattern.author = Some(author),
        _ => pattern.keep_comment(text.strip_prefix(' ').unwrap_or(text).to_owned(), room),
    }
}

/// Writes `pattern` as plain text for a rule of `states` states, which must be two.
///
/// Rule, position and generation are lost, since the format has no place for them. Errors when there are more
/// states, and when the cells are so far apart that the text would grow beyond a gibibyte.
pub fn write_cells(out: &mut impl Write, pattern: &Pattern, states: u16) -> Result<(), PatternError> {
    write(out, pattern, &mut &pattern.cells, states)
}

/// [`write_cells`] with the cells of `bands` instead of the pattern's own.
pub(super) fn write(
    out: &mut dyn Write,
    pattern: &Pattern,
    bands: &mut dyn Bands,
    states: u16,
) -> Result<(), PatternError> {
    if states > 2 {
        return Err(PatternError::Unsaveable(format!(
            ".cells holds living and dead cells only, and the rule has {states} states; save as .rle"
        )));
    }
    if pattern.background.is_some_and(|state| state != DEAD) {
        return Err(PatternError::Unsaveable(
            "the background of the board lives, and .cells has no place for that; save as .rle".to_owned(),
        ));
    }
    let living = bands.bounding_box()?;
    let frame = pattern.frame_of(living);
    // Rows above and between the cells have two bytes, rows of cells as many as they are long.
    let mut length = living.map_or(0, |living| (living.bottom() - frame.y).unsigned_abs() * 2);
    bands.each(&mut |cells| {
        for y in cells.rows() {
            let last = cells.runs(y).map(|(x, length, _)| x + length).last().unwrap_or(frame.x);
            length = length.saturating_add((last - frame.x).unsigned_abs());
        }
        Ok(())
    })?;
    if length > MAX_TEXT {
        return Err(PatternError::Unsaveable(format!(
            "the cells are too far apart for .cells ({} × {} cells); save as .rle",
            frame.width, frame.height
        )));
    }
    let mut marked = 0;
    for (mark, text) in [("Name:", &pattern.name), ("Author:", &pattern.author)] {
        if let Some(text) = text {
            writeln!(out, "{}", format!("!{mark} {}", one_line(text)).trim_end())?;
            marked += 1;
        }
    }
    for text in &pattern.comments {
        let text = one_line(text);
        // A space keeps the text from being taken for a name, and one space is taken off when it is read.
        let taken_for_name =
            ["name:", "author:"].iter().any(|mark| text.to_ascii_lowercase().starts_with(mark));
        let space = if taken_for_name || text.starts_with(' ') { " " } else { "" };
        writeln!(out, "!{space}{text}")?;
        marked += 1;
    }
    if marked == 0 && living.is_none() {
        // An empty file would not be known for a pattern.
        writeln!(out, "!")?;
    }
    let mut row = frame.y;
    let mut line = Vec::new();
    bands.each(&mut |cells| {
        for y in cells.rows() {
            for _ in row..y {
                out.write_all(b".\n")?;
            }
            row = y + 1;
            line.clear();
            for (x, length, state) in cells.runs(y) {
                if state > 1 {
                    return Err(PatternError::Unsaveable(format!(
                        ".cells holds living and dead cells only, and the cell ({x}, {y}) has state {state}; save as .rle"
                    )));
                }
                let end = |to: i64| usize::try_from(to - frame.x).expect("inside of the frame");
                line.resize(end(x), b'.');
                line.resize(end(x + length), b'O');
            }
            line.push(b'\n');
            out.write_all(&line)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fault, from_text, picture};
    use super::*;
    use crate::board::Cells;
    use crate::coords::Coords;

    fn written(pattern: &Pattern) -> String {
        let mut out = Vec::new();
        write_cells(&mut out, pattern, 2).expect("it can be written");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn a_glider_is_read_with_name_and_author() {
        let pattern =
            from_text("!Name: Glider\n!author: Richard K. Guy\n!\n! The first spaceship\n\n.O.\n..O\nOOO\n");
        assert_eq!(picture(&pattern), ".o.\n..o\nooo", "cells");
        assert_eq!(pattern.name.as_deref(), Some("Glider"), "name");
        assert_eq!(pattern.author.as_deref(), Some("Richard K. Guy"), "author");
        assert_eq!(pattern.comments, ["", "The first spaceship"], "comments");
        assert_eq!((pattern.size, pattern.rule), (Some((3, 3)), None), "size and rule");
    }

    #[test]
    fn rows_in_other_peoples_letters_are_read() {
        assert_eq!(
            picture(&from_text("!\r\n*o.\r\n\r\n  X\r\n!in between\r\n.@#")),
            "oo.\n...\n..o\n.oo",
            "letters"
        );
        assert_eq!(picture(&from_text("!\n2.O3.2O\n7.")), "..o...oo\n........", "counts");
        assert_eq!(picture(&from_text("\n\n.O\nO")), ".o\no.", "blank lines come first");
    }

    #[test]
    fn faults_are_found_at_their_line_and_column() {
        for (text, line, column) in [
            ("!c\n.O.\n.?O\n", 3, 2),
            ("!c\n.O.\n.3\n", 3, 2),
            ("!c\n.O3", 2, 3),
            ("!c\n.0O", 2, 2),
            ("!c\n3000000000O", 2, 1),
            ("!c\n2147483647..O", 2, 13),
        ] {
            let error = fault(text);
            assert_eq!(
                (error.line, error.column, error.format),
                (line, column, Format::Cells),
                "{text:?}: {error}"
            );
        }
    }

    #[test]
    fn what_is_written_is_in_the_fields_form() {
        let mut pattern = from_text("x = 5, y = 3\n$2bo$3bo!");
        assert_eq!(written(&pattern), ".\n..O\n...O\n", "rows without comments");
        pattern.name = Some("Two".to_owned());
        pattern.comments = vec!["Name: no name".to_owned(), " far".to_owned(), "a\rb".to_owned()];
        let text = written(&pattern);
        assert_eq!(text, "!Name: Two\n! Name: no name\n!  far\n!a b\n.\n..O\n...O\n", "comments");
        assert_eq!(from_text(&text).comments, ["Name: no name", " far", "a b"], "read back");
    }

    #[test]
    fn an_empty_pattern_is_written_and_read() {
        assert_eq!(written(&Pattern::default()), "!\n", "empty");
        let read = from_text("!\n");
        assert_eq!((read.cells, read.comments), (Cells::new(), Vec::new()), "read back");
    }

    #[test]
    fn what_the_format_cannot_hold_is_refused() {
        let colours = from_text("x = 2, y = 1\nAB!");
        let refused = |pattern: &Pattern, states| {
            write_cells(&mut Vec::new(), pattern, states).expect_err("no form").to_string()
        };
        assert_eq!(
            refused(&colours, 3),
            ".cells holds living and dead cells only, and the rule has 3 states; save as .rle",
            "states of the rule"
        );
        assert!(refused(&colours, 2).contains("the cell (1, 0) has state 2"), "states of the cells");
        let mut far = Pattern::default();
        for at in [Coords::new(0, 0), Coords::new(0, 2_000_000_000)] {
            far.cells.set(at, 1).expect("in reach");
        }
        assert!(refused(&far, 2).contains("too far apart"), "{}", refused(&far, 2));
    }
}
