import Formats

/// Which kind of storage the server's eTags imitate.
///
/// The reference server's eTag is the MD5 of the bytes where it stores files. Where it stores objects in S3, as the
/// hosted service does, it is S3's: for an object stored in parts
/// `"<MD5 over the parts' binary MD5s, in hex>-<number of parts>"`. Where the parts end, as of August 2026:
///
/// - **Standard uploads** are cut every 16 MiB (`STORAGE_S3_UPLOAD_PART_SIZE`, at least 5 MiB; supabase/storage
///   `src/config.ts`, `src/storage/backend/s3/adapter.ts`), whether or not the client stated a length
///   (`src/storage/uploader.ts`). A body of one part or less is put in one request, and its eTag is the plain MD5
///   (aws-sdk-js-v3 `lib/lib-storage/src/Upload.ts`, `chunks/getChunkStream.ts`: cut only once more follows). Until
///   May 2026 the size was that library's 5 MiB.
/// - **Resumable uploads** end a part with each request that brings 5 MiB or more, and inside a request every
///   50 MiB (`TUS_PART_SIZE`; `src/http/routes/tus/index.ts`), or every ceil(length / 10,000) bytes where that is
///   more. A shorter rest that is not the end waits as an incomplete part, and begins the next one. There
///   is always at least one part; an empty object has one empty part (tus-node-server
///   `packages/s3-store/src/index.ts`: `calcOptimalPartSize`, `uploadParts`, `finishMultipartUpload`).
/// - **Moves and copies** are copied in one request, after which the eTag is the plain MD5
///   (`src/storage/object.ts`, S3's CopyObject).
package enum ETagRule: Hashable, Sendable {
    /// The MD5 of the bytes.
    case md5
    /// The most bytes of a part, in standard and in resumable uploads.
    case multipart(standard: Int64, resumable: Int64)

    /// The rule of hosted storage with its default settings.
    package static let hosted = ETagRule.multipart(standard: 16 << 20, resumable: 50 << 20)

    /// The fewest bytes of every part but the last.
    static let smallestPart: Int64 = 5 << 20
    private static let mostParts: Int64 = 10_000
    private static let largestObject: Int64 = 5 << 40

    /// Parses a rule: `md5`, `multipart`, or `multipart:N:M` with sizes in MiB; `nil` for other words.
    package init?(words: String) {
        var words = words.split(separator: ":", omittingEmptySubsequences: false)[...]
        switch words.popFirst() {
        case "md5" where words.isEmpty: self = .md5
        case "multipart" where words.count <= 2:
            let sizes = words.compactMap { Int64(digits: $0) }.filter { (5...5120).contains($0) }.map { $0 << 20 }
            guard sizes.count == words.count, case .multipart(let standard, let resumable) = Self.hosted else {
                return nil
            }
            self = .multipart(standard: sizes.first ?? standard, resumable: sizes.dropFirst().first ?? resumable)
        default: return nil
        }
    }

    /// The bytes of a part of a standard upload; `nil` where there are no parts.
    package var standardPart: Int64? { if case .multipart(let standard, _) = self { standard } else { nil } }

    /// The bytes of a part of a resumable upload of `length`; `nil` where there are no parts.
    package func resumablePart(length: Int64?) -> Int64? {
        guard case .multipart(_, let preferred) = self else { return nil }
        let length = length ?? Self.largestObject
        let even = (length + Self.mostParts - 1) / Self.mostParts
        return max(length <= preferred ? length : max(preferred, even), Self.smallestPart)
    }
}
