//! The shipped patterns: each runs alike on every engine, and does what is known of it.
//!
//! The facts were found with an independent program (sparse sets of cells in Python) or are published; each belongs
//! to the comment of its file.

use std::collections::BTreeSet;

use biota::board::{Board, Cells};
use biota::coords::Coords;
use biota::engine::{Cancel, Engine, EngineKind};
use biota::pattern::{self, Entry, Limits};
use biota::rule::Rule;

use crate::common::{difference, engine, rule, stepped};

/// What is known of a pattern.
#[derive(Clone, Copy, Debug)]
enum Fact {
    /// After `period` generations, and not earlier, it is itself, moved by (`dx`, `dy`).
    Period { period: u64, dx: i64, dy: i64 },
    /// So many cells, by species, at a generation.
    Populations { generation: u64, populations: &'static [u64] },
    /// From this generation on, and not from the one before, populations repeat with a period; the first of them.
    Settles { generation: u64, populations: &'static [u64], period: u64 },
    /// From this generation on, and not from the one before, the whole board repeats with a period; its population.
    Repeats { generation: u64, period: u64, population: u64 },
    /// From a generation on, the population is larger by so many in each period.
    Grows { from: u64, period: u64, by: u64 },
    /// From a generation on, after k periods (k up to `turns`) there are `square`·k² + `linear`·k + `first` cells.
    GrowsSquared { from: u64, period: u64, first: u64, linear: u64, square: u64, turns: u64 },
    /// So many gliders stand apart from all else.
    Gliders { generation: u64, count: usize },
    /// It lives to the generation before, and no longer.
    Dies { generation: u64 },
    /// It is these cells, with the corner of the text at (`dx`, `dy`).
    Becomes { generation: u64, cells: &'static str, dx: i64, dy: i64 },
}

/// Every fact, by the pattern's path; facts of one pattern in the order of time.
const FACTS: &[(&str, Fact)] = &[
    ("still-lifes/block", Fact::Period { period: 1, dx: 0, dy: 0 }),
    ("still-lifes/beehive", Fact::Period { period: 1, dx: 0, dy: 0 }),
    ("still-lifes/loaf", Fact::Period { period: 1, dx: 0, dy: 0 }),
    ("still-lifes/boat", Fact::Period { period: 1, dx: 0, dy: 0 }),
    ("still-lifes/eater-1", Fact::Period { period: 1, dx: 0, dy: 0 }),
    ("oscillators/blinker", Fact::Period { period: 2, dx: 0, dy: 0 }),
    ("oscillators/toad", Fact::Period { period: 2, dx: 0, dy: 0 }),
    ("oscillators/beacon", Fact::Period { period: 2, dx: 0, dy: 0 }),
    ("oscillators/clock", Fact::Period { period: 2, dx: 0, dy: 0 }),
    ("oscillators/clock", Fact::Populations { generation: 1, populations: &[6] }),
    ("oscillators/pulsar", Fact::Period { period: 3, dx: 0, dy: 0 }),
    ("oscillators/pulsar", Fact::Populations { generation: 1, populations: &[56] }),
    ("oscillators/pulsar", Fact::Populations { generation: 2, populations: &[72] }),
    ("oscillators/octagon-2", Fact::Period { period: 5, dx: 0, dy: 0 }),
    ("oscillators/figure-eight", Fact::Period { period: 8, dx: 0, dy: 0 }),
    ("oscillators/koks-galaxy", Fact::Period { period: 8, dx: 0, dy: 0 }),
    ("oscillators/tumbler", Fact::Period { period: 14, dx: 0, dy: 0 }),
    ("oscillators/pentadecathlon", Fact::Period { period: 15, dx: 0, dy: 0 }),
    ("oscillators/queen-bee-shuttle", Fact::Period { period: 30, dx: 0, dy: 0 }),
    ("spaceships/glider", Fact::Period { period: 4, dx: 1, dy: 1 }),
    ("spaceships/lightweight-spaceship", Fact::Period { period: 4, dx: -2, dy: 0 }),
    ("spaceships/middleweight-spaceship", Fact::Period { period: 4, dx: -2, dy: 0 }),
    ("spaceships/heavyweight-spaceship", Fact::Period { period: 4, dx: -2, dy: 0 }),
    ("spaceships/copperhead", Fact::Period { period: 10, dx: 0, dy: -1 }),
    ("guns/gosper-glider-gun", Fact::Grows { from: 0, period: 30, by: 5 }),
    ("guns/gosper-glider-gun", Fact::Gliders { generation: 300, count: 10 }),
    ("guns/gosper-glider-gun", Fact::Grows { from: 300_000, period: 30, by: 5 }),
    ("guns/simkin-glider-gun", Fact::Grows { from: 0, period: 120, by: 5 }),
    ("puffers/puffer-1", Fact::Grows { from: 256, period: 128, by: 26 }),
    ("puffers/ten-cell-growth", Fact::Grows { from: 576, period: 288, by: 32 }),
    // From two algorithms of Golly 3.3. In 960 generations 15 guns are added, and each gun adds 32 gliders of 5 cells: 15 · 32 · 5
    // is the second difference, 2 · 1200.
    (
        "breeders/breeder-1",
        Fact::GrowsSquared { from: 0, period: 960, first: 4060, linear: 813, square: 1200, turns: 3 },
    ),
    ("breeders/breeder-1", Fact::Populations { generation: 1000, populations: &[6427] }),
    ("breeders/breeder-1", Fact::Populations { generation: 5001, populations: &[40_618] }),
    (
        "breeders/breeder-1",
        Fact::GrowsSquared { from: 960, period: 960, first: 6073, linear: 3213, square: 1200, turns: 15 },
    ),
    // Published with the pattern: ((t + 17)² + n) / 4 cells, where n is 511, 608, 563 and 580 as t is 0 to 3 modulo 4.
    (
        "breeders/spacefiller",
        Fact::GrowsSquared { from: 0, period: 4, first: 200, linear: 34, square: 4, turns: 25 },
    ),
    ("breeders/spacefiller", Fact::Populations { generation: 1500, populations: &[575_450] }),
    ("breeders/spacefiller", Fact::Populations { generation: 1501, populations: &[576_233] }),
    ("breeders/spacefiller", Fact::Populations { generation: 1502, populations: &[576_981] }),
    ("breeders/spacefiller", Fact::Populations { generation: 1503, populations: &[577_745] }),
    ("breeders/spacefiller", Fact::Populations { generation: 5000, populations: &[6_292_700] }),
    ("methuselahs/r-pentomino", Fact::Settles { generation: 1103, populations: &[116], period: 1 }),
    ("methuselahs/r-pentomino", Fact::Gliders { generation: 1103, count: 6 }),
    ("methuselahs/r-pentomino", Fact::Populations { generation: 1102, populations: &[118] }),
    ("methuselahs/pi-heptomino", Fact::Repeats { generation: 173, period: 2, population: 55 }),
    ("methuselahs/thunderbird", Fact::Repeats { generation: 243, period: 2, population: 46 }),
    ("methuselahs/diehard", Fact::Populations { generation: 129, populations: &[2] }),
    ("methuselahs/diehard", Fact::Dies { generation: 130 }),
    // From a few lines of Python over sets of cells, apart from all code here.
    ("methuselahs/rabbits", Fact::Populations { generation: 500, populations: &[138] }),
    ("methuselahs/rabbits", Fact::Populations { generation: 1000, populations: &[385] }),
    ("methuselahs/rabbits", Fact::Settles { generation: 17331, populations: &[1744], period: 2 }),
    ("methuselahs/acorn", Fact::Populations { generation: 0, populations: &[7] }),
    ("methuselahs/acorn", Fact::Settles { generation: 5206, populations: &[633], period: 2 }),
    ("methuselahs/acorn", Fact::Gliders { generation: 5206, count: 13 }),
    ("immigration/opening-scene", Fact::Populations { generation: 300, populations: &[1827, 1816] }),
    ("immigration/opening-scene", Fact::Populations { generation: 3000, populations: &[1744, 2073] }),
    ("immigration/mixed-glider", Fact::Period { period: 4, dx: 1, dy: 1 }),
    ("immigration/mixed-glider", Fact::Populations { generation: 4, populations: &[2, 3] }),
    ("immigration/glider-meets-toad", Fact::Populations { generation: 20, populations: &[3, 2] }),
    ("immigration/glider-meets-toad", Fact::Populations { generation: 60, populations: &[3, 2] }),
    ("immigration/beacon-of-two-colours", Fact::Period { period: 2, dx: 0, dy: 0 }),
    ("immigration/beacon-of-two-colours", Fact::Populations { generation: 1, populations: &[3, 3] }),
    ("immigration/duel-of-r-pentominoes", Fact::Populations { generation: 50, populations: &[23, 61] }),
    ("immigration/duel-of-r-pentominoes", Fact::Populations { generation: 100, populations: &[55, 73] }),
    (
        "immigration/duel-of-r-pentominoes",
        Fact::Settles { generation: 649, populations: &[24, 130], period: 2 },
    ),
    ("immigration/gun-war", Fact::Populations { generation: 600, populations: &[199, 124] }),
    ("immigration/gun-war", Fact::Populations { generation: 3000, populations: &[656, 194] }),
    ("immigration/siege", Fact::Populations { generation: 1500, populations: &[277, 193] }),
    ("immigration/siege", Fact::Grows { from: 10_020, period: 30, by: 5 }),
    ("p2life/three-columns", Fact::Becomes { generation: 1, cells: "A3.A!", dx: -1, dy: 1 }),
    ("p2life/three-columns", Fact::Dies { generation: 2 }),
    ("p2life/touching-blocks", Fact::Period { period: 1, dx: 0, dy: 0 }),
    ("p2life/block-and-curve", Fact::Period { period: 1, dx: 0, dy: 0 }),
    ("p2life/block-and-blinker", Fact::Period { period: 2, dx: 0, dy: 0 }),
    ("p2life/duel-of-r-pentominoes", Fact::Populations { generation: 50, populations: &[36, 63] }),
    ("p2life/duel-of-r-pentominoes", Fact::Populations { generation: 100, populations: &[56, 111] }),
    ("p2life/duel-of-r-pentominoes", Fact::Settles { generation: 850, populations: &[24, 130], period: 2 }),
    ("p2life/fair-shares", Fact::Settles { generation: 186, populations: &[32, 24], period: 2 }),
    ("p2life/fair-shares", Fact::Gliders { generation: 200, count: 4 }),
    ("p2life/brawl", Fact::Settles { generation: 272, populations: &[33, 20], period: 2 }),
    ("p2life/brawl", Fact::Gliders { generation: 300, count: 2 }),
    ("quadlife/glider-of-two-colours", Fact::Period { period: 4, dx: 1, dy: -1 }),
    ("quadlife/four-gliders", Fact::Settles { generation: 343, populations: &[4, 4, 3, 26], period: 2 }),
    ("quadlife/pinwheel", Fact::Settles { generation: 2599, populations: &[364, 107, 364, 107], period: 2 }),
    ("highlife/replicator", Fact::Populations { generation: 12, populations: &[24] }),
    ("highlife/replicator", Fact::Populations { generation: 24, populations: &[24] }),
    ("highlife/replicator", Fact::Populations { generation: 36, populations: &[48] }),
    ("highlife/replicator", Fact::Populations { generation: 84, populations: &[96] }),
    ("highlife/bomber", Fact::Period { period: 48, dx: 8, dy: 8 }),
    ("other-rules/letter-b", Fact::Populations { generation: 8, populations: &[96] }),
    ("other-rules/letter-b", Fact::Populations { generation: 16, populations: &[96] }),
    ("other-rules/letter-b", Fact::Populations { generation: 32, populations: &[96] }),
    // From Python again, with a Philox of its own that gives the published answers.
    ("laws/foundry-wheels", Fact::Period { period: 14, dx: 0, dy: 0 }),
    ("laws/foundry-wheels", Fact::Populations { generation: 3, populations: &[30, 30] }),
    ("laws/foundry-duel", Fact::Populations { generation: 50, populations: &[152, 152] }),
    ("laws/foundry-duel", Fact::Populations { generation: 100, populations: &[555, 555] }),
    ("laws/loom", Fact::Period { period: 3, dx: 0, dy: 0 }),
    ("laws/loom", Fact::Populations { generation: 1, populations: &[14, 14] }),
    ("laws/loom", Fact::Populations { generation: 2, populations: &[10, 10] }),
    ("laws/two-cloths", Fact::Populations { generation: 20, populations: &[64, 64] }),
    ("laws/two-cloths", Fact::Populations { generation: 50, populations: &[99, 133] }),
    ("laws/two-cloths", Fact::Populations { generation: 100, populations: &[214, 426] }),
    ("laws/hunt", Fact::Populations { generation: 1, populations: &[132, 5] }),
    ("laws/hunt", Fact::Populations { generation: 20, populations: &[169, 116] }),
    ("laws/hunt", Fact::Populations { generation: 60, populations: &[1058, 17] }),
    ("laws/hunt", Fact::Populations { generation: 100, populations: &[2688, 298] }),
];

/// Generations to which facts are checked on lavapipe: further ones take minutes. On the cpu engine all are.
const GPU_REACH: u64 = 3000;

/// The rule of a shipped pattern, and its board.
fn loaded(entry: &Entry) -> (Rule, Board) {
    let pattern = entry.pattern().unwrap_or_else(|error| panic!("{}: {error}", entry.path()));
    let rule = rule(entry.rule.as_deref().unwrap_or("B3/S23"));
    let placed =
        pattern.to_board(rule.topology()).unwrap_or_else(|error| panic!("{}: {error}", entry.path()));
    (rule, placed.board)
}

/// A pattern that runs on an engine, asked for its board at this and that generation.
struct Run {
    engine: Box<dyn Engine>,
    start: Board,
}

impl Run {
    fn new(kind: EngineKind, entry: &Entry) -> Self {
        let (rule, start) = loaded(entry);
        let mut engine = engine(kind, &rule);
        engine.load(&start).unwrap_or_else(|error| panic!("{}: {error}", entry.path()));
        Self { engine, start }
    }

    fn go_to(&mut self, generation: u64) {
        if generation < self.engine.generation() {
            self.engine.load(&self.start).expect("it was loaded before");
        }
        let ahead = generation - self.engine.generation();
        self.engine.step(ahead, &Cancel::never()).unwrap_or_else(|error| panic!("{error}"));
    }

    fn populations(&mut self, generation: u64) -> Vec<u64> {
        self.go_to(generation);
        let states = self.engine.rule().states();
        self.engine.tally().expect("a tally").by_state(states)
    }

    fn population(&mut self, generation: u64) -> u64 {
        self.populations(generation).iter().sum()
    }

    fn cells(&mut self, generation: u64) -> Cells {
        self.go_to(generation);
        self.engine.snapshot().expect("a board").cells
    }
}

/// Cells moved so that their bounding box begins at (0, 0), and from where.
fn in_the_corner(cells: &Cells) -> (Cells, Coords) {
    let bounds = cells.bounding_box().unwrap_or_default();
    let moved = cells.translated(-bounds.x, -bounds.y).expect("nearer than before");
    (moved, Coords::new(bounds.x, bounds.y))
}

/// How many gliders, of one or more colours, have no other cell within two of theirs.
fn gliders(cells: &Cells) -> usize {
    // Both shapes that a glider has, in all eight orientations.
    let mut shapes: BTreeSet<Vec<(i64, i64)>> = BTreeSet::new();
    for shape in [[(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)], [(0, 0), (2, 0), (1, 1), (2, 1), (1, 2)]] {
        for symmetry in 0..8 {
            let mut turned: Vec<(i64, i64)> = shape
                .iter()
                .map(|&(x, y)| {
                    let (x, y) = if symmetry & 1 == 1 { (y, x) } else { (x, y) };
                    (if symmetry & 2 == 2 { 2 - x } else { x }, if symmetry & 4 == 4 { 2 - y } else { y })
                })
                .collect();
            turned.sort_unstable();
            shapes.insert(turned);
        }
    }
    assert_eq!(shapes.len(), 16, "shapes of a glider");
    let mut left: BTreeSet<(i64, i64)> = cells.iter().map(|(at, _)| (at.x, at.y)).collect();
    let mut count = 0;
    while let Some(first) = left.pop_first() {
        let (mut group, mut next) = (vec![first], 0);
        while next < group.len() {
            let (x, y) = group[next];
            for near in (y - 2..=y + 2).flat_map(|y| (x - 2..=x + 2).map(move |x| (x, y))) {
                if left.remove(&near) {
                    group.push(near);
                }
            }
            next += 1;
        }
        let corner_x = group.iter().map(|(x, _)| *x).min().unwrap_or(0);
        let corner_y = group.iter().map(|(_, y)| *y).min().unwrap_or(0);
        let mut shape: Vec<(i64, i64)> = group.iter().map(|(x, y)| (x - corner_x, y - corner_y)).collect();
        shape.sort_unstable();
        count += usize::from(shapes.contains(&shape));
    }
    count
}

impl Fact {
    /// The last generation that has to be reached to check it.
    fn reaches(self) -> u64 {
        match self {
            Self::Period { period, .. } => period,
            Self::Settles { generation, period, .. } | Self::Repeats { generation, period, .. } => {
                generation + 4 * period
            }
            Self::Grows { from, period, .. } => from + 3 * period,
            Self::GrowsSquared { from, period, turns, .. } => from + turns * period,
            Self::Populations { generation, .. }
            | Self::Gliders { generation, .. }
            | Self::Dies { generation }
            | Self::Becomes { generation, .. } => generation,
        }
    }

    fn check(self, run: &mut Run, what: &str) {
        match self {
            Self::Period { period, dx, dy } => {
                let (start, from) = in_the_corner(&run.cells(0));
                for generation in 1..=period {
                    let (shape, at) = in_the_corner(&run.cells(generation));
                    assert_eq!(shape == start, generation == period, "{what}: the shape at {generation}");
                    if generation == period {
                        assert_eq!((at.x - from.x, at.y - from.y), (dx, dy), "{what}: how far it went");
                    }
                }
            }
            Self::Populations { generation, populations } => {
                assert_eq!(run.populations(generation), populations, "{what}");
            }
            Self::Settles { generation, populations, period } => {
                let found: Vec<Vec<u64>> = (generation - 1..=generation + 4 * period)
                    .map(|generation| run.populations(generation))
                    .collect();
                assert_eq!(found[1], populations, "{what}: populations");
                let period = usize::try_from(period).expect("short");
                assert_ne!(found[0], found[period], "{what}: not settled before");
                for (now, later) in found[1..].iter().zip(&found[1 + period..]) {
                    assert_eq!(now, later, "{what}: settled");
                }
            }
            Self::Repeats { generation, period, population } => {
                let before = run.cells(generation - 1);
                let first = run.cells(generation);
                assert_eq!(first.tally().population(), population, "{what}: population");
                assert_ne!(before, run.cells(generation - 1 + period), "{what}: not before");
                for turns in 1..=4 {
                    assert_eq!(first, run.cells(generation + turns * period), "{what}: turn {turns}");
                }
            }
            Self::Grows { from, period, by } => {
                let first = run.population(from);
                for turns in 1..=3 {
                    let now = run.population(from + turns * period);
                    assert_eq!(now, first + turns * by, "{what}: after {turns} periods");
                }
            }
            Self::GrowsSquared { from, period, first, linear, square, turns } => {
                for k in 0..=turns {
                    let now = run.population(from + k * period);
                    assert_eq!(now, square * k * k + linear * k + first, "{what}: after {k} periods");
                }
            }
            Self::Gliders { generation, count } => {
                assert_eq!(gliders(&run.cells(generation)), count, "{what}");
            }
            Self::Dies { generation } => {
                assert_ne!(run.population(generation - 1), 0, "{what}: it lives till then");
                assert_eq!(run.population(generation), 0, "{what}: it is gone");
            }
            Self::Becomes { generation, cells, dx, dy } => {
                let expected = pattern::read(cells.as_bytes(), &Limits::default()).expect("valid RLE").cells;
                let expected = expected.translated(dx, dy).expect("in reach");
                assert_eq!(run.cells(generation), expected, "{what}");
            }
        }
    }
}

/// Checks the facts that need no more than `most` generations.
fn check_facts(kind: EngineKind, most: u64) {
    let mut checked = 0;
    let mut run: Option<(&str, Run)> = None;
    for &(path, fact) in FACTS.iter().filter(|(_, fact)| fact.reaches() <= most) {
        let entry = pattern::find(path).unwrap_or_else(|| panic!("{path} is shipped"));
        assert_eq!(entry.path(), path, "the fact belongs to this very pattern");
        let run = match &mut run {
            Some((last, run)) if *last == path => run,
            other => &mut other.insert((path, Run::new(kind, entry))).1,
        };
        fact.check(run, &format!("{path} on {kind}: {fact:?}"));
        checked += 1;
    }
    assert!(checked > 40, "{checked} facts were checked on {kind}");
}

#[test]
fn every_shipped_pattern_has_a_fact() {
    for entry in pattern::entries() {
        let path = entry.path();
        assert!(FACTS.iter().any(|(of, _)| *of == path), "{path}: nothing is known of it");
    }
}

#[test]
fn every_shipped_pattern_runs_alike_on_every_engine() {
    for entry in pattern::entries() {
        let (rule, board) = loaded(entry);
        for generations in [1, 63] {
            let expected = stepped(EngineKind::Oracle, &rule, &board, generations);
            for kind in [EngineKind::Cpu, EngineKind::Gpu] {
                let found = stepped(kind, &rule, &board, generations);
                let what = format!("{}, {kind}, {rule}, generation {generations}", entry.path());
                assert_eq!(difference(&expected, &found), None, "{what}");
                assert_eq!(expected.cells.hash(), found.cells.hash(), "{what}: hash");
            }
        }
    }
}

#[test]
fn shipped_patterns_do_on_the_cpu_engine_what_is_known_of_them() {
    check_facts(EngineKind::Cpu, u64::MAX);
}

#[test]
fn shipped_patterns_do_on_the_gpu_engine_what_is_known_of_them() {
    check_facts(EngineKind::Gpu, GPU_REACH);
}

#[test]
fn shipped_patterns_do_on_the_oracle_what_is_known_of_them() {
    check_facts(EngineKind::Oracle, 200);
}

#[test]
fn a_wrong_fact_is_noticed() {
    let glider = pattern::find("spaceships/glider").expect("it is shipped");
    let wrong = [
        Fact::Period { period: 8, dx: 2, dy: 2 },
        Fact::Period { period: 4, dx: 1, dy: -1 },
        Fact::Gliders { generation: 7, count: 2 },
        Fact::Grows { from: 0, period: 4, by: 1 },
        Fact::GrowsSquared { from: 0, period: 4, first: 5, linear: 1, square: 0, turns: 1 },
        Fact::GrowsSquared { from: 0, period: 4, first: 5, linear: 0, square: 1, turns: 1 },
        Fact::Settles { generation: 5, populations: &[5], period: 1 },
        Fact::Dies { generation: 9 },
        Fact::Becomes { generation: 4, cells: "bo$2bo$3o!", dx: 0, dy: 0 },
    ];
    for fact in wrong {
        let check = || fact.check(&mut Run::new(EngineKind::Cpu, glider), "a wrong fact");
        assert!(std::panic::catch_unwind(check).is_err(), "{fact:?} passes");
    }
}
