//! Patterns and the files that hold them: RLE, macrocell, plain text (`.cells`), Life 1.05 and 1.06, `MCell` read; RLE,
//! macrocell and `.cells` written; the patterns that come with Biota.
//!
//! ```text
//! file --open, gunzip--> text --Format::detect--> one reader --> Pattern --to_board--> Board
//! Board --from_board--> Pattern --save, write--> file
//! an engine's board --about_board, Bands--> save_bands --> file
//! ```
//!
//! Readers stream: of the text only a window is held, and the cells go straight into sparse tiles, within
//! [`Limits`]. Writers stream too: they take the cells band by band ([`Bands`]), so that a board of 10⁹ cells is saved
//! without a second copy of it. No text makes them panic. A [`Pattern`] says what a file says; a rule stays text here, and what it
//! means is for the rule notation to find out.
//!
//! What each reader forgives is listed at its module; where it forgave something that may matter, the pattern's
//! [`notes`](Pattern::notes) say so.
//!
//! Not read yet: zip archives, pictures. They are recognised and named in the error.

mod bands;
mod error;
mod file;
mod input;
mod library;
mod life105;
mod life106;
mod macrocell;
mod mcell;
mod own;
mod painter;
mod plaintext;
mod rle;
#[cfg(test)]
mod tests;
mod whole;

pub use bands::Bands;
pub use error::{PatternError, SyntaxError};
pub use file::{open, open_watched, read, save, save_bands, write};
pub use library::{Entry, entries, find};
pub use plaintext::write_cells;
pub use rle::write_rle;
pub use whole::{abandon, check_writable, write_whole};

use std::fmt;

use crate::board::{Board, Cells, MAX_PLANES, TILE_ROWS, Tile, Topology};
use crate::cell::{DEAD, State};
use crate::coords::{Coords, Rect};
use crate::machine;
use crate::rule::{AsLife, Rule, as_life};

/// Bytes of comments that are kept of one file.
const MAX_COMMENTS: usize = 1 << 20;

/// The longest text of a rule file that is kept with a pattern, bytes.
pub const MAX_RULE_FILE: usize = 1 << 20;

/// How much a reader may take in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Memory for the cells, bytes. It is exceeded by no more than a few per cent before the reader stops.
    pub cell_bytes: u64,
    /// The longest text, bytes after unpacking.
    pub text_bytes: u64,
}

impl Default for Limits {
    /// Half of the memory that is to spare, for the engine that steps the pattern needs some too; out of 8 GiB of text.
    fn default() -> Self {
        Self { cell_bytes: machine::spare_memory() / 2, text_bytes: 8 << 30 }
    }
}

/// The formats of pattern files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// Run-length encoded, the field's common format; any number of states. `.rle`.
    #[default]
    Rle,
    /// Rows of `.` and `O` under comments that begin with `!`; two states. `.cells`.
    Cells,
    /// Blocks of `.` and `*`, each with its place; two states. `.lif`, `.life`.
    Life105,
    /// One living cell a line, as `x y`; two states. `.lif`, `.life`.
    Life106,
    /// A tree of squares, equal ones written once; any number of states. `.mc`.
    Macrocell,
    /// `MCell`'s lines under marks; any number of states. `.mcl`.
    MCell,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rle => "RLE",
            Self::Cells => "plain text",
            Self::Life105 => "Life 1.05",
            Self::Life106 => "Life 1.06",
            Self::Macrocell => "macrocell",
            Self::MCell => "MCell",
        })
    }
}

/// What a pattern file holds.
///
/// The cells stand where they stand in the file's frame: for RLE and plain text, (0, 0) is the top-left cell of the
/// text; for macrocell, the middle of the tree; for Life 1.05 and 1.06, and for patterns made of a board, cells keep their own
/// coordinates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// The living cells, with coordinates in the file's frame.
    pub cells: Cells,
    /// The format that it was read from.
    pub format: Format,
    /// The rule as written, with its topology suffix; `None` where the file names none (then Life is meant).
    pub rule: Option<String>,
    /// Where (0, 0) lies in the world, in the files' coordinates: (0, 0) is the origin of the unbounded
    /// plane and the middle of a bounded board (see [`Topology::golly_corner`]). `None` where the file doesn't say.
    pub position: Option<Coords>,
    /// The generation that these cells are; 0 where the file doesn't say.
    pub generation: u64,
    /// The state of all cells outside of `cells`, which then holds states XOR this one; `None` where the file doesn't
    /// say (see [`Self::background_under`]). RLE and macrocell have room for it.
    pub background: Option<State>,
    /// The seed of the coins that the board tosses; `None` where the file doesn't say. RLE and macrocell
    /// have room for it.
    pub seed: Option<u64>,
    /// What it is called.
    pub name: Option<String>,
    /// Who found it or made the file.
    pub author: Option<String>,
    /// The comments, one a line, without the format's marks. At most about a mebibyte of them is kept.
    pub comments: Vec<String>,
    /// Columns and rows of the frame from (0, 0) on: those that an RLE's header claims (which may be wrong, see
    /// [`Self::frame`]), else those that the text spans. `None` where the frame is just the living cells.
    pub size: Option<(i64, i64)>,
    /// The text of the rule file that came with the pattern, from `@RULE` on; at most [`MAX_RULE_FILE`] bytes. Only
    /// RLE has room for it, after the cells.
    pub rule_file: Option<String>,
    /// What the reader passed over and its user may want to know.
    pub notes: Vec<String>,
}

