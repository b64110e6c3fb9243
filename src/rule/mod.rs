//! What becomes of a cell: the [`Ruleset`] protocol, the rules that are built in, their notation, and their
//! way from a ruleset to the [`Kernel`] that engines run: over a [`table`] to a boolean [`circuit`] on whole words, or,
//! where the rule is too large for that, to a [`walk`] through a decision diagram for each cell.
//!
//! ```text
//! text --notation--> Rule { Ruleset, Topology } --table--> every case --circuit--> gates --\
//! name --library--> rule file --file--> diagram --> Rule --walk--> decision diagram ---------wgsl--> shader text
//! ```
//!
//! # A ruleset of one's own
//!
//! A ruleset answers for an empty and for an occupied cell. This one is Life on cells whose coordinates add up to
//! an even number, and lets all others only survive:
//!
//! ```
//! use biota::board::{Board, Cells, Coords, Topology};
//! use biota::cell::State;
//! use biota::coin::Coin;
//! use biota::engine::{Cancel, CpuEngine, Engine, OracleEngine};
//! use biota::lattice::Neighbours;
//! use biota::rule::{Dependence, Rule, Ruleset, Site};
//!
//! struct Chequered;
//!
//! impl Ruleset for Chequered {
//!     fn depends_on(&self) -> Dependence {
//!         // Two states; the counts of living neighbours matter, and the parity of x and of y.
//!         Dependence { parity_x: true, parity_y: true, ..Dependence::counting(2) }
//!     }
//!     fn empty_cell_next(&self, neighbours: &Neighbours, site: Site, _: &mut Coin) -> State {
//!         State::from((site.at.x + site.at.y) % 2 == 0 && neighbours.count(1) == 3)
//!     }
//!     fn occupied_cell_next(&self, neighbours: &Neighbours, _: State, _: Site, _: &mut Coin) -> State {
//!         State::from(matches!(neighbours.count(1), 2 | 3))
//!     }
//! }
//!
//! let topology = Topology::Torus { width: 33, height: 20 };
//! let rule = Rule::custom("Chequered", Chequered, topology);
//! let mut cells = Cells::new();
//! for (x, y) in [(1, 1), (2, 1), (3, 1), (4, 2), (0, 2)] {
//!     cells.set(Coords::new(x, y), 1)?;
//! }
//! let board = Board::with_cells(topology, cells);
//! // The oracle asks the ruleset cell by cell; the other engines run what is compiled from it.
//! let mut oracle = OracleEngine::new(&rule)?;
//! let mut fast = CpuEngine::new(&rule)?;
//! for engine in [&mut oracle as &mut dyn Engine, &mut fast] {
//!     engine.load(&board)?;
//!     engine.step(10, &Cancel::never())?;
//! }
//! assert_eq!(oracle.snapshot()?.cells, fast.snapshot()?.cells);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alternating;
pub mod circuit;
mod colours;
mod condition;
mod contact;
pub mod diagram;
pub mod file;
mod generations;
mod history;
mod kernel;
pub mod law;
pub mod library;
pub mod matrix;
pub mod named;
mod notation;
mod p2life;
pub mod table;
pub mod walk;
pub mod wgsl;

use std::fmt;
use std::sync::{Arc, OnceLock};

pub use alternating::{Alternating, AlternatingError};
pub use colours::{ColouredLife, Tie};
pub use condition::Condition;
pub use contact::{Mixed, Touch, TwoColonies};
pub use file::RuleFile;
pub use generations::Generations;
pub use history::History;
pub use kernel::Kernel;
pub use law::Law;
pub use notation::{AsLife, FOREIGN_FAMILY, ParseError, as_life};
pub use p2life::P2Life;

use crate::board::Topology;
use crate::cell::{DEAD, State};
use crate::coin::Coin;
use crate::coords::Coords;
use crate::lattice::{Neighbourhood, Neighbours};
use crate::palette::{self, Rgb};
use crate::text::quoted;
use circuit::CompileError;
use diagram::DecisionDiagram;

