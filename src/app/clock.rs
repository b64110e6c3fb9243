//! The time that the window's logic goes by, and when the work of a frame stops: by the machine's time, or as a test says.
//!
//! Tests move the time on themselves, so that what they find does not depend on how fast the machine is.

#[cfg(test)]
use std::time::Duration;
use std::time::Instant;

use crate::engine::Cancel;

/// Tells the time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Clock {
    /// The machine's.
    #[default]
    Real,
    /// A test's: it stands still until it is moved on.
    #[cfg(test)]
    Driven {
        /// What time it is.
        now: Instant,
        /// Whether all work of a frame is cut as short as can be; else it is done whole.
        is_hurried: bool,
    },
}

impl Clock {
    /// What time it is.
    pub(crate) fn now(self) -> Instant {
        match self {
            Self::Real => Instant::now(),
            #[cfg(test)]
            Self::Driven { now, .. } => now,
        }
    }

    /// Stops work at this moment.
    pub(crate) fn until(self, moment: Instant) -> Cancel {
        match self {
            Self::Real => Cancel::at(moment),
            #[cfg(test)]
            Self::Driven { is_hurried: true, .. } => Cancel::at(Instant::now()),
            #[cfg(test)]
            Self::Driven { .. } => Cancel::never(),
        }
    }
}

#[cfg(test)]
impl Clock {
    /// From one frame to the next.
    const FRAME: Duration = Duration::from_millis(16);

    /// A clock that tests drive.
    pub(crate) fn driven() -> Self {
        Self::Driven { now: Instant::now(), is_hurried: false }
    }

    /// Lets the time of a frame go by.
    pub(crate) fn next_frame(&mut self) {
        if let Self::Driven { now, .. } = self {
            *now += Self::FRAME;
        }
    }

    /// Cuts all work of a frame short from now on, or lets it be done whole again.
    pub(crate) fn hurry(&mut self, hurried: bool) {
        if let Self::Driven { is_hurried, .. } = self {
            *is_hurried = hurried;
        }
    }
}
