//! PNG pictures of a board: small boards enlarged, huge ones averaged, row after row, so that no picture is held whole.
//!
//! ```text
//! longer side as drawn, pitches    picture
//! below 512                        k pixels a pitch, k the least that gives 512 or more
//! up to 16,384                     a pixel a pitch
//! above                            a pixel is the mean light of the cells whose centres lie in k × k pitches,
//!                                  k the least that gives 16,384 or fewer
//! ```
//!
//! Squares are drawn pixel by pixel. Hexagons and triangles lie as `lattice` says; their edges are smooth, since a pixel
//! is the mean light of some points in it. What lies beyond the edge of a bounded board has a colour of its own.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};
use thiserror::Error;

use crate::board::Board;
use crate::cell::State;
use crate::coords::{Coords, Rect, to_index};
use crate::lattice::{Lattice, Point};
use crate::palette::{OUTSIDE, Rgb, colour, mixed};
use crate::pattern::write_whole;
use crate::rule::Rule;

/// The longest side of a picture, pixels.
pub const MAX_SIDE_PX: i64 = 16_384;
/// Small boards are enlarged until their longer side has this many pixels.
const MIN_SIDE_PX: i64 = 512;

/// Points of a pixel whose light is mixed, in each direction, on lattices whose cells have slanted edges.
const POINTS: usize = 3;

/// How cells look: their shape and the colours of their states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    lattice: Lattice,
    /// By state.
    colours: Vec<Rgb>,
}

impl Look {
    /// As the cells of a rule look: on its lattice, in the colours of its rule file, if it has any.
    pub fn of(rule: &Rule) -> Self {
        let lattice = rule.depends_on().neighbourhood.lattice();
        let states = (0..=State::MAX).take(rule.states().into());
        Self { lattice, colours: states.map(|state| rule.colour_on(true, state)).collect() }
    }

    /// Squares of so many states, in the colours of species.
    pub fn plain(states: u16) -> Self {
        let colours = (0..=State::MAX).take(states.into()).map(|state| colour(state, states)).collect();
        Self { lattice: Lattice::Square, colours }
    }
}

/// Why a picture could not be written.
#[derive(Debug, Error)]
pub enum PictureError {
    /// The file could not be written (no permission, disk full …).
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The encoder refused; this is a fault of Biota.
    #[error("the picture could not be encoded: {0}")]
    Encoding(String),
}

impl From<EncodingError> for PictureError {
    fn from(error: EncodingError) -> Self {
        match error {
            EncodingError::IoError(error) => Self::Io(error),
            other => Self::Encoding(other.to_string()),
        }
    }
}

/// Writes `area` of a board to the file at `path`, which is replaced once the new one is complete.
pub fn save_png(path: &Path, board: &Board, area: Rect, look: &Look) -> Result<(), PictureError> {
    write_whole(path, |out| write_png(out, board, area, look))
}

/// Writes a picture that was drawn already: `pixels` are red, green and blue of each pixel, row after row.
///
/// # Panics
/// When there are not width × height pixels.
pub fn save_pixels(path: &Path, width: u32, height: u32, pixels: &[u8]) -> Result<(), PictureError> {
    assert_eq!(pixels.len() as u64, 3 * u64::from(width) * u64::from(height), "one colour for each pixel");
    write_whole(path, |out| {
        let mut writer = encoder(out, i64::from(width), i64::from(height), ColorType::Rgb).write_header()?;
        writer.write_image_data(pixels)?;
        writer.finish()?;
        Ok(())
    })
}

/// Writes `area` of a board as PNG. An empty area gives a picture of one cell. States that the look lacks are drawn in its
/// last colour.
pub fn write_png(out: impl Write, board: &Board, area: Rect, look: &Look) -> Result<(), PictureError> {
    let area = Rect::new(area.x, area.y, area.width.max(1), area.height.max(1));
    let (low, high) = look.lattice.bounds_of(area);
    let length = (high.x - low.x).max(high.y - low.y);
    let (side, scale) = (whole(length), whole(MIN_SIDE_PX as f64 / length).max(1));
    if side > MAX_SIDE_PX {
        write_averaged(out, board, area, look, (side + MAX_SIDE_PX - 1) / MAX_SIDE_PX)
    } else if look.lattice == Lattice::Square {
        write_squares(out, board, area, look, scale)
    } else {
        write_points(out, board, area, look, scale)
    }
}

