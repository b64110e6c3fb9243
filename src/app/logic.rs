//! What the window does, without the window: a session, a camera, and what commands do to them.
//!
//! Knows neither wgpu nor winit. Long work runs on threads ([`Job`]) or is cut to a time budget: another rule, engine or
//! board is a new [`Session`], made on a thread while the old one is still shown, and kept afterwards for an undo.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::camera::Camera;
use super::clock::Clock;
use super::command::{Command, SoupOrder, Speed, Tool};
pub(crate) use super::job::SaveKind;
use super::job::{self, Change, Job, Work};
use super::rate::RateMeter;
use super::ui::View;
use crate::board::{Board, Topology};
use crate::cell::State;
use crate::coords::{Coords, Rect};
use crate::engine::{Cancel, Edit, EngineKind};
use crate::lattice::Neighbours;
use crate::progress::Progress;
use crate::rule::matrix::{Matrix, Outcome, Situation};
use crate::rule::named::states_topology;
use crate::rule::{Rule, library, parse};
use crate::session::{EngineChoice, Session, SessionError, Source, interesting_area};

/// Time that stepping may take of a frame; more, up to a third, where frames take long anyway.
const STEP_BUDGET: Duration = Duration::from_millis(12);
const LONGEST_STEP: Duration = Duration::from_millis(60);
/// Time that reading the board for a thread may take of a frame; it holds still meanwhile.
const FEED_BUDGET: Duration = Duration::from_millis(16);
/// Time between two frames while a thread makes a board or writes a file.
const FRAME_OF_A_JOB: Duration = Duration::from_millis(80);
/// Shortest time between two countings of the populations.
const TALLY_EVERY: Duration = Duration::from_millis(120);
/// Sides of the largest area that is verified, and the generations.
const VERIFY_SIDE: i64 = 256;
const VERIFY_GENERATIONS: u64 = 4;
/// Zoom at most when a board is fitted, points per cell.
const FIT_ZOOM: f64 = 24.0;
/// Cells among which those in a situation are looked for.
const LIT_CELLS: u64 = 200_000;
/// How many paintings of the matrix can be taken back.
const UNDO: usize = 200;
/// Cells of the present board from which on the board before it is let go of before another one is made: of boards of
/// gigabytes no more than two are in memory.
const HUGE: u64 = 1 << 30;
/// Cells that the oracle may be asked to step in the window.
const ORACLE_CELLS: u64 = 1 << 18;

/// How a notice is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Severity {
    Info,
    Good,
    Bad,
}

/// What the comparison with the oracle gave, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) equal: bool,
    pub(crate) text: String,
}

/// A board that another one has taken the place of, whole.
struct Before {
    session: Session,
    title: String,
    about: String,
}

/// Everything behind the window.
pub(crate) struct Model {
    pub(crate) session: Session,
    pub(crate) camera: Camera,
    pub(crate) dark: bool,
    pub(crate) grid: bool,
    pub(crate) marks: bool,
    pub(crate) panel_open: bool,
    pub(crate) help_open: bool,
    /// A dialog that asks for a file name: shown when a command asked for it.
    pub(crate) dialog: Option<Dialog>,
    /// A picture that the window is to take.
    pub(crate) picture: Option<PathBuf>,
    pub(crate) quit: bool,
    /// Files of boards of windows that were not closed; the first is offered.
    pub(crate) left: Vec<PathBuf>,
    /// Counts the changes of the board.
    pub(crate) version: u64,
    /// Whether a picture of this board is drawn; until then it holds still.
    pub(crate) is_drawn: bool,
    /// Time that the board may take of the next frame; `None` to go by how long frames take.
    pub(crate) spare: Option<Duration>,
    playing: bool,
    speed: Speed,
    /// Generations that are due and not yet done.
    debt: f64,
    /// Single steps that were asked for and are not yet done.
    steps: u64,
    /// The board before the last one was loaded, made or cleared.
    before: Option<Box<Before>>,
    /// Whether the view goes with the life on the board.
    follows: bool,
    /// Where life was when it was counted last.
    life: Option<Rect>,
    tool: Tool,
    title: String,
    about: String,
    hover: Option<(Coords, State)>,
    hover_px: Option<(f64, f64)>,
    /// Version of the board and cell of the last look, and when it was.
    hover_seen: (u64, Option<Coords>),
    hover_looked: Instant,
    /// What is to change the board when it is done; a newer one takes its place.
    job: Option<Job>,
    /// Saving, which goes on whatever else is begun.
    saving: Vec<Job>,
    notices: Vec<(Severity, String)>,
    verdict: Option<Verdict>,
    /// What counting failed with, which is told once.
    failure: Option<String>,
    soup: SoupOrder,
    /// The matrix as it is painted, ahead of the rule that runs while that is compiled; and those before it.
    painted: Option<Matrix>,
    undo: Vec<Matrix>,
    /// The situation whose cells are to be lit up; the pixels of their middles, and for what those were worked out.
    pub(crate) situation: Option<Situation>,
    lit: Vec<(f64, f64)>,
    lit_cells: Vec<Coords>,
    lit_for: Option<(u64, Situation, Rect)>,
    rate: RateMeter,
    /// When the populations were counted last, and how long that took; how long it has been going on.
    tallied: Instant,
    tally_took: Duration,
    counting: Option<Duration>,
    /// Whether the view has been brought to the board.
    fitted: bool,
    last_frame: Instant,
    pub(super) clock: Clock,
}

