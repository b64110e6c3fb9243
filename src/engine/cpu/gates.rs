//! Three-input gates on slices of words, compiled for the widest registers that the processor has.
//!
//! A program is a list of gates over slices that stay in the first-level cache; each gate is one loop. There are 256 of
//! them, one for each truth table, so that the loop is a single instruction a register where there is one for it
//! (AVX-512). Which instruction set is taken is decided when the program runs.

use multiversion::multiversion;

use super::stepper::VECTOR;

/// Where a gate finds a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// An input of the program.
    Input(usize),
    /// A buffer that an earlier gate wrote.
    Buffer(usize),
}

/// One gate: buffer `out` becomes the truth table `lut` (bit 4a + 2b + c) of the inputs, none of which is `out`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) lut: u8,
    pub(super) inputs: [Source; 3],
    pub(super) out: usize,
}

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

/// One gate: what it is when a is 0, and where a turns it.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled with the instruction set of its caller")]
fn gate<const LUT: u8>(a: &[u64], b: &[u64], c: &[u64], out: &mut [u64]) {
    let count = out.len();
    let (a, b, c) = (&a[..count], &b[..count], &c[..count]);
    for i in 0..count {
        let plain = two(LUT, b[i], c[i]);
        let turned = two(LUT ^ LUT >> 4, b[i], c[i]);
        out[i] = plain ^ (a[i] & turned);
    }
}

macro_rules! choose_gate {
    ($lut:expr, $arguments:tt, [$($high:literal)*]) => {
        match $lut >> 4 { $( $high => choose_gate!(@low $lut, $arguments, $high), )* _ => {} }
    };
    (@low $lut:expr, $arguments:tt, $high:literal) => {
        choose_gate!(@arms $lut, $arguments, $high, [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15])
    };
    (@arms $lut:expr, $arguments:tt, $high:literal, [$($low:literal)*]) => {
        match $lut & 15 { $( $low => gate::<{ 16 * $high + $low }> $arguments, )* _ => {} }
    };
}

/// Runs gates in order. All slices are as long as the shortest buffer at least.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon",))]
pub(super) fn run(steps: &[Step], inputs: &[&[u64]], buffers: &mut [&mut [u64]]) {
    for step in steps {
        let out = std::mem::take(&mut buffers[step.out]);
        {
            let slice = |source: Source| match source {
                Source::Input(index) => inputs[index],
                Source::Buffer(index) => &*buffers[index],
            };
            let [a, b, c] = step.inputs.map(slice);
            choose_gate!(step.lut, (a, b, c, out), [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15]);
        }
        buffers[step.out] = out;
    }
}

/// Words moved by `by` cells, −2 to 2: bit x of `out[i]` is the cell `by` to the right of bit x of `here[i]`. `beside[i]` is
/// the word left of that where `by` is below 0, else the word right of it.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon",))]
pub(super) fn shift(here: &[u64], beside: &[u64], by: i64, out: &mut [u64]) {
    let count = out.len();
    let (here, beside) = (&here[..count], &beside[..count]);
    match by {
        -2 => (0..count).for_each(|i| out[i] = here[i] << 2 | beside[i] >> 62),
        -1 => (0..count).for_each(|i| out[i] = here[i] << 1 | beside[i] >> 63),
        1 => (0..count).for_each(|i| out[i] = here[i] >> 1 | beside[i] << 63),
        2 => (0..count).for_each(|i| out[i] = here[i] >> 2 | beside[i] << 62),
        _ => out.copy_from_slice(here),
    }
}

/// The words that begin in the middle of those of `left` and end in the middle of those right of them.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon",))]
pub(super) fn halves(left: &[u64], right: &[u64], out: &mut [u64]) {
    let count = out.len();
    let (left, right) = (&left[..count], &right[..count]);
    for i in 0..count {
        out[i] = left[i] >> 32 | right[i] << 32;
    }
}

/// Puts rows that lie one after the other side by side: word i of vector t is row i · strip + t, of eight strips.
///
/// No AVX-512 here, nor in [`unravel`]: with it the compiler gathers words far apart, at half the speed.
#[multiversion(targets("x86_64+avx2", "aarch64+neon",))]
pub(super) fn weave(rows: &[u64], out: &mut [u64]) {
    let strip = rows.len() / VECTOR;
    let strips: [&[u64]; VECTOR] = std::array::from_fn(|i| &rows[i * strip..][..strip]);
    for (t, out) in out.chunks_exact_mut(VECTOR).enumerate().take(strip) {
        for (word, strip) in out.iter_mut().zip(&strips) {
            *word = strip[t];
        }
    }
}

/// Undoes [`weave`]; strips have a multiple of four rows.
#[multiversion(targets("x86_64+avx2", "aarch64+neon",))]
pub(super) fn unravel(vectors: &[u64], out: &mut [u64]) {
    let strip = vectors.len() / VECTOR;
    for (t, four) in (0..).step_by(4).zip(vectors.chunks_exact(4 * VECTOR)) {
        for i in 0..VECTOR {
            out[i * strip + t..][..4].copy_from_slice(&[0, 1, 2, 3].map(|n| four[VECTOR * n + i]));
        }
    }
}

/// Whether some word is not 0.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon",))]
pub(super) fn any(words: &[u64]) -> bool {
    words.iter().fold(0, |all, word| all | word) != 0
}

/// Which bits of some word of `new` differ from `old`, and which from `uniform`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon",))]
pub(super) fn compare(new: &[u64], old: &[u64], uniform: u64) -> (u64, u64) {
    let old = &old[..new.len()];
    let (mut differs, mut lives) = (0, 0);
    for i in 0..new.len() {
        differs |= new[i] ^ old[i];
        lives |= new[i] ^ uniform;
    }
    (differs, lives)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::circuit::apply;

    #[test]
    fn every_gate_is_its_truth_table() {
        let words = |seed: u32| -> Vec<u64> {
            (0..37)
                .map(|i| {
                    let [a, b, ..] = crate::coin::philox4x32_10([seed, i, 0, 0], [1, 2]);
                    u64::from(a) << 32 | u64::from(b)
                })
                .collect()
        };
        let (a, b, c) = (words(0), words(1), words(2));
        for lut in 0..=u8::MAX {
            let mut out = vec![0xDEAD; 37];
            let inputs = [Source::Input(0), Source::Input(1), Source::Input(2)];
            run(&[Step { lut, inputs, out: 0 }], &[&a, &b, &c], &mut [&mut out]);
            for i in 0..37 {
                assert_eq!(out[i], apply(lut, a[i], b[i], c[i]), "truth table {lut:#x}, word {i}");
            }
        }
    }

    #[test]
    fn shifts_go_across_words() {
        let (left, here, right) = ([1 << 63 | 1 << 62], [0b101], [0b11]);
        let moved = |by: i64| {
            let mut out = [0];
            shift(&here, if by < 0 { &left } else { &right }, by, &mut out);
            out[0]
        };
        assert_eq!([-2, -1, 0].map(moved), [0b10111, 0b1011, 0b101], "from the left");
        assert_eq!([1, 2].map(moved), [1 << 63 | 0b10, 0b11 << 62 | 0b1], "from the right");
        let mut out = [0];
        halves(&left, &right, &mut out);
        assert_eq!(out, [0b11 << 32 | 0b11 << 30], "half of each");
        assert_eq!(compare(&[5, 6], &[5, 4], 4), (2, 3), "differs, lives");
        assert!(any(&[0, 0, 1 << 63]) && !any(&[0; 9]), "some word");
    }
}