/// A pattern that was put on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The board, with the pattern's cells and generation.
    pub board: Board,
    /// How many living cells had no place on the bounded board and are left out.
    pub dropped: u64,
}

impl Placed {
    /// What the user should be told about cells that are left out.
    pub fn note(&self) -> Option<String> {
        (self.dropped > 0).then(|| {
            let (cells, are) = if self.dropped == 1 { ("cell", "is") } else { ("cells", "are") };
            format!("{} living {cells} outside of the board {are} left out", self.dropped)
        })
    }
}

impl Pattern {
    /// The rectangle that the pattern takes when it is pasted or written: its [`size`](Self::size) from (0, 0) on,
    /// enlarged where cells lie outside of that; without a size the living cells' bounding box.
    ///
    /// Empty when the pattern is.
    pub fn frame(&self) -> Rect {
        self.frame_of(self.cells.bounding_box())
    }

    /// [`Self::frame`], when the living cells' bounding box is `living`.
    fn frame_of(&self, living: Option<Rect>) -> Rect {
        let living = living.unwrap_or_default();
        match self.size {
            Some((width, height)) => Rect::new(0, 0, width, height).union(living),
            None => living,
        }
    }

    /// The state of all cells that are not listed, under `rule`: where the file doesn't say, that is dead, but for rules
    /// that Golly writes inverted at odd generations.
    pub fn background_under(&self, rule: &Rule) -> State {
        self.background.unwrap_or_else(|| State::from(rule.is_inverted_in_files(self.generation)))
    }

    /// [`Self::to_board`] for the board of a rule, which has a say in what a file means that doesn't name its background.
    pub fn to_board_under(&self, rule: &Rule) -> Result<Placed, PatternError> {
        self.placed(rule.topology(), self.background_under(rule))
    }

    /// Puts the pattern on a board of shape `topology`, at its generation, with its seed and its background.
    ///
    /// * Unbounded: at its position; without one, the top-left cell of its text comes to (0, 0).
    /// * Bounded: at its position, counted from the middle of the board as the files do; without one, the middle of
    ///   the [`size`](Self::size) that it claims comes to the middle of the board if that fits in, else its top-left to
    ///   the board's.
    ///   Cells outside of the board are left out, as Golly does, and counted in [`Placed::dropped`]. All cells of the
    ///   board that are not listed are in the background's state.
    ///
    /// Errors when cells lie out of reach, when all of them lie outside of the board, and when they, or a background that
    /// lives on a bounded board, take more memory there than the default [`Limits`] grant.
    pub fn to_board(&self, topology: Topology) -> Result<Placed, PatternError> {
        self.placed(topology, self.background.unwrap_or(DEAD))
    }

    fn placed(&self, topology: Topology, background: State) -> Result<Placed, PatternError> {
        let offset = self.offset_on(topology, self.frame());
        let cells = moved(self.cells.clone(), offset)?;
        let before = topology.bounds().and_then(|board| {
            let tally = cells.tally();
            let pattern = tally.bounding_box?;
            (!board.contains_rect(pattern)).then(|| (board, pattern, tally.population()))
        });
        let mut board = Board::with_cells(topology, cells);
        board.generation = self.generation;
        board.seed = self.seed.unwrap_or_default();
        let mut dropped = 0;
        if let Some((bounds, pattern, population)) = before {
            dropped = population - board.cells.tally().population();
            if dropped == population {
                return Err(PatternError::OffTheBoard { pattern, board: bounds });
            }
        }
        match topology.bounds() {
            // Only the plane has a background that lives.
            None => board.background = background,
            Some(bounds) => {
                let limit_bytes = Limits::default().cell_bytes;
                board.cells = board.cells.against(background, bounds, limit_bytes)?;
            }
        }
        Ok(Placed { board, dropped })
    }

