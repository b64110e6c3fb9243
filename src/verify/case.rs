//! Random cases: a rule, a board and a number of generations, drawn from a seed and the case's number alone.
//!
//! Every other rule is one of those with names, all of them in turn; the rest are drawn from all of
//! `B…/S…`, `[Rule]Immigration`, `[Rule]QuadLife` with every tie policy, tables, `P2Life`, laws,
//! and what [`large`] draws.
//!
//! | board | sides, places | generations |
//! |---|---|---|
//! | bounded, mostly | up to some ten thousand cells; sides of words, tiles and one more or less | up to 100 |
//! | bounded, one in eight | sides up to 513, life only here and there, most of it at borders of tiles | a few |
//! | the plane, one in three | soups across borders of tiles, one or several | up to 32; 70 from small soups |

use std::fmt;

use super::large;
use super::law::RandomLaw;
use super::random::{Purpose, Random};
use crate::board::{Board, Cells, Edges, Soup, TILE_SIDE, Topology};
use crate::coords::Rect;
use crate::lattice::{Lattice, Neighbourhood};
use crate::rule::matrix;
use crate::rule::named::NAMED;
use crate::rule::{Condition, Generations, Rule, parse};

/// Cases that share a rule, since its compilation takes longer than a case.
pub(super) const CASES_OF_A_RULE: u64 = 5;
/// Sides of bounded boards: of a word, of a tile, of a workgroup, and one more or less; primes.
const SIDES: [i64; 26] = [
    1, 2, 3, 5, 7, 13, 29, 31, 32, 33, 47, 61, 63, 64, 65, 67, 97, 127, 128, 129, 255, 256, 257, 511, 512,
    513,
];
/// How far apart soups on the plane may be.
const FAR: i64 = 2_000_000_000;
/// Sides of large boards.
const LARGE_SIDES: [i64; 9] = [63, 64, 65, 255, 256, 257, 511, 512, 513];
/// Where tiles of any engine may end: multiples of this.
const BORDER: i64 = 64;
/// Sides of the soups on large boards.
const PATCH: i64 = 12;
/// Sides of soups on the unbounded plane.
const SOUP_SIDES: [i64; 10] = [1, 2, 3, 7, 16, 24, 31, 32, 33, 41];
/// The most cells of a bounded board.
const MAX_CELLS: i64 = 17_000;
/// The most cells of a soup on the unbounded plane.
const MAX_SOUP_CELLS: i64 = 800;
/// Cells times generations of a bounded board: what the oracle does in a fraction of a second.
const MAX_CELL_GENERATIONS: u64 = 300_000;
/// The most generations of a case.
const MAX_GENERATIONS: u64 = 100;
/// Cells times generations of a large board.
const MAX_LARGE_CELL_GENERATIONS: u64 = 1_000_000;
/// The most generations of a case on the unbounded plane, where an exploding soup grows to the square of it.
const MAX_UNBOUNDED_GENERATIONS: u64 = 32;
/// The same from few cells: more than any macro-step.
const MAX_SMALL_GENERATIONS: u64 = 70;
/// How many cells are few.
const FEW_CELLS: u64 = 64;
/// Generations that a case may start at: what they make of 32-bit counters matters to coins.
const STARTS: [u64; 4] = [0, 1, 1_000_003, (1 << 32) - 7];
/// Cells alive of all.
const DENSITIES: [f64; 6] = [0.02, 0.1, 0.3, 0.5, 0.75, 1.0];

/// A board under a rule, and how long it runs.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its number, from 0.
    pub number: u64,
    /// The rule, with the topology.
    pub rule: Rule,
    /// Where it starts.
    pub board: Board,
    /// How many generations it runs, 1 or more.
    pub generations: u64,
    /// How many of them the engine does in a first call, the rest in a second one.
    pub cut: u64,
}

