//! The picture of a board has each cell where the lattice says, at every zoom: drawn by the window's shaders, without a
//! window. Any rule's cells can be drawn on any lattice, so rules on squares do here.

use std::collections::BTreeMap;

use biota::app::{Pixels, Shot};
use biota::board::{Board, Cells, Topology};
use biota::coin::Coin;
use biota::coords::{Coords, Rect};
use biota::engine::{Cancel, EngineKind};
use biota::lattice::{Lattice, Neighbourhood, Neighbours, Point};
use biota::palette::{self, Rgb};
use biota::rule::{Dependence, Rule, Ruleset, Site};
use biota::session::{EngineChoice, Session};

use crate::common::{rule, soup};

/// What lies beyond a bounded board, on a dark and on a light screen.
const OUTSIDE: [Rgb; 2] = [Rgb([0x04, 0x05, 0x07]), Rgb([0xE4, 0xE1, 0xD9])];

fn session(rule_text: &str, board: impl FnOnce(Topology) -> Board) -> (Session, Board) {
    let rule = rule(rule_text);
    let board = board(rule.topology());
    (session_on(EngineKind::Gpu, &rule, &board), board)
}

fn session_on(engine: EngineKind, rule: &Rule, board: &Board) -> Session {
    Session::new(rule, board.clone(), EngineChoice::Fixed(engine))
        .unwrap_or_else(|error| panic!("{rule} on {engine}: {error}"))
}

/// A soup over `area`, in a world of this rule.
fn soup_session(rule_text: &str, area: Rect, density: f64) -> (Session, Board) {
    session(rule_text, |_| soup(&rule(rule_text), area, density, 7))
}

/// A plain picture around a point.
fn shot(lattice: Lattice, centre: Point, zoom_px_per_cell: f64) -> Shot {
    Shot {
        lattice,
        centre,
        zoom_px_per_cell,
        size: (211, 160),
        scale: 1.0,
        dark: true,
        grid: false,
        marks: false,
    }
}

fn take(shot: &Shot, session: &mut Session) -> Pixels {
    let pixels = shot.take(session).unwrap_or_else(|error| panic!("{shot:?}: {error:#}"));
    assert_eq!((pixels.width, pixels.height), shot.size, "the size that was asked for");
    pixels
}

fn pixel(pixels: &Pixels, x: u32, y: u32) -> Rgb {
    let at = 3 * (y as usize * pixels.width as usize + x as usize);
    Rgb([pixels.rgb[at], pixels.rgb[at + 1], pixels.rgb[at + 2]])
}

/// Whether two colours are the same but for rounding.
fn alike(Rgb(a): Rgb, Rgb(b): Rgb) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 1)
}

/// The point of the drawn plane that is `dx`, `dy` pixels from the middle of a pixel.
fn point_of(shot: &Shot, (x, y): (u32, u32), (dx, dy): (f64, f64)) -> Point {
    let (width, height) = shot.size;
    let along = |pixel: u32, side: u32, aside: f64| {
        (f64::from(pixel) + 0.5 + aside - f64::from(side) / 2.0) / shot.zoom_px_per_cell
    };
    Point::new(shot.centre.x + along(x, width, dx), shot.centre.y + along(y, height, dy))
}

/// The pixel at a point, if the picture holds it.
fn pixel_at(shot: &Shot, point: Point) -> Option<(u32, u32)> {
    let along = |aside: f64, side: u32| {
        let px = (aside * shot.zoom_px_per_cell + f64::from(side) / 2.0).floor();
        (0..side).find(|&pixel| (f64::from(pixel) - px).abs() < 0.5)
    };
    Some((along(point.x - shot.centre.x, shot.size.0)?, along(point.y - shot.centre.y, shot.size.1)?))
}

/// The colour that the board has at a cell.
fn colour_of(board: &Board, rule: &Rule, at: Coords, shot: &Shot) -> Rgb {
    if board.topology.bounds().is_some_and(|bounds| !bounds.contains(at)) {
        return OUTSIDE[usize::from(!shot.dark)];
    }
    rule.colour_on(shot.dark, board.get(at))
}

