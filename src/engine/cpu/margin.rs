//! Glued edges: the cells beyond a bounded board are copied there from the cells that the topology puts there, so that
//! stepping needs to know nothing of it.

use std::collections::{BTreeSet, TryReserveError};

use super::chunk::{Key, PLANE, SIDE, TILE_ROWS, World, key_of, tile_of, word_of};
use super::region::bits_inside;
use super::stepper::{words, words_mut};
use crate::board::{Glue, Topology};
use crate::coords::{Coords, Rect, to_index};
use crate::rule::walk::MAX_PLANES;

/// Up to how many columns and rows the whole ring is gone through; of larger boards only where something can be.
const SMALL: i64 = 1 << 17;
/// Columns and rows at most of a board whose edges are turned or mirrored.
pub(super) const LARGEST_TURNED: i64 = 1 << 24;

/// Fills the ring of `rows` rows above and below and `columns` columns beside a glued board anew; tiles of it that differ
/// from what they were in the last macro-step are marked as changed. Errors when there is no memory for it; then only the
/// ring has changed, which is filled again the next time.
pub(super) fn refresh(
    world: &mut World,
    topology: Topology,
    planes: usize,
    rows: i64,
    columns: i64,
) -> Result<(), TryReserveError> {
    let Some(board) = topology.bounds() else { return Ok(()) };
    let wide = Rect::new(-columns, -rows, board.width + 2 * columns, board.height + 2 * rows);
    let ring = Ring { topology, board, wide, planes };
    let keys = if board.width + board.height <= SMALL || !topology.is_torus() {
        ring.keys()
    } else {
        ring.keys_in_use(world)
    };
    let mut notes = Notes {
        ghosts: Finder::default(),
        originals: Finder::default(),
        pieces: Vec::new(),
        values: [[0; TILE_ROWS]; MAX_PLANES],
    };
    keys.into_iter().try_for_each(|key| ring.fill_chunk(world, &mut notes, key))
}

/// What is kept in mind from one word of the ring to the next.
struct Notes {
    /// Finds the chunks that ghosts lie in, and those that they are copied from.
    ghosts: Finder,
    originals: Finder,
    pieces: Vec<Piece>,
    /// What the planes hold in some rows.
    values: [[u64; TILE_ROWS]; MAX_PLANES],
}

/// Cells side by side in a word of the ring that are side by side in a word of the board too.
#[derive(Clone, Copy)]
struct Piece {
    /// The first one's place in the word of the ring, and how many there are.
    bit: u32,
    run: u32,
    /// The first one on the board.
    from: Coords,
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
    /// The board with its ring.
    wide: Rect,
    planes: usize,
}

impl Ring {
    /// The chunks that the ring lies in.
    fn keys(&self) -> BTreeSet<Key> {
        let (top, left) = key_of(Coords::new(self.wide.x, self.wide.y));
        let (bottom, right) = key_of(Coords::new(self.wide.right() - 1, self.wide.bottom() - 1));
        let (_, edge) = key_of(Coords::new(self.board.width, 0));
        (top..=bottom)
            .flat_map(|cy| {
                let inside = cy * SIDE >= 0 && (cy + 1) * SIDE <= self.board.height;
                let middle = if inside { 0..0 } else { 0..edge };
                (left..0).chain(middle).chain(edge..=right).map(move |cx| (cy, cx))
            })
            .collect()
    }

    /// Those of them that are there, or where a living chunk of a board larger than a chunk appears again.
    fn keys_in_use(&self, world: &World) -> BTreeSet<Key> {
        let (width, height) = (self.board.width, self.board.height);
        let mut keys = BTreeSet::new();
        for chunk in &world.chunks {
            keys.insert(chunk.key);
            if chunk.living == 0 {
                continue;
            }
            let Glue { kind, offset } = self.topology.glue();
            let (dx, dy) = if kind == 1 { (offset, 0) } else { (0, offset) };
            for (across, down) in (-1..=1i64).flat_map(|across| (-1..=1i64).map(move |down| (across, down))) {
                // What is shifted may come round the other pair of edges too.
                for round in -1..=1i64 {
                    let rect = chunk.rect();
                    let x = rect.x + across * width - down * dx + if dx == 0 { 0 } else { round * width };
                    let y = rect.y + down * height - across * dy + if dy == 0 { 0 } else { round * height };
                    let image = Rect::new(x, y, SIDE, SIDE).intersection(self.wide);
                    if !image.is_empty() {
                        let (top, left) = key_of(Coords::new(image.x, image.y));
                        let (bottom, right) = key_of(Coords::new(image.right() - 1, image.bottom() - 1));
                        keys.extend((top..=bottom).flat_map(|cy| (left..=right).map(move |cx| (cy, cx))));
                    }
                }
            }
        }
        keys
    }

