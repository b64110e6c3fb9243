//! The matrix editor: a two-species counting rule as three triangles of outcomes, painted with the mouse.

use egui::{Color32, Rect, Sense, Ui, Vec2};

use super::super::command::Command;
use super::super::theme::{Theme, rgb};
use super::View;
use super::widgets::{chip_button, columns, label, remark, species_name};
use crate::cell::State;
use crate::rule::matrix::{Matrix, Outcome, Situation};

/// Side of an entry, points.
const ENTRY: f32 = 25.0;
/// Room for the numbers of rows and columns, points.
const MARGIN: f32 = 16.0;
/// Neighbours of a cell.
const MOST: u8 = 8;

/// What is painted where.
pub(crate) struct Brush {
    outcome: Outcome,
    own: State,
    mirrored: bool,
}

impl Default for Brush {
    fn default() -> Self {
        Self { outcome: Outcome::One, own: 0, mirrored: true }
    }
}

pub(super) fn matrix_ui(
    ui: &mut Ui,
    view: &View<'_>,
    theme: &Theme,
    brush: &mut Brush,
    commands: &mut Vec<Command>,
) {
    let running = Matrix::of(view.rule.ruleset());
    let Some(matrix) = view.painted.cloned().or(running) else {
        commands.push(Command::HoverSituation(None));
        remark(
            ui,
            theme.weak,
            "For rules of two species that only count their eight neighbours, such as Immigration.",
        );
        return;
    };
    label(ui, theme, "What becomes of a cell that is now");
    ui.horizontal(|ui| {
        columns(ui);
        for own in 0..3 {
            let name = species_name(view.rule, own);
            if chip_button(ui, brush.own == own, state_colour(own, view, theme), &name).clicked() {
                brush.own = own;
            }
        }
    });
    label(ui, theme, "by its neighbours of species 1 (down) and 2 (across)");
    let hovered = entries_ui(ui, view, theme, &matrix, brush, commands);
    commands.push(Command::HoverSituation(hovered));
    let words = hovered.map_or_else(
        || "Point at an entry: the cells that are in that situation light up.".to_owned(),
        |s| format!("{} of species 1 and {} of species 2: {}", s.ones, s.twos, in_words(matrix.outcome(s))),
    );
    remark(ui, theme.weak, &words);
    label(ui, theme, "Paint");
    ui.horizontal_wrapped(|ui| {
        columns(ui);
        for outcome in Outcome::ALL {
            let colour = match outcome {
                Outcome::Dead => state_colour(0, view, theme),
                Outcome::One => state_colour(1, view, theme),
                Outcome::Two => state_colour(2, view, theme),
                Outcome::Coin => theme.accent,
            };
            if chip_button(ui, brush.outcome == outcome, colour, in_words(outcome)).clicked() {
                brush.outcome = outcome;
            }
        }
    });
    ui.horizontal(|ui| {
        ui.checkbox(&mut brush.mirrored, "Both species alike")
            .on_hover_text("Paint the mirror image too, with the species exchanged");
        if ui.add_enabled(view.can_undo_matrix, egui::Button::new("Undo")).clicked() {
            commands.push(Command::UndoMatrix);
        }
    });
}

/// The triangle; gives the situation below the pointer.
fn entries_ui(
    ui: &mut Ui,
    view: &View<'_>,
    theme: &Theme,
    matrix: &Matrix,
    brush: &Brush,
    commands: &mut Vec<Command>,
) -> Option<Situation> {
    let side = ENTRY * f32::from(MOST + 1);
    let (whole, response) = ui.allocate_exact_size(Vec2::splat(side + MARGIN), Sense::click_and_drag());
    let area = Rect::from_min_max(whole.min + Vec2::splat(MARGIN), whole.max);
    super::widgets::named(&response, egui::Role::Canvas, "Matrix");
    let mut hovered = None;
    for ones in 0..=MOST {
        for twos in 0..=MOST - ones {
            let situation = Situation { own: brush.own, ones, twos };
            let corner = area.min + Vec2::new(f32::from(twos), f32::from(ones)) * ENTRY;
            let entry = Rect::from_min_size(corner, Vec2::splat(ENTRY)).shrink(1.5);
            paint_entry(ui, view, theme, entry, matrix.outcome(situation));
            let pointer = response.hover_pos().or(response.interact_pointer_pos());
            if pointer.is_some_and(|at| entry.contains(at)) {
                hovered = Some(situation);
                ui.painter().rect_stroke(entry, 3.0, (2.0, theme.text), egui::StrokeKind::Inside);
                let pressed =
                    response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_down());
                if pressed && matrix.outcome(situation) != brush.outcome {
                    commands.push(Command::PaintMatrix {
                        situation,
                        outcome: brush.outcome,
                        mirrored: brush.mirrored,
                    });
                }
            }
        }
    }
    for count in 0..=MOST {
        let along = (f32::from(count) + 0.5) * ENTRY;
        let number = |at: egui::Pos2, state: State| {
            let font = egui::FontId::monospace(11.0);
            let colour = if count == 0 { theme.weak } else { state_colour(state, view, theme) };
            ui.painter().text(at, egui::Align2::CENTER_CENTER, count.to_string(), font, colour);
        };
        number(whole.min + Vec2::new(MARGIN / 2.0, MARGIN + along), 1);
        number(whole.min + Vec2::new(MARGIN + along, MARGIN / 2.0), 2);
    }
    hovered
}

fn paint_entry(ui: &Ui, view: &View<'_>, theme: &Theme, entry: Rect, outcome: Outcome) {
    let painter = ui.painter();
    let colour = |state| state_colour(state, view, theme);
    match outcome {
        Outcome::Dead => painter.rect_filled(entry, 3.0, colour(0)),
        Outcome::One => painter.rect_filled(entry, 3.0, colour(1)),
        Outcome::Two => painter.rect_filled(entry, 3.0, colour(2)),
        Outcome::Coin => {
            let [low, high] = [entry.left_top(), entry.right_bottom()];
            let half = |third: egui::Pos2, fill: Color32| {
                egui::Shape::convex_polygon(vec![low, third, high], fill, egui::Stroke::NONE)
            };
            painter.add(half(entry.right_top(), colour(1)));
            painter.add(half(entry.left_bottom(), colour(2)))
        }
    };
}

fn state_colour(state: State, view: &View<'_>, theme: &Theme) -> Color32 {
    if state == 0 { theme.raised } else { rgb(view.rule.colour_on(view.dark, state)) }
}

const fn in_words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Dead => "Empty",
        Outcome::One => "Species 1",
        Outcome::Two => "Species 2",
        Outcome::Coin => "Coin",
    }
}
