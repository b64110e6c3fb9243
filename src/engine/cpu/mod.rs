//! The CPU engine: the rule's kernel on the widest registers there are, all cores, only where something happens.
//!
//! The board is cut into chunks of 512 × 512 cells ([`chunk`]), made where life is and dropped where it is gone, so that
//! the plane is unbounded. A macro-step takes every awake tile (64 × 64 cells) K generations further ([`region`]): K
//! generations in the cache for one trip through memory. A tile sleeps when a macro-step changed neither it nor one of its
//! eight neighbours; K = 30 lets still lifes and everything of the periods 2, 3, 5, 6, 10, 15 and 30 sleep, the stream of
//! a Gosper gun included. Bounded boards are the plane with a margin that is filled anew before each macro-step
//! ([`margin`]), or with a dead outside.
//!
//! Circuits of well-known rules are compiled beforehand ([`native`]), all others run gate by gate ([`gates`]), and rules too
//! large for a circuit walk their diagram cell by cell. Knows the kernels, but neither their WGSL nor the GPU.

mod census;
mod chunk;
mod gates;
mod margin;
mod native;
mod region;
mod stepper;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::raster::{Raster, Weight, against, weigh};
use super::{
    Cancel, Edit, Engine, EngineError, EngineKind, check_board, check_edits, check_rule, copies_live_on,
    countable_generations, generations_in_reach,
};
use crate::board::{Board, Cells, TILE_SIDE, Tally, Topology};
use crate::cell::{DEAD, State};
use crate::coords::{Coords, Rect};
use crate::rule::circuit::background_word;
use crate::rule::walk::MAX_PLANES;
use crate::rule::{Kernel, Rule};
use crate::{machine, text};
use census::{Census, Counting};
use chunk::{
    Chunk, FURTHEST, Key, PLANE, TILE_ROWS, World, around, first_word, key_of, spread, tile_of, tiles_of,
    touched, word_of,
};
use region::{Job, Outcome, Scratch};
use stepper::{Lane, Plan, words, words_mut};

/// So much of what is left of the memory is taken between two looks at how much that is: one part in so many.
const LOOKS: u64 = 4;
/// Why there is no board where the system refuses memory all the same.
const REFUSED: &str = "the system gives it no more memory";
/// Generations of a macro-step where neighbours are one cell away, and where they are two.
const MACRO_STEP: [u64; 2] = [30, 12];
/// Chunks that are stepped between two looks at the time, at the most.
const BATCH: usize = 32;
/// Chunks that are counted between two looks at the time.
const COUNTED: usize = 128;
/// How long a macro-step may take when somebody watches, and the chunks between two looks at the time.
const WATCHED: Duration = Duration::from_millis(300);
const PIECE: Duration = Duration::from_millis(4);
/// Generations of a macro-step that must be shorter for that.
const WATCHED_STEPS: [u64; 4] = [1, 2, 6, 12];

/// Runs the kernel of a rule over sparse bit planes.
pub struct CpuEngine {
    rule: Rule,
    kernel: Arc<Kernel>,
    plan: Plan,
    scratch: Mutex<Vec<Scratch>>,
    world: World,
    /// The most memory that both generations of a board may take, bytes.
    limit: u64,
    /// So many chunks may there be without a look at how much memory there is.
    granted: usize,
    /// Whether dead cells among dead ones stay dead; always so on the plane, where the background lives instead.
    quiescent: bool,
    /// The length of the last macro-step: what slept then is the same after each multiple of it. `None` when all that
    /// lives is to be looked at.
    steady: Option<u64>,
    pending: Option<Pending>,
    /// Tiles × generations a second, as measured; 0 when not measured yet.
    speed: f64,
    background: State,
    generation: u64,
    seed: u64,
}

/// A macro-step at work.
struct Pending {
    generations: u64,
    /// The state of the background after it.
    background: State,
    wraps: Option<(i64, i64)>,
    /// Slots and the tiles awake there.
    list: Vec<(usize, u64)>,
    /// What came of those that are done.
    done: Vec<Outcome>,
    taken: Duration,
}

