//! Random boards: each cell independently of a species with a given density, the same for the same seed everywhere.
//!
//! ```text
//! cell (x, y) draws a 16-bit number u; bit i of u is bit x mod 32 of word i mod 4 of
//!     Philox4x32-10(counter = ⌊x / 32⌋, y, ⌊i / 4⌋, 2³² − 1; key = seed)
//! species s where t(s − 1) ≤ u < t(s), t(s) = 65,536 × (density of species 1 + … + density of species s), rounded
//! ```
//!
//! The last counter word is never a coin's (see [`crate::coin`]), so coins and soups of one seed are independent.

use thiserror::Error;

use super::cells::{Cells, CellsError, ROW_WORD, TILE_ROWS, TILE_SIDE};
use crate::coin::{key_of, low32, philox4x32_10};
use crate::coords::{Coords, Rect, to_index};

/// Bits of the number that each cell draws.
const DRAW_BITS: usize = 16;
/// Cells from which on an area is shared out among threads.
const WORTH_SHARING: u64 = 1 << 20;

/// Why a soup can't be made.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SoupError {
    /// A density is not between 0 and 1, or they add up to more than 1; give smaller ones.
    #[error("densities are between 0 and 1 and add up to at most 1, not {0}")]
    Densities(String),
    /// More densities than the rule has species; leave some out.
    #[error("{given} densities for a rule of {species} species")]
    TooManySpecies {
        /// Densities given.
        given: usize,
        /// Species of the rule.
        species: usize,
    },
    /// No densities at all; give at least one.
    #[error("a soup needs a density")]
    NoDensity,
}

/// A random board in the making.
#[derive(Clone, Debug, PartialEq)]
pub struct Soup {
    /// Cumulative thresholds of u, one a species, each 0 to 65,536.
    thresholds: Vec<u32>,
    seed: u64,
}

impl Soup {
    /// A soup in which species s has density `densities[s - 1]` (cells of that species per cell, 0 to 1),
    /// resolved to 1/65,536.
    pub fn new(densities: &[f64], seed: u64) -> Result<Self, SoupError> {
        if densities.is_empty() {
            return Err(SoupError::NoDensity);
        }
        let valid = densities.iter().all(|d| (0.0..=1.0).contains(d));
        if !valid || densities.iter().sum::<f64>() > 1.0 + 1e-9 {
            let text: Vec<String> = densities.iter().map(ToString::to_string).collect();
            return Err(SoupError::Densities(text.join(",")));
        }
        let mut sum = 0.0;
        let thresholds = densities
            .iter()
            .map(|density| {
                sum += density;
                #[expect(clippy::cast_possible_truncation, reason = "between 0 and 65,536")]
                let threshold = (sum.min(1.0) * 65_536.0).round() as u32;
                threshold
            })
            .collect();
        Ok(Self { thresholds, seed })
    }

    /// The densities of one number for a rule of `species` species: a single one is shared out equally,
    /// several are taken as they are.
    pub fn shared_out(densities: &[f64], species: usize) -> Result<Vec<f64>, SoupError> {
        match densities {
            [] => Err(SoupError::NoDensity),
            [one] => Ok(vec![one / species as f64; species]),
            several if several.len() <= species => Ok(several.to_vec()),
            several => Err(SoupError::TooManySpecies { given: several.len(), species }),
        }
    }

    /// For the 32 cells x = 32 `word_x` … of row `y`, lowest bit leftmost: the bit planes of their species, as many as
    /// [`Self::planes`], into `planes`.
    ///
    /// A cell's number is looked at from its highest bit down, and only until it is known for every threshold whether
    /// it is below: of 16 bits that are four or five in the mean, and with a density of a half just one.
    fn word(&self, word_x: i64, y: i64, planes: &mut [u32]) {
        planes.fill(0);
        let key = key_of(self.seed);
        let mut draws = [0u32; DRAW_BITS];
        // Bits from this one up are drawn.
        let mut drawn = DRAW_BITS;
        let mut below_last = 0;
        for (species, &threshold) in (1usize..).zip(&self.thresholds) {
            // Which are below, and of which that isn't known yet.
            let (mut below, mut open) =
                if threshold >> DRAW_BITS == 0 { (0, u32::MAX) } else { (u32::MAX, 0) };
            let lowest = threshold.trailing_zeros() as usize;
            let mut bit = DRAW_BITS;
            while open != 0 && bit > lowest {
                bit -= 1;
                if bit < drawn {
                    drawn = bit & !3;
                    let counter = [low32(word_x as u64), low32(y as u64), low32(drawn as u64 / 4), u32::MAX];
                    draws[drawn..drawn + 4].copy_from_slice(&philox4x32_10(counter, key));
                }
                if threshold >> bit & 1 == 1 {
                    below |= open & !draws[bit];
                    open &= draws[bit];
                } else {
                    open &= !draws[bit];
                }
            }
            let here = below & !below_last;
            below_last = below;
            for (plane, word) in planes.iter_mut().enumerate() {
                if species >> plane & 1 == 1 {
                    *word |= here;
                }
            }
        }
    }

