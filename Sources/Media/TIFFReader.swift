import CFFmpeg
import Facts
import Frames
import MediaModel
import TIFF

/// Reads TIFF by libtiff, and what libtiff refuses by FFmpeg.
enum TIFFReader {
    static func examine(_ descriptor: Int32, _ job: MediaJob) throws(FFmpegError) -> (MediaFacts, [Thumbnail]) {
        var facts = MediaFacts(kind: .photo, type: job.type)
        facts.codec = "tiff"
        let packet = try Packet.contents(of: descriptor, limit: PhotoReader.fileLimit)
        let parts = PictureParts(of: packet.buffer, type: job.type)
        let exif = ExifFacts(parts.exif ?? [])
        facts.add(exif, WrittenDates(parts), of: descriptor)
        let longSide = job.longSide
        let refusal: FFmpegError
        do throws(FFmpegError) {
            let picture = try TIFFPicture.decoded(packet.buffer, longSide: longSide, maxPixels: job.limits.maxPixels)
            let whole = PhotoReader.Whole(
                width: picture.width, height: picture.height, orientation: picture.orientation)
            let (facts, rendered) = try PhotoReader.describe(
                picture.taken(), of: whole, exif, facts: facts, for: job)
            return (facts, rendered.thumbnails)
        } catch {
            guard !error.isOutOfMemory else { throw error }
            refusal = error
        }
        let words = DecoderLog.lastError
        let frame: Frame
        do throws(FFmpegError) {
            frame = try PhotoReader.decoded(
                packet, by: "tiff", options: Decoder.Options(maxPixels: job.limits.maxPixels))
        } catch {
            throw refusal.words == nil ? error : refusal
        }
        let (found, rendered) = try PhotoReader.describe(frame, exif, facts: facts, for: job)
        // FFmpeg silently leaves blank what it cannot read.
        guard !rendered.isOfOneColour else {
            if let words { DecoderLog.keep(words) }
            throw refusal
        }
        return (found, rendered.thumbnails)
    }
}
