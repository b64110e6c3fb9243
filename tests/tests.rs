//! All integration tests in one binary.

mod cli;
mod common;
mod engines;
