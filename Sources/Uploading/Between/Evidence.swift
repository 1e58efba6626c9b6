package import Records

/// The eTags that an object may have if it holds the local bytes.
package struct Evidence: Hashable, Sendable {
    /// Of the whole content, 32 lowercase hex digits; `nil` where it was not computed.
    var md5: String?
    /// The tag of an upload in parts that the bytes were found to have.
    var multipartTag: MultipartTag?

    /// What a server's eTag says about these bytes.
    package enum Finding: Hashable, Sendable {
        case proven(Receipt.Proof)
        /// It is of a kind that cannot be compared.
        case open
        /// It is the MD5 of other bytes.
        case contradicted
    }

    /// Compares with the server's eTag; a tag of parts never contradicts, because the cut is never certain.
    package func finding(_ eTag: String?) -> Finding {
        if let md5, let tag = MD5Tag(eTag) { return tag.hexadecimal == md5 ? .proven(.md5) : .contradicted }
        if let multipartTag, multipartTag == MultipartTag(eTag) { return .proven(.multipartMD5) }
        return .open
    }
}

extension Evidence {
    /// What is known without reading a byte: equal contents have equal tags, and the receipt's tag was compared.
    init(_ duplicate: Receipt) {
        switch duplicate.proof {
        case .md5: md5 = MD5Tag(duplicate.eTag)?.hexadecimal
        case .multipartMD5: multipartTag = MultipartTag(duplicate.eTag)
        case .readBack, .size: break
        }
    }
}
