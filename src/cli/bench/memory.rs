//! How fast the processor copies memory: what no step that reads and writes every word once can beat, unless the board
//! lies in its caches.

use std::hint::black_box;
use std::time::Instant;

use rayon::prelude::*;

use crate::machine;

/// Bytes that are copied at a time: more than any cache holds.
const BYTES: usize = 256 << 20;
/// How often; the best counts.
const COPIES: usize = 5;

/// Bytes copied in a second (each is read once and written once), all processors together, at the best.
pub(super) fn copy_bytes_per_second() -> f64 {
    let threads = rayon::current_num_threads();
    let spare = usize::try_from(machine::spare_memory() / 4).unwrap_or(usize::MAX);
    let words = (BYTES.min(spare) / size_of::<u64>() / threads).max(1);
    // Written once before the clock starts: the first touch of a page costs more.
    let mut buffers: Vec<(Vec<u64>, Vec<u64>)> =
        (0..threads).map(|_| (vec![1; words], vec![2; words])).collect();
    let mut best = 0.0f64;
    for _ in 0..COPIES {
        let begin = Instant::now();
        buffers.par_iter_mut().with_max_len(1).for_each(|(from, to)| {
            black_box(to.as_mut_slice()).copy_from_slice(black_box(from.as_slice()));
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
