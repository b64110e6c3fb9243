//! The leap in registers: what shape its work has on an adapter, and the part of its text that names each word. The rest
//! is `shaders/shuffle.wgsl`.
//!
//! ```wgsl
//! var<private> w0_0_0: u32; …     row, word of the window, plane
//! fn load_rows()
//! fn next_generation()
//! fn keep_inside()
//! fn put_rows()
//! fn store_row(texel: vec3<u32>, owner: u32, index: u32, mask: u32)
//! ```
//!
//! Known limits: rules with a circuit whose neighbourhood reaches one cell far, of a few planes.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use super::layout::{LEAP, TILE_ROWS, TILE_WORDS};
use crate::rule::Kernel;
use crate::rule::circuit::{CellInput, Circuit, Gate, Program, Row};
use crate::rule::wgsl::gate_lines;

/// How many invocations the subgroups of an adapter have: powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subgroups {
    /// At the least.
    pub least: u32,
    /// At the most.
    pub most: u32,
}

impl Subgroups {
    /// Sizes with which the kernel is worth its while, and right.
    const SIZES: Range<u32> = 16..129;

    /// None where they are too small, or of sizes that no adapter is known to have.
    pub fn new(least: u32, most: u32) -> Option<Self> {
        let fits = |size: u32| Self::SIZES.contains(&size) && size.is_power_of_two();
        (fits(least) && fits(most) && least <= most).then_some(Self { least, most })
    }

    fn sizes(self) -> impl Iterator<Item = u32> {
        (self.least.ilog2()..=self.most.ilog2()).map(|shift| 1 << shift)
    }
}

/// What one invocation holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Rows.
    pub rows: u32,
    /// Words of a row that it works for; it holds one more.
    pub words: u32,
}

impl Shape {
    /// Words of all planes that may be in registers, half as many being needed beside them: so that there are enough
    /// invocations at a time to hide what each waits for, and so that there are just a few, of the 255 registers that an
    /// invocation can have on the GPUs of NVIDIA.
    pub const REGISTERS: u32 = 100;
    /// The same for tall shapes.
    pub const TALL_REGISTERS: u32 = 170;

    /// The shape whose results are useful to the greatest part, in subgroups of so many invocations, with at most so
    /// many words in registers.
    pub fn best(planes: u32, subgroup: u32, registers: u32) -> Option<Self> {
        let shapes = [TILE_WORDS, TILE_WORDS / 2]
            .into_iter()
            .flat_map(|words| (2..=registers).map(move |rows| Self { rows, words }));
        shapes
            .filter(|shape| shape.registers(planes) <= registers)
            .filter(|shape| shape.rows_of_use(subgroup) > 0)
            .max_by(|one, other| {
                one.useful(subgroup)
                    .total_cmp(&other.useful(subgroup))
                    .then(other.registers(planes).cmp(&one.registers(planes)))
            })
    }

    const fn registers(self, planes: u32) -> u32 {
        self.rows * (self.words + 1) * planes
    }

    /// Rows of a subgroup that are right after a leap.
    fn rows_of_use(self, subgroup: u32) -> u32 {
        (subgroup * self.rows).saturating_sub(2 * margin()).min(TILE_ROWS)
    }

    /// Subgroups that a window takes from the top of a tile to its bottom.
    fn bands(self, subgroup: u32) -> u32 {
        TILE_ROWS.div_ceil(self.rows_of_use(subgroup).max(1))
    }

    /// The share of what is worked out that is a tile's next state.
    pub fn useful(self, subgroup: u32) -> f64 {
        let rows = f64::from(TILE_ROWS) / f64::from(self.bands(subgroup) * subgroup * self.rows);
        rows * f64::from(self.words) / f64::from(self.words + 1)
    }
}

/// Rows above and below, and cells left and right, that a leap spoils.
fn margin() -> u32 {
    u32::try_from(LEAP).expect("a few generations")
}

/// Where the kernel of a rule can be run by shuffles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shuffling {
    shape: Shape,
    subgroups: Subgroups,
    /// Coins that a cell may toss.
    coins: u32,
    planes: u32,
}

