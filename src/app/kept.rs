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

#[cfg(test)]
mod tests {
    use egui::epaint::RectShape;
    use egui::{Color32, Rect, pos2};

    use super::*;

    const SIZE: [u32; 2] = [400, 300];

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
}
