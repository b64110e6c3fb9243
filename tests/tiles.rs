//! Boards that the GPU engine holds as tiles: across their borders, far apart, asleep and woken.

use std::time::{Duration, Instant};

use biota::board::{Board, Cells, Topology};
use biota::coords::{Coords, Rect};
use biota::engine::gpu::Gait;
use biota::engine::{Cancel, CpuEngine, Edit, Engine, EngineError, EngineKind, GpuEngine};
use biota::lattice::Lattice;
use biota::pattern::{self, Limits};
use biota::rule::Rule;

use crate::common::{difference, rule, soup, stepped};

/// Life's glider, flying down and to the right.
const GLIDER: [(i64, i64); 5] = [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)];

fn gpu(rule: &Rule, board: &Board) -> GpuEngine {
    let mut engine = GpuEngine::new(rule).unwrap_or_else(|error| panic!("{rule}: {error}"));
    engine.load(board).unwrap_or_else(|error| panic!("{rule}: {error}"));
    engine
}

fn step(engine: &mut GpuEngine, generations: u64) {
    let done = engine.step(generations, &Cancel::never()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(done, generations, "all generations are done");
}

/// Puts cells of species 1 on a plane.
fn put(cells: &mut Cells, corner: (i64, i64), pattern: &[(i64, i64)]) {
    for (x, y) in pattern {
        cells.set(Coords::new(corner.0 + x, corner.1 + y), 1).expect("in reach");
    }
}

#[test]
fn boards_with_sides_around_those_of_tiles_are_stepped_right() {
    let sides = [1, 31, 255, 256, 257, 511, 512, 513];
    let rules = ["P2Life", "B36/S23Immigration", "B2/SQuadLife", "B03/S23", "B36/S23Immigration-parity"];
    let shapes = ["T{w},{h}", "P{w},{h}", "T{w}+{s},{h}", "K{w}*,{h}", "C{w},{h}", "T{w},{h}"];
    for (seed, width) in (0usize..).zip(sides) {
        let height = sides[(seed * 3 + 2) % sides.len()].min(100_000 / width).max(1);
        let shape = shapes[seed % shapes.len()]
            .replace("{w}", &width.to_string())
            .replace("{h}", &height.to_string())
            .replace("{s}", &(width / 3).to_string());
        let topology = Topology::parse(&shape).unwrap_or_else(|error| panic!("{shape}: {error}"));
        let rule = rule(rules[seed % rules.len()]).with_topology(topology);
        let board = soup(&rule, Rect::new(0, 0, width, height), 0.4, seed as u64);
        let expected = stepped(EngineKind::Oracle, &rule, &board, 7);
        let found = stepped(EngineKind::Gpu, &rule, &board, 7);
        assert_eq!(difference(&expected, &found), None, "{rule}, seed {seed}, generation 7");
    }
}

/// The gaits that the adapter offers for a rule: single generations and leaps everywhere, shuffles where it can.
fn gaits(rule: &Rule) -> Vec<Gait> {
    let gaits = gpu(rule, &Board::empty(rule.topology())).gaits();
    assert!(gaits.starts_with(&[Gait::Steps, Gait::Leaps]), "{rule}: {gaits:?}");
    gaits
}

/// An engine that goes on by `gait`.
fn gpu_by(gait: Gait, rule: &Rule, board: &Board) -> GpuEngine {
    let mut engine = gpu(rule, board);
    engine.set_gait(Some(gait)).unwrap_or_else(|error| panic!("{error}"));
    engine
}

#[test]
fn leaps_end_where_steps_do() {
    // Open and touching edges inside tiles and at their borders; every lattice, coins, parities, walks.
    for (seed, text) in (0u64..).zip([
        "Life:T256,256",
        "P2Life:T512,256",
        "P2Life:P255,257",
        "B3/S23:P37,20",
        "B36/S23Immigration-parity:P300,300",
        "B2/SQuadLife",
        "B2/S34H",
        "B45/S34L",
        "B03/S23Immigration-2",
        "law1{born=own==0;survive=own==8}",
        "B03/S23:T256,256",
        "/2/17",
        "B2-a/S12QuadLife:T256,256",
    ]) {
        let rule = rule(text);
        let area = rule.topology().bounds().unwrap_or(Rect::new(236, -30, 50, 55));
        let board = soup(&rule, area.intersection(Rect::new(-100, -100, 400, 400)), 0.4, seed);
        let mut ends = Vec::new();
        for gait in gaits(&rule) {
            let mut engine = gpu_by(gait, &rule, &board);
            step(&mut engine, 26);
            step(&mut engine, 37);
            ends.push(engine.snapshot().expect("a board"));
            assert_eq!(
                difference(&ends[0], ends.last().expect("one")),
                None,
                "{gait}, {rule}, seed {seed}, generation 63"
            );
        }
    }
}

/// Steps a board by these numbers of generations; whether any of it was by more than one at once, and then by `gait`.
fn gone_by(gait: Gait, rule: &Rule, board: &Board, parts: &[u64]) -> (Board, bool) {
    let mut engine = gpu_by(gait, rule, board);
    engine.measure(true);
    for &generations in parts {
        step(&mut engine, generations);
    }
    let times = engine.take_times().unwrap_or_else(|error| panic!("{error}"));
    let kernels = times.iter().filter_map(|(kind, _)| kind.parse::<Gait>().ok());
    let beside: Vec<Gait> = kernels.filter(|kernel| *kernel != Gait::Steps).collect();
    let leapt = !beside.is_empty();
    assert!(!leapt || beside == [gait], "{rule}: {beside:?}, where {gait} was asked for");
    (engine.snapshot().expect("a board"), leapt)
}

/// The topology of a suffix.
fn topology(text: &str) -> Topology {
    Topology::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn leaps_across_glued_edges_end_where_the_oracle_does() {
    let shapes = [
        "T1",
        "T2,1",
        "T1,2",
        "T5,3",
        "T31,33",
        "T33,31",
        "T2,255",
        "T257,5",
        "T32,30",
        "T64,50",
        "T300,700",
        "T5+3,1",
        "T1,31+17",
        "T33+32,5",
        "T31+16,2",
        "T255,33+1",
        "T257+131,255",
        "T40,30+2",
        "T300+44,64",
        "K1*,1",
        "K2*,5",
        "K5,2*",
        "K31*,33",
        "K33,31*",
        "K255*,2",
        "K5*,257",
        "K2*+1,33",
        "K32*-1,31",
        "K257,300*+1",
        "K1,300*",
        "K64*,64",
        "C5,33",
        "C1,31",
        "C63,1",
        "C300,257",
        "S1",
        "S2",
        "S31",
        "S257",
    ];
    // Counts; births from nothing; ages; what stands where; hexagons; cells two away; coins; parities of place and time.
    let rules = [
        "Life",
        "B03/S23Immigration-2",
        "23/3/17",
        "B2-a/S12",
        "B2/S34H",
        "B45/S34L",
        "P2Life",
        "B36/S23Immigration-parity",
    ];
    let mut leaps = [0; Gait::ALL.len()];
    for (index, rule) in rules.iter().map(|text| rule(text)).enumerate() {
        // Coins and parities are asked everywhere, since they are where leaps may be wrong.
        let every = if index < 6 { 2 } else { 1 };
        for (seed, text) in (0u64..).zip(shapes).skip(index % every).step_by(every) {
            let topology = topology(text);
            if rule.depends_on().neighbourhood.lattice() == Lattice::Triangular && !topology.suits_triangles()
            {
                continue;
            }
            let rule = rule.with_topology(topology);
            let board = soup(&rule, topology.bounds().expect("bounded"), 0.4, seed);
            // Leaps, single generations in between, leaps again.
            let parts = [12, 1, 25];
            let small = topology.bounds().is_some_and(|bounds| bounds.area() <= 9000);
            let expected = if small {
                stepped(EngineKind::Oracle, &rule, &board, 38)
            } else {
                gone_by(Gait::Steps, &rule, &board, &parts).0
            };
            for gait in gaits(&rule).into_iter().filter(|gait| *gait != Gait::Steps) {
                let (found, leapt) = gone_by(gait, &rule, &board, &parts);
                assert_eq!(difference(&expected, &found), None, "{gait}, {rule}, seed {seed}, generation 38");
                leaps[gait as usize] += u32::from(leapt);
            }
        }
    }
    let offered = gaits(&rule("Life"));
    for gait in offered.into_iter().filter(|gait| *gait != Gait::Steps) {
        // Triangles and walks are not for all of them, and tall shapes are of few planes.
        let least = match gait {
            Gait::Leaps => 70,
            Gait::Shuffles => 55,
            _ => 15,
        };
        assert!(leaps[gait as usize] > least, "{leaps:?} boards were stepped by {gait}");
    }
}

#[test]
fn leaps_are_taken_wherever_they_are_right() {
    for (text, right) in [
        ("Life:T300,20", true),
        ("Life:T300+1,21", true),
        ("B03/S23Immigration-2:K300*,20", true),
        ("B036/S23Immigration:K300*,20", false),
        ("23/3/17:K300,20*+1", true),
        ("Life:C30,20", false),
        ("Life:S30", false),
        ("B2/S34H:T33,31+1", true),
        ("B2/S34H:K33*,31", false),
        ("B2-a/S12:T33,31", true),
        ("B2-a/S12:K33*,31", false),
        ("B45/S34L:T30,20", true),
        ("B45/S34L:T31,20+11", true),
        ("P2Life:T320,21", true),
        ("P2Life:T300,20", false),
        ("P2Life:T320+32,20", false),
        ("P2Life:K320*,20", false),
        ("B36/S23Immigration-parity:T300,20", true),
        ("B36/S23Immigration-parity:T300,21", false),
        ("B36/S23Immigration-parity:K300*,20", false),
    ] {
        let Ok(rule) = biota::rule::parse(text) else { continue };
        let board = soup(&rule, rule.topology().bounds().expect("bounded"), 0.4, 1);
        let expected = stepped(EngineKind::Oracle, &rule, &board, 24);
        for gait in gaits(&rule) {
            let (found, leapt) = gone_by(gait, &rule, &board, &[24]);
            assert_eq!(difference(&expected, &found), None, "{gait}, {text}, generation 24");
            assert_eq!(leapt, right && gait != Gait::Steps, "{text} goes by leaps by {gait}");
        }
    }
}

#[test]
fn sparse_boards_with_glued_edges_hold_what_life_can_reach() {
    for (seed, text) in (0i64..).zip([
        "T150000,70000",
        "T20000+777,9001",
        "T20001,9000+4567",
        "K20000*,9000",
        "K20000,9001*",
        "T90,100000+7",
        "T2000000000,2000000000+1999999999",
        "T2000000000+1999999999,1999999999",
    ]) {
        let rule = rule("Life").with_topology(topology(text));
        let Rect { width, height, .. } = rule.topology().bounds().expect("bounded");
        let mut cells = Cells::new();
        // Gliders to all sides, near each edge; the other way round is down and to the right.
        let starts =
            [(0, 0), (-40, 15), (15, -40), (-30, -60), (1, height / 2), (width / 2, 1), (width / 2, -9)];
        for (index, (x, y)) in (0i64..).zip(starts) {
            let turn = |(dx, dy): (i64, i64)| match (index + seed) % 4 {
                0 => (dx, dy),
                1 => (2 - dx, dy),
                2 => (dx, 2 - dy),
                _ => (2 - dx, 2 - dy),
            };
            for (dx, dy) in GLIDER.map(turn) {
                let at = Coords::new((x + dx).rem_euclid(width), (y + dy).rem_euclid(height));
                cells.set(at, 1).expect("in reach");
            }
        }
        let board = Board::with_cells(rule.topology(), cells);
        let all = u64::try_from((width + 255) / 256 * ((height + 255) / 256)).expect("tiles");
        for gait in gaits(&rule) {
            let mut engine = gpu_by(gait, &rule, &board);
            let mut expected = board.clone();
            for generations in [30, 170, 100] {
                step(&mut engine, generations);
                expected = stepped(EngineKind::Cpu, &rule, &expected, generations);
                let found = engine.snapshot().expect("a board");
                // What differs on a board of that size takes long to find.
                assert!(expected == found, "{gait:?}, {rule}, generation {}", found.generation);
                let held = engine.tiles().1 as u64;
                assert!(held <= 90 && held < all, "{gait:?}, {rule}: {held} of {all} tiles");
            }
        }
    }
}

#[test]
fn fast_life_near_the_edges_of_long_boards_comes_in_beyond_them() {
    let shapes = ["T5,17001", "T17000,6", "K7*,17001", "K17001,7*", "T17001,6+2", "T7+3,17000"];
    for (seed, text) in (0u64..).zip(shapes) {
        // In the first, life is as fast as anything can be.
        for rule in [rule("B2/S"), rule("B3/S12Immigration-parity"), rule("Life")] {
            let rule = rule.with_topology(topology(text));
            let Rect { width, height, .. } = rule.topology().bounds().expect("bounded");
            let area = Rect::new((width - 20).max(0), (height - 20).max(0), width.min(9), height.min(9));
            let board = soup(&rule, area, 0.5, seed);
            let expected = stepped(EngineKind::Oracle, &rule, &board, 24);
            let found = stepped(EngineKind::Cpu, &rule, &board, 24);
            assert_eq!(difference(&expected, &found), None, "cpu, {rule}, seed {seed}, generation 24");
            for gait in gaits(&rule) {
                let (found, _) = gone_by(gait, &rule, &board, &[24]);
                assert_eq!(
                    difference(&expected, &found),
                    None,
                    "{gait:?}, {rule}, seed {seed}, generation 24"
                );
            }
        }
    }
}

#[test]
fn sleepers_at_glued_edges_are_woken_from_beyond_them() {
    for text in ["T2000+333,1500", "T2001,1500+77", "K2000*,1499", "K2000,1500*", "T300,9000", "K9000*+1,257"]
    {
        let rule = rule("Life").with_topology(topology(text));
        let bounds = rule.topology().bounds().expect("bounded");
        let mut cells = Cells::new();
        // Blinkers all over, some across the edges: what crosses them must be whole.
        for (x, y) in (0..bounds.width / 40).flat_map(|x| (0..bounds.height / 40).map(move |y| (x, y))) {
            put(&mut cells, (40 * x + 15, 40 * y + 20), &[(0, 0), (1, 0), (2, 0)]);
        }
        let quiet = Board::with_cells(rule.topology(), cells.clone());
        // A glider that goes off over the bottom right corner, with a free way for a while.
        put(&mut cells, (bounds.width - 8, bounds.height - 8), &GLIDER);
        let board = Board::with_cells(rule.topology(), cells);
        for gait in gaits(&rule) {
            let mut engine = gpu_by(gait, &rule, &quiet);
            step(&mut engine, 60);
            assert_eq!(engine.tiles().0, 0, "{gait:?}, {text}: all sleep, at the edges too");
            engine.load(&board).expect("it fits");
            let mut expected = board.clone();
            for generations in [48, 252, 100, 300] {
                step(&mut engine, generations);
                expected = stepped(EngineKind::Cpu, &rule, &expected, generations);
                let found = engine.snapshot().expect("a board");
                assert_eq!(
                    difference(&expected, &found),
                    None,
                    "{gait:?}, {text}, generation {}",
                    found.generation
                );
            }
            let (awake, held) = engine.tiles();
            assert!(awake < held || held < 20, "{gait:?}, {text}: {awake} of {held} tiles are awake");
        }
    }
}

#[test]
fn boards_of_whole_tiles_stay_right_while_ash_falls_asleep() {
    // Coins, parities of place and time, births from nothing, triangles, which reach two cells far.
    for (seed, text) in (0u64..).zip([
        "Life:T1280,1024",
        "P2Life:T1536,1280",
        "B3/S23:P1100,900",
        "B3/S12Immigration-parity:T1280,1280",
        "B36/S23Immigration:K1280*,1283",
    ]) {
        let Ok(rule) = biota::rule::parse(text) else { continue };
        let board = soup(&rule, Rect::new(330, 310, 140, 120), 0.4, seed);
        let expected = stepped(EngineKind::Cpu, &rule, &board, 300);
        for gait in gaits(&rule) {
            let mut engine = gpu_by(gait, &rule, &board);
            let mut slept = false;
            for generations in if gait == Gait::Steps { [40, 1, 2, 257] } else { [40, 4, 4, 252] } {
                step(&mut engine, generations);
                let (awake, held) = engine.tiles();
                slept |= awake < held;
            }
            let found = engine.snapshot().expect("a board");
            assert_eq!(difference(&expected, &found), None, "{gait:?}, {rule}, seed {seed}, generation 300");
            let coins = gait != Gait::Steps && text.starts_with("P2Life");
            assert!(slept || coins, "{gait:?}, {rule}: some tiles of {:?} sleep", engine.tiles());
        }
    }
}

#[test]
fn sleepers_are_woken_by_a_glider() {
    let rule = rule("Life");
    let mut cells = Cells::new();
    // Blocks and blinkers in every tile, a free way for the glider, and a blinker at its end.
    for (tx, ty) in (-4..5).flat_map(|tx| (-4..5).map(move |ty| (tx, ty))) {
        put(&mut cells, (256 * tx + 200, 256 * ty + 40), &[(0, 0), (0, 1), (1, 0), (1, 1)]);
        put(&mut cells, (256 * tx + 30, 256 * ty + 180), &[(0, 0), (1, 0), (2, 0)]);
    }
    put(&mut cells, (-390, -390), &GLIDER);
    put(&mut cells, (-110, -107), &[(0, 0), (1, 0), (2, 0)]);
    let board = Board::with_cells(Topology::Unbounded, cells);
    let expected = stepped(EngineKind::Oracle, &rule, &board, 1501);
    assert_ne!(expected.cells.tally().population(), board.cells.tally().population(), "the glider hits");
    let later = stepped(EngineKind::Oracle, &rule, &expected, 500);
    let phases = [later.clone(), stepped(EngineKind::Oracle, &rule, &later, 1)];
    for gait in gaits(&rule) {
        let mut engine = gpu_by(gait, &rule, &board);
        step(&mut engine, 600);
        let (awake, held) = engine.tiles();
        assert!(
            awake <= 30 && held >= 81,
            "{gait:?}: most sleep at generation 600: {awake} of {held} do not"
        );
        step(&mut engine, 901);
        let found = engine.snapshot().expect("a board");
        assert_eq!(difference(&expected, &found), None, "{gait:?}, generation 1501");
        step(&mut engine, 2000);
        step(&mut engine, 1_200_000_000_000);
        assert_eq!(engine.tiles().0, 0, "{gait:?}: all sleeps in the end");
        for generations in [0, 1, 1, 12, 5] {
            step(&mut engine, generations);
            let phase = usize::from(engine.generation().is_multiple_of(2));
            let found = engine.snapshot().expect("a board");
            assert!(found.cells == phases[phase].cells, "{gait:?}: a long night, {}", engine.generation());
        }
    }
}

#[test]
fn sleepers_that_are_edited_wake() {
    let rule = rule("Life");
    let mut cells = Cells::new();
    put(&mut cells, (3, 3), &[(0, 0), (1, 0), (2, 0)]);
    let board = Board::with_cells(Topology::Unbounded, cells);
    // Leaps are of a dozen generations; any others are done one by one, before which all wake.
    let cases = gaits(&rule).into_iter().flat_map(|gait| {
        let before = if gait == Gait::Steps { [77, 78] } else { [72, 84] };
        before.map(|before| (gait, before))
    });
    for (gait, before) in cases {
        let mut engine = gpu_by(gait, &rule, &board);
        step(&mut engine, before);
        assert_eq!(engine.tiles().0, 0, "{gait:?}: a blinker sleeps after {before}");
        let edit = |x, y| biota::engine::Edit { at: Coords::new(x, y), state: 1 };
        let edits = [edit(4, 4), edit(250, -2), edit(251, -2), edit(252, -2)];
        engine.write(&edits).expect("edits");
        let edited = engine.snapshot().expect("a board");
        step(&mut engine, 50);
        let expected = stepped(EngineKind::Oracle, &rule, &edited, 50);
        assert_eq!(
            difference(&expected, &engine.snapshot().expect("a board")),
            None,
            "{gait:?}, after {before}"
        );
    }
}

#[test]
fn a_lone_cell_dies_and_a_short_life_is_no_sleep() {
    // What dies at once is after a generation as if it had never been, which is no circle.
    let rule = rule("Life");
    let mut cells = Cells::new();
    put(&mut cells, (-1734, 1583), &[(0, 0)]);
    let board = Board::with_cells(Topology::Unbounded, cells);
    for generations in [1, 2, 3, 40] {
        for gait in gaits(&rule) {
            let mut engine = gpu_by(gait, &rule, &board);
            step(&mut engine, generations);
            let found = engine.snapshot().expect("a board");
            assert!(found.cells.is_empty(), "{gait:?}: dead after {generations}");
            let edit = biota::engine::Edit { at: Coords::new(5, 5), state: 1 };
            engine.write(&[edit]).expect("an edit");
            step(&mut engine, generations);
            assert!(
                engine.snapshot().expect("a board").cells.is_empty(),
                "{gait:?}: and after {generations}"
            );
        }
    }
}

#[test]
fn living_backgrounds_cross_borders_of_tiles() {
    for (seed, text) in (0u64..).zip([
        "law1{born=own==0;survive=own==8}",
        "B03/S23",
        "B03/S23Immigration-2",
        "B01234567/S0QuadLife-3",
    ]) {
        let rule = rule(text);
        let board = soup(&rule, Rect::new(225, -20, 60, 40), 0.4, seed);
        let expected = stepped(EngineKind::Oracle, &rule, &board, 83);
        let mut engine = gpu(&rule, &board);
        for generations in [20, 13, 50] {
            step(&mut engine, generations);
        }
        let found = engine.snapshot().expect("a board");
        assert_eq!(difference(&expected, &found), None, "{rule}, seed {seed}, generation 83");
    }
}

#[test]
fn gliders_two_billion_cells_apart_fly_on() {
    let rule = rule("Life");
    let mut cells = Cells::new();
    let corners = [(-1_000_000_000, -1_000_000_000), (1_000_000_000, 1_000_000_000)];
    for corner in corners {
        put(&mut cells, corner, &GLIDER);
    }
    let mut engine = gpu(&rule, &Board::with_cells(Topology::Unbounded, cells.clone()));
    step(&mut engine, 4000);
    let after = engine.snapshot().expect("a board");
    assert_eq!(after.cells, cells.translated(1000, 1000).expect("in reach"), "a cell in four generations");
    assert!(engine.tiles().1 <= 18, "nine tiles a glider, not {}", engine.tiles().1);
}

#[test]
fn a_row_of_400_000_cells_lives() {
    let rule = rule("Life");
    let mut cells = Cells::new();
    cells.fill_run(Coords::new(-200_000, 7), 400_000, 1).expect("in reach");
    let mut engine = gpu(&rule, &Board::with_cells(Topology::Unbounded, cells));
    step(&mut engine, 2);
    // Three rows, one cell shorter at both ends; then the middle row dies but for its ends.
    let tally = engine.tally().expect("a tally");
    assert_eq!(tally.bounding_box, Some(Rect::new(-200_000, 5, 400_000, 5)), "two rows in two generations");
    assert!(engine.tiles().1 < 5000, "{} tiles", engine.tiles().1);
}

#[test]
fn a_gun_fires_on_for_thousands_of_generations() {
    // Gosper's gun: a glider of five cells every 30 generations.
    let gun =
        "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$12b2o!";
    let rule = rule("Life");
    let cells = pattern::read(gun.as_bytes(), &Limits::default()).expect("a pattern").cells;
    for gait in gaits(&rule) {
        let mut engine = gpu_by(gait, &rule, &Board::with_cells(Topology::Unbounded, cells.clone()));
        for fired in [40, 90] {
            let left = 30 * fired - engine.generation();
            step(&mut engine, left);
            let population = engine.tally().expect("a tally").population();
            assert_eq!(population, 36 + 5 * fired, "{gait:?}, {fired} gliders");
        }
    }
}

#[test]
fn a_puffer_leaves_its_blocks_behind() {
    // Callahan's pattern of 5 × 5 cells becomes a switch engine that lays eight blocks in 288 generations.
    let rule = rule("Life");
    let mut cells = Cells::new();
    for (y, row) in (0..).zip(["OOO.O", "O....", "...OO", ".OO.O", "O.O.O"]) {
        for (x, _) in row.char_indices().filter(|(_, cell)| *cell == 'O') {
            cells.set(Coords::new(i64::try_from(x).expect("small"), y), 1).expect("in reach");
        }
    }
    for gait in gaits(&rule) {
        let mut engine = gpu_by(gait, &rule, &Board::with_cells(Topology::Unbounded, cells.clone()));
        step(&mut engine, 2000);
        let before = engine.tally().expect("a tally").population();
        step(&mut engine, 288 * 5);
        let after = engine.tally().expect("a tally").population();
        assert_eq!(after - before, 5 * 8 * 4, "{gait:?}: from {before} to {after}");
        assert!(engine.tiles().1 > 12, "{gait:?}: {:?} tiles", engine.tiles());
    }
}

#[test]
fn a_board_that_outgrows_the_cpu_engines_memory_stays_as_it_was() {
    let rule = rule("B2/S");
    let mut cells = Cells::new();
    put(&mut cells, (0, 0), &[(0, 0), (1, 0), (0, 1), (1, 1)]);
    let small = Board::with_cells(Topology::Unbounded, cells);
    let mut engine = CpuEngine::new(&rule).expect("an engine");
    engine.load(&small).expect("loaded");
    // Twelve chunks of one plane, in both generations.
    engine.set_memory_limit(12 * 2 * 32_768);
    let error = engine.step(5000, &Cancel::never()).expect_err("it grows for ever");
    let EngineError::Outgrown { generation, width, .. } = error else { panic!("{error}") };
    assert!(error.to_string().contains("more memory than the 768 KiB there are for it"), "{error}");
    assert_eq!(engine.generation(), generation, "where it stays");
    assert!(generation > 300 && width > 600, "it grew until then: {error}");
    let mut free = CpuEngine::new(&rule).expect("an engine");
    free.load(&small).expect("loaded");
    free.step(generation, &Cancel::never()).expect("there is memory");
    let reached = free.snapshot().expect("a board");
    assert_eq!(engine.snapshot().expect("a board"), reached, "the board is kept");
    // Neither what is drawn nor what is loaded goes beyond the limit, and the board is kept then, too.
    let far: Vec<Edit> = (0..12).map(|n| Edit { at: Coords::new(10_000 * n + 5000, 0), state: 1 }).collect();
    let error = engine.write(&far).expect_err("too far apart");
    assert!(matches!(error, EngineError::Outgrown { .. }), "{error}");
    let mut spread = Cells::new();
    for edit in &far {
        spread.set(edit.at, edit.state).expect("in reach");
    }
    spread.set(Coords::new(-5000, 0), 1).expect("in reach");
    let error = engine.load(&Board::with_cells(Topology::Unbounded, spread)).expect_err("too large");
    assert!(matches!(error, EngineError::TooLarge { .. }), "{error}");
    assert_eq!(engine.snapshot().expect("a board"), reached, "the board is kept");
    // Two boards together would not fit; one takes the other's place.
    engine.load(&reached).expect("as large as the one before");
    engine.set_memory_limit(u64::MAX);
    for engine in [&mut engine, &mut free] {
        assert_eq!(engine.step(100, &Cancel::never()).expect("there is memory"), 100, "it goes on");
    }
    assert_eq!(
        engine.snapshot().expect("a board"),
        free.snapshot().expect("a board"),
        "and so does the board"
    );
}

#[test]
fn a_board_that_outgrows_the_memory_stays_as_it_was() {
    let rule = rule("B2/S");
    let mut cells = Cells::new();
    put(&mut cells, (0, 0), &[(0, 0), (1, 0), (0, 1), (1, 1)]);
    let board = Board::with_cells(Topology::Unbounded, cells);
    let mut engine = gpu(&rule, &board);
    // Sixteen tiles of one plane, with the background.
    engine.set_memory_limit(16 * 8192);
    let error = engine.step(5000, &Cancel::never()).expect_err("it grows for ever");
    let EngineError::Outgrown { generation, width, .. } = error else { panic!("{error}") };
    assert_eq!(engine.generation(), generation, "where it stays");
    assert!(generation > 100 && width > 200, "it grew until then: {error}");
    let expected = stepped(EngineKind::Cpu, &rule, &board, generation);
    let found = engine.snapshot().expect("a board");
    assert_eq!(difference(&expected, &found), None, "generation {generation}");
    engine.set_memory_limit(u64::MAX);
    step(&mut engine, 10);
    let expected = stepped(EngineKind::Cpu, &rule, &expected, 10);
    assert_eq!(difference(&expected, &engine.snapshot().expect("a board")), None, "with more memory");
}

#[test]
fn boards_that_are_shown_one_after_the_other_are_what_they_are() {
    let rule = rule("Immigration");
    let first = soup(&rule, Rect::new(-300, 200, 90, 70), 0.4, 3);
    let mut boards = vec![first.clone()];
    for generations in [1, 1, 30, 1] {
        boards.push(stepped(EngineKind::Cpu, &rule, boards.last().expect("one"), generations));
    }
    boards.push(Board::empty(Topology::Unbounded));
    boards.push(soup(&rule, Rect::new(5000, 200, 9, 7), 0.4, 3));
    boards.push(first);
    let mut canvas = gpu(&rule, &Board::empty(Topology::Unbounded));
    for (index, board) in boards.iter().enumerate() {
        canvas.show(board.clone()).expect("it fits");
        assert_eq!(difference(board, &canvas.snapshot().expect("a board")), None, "board {index}");
        if index % 2 == 0 {
            canvas.preview().expect("the next generation");
            assert_eq!(difference(board, &canvas.snapshot().expect("a board")), None, "board {index} still");
        }
    }
    step(&mut canvas, 20);
    let expected = stepped(EngineKind::Cpu, &rule, boards.last().expect("one"), 20);
    assert_eq!(difference(&expected, &canvas.snapshot().expect("a board")), None, "and it can be stepped");
}

#[test]
fn every_lattice_crosses_borders_of_tiles() {
    let hexagonal = rule("B2/S34H");
    assert_eq!(hexagonal.depends_on().neighbourhood.lattice(), Lattice::Hexagonal, "hexagons");
    for (seed, rule) in (0u64..).zip([hexagonal, rule("B45/S34L"), rule("B3/S23V")]) {
        let board = soup(&rule, Rect::new(-30, 230, 60, 52), 0.4, seed);
        let expected = stepped(EngineKind::Oracle, &rule, &board, 40);
        let found = stepped(EngineKind::Gpu, &rule, &board, 40);
        assert_eq!(difference(&expected, &found), None, "{rule}, seed {seed}, generation 40");
    }
}

#[test]
fn the_gpu_times_each_kind_of_pass_and_ends_on_the_same_board() {
    // Looks are everywhere, ghosts where glued edges lie inside tiles, surveys where life may spread; 37 are three leaps and a step.
    let mut cases = vec![
        ("P2Life:T300,260", Gait::Steps, &["compare", "margin", "step"][..]),
        ("P2Life", Gait::Steps, &["compare", "step", "tally"]),
        ("B3/S23", Gait::Leaps, &["compare", "leap", "step", "tally"]),
    ];
    if gaits(&rule("B3/S23")).contains(&Gait::Shuffles) {
        cases.push(("B3/S23", Gait::Shuffles, &["compare", "shuffle", "step", "tally"]));
    }
    for (text, gait, kinds) in cases {
        let rule = rule(text);
        let board = soup(&rule, Rect::new(0, 0, 300, 260), 0.4, 5);
        let generations = 37;
        let expected = stepped(EngineKind::Cpu, &rule, &board, generations);
        let mut engine = gpu_by(gait, &rule, &board);
        let times = |engine: &mut GpuEngine| engine.take_times().unwrap_or_else(|error| panic!("{error}"));
        engine.measure(true);
        let start = Instant::now();
        step(&mut engine, generations);
        let wall = start.elapsed();
        let found = engine.snapshot().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(difference(&expected, &found), None, "{text}, {gait:?}");
        let measured = times(&mut engine);
        let names: Vec<&str> = measured.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(names, kinds, "{text}, {gait:?}");
        assert!(measured.iter().all(|(_, time)| !time.is_zero()), "{text}, {gait:?}: {measured:?}");
        // Passes follow each other: nanoseconds, not ticks of another length.
        let sum: Duration = measured.iter().map(|(_, time)| time).sum();
        assert!(sum <= 2 * wall, "{text}, {gait:?}: {measured:?} in {wall:?}");
        assert!(times(&mut engine).is_empty(), "{text}, {gait:?}: taken");
        engine.measure(false);
        step(&mut engine, generations);
        assert!(times(&mut engine).is_empty(), "{text}, {gait:?}: no longer measured");
    }
}
