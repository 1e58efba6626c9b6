import Facts
import MediaModel

/// The rows that a file lacks because it ends too early, for formats whose FFmpeg decoder silently leaves them blank.
struct MissingRows {
    private let there: Int
    private let height: Int

    var words: String { "\(there) of \(height) rows are there" }

    /// `nil` if none is missing, and for formats whose decoders report missing rows.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, _ type: MediaType) {
        switch type {
        case .qoi: self.init(ofQOI: bytes)
        case .sunRaster: self.init(ofSunRaster: bytes)
        default: return nil
        }
    }

    private init?(there: Int, of height: Int) {
        guard there < height else { return nil }
        (self.there, self.height) = (max(0, there), height)
    }

    /// The Quite OK Image Format, "Data chunks": each chunk is a pixel, unless it is a run of them.
    private init?(ofQOI bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count > 14 else { return nil }
        let width = bytes.number(at: 4, bigEndian: true), height = bytes.number(at: 8, bigEndian: true)
        guard width > 0, height > 0, width <= Int.max / height else { return nil }
        var (at, pixels) = (14, 0)
        while pixels < width * height, at < bytes.count {
            let chunk = bytes[at]
            let length = chunk == 0xFE ? 4 : chunk == 0xFF ? 5 : chunk >> 6 == 2 ? 2 : 1
            guard at + length <= bytes.count else { break }
            at += length
            pixels += chunk >> 6 == 3 && chunk < 0xFE ? Int(chunk & 63) + 1 : 1
        }
        self.init(there: pixels / width, of: height)
    }

    /// Rasterfile(5): eight numbers, a map of colours, and rows padded to two bytes, which type 2 packs.
    private init?(ofSunRaster bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count >= 32 else { return nil }
        func number(_ index: Int) -> Int { bytes.number(at: index * 4, bigEndian: true) }
        let (width, height, depth, length) = (number(1), number(2), number(3), number(4))
        let count = max(0, bytes.count - 32 - number(7))
        guard depth <= 32 else { return nil }
        let row = (width * depth + 15) / 16 * 2
        guard row > 0, height > 0 else { return nil }
        if number(5) == 2 {
            // An estimate by the packed bytes, because counting the rows would mean unpacking them.
            self.init(there: length > count ? count * height / length : height, of: height)
        } else {
            self.init(there: count / row, of: height)
        }
    }
}
