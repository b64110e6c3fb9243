//! How far a long piece of work is, and whether it is still wanted: shared between who works and who waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Counts work done of work in all, in whatever unit the worker chooses. Clones share the counts.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    done: AtomicU64,
    total: AtomicU64,
    cancelled: AtomicBool,
}

impl Progress {
    /// Sets how much there is to do; 0 where nobody knows.
    pub fn set_total(&self, total: u64) {
        self.0.total.store(total, Ordering::Relaxed);
    }

    /// Notes that `more` was done.
    pub fn advance(&self, more: u64) {
        self.0.done.fetch_add(more, Ordering::Relaxed);
    }

    /// The part that is done, 0 to 1; `None` where nobody knows.
    pub fn share(&self) -> Option<f64> {
        let total = self.0.total.load(Ordering::Relaxed);
        (total > 0).then(|| (self.0.done.load(Ordering::Relaxed) as f64 / total as f64).min(1.0))
    }

    /// Asks the worker to stop.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the worker was asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_what_was_done() {
        let waiter = Progress::default();
        let worker = waiter.clone();
        assert_eq!(waiter.share(), None, "nobody knows yet");
        worker.set_total(8);
        worker.advance(2);
        assert_eq!((waiter.share(), worker.is_cancelled()), (Some(0.25), false), "a quarter");
        waiter.cancel();
        worker.advance(100);
        assert_eq!((waiter.share(), worker.is_cancelled()), (Some(1.0), true), "never more than all");
    }
}
