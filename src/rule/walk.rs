//! Rules of any size, cell by cell: a decision diagram that is walked one neighbour at a time.
//!
//! ```text
//! root[parities] ─ a neighbour or some ─> node ─ the next ones ─> … ─> node ─ own state ─> answer
//!
//! a node is one entry for each thing that can be seen there; an entry is where the next level's node begins, counted in
//! entries, or at the last level the answer
//! inner levels: place of the first neighbour + seen × place of the second + seen² × … ; the place of a state is that of
//!               what it is taken for, in the list of the states that are told apart
//! last level:   every state
//! an answer is the next state; under rules that toss, one byte for each outcome of the coins that the rule declares: tails
//! and heads of one coin, 00, 01, 10 and 11 of two (bit n is toss n)
//! ```
//!
//! The states of cells are written in binary: plane p is bit p, up to 8 planes. A rule file has its diagram already
//! ([`Ruleset::diagram`]); for any other ruleset one is made from its answers: the neighbours are gone through one by
//! one, by their counts so far where only counts matter, else by all their arrangements, and equal nodes are one. Then
//! levels are joined, as long as the nodes stay few enough for the first caches: each is a look-up that waits for the
//! one before.
//!
//! Runs on CPU words in [`Walk::next_word`], and as WGSL that [`super::wgsl`] writes.
//!
//! Known limits: a ruleset is asked at most [`MAX_ANSWERS`] questions, and the diagram has at most [`MAX_ENTRIES`]
//! entries. A diagram is walked in full for every cell, but in words where all that is seen is dead and stays so.

use std::collections::HashMap;
use std::fmt;

use super::circuit::{CompileError, Encoding};
use super::diagram::MAX_ENTRIES;
use super::table::{self, TableError};
use super::{Dependence, Ruleset, Site};
use crate::cell::{DEAD, State};
use crate::coin::{Coin, MAX_TOSSES};
use crate::coords::Coords;
use crate::lattice::{MAX_NEIGHBOURS, Neighbours};
use crate::text::{counted, grouped};

/// The most answers that are asked of a ruleset for its diagram: some seconds.
pub const MAX_ANSWERS: u64 = 1 << 24;

/// Up to how many entries levels are joined: 32 KiB.
const MAX_JOINED: usize = 1 << 13;

/// The most planes of a cell.
pub const MAX_PLANES: usize = 8;

/// How far a neighbourhood reaches in x at the most.
const REACH: usize = 2;

/// Cells of a word.
const WORD: usize = 64;

/// What the cells of one row around a word hold: for each plane the word before, the word itself and the word after.
pub type Window = [[u64; 3]; MAX_PLANES];

/// A rule as a decision diagram for the fast engines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    depends_on: Dependence,
    encoding: Encoding,
    /// Place by state, where the states that are told apart are not just the first ones.
    places: Option<Vec<State>>,
    /// Which neighbours each level but the last looks at, by their places in the offsets.
    levels: Vec<Vec<u8>>,
    nodes: Vec<u32>,
    /// By parity of x (bit 0), of y (bit 1) and of the generation (bit 2).
    roots: [u32; 8],
    /// Whether a dead cell among dead ones stays dead, whatever the parities and coins.
    is_still: bool,
}

impl Walk {
    /// The walk of a ruleset: through its own diagram if it has one, else through one made from its answers.
    pub fn new(ruleset: &dyn Ruleset) -> Result<Self, CompileError> {
        let depends_on = ruleset.depends_on();
        table::check(depends_on)?;
        let (order, nodes, roots) = if let Some(diagram) = ruleset.diagram() {
            (diagram.order().to_vec(), diagram.nodes().to_vec(), [diagram.root(); 8])
        } else {
            Maker::new(ruleset, depends_on).diagram()?
        };
        let (levels, nodes, roots) = joined(depends_on, &order, &nodes, roots);
        let encoding = Encoding::binary(depends_on.states);
        let seen = depends_on.seen_list();
        let places = depends_on.seen_as.map(|seen_as| {
            let place =
                |state: &State| (0u8..).zip(&seen).find(|(_, seen)| *seen == state).map_or(0, |(n, _)| n);
            seen_as.iter().map(place).collect()
        });
        let mut walk = Self { depends_on, encoding, places, levels, nodes, roots, is_still: false };
        walk.is_still = (0..8).all(|parities| walk.answer(parities, &[DEAD; MAX_NEIGHBOURS], DEAD) == 0);
        Ok(walk)
    }

