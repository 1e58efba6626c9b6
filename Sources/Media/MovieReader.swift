import CFFmpeg
import Facts
import Frames
import MediaModel

/// Reads a container: a video, an animation, or sound with a cover.
enum MovieReader {
    static func examine(
        _ descriptor: Int32, _ job: MediaJob, demuxers: [String]
    ) throws(FFmpegError) -> (MediaFacts, [Thumbnail]) {
        let demuxer = try Demuxer.opened(descriptor, as: demuxers, limits: job.limits)
        guard let stream = demuxer.movie else { return try sound(in: demuxer, descriptor, job) }
        var facts = describe(stream, in: demuxer, descriptor, job)
        do throws(FFmpegError) {
            // The thumbnails come first, because rendering them adds to the facts.
            let pictures = try thumbnails(of: stream, in: demuxer, job, facts: &facts)
            return (facts, pictures)
        } catch {
            facts.notes.append("No picture could be decoded: \(error.words ?? DecoderLog.lastError ?? "\(error)")")
            let pictures = try cover(in: demuxer, job, facts: &facts)
            return (facts, pictures)
        }
    }

    private static func describe(
        _ stream: Stream, in demuxer: borrowing Demuxer, _ descriptor: Int32, _ job: MediaJob
    ) -> MediaFacts {
        let isVideo = job.type.kind != .photo
        var facts = MediaFacts(kind: isVideo ? .video : .photo, type: job.type)
        facts.codec = stream.codecName
        facts.show(
            Shape(
                width: stream.width, height: stream.height, pixelAspect: stream.pixelAspect,
                orientation: stream.orientation))
        facts.hdr = HDRTransfer(stream.parameters.pointee.color_trc)
        guard isVideo else {
            facts.date(
                by: CaptureDate(containerOf: demuxer, stream: stream, type: job.type) ?? CaptureDate(file: descriptor))
            return facts
        }
        facts.duration = demuxer.duration
        facts.framesPerSecond = stream.framesPerSecond
        facts.hasAudio = demuxer.hasAudio
        facts.addOrigin(of: demuxer, stream, descriptor)
        return facts
    }

    /// Also corrects the size by the frame itself, which may state that its pixels are not square.
    private static func thumbnails(
        of stream: Stream, in demuxer: borrowing Demuxer, _ job: MediaJob, facts: inout MediaFacts
    ) throws(FFmpegError) -> [Thumbnail] {
        guard let longSide = job.specs.map(\.longSide).max() else { return [] }
        var search = PosterSearch(limits: job.limits, longSide: longSide)
        guard let frame = try search.poster(of: stream, in: demuxer) else {
            facts.notes.append("No picture could be decoded: the file holds none")
            return try cover(in: demuxer, job, facts: &facts)
        }
        let shape = Shape(
            width: frame.width, height: frame.height, pixelAspect: demuxer.pixelAspect(of: frame, in: stream),
            orientation: stream.orientation)
        facts.show(shape)
        facts.hdr = frame.hdr ?? facts.hdr
        facts.posterFrames = search.scored
        let rendered = try ThumbnailRenderer.rendered(frame, shownAs: shape, for: job)
        facts.add(rendered)
        return rendered.thumbnails
    }

    /// A container without moving pictures, whose cover may be its thumbnail.
    private static func sound(
        in demuxer: borrowing Demuxer, _ descriptor: Int32, _ job: MediaJob
    ) throws(FFmpegError) -> (MediaFacts, [Thumbnail]) {
        var facts = MediaFacts(kind: demuxer.hasAudio ? .audio : job.type.kind, type: job.type)
        facts.duration = demuxer.duration
        facts.hasAudio = demuxer.hasAudio
        guard let any = demuxer.streams.first(where: { !$0.isAttachedPicture }) ?? demuxer.streams.first else {
            facts.notes.append("The file holds neither pictures nor sound")
            return (facts, [])
        }
        facts.codec = any.codecName
        facts.notes.append("Sound only: the file holds no moving pictures")
        facts.addOrigin(of: demuxer, any, descriptor)
        let pictures = try cover(in: demuxer, job, facts: &facts)
        return (facts, pictures)
    }

    /// Thumbnails of the cover that the container holds beside its streams; empty without one.
    private static func cover(
        in demuxer: borrowing Demuxer, _ job: MediaJob, facts: inout MediaFacts
    ) throws(FFmpegError) -> [Thumbnail] {
        guard let cover = demuxer.streams.first(where: \.isAttachedPicture) else { return [] }
        let rendered = try PhotoReader.thumbnails(ofAttachedPictureIn: cover, job)
        facts.add(rendered)
        return rendered.thumbnails
    }
}

extension MediaFacts {
    /// Sets date, camera, Live Photo identifier, cover and chapters by the container's metadata.
    fileprivate mutating func addOrigin(of demuxer: borrowing Demuxer, _ stream: Stream, _ descriptor: Int32) {
        let isCamcorders = type == .mpegTS || stream.codecName == "dvvideo"
        let camcorder = isCamcorders ? CameraNote(of: stream, in: demuxer) : nil
        let isMovie = DecoderRoute(type) == DecoderRoute(.mp4)
        let note = camcorder ?? (isMovie ? CameraNote(movie: descriptor) : nil)
        date(
            by: camcorder?.time.flatMap { CaptureDate($0, source: .container) }
                ?? CaptureDate(goPro: demuxer)
                ?? CaptureDate(containerOf: demuxer, stream: stream, type: type, noted: note?.time)
                ?? (type == .wmv ? CaptureDate(asf: descriptor) : nil)
                ?? (type == .avi ? CaptureDate(avi: descriptor) : nil)
                ?? CaptureDate(file: descriptor))
        // Of all cameras only a GoPro names its firmware, and so itself.
        let goPro = demuxer.metadata("firmware").flatMap { $0.hasPrefix("H") ? "GoPro" : nil }
        camera = MediaFacts.camera(
            maker: demuxer.first(of: ["com.apple.quicktime.make", "com.android.manufacturer", "make"])
                ?? note?.maker ?? goPro,
            model: demuxer.first(of: ["com.apple.quicktime.model", "com.android.model", "model"]) ?? note?.model)
        contentIdentifier = demuxer.metadata("com.apple.quicktime.content.identifier")
        hasCover = demuxer.streams.contains(where: \.isAttachedPicture)
        chapters = demuxer.chapters.isEmpty ? nil : demuxer.chapters
    }
}