impl Shuffling {
    /// Of the best shape with at most so many words in registers. None for kernels that have no circuit, look further
    /// than a cell, or have too many planes.
    pub fn of(kernel: &Kernel, subgroups: Subgroups, registers: u32) -> Option<Self> {
        let circuit = kernel.as_circuit().filter(|circuit| looks_one_cell_far(circuit))?;
        let planes = u32::try_from(circuit.planes()).ok()?;
        let coins = circuit.cell_inputs.iter().filter_map(|input| match input {
            CellInput::Coin(toss) => Some(toss + 1),
            _ => None,
        });
        let coins = if circuit.uses_coins() { coins.max().unwrap_or(0) } else { 0 };
        Some(Self { shape: Shape::best(planes, subgroups.least, registers)?, subgroups, coins, planes })
    }

    /// What one invocation holds.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Workgroups that a tile takes.
    pub(super) fn parts(&self) -> u32 {
        let subgroups = |size| self.subgroups.most / size;
        let groups = self.subgroups.sizes().map(|size| self.shape.bands(size).div_ceil(subgroups(size)));
        groups.max().unwrap_or(1) * (TILE_WORDS / self.shape.words)
    }

    /// Words of workgroup memory of an invocation: an odd number, so that those that neighbours have at the same index
    /// lie in different banks.
    fn scratch(&self) -> u32 {
        let Shape { rows, words } = self.shape;
        (self.planes * rows * words).max(self.coins * rows * (words + 2)) | 1
    }

    /// Bytes of workgroup memory of a workgroup.
    pub(super) fn workgroup_bytes(&self) -> u32 {
        4 * self.scratch() * self.subgroups.most
    }

    /// The text that `shaders/shuffle.wgsl` comes after.
    pub(super) fn text(&self, circuit: &Circuit) -> String {
        let Shape { rows, words } = self.shape;
        let mut text = String::new();
        for (name, value) in [
            ("LEAP", margin()),
            ("ROWS", rows),
            ("WORDS", words),
            ("LANES", self.subgroups.most),
            ("PARTS", self.parts()),
            ("COINS", self.coins),
            ("SCRATCH", self.scratch()),
        ] {
            put(&mut text, format_args!("const {name} = {value}u;"));
        }
        let writer = Writer { circuit, rows, columns: words + 1, planes: self.planes };
        writer.registers(&mut text);
        writer.load_rows(&mut text);
        writer.next_generation(&mut text);
        writer.keep_inside(&mut text);
        writer.put_rows(&mut text);
        text
    }
}

/// Adds a line.
fn put(text: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = writeln!(text, "{line}");
}

/// Whether a gate's value is another one when only this input is.
fn depends(gate: &Gate, input: usize) -> bool {
    let bit = 4 >> input;
    (0..8).any(|minterm| (gate.lut >> minterm ^ gate.lut >> (minterm ^ bit)) & 1 == 1)
}

/// Whether no row program looks at cells two away.
fn looks_one_cell_far(circuit: &Circuit) -> bool {
    let Program { inputs, gates, outputs } = &circuit.row;
    let read = gates
        .iter()
        .flat_map(|gate| (0..3).filter(|&input| depends(gate, input)).map(|input| gate.inputs[input]));
    let far = |value: usize| value < *inputs && matches!(value % 5, 0 | 4);
    !read.chain(outputs.iter().copied()).any(far)
}

/// Writes the text for a circuit.
struct Writer<'a> {
    circuit: &'a Circuit,
    rows: u32,
    columns: u32,
    planes: u32,
}

/// The word of a window in the row of an invocation, of one plane.
fn word(row: u32, column: u32, plane: u32) -> String {
    format!("w{row}_{column}_{plane}")
}

