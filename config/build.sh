# How the programs are built; sourced by run.sh, test.sh and package.sh, so that what ships is what is tested.

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Swift's own libraries are linked in: the programs run without a toolchain, in little more than half the memory.
release=(-c release --static-swift-stdlib)

# Builds the programs and nothing else; says so where that takes minutes.
build_programs() {
    local product
    [ -x "$(programs_folder)/gallery-sync" ] || echo "Building gallery-sync; the first time takes a few minutes" >&2
    for product in gallery-sync gallery-sync-media gallery-sync-bench; do
        # The linker warns of a call within the toolchain's own library, which says nothing about these sources.
        swift build --package-path "$project" "${release[@]}" --quiet --product "$product" 2>&1 |
            { grep -v "the use of \`mktemp' is dangerous" || true; } >&2
    done
}

# The folder that the built programs are in.
programs_folder() {
    swift build --package-path "$project" "${release[@]}" --show-bin-path
}
