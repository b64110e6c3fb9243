//! How fast the processor copies memory: what no step that reads and writes every word once can beat, unless the board
//! lies in its caches.

use std::hint::black_box;
use std::num::NonZero;
use std::thread;
use std::time::Instant;

/// Bytes that are copied at a time: more than any cache holds.
const BYTES: usize = 256 << 20;
/// How often; the best counts.
const COPIES: usize = 5;

/// Bytes copied in a second (each is read once and written once), all processors together, at the best.
pub(super) fn copy_bytes_per_second() -> f64 {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let words = BYTES / size_of::<u64>() / threads;
    // Written once before the clock starts: the first touch of a page costs more.
    let mut buffers: Vec<(Vec<u64>, Vec<u64>)> =
        (0..threads).map(|_| (vec![1; words], vec![2; words])).collect();
    let mut best = 0.0f64;
    for _ in 0..COPIES {
        let begin = Instant::now();
        thread::scope(|scope| {
            for (from, to) in &mut buffers {
                scope.spawn(|| black_box(to.as_mut_slice()).copy_from_slice(black_box(from.as_slice())));
            }
        });
        let bytes = threads * words * size_of::<u64>();
        best = best.max(bytes as f64 / begin.elapsed().as_secs_f64());
    }
    best
}

#[cfg(test)]
mod tests {
    #[test]
    fn memory_is_copied_at_a_speed_that_memory_has() {
        let rate = super::copy_bytes_per_second();
        assert!((1e7..1e13).contains(&rate), "{rate} bytes a second");
    }
}
