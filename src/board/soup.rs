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

use super::cells::{Cells, CellsError, ROW_WORD};
use crate::coin::{key_of, low32, philox4x32_10};
use crate::coords::Rect;

/// Bits of the number that each cell draws.
const DRAW_BITS: usize = 16;

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

    /// For the 32 cells x = 32 `word_x` … of row `y`, lowest bit leftmost: which of them are of which species,
    /// one word a species.
    pub fn word(&self, word_x: i64, y: i64) -> Vec<u32> {
        let mut draws = [0u32; DRAW_BITS];
        for (chunk, words) in (0u32..).zip(draws.chunks_exact_mut(4)) {
            let counter = [low32(word_x as u64), low32(y as u64), chunk, u32::MAX];
            words.copy_from_slice(&philox4x32_10(counter, key_of(self.seed)));
        }
        let mut below_last = 0;
        self.thresholds
            .iter()
            .map(|&threshold| {
                let below = below(&draws, threshold);
                let here = below & !below_last;
                below_last = below;
                here
            })
            .collect()
    }

    /// Fills `area` of `cells`, which must be empty there, with the soup.
    ///
    /// Errors when the area is out of reach of any board.
    pub fn fill(&self, cells: &mut Cells, area: Rect) -> Result<(), CellsError> {
        if area.is_empty() {
            return Ok(());
        }
        // Refuses an area that is out of reach before anything is drawn.
        Cells::new().fill_run(super::Coords::new(area.right() - 1, area.bottom() - 1), 1, 1)?;
        Cells::new().fill_run(super::Coords::new(area.x, area.y), 1, 1)?;
        let planes = usize::BITS - self.thresholds.len().leading_zeros();
        let (first, last) = (area.x.div_euclid(64), (area.right() - 1).div_euclid(64));
        for y in area.y..area.bottom() {
            let mut rows = vec![Vec::new(); planes as usize];
            for tile_x in first..=last {
                let halves = [self.word(2 * tile_x, y), self.word(2 * tile_x + 1, y)];
                let inside = columns_inside(area, tile_x * 64);
                for (plane, row) in rows.iter_mut().enumerate() {
                    let half = |half: &Vec<u32>| {
                        half.iter()
                            .enumerate()
                            .filter(|(s, _)| (s + 1) >> plane & 1 == 1)
                            .fold(0, |w, (_, bits)| w | bits)
                    };
                    let word = u64::from(half(&halves[1])) << ROW_WORD | u64::from(half(&halves[0]));
                    row.push(word & inside);
                }
            }
            for (plane, row) in rows.into_iter().enumerate() {
                cells.put_words(plane, first * 64, y, row);
            }
        }
        Ok(())
    }
}

/// Which of the 64 columns from `x` on lie in `area`.
fn columns_inside(area: Rect, x: i64) -> u64 {
    let keep = area.intersection(Rect::new(x, area.y, 64, 1));
    if keep.is_empty() { 0 } else { (u64::MAX >> (64 - keep.width)) << (keep.x - x) }
}

/// Which of the 32 draws, given bit by bit from the lowest, are below `threshold`.
fn below(draws: &[u32; DRAW_BITS], threshold: u32) -> u32 {
    if threshold >> DRAW_BITS != 0 {
        return u32::MAX;
    }
    draws.iter().enumerate().fold(
        0,
        |below, (bit, &draw)| {
            if threshold >> bit & 1 == 1 { !draw | below } else { !draw & below }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Coords;

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
