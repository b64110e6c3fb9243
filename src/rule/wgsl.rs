//! Circuits as WGSL: the two functions that `shaders/step.wgsl` leaves open, and the species masks that drawing and
//! tallying need. Each gate is one line.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::OnceLock;

use super::circuit::{CellInput, Circuit, Program, Row};

/// The rule's part of the step shader:
///
/// ```wgsl
/// const PLANES = 2u;
/// struct Features { f0: u32, … }
/// fn row_features(shifted: array<array<u32, 5>, PLANES>) -> Features      shifted by −2 to 2 cells
/// fn next_planes(above: Features, here: Features, below: Features, site: Site) -> array<u32, PLANES>
/// ```
///
/// `Site` and `coins(site, toss)` are the step shader's own.
pub fn step_functions(circuit: &Circuit) -> String {
    let mut text = plane_constants(circuit);
    let features = circuit.row.outputs.len();
    text += "struct Features {\n";
    for feature in 0..features.max(1) {
        let _ = writeln!(text, "    f{feature}: u32,");
    }
    text += "}\n\n";
    text += "fn row_features(shifted: array<array<u32, 5>, PLANES>) -> Features {\n";
    let inputs: Vec<String> = (0..circuit.planes())
        .flat_map(|p| (0..5).map(move |shift| format!("shifted[{p}][{shift}]")))
        .collect();
    let names = names(&inputs, &circuit.row);
    for line in gate_lines(&circuit.row, &names, 0..circuit.row.gates.len()) {
        text += &line;
    }
    let given: Vec<&str> = circuit.row.outputs.iter().map(|&o| names[o].as_str()).collect();
    let _ = writeln!(
        text,
        "    return Features({});\n}}\n",
        if given.is_empty() { "0u".to_owned() } else { given.join(", ") }
    );

    text += "fn next_planes(above: Features, here: Features, below: Features, site: Site) -> array<u32, PLANES> {\n";
    let inputs: Vec<String> = circuit.cell_inputs.iter().map(|&input| input_name(input)).collect();
    let names = self::names(&inputs, &circuit.cell);
    let all = circuit.cell.gates.len();
    let early = if circuit.uses_coins() { circuit.coin_free } else { all };
    for line in gate_lines(&circuit.cell, &names, 0..early) {
        text += &line;
    }
    if let Some(tosses) = circuit.tosses {
        for input in &circuit.cell_inputs {
            if let CellInput::Coin(toss) = input {
                let tosses = &names[tosses];
                let _ = writeln!(text, "    var coin{toss} = 0u;");
                let _ = writeln!(text, "    if {tosses} != 0u {{ coin{toss} = coins(site, {toss}u); }}");
            }
        }
    }
    for line in gate_lines(&circuit.cell, &names, early..all) {
        text += &line;
    }
    let given: Vec<&str> = circuit.cell.outputs.iter().map(|&o| names[o].as_str()).collect();
    let _ = writeln!(text, "    return array<u32, PLANES>({});\n}}", given.join(", "));
    text
}

/// What drawing and tallying need to know of the encoding:
///
/// ```wgsl
/// const PLANES = 2u;
/// const SPECIES = 2u;
/// fn species_masks(planes: array<u32, PLANES>) -> array<u32, SPECIES>
/// ```
pub fn species_functions(circuit: &Circuit) -> String {
    let mut text = plane_constants(circuit);
    let codes = circuit.encoding.codes();
    let _ = writeln!(text, "const SPECIES = {}u;\n", codes.len() - 1);
    text += "fn species_masks(planes: array<u32, PLANES>) -> array<u32, SPECIES> {\n";
    let masks: Vec<String> = codes[1..]
        .iter()
        .map(|code| {
            let terms: Vec<String> = (0..circuit.planes())
                .map(|p| format!("{}planes[{p}]", if code >> p & 1 == 1 { "" } else { "~" }))
                .collect();
            terms.join(" & ")
        })
        .collect();
    let _ = writeln!(text, "    return array<u32, SPECIES>({});\n}}", masks.join(", "));
    text
}

fn plane_constants(circuit: &Circuit) -> String {
    format!("const PLANES = {}u;\n", circuit.planes())
}

