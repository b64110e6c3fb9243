#!/usr/bin/env bash
# Checks and measures Biota on a machine with an NVIDIA GPU that has neither
# cargo nor a network: what it runs was built elsewhere and carried there.
# It ends by itself in under nine minutes, whatever hangs.
#
# Prepare, in the repository root of an x86-64 machine whose glibc is no newer
# than the GPU machine's:
#
#   echo /target-gpu/ >> .git/info/exclude; echo /.gl/ >> .git/info/exclude
#   cargo build --release
#   cargo test --no-run          # names the test binary: target/debug/deps/tests-HASH
#   mkdir -p target-gpu
#   cp target/release/biota target-gpu/biota
#   cp target/debug/deps/tests-HASH target-gpu/tests
#   strip target-gpu/*           # all that is carried must stay under 64 MiB
#   du -sh target-gpu
#   mkdir -p .gl && (cd .gl && apt-get download libvulkan1)    # the Vulkan loader
#
# Try it there first, on the software adapter and at a smaller size:
#
#   ALLOW_SOFTWARE=1 SIZES=1024 KERNEL_SIZE=1024 OUT=/tmp/h200 bash benches/h200.sh
#
# Run, in the repository root of the GPU machine, with target-gpu and .gl beside
# the checkout's files, and a limit of 570 s around it:
#
#   set -o pipefail; bash benches/h200.sh 2>&1 | tee "$OUT/log.txt"
#
# What it leaves in $OUT: log.txt as above; bench-stream.json, one JSON array
# for each `biota bench` run (`jq -s add` makes one of them); and the board of a
# failed `biota verify`. Exit code: 0 when every part passed, 1 otherwise; a
# part that fails does not keep the next from running.
#
# Variables: BIOTA and TESTS (the two binaries), TEST_FILTER (which tests),
# SIZES (sides of the boards), KERNEL_SIZE (that of the boards on which each
# kernel is measured by name), BUDGET_S (seconds for everything together),
# ALLOW_SOFTWARE=1 (an adapter that is no GPU is no error).
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

OUT=${OUT:-target/h200}
mkdir -p "$OUT" || exit 2
OUT=$(cd "$OUT" && pwd)
BIOTA=$(realpath -m "${BIOTA:-target-gpu/biota}")
TESTS=$(realpath -m "${TESTS:-target-gpu/tests}")
# Tests of the command line and of the window start programs by the path they
# were built at, which is not on this machine; those of the GPU engine have
# `gpu` in their names, or are those of tiles, which compare all kernels.
TEST_FILTER=${TEST_FILTER:-gpu tiles}
SIZES=${SIZES:-4096 16384 65536}
KERNEL_SIZE=${KERNEL_SIZE:-32768}
BUDGET_S=${BUDGET_S:-510}
ALLOW_SOFTWARE=${ALLOW_SOFTWARE:-0}

failed_parts=()

# part NAME LIMIT_S COMMAND… — runs the command under a time limit, cut to what
# is left of the budget, and notes whether it passed.
part() {
    local name=$1 limit_s=$2 left_s started rc
    shift 2
    left_s=$((BUDGET_S - SECONDS))
    ((limit_s <= left_s)) || limit_s=$left_s
    printf '\n== %s (at %d s, limit %d s): %s\n' "$name" "$SECONDS" "$limit_s" "$*"
    if ((limit_s < 5)); then
        echo "-- skipped: the time is used up"
        failed_parts+=("$name (skipped)")
        return 1
    fi
    started=$SECONDS
    # A process that waits for a lost GPU may not heed the first signal.
    timeout --kill-after=5 "$limit_s" "$@"
    rc=$?
    printf -- '-- %s: exit code %d after %d s\n' "$name" "$rc" "$((SECONDS - started))"
    if ((rc != 0)); then
        failed_parts+=("$name (exit code $rc)")
    fi
    return "$rc"
}

# bench SIZE RULE GENERATIONS ENGINES LIMIT_S [OPTION…] — one `biota bench`,
# whose engines must end on the same hash; its JSON goes to the stream and to
# the log.
bench() {
    local size=$1 rule=$2 generations=$3 engines=$4 limit_s=$5 one=$OUT/.bench.json
    shift 5
    # shellcheck disable=SC2016  # the inner shell expands these
    part "bench $size² $rule $engines $*" "$limit_s" \
        bash -c 'out=$1; shift; "$@" >"$out"' bench "$one" "$BIOTA" bench --size "${size}x${size}" \
        --rule "$rule" --generations "$generations" --engines "$engines" --json "$@"
    local rc=$?
    if ((rc == 0)); then
        tee -a "$OUT/bench-stream.json" <"$one"
    elif [[ -e $one ]]; then
        # Cut short or unequal: worth reading, but no result.
        cat "$one"
    fi
    rm -f "$one"
    return "$rc"
}

# offers RULE KERNEL — whether the adapter has this kernel for the rule. What
# fails for another reason is left to the bench to tell.
offers() {
    local error=$OUT/.error.txt
    timeout --kill-after=5 20 "$BIOTA" bench --size 256 --rule "$1" --generations 12 --samples 1 \
        --engines gpu --kernel "$2" >/dev/null 2>"$error" || ! grep 'there is no .* kernel' "$error"
}

