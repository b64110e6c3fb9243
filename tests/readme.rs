//! Every command that README shows is run, in its order, in one folder.

use std::path::Path;

#[test]
fn the_commands_of_the_readme_work() {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("README.md");
    let folder = tempfile::tempdir().expect("a folder");
    let mut run = 0;
    let mut console = false;
    for line in text.lines() {
        if line.starts_with("```") {
            console = line == "```console";
        }
        let Some(command) = line.strip_prefix("$ biota ").filter(|_| console) else { continue };
        run += 1;
        assert_cmd::Command::new(env!("CARGO_BIN_EXE_biota"))
            .args(words(command))
            .current_dir(folder.path())
            .env("XDG_RUNTIME_DIR", folder.path())
            .assert()
            .success();
    }
    assert!(run >= 10, "only {run} commands were found");
    for file in ["battle.png", "acorn.rle", "acorn.cells"] {
        assert!(folder.path().join(file).metadata().is_ok_and(|data| data.len() > 100), "{file} was written");
    }
}

/// The words of a command line; what stands between single quotes is one word.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in command.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

#[test]
fn the_two_commands_of_a_fresh_machine_are_there() {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("README.md");
    for line in ["./setup.sh && cargo run --release", "./setup.sh && cargo test"] {
        assert!(text.lines().any(|l| l == line), "README has the line {line:?}");
    }
}
