/// One of a GIF's pictures: where it lies on the canvas, its colours, and where its codes begin (GIF89a, 20 to 23).
struct GIFPart {
    /// Pixels, from the left and the top of the canvas.
    let (x, y): (Int, Int)
    /// Pixels, at least one each way.
    let (width, height): (Int, Int)
    /// Red, green and blue of each colour, lowest byte first, and 255 as alpha; those that do not exist are black.
    let colours: [UInt32]
    /// The number of the colour that stands for what lies below.
    let transparent: UInt8?
    /// What becomes of it before the next picture.
    let disposal: Disposal
    /// The place of the least length of a code.
    let start: Int
    private let isInterlaced: Bool

    /// What becomes of a picture before the next one is painted.
    enum Disposal: UInt8 {
        case keep = 1
        /// Its place becomes transparent.
        case clear = 2
        /// Its place becomes what it was before.
        case restore = 3
    }

    /// The rounds in which an interlaced picture has its rows: the first one and the distance (GIF89a, appendix E).
    private static let rounds = [(0, 8), (4, 8), (2, 4), (1, 2)]

    /// The next picture; `nil` if there is none.
    ///
    /// - Parameter bytes: The file, or its start.
    /// - Parameter place: Where the previous picture ends, or else where the header does.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, from place: Int) {
        func number(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
        var (at, transparent, disposal) = (place, UInt8?.none, Disposal?.none)
        while at + 9 < bytes.count, bytes[at] == 0x21 {
            if bytes[at + 1] == 0xF9 {
                transparent = bytes[at + 3] & 1 == 1 ? bytes[at + 6] : nil
                disposal = Disposal(rawValue: bytes[at + 3] >> 2 & 7)
            }
            at = Self.end(ofBlocks: at + 2, in: bytes)
        }
        guard at + 10 < bytes.count, bytes[at] == 0x2C else { return nil }
        let own = at + 10..<at + 10 + Self.length(ofColours: bytes[at + 9])
        (x, y, width, height) = (number(at + 1), number(at + 3), number(at + 5), number(at + 7))
        let palette = own.isEmpty ? 13..<Self.start(in: bytes) : own
        guard own.upperBound < bytes.count, palette.upperBound <= bytes.count, width > 0, height > 0 else { return nil }
        start = own.upperBound
        colours = palette.isEmpty ? Self.greys(ofBits: Int(bytes[start])) : Self.colours(bytes[palette])
        (self.transparent, self.disposal, isInterlaced) = (transparent, disposal ?? .keep, bytes[at + 9] & 0x40 != 0)
    }

    /// The place behind the header and the colours for all pictures; behind the file if that is too short.
    static func start(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        bytes.count > 13 ? 13 + length(ofColours: bytes[10]) : bytes.count
    }

    /// The place behind this picture.
    func end(in bytes: UnsafeBufferPointer<UInt8>) -> Int { Self.end(ofBlocks: start + 1, in: bytes) }

    /// Whether the least length of its codes is one that there is.
    func hasCodes(in bytes: UnsafeBufferPointer<UInt8>) -> Bool { GIFCodes.lengths.contains(bytes[start]) }

    /// The rows from the top in the order in which the file has them; `nil` if that is the same.
    var order: [Int]? {
        guard isInterlaced else { return nil }
        return Self.rounds.flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
    }

    /// The place behind a chain of blocks of at most 255 bytes.
    static func end(ofBlocks start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var at = start
        while at < bytes.count, bytes[at] > 0 { at += 1 + Int(bytes[at]) }
        return at + 1
    }

    /// Bytes of the colours that a picture, or all of them, have by these flags.
    static func length(ofColours flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    private static func colours(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt32] {
        let numbers = stride(from: bytes.startIndex, to: bytes.endIndex, by: 3).map {
            UInt32(bytes[$0]) | UInt32(bytes[$0 + 1]) << 8 | UInt32(bytes[$0 + 2]) << 16 | 255 << 24
        }
        return numbers + [UInt32](repeating: 255 << 24, count: 256 - numbers.count)
    }

    /// Greys for a file without colours, whose first two must be black and white (section 18), as two greys are.
    private static func greys(ofBits bits: Int) -> [UInt32] {
        let most = UInt32(1) << UInt32(min(max(bits, 1), 8)) - 1
        return (0...UInt32(255)).map { 255 << 24 | ($0 <= most ? $0 * 255 / most : 0) * 0x01_0101 }
    }
}
