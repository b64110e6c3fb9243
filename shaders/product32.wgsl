// The product of two numbers of 32 bits, for adapters that have no integers of 64: the twin of product64.wgsl.
//
// Joined in front of philox.wgsl. No bindings.

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
