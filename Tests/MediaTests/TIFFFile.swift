import CTIFF
import Media
import Platform
import TestSupport

@testable import Frames

/// A TIFF as libtiff writes it, in one of the many ways of storing a picture.
struct TIFFFile: Sendable {
    /// One picture of the file.
    struct Page: Sendable {
        var bitmap: Bitmap
        /// Bits of a sample: 1 (bright or dark), 8, 16 or 32.
        var bits = 8
        var format = SAMPLEFORMAT_UINT
        var photometric = PHOTOMETRIC_RGB
        var compression = COMPRESSION_NONE
        var isPlanar = false
        var isTiled = false
        /// Of brightness and colour in planes: the pixels of one sample of colour.
        var subsampling: (across: Int, down: Int)?
        /// Whether samples are stored as differences from those before them.
        var isDifferenced = false
        var isReduced = false
        /// The colours of a picture of indices.
        var palette: [[UInt16]] = []
        /// What the samples after those of the colours are.
        var extraSamples: [Int32] = []
        /// The samples of a pixel by its red, green and blue; 0 to 1 each.
        var samples: @Sendable ([Double]) -> [Double] = { $0 }

        /// Red, green or blue of each index.
        fileprivate func channel(_ channel: Int) -> [UInt16] {
            (0..<1 << bits).map { $0 < palette.count ? palette[$0][channel] : 0 }
        }
    }

    var pages: [Page]
    var isBig = false

    init(_ pages: Page..., isBig: Bool = false) {
        (self.pages, self.isBig) = (pages, isBig)
    }

    /// The file's bytes.
    var bytes: [UInt8] {
        get throws {
            let directory = try TemporaryDirectory()
            defer { directory.remove() }
            let path = directory.path.appending("picture.tiff")
            guard let file = TIFFOpen("\(path)", isBig ? "w8" : "w") else { throw Refused() }
            for page in pages { try Self.write(page, to: file) }
            TIFFClose(file)
            return try OpenFile(reading: path).readAll()
        }
    }

    struct Refused: Error {}

    private static func write(_ page: Page, to file: OpaquePointer) throws {
        let count = page.samples([0, 0, 0]).count
        let fields: [(Int32, Int)] = [
            (TIFFTAG_IMAGEWIDTH, page.bitmap.width), (TIFFTAG_IMAGELENGTH, page.bitmap.height),
            (TIFFTAG_BITSPERSAMPLE, page.bits), (TIFFTAG_SAMPLESPERPIXEL, count),
            (TIFFTAG_SAMPLEFORMAT, Int(page.format)), (TIFFTAG_PHOTOMETRIC, Int(page.photometric)),
            (TIFFTAG_COMPRESSION, Int(page.compression)),
            (TIFFTAG_PLANARCONFIG, Int(page.isPlanar ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG)),
            (TIFFTAG_SUBFILETYPE, page.isReduced ? Int(FILETYPE_REDUCEDIMAGE) : 0),
        ]
        for (tag, value) in fields { _ = ctiff_set(file, UInt32(tag), Int32(value)) }
        if page.photometric == PHOTOMETRIC_YCBCR {
            _ = ctiff_set(file, UInt32(TIFFTAG_JPEGCOLORMODE), JPEGCOLORMODE_RGB)
        }
        if page.isDifferenced { _ = ctiff_set(file, UInt32(TIFFTAG_PREDICTOR), 2) }
        if let (across, down) = page.subsampling { _ = ctiff_set_subsampling(file, Int32(across), Int32(down)) }
        if !page.extraSamples.isEmpty {
            var kinds = page.extraSamples.map(UInt16.init)
            _ = ctiff_set_extra_samples(file, UInt16(kinds.count), &kinds)
        }
        if !page.palette.isEmpty {
            var (red, green, blue) = (page.channel(0), page.channel(1), page.channel(2))
            _ = ctiff_set_palette(file, &red, &green, &blue)
        }
        if page.isTiled {
            for tag in [TIFFTAG_TILEWIDTH, TIFFTAG_TILELENGTH] { _ = ctiff_set(file, UInt32(tag), 64) }
        } else {
            _ = ctiff_set(file, UInt32(TIFFTAG_ROWSPERSTRIP), 16)
        }
        for plane in 0..<(page.isPlanar ? count : 1) {
            let wanted = page.isPlanar ? plane..<plane + 1 : 0..<count
            if let subsampling = page.subsampling {
                try writeStrips(page, plane, plane > 0 ? subsampling : (1, 1), to: file)
                continue
            }
            try page.isTiled ? writeTiles(page, wanted, to: file) : writeLines(page, wanted, to: file)
        }
        guard TIFFWriteDirectory(file) == 1 else { throw Refused() }
    }

