import Platform

/// `objects/newest`: the number of the index's last change, beside the blobs.
///
///     1795199805000001 running
///
/// An index with a smaller number is older than its blobs. Written after each commit without waiting for the disk,
/// so that it may be behind after a power cut but never is after a kill; durable at a start and at a clean end.
final class NewestNote: Sendable {
    /// What the server before left: how far its index had come, and whether it left no blob without a row.
    struct Text: Hashable, Sendable {
        var number: Int64
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

        /// Of one length whatever it says, since it is written over what was there.
        var bytes: [UInt8] {
            let digits = String(number)
            let padded = String(repeating: "0", count: max(0, 19 - digits.count)) + digits
            return Array("\(padded) \(isClean ? Self.clean : "running")\n".utf8)
        }

        private static let clean = "stopped"
    }

    static let name = "newest"

    /// `nil` where there was none that can be read.
    let before: Text?
    private let file: OpenFile

    /// Opens the note in `root`; it says what it said until `begin`.
    init(in root: FilePath) throws(SystemError) {
        file = try Directory(root).open(writing: FilePath(Self.name))
        before = Text(try file.readAll())
    }

    /// Says durably that blobs may come from now on that no row names.
    func begin(at number: Int64) throws {
        try file.truncate(to: 0)
        try write(Text(number: number, isClean: false))
        try file.synchronize()
    }

    /// Says that the index has come to `number`.
    func note(_ number: Int64) throws { try write(Text(number: number, isClean: false)) }

    /// Says durably that every blob has its row, and that nothing changes after `number`.
    func end(at number: Int64) throws {
        try write(Text(number: number, isClean: true))
        try file.synchronize()
    }

    private func write(_ text: Text) throws { try file.write(text.bytes, at: 0) }
}
