//! Decision diagrams: a rule of many states as a graph that is walked one neighbour at a time.
//!
//! ```text
//! level 0      looks at neighbour order[0]     node: one entry a state, the place of a node of level 1
//! …
//! last level   looks at the cell itself        node: one entry a state, the answer
//! ```
//!
//! Equal nodes are one node, so a diagram of 29 states and eight neighbours takes kilobytes where a plain table would
//! take terabytes. It is made from the first-match-wins transitions of a table by writing them over a diagram that
//! changes nothing, the last transition first.
//!
//! Knows no files. Known limits: [`MAX_ENTRIES`] entries, [`MAX_WORK`] steps of building.

use std::collections::{BTreeMap, HashMap};

use thiserror::Error;

use crate::cell::State;

/// The most entries that a diagram may have, while it is built: 32 MiB.
pub const MAX_ENTRIES: usize = 1 << 23;
/// The most entries that are looked at while a diagram is built: some seconds.
pub const MAX_WORK: u64 = 1 << 29;
/// What following one alternative of a transition costs, in entries looked at.
const LIST_WORK: u64 = 32;
/// Up to how many comparisons it is found out whether only counts matter.
const MAX_COMPARISONS: usize = 1 << 28;
/// Entries of unused nodes up to which nobody clears up.
const UNTIDY: usize = 1 << 16;

/// A rule is too complicated for a diagram; write it with fewer states, transitions or bound variables.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "the rule is too complicated: its decision diagram would grow beyond {MAX_ENTRIES} entries or take too long"
)]
pub struct TooComplicated;

/// A total function from the states of a cell and its neighbours to a state.
///
/// Two diagrams of the same order and number of states are equal exactly when they answer alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionDiagram {
    states: u16,
    order: Vec<u8>,
    nodes: Vec<u32>,
    root: u32,
}

impl DecisionDiagram {
    /// Number of states, 2 to 256; every node has so many entries.
    pub const fn states(&self) -> u16 {
        self.states
    }

    /// Which neighbour each level looks at, by its place in
    /// [`Neighbourhood::offsets`](crate::lattice::Neighbourhood::offsets); after these comes the level of the cell
    /// itself.
    pub fn order(&self) -> &[u8] {
        &self.order
    }

    /// All nodes one after another. The entry at (start of a node) + (state seen) is the start of the next level's
    /// node, or, at the last level, the answer.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The start of the node of level 0.
    pub const fn root(&self) -> u32 {
        self.root
    }

    /// The answer for a cell in state `own` with these neighbours, in the order of the neighbourhood's offsets.
    ///
    /// # Panics
    /// When a state is none of the rule's, or neighbours are missing.
    pub fn lookup(&self, neighbours: &[State], own: State) -> State {
        let entry = |node: u32, state: State| self.nodes[node as usize + usize::from(state)];
        let node =
            self.order.iter().fold(self.root, |node, &place| entry(node, neighbours[usize::from(place)]));
        State::try_from(entry(node, own)).expect("the last level holds states")
    }

    /// Whether it only matters how many neighbours are in each state, not where they stand. May say no of a very
    /// large diagram that was not looked through.
    pub fn counts_only(&self) -> bool {
        let states = usize::from(self.states);
        if self.nodes.len() * states > MAX_COMPARISONS {
            return false;
        }
        let entry = |node: u32, state: usize| self.nodes[node as usize + state];
        let mut level = vec![self.root];
        // Swaps of levels next to each other make up every permutation.
        for _ in 1..self.order.len() {
            let mut next = Vec::new();
            for &node in &level {
                for a in 0..states {
                    for b in 0..a {
                        if entry(entry(node, a), b) != entry(entry(node, b), a) {
                            return false;
                        }
                    }
                    next.push(entry(node, a));
                }
            }
            next.sort_unstable();
            next.dedup();
            level = next;
        }
        true
    }
}

/// A set of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StateSet([u64; 4]);

impl StateSet {
    pub(super) fn single(state: State) -> Self {
        let mut set = Self::default();
        set.insert(state);
        set
    }

    pub(super) fn insert(&mut self, state: State) {
        self.0[usize::from(state >> 6)] |= 1 << (state & 63);
    }

