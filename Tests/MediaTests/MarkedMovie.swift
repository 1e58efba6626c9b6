/// Boxes put into finished movies whose index is their last box (ISO/IEC 14496-12, 8.2).
enum MarkedMovie {
    /// QuickTime's metadata with one key (QuickTime File Format, "Metadata").
    static func quickTime(_ movie: [UInt8], key: String, _ value: String) -> [UInt8] {
        let none = number(0, 4)
        let handler = box("hdlr", none + none + Array("mdta".utf8) + none + none + none + [0])
        let names = box("keys", none + number(1, 4) + box("mdta", Array(key.utf8)))
        let data = box("data", number(1, 4) + none + Array(value.utf8))
        let values = box("ilst", number(8 + data.count, 4) + number(1, 4) + data)
        return appending(box("meta", handler + names + values), to: movie)
    }

    /// The version of a GoPro's firmware, in user data.
    static func firmware(_ movie: [UInt8], _ text: String) -> [UInt8] { user(movie, "FIRM", Array(text.utf8)) }

    /// A box in user data.
    static func user(_ movie: [UInt8], _ name: String, _ content: [UInt8]) -> [UInt8] {
        appending(box("udta", box(name, content)), to: movie)
    }

    /// QuickTime's date of the content, in the text of user data (QuickTime File Format, "User Data Text Strings").
    static func day(_ movie: [UInt8], _ text: String) -> [UInt8] {
        let content = number(text.utf8.count, 2) + number(0, 2) + Array(text.utf8)
        let day = number(content.count + 8, 4) + [0xA9] + Array("day".utf8) + content
        return appending(box("udta", day), to: movie)
    }

    /// A Matroska file with the moment of its making in a tag, in place of bytes that only fill it (RFC 9559, 5.1.8).
    static func matroska(_ movie: [UInt8], madeAt text: String) -> [UInt8]? {
        func element(_ name: [UInt8], _ content: [UInt8]) -> [UInt8] { name + [0x80 | UInt8(content.count)] + content }
        let tag = element([0x45, 0xA3], Array("CREATION_TIME".utf8)) + element([0x44, 0x87], Array(text.utf8))
        let targets = element([0x63, 0xC0], [])
        let tags = element(
            [0x12, 0x54, 0xC3, 0x67], element([0x73, 0x73], targets + element([0x67, 0xC8], tag)))
        let filling: [UInt8] = [0xEC, 1, 0, 0, 0, 0, 0, 0]
        guard let start = movie.indices.dropLast(8).first(where: { movie[$0..<$0 + 8].elementsEqual(filling) }) else {
            return nil
        }
        let rest = Int(movie[start + 8]) - tags.count
        guard rest >= 0 else { return nil }
        let marked = tags + filling + [UInt8(rest)]
        return Array(movie[..<start]) + marked + movie[(start + marked.count)...]
    }

    /// Chapters by their starts in seconds, as Nero and FFmpeg write them.
    static func chapters(_ movie: [UInt8], _ chapters: [(start: Double, title: String)]) -> [UInt8] {
        let list = chapters.flatMap { chapter in
            number(Int(chapter.start * 10_000_000), 8) + [UInt8(chapter.title.utf8.count)] + Array(chapter.title.utf8)
        }
        let version: [UInt8] = [1, 0, 0, 0] + number(0, 4) + [UInt8(chapters.count)]
        return appending(box("udta", box("chpl", version + list)), to: movie)
    }

    /// A movie whose sound has become a GoPro's telemetry with this time of the satellites.
    static func telemetry(_ movie: [UInt8], _ text: String) -> [UInt8]? {
        var bytes = movie
        func place(of name: String, from start: Int = 0) -> Int? {
            (start..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual(name.utf8) }
        }
        guard let handler = place(of: "soun"), let coding = place(of: "mp4a", from: handler),
            let chunks = place(of: "stco", from: coding)
        else { return nil }
        bytes.replaceSubrange(handler..<handler + 4, with: Array("meta".utf8))
        bytes.replaceSubrange(coding..<coding + 4, with: Array("gpmd".utf8))
        let record = Array("GPSUU".utf8) + [16, 0, 1] + Array(text.utf8)
        // In each chunk, because the list of edits leaves out the first packet of sound.
        for chunk in 0..<number(at: chunks + 8, of: movie) {
            let start = number(at: chunks + 12 + chunk * 4, of: movie) + 40
            bytes.replaceSubrange(start..<start + record.count, with: record)
        }
        return bytes
    }

    /// A length in seconds that no movie has, and tracks whose clocks are as fast as they can be.
    static func endless(_ movie: [UInt8], seconds: Int) -> [UInt8] {
        var bytes = movie
        func places(of name: String) -> [Int] {
            bytes.indices.dropLast(4).filter { bytes[$0..<$0 + 4].elementsEqual(name.utf8) }
        }
        for clock in places(of: "mdhd").map({ $0 + 16 }) {
            bytes.replaceSubrange(clock..<clock + 4, with: number(Int(Int32.max), 4))
        }
        guard let header = places(of: "mvhd").last.map({ $0 - 4 }),
            let index = places(of: "moov").last.map({ $0 - 4 })
        else { return bytes }
        let length = 108  // of a header of version 0
        let rest = bytes[header + 28..<header + length]
        let long = box("mvhd", [1, 0, 0, 0] + number(0, 16) + number(1, 4) + number(seconds, 8) + rest)
        bytes.replaceSubrange(header..<header + length, with: long)
        bytes.replaceSubrange(index..<index + 4, with: number(bytes.count - index, 4))
        return bytes
    }

    /// An AVI with the date of its camera in place of the first bytes that only fill it (RIFF's `IDIT`).
    static func avi(_ movie: [UInt8], takenAt text: String) -> [UInt8]? {
        let date = Array(text.utf8) + [10, 0]
        guard let start = (0..<movie.count - 8).first(where: { movie[$0..<$0 + 4].elementsEqual("JUNK".utf8) }) else {
            return nil
        }
        let room = (0..<4).reduce(0) { $0 | Int(movie[start + 4 + $1]) << (8 * $1) }
        guard room >= date.count + 8 else { return nil }
        func little(_ value: Int) -> [UInt8] { number(value, 4).reversed() }
        let rest = room - date.count - 8
        let marked = Array("IDIT".utf8) + little(date.count) + date + Array("JUNK".utf8) + little(rest)
        return Array(movie[..<start]) + marked + movie[(start + marked.count)...]
    }

    /// A movie whose tracks state that their lengths are not known, by a number of ones (ISO/IEC 14496-12, 8.4.2.3).
    static func ofUnknownLength(_ movie: [UInt8]) -> [UInt8] {
        var bytes = movie
        for place in bytes.indices.dropLast(24) where bytes[place..<place + 4].elementsEqual("mdhd".utf8) {
            bytes.replaceSubrange(place + 20..<place + 24, with: [255, 255, 255, 255])
        }
        return bytes
    }

    private static func appending(_ part: [UInt8], to movie: [UInt8]) -> [UInt8] {
        var (bytes, start) = (movie, 0)
        while start + number(at: start, of: movie) < movie.count { start += number(at: start, of: movie) }
        bytes.replaceSubrange(start..<start + 4, with: number(number(at: start, of: movie) + part.count, 4))
        return bytes + part
    }

    private static func number(at start: Int, of movie: [UInt8]) -> Int {
        movie[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A box with this content.
    static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8, 4) + Array(name.utf8) + content
    }

    private static func number(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
