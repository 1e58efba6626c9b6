import CFFmpeg
import Facts
import Frames
import MediaModel

/// Reads camera originals: the embedded preview, or the developed sensor data if it is missing or too small.
enum RawReader {
    static func examine(_ descriptor: Int32, _ job: MediaJob) throws(FFmpegError) -> (MediaFacts, [Thumbnail]) {
        let packet = try Packet.contents(of: descriptor, limit: PhotoReader.fileLimit)
        do throws(FFmpegError) {
            return try original(packet, descriptor, job)
        } catch {
            // LibRaw does not know every maker's format, nor a TIFF that an editor exported with a camera's tags.
            let isTIFF = job.type == .otherRaw || TIFFDirectories.beginWithWholePicture(packet.buffer)
            guard !error.isOutOfMemory, isTIFF else { throw error }
        }
        DecoderLog.clear()
        var job = job
        job.type = .tiff
        return try TIFFReader.examine(descriptor, job)
    }

    private static func original(
        _ packet: borrowing Packet, _ descriptor: Int32, _ job: MediaJob
    ) throws(FFmpegError) -> (MediaFacts, [Thumbnail]) {
        var facts = MediaFacts(kind: .photo, type: job.type)
        facts.codec = "raw"
        let raw = try RawPicture.opened(packet.buffer)
        let preview = raw.preview()
        // Empty for an original that is no TIFF; in one that is, EXIF may lie behind the sensor's picture.
        let parts = PictureParts(of: packet.buffer, type: .tiff)
        let exif = exif(raw, parts.exif ?? Array(packet.buffer.prefix(0xFFF0)), preview: preview)
        facts.add(exif, WrittenDates(parts), of: descriptor)
        facts.show(raw.shape)
        guard let longSide = job.specs.map(\.longSide).max() else { return (facts, []) }
        var shown: ThumbnailRenderer.Rendered?
        if let frame = try frame(of: preview, maxPixels: job.limits.maxPixels) {
            let isLarge = max(frame.width, frame.height) >= min(longSide, raw.shape.longSide)
            let rendered = try rendered(frame, of: raw, job)
            // A blank preview says nothing about the picture that the sensor saw.
            if !rendered.isOfOneColour { shown = rendered }
            if let shown, isLarge {
                facts.add(shown)
                return (facts, shown.thumbnails)
            }
        }
        let developed = try developed(raw, for: longSide, job, instead: shown)
        facts.add(developed)
        return (facts.notingOneColour(of: developed), developed.thumbnails)
    }

    /// The sensor's picture; if it cannot be developed, the smaller `preview`.
    private static func developed(
        _ raw: borrowing RawPicture, for longSide: Int, _ job: MediaJob, instead preview: ThumbnailRenderer.Rendered?
    ) throws(FFmpegError) -> ThumbnailRenderer.Rendered {
        do throws(FFmpegError) {
            // For the missing end of a shorter file, LibRaw would show memory that it never wrote.
            guard job.type != .rw2 || raw.hasByteForEachPixel else {
                throw FFmpegError(call: "libraw_unpack", code: cffmpeg_error_invalid_data)
            }
            return try rendered(try raw.developed(for: longSide, maxPixels: job.limits.maxPixels), of: raw, job)
        } catch {
            guard !error.isOutOfMemory, let preview else { throw error }
            DecoderLog.clear()
            return preview
        }
    }

    private static func rendered(
        _ frame: consuming Frame, of raw: borrowing RawPicture, _ job: MediaJob
    ) throws(FFmpegError) -> ThumbnailRenderer.Rendered {
        let shape = Shape(
            width: frame.width, height: frame.height, pixelAspect: 1, orientation: raw.shape.orientation)
        return try ThumbnailRenderer.rendered(frame, shownAs: shape, for: job)
    }

    /// The EXIF in `block`, or the preview's if it names no model, completed by what LibRaw found in the maker's tags.
    private static func exif(
        _ raw: borrowing RawPicture, _ block: [UInt8], preview: RawPicture.Preview?
    ) -> ExifFacts {
        var exif = ExifFacts(block)
        if exif.model == nil, case .jpeg(let bytes)? = preview {
            exif = bytes.withUnsafeBufferPointer { ExifFacts(PictureParts(of: $0, type: .jpeg).exif ?? []) }
        }
        exif.maker = exif.maker ?? raw.maker
        exif.model = exif.model ?? raw.model
        return exif
    }

    /// The preview's pixels; `nil` if there is no usable one.
    private static func frame(of preview: RawPicture.Preview?, maxPixels: Int) throws(FFmpegError) -> Frame? {
        switch preview {
        case nil: return nil
        case .bitmap(let bitmap): return try Frame.copy(of: bitmap)
        case .jpeg(let bytes):
            do throws(FFmpegError) {
                let options = Decoder.Options(maxPixels: maxPixels)
                return try PhotoReader.decoded(try Packet.copy(of: bytes), by: "mjpeg", options: options)
            } catch {
                guard !error.isOutOfMemory else { throw error }
                return nil
            }
        }
    }
}