    pub(super) fn contains(&self, state: usize) -> bool {
        self.0[state >> 6] >> (state & 63) & 1 == 1
    }
}

/// How the inputs of a transition may be rearranged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Symmetry {
    /// In every way.
    Permute,
    /// In these: position i of an arrangement takes the input of that number.
    Arrangements(Vec<Vec<usize>>),
}

/// Which neighbours satisfy the inputs of a transition in some arrangement: a deterministic automaton that reads the
/// neighbours in the order of a diagram. It takes the place of a list of arrangements, of which there may be 8!.
pub(super) struct Matcher {
    /// For each level: (state of the automaton) × (state seen) → state of the automaton at the next level.
    levels: Vec<Vec<u32>>,
    own: StateSet,
}

/// No match any more.
const NEVER: u32 = u32::MAX;

impl Matcher {
    /// The automaton for inputs at positions 0 …, of which level l of the diagram reads position `positions[l]`, or
    /// none at all.
    fn new(
        states: usize,
        inputs: &[StateSet],
        own: StateSet,
        symmetry: &Symmetry,
        positions: &[Option<usize>],
        work: &mut u64,
    ) -> Result<Self, TooComplicated> {
        // What may still match: numbers of arrangements, or sets of inputs that are used up, as bits.
        let mut sorted = inputs.to_vec();
        sorted.sort_unstable();
        let start: Vec<u32> = match symmetry {
            Symmetry::Permute => vec![0],
            Symmetry::Arrangements(arrangements) => {
                let mut seen = BTreeMap::new();
                for (number, arrangement) in (0..).zip(arrangements) {
                    let arranged: Vec<StateSet> = arrangement.iter().map(|&input| inputs[input]).collect();
                    seen.entry(arranged).or_insert(number);
                }
                seen.into_values().collect()
            }
        };
        let follow = |element: u32, position: Option<usize>, seen: usize, into: &mut Vec<u32>| match symmetry
        {
            _ if position.is_none() => into.push(element),
            Symmetry::Arrangements(arrangements) => {
                let position = position.unwrap_or_default();
                if inputs[arrangements[element as usize][position]].contains(seen) {
                    into.push(element);
                }
            }
            Symmetry::Permute => {
                for (input, set) in sorted.iter().enumerate() {
                    let free = element >> input & 1 == 0;
                    // Of equal inputs the first free one is used.
                    let first = input == 0 || sorted[input - 1] != *set || element >> (input - 1) & 1 == 1;
                    if free && first && set.contains(seen) {
                        into.push(element | 1 << input);
                    }
                }
            }
        };
        // States that are in the same inputs are followed once.
        let mut groups: BTreeMap<Vec<bool>, Vec<usize>> = BTreeMap::new();
        for state in 0..states {
            let member = inputs.iter().map(|set| set.contains(state)).collect();
            groups.entry(member).or_default().push(state);
        }
        let alike: Vec<Vec<usize>> = groups.into_values().collect();
        let mut levels = Vec::with_capacity(positions.len());
        let mut current = vec![start];
        for &position in positions {
            let mut numbers: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
            let mut next = Vec::new();
            let mut entries = Vec::with_capacity(current.len() * states);
            for alternatives in &current {
                *work += states as u64 + (alike.len() * alternatives.len()) as u64 * LIST_WORK;
                if *work > MAX_WORK || entries.len() > MAX_ENTRIES {
                    return Err(TooComplicated);
                }
                let start = entries.len();
                entries.resize(start + states, NEVER);
                for group in &alike {
                    let mut left = Vec::new();
                    for &element in alternatives {
                        follow(element, position, group[0], &mut left);
                    }
                    left.sort_unstable();
                    left.dedup();
                    if !left.is_empty() {
                        let number = *numbers.entry(left).or_insert_with_key(|left| {
                            next.push(left.clone());
                            u32::try_from(next.len() - 1).expect("fewer than entries")
                        });
                        for &seen in group {
                            entries[start + seen] = number;
                        }
                    }
                }
            }
            levels.push(entries);
            current = next;
        }
        Ok(Self { levels, own })
    }
}

