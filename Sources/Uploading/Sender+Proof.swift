import Platform
import Queue
import Records
import Supabase

extension Sender {
    /// Reads the source for what is needed to compare with `eTag`, unless `known` has it.
    ///
    /// - Parameter pieces: The lengths in which it was sent; `nil` where they are not known.
    func evidence(
        of item: Item, _ source: Source, against eTag: String?, known: Evidence = Evidence(), pieces: [Int64]? = nil
    ) async throws -> Evidence {
        var evidence = known
        if MD5Tag(eTag) != nil, evidence.md5 == nil {
            evidence.md5 = try await ContentProof.digest(of: source.file) { MD5() }
        } else if let tag = MultipartTag(eTag), evidence.multipartTag != tag,
            try await tag.isOf(source.file, size: item.size, pieces: pieces)
        {
            evidence.multipartTag = tag
        }
        return evidence
    }

    /// Adds to `known` what the eTag of the object in place needs, because only that tells whether to hash parts.
    ///
    /// Returns `known` where no server answers, because the object's proof is asked for later anyway.
    ///
    /// - Parameter sent: The pieces in which it was sent; `nil` for one request, which is small or has the usual parts.
    func compared(
        _ item: Item, _ source: Source, _ known: Evidence, sent: SentPieces? = nil
    ) async throws -> Evidence {
        guard item.size > PartCut.minimum else { return known }
        let eTag: String?
        do {
            eTag = try await info(item.objectKey)?.eTag
        } catch is StorageError {
            return known
        }
        return try await evidence(of: item, source, against: eTag, known: known, pieces: sent?.lengths)
    }

    /// The evidence for a server's copy of a duplicate; `nil` where the duplicate holds other bytes.
    ///
    /// The copy's own eTag must agree with it, and may be of another kind than the duplicate's, because some servers
    /// copy an object in parts into a single one. So the MD5 is always computed.
    func evidence(of item: Item, _ source: Source, for duplicate: Receipt, _ info: ObjectInfo) async throws -> Evidence?
    {
        var evidence = try await evidence(of: item, source, against: info.eTag, known: Evidence(duplicate))
        if evidence.md5 == nil { evidence.md5 = try await ContentProof.digest(of: source.file) { MD5() } }
        return evidence.finding(info.eTag) == .contradicted ? nil : evidence
    }
}
