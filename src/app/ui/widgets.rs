//! The few widgets that several parts share.

use std::cmp::Reverse;

use egui::{Color32, Response, RichText, Sense, Ui, Vec2};
use egui_material_icons::MaterialIcon;

use super::super::command::Command;
use super::super::theme::{CONTROL, LOW, PANEL_WIDTH, SMALL, TEXT, Theme};
use super::text;
use crate::cell::{DEAD, State};
use crate::rule::Rule;

/// How many species are listed one by one.
pub(super) const LISTED_SPECIES: usize = 8;

/// The tooltip of a command: what it does, and its keys.
fn hint(command: &Command) -> String {
    let Some(info) = command.info() else { return String::new() };
    let keys: Vec<String> = info.shortcuts.iter().copied().map(text::shortcut).collect();
    format!("{}\n{}", info.tooltip, keys.join(" or "))
}

fn icon(icon: MaterialIcon, size: f32) -> RichText {
    icon.rich_text().size(size)
}

/// A button with a command's icon and words.
pub(super) fn command_button(ui: &mut Ui, command: Command, commands: &mut Vec<Command>) {
    command_button_if(ui, true, command, commands);
}

/// [`command_button`] that can be pressed only where that is of use.
pub(super) fn command_button_if(ui: &mut Ui, enabled: bool, command: Command, commands: &mut Vec<Command>) {
    let Some(info) = command.info() else { return };
    let label = (icon(info.icon, TEXT + 3.0), info.text);
    let button = egui::Button::new(label).min_size(Vec2::new(0.0, CONTROL));
    let response = ui.add_enabled(enabled, button).on_hover_text(hint(&command));
    named(&response, egui::Role::Button, info.text);
    if response.clicked() {
        commands.push(command);
    }
}

/// A square button with a command's icon only.
pub(super) fn icon_button(ui: &mut Ui, command: Command, commands: &mut Vec<Command>) -> Option<Response> {
    let info = command.info()?;
    let button = egui::Button::new(icon(info.icon, TEXT + 5.0)).min_size(Vec2::splat(CONTROL));
    let response = ui.add(button).on_hover_text(hint(&command));
    named(&response, egui::Role::Button, info.text);
    if response.clicked() {
        commands.push(command);
    }
    Some(response)
}

/// A square button over the board with a command's icon; `on` when what it switches is.
pub(super) fn board_button(
    ui: &mut Ui,
    on: bool,
    theme: &Theme,
    command: Command,
    commands: &mut Vec<Command>,
) {
    let Some(info) = command.info() else { return };
    let (fill, colour) = if on { (theme.accent, theme.on_accent) } else { (theme.panel, theme.text) };
    let button = egui::Button::new(icon(info.icon, TEXT + 5.0).color(colour))
        .fill(fill)
        .stroke((1.0, theme.line))
        .min_size(Vec2::splat(CONTROL));
    let response = ui.add(button).on_hover_text(hint(&command));
    named(&response, egui::Role::Button, info.text);
    if response.clicked() {
        commands.push(command);
    }
}

/// Gives a control a name for screen readers, where its own text is none.
pub(super) fn named(response: &Response, role: egui::Role, name: &str) {
    response.widget_info(|| egui::WidgetInfo::labeled(role, true, name));
}

/// The one button that stands out: play or pause.
pub(super) fn play_button(ui: &mut Ui, playing: bool, theme: &Theme, commands: &mut Vec<Command>) {
    let (symbol, name) = if playing {
        (egui_material_icons::icons::ICON_PAUSE, "Pause")
    } else {
        (egui_material_icons::icons::ICON_PLAY_ARROW, "Play")
    };
    let button = egui::Button::new((
        icon(symbol, 24.0).color(theme.on_accent),
        RichText::new(name).color(theme.on_accent),
    ))
    .fill(theme.accent)
    .min_size(Vec2::new(96.0, 40.0));
    let response = ui.add(button).on_hover_text(hint(&Command::PlayPause));
    named(&response, egui::Role::Button, name);
    if response.clicked() {
        commands.push(Command::PlayPause);
    }
}

