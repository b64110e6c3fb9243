//! Every case of a law, asked once and kept as a table.

use super::expression::{COIN, Expression, PARITIES, View};
use super::text::Parts;
use super::{Complaint, MAX_SPECIES};
use crate::cell::{DEAD, State, state_name};
use crate::coin::Coin;
use crate::lattice::Neighbourhood;
use crate::rule::{Dependence, Site, Tie};

/// Neighbours by species.
type Counts = [u8; MAX_SPECIES as usize];

/// What becomes of a cell: the state for each outcome of the tosses (bit 0 of the index: the first toss).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Outcome {
    states: [State; 4],
    /// How many coins are tossed, 0 to 2.
    tosses: u8,
}

impl Outcome {
    const fn certain(state: State) -> Self {
        Self { states: [state; 4], tosses: 0 }
    }
}

/// The answers to all cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) depends_on: Dependence,
    species: State,
    /// Of the eight parities of x (1), y (2) and generation (4), one layer each; in a layer, the counts of the
    /// species are the digits of a number in base neighbours + 1, the cell's own state is its lowest digit.
    outcomes: Vec<Outcome>,
    /// Outcomes in a layer.
    layer: usize,
    /// Which bits of the parities choose a layer.
    parities: u8,
}

/// The number of a case within its layer.
fn index(species: State, neighbourhood: Neighbourhood, cell: State, counts: Counts) -> usize {
    let base = neighbourhood.size() + 1;
    counts[..usize::from(species)].iter().rev().fold(0, |index, &count| index * base + usize::from(count))
        * (usize::from(species) + 1)
        + usize::from(cell)
}

/// The number of the layer: the bits of `parities` that matter, moved together.
fn layer_of(parities: u8, mattering: u8) -> usize {
    (0..3)
        .filter(|bit| mattering >> bit & 1 == 1)
        .rev()
        .fold(0, |layer, bit| layer << 1 | usize::from(parities >> bit & 1))
}

impl Table {
    /// Asks the law for every case.
    pub(super) fn new(parts: &Parts) -> Result<Self, Complaint> {
        let law = Law::new(parts)?;
        let species = parts.species;
        let size = u8::try_from(parts.neighbourhood.size()).expect("a few neighbours");
        let all_counts: Vec<Counts> = (0..=size).flat_map(|total| shares(total, species)).collect();
        let layer = (usize::from(size) + 1).pow(u32::from(species)) * (usize::from(species) + 1);
        let named = law.named_parities();
        let mut layers: Vec<Vec<Outcome>> = Vec::new();
        for parities in (0..8).filter(|parities| parities & !named == 0) {
            let mut outcomes = vec![Outcome::default(); layer];
            for &counts in &all_counts {
                for cell in DEAD..=species {
                    let case = Case { cell, counts, parities };
                    outcomes[index(species, parts.neighbourhood, cell, counts)] = law.outcome(case)?;
                }
            }
            layers.push(outcomes);
        }
        Ok(Self::of_layers(parts, &layers, named))
    }

    /// Keeps what matters of the layers, one for each choice of the parities in `named`.
    fn of_layers(parts: &Parts, layers: &[Vec<Outcome>], named: u8) -> Self {
        let at = |parities: u8| &layers[layer_of(parities, named)];
        let matters = (0..3).map(|bit| 1 << bit).filter(|bit| named & bit != 0).fold(0, |mattering, bit| {
            let differs = (0..8).filter(|p| p & bit == 0).any(|p| at(p) != at(p | bit));
            if differs { mattering | bit } else { mattering }
        });
        let outcomes: Vec<Outcome> =
            (0..8).filter(|p| p & !matters == 0).flat_map(|p| at(p).iter().copied()).collect();
        let depends_on = Dependence {
            neighbourhood: parts.neighbourhood,
            parity_x: matters & 1 != 0,
            parity_y: matters & 2 != 0,
            parity_generation: matters & 4 != 0,
            coins: outcomes.iter().map(|outcome| u32::from(outcome.tosses)).max().unwrap_or(0),
            ..Dependence::counting(u16::from(parts.species) + 1)
        };
        Self { depends_on, species: parts.species, outcomes, layer: layers[0].len(), parities: matters }
    }

