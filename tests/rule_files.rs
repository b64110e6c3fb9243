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

/// How many electrons pass each of the places `ends` when electrons start at `inputs` in a circuit of copper.
fn electrons(circuit: &[&str], inputs: &[(i64, i64)], ends: &[(i64, i64)], generations: u64) -> Vec<u64> {
    let wires = of_file("WireWorld.rule");
    let mut start = board(&wires, circuit);
    for &(x, y) in inputs {
        assert_eq!(start.cells.get(Coords::new(x, y)), 3, "({x}, {y}) is a wire");
        start.cells.set(Coords::new(x, y), 1).expect("near");
    }
    let mut passed = vec![0; ends.len()];
    let mut now = start;
    for _ in 0..generations {
        now = stepped(EngineKind::Oracle, &wires, &now, 1);
        for (count, &(x, y)) in passed.iter_mut().zip(ends) {
            *count += u64::from(now.cells.get(Coords::new(x, y)) == 1);
        }
    }
    passed
}

/// Gates from the files of Golly's collection (gate-XOR, gate-AND): an electron is a lone head at a wire's end.
#[test]
fn gates_of_wireworld_answer_as_their_makers_say() {
    let exclusive_or = [".C", ".C", ".C", ".C", "CCCC", "C.CCCCCCCCCC", "CCCC", ".C", ".C", ".C", ".C"];
    let and = [
        "....CCCCCC",
        "..........C",
        "CCCCCC.....CCC",
        "......C.C.C...C",
        ".......CCC....C",
        "........C.C.C.C",
        "...........CCC",
        "............C.CCCCCCCCCC",
    ];
    for bits in 0..4usize {
        let [one, two] = [bits & 1, bits >> 1];
        let pick = |inputs: [(i64, i64); 2]| -> Vec<(i64, i64)> {
            inputs.into_iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, at)| at).collect()
        };
        let (top, bottom) = ((1, 0), (1, 10));
        // Nothing goes back, or from one input to the other.
        let found = electrons(&exclusive_or, &pick([top, bottom]), &[(11, 5), top, bottom], 25);
        assert_eq!(found, [u64::from(one != two), 0, 0], "exclusive or of {one} and {two}");
        let found = electrons(&and, &pick([(4, 0), (0, 2)]), &[(23, 7)], 40);
        assert_eq!(found, [u64::from(one + two == 2)], "and of {one} and {two}");
    }
}

/// Dewdney's diode, by hand: from the left three heads stand before the wire that goes on, from the right two.
#[test]
fn a_diode_of_wireworld_conducts_from_right_to_left_only() {
    let diode = ["....CC", "CCCC.CCCCCCC", "....CC"];
    let (left, right) = ((0, 1), (11, 1));
    assert_eq!(electrons(&diode, &[left], &[right], 25), [0], "from the left");
    assert_eq!(electrons(&diode, &[right], &[left], 25), [1], "from the right");
}

/// Where `pattern`, in some rotation, stands in `cells`, by its quarter turns.
fn copies(cells: &Cells, pattern: &Cells) -> Vec<usize> {
    let mut found = Vec::new();
    let mut turned: Vec<(i64, i64, State)> = pattern.iter().map(|(at, s)| (at.x, at.y, s)).collect();
    for turns in 0..4 {
        let (x0, y0, first) = turned[0];
        let stands = |dx: i64, dy: i64| {
            turned.iter().all(|&(x, y, state)| cells.get(Coords::new(x + dx, y + dy)) == state)
        };
        let places = cells.iter().filter(|(at, state)| *state == first && stands(at.x - x0, at.y - y0));
        found.extend(places.map(|_| turns));
        for cell in &mut turned {
            *cell = (-cell.1, cell.0, cell.2);
        }
    }
    found
}

