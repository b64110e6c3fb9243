//! Circuits of well-known rules, compiled with the program: all gates of a generation in one loop, values in registers.
//!
//! The functions in `native/rules.rs` are written by a test from the circuits that the rules compile to, and looked up
//! by a fingerprint of the whole circuit. So they can't fall behind: a circuit that has changed is not found, and the
//! test fails until they are written anew.
//!
//! A function works on [`BLOCK`] vectors of a column at a time: the features of these and of one beyond at both ends are
//! made once each and never stored. Its loop runs over the words of a vector, the rows of the block standing in its body
//! one after the other, since that is what compilers make vector code of.

#[rustfmt::skip]
mod rules;

use super::stepper::VECTOR;
use crate::rule::circuit::Circuit;

/// Vectors of a block; columns are some blocks long.
pub(super) const BLOCK: usize = 4;
/// Words of a block, and with a vector more at both ends.
const BLOCK_WORDS: usize = VECTOR * BLOCK;
const WIDE_WORDS: usize = VECTOR * (BLOCK + 2);

/// A circuit as a compiled function.
pub(super) struct Native {
    /// [`fingerprint`] of the circuit.
    fingerprint: u64,
    /// A generation of one column.
    ///
    /// From: of each plane the column left of it, the column itself and that right of it, with their seams. To: the next
    /// planes with every coin at 0, without seams; after these, for rules that toss, where coins are needed, and what a
    /// coin of 1 turns in each plane of `turned`.
    pub(super) column: fn(&[&[u64]], &mut [&mut [u64]]),
    pub(super) turned: Option<&'static [usize]>,
}

impl Native {
    /// Outputs past the planes.
    pub(super) fn extras(&self) -> usize {
        self.turned.map_or(0, |turned| 1 + turned.len())
    }
}

/// The block of a column with seams that begins at word `at` of the column without them, and a vector more at both ends.
fn wide(column: &[u64], at: usize) -> &[u64; WIDE_WORDS] {
    column[at..].first_chunk().expect("columns are some blocks long")
}

/// The block of a column without seams that begins at word `at`.
fn block(column: &mut [u64], at: usize) -> &mut [u64; BLOCK_WORDS] {
    column[at..].first_chunk_mut().expect("columns are some blocks long")
}

/// The compiled functions of a circuit, if it is one of those that have them.
pub(super) fn find(circuit: &Circuit) -> Option<&'static Native> {
    let wanted = fingerprint(circuit);
    rules::ALL.iter().find(|native| native.fingerprint == wanted)
}