/// Where and when a cell is asked for its next state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// The place of the cell; a rule may look at the parity of x and y, if it declares so.
    pub at: Coords,
    /// The generation that the neighbours are of, from 0; a rule may look at its parity, if it declares so.
    pub generation: u64,
}

/// All that a ruleset's answers depend on. It must declare everything: engines but the oracle believe it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// Number of states, 2 to 256: states 0 … `states` − 1 occur.
    pub states: u16,
    /// How many states of neighbours are told apart, 2 to `states`. Without `seen_as`, a neighbour in one of the
    /// others is taken for dead (the dying cells of rules with ageing).
    pub seen_states: u16,
    /// What a neighbour is taken for, by its state, where that is not just the first `seen_states` of them: an entry
    /// for each state, of which `seen_states` different ones are taken for themselves, the dead state among them.
    pub seen_as: Option<&'static [State]>,
    /// Which cells are seen.
    pub neighbourhood: Neighbourhood,
    /// Whether it matters where the neighbours stand; otherwise only how many there are of each state.
    pub arrangement: bool,
    /// Whether the parity of x matters.
    pub parity_x: bool,
    /// Whether the parity of y matters.
    pub parity_y: bool,
    /// Whether the parity of the generation matters.
    pub parity_generation: bool,
    /// Coins tossed for one cell in one generation, 0 to [`MAX_TOSSES`](crate::coin::MAX_TOSSES).
    pub coins: u32,
}

impl Dependence {
    /// A rule of `states` states that sees the counts of its eight neighbours, and nothing else.
    pub const fn counting(states: u16) -> Self {
        Self {
            states,
            seen_states: states,
            seen_as: None,
            neighbourhood: Neighbourhood::Moore,
            arrangement: false,
            parity_x: false,
            parity_y: false,
            parity_generation: false,
            coins: 0,
        }
    }
}

impl Dependence {
    /// What a neighbour in state `state` is taken for.
    pub fn seen(&self, state: State) -> State {
        match self.seen_as {
            Some(seen_as) => seen_as.get(usize::from(state)).copied().unwrap_or(DEAD),
            None if u16::from(state) < self.seen_states => state,
            None => DEAD,
        }
    }

    /// The states that neighbours are taken for, ascending from [`DEAD`]: `seen_states` of them.
    pub fn seen_list(&self) -> Vec<State> {
        let last = State::try_from(self.states - 1).unwrap_or(State::MAX);
        (DEAD..=last).filter(|&state| self.seen(state) == state).collect()
    }
}

/// What the states of a rule stand for: how they are named and coloured where no rule file says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Living cells of one or more species.
    Species,
    /// State 1 lives, higher ones are the ages of dying cells.
    Ages,
    /// Those of [`History`].
    History,
}

/// The field's protocol of a rule: what an empty and what an occupied cell becomes.
pub trait Ruleset: Send + Sync {
    /// All that the answers depend on.
    fn depends_on(&self) -> Dependence;

    /// The next state of an empty cell with these neighbours.
    fn empty_cell_next(&self, neighbours: &Neighbours, site: Site, coin: &mut Coin) -> State;

    /// The next state of an occupied cell in state `value` (never [`DEAD`]) with these neighbours.
    fn occupied_cell_next(&self, neighbours: &Neighbours, value: State, site: Site, coin: &mut Coin)
    -> State;

    /// The next state of any cell: asks for an empty or for an occupied one.
    fn cell_next(&self, neighbours: &Neighbours, value: State, site: Site, coin: &mut Coin) -> State {
        if value == DEAD {
            self.empty_cell_next(neighbours, site, coin)
        } else {
            self.occupied_cell_next(neighbours, value, site, coin)
        }
    }

