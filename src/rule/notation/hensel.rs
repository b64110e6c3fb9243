//! Letters for the ways in which a number of neighbours can stand: Alan Hensel's on Moore's neighbourhood, and `o`
//! (ortho), `m` (meta), `p` (para) on the hexagonal one.
//!
//! A letter stands for an arrangement and all its rotations and reflections. Classes are numbered, for each number of
//! living neighbours, in the alphabetical order of their letters, which is the canonical one.

use std::sync::LazyLock;

use super::Complaint;
use crate::coords::Coords;
use crate::lattice::Neighbourhood;
use crate::rule::condition::{Condition, Set, last_arrangement};

/// Classes by the number of living neighbours: a letter with an arrangement of its class, letters ascending.
type Classes = &'static [(char, u8)];

const NW: u8 = 1 << 0;
const N: u8 = 1 << 1;
const NE: u8 = 1 << 2;
const W: u8 = 1 << 3;
const E: u8 = 1 << 4;
const SW: u8 = 1 << 5;
const S: u8 = 1 << 6;
const SE: u8 = 1 << 7;

/// Hensel's classes of one to four neighbours. Those of five to seven are the complements of three to one.
const MOORE: [Classes; 4] = [
    &[('c', SW), ('e', E)],
    &[('a', S | SE), ('c', SW | SE), ('e', E | S), ('i', W | E), ('k', W | SE), ('n', NE | SW)],
    &[
        ('a', E | S | SE),
        ('c', NE | SW | SE),
        ('e', W | E | S),
        ('i', SW | S | SE),
        ('j', E | SW | S),
        ('k', NE | W | S),
        ('n', E | SW | SE),
        ('q', NE | SW | S),
        ('r', W | E | SE),
        ('y', NE | W | SE),
    ],
    &[
        ('a', E | SW | S | SE),
        ('c', NW | NE | SW | SE),
        ('e', N | W | E | S),
        ('i', W | E | SW | SE),
        ('j', NE | W | E | S),
        ('k', NE | W | S | SE),
        ('n', NE | SW | S | SE),
        ('q', NE | W | SW | S),
        ('r', W | E | S | SE),
        ('t', NE | W | E | SE),
        ('w', NE | E | SW | S),
        ('y', NE | W | SW | SE),
        ('z', NE | W | E | SW),
    ],
];

/// Hexagonal places: NW N W E S SE, in the order of the offsets.
const HEX: [u8; 6] = [1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5];

/// Hexagonal classes of two to four neighbours; those of four are the complements of two.
const HEXAGONAL: [Classes; 3] = [
    &[('m', HEX[1] | HEX[5]), ('o', HEX[1] | HEX[3]), ('p', HEX[1] | HEX[4])],
    &[('m', HEX[1] | HEX[3] | HEX[4]), ('o', HEX[1] | HEX[3] | HEX[5]), ('p', HEX[1] | HEX[5] | HEX[2])],
    &[('m', 0x3F & !(HEX[1] | HEX[5])), ('o', 0x3F & !(HEX[1] | HEX[3])), ('p', 0x3F & !(HEX[1] | HEX[4]))],
];

/// The letters of a neighbourhood.
pub(super) struct Letters {
    neighbourhood: Neighbourhood,
    /// By the number of living neighbours, ascending; none where there is but one class.
    names: Vec<Vec<char>>,
    /// The class of each arrangement among those of its number.
    classes: Vec<usize>,
}