    /// Fills what of the ring lies in a chunk.
    fn fill_chunk(&self, world: &mut World, notes: &mut Notes, (cy, cx): Key) -> Result<(), TryReserveError> {
        let part = Rect::new(cx * SIDE, cy * SIDE, SIDE, SIDE).intersection(self.wide);
        if part.is_empty() || self.board.contains_rect(part) {
            return Ok(());
        }
        let (top, bottom, end) = (part.y.max(0), part.bottom().min(self.board.height), part.bottom());
        for column in part.x.div_euclid(64)..=(part.right() - 1).div_euclid(64) {
            let x = 64 * column;
            let wanted = bits_inside(self.wide, x);
            let beside = wanted & !bits_inside(self.board, x);
            let bands =
                [(wanted, part.y..end.min(0)), (beside, top..bottom), (wanted, bottom.max(part.y)..end)];
            for (ghosts, band) in bands.into_iter().filter(|(ghosts, _)| *ghosts != 0) {
                let mut at = Coords::new(x, band.start);
                while at.y < band.end {
                    let mut rows = 1;
                    if self.topology.is_torus() {
                        notes.pieces.clear();
                        self.locate(at, ghosts, |piece| notes.pieces.push(piece));
                        rows = self.rows(at, band.end, &notes.pieces);
                    }
                    self.fill(world, notes, at, to_index(rows), ghosts)?;
                    at.y += rows;
                }
            }
        }
        Ok(())
    }

    /// How many rows from that at `at` on, and before `end`, lie in one tile, and on a torus one below the other on the
    /// board as well.
    fn rows(&self, at: Coords, end: i64, pieces: &[Piece]) -> i64 {
        let tile = 64 - at.y.rem_euclid(64);
        let there =
            |piece: &Piece| (SIDE - piece.from.y.rem_euclid(SIDE)).min(self.board.height - piece.from.y);
        pieces.iter().map(there).fold(tile.min(end - at.y), i64::min)
    }

    /// Where the cells `ghosts` of the word at `at` are copied from: those are next to each other.
    fn locate(&self, at: Coords, ghosts: u64, mut take: impl FnMut(Piece)) {
        let mut bit = ghosts.trailing_zeros();
        let end = 64 - ghosts.leading_zeros();
        while bit < end {
            let Some(from) = self.topology.locate(at.offset(i64::from(bit), 0)) else { return };
            let (_, offset) = word_of(from);
            // As many cells as lie side by side there too.
            let mut run = (end - bit).min(64 - offset);
            run = if self.topology.is_torus() {
                run.min(u32::try_from(self.board.width - from.x).unwrap_or(64))
            } else {
                1
            };
            take(Piece { bit, run, from });
            bit += run;
        }
    }

    /// Fills the cells `ghosts` of the word at `at`, and so in the rows below it, `rows` in all: on a torus from the pieces
    /// that were noted.
    fn fill(
        &self,
        world: &mut World,
        notes: &mut Notes,
        at: Coords,
        rows: usize,
        ghosts: u64,
    ) -> Result<(), TryReserveError> {
        let values = &mut notes.values[..self.planes];
        for values in &mut *values {
            values[..rows].fill(0);
        }
        let add = |Piece { bit, run, from }| {
            let Some(slot) = notes.originals.slot(world, key_of(from)) else { return };
            let (planes, (first, offset)) = (words(&world.front[slot]), word_of(from));
            for (p, values) in values.iter_mut().enumerate() {
                let originals = &planes[p * PLANE + first..][..rows];
                for (value, word) in values.iter_mut().zip(originals) {
                    *value |= (word >> offset & (u64::MAX >> (64 - run))) << bit;
                }
            }
        };
        if self.topology.is_torus() {
            notes.pieces.iter().copied().for_each(add);
        } else {
            self.locate(at, ghosts, add);
        }
        let some = values.iter().flat_map(|values| &values[..rows]).any(|&word| word != 0);
        let slot = match notes.ghosts.slot(world, key_of(at)) {
            Some(slot) => slot,
            None if !some => return Ok(()),
            None => {
                (notes.ghosts, notes.originals) = (Finder::default(), Finder::default());
                world.ensure(key_of(at), &[0; MAX_PLANES][..self.planes])?
            }
        };
        let (first, _) = word_of(at);
        let mut differs = 0;
        for (p, values) in values.iter().enumerate() {
            let index = p * PLANE + first;
            let front = &mut words_mut(&mut world.front[slot])[index..][..rows];
            let back = &words(&world.back[slot])[index..][..rows];
            for ((front, back), value) in front.iter_mut().zip(back).zip(values) {
                *front = *front & !ghosts | value;
                differs |= (back ^ value) & ghosts;
            }
        }
        let chunk = &mut world.chunks[slot];
        chunk.changed |= if differs == 0 { 0 } else { tile_of(first) };
        chunk.living |= if some { tile_of(first) } else { 0 };
        Ok(())
    }
}
