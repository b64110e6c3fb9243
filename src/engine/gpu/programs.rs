//! What is compiled: the pipelines of a rule, shared by all engines that run it, whatever their boards, and those that
//! only depend on how many planes there are.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::device::Gpu;
use super::layout::{BoardUniform, LEAP, MomentUniform, QuestionUniform};
use super::shaders::{copy_source, margin_source, shuffle_source, step_source, tally_source};
use super::shuffle::{Shape, Shuffling};
use crate::engine::EngineError;
use crate::rule::Kernel;
use crate::rule::walk::Walk;

/// Rows that one invocation of the step walks down.
pub(super) const STRIP: u32 = 64;

/// What was compiled for a device.
#[derive(Default)]
pub(super) struct Compiled {
    /// The last few kernels.
    programs: Mutex<Vec<(Arc<Kernel>, Arc<Programs>)>>,
    /// By numbers of planes.
    tools: Mutex<Vec<(usize, Arc<Tools>)>>,
}

/// The pipelines of a rule.
pub(super) struct Programs {
    pub(super) tools: Arc<Tools>,
    pub(super) moment_layout: wgpu::BindGroupLayout,
    pub(super) tally_layout: wgpu::BindGroupLayout,
    pub(super) compare_layout: wgpu::BindGroupLayout,
    pub(super) step: wgpu::ComputePipeline,
    pub(super) compare: wgpu::ComputePipeline,
    pub(super) leap: wgpu::ComputePipeline,
    pub(super) repeat: wgpu::ComputePipeline,
    /// Leaps by shuffles, as far as the adapter and the rule allow them.
    shuffles: Vec<Shuffle>,
    kernel: Arc<Kernel>,
    /// How fast each gait is here.
    pub(super) paces: Mutex<Paces>,
    pub(super) tally: wgpu::ComputePipeline,
    /// The nodes of a walk; one entry that nobody reads beside a circuit.
    pub(super) diagram: wgpu::Buffer,
}

/// A leap by shuffles.
struct Shuffle {
    gait: Gait,
    shuffling: Shuffling,
    /// Compiled when it is first wanted; none where the driver does not take it.
    pipeline: OnceLock<Option<wgpu::ComputePipeline>>,
}

/// How tiles are taken further: which kernel does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gait {
    /// By single generations: `shaders/step.wgsl`.
    Steps,
    /// By a dozen generations in workgroup memory: `shaders/leap.wgsl`.
    Leaps,
    /// By as many in registers, with subgroup shuffles: `shaders/shuffle.wgsl`.
    Shuffles,
    /// The same with more rows in an invocation: more is useful of what is done, and fewer invocations fit at a time.
    TallShuffles,
}

impl Gait {
    /// All that there are.
    pub const ALL: [Self; 4] = [Self::Steps, Self::Leaps, Self::Shuffles, Self::TallShuffles];

    /// The name of its kernel: `step`, `leap`, `shuffle`, `tall-shuffle`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Steps => "step",
            Self::Leaps => "leap",
            Self::Shuffles => "shuffle",
            Self::TallShuffles => "tall-shuffle",
        }
    }

    /// The label of its passes.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Steps => "biota.step",
            Self::Leaps => "biota.leap",
            Self::Shuffles => "biota.shuffle",
            Self::TallShuffles => "biota.tall-shuffle",
        }
    }

    /// Generations of one dispatch.
    pub(super) const fn stride(self) -> u64 {
        match self {
            Self::Steps => 1,
            Self::Leaps | Self::Shuffles | Self::TallShuffles => LEAP,
        }
    }
}

impl fmt::Display for Gait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Gait {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = Self::ALL.map(Self::name).join(", ");
        let named = Self::ALL.into_iter().find(|gait| gait.name() == text);
        named.ok_or_else(|| format!("there is no kernel {text:?}; there are {names}"))
    }
}

/// Why a gait can't be taken; take one of those that are offered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {gait} kernel for {rule} on {adapter}; there are {offered}")]
pub struct GaitError {
    /// The one that was asked for.
    pub gait: Gait,
    /// The rule.
    pub rule: String,
    /// The adapter.
    pub adapter: String,
    /// Those that there are.
    pub offered: String,
}

