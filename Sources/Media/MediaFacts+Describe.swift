import MediaModel

extension MediaFacts {
    /// Notes size and turn of the picture as it is shown.
    mutating func show(_ shape: Shape) {
        width = shape.shown.width
        height = shape.shown.height
        rotation = shape.orientation.rotation
        isMirrored = shape.orientation.isMirrored
    }

    /// Notes what EXIF says; of the moment what the file's own time says where EXIF is silent.
    mutating func add(_ exif: ExifFacts, of descriptor: Int32) {
        camera = Self.camera(maker: exif.maker, model: exif.model)
        if let taken = CaptureDate(exif) ?? CaptureDate(file: descriptor) {
            takenAt = taken.date
            takenAtSource = taken.source
        }
    }

    /// Notes what making its pictures told.
    mutating func add(_ rendered: ThumbnailRenderer.Rendered) {
        thumbHash = rendered.thumbHash
        background = rendered.background
    }

    /// Maker and model in one, without saying the maker twice (`Canon Canon EOS R5`).
    static func camera(maker: String?, model: String?) -> String? {
        guard let model else { return maker }
        guard let maker, let first = maker.split(separator: " ").first,
            !model.lowercased().hasPrefix(first.lowercased())
        else { return model }
        return "\(maker) \(model)"
    }
}
