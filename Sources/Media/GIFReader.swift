import CFFmpeg
import Facts
import Frames
import GIF
import MediaModel

/// Reads a GIF: the best picture of an animation by FFmpeg; all else by us, and what FFmpeg refuses or needs too much for.
enum GIFReader {
    /// The bytes within which the first picture begins, unless a long comment precedes it.
    private static let startLength = 1 << 16

    /// - Parameter composed: The most pixels of a canvas for which FFmpeg is asked.
    static func examine(
        _ descriptor: Int32, _ job: MediaJob, demuxers: [String], composed: Int = GIFCanvas.mostComposed
    ) throws(FFmpegError) -> (MediaFacts, [Thumbnail]) {
        let start = try DescriptorInput.start(of: descriptor, count: startLength)
        if let canvas = GIFCanvas(start) {
            let count = Int(try DescriptorInput.size(of: descriptor))
            guard canvas.canBeFilled(by: count) else {
                DecoderLog.keep(
                    "Its \(count) bytes cannot fill the \(canvas.width) × \(canvas.height) pixels that it claims")
                throw FFmpegError(call: "GIF", code: cffmpeg_error_invalid_data)
            }
            // FFmpeg cuts off the parts of a picture that lie beside the canvas.
            let isCut = start.withUnsafeBufferPointer { GIFPicture($0)?.growsCanvas == true }
            if isCut || canvas.pixels > composed, let found = try first(descriptor, job) { return found }
        }
        if let found = try still(start, descriptor, job) { return found }
        let failure: FFmpegError
        do throws(FFmpegError) {
            let (facts, thumbnails) = try MovieReader.examine(descriptor, job, demuxers: demuxers)
            if !thumbnails.isEmpty || job.specs.isEmpty { return (facts, thumbnails) }
            DecoderLog.clear()
            return try first(descriptor, job) ?? (facts, thumbnails)
        } catch {
            guard !error.isOutOfMemory else { throw error }
            failure = error
        }
        let words = DecoderLog.lastError
        DecoderLog.clear()
        if let found = try first(descriptor, job) { return found }
        if let words { DecoderLog.keep(words) }
        throw failure
    }

    /// A file that is no animation, made of one picture or of several; `nil` for others, and for damaged ones.
    private static func still(
        _ start: [UInt8], _ descriptor: Int32, _ job: MediaJob
    ) throws(FFmpegError) -> (MediaFacts, [Thumbnail])? {
        let blocks = start.withUnsafeBufferPointer { GIFBlocks($0) }
        let count = try DescriptorInput.size(of: descriptor)
        guard !blocks.isAnimation, blocks.isWhole || count > start.count, count <= PhotoReader.fileLimit,
            let canvas = GIFCanvas(start), canvas.pixels <= job.limits.maxPixels
        else { return nil }
        // Named, because a temporary would be freed before its bytes are read.
        let file = try Packet.contents(of: descriptor, limit: PhotoReader.fileLimit)
        let all = GIFBlocks(file.buffer)
        if all.areOnePicture {
            let deadline = ContinuousClock.now + .seconds(job.limits.posterSeconds)
            if let frame = try GIFPainting.frame(of: file.buffer, canvas, until: deadline) {
                return try described(frame, descriptor, job)
            }
        } else if all.isWhole, all.pictures == 1, all.hasSquarePixels, let picture = GIFPicture(file.buffer),
            let painted = try picture.painted(longSide: job.longSide, over: job.background), painted.isWhole
        {
            return try described(painted, of: picture, descriptor, job)
        }
        DecoderLog.clear()
        return nil
    }

    private static func described(
        _ frame: consuming Frame, of whole: PhotoReader.Whole? = nil, _ descriptor: Int32, _ job: MediaJob
    ) throws(FFmpegError) -> (MediaFacts, [Thumbnail]) {
        var facts = MediaFacts(kind: .photo, type: job.type)
        facts.codec = "gif"
        facts.posterFrames = 1
        facts.date(by: CaptureDate(file: descriptor))
        let (found, rendered) = try PhotoReader.describe(frame, of: whole, ExifFacts([]), facts: facts, for: job)
        return (found, rendered.thumbnails)
    }

    private static func described(
        _ painted: consuming GIFPicture.Painted, of picture: GIFPicture, _ descriptor: Int32, _ job: MediaJob
    ) throws(FFmpegError) -> (MediaFacts, [Thumbnail]) {
        let whole = PhotoReader.Whole(
            width: picture.canvas.width, height: picture.canvas.height, isLaid: painted.showsBackground)
        return try described(painted.taken(), of: whole, descriptor, job)
    }

    /// The first picture; `nil` if we cannot read it, or its canvas is too large.
    private static func first(
        _ descriptor: Int32, _ job: MediaJob
    ) throws(FFmpegError) -> (MediaFacts, [Thumbnail])? {
        let file = try Packet.contents(of: descriptor, limit: PhotoReader.fileLimit)
        guard let picture = GIFPicture(file.buffer), picture.canvas.pixels <= job.limits.maxPixels,
            picture.canvas.canBeFilled(by: file.count),
            let painted = try picture.painted(longSide: job.longSide, over: job.background)
        else { return nil }
        return try described(painted, of: picture, descriptor, job)
    }
}
