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
    /// A torus whose one pair of edges is shifted before it is glued. `:T w+s,h` (top and bottom shifted by s columns)
    /// or `:T w,h+s` (left and right shifted by s rows).
    ShiftedTorus {
        /// Columns, 1 to [`MAX_SIDE`].
        width: i64,
        /// Rows, 1 to [`MAX_SIDE`].
        height: i64,
        /// Which edges are shifted.
        edges: Edges,
        /// By how many cells; 1 to the length of those edges − 1.
        shift: i64,
    },
    /// A Klein bottle: one pair of edges is glued the other way round. `:K w*,h` or `:K w,h*`; the twisted edges may be
    /// shifted by one when their length is even: `:K w*+1,h`. Shifting them further gives one of these two again.
    KleinBottle {
        /// Columns, 1 to [`MAX_SIDE`].
        width: i64,
        /// Rows, 1 to [`MAX_SIDE`].
        height: i64,
        /// Which edges are twisted.
        edges: Edges,
        /// 0, or 1 where the twisted edges have an even length.
        shift: i64,
    },
    /// The real projective plane: both pairs of edges are glued the other way round. `:C w,h`.
    CrossSurface {
        /// Columns, 1 to [`MAX_SIDE`].
        width: i64,
        /// Rows, 1 to [`MAX_SIDE`].
        height: i64,
    },
    /// A square whose top is glued to its left edge, and its bottom to its right edge. `:S w`.
    Sphere {
        /// Columns and rows, 1 to [`MAX_SIDE`].
        side: i64,
    },
}

/// A pair of opposite edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edges {
    /// The top and the bottom edge.
    TopBottom,
    /// The left and the right edge.
    LeftRight,
}

