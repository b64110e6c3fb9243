//! How tiles lie in the atlas, and the structs that shaders read: the twin of `shaders/board.wgsl`. No other Rust file
//! addresses texels.

use bytemuck::{Pod, Zeroable};

use crate::board::Topology;
use crate::coords::{Coords, Rect};

/// Cells along the side of a tile are 2^this. Bounds within a tile are told in 8 bits, so it is 8 at the most.
pub(super) const TILE_SHIFT: u32 = 8;
/// Cells along the side of a tile.
pub(super) const TILE_SIDE: i64 = 1 << TILE_SHIFT;
/// Words of a row of a tile.
pub(super) const TILE_WORDS: u32 = 1 << (TILE_SHIFT - 5);
/// Rows of a tile.
pub(super) const TILE_ROWS: u32 = 1 << TILE_SHIFT;
/// Words of one plane of a tile.
pub(super) const PLANE_WORDS: usize = (TILE_WORDS * TILE_ROWS) as usize;

/// Generations of a leap: a multiple of the common periods of ash, and few enough that what comes from a word away at two
/// cells a generation does not arrive.
pub(super) const LEAP: u64 = 12;

/// Rows that one invocation leaps with; [`LEAP`] and [`block_rows`] are multiples of it.
pub(super) const CHUNK: u32 = 4;

/// Rows of a tile that one workgroup leaps with: with those around them they fit into its memory of 16 KiB.
pub(super) fn block_rows(planes: usize) -> u32 {
    const MEMORY_WORDS: usize = 4096;
    let words = |rows: u32| {
        planes * (rows as usize + 2 * usize::try_from(LEAP).unwrap_or(0)) * (TILE_WORDS as usize + 2)
    };
    [64, 32].into_iter().find(|&rows| words(rows) <= MEMORY_WORDS).unwrap_or(16)
}

/// `Board` of `shaders/board.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct BoardUniform {
    /// Columns and rows of a bounded board; the largest numbers on the unbounded plane.
    pub size: [i32; 2],
    /// Slots in a row of the atlas are 2^`columns_shift`.
    pub columns_shift: u32,
    /// Rows of slots in a layer are 2^`rows_shift`.
    pub rows_shift: u32,
    /// How edges are glued: [`Glue::kind`](crate::board::Glue::kind).
    pub glue: u32,
    /// [`Glue::offset`](crate::board::Glue::offset).
    pub offset: i32,
}

/// `Tile` of `shaders/board.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct TileEntry {
    /// Its coordinates in tiles.
    pub at: [i32; 2],
    /// The slots of the tiles around it in reading order, itself in the middle.
    pub around: [u32; 9],
    /// Fills up to 8 bytes.
    pub unused: u32,
}

/// `Place` of `shaders/board.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct PlaceEntry {
    /// Coordinates of a tile.
    pub at: [i32; 2],
    /// Its slot.
    pub slot: u32,
    /// 0 where the place is free.
    pub used: u32,
}

/// `Ghosts` of `shaders/margin.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct GhostsEntry {
    /// Column of words.
    pub word: i32,
    /// Row.
    pub y: i32,
    /// Which of 32 cells are ghosts.
    pub cells: u32,
    /// The slot that they are in.
    pub slot: u32,
}

/// `Moment` of `shaders/step.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct MomentUniform {
    /// Bits 0–31 of the generation that is read.
    pub generation_low: u32,
    /// Bits 32–63 of it.
    pub generation_high: u32,
    /// Bits 0–31 of the seed.
    pub seed_low: u32,
    /// Bits 32–63 of it.
    pub seed_high: u32,
    /// The first of the slots that are stepped.
    pub first: u32,
    /// The one after the last.
    pub end: u32,
    /// Fills up to 16 bytes.
    pub unused: [u32; 2],
}

/// `Question` of `shaders/tally.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct QuestionUniform {
    /// The state of the background.
    pub background: u32,
    /// How many slots are counted.
    pub slots: u32,
    /// Fills up to 16 bytes.
    pub unused: [u32; 2],
}

/// What an adapter allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureLimits {
    /// Texels along a side.
    pub side: u32,
    /// Layers of an array.
    pub layers: u32,
    /// Bytes of one texture, as far as that is known.
    pub bytes: u64,
}

/// A tile's coordinates in tiles, in reading order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct TileAt {
    pub(super) y: i32,
    pub(super) x: i32,
}

impl TileAt {
    /// The tile that holds a cell.
    pub(super) fn of(at: Coords) -> Self {
        let tile = |v: i64| i32::try_from(v >> TILE_SHIFT).expect("coordinates are within ±2³¹");
        Self { y: tile(at.y), x: tile(at.x) }
    }

    /// Its cells.
    pub(super) fn cells(self) -> Rect {
        Rect::new(i64::from(self.x) * TILE_SIDE, i64::from(self.y) * TILE_SIDE, TILE_SIDE, TILE_SIDE)
    }
}

/// The shape of an atlas: where slots are in its textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Atlas {
    planes: u32,
    columns_shift: u32,
    rows_shift: u32,
    /// Rows of slots that a layer has: all 2^`rows_shift`, or fewer when one group of layers is enough.
    rows: u32,
    groups: u32,
}

