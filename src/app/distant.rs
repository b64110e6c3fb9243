//! The far view of boards that are not on the GPU: what each pixel shows is summed up on the processor, some rows of
//! pixels after the other as frames have time for it, and drawn as a picture. Until the next one is made, the last one is
//! put where the view has gone meanwhile. The twin in kind of `far_colour` in `shaders/draw.wgsl`.

use std::ops::Range;
use std::time::{Duration, Instant};

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use super::renderer::{Colours, Sight, pipeline};
use crate::cell::DEAD;
use crate::coords::Rect;
use crate::engine::gpu::{Gpu, picture_source};
use crate::engine::{Cancel, EngineError, Raster, Weight};
use crate::lattice::{Lattice, Point};
use crate::session::Session;

/// Time that a piece of a picture takes, about: between two pieces it is seen whether there is more.
const PIECE: Duration = Duration::from_millis(4);
/// What a pixel costs, compared with a cell.
const COST_OF_A_PIXEL: u64 = 128;
/// Cells (and pixels at their cost) a second before they are measured.
const FIRST_PACE: f64 = 4e9;
/// Cells along a pixel from which on tiles are counted first, and then counts are summed up.
const COUNTED_FROM: i64 = 128;

/// `Placement` of `shaders/picture.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct PlacementUniform {
    /// Top-left pixel of the viewport in the target.
    pub viewport: [f32; 2],
    /// The pixel of the picture that is there.
    pub corner: [f32; 2],
    /// Pixels of the picture along one of the target.
    pub scale: f32,
    /// Fills up to 8 bytes.
    pub unused: u32,
    /// Columns and rows of the picture.
    pub size: [f32; 2],
    /// The colour of what it doesn't show.
    pub beyond: [f32; 4],
}

/// Makes and draws such pictures.
pub(super) struct Distant {
    /// For a view that has gone on since, and for one that has not: sampling takes a software adapter long.
    pipelines: [wgpu::RenderPipeline; 2],
    layout: wgpu::BindGroupLayout,
    placement: wgpu::Buffer,
    sampler: wgpu::Sampler,
    shown: Option<Picture>,
    making: Option<Making>,
    /// Cells a second (and pixels at their cost), as measured.
    pace: f64,
    /// Pictures that were finished.
    finished: u64,
}

/// What a picture is of.
#[derive(Clone, PartialEq)]
struct Subject {
    /// Changes whenever the board does.
    version: u64,
    /// The middle of the view, and pixels per cell.
    place: (Point, f64),
    manner: Manner,
}

/// How it is drawn.
#[derive(Clone, PartialEq)]
struct Manner {
    lattice: Lattice,
    /// Columns and rows of pixels.
    size: (u32, u32),
    colours: Colours,
}

/// A picture that is there.
struct Picture {
    subject: Subject,
    /// Which one it is.
    number: u64,
    texture: wgpu::Texture,
    group: wgpu::BindGroup,
    finished: Instant,
    /// How long it was made, the time between frames left out.
    took: Duration,
}

/// A picture in the making.
struct Making {
    subject: Subject,
    raster: Raster,
    bounds: Option<Rect>,
    /// See [`Raster::sides`].
    sides: Option<[Vec<(u64, u64)>; 2]>,
    /// Rows of pixels that are done.
    done: usize,
    /// Four bytes a pixel.
    pixels: Vec<[u8; 4]>,
    took: Duration,
}

impl Subject {
    fn new(version: u64, sight: &Sight<'_>, colours: Colours) -> Self {
        let [_, _, width, height] = sight.viewport;
        let manner = Manner { lattice: sight.camera.lattice(), size: (width, height), colours };
        Self { version, place: sight.camera.place(), manner }
    }

    /// Whether a picture of this is, at most, somewhere else.
    fn is_of(&self, other: &Self) -> bool {
        self.version == other.version && self.manner == other.manner
    }

