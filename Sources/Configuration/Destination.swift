package import Supabase

/// Where objects go: a storage, a bucket in it, and the prefix of every key.
package struct Destination: Hashable, Sendable {
    /// The storage's address and credentials.
    package let endpoint: StorageEndpoint
    /// The name of the bucket, as in the settings.
    package let bucket: String
    /// The start of every key, with the signed-in user's id first; no slashes at its ends, empty for none.
    package let prefix: String
    /// The signed-in user; row-level security lets users see only their own folder, and no bucket.
    package let userID: String?
    /// Whether the storage is a folder of this computer.
    package let isLocal: Bool

    /// - Parameter prefix: The setting's value; the user's id is put before it.
    package init(
        endpoint: StorageEndpoint, bucket: String, prefix: String = "", userID: String? = nil, isLocal: Bool = false
    ) {
        self.endpoint = endpoint
        self.bucket = bucket
        self.prefix = [userID, prefix.isEmpty ? nil : prefix].compactMap(\.self).joined(separator: "/")
        self.userID = userID
        self.isLocal = isLocal
    }
}

extension Destination {
    /// The text that identifies it in receipts: `local` or its URL, then bucket and prefix.
    package var name: String {
        let storage = isLocal ? "local" : endpoint.base
        return "\(storage) \(Self.place(bucket, prefix))"
    }

    /// A bucket and the prefix of its keys in one word, such as `media/laptop`; the bucket alone without a prefix.
    package static func place(_ bucket: String, _ prefix: String) -> String {
        prefix.isEmpty ? bucket : "\(bucket)/\(prefix)"
    }

    /// The destination in the first line of every report.
    package var title: String {
        isLocal
            ? "this computer. Not protected against loss of this disk."
            : "\(endpoint.address), bucket \(bucket)" + (prefix.isEmpty ? "" : ", below \(prefix)")
    }
}
