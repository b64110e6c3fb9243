//! Draws the board: from the textures that the GPU engine holds; of another engine, from near out of a canvas of the same
//! kind that takes over the cells that are seen, and from afar as a picture that is summed up on the processor.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytemuck::{Pod, Zeroable};

use super::camera::Camera;
use super::distant::Distant;
use crate::board::{COORDINATE_LIMIT, Topology};
use crate::cell::{DEAD, State};
use crate::coords::Rect;
use crate::engine::gpu::{FarView, Gpu, draw_source, far_level, near_source};
use crate::engine::{Cancel, Engine, EngineError, GpuEngine, Weight};
use crate::lattice::{Lattice, Point};
use crate::palette;
use crate::rule::{Kernel, Rule};
use crate::session::Session;

/// Slots of `View.colours` in `shaders/draw.wgsl`, and the first that is no state's.
const COLOURS: usize = 260;
const FIRST_OTHER_COLOUR: usize = 256;
/// The colour of what lies beyond a bounded board.
const OUTSIDE_COLOUR: usize = 257;
/// Zoom from which grid lines are seen, and from which they are at their strongest, points per cell.
const GRID_FROM: f64 = 6.0;
const GRID_FULL: f64 = 14.0;
/// Zoom from which births and deaths are marked, pixels per cell.
pub(crate) const MARKS_FROM_PX: f64 = 5.0;

/// How many times longer a board that runs is shown than it took to copy it, or to sum it up.
const SHOWN_SHARE: u32 = 4;
/// From so many cells along a pixel on a pixel is mixed of several, squares and others.
const SMALL_SQUARES_FROM: f32 = 0.2;
const SMALL_FROM: f32 = 0.25;
/// State, and next state, of a cell that is seen from near.
const SEEN_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg8Uint;
/// `SEEN_MARGIN` of `shaders/view.wgsl`.
const SEEN_MARGIN: i64 = 4;
/// Cells around those that are seen that are copied too, so that the view may move on a little.
const COPIED_AROUND: i64 = 64;

/// How far from the origin the view may be, cells.
const FARTHEST: i64 = COORDINATE_LIMIT;

/// `View` of `shaders/draw.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct ViewUniform {
    /// The cell at the top-left corner of the viewport, in coordinates; on triangles one that points down, there or
    /// beside it.
    pub corner: [i32; 2],
    /// Where the corner is from that cell's anchor, pitches.
    pub fraction: [f32; 2],
    /// Top-left pixel of the viewport in the target.
    pub viewport: [f32; 2],
    /// Pitches of cells along a pixel.
    pub cells_per_px: f32,
    /// How visible grid lines are, 0 to 1.
    pub grid: f32,
    /// The state of all cells beyond an unbounded board's texture.
    pub background: u32,
    /// 1 when the world ends at the edges of the board.
    pub bounded: u32,
    /// Pixels per point.
    pub scale: f32,
    /// From afar `corner` is a block of 2^`far_level` cells a side; 0 where cells are looked at themselves.
    pub far_level: u32,
    /// How far the corner's cell is from that block's own corner.
    pub remainder: [f32; 2],
    /// Fills up to 16 bytes.
    pub unused: [u32; 2],
    /// States 0 to 255, grid lines, outside, births, deaths: squares of sRGB, with alpha 1.
    pub colours: [[f32; 4]; COLOURS],
}

/// How the board is to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Look {
    pub(crate) dark: bool,
    pub(crate) grid: bool,
    pub(crate) marks: bool,
    pub(crate) scale: f64,
}

/// Where on the target to draw: left, top, width, height in pixels.
pub(crate) type Viewport = [u32; 4];

/// What is looked at, from where, and how.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a> {
    pub(crate) camera: &'a Camera,
    pub(crate) look: Look,
    pub(crate) viewport: Viewport,
}

impl Sight<'_> {
    /// Whether births and deaths of the next generation are seen.
    fn has_marks(&self) -> bool {
        self.look.marks && self.camera.zoom_px_per_cell() >= MARKS_FROM_PX
    }

    /// Whether at least one column and one row of cells lie in a pixel.
    fn is_far(&self) -> bool {
        self.camera.zoom_px_per_cell() * self.camera.lattice().row_height().max(1.0) < 1.0
    }
}

/// `View.colours` of `shaders/draw.wgsl`: states 0 to 255, grid lines, outside, births, deaths.
#[derive(Clone, PartialEq)]
pub(crate) struct Colours(Box<[[f32; 4]; COLOURS]>);

