//! The oracle beside the engine: the same generations of a part of the board, cell by cell.

use std::collections::HashMap;

use super::{Session, SessionError};
use crate::cell::{DEAD, State};
use crate::coin::Coin;
use crate::coords::{Coords, Rect};
use crate::engine::Cancel;
use crate::lattice::{MAX_NEIGHBOURS, Neighbours};
use crate::rule::Site;

/// The first cell on which engine and oracle differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Where.
    pub at: Coords,
    /// What the oracle says.
    pub expected: State,
    /// What the engine holds.
    pub found: State,
    /// How many cells differ in all.
    pub cells: u64,
}

/// What came of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// The cells that were compared.
    pub area: Rect,
    /// The generation at which they were.
    pub generation: u64,
    /// Generations stepped on both.
    pub generations: u64,
    /// How they differ; `None` when all are equal.
    pub mismatch: Option<Mismatch>,
}

impl Session {
    /// Steps `generations` generations, and works the cells of `area` out by the ruleset too, from the same board.
    ///
    /// The oracle looks at as many more cells around the area as there are generations, since that far life reaches.
    pub fn verify(&mut self, area: Rect, generations: u64) -> Result<Verification, SessionError> {
        let area = self.rule().topology().bounds().map_or(area, |bounds| area.intersection(bounds));
        let reach = self.rule().depends_on().neighbourhood.reach();
        let steps = i64::try_from(generations).unwrap_or(i64::MAX / 4);
        let mut states = self.states_around(area.grown(steps * reach))?;
        let first = self.generation();
        let depends_on = self.rule().depends_on();
        for step in 0..steps {
            let generation = first + step.unsigned_abs();
            let mut next = HashMap::new();
            for at in area.grown((steps - step - 1) * reach).cells() {
                // Beyond the edge of a bounded plane all is dead for ever.
                let Some(place) = self.rule().topology().locate(at) else { continue };
                let mut seen = [DEAD; MAX_NEIGHBOURS];
                for (state, (dx, dy)) in seen.iter_mut().zip(depends_on.neighbourhood.offsets(place)) {
                    *state = states.get(&at.offset(*dx, *dy)).copied().unwrap_or(DEAD);
                }
                let neighbours = Neighbours::new(&seen[..depends_on.neighbourhood.size()]);
                let own = states.get(&at).copied().unwrap_or(DEAD);
                let mut coin = Coin::new(self.seed(), generation, place);
                let site = Site { at: place, generation };
                next.insert(at, self.rule().ruleset().cell_next(&neighbours, own, site, &mut coin));
            }
            states = next;
        }
        let mut done = 0;
        // Not by `step`, which may go back to an earlier board.
        while done < generations {
            done += self.engine.step(generations - done, &Cancel::never())?;
        }
        self.touched();
        let background = self.engine().background();
        let found = self.engine_mut().read(area)?;
        let mut mismatch: Option<Mismatch> = None;
        for at in area.cells() {
            let expected = states.get(&at).copied().unwrap_or(DEAD);
            let found = found.get(at) ^ background;
            if expected != found {
                mismatch.get_or_insert(Mismatch { at, expected, found, cells: 0 }).cells += 1;
            }
        }
        Ok(Verification { area, generation: self.generation(), generations, mismatch })
    }

    /// The cells of `area` that, with what they see, are as wanted.
    pub fn cells_where(
        &mut self,
        area: Rect,
        wanted: impl Fn(State, &Neighbours) -> bool,
    ) -> Result<Vec<Coords>, SessionError> {
        let topology = self.rule().topology();
        let neighbourhood = self.rule().depends_on().neighbourhood;
        let states = self.states_around(area.grown(neighbourhood.reach()))?;
        let is_wanted = |at: &Coords| {
            let Some(place) =
                topology.locate(*at).filter(|_| topology.bounds().is_none_or(|b| b.contains(*at)))
            else {
                return false;
            };
            let mut seen = [DEAD; MAX_NEIGHBOURS];
            for (state, (dx, dy)) in seen.iter_mut().zip(neighbourhood.offsets(place)) {
                *state = states.get(&at.offset(*dx, *dy)).copied().unwrap_or(DEAD);
            }
            let own = states.get(at).copied().unwrap_or(DEAD);
            wanted(own, &Neighbours::new(&seen[..neighbourhood.size()]))
        };
        Ok(area.cells().filter(is_wanted).collect())
    }

    /// The states of all cells of `area`, which may reach beyond the board: wrapped there, or dead.
    fn states_around(&mut self, area: Rect) -> Result<HashMap<Coords, State>, SessionError> {
        let topology = self.rule().topology();
        let background = self.engine().background();
        let cells = match topology.bounds() {
            Some(bounds) if !bounds.contains_rect(area) => self.engine_mut().read(bounds)?,
            _ => self.engine_mut().read(area)?,
        };
        Ok(area
            .cells()
            .filter_map(|at| topology.locate(at).map(|place| (at, cells.get(place) ^ background)))
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{EngineChoice, Source};
    use super::*;
    use crate::engine::{Edit, EngineKind};

    #[test]
    fn equal_boards_are_found_equal_on_every_topology() {
        for rule in
            ["P2Life:T40,30", "Immigration:P40,30", "B36/S23Immigration-parity", "B03/S23", "Life:T2,3"]
        {
            let source = Source::Soup { width: 40, height: 30, densities: vec![0.5] };
            let rule = if rule.contains(':') { rule.to_owned() } else { format!("{rule}:") };
            let (mut session, _) =
                source.session(Some(&rule), 9, EngineChoice::Fixed(EngineKind::Cpu)).expect("a session");
            for _ in 0..3 {
                let result = session.verify(Rect::new(-3, 5, 60, 20), 5).expect("a comparison");
                assert_eq!(result.mismatch, None, "{rule}");
            }
            assert_eq!(session.generation(), 15, "{rule}: it went on");
        }
    }

    /// Breaks its own board while it steps.
    #[test]
    fn a_broken_board_is_found() {
        let source = Source::Soup { width: 40, height: 30, densities: vec![0.5] };
        let (mut session, _) =
            source.session(Some("Life:T40,30"), 9, EngineChoice::Fixed(EngineKind::Cpu)).expect("a session");
        let area = Rect::new(0, 0, 40, 30);
        let mut states = session.states_around(area).expect("states");
        let at = Coords::new(7, 9);
        session.edit(&[Edit { at, state: 1 - states[&at] }]).expect("an edit");
        let after = session.states_around(area).expect("states");
        states.retain(|at, state| after[at] != *state);
        assert_eq!(states.keys().collect::<Vec<_>>(), [&at], "one cell differs");
    }
}
