//! Which tiles of the plane are held, and in which slots of the atlas: known here, told to the shaders as tables.
//!
//! Knows topologies, but no GPU.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::{GhostsEntry, PlaceEntry, TILE_SIDE, TileAt, TileEntry};
use crate::board::{COORDINATE_LIMIT, Glue, Topology};
use crate::coords::{Coords, Rect};

/// How tiles of a topology stand beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seams {
    /// They don't: life ends at the edges, or there are none.
    Open,
    /// The last column of tiles touches the first, and the last row too: a torus whose sides are whole tiles.
    Whole,
    /// Ghost cells stand around the board, copied from the cells that the topology puts there.
    Ghosts,
}

impl Seams {
    pub(super) fn of(topology: Topology) -> Self {
        match topology {
            Topology::Unbounded | Topology::Plane { .. } => Self::Open,
            Topology::Torus { width, height } if width % TILE_SIDE == 0 && height % TILE_SIDE == 0 => {
                Self::Whole
            }
            _ => Self::Ghosts,
        }
    }
}

/// The tiles that are held.
#[derive(Clone, Debug)]
pub(super) struct Tiles {
    topology: Topology,
    seams: Seams,
    /// The tiles that there can be: first and last coordinates.
    first: TileAt,
    last: TileAt,
    slots: BTreeMap<TileAt, u32>,
    /// Slots below `next` that are free.
    free: Vec<u32>,
    /// The lowest slot that was never used. Slot 0 is the background.
    next: u32,
}

impl Tiles {
    /// No tiles of a world of this topology.
    pub(super) fn new(topology: Topology) -> Self {
        let limit = Coords::new(COORDINATE_LIMIT, COORDINATE_LIMIT);
        let bounds =
            topology.bounds().unwrap_or_else(|| Rect::between(Coords::new(-limit.x, -limit.y), limit));
        Self {
            topology,
            seams: Seams::of(topology),
            first: TileAt::of(Coords::new(bounds.x, bounds.y)),
            last: TileAt::of(Coords::new(bounds.right() - 1, bounds.bottom() - 1)),
            slots: BTreeMap::new(),
            free: Vec::new(),
            next: 1,
        }
    }

    pub(super) const fn topology(&self) -> Topology {
        self.topology
    }

    pub(super) const fn seams(&self) -> Seams {
        self.seams
    }

    /// How many tiles the whole board has.
    pub(super) fn of_board(&self) -> u64 {
        let side = |first: i32, last: i32| u64::from(last.abs_diff(first)) + 1;
        side(self.first.x, self.last.x).saturating_mul(side(self.first.y, self.last.y))
    }

    /// All tiles of the board, in reading order.
    pub(super) fn whole_board(&self) -> impl Iterator<Item = TileAt> + use<> {
        let (first, last) = (self.first, self.last);
        (first.y..=last.y).flat_map(move |y| (first.x..=last.x).map(move |x| TileAt { y, x }))
    }

    /// The tiles that hold only ghosts, around the whole board.
    pub(super) fn ghosts(&self) -> impl Iterator<Item = TileAt> + use<> {
        let (first, last) = (self.first, self.last);
        let rows = [first.y - 1, last.y + 1].into_iter();
        let across = rows.flat_map(move |y| (first.x - 1..=last.x + 1).map(move |x| TileAt { y, x }));
        let sides = (first.y..=last.y).flat_map(move |y| [first.x - 1, last.x + 1].map(|x| TileAt { y, x }));
        across.chain(sides)
    }

    /// Whether a tile is one of the board's, and no ghost.
    pub(super) const fn is_of_board(&self, at: TileAt) -> bool {
        self.first.x <= at.x && at.x <= self.last.x && self.first.y <= at.y && at.y <= self.last.y
    }

    /// The tile that stands beside `at`; `None` beyond the end of the world.
    pub(super) fn beside(&self, at: TileAt, dx: i32, dy: i32) -> Option<TileAt> {
        let beside = TileAt { y: at.y + dy, x: at.x + dx };
        match self.seams {
            Seams::Whole => {
                let wrap = |v: i32, last: i32| v.rem_euclid(last + 1);
                Some(TileAt { y: wrap(beside.y, self.last.y), x: wrap(beside.x, self.last.x) })
            }
            Seams::Open => self.is_of_board(beside).then_some(beside),
            Seams::Ghosts => Some(beside),
        }
    }

