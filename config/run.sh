#!/usr/bin/env bash
# Installs what is missing (config/dependencies.sh), builds every program, and runs `gallery-sync` with
# the given arguments; without any it runs the demo.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

bash "$here/config/dependencies.sh"
swift build --package-path "$here" -c release --static-swift-stdlib --quiet >&2

program=$(swift build --package-path "$here" -c release --static-swift-stdlib --show-bin-path)/gallery-sync
[ $# -gt 0 ] || set -- demo
exec "$program" "$@"
