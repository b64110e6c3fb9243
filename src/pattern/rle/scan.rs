//! The data of an RLE: counts, symbols and ends of rows, from bytes into a [`Painter`].
//!
//! What stands between them (comments, a header, the end) is for whoever reads the file: the scan stops there.
//! Nearly all data are counts of up to four digits, symbols of one letter and ends of rows and lines; they are read
//! 64 bytes at a time: which of these are no digits says where each symbol is, so that no byte waits for the one before.
//! All else is read byte by byte.
//! Whole rows may be read in pieces, by all cores at once: where a piece begins is known when the ends of rows before
//! it are counted, which takes a fraction of the time of reading them.

use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};

use super::super::Format;
use super::super::error::{PatternError, SyntaxError};
use super::super::input::Input;
use super::super::painter::Painter;
use super::{LETTERS, MAX_COUNT};
use crate::board::{CellsError, TILE_SIDE};
use crate::cell::{DEAD, State};
use crate::machine;

/// Bytes from which on data is shared out among the cores.
const WORTH_SHARING: usize = 1 << 19;
/// The shortest pieces, bytes.
const LEAST: usize = 1 << 16;
/// Bytes that are looked at together, and how many more are looked into for the digits of a count.
const BLOCK: usize = 64;
const BEYOND: usize = 4;
/// More columns than the counts of one block can have together.
const MOST_COLUMNS: i64 = 64 * 10_000;

/// Why the scan of data stopped.
pub(super) enum Stop {
    /// The bytes at hand are used up.
    Bytes,
    /// Before a `#` that begins a line.
    Comment,
    /// Before an `x` that begins a line and a header.
    Header,
    /// After the `!`.
    End,
    /// Before the first character that has no meaning.
    Unknown,
    /// At a fault.
    Fault(Fault),
}

/// What is wrong with data.
pub(super) enum Fault {
    LoneCount,
    LeadingZero,
    LongCount,
    HighState,
    Cells(CellsError),
}

impl Fault {
    /// The error that this fault is, at the next byte of `input`, or at the count that ends before it.
    pub(super) fn error(self, input: &Input<'_>) -> PatternError {
        let (digits, message) = match self {
            Self::LoneCount => {
                (input.digits_before(), "a count stands directly before its symbol".to_owned())
            }
            Self::LeadingZero => (0, "a count doesn't begin with 0".to_owned()),
            Self::LongCount => (input.digits_before(), format!("a count is at most {MAX_COUNT}")),
            Self::HighState => (0, "states go up to 255, which is yO".to_owned()),
            Self::Cells(CellsError::TooLarge { limit_bytes }) => {
                return PatternError::TooLarge { limit_bytes };
            }
            Self::Cells(error) => (0, error.to_string()),
        };
        input.error_at(input.offset() - digits, Format::Rle, message).into()
    }
}

/// Where the scan is in the data.
pub(super) struct Scan {
    pub(super) painter: Painter,
    pub(super) x: i64,
    pub(super) y: i64,
    /// The count read so far, 0 when there is none.
    pub(super) count: u64,
    /// Whether only white space came before in this line.
    fresh: bool,
    /// The most columns of a row so far.
    pub(super) columns: i64,
    /// Characters without a meaning, and the first, as an error without words.
    pub(super) unknown: u64,
    pub(super) first_unknown: Option<SyntaxError>,
    /// Whether a symbol came.
    pub(super) begun: bool,
    /// The highest state of one letter so far.
    highest: State,
    /// Up to this offset in the text nothing is shared out: there is something else than plain data, and to count rows
    /// anew behind each comment could take for ever.
    alone_until: u64,
}

/// Some whole rows, as read.
struct Piece {
    scan: Scan,
    /// Bytes of its text.
    length: usize,
    /// Ends of lines in it.
    lines: u64,
    /// Bytes after the last of them; all where there is none.
    of_last_line: usize,
}