    /// What becomes of a cell.
    pub(super) fn next(&self, cell: State, counts: Counts, site: Site, coin: &mut Coin) -> State {
        let odd = |value: i64| u8::from(value & 1 == 1);
        let parities = odd(site.at.x) | odd(site.at.y) << 1 | u8::from(site.generation & 1 == 1) << 2;
        let case = index(self.species, self.depends_on.neighbourhood, cell, counts);
        let outcome = self.outcomes[layer_of(parities, self.parities) * self.layer + case];
        let tossed = (0..outcome.tosses).fold(0, |bits, toss| bits | usize::from(coin.toss()) << toss);
        outcome.states[tossed]
    }
}

/// All ways to share `total` neighbours, or fewer of them where cells are empty, exactly `total` living, among the
/// species.
fn shares(total: u8, species: State) -> Vec<Counts> {
    let mut shares = vec![[0; MAX_SPECIES as usize]];
    for s in 0..usize::from(species) {
        let last = s + 1 == usize::from(species);
        shares = shares
            .into_iter()
            .flat_map(|counts: Counts| {
                let rest = total - counts.iter().sum::<u8>();
                (if last { rest } else { 0 }..=rest).map(move |count| {
                    let mut counts = counts;
                    counts[s] = count;
                    counts
                })
            })
            .collect();
    }
    shares
}

/// One case, but for the coin.
#[derive(Clone, Copy)]
struct Case {
    cell: State,
    counts: Counts,
    parities: u8,
}

/// Who may have a cell, before ties are settled.
enum Claim {
    One(State),
    Several(Vec<State>),
}

/// A law with its expressions compiled.
struct Law<'a> {
    parts: &'a Parts,
    born: Option<Expression<'a>>,
    survive: Option<Expression<'a>>,
    take: Option<Expression<'a>>,
}

impl<'a> Law<'a> {
    fn new(parts: &'a Parts) -> Result<Self, Complaint> {
        let mut law = Self { parts, born: None, survive: None, take: None };
        for (keyword, clause) in parts.clauses() {
            let expression = Some(Expression::new(keyword, clause, parts.species)?);
            match keyword {
                "born" => law.born = expression,
                "survive" => law.survive = expression,
                _ => law.take = expression,
            }
        }
        Ok(law)
    }

    fn names(&self, variable: &str) -> bool {
        [&self.born, &self.survive, &self.take].into_iter().flatten().any(|e| e.names(variable))
    }

    /// The parities that the text speaks of, or that settle ties.
    fn named_parities(&self) -> u8 {
        let named = (0..3).filter(|&bit| self.names(PARITIES[bit])).fold(0, |named, bit| named | 1 << bit);
        if self.parts.tie == Some(Tie::Parity) { named | 0b11 } else { named }
    }

    /// What becomes of a cell in one case.
    fn outcome(&self, case: Case) -> Result<Outcome, Complaint> {
        let tails = self.settled(case, false)?;
        if !self.names(COIN) {
            return Ok(tails);
        }
        let heads = self.settled(case, true)?;
        if tails == heads {
            return Ok(tails);
        }
        let tosses = 1 + tails.tosses.max(heads.tosses);
        if tosses > 2 {
            let message = format!(
                "{}, a coin is tossed and four species are tied: that takes three coins, and two are the most",
                self.describe(case, None)
            );
            return Err((self.claimed_by(case).start(), message));
        }
        let [a, b] = [tails.states, heads.states];
        Ok(Outcome { states: [a[0], b[0], a[1], b[1]], tosses })
    }

