//! RLE: `x = 3, y = 3, rule = B3/S23` and `b2o$2o$bo!`.
//!
//! ```text
//! #N name   #O author   #C comment (also #c, #D)   #r rule   #P x y (also #R): position
//! #CXRLE Pos=x,y Gen=n
//! #CBIOTA Background=s Seed=n               our own: see `own`
//! x = columns, y = rows, rule = rule        the rule goes to the next white space
//! 2b3o$ … !                                 [count] symbol, and what follows the ! is comment
//!
//! b .      dead          A … X            states 1 … 24
//! o        state 1       pA … pX, qA …    states 25 … 48, 49 … up to yO = 255
//! $        end of row    !                end of pattern
//! ```
//!
//! Forgiven, as in Golly: a missing header, a missing `!` (noted), `p` … `y` without a letter after them (state 1),
//! other characters (noted), comment lines within the data, a second header (ignored).
//! Not forgiven: a count that doesn't stand directly before a symbol, a count that begins with 0, a state above 255.
//! An `@RULE` section after the data is kept as the pattern's rule file, and goes to the end of the file.

mod data;
mod scan;

use std::io::Write;

use super::error::{PatternError, SyntaxError, decode};
use super::input::{Here, Input, MAX_LINE};
use super::painter::Painter;
use super::{Bands, Format, Limits, MAX_COMMENTS, MAX_RULE_FILE, Pattern, own, to_coordinate};
use crate::board::Topology;
use crate::cell::DEAD;
use crate::coords::Coords;
use data::Data;
use scan::{Fault, Scan, Stop};

/// The longest run, and the most columns or rows of a header: twice as far as coordinates go.
const MAX_COUNT: u64 = 0xFFFF_FFFF;
/// Cells that stand for a state with one letter, `A` to `X`.
const LETTERS: u8 = 24;
/// Reads the rest of `input` as RLE.
pub(super) fn read(input: &mut Input<'_>, limits: &Limits) -> Result<Pattern, PatternError> {
    let mut pattern = Pattern { format: Format::Rle, ..Pattern::default() };
    let mut room = MAX_COMMENTS;
    let mut scan = Scan::new(Painter::new(limits.cell_bytes));
    let (mut has_header, mut is_closed) = (false, false);
    let mut line = Vec::new();
    loop {
        // Before the first symbol there may be a header.
        if (has_header || scan.begun) && scan.share_from(input)? {
            continue;
        }
        match scan.read_from(input)? {
            Stop::Bytes if input.window(1)?.is_empty() => break,
            Stop::Comment => {
                let start = input.here();
                input.rest_of_line(&mut line, MAX_LINE)?;
                comment(&mut pattern, start, &line, &mut room)?;
                scan.painter.place(pattern.position.unwrap_or_default());
            }
            Stop::Header => {
                let start = input.here();
                let whole = input.rest_of_line(&mut line, MAX_LINE)?;
                if !(has_header || scan.begun) {
                    if !whole {
                        let message = format!("a header is longer than {MAX_LINE} bytes");
                        return Err(start.error(Format::Rle, &line, line.len(), message).into());
                    }
                    header(&mut pattern, start, &line)?;
                    has_header = true;
                }
            }
            Stop::End => {
                (scan.begun, is_closed) = (true, true);
                after_the_end(&mut pattern, input, &mut room)?;
                break;
            }
            Stop::Fault(fault) => return Err(fault.error(input)),
            Stop::Bytes | Stop::Unknown => {}
        }
    }
    if scan.count > 0 {
        return Err(Fault::LoneCount.error(input));
    }
    let is_cut = has_header && scan.begun && !is_closed;
    let mut pattern = finish(pattern, scan, has_header)?;
    if is_cut {
        pattern.note("the cells end without a !; the file may have been cut off");
    }
    Ok(pattern)
}

