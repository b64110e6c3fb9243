// Populations by species and the bounds of life, tile by tile; the CPU adds the tiles up.
//
// Joined after board.wgsl and the rule's text (src/rule/wgsl.rs: SPECIES, MASKS, species_masks, state_of).
// Of few species each invocation counts whole words; of many it adds cell by cell to the counts of the workgroup.
// Driven by src/engine/gpu/mod.rs.
//
// Bindings: group 0 as in board.wgsl; group 1, 0 the question, 1 the slots that are counted, 2 the answers.
// One workgroup counts one tile: each invocation every 64th word of it. Dispatched: a workgroup a slot.

struct Question {
    // The state of the background: the cells that differ from it have bounds.
    background: u32,
    // How many slots are counted.
    slots: u32,
    // Fills up to 16 bytes.
    unused0: u32,
    unused1: u32,
}

// What is known of one tile, in this order: cells of each species; then where the cells that differ from the background
// are, each 8 bits from the lowest: leftmost and rightmost column, top and bottom row (left > right when there are none).
const PART = SPECIES + 1u;

@group(1) @binding(0) var<uniform> question: Question;
@group(1) @binding(1) var<storage, read> slots: array<u32>;
@group(1) @binding(2) var<storage, read_write> parts: array<u32>;

var<workgroup> counts: array<atomic<u32>, SPECIES>;
var<workgroup> left: atomic<u32>;
var<workgroup> right: atomic<u32>;
var<workgroup> top: atomic<u32>;
var<workgroup> bottom: atomic<u32>;

@compute @workgroup_size(64)
fn tally(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let item = group.y * groups.x + group.x;
    if lane == 0u {
        for (var s = 0u; s < SPECIES; s++) {
            atomicStore(&counts[s], 0u);
        }
        atomicStore(&left, 255u);
        atomicStore(&right, 0u);
        atomicStore(&top, 255u);
        atomicStore(&bottom, 0u);
    }
    workgroupBarrier();

    var own: array<u32, SPECIES>;
    var own_left = 255u;
    var own_right = 0u;
    var own_top = 255u;
    var own_bottom = 0u;
    if item < question.slots {
        let slot = slots[item];
        let at = tiles[slot].at;
        let texels = texels_of(slot);
        for (var index = lane; index < TILE_WORDS * rows_inside(at); index += 64u) {
            let word = index % TILE_WORDS;
            let y = index / TILE_WORDS;
            let inside = inside_mask(32 * (at.x * i32(TILE_WORDS) + i32(word)));
            let planes = load_planes(texels, word, y);
            var differs = 0u;
            if MASKS {
                let masks = species_masks(planes);
                var living = 0u;
                for (var s = 0u; s < SPECIES; s++) {
                    let mask = masks[s] & inside;
                    own[s] += countOneBits(mask);
                    living |= mask;
                }
                let background = max(question.background, 1u);
                differs = select(~masks[background - 1u] & inside, living, question.background == 0u);
            } else {
                // States are in binary.
                var living = 0u;
                for (var plane = 0u; plane < PLANES; plane++) {
                    living |= planes[plane];
                    differs |= planes[plane] ^ uniform_word(question.background, plane);
                }
                differs &= inside;
                for (living &= inside; living != 0u; living &= living - 1u) {
                    atomicAdd(&counts[state_of(planes, firstTrailingBit(living)) - 1u], 1u);
                }
            }
            if differs != 0u {
                own_left = min(own_left, 32u * word + firstTrailingBit(differs));
                own_right = max(own_right, 32u * word + firstLeadingBit(differs));
                own_top = min(own_top, y);
                own_bottom = max(own_bottom, y);
            }
        }
    }
    if MASKS {
        for (var s = 0u; s < SPECIES; s++) {
            atomicAdd(&counts[s], own[s]);
        }
    }
    atomicMin(&left, own_left);
    atomicMax(&right, own_right);
    atomicMin(&top, own_top);
    atomicMax(&bottom, own_bottom);
    workgroupBarrier();

    if lane == 0u && item < question.slots {
        let part = item * PART;
        for (var s = 0u; s < SPECIES; s++) {
            parts[part + s] = atomicLoad(&counts[s]);
        }
        parts[part + SPECIES] = atomicLoad(&left)
            | atomicLoad(&right) << 8u
            | atomicLoad(&top) << 16u
            | atomicLoad(&bottom) << 24u;
    }
}
