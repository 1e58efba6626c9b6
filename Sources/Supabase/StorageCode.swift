/// The `code` of a Storage error body (contract 2.2); servers may send ones not listed here.
package struct StorageCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let noSuchBucket = StorageCode(rawValue: "NoSuchBucket")
    package static let noSuchKey = StorageCode(rawValue: "NoSuchKey")
    package static let noSuchUpload = StorageCode(rawValue: "NoSuchUpload")
    package static let accessDenied = StorageCode(rawValue: "AccessDenied")
    package static let resourceAlreadyExists = StorageCode(rawValue: "ResourceAlreadyExists")
    package static let keyAlreadyExists = StorageCode(rawValue: "KeyAlreadyExists")
    package static let bucketAlreadyExists = StorageCode(rawValue: "BucketAlreadyExists")
    package static let resourceNotEmpty = StorageCode(rawValue: "ResourceNotEmpty")
    package static let resourceLocked = StorageCode(rawValue: "ResourceLocked")
    package static let lockTimeout = StorageCode(rawValue: "LockTimeout")
    package static let slowDown = StorageCode(rawValue: "SlowDown")
    package static let databaseTimeout = StorageCode(rawValue: "DatabaseTimeout")
    package static let databaseReadOnly = StorageCode(rawValue: "DatabaseReadOnly")
    package static let databaseTransactionAborted = StorageCode(rawValue: "DatabaseTransactionAborted")
    package static let databaseError = StorageCode(rawValue: "DatabaseError")
    package static let databaseInvalidObjectDefinition = StorageCode(rawValue: "DatabaseInvalidObjectDefinition")
    package static let databaseSchemaMismatch = StorageCode(rawValue: "DatabaseSchemaMismatch")
    package static let transactionError = StorageCode(rawValue: "TransactionError")
    package static let internalError = StorageCode(rawValue: "InternalError")
    package static let aborted = StorageCode(rawValue: "Aborted")
    package static let abortedTerminate = StorageCode(rawValue: "AbortedTerminate")
    package static let s3Error = StorageCode(rawValue: "S3Error")
    package static let entityTooLarge = StorageCode(rawValue: "EntityTooLarge")
    package static let invalidMimeType = StorageCode(rawValue: "InvalidMimeType")
    package static let invalidKey = StorageCode(rawValue: "InvalidKey")
    package static let invalidBucketName = StorageCode(rawValue: "InvalidBucketName")
    package static let invalidJWT = StorageCode(rawValue: "InvalidJWT")
    package static let invalidSignature = StorageCode(rawValue: "InvalidSignature")
    package static let invalidRange = StorageCode(rawValue: "InvalidRange")
    package static let invalidRequest = StorageCode(rawValue: "InvalidRequest")
    package static let featureNotEnabled = StorageCode(rawValue: "FeatureNotEnabled")
    package static let tenantNotFound = StorageCode(rawValue: "TenantNotFound")
    package static let expiredToken = StorageCode(rawValue: "ExpiredToken")
    package static let signatureDoesNotMatch = StorageCode(rawValue: "SignatureDoesNotMatch")
    package static let invalidUploadId = StorageCode(rawValue: "InvalidUploadId")
    package static let invalidUploadSignature = StorageCode(rawValue: "InvalidUploadSignature")
    package static let notSupported = StorageCode(rawValue: "NotSupported")
    package static let invalidAccessKeyId = StorageCode(rawValue: "InvalidAccessKeyId")
}