impl Colours {
    /// The colour of a state.
    pub(crate) fn of(&self, state: State) -> [f32; 3] {
        let [r, g, b, _] = self.0[usize::from(state)];
        [r, g, b]
    }

    /// The colour beyond a bounded board.
    pub(crate) fn outside(&self) -> [f32; 3] {
        let [r, g, b, _] = self.0[OUTSIDE_COLOUR];
        [r, g, b]
    }

    /// What cells add to their pixel: colours and ones, of those that live.
    pub(crate) fn weights(&self, states: u16) -> Vec<Weight> {
        let mut weights = self.0[..usize::from(states)].to_vec();
        weights[usize::from(DEAD)] = Weight::default();
        weights
    }
}

impl Look {
    /// The colours in this look.
    pub(crate) fn colours(&self, rule: &Rule) -> Colours {
        let mut colours = Box::new([[0.0; 4]; COLOURS]);
        let rgb = |palette::Rgb(channels): palette::Rgb| channels.map(|v| (f32::from(v) / 255.0).powi(2));
        let opaque = |[r, g, b]: [f32; 3]| [r, g, b, 1.0];
        let colour_of = |state: State| opaque(rgb(rule.colour_on(self.dark, state)));
        for (state, colour) in (DEAD..=State::MAX).take(usize::from(rule.states())).zip(colours.iter_mut()) {
            *colour = colour_of(state);
        }
        let (grid_line, outside) = if self.dark {
            ([0x24, 0x2B, 0x33], [0x04, 0x05, 0x07])
        } else {
            ([0xD9, 0xD5, 0xCB], [0xE4, 0xE1, 0xD9])
        };
        let others = [palette::Rgb(grid_line), palette::Rgb(outside), palette::BIRTH, palette::DEATH];
        for (slot, other) in colours[FIRST_OTHER_COLOUR..].iter_mut().zip(others) {
            *slot = opaque(rgb(other));
        }
        Colours(colours)
    }
}

/// The cells of an engine that is not on the GPU, as far as they are seen from near.
struct Canvas {
    engine: GpuEngine,
    /// Which version of the board it holds, and where.
    version: u64,
    area: Rect,
    copied: Instant,
    took: Duration,
}

/// What draws boards of one kernel on one lattice; compiled when it is first needed.
struct Pipelines {
    kernel: Arc<Kernel>,
    lattice: Lattice,
    /// By [`Distance`]; without marks and with them.
    paint: [[Option<wgpu::RenderPipeline>; 4]; 2],
    look: [Option<wgpu::RenderPipeline>; 2],
    far: FarView,
}

/// How far the cells are, and so how they are painted: `paint_near` and so on of `shaders/draw.wgsl`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Distance {
    /// A cell has many pixels.
    Near,
    /// A cell has a few pixels.
    Small,
    /// A pixel has a few cells.
    Far,
    /// A pixel has many cells.
    Distant,
}

impl Distance {
    const fn entry_point(self) -> &'static str {
        match self {
            Self::Near => "paint_near",
            Self::Small => "paint_small",
            Self::Far => "paint_far",
            Self::Distant => "paint_distant",
        }
    }

    fn of(view: &ViewUniform, lattice: Lattice) -> Self {
        let small_from = if lattice == Lattice::Square { SMALL_SQUARES_FROM } else { SMALL_FROM };
        match view {
            ViewUniform { far_level: 1.., .. } => Self::Distant,
            ViewUniform { cells_per_px, .. } if *cells_per_px > 1.0 => Self::Far,
            ViewUniform { cells_per_px, .. } if *cells_per_px > small_from => Self::Small,
            _ => Self::Near,
        }
    }
}

/// How the board looks: what is equal is drawn alike.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Appearance {
    /// There is nothing to draw.
    Nothing,
    /// A picture by its number, and the view.
    Picture { picture: u64, place: (Point, f64) },
    /// The textures of an engine by their stamp, on this lattice, with marks or not, with these bytes of [`ViewUniform`].
    Cells { stamp: u64, lattice: Lattice, marks: bool, view: Vec<u8> },
}

/// The cells that are seen from near, a texel each.
struct Seen {
    layout: wgpu::BindGroupLayout,
    texture: wgpu::Texture,
    group: wgpu::BindGroup,
    /// What it shows: which board, from which cell on, how many of them, with the next generation or not.
    of: Option<(u64, [i32; 2], [u32; 2], bool)>,
}

