import COpenSSL

/// A running hash: add bytes, then finish it once.
///
/// Used by one thread at a time; guard it with a `Mutex` to share it.
package class Digest {
    private let context: OpaquePointer
    private let length: Int

    fileprivate init(_ algorithm: OpaquePointer) {
        // Fails only when memory runs out.
        context = EVP_MD_CTX_new().unsafelyUnwrapped
        length = Int(EVP_MD_get_size(algorithm))
        EVP_DigestInit_ex(context, algorithm, nil)
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds the next bytes.
    package final func update(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// Adds the next bytes.
    package final func update(_ bytes: some Sequence<UInt8>) {
        let isContiguous: Void? = bytes.withContiguousStorageIfAvailable {
            _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count)
        }
        if isContiguous == nil { update(Array(bytes).span.bytes) }
    }

    /// The hash of all bytes added; afterwards only `restart` may be called.
    package final func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
            count = length
        }
    }

    /// Discards all bytes added, so that a new hash begins.
    package final func restart() {
        EVP_DigestInit_ex(context, nil, nil)
    }

    /// Adds `count` bytes of `file` from `offset` on, or all to its end; returns how many there were.
    ///
    /// Blocks; reads at most 256 KiB at a time.
    @discardableResult
    package final func update(
        file: OpenFile, from offset: Int64 = 0, count: Int64? = nil
    ) throws(SystemError) -> Int64 {
        let size = Int(min(256 << 10, max(1, count ?? .max)))
        // Up to glibc 2.37 what `aligned_alloc` returns is not used again: each file would leave 256 KiB more of the heap.
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { piece.deallocate() }
        var done: Int64 = 0
        while done < count ?? .max {
            let wanted = Int(min(Int64(piece.count), (count ?? .max) - done))
            let part = UnsafeMutableRawBufferPointer(rebasing: piece[..<wanted])
            let read = try file.read(at: offset + done, into: part)
            if read == 0 { break }
            EVP_DigestUpdate(context, part.baseAddress, read)
            done += Int64(read)
        }
        return done
    }
}

/// SHA-256 (FIPS 180-4): 32 bytes.
package final class SHA256: Digest {
    /// A hash of no bytes yet.
    package init() { super.init(EVP_sha256()) }

    /// The hash of `bytes`.
    package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let digest = SHA256()
        digest.update(bytes)
        return digest.finish()
    }

    /// The hash of `count` bytes of `file` from `offset` on, or of all to its end; blocks.
    package static func hash(
        of file: OpenFile, from offset: Int64 = 0, count: Int64? = nil
    ) throws(SystemError) -> [UInt8] {
        let digest = SHA256()
        try digest.update(file: file, from: offset, count: count)
        return digest.finish()
    }
}

/// SHA-1 (FIPS 180-4): 20 bytes, for the handshake of WebSockets only.
package final class SHA1: Digest {
    /// A hash of no bytes yet.
    init() { super.init(EVP_sha1()) }

    /// The hash of `bytes`.
    package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let digest = SHA1()
        digest.update(bytes)
        return digest.finish()
    }
}

/// MD5 (RFC 1321): 16 bytes, for eTags only.
package final class MD5: Digest {
    /// A hash of no bytes yet.
    package init() { super.init(EVP_md5()) }

    /// The hash of `bytes`.
    package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let digest = MD5()
        digest.update(bytes)
        return digest.finish()
    }
}
