//! The textures of one board and what goes with them: tables, lists and bind groups; and tiles on their way in and out.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::device::Gpu;
use super::layout::{Atlas, PLANE_WORDS, TILE_ROWS, TILE_WORDS, TextureLimits, TileAt};
use super::programs::{Programs, Tools};
use super::tiles::{Seams, Tiles};
use crate::engine::EngineError;

/// Bytes of tiles that are uploaded or read back at a time.
const CHUNK_BYTES: usize = 32 << 20;

/// The textures of one board.
pub(super) struct World {
    gpu: Arc<Gpu>,
    programs: Arc<Programs>,
    planes: usize,
    limits: TextureLimits,
    tiles: Tiles,
    /// The generations that go by until ghosts are filled anew: one, or those of a leap where it is right.
    strides: &'static [u64],
    atlas: Atlas,
    /// `front` says which one holds the present generation.
    textures: [wgpu::Texture; 2],
    pub(super) front: usize,
    tables: Tables,
    /// Changes whenever tiles come or go.
    stamp: u64,
    /// The slots that are stepped.
    list: Vec<u32>,
    bound: Bound,
}

/// What shaders know of the tiles, made anew whenever some come or go.
struct Tables {
    board: wgpu::Buffer,
    tiles: wgpu::Buffer,
    map: wgpu::Buffer,
    /// The rings of ghosts that there are, for growing strides.
    rings: Vec<Ring>,
}

/// A ring of ghost cells that are good for some generations.
struct Ring {
    stride: u64,
    group: wgpu::BindGroup,
    words: u64,
}

/// What shaders see of a board, made anew whenever its tables or the list of slots change.
struct Bound {
    /// For reading texture t (drawing, tally).
    read: [wgpu::BindGroup; 2],
    /// For stepping from texture t into the other.
    step: [wgpu::BindGroup; 2],
}

/// A number that was never given before.
pub(super) fn next_stamp() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// How `groups` workgroups are dispatched: shaders count them row by row.
pub(super) fn spread_out(groups: u64) -> (u32, u32) {
    const ACROSS: u64 = 32_768;
    let narrow = |value: u64| u32::try_from(value).expect("bounded by the memory of textures");
    (narrow(groups.min(ACROSS)), narrow(groups.div_ceil(ACROSS)))
}

impl World {
    /// Textures with room for `tiles`; ghosts are good for so many generations as `strides` says, growing.
    pub(super) fn new(
        gpu: &Arc<Gpu>,
        programs: &Arc<Programs>,
        planes: usize,
        tiles: Tiles,
        strides: &'static [u64],
        limits: TextureLimits,
    ) -> Result<Self, String> {
        let atlas = Atlas::new(tiles.slots_with(0), planes, limits)?;
        let textures = make_textures(gpu, &atlas)?;
        let tables = Tables::new(gpu, &programs.tools, planes, &tiles, strides, &atlas);
        let bound = Bound::new(gpu, &programs.tools, &tables, &textures, &[]);
        let (gpu, programs) = (Arc::clone(gpu), Arc::clone(programs));
        let (front, list) = (0, Vec::new());
        Ok(Self {
            gpu,
            programs,
            planes,
            limits,
            tiles,
            strides,
            atlas,
            textures,
            front,
            tables,
            stamp: next_stamp(),
            list,
            bound,
        })
    }

    pub(super) const fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    pub(super) const fn stamp(&self) -> u64 {
        self.stamp
    }

    pub(super) fn list(&self) -> &[u32] {
        &self.list
    }

    fn tools(&self) -> &Tools {
        &self.programs.tools
    }

    pub(super) const fn read_group(&self, texture: usize) -> &wgpu::BindGroup {
        &self.bound.read[texture]
    }

    pub(super) const fn step_group(&self, front: usize) -> &wgpu::BindGroup {
        &self.bound.step[front]
    }

