import CFFmpeg

extension Frame {
    /// A copy of a bitmap.
    package static func copy(of bitmap: Bitmap) throws(FFmpegError) -> Frame {
        let frame = try Frame.blank(width: bitmap.width, height: bitmap.height, format: AV_PIX_FMT_RGB24)
        let row = bitmap.width * 3
        bitmap.rgb.withUnsafeBufferPointer { source in
            guard let from = source.baseAddress, let to = frame.pointer.pointee.data.0 else { return }
            for y in 0..<bitmap.height {
                (to + y * Int(frame.pointer.pointee.linesize.0)).update(from: from + y * row, count: row)
            }
        }
        return frame
    }

    /// A copy of this frame, which must be RGB24.
    var rgbBitmap: Bitmap {
        let row = width * 3
        let rgb = [UInt8](unsafeUninitializedCapacity: row * height) { target, count in
            if let from = pointer.pointee.data.0, let to = target.baseAddress {
                for y in 0..<height {
                    (to + y * row).update(from: from + y * Int(pointer.pointee.linesize.0), count: row)
                }
            }
            count = row * height
        }
        return Bitmap(width: width, height: height, rgb: rgb)
    }
}
