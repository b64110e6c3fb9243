//! The colours of species and marks, the same in the window, in the terminal and in pictures.
//!
//! They are apart for colour-blind eyes too, and stay apart when they are mixed where a pixel is many cells.

use std::sync::LazyLock;

use crate::cell::{DEAD, State};

/// An sRGB colour: red, green, blue, 0–255 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb(pub [u8; 3]);

/// Dead cells on a dark screen, and in pictures: near black.
pub const BACKGROUND: Rgb = Rgb([0x0B, 0x0E, 0x11]);
/// What is beyond the edge of a bounded board, in pictures and in the terminal.
pub const OUTSIDE: Rgb = Rgb([0x1A, 0x20, 0x27]);
/// Dead cells on a light screen.
pub const BACKGROUND_LIGHT: Rgb = Rgb([0xF7, 0xF5, 0xF0]);
/// Living cells of a rule of one species: a bright neutral.
pub const ALIVE: Rgb = Rgb([0xE8, 0xE6, 0xE0]);
/// The same on a light screen: a dark neutral.
pub const ALIVE_LIGHT: Rgb = Rgb([0x1E, 0x25, 0x2D]);
/// Species 1 to 4: amber, azure, bluish green, rose.
pub const SPECIES: [Rgb; 4] =
    [Rgb([0xF0, 0xA2, 0x02]), Rgb([0x3F, 0xA7, 0xF5]), Rgb([0x1F, 0xB5, 0x8A]), Rgb([0xD7, 0x63, 0x9B])];
/// What the last state before death fades to on a dark screen, where states are ages: a dim violet.
pub const FADED: Rgb = Rgb([0x43, 0x36, 0x66]);
/// The same on a light screen: a pale violet.
pub const FADED_LIGHT: Rgb = Rgb([0xD3, 0xC7, 0xE5]);
/// The ring around a coming birth.
pub const BIRTH: Rgb = Rgb([0x5B, 0xB8, 0xFF]);
/// The cross on a coming death.
pub const DEATH: Rgb = Rgb([0xFF, 0x4D, 0x4D]);

/// The colour of a state in a rule of `states` states, on a dark screen and in pictures. From species 5 on the four
/// colours come again.
pub fn colour(state: State, states: u16) -> Rgb {
    colour_on(true, state, states)
}

/// The colour of a state on a dark or a light screen.
pub fn colour_on(dark: bool, state: State, states: u16) -> Rgb {
    match (state, states) {
        (DEAD, _) => {
            if dark {
                BACKGROUND
            } else {
                BACKGROUND_LIGHT
            }
        }
        (1, 2) => {
            if dark {
                ALIVE
            } else {
                ALIVE_LIGHT
            }
        }
        (species, _) => SPECIES[usize::from(species - 1) % SPECIES.len()],
    }
}

/// The colour of a state of a rule in which states are ages, as Generations: living cells, state 1, have the colour of
/// species 1, and dying ones fade from it to a tone not far from dead cells, evenly, whatever the number of states.
pub fn graded(dark: bool, state: State, states: u16) -> Rgb {
    if state == DEAD || states <= 2 {
        return colour_on(dark, state, states);
    }
    let (Rgb(fresh), Rgb(faded)) = (SPECIES[0], if dark { FADED } else { FADED_LIGHT });
    let (age, last) = (u32::from(state - 1), u32::from(states) - 2);
    let age = age.min(last);
    let channel = |from: u8, to: u8| {
        let mixed = (u32::from(from) * (last - age) + u32::from(to) * age + last / 2) / last;
        u8::try_from(mixed).expect("between two channels")
    };
    Rgb(std::array::from_fn(|i| channel(fresh[i], faded[i])))
}

