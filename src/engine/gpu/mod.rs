//! The GPU engine: the plane as tiles in an atlas of two storage textures that ping-pong, stepped by the rule's kernel
//! as WGSL.
//!
//! ```text
//! texture A: generation n  --step.wgsl-->  texture B: generation n + 1, then they swap roles
//! ```
//!
//! Many generations go into one submission; nothing is read back until it is asked for, or until life could reach past
//! the tiles that are held: around each tile with life all eight others are held, so that is seldom (`GpuEngine::survey`).
//! Tiles that go on in circles of two generations sleep: what they hold after a generation stands in the texture that it
//! would be written into. That is looked at now and then only, since what is a tile away takes as many generations to
//! arrive as a tile has cells (`GpuEngine::look`).
//! Boards with glued edges are stepped as a piece of the plane, and a ring of ghost cells around them is filled anew
//! after each generation, or each leap where ghosts live on as the cells do that they are copies of
//! (`shaders/margin.wgsl`).
//! Which kernel steps tiles ([`Gait`]) is found out by trying all that the adapter and the rule allow
//! (`programs::Paces`).
//! This is the only place, besides the window's renderer, that names wgpu.

mod bandwidth;
mod device;
mod far;
mod layout;
mod programs;
mod shaders;
mod shuffle;
mod stopwatch;
mod tiles;
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use device::{Gpu, is_waiting};
pub use far::{FarView, far_level};
pub use layout::{
    BoardUniform, GhostsEntry, MomentUniform, PlaceEntry, QuestionUniform, TextureLimits, TileEntry,
};
pub use programs::{Gait, GaitError};
pub use shaders::{
    Integers, copy_source, draw_source, far_source, margin_source, near_source, philox_test_source,
    picture_source, shuffle_source, step_source, tally_source,
};
pub use shuffle::{Shape, Shuffling, Subgroups};

use self::layout::{LEAP, PLANE_WORDS, TILE_ROWS, TILE_SIDE, TILE_WORDS, TileAt, block_rows};
use self::programs::{Programs, STRIP};
use self::stopwatch::{Stopwatch, begin_pass};
use self::tiles::{Seams, Tiles};
use self::world::{World, next_stamp, spread_out};
use super::{
    Cancel, Edit, Engine, EngineError, EngineKind, check_board, check_rule, copies_live_on,
    generations_in_reach,
};
use crate::board::{Board, Cells, Tally, Topology};
use crate::cell::{DEAD, State};
use crate::coin::{key_of, low32};
use crate::coords::{Coords, Rect, to_index};
use crate::rule::circuit::background_word;
use crate::rule::{Kernel, Rule};

/// Dispatches of the step in one submission at the most.
const BATCH: usize = 256;
/// How long a submission should take when nobody is waiting for a frame.
const SUBMISSION: Duration = Duration::from_millis(50);
/// Tiles of a submission whose speed is not known yet.
const FIRST_TILES: u64 = 2048;
/// Generations after a change of the board until it is looked at which tiles sleep, and the most between two looks at
/// boards on which none does.
const FIRST_LOOK: u64 = 16;
const LONGEST_PAUSE: u64 = 512;
/// How long a submission should take that tells which gait is the fastest, and how long it has to.
const TRIAL: Duration = Duration::from_millis(2);
const SHORTEST_TRIAL: Duration = Duration::from_millis(1);
/// Bounded boards of so many tiles hold all of them: then nothing is to be looked after.
const SMALL_BOARD: u64 = 64;

/// Runs the kernel of a rule on the GPU.
pub struct GpuEngine {
    gpu: Arc<Gpu>,
    rule: Rule,
    kernel: Arc<Kernel>,
    programs: Arc<Programs>,
    moments: Moments,
    limits: TextureLimits,
    world: World,
    /// Whether empty space stays empty on bounded boards.
    is_quiet: bool,
    /// Whether all tiles of the board are held, whatever they hold.
    is_whole: bool,
    /// The strides that are right on this board: 1, and [`LEAP`] unless ghosts would go other ways than what they are
    /// copies of.
    strides: &'static [u64],
    background: State,
    /// The background of the generation before.
    past_background: State,
    generation: u64,
    seed: u64,
    /// Slots of the list whose next generation, or leap, is done; 0 between generations.
    done: usize,
    /// How many generations the other texture is behind the front one, or ahead while `done` is not 0.
    stride: u64,
    /// The gait that was asked for; without one, the fastest is found out.
    gait: Option<Gait>,
    /// That of the last submission.
    last_gait: Gait,
    /// The board that was shown last, while it is the present one.
    shown: Option<Board>,
    /// Changes whenever the board does.
    stamp: u64,
    /// Generations that can be stepped before life could leave the tiles; 0 when that is to be worked out.
    room: u64,
    /// Generations for which the list of slots is good; 0 when it is to be looked at which tiles sleep.
    rest: u64,
    /// Generations until that is looked at again, when nothing sleeps.
    pause: u64,
    /// The first half of a look: which tiles change, of the slots that are listed.
    half: Option<(Vec<u32>, wgpu::Buffer)>,
    /// Whether the back texture holds the whole next generation already.
    previewed: bool,
    /// Measured speed, tiles a second; 0 when not measured yet.
    tiles_per_sec: f64,
    /// Times passes, while that is wanted.
    stopwatch: Option<Stopwatch>,
}

