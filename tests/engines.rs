//! Every engine against the oracle, and against what is known from outside.

use biota::board::{Board, Cells, Topology};
use biota::coin::Coin;
use biota::coords::{Coords, Rect};
use biota::engine::{Cancel, Edit, EngineError, EngineKind, create};
use biota::lattice::{Lattice, Neighbourhood, Neighbours};
use biota::rule::named::NAMED;
use biota::rule::{Dependence, Rule, Ruleset, Site};

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

/// Without its colours Immigration is the two-state rule, whoever wins a tie.
#[test]
fn a_diagram_that_could_toss_one_coin_steps_as_the_rule_without_colours() {
    let coloured = rule("B2-a/S12Immigration-parity|P2Life:T16,34");
    let plain = rule("B2-a/S12:T16,34");
    for seed in 0..3 {
        let board = soup(&coloured, Rect::new(0, 0, 16, 34), 0.5, seed);
        let living = |board: &Board| -> Vec<Coords> { board.cells.iter().map(|(at, _)| at).collect() };
        let mut cells = Cells::new();
        for at in living(&board) {
            cells.set(at, 1).expect("on the board");
        }
        let colourless = Board::with_cells(plain.topology(), cells);
        for kind in EngineKind::ALL {
            let expected = living(&stepped(kind, &plain, &colourless, 1));
            let found = living(&stepped(kind, &coloured, &board, 1));
            assert_eq!(found, expected, "{kind}, {coloured}, seed {seed}, generation 1");
            assert!(!found.is_empty(), "{kind}, seed {seed}: something lives");
        }
    }
}

/// A board that is not what the rule runs on is refused by every engine, and the one that was there stays.
#[test]
fn boards_that_are_not_of_the_rules_world_are_refused_with_an_error_of_their_own() {
    let torus = rule("Life:T64,64");
    let plane = rule("Life");
    let cells = |places: &[(i64, i64)]| {
        let mut cells = Cells::new();
        for &(x, y) in places {
            cells.set(Coords::new(x, y), 1).expect("in reach");
        }
        cells
    };
    let tile = cells(&[(3, 3)]).tiles().next().map(|(_, tile)| tile.clone()).expect("a tile");
    let far = [(Coords::new(1 << 40, 0), tile)].into_iter().collect::<Cells>();
    let board = |rule: &Rule| Board::with_cells(rule.topology(), cells(&[(1, 0), (1, 1), (1, 2)]));
    for kind in EngineKind::ALL {
        for (rule, other, message) in [
            (&torus, board(&plane), "Life:T64,64 can't hold a board of the unbounded plane"),
            (&plane, board(&torus), "can't hold a board of :T64,64"),
            (
                &torus,
                Board { topology: biota::board::Topology::Plane { width: 64, height: 64 }, ..board(&torus) },
                ":P64,64",
            ),
            (
                &torus,
                Board { cells: cells(&[(63, 63), (64, 5)]), ..board(&torus) },
                "cell (64, 5) lies beyond",
            ),
            (&torus, Board { cells: cells(&[(-1, 5)]), ..board(&torus) }, "cell (-1, 5) lies beyond"),
            (&torus, Board { background: 1, ..board(&torus) }, "the background is state 1"),
            (&plane, Board { cells: far.clone(), ..board(&plane) }, "is out of reach"),
            (&plane, Board { background: 2, ..board(&plane) }, "state 2"),
        ] {
            let mut engine = engine(kind, rule);
            let before = board(rule);
            engine.load(&before).unwrap_or_else(|error| panic!("{kind}, {rule}: {error}"));
            let error = engine.load(&other).expect_err(message).to_string();
            assert!(error.contains(message.trim_start_matches("Life")), "{kind}: {error}");
            assert_eq!(engine.snapshot().as_ref(), Ok(&before), "{kind}, {rule}: the board stays");
        }
        let mut engine = engine(kind, &torus);
        let wrong = engine.load(&board(&plane));
        assert!(matches!(wrong, Err(EngineError::OtherTopology { .. })), "{kind}: {wrong:?}");
        let session =
            biota::session::Session::new(&torus, board(&plane), biota::session::EngineChoice::Fixed(kind));
        assert!(session.is_err(), "{kind}: a session says so too");
    }
}

