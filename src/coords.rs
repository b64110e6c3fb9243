//! Cell coordinates and rectangles of cells: x to the right, y downwards, both signed.

/// Coordinates of stored cells lie within ±this (2³¹ − 1), on every engine and in every file.
pub const COORDINATE_LIMIT: i64 = 2_147_483_647;

/// The place of a cell: x grows to the right, y downwards; the top-left cell of a bounded board is (0, 0).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Coords {
    /// Column, to the right.
    pub x: i64,
    /// Row, downwards.
    pub y: i64,
}

impl Coords {
    /// The cell in column `x`, row `y`.
    pub const fn new(x: i64, y: i64) -> Self {
        Self { x, y }
    }

    /// Whether a cell can be stored here. Good for any numbers, as files and callers have them.
    pub const fn is_in_reach(self) -> bool {
        let reach = COORDINATE_LIMIT.unsigned_abs();
        self.x.unsigned_abs() <= reach && self.y.unsigned_abs() <= reach
    }

    /// The place `dx` to the right and `dy` down from here.
    #[must_use]
    pub const fn offset(self, dx: i64, dy: i64) -> Self {
        Self { x: self.x + dx, y: self.y + dy }
    }
}

/// A rectangle of cells; empty when a side is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    /// Leftmost column.
    pub x: i64,
    /// Top row.
    pub y: i64,
    /// Columns, 0 or more.
    pub width: i64,
    /// Rows, 0 or more.
    pub height: i64,
}

impl Rect {
    /// The rectangle with top-left cell (`x`, `y`); negative sides count as 0.
    pub const fn new(x: i64, y: i64, width: i64, height: i64) -> Self {
        Self { x, y, width: if width < 0 { 0 } else { width }, height: if height < 0 { 0 } else { height } }
    }

    /// The smallest rectangle that holds both corner cells.
    pub fn between(a: Coords, b: Coords) -> Self {
        let (left, right) = (a.x.min(b.x), a.x.max(b.x));
        let (top, bottom) = (a.y.min(b.y), a.y.max(b.y));
        Self::new(left, top, right - left + 1, bottom - top + 1)
    }

    /// The column just right of the rectangle.
    pub const fn right(self) -> i64 {
        self.x + self.width
    }

    /// The row just below the rectangle.
    pub const fn bottom(self) -> i64 {
        self.y + self.height
    }

    /// Whether it holds no cell.
    pub const fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// How many cells it holds, saturating at `u64::MAX`.
    pub const fn area(self) -> u64 {
        (self.width as u64).saturating_mul(self.height as u64)
    }

    /// Whether the cell at `at` is inside.
    pub const fn contains(self, at: Coords) -> bool {
        at.x >= self.x && at.y >= self.y && at.x < self.right() && at.y < self.bottom()
    }

    /// Whether all of `other` is inside; an empty `other` always is.
    pub const fn contains_rect(self, other: Rect) -> bool {
        other.is_empty()
            || (other.x >= self.x
                && other.y >= self.y
                && other.right() <= self.right()
                && other.bottom() <= self.bottom())
    }

    /// The cells in both; empty when they don't meet.
    #[must_use]
    pub fn intersection(self, other: Rect) -> Self {
        let x = self.x.max(other.x);
        let y = self.y.max(other.y);
        Self::new(x, y, self.right().min(other.right()) - x, self.bottom().min(other.bottom()) - y)
    }

    /// The smallest rectangle that holds both; an empty one adds nothing.
    #[must_use]
    pub fn union(self, other: Rect) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let x = self.x.min(other.x);
        let y = self.y.min(other.y);
        Self::new(x, y, self.right().max(other.right()) - x, self.bottom().max(other.bottom()) - y)
    }

    /// The rectangle with `margin` more cells on every side.
    #[must_use]
    pub const fn grown(self, margin: i64) -> Self {
        Self::new(self.x - margin, self.y - margin, self.width + 2 * margin, self.height + 2 * margin)
    }

    /// The rectangle moved by (`dx`, `dy`).
    #[must_use]
    pub const fn translated(self, dx: i64, dy: i64) -> Self {
        Self::new(self.x + dx, self.y + dy, self.width, self.height)
    }

    /// Every cell inside, row by row.
    pub fn cells(self) -> impl Iterator<Item = Coords> {
        (self.y..self.bottom()).flat_map(move |y| (self.x..self.right()).map(move |x| Coords { x, y }))
    }
}

/// A coordinate difference or a size as an index into memory.
///
/// # Panics
/// When `value` is negative, which a caller has to rule out.
pub fn to_index(value: i64) -> usize {
    usize::try_from(value).expect("a size or an offset inside a rectangle is never negative")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_meet_join_and_grow() {
        let a = Rect::new(0, 0, 4, 3);
        let b = Rect::new(2, -1, 5, 2);
        assert_eq!(a.intersection(b), Rect::new(2, 0, 2, 1), "meet");
        assert_eq!(a.union(b), Rect::new(0, -1, 7, 4), "join");
        assert!(a.intersection(Rect::new(9, 9, 1, 1)).is_empty(), "apart");
        assert_eq!(a.grown(1), Rect::new(-1, -1, 6, 5), "grown");
        assert_eq!(a.cells().count(), 12, "cells of 4 x 3");
        assert_eq!(Rect::between(Coords::new(3, 1), Coords::new(-1, 2)), Rect::new(-1, 1, 5, 2), "corners");
        assert!(a.contains_rect(Rect::default()), "an empty one is inside");
    }
}
