//! The shader texts, joined from `shaders/*.wgsl` and what is emitted for the rule's kernel.

use crate::rule::{Kernel, wgsl};

const BOARD: &str = include_str!("../../../shaders/board.wgsl");
const PHILOX: &str = include_str!("../../../shaders/philox.wgsl");
const STEP: &str = include_str!("../../../shaders/step.wgsl");
const TALLY: &str = include_str!("../../../shaders/tally.wgsl");
const DRAW: &str = include_str!("../../../shaders/draw.wgsl");
const PHILOX_TEST: &str = include_str!("../../../shaders/philox_test.wgsl");

/// One generation.
pub fn step_source(kernel: &Kernel) -> String {
    [&wgsl::step_functions(kernel), BOARD, PHILOX, STEP].join("\n")
}

/// Populations and bounds.
pub fn tally_source(kernel: &Kernel) -> String {
    [&wgsl::species_functions(kernel), BOARD, TALLY].join("\n")
}

/// The board as a picture.
pub fn draw_source(kernel: &Kernel) -> String {
    [&wgsl::species_functions(kernel), BOARD, DRAW].join("\n")
}

/// Random bits for given counters: for comparing the coin with its twin on the CPU.
pub fn philox_test_source() -> String {
    [PHILOX, PHILOX_TEST].join("\n")
}
