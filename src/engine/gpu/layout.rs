//! How a board lies in its texture, and the structs that shaders read: the twin of `shaders/board.wgsl`. No other
//! Rust file addresses texels.

use bytemuck::{Pod, Zeroable};

use crate::board::{Glue, Topology};
use crate::coords::{Rect, to_index};
use crate::engine::EngineError;

/// `Board` of `shaders/board.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct BoardUniform {
    /// Coordinates of the top-left cell; x is a multiple of 32.
    pub origin: [i32; 2],
    /// Columns and rows, cells.
    pub size: [u32; 2],
    /// Words of a row.
    pub words: u32,
    /// Rows of a layer are 2^`fold_shift`.
    pub fold_shift: u32,
    /// How edges are glued: [`Glue::kind`].
    pub glue: u32,
    /// [`Glue::offset`].
    pub offset: i32,
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
    /// First row to work out.
    pub first_row: u32,
    /// The row after the last.
    pub end_row: u32,
    /// Plane bits of all cells beyond the board.
    pub background: u32,
    /// Fills up to 16 bytes.
    pub unused: u32,
}

/// `Question` of `shaders/tally.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct QuestionUniform {
    /// The state of the background.
    pub background: u32,
    /// Fills up to 16 bytes.
    pub unused: [u32; 3],
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

/// Where the rows of a board are in its texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    field: Rect,
    glue: Glue,
    planes: u32,
    words: u32,
    fold_shift: u32,
    folds: u32,
}

impl Layout {
    /// The layout of a board that covers `field`. Errors when it does not fit the adapter.
    pub fn new(
        field: Rect,
        topology: Topology,
        planes: usize,
        limits: TextureLimits,
    ) -> Result<Self, EngineError> {
        let too_large =
            |reason: String| EngineError::TooLarge { width: field.width, height: field.height, reason };
        let planes = u32::try_from(planes).expect("a few planes");
        let words = u64::try_from(field.width).unwrap_or(0).div_ceil(32);
        let Some(words) = u32::try_from(words).ok().filter(|w| *w <= limits.side) else {
            return Err(too_large(format!("this GPU holds at most {} columns", u64::from(limits.side) * 32)));
        };
        let height = u64::try_from(field.height).unwrap_or(0);
        // Folded only when it must be; then into layers whose height is a power of two.
        let fold_shift = if height <= u64::from(limits.side) { 31 } else { limits.side.ilog2() };
        let folds = height.div_ceil(1 << fold_shift).max(1);
        let rows = u64::from(limits.layers / planes) << fold_shift;
        let Some(folds) = u32::try_from(folds).ok().filter(|f| f * planes <= limits.layers) else {
            return Err(too_large(format!("this GPU holds at most {rows} rows")));
        };
        let bytes = 4 * u128::from(words) * u128::from(height) * u128::from(planes);
        if bytes > u128::from(limits.bytes) {
            return Err(too_large(format!(
                "it takes two textures of {:.1} GiB, and this machine allows {:.1} GiB each",
                bytes as f64 / f64::powi(2.0, 30),
                limits.bytes as f64 / f64::powi(2.0, 30)
            )));
        }
        Ok(Self { field, glue: topology.glue(), planes, words, fold_shift, folds })
    }

    /// Whether the step finds what is beyond the edges by whole words: `PLAIN` of `shaders/step.wgsl`.
    pub const fn is_plain(topology: Topology) -> bool {
        match topology {
            Topology::Unbounded | Topology::Plane { .. } => true,
            Topology::Torus { width, .. } => width % 32 != 1,
            _ => false,
        }
    }

    /// The cells of the board.
    pub const fn field(&self) -> Rect {
        self.field
    }

    /// Words of a row.
    pub const fn words(&self) -> u32 {
        self.words
    }

    /// Bit planes.
    pub const fn planes(&self) -> u32 {
        self.planes
    }

    /// Rows of the board.
    pub fn height(&self) -> u32 {
        u32::try_from(self.field.height).expect("checked when it was made")
    }

    /// Bits of the last word of a row that are cells.
    pub const fn last_mask(&self) -> u32 {
        match self.field.width % 32 {
            0 => u32::MAX,
            used => (1 << used) - 1,
        }
    }

    /// The size of the texture.
    pub fn texture_size(&self) -> wgpu::Extent3d {
        let rows = if self.folds == 1 { self.height().max(1) } else { 1 << self.fold_shift };
        wgpu::Extent3d {
            width: self.words.max(1),
            height: rows,
            depth_or_array_layers: self.folds * self.planes,
        }
    }

    /// What shaders read of it.
    pub fn uniform(&self) -> BoardUniform {
        let signed = |value: i64| i32::try_from(value).expect("coordinates are within ±2³¹");
        BoardUniform {
            origin: [signed(self.field.x), signed(self.field.y)],
            size: [u32::try_from(self.field.width).expect("checked when it was made"), self.height()],
            words: self.words,
            fold_shift: self.fold_shift,
            glue: self.glue.kind,
            offset: signed(self.glue.offset),
        }
    }

    /// The rows from `first` (of the field, from 0) on that lie below each other in the texture, at most `most`:
    /// their texel row, the layer of their plane 0, and how many they are.
    pub fn rows_together(&self, first: i64, most: i64) -> (u32, u32, u32) {
        let first = u32::try_from(first).expect("a row of the board");
        let fold = first.checked_shr(self.fold_shift).unwrap_or(0);
        let row = first - (fold << self.fold_shift);
        let left = if self.folds == 1 { self.height() - first } else { (1 << self.fold_shift) - row };
        let count = u32::try_from(most).unwrap_or(u32::MAX).min(left);
        (row, fold * self.planes, count)
    }

    /// The column of words that holds column `x` of the world.
    pub fn word_of(&self, x: i64) -> u32 {
        u32::try_from(to_index(x - self.field.x) / 32).expect("a column of the board")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: TextureLimits = TextureLimits { side: 16_384, layers: 256, bytes: 1 << 40 };

    #[test]
    fn a_board_of_65536_squared_is_folded_into_layers() {
        let layout =
            Layout::new(Rect::new(0, 0, 65_536, 65_536), Topology::Unbounded, 2, LIMITS).expect("it fits");
        let size = layout.texture_size();
        assert_eq!(
            (size.width, size.height, size.depth_or_array_layers),
            (2048, 16_384, 8),
            "2 planes x 4 folds"
        );
        assert_eq!(layout.rows_together(16_380, 100), (16_380, 0, 4), "up to the fold");
        assert_eq!(layout.rows_together(16_384, 100), (0, 2, 100), "after the fold");
    }

    #[test]
    fn boards_past_the_limits_are_refused_with_the_reason() {
        let refuse = |width, height, limits| {
            let field = Rect::new(0, 0, width, height);
            Layout::new(field, Topology::Unbounded, 2, limits).expect_err("too large").to_string()
        };
        assert!(refuse(2_000_000_000, 3, LIMITS).contains("at most 524288 columns"), "wide");
        assert!(refuse(3, 2_000_000_001, LIMITS).contains("at most 2097152 rows"), "high");
        let small = TextureLimits { bytes: 1 << 20, ..LIMITS };
        assert!(refuse(4096, 4096, small).contains("two textures"), "memory");
    }
}
