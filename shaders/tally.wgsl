// Populations by species and the bounds of life, a part for each band of rows; the CPU adds the parts up.
//
// Joined after board.wgsl and the rule's text (src/rule/wgsl.rs: SPECIES, MASKS, species_masks, state_of).
// Of few species each invocation counts whole words; of many it adds cell by cell to the counts of the workgroup.
// Driven by src/engine/gpu/mod.rs.
//
// Bindings: group 0 as in board.wgsl; group 1, 0 the question, 1 the parts.
// One workgroup counts BAND rows: each invocation every 64th word of them. Dispatched: rows / BAND workgroups,
// rounded up, in x.

override BAND: u32;

struct Question {
    // The state of the background: the cells that differ from it have bounds.
    background: u32,
    // Fills up to 16 bytes.
    unused0: u32,
    unused1: u32,
    unused2: u32,
}

// What is known of one band, in this order: cells of each species, then leftmost and rightmost column and top and
// bottom row of the cells that differ from the background (left > right when there are none).
const PART = SPECIES + 4u;

@group(1) @binding(0) var<uniform> question: Question;
@group(1) @binding(1) var<storage, read_write> parts: array<u32>;

var<workgroup> counts: array<atomic<u32>, SPECIES>;
var<workgroup> left: atomic<u32>;
var<workgroup> right: atomic<u32>;
var<workgroup> top: atomic<u32>;
var<workgroup> bottom: atomic<u32>;

@compute @workgroup_size(64)
fn tally(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if lane == 0u {
        for (var s = 0u; s < SPECIES; s++) {
            atomicStore(&counts[s], 0u);
        }
        atomicStore(&left, 0xFFFFFFFFu);
        atomicStore(&right, 0u);
        atomicStore(&top, 0xFFFFFFFFu);
        atomicStore(&bottom, 0u);
    }
    workgroupBarrier();

    var own: array<u32, SPECIES>;
    var own_left = 0xFFFFFFFFu;
    var own_right = 0u;
    var own_top = 0xFFFFFFFFu;
    var own_bottom = 0u;
    let first = group.x * BAND;
    let end = min(first + BAND, board.size.y);
    for (var y = first; y < end; y++) {
        for (var word = lane; word < board.words; word += 64u) {
            let planes = load_planes(word, y);
            let inside = inside_mask(word);
            var differs = 0u;
            if MASKS {
                let masks = species_masks(planes);
                var living = 0u;
                for (var s = 0u; s < SPECIES; s++) {
                    let mask = masks[s] & inside;
                    own[s] += countOneBits(mask);
                    living |= mask;
                }
                differs = living;
                if question.background != 0u {
                    differs = ~masks[question.background - 1u] & inside;
                }
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

    if lane == 0u {
        let part = group.x * PART;
        for (var s = 0u; s < SPECIES; s++) {
            parts[part + s] = atomicLoad(&counts[s]);
        }
        parts[part + SPECIES] = atomicLoad(&left);
        parts[part + SPECIES + 1u] = atomicLoad(&right);
        parts[part + SPECIES + 2u] = atomicLoad(&top);
        parts[part + SPECIES + 3u] = atomicLoad(&bottom);
    }
}
