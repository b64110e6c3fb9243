//! Right answers for rules of every family, found by the oracle: published ones, and ones that an independent program
//! found. Where they are from is said at each.

use biota::board::{Board, Cells, Topology};
use biota::coords::Rect;
use biota::engine::EngineKind;
use biota::pattern::{self, Limits};
use biota::rule::Rule;

use crate::common::{difference, rule, soup, stepped};

fn cells(text: &str) -> Cells {
    pattern::read(text.as_bytes(), &Limits::default()).unwrap_or_else(|error| panic!("{text}: {error}")).cells
}

fn board(rule: &Rule, text: &str) -> Board {
    Board::with_cells(rule.topology(), cells(text))
}

/// Asserts that a pattern comes back after `period` generations, and not earlier, moved by (`dx`, `dy`).
fn assert_period(text: &str, pattern: &str, period: u64, (dx, dy): (i64, i64)) {
    let rule = rule(text);
    let start = board(&rule, pattern);
    let corner = |cells: &Cells| cells.bounding_box().map_or((0, 0), |bounds| (bounds.x, bounds.y));
    let (x, y) = corner(&start.cells);
    let mut now = start.clone();
    for generation in 1..=period {
        now = stepped(EngineKind::Oracle, &rule, &now, 1);
        let (now_x, now_y) = corner(&now.cells);
        let moved = start.cells.translated(now_x - x, now_y - y).expect("in reach");
        // On triangles, what moved by an odd number of cells stands upside down and is another pattern.
        let same = moved == now.cells && (now_x - x + now_y - y) % 2 == (dx + dy) % 2;
        assert_eq!(same, generation == period, "{text}, {pattern}, generation {generation} of {period}");
    }
    let (now_x, now_y) = corner(&now.cells);
    assert_eq!((now_x - x, now_y - y), (dx, dy), "{text}, {pattern}: how far it went");
}

/// Of the table of known answers: published, or found with an independent program.
#[test]
fn known_patterns_of_every_family_have_their_periods_and_speeds() {
    for (rule, pattern, period, displacement) in [
        ("B2-a/S12", "2bo$obo!", 6, (1, 1)),
        ("/2/3", "AB$AB!", 1, (-1, 0)),
        ("B245/S3H", "obo$4bo$2bo$bo2bobo$3bo$5bo!", 10, (0, -2)),
        ("B2/S34H", "bo$o!", 2, (0, 0)),
        ("B2/S34H", "2o$obo$b2o!", 3, (0, 0)),
        ("B2/S34H", "o2bo$2bo!", 4, (0, 0)),
        ("B4/S456L", "4o$4o!", 3, (2, 0)),
        ("B45/S34L", "7b2o$7b3o$b3o3b4o$2b4o3b3o$3b3o3b4o$4b4o3b3o$5b3o$6b2o!", 4, (0, 0)),
        ("B456/S34L", "bo3bo$bo4bo$b2o4bo$2bo5bo$2bo5bo$3b2ob2o!", 12, (2, 2)),
    ] {
        assert_period(rule, pattern, period, displacement);
    }
}

/// By hand: two cells side by side have two neighbours ahead, and none of the three rows holds enough to survive.
#[test]
fn a_pair_with_two_ages_behind_it_flies_at_the_speed_of_light_in_star_wars() {
    assert_period("345/2/4", "2A$2B$2C!", 1, (0, -1));
    assert_period("R1,C4,S3-5,B2,NM", "2A$2B$2C!", 1, (0, -1));
}

/// By hand: ends and middle of a blinker die, the middle since its two neighbours stand opposite each other.
#[test]
fn blinkers_of_tlife_lose_their_middle() {
    let tlife = rule("tlife");
    let after = stepped(EngineKind::Oracle, &tlife, &board(&tlife, "3o!"), 1);
    assert_eq!(after.cells, cells("o2$o!").translated(1, -1).expect("in reach"), "the newborn two only");
}