fn input_name(input: CellInput) -> String {
    match input {
        CellInput::Feature(row, feature) => {
            let row = match row {
                Row::Above => "above",
                Row::Here => "here",
                Row::Below => "below",
            };
            format!("{row}.f{feature}")
        }
        CellInput::ParityX => "0xAAAAAAAAu".to_owned(),
        CellInput::ParityY => "site.parity_y".to_owned(),
        CellInput::ParityGeneration => "site.parity_generation".to_owned(),
        CellInput::Coin(toss) => format!("coin{toss}"),
    }
}

/// The names of all values of a program: its inputs', then `g0`, `g1`, …
fn names(inputs: &[String], program: &Program) -> Vec<String> {
    inputs.iter().cloned().chain((0..program.gates.len()).map(|g| format!("g{g}"))).collect()
}

fn gate_lines(
    program: &Program,
    names: &[String],
    gates: std::ops::Range<usize>,
) -> impl Iterator<Item = String> {
    gates.map(move |g| {
        let gate = program.gates[g];
        let [a, b, c] = gate.inputs.map(|input| names[input].as_str());
        let expression =
            expression(gate.lut).replace('A', "\u{1}").replace('B', "\u{2}").replace('C', "\u{3}");
        let expression = expression.replace('\u{1}', a).replace('\u{2}', b).replace('\u{3}', c);
        format!("    let {} = {expression};\n", names[program.inputs + g])
    })
}

/// The shortest expression of a truth table in `A`, `B`, `C` (bit 4A + 2B + C) over `&`, `|`, `^` and `~`.
pub(crate) fn expression(lut: u8) -> &'static str {
    static EXPRESSIONS: OnceLock<HashMap<u8, (u32, String)>> = OnceLock::new();
    let expressions = EXPRESSIONS.get_or_init(|| {
        let mut known: HashMap<u8, (u32, String)> = HashMap::new();
        for (lut, text) in [(0xF0, "A"), (0xCC, "B"), (0xAA, "C"), (0x00, "0u"), (0xFF, "0xFFFFFFFFu")] {
            known.insert(lut, (0, text.to_owned()));
        }
        // By rising cost; negations cost as much as the other operations.
        for cost in 1..=8u32 {
            let mut before: Vec<(u8, u32, String)> =
                known.iter().map(|(&lut, (cost, text))| (lut, *cost, text.clone())).collect();
            before.sort_unstable_by_key(|(lut, cost, _)| (*cost, *lut));
            for (f, f_cost, f_text) in &before {
                if f_cost + 1 == cost {
                    known.entry(!f).or_insert_with(|| (cost, format!("~{}", grouped(f_text))));
                }
                for (g, g_cost, g_text) in &before {
                    if f_cost + g_cost + 1 == cost {
                        for (lut, operator) in [(f & g, '&'), (f | g, '|'), (f ^ g, '^')] {
                            known.entry(lut).or_insert_with(|| {
                                (cost, format!("{} {operator} {}", grouped(f_text), grouped(g_text)))
                            });
                        }
                    }
                }
            }
        }
        known
    });
    expressions.get(&lut).map_or("0u", |(_, text)| text.as_str())
}

/// In parentheses, unless it is a single term.
fn grouped(text: &str) -> String {
    if text.contains(' ') { format!("({text})") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Works out an expression of the kind written here for one minterm.
    fn value(text: &str, minterm: u8) -> bool {
        fn term(text: &mut &str, minterm: u8) -> bool {
            let (first, rest) = text.split_at(1);
            *text = rest;
            match first {
                "~" => !term(text, minterm),
                "(" => {
                    let value = sum(text, minterm);
                    *text = &text[1..];
                    value
                }
                "0" => {
                    let ones = text.starts_with("xF");
                    *text = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
                    ones
                }
                name => minterm >> (2 - "ABC".find(name).expect("a variable")) & 1 == 1,
            }
        }
        fn sum(text: &mut &str, minterm: u8) -> bool {
            let mut value = term(text, minterm);
            while text.starts_with(' ') {
                let operator = text.as_bytes()[1];
                *text = &text[3..];
                let other = term(text, minterm);
                value = match operator {
                    b'&' => value & other,
                    b'|' => value | other,
                    _ => value ^ other,
                };
            }
            value
        }
        sum(&mut { text }, minterm)
    }

    #[test]
    fn every_truth_table_has_a_right_expression() {
        for lut in 0..=u8::MAX {
            let text = expression(lut);
            let found = (0..8).fold(0, |found, minterm| found | u8::from(value(text, minterm)) << minterm);
            assert_eq!(found, lut, "{text}");
        }
    }
}
