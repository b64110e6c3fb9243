//! One generation of a circuit on columns of words.
//!
//! ```text
//! plane: a spare column, columns 0 … n − 1, a spare column, of `height` words each, aligned to 64 bytes
//! column: a seam, vectors 0 … strip − 1, a seam; each 8 words
//! vector t: word i = 64 cells of row i · strip + t, lowest bit leftmost
//! ```
//!
//! So the rows of a column are cut into eight strips that are worked on side by side. The word left of a word is `height`
//! words before it, and the rows above and below are 8 words before and after it: all that is loaded is aligned as the
//! widest registers want it. Only where strips meet it is otherwise, and there the seams hold the rows beyond
//! ([`sew`]). A segment of a column at a time is worked on: the row program's features of its vectors and of one beyond
//! at both ends, then the cell program. All of it stays in the first-level cache.

use std::collections::TryReserveError;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::gates::{self, Source, Step};
use super::native::{self, BLOCK, Native};
use crate::coin::{MAX_TOSSES, coin_rows, coin_word};
use crate::rule::Kernel;
use crate::rule::circuit::{CellInput, Circuit, Program, Row};
use crate::rule::walk::{MAX_PLANES, Walk, Window};

/// Words that lie in one register, at the most.
pub(super) const VECTOR: usize = 8;
/// Words of a buffer.
const BUFFER_WORDS: usize = SEGMENT_WORDS + 2 * VECTOR;
/// The most planes that compiled functions have.
const MOST_PLANES: usize = 4;
/// Words of a segment at the most. With fewer, starting a gate takes longer than is won in the first-level cache.
const SEGMENT_WORDS: usize = 512;
/// The truth table of the first input.
const COPY: u8 = 0xF0;

/// Eight words that lie as the widest registers want them ([`VECTOR`]).
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Lane([u64; VECTOR]);

/// So many words, aligned.
pub(super) fn lanes(words: usize) -> Vec<Lane> {
    vec![Lane([0; VECTOR]); words.div_ceil(VECTOR)]
}

/// [`lanes`] of the board, for which there may be no memory.
pub(super) fn try_lanes(words: usize) -> Result<Vec<Lane>, TryReserveError> {
    let count = words.div_ceil(VECTOR);
    let mut lanes = Vec::new();
    lanes.try_reserve_exact(count)?;
    lanes.resize(count, Lane([0; VECTOR]));
    Ok(lanes)
}

/// The words of lanes.
pub(super) fn words(lanes: &[Lane]) -> &[u64] {
    bytemuck::cast_slice(lanes)
}

/// The words of lanes, to write.
pub(super) fn words_mut(lanes: &mut [Lane]) -> &mut [u64] {
    bytemuck::cast_slice_mut(lanes)
}

/// The columns at work.
pub(super) struct Columns<'a, 'b> {
    /// The planes of the present generation, with seams.
    pub(super) from: &'a [&'a [u64]],
    /// The planes of the next one.
    pub(super) to: &'a mut [&'b mut [u64]],
    pub(super) shape: Shape,
}

/// How large columns are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Rows of a strip.
    strip: usize,
    /// Columns, without the spare ones.
    pub(super) columns: usize,
}

impl Shape {
    /// So many columns of at least so many rows.
    pub(super) const fn new(columns: usize, rows: usize) -> Self {
        Self { strip: rows.div_ceil(VECTOR).next_multiple_of(BLOCK), columns }
    }

    /// Words of a column.
    const fn height(self) -> usize {
        VECTOR * (self.strip + 2)
    }

    /// Words of a plane.
    pub(super) const fn words(self) -> usize {
        (self.columns + 2) * self.height()
    }

    /// The first word of a column past its seam.
    const fn first(self, column: usize) -> usize {
        (1 + column) * self.height() + VECTOR
    }

    /// The words of a column without its seams.
    pub(super) const fn of_column(self, column: usize) -> Range<usize> {
        let first = self.first(column);
        first..first + self.rows()
    }

    /// Rows of a column.
    pub(super) const fn rows(self) -> usize {
        VECTOR * self.strip
    }

