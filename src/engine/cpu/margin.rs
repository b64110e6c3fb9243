//! Glued edges: the cells beyond a bounded board are copied there from the cells that the topology puts there, so that
//! stepping needs to know nothing of it.

use super::chunk::{Key, PLANE, World, key_of, tile_of, word_of};
use super::stepper::{words, words_mut};
use crate::board::Topology;
use crate::coords::{Coords, Rect};

/// The most planes of any encoding.
const PLANES: usize = 8;

/// Whether what lies beyond the edges is the board again, moved but neither turned nor mirrored.
pub(super) const fn is_translation(topology: Topology) -> bool {
    matches!(topology, Topology::Torus { .. } | Topology::ShiftedTorus { .. })
}

/// Fills the ring of `rows` rows above and below and `columns` columns beside a glued board anew; tiles of it that differ
/// from what they were in the last macro-step are marked as changed.
pub(super) fn refresh(world: &mut World, topology: Topology, planes: usize, rows: i64, columns: i64) {
    let Some(board) = topology.bounds() else { return };
    let ring = Ring { topology, board, planes };
    let mut finder = Finder::default();
    let last = (board.width + columns - 1).div_euclid(64);
    for y in -rows..board.height + rows {
        let beside = (0..board.height).contains(&y);
        for column in (-columns).div_euclid(64)..=last {
            let x = 64 * column;
            if beside && x >= 0 && x + 64 <= board.width {
                continue;
            }
            let wanted = super::region::bits_inside(Rect::new(-columns, y, board.width + 2 * columns, 1), x);
            let ghosts = if beside { wanted & !super::region::bits_inside(board, x) } else { wanted };
            if ghosts != 0 {
                ring.fill(world, &mut finder, Coords::new(x, y), ghosts);
            }
        }
    }
}

/// Remembers where the chunks were that were asked for last.
#[derive(Default)]
struct Finder {
    known: [Option<(Key, Option<usize>)>; 4],
}

impl Finder {
    fn slot(&mut self, world: &World, key: Key) -> Option<usize> {
        let place = usize::from(key.0 & 1 == 1) * 2 + usize::from(key.1 & 1 == 1);
        match self.known[place] {
            Some((of, slot)) if of == key => slot,
            _ => {
                let slot = world.slot(key);
                self.known[place] = Some((key, slot));
                slot
            }
        }
    }
}

struct Ring {
    topology: Topology,
    board: Rect,
    planes: usize,
}

impl Ring {
    /// Fills the cells `ghosts` of the word at `at`.
    fn fill(&self, world: &mut World, finder: &mut Finder, at: Coords, ghosts: u64) {
        let value = self.value(world, finder, at, ghosts);
        let key = key_of(at);
        let some = value[..self.planes].iter().any(|&word| word != 0);
        let slot = match finder.slot(world, key) {
            Some(slot) => slot,
            None if !some => return,
            None => {
                *finder = Finder::default();
                world.ensure(key, &[0; PLANES][..self.planes])
            }
        };
        let (word, _) = word_of(at);
        let mut differs = 0;
        for (p, &value) in value[..self.planes].iter().enumerate() {
            let index = p * PLANE + word;
            let front = &mut words_mut(&mut world.front[slot])[index];
            *front = *front & !ghosts | value;
            differs |= (words(&world.back[slot])[index] ^ value) & ghosts;
        }
        let chunk = &mut world.chunks[slot];
        chunk.changed |= if differs == 0 { 0 } else { tile_of(word) };
        chunk.living |= if some { tile_of(word) } else { 0 };
    }

    /// What the planes hold at the cells `ghosts` of the word at `at`: those are next to each other.
    fn value(&self, world: &World, finder: &mut Finder, at: Coords, ghosts: u64) -> [u64; PLANES] {
        let mut value = [0; PLANES];
        let mut bit = ghosts.trailing_zeros();
        let end = 64 - ghosts.leading_zeros();
        while bit < end {
            let Some(from) = self.topology.locate(at.offset(i64::from(bit), 0)) else { return value };
            let (word, offset) = word_of(from);
            // As many cells as lie side by side there too.
            let mut run = (end - bit).min(64 - offset);
            run = if is_translation(self.topology) {
                run.min(u32::try_from(self.board.width - from.x).unwrap_or(64))
            } else {
                1
            };
            if let Some(slot) = finder.slot(world, key_of(from)) {
                let planes = words(&world.front[slot]);
                for (p, value) in value[..self.planes].iter_mut().enumerate() {
                    let cells = planes[p * PLANE + word] >> offset & (u64::MAX >> (64 - run));
                    *value |= cells << bit;
                }
            }
            bit += run;
        }
        value
    }
}