/// Langton 1984 and Byl 1989: 86 cells that have a child in 151 generations, 12 cells that have one in 25.
#[test]
fn loops_have_children_in_their_published_times() {
    for (name, text, size, period) in [
        (
            "Langtons-Loops",
            ".8B$BAG.AD.ADB$B.6B.B$BGB4.BAB$BAB4.BAB$B.B4.BAB$BGB4.BAB$BA6BA5B$B.GA.GA.G5AB$.13B!",
            86,
            151,
        ),
        ("Byl-Loop", ".2B$BCAB$BCDB$.BE!", 12, 25),
    ] {
        let rule = of_file(&format!("{name}.rule"));
        let parent = pattern(text).cells;
        assert_eq!(parent.tally().population(), size, "{name}: cells");
        let start = Board::with_cells(rule.topology(), parent.clone());
        let before = stepped(EngineKind::Oracle, &rule, &start, period - 1);
        assert!(copies(&before.cells, &parent).is_empty(), "{name}: no loop is complete before");
        let after = stepped(EngineKind::Oracle, &rule, &before, 1);
        assert!(!copies(&after.cells, &parent).is_empty(), "{name}: the child, complete, after {period}");
        assert!(after.cells.tally().population() >= 2 * size - 1, "{name}: and the parent, an arm short");
        // Two of them on their own after twice the time, on a fast engine.
        let fast = stepped(EngineKind::Cpu, &rule, &start, 2 * period);
        let slow = stepped(EngineKind::Oracle, &rule, &after, period);
        assert_eq!(fast.cells, slow.cells, "{name}: engines agree");
        assert!(!copies(&fast.cells, &parent).is_empty(), "{name}: the grandchild");
    }
}

/// Files as editors of all systems leave them.
#[test]
fn a_rule_file_is_the_same_with_any_line_breaks_and_marks() {
    let text = "@RULE Same\n\n@TABLE\nn_states:3\nneighborhood:Moore\nsymmetries:permute\n\
                1,1,0,0,0,0,0,0,0,2\n2,0,0,0,0,0,0,0,0,1\n@COLORS\n1 9 8 7\n";
    let folder = tempfile::tempdir().expect("a folder");
    let plain = biota::rule::RuleFile::parse(text, "Same").unwrap_or_else(|error| panic!("{error}"));
    for (what, changed) in [
        ("a mark", format!("\u{FEFF}{text}")),
        ("DOS", text.replace('\n', "\r\n")),
        ("DOS with a mark", format!("\u{FEFF}{}", text.replace('\n', "\r\n"))),
        ("old Macintosh", text.replace('\n', "\r")),
        ("blank lines", format!("\n \n{text}")),
        ("a comment above", format!("# mine\n{text}")),
    ] {
        let read =
            biota::rule::RuleFile::parse(&changed, "Same").unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(read.rule(), plain.rule(), "{what}: the rule");
        assert!(read.text().starts_with("@RULE Same\n"), "{what}: {:?}", read.text());
        // And it comes back with a pattern that it was saved with.
        let path = folder.path().join("Same.rule");
        std::fs::write(&path, &changed).expect("written");
        let rule =
            library::open(path.to_str().expect("UTF-8")).unwrap_or_else(|error| panic!("{what}: {error}"));
        let start = soup(&rule, Rect::new(0, 0, 9, 9), 0.4, 1);
        let mut saved = Vec::new();
        let pattern =
            Pattern { rule_file: rule.file_text().map(str::to_owned), ..Pattern::from_board(&start, &rule) };
        write_rle(&mut saved, &pattern, 3).expect("written");
        let again = read_bytes(&saved);
        let back = rule_of(&again, None).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(
            back.file_text().map(str::trim_end),
            Some(text.trim_end()),
            "{what}: the file in the pattern"
        );
    }
}

