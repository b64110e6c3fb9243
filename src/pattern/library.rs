//! The patterns that come with Biota: `assets/patterns/<category>/<name>.rle`, embedded in the program.
//!
//! Name, author and description are those that the files themselves give (`#N`, `#O`, `#C`). A test reads them all.

use std::sync::OnceLock;

use include_dir::{Dir, include_dir};

use super::{Limits, Pattern, PatternError, read};

/// The folder that is embedded.
static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets/patterns");

/// One shipped pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The file's name without its extension; unique within its category.
    pub stem: &'static str,
    /// The folder that it is in: what kind of pattern it is.
    pub category: &'static str,
    /// What it is called; the stem where the file doesn't say.
    pub name: String,
    /// Who found it, where the file says.
    pub author: Option<String>,
    /// The rule as written, where the file says.
    pub rule: Option<String>,
    /// The file's comments, joined by spaces.
    pub description: String,
    /// The whole file.
    pub text: &'static str,
}

impl Entry {
    /// `category/stem`, which no other shipped pattern has.
    pub fn path(&self) -> String {
        format!("{}/{}", self.category, self.stem)
    }

    /// Reads the pattern.
    pub fn pattern(&self) -> Result<Pattern, PatternError> {
        read(self.text.as_bytes(), &Limits::default())
    }
}

/// All shipped patterns, by category and then by name.
pub fn entries() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        let mut entries: Vec<Entry> = FOLDER.dirs().flat_map(in_category).collect();
        entries.sort_by(|a, b| (a.category, &a.name, a.stem).cmp(&(b.category, &b.name, b.stem)));
        entries
    })
}

/// The pattern whose path (as [`Entry::path`]), file (without extension) or name is `name`; capitals, and whether
/// words are joined by spaces, hyphens or underscores, make no difference.
///
/// Where several share a file's name or a name, it is the first of [`entries`]; the path tells them apart.
pub fn find(name: &str) -> Option<&'static Entry> {
    let wanted = simplified(name.strip_suffix(".rle").unwrap_or(name));
    let by = |key: fn(&Entry) -> String| entries().iter().find(|entry| simplified(&key(entry)) == wanted);
    by(Entry::path).or_else(|| by(|entry| entry.stem.to_owned())).or_else(|| by(|entry| entry.name.clone()))
}

/// A name as it is compared.
fn simplified(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '_'], "-")
}

/// The patterns in one folder.
fn in_category(folder: &'static Dir<'static>) -> impl Iterator<Item = Entry> {
    let category = folder.path().file_name().and_then(|name| name.to_str()).unwrap_or_default();
    folder.files().filter_map(move |file| {
        let stem = file.path().file_stem()?.to_str()?;
        let text = file.contents_utf8()?;
        // What can't be read is listed all the same, under its file's name: choosing it shows the error.
        let pattern = read(text.as_bytes(), &Limits::default()).unwrap_or_default();
        Some(Entry {
            stem,
            category,
            name: pattern.name.unwrap_or_else(|| stem.to_owned()),
            author: pattern.author,
            rule: pattern.rule,
            description: pattern.comments.join(" "),
            text,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_shipped_pattern_is_read_and_says_what_it_is() {
        assert!(!entries().is_empty(), "there are patterns to check");
        let mut paths = BTreeSet::new();
        for entry in entries() {
            let file = format!("{}/{}.rle", entry.category, entry.stem);
            let pattern = entry.pattern().unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(!pattern.cells.is_empty(), "{file} holds cells");
            assert!(pattern.name.is_some(), "{file} has a name");
            assert!(pattern.rule.is_some(), "{file} has a rule");
            assert!(!entry.description.is_empty(), "{file} has a comment");
            assert_eq!(pattern.notes, Vec::<String>::new(), "{file} needs no forgiveness");
            let frame = pattern.cells.bounding_box().expect("it holds cells");
            assert_eq!(
                pattern.size,
                Some((frame.right(), frame.bottom())),
                "{file}: the header's size is that of the cells"
            );
            assert!(paths.insert(entry.path()), "{file}: another pattern has this path");
            assert_eq!(find(&entry.path()), Some(entry), "{file} is found by its path");
            assert!(find(entry.stem).is_some(), "{file} is found by its file's name");
            assert!(find(&entry.name.to_uppercase()).is_some(), "{file} is found by its name");
        }
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        assert_eq!(find("no such pattern"), None, "unknown name");
    }
}
