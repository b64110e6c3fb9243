//! `@NAMES` and `@COLORS`: what states are called, and how they look.
//!
//! ```text
//! @NAMES                 @COLORS
//! 0 empty                1 0 128 255                   state r g b; text after it is comment
//! 3 copper wire          255 0 0  0 0 255              from … to over the living states
//! ```
//!
//! Lines that are neither are passed over, as in Golly, with a warning.

use std::collections::BTreeMap;

use super::{Line, Warnings};
use crate::cell::{DEAD, State};
use crate::palette::Rgb;

/// The longest name of a state that is kept, characters.
const MAX_NAME: usize = 80;

/// A number from 0 to 255 in digits.
fn number(word: &str) -> Option<u8> {
    word.parse().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Reads the lines after `@NAMES`.
pub(super) fn names(lines: &[Line<'_>], warnings: &mut Warnings) -> BTreeMap<State, String> {
    let mut names = BTreeMap::new();
    for &line in lines {
        let text = line.text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let (word, name) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let Some(state) = number(word) else {
            warnings.note(line, "this is no state with its name, and is passed over");
            continue;
        };
        let name: String = name.trim().chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
        if !name.is_empty() {
            names.insert(state, name);
        }
    }
    names
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
pub(super) fn colours(lines: &[Line<'_>], warnings: &mut Warnings) -> Colours {
    let mut colours = Colours::default();
    for &line in lines {
        let content = line.content();
        if content.is_empty() {
            continue;
        }
        // Numbers up to 255, as far as there are any; text after them is comment.
        let numbers: Vec<u8> = Line::words(content, &[',']).map_while(number).collect();
        match numbers[..] {
            [r1, g1, b1, r2, g2, b2, ..] => {
                // Of what was set before only the colour of the dead is left.
                colours.single.retain(|&state, _| state == DEAD);
                colours.gradient = Some([r1, g1, b1, r2, g2, b2]);
            }
            [state, red, green, blue, ..] => {
                colours.single.insert(state, Rgb([red, green, blue]));
            }
            _ => warnings.note(line, "this is no colour, and is passed over"),
        }
    }
    colours
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
