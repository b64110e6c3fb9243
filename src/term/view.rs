//! From the cells of a board to a grid of glyphs.
//!
//! ```text
//! zoom       a glyph stands for   drawn as
//! Wide       half a cell          the cell's glyph and a blank: cells look square
//! Glyph      1 × 1 cell           . ▮ o *
//! Half       1 × 2 cells          ▀ ▄ █, each cell in its own colour
//! Quadrant   2 × 2 cells          ▘ ▝ ▀ ▖ … █, in the colour of the leading species
//! Braille    2 × 4 cells          ⠁ … ⣿, likewise
//! Block(k)   2^k × 2^(k + 1)      · ░ ▒ ▓ █ by density, likewise
//! ```
//!
//! Hexagons, at two glyphs a cell, are shifted left by a glyph a row, so that neighbours touch; nearer than that they
//! can't be, and further away they are drawn as on squares. A triangle, at one or two glyphs a cell, is ▼ or ▲.
//!
//! Characters are about twice as high as wide, so blocks are twice as high in cells too and shapes keep their
//! proportions. Very large views are sampled: of each row of blocks only the upper cell rows are looked at
//! ([`Viewport::parts`]).

use crate::board::{Cells, to_index};
use crate::cell::{DEAD, State, glyph};
use crate::coords::{COORDINATE_LIMIT, Coords, Rect};
use crate::lattice::{Lattice, triangle};

use super::picture::{Glyph, Ink, Picture};

/// The furthest zoom: a glyph stands for 2^20 × 2^21 cells.
const LAST_BLOCK: u8 = 20;
/// The nearest zoom that draws densities.
const FIRST_BLOCK: u8 = 2;
/// States that are told apart where a glyph stands for several cells; further ones share these in turn.
const INKS: u8 = 16;
/// Cells that are looked at for one picture, about.
const MOST_CELLS: u64 = 1 << 22;

/// Least densities (living cells a cell) of the shades; what is below the first but not 0 is a dot. Ash of Life has
/// about 0.03, a fresh soup 0.3.
const SHADES: [(f64, char); 4] = [(0.45, '█'), (0.22, '▓'), (0.08, '▒'), (0.015, '░')];
const DOT: char = '·';

/// How many cells a glyph stands for, and how they are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zoom {
    /// Two columns a cell.
    Wide,
    /// One glyph a cell.
    Glyph,
    /// Two cells, one above the other.
    Half,
    /// Two by two cells.
    Quadrant,
    /// Two by four cells.
    Braille,
    /// 2^k columns by 2^(k + 1) rows of cells.
    Block(u8),
}

impl Zoom {
    /// Columns and rows of cells that one step of [`Zoom::columns`] glyphs stands for.
    pub(crate) const fn cells(self) -> (i64, i64) {
        match self {
            Self::Wide | Self::Glyph => (1, 1),
            Self::Half => (1, 2),
            Self::Quadrant => (2, 2),
            Self::Braille => (2, 4),
            Self::Block(k) => (1 << k, 2 << k),
        }
    }

    /// How many cells a glyph stands for, in words.
    pub(crate) fn in_words(self) -> String {
        match self {
            Self::Wide => "1 cell, 2 glyphs".to_owned(),
            Self::Glyph => "1 cell a glyph".to_owned(),
            _ => {
                let (columns, rows) = self.cells();
                format!("{columns}×{rows} cells a glyph")
            }
        }
    }

    /// Columns of the screen that such a step takes.
    const fn columns(self) -> usize {
        match self {
            Self::Wide => 2,
            _ => 1,
        }
    }

    /// The next one that shows fewer cells, larger.
    #[must_use]
    pub(crate) const fn nearer(self) -> Self {
        match self {
            Self::Wide | Self::Glyph => Self::Wide,
            Self::Half => Self::Glyph,
            Self::Quadrant => Self::Half,
            Self::Braille => Self::Quadrant,
            Self::Block(FIRST_BLOCK) => Self::Braille,
            Self::Block(k) => Self::Block(k - 1),
        }
    }

