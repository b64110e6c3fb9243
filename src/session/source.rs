//! Where a session's first board comes from.

use std::path::Path;
use std::sync::Arc;

use super::{EngineChoice, Session, SessionError};
use crate::board::{Board, Cells, Soup, SoupError, TILE_SIDE, Topology};
use crate::cell::State;
use crate::coords::{Rect, to_index};
use crate::engine::EngineError;
use crate::machine;
use crate::path;
use crate::pattern::{self, Limits, Pattern};
use crate::progress::Progress;
use crate::rule::named::states_topology;
use crate::rule::{ParseError, Rule, RuleFile, library, parse};
use crate::text;

/// From how many states of ageing cells on soups are of young cells only.
pub const MANY_AGES: usize = 8;

/// Cells of each row, times 64 rows, of a soup that are made between two looks at whether it is still wanted.
const SOUP_STRIDE: i64 = 1 << 19;

/// A board to start from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A pattern that was read.
    Pattern(Box<Pattern>),
    /// A random board.
    Soup {
        /// Columns; on a bounded rule its own size is taken.
        width: i64,
        /// Rows.
        height: i64,
        /// One density for all species together, or one a species.
        densities: Vec<f64>,
    },
    /// Nothing alive.
    Empty,
}

impl Source {
    /// Opens a file; a name that is no file may be one of the shipped patterns.
    pub fn open(name: &Path) -> Result<Self, SessionError> {
        Self::open_watched(name, &Progress::default())
    }

    /// [`Self::open`] that says how far it is, and stops when that is asked for.
    pub fn open_watched(name: &Path, progress: &Progress) -> Result<Self, SessionError> {
        let shipped = name.to_str().filter(|_| !name.exists()).and_then(pattern::find);
        let read = if let Some(entry) = shipped {
            entry.pattern()?
        } else {
            let found = path::existing(name);
            pattern::open_watched(found.as_deref().unwrap_or(name), &Limits::default(), progress)?
        };
        Ok(Self::Pattern(Box::new(read)))
    }

    /// The rule that the source asks for, or `rule` if one is given; a soup without a topology gets a torus of its
    /// size.
    pub fn rule(&self, rule: Option<&str>) -> Result<Rule, SessionError> {
        let text = match self {
            Self::Pattern(pattern) => return Ok(rule_of(pattern, rule)?),
            _ => rule,
        };
        let mut parsed = library::open(text.unwrap_or("Immigration"))?;
        if let Self::Soup { width, height, .. } = *self
            && parsed.topology() == Topology::Unbounded
            && !text.is_some_and(states_topology)
        {
            parsed = parsed.with_topology(Topology::Torus { width, height });
        }
        Ok(parsed)
    }

    /// Moves the cells of a pattern to their places on the rule's board, so that boards made of it share them.
    pub fn settle(&mut self, rule: &Rule) -> Result<(), SessionError> {
        match self {
            Self::Pattern(pattern) => Ok(pattern.settle(rule.topology())?),
            Self::Soup { .. } | Self::Empty => Ok(()),
        }
    }

    /// The board under a rule, with remarks on what the user should know (cells that did not fit, …). The seed of a
    /// pattern that has its own (a board that was saved while it ran) comes before `seed`.
    pub fn board(&self, rule: &Rule, seed: u64) -> Result<(Board, Vec<String>), SessionError> {
        self.board_watched(rule, seed, &Progress::default())
    }