    /// The word of a row, from the first one of its column on.
    const fn word_of(self, row: usize) -> usize {
        VECTOR * (row % self.strip) + row / self.strip
    }

    /// The row of a word.
    const fn row_of(self, word: usize) -> usize {
        word % VECTOR * self.strip + word / VECTOR
    }

    /// Puts rows that lie one after the other into a column.
    pub(super) fn weave(self, rows: &[u64], column: &mut [u64]) {
        gates::weave(&rows[..self.rows()], &mut column[..self.rows()]);
    }

    /// Puts the rows of a column one after the other.
    pub(super) fn unravel(self, column: &[u64], rows: &mut [u64]) {
        gates::unravel(&column[..self.rows()], &mut rows[..self.rows()]);
    }

    /// Fills the seams of all columns of a plane: above the first row of each strip stands the last one of the strip before
    /// it, below the last row the first one of the next. Beyond the first and the last strip all is dead.
    pub(super) fn sew(self, plane: &mut [u64]) {
        for column in 0..self.columns {
            let first = self.first(column);
            let last = first + self.rows() - VECTOR;
            let vector = |at: usize| *plane[at..].first_chunk::<VECTOR>().expect("columns are vectors");
            let ([lasts @ .., _], [_, firsts @ ..]) = (vector(last), vector(first));
            plane[first - VECTOR + 1..][..VECTOR - 1].copy_from_slice(&lasts);
            plane[last + VECTOR..][..VECTOR - 1].copy_from_slice(&firsts);
            plane[first - VECTOR] = 0;
            plane[last + 2 * VECTOR - 1] = 0;
        }
    }
}

/// Where and when the columns are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Column of 32-cell words that column 0 begins at.
    pub(super) word_x: i64,
    /// The y of row 0.
    pub(super) y: i64,
    pub(super) generation: u64,
    pub(super) seed: u64,
    /// 32-cell words of a row, and rows, of a torus on which coins are those of the cell that a ghost stands for.
    pub(super) wraps: Option<(i64, i64)>,
}

impl Place {
    /// The y of a row.
    fn row(&self, row: usize) -> i64 {
        self.y + i64::try_from(row).expect("a row of a scratch board")
    }

    /// The columns of 32-cell words that the two halves of a column's words are tossed as.
    fn halves(&self, column: usize) -> [i64; 2] {
        let first = self.word_x + 2 * i64::try_from(column).expect("a column of a scratch board");
        [first, first + 1].map(|word_x| self.wraps.map_or(word_x, |(words, _)| word_x.rem_euclid(words)))
    }

    /// The y that a row is tossed as.
    fn tossed_row(&self, row: usize) -> i64 {
        self.wraps.map_or(self.row(row), |(_, rows)| self.row(row).rem_euclid(rows))
    }

    /// The coins of the cells of `mask` in row `row` of column `column`.
    fn coins(&self, row: usize, column: usize, toss: u32, mask: u64) -> u64 {
        let [low, high] = self.halves(column);
        let half = |shift: u32, word_x: i64| {
            if mask & 0xFFFF_FFFF << shift == 0 {
                return 0;
            }
            u64::from(coin_word(self.seed, self.generation, word_x, self.tossed_row(row), toss)) << shift
        };
        half(0, low) | half(32, high)
    }

    /// The coins of eight rows of a column.
    fn coins_of_rows(&self, rows: [usize; VECTOR], column: usize, toss: u32) -> [u64; VECTOR] {
        let rows = rows.map(|row| self.tossed_row(row));
        let [low, high] = coin_rows(self.seed, self.generation, self.halves(column), rows, toss);
        std::array::from_fn(|n| u64::from(high[n]) << 32 | u64::from(low[n]))
    }
}

/// A program whose values have got buffers: the outputs' come first.
struct Tape {
    steps: Vec<Step>,
    /// Steps that come before coins are needed.
    early: usize,
    buffers: usize,
    /// Where the value that was to be kept is after the early steps.
    kept: Option<Source>,
}

