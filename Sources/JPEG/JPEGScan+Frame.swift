import CFFmpeg
import Frames

// The smaller picture of a JPEG, of which each block becomes `side` by `side` samples.
extension JPEGScan {
    /// A frame with room for all units.
    func paddedFrame(side: Int) throws(FFmpegError) -> Frame {
        try Frame.blank(
            width: units.across * unit.across * side, height: units.down * unit.down * side, format: format)
    }

    /// Leaves out of the frame what completes the last units, and states its colours.
    func trim(_ frame: borrowing Frame, side: Int) {
        frame.pointer.pointee.width = Int32((width * side + 7) / 8)
        frame.pointer.pointee.height = Int32((height * side + 7) / 8)
        frame.pointer.pointee.color_range = AVCOL_RANGE_JPEG
        frame.pointer.pointee.colorspace = AVCOL_SPC_SMPTE170M
    }

    /// The format of its planes.
    private var format: AVPixelFormat {
        switch (components.count, colourStep.across, colourStep.down) {
        case (1, _, _): AV_PIX_FMT_GRAY8
        case (_, 2, 2): AV_PIX_FMT_YUVJ420P
        case (_, 2, 1): AV_PIX_FMT_YUVJ422P
        case (_, 1, 2): AV_PIX_FMT_YUVJ440P
        default: AV_PIX_FMT_YUVJ444P
        }
    }
}

extension Frame {
    /// The first three planes, and the bytes from each row to the next.
    var planes: [(data: UnsafeMutablePointer<UInt8>?, stride: Int)] {
        let frame = pointer.pointee
        return [
            (frame.data.0, Int(frame.linesize.0)), (frame.data.1, Int(frame.linesize.1)),
            (frame.data.2, Int(frame.linesize.2)),
        ]
    }
}
