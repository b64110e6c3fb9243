//! What the window shows, kept in a texture, so that only what has changed is painted anew: a software adapter takes longer
//! to paint a whole window than to copy it.
//!
//! Knows the shapes that egui has laid out and how the board looks ([`Appearance`]), but not how they are drawn.

use egui::epaint::ClippedShape;

use super::renderer::{Appearance, Viewport};
use crate::engine::gpu::Gpu;

/// Left, top, width, height in pixels of the window.
pub(super) type Area = [u32; 4];

/// Areas that are painted one by one, at the most: triangles are looked through for each of them.
const MOST_AREAS: usize = 6;
/// Pixels that may be painted in vain to have an area less.
const SLACK: u64 = 48 * 48;
/// Points around a shape in which it may have an effect: smooth edges, lines below text.
const AROUND: f32 = 4.0;

/// The picture of the window, and what it is of.
#[derive(Default)]
pub(super) struct Kept {
    texture: Option<wgpu::Texture>,
    /// What it shows; `None` where all is to be painted anew.
    of: Option<(Vec<ClippedShape>, Appearance, Viewport)>,
}

impl Kept {
    /// The texture, for a window of so many pixels.
    pub(super) fn texture(
        &mut self,
        gpu: &Gpu,
        format: wgpu::TextureFormat,
        [width, height]: [u32; 2],
    ) -> wgpu::Texture {
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let fits = |texture: &wgpu::Texture| texture.size() == size && texture.format() == format;
        if let Some(texture) = self.texture.as_ref().filter(|texture| fits(texture)) {
            return texture.clone();
        }
        self.of = None;
        let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: Some("biota.kept"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        self.texture.insert(texture).clone()
    }

    /// Has all painted anew: what is kept is not what the window should show.
    pub(super) fn forget(&mut self) {
        self.of = None;
    }

    /// The parts of a window of so many pixels that are to be painted anew, so that it shows these shapes over a board
    /// that looks like this.
    pub(super) fn areas(
        &self,
        shapes: &[ClippedShape],
        appearance: &Appearance,
        viewport: Viewport,
        size: [u32; 2],
        pixels_per_point: f32,
    ) -> Vec<Area> {
        let Some((old, old_appearance, old_viewport)) = &self.of else {
            return vec![[0, 0, size[0], size[1]]];
        };
        let mut areas = Vec::new();
        if old_viewport != &viewport {
            add(&mut areas, *old_viewport);
        }
        if old_viewport != &viewport || old_appearance != appearance {
            add(&mut areas, viewport);
        }
        for rect in changed(old, shapes) {
            add(&mut areas, pixels(rect.expand(AROUND), size, pixels_per_point));
        }
        areas
    }

    /// Takes note that this is what the texture shows.
    pub(super) fn shows(&mut self, shapes: Vec<ClippedShape>, appearance: Appearance, viewport: Viewport) {
        self.of = Some((shapes, appearance, viewport));
    }
}

/// A rectangle in points as left, top, width and height in pixels, rounded, as far as it lies in a window of so many
/// pixels.
pub(super) fn pixels(rect: egui::Rect, size: [u32; 2], pixels_per_point: f32) -> Area {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, and is clamped")]
    let pixel = |points: f32, most: u32| ((points * pixels_per_point).round() as u32).min(most);
    let (left, top) = (pixel(rect.min.x, size[0]), pixel(rect.min.y, size[1]));
    let (right, bottom) = (pixel(rect.max.x, size[0]), pixel(rect.max.y, size[1]));
    [left, top, right.saturating_sub(left), bottom.saturating_sub(top)]
}

/// What two areas have in common.
pub(super) fn common(a: Area, b: Area) -> Area {
    let side = |at: usize| {
        let from = a[at].max(b[at]);
        (from, (a[at] + a[at + 2]).min(b[at] + b[at + 2]).saturating_sub(from))
    };
    let ((left, width), (top, height)) = (side(0), side(1));
    [left, top, width, height]
}

/// Where shapes differ.
fn changed(old: &[ClippedShape], new: &[ClippedShape]) -> Vec<egui::Rect> {
    let alike = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[alike..], &new[alike..]);
    let alike = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[..old.len() - alike], &new[..new.len() - alike]);
    let seen = |shape: &ClippedShape| {
        let drawn = shape.transform_after_tessellation * shape.shape.visual_bounding_rect();
        drawn.expand(AROUND).intersect(shape.clip_rect)
    };
    let mut rects = Vec::new();
    if old.len() == new.len() {
        for (old, new) in old.iter().zip(new).filter(|(old, new)| old != new) {
            rects.extend([seen(old), seen(new)]);
        }
    } else {
        rects.extend(old.iter().chain(new).map(seen));
    }
    rects.retain(egui::Rect::is_positive);
    rects
}