/// Compares every pixel around which all cells within `margin_px` have one colour with that colour; gives how many
/// there were.
fn check(shot: &Shot, session: &mut Session, board: &Board, margin_px: f64) -> u32 {
    let rule = session.rule().clone();
    let pixels = take(shot, session);
    let steps = 4;
    let mut checked = 0;
    for (x, y) in (0..shot.size.1).flat_map(|y| (0..shot.size.0).map(move |x| (x, y))) {
        let around = (0..=steps).flat_map(|i| (0..=steps).map(move |j| (i, j))).map(|(i, j)| {
            let aside = |step: i32| margin_px * (2.0 * f64::from(step) / f64::from(steps) - 1.0);
            let cell = shot.lattice.cell_at(point_of(shot, (x, y), (aside(i), aside(j))));
            colour_of(board, &rule, cell, shot)
        });
        let mut around = around.peekable();
        let expected = *around.peek().expect("some points");
        if around.all(|colour| colour == expected) {
            checked += 1;
            let found = pixel(&pixels, x, y);
            assert!(
                alike(found, expected),
                "pixel ({x}, {y}) is {found:?} instead of {expected:?}, in cell {:?}; {shot:?}",
                shot.lattice.cell_at(point_of(shot, (x, y), (0.0, 0.0)))
            );
        }
    }
    checked
}

#[test]
fn every_cell_is_drawn_where_its_lattice_says() {
    let area = Rect::new(0, 0, 37, 29);
    let (mut session, board) = soup_session("Immigration:T37,29", area, 0.5);
    for lattice in Lattice::ALL {
        for (zoom, offset, dark) in
            [(3.5, 0.0, true), (4.0, 0.3, false), (9.7, 0.77, true), (24.0, 0.0, false), (63.0, 0.41, true)]
        {
            for corner in [Coords::new(0, 0), Coords::new(36, 28), Coords::new(17, 14)] {
                let centre = lattice.centre_of(corner);
                let shot =
                    Shot { dark, ..shot(lattice, Point::new(centre.x + offset, centre.y - offset), zoom) };
                let checked = check(&shot, &mut session, &board, 0.8);
                assert!(checked > 9_000, "only {checked} pixels could be compared; {shot:?}");
            }
        }
    }
}

#[test]
fn the_centre_of_every_cell_has_its_colour_with_lines_and_at_both_scales() {
    let area = Rect::new(0, 0, 12, 9);
    let (mut session, board) = soup_session("QuadLife:T12,9", area, 0.6);
    let rule = session.rule().clone();
    for lattice in Lattice::ALL {
        let (low, high) = lattice.bounds_of(area);
        for (zoom, scale) in [(7.0, 1.0), (11.3, 1.0), (11.3, 2.0)] {
            let centre = low.midpoint(high);
            let shot = Shot { scale, grid: true, ..shot(lattice, centre, zoom) };
            let pixels = take(&shot, &mut session);
            let mut found = 0;
            for cell in area.cells() {
                let Some((x, y)) = pixel_at(&shot, lattice.centre_of(cell)) else { continue };
                found += 1;
                let (expected, seen) = (colour_of(&board, &rule, cell, &shot), pixel(&pixels, x, y));
                assert!(alike(seen, expected), "{cell:?} is {seen:?} instead of {expected:?}; {shot:?}");
            }
            assert!(found > 80, "only {found} of {} cells are in the picture; {shot:?}", area.area());
        }
    }
}

