//! What the terminal face does with a session: which part is shown, how fast it runs, what a key changes.
//!
//! Knows no terminal: it is told sizes, moments and commands, and gives pictures.

use std::time::{Duration, Instant};

use crate::board::{Cells, Tally};
use crate::cell::{State, glyph};
use crate::coords::{Coords, Rect};
use crate::engine::Cancel;
use crate::session::{Session, SessionError, interesting_area};
use crate::text::rate;

use super::TermOptions;
use super::keys::{self, Command};
use super::picture::{Ink, Picture};
use super::status::{Population, Status};
use super::view::{Scene, Viewport, Zoom, draw};

/// Counting the cells of a board takes a pass over it: not more often than this while it runs.
const BETWEEN_COUNTS: Duration = Duration::from_millis(250);
/// And not more than this part of the time.
const COUNTING_SHARE: u32 = 10;
/// Over how long the speed is measured.
const MEASURED: Duration = Duration::from_millis(500);
/// After how long without a generation the speed is said to be 0.
const STALLED: Duration = Duration::from_secs(10);
/// Generations in one frame at the most; the time ends before them.
const MOST_GENERATIONS: u64 = 1 << 20;
/// Frames for one generation at the most.
const MOST_FRAMES: u32 = 64;
/// Species that are counted one by one.
const MOST_POPULATIONS: usize = 4;
/// Columns and rows of the screen by which the view is panned at a time.
const PAN_COLUMNS: i64 = 4;
const PAN_ROWS: i64 = 2;

/// How fast it runs: `generations` in `frames`; one of the two is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Speed {
    generations: u64,
    frames: u32,
}

impl Speed {
    fn faster(self) -> Self {
        if self.frames > 1 {
            Self { frames: self.frames / 2, ..self }
        } else {
            Self { generations: (self.generations * 2).min(MOST_GENERATIONS), ..self }
        }
    }

    fn slower(self) -> Self {
        if self.generations > 1 {
            Self { generations: self.generations / 2, ..self }
        } else {
            Self { frames: (self.frames * 2).min(MOST_FRAMES), ..self }
        }
    }
}

/// The last count of the board.
struct Census {
    generation: u64,
    tally: Tally,
}

/// How fast it really runs.
struct Meter {
    since: Instant,
    generation: u64,
    per_second: Option<f64>,
}

/// A session as it is played.
pub(crate) struct Player {
    session: Session,
    view: Viewport,
    /// Rows of the whole screen.
    rows: usize,
    speed: Speed,
    /// Time of a frame.
    frame: Duration,
    playing: bool,
    help: bool,
    done: bool,
    /// Shown in place of the hints until the next key.
    message: Option<String>,
    /// Generations that are still to be done for this frame.
    todo: u64,
    /// Frames that pass before the next generation of a slow run.
    frames_left: u32,
    census: Option<Census>,
    next_count: Instant,
    meter: Meter,
    /// The generation that was drawn last; `None` when something else has changed since.
    drawn: Option<u64>,
}

impl Player {
    /// Begins with a look at what is interesting, on a screen of this size.
    pub(crate) fn new(
        session: Session,
        options: &TermOptions,
        columns: usize,
        rows: usize,
    ) -> Result<Self, SessionError> {
        let now = Instant::now();
        let generation = session.generation();
        let lattice = session.rule().depends_on().neighbourhood.lattice();
        let mut player = Self {
            session,
            view: Viewport { centre: Coords::default(), zoom: Zoom::Glyph, lattice, columns, rows },
            rows,
            speed: Speed { generations: options.generations_per_frame.clamp(1, MOST_GENERATIONS), frames: 1 },
            frame: Duration::from_secs(1) / options.frames_per_second.clamp(1, 1000),
            playing: options.playing,
            help: false,
            done: false,
            message: (!options.notes.is_empty()).then(|| options.notes.join("; ")),
            todo: 0,
            frames_left: 0,
            census: None,
            next_count: now,
            meter: Meter { since: now, generation, per_second: None },
            drawn: None,
        };
        player.resize(columns, rows);
        player.fit()?;
        // Of a board that fits only as shades, the middle is shown near enough to see single cells.
        if player.session.rule().topology().bounds().is_some() && matches!(player.view.zoom, Zoom::Block(_)) {
            player.view.zoom = Zoom::Half;
        }
        Ok(player)
    }

