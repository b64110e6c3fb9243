//! Right answers from outside: published ones, and ones that an independent program found. Where they are from is
//! said at each.

use biota::board::{Board, Cells, Topology};
use biota::cell::State;
use biota::coin::Coin;
use biota::coords::{Coords, Rect, to_index};
use biota::engine::{Cancel, EngineKind};
use biota::lattice::Neighbours;
use biota::pattern::{self, Limits};
use biota::rule::{Dependence, P2Life, Rule, Ruleset, Site};
use proptest::prelude::*;

use crate::common::{difference, engine, rule, soup, stepped};

/// The engines that long runs are made on.
const FAST: [EngineKind; 2] = [EngineKind::Cpu, EngineKind::Gpu];

/// The cells of a pattern text.
fn cells(text: &str) -> Cells {
    pattern::read(text.as_bytes(), &Limits::default()).unwrap_or_else(|error| panic!("{text}: {error}")).cells
}

/// A pattern text on the board of a rule, its corner at (0, 0).
fn board(rule: &Rule, text: &str) -> Board {
    Board::with_cells(rule.topology(), cells(text))
}

/// Populations by species after so many generations.
fn populations(kind: EngineKind, rule: &Rule, board: &Board, generations: u64) -> Vec<u64> {
    stepped(kind, rule, board, generations).cells.tally().by_state(rule.states())
}

/// Every cell through a map of states.
fn mapped(board: &Board, map: impl Fn(State) -> State) -> Board {
    let mut cells = Cells::new();
    for (at, state) in board.cells.iter() {
        cells.set(at, map(state)).expect("where a cell was");
    }
    Board { cells, ..board.clone() }
}

/// The board with colours forgotten.
fn colourless(board: &Board) -> Board {
    mapped(board, |_| 1)
}

/// White for black, black for white.
fn swapped(board: &Board) -> Board {
    mapped(board, |state| 3 - state)
}

const GLIDER: &str = "bo$2bo$3o!";
const R_PENTOMINO: &str = "b2o$2o$bo!";

/// Life Lexicon.
#[test]
fn methuselahs_end_as_the_lexicon_says() {
    let life = rule("B3/S23");
    for (name, text, counts) in [
        ("R-pentomino", R_PENTOMINO, &[(1102, 118), (1103, 116)][..]),
        ("acorn", "bo$3bo$2o2b3o!", &[(5205, 635), (5206, 633)]),
        ("diehard", "6bo$2o$bo3b3o!", &[(129, 2), (130, 0)]),
    ] {
        let start = board(&life, text);
        for kind in FAST {
            let mut now = start.clone();
            for &(generation, population) in counts {
                now = stepped(kind, &life, &now, generation - now.generation);
                let found = now.cells.tally().population();
                assert_eq!(found, population, "{name} on {kind}, generation {generation}");
            }
        }
    }
    let found = populations(EngineKind::Oracle, &life, &board(&life, "6bo$2o$bo3b3o!"), 130);
    assert_eq!(found, [0], "diehard on the oracle");
}

/// Asserts that a board comes back after `period` generations, and not earlier, moved by (`dx`, `dy`).
fn assert_period(rule: &Rule, start: &Board, period: u64, (dx, dy): (i64, i64)) {
    let corner = |cells: &Cells| cells.bounding_box().map_or((0, 0), |bounds| (bounds.x, bounds.y));
    let (x, y) = corner(&start.cells);
    for kind in EngineKind::ALL {
        let mut now = start.clone();
        for generation in 1..=period {
            now = stepped(kind, rule, &now, 1);
            let (now_x, now_y) = corner(&now.cells);
            let moved = start.cells.translated(now_x - x, now_y - y).expect("in reach");
            let what = format!("{kind}, {rule}, generation {generation} of {period}");
            assert_eq!(moved == now.cells, generation == period, "{what}: itself again");
        }
        let (now_x, now_y) = corner(&now.cells);
        assert_eq!((now_x - x, now_y - y), (dx, dy), "{kind}, {rule}: how far it went");
    }
}

