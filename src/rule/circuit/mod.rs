//! Rules as straight-line boolean programs over three-input gates, run on words of 32 or more cells at once: emitted
//! as WGSL by [`crate::rule::wgsl`], interpreted on CPU words by the `cpu` engine.
//!
//! ```text
//! each plane of one row, shifted by −2 to 2 cells --row program--> features of that row
//! features of the rows above, here and below, parities, coins --cell program--> next planes of the row here
//! ```
//!
//! The row program runs once for each row and serves three of them (a row's three-cell sums are made once). Counting
//! the neighbours is part of the circuit, so a rule that needs no exact count above four doesn't pay for one.
//!
//! The compiler ([`compile`]) tries encodings of the states, sets of cells to count, and orders of asking, and keeps
//! what has the fewest gates. Known limit: rules whose [`table`](crate::rule::table) is too large are refused; they are
//! for [`walk`](crate::rule::walk).

mod compile;
mod decision;
mod net;

use std::fmt;

use thiserror::Error;

pub use compile::compile;

use super::diagram::MAX_ENTRIES;
use super::table::TableError;
use crate::cell::{DEAD, State};
use crate::text::counted;

/// Why a ruleset could not be compiled.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CompileError {
    /// It has no table; see there what to do.
    #[error(transparent)]
    Table(#[from] TableError),
    /// More states than circuits are made for.
    #[error("circuits are for rules of at most {MAX_STATES} states, and this one has {0}")]
    TooManyStates(u16),
    /// Too many cases for a circuit, or for a decision diagram; run it on the oracle.
    #[error("the rule has {0} cases, too many to compile (the oracle engine can run it)")]
    TooManyCases(u64),
    /// Too many different cases for a decision diagram; run it on the oracle.
    #[error(
        "the rule's decision diagram would have more than {MAX_ENTRIES} entries (the oracle engine can run it)"
    )]
    TooManyEntries,
    /// The counts of more species matter than circuits tell apart.
    #[error("circuits count few species apart, and under this rule the counts of {0} matter")]
    TooManySpecies(u16),
}

impl CompileError {
    /// Whether it is only too large for the way that was tried.
    pub const fn is_of_size(&self) -> bool {
        matches!(
            self,
            Self::TooManyStates(_)
                | Self::TooManySpecies(_)
                | Self::TooManyCases(_)
                | Self::TooManyEntries
                | Self::Table(TableError::TooManyCases { .. })
        )
    }
}

/// The most states that circuits are compiled for.
pub const MAX_STATES: u16 = 16;

/// How states are written as plane bits: the code of each state, bit p of it being plane p. The dead state is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoding {
    codes: Vec<u8>,
    planes: usize,
    /// Whether each state is its own code.
    is_binary: bool,
}

impl Encoding {
    /// Codes by state; the first, of the dead state, must be 0, and no two may be equal.
    fn new(codes: Vec<u8>) -> Self {
        let planes = codes.iter().fold(0, |all, code| all | code);
        let is_binary = (0..).zip(&codes).all(|(state, code)| state == usize::from(*code));
        Self { planes: (u8::BITS - planes.leading_zeros()) as usize, codes, is_binary }
    }

    /// State s has the code s.
    pub(super) fn binary(states: u16) -> Self {
        Self::new((0..states).map(|s| u8::try_from(s).expect("at most 256 states")).collect())
    }

    /// Bit 0: alive; above it the species − 1 in binary, 0 for dead cells.
    fn alive_and_species(states: u16) -> Self {
        let code =
            |s: u16| u8::try_from(if s == 0 { 0 } else { (s - 1) << 1 | 1 }).expect("at most 16 states");
        Self::new((0..states).map(code).collect())
    }

    /// Whether plane 0 says who lives, and there are others that say of which species.
    pub(super) fn first_plane_is_life(&self) -> bool {
        self.planes > 1 && (1..).zip(&self.codes[1..]).all(|(species, code)| *code == (species - 1) << 1 | 1)
    }

    /// Bit planes that a cell takes.
    pub const fn planes(&self) -> usize {
        self.planes
    }

    /// Bit planes of plain binary states: plane p is bit p of the state.
    pub const fn state_planes(&self) -> usize {
        (usize::BITS - (self.codes.len() - 1).leading_zeros()) as usize
    }

    /// The plane bits of a state.
    pub fn code(&self, state: State) -> u8 {
        self.codes[usize::from(state)]
    }

    /// The state whose plane bits are `code`; dead for a code that no state has.
    pub fn state(&self, code: u8) -> State {
        let at = if self.is_binary {
            usize::from(code)
        } else {
            self.codes.iter().position(|&c| c == code).unwrap_or(0)
        };
        State::try_from(at).ok().filter(|_| at < self.codes.len()).unwrap_or(DEAD)
    }

    /// Codes by state.
    pub fn codes(&self) -> &[u8] {
        &self.codes
    }

    /// Translates words of binary state planes (plane p: bit p of the state) into words of these planes.
    pub fn encode(&self, binary: &[u64], planes: &mut [u64]) {
        if self.is_binary {
            return planes.copy_from_slice(binary);
        }
        translate(binary, planes, (0u8..).zip(self.codes.iter().copied()));
    }