for binary in "$BIOTA" "$TESTS"; do
    if [[ ! -x $binary ]]; then
        echo "error: $binary is missing or not executable; the head of benches/h200.sh says how to prepare it" >&2
        exit 2
    fi
done

# The loader, where the machine has none. Only files of the loader itself are
# unpacked into the root, and only where there is nothing they could replace.
if ! ldconfig -p | grep -q 'libvulkan\.so\.1'; then
    shopt -s nullglob
    for package in .gl/*.deb; do
        echo "unpacking $package into /"
        dpkg -x "$package" /
    done
    shopt -u nullglob
    ldconfig
fi

# NVIDIA's driver lies where no loader looks when it is mounted from the host.
nvidia_icd=/usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json
if [[ -z ${VK_DRIVER_FILES:-} && -e $nvidia_icd ]]; then
    export VK_DRIVER_FILES=$nvidia_icd
fi
if [[ -z ${XDG_RUNTIME_DIR:-} ]]; then
    XDG_RUNTIME_DIR=$(mktemp -d)
    export XDG_RUNTIME_DIR
fi

echo "== machine"
date -u +%Y-%m-%dT%H:%M:%SZ
uname -srm
grep -m1 'model name' /proc/cpuinfo
echo "processors: $(nproc)"
if command -v nvidia-smi >/dev/null 2>&1; then
    timeout 10 nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
fi
ldconfig -p | grep 'libvulkan\.so\.1'
echo "VK_DRIVER_FILES=${VK_DRIVER_FILES:-}"
"$BIOTA" --version

# 1. Is there a GPU at all? Without one every figure below would be lavapipe's.
probe=$OUT/.probe.json
# shellcheck disable=SC2016  # the inner shell expands these
part probe 20 bash -c '"$1" run --soup 1024x1024 --rule Immigration --seed 1 --generations 100 --engine gpu --json | tee "$2"' \
    probe "$BIOTA" "$probe"
if ! grep -qi '"adapter"' "$probe" 2>/dev/null; then
    echo "error: the gpu engine did not run; nothing else would either" >&2
    exit 1
fi
if grep -i '"adapter"' "$probe" | grep -qiE 'llvmpipe|lavapipe|swiftshader' && [[ $ALLOW_SOFTWARE != 1 ]]; then
    echo "error: the adapter is a software one; is the driver found? (ALLOW_SOFTWARE=1 goes on all the same)" >&2
    exit 1
fi
rm -f "$probe"

# 2. Is it right? From within $OUT, since verify writes the smallest failing
# board to the current folder.
cd "$OUT" || exit 2
part verify 90 "$BIOTA" verify --cases 300 --seed 1
cd - >/dev/null || exit 2

# A filter that matches nothing passes in silence, so count first.
read -ra filters <<<"$TEST_FILTER"
if [[ $("$TESTS" --list "${filters[@]}" 2>/dev/null | grep -c ': test$') -eq 0 ]]; then
    echo "error: $TESTS has no test named like '$TEST_FILTER'" >&2
    failed_parts+=("tests (none matched)")
else
    part tests 150 "$TESTS" "${filters[@]}"
fi

# 3. How fast is it? GPU and CPU on the same board; the generations are
# chosen so that each size steps about 3e10 cells, some 10 s of the CPU engine.
for size in $SIZES; do
    case $size in
        65536) generations=24 limit_s=40 ;;
        16384) generations=100 limit_s=25 ;;
        4096) generations=2000 limit_s=25 ;;
        *) generations=100 limit_s=25 ;;
    esac
    for rule in B3/S23 Immigration P2Life; do
        bench "$size" "$rule" "$generations" gpu,cpu "$limit_s"
    done
done

# 4. The GPU alone on the largest board, for long enough that start-up and
# tally are lost in the noise. Generations are a multiple of the twelve that go
# at once, since what is left over goes one by one. Which kernel it takes by
# itself is told by the JSON's "stepped_by", and by the profile, which has the
# GPU's own time of each kind of pass.
largest=${SIZES##* }
for rule in B3/S23 Immigration P2Life; do
    bench "$largest" "$rule" 240 gpu 25 --profile
done

# 5. Each kernel by name, on the same boards: all must end alike.
for rule in B3/S23 Immigration P2Life QuadLife; do
    first_hash=
    for kernel in step leap shuffle tall-shuffle; do
        if offers "$rule" "$kernel" &&
            bench "$KERNEL_SIZE" "$rule" 240 gpu 20 --profile --kernel "$kernel"; then
            hash=$(grep -o '"hash":"[0-9a-f]*"' "$OUT/bench-stream.json" | tail -n 1)
            if [[ ${first_hash:=$hash} != "$hash" ]]; then
                echo "error: the $kernel kernel ended on another board: $hash, not $first_hash" >&2
                failed_parts+=("$rule by $kernel (another board)")
            fi
        fi
    done
done

printf '\n== %d s in all\n' "$SECONDS"
if ((${#failed_parts[@]} > 0)); then
    printf 'failed: %s\n' "${failed_parts[@]}"
    exit 1
fi
echo "every part passed"
