//! The field's `Grid` protocol and the two plain grids that the oracle walks: one state a cell, no bit tricks.
//!
//! A grid knows no rules: [`Grid::next_generation`] asks a closure for every cell.

use std::collections::BTreeMap;

use super::topology::Topology;
use crate::cell::{DEAD, State, glyph};
use crate::coords::{Coords, Rect, to_index};
use crate::lattice::{Neighbourhood, Neighbours};

/// Answers for one cell: its neighbours, its own state, its place; gives its next state.
pub type NextState<'a> = dyn FnMut(&Neighbours, State, Coords) -> State + 'a;

/// Holds the cells of one generation.
pub trait Grid {
    /// The shape of the world that the cells live in.
    fn topology(&self) -> Topology;

    /// The rectangle of the board; `None` on the unbounded plane.
    fn dimensions(&self) -> Option<Rect> {
        self.topology().bounds()
    }

    /// The state of the cell at `at`. Outside a bounded plane all is dead; on glued surfaces `at` is wrapped.
    fn get(&self, at: Coords) -> State;

    /// Gives the cell at `at` the state `state`; outside a bounded plane nothing happens.
    fn set(&mut self, at: Coords, state: State);

    /// Gives every cell of `area` the state that `state_at` answers.
    fn init(&mut self, area: Rect, state_at: &mut dyn FnMut(Coords) -> State) {
        for at in area.cells() {
            let state = state_at(at);
            self.set(at, state);
        }
    }

    /// What the cell at `at` sees.
    fn neighbours(&self, at: Coords, neighbourhood: Neighbourhood) -> Neighbours {
        let mut states = [DEAD; crate::lattice::MAX_NEIGHBOURS];
        let offsets = neighbourhood.offsets(at);
        for (state, (dx, dy)) in states.iter_mut().zip(offsets) {
            *state = self.get(at.offset(*dx, *dy));
        }
        Neighbours::new(&states[..offsets.len()])
    }

    /// Replaces every cell by what `next` answers for it, all at once.
    fn next_generation(&mut self, neighbourhood: Neighbourhood, next: &mut NextState<'_>);

    /// The state of every cell that is not stored (dead on bounded boards).
    fn background(&self) -> State {
        DEAD
    }

    /// Every cell that differs from the background, with its state.
    fn occupied(&self) -> Box<dyn Iterator<Item = (Coords, State)> + '_>;

    /// The cells of `area` as text, a line a row, for a rule of `states` states: `.` `▮` `o` `*`.
    fn display(&self, area: Rect, states: u16) -> String {
        let mut text = String::new();
        for y in area.y..area.bottom() {
            text.extend((area.x..area.right()).map(|x| glyph(self.get(Coords::new(x, y)), states)));
            text.push('\n');
        }
        text
    }
}

/// A bounded board: one byte a cell, row after row.
#[derive(Clone, Debug)]
pub struct DenseGrid {
    topology: Topology,
    bounds: Rect,
    states: Vec<State>,
}

impl DenseGrid {
    /// A dead board; `None` for the unbounded topology, which has no bounds.
    pub fn new(topology: Topology) -> Option<Self> {
        let bounds = topology.bounds()?;
        Some(Self { topology, bounds, states: vec![DEAD; to_index(bounds.width) * to_index(bounds.height)] })
    }

    fn index(&self, at: Coords) -> usize {
        to_index(at.y * self.bounds.width + at.x)
    }
}

impl Grid for DenseGrid {
    fn topology(&self) -> Topology {
        self.topology
    }

    fn get(&self, at: Coords) -> State {
        self.topology.locate(at).map_or(DEAD, |at| self.states[self.index(at)])
    }

    fn set(&mut self, at: Coords, state: State) {
        if let Some(at) = self.topology.locate(at) {
            let index = self.index(at);
            self.states[index] = state;
        }
    }

    fn next_generation(&mut self, neighbourhood: Neighbourhood, next: &mut NextState<'_>) {
        let states = self
            .bounds
            .cells()
            .map(|at| next(&self.neighbours(at, neighbourhood), self.get(at), at))
            .collect();
        self.states = states;
    }

