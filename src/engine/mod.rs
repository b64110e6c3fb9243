//! What makes generations: one trait, three engines behind it.
//!
//! | engine | how | for |
//! |---|---|---|
//! | [`OracleEngine`] | one cell at a time, by asking the ruleset | the truth |
//! | [`CpuEngine`] | the rule's kernel on wide registers, all cores | machines without a GPU |
//! | [`GpuEngine`] | the rule's kernel as a compute shader | huge boards |
//!
//! All of them give bit-equal boards. The oracle shares nothing with the other two; those share the kernel (a
//! circuit, or a walk through a decision diagram), and nothing else.

mod cpu;
pub mod gpu;
mod oracle;
mod raster;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;

pub use cpu::CpuEngine;
pub use gpu::GpuEngine;
pub use oracle::OracleEngine;
pub use raster::{Raster, Weight};

use crate::board::{Board, Cells, CellsError, TILE_SIDE, Tally, Topology};
use crate::cell::{DEAD, State};
use crate::coords::{COORDINATE_LIMIT, Coords, Rect};
use crate::lattice::Lattice;
use crate::machine::{self, NoThreads};
use crate::rule::Rule;
use crate::rule::circuit::CompileError;
use crate::text::quoted;

/// Why an engine could not do what it was asked; the board it held is as it was.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EngineError {
    /// There is no Vulkan, Metal or DirectX 12 adapter; install a driver, or use the CPU engine. The field is what wgpu
    /// says of each, which tells users nothing.
    #[error(
        "no GPU adapter was found: install a driver (mesa-vulkan-drivers; Arch: vulkan-swrast), or take the \
         cpu engine"
    )]
    NoAdapter(String),
    /// The board is larger than the engine or the adapter can hold; take a smaller one.
    #[error("a board of {width} × {height} cells is too large: {reason}")]
    TooLarge {
        /// Columns asked for.
        width: i64,
        /// Rows asked for.
        height: i64,
        /// What limits it.
        reason: String,
    },
    /// Life on the unbounded plane has spread over more than the engine can hold. The board stays at this generation.
    #[error(
        "at generation {generation} life has spread over {width} × {height} cells, more than this engine can hold ({reason}); the board stays as it is"
    )]
    Outgrown {
        /// The generation that is kept.
        generation: u64,
        /// Columns that life spans.
        width: i64,
        /// Rows that life spans.
        height: i64,
        /// What limits it.
        reason: String,
    },
    /// The rule makes the empty plane different from place to place; give the board bounds (`:T` or `:P`).
    #[error(
        "under {} even empty space depends on coins or coordinates, so it needs a bounded board: add :T200,200 or :P200,200 to the rule",
        quoted(.0)
    )]
    UnevenBackground(String),
    /// The triangular lattice does not close on this board; take even sides.
    #[error(
        "triangles that point up and down would meet their own kind on {0}: a triangular board is unbounded, a plane (P), or a torus (T) with even sides"
    )]
    OddTriangles(String),
    /// The rule can't be compiled; the oracle engine can run it.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// Cells are out of reach.
    #[error(transparent)]
    Cells(#[from] CellsError),
    /// The board holds states that the rule does not have; choose another rule.
    #[error("the board holds state {state}, but {} has only states 0 to {last}", quoted(.rule))]
    UnknownState {
        /// The state that was found.
        state: State,
        /// The rule.
        rule: String,
        /// The highest state of the rule.
        last: u16,
    },
    /// The board's topology is not the rule's: load it under [`Rule::with_topology`] of its own, or make a board of its
    /// cells with [`Board::with_cells`].
    #[error("{} can't hold a board of {}: give both the same topology", .rule, named(*.board))]
    OtherTopology {
        /// The topology of the board.
        board: Topology,
        /// The rule with its topology.
        rule: String,
    },
    /// The board has a cell beyond its own edges; [`Board::with_cells`] drops such cells.
    #[error("cell ({x}, {y}) lies beyond the edges of {rule}")]
    OutsideBoard {
        /// The column of such a cell.
        x: i64,
        /// Its row.
        y: i64,
        /// The rule with its topology.
        rule: String,
    },
    /// A bounded board with a background that is not dead; store what lives there as cells.
    #[error(
        "the background is state {background}, and on {rule}, whose board has edges, it can only be dead"
    )]
    LivingBackground {
        /// The background's state.
        background: State,
        /// The rule with its topology.
        rule: String,
    },
    /// Generations are counted up to 2⁶⁴ − 1, and this is the last one; go on from a lower number. The board stays.
    #[error("generation {} is the last one that can be counted", u64::MAX)]
    LastGeneration,
    /// The GPU's device is gone, with the boards on it: its driver crashed or was replaced, or the GPU was taken out. This
    /// engine can't use it any more; go on from the last board that was read with the CPU engine, or with a new GPU engine.
    #[error("the GPU was lost ({0}); go on with --engine cpu, or try again")]
    DeviceLost(String),
    /// The GPU has no memory left for what was asked; take a smaller board, or the CPU engine. The board stays.
    #[error("the GPU is out of memory; take a smaller board, or --engine cpu")]
    OutOfGpuMemory,
    /// The threads of the processor can't be started; end other programs, or allow more.
    #[error(transparent)]
    NoThreads(#[from] NoThreads),
    /// The GPU or its driver failed; restart the GPU engine or use another one.
    #[error("the GPU failed: {0}")]
    Gpu(String),
}

