import MediaModel

extension CameraNote {
    /// What is stated in boxes of a movie that FFmpeg does not hand over; `nil` if nothing is.
    package init?(_ boxes: MovieBoxes) {
        let notes = [Self.sony(boxes), Self.goPro(boxes), Self.written(boxes)].compactMap { $0 }
        time = Self.shared(boxes) ?? notes.lazy.compactMap(\.time).first
        let camera = notes.first { $0.model != nil } ?? notes.first
        (maker, model) = (camera?.maker, camera?.model)
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

    /// What a GoPro of 2017 and later calls itself in its settings (GoPro's GPMF: `MINF`, characters).
    private static func goPro(_ boxes: MovieBoxes) -> CameraNote? {
        guard let settings = boxes.userData(named: "GPMF") else { return nil }
        let record = Array("MINFc".utf8)
        let name = settings.withUnsafeBufferPointer { bytes -> [UInt8]? in
            // Behind the type the length of a value and their number, then the values, filled up with zeros.
            guard let place = bytes.place(of: record), place + 8 <= bytes.count else { return nil }
            let count = Int(bytes[place + 5]) * (Int(bytes[place + 6]) << 8 | Int(bytes[place + 7]))
            return bytes.dropFirst(place + 8).prefix(min(count, 64)).prefix { (0x20..<0x7F).contains($0) }.map { $0 }
        }
        guard let name, !name.isEmpty else { return nil }
        return CameraNote(maker: "GoPro", model: String(decoding: name, as: UTF8.self))
    }

    /// Sony's description of a clip in XML, in the file's own metadata (ExifTool, XMP tags: XML, NonRealTimeMeta).
    private static func sony(_ boxes: MovieBoxes) -> CameraNote? {
        let mark = Array("<NonRealTimeMeta".utf8)
        guard let place = boxes.metadata.withUnsafeBufferPointer({ $0.place(of: mark) }) else { return nil }
        let text = Array(boxes.metadata[place...])
        let device = text.withUnsafeBufferPointer { $0.place(of: Array("<Device ".utf8)) }.map { Array(text[$0...]) }
        let date = WrittenDates.value(named: "CreationDate value", in: text)
        return CameraNote(
            time: date.flatMap { CivilTime(iso8601: String(decoding: $0, as: UTF8.self)) },
            maker: device.flatMap { WrittenDates.text(named: "manufacturer", in: $0) },
            model: device.flatMap { WrittenDates.text(named: "modelName", in: $0) })
    }

    /// What an editor has written in XMP, also where it corrected the camera (XMP part 3, MPEG-4 and QuickTime).
    private static func written(_ boxes: MovieBoxes) -> CameraNote? {
        var parts = PictureParts(exif: nil)
        parts.xmp = boxes.userData(named: "XMP_") ?? boxes.packet
        let written = WrittenDates(parts)
        // A day alone says less than the moment that the container has.
        let time = written.taken.flatMap { $0.isDayAlone ? nil : $0 }
        return CameraNote(time: time, maker: written.maker, model: written.model)
    }
}
