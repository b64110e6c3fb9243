//! Rules for any situation, made of random numbers instead of text: what no rule string can say, such as a decision diagram
//! of three neighbours that tosses two coins, can be said by a [`Ruleset`], and has to be stepped as well.
//!
//! A rule of this kind is life of one or two species that leads to ageing cells, with births and survivals by chance. It
//! reads every coin and every parity that it declares. Cells among cells of their own kind neither toss nor look at where
//! they are, so that it can run on the unbounded plane. There is no text to read it from again: its case has a number.

use super::random::Random;
use super::schedule::Group;
use super::situation::{KernelKind, Situation};
use crate::board::Topology;
use crate::cell::{DEAD, State};
use crate::coin::{Coin, philox4x32_10};
use crate::lattice::Neighbours;
use crate::rule::circuit::MAX_STATES;
use crate::rule::{Alternating, Dependence, Rule, Ruleset, Site, parse};

/// Rules that are compiled with the program: those without coins, and that with one.
const PRECOMPILED: [&[&str]; 2] = [
    &["B3/S23", "B36/S23", "B3678/S34678", "B2/S", "/2/3", "B3/S23Immigration", "B3/S23QuadLife"],
    &["P2Life"],
];
/// Those of them that have the same circuit where they declare parities that don't matter to them.
const PADDED: [&str; 2] = ["B3/S23", "B2/S"];
/// The most cases of a rule in which it matters where neighbours stand: as gates, and as a diagram.
const MOST_ARRANGED: [u64; 2] = [1 << 12, 1 << 17];
/// With so many living neighbours every coin and parity matters.
const PIVOT: u32 = 2;

/// The rule of a group, on the unbounded plane.
pub(super) fn draw(group: &Group, random: &mut Random) -> Rule {
    let Situation { kernel, coins, place, generation, alternates, .. } = group.rule;
    if kernel == KernelKind::Precompiled {
        let is_padded = place || generation;
        let text = random.choice(if is_padded { &PADDED } else { PRECOMPILED[coins as usize] });
        let rule = parse(text).expect("a rule string");
        // In turn with itself a rule is the same rule, and a rule string would say so.
        return match (alternates, is_padded) {
            (true, _) => in_turn(
                &Rule::custom(text, Padded { rule: rule.clone(), place, generation: false }, rule.topology()),
                &rule,
            ),
            (false, true) => Rule::custom(text, Padded { rule, place, generation }, Topology::Unbounded),
            (false, false) => rule,
        };
    }
    let one = Synthetic::draw(group, random);
    if !alternates {
        return Rule::custom(&one.name(), one, Topology::Unbounded);
    }
    // What is declared may come from either half or from both; the second one is a variation of the first.
    let mut two = Synthetic { key: key(random), ..one };
    let mut first = one;
    if random.one_of(2) {
        two.depends_on.coins = u32::try_from(random.below(u64::from(coins) + 1)).expect("at most two");
    }
    if place && random.one_of(2) {
        (two.depends_on.parity_x, two.depends_on.parity_y) = (false, false);
    }
    (first.depends_on.parity_generation, two.depends_on.parity_generation) = (false, random.one_of(2));
    two.births &= random.one_of(2);
    if random.one_of(2) {
        (first, two) = (two, first);
    }
    let [even, odd] = [first, two].map(|half| Rule::custom(&half.name(), half, Topology::Unbounded));
    in_turn(&even, &odd)
}

/// Two rules in turn.
fn in_turn(even: &Rule, odd: &Rule) -> Rule {
    let turns = Alternating::new(even, odd).expect("they have the same states and neighbours");
    Rule::custom(&format!("{}|{}", even.name(), odd.name()), turns, Topology::Unbounded)
}

/// A rule that declares parities which don't matter to it. Its circuit is the same, but it is stepped as if they did.
struct Padded {
    rule: Rule,
    place: bool,
    generation: bool,
}

impl Ruleset for Padded {
    fn depends_on(&self) -> Dependence {
        let own = self.rule.depends_on();
        Dependence {
            parity_x: self.place,
            parity_y: self.place,
            parity_generation: self.generation || own.parity_generation,
            ..own
        }
    }
    fn empty_cell_next(&self, neighbours: &Neighbours, site: Site, coin: &mut Coin) -> State {
        self.rule.ruleset().empty_cell_next(neighbours, site, coin)
    }
    fn occupied_cell_next(
        &self,
        neighbours: &Neighbours,
        value: State,
        site: Site,
        coin: &mut Coin,
    ) -> State {
        self.rule.ruleset().occupied_cell_next(neighbours, value, site, coin)
    }
}

/// A rule by chance.
#[derive(Clone, Copy)]
struct Synthetic {
    depends_on: Dependence,
    births: bool,
    key: [u32; 2],
}

fn key(random: &mut Random) -> [u32; 2] {
    let drawn = random.next();
    [crate::coin::low32(drawn), crate::coin::low32(drawn >> 32)]
}

