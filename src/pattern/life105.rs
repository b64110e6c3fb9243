//! Life 1.05: blocks of rows, each with its place.
//!
//! ```text
//! #Life 1.05
//! #D text        #N: Life        #R 23/3: a rule, survival first
//! #P -2 2        column and row of the block's top-left cell (y down, the origin in the middle)
//! .***           . dead  * alive (also O)
//! ```
//!
//! Empty lines are passed over. Rows before the first `#P` begin at (0, 0); a `#P` without a place changes nothing.

use super::error::{PatternError, decode};
use super::input::Input;
use super::painter::Budget;
use super::{Format, Limits, MAX_COMMENTS, Pattern, to_coordinate};
use crate::board::{Cells, CellsError};
use crate::coords::Coords;

/// Reads the rest of `input` as Life 1.05.
pub(super) fn read(input: &mut Input<'_>, limits: &Limits) -> Result<Pattern, PatternError> {
    let mut pattern =
        Pattern { format: Format::Life105, position: Some(Coords::default()), ..Pattern::default() };
    let mut room = MAX_COMMENTS;
    let mut cells = Cells::new();
    // Blocks may overlap, so the cells can't come in reading order.
    let mut budget = Budget::new(limits.cell_bytes);
    let (mut left, mut y) = (0, 0);
    let mut line = Vec::new();
    loop {
        let start = input.here();
        if !input.next_line(Format::Life105, &mut line)? {
            break;
        }
        let fail = |at: usize, message: String| start.error(Format::Life105, &line, at, message);
        if line.first() == Some(&b'#') {
            let text = decode(&line);
            let rest = text.chars().skip(2).collect::<String>().trim().to_owned();
            match line.get(1) {
                Some(b'L' | b'l') => {}
                Some(b'N') if rest.is_empty() => pattern.rule = Some("B3/S23".to_owned()),
                Some(b'R') if !rest.is_empty() => pattern.rule = Some(rest),
                Some(b'P') if rest.is_empty() => {}
                Some(b'P') => {
                    let mut words = rest.split_whitespace().map(to_coordinate);
                    let (Some(Some(x)), Some(Some(row)), None) = (words.next(), words.next(), words.next())
                    else {
                        let message = "a block's place is two coordinates within ±2147483647, as in #P -2 2";
                        return Err(fail(2, message.to_owned()).into());
                    };
                    (left, y) = (x, row);
                }
                Some(b'D' | b'C' | b'N' | b'O' | b'R') => pattern.keep_comment(rest, &mut room),
                _ => pattern.keep_comment(text[1..].trim().to_owned(), &mut room),
            }
            continue;
        }
        let row = line.trim_ascii_end();
        if row.is_empty() {
            continue;
        }
        let mut at = 0;
        while at < row.len() {
            let length = row[at..].iter().take_while(|b| **b == row[at]).count();
            match row[at] {
                b'.' => {}
                b'*' | b'O' | b'o' => {
                    let x = left + i64::try_from(at).expect("a line is short");
                    let run = i64::try_from(length).expect("a line is short");
                    budget.fill_run(&mut cells, Coords::new(x, y), run, 1).map_err(|error| match error {
                        CellsError::TooLarge { limit_bytes } => PatternError::TooLarge { limit_bytes },
                        other @ CellsError::OutOfReach { .. } => fail(at, other.to_string()).into(),
                    })?;
                }
                _ => {
                    let message = "a row is made of . for dead and * for living cells";
                    return Err(fail(at, message.to_owned()).into());
                }
            }
            at += length;
        }
        y += 1;
    }
    pattern.cells = cells;
    Ok(pattern)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fault, from_text, picture};
    use super::*;

    #[test]
    fn blocks_stand_at_their_places() {
        let pattern = from_text(
            "#Life 1.05\n#D A glider\n#D and a block\n#R 23/3\n#P -1 -1\n.*\n..*\n***\n\n#P 4 0\n**\n**\n#P -1 -1\n*\n",
        );
        assert_eq!(picture(&pattern), "oo.....\n..o..oo\nooo..oo", "cells");
        assert_eq!(pattern.cells.bounding_box().map(|b| (b.x, b.y)), Some((-1, -1)), "place");
        assert_eq!(pattern.position, Some(Coords::default()), "coordinates are the world's");
        assert_eq!(pattern.rule.as_deref(), Some("23/3"), "rule, survival first");
        assert_eq!(pattern.comments, ["A glider", "and a block"], "comments");
        let bare = from_text("#Life 1.05\n#P 5 5\n*\n#P\n**\n");
        assert_eq!(picture(&bare), "o.\noo", "a #P alone goes on below");
        assert_eq!(from_text("#P 0 0\r\n#N\r\n*\r\n").rule.as_deref(), Some("B3/S23"), "#N");
    }

    #[test]
    fn faults_are_found_at_their_line_and_column() {
        for (text, line, column) in [
            ("#Life 1.05\n#P 0 0\n.*x\n", 3, 3),
            ("#Life 1.05\n#P 0\n.*\n", 2, 3),
            ("#Life 1.05\n#P 0 99999999999\n.*\n", 2, 3),
            ("#Life 1.05\n#P 2147483647 0\n..*\n", 3, 3),
        ] {
            let error = fault(text);
            assert_eq!(
                (error.line, error.column, error.format),
                (line, column, Format::Life105),
                "{text:?}: {error}"
            );
        }
    }
}
