//! What becomes of the board when the window ends without having been closed: it is saved to the folder of settings, and
//! offered when a window opens again.
//!
//! A display that goes away gives no warning. Wayland's end reaches us as an error of the event loop. Xlib's does not: it
//! calls C's `exit` from wherever it finds its connection broken. Then what is left are the destructors of this thread's
//! own variables, which `exit` runs, and one of these saves the board.
//! Known limit: where `exit` runs none (musl), a lost X server takes the board with it.

use std::cell::RefCell;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use super::logic::Model;
use crate::pattern::{self, Pattern};
use crate::session::{Session, SessionError};

/// What every saved board's file ends in.
const ENDING: &str = ".rle.gz";
/// Letters of a title that are taken into a file's name.
const LONGEST_TITLE: usize = 40;
/// The exit status of a program whose display has gone: that of an error.
const STATUS: i32 = 2;

/// Where boards are saved; `None` where the user has no folder of settings.
pub(super) fn folder() -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "biota").map(|folders| folders.config_dir().join("recovery"))
}

/// The boards in a folder, the last one first.
pub(super) fn left(folder: &Path) -> Vec<PathBuf> {
    // A folder that is not there has none.
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<(SystemTime, PathBuf)> = entries
        .filter(|entry| entry.file_name().to_str().is_some_and(|name| name.ends_with(ENDING)))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    found.into_iter().map(|(_, path)| path).collect()
}

/// Saves the board under a name that no other one has; gives its path.
pub(super) fn save(session: &mut Session, title: &str, folder: &Path) -> Result<PathBuf, SessionError> {
    fs::create_dir_all(folder).map_err(pattern::PatternError::from)?;
    // First of all: where the GPU is lost the session goes back to the board that it holds.
    let about = session.about()?;
    let about = Pattern { name: Some(title.to_owned()).filter(|title| !title.is_empty()), ..about };
    let path = free_path(folder, title, session.generation());
    let states = session.rule().states();
    pattern::save_bands(&path, &about, &mut session.bands(), states)?;
    Ok(path)
}

/// `TITLE-generation-NUMBER-PROCESS.rle.gz`: windows that end at the same moment don't meet.
fn free_path(folder: &Path, title: &str, generation: u64) -> PathBuf {
    let mut stem = String::new();
    for letter in title.chars().take(LONGEST_TITLE) {
        if letter.is_alphanumeric() {
            stem.extend(letter.to_lowercase());
        } else if !stem.is_empty() && !stem.ends_with('-') {
            stem.push('-');
        }
    }
    let stem = Some(stem.trim_end_matches('-')).filter(|stem| !stem.is_empty()).unwrap_or("board");
    let process = std::process::id();
    let named =
        |again: String| folder.join(format!("{stem}-generation-{generation}-{process}{again}{ENDING}"));
    let again = (2_u64..).map(|number| format!("-{number}"));
    std::iter::once(String::new())
        .chain(again)
        .map(named)
        .find(|path| !path.exists())
        .expect("there are more numbers than files")
}

/// Saves the board of a model, and says in words what came of it.
pub(super) fn save_in_words(model: &RefCell<Model>) -> String {
    let lost = "the board could not be saved";
    let Some(folder) = folder() else { return format!("{lost}: there is no folder of settings") };
    // Where something failed in the middle of a frame.
    let Ok(mut model) = model.try_borrow_mut() else { return format!("{lost}: it was being changed") };
    let title = model.view().title.to_owned();
    let session = &mut model.session;
    // On a thread of its own: this one's variables may be gone already.
    let saved = std::thread::scope(|scope| scope.spawn(|| save(session, &title, &folder)).join());
    match saved {
        Ok(Ok(path)) => {
            format!("the board is saved in {}; Biota offers it when it is started again", path.display())
        }
        Ok(Err(error)) => format!("{lost} in {}: {error}", folder.display()),
        Err(_) => format!("{lost} in {}", folder.display()),
    }
}

/// The model of the window that is open, which must not be lost.
struct Open(RefCell<Option<Rc<RefCell<Model>>>>);