    /// The next one that shows more cells.
    #[must_use]
    pub(crate) const fn further(self) -> Self {
        match self {
            Self::Wide => Self::Glyph,
            Self::Glyph => Self::Half,
            Self::Half => Self::Quadrant,
            Self::Quadrant => Self::Braille,
            Self::Braille => Self::Block(FIRST_BLOCK),
            Self::Block(LAST_BLOCK) => self,
            Self::Block(k) => Self::Block(k + 1),
        }
    }
}

/// Which part of the board is on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Viewport {
    /// The cell in the middle.
    pub(crate) centre: Coords,
    /// How near.
    pub(crate) zoom: Zoom,
    /// How cells lie.
    pub(crate) lattice: Lattice,
    /// Columns of the screen, 0 or more.
    pub(crate) columns: usize,
    /// Rows of the screen that show the board, 0 or more.
    pub(crate) rows: usize,
}

impl Viewport {
    /// Steps across and down: glyphs, or pairs of them at the nearest zoom; the last one may be cut.
    fn steps(self) -> (i64, i64) {
        let across = self.columns.div_ceil(self.zoom.columns());
        (to_i64(across), to_i64(self.rows))
    }

    /// Whether each row is shifted to the left of the one above, by half a cell.
    fn leans(self) -> bool {
        self.lattice == Lattice::Hexagonal && self.zoom == Zoom::Wide
    }

    /// Where rows lean: the cell at a column of a row of the screen, and whether the column is its second one.
    fn leaning_cell(self, column: i64, row: i64) -> (Coords, bool) {
        let dy = row - to_i64(self.rows / 2);
        let dx = column - to_i64(self.columns / 2) + dy;
        (self.centre.offset(dx.div_euclid(2), dy), dx.rem_euclid(2) == 1)
    }

    /// Whether all of an area is on the screen.
    fn shows(self, area: Rect) -> bool {
        if !self.leans() {
            return self.area().contains_rect(area);
        }
        let on_screen = |x: i64, y: i64| {
            let row = y - self.centre.y + to_i64(self.rows / 2);
            let column = 2 * (x - self.centre.x) - (y - self.centre.y) + to_i64(self.columns / 2);
            (0..to_i64(self.rows)).contains(&row) && (0..to_i64(self.columns) - 1).contains(&column)
        };
        let (right, bottom) = (area.right() - 1, area.bottom() - 1);
        [(area.x, area.y), (right, area.y), (area.x, bottom), (right, bottom)]
            .iter()
            .all(|&(x, y)| on_screen(x, y))
    }

    /// The cells on the screen, and where rows lean some more. Their corner is a multiple of what a glyph stands for, so that panning does not
    /// regroup cells and shades don't flicker.
    pub(crate) fn area(self) -> Rect {
        if self.leans() {
            let (right, bottom) = (to_i64(self.columns).max(1) - 1, to_i64(self.rows).max(1) - 1);
            let [(first, _), (last, _)] = [(0, 0), (right, bottom)].map(|(x, y)| self.leaning_cell(x, y));
            return Rect::between(first, last);
        }
        let (cell_columns, cell_rows) = self.zoom.cells();
        let (across, down) = self.steps();
        let left = self.centre.x - across * cell_columns / 2;
        let top = self.centre.y - down * cell_rows / 2;
        Rect::new(
            left.div_euclid(cell_columns) * cell_columns,
            top.div_euclid(cell_rows) * cell_rows,
            across * cell_columns,
            down * cell_rows,
        )
    }

    /// Takes the nearest zoom that shows all of `area`, in the middle: one glyph a cell at most, two of a hexagon.
    pub(crate) fn fit(&mut self, area: Rect) {
        self.centre = Coords::new(area.x + area.width / 2, area.y + area.height / 2);
        self.zoom = if self.lattice == Lattice::Hexagonal { Zoom::Wide } else { Zoom::Glyph };
        while !self.shows(area) && self.zoom != self.zoom.further() {
            self.zoom = self.zoom.further();
        }
    }

    /// Moves by this many glyphs to the right and down, no further than cells can be.
    pub(crate) fn pan(&mut self, right: i64, down: i64) {
        let (cell_columns, cell_rows) = self.zoom.cells();
        let moved = |from: i64, by: i64| (from + by).clamp(-COORDINATE_LIMIT, COORDINATE_LIMIT);
        self.centre.x = moved(self.centre.x, right * cell_columns);
        self.centre.y = moved(self.centre.y, down * cell_rows);
    }

