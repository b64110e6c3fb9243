//! The window: a board drawn from the GPU's textures, a panel, a transport bar.
//!
//! ```text
//! winit events -> egui -> ui (View -> commands) -> logic (Model) -> renderer
//! ```
//!
//! `ui` and `logic` need neither a window nor a GPU.

mod camera;
mod clock;
mod command;
mod distant;
mod feed;
mod job;
mod kept;
mod logic;
mod picture;
mod rate;
mod recovery;
mod renderer;
mod theme;
mod ui;
mod window;

pub use distant::PlacementUniform;
pub use picture::{Pixels, Shot};
pub use renderer::ViewUniform;
pub use window::NoWindow;

use crate::session::Session;

/// What is said of the board that the window opens with.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// What the board is called.
    pub title: String,
    /// What is said of it; may have several lines.
    pub about: String,
    /// Remarks on how it was opened.
    pub notes: Vec<String>,
    /// Whether it runs at once.
    pub playing: bool,
}

/// How the window ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The user closed it.
    Closed,
    /// A signal asked for it; what became of the board, in words.
    Interrupted(String),
}

/// Opens the window on a session and stays until it is closed. Boards that are left of windows that were not are offered.
///
/// Errors with [`NoWindow`] when there is no display, and with an
/// [`EngineError`](crate::engine::EngineError) when there is no GPU adapter to draw with. When the display goes away
/// later, the board is saved, and the error says where; with X11 the program ends in here then.
pub fn run(session: Session, opening: Opening) -> anyhow::Result<Ending> {
    let mut model = logic::Model::new(session, opening.title, opening.about, opening.notes);
    model.set_playing(opening.playing);
    model.left = recovery::folder().map(|folder| recovery::left(&folder)).unwrap_or_default();
    window::run(model)
}
