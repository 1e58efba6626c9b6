import CFFmpeg
import Frames

/// A document of Photoshop (PSD), or a large one (PSB), which has longer lengths.
///
/// Adobe Photoshop File Formats Specification: file header, image resources, layer and mask information, image data.
struct PhotoshopDocument {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// Where the sections begin: image resources, layers and masks, the merged picture.
    private let (resources, layers, picture): (Int, Int, Int)
    private let isLarge: Bool
    private let (channels, height, mode): (Int, Int, Int)

    /// `nil` where the bytes are no such document, or cut short.
    ///
    /// - Parameter bytes: The file, which must outlive this value.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count > 26, bytes.starts(with: Array("8BPS".utf8) + [0]),
            let colours = Self.number(bytes, at: 26, 4),
            let length = Self.number(bytes, at: 30 + colours, 4)
        else { return nil }
        resources = 34 + colours
        (self.bytes, isLarge, layers) = (bytes, bytes[5] == 2, resources + length)
        guard let skipped = Self.number(bytes, at: layers, isLarge ? 8 : 4),
            let channels = Self.number(bytes, at: 12, 2),
            let height = Self.number(bytes, at: 14, 4), let mode = Self.number(bytes, at: 24, 2)
        else { return nil }
        picture = layers + (isLarge ? 8 : 4) + skipped
        (self.channels, self.height, self.mode) = (channels, height, mode)
    }

    /// The merged picture as a PSD without layers and without channels that are not seen; `nil` where the document has
    /// nothing that FFmpeg's decoder misreads.
    func plain() throws(FFmpegError) -> Packet? {
        let colours = [0: 1, 1: 1, 2: 1, 3: 3, 4: 4, 8: 1][mode] ?? channels
        let seen = min(channels, channels > colours && hasTransparency ? colours + 1 : colours)
        guard isLarge || seen < channels, let coding = number(at: picture, 2) else { return nil }
        var rest = picture + 2
        var plain = Array(bytes[..<4]) + [0, 1] + bytes[6..<12] + [UInt8(seen >> 8), UInt8(truncatingIfNeeded: seen)]
        plain += bytes[14..<layers] + [0, 0, 0, 0] + bytes[picture..<rest]
        plain.reserveCapacity(plain.count + bytes.count - rest)
        if coding == 1 {
            // The packed length of each row.
            let width = isLarge ? 4 : 2
            for row in 0..<channels * height {
                guard let length = number(at: rest, width), length <= UInt16.max else { return nil }
                if row < seen * height { plain += [UInt8(length >> 8), UInt8(truncatingIfNeeded: length)] }
                rest += width
            }
        }
        return try Packet.copy(of: plain + bytes[rest...])
    }

    /// The image resource of that number, such as EXIF; `nil` where there is none.
    func resource(_ number: Int) -> [UInt8]? {
        // A mark of four bytes, the number, a name with its length in one byte, the length, the content; both padded.
        var place = resources
        while place < layers, let kind = self.number(at: place + 4, 2), let name = self.number(at: place + 6, 1) {
            let start = place + 6 + (name + 2) / 2 * 2 + 4
            guard let length = self.number(at: start - 4, 4), start + length <= layers, layers <= bytes.count else {
                return nil
            }
            if kind == number { return Array(bytes[start..<start + length]) }
            place = start + (length + 1) / 2 * 2
        }
        return nil
    }

    /// Whether the first channel after the colours is the transparency of the merged picture.
    ///
    /// The count of layers is negative then; a document of more than eight bits has an empty block instead.
    private var hasTransparency: Bool {
        let width = isLarge ? 8 : 4
        guard picture >= layers + 2 * width + 2, let length = number(at: layers + width, width) else { return false }
        if length > 0 { return number(at: layers + 2 * width, 2).map { $0 >= 1 << 15 } ?? false }
        guard picture <= bytes.count else { return false }
        let section = UnsafeBufferPointer(rebasing: bytes[layers..<picture])
        return ["Mtrn", "Mt16", "Mt32"].contains { section.place(of: Array("8BIM\($0)".utf8)) != nil }
    }

    private func number(at place: Int, _ width: Int) -> Int? { Self.number(bytes, at: place, width) }

    /// A whole number, the highest byte first, that is no larger than the file has bytes or fits two of them.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ width: Int) -> Int? {
        guard place <= bytes.count - width else { return nil }
        let value = bytes[place..<place + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return value <= UInt64(bytes.count) || width == 2 ? Int(value) : nil
    }
}