    /// The rectangles of cells that [`draw`] has to be given of a board with these bounds: the visible part, or a
    /// strip of each row of blocks when that is more than some 4 million cells.
    pub(crate) fn parts(self, bounds: Option<Rect>) -> Vec<Rect> {
        let area = self.area();
        let visible = bounds.map_or(area, |bounds| area.intersection(bounds));
        let (_, cell_rows) = self.zoom.cells();
        let excess = i64::try_from(visible.area().div_ceil(MOST_CELLS)).unwrap_or(i64::MAX);
        let strip = (cell_rows / excess.max(1)).max(1);
        if visible.is_empty() {
            return Vec::new();
        }
        if strip == cell_rows {
            return vec![visible];
        }
        (0..to_i64(self.rows))
            .map(|row| Rect::new(area.x, area.y + row * cell_rows, area.width, strip).intersection(visible))
            .filter(|part| !part.is_empty())
            .collect()
    }
}

/// What is drawn, besides the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scene {
    /// States of the rule.
    pub(crate) states: u16,
    /// The state of cells that are not listed.
    pub(crate) background: State,
    /// The rectangle of a bounded board.
    pub(crate) bounds: Option<Rect>,
    /// Whether species can be told apart by colour; otherwise only by glyph.
    pub(crate) colourful: bool,
}

/// Draws the board into the upper left of `picture`, `view.columns` × `view.rows` glyphs.
///
/// `parts` are those of [`Viewport::parts`], each with its cells that differ from the background, as state XOR
/// background.
pub(crate) fn draw(parts: &[(Rect, Cells)], scene: Scene, view: Viewport, picture: &mut Picture) {
    if let Zoom::Block(_) = view.zoom {
        draw_densities(parts, scene, view, picture);
    } else {
        draw_cells(parts, scene, view, picture);
    }
}

/// A few cells that share a glyph, in reading order; `None` beyond the edge.
type Group<'a> = &'a [Option<State>];

fn draw_cells(parts: &[(Rect, Cells)], scene: Scene, view: Viewport, picture: &mut Picture) {
    let area = view.area();
    let inside = scene.bounds.map_or(area, |bounds| area.intersection(bounds));
    let index = |at: Coords| to_index((at.y - area.y) * area.width + at.x - area.x);
    let mut states = vec![None; to_index(area.width) * to_index(area.height)];
    for at in inside.cells() {
        states[index(at)] = Some(scene.background);
    }
    for (at, stored) in parts.iter().flat_map(|(_, cells)| cells.iter()) {
        if inside.contains(at) {
            states[index(at)] = Some(stored ^ scene.background);
        }
    }
    if view.leans() {
        for (row, y) in (0..to_i64(view.rows)).zip(0..) {
            for (column, x) in (0..to_i64(view.columns)).zip(0..) {
                let (at, is_second) = view.leaning_cell(column, row);
                let drawn = single(states[index(at)], at, scene, view.lattice);
                put(picture, view, x, y, if is_second { Glyph::blank(drawn.ground) } else { drawn });
            }
        }
        return;
    }
    let (cell_columns, cell_rows) = view.zoom.cells();
    let (across, down) = view.steps();
    let mut group = Vec::with_capacity(8);
    for row in 0..down {
        for column in 0..across {
            let block =
                Rect::new(area.x + column * cell_columns, area.y + row * cell_rows, cell_columns, cell_rows);
            group.clear();
            group.extend(block.cells().map(|at| states[index(at)]));
            // Which of two equally strong species gives the colour.
            let odd = (block.x / cell_columns + block.y / cell_rows).rem_euclid(2) == 1;
            let (x, y) = (to_index(column), to_index(row));
            match view.zoom {
                Zoom::Wide => {
                    let drawn = single(group[0], Coords::new(block.x, block.y), scene, view.lattice);
                    put(picture, view, 2 * x, y, drawn);
                    put(picture, view, 2 * x + 1, y, Glyph::blank(drawn.ground));
                }
                Zoom::Half => put(picture, view, x, y, half(group[0], group[1], scene.colourful)),
                Zoom::Quadrant => put(picture, view, x, y, quadrants(&group, odd, scene.colourful)),
                Zoom::Braille => put(picture, view, x, y, braille(&group, odd)),
                Zoom::Glyph | Zoom::Block(_) => {
                    let at = Coords::new(block.x, block.y);
                    put(picture, view, x, y, single(group[0], at, scene, view.lattice));
                }
            }
        }
    }
}

