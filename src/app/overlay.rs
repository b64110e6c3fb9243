//! Draws what egui has laid out over the board: panel, bars, notices.
//!
//! Does what `egui_wgpu` does, for which a software adapter takes longer than for all else in a frame: its one shader holds
//! a filter of its own and a dither behind branches, of which such an adapter runs both sides, and it samples the font's
//! texture also where a surface has one colour. Here such triangles are told from letters, and have a shader without a
//! texture; and those that hide what lies below don't read it.
//!
//! Knows neither the board nor the session. Known limit: no callbacks and no textures other than egui's own.

use std::collections::HashMap;
use std::ops::Range;

use egui::epaint::{ClippedPrimitive, ImageData, ImageDelta, Primitive, Vertex, WHITE_UV};
use egui::{Color32, TextureFilter, TextureId, TextureOptions, TextureWrapMode};

use super::kept::{Area, common, pixels};
use crate::engine::gpu::Gpu;

/// The text of the shader.
pub fn overlay_source() -> String {
    include_str!("../../shaders/overlay.wgsl").to_owned()
}

/// How triangles are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Of one texel that is white, and opaque.
    Opaque,
    /// Of one texel that is white.
    Fill,
    /// Of any texels.
    Sampled,
}

/// Triangles that are drawn together.
#[derive(Clone, Debug, PartialEq)]
struct Draw {
    kind: Kind,
    texture: TextureId,
    /// Nothing is drawn outside.
    clip: Area,
    indices: Range<u32>,
}

struct Texture {
    texture: wgpu::Texture,
    group: wgpu::BindGroup,
    options: TextureOptions,
}

/// Draws egui's triangles.
pub(super) struct Overlay {
    opaque: wgpu::RenderPipeline,
    fill: wgpu::RenderPipeline,
    sampled: wgpu::RenderPipeline,
    size: wgpu::Buffer,
    size_group: wgpu::BindGroup,
    texture_layout: wgpu::BindGroupLayout,
    textures: HashMap<TextureId, Texture>,
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    /// By the areas that are painted.
    draws: Vec<Vec<Draw>>,
}

