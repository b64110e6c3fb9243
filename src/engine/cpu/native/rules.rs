//! Written by `BIOTA_WRITE_NATIVE=1 cargo test native`; see native.rs.

#![expect(clippy::all, clippy::pedantic, reason = "written by a program")]

use multiversion::multiversion;

use super::Native;

// Life: 10 gates (4 a row + 6), 1 planes.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn life_row(l0: &[u64], h0: &[u64], r0: &[u64], f0: &mut [u64], f1: &mut [u64], f2: &mut [u64], f3: &mut [u64]) {
    let n = f0.len();
    let l0 = &l0[..n];
    let h0 = &h0[..n];
    let r0 = &r0[..n];
    let f1 = &mut f1[..n];
    let f2 = &mut f2[..n];
    let f3 = &mut f3[..n];
    for i in 0..n {
        let g0 = (h0[i] >> 1 | r0[i] << 63) ^ (h0[i] ^ (h0[i] << 1 | l0[i] >> 63));
        let g1 = (h0[i] >> 1 | r0[i] << 63) ^ (((h0[i] >> 1 | r0[i] << 63) ^ (h0[i] << 1 | l0[i] >> 63)) & ((h0[i] >> 1 | r0[i] << 63) ^ h0[i]));
        let g2 = (h0[i] >> 1 | r0[i] << 63) ^ (h0[i] << 1 | l0[i] >> 63);
        let g3 = (h0[i] >> 1 | r0[i] << 63) & (h0[i] << 1 | l0[i] >> 63);
        f0[i] = g0;
        f1[i] = g1;
        f2[i] = g2;
        f3[i] = g3;
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn life_cell(x0: &[u64], x1: &[u64], x2: &[u64], x3: &[u64], x4: &[u64], x5: &[u64], x6: &[u64], o0: &mut [u64]) {
    let n = o0.len();
    let x0 = &x0[..n];
    let x1 = &x1[..n];
    let x2 = &x2[..n];
    let x3 = &x3[..n];
    let x4 = &x4[..n];
    let x5 = &x5[..n];
    let x6 = &x6[..n];
    for i in 0..n {
        let g0 = x5[i] ^ (x3[i] ^ x0[i]);
        let g1 = x5[i] ^ ((x5[i] ^ x0[i]) & (x5[i] ^ x3[i]));
        let g2 = x6[i] ^ (x4[i] ^ x1[i]);
        let g3 = x6[i] ^ ((x6[i] ^ x1[i]) & (x6[i] ^ x4[i]));
        let g4 = g3 ^ (g3 | (g2 ^ g1));
        let g5 = g4 & (g0 | x2[i]);
        o0[i] = g5;
    }
}

// HighLife: 11 gates (2 a row + 9), 1 planes.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn highlife_row(l0: &[u64], h0: &[u64], r0: &[u64], f0: &mut [u64], f1: &mut [u64]) {
    let n = f0.len();
    let l0 = &l0[..n];
    let h0 = &h0[..n];
    let r0 = &r0[..n];
    let f1 = &mut f1[..n];
    for i in 0..n {
        let g0 = (h0[i] >> 1 | r0[i] << 63) ^ (h0[i] ^ (h0[i] << 1 | l0[i] >> 63));
        let g1 = (h0[i] >> 1 | r0[i] << 63) ^ (((h0[i] >> 1 | r0[i] << 63) ^ (h0[i] << 1 | l0[i] >> 63)) & ((h0[i] >> 1 | r0[i] << 63) ^ h0[i]));
        f0[i] = g0;
        f1[i] = g1;
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn highlife_cell(x1: &[u64], x2: &[u64], x3: &[u64], x4: &[u64], x5: &[u64], x6: &[u64], x7: &[u64], o0: &mut [u64]) {
    let n = o0.len();
    let x1 = &x1[..n];
    let x2 = &x2[..n];
    let x3 = &x3[..n];
    let x4 = &x4[..n];
    let x5 = &x5[..n];
    let x6 = &x6[..n];
    let x7 = &x7[..n];
    for i in 0..n {
        let g0 = x6[i] ^ (x4[i] ^ x1[i]);
        let g1 = x6[i] ^ ((x6[i] ^ x1[i]) & (x6[i] ^ x4[i]));
        let g2 = x7[i] ^ (x5[i] ^ x2[i]);
        let g3 = x7[i] ^ ((x7[i] ^ x2[i]) & (x7[i] ^ x5[i]));
        let g4 = g2 ^ g1;
        let g5 = g3 ^ (g2 & g1);
        let g6 = g5 ^ (g0 | (g5 & x3[i]));
        let g7 = g5 & (g0 ^ (g0 | x3[i]));
        let g8 = g7 ^ (g4 & (g7 ^ g6));
        o0[i] = g8;
    }
}

// Day & Night: 13 gates (2 a row + 11), 1 planes.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn daynight_row(l0: &[u64], h0: &[u64], r0: &[u64], f0: &mut [u64], f1: &mut [u64]) {
    let n = f0.len();
    let l0 = &l0[..n];
    let h0 = &h0[..n];
    let r0 = &r0[..n];
    let f1 = &mut f1[..n];
    for i in 0..n {
        let g0 = (h0[i] >> 1 | r0[i] << 63) ^ (h0[i] ^ (h0[i] << 1 | l0[i] >> 63));
        let g1 = (h0[i] >> 1 | r0[i] << 63) ^ (((h0[i] >> 1 | r0[i] << 63) ^ (h0[i] << 1 | l0[i] >> 63)) & ((h0[i] >> 1 | r0[i] << 63) ^ h0[i]));
        f0[i] = g0;
        f1[i] = g1;
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn daynight_cell(x1: &[u64], x2: &[u64], x3: &[u64], x4: &[u64], x5: &[u64], x6: &[u64], x7: &[u64], o0: &mut [u64]) {
    let n = o0.len();
    let x1 = &x1[..n];
    let x2 = &x2[..n];
    let x3 = &x3[..n];
    let x4 = &x4[..n];
    let x5 = &x5[..n];
    let x6 = &x6[..n];
    let x7 = &x7[..n];
    for i in 0..n {
        let g0 = x6[i] ^ (x4[i] ^ x1[i]);
        let g1 = x6[i] ^ ((x6[i] ^ x1[i]) & (x6[i] ^ x4[i]));
        let g2 = x7[i] ^ (x5[i] ^ x2[i]);
        let g3 = x7[i] ^ ((x7[i] ^ x2[i]) & (x7[i] ^ x5[i]));
        let g4 = g2 ^ g1;
        let g5 = g2 & g1;
        let g6 = g5 ^ g3;
        let g7 = (g4 ^ x3[i]) | (g4 & g0);
        let g8 = g4 & (g0 & !x3[i]);
        let g9 = g8 | (g5 & g3);
        let g10 = g9 ^ (g6 & (g9 ^ g7));
        o0[i] = g10;
    }
}

// Seeds: 8 gates (2 a row + 6), 1 planes.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn seeds_row(l0: &[u64], h0: &[u64], r0: &[u64], f0: &mut [u64], f1: &mut [u64]) {
    let n = f0.len();
    let l0 = &l0[..n];
    let h0 = &h0[..n];
    let r0 = &r0[..n];
    let f1 = &mut f1[..n];
    for i in 0..n {
        let g0 = (h0[i] >> 1 | r0[i] << 63) ^ (h0[i] ^ (h0[i] << 1 | l0[i] >> 63));
        let g1 = (h0[i] >> 1 | r0[i] << 63) ^ (((h0[i] >> 1 | r0[i] << 63) ^ (h0[i] << 1 | l0[i] >> 63)) & ((h0[i] >> 1 | r0[i] << 63) ^ h0[i]));
        f0[i] = g0;
        f1[i] = g1;
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn seeds_cell(x0: &[u64], x1: &[u64], x2: &[u64], x3: &[u64], x4: &[u64], x5: &[u64], x6: &[u64], o0: &mut [u64]) {
    let n = o0.len();
    let x0 = &x0[..n];
    let x1 = &x1[..n];
    let x2 = &x2[..n];
    let x3 = &x3[..n];
    let x4 = &x4[..n];
    let x5 = &x5[..n];
    let x6 = &x6[..n];
    for i in 0..n {
        let g0 = x5[i] ^ (x3[i] ^ x0[i]);
        let g1 = x5[i] ^ ((x5[i] ^ x0[i]) & (x5[i] ^ x3[i]));
        let g2 = x6[i] ^ (x4[i] ^ x1[i]);
        let g3 = x6[i] ^ ((x6[i] ^ x1[i]) & (x6[i] ^ x4[i]));
        let g4 = g3 ^ (g3 | (g2 ^ g1));
        let g5 = g4 & (u64::MAX ^ (g0 | x2[i]));
        o0[i] = g5;
    }
}

// Brian's Brain: 10 gates (2 a row + 8), 2 planes.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn briansbrain_row(l0: &[u64], h0: &[u64], r0: &[u64], f0: &mut [u64], f1: &mut [u64]) {
    let n = f0.len();
    let l0 = &l0[..n];
    let h0 = &h0[..n];
    let r0 = &r0[..n];
    let f1 = &mut f1[..n];
    for i in 0..n {
        let g0 = (h0[i] >> 1 | r0[i] << 63) ^ (h0[i] ^ (h0[i] << 1 | l0[i] >> 63));
        let g1 = (h0[i] >> 1 | r0[i] << 63) ^ (((h0[i] >> 1 | r0[i] << 63) ^ (h0[i] << 1 | l0[i] >> 63)) & ((h0[i] >> 1 | r0[i] << 63) ^ h0[i]));
        f0[i] = g0;
        f1[i] = g1;
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn briansbrain_cell(x1: &[u64], x2: &[u64], x3: &[u64], x4: &[u64], x5: &[u64], x6: &[u64], x7: &[u64], x8: &[u64], o0: &mut [u64], o1: &mut [u64]) {
    let n = o0.len();
    let x1 = &x1[..n];
    let x2 = &x2[..n];
    let x3 = &x3[..n];
    let x4 = &x4[..n];
    let x5 = &x5[..n];
    let x6 = &x6[..n];
    let x7 = &x7[..n];
    let x8 = &x8[..n];
    let o1 = &mut o1[..n];
    for i in 0..n {
        let g0 = x7[i] ^ (x5[i] ^ x1[i]);
        let g1 = x7[i] ^ ((x7[i] ^ x1[i]) & (x7[i] ^ x5[i]));
        let g2 = x8[i] ^ (x6[i] ^ x2[i]);
        let g3 = x8[i] ^ ((x8[i] ^ x2[i]) & (x8[i] ^ x6[i]));
        let g4 = g2 ^ g1;
        let g5 = g3 ^ (g2 & g1);
        let g6 = g4 & (u64::MAX ^ (g5 | x4[i]));
        let g7 = g6 & (u64::MAX ^ (g0 | x3[i]));
        o0[i] = g7;
        o1[i] = x3[i];
    }
}

// Immigration: 17 gates (4 a row + 13), 2 planes.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn immigration_row(l0: &[u64], h0: &[u64], r0: &[u64], l1: &[u64], h1: &[u64], r1: &[u64], f0: &mut [u64], f1: &mut [u64], f2: &mut [u64], f3: &mut [u64]) {
    let n = f0.len();
    let l0 = &l0[..n];
    let h0 = &h0[..n];
    let r0 = &r0[..n];
    let l1 = &l1[..n];
    let h1 = &h1[..n];
    let r1 = &r1[..n];
    let f1 = &mut f1[..n];
    let f2 = &mut f2[..n];
    let f3 = &mut f3[..n];
    for i in 0..n {
        let g0 = (h0[i] >> 1 | r0[i] << 63) ^ (h0[i] ^ (h0[i] << 1 | l0[i] >> 63));
        let g1 = (h0[i] >> 1 | r0[i] << 63) ^ (((h0[i] >> 1 | r0[i] << 63) ^ (h0[i] << 1 | l0[i] >> 63)) & ((h0[i] >> 1 | r0[i] << 63) ^ h0[i]));
        let g2 = (h1[i] >> 1 | r1[i] << 63) ^ (h1[i] ^ (h1[i] << 1 | l1[i] >> 63));
        let g3 = (h1[i] >> 1 | r1[i] << 63) ^ (((h1[i] >> 1 | r1[i] << 63) ^ (h1[i] << 1 | l1[i] >> 63)) & ((h1[i] >> 1 | r1[i] << 63) ^ h1[i]));
        f0[i] = g0;
        f1[i] = g1;
        f2[i] = g2;
        f3[i] = g3;
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn immigration_cell(x1: &[u64], x2: &[u64], x3: &[u64], x4: &[u64], x5: &[u64], x6: &[u64], x7: &[u64], x8: &[u64], x9: &[u64], x10: &[u64], x11: &[u64], x12: &[u64], x13: &[u64], x14: &[u64], o0: &mut [u64], o1: &mut [u64]) {
    let n = o0.len();
    let x1 = &x1[..n];
    let x2 = &x2[..n];
    let x3 = &x3[..n];
    let x4 = &x4[..n];
    let x5 = &x5[..n];
    let x6 = &x6[..n];
    let x7 = &x7[..n];
    let x8 = &x8[..n];
    let x9 = &x9[..n];
    let x10 = &x10[..n];
    let x11 = &x11[..n];
    let x12 = &x12[..n];
    let x13 = &x13[..n];
    let x14 = &x14[..n];
    let o1 = &mut o1[..n];
    for i in 0..n {
        let g0 = x11[i] ^ (x7[i] ^ x1[i]);
        let g1 = x11[i] ^ ((x11[i] ^ x1[i]) & (x11[i] ^ x7[i]));
        let g2 = x12[i] ^ (x8[i] ^ x2[i]);
        let g3 = x12[i] ^ ((x12[i] ^ x2[i]) & (x12[i] ^ x8[i]));
        let g4 = g2 ^ g1;
        let g5 = g3 ^ (g2 & g1);
        let g6 = x13[i] ^ ((x13[i] ^ x3[i]) & (x13[i] ^ x9[i]));
        let g7 = x14[i] ^ (x10[i] ^ x4[i]);
        let g8 = g5 ^ (g5 | g4);
        let g9 = g5 & (g4 ^ (g4 | x5[i]));
        let g10 = g9 ^ (g0 & (g9 ^ g8));
        let g11 = x5[i] ^ (x5[i] | (g7 ^ g6));
        let g12 = g10 & (g11 | x6[i]);
        o0[i] = g10;
        o1[i] = g12;
    }
}

// QuadLife: 51 gates (17 a row + 34), 3 planes.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn quadlife_row(l0: &[u64], h0: &[u64], r0: &[u64], l1: &[u64], h1: &[u64], r1: &[u64], l2: &[u64], h2: &[u64], r2: &[u64], f0: &mut [u64], f1: &mut [u64], f2: &mut [u64], f3: &mut [u64], f4: &mut [u64], f5: &mut [u64], f6: &mut [u64], f7: &mut [u64]) {
    let n = f0.len();
    let l0 = &l0[..n];
    let h0 = &h0[..n];
    let r0 = &r0[..n];
    let l1 = &l1[..n];
    let h1 = &h1[..n];
    let r1 = &r1[..n];
    let l2 = &l2[..n];
    let h2 = &h2[..n];
    let r2 = &r2[..n];
    let f1 = &mut f1[..n];
    let f2 = &mut f2[..n];
    let f3 = &mut f3[..n];
    let f4 = &mut f4[..n];
    let f5 = &mut f5[..n];
    let f6 = &mut f6[..n];
    let f7 = &mut f7[..n];
    for i in 0..n {
        let g0 = (h0[i] << 1 | l0[i] >> 63) & (u64::MAX ^ ((h2[i] << 1 | l2[i] >> 63) | (h1[i] << 1 | l1[i] >> 63)));
        let g1 = h0[i] & (u64::MAX ^ (h2[i] | h1[i]));
        let g2 = (h0[i] >> 1 | r0[i] << 63) & (u64::MAX ^ ((h2[i] >> 1 | r2[i] << 63) | (h1[i] >> 1 | r1[i] << 63)));
        let g3 = (h2[i] << 1 | l2[i] >> 63) ^ ((h2[i] << 1 | l2[i] >> 63) | (h1[i] << 1 | l1[i] >> 63));
        let g4 = h2[i] ^ (h2[i] | h1[i]);
        let g5 = (h2[i] >> 1 | r2[i] << 63) ^ ((h2[i] >> 1 | r2[i] << 63) | (h1[i] >> 1 | r1[i] << 63));
        let g6 = (h2[i] << 1 | l2[i] >> 63) & (h1[i] << 1 | l1[i] >> 63);
        let g7 = h2[i] & h1[i];
        let g8 = (h2[i] >> 1 | r2[i] << 63) & (h1[i] >> 1 | r1[i] << 63);
        let g9 = (h0[i] >> 1 | r0[i] << 63) ^ (h0[i] ^ (h0[i] << 1 | l0[i] >> 63));
        let g10 = (h0[i] >> 1 | r0[i] << 63) ^ (((h0[i] >> 1 | r0[i] << 63) ^ (h0[i] << 1 | l0[i] >> 63)) & ((h0[i] >> 1 | r0[i] << 63) ^ h0[i]));
        let g11 = g2 ^ (g1 ^ g0);
        let g12 = g2 ^ ((g2 ^ g0) & (g2 ^ g1));
        let g13 = g5 ^ (g4 ^ g3);
        let g14 = g5 ^ ((g5 ^ g3) & (g5 ^ g4));
        let g15 = g8 ^ (g7 ^ g6);
        let g16 = g8 ^ ((g8 ^ g6) & (g8 ^ g7));
        f0[i] = g9;
        f1[i] = g10;
        f2[i] = g11;
        f3[i] = g12;
        f4[i] = g13;
        f5[i] = g14;
        f6[i] = g15;
        f7[i] = g16;
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn quadlife_cell(x1: &[u64], x2: &[u64], x3: &[u64], x4: &[u64], x5: &[u64], x6: &[u64], x7: &[u64], x8: &[u64], x9: &[u64], x10: &[u64], x11: &[u64], x12: &[u64], x13: &[u64], x14: &[u64], x15: &[u64], x16: &[u64], x17: &[u64], x18: &[u64], x19: &[u64], x20: &[u64], x21: &[u64], x22: &[u64], x23: &[u64], x24: &[u64], x25: &[u64], x26: &[u64], x27: &[u64], o0: &mut [u64], o1: &mut [u64], o2: &mut [u64]) {
    let n = o0.len();
    let x1 = &x1[..n];
    let x2 = &x2[..n];
    let x3 = &x3[..n];
    let x4 = &x4[..n];
    let x5 = &x5[..n];
    let x6 = &x6[..n];
    let x7 = &x7[..n];
    let x8 = &x8[..n];
    let x9 = &x9[..n];
    let x10 = &x10[..n];
    let x11 = &x11[..n];
    let x12 = &x12[..n];
    let x13 = &x13[..n];
    let x14 = &x14[..n];
    let x15 = &x15[..n];
    let x16 = &x16[..n];
    let x17 = &x17[..n];
    let x18 = &x18[..n];
    let x19 = &x19[..n];
    let x20 = &x20[..n];
    let x21 = &x21[..n];
    let x22 = &x22[..n];
    let x23 = &x23[..n];
    let x24 = &x24[..n];
    let x25 = &x25[..n];
    let x26 = &x26[..n];
    let x27 = &x27[..n];
    let o1 = &mut o1[..n];
    let o2 = &mut o2[..n];
    for i in 0..n {
        let g0 = x20[i] ^ (x12[i] ^ x1[i]);
        let g1 = x20[i] ^ ((x20[i] ^ x1[i]) & (x20[i] ^ x12[i]));
        let g2 = x21[i] ^ (x13[i] ^ x2[i]);
        let g3 = x21[i] ^ ((x21[i] ^ x2[i]) & (x21[i] ^ x13[i]));
        let g4 = g2 ^ g1;
        let g5 = g3 ^ (g2 & g1);
        let g6 = x22[i] ^ (x14[i] ^ x3[i]);
        let g7 = x22[i] ^ ((x22[i] ^ x3[i]) & (x22[i] ^ x14[i]));
        let g8 = x23[i] ^ (x15[i] ^ x4[i]);
        let g9 = g8 ^ g7;
        let g10 = x24[i] ^ (x16[i] ^ x5[i]);
        let g11 = x24[i] ^ ((x24[i] ^ x5[i]) & (x24[i] ^ x16[i]));
        let g12 = x25[i] ^ (x17[i] ^ x6[i]);
        let g13 = g12 ^ g11;
        let g14 = x26[i] ^ (x18[i] ^ x7[i]);
        let g15 = x26[i] ^ ((x26[i] ^ x7[i]) & (x26[i] ^ x18[i]));
        let g16 = x27[i] ^ (x19[i] ^ x8[i]);
        let g17 = x9[i] & (u64::MAX ^ (g4 | g0));
        let g18 = g4 & g0;
        let g19 = g18 ^ (g5 & (g18 ^ g17));
        let g20 = g4 | g0;
        let g21 = g20 ^ (g5 | (g20 ^ g18));
        let g22 = g6 & (g14 ^ g10);
        let g23 = g22 | (g16 ^ g15);
        let g24 = x9[i] ^ (g23 | (g13 | x9[i]));
        let g25 = g24 & (g5 ^ (g5 | g0));
        let g26 = g25 ^ (x10[i] & (g25 ^ g21));
        let g27 = g14 & !g10;
        let g28 = g14 & g10;
        let g29 = g28 ^ (g6 & (g28 ^ g27));
        let g30 = g29 | (g9 | x9[i]);
        let g31 = g4 & (u64::MAX ^ (g30 | g13));
        let g32 = g31 & (g5 ^ (g5 | g0));
        let g33 = g32 ^ (x11[i] & (g32 ^ g21));
        o0[i] = g19;
        o1[i] = g26;
        o2[i] = g33;
    }
}

// P2Life: 38 gates (4 a row + 34), 2 planes.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn p2life_row(l0: &[u64], h0: &[u64], r0: &[u64], l1: &[u64], h1: &[u64], r1: &[u64], f0: &mut [u64], f1: &mut [u64], f2: &mut [u64], f3: &mut [u64]) {
    let n = f0.len();
    let l0 = &l0[..n];
    let h0 = &h0[..n];
    let r0 = &r0[..n];
    let l1 = &l1[..n];
    let h1 = &h1[..n];
    let r1 = &r1[..n];
    let f1 = &mut f1[..n];
    let f2 = &mut f2[..n];
    let f3 = &mut f3[..n];
    for i in 0..n {
        let g0 = (h0[i] >> 1 | r0[i] << 63) ^ (h0[i] ^ (h0[i] << 1 | l0[i] >> 63));
        let g1 = (h0[i] >> 1 | r0[i] << 63) ^ (((h0[i] >> 1 | r0[i] << 63) ^ (h0[i] << 1 | l0[i] >> 63)) & ((h0[i] >> 1 | r0[i] << 63) ^ h0[i]));
        let g2 = (h1[i] >> 1 | r1[i] << 63) ^ (h1[i] ^ (h1[i] << 1 | l1[i] >> 63));
        let g3 = (h1[i] >> 1 | r1[i] << 63) ^ (((h1[i] >> 1 | r1[i] << 63) ^ (h1[i] << 1 | l1[i] >> 63)) & ((h1[i] >> 1 | r1[i] << 63) ^ h1[i]));
        f0[i] = g0;
        f1[i] = g1;
        f2[i] = g2;
        f3[i] = g3;
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn p2life_cell(x1: &[u64], x2: &[u64], x3: &[u64], x4: &[u64], x5: &[u64], x6: &[u64], x7: &[u64], x8: &[u64], x9: &[u64], x10: &[u64], x11: &[u64], x12: &[u64], x13: &[u64], x14: &[u64], o0: &mut [u64], o1: &mut [u64], mask: &mut [u64], t0: &mut [u64], t1: &mut [u64]) {
    let n = o0.len();
    let x1 = &x1[..n];
    let x2 = &x2[..n];
    let x3 = &x3[..n];
    let x4 = &x4[..n];
    let x5 = &x5[..n];
    let x6 = &x6[..n];
    let x7 = &x7[..n];
    let x8 = &x8[..n];
    let x9 = &x9[..n];
    let x10 = &x10[..n];
    let x11 = &x11[..n];
    let x12 = &x12[..n];
    let x13 = &x13[..n];
    let x14 = &x14[..n];
    let o1 = &mut o1[..n];
    let mask = &mut mask[..n];
    let t0 = &mut t0[..n];
    let t1 = &mut t1[..n];
    for i in 0..n {
        let g0 = x11[i] ^ (x7[i] ^ x1[i]);
        let g1 = x11[i] ^ ((x11[i] ^ x1[i]) & (x11[i] ^ x7[i]));
        let g2 = x12[i] ^ (x8[i] ^ x2[i]);
        let g3 = x12[i] ^ ((x12[i] ^ x2[i]) & (x12[i] ^ x8[i]));
        let g4 = g2 ^ g1;
        let g5 = g3 ^ (g2 & g1);
        let g6 = x13[i] ^ (x9[i] ^ x3[i]);
        let g7 = x13[i] ^ ((x13[i] ^ x3[i]) & (x13[i] ^ x9[i]));
        let g8 = x14[i] ^ (x10[i] ^ x4[i]);
        let g9 = x14[i] ^ ((x14[i] ^ x4[i]) & (x14[i] ^ x10[i]));
        let g10 = g8 ^ g7;
        let g11 = g9 ^ (g8 & g7);
        let g12 = g4 & (g0 & !x5[i]);
        let g13 = g10 & (g0 ^ (g0 | x5[i]));
        let g14 = g0 & (u64::MAX ^ (g10 & x5[i]));
        let g15 = g14 ^ (g5 & (g14 ^ g13));
        let g16 = g10 | g6;
        let g17 = g10 & g6;
        let g18 = g16 ^ (g0 | (g17 ^ g16));
        let g19 = g18 ^ (g18 | (g5 & x5[i]));
        let g20 = g19 ^ (g4 & (g19 ^ g15));
        let g21 = g20 ^ (g11 & (g20 ^ g12));
        let g22 = g21 & !x6[i];
        let g23 = g16 ^ (g0 & (g16 ^ g10));
        let g24 = g23 | g5;
        let g25 = g24 ^ (g4 & (g24 ^ g18));
        let g26 = g17 & (u64::MAX ^ (g5 | g4));
        let g27 = g25 ^ (g11 | (g26 ^ g25));
        let g28 = g17 & (u64::MAX ^ (g11 | x5[i]));
        let g29 = g28 ^ (x6[i] & (g28 ^ g27));
        let g30 = g17 & (g0 & !x5[i]);
        let g31 = g30 & (g4 & !x6[i]);
        let g32 = 0 ^ (g31 | (g22 ^ 0));
        let h32 = u64::MAX ^ (g31 | (g22 ^ u64::MAX));
        let g33 = g29 ^ (g31 & (g29 ^ 0));
        let h33 = g29 ^ (g31 & (g29 ^ u64::MAX));
        o0[i] = g32;
        o1[i] = g33;
        mask[i] = g31;
        t0[i] = g32 ^ h32;
        t1[i] = g33 ^ h33;
    }
}

/// All of them.
pub(super) static ALL: &[Native] = &[
    // Life
    Native {
        fingerprint: 0xb2489bd81783a526,
        row: |from, to| {
            let ([l0, h0, r0], [f0, f1, f2, f3]) = (from, to) else { return };
            life_row(l0, h0, r0, f0, f1, f2, f3);
        },
        cell: |from, to| {
            let ([x0, x1, x2, x3, x4, x5, x6], [o0]) = (from, to) else { return };
            life_cell(x0, x1, x2, x3, x4, x5, x6, o0);
        },
        turned: None,
    },
    // HighLife
    Native {
        fingerprint: 0x12d938f862880745,
        row: |from, to| {
            let ([l0, h0, r0], [f0, f1]) = (from, to) else { return };
            highlife_row(l0, h0, r0, f0, f1);
        },
        cell: |from, to| {
            let ([_, x1, x2, x3, x4, x5, x6, x7], [o0]) = (from, to) else { return };
            highlife_cell(x1, x2, x3, x4, x5, x6, x7, o0);
        },
        turned: None,
    },
    // Day & Night
    Native {
        fingerprint: 0x6f680897abb97c53,
        row: |from, to| {
            let ([l0, h0, r0], [f0, f1]) = (from, to) else { return };
            daynight_row(l0, h0, r0, f0, f1);
        },
        cell: |from, to| {
            let ([_, x1, x2, x3, x4, x5, x6, x7], [o0]) = (from, to) else { return };
            daynight_cell(x1, x2, x3, x4, x5, x6, x7, o0);
        },
        turned: None,
    },
    // Seeds
    Native {
        fingerprint: 0x5ce191859deb74f0,
        row: |from, to| {
            let ([l0, h0, r0], [f0, f1]) = (from, to) else { return };
            seeds_row(l0, h0, r0, f0, f1);
        },
        cell: |from, to| {
            let ([x0, x1, x2, x3, x4, x5, x6], [o0]) = (from, to) else { return };
            seeds_cell(x0, x1, x2, x3, x4, x5, x6, o0);
        },
        turned: None,
    },
    // Brian's Brain
    Native {
        fingerprint: 0xddcf0f2ba35a1fc2,
        row: |from, to| {
            let ([l0, h0, r0, _, _, _], [f0, f1]) = (from, to) else { return };
            briansbrain_row(l0, h0, r0, f0, f1);
        },
        cell: |from, to| {
            let ([_, x1, x2, x3, x4, x5, x6, x7, x8], [o0, o1]) = (from, to) else { return };
            briansbrain_cell(x1, x2, x3, x4, x5, x6, x7, x8, o0, o1);
        },
        turned: None,
    },
    // Immigration
    Native {
        fingerprint: 0x8ad9236da15d229c,
        row: |from, to| {
            let ([l0, h0, r0, l1, h1, r1], [f0, f1, f2, f3]) = (from, to) else { return };
            immigration_row(l0, h0, r0, l1, h1, r1, f0, f1, f2, f3);
        },
        cell: |from, to| {
            let ([_, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14], [o0, o1]) = (from, to) else { return };
            immigration_cell(x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, o0, o1);
        },
        turned: None,
    },
    // QuadLife
    Native {
        fingerprint: 0xf22ab241248dd76b,
        row: |from, to| {
            let ([l0, h0, r0, l1, h1, r1, l2, h2, r2], [f0, f1, f2, f3, f4, f5, f6, f7]) = (from, to) else { return };
            quadlife_row(l0, h0, r0, l1, h1, r1, l2, h2, r2, f0, f1, f2, f3, f4, f5, f6, f7);
        },
        cell: |from, to| {
            let ([_, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, x17, x18, x19, x20, x21, x22, x23, x24, x25, x26, x27], [o0, o1, o2]) = (from, to) else { return };
            quadlife_cell(x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, x17, x18, x19, x20, x21, x22, x23, x24, x25, x26, x27, o0, o1, o2);
        },
        turned: None,
    },
    // P2Life
    Native {
        fingerprint: 0x0d91fa26f8cac635,
        row: |from, to| {
            let ([l0, h0, r0, l1, h1, r1], [f0, f1, f2, f3]) = (from, to) else { return };
            p2life_row(l0, h0, r0, l1, h1, r1, f0, f1, f2, f3);
        },
        cell: |from, to| {
            let ([_, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, _], [o0, o1, mask, t0, t1]) = (from, to) else { return };
            p2life_cell(x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, o0, o1, mask, t0, t1);
        },
        turned: Some(&[0, 1]),
    },
];
