//! Steps a two-state RLE with `SIMDEngine` of the crate `gol_engines`, on a torus whose side is a power of two; prints
//! the seconds that it took and the population.
//!
//! `gol_engines FILE LOG2_OF_GENERATIONS`

use std::time::Instant;

use gol_engines::{GoLEngine, Pattern, SIMDEngine, Topology};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let exponent = arguments[2].parse().expect("a number");
    let pattern = Pattern::from_file(&arguments[1]).expect("an RLE");
    let mut engine = SIMDEngine::new(4096);
    engine.load_pattern(&pattern, Topology::Torus).expect("it fits");
    let start = Instant::now();
    engine.update(exponent).expect("it steps");
    let seconds = start.elapsed().as_secs_f64();
    println!("{seconds} {}", engine.current_state().population());
}
