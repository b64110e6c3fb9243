//! Circuits of well-known rules, compiled with the program: all gates of a program in one loop, values in registers.
//!
//! The functions in `native/rules.rs` are written by a test from the circuits that the rules compile to, and looked up
//! by a fingerprint of the whole circuit. So they can't fall behind: a circuit that has changed is not found, and the
//! test fails until they are written anew.

#[rustfmt::skip]
mod rules;

use crate::rule::circuit::Circuit;

/// The two programs of a circuit as compiled functions. They read and write slices of equal length.
pub(super) struct Native {
    /// [`fingerprint`] of the circuit.
    fingerprint: u64,
    /// Of each plane the words left of the ones here, those here, and those right of them, to the features that are not
    /// planes as they stand.
    pub(super) row: fn(&[&[u64]], &mut [&mut [u64]]),
    /// Inputs of the cell program to the next planes with every coin at 0; after these, for rules that toss, where coins
    /// are needed, and what a coin of 1 turns in each plane of `turned`.
    pub(super) cell: fn(&[&[u64]], &mut [&mut [u64]]),
    pub(super) turned: Option<&'static [usize]>,
}

impl Native {
    /// Outputs of the cell program past the planes.
    pub(super) fn extras(&self) -> usize {
        self.turned.map_or(0, |turned| 1 + turned.len())
    }
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
    use crate::rule::circuit::{CellInput, Gate, Program};
    use crate::rule::named;
    use crate::rule::parse;
    use crate::rule::wgsl::expression;

    /// The rules that are compiled beforehand, by their names among the named ones.
    const NAMES: [&str; 8] =
        ["Life", "HighLife", "Day & Night", "Seeds", "Brian's Brain", "Immigration", "QuadLife", "P2Life"];

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

    /// A function over slices of one length, whose loop is `body`, and a closure that hands them on to it. Inputs that the
    /// body doesn't read are left out.
    fn whole(name: &str, inputs: &[String], outputs: &[String], body: &str) -> (String, String) {
        let used = |input: &&String| body.contains(&format!("{input}[i]"));
        let parameters: Vec<String> = inputs
            .iter()
            .filter(used)
            .map(|input| format!("{input}: &[u64]"))
            .chain(outputs.iter().map(|output| format!("{output}: &mut [u64]")))
            .collect();
        let mut text = format!(
            "#[multiversion(targets(\"x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl\", \"x86_64+avx2\", \"aarch64+neon\"))]\nfn {name}({}) {{\n    let n = {}.len();\n",
            parameters.join(", "),
            outputs[0]
        );
        for input in inputs.iter().filter(used) {
            let _ = writeln!(text, "    let {input} = &{input}[..n];");
        }
        for output in &outputs[1..] {
            let _ = writeln!(text, "    let {output} = &mut {output}[..n];");
        }
        let _ = writeln!(text, "    for i in 0..n {{\n{body}    }}\n}}\n");
        let patterns: Vec<&str> =
            inputs.iter().map(|input| if used(&input) { input.as_str() } else { "_" }).collect();
        let given: Vec<&str> = inputs.iter().filter(used).chain(outputs).map(String::as_str).collect();
        let hand = format!(
            "|from, to| {{\n            let ([{}], [{}]) = (from, to) else {{ return }};\n            {name}({});\n        }}",
            patterns.join(", "),
            outputs.join(", "),
            given.join(", ")
        );
        (text, hand)
    }

    fn numbered(letter: char, count: usize) -> Vec<String> {
        (0..count).map(|n| format!("{letter}{n}")).collect()
    }

    /// The function of a row program, and the closure.
    fn row(name: &str, program: &Program, planes: usize) -> (String, String) {
        let made: Vec<usize> =
            program.outputs.iter().copied().filter(|&v| v >= program.inputs || v % 5 != 2).collect();
        let outputs = numbered('f', made.len());
        let inputs: Vec<String> =
            (0..planes).flat_map(|p| ["l", "h", "r"].map(|side| format!("{side}{p}"))).collect();
        let mut names: Vec<String> = (0..planes)
            .flat_map(|p| {
                [
                    format!("(h{p}[i] << 2 | l{p}[i] >> 62)"),
                    format!("(h{p}[i] << 1 | l{p}[i] >> 63)"),
                    format!("h{p}[i]"),
                    format!("(h{p}[i] >> 1 | r{p}[i] << 63)"),
                    format!("(h{p}[i] >> 2 | r{p}[i] << 62)"),
                ]
            })
            .collect();
        names.extend(numbered('g', program.gates.len()));
        let mut body = String::new();
        for (index, &g) in program.gates.iter().enumerate() {
            let _ = writeln!(body, "        let g{index} = {};", gate(g, &names));
        }
        for (f, &value) in made.iter().enumerate() {
            let _ = writeln!(body, "        f{f}[i] = {};", names[value]);
        }
        if made.is_empty() {
            return (String::new(), "|_, _| {}".to_owned());
        }
        whole(name, &inputs, &outputs, &body)
    }

