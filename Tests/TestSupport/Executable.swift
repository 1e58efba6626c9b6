package import Platform
import Testing

/// Programs that tests write.
package enum Executable {
    /// Writes a program that can be run at once.
    ///
    /// Another process writes it, because a child forked by another test would inherit a file open for writing here:
    /// until that child's `exec`, the kernel would refuse to run the program (ETXTBSY).
    package static func write(_ text: String, at path: FilePath) async throws {
        let source = path.parent.appending(path.name + Array(".source".utf8))
        try OpenFile(creating: source).write(Array(text.utf8), at: 0)
        let child = try ChildProcess.spawn("/usr/bin/install", arguments: ["-m", "700", source.display, path.display])
        defer { child.kill() }
        try #require(try await child.end("\(path) is written") == .exited(0))
        try #require(try Directory(path.parent).remove(file: FilePath(bytes: source.name)))
    }
}