/// A switch for something that is on or off.
pub(super) fn command_switch(ui: &mut Ui, mut on: bool, command: Command, commands: &mut Vec<Command>) {
    let Some(info) = command.info() else { return };
    if ui.checkbox(&mut on, info.text).on_hover_text(hint(&command)).changed() {
        commands.push(command);
    }
}

/// Sets the entries of a list close together.
pub(super) fn dense(ui: &mut Ui) {
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.spacing_mut().interact_size.y = LOW + 4.0;
}

/// A field for a line of text.
pub(super) fn text_field(text: &mut String) -> egui::TextEdit<'_> {
    egui::TextEdit::singleline(text)
        .margin(egui::Margin::symmetric(8, 4))
        .min_size(Vec2::new(0.0, CONTROL))
        .align(egui::Align2::LEFT_CENTER)
}

/// A small grey label.
pub(super) fn label(ui: &mut Ui, theme: &Theme, words: &str) -> Response {
    ui.label(RichText::new(words).size(SMALL).color(theme.weak))
}

/// A small remark that may take several lines.
pub(super) fn remark(ui: &mut Ui, colour: Color32, words: &str) {
    ui.add(egui::Label::new(RichText::new(words).size(SMALL).color(colour)).wrap());
}

/// A number in figures of equal width.
pub(super) fn number(words: impl Into<String>) -> RichText {
    RichText::new(words).monospace()
}

/// Sets choices in three columns, close together.
pub(super) fn columns(ui: &mut Ui) {
    let spacing = ui.spacing_mut();
    spacing.item_spacing = Vec2::ZERO;
    spacing.button_padding.x = 6.0;
    spacing.interact_size.y = LOW + 4.0;
}

/// A button that can be chosen, a third of the panel wide.
pub(super) fn choice(ui: &mut Ui, chosen: bool, words: impl Into<RichText>) -> Response {
    let size = Vec2::new(((PANEL_WIDTH - 32.0) / 3.0).floor(), LOW + 4.0);
    let parts = (words.into(), egui::Atom::grow());
    ui.add_sized(size, egui::Button::selectable(chosen, parts).truncate())
}

/// A button that can be chosen, with a square of a colour before its words.
pub(super) fn chip_button(ui: &mut Ui, chosen: bool, colour: Color32, words: &str) -> Response {
    // The spaces make room for the square.
    let response = choice(ui, chosen, format!("     {words}"));
    named(&response, egui::Role::Button, words);
    let middle = egui::pos2(response.rect.left() + 12.0, response.rect.center().y);
    ui.painter().rect_filled(egui::Rect::from_center_size(middle, Vec2::splat(10.0)), 2.0, colour);
    response
}

/// The name of a state on the screen: the rule file's, else `Empty`, `Alive`, `Age 2`, or `Species 1`, where colours
/// stand for species, or `State 1`, where they stand for whatever a rule file is about.
pub(super) fn species_name(rule: &Rule, state: State) -> String {
    match (rule.state_name(state), state) {
        (Some(name), _) => name.to_owned(),
        (None, DEAD) => "Empty".to_owned(),
        (None, 1) if rule.states() == 2 => "Alive".to_owned(),
        (None, 1) if rule.has_ageing_cells() => "Alive".to_owned(),
        (None, state) if rule.has_ageing_cells() => format!("Age {state}"),
        (None, state) if rule.file_text().is_some() => format!("State {state}"),
        (None, state) => format!("Species {state}"),
    }
}

/// The species that there is room to tell of: all of a few, else those of which most cells are, in their order.
pub(super) fn listed_species(populations: &[u64]) -> Vec<State> {
    let mut listed: Vec<(u64, State)> = populations.iter().copied().zip(1..=State::MAX).collect();
    if listed.len() > LISTED_SPECIES {
        listed.retain(|(population, _)| *population > 0);
        listed.sort_by_key(|(population, _)| Reverse(*population));
        listed.truncate(LISTED_SPECIES);
        listed.sort_by_key(|(_, state)| *state);
    }
    listed.into_iter().map(|(_, state)| state).collect()
}

/// A square of a species' colour.
pub(super) fn chip(ui: &mut Ui, colour: Color32) {
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(10.0), Sense::hover());
    ui.painter().rect_filled(rect, 2.0, colour);
}
