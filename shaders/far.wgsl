// The shades of the far view: `shade` those of a tile's blocks, `merge` those of blocks of four smaller ones.
//
// Joined after view.wgsl, board.wgsl and the rule's text (src/rule/wgsl.rs: SPECIES, MASKS, species_masks, state_of).
// Driven by src/engine/gpu/far.rs.
//
// Bindings: group 0 as in board.wgsl; group 1, 0 the view; group 2, 0 the slots, 1 the shades, 2 the blocks that are
// merged, each by the places of its four parts in reading order, 3 which of those are to be merged now.
// `shade`: one workgroup handles a tile, one invocation a block of 32 x 32 cells. Dispatched: a workgroup a slot.
// `merge`: one invocation handles one block. Dispatched: the blocks of a level, 64 a workgroup.

const NO_SHADE = 0xFFFFFFFFu;

struct Merged {
    // Blocks from first to before end; the shade of block n has the place base + n.
    first: u32,
    end: u32,
    base: u32,
    // How many slots are shaded.
    slots: u32,
}

@group(2) @binding(0) var<storage, read> slots: array<u32>;
@group(2) @binding(1) var<storage, read_write> shades: array<vec4<f32>>;
@group(2) @binding(2) var<storage, read> parts: array<vec4<u32>>;
@group(2) @binding(3) var<uniform> merged: Merged;

var<workgroup> own: array<vec4<f32>, TILE_WORDS * TILE_WORDS>;

@compute @workgroup_size(64)
fn shade(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let slot = slots[min(group.y * groups.x + group.x, merged.slots - 1u)];
    let at = tiles[slot].at;
    let texels = texels_of(slot);
    let rows = rows_inside(at);
    for (var block = lane; block < TILE_WORDS * TILE_WORDS; block += 64u) {
        let word = block % TILE_WORDS;
        let first = block / TILE_WORDS * 32u;
        let inside = inside_mask(32 * (at.x * i32(TILE_WORDS) + i32(word)));
        var sum = vec4<f32>(0.0);
        for (var row = first; row < min(first + 32u, rows); row++) {
            sum += living_colours(load_planes(texels, word, row), inside);
        }
        own[block] = sum / 1024.0;
        shades[slot * SHADES + block] = own[block];
    }
    workgroupBarrier();
    for (var level = LEAST_LEVEL + 1u; level <= TILE_SHIFT; level++) {
        let side = 1u << (TILE_SHIFT - level);
        // No more blocks than invocations are left.
        let is_one = lane < side * side;
        var mean = vec4<f32>(0.0);
        if is_one {
            let corner = 4u * side * (lane / side) + 2u * (lane % side);
            mean = 0.25 * (own[corner] + own[corner + 1u] + own[corner + 2u * side] + own[corner + 2u * side + 1u]);
        }
        workgroupBarrier();
        if is_one {
            own[lane] = mean;
            shades[slot * SHADES + first_shade(level) + lane] = mean;
        }
        workgroupBarrier();
    }
}

@compute @workgroup_size(64)
fn merge(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let n = merged.first + 64u * (group.y * groups.x + group.x) + lane;
    if n >= merged.end {
        return;
    }
    var sum = vec4<f32>(0.0);
    for (var part = 0u; part < 4u; part++) {
        let place = parts[n][part];
        if place == NO_SHADE {
            sum += background_shade();
        } else {
            sum += shades[place];
        }
    }
    shades[merged.base + n] = 0.25 * sum;
}