impl Tape {
    /// Gives each gate a buffer that is free by then. `keep` is a value that is asked for after the first `early` gates.
    fn new(program: &Program, outputs: &[usize], early: usize, keep: Option<usize>) -> Self {
        let gate_of = |value: usize| value.checked_sub(program.inputs);
        let mut last_use = vec![0; program.gates.len()];
        for (at, gate) in program.gates.iter().enumerate() {
            for gate in gate.inputs.iter().copied().filter_map(gate_of) {
                last_use[gate] = at;
            }
        }
        if let Some(gate) = keep.and_then(gate_of) {
            last_use[gate] = last_use[gate].max(early);
        }
        let mut place: Vec<Option<usize>> = vec![None; program.gates.len()];
        let mut copies = Vec::new();
        for (out, &value) in outputs.iter().enumerate() {
            match gate_of(value).map(|gate| (gate, place[gate])) {
                Some((gate, None)) => place[gate] = Some(out),
                Some((_, Some(first))) => copies.push((Source::Buffer(first), out)),
                None => copies.push((Source::Input(value), out)),
            }
        }
        let mut buffers = outputs.len();
        let mut free: Vec<usize> = Vec::new();
        let mut steps: Vec<Step> = Vec::new();
        for (at, gate) in program.gates.iter().enumerate() {
            let out = place[at].unwrap_or_else(|| {
                free.pop().unwrap_or_else(|| {
                    buffers += 1;
                    buffers - 1
                })
            });
            place[at] = Some(out);
            let source = |value: usize| match gate_of(value) {
                Some(gate) => Source::Buffer(place[gate].unwrap_or(out)),
                None => Source::Input(value),
            };
            // An input that the table does not look at may be any, the gate's own buffer even.
            let inputs =
                gate.inputs.map(source).map(|s| if s == Source::Buffer(out) { Source::Input(0) } else { s });
            steps.push(Step { lut: gate.lut, inputs, out });
            let mut dead: Vec<usize> = gate.inputs.iter().copied().filter_map(gate_of).collect();
            dead.push(at);
            dead.sort_unstable();
            dead.dedup();
            for gate in dead.into_iter().filter(|&gate| last_use[gate] <= at) {
                free.extend(place[gate].filter(|&buffer| buffer >= outputs.len()));
            }
        }
        steps.extend(copies.into_iter().map(|(from, out)| Step { lut: COPY, inputs: [from; 3], out }));
        let kept = keep.map(|value| match gate_of(value) {
            Some(gate) => Source::Buffer(place[gate].expect("every gate has a buffer")),
            None => Source::Input(value),
        });
        Self { steps, early, buffers, kept }
    }
}

/// Where a feature of a row is found.
#[derive(Clone, Copy)]
enum Feature {
    /// It is a plane as it stands.
    Plane(usize),
    /// It is output n of the row program.
    Made(usize),
}

/// How a kernel is run.
pub(super) enum Plan {
    Circuit(Box<CircuitPlan>),
    Walk(Box<Walk>),
}

impl Plan {
    pub(super) fn new(kernel: &Kernel) -> Self {
        match kernel {
            Kernel::Circuit(circuit) => {
                Self::Circuit(Box::new(CircuitPlan::new(circuit, native::find(circuit))))
            }
            Kernel::Walk(walk) => Self::Walk(Box::new(walk.clone())),
        }
    }

    /// Works out rows `rows` of all columns of the next generation from those rows and one beyond at both ends; what is
    /// written to other rows is of no use. Whether a coin was asked for in these rows.
    pub(super) fn generation(
        &self,
        space: &mut Space,
        place: &Place,
        columns: &mut Columns<'_, '_>,
        rows: Range<usize>,
    ) -> bool {
        match self {
            Self::Circuit(plan) => plan.generation(space, place, columns, rows),
            Self::Walk(walk) => walk_generation(walk, place, columns, rows),
        }
    }
}

