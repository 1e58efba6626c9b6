/// Uncompressed OpenEXR files for tests (OpenEXR file layout).
struct EXRFile {
    enum Kind: Int { case whole, half, float }

    struct Channel {
        let name: String
        var kind = Kind.half
        /// One sample for so many pixels, across and down.
        var step = 1
        /// The sample of a pixel of the plane.
        let sample: (_ x: Int, _ y: Int) -> Float
    }

    /// The first pixel and the size of the data, and of what is shown.
    var data: (x: Int, y: Int, width: Int, height: Int)
    var shown: (x: Int, y: Int, width: Int, height: Int)
    /// In the order of their names.
    var channels: [Channel]
    /// Pixels of a tile's sides.
    var tile: Int?
    /// Of red, green and blue, and white.
    var chromaticities: [Float]?
    /// The samples of a deep pixel, each with a value for each channel; then the channels' own samples do not count.
    var deep: ((_ x: Int, _ y: Int) -> [[Float]])?
    /// Bits behind the version: 2 for tiles, 8 for deep pixels.
    var flags: Int { deep != nil ? 8 : tile == nil ? 0 : 2 }

    init(width: Int, height: Int, channels: [Channel]) {
        (data, shown, self.channels) = ((0, 0, width, height), (0, 0, width, height), channels)
    }

    var bytes: [UInt8] {
        let chunks = chunks
        var offset = header.count + chunks.count * 8
        var offsets: [UInt8] = []
        for chunk in chunks {
            offsets += Self.number(offset, 8)
            offset += chunk.count
        }
        return header + offsets + chunks.joined()
    }

    var header: [UInt8] {
        var list: [UInt8] = []
        for channel in channels {
            list += Array(channel.name.utf8) + [0] + Self.number(channel.kind.rawValue, 4) + [0, 0, 0, 0]
            list += Self.number(channel.step, 4) + Self.number(channel.step, 4)
        }
        var bytes: [UInt8] = [0x76, 0x2F, 0x31, 0x01] + Self.number(2 | flags << 8, 4)
        bytes += Self.field("channels", "chlist", list + [0])
        if let chromaticities {
            bytes += Self.field(
                "chromaticities", "chromaticities", chromaticities.flatMap { Self.number(Int($0.bitPattern), 4) })
        }
        bytes += Self.field("compression", "compression", [0])
        bytes += Self.field("dataWindow", "box2i", Self.box(data))
        bytes += Self.field("displayWindow", "box2i", Self.box(shown))
        bytes += Self.field("lineOrder", "lineOrder", [0])
        bytes += Self.field("pixelAspectRatio", "float", Self.number(Int(Float(1).bitPattern), 4))
        bytes += Self.field("screenWindowCenter", "v2f", Self.number(0, 8))
        bytes += Self.field("screenWindowWidth", "float", Self.number(Int(Float(1).bitPattern), 4))
        if deep != nil {
            bytes += Self.field("type", "string", Array((tile == nil ? "deepscanline" : "deeptile").utf8))
            bytes += Self.field("name", "string", Array("deep".utf8)) + Self.field("version", "int", Self.number(1, 4))
            bytes += Self.field("chunkCount", "int", Self.number(chunkCount, 4))
        }
        if let tile { bytes += Self.field("tiles", "tiledesc", Self.number(tile, 4) + Self.number(tile, 4) + [0]) }
        return bytes + [0]
    }

    private var chunkCount: Int {
        guard let tile else { return data.height }
        return ((data.width - 1) / tile + 1) * ((data.height - 1) / tile + 1)
    }

    /// Rows, or tiles row by row, each behind where it lies and how long it is.
    private var chunks: [[UInt8]] {
        guard let tile else {
            return (data.y..<data.y + data.height).map { y in
                Self.number(y, 4) + sized(y..<y + 1, data.x..<data.x + data.width)
            }
        }
        let (across, down) = ((data.width - 1) / tile + 1, (data.height - 1) / tile + 1)
        return (0..<across * down).map { index in
            let (column, band) = (index % across, index / across)
            let rows = band * tile..<min(data.height, (band + 1) * tile)
            let columns = data.x + column * tile..<data.x + min(data.width, (column + 1) * tile)
            return Self.number(column, 4) + Self.number(band, 4) + Self.number(0, 8)
                + sized(data.y + rows.lowerBound..<data.y + rows.upperBound, columns)
        }
    }

    /// The pixels of a chunk behind their size; if they are deep, behind three sizes and how many samples each has.
    private func sized(_ rows: Range<Int>, _ columns: Range<Int>) -> [UInt8] {
        guard let deep else {
            let pixels = rows.flatMap { row($0, columns) }
            return Self.number(pixels.count, 4) + pixels
        }
        var (table, pixels): ([UInt8], [UInt8]) = ([], [])
        for y in rows {
            let row = columns.map { deep($0, y) }
            var sum = 0
            for samples in row {
                sum += samples.count
                table += Self.number(sum, 4)
            }
            for (at, channel) in channels.enumerated() {
                pixels += row.joined().flatMap { Self.bytes(of: $0[at], channel.kind) }
            }
        }
        return [table, pixels, pixels].flatMap { Self.number($0.count, 8) } + table + pixels
    }

    private func row(_ y: Int, _ columns: Range<Int>) -> [UInt8] {
        channels.flatMap { channel -> [UInt8] in
            guard y % channel.step == 0 else { return [] }
            return stride(from: columns.lowerBound, to: columns.upperBound, by: channel.step).flatMap { x in
                Self.bytes(of: channel.sample(x, y), channel.kind)
            }
        }
    }

    private static func bytes(of value: Float, _ kind: Kind) -> [UInt8] {
        switch kind {
        case .whole: number(Int(value), 4)
        case .half: number(Int(Float16(value).bitPattern), 2)
        case .float: number(Int(value.bitPattern), 4)
        }
    }

    private static func field(_ name: String, _ type: String, _ value: [UInt8]) -> [UInt8] {
        Array(name.utf8) + [0] + Array(type.utf8) + [0] + number(value.count, 4) + value
    }

    private static func box(_ window: (x: Int, y: Int, width: Int, height: Int)) -> [UInt8] {
        let (x, y) = (window.x + window.width - 1, window.y + window.height - 1)
        return [window.x, window.y, x, y].flatMap { number($0, 4) }
    }

    private static func number(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
