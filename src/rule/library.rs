//! Rule files by name: those that were opened or came with a pattern, then those in the user's folders.
//!
//! A rule string is read in many places (the panel at every frame, `FromStr`, the command line, files), and in all of
//! them a name must mean the same. So the folders are one setting of the process, made once by `main`
//! ([`search_in`]), instead of an argument of every reader. It is empty at first: whoever uses the crate, and every
//! test, reads no files unless asked to.
//!
//! ```text
//! name ── opened before in this process? ── folder 1 ── folder 2 …
//!         Name.rule, Name.table, Name.tree; slashes are underscores; upper and lower case are alike
//! ```
//!
//! A file in the user's folders comes before a built-in rule of that name, as in Golly, and a note says so. A rule string
//! can't be replaced in this way, only dressed: `B3_S23.rule` gives Life's states colours and names.
//! `Foo-bar` borrows colours from `Foo-shared` where it has none.

use std::collections::{BTreeMap, VecDeque};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::file::{MAX_TEXT, RuleFile};
use super::{ParseError, Rule, notation};
use crate::board::Topology;
use crate::path;

/// What the environment variable is called that names the user's folder of rules.
pub const FOLDER_VARIABLE: &str = "BIOTA_RULES";
/// What rule files are called.
const EXTENSIONS: [&str; 3] = ["rule", "table", "tree"];
/// How many opened rules, and how many files, are remembered.
const REMEMBERED: usize = 64;
/// The longest name that is looked for, bytes.
const MAX_NAME: usize = 200;

/// A file that was read, and what it had in it then.
struct Known {
    changed: Option<SystemTime>,
    length: u64,
    content: Result<Arc<RuleFile>, String>,
}

struct State {
    folders: Vec<PathBuf>,
    /// The latest first.
    opened: VecDeque<Arc<RuleFile>>,
    files: BTreeMap<PathBuf, Known>,
}

fn state() -> MutexGuard<'static, State> {
    static STATE: Mutex<State> =
        Mutex::new(State { folders: Vec::new(), opened: VecDeque::new(), files: BTreeMap::new() });
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Looks for rules in these folders from now on, in this order. Folders that aren't there are no error.
pub fn search_in(folders: Vec<PathBuf>) {
    state().folders = folders;
}

/// The user's folder of rules: `$BIOTA_RULES` if it is set, else `biota/rules` in the platform's folder of settings
/// (`~/.config/biota/rules` on Linux). Empty where the platform names none.
pub fn user_folders() -> Vec<PathBuf> {
    if let Some(folder) = std::env::var_os(FOLDER_VARIABLE) {
        return if folder.is_empty() { Vec::new() } else { vec![PathBuf::from(folder)] };
    }
    directories::ProjectDirs::from("", "", "biota")
        .map(|folders| folders.config_dir().join("rules"))
        .into_iter()
        .collect()
}

/// The names of the rule files in the folders, each once, sorted.
pub fn names() -> Vec<String> {
    let folders = state().folders.clone();
    let mut names: Vec<String> = folders
        .iter()
        // A folder that can't be listed has nothing in it.
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| is_rule_file(path) && path.is_file())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Whether the path ends as those of rule files do.
fn is_rule_file(path: &Path) -> bool {
    path.extension().is_some_and(|end| EXTENSIONS.iter().any(|known| end.eq_ignore_ascii_case(known)))
}

/// Whether [`open`] takes the text for the path of a rule file.
pub fn is_path(text: &str) -> bool {
    path_and_suffix(text).is_some()
}

/// The path of a rule file and what comes after its colon.
fn path_and_suffix(text: &str) -> Option<(&str, &str)> {
    let is_path = |text: &str| is_rule_file(Path::new(text));
    let text = text.trim();
    if is_path(text) {
        return Some((text, ""));
    }
    text.rsplit_once(':').filter(|(path, _)| is_path(path))
}

