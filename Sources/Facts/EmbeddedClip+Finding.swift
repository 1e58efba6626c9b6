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
        var end = start
        for box in Boxes(file, in: start..<file.count) {
            let name = String(decoding: file[box.range].dropFirst(4).prefix(4), as: UTF8.self)
            // Behind the movie are others' bytes, so its last box must state where it ends.
            guard boxes.contains(name), box.header.length != nil else { break }
            seen.insert(name)
            end = box.range.upperBound
        }
        return seen.isSuperset(of: ["moov", "mdat"]) ? end - start : nil
    }
}
