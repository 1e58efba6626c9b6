import CFFmpeg
import CTIFF
import Frames
import Glibc

/// An open TIFF or BigTIFF, read by libtiff from memory; closed with its owner.
struct TIFFDocument: ~Copyable {
    /// The bytes of a file, and how far libtiff has read them.
    private struct Source {
        let bytes: UnsafeBufferPointer<UInt8>
        var offset = 0
    }

    let handle: OpaquePointer
    private let source: UnsafeMutablePointer<Source>

    /// The most bytes that libtiff may ask for at once, whatever a directory promises.
    private static let allocationLimit = 512 << 20

    /// - Parameter bytes: The file, which must outlive this value.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(FFmpegError) {
        guard let options = TIFFOpenOptionsAlloc() else {
            throw FFmpegError(call: "TIFFOpenOptionsAlloc", code: cffmpeg_error_out_of_memory)
        }
        defer { TIFFOpenOptionsFree(options) }
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, tmsize_t(Self.allocationLimit))
        TIFFOpenOptionsSetErrorHandlerExtR(options, Self.keepError, nil)
        // Warnings are ignored, because they are about unknown tags and the like, not about the picture.
        TIFFOpenOptionsSetWarningHandlerExtR(options, { _, _, _, _, _ in 1 }, nil)
        let source = UnsafeMutablePointer<Source>.allocate(capacity: 1)
        source.initialize(to: Source(bytes: bytes))
        let handle = TIFFClientOpenExt(
            "picture", "r", source, Self.read, { _, _, _ in -1 }, Self.seek, { _ in 0 }, Self.size, Self.map,
            { _, _, _ in }, options)
        guard let handle else {
            source.deallocate()
            throw FFmpegError(call: "TIFFClientOpen", code: cffmpeg_error_invalid_data)
        }
        self.handle = handle
        self.source = source
    }

    deinit {
        TIFFClose(handle)
        source.deallocate()
    }

    private static let keepError: TIFFErrorHandlerExtR = { _, _, _, format, arguments in
        guard let format, let arguments else { return 1 }
        var line = [CChar](repeating: 0, count: 512)
        vsnprintf(&line, line.count, format, arguments)
        DecoderLog.keep(String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        return 1
    }

    private static let read: TIFFReadWriteProc = { opaque, target, count in
        guard let source = opaque?.assumingMemoryBound(to: Source.self), let target else { return -1 }
        let bytes = source.pointee.bytes.dropFirst(source.pointee.offset).prefix(max(0, Int(count)))
        UnsafeMutableRawBufferPointer(start: target, count: bytes.count).copyBytes(from: bytes)
        source.pointee.offset += bytes.count
        return tmsize_t(bytes.count)
    }

    private static let seek: TIFFSeekProc = { opaque, offset, whence in
        guard let source = opaque?.assumingMemoryBound(to: Source.self) else { return .max }
        let origin = whence == SEEK_CUR ? source.pointee.offset : whence == SEEK_END ? source.pointee.bytes.count : 0
        let (target, overflows) = origin.addingReportingOverflow(Int(Int64(bitPattern: UInt64(offset))))
        guard !overflows, target >= 0 else { return .max }
        source.pointee.offset = target
        return UInt64(target)
    }

    private static let size: TIFFSizeProc = { opaque in
        UInt64(opaque?.assumingMemoryBound(to: Source.self).pointee.bytes.count ?? 0)
    }

    /// Lets libtiff read the bytes where they are, without a copy.
    private static let map: TIFFMapFileProc = { opaque, base, size in
        guard let bytes = opaque?.assumingMemoryBound(to: Source.self).pointee.bytes else { return 0 }
        base?.pointee = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        size?.pointee = UInt64(bytes.count)
        return 1
    }
}
