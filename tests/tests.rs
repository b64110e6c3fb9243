//! All integration tests in one binary.

mod architecture;
mod cli;
mod coin;
mod common;
mod engines;
mod facts;
mod library;
mod readme;
mod rule_files;
mod shaders;
mod terminal;
mod window;