/// A generation of a walk, word by word.
fn walk_generation(walk: &Walk, place: &Place, columns: &mut Columns<'_, '_>, rows: Range<usize>) -> bool {
    let mut tossed = false;
    let shape = columns.shape;
    for column in 0..shape.columns {
        let window = |row: usize| {
            let at = shape.first(column) + shape.word_of(row);
            let mut window: Window = [[0; 3]; MAX_PLANES];
            for (words, plane) in window.iter_mut().zip(columns.from) {
                *words = [plane[at - shape.height()], plane[at], plane[at + shape.height()]];
            }
            window
        };
        let mut windows = [window(rows.start - 1), window(rows.start - 1), window(rows.start)];
        for row in rows.clone() {
            windows.rotate_left(1);
            windows[2] = window(row + 1);
            let mut coins = [0; MAX_TOSSES as usize];
            for (toss, coins) in (0..walk.coins()).zip(&mut coins) {
                tossed = true;
                *coins = place.coins(row, column, toss, u64::MAX);
            }
            let odd_row = place.row(row).rem_euclid(2) == 1;
            let next = walk.next_word(&windows, odd_row, place.generation % 2 == 1, coins);
            for (plane, word) in columns.to.iter_mut().zip(next) {
                plane[shape.first(column) + shape.word_of(row)] = word;
            }
        }
    }
    tossed
}

/// How a circuit is run.
pub(super) struct CircuitPlan {
    circuit: Circuit,
    /// Inputs of the row program that are read: plane and shift; others are never looked at.
    row_inputs: Vec<Option<(usize, i64)>>,
    features: Vec<Feature>,
    made: usize,
    row: Tape,
    cell: Tape,
    native: Option<&'static Native>,
}

impl CircuitPlan {
    /// A plan for a circuit: with functions that were compiled beforehand, or gate by gate.
    fn new(circuit: &Circuit, native: Option<&'static Native>) -> Self {
        let program = &circuit.row;
        let mut outputs = Vec::new();
        let features = program
            .outputs
            .iter()
            .map(|&value| {
                if value < program.inputs && value % 5 == 2 {
                    return Feature::Plane(value / 5);
                }
                outputs.push(value);
                Feature::Made(outputs.len() - 1)
            })
            .collect();
        let row = Tape::new(program, &outputs, program.gates.len(), None);
        let read: Vec<Source> = row.steps.iter().flat_map(|step| step.inputs).collect();
        let row_inputs = (0..program.inputs)
            .map(|value| {
                let shift = i64::try_from(value % 5).expect("below 5") - 2;
                read.contains(&Source::Input(value)).then_some((value / 5, shift))
            })
            .collect();
        let cell = Tape::new(&circuit.cell, &circuit.cell.outputs, circuit.coin_free, circuit.tosses);
        Self { circuit: circuit.clone(), row_inputs, features, made: outputs.len(), row, cell, native }
    }

    fn generation(
        &self,
        space: &mut Space,
        place: &Place,
        columns: &mut Columns<'_, '_>,
        rows: Range<usize>,
    ) -> bool {
        let mut tossed = false;
        let shape = columns.shape;
        if let Some(native) = self.native {
            for column in 0..shape.columns {
                tossed |= native_column(native, space, place, columns, column, &rows);
            }
            return tossed;
        }
        let pieces = shape.rows().div_ceil(SEGMENT_WORDS);
        let most = VECTOR * shape.strip.div_ceil(pieces);
        for column in 0..shape.columns {
            for word in (0..shape.rows()).step_by(most) {
                let segment = Segment { shape, column, word, words: most.min(shape.rows() - word) };
                self.row_features(space, columns.from, segment);
                tossed |= self.cells(space, place, columns.from, columns.to, segment, &rows);
            }
        }
        tossed
    }

    /// The features of a segment and of a vector beyond at both ends.
    fn row_features(&self, space: &mut Space, from: &[&[u64]], segment: Segment) {
        if self.made == 0 {
            return;
        }
        let (first, count) = (segment.first() - VECTOR, segment.words + 2 * VECTOR);
        let height = segment.shape.height();
        let beside = |plane: usize| {
            let column = |at: usize| &from[plane][at..at + count];
            (column(first - height), column(first), column(first + height))
        };
        let mut shifted = space.shifted.iter_mut();
        let inputs: Vec<&[u64]> = self
            .row_inputs
            .iter()
            .map(|input| match *input {
                None => &[][..],
                Some((plane, 0)) => beside(plane).1,
                Some((plane, by)) => {
                    let out = &mut words_mut(shifted.next().expect("one for each input"))[..count];
                    let (left, here, right) = beside(plane);
                    gates::shift(here, if by < 0 { left } else { right }, by, out);
                    &*out
                }
            })
            .collect();
        let scratch = self.row.buffers - self.made;
        let mut buffers: Vec<&mut [u64]> =
            cut(&mut space.features, count).chain(cut(&mut space.buffers[..scratch], count)).collect();
        gates::run(&self.row.steps, &inputs, &mut buffers);
    }