    /// The states in binary.
    pub const fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// All that the rule depends on.
    pub const fn depends_on(&self) -> Dependence {
        self.depends_on
    }

    /// All nodes one after another.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// Where the root is, by parity of x (bit 0), of y (bit 1) and of the generation (bit 2).
    pub const fn roots(&self) -> [u32; 8] {
        self.roots
    }

    /// Whether coins are read.
    pub const fn uses_coins(&self) -> bool {
        self.depends_on.coins > 0
    }

    /// How many coins are read for a cell, 0 to [`MAX_TOSSES`].
    pub const fn coins(&self) -> u32 {
        self.depends_on.coins
    }

    /// What each level but the last looks at: offsets for cells with even and with odd x + y, and by what the state of
    /// the neighbour there is multiplied.
    pub fn levels(&self) -> impl Iterator<Item = impl Iterator<Item = ([(i64, i64); 2], u32)>> {
        let both = self.depends_on.neighbourhood.both_offsets();
        let weights =
            std::iter::successors(Some(1), |weight| Some(weight * u32::from(self.depends_on.seen_states)));
        self.levels.iter().map(move |places| {
            places
                .iter()
                .map(move |&place| both.map(|offsets| offsets[usize::from(place)]))
                .zip(weights.clone())
        })
    }

    /// The entry of the last level.
    fn answer(&self, parities: usize, neighbours: &[State], own: State) -> u32 {
        let node = self.levels.iter().fold(self.roots[parities], |node, places| {
            let seen = places.iter().rev().fold(0, |seen, &place| {
                seen * usize::from(self.depends_on.seen_states)
                    + usize::from(self.place(neighbours[usize::from(place)]))
            });
            self.nodes[node as usize + seen]
        });
        self.nodes[node as usize + usize::from(own)]
    }

    /// Places by state, where they are not those of [`Dependence::seen`] itself.
    pub fn places(&self) -> Option<&[State]> {
        self.places.as_deref()
    }

    /// The place of what a neighbour in this state is taken for.
    fn place(&self, state: State) -> State {
        self.places.as_ref().map_or_else(|| self.depends_on.seen(state), |places| places[usize::from(state)])
    }

    /// The next planes of 64 cells of row y, from the words of the rows above, here and below.
    ///
    /// The first cell of a word has an even x. `odd_row` and `odd_generation` are the parities of y and of the generation
    /// that is read. Bit x of `coins[n]` is toss n of cell x; past [`Walk::coins`] it may be anything. Planes past those of
    /// the encoding must be 0, and are.
    pub fn next_word(
        &self,
        rows: &[Window; 3],
        odd_row: bool,
        odd_generation: bool,
        coins: [u64; MAX_TOSSES as usize],
    ) -> [u64; MAX_PLANES] {
        let planes = self.encoding.planes();
        let words = rows.iter().flat_map(|row| row[..planes].iter().flatten());
        if self.is_still && words.fold(0, |all, word| all | word) == 0 {
            return [0; MAX_PLANES];
        }
        let mut seen = rows.each_ref().map(states_around);
        let mut own = [DEAD; WORD];
        own.copy_from_slice(&seen[1][REACH..REACH + WORD]);
        let states = seen.iter_mut().flatten();
        if let Some(places) = &self.places {
            states.for_each(|state| *state = places.get(usize::from(*state)).copied().unwrap_or(DEAD));
        } else if self.depends_on.seen_states < self.depends_on.states {
            let first = self.depends_on.seen_states;
            states.for_each(|state| *state = if u16::from(*state) < first { *state } else { DEAD });
        }
        let place = usize::from(odd_row) << 1 | usize::from(odd_generation) << 2;
        let mut nodes: [u32; WORD] = std::array::from_fn(|x| self.roots[place | x & 1]);
        // All cells take one step before any takes the next: their steps don't wait for each other.
        let states_at = |(dx, dy): (i64, i64)| -> &[State; WORD] {
            let row = &seen[usize::try_from(dy + 1).expect("one row up or down")];
            let first = usize::try_from(dx + 2).expect("within reach");
            row[first..first + WORD].try_into().expect("as many as a word has")
        };
        for level in self.levels() {
            for ([even, odd], weight) in level {
                let here = states_at(even);
                if even == odd {
                    for (node, state) in nodes.iter_mut().zip(here) {
                        *node += weight * u32::from(*state);
                    }
                } else {
                    let there = states_at(odd);
                    let [first, second] = if odd_row { [there, here] } else { [here, there] };
                    for (x, node) in nodes.iter_mut().enumerate() {
                        *node += weight * u32::from(if x % 2 == 0 { first[x] } else { second[x] });
                    }
                }
            }
            for node in &mut nodes {
                *node = self.nodes[*node as usize];
            }
        }
        let mut next = [DEAD; WORD];
        for (x, next) in next.iter_mut().enumerate() {
            let answer = self.nodes[nodes[x] as usize + usize::from(own[x])];
            let tosses = coins.iter().take(self.coins() as usize).enumerate();
            let outcome = tosses.fold(0, |outcome, (n, toss)| outcome | usize::from(toss >> x & 1 == 1) << n);
            *next = answer.to_le_bytes()[outcome];
        }
        planes_of(&next)
    }
}

