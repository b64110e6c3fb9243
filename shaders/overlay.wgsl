// The panel, the bars and the notices over the board: triangles of egui.
//
// Driven by src/app/overlay.rs. A software adapter runs both sides of every branch and samples slowly, so what is of one
// colour has a shader of its own that does not sample.
//
// Bindings: group 0, 0 the size of the window; group 1 (sampled only), 0 the texture, 1 how it is sampled.
// Three indices are a triangle; one fragment is one pixel of the window.

// Columns and rows of the window in points; the other two fill up to 16 bytes.
@group(0) @binding(0) var<uniform> size: vec4<f32>;
@group(1) @binding(0) var picture: texture_2d<f32>;
@group(1) @binding(1) var picture_sampler: sampler;

// Whether the window's pixels are linear, and colours have to be turned to linear ones.
override LINEAR: bool = false;

struct Corner {
    @builtin(position) position: vec4<f32>,
    // Of the texture, 0 to 1.
    @location(0) at: vec2<f32>,
    // sRGB, times alpha.
    @location(1) colour: vec4<f32>,
}

@vertex
fn place(
    // Points from the top-left corner of the window.
    @location(0) position: vec2<f32>,
    @location(1) at: vec2<f32>,
    @location(2) colour: vec4<f32>,
) -> Corner {
    let share = position / size.xy;
    return Corner(vec4<f32>(2.0 * share.x - 1.0, 1.0 - 2.0 * share.y, 0.0, 1.0), at, colour);
}

fn shown(colour: vec4<f32>) -> vec4<f32> {
    if LINEAR {
        let low = colour.rgb / 12.92;
        let high = pow((colour.rgb + 0.055) / 1.055, vec3<f32>(2.4));
        return vec4<f32>(select(high, low, colour.rgb < vec3<f32>(0.04045)), colour.a);
    }
    return colour;
}

@fragment
fn fill(corner: Corner) -> @location(0) vec4<f32> {
    return shown(corner.colour);
}

@fragment
fn sampled(corner: Corner) -> @location(0) vec4<f32> {
    return shown(corner.colour * textureSample(picture, picture_sampler, corner.at));
}