#[test]
fn lines_lie_between_cells_and_only_there() {
    let edges = [Neighbourhood::VonNeumann, Neighbourhood::Hexagonal, Neighbourhood::TriangularEdges];
    let (mut session, _) = session("B3/S23", Board::empty);
    for edges in edges {
        let lattice = edges.lattice();
        for (scale, dark) in [(1.0, true), (2.0, false)] {
            let shot = Shot { scale, dark, grid: true, ..shot(lattice, Point::new(-8.3, 4.9), 31.0) };
            let pixels = take(&shot, &mut session);
            let dead = palette::colour_on(dark, 0, 2);
            let mut seen = 0;
            for cell in Rect::new(-14, -4, 14, 20).cells() {
                let centre = lattice.centre_of(cell);
                if let Some((x, y)) = pixel_at(&shot, centre) {
                    assert!(alike(pixel(&pixels, x, y), dead), "no line at the centre of {cell:?}; {shot:?}");
                }
                for &(dx, dy) in edges.offsets(cell) {
                    let other = lattice.centre_of(cell.offset(dx, dy));
                    // Squares have their lines at the left and at the top, inside.
                    let inwards = if lattice == Lattice::Square { 0.4 / shot.zoom_px_per_cell } else { 0.0 };
                    let edge = centre.midpoint(other);
                    let middle = Point::new(edge.x + inwards, edge.y + inwards);
                    if let Some((x, y)) = pixel_at(&shot, middle) {
                        seen += 1;
                        let line = pixel(&pixels, x, y);
                        assert!(
                            !alike(line, dead),
                            "a line from {cell:?} to ({dx}, {dy}) at ({x}, {y}); {shot:?}"
                        );
                    }
                }
            }
            assert!(seen > 60, "only {seen} edges are in the picture; {shot:?}");
        }
    }
}

#[test]
fn births_and_deaths_are_marked_in_the_middle_of_their_cells() {
    // A blinker: two deaths, two births.
    let (mut session, _) = session("B3/S23", |topology| {
        let mut cells = Cells::new();
        for x in -1..=1 {
            cells.set(Coords::new(x, 0), 1).expect("in reach");
        }
        Board::with_cells(topology, cells)
    });
    for lattice in Lattice::ALL {
        for scale in [1.0, 2.0] {
            let centre = lattice.centre_of(Coords::new(0, 0));
            let plain = shot(lattice, centre, 30.0 * scale);
            let shot = Shot { scale, marks: true, size: (301, 290), ..plain };
            let pixels = take(&shot, &mut session);
            let seen = |cell: Coords, aside: f64| {
                let middle = lattice.centre_of(cell);
                let at = Point::new(middle.x + aside * 2.0 * lattice.inner_radius(), middle.y);
                let (x, y) = pixel_at(&shot, at).unwrap_or_else(|| panic!("{cell:?} is in {shot:?}"));
                pixel(&pixels, x, y)
            };
            for birth in [Coords::new(0, -1), Coords::new(0, 1)] {
                assert!(alike(seen(birth, 0.0), palette::ALIVE), "what is born at {birth:?}; {shot:?}");
                for ring in [-0.3, 0.3] {
                    assert!(alike(seen(birth, ring), palette::BIRTH), "a ring around {birth:?}; {shot:?}");
                }
                assert!(alike(seen(birth, 0.43), palette::BACKGROUND), "beyond the ring; {shot:?}");
            }
            for death in [Coords::new(-1, 0), Coords::new(1, 0)] {
                assert!(alike(seen(death, 0.0), palette::DEATH), "a cross on {death:?}; {shot:?}");
                assert!(alike(seen(death, 0.4), palette::ALIVE), "beside the cross; {shot:?}");
            }
            assert!(alike(seen(Coords::new(0, 0), 0.0), palette::ALIVE), "who stays has no mark; {shot:?}");
        }
    }
}