impl fmt::Display for Walk {
    /// `decision diagram, 1,234 entries, 5 planes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (entries, planes) = (grouped(self.nodes.len() as u64), counted(self.encoding.planes(), "plane"));
        write!(f, "decision diagram, {entries} entries, {planes}")
    }
}

/// The declared parities as bits: x, y, generation.
fn declared(depends_on: Dependence) -> usize {
    let Dependence { parity_x, parity_y, parity_generation, .. } = depends_on;
    usize::from(parity_x) | usize::from(parity_y) << 1 | usize::from(parity_generation) << 2
}

/// The states of 64 cells and of [`REACH`] more at either side.
fn states_around(row: &Window) -> [State; WORD + 2 * REACH] {
    let mut states = [DEAD; WORD + 2 * REACH];
    for (group, states) in states[REACH..REACH + WORD].chunks_exact_mut(8).enumerate() {
        let planes = row.map(|[_, here, _]| here.to_le_bytes()[group]);
        states.copy_from_slice(&transposed(u64::from_le_bytes(planes)).to_le_bytes());
    }
    for (plane, [before, _, after]) in row.iter().enumerate() {
        let bit = |word: u64, x: usize| State::from(word >> x & 1 == 1) << plane;
        for x in 0..REACH {
            states[x] |= bit(*before, WORD - REACH + x);
            states[REACH + WORD + x] |= bit(*after, x);
        }
    }
    states
}

/// The planes of 64 cells.
fn planes_of(states: &[State; WORD]) -> [u64; MAX_PLANES] {
    let mut planes = [[0; 8]; MAX_PLANES];
    for (group, states) in states.chunks_exact(8).enumerate() {
        let states = u64::from_le_bytes(states.try_into().expect("eight states"));
        for (plane, byte) in planes.iter_mut().zip(transposed(states).to_le_bytes()) {
            plane[group] = byte;
        }
    }
    planes.map(u64::from_le_bytes)
}

/// Eight rows of eight bits, turned: bit c of byte r becomes bit r of byte c.
const fn transposed(bits: u64) -> u64 {
    // Squares of one, two and four bits across the diagonal change places.
    let mut x = bits;
    let mut swap = (x ^ x >> 7) & 0x00AA_00AA_00AA_00AA;
    x ^= swap ^ swap << 7;
    swap = (x ^ x >> 14) & 0x0000_CCCC_0000_CCCC;
    x ^= swap ^ swap << 14;
    swap = (x ^ x >> 28) & 0x0000_0000_F0F0_F0F0;
    x ^ swap ^ swap << 28
}

