//! Ctrl-C, SIGTERM and their like: what ends the program ends it without leaving unfinished files behind, and work that
//! wants to end in good order is asked to.
//!
//! One thread waits for the signals. Where nobody watches them, it has the program tidy up and then die by the signal, as
//! it would have. While an [`Ending`] lives, the first signal only sets its flag, and a second one ends the program as
//! above. SIGHUP never counts as a second one: the terminal that closes sends it, and so does the shell in it.
//!
//! Known limit: elsewhere than on Unix the signals end the program as they always do.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A signal that ends a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// What `kill` sends, and a system that shuts down.
    Terminate,
    /// Ctrl-\.
    Quit,
    /// The terminal is closed.
    HangUp,
}

/// Who is asked to end in good order; `None` when nobody is.
static WATCHING: Mutex<Option<Watching>> = Mutex::new(None);

struct Watching {
    signals: &'static [Signal],
    asked: Arc<AtomicBool>,
    /// Wakes whoever waits for something else meanwhile.
    wake: Box<dyn Fn() + Send>,
    /// Whether a signal came that a second one is to be told from.
    insisted: bool,
}

/// Whether the program was asked to end. While this lives, it ends in good order.
#[derive(Debug)]
pub struct Ending(Arc<AtomicBool>);

impl Ending {
    /// Watches `signals` from now on, in place of whoever did.
    pub fn watch(signals: &'static [Signal]) -> Self {
        Self::watch_and_wake(signals, || {})
    }

    /// [`Self::watch`], and `wake` is called, on another thread, whenever one of them comes.
    pub fn watch_and_wake(signals: &'static [Signal], wake: impl Fn() + Send + 'static) -> Self {
        let asked = Arc::new(AtomicBool::new(false));
        let wake = Box::new(wake);
        set_watching(Some(Watching { signals, asked: Arc::clone(&asked), wake, insisted: false }));
        Self(asked)
    }

    /// Whether the program was asked to end.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// What is set when it is.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        set_watching(None);
    }
}

fn set_watching(watching: Option<Watching>) {
    *WATCHING.lock().unwrap_or_else(PoisonError::into_inner) = watching;
}

/// Asks whoever watches to end. False when nobody does so, or was asked before: the program is to end at once.
#[cfg(unix)]
fn ask(signal: Signal) -> bool {
    let mut watching = WATCHING.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(watching) = watching.as_mut().filter(|watching| watching.signals.contains(&signal)) else {
        return false;
    };
    watching.asked.store(true, Ordering::SeqCst);
    (watching.wake)();
    signal == Signal::HangUp || !std::mem::replace(&mut watching.insisted, true)
}

/// Waits for signals from now on; `tidy_up` is called before one of them ends the program.
///
/// Errors when the thread that waits can't be started.
#[cfg(unix)]
pub fn start(tidy_up: impl Fn() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    let mut known = vec![
        (SIGINT, Signal::Interrupt),
        (SIGTERM, Signal::Terminate),
        (SIGQUIT, Signal::Quit),
        (SIGHUP, Signal::HangUp),
    ];
    if is_ignored(SIGHUP) {
        // By `nohup`: whoever started the program wants it to go on.
        known.pop();
    }
    let mut signals = signal_hook::iterator::Signals::new(known.iter().map(|(number, _)| number))?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for number in signals.forever() {
            let asked = known.iter().any(|&(other, signal)| other == number && ask(signal));
            if !asked {
                tidy_up();
                // Does not come back.
                drop(signal_hook::low_level::emulate_default_handler(number));
            }
        }
    })?;
    Ok(())
}

/// Waits for nothing.
#[cfg(not(unix))]
pub fn start(_tidy_up: impl Fn() + Send + 'static) -> io::Result<()> {
    Ok(())
}

/// Whether a signal is ignored at present.
#[cfg(unix)]
fn is_ignored(number: libc::c_int) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    #[expect(
        unsafe_code,
        reason = "there is no other way to ask: nothing is set, and what is read was filled"
    )]
    unsafe {
        libc::sigaction(number, std::ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_first_signal_asks_and_the_second_ends_but_for_a_hang_up() {
        let ending = Ending::watch(&[Signal::Interrupt, Signal::Terminate, Signal::HangUp]);
        assert!(!ask(Signal::Quit) && !ending.is_asked(), "not watched: it ends the program");
        assert!(ask(Signal::HangUp) && ending.is_asked(), "the terminal");
        assert!(ask(Signal::HangUp), "and the shell in it");
        assert!(ask(Signal::Terminate), "the first that insists");
        assert!(!ask(Signal::Interrupt), "the second");
        assert!(ask(Signal::HangUp), "never counted");
        drop(ending);
        assert!(!ask(Signal::Interrupt) && !ask(Signal::HangUp), "nobody watches any more");
    }
}