pub(crate) struct BoardRenderer {
    format: wgpu::TextureFormat,
    pipelines: Option<Pipelines>,
    seen: Seen,
    view: wgpu::Buffer,
    view_layout: wgpu::BindGroupLayout,
    view_group: wgpu::BindGroup,
    canvas: Option<Canvas>,
    /// Made when it is first needed.
    distant: Option<Distant>,
}

impl BoardRenderer {
    pub(crate) fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let device = gpu.device();
        let view = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("biota.draw.view"),
            size: size_of::<ViewUniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let view_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("biota.draw.view"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::FRAGMENT | wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: wgpu::BufferSize::new(size_of::<ViewUniform>() as u64),
                },
                count: None,
            }],
        });
        let view_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("biota.draw.view"),
            layout: &view_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: view.as_entire_binding() }],
        });
        let seen = Seen::new(gpu);
        Self { format, pipelines: None, seen, view, view_layout, view_group, canvas: None, distant: None }
    }

    /// Brings what is drawn up to date with the session's board, if need be in several calls; `version` changes whenever
    /// the board does. Whether it has to hold still until there is more: then less than all was done before `cancel` was
    /// due. A board that is `running` is not copied or summed up all the time.
    pub(crate) fn update(
        &mut self,
        gpu: &Gpu,
        session: &mut Session,
        version: u64,
        sight: &Sight<'_>,
        cancel: &Cancel,
        running: bool,
    ) -> Result<bool, EngineError> {
        let marks = sight.look.marks;
        if let Some(engine) = session.engine_mut().as_gpu_mut() {
            (self.canvas, self.distant) = (None, None);
            return if marks { engine.preview().map(|()| false) } else { Ok(false) };
        }
        let share = if running { SHOWN_SHARE } else { 0 };
        if sight.is_far() {
            let format = self.format;
            let distant = self.distant.get_or_insert_with(|| Distant::new(gpu, format));
            return distant.update(gpu, session, version, sight, cancel, share);
        }
        let same_rule = self.canvas.as_ref().is_some_and(|canvas| canvas.engine.rule() == session.rule());
        if !same_rule {
            self.canvas = Some(Canvas {
                engine: GpuEngine::new(&session.rule().for_drawing())?,
                version: u64::MAX,
                area: Rect::default(),
                copied: Instant::now(),
                took: Duration::ZERO,
            });
        }
        if let Some(canvas) = &mut self.canvas {
            canvas.update(session, version, sight, share)?;
            if marks {
                canvas.engine.preview()?;
            }
        }
        Ok(false)
    }

    /// How the board would be drawn now.
    pub(crate) fn appearance(&self, session: &Session, sight: &Sight<'_>) -> Appearance {
        let of_gpu = session.engine().as_gpu();
        if of_gpu.is_none() && sight.is_far() {
            let picture = self.distant.as_ref().map_or(0, Distant::number);
            return Appearance::Picture { picture, place: sight.camera.place() };
        }
        of_gpu.or(self.canvas.as_ref().map(|canvas| &canvas.engine)).map_or(Appearance::Nothing, |engine| {
            Appearance::Cells {
                stamp: engine.stamp(),
                lattice: sight.camera.lattice(),
                marks: sight.has_marks(),
                view: bytemuck::bytes_of(&view_uniform(engine, sight)).to_vec(),
            }
        })
    }

    /// Draws what of the board lies in the area `within` of the viewport, into a pass over a target of `format`.
    pub(crate) fn draw(
        &mut self,
        gpu: &Gpu,
        pass: &mut wgpu::RenderPass<'_>,
        session: &Session,
        sight: &Sight<'_>,
        within: Viewport,
    ) {
        let [left, top, width, height] = sight.viewport.map(|side| side as f32);
        pass.set_viewport(left, top, width, height, 0.0, 1.0);
        pass.set_scissor_rect(within[0], within[1], within[2], within[3]);
        let of_gpu = session.engine().as_gpu();
        if of_gpu.is_none() && sight.is_far() {
            if let Some(distant) = &self.distant {
                distant.draw(gpu, pass, sight);
            }
            return;
        }
        let Some(engine) = of_gpu.or(self.canvas.as_ref().map(|canvas| &canvas.engine)) else { return };
        let (kernel, lattice) = (engine.kernel(), sight.camera.lattice());
        let suits = |with: &Pipelines| Arc::ptr_eq(&with.kernel, kernel) && with.lattice == lattice;
        if !self.pipelines.as_ref().is_some_and(suits) {
            self.pipelines = Some(Pipelines {
                kernel: Arc::clone(kernel),
                lattice,
                paint: Default::default(),
                look: Default::default(),
                far: FarView::new(gpu),
            });
            self.seen.of = None;
        }
        let uniform = view_uniform(engine, sight);
        let distance = Distance::of(&uniform, lattice);
        let marks = sight.has_marks();
        let Some(Pipelines { paint, look, far, .. }) = &mut self.pipelines else { return };
        gpu.queue().write_buffer(&self.view, 0, bytemuck::bytes_of(&uniform));
        if distance == Distance::Distant {
            let colours = bytemuck::cast_slice(&uniform.colours);
            far.update(engine, &self.view_layout, &self.view_group, colours);
        } else if distance != Distance::Far {
            let look = look[usize::from(marks)].get_or_insert_with(|| {
                let layouts = [engine.board_layout(), &self.view_layout, engine.board_layout()];
                pipeline(
                    gpu,
                    near_source(kernel),
                    "look",
                    &layouts,
                    &[("WITH_MARKS", f64::from(marks))],
                    SEEN_FORMAT,
                )
            });
            self.seen.update(engine, look, &self.view_group, &uniform, sight);
        }
        let paint = paint[usize::from(marks)][distance as usize].get_or_insert_with(|| {
            let kind = Lattice::ALL.iter().position(|known| *known == lattice).unwrap_or_default();
            let constants = [
                ("LATTICE", kind as f64),
                ("ROW_HEIGHT", lattice.row_height()),
                ("WITH_MARKS", f64::from(marks)),
            ];
            let layouts = [engine.board_layout(), &self.view_layout, &self.seen.layout, far.layout()];
            pipeline(gpu, draw_source(kernel), distance.entry_point(), &layouts, &constants, self.format)
        });
        pass.set_pipeline(paint);
        pass.set_bind_group(0, engine.front_group(), &[]);
        pass.set_bind_group(1, &self.view_group, &[]);
        pass.set_bind_group(2, &self.seen.group, &[]);
        pass.set_bind_group(3, far.group(), &[]);
        pass.draw(0..3, 0..1);
    }
}