/// Life Lexicon.
#[test]
fn oscillators_and_spaceships_of_life_have_their_periods_and_speeds() {
    let life = rule("B3/S23");
    for (text, period, displacement) in [
        ("3o!", 2, (0, 0)),
        (
            "2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$2b3o3b3o$o4bobo4bo$o4bobo4bo$o4bobo4bo2$2b3o3b3o!",
            3,
            (0, 0),
        ),
        ("2bo4bo$2ob4ob2o$2bo4bo!", 15, (0, 0)),
        (GLIDER, 4, (1, 1)),
        ("bo2bo$o$o3bo$4o!", 4, (-2, 0)),
    ] {
        assert_period(&life, &board(&life, text), period, displacement);
    }
}

/// Life Lexicon: c/12.
#[test]
fn the_switch_engine_moves_by_eight_cells_in_96_generations() {
    let life = rule("B3/S23");
    let start = board(&life, "bobo$o$bo2bo$3b3o!");
    for kind in EngineKind::ALL {
        let after = stepped(kind, &life, &start, 96);
        let found: Vec<(i64, i64)> = [(8, 8), (8, -8), (-8, 8), (-8, -8)]
            .into_iter()
            .filter(|&(dx, dy)| start.cells.iter().all(|(at, _)| after.get(at.offset(dx, dy)) == 1))
            .collect();
        assert_eq!(found.len(), 1, "{kind}: the engine is there again, with what it left: {found:?}");
    }
}

/// Life Lexicon.
#[test]
fn the_gosper_gun_fires_a_glider_every_30_generations() {
    let life = rule("B3/S23");
    let gun = board(
        &life,
        "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$12b2o!",
    );
    for kind in EngineKind::ALL {
        for (generation, population) in [(0, 36), (30, 41), (60, 46), (90, 51)] {
            let found = populations(kind, &life, &gun, generation);
            assert_eq!(found, [population], "{kind}, generation {generation}");
        }
    }
}

/// Arithmetic: a cell in four generations, eight cells around.
#[test]
fn a_glider_on_a_torus_of_eight_is_back_after_32_generations() {
    let torus = rule("B3/S23:T8,8");
    let start = board(&torus, GLIDER);
    for kind in EngineKind::ALL {
        for generations in 1..=32 {
            let found = stepped(kind, &torus, &start, generations);
            assert_eq!(found.cells == start.cells, generations == 32, "{kind}, generation {generations}");
        }
    }
}

/// Arithmetic: the glider is at home when it went a whole number of times round both ways, and a shift adds to the way
/// across.
#[test]
fn gliders_come_home_on_tori_when_both_ways_round_are_whole() {
    const fn gcd(a: u64, b: u64) -> u64 {
        if b == 0 { a } else { gcd(b, a % b) }
    }
    // Going down by `height` cells leads to the top, `shift` cells further on.
    for (width, height, shift) in [(7, 5, 0), (9, 6, 0), (6, 6, 0), (8, 5, 3), (9, 7, 2), (7, 6, 1)] {
        let suffix = if shift == 0 { String::new() } else { format!("+{shift}") };
        let torus = rule(&format!("B3/S23:T{width}{suffix},{height}"));
        let home = 4 * height * width / gcd(width, height + shift);
        let start = board(&torus, GLIDER);
        let mut now = start.clone();
        for generation in 1..=home {
            now = stepped(EngineKind::Oracle, &torus, &now, 1);
            assert_eq!(
                now.cells == start.cells,
                generation == home,
                "{torus}, generation {generation} of {home}"
            );
        }
        for kind in FAST {
            assert_eq!(stepped(kind, &torus, &start, home).cells, start.cells, "{kind}, {torus}: at home");
        }
    }
}

/// Where a cell beyond an edge is found.
type Glued = fn(i64, i64) -> (i64, i64);

