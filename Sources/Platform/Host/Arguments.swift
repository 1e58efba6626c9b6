import Glibc

/// The arguments this process was started with, as bytes.
package enum Arguments {
    /// Without the program's name; `CommandLine.arguments` would replace bytes that are not UTF-8.
    ///
    /// The kernel's list, since the standard library looks for them beside `environ`: where a preloaded library has
    /// set a variable before `main`, that lies elsewhere, and none would be found.
    package static let all: [[UInt8]] = {
        let list = try? OpenFile(reading: "/proc/self/cmdline").readAll()
        return list.flatMap(words) ?? foundByTheStandardLibrary
    }()

    /// The words after the first of a list in which a NUL ends each; `nil` where there is no first one.
    static func words(_ list: [UInt8]) -> [[UInt8]]? {
        guard list.last == 0 else { return nil }
        return list.dropLast().split(separator: 0, omittingEmptySubsequences: false).dropFirst().map(Array.init)
    }

    /// Where `/proc` is not mounted.
    private static var foundByTheStandardLibrary: [[UInt8]] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { word in
                Array(UnsafeBufferPointer(start: word, count: strlen(word))).map(UInt8.init(truncatingIfNeeded:))
            }
        }
    }
}
