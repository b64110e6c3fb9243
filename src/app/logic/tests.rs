//! The model without controls: boards that come and go, and what holds still for them.

use std::time::Duration;

use super::*;
use crate::pattern::{Limits, Pattern, open};

/// A model on a soup of the CPU engine.
fn model(rule: &str, side: i64) -> Model {
    let source = Source::Soup { width: side, height: side, densities: vec![0.3] };
    let (session, _) =
        source.session(Some(rule), 1, EngineChoice::Fixed(EngineKind::Cpu)).unwrap_or_else(|e| panic!("{e}"));
    let mut model = Model::new(session, "A soup".to_owned(), "About it".to_owned(), Vec::new());
    model.clock = Clock::driven();
    model.camera.set_viewport(900.0, 600.0, 1.0);
    frame(&mut model);
    model
}

/// One frame of time.
fn frame(model: &mut Model) -> Option<Duration> {
    model.clock.next_frame();
    model.advance()
}

/// How long a thread may take, however busy the machine is.
const PATIENCE: Duration = Duration::from_mins(2);

/// Lets frames go by until something is so; threads may be at work meanwhile.
fn wait_until(model: &mut Model, what: &str, so: impl Fn(&Model) -> bool) {
    let begin = std::time::Instant::now();
    while begin.elapsed() < PATIENCE {
        frame(model);
        if so(model) {
            return;
        }
        std::thread::yield_now();
    }
    panic!("waited in vain until {what}: {:?}", model.take_notices());
}

/// Does something, and waits until no thread is at work.
fn perform(model: &mut Model, command: Command) {
    let what = format!("{command:?} is done");
    model.perform(command);
    wait_until(model, &what, |model| model.job.is_none() && model.saving.is_empty() && model.steps == 0);
}

fn hash(model: &mut Model) -> u64 {
    model.session.hash().expect("a hash")
}

#[test]
fn what_took_a_boards_place_is_taken_back_and_comes_again() {
    let mut model = model("Immigration:T90,70", 90);
    perform(&mut model, Command::Step);
    let before = hash(&mut model);
    let keys = Command::of_key(egui::Key::Z, egui::Modifiers::COMMAND);
    assert_eq!(keys, Some(Command::Undo), "Ctrl+Z");
    assert!(!model.view().can_undo, "nothing came before");
    for command in [
        Command::Clear,
        Command::Reset,
        Command::NewSoup,
        Command::LoadShipped("methuselahs/acorn".to_owned()),
        Command::SetTopology(Topology::Plane { width: 20, height: 20 }),
        Command::SetRule("B3/S23".to_owned()),
    ] {
        perform(&mut model, command.clone());
        let after = hash(&mut model);
        assert_ne!(after, before, "{command:?} did something: {:?}", model.take_notices());
        // Another engine takes nothing away.
        perform(&mut model, Command::SetEngine(EngineChoice::Fixed(EngineKind::Oracle)));
        assert_eq!((model.view().engine, hash(&mut model)), (EngineKind::Oracle, after), "{command:?}");
        perform(&mut model, Command::Undo);
        let view = model.view();
        assert_eq!(
            (view.title, view.about, view.generation, view.rule.name(), view.engine),
            ("A soup", "About it", 1, "Immigration", EngineKind::Cpu),
            "{command:?} is taken back"
        );
        assert_eq!(hash(&mut model), before, "{command:?} is taken back");
        perform(&mut model, Command::Undo);
        assert_eq!(hash(&mut model), after, "{command:?} comes again");
        perform(&mut model, Command::Undo);
    }
}

#[test]
fn a_rule_an_engine_and_a_shape_go_on_from_the_present_generation() {
    // Of several pieces.
    let (mut model, mut other) =
        (model("Immigration:T2100,2100", 2100), model("Immigration:T2100,2100", 2100));
    let mut expect = |model: &mut Model, what: &str, change: &dyn Fn(&mut Session)| {
        for _ in 0..2 {
            perform(model, Command::Step);
            other.session.step(1, &Cancel::never()).expect("a step");
        }
        assert!(model.session.pieces().expect("pieces").len() > 1, "{what}: in pieces");
        change(&mut other.session);
    };
    let shape = Topology::Torus { width: 2200, height: 2500 };
    expect(&mut model, "shape", &|session| {
        session.set_rule(&session.rule().with_topology(shape)).expect("another shape");
    });
    perform(&mut model, Command::SetTopology(shape));
    assert_eq!(model.session.rule(), other.session.rule(), "the shape");
    assert_eq!((model.session.generation(), hash(&mut model)), (2, hash(&mut other)), "the shape");
    // Back at the start, with the life of the start in the new shape.
    perform(&mut model, Command::Reset);
    other.session.reset().expect("a reset");
    assert_eq!((model.session.generation(), hash(&mut model)), (0, hash(&mut other)), "the start");
}

