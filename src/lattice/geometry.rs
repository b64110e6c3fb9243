//! The drawn plane: where cells of each lattice lie, and which cell lies at a point.
//!
//! Points are in units of the horizontal pitch of cells, x to the right, y downwards. Cells are laid out by a linear
//! map, [`Lattice::anchor_of`]: x − `slant` · y across, `row_height` · y down. What a cell covers around its anchor `+`:
//!
//! ```text
//! square           hexagonal             triangular, x + y even      odd
//!   +-----+           / \                  -----+-----               +
//!   |     |          | + |                   \     /                / \
//!   |     |           \ /                      \ /                -------
//!   +-----+
//!   1 × 1          1 across flats,         sides of 2, rows √3 high
//!   slant 0        slant 1/2, rows √3/2    slant 0
//! ```
//!
//! `shaders/draw.wgsl` holds the same maps in single precision, relative to the cell at the corner of the view.

use super::Lattice;
use crate::coords::{Coords, Rect};

/// √3.
const SQRT_3: f64 = 1.732_050_807_568_877_2;

/// A place on the drawn plane, in pitches of cells: x to the right, y downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl Point {
    /// The point (`x`, `y`).
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The point half-way to another.
    #[must_use]
    pub const fn midpoint(self, other: Self) -> Self {
        Self { x: f64::midpoint(self.x, other.x), y: f64::midpoint(self.y, other.y) }
    }
}

impl Lattice {
    /// Every lattice.
    pub const ALL: [Self; 3] = [Self::Square, Self::Hexagonal, Self::Triangular];

    /// How far apart rows are, pitches.
    pub const fn row_height(self) -> f64 {
        match self {
            Self::Square => 1.0,
            Self::Hexagonal => SQRT_3 / 2.0,
            Self::Triangular => SQRT_3,
        }
    }

    /// How far each row is shifted to the left of the one above, pitches.
    pub const fn slant(self) -> f64 {
        match self {
            Self::Hexagonal => 0.5,
            Self::Square | Self::Triangular => 0.0,
        }
    }

    /// The radius of the largest circle inside a cell, pitches.
    pub const fn inner_radius(self) -> f64 {
        match self {
            Self::Square | Self::Hexagonal => 0.5,
            Self::Triangular => SQRT_3 / 3.0,
        }
    }

    /// The point that a cell hangs on: the top-left corner of a square, the centre of a hexagon, the middle of the top
    /// edge of a triangle that points down and the top corner of one that points up.
    pub fn anchor_of(self, at: Coords) -> Point {
        Point::new(at.x as f64 - self.slant() * at.y as f64, self.row_height() * at.y as f64)
    }

    /// The centre of a cell: of the circle inside it.
    pub fn centre_of(self, at: Coords) -> Point {
        let Point { x, y } = self.anchor_of(at);
        match self {
            Self::Square => Point::new(x + 0.5, y + 0.5),
            Self::Hexagonal => Point::new(x, y),
            Self::Triangular => Point::new(x, y + if points_down(at) { SQRT_3 / 3.0 } else { SQRT_3 / 1.5 }),
        }
    }

