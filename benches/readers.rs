//! How fast patterns are read and written, and cells are counted and hashed: dense soups in two, three and five states,
//! thin ones of one cell in 20 and in 200, and guns far apart.
//!
//! Each run's population is checked, so that a fast wrong reader doesn't win. Rates are in bytes of text; those of
//! cells in cells of the board.

use std::hint::black_box;

use biota::board::{Cells, Soup};
use biota::coords::Rect;
use biota::pattern::{Format, Limits, Pattern, read, write};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Side of the soups, cells.
const SIDE: i64 = 8192;
/// Guns in a row and in a column, and cells from one to the next.
const GUNS: i64 = 300;
const APART: i64 = 400;
/// Gosper's gun.
const GUN: &str = "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$\
                   11bo3bo$12b2o!";

fn soup(densities: &[f64]) -> Cells {
    let mut cells = Cells::new();
    let soup = Soup::new(densities, 1).expect("valid densities");
    soup.fill(&mut cells, Rect::new(0, 0, SIDE, SIDE)).expect("in reach");
    cells
}

fn guns() -> Cells {
    let gun = read(GUN.as_bytes(), &Limits::default()).expect("a pattern").cells;
    let mut cells = Cells::new();
    for y in 0..GUNS {
        for x in 0..GUNS {
            cells.paste(&gun, x * APART, y * APART).expect("in reach");
        }
    }
    cells
}

fn readers(criterion: &mut Criterion) {
    let boards = [
        ("two-state soup", 2, soup(&[0.5])),
        ("Immigration soup", 3, soup(&[0.25, 0.25])),
        ("QuadLife soup", 5, soup(&[0.125; 4])),
        ("thin soup", 2, soup(&[0.05])),
        ("rare cells", 2, soup(&[0.005])),
        ("sparse guns", 2, guns()),
    ];
    for (name, states, cells) in boards {
        let population = cells.tally().population();
        let hash = cells.hash();
        let pattern = Pattern { cells, ..Pattern::default() };
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        for format in [Format::Rle, Format::Macrocell] {
            if format == Format::Macrocell && name != "sparse guns" {
                continue;
            }
            let mut text = Vec::new();
            write(&mut text, format, &pattern, &mut &pattern.cells, states).expect("memory holds it");
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_function(format!("read {format}"), |bencher| {
                bencher.iter(|| {
                    let read = read(black_box(text.as_slice()), &Limits::default()).expect("just written");
                    assert_eq!(read.cells.tally().population(), population, "population of the {name}");
                });
            });
            group.bench_function(format!("write {format}"), |bencher| {
                let mut out = Vec::with_capacity(text.len());
                bencher.iter(|| {
                    out.clear();
                    write(&mut out, format, &pattern, &mut black_box(&pattern.cells), states)
                        .expect("memory holds it");
                    assert_eq!(out.len(), text.len(), "bytes written");
                });
            });
        }
        group.throughput(Throughput::Elements((SIDE * SIDE).unsigned_abs()));
        group.bench_function("tally", |bencher| {
            bencher.iter(|| assert_eq!(black_box(&pattern.cells).tally().population(), population, "{name}"));
        });
        group.bench_function("hash", |bencher| {
            bencher.iter(|| assert_eq!(black_box(&pattern.cells).hash(), hash, "{name}"));
        });
        group.finish();
    }
    let mut group = criterion.benchmark_group("soup");
    group.sample_size(10);
    group.throughput(Throughput::Elements((SIDE * SIDE).unsigned_abs()));
    for (name, densities) in [("half", &[0.5][..]), ("two species", &[0.25, 0.25]), ("odd", &[0.123, 0.3])] {
        group.bench_function(name, |bencher| bencher.iter(|| black_box(soup(densities)).is_empty()));
    }
    group.finish();
}

criterion_group!(benches, readers);
criterion_main!(benches);
