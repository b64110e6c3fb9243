//! The CPU engine: the rule's kernel on 64-cell words, one thread, row after row.
//!
//! ```text
//! plane p, row y, word i: cells x = field.x + 64 i … + 63, lowest bit leftmost; bits past the width are 0
//! ```
//!
//! The unbounded plane is a rectangle ([`Extent`]) that is taken anew, larger, before life reaches its edge.
//! Knows the kernels, but neither its WGSL nor the GPU. Known limit: every cell is worked on in every generation.

use std::sync::Arc;

use super::{Cancel, Edit, Engine, EngineError, EngineKind, PlaneRows, check_board, check_rule, make_room};
use crate::board::{Board, Cells, Extent, Tally, Topology};
use crate::cell::{DEAD, State};
use crate::coin::coin_word;
use crate::coords::{Coords, Rect, to_index};
use crate::rule::circuit::{CellInput, Circuit, Gate, Row, background_word};
use crate::rule::walk::{Walk, Window};
use crate::rule::{Kernel, Rule};

/// The most memory that both generations of a board may take, bytes.
const MAX_BYTES: u64 = 16 << 30;
/// Words that a gate works on at a time: all values of a circuit stay in the first-level cache.
const BLOCK: usize = 64;
/// Rows after which the time is looked at.
const ROWS_PER_LOOK: i64 = 64;

/// The most bit planes of any encoding.
const STATE_PLANES: usize = 8;

type Block = [u64; BLOCK];

/// Runs the kernel of a rule over dense bit planes.
pub struct CpuEngine {
    rule: Rule,
    kernel: Arc<Kernel>,
    field: Rect,
    /// Words of a row of one plane.
    words: usize,
    /// The planes of this generation, each row after row.
    front: Vec<Vec<u64>>,
    /// The planes of the next generation, done down to row `done_rows`.
    back: Vec<Vec<u64>>,
    done_rows: i64,
    /// Generations that can be stepped before life could leave the field; 0 when that is to be worked out.
    room: u64,
    background: State,
    generation: u64,
    seed: u64,
}

impl CpuEngine {
    /// A CPU engine for `rule`, holding an empty board.
    pub fn new(rule: &Rule) -> Result<Self, EngineError> {
        check_rule(rule)?;
        let mut engine = Self {
            rule: rule.clone(),
            kernel: rule.kernel()?,
            field: Rect::default(),
            words: 0,
            front: Vec::new(),
            back: Vec::new(),
            done_rows: 0,
            room: 0,
            background: DEAD,
            generation: 0,
            seed: 0,
        };
        engine.load(&Board::empty(rule.topology()))?;
        Ok(engine)
    }

    /// Bits of the last word of a row that are cells.
    fn last_mask(&self) -> u64 {
        match self.field.width % 64 {
            0 => u64::MAX,
            used => (1 << used) - 1,
        }
    }

    /// The word of row `y` (of the field, from 0) of a plane of this generation.
    fn row(&self, plane: usize, y: i64) -> &[u64] {
        let start = to_index(y) * self.words;
        &self.front[plane][start..start + self.words]
    }

    /// The binary state planes of word `word` of row `y`, XOR the background's, cut to the cells of the field. Planes
    /// that the rule has no use for are 0.
    fn stored_words(&self, y: i64, word: usize) -> [u64; STATE_PLANES] {
        let mut planes = [0; STATE_PLANES];
        let used = self.kernel.planes();
        for (plane, bits) in planes[..used].iter_mut().enumerate() {
            *bits = self.front[plane][to_index(y) * self.words + word];
        }
        let mut binary = [0; STATE_PLANES];
        let stored = self.kernel.state_planes();
        if planes[..used].iter().all(|&bits| bits == 0) && self.background == DEAD {
            return binary;
        }
        self.kernel.encoding().decode(&planes[..used], &mut binary[..stored]);
        let inside = if word + 1 == self.words { self.last_mask() } else { u64::MAX };
        for (plane, bits) in binary[..stored].iter_mut().enumerate() {
            if self.background >> plane & 1 == 1 {
                *bits = !*bits;
            }
            *bits &= inside;
        }
        binary
    }

