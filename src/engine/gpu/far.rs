//! The far view of a board: the mean colour of every block of 32 × 32 cells and of all larger ones, so that a pixel of
//! any size is the mean of a few of them.
//!
//! ```text
//! texture --far.wgsl: shade--> 32² … 256² cells of each tile --merge--> 512², 1024² … cells, level after level
//! ```
//!
//! Nothing is read back. Blocks above the size of a tile are only there where a tile is; all others are background.

use std::collections::BTreeMap;

use super::GpuEngine;
use super::device::Gpu;
use super::layout::{PlaceEntry, TILE_SHIFT, TILE_WORDS, TileAt};
use super::programs::{group_layout, module, pipeline, storage, uniform};
use super::shaders::far_source;
use super::tiles::{hash_map, is_of_board};
use super::world::spread_out;
use crate::rule::Kernel;

/// Levels of blocks: the smallest are 2^5 cells a side, the largest 2^31.
const LEVELS: std::ops::RangeInclusive<u32> = 5..=31;
/// Shades of a slot; the twin of `SHADES` in `shaders/view.wgsl`.
const SHADES: u32 = (4 * TILE_WORDS * TILE_WORDS - 1) / 3;
/// A part of a block that no tile holds.
const NO_SHADE: u32 = u32::MAX;

/// The level of blocks from which a view with so many cells along a pixel is drawn: two to four of them along a pixel.
/// 0 where so few cells are looked at themselves.
pub fn far_level(cells_per_px: f64) -> u32 {
    if cells_per_px < 64.0 {
        return 0;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "5 to 31 after clamping")]
    let level = (cells_per_px.log2().floor() - 1.0)
        .clamp(f64::from(*LEVELS.start()), f64::from(*LEVELS.end())) as u32;
    level
}

/// The shades of a board, and what makes them.
pub struct FarView {
    layout: wgpu::BindGroupLayout,
    group: wgpu::BindGroup,
    /// Compiled when it is first needed.
    work: Option<Work>,
    blocks: Option<Blocks>,
    /// Which board was shaded last, in which colours.
    shaded: Option<(u64, Vec<u8>)>,
}

/// What makes the shades.
struct Work {
    layout: wgpu::BindGroupLayout,
    shade: wgpu::ComputePipeline,
    merge: wgpu::ComputePipeline,
}

/// The blocks over the tiles of a board.
struct Blocks {
    /// Which tiles those are.
    stamp: u64,
    /// For each level above the tiles: what is to be done, and how many blocks there are.
    levels: Vec<(wgpu::BindGroup, u64)>,
    slots: u64,
}

/// `Merged` of `shaders/far.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Merged {
    first: u32,
    end: u32,
    base: u32,
    slots: u32,
}

impl FarView {
    /// No view yet.
    pub fn new(gpu: &Gpu) -> Self {
        let layout = group_layout(gpu, "biota.far", &[storage(0, true), storage(1, true)]);
        let none = gpu.buffer_with("biota.far.none", &[0u32; 16], wgpu::BufferUsages::STORAGE);
        let group = far_group(gpu, &layout, &none, &none);
        Self { layout, group, work: None, blocks: None, shaded: None }
    }

    /// The layout of group 3 of `shaders/draw.wgsl`.
    pub const fn layout(&self) -> &wgpu::BindGroupLayout {
        &self.layout
    }

    /// That group.
    pub const fn group(&self) -> &wgpu::BindGroup {
        &self.group
    }

    /// Brings the shades up to date with the board, in a submission of its own; `colours` are those of the view in
    /// `view_group`, which is of `view_layout`, group 1 of `shaders/view.wgsl`. The boards of one view have one kernel.
    pub fn update(
        &mut self,
        engine: &GpuEngine,
        view_layout: &wgpu::BindGroupLayout,
        view_group: &wgpu::BindGroup,
        colours: &[u8],
    ) {
        let key = (engine.stamp(), colours.to_vec());
        if self.shaded.as_ref() == Some(&key) {
            return;
        }
        let work = self.work.get_or_insert_with(|| Work::new(engine, view_layout));
        if self.blocks.as_ref().is_none_or(|blocks| blocks.stamp != engine.tiles_stamp()) {
            let (group, blocks) = find_blocks(engine, &self.layout, &work.layout);
            (self.group, self.blocks) = (group, Some(blocks));
        }
        let Some(blocks) = &self.blocks else { return };
        let mut encoder = engine.gpu().encoder("biota.far");
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("biota.far"),
                timestamp_writes: None,
            });
            pass.set_bind_group(0, engine.front_group(), &[]);
            pass.set_bind_group(1, view_group, &[]);
            for (index, (group, count)) in blocks.levels.iter().enumerate() {
                pass.set_bind_group(2, group, &[]);
                if index == 0 {
                    pass.set_pipeline(&work.shade);
                    let (x, y) = spread_out(blocks.slots);
                    pass.dispatch_workgroups(x, y, 1);
                    pass.set_pipeline(&work.merge);
                }
                let (x, y) = spread_out(count.div_ceil(64));
                pass.dispatch_workgroups(x, y, 1);
            }
        }
        engine.gpu().queue().submit([encoder.finish()]);
        self.shaded = Some(key);
    }
}