    /// The next planes of a segment. Whether a coin was asked for.
    fn cells(
        &self,
        space: &mut Space,
        place: &Place,
        from: &[&[u64]],
        to: &mut [&mut [u64]],
        segment: Segment,
        rows: &Range<usize>,
    ) -> bool {
        let (first, length) = (segment.first(), segment.words);
        let Space { features, buffers, coins, parity_x, parity_y, zeros, ones, .. } = space;
        // Strips have an even number of rows.
        let odd = usize::from(place.row(segment.word / VECTOR).rem_euclid(2) == 1);
        let feature = |row: Row, feature: usize| {
            let by = match row {
                Row::Above => 0,
                Row::Here => VECTOR,
                Row::Below => 2 * VECTOR,
            };
            match self.features[feature] {
                Feature::Plane(plane) => &from[plane][first - VECTOR + by..][..length],
                Feature::Made(made) => &words(&features[made])[by..][..length],
            }
        };
        let mut inputs: Vec<&[u64]> = self
            .circuit
            .cell_inputs
            .iter()
            .map(|&input| match input {
                CellInput::Feature(row, index) => feature(row, index),
                CellInput::ParityX => &words(parity_x)[..length],
                CellInput::ParityY => &words(parity_y)[VECTOR * odd..][..length],
                CellInput::ParityGeneration if place.generation % 2 == 1 => &words(ones)[..length],
                CellInput::ParityGeneration | CellInput::Coin(_) => &words(zeros)[..length],
            })
            .collect();
        let planes = to.len();
        let mut outputs: Vec<&mut [u64]> =
            to.iter_mut().map(|plane| &mut plane[first..first + length]).collect();
        outputs.extend(cut(&mut buffers[..self.cell.buffers - planes], length));
        let early = self.cell.early;
        gates::run(&self.cell.steps[..early], &inputs, &mut outputs);
        let mut tossed = false;
        if let Some(kept) = self.cell.kept {
            let mask = match kept {
                Source::Input(_) => &words(ones)[..length],
                Source::Buffer(buffer) => &*outputs[buffer],
            };
            for (toss, coins) in (0..MAX_TOSSES).zip(&mut *coins) {
                if self.circuit.cell_inputs.contains(&CellInput::Coin(toss)) {
                    let coins = &mut words_mut(coins)[..length];
                    tossed |=
                        each_toss(place, segment, rows, mask, toss, |word, tossed| coins[word] = tossed);
                }
            }
            for (input, slice) in self.circuit.cell_inputs.iter().zip(&mut inputs) {
                if let CellInput::Coin(toss) = input {
                    *slice = &words(&coins[*toss as usize])[..length];
                }
            }
        }
        gates::run(&self.cell.steps[early..], &inputs, &mut outputs);
        tossed
    }
}

/// A generation of one column by a compiled function. Whether a coin was asked for in `rows`.
fn native_column(
    native: &Native,
    space: &mut Space,
    place: &Place,
    columns: &mut Columns<'_, '_>,
    column: usize,
    rows: &Range<usize>,
) -> bool {
    let shape = columns.shape;
    let (planes, extras) = (columns.to.len(), native.extras());
    let (inside, height) = (shape.of_column(column), shape.height());
    let mut from: [&[u64]; 3 * MOST_PLANES] = [&[]; 3 * MOST_PLANES];
    for (sides, plane) in from.chunks_exact_mut(3).zip(columns.from) {
        for (n, side) in sides.iter_mut().enumerate() {
            *side = &plane[(column + n) * height..][..height];
        }
    }
    let mut to: [&mut [u64]; MOST_PLANES + 1 + MOST_PLANES] = std::array::from_fn(|_| &mut [][..]);
    let next = columns.to.iter_mut().map(|plane| &mut plane[inside.clone()]);
    let beside = cut(&mut space.buffers[..extras], inside.len());
    to.iter_mut().zip(next.chain(beside)).for_each(|(slot, words)| *slot = words);
    let to = &mut to[..planes + extras];
    (native.column)(&from[..3 * planes], to);
    let Some(turned) = native.turned else { return false };
    let segment = Segment { shape, column, word: 0, words: inside.len() };
    let (next, extras) = to.split_at_mut(planes);
    let (mask, turns) = extras.split_first_mut().expect("the mask comes first");
    each_toss(place, segment, rows, mask, 0, |word, coins| {
        for (&plane, turn) in turned.iter().zip(&*turns) {
            next[plane][word] ^= coins & turn[word];
        }
    })
}

