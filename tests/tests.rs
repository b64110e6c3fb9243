//! All integration tests in one binary.

mod architecture;
mod cli;
mod coin;
mod common;
mod engines;
mod shaders;
mod window;
