//! All that a person can ask of the window: one enum, from which buttons, shortcuts and the help are made.

use std::path::PathBuf;

use egui::{Key, KeyboardShortcut, Modifiers};
use egui_material_icons::MaterialIcon;
use egui_material_icons::icons as icon;

use crate::board::Topology;
use crate::cell::State;
use crate::rule::Rule;
use crate::rule::matrix::{Outcome, Situation};
use crate::session::{EngineChoice, MANY_AGES};

/// How many species have a density of their own in a soup; more share one.
pub(crate) const MOST_SLIDERS: usize = 8;

/// How fast the board is to run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Speed {
    /// Generations a second.
    PerSecond(f64),
    /// Generations a frame.
    PerFrame(u64),
    /// As many as there is time for.
    Fastest,
}

/// What the left mouse button does on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    /// Moves the view.
    Pan,
    /// Gives cells this state; [`crate::cell::DEAD`] erases.
    Draw(State),
}

/// A random board that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SoupOrder {
    /// On the unbounded plane the size of the soup; on a bounded board all of it is filled.
    pub(crate) size: (i64, i64),
    /// One a species.
    pub(crate) densities: Vec<f64>,
    pub(crate) seed: u64,
}

impl SoupOrder {
    /// Brings the densities to the species of a rule: new ones come in with a little. At first, where that is too much
    /// in all, or where there are too many to be told apart, they share evenly; of many ages only the first begins.
    pub(crate) fn fit(&mut self, rule: &Rule) {
        const SHARED: f64 = 0.36;
        let species = usize::from(rule.states()) - 1;
        let before = self.densities.len();
        if before == species {
            return;
        }
        self.densities.resize(species, 0.15);
        if before == 0 || before.max(species) > MOST_SLIDERS || self.densities.iter().sum::<f64>() > 1.0 {
            self.densities.fill(SHARED / species as f64);
            if rule.has_ageing_cells() && species > MANY_AGES {
                self.densities.fill(0.0);
                self.densities[0] = SHARED;
            }
        }
    }
}

/// Something to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Command {
    PlayPause,
    Step,
    Reset,
    Slower,
    Faster,
    ZoomIn,
    ZoomOut,
    Fit,
    ToggleFollow,
    ToggleGrid,
    ToggleMarks,
    TogglePanel,
    ToggleTheme,
    ShowOpen,
    ShowSave,
    ShowScreenshot,
    NewSoup,
    Clear,
    /// Back to the board before the last one.
    Undo,
    Verify,
    ToggleHelp,
    Quit,
    /// Stop what is being waited for; if that is nothing, put the pen away.
    Escape,
    SetTool(Tool),
    SetSpeed(Speed),
    SetRule(String),
    /// What becomes of a cell in a situation, painted in the matrix; whether its mirror image too.
    PaintMatrix {
        situation: Situation,
        outcome: Outcome,
        mirrored: bool,
    },
    UndoMatrix,
    /// The situation in the matrix below the pointer: cells in it are to be lit up.
    HoverSituation(Option<Situation>),
    SetTopology(Topology),
    SetEngine(EngineChoice),
    MakeSoup(SoupOrder),
    /// A shipped pattern, by its path.
    LoadShipped(String),
    OpenFile(PathBuf),
    SaveFile(PathBuf),
    SavePicture(PathBuf),
    /// Open the board that is left of another window, remove its file, or offer it again another time.
    OpenLeft,
    DiscardLeft,
    PutOffLeft,
    /// Ask the system for a file to open or to write.
    BrowseOpen,
    BrowseSave(PathBuf),
    /// Pixels of the viewport.
    Pan(f64, f64),
    ZoomAt((f64, f64), f64),
    /// A stroke with the present tool, from pixel to pixel of the viewport.
    Stroke((f64, f64), (f64, f64)),
    /// Where the pointer is, in pixels of the viewport.
    Hover(Option<(f64, f64)>),
}

/// How a command is shown and called by key.
pub(crate) struct Info {
    pub(crate) text: &'static str,
    pub(crate) tooltip: &'static str,
    pub(crate) icon: MaterialIcon,
    /// The first is shown; all work.
    pub(crate) shortcuts: &'static [KeyboardShortcut],
}

