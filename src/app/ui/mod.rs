//! The panel, the bars and the board's surface: functions from a [`View`] to a list of commands. They need neither a
//! window nor a GPU.

mod board;
mod dialogs;
mod matrix;
mod panel;
mod status;
#[cfg(test)]
mod tests;
mod text;
mod transport;
mod widgets;

use std::collections::VecDeque;
use std::path::Path;

use super::command::{Command, SoupOrder, Speed, Tool};
use super::logic::{Dialog, Verdict};
use super::theme::Theme;
use crate::cell::State;
use crate::coords::Coords;
use crate::engine::EngineKind;
use crate::rule::Rule;
use crate::rule::matrix::Matrix;
use crate::session::{Census, EngineChoice};

/// What there is to show.
pub(crate) struct View<'a> {
    pub(crate) rule: &'a Rule,
    pub(crate) title: &'a str,
    pub(crate) about: &'a str,
    pub(crate) playing: bool,
    pub(crate) speed: Speed,
    pub(crate) generation: u64,
    /// Generations a second, measured; 0 when not known.
    pub(crate) rate: f64,
    pub(crate) history: &'a VecDeque<Census>,
    pub(crate) engine: EngineKind,
    pub(crate) choice: EngineChoice,
    pub(crate) adapter: Option<String>,
    pub(crate) engine_reason: &'a str,
    pub(crate) tool: Tool,
    pub(crate) dark: bool,
    pub(crate) grid: bool,
    pub(crate) marks: bool,
    /// Whether the view goes with the life on the board.
    pub(crate) follows: bool,
    pub(crate) zoom_px_per_cell: f64,
    pub(crate) hover: Option<(Coords, State)>,
    /// What is being waited for.
    pub(crate) busy: Option<String>,
    /// Whether that can be stopped.
    pub(crate) can_stop: bool,
    pub(crate) verdict: Option<&'a Verdict>,
    pub(crate) soup: &'a SoupOrder,
    /// Pixels of the middles of cells that are to be lit up.
    pub(crate) lit: &'a [(f64, f64)],
    /// The matrix that was painted last and is not running yet.
    pub(crate) painted: Option<&'a Matrix>,
    pub(crate) can_undo_matrix: bool,
    /// Whether there is an earlier board to go back to.
    pub(crate) can_undo: bool,
    pub(crate) panel_open: bool,
    pub(crate) help_open: bool,
    pub(crate) dialog: Option<&'a Dialog>,
    /// The file of a board that is left of another window, which is offered.
    pub(crate) left: Option<&'a Path>,
}

impl View<'_> {
    /// The populations by species that were counted last.
    fn populations(&self) -> &[u64] {
        self.history.back().map_or(&[], |census| census.populations.as_slice())
    }
}

/// What the controls hold between frames: texts in the making.
#[derive(Default)]
pub(crate) struct UiState {
    pub(crate) panel: panel::Drafts,
    pub(crate) dialogs: dialogs::Drafts,
    pub(crate) board: board::Gesture,
}

/// What came of one pass.
pub(crate) struct Output {
    pub(crate) commands: Vec<Command>,
    /// Where the board is to be drawn, points.
    pub(crate) board: egui::Rect,
}

/// Everything in the window.
pub(crate) fn root_ui(ui: &mut egui::Ui, view: &View<'_>, state: &mut UiState) -> Output {
    let theme = Theme::new(view.dark);
    let mut commands = Vec::new();
    if view.panel_open {
        panel::panel_ui(ui, view, &theme, &mut state.panel, &mut commands);
    }
    status::status_ui(ui, view, &theme, &mut commands);
    transport::transport_ui(ui, view, &theme, &mut commands);
    let board = egui::CentralPanel::no_frame()
        .frame(egui::Frame::NONE)
        .show(ui, |ui| board::board_ui(ui, view, &theme, &mut state.board, &mut commands))
        .inner;
    dialogs::dialogs_ui(ui.ctx(), view, &theme, &mut state.dialogs, &mut commands);
    Output { commands, board }
}