    /// The function of a cell program, the closure, and the planes that a coin turns.
    fn cell(name: &str, circuit: &Circuit) -> (String, String, Option<Vec<usize>>) {
        let program = &circuit.cell;
        let inputs = numbered('x', program.inputs);
        let coin = |input: &CellInput| matches!(input, CellInput::Coin(_));
        let mut turns: Vec<bool> = circuit.cell_inputs.iter().map(coin).collect();
        // Values when the coin is 0, and when it is 1.
        let mut sides = [0, 1].map(|side: u8| -> Vec<String> {
            let of = |(x, input): (&String, &CellInput)| match (coin(input), side) {
                (false, _) => format!("{x}[i]"),
                (true, 0) => "0".to_owned(),
                (true, _) => "u64::MAX".to_owned(),
            };
            inputs.iter().zip(&circuit.cell_inputs).map(of).collect()
        });
        let mut body = String::new();
        for (index, &g) in program.gates.iter().enumerate() {
            let turned = g.inputs.iter().any(|&value| turns[value]);
            turns.push(turned);
            let line = gate(g, &sides[0]);
            let _ = writeln!(body, "        let g{index} = {line};");
            sides[0].push(format!("g{index}"));
            if turned {
                let line = gate(g, &sides[1]);
                let _ = writeln!(body, "        let h{index} = {line};");
            }
            sides[1].push(format!("{}{index}", if turned { 'h' } else { 'g' }));
        }
        let planes = circuit.planes();
        let mut outputs = numbered('o', planes);
        for (p, &value) in program.outputs.iter().enumerate() {
            let _ = writeln!(body, "        o{p}[i] = {};", sides[0][value]);
        }
        let turned = circuit.tosses.map(|mask| {
            outputs.push("mask".to_owned());
            let _ = writeln!(body, "        mask[i] = {};", sides[0][mask]);
            let turned: Vec<usize> = (0..planes).filter(|&p| turns[program.outputs[p]]).collect();
            for &p in &turned {
                outputs.push(format!("t{p}"));
                let value = program.outputs[p];
                let _ = writeln!(body, "        t{p}[i] = {} ^ {};", sides[0][value], sides[1][value]);
            }
            turned
        });
        let (function, hand) = whole(name, &inputs, &outputs, &body);
        (function, hand, turned)
    }

    fn text() -> String {
        let mut text = String::from(
            "//! Written by `BIOTA_WRITE_NATIVE=1 cargo test native`; see native.rs.\n\n#![expect(clippy::all, clippy::pedantic, reason = \"written by a program\")]\n\nuse multiversion::multiversion;\n\nuse super::Native;\n\n",
        );
        let mut table = String::from("/// All of them.\npub(super) static ALL: &[Native] = &[\n");
        for name in NAMES {
            let rule = parse(named::find(name).unwrap_or_else(|| panic!("{name}")).rule).expect("a named rule");
            let kernel = rule.kernel().expect("a kernel");
            let circuit = kernel.as_circuit().unwrap_or_else(|| panic!("{name} has a circuit"));
            let low: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
            let (row_text, row_hand) = row(&format!("{low}_row"), &circuit.row, circuit.planes());
            let (cell_text, cell_hand, turned) = cell(&format!("{low}_cell"), circuit);
            text += &format!("// {name}: {circuit}.\n{row_text}{cell_text}");
            let turned = turned.map_or("None".to_owned(), |turned| format!("Some(&{turned:?})"));
            let _ = writeln!(
                table,
                "    // {name}\n    Native {{\n        fingerprint: 0x{:016x},\n        row: {row_hand},\n        cell: {cell_hand},\n        turned: {turned},\n    }},",
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
