//! `@NAMES` and `@COLORS`: what states are called, and how they look.
//!
//! ```text
//! @NAMES                 @COLORS
//! 0 empty                1 0 128 255                   state r g b; text after it is comment
//! 3 copper wire          255 0 0  0 0 255              from … to over the living states
//! ```

use std::collections::BTreeMap;

use super::{Line, RuleFileError};
use crate::cell::{DEAD, State};
use crate::palette::Rgb;

/// The longest name of a state that is kept, characters.
const MAX_NAME: usize = 80;

/// Reads the lines after `@NAMES`.
pub(super) fn names(lines: &[Line<'_>]) -> Result<BTreeMap<State, String>, RuleFileError> {
    let mut names = BTreeMap::new();
    for &line in lines {
        let text = line.text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let (number, name) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let state = line.state(number, 256)?;
        let name: String = name.trim().chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
        if !name.is_empty() {
            names.insert(state, name);
        }
    }
    Ok(names)
}

/// The colours of states. A gradient depends on the number of states, and so on the rule that is dressed by it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Colours {
    /// From state 1 to the last one.
    gradient: Option<[u8; 6]>,
    /// Set after the gradient.
    single: BTreeMap<State, Rgb>,
}

impl Colours {
    /// The colour of a state of a rule of `states` states.
    pub(super) fn of(&self, state: State, states: u16) -> Option<Rgb> {
        let last = State::try_from(states - 1).unwrap_or(State::MAX);
        let on_the_way = || self.gradient.filter(|_| (1..=last).contains(&state));
        self.single.get(&state).copied().or_else(|| Some(between(on_the_way()?, state, last)))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.gradient.is_none() && self.single.is_empty()
    }
}

/// Reads the lines after `@COLORS`.
pub(super) fn colours(lines: &[Line<'_>]) -> Result<Colours, RuleFileError> {
    let mut colours = Colours::default();
    for &line in lines {
        let content = line.content();
        if content.is_empty() {
            continue;
        }
        let words: Vec<&str> = Line::words(content, &[',']).collect();
        let numeric = words.iter().take_while(|word| word.bytes().all(|b| b.is_ascii_digit())).count();
        let channel = |word: &str| -> Result<u8, RuleFileError> {
            let value = line.number(word, "red, green or blue", 255)?;
            Ok(u8::try_from(value).expect("at most 255"))
        };
        match numeric {
            6.. => {
                let mut ends = [0; 6];
                for (end, word) in ends.iter_mut().zip(&words) {
                    *end = channel(word)?;
                }
                // Of what was set before only the colour of the dead is left.
                colours.single.retain(|&state, _| state == DEAD);
                colours.gradient = Some(ends);
            }
            4 | 5 => {
                let state = line.state(words[0], 256)?;
                let colour = [channel(words[1])?, channel(words[2])?, channel(words[3])?];
                colours.single.insert(state, Rgb(colour));
            }
            _ => {
                let message = "a colour is a state and red, green and blue, or two colours from and to";
                return Err(match words.get(numeric) {
                    Some(word) => line.error(word, message),
                    None => line.error_at_end(message),
                });
            }
        }
    }
    Ok(colours)
}

/// The colour of a living state on the way from one colour at state 1 to the other at state `last`.
fn between([r1, g1, b1, r2, g2, b2]: [u8; 6], state: State, last: State) -> Rgb {
    let steps = i32::from(last.max(2)) - 1;
    let step = i32::from(state) - 1;
    let mix = |from: u8, to: u8| {
        let (from, to) = (i32::from(from), i32::from(to));
        u8::try_from((from * (steps - step) + to * step + steps / 2) / steps).expect("between the two")
    };
    Rgb([mix(r1, r2), mix(g1, g2), mix(b1, b2)])
}
