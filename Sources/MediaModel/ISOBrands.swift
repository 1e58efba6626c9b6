/// Identifies an ISO base media file by its brands.
enum ISOBrands {
    /// The type by the file type box or, in old QuickTime files, by the first atom; `nil` for any other file.
    ///
    /// With a generic major brand (`mif1`, `msf1`), the compatible brands decide.
    static func type(of header: HeaderBytes) -> MediaType? {
        guard let box = header.fourCharacters(at: 4), let size = header.number(at: 0, width: 4, littleEndian: false)
        else { return nil }
        guard box == "ftyp" else { return oldQuickTime(box, size: size, next: header.fourCharacters(at: 12)) }
        guard let major = header.fourCharacters(at: 8) else { return nil }
        let end = min(size, header.count)
        let compatible = stride(from: 16, to: max(16, end - 3), by: 4).compactMap { header.fourCharacters(at: $0) }
        if generic.contains(major) {
            return compatible.lazy.compactMap { byBrand[$0] }.first { $0.kind == .photo && $0 != .heif } ?? .heif
        }
        if let type = byBrand[major] { return type }
        if major.hasPrefix("3g2") { return .mobile3GPP2 }
        if major.hasPrefix("3g") { return .mobile3GPP }
        return compatible.lazy.compactMap { byBrand[$0] }.first ?? .mp4
    }

    /// ISO/IEC 23008-12, 10: brands that mean "an image file" and do not tell how it is coded.
    private static let generic: Set<String> = ["mif1", "mif2", "msf1", "miaf"]

    /// Registered at mp4ra.org; ISO/IEC 23008-12 annex B (HEIC), AV1 Image File Format 1.1, 3GPP TS 26.244.
    private static let byBrand: [String: MediaType] = [
        "heic": .heic, "heix": .heic, "heim": .heic, "heis": .heic,
        "hevc": .heicSequence, "hevx": .heicSequence, "hevm": .heicSequence, "hevs": .heicSequence,
        "avif": .avif, "avis": .avif, "avio": .avif,
        "crx ": .cr3,
        "jp2 ": .jp2, "jpx ": .jp2,
        "qt  ": .quickTime,
        "M4V ": .m4v, "M4VH": .m4v, "M4VP": .m4v,
        "M4A ": .m4a, "M4B ": .m4a, "M4P ": .m4a,
        "isom": .mp4, "iso2": .mp4, "iso4": .mp4, "iso5": .mp4, "iso6": .mp4, "mp41": .mp4, "mp42": .mp4,
        "avc1": .mp4, "dash": .mp4, "MSNV": .mp4, "mmp4": .mp4, "XAVC": .mp4,
    ]

    /// QuickTime files older than the file type box begin with one of these atoms.
    private static func oldQuickTime(_ box: String, size: Int, next: String?) -> MediaType? {
        // Size 1 announces a 64-bit size, 0 the rest of the file.
        guard size >= 8 || size <= 1 else { return nil }
        switch box {
        case "moov": return next == "mvhd" || next == "cmov" ? .quickTime : nil
        case "mdat", "wide", "pnot": return .quickTime
        default: return nil
        }
    }
}
