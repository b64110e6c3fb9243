//! The GPU engine: dense boards in two storage textures that ping-pong, stepped by the rule's kernel as WGSL.
//!
//! ```text
//! texture A: generation n  --step.wgsl-->  texture B: generation n + 1, then they swap roles
//! ```
//!
//! Many generations go into one submission; nothing is read back until it is asked for. The unbounded plane is a
//! rectangle ([`Extent`]) that is taken anew, larger, before life reaches its edge.
//! This is the only place, besides the window's renderer, that names wgpu.

mod bandwidth;
mod device;
mod layout;
mod shaders;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub use device::Gpu;
pub use layout::{BoardUniform, Layout, MomentUniform, QuestionUniform, TextureLimits};
pub use shaders::{draw_source, philox_test_source, step_source, tally_source};

use super::{Cancel, Edit, Engine, EngineError, EngineKind, PlaneRows, check_board, check_rule, make_room};
use crate::board::{Board, Cells, Extent, Tally, Topology};
use crate::cell::{DEAD, State};
use crate::coin::{key_of, low32};
use crate::coords::{Rect, to_index};
use crate::rule::circuit::background_word;
use crate::rule::walk::Walk;
use crate::rule::{Kernel, Rule};

/// Rows that one invocation of the step walks down.
const STRIP: u32 = 32;
/// Rows that one workgroup of the tally counts.
const BAND: u32 = 16;
/// Dispatches in one submission at the most.
const BATCH: usize = 256;
/// How long a submission should take when nobody is waiting for a frame.
const SUBMISSION: Duration = Duration::from_millis(50);
/// Bytes that are uploaded or read back at a time.
const CHUNK_BYTES: u64 = 32 << 20;

/// Runs the kernel of a rule on the GPU.
pub struct GpuEngine {
    gpu: Arc<Gpu>,
    rule: Rule,
    kernel: Arc<Kernel>,
    programs: Arc<Programs>,
    moments: Moments,
    world: World,
    background: State,
    generation: u64,
    seed: u64,
    /// Rows of the next generation that are done; 0 between generations.
    done_rows: u32,
    /// Generations that can be stepped before life could leave the field; 0 when that is to be worked out.
    room: u64,
    /// Whether the back texture holds the whole next generation already.
    previewed: bool,
    /// Measured speed, rows a second; 0 when not measured yet.
    rows_per_sec: f64,
}

/// What is compiled of a rule: shared by all engines that run it, whatever their boards.
struct Programs {
    board_layout: wgpu::BindGroupLayout,
    step_board_layout: wgpu::BindGroupLayout,
    moment_layout: wgpu::BindGroupLayout,
    tally_layout: wgpu::BindGroupLayout,
    step: wgpu::ComputePipeline,
    tally: wgpu::ComputePipeline,
    /// The nodes of a walk; one entry that nobody reads beside a circuit.
    diagram: wgpu::Buffer,
}

/// When and where the pieces of a submission are.
struct Moments {
    buffer: wgpu::Buffer,
    /// Bytes from one moment to the next.
    stride: u32,
    group: wgpu::BindGroup,
}

/// The textures of one board, and what goes with their size.
struct World {
    layout: Layout,
    /// Textures by role parity: `front` says which one holds the present generation.
    textures: [wgpu::Texture; 2],
    front: usize,
    /// For reading texture t (drawing, tally).
    read_groups: [wgpu::BindGroup; 2],
    /// For stepping from texture t into the other.
    step_groups: [wgpu::BindGroup; 2],
    tally_parts: wgpu::Buffer,
    tally_result: wgpu::Buffer,
    tally_question: wgpu::Buffer,
    tally_group: wgpu::BindGroup,
}

