#!/usr/bin/env bash
# Installs what is missing (config/dependencies.sh), builds everything, lints, and runs every test.
set -euo pipefail
cd "$(dirname "$0")/.."

bash config/dependencies.sh

echo "Checking that unsafe code stays in the modules that own a C library" >&2
owners='Platform|Transfer|Serving|Database|Media|C[A-Z][A-Za-z]*'
if grep -rnE --include='*.swift' '\bunsafe\b|@unchecked|nonisolated\(unsafe\)|import C[A-Z]' Sources |
    grep -vE "^Sources/($owners)/" | grep -vE ':[0-9]+: *//'; then
    echo "The lines above belong into a module that owns a C library." >&2
    exit 1
fi

swift format lint -r --strict Package.swift Sources Tests
swift build --build-tests --explicit-target-dependency-import-check error
# Many tests talk to a server in their own process: with all of them at once none has its turn in time.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8
# Decoding keeps a thread for seconds, and there are as few threads as cores.
swift test --skip-build --filter '^MediaTests[.]'
swift test --skip-build --skip '^(MediaTests|EndToEndTests)[.]'
# Whole runs by themselves, so that nothing else decides how long a slow writer's pauses are.
swift test --skip-build --filter EndToEndTests
