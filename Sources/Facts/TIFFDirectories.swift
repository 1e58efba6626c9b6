import MediaModel

/// Copies the directories of a TIFF into a block as small as EXIF's, without the picture.
///
/// Most programs write the directory after the pixels, beyond what libexif reads (TIFF 6.0, 2).
package enum TIFFDirectories {
    /// The most bytes of a value that is kept; longer ones are not facts about the picture.
    private static let valueLimit = 2000
    /// The size from which nothing is added to a block, because entries that repeat one place could fill the memory.
    private static let blockLimit = 1 << 20
    private static let exifPointer = 0x8769
    private static let gpsPointer = 0x8825

    /// A TIFF header, directory 0, then those of EXIF and GPS; `nil` where there is no directory.
    static func gathered(from file: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard file.count > 8 else { return nil }
        let isBig = file[0] == UInt8(ascii: "M")
        guard file.short(at: 2, isBig) == 42 else { return nil }
        var block = Array(file[0..<4]) + bytes(8, 4, isBig)
        let start = file.number(at: 4, bigEndian: isBig)
        return append(start, of: file, isBig, depth: 0, to: &block) ? block : nil
    }

    /// The bytes of a long value in directory 0, such as XMP; `nil` where it is missing.
    static func value(of tag: Int, in file: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard file.count > 8 else { return nil }
        let isBig = file[0] == UInt8(ascii: "M")
        let start = file.number(at: 4, bigEndian: isBig)
        guard file.short(at: 2, isBig) == 42, start >= 8, start + 2 <= file.count else { return nil }
        let entry = entries(at: start, of: file, isBig, limit: 1 << 20).first { $0.tag == tag && $0.length > 4 }
        return entry.map { Array(file[$0.value..<$0.value + $0.length]) }
    }

    /// Whether directory 0 states that its picture is not a reduced copy of another one.
    package static func beginWithWholePicture(_ file: UnsafeBufferPointer<UInt8>) -> Bool {
        guard file.count > 8 else { return false }
        let isBig = file[0] == UInt8(ascii: "M")
        let start = file.number(at: 4, bigEndian: isBig)
        guard file.short(at: 2, isBig) == 42, start >= 8, start + 2 <= file.count else { return false }
        return entries(at: start, of: file, isBig).contains { $0.tag == 254 && $0.value == 0 }
    }

    /// Appends the directory at `start` and its values to `block`; `false` where there is none.
    private static func append(
        _ start: Int, of file: UnsafeBufferPointer<UInt8>, _ isBig: Bool, depth: Int, to block: inout [UInt8]
    ) -> Bool {
        guard start >= 8, start + 2 <= file.count else { return false }
        let entries = entries(at: start, of: file, isBig)
        let directory = block.count
        block += bytes(entries.count, 2, isBig) + [UInt8](repeating: 0, count: entries.count * 12 + 4)
        for (index, entry) in entries.enumerated() {
            guard block.count < blockLimit else { break }
            var record = Array(file[entry.at..<entry.at + 12])
            let place = block.count
            if depth == 0, entry.tag == exifPointer || entry.tag == gpsPointer {
                guard append(entry.value, of: file, isBig, depth: 1, to: &block) else { continue }
                record.replaceSubrange(8..<12, with: bytes(place, 4, isBig))
            } else if entry.length > 4 {
                block += file[entry.value..<entry.value + entry.length]
                record.replaceSubrange(8..<12, with: bytes(place, 4, isBig))
            }
            block.replaceSubrange(directory + 2 + index * 12..<directory + 14 + index * 12, with: record)
        }
        return true
    }

    private struct Entry {
        let at: Int
        let tag: Int
        /// Bytes.
        let length: Int
        /// The offset of the value, if it is longer than four bytes.
        let value: Int
    }

    /// The entries whose values lie within the file and are short.
    private static func entries(
        at start: Int, of file: UnsafeBufferPointer<UInt8>, _ isBig: Bool, limit: Int = valueLimit
    ) -> [Entry] {
        // The 13th is a pointer to a directory (TIFF Technical Note 1), which some programs also use for EXIF's.
        let widths = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8, 13: 4]
        let count = file.short(at: start, isBig)
        return (0..<count).compactMap { index in
            let at = start + 2 + index * 12
            guard at + 12 <= file.count, let width = widths[file.short(at: at + 2, isBig)] else { return nil }
            let length = width * file.number(at: at + 4, bigEndian: isBig)
            let value = file.number(at: at + 8, bigEndian: isBig)
            guard length <= limit, length <= 4 || value + length <= file.count else { return nil }
            return Entry(at: at, tag: file.short(at: at, isBig), length: length, value: value)
        }
    }

    private static func bytes(_ value: Int, _ width: Int, _ isBig: Bool) -> [UInt8] {
        let little = (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBig ? little.reversed() : little
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func short(at offset: Int, _ isBig: Bool) -> Int {
        let (first, second) = (Int(self[offset]), Int(self[offset + 1]))
        return isBig ? first << 8 | second : second << 8 | first
    }
}
