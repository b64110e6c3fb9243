// The product of two numbers of 32 bits, for adapters that have integers of 64: the twin of product32.wgsl, which takes
// about ten operations where GPUs have one for this.
//
// Joined in front of philox.wgsl. No bindings.

// High and low half of the 64-bit product.
fn wide_product(a: u32, b: u32) -> vec2<u32> {
    let product = u64(a) * u64(b);
    return vec2<u32>(u32(product >> 32u), u32(product));
}
