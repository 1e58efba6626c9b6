/// What the blocks of a GIF say about all of its pictures (GIF89a, sections 20 to 27).
package struct GIFBlocks {
    /// How many pictures there are.
    package private(set) var pictures = 0
    /// Whether a picture is shown for a time, or all are shown again and again.
    package private(set) var isAnimation = false
    /// Whether the file states no other shape of its pixels (GIF89a, section 18: 49 stands for a square).
    package private(set) var hasSquarePixels = false
    /// Whether the bytes hold the last block.
    package private(set) var isWhole = false

    /// Whether several pictures make up a single one, because no time passes between them: at the end all are seen.
    ///
    /// Programs have stored stripes that way, and more colours than fit in one palette.
    package var areOnePicture: Bool { pictures > 1 && !isAnimation }

    /// Reads the blocks up to the last one, or to the end of `bytes`.
    ///
    /// - Parameter bytes: The file, or its start.
    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count > 13, bytes.starts(with: Array("GIF8".utf8)) else { return }
        hasSquarePixels = [0, 49].contains(bytes[12])
        var at = GIFPart.start(in: bytes)
        while at < bytes.count {
            switch bytes[at] {
            case 0x21:
                guard at + 7 < bytes.count else { return }
                if bytes[at + 1] == 0xF9, bytes[at + 4] | bytes[at + 5] != 0 { isAnimation = true }
                // An application extension is used only for repetition, profiles and XMP.
                if bytes[at + 1] == 0xFF, Self.repeats(bytes[(at + 3)...]) { isAnimation = true }
                at = GIFPart.end(ofBlocks: at + 2, in: bytes)
            case 0x2C:
                guard at + 9 < bytes.count else { return }
                pictures += 1
                // After the colours comes one byte, the least length of a code.
                let start = at + 11 + GIFPart.length(ofColours: bytes[at + 9])
                at = GIFPart.end(ofBlocks: start, in: bytes)
            default:
                isWhole = true
                return
            }
        }
    }

    private static func repeats(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        ["NETSCAPE2.0", "ANIMEXTS1.0"].contains { name.starts(with: $0.utf8) }
    }
}
