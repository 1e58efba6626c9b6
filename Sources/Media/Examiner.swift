import CHeif
import Documents
import Facts
import Frames
package import MediaModel
import TIFF

/// Finds out what a media file is and makes its thumbnails; the only entry point for untrusted bytes.
package enum Examiner {
    /// Loads what needs files (the time zone, libheif's plug-ins); called once, before the process confines itself.
    package static func prepare() {
        _ = heif_init(nil)
        CaptureDate.prepare()
        DecoderLog.capture()
        TIFFPicture.prepare()
    }

    /// Files that decoders open by their paths while they work, if they are there.
    package static var files: [String] { DocumentFonts.files }

    /// Examines the open file behind `descriptor`, which stays open and whose offset does not matter.
    ///
    /// Never throws: a file that cannot be read is a `failed` answer. Blocks until done. Several threads may each
    /// examine a file at the same time.
    package static func examine(_ descriptor: Int32, _ job: MediaJob) -> MediaAnswer {
        DecoderLog.ofOneFile { ExifMemory.ofOneFile { answer(about: descriptor, job) } }
    }

    private static func answer(about descriptor: Int32, _ job: MediaJob) -> MediaAnswer {
        do throws(FFmpegError) {
            let result = try result(descriptor, job)
            return MediaAnswer(id: job.id, result: ExifMemory.isExhausted ? .outOfMemory : result)
        } catch  where error.isOutOfMemory {
            return MediaAnswer(id: job.id, result: .outOfMemory)
        } catch {
            return MediaAnswer(id: job.id, result: .failed(error.explained(by: DecoderLog.lastError)))
        }
    }

    /// Identifies the bytes again, because a decoder that gets another format may do worse than fail with an error.
    private static func result(_ descriptor: Int32, _ job: MediaJob) throws(FFmpegError) -> MediaAnswer.Result {
        let header = try DescriptorInput.start(of: descriptor, count: MediaIdentity.headerLength)
        let claim = Array((job.type.fileExtension ?? "").utf8)
        let identity = MediaIdentity(header: header, fileExtension: claim)
        guard let identity, identity.isCertain || DecoderRoute(identity.type) == .notDecoded else {
            return .failed(header.isEmpty ? "The file is empty" : "The bytes are no \(job.type.name)")
        }
        var job = job
        job.type = identity.type
        let (facts, thumbnails) = try read(descriptor, job)
        return .examined(facts, thumbnails)
    }

    private static func read(
        _ descriptor: Int32, _ job: MediaJob
    ) throws(FFmpegError) -> (MediaFacts, [Thumbnail]) {
        switch DecoderRoute(job.type) {
        case .picture where job.type == .tiff:
            return try TIFFReader.examine(descriptor, job)
        case .picture(let decoder, let codec):
            return try PhotoReader.examine(descriptor, job, decoder: decoder, codec: codec)
        case .container(let demuxers) where job.type == .gif:
            return try GIFReader.examine(descriptor, job, demuxers: demuxers)
        case .container(let demuxers):
            return try MovieReader.examine(descriptor, job, demuxers: demuxers)
        case .collection:
            return try HEIFReader.examine(descriptor, job)
        case .raw:
            return try RawReader.examine(descriptor, job)
        case .document:
            return try PDFReader.examine(descriptor, job)
        case .sidecar:
            return try SidecarReader.examine(descriptor, job)
        case .notDecoded:
            let note = "No thumbnail: nothing here decodes \(job.type.name)"
            return (MediaFacts(kind: job.type.kind, type: job.type, notes: [note]), [])
        }
    }
}
