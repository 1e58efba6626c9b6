import Facts
import Frames
import MediaModel

extension MovieReader {
    /// The first picture of a GIF with a large canvas; `nil` for others, and where only FFmpeg can tell what it is.
    static func largeGIF(
        _ descriptor: Int32, _ job: MediaJob
    ) throws(FFmpegError) -> (MediaFacts, [Thumbnail])? {
        guard let size = try GIFCanvas.size(descriptor), size.width * size.height > LargeGIF.mostComposed,
            size.width * size.height <= job.limits.maxPixels
        else { return nil }
        let file = try Packet.contents(of: descriptor, limit: PhotoReader.fileLimit)
        guard let picture = LargeGIF(file.buffer),
            let frame = try picture.frame(longSide: job.specs.map(\.longSide).max() ?? 1)
        else { return nil }
        var facts = MediaFacts(kind: .photo, type: job.type)
        facts.codec = "gif"
        facts.posterFrames = 1
        let whole = PhotoReader.Whole(width: picture.width, height: picture.height)
        let (found, rendered) = try PhotoReader.describe(frame, of: whole, ExifFacts([]), facts: facts, for: job)
        return (found, rendered.thumbnails)
    }
}
