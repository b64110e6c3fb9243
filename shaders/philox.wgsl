// Philox4x32 with 10 rounds (Salmon, Moraes, Dror, Shaw, SC11): 128 random bits for each counter and key.
//
// The twin of src/coin.rs; tests compare both with the published known answers.
// Joined in front of the shaders that toss coins, after product32.wgsl or product64.wgsl. No bindings.

fn philox_round(c: vec4<u32>, k: vec2<u32>) -> vec4<u32> {
    let first = wide_product(0xD2511F53u, c.x);
    let second = wide_product(0xCD9E8D57u, c.z);
    return vec4<u32>(second.x ^ c.y ^ k.x, second.y, first.x ^ c.w ^ k.y, first.y);
}

// Without a loop: drivers need not see by themselves that it could be unrolled.
fn philox4x32_10(counter: vec4<u32>, key: vec2<u32>) -> vec4<u32> {
    let more = vec2<u32>(0x9E3779B9u, 0xBB67AE85u);
    let key_1 = key + more;
    let key_2 = key_1 + more;
    let key_3 = key_2 + more;
    let key_4 = key_3 + more;
    let key_5 = key_4 + more;
    let key_6 = key_5 + more;
    let key_7 = key_6 + more;
    let key_8 = key_7 + more;
    var c = philox_round(philox_round(counter, key), key_1);
    c = philox_round(philox_round(c, key_2), key_3);
    c = philox_round(philox_round(c, key_4), key_5);
    c = philox_round(philox_round(c, key_6), key_7);
    return philox_round(philox_round(c, key_8), key_8 + more);
}
