import CFFmpeg
import CTIFF
package import Frames
import Glibc
package import MediaModel

/// The decoded pixels of a TIFF, and what its page states.
package struct TIFFPicture: ~Copyable {
    /// Pixels in sRGB, or in the colours of the profile that the frame carries; often fewer than the page has.
    private let frame: Frame
    /// Pixels of the page.
    package let width: Int
    /// Pixels of the page.
    package let height: Int
    /// How the page is to be turned.
    package let orientation: Orientation

    /// The most bytes of a row in any of its forms, because several are in memory at once; real pictures have fewer.
    private static let rowLimit = 1 << 27

    /// Keeps libtiff's messages from stderr; called once per process.
    package static func prepare() {
        TIFFSetErrorHandler(nil)
        TIFFSetWarningHandler(nil)
    }

    /// The first full page, large enough for thumbnails of `longSide`.
    ///
    /// - Parameter maxPixels: The most pixels to decode; more are refused before memory is asked for.
    package static func decoded(
        _ bytes: UnsafeBufferPointer<UInt8>, longSide: Int, maxPixels: Int
    ) throws(FFmpegError) -> TIFFPicture {
        let document = try TIFFDocument(bytes)
        let wanted = Int(Double(longSide) * ShrinkingCanvas.margin)
        guard let (page, source) = TIFFPage.chosen(in: document, longSide: wanted),
            TIFFSetSubDirectory(document.handle, source.offset) != 0
        else { throw FFmpegError(call: "TIFFReadDirectory", code: cffmpeg_error_invalid_data) }
        try FFmpegError.checkSize(source.width, source.height, limit: maxPixels, "TIFFReadDirectory")
        guard source.mostRowBytes <= rowLimit else {
            throw FFmpegError(call: "TIFFReadDirectory", code: cffmpeg_error_of_errno(EFBIG))
        }
        guard TIFFIsCODECConfigured(UInt16(truncatingIfNeeded: source.compression)) != 0 else {
            let words = "Compressed with \(source.compressionName), which is not read here"
            throw FFmpegError(call: "TIFFIsCODECConfigured", code: cffmpeg_error_no_decoder, words: words)
        }
        // Messages about tags and about other pages are no sign of damage to this one.
        DecoderLog.clear()
        let frame = try frame(of: source, in: document, longSide: longSide)
        if let profile = document.profile { frame.setProfile(profile) }
        return TIFFPicture(frame: frame, page: page)
    }

    /// The frame alone.
    package consuming func taken() -> Frame { frame }

    private init(frame: consuming Frame, page: TIFFPage) {
        self.frame = frame
        (width, height, orientation) = (page.width, page.height, page.orientation)
    }

    private static func frame(
        of page: TIFFPage, in document: borrowing TIFFDocument, longSide: Int
    ) throws(FFmpegError) -> Frame {
        if let planes = TIFFColourPlanes(page, of: document) { return try planes.frame(longSide: longSide) }
        // The JPEG library converts subsampled colours best.
        let isConverted =
            page.photometric == PHOTOMETRIC_YCBCR && page.compression == COMPRESSION_JPEG && !page.isPlanar
            && page.bits == 8 && ctiff_set(document.handle, UInt32(TIFFTAG_JPEGCOLORMODE), JPEGCOLORMODE_RGB) != 0
        var page = page
        if page.mayHaveAlpha, try TIFFRows(document, page).hasSample(3) { page.extraSamples = [1] }
        guard let samples = TIFFSamples(page),
            let painter = TIFFPainter.made(page, of: document, isConverted: isConverted)
        else { return try converted(page, in: document, longSide: longSide) }
        return try painted(page, in: document, samples, painter, longSide: longSide)
    }

    private static func painted(
        _ page: TIFFPage, in document: borrowing TIFFDocument, _ samples: TIFFSamples,
        _ painter: borrowing TIFFPainter, longSide: Int
    ) throws(FFmpegError) -> Frame {
        let rows = TIFFRows(document, page)
        let perPlane = page.width * (page.isPlanar ? 1 : page.samples)
        let final = try painter.isPalette ? samples : ranged(samples, over: rows, perPlane: perPlane)
        var canvas = try ShrinkingCanvas(
            width: page.width, height: page.height, channels: painter.channels, longSide: longSide)
        var pixels = [UInt8](repeating: 0, count: page.width * max(4, page.samples))
        var row = [UInt8](repeating: 0, count: page.width * 4)
        let areBytes = final.areBytes && !page.isPlanar
        let isReady = areBytes && painter.takesBytesAsTheyAre
        try rows.forEach { y, planes in
            if isReady {
                canvas.add(y, planes[0].assumingMemoryBound(to: UInt8.self))
                return
            }
            if painter.isPalette {
                painter.paintIndices(final, of: planes, count: page.width, into: &row)
            } else if areBytes {
                painter.paint(planes[0].assumingMemoryBound(to: UInt8.self), count: page.width, into: &row)
            } else {
                pixels.withUnsafeMutableBufferPointer { pixels in
                    row.withUnsafeMutableBufferPointer { row in
                        guard let start = pixels.baseAddress, let target = row.baseAddress else { return }
                        for (plane, from) in planes.enumerated() {
                            final.unpack(from, count: perPlane, into: start + plane, step: planes.count)
                        }
                        painter.paint(start, count: page.width, into: target)
                    }
                }
            }
            canvas.add(y, row)
        }
        canvas.finish()
        return canvas.taken()
    }

    /// The samples, with the range of the picture's values if the page does not state it.
    private static func ranged(
        _ samples: TIFFSamples, over rows: borrowing TIFFRows, perPlane: Int
    ) throws(FFmpegError) -> TIFFSamples {
        guard samples.needsRange else { return samples }
        var spread: ClosedRange<Double>?
        try rows.forEach { _, planes in
            for plane in planes { spread = samples.spread(plane, count: perPlane, joined: spread) }
        }
        var samples = samples
        samples.range = samples.range(of: spread ?? 0...1)
        return samples
    }

    /// The frame by libtiff's own conversion, which knows all forms of colour but needs the whole picture at once.
    private static func converted(
        _ page: TIFFPage, in document: borrowing TIFFDocument, longSide: Int
    ) throws(FFmpegError) -> Frame {
        var image = TIFFRGBAImage()
        var reason = [CChar](repeating: 0, count: 1024)
        guard TIFFRGBAImageBegin(&image, document.handle, 0, &reason) != 0 else {
            DecoderLog.keep(String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
            throw FFmpegError(call: "TIFFRGBAImageBegin", code: cffmpeg_error_invalid_data)
        }
        defer { TIFFRGBAImageEnd(&image) }
        // Turned later, with all other formats.
        image.req_orientation = image.orientation
        guard let raster = calloc(page.width * page.height, 4)?.assumingMemoryBound(to: UInt32.self) else {
            throw FFmpegError(call: "calloc", code: cffmpeg_error_out_of_memory)
        }
        defer { free(raster) }
        guard TIFFRGBAImageGet(&image, raster, UInt32(page.width), UInt32(page.height)) != 0 else {
            throw FFmpegError(call: "TIFFRGBAImageGet", code: cffmpeg_error_invalid_data)
        }
        var canvas = try ShrinkingCanvas(width: page.width, height: page.height, channels: 3, longSide: longSide)
        var row = [UInt8](repeating: 0, count: page.width * 3)
        for y in 0..<page.height {
            for x in 0..<page.width {
                let pixel = raster[y * page.width + x]
                (row[x * 3], row[x * 3 + 1]) = (UInt8(pixel & 255), UInt8(pixel >> 8 & 255))
                row[x * 3 + 2] = UInt8(pixel >> 16 & 255)
            }
            canvas.add(y, row)
        }
        canvas.finish()
        return canvas.taken()
    }
}
