/// A refusal as the protocol words it.
///
/// Nearly all have HTTP status 400 and the real one as text in the body (contract, section 2).
package struct ProtocolRefusal: Error, Hashable {
    /// The status of the HTTP answer.
    package var status: Int
    /// The status in the body.
    package let statusCode: String
    /// The `error` of the body, often the code's older form.
    package let error: String
    /// The sentence of the body, word for word as the reference server has it.
    package let message: String
    /// The `code` of the body, such as `NoSuchKey`.
    package let code: String

    /// A refusal; `statusCode` is the body's, and `error` is the code where none is given.
    package init(_ code: String, _ statusCode: Int, error: String? = nil, _ message: String, status: Int = 400) {
        self.status = status
        self.statusCode = String(statusCode)
        self.error = error ?? code
        self.message = message
        self.code = code
    }
}

/// What the index refuses.
extension ProtocolRefusal {
    /// An object has this key, and replacing was not asked for.
    package static let keyExists = ProtocolRefusal(
        "KeyAlreadyExists", 409, error: "Duplicate", "The resource already exists")
    /// The bucket that an object is to lie in does not exist.
    package static let noRelated = ProtocolRefusal("InvalidRequest", 404, "The related resource does not exist")
    /// Some bytes of the object are lost; the reference server has no such answer.
    static func damaged(size: Int64, stored: Int64) -> ProtocolRefusal {
        ProtocolRefusal(
            "ObjectDamaged", 500, error: "Object Damaged",
            "What is stored is damaged: \(size) bytes are left of \(stored)", status: 500)
    }
    static let badCursor = ProtocolRefusal("InvalidParameter", 400, "Invalid Parameter continuation token")
}