impl Case {
    /// The case of this number. `keeps_topology` takes the rule's own topology instead of one at random.
    pub fn draw(seed: u64, number: u64, rule: &Rule, keeps_topology: bool) -> Self {
        let mut random = Random::new(seed, number, Purpose::Case);
        let is_large = !keeps_topology && random.one_of(8);
        let rule = if keeps_topology {
            rule.clone()
        } else {
            let mut bounded = topology(&mut random, is_large);
            if rule.depends_on().neighbourhood.lattice() == Lattice::Triangular && !bounded.suits_triangles()
            {
                let bounds = bounded.bounds().unwrap_or_default();
                bounded = Topology::Plane { width: bounds.width, height: bounds.height };
            }
            let unbounded = rule.with_topology(Topology::Unbounded);
            // Where empty space is uneven the plane has no background, and only bounded boards are possible.
            if !is_large && random.one_of(3) && unbounded.background_is_uniform() {
                unbounded
            } else {
                rule.with_topology(bounded)
            }
        };
        let areas = match rule.topology().bounds() {
            Some(bounds) if is_large => patches(&mut random, bounds),
            Some(bounds) => vec![bounds],
            None => soup_areas(&mut random),
        };
        let species = usize::from(rule.states()) - 1;
        let densities = densities(&mut random, species);
        let most = match rule.topology().bounds() {
            None if areas.iter().all(|area| area.area() <= FEW_CELLS) => MAX_SMALL_GENERATIONS,
            None => MAX_UNBOUNDED_GENERATIONS,
            Some(bounds) if is_large => {
                (MAX_LARGE_CELL_GENERATIONS / bounds.area()).clamp(1, MAX_GENERATIONS)
            }
            Some(bounds) => (MAX_CELL_GENERATIONS / bounds.area()).clamp(1, MAX_GENERATIONS),
        };
        let generations = 1 + random.below(most);
        let cut = if random.one_of(2) { 0 } else { random.below(generations + 1) };
        let mut cells = Cells::new();
        let soup = Soup::new(&densities, random.next()).expect("the densities add up to at most 1");
        for area in areas {
            soup.fill(&mut cells, area).expect("the areas are near the origin");
        }
        let board = Board {
            generation: random.choice(&STARTS),
            seed: random.next(),
            ..Board::with_cells(rule.topology(), cells)
        };
        Self { number, rule, board, generations, cut }
    }

    /// Cells of the board, or of the tiles that hold the soups on the unbounded plane, times generations.
    pub fn cell_generations(&self) -> u64 {
        let of_tiles = || self.board.cells.tiles().count() as u64 * (TILE_SIDE * TILE_SIDE).unsigned_abs();
        self.rule.topology().bounds().map_or_else(of_tiles, Rect::area).saturating_mul(self.generations)
    }
}

/// Which cases share a rule.
pub(super) const fn group(number: u64) -> u64 {
    number / CASES_OF_A_RULE
}

/// The rule of a group of cases, on the unbounded plane; and if it is a law that was drawn, that.
pub(super) fn draw_rule(seed: u64, group: u64) -> (Rule, Option<RandomLaw>) {
    let mut random = Random::new(seed, group, Purpose::Rule);
    let text = if group.is_multiple_of(2) {
        let all = NAMED.len() as u64;
        let index = (group / 2 + Random::new(seed, 0, Purpose::FirstRule).below(all)) % all;
        NAMED[usize::try_from(index).expect("an index into a list")].rule.to_owned()
    } else if random.one_of(4) {
        return (large::draw(&mut random), None);
    } else {
        match random.below(16) {
            0 | 1 => life(&mut random).to_string(),
            2 => Generations::new(life(&mut random), u16::try_from(3 + random.below(7)).expect("few states"))
                .expect("three states or more")
                .to_string(),
            // Any table of counts, and any of arrangements.
            3 | 4 => format!("{}{}", matrix::PREFIX, base64(&mut random, 45)),
            5 => format!("MAP{}A", base64(&mut random, 85)),
            6 => format!("{}{}", life(&mut random), random.choice(&["Symbiosis", "DeadlyEnemies"])),
            7 | 8 => {
                format!(
                    "{}Immigration-{}",
                    life(&mut random),
                    random.choice(&["coin", "parity", "none", "1", "2"])
                )
            }
            9 | 10 => format!(
                "{}QuadLife-{}",
                life(&mut random),
                random.choice(&["coin", "parity", "none", "1", "2", "3", "4"])
            ),
            11 => "P2Life".to_owned(),
            _ => {
                let law = RandomLaw::draw(&mut random);
                return (law.rule().expect("laws are made by the grammar"), Some(law));
            }
        }
    };
    (parse(&text).expect("rule strings are made by the grammar"), None)
}

/// So many digits of base 64.
fn base64(random: &mut Random, length: usize) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    (0..length).map(|_| char::from(random.choice(DIGITS))).collect()
}

/// Any birth and survival numbers on any neighbourhood; births without neighbours in one of four.
pub(super) fn life(random: &mut Random) -> Condition {
    let neighbourhood =
        if random.one_of(2) { Neighbourhood::Moore } else { random.choice(&Neighbourhood::ALL) };
    let set = |random: &mut Random| {
        u16::try_from(random.below(1 << (neighbourhood.size() + 1))).expect("at most thirteen bits")
    };
    let (births, survivals) = (set(random), set(random));
    let births = if random.one_of(4) { births | 1 } else { births & !1 };
    Condition::counting(neighbourhood, births, survivals)
}

