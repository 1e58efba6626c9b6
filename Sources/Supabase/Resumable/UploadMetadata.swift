import FoundationEssentials

/// The `Upload-Metadata` header: `key base64` pairs, no blank after the comma (TUS 1.0.0, "Creation").
enum UploadMetadata {
    static func header(_ target: ResumableTarget) throws(StorageError) -> String {
        var pairs = [
            ("bucketName", target.bucket), ("objectName", target.key), ("contentType", target.contentType),
            // This route takes the bare number; with `max-age=` it would store `no-cache`.
            ("cacheControl", "\(target.cacheControl)"),
        ]
        if !target.metadata.isEmpty {
            pairs.append(("metadata", String(decoding: try StorageClient.encode(target.metadata), as: UTF8.self)))
        }
        return pairs.map { "\($0.0) \(Data($0.1.utf8).base64EncodedString())" }.joined(separator: ",")
    }
}
