//! Ctrl-C and SIGTERM: the first asks the work to end in good order, a second one ends the program at once.
//!
//! Known limit: elsewhere than on Unix they end the program as they always do.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::engine::Cancel;

/// The exit status of an interrupted program: 128 + SIGINT.
pub(super) const STATUS: u8 = 130;

/// Whether the program was asked to end. The signals are watched as long as this lives.
#[derive(Debug, Default)]
pub(super) struct Interrupt {
    asked: Arc<AtomicBool>,
    #[cfg(unix)]
    signals: Vec<signal_hook::SigId>,
}

impl Interrupt {
    /// Watches the signals from now on.
    #[cfg(unix)]
    pub(super) fn watch() -> io::Result<Self> {
        use signal_hook::consts::{SIGINT, SIGTERM};
        use signal_hook::flag;
        let mut interrupt = Self::default();
        for signal in [SIGINT, SIGTERM] {
            let asked = || Arc::clone(&interrupt.asked);
            // In this order: the first signal only sets the flag, a second one finds it set.
            let ids = [
                flag::register_conditional_shutdown(signal, STATUS.into(), asked())?,
                flag::register(signal, asked())?,
            ];
            interrupt.signals.extend(ids);
        }
        Ok(interrupt)
    }

    /// Watches nothing.
    #[cfg(not(unix))]
    pub(super) fn watch() -> io::Result<Self> {
        Ok(Self::default())
    }

    /// Whether the program was asked to end.
    pub(super) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// What makes an engine stop when it was.
    pub(super) fn cancel(&self) -> Cancel {
        Cancel::on(Arc::clone(&self.asked))
    }
}

#[cfg(unix)]
impl Drop for Interrupt {
    fn drop(&mut self) {
        for &signal in &self.signals {
            signal_hook::low_level::unregister(signal);
        }
    }
}