/// The least whole number that is not less; what is no more than rounding above one is taken for it.
fn whole(length: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "coordinates are far below 2^53")]
    let whole = (length - 1e-6).ceil() as i64;
    whole
}

/// An encoder of a picture of this size in pixels.
fn encoder<W: Write>(out: W, width: i64, height: i64, colours: ColorType) -> Encoder<'static, W> {
    let side = |side| u32::try_from(side).expect("sides of pictures end at MAX_SIDE_PX");
    let mut encoder = Encoder::new(out, side(width), side(height));
    encoder.set_color(colours);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    encoder
}

/// The states of the cells of row `y` of an area.
fn states_of_row(board: &Board, area: Rect, y: i64, row: &mut [State]) {
    row.fill(board.background);
    for (x, length, stored) in board.cells.runs(y) {
        let run = Rect::new(x, y, length, 1).intersection(area);
        if !run.is_empty() {
            row[to_index(run.x - area.x)..to_index(run.right() - area.x)].fill(stored ^ board.background);
        }
    }
}

/// Every cell is a square of `scale` × `scale` pixels; pixels are numbers of states, and colours stand in the palette.
fn write_squares(
    out: impl Write,
    board: &Board,
    area: Rect,
    look: &Look,
    scale: i64,
) -> Result<(), PictureError> {
    let mut encoder = encoder(out, area.width * scale, area.height * scale, ColorType::Indexed);
    encoder.set_palette(look.colours.iter().flat_map(|colour| colour.0).collect::<Vec<u8>>());
    let mut writer = encoder.write_header()?;
    let mut pixels = writer.stream_writer()?;
    let last = State::try_from(look.colours.len() - 1).unwrap_or(State::MAX);
    let mut states = vec![0; to_index(area.width)];
    let mut row = Vec::with_capacity(to_index(area.width * scale));
    for y in area.y..area.bottom() {
        states_of_row(board, area, y, &mut states);
        row.clear();
        row.extend(states.iter().flat_map(|state| std::iter::repeat_n(*state.min(&last), to_index(scale))));
        for _ in 0..scale {
            pixels.write_all(&row)?;
        }
    }
    Ok(pixels.finish()?)
}

/// Cells of any shape, `scale` pixels a pitch: the light of each pixel is that of the cells at some points in it.
fn write_points(
    out: impl Write,
    board: &Board,
    area: Rect,
    look: &Look,
    scale: i64,
) -> Result<(), PictureError> {
    let lattice = look.lattice;
    let (low, high) = lattice.bounds_of(area);
    let (width, height) = (whole((high.x - low.x) * scale as f64), whole((high.y - low.y) * scale as f64));
    let mut writer = encoder(out, width, height, ColorType::Rgb).write_header()?;
    let mut pixels = writer.stream_writer()?;
    let last = look.colours.len() - 1;
    let outside = beyond(board, look);
    let place =
        |pixel: i64, point: usize| (pixel as f64 + (point as f64 + 0.5) / POINTS as f64) / scale as f64;
    // The rows of cells that this row of pixels may show, the first of them being `first`.
    let mut rows: Vec<Vec<State>> = Vec::new();
    let mut first = area.y;
    let mut line = Vec::with_capacity(to_index(width) * 3);
    for pixel_y in 0..height {
        let [top, bottom] = [place(pixel_y, 0), place(pixel_y, POINTS - 1)].map(|y| low.y + y);
        let seen = lattice.cells_within(Point::new(low.x, top), Point::new(low.x, bottom));
        let wanted = seen.y.max(area.y)..seen.bottom().min(area.bottom());
        while first < wanted.start && !rows.is_empty() {
            rows.remove(0);
            first += 1;
        }
        if rows.is_empty() {
            first = wanted.start;
        }
        for y in first + rows.len() as i64..wanted.end {
            let mut row = vec![0; to_index(area.width)];
            states_of_row(board, area, y, &mut row);
            rows.push(row);
        }
        let colour_at = |at: Coords| {
            if !area.contains(at) {
                return outside;
            }
            let state = rows.get(to_index(at.y - first)).map_or(0, |row| row[to_index(at.x - area.x)]);
            look.colours[usize::from(state).min(last)]
        };
        line.clear();
        for pixel_x in 0..width {
            let colours: [Rgb; POINTS * POINTS] = std::array::from_fn(|point| {
                let x = low.x + place(pixel_x, point % POINTS);
                let y = low.y + place(pixel_y, point / POINTS);
                colour_at(lattice.cell_at(Point::new(x, y)))
            });
            let light = if colours.iter().all(|colour| *colour == colours[0]) {
                colours[0]
            } else {
                mixed(colours.map(|colour| (colour, 1.0)))
            };
            line.extend(light.0);
        }
        pixels.write_all(&line)?;
    }
    Ok(pixels.finish()?)
}