impl Work {
    fn new(engine: &GpuEngine, view_layout: &wgpu::BindGroupLayout) -> Self {
        let (gpu, kernel): (&Gpu, &Kernel) = (engine.gpu(), engine.kernel());
        let work =
            [storage(0, true), storage(1, false), storage(2, true), uniform(3, false, size_of::<Merged>())];
        let layout = group_layout(gpu, "biota.far.work", &work);
        let source = module(gpu, "biota.far", far_source(kernel));
        let layouts = [engine.board_layout(), view_layout, &layout];
        let [shade, merge] = ["shade", "merge"].map(|name| pipeline(gpu, &source, name, &layouts, &[]));
        Self { layout, shade, merge }
    }
}

/// Lists the blocks over the tiles that are held now.
fn find_blocks(
    engine: &GpuEngine,
    layout: &wgpu::BindGroupLayout,
    work_layout: &wgpu::BindGroupLayout,
) -> (wgpu::BindGroup, Blocks) {
    let gpu = engine.gpu();
    let tiles: Vec<(TileAt, u32)> =
        engine.world.tiles().iter().filter(is_of_board(engine.world.tiles())).collect();
    let slots: Vec<u32> = tiles.iter().map(|&(_, slot)| slot).collect();
    let base = (slots.iter().max().map_or(0, |last| last + 1)) * SHADES;
    // Those below, each with the place of its shade.
    let mut below: Vec<(TileAt, u32)> =
        tiles.iter().map(|&(at, slot)| (at, slot * SHADES + SHADES - 1)).collect();
    let (mut parts, mut places, mut ranges) = (Vec::new(), Vec::new(), Vec::new());
    let count =
        |parts: &Vec<[u32; 4]>| u32::try_from(parts.len()).expect("fewer blocks than tiles and levels");
    for level in TILE_SHIFT + 1..=*LEVELS.end() {
        let mut blocks: BTreeMap<TileAt, [u32; 4]> = BTreeMap::new();
        for (at, place) in below {
            let block = TileAt { y: at.y >> 1, x: at.x >> 1 };
            let part = usize::from(at.y & 1 == 1) * 2 + usize::from(at.x & 1 == 1);
            blocks.entry(block).or_insert([NO_SHADE; 4])[part] = place;
        }
        let first = count(&parts);
        below = (base + first..).zip(&blocks).map(|(place, (&at, _))| (at, place)).collect();
        parts.extend(blocks.into_values());
        ranges.push((first, count(&parts)));
        places.extend(below.iter().map(|&(at, slot)| PlaceEntry { at: [at.x, at.y], slot, used: level }));
    }
    let none = parts.is_empty();
    let size = u64::from(base + count(&parts)).max(1) * 16;
    let storage = wgpu::BufferUsages::STORAGE;
    let shades = gpu.buffer("biota.far.shades", size, storage);
    let map = gpu.buffer_with("biota.far.blocks", &hash_map(places), storage);
    let group = far_group(gpu, layout, &shades, &map);
    let mut levels = Vec::new();
    if !none {
        let list = gpu.buffer_with("biota.far.slots", &slots, storage);
        let parts = gpu.buffer_with("biota.far.parts", &parts, storage);
        for (first, end) in ranges {
            let count = u32::try_from(slots.len()).expect("a slot is a u32");
            let merged = [Merged { first, end, base, slots: count }];
            let merged = gpu.buffer_with("biota.far.merged", &merged, wgpu::BufferUsages::UNIFORM);
            let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
                .zip([&list, &shades, &parts, &merged])
                .map(|(binding, buffer)| wgpu::BindGroupEntry {
                    binding,
                    resource: buffer.as_entire_binding(),
                })
                .collect();
            let group = gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("biota.far.work"),
                layout: work_layout,
                entries: &entries,
            });
            levels.push((group, u64::from(end - first)));
        }
    }
    (group, Blocks { stamp: engine.tiles_stamp(), levels, slots: slots.len() as u64 })
}

fn far_group(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    shades: &wgpu::Buffer,
    blocks: &wgpu::Buffer,
) -> wgpu::BindGroup {
    gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("biota.far"),
        layout,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: shades.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: blocks.as_entire_binding() },
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_is_two_to_four_blocks_wide() {
        assert_eq!(far_level(63.9), 0, "cells themselves");
        for exponent in 24..230 {
            let cells = 2f64.powf(f64::from(exponent) / 4.0);
            let level = far_level(cells);
            if level > 5 && level < 31 {
                let blocks = cells / 2f64.powi(i32::try_from(level).expect("small"));
                assert!((2.0..4.0).contains(&blocks), "{blocks} blocks of level {level} for {cells} cells");
            }
        }
    }
}
