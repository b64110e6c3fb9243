//! `MCell`'s `.mcl`: lines of which each begins with a mark.
//!
//! ```text
//! #MCell 4.00
//! #GAME Generations       the family of the rule      #RULE 345/2/4      several lines make one text
//! #BOARD 100x100          columns and rows            #WRAP 1            a torus; else a bounded plane
//! #D text                                             other marks (#SPEED, #CCOLORS, …) are passed over
//! #L 3.A$2.2AB            the cells, from the top-left of the board
//!
//! . dead   A … X states 1 … 24   aA … aX, bA …  states 25 … 48, 49 …   $ end of row   a count may stand before each
//! ```
//!
//! As in Golly the pattern is moved towards the middle of its board, by half of the room that it leaves, and cells of a
//! rule of two states are alive whatever their colour. Rules of families other than Life and Generations are kept by
//! the family's name, so that whoever runs them says so; of rule tables those of Life with a memory are known.

use super::error::{PatternError, decode};
use super::input::{Here, Input};
use super::painter::Budget;
use super::{Format, Limits, MAX_COMMENTS, Pattern};
use crate::board::{Cells, CellsError};
use crate::cell::State;
use crate::coords::{COORDINATE_LIMIT, Coords};
use crate::rule::FOREIGN_FAMILY;

/// Cells that stand for a state with one letter, `A` to `X`.
const LETTERS: State = 24;
/// How the rule tables begin that `MCell`'s users have for Life, and for Life whose cells remember.
const LIFE_TABLE: &str = "1,0,0,0,0,0,1,0,0,0,0,0,0,0,0,1,1";
const HISTORY_TABLE: &str = "1,0,1,0,0,0,1,0,0,0,0,0,0,2,2,1,1,2,2,2,2,2,0,2,2,2,1,2,2,2,2,2";
/// The longest text of a rule that is kept, bytes.
const MAX_RULE: usize = 4096;

/// What the lines before the cells say.
#[derive(Default)]
struct Head {
    family: String,
    rule: String,
    board: Option<(i64, i64)>,
    wraps: bool,
}

/// What the letters of the cells stand for.
#[derive(Clone, Copy, PartialEq)]
enum Letters {
    States,
    /// Colours of living cells.
    Colours,
    /// The states of a history that has two more of them.
    LongHistory,
}

/// Reads the rest of `input` as `MCell`.
pub(super) fn read(input: &mut Input<'_>, limits: &Limits) -> Result<Pattern, PatternError> {
    let mut pattern = Pattern { format: Format::MCell, ..Pattern::default() };
    let (mut head, mut room, mut line) = (Head::default(), MAX_COMMENTS, Vec::new());
    let mut data =
        Data { at: Coords::default(), cells: Cells::new(), budget: Budget::new(limits.cell_bytes) };
    loop {
        let start = input.here();
        if !input.next_line(Format::MCell, &mut line)? {
            break;
        }
        if line.starts_with(b"#L") {
            data.row(start, &line)?;
            continue;
        }
        let text = decode(&line);
        let (mark, rest) = text.split_once(char::is_whitespace).unwrap_or((&text, ""));
        let rest = rest.trim();
        match mark.to_ascii_uppercase().as_str() {
            "#GAME" => rest.clone_into(&mut head.family),
            "#RULE" | "#GOLLY" if head.rule.len() + rest.len() <= MAX_RULE => head.rule += rest,
            "#BOARD" => {
                head.board = board(rest);
                if head.board.is_none() {
                    pattern.note(
                        "the size of the board is no pair of numbers up to 2,000,000,000, so it has no edges",
                    );
                }
            }
            "#WRAP" => head.wraps = rest.starts_with('1'),
            "#D" | "#C" | "#N" => pattern.keep_comment(rest.to_owned(), &mut room),
            _ => {}
        }
    }
    pattern.cells = data.cells;
    head.apply(&mut pattern)?;
    Ok(pattern)
}

/// Columns and rows, as in `100x80`; `None` where they are no size of a board.
fn board(text: &str) -> Option<(i64, i64)> {
    let (width, height) = text.split_once(['x', 'X'])?;
    let side = |text: &str| text.trim().parse().ok().filter(|side| (1..=2_000_000_000).contains(side));
    Some((side(width)?, side(height)?))
}