/// A bounded board of any topology.
fn topology(random: &mut Random, is_large: bool) -> Topology {
    let (mut width, mut height);
    if is_large {
        (width, height) = (random.choice(&LARGE_SIDES), random.choice(&LARGE_SIDES));
    } else {
        (width, height) = (random.choice(&SIDES), random.choice(&SIDES));
        while width * height > MAX_CELLS {
            height = random.choice(&SIDES);
        }
    }
    if random.one_of(2) {
        (width, height) = (height, width);
    }
    let edges = if random.one_of(2) { Edges::TopBottom } else { Edges::LeftRight };
    match random.below(8) {
        0 | 1 => Topology::Torus { width, height },
        2 | 3 => Topology::Plane { width, height },
        4 => {
            let along = if edges == Edges::TopBottom { width } else { height };
            match random.below(along.unsigned_abs()).cast_signed() {
                0 => Topology::Torus { width, height },
                shift => Topology::ShiftedTorus { width, height, edges, shift },
            }
        }
        5 => {
            let along = if edges == Edges::TopBottom { width } else { height };
            let shift = if along % 2 == 0 { random.below(2).cast_signed() } else { 0 };
            Topology::KleinBottle { width, height, edges, shift }
        }
        6 => Topology::CrossSurface { width, height },
        _ => Topology::Sphere { side: width.min(height) },
    }
}

/// Where soups stand on the unbounded plane: one, or two or three small ones some tiles or very far apart; across a border
/// of tiles as often as not.
fn soup_areas(random: &mut Random) -> Vec<Rect> {
    let place = |random: &mut Random| i64::try_from(random.below(4001)).expect("a small number") - 2000;
    if random.one_of(2) {
        let width = random.choice(&SOUP_SIDES);
        let mut height = random.choice(&SOUP_SIDES);
        while width * height > MAX_SOUP_CELLS {
            height = random.choice(&SOUP_SIDES);
        }
        return vec![Rect::new(place(random), place(random), width, height)];
    }
    let corner = (place(random), place(random));
    let spread = if random.one_of(3) { FAR } else { 512 };
    (0..=random.below(3))
        .map(|_| {
            let near = |random: &mut Random, at: i64| at + border(random, spread) - 3;
            let (x, y) = (near(random, corner.0 / BORDER * BORDER), near(random, corner.1 / BORDER * BORDER));
            Rect::new(x, y, 2 + random.below(7).cast_signed(), 2 + random.below(7).cast_signed())
        })
        .collect()
}

/// A coordinate from 0 to `side`: mostly at a border of tiles.
fn border(random: &mut Random, side: i64) -> i64 {
    let any = random.below(side.unsigned_abs() + 1).cast_signed();
    if random.one_of(4) { any } else { any / BORDER * BORDER }
}

/// A few places on a large board: across borders of tiles, and so across its edges too.
fn patches(random: &mut Random, bounds: Rect) -> Vec<Rect> {
    (0..=random.below(4))
        .map(|_| {
            let (x, y) = (border(random, bounds.width), border(random, bounds.height));
            Rect::new(x - PATCH / 2, y - PATCH / 2, PATCH, PATCH).intersection(bounds)
        })
        .filter(|patch| !patch.is_empty())
        .collect()
}

/// One density shared out equally, or unequally.
fn densities(random: &mut Random, species: usize) -> Vec<f64> {
    let density = random.choice(&DENSITIES);
    let shares: Vec<f64> = (0..species).map(|_| 1.0 + random.below(4) as f64).collect();
    let whole: f64 = shares.iter().sum();
    shares.iter().map(|share| density * share / whole).collect()
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, rule, board, generations, .. } = self;
        write!(f, "case {number}: {rule}, {generations} generations from {}", board.generation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_the_same_whenever_it_is_drawn() {
        for number in [0, 17, 4_000_000_000] {
            let draw = || Case::draw(9, number, &draw_rule(9, group(number)).0, false);
            let (one, two) = (draw(), draw());
            assert_eq!(one.to_string(), two.to_string(), "case {number}");
            assert_eq!(one.board, two.board, "case {number}");
        }
        let other = |seed| Case::draw(seed, 3, &draw_rule(seed, 0).0, false).board;
        assert_ne!(other(1), other(2), "another seed");
    }

    #[test]
    fn a_thousand_cases_hold_every_named_rule_and_every_topology() {
        let mut rules = std::collections::BTreeSet::new();
        let mut topologies = [0; 7];
        for number in 0..1000 {
            let (rule, _) = draw_rule(5, group(number));
            rules.insert(rule.name().to_owned());
            let case = Case::draw(5, number, &rule, false);
            topologies[match case.rule.topology() {
                Topology::Unbounded => 0,
                Topology::Plane { .. } => 1,
                Topology::Torus { .. } => 2,
                Topology::ShiftedTorus { .. } => 3,
                Topology::KleinBottle { .. } => 4,
                Topology::CrossSurface { .. } => 5,
                Topology::Sphere { .. } => 6,
            }] += 1;
            assert!(case.cut <= case.generations && case.generations > 0, "{case}");
        }
        for named in NAMED {
            assert!(rules.contains(named.rule), "{} is tried", named.rule);
        }
        assert!(topologies.iter().all(|&cases| cases > 10), "every topology is tried: {topologies:?}");
    }
}