    /// Time of a frame.
    pub(crate) const fn frame(&self) -> Duration {
        self.frame
    }

    /// Whether the user wants to end.
    pub(crate) const fn is_done(&self) -> bool {
        self.done
    }

    /// Takes another size of the screen.
    pub(crate) fn resize(&mut self, columns: usize, rows: usize) {
        self.view.columns = columns;
        self.view.rows = rows - bars(rows);
        self.rows = rows;
        self.drawn = None;
    }

    /// Carries a command out. To stop the program, and to draw everything anew, is the terminal's business.
    ///
    /// Errors when the engine fails for good; what the user can mend is shown as a message instead.
    pub(crate) fn apply(&mut self, command: Command) -> Result<(), SessionError> {
        self.message = None;
        self.drawn = None;
        let half_width = i64::try_from(self.view.columns / 2).unwrap_or(1);
        let half_height = i64::try_from(self.view.rows / 2).unwrap_or(1);
        match command {
            Command::PlayOrPause => {
                self.playing = !self.playing;
                (self.todo, self.frames_left) = (0, 0);
                self.restart_meter(Instant::now());
            }
            Command::Step => {
                if self.playing {
                    (self.playing, self.todo) = (false, 0);
                }
                self.todo += 1;
            }
            Command::Left => self.view.pan(-PAN_COLUMNS, 0),
            Command::Right => self.view.pan(PAN_COLUMNS, 0),
            Command::Up => self.view.pan(0, -PAN_ROWS),
            Command::Down => self.view.pan(0, PAN_ROWS),
            Command::FarLeft => self.view.pan(-half_width, 0),
            Command::FarRight => self.view.pan(half_width, 0),
            Command::FarUp => self.view.pan(0, -half_height),
            Command::FarDown => self.view.pan(0, half_height),
            Command::ZoomIn => self.view.zoom = self.view.zoom.nearer(),
            Command::ZoomOut => self.view.zoom = self.view.zoom.further(),
            Command::Fit => self.fit()?,
            Command::Faster => self.set_speed(self.speed.faster()),
            Command::Slower => self.set_speed(self.speed.slower()),
            Command::Reset => {
                self.session.reset()?;
                (self.todo, self.frames_left, self.census) = (0, 0, None);
                self.restart_meter(Instant::now());
            }
            Command::Help => self.help = !self.help,
            Command::Back if self.help => self.help = false,
            Command::Back | Command::Quit => self.done = true,
            Command::Suspend => self.restart_meter(Instant::now()),
            Command::Redraw => {}
        }
        Ok(())
    }

    fn set_speed(&mut self, speed: Speed) {
        self.speed = speed;
        (self.todo, self.frames_left) = (0, 0);
        self.restart_meter(Instant::now());
    }

    /// Shows all that lives, or the whole bounded board.
    fn fit(&mut self) -> Result<(), SessionError> {
        let life = self.session.tally()?.bounding_box;
        self.view.fit(interesting_area(self.session.rule().topology(), life));
        Ok(())
    }

    /// A frame's time begins: its generations are to be done.
    pub(crate) fn begin_frame(&mut self) {
        if !self.playing {
            return;
        }
        if self.frames_left > 0 {
            self.frames_left -= 1;
            return;
        }
        self.frames_left = self.speed.frames - 1;
        // What the last frame had no time for is dropped, not piled up.
        self.todo = self.speed.generations;
    }

    /// Whether there are generations to do.
    pub(crate) const fn has_work(&self) -> bool {
        self.todo > 0
    }