impl GpuEngine {
    /// A GPU engine for `rule`, holding an empty board.
    pub fn new(rule: &Rule) -> Result<Self, EngineError> {
        check_rule(rule)?;
        let gpu = Gpu::shared()?;
        let kernel = rule.kernel()?;
        let programs = Programs::shared(&gpu, &kernel, Layout::is_plain(rule.topology()))?;
        let moments = Moments::new(&gpu, &programs);
        let field = field_of(&Board::empty(rule.topology()));
        let world = World::new(&gpu, &programs, &kernel, field, rule.topology())?;
        let mut engine = Self {
            gpu,
            rule: rule.clone(),
            kernel,
            programs,
            moments,
            world,
            background: DEAD,
            generation: 0,
            seed: 0,
            done_rows: 0,
            room: 0,
            previewed: false,
            rows_per_sec: 0.0,
        };
        engine.load(&Board::empty(rule.topology()))?;
        Ok(engine)
    }

    /// The GPU that it runs on.
    pub const fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// The compiled rule.
    pub const fn kernel(&self) -> &Arc<Kernel> {
        &self.kernel
    }

    /// The bind group layout of `shaders/board.wgsl`.
    pub fn board_layout(&self) -> &wgpu::BindGroupLayout {
        &self.programs.board_layout
    }

    /// The bind group of the present generation for `shaders/board.wgsl`.
    pub const fn front_group(&self) -> &wgpu::BindGroup {
        &self.world.read_groups[self.world.front]
    }

    /// The bind group of the next generation, for marks; only right after [`GpuEngine::preview`].
    pub const fn preview_group(&self) -> &wgpu::BindGroup {
        &self.world.read_groups[1 - self.world.front]
    }

    /// Works out the next generation into the back texture and leaves the present one in place.
    pub fn preview(&mut self) -> Result<(), EngineError> {
        if !self.previewed {
            if self.room == 0 {
                self.room = make_room(self, 1)?;
            }
            let height = self.world.layout.height();
            self.submit(&[(self.generation, self.background, 0, height)], self.world.front);
            self.done_rows = 0;
            self.previewed = true;
            self.gpu.check()?;
        }
        Ok(())
    }

    /// Takes over a board from the planes of another engine of the same rule.
    pub fn mirror(
        &mut self,
        planes: &PlaneRows<'_>,
        background: State,
        generation: u64,
        seed: u64,
    ) -> Result<(), EngineError> {
        if self.world.layout.field() != planes.field {
            let topology = self.rule.topology();
            self.world = World::new(&self.gpu, &self.programs, &self.kernel, planes.field, topology)?;
        }
        (self.background, self.generation, self.seed) = (background, generation, seed);
        (self.done_rows, self.previewed, self.room) = (0, false, 0);
        let words = to_index(i64::from(self.world.layout.words()));
        self.upload_rows(0..planes.field.height, |plane, y, row: &mut [u32]| {
            let start = to_index(y) * planes.words;
            let wide = &planes.planes[plane][start..start + planes.words];
            for (pair, word) in row.chunks_mut(2).zip(wide) {
                for (half, out) in (0..).zip(pair) {
                    *out = low32(word >> (32 * half));
                }
            }
            debug_assert_eq!(row.len(), words, "a row of the texture");
        });
        self.gpu.check()
    }

