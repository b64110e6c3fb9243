//! The program as it is typed: what it prints, what it writes, how it fails.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, Write};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// The program, to be given arguments. A hanging one is a failure.
fn biota() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_biota"));
    // Without this folder Mesa's libraries complain on stderr.
    command.env("XDG_RUNTIME_DIR", env!("CARGO_TARGET_TMPDIR"));
    command.timeout(Duration::from_mins(2));
    command
}

/// What came of these arguments, separated by blanks.
fn outcome(arguments: &str) -> Output {
    biota().args(arguments.split(' ')).output().expect("the program runs")
}

/// What is printed by arguments that must be right.
fn printed(arguments: &str) -> String {
    let output = outcome(arguments);
    let (code, stderr) = (output.status.code(), String::from_utf8_lossy(&output.stderr));
    assert_eq!(code, Some(0), "biota {arguments}: {stderr}");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

/// The JSON that is printed by arguments that must be right.
fn json(arguments: &str) -> Value {
    let text = printed(arguments);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("biota {arguments}: {error} in {text}"))
}

/// The error, without `error: `, of arguments that must be wrong; nothing else may be printed.
fn refused(arguments: &str) -> String {
    refusal(arguments, &outcome(arguments))
}

fn refusal(arguments: &str, output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "biota {arguments}: {stderr}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "biota {arguments}: nothing on stdout");
    let text = stderr.strip_prefix("error: ").unwrap_or_else(|| panic!("biota {arguments}: {stderr}"));
    text.trim_end().to_owned()
}

/// A folder with a file in it, and the file's path.
fn file(name: &str, text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, text).expect("a file");
    (folder, path)
}

fn path_text(path: &Path) -> &str {
    path.to_str().expect("paths of tests are UTF-8")
}

#[test]
fn r_pentomino_has_116_cells_at_generation_1103_on_each_engine() {
    let mut hashes = BTreeMap::new();
    for engine in ["auto", "cpu", "gpu", "oracle"] {
        let report = json(&format!("run r-pentomino --generations 1103 --engine {engine} --json"));
        assert_eq!(report["population"], 116, "{engine}: {report}");
        assert_eq!(report["populations"], serde_json::json!([116]), "{engine}: {report}");
        assert_eq!(report["generation"], 1103, "{engine}: {report}");
        assert!(engine == "auto" || report["engine"] == engine, "{engine}: {report}");
        assert_eq!(report["adapter"].is_string(), report["engine"] == "gpu", "{engine}: {report}");
        hashes.insert(report["hash"].as_str().expect("a string").to_owned(), engine);
    }
    assert_eq!(hashes.len(), 1, "one hash on all engines: {hashes:?}");
}

#[test]
fn acorn_settles_at_633_cells_and_diehard_dies() {
    let acorn = json("run acorn --generations 5206 --engine cpu --json");
    assert_eq!(acorn["population"], 633, "{acorn}");
    for (generations, cells) in [(129, 2), (130, 0)] {
        let report = json(&format!("run diehard --generations {generations} --engine cpu --json"));
        assert_eq!(report["population"], cells, "{report}");
        assert_eq!(report["bounding_box"].is_null(), cells == 0, "{report}");
    }
}

#[test]
fn the_duels_of_two_species_end_as_published_on_each_engine() {
    for (pattern, generation, white, black) in [
        ("immigration/duel-of-r-pentominoes", 100, 55, 73),
        ("p2life/duel-of-r-pentominoes", 50, 36, 63),
        ("p2life/duel-of-r-pentominoes", 100, 56, 111),
    ] {
        for engine in ["cpu", "gpu", "oracle"] {
            let report = json(&format!("run {pattern} --generations {generation} --engine {engine} --json"));
            assert_eq!(
                report["populations"],
                serde_json::json!([white, black]),
                "{pattern}, {engine}: {report}"
            );
        }
    }
}

#[test]
fn the_report_in_json_has_exactly_the_keys_of_the_contract() {
    let text =
        printed("run --soup 64x48 --rule Immigration --density 0.2,0.1 --seed 7 --generations 3 --json");
    let wanted = [
        "rule",
        "engine",
        "adapter",
        "generation",
        "population",
        "populations",
        "bounding_box",
        "hash",
        "seconds",
        "kernel",
    ];
    let places: Vec<_> = wanted.iter().map(|key| text.find(&format!("\"{key}\":"))).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "keys in their order: {text}");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report.as_object().map(serde_json::Map::len), Some(wanted.len()), "no other keys: {text}");
    assert_eq!(report["rule"], "Immigration:T64,48", "canonical, with the torus that a soup gets");
    let hash = report["hash"].as_str().expect("a string");
    assert!(hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()), "16 hex digits: {hash}");
    assert_eq!(text.lines().count(), 1, "one line: {text}");
}

