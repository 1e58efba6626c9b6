package import Transfer

/// What a refusal means: by `code`, then the body's status, then its words, then the HTTP status.
extension StorageRefusal {
    /// The one meaning of this refusal (contract 2.2 and 2.3).
    package var answerClass: AnswerClass {
        for status in [httpStatus, statusCode] {
            if let closed = AnswerClass(status: status), case .destinationClosed = closed { return closed }
        }
        if let text = byText { return text }
        if let code, let known = Self.byCode[code] { return known }
        if isTokenTrouble { return tokenClass }
        if let code, Self.deniedCodes.contains(code) { return .denied(by: .storage) }
        if code == nil, let words = byWords { return words }
        return byStatus
    }

    /// The key, or the bucket, is taken.
    package var isDuplicate: Bool { answerClass == .duplicate }

    /// The object does not exist, or the caller may not see it.
    ///
    /// A 404 without Storage's own message does not count: a wrong base URL must not look like a lost object.
    package var isMissing: Bool { answerClass == .notThere(.object) }

    /// The object is not there, or has no bytes where a part of it was asked for.
    package var hasNoSuchBytes: Bool { isMissing || code == .invalidRange }

    /// The object has lost bytes, which no other request brings back.
    package var isOfDamage: Bool { code == .objectDamaged }

    /// Whether the bucket of the request does not exist.
    package var isBucketMissing: Bool { answerClass == .notThere(.bucket) }

    /// The token is missing, expired, wrong, or of a kind this server does not know.
    package var isSignIn: Bool {
        switch answerClass {
        case .signIn, .wrongKind: true
        default: false
        }
    }

    /// Signed in, but not permitted.
    package var isDenied: Bool { if case .denied = answerClass { true } else { false } }

    /// Waiting helps only against a broken network; not if the file cannot be read or the host is not trusted.
    package static func isPassing(_ lost: TransferError) -> Bool {
        [.unreachable, .lost, .timedOut, .secure].contains(lost.kind)
    }

    /// The same request may succeed later.
    package var isRetryable: Bool { answerClass.isRetryable }
}

extension AnswerClass {
    /// What one of Storage's codes means by itself; `nil` where the message or the status decides.
    package init?(code: StorageCode) {
        guard let known = StorageRefusal.byCode[code] else { return nil }
        self = known
    }
}

extension StorageRefusal {
    fileprivate static let byCode: [StorageCode: AnswerClass] = [
        .noSuchBucket: .notThere(.bucket), .noSuchKey: .notThere(.object), .noSuchUpload: .notThere(.upload),
        .invalidUploadId: .notThere(.upload), .invalidUploadSignature: .notThere(.upload),
        .resourceAlreadyExists: .duplicate, .keyAlreadyExists: .duplicate, .bucketAlreadyExists: .duplicate,
        .resourceLocked: .retry(load: false), .lockTimeout: .retry(load: true), .slowDown: .retry(load: true),
        .databaseTimeout: .retry(load: true), .databaseReadOnly: .retry(load: true),
        .databaseTransactionAborted: .retry(load: false), .databaseError: .retry(load: false),
        .transactionError: .retry(load: false), .internalError: .retry(load: false), .aborted: .retry(load: false),
        .abortedTerminate: .retry(load: false), .entityTooLarge: .tooLarge(by: .storage),
        .invalidJWT: .expiredLink, .invalidSignature: .expiredLink, .expiredToken: .expiredLink,
        .featureNotEnabled: .unsupported, .notSupported: .unsupported,
        .databaseInvalidObjectDefinition: .permanent, .databaseSchemaMismatch: .permanent, .tenantNotFound: .permanent,
        .invalidKey: .permanent, .invalidMimeType: .permanent, .objectDamaged: .permanent,
    ]
    private static let deniedCodes: Set<StorageCode> = [.accessDenied, .signatureDoesNotMatch, .invalidAccessKeyId]

    /// What the message says, for codes that are used with several meanings.
    private var byText: AnswerClass? {
        if message.hasPrefix("No content provided") || message.hasPrefix("Request stream closed") {
            return .retry(load: false)
        }
        guard code == nil else { return nil }
        if message.hasPrefix("Upload-Offset conflict") { return .conflict }
        if message.hasPrefix("Request aborted due to lock acquired") { return .retry(load: false) }
        if message.hasPrefix("Invalid signature") || message.hasPrefix("Missing x-signature") { return .expiredLink }
        return message.hasSuffix("header required") ? .permanent : nil
    }

    /// What the message says, for old servers and the resumable endpoint, which send no code.
    private var byWords: AnswerClass? {
        if label == "Duplicate" || message.contains("already exists") { return .duplicate }
        guard statusCode == 404 || statusCode == 410 else { return nil }
        if message.hasPrefix("Bucket not found") { return .notThere(.bucket) }
        if message.hasPrefix("The file for this url") { return .notThere(.upload) }
        let isObject = label == "not_found" || Self.missingTexts.contains { message.hasPrefix($0) }
        return isObject ? .notThere(.object) : nil
    }

    /// The body's status, then the HTTP status; an answer without Storage's message is a proxy's.
    private var byStatus: AnswerClass {
        switch statusCode {
        case 413: return .tooLarge(by: isFromProxy ? .proxy : .storage)
        // No message, as in every answer to HEAD: the caller has to ask what it conflicts with.
        case 409 where code == nil && label.isEmpty: return .conflict
        case 403 where code == nil: return .denied(by: isFromProxy ? .proxy : .storage)
        default: return AnswerClass(status: statusCode) ?? AnswerClass(status: httpStatus) ?? .permanent
        }
    }

    /// Storage answers JSON or, when resumable, a line of text; a gateway's page is neither.
    var isFromProxy: Bool {
        guard code == nil, label.isEmpty else { return false }
        return body.isEmpty || body.drop(while: \.isWhitespace).hasPrefix("<")
    }

    private var isTokenTrouble: Bool {
        if httpStatus == 401 || statusCode == 401 { return true }
        guard code == nil || code == .accessDenied || code == .invalidRequest else { return false }
        return Self.tokenTexts.contains { message.lowercased().contains($0) }
    }

    /// A service without a gateway cannot read keys that are not JSON web tokens.
    private var tokenClass: AnswerClass {
        guard sentKey.needsGateway, message.contains("Compact JWS") else { return .signIn }
        return .wrongKind(sentKey)
    }

    private static let missingTexts = ["Object not found", "The resource was not found"]
    private static let tokenTexts =
        ["jwt", "jws", "jwk", "\"exp\" claim", "\"nbf\" claim", "signature verification"]
        + ["'authorization'", "no api key", "invalid api key"]
}
