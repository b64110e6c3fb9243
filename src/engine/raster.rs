//! Far views without a GPU: what each pixel of a picture sees, when many cells lie in it, as sums over those cells.

use std::ops::Range;

use multiversion::multiversion;

use crate::board::{Cells, TILE_SIDE};
use crate::cell::State;
use crate::coords::{Coords, Rect, to_index};

/// Rows of a tile.
const ROWS: usize = 64;

/// What a cell adds to its pixel: any four numbers, of colours say.
pub type Weight = [f32; 4];

/// How a picture is cut out of the plane: each pixel has the cells from one edge to before the next one, at least one
/// cell in each direction. Every cell lies in one pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    /// The first column of cells of each column of pixels, and the one after the last: in even rows and in odd ones.
    columns: [Vec<i64>; 2],
    /// The first row of cells of each row of pixels, and the one after the last.
    rows: Vec<i64>,
    /// Whether the columns begin a cell further right every second row, as those of hexagons do; they are those of rows
    /// 0 and 1.
    leans: bool,
}

impl Raster {
    /// A picture whose pixels have these edges, which grow: at least two in each direction, and as many columns in odd rows as
    /// in even ones.
    ///
    /// # Panics
    /// When the edges are not so.
    pub fn new(columns: [Vec<i64>; 2], rows: Vec<i64>, leans: bool) -> Self {
        assert!(
            columns[0].len() == columns[1].len() && columns[0].len() > 1 && rows.len() > 1,
            "a picture has pixels"
        );
        assert!(
            [&columns[0], &columns[1], &rows].iter().all(|edges| edges.is_sorted()),
            "edges don't go back"
        );
        Self { columns, rows, leans }
    }

    /// Pixels in a row.
    pub const fn width(&self) -> usize {
        self.columns[0].len() - 1
    }

    /// Rows of pixels.
    pub const fn height(&self) -> usize {
        self.rows.len() - 1
    }

    /// How far to the right columns are in a row of cells, and which ones.
    fn columns_of(&self, y: i64) -> (i64, &[i64]) {
        if self.leans { (y >> 1, &self.columns[to_index(y & 1)]) } else { (0, &self.columns[0]) }
    }

    /// The cells of some rows of pixels, and where rows lean some around them.
    pub fn area(&self, rows: Range<usize>) -> Rect {
        let (top, bottom) = (self.rows[rows.start], self.rows[rows.end]);
        let ends = [top, top + 1, bottom - 2, bottom - 1].map(|y| {
            let (lean, columns) = self.columns_of(y);
            (columns[0] + lean, columns[self.width()] + lean)
        });
        let left = ends.iter().map(|end| end.0).min().unwrap_or_default();
        let right = ends.iter().map(|end| end.1).max().unwrap_or_default();
        Rect::new(left, top, right - left, bottom - top)
    }

    /// How many cells a pixel has, and how many of them lie in `bounds`.
    pub fn cells(&self, column: usize, row: usize, bounds: Option<Rect>) -> (u64, u64) {
        let (top, bottom) = (self.rows[row], self.rows[row + 1]);
        // Of rows that lean every second one is alike.
        let odd = if self.leans { (bottom >> 1) - (top >> 1) } else { 0 };
        let width = |y: i64| {
            let (_, columns) = self.columns_of(y);
            columns[column + 1] - columns[column]
        };
        let all = ((bottom - top - odd) * width(0) + odd * width(1)).unsigned_abs();
        let Some(bounds) = bounds else { return (all, all) };
        let ends = |y: i64| {
            let (lean, columns) = self.columns_of(y);
            (columns[column] + lean, columns[column + 1] + lean)
        };
        let (first, last) = (ends(top), ends(bottom - 1));
        let (left, right) = (first.0.min(last.0) - 1, first.1.max(last.1) + 1);
        let around = Rect::new(left, top, right - left, bottom - top);
        if bounds.contains_rect(around) {
            return (all, all);
        }
        if bounds.intersection(around).is_empty() {
            return (all, 0);
        }
        let inside = |y: i64| {
            let (left, right) = ends(y);
            (right.min(bounds.right()) - left.max(bounds.x)).max(0)
        };
        let (from, to) = (top.max(bounds.y), bottom.min(bounds.bottom()));
        let seen = if self.leans { (from..to).map(inside).sum() } else { (to - from).max(0) * inside(from) };
        (all, seen.unsigned_abs())
    }

    /// The sums of some rows of pixels over a plane on which all is in a state that weighs `weight`.
    pub(super) fn background(&self, rows: Range<usize>, weight: Weight) -> Vec<Weight> {
        if weight.iter().all(|part| *part == 0.0) {
            return vec![weight; rows.len() * self.width()];
        }
        let pixels = rows.flat_map(|row| (0..self.width()).map(move |column| (column, row)));
        pixels.map(|(column, row)| weight.map(|w| w * self.cells(column, row, None).0 as f32)).collect()
    }

