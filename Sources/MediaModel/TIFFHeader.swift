/// Tells a camera original from a plain TIFF by the header and a few tags of the first directory.
struct TIFFHeader {
    /// The type; `.tiff` where the header shows nothing more specific.
    let type: MediaType

    /// `nil` when the bytes are not a TIFF of any kind.
    init?(_ header: HeaderBytes) {
        guard header.has("II") || header.has("MM") else { return nil }
        let littleEndian = header.has("II")
        let magic = [header[2], header[3]].compactMap { $0 }
        let version = littleEndian ? magic.reversed() : magic
        switch version {
        case [0, 42]:
            type = Self.variant(of: header, littleEndian: littleEndian)
        case [0, 43]:
            // BigTIFF: an offset size of 8, then 0.
            guard header.number(at: 4, width: 2, littleEndian: littleEndian) == 8 else { return nil }
            type = .tiff
        case [0, 0x55] where littleEndian:
            type = .rw2
        case Array("OR".utf8), Array("SR".utf8):
            // "IIRO", "MMOR" and "IIRS".
            type = .orf
        default:
            return nil
        }
    }

    private static func variant(of header: HeaderBytes, littleEndian: Bool) -> MediaType {
        if header.has([0x43, 0x52, 2], at: 8) { return .cr2 }
        let directory = firstDirectory(of: header, littleEndian: littleEndian)
        if directory[dngVersion] != nil { return .dng }
        // The maker proves nothing, because exported TIFFs keep it. A camera original's first directory is a preview.
        guard directory[newSubfileType]?.value == 1 || directory[subIFDs] != nil else { return .tiff }
        guard let maker = directory[make] else { return .tiff }
        let name = header.text(at: maker.value, count: maker.count).uppercased()
        return makers.first { name.hasPrefix($0.name) }?.type ?? .tiff
    }

    private static let makers: [(name: String, type: MediaType)] = [
        ("NIKON", .nef), ("SONY", .arw), ("PENTAX", .pef), ("RICOH", .pef), ("SAMSUNG", .srw),
    ]

    // TIFF 6.0, 8 (tags); TIFF/EP for SubIFDs; DNG 1.7 for DNGVersion.
    private static let newSubfileType = 0xFE
    private static let make = 0x10F
    private static let subIFDs = 0x14A
    private static let dngVersion = 0xC612

    /// The count and the value (or its offset) of each tag that lies within the header.
    private static func firstDirectory(
        of header: HeaderBytes, littleEndian: Bool
    ) -> [Int: (count: Int, value: Int)] {
        guard let start = header.number(at: 4, width: 4, littleEndian: littleEndian),
            let entries = header.number(at: start, width: 2, littleEndian: littleEndian)
        else { return [:] }
        var tags: [Int: (count: Int, value: Int)] = [:]
        for index in 0..<entries {
            let entry = start + 2 + 12 * index
            guard let tag = header.number(at: entry, width: 2, littleEndian: littleEndian),
                let count = header.number(at: entry + 4, width: 4, littleEndian: littleEndian),
                let value = header.number(at: entry + 8, width: 4, littleEndian: littleEndian)
            else { break }
            tags[tag] = (count, value)
        }
        return tags
    }
}
