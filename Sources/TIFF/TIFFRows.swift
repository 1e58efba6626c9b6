import CFFmpeg
import CTIFF
import Frames
import Glibc

/// Reads the rows of one TIFF picture from the top, from strips or tiles, with samples together or in planes.
struct TIFFRows {
    /// One pointer to a row's bytes per plane; they may be overwritten.
    typealias Planes = UnsafeBufferPointer<UnsafeMutableRawPointer>

    private let handle: OpaquePointer
    private let page: TIFFPage
    private let planes: Int

    /// The most bytes of tiles or planes that are held at a time.
    private static let bandLimit = 1 << 30

    init(_ document: borrowing TIFFDocument, _ page: TIFFPage) {
        handle = document.handle
        self.page = page
        planes = page.isPlanar ? page.samples : 1
    }

    /// Calls `body` with each row that can be read; throws if none can.
    func forEach(_ body: (Int, Planes) -> Void) throws(FFmpegError) {
        try read { y, rows in
            body(y, rows)
            return true
        }
    }

    /// Calls `isWanting` with each row that can be read, until it returns `false`; throws if none can.
    private func read(_ isWanting: (Int, Planes) -> Bool) throws(FFmpegError) {
        let isRead =
            page.isTiled ? try tiles(isWanting) : page.isPlanar ? try strips(isWanting) : try lines(isWanting)
        guard isRead else { throw FFmpegError(call: "TIFFReadScanline", code: cffmpeg_error_invalid_data) }
    }

    /// Whether this sample, which has whole bytes, is above 0 in any pixel.
    func hasSample(_ sample: Int) throws(FFmpegError) -> Bool {
        let bytes = page.bits / 8
        let step = planes > 1 ? bytes : bytes * page.samples
        var isFound = false
        try read { _, rows in
            let first = planes > 1 ? rows[sample] : rows[0] + sample * bytes
            isFound = (0..<page.width).contains { x in
                (0..<bytes).contains { (first + x * step + $0).load(as: UInt8.self) > 0 }
            }
            return !isFound
        }
        return isFound
    }

    /// Reads row by row, which needs memory for one row only, however large a strip is.
    private func lines(_ isWanting: (Int, Planes) -> Bool) throws(FFmpegError) -> Bool {
        let row = try Buffer(count: max(Int(TIFFScanlineSize(handle)), page.rowBytes))
        let perStrip = max(1, Int(rowsPerStrip))
        var isRead = false
        var y = 0
        while y < page.height {
            if TIFFReadScanline(handle, row.start, UInt32(y), 0) > 0 {
                isRead = true
                guard withRows(from: row.start, step: 0, { isWanting(y, $0) }) else { return true }
                y += 1
            } else {
                // The rest of a damaged strip is lost, but the next one does not depend on it.
                y = (y / perStrip + 1) * perStrip
            }
        }
        return isRead
    }

    private func strips(_ isWanting: (Int, Planes) -> Bool) throws(FFmpegError) -> Bool {
        let (size, line) = (Int(TIFFStripSize(handle)), Int(TIFFScanlineSize(handle)))
        let band = try Buffer(count: try bounded(size, planes))
        let perStrip = min(page.height, max(1, Int(rowsPerStrip)))
        var isRead = false
        for top in stride(from: 0, to: page.height, by: perStrip) {
            for plane in 0..<planes {
                let strip = TIFFComputeStrip(handle, UInt32(top), UInt16(plane))
                let part = band.start + plane * size
                let isWhole = TIFFReadEncodedStrip(handle, strip, part, tmsize_t(size)) > 0
                if isWhole { isRead = true } else { Self.grey(part, size) }
            }
            for y in top..<min(page.height, top + perStrip) {
                let start = band.start + (y - top) * line
                guard withRows(from: start, step: size, { isWanting(y, $0) }) else { return true }
            }
        }
        return isRead
    }

    private func tiles(_ isWanting: (Int, Planes) -> Bool) throws(FFmpegError) -> Bool {
        let (size, line) = (Int(TIFFTileSize(handle)), Int(TIFFTileRowSize(handle)))
        var (width, height): (UInt32, UInt32) = (0, 0)
        guard ctiff_long(handle, UInt32(TIFFTAG_TILEWIDTH), &width) != 0, width > 0,
            ctiff_long(handle, UInt32(TIFFTAG_TILELENGTH), &height) != 0, height > 0, size > 0, line > 0
        else { throw FFmpegError(call: "TIFFTileSize", code: cffmpeg_error_invalid_data) }
        let across = (page.width + Int(width) - 1) / Int(width)
        let band = try Buffer(count: try bounded(size, across * planes))
        let row = try Buffer(count: across * planes * line)
        var isRead = false
        for top in stride(from: 0, to: page.height, by: Int(height)) {
            for number in 0..<across * planes {
                let part = band.start + number * size
                let left = UInt32(number % across) * width
                let tile = TIFFComputeTile(handle, left, UInt32(top), 0, UInt16(number / across))
                let isWhole = TIFFReadEncodedTile(handle, tile, part, tmsize_t(size)) > 0
                if isWhole { isRead = true } else { Self.grey(part, size) }
            }
            for y in top..<min(page.height, top + Int(height)) {
                for number in 0..<across * planes {
                    memcpy(row.start + number * line, band.start + number * size + (y - top) * line, line)
                }
                guard withRows(from: row.start, step: across * line, { isWanting(y, $0) }) else { return true }
            }
        }
        return isRead
    }

    private var rowsPerStrip: UInt32 {
        var rows: UInt32 = 0
        return ctiff_long(handle, UInt32(TIFFTAG_ROWSPERSTRIP), &rows) != 0 ? rows : 1
    }

    private func bounded(_ size: Int, _ count: Int) throws(FFmpegError) -> Int {
        guard size > 0, count > 0, size <= Self.bandLimit / count else {
            throw FFmpegError(call: "TIFFStripSize", code: cffmpeg_error_of_errno(EFBIG))
        }
        return size * count
    }

    private func withRows(from start: UnsafeMutableRawPointer, step: Int, _ body: (Planes) -> Bool) -> Bool {
        let starts: [UnsafeMutableRawPointer] = (0..<planes).map { start + $0 * step }
        return starts.withUnsafeBufferPointer(body)
    }

    /// Fills a missing part with grey.
    private static func grey(_ part: UnsafeMutableRawPointer, _ size: Int) {
        memset(part, 0x80, size)
    }

    /// Memory that is freed with its owner; a failure to get it is thrown, not trapped on.
    private struct Buffer: ~Copyable {
        let start: UnsafeMutableRawPointer

        init(count: Int) throws(FFmpegError) {
            guard let start = calloc(max(1, count), 1) else {
                throw FFmpegError(call: "calloc", code: cffmpeg_error_out_of_memory)
            }
            self.start = start
        }

        deinit { free(start) }
    }
}
