//! The data of an RLE: counts, symbols and ends of rows, from bytes into a [`Painter`].
//!
//! What stands between them (comments, a header, the end) is for whoever reads the file: the scan stops there.
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

/// Bytes from which on data is shared out among the cores.
const WORTH_SHARING: usize = 1 << 19;
/// The shortest pieces, bytes.
const LEAST: usize = 1 << 16;
/// Enough bits for counts and one digit more.
const COUNT_BITS: u64 = (1 << 40) - 1;

/// Why the scan of data stopped.
pub(super) enum Stop {
    /// The bytes at hand are used up.
    Bytes,
    /// After the end of a line.
    Line,
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

/// What a byte is to [`Scan::words`], which knows states below 2^`P`.
#[derive(Clone, Copy)]
struct Class<const P: usize> {
    /// [`COUNT_BITS`] where it is a digit.
    counts: u64,
    /// The value of a digit.
    digit: u64,
    /// All ones in the planes of the state that a symbol stands for.
    planes: [u64; P],
    state: State,
    /// 64 where it is none of that.
    stop: u64,
}

impl<const P: usize> Class<P> {
    /// By byte.
    const ALL: [Self; 256] = {
        let mut all = [Self { counts: 0, digit: 0, planes: [0; P], state: DEAD, stop: 64 }; 256];
        let mut digit = 0;
        while digit < 10 {
            let byte = b'0' + digit;
            all[byte as usize] =
                Self { counts: COUNT_BITS, digit: digit as u64, stop: 0, ..all[byte as usize] };
            digit += 1;
        }
        let mut state = DEAD;
        while state <= LETTERS && (state as u32) < 1 << P {
            let symbols = match state {
                DEAD => [b'b', b'.'],
                1 => [b'o', b'A'],
                _ => [b'A' + state - 1; 2],
            };
            let mut class = Self { state, stop: 0, ..all[0] };
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
            let (count, stop) = self.read(bytes, usable);
            match stop {
                Stop::Line => input.consume_line(count),
                Stop::Unknown => {
                    input.consume(count);
                    self.first_unknown = Some(input.error_at(input.offset(), Format::Rle, ""));
                }
                stop => {
                    input.consume(count);
                    return Ok(stop);
                }
            }
        }
    }

    /// Reads as many whole rows as are at hand in `input`, if those are many, by all cores; false where nothing was
    /// read, since there is something else than plain data first.
    pub(super) fn share_from(&mut self, input: &mut Input<'_>) -> Result<bool, PatternError> {
        if input.offset() < self.alone_until || self.count > 0 {
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
        let (mut at, mut lines, mut line_start) = (0, 0, 0);
        while at < text.len() {
            let (count, stop) = self.read(&text[at..], text.len() - at);
            at += count;
            match stop {
                Stop::Bytes => {}
                Stop::Line => (lines, line_start) = (lines + 1, at),
                _ => return None,
            }
        }
        Some(Piece { scan: self, length: text.len(), lines, of_last_line: text.len() - line_start })
    }

    /// Reads the first `usable` of `bytes`, of which the others only tell what these mean; gives how many it read, and
    /// why no more.
    fn read(&mut self, bytes: &[u8], usable: usize) -> (usize, Stop) {
        let mut at = 0;
        while at < usable {
            let (count, result) = self.quick(&bytes[at..usable]);
            at += count;
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
                    return (at + 1, Stop::Line);
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

    /// Reads as many of `bytes` as are counts and symbols of one letter; gives how many, and why the next one has no
    /// place. What it leaves is for [`Self::read`].
    #[inline]
    fn quick(&mut self, bytes: &[u8]) -> (usize, Result<(), CellsError>) {
        let (count, result) = match self.highest {
            0..=1 => self.words::<1>(bytes),
            2..=3 => self.words::<2>(bytes),
            _ => self.words::<5>(bytes),
        };
        if count > 0 {
            (self.fresh, self.begun) = (false, true);
        }
        (count, result)
    }

    /// [`Self::quick`], for `P` planes. Hardly a branch depends on the data: whether a byte is a digit or a symbol is
    /// as good as random in a soup, and each wrong guess of the processor would cost more than all else.
    fn words<const P: usize>(&mut self, bytes: &[u8]) -> (usize, Result<(), CellsError>) {
        let classes = const { &Class::<P>::ALL };
        // What was read up to here is in the painter, `x` and `count`.
        let mut stored = 0;
        let mut at = 0;
        loop {
            match self.painter.open(self.x, self.y) {
                Ok(true) => {}
                Ok(false) => return (stored, Ok(())),
                Err(error) => return (stored, Err(error)),
            }
            let mut bit = self.x.rem_euclid(TILE_SIDE).unsigned_abs();
            let left = self.x - bit as i64;
            let mut planes = [0; P];
            let mut count = self.count;
            // More than any count where one begins with 0 or is too long.
            let mut strange = 0;
            let mut long_run = None;
            while let Some(&byte) = bytes.get(at) {
                let class = &classes[usize::from(byte)];
                let grown = 10 * count + class.digit;
                let length = count.max(1) & !class.counts;
                strange |= grown.wrapping_sub(1) & class.counts;
                if bit + length + class.stop > 63 {
                    if class.stop == 0 {
                        long_run = Some((length as i64, class.state));
                    }
                    break;
                }
                let mask = ((1 << length) - 1) << bit;
                for (word, plane) in planes.iter_mut().zip(class.planes) {
                    *word |= mask & plane;
                }
                bit += length;
                count = grown & class.counts;
                at += 1;
            }
            if strange >= MAX_COUNT {
                return (stored, Ok(()));
            }
            self.painter.add(&planes);
            (self.x, self.count, stored) = (left + bit as i64, count, at);
            let Some((length, state)) = long_run else { return (stored, Ok(())) };
            if let Err(error) = self.painter.run(self.x, self.y, length, state) {
                return (stored, Err(error));
            }
            at += 1;
            (self.x, self.count, stored) = (self.x.saturating_add(length), 0, at);
        }
    }

    /// The count before the symbol at hand, 1 when there is none.
    #[inline]
    fn take_count(&mut self) -> i64 {
        let count = std::mem::take(&mut self.count).max(1);
        i64::try_from(count).expect("counts have 32 bits")
    }
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
    let mut before = bytes;
    while let Some(at) = before.iter().rposition(|byte| *byte == b'$') {
        before = &before[..at];
        let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let count = before[at - digits..].iter().take(10);
        let count = count.fold(0, |count, digit| 10 * count + i64::from(digit - b'0'));
        rows = rows.saturating_add(count.max(1));
    }
    rows
}
