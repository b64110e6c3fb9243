//! `B3/S23` in all its forms, with letters after digits, a neighbourhood at the end and a number of states.

use super::hensel::Letters;
use super::hrot::greater;
use super::write::{DIGITS, suffixes};
use super::{Complaint, Text, text_of};
use crate::lattice::Neighbourhood;
use crate::rule::condition::Condition;
use crate::text::quoted;

/// Reads a condition and the number of states; the text ends at `end`.
pub(super) fn read(whole: Text<'_>, end: usize) -> Result<(Condition, u16), Complaint> {
    if let Some(complaint) = with_memory(whole) {
        return Err(complaint);
    }
    if is_name(whole) {
        return Err((
            whole[0].0,
            format!(
                "no rule is called {:?}; `biota rules` lists the names, and B3/S23 is the form of the others",
                quoted(&text_of(whole))
            ),
        ));
    }
    if let Some((place, suffix)) = unknown_suffix(whole) {
        return Err((
            place,
            format!(
                "no suffix is called {:?}; there are Immigration, QuadLife, Symbiosis, DeadlyEnemies, and the \
                 neighbourhoods V, NX, H, HT, L, …",
                quoted(&suffix)
            ),
        ));
    }
    let (text, first) = leading_states(whole)?;
    let (text, neighbourhood) = split_neighbourhood(text);
    let (text, last) = trailing_states(text, end)?;
    // The neighbourhood may stand before the number of states, too.
    let (text, neighbourhood) = match neighbourhood {
        Some(_) => (text, neighbourhood),
        None => split_neighbourhood(text),
    };
    if let (Some(_), Some((_, place))) = (first, last) {
        return Err((place, "only one number of states is allowed".to_owned()));
    }
    let states = first.or(last).map_or(2, |(states, _)| states);
    let reader = Reader::new(text, neighbourhood.unwrap_or_default());
    Ok((reader.read(end)?, states))
}

/// What other programs append to a rule whose cells are to remember more than those of `[R]History`.
const MEMORIES: [&str; 2] = ["super", "investigator"];

/// What to say of such a rule.
fn with_memory(text: Text<'_>) -> Option<Complaint> {
    let lower = text_of(text).to_ascii_lowercase();
    let memory = MEMORIES.iter().find(|memory| lower.ends_with(**memory))?;
    let (rule, memory) = text.split_at(text.len() - memory.len());
    let itself = match text_of(rule) {
        rule if rule.is_empty() => String::new(),
        rule => format!("; the rule itself is {}", quoted(&rule)),
    };
    let memory_name = text_of(memory);
    let offer = "; a pattern is opened by --as-life, its odd states alive";
    Some((memory[0].0, format!("cells that remember ({memory_name}) are not supported{itself}{offer}")))
}

/// Whether a text is meant as a name: three letters begin no other rule, but those that are digits on triangles.
fn is_name(text: Text<'_>) -> bool {
    text.len() > 3
        && text[..3].iter().all(|(_, c)| c.is_alphabetic())
        && text[..3].iter().any(|(_, c)| !"bsxyzac".contains(c.to_ascii_lowercase()))
        && !matches!(
            (text[0].1.to_ascii_lowercase(), text[1].1.to_ascii_lowercase()),
            ('b', 's') | ('s', 'b')
        )
}

/// A word at the end that is neither letters after a digit nor a neighbourhood: other programs have rules such as
/// `B3/S23Energetic`.
fn unknown_suffix(text: Text<'_>) -> Option<(usize, String)> {
    let letters = text.iter().rev().take_while(|(_, c)| c.is_alphabetic()).count();
    let word = &text[text.len() - letters..];
    let (rest, _) = split_neighbourhood(word);
    let is_known = |c: char| "BSXCEKAINYQJRTWZOMP".contains(c.to_ascii_uppercase());
    (letters > 2 && !rest.iter().all(|(_, c)| is_known(*c))).then(|| (word[0].0, text_of(word)))
}