    /// [`Self::board`] that says how far it is, and stops when that is asked for.
    pub fn board_watched(
        &self,
        rule: &Rule,
        seed: u64,
        progress: &Progress,
    ) -> Result<(Board, Vec<String>), SessionError> {
        let board = match self {
            Self::Pattern(pattern) => {
                let placed = pattern.to_board_under(rule)?;
                let mut notes = pattern.notes.clone();
                notes.extend(placed.note().into_iter().chain(rule.notes()));
                let seed = pattern.seed.unwrap_or(seed);
                return Ok((Board { seed, ..placed.board }, notes));
            }
            Self::Soup { width, height, densities } => {
                let soup = Soup::new(&shared_out(rule, densities)?, seed)?;
                let area = rule.topology().bounds().unwrap_or_else(|| Rect::new(0, 0, *width, *height));
                refuse_huge(area, rule.states())?;
                progress.set_total(area.area());
                let mut cells = Cells::new();
                // In whole rows of tiles.
                let rows = to_index((SOUP_STRIDE / area.width.max(1)).max(1) * TILE_SIDE);
                for top in (area.y..area.bottom()).step_by(rows) {
                    if progress.is_cancelled() {
                        return Err(SessionError::Cancelled);
                    }
                    let rows = Rect::new(area.x, top, area.width, rows as i64).intersection(area);
                    let mut part = Cells::new();
                    soup.fill(&mut part, rows).map_err(EngineError::from)?;
                    cells.append(part);
                    progress.advance(rows.area());
                }
                Board::with_cells(rule.topology(), cells)
            }
            Self::Empty => Board::empty(rule.topology()),
        };
        Ok((Board { seed, ..board }, rule.notes()))
    }

    /// A session on this source, with the remarks on it.
    pub fn session(
        &self,
        rule: Option<&str>,
        seed: u64,
        choice: EngineChoice,
    ) -> Result<(Session, Vec<String>), SessionError> {
        let rule = self.rule(rule)?;
        let (board, notes) = self.board(&rule, seed)?;
        Ok((Session::new(&rule, board, choice)?, notes))
    }
}

/// The rule that a pattern asks for, or `typed` if it is given, which may be the path of a rule file.
///
/// A rule file that came with the pattern answers for its own name, before anything else of that name; it is then
/// remembered, so that the name also works where it is typed later.
pub fn rule_of(pattern: &Pattern, typed: Option<&str>) -> Result<Rule, ParseError> {
    let text = typed.or(pattern.rule.as_deref()).unwrap_or("B3/S23");
    if let Some(section) = &pattern.rule_file {
        let name = text.split(':').next().unwrap_or_default().trim();
        let own_name = section.trim_start_matches("@RULE").split_whitespace().next().unwrap_or_default();
        if name.eq_ignore_ascii_case(own_name) {
            let file = RuleFile::parse(section, own_name).map_err(|error| ParseError {
                text: text.to_owned(),
                column: 0,
                message: format!("the @RULE section of the pattern, {}", error.one_line()),
            })?;
            let file = Arc::new(file);
            library::remember(&file);
            if let Some(rule) = library::stated_by(&file, text)? {
                return Ok(rule);
            }
        }
    }
    match typed {
        Some(text) => library::open(text),
        None => parse(text),
    }
}

/// One density a species. Of many ages only the first is in a soup: old cells would leave no room for young ones.
fn shared_out(rule: &Rule, densities: &[f64]) -> Result<Vec<f64>, SoupError> {
    let species = usize::from(rule.states()) - 1;
    match densities {
        [density] if rule.has_ageing_cells() && species > MANY_AGES => {
            Ok((0..species).map(|age| if age == 0 { *density } else { 0.0 }).collect())
        }
        _ => Soup::shared_out(densities, species),
    }
}

/// Refuses a soup that no engine could hold, before its memory is taken.
fn refuse_huge(area: Rect, states: u16) -> Result<(), SessionError> {
    const MAX_CELLS: u64 = 1 << 34;
    let highest = State::try_from(states - 1).unwrap_or(State::MAX);
    let bands = (area.height / TILE_SIDE + 1).unsigned_abs();
    let bytes = bands.saturating_mul(Cells::bytes_of_run(area.width, highest));
    let reason = if area.area() > MAX_CELLS {
        format!("soups have at most {MAX_CELLS} cells")
    } else {
        let spare = machine::spare_memory();
        if bytes <= spare {
            return Ok(());
        }
        let [bytes, spare] = [bytes, spare].map(text::bytes);
        format!(
            "a soup of {states} states takes {bytes} of memory there, in squares of {TILE_SIDE} cells, and {spare} are to spare"
        )
    };
    Err(EngineError::TooLarge { width: area.width, height: area.height, reason }.into())
}

/// The shipped pattern that Biota opens with: a lively board in two colours.
pub const DEMO: &str = "immigration/opening-scene";

/// The board that Biota opens with.
pub fn demo() -> Result<Source, SessionError> {
    Source::open(Path::new(DEMO))
}
