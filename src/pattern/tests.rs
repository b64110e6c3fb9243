//! Tests across formats: detection, placing on boards, files, round trips, arbitrary bytes.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;

use super::*;
use crate::board::Soup;
use crate::progress::Progress;

/// Reads a text that is right.
pub(super) fn from_text(text: &str) -> Pattern {
    read(text.as_bytes(), &Limits::default()).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

/// The fault of a text that is wrong.
pub(super) fn fault(text: &str) -> SyntaxError {
    match read(text.as_bytes(), &Limits::default()) {
        Err(PatternError::Syntax(error)) => *error,
        other => panic!("{text:?} has no fault in its syntax: {other:?}"),
    }
}

/// The frame of a two-state pattern, as `.` and `o`.
pub(super) fn picture(pattern: &Pattern) -> String {
    let frame = pattern.frame();
    let row = |y| {
        (frame.x..frame.right())
            .map(|x| if pattern.cells.get(Coords::new(x, y)) == 0 { '.' } else { 'o' })
            .collect()
    };
    (frame.y..frame.bottom()).map(row).collect::<Vec<String>>().join("\n")
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(bytes).expect("memory");
    packer.finish().expect("memory")
}

#[test]
fn formats_are_found_in_the_content() {
    for (text, format) in [
        ("#Life 1.05\n#P 0 0\n*", Format::Life105),
        ("#Lif 1.05\n#P 0 0\n*", Format::Life105),
        ("#LIFE 1.06\n0 0", Format::Life106),
        ("#MCell 4.00\n#L A", Format::MCell),
        ("X = 1, Y = 1\no!", Format::Rle),
        ("#P -1 -1\n*", Format::Life105),
        ("\n\n#Life 1.06\r\n0 0", Format::Life106),
        ("#C comment\nx = 1, y = 1\no!", Format::Rle),
        ("  x = 1, y = 1\no!", Format::Rle),
        ("\u{FEFF}x = 1, y = 1\no!", Format::Rle),
        ("!Name: x\n.O", Format::Cells),
        ("bo$2bo$3o!", Format::Rle),
        ("3o\n!", Format::Rle),
        ("bo$\n2bo$3o!", Format::Rle),
        (".B$2.A.B!", Format::Rle),
        ("..O\nOOO", Format::Cells),
        ("##.\n#.#\n", Format::Cells),
        ("#\n##\r\n", Format::Cells),
        ("####\n#C a comment\nx = 1, y = 1\no!", Format::Rle),
        ("***\n", Format::Cells),
        ("oo\noo", Format::Cells),
        ("xxx\nx x", Format::Cells),
        // What RLE begins with, an author of few letters among it.
        ("#O Xo\nx = 1, y = 1\no!", Format::Rle),
        ("#O @#*\nx = 1, y = 1\no!", Format::Rle),
        ("##\nx = 1, y = 1\no!", Format::Rle),
        ("23.O15.3O\n", Format::Cells),
        ("[M2] (golly 4.2)\n#R B3/S23\n$.*$\n", Format::Macrocell),
    ] {
        let found = Format::detect(text.as_bytes()).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(found, format, "{text:?}");
        read(text.as_bytes(), &Limits::default()).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    }
}

#[test]
fn patterns_of_more_states_are_reduced_to_life_and_death() {
    let reduced = |text: &str| {
        let mut pattern = from_text(text);
        pattern.reduce_to_life();
        (picture(&pattern), pattern.rule.clone().unwrap_or_default(), pattern.background.unwrap_or_default())
    };
    let of = |cells: &str, rule: &str| (cells.to_owned(), rule.to_owned(), 0);
    // Odd states live where cells remember, all of them where they have colours.
    assert_eq!(reduced("x = 8, y = 1, rule = LifeHistory\n.ABCDEFA!"), of(".o.o.o.o", "Life"), "a history");
    assert_eq!(reduced("x = 4, y = 1, rule = B36/S23Super:T9\n.pApBA!"), of(".o.o", "B36/S23:T9"), "Super");
    assert_eq!(reduced("x = 4, y = 1, rule = B36/S23Immigration\n.AB.!"), of(".oo.", "B36/S23"), "colours");
    assert_eq!(reduced("x = 4, y = 1, rule = B36/S23\n.oo.!"), of(".oo.", "B36/S23"), "two states");
    // A background in state 2, of which the cells are kept as differences: states 2, 3, 0, 1.
    let mut pattern =
        Pattern { rule: Some("WireWorld".to_owned()), background: Some(2), ..Pattern::default() };
    for (x, kept) in [(1, 1), (2, 2), (3, 3)] {
        pattern.cells.set(Coords::new(x, 0), kept).expect("in reach");
    }
    pattern.reduce_to_life();
    let kept: Vec<State> = (0..5).map(|x| pattern.cells.get(Coords::new(x, 0))).collect();
    assert_eq!((kept, pattern.background), (vec![0, 0, 1, 0, 0], Some(1)), "dead in a living background");
}

#[test]
fn what_is_no_pattern_is_named() {
    for (bytes, says) in [
        (&b""[..], "the file is empty"),
        (b" \r\n\n", "the file is empty"),
        (b"@RULE Own\n", "a rule file"),
        (b"PK\x03\x04\0\0", "zip"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"BM\0\0", "BMP"),
        (b"\xFF\xFEx\0", "UTF-16"),
        (b"Dear all,\n", "neither an RLE header"),
        (b"[package]\n", "neither an RLE header"),
        (b"\0\0\0\0", "neither an RLE header"),
        (b"12\n", "no symbol"),
    ] {
        let error = read(bytes, &Limits::default()).expect_err(says);
        // "12" is RLE by its digits, and then a count without a symbol.
        if says == "no symbol" {
            assert!(matches!(error, PatternError::Syntax(_)), "{error}");
        } else {
            assert!(matches!(error, PatternError::Unrecognised(_)), "{bytes:?}: {error:?}");
            assert!(error.to_string().contains(says), "{bytes:?}: {error}");
        }
    }
}

#[test]
fn packed_files_are_unpacked_whatever_their_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("glider.txt");
    fs::write(&path, packed(b"x = 3, y = 3\nbo$2bo$3o!")).expect("written");
    let pattern = open(&path, &Limits::default()).expect("a packed RLE");
    assert_eq!(picture(&pattern), ".o.\n..o\nooo", "cells");

    let mut damaged = packed(b"x = 3, y = 3\nbo$2bo$3o!");
    damaged.truncate(damaged.len() - 9);
    fs::write(&path, damaged).expect("written");
    let error = open(&path, &Limits::default()).expect_err("damaged");
    assert!(matches!(error, PatternError::Io(_)), "{error:?}");
}

