package import FoundationEssentials
import Platform
package import Queue

/// Whether an asset whose content is known may be sent, or why not.
package enum AssetAdmission: Hashable, Sendable {
    case free
    /// Its receipt exists for exactly these bytes.
    case stored
    /// As `stored`, but a request that was made since may have replaced the object: the server is asked before anything is sent.
    case doubtful
    /// Too many changed along with it.
    case held
}

extension Library {
    /// Whether the bytes of `identified` are to be sent; other bytes than those stored count as a change.
    ///
    /// A receipt counts under the usual `key` or beside a foreign object.
    package func admission(
        of identified: IdentifiedAsset, as key: ObjectKey, destination: String, at now: Date
    ) throws -> AssetAdmission {
        let keys = [key, key.beside(identified.sha256)]
        let proofs = try receipts(destination: destination, keys: keys).filter { receipt in
            guard receipt.sha256 == identified.sha256, receipt.size == identified.asset.size,
                receipt.grants(identified.asset.forcedAt)
            else { return false }
            // An object that may have been moved away proves nothing until the server was asked.
            return try unsettledMove(from: receipt.key, destination: destination) == nil
        }
        if try proofs.contains(where: { try !mayBeReplaced($0) }) { return .stored }
        let verdict = try admitChange(
            identified.asset, to: identified.sha256, destination: destination, at: now)
        guard verdict != .free else { return proofs.isEmpty ? .free : .doubtful }
        noteHeldChange()
        return .held
    }
}
