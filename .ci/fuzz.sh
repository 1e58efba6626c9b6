#!/usr/bin/env bash
# Feeds made-up bytes to everything that reads bytes from outside, with libFuzzer and AddressSanitizer.
#
#     .ci/fuzz.sh [--seconds N] [TARGET…]      N seconds (60) for each target, by default for all of them
#     .ci/fuzz.sh --together N [TARGET…]       N seconds for all of them
#
# A line for each target; exit code 1 where one was found to break. The bytes are kept as fuzz/TARGET/found/…, and
# `.build/fuzz/debug/gallery-sync-fuzz TARGET FILE` reads them again. FUZZ_FOLDER is another place for fuzz/, and
# FUZZ_BUILD for the build.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=60
together=
case ${1:-} in
    --seconds) seconds=$2; shift 2 ;;
    --together) together=$2; shift 2 ;;
esac
build=${FUZZ_BUILD:-.build/fuzz}
folder=${FUZZ_FOLDER:-.build/fuzz/corpus}
# The toolchain has libFuzzer, and one form of it is without a main of its own.
library=$(ls "$(dirname "$(readlink -f "$(command -v swiftc)")")"/../lib/clang/*/lib/*/libclang_rt.fuzzer_no_main-*.a | head -1)
swift build --scratch-path "$build" --product gallery-sync-fuzz --sanitize=address \
    -Xswiftc -sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table \
    -Xlinker -u -Xlinker LLVMFuzzerRunDriver -Xlinker "$library" -Xlinker -lstdc++ >"$build.log" 2>&1 || {
    tail -20 "$build.log" >&2
    exit 70
}
program=$build/debug/gallery-sync-fuzz
# A crash is reported by the sanitizer; Swift's own report would wait for it for ever.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
# Servers of two targets write; what they write need not outlive the machine.
[ -n "${TMPDIR:-}" ] || [ ! -w /dev/shm ] || export TMPDIR=/dev/shm

targets=("$@")
[ $# -gt 0 ] || read -ra targets <<<"$("$program" | sed -n 's/^Targets: //p')"
[ -z "$together" ] || seconds=$((together / ${#targets[@]} + 1))
status=0
for target in "${targets[@]}"; do
    mkdir -p "$folder/$target/found"
    log=$folder/$target/log
    "$program" "$target" "$folder/$target/bytes" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 \
        -max_len=20000 -len_control=20 -print_final_stats=1 -artifact_prefix="$folder/$target/found/" >"$log" 2>&1 || status=1
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    found=$(grep -m1 -aE 'Broken promise|Fatal error|SUMMARY|ERROR: ' "$log" || true)
    printf '%-16s %10s executions  %s\n' "$target" "${runs:-0}" "${found:-nothing found}"
done
exit $status