/// How fast each gait has been so far, tiles times generations a second: the adapter decides which one is used.
#[derive(Clone, Debug, Default)]
pub(super) struct Paces {
    paces: [Pace; Gait::ALL.len()],
    /// Those that are to be tried once more.
    doubted: Vec<Gait>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    trials: u32,
    best: f64,
}

impl Paces {
    /// Trials of each gait before one is chosen.
    const TRIALS: u32 = 2;
    /// Leaps of the fastest kind after which the other gaits are tried once more, lest they were slow only because the
    /// machine was busy.
    const DOUBTS: [u32; 3] = [4, 16, 64];

    const fn of(&self, gait: Gait) -> Pace {
        self.paces[gait as usize]
    }

    /// Which of these gaits, at least one, is to be tried, or was the fastest.
    pub(super) fn preferred(&self, offered: &[Gait]) -> Gait {
        let untried = offered.iter().find(|gait| self.of(**gait).trials < Self::TRIALS);
        let doubted = offered.iter().find(|gait| self.doubted.contains(gait));
        let fastest = offered.iter().max_by(|a, b| self.of(**a).best.total_cmp(&self.of(**b).best));
        *untried.or(doubted).or(fastest).unwrap_or(&Gait::Steps)
    }

    /// Whether there are trials to come.
    pub(super) fn tries(&self, offered: &[Gait]) -> bool {
        offered.iter().any(|gait| self.of(*gait).trials < Self::TRIALS)
    }

    /// Notes a trial. The first ones are slower than the others, since drivers compile then.
    pub(super) fn note(&mut self, gait: Gait, tiles_per_sec: f64) {
        self.doubted.retain(|doubted| *doubted != gait);
        let pace = &mut self.paces[gait as usize];
        pace.trials = pace.trials.saturating_add(1);
        pace.best = pace.best.max(tiles_per_sec);
        let pace = *pace;
        if gait != Gait::Steps && Self::DOUBTS.contains(&pace.trials) {
            let others = Gait::ALL.into_iter().filter(|other| *other != gait);
            let others: Vec<Gait> = others.filter(|other| self.of(*other).trials > 0).collect();
            if others.iter().all(|other| self.of(*other).best < pace.best) {
                self.doubted = others;
            }
        }
    }
}

/// The pipelines of a number of planes.
pub(super) struct Tools {
    /// `shaders/board.wgsl` for reading, and with what is written.
    pub(super) board_layout: wgpu::BindGroupLayout,
    pub(super) step_board_layout: wgpu::BindGroupLayout,
    pub(super) copy_layout: wgpu::BindGroupLayout,
    pub(super) ring_layout: wgpu::BindGroupLayout,
    pub(super) collect: wgpu::ComputePipeline,
    pub(super) spread: wgpu::ComputePipeline,
    pub(super) fill: wgpu::ComputePipeline,
    pub(super) gather: wgpu::ComputePipeline,
    pub(super) scatter: wgpu::ComputePipeline,
}

pub(super) fn uniform(binding: u32, dynamic: bool, size: usize) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE | wgpu::ShaderStages::FRAGMENT,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: dynamic,
            min_binding_size: wgpu::BufferSize::new(size as u64),
        },
        count: None,
    }
}

pub(super) fn storage(binding: u32, read_only: bool) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: if read_only {
            wgpu::ShaderStages::COMPUTE | wgpu::ShaderStages::FRAGMENT
        } else {
            wgpu::ShaderStages::COMPUTE
        },
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Storage { read_only },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    }
}

fn texture(binding: u32, access: wgpu::StorageTextureAccess) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
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
    }
}

pub(super) fn group_layout(
    gpu: &Gpu,
    label: &str,
    entries: &[wgpu::BindGroupLayoutEntry],
) -> wgpu::BindGroupLayout {
    gpu.device().create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
}

pub(super) fn module(gpu: &Gpu, label: &str, source: String) -> wgpu::ShaderModule {
    gpu.device().create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(source.into()),
    })
}