    /// The sums of some rows of pixels over `cells`, which are kept as state XOR `background`; `weights` are those of all
    /// states.
    pub(super) fn sums_of(
        &self,
        rows: Range<usize>,
        cells: &Cells,
        background: State,
        weights: &[Weight],
    ) -> Vec<Weight> {
        let mut sums = self.background(rows.clone(), weights[usize::from(background)]);
        let weights: Vec<(u8, Weight)> =
            against(weights, background).map(|(state, weight)| (state ^ background, weight)).collect();
        let area = self.area(rows.clone());
        for (corner, tile) in cells.tiles() {
            let planes: Vec<&[u64]> = tile.words().iter().map(<[u64; ROWS]>::as_slice).collect();
            self.add(&rows, area, corner, &planes, weights.iter().copied(), &mut sums);
        }
        sums
    }

    /// The number of the pixel, among those of `rows`, that holds all cells of `area`; `None` where there is none.
    pub(super) fn pixel_around(&self, rows: &Range<usize>, area: Rect) -> Option<usize> {
        let row = find(&self.rows, area.y);
        if !rows.contains(&row) || self.rows[row] > area.y || self.rows[row + 1] < area.bottom() {
            return None;
        }
        let (first, columns) = self.columns_of(area.y);
        let column = find(columns, area.x - first);
        // Where rows lean, each second one lies like the one before it, a cell further left.
        let ends = [area.y, area.y + 1, area.bottom() - 2, area.bottom() - 1];
        let holds = |y: &i64| {
            let (lean, columns) = self.columns_of(*y);
            columns[column] + lean <= area.x && columns[column + 1] + lean >= area.right()
        };
        let checked = if self.leans { &ends[..] } else { &ends[..1] };
        checked.iter().all(holds).then(|| (row - rows.start) * self.width() + column)
    }

    /// Cells along the side of a pixel, about.
    pub fn pitch(&self) -> i64 {
        let cells = self.rows[self.height()] - self.rows[0];
        cells / i64::try_from(self.height()).expect("rows of a picture")
    }

    /// Where rows don't lean: of each column of pixels, how many columns of cells it has, and how many of these lie in
    /// `bounds`; and the same of each row. A pixel has as many cells as its column times its row.
    pub fn sides(&self, bounds: Option<Rect>) -> Option<[Vec<(u64, u64)>; 2]> {
        let sides = |edges: &[i64], from: i64, end: i64| {
            let side = |edges: &[i64]| {
                let seen = (edges[1].min(end) - edges[0].max(from)).max(0);
                ((edges[1] - edges[0]).unsigned_abs(), seen.unsigned_abs())
            };
            edges.windows(2).map(side).collect()
        };
        let all = [self.columns[0].as_slice(), &self.rows];
        let [x, y] = bounds.map_or([[i64::MIN, i64::MAX]; 2], |bounds| {
            [[bounds.x, bounds.right()], [bounds.y, bounds.bottom()]]
        });
        (!self.leans).then(|| [sides(all[0], x[0], x[1]), sides(all[1], y[0], y[1])])
    }

    /// Adds the cells of a tile that lie in `area` to the sums of some rows of pixels. The tile's top-left cell is
    /// `corner`; the cells whose bits in `planes` are the code of a weight weigh so much.
    pub(super) fn add(
        &self,
        rows: &Range<usize>,
        area: Rect,
        corner: Coords,
        planes: &[&[u64]],
        weights: impl Iterator<Item = (u8, Weight)>,
        sums: &mut [Weight],
    ) {
        let seen = Rect::new(corner.x, corner.y, TILE_SIDE, TILE_SIDE).intersection(area);
        if seen.is_empty() {
            return;
        }
        let inside = bits(seen.x - corner.x, seen.right() - corner.x);
        let (first, end) = (to_index(seen.y - corner.y), to_index(seen.bottom() - corner.y));
        // The row of pixels of the first row of cells.
        let top = find(&self.rows, seen.y).clamp(rows.start, rows.end - 1);
        let mut parts = Parts::default();
        if !self.leans {
            for_parts(&self.columns[0], corner.x, inside, |column, mask| parts.push(column, mask));
        }
        for (code, weight) in weights {
            if usize::from(code) >> planes.len() != 0 {
                continue;
            }
            let mut cells = [0; ROWS];
            pick(planes, code, inside, &mut cells);
            let mut add = |column: usize, row: usize, count: u64| {
                weigh(&mut sums[(row - rows.start) * self.width() + column], count, weight);
            };
            if self.leans {
                let mut row = top;
                for (y, &word) in (corner.y..).zip(&cells).take(end).skip(first) {
                    if word == 0 {
                        continue;
                    }
                    while self.rows[row + 1] <= y {
                        row += 1;
                    }
                    let (lean, columns) = self.columns_of(y);
                    for_parts(columns, corner.x - lean, inside, |column, mask| {
                        add(column, row, u64::from((word & mask).count_ones()));
                    });
                }
                continue;
            }
            let (mut row, mut y) = (top, first);
            while y < end {
                let next = to_index((self.rows[row + 1] - corner.y).min(TILE_SIDE)).min(end);
                for (columns, masks) in parts.columns.iter().zip(&parts.masks).take(parts.groups()) {
                    let mut counts = [0; LANES];
                    count(&cells[y..next], masks, &mut counts);
                    for (&column, count) in columns.iter().zip(counts).filter(|(_, count)| *count > 0) {
                        add(column, row, count);
                    }
                }
                (row, y) = (row + 1, next);
            }
        }
    }
}

