import Glibc

/// The arguments this process was started with, as bytes.
package enum Arguments {
    /// Without the program's name; `CommandLine.arguments` would replace bytes that are not UTF-8.
    package static var all: [[UInt8]] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { word in
                Array(UnsafeBufferPointer(start: word, count: strlen(word))).map(UInt8.init(truncatingIfNeeded:))
            }
        }
    }
}
