/// A bucket as the service describes it.
package struct Bucket: Hashable, Codable, Sendable {
    /// What routes name the bucket by; equal to `name` for the buckets we create.
    package let id: String
    /// The bucket's display name.
    package let name: String
    /// Whether anyone who guesses a key can read the object without signing in.
    package let isPublic: Bool
    /// Bytes an object may have at most; `nil` for no limit of the bucket's own.
    package let fileSizeLimit: Int64?
    /// Content types such as `image/*`, compared byte by byte; `nil` allows all.
    package let allowedTypes: [String]?
    /// When it was created, by the server's clock.
    package let createdAt: StorageTime?
    /// When its settings were last changed, by the server's clock.
    package let updatedAt: StorageTime?

    private enum CodingKeys: String, CodingKey {
        case id, name, isPublic = "public", fileSizeLimit = "file_size_limit", allowedTypes = "allowed_mime_types"
        case createdAt = "created_at", updatedAt = "updated_at"
    }
}

extension Bucket {
    /// Whether it accepts files of the content type `type`, such as `image/jpeg`.
    package func takes(_ type: String) -> Bool {
        guard let allowedTypes, !allowedTypes.isEmpty else { return true }
        return allowedTypes.contains { allowed in
            allowed == type || allowed == "*/*" || allowed.hasSuffix("/*") && type.hasPrefix(allowed.dropLast())
        }
    }
}

/// The settings of a new or changed bucket; a `nil` field leaves the server's value unchanged.
package struct BucketSettings: Hashable, Sendable {
    /// Whether objects can be read without signing in; a new bucket is private where this is `nil`.
    var isPublic: Bool?
    /// Bytes an object may have at most.
    var fileSizeLimit: Int64?
    /// Content types such as `image/*` that the bucket accepts.
    var allowedTypes: [String]?

    /// Settings that change only what is given here.
    package init(isPublic: Bool? = nil, fileSizeLimit: Int64? = nil, allowedTypes: [String]? = nil) {
        self.isPublic = isPublic
        self.fileSizeLimit = fileSizeLimit
        self.allowedTypes = allowedTypes
    }
}

extension BucketSettings: Encodable {
    private enum CodingKeys: String, CodingKey {
        case isPublic = "public", fileSizeLimit = "file_size_limit", allowedTypes = "allowed_mime_types"
    }
}