#[test]
fn nothing_is_lost_billions_of_cells_from_the_origin() {
    for corner in [
        Coords::new(1_000_000_001, -999_999_998),
        Coords::new(-1_000_000_000, 999_999_999),
        Coords::new(2_147_483_000, -2_147_483_100),
        Coords::new(-7, -6),
    ] {
        let area = Rect::new(corner.x, corner.y, 31, 23);
        let (mut session, board) = soup_session("Immigration", area, 0.5);
        for lattice in [Lattice::Square, Lattice::Triangular, Lattice::Hexagonal] {
            // Rows of hexagons have slid aside by half a billion here.
            let middle = lattice.centre_of(corner.offset(9, 8));
            for zoom in [4.3, 17.0] {
                let shot = shot(lattice, Point::new(middle.x + 0.25, middle.y + 0.125), zoom);
                let checked = check(&shot, &mut session, &board, 0.8);
                assert!(checked > 9_000, "only {checked} pixels could be compared; {shot:?}");
            }
        }
    }
}

#[test]
fn from_afar_boards_keep_their_outline_and_their_regions() {
    // A filled parallelogram of cells, in worlds of prime sides.
    let alive = Rect::new(400, 150, 700, 900);
    let (mut session, board) = session("B3/S23:T1511,1301", |topology| {
        let mut cells = Cells::new();
        for y in alive.y..alive.bottom() {
            cells.fill_run(Coords::new(alive.x, y), alive.width, 1).expect("in reach");
        }
        Board::with_cells(topology, cells)
    });
    // Of engines that are not on the GPU it is summed up on the processor.
    let mut cpu = session_on(EngineKind::Cpu, session.rule(), &board);
    for session in [&mut session, &mut cpu] {
        for lattice in Lattice::ALL {
            let (low, high) = lattice.bounds_of(Rect::new(0, 0, 1511, 1301));
            let centre = low.midpoint(high);
            for zoom in [2.2, 1.0, 0.8, 0.21, 0.1, 0.0613] {
                for centre in [centre, lattice.centre_of(Coords::new(401, 152))] {
                    let shot = Shot { dark: zoom > 0.5, ..shot(lattice, centre, zoom) };
                    // A pixel's mean is over whole cells, which may reach a cell beyond it.
                    let checked = check(&shot, session, &board, 1.0 + 1.5 * zoom.max(0.3));
                    assert!(checked > 20_000, "only {checked} pixels could be compared; {shot:?}");
                }
            }
        }
    }
}

#[test]
fn states_that_are_no_species_are_drawn_as_what_they_are() {
    let area = Rect::new(0, 0, 12, 9);
    // The second state of each: an age, a memory.
    for (rule, second) in [
        ("23/3/5:T12,9", palette::graded(true, 2, 5)),
        ("B3/S23History:T12,9", palette::remembered(true, 2, 7)),
    ] {
        let (mut session, board) = soup_session(rule, area, 0.7);
        assert_eq!(session.rule().colour_on(true, 2), second, "{rule}");
        assert_ne!(second, palette::colour_on(true, 2, 5), "{rule}: no species");
        for dark in [true, false] {
            let centre = Lattice::Hexagonal.centre_of(Coords::new(6, 4));
            let shot = Shot { dark, ..shot(Lattice::Hexagonal, centre, 20.0) };
            assert!(check(&shot, &mut session, &board, 0.8) > 20_000, "{rule}, {shot:?}");
        }
    }
}

#[test]
fn a_picture_of_no_size_is_refused() {
    let (mut session, _) = session("B3/S23", Board::empty);
    let shot = Shot { size: (0, 7), ..shot(Lattice::Square, Point::default(), 8.0) };
    assert!(shot.take(&mut session).is_err(), "no pixels at all");
}

#[test]
fn a_picture_that_is_off_by_a_cell_is_found() {
    let area = Rect::new(0, 0, 37, 29);
    let (mut session, board) = soup_session("Immigration:T37,29", area, 0.5);
    let moved = Board { cells: board.cells.translated(1, 0).expect("in reach"), ..board };
    let shot = shot(Lattice::Hexagonal, Lattice::Hexagonal.centre_of(Coords::new(17, 14)), 12.0);
    let result =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&shot, &mut session, &moved, 0.8)));
    assert!(result.is_err(), "the comparison must fail");
}

