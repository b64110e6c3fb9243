//! Rule files: read, refused, and compared with a plain reading of their transitions, neighbour by neighbour.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::rule::table::TransitionTable;

fn file(text: &str) -> RuleFile {
    RuleFile::parse(text, "test").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn rule(text: &str) -> DiagramRule {
    file(text).rule().expect("a table or a tree").clone()
}

/// A place around a cell.
type Place = (i64, i64);

/// The neighbours in the order of a transition.
fn places(neighborhood: &str) -> Vec<Place> {
    match neighborhood {
        "vonNeumann" => vec![(0, -1), (1, 0), (0, 1), (-1, 0)],
        "Moore" => vec![(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)],
        "hexagonal" => vec![(0, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1)],
        _ => vec![(-1, 0), (1, 0)],
    }
}

/// The arrangements of a symmetry, from geometry: what turns and mirrors do to the places; `None` for permute.
fn arrangements(neighborhood: &str, symmetries: &str) -> Option<BTreeSet<Vec<usize>>> {
    let places = places(neighborhood);
    let size = places.len();
    let quarter = |(x, y): Place| (-y, x);
    let eighth = |place: Place| {
        let at = places.iter().position(|&p| p == place).expect("a neighbour");
        places[(at + 1) % size]
    };
    let sixth = |(x, y): Place| (x - y, x);
    let mirror = |(x, y): Place| (-x, y);
    let hex_mirror = |(x, y): Place| (y, x);
    let generators: Vec<&dyn Fn(Place) -> Place> = match symmetries {
        "none" | "rotate2" | "rotate3" => vec![],
        "rotate4" => vec![&quarter],
        "rotate8" => vec![&eighth],
        "rotate4reflect" => vec![&quarter, &mirror],
        "rotate8reflect" => vec![&eighth, &mirror],
        "reflect_horizontal" | "reflect" => vec![&mirror],
        "rotate6" => vec![&sixth],
        "rotate6reflect" => vec![&sixth, &hex_mirror],
        _ => return None,
    };
    let image =
        |f: &dyn Fn(Place) -> Place, list: &[Place]| list.iter().map(|&p| f(p)).collect::<Vec<Place>>();
    let mut found: BTreeSet<Vec<Place>> = BTreeSet::from([places.clone()]);
    loop {
        let mut more = found.clone();
        for list in &found {
            for generator in &generators {
                more.insert(image(generator, list));
            }
            let turn = |times: usize| (0..times).fold(list.clone(), |list, _| image(&sixth, &list));
            match symmetries {
                "rotate2" => _ = more.insert(turn(3)),
                "rotate3" => _ = more.insert(turn(2)),
                _ => {}
            }
        }
        if more.len() == found.len() {
            break;
        }
        found = more;
    }
    let numbered = |list: Vec<Place>| {
        list.iter().map(|p| places.iter().position(|q| q == p).expect("a neighbour")).collect()
    };
    Some(found.into_iter().map(numbered).collect())
}

/// A table as a list of its words.
#[derive(Clone, Debug)]
struct Plain {
    states: State,
    neighborhood: &'static str,
    symmetries: &'static str,
    variables: BTreeMap<String, Vec<State>>,
    /// Own state, neighbours, next state.
    transitions: Vec<Vec<String>>,
}

/// Whether the states satisfy the terms in some order.
fn permuted(terms: &[String], seen: &[State], fits: &dyn Fn(&String, State) -> bool) -> bool {
    let Some((first, rest)) = terms.split_first() else { return true };
    (0..seen.len()).any(|at| {
        let mut left = seen.to_vec();
        let state = left.remove(at);
        fits(first, state) && permuted(rest, &left, fits)
    })
}

impl Plain {
    fn text(&self) -> String {
        let mut text = format!(
            "@RULE Plain\n@TABLE\nn_states:{}\nneighborhood:{}\nsymmetries:{}\n",
            self.states, self.neighborhood, self.symmetries
        );
        for (name, values) in &self.variables {
            let values: Vec<String> = values.iter().map(State::to_string).collect();
            writeln!(text, "var {name}={{{}}}", values.join(",")).expect("text");
        }
        for transition in &self.transitions {
            writeln!(text, "{}", transition.join(",")).expect("text");
        }
        text
    }

    /// Whether the neighbours satisfy the terms under some arrangement, the bound variables having these values.
    fn matches(&self, terms: &[String], values: &BTreeMap<&str, State>, seen: &[State]) -> bool {
        let fits = |term: &String, state: State| match (values.get(term.as_str()), self.variables.get(term)) {
            (Some(value), _) => *value == state,
            (None, Some(any)) => any.contains(&state),
            (None, None) => *term == state.to_string(),
        };
        match arrangements(self.neighborhood, self.symmetries) {
            None => permuted(terms, seen, &fits),
            Some(all) => all.iter().any(|to| terms.iter().zip(to).all(|(term, &at)| fits(term, seen[at]))),
        }
    }

    /// The next state by reading line after line; `seen` in the order of a transition.
    fn next(&self, own: State, seen: &[State]) -> State {
        for transition in &self.transitions {
            let bound: Vec<&String> = self
                .variables
                .keys()
                .filter(|name| transition.iter().filter(|term| term == name).count() > 1)
                .collect();
            let combinations: usize = bound.iter().map(|name| self.variables[*name].len()).product();
            for number in 0..combinations {
                let mut rest = number;
                let mut values = BTreeMap::new();
                for &name in &bound {
                    let list = &self.variables[name];
                    values.insert(name.as_str(), list[rest % list.len()]);
                    rest /= list.len();
                }
                let of = |term: &String| values.get(term.as_str()).copied().or_else(|| term.parse().ok());
                let first = &transition[0];
                let own_fits = of(first).map_or_else(|| self.variables[first].contains(&own), |it| it == own);
                let (last, inputs) = transition.split_last().expect("terms");
                if own_fits && self.matches(&inputs[1..], &values, seen) {
                    return of(last).expect("a state or a bound variable");
                }
            }
        }
        own
    }

    /// Compares with the rule that is read from the text, for every neighbourhood that `pick` lets through.
    fn check(&self, mut pick: impl FnMut() -> bool) -> Result<(), TestCaseError> {
        let rule = rule(&self.text());
        let places = places(self.neighborhood);
        let offsets = rule.neighbourhood.both_offsets()[0];
        let size = u32::try_from(offsets.len()).expect("a few");
        let base = usize::from(self.states);
        let mut by_counts: BTreeMap<(State, Vec<State>), State> = BTreeMap::new();
        for number in 0..base.pow(size) {
            if !pick() {
                continue;
            }
            let states: Vec<State> =
                (0..size).map(|at| State::try_from(number / base.pow(at) % base).expect("a state")).collect();
            let seen: Vec<State> = places
                .iter()
                .map(|place| states[offsets.iter().position(|offset| offset == place).expect("seen")])
                .collect();
            for own in 0..self.states {
                let (expected, found) = (self.next(own, &seen), rule.diagram.lookup(&states, own));
                prop_assert_eq!(found, expected, "{} among {:?} under\n{}", own, seen, self.text());
                if !rule.depends_on().arrangement {
                    let mut counted = states.clone();
                    counted.sort_unstable();
                    let same = *by_counts.entry((own, counted)).or_insert(found);
                    prop_assert_eq!(same, found, "only counts matter, under\n{}", self.text());
                }
            }
        }
        if self.symmetries == "permute" && self.neighborhood != "oneDimensional" {
            prop_assert!(!rule.depends_on().arrangement, "permute counts:\n{}", self.text());
        }
        Ok(())
    }
}

const SYMMETRIES: [(&str, &[&str]); 4] = [
    ("vonNeumann", &["none", "rotate4", "rotate4reflect", "reflect_horizontal", "permute"]),
    (
        "Moore",
        &["none", "rotate4", "rotate8", "rotate4reflect", "rotate8reflect", "reflect_horizontal", "permute"],
    ),
    ("hexagonal", &["none", "rotate2", "rotate3", "rotate6", "rotate6reflect", "permute"]),
    ("oneDimensional", &["none", "reflect", "permute"]),
];

/// A random table from random numbers.
fn plain(neighborhood: usize, symmetry: usize, states: State, dice: &[u8]) -> Plain {
    let (neighborhood, symmetries) = SYMMETRIES[neighborhood];
    let mut dice = dice.iter().copied().cycle();
    let mut roll = move |sides: u8| dice.next().expect("endless") % sides;
    let variables: BTreeMap<String, Vec<State>> = ["any", "b", "few", "z"]
        .into_iter()
        .map(|name| {
            let mut values: Vec<State> = (0..states).filter(|_| name == "any" || roll(2) == 0).collect();
            if values.is_empty() {
                values.push(roll(states));
            }
            if roll(2) == 0 {
                values.reverse();
            }
            (name.to_owned(), values)
        })
        .collect();
    let names: Vec<String> = variables.keys().cloned().collect();
    let size = places(neighborhood).len();
    let transitions = (0..=roll(6))
        .map(|_| {
            let mut terms: Vec<String> = (0..=size)
                .map(|_| match roll(5) {
                    0 | 1 => roll(states).to_string(),
                    _ => names[usize::from(roll(4))].clone(),
                })
                .collect();
            let bound = terms.iter().find(|term| variables.contains_key(*term)).cloned();
            terms.push(match (roll(3), bound) {
                (0, Some(bound)) => bound,
                _ => roll(states).to_string(),
            });
            terms
        })
        .collect();
    Plain {
        states,
        neighborhood,
        symmetries: symmetries[symmetry % symmetries.len()],
        variables,
        transitions,
    }
}

/// A tree, written out, of a function of the neighbours in a tree's order and the cell.
fn tree(states: State, neighbours: usize, next: &dyn Fn(&[State], State) -> State) -> String {
    fn node(
        states: State,
        left: usize,
        seen: &mut Vec<State>,
        next: &dyn Fn(&[State], State) -> State,
        nodes: &mut Vec<String>,
    ) -> usize {
        let entries: Vec<String> = (0..states)
            .map(|state| {
                if left == 0 {
                    return next(seen, state).to_string();
                }
                seen.push(state);
                let child = node(states, left - 1, seen, next, nodes);
                seen.pop();
                child.to_string()
            })
            .collect();
        let line = format!("{} {}", left + 1, entries.join(" "));
        nodes.iter().position(|known| *known == line).unwrap_or_else(|| {
            nodes.push(line);
            nodes.len() - 1
        })
    }
    let mut nodes = Vec::new();
    node(states, neighbours, &mut Vec::new(), next, &mut nodes);
    format!(
        "@RULE Tree\n@TREE\nnum_states={states}\nnum_neighbors={neighbours}\nnum_nodes={}\n{}\n",
        nodes.len(),
        nodes.join("\n")
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn tables_answer_as_their_lines_say(
        neighborhood in 0usize..4,
        symmetry in 0usize..7,
        states in 2u8..4,
        dice in prop::collection::vec(any::<u8>(), 97),
    ) {
        let plain = plain(neighborhood, symmetry, states, &dice);
        // Of the 6561 Moore neighbourhoods of three states some hundred are enough.
        let mut count = 0u32;
        let rare = neighborhood == 1 && states == 3;
        plain.check(|| {
            count += 1;
            !rare || count.wrapping_mul(2_654_435_761) >> 26 == 0
        })?;
    }

    #[test]
    fn a_tree_equals_the_table_that_it_was_made_of(
        eight: bool,
        symmetry in 0usize..7,
        states in 2u8..4,
        dice in prop::collection::vec(any::<u8>(), 97),
    ) {
        let plain = plain(usize::from(eight), symmetry, if eight { 2 } else { states }, &dice);
        let table = rule(&plain.text());
        let order = table.diagram.order();
        let text = tree(plain.states, order.len(), &|seen, own| {
            let mut states = vec![0; order.len()];
            for (&place, &state) in order.iter().zip(seen) {
                states[usize::from(place)] = state;
            }
            table.diagram.lookup(&states, own)
        });
        prop_assert_eq!(rule(&text), table, "{}\nand\n{}", plain.text(), text);
    }

    #[test]
    fn no_damaged_file_makes_the_reader_panic(
        which in 0usize..4,
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..3), 1..12),
    ) {
        let mut bytes = SAMPLES[which].as_bytes().to_vec();
        for (at, byte, what) in edits {
            let at = at.index(bytes.len());
            match what {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.remove(at)),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Err(error) = RuleFile::parse(&text, "damaged") {
            prop_assert!(error.line >= 1 && error.column >= 1, "{}", error);
        }
    }
}

const SAMPLES: [&str; 4] = [
    include_str!("../../../tests/data/rules/WireWorld.rule"),
    include_str!("../../../tests/data/rules/HexSpark.rule"),
    include_str!("../../../tests/data/rules/Brain-tree.rule"),
    include_str!("../../../tests/data/rules/Creeper.rule"),
];

#[test]
fn brians_brain_is_the_same_as_a_table_and_as_a_tree() {
    let table = file(include_str!("../../../tests/data/rules/Brain-table.rule"));
    let tree = file(include_str!("../../../tests/data/rules/Brain-tree.rule"));
    assert_eq!(table.rule(), tree.rule(), "one diagram");
    let brain = table.rule().expect("a table");
    assert!(!brain.depends_on().arrangement, "only counts matter");
    let cases = TransitionTable::enumerate(brain).expect("a table").cases;
    assert_eq!(cases.len(), 3 * 45, "own state x counts");
    for case in cases {
        let expected = match case.own {
            0 => State::from(case.neighbours.count(1) == 2),
            1 => 2,
            _ => 0,
        };
        assert_eq!(case.next, expected, "{case:?}");
    }
}

#[test]
fn hexagons_are_read_in_their_own_order() {
    let text = "@RULE H\n@TABLE\nn_states:2\nneighborhood:hexagonal\nsymmetries:none\n0,1,0,0,0,0,0,1\n0,0,0,1,0,0,0,1\n";
    let rule = rule(text);
    // The offsets are NW N W E S SE.
    assert_eq!(rule.diagram.lookup(&[0, 1, 0, 0, 0, 0], 0), 1, "N");
    assert_eq!(rule.diagram.lookup(&[0, 0, 0, 0, 0, 1], 0), 1, "SE is third");
    assert_eq!(rule.diagram.lookup(&[0, 0, 0, 1, 0, 0], 0), 0, "E is second");
}

#[test]
fn sections_names_and_colours_are_read() {
    let wires = file(SAMPLES[0]);
    assert_eq!(wires.name(), "WireWorld", "name");
    assert_eq!(wires.state_name(1), Some("electron head"), "a name of two words");
    assert_eq!(wires.colour(3, 4), Some(Rgb([230, 140, 20])), "a colour");
    let text = "@RULE Twice extra words\nwords\n@COLORS\n255 0 0 0 0 255\n2 1 2 3 green\n@NAMES\n0 a\n@NAMES\n0 b\n\
                @WHAT\n?\n@TABLE\nn_states:4\nneighborhood:Moore\nsymmetries:none\n@TABLE\nnonsense\n";
    for text in [text.to_owned(), text.replace('\n', "\r\n"), text.replace('\n', "\r")] {
        let twice = file(&text);
        assert_eq!((twice.name(), twice.state_name(0)), ("Twice", Some("a")), "the first section counts");
        let colours: Vec<Option<Rgb>> = (0..5).map(|state| twice.colour(state, 4)).collect();
        let [red, own, blue] = [[255, 0, 0], [1, 2, 3], [0, 0, 255]].map(|c| Some(Rgb(c)));
        assert_eq!(colours, [None, red, own, blue, None], "a gradient over living states");
    }
}

#[test]
fn old_files_are_named_after_their_file() {
    let traffic =
        RuleFile::parse(include_str!("../../../tests/data/rules/Traffic.table"), "Traffic").expect("read");
    assert_eq!(traffic.name(), "Traffic", "name");
    let again = file(traffic.text());
    assert_eq!(again.rule(), traffic.rule(), "the text can be embedded");
    let rule = traffic.rule().expect("a table");
    // N W E S: rule 184, whatever N and S are.
    for number in 0..32u8 {
        let bit = |n: u8| number >> n & 1;
        let (west, own, east) = (bit(2), bit(1), bit(0));
        let expected = 184 >> (west * 4 + own * 2 + east) & 1;
        assert_eq!(rule.diagram.lookup(&[bit(3), west, east, bit(4)], own), expected, "case {number}");
    }
    let tree = "num_states=2\nnum_neighbors=4\nnum_nodes=5\n1 0 1\n2 0 0\n3 1 1\n4 2 2\n5 3 3\n";
    assert!(RuleFile::parse(tree, "Old").expect("read").rule().is_some(), "a tree");
}

#[test]
fn errors_have_line_and_column() {
    let table = "@RULE T\n@TABLE\nn_states:3\nneighborhood:vonNeumann\nsymmetries:rotate4\nvar a={0,1}\n";
    for (text, line, column, part) in [
        ("", 1, 1, "@RULE"),
        ("hello", 1, 1, "@RULE"),
        ("@RULE\n", 1, 6, "name"),
        ("@RULE a:b\n", 1, 8, "no colon"),
        ("@RULE T\n@TABLE\nn_states:1\n", 3, 10, "min 2, max 256"),
        ("@RULE T\n@TABLE\nn_states:257\n", 3, 10, "at most 256"),
        ("@RULE T\n@TABLE\nn_states:\n", 3, 10, "number"),
        ("@RULE T\n@TABLE\nsymmetries:none\n", 3, 1, "before symmetries"),
        ("@RULE T\n@TABLE\nneighborhood: square\n", 3, 15, "unsupported neighborhood"),
        ("@RULE T\n@TABLE\nneighborhood:Moore\nsymmetries:rotate6\n", 4, 12, "unsupported symmetries"),
        ("@RULE T\n@TABLE\nn_states:2\n  0,0,0,0,0,1\n", 4, 3, "missing before the first transition"),
        ("@RULE T\n@TABLE\nn_states:2\n", 4, 1, "missing in this"),
        (&format!("{table}var b={{c}}"), 7, 8, "neither"),
        (&format!("{table}var b={{3}}"), 7, 8, "at most 2"),
        (&format!("{table}var b"), 7, 6, "var a="),
        (&format!("{table}0,0,0,0,0"), 7, 10, "too few"),
        (&format!("{table}0,0,3,0,0,1"), 7, 5, "at most 2"),
        (&format!("{table}0,0,é,0,0,1"), 7, 5, "neither"),
        (&format!("{table}0,0,é,x,0,1").replace('é', "0"), 7, 7, "neither"),
        (&format!("{table}0,0,0,0,0,a"), 7, 11, "output"),
        (&format!("{table}n_states:2"), 7, 1, "come before"),
        ("@RULE T\n@TREE\nnum_neighbors=6\n", 3, 15, "4 or 8"),
        ("@RULE T\n@TREE\n1 0 1\n", 3, 1, "missing before the first node"),
        ("@RULE T\n@TREE\nnum_states=2\nnum_neighbors=4\nnum_nodes=2\n1 0 2\n", 6, 5, "at most 1"),
        ("@RULE T\n@TREE\nnum_states=2\nnum_neighbors=4\nnum_nodes=2\n1 0 1\n3 0 0\n", 7, 3, "depth 1"),
        ("@RULE T\n@TREE\nnum_states=2\nnum_neighbors=4\nnum_nodes=2\n1 0 1\n2 0 1\n", 7, 5, "at most 0"),
        ("@RULE T\n@TREE\nnum_states=2\nnum_neighbors=4\nnum_nodes=2\n1 0\n", 6, 4, "2 entries"),
        ("@RULE T\n@TREE\nnum_states=2\nnum_neighbors=4\nnum_nodes=1\n1 0 1\n", 6, 1, "root"),
    ] {
        let error = RuleFile::parse(text, "T").expect_err(text);
        assert_eq!((error.line, error.column), (line, column), "{error}\nof {text:?}");
        assert!(error.message.contains(part), "{error}: {part:?} was expected");
        let shown = error.to_string();
        assert!(shown.ends_with(&format!("{}^", " ".repeat(error.caret + 2))), "{shown}");
    }
    let long = format!("@RULE T\n{}\n", "x".repeat(MAX_LINE + 1));
    let error = RuleFile::parse(&long, "T").expect_err("too long");
    assert_eq!((error.line, error.column), (2, MAX_LINE + 1), "{error}");
}

/// What Golly lets pass in rule files of the community, each with a warning.
#[test]
fn what_is_forgiven_is_said_and_changes_nothing() {
    let head = "@RULE T\n@TABLE\nn_states:3\nneighborhood:vonNeumann\nsymmetries:rotate4\n";
    let plain = rule(&format!("{head}var a={{1,2}}\n0,a,0,0,0,1\n"));
    for (text, warning) in [
        (format!("{head}var a{{1,2}}\n0,a,0,0,0,1\n"), "line 6: a variable has a ="),
        (format!("{head}var a={{1,2]\n0,a,0,0,0,1\n"), "line 6: the values of a variable are closed by }"),
        (format!("{head}Var a={{1,2}}\n0,a,0,0,0,1\n"), "line 6: keywords"),
        (
            format!("{}var a={{1,2}}\n0,a,0,0,0,1\n", head.replace("symm", "Symm").replace("n_", "N_")),
            "lines 3, 5: keywords",
        ),
        (
            format!("{head}var a={{1,2}}\nBirths\n0,a,0,0,0,1\nNote: that, was all.\n"),
            "lines 7, 9: this is no trans",
        ),
        (
            format!("{head}var a={{1,2}}\n0,a,0,0,0,1\n{}", "the end\n".repeat(5)),
            "lines 8, 9, 10, …: this is no transition",
        ),
        (
            format!("{head}var a={{1,2}}\n0,a,0,0,0,1\n@COLORS\n1 2\nred\n1 2 3 256\n"),
            "lines 9, 10, 11: this is no colour",
        ),
        (format!("{head}var a={{1,2}}\n0,a,0,0,0,1\n@NAMES\n0 off\nby me\n"), "line 10: this is no state"),
    ] {
        assert_eq!(rule(&text), plain, "{text}");
        let warnings = file(&text).warnings();
        assert!(warnings.len() == 1 && warnings[0].starts_with(warning), "{warnings:?} of {text}");
    }
    assert_eq!(file(SAMPLES[0]).warnings(), [""; 0], "nothing to say");
    // What begins as a transition, and is none, is a fault as before.
    for text in ["0,a,0,0,1", "0,x,0,0,0,1", "00x001", "0,0,0,0,0,3"] {
        let error = RuleFile::parse(&format!("{head}var a={{1,2}}\n{text}\n"), "T").expect_err(text);
        assert_eq!(error.line, 7, "{text}: {error}");
    }
}

#[test]
fn remarks_after_a_transition_are_passed_over() {
    let table = "@RULE T\n@TABLE\nn_states:2\nneighborhood:vonNeumann\nsymmetries:none\n";
    let plain = rule(&format!("{table}0,1,0,0,0,1\n"));
    assert_eq!(rule(&format!("{table}0, 1, 0, 0, 0, 1 birth from N\n")), plain, "words");
    assert_eq!(rule(&format!("{table}010001 # birth\n")), plain, "without commas");
}

#[test]
fn what_would_take_for_ever_is_refused() {
    let all: Vec<String> = (0..256).map(|state| state.to_string()).collect();
    let head = "@RULE T\n@TABLE\nn_states:256\nneighborhood:Moore\nsymmetries:permute\n";
    let variables: String =
        ["a", "b", "c", "d"].map(|name| format!("var {name}={{{}}}\n", all.join(","))).concat();
    let error = RuleFile::parse(&format!("{head}{variables}a,a,b,b,c,c,d,d,0,1\n"), "T").expect_err("256^4");
    assert!(error.message.contains("combinations"), "{error}");
    assert_eq!(error.line, 10, "{error}");
    // Eight unlike inputs, in every order.
    let mut text = head.to_owned();
    for bit in 0..8 {
        let some: Vec<String> =
            (0..256).filter(|state| state >> bit & 1 == 1).map(|state: i32| state.to_string()).collect();
        writeln!(text, "var v{bit}={{{}}}", some.join(",")).expect("text");
    }
    text.push_str("0,v0,v1,v2,v3,v4,v5,v6,v7,1\n");
    let error = RuleFile::parse(&text, "T").expect_err("too complicated");
    assert!(error.message.contains("too complicated"), "{error}");
}
