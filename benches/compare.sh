#!/usr/bin/env bash
# Measures Biota and other programs on the same boards, in one run, and prints a table (Markdown).
#
#   cargo build --release
#   benches/compare.sh [PART…]     parts: prepare torus plane gun breeder immigration p2life; all of them without one
#
# prepare gets and builds the other programs, each of them for use in $WORK only: Golly's bgolly (a Debian package, if
# it is not on the path), the crate gol_engines, python-lifelib's C++ headers and JAX (from PyPI, in a virtual environment).
# It needs a network, cargo, g++ and python3; the other parts need none of these. What is missing is said in the table.
#
# A figure is the median of $REPEATS runs, of stepping alone where a program tells it apart from reading (all do). Who
# steps the same board the same number of generations has to end with the same population, or the script fails.
# "1 thread" means pinned to one processor by taskset as well. Biota is asked for its cpu engine.
#
# Variables: BIOTA (the binary), WORK (a folder that may be kept for the next time), REPEATS (3), SIDE (8192, a power of two).
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

BIOTA=$(realpath -m "${BIOTA:-target/release/biota}")
WORK=${WORK:-${TMPDIR:-/tmp}/biota-compare}
REPEATS=${REPEATS:-3}
SIDE=${SIDE:-8192}
SOURCES=$PWD/benches/compare
PATTERNS=$PWD/assets/patterns
mkdir -p "$WORK/rules" || exit 2
cp "$SOURCES/Immigration.rule" "$WORK/rules/"
BGOLLY=$(command -v bgolly || echo "$WORK/golly/usr/bin/bgolly")
PYTHON=$WORK/venv/bin/python
LAST_CPU=$(($(nproc) - 1))
failed=0

# ---- the other programs ----------------------------------------------------------------------------------------------

prepare() {
    if ! command -v bgolly >/dev/null && [[ ! -x $BGOLLY ]]; then
        (cd "$WORK" && apt-get download golly && dpkg -x golly_*.deb golly)
    fi
    if [[ ! -x $PYTHON ]]; then
        python3 -m venv "$WORK/venv"
    fi
    "$PYTHON" -m pip install --quiet numpy jax python-lifelib
    local lifelib
    lifelib=$("$PYTHON" -c 'import importlib.util as u; print(u.find_spec("lifelib").submodule_search_locations[0])')
    if [[ ! -x $WORK/upattern && -n $lifelib ]]; then
        g++ -O3 -march=native -std=c++17 -w -I"$lifelib" -o "$WORK/upattern" "$SOURCES/upattern.cpp"
    fi
    if [[ ! -x $WORK/gol_engines ]]; then
        mkdir -p "$WORK/gol/src" && cp "$SOURCES/gol_engines.rs" "$WORK/gol/src/main.rs"
        printf '[package]\nname = "gol"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\ngol_engines = "0.2"\n' >"$WORK/gol/Cargo.toml"
        RUSTFLAGS="-C target-cpu=native" cargo build --release --quiet --manifest-path "$WORK/gol/Cargo.toml" --target-dir "$WORK/gol/target" \
            && cp "$WORK/gol/target/release/gol" "$WORK/gol_engines"
    fi
    soup "$SIDE" B3/S23
    soup "$SIDE" Immigration
    soup "$((SIDE / 16))" Immigration
    soup "$((SIDE / 4))" "$P2LIFE"
}

# ---- each program: prints the seconds of stepping and the population ------------------------------------------------

biota() { # FILE GENERATIONS [RULE]
    "$BIOTA" run "$1" --generations "$2" --engine cpu --json ${3:+--rule "$3"} \
        | sed -E 's/.*"population":([0-9]+).*"seconds":([0-9.e-]+).*/\2 \1/'
}

biota_1() {
    RAYON_NUM_THREADS=1 pinned biota "$@"
}

bgolly_1() { # ALGORITHM FILE GENERATIONS
    # Each step prints a line with its time and then one with the population; the first of them is generation 0.
    pinned "$BGOLLY" --benchmark --algorithm "$1" --search "$WORK/rules/" --maxmemory 4000 --stepsize "$3" --generation "$3" "$2" \
        | tr -d , | awk '$2 == "pop" { last = $3; if (!start) start = $1 } NF == 2 { end = $1 } END { print end - start, last }'
}

upattern_1() { # FILE GENERATIONS
    pinned "$WORK/upattern" "$@"
}

