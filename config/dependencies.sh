#!/usr/bin/env bash
# The Debian packages that building and testing need, once; `run.sh` and `test.sh` install what is missing.
set -euo pipefail

build="libcurl4-openssl-dev libavformat-dev libavcodec-dev libswscale-dev libheif-dev libexif-dev libraw-dev libwebp-dev liblcms2-dev libmicrohttpd-dev libsqlite3-dev libssl-dev"

missing=""
for package in $build; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

echo "Installing:$missing" >&2
sudo=""
[ "$(id -u)" = 0 ] || sudo="sudo"
$sudo apt-get update -qq
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing >&2
