//! Numbers and keys as people read them.

use egui::{Key, KeyboardShortcut};

/// `1 234 567`, with thin spaces (U+2009) between thousands.
pub(super) fn thousands(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    text
}

/// A rate to three figures at most: `7.5`, `120`, `34 500`.
pub(super) fn rate(value: f64) -> String {
    if value < 10.0 {
        return format!("{value:.1}");
    }
    #[expect(clippy::cast_possible_truncation, reason = "saturates")]
    let whole = value.round() as u64;
    thousands(whole)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_thin_spaces_between_thousands() {
        for (value, text) in
            [(0, "0"), (999, "999"), (1000, "1\u{2009}000"), (12_345_678, "12\u{2009}345\u{2009}678")]
        {
            assert_eq!(thousands(value), text, "{value}");
        }
        assert_eq!(rate(7.46), "7.5", "a small rate");
    }
}