impl Writer<'_> {
    fn registers(&self, text: &mut String) {
        for row in 0..self.rows {
            for column in 0..self.columns {
                for plane in 0..self.planes {
                    put(text, format_args!("var<private> {}: u32;", word(row, column, plane)));
                }
            }
        }
    }

    /// A word of the window is the high half of one word of the board, and the low half of the next.
    fn load_rows(&self, text: &mut String) {
        put(text, format_args!("fn load_rows() {{"));
        for row in 0..self.rows {
            put(text, format_args!("    {{\n        let begin = begin_of(first_row + {row});"));
            for plane in 0..self.planes {
                for from in 0..=self.columns {
                    let (part, word) = match from {
                        0 => ("left", 0),
                        last if last == self.columns => ("right", 0),
                        middle => ("here", middle - 1),
                    };
                    put(
                        text,
                        format_args!(
                            "        let t{from}_{plane} = textureLoad(front, begin.{part}.xy + vec2<u32>({word}u, 0u), begin.{part}.z + {plane}u).x;"
                        ),
                    );
                }
                for column in 0..self.columns {
                    let next = column + 1;
                    put(
                        text,
                        format_args!(
                            "        {} = t{column}_{plane} >> 16u | t{next}_{plane} << 16u;",
                            word(row, column, plane)
                        ),
                    );
                }
            }
            put(text, format_args!("    }}"));
        }
        put(text, format_args!("}}"));
    }

    /// Column by column of words, since the features of all columns would take too many registers.
    fn next_generation(&self, text: &mut String) {
        let asked = |of: Row| -> BTreeSet<usize> {
            let features = self.circuit.cell_inputs.iter().filter_map(|input| match input {
                CellInput::Feature(row, feature) if *row == of => Some(*feature),
                _ => None,
            });
            features.collect()
        };
        let (above, below) = (asked(Row::Above), asked(Row::Below));
        put(text, format_args!("fn next_generation() {{"));
        put(text, format_args!("    let parity_generation = 0u - ((moment.generation_low + ahead) & 1u);"));
        for row in 0..self.rows {
            put(text, format_args!("    let parity{row} = row_parity({row});"));
            for plane in 0..self.planes {
                put(text, format_args!("    var before{row}_{plane} = 0u;"));
            }
        }
        for column in 0..self.columns {
            put(text, format_args!("    {{"));
            let (first, last) = (0, self.rows - 1);
            let of_first = self.features(text, first, column);
            let of_last = self.features(text, last, column);
            for &feature in &above {
                let value = &of_last[feature];
                put(text, format_args!("    let above{feature} = subgroupShuffleUp({value}, 1u);"));
            }
            for &feature in &below {
                let value = &of_first[feature];
                put(text, format_args!("    let below{feature} = subgroupShuffleDown({value}, 1u);"));
            }
            let mut rows = vec![of_first];
            let mut cells = Vec::new();
            for row in first..self.rows {
                // The features of three rows are alive at a time, and those that were given to the neighbours.
                match row + 1 {
                    next if next < last => rows.push(self.features(text, next, column)),
                    next if next == last => rows.push(of_last.clone()),
                    _ => {}
                }
                cells.push(self.cell(text, row, column, &rows));
            }
            if self.tosses().is_some() {
                self.toss(text, &cells);
                for (row, names) in (0..self.rows).zip(&cells) {
                    self.cell_with_coins(text, row, column, names);
                }
            }
            put(text, format_args!("    }}"));
        }
        put(text, format_args!("}}"));
    }

    /// The features of one word, and how they are called.
    fn features(&self, text: &mut String, row: u32, column: u32) -> Vec<String> {
        let mut names = Vec::new();
        for plane in 0..self.planes {
            let (old, next) = (format!("old{row}_{plane}"), column + 1);
            put(text, format_args!("    let {old} = {};", word(row, column, plane)));
            let after = if next < self.columns { word(row, next, plane) } else { "0u".to_owned() };
            put(text, format_args!("    let left{row}_{plane} = {old} << 1u | before{row}_{plane} >> 31u;"));
            put(text, format_args!("    let right{row}_{plane} = {old} >> 1u | {after} << 31u;"));
            put(text, format_args!("    before{row}_{plane} = {old};"));
            let far = || "0u".to_owned();
            names.extend([far(), format!("left{row}_{plane}"), old, format!("right{row}_{plane}"), far()]);
        }
        let program = &self.circuit.row;
        names.extend((0..program.gates.len()).map(|gate| format!("f{row}_{gate}")));
        text.extend(gate_lines(program, &names, 0..program.gates.len()));
        program.outputs.iter().map(|&output| names[output].clone()).collect()
    }

    /// Which value of the cell program says where coins are needed, if it reads any.
    fn tosses(&self) -> Option<usize> {
        self.circuit.tosses.filter(|_| self.circuit.uses_coins())
    }

    /// What becomes of one word, as far as that is known without coins; and how the values of the cell program are called.
    fn cell(&self, text: &mut String, row: u32, column: u32, features: &[Vec<String>]) -> Vec<String> {
        let program = &self.circuit.cell;
        let all = program.gates.len();
        let inputs = self.circuit.cell_inputs.iter().map(|&input| input_name(input, row, features));
        let names: Vec<String> = inputs.chain((0..all).map(|gate| format!("g{row}_{gate}"))).collect();
        if self.tosses().is_some() {
            text.extend(gate_lines(program, &names, 0..self.circuit.coin_free));
        } else {
            text.extend(gate_lines(program, &names, 0..all));
            self.keep(text, row, column, &names);
        }
        names
    }

    /// Coins are tossed when the first cell of the subgroup needs one: then there are some for all.
    fn toss(&self, text: &mut String, cells: &[Vec<String>]) {
        let Some(tosses) = self.tosses() else { return };
        let any: Vec<&str> = cells.iter().map(|names| names[tosses].as_str()).collect();
        put(text, format_args!("    if !is_tossed {{"));
        put(text, format_args!("        if subgroupAny(({}) != 0u) {{", any.join(" | ")));
        put(
            text,
            format_args!("            toss_coins();\n            is_tossed = true;\n        }}\n    }}"),
        );
    }

    /// What becomes of one word, from where the coins come in.
    fn cell_with_coins(&self, text: &mut String, row: u32, column: u32, names: &[String]) {
        for input in &self.circuit.cell_inputs {
            if let CellInput::Coin(toss) = input {
                let index = (toss * self.rows + row) * (self.columns + 1) + column;
                let next = index + 1;
                put(
                    text,
                    format_args!(
                        "    let coin{row}_{toss} = scratch[place][{index}] >> 16u | scratch[place][{next}] << 16u;"
                    ),
                );
            }
        }
        let program = &self.circuit.cell;
        text.extend(gate_lines(program, names, self.circuit.coin_free..program.gates.len()));
        self.keep(text, row, column, names);
    }

    /// Keeps the next planes of a word.
    fn keep(&self, text: &mut String, row: u32, column: u32, names: &[String]) {
        for (plane, &output) in (0..self.planes).zip(&self.circuit.cell.outputs) {
            put(text, format_args!("    {} = {};", word(row, column, plane), names[output]));
        }
    }

    fn keep_inside(&self, text: &mut String) {
        put(text, format_args!("fn keep_inside() {{"));
        for column in 0..self.columns {
            put(text, format_args!("    let columns{column} = columns_inside({column}u);"));
        }
        for row in 0..self.rows {
            put(text, format_args!("    let row{row} = row_inside({row});"));
            for column in 0..self.columns {
                for plane in 0..self.planes {
                    let word = word(row, column, plane);
                    put(text, format_args!("    {word} &= columns{column} & row{row};"));
                }
            }
        }
        put(text, format_args!("}}"));
    }

    /// Puts words where they stand on the board into `scratch`, plane after plane and row after row.
    fn put_rows(&self, text: &mut String) {
        let words = self.columns - 1;
        let plane_words = self.rows * words;
        put(text, format_args!("fn put_rows() {{"));
        for plane in 0..self.planes {
            for row in 0..self.rows {
                for column in 0..words {
                    let index = plane * plane_words + row * words + column;
                    let [low, high] = [column, column + 1].map(|column| word(row, column, plane));
                    put(text, format_args!("    scratch[place][{index}] = {low} >> 16u | {high} << 16u;"));
                }
            }
        }
        put(text, format_args!("}}"));
        put(text, format_args!("fn store_row(texel: vec3<u32>, owner: u32, index: u32, mask: u32) {{"));
        for plane in 0..self.planes {
            let from = plane * plane_words;
            put(
                text,
                format_args!(
                    "    textureStore(back, texel.xy, texel.z + {plane}u, vec4<u32>(scratch[owner][index + {from}u] & mask, 0u, 0u, 0u));"
                ),
            );
        }
        put(text, format_args!("}}"));
    }
}

