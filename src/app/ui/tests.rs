//! The panel and what it does, without a window and a GPU: a model on the CPU engine behind the real controls.

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::super::clock::Clock;
use super::super::command::{Command, SoupOrder, Speed, Tool};
use super::super::logic::Model;
use super::super::recovery;
use super::super::theme::Theme;
use super::{UiState, root_ui};
use crate::board::{Board, Topology};
use crate::cell::State;
use crate::coin::Coin;
use crate::coords::{Coords, Rect};
use crate::engine::EngineKind;
use crate::lattice::{Neighbourhood, Neighbours};
use crate::rule::matrix::{Matrix, Outcome, Situation};
use crate::rule::{Dependence, Rule, Ruleset, Site};
use crate::session::{EngineChoice, Session, Source};

/// What the harness holds between frames.
struct Stage {
    model: Model,
    ui: UiState,
    /// Every command since the start, hovering apart.
    commands: Vec<Command>,
    notices: Vec<String>,
}

fn stage(rule: &str) -> Harness<'static, Stage> {
    let source = Source::Soup { width: 64, height: 48, densities: vec![0.4] };
    let (session, notes) =
        source.session(Some(rule), 1, EngineChoice::Fixed(EngineKind::Cpu)).unwrap_or_else(|e| panic!("{e}"));
    let mut model = Model::new(session, "A title".to_owned(), "About it".to_owned(), notes);
    model.clock = Clock::driven();
    let stage = Stage { model, ui: UiState::default(), commands: Vec::new(), notices: Vec::new() };
    let mut harness = Harness::builder()
        .with_size([1280.0, 1500.0])
        .with_max_steps(64)
        .with_context_setup(|ctx| {
            egui_material_icons::initialize(ctx);
            Theme::new(true).apply(ctx);
        })
        .build_ui_state(
            |ui, stage: &mut Stage| {
                stage.model.clock.next_frame();
                stage.model.advance();
                let view = stage.model.view();
                let output = root_ui(ui, &view, &mut stage.ui);
                let (width, height) = (f64::from(output.board.width()), f64::from(output.board.height()));
                stage.model.camera.set_viewport(width, height, 1.0);
                for command in output.commands {
                    if !matches!(command, Command::Hover(_)) {
                        stage.commands.push(command.clone());
                    }
                    stage.model.perform(command);
                }
                stage.notices.extend(stage.model.take_notices().into_iter().map(|(_, text)| text));
            },
            stage,
        );
    harness.run_steps(6);
    harness
}

/// How long a thread may take, however busy the machine is.
const PATIENCE: std::time::Duration = std::time::Duration::from_mins(2);

/// Lets frames go by until something is so; threads may be at work meanwhile.
fn wait_until(harness: &mut Harness<'static, Stage>, what: &str, so: impl Fn(&Stage) -> bool) {
    let begin = std::time::Instant::now();
    while begin.elapsed() < PATIENCE {
        harness.step();
        if so(harness.state()) {
            return;
        }
        std::thread::yield_now();
    }
    panic!("waited in vain until {what}; notices: {:?}", harness.state().notices);
}

/// Takes all cells off the board, and waits until they are gone.
fn clear(harness: &mut Harness<'static, Stage>) {
    harness.state_mut().model.perform(Command::Clear);
    wait_until(harness, "it is empty", |stage| stage.model.view().title == "Empty board");
}

#[test]
fn all_there_is_to_know_is_on_the_screen() {
    let harness = stage("Immigration:T64,48");
    for words in [
        "Biota",
        "A title",
        "About it",
        "Rule",
        "Patterns",
        "Board",
        "Draw",
        "Statistics",
        "Play",
        "Generation",
    ] {
        assert!(harness.query_all_by_label(words).next().is_some(), "{words:?} is shown");
    }
    assert!(harness.query_by_label("Immigration:T64,48").is_some(), "the status line has the rule");
    assert!(harness.query_all_by_label("Species 2").next().is_some(), "both species are named");
}

