import Database
import Queue
import Records
import Tables

// The photo and the movie of a Live Photo find each other by their names and by Apple's identifier in both.
extension Library {
    /// Joins the file at `place` with its other half, where that is known.
    func join(_ place: Asset.Place, _ companions: [Companion]) throws {
        guard let other = try database.otherHalf(of: place, among: companions) else { return }
        try write(Schema.joining, .integer(place.directory), .blob(place.name), .blob(other))
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
}
