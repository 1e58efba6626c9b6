import Database
package import MediaModel
import Queue

extension Library {
    /// A file of the same directory that belongs to an asset, or that an asset belongs to.
    package struct Companion: Hashable, Sendable {
        /// The file's name in the directory that both share.
        package let name: [UInt8]
        /// How the two files belong together.
        package let companionship: Companionship
        /// Whether this file belongs to the asset asked about, and not the other way round.
        package let isOurs: Bool
    }

    /// The files that belong together with the one at `place`, by their names.
    ///
    /// Worked out at each call: names alone decide it, so nothing needs to be stored or kept up to date.
    static func companions(of place: Asset.Place, in database: Connection) throws -> [Companion] {
        let stem = place.name.prefix { $0 != UInt8(ascii: ".") }
        guard !stem.isEmpty else { return [] }
        // The names that begin with the stem are a range of the primary key.
        let names = try database.rows(
            """
            SELECT name FROM assets WHERE directory = ? AND name >= ? AND name < ?
            AND state NOT IN (\(Asset.State.gone.rawValue), \(Asset.State.ignored.rawValue)) ORDER BY name
            """, .integer(place.directory), .blob(stem + [UInt8(ascii: ".")]), .blob(stem + [UInt8(ascii: "/")])
        ) { $0.blob(0) }
        return names.filter { $0 != place.name }.compactMap { name in
            if let ours = Companionship(of: name, to: place.name) {
                return Companion(name: name, companionship: ours, isOurs: true)
            }
            return Companionship(of: place.name, to: name).map {
                Companion(name: name, companionship: $0, isOurs: false)
            }
        }
    }
}
