//! Pictures of the board as the window draws it, drawn anew into a texture of their own: of what the window shows, or of
//! any part of a session's board without a window.

use std::path::Path;

use super::camera::Camera;
use super::renderer::{BoardRenderer, Look, Sight, begin_pass};
use crate::engine::Cancel;
use crate::engine::gpu::Gpu;
use crate::export;
use crate::lattice::{Lattice, Point};
use crate::session::Session;

/// What to draw of a board, and how, without a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shot {
    /// How cells are drawn: the rule's lattice, or another to see the same cells differently.
    pub lattice: Lattice,
    /// The point of the drawn plane in the middle.
    pub centre: Point,
    /// Pixels that the pitch of cells takes.
    pub zoom_px_per_cell: f64,
    /// Width and height of the picture, pixels, 1 to the adapter's limit.
    pub size: (u32, u32),
    /// Pixels per point: how thick lines are, and from which zoom on there are any.
    pub scale: f64,
    /// Dark or light colours.
    pub dark: bool,
    /// Lines between cells, when the zoom is large enough.
    pub grid: bool,
    /// Marks of the births and deaths of the next generation, when the zoom is large enough.
    pub marks: bool,
}

/// A picture: rows from the top, three bytes of sRGB a pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green and blue of each pixel.
    pub rgb: Vec<u8>,
}

impl Shot {
    /// Draws the session's board by the shaders of the window. Errors when there is no adapter, or no room on it.
    pub fn take(&self, session: &mut Session) -> anyhow::Result<Pixels> {
        let gpu = Gpu::shared()?;
        let (width, height) = self.size;
        let side = gpu.texture_limits().side;
        anyhow::ensure!(
            (1..=side).contains(&width) && (1..=side).contains(&height),
            "a picture may have 1 to {side} pixels a side, not {width} × {height}"
        );
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let mut board = BoardRenderer::new(&gpu, format);
        let mut camera = Camera::new();
        camera.set_viewport(f64::from(width), f64::from(height), self.scale);
        camera.set_lattice(self.lattice);
        camera.jump(self.centre, self.zoom_px_per_cell);
        let look = Look { dark: self.dark, grid: self.grid, marks: self.marks, scale: self.scale };
        let sight = Sight { camera: &camera, look, viewport: [0, 0, width, height] };
        draw(&gpu, session, 0, &mut board, &sight, format)
    }
}

/// Draws the board as it is seen, without the panel, and writes it as PNG; `version` changes whenever the board does.
pub(super) fn save(
    gpu: &Gpu,
    session: &mut Session,
    version: u64,
    board: &mut BoardRenderer,
    sight: &Sight<'_>,
    format: wgpu::TextureFormat,
    path: &Path,
) -> anyhow::Result<()> {
    let [_, _, width, height] = sight.viewport;
    let sight = Sight { viewport: [0, 0, width, height], ..*sight };
    let Pixels { width, height, rgb } = draw(gpu, session, version, board, &sight, format)?;
    export::save_pixels(path, width, height, &rgb)?;
    Ok(())
}

/// Draws the board into a texture and brings it back.
fn draw(
    gpu: &Gpu,
    session: &mut Session,
    version: u64,
    board: &mut BoardRenderer,
    sight: &Sight<'_>,
    format: wgpu::TextureFormat,
) -> anyhow::Result<Pixels> {
    // A picture that is still in the making may be of an older view.
    while board.update(gpu, session, version, sight, &Cancel::never(), false)? {}
    let [_, _, width, height] = sight.viewport;
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
        let mut pass = begin_pass(&mut encoder, "biota.picture", &view);
        board.draw(gpu, &mut pass, session, sight, sight.viewport);
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
    let mut rgb = Vec::with_capacity(width as usize * height as usize * 3);
    for row in bytes.chunks_exact(row_bytes as usize) {
        for pixel in row[..(width * 4) as usize].chunks_exact(4) {
            let [a, b, c] = [pixel[0], pixel[1], pixel[2]];
            rgb.extend(if swapped { [c, b, a] } else { [a, b, c] });
        }
    }
    Ok(Pixels { width, height, rgb })
}