#[test]
fn engines_agree_on_the_hash_of_soups_and_of_living_backgrounds() {
    for board in [
        "--soup 67x33 --rule P2Life --seed 3",
        "--soup 20x20 --rule B03/S23: --generations 7",
        "--soup 31x1 --rule B36/S23Immigration-parity:P31,1",
        "immigration/gun-war --generations 60",
    ] {
        let hash = |engine| json(&format!("run {board} --engine {engine} --json"))["hash"].clone();
        let hashes = ["oracle", "cpu", "gpu"].map(hash);
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{board}: {hashes:?}");
    }
}

#[test]
fn the_seed_decides_soups_and_coins() {
    let hash = |seed| json(&format!("run --soup 60x60 --rule P2Life --seed {seed} --json"))["hash"].clone();
    assert_eq!(hash(5), hash(5), "the same seed");
    assert_ne!(hash(5), hash(6), "another seed");
}

#[test]
fn the_summary_draws_a_small_board_with_the_glyphs_of_the_field() {
    let life = printed("run blinker --generations 1 --engine cpu");
    assert!(life.contains("rule        B3/S23\n"), "{life}");
    assert!(life.contains("engine      cpu\n"), "{life}");
    assert!(life.contains("generation  1\n"), "{life}");
    assert!(life.ends_with("\n\n▮\n▮\n▮\n"), "the board: {life}");
    let duel = printed("run immigration/duel-of-r-pentominoes --generations 0");
    assert!(duel.contains("population  10: white 5, black 5\n"), "{duel}");
    assert!(
        duel.ends_with(".oo..................**\noo..................**.\n.o...................*.\n"),
        "{duel}"
    );
    let hexagons = printed("run blinker --generations 0 --rule B2/S34H");
    assert!(hexagons.ends_with("\n\n▮ ▮ ▮\n"), "hexagons stand apart: {hexagons}");
    let torus = printed("run glider --rule Life:T6,5 --generations 0");
    assert!(torus.ends_with("......\n...▮..\n....▮.\n..▮▮▮.\n......\n"), "the whole torus: {torus}");
}

#[test]
fn a_board_wider_than_the_terminal_is_summed_up_only() {
    let text = printed("run --soup 200x3 --generations 1");
    assert!(text.contains("population") && !text.contains(".."), "{text}");
}

#[test]
fn files_that_are_written_hold_the_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = ["a.rle", "b.rle.gz", "c.mc", "d.cells", "e.png"].map(|name| folder.path().join(name));
    let outs: Vec<String> = paths.iter().map(|path| format!("--out {}", path_text(path))).collect();
    let text = printed(&format!("run r-pentomino --generations 200 {}", outs.join(" ")));
    assert_eq!(text, "", "files instead of a summary");
    let direct = json("run r-pentomino --generations 200 --json");
    for path in &paths[..4] {
        let read = json(&format!("run {} --generations 0 --json", path_text(path)));
        assert_eq!(read["population"], direct["population"], "{}", path.display());
        if path.extension().is_some_and(|extension| extension != "cells") {
            assert_eq!(read["hash"], direct["hash"], "{}: the same cells in the same places", path.display());
            assert_eq!(read["generation"], 200, "{}: the generation is kept", path.display());
        }
    }
    let rle = fs::read_to_string(&paths[0]).expect("a file");
    assert!(rle.contains("#N R-pentomino"), "the name is kept: {rle}");
    let picture = fs::File::open(&paths[4]).map(std::io::BufReader::new).expect("a file");
    let picture = png::Decoder::new(picture).read_info().expect("a picture");
    let (width, height) = picture.info().size();
    assert!(width.max(height) >= 512, "a picture of {width} × {height}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 5, "and no temporary file");
}

#[test]
fn a_coloured_board_comes_back_from_rle_on_standard_output() {
    let rle = printed("run immigration/mixed-glider --generations 8 --out -");
    let output = biota()
        .args(["run", "-", "--generations", "4", "--json"])
        .write_stdin(rle.clone())
        .output()
        .expect("the program runs");
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {rle}"));
    let direct = json("run immigration/mixed-glider --generations 12 --json");
    assert_eq!(report["hash"], direct["hash"], "8 + 4 = 12 generations");
}