/// The pipeline of an entry point; `biota.` and its name is its label.
pub(super) fn pipeline(
    gpu: &Gpu,
    module: &wgpu::ShaderModule,
    entry_point: &str,
    layouts: &[&wgpu::BindGroupLayout],
    constants: &[(&str, f64)],
) -> wgpu::ComputePipeline {
    pipeline_with(
        gpu,
        module,
        entry_point,
        layouts,
        wgpu::PipelineCompilationOptions { constants, ..Default::default() },
    )
}

/// The same for an entry point that writes all of its workgroup memory before it reads it, so that nobody else need do.
fn unzeroed_pipeline(
    gpu: &Gpu,
    module: &wgpu::ShaderModule,
    entry_point: &str,
    layouts: &[&wgpu::BindGroupLayout],
) -> wgpu::ComputePipeline {
    pipeline_with(
        gpu,
        module,
        entry_point,
        layouts,
        wgpu::PipelineCompilationOptions { zero_initialize_workgroup_memory: false, ..Default::default() },
    )
}

fn pipeline_with(
    gpu: &Gpu,
    module: &wgpu::ShaderModule,
    entry_point: &str,
    layouts: &[&wgpu::BindGroupLayout],
    compilation_options: wgpu::PipelineCompilationOptions<'_>,
) -> wgpu::ComputePipeline {
    let label = format!("biota.{entry_point}");
    let layouts: Vec<_> = layouts.iter().copied().map(Some).collect();
    let layout = gpu.device().create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(&label),
        bind_group_layouts: &layouts,
        immediate_size: 0,
    });
    gpu.device().create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(&label),
        layout: Some(&layout),
        module,
        entry_point: Some(entry_point),
        compilation_options,
        cache: None,
    })
}

impl Programs {
    /// The programs of a kernel: compiled once, as long as an engine uses them or they are among the last few.
    pub(super) fn shared(gpu: &Gpu, kernel: &Arc<Kernel>) -> Result<Arc<Self>, EngineError> {
        /// Compiled programs that are kept for the next engine.
        const KEPT: usize = 16;
        let cache = &gpu.compiled.programs;
        let same = |of: &Arc<Kernel>| Arc::ptr_eq(of, kernel) || of == kernel;
        let known = cache.lock().ok().and_then(|cache| {
            cache.iter().find(|(of, _)| same(of)).map(|(_, programs)| Arc::clone(programs))
        });
        if let Some(programs) = known {
            return Ok(programs);
        }
        let programs = Arc::new(Self::new(gpu, kernel));
        gpu.check()?;
        if let Ok(mut cache) = cache.lock() {
            if cache.len() == KEPT {
                cache.remove(0);
            }
            cache.push((Arc::clone(kernel), Arc::clone(&programs)));
        }
        Ok(programs)
    }

    fn new(gpu: &Gpu, kernel: &Arc<Kernel>) -> Self {
        let tools = Tools::shared(gpu, kernel.planes());
        let moment_layout = group_layout(
            gpu,
            "biota.step.moment",
            &[uniform(0, true, size_of::<MomentUniform>()), storage(1, true)],
        );
        let tally_layout = group_layout(
            gpu,
            "biota.tally",
            &[uniform(0, false, size_of::<QuestionUniform>()), storage(1, true), storage(2, false)],
        );
        let compare_layout = group_layout(
            gpu,
            "biota.compare",
            &[texture(0, wgpu::StorageTextureAccess::ReadOnly), storage(1, true), storage(2, false)],
        );
        let constants = [("STRIP", f64::from(STRIP))];
        let source = module(gpu, "biota.step", step_source(kernel, gpu.integers()));
        let layouts = [&tools.step_board_layout, &moment_layout];
        let step = pipeline(gpu, &source, "step", &layouts, &constants);
        let leap = unzeroed_pipeline(gpu, &source, "leap", &layouts);
        let layouts = [&tools.board_layout, &moment_layout, &compare_layout];
        let compare = pipeline(gpu, &source, "compare", &layouts, &constants);
        let repeat = pipeline(gpu, &source, "repeat", &layouts, &[]);
        let tally = pipeline(
            gpu,
            &module(gpu, "biota.tally", tally_source(kernel)),
            "tally",
            &[&tools.board_layout, &tally_layout],
            &[],
        );
        let nodes = kernel.as_walk().map_or(&[0][..], Walk::nodes);
        let diagram = gpu.buffer_with("biota.step.diagram", nodes, wgpu::BufferUsages::STORAGE);
        let paces = Mutex::default();
        Self {
            tools,
            moment_layout,
            tally_layout,
            compare_layout,
            step,
            compare,
            leap,
            repeat,
            shuffles: Shuffle::all(gpu, kernel),
            kernel: Arc::clone(kernel),
            paces,
            tally,
            diagram,
        }
    }
}