impl Synthetic {
    fn draw(group: &Group, random: &mut Random) -> Self {
        let Situation { kernel, coins, place, generation, neighbourhood, .. } = group.rule;
        let species = 1 + random.below(2);
        let is_diagram = kernel == KernelKind::Diagram;
        // Past the states that circuits are made for there are diagrams.
        let ages = if is_diagram {
            u64::from(MAX_STATES) + random.below(24)
        } else if random.one_of(3) {
            random.below(4)
        } else {
            0
        };
        let seen_states = u16::try_from(1 + species).expect("few");
        let states = u16::try_from(1 + species + ages).expect("few");
        let neighbours = u32::try_from(neighbourhood.size()).expect("few");
        let parities = u32::from(place) * 2 + u32::from(generation);
        let cases = (u64::from(seen_states).pow(neighbours) * u64::from(states)) << (parities + coins);
        let arrangement = cases <= MOST_ARRANGED[usize::from(is_diagram)] && random.one_of(2);
        Self {
            depends_on: Dependence {
                states,
                seen_states,
                seen_as: None,
                neighbourhood,
                arrangement,
                parity_x: place,
                parity_y: place,
                parity_generation: generation,
                coins,
            },
            births: group.births,
            key: key(random),
        }
    }

    fn name(&self) -> String {
        format!("Drawn-{:08x}{:08x}", self.key[0], self.key[1])
    }

    /// Whether the sum of these of the declared parities (x, y, generation) is odd.
    fn is_odd(&self, chosen: u32, site: Site) -> bool {
        let Dependence { parity_x, parity_y, parity_generation, .. } = self.depends_on;
        let odd = |declared: bool, bit: u32, value: i64| declared && chosen >> bit & 1 == 1 && value & 1 == 1;
        let generation = i64::from(site.generation % 2 == 1);
        odd(parity_x, 0, site.at.x) ^ odd(parity_y, 1, site.at.y) ^ odd(parity_generation, 2, generation)
    }

    fn next(&self, neighbours: &Neighbours, own: State, site: Site, coin: &mut Coin) -> State {
        let Dependence { states, seen_states, arrangement, coins, .. } = self.depends_on;
        let seen = |state: State| if u16::from(state) < seen_states { state } else { DEAD };
        let around = neighbours.states();
        let living = |species: State| around.iter().filter(|state| seen(**state) == species).count();
        let count = u32::try_from(around.len() - living(DEAD)).expect("few");
        let ends = if arrangement { [around[0], around[around.len() - 1]].map(seen) } else { [DEAD; 2] };
        let places = u32::from(ends[0]) | u32::from(ends[1]) << 8;
        let [drawn, ..] = philox4x32_10([u32::from(own), count, places, 0], self.key);
        let chance = |bit: u32, bits: u32| drawn >> bit & ((1 << bits) - 1) == 0;
        let is_alike = around.iter().all(|state| seen(*state) == seen(own));
        let is_pivot = count == PIVOT && !is_alike;
        if u16::from(own) >= seen_states {
            let stays =
                is_pivot && coins > 0 && coin.toss() && self.is_odd(1, site) == self.depends_on.parity_x;
            let older = own.checked_add(1).filter(|older| u16::from(*older) < states).unwrap_or(DEAD);
            return if stays { own } else { older };
        }
        let mut lives = match (own, count) {
            (DEAD, 0) => self.births,
            (DEAD, 1) => chance(0, 4),
            (DEAD, PIVOT) => false,
            (DEAD, _) => chance(0, 2),
            _ => chance(0, 1),
        };
        let mut species = (1..).take(usize::from(seen_states) - 1).max_by_key(|s| (living(*s), u8::MAX - s));
        if !is_alike {
            if is_pivot || chance(4, 2) {
                lives ^= self.is_odd(if is_pivot { 7 } else { drawn >> 16 }, site);
            }
            if coins > 0 && (is_pivot || chance(6, 2)) {
                let tossed = coin.toss();
                lives = if is_pivot { lives || tossed } else { lives && tossed };
            }
            if coins > 1 && is_pivot && lives {
                let tossed = coin.toss();
                if seen_states > 2 {
                    species = Some(1 + u8::from(tossed));
                } else {
                    lives = tossed;
                }
            }
        }
        match (lives, own) {
            (true, DEAD) => species.unwrap_or(1),
            (true, own) => own,
            (false, DEAD) => DEAD,
            // The first of the ages, if there are any.
            (false, _) => State::try_from(seen_states % states).expect("at most 255"),
        }
    }
}

impl Ruleset for Synthetic {
    fn depends_on(&self) -> Dependence {
        self.depends_on
    }
    fn empty_cell_next(&self, neighbours: &Neighbours, site: Site, coin: &mut Coin) -> State {
        self.next(neighbours, DEAD, site, coin)
    }
    fn occupied_cell_next(
        &self,
        neighbours: &Neighbours,
        value: State,
        site: Site,
        coin: &mut Coin,
    ) -> State {
        self.next(neighbours, value, site, coin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::CpuEngine;

    #[test]
    fn parities_declared_in_vain_leave_some_precompiled_rules_as_they_are_but_none_with_coins() {
        let is_precompiled = |text: &str, parities: u32| {
            let rule = parse(text).expect("a rule string");
            let (place, generation) = (parities & 1 == 1, parities & 2 == 2);
            let padded = Rule::custom(text, Padded { rule, place, generation }, Topology::Unbounded);
            CpuEngine::is_precompiled(padded.kernel().expect("a kernel").as_ref())
        };
        for text in PRECOMPILED.into_iter().flatten() {
            assert!(is_precompiled(text, 0), "{text}");
        }
        for parities in 1..4 {
            for text in PADDED {
                assert!(is_precompiled(text, parities), "{text}, parities {parities}");
            }
            for text in PRECOMPILED[1] {
                assert!(!is_precompiled(text, parities), "{text}, parities {parities}");
            }
        }
    }
}
