// Random bits for given counters and keys: lets tests compare philox.wgsl with src/coin.rs.
//
// Joined after philox.wgsl. Driven by tests/coin.rs.
// Bindings: group 0, 0 the questions, 1 the answers. One invocation answers one question; dispatched: as many
// workgroups as there are questions.

struct Question {
    counter: vec4<u32>,
    key: vec2<u32>,
}

@group(0) @binding(0) var<storage, read> questions: array<Question>;
@group(0) @binding(1) var<storage, read_write> answers: array<vec4<u32>>;

@compute @workgroup_size(1)
fn answer(@builtin(workgroup_id) group: vec3<u32>) {
    answers[group.x] = philox4x32_10(questions[group.x].counter, questions[group.x].key);
}