    /// Writes rows of the front texture; `fill` gives the words of (plane, row of the field).
    fn upload_rows(&self, rows: std::ops::Range<i64>, mut fill: impl FnMut(usize, i64, &mut [u32])) {
        let layout = &self.world.layout;
        let words = layout.words();
        let planes = layout.planes();
        if words == 0 {
            return;
        }
        let chunk_rows = rows_in_chunk(u64::from(words) * 4 * u64::from(planes));
        let mut y = rows.start;
        while y < rows.end {
            let (row, layer, count) = layout.rows_together(y, chunk_rows.min(rows.end - y));
            let mut data = vec![0u32; (words * count * planes) as usize];
            for (index, out) in data.chunks_mut(words as usize).enumerate() {
                let (plane, line) = (index / count as usize, index % count as usize);
                fill(plane, y + i64::try_from(line).expect("a row of a chunk"), out);
            }
            self.gpu.queue().write_texture(
                wgpu::TexelCopyTextureInfo {
                    texture: &self.world.textures[self.world.front],
                    mip_level: 0,
                    origin: wgpu::Origin3d { x: 0, y: row, z: layer },
                    aspect: wgpu::TextureAspect::All,
                },
                bytemuck::cast_slice(&data),
                wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(words * 4),
                    rows_per_image: Some(count),
                },
                wgpu::Extent3d { width: words, height: count, depth_or_array_layers: planes },
            );
            // Staging memory is given back only after a submission.
            self.gpu.queue().submit([]);
            y += i64::from(count);
        }
    }

    /// Reads words of the front texture back: calls `take` with (row of the field, the planes' words from column
    /// `first` to before `end`).
    fn download_rows(
        &self,
        rows: std::ops::Range<i64>,
        (first, end): (u32, u32),
        mut take: impl FnMut(i64, &[&[u32]]),
    ) -> Result<(), EngineError> {
        let layout = &self.world.layout;
        let planes = layout.planes();
        // Rows of a copy into a buffer begin at multiples of 256 bytes.
        let row_bytes = ((end - first) * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let chunk_rows = rows_in_chunk(u64::from(row_bytes) * u64::from(planes));
        let mut y = rows.start;
        while y < rows.end {
            let (row, layer, count) = layout.rows_together(y, chunk_rows.min(rows.end - y));
            let buffer = self.gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("biota.read_back"),
                size: u64::from(row_bytes) * u64::from(count) * u64::from(planes),
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            });
            let mut encoder = self.encoder("biota.read_back");
            encoder.copy_texture_to_buffer(
                wgpu::TexelCopyTextureInfo {
                    texture: &self.world.textures[self.world.front],
                    mip_level: 0,
                    origin: wgpu::Origin3d { x: first, y: row, z: layer },
                    aspect: wgpu::TextureAspect::All,
                },
                wgpu::TexelCopyBufferInfo {
                    buffer: &buffer,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(row_bytes),
                        rows_per_image: Some(count),
                    },
                },
                wgpu::Extent3d { width: end - first, height: count, depth_or_array_layers: planes },
            );
            self.gpu.queue().submit([encoder.finish()]);
            self.with_mapped(&buffer, |words| {
                let stride = (row_bytes / 4) as usize;
                let used = (end - first) as usize;
                for line in 0..count as usize {
                    let row: Vec<&[u32]> = (0..planes as usize)
                        .map(|plane| {
                            let start = (plane * count as usize + line) * stride;
                            &words[start..start + used]
                        })
                        .collect();
                    take(y + i64::try_from(line).expect("a row of a chunk"), &row);
                }
            })?;
            y += i64::from(count);
        }
        Ok(())
    }

    /// Waits for a buffer and looks into it.
    fn with_mapped(&self, buffer: &wgpu::Buffer, look: impl FnOnce(&[u32])) -> Result<(), EngineError> {
        buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        self.gpu.wait()?;
        let view = buffer.get_mapped_range(..).map_err(|error| EngineError::Gpu(error.to_string()))?;
        look(bytemuck::cast_slice(&view));
        drop(view);
        buffer.unmap();
        Ok(())
    }

    fn encoder(&self, label: &'static str) -> wgpu::CommandEncoder {
        self.gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some(label) })
    }

    /// Submits pieces of work: (generation read, background, first row, end row). `front` is the texture that the
    /// first piece reads; after a piece that reaches the last row the textures swap. Gives which is in front then.
    fn submit(&self, pieces: &[(u64, State, u32, u32)], mut front: usize) -> usize {
        let (moments_buffer, layout) = (&self.moments, &self.world.layout);
        let mut moments = vec![0u8; pieces.len() * moments_buffer.stride as usize];
        for (slot, &(generation, background, first_row, end_row)) in
            moments.chunks_mut(moments_buffer.stride as usize).zip(pieces)
        {
            let [seed_low, seed_high] = key_of(self.seed);
            let moment = MomentUniform {
                generation_low: low32(generation),
                generation_high: low32(generation >> 32),
                seed_low,
                seed_high,
                first_row,
                end_row,
                background: u32::from(self.kernel.encoding().code(background)),
                unused: 0,
            };
            slot[..size_of::<MomentUniform>()].copy_from_slice(bytemuck::bytes_of(&moment));
        }
        self.gpu.queue().write_buffer(&moments_buffer.buffer, 0, &moments);
        let mut encoder = self.encoder("biota.step");
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("biota.step"),
                timestamp_writes: None,
            });
            pass.set_pipeline(&self.programs.step);
            let mut offset = 0;
            for &(_, _, first_row, end_row) in pieces {
                pass.set_bind_group(0, &self.world.step_groups[front], &[]);
                pass.set_bind_group(1, &moments_buffer.group, &[offset]);
                pass.dispatch_workgroups(
                    layout.words().div_ceil(64),
                    (end_row - first_row).div_ceil(STRIP),
                    1,
                );
                if end_row == layout.height() {
                    front = 1 - front;
                }
                offset += moments_buffer.stride;
            }
        }
        self.gpu.queue().submit([encoder.finish()]);
        front
    }

    /// Rows of work for one submission that should take `time`.
    fn rows_for(&self, time: Duration) -> u64 {
        let height = u64::from(self.world.layout.height());
        if self.rows_per_sec == 0.0 {
            // Not measured yet: a little, whatever the board.
            return (1 << 22) / u64::from(self.world.layout.words()).max(1);
        }
        #[expect(clippy::cast_possible_truncation, reason = "saturates, and is bounded by the batch then")]
        let rows = (self.rows_per_sec * time.as_secs_f64()) as u64;
        rows.min(height.saturating_mul(BATCH as u64))
    }
}

