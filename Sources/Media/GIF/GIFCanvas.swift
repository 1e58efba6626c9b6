import CFFmpeg
import Frames

/// The canvas of a GIF, which its decoder makes in full whatever the file holds.
enum GIFCanvas {
    /// Pixels that are made without a question: 64 MB.
    static let harmless = 1 << 24
    /// The most pixels of a byte: a code of 12 bits stands for 4,096 of them at most (GIF89a, appendix F).
    private static let pixelsPerByte = 2731

    /// Refuses a canvas that the file's bytes could not fill: only damage makes one, and half a gigabyte would be blank.
    static func check(_ descriptor: Int32) throws(FFmpegError) {
        guard let (width, height) = try size(descriptor) else { return }
        let count = Int(try DescriptorInput.size(of: descriptor))
        guard width * height > max(harmless, count * pixelsPerByte) else { return }
        DecoderLog.keep("Its \(count) bytes cannot fill the \(width) × \(height) pixels that it claims")
        throw FFmpegError(call: "GIF", code: cffmpeg_error_invalid_data)
    }

    /// The sides of the canvas, in pixels; `nil` where the file is too short to have one.
    static func size(_ descriptor: Int32) throws(FFmpegError) -> (width: Int, height: Int)? {
        let header = try DescriptorInput.start(of: descriptor, count: 10)
        guard header.count == 10 else { return nil }
        return (Int(header[6]) | Int(header[7]) << 8, Int(header[8]) | Int(header[9]) << 8)
    }
}
