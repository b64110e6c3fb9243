//! What Biota does where there is neither a display nor a terminal: it runs for a moment, says what came of it, and
//! leaves a picture.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;

use crate::cell::{glyph, state_name};
use crate::engine::Cancel;
use crate::session::Session;

use crate::text::{grouped, rate};

/// The picture that is left behind.
pub const PICTURE: &str = "biota-demo.png";

/// Generations that are stepped. A fixed number, so that every machine leaves the same picture…
const GENERATIONS: u64 = 500;
/// … but no longer than this.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether a window can be opened, as far as that can be told without trying: elsewhere than on Linux and its like
/// there always is a display.
pub fn display_available() -> bool {
    if cfg!(any(windows, target_os = "macos")) {
        return true;
    }
    named_display(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

fn named_display(is_set: impl Fn(&str) -> bool) -> bool {
    ["WAYLAND_DISPLAY", "DISPLAY"].into_iter().any(is_set)
}

/// Steps a board for a moment, has `write_png` make a picture of it in `folder` (or, where nothing
/// can be written there, in the folder for temporary files), and writes a summary to `out`.
///
/// Gives the path of the picture.
pub fn fallback(
    mut session: Session,
    out: &mut impl Write,
    folder: &Path,
    mut write_png: impl FnMut(&Path, &mut Session) -> anyhow::Result<()>,
) -> anyhow::Result<PathBuf> {
    let begun = Instant::now();
    let deadline = Cancel::at(begun + PATIENCE);
    let last = session.generation() + GENERATIONS;
    while session.generation() < last && !deadline.is_due() {
        session.step(last - session.generation(), &deadline)?;
    }
    let seconds = begun.elapsed().as_secs_f64();

    let mut path = folder.join(PICTURE);
    if let Err(error) = write_png(&path, &mut session) {
        path = std::env::temp_dir().join(PICTURE);
        write_png(&path, &mut session)
            .with_context(|| format!("neither could it be written to {} ({error:#})", folder.display()))
            .context("the picture could not be written")?;
    }

    let states = session.rule().states();
    let populations: Vec<String> = (1..)
        .zip(session.tally()?.by_state(states))
        .map(|(state, cells)| {
            format!("{} {} {}", glyph(state, states), state_name(state, states), grouped(cells))
        })
        .collect();
    let engine = session.engine();
    let adapter = engine.adapter().map(|adapter| format!(" on {adapter}")).unwrap_or_default();
    writeln!(out, "rule         {}", session.rule())?;
    writeln!(out, "engine       {}{adapter}", engine.kind())?;
    writeln!(
        out,
        "generation   {}, in {seconds:.2} s ({} a second)",
        grouped(session.generation()),
        rate(session.generation() as f64 / seconds.max(1e-6))
    )?;
    writeln!(out, "populations  {}", populations.join("   "))?;
    writeln!(out, "picture      {}", path.display())?;
    out.flush()?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{EngineChoice, demo};

    fn demo_session() -> Session {
        let (session, _) =
            demo().and_then(|source| source.session(None, 1, EngineChoice::Automatic)).expect("the demo");
        session
    }

    #[test]
    fn a_display_is_one_that_has_a_name() {
        assert!(named_display(|name| name == "DISPLAY"), "X11");
        assert!(named_display(|name| name == "WAYLAND_DISPLAY"), "Wayland");
        assert!(!named_display(|_| false), "none");
    }

    #[test]
    fn the_fallback_runs_the_demo_and_names_its_picture() {
        let mut out = Vec::new();
        let mut written = Vec::new();
        let path = fallback(demo_session(), &mut out, Path::new("here"), |path, session| {
            written.push((path.to_owned(), session.generation()));
            Ok(())
        })
        .expect("a summary");
        assert_eq!(path, Path::new("here").join(PICTURE), "in the folder that was asked for");
        assert_eq!(written.len(), 1, "one picture");
        assert!(written[0].1 > 0, "of a board that has run");
        let text = String::from_utf8(out).expect("text");
        for word in ["Immigration", "generation", "o white", "* black", PICTURE] {
            assert!(text.contains(word), "{word:?} in\n{text}");
        }
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_not_the_end() {
        let mut out = Vec::new();
        let path = fallback(demo_session(), &mut out, Path::new("/nowhere"), |path, _| {
            anyhow::ensure!(!path.starts_with("/nowhere"), "read-only");
            Ok(())
        })
        .expect("a summary");
        assert_eq!(path, std::env::temp_dir().join(PICTURE), "among the temporary files");
        let error =
            fallback(demo_session(), &mut out, Path::new("/nowhere"), |_, _| anyhow::bail!("read-only"))
                .expect_err("nowhere to write");
        assert!(format!("{error:#}").contains("read-only"), "{error:#}");
    }
}