impl CpuEngine {
    /// A CPU engine for `rule`, holding an empty board.
    pub fn new(rule: &Rule) -> Result<Self, EngineError> {
        check_rule(rule)?;
        let kernel = rule.kernel()?;
        let mut engine = Self {
            rule: rule.clone(),
            plan: Plan::new(&kernel),
            kernel,
            scratch: Mutex::default(),
            world: World::default(),
            limit: u64::MAX,
            granted: 0,
            quiescent: rule.topology() == Topology::Unbounded || rule.empty_space_stays_dead(),
            steady: None,
            pending: None,
            speed: 0.0,
            background: DEAD,
            generation: 0,
            seed: 0,
        };
        engine.load(&Board::empty(rule.topology()))?;
        Ok(engine)
    }

    /// Whether this kernel is a circuit whose generation was compiled with the program.
    pub fn is_precompiled(kernel: &Kernel) -> bool {
        kernel.as_circuit().is_some_and(|circuit| native::find(circuit).is_some())
    }

    /// The words of each plane where all is in state `background`.
    fn uniform(&self, background: State) -> Vec<u64> {
        (0..self.kernel.planes())
            .map(|plane| background_word(self.kernel.encoding(), background, plane))
            .collect()
    }

    /// Takes at most so many bytes for a board, from the next board on, or when this one grows. It is never more than the
    /// machine has to spare.
    pub const fn set_memory_limit(&mut self, bytes: u64) {
        (self.limit, self.granted) = (bytes, 0);
    }

    /// Errors, in words, when there is no memory for so many chunks in all.
    fn grant(&mut self, chunks: usize) -> Result<(), String> {
        if chunks <= self.granted {
            return Ok(());
        }
        let bytes = (2 * self.kernel.planes() * PLANE * size_of::<u64>()) as u64;
        let held = self.world.chunks.len() as u64 * bytes;
        let most = machine::spare_memory().saturating_add(held).min(self.limit);
        let wanted = (chunks as u64).saturating_mul(bytes);
        if wanted > most {
            return Err(format!("it needs more memory than the {} there are for it", text::bytes(most)));
        }
        // What others take meanwhile is seen before much is taken.
        self.granted = chunks + usize::try_from((most - wanted) / LOOKS / bytes).unwrap_or(0);
        Ok(())
    }

    /// The error that there is no memory for the next generation.
    fn outgrown(&mut self, reason: String) -> EngineError {
        match self.tally() {
            Ok(Tally { bounding_box, .. }) => {
                let Rect { width, height, .. } = bounding_box.unwrap_or_default();
                EngineError::Outgrown { generation: self.generation, width, height, reason }
            }
            Err(error) => error,
        }
    }

    /// How many generations a macro-step may have: as many as its scratch rows are good for, and 1 where ghosts at glued
    /// edges would not live as the cells do that they stand for. Also how coins wrap.
    fn most_generations(&self) -> (u64, Option<(i64, i64)>) {
        let most = MACRO_STEP[usize::from(self.rule.depends_on().neighbourhood.reach() > 1)];
        let coins = self.kernel.uses_coins();
        match self.rule.topology() {
            _ if !copies_live_on(&self.rule, coins) => (1, None),
            Topology::Torus { width, height } => (most, Some((width / 32, height)).filter(|_| coins)),
            _ => (most, None),
        }
    }

