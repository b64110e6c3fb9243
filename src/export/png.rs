//! PNG pictures of a board: small boards enlarged, huge ones averaged, row after row, so that no picture is held whole.
//!
//! ```text
//! longer side of the area    picture
//! below 512                  each cell a square of k × k pixels, k the least that gives 512 or more
//! up to 16,384               a pixel a cell
//! above                      a pixel is the mean light of k × k cells, k the least that gives 16,384 or fewer
//! ```

use std::io::{self, Write};
use std::path::Path;

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};
use thiserror::Error;

use crate::board::Board;
use crate::cell::State;
use crate::coords::{Rect, to_index};
use crate::palette::{Rgb, colour, mixed};
use crate::pattern::write_whole;

/// The longest side of a picture, pixels.
pub const MAX_SIDE_PX: i64 = 16_384;
/// Small boards are enlarged until their longer side has this many pixels.
const MIN_SIDE_PX: i64 = 512;

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

/// Writes `area` of a board of a rule of `states` states to the file at `path`, which is replaced once the new one is
/// complete.
pub fn save_png(path: &Path, board: &Board, area: Rect, states: u16) -> Result<(), PictureError> {
    write_whole(path, |out| write_png(out, board, area, states))
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

/// Writes `area` of a board of a rule of `states` states as PNG. An empty area gives a picture of one cell.
pub fn write_png(out: impl Write, board: &Board, area: Rect, states: u16) -> Result<(), PictureError> {
    let area = Rect::new(area.x, area.y, area.width.max(1), area.height.max(1));
    let side = area.width.max(area.height);
    if side <= MAX_SIDE_PX {
        write_enlarged(out, board, area, states, (MIN_SIDE_PX + side - 1) / side)
    } else {
        write_averaged(out, board, area, states, (side + MAX_SIDE_PX - 1) / MAX_SIDE_PX)
    }
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

/// Every cell is a square of `scale` × `scale` pixels; pixels are numbers of states, and colours stand in the palette.
fn write_enlarged(
    out: impl Write,
    board: &Board,
    area: Rect,
    states: u16,
    scale: i64,
) -> Result<(), PictureError> {
    let mut encoder = encoder(out, area.width * scale, area.height * scale, ColorType::Indexed);
    let palette: Vec<u8> =
        (0..=State::MAX).take(states.into()).flat_map(|state| colour(state, states).0).collect();
    encoder.set_palette(palette);
    let mut writer = encoder.write_header()?;
    let mut pixels = writer.stream_writer()?;
    let pixels_of = |columns: i64| to_index(columns * scale);
    let mut row = vec![0; pixels_of(area.width)];
    for y in area.y..area.bottom() {
        row.fill(board.background);
        for (x, length, stored) in board.cells.runs(y) {
            let run = Rect::new(x, y, length, 1).intersection(area);
            if !run.is_empty() {
                row[pixels_of(run.x - area.x)..pixels_of(run.right() - area.x)]
                    .fill(stored ^ board.background);
            }
        }
        for _ in 0..scale {
            pixels.write_all(&row)?;
        }
    }
    Ok(pixels.finish()?)
}

/// Every pixel is the mean light of `side` × `side` cells; those at the right and lower edge may be of fewer.
fn write_averaged(
    out: impl Write,
    board: &Board,
    area: Rect,
    states: u16,
    side: i64,
) -> Result<(), PictureError> {
    let (width, height) = ((area.width + side - 1) / side, (area.height + side - 1) / side);
    let mut writer = encoder(out, width, height, ColorType::Rgb).write_header()?;
    let mut pixels = writer.stream_writer()?;
    let colours: Vec<Rgb> = (0..=State::MAX).take(states.into()).map(|state| colour(state, states)).collect();
    // Only rows that hold cells are walked: an area may be a billion rows of nothing.
    let mut rows = board.cells.rows().filter(|y| (area.y..area.bottom()).contains(y)).peekable();
    let mut line = Vec::with_capacity(to_index(width) * 3);
    let mut counts = Vec::new();
    for top in (area.y..area.bottom()).step_by(to_index(side)) {
        let bottom = (top + side).min(area.bottom());
        // Living cells by state, `states` numbers for each pixel of this line; empty where no cell is stored.
        counts.clear();
        while let Some(y) = rows.next_if(|&y| y < bottom) {
            counts.resize(to_index(width) * colours.len(), 0u64);
            for (x, length, stored) in board.cells.runs(y) {
                let state = usize::from(stored ^ board.background);
                let run = Rect::new(x, y, length, 1).intersection(area);
                let mut x = run.x;
                while x < run.right() {
                    let pixel = (x - area.x) / side;
                    let end = (area.x + (pixel + 1) * side).min(run.right());
                    counts[to_index(pixel) * colours.len() + state] += (end - x).unsigned_abs();
                    x = end;
                }
            }
        }
        line.clear();
        for pixel in 0..width {
            let columns = side.min(area.width - pixel * side);
            let cells = (columns * (bottom - top)).unsigned_abs();
            let from = to_index(pixel) * colours.len();
            let stored = counts.get(from..from + colours.len()).unwrap_or_default();
            let background = (colours[usize::from(board.background)], cells - stored.iter().sum::<u64>());
            let living = colours.iter().copied().zip(stored.iter().copied());
            let parts = living.chain([background]).filter(|(_, count)| *count > 0);
            line.extend(mixed(parts.map(|(colour, count)| (colour, count as f64))).0);
        }
        pixels.write_all(&line)?;
    }
    Ok(pixels.finish()?)
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
        write_png(&mut bytes, board, area, states).expect("memory holds it");
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
}
