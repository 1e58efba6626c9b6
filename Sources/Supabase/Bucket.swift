/// A bucket as the service describes it.
package struct Bucket: Hashable, Codable, Sendable {
    package let id: String
    package let name: String
    /// Whether anyone who guesses a key can read the object.
    package let isPublic: Bool
    /// Bytes an object may have at most; `nil` for no limit of the bucket's own.
    package let fileSizeLimit: Int64?
    /// Such as `image/*`, compared letter by letter; `nil` allows all.
    package let allowedTypes: [String]?
    package let createdAt: StorageTime?
    package let updatedAt: StorageTime?

    private enum CodingKeys: String, CodingKey {
        case id, name, isPublic = "public", fileSizeLimit = "file_size_limit", allowedTypes = "allowed_mime_types"
        case createdAt = "created_at", updatedAt = "updated_at"
    }
}

/// What a new or changed bucket is to be; what is `nil` stays as it is.
package struct BucketSettings: Hashable, Sendable {
    package var isPublic: Bool?
    package var fileSizeLimit: Int64?
    package var allowedTypes: [String]?

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