/// Ends of lines in a text.
#[derive(Default)]
struct Lines {
    count: u64,
    /// Bytes of the text up to the last of them.
    end: usize,
}

/// What a byte that is no digit is to [`Scan::tokens`], which knows states below 2^`P`.
#[derive(Clone, Copy)]
struct Class<const P: usize> {
    /// All ones in the planes of the state that a symbol stands for.
    planes: [u64; P],
    kind: Kind,
    /// 64 where it is no symbol.
    stop: u64,
}

#[derive(Clone, Copy)]
enum Kind {
    Symbol(State),
    Row,
    Line,
    Other,
}

impl<const P: usize> Class<P> {
    /// By byte.
    const ALL: [Self; 256] = {
        let mut all = [Self { planes: [0; P], kind: Kind::Other, stop: 64 }; 256];
        all[b'$' as usize].kind = Kind::Row;
        all[b'\n' as usize].kind = Kind::Line;
        let mut state = DEAD;
        while state <= LETTERS && (state as u32) < 1 << P {
            let symbols = match state {
                DEAD => [b'b', b'.'],
                1 => [b'o', b'A'],
                _ => [b'A' + state - 1; 2],
            };
            let mut class = Self { kind: Kind::Symbol(state), stop: 0, ..all[0] };
            let mut plane = 0;
            while plane < P {
                class.planes[plane] = if state >> plane & 1 == 1 { u64::MAX } else { 0 };
                plane += 1;
            }
            all[symbols[0] as usize] = class;
            all[symbols[1] as usize] = class;
            state += 1;
        }
        all
    };
}

impl Scan {
    /// Nothing was read yet.
    pub(super) fn new(painter: Painter) -> Self {
        Self {
            painter,
            x: 0,
            y: 0,
            count: 0,
            fresh: true,
            columns: 0,
            unknown: 0,
            first_unknown: None,
            begun: false,
            highest: 1,
            alone_until: 0,
        }
    }

    /// Reads on in `input`, up to what is no data or to where no bytes are at hand.
    pub(super) fn read_from(&mut self, input: &mut Input<'_>) -> Result<Stop, PatternError> {
        loop {
            input.window(2)?;
            let ended = input.ended();
            let bytes = input.window(2)?;
            // The last byte waits until the one after it is known.
            let usable = if ended { bytes.len() } else { bytes.len() - 1 };
            let mut lines = Lines::default();
            let (count, stop) = self.read(bytes, usable, &mut lines);
            input.consume_lines(count, lines.count, count - lines.end);
            match stop {
                Stop::Unknown => {
                    self.first_unknown = Some(input.error_at(input.offset(), Format::Rle, ""));
                }
                stop => return Ok(stop),
            }
        }
    }

    /// Reads as many whole rows as are at hand in `input`, if those are many, by all cores; false where nothing was
    /// read, since there is something else than plain data first.
    pub(super) fn share_from(&mut self, input: &mut Input<'_>) -> Result<bool, PatternError> {
        if input.offset() < self.alone_until || self.count > 0 || machine::start_threads().is_err() {
            return Ok(false);
        }
        input.window(WORTH_SHARING)?;
        let start = input.offset();
        let bytes = input.window(WORTH_SHARING)?;
        if bytes.len() < WORTH_SHARING {
            return Ok(false);
        }
        // Up to the last byte, which waits for the next one.
        self.alone_until = start + bytes.len() as u64 - 1;
        // Where there is one core, two pieces do no harm, and are tested.
        let pieces = cut(bytes, rayon::current_num_threads().clamp(2, bytes.len() / LEAST));
        if pieces.len() < 2 {
            return Ok(false);
        }
        let rows: Vec<i64> = pieces.par_iter().map(|piece| rows(piece)).collect();
        let mut starts = Vec::new();
        let mut y = self.y;
        for (index, (text, rows)) in pieces.iter().zip(rows).enumerate() {
            let painter = self.painter.share(pieces.len());
            let (x, fresh) = if index == 0 { (self.x, self.fresh) } else { (0, false) };
            let scan = Self { x, y, fresh, begun: true, highest: self.highest, ..Self::new(painter) };
            starts.push((scan, *text));
            y = y.saturating_add(rows);
        }
        let read: Vec<Option<Piece>> =
            starts.into_par_iter().map(|(scan, text)| scan.read_whole(text)).collect();
        if read.iter().all(Option::is_some) {
            self.alone_until = 0;
        }
        let any = read[0].is_some();
        // What follows a piece that holds more than data is read anew.
        for piece in read.into_iter().map_while(|piece| piece) {
            input.consume_lines(piece.length, piece.lines, piece.of_last_line);
            let Scan { painter, y, columns, highest, .. } = piece.scan;
            if let Err(error) = self.painter.append(painter) {
                return Err(Fault::Cells(error).error(input));
            }
            (self.x, self.y, self.fresh, self.begun) = (0, y, false, true);
            (self.columns, self.highest) = (self.columns.max(columns), self.highest.max(highest));
        }
        Ok(any)
    }

