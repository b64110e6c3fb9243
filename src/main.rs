//! Biota
fn main() {}