const fn size_of_area([_, _, width, height]: Area) -> u64 {
    width as u64 * height as u64
}

/// The smallest area that holds both.
fn around(a: Area, b: Area) -> Area {
    let side = |at: usize| {
        let from = a[at].min(b[at]);
        (from, (a[at] + a[at + 2]).max(b[at] + b[at + 2]) - from)
    };
    let ((left, width), (top, height)) = (side(0), side(1));
    [left, top, width, height]
}

/// Adds an area to others, together with those that it has something in common with, lest what is seen through is painted
/// twice, and with one where that is hardly more to paint.
fn add(areas: &mut Vec<Area>, mut area: Area) {
    if size_of_area(area) == 0 {
        return;
    }
    loop {
        let growth = |other: &Area| {
            if size_of_area(common(*other, area)) > 0 {
                return 0;
            }
            let both = size_of_area(around(*other, area));
            both.saturating_sub(size_of_area(*other) + size_of_area(area))
        };
        let best = areas.iter().map(growth).enumerate().min_by_key(|(_, growth)| *growth);
        match best {
            Some((index, growth)) if growth <= SLACK || areas.len() >= MOST_AREAS => {
                area = around(areas.swap_remove(index), area);
            }
            _ => break,
        }
    }
    areas.push(area);
}

/// What of the triangles lies in some areas of the screen, which have nothing in common.
pub(super) fn within_areas(
    mut jobs: Vec<egui::ClippedPrimitive>,
    areas: &[Area],
    screen: &egui_wgpu::ScreenDescriptor,
) -> Vec<egui::ClippedPrimitive> {
    let within = |area: &Area| {
        let [left, top, width, height] = area.map(|side| side as f32 / screen.pixels_per_point);
        egui::Rect::from_min_size(egui::pos2(left, top), egui::vec2(width, height))
    };
    if let [area] = areas {
        let area = within(area);
        for job in &mut jobs {
            job.clip_rect = job.clip_rect.intersect(area);
        }
        jobs.retain(|job| job.clip_rect.is_positive());
        return jobs;
    }
    let parts = |job: &egui::ClippedPrimitive| -> Vec<egui::ClippedPrimitive> {
        let clips = areas.iter().map(|area| job.clip_rect.intersect(within(area)));
        let seen = clips.filter(egui::Rect::is_positive);
        seen.map(|clip_rect| egui::ClippedPrimitive { clip_rect, primitive: job.primitive.clone() }).collect()
    };
    jobs.iter().flat_map(parts).collect()
}

#[cfg(test)]
mod tests {
    use egui::epaint::RectShape;
    use egui::{Color32, Rect, pos2};

    use super::super::clock::Clock;
    use super::super::command::{Command, Tool};
    use super::super::logic::Model;
    use super::super::renderer::{begin_pass, go_on_with_pass};
    use super::super::theme::Theme;
    use super::super::ui::{UiState, root_ui};
    use super::*;
    use crate::engine::EngineKind;
    use crate::session::{EngineChoice, Source};

    const SIZE: [u32; 2] = [400, 300];
    const SCREEN: [u32; 2] = [1000, 700];
    const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

    fn shape(left: f32, top: f32, side: f32) -> ClippedShape {
        let rect = Rect::from_min_max(pos2(left, top), pos2(left + side, top + side));
        ClippedShape::new(Rect::EVERYTHING, RectShape::filled(rect, 0.0, Color32::RED))
    }

    /// The areas where `new` differs from `old`, which the window shows.
    fn areas(old: &[ClippedShape], new: &[ClippedShape]) -> Vec<Area> {
        let mut kept = Kept::default();
        kept.shows(old.to_vec(), Appearance::Nothing, [0, 0, 400, 300]);
        kept.areas(new, &Appearance::Nothing, [0, 0, 400, 300], SIZE, 1.0)
    }

    #[test]
    fn all_is_painted_first_and_nothing_where_nothing_changes() {
        let shapes = [shape(10.0, 10.0, 20.0), shape(50.0, 10.0, 20.0)];
        let first = Kept::default().areas(&shapes, &Appearance::Nothing, [0, 0, 9, 9], SIZE, 1.0);
        assert_eq!(first, [[0, 0, 400, 300]], "the first time");
        assert!(areas(&shapes, &shapes).is_empty(), "the same again");
    }

