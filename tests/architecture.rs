//! Who may know whom: reads the `use` lines and paths of every source file.

use std::path::{Path, PathBuf};

/// The layers, lowest first: a file may name only layers above its own line, and its own.
const LAYERS: &[&[&str]] = &[
    &["cell", "coords"],
    &["coin", "machine", "palette", "path", "progress", "signals", "text"],
    &["lattice"],
    &["board"],
    &["rule"],
    &["pattern"],
    &["engine"],
    &["session"],
    &["export", "verify"],
    &["term"],
    &["app"],
    &["cli"],
    &["main", "lib"],
];

/// What only some folders may name: a word, and the beginnings of the paths that may.
const RESERVED: &[(&str, &[&str])] = &[
    (
        "wgpu",
        &[
            "engine/gpu",
            "app/renderer.rs",
            "app/distant.rs",
            "app/kept.rs",
            "app/picture.rs",
            "app/window.rs",
        ],
    ),
    ("egui", &["app/"]),
    ("winit", &["app/window.rs"]),
    ("clap", &["cli/"]),
    ("sysinfo", &["machine.rs"]),
    // The command line only asks how wide the terminal is.
    ("crossterm", &["term/", "cli/output.rs"]),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("src can be read") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Every source file: its path below src, and its text without comments and tests.
fn files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    sources(&root, &mut found);
    assert!(found.len() > 20, "the sources were found");
    found
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a source file");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            let name = path.strip_prefix(&root).expect("below src").to_string_lossy().replace('\\', "/");
            (name, code.join("\n"))
        })
        .collect()
}

/// The module that a file belongs to: its first folder, or its name.
fn module(path: &str) -> &str {
    path.split('/').next().unwrap_or_default().trim_end_matches(".rs")
}

fn layer(module: &str) -> usize {
    LAYERS
        .iter()
        .position(|layer| layer.contains(&module))
        .unwrap_or_else(|| panic!("{module} has no layer: add it to tests/architecture.rs"))
}

/// The first words after `crate::` in a text, also those in braces.
fn named_modules(code: &str) -> Vec<String> {
    let mut modules = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        if code[..at].ends_with('$') {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        let (list, separator) = match rest.strip_prefix('{') {
            Some(list) => (list.split('}').next().unwrap_or_default(), ','),
            None => (rest, '\0'),
        };
        for part in list.split(separator) {
            let word: String = part.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if !word.is_empty() {
                modules.push(word);
            }
        }
    }
    modules
}

#[test]
fn every_layer_knows_only_those_above_it() {
    let mut faults = Vec::new();
    for (path, code) in files() {
        let own = module(&path);
        for named in named_modules(&code) {
            if named != own && layer(&named) >= layer(own) {
                faults.push(format!("src/{path} names {named}"));
            }
        }
    }
    assert!(faults.is_empty(), "layers are crossed:\n{}", faults.join("\n"));
}

#[test]
fn the_oracle_never_sees_the_fast_path() {
    for (path, code) in files() {
        let oracle = path == "engine/oracle.rs" || path == "session/verify.rs" || path == "board/grid.rs";
        if oracle {
            for word in ["::table", "circuit", "wgsl", "planes", "GpuEngine", "CpuEngine"] {
                assert!(!code.contains(word), "src/{path} names {word}");
            }
        }
    }
}

#[test]
fn libraries_stay_where_they_belong() {
    let mut faults = Vec::new();
    for (path, code) in files() {
        for (library, allowed) in RESERVED {
            let named = code.contains(&format!("{library}::")) || code.contains(&format!("use {library}"));
            if named && !allowed.iter().any(|start| path.starts_with(start)) {
                faults.push(format!("src/{path} names {library}"));
            }
        }
    }
    assert!(faults.is_empty(), "libraries leak:\n{}", faults.join("\n"));
}

/// A file that is written in place is half there when the writing fails: `write_whole` is the one way.
#[test]
fn files_are_written_whole() {
    for (path, code) in files().into_iter().filter(|(path, _)| !path.ends_with("tests.rs")) {
        for word in ["fs::write", "File::create", "OpenOptions", "fs::copy"] {
            assert!(!code.contains(word), "src/{path} names {word}: write by pattern::write_whole");
        }
    }
}

#[test]
fn the_reader_of_use_lines_finds_all_forms() {
    let code = "use crate::board::{A, B};\nuse crate::{cell, rule::Rule};\nlet x = crate::engine::create();";
    assert_eq!(named_modules(code), ["board", "cell", "rule", "engine"], "all forms");
}
