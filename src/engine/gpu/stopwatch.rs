//! What the GPU itself says of how long its passes take.
//!
//! ```text
//! pass --begin, end--> query set --at the end of its submission--> a buffer of two ticks a pass --read--> sums by label
//! ```
//!
//! Known limit: what lies between passes (copies, barriers, submitting) is in no sum.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{BATCH, Gpu};
use crate::engine::EngineError;

/// Timed passes of one submission at the most: a step and the filling of its ghosts for each piece.
const PASSES: usize = 2 * BATCH;
const _: () = assert!(2 * PASSES <= wgpu::QUERY_SET_MAX_QUERIES as usize, "two queries a pass fit a set");

/// Times passes by their labels.
pub(super) struct Stopwatch {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    /// Labels of the passes that the current encoder holds.
    begun: Vec<&'static str>,
    /// Passes that were submitted, with where their ticks come.
    pending: Vec<(Vec<&'static str>, wgpu::Buffer)>,
    ticks: BTreeMap<&'static str, u64>,
}

impl Stopwatch {
    /// None where the adapter has no timestamps.
    pub(super) fn new(gpu: &Gpu) -> Option<Self> {
        if !gpu.device().features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return None;
        }
        let count = u32::try_from(2 * PASSES).expect("fits a query set");
        let queries = gpu.device().create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("biota.stopwatch"),
            ty: wgpu::QueryType::Timestamp,
            count,
        });
        let usage = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
        let resolved = gpu.buffer("biota.stopwatch.resolved", 8 * u64::from(count), usage);
        Some(Self { queries, resolved, begun: Vec::new(), pending: Vec::new(), ticks: BTreeMap::new() })
    }

    /// When the next pass is to be timed; none once the set is full.
    fn writes(&mut self, label: &'static str) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let first = u32::try_from(2 * self.begun.len()).ok().filter(|first| *first < self.queries.count())?;
        self.begun.push(label);
        Some(wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(first),
            end_of_pass_write_index: Some(first + 1),
        })
    }

    /// Has the ticks of all passes of an encoder kept: to be called when it is about to be finished.
    fn end(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder) {
        if self.begun.is_empty() {
            return;
        }
        let begun = std::mem::take(&mut self.begun);
        let count = 2 * begun.len() as u64;
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let result = gpu.buffer("biota.stopwatch.result", 8 * count, usage);
        encoder.resolve_query_set(&self.queries, 0..u32::try_from(count).unwrap_or(0), &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &result, 0, 8 * count);
        self.pending.push((begun, result));
    }

    /// Waits for all passes that were submitted, and sums what they took.
    pub(super) fn read(&mut self, gpu: &Gpu) -> Result<(), EngineError> {
        for (labels, result) in self.pending.drain(..) {
            gpu.with_mapped(&result, |words| {
                for (label, words) in labels.into_iter().zip(words.chunks_exact(4)) {
                    let [begin, end] = [0, 2].map(|at| u64::from(words[at]) | u64::from(words[at + 1]) << 32);
                    // Some adapters set their clocks back when they change speed.
                    *self.ticks.entry(label).or_default() += end.saturating_sub(begin);
                }
            })?;
        }
        Ok(())
    }

    /// The sums by label since the last call.
    pub(super) fn take(&mut self, gpu: &Gpu) -> Result<Vec<(&'static str, Duration)>, EngineError> {
        self.read(gpu)?;
        let secs_per_tick = f64::from(gpu.queue().get_timestamp_period()) * 1e-9;
        let ticks = std::mem::take(&mut self.ticks).into_iter();
        let time = |ticks| Duration::try_from_secs_f64(ticks as f64 * secs_per_tick).unwrap_or(Duration::MAX);
        Ok(ticks.map(|(label, ticks)| (label.trim_start_matches("biota."), time(ticks))).collect())
    }
}

/// Begins a pass, timed if there is a stopwatch.
pub(super) fn begin_pass<'a>(
    stopwatch: &mut Option<Stopwatch>,
    encoder: &'a mut wgpu::CommandEncoder,
    label: &'static str,
) -> wgpu::ComputePass<'a> {
    let timestamp_writes = stopwatch.as_mut().and_then(|stopwatch| stopwatch.writes(label));
    encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some(label), timestamp_writes })
}

/// Submits what an encoder holds.
pub(super) fn submit(stopwatch: &mut Option<Stopwatch>, gpu: &Gpu, mut encoder: wgpu::CommandEncoder) {
    if let Some(stopwatch) = stopwatch {
        stopwatch.end(gpu, &mut encoder);
    }
    gpu.queue().submit([encoder.finish()]);
}
