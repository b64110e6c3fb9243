//! Laws against the built-in rules, wrong laws and their errors, and any law back from its own text.

use proptest::prelude::*;

use super::*;
use crate::lattice::Neighbourhood;
use crate::rule::table::TransitionTable;
use crate::rule::{ColouredLife, Condition, P2Life, Tie};

const P2LIFE: &str = "law 2 { born own == 3 && other != 3; \
                      survive own - other in 2..=3 || own - other == 1 && own >= 2; tie coin }";
const P2LIFE_TYING: &str =
    "law { born own == 3; survive own - other in 2..=3 || (own - other == 1 && own >= 2); tie coin }";

fn law(text: &str) -> Law {
    Law::parse(text).unwrap_or_else(|error| panic!("{error}")).0
}

fn assert_same(text: &str, ruleset: &dyn Ruleset) {
    let expected = TransitionTable::enumerate(ruleset).expect("a table");
    let found = TransitionTable::enumerate(&law(text)).expect("a table");
    assert_eq!(found.depends_on, expected.depends_on, "{text}");
    assert_eq!(found.cases.len(), expected.cases.len(), "{text}");
    for (found, expected) in found.cases.iter().zip(&expected.cases) {
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn the_rules_of_the_literature_are_laws_of_a_line() {
    assert_same("law 1 { born own == 3; survive own in 2..=3 }", &Condition::CONWAY);
    assert_same("law 1 { born own in [3, 6]; survive own == 2 || own == 3 }", &highlife());
    let immigration = ColouredLife { condition: Condition::CONWAY, colours: 2, tie: Tie::Coin };
    assert_same("law 2 { born total == 3 && own >= 2; survive total in 2..=3 }", &immigration);
    assert_same("law 2 { born total == 3 && own > other; survive total in 2..=3 }", &immigration);
    assert_same(P2LIFE_TYING, &P2Life);
}

fn highlife() -> Condition {
    Condition::counting(Neighbourhood::Moore, 1 << 3 | 1 << 6, 1 << 2 | 1 << 3)
}

#[test]
fn p2life_without_its_coin_never_tosses() {
    let text = P2LIFE.replace(" && other != 3", "");
    assert_same(&text, &P2Life);
    // Said as in the paper's first half sentence, three against three is no birth at all.
    assert_eq!(law(P2LIFE).depends_on().coins, 0, "no tie is left");
}

#[test]
fn every_tie_policy_is_that_of_coloured_life() {
    for tie in [Tie::Coin, Tie::Parity, Tie::NoBirth, Tie::Species(2)] {
        let text =
            format!("law 2 {{ born total in [3, 6] && own >= other; survive total in 2..=3; tie {tie} }}");
        assert_same(&text, &ColouredLife { condition: highlife(), colours: 2, tie });
    }
}

#[test]
fn quad_life_is_a_law_of_four_species() {
    let quad = ColouredLife { condition: Condition::CONWAY, colours: 4, tie: Tie::Coin };
    assert_same(
        "law 4 { born total == 3 && (own >= 2 || own == 0 && rival == 1); survive total in 2..=3 }",
        &quad,
    );
    // Four parents: of four colours, of two, or most of one.
    for tie in [Tie::Coin, Tie::Parity] {
        let life = Condition::counting(Neighbourhood::Moore, 1 << 4, 0);
        let text = format!("law 4 {{ born total == 4 && own >= rival; tie {tie} }}");
        assert_same(&text, &ColouredLife { condition: life, colours: 4, tie });
    }
}

#[test]
fn four_species_can_be_tied_at_once() {
    for (tie, coins) in [("coin", 2), ("parity", 0)] {
        let law = law(&format!("law 4 {{ born total == 4 && own == 1; tie {tie} }}"));
        assert_eq!(law.depends_on().coins, coins, "{tie}");
        let seen = Neighbours::new(&[1, 2, 3, 4, 0, 0, 0, 0]);
        let born = |x, y, coins| {
            let site = Site { at: crate::coords::Coords::new(x, y), generation: 0 };
            law.empty_cell_next(&seen, site, &mut Coin::fixed(coins))
        };
        let all: Vec<State> = match tie {
            "coin" => (0..4).map(|coins| born(0, 0, coins)).collect(),
            _ => [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(x, y)| born(x, y, 0)).to_vec(),
        };
        assert_eq!(all, [1, 2, 3, 4], "{tie}");
    }
}

#[test]
fn a_cell_may_be_taken_over_and_coins_tossed() {
    let law = law("LAW 2 { Take own >= 3 && coin; survive own == 2 && generation % 2 == 1 }");
    let depends = law.depends_on();
    assert_eq!((depends.coins, depends.parity_generation, depends.parity_x), (1, true, false), "{depends:?}");
    let next = |states: &[State], own, generation, coins| {
        let mut seen = [0; 8];
        seen[..states.len()].copy_from_slice(states);
        let site = Site { generation, ..Site::default() };
        law.cell_next(&Neighbours::new(&seen), own, site, &mut Coin::fixed(coins))
    };
    assert_eq!(next(&[2, 2, 2], 1, 0, 1), 2, "taken");
    assert_eq!(next(&[2, 2, 2], 1, 0, 0), 0, "not taken, and not surviving");
    assert_eq!(next(&[2, 2, 2, 1, 1], 1, 0, 0), 0, "even generation");
    assert_eq!(next(&[2, 2, 2, 1, 1], 1, 7, 0), 1, "odd generation");
    assert_eq!(next(&[1, 1], 1, 7, 0), 1, "nothing to toss for");
}

#[test]
fn parities_are_those_of_the_places() {
    let chequered = law("law 1 { born own == 3 && (x + y) % 2 == 0; survive is_odd(x - 3 * y) }");
    let depends = chequered.depends_on();
    assert_eq!((depends.parity_x, depends.parity_y, depends.parity_generation), (true, true, false), "flags");
    let seen = Neighbours::new(&[1, 1, 1, 0, 0, 0, 0, 0]);
    for (x, y) in [(0, 0), (-1, 0), (-1, -1), (-2, 5), (7, -2), (-3, 9)] {
        let site = Site { at: crate::coords::Coords::new(x, y), generation: 3 };
        let next = |own| chequered.cell_next(&seen, own, site, &mut Coin::fixed(0));
        assert_eq!(next(0) == 1, (x + y).rem_euclid(2) == 0, "born at ({x}, {y})");
        assert_eq!(next(1) == 1, (x - 3 * y).rem_euclid(2) == 1, "survives at ({x}, {y})");
    }
    let named = law("law 1 { born own == 3 && (x % 2 == 0 || x % 2 == 1 || y % 2 == 7); survive own == 2 }");
    assert!(!named.depends_on().parity_x, "named, but of no effect");
    assert!(!named.depends_on().parity_y, "named, but of no effect");
}

#[test]
fn the_canonical_text_has_no_blanks_and_reads_back() {
    for (text, canonical) in [
        (P2LIFE_TYING, "law2{born=own==3;survive=own-other~in~2..=3||(own-other==1&&own>=2);tie=coin}"),
        (" Law 1{survive=own in[2,3] ;;born = OWN  ==  3;}", "law1{born=own==3;survive=own~in[2,3]}"),
        (
            "law3{neighborhood=Von Neumann; tie 3; born own - -1 < - 1 && ! (own==2) && rival>0}",
            "law3{born=own-~-1<~-1&&!(own==2)&&rival>0;tie=3;neighbourhood=v}",
        ),
        ("law2{born=own~in~2..=3&&other==0}:t 30, 20", "law2{born=own~in~2..=3&&other==0}:T30,20"),
        (
            "law {born total==3&&own>=2; take own==8; neighbourhood moore} : P7",
            "law2{born=total==3&&own>=2;take=own==8}:P7,7",
        ),
    ] {
        let rule = parse(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(rule.to_string(), canonical, "{text}");
        let again = crate::rule::parse(canonical).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again, rule, "{text}");
        assert_eq!(Law::parse(canonical).map(|law| law.0), Law::parse(text).map(|law| law.0), "{text}");
        assert!(!canonical.contains(char::is_whitespace), "{canonical}");
        assert!(!rule.name().contains(':'), "{canonical}");
    }
}

#[test]
fn errors_point_at_the_character_and_name_the_case() {
    let mut wrong = Vec::new();
    for (text, column, part) in [
        ("law", 3, "in braces"),
        ("law 2: born own == 3", 5, "in braces"),
        ("law 5 { born own == 3 }", 4, "1 to 4 species"),
        ("law 0{}", 4, "1 to 4 species"),
        ("law 99999999999 {}", 4, "1 to 4 species"),
        ("law 2 { born own == 3", 21, "closing }"),
        ("law 2 {}", 7, "says nothing"),
        ("law 2 { tie coin }", 17, "says nothing"),
        ("law 2 { bear own == 3 }", 8, "begins with born"),
        ("law 2 { born own == 3; born own == 2 }", 23, "only one born"),
        ("law 2 { born own == 3; tie coin; tie 1 }", 33, "only one tie"),
        ("law 2 { born own == 3; tie 3 }", 27, "1 to 2"),
        ("law 2 { born own == 3; tie }", 27, "settled by"),
        ("law 2 { born own == 3; neighbourhood round }", 37, "one of moore"),
        ("law 2 { born ; tie coin }", 13, "expression is missing"),
        ("law 1 { born own == 3 } x", 24, "comes nothing"),
        ("law 1 { born own == 3 }:X5", 24, "topology"),
        ("law 1 { born own == 3 }:T5,", 27, "number"),
        ("law 1 { born own ≥ 3 }", 17, "say >="),
        ("law 1 { born own == \"3\" }", 20, "no place"),
        ("law 1 { born own == 3 // three\u{A0}}", 22, "begin with #"),
        ("law 1 { born if own == 3 {true} }", 25, "no place"),
        ("law 1 { born own == 3\n}", 21, "one line"),
        ("law 1 { born owl == 3 }", 13, "'owl' is not known"),
        ("law 2 { born n3 == 3 }", 13, "no species 3"),
        ("law 1 { born own = 3 }", 17, "=="),
        ("law 1 { born own == }", 19, "not finished"),
        ("law 1 { born own == 3) }", 21, ")"),
        ("law 1 { born (own == 3 }", 22, ""),
        ("law 1 { born own 3 }", 17, ""),
        (
            "law 1 { born own }",
            13,
            "born gives 0, and has to give true or false, as own == 3 does (with 0 alive",
        ),
        ("law 1 { born 2 <= own <= 3 }", 22, "say 2 <= own && own <= 3"),
        ("law 1 { born own == 2..=3 }", 21, "own in 2..=3"),
        ("law 1 { born own == [2, 3] }", 20, "own in [2, 3]"),
        ("law 1 { born own in [2, true] }", 17, "a list holds numbers"),
        ("law 1 { born own in 3 }", 17, "own in [2, 3]"),
        ("law 1 { born own in 2-3 }", 17, "own in [2, 3]"),
        ("law 1 { born own == 2, 3 }", 21, "own in [2, 3]"),
        ("law 1 { born own == 3 or own == 2 }", 22, "||"),
        ("law 1 { born own == 3 and total < 4 }", 22, "&&"),
        ("law 1 { born not (own == 3) }", 13, "not is written !"),
        ("law 1 { born own is 3 }", 17, "=="),
        ("law 1 { born own => 3 }", 17, ">="),
        ("law 1 { born own <> 3 }", 18, "!="),
        ("law 1 { born own =< 3 }", 17, "=="),
        ("law 1 { born own == 3.5 }", 21, "whole"),
        ("law 1 { born if own == 3 true }", 25, "only expressions"),
        ("law 1 { born x }", 13, "a coordinate, and has to give true or false, as x % 2 == 0"),
        ("law 1 { born own % 0 == 1 }", 17, "division by zero"),
        ("law 1 { born own ** 2 > 2 }", 17, "multiplied by *"),
        ("law 1 { born own << 65 }", 17, "+ - * / %"),
        ("law 1 { born own << 1 == 4 }", 17, "+ - * / %"),
        ("law 1 { born own >> 1 == 1 }", 17, "+ - * / %"),
        ("law 1 { born own ^ 1 == 2 }", 17, "+ - * / %"),
        ("law 1 { born own & 1 == 1 }", 17, "own % 2"),
        ("law 1 { born own == 3 & coin }", 22, "joined by &&"),
        ("law 1 { born own == 3 | own == 2 }", 22, "joined by ||"),
        ("law 1 { born x & 1 == 1 }", 15, "own % 2"),
        ("law 1 { born [[own]] == 3 }", 13, "own in [2, 3]"),
        ("law 1 { born [own] == 3 }", 13, "own in [2, 3]"),
        ("law 1 { born [3] != own }", 13, "own in [2, 3]"),
        ("law 1 { born own[0] }", 16, "own in [2, 3]"),
        ("law 1 { born [2, 3][0] == own }", 13, "own in [2, 3]"),
        ("law 1 { born own in [2, 3][0] }", 26, "own in [2, 3]"),
        ("law 1 { born own in [[2, 3]] }", 21, "own in [2, 3]"),
        ("law 1 { born own == 3 && 2..=3 == 2..=3 }", 26, "own in 2..=3"),
        ("law 1 { born (2..3) == own }", 15, "own in 2..=3"),
        ("law 1 { born own in [2..=3] }", 22, "own in 2..=3"),
        ("law 1 { born own == () }", 20, "there is nothing"),
        ("law 1 { born own.abs() == 3 }", 16, "called by a dot"),
        ("law 1 { born sign(own) == 1 }", 13, "there is no sign"),
        ("law 1 { born false && [own] == 3 }", 22, "own in [2, 3]"),
        ("law 1 { born x == true }", 15, "only the parity"),
        ("law 1 { born true != generation }", 18, "only the parity"),
        ("law 1 { born (own == 3) > false }", 24, "neither is more"),
        ("law 1 { born (0 - 9223372036854775807 - 1) / (0 - 1) == own }", 43, "overflow"),
        ("law 1 { born abs(0 - 9223372036854775807 - 1) == own }", 13, "overflow"),
        ("law 1 { born while true }", 13, ""),
        ("law 1 { born fn f() }", 13, ""),
        ("law 1 { B3/S23 }", 8, "begins with born"),
        ("law -1 { born own == 3 }", 4, "in braces"),
        ("law two { born own == 3 }", 4, "in braces"),
        ("law 2 { born own == 3; tie coin } T20", 34, "comes nothing"),
        ("law 2 { born own == 3; tie coin }}", 33, "comes nothing"),
        ("law 2 { born own == 3; colour red }", 23, "begins with born"),
        ("law 2 { ;;; }", 12, "says nothing"),
        ("law 1 { born own && true }", 13, "a truth is needed here"),
        ("law 1 { born 6 / own == 3 }", 15, "division by zero"),
        (
            "law 2 { born own == 3; survive 6 / (own - 2) == 3; tie 1 }",
            33,
            "with 0 white and 2 black neighbours of a black cell",
        ),
        ("law 1 { born own * 9223372036854775807 > 3 }", 17, "overflow"),
        ("law 1 { born 99999999999999999999 == own }", 13, ""),
        ("law 1 { born x % 3 == 0 }", 15, "only the parity"),
        ("law 1 { born x == 0 }", 15, "only the parity"),
        ("law 1 { born generation > 5 }", 24, "only the parity"),
        ("law 1 { born loop {} }", 18, "no place"),
        ("law 1 { born eval(own) }", 13, ""),
        ("law 1 { born own.foo }", 16, ""),
        ("law 1 { born foo(own) }", 13, "there is no foo"),
        ("law 1 { born let y = 3 }", 13, ""),
        (
            "law 2 { born own == 3 }",
            13,
            "with 3 white and 3 black neighbours both white and black are born; say tie coin",
        ),
        (
            "law 3 { born own == 2; tie parity }",
            13,
            "with 2 white, 2 black and 2 red neighbours white, black and red are born at once; a coin or a parity",
        ),
        (
            "law 3 { survive total == 2; take own == 2 }",
            33,
            "with 0 white, 2 black and 2 red neighbours of a white cell both black and red take the cell",
        ),
        ("law 4 { born total == 4 && own == 1 && coin || own == 4 && coin; tie coin}", 13, "three coins"),
    ] {
        let Err(error) = Law::parse(text) else {
            wrong.push(format!("{text}: is read"));
            continue;
        };
        let fits = error.column == column && error.message.contains(part);
        if !fits || error.message.contains('\n') || error.message.contains("i64") {
            wrong.push(format!("column {column} and {part:?} were expected: {error}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn huge_expressions_are_stopped() {
    let nested = |n: usize| format!("law 1 {{ born {}own == 3{} }}", "(".repeat(n), ")".repeat(n));
    assert!(Law::parse(&nested(10)).is_ok(), "ten parentheses");
    for n in [100, 1900] {
        let error = Law::parse(&nested(n)).map(|law| law.0).expect_err("too deep");
        assert!(error.message.contains("too deep"), "{error}");
    }
    for unary in ["!", "-", "- "] {
        let text = format!("law 1 {{ born {}own == 3 }}", unary.repeat(900));
        assert!(Law::parse(&text).is_err(), "900 times {unary}");
    }
    let long = format!("law 1 {{ born {}true }}", "own == 3 || ".repeat(300));
    assert!(Law::parse(&long).map(|law| law.0).is_ok() || long.len() > 3600, "a long one is read or refused");
    let longer = format!("law 1 {{ born {}true }}", "own == 3 || ".repeat(400));
    assert!(Law::parse(&longer).expect_err("too long").message.contains("4000 characters"), "too long");
    let list = format!("law 1 {{ born own in [{}] }}", "1,".repeat(100));
    assert!(Law::parse(&list).is_err(), "a list of a hundred");
}

#[test]
fn only_the_word_law_begins_a_law() {
    for (text, expected) in [
        ("law", true),
        (" LAW2{", true),
        ("law 2 {", true),
        ("lawn", false),
        ("Life", false),
        ("B3/S23", false),
        ("la", false),
        ("läw{", false),
        ("日本", false),
        ("", false),
    ] {
        assert_eq!(is_law(text), expected, "{text}");
    }
}

#[test]
fn a_file_is_one_line_with_every_character_in_its_place() {
    let file = "# p2life\nlaw 2 {\r\n\tborn own == 3;  # three\n survive own == 2; tie coin\n}\n";
    let text = from_file(file);
    assert_eq!(text.chars().count(), file.chars().count(), "places");
    assert_eq!(
        parse(&text).unwrap_or_else(|error| panic!("{error}")).name(),
        "law2{born=own==3;survive=own==2;tie=coin}",
        "the law"
    );
}

/// Truths over the variables, as text.
fn truths() -> impl Strategy<Value = String> {
    let number = || {
        proptest::string::string_regex(
            "own|other|total|rival|n1|n2|species|cell|[0-9]|x % 2|\\(y \\+ x\\) % 2",
        )
        .expect("a pattern")
    };
    let sum = (number(), "[-+*]|- -", number()).prop_map(|(a, op, b)| format!("{a} {op} {b}"));
    let term = prop_oneof![number(), sum];
    let leaf = prop_oneof![
        (term.clone(), "==|!=|<|<=|>|>=", term.clone()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        (term.clone(), "[0-4]", "[4-8]").prop_map(|(a, low, high)| format!("{a} in {low}..={high}")),
        (term, "!?in", "[0-8], ?[0-8]").prop_map(|(a, op, list)| format!("{a} {op} [{list}]")),
        "coin|true|generation % 2 == 1",
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), "&&|\\|\\|", inner.clone()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
            inner.clone().prop_map(|a| format!("({a})")),
            inner.prop_map(|a| format!("! ({a})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_law_is_total_and_reads_back(born in truths(), survive in truths(), take in truths()) {
        let text = format!("law 2 {{ born {born}; survive {survive}; take {take}; tie none }}");
        let rule = parse(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let again = parse(rule.name()).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(rule.name(), again.name(), "{}", text);
        let table = |rule: &Rule| TransitionTable::enumerate(rule.ruleset()).expect("a table").cases;
        prop_assert_eq!(table(&rule), table(&again), "{}", text);
    }

    #[test]
    fn any_text_gives_a_law_or_an_error(
        text in "law ?[0-9]? ?\\{ ?(born|survive|tie|take) ?=?[a-z0-9 ()\\[\\].,=<>!&|+*/%~;-]{0,40}\\}?(:T5)?",
    ) {
        match parse(&text) {
            Ok(rule) => prop_assert_eq!(&parse(&rule.to_string()).expect("canonical"), &rule, "{}", text),
            Err(error) => prop_assert!(error.column <= text.chars().count(), "{}", error),
        }
    }
}