/// The same diagram with fewer levels: some look at several neighbours, as far as [`MAX_JOINED`] allows.
///
/// `order` is what each level of `nodes` looks at. All nodes of a level stand one after another in the result.
fn joined(
    depends_on: Dependence,
    order: &[u8],
    nodes: &[u32],
    roots: [u32; 8],
) -> (Vec<Vec<u8>>, Vec<u32>, [u32; 8]) {
    let (seen, depth) = (usize::from(depends_on.seen_states), order.len());
    // The nodes of each level, ascending.
    let mut reached = vec![distinct(roots.to_vec())];
    for level in 0..depth {
        let entries = |node: &u32| nodes[*node as usize..*node as usize + seen].iter().copied();
        reached.push(distinct(reached[level].iter().flat_map(entries).collect()));
    }
    let own = reached[depth].len() * usize::from(depends_on.states);
    let entries = |from: usize, to: usize| {
        let width = seen.saturating_pow(u32::try_from(to - from).expect("a few levels"));
        reached[from].len().saturating_mul(width)
    };
    let most = MAX_JOINED.max((0..depth).map(|level| entries(level, level + 1)).sum::<usize>() + own);
    // For each number of joined levels and each depth that they go down to: fewest entries, and where the last begins.
    let mut fewest = vec![vec![(own, 0)]];
    fewest[0].resize(depth + 1, (usize::MAX, 0));
    while fewest[fewest.len() - 1][depth].0 > most {
        let before = &fewest[fewest.len() - 1];
        let best = (0..=depth).map(|to| {
            let ways = (0..to).map(|from| (before[from].0.saturating_add(entries(from, to)), from));
            ways.min().unwrap_or((usize::MAX, 0))
        });
        fewest.push(best.collect());
    }
    let mut cuts = vec![depth];
    for best in fewest[1..].iter().rev() {
        cuts.push(best[cuts[cuts.len() - 1]].1);
    }
    cuts.reverse();
    // Where the nodes of each cut begin, and how many entries they have.
    let mut places = vec![(0, usize::from(depends_on.states)); depth + 1];
    let mut start = 0;
    for cut in cuts.windows(2) {
        let width = entries(cut[0], cut[1]) / reached[cut[0]].len();
        places[cut[0]] = (start, width);
        start += entries(cut[0], cut[1]);
    }
    places[depth].0 = start;
    let place = |level: usize, node: u32| {
        let (start, width) = places[level];
        let number = reached[level].binary_search(&node).expect("a node of this level");
        u32::try_from(start + number * width).expect("entries are bounded")
    };
    let mut joined = Vec::with_capacity(start + own);
    for cut in cuts.windows(2) {
        for &node in &reached[cut[0]] {
            for combination in 0..places[cut[0]].1 {
                let (mut at, mut rest) = (node, combination);
                for _ in cut[0]..cut[1] {
                    at = nodes[at as usize + rest % seen];
                    rest /= seen;
                }
                joined.push(place(cut[1], at));
            }
        }
    }
    for &node in &reached[depth] {
        joined.extend_from_slice(&nodes[node as usize..node as usize + usize::from(depends_on.states)]);
    }
    let levels = cuts.windows(2).map(|cut| order[cut[0]..cut[1]].to_vec()).collect();
    (levels, joined, roots.map(|root| place(0, root)))
}

fn distinct(mut nodes: Vec<u32>) -> Vec<u32> {
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// What each level looks at, the nodes, and the roots by parities.
type Made = (Vec<u8>, Vec<u32>, [u32; 8]);

/// Makes the diagram of a ruleset from its answers.
struct Maker<'a> {
    ruleset: &'a dyn Ruleset,
    depends_on: Dependence,
    site: Site,
    /// The neighbours that are decided.
    seen: Vec<State>,
    nodes: Vec<u32>,
    /// Where a node with these entries is.
    known: HashMap<Box<[u32]>, u32>,
    /// Where the node is that neighbours of these states lead to, sorted; where only counts matter.
    by_counts: HashMap<Neighbours, u32>,
}

impl<'a> Maker<'a> {
    fn new(ruleset: &'a dyn Ruleset, depends_on: Dependence) -> Self {
        Self {
            ruleset,
            depends_on,
            site: Site::default(),
            seen: Vec::with_capacity(MAX_NEIGHBOURS),
            nodes: Vec::new(),
            known: HashMap::new(),
            by_counts: HashMap::new(),
        }
    }