/// Rows of `row_bytes` each that are uploaded or read back at a time.
fn rows_in_chunk(row_bytes: u64) -> i64 {
    i64::try_from((CHUNK_BYTES / row_bytes.max(1)).max(1)).unwrap_or(i64::MAX)
}

/// The rectangle that the textures cover for a board.
fn field_of(board: &Board) -> Rect {
    board.topology.bounds().unwrap_or_else(|| Extent::around(board.cells.bounding_box()).rect())
}

impl Engine for GpuEngine {
    fn kind(&self) -> EngineKind {
        EngineKind::Gpu
    }

    fn adapter(&self) -> Option<String> {
        Some(self.gpu.name())
    }

    fn rule(&self) -> &Rule {
        &self.rule
    }

    fn load(&mut self, board: &Board) -> Result<(), EngineError> {
        check_board(&self.rule, board)?;
        let field = field_of(board);
        if field != self.world.layout.field() {
            self.world = World::new(&self.gpu, &self.programs, &self.kernel, field, board.topology)?;
            self.rows_per_sec = 0.0;
        }
        (self.background, self.generation, self.seed) = (board.background, board.generation, board.seed);
        (self.done_rows, self.previewed, self.room) = (0, false, 0);
        let encoding = self.kernel.encoding();
        let states = self.kernel.state_planes();
        let last_mask = self.world.layout.last_mask();
        let mut binary = vec![0u64; states];
        let mut coded = vec![0u64; self.kernel.planes()];
        self.upload_rows(0..field.height, |plane, y, out| {
            let outside = background_word(encoding, board.background, plane);
            out.fill(low32(outside));
            for (x, tile) in board.cells.tiles_in_row(field.y + y) {
                for (p, bits) in binary.iter_mut().enumerate() {
                    let background = if board.background >> p & 1 == 1 { u64::MAX } else { 0 };
                    *bits = tile.row(p, to_index((field.y + y).rem_euclid(64))) ^ background;
                }
                encoding.encode(&binary, &mut coded);
                let first = to_index((x - field.x) / 32);
                for (half, word) in (0..2).zip(first..out.len()) {
                    out[word] = low32(coded[plane] >> (32 * half));
                }
            }
            if let Some(last) = out.last_mut() {
                *last &= last_mask;
            }
        });
        self.gpu.check()
    }

