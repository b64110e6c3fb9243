//! Where a board goes: a file by its extension, or standard output. What can be known to fail is found out before
//! any work is done, so that hours of stepping aren't lost to a typing mistake.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use super::output::stdout;
use super::start::{STDIN, name_of};
use crate::board::Board;
use crate::coords::Rect;
use crate::export::{self, Look};
use crate::pattern::{self, Bands, Format, Pattern};

/// What is written where.
#[derive(Debug)]
pub(super) struct Target {
    path: PathBuf,
    kind: Kind,
}

/// In what form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Stdout,
    Pattern(Format),
    Picture,
}

impl Target {
    /// The target at `path`; errors when its extension is unknown, or when nothing can be written there.
    pub(super) fn new(path: &Path) -> anyhow::Result<Self> {
        let kind = if path == Path::new(STDIN) {
            Kind::Stdout
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png")) {
            Kind::Picture
        } else {
            match Format::from_extension(path) {
                Ok((format, _)) => Kind::Pattern(format),
                Err(error) => bail!("{}: {error}, or .png for a picture", path.display()),
            }
        };
        if kind != Kind::Stdout {
            ensure!(!path.is_dir(), "{}: this is a folder, not a file", path.display());
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            ensure!(
                folder.is_none_or(Path::is_dir),
                "{}: there is no folder {}",
                path.display(),
                folder.unwrap_or(path).display()
            );
            pattern::check_writable(path)
                .with_context(|| format!("{}: it can't be written there", path.display()))?;
        }
        Ok(Self { path: path.to_owned(), kind })
    }

    /// Whether it is standard output.
    pub(super) fn is_stdout(&self) -> bool {
        self.kind == Kind::Stdout
    }

    /// Whether it is a file of RLE.
    pub(super) fn is_rle_file(&self) -> bool {
        self.kind == Kind::Pattern(Format::Rle)
    }

    /// Errors when boards of `states` states have no form there.
    pub(super) fn check_states(&self, states: u16) -> anyhow::Result<()> {
        ensure!(
            states <= 2 || self.kind != Kind::Pattern(Format::Cells),
            "{}: .cells holds living and dead cells only, and the rule has {states} states; save as .rle",
            self.path.display()
        );
        Ok(())
    }

    /// Whether a pattern goes there; otherwise a picture.
    pub(super) fn is_pattern(&self) -> bool {
        self.kind != Kind::Picture
    }

    /// Writes a pattern of `states` states, with the cells of `bands` instead of its own.
    pub(super) fn write_pattern(
        &self,
        about: &Pattern,
        bands: &mut dyn Bands,
        states: u16,
    ) -> anyhow::Result<()> {
        match self.kind {
            Kind::Stdout => {
                let mut out = stdout();
                pattern::write(&mut out, Format::Rle, about, bands, states)?;
                std::io::Write::flush(&mut out)?;
                Ok(())
            }
            _ => pattern::save_bands(&self.path, about, bands, states).with_context(|| name_of(&self.path)),
        }
    }

    /// Writes a picture of `area` of a board.
    pub(super) fn write_picture(&self, board: &Board, area: Rect, look: &Look) -> anyhow::Result<()> {
        export::save_png(&self.path, board, area, look).with_context(|| name_of(&self.path))
    }

    /// What it is called.
    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }
}