    /// Works out rows of the next generation from where the last call ended, until `cancel` is due; whether all are.
    fn step_rows(&mut self, cancel: &Cancel) -> bool {
        let mut back = std::mem::take(&mut self.back);
        let mut y = self.done_rows;
        let mut stepper: Box<dyn Stepper> = match self.kernel.as_ref() {
            Kernel::Circuit(circuit) => Box::new(CircuitStepper::new(self, circuit, y)),
            Kernel::Walk(walk) => Box::new(WalkStepper::new(self, walk, y)),
        };
        while y < self.field.height {
            stepper.row(y, &mut back);
            y += 1;
            if y % ROWS_PER_LOOK == 0 && cancel.is_due() {
                break;
            }
        }
        drop(stepper);
        self.back = back;
        self.done_rows = y;
        y >= self.field.height
    }

    /// The cell at (x, y) of the field, which may be some cells beyond its edge, as plane bits.
    fn code_at(&self, x: i64, y: i64) -> u64 {
        let (at, outside) = match self.rule.topology() {
            Topology::Unbounded => {
                let inside = x >= 0 && y >= 0 && x < self.field.width && y < self.field.height;
                (inside.then_some(Coords::new(x, y)), self.background)
            }
            topology => (topology.locate(Coords::new(x, y)), DEAD),
        };
        let Some(at) = at else { return u64::from(self.kernel.encoding().code(outside)) };
        (0..self.kernel.planes()).fold(0, |code, plane| {
            let word = self.row(plane, at.y)[to_index(at.x / 64)];
            code | (word >> (at.x % 64) & 1) << plane
        })
    }

    /// The planes of row `y`, which may be one beyond the field. Rows beyond are put together cell by cell where
    /// edges are glued, since each cell may come from elsewhere.
    fn row_beyond(&self, y: i64) -> Vec<Vec<u64>> {
        let mut planes = vec![vec![0; self.words]; self.kernel.planes()];
        for x in 0..self.field.width {
            let code = self.code_at(x, y);
            for (plane, words) in planes.iter_mut().enumerate() {
                words[to_index(x / 64)] |= (code >> plane & 1) << (x % 64);
            }
        }
        planes
    }

    /// Gives the words of row `y`, which may be one beyond the field, to `take`: plane, number, and the words before, at and
    /// after that place.
    fn each_word(&self, y: i64, mut take: impl FnMut(usize, usize, [u64; 3])) {
        let (width, height, words) = (self.field.width, self.field.height, self.words);
        let ghosts = [-2, -1, width, width + 1].map(|x| self.code_at(x, y));
        let inside = (0..height).contains(&y);
        let plain = match self.rule.topology() {
            Topology::Torus { .. } => Some(y.rem_euclid(height)),
            _ => inside.then_some(y),
        };
        let glued = !matches!(self.rule.topology(), Topology::Unbounded | Topology::Plane { .. });
        let beyond = (plain.is_none() && glued).then(|| self.row_beyond(y));
        for plane in 0..self.kernel.planes() {
            let [far_left, left, right, far_right] = ghosts.map(|code| code >> plane & 1);
            let outside = background_word(self.kernel.encoding(), self.background, plane);
            let row: Option<&[u64]> = match &beyond {
                Some(planes) => Some(&planes[plane]),
                None => plain.map(|y| self.row(plane, y)),
            };
            let word = |i: usize| row.map_or(outside, |row| row[i]);
            let tail = width % 64;
            let (mut before, mut here) = (far_left << 62 | left << 63, word(0));
            for i in 0..words {
                let mut after = if i + 1 < words { word(i + 1) } else { right | far_right << 1 };
                if tail == 1 && i + 2 == words {
                    // Two cells further is beyond the board already.
                    after |= right << 1;
                }
                let mut centre = here;
                if tail != 0 && i + 1 == words {
                    // In a word that is not full the cells right of the board stand right of the last one.
                    centre = here & ((1 << tail) - 1) | after << tail;
                    after >>= 64 - tail;
                }
                take(plane, i, [before, centre, after]);
                (before, here) = (centre, after);
            }
        }
    }

