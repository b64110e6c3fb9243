//! Laws from outside: on every engine, in saved files, in files of their own.

use std::fs;

use assert_cmd::Command;
use biota::board::Topology;
use biota::coords::Rect;
use biota::engine::EngineKind;
use biota::pattern::{self, Limits, Pattern};
use biota::rule::parse;

use crate::common::{difference, rule, soup, stepped};

/// Laws of one to four species, with parities, coins, takeovers and ties of all kinds.
const LAWS: [&str; 7] = [
    "law 1 { born own == 3 || own == 6 && x % 2 == 0; survive own in 2..=3 }",
    "law 2 { born own == 3; survive own - other in 2..=3 || own - other == 1 && own >= 2; tie coin }",
    "law 2 { born total == 3 && own >= 2; survive total in 2..=3 && !(coin && other > own) }",
    "law 2 { born total == 3 && own > other; survive total in 2..=3; take own >= 3 && (x + y) % 2 == 1 }",
    "law 2 { born total in [2, 4] && own >= other; survive own == 1 && generation % 2 == 0; tie parity }",
    "law 3 { born own == 2 && rival < 2; survive own == 3 || total == 4 && coin }",
    "law 4 { born total == 4 && own >= rival; survive total in 3..=5; tie coin }",
];

#[test]
fn laws_are_the_same_on_every_engine() {
    for (seed, text) in (0u64..).zip(LAWS) {
        let rule = rule(text).with_topology(Topology::Torus { width: 66, height: 35 });
        let board = soup(&rule, Rect::new(0, 0, 66, 35), 0.4, seed);
        let expected = stepped(EngineKind::Oracle, &rule, &board, 33);
        for kind in [EngineKind::Cpu, EngineKind::Gpu] {
            let found = stepped(kind, &rule, &board, 33);
            assert_eq!(difference(&expected, &found), None, "{kind}, {rule}, seed {seed}, generation 33");
        }
    }
}

#[test]
fn a_saved_board_comes_back_with_its_law() {
    let folder = tempfile::tempdir().expect("a folder");
    for (seed, text) in (0u64..).zip(LAWS) {
        for topology in ["", ":T40,30", ":P40,30"] {
            let rule = parse(&format!("{text}{topology}")).unwrap_or_else(|error| panic!("{error}"));
            let board = soup(&rule, Rect::new(0, 0, 40, 30), 0.3, seed);
            let path = folder.path().join("law.rle");
            let saved = Pattern::from_board(&board, &rule);
            pattern::save(&path, &saved, rule.states()).expect("saved");
            let read = pattern::open(&path, &Limits::default()).expect("readable");
            let back = parse(read.rule.as_deref().expect("a rule")).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(back, rule, "{text}{topology}");
            let placed = read.to_board(back.topology()).expect("on the board");
            assert_eq!(placed.board.cells, board.cells, "{text}{topology}");
        }
    }
}

/// What `biota run` prints of a soup under a rule, or its error.
fn run(rule: &str) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_biota"));
    command.args([
        "run",
        "--soup",
        "40x30",
        "--engine",
        "cpu",
        "--generations",
        "5",
        "--json",
        "--rule",
        rule,
    ]);
    let output = command.output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

#[test]
fn a_law_is_kept_in_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.law");
    let name = path.to_str().expect("UTF-8");
    fs::write(&path, "# mine\nlaw 2 {\n  born own == 3;  # three\n  tie none\n}\n").expect("written");
    for typed in [name.to_owned(), format!("@{name}")] {
        let printed = run(&typed).unwrap_or_else(|error| panic!("{error}"));
        assert!(printed.contains("\"law2{born=own==3;tie=none}:T40,30\""), "{printed}");
    }
    fs::write(&path, "law 2 {\n  born own == 3;\n  survive owl == 2\n}\n").expect("written");
    let error = run(name).expect_err("a wrong law");
    assert!(error.contains("mine.law: line 3, column 11: 'owl' is not known"), "{error}");
    assert_eq!(error.trim_end().lines().count(), 1, "{error}");
    assert!(run("@nowhere.law").expect_err("no file").starts_with("error: nowhere.law"), "named");
}
