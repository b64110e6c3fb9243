//! The frame of a law: head, braces, clauses and topology, each with its place in the text; and the canonical text.
//!
//! What an expression says is not known here.

use super::{Complaint, MAX_SPECIES};
use crate::board::Topology;
use crate::cell::State;
use crate::lattice::Neighbourhood;
use crate::rule::Tie;

/// The longest law, in characters: the depth that an expression can nest to is bounded by it too.
const MAX_LENGTH: usize = 4000;

/// What a law looks like, for errors.
const EXAMPLE: &str = "law 2 { born own == 3; survive own in 2..=3; tie coin }";

/// Names of the neighbourhoods, as in rule strings and in words; the first of each is the canonical one.
const NEIGHBOURHOODS: [(&str, Neighbourhood); 18] = [
    ("moore", Neighbourhood::Moore),
    ("m", Neighbourhood::Moore),
    ("v", Neighbourhood::VonNeumann),
    ("vonneumann", Neighbourhood::VonNeumann),
    ("nx", Neighbourhood::Diagonal),
    ("diagonal", Neighbourhood::Diagonal),
    ("h", Neighbourhood::Hexagonal),
    ("hexagonal", Neighbourhood::Hexagonal),
    ("ht", Neighbourhood::Tripod),
    ("tripod", Neighbourhood::Tripod),
    ("l", Neighbourhood::Triangular),
    ("triangular", Neighbourhood::Triangular),
    ("le", Neighbourhood::TriangularEdges),
    ("lv", Neighbourhood::TriangularVertices),
    ("li", Neighbourhood::TriangularInner),
    ("lo", Neighbourhood::TriangularOuter),
    ("lb", Neighbourhood::TriangularB),
    ("lr", Neighbourhood::TriangularR),
];

/// A clause that is an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clause {
    /// Its text in lower case, as it stands between the keyword and the next semicolon; a blank for each `~`.
    pub(super) text: String,
    /// Where that begins in the law's text, in characters.
    pub(super) start: usize,
}

/// A law taken apart.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    /// 1 to [`MAX_SPECIES`].
    pub(super) species: u8,
    pub(super) born: Option<Clause>,
    pub(super) survive: Option<Clause>,
    pub(super) take: Option<Clause>,
    pub(super) tie: Option<Tie>,
    pub(super) neighbourhood: Neighbourhood,
    pub(super) topology: Topology,
}

impl Parts {
    /// The clauses that are expressions, by keyword, in their canonical order.
    pub(super) fn clauses(&self) -> impl Iterator<Item = (&'static str, &Clause)> {
        [("born", &self.born), ("survive", &self.survive), ("take", &self.take)]
            .into_iter()
            .filter_map(|(keyword, clause)| clause.as_ref().map(|clause| (keyword, clause)))
    }

    /// The text of the law without blanks, colons and topology.
    pub(super) fn canonical(&self) -> String {
        let mut clauses: Vec<String> =
            self.clauses().map(|(keyword, clause)| format!("{keyword}={}", tight(&clause.text))).collect();
        clauses.extend(self.tie.map(|tie| format!("tie={tie}")));
        if self.neighbourhood != Neighbourhood::Moore
            && let Some((name, _)) = NEIGHBOURHOODS.iter().find(|(_, n)| *n == self.neighbourhood)
        {
            clauses.push(format!("neighbourhood={name}"));
        }
        format!("law{}{{{}}}", self.species, clauses.join(";"))
    }
}

/// An expression without blanks; `~` stands where words or operators would run together.
fn tight(text: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let stands_alone = |c: char| matches!(c, '(' | ')' | '[' | ']' | ',');
    let mut written = String::new();
    for piece in text.split_whitespace() {
        if let (Some(before), Some(after)) = (written.chars().last(), piece.chars().next()) {
            let run_together = if is_word(before) || is_word(after) {
                is_word(before) && is_word(after)
            } else {
                // `a < -1` and `a - -1` are not `a<-1` and `a--1`; `a && !b` may be `a&&!b`.
                !stands_alone(before) && !stands_alone(after) && after != '!'
            };
            if run_together {
                written.push('~');
            }
        }
        written.push_str(piece);
    }
    written
}

/// The characters of a law in lower case, read from left to right.
struct Reader {
    characters: Vec<char>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        self.read_while(char::is_whitespace);
    }

    fn read_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        self.characters[start..self.at].iter().collect()
    }
}

/// Takes a law apart.
pub(super) fn split(text: &str) -> Result<Parts, Complaint> {
    let characters: Vec<char> =
        text.chars().map(|c| if c == '~' { ' ' } else { c.to_ascii_lowercase() }).collect();
    if characters.len() > MAX_LENGTH {
        return Err((MAX_LENGTH, format!("a law has at most {MAX_LENGTH} characters")));
    }
    if let Some(at) = characters.iter().position(|c| c.is_control()) {
        return Err((at, "a rule string is one line of visible characters".to_owned()));
    }
    let mut reader = Reader { characters, at: 0 };
    let species = head(&mut reader)?;
    let open = reader.at;
    let Some(length) = reader.characters[open..].iter().position(|&c| c == '}') else {
        return Err((reader.characters.len(), "the closing } of the law is missing".to_owned()));
    };
    let close = open + length;
    if let Some(at) = (open..close).find(|&at| reader.characters[at] == '{') {
        return Err((at, "a brace has no place in a clause: there are only expressions".to_owned()));
    }
    let topology = suffix(&mut reader, close + 1)?;
    reader.characters.truncate(close);
    let mut parts = Parts {
        species,
        born: None,
        survive: None,
        take: None,
        tie: None,
        neighbourhood: Neighbourhood::Moore,
        topology,
    };
    clauses(&mut reader, open, &mut parts)?;
    if parts.clauses().next().is_none() {
        return Err((close, format!("the law says nothing: try {EXAMPLE}")));
    }
    Ok(parts)
}