    /// Reads a text that ends with a row; `None` where it is not all data.
    fn read_whole(mut self, text: &[u8]) -> Option<Piece> {
        let mut lines = Lines::default();
        match self.read(text, text.len(), &mut lines) {
            (_, Stop::Bytes) => {
                let of_last_line = text.len() - lines.end;
                Some(Piece { scan: self, length: text.len(), lines: lines.count, of_last_line })
            }
            _ => None,
        }
    }

    /// Reads the first `usable` of `bytes`, of which the others only tell what these mean; gives how many it read, and
    /// why no more. Counts the ends of lines.
    fn read(&mut self, bytes: &[u8], usable: usize, lines: &mut Lines) -> (usize, Stop) {
        let mut at = 0;
        while at < usable {
            let (end, result) = self.quick(&bytes[..usable], at, lines);
            at = end;
            if let Err(error) = result {
                return (at, Stop::Fault(Fault::Cells(error)));
            }
            let Some(&byte) = bytes[..usable].get(at) else { break };
            let next = bytes.get(at + 1).copied();
            let state = match byte {
                b'0'..=b'9' => {
                    if self.count == 0 && byte == b'0' {
                        return (at, Stop::Fault(Fault::LeadingZero));
                    }
                    self.count = self.count * 10 + u64::from(byte - b'0');
                    if self.count > MAX_COUNT {
                        return (at, Stop::Fault(Fault::LongCount));
                    }
                    self.fresh = false;
                    at += 1;
                    continue;
                }
                b'b' | b'.' => 0,
                b'o' => 1,
                // A header in capitals; as data, the X would be state 24.
                b'X' if self.fresh && !self.begun && starts_header(&bytes[at + 1..]) => {
                    return (at, Stop::Header);
                }
                b'A'..=b'X' => {
                    self.highest = self.highest.max(byte - b'A' + 1);
                    byte - b'A' + 1
                }
                b'x' if self.fresh && matches!(next, None | Some(b' ' | b'\t' | b'=')) => {
                    return (at, Stop::Header);
                }
                b'p'..=b'y' => match next.filter(|letter| (b'A'..=b'X').contains(letter)) {
                    Some(letter) => {
                        let above = (byte - b'o').checked_mul(LETTERS);
                        let Some(state) = above.and_then(|above| above.checked_add(letter - b'A' + 1)) else {
                            return (at, Stop::Fault(Fault::HighState));
                        };
                        at += 1;
                        state
                    }
                    None => 1,
                },
                b'$' => {
                    self.columns = self.columns.max(self.x);
                    self.y = self.y.saturating_add(self.take_count());
                    (self.x, self.fresh, self.begun) = (0, false, true);
                    at += 1;
                    continue;
                }
                _ if self.count > 0 => return (at, Stop::Fault(Fault::LoneCount)),
                // Before an LF, a CR is white space.
                b'\n' | b'\r' if byte == b'\n' || next != Some(b'\n') => {
                    self.fresh = true;
                    at += 1;
                    (lines.count, lines.end) = (lines.count + 1, at);
                    continue;
                }
                b'!' => {
                    self.fresh = true;
                    return (at + 1, Stop::End);
                }
                b'#' if self.fresh => return (at, Stop::Comment),
                0..=b' ' => {
                    at += bytes[at..usable].iter().take_while(|next| **next == byte).count();
                    continue;
                }
                _ if self.first_unknown.is_none() => return (at, Stop::Unknown),
                _ => {
                    // The bytes of UTF-8 after the first are the same character.
                    self.unknown += u64::from(!(0x80..0xC0).contains(&byte));
                    self.fresh = false;
                    at += 1;
                    continue;
                }
            };
            let length = self.take_count();
            if let Err(error) = self.painter.run(self.x, self.y, length, state) {
                return (at, Stop::Fault(Fault::Cells(error)));
            }
            self.x = self.x.saturating_add(length);
            (self.fresh, self.begun) = (false, true);
            at += 1;
        }
        (at, Stop::Bytes)
    }

