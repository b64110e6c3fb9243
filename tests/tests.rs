//! All integration tests in one binary.

mod architecture;
mod cli;
mod coin;
mod common;
mod engines;
mod readme;
mod shaders;
mod window;