    /// What becomes of a cell once ties are settled.
    fn settled(&self, case: Case, coin: bool) -> Result<Outcome, Complaint> {
        let claim = self.claim(case, coin)?;
        let tied = match claim {
            Claim::One(state) => return Ok(Outcome::certain(state)),
            Claim::Several(tied) => tied,
        };
        let nth = |n: usize| tied.get(n).copied().unwrap_or(DEAD);
        let refused = |advice: &str| Err((self.claimed_by(case).start(), self.tied(case, &tied, advice)));
        match (self.parts.tie, tied.len()) {
            (None, 2 | 4) => refused("say tie coin, tie parity, tie none, or tie 1"),
            (None, _) => refused("say tie none, or tie 1"),
            (Some(Tie::Species(winner)), _) => Ok(Outcome::certain(winner)),
            (Some(Tie::NoBirth), _) if case.cell == DEAD => Ok(Outcome::certain(DEAD)),
            (Some(Tie::NoBirth), _) => self.survivor(case, coin).map(Outcome::certain),
            (Some(Tie::Coin), 2) => Ok(Outcome { states: [nth(0), nth(1), nth(0), nth(1)], tosses: 1 }),
            (Some(Tie::Coin), 4) => Ok(Outcome { states: [0, 1, 2, 3].map(nth), tosses: 2 }),
            (Some(Tie::Coin | Tie::Parity), 3) => {
                refused("a coin or a parity can't choose one of three; say tie none, or tie 1")
            }
            (Some(Tie::Coin | Tie::Parity), _) => {
                // As of coloured Life: of two, x + y decides; of four, y too.
                let [x, y] = [case.parities & 1, case.parities >> 1 & 1].map(usize::from);
                Ok(Outcome::certain(nth((x ^ y) + if tied.len() == 4 { 2 * y } else { 0 })))
            }
        }
    }

    /// Who may have the cell.
    fn claim(&self, case: Case, coin: bool) -> Result<Claim, Complaint> {
        let expression = if case.cell == DEAD { &self.born } else { &self.take };
        let mut claiming = Vec::new();
        if let Some(expression) = expression {
            for species in (1..=self.parts.species).filter(|&species| species != case.cell) {
                if self.holds(expression, species, case, coin)? {
                    claiming.push(species);
                }
            }
        }
        Ok(match claiming[..] {
            [] if case.cell == DEAD => Claim::One(DEAD),
            [] => Claim::One(self.survivor(case, coin)?),
            [species] => Claim::One(species),
            _ => Claim::Several(claiming),
        })
    }

    /// A living cell that nobody takes.
    fn survivor(&self, case: Case, coin: bool) -> Result<State, Complaint> {
        let survives = match &self.survive {
            Some(expression) => self.holds(expression, case.cell, case, coin)?,
            None => false,
        };
        Ok(if survives { case.cell } else { DEAD })
    }

    fn holds(
        &self,
        expression: &Expression<'_>,
        species: State,
        case: Case,
        coin: bool,
    ) -> Result<bool, Complaint> {
        let Case { cell, counts, parities } = case;
        let view = View { species, cell, counts, parities, coin };
        expression.value(self.parts.species, view, || self.describe(case, Some(species)))
    }

    /// The expression by which species come to have this cell.
    fn claimed_by(&self, case: Case) -> &Expression<'a> {
        let expression = if case.cell == DEAD { &self.born } else { &self.take };
        expression.as_ref().expect("only a clause makes a claim")
    }

    /// What is said of a tie.
    fn tied(&self, case: Case, tied: &[State], advice: &str) -> String {
        let names: Vec<String> = tied.iter().map(|&species| self.name(species)).collect();
        let (both, all) =
            if case.cell == DEAD { ("are born", "are born") } else { ("take the cell", "take the cell") };
        match &names[..] {
            [one, two] => format!("{} both {one} and {two} {both}; {advice}", self.describe(case, None)),
            names => format!("{} {} {all} at once; {advice}", self.describe(case, None), listed(names)),
        }
    }

    fn name(&self, state: State) -> String {
        state_name(state, u16::from(self.parts.species) + 1)
    }

    /// A case in words: `with 3 white and 3 black neighbours`.
    fn describe(&self, case: Case, asked: Option<State>) -> String {
        let counts: Vec<String> = (1..=self.parts.species)
            .zip(case.counts)
            .map(|(species, count)| format!("{count} {}", self.name(species)))
            .collect();
        let mut text = format!("with {} neighbours", listed(&counts));
        if case.cell != DEAD {
            text = format!("{text} of a {} cell", self.name(case.cell));
        }
        for (bit, name) in PARITIES.into_iter().enumerate().filter(|(_, name)| self.names(name)) {
            text = format!("{text}, {name} {}", if case.parities >> bit & 1 == 1 { "odd" } else { "even" });
        }
        match asked {
            Some(species) if species != case.cell && self.parts.species > 1 => {
                format!("{text}, for {}", self.name(species))
            }
            _ => text,
        }
    }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
