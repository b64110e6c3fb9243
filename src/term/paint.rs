//! From two pictures to the bytes that turn the one on the screen into the other.
//!
//! Only spans that changed are sent, all in one write, between the marks of a synchronised update (DEC private mode
//! 2026; terminals that don't know the mode ignore it), so that nothing flickers and a slow line is not flooded.

use std::fmt::Write as _;

use crate::palette::{self, Rgb};

use super::picture::{Glyph, Ink, Picture};

/// Unchanged glyphs that are sent again rather than jumped over: a jump takes about as many bytes.
const SHORT_GAP: usize = 6;

/// How many colours a terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// None; the bar is drawn in reverse video.
    Monochrome,
    /// The 16 of old, whatever the terminal makes of them.
    Sixteen,
    /// The 256 of xterm.
    Palette,
    /// 24 bits.
    True,
}

impl Depth {
    /// The depth that the environment tells of: `NO_COLOR` when it is not empty, `COLORTERM`, `TERM`; `WT_SESSION`
    /// is set by Windows Terminal.
    pub(crate) fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let term = set("TERM").unwrap_or_default();
        if set("NO_COLOR").is_some() || term == "dumb" {
            return Self::Monochrome;
        }
        let colour_term = set("COLORTERM").unwrap_or_default();
        if colour_term.contains("truecolor")
            || colour_term.contains("24bit")
            || term.contains("direct")
            || set("WT_SESSION").is_some()
        {
            Self::True
        } else if term.contains("256") {
            Self::Palette
        } else {
            Self::Sixteen
        }
    }
}

/// One ink in the colours of every depth: the colour itself, xterm's number, the code of the 16-colour foreground.
const fn colours(ink: Ink) -> (Rgb, u8, u8) {
    match ink {
        Ink::Ground => (palette::BACKGROUND, 233, 30),
        Ink::Outside => (palette::OUTSIDE, 235, 30),
        Ink::Bar => (Rgb([0x12, 0x16, 0x1B]), 234, 30),
        Ink::Faint => (Rgb([0x3A, 0x44, 0x4F]), 239, 90),
        Ink::Text => (Rgb([0xDD, 0xE3, 0xE9]), 254, 97),
        Ink::Quiet => (Rgb([0x93, 0x9E, 0xAA]), 247, 37),
        Ink::Alarm => (Rgb([0xF2, 0x7D, 0x72]), 210, 91),
        Ink::Species(0) => (palette::SPECIES[0], 214, 93),
        Ink::Species(1) => (palette::SPECIES[1], 75, 94),
        Ink::Species(2) => (palette::SPECIES[2], 36, 92),
        Ink::Species(_) => (palette::SPECIES[3], 169, 95),
    }
}

/// Adds the escape sequence that sets ink and ground.
fn push_style(out: &mut String, glyph: Glyph, depth: Depth) {
    let (Rgb([red, green, blue]), number, code) = colours(glyph.ink);
    let (Rgb([ground_red, ground_green, ground_blue]), ground_number, ground_code) = colours(glyph.ground);
    let written = match depth {
        Depth::Monochrome => {
            out.push_str(if glyph.ground == Ink::Bar { "\x1b[7m" } else { "\x1b[0m" });
            Ok(())
        }
        Depth::Sixteen => write!(out, "\x1b[{code};{}m", ground_code + 10),
        Depth::Palette => write!(out, "\x1b[38;5;{number};48;5;{ground_number}m"),
        Depth::True => {
            write!(out, "\x1b[38;2;{red};{green};{blue};48;2;{ground_red};{ground_green};{ground_blue}m")
        }
    };
    written.expect("a String takes everything");
}

/// Whether two glyphs look alike in a style, so that no escape sequence is needed between them.
fn same_style(one: Glyph, two: Glyph, depth: Depth) -> bool {
    match depth {
        Depth::Monochrome => (one.ground == Ink::Bar) == (two.ground == Ink::Bar),
        _ => one.ground == two.ground && (one.ink == two.ink || two.symbol == ' '),
    }
}

