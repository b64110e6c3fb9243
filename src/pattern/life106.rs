//! Life 1.06: one living cell a line.
//!
//! ```text
//! #Life 1.06
//! 0 -1           column and row (y down, the origin in the middle)
//! ```
//!
//! Empty lines are passed over, further lines that begin with `#` are comments.

use super::error::{PatternError, decode};
use super::input::Input;
use super::painter::Budget;
use super::{Format, Limits, MAX_COMMENTS, Pattern, to_coordinate};
use crate::board::Cells;
use crate::coords::{COORDINATE_LIMIT, Coords};

/// Reads the rest of `input` as Life 1.06.
pub(super) fn read(input: &mut Input<'_>, limits: &Limits) -> Result<Pattern, PatternError> {
    let mut pattern =
        Pattern { format: Format::Life106, position: Some(Coords::default()), ..Pattern::default() };
    let mut room = MAX_COMMENTS;
    let mut cells = Cells::new();
    let mut budget = Budget::new(limits.cell_bytes);
    let mut line = Vec::new();
    loop {
        let start = input.here();
        if !input.next_line(Format::Life106, &mut line)? {
            break;
        }
        if line.first() == Some(&b'#') {
            if !line.starts_with(b"#Li") {
                let text = decode(&line[1..]);
                pattern.keep_comment(text.trim().to_owned(), &mut room);
            }
            continue;
        }
        let text = line.trim_ascii();
        if text.is_empty() {
            continue;
        }
        let at = coordinates(text).map_err(|(word, message)| {
            let before = word.as_ptr() as usize - line.as_ptr() as usize;
            start.error(Format::Life106, &line, before, message)
        })?;
        budget.fill_run(&mut cells, at, 1, 1)?;
    }
    pattern.cells = cells;
    Ok(pattern)
}

/// Reads `x y`; the part that is wrong, and why, otherwise.
fn coordinates(text: &[u8]) -> Result<Coords, (&[u8], String)> {
    let mut rest = text;
    let mut values = [0; 2];
    for value in &mut values {
        let length = rest.iter().take_while(|b| !b.is_ascii_whitespace()).count();
        let (word, tail) = rest.split_at(length);
        *value = std::str::from_utf8(word).ok().and_then(to_coordinate).ok_or_else(|| {
            (word, format!("a cell is two coordinates within ±{COORDINATE_LIMIT}, as in -3 4"))
        })?;
        rest = tail.trim_ascii_start();
    }
    if rest.is_empty() {
        Ok(Coords::new(values[0], values[1]))
    } else {
        Err((rest, "a line holds one cell: two coordinates".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fault, from_text, picture};
    use super::*;

    #[test]
    fn cells_stand_at_their_coordinates() {
        let pattern = from_text("#Life 1.06\r\n0 -1\r\n1 0\r\n\r\n# more\r\n-1\t1\r\n 0 1 \r\n1 1");
        assert_eq!(picture(&pattern), ".o.\n..o\nooo", "cells");
        assert_eq!(pattern.cells.bounding_box().map(|b| (b.x, b.y)), Some((-1, -1)), "place");
        assert_eq!(
            (pattern.position, pattern.size),
            (Some(Coords::default()), None),
            "coordinates are the world's"
        );
        assert_eq!(pattern.comments, ["more"], "comments");
    }

    #[test]
    fn faults_are_found_at_their_line_and_column() {
        for (text, line, column) in [
            ("#Life 1.06\n0 0\n1 x\n", 3, 3),
            ("#Life 1.06\n12\n", 2, 3),
            ("#Life 1.06\n1 2 3\n", 2, 5),
            ("#Life 1.06\n 2147483648 3\n", 2, 2),
            ("#Life 1.06\n1.5 3\n", 2, 1),
        ] {
            let error = fault(text);
            assert_eq!(
                (error.line, error.column, error.format),
                (line, column, Format::Life106),
                "{text:?}: {error}"
            );
        }
    }
}
