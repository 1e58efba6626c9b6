import Facts
import Frames

/// The metadata in a PNG's texts, which only its decoder unpacks; XMP by its standard, the rest by ImageMagick's custom.
extension Frame {
    /// The keys of texts that may hold metadata.
    static let keysOfPNG = ["exif", "APP1", "xmp", "iptc", "8bim"].map(rawProfile) + [xmpKey]
    /// XMP part 3, 1.1.5.
    private static let xmpKey = "XML:com.adobe.xmp"

    private static func rawProfile(_ name: String) -> String { "Raw profile type \(name)" }

    /// A TIFF header with its directories.
    var exifText: [UInt8]? { block("exif") ?? block("APP1") }

    /// The XMP metadata (XML).
    var xmpText: [UInt8]? { metadata(Self.xmpKey).map { Array($0.utf8) } ?? block("xmp") }

    /// IPTC's records, alone or among Photoshop's resources.
    var iptcText: [UInt8]? { block("iptc") ?? block("8bim") }

    private func block(_ name: String) -> [UInt8]? {
        metadata(Self.rawProfile(name)).flatMap(PictureParts.block(ofText:))
    }
}
