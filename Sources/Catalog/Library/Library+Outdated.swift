import Database
import Platform
package import Queue
package import Records
import Tables
import Text

extension Library {
    /// Marks the pictures of an original that has another key now `outdated`, with the next commit.
    ///
    /// Their receipts stay until they are deleted, because the pictures of the new name may be copied from them.
    func outdatePictures(at place: Asset.Place, destination: String) throws {
        try outdate(
            "directory = ? AND name = ? AND destination = ? AND role != 'original'", .integer(place.directory),
            .blob(place.name), .text(destination))
    }

    /// Marks other objects with the content of the file that is back at `place`, because it may have had their names.
    ///
    /// Its own object stayed, so nothing is moved, and nothing else would show that those names are former ones. A last
    /// copy keeps its mark, because this file's object may be replaced at the same time.
    func outdateDuplicates(ofReturned place: Asset.Place) throws {
        let content = try database.first(
            "SELECT sha256 FROM assets WHERE directory = ? AND name = ? AND state = ? AND sha256 IS NOT NULL",
            .integer(place.directory), .blob(place.name), .integer(Asset.State.remoteOnly.rawValue)
        ) { $0.blob(0) }
        guard let content else { return }
        let duplicates = try database.rows(
            """
            SELECT \(Self.receiptColumns) FROM receipts r
            WHERE sha256 = ? AND role = 'original' AND NOT (directory = ? AND name = ?) AND NOT \(Self.isMarked)
            """, .blob(content), .integer(place.directory), .blob(place.name), read: Self.receipt)
        for duplicate in duplicates { try outdate(duplicate) }
    }

    /// Notes, for a new receipt of an original whose file is gone, that only the object is left.
    ///
    /// If a file that is here is stored with the same bytes, the file was renamed during the upload: the object is
    /// marked `outdated` then. Takes effect with the next commit.
    func noteAbsentFile(of receipt: Receipt, at place: Asset.Place) throws {
        guard receipt.role == .original else { return }
        try write(
            """
            UPDATE assets SET state = \(asset: .remoteOnly) WHERE directory = ? AND name = ?
                AND state = \(asset: .gone)
            """, .integer(place.directory),
            .blob(place.name))
        try outdate(
            """
            directory = ?1 AND name = ?2 AND destination = ?3
                AND NOT EXISTS (
                    SELECT 1 FROM assets WHERE directory = ?1 AND name = ?2 AND state NOT IN \(assets: .absent))
                AND EXISTS (
                    SELECT 1 FROM receipts r JOIN assets a ON a.directory = r.directory AND a.name = r.name
                    WHERE r.sha256 = ?4 AND r.destination = ?3 AND r.role = 'original'
                        AND a.state NOT IN \(assets: .absent)
                        AND NOT (r.directory = ?1 AND r.name = ?2))
            """, .integer(place.directory), .blob(place.name), .text(receipt.destination),
            Value([UInt8](hexadecimal: receipt.sha256)))
    }

    /// Marks the pictures of an original that is no longer under the key of `receipt` as `outdated`.
    package func outdatePictures(of receipt: Receipt) throws {
        guard receipt.role == .original, let place = try place(of: receipt) else { return }
        try outdatePictures(at: place, destination: receipt.destination)
    }

    /// Marks an object `outdated` whose file has a new name, under which its bytes are or will be stored.
    package func outdate(_ receipt: Receipt) throws {
        try outdate("destination = ? AND key = ?", .text(receipt.destination), .text(receipt.key.text))
        try outdatePictures(of: receipt)
    }

    private func outdate(_ condition: String, _ values: Value...) throws {
        try write(
            """
            INSERT OR REPLACE INTO marks (destination, key, sha256, mark, directory, name)
            SELECT destination, key, sha256, \(mark: .outdated), directory, name FROM receipts WHERE \(condition)
            """, binding: values)
    }

    /// Objects marked `outdated` whose file is gone or stored; of pictures, those without an original.
    ///
    /// - Parameter isOriginal: Whether originals are wanted, or pictures.
    package func outdatedObjects(isOriginal: Bool, destination: String) throws -> [OutdatedObject] {
        // CROSS makes SQLite begin with the few marks.
        let marked = try duplicates(
            flagged: "0",
            from: """
                marks m CROSS JOIN receipts r ON \(Self.concerns)
                WHERE m.destination = ? AND m.mark = \(mark: .outdated) AND (r.role = 'original') = ?
                """, [.text(destination), .integer(isOriginal ? 1 : 0)])
        return try marked.map(\.duplicate).compactMap { duplicate in
            let receipt = duplicate.receipt
            guard let place = try place(of: receipt) else { return nil }
            let asset = try asset(at: place)
            if let asset, ![.gone, .remoteOnly, .stored].contains(asset.state) { return nil }
            if try receipt.role != .original && hasOriginal(at: place) { return nil }
            let isStored = asset?.state == .stored
            return OutdatedObject(
                duplicate: duplicate, isStored: isStored,
                successor: isStored ? try successor(of: receipt, as: asset?.sha256, at: place) : nil)
        }
    }

