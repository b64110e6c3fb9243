//! What the fast engines run for a rule: a [`Circuit`] where the rule is small enough for one, else a [`Walk`] through
//! its decision diagram.
//!
//! A circuit works on all cells of a word at once and wins wherever there is one; a walk looks at one neighbour of one
//! cell after another, whatever the rule. Only a rule that is too large for both is left to the oracle.

use std::fmt;

use super::Ruleset;
use super::circuit::{self, Circuit, CompileError, Encoding};
use super::walk::Walk;

/// A compiled rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Gates on whole words.
    Circuit(Circuit),
    /// A decision diagram, walked cell by cell.
    Walk(Walk),
}

impl Kernel {
    /// Compiles a ruleset: into a circuit if its size allows, else into a walk.
    pub fn compile(ruleset: &dyn Ruleset) -> Result<Self, CompileError> {
        match circuit::compile(ruleset) {
            Err(error) if error.is_of_size() => Walk::new(ruleset).map(Self::Walk),
            compiled => compiled.map(Self::Circuit),
        }
    }

    /// How states are written as plane bits.
    pub const fn encoding(&self) -> &Encoding {
        match self {
            Self::Circuit(circuit) => &circuit.encoding,
            Self::Walk(walk) => walk.encoding(),
        }
    }

    /// Bit planes that a cell takes.
    pub const fn planes(&self) -> usize {
        self.encoding().planes()
    }

    /// Bit planes of plain binary states: plane p is bit p of the state.
    pub const fn state_planes(&self) -> usize {
        self.encoding().state_planes()
    }

    /// Whether coins are read.
    pub const fn uses_coins(&self) -> bool {
        match self {
            Self::Circuit(circuit) => circuit.uses_coins(),
            Self::Walk(walk) => walk.uses_coins(),
        }
    }

    /// How many coins are read for a cell: of those that the rule declares, the ones that change an answer in a circuit,
    /// and all of them in a walk.
    pub fn coins(&self) -> u32 {
        match self {
            Self::Circuit(circuit) => circuit.coins(),
            Self::Walk(walk) => walk.coins(),
        }
    }

    /// The circuit, if it is one.
    pub const fn as_circuit(&self) -> Option<&Circuit> {
        match self {
            Self::Circuit(circuit) => Some(circuit),
            Self::Walk(_) => None,
        }
    }

    /// The walk, if it is one.
    pub const fn as_walk(&self) -> Option<&Walk> {
        match self {
            Self::Circuit(_) => None,
            Self::Walk(walk) => Some(walk),
        }
    }
}

impl fmt::Display for Kernel {
    /// `21 gates (4 a row + 17), 2 planes`, or `decision diagram, 1,234 entries, 5 planes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Circuit(circuit) => circuit.fmt(f),
            Self::Walk(walk) => walk.fmt(f),
        }
    }
}
