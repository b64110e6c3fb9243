//! Biota
pub mod board;
pub mod cell;
pub mod coin;
pub mod coords;
pub mod engine;
pub mod lattice;
pub mod pattern;
pub mod rule;
pub mod session;
pub mod term;
