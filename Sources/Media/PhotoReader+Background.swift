import Frames
import MediaModel

extension PhotoReader {
    /// The facts and thumbnails of a file that is one coded picture.
    ///
    /// A transparent one that cannot be told from its background, such as a white drawing, is read once more, to be
    /// shown before another background.
    static func examine(
        _ descriptor: Int32, _ job: MediaJob, decoder name: String, codec: String
    ) throws(FFmpegError) -> (MediaFacts, [Thumbnail]) {
        let (facts, rendered) = try read(descriptor, job, decoder: name, codec: codec)
        guard rendered.isOfOneColour, rendered.background != nil else { return (facts, rendered.thumbnails) }
        DecoderLog.clear()
        var job = job
        job.background = job.background.contrasting
        let (others, other) = try read(descriptor, job, decoder: name, codec: codec)
        // What is of one colour there as well is transparent throughout.
        return other.isOfOneColour ? (facts, rendered.thumbnails) : (others, other.thumbnails)
    }
}
