//! The verifier must fail where something is wrong: an engine that breaks a cell is caught and made small.

use super::*;
use crate::board::{Cells, Tally};
use crate::cell::State;
use crate::coords::{Coords, Rect};
use crate::engine::{CpuEngine, Edit};

/// A CPU engine with a fault: a cell of state 1 with one of state 2 at its right is dead in the next generation,
/// whatever the rule says.
struct Broken(CpuEngine);

impl Engine for Broken {
    fn kind(&self) -> EngineKind {
        self.0.kind()
    }
    fn rule(&self) -> &Rule {
        self.0.rule()
    }
    fn load(&mut self, board: &Board) -> Result<(), EngineError> {
        self.0.load(board)
    }
    fn step(&mut self, generations: u64, cancel: &Cancel) -> Result<u64, EngineError> {
        for _ in 0..generations {
            let before = self.0.snapshot()?;
            self.0.step(1, cancel)?;
            let edits: Vec<Edit> = before
                .cells
                .iter()
                .filter(|&(at, state)| state == 1 && before.get(at.offset(1, 0)) == 2)
                .map(|(at, _)| Edit { at, state: 0 })
                .collect();
            self.0.write(&edits)?;
        }
        Ok(generations)
    }
    fn generation(&self) -> u64 {
        self.0.generation()
    }
    fn background(&self) -> State {
        self.0.background()
    }
    fn tally(&mut self) -> Result<Tally, EngineError> {
        self.0.tally()
    }
    fn read(&mut self, area: Rect) -> Result<Cells, EngineError> {
        self.0.read(area)
    }
    fn field(&self) -> Rect {
        self.0.field()
    }
    fn write(&mut self, edits: &[Edit]) -> Result<(), EngineError> {
        self.0.write(edits)
    }
    fn seed(&self) -> u64 {
        self.0.seed()
    }
}

fn plan(rule: Option<&str>) -> Plan {
    let rules = match rule {
        None => Rules::Any,
        Some(text) if text.contains(':') => Rules::AsItIs(text.parse().expect("a rule")),
        Some(text) => Rules::OnAnyBoard(text.parse().expect("a rule")),
    };
    Plan { seed: 1, first: 0, cases: 10, rules }
}

#[test]
fn a_sound_engine_is_found_equal() {
    let mut watched = Vec::new();
    let plan = Plan { first: 3, ..plan(None) };
    let report =
        verify(&plan, &[Subject::of(EngineKind::Cpu)], |number| watched.push(number)).expect("it runs");
    assert!(report.failure.is_none(), "{}", report.failure.expect("a failure"));
    assert_eq!((report.equal, watched), (10, (3..13).collect()), "all cases");
    assert!(report.rules > 1 && report.cell_generations > 0, "{report:?}");
}

#[test]
fn a_broken_engine_is_caught_and_its_case_made_small() {
    let broken = || Subject::new("broken", |rule| Ok(Box::new(Broken(CpuEngine::new(rule)?))));
    for rule in ["Immigration", "Immigration:T64,48", "B0123478/S01234678Immigration"] {
        let report = verify(&plan(Some(rule)), &[broken()], |_| ()).expect("it runs");
        let failure = report.failure.unwrap_or_else(|| panic!("{rule}: the fault is caught"));
        let text = failure.to_string();
        assert_eq!(failure.generations, 1, "{rule}: it shows in one generation\n{text}");
        assert!(failure.difference.cells > 0, "{rule}: cells differ\n{text}");
        assert!(failure.board.cells.tally().population() <= 6, "{rule}: few cells are left\n{text}");
        for part in [
            "broken differs from the oracle, seed 1, case ",
            "on the oracle, empty (0) on broken",
            &format!("to repeat: biota verify --seed 1 --first {} --cases 1", failure.case),
            &format!("--engines broken --rule '{rule}'"),
        ] {
            assert!(text.contains(part), "{rule}: {part:?} is said\n{text}");
        }
        // The case is found again by its number alone.
        let again = Plan { first: failure.case, cases: 1, ..plan(Some(rule)) };
        let again = verify(&again, &[broken()], |_| ()).expect("it runs").failure.expect("it fails again");
        assert_eq!(again.to_string(), text, "{rule}: the same failure");
    }
}

#[test]
fn the_failing_board_is_saved_and_fails_when_it_is_read_back() {
    let subject = Subject::new("broken", |rule| Ok(Box::new(Broken(CpuEngine::new(rule)?))));
    let report = verify(&plan(Some("Immigration")), std::slice::from_ref(&subject), |_| ()).expect("it runs");
    let failure = report.failure.expect("the fault is caught");
    let folder = tempfile::tempdir().expect("a folder");
    let path = failure.save(folder.path()).expect("it can be written");
    let pattern = crate::pattern::open(&path, &crate::pattern::Limits::default()).expect("it can be read");
    let rule: Rule = pattern.rule.as_deref().expect("a rule").parse().expect("a rule");
    let board = pattern.to_board(rule.topology()).expect("it fits").board;
    let board = Board { seed: failure.board.seed, ..board };
    assert_eq!(board, failure.board, "the same board");
    let difference = Trial::new(&subject, &rule)
        .and_then(|mut trial| trial.difference(&board, failure.generations, 0))
        .expect("it runs");
    assert!(difference.is_some(), "it fails again");
}

#[test]
fn the_neighbourhood_that_is_shown_is_that_of_the_generation_before() {
    let report = verify(
        &plan(Some("Immigration:T5,5")),
        &[Subject::new("broken", |rule| Ok(Box::new(Broken(CpuEngine::new(rule)?))))],
        |_| (),
    )
    .expect("it runs");
    let failure = report.failure.expect("the fault is caught");
    let at: Coords = failure.difference.first[0].at;
    assert_eq!(failure.before.get(at), 1, "a cell of state 1 was broken");
    assert!(failure.to_string().contains("o *"), "its neighbour of state 2 is at its right\n{failure}");
}

#[test]
fn a_law_that_was_drawn_is_made_simpler() {
    // Any law under which a pair of states 1 and 2 comes about, with the fault of `Broken`.
    let broken = || Subject::new("broken", |rule| Ok(Box::new(Broken(CpuEngine::new(rule)?))));
    let (group, law) = (0..400)
        .filter(|group| group % 2 == 1)
        .find_map(|group| {
            let law = case::draw_rule(1, group).1?;
            let wanted = law.to_string().len() > 60 && law.to_string().starts_with("law 2");
            wanted.then_some((group, law))
        })
        .expect("laws are drawn");
    let mut failure = None;
    for first in group * case::CASES_OF_A_RULE..(group + 1) * case::CASES_OF_A_RULE {
        let plan = Plan { seed: 1, first, cases: 1, rules: Rules::Any };
        failure = failure.or(verify(&plan, &[broken()], |_| ()).expect("it runs").failure);
    }
    let failure = failure.expect("the fault is caught");
    let (shown, whole) = (failure.rule.name().len(), law.rule().expect("a law").name().len());
    assert!(shown < whole, "{failure}\nis no simpler than {law}");
    assert!(failure.to_string().contains("--cases 1 --engines broken"), "{failure}");
}