    #[test]
    fn what_moves_is_painted_where_it_was_and_where_it_is() {
        let (still, there, here) =
            (shape(0.0, 0.0, 9.0), shape(20.0, 200.0, 10.0), shape(300.0, 100.0, 10.0));
        let found = areas(&[still.clone(), there.clone()], &[still.clone(), here.clone()]);
        assert_eq!(found, [[12, 192, 26, 26], [292, 92, 26, 26]], "both places, with some room around");
        assert_eq!(
            areas(&[still.clone(), there.clone()], std::slice::from_ref(&still)),
            [[12, 192, 26, 26]],
            "gone"
        );
        assert_eq!(
            areas(std::slice::from_ref(&still), &[there, still.clone()]),
            [[12, 192, 26, 26]],
            "come in front of others"
        );
    }

    #[test]
    fn areas_are_few_and_hold_all_that_changes() {
        let old: Vec<_> = (0..20).map(|i| shape((i * 97 % 380) as f32, (i * 61 % 280) as f32, 5.0)).collect();
        let new: Vec<_> = (0..20).map(|i| shape((i * 89 % 380) as f32, (i * 53 % 280) as f32, 5.0)).collect();
        let found = areas(&old, &new);
        assert!((1..=MOST_AREAS).contains(&found.len()), "{found:?}");
        for (n, area) in found.iter().enumerate() {
            let others = found.iter().skip(n + 1);
            assert!(others.into_iter().all(|other| size_of_area(common(*area, *other)) == 0), "{found:?}");
        }
        for shape in old.iter().skip(1).chain(&new[1..]) {
            let rect = pixels(shape.shape.visual_bounding_rect(), SIZE, 1.0);
            assert!(found.iter().any(|area| common(*area, rect) == rect), "{rect:?} in {found:?}");
        }
    }

    #[test]
    fn a_board_that_looks_otherwise_is_painted_in_its_viewport() {
        let mut kept = Kept::default();
        let viewport = [100, 0, 300, 250];
        kept.shows(Vec::new(), Appearance::Nothing, viewport);
        let picture = |picture| Appearance::Picture { picture, place: Default::default() };
        assert_eq!(kept.areas(&[], &picture(1), viewport, SIZE, 1.0), [viewport], "a picture");
        kept.shows(Vec::new(), picture(1), viewport);
        assert!(kept.areas(&[], &picture(1), viewport, SIZE, 1.0).is_empty(), "the same picture");
        let wide = [0, 0, 400, 250];
        assert_eq!(kept.areas(&[], &picture(1), wide, SIZE, 1.0), [wide], "the panel is closed");
        kept.forget();
        assert_eq!(kept.areas(&[], &picture(1), wide, SIZE, 1.0), [[0, 0, 400, 300]], "all");
    }

    fn target(gpu: &Gpu) -> wgpu::Texture {
        gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: Some("biota.test"),
            size: wgpu::Extent3d { width: SCREEN[0], height: SCREEN[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        })
    }

