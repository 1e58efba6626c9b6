import Media
import MediaMaking
import MediaModel
import Platform

extension FuzzTarget {
    static let pictures =
        [
            // What a camera, an editor and a printer write into a picture.
            FuzzTarget("exif", seeds: { [ExifSegment().tiff] }, read: { examined(jpeg(1, "Exif\0\0", $0), as: .jpeg) }),
            FuzzTarget(
                "xmp", seeds: { [xmp] }, read: { examined(jpeg(1, "http://ns.adobe.com/xap/1.0/\0", $0), as: .jpeg) }),
            FuzzTarget("iptc", seeds: { [iptc] }, read: { examined(jpeg(13, "Photoshop 3.0\0", $0), as: .jpeg) }),
            FuzzTarget("icc", seeds: { [icc] }, read: { examined(jpeg(2, "ICC_PROFILE\0\u{1}\u{1}", $0), as: .jpeg) }),
        ]
        + [("jpeg", MediaType.jpeg), ("png", .png), ("tiff", .tiff), ("bmp", .bmp), ("webp", .webp)].map { name, type in
            FuzzTarget(name, seeds: { try [made(name)] }, read: { examined($0, as: type) })
        }
        + [
            FuzzTarget("jxl", seeds: { try [jxl()] }, read: { examined($0, as: .jxl) }),
            FuzzTarget("mp4", seeds: { try [made("mp4")] }, read: { examined($0, as: .mp4) }),
        ]

    private static let xmp = Array(
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:Description exif:DateTimeOriginal=\"2026-06-20T10:00\" GCamera:MicroVideo=\"1\"/>"
            .utf8)
    private static let iptc = Array("8BIM\u{4}\u{4}\0\0\0\0\0\u{10}\u{1C}\u{2}7\0\u{8}20260620\u{1C}\u{2}<\0\u{B}".utf8)
    /// A head of 128 bytes and an empty table (ICC.1:2010, 7.2).
    private static let icc =
        [0, 0, 0, 132] + Array("lcms\u{4}0\0\0mntrRGB XYZ ".utf8) + [UInt8](repeating: 0, count: 108)

    private static let plain: [UInt8] = (try? made("jpeg")) ?? []

    private static func made(_ format: String) throws -> [UInt8] {
        let order = try MakeOrder(["/", "--only", format, "--size", "16x16"])
        return try order.files.first?.encoded() ?? []
    }

    /// A JPEG XL that is large enough to have sections, of which a thumbnail needs few, and smooth enough to be short.
    private static func jxl() throws -> [UInt8] {
        let scene = Scene(seed: 1, width: 300, height: 260, hasGrain: false)
        return try PictureWriter.encode(scene.bitmap(), as: .jxl)
    }

    /// A picture of a few pixels with this segment before all others.
    private static func jpeg(_ number: UInt8, _ name: String, _ content: [UInt8]) -> [UInt8] {
        let payload = Array(name.utf8) + content.prefix(65_000)
        let length = payload.count + 2
        return [0xFF, 0xD8, 0xFF, 0xE0 + number, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
            + plain.dropFirst(2)
    }

    private static func examined(_ bytes: [UInt8], as type: MediaType) -> String? {
        guard let file = try? OpenFile.inMemory(holding: bytes) else { return nil }
        let limits = MediaLimits(maxPixels: 1 << 20, probeBytes: 1 << 20, posterSeconds: 1)
        let job = MediaJob(type: type, specs: [ThumbnailSpec(longSide: 8)], limits: limits)
        let answer = Examiner.examine(file.descriptor, job)
        guard let message = try? answer.encoded() else { return "the answer cannot be sent" }
        return unless((try? MediaAnswer(message: message)) == answer, "the answer is read as another one")
    }
}
