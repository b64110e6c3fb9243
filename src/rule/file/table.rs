//! `@TABLE`: transitions of which the first that matches wins; where none does, the cell stays as it is.
//!
//! ```text
//! n_states:3                                2 to 256
//! neighborhood:Moore                        vonNeumann | Moore | hexagonal | oneDimensional
//! symmetries:permute                        after the neighborhood
//! var a={1,2}                               states and variables from lines above
//! 0,a,b,c,0,0,0,0,0,1                       own state, the neighbours, the next state
//! 0000000012                                without commas: up to 10 states and no variables yet
//!
//! vonNeumann      C,N,E,S,W,C'              hexagonal       C,N,E,SE,S,W,NW,C'
//! Moore           C,N,NE,E,SE,S,SW,W,NW,C'  oneDimensional  C,W,E,C'
//! ```
//!
//! A variable that a transition names twice has one value in it; its values are tried in the order of its list, those
//! of the alphabetically first such variable fastest, as Golly does. A variable that is named once stands for any of
//! its values. An output is a state, a variable that is bound in this way, or one of a single state.
//!
//! Forgiven, as in Golly, each with a warning: `var a{0,1}` without the `=`, a list that is closed by `]`, keywords in
//! capitals, and lines that are no transitions: those that begin neither with a state nor with a variable.

use std::collections::BTreeMap;

use super::{DiagramRule, Line, RuleFileError, Warnings};
use crate::cell::State;
use crate::lattice::Neighbourhood;
use crate::rule::diagram::{Builder, StateSet, Symmetry};
use crate::text::quoted;

/// The most combinations of bound variables in all transitions together.
const MAX_COMBINATIONS: usize = 1 << 18;
/// The most states that the list of a variable has; more of them repeat.
const MAX_VALUES: usize = 4096;
/// The most variables.
const MAX_VARIABLES: usize = 10_000;

/// How a table sees a neighbourhood.
#[derive(Debug)]
struct Layout {
    /// As the file calls it.
    name: &'static str,
    neighbourhood: Neighbourhood,
    /// The neighbours in the order of a transition, by their place in the neighbourhood's offsets; around the cell,
    /// clockwise, so that a turn is a shift.
    ring: &'static [u8],
    /// The order in which the diagram looks at the neighbours.
    order: &'static [u8],
    symmetries: &'static [&'static str],
}

/// All that a file can name. A one-dimensional rule looks at W and E of a von Neumann neighbourhood, and lets N and S be
/// anything.
static LAYOUTS: [Layout; 4] = [
    Layout {
        name: "vonNeumann",
        neighbourhood: Neighbourhood::VonNeumann,
        ring: &[0, 2, 3, 1],
        order: &[0, 1, 2, 3],
        symmetries: &["none", "rotate4", "rotate4reflect", "reflect_horizontal", "permute"],
    },
    Layout {
        name: "Moore",
        neighbourhood: Neighbourhood::Moore,
        ring: &[1, 2, 4, 7, 6, 5, 3, 0],
        order: &[0, 2, 5, 7, 1, 3, 4, 6],
        symmetries: &[
            "none",
            "rotate4",
            "rotate8",
            "rotate4reflect",
            "rotate8reflect",
            "reflect_horizontal",
            "permute",
        ],
    },
    Layout {
        name: "hexagonal",
        neighbourhood: Neighbourhood::Hexagonal,
        ring: &[1, 3, 5, 4, 2, 0],
        order: &[0, 1, 2, 3, 4, 5],
        symmetries: &["none", "rotate2", "rotate3", "rotate6", "rotate6reflect", "permute"],
    },
    Layout {
        name: "oneDimensional",
        neighbourhood: Neighbourhood::VonNeumann,
        ring: &[1, 2],
        order: &[0, 1, 2, 3],
        symmetries: &["none", "reflect", "permute"],
    },
];

