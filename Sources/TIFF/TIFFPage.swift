import CTIFF
import MediaModel

/// What one directory of a TIFF states about its picture (TIFF 6.0, 8), with libtiff's defaults for what it omits.
struct TIFFPage: Hashable {
    /// The directory's place in the file.
    let offset: UInt64
    let width: Int
    let height: Int
    /// Bits of one sample.
    let bits: Int
    /// Samples of one pixel.
    let samples: Int
    let sampleFormat: Int32
    let photometric: Int32
    let compression: Int32
    let isPlanar: Bool
    let isTiled: Bool
    let orientation: Orientation
    /// The kinds of the samples beyond those of the colour: 1 is alpha that is multiplied in, 2 is plain alpha.
    var extraSamples: [UInt16]
    private let isReduced: Bool
    private let isMask: Bool

    /// The page of the directory that libtiff has read last.
    init(_ document: borrowing TIFFDocument) {
        let handle = document.handle
        offset = TIFFCurrentDirOffset(handle)
        width = Self.long(handle, TIFFTAG_IMAGEWIDTH)
        height = Self.long(handle, TIFFTAG_IMAGELENGTH)
        bits = Self.short(handle, TIFFTAG_BITSPERSAMPLE) ?? 1
        samples = Self.short(handle, TIFFTAG_SAMPLESPERPIXEL) ?? 1
        sampleFormat = Int32(Self.short(handle, TIFFTAG_SAMPLEFORMAT) ?? 1)
        compression = Int32(Self.short(handle, TIFFTAG_COMPRESSION) ?? 1)
        let guess = samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK
        photometric = Self.short(handle, TIFFTAG_PHOTOMETRIC).map(Int32.init) ?? guess
        isPlanar = samples > 1 && Self.short(handle, TIFFTAG_PLANARCONFIG) == Int(PLANARCONFIG_SEPARATE)
        isTiled = TIFFIsTiled(handle) != 0
        orientation = Self.short(handle, TIFFTAG_ORIENTATION).flatMap(Orientation.init(exif:)) ?? .upright
        let kind = Self.long(handle, TIFFTAG_SUBFILETYPE)
        isReduced = kind & Int(FILETYPE_REDUCEDIMAGE) != 0 || Self.short(handle, TIFFTAG_OSUBFILETYPE) == 2
        isMask = kind & Int(FILETYPE_MASK) != 0
        var count: UInt16 = 0
        var kinds: UnsafeMutablePointer<UInt16>?
        let hasExtra = ctiff_extra_samples(handle, &count, &kinds) != 0
        extraSamples = hasExtra ? Array(UnsafeBufferPointer(start: kinds, count: Int(count))) : []
    }

    private static func short(_ handle: OpaquePointer, _ tag: Int32) -> Int? {
        var value: UInt16 = 0
        return ctiff_short(handle, UInt32(tag), &value) != 0 ? Int(value) : nil
    }

    private static func long(_ handle: OpaquePointer, _ tag: Int32) -> Int {
        var value: UInt32 = 0
        return ctiff_long(handle, UInt32(tag), &value) != 0 ? Int(value) : 0
    }

    /// Whether its fourth sample has no stated use, so that libtiff takes it for alpha that is multiplied in.
    var mayHaveAlpha: Bool {
        photometric == PHOTOMETRIC_RGB && samples == 4 && extraSamples.isEmpty && [8, 16].contains(bits)
    }

    /// The common name of its compression (tags of TIFF 6.0, Adobe's technical notes, libtiff's registry).
    var compressionName: String {
        switch compression {
        case 33003, 33005, 34712: "JPEG 2000"
        case 50002, 52546: "JPEG XL"
        case 34892: "lossy JPEG"
        case 34661: "JBIG"
        case 34715: "JBIG2"
        case 34934: "JPEG XR"
        default: "method \(compression)"
        }
    }

    /// The bytes of one row over all planes.
    var rowBytes: Int { (width * samples * bits + 7) / 8 }

    /// The bytes of one row in its longest form: as stored, or with a byte a sample and at least four a pixel.
    var mostRowBytes: Int { max(rowBytes, width * max(4, samples)) }

    /// The most pixels along a side, so that the product of two sides does not overflow; real pictures have far fewer.
    private static let sideLimit = Int(Int32.max)

    private var isPicture: Bool {
        let sides = 1...Self.sideLimit
        return !isMask && sides.contains(width) && sides.contains(height)
    }

    /// Whether it looks like a smaller copy of `other`: a picture of the same shape and orientation.
    private func isReduction(of other: TIFFPage) -> Bool {
        guard isPicture, max(width, height) < max(other.width, other.height) else { return false }
        return abs(width * other.height - height * other.width) <= max(other.width, other.height)
            && orientation == other.orientation
    }
}

extension TIFFPage {
    /// The most directories that are looked at, because the later pages of a book do not matter.
    private static let directoryLimit = 64

    /// The first full page, and the smallest reduction of it whose longer side is at least `longSide`, else itself.
    static func chosen(
        in document: borrowing TIFFDocument, longSide: Int
    ) -> (page: TIFFPage, source: TIFFPage)? {
        var page: TIFFPage?
        var others: [TIFFPage] = []
        for _ in 0..<directoryLimit {
            let here = TIFFPage(document)
            if here.isPicture, !here.isReduced {
                guard page == nil else { break }
                page = here
                others += directoriesBelow(document)
                // Goes back to the chain of pages, because reading those directories has left it.
                guard TIFFSetSubDirectory(document.handle, here.offset) != 0 else { break }
            } else if here.isPicture {
                others.append(here)
            }
            guard TIFFReadDirectory(document.handle) != 0 else { break }
        }
        guard let page = page ?? others.max(by: { $0.width * $0.height < $1.width * $1.height }) else { return nil }
        let source = others.filter { $0.isReduction(of: page) && max($0.width, $0.height) >= longSide }
            .min { $0.width < $1.width }
        return (page, source ?? page)
    }

    private static func directoriesBelow(_ document: borrowing TIFFDocument) -> [TIFFPage] {
        var count: UInt16 = 0
        var offsets: UnsafeMutablePointer<UInt64>?
        guard ctiff_directories_below(document.handle, &count, &offsets) != 0, let offsets else { return [] }
        // Copied, because reading another directory frees the offsets.
        return Array(UnsafeBufferPointer(start: offsets, count: Int(count))).prefix(directoryLimit).compactMap {
            TIFFSetSubDirectory(document.handle, $0) != 0 ? TIFFPage(document) : nil
        }
    }
}
