//! Lattices and neighbourhoods: which cells a cell sees, and what it saw.
//!
//! All lattices live on the square array of cells. On the triangular one a cell with even x + y is a triangle that
//! points down, one with odd x + y a triangle that points up, and the two see different offsets.
//!
//! Where cells lie when they are drawn is in `geometry`. Knows no boards and no rules.

mod geometry;

pub use geometry::{Point, triangle};

use crate::cell::{DEAD, State};
use crate::coords::Coords;

/// The most neighbours that any neighbourhood has.
pub const MAX_NEIGHBOURS: usize = 12;

/// How cells are shaped on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lattice {
    /// Squares.
    #[default]
    Square,
    /// Hexagons with a corner at the top; row y is shifted left by y / 2.
    Hexagonal,
    /// Triangles, in turn pointing down (x + y even) and up.
    Triangular,
}

/// Which cells are a cell's neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Neighbourhood {
    /// The eight cells around, on the square lattice.
    #[default]
    Moore,
    /// The four cells at the edges: N W E S. `V`.
    VonNeumann,
    /// The four cells at the corners: NW NE SW SE. `NX`.
    Diagonal,
    /// The six cells around, on the hexagonal lattice: NW N W E S SE. `H`.
    Hexagonal,
    /// Three of those: N W SE. `HT`.
    Tripod,
    /// All twelve triangles that touch. `L`.
    Triangular,
    /// The three that share an edge. `LE`.
    TriangularEdges,
    /// The nine that share only a corner. `LV`.
    TriangularVertices,
    /// The inner ones. `LI`.
    TriangularInner,
    /// The outer ones. `LO`.
    TriangularOuter,
    /// `LB` of LifeViewer.
    TriangularB,
    /// `LR` of LifeViewer.
    TriangularR,
}

/// Offsets of a neighbourhood, as (dx, dy), in reading order.
type Offsets = &'static [(i64, i64)];

impl Neighbourhood {
    /// Every neighbourhood.
    pub const ALL: [Self; 12] = [
        Self::Moore,
        Self::VonNeumann,
        Self::Diagonal,
        Self::Hexagonal,
        Self::Tripod,
        Self::Triangular,
        Self::TriangularEdges,
        Self::TriangularVertices,
        Self::TriangularInner,
        Self::TriangularOuter,
        Self::TriangularB,
        Self::TriangularR,
    ];

    /// The places of the neighbours of the cell at `at`, as (dx, dy), in reading order.
    pub const fn offsets(self, at: Coords) -> Offsets {
        let [even, odd] = self.both_offsets();
        if (at.x + at.y) & 1 == 0 { even } else { odd }
    }

    /// The offsets for even and for odd x + y; the same twice but on the triangular lattice. Within ±2 in x, ±1 in y.
    pub const fn both_offsets(self) -> [Offsets; 2] {
        const fn twice(offsets: Offsets) -> [Offsets; 2] {
            [offsets, offsets]
        }
        match self {
            Self::Moore => twice(&[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]),
            Self::VonNeumann => twice(&[(0, -1), (-1, 0), (1, 0), (0, 1)]),
            Self::Diagonal => twice(&[(-1, -1), (1, -1), (-1, 1), (1, 1)]),
            Self::Hexagonal => twice(&[(-1, -1), (0, -1), (-1, 0), (1, 0), (0, 1), (1, 1)]),
            Self::Tripod => twice(&[(0, -1), (-1, 0), (1, 1)]),
            Self::Triangular => [
                &[
                    (-2, -1),
                    (-1, -1),
                    (0, -1),
                    (1, -1),
                    (2, -1),
                    (-2, 0),
                    (-1, 0),
                    (1, 0),
                    (2, 0),
                    (-1, 1),
                    (0, 1),
                    (1, 1),
                ],
                &[
                    (-1, -1),
                    (0, -1),
                    (1, -1),
                    (-2, 0),
                    (-1, 0),
                    (1, 0),
                    (2, 0),
                    (-2, 1),
                    (-1, 1),
                    (0, 1),
                    (1, 1),
                    (2, 1),
                ],
            ],
            Self::TriangularEdges => [&[(0, -1), (-1, 0), (1, 0)], &[(-1, 0), (1, 0), (0, 1)]],
            Self::TriangularVertices => [
                &[(-2, -1), (-1, -1), (1, -1), (2, -1), (-2, 0), (2, 0), (-1, 1), (0, 1), (1, 1)],
                &[(-1, -1), (0, -1), (1, -1), (-2, 0), (2, 0), (-2, 1), (-1, 1), (1, 1), (2, 1)],
            ],
            Self::TriangularInner => [
                &[(-2, -1), (0, -1), (2, -1), (-1, 0), (1, 0), (0, 1)],
                &[(0, -1), (-1, 0), (1, 0), (-2, 1), (0, 1), (2, 1)],
            ],
            Self::TriangularOuter => twice(&[(-1, -1), (1, -1), (-2, 0), (2, 0), (-1, 1), (1, 1)]),
            Self::TriangularB => [
                &[(-1, -1), (0, -1), (1, -1), (-2, 0), (-1, 0), (1, 0), (2, 0), (-1, 1), (1, 1)],
                &[(-1, -1), (1, -1), (-2, 0), (-1, 0), (1, 0), (2, 0), (-1, 1), (0, 1), (1, 1)],
            ],
            Self::TriangularR => [&[(-2, -1), (2, -1), (0, 1)], &[(0, -1), (-2, 1), (2, 1)]],
        }
    }

