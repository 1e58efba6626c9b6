package import Database
import MediaModel
package import Queue
package import Records

extension Connection {
    /// The files that belong together with the one at `place`, by their names.
    ///
    /// Worked out at each call: names alone decide it, so nothing needs to be stored or kept up to date.
    package func companions(of place: Asset.Place) throws -> [Companion] {
        try companionNames(of: place).filter { $0 != place.name }.compactMap { name in
            if let ours = Companionship(of: name, to: place.name) {
                return Companion(name: name, companionship: ours, isOurs: true)
            }
            return Companionship(of: place.name, to: name).map {
                Companion(name: name, companionship: $0, isOurs: false)
            }
        }
    }

    /// The names among which all companions of the file at `place` are.
    package func companionNames(of place: Asset.Place) throws -> [[UInt8]] {
        // The stem ends at the last dot: the first dot may come so early that every name in the directory begins alike.
        let dot = place.name.lastIndex(of: UInt8(ascii: ".")) ?? 0
        let stem = dot > 0 ? Array(place.name[..<dot]) : place.name
        let isThere = "state NOT IN \(assets: [.gone, .ignored])"
        // Names that continue the stem are a range of the primary key; sidecars may be named after a whole file name.
        return try rows(
            """
            SELECT name FROM assets WHERE directory = ?1 AND name >= ?2 AND name < ?3 AND \(isThere)
            UNION ALL SELECT name FROM assets WHERE directory = ?1 AND name = ?4 AND \(isThere) ORDER BY name
            """, .integer(place.directory), .blob(stem + [UInt8(ascii: ".")]), .blob(stem + [UInt8(ascii: "/")]),
            .blob(stem)
        ) { $0.blob(0) }
    }
}
