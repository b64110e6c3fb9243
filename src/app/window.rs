//! The winit window: events in, frames out. What they mean is in `logic`, how they look in `ui` and `renderer`.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use thiserror::Error;
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::error::EventLoopError;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::{Window, WindowId};

use super::command::Command;
use super::kept::{Kept, common, within_areas};
use super::logic::{Model, Severity};
use super::renderer::{BoardRenderer, Look, Sight, Viewport, begin_pass, go_on_with_pass};
use super::theme::Theme;
use super::ui::{UiState, root_ui};
use super::{Ending, picture, recovery};
use crate::engine::gpu::Gpu;
use crate::engine::{Cancel, EngineError};
use crate::signals::{self, Signal};

/// How large the window is at first, where the screen has room for it.
const SIZE: LogicalSize<f64> = LogicalSize::new(1280.0, 800.0);

/// How long a notice is shown that is no error, seconds.
const SECS_OF_A_NOTICE: u64 = 5;

/// A GPU that is lost again sooner than this is given up.
const RECOVERY: Duration = Duration::from_secs(20);

/// Time that making a picture of a huge board may take of a frame; more, up to a third, where frames take long anyway. The
/// board holds still meanwhile.
const PICTURE_BUDGET: Duration = Duration::from_millis(16);
const LONGEST_PICTURE: Duration = Duration::from_millis(150);

/// How long a frame is to take on a software adapter while the board takes all time that is left; and what it takes of a
/// frame at least and at most, with its picture.
const SLOW_FRAME: Duration = Duration::from_millis(50);
const SHORTEST_SPARE: Duration = Duration::from_millis(16);
const LONGEST_SPARE: Duration = Duration::from_millis(40);
/// What the picture gets at least where the board has taken that.
const SHORTEST_PICTURE: Duration = Duration::from_millis(4);
/// How often a window in which nothing has changed is shown all the same while frames are made, and the time between two
/// frames of which neither had anything new.
const SHOWN_EVERY: Duration = Duration::from_millis(250);
const IDLE_FRAME: Duration = Duration::from_millis(8);

/// What ends the window, with its board saved.
const ENDING: [Signal; 3] = [Signal::Interrupt, Signal::Terminate, Signal::HangUp];

/// There is no display to open a window on; the terminal face can take over.
#[derive(Debug, Error)]
#[error("no window can be opened: {0}")]
pub struct NoWindow(pub String);

/// Opens the window and stays until it is closed.
pub(super) fn run(model: Model) -> anyhow::Result<Ending> {
    let event_loop = EventLoop::new().map_err(|error| NoWindow(without_place(&error.to_string())))?;
    let gpu = Gpu::shared()?;
    let proxy = event_loop.create_proxy();
    let model = Rc::new(RefCell::new(model));
    let mut app = App { gpu, model, proxy, shown: None, recovered: None, failure: None, ending: None };
    let ended = catch_unwind(AssertUnwindSafe(|| event_loop.run_app(&mut app)));
    // Until the board is saved.
    let ending = app.ending.take();
    let failure = match (app.failure.take(), ended) {
        (Some(failure), _) => Some(failure),
        (None, Ok(Ok(()))) => None,
        (None, Ok(Err(EventLoopError::ExitFailure(_)))) => Some(anyhow!("the display has gone")),
        (None, Ok(Err(error))) => Some(error.into()),
        (None, Err(_)) => Some(anyhow!("the window failed")),
    };
    // Where the display has gone, this may be the end of the program.
    drop(app);
    let saved = recovery::close().map(|model| recovery::save_in_words(&model));
    match (failure, saved) {
        (None, Some(saved)) if ending.is_some_and(|ending| ending.is_asked()) => {
            Ok(Ending::Interrupted(saved))
        }
        (None, _) => Ok(Ending::Closed),
        (Some(failure), Some(saved)) => Err(anyhow!("{failure:#}; {saved}")),
        (Some(failure), None) => Err(failure),
    }
}

/// Words in lines that fit into a small window: notices don't break lines by themselves.
fn wrapped(words: &str) -> String {
    const WIDTH: usize = 72;
    let mut lines = String::new();
    let mut column = 0;
    for word in words.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            lines.push('\n');
            column = 0;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += length;
    }
    lines
}

