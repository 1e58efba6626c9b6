#!/usr/bin/env bash
# Installs what is missing (config/dependencies.sh), builds every program (config/build.sh), and runs
# `gallery-sync` with the given arguments; without any it runs the demo.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/build.sh"

bash "$here/dependencies.sh"
build_programs
folder=$(programs_folder)

[ $# -gt 0 ] || set -- demo
exec "$folder/gallery-sync" "$@"
