//! Rule files at work: known answers, circuits, rules found by name, and rules that travel with a pattern.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use biota::board::{Board, Cells};
use biota::cell::State;
use biota::coords::{Coords, Rect};
use biota::engine::EngineKind;
use biota::palette::Rgb;
use biota::pattern::{Limits, Pattern, read, write_rle};
use biota::rule::table::TransitionTable;
use biota::rule::{Rule, library, parse};
use biota::session::{EngineChoice, Source, rule_of};

use crate::common::{difference, soup, stepped};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/rules")
}

/// The rule of a file of the folder, by its path.
fn of_file(name: &str) -> Rule {
    let path = folder().join(name);
    library::open(path.to_str().expect("UTF-8")).unwrap_or_else(|error| panic!("{error}"))
}

fn board(rule: &Rule, picture: &[&str]) -> Board {
    let mut cells = Cells::new();
    for (y, row) in (0..).zip(picture) {
        for (x, cell) in (0..).zip(row.bytes()) {
            let state = if cell == b'.' { 0 } else { cell - b'A' + 1 };
            cells.set(Coords::new(x, y), state).expect("near");
        }
    }
    Board::with_cells(rule.topology(), cells)
}

#[test]
fn an_electron_takes_as_long_as_its_loop_is() {
    let wires = of_file("WireWorld.rule");
    // Twelve cells, each with two neighbours on the wire.
    let start = board(&wires, &[".BACC.", "C....C", "C....C", ".CCCC."]);
    for generations in 1..=36 {
        let now = stepped(EngineKind::Oracle, &wires, &start, generations);
        let back = now.cells == start.cells;
        assert_eq!(back, generations % 12 == 0, "after {generations} generations");
        let electrons = now.cells.tally().by_state(4);
        assert_eq!(electrons, [1, 1, 10], "one head, one tail after {generations} generations");
    }
}

#[test]
fn two_wires_that_meet_are_an_or() {
    let wires = of_file("WireWorld.rule");
    for inputs in 0..4u8 {
        let wire = |bit: u8| if inputs >> bit & 1 == 1 { "BACC....." } else { "CCCC....." };
        let start = board(&wires, &[wire(0), "....CCCCC", wire(1)]);
        let passes: u64 = (0..12)
            .map(|generations| {
                let now = stepped(EngineKind::Oracle, &wires, &start, generations);
                u64::from(now.cells.get(Coords::new(8, 1)) == 1)
            })
            .sum();
        assert_eq!(passes, u64::from(inputs > 0), "electrons at the end for inputs {inputs:02b}");
    }
}

#[test]
fn the_table_of_immigration_is_the_built_in_rule() {
    let (ours, theirs) = (parse("Immigration").expect("built in"), of_file("Immigration.rule"));
    assert_eq!(theirs.depends_on(), ours.depends_on(), "only counts matter");
    let [ours, theirs] =
        [&ours, &theirs].map(|rule| TransitionTable::enumerate(rule.ruleset()).expect("a table"));
    assert_eq!(ours.cases, theirs.cases, "case by case");
}

#[test]
fn a_table_that_counts_is_compiled() {
    for name in ["Immigration.rule", "Brain-table.rule"] {
        let rule = of_file(name).with_topology("B3/S23:T37,29".parse::<Rule>().expect("a torus").topology());
        rule.kernel().unwrap_or_else(|error| panic!("{name}: {error}"));
        let start = soup(&rule, Rect::new(0, 0, 37, 29), 0.4, 5);
        let [slow, fast] = [EngineKind::Oracle, EngineKind::Cpu].map(|kind| stepped(kind, &rule, &start, 20));
        assert_eq!(difference(&slow, &fast), None, "{name}");
    }
}

#[test]
fn hexagons_turn_and_mirror() {
    let sparks = of_file("HexSpark.rule");
    // Two that touch along each of the three axes give birth to the two cells that touch both.
    for (dx, dy, born) in [(1, 0, [(0, -1), (1, 1)]), (1, 1, [(1, 0), (0, 1)]), (0, 1, [(1, 1), (-1, 0)])] {
        let mut cells = Cells::new();
        for (x, y) in [(0, 0), (dx, dy)] {
            cells.set(Coords::new(x, y), 1).expect("near");
        }
        let now = stepped(EngineKind::Oracle, &sparks, &Board::with_cells(sparks.topology(), cells), 1);
        let mut expected: Vec<(i64, i64, State)> =
            born.iter().map(|&(x, y)| (x, y, 1)).chain([(0, 0, 2), (dx, dy, 2)]).collect();
        expected.sort_unstable();
        let mut found: Vec<(i64, i64, State)> =
            now.cells.iter().map(|(at, state)| (at.x, at.y, state)).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "axis ({dx}, {dy})");
    }
}

