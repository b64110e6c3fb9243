//! The data of an RLE, written from bit planes: runs are looked up by their length, gathered as one line, and broken
//! into lines afterwards.

use std::io::{self, Write};

use super::super::error::PatternError;
use super::super::refuse_alien_states;
use super::LETTERS;
use crate::board::{Cells, MAX_PLANES, TILE_ROWS, TILE_SIDE, Tile};
use crate::cell::{DEAD, State};
use crate::coords::Rect;

/// The longest line that is written, characters.
const LINE_WIDTH: usize = 70;
/// The numbers of all bit planes.
const ALL_PLANES: [usize; MAX_PLANES] = [0, 1, 2, 3, 4, 5, 6, 7];
/// Bytes of text that are gathered before they are written.
const GATHERED: usize = 1 << 16;
/// More bytes than the ends of rows and the runs of one word take.
const OF_A_WORD: usize = 512;
/// Runs of fewer cells are looked up.
const LISTED: usize = 1000;

/// Up to seven characters: in the bytes of a number from the lowest on, and how many in the highest.
type Piece = u64;

/// The characters `text` as a piece.
fn piece(text: &[u8]) -> Piece {
    let mut bytes = [0; 8];
    bytes[..text.len()].copy_from_slice(text);
    u64::from_le_bytes(bytes) | (text.len() as u64) << 56
}

/// How a cell of each state is written, and of each that is `states` states XOR a background.
fn symbols(states: u16) -> Vec<Vec<u8>> {
    let symbol = |state| match state {
        DEAD => vec![if states <= 2 { b'b' } else { b'.' }],
        1 if states <= 2 => vec![b'o'],
        1..=LETTERS => vec![b'A' + state - 1],
        _ => vec![b'o' + (state - 1) / LETTERS, b'A' + (state - 1) % LETTERS],
    };
    (DEAD..=State::MAX).take(usize::from(states.next_power_of_two())).map(symbol).collect()
}

/// Data being written.
pub(super) struct Data<'a> {
    out: &'a mut dyn Write,
    /// What is gathered are the bytes before `at`, as one line without an end.
    text: Box<[u8]>,
    at: usize,
    /// What goes to `out` next, in lines.
    lines: Vec<u8>,
    /// How each state is written, and runs of each state by their length.
    symbols: Vec<Vec<u8>>,
    runs: Vec<[Piece; LISTED]>,
    frame: Rect,
    /// The row that is being written.
    row: i64,
    states: u16,
    /// Cells are kept as their state XOR this one.
    background: State,
}

/// Cells of one state, of which the end is looked for.
#[derive(Clone, Copy)]
struct Run {
    /// Its first column.
    from: i64,
    state: State,
}

impl<'a> Data<'a> {
    pub(super) fn new(out: &'a mut dyn Write, frame: Rect, states: u16, background: State) -> Self {
        let symbols = symbols(states);
        let mut runs = vec![[0; LISTED]; symbols.len()];
        for count in 1..LISTED {
            let digits = if count == 1 { String::new() } else { count.to_string() };
            for (runs, symbol) in runs.iter_mut().zip(&symbols) {
                runs[count] = piece(&[digits.as_bytes(), symbol].concat());
            }
        }
        let text = vec![0; GATHERED + OF_A_WORD].into();
        let lines = Vec::with_capacity(GATHERED + GATHERED / 32);
        Self { out, text, at: 0, lines, symbols, runs, frame, row: frame.y, states, background }
    }

    /// Writes the rows of `cells`, from bit planes: a run ends where any plane changes.
    pub(super) fn band(&mut self, cells: &Cells) -> Result<(), PatternError> {
        refuse_alien_states(cells, self.states, self.background)?;
        for (top, tiles) in cells.bands() {
            // For each row, which tiles have life in it: where life is sparse, most have none.
            let mut living = vec![0; TILE_ROWS * tiles.len()];
            let mut lengths = [0; TILE_ROWS];
            for (index, (_, tile)) in tiles.iter().enumerate() {
                for (row, word) in tile.living_rows().into_iter().enumerate() {
                    // Without a branch, which would often be guessed wrong.
                    living[row * tiles.len() + lengths[row]] = index;
                    lengths[row] += usize::from(word != 0);
                }
            }
            for ((row, y), living) in (0..TILE_ROWS).zip(top..).zip(living.chunks(tiles.len())) {
                if lengths[row] > 0 {
                    let living = living[..lengths[row]].iter().map(|index| tiles[*index]);
                    self.row(y, living.map(|(x, tile)| (x, tile, row)))?;
                }
            }
        }
        Ok(())
    }