    /// Does some of the generations that are to be done, until about `deadline`.
    pub(crate) fn work(&mut self, deadline: Instant) {
        if self.todo == 0 {
            return;
        }
        match self.session.step(self.todo, &Cancel::at(deadline)) {
            Ok(done) => {
                self.todo = self.todo.saturating_sub(done);
                if let Some(notice) = self.session.take_notice() {
                    (self.message, self.drawn) = (Some(notice), None);
                    self.restart_meter(Instant::now());
                }
            }
            // The board is as it was, and can be looked at, saved or reset.
            Err(error) => {
                (self.playing, self.todo) = (false, 0);
                self.message = Some(error.to_string());
                self.drawn = None;
            }
        }
    }

    fn restart_meter(&mut self, now: Instant) {
        self.meter = Meter { since: now, generation: self.session.generation(), per_second: None };
    }

    fn measure(&mut self, now: Instant) {
        let generation = self.session.generation();
        let generations = generation.saturating_sub(self.meter.generation);
        let span = now.saturating_duration_since(self.meter.since);
        // Slow runs are measured over several generations.
        let least = if generations > 0 { MEASURED.max(self.frame * self.speed.frames * 4) } else { STALLED };
        if self.playing && span >= least {
            let per_second = Some(generations as f64 / span.as_secs_f64());
            self.meter = Meter { since: now, generation, per_second };
        }
    }

    /// Counts the cells, if that is due and not done.
    fn count(&mut self) -> Result<(), SessionError> {
        let generation = self.session.generation();
        let is_old = self.census.as_ref().is_none_or(|census| census.generation != generation);
        let begun = Instant::now();
        if is_old && (begun >= self.next_count || !self.has_work() && !self.playing) {
            let tally = self.session.tally()?.clone();
            self.census = Some(Census { generation, tally });
            let counted = Instant::now();
            self.next_count = counted + BETWEEN_COUNTS.max((counted - begun) * COUNTING_SHARE);
            self.drawn = None;
        }
        Ok(())
    }

    /// Whether the screen shows something old.
    pub(crate) fn needs_drawing(&self) -> bool {
        self.drawn != Some(self.session.generation())
            || self.census.as_ref().is_none_or(|census| census.generation != self.session.generation())
    }

    /// The whole screen.
    pub(crate) fn draw(&mut self, colourful: bool) -> Result<Picture, SessionError> {
        self.measure(Instant::now());
        self.count()?;
        let rows = self.rows;
        let mut picture = Picture::new(self.view.columns, rows);
        let bounds = self.session.rule().topology().bounds();
        let scene = Scene {
            states: self.session.rule().states(),
            background: self.session.engine().background(),
            bounds,
            colourful,
        };
        let field = self.session.engine().field();
        let parts = self
            .view
            .parts(bounds)
            .into_iter()
            .map(|part| {
                let stored = part.intersection(field);
                let cells =
                    if stored.is_empty() { Cells::new() } else { self.session.engine_mut().read(stored)? };
                Ok((part, cells))
            })
            .collect::<Result<Vec<(Rect, Cells)>, SessionError>>()?;
        draw(&parts, scene, self.view, &mut picture);
        let bars = rows - self.view.rows;
        if bars > 0 {
            self.status().draw(&mut picture, self.view.rows);
        }
        match &self.message {
            Some(message) if bars > 0 => {
                // With a single line, what went wrong is more important than the numbers.
                picture.fill(0, rows - 1, self.view.columns, 1, Ink::Bar);
                picture.write(1, rows - 1, message, Ink::Alarm, Ink::Bar);
            }
            _ if bars > 1 => draw_hints(&mut picture, rows - 1),
            _ => {}
        }
        if self.help {
            draw_help(&mut picture);
        }
        self.drawn = Some(self.session.generation());
        Ok(picture)
    }

