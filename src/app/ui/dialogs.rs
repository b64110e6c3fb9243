//! Help, and the questions for file names.

use std::path::{Path, PathBuf};

use egui::{Context, Key, RichText, Ui};

use super::super::command::Command;
use super::super::logic::{Dialog, SaveKind};
use super::super::theme::{PANEL_WIDTH, TEXT, Theme};
use super::View;
use super::text;
use super::widgets::{named, remark, text_field};

/// File names in the making.
#[derive(Default)]
pub(crate) struct Drafts {
    open: String,
    save: String,
    picture: String,
    /// Which dialog was shown in the last pass: a new one gets the keyboard.
    shown: Option<Dialog>,
}

pub(super) fn dialogs_ui(
    ctx: &Context,
    view: &View<'_>,
    theme: &Theme,
    drafts: &mut Drafts,
    commands: &mut Vec<Command>,
) {
    if view.help_open {
        help_ui(ctx, theme, commands);
    }
    if let Some(path) = view.left {
        left_ui(ctx, path, view.panel_open, theme, commands);
    }
    let fresh = drafts.shown.as_ref() != view.dialog;
    drafts.shown = view.dialog.cloned();
    match view.dialog {
        None => {}
        Some(Dialog::Open) => {
            let ask = Ask { title: "Open a pattern", close: Command::ShowOpen, action: "Open", fresh };
            let remarks = "RLE, macrocell, .cells, Life 1.05 and 1.06, MCell, also gzipped. A file dropped on the window opens too.";
            if let Some(path) =
                ask.path(ctx, theme, remarks, &mut drafts.open, |_| Command::BrowseOpen, commands)
            {
                commands.push(Command::OpenFile(path));
            }
        }
        Some(Dialog::Save(SaveKind::Pattern)) => {
            if drafts.save.is_empty() {
                "biota.rle".clone_into(&mut drafts.save);
            }
            let ask = Ask { title: "Save the board", close: Command::ShowSave, action: "Save", fresh };
            let remarks = "The ending chooses the format: .rle, .mc or, for one species, .cells; with .gz it is packed.";
            if let Some(path) = ask.path(ctx, theme, remarks, &mut drafts.save, Command::BrowseSave, commands)
            {
                commands.push(Command::SaveFile(path));
            }
        }
        Some(Dialog::Save(SaveKind::Picture)) => {
            if drafts.picture.is_empty() {
                "biota.png".clone_into(&mut drafts.picture);
            }
            let ask = Ask { title: "Save a picture", close: Command::ShowScreenshot, action: "Save", fresh };
            let remarks = "What the window shows of the board, as PNG.";
            if let Some(path) =
                ask.path(ctx, theme, remarks, &mut drafts.picture, Command::BrowseSave, commands)
            {
                commands.push(Command::SavePicture(path));
            }
        }
    }
}

/// A dialog that asks for a file name.
struct Ask {
    title: &'static str,
    /// What closes it again.
    close: Command,
    action: &'static str,
    fresh: bool,
}

impl Ask {
    /// Shows it; gives the name once it was confirmed.
    fn path(
        &self,
        ctx: &Context,
        theme: &Theme,
        remarks: &str,
        draft: &mut String,
        browse: impl Fn(PathBuf) -> Command,
        commands: &mut Vec<Command>,
    ) -> Option<PathBuf> {
        let mut chosen = None;
        window(self.title).show(ctx, |ui| {
            ui.set_width(440.0);
            let field = ui.add(text_field(draft).desired_width(f32::INFINITY).hint_text("File name"));
            if self.fresh {
                field.request_focus();
            }
            remark(ui, theme.weak, remarks);
            ui.add_space(8.0);
            let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            ui.horizontal(|ui| {
                let pressed =
                    ui.add_enabled(!draft.trim().is_empty(), accented(theme, self.action)).clicked();
                if ui.button("Browse…").clicked() {
                    commands.push(browse(PathBuf::from(draft.trim())));
                }
                if ui.button("Cancel").clicked() || ui.input(|input| input.key_pressed(Key::Escape)) {
                    commands.push(self.close.clone());
                }
                if (pressed || entered) && !draft.trim().is_empty() {
                    chosen = Some(PathBuf::from(draft.trim()));
                }
            });
        });
        chosen
    }
}

/// Offers a board that is left of another window. Keys work as ever meanwhile.
fn left_ui(ctx: &Context, path: &Path, beside_panel: bool, theme: &Theme, commands: &mut Vec<Command>) {
    let mut open = true;
    let window = egui::Window::new("A board was kept").collapsible(false).resizable(false).open(&mut open);
    // In the corner of the board that notices leave free.
    let left = if beside_panel { PANEL_WIDTH } else { 0.0 };
    window.anchor(egui::Align2::LEFT_TOP, [left + 16.0, 16.0]).show(ctx, |ui| {
        ui.set_width(380.0);
        ui.label("Biota ended without being closed, and kept its board:");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        ui.add(egui::Label::new(RichText::new(name).monospace().color(theme.accent)).truncate());
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            let open = ui.add(accented(theme, "Open"));
            named(&open, egui::Role::Button, "Open the saved board");
            if open.clicked() {
                commands.push(Command::OpenLeft);
            }
            let discard = ui.button("Discard").on_hover_text("Remove the file");
            // A second click in haste would hit the next one.
            if discard.clicked() && !discard.double_clicked() {
                commands.push(Command::DiscardLeft);
            }
        });
    });
    if !open {
        commands.push(Command::PutOffLeft);
    }
}

fn accented(theme: &Theme, text: &str) -> egui::Button<'static> {
    egui::Button::new(RichText::new(text).color(theme.on_accent)).fill(theme.accent)
}

fn window(title: &str) -> egui::Window<'_> {
    egui::Window::new(title)
        .collapsible(false)
        .resizable(false)
        .anchor(egui::Align2::CENTER_CENTER, [0.0, -40.0])
}

/// All keys, from the commands themselves.
fn help_ui(ctx: &Context, theme: &Theme, commands: &mut Vec<Command>) {
    let mut open = true;
    window("Keys and mouse").open(&mut open).show(ctx, |ui| {
        ui.set_width(660.0);
        ui.spacing_mut().interact_size.y = 20.0;
        egui::Grid::new("keys").num_columns(3).spacing([24.0, 2.0]).show(ui, |ui| {
            for command in Command::KEYED {
                let Some(info) = command.info() else { continue };
                let keys: Vec<String> = info.shortcuts.iter().copied().map(text::shortcut).collect();
                row(ui, theme, &keys.join("  "), info.text, info.tooltip);
            }
            row(ui, theme, "1 … 9", "Draw", "Draw cells of this species with the left button");
            row(ui, theme, "0", "Erase", "Erase cells with the left button");
            row(ui, theme, "Esc", "Stop or move", "Stop what is being loaded; else put the pen away");
            row(ui, theme, "Wheel", "Zoom", "Zoom to the pointer");
            row(ui, theme, "Right drag", "Move", "Move the board, also with a pen in hand");
        });
    });
    if !open {
        commands.push(Command::ToggleHelp);
    }
}

fn row(ui: &mut Ui, theme: &Theme, keys: &str, text: &str, tooltip: &str) {
    ui.label(RichText::new(keys).monospace().color(theme.accent));
    ui.label(RichText::new(text).size(TEXT));
    let room = 400.0;
    ui.allocate_ui([room, 20.0].into(), |ui| {
        ui.set_width(room);
        // What is cut off is shown when it is pointed at.
        ui.add(egui::Label::new(RichText::new(tooltip).small().color(theme.weak)).truncate());
    });
    ui.end_row();
}