#[test]
fn a_board_holds_still_while_it_is_saved_and_runs_on_afterwards() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut model = model("Immigration:T2100,2100", 2100);
    for file in ["start.rle", "later.rle", "later.mc"] {
        let (path, generation) = (folder.path().join(file), model.session.generation());
        let expected = hash(&mut model);
        model.set_playing(true);
        model.speed = Speed::PerFrame(1);
        // A piece of the board a frame. At its start all of it is there already, and is given at once.
        model.clock.hurry(true);
        model.perform(Command::SaveFile(path.clone()));
        wait_until(&mut model, "the board is asked for", |model| {
            model.holding().is_some() || model.saving.is_empty()
        });
        assert!(generation == 0 || model.holding().is_some(), "{file}: it holds still while pieces are read");
        if let Some(what) = model.holding() {
            assert!(what.starts_with("Saving"), "{what}");
            let before = model.session.generation();
            model.perform(Command::SetTool(Tool::Draw(1)));
            model.perform(Command::Stroke((5.0, 5.0), (5.0, 5.0)));
            assert!(
                model.take_notices().iter().any(|(_, text)| text.contains("holds still")),
                "the pen has to wait"
            );
            frame(&mut model);
            assert_eq!(model.session.generation(), before, "it holds still");
        }
        model.clock.hurry(false);
        wait_until(&mut model, "it is saved", |model| model.saving.is_empty());
        wait_until(&mut model, "it runs on", |model| model.session.generation() > generation);
        model.set_playing(false);
        let saved: Pattern =
            open(&path, &Limits::default()).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(saved.name.as_deref(), Some("A soup"), "{file}: its name");
        // It may have run until it was asked for.
        let (mut session, _) = Source::Soup { width: 1, height: 1, densities: vec![0.3] }
            .session(Some("Immigration:T2100,2100"), 1, EngineChoice::Fixed(EngineKind::Cpu))
            .expect("a session");
        let mut left = saved.generation;
        while left > 0 {
            left -= session.step(left, &Cancel::never()).expect("steps");
        }
        let board = saved.to_board(session.rule().topology()).expect("placed").board;
        assert_eq!(board.hash(), session.hash().expect("a hash"), "{file}: generation {}", saved.generation);
        if saved.generation == generation {
            assert_eq!(board.hash(), expected, "{file}");
        }
    }
}

#[test]
fn a_job_that_is_stopped_leaves_no_file_and_the_board_as_it_was() {
    let mut model = model("Immigration:T2100,2100", 2100);
    perform(&mut model, Command::Step);
    let before = hash(&mut model);
    model.perform(Command::SetTopology(Topology::Torus { width: 2200, height: 2200 }));
    frame(&mut model);
    model.perform(Command::Escape);
    assert!(model.holding().is_none() && model.job.is_none(), "it is let go of");
    perform(&mut model, Command::Step);
    assert_eq!(model.session.generation(), 2, "it goes on");
    perform(&mut model, Command::Reset);
    perform(&mut model, Command::Step);
    assert_eq!(hash(&mut model), before, "as it was");
}

#[test]
fn fit_shows_life_and_then_the_board_and_follow_goes_with_it_until_a_hand_moves_the_view() {
    let mut model = model("Life:T2000,2000", 10);
    perform(&mut model, Command::LoadShipped("methuselahs/acorn".to_owned()));
    perform(&mut model, Command::SetTopology(Topology::Torus { width: 2000, height: 2000 }));
    let life = model.session.tally().expect("a tally").bounding_box.expect("life");
    model.perform(Command::Fit);
    let visible = model.camera.visible();
    assert!(visible.contains_rect(life) && visible.width < 100, "life alone: {visible:?}");
    model.perform(Command::Fit);
    let visible = model.camera.visible();
    assert!(visible.contains_rect(Rect::new(0, 0, 2000, 2000)), "the board: {visible:?}");
    model.perform(Command::Fit);
    let key = Command::of_key(egui::Key::T, egui::Modifiers::NONE).expect("a key");
    model.perform(key);
    model.set_playing(true);
    model.speed = Speed::PerFrame(40);
    wait_until(&mut model, "the view has gone with it", |model| {
        model.session.generation() > 3000 && model.camera.visible().width > 100
    });
    model.set_playing(false);
    // Until the view has arrived, nothing else being to come.
    let frames = (0..400).take_while(|_| frame(&mut model).is_some()).count();
    assert!((1..400).contains(&frames), "it arrives within seconds: {frames} frames");
    let life = model.session.tally().expect("a tally").bounding_box.expect("life");
    assert!(model.camera.visible().contains_rect(life), "{life:?} in {:?}", model.camera.visible());
    assert!(model.view().follows, "it still does");
    model.perform(Command::Pan(1.0, 0.0));
    assert!(!model.view().follows, "a hand ends it");
}

#[test]
fn a_board_holds_still_until_it_is_drawn_and_frames_stop_when_all_is_at_rest() {
    let mut model = model("Immigration:T90,70", 90);
    wait_until(&mut model, "it is counted", |model| model.counting.is_none() && model.fitted);
    assert_eq!(frame(&mut model), None, "nothing is to come");
    model.set_playing(true);
    model.speed = Speed::PerFrame(3);
    model.is_drawn = false;
    for _ in 0..5 {
        assert_eq!(frame(&mut model), Some(Duration::ZERO), "it runs");
        assert_eq!(model.session.generation(), 0, "but a picture of it is still made");
    }
    model.is_drawn = true;
    wait_until(&mut model, "it goes on", |model| model.session.generation() >= 3);
}

#[test]
fn a_rule_that_is_run_as_its_dual_is_told_of() {
    let mut model = model("Immigration:T90,70", 90);
    model.take_notices();
    let mut told = |command| {
        perform(&mut model, command);
        let notices = model.take_notices();
        notices
            .iter()
            .any(|(severity, text)| *severity == Severity::Info && text.contains("its dual B3/S23 is run"))
    };
    assert!(told(Command::SetRule("B0123478/S01234678".to_owned())), "typed");
    assert!(!told(Command::SetTopology(Topology::Plane { width: 20, height: 20 })), "reshaped");
    assert!(!told(Command::SetRule("B03/S23".to_owned())), "as it is written");
}