    fn step(&mut self, generations: u64, cancel: &Cancel) -> Result<u64, EngineError> {
        let height = self.world.layout.height();
        if height == 0 || self.world.layout.words() == 0 {
            self.generation += generations;
            return Ok(generations);
        }
        let mut done = 0;
        if self.previewed && generations > 0 {
            // The next generation is there already.
            self.world.front = 1 - self.world.front;
            self.background = self.rule.background_next(self.background, self.generation);
            self.generation += 1;
            self.previewed = false;
            self.room -= 1;
            done = 1;
        }
        while done < generations {
            if self.room == 0 {
                self.room = make_room(self, generations - done)?;
            }
            let height = self.world.layout.height();
            // One submission: rows for the time that is left, in whole generations or, of large boards, in parts.
            let time = cancel.time_left().map_or(SUBMISSION, |left| left.min(SUBMISSION));
            let mut rows = self.rows_for(time).max(u64::from(STRIP));
            let (mut generation, mut background, mut first) =
                (self.generation, self.background, self.done_rows);
            let (mut whole, mut worked, mut pieces) = (0, 0u64, Vec::new());
            while rows > 0 && pieces.len() < BATCH && done + whole < generations && whole < self.room {
                let end = u32::try_from(rows).unwrap_or(u32::MAX).next_multiple_of(STRIP).min(height - first)
                    + first;
                pieces.push((generation, background, first, end));
                rows = rows.saturating_sub(u64::from(end - first));
                worked += u64::from(end - first);
                first = end;
                if end == height {
                    first = 0;
                    whole += 1;
                    background = self.rule.background_next(background, generation);
                    generation += 1;
                }
            }
            let start = Instant::now();
            self.world.front = self.submit(&pieces, self.world.front);
            (self.generation, self.background, self.done_rows) = (generation, background, first);
            self.gpu.wait()?;
            let speed = worked as f64 / start.elapsed().as_secs_f64().max(1e-6);
            self.rows_per_sec =
                if self.rows_per_sec == 0.0 { speed } else { 0.5 * self.rows_per_sec + 0.5 * speed };
            done += whole;
            self.room -= whole;
            if cancel.is_due() {
                break;
            }
        }
        Ok(done)
    }

    fn generation(&self) -> u64 {
        self.generation
    }

    fn background(&self) -> State {
        self.background
    }

