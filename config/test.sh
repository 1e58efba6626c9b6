#!/usr/bin/env bash
# Installs what is missing (config/dependencies.sh), checks the sources, builds the programs as people get them
# (config/build.sh), runs the demo from them, plays fresh histories in the simulator for a minute, and runs every test; the
# end-to-end tests run those programs.
set -euo pipefail
cd "$(dirname "$0")/.."
source config/build.sh

step() { printf '\n%s  %s\n' "$(date +%H:%M:%S)" "$1" >&2; }

bash config/dependencies.sh
bash config/dependencies.sh test

step "Checking the sources"
owners='Platform|Transfer|Serving|Database|Desktop|Frames|Facts|Light|JPEG|TIFF|GIF|JXL|EXR|Documents|Media|MediaMaking|PageFiles|C[A-Z][A-Za-z]*'
if grep -rnE --include='*.swift' '\bunsafe\b|@unchecked|nonisolated\(unsafe\)|import C[A-Z]' Sources Tests/Simulator |
    grep -vE "^Sources/($owners)/" | grep -vE ':[0-9]+: *//'; then
    echo "The lines above belong into a module that owns a C library." >&2
    exit 1
fi
# Swift 6.3.1 dies or hangs in release builds where an asynchronous function has such a clause and its calls are inlined.
if grep -rlwE --include='*.swift' async Sources Tests/Simulator Tests/Fuzzing | xargs grep -nE '\bcatch\b.*\bwhere\b|^ *where .*\{$'; then
    echo "The lines above can kill the compiler: in a file with asynchronous functions use a guard inside 'catch'." >&2
    exit 1
fi
swift format lint -r --strict Package.swift Sources Tests

step "Building the programs"
build_programs
# A second build in any case, since `@testable` needs other modules than those that ship; so the quick one, with checks.
step "Building the tests"
swift build --build-tests --explicit-target-dependency-import-check error

step "Running the demo"
"$(programs_folder)/gallery-sync" demo

step "Simulating fresh histories"
# It prints its first seed, and of a history with a problem the seed and the words that play it once more.
"$(swift build --show-bin-path)/gallery-sync-simulate" --seconds 60

# Many tests talk to a server in their own process: with all of them at once none has its turn in time.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8
# Where a test dies, its trace says where.
export SWIFT_BACKTRACE=enable=yes,color=no,interactive=no
# Where a test throws is told without the calls that led there, which nothing shows; to note them for every error that is
# thrown and caught, too, took a sixth of the time.
export SWT_SWIFT_ERROR_BACKTRACING_ENABLED=0
# Runs tests; what failed is told once more at the end, below thousands of lines about what passed.
run_tests() {
    local log
    log=$(mktemp)
    if swift test --skip-build "$@" 2>&1 | tee "$log"; then
        rm "$log"
    else
        printf '\nWhat failed:\n' >&2
        grep -aE '^(✘|↳)|error: ' "$log" >&2 || tail -n 40 "$log" >&2
        rm "$log"
        return 1
    fi
}
step "Testing the decoders"
# Decoding keeps a thread for seconds, and there are as few threads as cores.
run_tests --filter '^MediaTests[.]'
# What writes to a disk is tried on one; the others' files are in memory where there is enough: their time in the kernel
# was mostly a disk's. A short name, since some of them are sockets.
disk='PlatformTests|DatabaseTests|ObjectStoreTests|StorageServerTests'
step "Testing the disk"
run_tests --filter "^($disk)[.]"
step "Testing the modules"
modules() { run_tests --skip "^(MediaTests|EndToEndTests|$disk)[.]"; }
room=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }' || true)
if [ -z "${TMPDIR:-}" ] && ((${room:-0} >= 2 << 20)); then
    memory=$(mktemp -d /dev/shm/gs.XXXXXX)
    trap 'rm -rf "$memory"' EXIT
    # A database's tests are another user.
    chmod 711 "$memory"
    # Some tests make programs and run them, which containers often forbid there.
    printf '#!/bin/sh\n' >"$memory/run"
    chmod +x "$memory/run"
fi
if [ -n "${memory:-}" ] && "$memory/run" 2>/dev/null; then TMPDIR=$memory modules; else modules; fi
step "Testing the programs"
# Whole runs by themselves, so that nothing else decides how long a slow writer's pauses are.
END_TO_END_PROGRAMS=$(programs_folder) run_tests --filter EndToEndTests
