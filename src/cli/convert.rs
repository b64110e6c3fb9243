//! `biota convert`: reads a pattern in any format and writes it in another one, or as a picture.

use super::Outcome;
use super::args::ConvertArguments;
use super::output::note;
use super::start::{name_of, open};
use super::target::Target;
use crate::board::{Board, Topology};
use crate::cell::DEAD;
use crate::export::Look;
use crate::pattern::Pattern;
use crate::rule::Rule;
use crate::session::rule_of;

pub(super) fn convert(arguments: &ConvertArguments) -> anyhow::Result<Outcome> {
    let target = Target::new(&arguments.output)?;
    let mut pattern = open(&arguments.input, arguments.as_life)?;
    for text in &pattern.notes {
        note(&format!("{}: {text}", name_of(&arguments.input)));
    }
    let rule = rule_of(&pattern, None).ok();
    let states = states(&pattern, rule.as_ref());
    // What the file leaves unsaid may not go without saying in another format.
    let background =
        rule.as_ref().map_or(pattern.background.unwrap_or(DEAD), |rule| pattern.background_under(rule));
    if background != DEAD {
        pattern.background = Some(background);
    }
    if target.is_pattern() {
        target.write_pattern(&pattern, &mut &pattern.cells, states)?;
    } else {
        let frame = pattern.frame();
        let board = Board { background, ..Board::with_cells(Topology::Unbounded, pattern.cells) };
        let look = rule
            .filter(|rule| rule.states() >= states)
            .map_or_else(|| Look::plain(states), |rule| Look::of(&rule));
        target.write_picture(&board, frame.grown(1), &look)?;
    }
    Ok(Outcome::Fine)
}

/// How many states the pattern's rule has; a file whose rule is none of ours has those that its cells need.
fn states(pattern: &Pattern, rule: Option<&Rule>) -> u16 {
    let of_rule = rule.map_or(2, Rule::states);
    let of_cells = u16::try_from(pattern.cells.tally().populations.len()).map_or(256, |highest| highest + 1);
    of_rule.max(of_cells)
}
