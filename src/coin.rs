//! The coin that a rule may toss: a random bit that depends on nothing but the seed, the generation, the place
//! and how often that cell has tossed before, so that every engine gets the same one in any order.
//!
//! It is Philox4x32-10 (Salmon, Moraes, Dror, Shaw: *Parallel random numbers: as easy as 1, 2, 3*, SC11,
//! doi 10.1145/2063384.2063405). `shaders/philox.wgsl` is the same function on the GPU.
//!
//! ```text
//! key     = seed bits 0–31, seed bits 32–63
//! counter = ⌊x / 128⌋, y, generation bits 0–31, generation bits 32–61 | toss << 30     (each mod 2³²)
//! the coin of cell x is bit x mod 32 of output word ⌊x / 32⌋ mod 4
//! ```

use multiversion::multiversion;

use crate::coords::Coords;

/// The most coins that one cell may toss in one generation.
pub const MAX_TOSSES: u32 = 2;

const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// Philox4x32 with 10 rounds: 128 random bits for each counter and key.
pub fn philox4x32_10(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let mut c = counter;
    let mut k = key;
    for _ in 0..10 {
        let (high0, low0) = wide_product(MULTIPLIERS[0], c[0]);
        let (high1, low1) = wide_product(MULTIPLIERS[1], c[2]);
        c = [high1 ^ c[1] ^ k[0], low1, high0 ^ c[3] ^ k[1], low0];
        k = [k[0].wrapping_add(WEYL[0]), k[1].wrapping_add(WEYL[1])];
    }
    c
}

/// Philox4x32 with 10 rounds for eight counters that differ in their second word alone: output word n of each is in
/// element n of the result.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon",
))]
fn philox_rows(counter: [u32; 4], rows: [u32; 8], key: [u32; 2]) -> [[u32; 8]; 4] {
    let lanes = |value: u32| [u64::from(value); 8];
    let mut c = [lanes(counter[0]), rows.map(u64::from), lanes(counter[2]), lanes(counter[3])];
    let mut k = key;
    for _ in 0..10 {
        let [k0, k1] = k.map(u64::from);
        for i in 0..8 {
            let product0 = u64::from(MULTIPLIERS[0]) * c[0][i];
            let product1 = u64::from(MULTIPLIERS[1]) * c[2][i];
            c[0][i] = product1 >> 32 ^ c[1][i] ^ k0;
            c[1][i] = product1 & 0xFFFF_FFFF;
            c[2][i] = product0 >> 32 ^ c[3][i] ^ k1;
            c[3][i] = product0 & 0xFFFF_FFFF;
        }
        k = [k[0].wrapping_add(WEYL[0]), k[1].wrapping_add(WEYL[1])];
    }
    c.map(|words| words.map(low32))
}

/// The high and the low half of the 64-bit product.
fn wide_product(a: u32, b: u32) -> (u32, u32) {
    let product = u64::from(a) * u64::from(b);
    (low32(product >> 32), low32(product))
}

/// The low 32 bits; for signed coordinates the residue mod 2³².
#[expect(clippy::cast_possible_truncation, reason = "the residue mod 2³² is what is wanted")]
pub(crate) const fn low32(value: u64) -> u32 {
    value as u32
}

/// The two key words of a seed.
pub(crate) const fn key_of(seed: u64) -> [u32; 2] {
    [low32(seed), low32(seed >> 32)]
}

/// The coins of 32 cells of row `y`, lowest bit leftmost: those with x = 32 `word_x` … 32 `word_x` + 31.
///
/// `toss` counts from 0 (the cell's first coin of this generation) and is below [`MAX_TOSSES`].
pub fn coin_word(seed: u64, generation: u64, word_x: i64, y: i64, toss: u32) -> u32 {
    let words = philox4x32_10(counter_of(generation, word_x, y, toss), key_of(seed));
    words[usize::try_from(word_x.rem_euclid(4)).expect("below 4")]
}

/// [`coin_word`] of the columns `word_x` in eight rows: element n of the result is the words of column n.
pub(crate) fn coin_rows<const COLUMNS: usize>(
    seed: u64,
    generation: u64,
    word_x: [i64; COLUMNS],
    rows: [i64; 8],
    toss: u32,
) -> [[u32; 8]; COLUMNS] {
    let mut known: Option<(i64, [[u32; 8]; 4])> = None;
    word_x.map(|word_x| {
        let group = word_x.div_euclid(4);
        let words = match known {
            Some((of, words)) if of == group => words,
            _ => philox_rows(
                counter_of(generation, word_x, 0, toss),
                rows.map(|y| low32(y as u64)),
                key_of(seed),
            ),
        };
        known = Some((group, words));
        words[usize::try_from(word_x.rem_euclid(4)).expect("below 4")]
    })
}

/// The counter of a word of coins.
const fn counter_of(generation: u64, word_x: i64, y: i64, toss: u32) -> [u32; 4] {
    [
        low32(word_x.div_euclid(4) as u64),
        low32(y as u64),
        low32(generation),
        low32(generation >> 32) & 0x3FFF_FFFF | toss << 30,
    ]
}

/// What a [`Ruleset`](crate::rule::Ruleset) tosses.
#[derive(Clone, Debug)]
pub struct Coin {
    source: Source,
    tossed: u32,
}

#[derive(Clone, Debug)]
enum Source {
    Counter { seed: u64, generation: u64, at: Coords },
    Fixed { bits: u32 },
}

