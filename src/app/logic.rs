//! What the window does, without the window: a session, a camera, and what commands do to them.
//!
//! Knows neither wgpu nor winit. Long work runs on threads ([`Job`]) or is cut to a time budget.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::{Duration, Instant};

use super::camera::Camera;
use super::command::{Command, SoupOrder, Speed, Tool};
use super::ui::View;
use crate::board::{Board, Topology};
use crate::cell::State;
use crate::coords::{Coords, Rect};
use crate::engine::{Cancel, Edit, EngineKind};
use crate::lattice::Neighbours;
use crate::pattern::{self, Pattern};
use crate::progress::Progress;
use crate::rule::matrix::{Matrix, Outcome, Situation};
use crate::rule::{Rule, library, parse};
use crate::session::{EngineChoice, Session, Source, interesting_area};

/// Time that stepping may take of a frame.
const STEP_BUDGET: Duration = Duration::from_millis(12);
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
/// Cells that the oracle may be asked to step in the window.
const ORACLE_CELLS: u64 = 1 << 18;

/// How a notice is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Severity {
    Info,
    Good,
    Bad,
}

/// What a thread brings back.
enum Work {
    /// A board to show.
    Loaded {
        rule: Rule,
        board: Board,
        title: String,
        about: String,
        notes: Vec<String>,
    },
    /// A rule, compiled already.
    Compiled(Rule),
    Saved(PathBuf),
    /// What the user chose in the system's dialog: to open, or to save as.
    PickedOpen(Option<PathBuf>),
    PickedSave(Option<PathBuf>, SaveKind),
    Failed(String),
}

/// What is to be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SaveKind {
    Pattern,
    Picture,
}

/// Work on a thread.
struct Job {
    what: String,
    outcome: Receiver<Work>,
    progress: Progress,
}

impl Job {
    fn start(what: String, work: impl FnOnce(&Progress) -> Work + Send + 'static) -> Self {
        let (sender, outcome) = mpsc::channel();
        let progress = Progress::default();
        let watched = progress.clone();
        // A job that was replaced has nobody to tell.
        std::thread::spawn(move || sender.send(work(&watched)).unwrap_or_default());
        Self { what, outcome, progress }
    }

    /// What it does, and how far it is where it knows.
    fn text(&self) -> String {
        match self.progress.share() {
            Some(share) => format!("{} {:.0} %", self.what, 100.0 * share),
            None => self.what.clone(),
        }
    }

    /// What came of it; `None` while it goes on.
    fn outcome(&self) -> Option<Work> {
        match self.outcome.try_recv() {
            Ok(outcome) => Some(outcome),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Work::Failed(format!("{} failed", self.what))),
        }
    }
}

/// What the comparison with the oracle gave, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) equal: bool,
    pub(crate) text: String,
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
    /// Counts the changes of the board.
    pub(crate) version: u64,
    playing: bool,
    speed: Speed,
    /// Generations that are due and not yet done.
    debt: f64,
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
    soup: SoupOrder,
    /// The matrix as it is painted, ahead of the rule that runs while that is compiled; and those before it.
    painted: Option<Matrix>,
    undo: Vec<Matrix>,
    /// The situation whose cells are to be lit up; the pixels of their middles, and for what those were worked out.
    pub(crate) situation: Option<Situation>,
    lit: Vec<(f64, f64)>,
    lit_cells: Vec<Coords>,
    lit_for: Option<(u64, Situation, Rect)>,
    /// Generations a second, smoothed; and the count it is made from.
    rate: f64,
    rate_since: (Instant, u64),
    tallied: Instant,
    tally_took: Duration,
    fitted: bool,
    last_frame: Instant,
}

/// Asks for a file name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Dialog {
    Open,
    Save(SaveKind),
}

