//! Rule files: the `.rule` format, which states a rule of up to 256 states as a table or a tree, with names and
//! colours of its states.
//!
//! ```text
//! @RULE Name         first line; what comes before the next section is comment
//! @TABLE             transitions (see `table`)      or     @TREE    a decision tree (see `tree`)
//! @NAMES             state name
//! @COLORS            state r g b, or r g b r g b: from … to over the living states
//! ```
//!
//! The first section of a name counts; unknown ones (`@ICONS` among them) are passed over. Where a file has a table and
//! a tree, the one that comes first counts. The older files with only a table or a tree and no `@RULE` are read too.
//!
//! Text in, [`RuleFile`] out; where files lie is the business of [`super::library`].

mod colours;
mod table;
mod tree;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use super::diagram::{DecisionDiagram, TooComplicated};
use super::{Dependence, Ruleset, Site};
use crate::cell::State;
use crate::coin::Coin;
use crate::lattice::{Neighbourhood, Neighbours};
use crate::palette::Rgb;
use crate::text::{around, quoted};

/// The longest line, bytes.
pub const MAX_LINE: usize = 4000;
/// The longest text, bytes.
pub const MAX_TEXT: usize = 16 << 20;

/// Lines that a warning names.
const SHOWN_LINES: usize = 3;

/// Why a rule file is not understood, with the place.
///
/// Displayed as `line 2, column 5: what is wrong`, then the line (trimmed when long) and a caret under the place.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub struct RuleFileError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub message: String,
    /// The faulty line, or the part of it around the place; cuts are marked with `…`.
    pub excerpt: String,
    /// The character of `excerpt` that the caret stands under, from 0.
    pub caret: usize,
}

impl RuleFileError {
    /// Place and fault without the excerpt.
    pub fn one_line(&self) -> String {
        format!("line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl fmt::Display for RuleFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  {}\n  {:caret$}^", self.one_line(), self.excerpt, "", caret = self.caret)
    }
}

/// A line of a file.
#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    /// From 1.
    number: usize,
    /// Without its break.
    text: &'a str,
}

impl<'a> Line<'a> {
    /// What stands before a comment, without white space around.
    fn content(self) -> &'a str {
        self.text.split('#').next().unwrap_or_default().trim()
    }

    /// The words between these separators; each is a part of the line, so that an error can point at it.
    fn words(part: &'a str, separators: &'static [char]) -> impl Iterator<Item = &'a str> {
        part.split(|c: char| c.is_whitespace() || separators.contains(&c)).filter(|word| !word.is_empty())
    }

    /// The error `message` at `part`, which is a part of this line's text.
    fn error(self, part: &str, message: impl Into<String>) -> RuleFileError {
        let at = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        let (before, after) = self.text.split_at_checked(at).unwrap_or(("", self.text));
        let (excerpt, caret) = around(before, after, false);
        let column = before.chars().count() + 1;
        RuleFileError { line: self.number, column, message: message.into(), excerpt, caret }
    }

    /// The error `message` at the end of what stands in the line.
    fn error_at_end(self, message: impl Into<String>) -> RuleFileError {
        let content = self.content();
        self.error(&content[content.len()..], message)
    }

    /// The error of a rule that is too complicated, at `part`.
    fn too_complicated(self, part: &str) -> impl Fn(TooComplicated) -> RuleFileError {
        let error = self.error(part, TooComplicated.to_string());
        move |_| error.clone()
    }

    /// `word` as a number up to `most`.
    fn number(self, word: &str, what: &str, most: u32) -> Result<u32, RuleFileError> {
        let number = Some(word).filter(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()));
        let Some(number) = number else {
            return Err(
                self.error(word, format!("{what} is a number from 0 to {most}, and not {:?}", quoted(word)))
            );
        };
        number.parse().ok().filter(|number| *number <= most).ok_or_else(|| {
            self.error(word, format!("{what} is at most {most}, and this is {}", quoted(word)))
        })
    }

    /// `word` as one of `states` states.
    fn state(self, word: &str, states: u16) -> Result<State, RuleFileError> {
        let last = u32::from(states) - 1;
        let state = self.number(word, "a state", last)?;
        Ok(State::try_from(state).expect("at most 256 states"))
    }
}

/// A rule that a file states: answers from a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagramRule {
    diagram: Arc<DecisionDiagram>,
    neighbourhood: Neighbourhood,
    arrangement: bool,
}

