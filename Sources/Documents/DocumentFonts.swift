import CPoppler
import Glibc

/// The fonts that replace those which a document or a drawing does not contain.
package enum DocumentFonts {
    /// Files that are opened by their paths while a document or a drawing is drawn, if they are there.
    package static let files = paths + CharacterMaps.paths

    /// Their paths in Debian: fonts with the widths of PDF's base fonts; DejaVu, which comes with fontconfig; and fonts
    /// for Chinese, Japanese and Korean.
    private static let paths: [String] =
        ["Sans", "Serif", "Mono"].flatMap { family in
            ["Regular", "Bold", "Italic", "BoldItalic"].map {
                "\(folder)/truetype/liberation/Liberation\(family)-\($0).ttf"
            }
        }
        + ["Sans", "Sans-Bold", "Serif", "Serif-Bold", "SansMono", "SansMono-Bold"].map {
            "\(folder)/truetype/dejavu/DejaVu\($0).ttf"
        }
        + ["StandardSymbolsPS", "D050000L"].map { "\(folder)/opentype/urw-base35/\($0).otf" }
        + ["\(folder)/truetype/droid/DroidSansFallbackFull.ttf"]

    private static let folder = "/usr/share/fonts"

    private static let areThere: Bool = {
        let words = paths.map { strdup($0) }
        defer { words.forEach { free($0) } }
        return cpoppler_use_fonts(words.map { UnsafePointer($0) }, Int32(words.count)) > 0
    }()

    /// Reads the fonts at the first call, before a library looks for fonts by itself; returns whether there are any.
    @discardableResult
    package static func prepare() -> Bool { areThere }
}
