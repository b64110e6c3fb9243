//! The real window under Xvfb: it opens, keys change what it shows, it takes no more memory the longer it runs, and it
//! closes; and what becomes of its board when it can't go on.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use biota::engine::{Cancel, EngineKind};
use biota::pattern::{self, Limits};
use biota::session::{EngineChoice, Source};

/// How long anything may take before the test gives up; a software GPU on a busy machine is slow.
const PATIENCE: Duration = Duration::from_mins(5);

/// A process that ends with the test, however that ends.
struct Guard(Child);

impl Drop for Guard {
    fn drop(&mut self) {
        // It may have ended already.
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// An X server whose screen is a file.
struct Screen {
    server: Guard,
    display: String,
    file: PathBuf,
    _folder: tempfile::TempDir,
}

impl Screen {
    fn open(width: u32, height: u32) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        // The server picks a free display and writes its number to its standard output. It must not begin again when its
        // last client goes, for that may be xdotool, asking after a window while the program is about to connect.
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-noreset",
                "-nolisten",
                "tcp",
                "-screen",
                "0",
                &format!("{width}x{height}x24"),
                "-fbdir",
            ])
            .arg(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts: ./setup.sh installs it");
        let output = server.stdout.take().expect("piped");
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line)
            .expect("a display number");
        let file = folder.path().join("Xvfb_screen0");
        Self { server: Guard(server), display: format!(":{}", line.trim()), file, _folder: folder }
    }

    /// The pixels, as the X server holds them: an XWD header, colours, then rows.
    fn pixels(&self) -> Vec<u8> {
        let bytes = std::fs::read(&self.file).expect("the screen's file");
        let number =
            |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
        bytes[number(0) + 12 * number(76)..].to_vec()
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.display)
            .output()
            .expect("xdotool starts: ./setup.sh installs it");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Presses a key once.
    fn press(&self, key: &str) {
        self.xdotool(&["key", key]);
    }
}

/// Waits until something is so.
fn wait_until(what: &str, app: &mut Guard, mut so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !so() {
        let ended = app.0.try_wait().expect("the process can be asked");
        assert!(ended.is_none(), "waiting until {what}, the program ended: {ended:?}");
        assert!(start.elapsed() < PATIENCE, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(150));
    }
}

fn changed_share(a: &[u8], b: &[u8]) -> f64 {
    let changed = a.chunks_exact(4).zip(b.chunks_exact(4)).filter(|(a, b)| a[..3] != b[..3]).count();
    changed as f64 / (a.len() / 4) as f64
}

/// Waits until the window shows something.
fn wait_until_painted(screen: &Screen, app: &mut Guard) {
    wait_until("many colours are seen", app, || {
        let mut colours: Vec<[u8; 3]> = screen.pixels().chunks_exact(4).map(|p| [p[0], p[1], p[2]]).collect();
        colours.sort_unstable();
        colours.dedup();
        colours.len() > 50
    });
}

/// Waits until the picture stays the same, and gives it.
fn settled(screen: &Screen, app: &mut Guard) -> Vec<u8> {
    let mut last = screen.pixels();
    let mut same = 0;
    wait_until("the picture stays the same", app, || {
        let now = screen.pixels();
        same = if changed_share(&last, &now) == 0.0 { same + 1 } else { 0 };
        last = now;
        same >= 6
    });
    last
}