impl Shuffle {
    /// Those that there are for a kernel: a tall one where it has another shape.
    fn all(gpu: &Gpu, kernel: &Kernel) -> Vec<Self> {
        let budgets =
            [(Gait::Shuffles, Shape::REGISTERS), (Gait::TallShuffles, Shape::TALL_REGISTERS)].into_iter();
        let mut all: Vec<Self> = Vec::new();
        for (gait, shuffling) in
            budgets.filter_map(|(gait, registers)| Some((gait, gpu.shuffling(kernel, registers)?)))
        {
            if all.iter().all(|other| other.shuffling != shuffling) {
                all.push(Self { gait, shuffling, pipeline: OnceLock::new() });
            }
        }
        all
    }
}

impl Programs {
    /// The gaits that this rule can be run by on this adapter.
    pub(super) fn gaits(&self) -> Vec<Gait> {
        let compiles = |shuffle: &&Shuffle| shuffle.pipeline.get().is_none_or(Option::is_some);
        let shuffles = self.shuffles.iter().filter(compiles).map(|shuffle| shuffle.gait);
        [Gait::Steps, Gait::Leaps].into_iter().chain(shuffles).collect()
    }

    fn shuffle(&self, gait: Gait) -> Option<&Shuffle> {
        self.shuffles.iter().find(|shuffle| shuffle.gait == gait)
    }

    /// Workgroups of a shuffle that a tile takes.
    pub(super) fn parts(&self, gait: Gait) -> u32 {
        self.shuffle(gait).map_or(1, |shuffle| shuffle.shuffling.parts())
    }

    /// The pipeline of a gait. Those of shuffles are compiled at the first call; there is none where the driver does not
    /// take them, of which the log tells, since there are other gaits.
    pub(super) fn pipeline(&self, gpu: &Gpu, gait: Gait) -> Option<&wgpu::ComputePipeline> {
        match gait {
            Gait::Steps => Some(&self.step),
            Gait::Leaps => Some(&self.leap),
            Gait::Shuffles | Gait::TallShuffles => {
                let shuffle = self.shuffle(gait)?;
                shuffle.pipeline.get_or_init(|| self.compile(gpu, shuffle)).as_ref()
            }
        }
    }

    fn compile(&self, gpu: &Gpu, shuffle: &Shuffle) -> Option<wgpu::ComputePipeline> {
        let source = shuffle_source(&self.kernel, &shuffle.shuffling, gpu.integers())?;
        let filters = [wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::Internal];
        let [outer, inner] = filters.map(|filter| gpu.device().push_error_scope(filter));
        let layouts = [&self.tools.step_board_layout, &self.moment_layout];
        let module = module(gpu, shuffle.gait.label(), source);
        let pipeline = unzeroed_pipeline(gpu, &module, "shuffle", &layouts);
        let errors = [inner, outer].map(|scope| pollster::block_on(scope.pop()));
        let error = errors.into_iter().flatten().next();
        if let Some(error) = &error {
            log::warn!("there is no {} kernel here: {error}", shuffle.gait);
        }
        error.is_none().then_some(pipeline)
    }
}