const fn is_slash(character: char) -> bool {
    matches!(character, '/' | '_')
}

/// A number of states and where it stands.
type States = (u16, usize);

/// Reads a number of states, which must not be empty.
pub(super) fn states(digits: Text<'_>, end: usize) -> Result<States, Complaint> {
    let place = digits.first().map_or(end, |(place, _)| *place);
    if let Some((place, other)) = digits.iter().find(|(_, c)| !c.is_ascii_digit()) {
        return Err((*place, format!("'{other}' has no place in the number of states")));
    }
    match text_of(digits).parse() {
        Ok(states @ 2..=256) => Ok((states, place)),
        _ => Err((place, "a rule has 2 to 256 states".to_owned())),
    }
}

/// Splits `G4/` or `C4/` off the beginning.
fn leading_states(text: Text<'_>) -> Result<(Text<'_>, Option<States>), Complaint> {
    let [(_, 'g' | 'G' | 'c' | 'C'), rest @ ..] = text else {
        return Ok((text, None));
    };
    let digits = rest.iter().take_while(|(_, c)| c.is_ascii_digit()).count();
    if digits == 0 {
        return Ok((text, None));
    }
    let (digits, rest) = rest.split_at(digits);
    let rest = rest.strip_prefix_if(is_slash);
    Ok((rest, Some(states(digits, digits[0].0)?)))
}

/// Splits `/4`, `/C4`, `/G4` or `G4` off the end.
fn trailing_states(text: Text<'_>, end: usize) -> Result<(Text<'_>, Option<States>), Complaint> {
    if let Some(at) = text.iter().rposition(|(_, c)| c.eq_ignore_ascii_case(&'g')) {
        let before = &text[..at];
        let before = match before {
            [before @ .., (_, slash)] if is_slash(*slash) => before,
            _ => before,
        };
        return Ok((before, Some(states(&text[at + 1..], end)?)));
    }
    let slashes = text.iter().filter(|(_, c)| is_slash(*c)).count();
    let Some(at) = text.iter().rposition(|(_, c)| is_slash(*c)) else {
        return Ok((text, None));
    };
    let (before, after) = (&text[..at], &text[at + 1..]);
    if let [(_, 'c' | 'C'), digits @ ..] = after {
        return Ok((before, Some(states(digits, end)?)));
    }
    let named = |letter: char| before.iter().any(|(_, c)| c.eq_ignore_ascii_case(&letter));
    let numeric = after.iter().all(|(_, c)| c.is_ascii_digit());
    if numeric && (slashes > 1 || (!after.is_empty() && named('b') && named('s'))) {
        return Ok((before, Some(states(after, end)?)));
    }
    Ok((text, None))
}

/// Splits the letter of a neighbourhood off the end.
fn split_neighbourhood(text: Text<'_>) -> (Text<'_>, Option<Neighbourhood>) {
    for (suffix, neighbourhood) in suffixes() {
        if let Some(at) = text.len().checked_sub(suffix.len())
            && text_of(&text[at..]).eq_ignore_ascii_case(suffix)
        {
            return (&text[..at], Some(neighbourhood));
        }
    }
    (text, None)
}

/// Takes one character off the beginning if it is wanted.
trait StripPrefix {
    fn strip_prefix_if(&self, wanted: impl Fn(char) -> bool) -> &Self;
}

impl StripPrefix for [(usize, char)] {
    fn strip_prefix_if(&self, wanted: impl Fn(char) -> bool) -> &Self {
        match self {
            [(_, first), rest @ ..] if wanted(*first) => rest,
            _ => self,
        }
    }
}

/// Which numbers the digits belong to.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// No letter yet: survivals before the slash, births after it.
    Unlabelled,
    Births,
    Survivals,
}

/// What stands after one digit.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Letters,
    AllBut,
}

/// The numbers of one part: for each the classes that are in it, as bits, and how they were given.
#[derive(Default)]
struct Numbers {
    classes: [u16; DIGITS.len()],
    forms: [Option<Form>; DIGITS.len()],
}

