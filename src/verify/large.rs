//! Random rules that are too large for a circuit, or may be: rule files with tables and trees of up to 40 states, ageing
//! cells of up to 256, and colonies of four colours that look at where their neighbours stand.
//!
//! A rule file is drawn as text and read as any other, so what a failing case saves is complete.

use std::fmt::Write;
use std::sync::Arc;

use super::case::life;
use super::random::Random;
use crate::board::Topology;
use crate::rule::{Generations, Rule, RuleFile, parse};

/// The most states of a table or tree.
const MOST_STATES: u64 = 40;

/// Neighbourhoods of tables, how many neighbours they have, and their symmetries.
const NEIGHBOURHOODS: [(&str, usize, &[&str]); 4] = [
    (
        "Moore",
        8,
        &["none", "rotate4", "rotate8", "rotate4reflect", "rotate8reflect", "reflect_horizontal", "permute"],
    ),
    ("vonNeumann", 4, &["none", "rotate4", "rotate4reflect", "reflect_horizontal", "permute"]),
    ("hexagonal", 6, &["none", "rotate2", "rotate3", "rotate6", "rotate6reflect", "permute"]),
    ("oneDimensional", 2, &["none", "reflect", "permute"]),
];

/// Any of them.
pub(super) fn draw(random: &mut Random) -> Rule {
    match random.below(8) {
        0..=3 => of_text(random, "Table", table),
        4 => of_text(random, "Tree", tree),
        5 | 6 => {
            let states = u16::try_from(17 + random.below(240)).expect("at most 256");
            let generations = Generations::new(life(random), states).expect("three states or more");
            parse(&generations.to_string()).expect("rule strings are made by the grammar")
        }
        _ => {
            let (births, survivals) = (letters(random), letters(random));
            let tie = random.choice(&["coin", "parity", "none", "1", "2", "3", "4"]);
            parse(&format!("B{births}/S{survivals}QuadLife-{tie}"))
                .expect("rule strings are made by the grammar")
        }
    }
}

/// The rule of a file whose text is drawn, a simpler one when the first is too complicated.
fn of_text(random: &mut Random, kind: &str, text: fn(&mut Random, u64) -> String) -> Rule {
    let number = random.next();
    let mut most_states = MOST_STATES;
    loop {
        let text = format!("@RULE {kind}-{number:016x}\n{}", text(random, most_states));
        match RuleFile::parse(&text, "") {
            Ok(file) => {
                let rule = Rule::from_file(&Arc::new(file), Topology::Unbounded);
                return rule.expect("it has a table or a tree");
            }
            Err(error) => {
                // Only what is too complicated fails, and of two states nothing is.
                assert!(most_states > 2, "{error}\n{text}");
                most_states /= 2;
            }
        }
    }
}

/// So many states: few as often as many.
fn states(random: &mut Random, most: u64) -> u64 {
    let most = if random.one_of(2) { most.min(6) } else { most };
    2 + random.below(most - 1)
}

/// A table of a few transitions, most of whose inputs may be anything.
fn table(random: &mut Random, most_states: u64) -> String {
    let states = states(random, most_states);
    let (neighbourhood, neighbours, symmetries) = random.choice(&NEIGHBOURHOODS);
    let symmetry = random.choice(symmetries);
    let mut text =
        format!("@TABLE\nn_states:{states}\nneighborhood:{neighbourhood}\nsymmetries:{symmetry}\n");
    let listed = |values: &[u64]| values.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    let all: Vec<u64> = (0..states).collect();
    // Named once in a transition each, so that they bind nothing.
    for any in 0..=neighbours {
        let _ = writeln!(text, "var any{any}={{{}}}", listed(&all));
    }
    let some = 1 + random.below(4);
    for set in 0..some {
        let values: Vec<u64> = (0..=random.below(states.min(5))).map(|_| random.below(states)).collect();
        let _ = writeln!(text, "var some{set}={{{}}}", listed(&values));
    }
    for _ in 0..=random.below(12) {
        let mut named = Vec::new();
        let inputs: Vec<String> = (0..=neighbours)
            .map(|place| match random.below(10) {
                0..=4 => format!("any{place}"),
                // Perhaps more than once, and then bound.
                5 | 6 => {
                    let set = random.below(some);
                    named.push(set);
                    format!("some{set}")
                }
                7 => "0".to_owned(),
                _ => random.below(states).to_string(),
            })
            .collect();
        let bound = named.iter().find(|set| named.iter().filter(|other| other == set).count() > 1);
        let next = match bound {
            Some(set) if random.one_of(2) => format!("some{set}"),
            _ => random.below(states).to_string(),
        };
        let _ = writeln!(text, "{},{next}", inputs.join(","));
    }
    text
}

/// A tree of a few nodes at each depth.
fn tree(random: &mut Random, most_states: u64) -> String {
    let states = states(random, most_states);
    let neighbours = if random.one_of(2) { 4 } else { 8 };
    let mut nodes: Vec<String> = Vec::new();
    // What the nodes of one depth choose from: states, then the nodes before.
    let (mut first, mut end) = (0, states);
    for depth in 1..=neighbours + 1 {
        let count = if depth == neighbours + 1 { 1 } else { 2 + random.below(5) };
        let start = nodes.len() as u64;
        for _ in 0..count {
            let entries: Vec<String> =
                (0..states).map(|_| (first + random.below(end - first)).to_string()).collect();
            nodes.push(format!("{depth} {}", entries.join(" ")));
        }
        (first, end) = (start, nodes.len() as u64);
    }
    format!(
        "@TREE\nnum_states={states}\nnum_neighbors={neighbours}\nnum_nodes={}\n{}\n",
        nodes.len(),
        nodes.join("\n")
    )
}

/// Numbers of neighbours with some of the letters of how they stand.
pub(super) fn letters(random: &mut Random) -> String {
    const LETTERS: [(char, &str); 5] =
        [('2', "cekain"), ('3', "cekainyqjr"), ('4', "cekainyqjrtwz"), ('5', "cekainyqjr"), ('6', "cekain")];
    let mut text = String::new();
    for (digit, letters) in LETTERS {
        let chosen: String = letters.chars().filter(|_| random.one_of(4)).collect();
        if !chosen.is_empty() {
            text.push(digit);
            text.push_str(&chosen);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::Kernel;

    #[test]
    fn large_rules_of_every_kind_are_drawn_again_from_their_seed() {
        let (mut kinds, mut walks, mut most) = ([0; 4], 0, 0);
        for number in 0..60 {
            let rule = draw(&mut Random::of_rule(3, number));
            let again = draw(&mut Random::of_rule(3, number));
            assert_eq!((rule.name(), rule.file_text()), (again.name(), again.file_text()), "the same");
            let kind = ["Table", "Tree", "QuadLife"].iter().position(|kind| rule.name().contains(kind));
            kinds[kind.unwrap_or(3)] += 1;
            most = most.max(rule.states());
            // Circuits take their time, and are not what this is about.
            if rule.states() > 16 {
                let kernel = rule.kernel().unwrap_or_else(|error| panic!("{rule}: {error}"));
                walks += u32::from(matches!(kernel.as_ref(), Kernel::Walk(_)));
            }
        }
        assert!(kinds.iter().all(|&count| count > 1), "tables, trees, colours, ages: {kinds:?}");
        assert!(walks > 15 && most > 200, "{walks} are walked, the largest of {most} states");
    }
}
