// A picture of the board that was made on the processor, put where the view has gone since.
//
// Joined after cover.wgsl. Driven by src/app/distant.rs.
//
// Bindings: group 0, 0 where it lies, 1 the picture, 2 how it is sampled.
// The triangle of cover.wgsl covers the viewport; one fragment is one pixel of the window.

struct Placement {
    // Top-left pixel of the viewport in the window.
    viewport: vec2<f32>,
    // The pixel of the picture that is there, and pixels of the picture along one of the window.
    corner: vec2<f32>,
    scale: f32,
    // Fills up to 8 bytes.
    unused: u32,
    // Columns and rows of the picture.
    size: vec2<f32>,
    // The colour of what it doesn't show.
    beyond: vec4<f32>,
}

@group(0) @binding(0) var<uniform> placement: Placement;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var smooth_sampler: sampler;

// The same where it lies pixel on pixel.
@fragment
fn copy(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    return textureLoad(picture, vec2<i32>(position.xy - placement.viewport), 0);
}

@fragment
fn paint(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let at = placement.corner + placement.scale * (position.xy - placement.viewport);
    if any(at < vec2<f32>(0.0)) || any(at >= placement.size) {
        return placement.beyond;
    }
    return textureSampleLevel(picture, smooth_sampler, at / placement.size, 0.0);
}