impl Head {
    /// Gives the pattern its rule and its place.
    fn apply(self, pattern: &mut Pattern) -> Result<(), PatternError> {
        let family = self.family.to_ascii_lowercase();
        let (rule, letters) = if self.rule.starts_with(HISTORY_TABLE) {
            let is_long = self.rule[HISTORY_TABLE.len()..].starts_with(',');
            ("LifeHistory".to_owned(), if is_long { Letters::LongHistory } else { Letters::States })
        } else if self.rule.starts_with(LIFE_TABLE) {
            ("B3/S23".to_owned(), Letters::Colours)
        } else if matches!(&*family, "" | "life" | "standard life") {
            let rule = if self.rule.is_empty() { "B3/S23".to_owned() } else { self.rule };
            (rule, Letters::Colours)
        } else if matches!(&*family, "generations" | "larger than life") {
            (self.rule, Letters::States)
        } else {
            (format!("{FOREIGN_FAMILY} {}", self.family), Letters::States)
        };
        pattern.cells = letters.translated(std::mem::take(&mut pattern.cells), pattern)?;
        let mut position = Coords::default();
        let mut suffix = String::new();
        if let Some((width, height)) = self.board {
            suffix = format!(":{}{width},{height}", if self.wraps { 'T' } else { 'P' });
            position = Coords::new(-(width / 2), -(height / 2));
            if let Some(living) = pattern.cells.bounding_box() {
                let shift = |side: i64, length: i64| ((side + 1 - length) / 2).max(0);
                position = position.offset(shift(width, living.width), shift(height, living.height));
            }
        }
        pattern.rule = Some(format!("{rule}{suffix}"));
        pattern.position = Some(position);
        Ok(())
    }
}

impl Letters {
    /// The cells in the states that they stand for.
    fn translated(self, cells: Cells, pattern: &mut Pattern) -> Result<Cells, PatternError> {
        let state_of = |state: State| match (self, state) {
            (Self::Colours, _) => 1,
            (Self::LongHistory, 8) => 4,
            (Self::LongHistory, 3) => 5,
            (Self::LongHistory, 5) => 3,
            (Self::States | Self::LongHistory, state) => state,
        };
        if cells.iter().all(|(_, state)| state_of(state) == state) {
            return Ok(cells);
        }
        if self == Self::Colours {
            pattern.note("the cells have colours that the rule doesn't know; all of them are alive");
        }
        let mut translated = Cells::new();
        for (at, state) in cells.iter() {
            translated.set(at, state_of(state)).map_err(PatternError::OutOfReach)?;
        }
        Ok(translated)
    }
}

/// Cells as they are read.
struct Data {
    /// Where the next cell is.
    at: Coords,
    cells: Cells,
    budget: Budget,
}