    /// The coins of word `word` of row `y`.
    fn coins(&self, y: i64, word: usize, toss: u32) -> u64 {
        let at = self.field.x / 32 + 2 * i64::try_from(word).expect("a word of a row");
        let half = |n| u64::from(coin_word(self.seed, self.generation, at + n, self.field.y + y, toss));
        half(1) << 32 | half(0)
    }
}

impl Engine for CpuEngine {
    fn kind(&self) -> EngineKind {
        EngineKind::Cpu
    }

    fn rule(&self) -> &Rule {
        &self.rule
    }

    fn load(&mut self, board: &Board) -> Result<(), EngineError> {
        check_board(&self.rule, board)?;
        let field =
            board.topology.bounds().unwrap_or_else(|| Extent::around(board.cells.bounding_box()).rect());
        let words = u64::try_from(field.width).unwrap_or(0).div_ceil(64);
        let planes = self.kernel.planes() as u64;
        let bytes = u128::from(words) * u128::from(field.height.unsigned_abs()) * u128::from(16 * planes);
        if bytes > u128::from(MAX_BYTES) {
            return Err(EngineError::TooLarge {
                width: field.width,
                height: field.height,
                reason: format!(
                    "it takes {} GiB, and the cpu engine takes at most {}",
                    bytes >> 30,
                    MAX_BYTES >> 30
                ),
            });
        }
        let words = usize::try_from(words).expect("checked against the memory limit");
        let size = words * to_index(field.height);
        self.field = field;
        self.words = words;
        self.background = board.background;
        self.generation = board.generation;
        self.seed = board.seed;
        (self.done_rows, self.room) = (0, 0);
        let (encoding, last) = (self.kernel.encoding(), self.last_mask());
        self.front = (0..self.kernel.planes())
            .map(|p| vec![background_word(encoding, board.background, p); size])
            .collect();
        // Tails of rows are 0, whatever the background.
        if last != u64::MAX {
            for plane in &mut self.front {
                plane.iter_mut().skip(words - 1).step_by(words).for_each(|word| *word &= last);
            }
        }
        let mut binary = vec![0; self.kernel.state_planes()];
        let mut coded = vec![0; self.kernel.planes()];
        for (corner, tile) in board.cells.tiles() {
            let word = to_index((corner.x - field.x) / 64);
            for (row, y) in (0..64).zip(corner.y - field.y..) {
                if y < 0 || y >= field.height {
                    continue;
                }
                for (plane, bits) in binary.iter_mut().enumerate() {
                    *bits =
                        tile.row(plane, row) ^ if board.background >> plane & 1 == 1 { u64::MAX } else { 0 };
                }
                self.kernel.encoding().encode(&binary, &mut coded);
                let inside = if word + 1 == words { last } else { u64::MAX };
                for (plane, bits) in coded.iter().enumerate() {
                    self.front[plane][to_index(y) * words + word] = bits & inside;
                }
            }
        }
        self.back = vec![vec![0; size]; self.kernel.planes()];
        Ok(())
    }

    fn step(&mut self, generations: u64, cancel: &Cancel) -> Result<u64, EngineError> {
        let mut done = 0;
        while done < generations {
            if self.room == 0 {
                self.room = make_room(self, u64::MAX)?;
            }
            if !self.step_rows(cancel) {
                return Ok(done);
            }
            self.done_rows = 0;
            std::mem::swap(&mut self.front, &mut self.back);
            self.background = self.rule.background_next(self.background, self.generation);
            self.generation += 1;
            done += 1;
            self.room -= 1;
            if cancel.is_due() {
                break;
            }
        }
        Ok(done)
    }

