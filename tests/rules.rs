//! Right answers for rules of every family, found by the oracle: published ones, and ones that an independent program
//! found. Where they are from is said at each.

use biota::board::{Board, Cells, Topology};
use biota::coords::{Coords, Rect};
use biota::engine::EngineKind;
use biota::pattern::{self, Limits};
use biota::rule::{Rule, parse};

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

/// Published oscillators and spaceships, each with where it is from.
#[test]
fn published_patterns_of_many_rules_have_their_periods_and_speeds() {
    for (rule, pattern, period, displacement) in [
        // Letters on Moore's neighbourhood. Arie Paap 2019, in Golly's collection: the longest odd period of two cells.
        ("B2-ck3-acij4-acqy5-aik6-ae7c8/S01e2n3cr4aceqt5einq6c7e8", "obo!", 195, (0, 0)),
        // LifeWiki, OCA:Tlife: the T flies at c/5, the glider lives, a beacon becomes a still life of eight cells.
        ("B3/S2-i34q", "3o$bo!", 5, (0, 1)),
        ("B3/S2-i34q", "bo$2bo$3o!", 4, (1, 1)),
        ("B3/S2-i34q", "2o$2o$2b2o$2b2o!", 1, (0, 0)),
        // Letters on hexagons. Callahan 1997: period 48, over by one cell after it turned over at 24.
        ("B2o/S2m34H", "obo$b2o$b3obo$2b2o2bo$3bo!", 48, (1, 2)),
        // AlephAlpha 2019, in Golly's collection: one, two and three copies that go round a hexagon.
        ("B2o3o4m5/S2H", "bo$3o!", 30, (0, 0)),
        ("B2o3o4m5/S2H", "bo$3o6$4b3o$5bo!", 15, (0, 0)),
        ("B2o3o4m5/S2H", "bo$3o3$6bo$bo4bo$b2o3b2o$3bo!", 10, (0, 0)),
        // Counts on hexagons. drc and Dean Hickerson (1987), conwaylife.com/forums, topic 2015.
        ("B2/S34H", "4bo$ob2o$b3o$3o$bobo!", 5, (0, 0)),
        ("B2/S34H", "bo$2bo2bo$2b4o$3o2bo$2bo3bo$3bo2b3o$3b4o$3bo2bo$7bo!", 5, (0, 0)),
        ("B2/S34H", "o$3o$2bobo$4bobo$6b3o$8bo!", 8, (0, 0)),
        ("B2/S34H", "o2$bo$b2o$2bo$2b2o$3bo$3b2o$3bobo$2b6o$b3o3b3o$b2o6b2o$o11bo!", 10, (0, 0)),
        ("B2/S34H", "obo7bo$o$3bo7bo$bobo$11bobo$10bo4bo!", 12, (0, 0)),
        ("B2/S34H", "o$obo$2b2o$5bo!", 48, (0, 0)),
        ("B25/S34H", "o$2o$obo$b2o$2bo!", 33, (0, 0)),
        // Symbiosis, conwaylife.com/forums: a pipsquirter of period 12 and sparkers of 25 and 74.
        ("Symbiosis", ".A3.A$B.3A.B$B5.B$.5A$3.B!", 12, (0, 0)),
        ("Symbiosis", ".3A$.A.A.A$BA2.2A$2.2A.B!", 25, (0, 0)),
        (
            "Symbiosis",
            "7.3A$6.A3.A$6.A3.A$B.A3.A.A2.A$.2A6.2A3.2A$13.A2.A$14.A.A4.A$4.A10.A4.A.2A.A$4.2A14.A.A.AB$21.A$22.A.A$23.B$7.A$5.4A$5.A$4.A4.A$5.A3.A$6.A2.A$7.A!",
            74,
            (0, 0),
        ),
        // Wójtowicz's page of Star Wars: the cross and the rails stand for ever.
        ("345/2/4", ".A$3A$.A!", 1, (0, 0)),
        ("345/2/4", ".A2.A$6A$.A2.A!", 1, (0, 0)),
    ] {
        assert_period(rule, pattern, period, displacement);
    }
}

/// The wiki of conwaylife.com, OCA:2x2: two rows of 4, 8, 12, … cells, which the rule moves as blocks of two by two.
#[test]
fn bars_of_blocks_in_two_by_two_have_their_periods() {
    for (quarter, period) in (1..).zip([2, 6, 14, 14, 62, 126]) {
        let length = 4 * quarter;
        assert_period("B36/S125", &format!("{length}o${length}o!"), period, (0, 0));
    }
}