#[test]
fn many_states_are_drawn_in_their_colours() {
    let area = Rect::new(0, 0, 40, 29);
    let (mut session, board) = soup_session("23/3/256:T40,29", area, 0.9);
    assert!(
        board.cells.tally().by_state(256).iter().filter(|cells| **cells > 0).count() > 200,
        "a soup of all"
    );
    for lattice in Lattice::ALL {
        let centre = lattice.centre_of(Coords::new(17, 14));
        let shot = shot(lattice, centre, 12.0);
        assert!(check(&shot, &mut session, &board, 0.8) > 9_000, "{shot:?}");
    }
}

#[test]
fn many_states_are_mixed_from_afar() {
    // Regions of one state each, and a region of two by turns.
    let (session, board) = session("23/3/200:T1511,1301", |topology| {
        let mut cells = Cells::new();
        for y in 0..1301 {
            cells.fill_run(Coords::new(100, y), 400, 137).expect("in reach");
            cells.fill_run(Coords::new(500, y), 300, 199).expect("in reach");
            cells.fill_run(Coords::new(900, y), 500, if y % 2 == 0 { 1 } else { 80 }).expect("in reach");
        }
        Board::with_cells(topology, cells)
    });
    let cpu = session_on(EngineKind::Cpu, session.rule(), &board);
    for mut session in [session, cpu] {
        let centre = Point::new(755.0, 650.0);
        for zoom in [0.8, 0.25, 0.13] {
            let shot = shot(Lattice::Square, centre, zoom);
            let checked = check(&shot, &mut session, &board, 1.0 + 1.5 * zoom);
            assert!(checked > 5_000, "only {checked} pixels could be compared; {shot:?}");
        }
        // Of pixels that hold as many of the one as of the other.
        let shot = shot(Lattice::Square, Point::new(1150.0, 650.0), 0.25);
        let pixels = take(&shot, &mut session);
        let [Rgb(one), Rgb(other)] = [1, 80].map(|state| palette::graded(true, state, 200));
        let found = pixel(&pixels, 105, 80);
        let mean = |a: u8, b: u8| f64::from(a).hypot(f64::from(b)) / 2f64.sqrt();
        for ((a, b), channel) in one.into_iter().zip(other).zip(found.0) {
            assert!((mean(a, b) - f64::from(channel)).abs() < 1.5, "{found:?} of {one:?} and {other:?}");
        }
    }
}

#[test]
fn the_colours_of_a_rule_file_are_drawn() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/rules/Couriers.rule:T9,7");
    let rule = biota::rule::library::open(path).expect("a rule file");
    let mut cells = Cells::new();
    for (x, state) in (0..).zip([1, 8, 15, 22, 28]) {
        cells.set(Coords::new(x, 3), state).expect("in reach");
    }
    let board = Board::with_cells(rule.topology(), cells);
    let mut session = Session::new(&rule, board, EngineChoice::Fixed(EngineKind::Cpu)).expect("a session");
    let shot = shot(Lattice::Square, Point::new(4.5, 3.5), 20.0);
    let pixels = take(&shot, &mut session);
    for (x, colour) in
        (0..).zip([[240, 162, 2], [63, 167, 245], [31, 181, 138], [215, 99, 155], [10, 20, 30]])
    {
        let (x, y) = pixel_at(&shot, Lattice::Square.centre_of(Coords::new(x, 3))).expect("in the picture");
        assert!(alike(pixel(&pixels, x, y), Rgb(colour)), "{colour:?}");
    }
}

/// States that go up by one; only the oracle runs it, since it is said to look at the places of all neighbours.
struct Large;

impl Ruleset for Large {
    fn depends_on(&self) -> Dependence {
        Dependence { arrangement: true, ..Dependence::counting(100) }
    }
    fn empty_cell_next(&self, _: &Neighbours, _: Site, _: &mut Coin) -> u8 {
        0
    }
    fn occupied_cell_next(&self, _: &Neighbours, value: u8, _: Site, _: &mut Coin) -> u8 {
        (value + 1) % 100
    }
}