/// Some vectors of a column.
#[derive(Clone, Copy)]
struct Segment {
    shape: Shape,
    column: usize,
    /// The first word and how many; multiples of [`VECTOR`].
    word: usize,
    words: usize,
}

impl Segment {
    /// The index of its first word in a plane.
    const fn first(self) -> usize {
        self.shape.first(self.column) + self.word
    }
}

/// Calls `take` with the word of the segment and the coins of each word of `mask` that is not 0 and in one of `rows`, coins
/// where it is 0 being 0; whether there was one.
fn each_toss(
    place: &Place,
    segment: Segment,
    rows: &Range<usize>,
    mask: &[u64],
    toss: u32,
    mut take: impl FnMut(usize, u64),
) -> bool {
    let mut tossed = false;
    for (start, words) in (0..).step_by(8 * VECTOR).zip(mask.chunks(8 * VECTOR)) {
        if !gates::any(words) {
            continue;
        }
        for (start, words) in (start..).step_by(VECTOR).zip(words.chunks_exact(VECTOR)) {
            let row = |n: usize| segment.shape.row_of(segment.word + start + n);
            let wanted = |n: usize| words[n] != 0 && rows.contains(&row(n));
            let many = (0..VECTOR).filter(|n| wanted(*n)).count() > 1;
            let many = many.then(|| place.coins_of_rows(std::array::from_fn(row), segment.column, toss));
            for n in (0..VECTOR).filter(|n| wanted(*n)) {
                let cells = words[n];
                let coins =
                    many.map_or_else(|| place.coins(row(n), segment.column, toss, cells), |coins| coins[n]);
                take(start + n, coins & cells);
                tossed = true;
            }
        }
    }
    tossed
}

/// The first `count` words of each buffer.
fn cut(buffers: &mut [Vec<Lane>], count: usize) -> impl Iterator<Item = &mut [u64]> {
    buffers.iter_mut().map(move |lanes| &mut words_mut(lanes)[..count])
}

/// The buffers that a circuit's plan works in; one for each thread.
#[derive(Default)]
pub(super) struct Space {
    shifted: Vec<Vec<Lane>>,
    /// The features of a segment, and of a vector beyond at both ends.
    features: Vec<Vec<Lane>>,
    buffers: Vec<Vec<Lane>>,
    coins: Vec<Vec<Lane>>,
    parity_x: Vec<Lane>,
    parity_y: Vec<Lane>,
    zeros: Vec<Lane>,
    ones: Vec<Lane>,
}

