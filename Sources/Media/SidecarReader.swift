import CFFmpeg
import Facts
import Formats
import Frames
import MediaModel

/// Reads an editor's notes about a photo or video, from which only the date is used.
enum SidecarReader {
    /// The most bytes that are read, because the dates come before an editor's history, which may be long.
    private static let limit = 1 << 20

    static func examine(_ descriptor: Int32, _ job: MediaJob) throws(FFmpegError) -> (MediaFacts, [Thumbnail]) {
        var facts = MediaFacts(kind: .sidecar, type: job.type)
        var parts = PictureParts(exif: nil)
        parts.xmp = try DescriptorInput.start(of: descriptor, count: limit).inUTF8
        let taken = CaptureDate(ExifFacts(), WrittenDates(parts))
        // Its other dates are about the notes themselves.
        if let taken, taken.isOfExposure { facts.date(by: taken) }
        return (facts, [])
    }
}
