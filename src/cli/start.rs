//! From what was typed to a board: opens the pattern, reads the rule, and says whose fault an error is.

use std::io;
use std::path::Path;

use anyhow::{Context, bail, ensure};

use super::args::BoardArguments;
use super::rule_text::rule_text;
use crate::engine::EngineError;
use crate::pattern::{self, Limits, Pattern, PatternError};
use crate::rule::Rule;
use crate::session::{EngineChoice, Session, SessionError, Source, demo};

/// How full a soup is when nothing is said.
const DENSITY: f64 = 0.5;
/// What standard input is called.
pub(super) const STDIN: &str = "-";

/// A board to start from, with its rule, ready for a session.
#[derive(Debug)]
pub struct Start {
    /// Where the cells come from.
    pub source: Source,
    /// The rule, with its topology.
    pub rule: Rule,
    /// The seed of the soup and of coins.
    pub seed: u64,
    /// The engine asked for.
    pub engine: EngineChoice,
    /// What the pattern is called where it was asked for; `None` for soups.
    pub name: Option<String>,
}

impl Start {
    /// What the board is called, and what is said of it: the pattern's own name and comments.
    pub fn title(&self) -> (String, String) {
        match &self.source {
            Source::Pattern(pattern) => {
                let name = pattern.name.clone().or_else(|| self.name.clone()).unwrap_or_default();
                (name, pattern.comments.join("\n"))
            }
            _ => (format!("Soup {}", self.seed), String::new()),
        }
    }

    /// A session on this board, with remarks that the user should see.
    pub fn session(&self) -> anyhow::Result<(Session, Vec<String>)> {
        let (board, notes) = named(self.source.board(&self.rule, self.seed), self.name.as_deref())?;
        let session = Session::new(&self.rule, board, self.engine);
        // States that the rule lacks are the file's fault; all else is the engine's.
        let of_file = matches!(session, Err(SessionError::Engine(EngineError::UnknownState { .. })));
        Ok((named(session, self.name.as_deref().filter(|_| of_file))?, notes))
    }
}

/// What was typed as a board to start from. Where nothing was, the demo board is meant if `or_demo`, else it is an
/// error.
pub(super) fn start(arguments: &BoardArguments, or_demo: bool) -> anyhow::Result<Start> {
    // Not left to clap: where a pattern rules the soup out, it no longer demands one.
    ensure!(
        arguments.density.is_empty() || arguments.soup.is_some(),
        "--density says how full a soup is, and there is none; give --soup WxH"
    );
    let rule_text = arguments.rule.as_deref().map(rule_text).transpose()?;
    let rule_text = rule_text.as_deref();
    let (mut source, name) = match (&arguments.pattern, arguments.soup) {
        (Some(path), _) => {
            let mut pattern = open(path, arguments.as_life)?;
            // What is typed comes before what a saved board says.
            pattern.seed = arguments.seed.or(pattern.seed);
            (Source::Pattern(Box::new(pattern)), Some(path.to_string_lossy().into_owned()))
        }
        (None, Some(size)) => {
            let densities =
                if arguments.density.is_empty() { vec![DENSITY] } else { arguments.density.clone() };
            (Source::Soup { width: size.width, height: size.height, densities }, None)
        }
        (None, None) if or_demo => (demo()?, None),
        (None, None) => bail!("what to run? Give a PATTERN or --soup WxH (`biota patterns` lists patterns)"),
    };
    let of_file = if rule_text.is_none() { name.as_deref() } else { None };
    let rule = named(source.rule(rule_text), of_file)?;
    named(source.settle(&rule), name.as_deref())?;
    if let (Some(size), Some(bounds)) = (arguments.soup, rule.topology().bounds()) {
        ensure!(
            (size.width, size.height) == (bounds.width, bounds.height),
            "--soup {}x{} fills the whole board, and the rule {rule} has one of {}x{}; make them the same, or leave \
             one out",
            size.width,
            size.height,
            bounds.width,
            bounds.height
        );
    }
    Ok(Start { source, rule, seed: arguments.seed.unwrap_or_default(), engine: arguments.engine, name })
}

/// Opens a file, a shipped pattern or standard input; `as_life` leaves only life and death of it.
pub(super) fn open(path: &Path, as_life: bool) -> anyhow::Result<Pattern> {
    let read = if path == Path::new(STDIN) {
        pattern::read(io::stdin().lock(), &Limits::default())
    } else {
        match Source::open(path) {
            Ok(Source::Pattern(pattern)) => Ok(*pattern),
            Ok(_) => bail!("{}: not a pattern", path.display()),
            Err(SessionError::Pattern(PatternError::Io(error)))
                if error.kind() == io::ErrorKind::NotFound =>
            {
                bail!(
                    "{}: there is no such file, and no pattern of this name comes with Biota (`biota patterns` \
                     lists them)",
                    path.display()
                )
            }
            Err(SessionError::Pattern(error)) => Err(error),
            Err(error) => return Err(error.into()),
        }
    };
    let mut pattern = read.with_context(|| name_of(path))?;
    if as_life {
        pattern.reduce_to_life();
    }
    Ok(pattern)
}

/// What a file is called in messages.
pub(super) fn name_of(path: &Path) -> String {
    if path == Path::new(STDIN) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Puts the name of the pattern before an error that is the pattern's.
fn named<T>(result: Result<T, SessionError>, name: Option<&str>) -> anyhow::Result<T> {
    match (result, name) {
        (Ok(value), _) => Ok(value),
        (Err(error), Some(name)) => Err(anyhow::Error::new(error).context(name_of(Path::new(name)))),
        (Err(error), None) => Err(error.into()),
    }
}