    fn tally(&mut self) -> Result<Tally, EngineError> {
        let layout = &self.world.layout;
        let species = usize::from(self.rule.states()) - 1;
        let bands = layout.height().div_ceil(BAND);
        if bands == 0 || layout.words() == 0 {
            return Ok(Tally::default());
        }
        let question = QuestionUniform { background: u32::from(self.background), unused: [0; 3] };
        self.gpu.queue().write_buffer(&self.world.tally_question, 0, bytemuck::bytes_of(&question));
        let mut encoder = self.encoder("biota.tally");
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("biota.tally"),
                timestamp_writes: None,
            });
            pass.set_pipeline(&self.programs.tally);
            pass.set_bind_group(0, self.front_group(), &[]);
            pass.set_bind_group(1, &self.world.tally_group, &[]);
            pass.dispatch_workgroups(bands, 1, 1);
        }
        encoder.copy_buffer_to_buffer(&self.world.tally_parts, 0, &self.world.tally_result, 0, None);
        self.gpu.queue().submit([encoder.finish()]);
        let mut counts = vec![0u64; species];
        let mut bounds = Rect::default();
        let field = layout.field();
        self.with_mapped(&self.world.tally_result, |words| {
            for part in words.chunks_exact(species + 4).take(bands as usize) {
                for (count, &cells) in counts.iter_mut().zip(part) {
                    *count += u64::from(cells);
                }
                let [left, right, top, bottom] = [0, 1, 2, 3].map(|i| i64::from(part[species + i]));
                if left <= right {
                    let part = Rect::new(field.x + left, field.y + top, right - left + 1, bottom - top + 1);
                    bounds = bounds.union(part);
                }
            }
        })?;
        Ok(Tally {
            populations: stored_populations(&counts, field.area(), self.background),
            bounding_box: (!bounds.is_empty()).then_some(bounds),
        })
    }

    fn read(&mut self, area: Rect) -> Result<Cells, EngineError> {
        let layout = self.world.layout;
        let field = layout.field();
        let area = area.intersection(field);
        let mut cells = Cells::new();
        if area.is_empty() {
            return Ok(cells);
        }
        // From a column that is a multiple of 64 on.
        let first = layout.word_of(area.x) & !1;
        let end = layout.word_of(area.right() - 1) + 1;
        let x = field.x + 32 * i64::from(first);
        let encoding = self.kernel.encoding();
        let background = self.background;
        let mut binary = vec![0; self.kernel.state_planes()];
        let rows = area.y - field.y..area.bottom() - field.y;
        self.download_rows(rows, (first, end), |y, planes| {
            let pairs = planes[0].len().div_ceil(2);
            let mut out = vec![vec![0u64; pairs]; binary.len()];
            for pair in 0..pairs {
                let coded: Vec<u64> = planes
                    .iter()
                    .map(|words| {
                        let high = words.get(2 * pair + 1).copied().unwrap_or(0);
                        u64::from(high) << 32 | u64::from(words[2 * pair])
                    })
                    .collect();
                encoding.decode(&coded, &mut binary);
                for (plane, bits) in binary.iter().enumerate() {
                    out[plane][pair] = if background >> plane & 1 == 1 { !bits } else { *bits };
                }
            }
            for (plane, words) in out.into_iter().enumerate() {
                cells.put_words(plane, x, field.y + y, words);
            }
        })?;
        Ok(cells.clipped(area))
    }

    fn field(&self) -> Rect {
        self.world.layout.field()
    }

    fn write(&mut self, edits: &[Edit]) -> Result<(), EngineError> {
        let unbounded = self.rule.topology() == Topology::Unbounded;
        let field = self.field();
        let inside: Vec<Edit> =
            edits.iter().copied().filter(|edit| unbounded || field.contains(edit.at)).collect();
        let Some(area) = inside.iter().map(|edit| Rect::new(edit.at.x, edit.at.y, 1, 1)).reduce(Rect::union)
        else {
            return Ok(());
        };
        if !field.contains_rect(area) {
            let mut board = self.snapshot()?;
            for edit in &inside {
                board.cells.set(edit.at, edit.state ^ board.background)?;
            }
            return self.load(&board);
        }
        // Reads the rows of the edits, changes them, writes them back.
        let rows = area.y - field.y..area.bottom() - field.y;
        let words = self.world.layout.words();
        let mut held: Vec<Vec<Vec<u32>>> = Vec::new();
        self.download_rows(rows.clone(), (0, words), |_, planes| {
            held.push(planes.iter().map(|words| words.to_vec()).collect());
        })?;
        for edit in &inside {
            let code = self.kernel.encoding().code(edit.state);
            let word = self.world.layout.word_of(edit.at.x) as usize;
            let bit = 1u32 << ((edit.at.x - field.x) % 32);
            for (plane, words) in held[to_index(edit.at.y - area.y)].iter_mut().enumerate() {
                if code >> plane & 1 == 1 {
                    words[word] |= bit;
                } else {
                    words[word] &= !bit;
                }
            }
        }
        self.upload_rows(rows.clone(), |plane, y, out| {
            out.copy_from_slice(&held[to_index(y - rows.start)][plane]);
        });
        (self.done_rows, self.previewed, self.room) = (0, false, 0);
        self.gpu.check()
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn as_gpu(&self) -> Option<&GpuEngine> {
        Some(self)
    }

    fn as_gpu_mut(&mut self) -> Option<&mut GpuEngine> {
        Some(self)
    }
}