    fn status(&self) -> Status {
        let engine = self.session.engine();
        let states = self.session.rule().states();
        let census = self.census.as_ref();
        let against_background = engine.background() != 0;
        let by_state = census.map(|census| census.tally.by_state(states)).unwrap_or_default();
        // More species than there is room for, or counted as differences: one number says it all.
        let populations = if against_background || by_state.len() > MOST_POPULATIONS {
            let cells = census.map_or(0, |census| census.tally.population());
            vec![Population { glyph: None, ink: Ink::Quiet, cells }]
        } else {
            (1..=State::MAX)
                .zip(by_state)
                .map(|(state, cells)| Population {
                    glyph: Some(glyph(state, states)),
                    ink: Ink::of_state(state),
                    cells,
                })
                .collect()
        };
        Status {
            playing: self.playing,
            rule: self.session.rule().to_string(),
            generation: self.session.generation(),
            populations,
            against_background,
            speed: self.speed_in_words(),
            engine: engine.kind().to_string(),
            adapter: engine.adapter().unwrap_or_default(),
            zoom: self.view.zoom.in_words(),
        }
    }

    /// What is asked for, and what it comes to where that is clearly less.
    fn speed_in_words(&self) -> String {
        let wanted = self.speed.generations as f64 / self.frame.as_secs_f64() / f64::from(self.speed.frames);
        match self.meter.per_second {
            Some(found) if self.playing && found < 0.8 * wanted => {
                format!("{} of {} gen/s", rate(found), rate(wanted))
            }
            _ => format!("{} gen/s", rate(wanted)),
        }
    }
}

/// Rows of the screen that are not the board's: status and hints, as far as there is room.
const fn bars(rows: usize) -> usize {
    match rows {
        0..=2 => 0,
        3..=9 => 1,
        _ => 2,
    }
}

fn draw_hints(picture: &mut Picture, y: usize) {
    picture.fill(0, y, picture.columns(), 1, Ink::Bar);
    let mut x = 1;
    for (key, word) in keys::hints() {
        let columns = key.chars().count() + 1 + word.chars().count();
        if x + columns > picture.columns() {
            break;
        }
        x = picture.write(x, y, &key, Ink::Text, Ink::Bar);
        x = picture.write(x + 1, y, word, Ink::Quiet, Ink::Bar) + 2;
    }
}

