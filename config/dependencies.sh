#!/usr/bin/env bash
# The Debian packages that a task needs, once; the scripts beside this one install what is missing.
#   bash config/dependencies.sh [build|test|package]
set -euo pipefail

build="libcurl4-openssl-dev libavformat-dev libavcodec-dev libswscale-dev libheif-dev libexif-dev libraw-dev libwebp-dev libtiff-dev libpng-dev libjpeg-dev libopenjp2-7-dev libjxl-dev libopenexr-dev libpoppler-cpp-dev libfontconfig-dev fonts-liberation libbrotli-dev libdeflate-dev liblcms2-dev libmicrohttpd-dev libsqlite3-dev libssl-dev libseccomp-dev libsystemd-dev"
# curl is the peer that the benchmark's tests compare with.
# postgresql (60 MB) runs the SQL of config/supabase; without it those tests are skipped.
# dbus and python3-dbusmock stand in for a desktop; without them those tests are skipped.
# poppler-data and fonts-droid-fallback draw PDFs in Chinese, Japanese and Korean; without them the tests expect a note.
test="curl python3-jsonschema postgresql dbus python3-dbusmock poppler-data fonts-droid-fallback"
# chromium and chromium-driver (420 MB) show the gallery page to the tests; without them those tests are skipped.
# Ubuntu has both as snaps only.
grep -qs '^ID=ubuntu' /etc/os-release || test="$test chromium chromium-driver"
package="binutils dpkg-dev"

case ${1:-build} in
build) wanted=$build ;;
test) wanted=$test ;;
package) wanted=$package ;;
*)
    echo "dependencies.sh: there is no list \"$1\"; there are build, test and package." >&2
    exit 2
    ;;
esac

missing=""
for name in $wanted; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing="$missing $name"
done
[ -n "$missing" ] || exit 0

echo "Installing:$missing" >&2
sudo=""
[ "$(id -u)" = 0 ] || sudo="sudo"
$sudo apt-get update -qq
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing >&2
