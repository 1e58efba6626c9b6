package import CFFmpeg
package import MediaModel

/// A decoded picture in FFmpeg's memory, freed with its owner.
package struct Frame: ~Copyable {
    /// FFmpeg's own structure, valid as long as the frame.
    package let pointer: UnsafeMutablePointer<AVFrame>

    /// An empty frame for a decoder to fill.
    package init() throws(FFmpegError) {
        pointer = try FFmpegError.check(av_frame_alloc(), "av_frame_alloc")
    }

    /// A frame with memory for a picture of this size.
    package static func blank(width: Int, height: Int, format: AVPixelFormat) throws(FFmpegError) -> Frame {
        let frame = try Frame()
        frame.pointer.pointee.width = Int32(width)
        frame.pointer.pointee.height = Int32(height)
        frame.pointer.pointee.format = format.rawValue
        try FFmpegError.check(av_frame_get_buffer(frame.pointer, 0), "av_frame_get_buffer")
        return frame
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&pointer)
    }

    /// Pixels.
    package var width: Int { Int(pointer.pointee.width) }
    /// Pixels.
    package var height: Int { Int(pointer.pointee.height) }
    /// How the pixels lie in memory.
    package var format: AVPixelFormat { AVPixelFormat(pointer.pointee.format) }

    /// Whether the decoder found damage in it.
    var isDamaged: Bool {
        pointer.pointee.decode_error_flags != 0 || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }

    /// Width of a pixel over its height; 1 where the file states none or an implausible one.
    package var pixelAspect: Double { pointer.pointee.sample_aspect_ratio.aspect }

    /// A metadata value, such as EXIF's `Model`, without surrounding spaces.
    package func metadata(_ key: String) -> String? { Metadata.text(key, in: pointer.pointee.metadata) }

    /// Attaches an ICC profile.
    package func setProfile(_ profile: UnsafeBufferPointer<UInt8>) {
        guard let start = profile.baseAddress,
            let side = av_frame_new_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE, profile.count)
        else { return }
        side.pointee.data.update(from: start, count: profile.count)
    }

    /// How the picture is to be turned, by the display matrix the decoder attached.
    package var displayMatrix: Orientation? {
        guard let side = av_frame_get_side_data(pointer, AV_FRAME_DATA_DISPLAYMATRIX), side.pointee.size >= 36
        else { return nil }
        let matrix = UnsafeRawPointer(side.pointee.data)?.assumingMemoryBound(to: Int32.self)
        return Orientation(displayMatrix: Array(UnsafeBufferPointer(start: matrix, count: 9)))
    }
}

extension AVRational {
    /// The quotient, or 0 where the denominator is 0.
    var value: Double { den == 0 ? 0 : Double(num) / Double(den) }

    /// The quotient as a pixel's aspect ratio: 1 unless it lies within what cameras produce.
    var aspect: Double { (0.1...10).contains(value) ? value : 1 }
}

/// FFmpeg's dictionaries of text.
package enum Metadata {
    static func text(_ key: String, in dictionary: OpaquePointer?) -> String? {
        guard let entry = av_dict_get(dictionary, key, nil, 0), let value = entry.pointee.value else { return nil }
        let text = String(cString: value)
        let trimmed = text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
        return trimmed.isEmpty ? nil : String(trimmed)
    }
}
