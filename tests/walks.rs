//! Rules that are too large for a circuit: their walk against the oracle on both fast engines, and against the ruleset.

use std::path::Path;
use std::sync::OnceLock;

use biota::board::{Board, Cells, Topology};
use biota::cell::State;
use biota::coin::{Coin, philox4x32_10};
use biota::coords::{Coords, Rect};
use biota::engine::EngineKind;
use biota::lattice::{Lattice, Neighbourhood, Neighbours};
use biota::rule::{Dependence, Kernel, Rule, Ruleset, Site, library};

use crate::common::{difference, rule, soup, stepped};

/// The engines that are checked against the oracle.
const FAST: [EngineKind; 2] = [EngineKind::Cpu, EngineKind::Gpu];

/// Answers by a table of random numbers over all that it declares; dead cells among dead ones stay dead, and of the rest
/// most die, so that boards stay various.
struct Random {
    depends_on: Dependence,
    seed: u32,
}

impl Ruleset for Random {
    fn depends_on(&self) -> Dependence {
        self.depends_on
    }
    fn empty_cell_next(&self, neighbours: &Neighbours, site: Site, coin: &mut Coin) -> State {
        self.occupied_cell_next(neighbours, 0, site, coin)
    }
    fn occupied_cell_next(
        &self,
        neighbours: &Neighbours,
        value: State,
        site: Site,
        coin: &mut Coin,
    ) -> State {
        let d = self.depends_on;
        let seen = |state: &State| if u16::from(*state) < d.seen_states { *state } else { 0 };
        let mut seen: Vec<State> = neighbours.states().iter().map(seen).collect();
        if !d.arrangement {
            seen.sort_unstable();
        }
        if value == 0 && seen.iter().all(|state| *state == 0) {
            return 0;
        }
        let parity = |on: bool, value: i64| u32::from(on && value.rem_euclid(2) == 1);
        let extras = [
            parity(d.parity_x, site.at.x),
            parity(d.parity_y, site.at.y),
            u32::from(d.parity_generation && site.generation % 2 == 1),
        ];
        let key = seen.iter().fold(u64::from(value), |key, &s| key.wrapping_mul(257) + u64::from(s));
        let extras = extras.iter().fold(0, |bits, bit| bits * 2 + bit);
        let low = u32::try_from(key & 0xFFFF_FFFF).expect("32 bits");
        let high = u32::try_from(key >> 32).expect("32 bits");
        let drawn = philox4x32_10([low, high, extras, 0], [self.seed, 0]);
        let toss = (0..d.coins).fold(0, |t, _| t * 2 + u32::from(drawn[1].is_multiple_of(3) && coin.toss()));
        let state = (drawn[2] >> (8 * toss) & 0xFFFF) % u32::from(d.states);
        if drawn[3].is_multiple_of(3) { u8::try_from(state).expect("below 256") } else { 0 }
    }
}

fn random(name: &str, depends_on: Dependence) -> Rule {
    Rule::custom(name, Random { depends_on, seed: 7 }, Topology::Unbounded)
}

fn of_file(name: &str) -> Rule {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/rules").join(name);
    library::open(path.to_str().expect("UTF-8")).unwrap_or_else(|error| panic!("{error}"))
}

/// Rules of every kind that a circuit is too small for, compiled once.
fn walked() -> &'static [Rule] {
    static RULES: OnceLock<Vec<Rule>> = OnceLock::new();
    RULES.get_or_init(rules)
}