/// Which engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EngineKind {
    /// Cell by cell through the ruleset.
    Oracle,
    /// Word by word on the processor.
    Cpu,
    /// On the GPU.
    Gpu,
}

impl EngineKind {
    /// All engines, fastest first.
    pub const ALL: [Self; 3] = [Self::Gpu, Self::Cpu, Self::Oracle];

    /// The engine's name: `gpu`, `cpu`, `oracle`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Oracle => "oracle",
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for EngineKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| format!("no engine is called {text:?}; there are gpu, cpu and oracle"))
    }
}

/// When to stop early: on request, or at a moment.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    requested: Option<Arc<AtomicBool>>,
    deadline: Option<Instant>,
}

impl Cancel {
    /// Never.
    pub const fn never() -> Self {
        Self { requested: None, deadline: None }
    }

    /// When `requested` becomes true.
    pub const fn on(requested: Arc<AtomicBool>) -> Self {
        Self { requested: Some(requested), deadline: None }
    }

    /// At this moment.
    pub const fn at(deadline: Instant) -> Self {
        Self { requested: None, deadline: Some(deadline) }
    }

    /// The same, and at the latest at this moment.
    #[must_use]
    pub fn by(self, deadline: Instant) -> Self {
        Self { deadline: Some(self.deadline.map_or(deadline, |own| own.min(deadline))), ..self }
    }

