//! `biota verify`: the engines against the oracle, on random cases.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::ensure;

use super::Outcome;
use super::args::VerifyArguments;
use super::output::{Progress, in_thousands, note, stdout};
use super::rule_text::rule_text;
use crate::coords::Rect;
use crate::engine::{self, EngineError, EngineKind};
use crate::rule::library::open;
use crate::text::grouped;
use crate::verify::{self, Plan, Rules, Subject};

/// The largest board that is verified, cells.
const MAX_CELLS: u64 = 1 << 24;

pub(super) fn verify(arguments: &VerifyArguments) -> anyhow::Result<Outcome> {
    let text = arguments.rule.as_deref().map(rule_text).transpose()?;
    let rules = match text.as_deref() {
        None => Rules::Any,
        // A colon says that the board is part of the rule, be it the unbounded plane.
        Some(text) if text.contains(':') => Rules::AsItIs(open(text)?),
        Some(text) => Rules::OnAnyBoard(open(text)?),
    };
    if let Rules::AsItIs(rule) = &rules {
        let cells = rule.topology().bounds().map_or(0, Rect::area);
        ensure!(
            cells <= MAX_CELLS,
            "{rule} has too large a board for the oracle: at most {MAX_CELLS} cells; without a size boards of many \
             sizes are tried"
        );
    }
    let plan = Plan { seed: arguments.seed, first: arguments.first, cases: arguments.cases, rules };
    let engines = engine_names(&arguments.engines)?;
    let subjects: Vec<Subject> = arguments.engines.iter().copied().map(Subject::of).collect();
    let begin = Instant::now();
    let mut progress = Progress::new();
    let report = verify::verify(&plan, &subjects, |number| {
        progress.show(|| format!("case {} of {}", number - plan.first + 1, plan.cases));
    })?;
    drop(progress);
    let mut out = stdout();
    if let Some(failure) = report.failure {
        writeln!(out, "{failure}")?;
        match failure.save(Path::new(".")) {
            Ok(_) => writeln!(out, "the board is in {}", failure.file_name())?,
            Err(error) => note(&format!("{} was not written: {error}", failure.file_name())),
        }
        out.flush()?;
        return Ok(Outcome::Difference);
    }
    writeln!(
        out,
        "{} cases equal on {engines}: {} rule{}, {} cells × generations, seed {}, {:.1} s",
        grouped(report.equal),
        report.rules,
        if report.rules == 1 { "" } else { "s" },
        in_thousands(report.cell_generations as f64),
        plan.seed,
        begin.elapsed().as_secs_f64()
    )?;
    out.flush()?;
    Ok(Outcome::Fine)
}

/// The engines in words, the GPU with its adapter. A GPU that was to be checked and isn't there is an error.
fn engine_names(engines: &[EngineKind]) -> anyhow::Result<String> {
    let mut names = Vec::new();
    for kind in engines {
        names.push(match kind {
            EngineKind::Gpu => match engine::gpu::Gpu::shared() {
                Ok(gpu) => format!("gpu ({})", gpu.name()),
                Err(error @ EngineError::NoAdapter(_)) => {
                    anyhow::bail!("{error}; `--engines cpu` checks the CPU engine alone")
                }
                Err(error) => return Err(error.into()),
            },
            other => other.name().to_owned(),
        });
    }
    Ok(names.join(" and "))
}