fn read_bytes(bytes: &[u8]) -> Pattern {
    read(bytes, &Limits::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn wrong_rule_files_say_where_and_what() {
    let head = "@RULE T\n@TABLE\nn_states:3\nneighborhood:vonNeumann\nsymmetries:none\n";
    for (text, line, column, part) in [
        // A mark and DOS line breaks don't move the place.
        ("\u{FEFF}@RULE T\r\n@TABLE\r\nn_states:300\r\n".to_owned(), 3, 10, "at most 256"),
        ("@RULE T\r@TABLE\rn_states:0\r".to_owned(), 3, 10, "min 2"),
        ("@RULE T\n@TABLE\nn_states: 3.5\n".to_owned(), 3, 11, "a number"),
        ("@RULE T\n@TABLE\nn_states:-3\n".to_owned(), 3, 10, "a number"),
        ("@RULE T\n@TABLE\nn_states:99999999999999999999\n".to_owned(), 3, 10, "at most 256"),
        ("@RULE T\n@TABLE\n".to_owned(), 3, 1, "missing"),
        ("@TABLE\nn_states:2\n".to_owned(), 1, 1, "begins with @RULE"),
        ("@RULES T\n".to_owned(), 1, 1, "begins with @RULE"),
        (format!("{head}var a={{b}}\nvar b={{a}}\n"), 6, 8, "neither a state nor a variable from above"),
        (format!("{head}var a={{a}}\n"), 6, 8, "neither a state nor a variable from above"),
        (format!("{head}var a={{}}\n"), 6, 9, "var a="),
        (format!("{head}var a\n"), 6, 6, "var a="),
        (format!("{head}var 1={{0,1}}\n"), 6, 5, "no number"),
        (format!("{head}var a={{0,1}}\n0,a,a,a,a\n"), 7, 10, "too few"),
        (format!("{head}var a={{0,1}}\n0,a,b,a,a,1\n"), 7, 5, "neither"),
        (format!("{head}0,0,0,0,0,7\n"), 6, 11, "at most 2"),
        (format!("{head}000\n"), 6, 4, "too few"),
        (format!("{head}0000x0\n"), 6, 5, "neither"),
        (format!("{head}neighborhood:Moore\n"), 6, 1, "before symmetries"),
        (
            "@RULE T\n@TREE\nnum_states=2\nnum_neighbors=8\nnum_nodes=99999999999\n".to_owned(),
            5,
            11,
            "at most",
        ),
        ("@RULE T\n@TREE\nnum_states=2\nnum_neighbors=4\nnum_nodes=2\n2 0 0\n".to_owned(), 6, 3, "depth 1"),
        (
            "@RULE T\n@TREE\nnum_states=2\nnum_neighbors=4\nnum_nodes=2\n1 0 0 0\n".to_owned(),
            6,
            7,
            "2 entries",
        ),
        ("@RULE T\n@TREE\n".to_owned(), 1, 1, "no nodes"),
    ] {
        let error = biota::rule::RuleFile::parse(&text, "T").expect_err(&text);
        assert_eq!((error.line, error.column), (line, column), "{error}\nof {text:?}");
        assert!(error.message.contains(part), "{error}\nof {text:?}: {part:?} was expected");
        assert!(!error.one_line().contains('\n'), "one line: {error}");
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
    // One of the user's comes before a built-in rule of that name, which no other test in this process may meet.
    let shipped = tempfile::tempdir().expect("a folder");
    for entry in std::fs::read_dir(folder()).expect("rule files").map(|entry| entry.expect("an entry").path())
    {
        let name = entry.file_name().expect("a name").to_owned();
        if name != "Immigration.rule" {
            std::fs::copy(&entry, shipped.path().join(name)).expect("copied");
        }
    }
    let folders = [own.path().join("missing"), own.path().to_owned(), shipped.path().to_owned()];
    library::search_in(folders.to_vec());

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
    let own = run("Immigration:T20,20");
    let says_so =
        own.1.contains("note: your own rule file Immigration is run, not the built-in rule of that name");
    assert!(own.0 && says_so, "{own:?}");
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
