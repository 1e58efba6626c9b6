import CFFmpeg
import Facts
import Frames
import MediaModel

/// Reads a GIF: the best picture of an animation by FFmpeg, or the first one by us if FFmpeg refuses or needs too much.
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
        if try areOnePicture(start, descriptor), let found = try painted(descriptor, job, demuxers) { return found }
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

    private static func areOnePicture(_ start: [UInt8], _ descriptor: Int32) throws(FFmpegError) -> Bool {
        let blocks = start.withUnsafeBufferPointer { GIFBlocks($0) }
        let count = try DescriptorInput.size(of: descriptor)
        guard !blocks.isWhole, !blocks.isAnimation, count > start.count, count <= PhotoReader.fileLimit else {
            return blocks.areOnePicture
        }
        // Named, because a temporary would be freed before its bytes are read.
        let file = try Packet.contents(of: descriptor, limit: PhotoReader.fileLimit)
        return GIFBlocks(file.buffer).areOnePicture
    }

    /// The canvas after all pictures have been painted; `nil` if none can be.
    private static func painted(
        _ descriptor: Int32, _ job: MediaJob, _ demuxers: [String]
    ) throws(FFmpegError) -> (MediaFacts, [Thumbnail])? {
        let deadline = ContinuousClock.now + .seconds(job.limits.posterSeconds)
        var last: Frame?
        do throws(FFmpegError) {
            let demuxer = try Demuxer.opened(descriptor, as: demuxers, limits: job.limits)
            guard let stream = demuxer.movie, let name = stream.decoder else { return nil }
            let options = Decoder.Options(maxPixels: job.limits.maxPixels)
            let decoder = try Decoder.opened(name, parameters: stream.parameters, options: options)
            let packet = try Packet()
            while ContinuousClock.now < deadline, try demuxer.read(stream, into: packet) {
                try decoder.send(packet)
                while let frame = try decoder.receive() { last = consume frame }
            }
        } catch {
            guard !error.isOutOfMemory else { throw error }
        }
        guard let frame = last.take() else {
            DecoderLog.clear()
            return nil
        }
        return try described(frame, descriptor, job)
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

    /// The first picture; `nil` if we cannot read it, or its canvas is too large.
    private static func first(
        _ descriptor: Int32, _ job: MediaJob
    ) throws(FFmpegError) -> (MediaFacts, [Thumbnail])? {
        let file = try Packet.contents(of: descriptor, limit: PhotoReader.fileLimit)
        guard let picture = GIFPicture(file.buffer), picture.canvas.pixels <= job.limits.maxPixels,
            picture.canvas.canBeFilled(by: file.count),
            let frame = try picture.frame(longSide: job.longSide)
        else { return nil }
        let whole = PhotoReader.Whole(width: picture.canvas.width, height: picture.canvas.height)
        return try described(frame, of: whole, descriptor, job)
    }
}
