//! `biota rules` and `biota patterns`: what is built in, and the user's rule files.

use std::io::Write;

use anyhow::ensure;
use serde::Serialize;

use super::Outcome;
use super::args::ListArguments;
use super::output::{print_json_array, stdout};
use crate::pattern;
use crate::rule::library;
use crate::rule::named::NAMED;

/// A rule in JSON.
#[derive(Serialize)]
struct ListedRule {
    name: String,
    rule: String,
    about: String,
}

/// A pattern in JSON.
#[derive(Serialize)]
struct ListedPattern {
    path: String,
    name: &'static str,
    author: Option<&'static str>,
    rule: Option<&'static str>,
    description: &'static str,
}

pub(super) fn rules(arguments: &ListArguments) -> anyhow::Result<Outcome> {
    let built_in = NAMED.iter().map(|named| ListedRule {
        name: named.name.to_owned(),
        rule: named.rule.to_owned(),
        about: named.about.to_owned(),
    });
    let own = library::names().into_iter().map(|name| ListedRule {
        rule: name.clone(),
        name,
        about: "A rule file in your folder of rules.".to_owned(),
    });
    let found: Vec<ListedRule> = built_in
        .chain(own)
        .filter(|listed| matches(&arguments.words, &[&listed.name, &listed.rule, &listed.about]))
        .collect();
    if arguments.json {
        print_json_array(&found)?;
        return Ok(Outcome::Fine);
    }
    ensure!(!found.is_empty(), "no rule with a name matches {:?}", arguments.words.join(" "));
    let rows = found.iter().map(|listed| [listed.name.as_str(), &listed.rule, &listed.about]);
    print_columns(&["NAME", "RULE", "ABOUT"], &rows.collect::<Vec<_>>())
}

pub(super) fn patterns(arguments: &ListArguments) -> anyhow::Result<Outcome> {
    let wanted = arguments.words.join(" ");
    if !arguments.json
        && let Some(entry) = pattern::find(&wanted)
    {
        let mut out = stdout();
        out.write_all(entry.text.as_bytes())?;
        out.flush()?;
        return Ok(Outcome::Fine);
    }
    let found: Vec<ListedPattern> = pattern::entries()
        .iter()
        .map(|entry| ListedPattern {
            path: entry.path(),
            name: &entry.name,
            author: entry.author.as_deref(),
            rule: entry.rule.as_deref(),
            description: &entry.description,
        })
        .filter(|listed| {
            let texts = [
                &listed.path,
                listed.name,
                listed.author.unwrap_or(""),
                listed.rule.unwrap_or(""),
                listed.description,
            ];
            matches(&arguments.words, &texts)
        })
        .collect();
    if arguments.json {
        print_json_array(&found)?;
        return Ok(Outcome::Fine);
    }
    ensure!(!found.is_empty(), "no pattern that comes with Biota matches {wanted:?}");
    let rows = found.iter().map(|listed| [&listed.path, listed.rule.unwrap_or("B3/S23"), listed.name]);
    print_columns(&["PATTERN", "RULE", "NAME"], &rows.collect::<Vec<_>>())
}

/// Whether each word occurs in one of the texts; capitals make no difference.
fn matches(words: &[String], texts: &[&str]) -> bool {
    let texts: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
    words.iter().all(|word| texts.iter().any(|text| text.contains(&word.to_lowercase())))
}

/// Entries longer than this don't make their column wider: what follows them begins on the next line.
const WIDEST: usize = 36;

/// Prints rows in columns as wide as their longest entries, within reason.
fn print_columns<const N: usize>(heads: &[&str; N], rows: &[[&str; N]]) -> anyhow::Result<Outcome> {
    let width = |column: usize| {
        let lengths = rows.iter().chain([heads]).map(|row| row[column].chars().count());
        lengths.filter(|&length| length <= WIDEST).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut out = stdout();
    for row in [heads].into_iter().chain(rows) {
        let mut line = String::new();
        let mut begins = 0;
        for (text, width) in row.iter().zip(&widths) {
            let length = line.rsplit('\n').next().unwrap_or_default().chars().count();
            if length > begins {
                line.push('\n');
                line.extend(std::iter::repeat_n(' ', begins));
            } else {
                line.extend(std::iter::repeat_n(' ', begins - length));
            }
            line.push_str(text);
            begins += width + 2;
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}
