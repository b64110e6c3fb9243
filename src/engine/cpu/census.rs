//! What chunks hold: populations by state, of each tile too, and bounds.
//!
//! A stored state is a state XOR that of the background, so that 0 is what is not counted. A tile is counted in all its
//! words at once, state by state, which takes some 20 instructions a word less than to translate each word; with too many
//! states for that, cell by cell.

use super::chunk::{Chunk, PLANE, TILE_ROWS, first_word, tiles_of};
use super::region::bits_inside;
use crate::board::TILE_SIDE;
use crate::cell::State;
use crate::coords::{Rect, to_index};
use crate::engine::raster::{count_all, pick};
use crate::rule::Kernel;
use crate::rule::walk::MAX_PLANES;

/// Up to how many states cells are counted state by state, and tiles each for itself.
const FEW_STATES: u16 = 16;

/// What a chunk holds on the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Census {
    /// Cells by stored state, from 1 on.
    pub(super) populations: Vec<u64>,
    /// Around all of them; empty where there is none.
    pub(super) bounds: Rect,
    /// The same populations tile by tile, one tile after the other; none where there are many states.
    tiles: Vec<u16>,
}

impl Census {
    /// Cells of a tile by stored state, from 1 on; `None` where tiles were not counted.
    pub(super) fn of_tile(&self, tile: usize) -> Option<&[u16]> {
        let states = self.populations.len();
        self.tiles.get(tile * states..(tile + 1) * states)
    }
}

/// How the cells of a board are counted.
pub(super) struct Counting<'a> {
    kernel: &'a Kernel,
    background: State,
    /// The board, where it has bounds: what lies outside is not counted.
    board: Option<Rect>,
    /// The codes of all states but the background's with their stored states; none where there are many.
    codes: Vec<(usize, u8)>,
}

impl<'a> Counting<'a> {
    pub(super) fn new(kernel: &'a Kernel, states: u16, background: State, board: Option<Rect>) -> Self {
        let few = (0..=State::MAX).take(usize::from(states)).filter(|_| states <= FEW_STATES);
        let codes = few
            .filter(|state| *state != background)
            .map(|state| (usize::from(state ^ background), kernel.encoding().code(state)))
            .collect();
        Self { kernel, background, board, codes }
    }

    /// Counts a chunk with these planes.
    pub(super) fn chunk(&self, chunk: &Chunk, planes: &[u64]) -> Census {
        let states = (1 << self.kernel.state_planes()) - 1;
        let few = !self.codes.is_empty();
        let mut census = Census {
            populations: vec![0; states],
            bounds: Rect::default(),
            tiles: if few { vec![0; states * 64] } else { Vec::new() },
        };
        let board = self.board.filter(|board| !board.contains_rect(chunk.rect()));
        for tile in tiles_of(chunk.living) {
            let corner = chunk.corner_of(tile);
            let area = Rect::new(corner.x, corner.y, TILE_SIDE, TILE_SIDE);
            let seen = board.map_or(area, |board| board.intersection(area));
            if seen.is_empty() {
                continue;
            }
            let inside = bits_inside(seen, corner.x);
            let rows = to_index(seen.y - corner.y)..to_index(seen.bottom() - corner.y);
            let first = first_word(tile);
            let planes: [&[u64]; MAX_PLANES] = std::array::from_fn(|plane| {
                planes.get(plane * PLANE + first..plane * PLANE + first + TILE_ROWS).unwrap_or_default()
            });
            let planes = &planes[..self.kernel.planes()];
            let mut living = [0; TILE_ROWS];
            if few {
                for &(stored, code) in &self.codes {
                    let mut cells = [0; TILE_ROWS];
                    pick(planes, code, inside, &mut cells);
                    cells[..rows.start].fill(0);
                    cells[rows.end..].fill(0);
                    let count = count_all(&cells, &mut living);
                    census.populations[stored - 1] += count;
                    census.tiles[tile * states + stored - 1] =
                        u16::try_from(count).expect("a tile has 4096 cells");
                }
            } else {
                for row in rows {
                    living[row] = self.count_row(planes, row, inside, &mut census.populations);
                }
            }
            if !census.bounds.contains_rect(seen) {
                census.bounds = census.bounds.union(bounds_of(&living, area));
            }
        }
        census
    }

    /// Counts a row of a tile cell by cell; gives which cells live.
    fn count_row(&self, planes: &[&[u64]], row: usize, inside: u64, populations: &mut [u64]) -> u64 {
        let mut coded = [0; MAX_PLANES];
        coded.iter_mut().zip(planes).for_each(|(word, plane)| *word = plane[row]);
        let mut binary = [0; MAX_PLANES];
        let binary = &mut binary[..self.kernel.state_planes()];
        self.kernel.encoding().decode(&coded[..planes.len()], binary);
        for (plane, word) in binary.iter_mut().enumerate() {
            *word ^= if self.background >> plane & 1 == 1 { u64::MAX } else { 0 };
        }
        let living = binary.iter().fold(0, |all, word| all | word) & inside;
        let mut left = living;
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            let stored = binary.iter().rev().fold(0, |state, word| state << 1 | word >> bit & 1);
            populations[to_index(stored.cast_signed()) - 1] += 1;
        }
        living
    }
}