#[test]
fn a_gzip_that_inflates_without_end_is_stopped() {
    let bomb = packed(&vec![b' '; 50_000_000]);
    assert!(bomb.len() < 100_000, "it is small: {} bytes", bomb.len());
    let mut file = packed(b"x = 1, y = 1\n");
    file.extend(bomb);
    let limits = Limits { text_bytes: 10_000_000, ..Limits::default() };
    let error = read(file.as_slice(), &limits).expect_err("too long");
    assert_eq!(error.to_string(), "the file holds more than 9.5 MiB of text, more than is read", "message");
}

#[test]
fn cells_beyond_the_memory_granted_are_refused() {
    let limits = Limits { cell_bytes: 100_000, ..Limits::default() };
    let scattered = |mark| (0..1000).map(|i| format!("{mark}{} 0", i * 64)).collect::<Vec<_>>();
    for text in [
        "x = 1, y = 1\n2000000000o!".to_owned(),
        format!("x = 1, y = 1\n{}!", "o63$".repeat(2000)),
        format!("!\n{}", "O\n".repeat(64 * 2000)),
        format!("#Life 1.06\n{}", scattered("").join("\n")),
        format!("#Life 1.05\n{}", scattered("#P ").join("\n*\n")),
    ] {
        let error = read(text.as_bytes(), &limits).expect_err("too large");
        assert!(
            matches!(error, PatternError::TooLarge { limit_bytes: 100_000 }),
            "{}: {error:?}",
            &text[..20]
        );
    }
}

#[test]
fn the_reading_of_a_file_is_watched_and_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows.rle.gz");
    let text = format!("x = 3, y = 400000\n{}!", "bo$2bo$".repeat(200_000));
    fs::write(&path, packed(text.as_bytes())).expect("written");
    let progress = Progress::default();
    let pattern = open_watched(&path, &Limits::default(), &progress).expect("a pattern");
    assert_eq!(pattern.cells.tally().population(), 400_000, "population");
    assert_eq!(progress.share(), Some(1.0), "all bytes of the file");
    progress.cancel();
    let error = open_watched(&path, &Limits::default(), &progress).expect_err("stopped");
    assert!(matches!(error, PatternError::Cancelled), "{error:?}");
}

#[test]
fn missing_files_and_folders_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = open(&folder.path().join("none.rle"), &Limits::default()).expect_err("missing");
    assert!(matches!(error, PatternError::Io(_)), "{error:?}");
    let error = open(folder.path(), &Limits::default()).expect_err("a folder");
    assert!(error.to_string().contains("folder"), "{error}");
}

#[test]
fn without_a_position_a_pattern_comes_to_the_origin_or_the_middle() {
    let place = |text: &str, topology| {
        let placed = from_text(text).to_board(topology).expect("it fits");
        let living = placed.board.cells.bounding_box().expect("cells");
        (living.x, living.y, placed.dropped)
    };
    let torus = |width, height| Topology::Torus { width, height };
    let glider = "x = 3, y = 3\nbo$2bo$3o!";
    assert_eq!(place(glider, Topology::Unbounded), (0, 0, 0), "unbounded");
    assert_eq!(place("x = 9, y = 9\n$bo!", Topology::Unbounded), (1, 1, 0), "blank edges stay");
    // (−4, −4) is the corner of 8 × 8 in the files' coordinates, (−1, −1) the centred pattern's.
    assert_eq!(place(glider, torus(8, 8)), (3, 3, 0), "even board");
    assert_eq!(place(glider, torus(9, 7)), (3, 2, 0), "odd board");
    assert_eq!(place("x = 4, y = 2\n4o$4o!", torus(7, 7)), (1, 2, 0), "even pattern on odd board");
    // Larger than the board: top-left to top-left, and the rest is left out.
    assert_eq!(place("x = 4, y = 1\n4o!", torus(3, 3)), (0, 0, 1), "too wide");
    // As Golly's reader: what the header claims is centred, however many cells there are.
    assert_eq!(place("x = 1, y = 1\n4o$4o!", torus(8, 8)), (4, 4, 0), "a header of one cell");
    assert_eq!(place("x = 2, y = 5\n4o$4o!", torus(8, 8)), (3, 2, 0), "a header that is too narrow");
    assert_eq!(place("x = 6, y = 6\n4o$4o!", torus(8, 8)), (1, 1, 0), "a header that is too large");
    assert_eq!(place("x = 0, y = 0\n4o$4o!", torus(8, 8)), (0, 0, 0), "a header of nothing");
    assert_eq!(place("x = 9, y = 1\n4o$4o!", torus(8, 8)), (0, 0, 0), "a header that does not fit");
    // Formats without a place, and RLE without a header, begin at Golly's (0, 0), which is the middle.
    assert_eq!(place("!\n.O\nOO", torus(8, 7)), (4, 3, 0), "plain text");
    assert_eq!(place("!\n4.2O\n", torus(12, 8)), (10, 4, 0), "with counts");
    assert_eq!(place("bo$2o!", torus(8, 7)), (4, 3, 0), "no header");
    assert_eq!(place("!\n.O\nOO", Topology::Unbounded), (0, 0, 0), "on the plane");
    assert_eq!(place("#Life 1.06\n0 0\n", torus(8, 8)), (4, 4, 0), "the origin is in the middle");
}

#[test]
fn a_position_counts_from_the_middle_of_a_bounded_board() {
    let text = "#CXRLE Pos=-4,-3 Gen=5\nx = 2, y = 1\n2o!";
    let unbounded = from_text(text).to_board(Topology::Unbounded).expect("in reach").board;
    assert_eq!(unbounded.cells.bounding_box(), Some(Rect::new(-4, -3, 2, 1)), "unbounded");
    let placed = from_text(text).to_board(Topology::Plane { width: 8, height: 7 }).expect("it fits");
    assert_eq!(placed.board.cells.bounding_box(), Some(Rect::new(0, 0, 2, 1)), "at the corner");
    assert_eq!((placed.board.generation, placed.note()), (5, None), "generation and note");
}