    /// The diagram that it answers from, if it has one: then the answers depend on neither place, time nor coins.
    fn diagram(&self) -> Option<&DecisionDiagram> {
        None
    }

    /// What the states stand for, on the screen and in pictures.
    fn meaning(&self) -> Meaning {
        Meaning::Species
    }
}

/// Nothing changes.
struct Still {
    states: u16,
    neighbourhood: Neighbourhood,
    meaning: Meaning,
}

impl Ruleset for Still {
    fn depends_on(&self) -> Dependence {
        let Self { states, neighbourhood, .. } = *self;
        Dependence { seen_states: 2, neighbourhood, ..Dependence::counting(states) }
    }

    fn empty_cell_next(&self, _: &Neighbours, _: Site, _: &mut Coin) -> State {
        DEAD
    }

    fn occupied_cell_next(&self, _: &Neighbours, value: State, _: Site, _: &mut Coin) -> State {
        value
    }

    fn meaning(&self) -> Meaning {
        self.meaning
    }
}

/// A rule and the shape of the world that it runs in.
#[derive(Clone)]
pub struct Rule {
    body: Arc<Body>,
    topology: Topology,
    /// Where names and colours of the states come from.
    dress: Option<Arc<RuleFile>>,
    /// Whether a file states it that was taken in place of a built-in rule of that name.
    is_instead: bool,
}

/// What is shared by all copies of a rule, whatever their topology.
struct Body {
    name: String,
    ruleset: Box<dyn Ruleset>,
    /// The rule file that states the rule.
    file: Option<Arc<RuleFile>>,
    /// Set where it is a rule string of two states under which empty space comes to life.
    b0: Option<B0>,
    /// Compiled when first asked for.
    kernel: OnceLock<Result<Arc<Kernel>, CompileError>>,
}

/// What is made of a rule string of two states with B0, as in Golly and `LifeViewer`.
#[derive(Clone, Debug, PartialEq, Eq)]
enum B0 {
    /// Full space stays alive: this is run, the same rule with dead and living exchanged.
    Dual(String),
    /// Full space dies: files of odd generations hold dead cells as living ones and living ones as dead.
    Flashing,
}

impl Rule {
    /// A rule of one's own. `name` stands for it in files and on the screen; it can't be parsed back.
    pub fn custom(name: &str, ruleset: impl Ruleset + 'static, topology: Topology) -> Self {
        Self::new(name, Box::new(ruleset), None, topology)
    }

    /// The rule that a rule file states; `None` for a file of names and colours only.
    pub fn from_file(file: &Arc<RuleFile>, topology: Topology) -> Option<Self> {
        let ruleset = Box::new(file.rule()?.clone());
        Some(Self::new(file.name(), ruleset, Some(Arc::clone(file)), topology).dressed_by(file))
    }

    fn new(name: &str, ruleset: Box<dyn Ruleset>, file: Option<Arc<RuleFile>>, topology: Topology) -> Self {
        let body = Body { name: name.to_owned(), ruleset, file, b0: None, kernel: OnceLock::new() };
        Self { body: Arc::new(body), topology, dress: None, is_instead: false }
    }

    /// The rule of two states that a rule string states by itself, on the unbounded plane: with B0 and S for all
    /// neighbours its dual is what runs.
    fn of_condition(condition: Condition) -> Self {
        let name = condition.to_string();
        let (b0, run) = match condition.of_uniform_space() {
            (true, true) => (Some(B0::Dual(condition.dual().to_string())), condition.dual()),
            (true, false) => (Some(B0::Flashing), condition),
            (false, _) => (None, condition),
        };
        let body = Body { name, ruleset: Box::new(run), file: None, b0, kernel: OnceLock::new() };
        Self { body: Arc::new(body), topology: Topology::Unbounded, dress: None, is_instead: false }
    }

