//! The real program in a pseudo-terminal, which `script` of util-linux makes.

#![cfg(target_os = "linux")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs the program in a terminal of 70 × 20 and types keys, each once a text has been shown; gives all it wrote and the
/// status that it ended with.
fn played(arguments: &str, keys: &[(&str, &str)]) -> (String, Option<i32>) {
    typed(&format!("exec {} {arguments}", env!("CARGO_BIN_EXE_biota")), keys)
}

/// The same for a command of the shell, in which `COPY` stands for the file that has what was written so far.
fn typed(command: &str, keys: &[(&str, &str)]) -> (String, Option<i32>) {
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("typescript");
    let command = command.replace("COPY", copy.to_str().expect("a plain path"));
    let mut script = Command::new("script")
        .args(["-qefc", &format!("stty rows 20 cols 70; {command}")])
        .arg(&copy)
        .env("TERM", "xterm-256color")
        .env_remove("COLORTERM")
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("util-linux is there");
    let mut input = script.stdin.take().expect("a pipe");
    let written = || String::from_utf8_lossy(&std::fs::read(&copy).unwrap_or_default()).into_owned();
    for (shown, key) in keys {
        let begin = Instant::now();
        // What is typed before the program listens would be lost. When it has ended already, what it wrote says why.
        while !written().contains(shown) && script.try_wait().expect("a child").is_none() {
            assert!(begin.elapsed() < Duration::from_mins(1), "{shown:?} in {:?}", written());
            std::thread::sleep(Duration::from_millis(20));
        }
        if input.write_all(key.as_bytes()).and_then(|()| input.flush()).is_err() {
            break;
        }
    }
    let status = script.wait().expect("it ends");
    (written(), status.code())
}

#[test]
fn a_terminal_is_left_as_it_was() {
    let (written, status) = played("term glider", &[("B3/S23", " "), ("paused", "?"), ("run or pause", "q")]);
    assert_eq!(status, Some(0), "it ends well: {written:?}");
    let at =
        |sequence: &str| written.rfind(sequence).unwrap_or_else(|| panic!("{sequence:?} in {written:?}"));
    assert!(at("\x1b[?1049h") < at("\x1b[?1049l"), "back from the alternate screen");
    assert!(at("\x1b[?25l") < at("\x1b[?25h"), "the cursor is shown again");
    for word in ["B3/S23", "paused", "run or pause"] {
        assert!(written.contains(word), "{word:?} in {written:?}");
    }
}

#[test]
fn a_run_tells_how_far_it_is_and_can_be_interrupted() {
    let (written, status) = played(
        "run --soup 64x64 --rule P2Life --engine cpu --generations 1000000000000",
        &[("/s, population ", "\x03")],
    );
    assert_eq!(status, Some(130), "Ctrl-C: {written:?}");
    let line = written
        .split("\r\x1b[2K")
        .find(|line| line.starts_with("generation "))
        .unwrap_or_else(|| panic!("a line of progress in {written:?}"));
    assert!(line.contains(" of 1,000,000,000,000, ") && line.contains("/s, population "), "{line:?}");
    // The terminal itself shows what was typed.
    let line = line.trim_end_matches("^C");
    assert!(line.chars().count() < 70, "one line: {line:?}");
    let after = written.rsplit("\x1b[2K").next().unwrap_or_default();
    assert!(after.contains("rule        P2Life:T64,64"), "the line is gone before the summary: {after:?}");
    assert!(after.contains("note: interrupted at generation "), "{after:?}");
}

#[test]
fn signals_leave_the_terminal_as_it_was() {
    for signal in ["QUIT", "TERM"] {
        // The file begins with this command, which must not be taken for the rule that the program shows.
        let shown = "until grep -q 'B3[/]S23' COPY; do sleep 0.1; done";
        let command =
            format!("({shown}; kill -s {signal} $$) & exec {} term glider", env!("CARGO_BIN_EXE_biota"));
        let (written, status) = typed(&command, &[]);
        assert_eq!(status, Some(0), "{signal}: {written:?}");
        let left = written.rfind("\x1b[?1049l").unwrap_or_else(|| panic!("{signal}: left in {written:?}"));
        assert!(Some(left) > written.rfind("\x1b[?1049h"), "{signal}: back from the alternate screen");
    }
}

#[test]
fn a_terminal_that_is_closed_ends_the_player() {
    for (hears_of_it, key, shown) in [
        (true, "", "B3/S23"),
        (true, " ", "paused"),
        // As under `nohup`: that there is no terminal any more has to be seen.
        (false, "", "B3/S23"),
        (false, " ", "paused"),
    ] {
        let case = format!("SIGHUP {hears_of_it}, {shown}");
        let folder = tempfile::tempdir().expect("a folder");
        let [copy, shell, status] = ["typescript", "shell", "status"].map(|name| folder.path().join(name));
        // What the shell ignores, its children ignore too; what it catches, they don't.
        let trap = if hears_of_it { "trap : HUP" } else { "trap '' HUP" };
        let command = format!(
            "{trap}; stty rows 20 cols 70; echo $$ >{}; {} term glider; echo $? >{}",
            shell.display(),
            env!("CARGO_BIN_EXE_biota"),
            status.display()
        );
        let mut script = Command::new("script")
            .args(["-qefc", &command])
            .arg(&copy)
            .env("TERM", "xterm-256color")
            .env("SHELL", "/bin/sh")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("util-linux is there");
        let read =
            |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
        let within_a_minute = |done: &dyn Fn() -> bool| {
            let begin = Instant::now();
            while !done() && begin.elapsed() < Duration::from_mins(1) {
                std::thread::sleep(Duration::from_millis(20));
            }
            done()
        };
        assert!(within_a_minute(&|| read(&copy).contains("B3/S23")), "{case}: {:?}", read(&copy));
        script.stdin.as_mut().expect("a pipe").write_all(key.as_bytes()).expect("typed");
        assert!(within_a_minute(&|| read(&copy).contains(shown)), "{case}: {:?}", read(&copy));
        // Who holds the other end of the terminal is gone at once.
        script.kill().expect("killed");
        script.wait().expect("it ends");
        let ended = within_a_minute(&|| read(&status).ends_with('\n'));
        if !ended {
            let group = format!("-{}", read(&shell).trim());
            Command::new("kill").args(["-s", "KILL", "--", &group]).status().expect("kill is there");
        }
        assert!(ended, "{case}: it ends");
        assert_eq!(read(&status), "0\n", "{case}: as by any signal");
    }
}