/// A rule given in two ways runs alike.
#[test]
fn forms_of_one_rule_run_alike() {
    for (one, other) in [
        (
            "MAPARYXfhZofugWaH7oaIDogBZofuhogOiAaIDogIAAgAAWaH7oaIDogGiA6ICAAIAAaIDogIAAgACAAIAAAAAAAA",
            "B3/S23",
        ),
        ("B1e2ak3inqy4ny5e/S", "B1/SV"),
        ("B1/S012345678|B/S012345678", "B1/S012345678|B/S012345678"),
        ("R1,C0,M1,S3..4,B3..3,NM", "1,3,3,3,4"),
    ] {
        let size = Topology::Torus { width: 31, height: 23 };
        let (one, other) = (rule(one).with_topology(size), rule(other).with_topology(size));
        let start = soup(&one, Rect::new(0, 0, 31, 23), 0.3, 7);
        let [one_after, other_after] =
            [&one, &other].map(|rule| stepped(EngineKind::Oracle, rule, &start, 20));
        assert_eq!(difference(&one_after, &other_after), None, "{one} and {other}");
    }
}

/// Golly's emulation of B0 in an endless world: two rules in turn, the second on the inverted world.
#[test]
fn births_of_nothing_are_what_golly_makes_of_them() {
    for (rule_text, even, odd) in [
        ("B03/S23", "B1245678/S0145678", "B56/S58"),
        ("B0124-k/S1c25", "B34k5678/S01-c34678", "B367c/S4-k678"),
    ] {
        let (own, emulated) = (rule(rule_text), rule(&format!("{even}|{odd}")));
        let start = soup(&own, Rect::new(0, 0, 20, 16), 0.4, 3);
        for generations in [1, 2, 5, 12] {
            let found = stepped(EngineKind::Oracle, &own, &start, generations);
            // Cells are kept as what differs from the background, and so inverted with it.
            let expected = stepped(EngineKind::Oracle, &emulated, &start, generations);
            assert_eq!(u64::from(found.background), generations % 2, "{rule_text}: background");
            assert_eq!(found.cells, expected.cells, "{rule_text}, generation {generations}");
        }
    }
}

/// Where one colour is alone, colonies live as the rule without colours.
#[test]
fn a_colony_alone_lives_by_the_condition() {
    for text in ["B3/S23", "B2-a/S12", "B2/S34H", "B45/S34L", "B24/S12V"] {
        let plain = rule(text);
        let start = soup(&plain, Rect::new(0, 0, 12, 12), 0.3, 11);
        let expected = stepped(EngineKind::Oracle, &plain, &start, 8);
        for suffix in ["Symbiosis", "DeadlyEnemies", "Immigration", "QuadLife-none"] {
            let coloured = rule(&format!("{text}{suffix}"));
            let found = stepped(EngineKind::Oracle, &coloured, &start, 8);
            assert_eq!(difference(&expected, &found), None, "{text}{suffix}");
        }
    }
}

/// Whatever their colours, cells of Immigration and QuadLife live and die as those of the rule without colours.
#[test]
fn colours_do_not_change_who_lives() {
    for text in ["B36/S23", "B2-a/S12", "B2/S34H", "B45/S34L", "B24/S12V", "B1/S12HT"] {
        for suffix in ["Immigration-parity", "Immigration", "QuadLife-coin"] {
            let (plain, coloured) = (rule(text), rule(&format!("{text}{suffix}")));
            let start = soup(&coloured, Rect::new(0, 0, 14, 11), 0.4, 5);
            let colourless = |board: &Board| {
                let mut cells = Cells::new();
                for (at, _) in board.cells.iter() {
                    cells.set(at, 1).expect("where a cell was");
                }
                Board { cells, ..board.clone() }
            };
            let expected = stepped(EngineKind::Oracle, &plain, &colourless(&start), 6);
            let found = colourless(&stepped(EngineKind::Oracle, &coloured, &start, 6));
            assert_eq!(difference(&expected, &found), None, "{text}{suffix}");
        }
    }
}
