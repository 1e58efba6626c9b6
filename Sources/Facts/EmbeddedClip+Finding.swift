import MediaModel

extension EmbeddedClip {
    /// The movie behind a motion photo's picture, found by its own boxes; `nil` if there is no complete one.
    ///
    /// What XMP states (Google's MicroVideoOffset, the lengths of a container's items) counts from an end that
    /// later programs move; the boxes (ISO/IEC 14496-12, 4.2) also tell where the movie ends.
    init?(in file: UnsafeBufferPointer<UInt8>) {
        let mark = Array("ftyp".utf8)
        // A HEIC begins with a file type box of its own.
        var from = 12
        while from < file.count, let found = UnsafeBufferPointer(rebasing: file[from...]).place(of: mark) {
            let start = from + found - 4
            if let length = Self.movieLength(at: start, in: file) {
                self.init(offset: start, length: length)
                return
            }
            from += found + mark.count
        }
        return nil
    }

    private static let boxes: Set<String> = ["ftyp", "moov", "mdat", "free", "skip", "wide", "udta", "uuid", "meta"]

    /// The size of a movie's boxes from `start` on; `nil` if its pictures or their index are missing.
    private static func movieLength(at start: Int, in file: UnsafeBufferPointer<UInt8>) -> Int? {
        var seen: Set<String> = []
        var offset = start
        while offset + 16 <= file.count {
            let name = String(decoding: file[offset + 4..<offset + 8], as: UTF8.self)
            var length = file.number(at: offset, bigEndian: true)
            if length == 1, file.number(at: offset + 8, bigEndian: true) == 0 {
                length = file.number(at: offset + 12, bigEndian: true)
            }
            guard boxes.contains(name), length >= 8, length <= file.count - offset else { break }
            seen.insert(name)
            offset += length
        }
        return seen.isSuperset(of: ["moov", "mdat"]) ? offset - start : nil
    }
}