#[test]
fn a_run_goes_on_from_a_checkpoint_as_if_it_had_not_been_cut() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state.rle.gz");
    let path = path_text(&path);
    for (board, first, rest) in [
        // Coins, on a torus and on the plane.
        ("--soup 60x50 --rule P2Life --seed 5", 200, 300),
        ("--soup 30x20 --rule B36/S23Immigration: --seed 7", 40, 41),
        ("immigration/duel-of-r-pentominoes", 200, 300),
        // A plane that lives at odd generations, at one of them and at an even one.
        ("--soup 20x20 --rule B03/S23: --seed 3", 31, 30),
        ("--soup 20x20 --rule B03/S23: --seed 3", 30, 31),
        // Parity of the generation and of the place.
        ("--soup 33x31 --rule B24/S|B35/S --seed 2", 7, 30),
        ("--soup 33x31 --rule Foundry: --seed 2", 15, 16),
    ] {
        let direct = json(&format!("run {board} --generations {} --engine cpu --json", first + rest));
        printed(&format!("run {board} --generations {first} --engine cpu --checkpoint {path}"));
        let gone_on = json(&format!("run {path} --generations {rest} --engine cpu --json"));
        for key in ["rule", "generation", "population", "bounding_box", "hash"] {
            assert_eq!(gone_on[key], direct[key], "{board}, {first} + {rest}: {key}");
        }
    }
    let typed = json(&format!("run {path} --generations 9 --seed 3 --json"));
    assert_eq!(typed["generation"], 24, "more generations, whatever the seed: {typed}");
    let error = refused("run glider --checkpoint state.cells");
    assert!(error.starts_with("--checkpoint state.cells: a checkpoint is an .rle"), "{error}");
}

/// Sends a signal.
#[cfg(unix)]
fn send(signal: &str, child: &std::process::Child) {
    let sent = std::process::Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success(), "{signal} is sent");
}

/// The names of the files in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
#[cfg(unix)]
fn a_hang_up_that_is_ignored_stays_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("soup.checkpoint.rle");
    let command = "trap '' HUP; exec \"$0\" run --soup 20x20 --generations 1000000000000 --checkpoint-every 1000 \
                   --engine cpu";
    let mut child = std::process::Command::new("sh")
        .args(["-c", command, env!("CARGO_BIN_EXE_biota")])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a shell");
    let begin = Instant::now();
    let generation = || {
        let text = fs::read_to_string(&state).unwrap_or_default();
        text.lines().find_map(|line| line.split("Gen=").nth(1)).map(str::to_owned)
    };
    // Three checkpoints after the signal: were it heard, there would be one more at most.
    let mut last = None;
    for count in 0..4 {
        while generation().is_none_or(|now| Some(now) == last) {
            assert_eq!(child.try_wait().expect("a child"), None, "it goes on");
            assert!(begin.elapsed() < Duration::from_mins(1), "no checkpoint came");
            std::thread::sleep(Duration::from_millis(2));
        }
        last = generation();
        if count == 0 {
            send("HUP", &child);
        }
    }
    send("TERM", &child);
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "other signals are heard");
}

#[test]
#[cfg(target_os = "linux")]
fn one_file_that_fails_does_not_throw_the_others_away() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["full.rle", "full.png", "full.mc.gz"] {
        std::os::unix::fs::symlink("/dev/full", folder.path().join(name)).expect("a link");
    }
    let mut command = biota();
    command.args(["run", "glider", "--generations", "4"]).current_dir(folder.path());
    for out in ["full.rle", "a.rle", "full.png", "b.png", "full.mc.gz", "c.cells"] {
        command.args(["--out", out]);
    }
    let error = refusal("run", &command.output().expect("the program runs"));
    for name in ["full.rle: No space", "full.png: No space", "full.mc.gz: No space"] {
        assert!(error.contains(name), "{name} in {error}");
    }
    assert_eq!(error.lines().count(), 1, "{error}");
    for name in ["a.rle", "c.cells"] {
        let read = json(&format!("run {} --generations 0 --json", path_text(&folder.path().join(name))));
        assert_eq!(read["population"], 5, "{name}");
    }
    assert_eq!(
        names(folder.path()),
        ["a.rle", "b.png", "c.cells", "full.mc.gz", "full.png", "full.rle"],
        "nothing else"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_checkpoint_that_fails_is_tried_again_and_ends_no_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let (state, end) = (folder.path().join("state.rle"), folder.path().join("end.rle"));
    std::os::unix::fs::symlink("/dev/full", &state).expect("a link");
    let run = |generations: &str| {
        let child = std::process::Command::new(env!("CARGO_BIN_EXE_biota"))
            .args(["run", "--soup", "20x20", "--engine", "cpu", "--checkpoint-every", "1000"])
            .args(["--checkpoint", "state.rle", "--out", "end.rle", "--generations", generations])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        child.expect("the program runs")
    };
    let output = run("5000").wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    let note =
        "note: generation 1,000 could not be saved as a checkpoint: state.rle: No space left on device";
    assert!(stderr.starts_with(note), "{stderr}");
    assert_eq!(stderr.matches("note: ").count(), 1, "said once: {stderr}");
    // The last one is what was asked for.
    assert!(stderr.contains("\nerror: state.rle: No space"), "{stderr}");
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    let read = json(&format!("run {} --generations 0 --json", path_text(&end)));
    assert_eq!(read["generation"], 5000, "the run was not ended");

    let mut child = run("1000000000000");
    let mut stderr = std::io::BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let mut line = || stderr.next().map_or_else(String::new, |line| line.expect("UTF-8"));
    assert!(line().starts_with(note), "it can't be written");
    fs::remove_file(&state).expect("a link");
    let again = line();
    assert!(again.ends_with(" is saved as a checkpoint again"), "{again}");
    send("TERM", &child);
    let last = line();
    assert!(last.contains("`biota run state.rle --generations "), "{last}");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "interrupted");
    assert_eq!(names(folder.path()), ["end.rle", "state.rle"], "nothing else");
}