/// Lets `file` be found by its name in this process, before those in folders. Files of colours only are remembered too.
pub fn remember(file: &Arc<RuleFile>) {
    let mut state = state();
    state.opened.retain(|known| !known.name().eq_ignore_ascii_case(file.name()));
    state.opened.push_front(Arc::clone(file));
    state.opened.truncate(REMEMBERED);
}

/// A rule string, or the path of a rule file, with a topology suffix: `wires/WireWorld.rule:T64`. The rule is
/// remembered, so that its name alone finds it later.
///
/// Only for what a user typed: the rule strings of files go to [`super::parse`], which opens no paths.
pub fn open(text: &str) -> Result<Rule, ParseError> {
    let Some((path, suffix)) = path_and_suffix(text) else { return super::parse(text) };
    let fail = |message| ParseError { text: text.to_owned(), column: 0, message };
    let found = path::existing(Path::new(path)).unwrap_or_else(|| PathBuf::from(path));
    let file = read(&found).map_err(|why| fail(format!("{path}: {why}")))?;
    let file = dressed_by_shared(file);
    remember(&file);
    let Some(rule) = Rule::from_file(&file, topology(text, suffix)?) else {
        return Err(fail(format!("{path} has no @TABLE and no @TREE, only names and colours")));
    };
    Ok(rule)
}

/// The rule of a file that is called so; `None` where there is none.
pub(super) fn find(text: &str) -> Option<Result<Rule, ParseError>> {
    let name = text.split(':').next().unwrap_or_default();
    let fail = |message| ParseError { text: text.to_owned(), column: 0, message };
    match look_up(name.trim())? {
        Ok(file) => stated_by(&file, text).transpose(),
        Err(why) => Some(Err(fail(why))),
    }
}

/// The rule that `file` states, with the topology suffix of `text`; `None` for a file of colours only.
pub fn stated_by(file: &Arc<RuleFile>, text: &str) -> Result<Option<Rule>, ParseError> {
    let suffix = text.split_once(':').map_or("", |(_, suffix)| suffix);
    Ok(Rule::from_file(&dressed_by_shared(Arc::clone(file)), topology(text, suffix)?))
}

/// A built-in rule with the names and colours that a file of its name has.
pub(super) fn dressed(rule: Rule) -> Rule {
    match look_up(rule.name()) {
        Some(Ok(file)) => rule.dressed_by(&file),
        Some(Err(why)) => {
            log::warn!("the colours of {rule} are not taken: {why}");
            rule
        }
        None => rule,
    }
}

/// The topology of the suffix, which is the end of `text`.
fn topology(text: &str, suffix: &str) -> Result<Topology, ParseError> {
    let compact: String = suffix.chars().filter(|c| !c.is_whitespace()).collect();
    if compact.is_empty() {
        return Ok(Topology::Unbounded);
    }
    Topology::parse(&compact).map_err(|error| {
        let places: Vec<usize> =
            suffix.chars().enumerate().filter(|(_, c)| !c.is_whitespace()).map(|(place, _)| place).collect();
        let start = text.trim_end().chars().count().saturating_sub(suffix.trim_end().chars().count());
        let at = places.get(error.at).copied().unwrap_or(suffix.trim_end().chars().count());
        ParseError { text: text.to_owned(), column: start + at, message: error.message }
    })
}

/// The file that is called so, or why it can't be read: one that was opened, else one in the folders.
fn look_up(name: &str) -> Option<Result<Arc<RuleFile>, String>> {
    let wanted = file_name(name);
    let known = |file: &&Arc<RuleFile>| file.name().eq_ignore_ascii_case(&wanted);
    if let Some(file) = state().opened.iter().find(known) {
        return Some(Ok(Arc::clone(file)));
    }
    in_folders(name)
}

/// What the file of a rule of this name is called.
fn file_name(name: &str) -> String {
    name.chars().map(|c| if matches!(c, '/' | '\\') { '_' } else { c }).collect()
}

