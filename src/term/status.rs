//! The status line: what runs, how far it is, how many live.

use super::picture::{Ink, Picture};
use crate::text::grouped;

/// How many cells of one species there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Population {
    /// The glyph of the species; several species together have none.
    pub(crate) glyph: Option<char>,
    /// The ink of the species.
    pub(crate) ink: Ink,
    /// Cells.
    pub(crate) cells: u64,
}

/// All that the line tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Status {
    /// Whether it runs.
    pub(crate) playing: bool,
    /// The rule with its topology.
    pub(crate) rule: String,
    /// The generation.
    pub(crate) generation: u64,
    /// Populations of the last count.
    pub(crate) populations: Vec<Population>,
    /// Whether the populations count cells that differ from a living background.
    pub(crate) against_background: bool,
    /// The speed, in words.
    pub(crate) speed: String,
    /// The engine's name.
    pub(crate) engine: String,
    /// What it runs on; empty when that goes without saying.
    pub(crate) adapter: String,
    /// How near the view is, in words.
    pub(crate) zoom: String,
}

/// A piece of the line that is left out as a whole where there is no room; the lower its rank, the later.
struct Part {
    rank: u8,
    pieces: Vec<(String, Ink)>,
}

impl Part {
    fn new(rank: u8, text: impl Into<String>, ink: Ink) -> Self {
        Self { rank, pieces: vec![(text.into(), ink)] }
    }

    fn columns(&self) -> usize {
        self.pieces.iter().map(|(text, _)| text.chars().count()).sum()
    }
}

/// Blanks between two parts.
const GAP: usize = 2;
/// Room that is kept for a number, so that the rest of the line doesn't move at every digit.
const NUMBER: usize = 7;

impl Status {
    fn parts(&self) -> Vec<Part> {
        let mut populations = Vec::new();
        for population in &self.populations {
            let number = format!("{:<NUMBER$}", grouped(population.cells));
            let glyph =
                population.glyph.map_or_else(|| "population ".to_owned(), |glyph| format!("{glyph} "));
            let gap = if populations.is_empty() { "" } else { " " };
            populations.push((format!("{gap}{glyph}"), population.ink));
            populations.push((number, Ink::Text));
        }
        if self.against_background {
            populations.push((" unlike the living background".to_owned(), Ink::Quiet));
        }
        // Words, since terminals draw the signs of recorders now one, now two columns wide.
        let state = if self.playing { ("running", Ink::Quiet) } else { ("paused ", Ink::Alarm) };
        vec![
            Part::new(0, state.0, state.1),
            Part::new(3, self.rule.clone(), Ink::Text),
            Part {
                rank: 1,
                pieces: vec![
                    ("gen ".to_owned(), Ink::Quiet),
                    (format!("{:<NUMBER$}", grouped(self.generation)), Ink::Text),
                ],
            },
            Part { rank: 2, pieces: populations },
            Part::new(4, self.speed.clone(), Ink::Quiet),
            Part::new(5, self.engine.clone(), Ink::Quiet),
            Part::new(6, self.zoom.clone(), Ink::Quiet),
            Part::new(7, self.adapter.clone(), Ink::Quiet),
        ]
    }

    /// Draws the line into row `y`; parts for which there is no room are left out, the least important first.
    pub(crate) fn draw(&self, picture: &mut Picture, y: usize) {
        let mut parts = self.parts();
        parts.retain(|part| part.columns() > 0);
        let room = picture.columns().saturating_sub(2);
        let needed = |parts: &[Part]| parts.iter().map(|part| part.columns() + GAP).sum::<usize>();
        while parts.len() > 1 && needed(&parts) > room + GAP {
            let least = parts.iter().map(|part| part.rank).max();
            parts.retain(|part| Some(part.rank) != least);
        }
        picture.fill(0, y, picture.columns(), 1, Ink::Bar);
        let mut x = 1;
        for part in parts {
            for (text, ink) in part.pieces {
                x = picture.write(x, y, &text, ink, Ink::Bar);
            }
            x += GAP;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(columns: usize) -> String {
        let species = |glyph, ink, cells| Population { glyph: Some(glyph), ink: Ink::Species(ink), cells };
        let status = Status {
            playing: true,
            rule: "Immigration:T512,320".to_owned(),
            generation: 12_345,
            populations: vec![species('o', 0, 31_415), species('*', 1, 9)],
            against_background: false,
            speed: "20 gen/s".to_owned(),
            engine: "cpu".to_owned(),
            adapter: String::new(),
            zoom: "2×4 cells a glyph".to_owned(),
        };
        let mut picture = Picture::new(columns, 1);
        status.draw(&mut picture, 0);
        picture.text().trim_end().to_owned()
    }

    #[test]
    fn the_line_tells_all_where_there_is_room() {
        assert_eq!(
            line(110),
            " running  Immigration:T512,320  gen 12,345   o 31,415  * 9        20 gen/s  cpu  2×4 cells a glyph",
            "wide"
        );
    }

    #[test]
    fn the_least_important_goes_first() {
        assert_eq!(
            line(84),
            " running  Immigration:T512,320  gen 12,345   o 31,415  * 9        20 gen/s  cpu",
            "84"
        );
        assert_eq!(line(46), " running  gen 12,345   o 31,415  * 9", "46");
        assert_eq!(line(24), " running  gen 12,345", "24");
        assert_eq!(line(12), " running", "12");
        assert_eq!(line(5), " runn", "5: cut");
        assert_eq!(line(1), "", "one column has no room for anything");
        assert_eq!(line(0), "", "no columns");
    }
}