    /// Gets a macro-step of at most `generations` ready. Errors when life has nowhere to go; then the board is as it was.
    fn begin(&mut self, generations: u64, watched: bool) -> Result<(), EngineError> {
        let (most, wraps) = self.most_generations();
        let mut generations = generations.min(most).min(self.generations_in_reach()?);
        if watched {
            let tiles: u32 = self.world.chunks.iter().map(|chunk| chunk.changed.count_ones()).sum();
            // Of one generation most time goes into memory: two hardly take longer.
            let known = if self.steady == Some(1) { 2 } else { 1 };
            let affordable = known * self.tiles_in(WATCHED) / u64::from(tiles.max(1));
            if affordable < generations {
                // Few lengths, each going into the next, so that what sleeps need not be woken at each change.
                let fits = |k: &u64| most.is_multiple_of(*k) && *k <= affordable;
                generations = WATCHED_STEPS.into_iter().rev().find(fits).unwrap_or(1);
            }
        }
        let topology = self.rule.topology();
        let bounds = topology.bounds();
        let glued = topology.is_glued();
        if glued {
            let reach = self.rule.depends_on().neighbourhood.reach();
            let rows = i64::try_from(generations).expect("a few");
            margin::refresh(&mut self.world, topology, self.kernel.planes(), rows, rows * reach)
                .map_err(|_| self.outgrown(REFUSED.to_owned()))?;
        }
        // Also where life comes in from ghosts.
        self.make_room()?;
        if self.pending.take().is_some() {
            // What was done of it lies where the last step is looked up.
            self.steady = None;
        }
        let background = (self.generation..self.generation + generations)
            .fold(self.background, |background, generation| {
                self.rule.background_next(background, generation)
            });
        let flips = background != self.background;
        let alternates = self.rule.depends_on().parity_generation;
        let asleep = self.steady.is_some_and(|k| {
            // The ghosts of a longer step than the last one have nothing to be compared with.
            let known = if glued { generations == k } else { generations.is_multiple_of(k) };
            known && !(alternates && k % 2 == 1)
        });
        if flips || !asleep {
            for chunk in &mut self.world.chunks {
                chunk.changed |= if flips || !self.quiescent { u64::MAX } else { chunk.living };
            }
        }
        let changed = |slot: Option<usize>| slot.map_or(0, |slot| self.world.chunks[slot].changed);
        let list = self
            .world
            .neighbours
            .iter()
            .zip(&self.world.chunks)
            .enumerate()
            .map(|(slot, (neighbours, chunk))| {
                let inside = bounds.map_or(u64::MAX, |bounds| chunk.tiles_in(bounds));
                (slot, spread(neighbours.map(changed)) & inside)
            })
            .filter(|&(_, awake)| awake != 0)
            .collect();
        self.pending =
            Some(Pending { generations, background, wraps, list, done: Vec::new(), taken: Duration::ZERO });
        Ok(())
    }

    /// How many tiles can be taken one generation further in this time, as far as is known.
    fn tiles_in(&self, time: Duration) -> u64 {
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        let tiles = (self.speed * time.as_secs_f64()) as u64;
        tiles
    }

    /// How many generations a macro-step may have lest life on the plane leaves the coordinates; errors when that is none.
    fn generations_in_reach(&mut self) -> Result<u64, EngineError> {
        let brim = |c: i64| !(-FURTHEST..FURTHEST).contains(&c);
        let near = |chunk: &Chunk| chunk.living != 0 && (brim(chunk.key.0) || brim(chunk.key.1));
        if self.rule.topology() != Topology::Unbounded || !self.world.chunks.iter().any(near) {
            return Ok(u64::MAX);
        }
        let life = self.tally()?.bounding_box;
        generations_in_reach(&self.rule, self.generation, life)
    }

    /// Makes the chunks that life could come into, and drops those that hold nothing.
    fn make_room(&mut self) -> Result<(), EngineError> {
        self.world.meet();
        let bounds = self.rule.topology().bounds();
        let mut kept = vec![!self.quiescent; self.world.chunks.len()];
        let mut wanted: BTreeSet<Key> = BTreeSet::new();
        for (chunk, neighbours) in self.world.chunks.iter().zip(&self.world.neighbours) {
            for neighbour in touched(chunk.living) {
                let key = around(chunk.key)[neighbour];
                let there = || Chunk { key, ..Chunk::default() };
                if let Some(slot) = neighbours[neighbour] {
                    kept[slot] = true;
                } else if bounds.is_none_or(|bounds| there().tiles_in(bounds) != 0) {
                    wanted.insert(key);
                }
            }
        }
        // Life does not get beyond the last coordinates, see `generations_in_reach`.
        wanted.retain(|&(cy, cx)| [cy, cx].iter().all(|c| (-FURTHEST - 1..=FURTHEST).contains(c)));
        let chunks = &self.world.chunks;
        if (0..chunks.len()).any(|slot| !kept[slot] && chunks[slot].living | chunks[slot].changed == 0) {
            let kept: Vec<bool> = (0..chunks.len())
                .map(|slot| kept[slot] || chunks[slot].living | chunks[slot].changed != 0)
                .collect();
            self.world.retain(|slot| kept[slot]);
        }
        let before = self.world.chunks.len();
        self.grant(before + wanted.len()).map_err(|reason| self.outgrown(reason))?;
        let uniform = self.uniform(self.background);
        if wanted.into_iter().any(|key| self.world.ensure(key, &uniform).is_err()) {
            // Whoever saves the board needs some memory, too.
            self.world.retain(|slot| slot < before);
            return Err(self.outgrown(REFUSED.to_owned()));
        }
        self.world.meet();
        Ok(())
    }