    /// Bit planes that the species need.
    fn planes(&self) -> usize {
        (usize::BITS - self.thresholds.len().leading_zeros()) as usize
    }

    /// Fills `area` of `cells`, which must be empty there, with the soup. Large areas are shared out among the
    /// processor's cores.
    ///
    /// Errors when the area is out of reach of any board.
    pub fn fill(&self, cells: &mut Cells, area: Rect) -> Result<(), CellsError> {
        if area.is_empty() {
            return Ok(());
        }
        // Refuses an area that is out of reach before anything is drawn.
        Cells::new().fill_run(Coords::new(area.right() - 1, area.bottom() - 1), 1, 1)?;
        Cells::new().fill_run(Coords::new(area.x, area.y), 1, 1)?;
        let (first, end) = (area.y.div_euclid(TILE_SIDE), (area.bottom() - 1).div_euclid(TILE_SIDE) + 1);
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let workers = if area.area() < WORTH_SHARING { 1 } else { cores.min(to_index(end - first)) as i64 };
        let border = |worker: i64| first + (end - first) * worker / workers;
        let made: Vec<Cells> = std::thread::scope(|scope| {
            let part = |worker: i64| self.bands(area, border(worker)..border(worker + 1));
            let start = |worker| {
                std::thread::Builder::new().spawn_scoped(scope, move || part(worker)).map_err(|_| worker)
            };
            let others: Vec<_> = (1..workers).map(start).collect();
            let own = part(0);
            // What no thread could be started for is done here.
            let others = others.into_iter().map(|other| {
                other.map_or_else(part, |thread| thread.join().expect("making a soup doesn't panic"))
            });
            std::iter::once(own).chain(others).collect()
        });
        for part in made {
            cells.append(part);
        }
        Ok(())
    }

    /// The rows of tiles `bands` of a soup that fills `area`.
    fn bands(&self, area: Rect, bands: std::ops::Range<i64>) -> Cells {
        let mut cells = Cells::new();
        let mut planes = vec![[0; TILE_ROWS]; self.planes()];
        let mut halves = [vec![0; self.planes()], vec![0; self.planes()]];
        for ty in bands {
            for tx in area.x.div_euclid(TILE_SIDE)..=(area.right() - 1).div_euclid(TILE_SIDE) {
                let inside = columns_inside(area, tx * TILE_SIDE);
                for (row, y) in (0..TILE_ROWS).zip(ty * TILE_SIDE..) {
                    if y < area.y || y >= area.bottom() {
                        for words in &mut planes {
                            words[row] = 0;
                        }
                        continue;
                    }
                    for (half, word_x) in halves.iter_mut().zip(2 * tx..) {
                        self.word(word_x, y, half);
                    }
                    let [low, high] = &halves;
                    for (words, (low, high)) in planes.iter_mut().zip(low.iter().zip(high)) {
                        words[row] = (u64::from(*high) << ROW_WORD | u64::from(*low)) & inside;
                    }
                }
                cells.put_tile(Coords::new(tx * TILE_SIDE, ty * TILE_SIDE), &planes);
            }
        }
        cells
    }
}