    private static func writeLines(_ page: Page, _ samples: Range<Int>, to file: OpaquePointer) throws {
        for y in 0..<page.bitmap.height {
            var row = coded(page, samples, columns: 0..<page.bitmap.width, y)
            guard TIFFWriteScanline(file, &row, UInt32(y), UInt16(samples.lowerBound)) == 1 else { throw Refused() }
        }
    }

    /// Every `across` sample of every `down` row.
    private static func writeStrips(
        _ page: Page, _ plane: Int, _ part: (across: Int, down: Int), to file: OpaquePointer
    ) throws {
        for top in stride(from: 0, to: page.bitmap.height, by: 16) {
            var strip: [UInt8] = []
            for y in stride(from: top, to: min(top + 16, page.bitmap.height), by: part.down) {
                let row = coded(page, plane..<plane + 1, columns: 0..<page.bitmap.width, y)
                strip += stride(from: 0, to: row.count, by: part.across).map { row[$0] }
            }
            if page.isDifferenced { summed(&strip, of: page.bitmap.width / part.across, as: page.bitmap.width) }
            let number = TIFFComputeStrip(file, UInt32(top), UInt16(plane))
            guard TIFFWriteEncodedStrip(file, number, &strip, tmsize_t(strip.count)) > 0 else { throw Refused() }
        }
    }

    /// Turns bytes into those whose differences, in rows as libtiff cuts them, are the differences in their own rows.
    private static func summed(_ bytes: inout [UInt8], of width: Int, as whole: Int) {
        var (before, sum): (UInt8, UInt8) = (0, 0)
        for index in bytes.indices {
            let difference = bytes[index] &- (index % width == 0 ? 0 : before)
            before = bytes[index]
            sum = index % whole == 0 ? difference : sum &+ difference
            bytes[index] = sum
        }
    }

    private static func writeTiles(_ page: Page, _ samples: Range<Int>, to file: OpaquePointer) throws {
        for top in stride(from: 0, to: page.bitmap.height, by: 64) {
            for left in stride(from: 0, to: page.bitmap.width, by: 64) {
                var tile = (top..<top + 64).flatMap { coded(page, samples, columns: left..<left + 64, $0) }
                let written = TIFFWriteTile(
                    file, &tile, UInt32(left), UInt32(top), 0, UInt16(samples.lowerBound))
                guard written > 0 else { throw Refused() }
            }
        }
    }

    /// The bytes of a row; what lies outside of the picture repeats its edge.
    private static func coded(_ page: Page, _ samples: Range<Int>, columns: Range<Int>, _ y: Int) -> [UInt8] {
        let values = columns.flatMap { x in
            let pixel = page.bitmap.pixel(min(x, page.bitmap.width - 1), min(y, page.bitmap.height - 1))
            return page.samples(pixel.map { Double($0) / 255 })[samples]
        }
        func bytes(_ value: some Any) -> [UInt8] { withUnsafeBytes(of: value, Array.init) }
        switch (page.bits, page.format) {
        case (1, _):
            return stride(from: 0, to: values.count, by: 8).map { at in
                (0..<8).reduce(0) { $0 << 1 | (at + $1 < values.count && values[at + $1] > 0.5 ? 1 : 0) }
            }
        case (16, SAMPLEFORMAT_IEEEFP): return values.flatMap { bytes(Float16($0)) }
        case (16, _): return values.flatMap { bytes(UInt16(($0 * 65_535).rounded())) }
        case (32, SAMPLEFORMAT_IEEEFP): return values.flatMap { bytes(Float($0)) }
        case (32, _): return values.flatMap { bytes(UInt32(($0 * 4_294_967_295).rounded())) }
        default: return values.map { UInt8(($0 * 255).rounded()) }
        }
    }
}