    fn diagram(mut self) -> Result<Made, CompileError> {
        let cases = table::cases_of(self.depends_on);
        if cases > MAX_ANSWERS {
            return Err(CompileError::TooManyCases(cases));
        }
        let mut roots = [0; 8];
        for parities in 0..8 {
            let known = parities & declared(self.depends_on);
            roots[parities] = if known == parities { self.root(parities)? } else { roots[known] };
        }
        let size = u8::try_from(self.depends_on.neighbourhood.size()).expect("a few neighbours");
        Ok(((0..size).collect(), self.nodes, roots))
    }

    /// The root for these parities.
    fn root(&mut self, parities: usize) -> Result<u32, CompileError> {
        let odd = |bit: u32| i64::from(parities >> bit & 1 == 1);
        self.site = Site { at: Coords::new(odd(0), odd(1)), generation: odd(2).unsigned_abs() };
        self.by_counts.clear();
        self.node()
    }

    /// The node that the decided neighbours lead to.
    fn node(&mut self) -> Result<u32, CompileError> {
        let mut sorted = self.seen.clone();
        sorted.sort_unstable();
        let counts = (!self.depends_on.arrangement).then(|| Neighbours::new(&sorted));
        if let Some(known) = counts.and_then(|counts| self.by_counts.get(&counts)) {
            return Ok(*known);
        }
        let entries: Box<[u32]> = if self.seen.len() == self.depends_on.neighbourhood.size() {
            self.answers()?
        } else {
            let states = self.depends_on.seen_list();
            states
                .into_iter()
                .map(|state| {
                    self.seen.push(state);
                    let node = self.node();
                    self.seen.pop();
                    node
                })
                .collect::<Result<_, _>>()?
        };
        let node = self.placed(entries)?;
        if let Some(counts) = counts {
            self.by_counts.insert(counts, node);
        }
        Ok(node)
    }

    /// What becomes of a cell of each state, all of whose neighbours are decided.
    fn answers(&self) -> Result<Box<[u32]>, CompileError> {
        let Dependence { states, coins, .. } = self.depends_on;
        let neighbours = Neighbours::new(&self.seen);
        let answer = |own: State| {
            let mut answers = 0;
            for tossed in 0..1u32 << coins {
                let mut coin = Coin::fixed(tossed);
                let answer = self.ruleset.cell_next(&neighbours, own, self.site, &mut coin);
                if u16::from(answer) >= states {
                    return Err(TableError::StateOutOfRange { answer, states }.into());
                }
                if coin.tossed() > coins {
                    return Err(TableError::UndeclaredToss { tossed: coin.tossed(), declared: coins }.into());
                }
                if coin.tossed() == 0 {
                    // The same for all outcomes.
                    let all = if coins == 0 { 1 } else { 0x0101_0101 >> (8 * (4 - (1 << coins))) };
                    return Ok(u32::from(answer) * all);
                }
                answers |= u32::from(answer) << (8 * tossed);
            }
            Ok(answers)
        };
        (DEAD..=last_of(states)).map(answer).collect()
    }

    /// The place of a node with these entries.
    fn placed(&mut self, entries: Box<[u32]>) -> Result<u32, CompileError> {
        if let Some(&known) = self.known.get(&entries) {
            return Ok(known);
        }
        if self.nodes.len() + entries.len() > MAX_ENTRIES {
            return Err(CompileError::TooManyEntries);
        }
        let place = u32::try_from(self.nodes.len()).expect("entries are bounded");
        self.nodes.extend_from_slice(&entries);
        self.known.insert(entries, place);
        Ok(place)
    }
}

