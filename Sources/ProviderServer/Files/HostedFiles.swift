import FoundationEssentials
import Platform
import Serving

/// The files that providers hold, by the path in their links.
struct HostedFiles: Sendable {
    /// What a client must present to get a file.
    enum Access: Hashable, Sendable {
        case anyone
        /// A link with a valid signature that has not expired.
        case signature
        /// A call of the provider's API, which checks the key itself.
        case account
    }

    /// One file.
    struct Held: Hashable, Sendable {
        var media: MadeMedia
        var access: Access
        /// When the file is deleted; `nil` if it is kept.
        var goneAt: Date?

        /// The eTag, which changes whenever the bytes change.
        var tag: String { "\"\(SHA256.hash(media.bytes).prefix(8).hexadecimal)\"" }
    }

    private var files: [String: Held] = [:]

    subscript(path: String) -> Held? {
        get { files[path] }
        set { files[path] = newValue }
    }

    /// Replaces the bytes of the file at `path`, which changes its tag.
    mutating func replace(_ path: String, by bytes: [UInt8]) {
        files[path]?.media.bytes = bytes
    }
}

extension HostedFiles.Held {
    /// The answer to a request that is permitted to get the file.
    ///
    /// - Parameter count: The number of bytes to cut the file to; `nil` for all.
    func answer(_ request: Request, shortenedTo count: Int? = nil) -> Response {
        let bytes = Array(media.bytes.prefix(count ?? .max))
        let size = Int64(bytes.count)
        var response = Response(status: 200)
        response.headers = ["Content-Type": media.contentType, "ETag": tag, "Accept-Ranges": "bytes"]
        let isSame = request.headers["if-range"].map { $0 == tag } ?? true
        var wanted = 0..<size
        if let header = request.headers["range"], isSame {
            guard let range = RangeHeader.range(header, of: size) else {
                return Response(status: 416, headers: ["Content-Range": "bytes */\(size)"])
            }
            wanted = range
            response.status = 206
            response.headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
        }
        guard request.method != "HEAD" else {
            response.body = .announced(length: Int64(wanted.count))
            return response
        }
        response.body = .bytes(Array(bytes[Int(wanted.lowerBound)..<Int(wanted.upperBound)]))
        return response.streamed
    }
}
