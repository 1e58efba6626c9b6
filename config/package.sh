#!/usr/bin/env bash
# Makes the Debian package of gallery-sync, and beside it one with the symbols of the stripped programs:
#   bash config/package.sh [--programs DIR] [--output DIR]
# Builds first, unless --programs names a folder with programs built like config/run.sh does. The packages go into
# .build/package, or into DIR. DEBFULLNAME and DEBEMAIL name the maintainer. Needs no root; the same programs make
# the same package, byte for byte. Checks with lintian, desktop-file-validate and appstreamcli where they are installed.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

fail() {
    echo "package.sh: $1" >&2
    exit "${2:-1}"
}

programs="" output=$here/.build/package
while [ $# -gt 0 ]; do
    case $1 in
    --programs | --output) [ $# -gt 1 ] || fail "$1 needs a folder" 2 ;;
    *) fail "unknown option \"$1\"; there are --programs DIR and --output DIR" 2 ;;
    esac
    case $1 in
    --programs) programs=$(realpath -e "$2") ;;
    --output) output=$(realpath -m "$2") ;;
    esac
    shift 2
done

bash "$here/config/dependencies.sh" package
if [ -z "$programs" ]; then
    bash "$here/config/dependencies.sh"
    source "$here/config/build.sh"
    build_programs
    programs=$(programs_folder)
fi

umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stage=$work/gallery-sync symbols=$work/gallery-sync-dbgsym
version=$("$programs/gallery-sync" --version)
version=${version##* }
day=$(sed -n "s|^## $version (\(.*\))\$|\1|p" "$here/config/CHANGELOG.md")
[ -n "$day" ] || fail "config/CHANGELOG.md has no entry for $version"
revision=$version-1
architecture=$(dpkg --print-architecture)
maintainer="${DEBFULLNAME:-The gallery-sync authors} <${DEBEMAIL:-gallery-sync@users.noreply.github.com}>"
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date -u -d "$day" +%s)}

# The change log as Debian writes one.
debian_changelog() {
    awk -v maintainer="$maintainer" '
        function finish() { if (name) printf "\n -- %s  %s\n\n", maintainer, moment }
        /^## / {
            finish(); name = $2; day = substr($3, 2, length($3) - 2)
            clock = "LC_ALL=C date -u -R -d " day
            clock | getline moment
            close(clock)
            printf "gallery-sync (%s-1) unstable; urgency=medium\n\n", name
            next
        }
        name && /^- / { print "  * " substr($0, 3); next }
        name && /^  / { print "    " substr($0, 3) }
        END { finish() }
    ' "$here/config/CHANGELOG.md"
}

# The libraries that the programs are linked with, as packages.
dependencies() {
    # It tells a package's own folder by this one.
    mkdir -p "$work/shlibs/debian" "$stage/DEBIAN"
    printf 'Source: gallery-sync\n\nPackage: gallery-sync\nArchitecture: any\n' >"$work/shlibs/debian/control"
    # Without a C compiler, it warns that it has to guess the architecture.
    (cd "$work/shlibs" && DEB_HOST_ARCH=$architecture dpkg-shlibdeps -O "$stage/usr/bin/gallery-sync" \
        "$stage/usr/libexec/gallery-sync/gallery-sync-media") | sed -n 's/^shlibs:Depends=//p'
}

# separate PROGRAM PLACE: keeps the symbols of a program that lies stripped at a place, found by its build id.
separate() {
    local id file
    id=$(readelf -n "$2" | sed -n 's/^ *Build ID: //p')
    [ -n "$id" ] || fail "$1 has no build id"
    file=$symbols/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
    mkdir -p "$(dirname "$file")"
    objcopy --only-keep-debug --compress-debug-sections "$1" "$file"
    chmod 644 "$file"
    identifiers="${identifiers:+$identifiers }$id"
}

# Where Debian wants what config/install.sh puts elsewhere, and what only a package has.
arrange() {
    mkdir -p "$stage/usr/share/zsh/vendor-completions" "$stage/usr/lib/systemd/user"
    mv "$stage/usr/share/zsh/site-functions/_gallery-sync" "$stage/usr/share/zsh/vendor-completions/"
    mv "$stage/usr/share/systemd/user/gallery-sync.service" "$stage/usr/lib/systemd/user/"
    rmdir "$stage/usr/share/zsh/site-functions" "$stage/usr/share/systemd/user" "$stage/usr/share/systemd"
    local documents=$stage/usr/share/doc/gallery-sync
    install -m 644 "$here/config/copyright" "$documents/copyright"
    gzip -9n <"$here/config/CHANGELOG.md" >"$documents/changelog.gz"
    debian_changelog | gzip -9n >"$documents/changelog.Debian.gz"
    gzip -9n "$stage"/usr/share/man/man1/*.1
}

# pack FOLDER: fields from standard input, then sums and a package out of the folder.
pack() {
    local size
    size=$(du -k -s --apparent-size "$1/usr" | cut -f 1)
    mkdir -p "$1/DEBIAN"
    sed "s|^Installed-Size:.*|Installed-Size: $size|" >"$1/DEBIAN/control"
    (cd "$1" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$1/DEBIAN/md5sums"
    find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz --build "$1" "$output" >&2
}

bash "$here/config/install.sh" --root "$stage" --prefix /usr --programs "$programs"
arrange
identifiers=""
separate "$programs/gallery-sync" "$stage/usr/bin/gallery-sync"
separate "$programs/gallery-sync-media" "$stage/usr/libexec/gallery-sync/gallery-sync-media"
mkdir -p "$symbols/usr/share/doc"
ln -s gallery-sync "$symbols/usr/share/doc/gallery-sync-dbgsym"
depends=$(dependencies)
mkdir -p "$output"
rm -f "$output"/gallery-sync_*.deb "$output"/gallery-sync-dbgsym_*.deb

pack "$stage" <<END
Package: gallery-sync
Version: $revision
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: 0
Depends: $depends, ca-certificates, fonts-liberation
Recommends: poppler-data, fonts-droid-fallback
Suggests: libsecret-tools
Section: net
Priority: optional
Description: keep folders of photos and videos safe in Supabase Storage
 Watches folders, makes thumbnails, keeps an upload queue that can be read as
 JSON, uploads, asks the server for proof, writes a receipt for every object,
 and tells in one page what is safe and what is not. Everything comes back from
 the bucket alone.
 .
 It never changes, moves or deletes a source file. "gallery-sync demo" shows all
 of it on made-up media, on this computer only.
END
pack "$symbols" <<END
Package: gallery-sync-dbgsym
Version: $revision
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: 0
Depends: gallery-sync (= $revision)
Section: debug
Priority: optional
Auto-Built-Package: debug-symbols
Build-Ids: $identifiers
Description: debug symbols for gallery-sync
END

made=$output/gallery-sync_${revision}_$architecture.deb
if command -v desktop-file-validate >/dev/null; then
    desktop-file-validate "$stage"/usr/share/{applications,Thunar/sendto}/*.desktop
fi
if command -v appstreamcli >/dev/null; then
    # The project has no domain to name itself after.
    appstreamcli validate --no-net --override=cid-desktopapp-is-not-rdns=info \
        "$stage/usr/share/metainfo/gallery-sync.metainfo.xml" >&2
fi
if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error "$made" "$output/gallery-sync-dbgsym_${revision}_$architecture.deb" >&2
fi
echo "$made"