/// A diagram that is being made. Nodes are numbered; equal ones of a level have one number.
pub(super) struct Builder {
    states: usize,
    /// Levels before that of the cell itself.
    inner_levels: usize,
    nodes: Vec<u32>,
    known: Vec<HashMap<Box<[u32]>, u32>>,
    root: u32,
    work: u64,
    /// Entries at which the next clearing up is due.
    tidy_at: usize,
}

impl Builder {
    /// A diagram under which no cell changes, over so many neighbours.
    pub(super) fn unchanged(states: u16, neighbours: usize) -> Self {
        let mut builder = Self::empty(states, neighbours);
        let own: Vec<u32> = (0..u32::from(states)).collect();
        builder.root = builder.new_node(neighbours, own);
        for level in (0..neighbours).rev() {
            builder.root = builder.new_node(level, vec![builder.root; usize::from(states)]);
        }
        builder
    }

    /// No node at all: for those who add nodes from the last level up and set the root.
    pub(super) fn empty(states: u16, neighbours: usize) -> Self {
        Self {
            states: usize::from(states),
            inner_levels: neighbours,
            nodes: Vec::new(),
            known: vec![HashMap::new(); neighbours + 1],
            root: 0,
            work: 0,
            tidy_at: UNTIDY,
        }
    }

    /// The number of a node with these entries: answers at the last level (which is that of the number of
    /// neighbours), else numbers of nodes of the level after it.
    pub(super) fn node(&mut self, level: usize, entries: Vec<u32>) -> Result<u32, TooComplicated> {
        if let Some(&known) = self.known[level].get(entries.as_slice()) {
            return Ok(known);
        }
        if self.nodes.len() + self.states > MAX_ENTRIES {
            return Err(TooComplicated);
        }
        Ok(self.new_node(level, entries))
    }

    fn new_node(&mut self, level: usize, entries: Vec<u32>) -> u32 {
        let number = u32::try_from(self.nodes.len() / self.states).expect("entries are bounded");
        self.nodes.extend_from_slice(&entries);
        self.known[level].insert(entries.into_boxed_slice(), number);
        number
    }

    /// Takes this node of level 0 as the root.
    pub(super) fn set_root(&mut self, root: u32) {
        self.root = root;
    }

    /// Answers `next` from now on wherever the cell is in `own` and its neighbours satisfy `inputs`.
    pub(super) fn write(
        &mut self,
        inputs: &[StateSet],
        own: StateSet,
        next: State,
        symmetry: &Symmetry,
        positions: &[Option<usize>],
    ) -> Result<(), TooComplicated> {
        if self.nodes.len() > self.tidy_at {
            self.tidy();
        }
        let matcher = Matcher::new(self.states, inputs, own, symmetry, positions, &mut self.work)?;
        self.root = self.overwritten(0, self.root, &matcher, 0, u32::from(next), &mut HashMap::new())?;
        Ok(())
    }

    fn overwritten(
        &mut self,
        level: usize,
        node: u32,
        matcher: &Matcher,
        at: u32,
        next: u32,
        done: &mut HashMap<(u32, u32), u32>,
    ) -> Result<u32, TooComplicated> {
        if let Some(&known) = done.get(&(node, at)) {
            return Ok(known);
        }
        self.work += self.states as u64;
        if self.work > MAX_WORK {
            return Err(TooComplicated);
        }
        let start = node as usize * self.states;
        let mut entries = self.nodes[start..start + self.states].to_vec();
        if level == self.inner_levels {
            for (own, entry) in entries.iter_mut().enumerate() {
                if matcher.own.contains(own) {
                    *entry = next;
                }
            }
        } else {
            // Runs of states that are all alike are common.
            let mut last = None;
            for (seen, entry) in entries.iter_mut().enumerate() {
                let follows = matcher.levels[level][at as usize * self.states + seen];
                if follows == NEVER {
                    continue;
                }
                let key = (*entry, follows);
                *entry = match last {
                    Some((asked, answer)) if asked == key => answer,
                    _ => self.overwritten(level + 1, key.0, matcher, key.1, next, done)?,
                };
                last = Some((key, *entry));
            }
        }
        let result = self.node(level, entries)?;
        done.insert((node, at), result);
        Ok(result)
    }

