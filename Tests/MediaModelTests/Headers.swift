/// First bytes of synthetic files.
enum Headers {
    /// A file type box with this major brand and these compatible ones.
    static func ftyp(_ major: String, _ compatible: String...) -> [UInt8] {
        let size = UInt8(16 + 4 * compatible.count)
        return [0, 0, 0, size] + Array("ftyp\(major)".utf8) + [0, 0, 2, 0] + compatible.flatMap { Array($0.utf8) }
            + [0, 0, 0, 8] + Array("free".utf8)
    }

    /// A transport stream of five packets, `stride` bytes apart.
    static func packets(_ stride: Int, count: Int = 5) -> [UInt8] {
        (0..<stride * count).map { $0 % stride == (stride == 192 ? 4 : 0) ? 0x47 : 0x11 }
    }

    /// A TIFF whose first directory holds `tag` and the fields of a camera's preview directory.
    static func tiff(tag: Int? = nil, subfileType: Int = 0, maker: String = "", bigEndian: Bool = false) -> [UInt8] {
        var entries: [(tag: Int, type: Int, count: Int, value: Int)] = [(0xFE, 4, 1, subfileType)]
        let makerOffset = 8 + 2 + 12 * 3 + 4
        if !maker.isEmpty { entries.append((0x10F, 2, maker.utf8.count + 1, makerOffset)) }
        if let tag { entries.append((tag, 1, 4, 1)) }
        func bytes(_ value: Int, _ width: Int) -> [UInt8] {
            let little = (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return bigEndian ? little.reversed() : little
        }
        var header = Array((bigEndian ? "MM" : "II").utf8) + bytes(42, 2) + bytes(8, 4) + bytes(entries.count, 2)
        for entry in entries {
            header += bytes(entry.tag, 2) + bytes(entry.type, 2) + bytes(entry.count, 4) + bytes(entry.value, 4)
        }
        header += Array(repeating: 0, count: makerOffset - header.count)
        return header + Array(maker.utf8) + [0]
    }
}