/// FNV-1a of all that a circuit is.
fn fingerprint(circuit: &Circuit) -> u64 {
    let Circuit { encoding, row, cell, cell_inputs, tosses, coin_free } = circuit;
    let codes = encoding.codes();
    format!("{codes:?} {row:?} {cell:?} {cell_inputs:?} {tosses:?} {coin_free}")
        .bytes()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;
    use crate::rule::circuit::{CellInput, Gate, Program, Row};
    use crate::rule::parse;
    use crate::rule::wgsl::expression;

    /// The rules that are compiled beforehand, by their names among the named ones.
    const NAMES: [&str; 8] =
        ["Life", "HighLife", "Day & Night", "Seeds", "Brian's Brain", "Immigration", "QuadLife", "P2Life"];

    #[test]
    fn precompiled_rules_see_eight_neighbours_toss_one_coin_and_leave_empty_space_empty() {
        for name in NAMES {
            let rule = parse(name).expect("a rule");
            let (kernel, depends_on) = (rule.kernel().expect("a kernel"), rule.depends_on());
            assert_eq!(depends_on.neighbourhood, crate::lattice::Neighbourhood::Moore, "{name}");
            assert!(kernel.coins() <= 1, "{name} tosses {}", kernel.coins());
            assert!(rule.empty_space_stays_dead(), "{name}");
        }
        assert_eq!(rules::ALL.len(), NAMES.len(), "there are no others");
    }

    /// A gate over these names of values.
    fn gate(gate: Gate, names: &[String]) -> String {
        let [a, b, c] = gate.inputs.map(|value| names[value].as_str());
        expression(gate.lut)
            .replace('~', "!")
            .replace('A', "\u{1}")
            .replace('B', "\u{2}")
            .replace('C', "\u{3}")
            .replace('\u{1}', a)
            .replace('\u{2}', b)
            .replace('\u{3}', c)
            .replace("0xFFFFFFFFu", "u64::MAX")
            .replace("0u", "0")
    }

    fn listed(items: impl IntoIterator<Item = impl AsRef<str>>) -> String {
        items.into_iter().map(|item| item.as_ref().to_owned()).collect::<Vec<_>>().join(", ")
    }

    fn numbered(letter: char, count: usize) -> Vec<String> {
        (0..count).map(|n| format!("{letter}{n}")).collect()
    }

    /// The function from one row to its features.
    fn row(name: &str, program: &Program, planes: usize) -> String {
        let features = program.outputs.len();
        let mut names: Vec<String> = (0..planes)
            .flat_map(|p| {
                [
                    format!("(h[{p}] << 2 | l[{p}] >> 62)"),
                    format!("(h[{p}] << 1 | l[{p}] >> 63)"),
                    format!("h[{p}]"),
                    format!("(h[{p}] >> 1 | r[{p}] << 63)"),
                    format!("(h[{p}] >> 2 | r[{p}] << 62)"),
                ]
            })
            .collect();
        names.extend(numbered('g', program.gates.len()));
        let words = format!("[u64; {planes}]");
        let mut text = format!(
            "#[inline(always)]\nfn {name}_row(l: {words}, h: {words}, r: {words}) -> [u64; {features}] {{\n"
        );
        for (index, &g) in program.gates.iter().enumerate() {
            let _ = writeln!(text, "    let g{index} = {};", gate(g, &names));
        }
        let _ = writeln!(text, "    [{}]\n}}\n", listed(program.outputs.iter().map(|&value| &names[value])));
        text
    }

    /// The function from the features of three rows to the next planes and what there is beside them, how many that are, and
    /// the planes that a coin turns.
    fn cell(name: &str, circuit: &Circuit) -> (String, usize, Option<Vec<usize>>) {
        let program = &circuit.cell;
        let coin = |input: &CellInput| matches!(input, CellInput::Coin(_));
        let mut turns: Vec<bool> = circuit.cell_inputs.iter().map(coin).collect();
        // Values when the coin is 0, and when it is 1.
        let mut sides = [0, 1].map(|side: u8| -> Vec<String> {
            let of = |input: &CellInput| match (input, side) {
                (CellInput::Feature(Row::Above, n), _) => format!("above[{n}]"),
                (CellInput::Feature(Row::Here, n), _) => format!("here[{n}]"),
                (CellInput::Feature(Row::Below, n), _) => format!("below[{n}]"),
                (CellInput::Coin(_), 0) => "0".to_owned(),
                (CellInput::Coin(_), _) => "u64::MAX".to_owned(),
                (other, _) => panic!("{other:?} is not for compiled functions"),
            };
            circuit.cell_inputs.iter().map(of).collect()
        });
        let mut body = String::new();
        for (index, &g) in program.gates.iter().enumerate() {
            let turned = g.inputs.iter().any(|&value| turns[value]);
            turns.push(turned);
            let line = gate(g, &sides[0]);
            let _ = writeln!(body, "    let g{index} = {line};");
            sides[0].push(format!("g{index}"));
            if turned {
                let line = gate(g, &sides[1]);
                let _ = writeln!(body, "    let h{index} = {line};");
            }
            sides[1].push(format!("{}{index}", if turned { 'h' } else { 'g' }));
        }
        let mut outputs: Vec<String> = program.outputs.iter().map(|&value| sides[0][value].clone()).collect();
        let turned = circuit.tosses.map(|mask| {
            outputs.push(sides[0][mask].clone());
            let planes = 0..circuit.planes();
            let turned: Vec<usize> = planes.filter(|&p| turns[program.outputs[p]]).collect();
            let turn = |&p: &usize| {
                let value = program.outputs[p];
                format!("{} ^ {}", sides[0][value], sides[1][value])
            };
            outputs.extend(turned.iter().map(turn));
            turned
        });
        let words = format!("[u64; {}]", circuit.row.outputs.len());
        let text = format!(
            "#[inline(always)]\nfn {name}_cell(above: {words}, here: {words}, below: {words}) -> [u64; {}] {{\n{body}    [{}]\n}}\n\n",
            outputs.len(),
            listed(&outputs)
        );
        (text, outputs.len(), turned)
    }

    /// The function of a column, and the closure that hands slices on to it.
    fn column(name: &str, planes: usize, outputs: usize) -> (String, String) {
        let inputs: Vec<String> =
            (0..planes).flat_map(|p| ["l", "h", "r"].map(|side| format!("{side}{p}"))).collect();
        let outputs = numbered('o', outputs);
        let parameters = inputs
            .iter()
            .map(|input| format!("{input}: &[u64]"))
            .chain(outputs.iter().map(|output| format!("{output}: &mut [u64]")));
        let mut text = format!(
            "#[multiversion(targets(\"x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vbmi2\", \"x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl\", \"x86_64+avx2\", \"aarch64+neon\"))]\nfn {name}({}) {{\n    for at in (0..o0.len()).step_by(BLOCK_WORDS) {{\n",
            listed(parameters)
        );
        for input in &inputs {
            let _ = writeln!(text, "        let {input} = wide({input}, at);");
        }
        for output in &outputs {
            let _ = writeln!(text, "        let {output} = block({output}, at);");
        }
        text += "        for i in 0..VECTOR {\n";
        for row in 0..BLOCK + 2 {
            let side = |side: &str| listed((0..planes).map(|p| format!("{side}{p}[{} + i]", VECTOR * row)));
            let _ = writeln!(
                text,
                "            let f{row} = {name}_row([{}], [{}], [{}]);",
                side("l"),
                side("h"),
                side("r")
            );
            if row >= 2 {
                let of_row = |output: &String| format!("{output}[{} + i]", VECTOR * (row - 2));
                let _ = writeln!(
                    text,
                    "            [{}] = {name}_cell(f{}, f{}, f{row});",
                    listed(outputs.iter().map(of_row)),
                    row - 2,
                    row - 1
                );
            }
        }
        text += "        }\n    }\n}\n\n";
        let given = listed(inputs.iter().chain(&outputs));
        let hand = format!(
            "|from, to| {{\n            let ([{}], [{}]) = (from, to) else {{ return }};\n            {name}({given});\n        }}",
            listed(&inputs),
            listed(&outputs)
        );
        (text, hand)
    }

    fn text() -> String {
        let mut text = String::from(
            "//! Written by `BIOTA_WRITE_NATIVE=1 cargo test native`; see native.rs.\n\n#![expect(clippy::all, clippy::pedantic, reason = \"written by a program\")]\n\nuse multiversion::multiversion;\n\nuse super::{BLOCK_WORDS, Native, VECTOR, block, wide};\n\n",
        );
        let mut table = String::from("/// All of them.\npub(super) static ALL: &[Native] = &[\n");
        for name in NAMES {
            let rule = parse(name).expect("a named rule");
            let kernel = rule.kernel().expect("a kernel");
            let circuit = kernel.as_circuit().unwrap_or_else(|| panic!("{name} has a circuit"));
            let low: String =
                name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
            let row = row(&low, &circuit.row, circuit.planes());
            let (cell, outputs, turned) = cell(&low, circuit);
            let (column, hand) = column(&low, circuit.planes(), outputs);
            let _ = write!(text, "// {name}: {circuit}.\n{row}{cell}{column}");
            let turned = turned.map_or("None".to_owned(), |turned| format!("Some(&{turned:?})"));
            let _ = writeln!(
                table,
                "    // {name}\n    Native {{\n        fingerprint: 0x{:016x},\n        column: {hand},\n        turned: {turned},\n    }},",
                fingerprint(circuit)
            );
        }
        format!("{text}{table}];\n")
    }

    #[test]
    fn the_compiled_functions_are_those_of_the_present_circuits() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/engine/cpu/native/rules.rs");
        let wanted = text();
        if std::env::var_os("BIOTA_WRITE_NATIVE").is_some() {
            std::fs::write(path, &wanted).expect("the file can be written");
        }
        let found = std::fs::read_to_string(path).expect("the file is there");
        assert!(found == wanted, "run BIOTA_WRITE_NATIVE=1 cargo test native, then build anew");
    }
}