    fn generation(&self) -> u64 {
        self.generation
    }

    fn background(&self) -> State {
        self.background
    }

    fn tally(&mut self) -> Result<Tally, EngineError> {
        let states = usize::from(self.rule.states());
        let mut populations = vec![0u64; (1 << self.kernel.state_planes()) - 1];
        let mut bounds = Rect::default();
        for y in 0..self.field.height {
            for word in 0..self.words {
                let binary = self.stored_words(y, word);
                let living = binary.iter().fold(0, |all, bits| all | bits);
                if living == 0 {
                    continue;
                }
                let x = self.field.x + 64 * i64::try_from(word).expect("a word of a row");
                let (first, last) =
                    (i64::from(living.trailing_zeros()), 63 - i64::from(living.leading_zeros()));
                bounds = bounds.union(Rect::new(x + first, self.field.y + y, last - first + 1, 1));
                for (stored, population) in (1usize..).zip(&mut populations) {
                    let planes = &binary[..self.kernel.state_planes()];
                    let cells = planes.iter().enumerate().fold(living, |cells, (p, bits)| {
                        cells & if stored >> p & 1 == 1 { *bits } else { !bits }
                    });
                    *population += u64::from(cells.count_ones());
                }
            }
        }
        if self.background == DEAD {
            populations.truncate(states - 1);
        }
        Ok(Tally { populations, bounding_box: (!bounds.is_empty()).then_some(bounds) })
    }

    fn read(&mut self, area: Rect) -> Result<Cells, EngineError> {
        let area = area.intersection(self.field);
        let mut cells = Cells::new();
        if area.is_empty() {
            return Ok(cells);
        }
        let first = to_index((area.x - self.field.x) / 64);
        let last = to_index((area.right() - 1 - self.field.x) / 64);
        let x = self.field.x + 64 * i64::try_from(first).expect("a word of a row");
        for y in area.y..area.bottom() {
            let row: Vec<[u64; STATE_PLANES]> =
                (first..=last).map(|word| self.stored_words(y - self.field.y, word)).collect();
            for plane in 0..self.kernel.state_planes() {
                cells.put_words(plane, x, y, row.iter().map(|binary| binary[plane]));
            }
        }
        Ok(cells.clipped(area))
    }

    fn field(&self) -> Rect {
        self.field
    }

    fn write(&mut self, edits: &[Edit]) -> Result<(), EngineError> {
        let unbounded = self.rule.topology() == Topology::Unbounded;
        if unbounded && edits.iter().any(|edit| !self.field.contains(edit.at)) {
            // Take a field that holds the edits too.
            let mut board = self.snapshot()?;
            for edit in edits {
                board.cells.set(edit.at, edit.state ^ board.background)?;
            }
            return self.load(&board);
        }
        (self.done_rows, self.room) = (0, 0);
        for edit in edits.iter().filter(|edit| self.field.contains(edit.at)) {
            let (x, y) = (edit.at.x - self.field.x, edit.at.y - self.field.y);
            let code = self.kernel.encoding().code(edit.state);
            let (word, bit) = (to_index(y) * self.words + to_index(x / 64), 1u64 << (x % 64));
            for (plane, words) in self.front.iter_mut().enumerate() {
                if code >> plane & 1 == 1 {
                    words[word] |= bit;
                } else {
                    words[word] &= !bit;
                }
            }
        }
        Ok(())
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn plane_rows(&self) -> Option<PlaneRows<'_>> {
        Some(PlaneRows { field: self.field, words: self.words, planes: &self.front })
    }
}

/// Works out row after row of the next generation.
trait Stepper {
    /// Works out row `y` of the next generation into `back`; rows are asked for one after another.
    fn row(&mut self, y: i64, back: &mut [Vec<u64>]);
}

