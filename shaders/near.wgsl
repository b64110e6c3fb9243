// The cells that are seen from near, a texel each: found once for all their pixels.
//
// Joined after cover.wgsl, view.wgsl, board.wgsl and the rule's text (src/rule/wgsl.rs: SPECIES, MASKS, species_masks,
// state_of). Driven by src/app/renderer.rs.
//
// Bindings: group 0 as in board.wgsl; group 1, 0 the view; group 2, 0 and 1 the next generation, as in board.wgsl.
// The triangle of cover.wgsl covers the texture; one fragment is the cell that stands as far from view.corner - SEEN_MARGIN.

// Whether births and deaths of the next generation are marked.
override WITH_MARKS: bool;

@group(2) @binding(1) var next_front: texture_storage_2d_array<r32uint, read>;

// Its state, and that in the next generation where these are marked.
@fragment
fn look(@builtin(position) position: vec4<f32>) -> @location(0) vec2<u32> {
    let cell = view.corner - SEEN_MARGIN + vec2<i32>(position.xy);
    if !on_board(cell) {
        return vec2<u32>(view.background);
    }
    let within = vec2<u32>(cell) & vec2<u32>(TILE_SIDE - 1u);
    let texels = texels_of(slot_of(cell >> vec2<u32>(TILE_SHIFT)));
    let bit = within.x & 31u;
    var states = vec2<u32>(state_of(load_planes(texels, within.x >> 5u, within.y), bit), 0u);
    if WITH_MARKS {
        var planes: array<u32, PLANES>;
        for (var plane = 0u; plane < PLANES; plane++) {
            planes[plane] = textureLoad(next_front, texels.xy + vec2<u32>(within.x >> 5u, within.y), texels.z + plane).x;
        }
        states.y = state_of(planes, bit);
    }
    return states;
}