/// What an input of the cell program is called in one of the rows.
fn input_name(input: CellInput, row: u32, features: &[Vec<String>]) -> String {
    let at = row as usize;
    match input {
        CellInput::Feature(Row::Above, feature) if row == 0 => format!("above{feature}"),
        CellInput::Feature(Row::Above, feature) => features[at - 1][feature].clone(),
        CellInput::Feature(Row::Here, feature) => features[at][feature].clone(),
        // The last row has none in the invocation.
        CellInput::Feature(Row::Below, feature) => {
            features.get(at + 1).map_or_else(|| format!("below{feature}"), |row| row[feature].clone())
        }
        CellInput::ParityX => "0xAAAAAAAAu".to_owned(),
        CellInput::ParityY => format!("parity{row}"),
        CellInput::ParityGeneration => "parity_generation".to_owned(),
        CellInput::Coin(toss) => format!("coin{row}_{toss}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_a_tile_is_in_some_band_whatever_the_size_of_subgroups() {
        let sizes = [(16, 16), (32, 32), (64, 64), (32, 64), (16, 128)];
        let budgets = [Shape::REGISTERS, Shape::TALL_REGISTERS];
        let cases = (1..=4).flat_map(|planes| sizes.map(|sizes| (planes, sizes)));
        for ((planes, (least, most)), registers) in
            cases.flat_map(|case| budgets.map(|registers| (case, registers)))
        {
            let subgroups = Subgroups::new(least, most).expect("sizes that adapters have");
            let shape = Shape::best(planes, least, registers).expect("few planes");
            assert!(shape.registers(planes) <= registers, "{planes} planes: {shape:?}");
            let shuffling = Shuffling { shape, subgroups, coins: 0, planes };
            let parts = shuffling.parts() / (TILE_WORDS / shape.words);
            for size in subgroups.sizes() {
                // As in shaders/shuffle.wgsl.
                let useful = shape.rows_of_use(size);
                let mut rows = BTreeSet::new();
                for band in 0..parts * (most / size) {
                    let top = (band * useful).min(TILE_ROWS - useful);
                    rows.extend(top..top + useful);
                }
                assert_eq!(rows.len(), 256, "{planes} planes, {size} of {least} to {most}: {shape:?}");
            }
        }
        assert_eq!(Shape::best(12, 32, Shape::REGISTERS), None, "too many planes");
        let sizes = [Subgroups::new(8, 8), Subgroups::new(4, 128), Subgroups::new(32, 16)];
        assert_eq!(sizes, [None; 3], "too small, or none at all");
    }

    #[test]
    fn subgroups_of_32_do_more_that_is_useful_than_blocks_in_workgroup_memory() {
        let useful = |registers| {
            [1, 2, 3, 4].map(|planes| {
                let shape = Shape::best(planes, 32, registers).expect("few planes");
                (shape.rows, shape.words, (1000.0 * shape.useful(32)).round())
            })
        };
        let usual = [(9, 8, 790.0), (5, 8, 711.0), (5, 4, 640.0), (5, 4, 640.0)];
        assert_eq!(useful(Shape::REGISTERS), usual, "rows, words, share in thousandths");
        let tall = [(9, 8, 790.0), (9, 8, 790.0), (5, 8, 711.0), (5, 4, 640.0)];
        assert_eq!(useful(Shape::TALL_REGISTERS), tall, "rows, words, share in thousandths");
    }

    #[test]
    fn operations_are_as_few_as_the_shader_says() {
        let subgroups = Subgroups::new(32, 32).expect("those of NVIDIA");
        let count = |rule: &str| {
            let rule = crate::rule::parse(rule).expect("a rule");
            let kernel = rule.kernel().expect("a kernel");
            let shuffling = Shuffling::of(&kernel, subgroups, Shape::REGISTERS).expect("one cell far");
            let circuit = kernel.as_circuit().expect("a circuit");
            let text = shuffling.text(circuit);
            let of_column = |what: &str| text.matches(what).count() / (shuffling.shape.words as usize + 1);
            (circuit.gates() + 2 * circuit.planes(), of_column("subgroupShuffle"), shuffling.shape.rows)
        };
        // What the head of shaders/shuffle.wgsl says: operations a word, shuffles a column of words, rows.
        let counted = ["Life", "Immigration", "P2Life", "QuadLife"].map(count);
        assert_eq!(counted, [(12, 4, 9), (21, 9, 5), (42, 9, 5), (57, 17, 5)], "Life to QuadLife");
        let far = crate::rule::parse("B45/S34L").expect("a rule").kernel();
        let far = far.expect("a kernel");
        assert_eq!(Shuffling::of(&far, subgroups, Shape::REGISTERS), None, "triangles look two cells far");
    }
}