/// The bounds of the cells of a tile.
fn bounds_of(living: &[u64; TILE_ROWS], tile: Rect) -> Rect {
    let (Some(top), Some(bottom)) =
        (living.iter().position(|word| *word != 0), living.iter().rposition(|word| *word != 0))
    else {
        return Rect::default();
    };
    let all = living.iter().fold(0, |all, word| all | word);
    let (left, right) = (i64::from(all.trailing_zeros()), 64 - i64::from(all.leading_zeros()));
    let row = |row| i64::try_from(row).expect("a row of a tile");
    Rect::new(tile.x + left, tile.y + row(top), right - left, row(bottom) + 1 - row(top))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::board::{Board, Cells};
    use crate::coin::coin_word;
    use crate::coords::Coords;
    use crate::engine::{CpuEngine, Engine, Raster};
    use crate::rule::{Rule, parse};

    fn rule(text: &str) -> Rule {
        parse(text).unwrap_or_else(|error| panic!("{text}: {}", error.one_line()))
    }

    /// Some cells of all states, far from each other and close by.
    fn board(rule: &Rule, seed: u64) -> Board {
        let mut cells = Cells::new();
        let mut put = |area: Rect, every: u32| {
            for at in area.cells() {
                let toss = coin_word(seed, 0, at.x, at.y, 0);
                if toss.is_multiple_of(every) {
                    let state = u16::try_from(toss / every % u32::from(rule.states())).expect("small");
                    cells.set(at, State::try_from(state).expect("a state")).expect("in reach");
                }
            }
        };
        let bounds = rule.topology().bounds();
        for (area, every) in [
            (Rect::new(0, 0, 130, 70), 2),
            (Rect::new(-300, 400, 200, 200), 50),
            (Rect::new(511, 511, 2, 2), 1),
            (Rect::new(700, -900, 64, 64), 1),
        ] {
            put(bounds.map_or(area, |bounds| bounds.intersection(area)), every);
        }
        Board { seed, ..Board::with_cells(rule.topology(), cells) }
    }

    #[test]
    fn chunks_and_tiles_hold_the_cells_that_are_read_from_them() {
        for (seed, text) in (1..).zip([
            "Life",
            "Immigration",
            "QuadLife:T601,590",
            "B03/S23Immigration-2",
            "P2Life:P140,77",
            "/2/17",
            "23/3/200:T600,600",
            "B36/S23Immigration:K650*,300",
        ]) {
            let rule = rule(text);
            let mut engine = CpuEngine::new(&rule).expect("an engine");
            engine.load(&board(&rule, seed)).expect("it fits");
            for generations in [0, 1, 2] {
                engine.step(generations, &crate::engine::Cancel::never()).expect("a step");
                let cells = engine.read(engine.field()).expect("cells");
                let tally = engine.tally().expect("a tally");
                let mut populations = vec![0; tally.populations.len()];
                let mut bounds = Rect::default();
                let mut tiles: BTreeMap<Coords, Vec<u16>> = BTreeMap::new();
                for (at, stored) in cells.iter() {
                    populations[usize::from(stored) - 1] += 1;
                    let corner = Coords::new(at.x.div_euclid(64) * 64, at.y.div_euclid(64) * 64);
                    let states = populations.len();
                    tiles.entry(corner).or_insert_with(|| vec![0; states])[usize::from(stored) - 1] += 1;
                    bounds = bounds.union(Rect::new(at.x, at.y, 1, 1));
                }
                let what = format!("{text} after {generations} more generations");
                assert_eq!(tally.populations, populations, "{what}");
                assert_eq!(tally.bounding_box.unwrap_or_default(), bounds, "{what}");
                for chunk in &engine.world.chunks {
                    let census = chunk.census.as_ref().expect("all are counted");
                    for tile in 0..64 {
                        let Some(found) = census.of_tile(tile) else {
                            assert!(rule.states() > FEW_STATES, "tiles are counted; {what}");
                            continue;
                        };
                        let corner = chunk.corner_of(tile);
                        let mut expected = tiles.get(&corner).cloned().unwrap_or_default();
                        expected.resize(found.len(), 0);
                        assert_eq!(found, expected, "tile {tile} at {corner:?}; {what}");
                    }
                }
            }
        }
    }

    #[test]
    fn pictures_of_counted_boards_are_those_of_boards_that_were_not() {
        for (seed, text) in
            (1..).zip(["QuadLife", "Immigration:T601,590", "B03/S23Immigration-2", "23/3/200:T600,600"])
        {
            let rule = rule(text);
            let mut engine = CpuEngine::new(&rule).expect("an engine");
            engine.load(&board(&rule, seed)).expect("it fits");
            let weights: Vec<_> =
                (0..rule.states()).map(|s| [f32::from(s % 7), 1.0, f32::from(s % 3), 0.5]).collect();
            for (pitch, leans) in
                [(64i64, false), (200, false), (513, false), (3000, false), (150, true), (1100, true)]
            {
                let edges =
                    |aside: i64| (0..12i64).map(|edge| aside + (edge - 6) * pitch).collect::<Vec<i64>>();
                let raster = Raster::new([edges(-7), edges(if leans { -6 } else { -7 })], edges(11), leans);
                // Drops what was counted.
                let edit = crate::engine::Edit { at: Coords::new(3, 3), state: 1 };
                engine.write(&[edit]).expect("in reach");
                for chunk in &mut engine.world.chunks {
                    chunk.census = None;
                }
                let rows = 1..10;
                let expected = engine.sums(&raster, rows.clone(), &weights).expect("sums");
                engine.tally().expect("a tally");
                let found = engine.sums(&raster, rows, &weights).expect("sums");
                assert_eq!(found, expected, "{text} with pixels of {pitch} cells, leaning: {leans}");
                assert!(expected.iter().any(|sum| sum[1] > 0.0), "something is seen");
            }
        }
    }
}
