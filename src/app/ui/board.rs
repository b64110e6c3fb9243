//! The surface of the board: zoom to the pointer, pan, draw. What is drawn below it comes from the renderer.

use egui::{Align2, Color32, CursorIcon, FontId, PointerButton, Rect, Sense, Ui, Vec2};

use super::super::command::{Command, Tool};
use super::super::theme::{CONTROL, SMALL, Theme};
use super::View;
use super::widgets::board_button;

/// What the mouse is in the middle of.
#[derive(Default)]
pub(crate) struct Gesture {
    /// The pixel at which the stroke that is being drawn has arrived.
    stroke: Option<egui::Pos2>,
    /// Whether the hint of the first start was of use: something was done.
    used: bool,
}

/// Fills what is left of the window; gives where it is.
pub(super) fn board_ui(
    ui: &mut Ui,
    view: &View<'_>,
    theme: &Theme,
    gesture: &mut Gesture,
    commands: &mut Vec<Command>,
) -> Rect {
    let response = ui.allocate_response(ui.available_size(), Sense::click_and_drag());
    let area = response.rect;
    let scale = f64::from(ui.ctx().pixels_per_point());
    let pixel =
        |at: egui::Pos2| (f64::from(at.x - area.left()) * scale, f64::from(at.y - area.top()) * scale);
    commands.push(Command::Hover(response.hover_pos().map(pixel)));

    if let Some(at) = response.hover_pos() {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        let factor = f64::from(scroll / 160.0).exp2() * f64::from(pinch);
        if (factor - 1.0).abs() > 1e-6 {
            gesture.used = true;
            commands.push(Command::ZoomAt(pixel(at), factor));
        }
    }
    let panning = match view.tool {
        Tool::Pan => response.dragged(),
        // With a pen in hand the other buttons, or space held, move the view.
        Tool::Draw(_) => {
            response.dragged_by(PointerButton::Middle) || response.dragged_by(PointerButton::Secondary)
        }
    };
    if panning {
        let moved = response.drag_delta();
        if moved != Vec2::ZERO {
            gesture.used = true;
            commands.push(Command::Pan(f64::from(moved.x) * scale, f64::from(moved.y) * scale));
        }
    }
    if let Tool::Draw(_) = view.tool {
        let held = response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_down());
        match (held, response.interact_pointer_pos()) {
            (true, Some(at)) => {
                gesture.used = true;
                let fresh = gesture.stroke.is_none();
                let from = gesture.stroke.replace(at).unwrap_or(at);
                // A held pen that doesn't move draws once.
                if from != at || fresh {
                    commands.push(Command::Stroke(pixel(from), pixel(at)));
                }
            }
            // The end of a stroke, or all of one that began and ended between two frames.
            (false, Some(at))
                if response.clicked_by(PointerButton::Primary)
                    || response.drag_stopped_by(PointerButton::Primary) =>
            {
                gesture.used = true;
                let from = gesture.stroke.take();
                if from != Some(at) {
                    commands.push(Command::Stroke(pixel(from.unwrap_or(at)), pixel(at)));
                }
            }
            _ => gesture.stroke = None,
        }
        if response.hovered() {
            ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
        }
    } else if response.hovered() {
        ui.ctx().set_cursor_icon(if panning { CursorIcon::Grabbing } else { CursorIcon::Grab });
    }
    #[expect(clippy::cast_possible_truncation, reason = "places on the screen")]
    for &(x, y) in view.lit {
        let radius = ((view.zoom_px_per_cell / scale) as f32 * 0.5).max(1.5);
        let at = area.min + Vec2::new((x / scale) as f32, (y / scale) as f32);
        let cell = Rect::from_center_size(at, Vec2::splat(2.0 * radius));
        ui.painter_at(area).rect_stroke(cell, 1.0, (1.5, theme.accent), egui::StrokeKind::Outside);
    }
    if !gesture.used {
        hint_ui(ui, area, theme);
    }
    view_buttons_ui(ui, view, theme, area, commands);
    area
}

/// What moves the view, at the right of the board.
fn view_buttons_ui(ui: &mut Ui, view: &View<'_>, theme: &Theme, area: Rect, commands: &mut Vec<Command>) {
    const GAP: f32 = 8.0;
    let size = Vec2::new(CONTROL, 4.0 * CONTROL + 3.0 * GAP);
    let place = Rect::from_min_size(area.max - size - Vec2::splat(2.0 * GAP), size);
    ui.scope_builder(egui::UiBuilder::new().max_rect(place), |ui| {
        board_button(ui, view.follows, theme, Command::ToggleFollow, commands);
        board_button(ui, false, theme, Command::Fit, commands);
        board_button(ui, false, theme, Command::ZoomIn, commands);
        board_button(ui, false, theme, Command::ZoomOut, commands);
    });
}

/// What to press, for who sees it for the first time.
fn hint_ui(ui: &Ui, area: Rect, theme: &Theme) {
    let text = "Space  run and pause   ·   Wheel  zoom   ·   Drag  move   ·   1 2  draw   ·   F1  all keys";
    let font = FontId::proportional(SMALL + 1.0);
    let at = egui::pos2(area.center().x, area.bottom() - 28.0);
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font.clone(), theme.text);
    if galley.size().x + 48.0 > area.width() {
        return;
    }
    let pill = Rect::from_center_size(at, galley.size() + Vec2::new(32.0, 14.0));
    let fill = if theme.dark { Color32::from_black_alpha(200) } else { Color32::from_white_alpha(225) };
    ui.painter().rect_filled(pill, 14.0, fill);
    ui.painter().text(at, Align2::CENTER_CENTER, text, font, theme.text);
}
