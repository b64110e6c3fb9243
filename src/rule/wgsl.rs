//! Kernels as WGSL: the two functions that `shaders/step.wgsl` leaves open, and what drawing and tallying need to know of
//! the states. Each gate of a circuit is one line; a walk is a loop over the cells of a word.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::OnceLock;

use super::Kernel;
use super::circuit::{CellInput, Circuit, Encoding, Program, Row};
use super::walk::Walk;

/// The most species that are counted and drawn by masks of whole words; of more, each cell is looked at.
pub const MASKED_SPECIES: usize = 15;

/// The rule's part of the step shader:
///
/// ```wgsl
/// const PLANES = 2u;
/// struct Features { f0: u32, … }
/// fn row_features(shifted: array<array<u32, 5>, PLANES>) -> Features      shifted by −2 to 2 cells
/// fn next_planes(above: Features, here: Features, below: Features, site: Site) -> array<u32, PLANES>
/// ```
///
/// `Site` and `coins(site, toss)` are the step shader's own. A walk reads its nodes from the storage buffer at group 1,
/// binding 1; a circuit reads no buffer.
pub fn step_functions(kernel: &Kernel) -> String {
    let mut text = plane_constants(kernel.encoding());
    match kernel {
        Kernel::Circuit(circuit) => circuit_functions(&mut text, circuit),
        Kernel::Walk(walk) => walk_functions(&mut text, walk),
    }
    text
}

fn circuit_functions(text: &mut String, circuit: &Circuit) {
    let features = circuit.row.outputs.len();
    *text += "struct Features {\n";
    for feature in 0..features.max(1) {
        let _ = writeln!(text, "    f{feature}: u32,");
    }
    *text += "}\n\n";
    *text += "fn row_features(shifted: array<array<u32, 5>, PLANES>) -> Features {\n";
    let inputs: Vec<String> = (0..circuit.planes())
        .flat_map(|p| (0..5).map(move |shift| format!("shifted[{p}][{shift}]")))
        .collect();
    let names = names(&inputs, &circuit.row);
    for line in gate_lines(&circuit.row, &names, 0..circuit.row.gates.len()) {
        *text += &line;
    }
    let given: Vec<&str> = circuit.row.outputs.iter().map(|&o| names[o].as_str()).collect();
    let _ = writeln!(
        text,
        "    return Features({});\n}}\n",
        if given.is_empty() { "0u".to_owned() } else { given.join(", ") }
    );

    *text += "fn next_planes(above: Features, here: Features, below: Features, site: Site) -> array<u32, PLANES> {\n";
    let inputs: Vec<String> = circuit.cell_inputs.iter().map(|&input| input_name(input)).collect();
    let names = self::names(&inputs, &circuit.cell);
    let all = circuit.cell.gates.len();
    let early = if circuit.uses_coins() { circuit.coin_free } else { all };
    for line in gate_lines(&circuit.cell, &names, 0..early) {
        *text += &line;
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
        *text += &line;
    }
    let given: Vec<&str> = circuit.cell.outputs.iter().map(|&o| names[o].as_str()).collect();
    let _ = writeln!(text, "    return array<u32, PLANES>({});\n}}", given.join(", "));
}

/// What the rows above, at and below a cell are called.
const ROWS: [&str; 3] = ["above", "here", "below"];

