//! What a key does, in one table: commands are looked up in it, and the help is made of it.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// What the user can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Run, or pause.
    PlayOrPause,
    /// One generation.
    Step,
    /// A little to the left.
    Left,
    /// A little down.
    Down,
    /// A little up.
    Up,
    /// A little to the right.
    Right,
    /// Half a screen to the left.
    FarLeft,
    /// Half a screen down.
    FarDown,
    /// Half a screen up.
    FarUp,
    /// Half a screen to the right.
    FarRight,
    /// Nearer.
    ZoomIn,
    /// Further out.
    ZoomOut,
    /// All that lives, or the whole bounded board.
    Fit,
    /// Twice as many generations a second.
    Faster,
    /// Half as many.
    Slower,
    /// Back to the first board.
    Reset,
    /// Show or hide the help.
    Help,
    /// Everything anew, for when something else wrote on the screen.
    Redraw,
    /// Stop the program for a while, as job control does.
    Suspend,
    /// Close the help, or end.
    Back,
    /// End.
    Quit,
}

/// A key, with or without control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Press {
    code: KeyCode,
    control: bool,
}

const fn key(code: KeyCode) -> Press {
    Press { code, control: false }
}

const fn typed(character: char) -> Press {
    key(KeyCode::Char(character))
}

const fn control(character: char) -> Press {
    Press { code: KeyCode::Char(character), control: true }
}

impl Press {
    /// How it is called in the help.
    fn name(self) -> String {
        let name = match self.code {
            KeyCode::Char(' ') => "space".to_owned(),
            KeyCode::Char(character) if self.control => character.to_ascii_uppercase().to_string(),
            KeyCode::Char(character) => character.to_string(),
            KeyCode::Left => "←".to_owned(),
            KeyCode::Right => "→".to_owned(),
            KeyCode::Up => "↑".to_owned(),
            KeyCode::Down => "↓".to_owned(),
            KeyCode::F(number) => format!("F{number}"),
            other => format!("{other:?}"),
        };
        if self.control { format!("Ctrl-{name}") } else { name }
    }
}

struct Binding {
    command: Command,
    keys: &'static [Press],
    /// For the help; neighbours with the same text share a line.
    about: &'static str,
    /// For the line of hints; empty when it is not among them.
    hint: &'static str,
}

const fn binding(
    command: Command,
    keys: &'static [Press],
    about: &'static str,
    hint: &'static str,
) -> Binding {
    Binding { command, keys, about, hint }
}

const PAN: &str = "pan";
const FAR: &str = "pan by half a screen";

/// Every key.
const BINDINGS: &[Binding] = &[
    binding(Command::PlayOrPause, &[typed(' '), key(KeyCode::Enter)], "run or pause", "run/pause"),
    binding(Command::Step, &[key(KeyCode::Tab), typed('n')], "one generation", "step"),
    binding(Command::Faster, &[typed('>'), typed(']'), typed('.')], "faster", "faster"),
    binding(Command::Slower, &[typed('<'), typed('['), typed(',')], "slower", ""),
    binding(Command::Reset, &[typed('r')], "back to the start", ""),
    binding(Command::Left, &[key(KeyCode::Left), typed('h')], PAN, ""),
    binding(Command::Down, &[key(KeyCode::Down), typed('j')], PAN, ""),
    binding(Command::Up, &[key(KeyCode::Up), typed('k')], PAN, ""),
    binding(Command::Right, &[key(KeyCode::Right), typed('l')], PAN, ""),
    binding(Command::FarLeft, &[typed('H')], FAR, ""),
    binding(Command::FarDown, &[typed('J'), key(KeyCode::PageDown)], FAR, ""),
    binding(Command::FarUp, &[typed('K'), key(KeyCode::PageUp)], FAR, ""),
    binding(Command::FarRight, &[typed('L')], FAR, ""),
    binding(Command::ZoomIn, &[typed('+'), typed('=')], "zoom in", "zoom in"),
    binding(Command::ZoomOut, &[typed('-'), typed('_')], "zoom out", "out"),
    binding(Command::Fit, &[typed('f'), key(KeyCode::Home)], "show all", "show all"),
    binding(Command::Help, &[typed('?'), key(KeyCode::F(1))], "this help", "help"),
    binding(Command::Redraw, &[control('l')], "draw the screen anew", ""),
    binding(Command::Suspend, &[control('z')], "suspend", ""),
    binding(Command::Quit, &[typed('q'), control('c')], "quit", "quit"),
    binding(Command::Back, &[key(KeyCode::Esc)], "quit", ""),
];