/// What winit says of the system's error, without the place in its source that it begins with.
fn without_place(words: &str) -> String {
    let of_system = words.strip_prefix("os error at ").and_then(|rest| rest.split_once(": "));
    of_system.map_or(words, |(_, what)| what).to_owned()
}

struct App {
    gpu: Arc<Gpu>,
    model: Rc<RefCell<Model>>,
    proxy: EventLoopProxy<()>,
    shown: Option<Shown>,
    /// When the GPU was lost last.
    recovered: Option<Instant>,
    /// Why the window could not be opened or go on.
    failure: Option<anyhow::Error>,
    /// Whether a signal asked the program to end, once the window is there.
    ending: Option<signals::Ending>,
}

/// What exists while the window does.
struct Shown {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    ctx: egui::Context,
    input: egui_winit::State,
    egui: egui_wgpu::Renderer,
    board: BoardRenderer,
    ui: UiState,
    toasts: egui_notify::Toasts,
    /// The last of them, and when it was shown.
    last_toast: Option<(String, Instant)>,
    /// The look that the style was made for.
    styled_dark: Option<bool>,
    /// What the window shows; whether its surface can be copied to.
    kept: Kept,
    copies: bool,
    /// When it was shown last.
    presented_at: Option<Instant>,
    /// How long the last frame took, and how long the last that had something new to paint needed for that.
    took: Duration,
    painting: Duration,
    /// When the next frame is due without input.
    repaint_at: Option<Instant>,
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.shown.is_some() {
            return;
        }
        let opened = Shown::window(event_loop).and_then(|window| Shown::open(window, &self.gpu));
        let is_open = opened.is_ok();
        self.show(event_loop, opened);
        if is_open {
            recovery::open(&self.model);
            let proxy = self.proxy.clone();
            // Where the loop has ended, so has the window.
            let wake = move || proxy.send_event(()).unwrap_or_default();
            self.ending = Some(signals::Ending::watch_and_wake(&ENDING, wake));
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(shown) = &mut self.shown else { return };
        if matches!(event, WindowEvent::RedrawRequested) {
            let mut model = self.model.borrow_mut();
            match shown.frame(&self.gpu, &mut model) {
                Ok(()) if model.quit => close(event_loop),
                Ok(()) => {}
                Err(error) => {
                    drop(model);
                    let opened = self.recover(error);
                    self.show(event_loop, opened);
                }
            }
            return;
        }
        match &event {
            WindowEvent::CloseRequested => close(event_loop),
            WindowEvent::Resized(size) => shown.resize(&self.gpu, size.width, size.height),
            WindowEvent::DroppedFile(path) => {
                self.model.borrow_mut().perform(Command::OpenFile(path.clone()));
            }
            _ => {}
        }
        if shown.input.on_window_event(&shown.window, &event).repaint {
            shown.window.request_redraw();
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, (): ()) {
        event_loop.exit();
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(shown) = &mut self.shown else { return };
        match shown.repaint_at {
            Some(at) if at <= Instant::now() => {
                shown.repaint_at = None;
                shown.window.request_redraw();
                event_loop.set_control_flow(ControlFlow::Wait);
            }
            Some(at) => event_loop.set_control_flow(ControlFlow::WaitUntil(at)),
            None => event_loop.set_control_flow(ControlFlow::Wait),
        }
    }
}

/// The user is done with the board.
fn close(event_loop: &ActiveEventLoop) {
    recovery::close();
    event_loop.exit();
}

impl App {
    /// Goes on with what was opened, or ends with what went wrong.
    fn show(&mut self, event_loop: &ActiveEventLoop, opened: anyhow::Result<Shown>) {
        match opened {
            Ok(shown) => {
                shown.window.request_redraw();
                self.shown = Some(shown);
            }
            Err(error) => {
                self.failure = Some(error);
                event_loop.exit();
            }
        }
    }

