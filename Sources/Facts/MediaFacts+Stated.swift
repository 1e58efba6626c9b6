package import MediaModel

extension MediaFacts {
    /// Sets what EXIF, XMP and IPTC state; if they have no date, the file's modification time counts.
    package mutating func add(_ exif: ExifFacts, _ written: WrittenDates = WrittenDates(), of descriptor: Int32) {
        camera =
            Self.camera(maker: exif.maker, model: exif.model)
            ?? Self.camera(maker: written.maker, model: written.model)
        contentIdentifier = exif.contentIdentifier
        date(by: CaptureDate(exif, written) ?? CaptureDate(file: descriptor))
    }

    /// Sets when it was taken.
    package mutating func date(by taken: CaptureDate?) {
        guard let taken else { return }
        (takenAt, takenAtOffset) = (taken.date, taken.offset)
        (takenAtSource, isExposureDate) = (taken.source, taken.isOfExposure)
    }

    /// Sets whether a short video follows the picture in `file`, and where.
    package mutating func addClip(_ parts: PictureParts, in file: UnsafeBufferPointer<UInt8>) {
        guard parts.isMotionPhoto(file) else { return }
        isMotionPhoto = true
        clip = EmbeddedClip(in: file)
    }

    /// Notes that HDR screens could show more than the thumbnails do.
    package mutating func noteGainMap() {
        notes.append("The picture has a gain map for HDR screens; its thumbnails show the picture without it")
    }

    /// Maker and model in one text, without repeating the maker (`Canon Canon EOS R5`).
    package static func camera(maker: String?, model: String?) -> String? {
        guard let model else { return maker }
        guard let maker, let first = maker.split(separator: " ").first,
            !model.lowercased().hasPrefix(first.lowercased())
        else { return model }
        return "\(maker) \(model)"
    }
}
