//! Macrocell (`.mc`), the format of hashlife: a tree of squares in which equal squares are written once.
//!
//! ```text
//! [M2] (program version)
//! #R rule   #G generation   #C comment (also #N name, #O author)
//! #CBIOTA Background=s Seed=n   our own: see `own`
//! .*$..*$***$              two states: a leaf of 8 × 8 cells, rows end with $, what is missing is dead
//! 1 0 2 0 1                more states: a leaf of 2 × 2 cells, their states
//! 4 1 0 3 2                a square of 2^4 × 2^4 cells: which lines (from 1, without the # lines) its quarters are,
//!                          north-west, north-east, south-west, south-east; 0 is a dead one
//! ```
//!
//! The last square is the whole. Its middle lies above the cell (0, 1): Golly counts rows upwards inside, so that row 0
//! is the last one of the northern half (`hlifealgo::setcell` in its sources). A pattern keeps the cells as the
//! tree has them, with (0, 0) just south-east of the middle, and (0, 1) is its position.
//!
//! Not read: the frames of a timeline (noted). Two-state and many-state leaves may be mixed.
//! Known limits: writing keeps every different square in memory, so that boards without repetition (soups) take far more
//! than their cells; past [`MAX_SQUARES`] it gives up. A rule file has no place in the format.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use super::error::{PatternError, SyntaxError, decode};
use super::input::{Here, Input};
use super::{Bands, Format, Limits, MAX_COMMENTS, Pattern, own, refuse_alien_states};
use crate::board::{COORDINATE_LIMIT, Cells, CellsError, MAX_PLANES, TILE_ROWS, TILE_SIDE, Tile};
use crate::cell::DEAD;
use crate::coords::{Coords, Rect};

/// Where the middle of the tree lies in the files' coordinates.
const MIDDLE: Coords = Coords::new(0, 1);
/// Squares have 2^this cells on a side at the most: far more than coordinates reach, since life may stand in the middle
/// of a much larger square.
const MAX_LEVEL: u8 = 120;
/// The level of a square that is a tile.
const TILE_LEVEL: u8 = 6;
/// Different squares that are written at the most.
const MAX_SQUARES: u32 = 1 << 25;

/// A square of the tree.
struct Square {
    /// It has 2^level cells on a side.
    level: u8,
    /// Bit planes that its cells need; 0 when all are dead.
    planes: u8,
    /// Whether it is part of another one.
    used: bool,
    /// Bytes that its cells take in tiles, about; saturating. Not known below the level of tiles.
    bytes: u64,
    parts: Parts,
}

/// What a square is made of.
enum Parts {
    /// 8 × 8 cells of two states: bit 8 y + x.
    Leaf(u64),
    /// The states of 2 × 2 cells.
    States([u8; 4]),
    /// Quarters, by number; 0 is dead.
    Quarters([u32; 4]),
}

/// The column and the row of a quarter in its square.
const QUARTERS: [(usize, usize); 4] = [(0, 0), (1, 0), (0, 1), (1, 1)];

/// Reads the rest of `input` as macrocell.
pub(super) fn read(input: &mut Input<'_>, limits: &Limits) -> Result<Pattern, PatternError> {
    let mut pattern = Pattern { format: Format::Macrocell, position: Some(MIDDLE), ..Pattern::default() };
    let mut room = MAX_COMMENTS;
    let mut tree = Tree { squares: Vec::new(), limit_bytes: limits.cell_bytes };
    let mut line = Vec::new();
    // The first line only says what the file is.
    input.next_line(Format::Macrocell, &mut line)?;
    loop {
        let start = input.here();
        if !input.next_line(Format::Macrocell, &mut line)? {
            break;
        }
        let fail = |at: usize, message: String| start.error(Format::Macrocell, &line, at, message);
        match line.trim_ascii_start().first() {
            None => {}
            Some(b'#') => comment(&mut pattern, start, &line, &mut room)?,
            Some(b'.' | b'*' | b'$') => {
                let cells = leaf(&line).map_err(|(at, message)| fail(at, message.to_owned()))?;
                tree.push(3, u8::from(cells != 0), Parts::Leaf(cells))?;
            }
            Some(_) => {
                let numbers = numbers(&line).map_err(|(at, message)| fail(at, message.to_owned()))?;
                tree.node(numbers).map_err(|error| match error {
                    NodeError::Text(message) => PatternError::from(fail(0, message)),
                    NodeError::Pattern(error) => error,
                })?;
            }
        }
    }
    let lost = tree.squares.iter().rev().skip(1).filter(|square| square.planes > 0 && !square.used).count();
    // The frames of a timeline are trees of their own.
    if lost > 0 && pattern.notes.is_empty() {
        pattern.note(&format!("squares that belong to no other: {lost}; the file may have been cut off"));
    }
    pattern.cells = tree.expanded()?;
    Ok(pattern)
}