    /// Lets tiles come and go and says which slots are stepped; slots that are new are filled with `code`s of texture 0
    /// and 1. Errors, with nothing changed, when there is no room for them.
    pub(super) fn change(&mut self, gone: &[TileAt], new: &[TileAt], codes: [u8; 2]) -> Result<(), String> {
        if gone.is_empty() && new.is_empty() {
            return Ok(());
        }
        let mut tiles = self.tiles.clone();
        for &at in gone {
            tiles.release(at);
        }
        let needed = tiles.slots_with(new.len());
        if needed > u64::from(self.atlas.slots()) {
            self.enlarge(needed)?;
        }
        let slots: Vec<u32> = new.iter().map(|&at| tiles.hold(at)).collect();
        self.tiles = tiles;
        self.stamp = next_stamp();
        self.tables =
            Tables::new(&self.gpu, self.tools(), self.planes, &self.tiles, self.strides, &self.atlas);
        self.bind();
        self.fill(&slots, codes);
        Ok(())
    }

    /// Says which slots are stepped.
    pub(super) fn set_list(&mut self, list: Vec<u32>) {
        if list != self.list {
            self.list = list;
            self.bind();
        }
    }

    /// What larger textures may take.
    pub(super) const fn set_limits(&mut self, limits: TextureLimits) {
        self.limits = limits;
    }

    /// A view of a texture's layers.
    pub(super) fn view(&self, texture: usize) -> wgpu::TextureView {
        view_of(&self.textures[texture])
    }

    fn bind(&mut self) {
        self.bound = Bound::new(&self.gpu, self.tools(), &self.tables, &self.textures, &self.list);
    }

    /// Moves to larger textures.
    fn enlarge(&mut self, slots: u64) -> Result<(), String> {
        let limits = self.limits;
        // Some more than is needed, so that this is seldom done, where that fits too.
        let atlas = Atlas::new(slots + slots / 2, self.planes, limits)
            .or_else(|_| Atlas::new(slots, self.planes, limits))?;
        let textures = make_textures(&self.gpu, &atlas)?;
        let mut encoder = self.gpu.encoder("biota.enlarge");
        // A row of slots lies in one row of the larger atlas too.
        for first in (0..self.atlas.slots()).step_by(1 << self.atlas.columns_shift()) {
            let (from, to) = (self.atlas.texels_of(first), atlas.texels_of(first));
            let place = |texture, origin| wgpu::TexelCopyTextureInfo {
                texture,
                mip_level: 0,
                origin,
                aspect: wgpu::TextureAspect::All,
            };
            let size = wgpu::Extent3d {
                width: TILE_WORDS << self.atlas.columns_shift(),
                height: TILE_ROWS,
                depth_or_array_layers: u32::try_from(self.planes).expect("a few planes"),
            };
            for (old, new) in self.textures.iter().zip(&textures) {
                encoder.copy_texture_to_texture(place(old, from), place(new, to), size);
            }
        }
        self.gpu.queue().submit([encoder.finish()]);
        (self.atlas, self.textures) = (atlas, textures);
        Ok(())
    }

    /// Fills slots of both textures with the state whose plane bits are the code for that texture.
    pub(super) fn fill(&self, slots: &[u32], codes: [u8; 2]) {
        if slots.is_empty() {
            return;
        }
        let mut encoder = self.gpu.encoder("biota.fill");
        let list = self.gpu.buffer_with("biota.fill.slots", slots, wgpu::BufferUsages::STORAGE);
        for (texture, code) in codes.into_iter().enumerate() {
            let code =
                self.gpu.buffer_with("biota.fill.code", &[u32::from(code)], wgpu::BufferUsages::STORAGE);
            let group = self.copy_group(&list, &code);
            self.copy_pass(&mut encoder, &self.tools().fill, 1 - texture, &group, slots.len());
        }
        self.gpu.queue().submit([encoder.finish()]);
    }

