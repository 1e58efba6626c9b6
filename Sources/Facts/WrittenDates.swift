package import MediaModel

/// When and with which camera a picture was taken, by its XMP and IPTC records, which editors write and EXIF may lack.
package struct WrittenDates: Hashable {
    /// XMP's moment of exposure or of creation (XMP part 2; exif:DateTimeOriginal, photoshop:DateCreated).
    package var taken: CivilTime?
    /// XMP's moment at which the file's content was made (xmp:CreateDate), which may be that of a scan.
    package var created: CivilTime?
    /// IPTC's date and time of creation (IIM 4.2, 2:55 and 2:60).
    package var recorded: CivilTime?

    /// XMP's maker of the camera (tiff:Make).
    package var maker: String?
    /// XMP's name of the camera (tiff:Model).
    package var model: String?

    /// The statements in the blocks of a file.
    package init(_ parts: PictureParts) {
        // Only the beginning is read, because further on XMP contains pictures and histories.
        let xmp = Array((parts.xmp ?? []).prefix(256 << 10))
        taken = Self.first(["exif:DateTimeOriginal", "photoshop:DateCreated"], in: xmp)
        created = Self.first(["xmp:CreateDate", "xap:CreateDate"], in: xmp)
        recorded = Self.recorded(parts.iptc ?? [])
        (maker, model) = (Self.text(named: "tiff:Make", in: xmp), Self.text(named: "tiff:Model", in: xmp))
    }

    /// No statements.
    package init() {}

    private static func first(_ names: [String], in xmp: [UInt8]) -> CivilTime? {
        names.lazy.compactMap { time(named: $0, in: xmp) }.first
    }

    /// The start of the value of an attribute or an element, whichever way it is written.
    static func value(named name: String, in xmp: [UInt8]) -> [UInt8]? {
        let name = Array(name.utf8)
        guard let place = xmp.withUnsafeBufferPointer({ $0.place(of: name) }) else { return nil }
        var rest = xmp[(place + name.count)...].prefix(64).drop { "=> \n\r\t".utf8.contains($0) }
        if let quote = rest.first, "\"'".utf8.contains(quote) { rest.removeFirst() }
        return Array(rest.prefix { !"<\"'\n\r\t".utf8.contains($0) })
    }

    static func text(named name: String, in xmp: [UInt8]) -> String? {
        guard var value = value(named: name, in: xmp) else { return nil }
        while value.last == UInt8(ascii: " ") { value.removeLast() }
        return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
    }

    private static func time(named name: String, in xmp: [UInt8]) -> CivilTime? {
        guard let value = value(named: name, in: xmp) else { return nil }
        if value.count <= 10 { return CivilTime(dayAlone: String(decoding: value, as: UTF8.self)) }
        // Seconds may be left out (ISO 8601 as in XMP part 1, 8.2.1.2).
        let hasSeconds = value.count > 16 && value[16] == UInt8(ascii: ":")
        let whole = hasSeconds ? value : Array(value.prefix(16) + ":00".utf8 + value.dropFirst(16))
        return CivilTime(iso8601: String(decoding: whole, as: UTF8.self))
    }

    /// Reads `20260620`, in which unknown month and day are 00, and `100000+0900`, which may be missing.
    private static func recorded(_ iptc: [UInt8]) -> CivilTime? {
        guard let date = record(55, length: 8, in: iptc) else { return nil }
        let parts = [date.prefix(4), date.dropFirst(4).prefix(2), date.dropFirst(6)]
        if let time = record(60, length: 11, in: iptc) ?? record(60, length: 6, in: iptc) {
            let clock = "\(time.prefix(2)):\(time.dropFirst(2).prefix(2)):\(time.dropFirst(4).prefix(2))"
            let offset = time.dropFirst(6)
            let whole = CivilTime(exif: "\(parts.joined(separator: ":")) \(clock)", offset: String(offset))
            if let whole { return whole }
        }
        return CivilTime(dayAlone: parts.prefix { $0 != "00" }.joined(separator: "-"))
    }

    private static func record(_ number: UInt8, length: UInt8, in iptc: [UInt8]) -> String? {
        let head = [0x1C, 2, number, 0, length]
        guard let place = iptc.withUnsafeBufferPointer({ $0.place(of: head) }) else { return nil }
        let value = iptc[(place + head.count)...].prefix(Int(length))
        return value.count == length ? String(decoding: value, as: UTF8.self) : nil
    }
}
