//! What is compiled: the pipelines of a rule, shared by all engines that run it, whatever their boards, and those that
//! only depend on how many planes there are.

use std::sync::{Arc, Mutex, PoisonError};

use super::device::Gpu;
use super::layout::{BoardUniform, MomentUniform, QuestionUniform};
use super::shaders::{copy_source, margin_source, step_source, tally_source};
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
    /// How fast steps and leaps are here.
    pub(super) paces: Mutex<Paces>,
    pub(super) tally: wgpu::ComputePipeline,
    /// The nodes of a walk; one entry that nobody reads beside a circuit.
    pub(super) diagram: wgpu::Buffer,
}

/// How fast single generations and leaps have been so far, tiles times generations a second: the adapter decides which
/// way of stepping is used.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Paces {
    step: Pace,
    leap: Pace,
}

#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    trials: u32,
    best: f64,
}

impl Paces {
    /// Trials of each way before one is chosen.
    const TRIALS: u32 = 2;
    /// Leaps after which steps are tried once more, lest they were slow only because the machine was busy.
    const DOUBTS: [u32; 3] = [4, 16, 64];

    /// Which way is to be tried, or was the faster one.
    pub(super) fn prefers_leaps(&self) -> bool {
        if self.step.trials < Self::TRIALS || Self::DOUBTS.contains(&self.leap.trials) {
            return false;
        }
        self.leap.trials < Self::TRIALS || self.leap.best > self.step.best
    }

    /// Whether there are trials to come.
    pub(super) const fn tries(&self) -> bool {
        self.step.trials < Self::TRIALS || self.leap.trials < Self::TRIALS
    }

    /// Notes a trial. The first ones are slower than the others, since drivers compile then.
    pub(super) fn note(&mut self, leaps: bool, tiles_per_sec: f64) {
        if !leaps && Self::DOUBTS.contains(&self.leap.trials) {
            self.leap.trials += 1;
        }
        let pace = if leaps { &mut self.leap } else { &mut self.step };
        pace.trials = pace.trials.saturating_add(1);
        pace.best = pace.best.max(tiles_per_sec);
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
        compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
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

    fn new(gpu: &Gpu, kernel: &Kernel) -> Self {
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
        let source = module(gpu, "biota.step", step_source(kernel));
        let layouts = [&tools.step_board_layout, &moment_layout];
        let step = pipeline(gpu, &source, "step", &layouts, &constants);
        let leap = pipeline(gpu, &source, "leap", &layouts, &[]);
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
            paces,
            tally,
            diagram,
        }
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
    fn the_faster_way_is_chosen_after_trials_of_both() {
        for (step, leap) in [(1.0, 5.0), (5.0, 1.0)] {
            let mut paces = Paces::default();
            for trial in 0..4 {
                let leaps = paces.prefers_leaps();
                assert_eq!(leaps, trial >= 2, "trial {trial}: two of each");
                paces.note(leaps, if leaps { leap } else { step });
            }
            paces.leap.trials = 3;
            assert_eq!(paces.prefers_leaps(), leap > step, "the faster one of {step} and {leap}");
        }
    }

    #[test]
    fn steps_that_were_slow_by_accident_have_another_chance() {
        let mut paces = Paces::default();
        let mut steps = 0;
        for trial in 0..100 {
            let leaps = paces.prefers_leaps();
            steps += u32::from(!leaps);
            paces.note(
                leaps,
                if leaps {
                    2.0
                } else if trial < 3 {
                    1.0
                } else {
                    3.0
                },
            );
        }
        assert!(steps > 80 && !paces.prefers_leaps(), "{steps} steps; {paces:?}");
    }
}
