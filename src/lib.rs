//! Biota
pub mod board;
pub mod cell;
pub mod coin;
pub mod coords;
pub mod lattice;