gol_engines_1() { # FILE LOG2_OF_GENERATIONS
    pinned "$WORK/gol_engines" "$@"
}

jax() { # FILE SIDE GENERATIONS RULE
    JAX_PLATFORMS=cpu "$PYTHON" "$SOURCES/jax_life.py" "$@"
}

jax_1() {
    pinned jax "$@"
}

# Runs a command, which may be a function, on one processor.
pinned() {
    (
        taskset -cp "$LAST_CPU" "$BASHPID" >/dev/null
        "$@"
    )
}

# ---- boards ----------------------------------------------------------------------------------------------------------

# p2life, where the first species wins what both would get: without a coin other programs can end on the same board.
P2LIFE='law 2 { born own == 3; survive own - other in 2..=3 || own - other == 1 && own >= 2; tie 1 }'

# soup SIDE RULE — the file of a 50 % soup on a torus.
soup() {
    local file
    file=$(soup_file "$1" "$2")
    [[ -s $file ]] || "$BIOTA" run --soup "$1x$1" --rule "$2" --density 0.5 --seed 1 --generations 0 --engine cpu --out "$file"
}

soup_file() {
    local name=${2%% *}
    echo "$WORK/${name//\//}-$1.rle"
}

# The same cells in a file whose rule names no torus.
on_the_plane() {
    [[ -s $2 ]] || sed '/^x/s/:T[0-9]*,[0-9]*//' "$1" >"$2"
}

# ---- the table -------------------------------------------------------------------------------------------------------

part() {
    printf '\n%s\n\n| program | threads | seconds | %s | population |\n|---|---|---|---|---|\n' "$1" "$2"
    expected=
}