#[test]
fn cells_outside_of_the_board_are_left_out_and_counted() {
    let topology = Topology::Plane { width: 4, height: 4 };
    let placed = from_text("#CXRLE Pos=-3,0\nx = 3, y = 1\n3o!").to_board(topology).expect("two fit");
    assert_eq!((placed.dropped, placed.board.cells.tally().population()), (1, 2), "left out and kept");
    assert_eq!(placed.note().as_deref(), Some("1 living cell outside of the board is left out"), "note");
    let error = from_text("#CXRLE Pos=90,0\nx = 3, y = 1\n3o!").to_board(topology).expect_err("all outside");
    assert_eq!(
        error.to_string(),
        "no cell of the pattern lies on the board of 4 × 4 cells: \
         the pattern's 3 × 1 cells start at column 92, row 2",
        "message"
    );
    let far = from_text("#CXRLE Pos=2147483647,0\nx = 3, y = 1\n3o!");
    let error = far.to_board(Topology::Unbounded).expect_err("out of reach");
    assert!(matches!(error, PatternError::OutOfReach(_)), "{error}");
}

#[test]
fn boards_are_saved_with_their_place_and_topology() {
    let text = |board: &Board, rule: &str| {
        let mut out = Vec::new();
        let pattern = Pattern::from_board(board, &rule.parse().expect("a rule"));
        write_rle(&mut out, &pattern, 3).expect("written");
        String::from_utf8(out).expect("UTF-8")
    };
    let mut cells = Cells::new();
    cells.fill_run(Coords::new(5, 6), 2, 2).expect("in reach");
    let mut board = Board::with_cells(Topology::Torus { width: 20, height: 11 }, cells.clone());
    board.generation = 9;
    assert_eq!(
        text(&board, "Immigration"),
        "#CXRLE Pos=-5,1 Gen=9\nx = 2, y = 1, rule = Immigration:T20,11\n2B!\n",
        "bounded"
    );
    let board = Board::with_cells(Topology::Unbounded, cells.translated(-5, -6).expect("in reach"));
    assert_eq!(text(&board, "Immigration"), "x = 2, y = 1, rule = Immigration\n2B!\n", "at the origin");
    let mut board = Board::with_cells(Topology::Unbounded, cells);
    assert_eq!(text(&board, "P2Life"), "#CXRLE Pos=5,6\nx = 2, y = 1, rule = P2Life\n2B!\n", "elsewhere");
    (board.background, board.seed) = (2, 7);
    assert_eq!(
        text(&board, "P2Life"),
        "#CXRLE Pos=5,6\n#CBIOTA Background=2 Seed=7\nx = 2, y = 1, rule = P2Life\n2B!\n",
        "with what it needs to go on"
    );
    let error =
        write_cells(&mut Vec::new(), &Pattern::from_board(&board, &"B03/S23".parse().expect("a rule")), 2)
            .expect_err("a living background");
    assert!(error.to_string().contains("background"), "{error}");
}

#[test]
fn life_at_all_ends_of_the_plane_comes_back() {
    let end = crate::coords::COORDINATE_LIMIT;
    let mut cells = Cells::new();
    for (x, y) in [(-end, -end), (end, -end), (-end, end), (end, end), (3, 4)] {
        cells.set(Coords::new(x, y), 1).expect("in reach");
    }
    let board = Board::with_cells(Topology::Unbounded, cells);
    let pattern = Pattern::from_board(&board, &"B3/S23".parse().expect("a rule"));
    let further = Pattern { position: Some(Coords::new(0, -1)), ..pattern.clone() };
    let error = write(&mut Vec::new(), Format::Macrocell, &further, &mut &pattern.cells, 2)
        .expect_err("a row further out");
    assert!(matches!(error, PatternError::OutOfReach(_)), "{error:?}");
    for format in [Format::Rle, Format::Macrocell] {
        let mut out = Vec::new();
        write(&mut out, format, &pattern, &mut &pattern.cells, 2).expect("written");
        let text = String::from_utf8_lossy(&out).into_owned();
        let placed = from_text(&text).to_board(Topology::Unbounded).unwrap_or_else(|e| panic!("{e}: {text}"));
        assert!(placed.board == board, "{format}: another board: {text}");
    }
    let fault = fault("#CXRLE Pos=2147483600,0\nx = 72, y = 1\n70b2o!");
    assert!(fault.to_string().contains("cell (2147483670, 0) is out of reach"), "{fault}");
    let within_a_word = from_text("#CXRLE Pos=2147483640,0\nx = 9, y = 1\n8b2o!");
    within_a_word.to_board(Topology::Unbounded).expect_err("out of reach too");
}

#[test]
fn files_that_were_cut_off_are_told_of() {
    let whole = "[M2]\n*$\n.*$\n4 1 2 0 1\n5 3 0 0 3\n";
    for (text, notes) in [
        (whole, 0),
        (&whole[..21], 0),
        (&whole[..12], 1),
        ("x = 3, y = 3\nbo$2bo$3o!", 0),
        ("x = 3, y = 3\nbo$2bo$", 1),
        ("x = 0, y = 0\n", 0),
    ] {
        assert_eq!(from_text(text).notes.len(), notes, "{text:?}");
    }
}

/// Golly's files of rules with B0 and not S8: at odd generations dead is living and living is dead, everywhere.
#[test]
fn files_of_odd_generations_hold_the_opposite_where_golly_writes_them_so() {
    let rle =
        |generation: u64, own: &str| format!("#CXRLE Pos=-1,-1 Gen={generation}\n{own}x = 2, y = 1\n2o!");
    let macrocell = |generation: u64, own: &str| format!("[M2] (golly 4.2)\n#G {generation}\n{own}$**$\n");
    // The rule, whether the generation is odd, our own line, and the background that is meant.
    for (rule, odd, own, background) in [
        ("B03/S23", 0, "", 0),
        ("B03/S23", 1, "", 1),
        ("B0124-k/S1c25", 1, "", 1),
        ("B0/SH", 1, "", 1),
        ("B03/S23", 1, "#CBIOTA Background=0\n", 0),
        ("B03/S23", 0, "#CBIOTA Background=1\n", 1),
        ("B03/S23", 1, "#CBIOTA Seed=7\n", 1),
        ("B3/S23", 1, "", 0),
        ("B0/S8", 1, "", 0),
        ("B03/S23|B3/S23", 1, "", 0),
        ("B03/S23Immigration", 1, "", 0),
        ("law1{born=own~in[0,3];survive=own~in[2,3]}", 1, "", 0),
    ] {
        for topology in ["", ":T9,7", ":P9,7", ":C9,7"] {
            let rule: Rule = format!("{rule}{topology}").parse().expect("a rule");
            for text in [rle(10 + odd, own), macrocell(10 + odd, own)] {
                let pattern = from_text(&text);
                let board = pattern.to_board_under(&rule).expect("it fits").board;
                let living = |x, y| board.get(Coords::new(x, y)) == 1;
                let (lists, other) = match rule.topology().bounds() {
                    None => (living(-1, -1) && living(0, -1), living(70, 70)),
                    Some(_) => (living(3, 2) && living(4, 2), living(8, 6)),
                };
                let (lists, other) = if pattern.format == Format::Rle {
                    (lists, other)
                } else {
                    // The leaf's second row is three rows above the middle.
                    let at = if rule.topology().bounds().is_some() { (0, 1) } else { (-4, -2) };
                    (living(at.0, at.1) && living(at.0 + 1, at.1), other)
                };
                assert_eq!((lists, other), (background == 0, background == 1), "{rule}: {text}");
                let alive = match (rule.topology().bounds(), background) {
                    (Some(_), 1) => 61,
                    _ => 2,
                };
                assert_eq!(board.cells.tally().population(), alive, "{rule}: {text}");
            }
        }
    }
}

