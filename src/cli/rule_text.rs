//! `--rule`: a rule string, or a file that holds one (`@FILE`, or a name that ends in `.law`).

use std::borrow::Cow;
use std::fs;

use anyhow::{Context, bail, ensure};

use crate::rule::{ParseError, law, parse};

/// The largest file that is taken for a rule, bytes.
const MAX_BYTES: u64 = 1 << 16;

/// The rule string that is meant by what was typed. One from a file is known to be right; where it isn't, the error
/// names file, line and column.
pub(super) fn rule_text(typed: &str) -> anyhow::Result<Cow<'_, str>> {
    let path = match typed.strip_prefix('@') {
        Some(path) => path,
        None if typed.trim_end().to_ascii_lowercase().ends_with(".law") => typed.trim(),
        None => return Ok(Cow::Borrowed(typed)),
    };
    ensure!(!path.is_empty(), "--rule @FILE: the name of the file is missing");
    let bytes = fs::metadata(path).with_context(|| path.to_owned())?.len();
    ensure!(bytes <= MAX_BYTES, "{path}: a rule has at most {MAX_BYTES} bytes, and this file has {bytes}");
    let text = fs::read_to_string(path).with_context(|| path.to_owned())?;
    let rule = law::from_file(&text);
    match parse(&rule) {
        Ok(_) => Ok(Cow::Owned(rule.trim().to_owned())),
        Err(error) => bail!(in_file(path, &text, &error)),
    }
}

/// An error in the text of a file, in one line.
fn in_file(path: &str, text: &str, error: &ParseError) -> String {
    let before: String = text.chars().take(error.column).collect();
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    format!("{path}: line {line}, column {column}: {}", error.message)
}