    /// Whether it is, at most, of an earlier or later board.
    fn is_at(&self, other: &Self) -> bool {
        self.place == other.place && self.manner == other.manner
    }

    fn raster(&self, sight: &Sight<'_>) -> Raster {
        let Manner { lattice, size: (width, height), .. } = self.manner;
        // Cells as if all were as high as their row and a pitch wide, with their anchors where these are.
        let (before, above) = match lattice {
            Lattice::Square => (0.0, 0.0),
            Lattice::Hexagonal => (0.5, 0.5),
            Lattice::Triangular => (0.5, 0.0),
        };
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        let floor = |value: f64| value.floor() as i64;
        let columns = |aside: f64| {
            let x = |pixel| sight.camera.point_at((f64::from(pixel), 0.0)).x;
            (0..=width).map(|pixel| floor(x(pixel) + before + aside)).collect()
        };
        let y = |pixel| sight.camera.point_at((0.0, f64::from(pixel))).y;
        let rows = (0..=height).map(|pixel| floor(y(pixel) / lattice.row_height() + above)).collect();
        Raster::new([columns(0.0), columns(lattice.slant())], rows, lattice.slant() > 0.0)
    }
}

impl Distant {
    pub(super) fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let device = gpu.device();
        let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty,
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("biota.distant"),
            entries: &[
                entry(
                    0,
                    wgpu::BindingType::Buffer {
                        ty: wgpu::BufferBindingType::Uniform,
                        has_dynamic_offset: false,
                        min_binding_size: wgpu::BufferSize::new(size_of::<PlacementUniform>() as u64),
                    },
                ),
                entry(
                    1,
                    wgpu::BindingType::Texture {
                        sample_type: wgpu::TextureSampleType::Float { filterable: true },
                        view_dimension: wgpu::TextureViewDimension::D2,
                        multisampled: false,
                    },
                ),
                entry(2, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)),
            ],
        });
        let pipelines = ["paint", "copy"]
            .map(|entry_point| pipeline(gpu, picture_source(), entry_point, &[&layout], &[], format));
        let placement = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("biota.distant.placement"),
            size: size_of::<PlacementUniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("biota.distant"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        Self {
            pipelines,
            layout,
            placement,
            sampler,
            shown: None,
            making: None,
            pace: FIRST_PACE,
            finished: 0,
        }
    }

    /// Goes on with the picture of the session's board until `cancel` is due, a piece at the least; whether more is to be
    /// made. The board has to hold still until all of it is: a picture of an older one is given up. `share` is how many
    /// times longer than its making a picture is shown before one of a later board is begun.
    pub(super) fn update(
        &mut self,
        gpu: &Gpu,
        session: &mut Session,
        version: u64,
        sight: &Sight<'_>,
        cancel: &Cancel,
        share: u32,
    ) -> Result<bool, EngineError> {
        let subject = Subject::new(version, sight, sight.look.colours(session.rule()));
        // One that is elsewhere still brings the view nearer to what it should be.
        let kept = self.making.take().filter(|making| making.subject.is_of(&subject));
        let early =
            |shown: &Picture| shown.subject.is_at(&subject) && shown.finished.elapsed() < shown.took * share;
        if kept.is_none() && self.shown.as_ref().is_some_and(|shown| shown.subject == subject || early(shown))
        {
            return Ok(false);
        }
        let mut making = kept.unwrap_or_else(|| {
            Making::new(subject.clone(), subject.raster(sight), session.rule().topology().bounds())
        });
        if !making.go_on(session, cancel, &mut self.pace)? {
            self.making = Some(making);
            return Ok(true);
        }
        let more = making.subject != subject;
        self.shown = Some(self.finish(gpu, making));
        Ok(more)
    }

    /// Brings a finished picture to the GPU.
    fn finish(&mut self, gpu: &Gpu, making: Making) -> Picture {
        let Making { subject, pixels, took, .. } = making;
        let (width, height) = subject.manner.size;
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let kept = self.shown.take().filter(|shown| shown.texture.size() == size);
        let (texture, group) =
            kept.map_or_else(|| self.texture(gpu, size), |shown| (shown.texture, shown.group));
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * width), rows_per_image: None };
        gpu.queue().write_texture(texture.as_image_copy(), bytemuck::cast_slice(&pixels), layout, size);
        self.finished += 1;
        Picture { subject, number: self.finished, texture, group, finished: Instant::now(), took }
    }

    fn texture(&self, gpu: &Gpu, size: wgpu::Extent3d) -> (wgpu::Texture, wgpu::BindGroup) {
        let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: Some("biota.distant"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let group = gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("biota.distant"),
            layout: &self.layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: self.placement.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&view) },
                wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::Sampler(&self.sampler) },
            ],
        });
        (texture, group)
    }

    /// The number of the picture that is shown; 0 before the first.
    pub(super) fn number(&self) -> u64 {
        self.shown.as_ref().map_or(0, |shown| shown.number)
    }

    /// Draws the last picture into the viewport, moved to where the view is now. Nothing before the first.
    pub(super) fn draw(&self, gpu: &Gpu, pass: &mut wgpu::RenderPass<'_>, sight: &Sight<'_>) {
        let Some(Picture { subject, group, .. }) = &self.shown else { return };
        let (then, now) = (subject.place, sight.camera.place());
        let [left, top, width, height] = sight.viewport.map(f64::from);
        let scale = then.1 / now.1;
        #[expect(clippy::cast_possible_truncation, reason = "pixels: single precision will do")]
        let short = |value: f64| value as f32;
        let corner = |side: f64, old_side: u32, way: f64| {
            short(way * then.1 + f64::from(old_side) / 2.0 - side / 2.0 * scale)
        };
        let [r, g, b] = subject.manner.colours.of(DEAD);
        let uniform = PlacementUniform {
            viewport: [short(left), short(top)],
            corner: [
                corner(width, subject.manner.size.0, now.0.x - then.0.x),
                corner(height, subject.manner.size.1, now.0.y - then.0.y),
            ],
            scale: short(scale),
            unused: 0,
            size: [subject.manner.size.0 as f32, subject.manner.size.1 as f32],
            beyond: [r.sqrt(), g.sqrt(), b.sqrt(), 1.0],
        };
        gpu.queue().write_buffer(&self.placement, 0, bytemuck::bytes_of(&uniform));
        let [_, _, width, height] = sight.viewport;
        let lies_there = then == now && subject.manner.size == (width, height);
        pass.set_pipeline(&self.pipelines[usize::from(lies_there)]);
        pass.set_bind_group(0, group, &[]);
        pass.draw(0..3, 0..1);
    }
}