/// The colour of a state of a rule whose cells remember where life was (`[R]History`): the field's green, blue, white,
/// red, yellow and grey, toned for the screen. States past the seventh are those of [`colour_on`].
pub fn remembered(dark: bool, state: State, states: u16) -> Rgb {
    const ON_DARK: [Rgb; 6] = [
        Rgb([0x3D, 0xDC, 0x5B]),
        Rgb([0x24, 0x40, 0x8E]),
        Rgb([0xF2, 0xF4, 0xF0]),
        Rgb([0xD8, 0x4A, 0x3F]),
        Rgb([0xF5, 0xD7, 0x3A]),
        Rgb([0x80, 0x87, 0x8F]),
    ];
    const ON_LIGHT: [Rgb; 6] = [
        Rgb([0x0E, 0x8A, 0x36]),
        Rgb([0xB9, 0xC8, 0xEE]),
        Rgb([0x1E, 0x25, 0x2D]),
        Rgb([0xC0, 0x33, 0x2B]),
        Rgb([0x9A, 0x73, 0x00]),
        Rgb([0x8A, 0x90, 0x97]),
    ];
    let colours = if dark { &ON_DARK } else { &ON_LIGHT };
    let place = usize::from(state).checked_sub(1);
    place.and_then(|place| colours.get(place)).copied().unwrap_or_else(|| colour_on(dark, state, states))
}

/// A mixture of colours by their shares, as light mixes: `parts` are pairs of a colour and its share. Shares need not
/// add up to 1; without any share the mixture is [`BACKGROUND`].
pub fn mixed(parts: impl IntoIterator<Item = (Rgb, f64)>) -> Rgb {
    static LIGHTS: LazyLock<[f64; 256]> =
        LazyLock::new(|| std::array::from_fn(|channel| to_light(u8::try_from(channel).expect("below 256"))));
    let (mut light, mut whole) = ([0.0; 3], 0.0);
    for (Rgb(channels), share) in parts {
        for (sum, channel) in light.iter_mut().zip(channels) {
            *sum += share * LIGHTS[usize::from(channel)];
        }
        whole += share;
    }
    if whole <= 0.0 {
        return BACKGROUND;
    }
    Rgb(light.map(|sum| from_light(sum / whole)))
}

/// The light, 0 to 1, of an sRGB channel (IEC 61966-2-1).
fn to_light(channel: u8) -> f64 {
    let value = f64::from(channel) / 255.0;
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// The sRGB channel of a light between 0 and 1.
fn from_light(light: f64) -> u8 {
    let value = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    #[expect(clippy::cast_possible_truncation, reason = "clamped to 0–255")]
    let channel = (value * 255.0).round().clamp(0.0, 255.0) as u8;
    channel
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mixture_of_one_colour_is_that_colour() {
        for colour in SPECIES.into_iter().chain([ALIVE, BACKGROUND]) {
            assert_eq!(mixed([(colour, 0.3), (colour, 7.0)]), colour, "{colour:?}");
        }
        assert_eq!(mixed([]), BACKGROUND, "nothing at all");
    }

    #[test]
    fn light_is_mixed_not_numbers() {
        let Rgb([grey, ..]) = mixed([(Rgb([0; 3]), 1.0), (Rgb([255; 3]), 1.0)]);
        assert_eq!(grey, 188, "half of the light of white is sRGB 188");
    }

    #[test]
    fn one_species_is_neutral_and_several_are_coloured() {
        assert_eq!(colour(1, 2), ALIVE, "Life");
        assert_eq!(colour(1, 3), SPECIES[0], "species 1 of two");
        assert_eq!(colour(4, 5), SPECIES[3], "species 4 of four");
        assert_eq!(colour(255, 256), SPECIES[2], "the colours come again");
    }

    #[test]
    fn dying_cells_fade_evenly_and_stay_apart_from_dead_ones() {
        let luminance =
            |Rgb([r, g, b]): Rgb| 0.2126 * to_light(r) + 0.7152 * to_light(g) + 0.0722 * to_light(b);
        for (dark, states) in [true, false].into_iter().flat_map(|dark| [3, 4, 9, 16].map(|n| (dark, n))) {
            let lights: Vec<f64> = (1..states)
                .map(|s| luminance(graded(dark, u8::try_from(s).expect("a state"), states)))
                .collect();
            let fades =
                lights.windows(2).all(|pair| if dark { pair[1] < pair[0] } else { pair[1] > pair[0] });
            assert!(fades, "{states} states, dark {dark}: {lights:?}");
            assert_eq!(graded(dark, 1, states), SPECIES[0], "{states} states: living cells");
            let (dead, last) = (luminance(graded(dark, 0, states)), lights[lights.len() - 1]);
            let contrast = (dead.max(last) + 0.05) / (dead.min(last) + 0.05);
            assert!(contrast > 1.4, "{states} states, dark {dark}: contrast {contrast} to dead cells");
        }
        assert_eq!(graded(true, 1, 2), ALIVE, "Life ages not");
    }
}
