//! All integration tests in one binary.

mod common;
mod engines;
mod facts;
mod library;
