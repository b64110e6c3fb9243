//! The terminal face: plays the visible part of a session's board as text, and what Biota does where there is no
//! terminal either.
//!
//! ```text
//! events --keys--> Command --player--> session, viewport
//!                                  \-> cells --view--> Picture --paint--> bytes that changed --screen--> terminal
//! ```
//!
//! Everything but `screen` works without a terminal and is tested so; the loop itself is driven through the trait
//! `Terminal` by a test.
//! Known limits: no mouse (so text can be selected as ever); symbols are taken to be one column wide, which
//! terminals with East Asian settings may see otherwise.

mod headless;
mod keys;
mod paint;
mod picture;
mod player;
mod screen;
mod status;
mod view;

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use crossterm::event::Event;

pub use headless::{PICTURE, display_available, fallback};

use crate::cell::State;
use crate::session::Session;
use keys::Command;
use paint::{Depth, Paint, changes};
use picture::Picture;
use player::Player;
use screen::Screen;

/// The longest piece of work between two looks at the keyboard.
const SLICE: Duration = Duration::from_millis(25);
/// The longest wait for a key: signals are looked at in between.
const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// How a session is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermOptions {
    /// Pictures a second at the most, 1 to 1000; fewer where drawing takes longer.
    pub frames_per_second: u32,
    /// Generations from one picture to the next, 1 or more; fewer where they take longer.
    pub generations_per_frame: u64,
    /// Whether it runs from the start.
    pub playing: bool,
    /// Remarks on the board, shown until the first key.
    pub notes: Vec<String>,
}

impl Default for TermOptions {
    /// 20 pictures a second, a generation each, running.
    fn default() -> Self {
        Self { frames_per_second: 20, generations_per_frame: 1, playing: true, notes: Vec::new() }
    }
}

/// Plays a session in the terminal until the user ends it; the terminal is left as it was, whatever happens.
///
/// Errors when standard output is no terminal (or one that can't place its cursor), or when terminal or engine fail.
pub fn run(session: Session, options: &TermOptions) -> anyhow::Result<()> {
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        bail!("`biota term` needs a terminal to play in; `biota run` works without one");
    }
    if std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        bail!("this terminal (TERM=dumb) can't place its cursor; `biota run` works without that");
    }
    let depth = Depth::from_environment(|name| std::env::var(name).ok());
    let mut screen = Screen::enter().context("the terminal can't be used")?;
    match play(session, options, &mut screen, depth) {
        // Writing to it fails before the loop sees why; nobody is left to be told.
        Err(_) if Screen::is_gone() => Ok(()),
        outcome => outcome,
    }
}

/// What the loop needs of a terminal.
trait Terminal {
    /// Columns and rows.
    fn size(&self) -> io::Result<(u16, u16)>;

    /// What the user does, waiting so long for it.
    fn next_event(&mut self, within: Duration) -> io::Result<Option<Event>>;

    /// Sends text and escape sequences.
    fn write(&mut self, bytes: &str) -> io::Result<()>;

    /// Whether the program was asked to end.
    fn is_ended(&self) -> bool;

    /// Whether the terminal was given back in between, by a panic on another thread.
    fn is_lost(&self) -> bool {
        false
    }

    /// Gives the terminal back and stops the program until it is told to go on.
    fn suspend(&mut self) -> io::Result<()>;
}

