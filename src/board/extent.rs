//! The dense rectangle that stands for the unbounded plane: how large it is taken, how long it lasts.

use crate::coords::{COORDINATE_LIMIT, Rect};

/// Columns are taken in whole words of both engines.
const ALIGNMENT: i64 = 64;
/// Free cells left around life, at the least, when a rectangle is taken.
const MARGIN: i64 = 64;

/// A rectangle of the unbounded plane that holds all life; outside of it is background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    rect: Rect,
}

impl Extent {
    /// Room for `life` (`None`: no life yet) and for its growth: a quarter of its size and 64 cells on each side,
    /// in whole 64-cell columns.
    pub fn around(life: Option<Rect>) -> Self {
        let life = life.unwrap_or_default();
        let wanted = life.grown(MARGIN + life.width.max(life.height) / 4);
        let limit =
            Rect::new(-COORDINATE_LIMIT, -COORDINATE_LIMIT, 2 * COORDINATE_LIMIT, 2 * COORDINATE_LIMIT);
        let wanted = wanted.intersection(limit);
        let left = wanted.x.div_euclid(ALIGNMENT) * ALIGNMENT;
        let right = (wanted.right() + ALIGNMENT - 1).div_euclid(ALIGNMENT) * ALIGNMENT;
        Self { rect: Rect::new(left, wanted.y, right - left, wanted.height) }
    }

    /// The extent that is `rect`: one that was taken before.
    pub const fn of(rect: Rect) -> Self {
        Self { rect }
    }

    /// The rectangle; x and width are multiples of 64.
    pub const fn rect(self) -> Rect {
        self.rect
    }

    /// Generations for which life that is within `life` now can't reach past the rectangle, when it moves at most
    /// `reach` cells a generation.
    pub fn lasts(self, life: Option<Rect>, reach: i64) -> u64 {
        let Some(life) = life else {
            return u64::MAX;
        };
        let free = (life.x - self.rect.x)
            .min(life.y - self.rect.y)
            .min(self.rect.right() - life.right())
            .min(self.rect.bottom() - life.bottom());
        u64::try_from(free / reach).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn life_has_room_on_all_sides() {
        for life in [None, Some(Rect::new(-1000, 5, 3, 3)), Some(Rect::new(0, 0, 1000, 1))] {
            let extent = Extent::around(life);
            let rect = extent.rect();
            assert_eq!((rect.x.rem_euclid(64), rect.width % 64), (0, 0), "whole words around {life:?}");
            assert!(rect.contains_rect(life.unwrap_or_default()), "{life:?} in {rect:?}");
            assert!(extent.lasts(life, 2) >= 32, "{life:?} in {rect:?}");
        }
        assert_eq!(Extent::around(None).lasts(Some(Rect::new(-64, 0, 1, 1)), 1), 0, "at the edge");
    }
}
