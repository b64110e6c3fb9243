//! The program: reads what was typed and picks a face.

use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use biota::cli::{self, Invocation, Outcome, Start};
use biota::engine::EngineError;
use biota::session::{Session, interesting_area};
use biota::{app, export, pattern, rule, signals, term};

fn main() -> ExitCode {
    provide_runtime_folder();
    // Failures reach the user as errors; the log is for whoever asks for it (RUST_LOG=biota=debug).
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    // Here no thread is started yet that would have to be told.
    if let Err(error) = signals::start(pattern::abandon) {
        return cli::exit(Err(error).context("the thread that waits for signals can't be started"));
    }
    rule::library::search_in(rule::library::user_folders());
    let invocation = match cli::parse() {
        Ok(invocation) => invocation,
        Err(code) => return code,
    };
    cli::exit(match invocation {
        Invocation::Window(start) => window(&start),
        Invocation::Terminal(start) => terminal(&start),
        Invocation::Headless(command) => cli::run(&command),
    })
}

/// Vulkan drivers and Wayland's library complain on standard error where this folder is not named, as in containers.
fn provide_runtime_folder() {
    const NAME: &str = "XDG_RUNTIME_DIR";
    if cfg!(unix) && std::env::var_os(NAME).is_none() {
        #[expect(unsafe_code, reason = "the environment is changed before any thread is started")]
        unsafe {
            std::env::set_var(NAME, std::env::temp_dir());
        }
    }
}

/// The window; where none can be opened, the terminal; where there is none either, a moment without a face.
fn window(start: &Start) -> anyhow::Result<Outcome> {
    let reason = if term::display_available() {
        let (session, notes) = start.session()?;
        let (title, about) = start.title();
        match app::run(session, app::Opening { title, about, notes, playing: true }) {
            Ok(app::Ending::Closed) => return Ok(Outcome::Fine),
            Ok(app::Ending::Interrupted(words)) => {
                writeln!(std::io::stderr(), "note: {words}").ok();
                return Ok(Outcome::Interrupted);
            }
            Err(error) => {
                match (error.downcast_ref::<app::NoWindow>(), error.downcast_ref::<EngineError>()) {
                    (Some(_), _) | (_, Some(EngineError::NoAdapter(_))) => format!("{error:#}"),
                    _ => return Err(error),
                }
            }
        }
    } else {
        "there is no display".to_owned()
    };
    let in_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let what = if in_terminal { "playing in the terminal" } else { "running for a moment without one" };
    // Nobody to tell is no reason to stop.
    writeln!(std::io::stderr(), "note: {reason}; {what}").ok();
    if in_terminal {
        return terminal(start);
    }
    let (session, _) = start.session()?;
    term::fallback(session, &mut std::io::stdout(), Path::new(""), picture)?;
    Ok(Outcome::Fine)
}

fn terminal(start: &Start) -> anyhow::Result<Outcome> {
    let (session, notes) = start.session()?;
    term::run(session, &term::TermOptions { notes, ..term::TermOptions::default() })?;
    Ok(Outcome::Fine)
}

/// Writes a picture of a session's board.
fn picture(path: &Path, session: &mut Session) -> anyhow::Result<()> {
    let life = session.tally()?.bounding_box;
    let area = interesting_area(session.rule().topology(), life);
    let board = session.engine_mut().snapshot()?;
    export::save_png(path, &board, area, &export::Look::of(session.rule()))?;
    Ok(())
}