    /// Writes row `y`, of which each word that lives is a row of a tile from column x on.
    fn row<'b>(&mut self, y: i64, words: impl Iterator<Item = (i64, &'b Tile, usize)>) -> io::Result<()> {
        self.symbol(y - self.row, b"$");
        self.row = y;
        let mut run = Run { from: self.frame.x, state: DEAD };
        let mut end = self.frame.x;
        for (x, tile, row) in words {
            if self.at > GATHERED {
                self.flush()?;
            }
            if x != end && run.state != DEAD {
                self.run(end - run.from, run.state);
                run = Run { from: end, state: DEAD };
            }
            end = x + TILE_SIDE;
            run = match (tile.planes(), run.state) {
                (0..=1, 0..=1) => self.word(run, x, [tile.row(0, row)]),
                (0..=2, 0..=3) => self.word(run, x, [0, 1].map(|plane| tile.row(plane, row))),
                (0..=4, 0..=15) => self.word(run, x, [0, 1, 2, 3].map(|plane| tile.row(plane, row))),
                _ => self.word(run, x, ALL_PLANES.map(|plane| tile.row(plane, row))),
            };
        }
        if run.state != DEAD {
            self.run(end - run.from, run.state);
        }
        Ok(())
    }

    /// Goes on through the 64 cells from column `x` on.
    #[inline]
    fn word<const P: usize>(&mut self, mut run: Run, x: i64, words: [u64; P]) -> Run {
        let mut borders = 0;
        for (plane, word) in words.iter().enumerate() {
            borders |= word ^ (word << 1 | u64::from(run.state >> plane & 1));
        }
        // Kept here, not in memory, from run to run.
        let mut at = self.at;
        while borders != 0 {
            let bit = borders.trailing_zeros();
            borders &= borders - 1;
            let to = x + i64::from(bit);
            let runs = &self.runs[usize::from(run.state)];
            if let Some(run) = usize::try_from(to - run.from).ok().and_then(|count| runs.get(count)) {
                self.text[at..at + 8].copy_from_slice(&run.to_le_bytes());
                at += (run >> 56) as usize;
            } else {
                self.at = at;
                self.run(to - run.from, run.state);
                at = self.at;
            }
            run = Run { from: to, state: DEAD };
            for (plane, word) in words.iter().enumerate() {
                run.state |= u8::from(word >> bit & 1 == 1) << plane;
            }
        }
        self.at = at;
        run
    }

    /// Gathers a run of `count` cells.
    #[cold]
    fn run(&mut self, count: i64, state: State) {
        let symbol = std::mem::take(&mut self.symbols[usize::from(state)]);
        self.symbol(count, &symbol);
        self.symbols[usize::from(state)] = symbol;
    }

    /// Gathers a symbol with its count: nothing for 0, the symbol alone for 1.
    fn symbol(&mut self, count: i64, symbol: &[u8]) {
        let digits = if count > 1 { count.to_string() } else { String::new() };
        let symbol = if count > 0 { symbol } else { &[] };
        for part in [digits.as_bytes(), symbol] {
            self.text[self.at..self.at + part.len()].copy_from_slice(part);
            self.at += part.len();
        }
    }

    /// Writes what is gathered in lines, but for the last one, which may go on.
    fn flush(&mut self) -> io::Result<()> {
        let mut rest = &self.text[..self.at];
        while rest.len() > LINE_WIDTH {
            // A line ends where a symbol does: its last character is neither a digit nor a prefix.
            let ends = |at: &usize| !matches!(rest[at - 1], b'0'..=b'9' | b'p'..=b'y');
            let end = (1..=LINE_WIDTH).rev().find(ends).unwrap_or(LINE_WIDTH);
            self.lines.extend_from_slice(&rest[..end]);
            self.lines.push(b'\n');
            rest = &rest[end..];
        }
        let left = rest.len();
        self.text.copy_within(self.at - left..self.at, 0);
        self.at = left;
        self.out.write_all(&self.lines)?;
        self.lines.clear();
        Ok(())
    }

    /// Writes all that is gathered.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.symbol(1, b"!");
        self.flush()?;
        self.out.write_all(&self.text[..self.at])?;
        self.out.write_all(b"\n")
    }
}
