//! How the board lies in memory: chunks of 512 × 512 cells, made where life is.
//!
//! ```text
//! chunk (cx, cy): the cells x = 512 cx … 512 cx + 511, y = 512 cy … 512 cy + 511
//! plane p, column of words c, row r: word 4096 p + 512 c + r, bit b = cell (512 cx + 64 c + b, 512 cy + r)
//! tile t = 8 · row of tiles + column of words: 64 × 64 cells in 64 words next to each other; bit t of the masks
//! ```
//!
//! Every chunk is there twice, `front` being the present generation. What sleeps is equal in both.

use std::collections::TryReserveError;

use rustc_hash::FxHashMap;

use super::census::Census;
use super::stepper::{Lane, try_lanes, words_mut};
use crate::board::TILE_SIDE;
use crate::coords::{Coords, Rect, to_index};

/// Cells along the side of a chunk.
pub(super) const SIDE: i64 = 512;
/// Columns of words of a chunk, and tiles along its side.
pub(super) const COLUMNS: usize = 8;
/// Rows of a chunk.
pub(super) const ROWS: usize = 512;
/// Rows of a tile.
pub(super) const TILE_ROWS: usize = 64;
/// Words of one plane.
pub(super) const PLANE: usize = ROWS * COLUMNS;
/// The chunks that lie furthest out: life must not come to their outer border.
pub(super) const FURTHEST: i64 = crate::board::COORDINATE_LIMIT / SIDE;

/// Masks of tiles: a row, and a column of them.
const TILE_ROW: u64 = 0xFF;
const TILE_COLUMN: u64 = 0x0101_0101_0101_0101;

/// The place of a chunk: (cy, cx).
pub(super) type Key = (i64, i64);

/// The chunk of a cell.
pub(super) const fn key_of(at: Coords) -> Key {
    (at.y.div_euclid(SIDE), at.x.div_euclid(SIDE))
}

/// The index of the word of plane 0 of a chunk that holds a cell, and the bit.
pub(super) fn word_of(at: Coords) -> (usize, u32) {
    let (x, y) = (to_index(at.x.rem_euclid(SIDE)), to_index(at.y.rem_euclid(SIDE)));
    (x / 64 * ROWS + y, u32::try_from(x % 64).expect("below 64"))
}

/// The first word of plane 0 of a tile.
pub(super) const fn first_word(tile: usize) -> usize {
    tile % COLUMNS * ROWS + tile / COLUMNS * TILE_ROWS
}

/// The numbers of the tiles of a mask.
pub(super) fn tiles_of(mask: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |tile| mask >> tile & 1 == 1)
}

/// The tile of a word of plane 0, as a mask.
pub(super) const fn tile_of(word: usize) -> u64 {
    1 << (word % ROWS / TILE_ROWS * COLUMNS + word / ROWS)
}

/// What is known of a chunk's tiles.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    pub(super) key: Key,
    /// Tiles that differ from what they were a macro-step ago, or were changed by hand.
    pub(super) changed: u64,
    /// Tiles that hold cells that differ from the background.
    pub(super) living: u64,
    /// What it holds, if that was counted since the chunk last changed.
    pub(super) census: Option<Census>,
}

impl Chunk {
    /// The top-left cell of a tile.
    pub(super) fn corner_of(&self, tile: usize) -> Coords {
        let cells = |tiles: usize| TILE_SIDE * i64::try_from(tiles).expect("a tile of a chunk");
        Coords::new(self.key.1 * SIDE + cells(tile % COLUMNS), self.key.0 * SIDE + cells(tile / COLUMNS))
    }

    /// The cells of the chunk.
    pub(super) const fn rect(&self) -> Rect {
        Rect::new(self.key.1 * SIDE, self.key.0 * SIDE, SIDE, SIDE)
    }

    /// The tiles that `area` meets.
    pub(super) fn tiles_in(&self, area: Rect) -> u64 {
        let whole = self.rect();
        let common = whole.intersection(area);
        if common.is_empty() {
            return 0;
        }
        let bits =
            |from: i64, to: i64| (u64::MAX >> (63 - (to - 1) / TILE_SIDE)) & (u64::MAX << (from / TILE_SIDE));
        let columns = bits(common.x - whole.x, common.right() - whole.x) & TILE_ROW;
        let rows = bits(common.y - whole.y, common.bottom() - whole.y) & TILE_ROW;
        (0..COLUMNS).filter(|row| rows >> row & 1 == 1).fold(0, |all, row| all | columns << (8 * row))
    }
}

/// A mask of tiles with its neighbours on all sides: those of `masks`, which are the masks of the nine chunks around in
/// reading order, that lie in or next to the middle one.
pub(super) fn spread(masks: [u64; 9]) -> u64 {
    let wide = |left: u64, here: u64, right: u64| {
        here | (here & !(TILE_COLUMN << 7)) << 1
            | (here & !TILE_COLUMN) >> 1
            | (left >> 7) & TILE_COLUMN
            | (right & TILE_COLUMN) << 7
    };
    let above = wide(masks[0], masks[1], masks[2]);
    let here = wide(masks[3], masks[4], masks[5]);
    let below = wide(masks[6], masks[7], masks[8]);
    here | here << 8 | here >> 8 | above >> 56 | below << 56
}

/// The nine places around a chunk in reading order.
pub(super) fn around((cy, cx): Key) -> [Key; 9] {
    std::array::from_fn(|i| {
        let step = |n: usize| i64::try_from(n).expect("below 3") - 1;
        (cy + step(i / 3), cx + step(i % 3))
    })
}

