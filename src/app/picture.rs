//! A picture of what the window shows of the board, drawn anew into a texture of its own.

use std::path::Path;

use super::camera::Camera;
use super::renderer::{BoardRenderer, Look, Viewport};
use crate::engine::gpu::Gpu;
use crate::export;
use crate::session::Session;

/// Draws the board as in `viewport`, without the panel, and writes it as PNG.
#[expect(clippy::too_many_arguments, reason = "the parts of one frame")]
pub(super) fn save(
    gpu: &Gpu,
    session: &Session,
    board: &mut BoardRenderer,
    camera: &Camera,
    look: Look,
    viewport: Viewport,
    format: wgpu::TextureFormat,
    path: &Path,
) -> anyhow::Result<()> {
    let [_, _, width, height] = viewport;
    let (device, queue) = (gpu.device(), gpu.queue());
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("biota.picture"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let row_bytes = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("biota.picture"),
        size: u64::from(row_bytes) * u64::from(height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let mut encoder =
        device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("biota.picture") });
    {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("biota.picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        board.draw(gpu, &mut pass, session, camera, look, [0, 0, width, height]);
    }
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(row_bytes),
                rows_per_image: None,
            },
        },
        texture.size(),
    );
    queue.submit([encoder.finish()]);
    buffer.map_async(wgpu::MapMode::Read, .., |_| {});
    gpu.wait()?;
    let bytes = buffer.get_mapped_range(..)?;
    let swapped = matches!(format, wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Bgra8UnormSrgb);
    let mut pixels = Vec::with_capacity((width * height * 3) as usize);
    for row in bytes.chunks_exact(row_bytes as usize) {
        for pixel in row[..(width * 4) as usize].chunks_exact(4) {
            let [a, b, c] = [pixel[0], pixel[1], pixel[2]];
            pixels.extend(if swapped { [c, b, a] } else { [a, b, c] });
        }
    }
    export::save_pixels(path, width, height, &pixels)?;
    Ok(())
}