impl Atlas {
    /// Slots of a row in an atlas of a few rows and in a large one: a row of texels should be long, and a copy of a
    /// row of slots is a piece of work.
    const COLUMNS_SHIFTS: [u32; 2] = [4, 7];

    /// An atlas of at least `slots` slots; the reason why there can't be one.
    pub(super) fn new(slots: u64, planes: usize, limits: TextureLimits) -> Result<Self, String> {
        let planes = u32::try_from(planes).expect("a few planes");
        let rows_shift = (limits.side / TILE_ROWS).max(1).ilog2();
        let [small, large] = Self::COLUMNS_SHIFTS.map(|shift| shift.min((limits.side / TILE_WORDS).ilog2()));
        let columns_shift = if slots <= 1 << (small + rows_shift) { small } else { large };
        let rows = slots.div_ceil(1 << columns_shift).max(1);
        let groups = rows.div_ceil(1 << rows_shift);
        let most = u64::from(limits.layers / planes);
        let bytes = slots * 4 * PLANE_WORDS as u64 * u64::from(planes);
        if groups > most {
            let most = (most << (columns_shift + rows_shift)) * TILE_SIDE.unsigned_abs().pow(2);
            return Err(format!(
                "this GPU holds at most {:.0} billion cells of this rule",
                most as f64 / 1e9
            ));
        }
        if bytes > limits.bytes {
            return Err(format!(
                "it takes two textures of {:.1} GiB, and this machine allows {:.1} GiB each",
                bytes as f64 / f64::powi(2.0, 30),
                limits.bytes as f64 / f64::powi(2.0, 30)
            ));
        }
        let narrow = |value: u64| u32::try_from(value).expect("bounded by the layers");
        let rows = if groups == 1 { narrow(rows) } else { 1 << rows_shift };
        Ok(Self { planes, columns_shift, rows_shift, rows, groups: narrow(groups) })
    }

    /// How many slots there are.
    pub(super) const fn slots(&self) -> u32 {
        (self.groups * self.rows) << self.columns_shift
    }

    /// The size of a texture.
    pub(super) const fn texture_size(&self) -> wgpu::Extent3d {
        wgpu::Extent3d {
            width: TILE_WORDS << self.columns_shift,
            height: self.rows * TILE_ROWS,
            depth_or_array_layers: self.groups * self.planes,
        }
    }

    /// Slots that lie beside each other in a row: 2^this.
    pub(super) const fn columns_shift(&self) -> u32 {
        self.columns_shift
    }

    /// Where a slot's texels begin.
    pub(super) const fn texels_of(&self, slot: u32) -> wgpu::Origin3d {
        wgpu::Origin3d {
            x: (slot & ((1 << self.columns_shift) - 1)) * TILE_WORDS,
            y: (slot >> self.columns_shift & ((1 << self.rows_shift) - 1)) * TILE_ROWS,
            z: (slot >> (self.columns_shift + self.rows_shift)) * self.planes,
        }
    }

    /// What shaders read of a board with this atlas.
    pub(super) fn uniform(&self, topology: Topology, glued: bool) -> BoardUniform {
        let side = |value: i64| i32::try_from(value).expect("coordinates are within ±2³¹");
        let glue = topology.glue();
        BoardUniform {
            size: topology.bounds().map_or([i32::MAX; 2], |b| [side(b.width), side(b.height)]),
            columns_shift: self.columns_shift,
            rows_shift: self.rows_shift,
            glue: if glued { glue.kind } else { 0 },
            offset: side(glue.offset),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: TextureLimits = TextureLimits { side: 16_384, layers: 256, bytes: 1 << 40 };

    #[test]
    fn slots_do_not_overlap_and_stay_inside_the_texture() {
        for (slots, planes) in [(1, 1), (17, 2), (1024, 8), (1025, 3), (70_000, 2)] {
            let atlas = Atlas::new(slots, planes, LIMITS).expect("it fits");
            assert!(u64::from(atlas.slots()) >= slots, "{slots} slots in {atlas:?}");
            let size = atlas.texture_size();
            let mut seen = std::collections::HashSet::new();
            for slot in 0..atlas.slots() {
                let at = atlas.texels_of(slot);
                assert!(at.x + TILE_WORDS <= size.width && at.y + TILE_ROWS <= size.height, "{at:?}");
                assert!(at.z + atlas.planes <= size.depth_or_array_layers, "{at:?} of {atlas:?}");
                assert!(seen.insert((at.x, at.y, at.z)), "slot {slot} of {atlas:?} has a place of its own");
            }
        }
    }

    #[test]
    fn an_atlas_past_the_limits_is_refused_with_the_reason() {
        let refuse = |slots, limits| Atlas::new(slots, 2, limits).expect_err("too large");
        assert!(refuse(1 << 40, LIMITS).contains("billion cells"), "layers");
        let small = TextureLimits { bytes: 1 << 20, ..LIMITS };
        assert!(refuse(4096, small).contains("two textures"), "memory");
    }

    #[test]
    fn cells_of_negative_coordinates_have_tiles() {
        let tile = TileAt::of(Coords::new(-1, -257));
        assert_eq!(tile, TileAt { y: -2, x: -1 }, "rounded down");
        assert_eq!(tile.cells(), Rect::new(-256, -512, 256, 256), "its cells");
    }
}
