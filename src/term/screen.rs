//! The real terminal: taken on entering, left as it was on every way out.
//!
//! Ways out: the end of the program or an error ([`Screen`] is dropped), a panic on any thread (a panic hook, so
//! that its message is not lost with the alternate screen), SIGTERM, SIGHUP, SIGINT and SIGQUIT (a flag that the
//! loop looks at; a second one ends the program at once), a terminal that is gone, suspension with Ctrl-Z.

use std::io::{self, IsTerminal as _, Write as _};
use std::panic::{self, PanicHookInfo};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use crossterm::event::{self, Event};
use crossterm::terminal::{self, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute};

use super::Terminal;
use crate::engine::gpu::is_waiting;
use crate::signals::{Ending, Signal};

/// Whether the terminal is ours at the moment. There is one terminal, so this is one for the program.
static HELD: AtomicBool = AtomicBool::new(false);

type Hook = dyn Fn(&PanicHookInfo<'_>) + Send + Sync + 'static;

/// The terminal while it is ours.
pub(crate) struct Screen {
    ending: Ending,
    hook: Arc<Hook>,
    events: Receiver<io::Result<Event>>,
}

impl Screen {
    /// Takes the terminal: alternate screen, raw input, no cursor, no wrapping at the edge.
    pub(crate) fn enter() -> io::Result<Self> {
        let ending = Ending::watch(&[Signal::Interrupt, Signal::Terminate, Signal::Quit, Signal::HangUp]);
        let hook: Arc<Hook> = Arc::from(panic::take_hook());
        let previous = Arc::clone(&hook);
        panic::set_hook(Box::new(move |info| {
            // What is caught ends nothing.
            if !is_waiting() {
                leave();
                previous(info);
            }
        }));
        let (sender, events) = mpsc::channel();
        let screen = Self { ending, hook, events };
        // From here on, dropping `screen` undoes it.
        take()?;
        std::thread::Builder::new().name("keys".to_owned()).spawn(move || listen(&sender))?;
        Ok(screen)
    }
}

impl Screen {
    /// Whether there is no terminal any more: its window was closed, the connection broke.
    pub(crate) fn is_gone() -> bool {
        !io::stdin().is_terminal()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
        // A panicking thread must not touch the hook.
        if !std::thread::panicking() {
            let previous = Arc::clone(&self.hook);
            panic::set_hook(Box::new(move |info| previous(info)));
        }
    }
}

/// Takes the terminal.
fn take() -> io::Result<()> {
    HELD.store(true, Ordering::SeqCst);
    terminal::enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, cursor::Hide, terminal::DisableLineWrap)
}

/// Gives the terminal back, once. Errors have nowhere to go: the terminal is gone then.
fn leave() {
    if HELD.swap(false, Ordering::SeqCst) {
        let mut out = io::stdout();
        let written = out
            .write_all(b"\x1b[?2026l\x1b[0m")
            .and_then(|()| execute!(out, terminal::EnableLineWrap, LeaveAlternateScreen, cursor::Show));
        let cooked = terminal::disable_raw_mode();
        if let Err(error) = written.and(cooked) {
            log::warn!("the terminal could not be given back: {error}");
        }
    }
}

/// Hands on what the user does, as long as someone wants to know.
///
/// On a thread of its own: crossterm never comes back from a terminal that is closed while it reads, but tries again and
/// again. The loop sees to it that the program ends, and this with it.
fn listen(events: &mpsc::Sender<io::Result<Event>>) {
    loop {
        let event = event::read();
        let failed = event.is_err();
        if events.send(event).is_err() || failed {
            break;
        }
    }
}

impl Terminal for Screen {
    fn size(&self) -> io::Result<(u16, u16)> {
        terminal::size()
    }

    fn next_event(&mut self, within: Duration) -> io::Result<Option<Event>> {
        match self.events.recv_timeout(within) {
            Ok(event) => event.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    fn write(&mut self, bytes: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(bytes.as_bytes())?;
        out.flush()
    }

    fn is_ended(&self) -> bool {
        self.ending.is_asked() || Self::is_gone()
    }

    fn is_lost(&self) -> bool {
        !HELD.load(Ordering::SeqCst)
    }

    #[cfg(unix)]
    fn suspend(&mut self) -> io::Result<()> {
        leave();
        signal_hook::low_level::raise(signal_hook::consts::SIGTSTP)?;
        // It goes on here when the shell says so.
        take()
    }

    #[cfg(not(unix))]
    fn suspend(&mut self) -> io::Result<()> {
        Ok(())
    }
}
