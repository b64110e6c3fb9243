//! The real window under Xvfb: it opens, keys change what it shows, it takes no more memory the longer it runs, and it
//! closes.

use std::collections::BTreeSet;
use std::fs::File;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take before the test gives up; a software GPU on a busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(90);

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
    _server: Guard,
    display: String,
    file: PathBuf,
    _folder: tempfile::TempDir,
}

impl Screen {
    fn open(width: u32, height: u32) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        // The server picks a free display and writes its number to its standard output.
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
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
        Self { _server: Guard(server), display: format!(":{}", line.trim()), file, _folder: folder }
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

/// Starts the program in a folder on a screen and waits for its window, which gets the keyboard.
fn opened(screen: &Screen, folder: &Path, arguments: &[&str], messages: impl Into<Stdio>) -> Guard {
    let app = Command::new(env!("CARGO_BIN_EXE_biota"))
        .args(arguments)
        .env("DISPLAY", &screen.display)
        .env_remove("WAYLAND_DISPLAY")
        .env("XDG_RUNTIME_DIR", folder)
        // Each frame says which generation it shows.
        .env("RUST_LOG", "biota::app::window=debug")
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

#[test]
fn the_window_opens_runs_pauses_steps_saves_and_closes() {
    let screen = Screen::open(1280, 800);
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = opened(&screen, folder.path(), &[], Stdio::null());

    // The demo is alive.
    wait_until("many colours are seen", &mut app, || {
        let mut colours: Vec<[u8; 3]> = screen.pixels().chunks_exact(4).map(|p| [p[0], p[1], p[2]]).collect();
        colours.sort_unstable();
        colours.dedup();
        colours.len() > 50
    });
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
    let start = Instant::now();
    loop {
        if let Some(status) = app.0.try_wait().expect("the process can be asked") {
            assert!(status.success(), "it closes well: {status}");
            break;
        }
        assert!(start.elapsed() < PATIENCE, "the window closes");
        std::thread::sleep(Duration::from_millis(100));
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
    let mut app = opened(&screen, folder.path(), &["gosper-glider-gun", "--engine", "gpu"], file);
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