/// Where all live, all have eight neighbours: under Life the background dies in the first generation. What it was then must
/// not come back, at whatever generation which kernel takes over.
#[test]
fn a_background_that_dies_under_life_stays_dead() {
    let plane = rule("Life");
    let mut cells = Cells::new();
    // Three dead cells across the borders of tiles; around them live those that see two or three.
    for (x, y) in [(-1, 0), (0, 0), (1, 0), (255, 511), (256, 511), (256, 512)] {
        cells.set(Coords::new(x, y), 1).expect("in reach");
    }
    let board = Board { background: 1, ..Board::with_cells(plane.topology(), cells) };
    for generations in 1..=30 {
        let expected = stepped(EngineKind::Oracle, &plane, &board, generations);
        assert_eq!(expected.background, 0, "generation {generations}");
        for kind in FAST {
            let found = stepped(kind, &plane, &board, generations);
            assert_eq!(difference(&expected, &found), None, "{kind}, generation {generations}");
        }
    }
}

#[test]
fn edits_that_can_not_be_made_are_refused_and_none_of_the_others_is() {
    let plane = rule("Immigration");
    for kind in EngineKind::ALL {
        for (at, state, message) in [
            (Coords::new(i64::MIN, 0), 1, "out of reach"),
            (Coords::new(0, i64::MIN), 1, "out of reach"),
            (Coords::new(1 << 31, 0), 1, "out of reach"),
            (Coords::new(5, 5), 3, "state 3"),
        ] {
            let mut engine = engine(kind, &plane);
            let edits = [Edit { at: Coords::new(0, 0), state: 1 }, Edit { at, state }];
            let error = engine.write(&edits).expect_err(message).to_string();
            assert!(error.contains(message), "{kind}: {error}");
            assert_eq!(engine.tally().map(|tally| tally.population()), Ok(0), "{kind}: nothing is set");
        }
    }
}

#[test]
fn generations_end_with_an_error_where_they_can_be_counted_no_further() {
    // A block on its own: the engines may skip generations in which nothing changes.
    let plane = rule("Life");
    let mut cells = Cells::new();
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        cells.set(Coords::new(x, y), 1).expect("in reach");
    }
    let board = Board { generation: u64::MAX - 70, ..Board::with_cells(plane.topology(), cells) };
    for kind in EngineKind::ALL {
        let mut engine = engine(kind, &plane);
        engine.load(&board).unwrap_or_else(|error| panic!("{kind}: {error}"));
        let mut done = 0;
        let error = loop {
            match engine.step(100, &Cancel::never()) {
                Ok(more) => done += more,
                Err(error) => break error,
            }
        };
        assert_eq!((done, engine.generation()), (70, u64::MAX), "{kind}");
        assert_eq!(error, EngineError::LastGeneration, "{kind}");
        assert_eq!(engine.tally().map(|tally| tally.population()), Ok(4), "{kind}: the board stays");
    }
}