#[test]
fn play_runs_the_board_and_pause_holds_it() {
    let mut harness = stage("Immigration:T64,48");
    harness.get_by_label("Play").click();
    wait_until(&mut harness, "it runs", |stage| stage.model.session.generation() > 0);
    harness.get_by_label("Pause").click();
    harness.run_steps(3);
    let held = harness.state().model.session.generation();
    harness.run_steps(10);
    assert_eq!(harness.state().model.session.generation(), held, "held");
    harness.get_by_label("Step").click();
    harness.run_steps(3);
    assert_eq!(harness.state().model.session.generation(), held + 1, "one step");
    harness.get_by_label("Reset").click();
    wait_until(&mut harness, "it is at the start", |stage| stage.model.session.generation() == 0);
}

#[test]
fn a_rule_that_is_typed_runs_after_enter_and_a_wrong_one_is_explained() {
    let mut harness = stage("Immigration:T64,48");
    let field = |harness: &Harness<'static, Stage>| {
        harness
            .query_all_by_role(egui::Role::TextInput)
            .find(|node| node.value().as_deref() == Some("Immigration"))
            .map(|node| node.focus())
    };
    field(&harness).expect("the rule's field");
    harness.run_steps(2);
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    harness.event(egui::Event::Text("B36/S2x".to_owned()));
    harness.run_steps(3);
    assert!(harness.query_by_label_contains("character 7").is_some(), "the error points at the character");
    harness.key_press(egui::Key::Backspace);
    harness.event(egui::Event::Text("3".to_owned()));
    harness.run_steps(3);
    assert!(harness.query_by_label_contains("press Enter").is_some(), "it may be run now");
    harness.key_press(egui::Key::Enter);
    wait_until(&mut harness, "HighLife runs", |stage| stage.model.session.rule().name() == "B36/S23");
    assert_eq!(harness.state().model.session.rule().states(), 2, "both species became one");
    let expected = Topology::Torus { width: 64, height: 48 };
    assert_eq!(harness.state().model.session.rule().topology(), expected, "the board kept its shape");
}

#[test]
fn the_topology_changes_and_the_board_keeps_its_middle() {
    let mut harness = stage("Life:T64,48");
    let before = harness.state_mut().model.session.tally().expect("a tally").population();
    harness.get_by_label("Surface").click();
    harness.run_steps(4);
    harness.get_by_label("Unbounded").click();
    harness.run_steps(2);
    harness.get_by_label("Apply").click();
    wait_until(&mut harness, "it is unbounded", |stage| {
        stage.model.session.rule().topology() == Topology::Unbounded
    });
    let after = harness.state_mut().model.session.tally().expect("a tally").population();
    assert_eq!(after, before, "no cell was lost");
}

#[test]
fn a_shipped_pattern_is_found_and_loaded() {
    let mut harness = stage("Immigration:T64,48");
    harness.get_by_label("Patterns").click();
    harness.run_steps(20);
    harness.get_by_label("Acorn").click();
    wait_until(&mut harness, "acorn is there", |stage| stage.model.session.rule().name() == "B3/S23");
    assert_eq!(
        harness.state_mut().model.session.tally().expect("a tally").population(),
        7,
        "acorn has 7 cells"
    );
}

#[test]
fn cells_are_drawn_with_the_mouse_in_the_chosen_species() {
    let mut harness = stage("Immigration:T64,48");
    clear(&mut harness);
    harness.get_by_role_and_label(egui::Role::Button, "Species 2").click();
    harness.run_steps(2);
    assert_eq!(harness.state().commands.last(), Some(&Command::SetTool(Tool::Draw(2))), "the pen is chosen");
    let at = egui::pos2(800.0, 500.0);
    harness.hover_at(at);
    harness.run_steps(2);
    harness.drag_at(at);
    harness.run_steps(2);
    harness.hover_at(at + egui::vec2(120.0, 0.0));
    harness.run_steps(2);
    harness.drop_at(at + egui::vec2(120.0, 0.0));
    harness.run_steps(2);
    let zoom = harness.state().model.camera.zoom_px_per_cell();
    let tally = harness.state_mut().model.session.tally().expect("a tally").clone();
    let expected = 120.0 / zoom;
    let drawn = tally.by_state(3);
    assert_eq!(drawn[0], 0, "nothing of species 1");
    assert!(
        (drawn[1] as f64 - expected).abs() <= 2.0,
        "{} cells were drawn, about {expected} expected",
        drawn[1]
    );
    for _ in 0..3 {
        harness.state_mut().model.perform(Command::Step);
        harness.step();
    }
    harness.state_mut().model.perform(Command::Reset);
    wait_until(&mut harness, "it is at the start", |stage| stage.model.session.generation() == 0);
    let kept = harness.state_mut().model.session.tally().expect("a tally").population();
    assert_eq!(kept, drawn[1], "what is drawn at the start belongs to it");
}