    /// Goes on with the macro-step until it is whole, or until `cancel` is due; whether it is whole.
    fn work(&mut self, cancel: &Cancel) -> bool {
        let Some(mut pending) = self.pending.take() else { return false };
        let start = Instant::now();
        let (uniform, uniform_after) = (self.uniform(self.background), self.uniform(pending.background));
        let bounds = self.rule.topology().bounds();
        let job = Job {
            plan: &self.plan,
            generations: usize::try_from(pending.generations).expect("a few"),
            seed: self.seed,
            generation: self.generation,
            wraps: pending.wraps,
            uniform: &uniform,
            uniform_after: &uniform_after,
            bounds,
            dead_outside: matches!(self.rule.topology(), Topology::Plane { .. }),
        };
        let together = if cancel.time_left().is_some() {
            let chunk = u64::try_from(PLANE / TILE_ROWS).expect("tiles of a chunk") * pending.generations;
            usize::try_from(self.tiles_in(PIECE) / chunk)
                .unwrap_or(BATCH)
                .clamp(rayon::current_num_threads().min(BATCH), BATCH)
        } else {
            BATCH
        };
        while pending.done.len() < pending.list.len() {
            let first = pending.done.len();
            let batch = &pending.list[first..pending.list.len().min(first + together)];
            let mut backs: Vec<Vec<Lane>> =
                batch.iter().map(|&(slot, _)| std::mem::take(&mut self.world.back[slot])).collect();
            let world = &self.world;
            let step = |(back, &(slot, awake)): (&mut Vec<Lane>, &(usize, u64))| {
                let pool = || self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
                let spare = pool().pop();
                let mut scratch = spare.unwrap_or_else(|| Scratch::new(&self.plan, self.kernel.planes()));
                let around = world.neighbours[slot].map(|slot| slot.map(|slot| words(&world.front[slot])));
                let rect = world.chunks[slot].rect();
                let outcome = scratch.chunk(&job, rect, &around, awake, words_mut(back));
                pool().push(scratch);
                outcome
            };
            if batch.len() == 1 {
                pending.done.extend(backs.iter_mut().zip(batch).map(step));
            } else {
                let outcomes: Vec<Outcome> = backs.par_iter_mut().zip(batch).map(step).collect();
                pending.done.extend(outcomes);
            }
            for (back, &(slot, _)) in backs.into_iter().zip(batch) {
                self.world.back[slot] = back;
            }
            if cancel.is_due() {
                break;
            }
        }
        pending.taken += start.elapsed();
        let whole = pending.done.len() == pending.list.len();
        if whole {
            self.finish(&pending);
        } else {
            self.pending = Some(pending);
        }
        whole
    }

    /// Makes the next generation the present one.
    fn finish(&mut self, pending: &Pending) {
        let world = &mut self.world;
        std::mem::swap(&mut world.front, &mut world.back);
        for chunk in &mut world.chunks {
            chunk.changed = 0;
            if pending.background != self.background {
                chunk.census = None;
            }
        }
        let mut tiles = 0;
        for (&(slot, awake), outcome) in pending.list.iter().zip(&pending.done) {
            tiles += awake.count_ones();
            let chunk = &mut world.chunks[slot];
            chunk.changed = outcome.changed;
            chunk.living = chunk.living & !awake | outcome.living;
            if outcome.changed != 0 {
                chunk.census = None;
            }
        }
        if pending.taken > Duration::from_micros(200) {
            self.speed = f64::from(tiles) * pending.generations as f64 / pending.taken.as_secs_f64();
        }
        self.background = pending.background;
        self.generation += pending.generations;
        self.steady = Some(pending.generations);
    }

