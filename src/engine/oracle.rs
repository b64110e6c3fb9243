//! The oracle: walks cells one at a time and asks the ruleset. Slow, obvious, and right by inspection.
//!
//! It must not know tables, circuits, shaders or bit planes, so that an error in the fast path can't hide here.
//! Known limit: one byte a cell on bounded boards, some fifty a living cell on the plane.

use super::{
    Cancel, Edit, Engine, EngineError, EngineKind, check_board, check_edits, check_rule,
    countable_generations, generations_in_reach,
};
use crate::board::{Board, Cells, DenseGrid, Grid, SparseGrid, Tally, Topology};
use crate::cell::State;
use crate::coin::Coin;
use crate::coords::Rect;
use crate::rule::{Rule, Site};
use crate::{machine, text};

/// The largest bounded board, cells.
const MAX_CELLS: u64 = 1 << 32;

/// Cells from which on it is asked whether there is memory for them, and how much each takes at most: one byte for the
/// present generation, and up to two while the next one is made.
const WORTH_ASKING: u64 = 1 << 24;
const BYTES_OF_CELL: u64 = 3;

/// Steps a [`Grid`] by asking the [`Ruleset`](crate::rule::Ruleset) for every cell.
pub struct OracleEngine {
    rule: Rule,
    grid: Box<dyn Grid + Send>,
    generation: u64,
    seed: u64,
}

impl OracleEngine {
    /// An oracle for `rule`, holding an empty board.
    pub fn new(rule: &Rule) -> Result<Self, EngineError> {
        check_rule(rule)?;
        Ok(Self { rule: rule.clone(), grid: empty_grid(rule, 0)?, generation: 0, seed: 0 })
    }

    /// The grid that it walks.
    pub fn grid(&self) -> &dyn Grid {
        self.grid.as_ref()
    }
}

fn empty_grid(rule: &Rule, background: State) -> Result<Box<dyn Grid + Send>, EngineError> {
    if let Some(bounds) = rule.topology().bounds()
        && bounds.area() > MAX_CELLS
    {
        return Err(EngineError::TooLarge {
            width: bounds.width,
            height: bounds.height,
            reason: format!("the oracle holds at most {MAX_CELLS} cells"),
        });
    }
    if let Some(bounds) = rule.topology().bounds()
        && bounds.area() > WORTH_ASKING
    {
        let spare = machine::spare_memory();
        if BYTES_OF_CELL * bounds.area() > spare {
            let reason = format!("it needs more memory than the {} there are for it", text::bytes(spare));
            return Err(EngineError::TooLarge { width: bounds.width, height: bounds.height, reason });
        }
    }
    Ok(match DenseGrid::new(rule.topology()) {
        Some(grid) => Box::new(grid),
        None => Box::new(SparseGrid::new(background)),
    })
}

impl Engine for OracleEngine {
    fn kind(&self) -> EngineKind {
        EngineKind::Oracle
    }

    fn rule(&self) -> &Rule {
        &self.rule
    }

    fn load(&mut self, board: &Board) -> Result<(), EngineError> {
        check_board(&self.rule, board)?;
        let mut grid = empty_grid(&self.rule, board.background)?;
        for (at, stored) in board.cells.iter() {
            grid.set(at, stored ^ board.background);
        }
        self.grid = grid;
        self.generation = board.generation;
        self.seed = board.seed;
        Ok(())
    }

    fn step(&mut self, generations: u64, cancel: &Cancel) -> Result<u64, EngineError> {
        let generations = countable_generations(self.generation, generations)?;
        let neighbourhood = self.rule.depends_on().neighbourhood;
        for done in 0..generations {
            if done > 0 && cancel.is_due() {
                return Ok(done);
            }
            if self.rule.topology() == Topology::Unbounded {
                let life = Some(self.field()).filter(|life| !life.is_empty());
                generations_in_reach(&self.rule, self.generation, life)?;
            }
            let (ruleset, generation, seed) = (self.rule.ruleset(), self.generation, self.seed);
            self.grid.next_generation(neighbourhood, &mut |neighbours, own, at| {
                let mut coin = Coin::new(seed, generation, at);
                ruleset.cell_next(neighbours, own, Site { at, generation }, &mut coin)
            });
            self.generation += 1;
        }
        Ok(generations)
    }

    fn generation(&self) -> u64 {
        self.generation
    }

    fn background(&self) -> State {
        self.grid.background()
    }

    fn tally(&mut self) -> Result<Tally, EngineError> {
        let mut tally = Tally::default();
        let mut bounds = Rect::default();
        for (at, state) in self.grid.occupied() {
            let stored = usize::from(state ^ self.grid.background());
            if tally.populations.len() < stored {
                tally.populations.resize(stored, 0);
            }
            tally.populations[stored - 1] += 1;
            bounds = bounds.union(Rect::new(at.x, at.y, 1, 1));
        }
        tally.bounding_box = (!bounds.is_empty()).then_some(bounds);
        Ok(tally)
    }

    fn read(&mut self, area: Rect) -> Result<Cells, EngineError> {
        let mut cells = Cells::new();
        for (at, state) in self.grid.occupied().filter(|(at, _)| area.contains(*at)) {
            cells.set(at, state ^ self.grid.background())?;
        }
        Ok(cells)
    }

    fn field(&self) -> Rect {
        self.grid.dimensions().unwrap_or_else(|| {
            self.grid.occupied().fold(Rect::default(), |all, (at, _)| all.union(Rect::new(at.x, at.y, 1, 1)))
        })
    }

    fn write(&mut self, edits: &[Edit]) -> Result<(), EngineError> {
        check_edits(&self.rule, edits)?;
        for edit in edits {
            if self.grid.dimensions().is_none_or(|bounds| bounds.contains(edit.at)) {
                self.grid.set(edit.at, edit.state);
            }
        }
        Ok(())
    }

    fn seed(&self) -> u64 {
        self.seed
    }
}