impl Model {
    pub(crate) fn new(session: Session, title: String, about: String, notes: Vec<String>) -> Self {
        let now = Instant::now();
        let mut soup = SoupOrder { size: (256, 256), densities: Vec::new(), seed: session.seed() };
        soup.fit(session.rule());
        let generation = session.generation();
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
            version: 0,
            playing: false,
            speed: Speed::PerSecond(20.0),
            debt: 0.0,
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
            soup,
            painted: None,
            undo: Vec::new(),
            situation: None,
            lit: Vec::new(),
            lit_cells: Vec::new(),
            lit_for: None,
            rate: 0.0,
            rate_since: (now, generation),
            tallied: now,
            tally_took: Duration::ZERO,
            fitted: false,
            last_frame: now,
        }
    }

    /// Lets the board run, or holds it.
    pub(crate) fn set_playing(&mut self, playing: bool) {
        self.playing = playing;
        self.debt = 0.0;
        self.rate = 0.0;
        self.rate_since = (Instant::now(), self.session.generation());
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
    pub(crate) fn view(&mut self) -> View<'_> {
        // Worked out when it is due; an error was reported where it came up.
        let due = self.tallied.elapsed() >= TALLY_EVERY.max(8 * self.tally_took);
        if due || !self.playing {
            let start = Instant::now();
            let result = self.session.tally().map(|_| ());
            self.tally_took = start.elapsed();
            self.tallied = Instant::now();
            self.report(result);
        }
        View {
            rule: self.session.rule(),
            title: &self.title,
            about: &self.about,
            playing: self.playing,
            speed: self.speed,
            generation: self.session.generation(),
            rate: self.rate,
            history: self.session.history(),
            engine: self.session.engine().kind(),
            choice: self.session.choice(),
            adapter: self.session.engine().adapter(),
            engine_reason: self.session.engine_reason(),
            tool: self.tool,
            dark: self.dark,
            grid: self.grid,
            marks: self.marks,
            zoom_px_per_cell: self.camera.zoom_px_per_cell(),
            hover: self.hover,
            busy: self.job.as_ref().or(self.saving.first()).map(Job::text),
            can_stop: self.job.is_some(),
            verdict: self.verdict.as_ref(),
            soup: &self.soup,
            lit: &self.lit,
            painted: self.painted.as_ref(),
            can_undo: !self.undo.is_empty(),
            panel_open: self.panel_open,
            help_open: self.help_open,
            dialog: self.dialog.as_ref(),
        }
    }

    /// One frame of time: glides, steps, takes what threads have brought. Whether more is to come without input.
    pub(crate) fn advance(&mut self) -> bool {
        let now = Instant::now();
        let secs = now.duration_since(self.last_frame).as_secs_f64().min(0.25);
        self.last_frame = now;
        self.take_outcomes();
        if !self.fitted && self.camera.viewport_px().0 > 1.0 {
            self.fitted = true;
            self.fit();
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
            if wanted > 0 {
                let done = self.step(wanted, &Cancel::at(now + STEP_BUDGET));
                self.debt = (self.debt - done as f64).max(0.0);
            }
            let (since, generation) = self.rate_since;
            let elapsed = since.elapsed().as_secs_f64();
            if elapsed > 0.5 {
                let rate = self.session.generation().saturating_sub(generation) as f64 / elapsed;
                self.rate = if self.rate == 0.0 { rate } else { 0.6 * self.rate + 0.4 * rate };
                self.rate_since = (now, self.session.generation());
            }
        }
        self.look_below_pointer();
        self.light_up();
        gliding || self.playing || self.job.is_some() || !self.saving.is_empty()
    }

    /// Steps; an error stops the run and is reported. Gives how many generations were done.
    fn step(&mut self, generations: u64, cancel: &Cancel) -> u64 {
        match self.session.step(generations, cancel) {
            Ok(done) => {
                self.version += u64::from(done > 0);
                if let Some(notice) = self.session.take_notice() {
                    self.version += 1;
                    self.notify(Severity::Bad, notice);
                }
                done
            }
            Err(error) => {
                self.playing = false;
                self.notify(Severity::Bad, error.to_string());
                0
            }
        }
    }

    fn fit(&mut self) {
        let life = self.session.tally().ok().and_then(|tally| tally.bounding_box);
        self.camera.fit(interesting_area(self.session.rule().topology(), life), FIT_ZOOM);
    }

    /// Does what was asked.
    pub(crate) fn perform(&mut self, command: Command) {
        match command {
            Command::PlayPause => self.set_playing(!self.playing),
            Command::Step => {
                self.set_playing(false);
                self.step(1, &Cancel::never());
            }
            Command::Reset => {
                self.set_playing(false);
                let result = self.session.reset();
                self.changed(result);
            }
            Command::Slower => self.speed = slower(self.speed),
            Command::Faster => self.speed = faster(self.speed),
            Command::SetSpeed(speed) => self.speed = speed,
            Command::ZoomIn => self.camera.zoom(2.0),
            Command::ZoomOut => self.camera.zoom(0.5),
            Command::ZoomAt(pixel, factor) => self.camera.zoom_at(pixel, factor),
            Command::Pan(dx, dy) => self.camera.pan(dx, dy),
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
                self.set_playing(false);
                let rule = self.session.rule().clone();
                let board = Board { seed: self.session.seed(), ..Board::empty(rule.topology()) };
                let result = self.session.load(&rule, board);
                self.changed(result);
            }
            Command::Verify => self.verify(),
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
                        if text.contains(':') { rule.topology() } else { self.session.rule().topology() };
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
                let result = self.session.set_engine(choice);
                self.changed(result);
                self.rate = 0.0;
            }
            Command::LoadShipped(path) => {
                self.start_job(format!("Opening {path}…"), move |_| load_shipped(&path));
            }
            Command::OpenFile(path) => {
                self.dialog = None;
                if let Some(text) = path.to_str().filter(|text| library::is_path(text)) {
                    self.open_rule(text.to_owned());
                } else {
                    let what = format!("Opening {}…", path.display());
                    self.start_job(what, move |progress| load_file(&path, progress));
                }
            }
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

    /// After a change of the whole board: reports an error, or notes that there is something new to show.
    fn changed(&mut self, result: Result<(), impl std::fmt::Display>) {
        let fine = result.is_ok();
        self.report(result);
        if fine {
            self.version += 1;
            self.verdict = None;
            self.camera.set_lattice(self.session.rule().depends_on().neighbourhood.lattice());
            self.rate_since = (Instant::now(), self.session.generation());
        }
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
        self.start_job(format!("Compiling {}…", rule.name()), move |_| compiled(rule, may_ask));
    }

    /// Whether a rule that is too large to be compiled may run: on the oracle.
    fn may_ask(&self) -> bool {
        matches!(self.session.choice(), EngineChoice::Automatic | EngineChoice::Fixed(EngineKind::Oracle))
    }

    /// Takes over the rule of a file; without a suffix the board keeps its shape.
    fn open_rule(&mut self, text: String) {
        let topology = self.session.rule().topology();
        let may_ask = self.may_ask();
        self.start_job(format!("Opening {text}…"), move |_| match library::open(&text) {
            Ok(rule) if rule.topology() == Topology::Unbounded => {
                compiled(rule.with_topology(topology), may_ask)
            }
            Ok(rule) => compiled(rule, may_ask),
            Err(error) => Work::Failed(error.one_line()),
        });
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
        self.start_job("Making a soup…".to_owned(), move |progress| {
            match source.board_watched(&rule, seed, progress) {
                Ok((board, notes)) => {
                    Work::Loaded { rule, board, title: format!("Soup {seed}"), about: String::new(), notes }
                }
                Err(error) => Work::Failed(error.to_string()),
            }
        });
    }

    fn save(&mut self, path: PathBuf) {
        match self.session.pattern() {
            Ok(mut pattern) => {
                pattern.name = Some(self.title.clone());
                let states = self.session.rule().states();
                self.saving.push(Job::start(format!("Saving {}…", path.display()), move |_| {
                    match pattern::save(&path, &pattern, states) {
                        Ok(()) => Work::Saved(path),
                        Err(error) => Work::Failed(format!("{}: {error}", path.display())),
                    }
                }));
            }
            Err(error) => self.notify(Severity::Bad, error.to_string()),
        }
    }

    fn start_job(&mut self, what: String, work: impl FnOnce(&Progress) -> Work + Send + 'static) {
        if let Some(old) = self.job.replace(Job::start(what, work)) {
            old.progress.cancel();
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
            Work::Loaded { rule, board, title, about, notes } => {
                let same_shape = rule.topology() == self.session.rule().topology()
                    && rule.topology() != Topology::Unbounded;
                let result = self.session.load(&rule, board);
                let fine = result.is_ok();
                self.changed(result);
                if fine {
                    (self.title, self.about) = (title, about);
                    self.soup.fit(&rule);
                    self.keep_tool_valid();
                    for note in notes {
                        self.notify(Severity::Info, note);
                    }
                    if !same_shape {
                        self.fit();
                    }
                }
            }
            Work::Compiled(rule) => {
                let reshaped = rule.topology() != self.session.rule().topology();
                let result = self.session.set_rule(&rule);
                self.changed(result);
                self.keep_tool_valid();
                self.soup.fit(self.session.rule());
                if reshaped {
                    self.fit();
                }
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
        let cells = self.camera.cells_along(from, to);
        let edits: Vec<Edit> = cells.into_iter().map(|at| Edit { at, state }).collect();
        let result = self.session.edit(&edits);
        self.changed(result);
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
        if seen == self.hover_seen || (self.playing && self.hover_looked.elapsed() < TALLY_EVERY) {
            return;
        }
        (self.hover_seen, self.hover_looked) = (seen, Instant::now());
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

/// A rule that is ready to run; where the oracle may be asked it need not be compiled.
fn compiled(rule: Rule, may_ask: bool) -> Work {
    match rule.kernel() {
        Err(error) if !may_ask => Work::Failed(error.to_string()),
        _ => Work::Compiled(rule),
    }
}

fn load_file(path: &Path, progress: &Progress) -> Work {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match Source::open_watched(path, progress) {
        Ok(Source::Pattern(pattern)) => loaded(*pattern, &name),
        Ok(_) => Work::Failed(format!("{name} is no pattern")),
        Err(error) => Work::Failed(format!("{name}: {error}")),
    }
}

fn load_shipped(path: &str) -> Work {
    match pattern::find(path).map(pattern::Entry::pattern) {
        Some(Ok(pattern)) => loaded(pattern, path),
        Some(Err(error)) => Work::Failed(error.to_string()),
        None => Work::Failed(format!("no pattern is called {path}")),
    }
}

/// A pattern as a board, with its rule compiled.
fn loaded(pattern: Pattern, name: &str) -> Work {
    let title = pattern.name.clone().unwrap_or_else(|| name.to_owned());
    let about = pattern.comments.join("\n");
    let mut source = Source::Pattern(Box::new(pattern));
    let made = source.rule(None).and_then(|rule| {
        source.settle(&rule)?;
        let (board, notes) = source.board(&rule, 0)?;
        Ok((rule, board, notes))
    });
    match made {
        Ok((rule, board, notes)) => match rule.kernel() {
            Ok(_) => Work::Loaded { rule, board, title, about, notes },
            Err(error) => Work::Failed(format!("{name}: {error}")),
        },
        Err(error) => Work::Failed(format!("{name}: {error}")),
    }
}

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