    /// Moves the cells to where they stand on a board of shape `topology`. [`Self::to_board`] then shares them with the
    /// board, so that a large pattern is not held twice.
    ///
    /// Errors when cells lie out of reach, and when they take more memory there than the default [`Limits`] grant; then
    /// the pattern has no cells any more.
    pub fn settle(&mut self, topology: Topology) -> Result<(), PatternError> {
        let offset = self.offset_on(topology, self.frame());
        self.cells = moved(std::mem::take(&mut self.cells), offset)?;
        (self.position, self.size) = (Some(topology.golly_corner()), None);
        Ok(())
    }

    /// Leaves only life and death of a pattern of more states, under the rule of two states that is at the bottom of its
    /// own; see [`as_life`]. A rule file that came with it goes.
    pub fn reduce_to_life(&mut self) {
        let AsLife { rule, only_odd } = as_life(self.rule.as_deref().unwrap_or("B3/S23"));
        // Cells are kept XOR the background, before and after.
        let background = self.background.unwrap_or(DEAD);
        let is_alive = if only_odd { background % 2 == 1 } else { background != DEAD };
        self.background = self.background.map(|_| State::from(is_alive));
        let background_word = if is_alive { u64::MAX } else { 0 };
        let reduced = |tile: &Tile| {
            let state_bits = |plane: usize, row: usize| {
                let kept = tile.words().get(plane).map_or(0, |rows| rows[row]);
                if background >> plane & 1 == 1 { !kept } else { kept }
            };
            let planes = if only_odd { 1 } else { MAX_PLANES };
            std::array::from_fn(|row| {
                (0..planes).fold(0, |living, plane| living | state_bits(plane, row)) ^ background_word
            })
        };
        let mut cells = Cells::new();
        for (corner, tile) in self.cells.tiles() {
            let living = reduced(tile);
            if living != [0; TILE_ROWS] {
                cells.put_tile(corner, &[living]);
            }
        }
        (self.cells, self.rule, self.rule_file) = (cells, Some(rule), None);
    }

    /// Where the (0, 0) of the frame `frame` comes to on a board of shape `topology`, in the board's coordinates.
    fn offset_on(&self, topology: Topology, frame: Rect) -> Coords {
        let corner = topology.golly_corner();
        match (self.position, topology.bounds()) {
            (Some(at), _) => at.offset(-corner.x, -corner.y),
            (None, None) => Coords::default(),
            (None, Some(board)) => {
                // As in Golly, what a header claims counts here, even where there are more cells; a header of
                // no cells claims nothing.
                let claimed = self.size.map_or(frame, |(width, height)| Rect::new(0, 0, width, height));
                let fits = claimed.width <= board.width && claimed.height <= board.height;
                if fits && (self.size.is_none() || !claimed.is_empty()) {
                    Coords::new(
                        board.width / 2 - claimed.width / 2 - claimed.x,
                        board.height / 2 - claimed.height / 2 - claimed.y,
                    )
                } else {
                    Coords::new(-claimed.x, -claimed.y)
                }
            }
        }
    }

    /// The shape of the world that the rule names.
    fn topology_of_rule(&self) -> Topology {
        let suffix =
            self.rule.as_ref().and_then(|rule| rule.split_once(':')).map_or("", |(_, suffix)| suffix);
        Topology::parse(suffix).unwrap_or(Topology::Unbounded)
    }

    /// Where (0, 0) comes to in the files' coordinates on the board of the rule, when the living cells' bounding box is
    /// `living`.
    fn place_of(&self, living: Option<Rect>) -> Coords {
        let topology = self.topology_of_rule();
        let corner = topology.golly_corner();
        self.offset_on(topology, self.frame_of(living)).offset(corner.x, corner.y)
    }

    /// The pattern that a board holds, for saving; reading it back from RLE and placing it on the same topology gives
    /// the same board.
    ///
    /// `rule` is the board's rule, of whatever topology: the board's own is written.
    pub fn from_board(board: &Board, rule: &Rule) -> Self {
        Self { cells: board.cells.clone(), ..Self::about_board(board, board.cells.bounding_box(), rule) }
    }

