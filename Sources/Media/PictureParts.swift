import Glibc
import MediaModel

/// The metadata blocks of a picture file, without the picture itself.
struct PictureParts {
    /// A TIFF header with its directories.
    var exif: [UInt8]?
    /// The XMP metadata (XML).
    var xmp: [UInt8]?
    /// Whether a JPEG states a gain map as ISO 21496-1 does.
    private var hasISOGainMap = false

    /// Reads the container of `type`; both parts stay `nil` for other formats.
    init(of bytes: UnsafeBufferPointer<UInt8>, type: MediaType) {
        switch type {
        case .jpeg: readJPEG(bytes)
        case .png: readPNG(bytes)
        case .webp: readWebP(bytes)
        case .tiff: exif = TIFFDirectories.gathered(from: bytes)
        default: break
        }
    }

    init(exif: [UInt8]?) {
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
    func hasGainMap(_ file: UnsafeBufferPointer<UInt8>) -> Bool {
        if hasISOGainMap { return true }
        if let xmp, String(decoding: xmp, as: UTF8.self).contains("hdrgm:Version") { return true }
        return Self.names(["aux:hdrgainmap"], in: file)
    }

    /// Whether a HEIF or AVIF has one, by the names of its items, which come before the pixels.
    static func namesGainMap(_ file: UnsafeBufferPointer<UInt8>) -> Bool {
        names(["aux:hdrgainmap", "tmap"], in: UnsafeBufferPointer(rebasing: file.prefix(64 << 10)))
    }

    private static func names(_ words: [String], in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        words.contains { bytes.contains(Array($0.utf8)) }
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
    private static let jpegGainMap = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)

    /// ITU-T T.81, B.1.1.4; EXIF 2.31, 4.7.2; XMP part 3, 1.1.3.
    private mutating func readJPEG(_ bytes: UnsafeBufferPointer<UInt8>) {
        for segment in JPEGSegments(bytes) where segment.marker == 0xE1 || segment.marker == 0xE2 {
            let content = bytes[segment.content]
            guard segment.marker == 0xE1 else {
                if content.starts(with: Self.jpegGainMap) { hasISOGainMap = true }
                continue
            }
            if exif == nil, content.starts(with: Self.jpegExif) { exif = Array(content) }
            if xmp == nil, content.starts(with: Self.jpegXMP) { xmp = Array(content.dropFirst(Self.jpegXMP.count)) }
        }
    }

    /// PNG 3rd edition, 5.3 (chunks) and 11.3.4.4 (eXIf).
    private mutating func readPNG(_ bytes: UnsafeBufferPointer<UInt8>) {
        var offset = 8
        while offset + 12 <= bytes.count {
            let length = bytes.number(at: offset, bigEndian: true)
            guard length <= bytes.count - offset - 12 else { return }
            if bytes[offset + 4..<offset + 8].elementsEqual("eXIf".utf8) {
                exif = Array(bytes[offset + 8..<offset + 8 + length])
                return
            }
            offset += 12 + length
        }
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

/// The marker segments of a JPEG up to its first scan.
struct JPEGSegments: Sequence, IteratorProtocol {
    struct Segment {
        let marker: UInt8
        /// What follows the length field.
        let content: Range<Int>
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset = 2

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    mutating func next() -> Segment? {
        while offset + 4 <= bytes.count, bytes[offset] == 0xFF {
            let marker = bytes[offset + 1]
            if marker == 0xFF {
                // A fill byte before the marker.
                offset += 1
                continue
            }
            let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
            let end = offset + 2 + length
            guard length >= 2, end <= bytes.count, marker != 0xD9 else { return nil }
            defer { offset = marker == 0xDA ? bytes.count : end }
            return Segment(marker: marker, content: offset + 4..<end)
        }
        return nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether `word` occurs anywhere.
    fileprivate func contains(_ word: [UInt8]) -> Bool {
        guard var place = baseAddress, let first = word.first else { return false }
        let end = place + count
        while end - place >= word.count, let found = memchr(place, Int32(first), end - place - word.count + 1) {
            if memcmp(found, word, word.count) == 0 { return true }
            place = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) + 1
        }
        return false
    }

    /// An unsigned number of 4 bytes, which must lie within the buffer.
    func number(at offset: Int, bigEndian: Bool) -> Int {
        let digits = self[offset..<offset + 4]
        return (bigEndian ? Array(digits) : digits.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
}