/// Asks for a file name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Dialog {
    Open,
    Save(SaveKind),
}

impl Model {
    pub(crate) fn new(session: Session, title: String, about: String, notes: Vec<String>) -> Self {
        let clock = Clock::default();
        let now = clock.now();
        let mut soup = SoupOrder { size: (256, 256), densities: Vec::new(), seed: session.seed() };
        soup.fit(session.rule());
        let mut camera = Camera::new();
        camera.set_lattice(session.rule().depends_on().neighbourhood.lattice());
        Self {
            session,
            camera,
            dark: true,
            grid: true,
            marks: false,
            panel_open: true,
            help_open: false,
            dialog: None,
            picture: None,
            quit: false,
            left: Vec::new(),
            version: 0,
            is_drawn: true,
            spare: None,
            playing: false,
            speed: Speed::PerSecond(20.0),
            debt: 0.0,
            steps: 0,
            before: None,
            follows: false,
            life: None,
            tool: Tool::Pan,
            title,
            about,
            hover: None,
            hover_px: None,
            hover_seen: (u64::MAX, None),
            hover_looked: now,
            job: None,
            saving: Vec::new(),
            notices: notes.into_iter().map(|note| (Severity::Info, note)).collect(),
            verdict: None,
            failure: None,
            soup,
            painted: None,
            undo: Vec::new(),
            situation: None,
            lit: Vec::new(),
            lit_cells: Vec::new(),
            lit_for: None,
            rate: RateMeter::default(),
            tallied: now,
            tally_took: Duration::ZERO,
            counting: None,
            fitted: false,
            last_frame: now,
            clock,
        }
    }

    /// Lets the board run, or holds it.
    pub(crate) fn set_playing(&mut self, playing: bool) {
        self.playing = playing;
        self.debt = 0.0;
        self.steps = 0;
        self.rate.restart();
    }

    pub(crate) const fn is_playing(&self) -> bool {
        self.playing
    }

    /// Notices since the last call.
    pub(crate) fn take_notices(&mut self) -> Vec<(Severity, String)> {
        std::mem::take(&mut self.notices)
    }

    pub(crate) fn notify(&mut self, severity: Severity, text: impl Into<String>) {
        self.notices.push((severity, text.into()));
    }

    fn report(&mut self, result: Result<(), impl std::fmt::Display>) {
        if let Err(error) = result {
            self.notify(Severity::Bad, error.to_string());
        }
    }

