//! Long work on threads: what they are given, how far they are, what they bring back.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, TryRecvError};

pub(super) use super::feed::Intake;
use super::feed::{Feed, feed};
use crate::board::{Board, Topology};
use crate::pattern::{self, Format, Pattern, PatternError};
use crate::progress::Progress;
use crate::rule::{Rule, library};
use crate::session::{EngineChoice, Session, SessionError, Source};

/// What a thread brings back.
pub(super) enum Work {
    /// A session to go on with, and how it differs from the present one.
    Arrived(Box<Session>, Change),
    /// A board that was left of another window has arrived, from this file.
    Recovered(Box<Work>, PathBuf),
    Saved(PathBuf),
    /// What the user chose in the system's dialog: to open, or to save as.
    PickedOpen(Option<PathBuf>),
    PickedSave(Option<PathBuf>, SaveKind),
    Failed(String),
}

/// What changed with a session that takes the place of another.
pub(super) enum Change {
    /// Another board.
    Loaded {
        title: String,
        about: String,
        notes: Vec<String>,
    },
    Rule,
    Engine,
    /// Back at the start.
    Reset,
}

/// What is to be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SaveKind {
    Pattern,
    Picture,
}

/// Work on a thread.
pub(super) struct Job {
    pub(super) what: String,
    outcome: Receiver<Work>,
    pub(super) progress: Progress,
    /// The present board on its way to the thread.
    pub(super) feed: Option<Feed>,
    /// Whether the board holds still to the end, since what it did meanwhile would be lost.
    to_the_end: bool,
}

impl Job {
    pub(super) fn start(what: String, work: impl FnOnce(&Progress) -> Work + Send + 'static) -> Self {
        let (sender, outcome) = mpsc::channel();
        let progress = Progress::default();
        let watched = progress.clone();
        // A job that was replaced has nobody to tell.
        std::thread::spawn(move || sender.send(work(&watched)).unwrap_or_default());
        Self { what, outcome, progress, feed: None, to_the_end: false }
    }

    /// Work that asks for the present board.
    pub(super) fn start_fed(
        what: String,
        to_the_end: bool,
        work: impl FnOnce(Intake) -> Work + Send + 'static,
    ) -> Self {
        let progress = Progress::default();
        let (feed, intake) = feed(progress.clone());
        Self { feed: Some(feed), to_the_end, progress, ..Self::start(what, move |_| work(intake)) }
    }

    /// What it does, and how far it is where it knows.
    pub(super) fn text(&self) -> String {
        match self.progress.share() {
            Some(share) if share < 1.0 => format!("{} {:.0} %", self.what, 100.0 * share),
            _ => self.what.clone(),
        }
    }

    /// Whether the board has to hold still for it.
    pub(super) fn holds_the_board(&self) -> bool {
        self.feed.as_ref().map_or(self.to_the_end, Feed::is_asked)
    }

    /// What came of it; `None` while it goes on.
    pub(super) fn outcome(&self) -> Option<Work> {
        match self.outcome.try_recv() {
            Ok(outcome) => Some(outcome),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Work::Failed(format!("{} failed", self.what))),
        }
    }
}

/// Drops what may be large on a thread: giving gigabytes back takes longer than a frame.
pub(super) fn discard<T: Send + 'static>(what: T) {
    std::thread::spawn(move || drop(what));
}

fn arrived(made: Result<Session, SessionError>, change: Change) -> Work {
    match made {
        Ok(session) => Work::Arrived(Box::new(session), change),
        Err(error) => Work::Failed(error.to_string()),
    }
}

/// A session on a board.
pub(super) fn load(rule: &Rule, board: impl Into<Arc<Board>>, choice: EngineChoice, change: Change) -> Work {
    arrived(Session::new(rule, board, choice), change)
}