/// Adds so many cells of a weight to the sum of a pixel.
pub(super) fn weigh(sum: &mut Weight, count: u64, weight: Weight) {
    sum.iter_mut().zip(weight).for_each(|(sum, weight)| *sum += count as f32 * weight);
}

/// Columns of pixels that are counted at once.
const LANES: usize = 8;

/// The columns of pixels that have cells of a tile, and the bits of those cells in its words; unused ones have none.
#[derive(Default)]
struct Parts {
    columns: [[usize; LANES]; 64 / LANES],
    masks: [[u64; LANES]; 64 / LANES],
    count: usize,
}

impl Parts {
    fn push(&mut self, column: usize, mask: u64) {
        let (group, lane) = (self.count / LANES, self.count % LANES);
        (self.columns[group][lane], self.masks[group][lane]) = (column, mask);
        self.count += 1;
    }

    const fn groups(&self) -> usize {
        self.count.div_ceil(LANES)
    }
}

/// Which part between two edges `at` lies in, or the first or the last one; edges are at about equal distances, so that it
/// is found by a guess.
fn find(edges: &[i64], at: i64) -> usize {
    let last = edges.len() - 2;
    let (first, end) = (edges[0], edges[last + 1]);
    if at < first || end <= first {
        return 0;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between the edges, and clamped"
    )]
    let guess = ((at - first) as f64 / (end - first) as f64 * (last + 1) as f64) as usize;
    let near = guess.saturating_sub(1).min(last)..(guess + 1).min(last) + 1;
    for part in near {
        if edges[part] <= at && at < edges[part + 1] {
            return part;
        }
    }
    edges.partition_point(|&edge| edge <= at).saturating_sub(1).min(last)
}

/// The weights of all states but that of the background, less what the background weighs, with their states.
pub(super) fn against(weights: &[Weight], background: State) -> impl Iterator<Item = (State, Weight)> + '_ {
    let base = weights[usize::from(background)];
    (0..=State::MAX).zip(weights).filter(move |(state, _)| *state != background).map(
        move |(state, weight)| {
            let mut weight = *weight;
            weight.iter_mut().zip(base).for_each(|(weight, base)| *weight -= base);
            (state, weight)
        },
    )
}

/// The bits from one to before another, 0 to 64.
fn bits(from: i64, end: i64) -> u64 {
    (u64::MAX >> (64 - end)) & (u64::MAX << from)
}

/// Calls `take` with each column of pixels that has cells of a word whose first cell is in column `x`, and with the bits of
/// those cells, as far as they are `inside`.
fn for_parts(columns: &[i64], x: i64, inside: u64, mut take: impl FnMut(usize, u64)) {
    let first = find(columns, x);
    for (column, edges) in columns.windows(2).enumerate().skip(first) {
        let (from, end) = ((edges[0] - x).max(0), (edges[1] - x).min(TILE_SIDE));
        if from >= TILE_SIDE {
            break;
        }
        if end > from {
            let mask = bits(from, end) & inside;
            if mask != 0 {
                take(column, mask);
            }
        }
    }
}

/// Which cells of each row have the bits of `code`, of those `inside`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn pick(planes: &[&[u64]], code: u8, inside: u64, cells: &mut [u64; ROWS]) {
    cells.fill(inside);
    for (plane, words) in planes.iter().enumerate() {
        let flip = if code >> plane & 1 == 1 { 0 } else { u64::MAX };
        for (cells, word) in cells.iter_mut().zip(*words) {
            *cells &= word ^ flip;
        }
    }
}

/// How many cells each of the masks has in all rows together.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vpopcntdq",
    "x86_64+avx2",
    "x86_64+popcnt",
    "aarch64+neon"
))]
fn count(rows: &[u64], masks: &[u64; LANES], counts: &mut [u64; LANES]) {
    for word in rows {
        for (count, mask) in counts.iter_mut().zip(masks) {
            *count += u64::from((word & mask).count_ones());
        }
    }
}