/// Golly's gluing: a glider that has crossed a twisted edge flies on as its mirror image, and on a Klein bottle it is
/// itself again after the second time.
#[test]
fn gliders_turn_over_at_twisted_edges() {
    let life = rule("B3/S23");
    // Rule, where the glider starts, and where a cell beyond the edge is found.
    let cases: [(&str, (i64, i64), Glued); 6] = [
        ("B3/S23:K20*,14", (2, 8), |x, y| (19 - x, y - 14)),
        ("B3/S23:K20*+1,14", (2, 8), |x, y| ((18 - x).rem_euclid(20), y - 14)),
        ("B3/S23:K14,20*", (8, 2), |x, y| (x - 14, 19 - y)),
        ("B3/S23:C20,14", (2, 8), |x, y| (19 - x, y - 14)),
        ("B3/S23:C14,20", (8, 2), |x, y| (x - 14, 19 - y)),
        ("B3/S23:S16", (10, 1), |x, y| (y, 31 - x)),
    ];
    for (text, (x, y), glued) in cases {
        let rule = rule(text);
        let glider = cells(GLIDER).translated(x, y).expect("in reach");
        let flown =
            stepped(EngineKind::Oracle, &life, &Board::with_cells(life.topology(), glider.clone()), 4 * 9);
        let mut expected = Cells::new();
        for (at, state) in flown.cells.iter() {
            let (x, y) = glued(at.x, at.y);
            expected.set(Coords::new(x, y), state).expect("in reach");
        }
        for kind in EngineKind::ALL {
            let found = stepped(kind, &rule, &Board::with_cells(rule.topology(), glider.clone()), 4 * 9);
            assert_eq!(found.cells, expected, "{kind}, {rule}: nine cells on");
        }
    }
    let bottle = rule("B3/S23:K7*,5");
    let start = board(&bottle, GLIDER);
    let mut now = start.clone();
    // Twice down is 10 cells, and 7 across: 70 steps of the glider.
    for generation in 1..=280 {
        now = stepped(EngineKind::Oracle, &bottle, &now, 1);
        assert_eq!(now.cells == start.cells, generation == 280, "{bottle}, generation {generation}");
    }
}

/// Eppstein, in OCA:HighLife: 2^n copies at generation 12 (2^n − 1), four cells apart on the diagonal.
#[test]
fn the_replicator_of_highlife_is_two_after_twelve_generations() {
    let highlife = rule("B36/S23");
    let replicator = "2b3o$bo2bo$o3bo$o2bo$3o!";
    let start = board(&highlife, replicator);
    assert_eq!(start.cells.tally().population(), 12, "twelve cells");
    for kind in EngineKind::ALL {
        for n in 1..=3 {
            let copies = 1i64 << n;
            let generation = 12 * (copies.unsigned_abs() - 1);
            let mut expected = Cells::new();
            for copy in 0..copies {
                let off = 4 * copy - 2 * (copies - 1);
                expected.paste(&start.cells, off, off).expect("in reach");
            }
            let found = stepped(kind, &highlife, &start, generation);
            assert_eq!(found.cells, expected, "{kind}, {copies} copies at generation {generation}");
        }
    }
}

/// Golly and LifeViewer run the dual of a rule with B0 and S8, on every board: of this one, Life. (Life Lexicon.)
#[test]
fn with_all_births_and_survivals_exchanged_life_goes_on_as_life() {
    let long = 1103;
    for suffix in ["", ":T500,500", ":P500,500", ":C500,500"] {
        let anti_life = rule(&format!("B0123478/S01234678{suffix}"));
        assert_eq!(anti_life.to_string(), format!("B0123478/S01234678{suffix}"), "the text stays");
        let start = |text| {
            let cells = cells(text).translated(240, 240).expect("in reach");
            Board::with_cells(anti_life.topology(), cells)
        };
        let glider = start(GLIDER);
        for kind in EngineKind::ALL {
            let flown = stepped(kind, &anti_life, &glider, 4);
            let expected = glider.cells.translated(1, 1).expect("in reach");
            assert_eq!((&flown.cells, flown.background), (&expected, 0), "{kind}, {anti_life}: a glider");
        }
        // On small boards its gliders come back to it.
        for kind in FAST.into_iter().filter(|_| suffix.is_empty()) {
            let end = stepped(kind, &anti_life, &start(R_PENTOMINO), long);
            assert_eq!(end.cells.tally().population(), 116, "{kind}, {anti_life}");
        }
    }
}

