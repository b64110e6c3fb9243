//! How fast the GPU copies its own memory: what no step that reads and writes every word once can beat.

use std::time::{Duration, Instant};

use super::Gpu;
use crate::engine::EngineError;

/// Bytes of one copy: more than any cache holds.
const BYTES: u64 = 256 << 20;
/// How long it is measured, about.
const MEASURED: Duration = Duration::from_millis(200);

impl Gpu {
    /// Bytes copied from one buffer to another in a second (each is read once and written once), at the best.
    pub fn copy_bytes_per_second(&self) -> Result<f64, EngineError> {
        let bytes = BYTES.min(self.device().limits().max_buffer_size) & !3;
        let [from, to] = ["bandwidth.from", "bandwidth.to"].map(|label| {
            self.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: bytes,
                usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        });
        let copy = |from: &wgpu::Buffer, to: &wgpu::Buffer, times: u32| -> Result<f64, EngineError> {
            let descriptor = wgpu::CommandEncoderDescriptor { label: Some("bandwidth") };
            let mut encoder = self.device().create_command_encoder(&descriptor);
            for _ in 0..times {
                encoder.copy_buffer_to_buffer(from, 0, to, 0, bytes);
            }
            let begin = Instant::now();
            self.queue().submit([encoder.finish()]);
            self.wait()?;
            Ok(begin.elapsed().as_secs_f64())
        };
        // Both are written before the clock starts: fresh memory costs more.
        copy(&from, &to, 1)?;
        copy(&to, &from, 1)?;
        let begin = Instant::now();
        let (mut best, mut times) = (0.0f64, 1);
        while begin.elapsed() < MEASURED {
            let seconds = copy(&from, &to, times)?;
            best = best.max((u64::from(times) * bytes) as f64 / seconds);
            // Many copies in one submission, so that handing them over doesn't count.
            times = (times * 2).min(64);
        }
        Ok(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gpu_copies_at_a_speed_that_memory_has() {
        let gpu = Gpu::shared().expect("an adapter");
        let rate = gpu.copy_bytes_per_second().expect("it copies");
        assert!((1e7..1e14).contains(&rate), "{rate} bytes a second");
    }
}