/// The help, in the middle of the screen.
fn draw_help(picture: &mut Picture) {
    let lines = keys::help();
    let columns_of = |text: &str| text.chars().count();
    let keys_columns = lines.iter().map(|(keys, _)| columns_of(keys)).max().unwrap_or(0);
    let about_columns = lines.iter().map(|(_, about)| columns_of(about)).max().unwrap_or(0);
    let (width, height) = (keys_columns + about_columns + 6, lines.len() + 2);
    let left = picture.columns().saturating_sub(width) / 2;
    let top = picture.rows().saturating_sub(height) / 2;
    picture.fill(left, top, width, height, Ink::Bar);
    for (row, (keys, about)) in lines.iter().enumerate() {
        picture.write(left + 2, top + 1 + row, keys, Ink::Text, Ink::Bar);
        picture.write(left + 4 + keys_columns, top + 1 + row, about, Ink::Quiet, Ink::Bar);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineKind;
    use crate::pattern::{Limits, read};
    use crate::session::{EngineChoice, Source};

    fn player(rle: &str, columns: usize, rows: usize) -> Player {
        let pattern = read(rle.as_bytes(), &Limits::default()).expect("valid RLE");
        let source = Source::Pattern(Box::new(pattern));
        let (session, _) =
            source.session(None, 1, EngineChoice::Fixed(EngineKind::Oracle)).expect("a session");
        let options = TermOptions { playing: false, ..TermOptions::default() };
        Player::new(session, &options, columns, rows).expect("a player")
    }

    fn work_off(player: &mut Player) {
        while player.has_work() {
            player.work(Instant::now());
        }
    }

    const GLIDER: &str = "x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!";

    #[test]
    fn it_steps_runs_and_goes_back() {
        let mut player = player(GLIDER, 60, 20);
        let start = player.draw(true).expect("a picture");
        assert!(start.text().contains("▮▮▮"), "the glider is in sight:\n{}", start.text());
        for _ in 0..3 {
            player.apply(Command::Step).expect("a step");
        }
        work_off(&mut player);
        assert_eq!(player.session.generation(), 3, "single steps");
        player.apply(Command::PlayOrPause).expect("running");
        player.apply(Command::Faster).expect("faster");
        player.begin_frame();
        work_off(&mut player);
        assert_eq!(player.session.generation(), 5, "one frame of two generations");
        player.apply(Command::PlayOrPause).expect("paused");
        player.begin_frame();
        assert!(!player.has_work(), "paused");
        player.apply(Command::Reset).expect("reset");
        assert_eq!(player.session.generation(), 0, "back");
        player.apply(Command::Slower).expect("as at first");
        assert_eq!(player.draw(true).expect("a picture"), start, "the same picture");
    }

    #[test]
    fn slow_motion_skips_frames() {
        let mut player = player(GLIDER, 60, 12);
        for _ in 0..2 {
            player.apply(Command::Slower).expect("slower");
        }
        player.apply(Command::PlayOrPause).expect("running");
        for _ in 0..9 {
            player.begin_frame();
            work_off(&mut player);
        }
        assert_eq!(player.session.generation(), 3, "a generation in frames 1, 5 and 9");
    }

    #[test]
    fn every_command_works_on_every_size_of_screen() {
        let commands = [
            Command::Left,
            Command::FarDown,
            Command::ZoomIn,
            Command::ZoomIn,
            Command::Help,
            Command::ZoomOut,
            Command::Step,
            Command::Fit,
            Command::FarUp,
            Command::FarRight,
            Command::ZoomOut,
            Command::PlayOrPause,
            Command::Right,
            Command::Back,
        ];
        for columns in [0, 1, 2, 3, 17, 80, 300] {
            for rows in [0, 1, 2, 3, 4, 9, 10, 24, 100] {
                let mut player = player(GLIDER, columns, rows);
                for command in commands {
                    player.apply(command).expect("a command");
                    work_off(&mut player);
                    let picture = player.draw(true).expect("a picture");
                    assert_eq!((picture.columns(), picture.rows()), (columns, rows), "{command:?}");
                }
            }
        }
    }

    #[test]
    fn zooming_all_the_way_out_stays_sound() {
        let mut player = player("x = 2, y = 1, rule = B03/S23\n2o!", 100, 12);
        for _ in 0..30 {
            player.apply(Command::ZoomOut).expect("out");
            player.apply(Command::FarLeft).expect("left");
            player.draw(true).expect("a picture");
        }
        player.apply(Command::Step).expect("a step");
        work_off(&mut player);
        let picture = player.draw(true).expect("a picture");
        assert!(picture.text().contains('█'), "all alive:\n{}", picture.text());
        assert!(picture.text().contains("unlike the living background"), "and so it says");
    }

    #[test]
    fn the_help_is_closed_by_escape_and_only_then_the_program() {
        let mut player = player(GLIDER, 60, 24);
        player.apply(Command::Help).expect("help");
        let picture = player.draw(true).expect("a picture");
        assert!(picture.text().contains("back to the start"), "help is shown:\n{}", picture.text());
        player.apply(Command::Back).expect("closed");
        assert!(!player.is_done(), "still there");
        assert!(!player.draw(true).expect("a picture").text().contains("back to the start"), "closed");
        player.apply(Command::Back).expect("ended");
        assert!(player.is_done(), "ended");
    }

    #[test]
    fn an_unchanged_board_needs_no_drawing() {
        let mut player = player(GLIDER, 60, 24);
        assert!(player.needs_drawing(), "nothing is drawn yet");
        player.draw(true).expect("a picture");
        player.draw(true).expect("a picture");
        assert!(!player.needs_drawing(), "all is drawn and counted");
        player.apply(Command::Right).expect("a command");
        assert!(player.needs_drawing(), "the view has moved");
    }
}