/// The neighbours (by their number in [`around`]) that life in `tiles` touches.
pub(super) fn touched(tiles: u64) -> impl Iterator<Item = usize> {
    let [top, bottom] = [tiles & TILE_ROW, tiles >> 56];
    let [left, right] = [tiles & TILE_COLUMN, tiles >> 7 & TILE_COLUMN];
    let corner = |tile: u32| tiles >> tile & 1 == 1;
    [
        (0, corner(0)),
        (1, top != 0),
        (2, corner(7)),
        (3, left != 0),
        (5, right != 0),
        (6, corner(56)),
        (7, bottom != 0),
        (8, corner(63)),
    ]
    .into_iter()
    .filter_map(|(neighbour, touched)| touched.then_some(neighbour))
}

/// All chunks.
#[derive(Default)]
pub(super) struct World {
    slots: FxHashMap<Key, usize>,
    pub(super) chunks: Vec<Chunk>,
    pub(super) front: Vec<Vec<Lane>>,
    pub(super) back: Vec<Vec<Lane>>,
    /// The slots of the nine chunks around each one; worked out anew when chunks came or went.
    pub(super) neighbours: Vec<[Option<usize>; 9]>,
    pub(super) stale: bool,
}

impl World {
    pub(super) fn slot(&self, key: Key) -> Option<usize> {
        self.slots.get(&key).copied()
    }

    /// The slot of a chunk, which is made if it is not there yet: all background, whose planes are `uniform`. Errors when
    /// there is no memory for it; then all is as it was.
    pub(super) fn ensure(&mut self, key: Key, uniform: &[u64]) -> Result<usize, TryReserveError> {
        if let Some(slot) = self.slot(key) {
            return Ok(slot);
        }
        let planes = || -> Result<Vec<Lane>, TryReserveError> {
            let mut planes = try_lanes(uniform.len() * PLANE)?;
            for (plane, &word) in words_mut(&mut planes).chunks_mut(PLANE).zip(uniform) {
                plane.fill(word);
            }
            Ok(planes)
        };
        let (front, back) = (planes()?, planes()?);
        self.slots.try_reserve(1)?;
        self.chunks.try_reserve(1)?;
        self.front.try_reserve(1)?;
        self.back.try_reserve(1)?;
        let slot = self.chunks.len();
        self.slots.insert(key, slot);
        self.chunks.push(Chunk { key, ..Chunk::default() });
        self.front.push(front);
        self.back.push(back);
        self.stale = true;
        Ok(slot)
    }

    /// Drops the chunks for which `keep` is false.
    pub(super) fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        for slot in (0..self.chunks.len()).rev().filter(|&slot| !keep(slot)) {
            self.slots.remove(&self.chunks[slot].key);
            self.chunks.swap_remove(slot);
            self.front.swap_remove(slot);
            self.back.swap_remove(slot);
            if let Some(moved) = self.chunks.get(slot) {
                self.slots.insert(moved.key, slot);
            }
            self.stale = true;
        }
    }

    /// Brings `neighbours` up to date.
    pub(super) fn meet(&mut self) {
        if self.stale {
            self.neighbours =
                self.chunks.iter().map(|chunk| around(chunk.key).map(|key| self.slot(key))).collect();
            self.stale = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_spreads_to_its_eight_neighbours_across_chunks() {
        // Every tile of three by three chunks, by its place among 24 × 24 tiles.
        for (ty, tx) in (0..24i64).flat_map(|ty| (0..24i64).map(move |tx| (ty, tx))) {
            let mut masks = [0u64; 9];
            masks[to_index(ty / 8 * 3 + tx / 8)] = 1 << (ty % 8 * 8 + tx % 8);
            let expected = (0..64i64)
                .filter(|tile| (tile / 8 + 8 - ty).abs() <= 1 && (tile % 8 + 8 - tx).abs() <= 1)
                .fold(0u64, |all, tile| all | 1 << tile);
            assert_eq!(spread(masks), expected, "tile ({tx}, {ty})");
        }
    }

    #[test]
    fn tiles_at_the_border_touch_the_chunks_beyond() {
        let all = |tiles| touched(tiles).collect::<Vec<_>>();
        assert_eq!(all(1), [0, 1, 3], "top left");
        assert_eq!(all(1 << 63), [5, 7, 8], "bottom right");
        assert_eq!(all(1 << 7 | 1 << 56), [1, 2, 3, 5, 6, 7], "the other corners");
        assert!(all(1 << 9).is_empty(), "inside");
        let chunk = Chunk { key: (-1, 0), ..Chunk::default() };
        assert_eq!(chunk.tiles_in(Rect::new(-5, -1, 70, 30)), 0b11 << 56, "two tiles of the last row");
        assert_eq!(chunk.tiles_in(Rect::new(0, 0, 5, 5)), 0, "beside it");
    }

    #[test]
    fn chunks_are_found_again_when_others_are_dropped() {
        let mut world = World::default();
        for key in [(0, 0), (0, 1), (7, -3)] {
            world.ensure(key, &[5]).expect("memory");
        }
        world.retain(|slot| slot != 0);
        world.meet();
        assert_eq!(world.slot((0, 0)), None, "dropped");
        for key in [(0, 1), (7, -3)] {
            let slot = world.slot(key).expect("kept");
            assert_eq!(world.chunks[slot].key, key, "moved with its key");
            assert_eq!(world.neighbours[slot][4], Some(slot), "its own middle");
        }
    }
}