#[test]
fn what_takes_long_says_how_far_it_is_and_can_be_stopped() {
    let mut harness = stage("Immigration:");
    let hash = harness.state_mut().model.session.hash().expect("a hash");
    let order = SoupOrder {
        size: (100_000, 100_000),
        densities: vec![0.3, 0.3],
        ..harness.state_mut().model.view().soup.clone()
    };
    harness.state_mut().model.perform(Command::MakeSoup(order));
    harness.run_steps(2);
    let busy = harness.state_mut().model.view().busy;
    assert!(busy.as_ref().is_some_and(|text| text.starts_with("Making a soup")), "{busy:?}");
    harness.get_by_role_and_label(egui::Role::Button, "Stop").click();
    harness.run_steps(2);
    assert_eq!(harness.state().commands.last(), Some(&Command::Escape), "stopped");
    assert_eq!(
        harness.state().notices.last().map(String::as_str),
        Some("Stopped: Making a soup"),
        "and said so"
    );
    let view = harness.state_mut().model.view();
    assert!(view.busy.is_none() && !view.can_stop, "nothing is waited for");
    assert_eq!(harness.state_mut().model.session.hash().expect("a hash"), hash, "the board is as it was");
    // With nothing to stop, the same key puts the pen away.
    harness.state_mut().model.perform(Command::SetTool(Tool::Draw(2)));
    let escape = Command::of_key(egui::Key::Escape, egui::Modifiers::NONE).expect("a command");
    harness.state_mut().model.perform(escape);
    assert_eq!(harness.state_mut().model.view().tool, Tool::Pan, "no pen");
}

#[test]
fn the_view_follows_and_a_board_is_taken_back_by_buttons() {
    let mut harness = stage("Immigration:T64,48");
    harness.get_by_role_and_label(egui::Role::Button, "Follow").click();
    harness.run_steps(2);
    assert!(harness.state().model.view().follows, "it follows");
    harness.get_by_role_and_label(egui::Role::Button, "Zoom in").click();
    harness.run_steps(2);
    assert!(!harness.state().model.view().follows, "a hand ends it");
    clear(&mut harness);
    harness.run_steps(2);
    harness.get_by_role_and_label(egui::Role::Button, "Undo").click();
    wait_until(&mut harness, "the soup is back", |stage| stage.model.view().title == "A title");
    let back = harness.state_mut().model.session.tally().expect("a tally").population();
    assert!(back > 0, "with its cells");
}

#[test]
fn nothing_in_the_panel_is_wider_than_the_panel() {
    let couriers = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/rules/Couriers.rule:T64,48");
    let topology = Topology::Torus { width: 65_536, height: 65_536 };
    for rule in ["Immigration:T64,48", "QuadLife:T64,48", couriers] {
        let mut harness = stage(rule);
        harness.state_mut().model.perform(Command::SetTopology(topology));
        wait_until(&mut harness, "it is huge", |stage| stage.model.session.rule().topology() == topology);
        harness.run_steps(4);
        let edge = super::super::theme::PANEL_WIDTH;
        for role in [egui::Role::Button, egui::Role::SpinButton, egui::Role::ComboBox, egui::Role::Label] {
            for node in harness.query_all_by_role(role) {
                let rect = node.rect();
                assert!(
                    rect.left() >= edge || rect.right() <= edge - 8.0,
                    "{rule}: {:?} reaches over the edge: {rect:?}",
                    node.accesskit_node().label()
                );
            }
        }
    }
}

