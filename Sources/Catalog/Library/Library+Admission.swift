import Database
package import FoundationEssentials
package import Platform
package import Queue
package import Records
import Tables

/// Whether an asset whose content is known may be sent, or why not.
package enum AssetAdmission: Hashable, Sendable {
    case free
    /// Its receipt exists for exactly these bytes.
    case stored
    /// As `stored`, but a later request may have replaced the object: the server is asked before anything is sent.
    case doubtful
    /// Too many other assets changed along with it.
    case held
}

extension Library {
    /// Whether the bytes of `identified` are to be sent; other bytes than those stored count as a change.
    ///
    /// A receipt counts under the usual `key`, and beside it, where another program has the key, if the file earned it:
    /// another file may have the very name that is made for an object beside this one. Where the usual key holds what
    /// keeps another file stored, it is asked first whether that file is still there.
    package func admission(
        of identified: IdentifiedAsset, as key: ObjectKey, destination: String, at now: Date
    ) throws -> AssetAdmission {
        let asset = identified.asset
        var (own, others): ([Receipt], [Receipt]) = ([], [])
        for receipt in try unmarkedReceipts(of: identified.sha256, as: key, destination: destination) {
            guard let owner = try place(of: receipt) else { continue }
            guard owner != asset.place else { own.append(receipt); continue }
            guard receipt.key == key else { continue }
            if try file(at: owner, keptBy: receipt) == nil { own.append(receipt) } else { others.append(receipt) }
        }
        var proof = try admission(of: identified.sha256, size: asset.size, by: own, forcedAt: asset.forcedAt)
        if proof == .free, !others.isEmpty { proof = .doubtful }
        guard proof != .stored else {
            try takeBack(key, of: identified, destination: destination)
            return .stored
        }
        let verdict = try admitChange(
            asset, to: identified.sha256, destination: destination, at: now)
        guard verdict != .free else { return proof }
        noteHeldChange()
        return .held
    }

    /// Whether the bytes of a picture are to be sent, by the receipts under `keys` alone; never `held`.
    ///
    /// - Parameter forcedAt: When they were asked for again; older receipts do not count.
    package func admission(
        of sha256: String, size: Int64, as keys: [ObjectKey], destination: String, forcedAt: FileTime?
    ) throws -> AssetAdmission {
        try admission(
            of: sha256, size: size, by: try receipts(destination: destination, keys: keys), forcedAt: forcedAt)
    }

    private func admission(
        of sha256: String, size: Int64, by receipts: [Receipt], forcedAt: FileTime?
    ) throws -> AssetAdmission {
        let proofs = try receipts.filter { receipt in
            guard receipt.sha256 == sha256, receipt.size == size, receipt.grants(forcedAt) else { return false }
            // An object that may have been moved away proves nothing until the server is asked.
            return try unsettledMoves(from: receipt.key, destination: receipt.destination).isEmpty
        }
        if try proofs.contains(where: { try !mayBeGone($0) }) { return .stored }
        return proofs.isEmpty ? .free : .doubtful
    }

    /// Makes the object under a file's own `key` count as that file's, where it keeps no other file stored.
    ///
    /// The file once had another name, and came back under that of its object beside it, as a restore gives it: what is
    /// deleted or replaced for the sake of the former name must not be the object of this file.
    private func takeBack(_ key: ObjectKey, of identified: IdentifiedAsset, destination: String) throws {
        let place = identified.asset.place
        guard let former = try self.place(ofReceipt: key, destination: destination), former != place else { return }
        try write(
            """
            UPDATE receipts SET directory = ?1, name = ?2
            WHERE destination = ?3 AND key = ?4 AND role = 'original' AND NOT EXISTS (SELECT 1 FROM assets a
                WHERE a.directory = receipts.directory AND a.name = receipts.name
                    AND a.state NOT IN \(assets: .absent) AND a.sha256 = receipts.sha256)
            """, .integer(place.directory), .blob(place.name), .text(destination), .text(key.text))
        guard database.changes > 0, try forgetFile(leftAt: former, among: .absent) else { return }
        try outdatePictures(at: former, destination: destination)
        try noteForgotten(at: former)
    }
}
