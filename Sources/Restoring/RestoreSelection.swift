package import Platform

/// Which files are to be restored.
package struct RestoreSelection: Hashable, Sendable {
    /// Roots by name, `<root>/<path>`, or paths below any root; all files when empty.
    let paths: [FilePath]
    /// Only files that changed then or later.
    let since: FileTime?
    /// The indices of `paths` by path, because there may be as many paths as files.
    private let indices: [FilePath: [Int]]
    /// How many names the paths have: only that many names in a row of a place can match one.
    private let lengths: [Int]

    /// Selects everything by default; a `.` within a path is dropped.
    package init(paths: [FilePath] = [], since: FileTime? = nil) {
        let paths = paths.map { path in Self.path(path.components.filter { $0 != [UInt8(ascii: ".")] }) }
        self.paths = paths
        self.since = since
        indices = Dictionary(grouping: paths.indices) { paths[$0] }
        lengths = Set(paths.map(\.components.count)).sorted()
    }
}

extension RestoreSelection {
    /// The paths, by index, that name the file at `place` (`<root>/<path>`) or a directory it lies in.
    func matches(_ place: FilePath) -> [Int] {
        guard !paths.isEmpty else { return [] }
        let names = place.components
        var found: Set<Int> = []
        for start in 0...min(1, names.count) {
            for length in lengths.prefix(while: { start + $0 <= names.count }) {
                found.formUnion(indices[Self.path(names[start..<start + length]), default: []])
            }
        }
        return found.sorted()
    }

    private static func path(_ names: some Sequence<[UInt8]>) -> FilePath {
        FilePath(bytes: Array(names.joined(separator: [UInt8(ascii: "/")])))
    }

    /// Whether a path names the file at `place` or a directory above it, or no path was given.
    func admits(_ place: FilePath) -> Bool {
        paths.isEmpty || !matches(place).isEmpty
    }

    /// Whether a file that changed at `time` is new enough; one without a time counts as new.
    func admits(_ time: FileTime?) -> Bool {
        guard let since, let time else { return true }
        return time >= since
    }
}