#[test]
fn boards_of_odd_generations_come_back_as_they_were_under_rules_with_b0() {
    for text in ["B03/S23", "B03/S23:T30,20", "B03/S23:P70,20", "B0/S8:T9", "B03/S23Immigration-1:T9", "B0/S"]
    {
        let rule: Rule = text.parse().expect("a rule");
        for (generation, background) in [(6, 0), (7, 0), (7, 1)] {
            let mut board = Board::with_cells(rule.topology(), filled(vec![(1, 1, 2, 1), (4, 2, 3, 1)]));
            board.generation = generation;
            if rule.topology() == Topology::Unbounded {
                board.background = background;
            }
            let pattern = Pattern::from_board(&board, &rule);
            for format in [Format::Rle, Format::Macrocell] {
                let mut out = Vec::new();
                write(&mut out, format, &pattern, &mut &pattern.cells, rule.states()).expect("written");
                let read = from_text(&String::from_utf8_lossy(&out));
                let placed = read.to_board_under(&rule).expect("placed");
                let text = String::from_utf8_lossy(&out);
                assert!(placed.board == board, "another board of generation {generation}: {text}");
            }
        }
    }
}

#[test]
fn a_living_background_of_a_bounded_board_is_held_to_the_memory_granted() {
    let pattern = from_text("#CBIOTA Background=1\nx = 1, y = 1\no!");
    let small = pattern.to_board(Topology::Torus { width: 130, height: 65 }).expect("it fits").board;
    assert_eq!(small.cells.tally().population(), 130 * 65 - 1, "all but one");
    assert_eq!(small.get(Coords::new(65, 32)), 0, "the one in the middle");
    let side = 2_000_000_000;
    let error = pattern.to_board(Topology::Torus { width: side, height: side }).expect_err("4 · 10^18 cells");
    assert!(matches!(error, PatternError::TooLarge { .. }), "{error:?}");
}

#[test]
fn numbers_at_the_ends_of_their_range_are_refused() {
    let least = i64::MIN.to_string();
    let beyond = "-9223372036854775809";
    for number in [least.as_str(), beyond, "9223372036854775807", "-2147483648", "99999999999999999999999999"]
    {
        for text in [
            format!("#Life 1.05\n#P {number} 0\n*\n"),
            format!("#Life 1.05\n#P 0 {number}\n*\n"),
            format!("#Life 1.06\n{number} 0\n"),
            format!("#Life 1.06\n0 {number}\n"),
            format!("#CXRLE Pos={number},0\nx = 1, y = 1\no!"),
            format!("#CXRLE Pos=0,{number}\nx = 1, y = 1\no!"),
            format!("#CXRLE Gen={number}\nx = 1, y = 1, rule = B3/S23:T{number}\n1{number}o!"),
            format!("x = {number}, y = 1\no!"),
            format!("[M2]\n#G {number}\n*$\n{number} 1 0 0 0\n"),
            format!("!\n{number}O\n"),
        ] {
            read(text.as_bytes(), &Limits::default()).expect_err(&text);
        }
        // Here it is a comment, if it is no place.
        from_text(&format!("#C a\n#P {number} 0\nx = 1, y = 1\no!"));
    }
    let odd = from_text("#CXRLE Gen=99999999999999999999999999999999\nx = 1, y = 1\no!");
    assert_eq!(
        (odd.generation, odd.notes.len()),
        (1, 1),
        "what counts is whether it is odd: {:?}",
        odd.notes
    );
}

#[test]
fn a_wrong_header_is_put_right_without_moving_the_pattern() {
    let topology = Topology::Torus { width: 20, height: 20 };
    for header in ["x = 1, y = 1", "x = 0, y = 0", "x = 9, y = 2"] {
        let text = format!("{header}, rule = B3/S23:T20,20\n4o$o$o!");
        let pattern = from_text(&text);
        let expected = pattern.to_board(topology).expect("it fits").board;
        for format in [Format::Rle, Format::Macrocell] {
            let mut out = Vec::new();
            write(&mut out, format, &pattern, &mut &pattern.cells, 2).expect("written");
            let again = from_text(&String::from_utf8_lossy(&out)).to_board(topology).expect("it fits").board;
            assert!(again == expected, "{header}: {}", String::from_utf8_lossy(&out));
        }
    }
}

#[test]
fn what_a_board_needs_to_go_on_is_read_and_refused_where_it_is_wrong() {
    let pattern = from_text("#CBIOTA Seed=18446744073709551615 Later=x Background=3\nx = 1, y = 1\nA!");
    assert_eq!((pattern.seed, pattern.background), (Some(u64::MAX), Some(3)), "read");
    assert_eq!(pattern.comments, Vec::<String>::new(), "and no comment");
    let bounded = pattern.to_board(Topology::Plane { width: 3, height: 3 }).expect("it fits").board;
    assert_eq!((bounded.background, bounded.seed), (0, u64::MAX), "a bounded board is dead outside");
    assert_eq!(bounded.cells.tally().populations, [0, 1, 8], "and inside it is what the file says");
    for (fields, column, says) in
        [("Seed=-1", 14, "a seed is a number"), ("Background=256 Seed=1", 20, "a background is a state")]
    {
        let fault = fault(&format!("#CBIOTA {fields}\nx = 1, y = 1\no!"));
        assert_eq!((fault.line, fault.column), (1, column), "{fields}: {fault}");
        assert!(fault.message.starts_with(says), "{fields}: {fault}");
    }
}

