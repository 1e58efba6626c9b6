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

    /// Sets what EXIF, XMP and IPTC state; without a date in them, the file's modification time counts.
    mutating func add(_ exif: ExifFacts, _ written: WrittenDates = WrittenDates(), of descriptor: Int32) {
        camera = Self.camera(maker: exif.maker, model: exif.model)
        contentIdentifier = exif.contentIdentifier
        date(by: CaptureDate(exif, written) ?? CaptureDate(file: descriptor))
    }

    /// Sets when it was taken.
    mutating func date(by taken: CaptureDate?) {
        guard let taken else { return }
        (takenAt, takenAtSource, isExposureDate) = (taken.date, taken.source, taken.isOfExposure)
    }

    /// Sets what rendering the thumbnails showed.
    mutating func add(_ rendered: ThumbnailRenderer.Rendered) {
        thumbHash = rendered.thumbHash
        background = rendered.background
    }

    /// Sets whether a short video follows the picture in `file`, and where.
    mutating func addClip(_ parts: PictureParts, in file: UnsafeBufferPointer<UInt8>) {
        guard parts.isMotionPhoto(file) else { return }
        isMotionPhoto = true
        clip = EmbeddedClip(in: file)
    }

    /// Notes that HDR screens could show more than the thumbnails do.
    mutating func noteGainMap() {
        notes.append("The picture has a gain map for HDR screens; its thumbnails show the picture without it")
    }

    /// With a note where the picture is of one colour and its decoder is known to leave blank what it cannot read.
    func notingOneColour(of rendered: ThumbnailRenderer.Rendered) -> MediaFacts {
        guard rendered.isOfOneColour else { return self }
        var facts = self
        facts.notes.append(
            "The picture is of one colour: if it should not be, its coding (\(codec ?? type.name)) is not read here")
        return facts
    }

    /// Maker and model in one text, without repeating the maker (`Canon Canon EOS R5`).
    static func camera(maker: String?, model: String?) -> String? {
        guard let model else { return maker }
        guard let maker, let first = maker.split(separator: " ").first,
            !model.lowercased().hasPrefix(first.lowercased())
        else { return model }
        return "\(maker) \(model)"
    }
}
