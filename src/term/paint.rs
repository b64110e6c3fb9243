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

/// An ink in the colours of every depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Colour {
    rgb: Rgb,
    /// The number among the 256 of xterm.
    number: u8,
    /// The code of the 16-colour foreground.
    code: u8,
}

/// How inks look: how many colours there are, and which those of the states are.
#[derive(Clone, Debug)]
pub(crate) struct Paint {
    pub(crate) depth: Depth,
    /// By state, from 1 on.
    species: Vec<Colour>,
}

impl Paint {
    /// In these colours of states, from state 1 on.
    pub(crate) fn new(depth: Depth, colours: impl IntoIterator<Item = Rgb>) -> Self {
        Self { depth, species: colours.into_iter().map(Colour::of_state).collect() }
    }

    fn colour(&self, ink: Ink) -> Colour {
        let (rgb, number, code) = match ink {
            Ink::Ground => (palette::BACKGROUND, 233, 30),
            Ink::Outside => (palette::OUTSIDE, 235, 30),
            Ink::Bar => (Rgb([0x12, 0x16, 0x1B]), 234, 30),
            Ink::Faint => (Rgb([0x3A, 0x44, 0x4F]), 239, 90),
            Ink::Text => (Rgb([0xDD, 0xE3, 0xE9]), 254, 97),
            Ink::Quiet => (Rgb([0x93, 0x9E, 0xAA]), 247, 37),
            Ink::Alarm => (Rgb([0xF2, 0x7D, 0x72]), 210, 91),
            Ink::Species(species) => {
                return self.species.get(usize::from(species)).copied().unwrap_or_else(|| {
                    let colours = palette::SPECIES;
                    Colour::of_state(colours[usize::from(species) % colours.len()])
                });
            }
        };
        Colour { rgb, number, code }
    }
}

impl Colour {
    /// The colour of a state: our own species have the codes that terminals show most alike.
    fn of_state(rgb: Rgb) -> Self {
        let own = palette::SPECIES.iter().position(|species| *species == rgb);
        let code = own.map_or_else(|| nearest(rgb, SIXTEEN), |at| [93, 94, 92, 95][at]);
        Self { rgb, number: nearest(rgb, palette_of_xterm()), code }
    }
}

/// The 16 colours as xterm shows them, but for black, by the codes of their foregrounds.
const SIXTEEN: [(u8, Rgb); 15] = [
    (31, Rgb([205, 0, 0])),
    (32, Rgb([0, 205, 0])),
    (33, Rgb([205, 205, 0])),
    (34, Rgb([0, 0, 238])),
    (35, Rgb([205, 0, 205])),
    (36, Rgb([0, 205, 205])),
    (37, Rgb([229, 229, 229])),
    (90, Rgb([127, 127, 127])),
    (91, Rgb([255, 0, 0])),
    (92, Rgb([0, 255, 0])),
    (93, Rgb([255, 255, 0])),
    (94, Rgb([92, 92, 255])),
    (95, Rgb([255, 0, 255])),
    (96, Rgb([0, 255, 255])),
    (97, Rgb([255, 255, 255])),
];

/// The 240 colours of xterm that no theme changes: a cube of six levels, and greys.
fn palette_of_xterm() -> impl Iterator<Item = (u8, Rgb)> {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let level = |place: u8| LEVELS[usize::from(place % 6)];
    let cube = (0..216).map(move |at: u8| (16 + at, Rgb([level(at / 36), level(at / 6), level(at)])));
    cube.chain((0..24).map(|step: u8| (232 + step, Rgb([8 + 10 * step; 3]))))
}

/// The number of the colour that is nearest.
fn nearest(Rgb(wanted): Rgb, colours: impl IntoIterator<Item = (u8, Rgb)>) -> u8 {
    let distance = |Rgb(found): Rgb| -> u32 {
        wanted.iter().zip(found).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    colours.into_iter().min_by_key(|(_, colour)| distance(*colour)).map_or(97, |(number, _)| number)
}

/// Adds the escape sequence that sets ink and ground.
fn push_style(out: &mut String, glyph: Glyph, paint: &Paint) {
    let Colour { rgb: Rgb([red, green, blue]), number, code } = paint.colour(glyph.ink);
    let ground = paint.colour(glyph.ground);
    let Rgb([ground_red, ground_green, ground_blue]) = ground.rgb;
    let written = match paint.depth {
        Depth::Monochrome => {
            out.push_str(if glyph.ground == Ink::Bar { "\x1b[7m" } else { "\x1b[0m" });
            Ok(())
        }
        Depth::Sixteen => write!(out, "\x1b[{code};{}m", ground.code + 10),
        Depth::Palette => write!(out, "\x1b[38;5;{number};48;5;{}m", ground.number),
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
pub(crate) fn changes(shown: Option<&Picture>, next: &Picture, paint: &Paint) -> String {
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
                if style.is_none_or(|last| !same_style(last, glyph, paint.depth)) {
                    push_style(&mut out, glyph, paint);
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

    fn paint(depth: Depth) -> Paint {
        Paint::new(depth, [])
    }

    #[test]
    fn states_have_the_nearest_colours_that_there_are() {
        let numbers = palette::SPECIES.map(|rgb| Colour::of_state(rgb).number);
        assert_eq!(numbers, [214, 75, 36, 168], "our own species");
        for (rgb, number, code) in
            [([255, 0, 0], 196, 91), ([0, 0, 0], 16, 31), ([128, 128, 128], 244, 90), ([0, 95, 135], 24, 36)]
        {
            let found = Colour::of_state(Rgb(rgb));
            assert_eq!((found.number, found.code), (number, code), "{rgb:?}");
        }
        let paint = Paint::new(Depth::True, [Rgb([1, 2, 3])]);
        assert_eq!(paint.colour(Ink::Species(0)).rgb, Rgb([1, 2, 3]), "the colour that a rule file gives");
        assert_eq!(paint.colour(Ink::Species(5)).rgb, palette::SPECIES[1], "the colours come again");
    }

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
        assert_eq!(play(&mut screen, &changes(None, &shown, &paint(Depth::True))), 120, "first everything");
        let mut next = shown.clone();
        next.write(4, 1, "Q", Ink::Text, Ink::Bar);
        next.write(7, 1, "C", Ink::Text, Ink::Bar);
        next.write(36, 1, "DEEP", Ink::Alarm, Ink::Bar);
        for depth in [Depth::Monochrome, Depth::Sixteen, Depth::Palette, Depth::True] {
            let mut screen = screen.clone();
            let bytes = changes(Some(&shown), &next, &paint(depth));
            assert_eq!(play(&mut screen, &bytes), 8, "{depth:?}: two spans, a short gap sent again");
            let text: String = screen[1].iter().collect();
            assert_eq!(text, "the QuiCk brown fox jumps over the dDEEP", "{depth:?}");
            assert!(depth != Depth::Monochrome || !bytes.contains("[38"), "{bytes:?}: no colours");
        }
        assert_eq!(changes(Some(&next), &next, &paint(Depth::True)), "", "nothing changed");
    }

    #[test]
    fn another_size_is_sent_whole() {
        let (shown, next) = (Picture::new(10, 2), Picture::new(2, 10));
        let mut screen = vec![vec!['?'; 2]; 10];
        assert_eq!(play(&mut screen, &changes(Some(&shown), &next, &paint(Depth::Palette))), 20, "all of it");
    }
}
