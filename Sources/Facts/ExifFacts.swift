import CExif
package import MediaModel

/// A picture's EXIF facts, read by libexif; `nil` where a tag is missing or invalid.
package struct ExifFacts: Hashable {
    /// How the picture must be shown.
    package var orientation: Orientation?
    /// Who made the camera.
    package var maker: String?
    /// What the camera is called.
    package var model: String?
    /// When the picture was taken, by the camera's clock.
    package var taken: CivilTime?
    /// When it was digitized: for a scan, later than it was taken.
    package var digitized: CivilTime?
    /// When the file was changed last.
    package var changed: CivilTime?
    /// The GPS date and time, in UTC.
    package var satellites: CivilTime?
    /// Apple's identifier of a Live Photo.
    var contentIdentifier: String?
    /// Whether its colours are in Adobe RGB (DCF 2.0, 3.2.2.2: `R03`).
    package var isAdobeRGB = false

    /// The facts that a block of EXIF states.
    ///
    /// - Parameter block: A TIFF header with its directories, with or without `Exif\0\0` before it.
    package init(_ block: some Collection<UInt8>) {
        // libexif reads no more than fits into a JPEG's segment.
        let mark = Array("Exif\0\0".utf8)
        let bytes = Array((block.starts(with: mark) ? [] : mark) + Array(block.prefix(0xFFF0)))
        guard bytes.count > 14, let data = ExifMemory.emptyBlock() else { return }
        defer { exif_data_unref(data) }
        // By default libexif repairs what it reads; we need the original values.
        exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
        // Some programs write the tags of one directory into another, where libexif does not know them.
        exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS)
        exif_data_load_data(data, bytes, UInt32(bytes.count))
        read(Directories(data: data))
    }

    /// Facts of a picture that states none.
    package init() {}

    private mutating func read(_ exif: Directories) {
        orientation = exif.number(EXIF_TAG_ORIENTATION, in: EXIF_IFD_0).flatMap(Orientation.init(exif:))
        // Some programs write all into EXIF's own directory.
        maker = exif.text(EXIF_TAG_MAKE, in: EXIF_IFD_0) ?? exif.text(EXIF_TAG_MAKE, in: EXIF_IFD_EXIF)
        model = exif.text(EXIF_TAG_MODEL, in: EXIF_IFD_0) ?? exif.text(EXIF_TAG_MODEL, in: EXIF_IFD_EXIF)
        // Each time has its own offset tag (EXIF 2.31, 4.6.5).
        taken = Self.time(EXIF_TAG_DATE_TIME_ORIGINAL, EXIF_IFD_EXIF, offset: 0x9011, exif)
        digitized = Self.time(EXIF_TAG_DATE_TIME_DIGITIZED, EXIF_IFD_EXIF, offset: 0x9012, exif)
        changed = Self.time(EXIF_TAG_DATE_TIME, EXIF_IFD_0, offset: 0x9010, exif)
        satellites = Self.satellites(exif)
        contentIdentifier = exif.makerNote.flatMap { AppleNote.contentIdentifier(in: $0) }
        isAdobeRGB = exif.text(EXIF_TAG_INTEROPERABILITY_INDEX, in: EXIF_IFD_INTEROPERABILITY) == "R03"
    }

    /// The time in its directory, else in directory 0, into which some programs write all.
    private static func time(
        _ tag: ExifTag, _ directory: ExifIfd, offset: UInt32, _ exif: Directories
    ) -> CivilTime? {
        func text(_ tag: ExifTag, _ directory: ExifIfd) -> String? {
            exif.text(tag, in: directory) ?? exif.text(tag, in: EXIF_IFD_0)
        }
        return text(tag, directory).flatMap { CivilTime(exif: $0, offset: text(ExifTag(offset), EXIF_IFD_EXIF)) }
    }

    /// GPSDateStamp and GPSTimeStamp (EXIF 2.31, 4.6.6): `2026:06:20`, and hour, minute, second as fractions.
    private static func satellites(_ exif: Directories) -> CivilTime? {
        guard let date = exif.text(ExifTag(0x1D), in: EXIF_IFD_GPS), date.utf8.count >= 10,
            let clock = exif.fractions(ExifTag(0x07), in: EXIF_IFD_GPS), clock.count == 3
        else { return nil }
        let time = clock.map { Int($0) }.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        var civil = CivilTime(exif: "\(date.prefix(10)) \(time)")
        civil?.offset = 0
        return civil
    }
}

/// The directories of one EXIF block, valid as long as `data`.
private struct Directories {
    let data: UnsafeMutablePointer<ExifData>

    func text(_ tag: ExifTag, in directory: ExifIfd) -> String? {
        // The reference code of Android's cameras writes text without its proper type.
        guard let entry = entry(tag, in: directory), [EXIF_FORMAT_ASCII, EXIF_FORMAT_UNDEFINED].contains(entry.format)
        else { return nil }
        let bytes = UnsafeBufferPointer(start: entry.data, count: Int(entry.size)).prefix { $0 != 0 }
        let text = String(decoding: bytes, as: UTF8.self)
        let trimmed = text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
        return trimmed.isEmpty || trimmed.count > 100 ? nil : String(trimmed)
    }

    func number(_ tag: ExifTag, in directory: ExifIfd) -> Int? {
        guard let entry = entry(tag, in: directory), entry.size >= 2, entry.format == EXIF_FORMAT_SHORT else {
            return nil
        }
        return Int(exif_get_short(entry.data, exif_data_get_byte_order(data)))
    }

    func fractions(_ tag: ExifTag, in directory: ExifIfd) -> [Double]? {
        guard let entry = entry(tag, in: directory), entry.format == EXIF_FORMAT_RATIONAL,
            entry.components <= 4, Int(entry.size) >= Int(entry.components) * 8
        else { return nil }
        let values = (0..<Int(entry.components)).map {
            exif_get_rational(entry.data + $0 * 8, exif_data_get_byte_order(data))
        }
        guard values.allSatisfy({ $0.denominator > 0 && $0.numerator / $0.denominator < 100 }) else { return nil }
        return values.map { Double($0.numerator) / Double($0.denominator) }
    }

    /// The maker's own block; valid as long as `data`.
    var makerNote: UnsafeBufferPointer<UInt8>? {
        entry(EXIF_TAG_MAKER_NOTE, in: EXIF_IFD_EXIF).map { UnsafeBufferPointer(start: $0.data, count: Int($0.size)) }
    }

    private func entry(_ tag: ExifTag, in directory: ExifIfd) -> ExifEntry? {
        guard (0..<EXIF_IFD_COUNT.rawValue).contains(directory.rawValue) else { return nil }
        let content = withUnsafePointer(to: data.pointee.ifd) { tuple in
            UnsafeRawPointer(tuple).assumingMemoryBound(to: UnsafeMutablePointer<ExifContent>?.self)[
                Int(directory.rawValue)]
        }
        guard let content, let entry = exif_content_get_entry(content, tag), entry.pointee.data != nil else {
            return nil
        }
        return entry.pointee
    }
}