    /// The corners of a cell, clockwise on the screen.
    pub fn outline_of(self, at: Coords) -> Vec<Point> {
        let Point { x, y } = self.anchor_of(at);
        let corners: &[(f64, f64)] = match self {
            Self::Square => &[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)],
            Self::Hexagonal => &[
                (0.0, -SQRT_3 / 3.0),
                (0.5, -SQRT_3 / 6.0),
                (0.5, SQRT_3 / 6.0),
                (0.0, SQRT_3 / 3.0),
                (-0.5, SQRT_3 / 6.0),
                (-0.5, -SQRT_3 / 6.0),
            ],
            Self::Triangular if points_down(at) => &[(-1.0, 0.0), (1.0, 0.0), (0.0, SQRT_3)],
            Self::Triangular => &[(0.0, 0.0), (1.0, SQRT_3), (-1.0, SQRT_3)],
        };
        corners.iter().map(|(dx, dy)| Point::new(x + dx, y + dy)).collect()
    }

    /// The cell that covers a point. Points on a border belong to one of the cells at it; coordinates beyond those of
    /// `i64` saturate.
    pub fn cell_at(self, point: Point) -> Coords {
        match self {
            Self::Square => Coords::new(floor(point.x), floor(point.y)),
            Self::Hexagonal => {
                // The nearest centre, by the three coordinates (x − y, y, −x) that add up to 0: each is rounded, and
                // the one that was rounded most follows from the others.
                let y = point.y / self.row_height();
                let x = point.x + 0.5 * y;
                let exact = [x - y, y, -x];
                let near = exact.map(f64::round);
                let [a, b, c] = [0, 1, 2].map(|i| (exact[i] - near[i]).abs());
                if a >= b && a >= c {
                    Coords::new(floor(-near[2]), floor(near[1]))
                } else if b >= c {
                    Coords::new(floor(-near[2]), floor(-near[0] - near[2]))
                } else {
                    Coords::new(floor(near[0] + near[1]), floor(near[1]))
                }
            }
            Self::Triangular => {
                let rows = point.y / self.row_height();
                let row = rows.floor();
                let down = rows - row;
                // The nearest column of a triangle that points down; right and left of it stand those that point up.
                let odd = row.rem_euclid(2.0);
                let column = 2.0 * ((point.x - odd) / 2.0).round() + odd;
                let aside = point.x - column;
                let column = if aside.abs() <= 1.0 - down { column } else { column + aside.signum() };
                Coords::new(floor(column), floor(row))
            }
        }
    }

    /// The corners, top-left and bottom-right, of the smallest box that holds all cells of `area` as drawn; `area` must
    /// not be empty.
    pub fn bounds_of(self, area: Rect) -> (Point, Point) {
        let first = self.anchor_of(Coords::new(area.x, area.y));
        let last = self.anchor_of(Coords::new(area.right() - 1, area.bottom() - 1));
        match self {
            Self::Square => (first, Point::new(last.x + 1.0, last.y + 1.0)),
            Self::Hexagonal => {
                let lean = self.slant() * (area.height - 1) as f64;
                let (aside, above) = (0.5, SQRT_3 / 3.0);
                (
                    Point::new(first.x - lean - aside, first.y - above),
                    Point::new(last.x + lean + aside, last.y + above),
                )
            }
            Self::Triangular => {
                (Point::new(first.x - 1.0, first.y), Point::new(last.x + 1.0, last.y + SQRT_3))
            }
        }
    }

    /// A rectangle of cells that holds every cell of which something lies between two corners of a box. On squares it
    /// is the smallest; on the others some cells more, and on hexagons those beside a leaning box.
    pub fn cells_within(self, low: Point, high: Point) -> Rect {
        let corners = [low, Point::new(high.x, low.y), Point::new(low.x, high.y), high];
        let [a, b, c, d] = corners.map(|corner| self.cell_at(corner));
        let around = Rect::between(a, d).union(Rect::between(b, c));
        if self == Self::Square { around } else { around.grown(1) }
    }

    /// The cells that a straight line comes through, in its order, without ones that it only grazes; at most some ten
    /// thousand of a long line, evenly spread.
    pub fn cells_along(self, from: Point, to: Point) -> Vec<Coords> {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        // Squares are crossed in steps of one, as pens do everywhere; the others have narrow corners.
        let fine = if self == Self::Square { 1.0 } else { 4.0 };
        let steps = (dx.abs().max(dy.abs()) * fine).ceil().clamp(1.0, 10_000.0);
        let mut cells: Vec<Coords> = (0..=floor(steps))
            .map(|step| step as f64 / steps)
            .map(|share| self.cell_at(Point::new(from.x + dx * share, from.y + dy * share)))
            .collect();
        cells.dedup();
        cells
    }
}

/// Whether the triangle of a cell points down.
const fn points_down(at: Coords) -> bool {
    (at.x ^ at.y) & 1 == 0
}

/// The sign of a triangle that lives, as it points.
pub const fn triangle(at: Coords) -> char {
    if points_down(at) { '▼' } else { '▲' }
}

fn floor(value: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "saturates far beyond all boards")]
    let whole = value.floor() as i64;
    whole
}

#[cfg(test)]
mod tests {
    use super::super::Neighbourhood;
    use super::*;