const fn key(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

/// The digit keys: each chooses the state of its number.
const DIGITS: [Key; 10] = [
    Key::Num0,
    Key::Num1,
    Key::Num2,
    Key::Num3,
    Key::Num4,
    Key::Num5,
    Key::Num6,
    Key::Num7,
    Key::Num8,
    Key::Num9,
];

impl Command {
    /// Every command with a key of its own, in the order of the help.
    pub(crate) const KEYED: [Self; 22] = [
        Self::PlayPause,
        Self::Step,
        Self::Reset,
        Self::Slower,
        Self::Faster,
        Self::ZoomIn,
        Self::ZoomOut,
        Self::Fit,
        Self::ToggleFollow,
        Self::ToggleGrid,
        Self::ToggleMarks,
        Self::NewSoup,
        Self::Clear,
        Self::Undo,
        Self::Verify,
        Self::ShowOpen,
        Self::ShowSave,
        Self::ShowScreenshot,
        Self::TogglePanel,
        Self::ToggleTheme,
        Self::ToggleHelp,
        Self::Quit,
    ];

    /// Words, icon and keys; `None` for commands that only controls give.
    pub(crate) const fn info(&self) -> Option<Info> {
        macro_rules! info {
            ($icon:ident, $text:literal, $tooltip:literal, $($shortcut:expr),*) => {
                Some(Info { text: $text, tooltip: $tooltip, icon: icon::$icon, shortcuts: const { &[$($shortcut),*] } })
            };
        }
        match self {
            Self::PlayPause => info!(
                ICON_PLAY_ARROW,
                "Play or pause",
                "Let the board run, or hold it",
                key(Key::Space),
                key(Key::Enter)
            ),
            Self::Step => {
                info!(ICON_SKIP_NEXT, "Step", "Go on by one generation", key(Key::Tab), key(Key::Period))
            }
            Self::Reset => info!(ICON_REPLAY, "Reset", "Go back to the start", key(Key::R)),
            Self::Slower => info!(
                ICON_REMOVE,
                "Slower",
                "Fewer generations a second",
                key(Key::OpenBracket),
                key(Key::Comma)
            ),
            Self::Faster => info!(ICON_ADD, "Faster", "More generations a second", key(Key::CloseBracket)),
            Self::ZoomIn => info!(
                ICON_ZOOM_IN,
                "Zoom in",
                "Larger cells; the mouse wheel zooms to the pointer",
                key(Key::Plus),
                key(Key::Equals)
            ),
            Self::ZoomOut => info!(ICON_ZOOM_OUT, "Zoom out", "Smaller cells", key(Key::Minus)),
            Self::Fit => info!(
                ICON_FIT_SCREEN,
                "Fit",
                "Show all life; once more, and the whole board is shown",
                key(Key::F)
            ),
            Self::ToggleFollow => info!(
                ICON_MY_LOCATION,
                "Follow",
                "Keep all life in view as it grows; moving or zooming by hand ends it",
                key(Key::T)
            ),
            Self::ToggleGrid => info!(
                ICON_GRID_4X4,
                "Grid lines",
                "Lines between cells, when they are large enough",
                key(Key::G)
            ),
            Self::ToggleMarks => info!(
                ICON_LENS_BLUR,
                "Births and deaths",
                "Mark what comes next: blue rings are births, red crosses deaths",
                key(Key::M)
            ),
            Self::NewSoup => {
                info!(ICON_CASINO, "New soup", "Fill the board at random with the next seed", key(Key::N))
            }
            Self::Clear => {
                info!(ICON_DELETE_SWEEP, "Clear", "Take all cells off the board", key(Key::Delete))
            }
            Self::Undo => info!(
                ICON_UNDO,
                "Undo",
                "Go back to the board before the last one; once more, and that one is back",
                ctrl(Key::Z)
            ),
            Self::Verify => info!(
                ICON_VERIFIED,
                "Verify",
                "Step the visible part on the oracle beside the engine, and compare",
                key(Key::V)
            ),
            Self::ShowOpen => info!(
                ICON_FOLDER_OPEN,
                "Open…",
                "Open a pattern file; dropping one on the window works too",
                ctrl(Key::O),
                key(Key::O)
            ),
            Self::ShowSave => info!(ICON_SAVE, "Save…", "Save the board as a pattern file", ctrl(Key::S)),
            Self::ShowScreenshot => info!(
                ICON_PHOTO_CAMERA,
                "Picture…",
                "Save what the window shows of the board as a PNG picture",
                ctrl(Key::P),
                key(Key::F12)
            ),
            Self::TogglePanel => info!(ICON_LEFT_PANEL_CLOSE, "Panel", "Show or hide the panel", key(Key::P)),
            Self::ToggleTheme => info!(
                ICON_CONTRAST,
                "Light or dark",
                "Change between the dark and the light look",
                key(Key::L)
            ),
            Self::ToggleHelp => {
                info!(ICON_HELP, "Help", "Keys and mouse", key(Key::F1), key(Key::H), key(Key::Questionmark))
            }
            Self::Quit => info!(ICON_CLOSE, "Quit", "Close the window", ctrl(Key::Q)),
            _ => None,
        }
    }

    /// The command that a pressed key calls, if any.
    pub(crate) fn of_key(pressed: Key, modifiers: Modifiers) -> Option<Self> {
        if modifiers.is_none() {
            if pressed == Key::Escape {
                return Some(Self::Escape);
            }
            if let Some(state) =
                (0..).zip(DIGITS).find_map(|(state, digit)| (digit == pressed).then_some(state))
            {
                return Some(Self::SetTool(Tool::Draw(state)));
            }
        }
        Self::KEYED.into_iter().find(|command| {
            command.info().is_some_and(|info| {
                info.shortcuts.iter().any(|shortcut| {
                    // On some keyboards plus and question mark need shift.
                    let shift_is_free = matches!(shortcut.logical_key, Key::Plus | Key::Questionmark);
                    let modifiers = Modifiers { shift: modifiers.shift && !shift_is_free, ..modifiers };
                    shortcut.logical_key == pressed && modifiers.matches_exact(shortcut.modifiers)
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_calls_one_command_and_every_keyed_command_has_words() {
        let mut seen = Vec::new();
        for command in Command::KEYED {
            let info = command.info().unwrap_or_else(|| panic!("{command:?} has no words"));
            for shortcut in info.shortcuts {
                assert!(!seen.contains(shortcut), "{command:?}: {shortcut:?} is taken");
                seen.push(*shortcut);
                assert_eq!(
                    Command::of_key(shortcut.logical_key, shortcut.modifiers),
                    Some(command.clone()),
                    "{shortcut:?}"
                );
            }
        }
        assert_eq!(
            Command::of_key(Key::Num2, Modifiers::NONE),
            Some(Command::SetTool(Tool::Draw(2))),
            "digit"
        );
        assert_eq!(Command::of_key(Key::S, Modifiers::NONE), None, "no command");
    }
}