    fn copy_group(&self, slots: &wgpu::Buffer, words: &wgpu::Buffer) -> wgpu::BindGroup {
        self.gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("biota.copy"),
            layout: &self.tools().copy_layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: slots.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: words.as_entire_binding() },
            ],
        })
    }

    /// A pass over whole slots; `front` is the texture that is read, the other one is written.
    fn copy_pass(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipeline: &wgpu::ComputePipeline,
        front: usize,
        group: &wgpu::BindGroup,
        slots: usize,
    ) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("biota.copy"),
            timestamp_writes: None,
        });
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, self.step_group(front), &[]);
        pass.set_bind_group(1, group, &[]);
        let (x, y) = spread_out((slots * PLANE_WORDS / 64) as u64);
        pass.dispatch_workgroups(x, y, 1);
    }

    /// Words of all planes of a tile.
    pub(super) const fn tile_words(&self) -> usize {
        self.planes * PLANE_WORDS
    }

    /// Tiles that are uploaded or read back at a time.
    pub(super) const fn tiles_in_chunk(&self) -> usize {
        let tiles = CHUNK_BYTES / (4 * self.tile_words());
        if tiles == 0 { 1 } else { tiles }
    }

    /// Writes tiles into the front texture: `words` are those of one slot after the other, of each its planes, of each
    /// plane its rows.
    pub(super) fn upload(&self, slots: &[u32], words: &[u32]) -> Result<(), EngineError> {
        if slots.is_empty() {
            return Ok(());
        }
        let list = self.gpu.buffer_with("biota.upload.slots", slots, wgpu::BufferUsages::STORAGE);
        let data = self.gpu.buffer_with("biota.upload.words", words, wgpu::BufferUsages::STORAGE);
        let group = self.copy_group(&list, &data);
        let mut encoder = self.gpu.encoder("biota.upload");
        self.copy_pass(&mut encoder, &self.tools().spread, 1 - self.front, &group, slots.len());
        self.gpu.queue().submit([encoder.finish()]);
        // Large uploads wait for each other, so that their memory is given back.
        if words.len() * 4 > CHUNK_BYTES / 4 { self.gpu.wait() } else { Ok(()) }
    }

    /// Reads tiles of the front texture back: calls `take` with the place in `slots` and the words, which lie as in
    /// [`World::upload`].
    pub(super) fn download(
        &self,
        slots: &[u32],
        mut take: impl FnMut(usize, &[u32]),
    ) -> Result<(), EngineError> {
        let words = self.tile_words();
        for (chunk, slots) in slots.chunks(self.tiles_in_chunk()).enumerate() {
            let bytes = (slots.len() * words * 4) as u64;
            let list = self.gpu.buffer_with("biota.download.slots", slots, wgpu::BufferUsages::STORAGE);
            let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
            let data = self.gpu.buffer("biota.download.words", bytes, usage);
            let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
            let result = self.gpu.buffer("biota.download.result", bytes, usage);
            let group = self.copy_group(&list, &data);
            let mut encoder = self.gpu.encoder("biota.download");
            self.copy_pass(&mut encoder, &self.tools().collect, self.front, &group, slots.len());
            encoder.copy_buffer_to_buffer(&data, 0, &result, 0, bytes);
            self.gpu.queue().submit([encoder.finish()]);
            let first = chunk * self.tiles_in_chunk();
            self.gpu.with_mapped(&result, |all| {
                for (index, tile) in all.chunks_exact(words).enumerate() {
                    take(first + index, tile);
                }
            })?;
        }
        Ok(())
    }

    /// Puts the ghosts of texture `texture` in their places, where there are any, for the next `stride` generations.
    pub(super) fn refill_margin(&self, pass: &mut wgpu::ComputePass<'_>, texture: usize, stride: u64) {
        let Some(ring) = self.tables.rings.iter().find(|ring| ring.stride >= stride) else { return };
        let (x, y) = spread_out(ring.words.div_ceil(64));
        pass.set_pipeline(&self.tools().gather);
        pass.set_bind_group(0, self.read_group(texture), &[]);
        pass.set_bind_group(1, &ring.group, &[]);
        pass.dispatch_workgroups(x, y, 1);
        pass.set_pipeline(&self.tools().scatter);
        pass.set_bind_group(0, self.step_group(1 - texture), &[]);
        pass.dispatch_workgroups(x, y, 1);
    }

    /// The same for the front texture in a submission of its own, for any stride.
    pub(super) fn refill_front(&self) {
        let Some(longest) = self.tables.rings.last() else { return };
        let mut encoder = self.gpu.encoder("biota.margin");
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("biota.margin"),
                timestamp_writes: None,
            });
            self.refill_margin(&mut pass, self.front, longest.stride);
        }
        self.gpu.queue().submit([encoder.finish()]);
    }
}

