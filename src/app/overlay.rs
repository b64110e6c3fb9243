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
use egui::{TextureFilter, TextureId, TextureOptions, TextureWrapMode};

use crate::engine::gpu::Gpu;

const SHADER: &str = include_str!("../../shaders/overlay.wgsl");

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
    /// Left, top, width, height in pixels: nothing is drawn outside.
    clip: [u32; 4],
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
    draws: Vec<Draw>,
}

impl Overlay {
    pub(super) fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let device = gpu.device();
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("biota.overlay"),
            source: wgpu::ShaderSource::Wgsl(SHADER.into()),
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

    /// Brings the triangles of `jobs` to the GPU, for a window of so many pixels.
    pub(super) fn update(&mut self, gpu: &Gpu, jobs: &[ClippedPrimitive], size: [u32; 2], pixels_per_point: f32) {
        let (mut vertices, mut indices) = (Vec::new(), Vec::new());
        self.draws = draws(jobs, size, pixels_per_point, &mut vertices, &mut indices);
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

    /// Draws what was brought last into a pass over the whole window.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_bind_group(0, &self.size_group, &[]);
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        let mut last: Option<&Draw> = None;
        for draw in &self.draws {
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

/// Puts all triangles of `jobs` into `vertices` and `indices`, and says how they are drawn, in their order.
fn draws(
    jobs: &[ClippedPrimitive],
    size: [u32; 2],
    pixels_per_point: f32,
    vertices: &mut Vec<Vertex>,
    indices: &mut Vec<u32>,
) -> Vec<Draw> {
    let count = |length: usize| u32::try_from(length).expect("indices of egui have 32 bits");
    let mut draws: Vec<Draw> = Vec::new();
    for ClippedPrimitive { clip_rect, primitive } in jobs {
        let Primitive::Mesh(mesh) = primitive else { continue };
        let clip = clip_of(*clip_rect, size, pixels_per_point);
        if clip[2] == 0 || clip[3] == 0 {
            continue;
        }
        let base = count(vertices.len());
        vertices.extend_from_slice(&mesh.vertices);
        for triangle in mesh.indices.as_chunks::<3>().0 {
            let corners = triangle.map(|index| mesh.vertices[index as usize]);
            let kind = if corners.iter().any(|corner| corner.uv != WHITE_UV) {
                Kind::Sampled
            } else if corners.iter().all(|corner| corner.color.is_opaque()) {
                Kind::Opaque
            } else {
                Kind::Fill
            };
            let first = count(indices.len());
            indices.extend(triangle.map(|index| base + index));
            let end = first + 3;
            match draws.last_mut() {
                Some(last) if (last.kind, last.texture, last.clip) == (kind, mesh.texture_id, clip) => {
                    last.indices.end = end;
                }
                _ => draws.push(Draw { kind, texture: mesh.texture_id, clip, indices: first..end }),
            }
        }
    }
    draws
}

/// A rectangle in points as left, top, width and height in pixels, as far as it lies in the window.
fn clip_of(rect: egui::Rect, size: [u32; 2], pixels_per_point: f32) -> [u32; 4] {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, and is clamped")]
    let pixel = |points: f32, most: u32| ((points * pixels_per_point).round() as u32).min(most);
    let (left, top) = (pixel(rect.min.x, size[0]), pixel(rect.min.y, size[1]));
    let (right, bottom) = (pixel(rect.max.x, size[0]), pixel(rect.max.y, size[1]));
    [left, top, right.saturating_sub(left), bottom.saturating_sub(top)]
}