    /// After a frame has failed since the GPU was lost: the same window on the GPU opened anew. The session goes on on the
    /// CPU engine by itself. Gives the error back where there is no other GPU.
    fn recover(&mut self, error: anyhow::Error) -> anyhow::Result<Shown> {
        let again = self.recovered.is_some_and(|at| at.elapsed() < RECOVERY);
        // Then a loss is known of, if that is what it is.
        let _ = self.gpu.wait();
        let gpu = Gpu::shared().ok().filter(|gpu| !again && !Arc::ptr_eq(gpu, &self.gpu));
        let (Some(gpu), Some(shown)) = (gpu, self.shown.take()) else { return Err(error) };
        log::warn!("the GPU is opened anew: {error:#}");
        // The old surface goes before there is another one.
        let Shown { window, toasts, .. } = shown;
        (self.gpu, self.recovered) = (gpu, Some(Instant::now()));
        self.model.borrow_mut().look_again();
        Ok(Shown { toasts, ..Shown::open(window, &self.gpu)? })
    }
}

impl Shown {
    fn window(event_loop: &ActiveEventLoop) -> anyhow::Result<Arc<Window>> {
        // On a small or a finely scaled screen nothing of the window may lie outside.
        let screen = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
        let room = screen
            .filter(|screen| screen.size().width > 0)
            .map_or(SIZE, |screen| screen.size().to_logical::<f64>(screen.scale_factor()));
        let attributes = Window::default_attributes()
            .with_title("Biota")
            .with_inner_size(LogicalSize::new(SIZE.width.min(room.width), SIZE.height.min(room.height)))
            .with_min_inner_size(LogicalSize::new(880.0, 480.0));
        let window = event_loop.create_window(attributes).map_err(|error| NoWindow(error.to_string()))?;
        Ok(Arc::new(window))
    }

    fn open(window: Arc<Window>, gpu: &Arc<Gpu>) -> anyhow::Result<Self> {
        let surface = gpu.instance().create_surface(Arc::clone(&window))?;
        let capabilities = surface.get_capabilities(gpu.adapter());
        // egui blends in gamma space: a format without sRGB conversion is the right one.
        let format = capabilities.formats.iter().copied().find(|format| !format.is_srgb());
        let format = format
            .or(capabilities.formats.first().copied())
            .ok_or_else(|| NoWindow(format!("the adapter {} can't draw on this display", gpu.name())))?;
        let size = window.inner_size();
        let config = wgpu::SurfaceConfiguration {
            present_mode: wgpu::PresentMode::AutoVsync,
            desired_maximum_frame_latency: 2,
            ..surface
                .get_default_config(gpu.adapter(), size.width.max(1), size.height.max(1))
                .ok_or_else(|| NoWindow("the surface has no configuration".to_owned()))?
        };
        let copies = capabilities.usages.contains(wgpu::TextureUsages::COPY_DST);
        let usage = if copies {
            wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_DST
        } else {
            wgpu::TextureUsages::RENDER_ATTACHMENT
        };
        let config = wgpu::SurfaceConfiguration { usage, format, view_formats: vec![], ..config };
        surface.configure(gpu.device(), &config);
        let ctx = egui::Context::default();
        egui_material_icons::initialize(&ctx);
        let side = gpu.texture_limits().side as usize;
        let input =
            egui_winit::State::new(ctx.clone(), egui::ViewportId::ROOT, &window, None, None, Some(side));
        let options = egui_wgpu::RendererOptions { dithering: false, ..Default::default() };
        let egui = egui_wgpu::Renderer::new(gpu.device(), format, options);
        let board = BoardRenderer::new(gpu, format);
        Ok(Self {
            window,
            surface,
            config,
            ctx,
            input,
            egui,
            board,
            ui: UiState::default(),
            toasts: egui_notify::Toasts::default().with_anchor(egui_notify::Anchor::TopRight),
            last_toast: None,
            styled_dark: None,
            kept: Kept::default(),
            copies,
            presented_at: None,
            took: Duration::ZERO,
            painting: Duration::ZERO,
            repaint_at: None,
        })
    }

