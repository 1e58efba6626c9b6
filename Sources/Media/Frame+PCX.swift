import CFFmpeg
import Frames

extension Frame {
    /// A PCX of four planes of bytes, red, green, blue and alpha, as KDE writes it; `nil` for others, which FFmpeg reads.
    ///
    /// Each row has the four planes in turn, packed in runs (ZSoft PCX, technical reference).
    static func transparentPCX(_ file: UnsafeBufferPointer<UInt8>, maxPixels: Int) throws(FFmpegError) -> Frame? {
        guard file.count > 128, file[2] == 1, file[3] == 8, file[65] == 4 else { return nil }
        func number(_ place: Int) -> Int { Int(file[place]) | Int(file[place + 1]) << 8 }
        let (width, height, stride) = (number(8) - number(4) + 1, number(10) - number(6) + 1, number(66))
        guard width > 0, height > 0, width <= stride else { return nil }
        try FFmpegError.checkSize(width, height, limit: maxPixels, "PCX")
        let frame = try Frame.blank(width: width, height: height, format: AV_PIX_FMT_GBRAP)
        let (data, rows) = (frame.pointer.pointee.data, frame.pointer.pointee.linesize)
        guard let green = data.0, let blue = data.1, let red = data.2, let alpha = data.3 else { return nil }
        let planes = [(red, Int(rows.2)), (green, Int(rows.0)), (blue, Int(rows.1)), (alpha, Int(rows.3))]
        for (plane, row) in planes { plane.update(repeating: 0, count: row * height) }
        var (at, place) = (128, 0)
        while at < file.count, place < 4 * height * stride {
            var (count, value) = (1, file[at])
            if value >= 0xC0, at + 1 < file.count {
                (count, value, at) = (Int(value & 0x3F), file[at + 1], at + 1)
            }
            for byte in place..<min(place + count, 4 * height * stride) where byte % stride < width {
                let (plane, row) = planes[byte / stride % 4]
                plane[byte / stride / 4 * row + byte % stride] = value
            }
            (at, place) = (at + 1, place + count)
        }
        let there = place / stride / 4
        if there < height { DecoderLog.keep("\(there) of \(height) rows are there") }
        return frame
    }
}