    /// What the user should know of how the rule is read, a sentence each.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(B0::Dual(dual)) = &self.body.b0 {
            notes.push(format!(
                "{} makes life in empty space and keeps full space alive; as in Golly, its dual {dual} is run instead, \
                 the same with dead and living cells exchanged (a law runs as it is written)",
                quoted(self.name()),
                dual = quoted(dual)
            ));
        }
        if self.is_instead {
            notes.push(format!(
                "your own rule file {} is run, not the built-in rule of that name",
                self.name()
            ));
        }
        if let Some(file) = &self.body.file {
            notes
                .extend(file.warnings().into_iter().map(|text| format!("rule file {}, {text}", file.name())));
        }
        notes
    }

    /// Whether it is run as its dual, with dead and living cells exchanged.
    fn runs_its_dual(&self) -> bool {
        matches!(self.body.b0, Some(B0::Dual(_)))
    }

    /// The same rule, which a file of the user's states, taken in place of a built-in rule of that name.
    fn instead_of_a_built_in(self) -> Self {
        Self { is_instead: true, ..self }
    }

    /// Whether, where nothing else is said, a file of this generation holds the opposite of every cell, outside of what
    /// it lists too: Golly runs rules with B0 so at odd generations.
    pub fn is_inverted_in_files(&self, generation: u64) -> bool {
        self.body.b0 == Some(B0::Flashing) && !generation.is_multiple_of(2)
    }

    /// The same rule with the names and colours of a file.
    #[must_use]
    pub fn dressed_by(mut self, file: &Arc<RuleFile>) -> Self {
        self.dress = Some(Arc::clone(file));
        self
    }

    /// The text of the rule file that states this rule, from `@RULE` on; `None` for rules that are not stated by one.
    pub fn file_text(&self) -> Option<&str> {
        Some(self.body.file.as_deref()?.text())
    }

    /// What a state is called: by a rule file, else by the rule, where its states are no species and no ages.
    pub fn state_name(&self, state: State) -> Option<&str> {
        let by_rule = || match self.meaning() {
            Meaning::History => history::NAMES.get(usize::from(state)).copied(),
            Meaning::Species | Meaning::Ages => None,
        };
        self.dress.as_deref().and_then(|file| file.state_name(state)).or_else(by_rule)
    }

    /// What the states stand for.
    pub fn meaning(&self) -> Meaning {
        self.ruleset().meaning()
    }

    /// The colour that a rule file gives a state; `None` where the palette's is to be taken.
    pub fn colour(&self, state: State) -> Option<Rgb> {
        self.dress.as_deref()?.colour(state, self.states())
    }

    /// Whether states past the first are ages of dying cells, as in Generations.
    pub fn has_ageing_cells(&self) -> bool {
        self.meaning() == Meaning::Ages
    }

    /// The colour of a state on a dark or a light screen: the rule file's, else that of what it stands for.
    pub fn colour_on(&self, dark: bool, state: State) -> Rgb {
        let palette = match self.meaning() {
            Meaning::Species => palette::colour_on,
            Meaning::Ages => palette::graded,
            Meaning::History => palette::remembered,
        };
        self.colour(state).unwrap_or_else(|| palette(dark, state, self.states()))
    }

    /// The same rule in a world of another shape.
    #[must_use]
    pub fn with_topology(&self, topology: Topology) -> Self {
        Self { topology, ..self.clone() }
    }

    /// The canonical text without the topology.
    pub fn name(&self) -> &str {
        &self.body.name
    }

    /// The shape of the world.
    pub const fn topology(&self) -> Topology {
        self.topology
    }

    /// Who answers for a cell.
    pub fn ruleset(&self) -> &dyn Ruleset {
        self.body.ruleset.as_ref()
    }

    /// All that the rule depends on.
    pub fn depends_on(&self) -> Dependence {
        self.ruleset().depends_on()
    }

    /// Number of states, 2 to 256.
    pub fn states(&self) -> u16 {
        self.depends_on().states
    }

    /// What the fast engines run for the rule; compiled at the first call.
    pub fn kernel(&self) -> Result<Arc<Kernel>, CompileError> {
        self.body.kernel.get_or_init(|| Kernel::compile(self.ruleset()).map(Arc::new)).clone()
    }

    /// The same rule for those who only draw boards: where it is too large to be compiled, one under which nothing
    /// changes stands in for it.
    #[must_use]
    pub fn for_drawing(&self) -> Self {
        if self.kernel().is_ok() {
            return self.clone();
        }
        let (states, neighbourhood) = (self.states(), self.depends_on().neighbourhood);
        let still = Still { states, neighbourhood, meaning: self.meaning() };
        let Self { topology, dress, .. } = self.clone();
        Self { dress, ..Self::new(self.name(), Box::new(still), self.body.file.clone(), topology) }
    }

    /// What the background, all of it in state `background`, becomes: on bounded boards it is dead for ever.
    pub fn background_next(&self, background: State, generation: u64) -> State {
        if self.topology != Topology::Unbounded {
            return DEAD;
        }
        let seen = [background; crate::lattice::MAX_NEIGHBOURS];
        let neighbours = Neighbours::new(&seen[..self.depends_on().neighbourhood.size()]);
        let site = Site { at: Coords::default(), generation };
        self.ruleset().cell_next(&neighbours, background, site, &mut Coin::fixed(0))
    }

    /// Whether dead cells among dead ones stay dead, wherever and whenever they are and whatever is tossed.
    pub fn empty_space_stays_dead(&self) -> bool {
        let depends = self.depends_on();
        let neighbours =
            Neighbours::new(&[DEAD; crate::lattice::MAX_NEIGHBOURS][..depends.neighbourhood.size()]);
        (0..8u8).all(|parities| {
            let at = Coords::new(i64::from(parities & 1), i64::from(parities >> 1 & 1));
            let site = Site { at, generation: u64::from(parities >> 2) };
            (0..1u32 << depends.coins).all(|coins| {
                self.ruleset().cell_next(&neighbours, DEAD, site, &mut Coin::fixed(coins)) == DEAD
            })
        })
    }

    /// Whether an empty world of this rule is the same everywhere after any number of generations: demanded on
    /// the unbounded plane, where the background is one state. False when empty space tosses coins or looks at
    /// parities of coordinates and answers by them.
    pub fn background_is_uniform(&self) -> bool {
        let depends = self.depends_on();
        let size = depends.neighbourhood.size();
        (0..u64::from(depends.states)).all(|state| {
            let state = State::try_from(state).expect("at most 256 states");
            let neighbours = Neighbours::new(&[state; crate::lattice::MAX_NEIGHBOURS][..size]);
            let answers = (0..4i64).flat_map(|place| {
                let at = Coords::new(place & 1, place >> 1);
                (0..1u32 << depends.coins).map(move |coins| (at, coins))
            });
            [0, 1].into_iter().all(|generation| {
                let mut answers = answers.clone().map(|(at, coins)| {
                    let site = Site { at, generation };
                    self.ruleset().cell_next(&neighbours, state, site, &mut Coin::fixed(coins))
                });
                let first = answers.next();
                answers.all(|answer| Some(answer) == first)
            })
        })
    }
}

impl fmt::Display for Rule {
    /// The canonical text with the topology: `B3/S23:T200,100`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name(), self.topology)
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rule({self})")
    }
}

impl PartialEq for Rule {
    /// Rules are equal when their canonical texts are, and the rule files that state them.
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.topology == other.topology && self.body.file == other.body.file
    }
}

/// Reads a rule string with its topology suffix: the field's notation, else the name of a rule file that
/// [`library`] knows. It opens no paths; that is for [`library::open`].
pub fn parse(text: &str) -> Result<Rule, ParseError> {
    library::parse(text)
}

impl std::str::FromStr for Rule {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse(text)
    }
}