    fn resize(&mut self, gpu: &Gpu, width: u32, height: u32) {
        (self.config.width, self.config.height) = (width.max(1), height.max(1));
        self.surface.configure(gpu.device(), &self.config);
        self.window.request_redraw();
    }

    /// One frame: input, commands, time, picture.
    fn frame(&mut self, gpu: &Arc<Gpu>, model: &mut Model) -> anyhow::Result<()> {
        if self.styled_dark != Some(model.dark) {
            self.styled_dark = Some(model.dark);
            Theme::new(model.dark).apply(&self.ctx);
        }
        let start = Instant::now();
        let mut raw = self.input.take_egui_input(&self.window);
        for command in self.keys(&mut raw, model.dialog.is_some()) {
            model.perform(command);
        }
        let next = model.advance();
        for (severity, text) in model.take_notices() {
            // A key that is held or pressed again says nothing new.
            let again = self.last_toast.as_ref().is_some_and(|(last, at)| {
                *last == text && at.elapsed() < Duration::from_secs(SECS_OF_A_NOTICE)
            });
            if again && severity == Severity::Info {
                continue;
            }
            self.last_toast = Some((text.clone(), Instant::now()));
            let text = wrapped(&text);
            let toast = match severity {
                Severity::Info => self.toasts.info(text),
                Severity::Good => self.toasts.success(text),
                Severity::Bad => self.toasts.error(text),
            };
            let secs = if severity == Severity::Bad { 12 } else { SECS_OF_A_NOTICE };
            toast.duration(Some(Duration::from_secs(secs))).show_progress_bar(false);
        }
        let advanced = start.elapsed();
        let view = model.view();
        let mut commands = Vec::new();
        let mut area = egui::Rect::NOTHING;
        let (state, toasts) = (&mut self.ui, &mut self.toasts);
        let output = self.ctx.run_ui(raw, |ui| {
            let output = root_ui(ui, &view, state);
            commands = output.commands;
            area = output.board;
            toasts.show(ui.ctx());
        });
        drop(view);
        let acted = commands.iter().any(|command| !matches!(command, Command::Hover(_)));
        for command in commands {
            model.perform(command);
        }
        self.input.handle_platform_output(&self.window, output.platform_output);
        let scale = f64::from(output.pixels_per_point);
        let viewport = self.viewport(area, output.pixels_per_point);
        model.camera.set_viewport(f64::from(viewport[2]), f64::from(viewport[3]), scale);

        let look = Look { dark: model.dark, grid: model.grid, marks: model.marks, scale };
        let sight = Sight { camera: &model.camera, look, viewport };
        let (version, running) = (model.version, model.is_playing());
        let laid_out = start.elapsed();
        let budget = match model.spare {
            Some(spare) => spare.saturating_sub(advanced).max(SHORTEST_PICTURE),
            None => (self.took / 3).clamp(PICTURE_BUDGET, LONGEST_PICTURE),
        };
        let cancel = Cancel::at(Instant::now() + budget);
        let brought = self.board.update(gpu, &mut model.session, version, &sight, &cancel, running);
        let failed = match brought {
            // The session may go on all the same.
            Err(error @ EngineError::DeviceLost(_)) => return Err(error.into()),
            Err(error) => Some(error),
            Ok(unfinished) => {
                model.is_drawn = !unfinished;
                None
            }
        };
        if let Some(path) = model.picture.take() {
            let format = self.config.format;
            let session = &mut model.session;
            let saved = picture::save(gpu, session, version, &mut self.board, &sight, format, &path);
            match saved {
                Ok(()) => model.notify(Severity::Good, format!("Saved {}", path.display())),
                Err(error) => model.notify(Severity::Bad, format!("{}: {error:#}", path.display())),
            }
        }
        if let Some(error) = failed {
            model.set_playing(false);
            model.notify(Severity::Bad, error.to_string());
        }
        let updated = start.elapsed();
        let mut textures = output.textures_delta;
        self.set_textures(gpu, &textures);
        let presented = self.paint(gpu, model, look, viewport, output.shapes, output.pixels_per_point);
        self.free_textures(&textures);
        // egui demands to hear that they were dealt with.
        textures.clear();
        let is_new = presented?;
        let (generation, took) = (model.session.generation(), start.elapsed());
        self.took = took;
        let [laying_out, picturing, painting] = [(laid_out, advanced), (updated, laid_out), (took, updated)]
            .map(|(end, start)| end.saturating_sub(start));
        if is_new {
            self.painting = laying_out + painting;
        }
        model.spare = gpu
            .is_software()
            .then(|| SLOW_FRAME.saturating_sub(self.painting).clamp(SHORTEST_SPARE, LONGEST_SPARE));
        log::debug!(
            "frame of generation {generation} took {took:?}: {advanced:?} for the board, {laying_out:?} to lay out, {picturing:?} for the picture, {painting:?} to paint"
        );

        let delay =
            output.viewport_output.get(&egui::ViewportId::ROOT).map_or(Duration::MAX, |v| v.repaint_delay);
        let soon = acted || !model.is_drawn || model.picture.is_some();
        let mut delay = if soon { Duration::ZERO } else { next.unwrap_or(delay) };
        if !is_new {
            delay = delay.max(IDLE_FRAME.saturating_sub(took));
        }
        self.repaint_at = Instant::now().checked_add(delay);
        if delay.is_zero() {
            self.window.request_redraw();
        }
        Ok(())
    }