/// Reads a line that begins with `#`.
fn comment(pattern: &mut Pattern, start: Here, line: &[u8], room: &mut usize) -> Result<(), SyntaxError> {
    let text = decode(line);
    let text = text.trim();
    if own::read(pattern, start, text)? {
        return Ok(());
    }
    let rest = text.get(2..).unwrap_or_default();
    let words = rest.trim();
    if text.starts_with("#FRAME") {
        pattern.note("the frames of the timeline are passed over; the pattern itself is read");
        return Ok(());
    }
    match text.chars().nth(1) {
        Some('R') if !words.is_empty() => pattern.rule = words.split_whitespace().next().map(str::to_owned),
        Some('G') => {
            if words.is_empty() || !words.bytes().all(|b| b.is_ascii_digit()) {
                return Err(start.error(
                    Format::Macrocell,
                    line,
                    0,
                    "a generation is a number from 0, as in #G 100",
                ));
            }
            pattern.count_from(words);
        }
        Some('N') if pattern.name.is_none() && !words.is_empty() => pattern.name = Some(words.to_owned()),
        Some('O') if pattern.author.is_none() && !words.is_empty() => pattern.author = Some(words.to_owned()),
        Some('C' | 'D' | 'N' | 'O') => {
            pattern.keep_comment(rest.strip_prefix(' ').unwrap_or(rest).to_owned(), room);
        }
        _ => pattern.keep_comment(text[1..].to_owned(), room),
    }
    Ok(())
}

/// Reads 8 × 8 cells; the place of what is wrong, and why, otherwise.
fn leaf(line: &[u8]) -> Result<u64, (usize, &'static str)> {
    const SIZE: &str = "a leaf has 8 rows of 8 cells at the most";
    let (mut cells, mut x, mut y) = (0u64, 0u32, 0u32);
    for (at, &byte) in line.iter().enumerate() {
        // Without branches between these three, which would be guessed wrong half of the time.
        let (is_cell, ends_row) = (matches!(byte, b'.' | b'*'), byte == b'$');
        if !is_cell && !ends_row {
            if byte.is_ascii_whitespace() {
                continue;
            }
            return Err((
                at,
                "a leaf is made of . for dead and * for living cells and $ for the ends of rows",
            ));
        }
        if x + u32::from(is_cell) > 8 || y > 7 {
            return Err((at, SIZE));
        }
        cells |= u64::from(byte == b'*') << ((8 * y + x) % 64);
        x = (x + 1) * u32::from(is_cell);
        y += u32::from(ends_row);
    }
    Ok(cells)
}