/// The colour of what is beyond the area: the plane goes on there, other boards don't.
fn beyond(board: &Board, look: &Look) -> Rgb {
    match board.topology.bounds() {
        Some(_) => OUTSIDE,
        None => look.colours[usize::from(board.background).min(look.colours.len() - 1)],
    }
}

/// Every pixel is the mean light of the cells whose centres lie in its `side` × `side` pitches; those at the right and
/// lower edge may be of fewer.
fn write_averaged(
    out: impl Write,
    board: &Board,
    area: Rect,
    look: &Look,
    side: i64,
) -> Result<(), PictureError> {
    let lattice = look.lattice;
    let (low, high) = lattice.bounds_of(area);
    let [width, height] = [high.x - low.x, high.y - low.y].map(|length| (whole(length) + side - 1) / side);
    let mut writer = encoder(out, width, height, ColorType::Rgb).write_header()?;
    let mut pixels = writer.stream_writer()?;
    let colours = &look.colours;
    let outside = beyond(board, look);
    let grid = Coarse { lattice, area, side };
    // Only rows that hold cells are walked: an area may be a billion rows of nothing.
    let mut rows = board.cells.rows().filter(|y| (area.y..area.bottom()).contains(y)).peekable();
    let mut line = Vec::with_capacity(to_index(width) * 3);
    // Stored cells by state, `colours.len()` numbers for each pixel of this line; empty where no cell is stored.
    let mut counts: Vec<u64> = Vec::new();
    for pixel_y in 0..height {
        let of_line = grid.rows_of(pixel_y, pixel_y + 1 == height);
        counts.clear();
        while let Some(y) = rows.next_if(|&y| y < of_line.end) {
            counts.resize(to_index(width) * colours.len(), 0);
            for (x, length, stored) in board.cells.runs(y) {
                let state = usize::from(stored ^ board.background).min(colours.len() - 1);
                let run = Rect::new(x, y, length, 1).intersection(area);
                let mut x = run.x;
                while x < run.right() {
                    let pixel = grid.pixel_of(x, y).min(width - 1);
                    let end = grid.columns_of(pixel, y).end.clamp(x + 1, run.right());
                    counts[to_index(pixel) * colours.len() + state] += (end - x).unsigned_abs();
                    x = end;
                }
            }
        }
        line.clear();
        for pixel in 0..width {
            let cells = grid.cells_of(pixel, &of_line);
            if cells == 0 {
                line.extend(outside.0);
                continue;
            }
            let from = to_index(pixel) * colours.len();
            let stored = counts.get(from..from + colours.len()).unwrap_or_default();
            let background = colours[usize::from(board.background).min(colours.len() - 1)];
            let rest = (background, cells.saturating_sub(stored.iter().sum()));
            let parts = colours.iter().copied().zip(stored.iter().copied()).chain([rest]);
            line.extend(
                mixed(parts.filter(|(_, count)| *count > 0).map(|(colour, count)| (colour, count as f64))).0,
            );
        }
        pixels.write_all(&line)?;
    }
    Ok(pixels.finish()?)
}

