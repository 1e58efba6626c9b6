/// The `code` of a Storage error body (contract 2.2); servers may send ones not listed here.
package struct StorageCode: RawRepresentable, Hashable, Sendable {
    /// The code as the server spells it.
    package let rawValue: String

    /// Accepts any text, since servers may send codes that this client does not know.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// 404: the bucket does not exist, or the caller may not see it.
    package static let noSuchBucket = StorageCode(rawValue: "NoSuchBucket")
    /// 404: the object does not exist, or the caller may not see it.
    package static let noSuchKey = StorageCode(rawValue: "NoSuchKey")
    /// 404: the upload in pieces is not known; begin a new one.
    static let noSuchUpload = StorageCode(rawValue: "NoSuchUpload")
    /// 403: a policy refuses, or the token is at fault; only the message tells which.
    package static let accessDenied = StorageCode(rawValue: "AccessDenied")
    /// 409: something with this key exists.
    static let resourceAlreadyExists = StorageCode(rawValue: "ResourceAlreadyExists")
    /// 409: an object with this key exists and was not to be replaced.
    static let keyAlreadyExists = StorageCode(rawValue: "KeyAlreadyExists")
    /// 409: the bucket exists, which is a success when it only had to exist.
    static let bucketAlreadyExists = StorageCode(rawValue: "BucketAlreadyExists")
    /// 423: another request holds the resource.
    static let resourceLocked = StorageCode(rawValue: "ResourceLocked")
    /// 503: the server could not get its lock in time.
    static let lockTimeout = StorageCode(rawValue: "LockTimeout")
    /// 429: the service has no free connection to its database.
    package static let slowDown = StorageCode(rawValue: "SlowDown")
    /// 544: the service's database did not accept a connection in time.
    package static let databaseTimeout = StorageCode(rawValue: "DatabaseTimeout")
    /// 503: the database takes no writes, often because the project's disk is full.
    package static let databaseReadOnly = StorageCode(rawValue: "DatabaseReadOnly")
    /// 500: the database aborted the transaction; the request may be repeated.
    static let databaseTransactionAborted = StorageCode(rawValue: "DatabaseTransactionAborted")
    /// 500: any other error of the database.
    package static let databaseError = StorageCode(rawValue: "DatabaseError")
    /// 503: the database's schema is invalid or incompatible; the operator has to act.
    static let databaseInvalidObjectDefinition = StorageCode(rawValue: "DatabaseInvalidObjectDefinition")
    /// 503: a trigger, a policy or a missing migration is in the way; the operator has to act.
    static let databaseSchemaMismatch = StorageCode(rawValue: "DatabaseSchemaMismatch")
    /// 409: the transaction failed; the request may be repeated.
    package static let transactionError = StorageCode(rawValue: "TransactionError")
    /// 500: an error inside the service.
    package static let internalError = StorageCode(rawValue: "InternalError")
    /// 500, or 499 on reads: the request was aborted; it may be repeated.
    static let aborted = StorageCode(rawValue: "Aborted")
    /// 500, or 499 on reads: as `aborted`; the request may be repeated.
    static let abortedTerminate = StorageCode(rawValue: "AbortedTerminate")
    /// 500: the object has lost bytes, which only storing it again mends; only the embedded server answers this.
    package static let objectDamaged = StorageCode(rawValue: "ObjectDamaged")
    /// 413: the object is larger than the bucket or the project allows.
    static let entityTooLarge = StorageCode(rawValue: "EntityTooLarge")
    /// 415: the bucket's allow-list lacks this content type.
    package static let invalidMimeType = StorageCode(rawValue: "InvalidMimeType")
    /// 400: the key contains bytes that Storage refuses.
    static let invalidKey = StorageCode(rawValue: "InvalidKey")
    /// 400: the token of a signed URL is malformed or has expired; request a new one.
    static let invalidJWT = StorageCode(rawValue: "InvalidJWT")
    /// 400: the token of a signed URL belongs to another path or another use.
    static let invalidSignature = StorageCode(rawValue: "InvalidSignature")
    /// 400 or 416: the object has no byte in the requested range.
    package static let invalidRange = StorageCode(rawValue: "InvalidRange")
    /// 400, sometimes 404 or 409: the request is malformed; the message says how.
    static let invalidRequest = StorageCode(rawValue: "InvalidRequest")
    /// 409, or 400 on listings: the feature is disabled for this project or bucket.
    static let featureNotEnabled = StorageCode(rawValue: "FeatureNotEnabled")
    /// 400: no such project; the URL is wrong or the project is paused.
    static let tenantNotFound = StorageCode(rawValue: "TenantNotFound")
    /// 400: the token of a signed URL has expired; request a new one.
    static let expiredToken = StorageCode(rawValue: "ExpiredToken")
    /// 403: the S3 signature is wrong.
    static let signatureDoesNotMatch = StorageCode(rawValue: "SignatureDoesNotMatch")
    /// 400: the id of the upload in pieces cannot be read; begin a new one.
    static let invalidUploadId = StorageCode(rawValue: "InvalidUploadId")
    /// 400: the upload in pieces is not known under this signature; begin a new one.
    static let invalidUploadSignature = StorageCode(rawValue: "InvalidUploadSignature")
    /// 409, or 400 on listings: this server does not implement the feature.
    static let notSupported = StorageCode(rawValue: "NotSupported")
    /// 403: the S3 access key is not known.
    static let invalidAccessKeyId = StorageCode(rawValue: "InvalidAccessKeyId")
}
