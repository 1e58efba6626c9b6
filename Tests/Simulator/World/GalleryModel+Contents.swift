import Simulation

/// What files hold.
extension GalleryModel {
    /// The kind of its content: JPEG, PNG, MP4, JPEG with another extension, `sidecar` or `movie`.
    static func format(_ number: Int) -> Int { oddFormat(number % numbers) ?? number % numbers % 4 }

    /// Content that looks like media by its first bytes, or none if the name says media.
    static func content(_ number: Int, _ content: UInt64, size: Int) -> [UInt8] {
        guard size > 0 || !canBeEmpty(number) else { return [] }
        return switch format(number) {
        case 1: filled([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], content, size)
        case 2: filled([0, 0, 0, 0x18] + Array("ftypmp42\0\0\0\0mp42isom".utf8), content, size)
        case sidecar: notes(content)
        case movie: filled([0, 0, 0, 0x14] + Array("ftypqt  \0\0\0\0qt  ".utf8), content, size)
        default: photo(content, size: size)
        }
    }

    /// Content that looks like a JPEG.
    static func photo(_ content: UInt64, size: Int) -> [UInt8] {
        filled([0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8), content, size)
    }

    private static func filled(_ head: [UInt8], _ content: UInt64, _ size: Int) -> [UInt8] {
        // Equal contents have equal sizes, so that files are often equal.
        var random = SplitMix(seed: content)
        let count = max(head.count, size / 1_000_000 > 0 ? size : 64 + Int(random.next() % 20_000))
        var bytes = head
        // The pattern's length is prime, so that no two pieces of a file are equal.
        let pattern = (0..<min(count - head.count, 4_093)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        while bytes.count < count { bytes += pattern.prefix(count - bytes.count) }
        return bytes
    }
}
