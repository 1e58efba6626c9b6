import COpenSSL

/// HMAC with SHA-256 (RFC 2104): proves that the sender of a message knew the key.
package enum HMAC {
    /// The 32 bytes that authenticate `message` under `key`.
    package static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            // An empty array may have a null address, which HMAC would read as "the key of the last call".
            let key = key.isEmpty ? [0] : key
            COpenSSL.HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, buffer.baseAddress, nil)
            count = 32
        }
    }

    /// Whether `code` authenticates `message`, in a time that does not reveal how much of it matches.
    package static func isValid(_ code: [UInt8], for message: [UInt8], key: [UInt8]) -> Bool {
        areEqual(code, sha256(message, key: key))
    }

    /// Whether two secrets are equal, in a time that depends on their lengths only.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