impl Space {
    /// `longest`: words of the longest columns.
    pub(super) fn new(plan: &Plan, longest: usize) -> Self {
        let Plan::Circuit(plan) = plan else { return Self::default() };
        if let Some(native) = plan.native {
            return Self { buffers: vec![lanes(longest); native.extras()], ..Self::default() };
        }
        let buffers = |count: usize| vec![lanes(BUFFER_WORDS); count];
        let filled = |words: [u64; VECTOR]| vec![Lane(words); BUFFER_WORDS / VECTOR];
        let moved = plan.row_inputs.iter().flatten().filter(|(_, by)| *by != 0).count();
        let scratch = (plan.row.buffers - plan.made).max(plan.cell.buffers - plan.circuit.planes());
        Self {
            shifted: buffers(moved),
            features: buffers(plan.made),
            buffers: buffers(scratch),
            coins: buffers(if plan.circuit.uses_coins() { MAX_TOSSES as usize } else { 0 }),
            // Words begin at even columns.
            parity_x: filled([0xAAAA_AAAA_AAAA_AAAA; VECTOR]),
            parity_y: (0..BUFFER_WORDS / VECTOR)
                .map(|t| Lane([if t % 2 == 1 { u64::MAX } else { 0 }; VECTOR]))
                .collect(),
            zeros: filled([0; VECTOR]),
            ones: filled([u64::MAX; VECTOR]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::parse;

    /// Steps planes of random words with a plan; the planes after it.
    fn stepped(circuit: &Circuit, native: Option<&'static Native>) -> (Vec<Vec<u64>>, bool) {
        let shape = Shape::new(3, 59);
        let word = |p: usize, i: usize| {
            let index = |value: usize| u32::try_from(value).expect("small");
            let [a, b, ..] = crate::coin::philox4x32_10([index(p), index(i), 0, 0], [3, 4]);
            u64::from(a) << 32 | u64::from(b)
        };
        let planes = circuit.planes();
        let states: Vec<Vec<u64>> =
            (0..circuit.state_planes()).map(|p| (0..shape.words()).map(|i| word(p, i)).collect()).collect();
        let mut coded = vec![vec![0; shape.words()]; planes];
        for i in 0..shape.words() {
            let binary: Vec<u64> = states.iter().map(|plane| plane[i]).collect();
            let mut code = vec![0; planes];
            circuit.encoding.encode(&binary, &mut code);
            coded.iter_mut().zip(code).for_each(|(plane, bits)| plane[i] = bits);
        }
        let mut after = vec![vec![0; shape.words()]; planes];
        let plan = Plan::Circuit(Box::new(CircuitPlan::new(circuit, native)));
        let place = Place { word_x: -7, y: -20, generation: 5, seed: 9, wraps: None };
        let from: Vec<&[u64]> = coded.iter().map(Vec::as_slice).collect();
        let mut to: Vec<&mut [u64]> = after.iter_mut().map(Vec::as_mut_slice).collect();
        let mut columns = Columns { from: &from, to: &mut to, shape };
        let tossed = plan.generation(&mut Space::new(&plan, shape.rows()), &place, &mut columns, 8..48);
        (after, tossed)
    }

    #[test]
    fn seams_hold_the_rows_beyond_each_strip() {
        let shape = Shape::new(2, 100);
        assert_eq!(shape.rows(), 128, "strips are whole blocks");
        let mut plane = vec![u64::MAX; shape.words()];
        for column in 0..2 {
            let rows: Vec<u64> = (1..).map(|row| row + 1000 * column as u64).take(128).collect();
            shape.weave(&rows, &mut plane[shape.of_column(column)]);
            let mut back = vec![0; 128];
            shape.unravel(&plane[shape.of_column(column)], &mut back);
            assert_eq!(back, rows, "there and back");
        }
        shape.sew(&mut plane);
        for (column, row) in (0..2).flat_map(|column| (0..128).map(move |row| (column, row))) {
            let at = shape.first(column) + shape.word_of(row);
            let value = |row: Option<usize>| row.map_or(0, |row| row as u64 + 1 + 1000 * column as u64);
            assert_eq!(shape.row_of(shape.word_of(row)), row, "a word and its row");
            assert_eq!(plane[at - VECTOR], value(row.checked_sub(1)), "above row {row}");
            assert_eq!(plane[at + VECTOR], value(Some(row + 1).filter(|&r| r < 128)), "below row {row}");
        }
    }

    #[test]
    fn compiled_functions_give_what_gates_give() {
        for text in ["B3/S23", "B36/S23", "/2/3", "Immigration", "QuadLife", "P2Life"] {
            let kernel = parse(text).expect("a rule").kernel().expect("a kernel");
            let circuit = kernel.as_circuit().expect("a circuit");
            let native = native::find(circuit);
            assert!(native.is_some(), "{text} has compiled functions");
            let (by_gates, tossed) = stepped(circuit, None);
            assert_eq!(stepped(circuit, native), (by_gates, tossed), "{text}");
            assert_eq!(tossed, text == "P2Life", "{text} tosses");
        }
    }
}