impl Tools {
    fn shared(gpu: &Gpu, planes: usize) -> Arc<Self> {
        let mut known = gpu.compiled.tools.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, tools)) = known.iter().find(|(of, _)| *of == planes) {
            return Arc::clone(tools);
        }
        let tools = Arc::new(Self::new(gpu, planes));
        known.push((planes, Arc::clone(&tools)));
        tools
    }

    fn new(gpu: &Gpu, planes: usize) -> Self {
        let read = [
            uniform(0, false, size_of::<BoardUniform>()),
            texture(1, wgpu::StorageTextureAccess::ReadOnly),
            storage(2, true),
            storage(3, true),
        ];
        let board_layout = group_layout(gpu, "biota.board", &read);
        let written = [texture(4, wgpu::StorageTextureAccess::WriteOnly), storage(5, true)];
        let step_board_layout = group_layout(gpu, "biota.step.board", &[&read[..], &written].concat());
        let copy_layout = group_layout(gpu, "biota.copy", &[storage(0, true), storage(1, false)]);
        let ring_layout = group_layout(gpu, "biota.margin", &[storage(0, false), storage(1, true)]);
        let copy = module(gpu, "biota.copy", copy_source(planes));
        let margin = module(gpu, "biota.margin", margin_source(planes));
        let copying = |name| pipeline(gpu, &copy, name, &[&step_board_layout, &copy_layout], &[]);
        let [collect, spread, fill] = ["collect", "spread", "fill"].map(copying);
        let gather = pipeline(gpu, &margin, "gather", &[&board_layout, &ring_layout], &[]);
        let scatter = pipeline(gpu, &margin, "scatter", &[&step_board_layout, &ring_layout], &[]);
        Self {
            board_layout,
            step_board_layout,
            copy_layout,
            ring_layout,
            collect,
            spread,
            fill,
            gather,
            scatter,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_gait_is_chosen_after_trials_of_all() {
        for (speeds, fastest) in [
            ([1.0, 5.0, 3.0, 2.0], Gait::Leaps),
            ([5.0, 1.0, 3.0, 2.0], Gait::Steps),
            ([1.0, 2.0, 3.0, 2.5], Gait::Shuffles),
        ] {
            for offered in [&Gait::ALL[..], &Gait::ALL[..2]] {
                let mut paces = Paces::default();
                let mut tried = Vec::new();
                while paces.tries(offered) {
                    let gait = paces.preferred(offered);
                    tried.push(gait);
                    paces.note(gait, speeds[gait as usize]);
                }
                let twice: Vec<Gait> = offered.iter().flat_map(|gait| [*gait; 2]).collect();
                assert_eq!(tried, twice, "two trials of each");
                if offered.contains(&fastest) {
                    assert_eq!(paces.preferred(offered), fastest, "of {speeds:?}");
                }
                assert_eq!(paces.preferred(&[Gait::Steps]), Gait::Steps, "where there is no choice");
            }
        }
    }

    #[test]
    fn gaits_that_were_slow_by_accident_have_another_chance() {
        for slow in [Gait::Steps, Gait::Leaps] {
            let mut paces = Paces::default();
            let mut times = 0;
            for trial in 0..100 {
                let gait = paces.preferred(&Gait::ALL);
                times += u32::from(gait == slow);
                let speed = match gait {
                    _ if gait == slow => {
                        if trial < 6 {
                            1.0
                        } else {
                            3.0
                        }
                    }
                    Gait::Shuffles => 2.0,
                    _ => 0.5,
                };
                paces.note(gait, speed);
            }
            assert!(times > 80 && paces.preferred(&Gait::ALL) == slow, "{slow}: {times} times; {paces:?}");
        }
    }

    #[test]
    fn doubts_end_when_the_others_were_tried() {
        let mut paces = Paces::default();
        let mut tried = [0; 4];
        for _ in 0..100 {
            let gait = paces.preferred(&Gait::ALL);
            tried[gait as usize] += 1;
            paces.note(gait, [1.0, 2.0, 4.0, 3.0][gait as usize]);
        }
        assert_eq!(tried, [5, 5, 85, 5], "two trials of each, and three doubts of the fastest");
    }

    #[test]
    fn gaits_have_names() {
        for gait in Gait::ALL {
            assert_eq!(gait.name().parse(), Ok(gait), "{gait}");
        }
        let error = "walk".parse::<Gait>().expect_err("no such kernel");
        assert!(error.contains("step, leap, shuffle, tall-shuffle"), "{error}");
    }
}