thread_local! {
    static OPEN: Open = const { Open(RefCell::new(None)) };
}

/// From now on the board is saved when the program ends, until [`close`].
pub(super) fn open(model: &Rc<RefCell<Model>>) {
    OPEN.with(|open| *open.0.borrow_mut() = Some(Rc::clone(model)));
}

/// The window ends, and we know of it: what is still to be saved, where the user hasn't closed it.
pub(super) fn close() -> Option<Rc<RefCell<Model>>> {
    OPEN.with(|open| open.0.borrow_mut().take())
}

impl Drop for Open {
    fn drop(&mut self) {
        let Some(model) = self.0.get_mut().take() else { return };
        let words = save_in_words(&model);
        // Nobody to tell is no reason to stop. Xlib leaves its own line open.
        drop(writeln!(io::stderr(), "\nerror: the display has gone; {words}"));
        #[cfg(unix)]
        signal_hook::low_level::exit(STATUS);
        #[cfg(not(unix))]
        std::process::exit(STATUS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Cancel, EngineKind};
    use crate::session::{EngineChoice, Source};

    fn session() -> Session {
        let source = Source::Soup { width: 40, height: 30, densities: vec![0.5] };
        let choice = EngineChoice::Fixed(EngineKind::Cpu);
        let (session, _) = source.session(Some("P2Life:T40,30"), 9, choice).expect("a session");
        session
    }

    #[test]
    fn a_board_is_saved_with_all_that_it_needs_to_go_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut session = session();
        session.step(7, &Cancel::never()).expect("it runs");
        // The folder need not be there yet.
        let path = save(&mut session, "A soup", &folder.path().join("biota/recovery")).expect("it is saved");
        let source = Source::open(&path).expect("it is read");
        let choice = EngineChoice::Fixed(EngineKind::Oracle);
        let (mut back, notes) = source.session(None, 1, choice).expect("a session");
        assert_eq!(notes, Vec::<String>::new(), "nothing to remark");
        assert_eq!(back.rule(), session.rule(), "the rule and its board");
        for ahead in [0, 5] {
            session.step(ahead, &Cancel::never()).expect("it runs");
            back.step(ahead, &Cancel::never()).expect("it runs");
            let boards = [&mut session, &mut back].map(|it| it.engine_mut().snapshot().expect("a board"));
            assert_eq!(boards[0], boards[1], "{ahead} generations later, coins included");
        }
    }

    #[test]
    fn no_board_takes_the_place_of_another_and_the_last_one_is_offered_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut session = session();
        let mut saved = Vec::new();
        for title in ["../Gosper's  gun!", "../Gosper's  gun!", "\u{7f8e}/.", "", "../.."] {
            let path = save(&mut session, title, folder.path()).expect("it is saved");
            assert_eq!(path.parent(), Some(folder.path()), "{title}: in the folder");
            assert!(!saved.contains(&path), "{title}: a name of its own");
            let old = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1000 + saved.len() as u64);
            fs::File::options()
                .append(true)
                .open(&path)
                .and_then(|file| file.set_modified(old))
                .expect("older");
            saved.push(path);
        }
        let process = std::process::id();
        let expected = format!("gosper-s-gun-generation-0-{process}-2.rle.gz");
        assert_eq!(saved[1].file_name().and_then(|name| name.to_str()), Some(expected.as_str()), "the name");
        fs::write(folder.path().join("notes.txt"), "no board").expect("another file");
        saved.reverse();
        assert_eq!(left(folder.path()), saved, "the last one first, and nothing else");
        assert_eq!(left(&folder.path().join("nowhere")), Vec::<PathBuf>::new(), "no folder, no boards");
    }

    #[test]
    fn what_can_not_be_saved_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("recovery");
        fs::write(&file, "no folder").expect("a file");
        save(&mut session(), "A soup", &file).expect_err("a file is in the way");
        assert_eq!(fs::read_to_string(&file).expect("the file"), "no folder", "which stays");
    }
}
