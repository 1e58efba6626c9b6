import Database
import MediaModel
import Platform
package import Queue
package import Records
import Tables

extension Library {
    /// Everything that sending `item` needs to know first, in one call.
    package func uploadContext(of item: Item, destination: String) throws -> UploadContext {
        let receipt = try receipt(destination: destination, key: item.objectKey)
        let isFresh = receipt?.sha256 != item.sha256 && item.size > 0
        let place = try place(root: item.root, path: item.filePath)
        // Another file's object may have been set aside under the key that this file has.
        let other = try receipt.flatMap { try self.place(of: $0) }.flatMap { $0 == place ? nil : $0 }
        let isOfAnother = place != nil && other != nil
        let earned = receipt.flatMap { $0.proves(item) && !isOfAnother ? $0 : nil }
        // A damaged queue may bring the item back after other bytes of the file were sent.
        let isDoubtful = try earned.map { try mayBeGone($0) } ?? false
        let asset = try asset(root: item.root, path: item.filePath)
        return UploadContext(
            unsettledMove: try unsettledMove(before: item, isOthers: false, destination: destination),
            receipt: receipt, isProven: earned != nil && !isDoubtful,
            mayBeThere: try receipt == nil ? mayLackReceipts() : isDoubtful,
            otherFile: try receipt.flatMap { receipt in try other.flatMap { try file(at: $0, keptBy: receipt) } },
            duplicates: isFresh ? try duplicates(of: item, destination: destination) : [],
            facts: try content(item.sha256)?.facts,
            isLeftOut: asset.map { ([.excluded] + .absent).contains($0.state) } ?? false,
            isAsked: asset.map { $0.rank.isNamed || $0.state == .stored } ?? true)
    }

    /// The file at `place` if it is here and stored by the object of `receipt`.
    ///
    /// A file may have the very name that is made for an object beside another one (`ObjectKey.beside`).
    func file(at place: Asset.Place, keptBy receipt: Receipt) throws -> Asset? {
        guard receipt.role == .original, let asset = try asset(at: place), asset.sha256 == receipt.sha256,
            ![Asset.State].absent.contains(asset.state)
        else { return nil }
        return asset
    }

    /// Other objects of ours that hold the bytes of `item` in the same role.
    package func duplicates(of item: Item, destination: String) throws -> [Duplicate] {
        try duplicates(
            sha256: item.sha256, size: item.size, role: item.role, besides: item.objectKey, name: item.filePath.name,
            modifiedAt: item.modifiedAt, destination: destination)
    }

    /// Other objects of ours that hold what `attempt` may have left.
    package func duplicates(of attempt: Attempt, size: Int64) throws -> [Duplicate] {
        try duplicates(
            sha256: attempt.sha256, size: size, role: attempt.role, besides: attempt.key,
            name: attempt.place?.name ?? [], destination: attempt.destination)
    }

    /// Other objects of ours that hold what `object` holds.
    package func duplicates(of object: Duplicate) throws -> [Duplicate] {
        let receipt = object.receipt
        return try duplicates(
            sha256: receipt.sha256, size: receipt.size, role: receipt.role, besides: receipt.key,
            name: object.path.name, destination: receipt.destination)
    }

    /// Objects whose files are gone come first, since they can be moved.
    ///
    /// Among them, those marked `outdated` come last: they are deleted anyway, while the others would stay. Among
    /// objects with files, those whose files are still as stored come first: the others are about to be replaced. Then
    /// the name decides, and then the time, which a renamed file keeps: an object is moved to a file of its time only.
    ///
    /// Thousands of files may be equal, so only some are compared: those of this name, some that are gone, and some others.
    private func duplicates(
        sha256: String, size: Int64, role: Item.Role, besides key: ObjectKey, name: [UInt8],
        modifiedAt: FileTime? = nil, destination: String
    ) throws -> [Duplicate] {
        let content = Value([UInt8](hexadecimal: sha256))
        // Nearly all items are the first of their content, and this takes a sixth of the time of the search below.
        guard try database.exists("SELECT 1 FROM receipts WHERE sha256 = ? LIMIT 1", content) else { return [] }
        let alike =
            "+o.destination = ?4 AND o.size = ?2 AND o.role = ?3 AND o.key != ?5 LIMIT \(Self.comparedDuplicates)"
        // A plus keeps SQLite from looking through all equal objects for each file that is gone.
        let gone = """
            SELECT o.key FROM assets g CROSS JOIN receipts o ON o.directory = g.directory AND o.name = g.name
            WHERE g.sha256 = ?1 AND g.state = \(asset: .remoteOnly) AND +o.sha256 = ?1
            """
        return try duplicates(
            """
            WHERE r.destination = ?4 AND r.key IN (
                SELECT * FROM (SELECT o.key FROM receipts o WHERE o.sha256 = ?1 AND o.name = ?6 AND \(alike))
                UNION SELECT * FROM (\(gone) AND \(alike))
                UNION SELECT * FROM (SELECT o.key FROM receipts o WHERE o.sha256 = ?1 AND \(alike)))
            ORDER BY NOT EXISTS (SELECT 1 FROM assets a WHERE a.directory = r.directory
                AND a.name = r.name AND a.state NOT IN \(assets: .absent)) DESC, EXISTS (SELECT 1 FROM marks m
                WHERE \(Self.concerns) AND m.mark = \(mark: .outdated)),
                EXISTS (SELECT 1 FROM assets a WHERE a.directory = r.directory AND a.name = r.name
                    AND a.sha256 = r.sha256 AND a.state = \(asset: .stored)) DESC, r.name = ?6 DESC,
                EXISTS (SELECT 1 FROM assets a WHERE a.directory = r.directory AND a.name = r.name AND a.mtime = ?7)
                    DESC, r.key LIMIT 8
            """, content, .integer(size), .text(role.rawValue), .text(destination), .text(key.text), .blob(name),
            Value(modifiedAt?.nanoseconds))
    }

    /// How many of each sort are compared.
    private static let comparedDuplicates = 64

    /// Forgets the receipt of a moved object's old key; that of the new `key` is written in the same commit.
    ///
    /// The asset goes with it, unless another file has come to its place since.
    func forgetMoved(_ receipt: Receipt, to key: ObjectKey) throws {
        let place = try place(of: receipt)
        if try delete(receipt) { try moveMark(of: receipt, to: key, withFileAt: place) }
        try settleMoves(from: receipt.key, destination: receipt.destination)
        guard let place else { return }
        // If the picture's file is back, it lacks this picture now; a file that is gone is owed none.
        guard receipt.role == .original else { return try losePicture(at: place) }
        try outdatePictures(at: place, destination: receipt.destination)
        if try !forgetFile(leftAt: place, among: [.stored] + .absent) { try readAgainIfUnkept(place) }
        try noteForgotten(at: place)
    }

    /// Forgets the file at `place` if it is in one of `states` and no original is stored of it; returns whether it did.
    func forgetFile(leftAt place: Asset.Place, among states: [Asset.State]) throws -> Bool {
        try write(
            """
            DELETE FROM assets WHERE directory = ?1 AND name = ?2 AND state IN \(assets: states) AND NOT EXISTS (
                SELECT 1 FROM receipts r WHERE r.directory = ?1 AND r.name = ?2 AND r.role = 'original')
            """, .integer(place.directory), .blob(place.name))
        return database.changes > 0
    }
}
