import Database
package import FoundationEssentials
package import Platform
package import Queue
package import Records
import Tables
import Text

extension Library {
    /// The assets that `selection` names; `missing` are those whose object is known to be missing.
    package func select(
        _ selection: Selection, below places: [(root: Int64, path: FilePath)], missing: Set<Asset.Place> = []
    ) throws -> [Asset] {
        let values = [Value(selection.code?.text), Value(selection.since.map { FileTime($0).nanoseconds })]
        let chosen = """
            SELECT \(Self.columns) FROM assets WHERE state IN \(assets: selection.states) AND (?1 IS NULL OR code = ?1)
                AND (?2 IS NULL OR found >= ?2 OR mtime >= ?2)
            """
        if let files = try files(at: places) {
            let rows = try files.compactMap { place in
                try database.rows(
                    "\(chosen) AND directory = ?3 AND name = ?4",
                    binding: values + [.integer(place.directory), .blob(place.name)], read: Self.record
                ).first
            }
            return try rows.filter { selection.which != .missing || missing.contains($0.place) }.compactMap(asset)
        }
        let rows = try database.rows("\(chosen) ORDER BY rank, mtime DESC", binding: values, read: Self.record)
        return try rows.compactMap { row in
            if selection.which == .missing, !missing.contains(row.place) { return nil }
            guard let asset = try asset(row), try places.isEmpty || isBelow(row.place, places) else { return nil }
            return asset
        }
    }

    /// The assets at `places` where each names one file that is known: they are found without a look at all others.
    private func files(at places: [(root: Int64, path: FilePath)]) throws -> [Asset.Place]? {
        guard !places.isEmpty else { return nil }
        var files: [Asset.Place] = []
        for (root, path) in places {
            guard !path.isEmpty, let directory = try existingDirectory(path.parent, in: root) else { return nil }
            let place = Asset.Place(directory: directory, name: path.name)
            guard try asset(at: place) != nil else { return nil }
            files.append(place)
        }
        return files
    }

    private func isBelow(_ place: Asset.Place, _ places: [(root: Int64, path: FilePath)]) throws -> Bool {
        guard let directory = try directoryPath(place.directory) else { return false }
        let path = directory.path.appending(place.name)
        return places.contains { root, below in
            root == directory.root && (below.isEmpty || path == below || path.relative(to: below) != nil)
        }
    }

    /// Has `assets` read again before all others; durable when this returns.
    package func request(_ assets: [Asset]) throws {
        for asset in assets { try request(asset, forcedAt: nil) }
        try commit()
    }

    /// The same, and has identical bytes sent again; an asset that is being read is read once more after that.
    ///
    /// No receipt that is there counts for it, also not one from after `now`, as if the clock was set back since.
    package func request(_ assets: [Asset], forcedAt now: Date) throws {
        for asset in assets {
            try request(asset, forcedAt: now)
            try redateReceipts(of: asset.place, before: now)
        }
        try commit()
    }

    private func request(_ asset: Asset, forcedAt: Date?) throws {
        try forgetCancelled(asset, sha256: asset.sha256)
        try write(
            """
            UPDATE assets SET state = CASE state WHEN \(asset: .identifying) THEN state ELSE \(asset: .seen) END,
                forced = CASE WHEN state = \(asset: .identifying) AND ?3 = 0 THEN forced ELSE ?3 END,
                rank = rank % 2, code = NULL, message = NULL,
                brake = CASE brake WHEN \(brake: .approved) THEN brake END
            WHERE directory = ?1 AND name = ?2
            """, .integer(asset.place.directory), .blob(asset.place.name),
            .integer(forcedAt.map { FileTime($0).nanoseconds } ?? 0))
    }

    /// Has assets that failed with `code` read again, because the cause is mended; durable when this returns.
    package func readAgain(failedFor code: FailureCode) throws {
        try write(
            """
            UPDATE assets SET state = \(asset: .seen), code = NULL, message = NULL
                WHERE state = \(asset: .failed) AND code = ?
            """, .text(code.text))
        try commit()
    }

    /// The place of the file that the receipt for `key` was earned with.
    package func place(ofReceipt key: ObjectKey, destination: String) throws -> Asset.Place? {
        try database.first(
            "SELECT directory, name FROM receipts WHERE destination = ? AND key = ?", .text(destination),
            .text(key.text)
        ) { Asset.Place(directory: $0.integer(0), name: $0.blob(1)) }
    }

    /// The place of the file that `receipt` was earned with; `nil` where the receipt is forgotten by now.
    package func place(of receipt: Receipt) throws -> Asset.Place? {
        try place(ofReceipt: receipt.key, destination: receipt.destination)
    }

    /// Excludes assets that are not stored from ever being sent unasked; durable when this returns.
    package func exclude(_ assets: [Asset]) throws {
        for asset in assets {
            try dropBlocked(of: asset.place)
            try write(
                """
                UPDATE assets SET state = \(asset: .excluded), thumbnails = \(picture: .unwanted)
                    WHERE directory = ? AND name = ? AND state != \(asset: .stored)
                """,
                .integer(asset.place.directory), .blob(asset.place.name))
        }
        try commit()
    }
}
