import Frames
import MediaModel

extension MediaFacts {
    /// Sets the size and orientation of the picture as it is shown.
    mutating func show(_ shape: Shape) {
        width = shape.shown.width
        height = shape.shown.height
        rotation = shape.orientation.rotation
        isMirrored = shape.orientation.isMirrored
    }

    /// Sets the facts that rendering the thumbnails yielded.
    mutating func add(_ rendered: ThumbnailRenderer.Rendered) {
        thumbHash = rendered.thumbHash
        background = rendered.background
    }

    /// The facts, with a note if the picture is of one colour, because decoders may leave blank what they cannot read.
    func notingOneColour(of rendered: ThumbnailRenderer.Rendered) -> MediaFacts {
        guard rendered.isOfOneColour else { return self }
        var facts = self
        facts.notes.append(
            "The picture is of one colour: if it should not be, its coding (\(codec ?? type.name)) is not read here")
        return facts
    }
}
