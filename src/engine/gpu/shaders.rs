//! The shader texts, joined from `shaders/*.wgsl` and what the rule's kernel emits.

use super::layout::{LEAP, TILE_SHIFT, block_rows};
use super::shuffle::Shuffling;
use crate::rule::Kernel;
use crate::rule::wgsl;

const BOARD: &str = include_str!("../../../shaders/board.wgsl");
const PRODUCT_32: &str = include_str!("../../../shaders/product32.wgsl");
const PRODUCT_64: &str = include_str!("../../../shaders/product64.wgsl");
const PHILOX: &str = include_str!("../../../shaders/philox.wgsl");
const STEP: &str = include_str!("../../../shaders/step.wgsl");
const LEAP_PART: &str = include_str!("../../../shaders/leap.wgsl");
const SHUFFLE: &str = include_str!("../../../shaders/shuffle.wgsl");
const MARGIN: &str = include_str!("../../../shaders/margin.wgsl");
const COPY: &str = include_str!("../../../shaders/copy.wgsl");
const TALLY: &str = include_str!("../../../shaders/tally.wgsl");
const COVER: &str = include_str!("../../../shaders/cover.wgsl");
const VIEW: &str = include_str!("../../../shaders/view.wgsl");
const NEAR: &str = include_str!("../../../shaders/near.wgsl");
const FAR: &str = include_str!("../../../shaders/far.wgsl");
const DRAW: &str = include_str!("../../../shaders/draw.wgsl");
const PICTURE: &str = include_str!("../../../shaders/picture.wgsl");
const PHILOX_TEST: &str = include_str!("../../../shaders/philox_test.wgsl");

/// The integers that an adapter's shaders have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integers {
    /// Of 32 bits only.
    Narrow,
    /// Of 64 bits too.
    Wide,
}

impl Integers {
    /// The text that `shaders/philox.wgsl` comes after.
    const fn product(self) -> &'static str {
        match self {
            Self::Narrow => PRODUCT_32,
            Self::Wide => PRODUCT_64,
        }
    }
}

/// `shaders/board.wgsl` after the rule's text.
fn on_board(rule: &str, parts: &[&str]) -> String {
    let tile = format!("const TILE_SHIFT = {TILE_SHIFT}u;\n");
    [&[rule, &tile, BOARD], parts].concat().join("\n")
}

/// One generation, and several at once.
pub fn step_source(kernel: &Kernel, integers: Integers) -> String {
    let block = block_rows(kernel.planes());
    let sizes = format!("const LEAP = {LEAP}u;\nconst BLOCK = {block}u;\n");
    let parts = [integers.product(), PHILOX, STEP, &sizes, LEAP_PART];
    on_board(&wgsl::step_functions(kernel), &parts)
}

/// Several generations in registers; none where a kernel has no circuit.
pub fn shuffle_source(kernel: &Kernel, shuffling: &Shuffling, integers: Integers) -> Option<String> {
    let text = shuffling.text(kernel.as_circuit()?);
    let parts = [integers.product(), PHILOX, STEP, &text, SHUFFLE];
    Some(on_board(&wgsl::step_functions(kernel), &parts))
}

/// Populations and bounds.
pub fn tally_source(kernel: &Kernel) -> String {
    on_board(&wgsl::species_functions(kernel), &[TALLY])
}

/// The board as a picture.
pub fn draw_source(kernel: &Kernel) -> String {
    on_board(&wgsl::species_functions(kernel), &[COVER, VIEW, DRAW])
}

/// The cells that are seen from near.
pub fn near_source(kernel: &Kernel) -> String {
    on_board(&wgsl::species_functions(kernel), &[COVER, VIEW, NEAR])
}

/// A picture that was made elsewhere.
pub fn picture_source() -> String {
    [COVER, PICTURE].join("\n")
}

/// The mean colours of blocks of cells.
pub fn far_source(kernel: &Kernel) -> String {
    on_board(&wgsl::species_functions(kernel), &[VIEW, FAR])
}

/// Ghost cells around boards whose edges are glued.
pub fn margin_source(planes: usize) -> String {
    on_board(&format!("const PLANES = {planes}u;\n"), &[MARGIN])
}

/// Tiles from and to the CPU.
pub fn copy_source(planes: usize) -> String {
    on_board(&format!("const PLANES = {planes}u;\n"), &[COPY])
}

/// Random bits for given counters: for comparing the coin with its twin on the CPU.
pub fn philox_test_source(integers: Integers) -> String {
    [integers.product(), PHILOX, PHILOX_TEST].join("\n")
}
