/// The head of a box, of which MP4, QuickTime, HEIF, JPEG 2000 and JPEG XL consist (ISO/IEC 14496-12, 4.2).
package struct BoxHeader: Hashable {
    /// Its four letters, the first in the highest byte.
    private let name: UInt32
    /// Bytes before its content.
    package let headLength: Int
    /// Bytes with its head; `nil` if it reaches to the end of what it lies in.
    package let length: Int?

    /// The most bytes of a head.
    package static let longest = 16

    /// Reads the head at the start of `bytes`; `nil` if it is cut short, or states a length that is below its own.
    package init?(_ bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(Self.longest))
        guard head.count >= 8 else { return nil }
        func number(_ part: Range<Int>) -> UInt64 { head[part].reduce(0) { $0 << 8 | UInt64($1) } }
        name = UInt32(number(4..<8))
        let stated = number(0..<4)
        headLength = stated == 1 ? 16 : 8
        guard head.count >= headLength else { return nil }
        // A length that is more than a number can hold is longer than any file.
        length = stated == 0 ? nil : Int(clamping: stated == 1 ? number(8..<16) : stated)
        if let length, length < headLength { return nil }
    }

    /// Whether it has this name of four letters.
    package func isNamed(_ letters: String) -> Bool {
        letters.utf8.reduce(0) { $0 << 8 | UInt32($1) } == name
    }

    /// Bytes with its head in a place that has `room` for so many; `nil` if it does not fit, or its head does not.
    package func length(within room: Int) -> Int? {
        let length = length ?? room
        return length >= headLength && length <= room ? length : nil
    }
}
