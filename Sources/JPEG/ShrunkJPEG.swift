package import Frames

/// A JPEG at a half, a quarter or an eighth of its size, by a decoder of our own.
package enum ShrunkJPEG {
    /// The small picture with its profile; `nil` if the coding is none that we read, or the file is damaged.
    ///
    /// - Parameter bytes: The file.
    /// - Parameter halvings: Of the size, 1 to 3; with any other number there is no picture.
    /// - Parameter maxPixels: Width times height of the whole picture; of a larger one there is none.
    package static func frame(
        of bytes: UnsafeBufferPointer<UInt8>, halvings: Int, maxPixels: Int
    ) throws(FFmpegError) -> Frame? {
        guard let frame = try decoded(bytes, halvings: halvings, maxPixels: maxPixels) else { return nil }
        bytes.jpegProfile?.withUnsafeBufferPointer { frame.setProfile($0) }
        return frame
    }

    private static func decoded(
        _ bytes: UnsafeBufferPointer<UInt8>, halvings: Int, maxPixels: Int
    ) throws(FFmpegError) -> Frame? {
        if let decoder = ProgressiveDecoder(bytes, halvings: halvings, maxPixels: maxPixels) {
            return try decoder.frame()
        }
        return try ShrinkingDecoder(bytes, halvings: halvings, maxPixels: maxPixels)?.frame()
    }
}