    /// How far a point lies inside a convex outline: negative outside.
    fn depth(outline: &[Point], at: Point) -> f64 {
        let next = outline.iter().cycle().skip(1);
        outline
            .iter()
            .zip(next)
            .map(|(a, b)| {
                let (dx, dy) = (b.x - a.x, b.y - a.y);
                (dx * (at.y - a.y) - dy * (at.x - a.x)) / dx.hypot(dy)
            })
            .fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn every_point_lies_in_the_outline_of_its_cell_and_in_no_other() {
        for lattice in Lattice::ALL {
            for (i, j) in (-90..=90).flat_map(|i| (-90..=90).map(move |j| (i, j))) {
                let point = Point::new(f64::from(i) * 0.0613, f64::from(j) * 0.0597);
                let found = lattice.cell_at(point);
                let holding: Vec<Coords> = Rect::new(found.x - 3, found.y - 3, 7, 7)
                    .cells()
                    .filter(|&cell| depth(&lattice.outline_of(cell), point) > 1e-9)
                    .collect();
                let on_border = depth(&lattice.outline_of(found), point).abs() <= 1e-9;
                assert!(on_border || holding == [found], "{lattice:?} {point:?}: {found:?}, {holding:?}");
            }
        }
    }

    #[test]
    fn centres_map_back_and_lie_deepest() {
        for lattice in Lattice::ALL {
            for far in [0, -7, 1_000_000_000, -1_000_000_001, 2_147_483_640] {
                for cell in Rect::new(far, -far, 4, 4).cells() {
                    let centre = lattice.centre_of(cell);
                    assert_eq!(lattice.cell_at(centre), cell, "{lattice:?}");
                    let inside = depth(&lattice.outline_of(cell), centre);
                    assert!((inside - lattice.inner_radius()).abs() < 1e-5, "{lattice:?} {cell:?}: {inside}");
                }
            }
        }
    }

    /// How many corners two cells share.
    fn shared_corners(lattice: Lattice, a: Coords, b: Coords) -> usize {
        let others = lattice.outline_of(b);
        lattice
            .outline_of(a)
            .iter()
            .filter(|corner| others.iter().any(|other| (corner.x - other.x).hypot(corner.y - other.y) < 1e-9))
            .count()
    }

    #[test]
    fn neighbours_are_the_cells_that_touch() {
        let wanted = [
            (Neighbourhood::Moore, 1..=2),
            (Neighbourhood::VonNeumann, 2..=2),
            (Neighbourhood::Diagonal, 1..=1),
            (Neighbourhood::Hexagonal, 2..=2),
            (Neighbourhood::Triangular, 1..=2),
            (Neighbourhood::TriangularEdges, 2..=2),
            (Neighbourhood::TriangularVertices, 1..=1),
        ];
        for (neighbourhood, corners) in wanted {
            let lattice = neighbourhood.lattice();
            for cell in Rect::new(-3, -2, 4, 4).cells() {
                let touching: Vec<(i64, i64)> = Rect::new(-3, -3, 7, 7)
                    .cells()
                    .filter(|&Coords { x, y }| (x, y) != (0, 0))
                    .filter(|&Coords { x, y }| {
                        corners.contains(&shared_corners(lattice, cell, cell.offset(x, y)))
                    })
                    .map(|Coords { x, y }| (x, y))
                    .collect();
                assert_eq!(touching, neighbourhood.offsets(cell), "{neighbourhood:?} of {cell:?}");
            }
        }
    }

    #[test]
    fn bounds_hold_all_outlines_and_touch_them() {
        for lattice in Lattice::ALL {
            for area in [Rect::new(-3, 2, 7, 5), Rect::new(4, -6, 1, 1), Rect::new(1, 1, 2, 9)] {
                let corners: Vec<Point> = area.cells().flat_map(|cell| lattice.outline_of(cell)).collect();
                let (low, high) = lattice.bounds_of(area);
                let least = |of: fn(&Point) -> f64| corners.iter().map(of).fold(f64::INFINITY, f64::min);
                let most = |of: fn(&Point) -> f64| corners.iter().map(of).fold(-f64::INFINITY, f64::max);
                let found = [least(|p| p.x), least(|p| p.y), most(|p| p.x), most(|p| p.y)];
                // One row of triangles ends with a corner on one side, which is as far.
                for (bound, found) in [low.x, low.y, high.x, high.y].into_iter().zip(found) {
                    assert!((bound - found).abs() < 1e-9, "{lattice:?} {area:?}: {bound} {found}");
                }
            }
        }
    }

    #[test]
    fn all_that_a_box_shows_is_within_it() {
        for lattice in Lattice::ALL {
            for (low, high) in [
                (Point::new(-3.2, -1.1), Point::new(5.7, 8.3)),
                (Point::new(0.49, 0.01), Point::new(0.51, 0.02)),
                (Point::new(-9.9, 3.4), Point::new(-9.0, 12.4)),
            ] {
                let within = lattice.cells_within(low, high);
                for (i, j) in (0..=60).flat_map(|i| (0..=60).map(move |j| (i, j))) {
                    let share = |low: f64, high: f64, step: i32| low + (high - low) * f64::from(step) / 60.0;
                    let cell = lattice.cell_at(Point::new(share(low.x, high.x, i), share(low.y, high.y, j)));
                    assert!(within.contains(cell), "{lattice:?} {low:?}: {cell:?} in {within:?}");
                }
            }
        }
    }

    #[test]
    fn a_line_goes_from_cell_to_touching_cell() {
        for lattice in Lattice::ALL {
            for to in [Point::new(30.0, 1.3), Point::new(-8.0, 21.0), Point::new(0.3, 0.2)] {
                let from = Point::new(0.2, 0.3);
                let cells = lattice.cells_along(from, to);
                assert_eq!(cells.first(), Some(&lattice.cell_at(from)), "{lattice:?}");
                assert_eq!(cells.last(), Some(&lattice.cell_at(to)), "{lattice:?}");
                for pair in cells.windows(2) {
                    assert!(shared_corners(lattice, pair[0], pair[1]) > 0, "{lattice:?}: {pair:?}");
                }
            }
        }
    }
}