/// How the edges of a board are glued, in numbers that a shader can work with; see [`Topology::glue`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glue {
    /// 0 nothing; 1 tops shifted, 2 tops flipped, 3 sides shifted, 4 sides flipped; 5 cross-surface; 6 sphere.
    pub kind: u32,
    /// The shift of kinds 1 and 3; of kinds 2 and 4 what the coordinate along the edge is taken from.
    pub offset: i64,
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
            Self::Plane { width, height }
            | Self::Torus { width, height }
            | Self::ShiftedTorus { width, height, .. }
            | Self::KleinBottle { width, height, .. }
            | Self::CrossSurface { width, height } => Some(Rect::new(0, 0, width, height)),
            Self::Sphere { side } => Some(Rect::new(0, 0, side, side)),
        }
    }

    /// Which cell of the board stands at `at`, which may be some cells beyond its edges; `None` where there is none
    /// (the dead outside of a bounded plane).
    ///
    /// On the cross-surface and the sphere a place beyond two edges at once is the cell of that corner.
    pub fn locate(self, at: Coords) -> Option<Coords> {
        let Some(bounds) = self.bounds() else { return Some(at) };
        if bounds.contains(at) {
            return Some(at);
        }
        let (width, height) = (bounds.width, bounds.height);
        let Glue { kind, offset } = self.glue();
        let (mut x, mut y) = (at.x, at.y);
        match kind {
            1 | 2 => {
                x = x.rem_euclid(width);
                while !(0..height).contains(&y) {
                    let down = if y < 0 { -1 } else { 1 };
                    x = if kind == 1 { x + down * offset } else { offset - x }.rem_euclid(width);
                    y -= down * height;
                }
            }
            3 | 4 => {
                y = y.rem_euclid(height);
                while !(0..width).contains(&x) {
                    let right = if x < 0 { -1 } else { 1 };
                    y = if kind == 3 { y + right * offset } else { offset - y }.rem_euclid(height);
                    x -= right * width;
                }
            }
            5 | 6 => {
                let corner = Coords::new(x.clamp(0, width - 1), y.clamp(0, height - 1));
                let (beyond_x, beyond_y) = (corner.x != x, corner.y != y);
                // How far beyond the edge, so that the second row beyond is the second row from the other edge.
                let (deep_x, deep_y) = ((x - corner.x).abs() - 1, (y - corner.y).abs() - 1);
                (x, y) = match (kind, beyond_x, beyond_y) {
                    (_, true, true) => (corner.x, corner.y),
                    (5, true, _) if x < 0 => (width - 1 - deep_x, height - 1 - y),
                    (5, true, _) => (deep_x, height - 1 - y),
                    (5, _, _) if y < 0 => (width - 1 - x, height - 1 - deep_y),
                    (5, _, _) => (width - 1 - x, deep_y),
                    (_, true, _) if x < 0 => (y, deep_x),
                    (_, true, _) => (y, height - 1 - deep_x),
                    (_, _, _) if y < 0 => (deep_y, x),
                    _ => (width - 1 - deep_y, x),
                };
                return Some(Coords::new(x.clamp(0, width - 1), y.clamp(0, height - 1)));
            }
            _ => return None,
        }
        Some(Coords::new(x, y))
    }

    /// Whether the triangular lattice fits: going round the world must bring a triangle that points down back to one
    /// that points down. Any plane does, and tori whose seams don't exchange even and odd places.
    pub const fn suits_triangles(self) -> bool {
        match self {
            Self::Unbounded | Self::Plane { .. } => true,
            Self::Torus { width, height } => width % 2 == 0 && height % 2 == 0,
            Self::ShiftedTorus { width, height, edges: Edges::TopBottom, shift } => {
                width % 2 == 0 && (height + shift) % 2 == 0
            }
            Self::ShiftedTorus { width, height, edges: Edges::LeftRight, shift } => {
                height % 2 == 0 && (width + shift) % 2 == 0
            }
            _ => false,
        }
    }

    /// Whether the board goes on beyond its edges, by way of another edge.
    pub const fn is_glued(self) -> bool {
        self.glue().kind != 0
    }

    /// Whether what lies beyond the edges is the board again, moved but neither turned nor mirrored.
    pub const fn is_torus(self) -> bool {
        matches!(self, Self::Torus { .. } | Self::ShiftedTorus { .. })
    }

    /// How the edges are glued.
    pub const fn glue(self) -> Glue {
        let (kind, offset) = match self {
            Self::Unbounded | Self::Plane { .. } => (0, 0),
            Self::Torus { .. } => (1, 0),
            Self::ShiftedTorus { edges: Edges::TopBottom, shift, .. } => (1, shift),
            Self::ShiftedTorus { edges: Edges::LeftRight, shift, .. } => (3, shift),
            Self::KleinBottle { edges: Edges::TopBottom, shift, width, .. } => (2, width - 1 - shift),
            Self::KleinBottle { edges: Edges::LeftRight, shift, height, .. } => (4, height - 1 - shift),
            Self::CrossSurface { .. } => (5, 0),
            Self::Sphere { .. } => (6, 0),
        };
        Glue { kind, offset }
    }

    /// Where Golly's files put the top-left cell of this board: (−⌊w/2⌋, −⌊h/2⌋); (0, 0) when unbounded.
    pub fn golly_corner(self) -> Coords {
        self.bounds().map_or(Coords::default(), |b| Coords::new(-(b.width / 2), -(b.height / 2)))
    }

    /// Reads a suffix without its colon: `P w,h`, `T w+s,h`, `K w*,h`, `C w,h`, `S w`, one side for a square, or
    /// nothing for the unbounded plane.
    pub fn parse(suffix: &str) -> Result<Self, TopologyError> {
        let fail = |at: usize, message: String| Err(TopologyError { at, message });
        let characters: Vec<char> = suffix.chars().collect();
        let Some(&letter) = characters.first() else {
            return Ok(Self::Unbounded);
        };
        let letter = letter.to_ascii_uppercase();
        if !"PTKCS".contains(letter) {
            return fail(
                0,
                format!(
                    "a topology begins with P (plane), T (torus), K (Klein bottle), C (cross-surface) or S (sphere), not '{letter}'"
                ),
            );
        }
        if characters.len() == 1 {
            return if "PT".contains(letter) {
                Ok(Self::Unbounded)
            } else {
                fail(1, "this surface needs a size, as in K30*,20".to_owned())
            };
        }
        let mut sides: Vec<Side> = Vec::new();
        let mut at = 1;
        loop {
            let (side, next) = read_side(&characters, at)?;
            sides.push(side);
            at = next;
            match characters.get(at) {
                None => break,
                Some(',') if sides.len() == 1 => at += 1,
                Some(other) => {
                    return fail(at, format!("'{other}' has no place in a topology such as T200,100"));
                }
            }
        }
        let (first, last) = (sides[0], sides[sides.len() - 1]);
        let square = sides.len() == 1;
        let (width, height) = (first.length, last.length);
        if width == 0 || height == 0 {
            return if (width, height) == (0, 0) && "PT".contains(letter) {
                Ok(Self::Unbounded)
            } else {
                fail(1, "one endless side is not supported; both sides are 1 or more, or both 0".to_owned())
            };
        }
        let twisted = |side: Side| side.twisted.is_some();
        match letter {
            'K' => {}
            _ if let Some(at) = first.twisted.or(last.twisted) => {
                return fail(at, "only the sides of a Klein bottle (K) are twisted".to_owned());
            }
            'T' => {}
            _ if let Some(at) = first.shift_at.or(last.shift_at) => {
                return fail(at, "only the edges of a torus or a Klein bottle are shifted".to_owned());
            }
            _ => {}
        }
        match letter {
            'P' => Ok(Self::Plane { width, height }),
            'C' => Ok(Self::CrossSurface { width, height }),
            'S' if !square && width != height => {
                fail(1, "a sphere is square: give one side, as in S30".to_owned())
            }
            'S' => Ok(Self::Sphere { side: width }),
            'T' => {
                if let (false, true, true, Some(at)) =
                    (square, first.shift != 0, last.shift != 0, last.shift_at)
                {
                    return fail(at, "only one pair of edges can be shifted".to_owned());
                }
                let (edges, shift) = if first.shift != 0 {
                    (Edges::TopBottom, first.shift)
                } else {
                    (Edges::LeftRight, last.shift)
                };
                Ok(if shift == 0 {
                    Self::Torus { width, height }
                } else {
                    Self::ShiftedTorus { width, height, edges, shift }
                })
            }
            _ => {
                // Without a star the second side is the twisted one.
                let edges = match (twisted(first), !square && twisted(last)) {
                    (true, true) => {
                        let at = last.twisted.unwrap_or(1);
                        return fail(
                            at,
                            "one side of a Klein bottle is twisted; C (cross-surface) has both".to_owned(),
                        );
                    }
                    (true, false) => Edges::TopBottom,
                    _ => Edges::LeftRight,
                };
                let (side, other) = if edges == Edges::TopBottom { (first, last) } else { (last, first) };
                if let (false, Some(at)) = (square, other.shift_at.filter(|_| other.shift != 0)) {
                    return fail(at, "only the twisted side of a Klein bottle can be shifted".to_owned());
                }
                // As in Golly: a twisted side is shifted or not, and one of odd length never is.
                let shift = i64::from(side.shift != 0 && side.length % 2 == 0);
                Ok(Self::KleinBottle { width, height, edges, shift })
            }
        }
    }
}

