package import Platform

/// A fresh, empty directory for one test.
package struct TemporaryDirectory: Sendable {
    package let path: FilePath

    package init() throws(SystemError) {
        let base = FilePath(Environment["TMPDIR"] ?? "/tmp")
        path = base.appending("gallery-sync-test-" + Randomness.bytes(8).hexadecimal)
        try Directory.create(at: path)
    }

    /// Removes it and everything below it, as far as permitted.
    package func remove() {
        Self.remove(path)
    }

    /// Removes the file or directory at `path` and everything below it, as far as permitted.
    package static func remove(_ path: FilePath) {
        guard let parent = try? Directory(path.parent.isEmpty ? "." : path.parent) else { return }
        remove(FilePath(bytes: path.name), in: parent)
    }

    private static func remove(_ name: FilePath, in parent: Directory) {
        guard (try? parent.facts(of: name).kind) == .directory else {
            _ = try? parent.remove(file: name)
            return
        }
        if let directory = try? parent.open(directory: name), let names = try? directory.names() {
            for child in names { remove(child, in: directory) }
        }
        _ = try? parent.remove(directory: name)
    }
}
