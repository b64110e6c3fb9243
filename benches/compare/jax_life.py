"""Steps an RLE on a torus with JAX; prints the seconds that it took and the population.

    jax_life.py FILE SIDE GENERATIONS {life,immigration,p2life,immigration-bytes}

life and immigration hold 32 cells in a word and add them up bit by bit; the others hold one in a byte. In p2life species
1 has the cell where both would be born.
"""

import functools
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np


def read(path, side):
    """The states of an RLE's cells, a byte each."""
    with open(path, "rb") as file:
        lines = [line.rstrip() for line in file if not line.startswith((b"#", b"x"))]
    text = np.frombuffer(b"".join(lines).split(b"!")[0], np.uint8)
    is_digit = (text >= ord("0")) & (text <= ord("9"))
    places = np.flatnonzero(~is_digit)
    before = np.diff(places, prepend=-1) - 1  # how many digits each token has
    counts = np.zeros(len(places), np.int64)
    for digit in range(before.max(initial=0), 0, -1):
        has = before >= digit
        counts[has] = 10 * counts[has] + text[places[has] - digit] - ord("0")
    counts[before == 0] = 1
    kinds = text[places]
    ends = kinds == ord("$")
    # Where each token begins: row by the line ends before it, column by the cells since the last of them.
    rows = np.cumsum(np.where(ends, counts, 0))
    cells = np.cumsum(np.where(ends, 0, counts))
    row_starts = np.maximum.accumulate(np.where(ends, cells, 0))
    states = np.zeros(256, np.uint8)
    states[[ord("o"), ord("A"), ord("B")]] = [1, 1, 2]
    begins = rows * side + cells - counts - row_starts
    alive = states[kinds] > 0
    board = np.zeros(side * side, np.uint8)
    lengths, firsts = counts[alive], begins[alive]
    at = np.repeat(firsts - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
    board[at] = np.repeat(states[kinds[alive]], lengths)
    return board.reshape(side, side)


def packed(board):
    bits = np.packbits(board, axis=1, bitorder="little")
    return jnp.asarray(bits.view("<u4"))


def sums(plane):
    """The two lower bits of how many of the eight neighbours are set, and whether there are four or more of them."""
    left = (plane << 1) | (jnp.roll(plane, 1, 1) >> 31)
    right = (plane >> 1) | (jnp.roll(plane, -1, 1) << 31)
    ones, twos = left ^ plane ^ right, (left & plane) | (right & (left ^ plane))
    up1, up2 = jnp.roll(ones, 1, 0), jnp.roll(twos, 1, 0)
    down1, down2 = jnp.roll(ones, -1, 0), jnp.roll(twos, -1, 0)
    side1, side2 = left ^ right, left & right
    bit0, carry = up1 ^ down1 ^ side1, (up1 & down1) | (side1 & (up1 ^ down1))
    half, four = up2 ^ down2 ^ side2, (up2 & down2) | (side2 & (up2 ^ down2))
    return bit0, half ^ carry, four | (half & carry)


def life(planes):
    (alive,) = planes
    bit0, bit1, four = sums(alive)
    return (bit1 & ~four & (bit0 | alive),)


def immigration(planes):
    alive, second = planes
    bit0, bit1, four = sums(alive)
    # Of three parents two or three are of the second colour: bit 1 of their number.
    _, most, _ = sums(second)
    lives = bit1 & ~four & (bit0 | alive)
    return lives, lives & jnp.where(alive, second, most)


def neighbours(cells):
    column = cells + jnp.roll(cells, 1, 0) + jnp.roll(cells, -1, 0)
    return column + jnp.roll(column, 1, 1) + jnp.roll(column, -1, 1) - cells


def immigration_bytes(planes):
    (cells,) = planes
    second = (cells == 2).astype(jnp.uint8)
    count, of_second = neighbours((cells > 0).astype(jnp.uint8)), neighbours(second)
    newborn = jnp.where(count == 3, 1 + (of_second >= 2).astype(jnp.uint8), 0)
    return (jnp.where(cells > 0, jnp.where((count == 2) | (count == 3), cells, 0), newborn).astype(jnp.uint8),)


def p2life(planes):
    (cells,) = planes
    one = neighbours((cells == 1).astype(jnp.uint8)).astype(jnp.int8)
    two = neighbours((cells == 2).astype(jnp.uint8)).astype(jnp.int8)
    own = jnp.where(cells == 1, one, two)
    ahead = own - jnp.where(cells == 1, two, one)
    stays = (ahead == 2) | (ahead == 3) | ((ahead == 1) & (own >= 2))
    newborn = jnp.where(one == 3, 1, jnp.where(two == 3, 2, 0))
    return (jnp.where(cells > 0, jnp.where(stays, cells, 0), newborn).astype(jnp.uint8),)


STEPS = {"life": life, "immigration": immigration, "immigration-bytes": immigration_bytes, "p2life": p2life}


@functools.partial(jax.jit, static_argnums=2)
def run(planes, generations, rule):
    return jax.lax.fori_loop(0, generations, lambda _, planes: STEPS[rule](planes), planes)


def main():
    path, side, generations, rule = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    board = read(path, side)
    if rule == "life":
        planes = (packed(board == 1),)
    elif rule == "immigration":
        planes = (packed(board > 0), packed(board == 2))
    else:
        planes = (jnp.asarray(board),)
    # Compiles; how many generations there are is no part of what is compiled.
    jax.block_until_ready(run(planes, 1, rule))
    start = time.perf_counter()
    planes = jax.block_until_ready(run(planes, generations, rule))
    seconds = time.perf_counter() - start
    first = np.asarray(planes[0])
    population = np.count_nonzero(first) if first.dtype == np.uint8 else np.bitwise_count(first).sum()
    print(seconds, population)


main()
