package import Platform

/// Which files are to be restored.
package struct RestoreSelection: Hashable, Sendable {
    /// Roots by name, `<root>/<path>`, or paths below any root; all files when empty.
    let paths: [FilePath]
    /// Only files that changed then or later.
    let since: FileTime?

    /// Selects everything by default; a `.` within a path is dropped.
    package init(paths: [FilePath] = [], since: FileTime? = nil) {
        self.paths = paths.map { path in
            let names = path.components.filter { $0 != [UInt8(ascii: ".")] }
            return FilePath(bytes: Array(names.joined(separator: [UInt8(ascii: "/")])))
        }
        self.since = since
    }
}

extension RestoreSelection {
    /// The paths, by index, that name the file at `place` (`<root>/<path>`) or a directory it lies in.
    func matches(_ place: FilePath) -> [Int] {
        let whole = place.components
        return paths.indices.filter { index in
            let wanted = paths[index].components
            return whole.starts(with: wanted) || whole.dropFirst().starts(with: wanted)
        }
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