/// Reads five numbers; the place of what is wrong, and why, otherwise.
fn numbers(line: &[u8]) -> Result<[u32; 5], (usize, &'static str)> {
    const FORM: &str =
        "a square is five numbers, as in 4 1 0 3 2: the power of two of its size, and its quarters";
    let mut numbers = [0; 5];
    let mut at = 0;
    let skipped = |at: usize| at + line[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    for number in &mut numbers {
        at = skipped(at);
        let length = line[at..].iter().take_while(|b| !b.is_ascii_whitespace()).count();
        let digits = &line[at..at + length];
        let value = digits.iter().try_fold(0u32, |value, byte| {
            let digit = byte.is_ascii_digit().then(|| u32::from(byte - b'0'))?;
            value.checked_mul(10)?.checked_add(digit)
        });
        *number = value.filter(|_| !digits.is_empty()).ok_or((at, FORM))?;
        at += length;
    }
    let at = skipped(at);
    if at < line.len() { Err((at, FORM)) } else { Ok(numbers) }
}

/// Why a square could not be taken.
enum NodeError {
    /// The text is wrong.
    Text(String),
    /// There is no room.
    Pattern(PatternError),
}

/// All squares of a file, in its order.
struct Tree {
    squares: Vec<Square>,
    limit_bytes: u64,
}

impl Tree {
    /// The square with this number; `None` for a dead one.
    fn get(&self, number: u32) -> Option<&Square> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.squares.get(index).filter(|square| square.planes > 0)
    }

    fn push(&mut self, level: u8, planes: u8, parts: Parts) -> Result<(), PatternError> {
        let bytes = match &parts {
            Parts::Quarters(quarters) if level > TILE_LEVEL => quarters
                .iter()
                .filter_map(|quarter| self.get(*quarter))
                .fold(0, |sum: u64, quarter| sum.saturating_add(quarter.bytes)),
            _ if planes > 0 => Cells::bytes_of_tile(planes.into()),
            _ => 0,
        };
        // The tree itself is held to the limit too.
        let taken = (self.squares.len() as u64 + 1) * size_of::<Square>() as u64;
        if taken > self.limit_bytes {
            return Err(PatternError::TooLarge { limit_bytes: self.limit_bytes });
        }
        self.squares.push(Square { level, planes, used: false, bytes, parts });
        Ok(())
    }

    /// Takes the square that a line of numbers describes.
    fn node(&mut self, [level, parts @ ..]: [u32; 5]) -> Result<(), NodeError> {
        let Some(level) = u8::try_from(level).ok().filter(|level| (1..=MAX_LEVEL).contains(level)) else {
            return Err(NodeError::Text(format!(
                "the sides of squares are 2 to the power of 1 to {MAX_LEVEL}"
            )));
        };
        let (planes, parts) = if level == 1 {
            let mut states = [0; 4];
            for (state, part) in states.iter_mut().zip(parts) {
                *state = u8::try_from(part).map_err(|_| NodeError::Text("states go up to 255".to_owned()))?;
            }
            let used = states.iter().fold(0, |all, state| all | state);
            (u8::BITS - used.leading_zeros(), Parts::States(states))
        } else {
            for part in parts.into_iter().filter(|part| *part != 0) {
                let index = part as usize - 1;
                let Some(square) = self.squares.get(index) else {
                    let message = format!("there is no square {part} yet: only {}", self.squares.len());
                    return Err(NodeError::Text(message));
                };
                if square.level + 1 != level {
                    return Err(NodeError::Text(format!(
                        "a square of size 2^{level} has quarters of size 2^{}, and square {part} is of size 2^{}",
                        level - 1,
                        square.level
                    )));
                }
            }
            for part in parts.into_iter().filter(|part| *part != 0) {
                self.squares[part as usize - 1].used = true;
            }
            let planes =
                parts.into_iter().filter_map(|part| self.get(part)).map(|square| square.planes).max();
            (planes.unwrap_or(0).into(), Parts::Quarters(parts))
        };
        let planes = u8::try_from(planes).expect("at most eight");
        self.push(level, planes, parts).map_err(NodeError::Pattern)
    }

    /// The cells of the last square, around (0, 0).
    ///
    /// Errors before any memory is taken when they are too many, and when some are out of reach.
    fn expanded(&self) -> Result<Cells, PatternError> {
        let number = u32::try_from(self.squares.len()).unwrap_or(u32::MAX);
        let Some(root) = self.get(number) else { return Ok(Cells::new()) };
        if root.bytes > self.limit_bytes {
            return Err(PatternError::TooLarge { limit_bytes: self.limit_bytes });
        }
        let mut cells = Cells::new();
        if root.level <= TILE_LEVEL {
            cells.place_tile(Coords::default(), self.tile(number));
            let half = 1 << (root.level - 1);
            return cells.into_translated(-half, -half).map_err(PatternError::OutOfReach);
        }
        let half = 1i128 << (root.level - 1);
        let mut tiles = HashMap::new();
        self.expand(number, (-half, -half), &mut cells, &mut tiles)?;
        // Tiles at the very edge have a column or a row too many.
        refuse_out_of_reach(cells.bounding_box(), MIDDLE)?;
        Ok(cells)
    }

    /// Puts a square of more than one tile into `cells`, with its corner at `corner`. Equal tiles are made once.
    fn expand(
        &self,
        number: u32,
        corner: (i128, i128),
        cells: &mut Cells,
        tiles: &mut HashMap<u32, Tile>,
    ) -> Result<(), PatternError> {
        let Some(square) = self.get(number) else { return Ok(()) };
        let (limit, side) = (i128::from(COORDINATE_LIMIT), 1i128 << square.level);
        let is_out = |from: i128| from > limit || from + side <= -limit;
        let clamped =
            |value: i128| i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX });
        let at = Coords::new(clamped(corner.0), clamped(corner.1));
        if is_out(corner.0) || is_out(corner.1) {
            return Err(PatternError::OutOfReach(CellsError::OutOfReach { x: at.x, y: at.y }));
        }
        if square.level == TILE_LEVEL {
            let tile = tiles.entry(number).or_insert_with(|| self.tile(number));
            cells.place_tile(at, tile.clone());
        } else if let Parts::Quarters(quarters) = square.parts {
            let half = side / 2;
            for (quarter, (column, row)) in quarters.into_iter().zip(QUARTERS) {
                let corner = (corner.0 + half * column as i128, corner.1 + half * row as i128);
                self.expand(quarter, corner, cells, tiles)?;
            }
        }
        Ok(())
    }

    /// The tile that a square of at most its size is, or is the top-left corner of.
    fn tile(&self, number: u32) -> Tile {
        let mut planes = [[0; TILE_ROWS]; MAX_PLANES];
        self.fill(number, 0, 0, &mut planes);
        Tile::new(&planes)
    }

    /// Adds a square to the planes of a tile, at column `x` and row `y`.
    fn fill(&self, number: u32, x: usize, y: usize, planes: &mut [[u64; TILE_ROWS]; MAX_PLANES]) {
        let Some(square) = self.get(number) else { return };
        match square.parts {
            Parts::Leaf(cells) => {
                for (row, bits) in planes[0][y..].iter_mut().zip(cells.to_le_bytes()) {
                    *row |= u64::from(bits) << x;
                }
            }
            Parts::States(states) => {
                for (state, (column, row)) in states.into_iter().zip(QUARTERS) {
                    for (plane, words) in planes.iter_mut().enumerate() {
                        words[y + row] |= u64::from(state >> plane & 1) << (x + column);
                    }
                }
            }
            Parts::Quarters(quarters) => {
                let half = 1 << (square.level - 1);
                for (quarter, (column, row)) in quarters.into_iter().zip(QUARTERS) {
                    self.fill(quarter, x + half * column, y + half * row, planes);
                }
            }
        }
    }
}