/// Sets a glyph within the view.
fn put(picture: &mut Picture, view: Viewport, x: usize, y: usize, glyph: Glyph) {
    if x < view.columns && y < view.rows {
        picture.set(x, y, glyph);
    }
}

/// The ink of a cell, or of what is beyond the edge.
fn ink_of(state: Option<State>) -> Ink {
    state.map_or(Ink::Outside, Ink::of_state)
}

fn lives(state: Option<State>) -> bool {
    state.is_some_and(|state| state != DEAD)
}

/// One cell as its glyph.
fn single(state: Option<State>, at: Coords, scene: Scene, lattice: Lattice) -> Glyph {
    let states = scene.states;
    match state {
        None => Glyph::blank(Ink::Outside),
        Some(DEAD) => Glyph { symbol: glyph(DEAD, states), ink: Ink::Faint, ground: Ink::Ground },
        Some(living) => {
            // Without colours only letters tell species apart.
            let symbol = match lattice {
                Lattice::Triangular if scene.colourful || states == 2 => triangle(at),
                _ => glyph(living, states),
            };
            Glyph { symbol, ink: Ink::of_state(living), ground: Ink::Ground }
        }
    }
}

/// Two cells, one above the other.
fn half(upper: Option<State>, lower: Option<State>, colourful: bool) -> Glyph {
    let (above, below) = (ink_of(upper), ink_of(lower));
    match (lives(upper), lives(lower)) {
        (true, true) if above == below || !colourful => {
            Glyph { symbol: '█', ink: above, ground: Ink::Ground }
        }
        (false, true) => Glyph { symbol: '▄', ink: below, ground: above },
        (false, false) if above == below => Glyph::blank(above),
        _ => Glyph { symbol: '▀', ink: above, ground: below },
    }
}

/// The ink of the strongest species among some cells, and how many living cells there are; of equal ones the lower
/// if not `odd`, else the higher.
fn leader(counts: [u64; INKS as usize], odd: bool) -> Option<Ink> {
    let most = counts.iter().max().copied().filter(|most| *most > 0)?;
    let mut leading = (0..INKS).zip(counts).filter(|(_, count)| *count == most).map(|(ink, _)| ink);
    let first = leading.next();
    if odd { leading.next_back().or(first) } else { first }.map(Ink::Species)
}

/// Counts cells by ink.
fn counted(group: Group<'_>) -> [u64; INKS as usize] {
    let mut counts = [0; INKS as usize];
    for state in group.iter().flatten() {
        if let Ink::Species(ink) = Ink::of_state(*state) {
            counts[usize::from(ink % INKS)] += 1;
        }
    }
    counts
}

/// What is behind a group of cells: the ground unless all of it is beyond the edge.
fn ground_of(group: Group<'_>) -> Ink {
    if group.iter().all(Option::is_none) { Ink::Outside } else { Ink::Ground }
}

/// Two by two cells.
fn quadrants(group: Group<'_>, odd: bool, colourful: bool) -> Glyph {
    // By bits: 1 upper left, 2 upper right, 4 lower left, 8 lower right.
    const SYMBOLS: [char; 16] =
        [' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█'];
    let symbol_of = |is: &dyn Fn(Option<State>) -> bool| {
        SYMBOLS[(0..4).zip(group).map(|(bit, state)| usize::from(is(*state)) << bit).sum::<usize>()]
    };
    let Some(ink) = leader(counted(group), odd) else {
        return Glyph::blank(ground_of(group));
    };
    // With four living cells of two species, both colours can be shown.
    let mut others = group.iter().map(|state| ink_of(*state)).filter(|other| *other != ink);
    if let (true, true, Some(ground)) = (colourful, group.iter().all(|state| lives(*state)), others.next())
        && others.all(|other| other == ground)
    {
        return Glyph { symbol: symbol_of(&|state| ink_of(state) == ink), ink, ground };
    }
    Glyph { symbol: symbol_of(&lives), ink, ground: ground_of(group) }
}

