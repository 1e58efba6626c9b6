/// GIFs made byte by byte, with what encoders rarely write.
struct GIFFile {
    /// One picture in numbers of colours, row by row.
    struct Part {
        var x = 0
        var y = 0
        var width = 4
        var height = 4
        var numbers: [UInt8] = []
        var transparent: UInt8?
        var disposal: UInt8 = 0
        var isInterlaced = false
        /// Red, green and blue of two colours of its own.
        var colours: [UInt8] = []
    }

    var width = 4
    var height = 4
    var parts: [Part] = []

    /// Black, red, green and blue, and 252 more black ones.
    static let colours: [[UInt8]] = [[0, 0, 0], [255, 0, 0], [0, 255, 0], [0, 0, 255]]

    /// The whole file.
    var bytes: [UInt8] {
        let palette = Self.colours.joined() + [UInt8](repeating: 0, count: 252 * 3)
        let header = Array("GIF89a".utf8) + Self.number(width) + Self.number(height) + [0xF7, 0, 0] + palette
        return header + parts.flatMap(Self.block) + [0x3B]
    }

    /// A number of two bytes, the lower one first.
    static func number(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }

    private static func block(_ part: Part) -> [UInt8] {
        let control = [0x21, 0xF9, 4, part.disposal << 2 | (part.transparent == nil ? 0 : 1), 0, 0]
        let place = number(part.x) + number(part.y) + number(part.width) + number(part.height)
        let flags: UInt8 = (part.colours.isEmpty ? 0 : 0x80) | (part.isInterlaced ? 0x40 : 0)
        return control + [part.transparent ?? 0, 0] + [0x2C] + place + [flags] + part.colours + packed(part.numbers)
    }

    /// Codes of nine bits, each for one pixel: the table is cleared before it makes them longer.
    private static func packed(_ numbers: [UInt8]) -> [UInt8] {
        let codes = numbers.enumerated().flatMap { $0.offset % 250 == 0 ? [256, Int($0.element)] : [Int($0.element)] }
        var (bytes, bits, count) = ([UInt8](), 0, 0)
        for code in codes + [257] {
            bits |= code << count
            count += 9
            while count >= 8 {
                bytes.append(UInt8(bits & 255))
                (bits, count) = (bits >> 8, count - 8)
            }
        }
        bytes.append(UInt8(bits))
        let blocks = stride(from: 0, to: bytes.count, by: 255).flatMap { at in
            [UInt8(min(255, bytes.count - at))] + bytes[at..<min(at + 255, bytes.count)]
        }
        return [8] + blocks + [0]
    }
}
