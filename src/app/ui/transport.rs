//! The bar at the bottom: reset, play, step, speed, generation.

use egui::{Frame, Margin, Panel, RichText, Ui};

use super::super::command::{Command, Speed};
use super::super::theme::{LOW, TEXT, Theme};
use super::View;
use super::widgets::{dense, icon_button, label, named, number, play_button};
use crate::text::{grouped, rate};

pub(super) fn transport_ui(ui: &mut Ui, view: &View<'_>, theme: &Theme, commands: &mut Vec<Command>) {
    let frame = Frame::new().fill(theme.panel).inner_margin(Margin::symmetric(16, 8));
    Panel::bottom("transport").exact_size(56.0).frame(frame).show(ui, |ui| {
        ui.horizontal_centered(|ui| {
            if !view.panel_open {
                icon_button(ui, Command::TogglePanel, commands);
            }
            icon_button(ui, Command::Reset, commands);
            play_button(ui, view.playing, theme, commands);
            icon_button(ui, Command::Step, commands);
            ui.add_space(8.0);
            speed_ui(ui, view, commands);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let rate = if view.playing && view.rate > 0.0 { rate(view.rate) } else { "–".to_owned() };
                ui.label(number(grouped(view.generation)).size(TEXT + 6.0));
                label(ui, theme, "Generation");
                if ui.available_width() > 110.0 {
                    ui.add_space(8.0);
                    ui.label(number(format!("{rate:>7}")));
                    label(ui, theme, "Gen/s");
                }
            });
        });
    });
}

/// Room that the slider of the speed is shown in, points; in less the generation would be pushed out.
const SLIDER_WIDTH: f32 = 520.0;

/// The unit and the amount of speed.
fn speed_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    icon_button(ui, Command::Slower, commands);
    let amount = match view.speed {
        Speed::PerSecond(rate) => Some(rate),
        Speed::PerFrame(count) => Some(count as f64),
        Speed::Fastest => None,
    };
    let remake = |amount: f64, unit: Speed| match unit {
        Speed::PerSecond(_) => Speed::PerSecond(amount.round()),
        #[expect(clippy::cast_possible_truncation, reason = "1 to 1000")]
        Speed::PerFrame(_) => Speed::PerFrame(amount.round() as u64),
        Speed::Fastest => Speed::Fastest,
    };
    if let Some(mut amount) = amount
        && ui.available_width() > SLIDER_WIDTH
    {
        let slider = egui::Slider::new(&mut amount, 1.0..=1000.0)
            .logarithmic(true)
            .fixed_decimals(0)
            .show_value(false);
        let height = std::mem::replace(&mut ui.spacing_mut().interact_size.y, LOW);
        let moved = ui.add(slider).on_hover_text("Speed").changed();
        ui.spacing_mut().interact_size.y = height;
        if moved {
            commands.push(Command::SetSpeed(remake(amount, view.speed)));
        }
        ui.label(number(format!("{:>4}", amount.round())));
    }
    icon_button(ui, Command::Faster, commands);
    let amount = amount.unwrap_or(60.0);
    let units = [
        (Speed::PerSecond(amount), "per second"),
        (remake(amount, Speed::PerFrame(1)), "per frame"),
        (Speed::Fastest, "as fast as it goes"),
    ];
    let same_unit = |unit: &Speed| std::mem::discriminant(unit) == std::mem::discriminant(&view.speed);
    let chosen = units.iter().find(|(unit, _)| same_unit(unit)).map_or("", |(_, name)| name);
    let combo = egui::ComboBox::from_id_salt("speed unit")
        .selected_text(RichText::new(chosen))
        .width(126.0)
        .show_ui(ui, |ui| {
            dense(ui);
            for (unit, name) in units {
                if ui.selectable_label(same_unit(&unit), name).clicked() {
                    commands.push(Command::SetSpeed(unit));
                }
            }
        });
    named(&combo.response, egui::Role::ComboBox, "Unit of speed");
}