    /// Reads on in `bytes` from `at` as long as there are counts of a few digits, symbols of one letter, and ends of rows
    /// and lines; gives where it stopped, and why the next symbol has no place. What it leaves is for [`Self::read`].
    #[inline]
    fn quick(&mut self, bytes: &[u8], at: usize, lines: &mut Lines) -> (usize, Result<(), CellsError>) {
        // A count that has begun, or too little text.
        if self.count > 0 || bytes.len() - at < BLOCK + BEYOND {
            return (at, Ok(()));
        }
        let before = lines.count;
        let (end, result) = match self.highest {
            0..=1 => self.tokens::<1>(bytes, at, lines),
            2..=3 => self.tokens::<2>(bytes, at, lines),
            4..=7 => self.tokens::<3>(bytes, at, lines),
            _ => self.tokens::<5>(bytes, at, lines),
        };
        if end > at {
            self.begun |= (end - at) as u64 > lines.count - before;
            self.fresh = lines.count > before && lines.end == end;
        }
        (end, result)
    }

    /// [`Self::quick`], for `P` planes. Hardly a branch depends on whether a byte is a digit or a symbol, which is as good
    /// as random: each wrong guess of the processor would cost more than all else.
    fn tokens<const P: usize>(
        &mut self,
        bytes: &[u8],
        mut at: usize,
        lines: &mut Lines,
    ) -> (usize, Result<(), CellsError>) {
        let classes = const { &Class::<P>::ALL };
        let last_column = match self.painter.open(self.y) {
            Ok(Some(last)) => last,
            Ok(None) => return (at, Ok(())),
            Err(error) => return (at, Err(error)),
        };
        // The cells of the word at `column`, as far as they are known; the next one is number `bit` of it.
        let (mut column, mut bit) =
            (self.x.div_euclid(TILE_SIDE), self.x.rem_euclid(TILE_SIDE).unsigned_abs());
        let mut planes = [0; P];
        let mut error = None;
        'blocks: while let Some((block, _)) = bytes[at..].split_first_chunk::<{ BLOCK + BEYOND }>() {
            if let Err(full) = self.painter.check() {
                error = Some(full);
                break;
            }
            if column * TILE_SIDE > last_column - MOST_COLUMNS {
                break;
            }
            let mut ends = ends_of_tokens(block);
            let mut start = 0;
            while ends != 0 {
                let end = ends.trailing_zeros() as usize;
                ends &= ends - 1;
                let class = &classes[usize::from(block[end % BLOCK])];
                let digits = end - start;
                let first = start % BLOCK;
                let four = [block[first], block[first + 1], block[first + 2], block[first + 3]];
                let length = count_of(four, digits).max(1);
                if bit + length + class.stop <= 63 {
                    let mask = ((1 << length) - 1) << bit;
                    for (word, plane) in planes.iter_mut().zip(class.planes) {
                        *word |= mask & plane;
                    }
                    bit += length;
                    start = end + 1;
                    continue;
                }
                match class.kind {
                    Kind::Symbol(state) => {
                        let first = bit;
                        bit += length;
                        if state == DEAD {
                            self.put(column, &planes);
                        } else {
                            // Up to the end of the word, whole words, and what is left.
                            let mask = u64::MAX << first;
                            for (word, plane) in planes.iter_mut().zip(class.planes) {
                                *word |= mask & plane;
                            }
                            self.put(column, &planes);
                            while bit >= 128 {
                                (column, bit) = (column + 1, bit - 64);
                                self.put(column, &class.planes);
                            }
                        }
                        column += (bit / 64).cast_signed();
                        bit %= 64;
                        let mask = (1 << bit) - 1;
                        planes = if state == DEAD { [0; P] } else { class.planes.map(|plane| mask & plane) };
                    }
                    Kind::Line if digits == 0 => {
                        (lines.count, lines.end) = (lines.count + 1, at + end + 1);
                    }
                    Kind::Row => {
                        self.put(column, &planes);
                        planes = [0; P];
                        self.columns = self.columns.max(column * TILE_SIDE + bit.cast_signed());
                        self.y = self.y.saturating_add(length.cast_signed());
                        (column, bit) = (0, 0);
                        let opened = self.painter.open(self.y);
                        if !matches!(opened, Ok(Some(_))) {
                            error = opened.err();
                            at += end + 1;
                            break 'blocks;
                        }
                    }
                    Kind::Line | Kind::Other => {
                        at += start;
                        break 'blocks;
                    }
                }
                start = end + 1;
            }
            if start == 0 {
                break;
            }
            at += start;
        }
        self.put(column, &planes);
        self.x = column * TILE_SIDE + bit.cast_signed();
        (at, error.map_or(Ok(()), Err))
    }

    /// Adds a word to the row that is painted, if it lives.
    #[inline]
    fn put<const P: usize>(&mut self, column: i64, planes: &[u64; P]) {
        if *planes != [0; P] {
            self.painter.put(column, planes);
        }
    }

    /// The count before the symbol at hand, 1 when there is none.
    #[inline]
    fn take_count(&mut self) -> i64 {
        let count = std::mem::take(&mut self.count).max(1);
        i64::try_from(count).expect("counts have 32 bits")
    }
}

