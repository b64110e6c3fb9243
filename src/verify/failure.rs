//! A difference that was found, as text and as a file.

use std::fmt;
use std::path::{Path, PathBuf};

use super::compare::{Difference, Differing};
use super::situation::Situation;
use crate::board::Board;
use crate::cell::{glyph, state_name};
use crate::coords::Coords;
use crate::pattern::{self, Pattern, PatternError};
use crate::rule::Rule;

/// The smallest case found on which an engine and the oracle differ.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The engine that is wrong (or the oracle is).
    pub engine: String,
    /// The seed that the case was drawn from.
    pub campaign_seed: u64,
    /// The number of the case.
    pub case: u64,
    /// The command that finds it again.
    pub repeated_by: String,
    /// The case before it was made smaller, in words.
    pub original: String,
    /// The rule, with the topology of `board`.
    pub rule: Rule,
    /// Where it starts.
    pub board: Board,
    /// After how many generations the boards differ.
    pub generations: u64,
    /// The oracle's board one generation earlier.
    pub before: Board,
    /// How they differ.
    pub difference: Difference,
}

impl Failure {
    /// The file that [`Failure::save`] writes.
    pub fn file_name(&self) -> String {
        format!("biota-verify-seed{}-case{}.rle", self.campaign_seed, self.case)
    }

    /// Writes the board that it starts from to `folder`, with what it is in its comments; gives the file.
    pub fn save(&self, folder: &Path) -> Result<PathBuf, PatternError> {
        let path = folder.join(self.file_name());
        let pattern = Pattern {
            name: Some(format!("{} differs from the oracle", self.engine)),
            comments: vec![
                self.repeated_by.clone(),
                format!(
                    "differs after {} more generations; coins of seed {}",
                    self.generations, self.board.seed
                ),
            ],
            rule_file: self.rule.file_text().map(str::to_owned),
            ..Pattern::from_board(&self.board, &self.rule)
        };
        pattern::save(&path, &pattern, self.rule.states())?;
        Ok(path)
    }

    /// The cells around `at` one generation earlier, `at` in the middle, as three lines of glyphs; a blank is no cell.
    fn neighbourhood(&self, at: Coords) -> [String; 3] {
        let states = self.rule.states();
        [-1, 0, 1].map(|dy| {
            let glyphs = [-1, 0, 1].map(|dx| {
                let place = self.rule.topology().locate(at.offset(dx, dy));
                place.map_or(' ', |at| glyph(self.before.get(at), states)).to_string()
            });
            glyphs.join(" ").trim_end().to_owned()
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, campaign_seed, rule, board, generations, difference, .. } = self;
        writeln!(f, "{engine} differs from the oracle, seed {campaign_seed}, {}", self.original)?;
        if let Ok(situation) = Situation::of(rule, board, *generations) {
            writeln!(f, "{situation}")?;
        }
        writeln!(f, "made smaller: {rule}, {} cells", board.cells.tally().population())?;
        writeln!(
            f,
            "from generation {}, coins of seed {}, they differ at generation {}, {generations} later",
            board.generation, board.seed, difference.generation
        )?;
        for other in &difference.others {
            writeln!(f, "  {other}")?;
        }
        if difference.cells > 0 {
            let differ = if difference.cells == 1 { "cell differs" } else { "cells differ" };
            writeln!(
                f,
                "  {} {differ}; the first, with what was around it one generation before:",
                difference.cells
            )?;
        }
        for &Differing { at, expected, found } in &difference.first {
            let name = |state| format!("{} ({state})", state_name(state, rule.states()));
            writeln!(
                f,
                "  ({}, {}): {} on the oracle, {} on {engine}",
                at.x,
                at.y,
                name(expected),
                name(found)
            )?;
            for line in self.neighbourhood(at) {
                writeln!(f, "      {line}")?;
            }
        }
        write!(f, "to repeat: {}", self.repeated_by)
    }
}
