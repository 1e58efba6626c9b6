import MediaModel

extension CameraNote {
    /// What is stated in boxes of a movie that FFmpeg does not hand over; `nil` if nothing is.
    package init?(_ boxes: MovieBoxes) {
        time = Self.shared(boxes)
        guard self != CameraNote() else { return nil }
    }

    /// The date that Apple writes into a movie that is exported or shared (ExifTool, QuickTime tags: date).
    ///
    /// Without a zone it is not believed, because Apple Photos writes other dates there.
    private static func shared(_ boxes: MovieBoxes) -> CivilTime? {
        guard let text = boxes.userData(named: "date") else { return nil }
        let time = CivilTime(iso8601: String(decoding: text.prefix { $0 != 0 }, as: UTF8.self))
        return time?.offset == nil || time?.isUniversal == true ? nil : time
    }
}