/// The bytes of a block that are no digits, as a mask; up to before the first count that has five digits or begins with 0.
#[inline]
fn ends_of_tokens(block: &[u8; BLOCK + BEYOND]) -> u64 {
    const LOW: u64 = u64::MAX / 255;
    let (mut ends, mut others) = (0, 0);
    for (index, eight) in block.as_chunks::<8>().0.iter().enumerate() {
        // Digits become 0 to 9; what is above 9, and above 0, gets its highest bit.
        let value = u64::from_le_bytes(*eight) ^ (LOW * 0x30);
        let above = |limit: u64| ((value & (LOW * 0x7F)) + LOW * (0x7F - limit)) | value;
        // The highest bits of all bytes, side by side.
        let mask = |high: u64| (high >> 7 & LOW).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        ends |= mask(above(9)) << (8 * index);
        others |= mask(above(0)) << (8 * index);
    }
    let digits = !ends;
    let two = digits & digits >> 1;
    let strange = (two & two >> 2 & digits >> 4) | (!others & (ends << 1 | 1));
    // Those below the lowest bit, or all.
    ends & (strange.wrapping_sub(1) & !strange)
}

/// The number that the first `digits` of some characters are, up to four.
#[inline]
fn count_of(characters: [u8; 4], digits: usize) -> u64 {
    // As if there were zeros before it: the last digit is in the highest byte.
    #[expect(clippy::cast_possible_truncation, reason = "at most 4 digits; the lower half is wanted")]
    let four = u64::from(u32::from_le_bytes(characters)).wrapping_shl(32 - 8 * (digits as u32 & 7)) as u32;
    let ones = four & 0x0F0F_0F0F;
    let tens = (ones * 10 + (ones >> 8)) & 0x00FF_00FF;
    u64::from((tens * 100 + (tens >> 16)) & 0xFFFF)
}

