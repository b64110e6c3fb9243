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

/// A CPU engine with one of two faults that no rule has to do with.
struct Faulty {
    inner: CpuEngine,
    /// Whether the first living cell of the board is killed after each call, or else all coins are those of another seed.
    flips: bool,
    seed: u64,
}

impl Engine for Faulty {
    fn kind(&self) -> EngineKind {
        self.inner.kind()
    }
    fn rule(&self) -> &Rule {
        self.inner.rule()
    }
    fn load(&mut self, board: &Board) -> Result<(), EngineError> {
        self.seed = board.seed;
        let seed = if self.flips { board.seed } else { 0 };
        self.inner.load(&Board { seed, ..board.clone() })
    }
    fn step(&mut self, generations: u64, cancel: &Cancel) -> Result<u64, EngineError> {
        let done = self.inner.step(generations, cancel)?;
        let first = self.inner.snapshot()?.cells.iter().next();
        if let Some((at, _)) = first.filter(|_| self.flips) {
            self.inner.write(&[Edit { at, state: self.inner.background() }])?;
        }
        Ok(done)
    }
    fn generation(&self) -> u64 {
        self.inner.generation()
    }
    fn background(&self) -> State {
        self.inner.background()
    }
    fn tally(&mut self) -> Result<Tally, EngineError> {
        self.inner.tally()
    }
    fn read(&mut self, area: Rect) -> Result<Cells, EngineError> {
        self.inner.read(area)
    }
    fn field(&self) -> Rect {
        self.inner.field()
    }
    fn write(&mut self, edits: &[Edit]) -> Result<(), EngineError> {
        self.inner.write(edits)
    }
    fn seed(&self) -> u64 {
        self.seed
    }
}

#[test]
fn one_flipped_cell_and_ignored_coins_are_found_among_all_that_is_drawn() {
    for flips in [true, false] {
        let faulty = Subject::new("faulty", move |rule| {
            Ok(Box::new(Faulty { inner: CpuEngine::new(rule)?, flips, seed: 0 }))
        });
        let plan = Plan { cases: 100, ..plan(None) };
        let report = verify(&plan, &[faulty], |_| ()).expect("it runs");
        let failure = report.failure.unwrap_or_else(|| panic!("the fault is caught, flips: {flips}"));
        let coins = failure.rule.kernel().expect("a kernel").coins();
        assert!(flips || coins > 0, "only rules that toss can tell: {failure}");
        assert!(failure.difference.cells > 0, "{failure}");
    }
}

/// Draws cases until all of the schedule was tried, without running them.
fn planned(seed: u64) -> impl Iterator<Item = (u64, schedule::Group)> {
    let schedule = Schedule::new(seed);
    (0..schedule.len() as u64).map(move |number| (number, schedule.group(number)))
}

#[test]
fn two_thousand_cases_try_all_triples_and_a_schedule_is_the_same_each_time() {
    for seed in 0..3 {
        let mut coverage = Coverage::default();
        let mut pairs_after = None;
        for (number, group) in planned(seed) {
            group.situations().for_each(|situation| {
                assert_eq!(situation.impossible(), None, "seed {seed}: {situation}");
                coverage.note(&situation);
            });
            let share = coverage.share(2);
            if share.tried == share.possible {
                pairs_after.get_or_insert(number);
            }
        }
        // Every other rule is of the schedule.
        let cases = 2 * case::CASES_OF_A_RULE * planned(seed).count() as u64;
        assert!(cases <= 2000, "seed {seed}: {cases} cases until all triples are tried");
        for order in [2, 3] {
            let share = coverage.share(order);
            assert_eq!(share.tried, share.possible, "seed {seed}, of {order} values");
        }
        assert!(
            pairs_after.is_some_and(|rules| rules < 60),
            "seed {seed}: {pairs_after:?} rules for the pairs"
        );
        let boards = || planned(seed).map(|(_, group)| group.boards).collect::<Vec<_>>();
        assert_eq!(boards(), boards(), "seed {seed}");
    }
}

/// Runs those cases of a schedule that add a pair on an engine, demands that what was drawn is what was planned, and that in
/// the end no pair is left that can be.
fn all_pairs_are_equal_on(kind: EngineKind, seed: u64) {
    let subject = Subject::of(kind);
    let schedule = Schedule::new(seed);
    let mut coverage = Coverage::default();
    // Rules of the schedule are the even ones.
    for group in (0..2 * schedule.len() as u64).step_by(2) {
        let planned: Vec<Situation> = schedule.group(group / 2).situations().collect();
        let drawn = case::draw_rule(seed, group, &schedule);
        for (number, planned) in (group * case::CASES_OF_A_RULE..).zip(planned) {
            if planned.combinations().all(|it| it.order != 2 || coverage.has(it)) {
                continue;
            }
            let case = Case::draw(seed, number, &drawn, false);
            let situation = case.situation().unwrap_or_else(|error| panic!("{case}: {error}"));
            assert_eq!(situation, planned, "seed {seed}: {case} is not what was planned");
            let difference = Trial::new(&subject, &case.rule, number)
                .and_then(|mut trial| trial.difference(&case.board, case.generations.min(40), case.cut))
                .unwrap_or_else(|error| panic!("{case}: {error}"));
            assert_eq!(difference, None, "{kind}, seed {seed}, {case}, {situation}");
            coverage.note(&situation);
        }
    }
    let untried: Vec<String> =
        coverage.by_combination(2).filter(|(_, cases)| *cases == 0).map(|(pair, _)| pair).collect();
    assert_eq!(untried, Vec::<String>::new(), "{kind}, seed {seed}: pairs that were not tried");
}

#[test]
fn all_pairs_that_are_possible_are_drawn_and_equal_on_cpu() {
    all_pairs_are_equal_on(EngineKind::Cpu, 3);
}

#[test]
fn all_pairs_that_are_possible_are_drawn_and_equal_on_gpu() {
    all_pairs_are_equal_on(EngineKind::Gpu, 4);
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
    let difference = Trial::new(&subject, &rule, failure.case)
        .and_then(|mut trial| trial.difference(&board, failure.generations, 0))
        .expect("it runs");
    assert!(difference.is_some(), "it fails again");
}

#[test]
fn the_neighbourhood_that_is_shown_is_that_of_the_generation_before() {
    let report = verify(
        &Plan { cases: 60, ..plan(Some("Immigration:T5,5")) },
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
    let schedule = Schedule::new(1);
    let laws = (0..800).filter(|group| group % 2 == 1).filter_map(|group| {
        let law = case::draw_rule(1, group, &schedule).law?;
        (law.to_string().len() > 60 && law.to_string().starts_with("law 2")).then_some((group, law))
    });
    let caught = laws.take(20).find_map(|(group, law)| {
        let plan = Plan { first: group * case::CASES_OF_A_RULE, cases: case::CASES_OF_A_RULE, ..plan(None) };
        Some((verify(&plan, &[broken()], |_| ()).expect("it runs").failure?, law))
    });
    let (failure, law) = caught.expect("the fault is caught");
    let (shown, whole) = (failure.rule.name().len(), law.rule().expect("a law").name().len());
    assert!(shown < whole, "{failure}\nis no simpler than {law}");
    assert!(failure.to_string().contains("--cases 1 --engines broken"), "{failure}");
}
