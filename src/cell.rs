//! The atom: the state of one cell, and how a state is written in a terminal.
//!
//! Knows nothing of boards, rules or colours on the screen.

/// What a cell holds: 0 is dead, 1… are the living species (or, in rules with ageing cells, their stages).
///
/// Range 0–255; a rule says how many of them it uses.
pub type State = u8;

/// The dead state.
pub const DEAD: State = 0;

/// The most species that Biota tallies and displays apart by name; further states are shown by letter.
const NAMED_SPECIES: usize = 4;

/// The display name of a state in a rule of `states` states: `empty`, `alive`, `white`, `black`, `red`, `blue`.
///
/// Two-state rules have `alive` only; two-species rules have `white` (1) and `black` (2), as the literature names them.
/// States past the named ones are called by their number.
pub fn state_name(state: State, states: u16) -> String {
    const NAMES: [&str; NAMED_SPECIES] = ["white", "black", "red", "blue"];
    match (state, states) {
        (DEAD, _) => "empty".to_owned(),
        (1, 2) => "alive".to_owned(),
        (s, _) => {
            NAMES.get(usize::from(s) - 1).map_or_else(|| format!("state {s}"), |name| (*name).to_owned())
        }
    }
}

/// The glyph of a state in a rule of `states` states: `.` dead, `▮` alive in a two-state rule,
/// `o` species 1, `*` species 2, then `A`, `B`, … from species 3 on.
pub fn glyph(state: State, states: u16) -> char {
    match (state, states) {
        (DEAD, _) => '.',
        (1, 2) => '▮',
        (1, _) => 'o',
        (2, _) => '*',
        (s, _) => char::from(b'A' + (s - 3) % 26),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_are_those_of_the_field_protocol() {
        assert_eq!(glyph(0, 2), '.', "dead");
        assert_eq!(glyph(1, 2), '▮', "alive");
        assert_eq!((glyph(1, 3), glyph(2, 3)), ('o', '*'), "white and black");
        assert_eq!(state_name(2, 3), "black", "species 2");
        assert_eq!(state_name(7, 9), "state 7", "past the named ones");
    }
}
