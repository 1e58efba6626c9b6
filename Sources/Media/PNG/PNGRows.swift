import CFFmpeg
import CPNG
import Frames
import Glibc

/// The rows of a PNG from the top, closed with their owner.
struct PNGRows: ~Copyable {
    private let reader: UnsafeMutablePointer<cpng_reader>
    /// Must live as long as `reader`, which reads from it; `nil` if libpng unpacks the pixels itself.
    private let unpacked: UnpackedPNG?
    let width: Int
    let height: Int
    /// Bytes of a pixel: 1 for grey, 3 for colours, 4 with alpha.
    let channels: Int

    /// `nil` if libpng refuses the file, with its reason in the log.
    ///
    /// - Parameter bytes: The file, which must outlive this value.
    /// - Parameter descriptor: The file if `bytes` do not have its pixels.
    /// - Parameter maxPixels: Width times height; a larger picture is refused before memory is asked for.
    static func opened(
        _ bytes: UnsafeBufferPointer<UInt8>, inParts descriptor: Int32?, maxPixels: Int
    ) throws(FFmpegError) -> PNGRows? {
        let made = descriptor.map { cpng_make_in_parts($0) } ?? cpng_make(bytes.baseAddress, bytes.count)
        let reader = try FFmpegError.check(made, "calloc")
        guard descriptor == nil, let unpacked = UnpackedPNG(bytes, maxPixels: maxPixels) else {
            return try started(reader, nil, maxPixels: maxPixels)
        }
        unpacked.replacePixels(of: reader)
        return try started(reader, unpacked, maxPixels: maxPixels)
    }

    private static func started(
        _ reader: UnsafeMutablePointer<cpng_reader>, _ unpacked: consuming UnpackedPNG?, maxPixels: Int
    ) throws(FFmpegError) -> PNGRows? {
        var words = [CChar](repeating: 0, count: 128)
        guard cpng_begin(reader, &words, words.count) != 0 else {
            DecoderLog.keep(String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
            return nil
        }
        let (width, height) = (Int(cpng_width(reader)), Int(cpng_height(reader)))
        guard width > 0, height > 0, width <= maxPixels / height else {
            cpng_close(reader)
            throw .tooLarge(width, height, limit: maxPixels, "png_read_info")
        }
        let channels = Int(cpng_start(reader))
        guard [1, 3, 4].contains(channels) else {
            cpng_close(reader)
            return nil
        }
        return PNGRows(reader, unpacked, width: width, height: height, channels: channels)
    }

    private init(
        _ reader: UnsafeMutablePointer<cpng_reader>, _ unpacked: consuming UnpackedPNG?, width: Int, height: Int,
        channels: Int
    ) {
        self.unpacked = unpacked
        (self.reader, self.width, self.height, self.channels) = (reader, width, height, channels)
    }

    deinit { cpng_close(reader) }

    /// Calls `body` with each row and returns how many could be read; an interlaced picture is read completely first.
    func forEach(_ body: (Int, UnsafeMutablePointer<UInt8>) -> Void) throws(FFmpegError) -> Int {
        let isInterlaced = reader.pointee.passes > 1
        let rowBytes = width * channels
        guard let rows = calloc(isInterlaced ? height : 1, rowBytes)?.assumingMemoryBound(to: UInt8.self) else {
            throw FFmpegError(call: "calloc", code: cffmpeg_error_out_of_memory)
        }
        defer { free(rows) }
        guard isInterlaced else {
            for y in 0..<height {
                guard cpng_row(reader, rows) != 0 else { return noted(y) }
                body(y, rows)
            }
            _ = cpng_finish(reader)
            return height
        }
        let read = passes(into: rows, rowBytes)
        if read > 0 { for y in 0..<height { body(y, rows + y * rowBytes) } }
        return read
    }

    /// Reads the passes of an interlaced picture; later ones may be missing, because the first shows it all, coarsely.
    private func passes(into rows: UnsafeMutablePointer<UInt8>, _ rowBytes: Int) -> Int {
        for pass in 0..<Int(reader.pointee.passes) {
            for y in 0..<height {
                guard cpng_row(reader, rows + y * rowBytes) != 0 else { return noted(pass > 0 ? height : y) }
            }
        }
        _ = cpng_finish(reader)
        return height
    }

    private func noted(_ read: Int) -> Int {
        let words = withUnsafeBytes(of: reader.pointee.message) { $0.prefix { $0 != 0 } + [] }
        DecoderLog.keep(String(decoding: words, as: UTF8.self))
        return read
    }

    /// Gives `frame` the profile and the texts in which programs put metadata.
    func describe(_ frame: borrowing Frame) {
        var count: UInt32 = 0
        if let profile = cpng_profile(reader, &count) {
            frame.setProfile(UnsafeBufferPointer(start: profile, count: Int(count)))
        }
        for key in Frame.keysOfPNG {
            guard let text = cpng_text(reader, key) else { continue }
            av_dict_set(&frame.pointer.pointee.metadata, key, text, 0)
        }
    }
}