#[test]
#[cfg(target_os = "linux")]
fn a_killed_conversion_leaves_no_file_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = folder.path().join("in.rle");
    printed(&format!("run --soup 1500x1500 --generations 0 --engine cpu --out {}", path_text(&input)));
    let begun = |child: &mut std::process::Child| loop {
        if names(folder.path()).iter().any(|name| name.starts_with(".biota-")) {
            break true;
        }
        if child.try_wait().expect("a child").is_some() {
            break false;
        }
    };
    let convert = |out: &str| {
        std::process::Command::new(env!("CARGO_BIN_EXE_biota"))
            .args(["convert", "in.rle", out])
            .current_dir(folder.path())
            .spawn()
            .expect("the program runs")
    };
    for (signal, number, out) in
        [("INT", 2, "a.rle"), ("TERM", 15, "b.rle.gz"), ("HUP", 1, "c.mc"), ("TERM", 15, "d.png")]
    {
        use std::os::unix::process::ExitStatusExt as _;
        // It may be done before the signal comes, but not each time.
        let caught = (0..30).any(|_| {
            let mut child = convert(out);
            if begun(&mut child) {
                send(signal, &child);
            }
            let status = child.wait().expect("it ends");
            let found = names(folder.path());
            assert!(found.iter().all(|name| !name.starts_with(".biota-")), "{signal}, {out}: {found:?}");
            status.signal() == Some(number)
        });
        assert!(caught, "{signal}, {out}: never ended by the signal");
    }
    // Nobody can tidy up then: whoever writes there next does.
    let left = (0..30).any(|_| {
        let mut child = convert("e.rle");
        begun(&mut child);
        child.kill().expect("killed");
        child.wait().expect("it ends");
        names(folder.path()).iter().any(|name| name.starts_with(".biota-"))
    });
    assert!(left, "never killed in the middle");
    assert!(convert("f.rle").wait().expect("it ends").success(), "another one");
    let found = names(folder.path());
    assert!(found.iter().all(|name| !name.starts_with(".biota-")), "{found:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_that_is_full_leaves_the_old_file() {
    let (folder, input) = file("in.rle", "x = 1, y = 1\no!\n");
    printed(&format!(
        "run --soup 300x300 --rule B3/S23 --generations 0 --engine cpu --out {}",
        path_text(&input)
    ));
    for out in ["a.rle", "b.mc", "c.png", "d.cells"] {
        fs::write(folder.path().join(out), "old").expect("written");
        // Files may not become longer than 4 blocks.
        let output = Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 4; exec \"$0\" convert in.rle \"$1\""])
            .args([env!("CARGO_BIN_EXE_biota"), out])
            .current_dir(folder.path())
            .output()
            .expect("a shell");
        let error = refusal(out, &output);
        assert!(error.starts_with(&format!("{out}: File too large")), "{error}");
        assert_eq!(fs::read_to_string(folder.path().join(out)).expect("there"), "old", "{out}");
    }
    assert_eq!(names(folder.path()), ["a.rle", "b.mc", "c.png", "d.cells", "in.rle"], "nothing else");
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_saves_and_prints_how_far_it_came() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("soup.checkpoint.rle");
    let end = folder.path().join("end.rle");
    let run = |arguments: &[&str]| {
        let child = std::process::Command::new(env!("CARGO_BIN_EXE_biota"))
            .args(["run", "--soup", "80x60", "--rule", "P2Life", "--generations", "1000000000000"])
            .args(["--checkpoint-every", "100", "--engine", "cpu"])
            .args(arguments)
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        // Its first checkpoint is the sign that it runs.
        let begin = Instant::now();
        while !state.exists() {
            assert!(begin.elapsed() < Duration::from_mins(1), "no checkpoint came");
            std::thread::sleep(Duration::from_millis(10));
        }
        child
    };
    let files = ["--out", "end.rle", "--checkpoint", "soup.checkpoint.rle"];
    for (signal, arguments) in [("INT", &["--json"][..]), ("TERM", &files), ("HUP", &files)] {
        let child = run(arguments);
        send(signal, &child);
        if signal == "HUP" {
            // The terminal sends it, and the shell.
            send(signal, &child);
        }
        let output = child.wait_with_output().expect("it ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{signal}: {stderr}");
        assert!(
            stderr.starts_with("note: interrupted at generation ")
                && stderr.contains("`biota run soup.checkpoint.rle --generations 99999"),
            "{signal}: {stderr}"
        );
        let kept = json(&format!("run {} --generations 0 --engine cpu --json", path_text(&state)));
        assert!(kept["generation"].as_u64() >= Some(100), "{signal}: {kept}");
        let other = if signal == "INT" {
            serde_json::from_slice(&output.stdout).expect("JSON")
        } else {
            json(&format!("run {} --generations 0 --engine cpu --json", path_text(&end)))
        };
        assert_eq!((&other["hash"], &other["generation"]), (&kept["hash"], &kept["generation"]), "{signal}");
        fs::remove_file(&state).expect("it is there");
    }
}

