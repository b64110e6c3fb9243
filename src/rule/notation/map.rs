//! MAP strings: the next state for every arrangement, as bits in base 64.
//!
//! ```text
//! MAP + 86 characters   512 bits   Moore         NW N NE W C E SW S SE
//! MAP + 22 characters   128 bits   hexagonal     S SE W C E NW N
//! MAP +  6 characters    32 bits   von Neumann   N W C E S
//! ```
//!
//! Bit i is the next state of the cell C where the listed cells, the first being the most significant, spell the
//! number i. Each character carries six bits, the first the most significant; `==` may follow. The hexagonal order is
//! that of `LifeViewer` and of Golly's two-state algorithms; Golly's multi-state ones list the mirror image (NW N W C
//! E S SE), which is another rule only where it has no mirror symmetry.

use super::{Complaint, Text};
use crate::lattice::Neighbourhood;
use crate::rule::condition::Condition;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// What begins a MAP string.
const PREFIX: &str = "MAP";

/// The cell itself in a list of places.
const CENTRE: usize = usize::MAX;

/// A neighbourhood with its number of characters and the places (of its offsets) that make up an index, the most
/// significant first. Longest first.
const FORMS: [(Neighbourhood, usize, &[usize]); 3] = [
    (Neighbourhood::Moore, 86, &[0, 1, 2, 3, CENTRE, 4, 5, 6, 7]),
    (Neighbourhood::Hexagonal, 22, &[4, 5, 2, CENTRE, 3, 0, 1]),
    (Neighbourhood::VonNeumann, 6, &[0, 1, CENTRE, 2, 3]),
];

/// The index of a cell in this state with an arrangement of neighbours.
fn index(places: &[usize], centre: bool, arrangement: u8) -> usize {
    places.iter().fold(0, |index, &place| {
        let lives = if place == CENTRE { centre } else { arrangement >> place & 1 == 1 };
        index << 1 | usize::from(lives)
    })
}

/// Whether a text begins as a MAP string does.
pub(super) fn begins(text: Text<'_>) -> bool {
    text.len() >= PREFIX.len()
        && text.iter().zip(PREFIX.chars()).all(|((_, c), wanted)| c.eq_ignore_ascii_case(&wanted))
}

/// Reads a MAP string, and gives what follows it. `continues` says whether a text may follow one.
pub(super) fn read<'a>(
    text: Text<'a>,
    continues: impl Fn(Text<'a>) -> bool,
) -> Result<(Condition, Text<'a>), Complaint> {
    let bits = &text[PREFIX.len()..];
    let value = |c: char| ALPHABET.iter().position(|&a| char::from(a) == c);
    let found = bits.iter().take_while(|(_, c)| value(*c).is_some()).count();
    for (neighbourhood, length, places) in FORMS {
        if found < length {
            continue;
        }
        let (bits, rest) = bits.split_at(length);
        let padding = rest.iter().take_while(|(_, c)| *c == '=').count().min(2);
        let rest = &rest[padding..];
        if !continues(rest) {
            continue;
        }
        let bit = |index: usize| {
            bits.get(index / 6).and_then(|(_, c)| value(*c)).is_some_and(|v| v >> (5 - index % 6) & 1 == 1)
        };
        let condition = Condition::arranged(
            neighbourhood,
            |a| bit(index(places, false, a)),
            |a| bit(index(places, true, a)),
        );
        return Ok((condition.expect("the listed neighbourhoods have arrangements"), rest));
    }
    let end = text.last().map_or(0, |(place, _)| place + 1);
    Err((
        bits.get(found).map_or(end, |(place, _)| *place),
        format!(
            "MAP is followed by 86 (Moore), 22 (hexagonal) or 6 (von Neumann) characters of base 64, here by {found}"
        ),
    ))
}

/// The MAP string of a condition; `None` for neighbourhoods that have none.
pub(super) fn write(condition: &Condition) -> Option<String> {
    let (_, length, places) = FORMS.into_iter().find(|(n, ..)| *n == condition.neighbourhood())?;
    let mut values = vec![0usize; length];
    for arrangement in 0..=crate::rule::condition::last_arrangement(condition.neighbourhood().size()) {
        for (centre, set) in [(false, &condition.births), (true, &condition.survivals)] {
            let index = index(places, centre, arrangement);
            values[index / 6] |= usize::from(set.holds_arrangement(arrangement)) << (5 - index % 6);
        }
    }
    let digits = values.into_iter().map(|value| char::from(ALPHABET[value]));
    Some(PREFIX.chars().chain(digits).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_of_life_is_gollys() {
        let map = "MAPARYXfhZofugWaH7oaIDogBZofuhogOiAaIDogIAAgAAWaH7oaIDogGiA6ICAAIAAaIDogIAAgACAAIAAAAAAAA";
        assert_eq!(write(&Condition::CONWAY).as_deref(), Some(map), "B3/S23");
        let characters: Vec<(usize, char)> = map.chars().enumerate().collect();
        let (condition, rest) = read(&characters, <[_]>::is_empty).expect("a MAP");
        assert_eq!((condition, rest.len()), (Condition::CONWAY, 0), "and back");
    }

    #[test]
    fn a_bit_is_one_arrangement() {
        let born = |text: &str, arrangement: u8| {
            let characters: Vec<(usize, char)> = text.chars().enumerate().collect();
            let (condition, _) = read(&characters, <[_]>::is_empty).expect("a MAP");
            let size = condition.neighbourhood().size();
            let found: Vec<u8> = (0..=crate::rule::condition::last_arrangement(size))
                .filter(|&a| condition.births.holds_arrangement(a))
                .collect();
            assert_eq!(found, [arrangement], "{text}");
        };
        // Index 1: only the last place of the list lives; south, south-east, north.
        born("MAPQAAAAA", 1 << 3);
        born(&format!("MAPQ{}", "A".repeat(85)), 1 << 7);
        born(&format!("MAPQ{}==", "A".repeat(21)), 1 << 1);
    }
}