    /// Translates words of these planes into words of binary state planes; the other way of [`Encoding::encode`].
    pub fn decode(&self, planes: &[u64], binary: &mut [u64]) {
        if self.is_binary {
            return binary.copy_from_slice(planes);
        }
        translate(planes, binary, self.codes.iter().copied().zip(0u8..));
    }
}

/// For each pair of codes: where the cells of `from` have the first, those of `to` get the second.
fn translate(from: &[u64], to: &mut [u64], pairs: impl Iterator<Item = (u8, u8)>) {
    to.fill(0);
    for (source, target) in pairs {
        if target == 0 {
            continue;
        }
        let cells = from
            .iter()
            .enumerate()
            .fold(u64::MAX, |cells, (p, word)| cells & if source >> p & 1 == 1 { *word } else { !word });
        for (p, word) in to.iter_mut().enumerate() {
            if target >> p & 1 == 1 {
                *word |= cells;
            }
        }
    }
}

/// One gate: its value is bit 4a + 2b + c of `lut`, a, b, c being the values of its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The truth table.
    pub lut: u8,
    /// Values that it reads: inputs of the program first, then gates. An input that the table does not look at may
    /// be any.
    pub inputs: [usize; 3],
}

/// A straight-line program: each gate reads only inputs and earlier gates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// How many inputs there are: values 0 … `inputs` − 1.
    pub inputs: usize,
    /// The gates in order: gate g is value `inputs` + g.
    pub gates: Vec<Gate>,
    /// Which values are given back.
    pub outputs: Vec<usize>,
}

/// Which of three rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// The row above (y − 1).
    Above,
    /// The cell's own row.
    Here,
    /// The row below (y + 1).
    Below,
}

/// What the cell program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellInput {
    /// A feature of one of the three rows: an output of the row program.
    Feature(Row, usize),
    /// All cells with odd x.
    ParityX,
    /// All cells when y is odd, else none.
    ParityY,
    /// All cells when the generation is odd, else none.
    ParityGeneration,
    /// The coins of toss n.
    Coin(u32),
}

/// A compiled rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circuit {
    /// How states are written as plane bits.
    pub encoding: Encoding,
    /// Inputs: for each plane its words shifted by dx = −2, −1, 0, 1, 2 (bit x holds the cell x + dx). Outputs: features.
    pub row: Program,
    /// Outputs: the next planes.
    pub cell: Program,
    /// What the inputs of `cell` are.
    pub cell_inputs: Vec<CellInput>,
    /// For rules that toss: which value of `cell` says where coins are needed. The first `coin_free` gates of `cell`
    /// give it and read no coins.
    pub tosses: Option<usize>,
    /// How many gates of `cell` come before coins are needed.
    pub coin_free: usize,
}

impl Circuit {
    /// Gates evaluated for each word of cells: row program and cell program once each.
    pub fn gates(&self) -> usize {
        self.row.gates.len() + self.cell.gates.len()
    }

    /// Bit planes that a cell takes.
    pub const fn planes(&self) -> usize {
        self.encoding.planes()
    }

    /// Bit planes of plain binary states: plane p is bit p of the state.
    pub const fn state_planes(&self) -> usize {
        self.encoding.state_planes()
    }

    /// Whether coins are read.
    pub const fn uses_coins(&self) -> bool {
        self.tosses.is_some()
    }

    /// How many coins are read for a cell.
    pub fn coins(&self) -> u32 {
        self.cell_inputs.iter().map(|input| u32::from(matches!(input, CellInput::Coin(_)))).sum()
    }
}

impl fmt::Display for Circuit {
    /// `21 gates (4 a row + 17), 2 planes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (row, cell) = (self.row.gates.len(), self.cell.gates.len());
        write!(f, "{} gates ({row} a row + {cell}), {}", row + cell, counted(self.planes(), "plane"))
    }
}

impl Program {
    /// Runs the program on words: `values` begins with the inputs and is filled with the gates' values.
    ///
    /// Plain and slow: for checking, and for single words such as the background.
    ///
    /// # Panics
    /// When `values` are not as many as there are inputs.
    pub fn run(&self, values: &mut Vec<u64>) {
        assert_eq!(values.len(), self.inputs, "all inputs are given");
        for gate in &self.gates {
            let [a, b, c] = gate.inputs.map(|input| values[input]);
            values.push(apply(gate.lut, a, b, c));
        }
    }
}

/// A truth table on 64 cells at once.
pub fn apply(lut: u8, a: u64, b: u64, c: u64) -> u64 {
    (0..8u8).filter(|minterm| lut >> minterm & 1 == 1).fold(0, |all, minterm| {
        let pick = |word: u64, bit: u8| if minterm >> bit & 1 == 1 { word } else { !word };
        all | (pick(a, 2) & pick(b, 1) & pick(c, 0))
    })
}

/// The code of the background's next state is what the circuit makes of a plane of the background: a helper for
/// engines that keep planes.
pub fn background_word(encoding: &Encoding, background: State, plane: usize) -> u64 {
    let code = if background == DEAD { 0 } else { encoding.code(background) };
    if code >> plane & 1 == 1 { u64::MAX } else { 0 }
}