/// Two by four cells as dots.
fn braille(group: Group<'_>, odd: bool) -> Glyph {
    // The dots are numbered down the columns, but for the last row, which came later.
    const BITS: [u32; 8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80];
    let Some(ink) = leader(counted(group), odd) else {
        return Glyph::blank(ground_of(group));
    };
    let dots: u32 = BITS.iter().zip(group).filter(|(_, state)| lives(**state)).map(|(bit, _)| bit).sum();
    let symbol = char::from_u32(0x2800 + dots).unwrap_or(DOT);
    Glyph { symbol, ink, ground: ground_of(group) }
}

/// What was seen of the cells that one glyph stands for.
#[derive(Clone, Copy, Default)]
struct Seen {
    by_ink: [u64; INKS as usize],
    /// Cells that are listed, with those that died against a living background.
    listed: u64,
    /// Cells that were looked at.
    cells: u64,
}

fn draw_densities(parts: &[(Rect, Cells)], scene: Scene, view: Viewport, picture: &mut Picture) {
    let area = view.area();
    let (cell_columns, cell_rows) = view.zoom.cells();
    let (across, down) = view.steps();
    let mut seen = vec![Seen::default(); to_index(across) * to_index(down)];
    for (part, cells) in parts {
        for row in 0..down {
            for column in 0..across {
                let block = Rect::new(
                    area.x + column * cell_columns,
                    area.y + row * cell_rows,
                    cell_columns,
                    cell_rows,
                );
                seen[to_index(row * across + column)].cells += block.intersection(*part).area();
            }
        }
        count_living(cells, scene, area, (cell_columns, cell_rows), &mut seen);
    }
    for row in 0..down {
        for column in 0..across {
            let mut block = seen[to_index(row * across + column)];
            if let Ink::Species(ink) = Ink::of_state(scene.background) {
                block.by_ink[usize::from(ink % INKS)] += block.cells.saturating_sub(block.listed);
            }
            put(picture, view, to_index(column), to_index(row), shade(block, (column + row) % 2 == 1));
        }
    }
}

/// Counts the cells of `area` into blocks, 64 at a time.
fn count_living(cells: &Cells, scene: Scene, area: Rect, block: (i64, i64), seen: &mut [Seen]) {
    let across = area.width / block.0;
    for (corner, tile) in cells.tiles() {
        for row in 0..64usize {
            let y = corner.y + to_i64(row) - area.y;
            if y < 0 || y >= area.height {
                continue;
            }
            let first_of_row = y / block.1 * across;
            let mut rest = (0..tile.planes()).fold(0, |all, plane| all | tile.row(plane, row));
            while rest != 0 {
                // All cells of the word that are in the state of the first one.
                let bit = rest.trailing_zeros();
                let (mut stored, mut same) = (0u8, rest);
                for plane in 0..tile.planes() {
                    let word = tile.row(plane, row);
                    if word >> bit & 1 == 1 {
                        stored |= 1 << plane;
                        same &= word;
                    } else {
                        same &= !word;
                    }
                }
                rest &= !same;
                let ink = Ink::of_state(stored ^ scene.background);
                let mut left = 0;
                while left < 64 && same >> left != 0 {
                    let x = corner.x + left - area.x;
                    let column = x.div_euclid(block.0);
                    let length = ((column + 1) * block.0 - x).min(64 - left);
                    let count = u64::from((same >> left & (u64::MAX >> (64 - length))).count_ones());
                    if (0..across).contains(&column) {
                        let block = &mut seen[to_index(first_of_row + column)];
                        block.listed += count;
                        if let Ink::Species(ink) = ink {
                            block.by_ink[usize::from(ink % INKS)] += count;
                        }
                    }
                    left += length;
                }
            }
        }
    }
}

/// A density as a shade.
fn shade(seen: Seen, odd: bool) -> Glyph {
    if seen.cells == 0 {
        return Glyph::blank(Ink::Outside);
    }
    let Some(ink) = leader(seen.by_ink, odd) else {
        return Glyph::blank(Ink::Ground);
    };
    let density = seen.by_ink.iter().sum::<u64>() as f64 / seen.cells as f64;
    let symbol = SHADES.iter().find(|(least, _)| density >= *least).map_or(DOT, |(_, symbol)| *symbol);
    Glyph { symbol, ink, ground: Ink::Ground }
}

