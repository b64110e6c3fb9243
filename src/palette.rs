//! The colours of species and marks, for every face: colour-blind people tell them apart, and they stay apart when
//! they are mixed in a far view.

use crate::cell::State;

/// An sRGB colour: red, green, blue, 0–255.
pub type Rgb = [u8; 3];

/// The dead cell, and the background of the board, on a dark screen.
pub const BOARD_DARK: Rgb = [0x0B, 0x0E, 0x11];
/// The dead cell on a light screen.
pub const BOARD_LIGHT: Rgb = [0xF7, 0xF5, 0xF0];
/// The only species of a two-state rule, on a dark and on a light screen.
const ALONE: [Rgb; 2] = [[0xF2, 0xE9, 0xD8], [0x1E, 0x25, 0x2D]];
/// Amber, azure, bluish green, rose; then further ones for rules with more states.
const SPECIES: [Rgb; 8] = [
    [0xF0, 0xA2, 0x02],
    [0x3F, 0xA7, 0xF5],
    [0x1F, 0xB5, 0x8A],
    [0xD7, 0x63, 0x9B],
    [0xE6, 0xDC, 0x5A],
    [0x9A, 0x7B, 0xF0],
    [0xE2, 0x6A, 0x3B],
    [0x8F, 0xD3, 0xE8],
];
/// The ring around a coming birth.
pub const BIRTH: Rgb = [0x5B, 0xB8, 0xFF];
/// The cross on a coming death.
pub const DEATH: Rgb = [0xFF, 0x4D, 0x4D];

/// The colour of a living state in a rule of `states` states, on a dark or a light screen.
pub fn species_colour(state: State, states: u16, dark: bool) -> Rgb {
    if states == 2 {
        return ALONE[usize::from(!dark)];
    }
    SPECIES[usize::from(state.saturating_sub(1)) % SPECIES.len()]
}

/// The colour of dead cells.
pub const fn board_colour(dark: bool) -> Rgb {
    if dark { BOARD_DARK } else { BOARD_LIGHT }
}