impl Data {
    /// Reads a line of cells, which begins with `#L`.
    fn row(&mut self, start: Here, line: &[u8]) -> Result<(), PatternError> {
        let fail = |at: usize, message: &str| start.error(Format::MCell, line, at, message);
        let mut at = 2;
        while at < line.len() {
            if line[at].is_ascii_whitespace() {
                at += 1;
                continue;
            }
            let begin = at;
            let digits = line[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            at += digits;
            let count = std::str::from_utf8(&line[begin..at]).unwrap_or_default();
            let count: i64 = match (digits, count.parse()) {
                (0, _) => 1,
                (_, Ok(count)) if (1..=COORDINATE_LIMIT).contains(&count) => count,
                _ => {
                    return Err(
                        fail(begin, &format!("a count is a number from 1 to {COORDINATE_LIMIT}")).into()
                    );
                }
            };
            let prefix = match line.get(at) {
                Some(letter @ b'a'..=b'j') => {
                    at += 1;
                    LETTERS.wrapping_mul(letter - b'a' + 1)
                }
                _ => 0,
            };
            let state = match line.get(at) {
                Some(letter @ b'A'..=b'X') => prefix.checked_add(letter - b'A' + 1),
                Some(b'.' | b'$') if prefix == 0 => Some(0),
                _ => None,
            };
            let Some(state) = state else {
                let message = "cells are . for dead, A to X for states 1 to 24, aA, aB, … for 25, 26, … up to jO for 255";
                return Err(fail(at.min(line.len()), message).into());
            };
            let out_of_reach = "the cells go on beyond the end of coordinates";
            if line[at] == b'$' {
                self.at = Coords::new(0, self.at.y.saturating_add(count));
            } else {
                if state > 0 {
                    self.budget.fill_run(&mut self.cells, self.at, count, state).map_err(
                        |error| match error {
                            CellsError::TooLarge { limit_bytes } => PatternError::TooLarge { limit_bytes },
                            CellsError::OutOfReach { .. } => fail(begin, out_of_reach).into(),
                        },
                    )?;
                }
                self.at.x = self.at.x.saturating_add(count);
            }
            at += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fault, from_text, picture};
    use super::*;
    use crate::board::Topology;

    #[test]
    fn a_pattern_stands_in_the_middle_of_its_board() {
        let pattern = from_text(
            "#MCell 4.00\r\n#GAME Generations\r\n#RULE 345/2/4\r\n#BOARD 20x11\r\n#SPEED 50\r\n#WRAP 1\r\n#D A ship\r\n#L AB.C$\r\n#L 2$2A\r\n",
        );
        assert_eq!(pattern.rule.as_deref(), Some("345/2/4:T20,11"), "rule and board");
        assert_eq!(pattern.comments, ["A ship"], "comment");
        let states: Vec<_> = pattern.cells.iter().map(|(at, state)| (at.x, at.y, state)).collect();
        assert_eq!(states, [(0, 0, 1), (1, 0, 2), (3, 0, 3), (0, 3, 1), (1, 3, 1)], "cells");
        // Columns: (20 + 1 − 4) / 2 = 8; rows: (11 + 1 − 4) / 2 = 4.
        let topology = Topology::Torus { width: 20, height: 11 };
        let board = pattern.to_board(topology).expect("it fits").board;
        let living = board.cells.bounding_box().expect("life");
        assert_eq!((living.x, living.y), (8, 4), "place");
    }

    #[test]
    fn rules_of_the_families_that_we_know_are_taken_and_others_are_named() {
        let rule = |head: &str| from_text(&format!("#MCell 4.00\n{head}\n#L A\n")).rule.unwrap_or_default();
        assert_eq!(rule("#GAME Standard Life\n#RULE 23/36\n#BOARD 9x8\n#WRAP 0"), "23/36:P9,8", "a plane");
        assert_eq!(rule("#D nothing"), "B3/S23", "Life");
        assert_eq!(rule("#GAME Life"), "B3/S23", "Life");
        assert_eq!(
            rule("#GAME Rules table\n#RULE 1,0,0,0,0,0,1,0,0,0,0,0,0,0,0,1,1,0"),
            "B3/S23",
            "a table of Life"
        );
        assert_eq!(
            rule("#GAME Larger than Life\n#RULE R1,C0,M0,S2..3,B3..3,NM"),
            "R1,C0,M0,S2..3,B3..3,NM",
            "range 1"
        );
        let foreign = rule("#GAME Weighted Life\n#RULE NW0,NN1,NE0,…");
        let error = crate::rule::parse(&foreign).expect_err("not known");
        assert!(error.message.contains("Weighted Life"), "{error}");
    }

    #[test]
    fn colours_of_life_are_left_out_and_those_of_histories_translated() {
        let coloured = from_text("#MCell 4.00\n#GAME Standard Life\n#RULE 23/3\n#CCOLORS 4\n#L AB2C$.D\n");
        assert_eq!(picture(&coloured), "oooo\n.o..", "all alive");
        assert!(coloured.cells.iter().all(|(_, state)| state == 1), "in state 1");
        assert!(coloured.notes.iter().any(|note| note.contains("colours")), "{:?}", coloured.notes);
        let states = |rule: &str| {
            let text = format!("#MCell 4.00\n#GAME Rules table\n#RULE {rule}\n#L ABCDEFH\n");
            let pattern = from_text(&text);
            assert_eq!(pattern.rule.as_deref(), Some("LifeHistory"), "{rule}");
            pattern.cells.iter().map(|(_, state)| state).collect::<Vec<_>>()
        };
        assert_eq!(states(HISTORY_TABLE), [1, 2, 3, 4, 5, 6, 8], "as they are");
        assert_eq!(states(&format!("{HISTORY_TABLE},2")), [1, 2, 5, 4, 3, 6, 4], "the longer history");
    }

    #[test]
    fn high_states_have_a_letter_in_front() {
        let pattern = from_text("#MCell 4.00\n#GAME Generations\n#RULE /2/256\n#L X2aAjO\n");
        let states: Vec<State> = pattern.cells.iter().map(|(_, state)| state).collect();
        assert_eq!(states, [24, 25, 25, 255], "24, two of 25, 255");
    }

    #[test]
    fn faults_are_found_at_their_place() {
        for (cells, column) in [
            ("#L A?", 5),
            ("#L 2", 5),
            ("#L a.", 5),
            ("#L jP", 5),
            ("#L A0B", 5),
            ("#L A99999999999B", 5),
            ("#L 3Ak", 6),
        ] {
            let error = fault(&format!("#MCell 4.00\n{cells}\n"));
            assert_eq!((error.line, error.column), (2, column), "{cells}: {error}");
        }
    }
}