impl Overlay {
    pub(super) fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let device = gpu.device();
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("biota.overlay"),
            source: wgpu::ShaderSource::Wgsl(overlay_source().into()),
        });
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
        };
        let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None };
        let size_layout = layout(
            "biota.overlay.size",
            &[entry(
                0,
                wgpu::ShaderStages::VERTEX,
                wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: wgpu::BufferSize::new(16),
                },
            )],
        );
        let texture_layout = layout(
            "biota.overlay.texture",
            &[
                entry(
                    0,
                    wgpu::ShaderStages::FRAGMENT,
                    wgpu::BindingType::Texture {
                        sample_type: wgpu::TextureSampleType::Float { filterable: true },
                        view_dimension: wgpu::TextureViewDimension::D2,
                        multisampled: false,
                    },
                ),
                entry(
                    1,
                    wgpu::ShaderStages::FRAGMENT,
                    wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
                ),
            ],
        );
        let pipeline = |entry_point: &str, layouts: &[&wgpu::BindGroupLayout], blend| {
            let label = format!("biota.overlay.{entry_point}");
            let layouts: Vec<_> = layouts.iter().copied().map(Some).collect();
            let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(&label),
                bind_group_layouts: &layouts,
                immediate_size: 0,
            });
            let constants = [("LINEAR", f64::from(u8::from(format.is_srgb())))];
            let constants = wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(&label),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some("place"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers: &[Some(wgpu::VertexBufferLayout {
                        array_stride: size_of::<Vertex>() as u64,
                        step_mode: wgpu::VertexStepMode::Vertex,
                        attributes: &wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x2, 2 => Unorm8x4],
                    })],
                },
                primitive: wgpu::PrimitiveState::default(),
                depth_stencil: None,
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some(entry_point),
                    compilation_options: constants,
                    targets: &[Some(wgpu::ColorTargetState {
                        format,
                        blend,
                        write_mask: wgpu::ColorWrites::ALL,
                    })],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        // Colours are times alpha already.
        let over = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        let size = buffer(gpu, "biota.overlay.size", 16, wgpu::BufferUsages::UNIFORM);
        let size_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("biota.overlay.size"),
            layout: &size_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: size.as_entire_binding() }],
        });
        Self {
            opaque: pipeline("fill", &[&size_layout], None),
            fill: pipeline("fill", &[&size_layout], over),
            sampled: pipeline("sampled", &[&size_layout, &texture_layout], over),
            size,
            size_group,
            texture_layout,
            textures: HashMap::new(),
            vertices: buffer(gpu, "biota.overlay.vertices", 1 << 16, wgpu::BufferUsages::VERTEX),
            indices: buffer(gpu, "biota.overlay.indices", 1 << 16, wgpu::BufferUsages::INDEX),
            draws: Vec::new(),
        }
    }

    /// Makes or changes a texture.
    pub(super) fn set_texture(&mut self, gpu: &Gpu, id: TextureId, delta: &ImageDelta) {
        let ImageData::Color(image) = &delta.image;
        let [width, height] = image.size.map(|side| u32::try_from(side).expect("sides of a texture"));
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let mut origin = wgpu::Origin3d::ZERO;
        let kept = self.textures.remove(&id);
        let texture = match (delta.pos, kept) {
            (Some([x, y]), Some(kept)) => {
                let pixel = |at| u32::try_from(at).expect("a pixel of a texture");
                origin = wgpu::Origin3d { x: pixel(x), y: pixel(y), z: 0 };
                if kept.options == delta.options {
                    kept
                } else {
                    self.texture(gpu, kept.texture, delta.options)
                }
            }
            (Some(_), None) => return log::warn!("egui changes a texture that it has not made: {id:?}"),
            (None, _) => {
                let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
                    label: Some("biota.overlay"),
                    size,
                    mip_level_count: 1,
                    sample_count: 1,
                    dimension: wgpu::TextureDimension::D2,
                    format: wgpu::TextureFormat::Rgba8Unorm,
                    usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
                    view_formats: &[],
                });
                self.texture(gpu, texture, delta.options)
            }
        };
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * width), rows_per_image: None };
        let target = wgpu::TexelCopyTextureInfo { origin, ..texture.texture.as_image_copy() };
        gpu.queue().write_texture(target, bytemuck::cast_slice(&image.pixels), layout, size);
        self.textures.insert(id, texture);
    }

    fn texture(&self, gpu: &Gpu, texture: wgpu::Texture, options: TextureOptions) -> Texture {
        let filter = |filter| match filter {
            TextureFilter::Nearest => wgpu::FilterMode::Nearest,
            TextureFilter::Linear => wgpu::FilterMode::Linear,
        };
        let wrap = match options.wrap_mode {
            TextureWrapMode::ClampToEdge => wgpu::AddressMode::ClampToEdge,
            TextureWrapMode::Repeat => wgpu::AddressMode::Repeat,
            TextureWrapMode::MirroredRepeat => wgpu::AddressMode::MirrorRepeat,
        };
        let sampler = gpu.device().create_sampler(&wgpu::SamplerDescriptor {
            label: Some("biota.overlay"),
            mag_filter: filter(options.magnification),
            min_filter: filter(options.minification),
            address_mode_u: wrap,
            address_mode_v: wrap,
            ..Default::default()
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let group = gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("biota.overlay"),
            layout: &self.texture_layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&sampler) },
            ],
        });
        Texture { texture, group, options }
    }

    /// Lets go of a texture.
    pub(super) fn free_texture(&mut self, id: TextureId) {
        self.textures.remove(&id);
    }

    /// Brings the triangles of `jobs` to the GPU, for these areas of a window of so many pixels.
    pub(super) fn update(
        &mut self,
        gpu: &Gpu,
        jobs: &[ClippedPrimitive],
        areas: &[Area],
        size: [u32; 2],
        pixels_per_point: f32,
    ) {
        let mut triangles = Triangles::new(jobs, size, pixels_per_point);
        self.draws = areas.iter().map(|area| triangles.draws(jobs, *area, size, pixels_per_point)).collect();
        let Triangles { vertices, indices, .. } = triangles;
        let queue = gpu.queue();
        let points = size.map(|side| side as f32 / pixels_per_point);
        queue.write_buffer(&self.size, 0, bytemuck::cast_slice(&[points[0], points[1], 0.0, 0.0]));
        for (held, bytes) in [
            (&mut self.vertices, bytemuck::cast_slice::<Vertex, u8>(&vertices)),
            (&mut self.indices, bytemuck::cast_slice::<u32, u8>(&indices)),
        ] {
            if held.size() < bytes.len() as u64 {
                let size = (bytes.len() as u64).next_power_of_two();
                *held = buffer(gpu, "biota.overlay.triangles", size, held.usage());
            }
            queue.write_buffer(held, 0, bytes);
        }
    }

    /// Covers an area with black, into a pass over the whole window: the first thing to do.
    pub(super) fn draw_ground(&self, pass: &mut wgpu::RenderPass<'_>, area: usize) {
        self.draw_all(pass, &self.draws[area][..1]);
    }

    /// Draws an area into a pass over the whole window.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, area: usize) {
        self.draw_all(pass, &self.draws[area][1..]);
    }

    fn draw_all(&self, pass: &mut wgpu::RenderPass<'_>, draws: &[Draw]) {
        pass.set_bind_group(0, &self.size_group, &[]);
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        let mut last: Option<&Draw> = None;
        for draw in draws {
            if last.is_none_or(|last| last.kind != draw.kind) {
                pass.set_pipeline(match draw.kind {
                    Kind::Opaque => &self.opaque,
                    Kind::Fill => &self.fill,
                    Kind::Sampled => &self.sampled,
                });
            }
            if draw.kind == Kind::Sampled {
                let Some(texture) = self.textures.get(&draw.texture) else { continue };
                pass.set_bind_group(1, &texture.group, &[]);
            }
            if last.is_none_or(|last| last.clip != draw.clip) {
                let [left, top, width, height] = draw.clip;
                pass.set_scissor_rect(left, top, width, height);
            }
            pass.draw_indexed(draw.indices.clone(), 0, 0..1);
            last = Some(draw);
        }
    }
}