    /// The binary state planes of a word of a chunk, XOR the background's.
    fn stored_word(&self, planes: &[u64], word: usize) -> [u64; MAX_PLANES] {
        let mut coded = [0; MAX_PLANES];
        let used = self.kernel.planes();
        for (p, bits) in coded[..used].iter_mut().enumerate() {
            *bits = planes[p * PLANE + word];
        }
        let mut binary = [0; MAX_PLANES];
        let stored = self.kernel.state_planes();
        if coded == [0; MAX_PLANES] && self.background == DEAD {
            return binary;
        }
        self.kernel.encoding().decode(&coded[..used], &mut binary[..stored]);
        for (p, bits) in binary[..stored].iter_mut().enumerate() {
            *bits ^= if self.background >> p & 1 == 1 { u64::MAX } else { 0 };
        }
        binary
    }
}

impl Engine for CpuEngine {
    fn kind(&self) -> EngineKind {
        EngineKind::Cpu
    }

    fn rule(&self) -> &Rule {
        &self.rule
    }

    fn load(&mut self, board: &Board) -> Result<(), EngineError> {
        check_board(&self.rule, board)?;
        let turned = board.topology.is_glued() && !board.topology.is_torus();
        if let Some(Rect { width, height, .. }) = board.topology.bounds()
            && turned
            && width + height > margin::LARGEST_TURNED
        {
            let reason = format!(
                "the cpu engine takes at most {} columns and rows together where edges are turned or mirrored",
                margin::LARGEST_TURNED
            );
            return Err(EngineError::TooLarge { width, height, reason });
        }
        let mut keys: BTreeSet<Key> = board.cells.tiles().map(|(corner, _)| key_of(corner)).collect();
        if !self.quiescent
            && let Some(bounds) = board.topology.bounds()
        {
            let last = key_of(Coords::new(bounds.right() - 1, bounds.bottom() - 1));
            let count = (last.0 + 1).saturating_mul(last.1 + 1);
            self.grant(usize::try_from(count).unwrap_or(usize::MAX)).map_err(|reason| {
                EngineError::TooLarge { width: bounds.width, height: bounds.height, reason }
            })?;
            keys.extend((0..=last.0).flat_map(|cy| (0..=last.1).map(move |cx| (cy, cx))));
        }
        let too_large = |reason| {
            let life = board.topology.bounds().or(board.cells.bounding_box()).unwrap_or_default();
            EngineError::TooLarge { width: life.width, height: life.height, reason }
        };
        // The old board goes when the new one is there, but for boards so large that there is no memory for both.
        let kept = self.grant(self.world.chunks.len() + keys.len()).is_ok();
        if !kept {
            self.grant(keys.len()).map_err(too_large)?;
            self.world = World::default();
            (self.pending, self.steady) = (None, None);
        }
        let uniform = self.uniform(board.background);
        let mut world = World::default();
        if keys.into_iter().any(|key| world.ensure(key, &uniform).is_err()) {
            return Err(too_large(REFUSED.to_owned()));
        }
        (self.background, self.generation, self.seed) = (board.background, board.generation, board.seed);
        (self.pending, self.steady) = (None, None);
        self.world = world;
        let encoding = self.kernel.encoding();
        let (states, planes) = (self.kernel.state_planes(), self.kernel.planes());
        for (corner, tile) in board.cells.tiles() {
            let Some(slot) = self.world.slot(key_of(corner)) else { continue };
            let (first, _) = word_of(corner);
            let (front, back) = (&mut self.world.front[slot], &mut self.world.back[slot]);
            let (front, back) = (words_mut(front), words_mut(back));
            for row in 0..TILE_ROWS {
                let mut binary = [0; MAX_PLANES];
                let mut coded = [0; MAX_PLANES];
                for (p, bits) in binary[..states].iter_mut().enumerate() {
                    *bits = tile.row(p, row) ^ if board.background >> p & 1 == 1 { u64::MAX } else { 0 };
                }
                encoding.encode(&binary[..states], &mut coded[..planes]);
                for (p, &bits) in coded[..planes].iter().enumerate() {
                    front[p * PLANE + first + row] = bits;
                    back[p * PLANE + first + row] = bits;
                }
            }
            self.world.chunks[slot].living |= tile_of(first);
        }
        Ok(())
    }

