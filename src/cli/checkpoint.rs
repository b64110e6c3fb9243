//! States of a run that it can go on from: RLE files with generation, seed and background (see `pattern::write_rle`),
//! each written whole before it takes the place of the one before.

use std::path::{Path, PathBuf};

use anyhow::ensure;

use super::args::RunArguments;
use super::run::described;
use super::shown;
use super::start::{STDIN, Start};
use super::target::Target;
use crate::session::Session;
use crate::text::grouped;

/// What stands between the name of a board and the extension.
const MARK: &str = ".checkpoint";

/// Where checkpoints go, and how often.
#[derive(Debug)]
pub(super) struct Checkpoint {
    target: Target,
    every: u64,
    /// Why the last one could not be written.
    failed: Option<String>,
}

impl Checkpoint {
    /// The checkpoints that were asked for; `None` when none were. Errors when they can't be written there.
    pub(super) fn new(arguments: &RunArguments) -> anyhow::Result<Option<Self>> {
        if arguments.checkpoint.is_none() && arguments.checkpoint_every.is_none() {
            return Ok(None);
        }
        let path = arguments.checkpoint.clone().unwrap_or_else(|| default_path(arguments));
        let target = Target::new(&path)?;
        ensure!(
            target.is_rle_file(),
            "--checkpoint {}: a checkpoint is an .rle or .rle.gz file, which alone hold all that a run needs to go on",
            path.display()
        );
        Ok(Some(Self { target, every: arguments.checkpoint_every.unwrap_or(u64::MAX), failed: None }))
    }

    /// The generation after `from` at which the next one is due.
    pub(super) const fn next(&self, from: u64) -> u64 {
        from.saturating_add(self.every)
    }

    /// Writes the present state in the middle of a run, for which it is no misfortune when that fails: the one before
    /// stays. Gives what is to be said of it, which is the same only once.
    pub(super) fn try_save(&mut self, session: &mut Session, start: &Start) -> Option<String> {
        let generation = grouped(session.generation());
        match self.save(session, start) {
            Ok(()) => {
                self.failed.take().map(|_| format!("generation {generation} is saved as a checkpoint again"))
            }
            Err(error) => {
                let reason = shown(&error);
                let text = format!(
                    "generation {generation} could not be saved as a checkpoint: {reason}; the run goes on, and the next \
                     one is tried"
                );
                (self.failed.replace(reason.clone()).as_ref() != Some(&reason)).then_some(text)
            }
        }
    }

    /// Writes the present state.
    pub(super) fn save(&self, session: &mut Session, start: &Start) -> anyhow::Result<()> {
        let states = session.rule().states();
        let about = described(session, start)?;
        self.target.write_pattern(&about, &mut session.bands(), states)
    }

    /// The command that goes on from the last one.
    pub(super) fn command(&self, generations: u64) -> String {
        format!("biota run {} --generations {generations}", self.target.name())
    }
}

/// `NAME.checkpoint.rle`, beside the first file that is written; named after that file, the pattern, or the soup. A run
/// from a checkpoint goes on in the same file.
fn default_path(arguments: &RunArguments) -> PathBuf {
    let is_file = |path: &&PathBuf| path.as_path() != Path::new(STDIN);
    let (folder, name) = match (arguments.out.iter().find(is_file), arguments.board.pattern.as_ref()) {
        (Some(out), _) => (out.parent(), out.file_name()),
        (None, Some(pattern)) if is_file(&pattern) => (None, pattern.file_name()),
        _ => (None, None),
    };
    let name = name.map_or_else(|| "soup".to_owned(), |name| name.to_string_lossy().into_owned());
    let mut stem = name.strip_suffix(".gz").unwrap_or(&name);
    stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    stem = stem.strip_suffix(MARK).unwrap_or(stem);
    folder.unwrap_or(Path::new("")).join(format!("{stem}{MARK}.rle"))
}

#[cfg(test)]
mod tests {
    use super::super::args::Arguments;
    use super::*;
    use clap::Parser as _;

    #[test]
    fn a_checkpoint_is_named_after_what_is_written_or_read() {
        for (typed, path) in [
            ("glider", "glider.checkpoint.rle"),
            ("guns/gosper-glider-gun", "gosper-glider-gun.checkpoint.rle"),
            ("some/where/gun.rle.gz", "gun.checkpoint.rle"),
            ("gun.checkpoint.rle", "gun.checkpoint.rle"),
            ("-", "soup.checkpoint.rle"),
            ("--soup 9x9", "soup.checkpoint.rle"),
            ("glider --out - --out to/end.png --out other.rle", "to/end.checkpoint.rle"),
        ] {
            let words = ["biota", "run"].into_iter().chain(typed.split(' '));
            let arguments = Arguments::try_parse_from(words).unwrap_or_else(|error| panic!("{error}"));
            let Some(super::super::args::Command::Run(arguments)) = arguments.command else {
                panic!("{typed}: it is `run`")
            };
            assert_eq!(default_path(&arguments), Path::new(path), "{typed}");
        }
    }
}
