//! How fast each engine steps each rule (a soup on a torus, cells times generations a second), and how long each stage
//! around the stepping takes: compiling a rule, loading a board, counting it, reading it back, hashing it. Reading and
//! writing files is measured by `readers`.
//!
//! Every measurement ends by counting the board, which must hold what the other engines hold: a fast wrong engine
//! doesn't win. The oracle has a smaller board of its own, since it is some thousand times slower.

use biota::board::{Board, Topology};
use biota::engine::{self, Cancel, Engine, EngineKind};
use biota::rule::{Rule, circuit, parse};
use biota::session::Source;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

/// Rules of one, two and four species, with and without coins.
const RULES: [&str; 5] = ["B3/S23", "B36/S23Immigration", "Immigration", "P2Life", "QuadLife"];
/// Generations of one measurement.
const GENERATIONS: u64 = 32;
/// Side of the board, cells.
const SIDE: i64 = 1024;
/// Side of the board that the oracle gets.
const ORACLE_SIDE: i64 = 64;

/// A rule on a torus, and a soup on it.
fn board(text: &str, side: i64) -> (Rule, Board) {
    let topology = Topology::Torus { width: side, height: side };
    let rule = parse(text).expect("the rules above are right").with_topology(topology);
    let source = Source::Soup { width: side, height: side, densities: vec![0.5] };
    let (board, _) = source.board(&rule, 1).expect("a small soup");
    (rule, board)
}

/// The population after [`GENERATIONS`] more.
fn population(engine: &mut dyn Engine, board: &Board) -> u64 {
    engine.load(board).expect("it fits");
    stepped(engine);
    engine.tally().expect("it can be counted").population()
}

fn stepped(engine: &mut dyn Engine) {
    let mut done = 0;
    while done < GENERATIONS {
        done += engine.step(GENERATIONS - done, &Cancel::never()).expect("it steps");
    }
}

fn engines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("engines");
    group.sample_size(10);
    for (kind, other, side) in [
        (EngineKind::Gpu, EngineKind::Cpu, SIDE),
        (EngineKind::Cpu, EngineKind::Gpu, SIDE),
        (EngineKind::Oracle, EngineKind::Cpu, ORACLE_SIDE),
    ] {
        for text in RULES {
            let (rule, board) = board(text, side);
            let create = |kind| engine::create(kind, &rule).unwrap_or_else(|error| panic!("{kind}: {error}"));
            let expected = population(create(other).as_mut(), &board);
            let mut engine = create(kind);
            // The first generation compiles shaders.
            assert_eq!(population(engine.as_mut(), &board), expected, "{kind} and {other}, {rule}");
            group.throughput(Throughput::Elements(
                board.topology.bounds().map_or(0, biota::board::Rect::area) * GENERATIONS,
            ));
            group.bench_function(format!("{kind} {text}"), |bencher| {
                let engine = std::cell::RefCell::new(&mut engine);
                bencher.iter_batched(
                    || engine.borrow_mut().load(&board).expect("it fits"),
                    |()| stepped(engine.borrow_mut().as_mut()),
                    BatchSize::PerIteration,
                );
            });
            let found = engine.tally().expect("it can be counted").population();
            // Left out by a filter, the engine still holds the board that was just checked.
            assert_eq!(found, expected, "{kind}, {rule}, seed 1, generation {GENERATIONS}");
        }
    }
    group.finish();
}

/// What is done once to a rule or to a board.
fn stages(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stages");
    group.sample_size(10);
    for text in RULES {
        let rule = parse(text).expect("the rules above are right");
        let gates = circuit::compile(rule.ruleset()).expect("they compile").gates();
        group.bench_function(format!("compile {text}"), |bencher| {
            bencher.iter(|| {
                let found = circuit::compile(rule.ruleset()).expect("it compiled before").gates();
                assert_eq!(found, gates, "gates of {text}");
            });
        });
    }
    let (rule, board) = board("P2Life", SIDE);
    let (tally, hash) = (board.cells.tally(), board.hash());
    group.throughput(Throughput::Elements(board.topology.bounds().map_or(0, biota::board::Rect::area)));
    group.bench_function("hash", |bencher| {
        bencher.iter(|| assert_eq!(board.hash(), hash, "the same board"));
    });
    for kind in [EngineKind::Gpu, EngineKind::Cpu] {
        let mut engine = engine::create(kind, &rule).unwrap_or_else(|error| panic!("{kind}: {error}"));
        group.bench_function(format!("load {kind}"), |bencher| {
            bencher.iter(|| engine.load(&board).expect("it fits"));
        });
        engine.load(&board).expect("it fits");
        group.bench_function(format!("tally {kind}"), |bencher| {
            bencher.iter(|| {
                let found = engine.tally().expect("it can be counted");
                assert_eq!(found.population(), tally.population(), "{kind}: population");
            });
        });
        group.bench_function(format!("read {kind}"), |bencher| {
            bencher.iter(|| {
                let found = engine.snapshot().expect("it can be read");
                assert_eq!(found.cells, board.cells, "{kind}: the same board");
            });
        });
    }
    group.finish();
}

criterion_group!(benches, engines, stages);
criterion_main!(benches);