impl Making {
    fn new(subject: Subject, raster: Raster, bounds: Option<Rect>) -> Self {
        let pixels = vec![[0; 4]; raster.width() * raster.height()];
        let sides = raster.sides(bounds);
        Self { subject, raster, bounds, sides, done: 0, pixels, took: Duration::ZERO }
    }

    /// Makes more rows of pixels; whether all are made.
    fn go_on(&mut self, session: &mut Session, cancel: &Cancel, pace: &mut f64) -> Result<bool, EngineError> {
        let begin = Instant::now();
        if self.raster.pitch() >= COUNTED_FROM && !session.engine_mut().count(cancel)? {
            self.took += begin.elapsed();
            return Ok(false);
        }
        let background = session.engine().background();
        let weights = self.subject.manner.colours.weights(session.rule().states());
        let field = session.engine().field();
        while self.done < self.raster.height() {
            let start = Instant::now();
            let (rows, cost) = self.next(field, *pace * PIECE.as_secs_f64());
            let sums = session.engine_mut().sums(&self.raster, rows.clone(), &weights)?;
            let beyond = if self.bounds.is_some() {
                self.subject.manner.colours.outside()
            } else {
                self.subject.manner.colours.of(background)
            };
            self.paint(rows.clone(), &sums, beyond);
            self.done = rows.end;
            // The mean of some, since a piece may be held up.
            *pace = (0.7 * *pace + 0.3 * cost / start.elapsed().as_secs_f64().max(1e-6)).max(1e8);
            if cancel.is_due() {
                break;
            }
        }
        self.took += begin.elapsed();
        Ok(self.done == self.raster.height())
    }