#[test]
fn a_rule_that_only_the_oracle_runs_is_drawn_too() {
    let topology = Topology::Torus { width: 12, height: 9 };
    let rule = Rule::custom("Large", Large, topology);
    let start = soup(&rule, Rect::new(0, 0, 12, 9), 0.6, 1);
    let mut session = Session::new(&rule, start, EngineChoice::Automatic).expect("a session");
    assert_eq!(session.engine().kind(), EngineKind::Oracle, "chosen since {}", session.engine_reason());
    assert!(session.engine_reason().contains("too many to compile"), "{}", session.engine_reason());
    session.step(1, &Cancel::never()).expect("a step");
    let board = session.engine_mut().snapshot().expect("a board");
    let shot = shot(Lattice::Square, Point::new(6.0, 4.5), 14.0);
    assert!(check(&shot, &mut session, &board, 0.8) > 9_000, "{shot:?}");
}

/// The colour of a pixel that holds so many cells of each species, of so many cells in all.
fn mixed(counts: &[u64], cells: f64) -> Rgb {
    let square = |Rgb(channels): Rgb| channels.map(|v| (f64::from(v) / 255.0).powi(2));
    let states = u16::try_from(counts.len()).expect("few") + 1;
    let living: u64 = counts.iter().sum();
    let dead = square(palette::colour_on(true, 0, states));
    let mut mean = [0.0; 3];
    for (state, &count) in (1..).zip(counts) {
        for (sum, value) in mean.iter_mut().zip(square(palette::colour_on(true, state, states))) {
            *sum += count as f64 / living.max(1) as f64 * value;
        }
    }
    let share = (1.6 * living as f64 / cells).min(1.0).sqrt();
    let mut rgb = [0; 3];
    for ((channel, dead), mean) in rgb.iter_mut().zip(dead).zip(mean) {
        let value = (255.0 * (dead + share * (mean - dead)).sqrt()).round();
        *channel = (0..=255).find(|v| (f64::from(*v) - value).abs() < 0.5).expect("a byte");
    }
    Rgb(rgb)
}

#[test]
fn from_any_distance_a_pixel_has_the_exact_share_of_each_species() {
    // Unbounded, across tiles of both signs, with regions of their own densities, one cell alone among them.
    let rule = rule("QuadLife");
    let mut cells = Cells::new();
    for (seed, (x, y, side, density)) in
        (1u64..).zip([(-700, -300, 900, 0.5), (300, 200, 300, 0.02), (-1500, 600, 500, 0.9)])
    {
        let part = soup(&rule, Rect::new(0, 0, side, side), density, seed);
        cells.paste(&part.cells, x, y).expect("in reach");
    }
    cells.set(Coords::new(1900, -1300), 3).expect("in reach");
    let board = Board::with_cells(Topology::Unbounded, cells);
    let mut sessions = EngineKind::ALL.map(|engine| session_on(engine, &rule, &board));
    for session in &mut sessions {
        for cells_per_px in [8i64, 40, 64, 128, 256, 512, 1024, 8192] {
            let (width, height) = if cells_per_px < 64 { (100, 40) } else { (64, 48) };
            let corner =
                Coords::new(-cells_per_px * (i64::from(width) / 2), -cells_per_px * (i64::from(height) / 2));
            let zoom = 1.0 / cells_per_px as f64;
            let shot = Shot { size: (width, height), ..shot(Lattice::Square, Point::default(), zoom) };
            let pixels = take(&shot, session);
            let mut counts: BTreeMap<(i64, i64), [u64; 4]> = BTreeMap::new();
            for (at, state) in board.cells.iter() {
                let place =
                    ((at.x - corner.x).div_euclid(cells_per_px), (at.y - corner.y).div_euclid(cells_per_px));
                counts.entry(place).or_default()[usize::from(state) - 1] += 1;
            }
            let mut living = 0;
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let held = counts.get(&(i64::from(x), i64::from(y)));
                living += u32::from(held.is_some());
                let held = held.copied().unwrap_or_default();
                let (expected, found) = (mixed(&held, (cells_per_px as f64).powi(2)), pixel(&pixels, x, y));
                assert!(
                    alike(found, expected),
                    "({x}, {y}) is {found:?}, not {expected:?} of {held:?}; {shot:?}"
                );
            }
            assert!(living > 3, "something is seen; {shot:?}");
        }
    }
}