/// The file in the user's folders that is called so, or why it can't be read.
fn in_folders(name: &str) -> Option<Result<Arc<RuleFile>, String>> {
    let name = file_name(name);
    if name.is_empty() || name.len() > MAX_NAME || name.starts_with('.') || name.contains(char::is_control) {
        return None;
    }
    let folders = state().folders.clone();
    let path = folders.iter().find_map(|folder| file_in(folder, &name))?;
    Some(read(&path).map_err(|why| format!("{}: {why}", path.display())))
}

/// The file of a folder that is called so, first as it is written, else in any case.
fn file_in(folder: &Path, name: &str) -> Option<PathBuf> {
    let exact = EXTENSIONS.iter().map(|end| folder.join(format!("{name}.{end}"))).find(|path| path.is_file());
    // A folder that can't be listed has nothing in it.
    exact.or_else(|| {
        let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
            .ok()?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| {
                let stem = path.file_stem().and_then(|stem| stem.to_str());
                is_rule_file(path) && stem.is_some_and(|stem| stem.eq_ignore_ascii_case(name))
            })
            .filter(|path| path.is_file())
            .collect();
        found.sort();
        found.into_iter().next()
    })
}

/// Reads a rule file, unless it is as it was when it was read last.
fn read(path: &Path) -> Result<Arc<RuleFile>, String> {
    let about = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("this is no file".to_owned());
    }
    let (changed, length) = (about.modified().ok(), about.len());
    if let Some(known) = state().files.get(path)
        && known.changed == changed
        && known.length == length
    {
        return known.content.clone();
    }
    let content = read_anew(path);
    let mut state = state();
    if state.files.len() >= REMEMBERED {
        state.files.clear();
    }
    state.files.insert(path.to_owned(), Known { changed, length, content: content.clone() });
    content
}

fn read_anew(path: &Path) -> Result<Arc<RuleFile>, String> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    file.take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() > MAX_TEXT {
        return Err(format!("a rule file has at most {MAX_TEXT} bytes"));
    }
    // Latin-1 is what the old collections are written in.
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    RuleFile::parse(&text, &stem).map(Arc::new).map_err(|error| error.one_line())
}

/// `Foo-bar` in the colours and names of `Foo-shared`, where it has none itself.
fn dressed_by_shared(file: Arc<RuleFile>) -> Arc<RuleFile> {
    if file.has_colours() {
        return file;
    }
    let family = file.name().rsplit_once('-').map(|(family, _)| format!("{family}-shared"));
    match family.and_then(|shared| look_up(&shared)) {
        Some(Ok(shared)) => Arc::new(RuleFile::clone(&file).dressed_as(&shared)),
        Some(Err(why)) => {
            log::warn!("the colours of {} are not taken: {why}", file.name());
            file
        }
        None => file,
    }
}

/// Reads a rule string that is no path: the field's notation first, then the names of rule files.
pub(super) fn parse(text: &str) -> Result<Rule, ParseError> {
    match (notation::parse(text), own(text)) {
        (Ok(_), Some(Ok(rule))) => Ok(rule.instead_of_a_built_in()),
        (Ok(rule), own) => {
            if let Some(Err(why)) = own {
                log::warn!("the built-in rule is taken: {why}");
            }
            Ok(dressed(rule))
        }
        (Err(error), _) => find(text).unwrap_or(Err(error)),
    }
}

/// The rule of the file in the user's folders that is called so; `None` where there is none, or only one of colours, and
/// for rule strings, which are no names.
fn own(text: &str) -> Option<Result<Rule, ParseError>> {
    let name = text.split(':').next().unwrap_or_default().trim();
    if name.contains(['/', '|', '{']) {
        return None;
    }
    match in_folders(name)? {
        Ok(file) => stated_by(&file, text).transpose(),
        Err(why) => Some(Err(ParseError { text: text.to_owned(), column: 0, message: why })),
    }
}