impl Layout {
    /// The arrangements of a symmetry that this neighbourhood has.
    fn symmetry(&self, name: &str) -> Symmetry {
        let size = self.ring.len();
        // How many turns there are, and whether the mirror image counts.
        let (turns, mirrored) = match name {
            "permute" => return Symmetry::Permute,
            "reflect_horizontal" | "reflect" => (1, true),
            _ => {
                let digits: String = name.chars().filter(char::is_ascii_digit).collect();
                (digits.parse().unwrap_or(1), name.ends_with("reflect"))
            }
        };
        let mut arrangements = Vec::new();
        for turn in 0..turns {
            let shift = turn * size / turns;
            arrangements.push((0..size).map(|at| (at + shift) % size).collect());
            if mirrored {
                // About the axis through the first neighbour; two neighbours in a row change places.
                let last = if size == 2 { size - 1 } else { size };
                arrangements.push((0..size).map(|at| (last + size - at + shift) % size).collect());
            }
        }
        Symmetry::Arrangements(arrangements)
    }
}

/// An input or the output of a transition.
#[derive(Clone, Debug)]
enum Term<'a> {
    State(State),
    Variable(&'a str),
}

/// A line with a transition.
struct Transition<'a> {
    line: Line<'a>,
    /// Own state, then the neighbours.
    inputs: Vec<Term<'a>>,
    output: Term<'a>,
    /// The variables named more than once, alphabetically, with their values.
    bound: Vec<(&'a str, Vec<State>)>,
    /// The others.
    free: BTreeMap<&'a str, StateSet>,
}

impl Transition<'_> {
    /// How many combinations of values the bound variables have, saturating.
    fn combinations(&self) -> usize {
        self.bound.iter().fold(1, |all, (_, values)| all.saturating_mul(values.len()))
    }

    /// The states that each input may be in, and the output, for one combination.
    fn combination(&self, number: usize) -> (Vec<StateSet>, State) {
        let mut rest = number;
        let mut values: BTreeMap<&str, State> = BTreeMap::new();
        for (name, of) in &self.bound {
            values.insert(name, of[rest % of.len()]);
            rest /= of.len();
        }
        let set = |term: &Term<'_>| match term {
            Term::State(state) => StateSet::single(*state),
            Term::Variable(name) => match values.get(name) {
                Some(value) => StateSet::single(*value),
                None => self.free.get(name).copied().unwrap_or_default(),
            },
        };
        let output = match &self.output {
            Term::State(state) => *state,
            Term::Variable(name) => values.get(name).copied().unwrap_or_default(),
        };
        (self.inputs.iter().map(set).collect(), output)
    }
}

/// What a table has said so far.
#[derive(Default)]
struct Table<'a> {
    states: Option<u16>,
    layout: Option<&'static Layout>,
    symmetry: Option<Symmetry>,
    variables: BTreeMap<&'a str, Vec<State>>,
    transitions: Vec<Transition<'a>>,
    combinations: usize,
}

/// Reads the lines after `@TABLE`.
pub(super) fn read(lines: &[Line<'_>], warnings: &mut Warnings) -> Result<DiagramRule, RuleFileError> {
    let mut table = Table::default();
    for &line in lines {
        let content = line.content();
        if content.is_empty() {
            continue;
        }
        if let Some((key, value)) = content.split_once(':').filter(|(key, _)| is_descriptor(key.trim())) {
            if key.contains(char::is_uppercase) {
                warnings.note(line, "keywords are written in small letters");
            }
            table.descriptor(line, key.trim(), value.trim())?;
        } else if let Some(rest) = after_var(content) {
            if !content.starts_with("var") {
                warnings.note(line, "keywords are written in small letters");
            }
            table.variable(line, rest, warnings)?;
        } else if table.begins_transition(content) {
            table.transition(line, content)?;
        } else {
            warnings.note(line, "this is no transition, and is passed over");
        }
    }
    table.build(lines.last().copied())
}

/// Whether a word is one of the keywords that a colon follows.
fn is_descriptor(word: &str) -> bool {
    ["n_states", "neighborhood", "neighbourhood", "symmetries"]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known))
}

/// What follows `var` in a line that begins with it.
fn after_var(content: &str) -> Option<&str> {
    let (word, rest) = content.split_at_checked(3)?;
    (word.eq_ignore_ascii_case("var") && rest.starts_with(char::is_whitespace)).then_some(rest)
}