/// Reads `law 2 {`, and gives the number of species.
fn head(reader: &mut Reader) -> Result<u8, Complaint> {
    reader.skip_blanks();
    // The word is there: laws are known by it.
    reader.at += "law".len();
    reader.skip_blanks();
    let place = reader.at;
    let digits = reader.read_while(|c| c.is_ascii_digit());
    let species = match digits.as_str() {
        "" => 2,
        digits => digits
            .parse()
            .ok()
            .filter(|species| (1..=MAX_SPECIES).contains(species))
            .ok_or_else(|| (place, format!("a law has 1 to {MAX_SPECIES} species")))?,
    };
    reader.skip_blanks();
    if reader.peek() != Some('{') {
        return Err((reader.at, format!("the clauses of a law stand in braces: {EXAMPLE}")));
    }
    reader.at += 1;
    Ok(species)
}

/// Reads the topology from `start`, behind the closing brace, on.
fn suffix(reader: &mut Reader, start: usize) -> Result<Topology, Complaint> {
    reader.at = start;
    reader.skip_blanks();
    match reader.peek() {
        None => Ok(Topology::Unbounded),
        Some(':') => {
            let places: Vec<usize> = (reader.at + 1..reader.characters.len())
                .filter(|&at| !reader.characters[at].is_whitespace())
                .collect();
            let text: String = places.iter().map(|&at| reader.characters[at]).collect();
            Topology::parse(&text)
                .map_err(|e| (places.get(e.at).copied().unwrap_or(reader.characters.len()), e.message))
        }
        Some(_) => {
            Err((reader.at, "after a law's } comes nothing, or the topology, as in :T200,200".to_owned()))
        }
    }
}

/// Reads the clauses from `start` to the end of the reader's characters.
fn clauses(reader: &mut Reader, start: usize, parts: &mut Parts) -> Result<(), Complaint> {
    reader.at = start;
    let (mut tie_named, mut neighbourhood_named) = (false, false);
    loop {
        reader.skip_blanks();
        match reader.peek() {
            None => return Ok(()),
            Some(';') => {
                reader.at += 1;
                continue;
            }
            Some(_) => (),
        }
        let place = reader.at;
        let keyword = reader.read_while(|c| c.is_ascii_alphanumeric() || c == '_');
        reader.skip_blanks();
        if reader.peek() == Some('=') && reader.characters.get(reader.at + 1) != Some(&'=') {
            reader.at += 1;
            reader.skip_blanks();
        }
        let value = Clause { start: reader.at, text: reader.read_while(|c| c != ';').trim_end().to_owned() };
        let named_before = match keyword.as_str() {
            "born" | "birth" => parts.born.replace(checked(value)?).is_some(),
            "survive" | "survives" => parts.survive.replace(checked(value)?).is_some(),
            "take" | "takes" => parts.take.replace(checked(value)?).is_some(),
            "tie" => {
                parts.tie = Some(tie(&value, parts.species)?);
                std::mem::replace(&mut tie_named, true)
            }
            "neighbourhood" | "neighborhood" => {
                parts.neighbourhood = neighbourhood(&value)?;
                std::mem::replace(&mut neighbourhood_named, true)
            }
            _ => {
                let message = "a clause begins with born, survive, take, tie or neighbourhood".to_owned();
                return Err((place, message));
            }
        };
        if named_before {
            return Err((
                place,
                format!("only one {keyword} is allowed; join conditions by || (or) and && (and)"),
            ));
        }
    }
}

/// Looks whether an expression is there, and made of what expressions are made of.
fn checked(clause: Clause) -> Result<Clause, Complaint> {
    if clause.text.is_empty() {
        return Err((clause.start, "an expression is missing, such as own == 3".to_owned()));
    }
    let known = |c: char| c.is_ascii_alphanumeric() || c == ' ' || "_+-*/%<>=!&|()[],.^".contains(c);
    if let Some((at, c)) = clause.text.chars().enumerate().find(|&(_, c)| !known(c)) {
        let hint = match c {
            '≥' => "; say >=",
            '≤' => "; say <=",
            '≠' => "; say !=",
            '−' => "; say -",
            '{' | '#' => "; comments and braces have no place in a clause",
            ':' => "; a colon begins the topology, behind the closing brace",
            _ => "",
        };
        return Err((clause.start + at, format!("'{c}' has no place in an expression{hint}")));
    }
    for comment in ["//", "/*"] {
        if let Some(at) = clause.text.find(comment) {
            return Err((clause.start + at, "comments are for files of laws, and begin with #".to_owned()));
        }
    }
    Ok(clause)
}

fn tie(value: &Clause, species: u8) -> Result<Tie, Complaint> {
    match value.text.as_str() {
        "coin" => Ok(Tie::Coin),
        "parity" => Ok(Tie::Parity),
        "none" => Ok(Tie::NoBirth),
        number => match number.parse::<State>() {
            Ok(winner) if (1..=species).contains(&winner) => Ok(Tie::Species(winner)),
            _ => Err((
                value.start,
                format!("a tie is settled by coin, parity, none, or a species, 1 to {species}"),
            )),
        },
    }
}

fn neighbourhood(value: &Clause) -> Result<Neighbourhood, Complaint> {
    let wanted: String = value.text.chars().filter(char::is_ascii_alphanumeric).collect();
    NEIGHBOURHOODS.iter().find(|(name, _)| *name == wanted).map(|&(_, found)| found).ok_or_else(|| {
        let names = "moore, v (von Neumann), nx (diagonal), h, ht, l, le, lv, li, lo, lb or lr";
        (value.start, format!("a neighbourhood is one of {names}"))
    })
}