/// Gathers what was read.
fn finish(mut pattern: Pattern, scan: Scan, has_header: bool) -> Result<Pattern, PatternError> {
    if !has_header {
        // Without a header, text of any kind that begins with a # comes here.
        if let Some(mut first) = scan.first_unknown {
            "this character has no meaning in RLE (and the file has no header x = …, y = …)"
                .clone_into(&mut first.message);
            return Err(first.into());
        }
        if !scan.begun {
            return Err(PatternError::Unrecognised("the file holds comments and no pattern".to_owned()));
        }
        // Where Golly puts it, too.
        pattern.position.get_or_insert_default();
        let rows = scan.y.saturating_add(i64::from(scan.x > 0));
        let limit = i64::try_from(MAX_COUNT).expect("32 bits");
        pattern.size = Some((scan.columns.max(scan.x).min(limit), rows.min(limit)));
    }
    if let Some(first) = scan.first_unknown {
        pattern.note(&format!(
            "characters without a meaning in RLE are passed over: {}, the first in line {}, column {}",
            scan.unknown, first.line, first.column
        ));
    }
    pattern.cells = scan.painter.finish()?;
    Ok(pattern)
}

/// Reads a line that begins with `#`.
fn comment(pattern: &mut Pattern, start: Here, line: &[u8], room: &mut usize) -> Result<(), SyntaxError> {
    let text = decode(line);
    let text = text.trim_end();
    if let Some(fields) = text.strip_prefix("#CXRLE") {
        return extended(pattern, start, text, fields);
    }
    if own::read(pattern, start, text)? {
        return Ok(());
    }
    let mut characters = text[1..].chars();
    let letter = characters.next();
    // One space belongs to the mark.
    let rest = characters.as_str().strip_prefix(' ').unwrap_or(characters.as_str()).to_owned();
    match letter {
        Some('N') if pattern.name.is_none() && !rest.trim().is_empty() => {
            pattern.name = Some(rest.trim().to_owned());
        }
        Some('O') if pattern.author.is_none() && !rest.trim().is_empty() => {
            pattern.author = Some(rest.trim().to_owned());
        }
        Some('r') => {
            if pattern.rule.is_none() {
                pattern.rule = rest.split_whitespace().next().map(str::to_owned);
            }
        }
        Some('P' | 'R') if pattern.position.is_none() && place(&rest).is_some() => {
            pattern.position = place(&rest);
        }
        Some('C' | 'c' | 'D' | 'N' | 'O') => pattern.keep_comment(rest, room),
        Some(_) => pattern.keep_comment(text[1..].to_owned(), room),
        None => pattern.keep_comment(String::new(), room),
    }
    Ok(())
}

/// Two coordinates, as `#P 3 -4` has them.
fn place(text: &str) -> Option<Coords> {
    let mut words = text.split_whitespace().map(to_coordinate);
    match (words.next(), words.next(), words.next()) {
        (Some(Some(x)), Some(Some(y)), None) => Some(Coords::new(x, y)),
        _ => None,
    }
}

/// Reads the fields of a `#CXRLE` line.
fn extended(pattern: &mut Pattern, start: Here, line: &str, fields: &str) -> Result<(), SyntaxError> {
    for field in fields.split_whitespace() {
        let at = field.as_ptr() as usize - line.as_ptr() as usize;
        let fail = |offset: usize, message: &str| {
            Err(start.error(Format::Rle, line.as_bytes(), at + offset, message))
        };
        let Some((key, value)) = field.split_once('=') else {
            continue;
        };
        if key.eq_ignore_ascii_case("pos") {
            match value.split_once(',').map(|(x, y)| (to_coordinate(x), to_coordinate(y))) {
                Some((Some(x), Some(y))) => pattern.position = Some(Coords::new(x, y)),
                _ => return fail(4, "a position is two coordinates within ±2147483647, as in Pos=-3,4"),
            }
        } else if key.eq_ignore_ascii_case("gen") {
            if value.is_empty() || !value.bytes().all(|b| b.is_ascii_digit()) {
                return fail(4, "a generation is a number from 0, as in Gen=100");
            }
            pattern.count_from(value);
        }
    }
    Ok(())
}

