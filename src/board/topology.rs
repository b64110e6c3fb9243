//! The shape of the world: unbounded, or bounded with its edges open or glued.
//!
//! A bounded board's top-left cell is (0, 0); Golly's files put it at (−⌊w/2⌋, −⌊h/2⌋), and
//! [`Topology::golly_corner`] translates.

use std::fmt;

use thiserror::Error;

use crate::coords::{Coords, Rect};

/// The longest side of a bounded board, cells (Golly's limit).
pub const MAX_SIDE: i64 = 2_000_000_000;

/// The shape of the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Topology {
    /// Cells without end in every direction. No suffix in a rule string.
    #[default]
    Unbounded,
    /// A rectangle in an outside that is dead for ever. `:P w,h`.
    Plane {
        /// Columns, 1 to [`MAX_SIDE`].
        width: i64,
        /// Rows, 1 to [`MAX_SIDE`].
        height: i64,
    },
    /// A rectangle whose opposite edges touch. `:T w,h`.
    Torus {
        /// Columns, 1 to [`MAX_SIDE`].
        width: i64,
        /// Rows, 1 to [`MAX_SIDE`].
        height: i64,
    },
}

/// Why a topology suffix is not understood; `at` is the offset in characters from the start of the suffix.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}")]
pub struct TopologyError {
    /// Which character of the suffix (without its colon) is wrong, from 0.
    pub at: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl Topology {
    /// The rectangle that a bounded board is; `None` for the unbounded plane.
    pub const fn bounds(self) -> Option<Rect> {
        match self {
            Self::Unbounded => None,
            Self::Plane { width, height } | Self::Torus { width, height } => {
                Some(Rect::new(0, 0, width, height))
            }
        }
    }

    /// Which cell of the board stands at `at`; `None` where there is none (the dead outside of a bounded plane).
    pub fn locate(self, at: Coords) -> Option<Coords> {
        match self {
            Self::Unbounded => Some(at),
            Self::Plane { width, height } => Rect::new(0, 0, width, height).contains(at).then_some(at),
            Self::Torus { width, height } => {
                Some(Coords::new(at.x.rem_euclid(width), at.y.rem_euclid(height)))
            }
        }
    }

    /// Where Golly's files put the top-left cell of this board: (−⌊w/2⌋, −⌊h/2⌋); (0, 0) when unbounded.
    pub fn golly_corner(self) -> Coords {
        self.bounds().map_or(Coords::default(), |b| Coords::new(-(b.width / 2), -(b.height / 2)))
    }

    /// Reads a suffix without its colon: `P w,h`, `T w,h`, `T w` (square), or empty for the unbounded plane.
    pub fn parse(suffix: &str) -> Result<Self, TopologyError> {
        let fail = |at: usize, message: String| Err(TopologyError { at, message });
        let characters: Vec<char> = suffix.chars().collect();
        let Some(&letter) = characters.first() else {
            return Ok(Self::Unbounded);
        };
        let letter = letter.to_ascii_uppercase();
        if !"PTKCS".contains(letter) {
            return fail(0, format!("a topology begins with P (plane) or T (torus), not '{letter}'"));
        }
        if "KCS".contains(letter) {
            let name = match letter {
                'K' => "the Klein bottle",
                'C' => "the cross-surface",
                _ => "the sphere",
            };
            return fail(0, format!("{name} ({letter}) is not supported yet; use P (plane) or T (torus)"));
        }
        if characters.len() == 1 {
            return Ok(Self::Unbounded);
        }
        let mut sides: Vec<i64> = Vec::new();
        let mut at = 1;
        loop {
            let start = at;
            while characters.get(at).is_some_and(char::is_ascii_digit) {
                at += 1;
            }
            let digits: String = characters[start..at].iter().collect();
            if digits.is_empty() {
                return fail(start, "a side is a number of cells, as in T200,100".to_owned());
            }
            match digits.parse::<i64>() {
                Ok(side) if side <= MAX_SIDE => sides.push(side),
                _ => return fail(start, format!("a side is at most {MAX_SIDE} cells")),
            }
            match characters.get(at) {
                None => break,
                Some(',') if sides.len() == 1 => at += 1,
                Some('+' | '-') => {
                    return fail(at, "shifted tori are not supported yet; leave the shift out".to_owned());
                }
                Some(other) => {
                    return fail(at, format!("'{other}' has no place in a topology such as T200,100"));
                }
            }
        }
        let (width, height) = (sides[0], *sides.last().expect("one side was read"));
        match (width, height, letter) {
            (0, 0, _) => Ok(Self::Unbounded),
            (0, _, _) | (_, 0, _) => fail(
                1,
                "one endless side is not supported yet; both sides are 1 or more, or both 0".to_owned(),
            ),
            (_, _, 'P') => Ok(Self::Plane { width, height }),
            _ => Ok(Self::Torus { width, height }),
        }
    }
}

impl fmt::Display for Topology {
    /// The canonical suffix with its colon (`:T200,100`); nothing for the unbounded plane.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unbounded => Ok(()),
            Self::Plane { width, height } => write!(f, ":P{width},{height}"),
            Self::Torus { width, height } => write!(f, ":T{width},{height}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_are_read_and_written_back() {
        for (text, canonical) in [
            ("", ""),
            ("T", ""),
            ("P0,0", ""),
            ("t8", ":T8,8"),
            ("P200,100", ":P200,100"),
            ("T1,2000000000", ":T1,2000000000"),
        ] {
            let topology = Topology::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(topology.to_string(), canonical, "{text}");
        }
    }

    #[test]
    fn errors_point_at_the_character() {
        for (text, at) in [
            ("X3", 0),
            ("K10,20", 0),
            ("Tx", 1),
            ("T8,", 3),
            ("T8,9,10", 4),
            ("T8+1,9", 2),
            ("T2000000001", 1),
            ("T99999999999999999999", 1),
            ("P0,5", 1),
            ("T-8", 1),
        ] {
            assert_eq!(Topology::parse(text).expect_err(text).at, at, "{text}");
        }
    }

    #[test]
    fn the_torus_of_four_by_three_has_gollys_border() {
        // The cells A–L in rows, with the ring of cells around them as Golly's help draws it.
        let torus = Topology::Torus { width: 4, height: 3 };
        let drawn: Vec<String> = (-1..=3)
            .map(|y| {
                (-1..=4)
                    .map(|x| {
                        let c = torus.locate(Coords::new(x, y)).expect("a torus has no outside");
                        char::from(b"ABCDEFGHIJKL"[usize::try_from(c.y * 4 + c.x).expect("on the board")])
                    })
                    .collect()
            })
            .collect();
        assert_eq!(drawn, ["LIJKLI", "DABCDA", "HEFGHE", "LIJKLI", "DABCDA"], "torus 4 x 3");
    }
}