/// A number of columns or rows as a difference of coordinates.
fn to_i64(size: usize) -> i64 {
    i64::try_from(size).expect("screens and tiles are small")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(list: &[(i64, i64, State)]) -> Cells {
        let mut cells = Cells::new();
        for &(x, y, state) in list {
            cells.set(Coords::new(x, y), state).expect("in reach");
        }
        cells
    }

    const COLOURS: Scene = Scene { states: 3, background: DEAD, bounds: None, colourful: true };

    /// The picture of some cells; (0, 0) is its upper left corner.
    fn drawn(list: &[(i64, i64, State)], scene: Scene, zoom: Zoom, columns: usize, rows: usize) -> Picture {
        let lattice = Lattice::Square;
        let mut view = Viewport { centre: Coords::default(), zoom, lattice, columns, rows };
        let area = view.area();
        view.centre = Coords::new(-area.x, -area.y);
        assert_eq!((view.area().x, view.area().y), (0, 0), "{zoom:?} starts at the origin");
        let parts: Vec<(Rect, Cells)> =
            view.parts(scene.bounds).into_iter().map(|part| (part, cells(list).clipped(part))).collect();
        let mut picture = Picture::new(columns, rows);
        draw(&parts, scene, view, &mut picture);
        picture
    }

    const FEW: &[(i64, i64, State)] = &[(0, 0, 1), (1, 0, 2), (1, 1, 1), (3, 2, 2), (3, 3, 2)];

    #[test]
    fn near_cells_are_the_glyphs_of_their_states() {
        let picture = drawn(FEW, COLOURS, Zoom::Glyph, 4, 4);
        assert_eq!(picture.text(), "o*..\n.o..\n...*\n...*\n", "one glyph a cell");
        assert_eq!(picture.row(0)[1].ink, Ink::Species(1), "species 2 has the second ink");
        assert_eq!(picture.row(0)[2].ink, Ink::Faint, "dead cells are faint");
        let life = Scene { states: 2, ..COLOURS };
        assert_eq!(drawn(&[(1, 0, 1)], life, Zoom::Glyph, 3, 1).text(), ".▮.\n", "Life has its own glyph");
        assert_eq!(drawn(FEW, COLOURS, Zoom::Wide, 7, 2).text(), "o * . .\n. o . .\n", "two columns a cell");
    }

    #[test]
    fn beyond_the_edge_is_nothing() {
        let bounded = Scene { bounds: Some(Rect::new(0, 0, 2, 2)), ..COLOURS };
        let picture = drawn(FEW, bounded, Zoom::Glyph, 4, 3);
        assert_eq!(picture.text(), "o*  \n.o  \n    \n", "only the board");
        assert_eq!(picture.row(2)[0].ground, Ink::Outside, "and its surroundings");
    }

    #[test]
    fn half_blocks_give_each_cell_its_colour() {
        let picture = drawn(FEW, COLOURS, Zoom::Half, 4, 2);
        assert_eq!(picture.text(), "▀▀  \n   █\n", "two rows a glyph");
        let mixed = picture.row(0)[1];
        assert_eq!((mixed.ink, mixed.ground), (Ink::Species(1), Ink::Species(0)), "black above white");
        let plain = Scene { colourful: false, ..COLOURS };
        assert_eq!(drawn(FEW, plain, Zoom::Half, 4, 2).text(), "▀█  \n   █\n", "without colours, by shape");
    }

    #[test]
    fn quadrants_and_braille_show_every_living_cell() {
        assert_eq!(drawn(FEW, COLOURS, Zoom::Quadrant, 2, 2).text(), "▜ \n ▐\n", "two by two");
        assert_eq!(drawn(FEW, COLOURS, Zoom::Braille, 2, 1).text(), "⠙⢠\n", "two by four");
        let full = [(0, 0, 1), (1, 0, 1), (0, 1, 2), (1, 1, 1)];
        let glyph = drawn(&full, COLOURS, Zoom::Quadrant, 1, 1).row(0)[0];
        assert_eq!(
            glyph,
            Glyph { symbol: '▜', ink: Ink::Species(0), ground: Ink::Species(1) },
            "two species in a full square"
        );
        let all: Vec<_> = Rect::new(0, 0, 2, 4).cells().map(|at| (at.x, at.y, 1)).collect();
        assert_eq!(drawn(&all, COLOURS, Zoom::Braille, 1, 1).text(), "⣿\n", "all eight dots");
    }

    #[test]
    fn far_blocks_are_shaded_by_density_and_coloured_by_the_leader() {
        // Blocks of 4 × 8 cells: full of species 2, a quarter full, one cell, none.
        let mut list: Vec<(i64, i64, State)> =
            Rect::new(0, 0, 4, 8).cells().map(|at| (at.x, at.y, 2)).collect();
        list.extend(Rect::new(4, 0, 4, 2).cells().map(|at| (at.x, at.y, 1)));
        list.extend([(8, 7, 2), (5, 3, 2)]);
        let picture = drawn(&list, COLOURS, Zoom::Block(2), 4, 1);
        assert_eq!(picture.text(), "█▓░ \n", "shades");
        assert_eq!(picture.row(0)[0].ink, Ink::Species(1), "all black");
        assert_eq!(picture.row(0)[1].ink, Ink::Species(0), "white leads");
        // Blocks that do not end at words of 64 cells.
        let one = drawn(&[(127, 255, 1), (128, 256, 2)], COLOURS, Zoom::Block(7), 3, 3);
        assert_eq!(one.text(), "·  \n · \n   \n", "each cell in its block");
        assert_eq!(drawn(&[], COLOURS, Zoom::Block(3), 2, 1).text(), "  \n", "nothing lives");
    }

    #[test]
    fn densities_are_those_of_a_slow_count() {
        // Every cell of a 200 × 100 board in a state that looks random.
        let state = |at: Coords| State::try_from((at.x * at.x * 7 + at.y * 31 + at.x * at.y) % 5 % 3).ok();
        let list: Vec<(i64, i64, State)> = Rect::new(0, 0, 200, 100)
            .cells()
            .filter_map(|at| state(at).map(|state| (at.x, at.y, state)))
            .collect();
        let area = Rect::new(-16, -32, 272, 160);
        let (width, height) = (16, 32);
        let mut seen = vec![Seen::default(); to_index(area.width / width * (area.height / height))];
        count_living(&cells(&list), COLOURS, area, (width, height), &mut seen);
        for (index, seen) in (0..).zip(&seen) {
            let (column, row) = (index % (area.width / width), index / (area.width / width));
            let block = Rect::new(area.x + column * width, area.y + row * height, width, height);
            let count = |wanted: State| {
                list.iter().filter(|(x, y, s)| *s == wanted && block.contains(Coords::new(*x, *y))).count()
            };
            assert_eq!(seen.by_ink[..2], [count(1) as u64, count(2) as u64], "block {column}, {row}");
        }
    }

    #[test]
    fn a_living_background_is_drawn_alive() {
        let anti = Scene { states: 2, background: 1, bounds: None, colourful: true };
        assert_eq!(drawn(&[(1, 0, 1)], anti, Zoom::Glyph, 3, 1).text(), "▮.▮\n", "listed cells differ");
        let hole = [(0, 0, 1), (1, 0, 1)];
        assert_eq!(drawn(&hole, anti, Zoom::Block(2), 2, 1).text(), "██\n", "nearly all lives");
    }

    #[test]
    fn fit_takes_the_nearest_zoom_that_shows_all() {
        let lattice = Lattice::Square;
        let mut view =
            Viewport { centre: Coords::default(), zoom: Zoom::Wide, lattice, columns: 80, rows: 22 };
        for (area, zoom) in [
            (Rect::new(5, 5, 3, 3), Zoom::Glyph),
            (Rect::new(-7, 0, 40, 40), Zoom::Half),
            (Rect::new(0, 0, 150, 40), Zoom::Quadrant),
            (Rect::new(0, 0, 160, 88), Zoom::Braille),
            (Rect::new(0, 0, 512, 320), Zoom::Block(3)),
            (Rect::new(-40_000, -40_000, 80_000, 80_000), Zoom::Block(11)),
        ] {
            view.fit(area);
            assert!(view.area().contains_rect(area), "{area:?} within {:?}", view.area());
            assert_eq!(view.zoom, zoom, "{area:?}");
        }
        view.columns = 0;
        view.fit(Rect::new(0, 0, 10, 10));
        assert_eq!(view.zoom, Zoom::Block(LAST_BLOCK), "a screen without columns shows nothing");
    }

    #[test]
    fn zooming_out_and_in_again_passes_the_same_steps() {
        let mut zoom = Zoom::Wide;
        while zoom.further() != zoom {
            assert_eq!(zoom.further().nearer(), zoom, "there and back");
            let ((w, h), (further_w, further_h)) = (zoom.cells(), zoom.further().cells());
            assert!(further_w * further_h >= w * h, "{zoom:?} shows no more than the next");
            zoom = zoom.further();
        }
        assert_eq!(zoom, Zoom::Block(LAST_BLOCK), "it ends");
    }

    #[test]
    fn huge_views_are_sampled() {
        let view = Viewport {
            centre: Coords::new(32_768, 32_768),
            zoom: Zoom::Block(10),
            lattice: Lattice::Square,
            columns: 80,
            rows: 40,
        };
        let board = Rect::new(0, 0, 65_536, 65_536);
        let parts = view.parts(Some(board));
        let looked_at: u64 = parts.iter().map(|part| part.area()).sum();
        assert!(looked_at <= 2 * MOST_CELLS, "{looked_at} cells");
        assert_eq!(parts.len(), 32, "a strip of every row of blocks on the board");
        assert!(parts.iter().all(|part| board.contains_rect(*part)), "all on the board");
        let small = Rect::new(0, 0, 512, 320);
        assert_eq!(view.parts(Some(small)), [small], "a small board is read whole");
    }

    #[test]
    fn hexagons_touch_their_neighbours_and_triangles_point() {
        let view = Viewport {
            centre: Coords::new(3, 2),
            zoom: Zoom::Wide,
            lattice: Lattice::Hexagonal,
            columns: 11,
            rows: 5,
        };
        // A cell and its six neighbours, NW N W E S SE.
        let ring = [(3, 2, 2), (2, 1, 1), (3, 1, 1), (2, 2, 1), (4, 2, 1), (3, 3, 1), (4, 3, 1)];
        let draw_on = |view: Viewport, list: &[(i64, i64, State)], scene: Scene| {
            let parts: Vec<(Rect, Cells)> =
                view.parts(None).into_iter().map(|part| (part, cells(list))).collect();
            let mut picture = Picture::new(view.columns, view.rows);
            draw(&parts, scene, view, &mut picture);
            picture.text()
        };
        assert_eq!(
            draw_on(view, &ring, COLOURS),
            " . . . . . \n. . o o . .\n . o * o . \n. . o o . .\n . . . . . \n",
            "a ring around the middle"
        );
        let triangles =
            Viewport { zoom: Zoom::Glyph, lattice: Lattice::Triangular, columns: 5, rows: 1, ..view };
        let row = [(1, 2, 1), (2, 2, 2), (3, 2, 1), (4, 2, 1)];
        assert_eq!(draw_on(triangles, &row, COLOURS), "▲▼▲▼.\n", "even x + y points down");
        let plain = Scene { colourful: false, ..COLOURS };
        assert_eq!(draw_on(triangles, &row, plain), "o*oo.\n", "letters where there are no colours");
    }

    #[test]
    fn hexagons_are_fitted_as_wide_as_they_lean() {
        let mut view = Viewport {
            centre: Coords::default(),
            zoom: Zoom::Braille,
            lattice: Lattice::Hexagonal,
            columns: 80,
            rows: 22,
        };
        for (area, zoom) in [
            (Rect::new(-5, 8, 20, 20), Zoom::Wide),
            (Rect::new(0, 0, 28, 22), Zoom::Wide),
            (Rect::new(0, 0, 36, 22), Zoom::Glyph),
            (Rect::new(0, 0, 150, 40), Zoom::Quadrant),
        ] {
            view.fit(area);
            assert_eq!(view.zoom, zoom, "{area:?}");
            assert!(view.area().contains_rect(area), "{area:?} within {:?}", view.area());
        }
    }
}