    #[expect(clippy::iter_over_hash_type, reason = "textures are independent of each other")]
    fn set_textures(&mut self, gpu: &Gpu, textures: &egui::TexturesDelta) {
        if !textures.set.is_empty() {
            // What is drawn with them may look otherwise.
            self.kept.forget();
        }
        for (id, deltas) in &textures.set {
            for delta in deltas {
                self.egui.update_texture(gpu.device(), gpu.queue(), *id, delta);
            }
        }
    }

    #[expect(clippy::iter_over_hash_type, reason = "textures are independent of each other")]
    fn free_textures(&mut self, textures: &egui::TexturesDelta) {
        for id in &textures.free {
            self.egui.free_texture(id);
        }
    }

    /// Takes the keys that call commands out of the input, unless a text field has the keyboard or is about to:
    /// what is typed while a dialog opens is no command.
    fn keys(&self, raw: &mut egui::RawInput, asking: bool) -> Vec<Command> {
        let mut commands = Vec::new();
        if asking || self.ctx.egui_wants_keyboard_input() {
            return commands;
        }
        let list_is_open = egui::Popup::is_any_open(&self.ctx);
        let mut asks = false;
        raw.events.retain(|event| {
            if let egui::Event::Key { key, pressed: true, modifiers, .. } = event
                && !asks
                // An open list closes by this key.
                && !(list_is_open && *key == egui::Key::Escape)
                && let Some(command) = Command::of_key(*key, *modifiers)
            {
                asks = matches!(command, Command::ShowOpen | Command::ShowSave | Command::ShowScreenshot);
                commands.push(command);
                return false;
            }
            true
        });
        if !commands.is_empty() {
            // What those keys would have typed is not typed either.
            raw.events.retain(|event| !matches!(event, egui::Event::Text(_)));
        }
        commands
    }

    /// The board's part of the window, in whole pixels inside of it.
    fn viewport(&self, area: egui::Rect, scale: f32) -> Viewport {
        #[expect(clippy::cast_possible_truncation, reason = "clamped to the window")]
        let pixel = |points: f32, most: u32| ((points * scale).round().max(0.0) as u32).min(most);
        let (left, top) =
            (pixel(area.left(), self.config.width - 1), pixel(area.top(), self.config.height - 1));
        let (right, bottom) =
            (pixel(area.right(), self.config.width), pixel(area.bottom(), self.config.height));
        [left, top, right.saturating_sub(left).max(1), bottom.saturating_sub(top).max(1)]
    }