    /// How many neighbours a cell has.
    pub const fn size(self) -> usize {
        self.both_offsets()[0].len()
    }

    /// How far it reaches in x; in y it is always 1. Life moves no further in a generation.
    pub const fn reach(self) -> i64 {
        match self.lattice() {
            Lattice::Triangular => 2,
            _ => 1,
        }
    }

    /// The lattice that it belongs to.
    pub const fn lattice(self) -> Lattice {
        match self {
            Self::Moore | Self::VonNeumann | Self::Diagonal => Lattice::Square,
            Self::Hexagonal | Self::Tripod => Lattice::Hexagonal,
            _ => Lattice::Triangular,
        }
    }

    /// What stands for it at the end of a B/S rule string: nothing for Moore, else `V`, `NX`, `H`, `HT`, `L`, `LE`, ….
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Moore => "",
            Self::VonNeumann => "V",
            Self::Diagonal => "NX",
            Self::Hexagonal => "H",
            Self::Tripod => "HT",
            Self::Triangular => "L",
            Self::TriangularEdges => "LE",
            Self::TriangularVertices => "LV",
            Self::TriangularInner => "LI",
            Self::TriangularOuter => "LO",
            Self::TriangularB => "LB",
            Self::TriangularR => "LR",
        }
    }
}

/// The states of a cell's neighbours, in the order of [`Neighbourhood::offsets`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Neighbours {
    states: [State; MAX_NEIGHBOURS],
    length: usize,
}

impl Neighbours {
    /// Neighbours with these states.
    ///
    /// # Panics
    /// When there are more than [`MAX_NEIGHBOURS`].
    pub fn new(states: &[State]) -> Self {
        let mut held = [DEAD; MAX_NEIGHBOURS];
        held[..states.len()].copy_from_slice(states);
        Self { states: held, length: states.len() }
    }

    /// The states in the order of [`Neighbourhood::offsets`].
    pub fn states(&self) -> &[State] {
        &self.states[..self.length]
    }

    /// How many neighbours are in `state`, 0 to [`MAX_NEIGHBOURS`].
    pub fn count(&self, state: State) -> u8 {
        self.count_where(|s| s == state)
    }

    /// How many neighbours live, whatever their species.
    pub fn living(&self) -> u8 {
        self.count_where(|s| s != DEAD)
    }

    /// How many neighbours are in a state that `wanted` holds of.
    pub fn count_where(&self, wanted: impl Fn(State) -> bool) -> u8 {
        self.states().iter().fold(0, |count, &s| count + u8::from(wanted(s)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pictures of the triangular neighbourhoods, for a triangle that points up and for one that points down:
    /// `#` is seen, `C` the cell itself.
    const PICTURES: [(Neighbourhood, [&str; 6]); 7] = [
        (Neighbourhood::Triangular, ["-###-", "##C##", "#####", "#####", "##C##", "-###-"]),
        (Neighbourhood::TriangularVertices, ["-###-", "#-C-#", "##-##", "##-##", "#-C-#", "-###-"]),
        (Neighbourhood::TriangularInner, ["--#--", "-#C#-", "#-#-#", "#-#-#", "-#C#-", "--#--"]),
        (Neighbourhood::TriangularOuter, ["-#-#-", "#-C-#", "-#-#-", "-#-#-", "#-C-#", "-#-#-"]),
        (Neighbourhood::TriangularB, ["-#-#-", "##C##", "-###-", "-###-", "##C##", "-#-#-"]),
        (Neighbourhood::TriangularR, ["--#--", "--C--", "#---#", "#---#", "--C--", "--#--"]),
        (Neighbourhood::TriangularEdges, ["-----", "-#C#-", "--#--", "--#--", "-#C#-", "-----"]),
    ];

    #[test]
    fn triangular_neighbourhoods_are_those_of_the_pictures() {
        for (neighbourhood, picture) in PICTURES {
            for (rows, at) in [(&picture[..3], Coords::new(1, 0)), (&picture[3..], Coords::new(0, 0))] {
                let seen: Vec<(i64, i64)> = (-1..)
                    .zip(rows)
                    .flat_map(|(dy, row)| {
                        (-2..).zip(row.chars()).filter(|(_, c)| *c == '#').map(move |(dx, _)| (dx, dy))
                    })
                    .collect();
                assert_eq!(neighbourhood.offsets(at), seen, "{neighbourhood:?} at {at:?}");
            }
        }
    }

    #[test]
    fn neighbours_see_each_other() {
        for neighbourhood in Neighbourhood::ALL {
            // The tripod is seen from other sides than it sees.
            if neighbourhood == Neighbourhood::Tripod {
                continue;
            }
            for at in [Coords::new(0, 0), Coords::new(1, 0)] {
                assert_eq!(neighbourhood.offsets(at).len(), neighbourhood.size(), "{neighbourhood:?}");
                for &(dx, dy) in neighbourhood.offsets(at) {
                    let back = neighbourhood.offsets(at.offset(dx, dy));
                    assert!(
                        back.contains(&(-dx, -dy)),
                        "{neighbourhood:?}: ({dx}, {dy}) from {at:?} and back"
                    );
                }
            }
        }
    }
}
