package import Database
import MediaModel
package import Queue
package import Records

// The two halves of a Live Photo, found by Apple's identifier among the files that have the same name.
extension Schema {
    /// Joins all that belong together in a library of an earlier version.
    static func findPairs(in database: Connection) throws {
        let movies = try database.rows(
            """
            SELECT a.directory, a.name FROM contents c JOIN assets a INDEXED BY assets_content ON a.sha256 = c.sha256
            WHERE a.sha256 IS NOT NULL AND c.type = 'video/quicktime' AND \(identifier) IS NOT NULL
                AND a.taken IS NOT NULL AND a.standing IS NOT NULL
            """
        ) { Asset.Place(at: 0, of: $0) }
        for movie in movies {
            let companions = try database.companions(of: movie)
            guard let other = try database.otherHalf(of: movie, among: companions) else { continue }
            try database.run(joining, binding: [.integer(movie.directory), .blob(movie.name), .blob(other)])
        }
    }

    /// Joins the first file of a directory with the second and the third, which are one.
    package static let joining = """
        UPDATE assets SET pair = CASE name WHEN ?2 THEN ?3 ELSE ?2 END WHERE directory = ?1 AND name IN (?2, ?3)
        """

    fileprivate static let identifier = "json_extract(c.facts, '$.contentIdentifier')"
}

extension Connection {
    /// The name of the other half of a Live Photo; `nil` if it has none, or if that one has another half already.
    package func otherHalf(of place: Asset.Place, among companions: [Companion]) throws -> [UInt8]? {
        let candidates = companions.filter { $0.companionship == .livePhoto }
        guard !candidates.isEmpty, let mine = try half(at: place), mine.pair == nil else { return nil }
        for companion in candidates {
            let other = Asset.Place(directory: place.directory, name: companion.name)
            if try half(at: other) == mine { return companion.name }
        }
        return nil
    }

    private struct Half: Equatable {
        let identifier: String
        let pair: [UInt8]?
    }

    /// What a file states of a Live Photo that it is a half of; `nil` where it is none.
    private func half(at place: Asset.Place) throws -> Half? {
        try first(
            """
            SELECT \(Schema.identifier), a.pair FROM assets a JOIN contents c ON c.sha256 = a.sha256
            WHERE a.directory = ? AND a.name = ? AND \(Schema.identifier) IS NOT NULL
            """, .integer(place.directory), .blob(place.name)
        ) { Half(identifier: $0.text(0), pair: $0.blobOrNil(1)) }
    }
}
