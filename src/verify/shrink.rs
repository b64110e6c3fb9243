//! From a failing case to the smallest one that still fails: fewest generations first, then a later start, then fewer
//! cells and a smaller board by turns, as long as either helps; last a simpler law, where the rule is one that was drawn.

use std::time::{Duration, Instant};

use super::law::RandomLaw;
use super::{Case, Failure, Plan, Subject, Trial, stepped};
use crate::board::{Board, Cells, Topology};
use crate::coords::{Coords, Rect};
use crate::engine::EngineError;
use crate::rule::Rule;

/// How long it is tried to make a case smaller.
const PATIENCE: Duration = Duration::from_secs(20);

/// A failing case on its way down.
struct Shrinking<'a> {
    subject: &'a Subject,
    /// Of the case.
    number: u64,
    trial: Trial,
    rule: Rule,
    board: Board,
    generations: u64,
    cut: u64,
    deadline: Instant,
}

/// The smallest failing case that is found from `case`, which fails on `subject`.
pub(super) fn shrink(
    subject: &Subject,
    case: &Case,
    law: Option<RandomLaw>,
    plan: &Plan,
) -> Result<Failure, EngineError> {
    let mut shrinking = Shrinking {
        subject,
        number: case.number,
        trial: Trial::new(subject, &case.rule, case.number)?,
        rule: case.rule.clone(),
        board: case.board.clone(),
        generations: case.generations,
        cut: case.cut,
        deadline: Instant::now() + PATIENCE,
    };
    shrinking.fewer_generations();
    shrinking.later_start()?;
    loop {
        // The board first: each try on a large one takes its time.
        let board = shrinking.smaller_board();
        let cells = shrinking.fewer_cells();
        if !(cells || board) || shrinking.is_out_of_time() {
            break;
        }
    }
    if let Some(law) = law {
        shrinking.simpler_law(&law);
    }
    let Shrinking { mut trial, rule, board, generations, cut, .. } = shrinking;
    let difference = trial.difference(&board, generations, cut)?.unwrap_or_default();
    let before = stepped(trial.oracle.as_mut(), &board, generations.saturating_sub(1))?;
    Ok(Failure {
        engine: subject.name().to_owned(),
        campaign_seed: plan.seed,
        repeated_by: plan.repeating(case.number, subject.name()),
        case: case.number,
        original: case.to_string(),
        rule,
        board,
        generations,
        before,
        difference,
    })
}

impl Shrinking<'_> {
    fn is_out_of_time(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// Whether engine and oracle still differ on this board. An engine that gives up on it is no difference.
    fn fails(&mut self, board: &Board, generations: u64, cut: u64) -> bool {
        matches!(self.trial.difference(board, generations, cut), Ok(Some(_)))
    }

    /// The first generation at which the boards differ.
    fn fewer_generations(&mut self) {
        for generations in 1..=self.generations {
            // A fault may need both calls, so each number is tried in one call and in two.
            for cut in [0, self.cut.min(generations)] {
                if self.fails(&self.board.clone(), generations, cut) {
                    (self.generations, self.cut) = (generations, cut);
                    return;
                }
            }
            if self.is_out_of_time() {
                return;
            }
        }
    }

    /// Starts from as late a generation of the oracle's as still fails.
    fn later_start(&mut self) -> Result<(), EngineError> {
        let mut left = 1;
        while left < self.generations && !self.is_out_of_time() {
            let start = stepped(self.trial.oracle.as_mut(), &self.board, self.generations - left)?;
            if self.fails(&start, left, 0) {
                (self.board, self.generations, self.cut) = (start, left, 0);
                break;
            }
            left *= 2;
        }
        Ok(())
    }

    /// Takes cells away: halves of them, quarters, … down to single ones. Gives whether any could go.
    fn fewer_cells(&mut self) -> bool {
        let mut helped = false;
        let mut piece = self.living().len().div_ceil(2);
        while piece > 0 && !self.is_out_of_time() {
            let mut from = 0;
            loop {
                let living = self.living();
                if from >= living.len() || self.is_out_of_time() {
                    break;
                }
                let gone = &living[from..(from + piece).min(living.len())];
                let mut board = self.board.clone();
                for &at in gone {
                    board.cells.set(at, 0).expect("a cell that was there is in reach");
                }
                if self.fails(&board, self.generations, self.cut) {
                    self.board = board;
                    helped = true;
                } else {
                    from += piece;
                }
            }
            piece /= 2;
        }
        helped
    }

    /// Takes parts of the law away.
    fn simpler_law(&mut self, law: &RandomLaw) {
        let mut tried = law.simpler().into_iter();
        while let Some(simpler) = tried.next().filter(|_| !self.is_out_of_time()) {
            // What can't be read or run any more is no simpler law of this failure.
            let Ok(rule) = simpler.rule().map(|rule| rule.with_topology(self.rule.topology())) else {
                continue;
            };
            let Ok(trial) = Trial::new(self.subject, &rule, self.number) else { continue };
            let known = std::mem::replace(&mut self.trial, trial);
            if self.fails(&self.board.clone(), self.generations, self.cut) {
                self.rule = rule;
                tried = simpler.simpler().into_iter();
            } else {
                self.trial = known;
            }
        }
    }

    fn living(&self) -> Vec<Coords> {
        self.board.cells.iter().map(|(at, _)| at).collect()
    }

    /// Cuts columns and rows off a bounded board. Gives whether any could go.
    fn smaller_board(&mut self) -> bool {
        let mut helped = false;
        for by_width in [true, false] {
            let Some(bounds) = self.rule.topology().bounds() else { continue };
            let mut less = if by_width { bounds.width } else { bounds.height } / 2;
            while less > 0 && !self.is_out_of_time() {
                if self.cut_off(by_width, less) {
                    helped = true;
                    let bounds = self.rule.topology().bounds().unwrap_or(bounds);
                    less = less.min(if by_width { bounds.width } else { bounds.height } - 1);
                } else {
                    less /= 2;
                }
            }
        }
        helped
    }

    /// Tries a board with so many fewer columns or rows, cut off at the far edge or at the near one.
    fn cut_off(&mut self, by_width: bool, less: i64) -> bool {
        let Some(bounds) = self.rule.topology().bounds() else { return false };
        let (dx, dy) = if by_width { (less, 0) } else { (0, less) };
        let (width, height) = (bounds.width - dx, bounds.height - dy);
        if width < 1 || height < 1 {
            return false;
        }
        let topology = match self.rule.topology() {
            Topology::Torus { .. } | Topology::ShiftedTorus { .. } => Topology::Torus { width, height },
            Topology::KleinBottle { edges, .. } => Topology::KleinBottle { width, height, edges, shift: 0 },
            Topology::CrossSurface { .. } => Topology::CrossSurface { width, height },
            Topology::Sphere { .. } => Topology::Sphere { side: width.min(height) },
            _ => Topology::Plane { width, height },
        };
        let rule = self.rule.with_topology(topology);
        let Ok(trial) = Trial::new(self.subject, &rule, self.number) else { return false };
        let whole = std::mem::replace(&mut self.trial, trial);
        for corner in [Coords::default(), Coords::new(dx, dy)] {
            let kept = Rect::new(corner.x, corner.y, width, height);
            let cells: Cells = self.board.cells.clone().clipped(kept);
            let Ok(cells) = cells.translated(-corner.x, -corner.y) else { continue };
            let board = Board { cells, topology, ..self.board.clone() };
            if self.fails(&board, self.generations, self.cut) {
                (self.board, self.rule) = (board, rule);
                return true;
            }
        }
        self.trial = whole;
        false
    }
}