    fn occupied(&self) -> Box<dyn Iterator<Item = (Coords, State)> + '_> {
        Box::new(self.bounds.cells().zip(self.states.iter().copied()).filter(|(_, state)| *state != DEAD))
    }
}

/// The unbounded plane: a map of the cells that differ from the background.
#[derive(Clone, Debug, Default)]
pub struct SparseGrid {
    /// By (y, x), so that they are walked in reading order.
    states: BTreeMap<(i64, i64), State>,
    background: State,
}

impl SparseGrid {
    /// A plane whose cells are all in state `background`.
    pub fn new(background: State) -> Self {
        Self { states: BTreeMap::new(), background }
    }
}

impl Grid for SparseGrid {
    fn topology(&self) -> Topology {
        Topology::Unbounded
    }

    fn get(&self, at: Coords) -> State {
        self.states.get(&(at.y, at.x)).copied().unwrap_or(self.background)
    }

    fn set(&mut self, at: Coords, state: State) {
        if state == self.background {
            self.states.remove(&(at.y, at.x));
        } else {
            self.states.insert((at.y, at.x), state);
        }
    }

    /// Only cells that differ from the background, and their surroundings, can differ from it next.
    fn next_generation(&mut self, neighbourhood: Neighbourhood, next: &mut NextState<'_>) {
        let alone = vec![self.background; neighbourhood.size()];
        let background = next(&Neighbours::new(&alone), self.background, Coords::default());
        let reach = neighbourhood.reach();
        let mut asked: Vec<(i64, i64)> = self
            .states
            .keys()
            .flat_map(|&(y, x)| {
                (y - 1..=y + 1).flat_map(move |y| (x - reach..=x + reach).map(move |x| (y, x)))
            })
            .collect();
        asked.sort_unstable();
        asked.dedup();
        let mut states = BTreeMap::new();
        for (y, x) in asked {
            let at = Coords::new(x, y);
            let state = next(&self.neighbours(at, neighbourhood), self.get(at), at);
            if state != background {
                states.insert((y, x), state);
            }
        }
        self.states = states;
        self.background = background;
    }

    fn background(&self) -> State {
        self.background
    }

    fn occupied(&self) -> Box<dyn Iterator<Item = (Coords, State)> + '_> {
        Box::new(self.states.iter().map(|(&(y, x), &state)| (Coords::new(x, y), state)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_shows_its_cells_and_what_they_see() {
        let mut grid = DenseGrid::new(Topology::Torus { width: 3, height: 2 }).expect("bounded");
        grid.init(Rect::new(0, 0, 3, 2), &mut |at| State::from(at.x == 0) * 2);
        grid.set(Coords::new(4, 1), 1);
        assert_eq!(grid.display(Rect::new(-1, 0, 5, 2), 3), ".*..*\n.*o.*\n", "one row more than wraps");
        let seen = grid.neighbours(Coords::new(1, 0), Neighbourhood::Moore);
        // On two rows the rows above and below are the same row.
        assert_eq!(seen.states(), [2, 1, 0, 2, 0, 2, 1, 0], "reading order");
        assert_eq!((seen.count(2), seen.count(1), seen.living()), (3, 2, 5), "counts");
    }

    #[test]
    fn the_plane_advances_its_background_too() {
        // Every cell flips: one dead cell in a living plane and back.
        let mut grid = SparseGrid::new(0);
        grid.set(Coords::new(7, 7), 1);
        let mut flip = |_: &Neighbours, own: State, _: Coords| 1 - own;
        grid.next_generation(Neighbourhood::Moore, &mut flip);
        assert_eq!(
            (grid.background(), grid.get(Coords::new(7, 7)), grid.get(Coords::new(70, 7))),
            (1, 0, 1),
            "flipped"
        );
        grid.next_generation(Neighbourhood::Moore, &mut flip);
        assert_eq!(grid.occupied().collect::<Vec<_>>(), [(Coords::new(7, 7), 1)], "back again");
    }
}