#[test]
fn a_click_that_begins_and_ends_between_two_frames_draws_a_cell() {
    let mut harness = stage("Immigration:T64,48");
    clear(&mut harness);
    harness.state_mut().model.perform(Command::SetTool(Tool::Draw(2)));
    let pos = egui::pos2(800.0, 500.0);
    harness.hover_at(pos);
    harness.run_steps(2);
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
        harness.input_mut().events.push(egui::Event::PointerButton { pos, button, pressed, modifiers });
    }
    harness.run_steps(3);
    let drawn = harness.state_mut().model.session.tally().expect("a tally").by_state(3);
    assert_eq!(drawn, [0, 1], "one cell of species 2");
}

#[test]
fn the_generation_stays_inside_of_a_narrow_window() {
    for width in [880.0, 1280.0] {
        let mut harness = stage("Immigration:T64,48");
        harness.set_size(egui::vec2(width, 800.0));
        harness.run_steps(4);
        let words = harness.get_by_label("Generation").rect();
        assert!(words.right() < width, "{words:?} in a window {width} wide");
        let unit = harness.get_by_label("Unit of speed").rect();
        assert!(unit.right() < words.left(), "{unit:?} does not cover {words:?} at {width}");
    }
}

#[test]
fn an_earlier_seed_may_be_chosen_again() {
    let mut harness = stage("Immigration:T64,48");
    harness.get_by_label("Next").click();
    wait_until(&mut harness, "seed 2 is there", |stage| stage.model.session.seed() == 2);
    harness
        .query_all_by_role(egui::Role::SpinButton)
        .find(|node| node.accesskit_node().numeric_value() == Some(2.0))
        .expect("the seed's field")
        .click();
    harness.run_steps(3);
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    harness.event(egui::Event::Text("1".to_owned()));
    harness.key_press(egui::Key::Enter);
    harness.run_steps(3);
    harness.get_by_label("Make").click();
    wait_until(&mut harness, "seed 1 is there again", |stage| stage.model.session.seed() == 1);
}

#[test]
fn verify_compares_with_the_oracle_and_says_so() {
    let mut harness = stage("P2Life:T64,48");
    harness.get_by_label("Engine").click();
    harness.run_steps(20);
    harness.get_by_label_contains("Verify").click();
    harness.run_steps(3);
    assert!(harness.query_by_label_contains("Equal to the oracle").is_some(), "the verdict is shown");
}

/// A stage where two boards are left of other windows: the ages of their files in minutes, and the folder that holds them.
fn stage_with_boards_left() -> (Harness<'static, Stage>, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    for (title, minutes) in [("Older", 9), ("Newer", 1)] {
        let mut other = stage("HighLife:T64,48");
        for _ in 0..minutes {
            other.state_mut().model.perform(Command::Step);
            other.step();
        }
        let path = recovery::save(&mut other.state_mut().model.session, title, folder.path()).expect("saved");
        let saved = std::time::SystemTime::now() - std::time::Duration::from_secs(60 * minutes);
        let file = std::fs::File::options().append(true).open(path).expect("the file");
        file.set_modified(saved).expect("its age");
    }
    let mut harness = stage("Immigration:T64,48");
    harness.state_mut().model.left = recovery::left(folder.path());
    harness.run_steps(4);
    (harness, folder)
}