/// One side as it was written.
#[derive(Clone, Copy)]
struct Side {
    length: i64,
    /// Where its star stands.
    twisted: Option<usize>,
    /// 0 to the length − 1.
    shift: i64,
    /// Where its shift begins.
    shift_at: Option<usize>,
}

/// Reads `digits [*] [± digits]` from `at` on; gives where it ends.
fn read_side(characters: &[char], mut at: usize) -> Result<(Side, usize), TopologyError> {
    let digits = |at: &mut usize, what: &str| {
        let start = *at;
        while characters.get(*at).is_some_and(char::is_ascii_digit) {
            *at += 1;
        }
        if start == *at {
            let message = format!("{what} is a number of cells, as in T200,100");
            return Err(TopologyError { at: start, message });
        }
        Ok(characters[start..*at].iter().filter_map(|digit| digit.to_digit(10)).map(i64::from))
    };
    let start = at;
    let length = digits(&mut at, "a side")?
        .try_fold(0, |length, digit| Some(length * 10 + digit).filter(|length| *length <= MAX_SIDE))
        .ok_or_else(|| TopologyError { at: start, message: format!("a side is at most {MAX_SIDE} cells") })?;
    let mut side = Side { length, twisted: None, shift: 0, shift_at: None };
    if characters.get(at) == Some(&'*') {
        side.twisted = Some(at);
        at += 1;
    }
    if let Some(sign @ ('+' | '-')) = characters.get(at) {
        let sign_at = at;
        at += 1;
        let shift = digits(&mut at, "a shift")?;
        if length == 0 {
            let message = "an endless side can't be shifted".to_owned();
            return Err(TopologyError { at: sign_at, message });
        }
        // Shifts as long as the side change nothing, so that any number of digits is a shift.
        let shift = shift.fold(0, |shift, digit| (shift * 10 + digit) % length);
        side.shift = if *sign == '-' { -shift } else { shift }.rem_euclid(length);
        side.shift_at = Some(sign_at);
    }
    Ok((side, at))
}

