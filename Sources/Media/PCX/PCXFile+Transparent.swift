import CFFmpeg
import Frames

extension PCXFile {
    /// One of four planes of bytes, red, green, blue and alpha, as KDE writes it; `nil` for others, which FFmpeg reads.
    func transparentFrame(maxPixels: Int) throws(FFmpegError) -> Frame? {
        guard bits == 8, planes == 4, width <= stride else { return nil }
        try FFmpegError.checkSize(width, height, limit: maxPixels, "PCX")
        let frame = try Frame.blank(width: width, height: height, format: AV_PIX_FMT_GBRAP)
        let (data, rows) = (frame.pointer.pointee.data, frame.pointer.pointee.linesize)
        guard let green = data.0, let blue = data.1, let red = data.2, let alpha = data.3 else { return nil }
        let colours = [(red, Int(rows.2)), (green, Int(rows.0)), (blue, Int(rows.1)), (alpha, Int(rows.3))]
        for (colour, row) in colours { colour.update(repeating: 0, count: row * height) }
        let extent = eachRun { y, columns, value in
            for column in columns.clamped(to: 0..<line) where column % stride < width {
                let (colour, row) = colours[column / stride]
                colour[y * row + column % stride] = value
            }
        }
        if extent.rows < height { DecoderLog.keep("\(extent.rows) of \(height) rows are there") }
        return frame
    }
}
