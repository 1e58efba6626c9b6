import ObjectStore
import Serving

/// What the routes refuse, and how a refusal is answered.
extension ProtocolRefusal {
    var response: Response { response(headers: [:]) }

    func response(headers: Headers) -> Response {
        .json(
            status: status, headers: headers,
            ["statusCode": .text(statusCode), "error": .text(error), "message": .text(message), "code": .text(code)])
    }
}

extension ProtocolRefusal {
    static let noBucket = ProtocolRefusal("NoSuchBucket", 404, error: "Bucket not found", "Bucket not found")
    static let noObject = ProtocolRefusal("NoSuchKey", 404, error: "not_found", "Object not found")
    static let noContent = ProtocolRefusal("NoSuchKey", 404, error: "Not found", "The resource was not found")
    static let bucketExists = ProtocolRefusal(
        "BucketAlreadyExists", 409, error: "Duplicate", "The resource already exists")
    static let resourceExists = ProtocolRefusal(
        "ResourceAlreadyExists", 409, error: "Duplicate", "The resource already exists")
    static let bucketNotEmpty = ProtocolRefusal("ResourceNotEmpty", 409, "The bucket you tried to delete is not empty")
    static let badBucketName = ProtocolRefusal("InvalidBucketName", 400, error: "Invalid Input", "Bucket name invalid")
    static let badRange = ProtocolRefusal(
        "InvalidRange", 416, error: "invalid_range", "invalid range provided", status: 416)
    static let tooLarge = ProtocolRefusal(
        "EntityTooLarge", 413, error: "Payload too large", "The object exceeded the maximum allowed size")
    static let badContentType = ProtocolRefusal(
        "InvalidMimeType", 415, error: "invalid_mime_type", "Invalid Content-Type header")
    static let badSizeLimit = ProtocolRefusal(
        "InvalidRequest", 400, "Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B")
    static let bodyClosed = ProtocolRefusal("InvalidRequest", 400, "Request stream closed before upload could begin")
    static let badSignature = ProtocolRefusal("InvalidSignature", 400, "Invalid signature")
    static let wrongScope = ProtocolRefusal("InvalidSignature", 400, "Token is not scoped for download")
    static let wrongUploadScope = ProtocolRefusal("InvalidSignature", 400, "Token is not scoped for upload")
    static let policyViolated = denied("new row violates row-level security policy")
    static let noBoundary = ProtocolRefusal("InvalidRequest", 400, "Multipart: Boundary not found")
    static let noFile = ProtocolRefusal("InvalidRequest", 400, "No content provided")
    /// Any failure inside this server.
    static let `internal` = ProtocolRefusal(
        "InternalError", 500, error: "Internal", "Internal Server Error", status: 500)
    /// The disk of this server is full; the reference server has no such answer.
    static let diskFull = ProtocolRefusal(
        "InsufficientStorage", 507, error: "Insufficient Storage", "The disk of the storage is full", status: 507)

    /// The folder of this server can only be read, as the reference server's database may be.
    static let readOnly = ProtocolRefusal(
        "DatabaseReadOnly", 503, error: "Service Unavailable",
        "The storage can only be read: mount its disk for writing", status: 503)

    static func badKey(_ key: String) -> ProtocolRefusal { ProtocolRefusal("InvalidKey", 400, "Invalid key: \(key)") }
    static func badToken(_ failure: Token.Failure) -> ProtocolRefusal {
        ProtocolRefusal("InvalidJWT", 400, failure.message)
    }
    static func badRobots(_ reason: String) -> ProtocolRefusal {
        ProtocolRefusal("InvalidRequest", 400, error: "invalid_x_robots_tag", "Invalid X-Robots-Tag header: \(reason)")
    }
    static func badType(_ type: String) -> ProtocolRefusal {
        ProtocolRefusal("InvalidMimeType", 415, error: "invalid_mime_type", "mime type \(type) is not supported")
    }
    static func denied(_ message: String, status: Int = 400) -> ProtocolRefusal {
        ProtocolRefusal("AccessDenied", 403, error: "Unauthorized", message, status: status)
    }

    /// What the schema check of a route answers, such as `body/limit must be >= 1`.
    static func schema(_ message: String) -> ProtocolRefusal {
        ProtocolRefusal("InvalidRequest", 400, error: "Error", message)
    }
    /// What reading a body answers before a route sees it.
    static func unreadable(_ message: String, status: Int = 400) -> ProtocolRefusal {
        ProtocolRefusal("InvalidRequest", status, error: "FastifyError", message, status: status)
    }
    /// A path that no route has.
    static func noRoute(_ method: String, _ target: String) -> ProtocolRefusal {
        ProtocolRefusal("InvalidRequest", 404, error: "Not Found", "Route \(method):\(target) not found", status: 404)
    }
}

extension Response {
    /// The content type of answers that are given before a route is found.
    static let bareJSON: Headers = ["Content-Type": "application/json"]

    /// An answer with `body` as its JSON.
    static func json(status: Int = 200, headers: Headers = [:], _ body: JSON) -> Response {
        var headers = headers
        headers["Content-Type"] = headers["Content-Type"] ?? "application/json; charset=utf-8"
        return Response(status: status, headers: headers, body: .bytes(body.bytes))
    }

    /// `{"message": …}`.
    static func message(_ text: String) -> Response { .json(["message": .text(text)]) }
}
