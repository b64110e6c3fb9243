//! The window: a board drawn from the GPU's textures, a panel, a transport bar.
//!
//! ```text
//! winit events -> egui -> ui (View -> commands) -> logic (Model) -> renderer
//! ```
//!
//! `ui` and `logic` need neither a window nor a GPU.

mod camera;
mod command;
mod logic;
mod picture;
mod renderer;
mod theme;
mod ui;
mod window;

use std::path::{Path, PathBuf};

pub use renderer::ViewUniform;
pub use window::NoWindow;

use crate::session::{DEMO, EngineChoice, Source};

/// What the window is to open with.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A pattern file or the name of a shipped one; the demo board when there is none.
    pub pattern: Option<PathBuf>,
    /// The rule to use instead of the pattern's.
    pub rule: Option<String>,
    /// The seed of coins.
    pub seed: u64,
    /// The engine.
    pub engine: EngineChoice,
}

/// Opens the window and stays until it is closed.
///
/// Errors with [`NoWindow`] when there is no display, and with what is wrong when the pattern or the rule can't be
/// opened.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let path = options.pattern.as_deref().unwrap_or(Path::new(DEMO));
    let title = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let source = Source::open(path).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
    let (title, about) = match &source {
        Source::Pattern(pattern) => (pattern.name.clone().unwrap_or(title), pattern.comments.join("\n")),
        _ => (title, String::new()),
    };
    let (session, notes) = source.session(options.rule.as_deref(), options.seed, options.engine)?;
    let mut model = logic::Model::new(session, title, about, notes);
    // The demo is alive at once; a pattern waits to be looked at first.
    model.set_playing(options.pattern.is_none());
    window::run(model)
}