/// Writes `pattern` as macrocell for a rule of `states` states, with the cells of `bands` instead of its own.
///
/// Errors when a cell's state is not one of `states`, when there are too many different squares, and when cells are
/// out of reach of the format's coordinates here.
pub(super) fn write(
    out: &mut dyn Write,
    about: &Pattern,
    bands: &mut dyn Bands,
    states: u16,
) -> Result<(), PatternError> {
    writeln!(out, "[M2] (biota {})", env!("CARGO_PKG_VERSION"))?;
    if let Some(rule) = about.rule_in_one_word() {
        writeln!(out, "#R {rule}")?;
    }
    if about.generation > 0 {
        writeln!(out, "#G {}", about.generation)?;
    }
    out.write_all(own::line(about).as_bytes())?;
    for line in about.marked_lines() {
        writeln!(out, "{line}")?;
    }
    let life = bands.bounding_box()?;
    let place = about.place_of(life);
    refuse_out_of_reach(life, place)?;
    let (dx, dy) = (place.x - MIDDLE.x, place.y - MIDDLE.y);
    let mut writer = Writer { out, leaves: HashMap::new(), squares: HashMap::new(), count: 0, states };
    // By row and column of squares of one size.
    let mut row_by_row: BTreeMap<(i64, i64), u32> = BTreeMap::new();
    // Tiles that may get more rows from the next band.
    let mut open = Cells::new();
    let mut close = |whole: Cells, writer: &mut Writer<'_>| -> Result<(), PatternError> {
        for (corner, tile) in whole.tiles() {
            let number = writer.tile(tile)?;
            if number != 0 {
                row_by_row.insert((corner.y / TILE_SIDE, corner.x / TILE_SIDE), number);
            }
        }
        Ok(())
    };
    bands.each(&mut |cells| {
        refuse_alien_states(&cells, states, about.background.unwrap_or(DEAD))?;
        let moved = cells.into_moved(dx, dy);
        let Some(life) = moved.bounding_box() else { return Ok(()) };
        open.append(moved);
        close(open.take_above(life.bottom()), &mut writer)
    })?;
    close(open, &mut writer)?;
    let mut level = TILE_LEVEL;
    while !row_by_row.is_empty() {
        level += 1;
        // Of four squares around the middle the tree is made whole.
        let is_root = row_by_row.keys().all(|(y, x)| (-1..=0).contains(y) && (-1..=0).contains(x));
        let mut larger: BTreeMap<(i64, i64), [u32; 4]> = BTreeMap::new();
        for ((y, x), number) in std::mem::take(&mut row_by_row) {
            let (y, x) = if is_root { (y + 1, x + 1) } else { (y, x) };
            let quarter = usize::from(y.rem_euclid(2) == 1) * 2 + usize::from(x.rem_euclid(2) == 1);
            larger.entry((y.div_euclid(2), x.div_euclid(2))).or_default()[quarter] = number;
        }
        for (key, quarters) in larger {
            let number = writer.square(level, quarters)?;
            if !is_root {
                row_by_row.insert(key, number);
            }
        }
    }
    Ok(())
}

