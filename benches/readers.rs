//! How fast patterns are read and written: a large soup as RLE, in two states and in three.
//!
//! Each run's population is checked, so that a fast wrong reader doesn't win. Rates are in bytes of text.

use std::hint::black_box;

use biota::board::Cells;
use biota::coords::Coords;
use biota::pattern::{Limits, Pattern, read, write_rle};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Side of the soup, cells.
const SIDE: i64 = 2048;

/// A soup of half living cells in the states 1 … `states` − 1, and its population.
fn soup(states: u8) -> (Pattern, u64) {
    let mut cells = Cells::new();
    let mut population = 0;
    // xorshift64: all that matters is that the runs are irregular.
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    for y in 0..SIDE {
        for x in 0..SIDE {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            if random >> 63 == 1 {
                let state = 1 + u8::try_from((random >> 32) % u64::from(states - 1)).expect("below 255");
                cells.set(Coords::new(x, y), state).expect("in reach");
                population += 1;
            }
        }
    }
    (Pattern { cells, ..Pattern::default() }, population)
}

fn readers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rle");
    group.sample_size(10);
    for states in [2u8, 3] {
        let (pattern, population) = soup(states);
        let mut text = Vec::new();
        write_rle(&mut text, &pattern, states.into()).expect("memory holds it");
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(format!("read {states} states"), |bencher| {
            bencher.iter(|| {
                let read = read(black_box(text.as_slice()), &Limits::default()).expect("it was just written");
                assert_eq!(read.cells.tally().population(), population, "population of {SIDE} × {SIDE}");
            });
        });
        group.bench_function(format!("write {states} states"), |bencher| {
            let mut out = Vec::with_capacity(text.len());
            bencher.iter(|| {
                out.clear();
                write_rle(&mut out, black_box(&pattern), states.into()).expect("memory holds it");
                assert_eq!(out.len(), text.len(), "bytes written");
            });
        });
    }
    group.finish();
}

criterion_group!(benches, readers);
criterion_main!(benches);
