import ObjectStore
import Serving

/// A refusal of the resumable endpoint: plain text with the true status, unlike all other routes.
struct ResumableRefusal: Error, Hashable {
    let status: Int
    let text: String

    init(_ status: Int, _ text: String) {
        self.status = status
        self.text = text
    }

    /// Converts a refusal of the other routes to this endpoint's form.
    init(_ refusal: ProtocolRefusal) {
        self.init(Int(refusal.statusCode) ?? refusal.status, refusal.message)
    }

    /// - Parameter isHead: Whether the answer must have no body.
    func response(isHead: Bool) -> Response {
        let bytes = Array(text.utf8)
        return Response(
            status: status, headers: ["Content-Type": Response.plainText, "Tus-Resumable": ResumableHeaders.version],
            body: isHead ? .announced(length: Int64(bytes.count)) : .bytes(bytes))
    }
}

extension Response {
    static let plainText = "text/plain;charset=UTF-8"
}

extension ResumableRefusal {
    static let noVersion = ResumableRefusal(412, "Tus-Resumable Required\n")
    static let noLength = ResumableRefusal(400, "Upload-Length or Upload-Defer-Length header required\n")
    static let noMetadata = ResumableRefusal(400, "Metadata header is required")
    static let badBucketName = ResumableRefusal(400, "Bucket name invalid")
    static let badID = ResumableRefusal(400, "Invalid upload id")
    static let noConcatenation = ResumableRefusal(
        501, "Concatenation extension is not (yet) supported. Disable parallel uploads in the tus client.\n")
    static let tooLarge = ResumableRefusal(413, "Maximum size exceeded\n")
    static let tooLong = ResumableRefusal(413, "upload's size exceeded\n")
    static let noOffset = ResumableRefusal(403, "Upload-Offset header required\n")
    static let noContentType = ResumableRefusal(403, "Content-Type header required\n")
    static let wrongOffset = ResumableRefusal(409, "Upload-Offset conflict\n")
    static let noUpload = ResumableRefusal(404, "The file for this url was not found\n")
    static let uploadGone = ResumableRefusal(410, "The file for this url no longer exists\n")
    static let alreadyFinished = ResumableRefusal(400, "Cannot terminate an already completed upload")
    static let lockTimeout = ResumableRefusal(503, "acquiring lock timeout")
    static let lost = ResumableRefusal(500, "Something went wrong receiving the file\n")
    static let noSignature = ResumableRefusal(400, "Missing x-signature header")
    static let `internal` = ResumableRefusal(500, "Something went wrong with that request\n")
}
