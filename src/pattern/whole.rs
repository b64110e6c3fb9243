//! Files that are written whole or not at all: under a temporary name in the same folder, then renamed.
//!
//! A temporary file is locked while it is written. So what a program that was killed has left behind is told from what
//! another one is at work on, and the next file that is written in the folder takes it away.
//! Known limit: where a file system knows no locks, what is left behind stays.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How the name of a temporary file begins and ends; letters and digits by chance stand between.
const PREFIX: &str = ".biota-";
/// See [`PREFIX`].
const SUFFIX: &str = ".tmp";
/// How many letters and digits.
const RANDOM: usize = 6;
/// Links that are followed one after another at the most, as on Linux.
const MOST_LINKS: usize = 40;

/// The temporary files of this program.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all that is being written, because the program is about to end: nothing can be written
/// afterwards.
pub fn abandon() {
    let unfinished = unfinished();
    for path in unfinished.iter() {
        // What can't be removed stays for the next program that writes there.
        drop(fs::remove_file(path));
    }
    // Whoever would begin another one waits for the end.
    std::mem::forget(unfinished);
}

/// Writes a file of any kind by `write`, under a temporary name in the same folder, and then renames it to `path`.
///
/// A file that is there already is replaced once the new one is complete, and stays as it was when that fails. The new
/// one has its owner and permissions. Links are followed, to files that aren't there yet too. Devices and pipes are written
/// to as they are.
pub fn write_whole<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let fill = |file: &File| {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        write(&mut out)?;
        Ok(out.flush()?)
    };
    match Place::of(path)? {
        Place::Device(path) => fill(&File::options().write(true).open(path)?),
        Place::File { path, old } => {
            let temporary = Temporary::beside(&path, old.as_ref())?;
            fill(&temporary.file)?;
            // Else, where the power fails, the new name may stand before what it names.
            temporary.file.sync_data()?;
            Ok(fs::rename(&temporary.path, &path)?)
        }
    }
}

/// Errors when [`write_whole`] would not even begin: because of the folder, the file that is there, or their permissions.
pub fn check_writable(path: &Path) -> io::Result<()> {
    match Place::of(path)? {
        Place::Device(_) => Ok(()),
        Place::File { path, old } => Temporary::beside(&path, old.as_ref()).map(drop),
    }
}

/// Where something is to be written.
enum Place {
    /// A file at this path, which no link leads away from, in place of an old one.
    File { path: PathBuf, old: Option<Metadata> },
    /// What can't be replaced: a device or a pipe.
    Device(PathBuf),
}

impl Place {
    fn of(path: &Path) -> io::Result<Self> {
        let path = followed(path)?;
        let old = match fs::metadata(&path) {
            Ok(old) => old,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::File { path, old: None }),
            Err(error) => return Err(error),
        };
        if old.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        if !old.is_file() {
            return Ok(Self::Device(path));
        }
        // Renaming asks for the folder's permission only; a file that is protected is not to be replaced either.
        File::options().append(true).open(&path)?;
        Ok(Self::File { path, old: Some(old) })
    }
}

/// The path at the end of the links that `path` names. What it names need not be there.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if !fs::symlink_metadata(&path).is_ok_and(|data| data.is_symlink()) {
            return Ok(path);
        }
        path = folder_of(&path).join(fs::read_link(&path)?);
    }
    Err(io::Error::other("too many links that lead to each other"))
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file under a temporary name, which is gone in the end unless it is renamed.
struct Temporary {
    file: File,
    path: PathBuf,
}

impl Temporary {
    /// A locked one in the folder of `path`, with the permissions of `old`, else those of any new file.
    fn beside(path: &Path, old: Option<&Metadata>) -> io::Result<Self> {
        let folder = folder_of(path);
        sweep(folder);
        let temporary = loop {
            let temporary = Self::named(folder, old)?;
            if temporary.lock()? {
                break temporary;
            }
        };
        #[cfg(unix)]
        if let Some(old) = old {
            use std::os::unix::fs::{MetadataExt as _, fchown};
            let file = &temporary.file;
            let new = file.metadata()?;
            if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
                // Only the administrator may give files away; whoever else may write the file has it from now on.
                drop(fchown(file, Some(old.uid()), Some(old.gid())));
            }
            file.set_permissions(old.permissions())?;
        }
        Ok(temporary)
    }

    fn named(folder: &Path, old: Option<&Metadata>) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // From the beginning not more than the old one gives.
            builder.permissions(old.map_or_else(|| fs::Permissions::from_mode(0o666), Metadata::permissions));
        }
        #[cfg(not(unix))]
        let _ = old;
        let mut unfinished = unfinished();
        // The error's own words name the temporary file, which tells nobody anything.
        let file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        let (file, path) = file.keep().map_err(|error| error.error)?;
        unfinished.insert(path.clone());
        Ok(Self { file, path })
    }

    /// Locks the file. False when somebody who sweeps the folder came before.
    fn lock(&self) -> io::Result<bool> {
        match self.file.try_lock() {
            Err(TryLockError::WouldBlock) => Ok(false),
            Ok(()) => self.path.try_exists(),
            // Where nothing can be locked, nothing is swept.
            Err(TryLockError::Error(_)) => Ok(true),
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut unfinished = unfinished();
        // Once it is renamed, there is none.
        drop(fs::remove_file(&self.path));
        unfinished.remove(&self.path);
    }
}

/// Removes the temporary files that programs have left in a folder which were killed. What can't be removed stays.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !is_temporary(&entry.file_name()) || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let path = entry.path();
        if let Ok(file) = File::open(&path)
            && file.try_lock().is_ok()
        {
            drop(fs::remove_file(&path));
        }
    }
}

/// Whether a file's name is one of ours.
fn is_temporary(name: &OsStr) -> bool {
    let middle =
        name.to_str().and_then(|name| name.strip_prefix(PREFIX)).and_then(|name| name.strip_suffix(SUFFIX));
    middle.is_some_and(|middle| middle.len() == RANDOM && middle.bytes().all(|b| b.is_ascii_alphanumeric()))
}
