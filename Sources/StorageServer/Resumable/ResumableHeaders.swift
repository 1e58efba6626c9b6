import ObjectStore
import Serving

/// The header lines of TUS 1.0.0 in a request (https://tus.io/protocols/resumable-upload).
struct ResumableHeaders {
    static let version = "1.0.0"
    static let bodyType = "application/offset+octet-stream"
    static let extensions = "creation,creation-with-upload,creation-defer-length,termination,expiration"

    let offset: Int64?
    let length: Int64?
    let defersLength: Bool
    let metadata: String?
    /// Whether the request's body is bytes of the upload.
    let hasBytes: Bool

    /// Refuses a request of another version, and malformed header lines.
    init(_ call: RoutedRequest) throws(ResumableRefusal) {
        guard call.header("tus-resumable") != nil else { throw .noVersion }
        let invalid = Self.rules.filter { rule in
            guard let value = call.header(rule.name) else { return false }
            return !rule.allows(value, call.request.method)
        }
        guard invalid.isEmpty else {
            throw ResumableRefusal(400, "Invalid \(invalid.map(\.name).joined(separator: " "))\n")
        }
        offset = call.header("upload-offset").flatMap(Int64.init)
        length = call.header("upload-length").flatMap(Int64.init)
        defersLength = call.header("upload-defer-length") != nil
        metadata = call.header("upload-metadata")
        hasBytes = call.header("content-type") == Self.bodyType
    }

    private typealias Rule = (name: String, allows: (String, _ method: String) -> Bool)
    private static var rules: [Rule] {
        [
            ("tus-resumable", { value, _ in value == version }),
            ("content-type", { value, method in method != "PATCH" || value == bodyType }),
            ("upload-offset", { value, _ in isNumber(value) }),
            ("upload-length", { value, _ in isNumber(value) }),
            ("upload-defer-length", { value, _ in value == "1" }),
            ("upload-metadata", { value, _ in UploadMetadataPairs(value) != nil }),
            ("x-forwarded-proto", { value, _ in ["http", "https"].contains(value) }),
        ]
    }

    /// Whether `text` is a whole number as JavaScript prints it.
    private static func isNumber(_ text: String) -> Bool {
        Int64(text).map { $0 >= 0 && String($0) == text } ?? false
    }
}