/// An area of cells under pixels of `side` × `side` pitches.
#[derive(Clone, Copy)]
struct Coarse {
    lattice: Lattice,
    area: Rect,
    side: i64,
}

impl Coarse {
    /// The rows of cells that a line of pixels shows; the last line has all that are left.
    fn rows_of(self, pixel: i64, is_last: bool) -> Range<i64> {
        let Self { lattice, area, side } = self;
        let from = |pixel: i64| area.y + whole((pixel * side) as f64 / lattice.row_height() - 0.5);
        from(pixel)..if is_last { area.bottom() } else { from(pixel + 1).min(area.bottom()) }
    }

    /// How far the centre of the first cell of a row lies from the left of the picture, pitches; on squares its left side.
    fn start_of(self, y: i64) -> f64 {
        let Self { lattice, area, .. } = self;
        lattice.anchor_of(Coords::new(area.x, y)).x - lattice.bounds_of(area).0.x
    }

    /// The pixel, from the left, that a cell is in.
    fn pixel_of(self, x: i64, y: i64) -> i64 {
        whole((((x - self.area.x) as f64 + self.start_of(y)) / self.side as f64).floor())
    }

    /// The cells of a row that are in a pixel.
    fn columns_of(self, pixel: i64, y: i64) -> Range<i64> {
        let start = self.start_of(y);
        let [from, to] = [pixel, pixel + 1]
            .map(|pixel| self.area.x + whole((pixel * self.side) as f64 - start).clamp(0, self.area.width));
        from..to
    }

    /// How many cells of these rows are in a pixel. Where rows lean, those at its edge are worked out from some of the rows.
    fn cells_of(self, pixel: i64, rows: &Range<i64>) -> u64 {
        const SOME: i64 = 32;
        let count = rows.end - rows.start;
        let cells = |y: i64| {
            let columns = self.columns_of(pixel, y);
            columns.end - columns.start
        };
        if count <= 0 {
            return 0;
        }
        let [first, last] = [rows.start, rows.end - 1].map(cells);
        if first == last {
            return (first * count).unsigned_abs();
        }
        let some = count.min(SOME);
        let sum: i64 = (0..some).map(|step| cells(rows.start + step * (count - 1) / (some - 1).max(1))).sum();
        sum.unsigned_abs() * count.unsigned_abs() / some.unsigned_abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cells, Topology};
    use crate::coords::Coords;
    use crate::palette::{ALIVE, BACKGROUND, SPECIES};

