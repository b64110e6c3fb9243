#!/usr/bin/env bash
# Measures and checks Biota on a machine with an NVIDIA GPU that has neither cargo nor a network, and is there for minutes:
# what matters comes first, and each row is in the log and in $OUT/rows.jsonl as soon as it is measured.
#
# Prepare, in the repository root of an x86-64 machine whose glibc is no newer than the GPU machine's (here 2.36):
#
#   printf '/target-gpu/\n/.gl/\n' >> "$(git rev-parse --git-common-dir)/info/exclude"
#   cargo build --release && cargo test --no-run      # the latter names target/debug/deps/tests-HASH
#   mkdir -p target-gpu .gl
#   strip -o target-gpu/biota target/release/biota; strip -o target-gpu/tests target/debug/deps/tests-HASH
#   (cd .gl && apt-get download libvulkan1 libegl1 libglvnd0 libopengl0 libgl1 libglx0 libgles2)
#   du -sh target-gpu .gl     # 23 MB, 14 MB and 0.4 MB on 2026-12-01; with the checkout it must be less than 64 MiB
#
# The call (`run` of the device machine; all tries together may take 15 minutes there, so leave time for a second one):
#
#   carry      ["target-gpu", ".gl"]
#   timeout_s  480
#   command    set -o pipefail; bash benches/h200.sh 2>&1 | tee "$OUT/log.txt"
#
# Try it first without a GPU, small and quick:
#
#   ALLOW_SOFTWARE=1 BIOTA=target/debug/biota SIDES="512 512" SMALL=256 LARGEST=512 LENGTH=99 CASES=5 TEST_FILTER=bandwidth \
#     OUT=/tmp/h200 bash benches/h200.sh
#
# Parts, in their order: kernels (Life, Immigration and P2Life by the engine's own choice, then by each by name), sizes
# (against cpu, which must end on the same board), the largest board (90 s, one sample), verify, tests. $OUT then has
# rows.jsonl (one `biota bench --json` row a line, as measured), clocks.csv (the GPU's, each second), log.txt.
# Exit code: 0 when every part passed, 1 otherwise; a part that fails or runs out of time keeps none from running.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

OUT=$(mkdir -p "${OUT:=target/h200}" && cd "$OUT" && pwd) || exit 2
BIOTA=$(realpath -m "${BIOTA:-target-gpu/biota}")
TESTS=$(realpath -m "${TESTS:-target-gpu/tests}")
# Tests of the command line and of the window start programs that are not on that machine.
TEST_FILTER=${TEST_FILTER:-gpu tiles}
SIDES=${SIDES:-16384 32768}   # of the boards on which kernels are measured
SMALL=${SMALL:-2048 8192}
LARGEST=${LARGEST:-65536}
# Generations of a sample at 16,384², 12 at a time: 0.4 s of Life at 8e12 cells a second, 1 s of P2Life at 3.2e12. Much
# longer, and most of the board would be asleep.
LENGTH=${LENGTH:-12000}
CASES=${CASES:-300}
BUDGET_S=${BUDGET_S:-450}
RULES=(B3/S23 Immigration P2Life)
failed=()

# part LIMIT_S NAME COMMAND… — runs the command for so long at most, and no longer than the budget lasts.
part() {
    local limit_s=$1 name=$2 left_s=$((BUDGET_S - SECONDS)) began=$SECONDS rc
    shift 2
    ((limit_s <= left_s)) || limit_s=$left_s
    if ((limit_s < 3)); then
        echo "-- $name: skipped, the time is used up"
        failed+=("$name (skipped)")
        return 1
    fi
    # A process that waits for a lost GPU may not heed the first signal.
    timeout --kill-after=5 "$limit_s" "$@"
    rc=$?
    printf -- '-- %s: exit code %d, %d s (at %d s)\n' "$name" "$rc" "$((SECONDS - began))" "$SECONDS"
    # A kernel that the adapter or the rule doesn't have is an error of its own to biota, and none here.
    ((rc == 0)) || [[ $rc == 2 && $name == *--kernel* ]] || failed+=("$name (exit code $rc)")
    return "$rc"
}

# row LIMIT_S SIDE RULE GENERATIONS ENGINES [OPTION…] — one `biota bench`; its rows are printed and kept at once.
row() {
    local limit_s=$1 side=$2 rule=$3 generations=$4 engines=$5
    shift 5
    # shellcheck disable=SC2016  # the inner shell expands these
    part "$limit_s" "$side² $rule ×$generations $engines $*" bash -o pipefail -c 'rows=$1; shift; "$@" |
        sed -n "s/^ *\({.*}\),*$/\1/p" | tee -a "$rows"' bench "$OUT/rows.jsonl" "$BIOTA" bench \
        --size "${side}x$side" --rule "$rule" --generations "$generations" --engines "$engines" --json "$@"
}

