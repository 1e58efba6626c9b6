import Database
import Platform
package import Queue

extension Library {
    /// A picture of the file that `item` is of was not stored: it is to be made again, durably.
    ///
    /// While others of the file are still being made, that is noted for when they are.
    package func losePicture(of item: Item) throws {
        guard item.role != .original, let place = try place(root: item.root, path: item.filePath) else { return }
        try write(
            """
            UPDATE assets SET thumbnails = CASE WHEN thumbnails IN \(pictures: .owed) THEN \(picture: .lost) ELSE \(picture: .wanted) END
            WHERE directory = ? AND name = ?
                AND state IN \(assets: [.seen, .identifying, .queued, .stored, .failed])
                AND thumbnails IN \(pictures: [.wanted, .made, .lost])
            """, .integer(place.directory), .blob(place.name))
        try commit()
    }

    /// Stored files whose pictures are still to be made; those of galleries of earlier versions among them.
    package func picturesOwed(roles: [Item.Role]) throws -> Int {
        let wanted =
            try database.first(
                """
                SELECT count(*) FROM assets WHERE thumbnails IN \(pictures: .owed) AND state = \(asset: .stored)
                """
            ) {
                Int($0.integer(0))
            } ?? 0
        guard try fact(Self.picturesFact) == nil, !roles.isEmpty else { return wanted }
        let missing = try database.first("SELECT count(*) FROM assets WHERE \(Self.isUnpictured(roles))") {
            Int($0.integer(0))
        }
        return wanted + (missing ?? 0)
    }

    /// Makes files owe the pictures that no receipt speaks of, once for each destination and each set of sizes.
    ///
    /// Earlier versions let go of pictures; this one writes down what it loses.
    package func findOwedPictures(roles: [Item.Role], destination: String) throws {
        let looked = ([destination] + roles.map(\.rawValue)).joined(separator: " ")
        guard !roles.isEmpty, try fact(Self.picturesFact) != looked else { return }
        try write("UPDATE assets SET thumbnails = \(picture: .wanted) WHERE \(Self.isUnpictured(roles))")
        try setFact(Self.picturesFact, to: looked)
    }

    /// For which destination and sizes somebody made sure that every stored file has its pictures.
    private static let picturesFact = "pictures"

    /// Stored files that count as pictured though a receipt for one of their pictures is missing.
    private static func isUnpictured(_ roles: [Item.Role]) -> String {
        let missing = roles.map { role in
            """
            NOT EXISTS (SELECT 1 FROM receipts r WHERE r.directory = assets.directory AND r.name = assets.name
                AND r.role = '\(role.rawValue)')
            """
        }
        return "thumbnails = \(picture: .made) AND state = \(asset: .stored) AND (\(missing.joined(separator: " OR ")))"
    }
}
