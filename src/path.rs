//! Finding files whose names are typed in another case than they have: collections move between systems that tell
//! upper and lower case apart and systems that don't.

use std::path::{Path, PathBuf};

/// The file or folder at `path`; where there is none, the only entry of the same folder whose name differs in case
/// alone. `None` where there is no such entry, or more than one.
pub fn existing(path: &Path) -> Option<PathBuf> {
    if path.exists() {
        return Some(path.to_owned());
    }
    let wanted = path.file_name()?.to_str()?.to_lowercase();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A folder that can't be listed has nothing in it.
    let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let mut alike =
        entries.filter(|entry| entry.file_name().to_str().is_some_and(|name| name.to_lowercase() == wanted));
    match (alike.next(), alike.next()) {
        (Some(entry), None) => Some(path.with_file_name(entry.file_name())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_another_case_is_found_where_it_is_the_only_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["Glider.rle", "gun.RLE", "GUN.rle"] {
            std::fs::write(at(name), "").expect("a file");
        }
        assert_eq!(existing(&at("Glider.rle")), Some(at("Glider.rle")), "as it is");
        assert_eq!(existing(&at("glider.RLE")), Some(at("Glider.rle")), "in another case");
        assert_eq!(existing(&at("gun.RLE")), Some(at("gun.RLE")), "as it is, among others");
        assert_eq!(existing(&at("Gun.rle")), None, "which of the two?");
        assert_eq!(existing(&at("loaf.rle")), None, "nothing");
    }
}
