import Facts

/// The size of a JPEG 2000, and in how many steps of two it is stored (ISO/IEC 15444-1, A.5.1 and A.6.1).
struct JPEG2000Header: ShrinkableHeader, Hashable {
    private(set) var width = 0
    private(set) var height = 0
    private(set) var mostHalvings = 0
    /// Whether it is a cinema's, whose colours are CIE XYZ.
    private(set) var isCinematic = false

    /// Reads the main header of the first codestream; `nil` if it lacks the size or the coding style.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        // The markers SOC and SIZ, before which a file may have boxes.
        guard let start = bytes.place(of: [0xFF, 0x4F, 0xFF, 0x51]) else { return nil }
        // With a palette nothing is halved, because the mean of two indices is no colour between the two.
        let boxes = UnsafeBufferPointer(rebasing: bytes[..<start])
        let hasPalette = boxes.place(of: Array("pclr".utf8)) != nil
        var offset = start + 2
        while offset + 14 <= bytes.count, bytes[offset] == 0xFF {
            switch bytes[offset + 1] {
            case 0x51:
                guard offset + 38 <= bytes.count else { return nil }
                width = bytes.number(at: offset + 6, bigEndian: true) - bytes.number(at: offset + 14, bigEndian: true)
                height = bytes.number(at: offset + 10, bigEndian: true) - bytes.number(at: offset + 18, bigEndian: true)
                guard width > 0, height > 0 else { return nil }
                // The profiles of 2K and 4K (A.5.1, Rsiz).
                isCinematic = bytes[offset + 4] == 0 && [3, 4].contains(bytes[offset + 5])
            case 0x52:
                mostHalvings = hasPalette ? 0 : Int(min(bytes[offset + 9], 5))
                guard width > 0 else { return nil }
                return
            case 0x90: return nil
            default: break
            }
            offset += 2 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])
        }
        return nil
    }
}