#[test]
fn cpu_and_gpu_agree_with_the_oracle_on_every_named_rule() {
    for (index, named) in (0u64..).zip(NAMED) {
        for wraps in [true, false] {
            // Even sides, since triangles don't fit others.
            let rule = rule(named.rule).with_topology(bounded(wraps, 62, 46));
            let board = soup(&rule, Rect::new(0, 0, 62, 46), 0.4, index);
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

/// Births and survivals by counts on any neighbourhood, drawn at random; species 2 is born on counts of its own.
struct Counting {
    neighbourhood: Neighbourhood,
    draw: u64,
}

impl Ruleset for Counting {
    fn depends_on(&self) -> Dependence {
        Dependence { neighbourhood: self.neighbourhood, ..Dependence::counting(3) }
    }
    fn empty_cell_next(&self, neighbours: &Neighbours, _: Site, _: &mut Coin) -> u8 {
        let born = |species| self.draw >> (neighbours.count(species) + 13 * (species - 1)) & 1 == 1;
        if born(1) { 1 } else { 2 * u8::from(born(2) && neighbours.count(2) > 0) }
    }
    fn occupied_cell_next(&self, neighbours: &Neighbours, value: u8, _: Site, _: &mut Coin) -> u8 {
        if self.draw >> (26 + neighbours.living()) & 1 == 1 { value } else { 0 }
    }
}

/// The rules of the tests on surfaces: every neighbourhood, about three neighbours of twelve leading to births.
fn counting_rules() -> Vec<Rule> {
    (1u64..)
        .zip(Neighbourhood::ALL)
        .map(|(seed, neighbourhood)| {
            let draw = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) & !1;
            Rule::custom(&format!("{neighbourhood:?}"), Counting { neighbourhood, draw }, Topology::Unbounded)
        })
        .collect()
}

#[test]
fn cpu_and_gpu_agree_with_the_oracle_on_every_surface_and_neighbourhood() {
    let rules = counting_rules();
    for (index, text) in (0usize..).zip([
        "T37+5,20",
        "T64-7,33",
        "T32,31+4",
        "T5,70-1",
        "T1,9+2",
        "T9+3,1",
        "K33*,20",
        "K64*+1,31",
        "K64*-1,31",
        "K20,33*",
        "K31,64*+1",
        "K1*,5",
        "K5,1*",
        "C40,33",
        "C64,1",
        "C1,64",
        "C3,3",
        "S33",
        "S64",
        "S65",
        "S1",
        "S2",
        "P37,20",
        "T37,20",
        "T1,1",
        "T2,1",
        "T33,2",
    ]) {
        let topology = Topology::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let bounds = topology.bounds().expect("bounded");
        for rule in rules.iter().cycle().skip(index).step_by(5).take(5) {
            let rule = rule.with_topology(topology);
            let triangular = rule.depends_on().neighbourhood.lattice() == Lattice::Triangular;
            if triangular && !topology.suits_triangles() {
                for kind in EngineKind::ALL {
                    let error = create(kind, &rule).err().map(|error| error.to_string()).unwrap_or_default();
                    assert!(error.contains("even sides"), "{kind}, {rule}: {error}");
                }
                continue;
            }
            let board = soup(&rule, bounds, 0.4, index as u64);
            let expected = stepped(EngineKind::Oracle, &rule, &board, 9);
            for kind in FAST {
                let found = stepped(kind, &rule, &board, 9);
                assert_eq!(difference(&expected, &found), None, "{kind}, {rule}, seed {index}, generation 9");
            }
        }
    }
}

#[test]
fn every_neighbourhood_lives_on_the_unbounded_plane() {
    for rule in counting_rules() {
        let board = soup(&rule, Rect::new(-21, 7, 40, 30), 0.4, 11);
        let expected = stepped(EngineKind::Oracle, &rule, &board, 40);
        assert!(
            expected.cells.bounding_box().is_none_or(|b| b.width < 300),
            "{rule}: life moves at most two a generation"
        );
        for kind in FAST {
            let found = stepped(kind, &rule, &board, 40);
            assert_eq!(difference(&expected, &found), None, "{kind}, {rule}, generation 40");
        }
    }
}

#[test]
fn a_glider_on_each_surface_comes_back_turned_as_the_edges_turn_it() {
    // On a torus a glider is home after 4 generations a cell; a twisted edge brings it back mirrored first.
    for (text, generations) in [("T8,8", 32), ("T8+4,8", 64), ("K16,16*", 256)] {
        let rule = rule(&format!("B3/S23:{text}"));
        let mut board = Board::empty(rule.topology());
        for (x, y) in [(2, 1), (3, 2), (1, 3), (2, 3), (3, 3)] {
            board.cells.set(Coords::new(x, y), 1).expect("on the board");
        }
        for kind in EngineKind::ALL {
            let after = stepped(kind, &rule, &board, generations);
            assert_eq!(after.cells.tally().population(), 5, "{kind}, {rule}: a glider");
            if !text.starts_with('K') {
                assert_eq!(after.cells, board.cells, "{kind}, {rule}: home after {generations}");
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
        "law1{born=own==0;survive=own==8}",
        "B03/S23",
        "B0123478/S01234678",
        "law1{born=!(own~in[5,6]);survive=own!=5}",
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
    // The cpu engine does a few million cells before it looks at the time, too many for the oracle.
    for (kind, width, height, by) in
        [(EngineKind::Gpu, 500, 700, EngineKind::Oracle), (EngineKind::Cpu, 4000, 3000, EngineKind::Cpu)]
    {
        let rule = rule("P2Life").with_topology(bounded(true, width, height));
        let board = soup(&rule, Rect::new(0, 0, width, height), 0.5, 3);
        let expected = stepped(by, &rule, &board, 5);
        let mut engine = engine(kind, &rule);
        engine.load(&board).expect("it fits");
        // Once at leisure: an engine that has measured its speed does less in no time.
        engine.step(1, &Cancel::never()).expect("a step");
        let mut calls = 0;
        while engine.generation() < 5 {
            let now = Cancel::at(std::time::Instant::now());
            engine.step(5 - engine.generation(), &now).expect("steps");
            calls += 1;
            assert!(calls < 10_000, "{kind}: every call gets on");
        }
        assert!(calls > 4, "{kind}: the work was cut into pieces, not done in {calls} calls");
        let found = engine.snapshot().expect("a board");
        assert_eq!(difference(&expected, &found), None, "{kind}, {rule}, {calls} calls");
    }
}

#[test]
fn far_flung_patterns_live_on_every_engine() {
    let rule = rule("Life");
    let mut cells = Cells::new();
    // A blinker in each corner of the plane, gliders that fly outwards, and a line 400,000 cells long.
    for x in [-1_000_000_000, 1_000_000_000] {
        for y in [-900_000_000, 900_000_000] {
            cells.fill_run(Coords::new(x, y), 3, 1).expect("in reach");
        }
    }
    for (x, y) in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)] {
        cells.set(Coords::new(1_000_001_000 + x, 500 + y), 1).expect("in reach");
        cells.set(Coords::new(-1_000_001_000 - x, -500 - y), 1).expect("in reach");
    }
    cells.fill_run(Coords::new(-200_000, 5_000), 400_000, 1).expect("in reach");
    let board = Board::with_cells(Topology::Unbounded, cells);
    for kind in FAST {
        let after = stepped(kind, &rule, &board, 40);
        let near = |x: i64, y: i64| after.cells.clone().clipped(Rect::new(x, y, 40, 40)).iter().count();
        assert_eq!(near(-1_000_000_010, -900_000_010), 3, "{kind}: a blinker");
        // Ten cells further after forty generations.
        assert_eq!(near(1_000_001_000, 500), 5, "{kind}: a glider");
        assert_eq!(after.get(Coords::new(1_000_001_012, 511)), 1, "{kind}: its front");
        assert_eq!(after.get(Coords::new(-1_000_001_012, -511)), 1, "{kind}: the front of the other one");
    }
    let near: Vec<(Coords, u8)> = board.cells.iter().filter(|(at, _)| at.y != 5_000).collect();
    let mut cells = Cells::new();
    for (at, state) in near {
        cells.set(at, state).expect("in reach");
    }
    let board = Board::with_cells(Topology::Unbounded, cells);
    let expected = stepped(EngineKind::Oracle, &rule, &board, 70);
    for kind in FAST {
        assert_eq!(difference_of_cells(&expected, &stepped(kind, &rule, &board, 70)), None, "{kind}");
    }
}

/// Where the living cells of two boards differ; for boards whose bounds are too large to be gone through.
fn difference_of_cells(expected: &Board, found: &Board) -> Option<(Coords, u8)> {
    let (mut expected, mut found) = (expected.cells.iter(), found.cells.iter());
    loop {
        match (expected.next(), found.next()) {
            (None, None) => return None,
            (one, other) if one == other => {}
            (one, other) => return one.or(other),
        }
    }
}

/// Boards that are long enough for several chunks and tiles of every engine, and narrow enough for the oracle; more
/// generations than a macro-step has, and a number that is no multiple of it.
#[test]
fn cpu_and_gpu_agree_with_the_oracle_across_the_borders_of_tiles() {
    let sizes = [(513, 5), (5, 513), (1030, 3), (64, 130), (129, 65), (511, 9), (512, 2), (66, 64)];
    let rules = ["Life", "Immigration", "P2Life", "QuadLife", "B2/S/3", "B03/S23", "B24/S|B35/S", "B2a/S12L"];
    for (index, ((width, height), text)) in (0u64..).zip(sizes.into_iter().zip(rules)) {
        for topology in ["T", "P", "K", "C"] {
            let suffix = match topology {
                "K" => format!("K{width}*,{height}"),
                _ => format!("{topology}{width},{height}"),
            };
            let topology = Topology::parse(&suffix).unwrap_or_else(|error| panic!("{suffix}: {error}"));
            let rule = rule(text).with_topology(topology);
            let triangular = rule.depends_on().neighbourhood.lattice() == Lattice::Triangular;
            if triangular && !topology.suits_triangles() {
                continue;
            }
            let board = soup(&rule, Rect::new(0, 0, width, height), 0.4, index);
            let expected = stepped(EngineKind::Oracle, &rule, &board, 71);
            for kind in FAST {
                let found = stepped(kind, &rule, &board, 71);
                assert_eq!(difference(&expected, &found), None, "{kind}, {rule}, generation 71");
            }
        }
    }
}

/// Blocks, blinkers, a pulsar and a pentadecathlon sleep until a glider comes; wherever they lie in tiles and chunks.
#[test]
fn what_sleeps_is_woken_by_what_comes() {
    let rule = rule("Life");
    for (x, y) in [(0, 0), (505, 505), (60, 250), (-7, 1020)] {
        let mut cells = Cells::new();
        let mut put = |at: (i64, i64), shape: &[(i64, i64)]| {
            for (dx, dy) in shape {
                cells.set(Coords::new(x + at.0 + dx, y + at.1 + dy), 1).expect("in reach");
            }
        };
        put((0, 0), &[(0, 0), (1, 0), (0, 1), (1, 1)]);
        put((20, 3), &[(0, 0), (1, 0), (2, 0)]);
        put((40, 40), &[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0)]);
        // A glider that comes from the lower right after some 400 generations, and one that comes from the left.
        put((110, 111), &[(0, 0), (1, 0), (0, 1), (2, 1), (0, 2)]);
        put((-150, -40), &[(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)]);
        let board = Board::with_cells(Topology::Unbounded, cells);
        for generations in [30, 300, 420, 667, 900] {
            let expected = stepped(EngineKind::Oracle, &rule, &board, generations);
            for kind in FAST {
                let found = stepped(kind, &rule, &board, generations);
                assert_eq!(difference(&expected, &found), None, "{kind}, ({x}, {y}), {generations}");
            }
        }
    }
}

#[test]
fn life_that_reaches_the_end_of_coordinates_is_an_error_and_the_board_stays() {
    let rule = rule("Life");
    let mut cells = Cells::new();
    let corner = biota::coords::COORDINATE_LIMIT - 300;
    for (x, y) in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)] {
        cells.set(Coords::new(corner + x, corner + y), 1).expect("in reach");
    }
    let board = Board::with_cells(Topology::Unbounded, cells);
    for kind in EngineKind::ALL {
        let mut engine = engine(kind, &rule);
        engine.load(&board).expect("it fits");
        let error = engine.step(5000, &Cancel::never()).expect_err("coordinates end");
        assert!(error.to_string().contains("coordinates go to"), "{kind}: {error}");
        let tally = engine.tally().expect("a tally");
        assert_eq!(tally.population(), 5, "{kind}: the glider is still there");
        let end = biota::coords::COORDINATE_LIMIT + 1;
        let reached = tally.bounding_box.map(|life| life.right().max(life.bottom()));
        assert_eq!(reached, Some(end), "{kind}: it went as far as it could");
        assert_eq!(engine.snapshot().expect("a board").cells.tally(), tally, "{kind}: it can be read");
    }
}