/// Golly's conversion of B0 rules for the unbounded plane, which turns cells over at every odd generation.
#[test]
fn b0_rules_on_the_plane_are_what_their_emulations_are() {
    let area = Rect::new(-9, 4, 30, 21);
    // A law is run as it is written, and so is a rule in turn.
    let (life, anti_life) = (rule("B3/S23"), rule("law1{born=!(own~in[5,6]);survive=own!=5}"));
    let in_turn = rule("Anti-Life|Anti-Life");
    let start = soup(&life, area, 0.4, 11);
    let inverted = Board { background: 1, ..start.clone() };
    for kind in EngineKind::ALL {
        let expected = stepped(kind, &life, &start, 40);
        for anti_life in [&anti_life, &in_turn] {
            let found = stepped(kind, anti_life, &inverted, 40);
            assert_eq!(found.background, 1, "{kind}: all else lives");
            assert_eq!(found.cells, expected.cells, "{kind}: Life in holes");
        }

        let flashing = rule("B03/S23");
        let (even, odd) = (rule("B1245678/S0145678"), rule("B56/S58"));
        let mut emulated = soup(&flashing, area, 0.4, 12);
        let mut found = emulated.clone();
        for generation in 1..=20 {
            emulated = stepped(kind, if generation % 2 == 1 { &even } else { &odd }, &emulated, 1);
            found = stepped(kind, &flashing, &found, 1);
            assert_eq!(u64::from(found.background), generation % 2, "{kind}: the plane flashes");
            assert_eq!(found.cells, emulated.cells, "{kind}, generation {generation}");
        }
    }
}

/// Two R-pentominoes, white at (0, 0), black at (20, 0): found with an independent program.
#[test]
fn duels_of_two_r_pentominoes_go_as_found() {
    for (name, counts) in
        [("Immigration", &[(100, [55, 73])][..]), ("P2Life", &[(50, [36, 63]), (100, [56, 111])])]
    {
        let rule = rule(name);
        let duel = board(&rule, ".2A18.2B$2A18.2B$.A19.B!");
        for kind in EngineKind::ALL {
            for &(generation, expected) in counts {
                // No coin is tossed, so the seed makes no difference.
                for seed in [0, 77] {
                    let duel = Board { seed, ..duel.clone() };
                    let found = populations(kind, &rule, &duel, generation);
                    assert_eq!(found, expected, "{name} on {kind}, generation {generation}, seed {seed}");
                }
            }
        }
    }
}

/// Of the published gliders in two colours two are known to stay mixed; of all thirty, four do.
#[test]
fn gliders_in_two_colours_stay_mixed_only_in_four_ways() {
    let immigration = rule("Immigration");
    for text in [".B$2.B$2AB!", ".A$2.A$2BA!"] {
        assert_period(&immigration, &board(&immigration, text), 4, (1, 1));
    }
    let glider = board(&immigration, GLIDER);
    let mut mixed = Vec::new();
    for colouring in 1..31u32 {
        let mut cells = Cells::new();
        for (index, (at, _)) in glider.cells.iter().enumerate() {
            cells.set(at, 1 + u8::from(colouring >> index & 1 == 1)).expect("in reach");
        }
        let start = Board::with_cells(Topology::Unbounded, cells);
        let found = populations(EngineKind::Cpu, &immigration, &start, 400);
        assert_eq!(found.iter().sum::<u64>(), 5, "colouring {colouring:05b} is a glider for ever");
        if !found.contains(&0) {
            mixed.push(start.cells);
        }
    }
    assert_eq!(mixed.len(), 4, "ways to stay mixed");
    assert!(mixed.contains(&cells(".B$2.B$2AB!")), "the published one is among them");
}

/// Found with an independent program.
#[test]
fn the_quadlife_glider_flies_up() {
    let quadlife = rule("QuadLife");
    assert_period(&quadlife, &board(&quadlife, "2DC$2.C$.C!"), 4, (1, -1));
}

/// Dean Hickerson's rule: three different parents have a child of the fourth colour, else the majority's.
#[test]
fn parents_decide_the_colour_of_a_child() {
    let quadlife = rule("QuadLife");
    for kind in EngineKind::ALL {
        let mut engine = engine(kind, &quadlife);
        for parents in (0..64u8).map(|n| [1 + n % 4, 1 + n / 4 % 4, 1 + n / 16]) {
            let mut cells = Cells::new();
            for (&state, (x, y)) in parents.iter().zip([(0, 0), (1, 0), (0, 1)]) {
                cells.set(Coords::new(x, y), state).expect("in reach");
            }
            engine.load(&Board::with_cells(Topology::Unbounded, cells)).expect("it fits");
            engine.step(1, &Cancel::never()).expect("a step");
            let child = engine.snapshot().expect("a board").get(Coords::new(1, 1));
            let [one, two, three] = parents;
            let expected = match parents {
                _ if one == two || one == three => one,
                _ if two == three => two,
                // Four colours add up to ten.
                _ => 10 - one - two - three,
            };
            assert_eq!(child, expected, "{kind}: child of {parents:?}");
        }
    }
}

