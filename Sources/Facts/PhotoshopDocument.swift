/// A document of Photoshop (PSD), or a large one (PSB), which has longer lengths.
///
/// Adobe Photoshop File Formats Specification: file header, image resources, layer and mask information, image data.
package struct PhotoshopDocument {
    /// The file.
    package let bytes: UnsafeBufferPointer<UInt8>
    /// Whether it is a PSB, in which lengths have twice as many bytes.
    package let isLarge: Bool
    /// How many channels the merged picture has.
    package let channels: Int
    /// Pixels.
    package let (width, height): (Int, Int)
    /// Bits of a sample: 1, 8, 16 or 32.
    package let depth: Int
    /// How the channels make colours: 0 bitmap, 1 grey, 2 palette, 3 RGB, 4 CMYK, 7 channels, 8 duotone, 9 Lab.
    package let mode: Int
    /// Where the merged picture begins.
    package let picture: Int
    /// Where the sections before it begin: image resources, layers and masks.
    private let (resources, layers): (Int, Int)

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
            let channels = Self.number(bytes, at: 12, 2), let height = Self.number(bytes, at: 14, 4, isLength: false),
            let width = Self.number(bytes, at: 18, 4, isLength: false), let depth = Self.number(bytes, at: 22, 2),
            let mode = Self.number(bytes, at: 24, 2)
        else { return nil }
        picture = layers + (isLarge ? 8 : 4) + skipped
        (self.channels, self.width, self.height) = (channels, width, height)
        (self.depth, self.mode) = (depth, mode)
    }

    /// A colour of the palette, in one of three channels.
    package func colour(_ index: Int, _ channel: Int) -> UInt8 {
        let place = 30 + channel * 256 + index
        return place < resources - 4 ? bytes[place] : 0
    }

    /// The image resource of that number, such as EXIF; `nil` where there is none.
    package func resource(_ number: Int) -> UnsafeBufferPointer<UInt8>? {
        // A mark of four bytes, the number, a name with its length in one byte, the length, the content; both padded.
        var place = resources
        while place < layers, let kind = self.number(at: place + 4, 2), let name = self.number(at: place + 6, 1) {
            let start = place + 6 + (name + 2) / 2 * 2 + 4
            guard let length = self.number(at: start - 4, 4), start + length <= layers, layers <= bytes.count else {
                return nil
            }
            if kind == number { return UnsafeBufferPointer(rebasing: bytes[start..<start + length]) }
            place = start + (length + 1) / 2 * 2
        }
        return nil
    }

    /// Whether it was saved without the merged picture, which is then replaced by a message (image resource 1057).
    package var lacksPicture: Bool {
        resource(1057).map { $0.count > 4 && $0[$0.startIndex + 4] == 0 } ?? false
    }

    /// The JPEG of a preview of at most 160 pixels (image resource 1036, behind a header of 28 bytes).
    package var preview: UnsafeBufferPointer<UInt8>? {
        resource(1036).flatMap { $0.count > 28 ? UnsafeBufferPointer(rebasing: $0[28...]) : nil }
    }

    /// Whether the first channel after the colours is the transparency of the merged picture.
    ///
    /// The count of layers is negative if so; a document of more than eight bits has an empty block there instead.
    package var hasTransparency: Bool {
        let width = isLarge ? 8 : 4
        guard picture >= layers + 2 * width + 2, let length = number(at: layers + width, width) else { return false }
        if length > 0 { return number(at: layers + 2 * width, 2).map { $0 >= 1 << 15 } ?? false }
        guard picture <= bytes.count else { return false }
        let section = UnsafeBufferPointer(rebasing: bytes[layers..<picture])
        return ["Mtrn", "Mt16", "Mt32"].contains { section.place(of: Array("8BIM\($0)".utf8)) != nil }
    }

    /// A whole number, highest byte first; `nil` if it lies outside the file, or is larger than it (see below).
    package func number(at place: Int, _ width: Int) -> Int? { Self.number(bytes, at: place, width) }

    /// - Parameter isLength: Whether it must not exceed the file's size, unless it has only two bytes.
    private static func number(
        _ bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ width: Int, isLength: Bool = true
    ) -> Int? {
        guard place <= bytes.count - width else { return nil }
        let value = bytes[place..<place + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return value <= UInt64(bytes.count) || width == 2 || !isLength ? Int(value) : nil
    }
}
