//! `biota convert`: reads a pattern in any format and writes it in another one, or as a picture.

use super::Outcome;
use super::args::ConvertArguments;
use super::output::note;
use super::start::{name_of, open};
use super::target::Target;
use crate::board::{Board, Topology};
use crate::pattern::Pattern;
use crate::session::rule_of;

pub(super) fn convert(arguments: &ConvertArguments) -> anyhow::Result<Outcome> {
    let target = Target::new(&arguments.output)?;
    let pattern = open(&arguments.input)?;
    for text in &pattern.notes {
        note(&format!("{}: {text}", name_of(&arguments.input)));
    }
    let states = states(&pattern);
    if target.is_pattern() {
        target.write_pattern(&pattern, &mut &pattern.cells, states)?;
    } else {
        let frame = pattern.frame();
        let board = Board::with_cells(Topology::Unbounded, pattern.cells);
        target.write_picture(&board, frame.grown(1), states)?;
    }
    Ok(Outcome::Fine)
}

/// How many states the pattern's rule has; a file whose rule is none of ours has those that its cells need.
fn states(pattern: &Pattern) -> u16 {
    let of_rule = rule_of(pattern, None).map_or(2, |rule| rule.states());
    let of_cells = u16::try_from(pattern.cells.tally().populations.len()).map_or(256, |highest| highest + 1);
    of_rule.max(of_cells)
}