    /// The picture as width, height and a function of column and row.
    fn picture(board: &Board, area: Rect, states: u16) -> (u32, u32, impl Fn(u32, u32) -> Rgb) {
        let mut bytes = Vec::new();
        write_png(&mut bytes, board, area, &Look::plain(states)).expect("memory holds it");
        let mut decoder = png::Decoder::new(io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().expect("a picture");
        let mut pixels = vec![0; reader.output_buffer_size().expect("it fits")];
        let info = reader.next_frame(&mut pixels).expect("a frame");
        let width = info.width;
        let at = move |x: u32, y: u32| {
            let start = (y * width + x) as usize * 3;
            Rgb([pixels[start], pixels[start + 1], pixels[start + 2]])
        };
        (info.width, info.height, at)
    }

    #[test]
    fn small_boards_are_enlarged_by_whole_cells() {
        let mut cells = Cells::new();
        cells.set(Coords::new(4, 0), 1).expect("in reach");
        cells.set(Coords::new(5, 1), 2).expect("in reach");
        let board = Board::with_cells(Topology::Unbounded, cells);
        let (width, height, at) = picture(&board, Rect::new(4, 0, 3, 2), 3);
        assert_eq!((width, height), (3 * 171, 2 * 171), "171 is the least factor that gives 512");
        assert_eq!((at(0, 0), at(170, 170)), (SPECIES[0], SPECIES[0]), "the cell at the left");
        assert_eq!((at(171, 0), at(171, 171)), (BACKGROUND, SPECIES[1]), "the column in the middle");
        let (width, _, at) = picture(&board, Rect::new(0, 0, 600, 7), 2);
        assert_eq!((width, at(4, 0), at(3, 0)), (600, ALIVE, BACKGROUND), "a pixel a cell");
    }

    #[test]
    fn huge_boards_are_averaged() {
        let mut cells = Cells::new();
        cells.fill_run(Coords::new(0, 0), 20_000, 1).expect("in reach");
        cells.fill_run(Coords::new(0, 1), 10_000, 1).expect("in reach");
        let board = Board::with_cells(Topology::Unbounded, cells);
        let (width, height, at) = picture(&board, Rect::new(0, 0, 20_001, 3), 2);
        assert_eq!((width, height), (10_001, 2), "two by two cells a pixel");
        assert_eq!(at(0, 0), ALIVE, "all four live");
        assert_eq!(at(9_999, 0), mixed([(ALIVE, 1.0), (BACKGROUND, 1.0)]), "two of four live");
        assert_eq!((at(10_000, 0), at(0, 1)), (BACKGROUND, BACKGROUND), "past the cells");
    }

    #[test]
    fn a_living_background_is_drawn() {
        let mut cells = Cells::new();
        cells.set(Coords::new(0, 0), 1).expect("in reach");
        let board = Board { background: 1, ..Board::with_cells(Topology::Unbounded, cells) };
        let (_, _, at) = picture(&board, Rect::new(0, 0, 512, 1), 2);
        assert_eq!((at(0, 0), at(1, 0)), (BACKGROUND, ALIVE), "one dead cell in a living plane");
        let (_, _, at) = picture(&board, Rect::new(0, 0, 20_000, 1), 2);
        assert_eq!((at(0, 0), at(1, 0)), (mixed([(ALIVE, 1.0), (BACKGROUND, 1.0)]), ALIVE), "averaged");
    }

    /// The picture of an area of a board under a rule.
    fn picture_under(rule: &str, cells: Cells, area: Rect) -> (u32, u32, impl Fn(f64, f64) -> Rgb) {
        let rule: Rule = rule.parse().expect("a rule");
        let mut bytes = Vec::new();
        let board = Board::with_cells(rule.topology(), cells);
        write_png(&mut bytes, &board, area, &Look::of(&rule)).expect("memory holds it");
        let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().expect("a picture");
        let mut pixels = vec![0; reader.output_buffer_size().expect("it fits")];
        let info = reader.next_frame(&mut pixels).expect("a frame");
        let (width, height) = (info.width, info.height);
        // By place as drawn, from the left and the top, as shares of the width of the picture.
        let at = move |x: f64, y: f64| {
            let pixel = |share: f64| to_index(whole((share * f64::from(width)).floor()));
            let start = (pixel(y) * to_index(i64::from(width)) + pixel(x)) * 3;
            Rgb([pixels[start], pixels[start + 1], pixels[start + 2]])
        };
        (width, height, at)
    }

    /// A board on which all cells of an area live, each in a state by its place.
    fn chequered(area: Rect, states: u8) -> Cells {
        let mut cells = Cells::new();
        for at in area.cells() {
            let state = u8::try_from((at.x + 2 * at.y).rem_euclid(states.into())).expect("a state");
            cells.set(at, state).expect("in reach");
        }
        cells
    }

    #[test]
    fn hexagons_and_triangles_lie_where_the_lattice_says() {
        for (rule, area) in [
            ("B2/S34HQuadLife", Rect::new(-2, 3, 7, 6)),
            ("B45/S34LQuadLife", Rect::new(-3, -2, 9, 4)),
            ("B45/S34LQuadLife:P9,4", Rect::new(0, 0, 9, 4)),
        ] {
            let cells = chequered(area, 5);
            let parsed: Rule = rule.parse().expect("a rule");
            let lattice = parsed.depends_on().neighbourhood.lattice();
            let (width, height, at) = picture_under(rule, cells.clone(), area);
            let (low, high) = lattice.bounds_of(area);
            assert!(width.max(height) >= 512, "{rule}: {width} × {height}");
            let shape = (high.y - low.y) / (high.x - low.x);
            assert!((f64::from(height) / f64::from(width) - shape).abs() < 0.01, "{rule}: its shape");
            for cell in area.cells() {
                let centre = lattice.centre_of(cell);
                let scale = high.x - low.x;
                let found = at((centre.x - low.x) / scale, (centre.y - low.y) / scale);
                assert_eq!(found, parsed.colour_on(true, cells.get(cell)), "{rule}: the cell {cell:?}");
            }
            let bounded = parsed.topology().bounds().is_some();
            let below_the_corner = 1.5 / (high.x - low.x);
            assert_eq!(
                at(0.001, below_the_corner),
                if bounded { OUTSIDE } else { BACKGROUND },
                "{rule}: the corner"
            );
        }
    }

    #[test]
    fn slanted_edges_are_smooth() {
        let mut cells = Cells::new();
        cells.set(Coords::new(0, 0), 1).expect("in reach");
        let (width, height, at) = picture_under("B2/S34H", cells, Rect::new(0, 0, 1, 1));
        let mut colours = std::collections::BTreeSet::new();
        for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
            colours
                .insert(at(f64::from(x) / f64::from(width) + 1e-9, f64::from(y) / f64::from(width) + 1e-9).0);
        }
        assert!(colours.len() > 4, "tones between living and dead: {colours:?}");
    }

