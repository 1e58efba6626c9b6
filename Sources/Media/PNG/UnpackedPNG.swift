import CDeflate
import CPNG
import Facts
import Glibc

/// The unpacked pixels of a PNG without filters, by a decoder twice as fast as zlib that needs all of them at once.
struct UnpackedPNG: ~Copyable {
    private let pixels: UnsafeMutableBufferPointer<UInt8>
    /// The range of the file with the chunks of the packed pixels.
    private let chunks: Range<Int>

    /// `nil` if the pixels are too large, or damaged in any way.
    ///
    /// - Parameter maxPixels: Width times height at most.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, maxPixels: Int) {
        let parts = Self.parts(of: bytes)
        guard let layout = PNGLayout(bytes, maxPixels: maxPixels), let first = parts.first, let last = parts.last,
            let whole = Packed(parts, of: bytes), let pixels = malloc(layout.count + PNGFilters.margin)
        else { return nil }
        let count = layout.count
        guard let decoder = libdeflate_alloc_decompressor() else {
            free(pixels)
            return nil
        }
        defer { libdeflate_free_decompressor(decoder) }
        let code = libdeflate_zlib_decompress(
            decoder, whole.bytes.baseAddress, whole.bytes.count, pixels, count, nil)
        guard code == LIBDEFLATE_SUCCESS else {
            free(pixels)
            return nil
        }
        self.pixels = UnsafeMutableBufferPointer(start: pixels.assumingMemoryBound(to: UInt8.self), count: count)
        PNGFilters.undo(self.pixels, layout)
        chunks = first.lowerBound - 8..<last.upperBound + 4
    }

    deinit { free(pixels.baseAddress) }

    /// Makes `reader`, which must not outlive this value, read the unpacked pixels instead of the chunks.
    func replacePixels(of reader: UnsafeMutablePointer<cpng_reader>) {
        cpng_put_pixels(
            reader, pixels.baseAddress, pixels.count, libdeflate_adler32(1, pixels.baseAddress, pixels.count),
            chunks.lowerBound, chunks.upperBound)
    }

    /// The contents of the picture's chunks, which follow each other.
    private static func parts(of bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        let parts = PNGChunks(bytes).drop { !$0.isNamed("IDAT") }.prefix { $0.isNamed("IDAT") }
        return parts.map(\.content)
    }

    /// The packed pixels in one piece.
    private struct Packed: ~Copyable {
        let bytes: UnsafeBufferPointer<UInt8>
        private let copy: UnsafeMutableRawPointer?

        init?(_ parts: [Range<Int>], of file: UnsafeBufferPointer<UInt8>) {
            if parts.count == 1 {
                (bytes, copy) = (UnsafeBufferPointer(rebasing: file[parts[0]]), nil)
                return
            }
            let count = parts.reduce(0) { $0 + $1.count }
            guard let start = file.baseAddress, let copy = malloc(max(1, count)) else { return nil }
            var offset = 0
            for part in parts {
                memcpy(copy + offset, start + part.lowerBound, part.count)
                offset += part.count
            }
            bytes = UnsafeBufferPointer(start: copy.assumingMemoryBound(to: UInt8.self), count: count)
            self.copy = copy
        }

        deinit { free(copy) }
    }
}