/// From cells by species to populations by state XOR background, of the cells that differ from it.
fn stored_populations(species: &[u64], cells: u64, background: State) -> Vec<u64> {
    if background == DEAD {
        return species.to_vec();
    }
    let dead = cells - species.iter().sum::<u64>();
    let of_state =
        |state: usize| if state == 0 { dead } else { species.get(state - 1).copied().unwrap_or(0) };
    let states = (species.len() + 1).next_power_of_two();
    (1..states).map(|stored| of_state(stored ^ usize::from(background))).collect()
}

impl Programs {
    /// The programs of a kernel, for boards that are plain ([`Layout::is_plain`]) or not: compiled once, as long as an engine uses them or they are among the last few.
    fn shared(gpu: &Gpu, kernel: &Arc<Kernel>, plain: bool) -> Result<Arc<Self>, EngineError> {
        /// Compiled programs that are kept for the next engine.
        const KEPT: usize = 16;
        type Kept = (Arc<Kernel>, bool, Arc<Programs>);
        static CACHE: Mutex<Vec<Kept>> = Mutex::new(Vec::new());
        let find = |cache: &[Kept]| {
            let same = |of: &Arc<Kernel>| Arc::ptr_eq(of, kernel) || of == kernel;
            cache.iter().find(|(of, like, _)| *like == plain && same(of)).map(|(.., p)| Arc::clone(p))
        };
        if let Some(programs) = CACHE.lock().ok().and_then(|cache| find(&cache)) {
            return Ok(programs);
        }
        let programs = Arc::new(Self::new(gpu, kernel, plain));
        gpu.check()?;
        if let Ok(mut cache) = CACHE.lock() {
            if cache.len() == KEPT {
                cache.remove(0);
            }
            cache.push((Arc::clone(kernel), plain, Arc::clone(&programs)));
        }
        Ok(programs)
    }

    fn new(gpu: &Gpu, kernel: &Kernel, plain: bool) -> Self {
        let device = gpu.device();
        let uniform = |binding, dynamic, size| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE | wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: dynamic,
                min_binding_size: wgpu::BufferSize::new(size),
            },
            count: None,
        };
        let texture = |binding, access| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: match access {
                wgpu::StorageTextureAccess::ReadOnly => {
                    wgpu::ShaderStages::COMPUTE | wgpu::ShaderStages::FRAGMENT
                }
                _ => wgpu::ShaderStages::COMPUTE,
            },
            ty: wgpu::BindingType::StorageTexture {
                access,
                format: wgpu::TextureFormat::R32Uint,
                view_dimension: wgpu::TextureViewDimension::D2Array,
            },
            count: None,
        };
        let group_layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
        };
        let board_uniform = uniform(0, false, size_of::<BoardUniform>() as u64);
        let front = texture(1, wgpu::StorageTextureAccess::ReadOnly);
        let board_layout = group_layout("biota.board", &[board_uniform, front]);
        let step_board_layout = group_layout(
            "biota.step.board",
            &[board_uniform, front, texture(2, wgpu::StorageTextureAccess::WriteOnly)],
        );
        let storage = |binding, read_only| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let moment_layout = group_layout(
            "biota.step.moment",
            &[uniform(0, true, size_of::<MomentUniform>() as u64), storage(1, true)],
        );
        let tally_layout = group_layout(
            "biota.tally",
            &[uniform(0, false, size_of::<QuestionUniform>() as u64), storage(1, false)],
        );
        let pipeline =
            |label, source: String, layouts: [&wgpu::BindGroupLayout; 2], constants: &[(&str, f64)]| {
                let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
                    label: Some(label),
                    source: wgpu::ShaderSource::Wgsl(source.into()),
                });
                let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                    label: Some(label),
                    bind_group_layouts: &layouts.map(Some),
                    immediate_size: 0,
                });
                device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                    label: Some(label),
                    layout: Some(&layout),
                    module: &module,
                    entry_point: None,
                    compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
                    cache: None,
                })
            };
        let step = pipeline(
            "biota.step",
            step_source(kernel),
            [&step_board_layout, &moment_layout],
            &[("STRIP", f64::from(STRIP)), ("PLAIN", f64::from(u8::from(plain)))],
        );
        let tally = pipeline(
            "biota.tally",
            tally_source(kernel),
            [&board_layout, &tally_layout],
            &[("BAND", f64::from(BAND))],
        );
        let nodes = kernel.as_walk().map_or(&[0][..], Walk::nodes);
        let diagram = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("biota.step.diagram"),
            size: size_of_val(nodes) as u64,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        gpu.queue().write_buffer(&diagram, 0, bytemuck::cast_slice(nodes));
        Self { board_layout, step_board_layout, moment_layout, tally_layout, step, tally, diagram }
    }
}