/// The loop: keys, work and pictures in turn.
fn play(
    session: Session,
    options: &TermOptions,
    terminal: &mut impl Terminal,
    depth: Depth,
) -> anyhow::Result<()> {
    let (columns, rows) = terminal.size()?;
    let rule = session.rule();
    let living = (1..=State::MAX).take_while(|state| u16::from(*state) < rule.states());
    let paint = Paint::new(depth, living.map(|state| rule.colour_on(true, state)));
    let mut player = Player::new(session, options, columns.into(), rows.into())?;
    let mut shown: Option<Picture> = None;
    let mut urgent = true;
    let mut frame_due = Instant::now();
    while !player.is_done() && !terminal.is_ended() {
        if terminal.is_lost() {
            bail!("a part of the program failed");
        }
        let now = Instant::now();
        let is_due = now >= frame_due;
        if is_due {
            player.begin_frame();
            frame_due = (frame_due + player.frame()).max(now);
        }
        if urgent || (is_due && player.needs_drawing()) {
            let picture = player.draw(depth != Depth::Monochrome)?;
            let bytes = changes(shown.as_ref(), &picture, &paint);
            if !bytes.is_empty() {
                terminal.write(&bytes)?;
            }
            (shown, urgent) = (Some(picture), false);
            // Where drawing is slow, at most half of the time goes into it.
            let drawn = Instant::now();
            frame_due = frame_due.max(drawn + (drawn - now));
        }
        player.work(frame_due.min(Instant::now() + SLICE));
        let mut wait = if player.has_work() {
            Duration::ZERO
        } else {
            frame_due.saturating_duration_since(Instant::now()).min(LONGEST_WAIT)
        };
        // All that has been typed meanwhile, then a picture at once.
        while let Some(event) = terminal.next_event(wait)? {
            wait = Duration::ZERO;
            match event {
                Event::Key(key) => {
                    let Some(command) = keys::command(key) else { continue };
                    if command == Command::Suspend {
                        terminal.suspend()?;
                    }
                    if matches!(command, Command::Suspend | Command::Redraw) {
                        shown = None;
                    }
                    player.apply(command)?;
                    urgent = true;
                }
                Event::Resize(..) => {
                    // Several may have come; the size that counts is the present one.
                    let (columns, rows) = terminal.size()?;
                    player.resize(columns.into(), rows.into());
                    (shown, urgent) = (None, true);
                }
                _ => {}
            }
            if player.is_done() {
                break;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineKind;
    use crate::session::{EngineChoice, Source};
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    use std::collections::VecDeque;

    /// A terminal whose user types what is written down, one thing after each picture or wait.
    struct Scripted {
        size: (u16, u16),
        script: VecDeque<Act>,
        written: Vec<String>,
        suspended: usize,
        ended: bool,
    }

    enum Act {
        Type(KeyCode),
        Control(char),
        Resize(u16, u16),
        Wait(Duration),
        Terminate,
    }

    impl Scripted {
        fn new(script: impl IntoIterator<Item = Act>) -> Self {
            Self {
                size: (60, 16),
                script: script.into_iter().collect(),
                written: Vec::new(),
                suspended: 0,
                ended: false,
            }
        }
    }

    impl Terminal for Scripted {
        fn size(&self) -> io::Result<(u16, u16)> {
            Ok(self.size)
        }

        fn next_event(&mut self, within: Duration) -> io::Result<Option<Event>> {
            // One event a round, so that each gets its own picture.
            if within.is_zero() {
                return Ok(None);
            }
            let key = |code, modifiers| Ok(Some(Event::Key(KeyEvent::new(code, modifiers))));
            match self.script.pop_front() {
                Some(Act::Type(code)) => key(code, KeyModifiers::NONE),
                Some(Act::Control(character)) => key(KeyCode::Char(character), KeyModifiers::CONTROL),
                Some(Act::Resize(columns, rows)) => {
                    self.size = (columns, rows);
                    Ok(Some(Event::Resize(columns, rows)))
                }
                Some(Act::Wait(time)) => {
                    std::thread::sleep(within.min(time));
                    if let Some(rest) = time.checked_sub(within) {
                        self.script.push_front(Act::Wait(rest));
                    }
                    Ok(None)
                }
                Some(Act::Terminate) => {
                    self.ended = true;
                    Ok(None)
                }
                None => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the script is over")),
            }
        }

        fn write(&mut self, bytes: &str) -> io::Result<()> {
            self.written.push(bytes.to_owned());
            Ok(())
        }

        fn is_ended(&self) -> bool {
            self.ended
        }

        fn suspend(&mut self) -> io::Result<()> {
            self.suspended += 1;
            Ok(())
        }
    }

    fn session() -> Session {
        let source = Source::Soup { width: 50, height: 20, densities: vec![0.4] };
        let (session, _) = source
            .session(Some("P2Life:T50,20"), 1, EngineChoice::Fixed(EngineKind::Oracle))
            .expect("a session");
        session
    }

    #[test]
    fn keys_move_the_loop_and_q_ends_it() {
        let mut terminal = Scripted::new([
            Act::Wait(Duration::from_millis(200)),
            Act::Type(KeyCode::Char(' ')),
            Act::Type(KeyCode::Tab),
            Act::Resize(30, 8),
            Act::Control('z'),
            Act::Type(KeyCode::Char('?')),
            Act::Type(KeyCode::Char('q')),
        ]);
        play(session(), &TermOptions::default(), &mut terminal, Depth::True).expect("a good end");
        assert!(terminal.script.is_empty(), "everything was typed");
        assert_eq!(terminal.suspended, 1, "stopped once");
        let screens = &terminal.written;
        assert!(screens.len() >= 7, "{} pictures: running and one for each key", screens.len());
        assert!(screens[0].contains("P2Life"), "the first one tells the rule");
        assert!(screens[1..].iter().any(|bytes| bytes.len() < screens[0].len() / 2), "later ones are short");
        assert!(
            screens.iter().all(|bytes| bytes.starts_with("\x1b[?2026h") && bytes.ends_with("\x1b[?2026l")),
            "each in one update"
        );
    }

    #[test]
    fn a_signal_ends_the_loop_and_ctrl_c_too() {
        for last in [Act::Terminate, Act::Control('c')] {
            let mut terminal = Scripted::new([last]);
            play(session(), &TermOptions::default(), &mut terminal, Depth::Monochrome).expect("a good end");
        }
    }

    #[test]
    fn a_terminal_that_fails_ends_it_with_an_error() {
        let error = play(session(), &TermOptions::default(), &mut Scripted::new([]), Depth::Sixteen)
            .expect_err("the script is over");
        assert!(error.to_string().contains("the script is over"), "{error}");
    }
}