/// When and where the pieces of a submission are.
struct Moments {
    buffer: wgpu::Buffer,
    /// Bytes from one moment to the next.
    stride: u32,
    group: wgpu::BindGroup,
}

/// A piece of work: some slots of the list in one generation, or in one leap.
#[derive(Clone, Copy)]
struct Piece {
    /// The generation that is read.
    generation: u64,
    gait: Gait,
    first: usize,
    end: usize,
}

impl Piece {
    /// Workgroups that do it.
    fn workgroups(self, programs: &Programs, planes: usize) -> (u32, u32) {
        let items = (self.end - self.first) as u64;
        match self.gait {
            Gait::Steps => {
                let walks = TILE_WORDS / 2 * (TILE_ROWS / STRIP);
                spread_out((items * u64::from(walks)).div_ceil(64))
            }
            Gait::Leaps => spread_out(items * u64::from(TILE_ROWS / block_rows(planes))),
            gait => spread_out(items * u64::from(programs.parts(gait))),
        }
    }
}

/// What is known of one tile.
struct Counted {
    at: TileAt,
    /// Cells by species.
    species: Vec<u64>,
    /// Where the cells that differ from the background are, in coordinates of the world.
    life: Option<Rect>,
}

impl GpuEngine {
    /// A GPU engine for `rule`, holding an empty board.
    pub fn new(rule: &Rule) -> Result<Self, EngineError> {
        check_rule(rule)?;
        let gpu = Gpu::shared()?;
        let kernel = rule.kernel()?;
        let programs = Programs::shared(&gpu, &kernel)?;
        let moments = Moments::new(&gpu, &programs);
        let endless = rule.with_topology(Topology::Unbounded);
        let stays_dead = |generation| endless.background_next(DEAD, generation) == DEAD;
        let is_quiet = rule.background_is_uniform() && stays_dead(0) && stays_dead(1);
        let strides: &[u64] = if copies_live_on(rule, kernel.uses_coins()) { &[1, LEAP] } else { &[1] };
        let (tiles, limits) = (Tiles::new(rule.topology()), gpu.texture_limits());
        let world =
            World::new(&gpu, &programs, kernel.planes(), tiles, strides, limits).map_err(EngineError::Gpu)?;
        let mut engine = Self {
            gpu,
            rule: rule.clone(),
            kernel,
            programs,
            moments,
            limits,
            world,
            is_quiet,
            is_whole: false,
            strides,
            background: DEAD,
            past_background: DEAD,
            generation: 0,
            seed: 0,
            done: 0,
            stride: 1,
            gait: None,
            last_gait: Gait::Steps,
            shown: None,
            stamp: next_stamp(),
            room: 0,
            rest: 0,
            pause: 0,
            half: None,
            previewed: false,
            tiles_per_sec: 0.0,
            stopwatch: None,
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

    /// A number that no other board has, nor this one at another generation.
    pub const fn stamp(&self) -> u64 {
        self.stamp
    }

    /// A number that no other tiles have.
    pub(super) const fn tiles_stamp(&self) -> u64 {
        self.world.stamp()
    }

    /// The bind group layout of `shaders/board.wgsl`.
    pub fn board_layout(&self) -> &wgpu::BindGroupLayout {
        &self.programs.tools.board_layout
    }

    /// The bind group of the present generation for `shaders/board.wgsl`.
    pub const fn front_group(&self) -> &wgpu::BindGroup {
        self.world.read_group(self.world.front)
    }

    /// The bind group of the next generation, for marks; only right after [`GpuEngine::preview`].
    pub const fn preview_group(&self) -> &wgpu::BindGroup {
        self.world.read_group(1 - self.world.front)
    }

    /// Works out the next generation into the back texture and leaves the present one in place.
    pub fn preview(&mut self) -> Result<(), EngineError> {
        if !self.previewed {
            self.prepare(1)?;
            self.done = 0;
            let (generation, end) = (self.generation, self.world.list().len());
            let all = Piece { generation, gait: Gait::Steps, first: 0, end };
            if all.end > 0 {
                self.submit(&[all], self.world.front);
            }
            self.done = 0;
            self.gpu.check()?;
            self.previewed = true;
        }
        Ok(())
    }

    /// The plane bits of a state.
    fn code(&self, state: State) -> u8 {
        if state == DEAD { 0 } else { self.kernel.encoding().code(state) }
    }

    /// The plane bits of the background in texture 0 and 1.
    fn background_codes(&self) -> [u8; 2] {
        let mut codes = [self.code(self.past_background); 2];
        codes[self.world.front] = self.code(self.background);
        codes
    }

    /// Whether the background is stepped, as a tile of its own: when it may live.
    fn background_lives(&self) -> bool {
        self.rule.topology() == Topology::Unbounded && !(self.is_quiet && self.background == DEAD)
    }

    /// All slots that can be stepped: of all tiles of the board, and of the background where it lives.
    fn all_slots(&self) -> Vec<u32> {
        let tiles = self.world.tiles();
        let background = self.background_lives().then_some(0);
        let of_board = tiles.iter().filter(|&(at, _)| tiles.is_of_board(at)).map(|(_, slot)| slot);
        background.into_iter().chain(of_board).collect()
    }

    /// Whether any tile sleeps.
    fn sleeps(&self) -> bool {
        let (awake, held) = self.tiles();
        awake < held
    }

    /// How many tiles are stepped, and how many are held: those with life in reach, or all of the board.
    pub fn tiles(&self) -> (usize, usize) {
        let background = usize::from(self.background_lives());
        let tiles = self.world.tiles();
        let held = tiles.iter().filter(|&(at, _)| tiles.is_of_board(at)).count();
        (self.world.list().len().saturating_sub(background), held)
    }

    /// Wakes all tiles for some generations.
    fn wake(&mut self, generations: u64) {
        self.half = None;
        self.rest = generations;
        let all = self.all_slots();
        self.world.set_list(all);
    }

    /// Sees to it that at least one generation can be stepped, and a leap if `left` generations allow one.
    fn prepare(&mut self, left: u64) -> Result<(), EngineError> {
        let stride = if left >= LEAP { self.preferred_gait().stride() } else { 1 };
        if stride == self.stride && self.done > 0 {
            return Ok(());
        }
        if self.room < stride {
            self.survey()?;
        }
        // Where coordinates end there may be no room for a leap.
        self.change_stride(if self.room < stride { 1 } else { stride });
        if self.rest < self.stride {
            self.look()?;
        }
        Ok(())
    }

    /// Goes on by strides of so many generations: a part of another one that is done is given up, and tiles that sleep
    /// wake, since they go in circles of another length perhaps. No look is taken before a whole stride.
    fn change_stride(&mut self, stride: u64) {
        if stride != self.stride {
            (self.stride, self.done) = (stride, 0);
            // A ring for single generations is too narrow for a leap.
            self.world.refill_front();
            let slept = self.sleeps();
            self.wake(if slept { FIRST_LOOK } else { self.rest }.max(stride));
        }
    }

    /// Finds the tiles that can sleep: those that go on in circles of two generations, without coins, and so do all
    /// those near them. Whatever comes from further off takes as many generations as a tile has cells.
    ///
    /// Where a rule tosses coins, one look tells only whether there are any in one of the two generations, so a second
    /// one is taken a generation later. After leaps, those sleep that go in circles of as many generations, of rules
    /// without coins.
    fn look(&mut self) -> Result<(), EngineError> {
        if self.stride > 1 && self.kernel.uses_coins() {
            self.rest = LONGEST_PAUSE;
            return Ok(());
        }
        let first = self.half.take();
        let whole = first.is_some() || !self.kernel.uses_coins();
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let (slots, changes) = first.unwrap_or_else(|| {
            let slots = self.all_slots();
            let none = vec![0u32; slots.len().max(1)];
            (slots, self.gpu.buffer_with("biota.compare.changes", &none, usage))
        });
        if slots.is_empty() {
            self.rest = u64::MAX;
            return Ok(());
        }
        let mut encoder = self.gpu.encoder("biota.compare");
        self.compare(&mut encoder, &slots, &changes);
        if !whole {
            stopwatch::submit(&mut self.stopwatch, &self.gpu, encoder);
            self.wake(1);
            self.half = Some((slots, changes));
            return Ok(());
        }
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let result = self.gpu.buffer("biota.compare.result", changes.size(), usage);
        encoder.copy_buffer_to_buffer(&changes, 0, &result, 0, changes.size());
        stopwatch::submit(&mut self.stopwatch, &self.gpu, encoder);
        let mut changing = BTreeSet::new();
        self.gpu.with_mapped(&result, |flags| {
            changing.extend(slots.iter().zip(flags).filter(|(_, flag)| **flag != 0).map(|(slot, _)| *slot));
        })?;
        let tiles = self.world.tiles();
        let is_calm = |at: TileAt| match tiles.slot(at) {
            Some(slot) => tiles.is_of_board(at) && !changing.contains(&slot),
            None => !changing.contains(&0),
        };
        let awake: Vec<u32> = tiles
            .iter()
            .filter(|&(at, _)| tiles.is_of_board(at))
            .filter(|&(at, _)| !tiles.near(at).into_iter().all(is_calm))
            .map(|(_, slot)| slot)
            .collect();
        let background = self.background_lives().then_some(0);
        self.world.set_list(background.into_iter().chain(awake).collect());
        if self.sleeps() {
            let reach = self.rule.depends_on().neighbourhood.reach();
            self.pause = FIRST_LOOK;
            let calm = u64::try_from(TILE_SIDE / reach).unwrap_or(1);
            self.rest = calm - calm % self.stride;
        } else {
            self.pause = (2 * self.pause).min(LONGEST_PAUSE);
            self.rest = self.pause.next_multiple_of(self.stride);
        }
        Ok(())
    }

    /// Whether slots repeat themselves: compares their next generation with the one before the present one, or, after a
    /// leap, the present one with that before the leap.
    fn compare(&mut self, encoder: &mut wgpu::CommandEncoder, slots: &[u32], changes: &wgpu::Buffer) {
        let list = self.gpu.buffer_with("biota.compare.slots", slots, wgpu::BufferUsages::STORAGE);
        let past = self.world.view(1 - self.world.front);
        let group = self.gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("biota.compare"),
            layout: &self.programs.compare_layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&past) },
                wgpu::BindGroupEntry { binding: 1, resource: list.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 2, resource: changes.as_entire_binding() },
            ],
        });
        let piece = Piece { generation: self.generation, gait: Gait::Steps, first: 0, end: slots.len() };
        self.write_moments(&[piece]);
        let mut pass = begin_pass(&mut self.stopwatch, encoder, "biota.compare");
        let (pipeline, (x, y)) = if self.stride == 1 {
            (&self.programs.compare, piece.workgroups(&self.programs, self.kernel.planes()))
        } else {
            (&self.programs.repeat, spread_out(slots.len() as u64))
        };
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, self.front_group(), &[]);
        pass.set_bind_group(1, &self.moments.group, &[0]);
        pass.set_bind_group(2, &group, &[]);
        pass.dispatch_workgroups(x, y, 1);
    }

    /// Counts what is in each tile of the board.
    fn census(&mut self) -> Result<Vec<Counted>, EngineError> {
        let tiles = self.world.tiles();
        let held: Vec<(TileAt, u32)> = tiles.iter().filter(|&(at, _)| tiles.is_of_board(at)).collect();
        if held.is_empty() {
            return Ok(Vec::new());
        }
        let slots: Vec<u32> = held.iter().map(|&(_, slot)| slot).collect();
        let count = u32::try_from(slots.len()).expect("a slot is a u32");
        let species = usize::from(self.rule.states()) - 1;
        let question =
            [QuestionUniform { background: u32::from(self.background), slots: count, unused: [0; 2] }];
        let question = self.gpu.buffer_with("biota.tally.question", &question, wgpu::BufferUsages::UNIFORM);
        let slots = self.gpu.buffer_with("biota.tally.slots", &slots, wgpu::BufferUsages::STORAGE);
        let bytes = (held.len() * (species + 1) * 4) as u64;
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let parts = self.gpu.buffer("biota.tally.parts", bytes, usage);
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let result = self.gpu.buffer("biota.tally.result", bytes, usage);
        let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
            .zip([&question, &slots, &parts])
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let group = self.gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("biota.tally"),
            layout: &self.programs.tally_layout,
            entries: &entries,
        });
        let mut encoder = self.gpu.encoder("biota.tally");
        {
            let mut pass = begin_pass(&mut self.stopwatch, &mut encoder, "biota.tally");
            pass.set_pipeline(&self.programs.tally);
            pass.set_bind_group(0, self.front_group(), &[]);
            pass.set_bind_group(1, &group, &[]);
            let (x, y) = spread_out(u64::from(count));
            pass.dispatch_workgroups(x, y, 1);
        }
        encoder.copy_buffer_to_buffer(&parts, 0, &result, 0, bytes);
        stopwatch::submit(&mut self.stopwatch, &self.gpu, encoder);
        let mut counted = Vec::with_capacity(held.len());
        self.gpu.with_mapped(&result, |words| {
            for (&(at, _), part) in held.iter().zip(words.chunks_exact(species + 1)) {
                let [left, right, top, bottom] =
                    [0, 8, 16, 24].map(|shift| i64::from(part[species] >> shift & 255));
                let cells = at.cells();
                let life = (left <= right)
                    .then(|| Rect::new(cells.x + left, cells.y + top, right - left + 1, bottom - top + 1));
                let species = part[..species].iter().map(|&cells| u64::from(cells)).collect();
                counted.push(Counted { at, species, life });
            }
        })?;
        Ok(counted)
    }

    /// Sees to it that all tiles are held that life can reach in a while, gives those back that it has left, and works
    /// out how long that lasts.
    ///
    /// Errors when there is no room for them, or where coordinates end; then the board is as it was.
    fn survey(&mut self) -> Result<(), EngineError> {
        if self.is_whole {
            self.room = u64::MAX;
            return Ok(());
        }
        let counted = self.census()?;
        let tiles = self.world.tiles();
        let alive = counted.iter().filter_map(|tile| Some((tile.at, tile.life?)));
        let life = alive.clone().map(|(_, life)| life).reduce(Rect::union);
        let mut wanted = BTreeSet::new();
        for (at, _) in alive {
            wanted.extend(tiles.near(at));
        }
        wanted.extend(tiles.ghosts_beside(&wanted));
        let gone: Vec<TileAt> = tiles.iter().map(|(at, _)| at).filter(|at| !wanted.contains(at)).collect();
        let new: Vec<TileAt> = wanted.into_iter().filter(|&at| tiles.slot(at).is_none()).collect();
        let (generation, width, height) =
            (self.generation, life.unwrap_or_default().width, life.unwrap_or_default().height);
        let outgrown = |reason| EngineError::Outgrown { generation, width, height, reason };
        let reach = self.rule.depends_on().neighbourhood.reach();
        let tile = u64::try_from(TILE_SIDE / reach).unwrap_or(1);
        let room = tile.min(generations_in_reach(&self.rule, generation, life)?);
        if !(gone.is_empty() && new.is_empty()) {
            let codes = self.background_codes();
            // As long as all are awake a look may still lack the generation before.
            let slept = self.sleeps();
            self.world.change(&gone, &new, codes).map_err(outgrown)?;
            self.world.refill_front();
            self.wake(if slept { 0 } else { self.rest.max(1) });
        }
        self.room = room;
        Ok(())
    }

    /// Tells the shaders when and where pieces of work are.
    fn write_moments(&self, pieces: &[Piece]) {
        let stride = self.moments.stride as usize;
        let mut moments = vec![0u8; pieces.len() * stride];
        let index = |item: usize| u32::try_from(item).expect("a slot is a u32");
        for (slot, &Piece { generation, first, end, .. }) in moments.chunks_mut(stride).zip(pieces) {
            let [seed_low, seed_high] = key_of(self.seed);
            let moment = MomentUniform {
                generation_low: low32(generation),
                generation_high: low32(generation >> 32),
                seed_low,
                seed_high,
                first: index(first),
                end: index(end),
                unused: [0; 2],
            };
            slot[..size_of::<MomentUniform>()].copy_from_slice(bytemuck::bytes_of(&moment));
        }
        self.gpu.queue().write_buffer(&self.moments.buffer, 0, &moments);
    }

    /// Submits pieces of work. `front` is the texture that the first piece reads; after a piece that reaches the end of
    /// the list the textures swap. Gives which is in front then.
    fn submit(&mut self, pieces: &[Piece], mut front: usize) -> usize {
        self.write_moments(pieces);
        let mut encoder = self.gpu.encoder("biota.step");
        // Ghosts are timed apart from the steps only where each has a pass of its own.
        let apart = self.stopwatch.is_some() && self.world.tiles().seams() == Seams::Ghosts;
        let mut offset = 0;
        for pieces in pieces.chunks(if apart { 1 } else { BATCH }) {
            let mut pass = begin_pass(&mut self.stopwatch, &mut encoder, pieces[0].gait.label());
            for piece in pieces {
                let pipeline = self.programs.pipeline(&self.gpu, piece.gait);
                pass.set_pipeline(pipeline.expect("a gait is chosen when it was compiled"));
                pass.set_bind_group(0, self.world.step_group(front), &[]);
                pass.set_bind_group(1, &self.moments.group, &[offset]);
                let (x, y) = piece.workgroups(&self.programs, self.kernel.planes());
                pass.dispatch_workgroups(x, y, 1);
                if piece.end == self.world.list().len() {
                    front = 1 - front;
                    if apart {
                        drop(pass);
                        pass = begin_pass(&mut self.stopwatch, &mut encoder, "biota.margin");
                    }
                    self.world.refill_margin(&mut pass, front, piece.gait.stride());
                }
                offset += self.moments.stride;
            }
        }
        stopwatch::submit(&mut self.stopwatch, &self.gpu, encoder);
        front
    }

    /// The gaits that are right on this board.
    fn right_gaits(&self) -> Vec<Gait> {
        if self.strides.contains(&LEAP) { self.programs.gaits() } else { vec![Gait::Steps] }
    }

    /// Those that are worth a trial. Software adapters take seconds to compile a shuffle, and have no registers for it.
    fn promising_gaits(&self) -> Vec<Gait> {
        let mut gaits = self.right_gaits();
        if self.gpu.is_software() {
            gaits.retain(|gait| matches!(gait, Gait::Steps | Gait::Leaps));
        }
        gaits
    }

    /// The gait to go on by, as long as there are generations for it.
    fn preferred_gait(&self) -> Gait {
        match self.gait {
            Some(gait) if self.right_gaits().contains(&gait) => gait,
            Some(_) => Gait::Steps,
            None => {
                let promising = self.promising_gaits();
                self.programs.paces.lock().map_or(Gait::Steps, |paces| paces.preferred(&promising))
            }
        }
    }

    /// The gait of the present stride.
    fn gait_of_stride(&self) -> Gait {
        if self.stride == 1 {
            return Gait::Steps;
        }
        let gait = self.preferred_gait();
        let is_there = gait != Gait::Steps && self.programs.pipeline(&self.gpu, gait).is_some();
        if is_there { gait } else { Gait::Leaps }
    }

    /// Takes at most so many bytes for each of the two textures, from the next board on, or when this one grows. It is
    /// never more than the adapter allows.
    pub fn set_memory_limit(&mut self, bytes: u64) {
        self.limits.bytes = self.gpu.texture_limits().bytes.min(bytes);
        self.world.set_limits(self.limits);
    }

    /// The gaits that there are for this rule on this adapter.
    pub fn gaits(&self) -> Vec<Gait> {
        self.programs.gaits()
    }

    /// Says how to go on: by this gait where that is right on the board and there are as many generations left, else by
    /// single generations; `None` for the one that is fastest here, which is the default and takes a few trials (on
    /// software adapters not of shuffles).
    ///
    /// Errors when the adapter or the rule does not allow this gait; then nothing changes.
    pub fn set_gait(&mut self, gait: Option<Gait>) -> Result<(), GaitError> {
        if let Some(gait) = gait
            && self.programs.pipeline(&self.gpu, gait).is_none()
        {
            let offered: Vec<&str> = self.gaits().into_iter().map(Gait::name).collect();
            let (rule, adapter) = (self.rule.to_string(), self.gpu.name());
            return Err(GaitError { gait, rule, adapter, offered: offered.join(" and ") });
        }
        self.gait = gait;
        Ok(())
    }

    /// The gait of the generations that were stepped last.
    pub const fn last_gait(&self) -> Gait {
        self.last_gait
    }

    /// Has the GPU time its own passes from now on, or no longer; where the adapter has no timestamps, nothing is timed.
    /// Ghosts then get passes of their own, so that all of it takes longer.
    pub fn measure(&mut self, wanted: bool) {
        self.stopwatch = if wanted { Stopwatch::new(&self.gpu) } else { None };
    }

    /// What the passes of each kind took on the GPU since the last call: those of [`Gait::name`], `margin`
    /// (ghosts), `compare` (looks at what sleeps), `tally`. Empty unless [`GpuEngine::measure`] was called and the adapter has timestamps.
    pub fn take_times(&mut self) -> Result<Vec<(&'static str, Duration)>, EngineError> {
        self.stopwatch.as_mut().map_or(Ok(Vec::new()), |stopwatch| stopwatch.take(&self.gpu))
    }

    /// Tiles of work for one submission that should take `time`.
    fn tiles_for(&self, time: Duration) -> u64 {
        if self.tiles_per_sec == 0.0 {
            return FIRST_TILES;
        }
        #[expect(clippy::cast_possible_truncation, reason = "saturates, and is bounded by the batch then")]
        let tiles = (self.tiles_per_sec * time.as_secs_f64()) as u64;
        tiles.max(1)
    }

    /// Writes the tiles with cells of `board` into the front texture, but for those that are not `wanted`.
    fn upload_cells(&self, board: &Board, wanted: impl Fn(TileAt) -> bool) -> Result<(), EngineError> {
        let world = &self.world;
        let (mut slots, mut data) = (Vec::new(), Vec::new());
        let mut put = |at: TileAt, words: Vec<u32>| {
            slots.extend(world.tiles().slot(at));
            data.extend(words);
            if slots.len() == world.tiles_in_chunk() {
                world.upload(&slots, &data)?;
                (slots, data) = (Vec::new(), Vec::new());
            }
            Ok::<(), EngineError>(())
        };
        let encoding = self.kernel.encoding();
        let mut binary = vec![0u64; self.kernel.state_planes()];
        let mut coded = vec![0u64; self.kernel.planes()];
        let outside: Vec<u32> = (0..self.kernel.planes())
            .flat_map(|p| vec![low32(background_word(encoding, board.background, p)); PLANE_WORDS])
            .collect();
        let mut band: BTreeMap<TileAt, Vec<u32>> = BTreeMap::new();
        for (corner, tile) in board.cells.tiles() {
            let at = TileAt::of(corner);
            if !wanted(at) {
                continue;
            }
            // Cells come in reading order: a new row of tiles ends the one before.
            if band.first_key_value().is_some_and(|(first, _)| first.y != at.y) {
                for (at, words) in std::mem::take(&mut band) {
                    put(at, words)?;
                }
            }
            let words = band.entry(at).or_insert_with(|| outside.clone());
            let cells = at.cells();
            let first = to_index((corner.x - cells.x) / 32);
            for row in 0..64 {
                for (p, bits) in binary.iter_mut().enumerate() {
                    let background = if board.background >> p & 1 == 1 { u64::MAX } else { 0 };
                    *bits = tile.row(p, row) ^ background;
                }
                encoding.encode(&binary, &mut coded);
                let y = to_index(corner.y - cells.y) + row;
                for (plane, bits) in coded.iter().enumerate() {
                    let at = plane * PLANE_WORDS + y * TILE_WORDS as usize + first;
                    words[at] = low32(*bits);
                    words[at + 1] = low32(bits >> 32);
                }
            }
        }
        for (at, words) in band {
            put(at, words)?;
        }
        world.upload(&slots, &data)
    }

    /// Takes over the board of another engine, to be drawn: of one that was shown before, only the tiles that differ are
    /// uploaded.
    pub fn show(&mut self, board: Board) -> Result<(), EngineError> {
        let alike = |shown: &Board| shown.background == board.background && shown.topology == board.topology;
        let Some(shown) = self.shown.take().filter(alike) else {
            self.load(&board)?;
            self.shown = Some(board);
            return Ok(());
        };
        check_board(&self.rule, &board)?;
        let changed = changed_tiles(&shown.cells, &board.cells);
        let tiles = self.world.tiles();
        let new: Vec<TileAt> = changed.iter().copied().filter(|&at| tiles.slot(at).is_none()).collect();
        if self.world.change(&[], &new, self.background_codes()).is_err() {
            // All of it may still fit without what was left behind.
            return self.show(board);
        }
        let held: Vec<u32> = changed.iter().filter_map(|&at| self.world.tiles().slot(at)).collect();
        let mut codes = self.background_codes();
        codes[1 - self.world.front] = codes[self.world.front];
        self.world.fill(&held, codes);
        self.upload_cells(&board, |at| changed.contains(&at))?;
        self.world.refill_front();
        (self.generation, self.seed) = (board.generation, board.seed);
        self.stamp = next_stamp();
        (self.done, self.previewed, self.room) = (0, false, 0);
        self.pause = FIRST_LOOK;
        self.wake(FIRST_LOOK);
        self.shown = Some(board);
        self.gpu.check()
    }
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
        (self.stamp, self.shown) = (next_stamp(), None);
        let mut tiles = Tiles::new(board.topology);
        let is_whole = board.topology != Topology::Unbounded
            && (!tiles.knows_nearness() || !self.is_quiet || tiles.of_board() <= SMALL_BOARD);
        let too_large = |reason| {
            let life = board.topology.bounds().or(board.cells.bounding_box()).unwrap_or_default();
            EngineError::TooLarge { width: life.width, height: life.height, reason }
        };
        if is_whole {
            // Before all of them are listed.
            layout::Atlas::new(tiles.of_board(), self.kernel.planes(), self.limits).map_err(too_large)?;
            let ghosts = (tiles.seams() == Seams::Ghosts).then(|| tiles.ghosts());
            for at in tiles.whole_board().chain(ghosts.into_iter().flatten()) {
                tiles.hold(at);
            }
        } else {
            for (corner, _) in board.cells.tiles() {
                tiles.hold(TileAt::of(corner));
            }
        }
        let world =
            World::new(&self.gpu, &self.programs, self.kernel.planes(), tiles, self.strides, self.limits)
                .map_err(too_large)?;
        self.gpu.check()?;
        self.world = world;
        self.is_whole = is_whole;
        (self.background, self.generation, self.seed) = (board.background, board.generation, board.seed);
        (self.done, self.previewed, self.room) = (0, false, 0);
        let code = self.code(board.background);
        if code != 0 {
            let slots: Vec<u32> = [0].into_iter().chain(self.world.tiles().iter().map(|(_, s)| s)).collect();
            self.world.fill(&slots, [code; 2]);
        }
        self.upload_cells(board, |_| true)?;
        self.world.refill_front();
        self.past_background = self.background;
        self.pause = FIRST_LOOK;
        self.wake(FIRST_LOOK);
        self.gpu.check()
    }

    fn step(&mut self, generations: u64, cancel: &Cancel) -> Result<u64, EngineError> {
        (self.stamp, self.shown) = (next_stamp(), None);
        let mut done = 0;
        if self.previewed && generations > 0 {
            // The next generation is there already.
            self.world.front = 1 - self.world.front;
            self.past_background = self.background;
            self.background = self.rule.background_next(self.background, self.generation);
            self.generation += 1;
            self.previewed = false;
            self.room -= 1;
            self.rest -= 1;
            done = 1;
        }
        while done < generations {
            self.prepare(generations - done)?;
            let all = self.world.list().len();
            if all == 0 {
                // All of it goes in circles for ever: of two generations, or of a leap.
                let left = generations - done;
                if self.stride == 1 && left % 2 == 1 {
                    self.world.front = 1 - self.world.front;
                }
                let skipped = left - left % self.stride;
                self.generation += skipped;
                done += skipped;
                continue;
            }
            // One submission: tiles for the time that is left, in whole generations or, of large boards, in parts.
            let gait = self.gait_of_stride();
            self.last_gait = gait;
            let tries = self.gait.is_none()
                && self.tiles_per_sec > 0.0
                && self.programs.paces.lock().is_ok_and(|paces| paces.tries(&self.promising_gaits()));
            let longest = if tries { TRIAL } else { SUBMISSION };
            let time = cancel.time_left().map_or(longest, |left| left.min(longest));
            let most = self.room.min(self.rest).min(generations - done);
            let stride = self.stride;
            let mut tiles = (self.tiles_for(time) / stride).max(1);
            let (mut generation, mut background, mut first) = (self.generation, self.background, self.done);
            let mut past = self.past_background;
            let (mut whole, mut worked, mut pieces) = (0, 0, Vec::new());
            while tiles > 0 && pieces.len() < BATCH && whole + stride <= most {
                let end = all.min(first.saturating_add(usize::try_from(tiles).unwrap_or(usize::MAX)));
                pieces.push(Piece { generation, gait, first, end });
                tiles -= (end - first) as u64;
                worked += (end - first) as u64 * stride;
                first = end;
                if end == all {
                    first = 0;
                    whole += stride;
                    past = background;
                    for _ in 0..stride {
                        background = self.rule.background_next(background, generation);
                        generation += 1;
                    }
                }
            }
            let start = Instant::now();
            self.world.front = self.submit(&pieces, self.world.front);
            if whole > 0 {
                self.past_background = past;
            }
            (self.generation, self.background, self.done) = (generation, background, first);
            self.gpu.wait()?;
            let elapsed = start.elapsed();
            if let Some(stopwatch) = &mut self.stopwatch {
                stopwatch.read(&self.gpu)?;
            }
            let speed = worked as f64 / elapsed.as_secs_f64().max(1e-6);
            self.tiles_per_sec =
                if self.tiles_per_sec == 0.0 { speed } else { 0.5 * self.tiles_per_sec + 0.5 * speed };
            if elapsed >= SHORTEST_TRIAL
                && let Ok(mut paces) = self.programs.paces.lock()
            {
                paces.note(gait, speed);
            }
            done += whole;
            self.room -= whole;
            self.rest -= whole;
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
        let counted = self.census()?;
        let mut counts = vec![0u64; usize::from(self.rule.states()) - 1];
        for tile in &counted {
            for (count, cells) in counts.iter_mut().zip(&tile.species) {
                *count += cells;
            }
        }
        let cells = counted.len() as u64 * TILE_SIDE.unsigned_abs().pow(2);
        Ok(Tally {
            populations: stored_populations(&counts, cells, self.background),
            bounding_box: counted.iter().filter_map(|tile| tile.life).reduce(Rect::union),
        })
    }

    fn read(&mut self, area: Rect) -> Result<Cells, EngineError> {
        let area = area.intersection(self.field());
        let mut cells = Cells::new();
        let held: Vec<(TileAt, u32)> = self.world.tiles().within(area).collect();
        let slots: Vec<u32> = held.iter().map(|&(_, slot)| slot).collect();
        let encoding = self.kernel.encoding();
        let background = self.background;
        let mut binary = vec![0; self.kernel.state_planes()];
        let mut coded = vec![0; self.kernel.planes()];
        let row_words = TILE_WORDS as usize;
        let mut out = vec![[0u64; TILE_WORDS as usize / 2]; binary.len()];
        self.world.download(&slots, |index, words| {
            let corner = held[index].0.cells();
            for (row, y) in (0..PLANE_WORDS / row_words).zip(corner.y..) {
                for pair in 0..row_words / 2 {
                    for (plane, bits) in coded.iter_mut().enumerate() {
                        let at = plane * PLANE_WORDS + row * row_words + 2 * pair;
                        *bits = u64::from(words[at]) | u64::from(words[at + 1]) << 32;
                    }
                    encoding.decode(&coded, &mut binary);
                    for (plane, (row, bits)) in out.iter_mut().zip(&binary).enumerate() {
                        row[pair] = if background >> plane & 1 == 1 { !bits } else { *bits };
                    }
                }
                for (plane, words) in out.iter().enumerate() {
                    // Cells that are not put are dead.
                    if words.iter().any(|&word| word != 0) {
                        cells.put_words(plane, corner.x, y, words.iter().copied());
                    }
                }
            }
        })?;
        Ok(cells.clipped(area))
    }

    fn field(&self) -> Rect {
        self.rule.topology().bounds().unwrap_or_else(|| {
            let tiles = self.world.tiles().iter().map(|(at, _)| at.cells());
            tiles.reduce(Rect::union).unwrap_or_default()
        })
    }

    fn write(&mut self, edits: &[Edit]) -> Result<(), EngineError> {
        (self.stamp, self.shown) = (next_stamp(), None);
        let bounds = self.rule.topology().bounds();
        let mut by_tile: BTreeMap<TileAt, Vec<Edit>> = BTreeMap::new();
        for &edit in edits.iter().filter(|edit| bounds.is_none_or(|bounds| bounds.contains(edit.at))) {
            let (x, y) = (edit.at.x, edit.at.y);
            if !edit.at.is_in_reach() {
                return Err(crate::board::CellsError::OutOfReach { x, y }.into());
            }
            by_tile.entry(TileAt::of(edit.at)).or_default().push(edit);
        }
        if by_tile.is_empty() {
            return Ok(());
        }
        let tiles = self.world.tiles();
        let new: Vec<TileAt> = by_tile.keys().copied().filter(|&at| tiles.slot(at).is_none()).collect();
        if !new.is_empty() {
            let codes = self.background_codes();
            let life = self.field();
            self.world.change(&[], &new, codes).map_err(|reason| EngineError::TooLarge {
                width: life.width,
                height: life.height,
                reason,
            })?;
        }
        let tiles = self.world.tiles();
        let slots: Vec<u32> = by_tile.keys().filter_map(|&at| tiles.slot(at)).collect();
        let mut held = Vec::with_capacity(slots.len() * self.world.tile_words());
        self.world.download(&slots, |_, words| held.extend_from_slice(words))?;
        for ((at, edits), words) in by_tile.iter().zip(held.chunks_exact_mut(self.world.tile_words())) {
            let corner = at.cells();
            for edit in edits {
                let code = self.code(edit.state);
                let (x, y) = (to_index(edit.at.x - corner.x), to_index(edit.at.y - corner.y));
                let bit = 1u32 << (x % 32);
                for (plane, words) in words.chunks_exact_mut(PLANE_WORDS).enumerate() {
                    let word = &mut words[y * TILE_WORDS as usize + x / 32];
                    if code >> plane & 1 == 1 {
                        *word |= bit;
                    } else {
                        *word &= !bit;
                    }
                }
            }
        }
        self.world.upload(&slots, &held)?;
        self.world.refill_front();
        (self.done, self.previewed, self.room) = (0, false, 0);
        self.pause = FIRST_LOOK;
        self.wake(FIRST_LOOK);
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

/// The tiles in which cells differ.
fn changed_tiles(one: &Cells, other: &Cells) -> BTreeSet<TileAt> {
    let (mut ours, mut theirs) = (one.tiles().peekable(), other.tiles().peekable());
    let mut changed = BTreeSet::new();
    loop {
        let key = |corner: Coords| (corner.y, corner.x);
        let (next, differs) = match (ours.peek(), theirs.peek()) {
            (None, None) => return changed,
            (Some(&(a, _)), None) => (a, true),
            (None, Some(&(b, _))) => (b, true),
            (Some(&(a, tile)), Some(&(b, with))) if a == b => (a, tile != with),
            (Some(&(a, _)), Some(&(b, _))) => (if key(a) < key(b) { a } else { b }, true),
        };
        if differs {
            changed.insert(TileAt::of(next));
        }
        ours.next_if(|&(corner, _)| corner == next);
        theirs.next_if(|&(corner, _)| corner == next);
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

impl Moments {
    fn new(gpu: &Gpu, programs: &Programs) -> Self {
        let device = gpu.device();
        let size = u32::try_from(size_of::<MomentUniform>()).expect("a small struct");
        let stride = size.next_multiple_of(device.limits().min_uniform_buffer_offset_alignment);
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let buffer = gpu.buffer("biota.step.moments", u64::from(stride) * BATCH as u64, usage);
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
