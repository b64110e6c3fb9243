//! What several tests need: engines by name, boards at random, and a comparison that says what differs.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use biota::board::{Board, Cells, Soup, Topology};
use biota::coords::{Coords, Rect};
use biota::engine::{self, Cancel, Engine, EngineKind};
use biota::rule::{Rule, parse};

/// A rule, which must be right. Rules of one name share their compiled circuit over all tests: compiling takes a
/// while.
pub(crate) fn rule(text: &str) -> Rule {
    static KNOWN: Mutex<BTreeMap<String, Rule>> = Mutex::new(BTreeMap::new());
    let rule = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(rule.name().to_owned()).or_insert_with(|| rule.clone()).with_topology(rule.topology())
}

/// An engine, which must be there: no adapter is a failure.
pub(crate) fn engine(kind: EngineKind, rule: &Rule) -> Box<dyn Engine> {
    engine::create(kind, rule).unwrap_or_else(|error| panic!("{kind} engine for {rule}: {error}"))
}

/// A board for `rule`: a soup of all its species over `area`.
pub(crate) fn soup(rule: &Rule, area: Rect, density: f64, seed: u64) -> Board {
    let species = usize::from(rule.states()) - 1;
    let densities = Soup::shared_out(&[density], species).expect("one density");
    let mut cells = Cells::new();
    Soup::new(&densities, seed).expect("valid densities").fill(&mut cells, area).expect("in reach");
    Board { seed, ..Board::with_cells(rule.topology(), cells) }
}

/// Steps a board on an engine.
pub(crate) fn stepped(kind: EngineKind, rule: &Rule, board: &Board, generations: u64) -> Board {
    let mut engine = engine(kind, rule);
    engine.load(board).unwrap_or_else(|error| panic!("{kind}, {rule}: {error}"));
    let done =
        engine.step(generations, &Cancel::never()).unwrap_or_else(|error| panic!("{kind}, {rule}: {error}"));
    assert_eq!(done, generations, "{kind}, {rule}: all generations are done");
    let snapshot = engine.snapshot().unwrap_or_else(|error| panic!("{kind}, {rule}: {error}"));
    let tally = engine.tally().unwrap_or_else(|error| panic!("{kind}, {rule}: {error}"));
    let counted = snapshot.cells.tally();
    let states = if snapshot.background == 0 { rule.states() } else { 256 };
    assert_eq!(tally.by_state(states), counted.by_state(states), "{kind}, {rule}: populations");
    assert_eq!(tally.bounding_box, counted.bounding_box, "{kind}, {rule}: bounds");
    snapshot
}

/// Where two boards differ: the first cells with both states, or `None` when they are equal in everything.
pub(crate) fn difference(expected: &Board, found: &Board) -> Option<String> {
    if expected == found {
        return None;
    }
    let bounds = [expected, found]
        .iter()
        .filter_map(|board| board.cells.bounding_box())
        .fold(Rect::default(), Rect::union);
    let cells: Vec<String> = bounds
        .cells()
        .filter(|&at| expected.get(at) != found.get(at))
        .take(5)
        .map(|Coords { x, y }| {
            let at = Coords::new(x, y);
            format!("({x}, {y}): {} expected, {} found", expected.get(at), found.get(at))
        })
        .collect();
    Some(format!(
        "generation {} background {} expected, generation {} background {} found; {}",
        expected.generation,
        expected.background,
        found.generation,
        found.background,
        cells.join("; ")
    ))
}

/// The topology of a torus or a bounded plane.
pub(crate) fn bounded(wraps: bool, width: i64, height: i64) -> Topology {
    if wraps { Topology::Torus { width, height } } else { Topology::Plane { width, height } }
}