/// The signed reading of the rule; the absolute one would leave eight cells.
#[test]
fn columns_of_white_black_white_leave_two_cells_under_p2life() {
    let p2life = rule("P2Life");
    let expected = cells("A3.A!").translated(-1, 1).expect("in reach");
    for kind in EngineKind::ALL {
        let found = stepped(kind, &p2life, &board(&p2life, "ABA$ABA$ABA!"), 1);
        assert_eq!(found.cells, expected, "{kind}");
    }
}

/// How many standard errors the mean of some independent values is off, and the standard error.
fn deviations(values: &[f64], expected: f64) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let error = (variance / count).sqrt();
    ((mean - expected) / error, error)
}

/// Density of the boards that one generation is made from, and the density after it: the mean-field map of Levene
/// and Roussos, cond-mat/0207679.
const MEAN_FIELD: [(f64, f64); 4] = [(0.1, 0.01525), (0.2, 0.08520), (0.5, 0.36444), (1.0, 0.21875)];

/// Densities of white and of black after one generation from a random board, in squares of it that are as good as
/// independent of each other.
fn one_step_densities(kind: EngineKind, rule: &Rule, density: f64) -> Vec<[f64; 2]> {
    const SQUARE: i64 = 32;
    let bounds = rule.topology().bounds().expect("a torus");
    let after = stepped(kind, rule, &soup(rule, bounds, density, 3), 1);
    let across = bounds.width / SQUARE;
    let mut squares = vec![[0.0; 2]; to_index(across * bounds.height / SQUARE)];
    for (at, state) in after.cells.iter() {
        squares[to_index(at.y / SQUARE * across + at.x / SQUARE)][usize::from(state) - 1] +=
            1.0 / (SQUARE * SQUARE) as f64;
    }
    squares
}

#[test]
fn one_step_densities_of_p2life_are_those_of_its_mean_field_map() {
    for (kind, side) in [(EngineKind::Oracle, 512), (EngineKind::Cpu, 2048), (EngineKind::Gpu, 2048)] {
        let p2life = rule("P2Life").with_topology(Topology::Torus { width: side, height: side });
        for (density, expected) in MEAN_FIELD {
            let squares = one_step_densities(kind, &p2life, density);
            for (what, expected, sign) in [("living", expected, 1.0), ("white less black", 0.0, -1.0)] {
                let values: Vec<f64> = squares.iter().map(|[white, black]| white + sign * black).collect();
                let (off, error) = deviations(&values, expected);
                let what = format!("{kind}, density {density}: {what}, {expected} expected");
                assert!(off.abs() < 4.5, "{what}: {off:.1} deviations of {error:.5} off");
                assert!(error < 3e-3, "{what}: a board large enough to tell ({error:.5})");
            }
        }
    }
}

/// p2life in the other reading, with the absolute difference of white and black.
struct AbsoluteP2Life;

impl Ruleset for AbsoluteP2Life {
    fn depends_on(&self) -> Dependence {
        P2Life.depends_on()
    }

    fn empty_cell_next(&self, neighbours: &Neighbours, site: Site, coin: &mut Coin) -> State {
        P2Life.empty_cell_next(neighbours, site, coin)
    }

    fn occupied_cell_next(&self, neighbours: &Neighbours, value: State, _: Site, _: &mut Coin) -> State {
        let own = neighbours.count(value);
        let lead = own.abs_diff(neighbours.count(3 - value));
        if matches!(lead, 2 | 3) || (lead == 1 && own >= 2) { value } else { 0 }
    }
}

#[test]
fn the_densities_tell_the_wrong_reading_of_p2life_apart() {
    let topology = Topology::Torus { width: 512, height: 512 };
    let wrong = Rule::custom("AbsoluteP2Life", AbsoluteP2Life, topology);
    for (density, expected) in MEAN_FIELD {
        let squares = one_step_densities(EngineKind::Oracle, &wrong, density);
        let values: Vec<f64> = squares.iter().map(|[white, black]| white + black).collect();
        let (off, _) = deviations(&values, expected);
        assert!(off.abs() > 4.5, "density {density}: only {off:.1} deviations off");
    }
}

/// How many cells of each species stand around a cell of a torus.
fn around(board: &Board, at: Coords) -> [usize; 2] {
    let mut counts = [0; 2];
    for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
        let place = board.topology.locate(at.offset(dx, dy)).expect("a torus has no outside");
        if let state @ (1 | 2) = board.get(place) {
            counts[usize::from(state) - 1] += 1;
        }
    }
    counts
}