impl Letters {
    /// The letters that a neighbourhood has, if it has any.
    pub(super) fn of(neighbourhood: Neighbourhood) -> Option<&'static Self> {
        static ON_MOORE: LazyLock<Letters> = LazyLock::new(|| {
            let mut classes: Vec<Vec<(char, u8)>> = vec![Vec::new()];
            classes.extend(MOORE.iter().map(|classes| classes.to_vec()));
            for of in [2, 1, 0] {
                classes.push(MOORE[of].iter().map(|(letter, arrangement)| (*letter, !arrangement)).collect());
            }
            classes.push(Vec::new());
            Letters::new(Neighbourhood::Moore, &classes)
        });
        static ON_HEXAGONS: LazyLock<Letters> = LazyLock::new(|| {
            let mut classes = vec![Vec::new(), Vec::new()];
            classes.extend(HEXAGONAL.iter().map(|classes| classes.to_vec()));
            classes.extend([Vec::new(), Vec::new()]);
            Letters::new(Neighbourhood::Hexagonal, &classes)
        });
        match neighbourhood {
            Neighbourhood::Moore => Some(&ON_MOORE),
            Neighbourhood::Hexagonal => Some(&ON_HEXAGONS),
            _ => None,
        }
    }

    fn new(neighbourhood: Neighbourhood, classes: &[Vec<(char, u8)>]) -> Self {
        let mut numbers = vec![0; 1 << neighbourhood.size()];
        for of_count in classes {
            for (number, (_, representative)) in of_count.iter().enumerate() {
                for arrangement in orbit(neighbourhood, *representative) {
                    numbers[usize::from(arrangement)] = number;
                }
            }
        }
        let names = classes.iter().map(|of_count| of_count.iter().map(|(letter, _)| *letter).collect());
        Self { neighbourhood, names: names.collect(), classes: numbers }
    }

    /// The letters for a number of living neighbours, ascending.
    pub(super) fn names(&self, count: usize) -> &[char] {
        self.names.get(count).map_or(&[], Vec::as_slice)
    }

    /// Whether the letter stands for a class of any number of neighbours.
    pub(super) fn has(&self, letter: char) -> bool {
        self.names.iter().any(|names| names.contains(&letter))
    }

    /// All classes of a number of living neighbours, as bits.
    pub(super) fn all(&self, count: usize) -> u16 {
        (1 << self.names(count).len().max(1)) - 1
    }

    /// The class of an arrangement as a bit.
    fn class(&self, arrangement: u8) -> u16 {
        1 << self.classes[usize::from(arrangement)]
    }

    /// The condition with these classes, as bits by the number of living neighbours.
    pub(super) fn condition(&self, births: &[u16], survivals: &[u16]) -> Condition {
        let holds = |sets: &[u16], a: u8| {
            sets.get(a.count_ones() as usize).is_some_and(|set| set & self.class(a) != 0)
        };
        Condition::arranged(self.neighbourhood, |a| holds(births, a), |a| holds(survivals, a))
            .expect("neighbourhoods with letters have arrangements")
    }

    /// The digits with letters that stand for a set; `None` when no letters do.
    pub(super) fn write(&self, set: &Set) -> Option<String> {
        let last = last_arrangement(self.neighbourhood.size());
        let (mut held, mut missing) = (vec![0u16; self.names.len()], vec![0u16; self.names.len()]);
        for arrangement in 0..=last {
            let side = if set.holds_arrangement(arrangement) { &mut held } else { &mut missing };
            side[arrangement.count_ones() as usize] |= self.class(arrangement);
        }
        if held.iter().zip(&missing).any(|(held, missing)| held & missing != 0) {
            return None;
        }
        let mut text = String::new();
        for (count, (held, missing)) in held.into_iter().zip(missing).enumerate() {
            if held == 0 {
                continue;
            }
            text.push_str(&count.to_string());
            let letters = |classes: u16| {
                self.names(count).iter().enumerate().filter(move |(n, _)| classes >> n & 1 == 1)
            };
            // The shorter form; of two equally long ones the one without a minus.
            if missing == 0 {
            } else if letters(held).count() <= letters(missing).count() + 1 {
                text.extend(letters(held).map(|(_, letter)| letter));
            } else {
                text.push('-');
                text.extend(letters(missing).map(|(_, letter)| letter));
            }
        }
        Some(text)
    }

    /// The class that a letter stands for, as a bit; the complaint says what would be right.
    pub(super) fn read(&self, count: usize, (place, letter): (usize, char)) -> Result<u16, Complaint> {
        let names = self.names(count);
        match names.iter().position(|name| name.eq_ignore_ascii_case(&letter)) {
            Some(class) => Ok(1 << class),
            None if names.is_empty() => {
                Err((place, format!("no letter can follow {count}: it is the same however they stand")))
            }
            None => Err((
                place,
                format!(
                    "'{letter}' is no way for {count} to stand; the letters are {}",
                    names.iter().collect::<String>()
                ),
            )),
        }
    }
}