/// Both textures of an atlas.
fn make_textures(gpu: &Gpu, atlas: &Atlas) -> Result<[wgpu::Texture; 2], String> {
    // Out of memory is found here, not when the textures are first used.
    let scope = gpu.device().push_error_scope(wgpu::ErrorFilter::OutOfMemory);
    let textures = ["biota.board.a", "biota.board.b"].map(|label| {
        gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: Some(label),
            size: atlas.texture_size(),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::R32Uint,
            usage: wgpu::TextureUsages::STORAGE_BINDING
                | wgpu::TextureUsages::COPY_SRC
                | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        })
    });
    match pollster::block_on(scope.pop()) {
        Some(_) => Err("the GPU is out of memory".to_owned()),
        None => Ok(textures),
    }
}

fn view_of(texture: &wgpu::Texture) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2Array),
        ..Default::default()
    })
}

impl Tables {
    fn new(gpu: &Gpu, tools: &Tools, planes: usize, tiles: &Tiles, strides: &[u64], atlas: &Atlas) -> Self {
        let (table, map) = (tiles.table(), tiles.map());
        let glued = tiles.seams() == Seams::Ghosts;
        let board = [atlas.uniform(tiles.topology(), glued)];
        let strides = if glued { strides } else { &[] };
        Self {
            board: gpu.buffer_with("biota.board", &board, wgpu::BufferUsages::UNIFORM),
            tiles: gpu.buffer_with("biota.tiles", &table, wgpu::BufferUsages::STORAGE),
            map: gpu.buffer_with("biota.map", &map, wgpu::BufferUsages::STORAGE),
            rings: strides
                .iter()
                .filter_map(|&stride| Ring::new(gpu, tools, planes, tiles, stride))
                .collect(),
        }
    }
}

impl Ring {
    /// None where no tile with ghosts is held.
    fn new(gpu: &Gpu, tools: &Tools, planes: usize, tiles: &Tiles, stride: u64) -> Option<Self> {
        let list = tiles.ring(i64::try_from(stride).expect("a few generations"));
        if list.is_empty() {
            return None;
        }
        let words = list.len() as u64;
        let size = words * planes as u64 * 4;
        let buffer = gpu.buffer("biota.margin.words", size, wgpu::BufferUsages::STORAGE);
        let list = gpu.buffer_with("biota.margin.ring", &list, wgpu::BufferUsages::STORAGE);
        let group = gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("biota.margin"),
            layout: &tools.ring_layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: list.as_entire_binding() },
            ],
        });
        Some(Self { stride, group, words })
    }
}

impl Bound {
    fn new(gpu: &Gpu, tools: &Tools, tables: &Tables, textures: &[wgpu::Texture; 2], list: &[u32]) -> Self {
        let list = if list.is_empty() { &[0] } else { list };
        let list = gpu.buffer_with("biota.list", list, wgpu::BufferUsages::STORAGE);
        let views = textures.each_ref().map(view_of);
        let group = |label, layout, front: usize, back: Option<usize>| {
            let view = |texture: usize| wgpu::BindingResource::TextureView(&views[texture]);
            let mut resources = vec![
                tables.board.as_entire_binding(),
                view(front),
                tables.tiles.as_entire_binding(),
                tables.map.as_entire_binding(),
            ];
            if let Some(back) = back {
                resources.extend([view(back), list.as_entire_binding()]);
            }
            let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
                .zip(resources)
                .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
                .collect();
            gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(label),
                layout,
                entries: &entries,
            })
        };
        let read = [0, 1].map(|t| group("biota.board", &tools.board_layout, t, None));
        let step = [0, 1].map(|t| group("biota.step.board", &tools.step_board_layout, t, Some(1 - t)));
        Self { read, step }
    }
}
