//! Keys as people read them.

use egui::{Key, KeyboardShortcut};

/// How a shortcut is written: `Ctrl+S`, `Space`, `[`.
pub(super) fn shortcut(shortcut: KeyboardShortcut) -> String {
    let name = match shortcut.logical_key {
        Key::OpenBracket => "[",
        Key::CloseBracket => "]",
        Key::Plus => "+",
        Key::Minus => "−",
        Key::Equals => "=",
        Key::Comma => ",",
        Key::Period => ".",
        Key::Questionmark => "?",
        other => other.name(),
    };
    if shortcut.modifiers.command { format!("Ctrl+{name}") } else { name.to_owned() }
}
