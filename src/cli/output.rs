//! The one place for what is printed: results to stdout, notes to stderr, progress to stderr on a terminal only.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::time::{Duration, Instant};

use serde::Serialize;

/// Columns when the output is no terminal.
const COLUMNS: u16 = 80;
/// How often progress is shown anew.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// Standard output, to be flushed by whoever is done with it.
pub(super) fn stdout() -> BufWriter<Stdout> {
    BufWriter::new(io::stdout())
}

/// Prints `value` as JSON, on one line.
pub(super) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut out = stdout();
    serde_json::to_writer(&mut out, value).map_err(io::Error::from)?;
    writeln!(out)?;
    out.flush()?;
    Ok(())
}

/// Prints `values` as a JSON array, one of them a line.
pub(super) fn print_json_array(values: &[impl Serialize]) -> anyhow::Result<()> {
    let mut out = stdout();
    write!(out, "[")?;
    for (index, value) in values.iter().enumerate() {
        write!(out, "{}\n  ", if index > 0 { "," } else { "" })?;
        serde_json::to_writer(&mut out, value).map_err(io::Error::from)?;
    }
    writeln!(out, "{}]", if values.is_empty() { "" } else { "\n" })?;
    out.flush()?;
    Ok(())
}

/// Says what the user should know beside the result.
pub(super) fn note(text: &str) {
    // A note that can't be shown is no reason to stop.
    drop(writeln!(io::stderr(), "note: {text}"));
}

/// How many columns there are to print to.
pub(super) fn columns() -> usize {
    let terminal = io::stdout().is_terminal().then(crossterm::terminal::size);
    let columns = terminal.and_then(Result::ok).map_or(COLUMNS, |(columns, _)| columns);
    usize::from(columns.max(1))
}

/// A line on a terminal that says how far the work is, and goes when the work is done.
pub(super) struct Progress {
    is_on: bool,
    shown: bool,
    last: Instant,
}

impl Progress {
    /// Nothing is shown before the first interval has passed.
    pub(super) fn new() -> Self {
        Self { is_on: io::stderr().is_terminal(), shown: false, last: Instant::now() }
    }

    /// Whether anyone looks.
    pub(super) const fn is_on(&self) -> bool {
        self.is_on
    }

    /// Whether it is time to show something.
    pub(super) fn is_due(&self) -> bool {
        self.is_on && self.last.elapsed() >= PROGRESS_INTERVAL
    }

    /// Shows what `text` says, if it is time to, as much of it as fits into a line.
    pub(super) fn show(&mut self, text: impl FnOnce() -> String) {
        if self.is_due() {
            self.shown = true;
            // A longer line would go on in a second one, which can't be taken back.
            let room =
                usize::from(crossterm::terminal::size().map_or(COLUMNS, |(columns, _)| columns).max(1)) - 1;
            let line: String = text().chars().take(room).collect();
            let mut stderr = io::stderr().lock();
            // Progress that can't be shown is no reason to stop.
            drop(write!(stderr, "\r\x1b[2K{line}").and_then(|()| stderr.flush()));
            self.last = Instant::now();
        }
    }
}

impl Progress {
    /// Takes the line away, so that something else can be said.
    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let mut stderr = io::stderr().lock();
            // See `show`.
            drop(write!(stderr, "\r\x1b[2K").and_then(|()| stderr.flush()));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// A rate with three significant digits and its thousands as a letter: `4.07 G`.
pub(super) fn in_thousands(rate: f64) -> String {
    const UNITS: [(f64, &str); 5] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")];
    let (unit, letter) = UNITS.into_iter().find(|(unit, _)| rate >= *unit).unwrap_or((1.0, ""));
    let value = rate / unit;
    let decimals = if value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.decimals$} {letter}").trim_end().to_owned()
}

/// A time in hours, minutes and seconds: `1:02:03`, `2:03`.
pub(super) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// An error of the argument parser in one line: what is wrong and its tips, without the usage.
pub(super) fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let parts: Vec<String> = text
        .split("\n\n")
        .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|part| !part.is_empty() && !part.starts_with("Usage:") && !part.starts_with("For more"))
        .collect();
    let text = parts.join("; ");
    format!("{} (see --help)", text.strip_prefix("error: ").unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_three_digits() {
        let rates = [0.5, 12.34, 999.0, 4.07e9, 123e6].map(in_thousands);
        assert_eq!(rates, ["0.50", "12.3", "999", "4.07 G", "123 M"], "rates");
    }

    #[test]
    fn times_are_those_of_a_clock() {
        let times = [0, 59, 61, 3599, 3600, 90_061].map(|seconds| clock(Duration::from_secs(seconds)));
        assert_eq!(times, ["0:00", "0:59", "1:01", "59:59", "1:00:00", "25:01:01"], "times");
    }
}
