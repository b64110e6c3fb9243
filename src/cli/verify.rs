//! `biota verify`: the engines against the oracle, on random cases.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use super::Outcome;
use super::args::VerifyArguments;
use super::output::{Progress, grouped, in_thousands, note, stdout};
use crate::engine::{self, EngineError, EngineKind};
use crate::rule::parse;
use crate::verify::{self, Plan, Subject};

pub(super) fn verify(arguments: &VerifyArguments) -> anyhow::Result<Outcome> {
    let rule = arguments.rule.as_deref().map(parse).transpose()?;
    let keeps_topology = arguments.rule.as_deref().is_some_and(|text| text.contains(':'));
    let plan =
        Plan { seed: arguments.seed, first: arguments.first, cases: arguments.cases, rule, keeps_topology };
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
        "{} cases equal on {engines}: {} rules, {} cells × generations, seed {}, {:.1} s",
        grouped(report.equal),
        report.rules,
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
