import Database
import MediaModel
import Platform
package import Queue
package import Records
import Tables

// A file that the user cancelled stays cancelled when it is renamed.
extension Library {
    /// What is known of cancelled files that may be the one that was read.
    package struct CancelledLikes: Hashable, Sendable {
        /// Cancelled files with its bytes, or with its size and time; if one of them is gone, this file is it.
        package var files: [RootedPath] = []
        /// Whether a cancelled file like it is known to be gone.
        package var hasGone = false
    }

    /// Whether the file of `asset` is still as it was read: another look may have found it changed or gone since, and
    /// the user may have cancelled it.
    package func isCurrent(_ asset: Asset) throws -> Bool {
        try database.exists(
            """
            SELECT 1 FROM assets WHERE directory = ?1 AND name = ?2 AND size = ?3 AND mtime = ?4
                AND state NOT IN \(assets: [.excluded, .gone, .remoteOnly])
            """, binding: Self.key(of: asset))
    }

    /// The cancelled files that `identified` may be under a new name.
    package func cancelled(like identified: IdentifiedAsset) throws -> CancelledLikes {
        let asset = identified.asset
        var likes = CancelledLikes()
        // All empty files have the same bytes.
        guard asset.size > 0 else { return likes }
        likes.files = try placesOfCancelled(like: asset, identified.sha256).compactMap(location).map {
            RootedPath(root: $0.root, path: $0.path)
        }
        likes.hasGone = try database.exists(
            "SELECT 1 FROM facts WHERE \(Self.isCancelled) AND (name = ? OR value = ?)",
            .text(Self.cancelledFact(asset)), .text(identified.sha256))
        return likes
    }

    /// Where cancelled files lie, or lay, that have the size and time of `asset` or its bytes; at most eight.
    private func placesOfCancelled(like asset: Asset, _ sha256: String) throws -> [Asset.Place] {
        // Asked for each new file, while few users cancel any.
        guard try database.exists("SELECT 1 FROM assets WHERE state = \(asset: .excluded) LIMIT 1") else { return [] }
        return try database.rows(
            """
            SELECT directory, name FROM assets WHERE state = \(asset: .excluded) AND rank IN (0, 1, 2, 3, 4, 5)
                AND mtime = ?2 AND size = ?1
            UNION SELECT directory, name FROM assets INDEXED BY assets_content
                WHERE sha256 = ?3 AND taken IS NOT NULL AND standing IS NOT NULL AND state = \(asset: .excluded)
            LIMIT 8
            """, .integer(asset.size), .integer(asset.modifiedAt.nanoseconds), Value([UInt8](hexadecimal: sha256))
        ) { Asset.Place(directory: $0.integer(0), name: $0.blob(1)) }.filter { $0 != asset.place }
    }

    /// Writes down that `identified` is a cancelled file renamed: `former`, or with `nil` one known to be gone.
    ///
    /// Returns `false` where the user has asked for it since it was read.
    package func exclude(_ identified: IdentifiedAsset, insteadOf former: RootedPath?) throws -> Bool {
        guard try asset(at: identified.asset.place)?.rank.isNamed != true else { return false }
        let type = identified.identity.type.rawValue
        try settle(
            identified.asset,
            as: .identified(
                sha256: identified.sha256, type: type, next: .excluded, note: identified.identity.note))
        if let former, let place = try place(root: former.root, path: former.path) {
            try write(
                """
                UPDATE assets SET state = \(asset: .gone) WHERE directory = ? AND name = ?
                    AND state = \(asset: .excluded)
                """, .integer(place.directory), .blob(place.name))
        } else {
            try forgetCancelled(identified.asset, sha256: identified.sha256)
        }
        return true
    }

    /// If the file at `place`, which a scan missed, was cancelled, remembers that with the next commit.
    func rememberCancelled(_ place: Asset.Place, unlessFoundBy bounds: [Value]) throws {
        try write(
            """
            INSERT OR REPLACE INTO facts (name, value)
            SELECT '\(Self.cancelledMark)' || size || ' ' || mtime, coalesce(lower(hex(sha256)), '') FROM assets
                WHERE directory = ? AND name = ? AND state = \(asset: .excluded) AND size > 0
                    AND NOT (found BETWEEN ? AND ?)
            """, binding: [.integer(place.directory), .blob(place.name)] + bounds)
    }

    /// Forgets with the next commit that a file like `asset` was cancelled.
    func forgetCancelled(_ asset: Asset, sha256: String?) throws {
        try write(
            "DELETE FROM facts WHERE \(Self.isCancelled) AND (name = ? OR value = ?)",
            .text(Self.cancelledFact(asset)), .text(sha256 ?? Self.cancelledMark))
    }

    /// The names of the facts that tell of cancelled files begin so; size and time follow.
    private static let cancelledMark = "cancelled "
    /// A condition on `facts` that their primary key answers.
    private static let isCancelled = "name >= 'cancelled ' AND name < 'cancelled!'"

    private static func cancelledFact(_ asset: Asset) -> String {
        "\(cancelledMark)\(asset.size) \(asset.modifiedAt.nanoseconds)"
    }
}
