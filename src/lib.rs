//! Biota
pub mod board;
pub mod cell;
pub mod cli;
pub mod coin;
pub mod coords;
pub mod engine;
pub mod export;
pub mod lattice;
pub mod pattern;
pub mod rule;
pub mod session;
pub mod verify;
