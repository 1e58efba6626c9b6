import Catalog
import Database
import Queue
import Tables

extension Library {
    /// How many movies are shown with their photos, and not by themselves.
    func motionCount() throws -> Int {
        try queries.first("SELECT count(*) FROM assets INDEXED BY assets_motions WHERE \(Schema.isMotion)") {
            Int($0.integer(0))
        } ?? 0
    }

    /// The place of the movie that is shown with the photo at `place`.
    func motion(of place: Asset.Place) throws -> Asset.Place? {
        try queries.first(
            """
            SELECT p.directory, p.name FROM assets a JOIN assets p ON \(Schema.isMotionOfPhoto)
            WHERE a.directory = ? AND a.name = ? AND a.pair IS NOT NULL
            """, .integer(place.directory), .blob(place.name)
        ) { Asset.Place(at: 0, of: $0) }
    }
}