/// What a key asks for; `None` for keys without a meaning and for releases.
pub(crate) fn command(event: KeyEvent) -> Option<Command> {
    if event.kind == KeyEventKind::Release || event.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    // Whether shift was held is in the character already, and terminals differ in reporting it.
    let press = Press { code: event.code, control: event.modifiers.contains(KeyModifiers::CONTROL) };
    BINDINGS.iter().find(|binding| binding.keys.contains(&press)).map(|binding| binding.command)
}

/// The help, as (keys, meaning), a line each.
pub(crate) fn help() -> Vec<(String, &'static str)> {
    let mut lines: Vec<(String, &'static str)> = Vec::new();
    for binding in BINDINGS {
        let names: Vec<String> = binding.keys.iter().map(|press| press.name()).collect();
        let names = names.join(" ");
        match lines.last_mut() {
            Some((keys, about)) if *about == binding.about => {
                keys.push(' ');
                keys.push_str(&names);
            }
            _ => lines.push((names, binding.about)),
        }
    }
    lines
}

/// The most useful keys, as (key, word).
pub(crate) fn hints() -> impl Iterator<Item = (String, &'static str)> {
    BINDINGS
        .iter()
        .filter(|binding| !binding.hint.is_empty())
        .map(|binding| (binding.keys.first().map_or_else(String::new, |press| press.name()), binding.hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_means_two_things() {
        let all: Vec<Press> = BINDINGS.iter().flat_map(|binding| binding.keys).copied().collect();
        for (index, press) in all.iter().enumerate() {
            assert!(!all[..index].contains(press), "{} is bound once", press.name());
        }
    }

    #[test]
    fn keys_of_the_field_are_understood_with_or_without_shift() {
        let plain = |code| KeyEvent::new(code, KeyModifiers::NONE);
        let shift = |code| KeyEvent::new(code, KeyModifiers::SHIFT);
        for (event, expected) in [
            (plain(KeyCode::Char(' ')), Some(Command::PlayOrPause)),
            (plain(KeyCode::Enter), Some(Command::PlayOrPause)),
            (plain(KeyCode::Tab), Some(Command::Step)),
            (shift(KeyCode::Char('+')), Some(Command::ZoomIn)),
            (plain(KeyCode::Char('>')), Some(Command::Faster)),
            (shift(KeyCode::Char('L')), Some(Command::FarRight)),
            (plain(KeyCode::Char('l')), Some(Command::Right)),
            (KeyEvent::new(KeyCode::Char('l'), KeyModifiers::CONTROL), Some(Command::Redraw)),
            (KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Command::Quit)),
            (plain(KeyCode::Char('c')), None),
            (KeyEvent::new(KeyCode::Char('q'), KeyModifiers::ALT), None),
            (KeyEvent::new_with_kind(KeyCode::Char('q'), KeyModifiers::NONE, KeyEventKind::Release), None),
        ] {
            assert_eq!(command(event), expected, "{event:?}");
        }
    }

    #[test]
    fn the_help_names_every_key_once_and_joins_the_arrows() {
        let lines = help();
        let pan = lines.iter().find(|(_, about)| *about == PAN).expect("panning is explained");
        assert_eq!(pan.0, "← h ↓ j ↑ k → l", "all four ways in one line");
        let named: usize = lines.iter().map(|(keys, _)| keys.split(' ').count()).sum();
        let bound: usize = BINDINGS.iter().map(|binding| binding.keys.len()).sum();
        assert_eq!(named, bound, "every key is named");
        assert!(hints().any(|(key, word)| (key.as_str(), word) == ("q", "quit")), "how to get out");
    }
}
