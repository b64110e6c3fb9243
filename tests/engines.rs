//! Every engine against the oracle, and against what is known from outside.

use biota::board::{Board, Cells, Topology};
use biota::coords::{Coords, Rect};
use biota::engine::{Cancel, Edit, EngineKind};
use biota::rule::circuit::CompileError;
use biota::rule::named::NAMED;

use crate::common::{bounded, difference, engine, rule, soup, stepped};

/// The engines that are checked against the oracle.
const FAST: [EngineKind; 2] = [EngineKind::Cpu, EngineKind::Gpu];

#[test]
fn the_comparison_sees_one_flipped_cell() {
    let life = rule("B3/S23:T64,64");
    let board = soup(&life, Rect::new(0, 0, 64, 64), 0.5, 1);
    let mut other = board.clone();
    let at = Coords::new(63, 31);
    other.cells.set(at, 1 - board.get(at)).expect("on the board");
    assert!(difference(&board, &board).is_none(), "equal boards are equal");
    let text = difference(&board, &other).expect("one cell differs");
    assert!(text.contains("(63, 31)"), "{text}");
}

#[test]
fn cpu_and_gpu_agree_with_the_oracle_on_every_named_rule() {
    for (index, named) in (0u64..).zip(NAMED) {
        // Only Moore's neighbourhood is compiled yet.
        if rule(named.rule).circuit().err() == Some(CompileError::Neighbourhood) {
            continue;
        }
        for wraps in [true, false] {
            let rule = rule(named.rule).with_topology(bounded(wraps, 61, 47));
            let board = soup(&rule, Rect::new(0, 0, 61, 47), 0.4, index);
            let expected = stepped(EngineKind::Oracle, &rule, &board, 100);
            for kind in FAST {
                let found = stepped(kind, &rule, &board, 100);
                assert_eq!(
                    difference(&expected, &found),
                    None,
                    "{kind}, {rule}, seed {index}, generation 100"
                );
            }
        }
    }
}

#[test]
fn cpu_and_gpu_agree_with_the_oracle_on_boards_of_every_awkward_size() {
    let sides = [1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 255, 256, 257];
    for (index, &width) in (0u64..).zip(&sides) {
        for &height in &[1, 2, 3, 31, 32, 33, 67] {
            for (text, wraps) in
                [("P2Life", true), ("B36/S23Immigration", false), ("QuadLife", true), ("Life", false)]
            {
                let rule = rule(text).with_topology(bounded(wraps, width, height));
                let board = soup(&rule, Rect::new(0, 0, width, height), 0.5, index);
                let expected = stepped(EngineKind::Oracle, &rule, &board, 12);
                for kind in FAST {
                    let found = stepped(kind, &rule, &board, 12);
                    assert_eq!(
                        difference(&expected, &found),
                        None,
                        "{kind}, {rule}, seed {index}, generation 12"
                    );
                }
            }
        }
    }
}

#[test]
fn cpu_and_gpu_agree_with_the_oracle_on_the_unbounded_plane() {
    for (seed, text) in (0u64..).zip([
        "Life",
        "Immigration",
        "P2Life",
        "QuadLife",
        "B36/S23Immigration-parity",
        "B2/S",
        "B0/S8",
        "B03/S23",
        "B0123478/S01234678",
        "B03/S23Immigration-2",
        "B01234567/S0QuadLife-3",
    ]) {
        let rule = rule(text);
        let board = soup(&rule, Rect::new(-37, 1000, 41, 29), 0.4, seed);
        for generations in [1, 2, 99] {
            let expected = stepped(EngineKind::Oracle, &rule, &board, generations);
            for kind in FAST {
                let found = stepped(kind, &rule, &board, generations);
                assert_eq!(
                    difference(&expected, &found),
                    None,
                    "{kind}, {rule}, seed {seed}, generation {generations}"
                );
            }
        }
    }
}

#[test]
fn edits_and_parts_read_back_are_the_same_on_every_engine() {
    for text in ["QuadLife:T70,50", "Immigration", "B03/S23:P33,33", "B03/S23"] {
        let rule = rule(text);
        let area = Rect::new(0, 0, 33, 33);
        let board = soup(&rule, area, 0.3, 5);
        let last = u8::try_from(rule.states() - 1).expect("few states");
        let mut results = Vec::new();
        for kind in EngineKind::ALL {
            let mut engine = engine(kind, &rule);
            engine.load(&board).expect("it fits");
            engine.step(3, &Cancel::never()).expect("steps");
            let edit = |x, y, state| Edit { at: Coords::new(x, y), state };
            engine.write(&[edit(0, 0, last), edit(32, 5, 0), edit(31, 31, 1)]).expect("edits");
            engine.write(&[edit(-200, 7, 1), edit(500, 3, last)]).expect("edits far out");
            engine.step(4, &Cancel::never()).expect("steps");
            let part = engine.read(Rect::new(5, 7, 20, 30)).expect("a part");
            results.push((kind, part, engine.snapshot().expect("all")));
        }
        for (kind, part, all) in &results {
            assert_eq!(part, &results[2].1, "{kind}, {rule}: part");
            assert_eq!(difference(&results[2].2, all), None, "{kind}, {rule}: all");
        }
    }
}

#[test]
fn work_in_short_pieces_gives_the_same_board() {
    let rule = rule("P2Life:T500,700");
    let board = soup(&rule, Rect::new(0, 0, 500, 700), 0.5, 3);
    let expected = stepped(EngineKind::Oracle, &rule, &board, 5);
    for kind in FAST {
        let mut engine = engine(kind, &rule);
        engine.load(&board).expect("it fits");
        let mut calls = 0;
        while engine.generation() < 5 {
            let now = Cancel::at(std::time::Instant::now());
            engine.step(5 - engine.generation(), &now).expect("steps");
            calls += 1;
            assert!(calls < 10_000, "{kind}: every call gets on");
        }
        let found = engine.snapshot().expect("a board");
        assert_eq!(difference(&expected, &found), None, "{kind}, {rule}, {calls} calls");
    }
}

#[test]
fn a_far_flung_pattern_is_refused_by_dense_engines_and_lives_on_the_oracle() {
    let rule = rule("Life");
    let mut cells = Cells::new();
    for x in [-1_000_000_000, 1_000_000_000] {
        cells.fill_run(Coords::new(x, 900_000_000), 3, 1).expect("in reach");
    }
    let board = Board::with_cells(Topology::Unbounded, cells);
    for kind in FAST {
        let error = engine(kind, &rule).load(&board).expect_err("too large");
        assert!(error.to_string().contains("too large"), "{kind}: {error}");
    }
    let after = stepped(EngineKind::Oracle, &rule, &board, 2);
    assert_eq!(after.cells, board.cells, "two blinkers after two generations");
}
