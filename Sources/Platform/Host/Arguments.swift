import Glibc

/// The arguments this process was started with, as bytes.
package enum Arguments {
    /// Without the program's name; `CommandLine.arguments` would replace bytes that are not UTF-8.
    ///
    /// Read from the kernel, because the standard library searches next to `environ`: if a preloaded library has set a
    /// variable before `main`, `environ` lies elsewhere, and the search finds no arguments.
    package static let all: [[UInt8]] = {
        let list = try? OpenFile(reading: "/proc/self/cmdline").readAll()
        return list.flatMap(words) ?? foundByTheStandardLibrary
    }()

    /// The words after the first in a list whose words each end with a NUL; `nil` if the list does not end with one.
    static func words(_ list: [UInt8]) -> [[UInt8]]? {
        guard list.last == 0 else { return nil }
        return list.dropLast().split(separator: 0, omittingEmptySubsequences: false).dropFirst().map(Array.init)
    }

    /// The fallback if `/proc` is not mounted.
    private static var foundByTheStandardLibrary: [[UInt8]] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { word in
                Array(UnsafeBufferPointer(start: word, count: strlen(word))).map(UInt8.init(truncatingIfNeeded:))
            }
        }
    }
}
