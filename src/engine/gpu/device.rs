//! The adapter and its device, opened once for the whole program, and once more whenever it is lost.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError};

use super::layout::TextureLimits;
use super::programs::Compiled;
use super::shaders::Integers;
use super::shuffle::{Shape, Shuffling, Subgroups};
use crate::engine::EngineError;
use crate::rule::Kernel;

/// An open GPU.
pub struct Gpu {
    instance: wgpu::Instance,
    adapter: wgpu::Adapter,
    device: wgpu::Device,
    queue: wgpu::Queue,
    info: wgpu::AdapterInfo,
    /// The sizes of its subgroups, where shuffles among them are worth their while.
    subgroups: Option<Subgroups>,
    /// What went wrong outside of any call; kept until someone asks.
    failure: Arc<Mutex<Option<EngineError>>>,
    /// Why the device is lost, if it is: for good.
    loss: Arc<OnceLock<String>>,
    /// What was compiled for it.
    pub(super) compiled: Compiled,
}

impl Gpu {
    /// The GPU of this machine: a real one before a software one. It is opened at the first call; whoever calls later
    /// gets the same, or the same error. After it was lost it is opened anew, while engines that had it before still
    /// give errors.
    pub fn shared() -> Result<Arc<Self>, EngineError> {
        static SHARED: Mutex<Option<Result<Arc<Gpu>, EngineError>>> = Mutex::new(None);
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if shared.as_ref().is_some_and(|gpu| gpu.as_ref().is_ok_and(|gpu| gpu.loss.get().is_some())) {
            *shared = None;
        }
        shared.get_or_insert_with(|| Self::open().map(Arc::new)).clone()
    }