impl DiagramRule {
    /// The rule that answers from `diagram`, whose places are those of `neighbourhood`.
    fn new(diagram: DecisionDiagram, neighbourhood: Neighbourhood) -> Self {
        // Counts alone make a table of far fewer cases to compile.
        let arrangement = !diagram.counts_only();
        Self { diagram: Arc::new(diagram), neighbourhood, arrangement }
    }
}

impl Ruleset for DiagramRule {
    fn depends_on(&self) -> Dependence {
        Dependence {
            neighbourhood: self.neighbourhood,
            arrangement: self.arrangement,
            ..Dependence::counting(self.diagram.states())
        }
    }

    fn empty_cell_next(&self, neighbours: &Neighbours, _: Site, _: &mut Coin) -> State {
        self.diagram.lookup(neighbours.states(), crate::cell::DEAD)
    }

    fn occupied_cell_next(&self, neighbours: &Neighbours, value: State, _: Site, _: &mut Coin) -> State {
        self.diagram.lookup(neighbours.states(), value)
    }

    fn diagram(&self) -> Option<&DecisionDiagram> {
        Some(&self.diagram)
    }
}

/// What was passed over in a rule file, for its user to know: the first lines of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Warnings {
    /// What was forgiven, in which lines, and how often.
    kinds: Vec<(&'static str, Vec<usize>, usize)>,
}

impl Warnings {
    /// Notes what is forgiven in a line.
    fn note(&mut self, line: Line<'_>, what: &'static str) {
        let at = self.kinds.iter().position(|(kind, ..)| *kind == what).unwrap_or_else(|| {
            self.kinds.push((what, Vec::new(), 0));
            self.kinds.len() - 1
        });
        let (_, lines, times) = &mut self.kinds[at];
        *times += 1;
        if lines.len() < SHOWN_LINES {
            lines.push(line.number);
        }
    }

    /// A sentence for each kind: `line 3: this is no transition, and is passed over`.
    fn texts(&self) -> impl Iterator<Item = String> {
        self.kinds.iter().map(|(what, lines, times)| {
            let numbers: Vec<String> = lines.iter().map(usize::to_string).collect();
            let word = if *times == 1 { "line" } else { "lines" };
            let more = if *times > lines.len() { ", …" } else { "" };
            format!("{word} {}{more}: {what}", numbers.join(", "))
        })
    }
}

/// What a rule file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFile {
    name: String,
    rule: Option<DiagramRule>,
    names: BTreeMap<State, String>,
    colours: colours::Colours,
    warnings: Warnings,
    text: String,
}

