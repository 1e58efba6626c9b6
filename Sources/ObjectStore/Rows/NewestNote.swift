package import Platform

/// `objects/newest`: the number of the index's last change, beside the blobs.
///
///     1795199805000001 running
///
/// An index with a smaller number is older than its blobs. The note is written after each commit without waiting for
/// the disk, so only a power cut can leave it out of date; a kill cannot. It is durable at a start and at a clean end.
package final class NewestNote: Sendable {
    /// What the previous server left: the number of its last change, and whether every blob had a row.
    package struct Text: Hashable, Sendable {
        /// The number of its last change, in microseconds since 1970.
        package var number: Int64
        var isClean: Bool

        init(number: Int64, isClean: Bool) {
            self.number = number
            self.isClean = isClean
        }

        init?(_ bytes: [UInt8]) {
            let words = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
            guard words.count == 2, let number = Int64(words[0]) else { return nil }
            self.init(number: number, isClean: words[1] == Self.clean)
        }

        /// Always of the same length, because it overwrites the previous text.
        var bytes: [UInt8] {
            let digits = String(number)
            let padded = String(repeating: "0", count: max(0, 19 - digits.count)) + digits
            return Array("\(padded) \(isClean ? Self.clean : "running")\n".utf8)
        }

        private static let clean = "stopped"
    }

    static let name = "newest"

    /// The previous server's note; `nil` where there was none that could be read.
    package let before: Text?
    private let file: OpenFile

    /// Opens the note in `root`, which stays unchanged until `begin`.
    package init(in root: FilePath) throws(SystemError) {
        file = try Directory(root).open(writing: FilePath(Self.name))
        before = Text(try file.readAll())
    }

    /// Records durably that from now on there may be blobs that no row names.
    package func begin(at number: Int64) throws {
        try file.truncate(to: 0)
        try write(Text(number: number, isClean: false))
        try file.synchronize()
    }

    /// Records `number` as the index's last change.
    func note(_ number: Int64) throws { try write(Text(number: number, isClean: false)) }

    /// Records durably that every blob has its row, and that no change follows `number`.
    func end(at number: Int64) throws {
        try write(Text(number: number, isClean: true))
        try file.synchronize()
    }

    private func write(_ text: Text) throws { try file.write(text.bytes, at: 0) }
}