/// Which of the 64 columns from `x` on lie in `area`.
fn columns_inside(area: Rect, x: i64) -> u64 {
    let keep = area.intersection(Rect::new(x, area.y, 64, 1));
    if keep.is_empty() { 0 } else { (u64::MAX >> (64 - keep.width)) << (keep.x - x) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The species of a cell, worked out as the module's head says.
    fn plain(thresholds: &[u32], seed: u64, x: i64, y: i64) -> u8 {
        let bit = |i: u32| {
            let counter = [low32(x.div_euclid(32) as u64), low32(y as u64), i / 4, u32::MAX];
            philox4x32_10(counter, key_of(seed))[i as usize % 4] >> x.rem_euclid(32) & 1
        };
        let u = (0..16).fold(0, |u, i| u | bit(i) << i);
        let above = thresholds.iter().filter(|threshold| u >= **threshold).count();
        if above == thresholds.len() { 0 } else { u8::try_from(above).expect("few") + 1 }
    }

    #[test]
    fn every_cell_is_the_one_that_its_number_says() {
        for densities in [&[0.5][..], &[0.25, 0.25], &[0.1, 0.0, 0.3], &[1.0 / 3.0, 0.6], &[0.00001], &[1.0]]
        {
            let soup = Soup::new(densities, 99).expect("valid");
            let area = Rect::new(-70, -3, 150, 9);
            let mut cells = Cells::new();
            soup.fill(&mut cells, area).expect("in reach");
            for at in area.cells() {
                let expected = plain(&soup.thresholds, 99, at.x, at.y);
                assert_eq!(cells.get(at), expected, "{densities:?}, ({}, {})", at.x, at.y);
            }
        }
    }

    #[test]
    fn a_soup_made_by_several_threads_is_the_same() {
        let soup = Soup::new(&[0.2, 0.3], 5).expect("valid");
        let area = Rect::new(-7, -9, 1100, 1000);
        assert!(area.area() > WORTH_SHARING, "large enough to be shared out");
        let (mut whole, mut parts) = (Cells::new(), Cells::new());
        soup.fill(&mut whole, area).expect("in reach");
        for y in (area.y..area.bottom()).step_by(100) {
            soup.fill(&mut parts, Rect::new(area.x, y, area.width, 100)).expect("in reach");
        }
        assert_eq!(whole, parts, "at once and in strips");
    }

    #[test]
    fn densities_come_out_as_asked() {
        let area = Rect::new(-7, -5, 700, 500);
        let mut cells = Cells::new();
        Soup::new(&[0.1, 0.25], 42).expect("valid").fill(&mut cells, area).expect("in reach");
        let tally = cells.tally();
        for (density, count) in [0.1, 0.25].into_iter().zip(tally.by_state(3)) {
            let n = area.area() as f64;
            let deviations = (count as f64 - n * density) / (n * density * (1.0 - density)).sqrt();
            assert!(
                deviations.abs() < 4.5,
                "density {density}: {count} cells, {deviations:.2} deviations off"
            );
        }
        assert_eq!(tally.bounding_box, Some(area), "filled to its edges");
    }

    #[test]
    fn a_part_of_a_soup_is_the_same_soup() {
        let soup = Soup::new(&[0.5], 7).expect("valid");
        let (mut whole, mut part) = (Cells::new(), Cells::new());
        soup.fill(&mut whole, Rect::new(-100, 0, 200, 20)).expect("in reach");
        soup.fill(&mut part, Rect::new(-33, 3, 70, 9)).expect("in reach");
        assert_eq!(whole.clipped(Rect::new(-33, 3, 70, 9)), part, "same cells at the same places");
    }

    #[test]
    fn extreme_densities_are_exact() {
        let mut cells = Cells::new();
        Soup::new(&[0.0, 1.0], 1).expect("valid").fill(&mut cells, Rect::new(0, 0, 33, 3)).expect("in reach");
        assert_eq!(cells.tally().by_state(3), [0, 99], "all of species 2");
        assert_eq!(cells.get(Coords::new(32, 2)), 2, "last cell");
    }

    #[test]
    fn impossible_densities_are_refused() {
        for densities in [&[1.5][..], &[-0.1], &[0.6, 0.6], &[f64::NAN], &[]] {
            assert!(Soup::new(densities, 0).is_err(), "{densities:?}");
        }
        assert!(Soup::shared_out(&[0.1, 0.1, 0.1], 2).is_err(), "three for two");
        assert_eq!(Soup::shared_out(&[0.5], 2), Ok(vec![0.25, 0.25]), "one for two");
    }
}