    #[test]
    fn huge_lattices_are_averaged_where_they_lie() {
        // A rhombus of hexagons: what is beside it is beyond the edge of the board.
        let area = Rect::new(0, 0, 20_000, 8);
        let mut cells = Cells::new();
        for y in 0..8 {
            cells.fill_run(Coords::new(0, y), 10_000, 1).expect("in reach");
        }
        let (width, _, at) = picture_under("B2/S34H:P20000,8", cells, area);
        assert_eq!(width, 10_002, "two pitches a pixel");
        assert_eq!(at(0.25, 0.0), ALIVE, "the left half lives");
        assert_eq!(at(0.75, 0.0), BACKGROUND, "the right half doesn't");
        assert_eq!(at(0.00001, 0.0), OUTSIDE, "the first rows are shifted to the right");
    }

    #[test]
    fn pictures_of_life_a_billion_cells_apart_are_made_at_once() {
        let mut cells = Cells::new();
        let far = 1_000_000_000;
        for (x, y) in [(-far, -far), (far, far)] {
            cells.set(Coords::new(x, y), 1).expect("in reach");
        }
        let grid = Coarse {
            lattice: Lattice::Hexagonal,
            area: Rect::new(-far, -far, 2 * far + 1, 2 * far + 1),
            side: 200_000,
        };
        let rows = grid.rows_of(7000, false);
        assert!((230_000..=231_000).contains(&(rows.end - rows.start)), "{rows:?}");
        let cells = grid.cells_of(grid.pixel_of(0, rows.start), &rows);
        assert_eq!(cells, (rows.end - rows.start).unsigned_abs() * 200_000, "full inside");
        assert_eq!(grid.cells_of(0, &rows), 0, "none beside the rhombus");
        let edge = grid.pixel_of(-far, rows.start + 100_000);
        let some = grid.cells_of(edge, &rows);
        assert!(some > 0 && some < cells, "a part at its edge: {some}");
    }

    #[test]
    fn dying_cells_and_rule_files_have_their_own_colours() {
        let ageing: Rule = "/2/4".parse().expect("a rule");
        assert_eq!(Look::of(&ageing).colours[2], ageing.colour_on(true, 2), "they fade");
        assert_ne!(Look::of(&ageing).colours[2], SPECIES[1], "and are no species");
    }
}