    /// Paints what has changed and shows it; whether there was anything.
    fn paint(
        &mut self,
        gpu: &Arc<Gpu>,
        model: &Model,
        look: Look,
        viewport: Viewport,
        shapes: Vec<egui::epaint::ClippedShape>,
        pixels_per_point: f32,
    ) -> anyhow::Result<bool> {
        let (device, queue) = (gpu.device(), gpu.queue());
        let sight = Sight { camera: &model.camera, look, viewport };
        let appearance = self.board.appearance(&model.session, &sight);
        let size = [self.config.width, self.config.height];
        let kept = self.kept.texture(gpu, self.config.format, size);
        let mut areas = self.kept.areas(&shapes, &appearance, viewport, size, pixels_per_point);
        let is_new = !areas.is_empty();
        if !is_new && self.presented_at.is_some_and(|at| at.elapsed() < SHOWN_EVERY) {
            return Ok(false);
        }
        // Whatever goes wrong before it is painted, all is painted next time.
        self.kept.forget();
        let frame = match self.surface.get_current_texture() {
            wgpu::CurrentSurfaceTexture::Success(frame) | wgpu::CurrentSurfaceTexture::Suboptimal(frame) => {
                frame
            }
            wgpu::CurrentSurfaceTexture::Timeout | wgpu::CurrentSurfaceTexture::Occluded => return Ok(true),
            wgpu::CurrentSurfaceTexture::Outdated => {
                self.surface.configure(device, &self.config);
                self.window.request_redraw();
                return Ok(true);
            }
            wgpu::CurrentSurfaceTexture::Lost => {
                self.surface = gpu.instance().create_surface(Arc::clone(&self.window))?;
                self.surface.configure(device, &self.config);
                self.window.request_redraw();
                return Ok(true);
            }
            wgpu::CurrentSurfaceTexture::Validation => anyhow::bail!("the window's surface failed"),
        };
        if !self.copies {
            areas = vec![[0, 0, size[0], size[1]]];
        }
        let target = if self.copies { &kept } else { &frame.texture };
        let target = target.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder =
            device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("biota.frame") });
        let mut extra = Vec::new();
        if !areas.is_empty() {
            let screen = egui_wgpu::ScreenDescriptor { size_in_pixels: size, pixels_per_point };
            let jobs = within_areas(self.ctx.tessellate(shapes.clone(), pixels_per_point), &areas, &screen);
            extra = self.egui.update_buffers(device, queue, &mut encoder, &jobs, &screen);
            let pass = if areas.contains(&[0, 0, size[0], size[1]]) {
                begin_pass(&mut encoder, "biota.frame", &target)
            } else {
                go_on_with_pass(&mut encoder, "biota.frame", &target)
            };
            let mut pass = pass.forget_lifetime();
            for within in areas.iter().map(|area| common(*area, viewport)) {
                if within[2] > 0 && within[3] > 0 {
                    self.board.draw(gpu, &mut pass, &model.session, &sight, within);
                }
            }
            pass.set_viewport(0.0, 0.0, size[0] as f32, size[1] as f32, 0.0, 1.0);
            self.egui.render(&mut pass, &jobs, &screen);
        }
        if self.copies {
            encoder.copy_texture_to_texture(
                kept.as_image_copy(),
                frame.texture.as_image_copy(),
                frame.texture.size(),
            );
        }
        queue.submit(extra.into_iter().chain([encoder.finish()]));
        self.window.pre_present_notify();
        queue.present(frame);
        gpu.check()?;
        self.kept.shows(shapes, appearance, viewport);
        self.presented_at = Some(Instant::now());
        Ok(is_new)
    }
}

#[cfg(test)]
mod tests {
    use super::{without_place, wrapped};

    #[test]
    fn long_notices_take_several_lines() {
        let words = "one two three ".repeat(20);
        let lines = wrapped(&words);
        assert!(lines.lines().all(|line| line.len() <= 72), "no line is too long: {lines}");
        assert_eq!(lines.replace('\n', " "), words.trim(), "no word is lost");
        assert_eq!(wrapped("short"), "short", "one line stays one");
    }

    #[test]
    fn a_missing_display_is_told_without_the_place_in_winits_source() {
        assert_eq!(
            without_place(
                "os error at /root/.cargo/registry/src/winit-0.30.13/src/mod.rs:788: Failed to open"
            ),
            "Failed to open",
            "the system's words"
        );
        assert_eq!(without_place("not supported"), "not supported", "other words are kept");
    }
}