/// The features of a row are its planes shifted by the reach of the neighbourhood to either side: bit n of `first` is the
/// leftmost cell that cell n can see, bit n of `last` the rightmost one. The states of the cells that one cell sees slide
/// through `above_0`, `above_1`, … and their like, so that each is put together from its bits once.
fn walk_functions(text: &mut String, walk: &Walk) {
    let depends_on = walk.depends_on();
    let planes = walk.encoding().planes();
    let reach = depends_on.neighbourhood.reach();
    let columns = 2 * reach + 1;
    let listed = |item: &dyn Fn(usize) -> String| (0..planes).map(item).collect::<Vec<_>>().join(", ");
    *text += "@group(1) @binding(1) var<storage, read> diagram: array<u32>;\n\n";
    *text += "struct Features {\n    first: array<u32, PLANES>,\n    last: array<u32, PLANES>,\n}\n\n";
    *text += "fn row_features(shifted: array<array<u32, 5>, PLANES>) -> Features {\n";
    let shifted = |dx: i64| {
        let column = dx + 2;
        format!("array<u32, PLANES>({})", listed(&|p| format!("shifted[{p}][{column}]")))
    };
    let _ = writeln!(text, "    return Features({}, {});\n}}\n", shifted(-reach), shifted(reach));
    state_function(text, planes);
    *text += "fn seen(state: u32) -> u32 {\n";
    let _ = if let Some(places) = walk.places() {
        let listed: Vec<String> = places.iter().map(|place| format!("{place}u")).collect();
        writeln!(text, "    var places = array<u32, {}>({});", places.len(), listed.join(", "))
            .and_then(|()| writeln!(text, "    return places[state];\n}}\n"))
    } else if depends_on.seen_states < depends_on.states {
        writeln!(text, "    return select(0u, state, state < {}u);\n}}\n", depends_on.seen_states)
    } else {
        writeln!(text, "    return state;\n}}\n")
    };

    *text += "fn next_planes(above: Features, here: Features, below: Features, site: Site) -> array<u32, PLANES> {\n";
    *text += "    var next: array<u32, PLANES>;\n";
    for toss in 0..depends_on.coins {
        let _ = writeln!(text, "    let coin{toss} = coins(site, {toss}u);");
    }
    for row in ROWS {
        for column in 1..columns {
            let _ = writeln!(text, "    var {row}_{column} = state_of({row}.first, {}u);", column - 1);
        }
    }
    *text += "    for (var bit = 0u; bit < 32u; bit++) {\n";
    for row in ROWS {
        for column in 0..columns - 1 {
            let from = column + 1;
            let _ = writeln!(text, "        let {row}_at_{column} = {row}_{from};");
        }
        let last = columns - 1;
        let _ = writeln!(text, "        let {row}_at_{last} = state_of({row}.last, bit);");
    }
    let roots = walk.roots();
    if roots.iter().all(|root| *root == roots[0]) {
        let _ = writeln!(text, "        var node = {}u;", roots[0]);
    } else {
        // Chosen by one parity after another.
        let chosen = |[even, odd]: [String; 2], parity: &str| {
            if even == odd { even } else { format!("select({even}, {odd}, ({parity} & 1u) == 1u)") }
        };
        let root = |n: usize| format!("{}u", roots[n]);
        let by_x = |n: usize| chosen([root(n), root(n + 1)], "bit");
        let by_y = |n: usize| chosen([by_x(n), by_x(n + 2)], "site.parity_y");
        let root = chosen([by_y(0), by_y(4)], "site.parity_generation");
        let _ = writeln!(text, "        var node = {root};");
    }
    let cell = |(dx, dy): (i64, i64)| {
        let row = ROWS[usize::try_from(dy + 1).expect("one row up or down")];
        format!("{row}_at_{}", dx + reach)
    };
    for level in walk.levels() {
        let states: Vec<String> = level
            .map(|([even, odd], weight)| {
                if even == odd {
                    format!("{weight}u * seen({})", cell(even))
                } else {
                    let (even, odd) = (cell(even), cell(odd));
                    format!("{weight}u * seen(select({even}, {odd}, ((bit ^ site.parity_y) & 1u) == 1u))")
                }
            })
            .collect();
        let _ = writeln!(text, "        node = diagram[node + {}];", states.join(" + "));
    }
    let _ = writeln!(text, "        let answer = diagram[node + {}];", cell((0, 0)));
    let tosses: Vec<String> =
        (0..depends_on.coins).map(|toss| format!("(((coin{toss} >> bit) & 1u) << {}u)", 3 + toss)).collect();
    let code =
        if tosses.is_empty() { "answer".to_owned() } else { format!("answer >> ({})", tosses.join(" | ")) };
    let _ = writeln!(text, "        let code = {code};");
    for plane in 0..planes {
        let _ = writeln!(text, "        next[{plane}] |= ((code >> {plane}u) & 1u) << bit;");
    }
    for row in ROWS {
        for column in 1..columns {
            let _ = writeln!(text, "        {row}_{column} = {row}_at_{column};");
        }
    }
    *text += "    }\n    return next;\n}\n";
}

/// The state of the cell at bit `bit`, from planes that hold states in binary.
fn state_function(text: &mut String, planes: usize) {
    *text += "fn state_of(planes: array<u32, PLANES>, bit: u32) -> u32 {\n";
    let bits: Vec<String> = (0..planes).map(|p| format!("(((planes[{p}] >> bit) & 1u) << {p}u)")).collect();
    let _ = writeln!(text, "    return {};\n}}\n", bits.join(" | "));
}

/// What drawing and tallying need to know of the encoding:
///
/// ```wgsl
/// const PLANES = 2u;
/// const SPECIES = 2u;
/// const MASKS = true;
/// fn species_masks(planes: array<u32, PLANES>) -> array<u32, SPECIES>
/// fn state_of(planes: array<u32, PLANES>, bit: u32) -> u32
/// ```
///
/// Where there are more than [`MASKED_SPECIES`], `MASKS` is false and `species_masks` is not to be called.
pub fn species_functions(kernel: &Kernel) -> String {
    let encoding = kernel.encoding();
    let mut text = plane_constants(encoding);
    let codes = encoding.codes();
    let masked = codes.len() - 1 <= MASKED_SPECIES;
    let _ = writeln!(text, "const SPECIES = {}u;", codes.len() - 1);
    let _ = writeln!(text, "const MASKS = {masked};\n");
    if !masked {
        text += "fn species_masks(planes: array<u32, PLANES>) -> array<u32, SPECIES> {\n";
        text += "    return array<u32, SPECIES>();\n}\n\n";
        state_function(&mut text, encoding.planes());
        return text;
    }
    text += "fn species_masks(planes: array<u32, PLANES>) -> array<u32, SPECIES> {\n";
    let masks: Vec<String> = codes[1..]
        .iter()
        .map(|code| {
            let terms: Vec<String> = (0..encoding.planes())
                .map(|p| format!("{}planes[{p}]", if code >> p & 1 == 1 { "" } else { "~" }))
                .collect();
            terms.join(" & ")
        })
        .collect();
    let _ = writeln!(text, "    return array<u32, SPECIES>({});\n}}\n", masks.join(", "));
    text += "fn state_of(planes: array<u32, PLANES>, bit: u32) -> u32 {\n    let masks = species_masks(planes);\n";
    text += "    var state = 0u;\n    for (var s = 0u; s < SPECIES; s++) {\n";
    text += "        state += (s + 1u) * ((masks[s] >> bit) & 1u);\n    }\n    return state;\n}\n";
    text
}

fn plane_constants(encoding: &Encoding) -> String {
    format!("const PLANES = {}u;\n", encoding.planes())
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

/// Gates as lines of text; `names` are those of all values of the program.
pub(crate) fn gate_lines(
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