/// Walks down the rows of a field: keeps the features of three rows and the values of the gates of one block.
struct CircuitStepper<'a> {
    engine: &'a CpuEngine,
    circuit: &'a Circuit,
    blocks: usize,
    /// Features of the rows above, here and below: feature-major, `blocks` blocks each.
    rows: [Vec<Block>; 3],
    /// Each plane of a row shifted by −2 to 2 cells, `blocks` blocks each.
    shifted: Vec<Vec<Block>>,
    /// Values of the gates of the block at work.
    values: Vec<Block>,
    /// Input blocks that are the same for the whole board or row.
    parity_x: Block,
    zeros: Block,
    ones: Block,
    coins: Vec<Block>,
}

impl<'a> CircuitStepper<'a> {
    /// Begins at row `y`: with the features of the row above it and of itself.
    fn new(engine: &'a CpuEngine, circuit: &'a Circuit, y: i64) -> Self {
        let blocks = engine.words.div_ceil(BLOCK);
        let features = vec![[0; BLOCK]; circuit.row.outputs.len() * blocks];
        let gates = circuit.cell.gates.len().max(circuit.row.gates.len());
        let mut stepper = Self {
            engine,
            blocks,
            rows: [features.clone(), features.clone(), features],
            shifted: vec![vec![[0; BLOCK]; blocks]; 5 * circuit.planes()],
            values: vec![[0; BLOCK]; gates],
            // The field's left column is at an even x.
            parity_x: [0xAAAA_AAAA_AAAA_AAAA; BLOCK],
            zeros: [0; BLOCK],
            ones: [u64::MAX; BLOCK],
            coins: vec![[0; BLOCK]; crate::coin::MAX_TOSSES as usize],
            circuit,
        };
        stepper.load_row(1, y - 1);
        stepper.load_row(2, y);
        stepper
    }

    /// Works out the features of row `y`, which may be one beyond the field, into slot `slot`.
    fn load_row(&mut self, slot: usize, y: i64) {
        let shifted = &mut self.shifted;
        self.engine.each_word(y, |plane, i, [before, centre, after]| {
            let (block, lane) = (i / BLOCK, i % BLOCK);
            let shifts = [
                centre << 2 | before >> 62,
                centre << 1 | before >> 63,
                centre,
                centre >> 1 | after << 63,
                centre >> 2 | after << 62,
            ];
            for (shift, word) in shifts.into_iter().enumerate() {
                shifted[5 * plane + shift][block][lane] = word;
            }
        });
        let program = &self.circuit.row;
        for block in 0..self.blocks {
            for (g, gate) in program.gates.iter().enumerate() {
                let (earlier, later) = self.values.split_at_mut(g);
                let input = |value: usize| {
                    if value < program.inputs {
                        &self.shifted[value][block]
                    } else {
                        &earlier[value - program.inputs]
                    }
                };
                run_gate(*gate, input, &mut later[0]);
            }
            for (feature, &value) in program.outputs.iter().enumerate() {
                self.rows[slot][feature * self.blocks + block] = if value < program.inputs {
                    self.shifted[value][block]
                } else {
                    self.values[value - program.inputs]
                };
            }
        }
    }

    /// Tosses the coins of a block, for the words in which some cell needs one.
    fn toss(&mut self, block: usize, y: i64) {
        let engine = self.engine;
        let Some(tosses) = self.circuit.tosses else { return };
        // A mask that is an input, not a gate, says that it is not worth to be asked.
        let mask = tosses.checked_sub(self.circuit.cell.inputs).map_or(self.ones, |gate| self.values[gate]);
        for (toss, coins) in (0..).zip(&mut self.coins) {
            if !self.circuit.cell_inputs.contains(&CellInput::Coin(toss)) {
                continue;
            }
            for (lane, coins) in coins.iter_mut().enumerate() {
                if mask[lane] != 0 {
                    *coins = engine.coins(y, block * BLOCK + lane, toss);
                }
            }
        }
    }
}