impl Seen {
    fn new(gpu: &Gpu) -> Self {
        let layout = gpu.device().create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("biota.seen"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::FRAGMENT,
                ty: wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Uint,
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
                count: None,
            }],
        });
        let (texture, group) = Self::texture(gpu, &layout, 1, 1);
        Self { layout, texture, group, of: None }
    }

    fn texture(
        gpu: &Gpu,
        layout: &wgpu::BindGroupLayout,
        width: u32,
        height: u32,
    ) -> (wgpu::Texture, wgpu::BindGroup) {
        let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: Some("biota.seen"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: SEEN_FORMAT,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let group = gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("biota.seen"),
            layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(&view),
            }],
        });
        (texture, group)
    }

    /// Looks up the cells that are visible, which begin at the corner of the view or shortly before, in a submission of its
    /// own; nothing is done where they are known.
    fn update(
        &mut self,
        engine: &GpuEngine,
        look: &wgpu::RenderPipeline,
        view_group: &wgpu::BindGroup,
        view: &ViewUniform,
        sight: &Sight<'_>,
    ) {
        let gpu = engine.gpu();
        let visible = sight.camera.visible();
        let [right, bottom] = [visible.right(), visible.bottom()];
        let side = |end: i64, corner: i32| {
            let cells = end - i64::from(corner) + 2 * SEEN_MARGIN;
            u32::try_from(cells).unwrap_or(1).clamp(1, gpu.texture_limits().side)
        };
        let (width, height) = (side(right, view.corner[0]), side(bottom, view.corner[1]));
        let (held_width, held_height) = (self.texture.width(), self.texture.height());
        if width > held_width || height > held_height {
            // Some more, so that this is seldom done as the view moves.
            let roomy = |side: u32| side.next_multiple_of(256).min(gpu.texture_limits().side);
            (self.texture, self.group) = Self::texture(
                gpu,
                &self.layout,
                roomy(width.max(held_width)),
                roomy(height.max(held_height)),
            );
            self.of = None;
        }
        let of = Some((engine.stamp(), view.corner, [width, height], sight.has_marks()));
        if self.of == of {
            return;
        }
        let target = self.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = begin_pass(&mut encoder, "biota.seen", &target);
            pass.set_scissor_rect(0, 0, width, height);
            pass.set_pipeline(look);
            pass.set_bind_group(0, engine.front_group(), &[]);
            pass.set_bind_group(1, view_group, &[]);
            pass.set_bind_group(2, engine.preview_group(), &[]);
            pass.draw(0..3, 0..1);
        }
        gpu.queue().submit([encoder.finish()]);
        self.of = of;
    }
}

