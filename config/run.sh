#!/usr/bin/env bash
# Installs what is missing (config/dependencies.sh), builds every program, and runs `gallery-sync` with
# the given arguments; without any it runs the demo.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

bash "$here/config/dependencies.sh"
build() { swift build --package-path "$here" -c release --static-swift-stdlib "$@"; }
folder=$(build --show-bin-path)
[ -x "$folder/gallery-sync" ] || echo "Building gallery-sync; the first time takes a few minutes" >&2
for product in gallery-sync gallery-sync-media gallery-sync-bench; do
    build --quiet --product "$product" >&2
done

[ $# -gt 0 ] || set -- demo
exec "$folder/gallery-sync" "$@"