/// What the files in a folder begin with.
fn titles_left(folder: &tempfile::TempDir) -> Vec<String> {
    let names = recovery::left(folder.path()).into_iter().map(|path| path.file_name().map(ToOwned::to_owned));
    names
        .flatten()
        .map(|name| name.to_string_lossy().split('-').next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn a_board_that_was_left_is_offered_and_opened_and_then_its_file_is_gone() {
    let (mut harness, folder) = stage_with_boards_left();
    assert!(harness.query_by_label_contains("newer-generation-1-").is_some(), "the last one is offered");
    // Whoever doesn't care goes on, and the offer stays.
    harness.get_by_label("Step").click();
    harness.run_steps(3);
    assert_eq!(harness.state().model.session.generation(), 1, "the board goes on");
    assert_eq!(titles_left(&folder), ["newer", "older"], "nothing is lost");
    harness.get_by_label("Open the saved board").click();
    wait_until(&mut harness, "it is there", |stage| stage.model.view().title == "Newer");
    harness.run_steps(3);
    let session = &harness.state().model.session;
    assert_eq!(
        (session.rule().to_string(), session.generation()),
        ("B36/S23:T64,48".to_owned(), 1),
        "as it was"
    );
    assert_eq!(titles_left(&folder), ["older"], "it has been claimed, the other has not");
    assert!(harness.query_by_label("Open the saved board").is_none(), "the other one is for another time");
}

#[test]
fn boards_that_were_left_are_discarded_one_by_one_or_put_off() {
    let (mut harness, folder) = stage_with_boards_left();
    harness.get_by_label("Discard").click();
    harness.run_steps(3);
    assert_eq!(titles_left(&folder), ["older"], "only the one that was shown");
    assert!(harness.query_by_label_contains("older-generation-9-").is_some(), "then the other is offered");
    harness.get_by_label("Close window").click();
    harness.run_steps(3);
    assert!(harness.query_by_label("Discard").is_none(), "put off");
    assert_eq!(titles_left(&folder), ["older"], "and kept");
    assert_eq!(harness.state().model.view().title, "A title", "the board is another");
}

#[test]
fn a_board_that_was_left_and_can_not_be_opened_stays_where_it_is() {
    let (mut harness, folder) = stage_with_boards_left();
    std::fs::write(&harness.state().model.left[0], "nonsense").expect("it is damaged");
    harness.get_by_label("Open the saved board").click();
    wait_until(&mut harness, "it is said", |stage| {
        stage.notices.iter().any(|text| text.contains("newer-generation-1-"))
    });
    assert_eq!(titles_left(&folder), ["newer", "older"], "both are there");
    assert_eq!(harness.state().model.view().title, "A title", "the board is as it was");
}

#[test]
fn errors_leave_the_board_as_it_was() {
    let mut harness = stage("Immigration:T64,48");
    let before = harness.state_mut().model.session.engine_mut().snapshot().expect("a board");
    for command in [
        Command::SetRule("B3/S9".to_owned()),
        Command::OpenFile("/nowhere/no.rle".into()),
        Command::SetTopology(Topology::CrossSurface { width: 2_000_000_000, height: 2_000_000_000 }),
        Command::SaveFile("/nowhere/no.rle".into()),
        Command::SetTool(Tool::Draw(9)),
    ] {
        let count = harness.state().notices.len();
        harness.state_mut().model.perform(command.clone());
        wait_until(&mut harness, &format!("{command:?} is answered"), |stage| stage.notices.len() > count);
    }
    let after = harness.state_mut().model.session.engine_mut().snapshot().expect("a board");
    assert_eq!(before, after, "unchanged");
}

#[test]
fn the_board_follows_the_keys_of_speed() {
    let mut harness = stage("Immigration:T64,48");
    for _ in 0..9 {
        harness.state_mut().model.perform(Command::Faster);
    }
    assert_eq!(
        harness.state_mut().model.view().speed,
        Speed::Fastest,
        "beyond 1000 a second it is as fast as it goes"
    );
    harness.state_mut().model.perform(Command::Slower);
    assert_eq!(harness.state_mut().model.view().speed, Speed::PerSecond(1000.0), "and back");
}

#[test]
fn pan_and_zoom_move_the_view_and_not_the_board() {
    let mut harness = stage("Immigration:T64,48");
    let seen = harness.state().model.camera.cell_at((100.0, 100.0));
    harness.state_mut().model.perform(Command::Pan(-200.0, 0.0));
    let zoom = harness.state().model.camera.zoom_px_per_cell();
    let moved = harness.state().model.camera.cell_at((100.0, 100.0));
    #[expect(clippy::cast_possible_truncation, reason = "a few cells")]
    let cells = (200.0 / zoom).round() as i64;
    assert!((moved.x - seen.x - cells).abs() <= 1, "moved from {seen:?} to {moved:?} at {zoom} px a cell");
    assert_eq!(moved.y, Coords::new(0, seen.y).y, "not up or down");
}

#[test]
fn the_matrix_is_painted_with_its_mirror_image_and_taken_back() {
    let mut harness = stage("Immigration:T64,48");
    harness.get_by_label("Matrix").click();
    harness.run_steps(20);
    assert!(harness.query_by_label("Both species alike").is_some(), "the editor is there");
    let situation = Situation { own: 0, ones: 2, twos: 0 };
    harness.state_mut().model.perform(Command::PaintMatrix {
        situation,
        outcome: Outcome::One,
        mirrored: true,
    });
    wait_until(&mut harness, "the painted rule runs", |stage| {
        stage.model.session.rule().name().starts_with("PAIR")
    });
    let text = harness.state().model.session.rule().to_string();
    let read = crate::rule::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let matrix = Matrix::of(read.ruleset()).expect("a matrix");
    assert_eq!(matrix.outcome(situation), Outcome::One, "as painted");
    assert_eq!(matrix.outcome(situation.mirrored()), Outcome::Two, "and its mirror image");
    assert!(matrix.is_symmetric(), "both species alike");
    harness.state_mut().model.perform(Command::UndoMatrix);
    wait_until(&mut harness, "it is taken back", |stage| stage.model.session.rule().to_string() != text);
    let back = Matrix::of(harness.state().model.session.rule().ruleset()).expect("a matrix");
    let immigration = crate::rule::parse("Immigration").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(Some(back), Matrix::of(immigration.ruleset()), "Immigration again");
}

/// Life for the cells of a neighbourhood, as its counts go.
struct LifeOn(Neighbourhood);

impl Ruleset for LifeOn {
    fn depends_on(&self) -> Dependence {
        Dependence { neighbourhood: self.0, ..Dependence::counting(2) }
    }

    fn empty_cell_next(&self, neighbours: &Neighbours, _: Site, _: &mut Coin) -> State {
        State::from(neighbours.count(1) == 2)
    }

    fn occupied_cell_next(&self, neighbours: &Neighbours, _: State, _: Site, _: &mut Coin) -> State {
        State::from(matches!(neighbours.count(1), 3 | 4))
    }
}

#[test]
fn the_pen_and_the_pointer_hit_hexagons_and_triangles() {
    for neighbourhood in [Neighbourhood::Moore, Neighbourhood::Hexagonal, Neighbourhood::Triangular] {
        let topology = Topology::Torus { width: 40, height: 30 };
        let rule = Rule::custom("Life elsewhere", LifeOn(neighbourhood), topology);
        let session = Session::new(&rule, Board::empty(topology), EngineChoice::Fixed(EngineKind::Oracle))
            .expect("a session");
        let mut model = Model::new(session, String::new(), String::new(), Vec::new());
        model.clock = Clock::driven();
        model.camera.set_viewport(900.0, 500.0, 1.0);
        model.perform(Command::Fit);
        assert_eq!(model.camera.lattice(), neighbourhood.lattice(), "drawn as the rule's cells are");
        let (low, _) = neighbourhood.lattice().bounds_of(Rect::new(0, 0, 40, 30));
        let corner = model.camera.point_at((0.0, 0.0));
        let zoom = model.camera.zoom_px_per_cell();
        model.perform(Command::SetTool(Tool::Draw(1)));
        for (count, cell) in [(1, Coords::new(0, 0)), (2, Coords::new(39, 29)), (3, Coords::new(38, 29))] {
            let centre = neighbourhood.lattice().centre_of(cell);
            let pixel = ((centre.x - corner.x) * zoom, (centre.y - corner.y) * zoom);
            assert!(centre.x > low.x && pixel.0 < 900.0 && pixel.1 < 500.0, "{cell:?} is fitted: {pixel:?}");
            model.perform(Command::Stroke(pixel, pixel));
            model.perform(Command::Hover(Some(pixel)));
            model.clock.next_frame();
            model.advance();
            assert_eq!(model.view().hover, Some((cell, 1)), "{neighbourhood:?}: what lies below the pointer");
            let drawn = model.session.tally().expect("a tally").population();
            assert_eq!(drawn, count, "{neighbourhood:?}: only {cell:?} was drawn");
        }
        model.perform(Command::Verify);
        let verdict = model.view().verdict.cloned().expect("a verdict");
        assert!(verdict.equal && verdict.text.contains("40 × 30 cells"), "{neighbourhood:?}: {verdict:?}");
    }
}

#[test]
fn the_states_of_a_rule_file_have_their_names_and_colours_and_it_is_opened_by_its_path() {
    let mut harness = stage("Immigration:T64,48");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/rules/Couriers.rule");
    harness.state_mut().model.perform(Command::SetRule(path.to_owned()));
    wait_until(&mut harness, "couriers run", |stage| stage.model.session.rule().name() == "Couriers");
    harness.run_steps(3);
    let rule = harness.state().model.session.rule().clone();
    assert_eq!(rule.topology(), Topology::Torus { width: 64, height: 48 }, "the board kept its shape");
    assert!(harness.query_by_label_contains("decision diagram, ").is_some(), "what runs it");
    for name in ["north A", "east A", "State 9"] {
        assert!(harness.query_all_by_label(name).next().is_some(), "{name:?} is a button");
    }
    // The field for states past the digits.
    harness.state_mut().model.perform(Command::SetTool(Tool::Draw(22)));
    harness.run_steps(3);
    assert!(harness.query_all_by_label("west A").next().is_some(), "the chosen state is named");
    harness.state_mut().model.perform(Command::Verify);
    harness.run_steps(3);
    let view = harness.state_mut().model.view();
    assert!(view.verdict.is_some_and(|verdict| verdict.equal), "{:?}", view.verdict);
    // A broken file, and one that is not there, are explained.
    let missing = "no/such.rule".to_owned();
    harness.state_mut().model.perform(Command::SetRule(missing));
    wait_until(&mut harness, "it is said", |stage| {
        stage.notices.iter().any(|notice| notice.contains("no/such.rule"))
    });
    assert_eq!(harness.state().model.session.rule().name(), "Couriers", "the rule stays");
}

#[test]
fn a_rule_of_256_states_fits_the_panel() {
    let mut harness = stage("Life:T64,48");
    harness.state_mut().model.perform(Command::SetRule("23/3/256".to_owned()));
    wait_until(&mut harness, "it runs", |stage| stage.model.session.rule().states() == 256);
    harness.state_mut().model.perform(Command::NewSoup);
    harness.run_steps(2);
    wait_until(&mut harness, "a soup is there", |stage| stage.model.session.seed() == 2);
    for _ in 0..20 {
        harness.state_mut().model.perform(Command::Step);
        harness.step();
    }
    let population = harness.state_mut().model.session.tally().expect("a tally").population();
    assert!(population > 300, "young cells live and age: {population}");
    harness.run_steps(3);
    assert!(harness.query_by_label_contains("more;").is_some(), "few of the ages are listed");
    assert!(harness.query_all_by_label("Age 9").next().is_some(), "states by buttons");
    assert!(harness.query_all_by_label("Age 11").count() < 4, "but not all");
}

#[test]
fn a_soup_follows_the_rule() {
    use super::super::command::SoupOrder;
    let fit = |densities: &[f64], rule: &str| {
        let mut order = SoupOrder { size: (9, 9), densities: densities.to_vec(), seed: 0 };
        order.fit(&rule.parse().unwrap_or_else(|error| panic!("{error}")));
        order.densities
    };
    assert_eq!(fit(&[], "Immigration"), [0.18, 0.18], "at first shared evenly");
    assert_eq!(fit(&[0.5, 0.3], "Immigration"), [0.5, 0.3], "as it was");
    assert_eq!(fit(&[0.5], "Immigration"), [0.5, 0.15], "a new species comes in");
    assert_eq!(fit(&[0.95], "Immigration"), [0.18, 0.18], "too much in all");
    let ages = fit(&[0.3], "/2/100");
    assert_eq!((ages.len(), ages[0], ages[98]), (99, 0.36, 0.0), "all begin young");
    assert_eq!(fit(&ages, "Life"), [0.36], "and back");
}