impl Stepper for CircuitStepper<'_> {
    fn row(&mut self, y: i64, back: &mut [Vec<u64>]) {
        self.rows.rotate_left(1);
        self.load_row(2, y + 1);
        let engine = self.engine;
        let odd = |value: i64| value.rem_euclid(2) == 1;
        let parity_y = odd(engine.field.y + y);
        let parity_generation = engine.generation % 2 == 1;
        let circuit = self.circuit;
        let program = &circuit.cell;
        for block in 0..self.blocks {
            for (g, gate) in program.gates.iter().enumerate() {
                if g == circuit.coin_free && circuit.uses_coins() {
                    self.toss(block, y);
                }
                let (earlier, later) = self.values.split_at_mut(g);
                let uniform = |on: bool| if on { &self.ones } else { &self.zeros };
                let input = |value: usize| {
                    let Some(&input) = circuit.cell_inputs.get(value) else {
                        return &earlier[value - program.inputs];
                    };
                    match input {
                        CellInput::Feature(row, feature) => {
                            let row = match row {
                                Row::Above => 0,
                                Row::Here => 1,
                                Row::Below => 2,
                            };
                            &self.rows[row][feature * self.blocks + block]
                        }
                        CellInput::ParityX => &self.parity_x,
                        CellInput::ParityY => uniform(parity_y),
                        CellInput::ParityGeneration => uniform(parity_generation),
                        CellInput::Coin(toss) => &self.coins[toss as usize],
                    }
                };
                run_gate(*gate, input, &mut later[0]);
            }
            let first = block * BLOCK;
            let count = BLOCK.min(engine.words - first);
            for (plane, &value) in program.outputs.iter().enumerate() {
                let start = to_index(y) * engine.words + first;
                let given = match circuit.cell_inputs.get(value) {
                    // An output that is an input: a plane that never changes.
                    Some(CellInput::Feature(_, feature)) => &self.rows[1][feature * self.blocks + block],
                    Some(_) => &self.zeros,
                    None => &self.values[value - program.inputs],
                };
                back[plane][start..start + count].copy_from_slice(&given[..count]);
                if first + count == engine.words {
                    back[plane][start + count - 1] &= engine.last_mask();
                }
            }
        }
    }
}

/// Walks down the rows of a field and through the rule's diagram: keeps the words of three rows.
struct WalkStepper<'a> {
    engine: &'a CpuEngine,
    walk: &'a Walk,
    /// The rows above, here and below: for each word what stands in it and beside it.
    rows: [Vec<Window>; 3],
}

impl<'a> WalkStepper<'a> {
    /// Begins at row `y`: with the words of the row above it and of itself.
    fn new(engine: &'a CpuEngine, walk: &'a Walk, y: i64) -> Self {
        let row = vec![Window::default(); engine.words];
        let mut stepper = Self { engine, walk, rows: [row.clone(), row.clone(), row] };
        stepper.load_row(1, y - 1);
        stepper.load_row(2, y);
        stepper
    }

    fn load_row(&mut self, slot: usize, y: i64) {
        let row = &mut self.rows[slot];
        self.engine.each_word(y, |plane, i, words| row[i][plane] = words);
    }
}

impl Stepper for WalkStepper<'_> {
    fn row(&mut self, y: i64, back: &mut [Vec<u64>]) {
        self.rows.rotate_left(1);
        self.load_row(2, y + 1);
        let engine = self.engine;
        let odd_row = (engine.field.y + y).rem_euclid(2) == 1;
        let odd_generation = engine.generation % 2 == 1;
        let start = to_index(y) * engine.words;
        for i in 0..engine.words {
            let windows = self.rows.each_ref().map(|row| row[i]);
            let coins =
                if self.walk.uses_coins() { [0, 1].map(|toss| engine.coins(y, i, toss)) } else { [0; 2] };
            let next = self.walk.next_word(&windows, odd_row, odd_generation, coins);
            let inside = if i + 1 == engine.words { engine.last_mask() } else { u64::MAX };
            for (plane, bits) in back.iter_mut().zip(next) {
                plane[start + i] = bits & inside;
            }
        }
    }
}

