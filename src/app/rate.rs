//! How fast the board runs: a mean over about a second, in figures that can be read.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The time that the mean is over, at the least.
const SPAN: Duration = Duration::from_secs(1);
/// How often the figure changes.
const EVERY: Duration = Duration::from_millis(250);

/// Measures generations a second.
#[derive(Debug, Default)]
pub(super) struct RateMeter {
    /// Moments at which there was a new generation: those of the last second, and the one before.
    seen: VecDeque<(Instant, u64)>,
    shown: f64,
    shown_at: Option<Instant>,
}

impl RateMeter {
    /// Forgets what was: the board was held, or another one has come.
    pub(super) fn restart(&mut self) {
        *self = Self::default();
    }

    /// Notes the generation of this moment.
    pub(super) fn note(&mut self, now: Instant, generation: u64) {
        match self.seen.back() {
            Some((_, last)) if *last > generation => self.restart(),
            Some((_, last)) if *last == generation => return,
            _ => {}
        }
        self.seen.push_back((now, generation));
        while self.seen.get(1).is_some_and(|(at, _)| now.duration_since(*at) >= SPAN) {
            self.seen.pop_front();
        }
        // The first figure comes once it is of some use.
        let span = now.duration_since(self.seen[0].0);
        let due = match self.shown_at {
            None => span >= EVERY,
            Some(at) => now.duration_since(at) >= EVERY,
        };
        if due && !span.is_zero() {
            let rate = (generation - self.seen[0].1) as f64 / span.as_secs_f64();
            (self.shown, self.shown_at) = (three_digits(rate), Some(now));
        }
    }

    /// Generations a second; 0 while they are not known.
    pub(super) const fn shown(&self) -> f64 {
        self.shown
    }
}

/// Rounded to three digits: more would only flicker.
fn three_digits(value: f64) -> f64 {
    if value < 100.0 {
        return value;
    }
    let unit = 10f64.powf(value.log10().floor() - 2.0);
    (value / unit).round() * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is shown while a generation takes `every`, `leap` at once.
    fn shown(every: Duration, leap: u64, secs: f64) -> Vec<f64> {
        let (mut meter, begin) = (RateMeter::default(), Instant::now());
        let mut shown = Vec::new();
        for count in 0.. {
            let at = every * count;
            if at.as_secs_f64() > secs {
                break;
            }
            meter.note(begin + at, u64::from(count) * leap);
            shown.push(meter.shown());
        }
        shown
    }

    #[test]
    fn the_rate_is_a_mean_that_stands_still() {
        for (every, leap, rate) in [(16, 1, 62.5), (16, 30, 1880.0), (500, 1, 2.0), (3000, 1, 1.0 / 3.0)] {
            let seen = shown(Duration::from_millis(every), leap, 20.0);
            assert!((seen[0]).abs() < 1e-9, "nothing is known at first");
            for value in &seen[seen.len() / 2..] {
                assert!((value - rate).abs() < 1e-6, "{leap} every {every} ms: {value}, not {rate}");
            }
        }
    }

    #[test]
    fn a_restart_and_an_earlier_generation_forget_what_was() {
        let (mut meter, begin) = (RateMeter::default(), Instant::now());
        for count in 0..100u32 {
            meter.note(begin + Duration::from_millis(20) * count, u64::from(count));
        }
        assert!((meter.shown() - 50.0).abs() < 1e-6, "{}", meter.shown());
        meter.note(begin + Duration::from_secs(3), 5);
        assert!(meter.shown().abs() < 1e-9, "back at an earlier board");
    }
}
