package import ProviderServer

/// Bytes that are identified as media.
package enum Reels {
    /// An MP4 of `size` bytes with valid boxes, whose content depends on `seed`.
    package static func movie(_ size: Int = 2_000, seed: UInt64 = 1) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        let start = box("ftyp", Array("isom".utf8) + [0, 0, 2, 0])
        let body = (0..<max(0, size - start.count - 8)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return start + box("mdat", body)
    }

    /// A movie of `size` bytes that is fast to make; `number` makes it unique.
    package static func plain(_ size: Int, number: Int) -> [UInt8] {
        let start = box("ftyp", Array("isom".utf8) + [0, 0, 2, 0]) + box("free", Array("\(number)".utf8))
        return start + box("mdat", [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size - start.count - 8))
    }

    /// One box of an MP4 (ISO/IEC 14496-12, section 4.2).
    package static func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let length = UInt32(body.count + 8)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + Array(name.utf8) + body
    }

    /// The same movie as a file of a simulated provider.
    package static func media(_ size: Int = 2_000, seed: UInt64 = 1, name: String = "video.mp4") -> MadeMedia {
        MadeMedia(name, "video/mp4", movie(size, seed: seed))
    }
}