/// A rule without its neighbourhood and number of states.
struct Reader<'a> {
    text: Text<'a>,
    neighbourhood: Neighbourhood,
    letters: Option<&'static Letters>,
    /// Where the letters B and S stand; on triangles `b` may also be a digit.
    labels: [Option<usize>; 2],
    births: Numbers,
    survivals: Numbers,
    part: Part,
    slash: Option<usize>,
}

impl<'a> Reader<'a> {
    fn new(text: Text<'a>, neighbourhood: Neighbourhood) -> Self {
        let label = |letter: char| {
            let hits = || (0..text.len()).filter(move |&at| text[at].1.eq_ignore_ascii_case(&letter));
            hits().find(|&at| at == 0 || is_slash(text[at - 1].1)).or_else(|| hits().next())
        };
        Self {
            text,
            neighbourhood,
            letters: Letters::of(neighbourhood),
            labels: [label('b'), label('s')],
            births: Numbers::default(),
            survivals: Numbers::default(),
            part: Part::Unlabelled,
            slash: None,
        }
    }

    fn read(mut self, end: usize) -> Result<Condition, Complaint> {
        let mut at = 0;
        while let Some(&(place, character)) = self.text.get(at) {
            if self.labels.contains(&Some(at)) {
                self.label(character)?;
            } else if is_slash(character) {
                self.slash(at)?;
            } else if let Some(number) = self.number(character) {
                if number > self.neighbourhood.size() {
                    return Err((place, greater(character, self.neighbourhood)));
                }
                at = self.digit(number, at)?;
                continue;
            } else {
                return Err((place, self.unknown(at, character)));
            }
            at += 1;
        }
        if self.labels == [None; 2] && self.slash.is_none() {
            return Err((end, "a rule needs a slash, B or S, as in B3/S23 or 23/3".to_owned()));
        }
        let condition = self.condition();
        match self.slash {
            Some(at) if self.text[at].1 == '_' && !self.has_letters() => Err((
                self.text[at].0,
                "an underscore is not valid in a rule that only counts neighbours; use /".to_owned(),
            )),
            _ => Ok(condition),
        }
    }

    /// B or S.
    fn label(&mut self, letter: char) -> Result<(), Complaint> {
        let letter = letter.to_ascii_uppercase();
        // Without a letter so far, what came before the slash was taken for survivals.
        let unlabelled =
            [&self.births, &self.survivals].map(|numbers| numbers.classes.iter().any(|c| *c != 0));
        if self.part == Part::Unlabelled && self.slash.is_some() && unlabelled == [false, true] {
            if letter == 'S' {
                std::mem::swap(&mut self.births, &mut self.survivals);
            }
        } else if self.part == Part::Unlabelled && unlabelled != [false; 2] {
            return Err((
                self.text[0].0,
                format!("these digits need a letter, since {letter} has one: B (births) or S (survivals)"),
            ));
        }
        self.part = if letter == 'B' { Part::Births } else { Part::Survivals };
        Ok(())
    }

    fn slash(&mut self, at: usize) -> Result<(), Complaint> {
        if self.slash.is_some() {
            return Err((
                self.text[at].0,
                "only one slash is allowed, and one more before a number of states: B3/S23, 345/2/4"
                    .to_owned(),
            ));
        }
        self.slash = Some(at);
        // Without letters the survivals come first, the births after the slash.
        self.part = match self.part {
            Part::Births => Part::Survivals,
            Part::Survivals => Part::Births,
            Part::Unlabelled => Part::Unlabelled,
        };
        Ok(())
    }

    /// The number that a character stands for: on triangles also x, y, z or a, b, c for 10, 11, 12.
    fn number(&self, character: char) -> Option<usize> {
        let lower = character.to_ascii_lowercase();
        match lower {
            '0'..='9' => DIGITS.iter().position(|digit| *digit == lower),
            _ if self.neighbourhood.size() < 10 => None,
            'a'..='c' => "abc".find(lower).map(|n| n + 10),
            _ => DIGITS.iter().position(|digit| *digit == lower),
        }
    }