# The loader, where there is none: only what belongs to it, and only where it replaces nothing.
if ! ldconfig -p | grep -q 'libvulkan\.so\.1'; then
    for package in .gl/*.deb; do dpkg -x "$package" /; done
    ldconfig
fi
nvidia=/usr/local/nvidia/share
if [[ -z ${VK_DRIVER_FILES:-} && -e $nvidia/vulkan/icd.d/nvidia_icd.json ]]; then
    export VK_DRIVER_FILES=$nvidia/vulkan/icd.d/nvidia_icd.json
    export __EGL_VENDOR_LIBRARY_FILENAMES=$nvidia/glvnd/egl_vendor.d/10_nvidia.json
fi

date -u +%FT%TZ
echo "$(uname -srm), $(nproc) processors, $(grep -m1 'model name' /proc/cpuinfo)"
ls -l "$BIOTA" && "$BIOTA" --version || exit 2
if command -v nvidia-smi >/dev/null; then
    # For as long as this script runs; it only reads.
    nvidia-smi --query-gpu=timestamp,name,driver_version,clocks.sm,clocks.mem,power.draw,temperature.gpu,clocks_event_reasons.active \
        --format=csv --loop=1 >"$OUT/clocks.csv" 2>&1 &
    # shellcheck disable=SC2064  # this very process
    trap "kill $! 2>/dev/null" EXIT
fi

# Without a GPU every figure would be lavapipe's.
adapter=$(part 20 probe "$BIOTA" run --soup 256x256 --generations 1 --engine gpu --json | tee /dev/stderr | grep '"adapter"') ||
    { echo "error: the gpu engine does not run here"; exit 1; }
if grep -qiE 'llvmpipe|lavapipe|swiftshader' <<<"$adapter" && [[ ${ALLOW_SOFTWARE:-0} != 1 ]]; then
    echo "error: the adapter is a software one; is the driver found? (ALLOW_SOFTWARE=1 goes on all the same)"
    exit 1
fi

# length SIDE [PART] — generations of a sample at any side, or of one part in so many of it: as many cells for large boards.
length() {
    local all=$LENGTH
    (($1 <= 16384)) || all=$((LENGTH * 16384 / $1 * 16384 / $1))
    echo $((all / ${2:-1} / 12 * 12 + 12))
}

for side in $SIDES; do
    for rule in "${RULES[@]}"; do
        # The engine's own choice first: it is what users get, and says by which kernel.
        row 30 "$side" "$rule" "$(length "$side")" gpu --samples 5 --profile
    done
done
side=${SIDES##* }
for rule in "${RULES[@]}"; do
    for kernel in shuffle tall-shuffle leap step; do
        row 15 "$side" "$rule" "$(length "$side" 4)" gpu --samples 2 --profile --kernel "$kernel"
    done
done
for side in $SMALL; do
    for rule in "${RULES[@]}"; do
        row 15 "$side" "$rule" "$(length "$side")" gpu --samples 9
    done
done
for rule in "${RULES[@]}"; do
    row 30 "${SIDES%% *}" "$rule" "$(length "${SIDES%% *}" 50)" gpu,cpu --samples 1
done
for rule in "${RULES[@]}"; do
    row 90 "$LARGEST" "$rule" "$(length "$LARGEST")" gpu --samples 1
done
# Whatever stepped a board so far must have ended on the same one.
differing=$(sed -E 's/.*"rule":"([^"]*)".*"generations":([0-9]+).*"hash":"([0-9a-f]+)".*/\1 ×\2 \3/' "$OUT/rows.jsonl" |
    sort -u | cut -d' ' -f1,2 | uniq -d)
[[ -z $differing ]] || failed+=("unequal boards: $differing")
# From within $OUT: verify writes the smallest failing board to the current folder.
part 90 verify env -C "$OUT" "$BIOTA" verify --cases "$CASES" --seed 1
read -ra filters <<<"$TEST_FILTER"
# A filter that matches nothing would pass in silence.
if "$TESTS" --list "${filters[@]}" 2>/dev/null | grep -q ': test$'; then
    part 150 tests "$TESTS" "${filters[@]}"
else
    failed+=("tests (none like $TEST_FILTER in $TESTS)")
fi

printf '%s rows in %d s\n' "$(wc -l <"$OUT/rows.jsonl")" "$SECONDS"
((${#failed[@]} == 0)) || { printf 'failed: %s\n' "${failed[@]}"; exit 1; }
