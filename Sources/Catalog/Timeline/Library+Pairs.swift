import Database
import MediaModel
import Queue

// The photo and the movie of a Live Photo find each other by their names and by Apple's identifier in both.
extension Library {
    /// Joins the file at `place` with its other half, where that is known.
    func join(_ place: Asset.Place, _ companions: [Companion]) throws {
        guard let other = try Self.otherHalf(of: place, among: companions, in: database) else { return }
        try write(Self.joining, .integer(place.directory), .blob(place.name), .blob(other))
    }

    /// Parts the file at `place` from its other half, because its content has changed.
    func part(_ place: Asset.Place) throws {
        let pair = try database.first(
            "SELECT pair FROM assets WHERE directory = ? AND name = ? AND pair IS NOT NULL", .integer(place.directory),
            .blob(place.name)
        ) { $0.blob(0) }
        guard let pair else { return }
        try write(
            "UPDATE assets SET pair = NULL WHERE directory = ? AND name IN (?, ?)", .integer(place.directory),
            .blob(place.name), .blob(pair))
    }

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
            let companions = try companions(of: movie, in: database)
            guard let other = try otherHalf(of: movie, among: companions, in: database) else { continue }
            try database.run(joining, binding: [.integer(movie.directory), .blob(movie.name), .blob(other)])
        }
    }

    private static let joining = """
        UPDATE assets SET pair = CASE name WHEN ?2 THEN ?3 ELSE ?2 END WHERE directory = ?1 AND name IN (?2, ?3)
        """

    private static let identifier = "json_extract(c.facts, '$.contentIdentifier')"

    /// The name of the other half of a Live Photo; `nil` if it has none, or if that one has another half already.
    private static func otherHalf(
        of place: Asset.Place, among companions: [Companion], in database: Connection
    ) throws -> [UInt8]? {
        let candidates = companions.filter { $0.companionship == .livePhoto }
        guard !candidates.isEmpty, let mine = try half(at: place, in: database), mine.pair == nil else { return nil }
        for companion in candidates {
            let other = Asset.Place(directory: place.directory, name: companion.name)
            if try half(at: other, in: database) == mine { return companion.name }
        }
        return nil
    }

    private struct Half: Equatable {
        let identifier: String
        let pair: [UInt8]?
    }

    /// What a file states of a Live Photo that it is a half of; `nil` where it is none.
    private static func half(at place: Asset.Place, in database: Connection) throws -> Half? {
        try database.first(
            """
            SELECT \(identifier), a.pair FROM assets a JOIN contents c ON c.sha256 = a.sha256
            WHERE a.directory = ? AND a.name = ? AND \(identifier) IS NOT NULL
            """, .integer(place.directory), .blob(place.name)
        ) { Half(identifier: $0.text(0), pair: $0.blobOrNil(1)) }
    }
}