# row PROGRAM NEEDS THREADS WORK COMMAND… — one line of the table: WORK is what is divided by the seconds (cells times
# generations, or generations); NEEDS is the file without which the program is missing.
row() {
    local program=$1 needs=$2 threads=$3 work=$4 seconds=() population='' line i
    shift 4
    if [[ ! -x $needs ]]; then
        printf '| %s | %s | missing: no %s (`benches/compare.sh prepare`) | | |\n' "$program" "$threads" "$needs"
        return
    fi
    for ((i = 0; i < REPEATS; i++)); do
        line=$("$@" 2>"$WORK/errors" | tail -n 1)
        if [[ ! $line =~ ^[0-9.e+-]+\ [0-9]+$ ]]; then
            printf '| %s | %s | failed: %s | | |\n' "$program" "$threads" "$(tail -n 1 "$WORK/errors")$line"
            failed=1
            return
        fi
        seconds+=("${line% *}")
        population=${line#* }
    done
    printf '%s\n' "${seconds[@]}" | sort -g | awk -v program="$program" -v threads="$threads" -v work="$work" -v population="$population" \
        '{ all[NR] = $1 } END { s = all[int((NR + 1) / 2)]; printf "| %s | %s | %.3g | %.2e | %s |\n", program, threads, s, work / s, population }'
    if [[ -n $expected && $population != "$expected" ]]; then
        echo "error: $program ends with $population cells, not $expected" >&2
        failed=1
    fi
    expected=${expected:-$population}
}

torus() {
    local file cells=$((SIDE * SIDE)) threads
    threads=$(nproc)
    soup "$SIDE" B3/S23
    file=$(soup_file "$SIDE" B3/S23)
    on_the_plane "$file" "$WORK/plane-$SIDE.rle"
    part "Life, 50 % soup on a torus, $SIDE², 256 generations" "cells/s"
    row Biota "$BIOTA" 1 $((cells * 256)) biota_1 "$file" 256
    row Biota "$BIOTA" "$threads" $((cells * 256)) biota "$file" 256
    row "gol_engines, SIMDEngine, built for this processor" "$WORK/gol_engines" 1 $((cells * 256)) gol_engines_1 "$WORK/plane-$SIDE.rle" 8
    row "JAX, 32 cells a word" "$PYTHON" 1 $((cells * 256)) jax_1 "$file" "$SIDE" 256 life
    row "JAX, 32 cells a word" "$PYTHON" "$threads" $((cells * 256)) jax "$file" "$SIDE" 256 life
}

plane() {
    local file=$WORK/plane-$SIDE.rle cells=$((SIDE * SIDE)) threads
    threads=$(nproc)
    soup "$SIDE" B3/S23
    on_the_plane "$(soup_file "$SIDE" B3/S23)" "$file"
    part "Life, the same cells on the unbounded plane, 128 generations (cells of the soup)" "cells/s"
    row Biota "$BIOTA" 1 $((cells * 128)) biota_1 "$file" 128
    row Biota "$BIOTA" "$threads" $((cells * 128)) biota "$file" 128
    row "lifelib, upattern" "$WORK/upattern" 1 $((cells * 128)) upattern_1 "$file" 128
    row "Golly, QuickLife" "$BGOLLY" 1 $((cells * 128)) bgolly_1 QuickLife "$file" 128
}

gun() {
    local file=$PATTERNS/guns/gosper-glider-gun.rle
    part "A Gosper gun on the plane, 100,000 generations" "generations/s"
    on_the_plane_rows "$file" 100000
}

breeder() {
    local file=$PATTERNS/breeders/breeder-1.rle
    part "Gosper's breeder on the plane, 10,000 generations" "generations/s"
    on_the_plane_rows "$file" 10000
}

on_the_plane_rows() {
    row Biota "$BIOTA" 1 "$2" biota_1 "$1" "$2"
    row Biota "$BIOTA" "$(nproc)" "$2" biota "$1" "$2"
    row "lifelib, upattern" "$WORK/upattern" 1 "$2" upattern_1 "$1" "$2"
    row "Golly, QuickLife" "$BGOLLY" 1 "$2" bgolly_1 QuickLife "$1" "$2"
    row "Golly, HashLife" "$BGOLLY" 1 "$2" bgolly_1 HashLife "$1" "$2"
}

immigration() {
    local file small side=$((SIDE / 16)) cells=$((SIDE * SIDE)) threads
    threads=$(nproc)
    soup "$SIDE" Immigration
    soup "$side" Immigration
    file=$(soup_file "$SIDE" Immigration) small=$(soup_file "$side" Immigration)
    part "Immigration, 50 % soup on a torus, $SIDE², 100 generations" "cells/s"
    row Biota "$BIOTA" 1 $((cells * 100)) biota_1 "$file" 100
    row Biota "$BIOTA" "$threads" $((cells * 100)) biota "$file" 100
    row "JAX, 32 cells a word" "$PYTHON" 1 $((cells * 100)) jax_1 "$file" "$SIDE" 100 immigration
    row "JAX, 32 cells a word" "$PYTHON" "$threads" $((cells * 100)) jax "$file" "$SIDE" 100 immigration
    part "Immigration, 50 % soup on a torus, $side², 100 generations" "cells/s"
    row Biota "$BIOTA" 1 $((side * side * 100)) biota_1 "$small" 100
    row "JAX, one cell a byte" "$PYTHON" 1 $((side * side * 100)) jax_1 "$small" "$side" 100 immigration-bytes
    row "Golly, rule table" "$BGOLLY" 1 $((side * side * 100)) bgolly_1 RuleLoader "$small" 100
}

p2life() {
    local file side=$((SIDE / 4)) cells threads
    threads=$(nproc) cells=$((side * side))
    soup "$side" "$P2LIFE"
    file=$(soup_file "$side" "$P2LIFE")
    part "p2life without a coin, 50 % soup on a torus, $side², 500 generations" "cells/s"
    row Biota "$BIOTA" 1 $((cells * 500)) biota_1 "$file" 500
    row Biota "$BIOTA" "$threads" $((cells * 500)) biota "$file" 500
    row "JAX, one cell a byte" "$PYTHON" 1 $((cells * 500)) jax_1 "$file" "$side" 500 p2life
    row "JAX, one cell a byte" "$PYTHON" "$threads" $((cells * 500)) jax "$file" "$side" 500 p2life
}

if [[ ! -x $BIOTA ]]; then
    echo "error: $BIOTA is missing; \`cargo build --release\` makes it" >&2
    exit 2
fi
if (($# == 0)); then
    set -- prepare torus plane gun breeder immigration p2life
fi
echo "$(date -u +%Y-%m-%d), $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2-), $(nproc) processors, $("$BIOTA" --version), medians of $REPEATS"
for wanted in "$@"; do
    case $wanted in
        prepare | torus | plane | gun | breeder | immigration | p2life) "$wanted" ;;
        *)
            echo "error: no part is called $wanted; the head of benches/compare.sh names them" >&2
            exit 2
            ;;
    esac
done
exit "$failed"
