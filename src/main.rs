//! The program: reads what was typed and picks a face.

use std::process::ExitCode;

use biota::app;
use biota::cli::{self, Invocation};

fn main() -> ExitCode {
    // Failures reach the user as errors; the log is for whoever asks for it (RUST_LOG=biota=debug).
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    let invocation = match cli::parse() {
        Ok(invocation) => invocation,
        Err(code) => return code,
    };
    cli::exit(match invocation {
        Invocation::Window(start) => window(&start),
        Invocation::Terminal(start) => {
            Err(anyhow::anyhow!("the terminal is not connected yet ({})", start.rule))
        }
        Invocation::Headless(command) => cli::run(&command),
    })
}

fn window(start: &cli::Start) -> anyhow::Result<cli::Outcome> {
    let (session, notes) = start.session()?;
    let (title, about) = start.title();
    app::run(session, app::Opening { title, about, notes, playing: true })?;
    Ok(cli::Outcome::Fine)
}
