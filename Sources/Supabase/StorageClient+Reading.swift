import Formats
package import Transfer

/// Which bytes of an object to read.
package enum ByteRange: Hashable, Sendable {
    /// From an offset to the end; refused with `InvalidRange` where the object is not longer than that.
    case from(Int64)
    case between(Int64, count: Int64)

    /// The first byte's offset.
    package var start: Int64 {
        switch self {
        case .from(let start), .between(let start, _): start
        }
    }

    /// The header's value, such as `bytes=100-199`.
    var header: String {
        switch self {
        case .from(let start): "bytes=\(start)-"
        case .between(let start, let count): "bytes=\(start)-\(start + (count - 1))"
        }
    }
}

extension StorageClient {
    /// Reads an object, or a range of it, into memory or a file.
    ///
    /// Check the result's `offset`: a server that ignores ranges sends the whole object, and so does one whose
    /// object no longer has the eTag `ifRange`. In a file those bytes are written from its first byte on.
    ///
    /// - Parameter ifRange: The eTag of the object that the earlier bytes came from.
    package func download(
        bucket: String, key: String, to answer: AnswerSink, range: ByteRange? = nil, ifRange: String? = nil,
        receiveLimit: Int? = nil, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(StorageError) -> DownloadedObject {
        var request = request(.get, Self.path("object/authenticated", bucket, key))
        request.answer = answer
        request.headers["range"] = range?.header
        request.headers["if-range"] = range == nil ? nil : ifRange
        request.receiveLimit = receiveLimit
        request.progress = progress
        return try Self.downloaded(try await send(request), range: range)
    }

    /// Describes the received bytes; throws where the server sent another range than requested.
    private static func downloaded(
        _ response: HTTPResponse, range: ByteRange?
    ) throws(StorageError) -> DownloadedObject {
        let isPart = response.status == 206
        // A range without an end does not count as one.
        let place = ContentRange(response.headers["content-range"]).flatMap { $0.end == nil ? nil : $0 }
        guard !isPart || place?.start == range?.start else {
            throw .unreadable(status: response.status, "a range that was not asked for")
        }
        return DownloadedObject(
            body: response.body, received: response.received, offset: isPart ? place?.start ?? 0 : 0,
            size: isPart
                ? place?.size
                : response.headers["content-length"].flatMap { Int64(digits: $0) }
                    ?? response.received,
            eTag: response.headers["etag"], contentType: response.headers["content-type"])
    }
}
