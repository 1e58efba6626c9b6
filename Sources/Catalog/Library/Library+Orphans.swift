import Database
package import FoundationEssentials
import Platform
import Queue
package import Records
import Tables
import Text

extension Library {
    /// Gives an orphan the receipt that was lost, with the next commit; `false` for a picture without an original.
    ///
    /// A file that is not here counts as only in storage from now on. If another file here has its name, the object is
    /// marked as the last copy of a former file, so that it is set aside. Pictures come after their originals.
    package func adopt(_ orphan: Orphan, at now: Date) throws -> Bool {
        let receipt = orphan.receipt
        guard let place = try place(root: orphan.file.root, path: orphan.file.path, makingDirectory: true) else {
            return false
        }
        guard receipt.role == .original else {
            guard try hasOriginal(at: place) else { return false }
            try insert(receipt, of: place)
            return true
        }
        let face = TimelineFace(unread: place.name, modifiedAt: orphan.modifiedAt)
        try write(
            """
            INSERT INTO assets (directory, name, size, mtime, state, sha256, rank, found, taken, dated, ratio, kind)
            VALUES (?, ?, ?, ?, \(asset: .remoteOnly), ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (directory, name) DO UPDATE SET size = excluded.size, mtime = excluded.mtime,
                state = excluded.state, sha256 = excluded.sha256 WHERE state = \(asset: .gone)
            """,
            binding: [
                .integer(place.directory), .blob(place.name), .integer(receipt.size),
                .integer(orphan.modifiedAt.nanoseconds), Value([UInt8](hexadecimal: receipt.sha256)),
                .integer(Asset.Rank(.backlog, size: receipt.size).rawValue), .integer(FileTime(now).nanoseconds),
            ] + Schema.values(of: face))
        try insert(receipt, of: place)
        try markLastCopy(receipt, besidesFileAt: place)
        return true
    }
}
