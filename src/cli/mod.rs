//! The command line: what was typed, the headless commands, exit codes, and errors as one line.
//!
//! `main` asks [`parse`] what was typed, hands a window or a terminal to their faces, headless work to [`run`], and
//! whatever came of it to [`exit`]. Knows sessions and below; no window, no terminal face.
//!
//! | exit code | means |
//! |---|---|
//! | 0 | fine; also when whoever read the output has gone (a broken pipe), and after `--help` |
//! | 1 | a difference was found: engines disagree |
//! | 2 | an error, which stands on stderr in one line that begins with `error: ` |
//! | 130 | it was interrupted (Ctrl-C, SIGTERM, a terminal that was closed): a run has written what was asked for, as far as it came, the window its board |

mod args;
mod bench;
mod checkpoint;
mod convert;
mod list;
mod output;
mod rule_text;
mod run;
mod start;
mod target;
mod verify;

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

pub use start::Start;

/// The exit code of an interrupted program: 128 + SIGINT.
const INTERRUPTED: u8 = 130;

/// What was asked for.
#[derive(Debug)]
pub enum Invocation {
    /// The window, on this board.
    Window(Box<Start>),
    /// A board played in the terminal.
    Terminal(Box<Start>),
    /// A command without a face: for [`run`].
    Headless(Headless),
}

/// A command that prints and ends.
#[derive(Debug)]
pub struct Headless(args::Command);

/// What came of a command that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All is well.
    Fine,
    /// Boards that should be equal are not.
    Difference,
    /// It was asked to end before its work was done, and has saved and printed what there was.
    Interrupted,
}

/// Reads the arguments of this process. `Err` is the code to exit with at once: help was printed, or an error.
pub fn parse() -> Result<Invocation, ExitCode> {
    let arguments = args::Arguments::try_parse().map_err(|error| {
        if error.use_stderr() {
            report(&output::one_line(&error));
            return ExitCode::from(2);
        }
        // Help and version; a reader that has gone has read enough.
        drop(error.print());
        ExitCode::SUCCESS
    })?;
    let start = |board: &args::BoardArguments| start::start(board, true).map(Box::new);
    let invocation = match arguments.command {
        None => start(&arguments.board).map(Invocation::Window),
        Some(args::Command::Term(board)) => start(&board).map(Invocation::Terminal),
        Some(command) => Ok(Invocation::Headless(Headless(command))),
    };
    invocation.map_err(|error| exit(Err(error)))
}

/// Carries a headless command out.
pub fn run(command: &Headless) -> anyhow::Result<Outcome> {
    match &command.0 {
        args::Command::Run(arguments) => run::run(arguments),
        args::Command::Bench(arguments) => bench::bench(arguments),
        args::Command::Verify(arguments) => verify::verify(arguments),
        args::Command::Convert(arguments) => convert::convert(arguments),
        args::Command::Rules(arguments) => list::rules(arguments),
        args::Command::Patterns(arguments) => list::patterns(arguments),
        args::Command::Term(_) => anyhow::bail!("the terminal is a face of its own"),
    }
}

/// The exit code for what came of a command. An error is shown here, and only here.
pub fn exit(result: anyhow::Result<Outcome>) -> ExitCode {
    match result {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Difference) => ExitCode::from(1),
        Ok(Outcome::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report(&shown(&error));
            ExitCode::from(2)
        }
    }
}

/// An error as text: what it happened to, then what happened, each once.
fn shown(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        // Errors that only wrap another one show the text of it.
        if !text.ends_with(&cause) {
            if !text.is_empty() {
                text.push_str(": ");
            }
            text.push_str(&cause);
        }
    }
    text
}

/// Fine when nothing failed; else one error that says all that did.
fn all_of(mut failed: Vec<anyhow::Error>) -> anyhow::Result<()> {
    if failed.len() > 1 {
        // A reader that has gone is no error, so it must hide none.
        failed.retain(|error| !is_broken_pipe(error));
    }
    if failed.len() > 1 {
        anyhow::bail!(failed.iter().map(shown).collect::<Vec<_>>().join("; "));
    }
    failed.pop().map_or(Ok(()), Err)
}

/// Prints an error.
fn report(text: &str) {
    let mut stderr = io::stderr().lock();
    // There is nowhere left to say that this failed.
    drop(writeln!(stderr, "error: {text}").and_then(|()| stderr.flush()));
}

/// Whether the reader of our output has gone, as `head` does.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause: &(dyn Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_that_wraps_another_is_shown_once() {
        let inner = io::Error::new(io::ErrorKind::NotFound, "no such file");
        let error = anyhow::Error::new(crate::pattern::PatternError::from(inner)).context("glider.rle");
        assert_eq!(shown(&error), "glider.rle: no such file", "shown");
        assert!(!is_broken_pipe(&error), "another error");
    }

    #[test]
    fn a_broken_pipe_is_known_however_deep_it_is() {
        let inner = io::Error::from(io::ErrorKind::BrokenPipe);
        let error = anyhow::Error::new(crate::pattern::PatternError::from(inner)).context("stdout");
        assert!(is_broken_pipe(&error), "{error:#}");
    }

    #[test]
    fn a_difference_and_an_error_have_exit_codes_of_their_own() {
        let code = |result| format!("{:?}", exit(result));
        assert_eq!(code(Ok(Outcome::Fine)), format!("{:?}", ExitCode::SUCCESS), "fine");
        assert_eq!(code(Ok(Outcome::Difference)), format!("{:?}", ExitCode::from(1)), "a difference");
        let failed = anyhow::anyhow!("an error that a test reports");
        assert_eq!(code(Err(failed)), format!("{:?}", ExitCode::from(2)), "an error");
    }
}