fn last_of(states: u16) -> State {
    State::try_from(states - 1).expect("at most 256 states")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::table::TransitionTable;
    use crate::rule::{file::RuleFile, parse};

    #[test]
    fn states_become_planes_and_planes_states() {
        let states: [State; WORD] = std::array::from_fn(|x| u8::try_from(x * 37 % 256).expect("a byte"));
        let planes = planes_of(&states);
        for (x, state) in states.iter().enumerate() {
            let found = (0..8).fold(0, |found, p| found | u8::from(planes[p] >> x & 1 == 1) << p);
            assert_eq!(found, *state, "cell {x}");
        }
        let around = states_around(&planes.map(|word| [word.rotate_left(5), word, word.rotate_right(9)]));
        assert_eq!(around[REACH..REACH + WORD], states, "the word");
        assert_eq!(around[..REACH], states[57..59], "the two before");
        assert_eq!(around[REACH + WORD..], states[9..11], "the two after");
    }

    /// Asks the walk of a ruleset for every case of its table, in a word of its own, among cells that are not seen.
    fn check(name: &str, ruleset: &dyn Ruleset) -> Walk {
        let walk = Walk::new(ruleset).unwrap_or_else(|error| panic!("{name}: {error}"));
        let table = TransitionTable::enumerate(ruleset).expect("a small rule");
        let depends_on = table.depends_on;
        let unseen = planes_of(&[last_of(depends_on.states); WORD]);
        for case in &table.cases {
            let mut seen = case.neighbours.states().to_vec();
            for turn in 0..if depends_on.arrangement { 1 } else { 5 } {
                for parities in (0..8).filter(|p| p & declared(depends_on) == usize::from(case.parities)) {
                    let (odd_x, odd_row, odd_generation) =
                        (parities & 1, parities >> 1 & 1 == 1, parities >> 2 == 1);
                    // At the ends of the word, and inside.
                    let x = [0, 32, 62][turn % 3] + odd_x;
                    let mut rows = [[[0; 3]; MAX_PLANES]; 3];
                    for (plane, word) in unseen.iter().enumerate() {
                        for row in &mut rows {
                            row[plane] = [*word; 3];
                        }
                    }
                    let mut put = |dx: i64, dy: i64, state: State| {
                        let row = &mut rows[usize::try_from(dy + 1).expect("a row")];
                        let at =
                            usize::try_from(i64::try_from(x + WORD).expect("small") + dx).expect("small");
                        for (plane, words) in row.iter_mut().enumerate() {
                            let bit = 1 << (at % WORD);
                            let word = &mut words[at / WORD];
                            *word = if state >> plane & 1 == 1 { *word | bit } else { *word & !bit };
                        }
                    };
                    put(0, 0, case.own);
                    let [even, odd] = depends_on.neighbourhood.both_offsets();
                    let offsets = if odd_row == (odd_x == 1) { even } else { odd };
                    for (&(dx, dy), &state) in offsets.iter().zip(&seen) {
                        put(dx, dy, state);
                    }
                    // Of a toss that is not declared it may be anything.
                    let coins = [0, 1].map(|n| {
                        if n >= depends_on.coins || case.coins >> n & 1 == 1 { u64::MAX } else { 0 }
                    });
                    let next = walk.next_word(&rows, odd_row, odd_generation, coins);
                    let found = (0..8).fold(0, |found, p| found | u8::from(next[p] >> x & 1 == 1) << p);
                    assert_eq!(
                        found, case.next,
                        "{name}: {case:?}, parities {parities}, turned {turn} times"
                    );
                }
                let length = seen.len();
                seen.rotate_left(1);
                seen.swap(length / 4, length / 2);
            }
        }
        walk
    }

    #[test]
    fn the_walk_answers_as_the_ruleset_in_every_case() {
        for text in [
            "B3/S23",
            "law1{born=own==0;survive=own==8}",
            "P2Life",
            "B36/S23Immigration-parity",
            "B2468/S3QuadLife",
            "B24/S3QuadLife-parity",
            "B3/S23|B36/S13",
            "/2/3",
            "3/23/40",
            "B2-a/S12",
            "B2o/S34H",
            "B2/S13LE",
            "B45/S34L",
            "B2/S1LRImmigration",
        ] {
            let rule = parse(text).unwrap_or_else(|error| panic!("{error}"));
            check(text, rule.ruleset());
        }
    }

    #[test]
    fn a_rule_file_is_walked_by_its_own_diagram() {
        let text = "@RULE Pairs\n@TABLE\nn_states:5\nneighborhood:hexagonal\nsymmetries:rotate2\n\
                    var a={0,1,2,3,4}\nvar b={a}\nvar c={1,2}\nvar d={a}\nvar e={a}\n\
                    0,a,3,b,c,d,e,c\n1,a,b,c,d,4,4,2\nc,a,b,d,4,e,0,0\n";
        let file = RuleFile::parse(text, "").unwrap_or_else(|error| panic!("{error}"));
        let rule = file.rule().expect("a table");
        let walk = check("Pairs", rule);
        // Five states and six neighbours: joined by twos and threes, not at once.
        assert!((2..=4).contains(&walk.levels.len()), "{:?}", walk.levels);
        assert!(walk.nodes().len() <= MAX_JOINED, "{walk}");
    }

    #[test]
    fn what_only_counts_two_states_is_looked_up_at_once() {
        let rule = parse("/2/100").expect("a rule");
        let walk = Walk::new(rule.ruleset()).expect("a walk");
        assert_eq!(walk.levels, [[0, 1, 2, 3, 4, 5, 6, 7]], "all neighbours");
        // By hand: 256 neighbourhoods; then cells that are born or not, of 100 states.
        assert_eq!(walk.nodes().len(), 256 + 2 * 100, "{walk}");
    }

    #[test]
    fn counts_of_more_species_than_circuits_tell_apart_are_walked() {
        let text = "@RULE Crowd\n@TABLE\nn_states:7\nneighborhood:vonNeumann\nsymmetries:permute\n\
                    var a={0,1,2,3,4,5,6}\nvar b={a}\n0,1,2,3,a,4\n4,5,6,b,a,2\n3,1,6,4,5,0\n";
        let file = RuleFile::parse(text, "").unwrap_or_else(|error| panic!("{error}"));
        let rule = file.rule().expect("a table");
        assert!(!rule.depends_on().arrangement, "only counts matter");
        check("Crowd", rule);
        let kernel = crate::rule::Kernel::compile(rule).unwrap_or_else(|error| panic!("{error}"));
        assert!(kernel.as_walk().is_some(), "{kernel}");
    }

    #[test]
    fn rules_that_are_too_large_are_refused_before_they_are_asked() {
        struct Large(Dependence);
        impl Ruleset for Large {
            fn depends_on(&self) -> Dependence {
                self.0
            }
            fn empty_cell_next(&self, _: &Neighbours, _: Site, _: &mut Coin) -> State {
                panic!("nobody asks")
            }
            fn occupied_cell_next(&self, _: &Neighbours, _: State, _: Site, _: &mut Coin) -> State {
                panic!("nobody asks")
            }
        }
        let arranged = Dependence { arrangement: true, ..Dependence::counting(9) };
        for depends_on in [arranged, Dependence::counting(256)] {
            let error = Walk::new(&Large(depends_on)).expect_err("too large");
            assert!(error.is_of_size(), "{error}");
            assert!(error.to_string().contains("the oracle engine can run it"), "{error}");
        }
        let error = Walk::new(&Large(Dependence::counting(1))).expect_err("one state");
        assert!(!error.is_of_size(), "{error}");
    }

    #[test]
    fn a_diagram_of_too_many_entries_is_refused() {
        /// No two cases alike.
        struct Various;
        impl Ruleset for Various {
            fn depends_on(&self) -> Dependence {
                Dependence {
                    arrangement: true,
                    neighbourhood: crate::lattice::Neighbourhood::Tripod,
                    ..Dependence::counting(60)
                }
            }
            fn empty_cell_next(&self, neighbours: &Neighbours, site: Site, coin: &mut Coin) -> State {
                self.occupied_cell_next(neighbours, 0, site, coin)
            }
            fn occupied_cell_next(&self, seen: &Neighbours, value: State, _: Site, _: &mut Coin) -> State {
                let key = seen
                    .states()
                    .iter()
                    .fold(u32::from(value), |key, &s| key.wrapping_mul(61) + u32::from(s));
                let [drawn, ..] = crate::coin::philox4x32_10([key, 0, 0, 0], [0; 2]);
                u8::try_from(drawn & 31).expect("32 states")
            }
        }
        assert_eq!(Walk::new(&Various).err(), Some(CompileError::TooManyEntries), "60^4 entries");
    }
}