impl Moments {
    fn new(gpu: &Gpu, programs: &Programs) -> Self {
        let device = gpu.device();
        let size = u32::try_from(size_of::<MomentUniform>()).expect("a small struct");
        let stride = size.next_multiple_of(device.limits().min_uniform_buffer_offset_alignment);
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("biota.step.moments"),
            size: u64::from(stride) * BATCH as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("biota.step.moment"),
            layout: &programs.moment_layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                        buffer: &buffer,
                        offset: 0,
                        size: wgpu::BufferSize::new(u64::from(size)),
                    }),
                },
                wgpu::BindGroupEntry { binding: 1, resource: programs.diagram.as_entire_binding() },
            ],
        });
        Self { buffer, stride, group }
    }
}

impl World {
    fn new(
        gpu: &Gpu,
        programs: &Programs,
        kernel: &Kernel,
        field: Rect,
        topology: Topology,
    ) -> Result<Self, EngineError> {
        let device = gpu.device();
        let layout = Layout::new(field, topology, kernel.planes(), gpu.texture_limits())?;
        // Out of memory is found here, not when the textures are first used.
        let scope = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let textures = ["biota.board.a", "biota.board.b"].map(|label| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: layout.texture_size(),
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
        if pollster::block_on(scope.pop()).is_some() {
            let reason = "the GPU is out of memory".to_owned();
            return Err(EngineError::TooLarge { width: field.width, height: field.height, reason });
        }
        gpu.check()?;
        let buffer = |label, size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let uniform_usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let uniform = buffer("biota.board", size_of::<BoardUniform>() as u64, uniform_usage);
        gpu.queue().write_buffer(&uniform, 0, bytemuck::bytes_of(&layout.uniform()));
        let views = textures.each_ref().map(|texture| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2Array),
                ..Default::default()
            })
        });
        let group = |label, layout, front: usize, back: Option<usize>| {
            let mut entries = vec![
                wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::TextureView(&views[front]),
                },
            ];
            if let Some(back) = back {
                let resource = wgpu::BindingResource::TextureView(&views[back]);
                entries.push(wgpu::BindGroupEntry { binding: 2, resource });
            }
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(label),
                layout,
                entries: &entries,
            })
        };
        let read_groups = [0, 1].map(|t| group("biota.board", &programs.board_layout, t, None));
        let step_groups =
            [0, 1].map(|t| group("biota.step.board", &programs.step_board_layout, t, Some(1 - t)));
        let species = kernel.encoding().codes().len() - 1;
        let parts_size = u64::from(layout.height().div_ceil(BAND).max(1)) * (species as u64 + 4) * 4;
        let tally_parts = buffer(
            "biota.tally.parts",
            parts_size,
            wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
        );
        let tally_result = buffer(
            "biota.tally.result",
            parts_size,
            wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        );
        let tally_question =
            buffer("biota.tally.question", size_of::<QuestionUniform>() as u64, uniform_usage);
        let tally_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("biota.tally"),
            layout: &programs.tally_layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: tally_question.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: tally_parts.as_entire_binding() },
            ],
        });
        Ok(Self {
            layout,
            textures,
            front: 0,
            read_groups,
            step_groups,
            tally_parts,
            tally_result,
            tally_question,
            tally_group,
        })
    }
}