    fn step(&mut self, generations: u64, cancel: &Cancel) -> Result<u64, EngineError> {
        let generations = countable_generations(self.generation, generations)?;
        let mut done = 0;
        while done < generations {
            if self.pending.as_ref().is_none_or(|pending| pending.generations > generations - done) {
                self.begin(generations - done, cancel.time_left().is_some())?;
            }
            let before = self.generation;
            if !self.work(cancel) {
                break;
            }
            done += self.generation - before;
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

    fn count(&mut self, cancel: &Cancel) -> Result<bool, EngineError> {
        let chunks = self.world.chunks.iter().enumerate();
        let unknown: Vec<usize> =
            chunks.filter(|(_, chunk)| chunk.census.is_none()).map(|(slot, _)| slot).collect();
        let counting =
            Counting::new(&self.kernel, self.rule.states(), self.background, self.rule.topology().bounds());
        let mut done = 0;
        for slots in unknown.chunks(COUNTED) {
            let world = &self.world;
            let count = |&slot: &usize| counting.chunk(&world.chunks[slot], words(&world.front[slot]));
            let fresh: Vec<Census> = slots.par_iter().with_min_len(COUNTED / 16).map(count).collect();
            for (&slot, census) in slots.iter().zip(fresh) {
                self.world.chunks[slot].census = Some(census);
            }
            done += slots.len();
            if cancel.is_due() {
                break;
            }
        }
        Ok(done == unknown.len())
    }

    fn tally(&mut self) -> Result<Tally, EngineError> {
        self.count(&Cancel::never())?;
        let mut populations = vec![0u64; (1 << self.kernel.state_planes()) - 1];
        let mut bounds = Rect::default();
        for census in self.world.chunks.iter().filter_map(|chunk| chunk.census.as_ref()) {
            populations.iter_mut().zip(&census.populations).for_each(|(all, count)| *all += count);
            bounds = bounds.union(census.bounds);
        }
        if self.background == DEAD {
            populations.truncate(usize::from(self.rule.states()) - 1);
        }
        Ok(Tally { populations, bounding_box: (!bounds.is_empty()).then_some(bounds) })
    }

    fn read(&mut self, area: Rect) -> Result<Cells, EngineError> {
        let area = area.intersection(self.field());
        let mut cells = Cells::new();
        for (chunk, planes) in self.world.chunks.iter().zip(&self.world.front) {
            for tile in tiles_of(chunk.tiles_in(area) & chunk.living) {
                let mut stored = [[0; TILE_ROWS]; MAX_PLANES];
                for row in 0..TILE_ROWS {
                    let binary = self.stored_word(words(planes), first_word(tile) + row);
                    stored.iter_mut().zip(binary).for_each(|(plane, bits)| plane[row] = bits);
                }
                cells.put_tile(chunk.corner_of(tile), &stored);
            }
        }
        Ok(cells.clipped(area))
    }

    fn sums(
        &mut self,
        raster: &Raster,
        rows: Range<usize>,
        weights: &[Weight],
    ) -> Result<Vec<Weight>, EngineError> {
        let background = self.background;
        let mut sums = raster.background(rows.clone(), weights[usize::from(background)]);
        let encoding = self.kernel.encoding();
        // By the number of the stored state, and by its code in the planes.
        let weights: Vec<(usize, u8, Weight)> = against(weights, background)
            .map(|(state, weight)| (usize::from(state ^ background) - 1, encoding.code(state), weight))
            .collect();
        let whole_tiles = raster.pitch() >= TILE_SIDE;
        let bounds = self.rule.topology().bounds();
        let area_of = |rows| {
            let area = raster.area(rows);
            bounds.map_or(area, |bounds| area.intersection(bounds))
        };
        let area = area_of(rows.clone());
        let slots = 0..self.world.chunks.len();
        let seen: Vec<usize> = slots.filter(|&slot| self.world.chunks[slot].tiles_in(area) != 0).collect();
        // What lies in two strips is looked at twice.
        let lowest = usize::try_from(4 * TILE_SIDE / raster.pitch().max(1)).unwrap_or(1);
        let strip = rows.len().div_ceil(4 * rayon::current_num_threads()).max(lowest).max(1);
        let strips = sums.par_chunks_mut(strip * raster.width()).zip(rows.into_par_iter().step_by(strip));
        strips.for_each(|(sums, first)| {
            let rows = first..first + sums.len() / raster.width();
            let area = area_of(rows.clone());
            for &slot in &seen {
                let (chunk, front) = (&self.world.chunks[slot], words(&self.world.front[slot]));
                let census = chunk.census.as_ref().filter(|_| whole_tiles);
                if let Some(census) = census
                    && let Some(pixel) = raster.pixel_around(&rows, chunk.rect())
                {
                    for &(stored, _, weight) in &weights {
                        weigh(&mut sums[pixel], census.populations[stored], weight);
                    }
                    continue;
                }
                for tile in tiles_of(chunk.tiles_in(area) & chunk.living) {
                    let place = chunk.corner_of(tile);
                    if let Some(populations) = census.and_then(|census| census.of_tile(tile))
                        && let Some(pixel) =
                            raster.pixel_around(&rows, Rect::new(place.x, place.y, TILE_SIDE, TILE_SIDE))
                    {
                        for &(stored, _, weight) in &weights {
                            weigh(&mut sums[pixel], populations[stored].into(), weight);
                        }
                        continue;
                    }
                    let first = first_word(tile);
                    let planes: [&[u64]; MAX_PLANES] = std::array::from_fn(|plane| {
                        front
                            .get(plane * PLANE + first..plane * PLANE + first + TILE_ROWS)
                            .unwrap_or_default()
                    });
                    let planes = &planes[..self.kernel.planes()];
                    let weights = weights.iter().map(|&(_, code, weight)| (code, weight));
                    raster.add(&rows, area, place, planes, weights, sums);
                }
            }
        });
        Ok(sums)
    }

    fn field(&self) -> Rect {
        self.rule.topology().bounds().unwrap_or_else(|| {
            self.world
                .chunks
                .iter()
                .filter(|chunk| chunk.living != 0)
                .fold(Rect::default(), |all, chunk| all.union(chunk.rect()))
        })
    }

    fn write(&mut self, edits: &[Edit]) -> Result<(), EngineError> {
        check_edits(&self.rule, edits)?;
        let bounds = self.rule.topology().bounds();
        if self.pending.take().is_some() {
            self.steady = None;
        }
        let uniform = self.uniform(self.background);
        let edits = || edits.iter().filter(|edit| bounds.is_none_or(|bounds| bounds.contains(edit.at)));
        let keys: BTreeSet<Key> = edits().map(|edit| key_of(edit.at)).collect();
        let fresh = keys.iter().filter(|&&key| self.world.slot(key).is_none()).count();
        self.grant(self.world.chunks.len() + fresh).map_err(|reason| self.outgrown(reason))?;
        if keys.into_iter().any(|key| self.world.ensure(key, &uniform).is_err()) {
            return Err(self.outgrown(REFUSED.to_owned()));
        }
        for edit in edits() {
            let slot = self.world.slot(key_of(edit.at)).expect("it was made above");
            let code = self.kernel.encoding().code(edit.state);
            let (word, bit) = word_of(edit.at);
            for (p, plane) in words_mut(&mut self.world.front[slot]).chunks_mut(PLANE).enumerate() {
                if code >> p & 1 == 1 {
                    plane[word] |= 1 << bit;
                } else {
                    plane[word] &= !(1 << bit);
                }
            }
            let chunk = &mut self.world.chunks[slot];
            chunk.changed |= tile_of(word);
            chunk.living |= tile_of(word);
            chunk.census = None;
        }
        Ok(())
    }

    fn seed(&self) -> u64 {
        self.seed
    }
}