#[test]
fn what_can_be_known_to_fail_is_said_before_stepping() {
    let begin = Instant::now();
    for (out, part) in [
        ("board.gif", "\"gif\" is no format"),
        ("board", "extension"),
        ("no/such/folder/board.rle", "there is no folder no/such/folder"),
        ("board.cells", "the rule has 3 states"),
    ] {
        let error = refused(&format!("run --soup 500x500 --generations 1000000000 --out {out}"));
        assert!(error.contains(out) && error.contains(part), "{out}: {error}");
    }
    if cfg!(target_os = "linux") {
        // Where not even the administrator can make a file.
        let (long, place) = ("run --soup 500x500 --generations 1000000000", "/sys/board.rle");
        for way in ["--out", "--out end.rle --checkpoint"] {
            let error = refused(&format!("{long} {way} {place}"));
            assert!(error.starts_with("/sys/board.rle: it can't be written there: "), "{way}: {error}");
        }
        assert!(refused(&format!("convert glider {place}")).contains("can't be written"), "convert");
    }
    let error = refused("run --soup 500x500 --generations 1000000000 --out - --json");
    assert!(error.contains("twice"), "{error}");
    assert!(begin.elapsed() < Duration::from_mins(1), "no generation was stepped");
}

#[test]
fn an_old_file_survives_a_failing_run() {
    let (_folder, path) = file("old.rle", "x = 1, y = 1\no!\n");
    refused(&format!("run no-such-pattern --out {}", path_text(&path)));
    assert_eq!(fs::read_to_string(&path).expect("a file"), "x = 1, y = 1\no!\n", "as it was");
}

#[test]
fn errors_name_the_file_and_point_at_the_character() {
    let (_folder, path) = file("bad.rle", "x = 3, y = 3, rule = B3/S23\nbo$3 o!\n");
    let error = refused(&format!("run {}", path_text(&path)));
    let lines: Vec<&str> = error.lines().collect();
    assert!(lines[0].starts_with(&format!("{}: line 2, column 4: ", path.display())), "{error}");
    assert_eq!(lines[1..], ["  bo$3 o!", "     ^"], "the line and a caret: {error}");

    let error = refused("run glider --rule B3/S2x");
    assert_eq!(
        error.lines().collect::<Vec<_>>()[1..],
        ["  B3/S2x", "       ^"],
        "the rule and a caret: {error}"
    );
    assert!(error.starts_with("rule \"B3/S2x\", character 6: "), "{error}");

    let (_folder, path) = file("rule.rle", "x = 1, y = 1, rule = B3/S29\no!\n");
    let error = refused(&format!("run {}", path_text(&path)));
    assert!(error.starts_with(&format!("{}: rule \"B3/S29\", character 6", path.display())), "{error}");
}