#[test]
fn the_window_opens_runs_pauses_steps_saves_and_closes() {
    let screen = Screen::open(1280, 800);
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = open_biota(&screen, folder.path(), &[]);

    // The demo is alive.
    wait_until_painted(&screen, &mut app);
    let before = screen.pixels();
    wait_until("the board runs", &mut app, || changed_share(&before, &screen.pixels()) > 0.0005);

    // Space holds it, Tab goes on by one generation, L makes it light.
    screen.press("space");
    let held = settled(&screen, &mut app);
    screen.press("Tab");
    wait_until("a step shows", &mut app, || changed_share(&held, &screen.pixels()) > 0.0001);
    let stepped = settled(&screen, &mut app);
    screen.press("l");
    wait_until("the look is light", &mut app, || changed_share(&stepped, &screen.pixels()) > 0.5);

    // Saved through the dialog, by keys alone.
    let light = settled(&screen, &mut app);
    screen.press("ctrl+s");
    // The cursor of the text field blinks from here on, so nothing settles.
    wait_until("the dialog shows", &mut app, || changed_share(&light, &screen.pixels()) > 0.02);
    screen.press("ctrl+a");
    screen.xdotool(&["type", "seen.rle"]);
    screen.press("Return");
    let saved = folder.path().join("seen.rle");
    wait_until("the board is saved", &mut app, || is_filled(&saved));
    let text = std::fs::read_to_string(&saved).expect("the saved board");
    assert!(text.contains("rule = Immigration:T512,320"), "the rule is in the file: {text:.200}");

    screen.press("ctrl+q");
    let status = ended(&mut app);
    assert!(status.success(), "it closes well: {status}");
    assert_eq!(saved_boards(folder.path()), Vec::<PathBuf>::new(), "a board that was closed is not kept");
}

/// Starts the program, with all its settings in a folder, and waits for its window.
fn open_biota(screen: &Screen, folder: &Path, arguments: &[&str]) -> Guard {
    open_logged(screen, folder, arguments, "warn", Stdio::piped())
}

/// The same, with what it logs, at this level, and what else it says going to `messages`.
fn open_logged(
    screen: &Screen,
    folder: &Path,
    arguments: &[&str],
    level: &str,
    messages: impl Into<Stdio>,
) -> Guard {
    let app = Command::new(env!("CARGO_BIN_EXE_biota"))
        .args(arguments)
        .env("DISPLAY", &screen.display)
        .env_remove("WAYLAND_DISPLAY")
        .env("XDG_RUNTIME_DIR", folder)
        .env("XDG_CONFIG_HOME", folder)
        .env("RUST_LOG", level)
        .current_dir(folder)
        .stderr(messages)
        .spawn()
        .expect("biota starts");
    let mut app = Guard(app);
    let mut windows = String::new();
    wait_until("there is a window", &mut app, || {
        windows = screen.xdotool(&["search", "--onlyvisible", "--name", "^Biota"]);
        !windows.is_empty()
    });
    screen.xdotool(&["windowfocus", windows.lines().next().expect("a window")]);
    app
}

/// Waits until the program has ended.
fn ended(app: &mut Guard) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = app.0.try_wait().expect("the process can be asked") {
            return status;
        }
        assert!(start.elapsed() < PATIENCE, "the program ends");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// What it has said, once it has ended.
fn said(app: &mut Guard) -> String {
    let mut text = String::new();
    app.0.stderr.take().expect("piped").read_to_string(&mut text).expect("text");
    text
}

/// The boards that are kept in a folder of settings.
fn saved_boards(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join("biota/recovery")).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// Demands that a file holds the board that comes of the acorn in the file's generation, which is not the first.
fn assert_comes_of_acorn(path: &Path) {
    let pattern = pattern::open(path, &Limits::default()).unwrap_or_else(|error| panic!("{error}"));
    let generation = pattern.generation;
    assert_eq!(pattern.rule.as_deref(), Some("B3/S23"), "the rule");
    assert!(generation > 0, "it ran");
    let choice = EngineChoice::Fixed(EngineKind::Oracle);
    let [mut kept, mut expected] = [Source::open(path), Source::open(Path::new("acorn"))].map(|source| {
        let session = source.and_then(|source| source.session(None, 0, choice));
        session.unwrap_or_else(|error| panic!("{error}")).0
    });
    while expected.generation() < generation {
        let left = generation - expected.generation();
        expected.step(left, &Cancel::never()).unwrap_or_else(|error| panic!("{error}"));
    }
    let kept = kept.engine_mut().snapshot().expect("a board");
    let expected = expected.engine_mut().snapshot().expect("a board");
    assert_eq!(kept, expected, "the acorn in generation {generation}");
}