/// A glider comes over the glued edge where another one was at the last long step; since then there were short ones, which
/// look less far beyond the edge, and in the last of them nothing moved near it.
#[test]
fn what_comes_over_an_edge_wakes_what_sleeps_whatever_the_lengths_of_steps() {
    let life = rule("Life:T256,256");
    let mut slept = 0;
    for (x, y) in (98..112).flat_map(|x| (1..6).map(move |y| (x, y))) {
        let mut cells = Cells::new();
        for (dx, dy) in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)] {
            cells.set(Coords::new(100 + dx, 250 + dy), 1).expect("in reach");
            cells.set(Coords::new(70 + dx, 220 + dy), 1).expect("in reach");
        }
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            cells.set(Coords::new(x + dx, y + dy), 1).expect("in reach");
        }
        let board = Board::with_cells(life.topology(), cells);
        let mut engine = engine(EngineKind::Cpu, &life);
        engine.load(&board).expect("it fits");
        engine.step(30, &Cancel::never()).expect("a long step");
        for _ in 0..90 {
            engine.step(1, &Cancel::never()).expect("a short step");
        }
        slept += u32::from(engine.tally().expect("a tally").population() == 5);
        engine.step(30, &Cancel::never()).expect("a long step");
        let found = engine.snapshot().expect("a board");
        let expected = stepped(EngineKind::Cpu, &life, &board, 150);
        assert_eq!(difference(&expected, &found), None, "a block at ({x}, {y})");
    }
    assert!(slept > 0, "some block and the first glider are gone before the second one comes");
}

#[test]
fn cells_are_not_drawn_where_no_board_reaches() {
    let rule = rule("B3/S23");
    for kind in EngineKind::ALL {
        let mut engine = engine(kind, &rule);
        for end in [i64::MIN, i64::MAX, 1 << 31] {
            for at in [Coords::new(end, 0), Coords::new(0, end)] {
                let edits = [Edit { at: Coords::default(), state: 1 }, Edit { at, state: 1 }];
                let error = engine.write(&edits).expect_err("out of reach");
                assert!(matches!(error, EngineError::Cells(_)), "{kind}: {error}");
                assert_eq!(engine.tally().expect("a tally").population(), 0, "{kind}: nothing is drawn");
            }
        }
    }
}