    /// Drops what the root no longer reaches. Children come before their parents then, and the root last.
    fn tidy(&mut self) {
        let states = u16::try_from(self.states).expect("at most 256");
        let mut kept = Self { work: self.work, ..Self::empty(states, self.inner_levels) };
        kept.root = self.keep(0, self.root, &mut kept, &mut HashMap::new());
        kept.tidy_at = UNTIDY.max(2 * kept.nodes.len());
        *self = kept;
    }

    fn keep(&self, level: usize, node: u32, kept: &mut Self, numbers: &mut HashMap<u32, u32>) -> u32 {
        if let Some(&number) = numbers.get(&node) {
            return number;
        }
        let start = node as usize * self.states;
        let mut entries = self.nodes[start..start + self.states].to_vec();
        if level < self.inner_levels {
            for entry in &mut entries {
                *entry = self.keep(level + 1, *entry, kept, numbers);
            }
        }
        let number = kept.new_node(level, entries);
        numbers.insert(node, number);
        number
    }

    /// The diagram, whose levels look at the neighbours of these places.
    pub(super) fn finish(mut self, order: &[u8]) -> DecisionDiagram {
        self.tidy();
        let states = u32::try_from(self.states).expect("at most 256");
        // Children come first: a node of the last level holds answers, all others numbers, which become places.
        let mut nodes = self.nodes;
        for known in &self.known[..self.inner_levels] {
            let mut numbers: Vec<u32> = known.values().copied().collect();
            numbers.sort_unstable();
            for number in numbers {
                let start = number as usize * self.states;
                for entry in &mut nodes[start..start + self.states] {
                    *entry *= states;
                }
            }
        }
        DecisionDiagram {
            states: u16::try_from(self.states).expect("at most 256"),
            order: order.to_vec(),
            nodes,
            root: self.root * states,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(states: &[State]) -> StateSet {
        let mut set = StateSet::default();
        for &state in states {
            set.insert(state);
        }
        set
    }

    #[test]
    fn an_untouched_diagram_changes_nothing() {
        let diagram = Builder::unchanged(256, 8).finish(&[0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(diagram.nodes().len(), 9 * 256, "one node a level");
        for own in [0, 1, 200, 255] {
            assert_eq!(diagram.lookup(&[9, 0, 255, 3, 4, 5, 6, 7], own), own, "state {own}");
        }
        assert!(diagram.counts_only(), "nothing matters");
    }

    #[test]
    fn a_permuted_transition_counts() {
        let positions: Vec<Option<usize>> = (0..8).map(Some).collect();
        let mut builder = Builder::unchanged(2, 8);
        let three: Vec<StateSet> = (0..8).map(|n| StateSet::single(u8::from(n < 3))).collect();
        builder.write(&three, set(&[0]), 1, &Symmetry::Permute, &positions).expect("small");
        let diagram = builder.finish(&[0, 1, 2, 3, 4, 5, 6, 7]);
        assert!(diagram.counts_only(), "only counts");
        for seen in 0..256u32 {
            let neighbours: Vec<State> = (0..8).map(|bit| u8::from(seen >> bit & 1 == 1)).collect();
            let born = u8::from(seen.count_ones() == 3);
            assert_eq!(diagram.lookup(&neighbours, 0), born, "{neighbours:?}");
            assert_eq!(diagram.lookup(&neighbours, 1), 1, "{neighbours:?} about a living cell");
        }
    }

    #[test]
    fn a_fixed_transition_is_about_places() {
        let positions: Vec<Option<usize>> = (0..2).map(Some).collect();
        let none = Symmetry::Arrangements(vec![vec![0, 1]]);
        let mut builder = Builder::unchanged(3, 2);
        builder.write(&[set(&[1]), set(&[0, 2])], set(&[0, 1, 2]), 2, &none, &positions).expect("small");
        let diagram = builder.finish(&[0, 1]);
        assert!(!diagram.counts_only(), "places matter");
        assert_eq!((diagram.lookup(&[1, 0], 1), diagram.lookup(&[0, 1], 1)), (2, 1), "first or second");
    }
}
