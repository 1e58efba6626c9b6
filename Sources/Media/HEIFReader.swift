import CFFmpeg
import Facts
import Frames
import MediaModel

/// Reads HEIC, HEIF and AVIF: the primary image of the collection, or the best of a sequence.
enum HEIFReader {
    /// If the primary image cannot be read, tries the track of pictures that a file may have (ISO/IEC 23008-12, 7).
    static func examine(_ descriptor: Int32, _ job: MediaJob) throws(FFmpegError) -> (MediaFacts, [Thumbnail]) {
        var facts = MediaFacts(kind: .photo, type: job.type)
        facts.codec = job.type == .avif ? "av1" : "hevc"
        let failure: FFmpegError
        do throws(FFmpegError) {
            let thumbnails = try still(descriptor, job, facts: &facts)
            return (facts, thumbnails)
        } catch {
            guard !error.isOutOfMemory else { throw error }
            failure = error
        }
        let words = DecoderLog.lastError
        do throws(FFmpegError) {
            var (track, thumbnails) = try MovieReader.examine(descriptor, job, demuxers: ["mov"])
            track.takeOrigin(of: facts)
            if !thumbnails.isEmpty || job.specs.isEmpty { return (track, thumbnails) }
        } catch {
            guard !error.isOutOfMemory else { throw error }
        }
        if let words { DecoderLog.keep(words) }
        throw failure
    }

    /// Thumbnails of the primary image; if decoding fails, `facts` still has what was known before.
    private static func still(
        _ descriptor: Int32, _ job: MediaJob, facts: inout MediaFacts
    ) throws(FFmpegError) -> [Thumbnail] {
        let packet = try Packet.contents(of: descriptor, limit: PhotoReader.fileLimit)
        if let references = HEIFReferences(shortening: packet.buffer) {
            packet.replace(at: references.offset, by: references.bytes)
        }
        let picture = try HEIFPicture.opened(packet.buffer)
        var parts = PictureParts(exif: picture.exif)
        parts.xmp = picture.xmp
        let exif = ExifFacts(parts.exif ?? [])
        facts.add(exif, WrittenDates(parts), of: descriptor)
        facts.addClip(parts, in: packet.buffer)
        if PictureParts.namesGainMap(packet.buffer) { facts.noteGainMap() }
        // The file's own rotation counts, not EXIF's, and libheif applies it (ISO/IEC 23008-12, 6.5.10).
        facts.show(Shape(width: picture.width, height: picture.height, pixelAspect: 1, orientation: .upright))
        if picture.swapsSides { facts.rotation = exif.orientation.flatMap { $0.swapsSides ? $0.rotation : nil } }
        guard let longSide = job.specs.map(\.longSide).max() else { return [] }
        let frame = try picture.frame(for: longSide, maxPixels: job.limits.maxPixels)
        facts.hdr = frame.hdr
        let shape = Shape(
            width: facts.width ?? frame.width, height: facts.height ?? frame.height, pixelAspect: 1,
            orientation: .upright)
        let rendered = try ThumbnailRenderer.rendered(
            frame, shownAs: shape, for: job, space: exif.isAdobeRGB ? .adobeRGB : nil)
        facts.add(rendered)
        facts = facts.notingOneColour(of: rendered)
        return rendered.thumbnails
    }
}

extension MediaFacts {
    /// Takes over the date, camera, identifier and clip of `still`.
    ///
    /// Of these, a track states at most its date.
    fileprivate mutating func takeOrigin(of still: MediaFacts) {
        if let source = still.takenAtSource, source != .file {
            (takenAt, takenAtOffset) = (still.takenAt, still.takenAtOffset)
            (takenAtSource, isExposureDate) = (source, still.isExposureDate)
        }
        (camera, contentIdentifier) = (still.camera, still.contentIdentifier)
        (isMotionPhoto, clip) = (still.isMotionPhoto, still.clip)
    }
}
