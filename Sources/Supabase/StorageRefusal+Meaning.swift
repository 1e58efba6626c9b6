/// What a refusal means: by `code`, then the body's status, then its words, then the HTTP status.
extension StorageRefusal {
    /// The key, or the bucket, is taken.
    package var isDuplicate: Bool {
        if let code { return Self.duplicates.contains(code) }
        return label == "Duplicate" || message.contains("already exists")
    }

    /// The object is not there, or not visible to who asks.
    ///
    /// A 404 without Storage's own words is not: a wrong base URL must not look like a lost object.
    package var isMissing: Bool {
        if let code { return code == .noSuchKey }
        guard statusCode == 404 else { return false }
        return label == "not_found" || Self.missingTexts.contains { message.hasPrefix($0) }
    }

    package var isBucketMissing: Bool {
        if let code { return code == .noSuchBucket }
        return statusCode == 404 && message.hasPrefix("Bucket not found")
    }

    package var isTooLarge: Bool {
        if let code { return code == .entityTooLarge }
        return statusCode == 413
    }

    /// The token is missing, expired or wrong: signing in again may help.
    package var isSignIn: Bool {
        if code == .invalidJWT || code == .invalidSignature { return false }
        if httpStatus == 401 || statusCode == 401 { return true }
        guard code == nil || code == .accessDenied || code == .invalidRequest else { return false }
        return Self.tokenTexts.contains { message.lowercased().contains($0) }
    }

    /// Signed in, but not permitted.
    package var isDenied: Bool {
        guard !isSignIn else { return false }
        if let code { return code == .accessDenied }
        return statusCode == 403
    }

    /// The same request may succeed later.
    package var isRetryable: Bool {
        if message.hasPrefix("No content provided") || message.hasPrefix("Request stream closed") { return true }
        if let code, Self.passing.contains(code) { return true }
        if let code, Self.lasting.contains(code) { return false }
        if [statusCode, httpStatus].contains(where: { (520...524).contains($0) }) { return true }
        return Self.passingStatuses.contains(statusCode) || Self.passingStatuses.contains(httpStatus)
    }

    private static let duplicates: Set<StorageCode> = [.resourceAlreadyExists, .keyAlreadyExists, .bucketAlreadyExists]
    private static let missingTexts = ["Object not found", "The resource was not found", "The file for this url"]
    private static let tokenTexts =
        ["jwt", "jws", "jwk", "\"exp\" claim", "\"nbf\" claim", "signature verification"]
        + ["'authorization'", "no api key", "invalid api key"]
    private static let passing: Set<StorageCode> = [
        .resourceLocked, .lockTimeout, .slowDown, .databaseTimeout, .databaseReadOnly, .databaseTransactionAborted,
        .databaseError, .transactionError, .internalError, .aborted, .abortedTerminate,
    ]
    private static let lasting: Set<StorageCode> = [
        .databaseInvalidObjectDefinition, .databaseSchemaMismatch, .tenantNotFound,
    ]
    private static let passingStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504, 544]
}
