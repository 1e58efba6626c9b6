import CDeflate
import CPNG
import Facts
import Glibc

/// The unpacked pixels of a PNG, still filtered, by a decoder twice as fast as zlib that needs all of them at once.
struct UnpackedPNG: ~Copyable {
    private let pixels: UnsafeMutableBufferPointer<UInt8>
    /// The range of the file with the chunks of the packed pixels.
    private let chunks: Range<Int>

    /// The most bytes of unpacked pixels; larger pictures are unpacked row by row.
    private static let limit = 48 << 20

    /// `nil` if the pixels are too large, or damaged in any way.
    ///
    /// - Parameter maxPixels: Width times height at most.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, maxPixels: Int) {
        let parts = Self.parts(of: bytes)
        guard let count = Self.unpackedCount(bytes, maxPixels: maxPixels), let first = parts.first,
            let last = parts.last, let whole = Packed(parts, of: bytes), let pixels = malloc(count)
        else { return nil }
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
        chunks = first.lowerBound - 8..<last.upperBound + 4
    }

    deinit { free(pixels.baseAddress) }

    /// Makes `reader`, which must not outlive this value, read the unpacked pixels instead of the chunks.
    func replacePixels(of reader: UnsafeMutablePointer<cpng_reader>) {
        cpng_put_pixels(
            reader, pixels.baseAddress, pixels.count, libdeflate_adler32(1, pixels.baseAddress, pixels.count),
            chunks.lowerBound, chunks.upperBound)
    }

    /// The bytes of all rows, each with a byte for its filter (PNG 3rd edition, 7.2), in all passes if interlaced.
    private static func unpackedCount(_ bytes: UnsafeBufferPointer<UInt8>, maxPixels: Int) -> Int? {
        guard bytes.count > 33, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        let (width, height) = (bytes.number(at: 16, bigEndian: true), bytes.number(at: 20, bigEndian: true))
        guard width > 0, height > 0, width <= Int32.max, width <= min(maxPixels, limit) / height,
            let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][bytes[25]]
        else { return nil }
        let bits = samples * Int(bytes[24])
        let passes = bytes[28] == 0 ? [(0, 0, 1, 1)] : interlacing
        let count = passes.reduce(0) { sum, pass in
            let across = max(0, width - pass.0 + pass.2 - 1) / pass.2
            let down = max(0, height - pass.1 + pass.3 - 1) / pass.3
            return across > 0 ? sum + down * (1 + (across * bits + 7) / 8) : sum
        }
        return (1...limit).contains(count) ? count : nil
    }

    /// First column, first row, steps between columns and rows of each pass (PNG 3rd edition, 8.1).
    private static let interlacing = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]

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