impl<'a> Table<'a> {
    fn descriptor(&mut self, line: Line<'a>, key: &'a str, value: &'a str) -> Result<(), RuleFileError> {
        let of = if value.is_empty() { &line.content()[line.content().len()..] } else { value };
        if !self.transitions.is_empty() || !self.variables.is_empty() {
            return Err(line
                .error(key, "n_states, neighborhood and symmetries come before variables and transitions"));
        }
        match &*key.to_ascii_lowercase() {
            "n_states" => {
                let states = line.number(of, "n_states", 256)?;
                if states < 2 {
                    return Err(line.error(of, "n_states is out of range (min 2, max 256)"));
                }
                self.states = Some(u16::try_from(states).expect("at most 256"));
            }
            "neighborhood" | "neighbourhood" => {
                if self.symmetry.is_some() {
                    return Err(line.error(key, "neighborhood must be declared before symmetries"));
                }
                let known = LAYOUTS.iter().find(|layout| layout.name.eq_ignore_ascii_case(of));
                self.layout = Some(known.ok_or_else(|| {
                    let names: Vec<&str> = LAYOUTS.iter().map(|layout| layout.name).collect();
                    line.error(of, format!("unsupported neighborhood; there are {}", names.join(", ")))
                })?);
            }
            _ => {
                let Some(layout) = self.layout else {
                    return Err(line.error(key, "neighborhood must be declared before symmetries"));
                };
                let Some(known) = layout.symmetries.iter().find(|name| name.eq_ignore_ascii_case(of)) else {
                    return Err(line.error(
                        of,
                        format!(
                            "unsupported symmetries; {} has {}",
                            layout.name,
                            layout.symmetries.join(", ")
                        ),
                    ));
                };
                self.symmetry = Some(layout.symmetry(known));
            }
        }
        Ok(())
    }

    /// Whether a line is meant as a transition: it begins with a state or a variable, and without commas each of its
    /// words begins with a digit.
    fn begins_transition(&self, content: &str) -> bool {
        let first = content.split(',').next().unwrap_or_default().trim();
        let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        if content.contains(',') {
            is_number(first) || self.variables.contains_key(first)
        } else {
            content.split_whitespace().all(|word| word.starts_with(|c: char| c.is_ascii_digit()))
                || content.split_whitespace().next().is_some_and(|word| self.variables.contains_key(word))
        }
    }

    /// Number of states and layout, once all descriptors are there.
    fn declared(&self, line: Line<'_>, what: &str) -> Result<(u16, &'static Layout), RuleFileError> {
        match (self.states, self.layout, &self.symmetry) {
            (Some(states), Some(layout), Some(_)) => Ok((states, layout)),
            _ => Err(line.error(
                line.content(),
                format!("one or more of n_states, neighborhood or symmetries missing before {what}"),
            )),
        }
    }

    /// Reads `a={1,2,b}`.
    fn variable(
        &mut self,
        line: Line<'a>,
        rest: &'a str,
        warnings: &mut Warnings,
    ) -> Result<(), RuleFileError> {
        let (states, _) = self.declared(line, "the first variable")?;
        let form = "a variable has the form var a={1,2}";
        let (name, list) = if let Some(parts) = rest.split_once('=') {
            parts
        } else {
            let brace = rest.find('{').ok_or_else(|| line.error_at_end(form))?;
            warnings.note(line, "a variable has a = between its name and its values");
            rest.split_at(brace)
        };
        if list.trim_end().ends_with(']') {
            warnings.note(line, "the values of a variable are closed by }");
        }
        let name = name.trim();
        if name.is_empty() || name.contains([',', '{', '}']) || name.contains(char::is_whitespace) {
            return Err(line.error(rest.trim_start(), form));
        }
        if name.bytes().all(|b| b.is_ascii_digit()) {
            return Err(line.error(name, "the name of a variable is no number"));
        }
        let mut values = Vec::new();
        for word in Line::words(list, &[',', '{', '}', ']']) {
            match self.variables.get(word) {
                Some(nested) => values.extend_from_slice(nested),
                None if word.bytes().all(|b| b.is_ascii_digit()) => values.push(line.state(word, states)?),
                None => {
                    return Err(line.error(
                        word,
                        format!("{:?} is neither a state nor a variable from above", quoted(word)),
                    ));
                }
            }
            if values.len() > MAX_VALUES {
                return Err(line.error(word, format!("a variable has at most {MAX_VALUES} values")));
            }
        }
        if values.is_empty() {
            return Err(line.error_at_end(form));
        }
        if self.variables.len() >= MAX_VARIABLES {
            return Err(line.error(name, format!("a table has at most {MAX_VARIABLES} variables")));
        }
        // A value that comes again decides nothing.
        let mut seen = StateSet::default();
        values.retain(|&value| {
            let new = !seen.contains(usize::from(value));
            seen.insert(value);
            new
        });
        self.variables.insert(name, values);
        Ok(())
    }