#[test]
fn files_are_saved_whole_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let pattern = from_text("x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!");
    for (name, packs) in [
        ("a.rle", false),
        ("b.RLE", false),
        ("c.rle.gz", true),
        ("d.cells", false),
        ("e.cells.gz", true),
        ("f.mc", false),
        ("g.mc.gz", true),
    ] {
        let path = folder.path().join(name);
        save(&path, &pattern, 2).unwrap_or_else(|error| panic!("{name}: {error}"));
        let is_packed = fs::read(&path).expect("saved").starts_with(&[0x1F, 0x8B]);
        assert_eq!(is_packed, packs, "{name}");
        let read = open(&path, &Limits::default()).expect(name).to_board(Topology::Unbounded).expect(name);
        assert_eq!(read.board.cells, pattern.cells, "{name}");
    }
    let path = folder.path().join("d.cells");
    save(&path, &pattern, 3).expect_err("three states");
    assert_eq!(
        open(&path, &Limits::default()).expect("still there").cells,
        pattern.cells,
        "the old file stays"
    );
    for name in ["a.png", "a", ".gz", "a.lif", "mc", "rle"] {
        let error = save(&folder.path().join(name), &pattern, 2).expect_err(name).to_string();
        assert!(error.contains(".rle, .mc or .cells, or .rle.gz"), "{name}: {error}");
    }
    let left: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(left.len(), 7, "nothing else is left behind: {left:?}");
    save(&folder.path().join("no/such/folder.rle"), &pattern, 2).expect_err("no folder");
    assert_eq!(
        Format::from_extension(Path::new("x.y.cells.GZ")).expect("known"),
        (Format::Cells, true),
        "two dots"
    );
}

/// Some rows, and then no more.
struct Broken;

impl Bands for Broken {
    fn bounding_box(&mut self) -> Result<Option<Rect>, PatternError> {
        Ok(Some(Rect::new(0, 0, 100_000, 2000)))
    }

    fn each(&mut self, take: &mut dyn FnMut(Cells) -> Result<(), PatternError>) -> Result<(), PatternError> {
        for y in 0..200 {
            take(filled((0..300).map(|x| (100 * x, y, 50, 1)).collect()))?;
        }
        Err(PatternError::Source("the GPU failed".into()))
    }
}

#[test]
fn a_save_that_fails_half_way_leaves_the_old_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["a.rle", "b.rle.gz", "c.cells", "d.mc", "e.mc.gz"] {
        let path = folder.path().join(name);
        save(&path, &from_text("x = 1, y = 1\no!"), 2).expect("saved");
        let old = fs::read(&path).expect("there");
        let error = save_bands(&path, &Pattern::default(), &mut Broken, 2).expect_err("broken");
        assert!(error.to_string().contains("GPU failed"), "{name}: {error}");
        assert_eq!(fs::read(&path).expect("there"), old, "{name}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 5, "and nothing else is there");
}

#[cfg(unix)]
#[test]
fn saved_files_can_be_read_by_others_and_links_stay_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().expect("a folder");
    let (target, link) = (folder.path().join("target.rle"), folder.path().join("link.rle"));
    let plain = folder.path().join("plain");
    fs::write(&plain, "").expect("written");
    let pattern = from_text("x = 1, y = 1\no!");
    save(&target, &pattern, 2).expect("saved");
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode();
    assert_eq!(mode(&target), mode(&plain), "permissions as of any new file");
    fs::write(&target, "old").expect("written");
    symlink(&target, &link).expect("linked");
    save(&link, &pattern, 2).expect("saved");
    assert!(fs::symlink_metadata(&link).expect("there").is_symlink(), "the link");
    assert_eq!(open(&target, &Limits::default()).expect("new").cells, pattern.cells, "its target");
}

