//! A GPU that is lost in the middle of a run: really, and so in a process of its own.

use std::process::Command;
use std::sync::Arc;

use biota::board::Board;
use biota::coords::{Coords, Rect};
use biota::engine::gpu::Gpu;
use biota::engine::{Cancel, Edit, Engine, EngineError, EngineKind, GpuEngine};
use biota::rule::Rule;
use biota::session::{EngineChoice, Session};

use crate::common::{difference, rule, soup, stepped};

/// Set for the process that loses its GPU.
const LOSES: &str = "BIOTA_TEST_LOSES_GPU";

/// Whether this is a process of its own; else the test of this name is run in one.
fn alone(name: &str) -> bool {
    if std::env::var_os(LOSES).is_some() {
        return true;
    }
    let own = std::env::current_exe().expect("a path");
    let output = Command::new(own)
        .args(["--exact", name, "--nocapture"])
        .env(LOSES, "1")
        .output()
        .expect("the tests can be started");
    let said =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "in a process of its own:\n{said}");
    assert!(said.contains("1 passed"), "{name} was run:\n{said}");
    false
}

fn board_and_rule() -> (Board, Rule) {
    // Coins: whoever goes on has to toss the same.
    let rule = rule("P2Life:T300,280");
    (soup(&rule, Rect::new(0, 0, 300, 280), 0.4, 7), rule)
}

/// Has the GPU of a session destroyed, between two steps or during them, and sees that the session goes on.
fn lose_in_a_run(during: bool) {
    let (board, rule) = board_and_rule();
    let mut session =
        Session::new(&rule, board.clone(), EngineChoice::Fixed(EngineKind::Gpu)).expect("a session");
    let gpu = Arc::clone(session.engine().as_gpu().expect("on the GPU").gpu());
    assert_eq!(session.step(30, &Cancel::never()).expect("it runs"), 30, "as long as there is a GPU");
    std::thread::scope(|scope| {
        let destroyer = scope.spawn(|| gpu.device().destroy());
        if !during {
            destroyer.join().expect("destroyed");
        }
        while session.engine().kind() == EngineKind::Gpu {
            session.step(1, &Cancel::never()).expect("it goes on somewhere");
        }
    });
    let notice = session.take_notice().expect("a notice");
    assert!(notice.contains("the GPU was lost"), "{notice}");
    assert!(notice.ends_with("the cpu engine goes on from generation 0"), "{notice}");
    assert_eq!(session.generation(), 0, "the board that was held last");
    session.step(50, &Cancel::never()).expect("it runs");
    let found = session.engine_mut().snapshot().expect("a board");
    assert_eq!(difference(&stepped(EngineKind::Cpu, &rule, &board, 50), &found), None, "during: {during}");
    let again = Gpu::shared().expect("it is opened anew");
    assert!(!Arc::ptr_eq(&gpu, &again), "it is another one");
    session.set_engine(EngineChoice::Fixed(EngineKind::Gpu)).expect("back to the GPU");
    session.step(25, &Cancel::never()).expect("it runs");
    let found = session.engine_mut().snapshot().expect("a board");
    assert_eq!(session.engine().kind(), EngineKind::Gpu, "on the new one");
    assert_eq!(difference(&stepped(EngineKind::Cpu, &rule, &board, 75), &found), None, "during: {during}");
}

#[test]
fn a_session_goes_on_after_its_gpu_was_lost() {
    if alone("lost::a_session_goes_on_after_its_gpu_was_lost") {
        lose_in_a_run(false);
        lose_in_a_run(true);
    }
}

#[test]
fn an_engine_whose_gpu_was_lost_gives_errors() {
    if !alone("lost::an_engine_whose_gpu_was_lost_gives_errors") {
        return;
    }
    let (board, rule) = board_and_rule();
    let mut engine = GpuEngine::new(&rule).expect("an engine");
    engine.load(&board).expect("it fits");
    engine.gpu().device().destroy();
    let edits = [Edit { at: Coords::new(1, 1), state: 1 }];
    let answers: [(&str, Result<(), EngineError>); 8] = [
        ("step", engine.step(40, &Cancel::never()).map(|_| ())),
        ("tally", engine.tally().map(|_| ())),
        ("snapshot", engine.snapshot().map(|_| ())),
        ("write", engine.write(&edits)),
        ("preview", engine.preview()),
        ("show", engine.show(board.clone())),
        ("load", engine.load(&board)),
        ("step again", engine.step(1, &Cancel::never()).map(|_| ())),
    ];
    for (what, answer) in answers {
        assert!(matches!(answer, Err(EngineError::DeviceLost(_))), "{what}: {answer:?}");
    }
    let mut other = GpuEngine::new(&rule).expect("an engine on a new device");
    other.load(&board).expect("it fits");
    drop(engine);
    other.step(9, &Cancel::never()).expect("it runs");
    let found = other.snapshot().expect("a board");
    assert_eq!(difference(&stepped(EngineKind::Cpu, &rule, &board, 9), &found), None, "generation 9");
}
