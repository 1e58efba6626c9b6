import CFFmpeg
import Frames

extension Frame {
    /// The picture of a WBMP, in which each pixel is a bit, 1 for white (WAP-237, 6); `nil` if the file is incomplete.
    static func wireless(_ file: UnsafeBufferPointer<UInt8>, maxPixels: Int) throws(FFmpegError) -> Frame? {
        var place = 2
        func number() -> Int? {
            var value = 0
            while place < file.count, value < 1 << 24 {
                let byte = file[place]
                (value, place) = (value << 7 | Int(byte & 127), place + 1)
                if byte < 128 { return value }
            }
            return nil
        }
        guard let width = number(), let height = number(), width > 0, height > 0 else { return nil }
        try FFmpegError.checkSize(width, height, limit: maxPixels, "WBMP")
        let length = (width + 7) / 8
        guard place + length * height <= file.count else { return nil }
        let frame = try Frame.blank(width: width, height: height, format: AV_PIX_FMT_MONOBLACK)
        guard let target = frame.pointer.pointee.data.0, let source = file.baseAddress else { return nil }
        for y in 0..<height {
            let row = target + y * Int(frame.pointer.pointee.linesize.0)
            row.update(from: source + place + y * length, count: length)
        }
        return frame
    }
}