#[cfg(unix)]
#[test]
fn a_file_keeps_its_permissions_when_it_is_replaced() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.rle");
    let pattern = from_text("x = 1, y = 1\no!");
    // Neither fewer nor more than before, whatever a new file gets.
    for mode in [0o600, 0o666, 0o640, 0o755] {
        fs::write(&path, "old").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("set");
        save(&path, &pattern, 2).expect("saved");
        let found = fs::metadata(&path).expect("there").permissions().mode() & 0o7777;
        assert_eq!(found, mode, "{found:o} for {mode:o}");
        assert_eq!(open(&path, &Limits::default()).expect("new").cells, pattern.cells, "{mode:o}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_to_files_that_are_not_there_yet() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let pattern = from_text("x = 1, y = 1\no!");
    fs::create_dir(at("deep")).expect("made");
    // From here to a link in the folder, and on to a file beside that one.
    symlink("deep/second.rle", at("first.rle")).expect("linked");
    symlink("target.rle", at("deep/second.rle")).expect("linked");
    save(&at("first.rle"), &pattern, 2).expect("saved");
    for link in ["first.rle", "deep/second.rle"] {
        assert!(fs::symlink_metadata(at(link)).expect("there").is_symlink(), "{link} is a link");
    }
    let target = fs::symlink_metadata(at("deep/target.rle")).expect("made");
    assert!(target.is_file(), "its target");
    symlink("nowhere/target.rle", at("lost.rle")).expect("linked");
    save(&at("lost.rle"), &pattern, 2).expect_err("no folder");
    symlink("loop.rle", at("loop.rle")).expect("linked");
    save(&at("loop.rle"), &pattern, 2).expect_err("a link to itself");
    assert!(fs::symlink_metadata(at("loop.rle")).expect("there").is_symlink(), "it stays");
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_to_and_not_replaced() {
    use std::os::unix::fs::{FileTypeExt as _, symlink};
    let folder = tempfile::tempdir().expect("a folder");
    let (full, null) = (folder.path().join("full.rle"), folder.path().join("null.rle"));
    symlink("/dev/full", &full).expect("linked");
    symlink("/dev/null", &null).expect("linked");
    let pattern = from_text("x = 1, y = 1\no!");
    let error = save(&full, &pattern, 2).expect_err("no room").to_string();
    assert!(error.contains("No space left"), "{error}");
    save(&null, &pattern, 2).expect("swallowed");
    for path in [full, null] {
        assert!(fs::metadata(&path).expect("there").file_type().is_char_device(), "{}", path.display());
    }
}

#[test]
fn what_killed_programs_left_is_removed_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let kept =
        [".biota-backup", ".biota-notes1.tmpl", ".biota-12345.tmp", ".biota-ab-def.tmp", "biota-abcdef.tmp"];
    for name in kept.iter().chain(&[".biota-Dead01.tmp", ".biota-Alive1.tmp"]) {
        fs::write(at(name), "").expect("written");
    }
    fs::create_dir(at(".biota-Folder.tmp")).expect("made");
    // Whoever writes a file holds its lock.
    let alive = fs::File::open(at(".biota-Alive1.tmp")).expect("there");
    alive.lock().expect("locked");
    let pattern = from_text("x = 1, y = 1\no!");
    save(&at("a.rle"), &pattern, 2).expect("saved");
    for name in kept.iter().chain(&[".biota-Alive1.tmp", ".biota-Folder.tmp", "a.rle"]) {
        assert!(at(name).exists(), "{name} stays");
    }
    assert!(!at(".biota-Dead01.tmp").exists(), "of a dead program");
    drop(alive);
    save(&at("a.rle"), &pattern, 2).expect("saved");
    assert!(!at(".biota-Alive1.tmp").exists(), "once it is dead");
    // While it is written, a file is alive.
    write_whole(&at("b.rle"), |_| {
        save(&at("c.rle"), &pattern, 2)?;
        let found = fs::read_dir(folder.path())?.flatten();
        let names = found.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let own = names.filter(|name| name.contains(".tmp") && !kept.contains(&name.as_str())).count();
        assert_eq!(own, 2, "the folder and one file");
        Ok::<(), PatternError>(())
    })
    .expect("written");
}

/// Runs of cells (x, y, length, state), shown shortly when a test fails.
type Runs = Vec<(i64, i64, i64, u8)>;

/// Runs of states 1 to `highest` in a field that crosses tiles.
fn any_runs(highest: u8) -> impl Strategy<Value = Runs> {
    prop::collection::vec((0i64..200, 0i64..100, 1i64..90, 1..=highest), 0..40)
}

/// The cells of `runs`, later ones over earlier ones.
fn filled(runs: Runs) -> Cells {
    let mut cells = Cells::new();
    for (x, y, length, state) in runs {
        cells.fill_run(Coords::new(x, y), length, state).expect("in reach");
    }
    cells
}

/// Text that comes back as it is: no control characters, no white space at the ends.
fn any_words() -> impl Strategy<Value = String> {
    "[!-~é][ -~é–]{0,20}".prop_map(|text| text.trim_end().to_owned())
}

/// Titles and comments that look like something else in one of the formats.
fn misleading() -> impl Strategy<Value = String> {
    prop_oneof![
        "[OoXx*@# ]{1,12}",
        "[\\x00-\\x20\\x7f\u{a0}\u{2028}b$!o0-9]{0,8}",
        prop::sample::select(vec![
            "XRLE Pos=1,2 Gen=3",
            "BIOTA Background=7 Seed=x",
            "Life 1.05",
            "Life 1.06",
            "MCell 4.00",
            "P 3 4",
            "R 3 4",
            "r B36/S23",
            "x = 3, y = 3, rule = B36/S23",
            "[M2] (golly 4.2)",
            "4 1 0 0 0",
            "!Name: other",
            "Name: other",
            "Author: other",
            "@RULE Other",
            "FRAMES 2 0 2^3",
            "\u{FEFF}",
            "bo$2bo$3o!",
            "PK\u{3}\u{4}",
            "BM",
            "#C",
            "\r\n#Life 1.05\r\n#P 0 0",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ]
}

fn any_topology() -> impl Strategy<Value = Topology> {
    let bounded = (1i64..400, 1i64..400, any::<bool>()).prop_map(|(width, height, is_torus)| {
        if is_torus { Topology::Torus { width, height } } else { Topology::Plane { width, height } }
    });
    prop_oneof![Just(Topology::Unbounded), bounded]
}

/// Valid files of all formats, to be damaged.
const VALID: [&str; 7] = [
    "#N Name\n#CXRLE Pos=-3,4 Gen=12\n#r B36/S23\nx = 12, y = 7, rule = B3/S23:T20,30\n2b3o$12o2$ob\n2o$$bo!\nwords\n",
    "x = 3, y = 2, rule = Immigration\r\n.A2B$pA3yO!",
    "!Name: Glider\n!\n.O.\n..O\nOOO\n12.3O",
    "#Life 1.05\n#D words\n#R 23/3\n#P -3 4\n..**\n*\n#P 0 0\n***\n",
    "#Life 1.06\n0 0\n-12 5\n3 99\n",
    "[M2] (golly 2.0)\n#R B3/S23\n#G 12\n#C words\n.*$..*$***$\n$$$$$$$.......*$\n4 1 2 0 1\n5 3 0 3 3\n",
    "[M2] (golly 2.0)\r\n#R Immigration:T90,80\r\n1 0 1 2 255\r\n2 1 0 1 1\r\n3 2 0 0 2\r\n",
];

proptest! {
    #[test]
    fn rle_is_read_as_it_was_written(
        (states, runs) in (2u16..=256)
            .prop_flat_map(|states| (Just(states), any_runs(u8::try_from(states - 1).expect("up to 255")))),
        name in prop::option::of(any_words()),
        author in prop::option::of(any_words()),
        comments in prop::collection::vec(any_words(), 0..4),
        generation in 0..=u64::MAX / 2,
        position in prop::option::of((-9999i64..9999, -9999i64..9999)),
    ) {
        // The header's size, so that blank edges are written.
        let frame = Rect::new(0, 0, 300, 120);
        let pattern = Pattern {
            cells: filled(runs),
            rule: Some("Some:T3,4".to_owned()),
            position: position.map(|(x, y)| Coords::new(x, y)),
            generation,
            name,
            author,
            comments,
            size: Some((frame.width, frame.height)),
            ..Pattern::default()
        };
        let mut out = Vec::new();
        write_rle(&mut out, &pattern, states).expect("written");
        let text = String::from_utf8(out.clone()).expect("UTF-8");
        let same = read(out.as_slice(), &Limits::default()).expect("read") == pattern;
        prop_assert!(same, "read back otherwise: {text}");
    }

    #[test]
    fn plain_text_is_read_as_it_was_written(
        runs in any_runs(1),
        name in prop::option::of(any_words()),
        author in prop::option::of(any_words()),
        comments in prop::collection::vec(any_words(), 0..4),
    ) {
        let cells = filled(runs);
        let living = cells.bounding_box().unwrap_or_default();
        let size = if cells.is_empty() { (0, 0) } else { (living.right(), living.bottom()) };
        let pattern = Pattern {
            cells,
            format: Format::Cells,
            position: Some(Coords::default()),
            name,
            author,
            comments,
            size: Some(size),
            ..Pattern::default()
        };
        let mut out = Vec::new();
        write_cells(&mut out, &pattern, 2).expect("written");
        let text = String::from_utf8(out.clone()).expect("UTF-8");
        let same = read(out.as_slice(), &Limits::default()).expect("read") == pattern;
        prop_assert!(same, "read back otherwise: {text}");
    }

    #[test]
    fn macrocell_is_read_as_it_was_written(
        (states, runs) in (2u16..=256)
            .prop_flat_map(|states| (Just(states), any_runs(u8::try_from(states - 1).expect("up to 255")))),
        (dx, dy) in (-300i64..300, -300i64..300),
        topology in any_topology(),
        name in prop::option::of(any_words()),
        comments in prop::collection::vec(any_words(), 0..4),
        (generation, seed) in (0..=u64::MAX / 2, any::<u64>()),
    ) {
        let mut board = Board::with_cells(topology, filled(runs).translated(dx, dy).expect("in reach"));
        (board.generation, board.seed) = (generation, seed);
        let about = Pattern::from_board(&board, &"QuadLife".parse().expect("a rule"));
        let pattern = Pattern { name, comments, ..about };
        let mut out = Vec::new();
        write(&mut out, Format::Macrocell, &pattern, &mut &pattern.cells, states).expect("written");
        let mut read = read(out.as_slice(), &Limits::default()).expect("read");
        prop_assert_eq!(&read.rule, &pattern.rule, "rule");
        prop_assert_eq!((&read.name, &read.comments), (&pattern.name, &pattern.comments), "words");
        read.settle(topology).expect("in reach");
        let placed = read.to_board(topology).expect("placed");
        prop_assert!(placed.board == board, "another board: {:?}", String::from_utf8_lossy(&out));
    }

    #[test]
    fn boards_come_back_as_they_were(
        runs in any_runs(7),
        topology in any_topology(),
        (dx, dy) in (-300i64..300, -300i64..300),
        generation in 0..=u64::MAX / 2,
        (background, seed) in (0u8..8, any::<u64>()),
    ) {
        let mut board = Board::with_cells(topology, filled(runs).translated(dx, dy).expect("in reach"));
        (board.generation, board.seed) = (generation, seed);
        if topology == Topology::Unbounded {
            board.background = background;
        }
        let mut out = Vec::new();
        let pattern = Pattern::from_board(&board, &"QuadLife".parse().expect("a rule"));
        write_rle(&mut out, &pattern, 8).expect("written");
        let read_back = read(out.as_slice(), &Limits::default()).expect("read");
        let rule = format!("QuadLife{topology}");
        prop_assert_eq!(read_back.rule.as_deref(), Some(rule.as_str()), "rule");
        let placed = read_back.to_board(topology).expect("placed");
        prop_assert_eq!(placed.dropped, 0, "nothing is lost");
        prop_assert!(placed.board == board, "another board: {:?}", String::from_utf8_lossy(&out));
        let unwritten = pattern.to_board(topology).expect("placed").board;
        prop_assert!(unwritten.cells == board.cells, "another board without a file");
    }

    #[test]
    fn whatever_a_title_says_a_file_that_was_written_can_be_read(
        runs in any_runs(1),
        name in prop::option::of(misleading()),
        author in prop::option::of(misleading()),
        comments in prop::collection::vec(misleading(), 0..4),
        (generation, seed) in (0u64..9, prop::option::of(any::<u64>())),
        background in prop::option::of(0u8..2),
        rule in prop::option::of(prop::sample::select(vec!["B3/S23", "law1{born=own==3}", "B03/S23:T300,200"])),
        position in prop::option::of((-9i64..9, -9i64..9)),
        begins_with_words in any::<bool>(),
    ) {
        let pattern = Pattern {
            cells: filled(runs),
            rule: rule.map(str::to_owned),
            position: position.map(|(x, y)| Coords::new(x, y)),
            generation,
            seed,
            background,
            name,
            author,
            comments,
            ..Pattern::default()
        };
        // Nothing of our own comes before the words then, at times not even a title.
        let pattern = if begins_with_words {
            let name = pattern.name.filter(|_| seed.is_some());
            // From (0, 0) on, so that no place has to be said.
            let size = Some((300, 120));
            Pattern { name, size, position: None, generation: 0, seed: None, background: None, ..pattern }
        } else {
            pattern
        };
        let background = pattern.background;
        for format in [Format::Rle, Format::Macrocell, Format::Cells] {
            let mut out = Vec::new();
            match write(&mut out, format, &pattern, &mut &pattern.cells, 2) {
                Err(PatternError::Unsaveable(_)) if format == Format::Cells && background == Some(1) => continue,
                written => written.expect("written"),
            }
            let text = String::from_utf8(out).expect("UTF-8");
            let again = read(text.as_bytes(), &Limits::default());
            let again = again.map_err(|error| TestCaseError::fail(format!("{format}: {error}: {text}")))?;
            prop_assert_eq!(again.format, format, "{}", text);
            prop_assert_eq!(&again.notes, &Vec::<String>::new(), "{}", text);
            if format != Format::Cells {
                prop_assert_eq!((&again.rule, again.generation), (&pattern.rule, pattern.generation), "{}", text);
                prop_assert_eq!((again.seed, again.background), (pattern.seed, pattern.background), "{}", text);
            }
            let shape = |cells: &Cells| {
                let living = cells.bounding_box().unwrap_or_default();
                cells.translated(-living.x, -living.y).expect("in reach")
            };
            prop_assert!(shape(&again.cells) == shape(&pattern.cells), "{format}: other cells: {text}");
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let limits = Limits { cell_bytes: 1 << 20, text_bytes: 1 << 20 };
        for head in
            ["", "x = 1, y = 1\n", "#", "!", "#Life 1.05\n", "#Life 1.06\n", "#CXRLE ", "\u{FEFF}x", "[M2]\n", "[M2]\n1 "]
        {
            let text = [head.as_bytes(), &bytes].concat();
            if let Err(error) = read(text.as_slice(), &limits) {
                prop_assert!(!error.to_string().is_empty(), "{text:?}");
            }
        }
    }

    #[test]
    fn no_damage_to_a_valid_file_makes_a_reader_panic(
        which in 0..VALID.len(),
        changes in prop::collection::vec(
            (any::<prop::sample::Index>(), 0u8..3, prop::sample::select(b" \n\r\t0129$!boABXYpxy#.*=,-O\0\xFF".to_vec())),
            1..12,
        ),
        unit in 1usize..40,
    ) {
        let mut bytes = VALID[which].as_bytes().to_vec();
        for (index, kind, byte) in changes {
            let at = index.index(bytes.len() + 1);
            match kind {
                0 if at < bytes.len() => { bytes.remove(at); }
                1 if at < bytes.len() => bytes[at] = byte,
                _ => bytes.insert(at, byte),
            }
        }
        let limits = Limits { cell_bytes: 1 << 20, text_bytes: 1 << 20 };
        let outcome = |result: Result<Pattern, PatternError>| result.map_err(|error| error.to_string());
        let whole = outcome(read(bytes.as_slice(), &limits));
        // The same in small pieces, as a pipe may give it.
        let pieces = outcome(read(Pieces { rest: &bytes, unit }, &limits));
        prop_assert_eq!(whole, pieces, "{:?}", String::from_utf8_lossy(&bytes));
    }
}

/// A source that gives a few bytes at a time.
struct Pieces<'a> {
    rest: &'a [u8],
    unit: usize,
}

impl std::io::Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.unit.min(buffer.len()).min(self.rest.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest = &self.rest[count..];
        Ok(count)
    }
}

#[test]
fn data_longer_than_a_window_is_read_in_one_piece() {
    // Symbols of two bytes and line ends of two bytes fall on every place of a window's end.
    let row = "pA3.qB12.yO$\r\n";
    for shift in 0..row.len() {
        let text = format!("#C {}\r\nx = 1, y = 1\r\n{}!", "-".repeat(shift), row.repeat(40_000));
        let pattern = from_text(&text);
        let tally = pattern.cells.tally();
        let count = |state: usize| tally.populations[state - 1];
        assert_eq!(
            (count(25), count(50), count(255)),
            (40_000, 40_000, 40_000),
            "populations, shift {shift}"
        );
        assert_eq!(tally.bounding_box, Some(Rect::new(0, 0, 18, 40_000)), "extent, shift {shift}");
        let faulty = fault(&text.replace('!', "0!"));
        assert_eq!((faulty.line, faulty.column), (40_003, 1), "place of a fault, shift {shift}");
    }
}

/// Texts that are long enough to be read in pieces: dense rows, and short rows with empty ones between.
fn long_boards() -> impl Iterator<Item = (Cells, String)> {
    [(&[0.3, 0.2][..], 1500, 1200), (&[0.001, 0.001], 100, 900_000)].into_iter().map(
        |(densities, width, height)| {
            let mut cells = Cells::new();
            let soup = Soup::new(densities, 1).expect("valid densities");
            soup.fill(&mut cells, Rect::new(0, 0, width, height)).expect("in reach");
            let mut out = Vec::new();
            write_rle(&mut out, &Pattern { cells: cells.clone(), ..Pattern::default() }, 3).expect("written");
            assert!(out.len() > 1 << 19, "{} bytes are read in one piece", out.len());
            (cells, String::from_utf8(out).expect("ASCII"))
        },
    )
}

/// `text` with `inserted` before its line `line` (from 1).
fn with_line(text: &str, line: usize, inserted: &str) -> String {
    let at = text.match_indices('\n').nth(line - 2).expect("that many lines").0 + 1;
    format!("{}{inserted}{}", &text[..at], &text[at..])
}

#[test]
fn what_stands_between_rows_is_found_in_texts_that_are_read_in_pieces() {
    for (cells, text) in long_boards() {
        let lines = text.lines().count();
        assert!(from_text(&text).cells == cells, "as it was written");
        assert!(from_text(&text.replace('\n', "\r\n")).cells == cells, "other ends of lines");
        for line in [3, lines / 2, lines - 1] {
            let read = from_text(&with_line(&text, line, "#C between\n"));
            assert_eq!(read.comments, ["between"], "line {line} of {lines}");
            assert!(read.cells == cells, "a comment before line {line} of {lines}");
            let read = from_text(&with_line(&text, line, "?"));
            assert!(read.notes[0].ends_with(&format!("in line {line}, column 1")), "{:?}", read.notes);
            assert!(read.cells == cells, "a ? before line {line} of {lines}");
            for inserted in ["03b", "9999999999b", "1 b", "yX"] {
                let fault = fault(&with_line(&text, line, inserted));
                assert_eq!((fault.line, fault.column), (line as u64, 1), "{inserted}: {fault}");
            }
            // What is after it is no data.
            let read = from_text(&with_line(&text, line, "!"));
            let above = read.cells.bounding_box().map_or(0, Rect::bottom);
            let kept = cells.clone().clipped(Rect::new(0, 0, 1 << 20, above - 1));
            assert!(
                read.cells.clipped(Rect::new(0, 0, 1 << 20, above - 1)) == kept,
                "an end before line {line}"
            );
        }
    }
}

#[test]
fn a_fault_late_in_a_long_line_knows_its_column() {
    for (_, text) in long_boards() {
        let (head, rows) = text.split_once('\n').expect("a header");
        let (first, others) = rows.split_once('\n').expect("lines");
        let others = others.replace('\n', "").replace('!', "01b!");
        let fault = fault(&format!("{head}\n{first}\n{others}"));
        assert_eq!((fault.line, fault.column), (3, others.len() as u64 - 3), "{fault}");
    }
}

#[test]
fn texts_that_are_read_in_pieces_are_held_to_the_memory_granted() {
    for (cells, text) in long_boards() {
        let read_within = |cell_bytes| read(text.as_bytes(), &Limits { cell_bytes, ..Limits::default() });
        assert!(read_within(cells.bytes()).expect("just enough").cells == cells, "with just enough memory");
        for bytes in [cells.bytes() - 1, cells.bytes() / 2, 1000] {
            let error = read_within(bytes).expect_err("too large");
            let PatternError::TooLarge { limit_bytes } = error else { panic!("{error:?}") };
            assert_eq!(limit_bytes, bytes, "the memory granted");
        }
    }
}
