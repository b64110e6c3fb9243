//! The real terminal: taken on entering, left as it was on every way out.
//!
//! Ways out: the end of the program or an error ([`Screen`] is dropped), a panic on any thread (a panic hook, so
//! that its message is not lost with the alternate screen), SIGTERM, SIGHUP, SIGINT and SIGQUIT (a flag that the
//! loop looks at; a second one ends the program at once), suspension with Ctrl-Z.

use std::io::{self, Write as _};
use std::panic::{self, PanicHookInfo};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event::{self, Event};
use crossterm::terminal::{self, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute};

use super::Terminal;
use crate::engine::gpu::is_waiting;

/// Whether the terminal is ours at the moment. There is one terminal, so this is one for the program.
static HELD: AtomicBool = AtomicBool::new(false);

type Hook = dyn Fn(&PanicHookInfo<'_>) + Send + Sync + 'static;

/// The terminal while it is ours.
pub(crate) struct Screen {
    ended: Arc<AtomicBool>,
    hook: Arc<Hook>,
    #[cfg(unix)]
    signals: Vec<signal_hook::SigId>,
}

impl Screen {
    /// Takes the terminal: alternate screen, raw input, no cursor, no wrapping at the edge.
    pub(crate) fn enter() -> io::Result<Self> {
        let ended = Arc::new(AtomicBool::new(false));
        #[cfg(unix)]
        let signals = watch_signals(&ended)?;
        let hook: Arc<Hook> = Arc::from(panic::take_hook());
        let previous = Arc::clone(&hook);
        panic::set_hook(Box::new(move |info| {
            // What is caught ends nothing.
            if !is_waiting() {
                leave();
                previous(info);
            }
        }));
        let screen = Self {
            ended,
            hook,
            #[cfg(unix)]
            signals,
        };
        // From here on, dropping `screen` undoes it.
        take()?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
        #[cfg(unix)]
        for &signal in &self.signals {
            signal_hook::low_level::unregister(signal);
        }
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

/// Lets the signals that end a program set a flag instead.
#[cfg(unix)]
fn watch_signals(ended: &Arc<AtomicBool>) -> io::Result<Vec<signal_hook::SigId>> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    let mut signals = Vec::new();
    for signal in [SIGTERM, SIGHUP, SIGINT, SIGQUIT] {
        // In this order: the first signal only sets the flag, a second one finds it set.
        let status = 128 + signal;
        signals.push(signal_hook::flag::register_conditional_shutdown(signal, status, Arc::clone(ended))?);
        signals.push(signal_hook::flag::register(signal, Arc::clone(ended))?);
    }
    Ok(signals)
}

impl Terminal for Screen {
    fn size(&self) -> io::Result<(u16, u16)> {
        terminal::size()
    }

    fn next_event(&mut self, within: Duration) -> io::Result<Option<Event>> {
        if event::poll(within)? { event::read().map(Some) } else { Ok(None) }
    }

    fn write(&mut self, bytes: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(bytes.as_bytes())?;
        out.flush()
    }

    fn is_ended(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
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