#[test]
fn bad_arguments_are_refused_in_one_line() {
    for (arguments, part) in [
        ("run", "PATTERN or --soup"),
        ("run no-such-pattern", "no-such-pattern: there is no such file"),
        ("run --soup 0x5", "at least 1 cell"),
        ("run --soup 5x0", "at least 1 cell"),
        ("run --soup 99999999999x3", "at most 2000000000 cells"),
        ("run --soup axb", "columns x rows"),
        ("run --soup -5x5", "-5"),
        ("run --soup 9x9 --density 1.5", "between 0 and 1"),
        ("run --soup 9x9 --density -0.5", "between 0 and 1"),
        ("run --soup 9x9 --density 0.7,0.7", "add up to at most 1"),
        ("run --soup 9x9 --density 0.1,0.1,0.1", "3 densities for a rule of 2 species"),
        ("run --soup 9x9 --density much", "much"),
        ("run --soup 9x9 --rule Life:T8,8", "make them the same"),
        ("run glider --soup 9x9", "cannot be used with"),
        ("run glider --density 0.5", "--soup"),
        ("run glider --generations -1", "-1"),
        ("run glider --generations 1e3", "1e3"),
        ("run glider --engine fast", "no engine is called \"fast\""),
        ("run glider --loud", "--loud"),
        ("run ../tests", "this is a folder"),
        ("run --soup 9x9 --rule B0/SImmigration:", "needs a bounded board"),
        ("bench --size 0x1", "at least 1 cell"),
        ("bench --generations 0", "at least 1"),
        ("bench --rule B9", "9 is greater"),
        ("bench --engines abacus", "abacus"),
        ("bench --kernel walk", "there are step, leap, shuffle, tall-shuffle"),
        ("bench --kernel leap --engines cpu", "not among --engines"),
        (
            "bench --kernel shuffle --rule /2/17 --size 64 --engines gpu",
            "there is no shuffle kernel for /2/17:T64,64",
        ),
        ("verify --cases many", "many"),
        ("verify --cases 0", "0 is not in 1.."),
        ("verify --rule Life:T100000,100000", "too large a board"),
        ("verify --rule nonsense", "no rule is called"),
        ("convert glider", "<OUT>"),
        ("convert no-such-file a.rle", "no-such-file"),
        ("convert glider a.txt", "\"txt\" is no format"),
        ("rules nonsense", "no rule with a name matches"),
        ("patterns nonsense", "no pattern that comes with Biota matches"),
    ] {
        let error = biota()
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"))
            .args(arguments.split(' '))
            .output()
            .map(|output| refusal(arguments, &output))
            .expect("the program runs");
        assert!(error.contains(part), "biota {arguments}: {part:?} was expected in: {error}");
        let lines = if arguments.contains("--rule") && error.contains('^') { 3 } else { 1 };
        assert_eq!(error.lines().count(), lines, "biota {arguments}: {error}");
    }
}

#[test]
fn a_huge_soup_is_refused_before_memory_is_taken() {
    let begin = Instant::now();
    for engine in ["auto", "cpu", "gpu", "oracle"] {
        let error = refused(&format!("run --soup 2000000000x2000000000 --generations 1 --engine {engine}"));
        assert!(error.contains("2000000000 × 2000000000 cells is too large"), "{engine}: {error}");
    }
    // Few cells, but each row of 64 takes a square of 64 × 64.
    let error = refused("run --soup 2000000000x1 --generations 1 --engine cpu");
    assert!(error.contains("too large"), "{error}");
    let error = refused("bench --size 1000000x1000000");
    assert!(error.contains("too large"), "{error}");
    // Where empty space lives every chunk of the board is needed.
    let (_folder, path) = file("huge.rle", "x = 1, y = 1, rule = B03/S23:T2000000000,2000000000\no!\n");
    for engine in ["cpu", "gpu", "oracle"] {
        let error = refused(&format!("run {} --engine {engine}", path_text(&path)));
        assert!(error.contains("too large"), "{engine}: {error}");
    }
    assert!(begin.elapsed() < Duration::from_mins(1), "refused at once");
}

#[test]
fn cells_that_do_not_fit_are_noted() {
    let (_folder, path) = file("wide.rle", "x = 5, y = 1, rule = Life:P3,3\n5o!\n");
    let output = outcome(&format!("run {} --generations 0 --json", path_text(&path)));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("note: ") && stderr.contains("2 living cells outside"), "{stderr}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["population"], 3, "the rest runs");
}

#[test]
fn a_state_that_the_rule_lacks_is_told_with_the_files_name() {
    let (_folder, path) = file("three.rle", "x = 2, y = 1, rule = Immigration\nAC!");
    let arguments = format!("run {}", path.display());
    let error = refused(&arguments);
    assert!(error.contains("three.rle: the board holds state 3"), "{error}");
}

