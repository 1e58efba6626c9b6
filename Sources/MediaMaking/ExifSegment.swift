import MediaModel

/// The few EXIF tags of a made-up photo, as the bytes of a JPEG's APP1 segment.
package struct ExifSegment: Hashable, Sendable {
    /// EXIF's `Orientation`, 1 to 8.
    package var orientation: Int
    /// EXIF's `Make`.
    var maker: String
    /// EXIF's `Model`.
    var model: String
    /// When the photo was taken, such as `2026:11:20 10:00:00`.
    var takenAt: String
    /// The time zone of `takenAt`, such as `+09:00`.
    var offset: String
    /// The maker's own block; empty for none.
    package var makerNote: [UInt8] = []

    /// A photo of a made-up camera in summer 2026, upright unless set otherwise.
    package init(
        orientation: Int = 1, maker: String = "Gallery", model: String = "Camera 1",
        takenAt: String = "2026:06:20 10:00:00", offset: String = "+09:00"
    ) {
        self.orientation = orientation
        self.maker = maker
        self.model = model
        self.takenAt = takenAt
        self.offset = offset
    }

    /// The JPEG with this segment right after its start; EXIF 2.32, 4.7.2.
    package func inserted(into jpeg: [UInt8]) -> [UInt8] {
        let payload = Array("Exif\0\0".utf8) + tiff
        let length = payload.count + 2
        return Array(jpeg[..<2]) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + payload + jpeg[2...]
    }

    /// A big-endian TIFF: directory 0 with the EXIF directory behind it.
    package var tiff: [UInt8] {
        let zeroth = [
            Entry(tag: 0x010F, text: maker), Entry(tag: 0x0110, text: model), Entry(tag: 0x0112, short: orientation),
        ]
        let exif =
            [Entry(tag: 0x9003, text: takenAt), Entry(tag: 0x9011, text: offset)]
            + (makerNote.isEmpty ? [] : [Entry(tag: 0x927C, bytes: makerNote)])
        // The size of directory 0 includes the pointer to the next, so a placeholder is counted first.
        let exifStart = 8 + Self.size(of: zeroth + [Entry(tag: 0x8769, long: 0)])
        let pointer = Entry(tag: 0x8769, long: exifStart)
        return Array("MM".utf8) + [0, 42, 0, 0, 0, 8] + Self.bytes(of: zeroth + [pointer], at: 8)
            + Self.bytes(of: exif, at: exifStart)
    }

    private struct Entry {
        let tag: Int
        let type: Int
        let count: Int
        let value: [UInt8]

        init(tag: Int, text: String) {
            (self.tag, type, value) = (tag, 2, Array(text.utf8) + [0])
            count = value.count
        }

        init(tag: Int, bytes: [UInt8]) {
            (self.tag, type, count, value) = (tag, 7, bytes.count, bytes)
        }

        init(tag: Int, short: Int) {
            (self.tag, type, count, value) = (tag, 3, 1, [0, UInt8(truncatingIfNeeded: short)])
        }

        init(tag: Int, long: Int) {
            (self.tag, type, count) = (tag, 4, 1)
            value = ExifSegment.bigEndian(long, 4)
        }
    }

    private static func size(of entries: [Entry]) -> Int {
        2 + entries.count * 12 + 4 + entries.reduce(0) { $0 + ($1.value.count > 4 ? $1.value.count : 0) }
    }

    private static func bytes(of entries: [Entry], at start: Int) -> [UInt8] {
        var directory = bigEndian(entries.count, 2)
        var values: [UInt8] = []
        let valuesStart = start + 2 + entries.count * 12 + 4
        for entry in entries {
            directory += bigEndian(entry.tag, 2) + bigEndian(entry.type, 2) + bigEndian(entry.count, 4)
            if entry.value.count > 4 {
                directory += bigEndian(valuesStart + values.count, 4)
                values += entry.value
            } else {
                directory += entry.value + Array(repeating: 0, count: 4 - entry.value.count)
            }
        }
        return directory + bigEndian(0, 4) + values
    }

    private static func bigEndian(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
    }
}
