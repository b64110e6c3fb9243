//! All integration tests in one binary.

mod architecture;
mod cli;
mod coin;
mod common;
mod engines;
mod facts;
mod laws;
mod library;
mod readme;
mod shaders;
mod terminal;
mod window;