/// Errors when the cells of `life`, with (0, 0) at `place`, are where no board reaches.
fn refuse_out_of_reach(life: Option<Rect>, place: Coords) -> Result<(), PatternError> {
    let Some(life) = life.map(|life| life.translated(place.x, place.y)) else { return Ok(()) };
    let corners = [(life.x, life.y), (life.right() - 1, life.bottom() - 1)];
    match corners.into_iter().find(|(x, y)| !Coords::new(*x, *y).is_in_reach()) {
        Some((x, y)) => Err(PatternError::OutOfReach(CellsError::OutOfReach { x, y })),
        None => Ok(()),
    }
}

/// Numbers squares as they are written, equal ones alike.
struct Writer<'a> {
    out: &'a mut dyn Write,
    /// By their cells.
    leaves: HashMap<u64, u32>,
    /// By their quarters.
    squares: HashMap<[u32; 4], u32>,
    count: u32,
    states: u16,
}

impl Writer<'_> {
    /// The number of the next square.
    fn next(&mut self) -> Result<u32, PatternError> {
        if self.count == MAX_SQUARES {
            return Err(PatternError::Unsaveable(format!(
                "the board has more than {MAX_SQUARES} different squares, so macrocell doesn't suit it; save as .rle"
            )));
        }
        self.count += 1;
        Ok(self.count)
    }

    /// The number of the square with these quarters, which is written unless it was before; 0 for a dead one.
    fn square(&mut self, level: u8, quarters: [u32; 4]) -> Result<u32, PatternError> {
        if quarters == [0; 4] {
            return Ok(0);
        }
        if let Some(number) = self.squares.get(&quarters) {
            return Ok(*number);
        }
        let number = self.next()?;
        self.squares.insert(quarters, number);
        self.line(level, quarters)?;
        Ok(number)
    }

    /// The number of the leaf of these cells: 64 of two states (bit 8 y + x), or the states of four, one a byte.
    fn leaf(&mut self, cells: u64) -> Result<u32, PatternError> {
        if cells == 0 {
            return Ok(0);
        }
        if let Some(number) = self.leaves.get(&cells) {
            return Ok(*number);
        }
        let number = self.next()?;
        self.leaves.insert(cells, number);
        let bytes = cells.to_le_bytes();
        if self.states > 2 {
            self.line(1, [bytes[0], bytes[1], bytes[2], bytes[3]].map(u32::from))?;
        } else {
            let mut line = Vec::with_capacity(80);
            let last = bytes.iter().rposition(|row| *row != 0).unwrap_or(0);
            for row in &bytes[..=last] {
                let columns = 8 - row.leading_zeros();
                line.extend((0..columns).map(|x| if row >> x & 1 == 1 { b'*' } else { b'.' }));
                line.push(b'$');
            }
            line.push(b'\n');
            self.out.write_all(&line)?;
        }
        Ok(number)
    }

    /// Writes the line of a square.
    fn line(&mut self, level: u8, parts: [u32; 4]) -> io::Result<()> {
        // From the last character to the first: five numbers of at most ten digits.
        let mut line = [b' '; 5 * 11];
        let mut first = line.len() - 1;
        line[first] = b'\n';
        for (index, number) in parts.into_iter().rev().chain([level.into()]).enumerate() {
            // The space between two.
            first -= usize::from(index > 0);
            let mut left = number;
            loop {
                first -= 1;
                line[first] = b'0' + (left % 10) as u8;
                left /= 10;
                if left == 0 {
                    break;
                }
            }
        }
        self.out.write_all(&line[first..])
    }

    /// The number of the square that is `tile`.
    fn tile(&mut self, tile: &Tile) -> Result<u32, PatternError> {
        let (mut level, leaf_side) = if self.states > 2 { (1, 2) } else { (3, 8) };
        let mut side = TILE_ROWS / leaf_side;
        let mut numbers = vec![0; side * side];
        let living = tile.living_rows();
        for y in 0..side {
            if living[y * leaf_side..][..leaf_side].iter().all(|word| *word == 0) {
                continue;
            }
            for x in 0..side {
                let part = |plane: usize, row: usize| tile.row(plane, y * leaf_side + row) >> (x * leaf_side);
                let cells = if self.states > 2 {
                    (0..tile.planes()).fold(0, |cells, plane| {
                        let bits = part(plane, 0) & 3 | (part(plane, 1) & 3) << 2;
                        // One bit a byte.
                        let spread = bits & 1 | (bits & 2) << 7 | (bits & 4) << 14 | (bits & 8) << 21;
                        cells | spread << plane
                    })
                } else {
                    (0..8).fold(0, |cells, row| cells | (part(0, row) & 0xFF) << (8 * row))
                };
                numbers[y * side + x] = self.leaf(cells)?;
            }
        }
        while side > 1 {
            level += 1;
            let half = side / 2;
            for y in 0..half {
                for x in 0..half {
                    let at = 2 * y * side + 2 * x;
                    let quarters = [numbers[at], numbers[at + 1], numbers[at + side], numbers[at + side + 1]];
                    // What is overwritten was used: it lies no later than these quarters.
                    numbers[y * half + x] = self.square(level, quarters)?;
                }
            }
            side = half;
        }
        Ok(numbers[0])
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fault, from_text, picture};
    use super::*;
    use crate::board::Topology;

    fn written(pattern: &Pattern, states: u16) -> String {
        let mut out = Vec::new();
        write(&mut out, pattern, &mut &pattern.cells, states).expect("it can be written");
        String::from_utf8(out).expect("UTF-8")
    }

    /// The living cells on the unbounded plane.
    fn living(text: &str) -> Vec<(i64, i64, u8)> {
        let placed = from_text(text).to_board(Topology::Unbounded).expect("in reach");
        placed.board.cells.iter().map(|(at, state)| (at.x, at.y, state)).collect()
    }

    #[test]
    fn a_glider_is_read_where_golly_has_it() {
        // In the south-eastern quarter of 16 × 16 cells, whose first row is row 1: see the module.
        let text = "[M2] (golly 4.2)\n#R B3/S23\n#G 40\n#C A glider\n.*$..*$***$\n4 0 0 0 1\n";
        assert_eq!(living(text), [(1, 1, 1), (2, 2, 1), (0, 3, 1), (1, 3, 1), (2, 3, 1)], "cells");
        let pattern = from_text(text);
        assert_eq!(pattern.rule.as_deref(), Some("B3/S23"), "rule");
        assert_eq!((pattern.generation, pattern.comments), (40, vec!["A glider".to_owned()]), "generation");
        // The last rows of the northern quarters are row 0.
        let corners = "[M2]\n$$$$$$$.......*$\n*$\n4 1 0 0 2\n";
        assert_eq!(living(corners), [(-1, 0, 1), (0, 1, 1)], "on both sides of the middle");
    }

    #[test]
    fn the_lexicons_example_is_sixteen_rings() {
        // The Life Lexicon's article on macrocell; there too the leaf has 7 × 7 cells.
        let text = "[M2] (golly 3.0)\n#R B3/S23\n.**.**$*.*.*.*$**...**$$**...**$*.*.*.*$.**.**$\n\
                    4 0 1 1 1\n5 2 0 2 2\n6 3 3 0 3\n7 4 4 4 4\n";
        let pattern = from_text(text);
        // 24 cells a leaf: 3 in a square of level 4, 3 × 3 in one of level 5, 27 of level 6, 108 of level 7.
        assert_eq!(pattern.cells.tally().population(), 24 * 108, "population");
        let bounds = pattern.cells.bounding_box().expect("it lives");
        assert_eq!((bounds.width, bounds.height), (127, 127), "as its RLE says");
        // Its first row as RLE: 9b2ob2o27b2ob2o27b2ob2o27b2ob2o.
        let first: Vec<_> =
            pattern.cells.runs(bounds.y).map(|(x, length, _)| (x - bounds.x, length)).collect();
        assert_eq!(first, [9, 12, 41, 44, 73, 76, 105, 108].map(|x| (x, 2)), "its first row");
    }

    #[test]
    fn many_states_stand_in_leaves_of_four_cells() {
        let text = "[M2] (golly 4.2)\r\n#R Immigration\r\n1 0 1 2 0\r\n2 1 0 0 1\r\n";
        assert_eq!(
            living(text),
            [(-1, -1, 1), (-2, 0, 2), (1, 1, 1), (0, 2, 2)],
            "two leaves on both sides of the middle"
        );
        assert_eq!(picture(&from_text("[M2]\n.*$*$\n")), ".o\no.", "a leaf alone is the whole");
        assert!(from_text("[M2]\n#R B3/S23\n").cells.is_empty(), "no squares are no cells");
        assert!(from_text("[M2]\n$$\n4 1 1 0 1\n").cells.is_empty(), "dead squares");
    }

    #[test]
    fn what_is_written_is_in_the_fields_form() {
        let mut pattern = from_text("x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!");
        // (0, 1) is the corner of the south-eastern quarter.
        pattern.position = Some(Coords::new(0, 1));
        pattern.name = Some("Glider".to_owned());
        pattern.generation = 3;
        let text = written(&pattern, 2);
        let (first, rest) = text.split_once('\n').expect("lines");
        assert!(first.starts_with("[M2] (biota "), "{first}");
        assert_eq!(
            rest, "#R B3/S23\n#G 3\n#N Glider\n.*$..*$***$\n4 1 0 0 0\n5 2 0 0 0\n6 3 0 0 0\n7 0 0 0 4\n",
            "a glider"
        );
        let colours = Pattern { position: Some(MIDDLE), ..from_text("x = 2, y = 2, rule = Own\nA.$.C!") };
        assert!(written(&colours, 4).contains("\n1 1 0 0 3\n2 1 0 0 0\n"), "{}", written(&colours, 4));
        let error = write(&mut Vec::new(), &colours, &mut &colours.cells, 3).expect_err("state 3 of 3");
        assert_eq!(error.to_string(), "the cell (1, 1) has state 3, but the rule has 3 states", "message");
    }

    #[test]
    fn a_living_background_and_the_seed_come_back() {
        let about =
            Pattern { background: Some(1), seed: Some(7), ..from_text("x = 2, y = 1, rule = Own\n.C!") };
        let text = written(&about, 4);
        assert!(text.contains("\n#CBIOTA Background=1 Seed=7\n"), "{text}");
        let read = from_text(&text);
        assert_eq!((read.background, read.seed, read.comments.len()), (Some(1), Some(7), 0), "{text}");
        let error = write(&mut Vec::new(), &about, &mut &about.cells, 2).expect_err("3 is 2 XOR 1");
        assert!(error.to_string().contains("(1, 0) has state 2, but"), "{error}");
        let fault = fault("[M2]\n#CBIOTA Seed=-1\n");
        assert_eq!((fault.line, fault.column, fault.format), (2, 14, Format::Macrocell), "{fault}");
    }

    #[test]
    fn equal_squares_are_written_once() {
        let mut cells = Cells::new();
        for y in 0..512 {
            for x in 0..64 {
                cells.fill_run(Coords::new(8 * x, y), 3, 1).expect("in reach");
            }
        }
        let pattern = Pattern { cells, position: Some(MIDDLE), ..Pattern::default() };
        let text = written(&pattern, 2);
        assert_eq!(text.lines().count(), 1 + 1 + 7, "a leaf and a square a level: {text}");
        assert_eq!(from_text(&text).cells, pattern.cells, "read back");
    }

    #[test]
    fn without_a_position_a_pattern_on_a_bounded_board_comes_to_its_middle() {
        let pattern = from_text("x = 3, y = 3, rule = B3/S23:T9,7\nbo$2bo$3o!");
        let topology = Topology::Torus { width: 9, height: 7 };
        let expected = pattern.to_board(topology).expect("it fits").board;
        let read = from_text(&written(&pattern, 2)).to_board(topology).expect("it fits").board;
        assert_eq!(read, expected, "the same board");
    }

    /// `levels` squares, each of four of the one before.
    fn doubled(leaf: &str, quarters: &str, levels: u32) -> String {
        let squares = (4..4 + levels).map(|level| {
            let n = (level - 3).to_string();
            format!("{level} {}\n", quarters.replace('n', &n))
        });
        format!("[M2]\n{leaf}\n{}", squares.collect::<String>())
    }

    #[test]
    fn a_small_text_of_endless_cells_is_refused_before_it_takes_memory() {
        let text = doubled("*$", "n n n n", 57);
        let limits = Limits { cell_bytes: 4 << 30, ..Limits::default() };
        let error = super::super::read(text.as_bytes(), &limits).expect_err("2^60 cells on a side");
        assert!(
            matches!(error, PatternError::TooLarge { limit_bytes } if limit_bytes == 4 << 30),
            "{error:?}"
        );
        // A tree that is larger than the memory for its cells.
        let limits = Limits { cell_bytes: 10_000, ..Limits::default() };
        let long = format!("[M2]\n{}", "$\n".repeat(1000));
        let error = super::super::read(long.as_bytes(), &limits).expect_err("1000 squares");
        assert!(matches!(error, PatternError::TooLarge { limit_bytes: 10_000 }), "{error:?}");
    }

    #[test]
    fn life_in_the_middle_of_an_endless_square_is_read_and_life_at_its_edge_refused() {
        // Grown around the north-western quarter's last cell.
        let grown: Vec<String> = (5..100u32).map(|level| format!("{level} 0 0 0 {}\n", level - 3)).collect();
        let grown = grown.concat();
        let text = format!("[M2]\n$$$$$$$.......*$\n4 0 0 0 1\n{grown}100 97 0 0 0\n");
        assert_eq!(living(&text), [(-1, 0, 1)], "next to the middle");
        let far = doubled("*$", "n 0 0 0", 40);
        let error = super::super::read(far.as_bytes(), &Limits::default()).expect_err("far out");
        assert!(matches!(error, PatternError::OutOfReach(_)), "{error:?}");
        // The first column that is out of reach.
        let edge = doubled("*$", "n 0 0 0", 29);
        let error = super::super::read(edge.as_bytes(), &Limits::default()).expect_err("-2^31");
        assert!(matches!(error, PatternError::OutOfReach(_)), "{error:?}");
        assert_eq!(living(&doubled(".*$", "n 0 0 0", 28)).len(), 1, "within reach");
    }

    #[test]
    fn faults_are_found_at_their_line() {
        for (text, line, column, says) in [
            ("[M2]\n.*x$\n", 2, 3, "a leaf is made of"),
            ("[M2]\n.........$\n", 2, 9, "8 rows of 8 cells"),
            ("[M2]\n$$$$$$$$$\n", 2, 9, "8 rows of 8 cells"),
            ("[M2]\n*$\n4 1 2 0 0\n", 3, 1, "there is no square 2 yet"),
            ("[M2]\n*$\n5 1 0 0 0\n", 3, 1, "has quarters of size 2^4, and square 1 is of size 2^3"),
            ("[M2]\n*$\n4 1 0 0\n", 3, 8, "five numbers"),
            ("[M2]\n*$\n4 1 0 0 0 7\n", 3, 11, "five numbers"),
            ("[M2]\n*$\n4 1 0 0 -1\n", 3, 9, "five numbers"),
            ("[M2]\n*$\n4 1 0 0 99999999999\n", 3, 9, "five numbers"),
            ("[M2]\nwords\n", 2, 1, "five numbers"),
            ("[M2]\n1 0 0 0 256\n", 2, 1, "states go up to 255"),
            ("[M2]\n121 0 0 0 0\n", 2, 1, "2 to the power of 1 to 120"),
            ("[M2]\n0 0 0 0 0\n", 2, 1, "2 to the power of 1 to 120"),
            ("[M2]\n#G ten\n", 2, 1, "a generation is a number"),
        ] {
            let error = fault(text);
            assert_eq!((error.line, error.column), (line, column), "{text:?}: {error}");
            assert!(error.message.contains(says), "{text:?}: {error}");
        }
    }

    #[test]
    fn frames_of_a_timeline_are_noted() {
        let pattern = from_text(
            "[M2]\n#FRAMES 2 0 2^3\n*$\n4 1 0 0 0\n#FRAME 0 2\n.*$\n4 3 0 0 0\n#FRAME 1 4\n4 0 0 0 3\n",
        );
        assert_eq!(pattern.notes.len(), 1, "{:?}", pattern.notes);
        assert_eq!(pattern.cells.bounding_box(), Some(Rect::new(1, 0, 1, 1)), "the last square");
    }
}
