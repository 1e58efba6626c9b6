#!/usr/bin/env bash
# Installs gallery-sync for one user, or takes it away again:
#   bash config/install.sh --prefix ~/.local
#   bash config/install.sh --prefix ~/.local --uninstall
# Builds first, unless --programs names a folder with built programs. Your configuration, state and storage
# are touched by neither. PREFIX/share/gallery-sync/installed lists what --uninstall removes.
#   --root DIR   for packages: puts everything below DIR, and keeps no list
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

fail() {
    echo "install.sh: $1" >&2
    exit "${2:-1}"
}

prefix=$HOME/.local programs="" root="" uninstall=""
while [ $# -gt 0 ]; do
    case $1 in
    --uninstall) uninstall=yes && shift && continue ;;
    --prefix | --programs | --root) [ $# -gt 1 ] || fail "$1 needs a folder" 2 ;;
    *) fail "unknown option \"$1\"; there are --prefix DIR, --programs DIR, --root DIR and --uninstall" 2 ;;
    esac
    case $1 in
    --prefix) prefix=$(realpath -ms "$2") ;;
    --programs) programs=$(realpath -e "$2") ;;
    --root) root=$(realpath -m "$2") ;;
    esac
    shift 2
done
# It stands in the systemd unit and in the desktop entry, where these mean something else.
case $prefix in *[[:space:]%\"\'\\\$\`\|\&]*) fail "a prefix with \"$prefix\" in it cannot be used" 2 ;; esac
target=$root$prefix
list=share/gallery-sync/installed

# Removes what an earlier run installed, folders that it made included.
remove() {
    local path
    while read -r path; do
        case $path in
        */) rmdir "$target/${path%/}" 2>/dev/null || true ;;
        *) rm -f "$target/$path" ;;
        esac
    done < <(tac "$target/$list")
}

# Stops and forgets the unit where it is the one that was installed here.
disable() {
    local link=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user/default.target.wants/gallery-sync.service
    [ "$(readlink "$link" 2>/dev/null)" = "$target/share/systemd/user/gallery-sync.service" ] || return 0
    systemctl --user disable --now gallery-sync.service 2>/dev/null || rm -f "$link"
}

if [ -n "$uninstall" ]; then
    [ -f "$target/$list" ] || fail "nothing is installed below $target"
    disable
    remove
    echo "Removed gallery-sync from $target; configuration, state and storage stay." >&2
    exit 0
fi

if [ -z "$programs" ]; then
    bash "$here/config/dependencies.sh"
    source "$here/config/build.sh"
    build_programs
    programs=$(programs_folder)
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$programs/gallery-sync" help --man "$work/man" --quiet
"$programs/gallery-sync" help --schemas "$work/schemas" --quiet
for shell in bash zsh fish; do
    "$programs/gallery-sync" completion "$shell" >"$work/completion.$shell"
done
sed "s|%h/.local/bin/|$prefix/bin/|" "$here/config/gallery-sync.service" >"$work/gallery-sync.service"
for entry in gallery-sync gallery-sync-folder; do
    sed "/^Exec=/s|gallery-sync |$prefix/bin/gallery-sync |g; s|^TryExec=.*|TryExec=$prefix/bin/gallery-sync|" \
        "$here/config/desktop/$entry.desktop" >"$work/$entry.desktop"
done
# The first heading of the change log is "## VERSION (DAY)".
release=$(sed -n 's|^## \(.*\) (\(.*\))$|version="\1" date="\2"|p' "$here/config/CHANGELOG.md" | head -n 1)
sed "s|<release .*/>|<release $release/>|" "$here/config/desktop/gallery-sync.metainfo.xml" >"$work/gallery-sync.metainfo.xml"

: >"$work/list"
# Makes a folder below the prefix and what is missing above it.
folder() {
    [ -d "$target/$1" ] && return
    if [ "$1" = . ]; then
        mkdir -p "$target"
        echo / >>"$work/list"
        return
    fi
    folder "$(dirname "$1")"
    mkdir -m 755 "$target/$1"
    echo "$1/" >>"$work/list"
}

# place MODE FILE PLACE: copies a file to a place below the prefix.
place() {
    folder "$(dirname "$3")"
    install -m "$1" "$2" "$target/$3"
    echo "$3" >>"$work/list"
}

if [ -z "$root" ] && [ -f "$target/$list" ]; then remove; fi
place 755 "$programs/gallery-sync" bin/gallery-sync
place 755 "$programs/gallery-sync-media" libexec/gallery-sync/gallery-sync-media
strip "$target/bin/gallery-sync" "$target/libexec/gallery-sync/gallery-sync-media"
place 644 "$work/gallery-sync.service" share/systemd/user/gallery-sync.service
for page in "$work"/man/*.1; do
    place 644 "$page" "share/man/man1/${page##*/}"
done
for schema in "$work"/schemas/*.json; do
    place 644 "$schema" "share/gallery-sync/schemas/${schema##*/}"
done
place 644 "$work/completion.bash" share/bash-completion/completions/gallery-sync
place 644 "$work/completion.zsh" share/zsh/site-functions/_gallery-sync
place 644 "$work/completion.fish" share/fish/vendor_completions.d/gallery-sync.fish
place 644 "$work/gallery-sync.desktop" share/applications/gallery-sync.desktop
# Not among the applications: where no file manager is the default, it would be what opens folders.
place 644 "$work/gallery-sync-folder.desktop" share/Thunar/sendto/gallery-sync-folder.desktop
place 644 "$here/config/desktop/gallery-sync.svg" share/icons/hicolor/scalable/apps/gallery-sync.svg
place 644 "$work/gallery-sync.metainfo.xml" share/metainfo/gallery-sync.metainfo.xml
supabase=$(cd "$here/config" && find supabase -type f -not -path '*/tests/*' | LC_ALL=C sort)
# shellcheck disable=SC2086
for example in gallery-sync.json5 $supabase; do
    place 644 "$here/config/$example" "share/doc/gallery-sync/examples/$example"
done
[ -z "$root" ] || exit 0

folder "$(dirname "$list")"
echo "$list" >>"$work/list"
install -m 644 "$work/list" "$target/$list"

echo "Installed $("$target/bin/gallery-sync" --version) below $target" >&2
case :$PATH: in
*":$target/bin:"*) ;;
*) echo "Add $target/bin to your PATH." >&2 ;;
esac
echo "Next: gallery-sync init, then gallery-sync service install" >&2