    /// What the panel and the bars show.
    pub(crate) fn view(&self) -> View<'_> {
        View {
            rule: self.session.rule(),
            title: &self.title,
            about: &self.about,
            playing: self.playing,
            speed: self.speed,
            generation: self.session.generation(),
            rate: self.rate.shown(),
            history: self.session.history(),
            engine: self.session.engine().kind(),
            choice: self.session.choice(),
            adapter: self.session.engine().adapter(),
            engine_reason: self.session.engine_reason(),
            tool: self.tool,
            dark: self.dark,
            grid: self.grid,
            marks: self.marks,
            follows: self.follows,
            zoom_px_per_cell: self.camera.zoom_px_per_cell(),
            hover: self.hover,
            busy: self.job.as_ref().or(self.saving.first()).map(Job::text),
            can_stop: self.job.is_some(),
            verdict: self.verdict.as_ref(),
            soup: &self.soup,
            lit: &self.lit,
            painted: self.painted.as_ref(),
            can_undo_matrix: !self.undo.is_empty(),
            can_undo: self.before.is_some(),
            panel_open: self.panel_open,
            help_open: self.help_open,
            dialog: self.dialog.as_ref(),
            left: self.left.first().map(PathBuf::as_path),
        }
    }

    /// One frame of time: glides, steps, takes what threads have brought. How long until the next frame, without input;
    /// `None` where nothing is to come.
    pub(crate) fn advance(&mut self) -> Option<Duration> {
        let now = self.clock.now();
        let secs = now.duration_since(self.last_frame).as_secs_f64().min(0.25);
        self.last_frame = now;
        self.take_outcomes();
        let budget =
            self.spare.unwrap_or(Duration::from_secs_f64(secs / 3.0).clamp(STEP_BUDGET, LONGEST_STEP));
        let held = self.feed(&self.clock.until(now + FEED_BUDGET));
        let counted = held || self.count(&self.clock.until(now + budget));
        let is_known = self.life.is_some() || self.session.rule().topology() != Topology::Unbounded;
        if !self.fitted && (counted || is_known) && self.camera.viewport_px().0 > 1.0 {
            self.fit_board();
        }
        if self.follows
            && let Some(life) = self.life
        {
            self.camera.follow(life, FIT_ZOOM);
        }
        let gliding = self.camera.glide(secs);
        if self.playing {
            let wanted = match self.speed {
                Speed::PerSecond(rate) => {
                    // What could not be done in time is let go after a quarter of a second.
                    self.debt = (self.debt + rate * secs).min((rate * 0.25).max(1.0));
                    floor(self.debt)
                }
                Speed::PerFrame(count) => count,
                Speed::Fastest => u64::MAX,
            };
            if wanted > 0 && !held && counted && self.is_drawn {
                let done = self.step(wanted, &self.clock.until(now + budget));
                self.debt = (self.debt - done as f64).max(0.0);
            }
            self.rate.note(self.clock.now(), self.session.generation());
        } else if self.steps > 0 && !held && self.is_drawn {
            let done = self.step(self.steps, &self.clock.until(now + budget));
            self.steps = self.steps.saturating_sub(done);
        }
        if let Some(notice) = self.session.take_notice() {
            self.version += 1;
            self.notify(Severity::Bad, notice);
        }
        self.look_below_pointer();
        self.light_up();
        let more = gliding || held || self.playing || !counted || self.steps > 0;
        let waits = self.job.is_some() || !self.saving.is_empty();
        // Who waits for a thread wants it to have the processor.
        let pause = if waits && !(gliding || held) { FRAME_OF_A_JOB } else { Duration::ZERO };
        (more || waits).then_some(pause)
    }

    /// Reads of the board what threads have asked for; whether it has to hold still.
    fn feed(&mut self, cancel: &Cancel) -> bool {
        let mut failed = None;
        for job in self.saving.iter_mut().chain(&mut self.job) {
            let Some(feed) = job.feed.as_mut().filter(|feed| feed.is_asked()) else { continue };
            match feed.go_on(&mut self.session, cancel) {
                Ok(false) => {}
                Ok(true) => job.feed = None,
                Err(error) => {
                    // The thread finds its end gone.
                    job.feed = None;
                    failed = Some(error);
                }
            }
            if cancel.is_due() {
                break;
            }
        }
        self.report(failed.map_or(Ok(()), Err));
        self.holding().is_some()
    }

    /// What the board holds still for, if it does.
    fn holding(&self) -> Option<&str> {
        let mut jobs = self.saving.iter().chain(&self.job);
        jobs.find(|job| job.holds_the_board()).map(|job| job.what.trim_end_matches('…'))
    }

    /// Whether the board may be changed by hand now; says why not.
    fn may_change(&mut self) -> bool {
        let Some(what) = self.holding() else { return true };
        let text = format!("The board holds still meanwhile: {what}");
        self.notify(Severity::Info, text);
        false
    }

    /// Counts the populations when they are due, a frame's part at a time; whether the board may go on meanwhile. A count
    /// of what has changed since is worth nothing, so that the board waits for it: an eighth of the time at the most.
    fn count(&mut self, cancel: &Cancel) -> bool {
        let elapsed = self.clock.now().duration_since(self.tallied);
        let due = self.counting.is_some() || elapsed >= TALLY_EVERY.max(8 * self.tally_took);
        if self.playing && !due {
            return true;
        }
        let start = self.clock.now();
        let whole = self.session.count(cancel);
        let took = self.counting.unwrap_or_default() + self.clock.now().duration_since(start);
        if let Ok(false) = whole {
            self.counting = Some(took);
            return false;
        }
        // What was known already took no time.
        if self.counting.take().is_some() || self.playing {
            self.tally_took = took;
        }
        self.tallied = self.clock.now();
        let life = whole.and_then(|_| self.session.tally().map(|tally| tally.bounding_box));
        match life {
            Ok(life) => self.life = life,
            // It would fail in each frame.
            Err(error) => self.fail(&error),
        }
        true
    }

    /// Counts the board anew: an engine whose GPU was lost finds out.
    pub(crate) fn look_again(&mut self) {
        self.session.touched();
        self.changed();
    }

    /// Says what went wrong, and holds the board.
    fn fail(&mut self, error: &SessionError) {
        self.set_playing(false);
        let text = error.to_string();
        if self.failure.as_ref() != Some(&text) {
            self.failure = Some(text.clone());
            self.notify(Severity::Bad, text);
        }
    }

    /// Steps; an error stops the run and is reported. Gives how many generations were done.
    fn step(&mut self, generations: u64, cancel: &Cancel) -> u64 {
        match self.session.step(generations, cancel) {
            Ok(done) => {
                self.version += u64::from(done > 0);
                done
            }
            Err(error) => {
                self.set_playing(false);
                self.notify(Severity::Bad, error.to_string());
                0
            }
        }
    }

    /// Shows all life; where that is shown already, the whole board.
    fn fit(&mut self) {
        self.follows = false;
        // Counting a huge board anew takes longer than a frame: then where life was last will do.
        if self.session.count(&self.clock.until(self.clock.now() + STEP_BUDGET)).is_ok_and(|whole| whole)
            && let Ok(tally) = self.session.tally()
        {
            self.life = tally.bounding_box;
        }
        let board = interesting_area(self.session.rule().topology(), self.life);
        let place = self.camera.place();
        self.fitted = true;
        self.camera.fit(self.life.map_or(board, |life| life.grown(4).intersection(board)), FIT_ZOOM);
        if self.camera.place() == place {
            self.camera.fit(board, FIT_ZOOM);
        }
    }

    /// Shows the whole board, or all life on the unbounded plane.
    fn fit_board(&mut self) {
        self.fitted = true;
        self.camera.fit(interesting_area(self.session.rule().topology(), self.life), FIT_ZOOM);
    }

    /// Does what was asked.
    pub(crate) fn perform(&mut self, command: Command) {
        match command {
            Command::PlayPause => self.set_playing(!self.playing),
            Command::Step if !self.may_change() => {}
            Command::Step => {
                let steps = if self.playing { 0 } else { self.steps };
                self.set_playing(false);
                self.steps = steps + 1;
            }
            Command::Reset => {
                let (rule, start) = (self.session.rule().clone(), Arc::clone(self.session.start()));
                let choice = self.session.choice();
                self.set_playing(false);
                self.start_job("Going back to the start…".to_owned(), move |_| {
                    job::load(&rule, start, choice, Change::Reset)
                });
            }
            Command::Undo => self.undo(),
            Command::Slower => self.speed = slower(self.speed),
            Command::Faster => self.speed = faster(self.speed),
            Command::SetSpeed(speed) => self.speed = speed,
            Command::ZoomIn | Command::ZoomOut | Command::ZoomAt(..) | Command::Pan(..) => {
                self.follows = false;
                match command {
                    Command::ZoomIn => self.camera.zoom(2.0),
                    Command::ZoomOut => self.camera.zoom(0.5),
                    Command::ZoomAt(pixel, factor) => self.camera.zoom_at(pixel, factor),
                    Command::Pan(dx, dy) => self.camera.pan(dx, dy),
                    _ => {}
                }
            }
            Command::ToggleFollow => self.follows = !self.follows,
            Command::Fit => self.fit(),
            Command::ToggleGrid => self.grid = !self.grid,
            Command::ToggleMarks => {
                self.marks = !self.marks;
                if self.marks && self.camera.zoom_px_per_cell() < super::renderer::MARKS_FROM_PX {
                    self.notify(Severity::Info, "Zoom in to see the marks of births and deaths");
                }
            }
            Command::TogglePanel => self.panel_open = !self.panel_open,
            Command::ToggleTheme => self.dark = !self.dark,
            Command::ToggleHelp => self.help_open = !self.help_open,
            Command::Quit => self.quit = true,
            Command::ShowOpen => self.toggle_dialog(Dialog::Open),
            Command::ShowSave => self.toggle_dialog(Dialog::Save(SaveKind::Pattern)),
            Command::ShowScreenshot => self.toggle_dialog(Dialog::Save(SaveKind::Picture)),
            Command::NewSoup => {
                let order = SoupOrder { seed: self.soup.seed.wrapping_add(1), ..self.soup.clone() };
                self.make_soup(order);
            }
            Command::MakeSoup(order) => self.make_soup(order),
            Command::Clear => {
                let (rule, choice) = (self.session.rule().clone(), self.session.choice());
                let board = Board { seed: self.session.seed(), ..Board::empty(rule.topology()) };
                self.set_playing(false);
                let (title, about, notes) = ("Empty board".to_owned(), String::new(), Vec::new());
                self.start_job("Clearing the board…".to_owned(), move |_| {
                    job::load(&rule, board, choice, Change::Loaded { title, about, notes })
                });
            }
            Command::Verify => {
                if self.may_change() {
                    self.verify();
                }
            }
            Command::Escape if self.job.is_some() => self.stop_job(),
            Command::Escape => self.perform(Command::SetTool(Tool::Pan)),
            Command::SetTool(Tool::Draw(state)) if u16::from(state) >= self.session.rule().states() => {
                self.notify(Severity::Info, format!("This rule has no species {state}"));
            }
            Command::SetTool(tool) => {
                self.tool = tool;
                self.dialog = None;
                self.help_open = false;
            }
            Command::SetRule(text) if library::is_path(&text) => self.open_rule(text),
            Command::SetRule(text) => match parse(&text) {
                Ok(rule) => {
                    // Without a suffix the board keeps its shape.
                    let topology =
                        if states_topology(&text) { rule.topology() } else { self.session.rule().topology() };
                    self.set_rule(rule.with_topology(topology));
                }
                Err(error) => self.notify(Severity::Bad, error.one_line()),
            },
            Command::PaintMatrix { situation, outcome, mirrored } => {
                self.paint_matrix(situation, outcome, mirrored);
            }
            Command::UndoMatrix => {
                if let Some(before) = self.undo.pop() {
                    self.painted = Some(before);
                    self.run_painted();
                }
            }
            Command::HoverSituation(situation) => self.situation = situation,
            Command::SetTopology(topology) => self.set_rule(self.session.rule().with_topology(topology)),
            Command::SetEngine(choice) => {
                let cells = self.session.engine().field().area();
                if choice == EngineChoice::Fixed(EngineKind::Oracle) && cells > ORACLE_CELLS {
                    self.notify(
                        Severity::Bad,
                        format!("The oracle goes cell by cell: here it takes boards up to {ORACLE_CELLS} cells. Verify compares a part of any board with it."),
                    );
                    return;
                }
                let what = "Changing the engine…".to_owned();
                self.start_fed_job(what, move |intake| job::go_on_on(choice, intake));
            }
            Command::LoadShipped(path) => {
                let choice = self.session.choice();
                self.start_job(format!("Opening {path}…"), move |_| job::load_shipped(&path, choice));
            }
            Command::OpenFile(path) => {
                self.dialog = None;
                if let Some(text) = path.to_str().filter(|text| library::is_path(text)) {
                    self.open_rule(text.to_owned());
                } else {
                    let what = format!("Opening {}…", path.display());
                    let choice = self.session.choice();
                    self.start_job(what, move |progress| job::load_file(&path, choice, progress));
                }
            }
            Command::OpenLeft => {
                if let Some(path) = self.put_off() {
                    let (what, choice) = ("Opening the saved board…".to_owned(), self.session.choice());
                    self.start_job(what, move |progress| job::load_left(path, choice, progress));
                }
            }
            Command::DiscardLeft => {
                if !self.left.is_empty() {
                    let path = self.left.remove(0);
                    self.remove(&path);
                }
            }
            Command::PutOffLeft => drop(self.put_off()),
            Command::SaveFile(path) => {
                self.dialog = None;
                self.save(path);
            }
            Command::SavePicture(path) => {
                self.dialog = None;
                self.picture = Some(path);
            }
            Command::BrowseOpen => {
                let dialog = rfd::AsyncFileDialog::new()
                    .set_title("Open a pattern")
                    .add_filter("Patterns", &["rle", "mc", "cells", "lif", "life", "gz"])
                    .add_filter("Rules", &["rule", "table", "tree"])
                    .add_filter("All files", &["*"])
                    .pick_file();
                self.start_job("Choosing a file…".to_owned(), move |_| {
                    Work::PickedOpen(pollster::block_on(dialog).map(|file| file.path().to_owned()))
                });
            }
            Command::BrowseSave(suggested) => {
                let kind = match &self.dialog {
                    Some(Dialog::Save(kind)) => *kind,
                    _ => SaveKind::Pattern,
                };
                let name = suggested.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let dialog = rfd::AsyncFileDialog::new().set_title("Save as").set_file_name(name).save_file();
                self.start_job("Choosing a file…".to_owned(), move |_| {
                    Work::PickedSave(pollster::block_on(dialog).map(|file| file.path().to_owned()), kind)
                });
            }
            Command::Stroke(from, to) => self.stroke(from, to),
            Command::Hover(pixel) => self.hover_px = pixel,
        }
    }

    fn toggle_dialog(&mut self, dialog: Dialog) {
        self.dialog = if self.dialog.as_ref() == Some(&dialog) { None } else { Some(dialog) };
    }

    /// Takes note of another board, or of cells that were drawn.
    fn changed(&mut self) {
        self.version += 1;
        self.verdict = None;
        self.failure = None;
        self.camera.set_lattice(self.session.rule().depends_on().neighbourhood.lattice());
        self.rate.restart();
    }

    /// Goes on with another session. The present one is kept for an undo, if its board would be lost.
    fn take_over(&mut self, session: Session, is_lost: bool, (title, about): (String, String)) {
        let session = std::mem::replace(&mut self.session, session);
        let (title, about) =
            (std::mem::replace(&mut self.title, title), std::mem::replace(&mut self.about, about));
        let old = Box::new(Before { session, title, about });
        let dropped = if is_lost { self.before.replace(old) } else { Some(old) };
        job::discard(dropped);
        self.steps = 0;
        (self.counting, self.life) = (None, None);
        self.tallied = self.clock.now().checked_sub(TALLY_EVERY).unwrap_or(self.tallied);
        self.tally_took = Duration::ZERO;
        self.changed();
        self.soup.fit(self.session.rule());
        self.keep_tool_valid();
    }

    /// Goes back to the board before the last one; once more, and that one is back.
    fn undo(&mut self) {
        let Some(before) = self.before.take() else {
            self.notify(Severity::Info, "There is no earlier board to go back to");
            return;
        };
        self.drop_job();
        self.set_playing(false);
        let topology = self.session.rule().topology();
        let Before { session, title, about } = *before;
        self.take_over(session, true, (title, about));
        self.fitted = self.session.rule().topology() == topology;
    }

    /// Takes over a rule: compiled on a thread, so that the window goes on meanwhile.
    fn set_rule(&mut self, rule: Rule) {
        if rule == *self.session.rule() {
            return;
        }
        let cells = rule.topology().bounds().map_or(0, Rect::area);
        if self.session.engine().kind() == EngineKind::Oracle && cells > ORACLE_CELLS {
            self.notify(
                Severity::Bad,
                format!(
                    "The oracle takes boards up to {ORACLE_CELLS} cells here; choose another engine first."
                ),
            );
            return;
        }
        let may_ask = self.may_ask();
        let what = if rule.name() == self.session.rule().name() {
            format!("Reshaping the board to {}…", rule.topology())
        } else {
            format!("Compiling {}…", rule.name())
        };
        self.start_fed_job(what, move |intake| job::go_on_under(&rule, may_ask, intake));
    }

    /// Whether a rule that is too large to be compiled may run: on the oracle.
    fn may_ask(&self) -> bool {
        matches!(self.session.choice(), EngineChoice::Automatic | EngineChoice::Fixed(EngineKind::Oracle))
    }

    /// Takes over the rule of a file; without a suffix the board keeps its shape.
    fn open_rule(&mut self, text: String) {
        let topology = self.session.rule().topology();
        let may_ask = self.may_ask();
        let what = format!("Opening {text}…");
        self.start_fed_job(what, move |intake| job::go_on_under_file(&text, topology, may_ask, intake));
    }

    fn paint_matrix(&mut self, situation: Situation, outcome: Outcome, mirrored: bool) {
        let Some(before) = self.painted.clone().or_else(|| Matrix::of(self.session.rule().ruleset())) else {
            return;
        };
        let mut matrix = before.clone();
        matrix.set(situation, outcome);
        if mirrored {
            matrix.set(situation.mirrored(), outcome.mirrored());
        }
        if matrix != before {
            if self.undo.len() == UNDO {
                self.undo.remove(0);
            }
            self.undo.push(before);
            self.painted = Some(matrix);
            self.run_painted();
        }
    }

    /// Compiles the painted matrix, unless another one is being compiled: then it comes after that.
    fn run_painted(&mut self) {
        if self.job.is_some() {
            return;
        }
        let Some(matrix) = &self.painted else { return };
        let rule = Rule::custom(&matrix.to_string(), matrix.clone(), self.session.rule().topology());
        if rule == *self.session.rule() {
            self.painted = None;
        } else {
            self.set_rule(rule);
        }
    }

    fn make_soup(&mut self, order: SoupOrder) {
        let rule = self.session.rule().clone();
        let mut order = order;
        order.fit(&rule);
        let (seed, densities) = (order.seed, order.densities.clone());
        let source = Source::Soup { width: order.size.0, height: order.size.1, densities };
        self.soup = order;
        let choice = self.session.choice();
        self.start_job("Making a soup…".to_owned(), move |progress| {
            match source.board_watched(&rule, seed, progress) {
                Ok((board, notes)) => {
                    let (title, about) = (format!("Soup {seed}"), String::new());
                    job::load(&rule, board, choice, Change::Loaded { title, about, notes })
                }
                Err(error) => Work::Failed(error.to_string()),
            }
        });
    }

    /// Offers no board that is left any more, until the next window; gives the one that was offered.
    fn put_off(&mut self) -> Option<PathBuf> {
        std::mem::take(&mut self.left).into_iter().next()
    }

    /// Removes a file that is not needed any more.
    fn remove(&mut self, path: &Path) {
        let removed = std::fs::remove_file(path);
        self.report(removed.map_err(|error| format!("{} stays: {error}", path.display())));
    }

    fn save(&mut self, path: PathBuf) {
        let (what, title) = (format!("Saving {}…", path.display()), self.title.clone());
        self.saving.push(Job::start_fed(what, false, move |intake| job::save(path, title, intake)));
    }

    fn start_job(&mut self, what: String, work: impl FnOnce(&Progress) -> Work + Send + 'static) {
        self.make_way();
        self.job = Some(Job::start(what, work));
    }

    /// Starts what goes on from the present board, which holds still from when it is asked for.
    fn start_fed_job(&mut self, what: String, work: impl FnOnce(job::Intake) -> Work + Send + 'static) {
        self.make_way();
        self.job = Some(Job::start_fed(what, true, work));
    }

    fn make_way(&mut self) {
        self.drop_job();
        if self.session.engine().field().area() > HUGE {
            job::discard(self.before.take());
        }
    }

    fn drop_job(&mut self) {
        if let Some(job) = self.job.take() {
            job.progress.cancel();
        }
    }

    /// Lets go of what is to change the board; the board stays as it is.
    fn stop_job(&mut self) {
        if let Some(job) = self.job.take() {
            job.progress.cancel();
            self.painted = None;
            self.notify(Severity::Info, format!("Stopped: {}", job.what.trim_end_matches('…')));
        }
    }

    fn take_outcomes(&mut self) {
        let mut outcomes = Vec::new();
        self.saving.retain(|job| {
            let outcome = job.outcome();
            let goes_on = outcome.is_none();
            outcomes.extend(outcome);
            goes_on
        });
        if let Some(outcome) = self.job.as_ref().and_then(Job::outcome) {
            self.job = None;
            outcomes.push(outcome);
        }
        for outcome in outcomes {
            self.finish(outcome);
        }
    }

    fn finish(&mut self, outcome: Work) {
        match outcome {
            Work::Arrived(session, change) => self.arrive(*session, change),
            Work::Recovered(work, path) => {
                self.finish(*work);
                // Whatever becomes of the board from here on is up to its user.
                self.remove(&path);
            }
            Work::Saved(path) => self.notify(Severity::Good, format!("Saved {}", path.display())),
            Work::PickedOpen(Some(path)) => self.perform(Command::OpenFile(path)),
            Work::PickedSave(Some(path), SaveKind::Pattern) => self.perform(Command::SaveFile(path)),
            Work::PickedSave(Some(path), SaveKind::Picture) => self.perform(Command::SavePicture(path)),
            Work::PickedOpen(None) | Work::PickedSave(None, _) => {}
            Work::Failed(text) => self.notify(Severity::Bad, text),
        }
        self.run_painted();
    }

    fn arrive(&mut self, session: Session, change: Change) {
        let (old, new) = (self.session.rule().topology(), session.rule().topology());
        let words = (self.title.clone(), self.about.clone());
        match change {
            Change::Loaded { title, about, notes } => {
                self.take_over(session, true, (title, about));
                for note in notes {
                    self.notify(Severity::Info, note);
                }
                if new != old || new == Topology::Unbounded {
                    self.fitted = false;
                }
            }
            Change::Rule => {
                // Paintings of the matrix have an undo of their own.
                let is_lost = self.painted.is_none();
                let is_another = session.rule().name() != self.session.rule().name();
                self.take_over(session, is_lost, words);
                self.fitted = new == old;
                for note in self.session.rule().notes().into_iter().filter(|_| is_another) {
                    self.notify(Severity::Info, note);
                }
            }
            Change::Engine => self.take_over(session, false, words),
            Change::Reset => self.take_over(session, true, words),
        }
    }

    fn keep_tool_valid(&mut self) {
        if matches!(self.tool, Tool::Draw(state) if u16::from(state) >= self.session.rule().states()) {
            self.tool = Tool::Draw(1);
        }
    }

    fn verify(&mut self) {
        self.set_playing(false);
        let visible = self.camera.visible();
        let visible =
            self.session.rule().topology().bounds().map_or(visible, |bounds| visible.intersection(bounds));
        let (width, height) = (visible.width.min(VERIFY_SIDE), visible.height.min(VERIFY_SIDE));
        let area = Rect::new(
            visible.x + (visible.width - width) / 2,
            visible.y + (visible.height - height) / 2,
            width,
            height,
        );
        if area.is_empty() {
            self.notify(Severity::Info, "Nothing of the board is visible; press F to fit it");
            return;
        }
        match self.session.verify(area, VERIFY_GENERATIONS) {
            Ok(result) => {
                self.version += 1;
                let what = format!(
                    "{} × {} cells, {} generations, to generation {}",
                    area.width, area.height, result.generations, result.generation
                );
                let verdict = match result.mismatch {
                    None => Verdict { equal: true, text: format!("Equal to the oracle: {what}") },
                    Some(m) => Verdict {
                        equal: false,
                        text: format!(
                            "{} cells differ from the oracle, the first at ({}, {}): state {} instead of {} ({what})",
                            m.cells, m.at.x, m.at.y, m.found, m.expected
                        ),
                    },
                };
                self.verdict = Some(verdict);
            }
            Err(error) => self.notify(Severity::Bad, error.to_string()),
        }
    }

    /// Draws with the present tool along a line between pixels.
    fn stroke(&mut self, from: (f64, f64), to: (f64, f64)) {
        let Tool::Draw(state) = self.tool else { return };
        if !self.may_change() {
            return;
        }
        let cells = self.camera.cells_along(from, to);
        let edits: Vec<Edit> = cells.into_iter().map(|at| Edit { at, state }).collect();
        match self.session.edit(&edits) {
            Ok(()) => self.changed(),
            Err(error) => self.notify(Severity::Bad, error.to_string()),
        }
    }

    /// Finds the visible cells that are in the situation which the pointer is on in the matrix.
    fn light_up(&mut self) {
        let visible = self.camera.visible();
        let zoom = self.camera.zoom_px_per_cell();
        let wanted = self
            .situation
            .filter(|_| visible.area() <= LIT_CELLS)
            .map(|situation| (self.version, situation, visible));
        if wanted != self.lit_for {
            self.lit_for = wanted;
            self.lit_cells = wanted.map_or_else(Vec::new, |(_, situation, _)| {
                let in_situation = |own, seen: &Neighbours| Situation::of(own, seen) == situation;
                // An engine that fails says so when it steps.
                self.session.cells_where(visible, in_situation).unwrap_or_default()
            });
        }
        let corner = self.camera.point_at((0.0, 0.0));
        self.lit = self
            .lit_cells
            .iter()
            .map(|at| ((at.x as f64 + 0.5 - corner.x) * zoom, (at.y as f64 + 0.5 - corner.y) * zoom))
            .collect();
    }

    /// Reads the cell below the pointer.
    fn look_below_pointer(&mut self) {
        // While the board runs ten looks a second are enough: each may wait for the GPU.
        let seen = (self.version, self.hover_px.map(|pixel| self.camera.cell_at(pixel)));
        let now = self.clock.now();
        let looked = now.duration_since(self.hover_looked);
        if seen == self.hover_seen || (self.playing && looked < TALLY_EVERY) {
            return;
        }
        (self.hover_seen, self.hover_looked) = (seen, now);
        self.hover = self.hover_px.and_then(|pixel| {
            let at = self.camera.cell_at(pixel);
            if self.session.rule().topology().bounds().is_some_and(|bounds| !bounds.contains(at)) {
                return None;
            }
            let cells = self.session.engine_mut().read(Rect::new(at.x, at.y, 1, 1)).ok()?;
            Some((at, cells.get(at) ^ self.session.engine().background()))
        });
    }
}

#[cfg(test)]
mod tests;

/// The steps of the speed buttons.
const STEPS: [f64; 10] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];

fn faster(speed: Speed) -> Speed {
    let next = |value: f64| STEPS.into_iter().find(|step| *step > value);
    match speed {
        Speed::PerSecond(rate) => next(rate).map_or(Speed::Fastest, Speed::PerSecond),
        Speed::PerFrame(count) => {
            next(count as f64).map_or(Speed::Fastest, |step| Speed::PerFrame(floor(step)))
        }
        Speed::Fastest => Speed::Fastest,
    }
}

fn slower(speed: Speed) -> Speed {
    let next = |value: f64| STEPS.into_iter().rev().find(|step| *step < value).unwrap_or(1.0);
    match speed {
        Speed::PerSecond(rate) => Speed::PerSecond(next(rate)),
        Speed::PerFrame(count) => Speed::PerFrame(floor(next(count as f64))),
        Speed::Fastest => Speed::PerSecond(1000.0),
    }
}

/// The whole part of a number that is not negative.
fn floor(value: f64) -> u64 {
    u64::try_from(floor_signed(value)).unwrap_or(0)
}

fn floor_signed(value: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "saturates far beyond all boards")]
    let whole = value.floor() as i64;
    whole
}