/// Whether what follows an `X` makes it the key of a header.
fn starts_header(rest: &[u8]) -> bool {
    rest.iter().find(|byte| !b" \t".contains(byte)) == Some(&b'=')
}

/// The rows of `bytes` that are whole, in up to so many pieces of about one length.
fn cut(bytes: &[u8], pieces: usize) -> Vec<&[u8]> {
    let end_of_row = |bytes: &[u8]| bytes.iter().position(|byte| *byte == b'$').map(|at| at + 1);
    let mut rest = &bytes[..bytes.iter().rposition(|byte| *byte == b'$').map_or(0, |at| at + 1)];
    let length = bytes.len() / pieces + 1;
    let mut cut = Vec::new();
    while !rest.is_empty() {
        let from = length.min(rest.len() - 1);
        let (piece, after) = rest.split_at(end_of_row(&rest[from..]).map_or(rest.len(), |at| from + at));
        cut.push(piece);
        rest = after;
    }
    cut
}

/// How many rows end in `bytes`, if they are data.
fn rows(bytes: &[u8]) -> i64 {
    let mut rows = 0i64;
    let mut end_of_row = |at: usize| {
        let before = &bytes[at.saturating_sub(10)..at];
        let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let count = before[before.len() - digits..].iter();
        let count = count.fold(0, |count, digit| 10 * count + i64::from(digit - b'0'));
        rows = rows.saturating_add(count.max(1));
    };
    // Most blocks have none.
    for (block, start) in bytes.chunks(BLOCK).zip((0..).step_by(BLOCK)) {
        if block.iter().fold(0, |any, byte| any | u8::from(*byte == b'$')) > 0 {
            (start..).zip(block).filter(|(_, byte)| **byte == b'$').for_each(|(at, _)| end_of_row(at));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::Cells;
    use crate::coords::Coords;
    use crate::pattern::{Limits, PatternError, read};

    /// Reads data character by character, straight into cells; or the line and the column of what is wrong.
    fn plain(text: &str) -> Result<Cells, (u64, u64)> {
        let (mut cells, mut x, mut y) = (Cells::new(), 0, 0);
        // The place of the next character, and of the count before it.
        let (mut line, mut column) = (1, 0);
        let (mut count, mut counted) = (None, (0, 0));
        let mut prefix = None;
        for (index, character) in text.char_indices() {
            column += 1;
            if let Some(digit) = character.to_digit(10) {
                if count.is_none() {
                    if digit == 0 {
                        return Err((line, column));
                    }
                    counted = (line, column);
                }
                let value = 10 * count.unwrap_or(0) + u64::from(digit);
                if value > MAX_COUNT {
                    return Err(counted);
                }
                count = Some(value);
                continue;
            }
            let next = text[index + 1..].chars().next();
            let state = match character {
                'b' | '.' => 0,
                'A'..='X' => u32::from(character) - 64 + 24 * prefix.take().unwrap_or(0),
                'p'..='y' if next.is_some_and(|next| next.is_ascii_uppercase() && next <= 'X') => {
                    prefix = Some(u32::from(character) - u32::from('o'));
                    continue;
                }
                'o'..='y' => 1,
                '$' => {
                    (x, y) = (0, y + i64::try_from(count.take().unwrap_or(1)).expect("32 bits"));
                    continue;
                }
                _ if count.is_some() => return Err(counted),
                '\n' => {
                    (line, column) = (line + 1, 0);
                    continue;
                }
                '!' => return Ok(cells),
                _ => continue,
            };
            let length = i64::try_from(count.take().unwrap_or(1)).expect("32 bits");
            let state = State::try_from(state).map_err(|_| (line, column))?;
            if state != DEAD {
                cells.fill_run(Coords::new(x, y), length, state).map_err(|_| (line, column))?;
            }
            x += length;
        }
        if count.is_some() { Err(counted) } else { Ok(cells) }
    }

    /// A count and a symbol, mostly of the common kinds.
    fn token() -> impl Strategy<Value = String> {
        let count = prop_oneof![
            6 => Just(String::new()),
            6 => (2..40u32).prop_map(|count| count.to_string()),
            3 => (40..20_000u32).prop_map(|count| count.to_string()),
        ];
        let symbol = prop_oneof![
            12 => Just("b".to_owned()),
            12 => Just("o".to_owned()),
            2 => "[.A-D]",
            2 => Just("$".to_owned()),
        ];
        let odd = prop_oneof![
            "\n|\n\n| ",
            "[q-x][A-X]|yA|[A-X]",
            "[1-9][0-9]{4,6}[b$]",
            "[0-9b$!]{2,3}",
            "[1-9][0-9]{9}b"
        ];
        prop_oneof![
            40 => (count, symbol).prop_map(|(count, symbol)| count + symbol.as_str()),
            3 => Just("\n".to_owned()),
            1 => odd,
        ]
    }

    proptest! {
        #[test]
        fn what_is_read_by_blocks_is_what_a_plain_reader_reads(
            tokens in prop::collection::vec(token(), 0..300),
        ) {
            // With a header, whatever begins a line is data.
            let text = format!("x = 0, y = 0\n{}", tokens.concat());
            let expected = plain(&tokens.concat()).map_err(|(line, column)| (line + 1, column));
            let found = match read(text.as_bytes(), &Limits::default()) {
                Ok(pattern) => Ok(pattern.cells),
                Err(PatternError::Syntax(error)) => Err((error.line, error.column)),
                Err(error) => panic!("{error} in {text:?}"),
            };
            prop_assert!(found == expected, "{found:?}, not {expected:?} of {text:?}");
        }
    }

    #[test]
    fn ends_of_tokens_are_found_up_to_the_first_strange_count() {
        for (text, ends) in [
            ("bo$\n!", &[0, 1, 2, 3, 4][..]),
            ("12b345o6789$", &[2, 6, 11]),
            ("b12345o", &[0]),
            ("b0o", &[0]),
            ("10b0", &[2]),
            ("0", &[]),
            ("\u{e9}9:/", &[0, 1, 3, 4]),
        ] {
            let mut block = [b'1'; BLOCK + BEYOND];
            block[..text.len()].copy_from_slice(text.as_bytes());
            // A count that goes on behind the text would be too long.
            block[text.len()..].fill(b'b');
            let mask = ends_of_tokens(&block);
            let found: Vec<usize> = (0..text.len()).filter(|at| mask >> at & 1 == 1).collect();
            assert_eq!(found, ends, "{text:?}");
        }
    }

    #[test]
    fn counts_of_up_to_four_digits_are_numbers() {
        for count in 0..10_000u64 {
            let text = if count == 0 { String::new() } else { count.to_string() };
            for after in [*b"bbbb", *b"9999", *b"0$12"] {
                let mut four = after;
                four[..text.len()].copy_from_slice(text.as_bytes());
                assert_eq!(count_of(four, text.len()), count, "{text:?} before {after:?}");
            }
        }
    }

    #[test]
    fn rows_are_counted_across_blocks() {
        for before in 0..140 {
            let text = format!("{}12$3o$\n7$b{}$", "o".repeat(before), "b".repeat(70));
            assert_eq!(rows(text.as_bytes()), 12 + 1 + 7 + 1, "after {before} symbols");
        }
    }
}
