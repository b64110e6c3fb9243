//! Measurements as aligned columns.

use std::io::{self, Write};

use super::Measurement;
use crate::cli::output::in_thousands;
use crate::text::grouped;

/// Rules are cut to this many characters.
const RULE: usize = 20;

/// Characters before the column of the steps: the rule, its size, the engine, and four stages.
const BEFORE_STEP: usize = RULE + 19 + 4 * 10;

/// The heads of the columns of [`row`].
pub(super) fn head(out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "{:RULE$} {:>11} {:6} {:>11} {:>13} {:>8} {:>7} {:>5} {:>8} {:>8}",
        "RULE",
        "SIZE",
        "ENGINE",
        "GENERATIONS",
        "GENERATIONS/S",
        "CELLS/S",
        "RATIO",
        "GATES",
        "GATES/S",
        "ROOFLINE"
    )
}

/// One measurement; `base` is the one that its ratio is to.
pub(super) fn row(out: &mut impl Write, measured: &Measurement, base: &Measurement) -> io::Result<()> {
    let Measurement { engine, width, height, generations, seconds, cells_per_second, .. } = measured;
    let unknown = || "–".to_owned();
    writeln!(
        out,
        "{:RULE$} {:>11} {engine:6} {:>11} {:>13} {:>8} {:>7} {:>5} {:>8} {:>8}",
        short(&measured.rule),
        format!("{width}×{height}"),
        grouped(*generations),
        in_thousands(*generations as f64 / seconds),
        in_thousands(*cells_per_second),
        in_thousands(cells_per_second / base.cells_per_second),
        measured.gates.map_or_else(unknown, |gates| gates.to_string()),
        measured.gate_evaluations_per_second.map_or_else(unknown, in_thousands),
        measured.roofline.map_or_else(unknown, |share| format!("{:.1} %", 100.0 * share)),
    )
}

/// The times of the stages, a measurement a line; what the GPU accounts for stands below, in the column of the steps.
pub(super) fn profile(out: &mut impl Write, measurements: &[Measurement]) -> io::Result<()> {
    write!(out, "\n{:RULE$} {:>11} {:6}", "RULE", "SIZE", "ENGINE")?;
    let stages = |measured: &Measurement| measured.profile.as_ref().map(super::Profile::stages);
    for (name, _) in measurements.iter().find_map(stages).unwrap_or_default() {
        write!(out, " {:>9}", name.to_uppercase())?;
    }
    writeln!(out)?;
    for measured in measurements {
        let size = format!("{}×{}", measured.width, measured.height);
        write!(out, "{:RULE$} {size:>11} {:6}", short(&measured.rule), measured.engine)?;
        for (_, seconds) in stages(measured).unwrap_or_default() {
            write!(out, " {:>9}", seconds.map_or_else(|| "–".to_owned(), in_milliseconds))?;
        }
        writeln!(out)?;
        if let Some(on_gpu) = measured.profile.as_ref().and_then(|profile| profile.on_gpu.as_ref()) {
            for (kind, seconds) in &on_gpu.passes {
                let share = 100.0 * seconds / on_gpu.wall;
                let what = format!("  on the GPU: {kind} kernels, {share:.1} % of the wall time");
                writeln!(out, "{what:BEFORE_STEP$} {:>9}", in_milliseconds(*seconds))?;
            }
        }
    }
    Ok(())
}

/// A time: `0.012 ms`, `1,234 ms`.
fn in_milliseconds(seconds: f64) -> String {
    let milliseconds = 1e3 * seconds;
    if milliseconds < 9.95 { format!("{milliseconds:.3} ms") } else { format!("{milliseconds:.0} ms") }
}

/// A rule without its topology, cut.
fn short(rule: &str) -> String {
    let name = rule.rsplit_once(':').map_or(rule, |(name, _)| name);
    if name.chars().count() <= RULE {
        return name.to_owned();
    }
    name.chars().take(RULE - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::measured;
    use super::*;

    #[test]
    fn columns_are_aligned_whatever_is_in_them() {
        let mut out = Vec::new();
        head(&mut out).expect("memory");
        let base = measured("cpu", "01");
        let mut long = measured("gpu", "01");
        long.rule = "PAIRAAECQAgAAAAAAAAAVZVAFVUAVVAFUAVQBQAQAqqqAKqoAqo:T8192,8192".to_owned();
        (long.width, long.height, long.generations) = (8192, 8192, 12_345);
        (long.gates, long.gate_evaluations_per_second, long.roofline) = (None, None, None);
        for measured in [&base, &long] {
            row(&mut out, measured, &base).expect("memory");
        }
        let text = String::from_utf8(out).expect("UTF-8");
        let lengths: Vec<usize> = text.lines().map(|line| line.chars().count()).collect();
        assert!(lengths.iter().all(|length| *length == lengths[0]), "aligned:\n{text}");
        assert!(text.contains("PAIRAAECQAgAAAAAAAA…   8192×8192 gpu         12,345"), "{text}");
    }
}
