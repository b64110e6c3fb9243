//! Written by `BIOTA_WRITE_NATIVE=1 cargo test native`; see native.rs.

#![expect(clippy::all, clippy::pedantic, reason = "written by a program")]

use multiversion::multiversion;

use super::{BLOCK_WORDS, Native, VECTOR, block, wide};

// Life: 10 gates (4 a row + 6), 1 plane.
#[inline(always)]
fn life_row(l: [u64; 1], h: [u64; 1], r: [u64; 1]) -> [u64; 5] {
    let g0 = (h[0] >> 1 | r[0] << 63) ^ (h[0] ^ (h[0] << 1 | l[0] >> 63));
    let g1 = (h[0] >> 1 | r[0] << 63) ^ (((h[0] >> 1 | r[0] << 63) ^ (h[0] << 1 | l[0] >> 63)) & ((h[0] >> 1 | r[0] << 63) ^ h[0]));
    let g2 = (h[0] >> 1 | r[0] << 63) ^ (h[0] << 1 | l[0] >> 63);
    let g3 = (h[0] >> 1 | r[0] << 63) & (h[0] << 1 | l[0] >> 63);
    [h[0], g0, g1, g2, g3]
}

#[inline(always)]
fn life_cell(above: [u64; 5], here: [u64; 5], below: [u64; 5]) -> [u64; 1] {
    let g0 = below[1] ^ (here[3] ^ above[1]);
    let g1 = below[1] ^ ((below[1] ^ above[1]) & (below[1] ^ here[3]));
    let g2 = below[2] ^ (here[4] ^ above[2]);
    let g3 = below[2] ^ ((below[2] ^ above[2]) & (below[2] ^ here[4]));
    let g4 = g3 ^ (g3 | (g2 ^ g1));
    let g5 = g4 & (g0 | here[0]);
    [g5]
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vbmi2", "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn life(l0: &[u64], h0: &[u64], r0: &[u64], o0: &mut [u64]) {
    for at in (0..o0.len()).step_by(BLOCK_WORDS) {
        let l0 = wide(l0, at);
        let h0 = wide(h0, at);
        let r0 = wide(r0, at);
        let o0 = block(o0, at);
        for i in 0..VECTOR {
            let f0 = life_row([l0[0 + i]], [h0[0 + i]], [r0[0 + i]]);
            let f1 = life_row([l0[8 + i]], [h0[8 + i]], [r0[8 + i]]);
            let f2 = life_row([l0[16 + i]], [h0[16 + i]], [r0[16 + i]]);
            [o0[0 + i]] = life_cell(f0, f1, f2);
            let f3 = life_row([l0[24 + i]], [h0[24 + i]], [r0[24 + i]]);
            [o0[8 + i]] = life_cell(f1, f2, f3);
            let f4 = life_row([l0[32 + i]], [h0[32 + i]], [r0[32 + i]]);
            [o0[16 + i]] = life_cell(f2, f3, f4);
            let f5 = life_row([l0[40 + i]], [h0[40 + i]], [r0[40 + i]]);
            [o0[24 + i]] = life_cell(f3, f4, f5);
        }
    }
}

// HighLife: 11 gates (2 a row + 9), 1 plane.
#[inline(always)]
fn highlife_row(l: [u64; 1], h: [u64; 1], r: [u64; 1]) -> [u64; 3] {
    let g0 = (h[0] >> 1 | r[0] << 63) ^ (h[0] ^ (h[0] << 1 | l[0] >> 63));
    let g1 = (h[0] >> 1 | r[0] << 63) ^ (((h[0] >> 1 | r[0] << 63) ^ (h[0] << 1 | l[0] >> 63)) & ((h[0] >> 1 | r[0] << 63) ^ h[0]));
    [h[0], g0, g1]
}

#[inline(always)]
fn highlife_cell(above: [u64; 3], here: [u64; 3], below: [u64; 3]) -> [u64; 1] {
    let g0 = below[1] ^ (here[1] ^ above[1]);
    let g1 = below[1] ^ ((below[1] ^ above[1]) & (below[1] ^ here[1]));
    let g2 = below[2] ^ (here[2] ^ above[2]);
    let g3 = below[2] ^ ((below[2] ^ above[2]) & (below[2] ^ here[2]));
    let g4 = g2 ^ g1;
    let g5 = g3 ^ (g2 & g1);
    let g6 = g5 ^ (g0 | (g5 & here[0]));
    let g7 = g5 & (g0 ^ (g0 | here[0]));
    let g8 = g7 ^ (g4 & (g7 ^ g6));
    [g8]
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vbmi2", "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn highlife(l0: &[u64], h0: &[u64], r0: &[u64], o0: &mut [u64]) {
    for at in (0..o0.len()).step_by(BLOCK_WORDS) {
        let l0 = wide(l0, at);
        let h0 = wide(h0, at);
        let r0 = wide(r0, at);
        let o0 = block(o0, at);
        for i in 0..VECTOR {
            let f0 = highlife_row([l0[0 + i]], [h0[0 + i]], [r0[0 + i]]);
            let f1 = highlife_row([l0[8 + i]], [h0[8 + i]], [r0[8 + i]]);
            let f2 = highlife_row([l0[16 + i]], [h0[16 + i]], [r0[16 + i]]);
            [o0[0 + i]] = highlife_cell(f0, f1, f2);
            let f3 = highlife_row([l0[24 + i]], [h0[24 + i]], [r0[24 + i]]);
            [o0[8 + i]] = highlife_cell(f1, f2, f3);
            let f4 = highlife_row([l0[32 + i]], [h0[32 + i]], [r0[32 + i]]);
            [o0[16 + i]] = highlife_cell(f2, f3, f4);
            let f5 = highlife_row([l0[40 + i]], [h0[40 + i]], [r0[40 + i]]);
            [o0[24 + i]] = highlife_cell(f3, f4, f5);
        }
    }
}

// Day & Night: 13 gates (2 a row + 11), 1 plane.
#[inline(always)]
fn daynight_row(l: [u64; 1], h: [u64; 1], r: [u64; 1]) -> [u64; 3] {
    let g0 = (h[0] >> 1 | r[0] << 63) ^ (h[0] ^ (h[0] << 1 | l[0] >> 63));
    let g1 = (h[0] >> 1 | r[0] << 63) ^ (((h[0] >> 1 | r[0] << 63) ^ (h[0] << 1 | l[0] >> 63)) & ((h[0] >> 1 | r[0] << 63) ^ h[0]));
    [h[0], g0, g1]
}

#[inline(always)]
fn daynight_cell(above: [u64; 3], here: [u64; 3], below: [u64; 3]) -> [u64; 1] {
    let g0 = below[1] ^ (here[1] ^ above[1]);
    let g1 = below[1] ^ ((below[1] ^ above[1]) & (below[1] ^ here[1]));
    let g2 = below[2] ^ (here[2] ^ above[2]);
    let g3 = below[2] ^ ((below[2] ^ above[2]) & (below[2] ^ here[2]));
    let g4 = g2 ^ g1;
    let g5 = g2 & g1;
    let g6 = g5 ^ g3;
    let g7 = (g4 ^ here[0]) | (g4 & g0);
    let g8 = g4 & (g0 & !here[0]);
    let g9 = g8 | (g5 & g3);
    let g10 = g9 ^ (g6 & (g9 ^ g7));
    [g10]
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vbmi2", "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn daynight(l0: &[u64], h0: &[u64], r0: &[u64], o0: &mut [u64]) {
    for at in (0..o0.len()).step_by(BLOCK_WORDS) {
        let l0 = wide(l0, at);
        let h0 = wide(h0, at);
        let r0 = wide(r0, at);
        let o0 = block(o0, at);
        for i in 0..VECTOR {
            let f0 = daynight_row([l0[0 + i]], [h0[0 + i]], [r0[0 + i]]);
            let f1 = daynight_row([l0[8 + i]], [h0[8 + i]], [r0[8 + i]]);
            let f2 = daynight_row([l0[16 + i]], [h0[16 + i]], [r0[16 + i]]);
            [o0[0 + i]] = daynight_cell(f0, f1, f2);
            let f3 = daynight_row([l0[24 + i]], [h0[24 + i]], [r0[24 + i]]);
            [o0[8 + i]] = daynight_cell(f1, f2, f3);
            let f4 = daynight_row([l0[32 + i]], [h0[32 + i]], [r0[32 + i]]);
            [o0[16 + i]] = daynight_cell(f2, f3, f4);
            let f5 = daynight_row([l0[40 + i]], [h0[40 + i]], [r0[40 + i]]);
            [o0[24 + i]] = daynight_cell(f3, f4, f5);
        }
    }
}

// Seeds: 8 gates (2 a row + 6), 1 plane.
#[inline(always)]
fn seeds_row(l: [u64; 1], h: [u64; 1], r: [u64; 1]) -> [u64; 3] {
    let g0 = (h[0] >> 1 | r[0] << 63) ^ (h[0] ^ (h[0] << 1 | l[0] >> 63));
    let g1 = (h[0] >> 1 | r[0] << 63) ^ (((h[0] >> 1 | r[0] << 63) ^ (h[0] << 1 | l[0] >> 63)) & ((h[0] >> 1 | r[0] << 63) ^ h[0]));
    [h[0], g0, g1]
}

#[inline(always)]
fn seeds_cell(above: [u64; 3], here: [u64; 3], below: [u64; 3]) -> [u64; 1] {
    let g0 = below[1] ^ (here[1] ^ above[1]);
    let g1 = below[1] ^ ((below[1] ^ above[1]) & (below[1] ^ here[1]));
    let g2 = below[2] ^ (here[2] ^ above[2]);
    let g3 = below[2] ^ ((below[2] ^ above[2]) & (below[2] ^ here[2]));
    let g4 = g3 ^ (g3 | (g2 ^ g1));
    let g5 = g4 & (u64::MAX ^ (g0 | here[0]));
    [g5]
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vbmi2", "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn seeds(l0: &[u64], h0: &[u64], r0: &[u64], o0: &mut [u64]) {
    for at in (0..o0.len()).step_by(BLOCK_WORDS) {
        let l0 = wide(l0, at);
        let h0 = wide(h0, at);
        let r0 = wide(r0, at);
        let o0 = block(o0, at);
        for i in 0..VECTOR {
            let f0 = seeds_row([l0[0 + i]], [h0[0 + i]], [r0[0 + i]]);
            let f1 = seeds_row([l0[8 + i]], [h0[8 + i]], [r0[8 + i]]);
            let f2 = seeds_row([l0[16 + i]], [h0[16 + i]], [r0[16 + i]]);
            [o0[0 + i]] = seeds_cell(f0, f1, f2);
            let f3 = seeds_row([l0[24 + i]], [h0[24 + i]], [r0[24 + i]]);
            [o0[8 + i]] = seeds_cell(f1, f2, f3);
            let f4 = seeds_row([l0[32 + i]], [h0[32 + i]], [r0[32 + i]]);
            [o0[16 + i]] = seeds_cell(f2, f3, f4);
            let f5 = seeds_row([l0[40 + i]], [h0[40 + i]], [r0[40 + i]]);
            [o0[24 + i]] = seeds_cell(f3, f4, f5);
        }
    }
}

// Brian's Brain: 10 gates (2 a row + 8), 2 planes.
#[inline(always)]
fn briansbrain_row(l: [u64; 2], h: [u64; 2], r: [u64; 2]) -> [u64; 4] {
    let g0 = (h[0] >> 1 | r[0] << 63) ^ (h[0] ^ (h[0] << 1 | l[0] >> 63));
    let g1 = (h[0] >> 1 | r[0] << 63) ^ (((h[0] >> 1 | r[0] << 63) ^ (h[0] << 1 | l[0] >> 63)) & ((h[0] >> 1 | r[0] << 63) ^ h[0]));
    [h[0], h[1], g0, g1]
}

#[inline(always)]
fn briansbrain_cell(above: [u64; 4], here: [u64; 4], below: [u64; 4]) -> [u64; 2] {
    let g0 = below[2] ^ (here[2] ^ above[2]);
    let g1 = below[2] ^ ((below[2] ^ above[2]) & (below[2] ^ here[2]));
    let g2 = below[3] ^ (here[3] ^ above[3]);
    let g3 = below[3] ^ ((below[3] ^ above[3]) & (below[3] ^ here[3]));
    let g4 = g2 ^ g1;
    let g5 = g3 ^ (g2 & g1);
    let g6 = g4 & (u64::MAX ^ (g5 | here[1]));
    let g7 = g6 & (u64::MAX ^ (g0 | here[0]));
    [g7, here[0]]
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vbmi2", "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn briansbrain(l0: &[u64], h0: &[u64], r0: &[u64], l1: &[u64], h1: &[u64], r1: &[u64], o0: &mut [u64], o1: &mut [u64]) {
    for at in (0..o0.len()).step_by(BLOCK_WORDS) {
        let l0 = wide(l0, at);
        let h0 = wide(h0, at);
        let r0 = wide(r0, at);
        let l1 = wide(l1, at);
        let h1 = wide(h1, at);
        let r1 = wide(r1, at);
        let o0 = block(o0, at);
        let o1 = block(o1, at);
        for i in 0..VECTOR {
            let f0 = briansbrain_row([l0[0 + i], l1[0 + i]], [h0[0 + i], h1[0 + i]], [r0[0 + i], r1[0 + i]]);
            let f1 = briansbrain_row([l0[8 + i], l1[8 + i]], [h0[8 + i], h1[8 + i]], [r0[8 + i], r1[8 + i]]);
            let f2 = briansbrain_row([l0[16 + i], l1[16 + i]], [h0[16 + i], h1[16 + i]], [r0[16 + i], r1[16 + i]]);
            [o0[0 + i], o1[0 + i]] = briansbrain_cell(f0, f1, f2);
            let f3 = briansbrain_row([l0[24 + i], l1[24 + i]], [h0[24 + i], h1[24 + i]], [r0[24 + i], r1[24 + i]]);
            [o0[8 + i], o1[8 + i]] = briansbrain_cell(f1, f2, f3);
            let f4 = briansbrain_row([l0[32 + i], l1[32 + i]], [h0[32 + i], h1[32 + i]], [r0[32 + i], r1[32 + i]]);
            [o0[16 + i], o1[16 + i]] = briansbrain_cell(f2, f3, f4);
            let f5 = briansbrain_row([l0[40 + i], l1[40 + i]], [h0[40 + i], h1[40 + i]], [r0[40 + i], r1[40 + i]]);
            [o0[24 + i], o1[24 + i]] = briansbrain_cell(f3, f4, f5);
        }
    }
}

// Immigration: 17 gates (4 a row + 13), 2 planes.
#[inline(always)]
fn immigration_row(l: [u64; 2], h: [u64; 2], r: [u64; 2]) -> [u64; 6] {
    let g0 = (h[0] >> 1 | r[0] << 63) ^ (h[0] ^ (h[0] << 1 | l[0] >> 63));
    let g1 = (h[0] >> 1 | r[0] << 63) ^ (((h[0] >> 1 | r[0] << 63) ^ (h[0] << 1 | l[0] >> 63)) & ((h[0] >> 1 | r[0] << 63) ^ h[0]));
    let g2 = (h[1] >> 1 | r[1] << 63) ^ (h[1] ^ (h[1] << 1 | l[1] >> 63));
    let g3 = (h[1] >> 1 | r[1] << 63) ^ (((h[1] >> 1 | r[1] << 63) ^ (h[1] << 1 | l[1] >> 63)) & ((h[1] >> 1 | r[1] << 63) ^ h[1]));
    [h[0], h[1], g0, g1, g2, g3]
}

#[inline(always)]
fn immigration_cell(above: [u64; 6], here: [u64; 6], below: [u64; 6]) -> [u64; 2] {
    let g0 = below[2] ^ (here[2] ^ above[2]);
    let g1 = below[2] ^ ((below[2] ^ above[2]) & (below[2] ^ here[2]));
    let g2 = below[3] ^ (here[3] ^ above[3]);
    let g3 = below[3] ^ ((below[3] ^ above[3]) & (below[3] ^ here[3]));
    let g4 = g2 ^ g1;
    let g5 = g3 ^ (g2 & g1);
    let g6 = below[4] ^ ((below[4] ^ above[4]) & (below[4] ^ here[4]));
    let g7 = below[5] ^ (here[5] ^ above[5]);
    let g8 = g5 ^ (g5 | g4);
    let g9 = g5 & (g4 ^ (g4 | here[0]));
    let g10 = g9 ^ (g0 & (g9 ^ g8));
    let g11 = here[0] ^ (here[0] | (g7 ^ g6));
    let g12 = g10 & (g11 | here[1]);
    [g10, g12]
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vbmi2", "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn immigration(l0: &[u64], h0: &[u64], r0: &[u64], l1: &[u64], h1: &[u64], r1: &[u64], o0: &mut [u64], o1: &mut [u64]) {
    for at in (0..o0.len()).step_by(BLOCK_WORDS) {
        let l0 = wide(l0, at);
        let h0 = wide(h0, at);
        let r0 = wide(r0, at);
        let l1 = wide(l1, at);
        let h1 = wide(h1, at);
        let r1 = wide(r1, at);
        let o0 = block(o0, at);
        let o1 = block(o1, at);
        for i in 0..VECTOR {
            let f0 = immigration_row([l0[0 + i], l1[0 + i]], [h0[0 + i], h1[0 + i]], [r0[0 + i], r1[0 + i]]);
            let f1 = immigration_row([l0[8 + i], l1[8 + i]], [h0[8 + i], h1[8 + i]], [r0[8 + i], r1[8 + i]]);
            let f2 = immigration_row([l0[16 + i], l1[16 + i]], [h0[16 + i], h1[16 + i]], [r0[16 + i], r1[16 + i]]);
            [o0[0 + i], o1[0 + i]] = immigration_cell(f0, f1, f2);
            let f3 = immigration_row([l0[24 + i], l1[24 + i]], [h0[24 + i], h1[24 + i]], [r0[24 + i], r1[24 + i]]);
            [o0[8 + i], o1[8 + i]] = immigration_cell(f1, f2, f3);
            let f4 = immigration_row([l0[32 + i], l1[32 + i]], [h0[32 + i], h1[32 + i]], [r0[32 + i], r1[32 + i]]);
            [o0[16 + i], o1[16 + i]] = immigration_cell(f2, f3, f4);
            let f5 = immigration_row([l0[40 + i], l1[40 + i]], [h0[40 + i], h1[40 + i]], [r0[40 + i], r1[40 + i]]);
            [o0[24 + i], o1[24 + i]] = immigration_cell(f3, f4, f5);
        }
    }
}

// QuadLife: 51 gates (17 a row + 34), 3 planes.
#[inline(always)]
fn quadlife_row(l: [u64; 3], h: [u64; 3], r: [u64; 3]) -> [u64; 11] {
    let g0 = (h[0] << 1 | l[0] >> 63) & (u64::MAX ^ ((h[2] << 1 | l[2] >> 63) | (h[1] << 1 | l[1] >> 63)));
    let g1 = h[0] & (u64::MAX ^ (h[2] | h[1]));
    let g2 = (h[0] >> 1 | r[0] << 63) & (u64::MAX ^ ((h[2] >> 1 | r[2] << 63) | (h[1] >> 1 | r[1] << 63)));
    let g3 = (h[2] << 1 | l[2] >> 63) ^ ((h[2] << 1 | l[2] >> 63) | (h[1] << 1 | l[1] >> 63));
    let g4 = h[2] ^ (h[2] | h[1]);
    let g5 = (h[2] >> 1 | r[2] << 63) ^ ((h[2] >> 1 | r[2] << 63) | (h[1] >> 1 | r[1] << 63));
    let g6 = (h[2] << 1 | l[2] >> 63) & (h[1] << 1 | l[1] >> 63);
    let g7 = h[2] & h[1];
    let g8 = (h[2] >> 1 | r[2] << 63) & (h[1] >> 1 | r[1] << 63);
    let g9 = (h[0] >> 1 | r[0] << 63) ^ (h[0] ^ (h[0] << 1 | l[0] >> 63));
    let g10 = (h[0] >> 1 | r[0] << 63) ^ (((h[0] >> 1 | r[0] << 63) ^ (h[0] << 1 | l[0] >> 63)) & ((h[0] >> 1 | r[0] << 63) ^ h[0]));
    let g11 = g2 ^ (g1 ^ g0);
    let g12 = g2 ^ ((g2 ^ g0) & (g2 ^ g1));
    let g13 = g5 ^ (g4 ^ g3);
    let g14 = g5 ^ ((g5 ^ g3) & (g5 ^ g4));
    let g15 = g8 ^ (g7 ^ g6);
    let g16 = g8 ^ ((g8 ^ g6) & (g8 ^ g7));
    [h[0], h[1], h[2], g9, g10, g11, g12, g13, g14, g15, g16]
}

#[inline(always)]
fn quadlife_cell(above: [u64; 11], here: [u64; 11], below: [u64; 11]) -> [u64; 3] {
    let g0 = below[3] ^ (here[3] ^ above[3]);
    let g1 = below[3] ^ ((below[3] ^ above[3]) & (below[3] ^ here[3]));
    let g2 = below[4] ^ (here[4] ^ above[4]);
    let g3 = below[4] ^ ((below[4] ^ above[4]) & (below[4] ^ here[4]));
    let g4 = g2 ^ g1;
    let g5 = g3 ^ (g2 & g1);
    let g6 = below[5] ^ (here[5] ^ above[5]);
    let g7 = below[5] ^ ((below[5] ^ above[5]) & (below[5] ^ here[5]));
    let g8 = below[6] ^ (here[6] ^ above[6]);
    let g9 = g8 ^ g7;
    let g10 = below[7] ^ (here[7] ^ above[7]);
    let g11 = below[7] ^ ((below[7] ^ above[7]) & (below[7] ^ here[7]));
    let g12 = below[8] ^ (here[8] ^ above[8]);
    let g13 = g12 ^ g11;
    let g14 = below[9] ^ (here[9] ^ above[9]);
    let g15 = below[9] ^ ((below[9] ^ above[9]) & (below[9] ^ here[9]));
    let g16 = below[10] ^ (here[10] ^ above[10]);
    let g17 = here[0] & (u64::MAX ^ (g4 | g0));
    let g18 = g4 & g0;
    let g19 = g18 ^ (g5 & (g18 ^ g17));
    let g20 = g4 | g0;
    let g21 = g20 ^ (g5 | (g20 ^ g18));
    let g22 = g6 & (g14 ^ g10);
    let g23 = g22 | (g16 ^ g15);
    let g24 = here[0] ^ (g23 | (g13 | here[0]));
    let g25 = g24 & (g5 ^ (g5 | g0));
    let g26 = g25 ^ (here[1] & (g25 ^ g21));
    let g27 = g14 & !g10;
    let g28 = g14 & g10;
    let g29 = g28 ^ (g6 & (g28 ^ g27));
    let g30 = g29 | (g9 | here[0]);
    let g31 = g4 & (u64::MAX ^ (g30 | g13));
    let g32 = g31 & (g5 ^ (g5 | g0));
    let g33 = g32 ^ (here[2] & (g32 ^ g21));
    [g19, g26, g33]
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vbmi2", "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn quadlife(l0: &[u64], h0: &[u64], r0: &[u64], l1: &[u64], h1: &[u64], r1: &[u64], l2: &[u64], h2: &[u64], r2: &[u64], o0: &mut [u64], o1: &mut [u64], o2: &mut [u64]) {
    for at in (0..o0.len()).step_by(BLOCK_WORDS) {
        let l0 = wide(l0, at);
        let h0 = wide(h0, at);
        let r0 = wide(r0, at);
        let l1 = wide(l1, at);
        let h1 = wide(h1, at);
        let r1 = wide(r1, at);
        let l2 = wide(l2, at);
        let h2 = wide(h2, at);
        let r2 = wide(r2, at);
        let o0 = block(o0, at);
        let o1 = block(o1, at);
        let o2 = block(o2, at);
        for i in 0..VECTOR {
            let f0 = quadlife_row([l0[0 + i], l1[0 + i], l2[0 + i]], [h0[0 + i], h1[0 + i], h2[0 + i]], [r0[0 + i], r1[0 + i], r2[0 + i]]);
            let f1 = quadlife_row([l0[8 + i], l1[8 + i], l2[8 + i]], [h0[8 + i], h1[8 + i], h2[8 + i]], [r0[8 + i], r1[8 + i], r2[8 + i]]);
            let f2 = quadlife_row([l0[16 + i], l1[16 + i], l2[16 + i]], [h0[16 + i], h1[16 + i], h2[16 + i]], [r0[16 + i], r1[16 + i], r2[16 + i]]);
            [o0[0 + i], o1[0 + i], o2[0 + i]] = quadlife_cell(f0, f1, f2);
            let f3 = quadlife_row([l0[24 + i], l1[24 + i], l2[24 + i]], [h0[24 + i], h1[24 + i], h2[24 + i]], [r0[24 + i], r1[24 + i], r2[24 + i]]);
            [o0[8 + i], o1[8 + i], o2[8 + i]] = quadlife_cell(f1, f2, f3);
            let f4 = quadlife_row([l0[32 + i], l1[32 + i], l2[32 + i]], [h0[32 + i], h1[32 + i], h2[32 + i]], [r0[32 + i], r1[32 + i], r2[32 + i]]);
            [o0[16 + i], o1[16 + i], o2[16 + i]] = quadlife_cell(f2, f3, f4);
            let f5 = quadlife_row([l0[40 + i], l1[40 + i], l2[40 + i]], [h0[40 + i], h1[40 + i], h2[40 + i]], [r0[40 + i], r1[40 + i], r2[40 + i]]);
            [o0[24 + i], o1[24 + i], o2[24 + i]] = quadlife_cell(f3, f4, f5);
        }
    }
}

// P2Life: 38 gates (4 a row + 34), 2 planes.
#[inline(always)]
fn p2life_row(l: [u64; 2], h: [u64; 2], r: [u64; 2]) -> [u64; 6] {
    let g0 = (h[0] >> 1 | r[0] << 63) ^ (h[0] ^ (h[0] << 1 | l[0] >> 63));
    let g1 = (h[0] >> 1 | r[0] << 63) ^ (((h[0] >> 1 | r[0] << 63) ^ (h[0] << 1 | l[0] >> 63)) & ((h[0] >> 1 | r[0] << 63) ^ h[0]));
    let g2 = (h[1] >> 1 | r[1] << 63) ^ (h[1] ^ (h[1] << 1 | l[1] >> 63));
    let g3 = (h[1] >> 1 | r[1] << 63) ^ (((h[1] >> 1 | r[1] << 63) ^ (h[1] << 1 | l[1] >> 63)) & ((h[1] >> 1 | r[1] << 63) ^ h[1]));
    [h[0], h[1], g0, g1, g2, g3]
}

#[inline(always)]
fn p2life_cell(above: [u64; 6], here: [u64; 6], below: [u64; 6]) -> [u64; 5] {
    let g0 = below[2] ^ (here[2] ^ above[2]);
    let g1 = below[2] ^ ((below[2] ^ above[2]) & (below[2] ^ here[2]));
    let g2 = below[3] ^ (here[3] ^ above[3]);
    let g3 = below[3] ^ ((below[3] ^ above[3]) & (below[3] ^ here[3]));
    let g4 = g2 ^ g1;
    let g5 = g3 ^ (g2 & g1);
    let g6 = below[4] ^ (here[4] ^ above[4]);
    let g7 = below[4] ^ ((below[4] ^ above[4]) & (below[4] ^ here[4]));
    let g8 = below[5] ^ (here[5] ^ above[5]);
    let g9 = below[5] ^ ((below[5] ^ above[5]) & (below[5] ^ here[5]));
    let g10 = g8 ^ g7;
    let g11 = g9 ^ (g8 & g7);
    let g12 = g4 & (g0 & !here[0]);
    let g13 = g10 & (g0 ^ (g0 | here[0]));
    let g14 = g0 & (u64::MAX ^ (g10 & here[0]));
    let g15 = g14 ^ (g5 & (g14 ^ g13));
    let g16 = g10 | g6;
    let g17 = g10 & g6;
    let g18 = g16 ^ (g0 | (g17 ^ g16));
    let g19 = g18 ^ (g18 | (g5 & here[0]));
    let g20 = g19 ^ (g4 & (g19 ^ g15));
    let g21 = g20 ^ (g11 & (g20 ^ g12));
    let g22 = g21 & !here[1];
    let g23 = g16 ^ (g0 & (g16 ^ g10));
    let g24 = g23 | g5;
    let g25 = g24 ^ (g4 & (g24 ^ g18));
    let g26 = g17 & (u64::MAX ^ (g5 | g4));
    let g27 = g25 ^ (g11 | (g26 ^ g25));
    let g28 = g17 & (u64::MAX ^ (g11 | here[0]));
    let g29 = g28 ^ (here[1] & (g28 ^ g27));
    let g30 = g17 & (g0 & !here[0]);
    let g31 = g30 & (g4 & !here[1]);
    let g32 = 0 ^ (g31 | (g22 ^ 0));
    let h32 = u64::MAX ^ (g31 | (g22 ^ u64::MAX));
    let g33 = g29 ^ (g31 & (g29 ^ 0));
    let h33 = g29 ^ (g31 & (g29 ^ u64::MAX));
    [g32, g33, g31, g32 ^ h32, g33 ^ h33]
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vbmi2", "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn p2life(l0: &[u64], h0: &[u64], r0: &[u64], l1: &[u64], h1: &[u64], r1: &[u64], o0: &mut [u64], o1: &mut [u64], o2: &mut [u64], o3: &mut [u64], o4: &mut [u64]) {
    for at in (0..o0.len()).step_by(BLOCK_WORDS) {
        let l0 = wide(l0, at);
        let h0 = wide(h0, at);
        let r0 = wide(r0, at);
        let l1 = wide(l1, at);
        let h1 = wide(h1, at);
        let r1 = wide(r1, at);
        let o0 = block(o0, at);
        let o1 = block(o1, at);
        let o2 = block(o2, at);
        let o3 = block(o3, at);
        let o4 = block(o4, at);
        for i in 0..VECTOR {
            let f0 = p2life_row([l0[0 + i], l1[0 + i]], [h0[0 + i], h1[0 + i]], [r0[0 + i], r1[0 + i]]);
            let f1 = p2life_row([l0[8 + i], l1[8 + i]], [h0[8 + i], h1[8 + i]], [r0[8 + i], r1[8 + i]]);
            let f2 = p2life_row([l0[16 + i], l1[16 + i]], [h0[16 + i], h1[16 + i]], [r0[16 + i], r1[16 + i]]);
            [o0[0 + i], o1[0 + i], o2[0 + i], o3[0 + i], o4[0 + i]] = p2life_cell(f0, f1, f2);
            let f3 = p2life_row([l0[24 + i], l1[24 + i]], [h0[24 + i], h1[24 + i]], [r0[24 + i], r1[24 + i]]);
            [o0[8 + i], o1[8 + i], o2[8 + i], o3[8 + i], o4[8 + i]] = p2life_cell(f1, f2, f3);
            let f4 = p2life_row([l0[32 + i], l1[32 + i]], [h0[32 + i], h1[32 + i]], [r0[32 + i], r1[32 + i]]);
            [o0[16 + i], o1[16 + i], o2[16 + i], o3[16 + i], o4[16 + i]] = p2life_cell(f2, f3, f4);
            let f5 = p2life_row([l0[40 + i], l1[40 + i]], [h0[40 + i], h1[40 + i]], [r0[40 + i], r1[40 + i]]);
            [o0[24 + i], o1[24 + i], o2[24 + i], o3[24 + i], o4[24 + i]] = p2life_cell(f3, f4, f5);
        }
    }
}

/// All of them.
pub(super) static ALL: &[Native] = &[
    // Life
    Native {
        fingerprint: 0xb2489bd81783a526,
        column: |from, to| {
            let ([l0, h0, r0], [o0]) = (from, to) else { return };
            life(l0, h0, r0, o0);
        },
        turned: None,
    },
    // HighLife
    Native {
        fingerprint: 0x12d938f862880745,
        column: |from, to| {
            let ([l0, h0, r0], [o0]) = (from, to) else { return };
            highlife(l0, h0, r0, o0);
        },
        turned: None,
    },
    // Day & Night
    Native {
        fingerprint: 0x6f680897abb97c53,
        column: |from, to| {
            let ([l0, h0, r0], [o0]) = (from, to) else { return };
            daynight(l0, h0, r0, o0);
        },
        turned: None,
    },
    // Seeds
    Native {
        fingerprint: 0x5ce191859deb74f0,
        column: |from, to| {
            let ([l0, h0, r0], [o0]) = (from, to) else { return };
            seeds(l0, h0, r0, o0);
        },
        turned: None,
    },
    // Brian's Brain
    Native {
        fingerprint: 0xddcf0f2ba35a1fc2,
        column: |from, to| {
            let ([l0, h0, r0, l1, h1, r1], [o0, o1]) = (from, to) else { return };
            briansbrain(l0, h0, r0, l1, h1, r1, o0, o1);
        },
        turned: None,
    },
    // Immigration
    Native {
        fingerprint: 0x8ad9236da15d229c,
        column: |from, to| {
            let ([l0, h0, r0, l1, h1, r1], [o0, o1]) = (from, to) else { return };
            immigration(l0, h0, r0, l1, h1, r1, o0, o1);
        },
        turned: None,
    },
    // QuadLife
    Native {
        fingerprint: 0xf22ab241248dd76b,
        column: |from, to| {
            let ([l0, h0, r0, l1, h1, r1, l2, h2, r2], [o0, o1, o2]) = (from, to) else { return };
            quadlife(l0, h0, r0, l1, h1, r1, l2, h2, r2, o0, o1, o2);
        },
        turned: None,
    },
    // P2Life
    Native {
        fingerprint: 0x0d91fa26f8cac635,
        column: |from, to| {
            let ([l0, h0, r0, l1, h1, r1], [o0, o1, o2, o3, o4]) = (from, to) else { return };
            p2life(l0, h0, r0, l1, h1, r1, o0, o1, o2, o3, o4);
        },
        turned: Some(&[0, 1]),
    },
];
