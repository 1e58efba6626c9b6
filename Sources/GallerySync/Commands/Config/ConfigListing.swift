import CommandLine
import Configuration
import Gallery
import Output
import Platform
import Supabase
import Text

/// Every setting with its value and origin, and the paths of the files.
struct ConfigListing {
    let setup: Setup
    /// The key of the destination; only its kind and origin are shown.
    let key: AccountKey?

    /// Aligned columns: key, value, origin; defaults without an origin.
    var lines: [String] {
        let rows = setup.loaded.rows.map { row in
            (row.key, row.value.line, row.origin == .standard ? "" : "(\(row.origin))")
        }
        let places = self.places.map { ($0.0, $0.1.display, "") }
        let secret = (
            "key", key.map { $0.kind == .unknown ? "•••" : "••• \($0.kind)" } ?? "none",
            key.map { "(\($0.origin))" } ?? ""
        )
        let head = "Profile \(setup.loaded.profile)" + (setup.configuration == nil ? ", no configuration file" : "")
        return [head, ""] + Self.columns(rows + [secret]) + ["", "Files"] + Self.columns(places)
    }

    private static func columns(_ rows: [(String, String, String)]) -> [String] {
        let first = rows.map { DisplayText.width($0.0) }.max() ?? 0
        return rows.map { name, value, origin in
            let start = "  \(DisplayText.left(name, columns: first))  \(DisplayText.safe(value))"
            return origin.isEmpty ? start : start + "  " + DisplayText.safe(origin)
        }
    }

    private var places: [(String, FilePath)] {
        let locations = setup.locations
        return [
            ("configuration", locations.configuration), ("state", locations.state), ("cache", locations.cache),
            ("storage", locations.storage), ("socket", locations.controlSocket),
        ]
    }

    /// One document, `gallery-sync/config/1`.
    func json() throws -> [UInt8] {
        try JSONDocument.bytes(
            Document(
                profile: setup.loaded.profile,
                settings: Dictionary(
                    uniqueKeysWithValues: setup.loaded.rows.map {
                        ($0.key, Document.Entry(value: $0.value, origin: "\($0.origin)"))
                    }), key: key?.origin,
                files: Dictionary(uniqueKeysWithValues: places.map { ($0.0, $0.1.display) })))
    }

    private struct Document: Encodable {
        struct Entry: Encodable {
            let value: SettingValue
            let origin: String
        }

        var schema = "gallery-sync/config/1"
        let profile: String
        let settings: [String: Entry]
        /// Where the key was found; never the key.
        @OrNull var key: String?
        let files: [String: String]
    }
}
