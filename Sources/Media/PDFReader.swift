import CFFmpeg
import Documents
import Facts
import Frames
import MediaModel

/// Reads the first page of a PDF document, which most often is a scan.
enum PDFReader {
    static func examine(_ descriptor: Int32, _ job: MediaJob) throws(FFmpegError) -> (MediaFacts, [Thumbnail]) {
        let answer = PopplerLog.ofOneDocument {
            Result { () throws(FFmpegError) in try read(descriptor, job) }
        }
        return try answer.get()
    }

    private static func read(_ descriptor: Int32, _ job: MediaJob) throws(FFmpegError) -> (MediaFacts, [Thumbnail]) {
        var facts = MediaFacts(kind: .photo, type: job.type)
        facts.codec = "pdf"
        let packet = try Packet.contents(of: descriptor, limit: PhotoReader.fileLimit)
        let page: PDFPage
        do throws(PDFPage.Refusal) {
            page = try PDFPage.first(of: packet.buffer)
        } catch {
            guard let note = try note(of: error) else { throw damage }
            facts.date(by: CaptureDate(file: descriptor))
            facts.notes.append(note)
            return (facts, [])
        }
        var parts = PictureParts(exif: nil)
        parts.xmp = page.metadata
        var written = WrittenDates(parts)
        // A document's own date is not that of the photo in it.
        written.created = nil
        let exif = ExifFacts([])
        facts.add(exif, written, of: descriptor)
        (facts.width, facts.height, facts.rotation) = (page.width, page.height, 0)
        guard let longSide = job.specs.map(\.longSide).max() else { return (facts, []) }
        let frame: Frame
        do throws(FFmpegError) {
            frame = try page.drawn(for: longSide)
        } catch {
            if let words = PopplerLog.words { DecoderLog.keep(words) }
            throw error
        }
        if PopplerLog.lacksFont {
            facts.notes.append("Text in fonts that the document lacks is not drawn: decoders have none for its script")
        }
        let shape = Shape(width: frame.width, height: frame.height, pixelAspect: 1, orientation: .upright)
        let rendered = try ThumbnailRenderer.rendered(frame, shownAs: shape, for: job)
        // No thumbnail, because the page looks empty only for lack of fonts.
        if rendered.isOfOneColour, PopplerLog.lacksFont { return (facts, []) }
        facts.add(rendered)
        return (facts.notingOneColour(of: rendered), rendered.thumbnails)
    }

    /// The note on a document without a page to draw; `nil` for a damaged one.
    private static func note(of refusal: PDFPage.Refusal) throws(FFmpegError) -> String? {
        switch refusal {
        case .locked: return "The document is encrypted: its pages need its password"
        case .empty: return "The document has no pages"
        case .outOfMemory: throw FFmpegError(call: "Poppler", code: cffmpeg_error_out_of_memory)
        case .damaged: return nil
        }
    }

    private static var damage: FFmpegError {
        if let words = PopplerLog.words { DecoderLog.keep(words) }
        return FFmpegError(call: "Poppler", code: cffmpeg_error_invalid_data)
    }
}
