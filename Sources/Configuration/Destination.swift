package import Supabase

/// Where objects go: a storage, a bucket in it, and what comes before every key.
package struct Destination: Hashable, Sendable {
    package let endpoint: StorageEndpoint
    package let bucket: String
    /// Begins every key, the signed-in user's id first; without slashes at its ends, empty for none.
    package let prefix: String
    /// Who signed in; row-level security lets users see their own folder only, and no bucket.
    package let userID: String?
    /// Whether the storage is a folder of this computer.
    package let isLocal: Bool

    /// - Parameter prefix: What the settings say; the user's id goes before it.
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
    /// What receipts remember it by: `local`, or its URL, then bucket and prefix.
    package var name: String {
        let storage = isLocal ? "local" : endpoint.base
        return prefix.isEmpty ? "\(storage) \(bucket)" : "\(storage) \(bucket)/\(prefix)"
    }

    /// The first line of every report.
    package var title: String {
        isLocal
            ? "this computer. Not protected against loss of this disk."
            : "\(endpoint.base), bucket \(bucket)" + (prefix.isEmpty ? "" : ", below \(prefix)")
    }
}