    fn open() -> Result<Self, EngineError> {
        keep_waits_quiet();
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        descriptor.flags = wgpu::InstanceFlags::from_build_config().with_env();
        let instance = wgpu::Instance::new(descriptor);
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        }))
        .map_err(|error| EngineError::NoAdapter(one_line(&error.to_string())))?;
        let info = adapter.get_info();
        let subgroups = Subgroups::new(info.subgroup_min_size, info.subgroup_max_size)
            .filter(|_| adapter.features().contains(wgpu::Features::SUBGROUP));
        let mut features = wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::SHADER_INT64;
        features.set(wgpu::Features::SUBGROUP, subgroups.is_some());
        // Everything that the adapter can do: by default a texture side ends at 8,192.
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("biota"),
            // Only measurements use timestamps: see `GpuEngine::measure`.
            required_features: adapter.features() & features,
            required_limits: adapter.limits(),
            ..Default::default()
        }))
        .map_err(|error| EngineError::Gpu(one_line(&error.to_string())))?;
        let failure = Arc::new(Mutex::new(None));
        let loss = Arc::new(OnceLock::new());
        let kept = Arc::clone(&failure);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            log::error!("GPU: {error}");
            let text = one_line(&error.to_string());
            let error = match error {
                wgpu::Error::OutOfMemory { .. } => EngineError::OutOfGpuMemory,
                _ => EngineError::Gpu(text),
            };
            if let Ok(mut failure) = kept.lock() {
                failure.get_or_insert(error);
            }
        }));
        let kept = Arc::clone(&loss);
        device.set_device_lost_callback(move |reason, message| {
            // Dropping the device at the end of the program is no failure.
            if reason != wgpu::DeviceLostReason::Destroyed {
                log::error!("the GPU was lost: {message}");
            }
            kept.get_or_init(|| {
                one_line(if message.is_empty() { "without a reason given" } else { &message })
            });
        });
        let compiled = Compiled::default();
        Ok(Self { instance, adapter, device, queue, info, subgroups, failure, loss, compiled })
    }

    /// The instance that the adapter is of: surfaces are made by it.
    pub const fn instance(&self) -> &wgpu::Instance {
        &self.instance
    }

    /// The adapter.
    pub const fn adapter(&self) -> &wgpu::Adapter {
        &self.adapter
    }

    /// The device.
    pub const fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// Its queue.
    pub const fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// The adapter's name with its driver, as in `llvmpipe (LLVM 15.0.6, 256 bits), Vulkan`.
    pub fn name(&self) -> String {
        format!("{}, {:?}", self.info.name, self.info.backend)
    }

    /// Whether the "GPU" is a program on the CPU.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// The integers that its shaders have.
    pub fn integers(&self) -> Integers {
        let wide = self.device.features().contains(wgpu::Features::SHADER_INT64);
        if wide { Integers::Wide } else { Integers::Narrow }
    }

    /// How a kernel leaps by shuffles here, with at most so many words in registers; none where it can't. The texts of
    /// many words are for GPUs: Mesa's compiler for processors took minutes for one, whose subgroups are smaller.
    pub(super) fn shuffling(&self, kernel: &Kernel, registers: u32) -> Option<Shuffling> {
        let memory = self.device.limits().max_compute_workgroup_storage_size;
        let subgroups = self.subgroups.filter(|sizes| sizes.least >= 32 || registers <= Shape::REGISTERS)?;
        Shuffling::of(kernel, subgroups, registers).filter(|shuffling| shuffling.workgroup_bytes() <= memory)
    }

    /// What textures the adapter allows. Memory is bounded by the machine's own where the adapter is a software one.
    pub fn texture_limits(&self) -> TextureLimits {
        let limits = self.device.limits();
        TextureLimits {
            side: limits.max_texture_dimension_2d,
            layers: limits.max_texture_array_layers,
            // No API tells how much memory there is. llvmpipe fails on resources past 2 GiB.
            bytes: if self.is_software() { 2 << 30 } else { 64 << 30 },
        }
    }

    /// The failure that was noted since the last call; always an error once the device is lost.
    pub fn check(&self) -> Result<(), EngineError> {
        let failure = self.failure.lock().ok().and_then(|mut failure| failure.take());
        match self.loss.get() {
            Some(reason) => Err(EngineError::DeviceLost(reason.clone())),
            None => failure.map_or(Ok(()), Err),
        }
    }

    /// A buffer of `size` bytes.
    pub(super) fn buffer(&self, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size,
            usage,
            mapped_at_creation: false,
        })
    }

    /// A buffer that holds `content`, which must not be empty, and whole words of 32 bits.
    pub(super) fn buffer_with<T: bytemuck::NoUninit>(
        &self,
        label: &str,
        content: &[T],
        usage: wgpu::BufferUsages,
    ) -> wgpu::Buffer {
        let bytes: &[u8] = bytemuck::cast_slice(content);
        // Not mapped at its creation, which panics when there is no memory for it.
        let buffer = self.buffer(label, bytes.len() as u64, usage | wgpu::BufferUsages::COPY_DST);
        self.queue.write_buffer(&buffer, 0, bytes);
        buffer
    }

    /// An encoder of commands.
    pub(super) fn encoder(&self, label: &'static str) -> wgpu::CommandEncoder {
        self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some(label) })
    }

    /// Waits for a buffer and looks into it.
    pub(super) fn with_mapped(
        &self,
        buffer: &wgpu::Buffer,
        look: impl FnOnce(&[u32]),
    ) -> Result<(), EngineError> {
        buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        self.wait()?;
        let view = buffer.get_mapped_range(..).map_err(|error| EngineError::Gpu(error.to_string()))?;
        look(bytemuck::cast_slice(&view));
        drop(view);
        buffer.unmap();
        Ok(())
    }

    /// Waits until the GPU has done all that it was given.
    pub fn wait(&self) -> Result<(), EngineError> {
        let timeout = wgpu::PollType::Wait { submission_index: None, timeout: Some(TIMEOUT) };
        WAITS.set(true);
        let answer = catch_unwind(AssertUnwindSafe(|| self.device.poll(timeout)));
        WAITS.set(false);
        // Why there is none is told better by what was noted.
        self.check()?;
        match answer {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(EngineError::Gpu(format!("no answer: {error}"))),
            Err(_) => Err(EngineError::DeviceLost("while it was waited for".to_owned())),
        }
    }
}

thread_local! {
    static WAITS: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread waits for a GPU. When the driver loses the device meanwhile, wgpu 30 panics; that is caught, so a
/// panic hook has nothing to do.
pub fn is_waiting() -> bool {
    WAITS.get()
}

/// Has no panics told of that are caught.
fn keep_waits_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !is_waiting() {
                hook(info);
            }
        }));
    });
}

/// How long a submission may take; far more than any should.
const TIMEOUT: std::time::Duration = std::time::Duration::from_mins(2);

/// Errors of wgpu are essays over many lines: the first part of one, in one line.
fn one_line(text: &str) -> String {
    const MOST: usize = 300;
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    line.char_indices().nth(MOST).map_or_else(|| line.clone(), |(end, _)| format!("{}…", &line[..end]))
}