    /// Submits `encoder`; the pixels that `texture` has then.
    fn pixels_of(gpu: &Gpu, texture: &wgpu::Texture, mut encoder: wgpu::CommandEncoder) -> Vec<[u8; 4]> {
        let row_bytes = (4 * SCREEN[0]).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let size = u64::from(row_bytes) * u64::from(SCREEN[1]);
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("biota.test"),
            size,
            usage,
            mapped_at_creation: false,
        });
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row_bytes), rows_per_image: None };
        let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
        gpu.queue().submit([encoder.finish()]);
        buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        gpu.wait().expect("drawn");
        let bytes = buffer.get_mapped_range(..).expect("mapped");
        let rows = bytes.chunks_exact(row_bytes as usize);
        rows.flat_map(|row| row[..4 * SCREEN[0] as usize].as_chunks().0.to_vec()).collect()
    }

    /// Draws triangles over what `texture` shows, or over black; its pixels then.
    fn draw(
        gpu: &Gpu,
        egui: &mut egui_wgpu::Renderer,
        texture: &wgpu::Texture,
        jobs: &[egui::ClippedPrimitive],
        goes_on: bool,
    ) -> Vec<[u8; 4]> {
        let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let screen = egui_wgpu::ScreenDescriptor { size_in_pixels: SCREEN, pixels_per_point: 1.0 };
        egui.update_buffers(gpu.device(), gpu.queue(), &mut encoder, jobs, &screen);
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let begin = if goes_on { go_on_with_pass } else { begin_pass };
        let pass = begin(&mut encoder, "biota.test", &view);
        egui.render(&mut pass.forget_lifetime(), jobs, &screen);
        pixels_of(gpu, texture, encoder)
    }

    fn raw_input(time: f64, events: Vec<egui::Event>) -> egui::RawInput {
        let side = |at: usize| SCREEN[at] as f32;
        egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(side(0), side(1)))),
            time: Some(time),
            events,
            ..Default::default()
        }
    }

    #[test]
    fn what_is_painted_part_by_part_is_what_is_painted_as_a_whole() {
        let gpu = Gpu::shared().expect("an adapter");
        let source = Source::Soup { width: 60, height: 40, densities: vec![0.3] };
        let choice = EngineChoice::Fixed(EngineKind::Cpu);
        let (session, _) = source.session(Some("Immigration:T60,40"), 1, choice).expect("a session");
        let mut model = Model::new(session, "A board".to_owned(), "About it".to_owned(), Vec::new());
        model.clock = Clock::driven();
        let ctx = egui::Context::default();
        egui_material_icons::initialize(&ctx);
        Theme::new(true).apply(&ctx);
        let options = egui_wgpu::RendererOptions { dithering: false, ..Default::default() };
        let mut egui = egui_wgpu::Renderer::new(gpu.device(), FORMAT, options);
        let (mut kept, mut state) = (Kept::default(), UiState::default());
        let (texture, whole) = (target(&gpu), target(&gpu));
        // Where the board would be.
        let screen = Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(SCREEN[0] as f32, SCREEN[1] as f32));
        let ground = ClippedShape::new(Rect::EVERYTHING, RectShape::filled(screen, 0.0, Color32::BLACK));
        let mut small = 0;
        let click = |x, y, pressed| egui::Event::PointerButton {
            pos: egui::pos2(x, y),
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        };
        for frame in 0..26u32 {
            let mut events = Vec::new();
            match frame {
                // The first three settle.
                3..6 => model.perform(Command::Step),
                6 => events.push(egui::Event::PointerMoved(egui::pos2(60.0, 100.0))),
                7 => events.push(egui::Event::PointerMoved(egui::pos2(400.0, 655.0))),
                8 => events.push(egui::Event::PointerMoved(egui::pos2(600.0, 300.0))),
                9 => model.perform(Command::SetTool(Tool::Draw(2))),
                11 => events
                    .extend([egui::Event::PointerMoved(egui::pos2(150.0, 190.0)), click(150.0, 190.0, true)]),
                12 => events.push(click(150.0, 190.0, false)),
                15 => model.perform(Command::Escape),
                16 | 18 => model.perform(Command::ToggleHelp),
                20 => model.perform(Command::TogglePanel),
                22 => model.perform(Command::ToggleTheme),
                _ => {}
            }
            Theme::new(model.dark).apply(&ctx);
            model.clock.next_frame();
            model.advance();
            let view = model.view();
            let output = ctx.run_ui(raw_input(f64::from(frame) * 0.05, events), |ui| {
                let output = root_ui(ui, &view, &mut state);
                drop(output);
            });
            drop(view);
            let mut textures = output.textures_delta;
            #[expect(clippy::iter_over_hash_type, reason = "textures are independent of each other")]
            for (id, deltas) in &textures.set {
                for delta in deltas {
                    egui.update_texture(gpu.device(), gpu.queue(), *id, delta);
                    kept.forget();
                }
            }
            textures.clear();
            let shapes = [vec![ground.clone()], output.shapes].concat();
            let jobs = ctx.tessellate(shapes.clone(), 1.0);
            let areas = kept.areas(&shapes, &Appearance::Nothing, [0; 4], SCREEN, 1.0);
            let painted: u64 = areas.iter().copied().map(size_of_area).sum();
            small += u32::from(painted < 100_000);
            let descriptor = egui_wgpu::ScreenDescriptor { size_in_pixels: SCREEN, pixels_per_point: 1.0 };
            let parts = within_areas(jobs.clone(), &areas, &descriptor);
            kept.shows(shapes, Appearance::Nothing, [0; 4]);
            let found = draw(&gpu, &mut egui, &texture, &parts, true);
            let expected = draw(&gpu, &mut egui, &whole, &jobs, false);
            let differs = |(found, expected): (&[u8; 4], &[u8; 4])| {
                found.iter().zip(expected).any(|(a, b)| a.abs_diff(*b) > 1)
            };
            let wrong: Vec<usize> =
                (0..found.len()).filter(|&at| differs((&found[at], &expected[at]))).collect();
            let first = wrong
                .first()
                .map(|at| (at % SCREEN[0] as usize, at / SCREEN[0] as usize, found[*at], expected[*at]));
            assert!(
                wrong.is_empty(),
                "{} pixels differ in frame {frame}, first {first:?}; of {areas:?}",
                wrong.len()
            );
            let lit = found.iter().filter(|pixel| **pixel != found[0]).count();
            assert!(lit > 5_000, "the panel is seen in frame {frame}");
        }
        assert!(small > 8, "only {small} frames took little to paint");
    }
}