    /// [`Self::from_board`] without the cells, of a board whose life is within `living`: for [`save_bands`]. The cells of
    /// `board` don't matter.
    pub fn about_board(board: &Board, living: Option<Rect>, rule: &Rule) -> Self {
        let origin = match (board.topology.bounds(), living) {
            (Some(_), _) => Some(board.topology.golly_corner()),
            (None, Some(living)) if (living.x, living.y) != (0, 0) => Some(Coords::default()),
            (None, _) => None,
        };
        // What is dead is said where Golly's files would mean that it lives.
        let says_background = board.background != DEAD || rule.is_inverted_in_files(board.generation);
        Self {
            rule: Some(rule.with_topology(board.topology).to_string()),
            position: origin,
            generation: board.generation,
            background: says_background.then_some(board.background),
            seed: (board.seed != 0).then_some(board.seed),
            ..Self::default()
        }
    }

    /// Where the frame's top-left cell lies in the files' coordinates; `None` when that is (0, 0) unsaid.
    fn corner_to_write(&self, frame: Rect) -> Option<Coords> {
        match self.position {
            Some(at) => Some(at.offset(frame.x, frame.y)),
            None if (frame.x, frame.y) != (0, 0) => Some(Coords::new(frame.x, frame.y)),
            None => None,
        }
    }

    /// Name, author and comments as lines under the marks that RLE and macrocell share.
    fn marked_lines(&self) -> impl Iterator<Item = String> {
        let marked = [("#N", self.name.as_ref()), ("#O", self.author.as_ref())];
        let texts = marked.into_iter().filter_map(|(mark, text)| Some((mark, text?)));
        texts
            .chain(self.comments.iter().map(|text| ("#C", text)))
            .map(|(mark, text)| format!("{mark} {}", one_line(text)).trim_end().to_owned())
    }

    /// The rule without white space, as files have it.
    fn rule_in_one_word(&self) -> Option<String> {
        let rule: String = self.rule.as_ref()?.chars().filter(|c| !c.is_whitespace()).collect();
        (!rule.is_empty()).then_some(rule)
    }

    /// Takes the digits `generation` for the pattern's generation, as far as it is counted.
    fn count_from(&mut self, generation: &str) {
        // Half of the range is left for generations to come.
        if let Some(generation) = generation.parse().ok().filter(|generation| *generation <= u64::MAX / 2) {
            self.generation = generation;
        } else {
            // Some rules take turns.
            let is_odd = generation.bytes().last().is_some_and(|digit| digit % 2 == 1);
            self.generation = u64::from(is_odd);
            self.note(&format!(
                "the generation is beyond what is counted; it counts from {} here",
                self.generation
            ));
        }
    }

    /// Notes what was passed over, once: a file may give the same cause a million times.
    fn note(&mut self, note: &str) {
        if self.notes.iter().all(|noted| noted != note) {
            self.notes.push(note.to_owned());
        }
    }

    /// Keeps a comment line, as far as there is room for it.
    fn keep_comment(&mut self, text: String, room: &mut usize) {
        // Short lines cost more than their text.
        let cost = text.len() + 32;
        if cost <= *room {
            *room -= cost;
            self.comments.push(text);
        } else {
            *room = 0;
            self.note("comments beyond the first mebibyte are left out");
        }
    }
}

/// The cells `offset` further.
fn moved(cells: Cells, offset: Coords) -> Result<Cells, PatternError> {
    Ok(cells.into_translated_within(offset.x, offset.y, Limits::default().cell_bytes)?)
}

/// Errors when a cell's state is not one of `states`; cells are kept as their state XOR `background`.
fn refuse_alien_states(cells: &Cells, states: u16, background: State) -> Result<(), PatternError> {
    let is_alien = |state: State| u16::from(state ^ background) >= states;
    // Mostly a tile has no planes for such a state; where it has, its highest state tells.
    let is_fine = |tile: &Tile| 1 << tile.planes() <= states || !is_alien(tile.highest_state());
    if background == 0 && cells.tiles().all(|(_, tile)| is_fine(tile)) {
        return Ok(());
    }
    let alien = cells.iter().find(|(_, state)| is_alien(*state));
    alien.map_or(Ok(()), |(at, state)| Err(PatternError::of_alien_state(at, state ^ background, states)))
}

/// A name or a comment as one line that can be written and read back: control characters become spaces.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim_end().to_owned()
}

/// Reads a coordinate of a file; `None` when it is no number or out of reach.
fn to_coordinate(text: &str) -> Option<i64> {
    text.parse().ok().filter(|value| Coords::new(*value, 0).is_in_reach())
}
