//! Biota
pub mod app;
pub mod board;
pub mod cell;
pub mod coin;
pub mod coords;
pub mod engine;
pub mod lattice;
pub mod palette;
pub mod pattern;
pub mod rule;
pub mod session;
