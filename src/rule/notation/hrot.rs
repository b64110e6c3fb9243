//! Rules with a range, as written for larger neighbourhoods; of these, range 1 is read.
//!
//! ```text
//! R1,C0,S2-3,B3[,NM]            lists: 2-3,7 (HROT)
//! R1,C0,M1,S3..4,B3..3,NM       M1: the middle counts too (MCell)
//! 1,3,3,3,4                     range, births from, to, survivals from, to, the middle counted (Evans)
//! ```
//!
//! They are the same rules as `B…/S…` or `S/B/C`, and are written back as those.

use super::{Complaint, Text, text_of};
use crate::lattice::Neighbourhood;
use crate::rule::condition::Condition;

/// What follows `N`.
const NEIGHBOURHOODS: [(&str, Neighbourhood); 14] = [
    ("m", Neighbourhood::Moore),
    // Circle: all cells with x² + y² ≤ r² + r.
    ("c", Neighbourhood::Moore),
    // Star and hash: all eight cells at range 1.
    ("*", Neighbourhood::Moore),
    ("#", Neighbourhood::Moore),
    ("n", Neighbourhood::VonNeumann),
    // Cross, the Euclidean disc of radius 1, and the squares of the other colour on a chessboard.
    ("+", Neighbourhood::VonNeumann),
    ("2", Neighbourhood::VonNeumann),
    ("b", Neighbourhood::VonNeumann),
    ("x", Neighbourhood::Diagonal),
    // The squares of the cell's own colour.
    ("d", Neighbourhood::Diagonal),
    ("h", Neighbourhood::Hexagonal),
    // Asterisk: the three axes of the hexagonal lattice.
    ("a", Neighbourhood::Hexagonal),
    ("3", Neighbourhood::Tripod),
    ("l", Neighbourhood::Triangular),
];

/// Numbers from, to, and the place of the last.
type Span = (u16, u16, usize);

/// Whether a text is of one of these forms.
pub(super) fn begins(text: Text<'_>) -> bool {
    let ranged = matches!(text, [(_, 'r' | 'R'), (_, '0'..='9'), ..]);
    let evans = matches!(text, [(_, '0'..='9'), ..]) && text.iter().any(|(_, c)| *c == ',');
    ranged || evans
}

/// Reads a rule of range 1: its condition and its number of states. The text ends at `end`.
pub(super) fn read(text: Text<'_>, end: usize) -> Result<(Condition, u16), Complaint> {
    let fields: Vec<Text<'_>> = text.split(|(_, c)| *c == ',').collect();
    if fields.iter().all(|field| field.iter().all(|(_, c)| c.is_ascii_digit())) {
        return evans(&fields, end);
    }
    let (mut births, mut survivals): (Option<Vec<Span>>, Option<Vec<Span>>) = (None, None);
    let (mut states, mut middle, mut neighbourhood) = (2, false, Neighbourhood::Moore);
    // Which list a number without a letter goes on with.
    let mut list = ' ';
    for field in fields {
        let Some((&(place, letter), rest)) = field.split_first() else {
            return Err((end, "a part is missing between two commas or at the end".to_owned()));
        };
        let letter = letter.to_ascii_uppercase();
        match letter {
            'R' => range(rest, place)?,
            'C' => states = number_of_states(rest, place)?,
            'M' => match number(rest, place)? {
                flag @ (0 | 1) => middle = flag == 1,
                _ => return Err((place, "M is followed by 0 or 1: whether the middle counts".to_owned())),
            },
            'N' => neighbourhood = read_neighbourhood(rest, place)?,
            'S' | 'B' => {
                list = letter;
                let spans = if letter == 'S' { &mut survivals } else { &mut births };
                if spans.is_some() {
                    return Err((place, format!("only one {letter} is allowed")));
                }
                let spans = spans.insert(Vec::new());
                if !rest.is_empty() {
                    spans.push(span(rest)?);
                }
            }
            '0'..='9' => {
                let spans = if list == 'S' { &mut survivals } else { &mut births };
                match spans {
                    Some(spans) if list != ' ' => spans.push(span(field)?),
                    _ => {
                        return Err((place, "this number belongs to no list: S or B comes first".to_owned()));
                    }
                }
            }
            other => {
                return Err((place, format!("'{other}' has no place in a rule such as R1,C0,S2-3,B3,NM")));
            }
        }
        if !matches!(letter, 'S' | 'B' | '0'..='9') {
            list = ' ';
        }
    }
    let (Some(births), Some(survivals)) = (births, survivals) else {
        return Err((end, "both S and B are needed, as in R1,C0,S2-3,B3".to_owned()));
    };
    condition(neighbourhood, &births, &survivals, middle).map(|condition| (condition, states))
}

