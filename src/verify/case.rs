//! Random cases: a rule, a board and a number of generations, drawn from a seed and the case's number alone.
//!
//! Every other rule, with the kinds of its boards, is the next of the [`Schedule`], which leaves no possible pair or triple
//! of what matters to engines untried. Of those between, half are those with names, all of them in turn; the rest are drawn
//! from all of `B…/S…`, `[Rule]Immigration`, `[Rule]QuadLife` with every tie policy, tables, `P2Life`, two rules in turn, laws,
//! and what [`large`] draws.
//!
//! | board | sides, places | generations |
//! |---|---|---|
//! | bounded, mostly | up to some ten thousand cells; sides of words, tiles and one more or less | up to 100 |
//! | bounded, one in eight | sides up to 513, life only here and there, most of it at borders of tiles | a few |
//! | the plane | soups across borders of tiles, one or several | up to 32; 70 from small soups |

use std::fmt;

use super::law::RandomLaw;
use super::random::{Purpose, Random};
use super::schedule::Schedule;
use super::situation::{Background, Shape, Situation};
use super::{large, synthetic};
use crate::board::{Board, Cells, Edges, Soup, TILE_SIDE, Topology};
use crate::cell::{DEAD, State};
use crate::coords::Rect;
use crate::lattice::{Lattice, Neighbourhood};
use crate::rule::circuit::CompileError;
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
    /// The case of this number, of a rule that was drawn. `keeps_topology` takes the rule's own topology instead of another.
    pub(super) fn draw(seed: u64, number: u64, drawn: &Drawn, keeps_topology: bool) -> Self {
        let mut random = Random::new(seed, number, Purpose::Case);
        let rule = &drawn.rule;
        let planned = usize::try_from(number % CASES_OF_A_RULE).ok().and_then(|nth| drawn.boards.get(nth));
        let (shape, background) = match planned {
            Some(board) => *board,
            None => any_board(rule, &mut random),
        };
        let is_large = !keeps_topology && shape != Shape::Unbounded && random.one_of(8);
        let rule = if keeps_topology {
            rule.clone()
        } else {
            let lattice = rule.depends_on().neighbourhood.lattice();
            rule.with_topology(topology(&mut random, shape, lattice == Lattice::Triangular, is_large))
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
        let mut board = Board {
            generation: random.choice(&STARTS),
            seed: random.next(),
            ..Board::with_cells(rule.topology(), cells)
        };
        if rule.topology() == Topology::Unbounded && background == Background::Living {
            // Under rules that bring it to life by themselves it begins dead as often as not.
            let comes_alive = rule.background_next(DEAD, board.generation) != DEAD;
            if !comes_alive || random.one_of(2) {
                let living = 1 + random.below(u64::from(rule.states()) - 1);
                board.background = State::try_from(living).expect("a state");
                board.cells = on_background(&board.cells, board.background, rule.states());
            }
        }
        Self { number, rule, board, generations, cut }
    }

    /// What it tries. Errors when its rule can't be compiled.
    pub fn situation(&self) -> Result<Situation, CompileError> {
        Situation::of(&self.rule, &self.board, self.generations)
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

/// A rule that was drawn.
#[derive(Clone)]
pub(super) struct Drawn {
    /// On the unbounded plane, if it was not given by the user.
    pub(super) rule: Rule,
    /// The law that it is, if it is one.
    pub(super) law: Option<RandomLaw>,
    /// What its cases are to have for boards; anything if that is not said.
    boards: Vec<(Shape, Background)>,
}

impl From<Rule> for Drawn {
    fn from(rule: Rule) -> Self {
        Self { rule, law: None, boards: Vec::new() }
    }
}

/// The rule of a group of cases.
pub(super) fn draw_rule(seed: u64, group: u64, schedule: &Schedule) -> Drawn {
    let mut random = Random::new(seed, group, Purpose::Rule);
    if group.is_multiple_of(2) {
        let planned = schedule.group(group / 2);
        let rule = synthetic::draw(&planned, &mut random);
        return Drawn { boards: planned.boards, ..Drawn::from(rule) };
    }
    let text = if group % 4 == 1 {
        let all = NAMED.len() as u64;
        let index = (group / 4 + Random::new(seed, 0, Purpose::FirstRule).below(all)) % all;
        NAMED[usize::try_from(index).expect("an index into a list")].rule.to_owned()
    } else if random.one_of(4) {
        return large::draw(&mut random).into();
    } else {
        match random.below(18) {
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
            12 | 13 => in_turn(&mut random),
            _ => {
                let law = RandomLaw::draw(&mut random);
                let rule = law.rule().expect("laws are made by the grammar");
                return Drawn { law: Some(law), ..Drawn::from(rule) };
            }
        }
    };
    Drawn::from(parse(&text).expect("rule strings are made by the grammar"))
}

/// Two rules in turn that have the same states and neighbours, a large one perhaps.
fn in_turn(random: &mut Random) -> String {
    let tie = |random: &mut Random| random.choice(&["coin", "parity", "none", "1", "2"]);
    let half = |random: &mut Random| match random.below(3) {
        0 => "P2Life".to_owned(),
        1 => format!("{}Immigration-{}", counting(random, Neighbourhood::Moore), tie(random)),
        _ => format!("B{}/S{}Immigration-{}", large::letters(random), large::letters(random), tie(random)),
    };
    format!("{}|{}", half(random), half(random))
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
    counting(random, neighbourhood)
}

/// The same on this neighbourhood.
fn counting(random: &mut Random, neighbourhood: Neighbourhood) -> Condition {
    let set = |random: &mut Random| {
        u16::try_from(random.below(1 << (neighbourhood.size() + 1))).expect("at most thirteen bits")
    };
    let (births, survivals) = (set(random), set(random));
    let births = if random.one_of(4) { births | 1 } else { births & !1 };
    Condition::counting(neighbourhood, births, survivals)
}

/// Any board that the rule can run on.
fn any_board(rule: &Rule, random: &mut Random) -> (Shape, Background) {
    let is_triangular = rule.depends_on().neighbourhood.lattice() == Lattice::Triangular;
    // Where empty space is uneven the plane has no background, and only bounded boards are possible.
    if random.one_of(3) && rule.with_topology(Topology::Unbounded).background_is_uniform() {
        let background = if random.one_of(8) { Background::Living } else { Background::Dead };
        return (Shape::Unbounded, background);
    }
    let shape = loop {
        // Half of them are tori and planes.
        let all = &Shape::ALL[1..];
        let shape = if random.one_of(3) { random.choice(&all[..2]) } else { random.choice(all) };
        if !is_triangular || shape.suits_triangles() {
            break shape;
        }
    };
    (shape, Background::Dead)
}

/// A topology of this shape, with sides on which triangles can go on beyond the edges where there are any.
fn topology(random: &mut Random, shape: Shape, is_triangular: bool, is_large: bool) -> Topology {
    let sides: &[i64] = if is_large { &LARGE_SIDES } else { &SIDES };
    loop {
        let (width, height) = (random.choice(sides), random.choice(sides));
        let along = |edges: Edges| if edges == Edges::TopBottom { width } else { height };
        let topology = match shape {
            Shape::Unbounded => return Topology::Unbounded,
            Shape::Plane => Topology::Plane { width, height },
            Shape::Torus => Topology::Torus { width, height },
            Shape::ShiftedTorus(edges) => {
                let shift = random.below(along(edges).unsigned_abs()).cast_signed();
                Topology::ShiftedTorus { width, height, edges, shift }
            }
            Shape::Klein(edges) => Topology::KleinBottle { width, height, edges, shift: 0 },
            Shape::ShiftedKlein(edges) => Topology::KleinBottle { width, height, edges, shift: 1 },
            Shape::CrossSurface => Topology::CrossSurface { width, height },
            Shape::Sphere => Topology::Sphere { side: width.min(height) },
        };
        let exists = match topology {
            Topology::ShiftedTorus { shift, .. } => shift != 0,
            Topology::KleinBottle { edges, shift, .. } => shift == 0 || along(edges) % 2 == 0,
            _ => true,
        };
        let fits = is_large || width * height <= MAX_CELLS;
        if exists && fits && (!is_triangular || topology.suits_triangles()) {
            return topology;
        }
    }
}

/// Cells to be stored on a living background, which a soup was drawn for as on a dead one: states that there would not be are
/// dead.
fn on_background(cells: &Cells, background: State, states: u16) -> Cells {
    let mut stored = Cells::new();
    for (at, state) in cells.iter() {
        let exists = u16::from(state ^ background) < states;
        stored.set(at, if exists { state } else { background }).expect("as near as before");
    }
    stored
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
        for number in [0, 17, 4_000_000_000, 4_000_000_005] {
            let draw = || Case::draw(9, number, &draw_rule(9, group(number), &Schedule::new(9)), false);
            let (one, two) = (draw(), draw());
            assert_eq!(one.to_string(), two.to_string(), "case {number}");
            assert_eq!(one.board, two.board, "case {number}");
        }
        let life = Drawn::from(parse("Life").expect("a rule"));
        let other = |seed| Case::draw(seed, 3, &life, false).board;
        assert_ne!(other(1), other(2), "another seed");
    }

    #[test]
    fn every_named_rule_is_drawn_and_all_else_as_often() {
        let schedule = Schedule::new(5);
        let mut rules = std::collections::BTreeSet::new();
        let mut taken_in_turn = 0;
        for group in 0..4 * NAMED.len() as u64 {
            let drawn = draw_rule(5, group, &schedule);
            taken_in_turn += u32::from(
                group % 2 == 1
                    && drawn.rule.name().contains("Immigration")
                    && drawn.rule.name().contains('|'),
            );
            rules.insert(drawn.rule.name().to_owned());
            let case = Case::draw(5, group * CASES_OF_A_RULE, &drawn, false);
            assert!(case.cut <= case.generations && case.generations > 0, "{case}");
        }
        for named in NAMED {
            assert!(rules.contains(named.rule), "{} is tried", named.rule);
        }
        assert!(taken_in_turn > 0, "two rules of text in turn are drawn");
    }
}