/// Johnston, arXiv:1203.1644: what is made of blocks of two by two stays so, the blocks shifted by one every generation.
#[test]
fn blocks_stay_blocks_in_two_by_two() {
    let rule = rule("B36/S125");
    let blocks = soup(&rule, Rect::new(0, 0, 12, 9), 0.4, 3);
    let mut cells = Cells::new();
    for (at, _) in blocks.cells.iter() {
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            cells.set(Coords::new(2 * at.x + dx, 2 * at.y + dy), 1).expect("near");
        }
    }
    let mut now = Board::with_cells(rule.topology(), cells);
    for generation in 1..=8 {
        now = stepped(EngineKind::Oracle, &rule, &now, 1);
        let shift = generation % 2;
        for (at, _) in now.cells.iter() {
            let corner = Coords::new(
                (at.x - shift).div_euclid(2) * 2 + shift,
                (at.y - shift).div_euclid(2) * 2 + shift,
            );
            let whole = [(0, 0), (1, 0), (0, 1), (1, 1)]
                .into_iter()
                .all(|(dx, dy)| now.get(corner.offset(dx, dy)) == 1);
            assert!(whole, "generation {generation}: the block at {corner:?}");
        }
    }
}

/// Cells that are an odd number of times in the list.
fn odd(places: impl IntoIterator<Item = Coords>) -> Cells {
    let mut cells = Cells::new();
    for at in places {
        cells.set(at, 1 - cells.get(at)).expect("near");
    }
    cells
}

/// Fredkin's law, from algebra: under the parity of the neighbours a pattern becomes, after 2^n generations, its own
/// copies 2^n cells off, where the neighbours are, and where copies meet, their parity; one more copy stays where the
/// cell counts itself.
#[test]
fn parity_rules_copy_every_pattern() {
    for (text, counts_itself) in [
        ("B1357/S1357", false),
        ("B1357/S02468", true),
        ("B13/S13V", false),
        ("B13/S024V", true),
        ("B13/S13NX", false),
        ("B13/S024NX", true),
        ("B135/S135H", false),
        ("B135/S0246H", true),
        ("B13/S13HT", false),
        ("B13/S02HT", true),
    ] {
        let rule = rule(text);
        let start = board(&rule, "3o2bo$obo$bo3bo!");
        for generations in [1, 2, 4, 8, 16i64] {
            let offsets = rule.depends_on().neighbourhood.both_offsets()[0];
            let own = counts_itself.then_some((0, 0));
            let expected = odd(start.cells.iter().flat_map(|(at, _)| {
                // Who is seen to the left copies itself to the right.
                offsets
                    .iter()
                    .copied()
                    .chain(own)
                    .map(move |(dx, dy)| at.offset(-dx * generations, -dy * generations))
            }));
            let found = stepped(EngineKind::Oracle, &rule, &start, generations.unsigned_abs());
            assert_eq!(found.cells, expected, "{text}, generation {generations}");
        }
    }
}

/// From algebra too: two steps over edges lead back in three ways, and in one to each of the six triangles around that
/// stand alike. So after 2^(n+1) generations there are seven copies.
#[test]
fn parity_over_the_edges_of_triangles_copies_every_pattern() {
    let rule = rule("B13/S13LE");
    let start = board(&rule, "3o2bo$obo$bo3bo!");
    for distance in [1, 2, 4, 8i64] {
        let expected = odd(start.cells.iter().flat_map(|(at, _)| {
            [(0, 0), (-2, 0), (2, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)]
                .map(|(dx, dy)| at.offset(dx * distance, dy * distance))
        }));
        let found = stepped(EngineKind::Oracle, &rule, &start, 2 * distance.unsigned_abs());
        assert_eq!(found.cells, expected, "copies {distance} off");
    }
}