    /// Takes in the digit at `at` with the letters after it; gives where the next character stands.
    fn digit(&mut self, number: usize, at: usize) -> Result<usize, Complaint> {
        let mut next = at + 1;
        let minus = self.text.get(next).filter(|(_, c)| *c == '-').map(|(place, _)| *place);
        if let Some(place) = minus {
            next += 1;
            if self.letters.is_none() {
                return Err((place, NO_LETTERS.to_owned()));
            }
        }
        let (mut named, all) = (0, self.letters.map_or(1, |letters| letters.all(number)));
        if let Some(letters) = self.letters {
            while let Some(&(place, letter)) = self.text.get(next)
                && letters.has(letter.to_ascii_lowercase())
            {
                named |= letters.read(number, (place, letter))?;
                next += 1;
            }
        }
        let form = match (minus, named) {
            (Some(place), 0) => {
                // A letter that no number has.
                if let (Some(letters), Some(&(place, letter))) = (self.letters, self.text.get(next))
                    && letter.is_alphabetic()
                    && !self.labels.contains(&Some(next))
                {
                    letters.read(number, (place, letter))?;
                }
                return Err((place, "after a minus come the letters that are left out".to_owned()));
            }
            (Some(_), _) => Some(Form::AllBut),
            (None, 0) => None,
            (None, _) => Some(Form::Letters),
        };
        let numbers = match (self.part, self.slash) {
            (Part::Births, _) | (Part::Unlabelled, Some(_)) => &mut self.births,
            (Part::Survivals, _) | (Part::Unlabelled, None) => &mut self.survivals,
        };
        if let (Some(one), Some(other)) = (numbers.forms[number], form)
            && one != other
        {
            return Err((
                self.text[at].0,
                format!("{number} can't be given both with letters and with a minus and letters"),
            ));
        }
        // A digit that is also given by itself keeps its letters, as in Golly.
        let classes = match (numbers.forms[number], form) {
            (Some(_), None) => return Ok(next),
            (None, None) => all,
            (_, Some(Form::Letters)) => named,
            (_, Some(Form::AllBut)) => all & !named,
        };
        if numbers.forms[number].is_none() {
            numbers.classes[number] = 0;
        }
        numbers.classes[number] |= classes;
        numbers.forms[number] = numbers.forms[number].or(form);
        Ok(next)
    }

    fn has_letters(&self) -> bool {
        [&self.births, &self.survivals].iter().any(|numbers| numbers.forms.iter().any(Option::is_some))
    }

    fn condition(&self) -> Condition {
        if let Some(letters) = self.letters.filter(|_| self.has_letters()) {
            return letters.condition(&self.births.classes, &self.survivals.classes);
        }
        let counts = |numbers: &Numbers| {
            numbers.classes.iter().enumerate().fold(0u16, |set, (n, c)| set | u16::from(*c != 0) << n)
        };
        Condition::counting(self.neighbourhood, counts(&self.births), counts(&self.survivals))
    }

    /// What to say of a character that begins nothing known.
    fn unknown(&self, at: usize, character: char) -> String {
        let upper = character.to_ascii_uppercase();
        let after_digit = at > 0 && self.text[at - 1].1.is_ascii_digit();
        match upper {
            'B' | 'S' => format!("only one {upper} is allowed"),
            '-' => "a minus can only follow a digit".to_owned(),
            'H' | 'V' | 'L' => "the neighbourhood must be at the end of the rule".to_owned(),
            _ if after_digit && "CEKAINYQJRTWZOMP".contains(upper) => NO_LETTERS.to_owned(),
            _ => format!("'{character}' has no place in a rule such as B3/S23"),
        }
    }
}

/// What to say of letters where there are none.
const NO_LETTERS: &str =
    "letters after digits are only for Moore's neighbourhood (Hensel's) and the hexagonal one (o, m, p)";