#[test]
fn without_vulkan_the_cpu_steps_and_says_so() {
    let without = |arguments: &str| {
        let mut command = biota();
        command.env("VK_DRIVER_FILES", "/nonexistent").env("VK_ICD_FILENAMES", "/nonexistent");
        command.args(arguments.split(' ')).output().expect("the program runs")
    };
    let output = without("run glider --generations 4");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "auto goes on: {text}");
    assert!(text.contains("engine      cpu (no GPU adapter was found"), "{text}");
    let output = without("run glider --generations 4 --json");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("note: the engine is cpu: no GPU adapter"), "{stderr}");
    for arguments in ["run glider --engine gpu", "verify --cases 1", "bench --engines gpu --size 9"] {
        let error = refusal(arguments, &without(arguments));
        assert!(error.contains("mesa-vulkan-drivers"), "{arguments}: {error}");
        assert!(error.chars().count() < 160, "one readable line: {error}");
    }
    let output = without("bench --size 64 --generations 3 --rule Life --json");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("\"cpu\"") && !text.contains("\"gpu\""), "{text}");
}

#[test]
fn a_reader_that_goes_is_no_error() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_biota"))
        .args(["convert", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    // Its reader goes before it can have written anything, since it waits for its input.
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"x = 3, y = 1\n3o!\n").expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "and nothing to complain of");
}

#[test]
fn patterns_go_round_through_the_formats() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| path_text(&folder.path().join(name)).to_owned();
    printed(&format!("convert gosper-glider-gun {}", at("gun.cells")));
    printed(&format!("convert {} {}", at("gun.cells"), at("gun.rle.gz")));
    printed(&format!("convert {} {}", at("gun.rle.gz"), at("gun.mc.gz")));
    printed(&format!("convert {} {}", at("gun.mc.gz"), at("gun.rle")));
    let hash =
        |pattern: &str| json(&format!("run {pattern} --generations 30 --engine cpu --json"))["hash"].clone();
    assert_eq!(hash(&at("gun.rle")), hash("gosper-glider-gun"), "the same gun");
    for name in ["Life 1.05", "Life 1.06"] {
        let text = if name == "Life 1.05" {
            "#Life 1.05\n#P 0 0\n.*\n..*\n***\n"
        } else {
            "#Life 1.06\n1 0\n2 1\n0 2\n1 2\n2 2\n"
        };
        fs::write(at("glider.lif"), text).expect("a file");
        printed(&format!("convert {} {}", at("glider.lif"), at("glider.rle")));
        assert_eq!(hash(&at("glider.rle")), hash("glider"), "{name}");
    }
    printed(&format!("convert immigration/mixed-glider {}", at("glider.png")));
    assert!(fs::read(at("glider.png")).expect("a file").starts_with(b"\x89PNG"), "a picture");
    let error = refused(&format!("convert immigration/mixed-glider {}", at("two.cells")));
    assert!(error.contains(".cells holds living and dead cells only"), "{error}");
    let rle = printed("convert glider -");
    assert!(rle.contains("x = 3, y = 3, rule = B3/S23") && rle.contains('!'), "{rle}");
}

#[test]
fn rules_and_patterns_are_listed_and_found() {
    let rules = printed("rules");
    for name in ["Immigration", "P2Life", "B3/S23"] {
        assert!(rules.contains(name), "{name}: {rules}");
    }
    let found = printed("rules woods immigration");
    assert_eq!(found.lines().count(), 2, "the head and one rule: {found}");
    assert_eq!(json("rules highlife --json")[1]["rule"], "B36/S23", "in JSON");
    assert_eq!(json("rules nonsense --json"), serde_json::json!([]), "nothing is an empty array");
    let patterns = printed("patterns");
    assert!(patterns.lines().count() > 30, "all of them: {patterns}");
    let guns = printed("patterns immigration gun");
    assert!(guns.contains("immigration/gun-war"), "{guns}");
    let all = json("patterns --json");
    for listed in all.as_array().expect("an array") {
        let path = listed["path"].as_str().expect("a path");
        assert!(patterns.contains(path), "{path} is in the list for people too");
    }
    let rle = printed("patterns r-pentomino");
    assert!(rle.contains("#N R-pentomino") && rle.contains("b2o$2o$bo!"), "the file itself: {rle}");
}