/// `range,births from,births to,survivals from,survivals to`.
fn evans(fields: &[Text<'_>], end: usize) -> Result<(Condition, u16), Complaint> {
    let [radius, births_from, births_to, survivals_from, survivals_to] = fields else {
        return Err((end, "five numbers are needed: range, births from, to, survivals from, to".to_owned()));
    };
    range(radius, end)?;
    let span = |from: Text<'_>, to: Text<'_>| -> Result<Span, Complaint> {
        let (first, last) = (number(from, end)?, number(to, end)?);
        Ok((first, last, to.first().map_or(end, |(place, _)| *place)))
    };
    let births = span(births_from, births_to)?;
    let survivals = span(survivals_from, survivals_to)?;
    condition(Neighbourhood::Moore, &[births], &[survivals], true).map(|condition| (condition, 2))
}

/// Ranges of counts as a condition; with the middle counted, a living cell counts itself.
fn condition(
    neighbourhood: Neighbourhood,
    births: &[Span],
    survivals: &[Span],
    middle: bool,
) -> Result<Condition, Complaint> {
    let size = u16::try_from(neighbourhood.size()).expect("a few neighbours");
    let most = size + u16::from(middle);
    let set = |spans: &[Span]| {
        spans.iter().try_fold(0u32, |set, &(from, to, place)| {
            if to > most {
                let lists = if to > 9 { "; a list is written 2,3 or 2-3" } else { "" };
                return Err((place, format!("{}{lists}", greater(to, neighbourhood))));
            }
            if from > to {
                return Err((place, format!("a range goes upwards, not from {from} to {to}")));
            }
            Ok((from..=to).fold(set, |set, n| set | 1 << n))
        })
    };
    let births = set(births)?;
    let survivals = set(survivals)? >> u32::from(middle);
    let low = |set: u32| u16::try_from(set & 0xFFFF).expect("sixteen bits");
    Ok(Condition::counting(neighbourhood, low(births), low(survivals)))
}

/// What to say of a number of neighbours that a cell does not have.
pub(super) fn greater(number: impl std::fmt::Display, neighbourhood: Neighbourhood) -> String {
    format!(
        "{number} is greater than the neighbourhood allows: a cell has {} neighbours",
        neighbourhood.size()
    )
}

/// Demands range 1.
fn range(digits: Text<'_>, place: usize) -> Result<(), Complaint> {
    match number(digits, place)? {
        1 => Ok(()),
        other => Err((
            digits.first().map_or(place, |(place, _)| *place),
            format!("only rules of range 1 are supported, not of range {other}"),
        )),
    }
}

/// The number of states after `C`; 0 and 1 mean two.
fn number_of_states(digits: Text<'_>, place: usize) -> Result<u16, Complaint> {
    match number(digits, place)? {
        0..=2 => Ok(2),
        states @ 3..=256 => Ok(states),
        other => Err((place, format!("a rule has 2 to 256 states, not {other}"))),
    }
}

fn read_neighbourhood(code: Text<'_>, place: usize) -> Result<Neighbourhood, Complaint> {
    let wanted = text_of(code).to_ascii_lowercase();
    NEIGHBOURHOODS.iter().find(|(code, _)| *code == wanted).map(|(_, found)| *found).ok_or_else(|| {
        let kind = match wanted.chars().next() {
            Some('w') => "weighted neighbourhoods (NW) are not supported; ",
            Some('g') => "Gaussian neighbourhoods (NG) are not supported; ",
            Some('@') => "neighbourhoods of one's own (N@) are not supported; ",
            _ => "",
        };
        let known: Vec<String> =
            NEIGHBOURHOODS.iter().map(|(code, _)| format!("N{}", code.to_ascii_uppercase())).collect();
        (place, format!("{kind}the neighbourhoods of range 1 are {}", known.join(" ")))
    })
}

/// `2`, `2-3` or `2..3`.
fn span(text: Text<'_>) -> Result<Span, Complaint> {
    let digits = text.iter().take_while(|(_, c)| c.is_ascii_digit()).count();
    let (first, rest) = text.split_at(digits);
    let from = number(first, text[0].0)?;
    let last = match rest {
        [] => return Ok((from, from, first[0].0)),
        [(_, '.'), (_, '.'), last @ ..] | [(_, '-'), last @ ..] => last,
        [(place, other), ..] => {
            return Err((*place, format!("'{other}' has no place in a range such as 2-3")));
        }
    };
    let place = last.first().or(rest.last()).map_or(0, |(place, _)| *place);
    Ok((from, number(last, place)?, place))
}

/// A number of digits only; `place` is complained about when there are none.
fn number(digits: Text<'_>, place: usize) -> Result<u16, Complaint> {
    if let Some((place, other)) = digits.iter().find(|(_, c)| !c.is_ascii_digit()) {
        return Err((*place, format!("'{other}' stands where a number should")));
    }
    let first = digits.first().map_or(place, |(place, _)| *place);
    text_of(digits).parse().map_err(|_| {
        let what = if digits.is_empty() { "a number is missing" } else { "this number is too large" };
        (first, what.to_owned())
    })
}