/// An arrangement with all its rotations and reflections.
fn orbit(neighbourhood: Neighbourhood, arrangement: u8) -> Vec<u8> {
    let offsets = neighbourhood.offsets(Coords::default());
    let hexagonal = neighbourhood == Neighbourhood::Hexagonal;
    let moved = |arrangement: u8, turn: bool| {
        offsets.iter().enumerate().filter(|(place, _)| arrangement >> place & 1 == 1).fold(
            0u8,
            |moved, (_, &(x, y))| {
                let to = match (hexagonal, turn) {
                    (false, true) => (-y, x),
                    (false, false) => (-x, y),
                    (true, true) => (x - y, x),
                    (true, false) => (y, x),
                };
                let place = offsets.iter().position(|offset| *offset == to);
                moved | 1 << place.expect("symmetries keep the neighbourhood")
            },
        )
    };
    let mut found = vec![arrangement];
    let mut done = 0;
    while let Some(&arrangement) = found.get(done) {
        for turn in [true, false] {
            let other = moved(arrangement, turn);
            if !found.contains(&other) {
                found.push(other);
            }
        }
        done += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many arrangements have each letter.
    fn sizes(neighbourhood: Neighbourhood, count: usize) -> Vec<(char, usize)> {
        let letters = Letters::of(neighbourhood).expect("letters");
        letters
            .names(count)
            .iter()
            .enumerate()
            .map(|(class, &letter)| {
                let all = 0..=last_arrangement(neighbourhood.size());
                let found =
                    all.filter(|a| a.count_ones() as usize == count && letters.class(*a) == 1 << class);
                (letter, found.count())
            })
            .collect()
    }

    #[test]
    fn letters_stand_for_as_many_arrangements_as_golly_says() {
        let written = |count| {
            sizes(Neighbourhood::Moore, count)
                .iter()
                .fold(String::new(), |text, (letter, size)| format!("{text}{letter}{size}"))
        };
        assert_eq!(written(1), "c4e4", "one");
        assert_eq!(written(2), "a8c4e4i2k8n2", "two");
        assert_eq!(written(3), "a4c4e4i4j8k4n8q8r8y4", "three");
        assert_eq!(written(4), "a8c1e1i4j8k8n8q4r8t4w4y8z4", "four");
        for count in 1..=3 {
            assert_eq!(written(8 - count), written(count), "{count} and its complement");
        }
        let sums: Vec<usize> =
            (1..8).map(|count| sizes(Neighbourhood::Moore, count).iter().map(|(_, n)| n).sum()).collect();
        assert_eq!(sums, [8, 28, 56, 70, 56, 28, 8], "all arrangements have a letter");
    }

    #[test]
    fn classes_fall_apart_into_one_orbit_each() {
        for neighbourhood in [Neighbourhood::Moore, Neighbourhood::Hexagonal] {
            let letters = Letters::of(neighbourhood).expect("letters");
            for arrangement in 0..=last_arrangement(neighbourhood.size()) {
                let count = arrangement.count_ones() as usize;
                let class = letters.class(arrangement);
                let orbit = orbit(neighbourhood, arrangement);
                assert!(orbit.iter().all(|&other| letters.class(other) == class), "{arrangement:b}");
                let same = (0..=last_arrangement(neighbourhood.size()))
                    .filter(|a| a.count_ones() as usize == count && letters.class(*a) == class)
                    .count();
                assert_eq!(
                    orbit.len(),
                    same,
                    "{neighbourhood:?}, {arrangement:b}: nothing else has its letter"
                );
            }
        }
    }

    #[test]
    fn hexagons_have_ortho_meta_and_para() {
        let hex = |count| sizes(Neighbourhood::Hexagonal, count);
        assert_eq!(hex(2), [('m', 6), ('o', 6), ('p', 3)], "two");
        assert_eq!(hex(3), [('m', 12), ('o', 6), ('p', 2)], "three");
        assert_eq!(hex(4), [('m', 6), ('o', 6), ('p', 3)], "four");
        assert_eq!(hex(1), [], "one");
    }
}