impl Coin {
    /// The coin of one cell in one generation.
    pub const fn new(seed: u64, generation: u64, at: Coords) -> Self {
        Self { source: Source::Counter { seed, generation, at }, tossed: 0 }
    }

    /// A coin whose first toss gives bit 0 of `bits`, the second bit 1, …: for listing all that a rule can do.
    pub const fn fixed(bits: u32) -> Self {
        Self { source: Source::Fixed { bits }, tossed: 0 }
    }

    /// Tosses: heads (`true`) or tails with equal probability.
    pub fn toss(&mut self) -> bool {
        let toss = self.tossed;
        self.tossed += 1;
        match self.source {
            Source::Counter { seed, generation, at } => {
                let word = coin_word(seed, generation, at.x.div_euclid(32), at.y, toss % MAX_TOSSES);
                word >> at.x.rem_euclid(32) & 1 == 1
            }
            Source::Fixed { bits } => bits.checked_shr(toss).unwrap_or(0) & 1 == 1,
        }
    }

    /// How often it was tossed.
    pub const fn tossed(&self) -> u32 {
        self.tossed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known answers published with the Random123 library (`kat_vectors`, philox4x32 10).
    pub(crate) const KNOWN_ANSWERS: [([u32; 4], [u32; 2], [u32; 4]); 3] = [
        ([0; 4], [0; 2], [0x6627_E8D5, 0xE169_C58D, 0xBC57_AC4C, 0x9B00_DBD8]),
        ([u32::MAX; 4], [u32::MAX; 2], [0x408F_276D, 0x41C8_3B0E, 0xA20B_C7C6, 0x6D54_51FD]),
        (
            [0x243F_6A88, 0x85A3_08D3, 0x1319_8A2E, 0x0370_7344],
            [0xA409_3822, 0x299F_31D0],
            [0xD16C_FE09, 0x94FD_CCEB, 0x5001_E420, 0x2412_6EA1],
        ),
    ];

    #[test]
    fn philox_gives_the_published_answers() {
        for (counter, key, expected) in KNOWN_ANSWERS {
            assert_eq!(philox4x32_10(counter, key), expected, "counter {counter:x?} key {key:x?}");
        }
    }

    #[test]
    fn rows_of_coins_are_their_words() {
        for columns in [[-1, 0], [2, 3], [7, 8], [1 << 40, 5]] {
            let rows = [0, 1, -1, 7, 1 << 33, -9, 100, 101];
            for toss in 0..MAX_TOSSES {
                let words = coin_rows(77, 3 << 31, columns, rows, toss);
                for (word_x, words) in columns.into_iter().zip(words) {
                    let expected = rows.map(|y| coin_word(77, 3 << 31, word_x, y, toss));
                    assert_eq!(words, expected, "column {word_x}, toss {toss}");
                }
            }
        }
    }

    #[test]
    fn a_coin_is_the_bit_of_its_word() {
        for x in [-130, -129, -128, -33, -1, 0, 31, 32, 127, 128] {
            let at = Coords::new(x, -7);
            let mut coin = Coin::new(99, 1 << 40, at);
            for toss in 0..MAX_TOSSES {
                let word = coin_word(99, 1 << 40, x.div_euclid(32), -7, toss);
                assert_eq!(coin.toss(), word >> x.rem_euclid(32) & 1 == 1, "x {x}, toss {toss}");
            }
        }
    }

    /// Share of ones among `words`, as its distance from ½ in standard deviations.
    fn bias(words: impl Iterator<Item = u32>) -> f64 {
        let (mut ones, mut all) = (0u64, 0u64);
        for word in words {
            ones += u64::from(word.count_ones());
            all += 32;
        }
        (ones as f64 - all as f64 / 2.0) / (all as f64 / 4.0).sqrt()
    }

    #[test]
    fn coins_are_fair_and_independent_of_their_neighbours() {
        let places = || (0..64i64).flat_map(|y| (0..64i64).map(move |wx| (wx - 32, y - 32)));
        let coin = |seed, generation, wx, y, toss| coin_word(seed, generation, wx, y, toss);
        for seed in [0, 1, u64::MAX, 0x1234_5678_9ABC_DEF0] {
            let base = |wx, y| coin(seed, 5, wx, y, 0);
            let cases: [(&str, f64); 6] = [
                ("bias", bias(places().map(|(wx, y)| base(wx, y)))),
                // Of two independent coins, the exclusive or is fair too.
                (
                    "neighbour in x",
                    bias(places().map(|(wx, y)| base(wx, y) ^ (base(wx, y) >> 1 | base(wx + 1, y) << 31))),
                ),
                ("neighbour in y", bias(places().map(|(wx, y)| base(wx, y) ^ base(wx, y + 1)))),
                ("next generation", bias(places().map(|(wx, y)| base(wx, y) ^ coin(seed, 6, wx, y, 0)))),
                (
                    "next seed",
                    bias(places().map(|(wx, y)| base(wx, y) ^ coin(seed.wrapping_add(1), 5, wx, y, 0))),
                ),
                ("second toss", bias(places().map(|(wx, y)| base(wx, y) ^ coin(seed, 5, wx, y, 1)))),
            ];
            for (what, deviations) in cases {
                assert!(
                    deviations.abs() < 4.5,
                    "seed {seed}: {what} is off by {deviations:.2} standard deviations"
                );
            }
        }
    }
}