    /// Marks the other objects of the file at `place` that are not needed any more; takes effect with the next commit.
    ///
    /// If the new object lies beside a foreign one, these hold former contents, unless one of them has the usual key:
    /// then they are kept on purpose. If it has the usual key itself, these were set aside with the same content.
    func outdateFormer(besides receipt: Receipt, at place: Asset.Place) throws {
        let originals = try originals(at: place, destination: receipt.destination).filter { $0.key != receipt.key }
        let isBeside = receipt.key.isBeside(receipt.sha256)
        let others = try originals.filter { try isBeside ? !isLastCopy($0) : $0.sha256 == receipt.sha256 }
        guard others.allSatisfy({ $0.key.isBeside($0.sha256) }) else { return }
        for former in others {
            try outdate("destination = ? AND key = ?", .text(former.destination), .text(former.key.text))
        }
    }

    /// The receipt of the `content` that the file at `place` has now, under another key than `former`.
    private func successor(of former: Receipt, as content: String?, at place: Asset.Place) throws -> Receipt? {
        guard former.role == .original, let content else { return nil }
        return try originals(at: place, destination: former.destination).first {
            $0.sha256 == content && $0.key != former.key
        }
    }

    private func originals(at place: Asset.Place, destination: String) throws -> [Receipt] {
        try receipts(of: place).filter { $0.role == .original && $0.destination == destination }
    }

    /// Removes the mark of the object of `receipt` with the next commit, because it no longer holds.
    package func unmark(_ receipt: Receipt) throws {
        try write(
            "DELETE FROM marks WHERE destination = ? AND key = ?", .text(receipt.destination), .text(receipt.key.text))
    }

    /// Whether `receipt` is of a former file of its name: another file has that name now, and is stored.
    package func isOfFormerFile(_ receipt: Receipt) throws -> Bool {
        try database.exists(
            """
            SELECT 1 FROM receipts r JOIN assets a ON a.directory = r.directory AND a.name = r.name
            WHERE r.destination = ? AND r.key = ? AND r.sha256 = ? AND \(Self.isOfFormerFile)
            """, .text(receipt.destination), .text(receipt.key.text), Value([UInt8](hexadecimal: receipt.sha256)))
    }

    /// Pictures of files that went before their originals were stored, and whose content is stored under another name.
    ///
    /// If storage does not hold the content, a picture is all that is left of it, and stays. Each comes with whether
    /// the file of the other name is here; those come first.
    package func strayPictures(destination: String) throws -> [(duplicate: Duplicate, isHere: Bool)] {
        let original = "FROM receipts o WHERE o.sha256 = a.sha256 AND o.role = 'original' AND o.destination = ?1"
        let isHere =
            """
            EXISTS (SELECT 1 \(original) AND EXISTS (SELECT 1 FROM assets f
                WHERE f.directory = o.directory AND f.name = o.name AND f.state = \(asset: .stored)))
            """
        // CROSS makes SQLite begin with the few files that are absent; it would read every receipt otherwise.
        return try duplicates(
            flagged: isHere,
            from: """
                assets a CROSS JOIN receipts r ON a.directory = r.directory AND a.name = r.name
                WHERE a.state IN \(assets: .absent) AND r.destination = ?1 AND r.role != 'original'
                    AND NOT EXISTS (SELECT 1 FROM receipts o
                        WHERE o.directory = r.directory AND o.name = r.name AND o.role = 'original')
                    AND EXISTS (SELECT 1 \(original))
                ORDER BY flag DESC LIMIT 1000
                """, [.text(destination)]
        ).map { ($0.duplicate, $0.flag) }
    }

    /// Whether an original that belongs to `place` has a receipt.
    package func hasOriginal(at place: Asset.Place) throws -> Bool {
        try database.exists(
            "SELECT 1 FROM receipts WHERE directory = ? AND name = ? AND role = 'original'", .integer(place.directory),
            .blob(place.name)
        )
    }
}
