//! The shader texts, joined from `shaders/*.wgsl` and what the rule's kernel emits.
//!
//! Shaders don't branch on uniforms alone. Mesa's lavapipe 22.3 (that of Debian 12) makes constants of such uniforms; where
//! more than half of a shader falls away by that, it compiles the shader again each time its pipeline is used, also with the
//! same values, and keeps what it compiled: a megabyte for each picture. So a condition looks at something else besides (`&`
//! and `|` are no branches, `&&` and `||` are), and what seldom changes and saves much is a constant of the pipeline. Only
//! kernels whose invocations wait for each other branch on how edges are glued. `tests/shaders.rs` holds all to it.

use std::fmt::Write;

use super::layout::{CHUNK, LEAP, TILE_SHIFT, block_rows};
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

/// A text in which the loops over `name` from 0 to `limit`, which is `count`, are written out: so that what they index is
/// known and can be in registers, whatever a driver makes of loops.
fn written_out(text: &str, name: &str, limit: &str, count: u32) -> String {
    let head = format!("for (var {name} = 0u; {name} < {limit}; {name}++) {{");
    let mut lines = text.lines();
    let mut out = String::new();
    while let Some(line) = lines.next() {
        let Some(margin) = line.strip_suffix(head.as_str()) else {
            out += line;
            out.push('\n');
            continue;
        };
        let end = format!("{margin}}}");
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != end).collect();
        for value in 0..count {
            let _ =
                write!(out, "{margin}{{\n{margin}    const {name} = {value}u;\n{}\n{end}\n", body.join("\n"));
        }
    }
    out
}

/// A text in which the loops over planes are written out.
fn plane_by_plane(kernel: &Kernel, text: &str) -> String {
    let planes = u32::try_from(kernel.planes()).expect("a few planes");
    written_out(text, "plane", "PLANES", planes)
}

/// One generation, and several at once.
pub fn step_source(kernel: &Kernel, integers: Integers) -> String {
    let block = block_rows(kernel.planes());
    let sizes = format!("const LEAP = {LEAP}u;\nconst BLOCK = {block}u;\nconst CHUNK = {CHUNK}u;\n");
    // Walks are long, and loops themselves.
    let leap = match kernel {
        Kernel::Circuit(_) => written_out(LEAP_PART, "y", "CHUNK", CHUNK),
        Kernel::Walk(_) => LEAP_PART.to_owned(),
    };
    let [step, leap] = [STEP, &leap].map(|text| plane_by_plane(kernel, text));
    let parts = [integers.product(), PHILOX, &step, &sizes, &leap];
    on_board(&wgsl::step_functions(kernel), &parts)
}

/// Several generations in registers; none where a kernel has no circuit.
pub fn shuffle_source(kernel: &Kernel, shuffling: &Shuffling, integers: Integers) -> Option<String> {
    let text = shuffling.text(kernel.as_circuit()?);
    let step = plane_by_plane(kernel, STEP);
    let parts = [integers.product(), PHILOX, &step, &text, SHUFFLE];
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_are_written_out_one_inside_the_other() {
        let text = "a\n    for (var y = 0u; y < N; y++) {\n        for (var p = 0u; p < M; p++) {\n            b[y][p];\n        }\n        if c {\n        }\n    }\nd\n";
        let out = written_out(&written_out(text, "y", "N", 2), "p", "M", 2);
        assert!(!out.contains("for"), "{out}");
        assert_eq!([out.matches("b[y][p];").count(), out.matches("if c {").count()], [4, 2], "{out}");
        assert_eq!(
            [out.matches("const y = 1u;").count(), out.matches("const p = 1u;").count()],
            [1, 2],
            "{out}"
        );
        assert_eq!([out.matches('{').count(), out.matches('}').count()], [8, 8], "{out}");
        assert!(out.starts_with("a\n") && out.ends_with("d\n"), "{out}");
    }

    #[test]
    fn what_is_stepped_has_no_loops_over_planes() {
        for text in [STEP, LEAP_PART] {
            assert!(text.contains("plane < PLANES"), "there are some");
            assert!(
                !written_out(text, "plane", "PLANES", 3).contains("plane < PLANES"),
                "all are of one form"
            );
        }
        assert!(!written_out(LEAP_PART, "y", "CHUNK", CHUNK).contains("y < CHUNK"), "all are of one form");
    }
}
