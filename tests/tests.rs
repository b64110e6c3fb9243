//! All integration tests in one binary.

mod architecture;
mod coin;
mod common;
mod engines;
mod shaders;
mod window;