    fn transition(&mut self, line: Line<'a>, content: &'a str) -> Result<(), RuleFileError> {
        let (states, layout) = self.declared(line, "the first transition")?;
        let wanted = layout.ring.len() + 2;
        let compact = states <= 10 && self.variables.is_empty() && !content.contains(',');
        let words: Vec<&str> = if compact {
            Line::words(content, &[]).flat_map(|word| word.split_inclusive(|_: char| true)).collect()
        } else {
            Line::words(content, &[',']).collect()
        };
        if words.len() < wanted {
            return Err(line.error_at_end(format!(
                "too few entries: a transition of {} has {wanted}, and here are {}",
                layout.name,
                words.len()
            )));
        }
        // What follows is passed over, as Golly does: some files have remarks there.
        let words = &words[..wanted];
        let mut terms = Vec::with_capacity(wanted);
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        for &word in words {
            if self.variables.contains_key(word) {
                *times.entry(word).or_default() += 1;
                terms.push(Term::Variable(word));
            } else if word.bytes().all(|b| b.is_ascii_digit()) {
                terms.push(Term::State(line.state(word, states)?));
            } else {
                return Err(line.error(word, format!("{:?} is neither a state nor a variable", quoted(word))));
            }
        }
        let mut output = terms.pop().unwrap_or(Term::State(0));
        if let Term::Variable(name) = output
            && times.get(name) == Some(&1)
        {
            match self.variables[name][..] {
                [state] => output = Term::State(state),
                _ => {
                    return Err(line.error(
                        words[wanted - 1],
                        "the output must be a state, a single-state variable, or a variable that an input names too",
                    ));
                }
            }
        }
        let (mut bound, mut free) = (Vec::new(), BTreeMap::new());
        for (name, times) in times {
            let values = &self.variables[name];
            if times > 1 {
                bound.push((name, values.clone()));
            } else {
                let mut set = StateSet::default();
                for &value in values {
                    set.insert(value);
                }
                free.insert(name, set);
            }
        }
        let transition = Transition { line, inputs: terms, output, bound, free };
        self.combinations = self.combinations.saturating_add(transition.combinations());
        if self.combinations > MAX_COMBINATIONS {
            return Err(line.error(
                content,
                format!("the variables bound in transitions have more than {MAX_COMBINATIONS} combinations"),
            ));
        }
        self.transitions.push(transition);
        Ok(())
    }

    fn build(self, last: Option<Line<'_>>) -> Result<DiagramRule, RuleFileError> {
        let last = last.unwrap_or(Line { number: 1, text: "" });
        let (Some(states), Some(layout), Some(symmetry)) = (self.states, self.layout, self.symmetry) else {
            return Err(last.error(
                last.content(),
                "one or more of n_states, neighborhood or symmetries missing in this @TABLE",
            ));
        };
        let positions: Vec<Option<usize>> =
            layout.order.iter().map(|place| layout.ring.iter().position(|at| at == place)).collect();
        let mut builder = Builder::unchanged(states, layout.order.len());
        // What is written later covers what was written before, so the first match wins.
        for transition in self.transitions.iter().rev() {
            for number in (0..transition.combinations()).rev() {
                let (inputs, output) = transition.combination(number);
                builder
                    .write(&inputs[1..], inputs[0], output, &symmetry, &positions)
                    .map_err(transition.line.too_complicated(transition.line.content()))?;
            }
        }
        Ok(DiagramRule::new(builder.finish(layout.order), layout.neighbourhood))
    }
}