    /// How long until the moment, if one is set; zero when it has passed.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Whether to stop now.
    pub fn is_due(&self) -> bool {
        self.requested.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Holds one board and steps it.
pub trait Engine: Send {
    /// Which engine it is.
    fn kind(&self) -> EngineKind;

    /// The name of the GPU adapter, if it runs on one.
    fn adapter(&self) -> Option<String> {
        None
    }

    /// The rule that it steps.
    fn rule(&self) -> &Rule;

    /// What it runs for the rule, in words; `None` for the oracle, which asks the ruleset itself.
    fn kernel(&self) -> Option<String> {
        let compiled = (self.kind() != EngineKind::Oracle).then(|| self.rule().kernel().ok());
        compiled.flatten().map(|kernel| kernel.to_string())
    }

    /// Replaces the board. Errors when its topology is not the rule's, when it holds what can't be on such a board, or
    /// when it is too large; then the board stays.
    fn load(&mut self, board: &Board) -> Result<(), EngineError>;

    /// Steps up to `generations` generations, fewer when `cancel` is due; gives how many were done. At least one
    /// piece of work is done at each call, so that repeated calls get on however short their time is: a generation
    /// of a large board may take several calls, and until it is whole the board is still the generation before.
    ///
    /// Errors at generation 2⁶⁴ − 1, which is the last.
    fn step(&mut self, generations: u64, cancel: &Cancel) -> Result<u64, EngineError>;

    /// The generation of the board.
    fn generation(&self) -> u64;

    /// The state of every cell that [`Engine::read`] does not list (dead, but under B0 rules on the plane).
    fn background(&self) -> State;

    /// Populations by state (of cells that differ from the background: by state XOR background), and the bounds.
    fn tally(&mut self) -> Result<Tally, EngineError>;

    /// Does a part of the work of [`Engine::tally`], at least one piece, until `cancel` is due; whether all is done. What
    /// was done is kept for as long as the board stays as it is.
    fn count(&mut self, _cancel: &Cancel) -> Result<bool, EngineError> {
        Ok(true)
    }

    /// The cells of `area` that differ from the background, as state XOR background.
    fn read(&mut self, area: Rect) -> Result<Cells, EngineError>;

    /// For each pixel of some rows of a picture, row by row, the sum of the weights of its cells; `weights` has one for
    /// each state of the rule, and cells beyond a bounded board weigh as dead ones do.
    fn sums(
        &mut self,
        raster: &Raster,
        rows: Range<usize>,
        weights: &[Weight],
    ) -> Result<Vec<Weight>, EngineError> {
        let cells = self.read(raster.area(rows.clone()))?;
        Ok(raster.sums_of(rows, &cells, self.background(), weights))
    }

    /// The rectangle outside of which all is background. On bounded boards, the board.
    fn field(&self) -> Rect;

    /// Sets cells of the present generation. Cells outside a bounded board are passed over. Errors when a state is not the
    /// rule's or a cell is out of reach; then nothing is set.
    fn write(&mut self, edits: &[Edit]) -> Result<(), EngineError>;

    /// The seed of the coins.
    fn seed(&self) -> u64;

    /// The whole board.
    fn snapshot(&mut self) -> Result<Board, EngineError> {
        let cells = self.read(self.field())?;
        Ok(Board {
            cells,
            topology: self.rule().topology(),
            background: self.background(),
            generation: self.generation(),
            seed: self.seed(),
        })
    }

    /// Itself, if it is the GPU engine: its textures can be drawn in place.
    fn as_gpu(&self) -> Option<&GpuEngine> {
        None
    }

    /// Itself, if it is the GPU engine.
    fn as_gpu_mut(&mut self) -> Option<&mut GpuEngine> {
        None
    }
}

/// One cell to set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Where.
    pub at: Coords,
    /// The state it gets.
    pub state: State,
}

/// An engine of this kind for a rule.
pub fn create(kind: EngineKind, rule: &Rule) -> Result<Box<dyn Engine>, EngineError> {
    if kind != EngineKind::Oracle {
        machine::start_threads()?;
    }
    Ok(match kind {
        EngineKind::Oracle => Box::new(OracleEngine::new(rule)?),
        EngineKind::Cpu => Box::new(CpuEngine::new(rule)?),
        EngineKind::Gpu => Box::new(GpuEngine::new(rule)?),
    })
}

/// The engine that suits this machine, with the reason in words: the GPU where there is a real one, else the CPU.
pub fn automatic() -> (EngineKind, String) {
    match gpu::Gpu::shared() {
        Ok(gpu) if gpu.is_software() => {
            (EngineKind::Cpu, format!("the only adapter, {}, is a software one", gpu.name()))
        }
        Ok(gpu) => (EngineKind::Gpu, format!("there is a GPU: {}", gpu.name())),
        Err(error) => (EngineKind::Cpu, error.to_string()),
    }
}

/// What every engine demands of a board before it takes it.
fn check_board(rule: &Rule, board: &Board) -> Result<(), EngineError> {
    let (topology, states) = (rule.topology(), rule.states());
    if board.topology != topology {
        return Err(EngineError::OtherTopology { board: board.topology, rule: rule.to_string() });
    }
    if topology != Topology::Unbounded && board.background != DEAD {
        return Err(EngineError::LivingBackground { background: board.background, rule: rule.to_string() });
    }
    check_places(rule, &board.cells)?;
    let unknown = |state| unknown_state(rule, state);
    if u16::from(board.background) >= states {
        return Err(unknown(board.background));
    }
    if let Some(state) = board.cells.tiles().find_map(|(_, tile)| {
        // Only tiles with too many planes, or under a rule whose states are no power of two, can hold one.
        (1usize << tile.planes() > usize::from(states) || board.background != DEAD)
            .then(|| match board.background {
                DEAD => tile.highest_state(),
                background => highest_state(tile, background),
            })
            .filter(|&state| u16::from(state) >= states)
    }) {
        return Err(unknown(state));
    }
    Ok(())
}

fn unknown_state(rule: &Rule, state: State) -> EngineError {
    EngineError::UnknownState { state, rule: rule.name().to_owned(), last: rule.states() - 1 }
}

/// Errors when a cell lies beyond the edges of the rule's board, or of an unbounded one out of reach.
fn check_places(rule: &Rule, cells: &Cells) -> Result<(), EngineError> {
    let limit = 2 * COORDINATE_LIMIT + 1;
    let whole = Rect::new(-COORDINATE_LIMIT, -COORDINATE_LIMIT, limit, limit);
    let bounds = rule.topology().bounds();
    let world = bounds.unwrap_or(whole);
    // Of a dense board only the tiles at its edges are looked into.
    let beyond = cells
        .tiles()
        .filter(|(corner, _)| !world.contains_rect(Rect::new(corner.x, corner.y, TILE_SIDE, TILE_SIDE)))
        .find_map(|(corner, tile)| {
            Cells::from_iter([(corner, tile.clone())])
                .iter()
                .map(|(at, _)| at)
                .find(|at| !world.contains(*at))
        });
    match (beyond, bounds) {
        (None, _) => Ok(()),
        (Some(Coords { x, y }), None) => Err(CellsError::OutOfReach { x, y }.into()),
        (Some(Coords { x, y }), Some(_)) => Err(EngineError::OutsideBoard { x, y, rule: rule.to_string() }),
    }
}

/// What every engine demands of edits before it makes any. Those outside a bounded board are passed over.
fn check_edits(rule: &Rule, edits: &[Edit]) -> Result<(), EngineError> {
    let bounds = rule.topology().bounds();
    for edit in edits.iter().filter(|edit| bounds.is_none_or(|bounds| bounds.contains(edit.at))) {
        if !edit.at.is_in_reach() {
            return Err(CellsError::OutOfReach { x: edit.at.x, y: edit.at.y }.into());
        }
        if u16::from(edit.state) >= rule.states() {
            return Err(unknown_state(rule, edit.state));
        }
    }
    Ok(())
}

/// How many of `wanted` generations can be counted from `generation` on; errors when none can.
fn countable_generations(generation: u64, wanted: u64) -> Result<u64, EngineError> {
    match wanted.min(u64::MAX - generation) {
        0 if wanted > 0 => Err(EngineError::LastGeneration),
        countable => Ok(countable),
    }
}

/// A topology in an error message.
fn named(topology: Topology) -> String {
    match topology {
        Topology::Unbounded => "the unbounded plane".to_owned(),
        bounded => bounded.to_string(),
    }
}

/// What every engine demands of a rule.
fn check_rule(rule: &Rule) -> Result<(), EngineError> {
    if rule.topology() == Topology::Unbounded && !rule.background_is_uniform() {
        return Err(EngineError::UnevenBackground(rule.name().to_owned()));
    }
    let triangular = rule.depends_on().neighbourhood.lattice() == Lattice::Triangular;
    if triangular && !rule.topology().suits_triangles() {
        return Err(EngineError::OddTriangles(rule.topology().to_string()));
    }
    Ok(())
}

/// Whether copies of cells beyond glued edges, stepped for several generations as if they were cells of their own, stay
/// what the cells are that they are copies of; coins are those of the place that the topology gives, so on plain tori only,
/// of whole words of 32 columns.
fn copies_live_on(rule: &Rule, uses_coins: bool) -> bool {
    let depends = rule.depends_on();
    let places = depends.parity_x || depends.parity_y;
    let even = |lengths: &[i64]| lengths.iter().all(|length| length % 2 == 0);
    // Triangles suit a torus as soon as they fit on it, see `check_rule`.
    match rule.topology() {
        Topology::Unbounded | Topology::Plane { .. } => true,
        Topology::Torus { width, height } => {
            !(places && !even(&[width, height]) || uses_coins && width % 32 != 0)
        }
        Topology::ShiftedTorus { width, height, shift, .. } => {
            !(places && !even(&[width, height, shift]) || uses_coins)
        }
        // Mirrored cells live on as they would where only counts matter and the neighbourhood is its own mirror image.
        Topology::KleinBottle { .. } => {
            let mirrors = depends.neighbourhood.lattice() == Lattice::Square && !depends.arrangement;
            mirrors && !places && !uses_coins
        }
        Topology::CrossSurface { .. } | Topology::Sphere { .. } => false,
    }
}

/// For how many generations life on the plane that lies within `life` stays within ±[`COORDINATE_LIMIT`]; errors when for none.
fn generations_in_reach(rule: &Rule, generation: u64, life: Option<Rect>) -> Result<u64, EngineError> {
    let Some(life) = life.filter(|_| rule.topology() == Topology::Unbounded) else { return Ok(u64::MAX) };
    let free = (life.x.min(life.y) + COORDINATE_LIMIT)
        .min(COORDINATE_LIMIT + 1 - life.right())
        .min(COORDINATE_LIMIT + 1 - life.bottom());
    match u64::try_from(free / rule.depends_on().neighbourhood.reach()) {
        Ok(room @ 1..) => Ok(room),
        _ => Err(EngineError::Outgrown {
            generation,
            width: life.width,
            height: life.height,
            reason: format!("coordinates go to ±{COORDINATE_LIMIT}"),
        }),
    }
}

/// The highest state in a tile, whose cells are kept as state XOR `background`, cell by cell.
fn highest_state(tile: &crate::board::Tile, background: State) -> State {
    (0..64usize)
        .flat_map(|row| (0..64u32).map(move |bit| (row, bit)))
        .map(|(row, bit)| {
            (0..tile.planes()).fold(0, |s, p| s | (u8::from(tile.row(p, row) >> bit & 1 == 1) << p))
        })
        .map(|stored| stored ^ background)
        .max()
        .unwrap_or(0)
}