fn rules() -> Vec<Rule> {
    let arranged = |states, neighbourhood| Dependence {
        neighbourhood,
        arrangement: true,
        ..Dependence::counting(states)
    };
    let rules = vec![
        rule("/2/17"),
        rule("/2/100"),
        rule("23/3/256"),
        rule("34/45/200L"),
        rule("B2-a/S12QuadLife"),
        rule("B2o/S3mHQuadLife-parity"),
        of_file("Couriers.rule"),
        random("hexagons", arranged(7, Neighbourhood::Hexagonal)),
        random("triangles", arranged(24, Neighbourhood::TriangularEdges)),
        random("inner triangles", arranged(6, Neighbourhood::TriangularInner)),
        random(
            "all",
            Dependence {
                coins: 2,
                parity_x: true,
                parity_y: true,
                parity_generation: true,
                ..arranged(18, Neighbourhood::Tripod)
            },
        ),
        random("a coin", Dependence { coins: 1, seen_states: 3, ..Dependence::counting(33) }),
        random(
            "parity of triangles",
            Dependence { parity_x: true, seen_states: 9, ..arranged(20, Neighbourhood::TriangularR) },
        ),
    ];
    for rule in &rules {
        let kernel = rule.kernel().unwrap_or_else(|error| panic!("{rule}: {error}"));
        assert!(matches!(kernel.as_ref(), Kernel::Walk(_)), "{rule} is walked, not {kernel}");
    }
    rules
}

/// Compares the fast engines with the oracle on each of these surfaces that the rule suits; gives how many did.
fn check(rule: &Rule, surfaces: &[&str]) -> usize {
    let mut seen = 0;
    for (seed, text) in (0..).zip(surfaces) {
        let topology = Topology::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let rule = rule.with_topology(topology);
        let triangular = rule.depends_on().neighbourhood.lattice() == Lattice::Triangular;
        if triangular && !topology.suits_triangles() {
            continue;
        }
        seen += 1;
        let board = soup(&rule, topology.bounds().expect("bounded"), 0.5, seed);
        let expected = stepped(EngineKind::Oracle, &rule, &board, 7);
        for kind in FAST {
            let found = stepped(kind, &rule, &board, 7);
            assert_eq!(difference(&expected, &found), None, "{kind}, {rule}, seed {seed}, generation 7");
        }
    }
    seen
}

#[test]
fn walks_agree_with_the_oracle_on_boards_of_every_awkward_size() {
    for rule in walked() {
        let seen = check(rule, &["P1,1", "P31,33", "P65,32", "P2,64", "T32,65", "T33,31", "T34,6"]);
        assert!(seen >= 5, "{rule}: only {seen} boards were compared");
    }
}

#[test]
fn walks_agree_with_the_oracle_on_every_surface() {
    let surfaces =
        ["T1,1", "T65,31", "T37+5,20", "T5,70-1", "K33*,20", "K20,33*", "C40,33", "C1,64", "S33", "S65"];
    // One with few states, one with many, one on hexagons, one with everything.
    let some = walked()
        .iter()
        .filter(|rule| ["B2-a/S12QuadLife", "23/3/256", "hexagons", "all"].contains(&rule.name()));
    assert_eq!(some.map(|rule| check(rule, &surfaces)).sum::<usize>(), 40, "all boards were compared");
}

#[test]
fn walks_agree_with_the_oracle_on_the_unbounded_plane() {
    for rule in walked().iter().filter(|rule| rule.background_is_uniform()) {
        let board = soup(rule, Rect::new(-37, 1000, 41, 29), 0.4, 3);
        let expected = stepped(EngineKind::Oracle, rule, &board, 25);
        for kind in FAST {
            let found = stepped(kind, rule, &board, 25);
            assert_eq!(difference(&expected, &found), None, "{kind}, {rule}, generation 25");
        }
    }
}

/// By hand: a courier alone goes straight on, and keeps its state.
#[test]
fn couriers_go_straight_on() {
    let rule = of_file("Couriers.rule");
    for (state, (dx, dy)) in [(3, (0, -1)), (8, (1, 0)), (21, (0, 1)), (28, (-1, 0))] {
        let mut cells = Cells::new();
        cells.set(Coords::new(5, -3), state).expect("near");
        let start = Board::with_cells(rule.topology(), cells.clone());
        for kind in EngineKind::ALL {
            let now = stepped(kind, &rule, &start, 70);
            let there = cells.translated(70 * dx, 70 * dy).expect("near");
            assert_eq!(now.cells, there, "{kind}: state {state}");
        }
    }
}