    /// The next rows of pixels that cost about so much, one at the least; and what they cost.
    fn next(&self, field: Rect, affordable: f64) -> (Range<usize>, f64) {
        let cost = |end: usize| {
            let cells = self.raster.area(self.done..end).intersection(field).area();
            (cells + COST_OF_A_PIXEL * ((end - self.done) * self.raster.width()) as u64) as f64
        };
        let (mut end, mut beyond) = (self.done + 1, self.raster.height() + 1);
        while end + 1 < beyond {
            let middle = end.midpoint(beyond);
            if cost(middle) <= affordable { end = middle } else { beyond = middle }
        }
        (self.done..end, cost(end))
    }

    /// Paints rows of pixels with these sums of colours.
    fn paint(&mut self, rows: Range<usize>, sums: &[Weight], beyond: [f32; 3]) {
        let (raster, bounds, width) = (&self.raster, self.bounds, self.raster.width());
        let (dead, beyond) = (with_alpha(self.subject.manner.colours.of(DEAD)), with_alpha(beyond));
        let nothing = bytes(beyond);
        let sides = self.sides.as_ref();
        let pixels = &mut self.pixels[rows.start * width..rows.end * width];
        let pieces = pixels.par_chunks_exact_mut(width).zip(sums.par_chunks_exact(width)).zip(rows);
        pieces.with_min_len(8).for_each(|((pixels, sums), row)| {
            for (column, (pixel, sum)) in pixels.iter_mut().zip(sums).enumerate() {
                let (all, seen) = match sides {
                    Some([columns, rows]) => {
                        (columns[column].0 * rows[row].0, columns[column].1 * rows[row].1)
                    }
                    None => raster.cells(column, row, bounds),
                };
                *pixel = match seen {
                    0 => nothing,
                    seen if seen == all => bytes(inside(*sum, seen as f32, dead)),
                    seen => bytes(between(beyond, inside(*sum, seen as f32, dead), seen as f32 / all as f32)),
                };
            }
        });
    }
}

/// A colour with all of alpha; colours are squares of sRGB.
const fn with_alpha([r, g, b]: [f32; 3]) -> [f32; 4] {
    [r, g, b, 1.0]
}

/// The colour of so many cells, of which those that live have these colours in all and their number last. The twin of
/// `mixed_colour` in `shaders/draw.wgsl`.
#[inline]
fn inside(living: Weight, seen: f32, dead: [f32; 4]) -> [f32; 4] {
    let [.., count] = living;
    // A few living cells among many are still to be seen: the eye gets the root of their share.
    let share = (1.6 * count / seen).min(1.0).sqrt();
    let scale = share / count.max(1.0);
    let mut colour = dead;
    colour.iter_mut().zip(living).for_each(|(channel, sum)| *channel += sum * scale - *channel * share);
    colour
}

/// The colour at a part of the way from one to the other.
#[inline]
fn between(from: [f32; 4], to: [f32; 4], part: f32) -> [f32; 4] {
    let mut colour = from;
    colour.iter_mut().zip(to).for_each(|(channel, to)| *channel += (to - *channel) * part);
    colour
}

/// A colour as sRGB.
#[inline]
fn bytes(square: [f32; 4]) -> [u8; 4] {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255, or saturates")]
    square.map(|value| (value.max(0.0).sqrt() * 255.0 + 0.5) as u8)
}