fn buffer(gpu: &Gpu, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// All corners of triangles, and which of them are drawn.
struct Triangles {
    vertices: Vec<Vertex>,
    indices: Vec<u32>,
    /// Where the corners of each job begin.
    bases: Vec<u32>,
}

impl Triangles {
    /// The corners of `jobs`, after those of the ground.
    fn new(jobs: &[ClippedPrimitive], size: [u32; 2], pixels_per_point: f32) -> Self {
        let [right, bottom] = size.map(|side| side as f32 / pixels_per_point);
        let corner = |x, y| Vertex { pos: egui::pos2(x, y), uv: WHITE_UV, color: Color32::BLACK };
        let mut vertices =
            vec![corner(0.0, 0.0), corner(right, 0.0), corner(0.0, bottom), corner(right, bottom)];
        let mut bases = Vec::new();
        for ClippedPrimitive { primitive, .. } in jobs {
            bases.push(count(vertices.len()));
            if let Primitive::Mesh(mesh) = primitive {
                vertices.extend_from_slice(&mesh.vertices);
            }
        }
        Self { vertices, indices: Vec::new(), bases }
    }

    /// How the triangles are drawn that meet an area, in their order, the ground first.
    fn draws(
        &mut self,
        jobs: &[ClippedPrimitive],
        area: Area,
        size: [u32; 2],
        pixels_per_point: f32,
    ) -> Vec<Draw> {
        let first = count(self.indices.len());
        self.indices.extend([0, 1, 2, 2, 1, 3]);
        let texture = TextureId::default();
        let mut draws = vec![Draw { kind: Kind::Opaque, texture, clip: area, indices: first..first + 6 }];
        // Which triangles may be seen in it, in points.
        let [left, top, width, height] = area.map(|side| side as f32 / pixels_per_point);
        let seen = egui::Rect::from_min_size(egui::pos2(left, top), egui::vec2(width, height)).expand(1.0);
        for (ClippedPrimitive { clip_rect, primitive }, base) in jobs.iter().zip(&self.bases) {
            let clip = common(pixels(*clip_rect, size, pixels_per_point), area);
            let Primitive::Mesh(mesh) = primitive else { continue };
            if clip[2] == 0 || clip[3] == 0 {
                continue;
            }
            let mut begun = false;
            for triangle in mesh.indices.as_chunks::<3>().0 {
                let corners = triangle.map(|index| mesh.vertices[index as usize]);
                if !egui::Rect::from_points(&corners.map(|corner| corner.pos)).intersects(seen) {
                    continue;
                }
                let kind = if corners.iter().any(|corner| corner.uv != WHITE_UV) {
                    Kind::Sampled
                } else if corners.iter().all(|corner| corner.color.is_opaque()) {
                    Kind::Opaque
                } else {
                    Kind::Fill
                };
                let first = count(self.indices.len());
                self.indices.extend(triangle.map(|index| base + index));
                let end = first + 3;
                match draws.last_mut() {
                    Some(last) if begun && last.kind == kind => last.indices.end = end,
                    _ => draws.push(Draw { kind, texture: mesh.texture_id, clip, indices: first..end }),
                }
                begun = true;
            }
        }
        draws
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).expect("indices of egui have 32 bits")
}

#[cfg(test)]
mod tests {
    use super::super::command::{Command, Tool};
    use super::super::kept::Kept;
    use super::super::logic::Model;
    use super::super::renderer::{Appearance, go_on_with_pass};
    use super::super::theme::Theme;
    use super::super::ui::{UiState, root_ui};
    use super::*;
    use crate::engine::EngineKind;
    use crate::session::{EngineChoice, Source};

    const SIZE: [u32; 2] = [1000, 700];
    const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

    fn target(gpu: &Gpu) -> wgpu::Texture {
        gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: Some("biota.test"),
            size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
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
        let row_bytes = (4 * SIZE[0]).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let size = u64::from(row_bytes) * u64::from(SIZE[1]);
        let buffer = buffer(gpu, "biota.test", size, wgpu::BufferUsages::MAP_READ);
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(row_bytes),
            rows_per_image: None,
        };
        let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
        gpu.queue().submit([encoder.finish()]);
        buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        gpu.wait().expect("drawn");
        let bytes = buffer.get_mapped_range(..).expect("mapped");
        let rows = bytes.chunks_exact(row_bytes as usize);
        rows.flat_map(|row| row[..4 * SIZE[0] as usize].as_chunks().0.to_vec()).collect()
    }

    /// What `egui_wgpu` draws.
    struct Twin(egui_wgpu::Renderer);

    impl Twin {
        fn draw(&mut self, gpu: &Gpu, jobs: &[ClippedPrimitive]) -> Vec<[u8; 4]> {
            let texture = target(gpu);
            let mut encoder = gpu.device().create_command_encoder(&Default::default());
            let screen =
                egui_wgpu::ScreenDescriptor { size_in_pixels: SIZE, pixels_per_point: 1.0 };
            self.0.update_buffers(gpu.device(), gpu.queue(), &mut encoder, jobs, &screen);
            let view = texture.create_view(&Default::default());
            let pass = super::super::renderer::begin_pass(&mut encoder, "biota.test", &view);
            self.0.render(&mut pass.forget_lifetime(), jobs, &screen);
            pixels_of(gpu, &texture, encoder)
        }
    }

    fn raw_input(time: f64, events: Vec<egui::Event>) -> egui::RawInput {
        let side = |at: usize| SIZE[at] as f32;
        egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(side(0), side(1)))),
            time: Some(time),
            events,
            ..Default::default()
        }
    }

    #[test]
    fn what_is_painted_part_by_part_is_what_egui_wgpu_paints_as_a_whole() {
        let gpu = Gpu::shared().expect("an adapter");
        let source = Source::Soup { width: 60, height: 40, densities: vec![0.3] };
        let choice = EngineChoice::Fixed(EngineKind::Cpu);
        let (session, _) = source.session(Some("Immigration:T60,40"), 1, choice).expect("a session");
        let mut model = Model::new(session, "A board".to_owned(), "About it".to_owned(), Vec::new());
        let ctx = egui::Context::default();
        egui_material_icons::initialize(&ctx);
        Theme::new(true).apply(&ctx);
        let options = egui_wgpu::RendererOptions { dithering: false, ..Default::default() };
        let mut twin = Twin(egui_wgpu::Renderer::new(gpu.device(), FORMAT, options));
        let (mut overlay, mut kept, mut state) =
            (Overlay::new(&gpu, FORMAT), Kept::default(), UiState::default());
        let texture = target(&gpu);
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
                11 => events.extend([egui::Event::PointerMoved(egui::pos2(150.0, 190.0)), click(150.0, 190.0, true)]),
                12 => events.push(click(150.0, 190.0, false)),
                15 => model.perform(Command::Escape),
                16 => model.perform(Command::ToggleHelp),
                18 => model.perform(Command::ToggleHelp),
                20 => model.perform(Command::TogglePanel),
                22 => model.perform(Command::ToggleTheme),
                _ => {}
            }
            Theme::new(model.dark).apply(&ctx);
            model.advance();
            let view = model.view();
            let output =
                ctx.run_ui(raw_input(f64::from(frame) * 0.05, events), |ui| {
                    let output = root_ui(ui, &view, &mut state);
                    drop(output);
                });
            drop(view);
            let mut textures = output.textures_delta;
            #[expect(clippy::iter_over_hash_type, reason = "textures are independent of each other")]
            for (id, deltas) in &textures.set {
                for delta in deltas {
                    twin.0.update_texture(gpu.device(), gpu.queue(), *id, delta);
                    overlay.set_texture(&gpu, *id, delta);
                    kept.forget();
                }
            }
            textures.clear();
            let jobs = ctx.tessellate(output.shapes.clone(), 1.0);
            let areas = kept.areas(&output.shapes, &Appearance::Nothing, [0; 4], SIZE, 1.0);
            let painted: u64 = areas.iter().map(|[.., width, height]| u64::from(width * height)).sum();
            small += u32::from(painted < 100_000);
            overlay.update(&gpu, &jobs, &areas, SIZE, 1.0);
            let mut encoder = gpu.device().create_command_encoder(&Default::default());
            {
                let view = texture.create_view(&Default::default());
                let mut pass = go_on_with_pass(&mut encoder, "biota.test", &view);
                for area in 0..areas.len() {
                    overlay.draw_ground(&mut pass, area);
                    overlay.draw(&mut pass, area);
                }
            }
            kept.shows(output.shapes, Appearance::Nothing, [0; 4]);
            let (found, expected) = (pixels_of(&gpu, &texture, encoder), twin.draw(&gpu, &jobs));
            let differs = |(found, expected): (&[u8; 4], &[u8; 4])| {
                found.iter().zip(expected).any(|(a, b)| a.abs_diff(*b) > 1)
            };
            let wrong: Vec<usize> =
                (0..found.len()).filter(|&at| differs((&found[at], &expected[at]))).collect();
            let first = wrong.first().map(|at| {
                (at % SIZE[0] as usize, at / SIZE[0] as usize, found[*at], expected[*at])
            });
            assert!(wrong.is_empty(), "{} pixels differ in frame {frame}, first {first:?}; of {areas:?}", wrong.len());
            let lit = found.iter().filter(|pixel| **pixel != found[0]).count();
            assert!(lit > 5_000, "the panel is seen in frame {frame}");
        }
        assert!(small > 8, "only {small} frames took little to paint");
    }
}