impl RuleFile {
    /// Reads the text of a rule file. `file_name` (without folder and extension) names the rule where the text
    /// doesn't, as in the old `.table` and `.tree` files.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, RuleFileError> {
        let lines = lines(text)?;
        let first = lines.iter().find(|line| !line.content().is_empty());
        let start = Line { number: 1, text: text.lines().next().unwrap_or_default() };
        let Some(&first) = first else {
            return Err(start.error(start.text, "the rule file is empty; it begins with @RULE and a name"));
        };
        let old = ["n_states", "num_states", "neighborhood", "symmetries"]
            .iter()
            .any(|word| first.content().starts_with(word));
        let tree = first.content().starts_with("num_");
        // From the first line on, with the same line breaks everywhere: the text may follow a pattern in its file.
        let body: Vec<&str> = lines[first.number - 1..].iter().map(|line| line.text).collect();
        let body = body.join("\n").trim_start().to_owned();
        let old_name;
        let (name, body) = match first.content().strip_prefix("@RULE") {
            Some(rest) if rest.is_empty() || rest.starts_with(char::is_whitespace) => {
                let Some(name) = rest.split_whitespace().next() else {
                    return Err(
                        first.error_at_end("@RULE is followed by the rule's name, as in @RULE WireWorld")
                    );
                };
                if let Some(at) = name.find([':', '/', '\\']) {
                    return Err(first.error(&name[at..], "the name of a rule file has no colon and no slash"));
                }
                (name, body)
            }
            _ if old && !file_name.is_empty() => {
                // The name is to be one word of a rule string.
                let breaks = |c: char| c.is_whitespace() || c.is_control() || ":/\\".contains(c);
                old_name = file_name.replace(breaks, "_");
                let section = if tree { "@TREE" } else { "@TABLE" };
                (&*old_name, format!("@RULE {old_name}\n{section}\n{body}"))
            }
            _ => return Err(first.error(first.content(), "a rule file begins with @RULE and a name")),
        };
        let mut file = Self {
            name: name.to_owned(),
            rule: None,
            names: BTreeMap::new(),
            colours: colours::Colours::default(),
            warnings: Warnings::default(),
            text: body,
        };
        let mut seen: Vec<&str> = Vec::new();
        for (section, lines) in sections(&lines, if tree { "@TREE" } else { "@TABLE" }) {
            if seen.contains(&section) {
                continue;
            }
            seen.push(section);
            match section {
                "@TABLE" if file.rule.is_none() => {
                    file.rule = Some(table::read(lines, &mut file.warnings)?);
                }
                "@TREE" if file.rule.is_none() => {
                    file.rule = Some(tree::read(lines, &mut file.warnings)?);
                }
                "@NAMES" => file.names = colours::names(lines, &mut file.warnings),
                "@COLORS" => file.colours = colours::colours(lines, &mut file.warnings),
                _ => {}
            }
        }
        Ok(file)
    }

    /// What the rule is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rule; `None` for a file of names and colours only, which belong to another rule.
    pub const fn rule(&self) -> Option<&DiagramRule> {
        self.rule.as_ref()
    }

    /// What a state is called.
    pub fn state_name(&self, state: State) -> Option<&str> {
        self.names.get(&state).map(String::as_str)
    }

    /// The colour of a state of a rule of `states` states.
    pub fn colour(&self, state: State, states: u16) -> Option<Rgb> {
        self.colours.of(state, states)
    }

    /// What was forgiven as the file was read, a sentence for each kind of fault, with the lines.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.texts().collect()
    }

    /// Whether it has colours of its own.
    pub fn has_colours(&self) -> bool {
        !self.colours.is_empty()
    }

    /// The same rule in the colours, and by the names of states, of another file where this one has none.
    #[must_use]
    pub fn dressed_as(mut self, other: &Self) -> Self {
        if self.colours.is_empty() {
            self.colours.clone_from(&other.colours);
        }
        if self.names.is_empty() {
            self.names.clone_from(&other.names);
        }
        self
    }

    /// The text, beginning with `@RULE`.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The lines of a text, whatever its line breaks.
fn lines(text: &str) -> Result<Vec<Line<'_>>, RuleFileError> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut lines = Vec::new();
    let breaks = if text.contains('\n') { '\n' } else { '\r' };
    let mut read = 0;
    for (number, piece) in (1..).zip(text.split(breaks)) {
        read += piece.len();
        let line = Line { number, text: piece.strip_suffix('\r').unwrap_or(piece) };
        if line.text.len() > MAX_LINE {
            let cut = (0..=MAX_LINE).rev().find(|&at| line.text.is_char_boundary(at)).unwrap_or(0);
            return Err(line.error(&line.text[cut..], format!("a line has at most {MAX_LINE} bytes")));
        }
        if read > MAX_TEXT {
            return Err(line.error(line.text, format!("a rule file has at most {MAX_TEXT} bytes")));
        }
        lines.push(line);
    }
    Ok(lines)
}

/// The sections with their names and the lines after these; what comes before the first one belongs to `headless`.
fn sections<'l, 'a>(lines: &'l [Line<'a>], headless: &'a str) -> Vec<(&'a str, &'l [Line<'a>])> {
    let mut starts: Vec<(&str, usize, usize)> = vec![(headless, 0, 0)];
    for (index, line) in lines.iter().enumerate() {
        if line.text.starts_with('@') {
            let name = line.text.split_whitespace().next().unwrap_or_default();
            starts.push((name, index, index + 1));
        }
    }
    let ends: Vec<usize> = starts.iter().skip(1).map(|start| start.1).chain([lines.len()]).collect();
    starts
        .into_iter()
        .zip(ends)
        // Before @RULE there is nothing but comments.
        .filter(|((_, _, first), end)| {
            *first > 0 || lines[..*end].iter().any(|line| !line.content().is_empty())
        })
        .map(|((name, _, first), end)| (name, &lines[first..end]))
        .collect()
}

#[cfg(test)]
mod tests;
