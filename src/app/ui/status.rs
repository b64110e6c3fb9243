//! The line at the very bottom: what runs, how many live, what is below the pointer.

use egui::{Frame, Margin, Panel, RichText, Ui};

use super::super::command::Command;
use super::super::theme::{SMALL, Theme, rgb};
use super::View;
use super::widgets::{LISTED_SPECIES, chip, species_name};
use crate::text::grouped;

/// Room that the cell below the pointer is shown in, points; in less it would cover the populations.
const HOVER_WIDTH: f32 = 200.0;

pub(super) fn status_ui(ui: &mut Ui, view: &View<'_>, theme: &Theme, commands: &mut Vec<Command>) {
    let frame = Frame::new().fill(theme.bar).inner_margin(Margin::symmetric(16, 4));
    Panel::bottom("status").exact_size(28.0).frame(frame).show(ui, |ui| {
        ui.horizontal_centered(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let small = |text: String| RichText::new(text).size(SMALL).monospace();
            ui.label(RichText::new(view.rule.to_string()).size(SMALL).strong());
            let populations = view.populations();
            if populations.len() > LISTED_SPECIES {
                ui.add_space(8.0);
                ui.label(small(format!("{:<9}", grouped(populations.iter().sum()))))
                    .on_hover_text("All living cells");
            } else {
                for (state, &population) in (1..).zip(populations) {
                    ui.add_space(8.0);
                    chip(ui, rgb(view.rule.colour_on(view.dark, state)));
                    ui.label(small(format!("{:<9}", grouped(population))))
                        .on_hover_text(species_name(view.rule, state));
                }
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.label(small(zoom_text(view.zoom_px_per_cell)));
                if let Some((at, state)) = view.hover
                    && ui.available_width() > HOVER_WIDTH
                {
                    ui.add_space(8.0);
                    let name = match view.rule.state_name(state) {
                        Some(name) => format!("{name} ({state})"),
                        None => species_name(view.rule, state).to_lowercase(),
                    };
                    ui.add(egui::Label::new(small(format!("({}, {}) {name}", at.x, at.y))).truncate());
                }
                if let Some(busy) = &view.busy {
                    ui.add_space(8.0);
                    if view.can_stop {
                        let button = egui::Button::new(RichText::new("Stop").size(SMALL)).small();
                        if ui.add(button).on_hover_text("Leave the board as it is\nEsc").clicked() {
                            commands.push(Command::Escape);
                        }
                    }
                    ui.label(RichText::new(busy).size(SMALL).color(theme.weak));
                    ui.add(egui::Spinner::new().size(12.0));
                }
            });
        });
    });
}

/// The zoom as pixels a cell, or cells a pixel when those are many.
fn zoom_text(px_per_cell: f64) -> String {
    if px_per_cell >= 1.0 { format!("1:{px_per_cell:.0}") } else { format!("{:.0}:1", 1.0 / px_per_cell) }
}