/// A pass that draws over all of `target` anew.
pub(super) fn begin_pass<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    label: &str,
    target: &wgpu::TextureView,
) -> wgpu::RenderPass<'e> {
    pass(encoder, label, target, wgpu::LoadOp::Clear(wgpu::Color::BLACK))
}

/// A pass that draws over parts of `target`.
pub(super) fn go_on_with_pass<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    label: &str,
    target: &wgpu::TextureView,
) -> wgpu::RenderPass<'e> {
    pass(encoder, label, target, wgpu::LoadOp::Load)
}

fn pass<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    label: &str,
    target: &wgpu::TextureView,
    load: wgpu::LoadOp<wgpu::Color>,
) -> wgpu::RenderPass<'e> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: target,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    })
}

/// The pipeline of a shader that covers its viewport.
pub(super) fn pipeline(
    gpu: &Gpu,
    source: String,
    entry_point: &str,
    layouts: &[&wgpu::BindGroupLayout],
    constants: &[(&str, f64)],
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    let device = gpu.device();
    let label = format!("biota.{entry_point}");
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(&label),
        source: wgpu::ShaderSource::Wgsl(source.into()),
    });
    let layouts: Vec<_> = layouts.iter().copied().map(Some).collect();
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(&label),
        bind_group_layouts: &layouts,
        immediate_size: 0,
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(&label),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("cover"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(entry_point),
            compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

impl Canvas {
    /// Copies the cells that are seen, if they are not there.
    fn update(
        &mut self,
        session: &mut Session,
        version: u64,
        sight: &Sight<'_>,
        share: u32,
    ) -> Result<(), EngineError> {
        let topology = session.rule().topology();
        let field = session.engine().field();
        let seen = sight.camera.visible();
        // What is marked at glued edges depends on cells elsewhere.
        let across = sight.look.marks && topology.is_glued() && !field.contains_rect(seen.grown(2));
        let area = if across { field } else { seen.grown(COPIED_AROUND) };
        let early = version != self.version && self.copied.elapsed() < self.took * share;
        let is_there = if across { self.area == area } else { self.area.contains_rect(seen.grown(2)) };
        if is_there && (version == self.version || early) {
            return Ok(());
        }
        let begin = Instant::now();
        let cells = session.engine_mut().read(area)?;
        self.engine.show(session.heritage().board(cells))?;
        (self.version, self.area) = (version, area);
        (self.copied, self.took) = (Instant::now(), begin.elapsed());
        Ok(())
    }
}

fn view_uniform(engine: &GpuEngine, sight: &Sight<'_>) -> ViewUniform {
    let Sight { camera, look, viewport } = *sight;
    let (rule, background) = (engine.rule(), engine.background());
    let lattice = camera.lattice();
    let corner = camera.point_at((0.0, 0.0));
    let mut cell = camera.cell_at((0.0, 0.0));
    if lattice == Lattice::Triangular {
        // The shader counts from a triangle that points down.
        cell.x -= (cell.x + cell.y) & 1;
    }
    // In double precision, so that nothing is lost a billion cells from the origin.
    let anchor = lattice.anchor_of(cell);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a share of a cell, a zoom: single precision will do"
    )]
    let short = |value: f64| value as f32;
    let far_level = far_level(1.0 / camera.zoom_px_per_cell());
    let block = |value: i64| value >> far_level;
    let remainder = |value: i64| short((value - (block(value) << far_level)) as f64);
    let clamped =
        |value: i64| i32::try_from(value.clamp(-FARTHEST, FARTHEST)).expect("far below the limits of i32");
    let zoom = camera.zoom_px_per_cell();
    let grid = ((zoom / look.scale - GRID_FROM) / (GRID_FULL - GRID_FROM)).clamp(0.0, 1.0);
    ViewUniform {
        corner: [clamped(block(cell.x)), clamped(block(cell.y))],
        fraction: [short(corner.x - anchor.x), short(corner.y - anchor.y)],
        viewport: [viewport[0] as f32, viewport[1] as f32],
        cells_per_px: short(1.0 / zoom),
        grid: if look.grid { short(grid) } else { 0.0 },
        background: u32::from(background),
        bounded: u32::from(rule.topology() != Topology::Unbounded),
        scale: short(look.scale),
        far_level,
        remainder: [remainder(cell.x), remainder(cell.y)],
        unused: [0; 2],
        colours: *look.colours(rule).0,
    }
}
