import CFFmpeg
import Facts
import Formats
import Frames
import MediaModel

/// Reads an editor's notes about a photo or video, of which the date counts.
enum SidecarReader {
    /// The most bytes that are read; a long history of an editor follows the dates.
    private static let limit = 1 << 20

    static func examine(_ descriptor: Int32, _ job: MediaJob) throws(FFmpegError) -> (MediaFacts, [Thumbnail]) {
        var facts = MediaFacts(kind: .sidecar, type: job.type)
        var parts = PictureParts(exif: nil)
        parts.xmp = try DescriptorInput.start(of: descriptor, count: limit).inUTF8
        let taken = CaptureDate(ExifFacts(), WrittenDates(parts))
        // Its other dates are those of the notes.
        if let taken, taken.isOfExposure { facts.date(by: taken) }
        return (facts, [])
    }
}