fn run_gate<'b>(gate: Gate, input: impl Fn(usize) -> &'b Block, out: &mut Block) {
    let [a, b, c] = gate.inputs;
    GATES[usize::from(gate.lut)](input(a), input(b), input(c), out);
}

type GateFunction = fn(&Block, &Block, &Block, &mut Block);

/// A two-input function on words: bit 2b + c of `lut`.
#[inline(always)]
#[expect(clippy::inline_always, reason = "a constant table: it must vanish in the loop of `gate`")]
const fn two(lut: u8, b: u64, c: u64) -> u64 {
    match lut & 15 {
        0 => 0,
        1 => !(b | c),
        2 => !b & c,
        3 => !b,
        4 => b & !c,
        5 => !c,
        6 => b ^ c,
        7 => !(b & c),
        8 => b & c,
        9 => !(b ^ c),
        10 => c,
        11 => !b | c,
        12 => b,
        13 => b | !c,
        14 => b | c,
        _ => u64::MAX,
    }
}

/// One gate on a block: what it is when a is 0, and where a turns it.
fn gate<const LUT: u8>(a: &Block, b: &Block, c: &Block, out: &mut Block) {
    for i in 0..BLOCK {
        let plain = two(LUT, b[i], c[i]);
        let turned = two(LUT ^ LUT >> 4, b[i], c[i]);
        out[i] = plain ^ (a[i] & turned);
    }
}

macro_rules! sixteen {
    ($high:literal) => {
        [
            gate::<{ $high * 16 }>,
            gate::<{ $high * 16 + 1 }>,
            gate::<{ $high * 16 + 2 }>,
            gate::<{ $high * 16 + 3 }>,
            gate::<{ $high * 16 + 4 }>,
            gate::<{ $high * 16 + 5 }>,
            gate::<{ $high * 16 + 6 }>,
            gate::<{ $high * 16 + 7 }>,
            gate::<{ $high * 16 + 8 }>,
            gate::<{ $high * 16 + 9 }>,
            gate::<{ $high * 16 + 10 }>,
            gate::<{ $high * 16 + 11 }>,
            gate::<{ $high * 16 + 12 }>,
            gate::<{ $high * 16 + 13 }>,
            gate::<{ $high * 16 + 14 }>,
            gate::<{ $high * 16 + 15 }>,
        ]
    };
}

const fn joined(parts: &[[GateFunction; 16]; 16]) -> [GateFunction; 256] {
    let mut all = [parts[0][0]; 256];
    let mut index = 0;
    while index < 256 {
        all[index] = parts[index / 16][index % 16];
        index += 1;
    }
    all
}

/// One compiled loop for each truth table.
static GATES: [GateFunction; 256] = joined(&[
    sixteen!(0),
    sixteen!(1),
    sixteen!(2),
    sixteen!(3),
    sixteen!(4),
    sixteen!(5),
    sixteen!(6),
    sixteen!(7),
    sixteen!(8),
    sixteen!(9),
    sixteen!(10),
    sixteen!(11),
    sixteen!(12),
    sixteen!(13),
    sixteen!(14),
    sixteen!(15),
]);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::circuit::apply;

    #[test]
    fn every_gate_function_is_its_truth_table() {
        let word = |seed: u32| {
            let [a, b, ..] = crate::coin::philox4x32_10([seed, 0, 0, 0], [1, 2]);
            u64::from(a) << 32 | u64::from(b)
        };
        let block =
            |from: u32| -> Block { std::array::from_fn(|i| word(from + u32::try_from(i).expect("small"))) };
        let (a, b, c) = (block(0), block(100), block(200));
        for (lut, gate) in (0..=u8::MAX).zip(GATES) {
            let mut out = [0xDEAD; BLOCK];
            gate(&a, &b, &c, &mut out);
            for i in 0..BLOCK {
                assert_eq!(out[i], apply(lut, a[i], b[i], c[i]), "truth table {lut:#x}, word {i}");
            }
        }
    }
}