/// Reads the header line.
fn header(pattern: &mut Pattern, start: Here, line: &[u8]) -> Result<(), SyntaxError> {
    const FORM: &str = "a header has the form x = 3, y = 3, rule = B3/S23";
    let fail = |at: usize, message: &str| Err(start.error(Format::Rle, line, at, message));
    let white = |at: usize| at + line[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let (mut width, mut height) = (None, None);
    let mut at = white(0);
    while at < line.len() {
        let key_at = at;
        at += line[at..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
        let key = line[key_at..at].to_ascii_lowercase();
        at = white(at);
        if key.is_empty() || line.get(at) != Some(&b'=') {
            return fail(at, FORM);
        }
        at = white(at + 1);
        let value_at = at;
        let is_rule = key == b"rule";
        at += line[at..].iter().take_while(|b| !b.is_ascii_whitespace() && (is_rule || **b != b',')).count();
        let value = decode(&line[value_at..at]);
        if is_rule {
            let rule = value.trim_end_matches(',');
            if !rule.is_empty() {
                pattern.rule = Some(rule.to_owned());
            }
            break;
        }
        if key == b"x" || key == b"y" {
            if value.is_empty() || !value.bytes().all(|b| b.is_ascii_digit()) {
                return fail(value_at, "columns and rows are numbers from 0");
            }
            let Some(size) = value.parse().ok().filter(|size: &u64| *size <= MAX_COUNT) else {
                return fail(value_at, &format!("columns and rows are at most {MAX_COUNT}"));
            };
            let size = Some(i64::try_from(size).expect("32 bits"));
            if key == b"x" { width = size } else { height = size }
        }
        at = white(at);
        if line.get(at) == Some(&b',') {
            at = white(at + 1);
        }
    }
    match (width, height) {
        (Some(width), Some(height)) => pattern.size = Some((width, height)),
        _ => return fail(at.min(line.len()), FORM),
    }
    Ok(())
}

/// Reads what follows the `!`: comments, and perhaps a rule's section.
fn after_the_end(pattern: &mut Pattern, input: &mut Input<'_>, room: &mut usize) -> Result<(), PatternError> {
    let mut line = Vec::new();
    loop {
        if input.window(1)?.is_empty() {
            return Ok(());
        }
        let start = input.here();
        input.rest_of_line(&mut line, MAX_LINE)?;
        let text = decode(&line);
        let text = text.trim_end();
        if text.starts_with("@RULE") {
            return rule_section(pattern, input, start, text);
        }
        if text.starts_with('#') {
            comment(pattern, start, text.as_bytes(), room)?;
        } else if !text.is_empty() {
            pattern.keep_comment(text.to_owned(), room);
        }
    }
}

/// Keeps the section that begins with the line `first`, up to the end of the text.
fn rule_section(
    pattern: &mut Pattern,
    input: &mut Input<'_>,
    start: Here,
    first: &str,
) -> Result<(), PatternError> {
    let mut text = format!("{first}\n");
    let mut line = Vec::new();
    let mut fits = true;
    while !input.window(1)?.is_empty() {
        fits &= input.rest_of_line(&mut line, MAX_RULE_FILE)?;
        if fits {
            text.push_str(&decode(&line));
            text.push('\n');
            fits = text.len() <= MAX_RULE_FILE;
        }
    }
    if fits {
        pattern.rule_file = Some(text);
    } else {
        pattern.note(&format!(
            "the rule section from line {} on is left out: it has more than {MAX_RULE_FILE} bytes",
            start.line
        ));
    }
    Ok(())
}

/// Writes `pattern` as RLE for a rule of `states` states: `b` and `o` for two, `.` and letters for more.
///
/// Lines have at most 70 characters, except the header and comments; dead cells at the ends of rows and empty rows
/// at the end are left out. The pattern's rule file follows the cells. Errors when a cell's state is not one of `states`.
pub fn write_rle(out: &mut impl Write, pattern: &Pattern, states: u16) -> Result<(), PatternError> {
    write(out, pattern, &mut &pattern.cells, states)
}

/// [`write_rle`] with the cells of `bands` instead of the pattern's own.
pub(super) fn write(
    out: &mut dyn Write,
    about: &Pattern,
    bands: &mut dyn Bands,
    states: u16,
) -> Result<(), PatternError> {
    let living = bands.bounding_box()?;
    let frame = about.frame_of(living);
    let corner = about.corner_to_write(frame).or_else(|| {
        // A wrong header decides where the pattern stands on a bounded board; the one that is written is right.
        let was_wrong = about.size.is_some_and(|size| size != (frame.width, frame.height));
        let moves = was_wrong && about.topology_of_rule() != Topology::Unbounded;
        moves.then(|| about.place_of(living).offset(frame.x, frame.y))
    });
    let position = corner.map(|corner| format!(" Pos={},{}", corner.x, corner.y));
    let generation = (about.generation > 0).then(|| format!(" Gen={}", about.generation));
    if position.is_some() || generation.is_some() {
        writeln!(out, "#CXRLE{}{}", position.unwrap_or_default(), generation.unwrap_or_default())?;
    }
    out.write_all(own::line(about).as_bytes())?;
    for line in about.marked_lines() {
        writeln!(out, "{line}")?;
    }
    write!(out, "x = {}, y = {}", frame.width, frame.height)?;
    if let Some(rule) = about.rule_in_one_word() {
        write!(out, ", rule = {rule}")?;
    }
    writeln!(out)?;

    let mut data = Data::new(out, frame, states, about.background.unwrap_or(DEAD));
    bands.each(&mut |cells| data.band(&cells))?;
    data.finish()?;
    if let Some(text) = &about.rule_file {
        writeln!(out, "\n{}", text.trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fault, from_text, picture};
    use super::*;
    use crate::board::Cells;
    use crate::cell::State;

    fn written(pattern: &Pattern, states: u16) -> String {
        let mut out = Vec::new();
        write_rle(&mut out, pattern, states).expect("it can be written");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn the_r_pentomino_is_read_with_its_header() {
        let pattern = from_text("x = 3, y = 3, rule = B3/S23\nb2o$2o$bo!\n");
        assert_eq!(picture(&pattern), ".oo\noo.\n.o.", "cells");
        assert_eq!(pattern.rule.as_deref(), Some("B3/S23"), "rule");
        assert_eq!((pattern.size, pattern.position), (Some((3, 3)), None), "size and position");
        assert_eq!(pattern.notes, Vec::<String>::new(), "nothing to forgive");
    }

    #[test]
    fn states_past_24_take_a_prefix() {
        let pattern = from_text("x = 5, y = 1, rule = Wide\nXpApXqAyO!");
        let states: Vec<State> = pattern.cells.iter().map(|(_, state)| state).collect();
        assert_eq!(states, [24, 25, 48, 49, 255], "states");
        assert!(written(&pattern, 256).ends_with("\nXpApXqAyO!\n"), "{}", written(&pattern, 256));
    }

    #[test]
    fn two_state_and_many_state_letters_mix() {
        let pattern = from_text("x = 0, y = 0, rule = Immigration\n.boA2B$oApAoo!");
        let rows: Vec<_> = pattern.cells.iter().map(|(at, state)| (at.x, at.y, state)).collect();
        assert_eq!(
            rows,
            [
                (2, 0, 1),
                (3, 0, 1),
                (4, 0, 2),
                (5, 0, 2),
                (0, 1, 1),
                (1, 1, 1),
                (2, 1, 25),
                (3, 1, 1),
                (4, 1, 1)
            ],
            "x, y, state"
        );
        assert_eq!((pattern.frame().width, pattern.frame().height), (6, 2), "the header's size was wrong");
    }

    #[test]
    fn a_prefix_without_its_letter_is_state_1() {
        assert_eq!(picture(&from_text("x = 5, y = 1\np2q bzo!")), "ooo.o", "as in old collections");
    }

    #[test]
    fn the_header_is_free_in_white_space_and_order() {
        for (text, rule, size) in [
            ("x=3,y=4,rule=B3/S23\no!", Some("B3/S23"), (3, 4)),
            ("  X =  3 ,y= 4\t,  rule =  23/3,  \no!", Some("23/3"), (3, 4)),
            ("x = 3, y = 4\no!", None, (3, 4)),
            ("x = 3, y = 4, rule =\no!", None, (3, 4)),
            ("x = 3, y = 4,\no!", None, (3, 4)),
            ("x = 3, y = 4, rule = B3/S23:T30,20\no!", Some("B3/S23:T30,20"), (3, 4)),
            (
                "x = 3, y = 4, rule = R5,C0,M1,S34..58,B34..45,NM, trailing\no!",
                Some("R5,C0,M1,S34..58,B34..45,NM"),
                (3, 4),
            ),
            (
                "x = 1000000000, y = 1000000000, rule = B3/S23\no!",
                Some("B3/S23"),
                (1_000_000_000, 1_000_000_000),
            ),
            ("x = 3, y = 4, colour = red, rule = B36/S23\no!", Some("B36/S23"), (3, 4)),
        ] {
            let pattern = from_text(text);
            assert_eq!((pattern.rule.as_deref(), pattern.size), (rule, Some(size)), "{text}");
            assert_eq!(pattern.cells.tally().population(), 1, "{text}");
        }
    }

    #[test]
    fn a_header_in_capitals_is_a_header() {
        let pattern = from_text("X = 3, Y = 2, RULE = b36/s23\nbo$o!");
        assert_eq!((pattern.rule.as_deref(), pattern.size), (Some("b36/s23"), Some((3, 2))), "header");
        assert_eq!(picture(&pattern), ".o.\no..", "cells");
        let data = from_text("x = 3, y = 2\nA$\nX!");
        assert_eq!(data.cells.get(Coords::new(0, 1)), 24, "in the data it is state 24");
    }

    #[test]
    fn only_the_first_header_counts() {
        let pattern = from_text("x = 2, y = 1, rule = B36/S23\n2o$\nx = 9, y = 9, rule = B3/S23\n2o!");
        assert_eq!((pattern.rule.as_deref(), pattern.size), (Some("B36/S23"), Some((2, 1))), "first header");
        assert_eq!(picture(&pattern), "oo\noo", "the second is no data");
    }

    #[test]
    fn an_x_that_begins_a_line_of_data_is_a_prefix() {
        let pattern = from_text("x = 2, y = 2, rule = Wide\nA$\nxA!");
        assert_eq!(pattern.cells.get(Coords::new(0, 1)), 24 * 9 + 1, "state");
    }

    #[test]
    fn comment_lines_are_kept_and_sorted() {
        let pattern = from_text(
            "#N Glider\n#O Richard K. Guy\n#C first\n#c  second\n#D third\n#\n#r B36/S23\n#r B2/S\n\
             #CXRLE Gen=7 Pos=-3,4 Other=1\nx = 3, y = 3\nbo$2bo$\n#C between\n3o! last words\nmore\n\n#C end\n",
        );
        assert_eq!(pattern.name.as_deref(), Some("Glider"), "name");
        assert_eq!(pattern.author.as_deref(), Some("Richard K. Guy"), "author");
        assert_eq!(pattern.rule.as_deref(), Some("B36/S23"), "the first #r");
        assert_eq!((pattern.position, pattern.generation), (Some(Coords::new(-3, 4)), 7), "#CXRLE");
        assert_eq!(
            pattern.comments,
            ["first", " second", "third", "", "between", " last words", "more", "end"],
            "comments"
        );
        assert_eq!(picture(&pattern), ".o.\n..o\nooo", "cells");
    }

    #[test]
    fn the_headers_rule_goes_before_a_comments() {
        let pattern = from_text("#r B36/S23\nx = 1, y = 1, rule = B3/S23\no!\n#r B2/S");
        assert_eq!(pattern.rule.as_deref(), Some("B3/S23"), "rule");
    }

    #[test]
    fn positions_may_stand_in_comments() {
        assert_eq!(from_text("#C a\n#P 3 -4\no!").position, Some(Coords::new(3, -4)), "#P");
        assert_eq!(from_text("#R 3 -4\no!").position, Some(Coords::new(3, -4)), "#R");
        assert_eq!(from_text("#R 3 four\no!").comments, ["R 3 four"], "no place, so a comment");
    }

    #[test]
    fn a_generation_beyond_64_bits_is_noted() {
        // The second is the last that 64 bits hold: no step could follow it. Some rules take turns.
        for (generation, counted) in [("100000000000000000000", 0), ("18446744073709551615", 1)] {
            let line = format!("#CXRLE Gen={generation}\n");
            let pattern = from_text(&format!("{line}{line}x = 1, y = 1\no!"));
            assert_eq!(
                (pattern.generation, pattern.notes.len()),
                (counted, 1),
                "{generation}: {:?}",
                pattern.notes
            );
        }
    }

    #[test]
    fn without_a_header_the_blank_edges_stay() {
        let pattern = from_text("2$3b2o2b$$!");
        assert_eq!(pattern.size, Some((7, 4)), "size");
        assert_eq!(pattern.cells.bounding_box().map(|b| (b.x, b.y)), Some((3, 2)), "place");
    }

    #[test]
    fn line_ends_of_all_systems_are_read() {
        for end in ["\n", "\r", "\r\n"] {
            let text =
                ["#C one", "x = 3, y = 3, rule = B3/S23", "b2o$", "2o$", "#C two", "bo!", "three"].join(end);
            let pattern = from_text(&text);
            assert_eq!(picture(&pattern), ".oo\noo.\n.o.", "cells with {end:?}");
            assert_eq!(pattern.comments, ["one", "two", "three"], "comments with {end:?}");
        }
    }

    #[test]
    fn an_end_that_is_missing_is_forgiven() {
        assert_eq!(picture(&from_text("x = 3, y = 2\nb2o$2o")), ".oo\noo.", "no !");
        assert_eq!(from_text("x = 0, y = 0").size, Some((0, 0)), "no data at all");
    }

    #[test]
    fn unknown_characters_are_passed_over_and_noted() {
        let pattern = from_text("x = 3, y = 1\no?Zéo!");
        assert_eq!(picture(&pattern), "oo.", "cells");
        assert_eq!(
            pattern.notes,
            ["characters without a meaning in RLE are passed over: 3, the first in line 2, column 2"],
            "notes"
        );
    }

    #[test]
    fn a_rule_section_after_the_data_is_noted() {
        let pattern = from_text("x = 1, y = 1, rule = Own\no!\nwords\n\n@RULE Own\n@TABLE\nn_states:2\n");
        assert_eq!(pattern.comments, ["words"], "comments");
        assert_eq!(pattern.rule_file.as_deref(), Some("@RULE Own\n@TABLE\nn_states:2\n"), "rule file");
        assert_eq!(from_text(&written(&pattern, 2)).rule_file, pattern.rule_file, "read back");
        assert!(pattern.notes.is_empty(), "notes: {:?}", pattern.notes);
    }

    #[test]
    fn comments_in_latin_1_are_understood() {
        let pattern =
            super::super::read(&b"#O Andr\xE9\nx = 1, y = 1\no!"[..], &Limits::default()).expect("Latin-1");
        assert_eq!(pattern.author.as_deref(), Some("André"), "author");
    }

    #[test]
    fn endless_comments_are_cut() {
        let text = format!("x = 1, y = 1\no!\n{}", "#C some words\n".repeat(100_000));
        let pattern = from_text(&text);
        assert!(pattern.comments.len() < 50_000, "{} lines kept", pattern.comments.len());
        assert_eq!(pattern.notes, ["comments beyond the first mebibyte are left out"], "notes");
    }

    #[test]
    fn faults_are_found_at_their_line_and_column() {
        for (text, line, column, message) in [
            ("x = 3, y = 3\nb2o$3 o!", 2, 5, "a count stands directly before its symbol"),
            ("x = 3, y = 3\nb2o$\nb12\no!", 3, 2, "a count stands directly before its symbol"),
            ("x = 3, y = 3\r\nb2o$\r\nb12\r\no!", 3, 2, "a count stands directly before its symbol"),
            ("x = 3, y = 3\nb2o$12", 2, 5, "a count stands directly before its symbol"),
            ("x = 3, y = 3\nb2o$12!", 2, 5, "a count stands directly before its symbol"),
            ("x = 3, y = 3\nb2?o!", 2, 2, "a count stands directly before its symbol"),
            ("x = 3, y = 3\nb02o!", 2, 2, "a count doesn't begin with 0"),
            ("x = 3, y = 3\nyO yP!", 2, 4, "states go up to 255, which is yO"),
            ("x = 3, y = 3\no4294967296o!", 2, 2, "a count is at most 4294967295"),
            (
                "x = 3, y = 3\n2147483648bo!",
                2,
                12,
                "cell (2147483648, 0) is out of reach: coordinates go to ±2147483647",
            ),
            (
                "x = 3, y = 3\n3000000000$\n o!",
                3,
                2,
                "cell (0, 3000000000) is out of reach: coordinates go to ±2147483647",
            ),
            ("x = -3, y = 3\no!", 1, 5, "columns and rows are numbers from 0"),
            ("x = 3, y = three\no!", 1, 12, "columns and rows are numbers from 0"),
            ("x = 3, y = 4294967296\no!", 1, 12, "columns and rows are at most 4294967295"),
            ("  x = 3, y = 99999999999999999999\no!", 1, 14, "columns and rows are at most 4294967295"),
            ("x = 3\no!", 1, 6, "a header has the form x = 3, y = 3, rule = B3/S23"),
            ("x = 3, y 4\no!", 1, 10, "a header has the form x = 3, y = 3, rule = B3/S23"),
            (
                "#C\n #CXRLE Pos=1;2\no!",
                2,
                13,
                "a position is two coordinates within ±2147483647, as in Pos=-3,4",
            ),
            (
                "#CXRLE Pos=1,2147483648\no!",
                1,
                12,
                "a position is two coordinates within ±2147483647, as in Pos=-3,4",
            ),
            ("#CXRLE Pos=1,2 Gen=-1\no!", 1, 20, "a generation is a number from 0, as in Gen=100"),
            (
                "# Biota\n\nA desktop laboratory",
                3,
                3,
                "this character has no meaning in RLE (and the file has no header x = …, y = …)",
            ),
        ] {
            let error = fault(text);
            assert_eq!(
                (error.line, error.column, error.message.as_str()),
                (line, column, message),
                "{text:?}"
            );
            let shown = text.lines().nth(usize::try_from(line - 1).expect("small")).expect("the line");
            assert_eq!(error.format, Format::Rle, "{text:?}");
            assert!(shown.contains(&error.excerpt.replace('…', "")), "{text:?} shows {}", error.excerpt);
        }
    }

    #[test]
    fn a_file_of_comments_is_no_pattern() {
        let error =
            super::super::read(&b"#C nothing\n#C at all\n"[..], &Limits::default()).expect_err("no pattern");
        assert_eq!(error.to_string(), "the file holds comments and no pattern", "message");
    }

    #[test]
    fn what_is_written_is_in_the_fields_form() {
        let mut pattern = from_text("x = 3, y = 3, rule = B3/S23\nb2o$2o$bo!");
        pattern.name = Some("R-pentomino".to_owned());
        pattern.author = Some("John Conway".to_owned());
        pattern.comments = vec!["a\nmethuselah".to_owned(), String::new()];
        pattern.generation = 3;
        assert_eq!(
            written(&pattern, 2),
            "#CXRLE Gen=3\n#N R-pentomino\n#O John Conway\n#C a methuselah\n#C\n\
             x = 3, y = 3, rule = B3/S23\nb2o$2o$bo!\n",
            "two states"
        );
        pattern.comments.clear();
        pattern.position = Some(Coords::new(-7, 2));
        assert_eq!(
            written(&pattern, 3),
            "#CXRLE Pos=-7,2 Gen=3\n#N R-pentomino\n#O John Conway\nx = 3, y = 3, rule = B3/S23\n.2A$2A$.A!\n",
            "three states"
        );
    }

    #[test]
    fn an_empty_pattern_is_written_and_read() {
        let empty = Pattern { rule: Some("B3/S23".to_owned()), ..Pattern::default() };
        assert_eq!(written(&empty, 2), "x = 0, y = 0, rule = B3/S23\n!\n", "empty");
        let read = from_text(&written(&empty, 2));
        assert_eq!((read.cells, read.size), (Cells::new(), Some((0, 0))), "read back");
    }

    #[test]
    fn lines_are_at_most_70_wide_and_break_between_symbols() {
        let mut cells = Cells::new();
        for x in 0..500 {
            cells
                .fill_run(
                    Coords::new(x * (x + 3) / 2, 0),
                    1 + x % 3,
                    25 + State::try_from(x % 30).expect("small"),
                )
                .expect("in reach");
        }
        let text = written(&Pattern { cells: cells.clone(), ..Pattern::default() }, 256);
        let widest = text.lines().map(str::len).max();
        assert!(widest.is_some_and(|width| (60..=70).contains(&width)), "{widest:?}");
        assert_eq!(from_text(&text).cells, cells, "read back");
    }

    #[test]
    fn a_state_that_the_rule_has_not_is_not_written() {
        let pattern = from_text("x = 2, y = 1\n.C!");
        let error = write_rle(&mut Vec::new(), &pattern, 3).expect_err("state 3 of 3 states");
        assert_eq!(error.to_string(), "the cell (1, 0) has state 3, but the rule has 3 states", "message");
    }
}