/// The present board under a rule. Where the oracle may be asked the rule need not be compiled.
pub(super) fn go_on_under(rule: &Rule, may_ask: bool, intake: Intake) -> Work {
    match rule.kernel() {
        Err(error) if !may_ask => Work::Failed(error.to_string()),
        _ => match intake.board() {
            Ok((heritage, board)) => arrived(heritage.under(board, rule), Change::Rule),
            Err(stopped) => stopped.into(),
        },
    }
}

/// The present board under the rule of a file; without a suffix the board keeps its shape.
pub(super) fn go_on_under_file(text: &str, topology: Topology, may_ask: bool, intake: Intake) -> Work {
    match library::open(text) {
        Ok(rule) if rule.topology() == Topology::Unbounded => {
            go_on_under(&rule.with_topology(topology), may_ask, intake)
        }
        Ok(rule) => go_on_under(&rule, may_ask, intake),
        Err(error) => Work::Failed(error.one_line()),
    }
}

/// The present board on another engine.
pub(super) fn go_on_on(choice: EngineChoice, intake: Intake) -> Work {
    match intake.board() {
        Ok((heritage, board)) => arrived(heritage.on(board, choice), Change::Engine),
        Err(stopped) => stopped.into(),
    }
}

/// Writes the present board to a file.
pub(super) fn save(path: PathBuf, title: String, intake: Intake) -> Work {
    let written = || -> Result<(), PatternError> {
        let (format, _) = Format::from_extension(&path)?;
        let (heritage, mut present) = intake.ask().map_err(|_| PatternError::Cancelled)?;
        if format == Format::Cells {
            // Its writer goes over the cells twice.
            present = present.whole(&heritage)?;
        }
        let life = pattern::Bands::bounding_box(&mut present)?;
        let about = Pattern { name: Some(title), ..heritage.about(life) };
        pattern::save_bands(&path, &about, &mut present, heritage.states())
    };
    match written() {
        Ok(()) => Work::Saved(path),
        Err(error) => Work::Failed(format!("{}: {error}", path.display())),
    }
}

pub(super) fn load_file(path: &Path, choice: EngineChoice, progress: &Progress) -> Work {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match Source::open_watched(path, progress) {
        Ok(Source::Pattern(pattern)) => loaded(*pattern, &name, choice),
        Ok(_) => Work::Failed(format!("{name} is no pattern")),
        Err(error) => Work::Failed(format!("{name}: {error}")),
    }
}

/// A board that was left of another window.
pub(super) fn load_left(path: PathBuf, choice: EngineChoice, progress: &Progress) -> Work {
    match load_file(&path, choice, progress) {
        arrived @ Work::Arrived(..) => Work::Recovered(Box::new(arrived), path),
        failed => failed,
    }
}

pub(super) fn load_shipped(path: &str, choice: EngineChoice) -> Work {
    match pattern::find(path).map(pattern::Entry::pattern) {
        Some(Ok(pattern)) => loaded(pattern, path, choice),
        Some(Err(error)) => Work::Failed(error.to_string()),
        None => Work::Failed(format!("no pattern is called {path}")),
    }
}

/// A session on a pattern.
fn loaded(pattern: Pattern, name: &str, choice: EngineChoice) -> Work {
    let title = pattern.name.clone().unwrap_or_else(|| name.to_owned());
    let about = pattern.comments.join("\n");
    let mut source = Source::Pattern(Box::new(pattern));
    let made = source.rule(None).and_then(|rule| {
        source.settle(&rule)?;
        let (board, notes) = source.board(&rule, 0)?;
        Ok((rule, board, notes))
    });
    // The pattern's cells are the board's from here on.
    drop(source);
    let failed = |error: &dyn std::fmt::Display| Work::Failed(format!("{name}: {error}"));
    match made {
        Ok((rule, board, notes)) => match rule.kernel() {
            Ok(_) => match Session::new(&rule, board, choice) {
                Ok(session) => Work::Arrived(Box::new(session), Change::Loaded { title, about, notes }),
                Err(error) => failed(&error),
            },
            Err(error) => failed(&error),
        },
        Err(error) => failed(&error),
    }
}
