//! All integration tests in one binary.

mod architecture;
mod cli;
mod coin;
mod common;
mod draw;
mod engines;
mod facts;
mod laws;
mod library;
mod lost;
mod readme;
mod rule_files;
mod rules;
mod shaders;
mod terminal;
mod tiles;
mod walks;
mod window;