/// How many cells there are in all rows together; `any` gets them too.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vpopcntdq",
    "x86_64+avx2",
    "x86_64+popcnt",
    "aarch64+neon"
))]
pub(super) fn count_all(cells: &[u64; ROWS], any: &mut [u64; ROWS]) -> u64 {
    let mut count = 0;
    for (any, cells) in any.iter_mut().zip(cells) {
        *any |= cells;
        count += u64::from(cells.count_ones());
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coin::coin_word;

    /// What each state weighs.
    const WEIGHTS: [Weight; 4] =
        [[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]];

    fn edges(first: i64, steps: &[i64], count: usize) -> Vec<i64> {
        let mut edges = vec![first];
        edges.extend(steps.iter().cycle().take(count).scan(first, |at, step| {
            *at += step;
            Some(*at)
        }));
        edges
    }

    fn rasters() -> Vec<Raster> {
        let one = |first, steps: &[i64], count| [edges(first, steps, count), Vec::new()];
        let square = |[columns, _]: [Vec<i64>; 2], rows| Raster::new([columns.clone(), columns], rows, false);
        vec![
            square(one(-70, &[1, 2], 90), edges(-65, &[2, 1, 1], 90)),
            square(one(-70, &[10, 11], 17), edges(-90, &[11, 10, 10], 17)),
            square(one(-3, &[63, 65, 64], 3), edges(-1, &[1, 127], 3)),
            square(one(-1000, &[700], 3), edges(-900, &[800], 3)),
            Raster::new([edges(-70, &[3], 40), edges(-69, &[3], 40)], edges(-20, &[2, 3], 30), true),
            Raster::new([edges(-31, &[20, 30], 4), edges(-31, &[30, 20], 4)], edges(-64, &[64], 2), true),
        ]
    }

    fn cells(states: u64) -> Cells {
        let mut cells = Cells::new();
        for at in Rect::new(-80, -70, 210, 190).cells() {
            let toss = u64::from(coin_word(5, 0, at.x, at.y, 0));
            if toss % 3 == 0 {
                let state = State::try_from(toss / 3 % states).expect("small");
                cells.set(at, state).expect("in reach");
            }
        }
        cells
    }

    /// The pixel of each cell, by walking through all of them.
    fn slow_sums(raster: &Raster, cells: &Cells, background: State) -> Vec<Weight> {
        let mut sums = vec![Weight::default(); raster.width() * raster.height()];
        for row in 0..raster.height() {
            for y in raster.rows[row]..raster.rows[row + 1] {
                let (lean, columns) = raster.columns_of(y);
                for column in 0..raster.width() {
                    for x in columns[column] + lean..columns[column + 1] + lean {
                        let state = cells.get(Coords::new(x, y)) ^ background;
                        let sum = &mut sums[row * raster.width() + column];
                        sum.iter_mut()
                            .zip(WEIGHTS[usize::from(state)])
                            .for_each(|(sum, weight)| *sum += weight);
                    }
                }
            }
        }
        sums
    }

    #[test]
    fn every_pixel_is_the_sum_of_its_cells() {
        for background in [0, 2] {
            let cells = cells(4);
            for raster in rasters() {
                let expected = slow_sums(&raster, &cells, background);
                let third = raster.height() / 3;
                for rows in [0..third, third..raster.height()] {
                    let found = raster.sums_of(rows.clone(), &cells, background, &WEIGHTS);
                    let expected = &expected[rows.start * raster.width()..rows.end * raster.width()];
                    assert!(found == expected, "{rows:?} over {background} of {raster:?}");
                }
            }
        }
    }

    #[test]
    fn cells_on_the_board_are_counted() {
        let bounds = Rect::new(-11, 7, 120, 33);
        for raster in rasters() {
            for (column, row) in (0..raster.width()).flat_map(|c| (0..raster.height()).map(move |r| (c, r))) {
                let rows = raster.rows[row]..raster.rows[row + 1];
                let cells = rows.flat_map(|y| {
                    let (lean, columns) = raster.columns_of(y);
                    (columns[column] + lean..columns[column + 1] + lean).map(move |x| Coords::new(x, y))
                });
                let (mut all, mut inside) = (0, 0);
                for cell in cells {
                    all += 1;
                    inside += u64::from(bounds.contains(cell));
                }
                assert_eq!(
                    raster.cells(column, row, Some(bounds)),
                    (all, inside),
                    "({column}, {row}) of {raster:?}"
                );
                assert_eq!(raster.cells(column, row, None), (all, all), "({column}, {row}) without bounds");
            }
        }
    }
}
