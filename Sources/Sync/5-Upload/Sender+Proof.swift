import Catalog
import Platform
import Queue
import Supabase

/// What an object's eTag may be, by the local bytes it is to hold.
package struct Evidence: Hashable, Sendable {
    /// Of the whole content, 32 lowercase hex digits; `nil` where it was not computed.
    var md5: String?
    /// The tag of an upload in parts that the bytes were found to have.
    var multipartTag: MultipartTag?

    /// What a server's eTag says about these bytes.
    enum Finding: Hashable, Sendable {
        case proven(Receipt.Proof)
        /// It is of a kind that cannot be compared.
        case open
        /// It is the MD5 of other bytes.
        case contradicted
    }

    /// Compares with the eTag of what the server holds; a tag of parts never contradicts, as the cut is never certain.
    func finding(_ eTag: String?) -> Finding {
        if let md5, let tag = MD5Tag(eTag) { return tag.hexadecimal == md5 ? .proven(.md5) : .contradicted }
        if let multipartTag, multipartTag == MultipartTag(eTag) { return .proven(.multipartMD5) }
        return .open
    }
}

extension Evidence {
    /// What can be known without reading a byte: equal contents have equal tags, once these were compared.
    init(_ duplicate: Receipt) {
        switch duplicate.proof {
        case .md5: md5 = MD5Tag(duplicate.eTag)?.hexadecimal
        case .multipartMD5: multipartTag = MultipartTag(duplicate.eTag)
        case .readBack, .size: break
        }
    }
}

extension Sender {
    /// Reads the source for what is needed to compare with `eTag`, unless `known` has it.
    ///
    /// - Parameter pieces: In which it was sent; `nil` where that is not known.
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

    /// The same once the object in place was looked at: only its eTag tells whether parts have to be hashed, too.
    ///
    /// Where nobody answers, it stays at that: what proves the object is asked for anyway.
    ///
    /// - Parameter sent: In which pieces; `nil` for one request, which is small or of the usual parts.
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

    /// What the item's bytes are, for an object that the server makes of a duplicate's; `nil` where the duplicate holds others.
    ///
    /// The copy's own eTag is to agree with it, and may be of another kind than the duplicate's: a server's copy of an
    /// object in parts is one part on some. So the MD5 is always computed.
    func evidence(of item: Item, _ source: Source, for duplicate: Receipt, _ info: ObjectInfo) async throws -> Evidence?
    {
        var evidence = try await evidence(of: item, source, against: info.eTag, known: Evidence(duplicate))
        if evidence.md5 == nil { evidence.md5 = try await ContentProof.digest(of: source.file) { MD5() } }
        return evidence.finding(info.eTag) == .contradicted ? nil : evidence
    }
}