/// Rule strings as they stand in files of Golly and LifeViewer, in LifeViewer's list of names, and on
/// conwaylife.com, and what they mean here.
#[test]
fn rule_strings_from_elsewhere_mean_what_they_mean_there() {
    for (text, expected) in [
        // Orders, cases and separators.
        ("b3s23", "B3/S23"),
        ("B3S23", "B3/S23"),
        ("S23B3", "B3/S23"),
        ("s23/b3", "B3/S23"),
        ("B3/23", "B3/S23"),
        ("23/3", "B3/S23"),
        ("B 3 / S 2 3", "B3/S23"),
        ("B3/S23:", "B3/S23"),
        ("B/S", "B/S"),
        ("/", "B/S"),
        ("B2", "B2/S"),
        ("/2", "B2/S"),
        ("012345678/3", "B3/S012345678"),
        ("b3678s34678", "B3678/S34678"),
        ("B0123478/S01234678", "B0123478/S01234678"),
        ("B028/S0124", "B028/S0124"),
        // Letters.
        ("B2n3/S1c23-y", "B2n3/S1c23-y"),
        ("b2n3_s1c23-y", "B2n3/S1c23-y"),
        ("B36e7c/S2-i34q", "B36e7c/S2-i34q"),
        ("2-i34q/3", "B3/S2-i34q"),
        ("S2-i34q/B3", "B3/S2-i34q"),
        ("B3-jknr4ity5ijk6i8/S23-a4city6c7c", "B3-jknr4ity5ijk6i8/S23-a4city6c7c"),
        (
            "B2-ck3-acij4-acqy5-aik6-ae7c8/S01e2n3cr4aceqt5einq6c7e8",
            "B2-ck3-acij4-acqy5-aik6-ae7c8/S01e2n3cr4aceqt5einq6c7e8",
        ),
        (
            "B3e4ejr5cinqy6-ei78/S012-e3-ajk4-akqw5-ajk6-e78",
            "B3e4ejr5cinqy6-ei78/S012-e3-ajk4-akqw5-ajk6-e78",
        ),
        ("B012-in3-cky4ar5cjnr6ae/S05aijnr6n", "B012-in3-cky4ar5cjnr6ae/S05aijnr6n"),
        // Other neighbourhoods.
        ("B1/S1V", "B1/S1V"),
        ("B13/S024V", "B13/S024V"),
        ("b2/s013v", "B2/S013V"),
        ("B2/S34H", "B2/S34H"),
        ("34/2H", "B2/S34H"),
        ("b135s0246h", "B135/S0246H"),
        ("B2o3m56/S2-p4oH", "B2o3m56/S2mo4oH"),
        ("B2-m4-m56/S2m34m56H", "B2op4op56/S2m34m56H"),
        ("B3o/S234-o6H", "B3o/S234mp6H"),
        ("B2/S2-mH", "B2/S2opH"),
        ("B456/S12L", "B456/S12L"),
        ("B4/S345L", "B4/S345L"),
        ("b45/s34l", "B45/S34L"),
        // Ages.
        ("/2/3", "/2/3"),
        ("345/2/4", "345/2/4"),
        ("B2/S345/4", "345/2/4"),
        ("B2/S345/C4", "345/2/4"),
        ("B2/S345/G4", "345/2/4"),
        ("B2/S345G4", "345/2/4"),
        ("G4/B2/S345", "345/2/4"),
        ("g4b2s345", "345/2/4"),
        ("C4/B2/S345", "345/2/4"),
        ("23/3/2", "B3/S23"),
        ("0125678/345678/64", "0125678/345678/64"),
        ("234e/2e3/3", "234e/2e3/3"),
        ("2-i34q/2c34w5c/4", "2-i34q/2c34w5c/4"),
        ("34/2/4H", "34/2/4H"),
        ("B2/S/3V", "/2/3V"),
        ("MAPHmlphg/3", "013/2/3V"),
        // Ranges.
        ("R1,C0,S2-3,B3", "B3/S23"),
        ("R1,C2,S2-3,B3,NM", "B3/S23"),
        ("R1,C2,M0,S2..3,B3..3,NM", "B3/S23"),
        ("R1,C0,M1,S3..4,B3..3,NM", "B3/S23"),
        ("R1,C0,M0,S2..3,B3..3,NN", "B3/S23V"),
        ("R1,C0,M0,S2..3,B3..3,NC", "B3/S23"),
        ("R1,C2,S2,4,6,B1,3,5,7,NM", "B1357/S246"),
        ("R1,C4,S3-5,B2,NM", "345/2/4"),
        ("R1,C2,S3-4,B2,NH", "B2/S34H"),
        ("R1,C2,S3-4,B4-5,NL", "B45/S34L"),
        ("1,3,3,3,4", "B3/S23"),
        // In turn.
        ("B24/S|B35/S", "B24/S|B35/S"),
        ("b13/s012345678|b/s15", "B13/S012345678|B/S15"),
        ("B3/S23|B/S1c2345678", "B3/S23|B/S1c2345678"),
        // One letter is enough, and digits with letters win over the same digit alone.
        ("3/S23", "B3/S23"),
        ("362/S", "B236/S"),
        ("B44y/S", "B4y/S"),
        // Worlds.
        ("B3/S23:T30", "B3/S23:T30,30"),
        ("B3/S23:T30,20", "B3/S23:T30,20"),
        ("B3/S23:T30+5,20", "B3/S23:T30+5,20"),
        ("B3/S23:T30,20-3", "B3/S23:T30,20+17"),
        ("B3/S23:P30,20", "B3/S23:P30,20"),
        ("B3/S23:K30*,20", "B3/S23:K30*,20"),
        ("B3/S23:K30,20", "B3/S23:K30,20*"),
        ("b3/s23:k30*+1,20", "B3/S23:K30*+1,20"),
        ("B3/S23:K30*-1,20", "B3/S23:K30*+1,20"),
        ("B3/S23:K21*+1,20", "B3/S23:K21*,20"),
        ("B3/S23:T5+0,4+1", "B3/S23:T5,4+1"),
        ("B3/S23:C30,20", "B3/S23:C30,20"),
        ("B3/S23:S30", "B3/S23:S30"),
        ("B3/S23:T0", "B3/S23"),
        ("23/3/4:P10", "23/3/4:P10,10"),
        // Names.
        ("Life", "B3/S23"),
        ("Conway's Life", "B3/S23"),
        ("Day and Night", "B3678/S34678"),
        ("day & night:T64", "B3678/S34678:T64,64"),
        ("Brian's Brain", "/2/3"),
        ("BriansBrain", "/2/3"),
        ("Star Wars", "345/2/4"),
        ("Morley", "B368/S245"),
        ("2x2", "B36/S125"),
        ("Phoenix", "B24/S|B35/S"),
        ("Symbiosis", "B3/S23Symbiosis"),
        ("DeadlyEnemies", "B3/S23DeadlyEnemies"),
        ("B3/S23DeadlyEnemies", "B3/S23DeadlyEnemies"),
        ("R1,C2,S2-3,B3,NMSymbiosis", "B3/S23Symbiosis"),
        ("lifecolor", "QuadLife"),
    ] {
        let found = parse(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(found.to_string(), expected, "{text}");
        // Both mean the same, not only look so.
        let again = rule(expected);
        assert_eq!(again.to_string(), expected, "{text}: canonical");
        assert_eq!(again.depends_on(), found.depends_on(), "{text}: what it depends on");
    }
}

/// Rule strings of kinds that are not here, and slips of the keyboard: the place, and a word of what is said.
#[test]
fn wrong_rule_strings_of_every_family_say_where_and_what() {
    let mut wrong = Vec::new();
    for (text, column, part) in [
        // Counts.
        ("B3/S29", 5, "8 neighbours"),
        ("B3/S2,3", 5, "','"),
        ("B3/S23/", 7, "2 to 256 states"),
        ("B3/S23T20", 6, "'T'"),
        ("B3\\S23", 2, "'\\'"),
        // Letters.
        ("B3/S2-i-34q", 7, "minus"),
        ("B3/S23-", 6, "left out"),
        ("B3z/S23", 2, "aceijknqry"),
        ("B0c/S23", 2, "no letter can follow 0"),
        ("B2a2-i/S", 3, "both"),
        // Hexagons.
        ("B2a/S34H", 2, "letters after digits"),
        ("B2/S37H", 5, "6 neighbours"),
        ("B2om-p/S34H", 4, "minus"),
        ("B5o/SH", 2, "no letter can follow 5"),
        ("HB2/S34", 0, "at the end"),
        // Von Neumann.
        ("B2/S5V", 4, "4 neighbours"),
        ("VB2/S3", 0, "at the end"),
        ("B2e/S3V", 2, "letters after digits"),
        ("B2/S3VV", 5, "at the end"),
        ("B2/SxV", 4, "'x'"),
        // Triangles.
        ("B4/S45dL", 6, "'d'"),
        ("B3/SxLE", 4, "'x'"),
        ("B3/S4LE", 4, "3 neighbours"),
        ("B4e/S45L", 2, "letters after digits"),
        ("LB4/S45", 0, "at the end"),
        // Maps.
        ("MAP", 3, "86"),
        ("MAPHmlph", 8, "here by 5"),
        ("MAPHmlphg!", 9, "base 64"),
        ("MAPHmlphg/", 10, "2 to 256"),
        ("MAPHmlphg/300", 10, "2 to 256"),
        // Ages.
        ("23/3/1", 5, "2 to 256"),
        ("23/3/257", 5, "2 to 256"),
        ("23/3/x", 4, "number of states"),
        ("23/3/4/5", 4, "only one slash"),
        ("G4/B3/S23/4", 10, "only one number of states"),
        // Ranges.
        ("R2,C2,S2-3,B3", 1, "range 1"),
        ("R0,C2,S2-3,B3", 1, "range 1"),
        ("R1,C2,S2-3", 10, "both S and B"),
        ("R1,C2,S2-3,B3,NQ", 14, "NM"),
        ("R1,C2,S2-3,B3,NW111101111", 14, "weighted"),
        ("R1,C300,S2-3,B3", 3, "2 to 256"),
        ("R1,C2,S2--3,B3", 9, "number"),
        // In turn.
        ("B3/S23|", 7, "missing"),
        ("|B3/S23", 0, "missing"),
        ("B3/S23|B3/S23V", 7, "neighbourhood"),
        ("B3/S23|23/3/4", 7, "states"),
        ("B3|B4|B5", 5, "only two"),
        // Colours.
        ("B3/S23Immigration-3", 18, "-1 to -2"),
        ("QuadLife-5", 9, "-1 to -4"),
        ("23/3/4Immigration", 6, "no ageing"),
        ("Immigration+coin", 11, "-coin"),
        ("B3/S23Symbiosis-coin", 15, "nothing"),
        // Kinds that are not here.
        ("W30", 0, "one-dimensional"),
        ("M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15", 0, "Margolus"),
        ("2PCA4,0,4,8,3,1,10,6,7,2,9,5,11,12,13,14,15", 0, "partitioned"),
        ("R5,C0,M1,S34..58,B34..45,NM", 1, "not of range 5"),
        ("B3/S23Super", 6, "the rule itself is B3/S23"),
        ("JvN29", 0, "no rule is called"),
        // Worlds.
        ("B3/S23:Q20", 7, "topology"),
        ("B3/S23:T20,30,40", 13, "','"),
        ("B3/S23:P20+1", 10, "shifted"),
        ("B3/S23:S20,30", 8, "square"),
        ("B3/S23:T20x30", 10, "'x'"),
        ("B3/S23:T99999999999", 8, ""),
    ] {
        match parse(text) {
            Ok(rule) => wrong.push(format!("{text} is read as {rule}")),
            Err(error) => {
                let fits = error.column == column && error.message.contains(part);
                if !fits || error.message.contains('\n') {
                    wrong.push(format!("column {column} and {part:?} were expected: {error}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// LifeViewer's test pages and the examples of ca-rules: MAP strings with the rules that they stand for.
#[test]
fn published_map_strings_are_the_rules_that_they_stand_for() {
    for (map, name) in [
        ("MAPFAMgVwhXAP4AP4B+gH4A6A", "B2o/S2m34H"),
        ("MAPFgFoF2gXgH5oF4B+gH4A6A", "B2/S34H"),
        ("MAPHmlphg", "B2/S013V"),
    ] {
        assert_eq!(rule(map).name(), name, "{map}");
    }
    // The first of them as a rule of eight neighbours, two of which don't count.
    let moore = "MAPEUQAMyIAVXcRRAAzIgBVdwCIVXcAAP/uAIhVdwAA/+4AADP/iAB37gAAM/+IAHfuiAB37gAA7oiIAHfuAADuiA";
    let size = Topology::Torus { width: 29, height: 21 };
    let [hexagons, squares] = ["B2o/S2m34H", moore].map(|text| rule(text).with_topology(size));
    let start = soup(&hexagons, Rect::new(0, 0, 29, 21), 0.4, 9);
    let [one, other] = [&hexagons, &squares].map(|rule| stepped(EngineKind::Oracle, rule, &start, 25));
    assert_eq!(difference(&one, &other), None, "on hexagons and on squares");
    // Rules of LifeViewer that no letters can say come back as they are.
    for map in [
        "MAPBTDe/yAA9/8AAP//AAD//yAA/78AAP//AID//wAA//8AAP//AAD/2wAA//8AgP//AAD//4AA//+AAH//AAD//w",
        "MAPARYXfhZofugWaH7oaIFoxBZofuhogOiAaIFoxIAAgAAWaH7oaIFoxGiA6ICAAIAAaIFoxIAAgACAAIAAAAAAAA",
        moore,
    ] {
        assert_eq!(rule(map).name(), map, "back again");
    }
}

/// Two rules in turn are each of them in its generations, whatever they are.
#[test]
fn rules_in_turn_take_the_generations_in_turn() {
    for (even, odd) in [
        ("B24/S", "B35/S"),
        ("B13/S012345678", "B/S15"),
        ("B3/S23", "B/S1c2345678"),
        ("B2/S34H", "B2o/S2m34H"),
        ("345/2/4", "/2/4"),
        ("Immigration", "B36/S23Immigration-none"),
    ] {
        let both = rule(&format!("{even}|{odd}"));
        let mut start = soup(&both, Rect::new(0, 0, 16, 13), 0.4, 8);
        for first in [0, 1] {
            start.generation = first;
            let mut expected = start.clone();
            for generation in first..first + 5 {
                let of = rule(if generation % 2 == 0 { even } else { odd });
                expected = stepped(EngineKind::Oracle, &of, &expected, 1);
            }
            let found = stepped(EngineKind::Oracle, &both, &start, 5);
            assert_eq!(difference(&expected, &found), None, "{even} and {odd} from generation {first}");
        }
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

/// Facts of Golly's [R]History: odd states live by R and even ones don't count; what lived is remembered, and what lives
/// beside a boundary dies.
#[test]
fn histories_live_by_their_condition_and_remember_it() {
    for (text, base) in [
        ("B3/S23History", "B3/S23"),
        ("B36/S23History:T47,33", "B36/S23:T47,33"),
        ("B2-a/S12History", "B2-a/S12"),
        ("B2/S34HHistory:P40,31", "B2/S34H:P40,31"),
        ("B45/S34LHistory", "B45/S34L"),
    ] {
        let (history, base) = (rule(text), rule(base));
        let area = Rect::new(0, 0, 31, 31);
        let mut start = soup(&history, area, 0.5, 5);
        let boundary =
            |cells: &Cells| cells.iter().filter(|(_, state)| *state == 6).map(|(at, _)| at).collect();
        let walls: Vec<Coords> = boundary(&start.cells);
        for kind in EngineKind::ALL {
            let found = stepped(kind, &history, &start, 9);
            let expected = stepped(EngineKind::Oracle, &history, &start, 9);
            assert_eq!(difference(&expected, &found), None, "{kind}, {text}");
            assert_eq!(boundary(&found.cells), walls, "{kind}, {text}: the boundary stays");
        }
        // Without a boundary, who lives is what the condition says, and who lived is not off.
        for at in walls {
            start.cells.set(at, 2).expect("in reach");
        }
        let odd = |board: &Board| {
            let mut cells = Cells::new();
            for (at, _) in board.cells.iter().filter(|(_, state)| state % 2 == 1) {
                cells.set(at, 1).expect("in reach");
            }
            Board { cells, ..board.clone() }
        };
        let mut now = start.clone();
        for _ in 0..9 {
            let next = stepped(EngineKind::Oracle, &history, &now, 1);
            let expected = stepped(EngineKind::Oracle, &base, &odd(&now), 1);
            assert_eq!(difference(&expected, &odd(&next)), None, "{text}: who lives");
            assert!(now.cells.iter().all(|(at, _)| next.get(at) != 0), "{text}: nothing is forgotten");
            now = next;
        }
    }
    // A glider before a wall of boundary cells leaves nothing alive, and a marked cell stays marked.
    let text = ".A$2.A2.F$3A2.F$3.D.F!";
    let history = rule("LifeHistory");
    let last = stepped(EngineKind::Oracle, &history, &board(&history, text), 40);
    let populations = last.cells.tally().by_state(7);
    assert_eq!((populations[3], populations[5]), (1, 3), "{populations:?}: the mark off, and the boundary");
}

/// The forum's rule file of Deadly Enemies has one cell of `A.B$3.$.A!` after a generation, `CAViewer` none.
#[test]
fn deadly_enemies_have_two_readings() {
    for (text, expected) in
        [("DeadlyEnemies", vec![]), ("DeadlyEnemies-majority", vec![(Coords::new(1, 1), 1)])]
    {
        let rule = rule(text);
        for kind in EngineKind::ALL {
            let found = stepped(kind, &rule, &board(&rule, "A.B$3.$.A!"), 1);
            assert_eq!(found.cells.iter().collect::<Vec<_>>(), expected, "{kind}, {text}");
        }
    }
}
