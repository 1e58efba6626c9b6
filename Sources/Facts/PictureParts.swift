import CBrotli
package import MediaModel

/// The metadata blocks of a picture file, without the picture itself.
package struct PictureParts {
    /// A TIFF header with its directories.
    package var exif: [UInt8]?
    /// The XMP metadata (XML).
    package var xmp: [UInt8]?
    /// IPTC's records, with the surrounding bytes of the program that wrote them.
    package var iptc: [UInt8]?
    /// The document, if it is one of Photoshop; must not outlive the file.
    package private(set) var document: PhotoshopDocument?
    /// Whether a JPEG states a gain map as ISO 21496-1 does.
    private var hasISOGainMap = false

    /// Reads the container of `type`; both parts stay `nil` for other formats.
    package init(of bytes: UnsafeBufferPointer<UInt8>, type: MediaType) {
        switch type {
        case .jpeg: readJPEG(bytes)
        case .png: readPNG(bytes)
        case .webp: readWebP(bytes)
        case .tiff:
            exif = TIFFDirectories.gathered(from: bytes)
            xmp = TIFFDirectories.value(of: 700, in: bytes)
            iptc = TIFFDirectories.value(of: 33_723, in: bytes)
        case .jxl, .jp2: readBoxes(bytes)
        case .psd:
            document = PhotoshopDocument(bytes)
            exif = document?.resource(1058).map { Array($0) }
            xmp = document?.resource(1060).map { Array($0) }
        default: break
        }
    }

    /// A block of EXIF that came with its own container.
    package init(exif: [UInt8]?) {
        self.exif = exif
    }

    /// Whether a short video follows the picture, by the XMP of Google's phones or the trailer of Samsung's.
    ///
    /// Android "Motion Photo format 1.0" and its predecessor "MicroVideo"; ExifTool, Samsung trailer tags.
    func isMotionPhoto(_ file: UnsafeBufferPointer<UInt8>) -> Bool {
        if let xmp {
            let text = String(decoding: xmp, as: UTF8.self)
            let marks = ["MotionPhoto=\"1\"", "MotionPhoto>1<", "MicroVideo=\"1\"", "MicroVideo>1<"]
            if marks.contains(where: text.contains) { return true }
        }
        return Self.hasSamsungMovie(file)
    }

    /// Whether a second picture tells HDR screens how bright each part is: Android's Ultra HDR, Apple's, ISO 21496-1.
    package func hasGainMap(_ file: UnsafeBufferPointer<UInt8>) -> Bool {
        if hasISOGainMap { return true }
        if let xmp, String(decoding: xmp, as: UTF8.self).contains("hdrgm:Version") { return true }
        return Self.names(["aux:hdrgainmap"], in: file)
    }

    /// Whether a HEIF or AVIF has one, by the names of its items, which come before the pixels.
    package static func namesGainMap(_ file: UnsafeBufferPointer<UInt8>) -> Bool {
        names(["aux:hdrgainmap", "tmap"], in: UnsafeBufferPointer(rebasing: file.prefix(64 << 10)))
    }

    private static func names(_ words: [String], in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        words.contains { bytes.place(of: Array($0.utf8)) != nil }
    }

    /// Samsung's directory at the end: `SEFH`, version, count, entries of 12 bytes; then its length and `SEFT`.
    private static func hasSamsungMovie(_ file: UnsafeBufferPointer<UInt8>) -> Bool {
        let end = file.count - 8
        guard end > 12, file[(end + 4)...].elementsEqual("SEFT".utf8) else { return false }
        let start = end - file.number(at: end, bigEndian: false)
        guard start >= 0, start + 12 <= end, file[start..<start + 4].elementsEqual("SEFH".utf8) else { return false }
        let movie: [UInt8] = [0x30, 0x0A]
        return stride(from: start + 12, through: end - 12, by: 12).contains {
            file[$0 + 2..<$0 + 4].elementsEqual(movie)
        }
    }

    private static let jpegXMP = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    private static let jpegExif = Array("Exif\0\0".utf8)
    /// Adobe's "Photoshop File Formats", image resources.
    private static let jpegIPTC = Array("Photoshop 3.0\0".utf8)
    private static let jpegGainMap = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)

    /// ITU-T T.81, B.1.1.4; EXIF 2.31, 4.7.2; XMP part 3, 1.1.3.
    private mutating func readJPEG(_ bytes: UnsafeBufferPointer<UInt8>) {
        for segment in JPEGSegments(bytes) where [0xE1, 0xE2, 0xED].contains(segment.marker) {
            let content = bytes[segment.content]
            if segment.marker == 0xED, content.starts(with: Self.jpegIPTC) {
                // A record may continue in the next segment, after its mark.
                iptc = (iptc ?? []) + Array(content.dropFirst(Self.jpegIPTC.count))
            }
            if segment.marker == 0xE2, content.starts(with: Self.jpegGainMap) { hasISOGainMap = true }
            guard segment.marker == 0xE1 else { continue }
            if exif == nil, content.starts(with: Self.jpegExif) { exif = Array(content) }
            if xmp == nil, content.starts(with: Self.jpegXMP) { xmp = Array(content.dropFirst(Self.jpegXMP.count)) }
        }
    }

    /// PNG 3rd edition, 11.3.4.4 (eXIf) and 11.3.3.4 (iTXt, in which XMP part 3, 1.1.5 puts XMP).
    private mutating func readPNG(_ bytes: UnsafeBufferPointer<UInt8>) {
        let xmpMark = Array("XML:com.adobe.xmp\0\0\0".utf8)
        for chunk in PNGChunks(bytes) {
            let content = bytes[chunk.content]
            if exif == nil, chunk.isNamed("eXIf") { exif = Array(content) }
            if xmp == nil, chunk.isNamed("iTXt"), content.starts(with: xmpMark) { xmp = Array(content) }
        }
    }

    /// EXIF as an item or a box holds it: where the TIFF header begins after these four bytes, then the block.
    ///
    /// ISO/IEC 23008-12, A.2.1; ISO/IEC 18181-2, 9. Some programs leave the four bytes out. `nil` if they point behind
    /// the end.
    package static func exif(behindOffset content: some Collection<UInt8>) -> [UInt8]? {
        let marks: [[UInt8]] = [[0x4D, 0x4D, 0, 42], [0x49, 0x49, 42, 0]]
        if marks.contains(where: { content.starts(with: $0) }) { return Array(content) }
        let skipped = content.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard skipped < content.count - 4 else { return nil }
        return Array(content.dropFirst(4 + skipped))
    }

    /// A block as ImageMagick puts it into a PNG's text: a word, the count of bytes, and the bytes in hexadecimal.
    package static func block(ofText text: String) -> [UInt8]? {
        let words = text.utf8.split { $0 == 10 || $0 == 13 || $0 == 32 }
        guard words.count > 2 else { return nil }
        let digits = words[2...].joined().compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// The identifier of a box that holds XMP (XMP part 3, JPEG 2000 and MPEG-4).
    static let xmpBox: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]

    /// The boxes of JPEG XL (ISO/IEC 18181-2, 9) and of JPEG 2000 (ISO/IEC 15444-1, I.7.2) that hold metadata.
    private mutating func readBoxes(_ bytes: UnsafeBufferPointer<UInt8>) {
        let exifMark = Array("JpgTiffExif->JP2".utf8)
        for box in Boxes(bytes) {
            var content = bytes[box.content]
            var name = bytes[box.range].dropFirst(4).prefix(4)
            let unpacked = name.elementsEqual("brob".utf8) ? Self.unpacked(content.dropFirst(4)) : nil
            defer { unpacked?.deallocate() }
            if let unpacked {
                // The content begins with the packed box's own name.
                name = content.prefix(4)
                content = UnsafeBufferPointer(unpacked)[...]
            }
            if name.elementsEqual("Exif".utf8) { exif = Self.exif(behindOffset: content) }
            if name.elementsEqual("xml ".utf8) { xmp = Array(content) }
            if name.elementsEqual("uuid".utf8), content.starts(with: exifMark) { exif = Array(content.dropFirst(16)) }
            if name.elementsEqual("uuid".utf8), content.starts(with: Self.xmpBox) { xmp = Array(content.dropFirst(16)) }
        }
    }

    /// The content of a box that Brotli has compressed (ISO/IEC 18181-2, 9.3); `nil` if damaged or implausibly large.
    private static func unpacked(_ content: Slice<UnsafeBufferPointer<UInt8>>) -> UnsafeMutableBufferPointer<UInt8>? {
        let packed = UnsafeBufferPointer(rebasing: content)
        let target = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4 << 20)
        var count = target.count
        let result = BrotliDecoderDecompress(packed.count, packed.baseAddress, &count, target.baseAddress)
        guard result == BROTLI_DECODER_RESULT_SUCCESS, let start = target.baseAddress else {
            target.deallocate()
            return nil
        }
        return UnsafeMutableBufferPointer(start: start, count: count)
    }

    /// RFC 9649, 2.3 (chunks) and 2.7.1.5 (metadata).
    private mutating func readWebP(_ bytes: UnsafeBufferPointer<UInt8>) {
        var offset = 12
        while offset + 8 <= bytes.count {
            let length = bytes.number(at: offset + 4, bigEndian: false)
            guard length <= bytes.count - offset - 8 else { return }
            let content = bytes[offset + 8..<offset + 8 + length]
            if bytes[offset..<offset + 4].elementsEqual("EXIF".utf8) { exif = Array(content) }
            if bytes[offset..<offset + 4].elementsEqual("XMP ".utf8) { xmp = Array(content) }
            offset += 8 + length + length & 1
        }
    }
}