#[test]
fn the_benchmark_measures_each_engine_on_each_rule_and_demands_equal_boards() {
    let table = printed("bench --size 128 --generations 20 --rule Life");
    assert!(table.contains("All engines ended on the same boards."), "{table}");
    let heads = "RULE SIZE ENGINE GENERATIONS GENERATIONS/S CELLS/S RATIO GATES GATES/S ROOFLINE";
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0].split_whitespace().collect::<Vec<_>>().join(" "), heads, "{table}");
    assert!(lines[1].contains(" 128×128 gpu ") && lines[2].contains(" 128×128 cpu "), "{table}");
    assert!(table.contains("The gpu is ") && table.contains("The cpu copies "), "{table}");
    let profile = printed("bench --size 64x9 --generations 5 --rule P2Life --samples 1 --profile");
    assert!(
        profile.contains(" SOUP   COMPILE    CREATE      LOAD      STEP     TALLY      READ      HASH"),
        "{profile}"
    );
    let of_step = |line: &str| line.chars().take(89).collect::<String>().ends_with(" ms");
    for kind in ["step", "margin"] {
        let line = profile.lines().find(|line| line.contains(&format!("on the GPU: {kind} kernels, ")));
        assert!(line.is_some_and(|line| of_step(line) && line.contains(" % of the wall time")), "{profile}");
    }
    let profile = printed("bench --size 64x9 --generations 5 --rule Life --samples 1 --profile --json");
    let profile: Value = serde_json::from_str(&profile).expect("JSON");
    let [of_gpu, of_cpu] = [0, 1].map(|at| &profile[at]["profile"]["on_gpu"]);
    let secs = |value: &Value| value.as_f64().unwrap_or_default();
    assert!(secs(&of_gpu["wall"]) > 0.0 && secs(&of_gpu["passes"]["step"]) > 0.0, "{profile}");
    assert!(of_cpu.is_null(), "{profile}");
    for kernel in ["step", "leap"] {
        let text = printed(&format!(
            "bench --size 256 --generations 24 --rule Life --samples 1 --json --kernel {kernel}"
        ));
        let measured: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(measured[0]["stepped_by"], kernel, "{text}");
        assert!(measured[1]["stepped_by"].is_null(), "{text}");
    }
    let text = printed(
        "bench --size 100x33 --generations 10 --rule Life --rule P2Life --engines gpu,cpu,oracle --json",
    );
    let wanted = [
        "engine",
        "adapter",
        "rule",
        "width",
        "height",
        "generations",
        "seconds",
        "cells_per_second",
        "population",
        "hash",
        "kernel",
        "stepped_by",
        "samples",
        "gates",
        "gate_evaluations_per_second",
        "copy_bytes_per_second",
        "roofline",
    ];
    let all: Value = serde_json::from_str(&text).expect("JSON");
    let all = all.as_array().expect("an array");
    assert_eq!(all.len(), 6, "three engines on two rules: {text}");
    for measured in all {
        let keys = measured.as_object().expect("an object");
        assert!(wanted.iter().all(|key| keys.contains_key(*key)) && keys.len() == wanted.len(), "{measured}");
        assert_eq!((&measured["width"], &measured["height"]), (&100.into(), &33.into()), "{measured}");
        let same = all.iter().find(|other| other["rule"] == measured["rule"]).expect("itself at least");
        assert_eq!(measured["hash"], same["hash"], "{measured} and {same}");
        assert_eq!(measured["samples"].as_array().map(Vec::len), Some(3), "{measured}");
        assert_eq!(measured["gates"].is_null(), measured["engine"] == "oracle", "{measured}");
        if measured["gates"].is_u64() {
            let [gates, cells, gate_cells, copied, share] = [
                "gates",
                "cells_per_second",
                "gate_evaluations_per_second",
                "copy_bytes_per_second",
                "roofline",
            ]
            .map(|key| measured[key].as_f64().unwrap_or_else(|| panic!("{key}: {measured}")));
            assert!((gate_cells / (gates * cells) - 1.0).abs() < 1e-9, "gates × cells: {measured}");
            // Life has one plane, P2Life two: an eighth of a byte a cell each.
            let planes =
                if measured["rule"].as_str().is_some_and(|rule| rule.starts_with("P2")) { 2.0 } else { 1.0 };
            assert!((share / (cells * planes / 8.0 / copied) - 1.0).abs() < 1e-9, "{measured}");
        }
    }
}

#[test]
fn verifying_finds_all_engines_equal() {
    let text = printed("verify --cases 12 --seed 4");
    assert!(text.starts_with("12 cases equal on cpu and gpu ("), "{text}");
    let text = printed("verify --cases 3 --rule P2Life:T33,31 --engines cpu --first 1000");
    assert!(text.starts_with("3 cases equal on cpu: 1 rule,"), "{text}");
}

#[test]
fn help_and_version_are_no_errors() {
    for arguments in
        ["--help", "--version", "help", "help run", "run --help", "term --help", "verify -h", "rules --help"]
    {
        let text = printed(arguments);
        assert!(!text.is_empty() && outcome(arguments).stderr.is_empty(), "biota {arguments}: {text}");
    }
    assert_eq!(printed("help"), printed("--help"), "the same");
    assert!(printed("run --help").contains("[default: 0.5]"), "the density that is taken is said");
}