impl fmt::Display for Topology {
    /// The canonical suffix with its colon (`:T200,100`); nothing for the unbounded plane.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shifted = |shift: i64| if shift == 0 { String::new() } else { format!("{shift:+}") };
        match *self {
            Self::Unbounded => Ok(()),
            Self::Plane { width, height } => write!(f, ":P{width},{height}"),
            Self::Torus { width, height } => write!(f, ":T{width},{height}"),
            Self::ShiftedTorus { width, height, edges: Edges::TopBottom, shift } => {
                write!(f, ":T{width}{},{height}", shifted(shift))
            }
            Self::ShiftedTorus { width, height, edges: Edges::LeftRight, shift } => {
                write!(f, ":T{width},{height}{}", shifted(shift))
            }
            Self::KleinBottle { width, height, edges: Edges::TopBottom, shift } => {
                write!(f, ":K{width}*{},{height}", shifted(shift))
            }
            Self::KleinBottle { width, height, edges: Edges::LeftRight, shift } => {
                write!(f, ":K{width},{height}*{}", shifted(shift))
            }
            Self::CrossSurface { width, height } => write!(f, ":C{width},{height}"),
            Self::Sphere { side } => write!(f, ":S{side}"),
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
            ("T30+5,20", ":T30+5,20"),
            ("T30-5,20", ":T30+25,20"),
            ("T30,20-2", ":T30,20+18"),
            ("T30+30,20", ":T30,20"),
            ("K30*,20", ":K30*,20"),
            ("K30,20*", ":K30,20*"),
            ("k10,20", ":K10,20*"),
            ("K30*+1,20", ":K30*+1,20"),
            ("K30*-1,20", ":K30*+1,20"),
            ("K30*+2,20", ":K30*+1,20"),
            ("K30*+31,20", ":K30*+1,20"),
            ("K30*-45,20", ":K30*+1,20"),
            ("K30*+0,20", ":K30*,20"),
            ("K30*+60,20", ":K30*,20"),
            ("K30*+99999999999999999999,20", ":K30*+1,20"),
            ("K30*+1,20+0", ":K30*+1,20"),
            ("K31*+1,20", ":K31*,20"),
            ("K20,31*-1", ":K20,31*"),
            ("K31,20*-1", ":K31,20*+1"),
            ("K10,20+3", ":K10,20*+1"),
            ("T5+0,4+1", ":T5,4+1"),
            ("T5+1,4-0", ":T5+1,4"),
            ("T5+5,4+1", ":T5,4+1"),
            ("T5-99999999999999999999,4", ":T5+1,4"),
            ("C5", ":C5,5"),
            ("C30,20", ":C30,20"),
            ("S30", ":S30"),
            ("S30,30", ":S30"),
        ] {
            let topology = Topology::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(topology.to_string(), canonical, "{text}");
            assert_eq!(
                Topology::parse(canonical.trim_start_matches(':')),
                Ok(topology),
                "{canonical} reads back"
            );
        }
    }

    #[test]
    fn errors_point_at_the_character() {
        for (text, at) in [
            ("X3", 0),
            ("K", 1),
            ("Tx", 1),
            ("T8,", 3),
            ("T8,9,10", 4),
            ("T8+,9", 3),
            ("T8+1,9+1", 6),
            ("P8+1,9", 2),
            ("P8*,9", 2),
            ("C8,9*", 4),
            ("K8*,9*", 5),
            ("K8+1,9*", 2),
            ("T0+1,0", 2),
            ("S8,9", 1),
            ("T2000000001", 1),
            ("T99999999999999999999", 1),
            ("P0,5", 1),
            ("T-8", 1),
        ] {
            assert_eq!(Topology::parse(text).expect_err(text).at, at, "{text}");
        }
    }

    /// The cells of a board as letters in rows, with the ring of cells around them.
    fn drawn(text: &str) -> String {
        let topology = Topology::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let bounds = topology.bounds().expect("bounded");
        let rows: Vec<String> = (-1..=bounds.height)
            .map(|y| {
                (-1..=bounds.width)
                    .map(|x| {
                        let c = topology.locate(Coords::new(x, y)).expect("these surfaces have no outside");
                        char::from(b'A' + u8::try_from(c.y * bounds.width + c.x).expect("a small board"))
                    })
                    .collect()
            })
            .collect();
        rows.join("/")
    }

    #[test]
    fn every_surface_has_gollys_border() {
        for (text, border) in [
            ("T4,3", "LIJKLI/DABCDA/HEFGHE/LIJKLI/DABCDA"),
            ("T4+1,3", "KLIJKL/DABCDA/HEFGHE/LIJKLI/ABCDAB"),
            ("T4,3+1", "HIJKLA/LABCDE/DEFGHI/HIJKLA/LABCDE"),
            ("K4*,3", "ILKJIL/DABCDA/HEFGHE/LIJKLI/ADCBAD"),
            ("K4,3*", "DIJKLA/LABCDI/HEFGHE/DIJKLA/LABCDI"),
            ("K4*+1,3", "LKJILK/DABCDA/HEFGHE/LIJKLI/DCBADC"),
            ("K4*-1,3", "LKJILK/DABCDA/HEFGHE/LIJKLI/DCBADC"),
            ("K3,4*+1", "LJKLJ/IABCG/FDEFD/CGHIA/LJKLJ/IABCG"),
            ("C4,3", "ALKJID/LABCDI/HEFGHE/DIJKLA/IDCBAL"),
            ("S3", "AADGC/AABCG/BDEFH/CGHII/GCFII"),
        ] {
            assert_eq!(drawn(text), border, "{text}");
        }
    }
}
