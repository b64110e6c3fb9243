// Whole tiles out of a texture, into one, and filled with one state.
//
// Joined after board.wgsl. Driven by src/engine/gpu/mod.rs. `collect` reads the texture `front`; `spread` and `fill`
// write the texture `back`.
//
// Bindings: group 0 as in board.wgsl, 4 the texture that is written; group 1, 0 the slots, 1 the words.
// One invocation handles one word of all planes. Dispatched: slots x TILE_WORDS x TILE_SIDE, 64 a workgroup.
//
//   words: tile after tile in the order of the slots; of each its planes, of each plane its rows
//   for `fill`: the plane bits of the state

@group(0) @binding(4) var back: texture_storage_2d_array<r32uint, write>;
@group(1) @binding(0) var<storage, read> slots: array<u32>;
@group(1) @binding(1) var<storage, read_write> words: array<u32>;

struct Word {
    // Texel column and row, layer of plane 0.
    texel: vec3<u32>,
    // Where plane 0 of it is among the words.
    at: u32,
}

fn word_of(group: vec3<u32>, groups: vec3<u32>, lane: u32) -> Word {
    let index = 64u * (group.y * groups.x + group.x) + lane;
    // Workgroups past the last slot do its work once more.
    let item = min(index / (TILE_WORDS * TILE_SIDE), arrayLength(&slots) - 1u);
    let within = index % (TILE_WORDS * TILE_SIDE);
    let texel = texels_of(slots[item]) + vec3<u32>(within % TILE_WORDS, within / TILE_WORDS, 0u);
    return Word(texel, item * PLANES * TILE_WORDS * TILE_SIDE + within);
}

@compute @workgroup_size(64)
fn collect(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let word = word_of(group, groups, lane);
    for (var plane = 0u; plane < PLANES; plane++) {
        words[word.at + plane * TILE_WORDS * TILE_SIDE] = textureLoad(front, word.texel.xy, word.texel.z + plane).x;
    }
}

@compute @workgroup_size(64)
fn spread(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let word = word_of(group, groups, lane);
    for (var plane = 0u; plane < PLANES; plane++) {
        let value = words[word.at + plane * TILE_WORDS * TILE_SIDE];
        textureStore(back, word.texel.xy, word.texel.z + plane, vec4<u32>(value, 0u, 0u, 0u));
    }
}

@compute @workgroup_size(64)
fn fill(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let word = word_of(group, groups, lane);
    for (var plane = 0u; plane < PLANES; plane++) {
        let value = vec4<u32>(uniform_word(words[0], plane), 0u, 0u, 0u);
        textureStore(back, word.texel.xy, word.texel.z + plane, value);
    }
}
