/// Apple's maker note (ExifTool, Apple tags): a directory of its own within EXIF.
enum AppleNote {
    private static let mark = Array("Apple iOS\0".utf8)
    private static let contentIdentifier = 0x11

    /// The identifier that the photo and the movie of a Live Photo share; `nil` where there is none.
    ///
    /// - Parameter note: The value of EXIF's tag 0x927C; offsets count from its start.
    static func contentIdentifier(in note: UnsafeBufferPointer<UInt8>) -> String? {
        guard note.starts(with: mark), note.count >= 20, note[12] == UInt8(ascii: "M") else { return nil }
        let count = Int(note[14]) << 8 | Int(note[15])
        for index in 0..<count {
            let entry = 16 + index * 12
            guard entry + 12 <= note.count else { return nil }
            guard Int(note[entry]) << 8 | Int(note[entry + 1]) == contentIdentifier, note[entry + 3] == 2 else {
                continue
            }
            let length = note.number(at: entry + 4, bigEndian: true)
            let start = note.number(at: entry + 8, bigEndian: true)
            guard (5...100).contains(length), start + length <= note.count else { return nil }
            let text = String(decoding: note[start..<start + length].prefix { $0 != 0 }, as: UTF8.self)
            return text.isEmpty ? nil : text
        }
        return nil
    }
}