/// A soup of a rule on a torus.
fn torus_soup(name: &str, (width, height): (i64, i64), density: f64, seed: u64) -> (Rule, Board) {
    let rule = rule(name).with_topology(Topology::Torus { width, height });
    let board = soup(&rule, Rect::new(0, 0, width, height), density, seed);
    (rule, board)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn with_colours_forgotten_life_in_colours_is_life(
        sides in (1i64..90, 1i64..60),
        density in 0.05f64..0.9,
        seed in any::<u64>(),
        generations in 1u64..40,
        names in prop::sample::select(vec![
            ("Immigration", "B3/S23"),
            ("QuadLife", "B3/S23"),
            ("B36/S23Immigration", "B36/S23"),
            ("B36/S23Immigration-parity", "B36/S23"),
        ]),
    ) {
        let (coloured, start) = torus_soup(names.0, sides, density, seed);
        let plain = rule(names.1).with_topology(coloured.topology());
        let expected = stepped(EngineKind::Oracle, &plain, &colourless(&start), generations);
        for kind in FAST {
            let found = colourless(&stepped(kind, &coloured, &start, generations));
            prop_assert_eq!(difference(&expected, &found), None, "{}, {}", kind, coloured);
        }
    }

    #[test]
    fn one_species_alone_lives_as_in_life(
        sides in (1i64..90, 1i64..60),
        density in 0.05f64..0.9,
        seed in any::<u64>(),
        generations in 1u64..40,
        name in prop::sample::select(vec!["Immigration", "P2Life", "QuadLife"]),
        species in 1u8..=2,
    ) {
        let life = rule("B3/S23").with_topology(Topology::Torus { width: sides.0, height: sides.1 });
        let start = soup(&life, Rect::new(0, 0, sides.0, sides.1), density, seed);
        let expected = stepped(EngineKind::Oracle, &life, &start, generations);
        let coloured = rule(name).with_topology(life.topology());
        let alone = mapped(&start, |_| species);
        for kind in FAST {
            let found = stepped(kind, &coloured, &alone, generations);
            prop_assert!(found.cells.iter().all(|(_, state)| state == species), "{}, {}: one species", kind, coloured);
            prop_assert_eq!(difference(&expected, &colourless(&found)), None, "{}, {}", kind, coloured);
        }
    }

    #[test]
    fn neither_of_two_players_is_favoured(
        sides in (3i64..90, 3i64..60),
        density in 0.05f64..0.9,
        seed in any::<u64>(),
        name in prop::sample::select(vec!["Immigration", "P2Life", "B36/S23Immigration", "B36/S23Immigration-none"]),
    ) {
        let (rule, start) = torus_soup(name, sides, density, seed);
        for kind in FAST {
            let before = stepped(kind, &rule, &start, 3);
            let one = swapped(&stepped(kind, &rule, &before, 1));
            let other = stepped(kind, &rule, &swapped(&before), 1);
            for at in Rect::new(0, 0, sides.0, sides.1).cells() {
                let states = (one.get(at), other.get(at));
                if states.0 != states.1 {
                    // Only the coin, which lies the same way for both, may tell them apart.
                    let tossed = before.get(at) == 0 && around(&before, at) == [3, 3];
                    prop_assert!(tossed, "{}, {}, seed {}: {:?} at {:?}", kind, rule, seed, states, at);
                    prop_assert_eq!(states.0 + states.1, 3, "both players' children");
                }
            }
        }
    }

    #[test]
    fn any_two_colours_of_quadlife_can_change_places(
        sides in (3i64..90, 3i64..60),
        density in 0.05f64..0.9,
        seed in any::<u64>(),
        generations in 1u64..30,
        pair in (1u8..=4, 1u8..=4),
    ) {
        let (quadlife, start) = torus_soup("QuadLife", sides, density, seed);
        let exchange = |state: State| match state {
            one if one == pair.0 => pair.1,
            other if other == pair.1 => pair.0,
            rest => rest,
        };
        for kind in FAST {
            let expected = mapped(&stepped(kind, &quadlife, &start, generations), exchange);
            let found = stepped(kind, &quadlife, &mapped(&start, exchange), generations);
            prop_assert_eq!(difference(&expected, &found), None, "{}, {:?}", kind, pair);
        }
    }
}
