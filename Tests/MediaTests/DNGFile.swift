/// The smallest camera original: an uncompressed sensor in DNG, with or without a preview (DNG 1.4).
struct DNGFile {
    var width = 64
    var height = 48
    /// The orientation as EXIF numbers it.
    var orientation = 1
    /// A JPEG of 64 by 48 pixels.
    var preview: [UInt8]?
    /// EXIF's moment of exposure, in a directory after all else; `yyyy:mm:dd hh:mm:ss`.
    var taken: String?

    private struct Entry {
        let tag: Int
        let type: Int
        let count: Int
        let value: [UInt8]

        init(_ tag: Int, shorts: [Int]) {
            (self.tag, type, count) = (tag, 3, shorts.count)
            value = shorts.flatMap { DNGFile.number($0, 2) }
        }

        init(_ tag: Int, long: Int) {
            (self.tag, type, count, value) = (tag, 4, 1, DNGFile.number(long, 4))
        }

        init(_ tag: Int, bytes: [UInt8], type: Int = 1) {
            (self.tag, self.type, count, value) = (tag, type, bytes.count, bytes)
        }
    }

    var bytes: [UInt8] {
        // Sizes do not depend on the offsets, so a first round with zeros gives all positions.
        let first = Self.directory(zeroth(sensor: 0, picture: 0, next: 0, exif: 0), at: 8).count
        let sensorDirectory = preview == nil ? 0 : Self.directory(sensorEntries(0), at: 0).count
        let sensor = 8 + first + sensorDirectory
        let picture = sensor + 2 * width * height
        let exif = picture + (preview?.count ?? 0)
        let zeroth = zeroth(sensor: sensor, picture: picture, next: 8 + first, exif: exif)
        var bytes = Array("II".utf8) + [42, 0, 8, 0, 0, 0]
        bytes += Self.directory(zeroth, at: 8)
        if preview != nil { bytes += Self.directory(sensorEntries(sensor), at: 8 + first) }
        bytes += samples
        bytes += preview ?? []
        guard let taken else { return bytes }
        return bytes + Self.directory([Entry(0x9003, bytes: Array("\(taken)\0".utf8), type: 2)], at: exif)
    }

    /// Red, green, green, blue; reddish, and lighter to the right.
    private var samples: [UInt8] {
        var samples: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let isRed = x % 2 == 0 && y % 2 == 0
                samples += Self.number(isRed ? 8000 + x * 40_000 / width : 4000, 2)
            }
        }
        return samples
    }

    private func zeroth(sensor: Int, picture: Int, next: Int, exif: Int) -> [Entry] {
        var common = [
            Entry(271, bytes: Array("Gallery\0".utf8), type: 2), Entry(272, bytes: Array("Raw 1\0".utf8), type: 2),
            Entry(274, shorts: [orientation]), Entry(50706, bytes: [1, 4, 0, 0]),
        ]
        if taken != nil { common.append(Entry(0x8769, long: exif)) }
        guard let preview else { return common + sensorEntries(sensor) }
        let shown = [
            Entry(254, long: 1), Entry(256, long: 64), Entry(257, long: 48), Entry(258, shorts: [8, 8, 8]),
            Entry(259, shorts: [7]), Entry(262, shorts: [6]), Entry(273, long: picture), Entry(277, shorts: [3]),
            Entry(278, long: 48), Entry(279, long: preview.count), Entry(330, long: next),
        ]
        return common + shown
    }

    private func sensorEntries(_ offset: Int) -> [Entry] {
        [
            Entry(254, long: 0), Entry(256, long: width), Entry(257, long: height), Entry(258, shorts: [16]),
            Entry(259, shorts: [1]), Entry(262, shorts: [32803]), Entry(273, long: offset), Entry(277, shorts: [1]),
            Entry(278, long: height), Entry(279, long: 2 * width * height), Entry(33421, shorts: [2, 2]),
            Entry(33422, bytes: [0, 1, 1, 2]), Entry(50717, long: 65_535),
        ]
    }

    private static func directory(_ entries: [Entry], at start: Int) -> [UInt8] {
        var directory = number(entries.count, 2)
        var values: [UInt8] = []
        let valuesStart = start + 2 + entries.count * 12 + 4
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            directory += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
            if entry.value.count > 4 {
                directory += number(valuesStart + values.count, 4)
                values += entry.value + [UInt8](repeating: 0, count: entry.value.count % 2)
            } else {
                directory += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
            }
        }
        directory += number(0, 4)
        return directory + values
    }

    private static func number(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
