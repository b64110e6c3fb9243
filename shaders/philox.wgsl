// Philox4x32 with 10 rounds (Salmon, Moraes, Dror, Shaw, SC11): 128 random bits for each counter and key.
//
// The twin of src/coin.rs; tests compare both with the published known answers.
// Joined in front of the shaders that toss coins. No bindings.

// High and low half of the 64-bit product.
fn wide_product(a: u32, b: u32) -> vec2<u32> {
    let a_low = a & 0xFFFFu;
    let a_high = a >> 16u;
    let b_low = b & 0xFFFFu;
    let b_high = b >> 16u;
    let low = a_low * b_low;
    let middle = a_high * b_low + (low >> 16u);
    let middle_low = (middle & 0xFFFFu) + a_low * b_high;
    let high = a_high * b_high + (middle >> 16u) + (middle_low >> 16u);
    return vec2<u32>(high, a * b);
}

fn philox4x32_10(counter: vec4<u32>, key: vec2<u32>) -> vec4<u32> {
    var c = counter;
    var k = key;
    for (var round = 0u; round < 10u; round++) {
        let first = wide_product(0xD2511F53u, c.x);
        let second = wide_product(0xCD9E8D57u, c.z);
        c = vec4<u32>(second.x ^ c.y ^ k.x, second.y, first.x ^ c.w ^ k.y, first.y);
        k += vec2<u32>(0x9E3779B9u, 0xBB67AE85u);
    }
    return c;
}
