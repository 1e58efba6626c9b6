import CFFmpeg
import Facts
import Frames

/// A Windows icon or pointer: a directory of pictures, each a PNG or a BMP without its file header.
struct IconFile {
    private let bytes: UnsafeBufferPointer<UInt8>

    /// - Parameter bytes: The file, which must outlive this value.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count >= 22, bytes[0] == 0, bytes[1] == 0, bytes[2] == 1 || bytes[2] == 2, bytes[3] == 0 else {
            return nil
        }
        self.bytes = bytes
    }

    /// The widest picture; among equally wide ones that with the most bytes, because it has the most colours.
    var largest: Entry? {
        let count = min(Int(bytes[4]) | Int(bytes[5]) << 8, (bytes.count - 6) / 16)
        return (0..<count).compactMap { index in
            let at = 6 + 16 * index
            let (length, start) = (
                bytes.number(at: at + 8, bigEndian: false), bytes.number(at: at + 12, bigEndian: false)
            )
            // Some programs state a length too short for the picture's header; the picture then ends with the file.
            let end = length >= 40 ? start + length : bytes.count
            guard end <= bytes.count, start <= end - 40 else { return nil }
            let width = bytes[at] == 0 ? 256 : Int(bytes[at])
            return Entry(width: width, bytes: UnsafeBufferPointer(rebasing: bytes[start..<end]))
        }
        .max { ($0.width, $0.bytes.count) < ($1.width, $1.bytes.count) }
    }

    /// One picture of the directory.
    struct Entry {
        let width: Int
        let bytes: UnsafeBufferPointer<UInt8>

        /// Its bytes if it is a PNG.
        var png: [UInt8]? { bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) ? Array(bytes) : nil }

        /// The pixels if it is a bitmap, else `nil`.
        func frame(maxPixels: Int) throws(FFmpegError) -> Frame? {
            let head = bytes.number(at: 0, bigEndian: false)
            guard head >= 40, head <= bytes.count, bytes.number(at: 16, bigEndian: false) == 0 else { return nil }
            // The height also counts the mask, which lies below the picture.
            let height = bytes.number(at: 8, bigEndian: false) / 2
            let bits = Int(bytes[14])
            let colours = bytes.number(at: 32, bigEndian: false)
            let palette = bits <= 8 ? 4 * (colours > 0 ? min(colours, 1 << bits) : 1 << bits) : 0
            guard head + palette <= bytes.count else { return nil }
            let file = bitmap(height: height, bits: bits, palette: bytes[head..<head + palette], from: head + palette)
            // A packet keeps the bytes alive.
            let packet = try Packet.copy(of: file)
            guard let frame = try BMPPicture(packet.buffer)?.frame(maxPixels: maxPixels) else { return nil }
            guard bits < 32 else { return frame }
            let row = (frame.width * bits + 31) / 32 * 4
            let (start, stride) = (head + palette + row * height, (frame.width + 31) / 32 * 4)
            // Where the mask is cut off, it hides nothing.
            return try frame.masked { x, y in
                let line = start + (height - 1 - y) * stride
                return line + stride <= bytes.count && bytes[line + x / 8] >> (7 - x % 8) & 1 == 1
            }
        }

        /// A BMP file of the picture without its mask; one of 32 bits keeps its alpha.
        private func bitmap(
            height: Int, bits: Int, palette: Slice<UnsafeBufferPointer<UInt8>>, from pixels: Int
        ) -> [UInt8] {
            func number(_ value: Int, _ width: Int = 4) -> [UInt8] {
                (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            }
            let masks = bits == 32 ? [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000].flatMap { number($0) } : []
            let head = 40 + masks.count
            let start = 14 + head + palette.count
            var file = Array("BM".utf8) + number(start + bytes.count - pixels) + number(0) + number(start)
            file += number(head) + bytes[4..<8] + number(height) + number(1, 2) + number(bits, 2)
            file += number(masks.isEmpty ? 0 : 3) + number(0) + number(0) + number(0) + number(palette.count / 4)
            return file + number(0) + masks + palette + bytes[pixels...]
        }
    }
}

extension Frame {
    /// A copy whose hidden pixels are transparent, and all others opaque.
    func masked(_ isHidden: (_ x: Int, _ y: Int) -> Bool) throws(FFmpegError) -> Frame {
        let target = Scaler.Target(width: width, height: height, format: AV_PIX_FMT_RGBA)
        let result = try Scaler.convert(self, to: target, flags: SWS_POINT)
        guard let data = result.pointer.pointee.data.0 else { return result }
        for y in 0..<height {
            let line = data + y * Int(result.pointer.pointee.linesize.0)
            for x in 0..<width { line[x * 4 + 3] = isHidden(x, y) ? 0 : 255 }
        }
        return result
    }
}