    /// The tiles around `at` in reading order, itself in the middle.
    pub(super) fn around(&self, at: TileAt) -> [Option<TileAt>; 9] {
        let offsets = [(-1, -1), (0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
        offsets.map(|(dx, dy)| self.beside(at, dx, dy))
    }

    /// The tiles from which life can reach `at` by at most as many cells as a tile has along its side, itself among them;
    /// by whatever edge, as far as [`Tiles::knows_nearness`].
    pub(super) fn near(&self, at: TileAt) -> BTreeSet<TileAt> {
        let board = self.topology.bounds().filter(|_| self.seams == Seams::Ghosts && self.knows_nearness());
        let Some(board) = board else { return self.around(at).into_iter().flatten().collect() };
        let parts = located(self.topology, at.cells().intersection(board).grown(TILE_SIDE));
        parts.into_iter().flat_map(tiles_of).collect()
    }

    /// Whether what lies beyond any edges is the board again, moved or mirrored along an edge; or nothing.
    pub(super) const fn knows_nearness(&self) -> bool {
        self.topology.glue().kind <= 4
    }

    /// The tiles beside those of the board in `of` that hold only ghosts.
    pub(super) fn ghosts_beside(&self, of: &BTreeSet<TileAt>) -> BTreeSet<TileAt> {
        let beside = of.iter().flat_map(|&at| self.around(at)).flatten();
        beside.filter(|&at| !self.is_of_board(at)).collect()
    }

    pub(super) fn slot(&self, at: TileAt) -> Option<u32> {
        self.slots.get(&at).copied()
    }

    /// The tiles with their slots, in reading order; ghosts too.
    pub(super) fn iter(&self) -> impl Iterator<Item = (TileAt, u32)> {
        self.slots.iter().map(|(&at, &slot)| (at, slot))
    }

    /// The tiles that meet an area, with their slots, in reading order.
    pub(super) fn within(&self, area: Rect) -> impl Iterator<Item = (TileAt, u32)> {
        let limit = |v: i64| v.clamp(-COORDINATE_LIMIT - 1, COORDINATE_LIMIT);
        let corner = |x, y| TileAt::of(Coords::new(limit(x), limit(y)));
        let (first, last) = (corner(area.x, area.y), corner(area.right() - 1, area.bottom() - 1));
        let rows = TileAt { y: first.y, x: i32::MIN }..=TileAt { y: last.y, x: i32::MAX };
        let some = (!area.is_empty()).then(|| self.slots.range(rows));
        some.into_iter()
            .flatten()
            .filter(move |(at, _)| first.x <= at.x && at.x <= last.x)
            .map(|(&at, &slot)| (at, slot))
    }

    /// How many slots an atlas must have for these tiles and `more` others.
    pub(super) fn slots_with(&self, more: usize) -> u64 {
        u64::from(self.next) + more.saturating_sub(self.free.len()) as u64
    }

    /// Gives a tile a slot.
    pub(super) fn hold(&mut self, at: TileAt) -> u32 {
        let (free, next) = (&mut self.free, &mut self.next);
        *self.slots.entry(at).or_insert_with(|| {
            free.pop().unwrap_or_else(|| {
                *next += 1;
                *next - 1
            })
        })
    }

    /// Takes a tile's slot away.
    pub(super) fn release(&mut self, at: TileAt) {
        self.free.extend(self.slots.remove(&at));
    }

    /// `tiles` of `shaders/board.wgsl`, by slot.
    pub(super) fn table(&self) -> Vec<TileEntry> {
        let mut table = vec![TileEntry::default(); self.next as usize];
        for (at, slot) in self.iter() {
            let around = self.around(at).map(|beside| beside.and_then(|at| self.slot(at)).unwrap_or(0));
            table[slot as usize] = TileEntry { at: [at.x, at.y], around, unused: 0 };
        }
        table
    }

    /// `ring` of `shaders/margin.wgsl`, as far as tiles are held: `rows` rows above and below the board, and twice as many
    /// columns beside it.
    pub(super) fn ring(&self, rows: i64) -> Vec<GhostsEntry> {
        let board = self.topology.bounds().unwrap_or_default();
        let wide = Rect::new(-2 * rows, -rows, board.width + 4 * rows, board.height + 2 * rows);
        let narrow = |value: i64| i32::try_from(value).expect("coordinates are within ±2³¹");
        let mut ring = Vec::new();
        for (at, slot) in self.iter().filter(|(at, _)| !board.contains_rect(at.cells())) {
            let part = at.cells().intersection(wide);
            for y in part.y..part.bottom() {
                let own = if (0..board.height).contains(&y) { board } else { Rect::default() };
                for word in part.x.div_euclid(32)..=(part.right() - 1).div_euclid(32) {
                    let cells = columns_in(wide, 32 * word) & !columns_in(own, 32 * word);
                    if cells != 0 {
                        ring.push(GhostsEntry { word: narrow(word), y: narrow(y), cells, slot });
                    }
                }
            }
        }
        ring
    }

    /// `map` of `shaders/board.wgsl`.
    pub(super) fn map(&self) -> Vec<PlaceEntry> {
        hash_map(self.iter().map(|(at, slot)| PlaceEntry { at: [at.x, at.y], slot, used: 1 }).collect())
    }
}

/// The tiles that an area meets.
fn tiles_of(area: Rect) -> impl Iterator<Item = TileAt> {
    let first = TileAt::of(Coords::new(area.x, area.y));
    let last = TileAt::of(Coords::new(area.right() - 1, area.bottom() - 1));
    (first.y..=last.y).flat_map(move |y| (first.x..=last.x).map(move |x| TileAt { y, x }))
}

/// Where on a board an area is that may go beyond its edges: the rectangles that its parts are there, where an edge moves
/// or mirrors them along itself (kinds of glue 1 to 4).
fn located(topology: Topology, area: Rect) -> Vec<Rect> {
    let Some(board) = topology.bounds().filter(|board| !board.contains_rect(area)) else { return vec![area] };
    let Glue { kind, .. } = topology.glue();
    // Rows between edges that move or mirror: columns, where those are the sides.
    let turned = |rect: Rect| match kind {
        3 | 4 => Rect::new(rect.y, rect.x, rect.height, rect.width),
        _ => rect,
    };
    let (board, area) = (turned(board), turned(area));
    let locate = |x, y| {
        let place = turned(Rect::new(x, y, 1, 1));
        let at = topology.locate(Coords::new(place.x, place.y)).unwrap_or_default();
        turned(Rect::new(at.x, at.y, 1, 1))
    };
    // Once round is enough.
    let right = area.right().min(area.x + board.width);
    let mut parts = Vec::new();
    let mut y = area.y;
    while y < area.bottom() {
        let round = y.div_euclid(board.height);
        let height = area.bottom().min((round + 1) * board.height) - y;
        let mirrored = matches!(kind, 2 | 4) && round % 2 != 0;
        let mut x = area.x;
        while x < right {
            let at = locate(x, y);
            let width = if mirrored { at.x + 1 } else { board.width - at.x }.min(right - x);
            let left = if mirrored { at.x + 1 - width } else { at.x };
            parts.push(turned(Rect::new(left, at.y, width, height)));
            x += width;
        }
        y += height;
    }
    parts
}

/// Which of 32 columns from `x` on an area has.
fn columns_in(area: Rect, x: i64) -> u32 {
    let up_to = |end: i64| u32::try_from((1u64 << (end - x).clamp(0, 32)) - 1).unwrap_or(u32::MAX);
    up_to(area.right()) & !up_to(area.x)
}

/// Whether a tile is one of the board's, and no ghost.
pub(super) fn is_of_board(tiles: &Tiles) -> impl Fn(&(TileAt, u32)) -> bool + use<'_> {
    |&(at, _)| tiles.is_of_board(at)
}

/// Puts places where a shader finds them: at least half of a map is free.
pub(super) fn hash_map(places: Vec<PlaceEntry>) -> Vec<PlaceEntry> {
    let mut map = vec![PlaceEntry::default(); (2 * places.len() + 1).next_power_of_two()];
    let mask = map.len() - 1;
    for entry in places {
        let [x, y] = entry.at;
        let mut place = hash(TileAt { y, x }) as usize & mask;
        while map[place].used != 0 {
            place = (place + 1) & mask;
        }
        map[place] = entry;
    }
    map
}

/// Where a tile is looked for in the map first; the twin of `hash_of` in `shaders/board.wgsl`.
fn hash(at: TileAt) -> u32 {
    let hash =
        at.x.cast_unsigned().wrapping_mul(0x9E37_79B1) ^ at.y.cast_unsigned().wrapping_mul(0x85EB_CA77);
    hash ^ hash >> 15
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_of_a_torus_of_whole_tiles_touch_across_its_edges() {
        let mut tiles = Tiles::new(Topology::Torus { width: 768, height: 512 });
        for at in tiles.whole_board() {
            tiles.hold(at);
        }
        assert_eq!(tiles.table().len(), 7, "six tiles and the background");
        let corner = tiles.table()[1];
        assert_eq!(corner.around, [6, 4, 5, 3, 1, 2, 6, 4, 5], "around the top-left tile of 3 × 2");
    }

    #[test]
    fn released_slots_are_used_again() {
        let mut tiles = Tiles::new(Topology::Unbounded);
        let [a, b, c] = [-3, 0, 9].map(|x| TileAt { y: -1, x });
        assert_eq!([tiles.hold(a), tiles.hold(b), tiles.hold(a)], [1, 2, 1], "one slot a tile");
        tiles.release(a);
        assert_eq!(tiles.slots_with(2), 4, "one is free");
        assert_eq!([tiles.hold(c), tiles.slots_with(0).try_into().expect("few")], [1, 3], "used again");
        let map = tiles.map();
        let mut places: Vec<_> = map.iter().filter(|place| place.used == 1).map(|p| (p.at, p.slot)).collect();
        places.sort_unstable();
        assert_eq!(places, [([0, -1], 2), ([9, -1], 1)], "in the map");
    }

    #[test]
    fn ghosts_stand_all_around_the_board() {
        let tiles = Tiles::new(Topology::Torus { width: 300, height: 20 });
        let ghosts: Vec<TileAt> = tiles.ghosts().collect();
        assert_eq!(ghosts.len(), 4 * 2 + 2, "around 2 × 1");
        assert!(ghosts.iter().all(|&at| !tiles.is_of_board(at)), "none is of the board: {ghosts:?}");
    }

    #[test]
    fn a_ring_holds_every_cell_beside_the_board_once() {
        for (text, rows) in
            [("T300,20", 1), ("K255*,257", 12), ("T1,1", 12), ("T31,500+3", 1), ("T512,256", 12)]
        {
            let topology = Topology::parse(text).expect("a topology");
            let mut tiles = Tiles::new(topology);
            for at in tiles.whole_board().chain(tiles.ghosts()) {
                tiles.hold(at);
            }
            let board = topology.bounds().expect("bounded");
            let wide = Rect::new(-2 * rows, -rows, board.width + 4 * rows, board.height + 2 * rows);
            let mut found = BTreeSet::new();
            for GhostsEntry { word, y, cells, slot } in tiles.ring(rows) {
                assert_eq!(
                    cells.count_ones(),
                    32 - cells.leading_zeros() - cells.trailing_zeros(),
                    "{text}: no gaps"
                );
                for bit in (0..32).filter(|bit| cells >> bit & 1 == 1) {
                    let at = Coords::new(i64::from(32 * word + bit), i64::from(y));
                    assert_eq!(tiles.slot(TileAt::of(at)), Some(slot), "{text}: {at:?}");
                    assert!(found.insert(at), "{text}: {at:?} once");
                }
            }
            let expected: BTreeSet<Coords> = wide.cells().filter(|&at| !board.contains(at)).collect();
            assert_eq!(found, expected, "{text}, {rows} rows");
        }
    }

    #[test]
    fn tiles_within_reach_are_near_by_whatever_edge() {
        for text in [
            "T300,700",
            "T257,513",
            "T255,700",
            "T1000+300,300",
            "T1000+999,5",
            "T300,1000+77",
            "K700*,300",
            "K300,700*",
            "K513*,257",
            "K900*+1,20",
            "K20,900*-1",
            "K257,770*",
            "T3,2000",
            "T2000,1",
            "K1*,900",
            "T1,900+450",
        ] {
            let topology = Topology::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let board = topology.bounds().expect("bounded");
            let tiles = Tiles::new(topology);
            for at in tiles.whole_board() {
                let own = at.cells().intersection(board);
                let reached =
                    own.grown(TILE_SIDE).cells().filter_map(|at| topology.locate(at)).map(TileAt::of);
                assert_eq!(tiles.near(at), reached.collect(), "{text}: near {at:?}");
            }
        }
    }

    #[test]
    fn the_plane_ends_where_coordinates_do() {
        let tiles = Tiles::new(Topology::Unbounded);
        let last = TileAt::of(Coords::new(COORDINATE_LIMIT, 0));
        assert_eq!(tiles.beside(last, 1, 0), None, "nothing is beyond");
        assert!(tiles.beside(last, -1, 0).is_some(), "inside");
    }
}
