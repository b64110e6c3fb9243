//! A screenful of glyphs: what the view and the status line draw on, and what the painter sends.
//!
//! Knows neither terminals nor colours: an [`Ink`] says what a glyph means, the painter's palette what that looks
//! like. Every symbol takes one column.

/// What a glyph, or the ground behind it, stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// The board where nothing lives.
    Ground,
    /// Beyond the edge of a bounded board.
    Outside,
    /// The ground of status line and help.
    Bar,
    /// Marks of dead cells.
    Faint,
    /// Text that matters.
    Text,
    /// Text beside it.
    Quiet,
    /// What went wrong.
    Alarm,
    /// A living state, less 1: species 1 is 0.
    Species(u8),
}

impl Ink {
    /// The ink of a living state (1, 2, …); [`Ink::Ground`] for 0.
    pub(crate) const fn of_state(state: u8) -> Self {
        match state {
            0 => Self::Ground,
            living => Self::Species(living - 1),
        }
    }
}

/// One column of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Glyph {
    /// A character that takes one column.
    pub(crate) symbol: char,
    /// What the character is drawn with.
    pub(crate) ink: Ink,
    /// What is behind it.
    pub(crate) ground: Ink,
}

impl Glyph {
    /// Nothing but `ground`.
    pub(crate) const fn blank(ground: Ink) -> Self {
        Self { symbol: ' ', ink: Ink::Text, ground }
    }
}

/// Rows × columns of glyphs, row after row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    columns: usize,
    rows: usize,
    glyphs: Vec<Glyph>,
}

impl Picture {
    /// A picture of nothing; either side may be 0.
    pub(crate) fn new(columns: usize, rows: usize) -> Self {
        Self { columns, rows, glyphs: vec![Glyph::blank(Ink::Outside); columns * rows] }
    }

    /// Columns.
    pub(crate) const fn columns(&self) -> usize {
        self.columns
    }

    /// Rows.
    pub(crate) const fn rows(&self) -> usize {
        self.rows
    }

    /// The glyphs of row `y`, from the left.
    ///
    /// # Panics
    /// When there is no such row.
    pub(crate) fn row(&self, y: usize) -> &[Glyph] {
        &self.glyphs[y * self.columns..(y + 1) * self.columns]
    }

    /// Puts a glyph into column `x` of row `y`; beyond the edges nothing happens.
    pub(crate) fn set(&mut self, x: usize, y: usize, glyph: Glyph) {
        if x < self.columns && y < self.rows {
            self.glyphs[y * self.columns + x] = glyph;
        }
    }

    /// Fills a rectangle with `ground`, as far as it is inside.
    pub(crate) fn fill(&mut self, x: usize, y: usize, columns: usize, rows: usize, ground: Ink) {
        for row in y..(y + rows).min(self.rows) {
            for column in x..(x + columns).min(self.columns) {
                self.set(column, row, Glyph::blank(ground));
            }
        }
    }

    /// Writes text from column `x` of row `y` on, cut at the edge; gives the column after it.
    ///
    /// Control characters, which a rule's name or an error may hold, become spaces.
    pub(crate) fn write(&mut self, x: usize, y: usize, text: &str, ink: Ink, ground: Ink) -> usize {
        let mut column = x;
        for symbol in text.chars() {
            let symbol = if symbol.is_control() { ' ' } else { symbol };
            self.set(column, y, Glyph { symbol, ink, ground });
            column += 1;
        }
        column
    }

    /// The characters alone, a line a row.
    #[cfg(test)]
    pub(crate) fn text(&self) -> String {
        let mut text = String::with_capacity((self.columns + 1) * self.rows);
        for y in 0..self.rows {
            text.extend(self.row(y).iter().map(|glyph| glyph.symbol));
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_cut() {
        let mut picture = Picture::new(4, 2);
        assert_eq!(picture.write(2, 1, "a\x1bcd", Ink::Text, Ink::Bar), 6, "column after the text");
        picture.write(0, 9, "lost", Ink::Text, Ink::Bar);
        picture.fill(3, 0, 9, 9, Ink::Ground);
        assert_eq!(picture.text(), "    \n  a \n", "cut at both edges, without the escape character");
        assert_eq!(Picture::new(0, 3).text(), "\n\n\n", "no columns");
    }
}