#[test]
fn rules_are_found_by_name() {
    let own = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(own.path().join(name), text).expect("written");
    write("B34_S34.rule", "@RULE B34_S34\n@COLORS\n1 9 8 7\n@NAMES\n1 dweller\n");
    write("Broken.rule", "@RULE Broken\n@TABLE\nn_states:9999\n");
    library::search_in(vec![own.path().join("missing"), own.path().to_owned(), folder()]);

    let hex = parse("hexspark:T64,32").expect("found in any case");
    assert_eq!(hex.to_string(), "HexSpark:T64,32", "canonical");
    assert_eq!(hex.states(), 3, "states");
    assert_eq!(parse("Creeper").expect("without commas").states(), 3, "Creeper");
    assert_eq!(parse("Traffic").expect("an old table").states(), 2, "Traffic");

    let brain = parse("Brain-tree").expect("a tree");
    assert_eq!(brain.colour(2), Some(Rgb([0, 0, 200])), "colours of Brain-shared");
    assert_eq!(brain.state_name(1), Some("firing"), "names of Brain-shared");
    assert!(brain.colour(0).is_none(), "the dead have none");
    assert!(parse("Brain-shared").is_err(), "no rule at all");

    let life = parse("B34/S34").expect("built in");
    assert_eq!((life.colour(1), life.state_name(1)), (Some(Rgb([9, 8, 7])), Some("dweller")), "dressed");
    assert!(life.file_text().is_none(), "colours don't state a rule");

    let error = parse("Broken").expect_err("broken");
    assert!(error.message.contains("line 3, column 10"), "{error}");
    let error = parse("HexSpark:T64,x").expect_err("no size");
    assert_eq!(error.column, 13, "{error}");
    for text in ["../rules/HexSpark", "HexSpark.rule", ".hidden", "NoSuchRule"] {
        assert!(parse(text).is_err(), "{text}");
    }
}

const WITH_RULE: &str = "x = 3, y = 1, rule = Swapper:T5,1\nA.B!\n\n@RULE Swapper\n@TABLE\nn_states:3\n\
                         neighborhood:vonNeumann\nsymmetries:permute\nvar a={0,1,2}\nvar b={a}\nvar c={a}\nvar d={a}\n\
                         1,a,b,c,d,2\n2,a,b,c,d,1\n@COLORS\n1 1 1 1\n";

fn pattern(text: &str) -> Pattern {
    read(text.as_bytes(), &Limits::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_rule_travels_with_its_pattern() {
    let source = Source::Pattern(Box::new(pattern(WITH_RULE)));
    let (mut session, notes) =
        source.session(None, 0, EngineChoice::Fixed(EngineKind::Oracle)).expect("a session");
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!(session.rule().to_string(), "Swapper:T5,1", "rule");
    assert_eq!(session.rule().colour(1), Some(Rgb([1, 1, 1])), "colours");
    session.step(1, &biota::engine::Cancel::never()).expect("a step");
    let mut saved = Vec::new();
    write_rle(&mut saved, &session.pattern().expect("a pattern"), 3).expect("written");
    let saved = String::from_utf8(saved).expect("text");
    assert!(saved.contains("B.A!") && saved.contains("@RULE Swapper"), "{saved}");
    let again = rule_of(&pattern(&saved), None).expect("its own rule");
    assert_eq!(&again, session.rule(), "read back");
    assert_eq!(parse("swapper:P3").expect("remembered").to_string(), "Swapper:P3,3", "by name");
}

#[test]
fn a_broken_rule_section_is_only_an_error_where_it_is_needed() {
    let broken = pattern(&WITH_RULE.replace("n_states:3", "n_states:x"));
    let error = rule_of(&broken, None).expect_err("broken");
    assert!(error.message.contains("@RULE section of the pattern, line 3, column 10"), "{error}");
    assert_eq!(rule_of(&broken, Some("B3/S23")).expect("another rule").name(), "B3/S23", "overridden");
}

#[test]
fn the_command_line_takes_rule_files() {
    let run = |rule: &str| {
        let output = Command::cargo_bin("biota")
            .expect("the program")
            .env("BIOTA_RULES", folder())
            .args(["run", "--soup", "20x20", "--engine", "oracle", "--json", "-g", "3", "--rule", rule])
            .output()
            .expect("it runs");
        let text =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (output.status.success(), text)
    };
    let path = folder().join("HexSpark.rule");
    let by_path = run(path.to_str().expect("UTF-8"));
    assert!(by_path.0 && by_path.1.contains("HexSpark:T20,20"), "{by_path:?}");
    let by_name = run("HEXSPARK:P20");
    assert!(by_name.0 && by_name.1.contains("HexSpark:P20,20"), "{by_name:?}");
    let missing = run("no/such.rule");
    assert!(!missing.0 && missing.1.contains("no/such.rule"), "{missing:?}");
}

#[test]
fn rule_files_of_ones_own_are_listed() {
    let output = Command::cargo_bin("biota")
        .expect("the program")
        .env("BIOTA_RULES", folder())
        .args(["rules", "creeper"])
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("Creeper  Creeper"), "{text}");
}