#[test]
fn two_far_regions_are_seen_from_two_billion_cells_away() {
    let rule = rule("B3/S23");
    let mut cells = Cells::new();
    for corner in [Coords::new(-1_500_000_000, -1_000_000_000), Coords::new(1_500_000_000, 1_000_000_000)] {
        for row in 0..3000 {
            cells.fill_run(corner.offset(0, row), 3000, 1).expect("in reach");
        }
    }
    let board = Board::with_cells(Topology::Unbounded, cells);
    let mut sessions = [EngineKind::Gpu, EngineKind::Cpu].map(|engine| session_on(engine, &rule, &board));
    let zoom = 1.0 / 4_000_000.0;
    let shot = Shot { size: (800, 600), ..shot(Lattice::Square, Point::new(0.0, 0.0), zoom) };
    for session in &mut sessions {
        let pixels = take(&shot, session);
        let dead = palette::colour_on(true, 0, 2);
        let lit: Vec<(u32, u32)> = (0..600)
            .flat_map(|y| (0..800).map(move |x| (x, y)))
            .filter(|&(x, y)| pixel(&pixels, x, y) != dead)
            .collect();
        for (x, y) in [(25, 50), (775, 550)] {
            let near = |a: u32, b: u32| a.abs_diff(b) <= 1;
            assert!(lit.iter().any(|&(px, py)| near(px, x) && near(py, y)), "a dot at ({x}, {y}) of {lit:?}");
        }
        assert!(lit.len() <= 18, "nothing else is lit: {lit:?}");
    }
}

#[test]
fn both_ways_of_looking_from_afar_give_one_picture() {
    // Backgrounds that live, boards that end, rows that lean; zooms at which squares need no rounding.
    for (seed, (text, lattice)) in (1u64..).zip([
        ("B3/S23:P700,411", Lattice::Square),
        ("B36/S23Immigration:T300,1000", Lattice::Triangular),
        ("B2/S34H:T613,257", Lattice::Hexagonal),
        ("B03/S23Immigration-2", Lattice::Square),
        ("law1{born=own==0;survive=own==8}", Lattice::Hexagonal),
        ("/2/7", Lattice::Hexagonal),
    ]) {
        let rule = rule(text);
        let area = rule.topology().bounds().unwrap_or(Rect::new(-300, -200, 640, 330));
        let board = soup(&rule, area, 0.3, seed);
        for generations in [0, 1] {
            let mut sessions = EngineKind::ALL.map(|engine| {
                let mut session = session_on(engine, &rule, &board);
                session.step(generations, &Cancel::never()).expect("a step");
                session
            });
            for zoom in [0.5, 0.125] {
                let corner = lattice.anchor_of(Coords::new(area.x + 20, area.y + 16));
                let centre = Point::new(corner.x + 0.25, corner.y + 0.371);
                let shot = Shot { dark: seed % 2 == 0, ..shot(lattice, centre, zoom) };
                let [gpu, others @ ..] = sessions.each_mut().map(|session| take(&shot, session));
                for other in others {
                    let pixels = (0..shot.size.1).flat_map(|y| (0..shot.size.0).map(move |x| (x, y)));
                    let differ =
                        pixels.filter(|&(x, y)| !alike(pixel(&gpu, x, y), pixel(&other, x, y))).count();
                    // Rows of hexagons and triangles are of irrational height, and some borders are rounded.
                    let few = if lattice == Lattice::Square { 0 } else { gpu.rgb.len() / 3 / 100 };
                    assert!(
                        differ <= few,
                        "{differ} pixels differ; {rule}, generation {generations}, {shot:?}"
                    );
                }
            }
        }
    }
}