/// The bytes that make a screen that shows `shown` show `next`; empty when nothing changes.
///
/// Without `shown`, or when it is of another size, everything is sent.
pub(crate) fn changes(shown: Option<&Picture>, next: &Picture, depth: Depth) -> String {
    let shown = shown.filter(|old| (old.columns(), old.rows()) == (next.columns(), next.rows()));
    let mut out = String::new();
    let mut style: Option<Glyph> = None;
    for y in 0..next.rows() {
        let row = next.row(y);
        let old = shown.map(|picture| picture.row(y));
        let changed = |x: usize| old.is_none_or(|old| old[x] != row[x]);
        let mut x = 0;
        while let Some(start) = (x..row.len()).find(|&x| changed(x)) {
            // The span ends before a gap that is worth a jump.
            let mut end = start + 1;
            while let Some(more) = (end..row.len().min(end + SHORT_GAP)).find(|&x| changed(x)) {
                end = more + 1;
            }
            write!(out, "\x1b[{};{}H", y + 1, start + 1).expect("a String takes everything");
            for &glyph in &row[start..end] {
                if style.is_none_or(|last| !same_style(last, glyph, depth)) {
                    push_style(&mut out, glyph, depth);
                    style = Some(glyph);
                }
                out.push(glyph.symbol);
            }
            x = end;
        }
    }
    if out.is_empty() { out } else { format!("\x1b[?2026h{out}\x1b[0m\x1b[?2026l") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Depth {
        Depth::from_environment(|name| {
            pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_environment_tells_how_many_colours_there_are() {
        for (pairs, depth) in [
            (&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")][..], Depth::True),
            (&[("TERM", "xterm-256color"), ("COLORTERM", "")], Depth::Palette),
            (&[("TERM", "xterm")], Depth::Sixteen),
            (&[("TERM", "xterm"), ("NO_COLOR", "")], Depth::Sixteen),
            (&[("COLORTERM", "24bit"), ("NO_COLOR", "1")], Depth::Monochrome),
            (&[("TERM", "dumb")], Depth::Monochrome),
            (&[], Depth::Sixteen),
        ] {
            assert_eq!(environment(pairs), depth, "{pairs:?}");
        }
    }

    /// Plays bytes on a screen of characters, as far as this module uses them; gives how many glyphs were sent.
    fn play(screen: &mut [Vec<char>], bytes: &str) -> usize {
        let (mut x, mut y, mut sent) = (0, 0, 0);
        let mut characters = bytes.chars();
        while let Some(character) = characters.next() {
            if character != '\x1b' {
                screen[y][x] = character;
                (x, sent) = (x + 1, sent + 1);
                continue;
            }
            assert_eq!(characters.next(), Some('['), "only control sequences are used");
            let mut sequence = String::new();
            let last = loop {
                match characters.next().expect("sequences end") {
                    last if last.is_ascii_alphabetic() => break last,
                    other => sequence.push(other),
                }
            };
            if last == 'H' {
                let (row, column) = sequence.split_once(';').expect("row and column");
                y = row.parse::<usize>().expect("a row") - 1;
                x = column.parse::<usize>().expect("a column") - 1;
            }
        }
        sent
    }

    #[test]
    fn only_what_changed_is_sent_and_it_arrives() {
        let mut shown = Picture::new(40, 3);
        shown.write(0, 1, "the quick brown fox jumps over the dog", Ink::Text, Ink::Bar);
        let mut screen = vec![vec!['?'; 40]; 3];
        assert_eq!(play(&mut screen, &changes(None, &shown, Depth::True)), 120, "first everything");
        let mut next = shown.clone();
        next.write(4, 1, "Q", Ink::Text, Ink::Bar);
        next.write(7, 1, "C", Ink::Text, Ink::Bar);
        next.write(36, 1, "DEEP", Ink::Alarm, Ink::Bar);
        for depth in [Depth::Monochrome, Depth::Sixteen, Depth::Palette, Depth::True] {
            let mut screen = screen.clone();
            let bytes = changes(Some(&shown), &next, depth);
            assert_eq!(play(&mut screen, &bytes), 8, "{depth:?}: two spans, a short gap sent again");
            let text: String = screen[1].iter().collect();
            assert_eq!(text, "the QuiCk brown fox jumps over the dDEEP", "{depth:?}");
            assert!(depth != Depth::Monochrome || !bytes.contains("[38"), "{bytes:?}: no colours");
        }
        assert_eq!(changes(Some(&next), &next, Depth::True), "", "nothing changed");
    }

    #[test]
    fn another_size_is_sent_whole() {
        let (shown, next) = (Picture::new(10, 2), Picture::new(2, 10));
        let mut screen = vec![vec!['?'; 2]; 10];
        assert_eq!(play(&mut screen, &changes(Some(&shown), &next, Depth::Palette)), 20, "all of it");
    }
}
