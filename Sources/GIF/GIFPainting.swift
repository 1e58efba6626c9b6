import CFFmpeg
package import Frames

/// Paints several pictures of a GIF over each other, which make up one because no time passes between them.
///
/// FFmpeg copies the whole canvas for each; files in true colours have hundreds of pictures, nearly all transparent.
package struct GIFPainting: ~Copyable {
    private let frame: Frame
    private let pixels: UnsafeMutablePointer<UInt8>
    /// Bytes from a row to the next.
    private let stride: Int
    /// Numbers of colours in a row of a picture.
    private var line: [UInt8] = []
    private var isEmpty = true

    /// The canvas as it is after the last picture, with alpha; `nil` if none has a row.
    ///
    /// What lies beside the canvas is cut off. A picture that is cut short leaves a message in `DecoderLog`.
    ///
    /// - Parameter deadline: After it no other picture is begun.
    package static func frame(
        of bytes: UnsafeBufferPointer<UInt8>, _ canvas: GIFCanvas, until deadline: ContinuousClock.Instant
    ) throws(FFmpegError) -> Frame? {
        guard canvas.pixels > 0, var painting = try GIFPainting(canvas) else { return nil }
        var next = GIFPart(bytes, from: GIFPart.start(in: bytes))
        while let part = next {
            next = ContinuousClock.now < deadline ? GIFPart(bytes, from: part.end(in: bytes)) : nil
            let below = part.disposal == .restore && next != nil ? painting.copy(of: part) : []
            painting.paint(part, bytes)
            if next == nil { break }
            switch part.disposal {
            case .keep: break
            case .clear: painting.replace(part, with: [])
            case .restore: painting.replace(part, with: below)
            }
        }
        return painting.isEmpty ? nil : painting.taken()
    }

    private init?(_ canvas: GIFCanvas) throws(FFmpegError) {
        frame = try Frame.blank(width: canvas.width, height: canvas.height, format: AV_PIX_FMT_RGBA)
        guard let data = frame.pointer.pointee.data.0 else { return nil }
        (pixels, stride) = (data, Int(frame.pointer.pointee.linesize.0))
        pixels.update(repeating: 0, count: stride * canvas.height)
    }

    private consuming func taken() -> Frame { frame }

    /// Bytes of a row of the part that lie on the canvas.
    private func length(_ part: GIFPart) -> Int { max(0, min(part.width, frame.width - part.x)) * 4 }

    private func row(_ part: GIFPart, _ y: Int) -> UnsafeMutablePointer<UInt8>? {
        part.y + y < frame.height ? pixels + (part.y + y) * stride + part.x * 4 : nil
    }

    private mutating func paint(_ part: GIFPart, _ bytes: UnsafeBufferPointer<UInt8>) {
        guard var codes = GIFCodes(bytes, start: part.start) else {
            return DecoderLog.keep("one of its pictures has no valid codes")
        }
        if line.count != part.width { line = [UInt8](repeating: 0, count: part.width) }
        let order = part.order
        for index in 0..<part.height {
            guard line.withUnsafeMutableBufferPointer({ codes.fill($0) }) else {
                return DecoderLog.keep("the file ends within one of its pictures")
            }
            isEmpty = false
            if let row = row(part, order?[index] ?? index) { paint(part, into: row) }
        }
    }

    /// Paints the row in `line`; what is transparent stays as it is.
    private func paint(_ part: GIFPart, into row: UnsafeMutablePointer<UInt8>) {
        let (row, count) = (UnsafeMutableRawPointer(row), length(part) / 4)
        let transparent = part.transparent.map { UInt64($0) &* 0x0101_0101_0101_0101 }
        line.withUnsafeBytes { line in
            part.colours.withUnsafeBufferPointer { colours in
                var x = 0
                while x < count {
                    // In most rows of such files nothing is painted.
                    if x &+ 8 <= count, line.loadUnaligned(fromByteOffset: x, as: UInt64.self) == transparent {
                        x &+= 8
                        continue
                    }
                    if line[x] != part.transparent {
                        row.storeBytes(of: colours[Int(line[x])].littleEndian, toByteOffset: x &* 4, as: UInt32.self)
                    }
                    x &+= 1
                }
            }
        }
    }

    /// The pixels in the place of a part.
    private func copy(of part: GIFPart) -> [UInt8] {
        (0..<part.height).flatMap { y in
            Array(UnsafeBufferPointer(start: row(part, y), count: row(part, y) == nil ? 0 : length(part)))
        }
    }

    /// Puts pixels in the place of a part; transparent ones if there are none.
    private func replace(_ part: GIFPart, with pixels: [UInt8]) {
        let length = length(part)
        for y in 0..<part.height {
            guard let row = row(part, y) else { return }
            guard !pixels.isEmpty else {
                row.update(repeating: 0, count: length)
                continue
            }
            pixels.withUnsafeBufferPointer { pixels in
                guard let start = pixels.baseAddress else { return }
                row.update(from: start + y * length, count: length)
            }
        }
    }
}