#[test]
fn a_board_outlives_its_display_and_a_signal_and_each_has_a_file_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let away = "the display goes away";
    for (name, status, plays) in [(away, 2, true), (away, 2, false), ("HUP", 130, true), ("TERM", 130, false)]
    {
        let before = saved_boards(folder.path());
        let mut screen = Screen::open(1280, 800);
        let mut app = open_biota(&screen, folder.path(), &["acorn"]);
        wait_until_painted(&screen, &mut app);
        // One generation at least is done then, however slow the machine.
        screen.press("space");
        let held = settled(&screen, &mut app);
        screen.press("Tab");
        wait_until("a step shows", &mut app, || changed_share(&held, &screen.pixels()) > 0.0);
        if plays {
            screen.press("space");
        }
        if status == 2 {
            screen.server.0.kill().expect("the server is there");
        } else {
            let sent = Command::new("kill").args([&format!("-{name}"), &app.0.id().to_string()]).status();
            assert!(sent.expect("kill starts").success(), "{name} is sent");
        }
        let (ended, said) = (ended(&mut app), said(&mut app));
        assert_eq!(ended.code(), Some(status), "{name}: {ended}: {said}");
        let mut saved = saved_boards(folder.path());
        assert!(before.iter().all(|path| saved.contains(path)), "{name}: those from before stay");
        saved.retain(|path| !before.contains(path));
        let [path] = saved.as_slice() else { panic!("{name}: {saved:?} were saved: {said}") };
        assert!(said.contains(&format!("saved in {}", path.display())), "{name}: {said}");
        // Within a frame, winit panics over what it finds gone.
        let is_told = ["the display has gone", "the window failed"]
            .iter()
            .any(|what| said.contains(&format!("error: {what}")));
        assert_eq!(is_told, status == 2, "{name}: {said}");
        assert_comes_of_acorn(path);
    }
}

fn is_filled(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.size() > 0)
}

/// Memory that a process holds, megabytes.
fn resident(process: &Guard) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.0.id())).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it has memory");
    let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kilobytes / 1024.0
}

/// How many generations have been shown, by what the program says of its frames.
fn shown(messages: &Path) -> usize {
    let text = std::fs::read_to_string(messages).expect("the messages");
    let of_frame =
        |line: &str| Some(line.split_once("frame of generation ")?.1.split_once(' ')?.0.to_owned());
    text.lines().filter_map(of_frame).collect::<BTreeSet<_>>().len()
}

/// Where a driver keeps a megabyte for each picture of the board, it is 200 in all.
#[test]
fn a_window_that_runs_takes_no_more_memory() {
    let screen = Screen::open(1280, 800);
    let folder = tempfile::tempdir().expect("a folder");
    let messages = folder.path().join("messages");
    let file = File::create(&messages).expect("a file");
    // Each frame says which generation it shows.
    let level = "biota::app::window=debug";
    let mut app = open_logged(&screen, folder.path(), &["gosper-glider-gun", "--engine", "gpu"], level, file);
    let mut show = |count: usize| {
        let end = shown(&messages) + count;
        wait_until("more generations are shown", &mut app, || shown(&messages) >= end);
        resident(&app)
    };
    // Faster, so that each frame shows another one.
    screen.press("bracketright");
    screen.press("bracketright");
    // Each of the views is painted by a shader of its own: near, with marks, cells of a few pixels, several to a pixel.
    let warm = show(20);
    let mut last = show(50);
    for keys in [&["m"][..], &["minus"; 2], &["minus"; 3]] {
        for key in keys {
            screen.press(key);
        }
        last = show(50);
    }
    assert!(last - warm < 40.0, "it held {warm:.0} MB, and {last:.0} MB 200 generations later");
}
