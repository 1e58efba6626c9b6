import Supabase
import Testing
import Transfer

/// Every row of the contract's sections 2.2 and 2.3, and what gateways add.
@Suite struct AnswerClassTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let status: Int
        let body: String
        let meaning: AnswerClass

        init(_ description: String, _ status: Int, _ body: String, _ meaning: AnswerClass) {
            (testDescription, self.status, self.body, self.meaning) = (description, status, body, meaning)
        }

        init(
            _ description: String, _ status: Int, code: String, _ statusCode: Int, _ message: String,
            _ meaning: AnswerClass
        ) {
            let body = #"{"statusCode":"\#(statusCode)","error":"e","message":"\#(message)","code":"\#(code)"}"#
            self.init(description, status, body, meaning)
        }

        init(_ description: String, _ status: Int, code: String, _ statusCode: Int, _ meaning: AnswerClass) {
            self.init(description, status, code: code, statusCode, "…", meaning)
        }
    }

    private static let byCode = [
        Row("no bucket", 400, code: "NoSuchBucket", 404, "Bucket not found", .notThere(.bucket)),
        Row("no object", 400, code: "NoSuchKey", 404, "Object not found", .notThere(.object)),
        Row("no bytes for the row", 400, code: "NoSuchKey", 404, "The resource was not found", .notThere(.object)),
        Row("no upload", 400, code: "NoSuchUpload", 404, "Upload not found", .notThere(.upload)),
        Row("no policy", 400, code: "AccessDenied", 403, "new row violates row-level security", .denied(by: .storage)),
        Row("wrong role", 403, code: "AccessDenied", 403, "Access denied: Invalid role", .denied(by: .storage)),
        Row("no token at all", 400, code: "AccessDenied", 403, "Invalid Compact JWS", .signIn),
        Row("a forged token", 400, code: "AccessDenied", 403, "signature verification failed", .signIn),
        Row("an old token", 400, code: "AccessDenied", 403, #"\"exp\" claim timestamp check failed"#, .signIn),
        Row(
            "no header", 400, code: "InvalidRequest", 400, "headers must have required property 'authorization'",
            .signIn),
        Row("a taken destination", 400, code: "ResourceAlreadyExists", 409, .duplicate),
        Row("a taken key", 400, code: "KeyAlreadyExists", 409, .duplicate),
        Row("a taken bucket", 400, code: "BucketAlreadyExists", 409, .duplicate),
        Row("a bucket that is not empty is no duplicate", 400, code: "ResourceNotEmpty", 409, .permanent),
        Row("a collision in an answer to HEAD", 409, "", .conflict),
        Row("a locked object", 400, code: "ResourceLocked", 423, .retry(load: false)),
        Row("an object in use", 400, code: "ResourceReferenced", 409, .permanent),
        Row("a lock not got", 400, code: "LockTimeout", 503, .retry(load: true)),
        Row("too many connections", 429, code: "SlowDown", 429, .retry(load: true)),
        Row("a slow database", 544, code: "DatabaseTimeout", 544, .retry(load: true)),
        Row("a full database", 400, code: "DatabaseReadOnly", 503, .retry(load: true)),
        Row("a lost transaction", 500, code: "DatabaseTransactionAborted", 500, .retry(load: false)),
        Row("a broken schema", 400, code: "DatabaseInvalidObjectDefinition", 503, .permanent),
        Row("an object that lost bytes", 500, code: "ObjectDamaged", 500, .permanent),
        Row("a wrong schema", 400, code: "DatabaseSchemaMismatch", 503, .permanent),
        Row("a fault of the database", 500, code: "DatabaseError", 500, .retry(load: false)),
        Row("a conflict of transactions", 400, code: "TransactionError", 409, .retry(load: false)),
        Row("a fault within", 500, code: "InternalError", 500, .retry(load: false)),
        Row("given up", 500, code: "Aborted", 500, .retry(load: false)),
        Row("given up by the reader", 499, code: "AbortedTerminate", 499, .retry(load: false)),
        Row("the store behind it fails", 400, code: "S3Error", 500, .retry(load: false)),
        Row("the store behind it has too much to do", 400, code: "S3Error", 503, .retry(load: true)),
        Row("a refusal of the store behind it", 400, code: "S3Error", 412, .permanent),
        Row("too large", 400, code: "EntityTooLarge", 413, .tooLarge(by: .storage)),
        Row("JSON too large", 413, code: "EntityTooLarge", 413, .tooLarge(by: .storage)),
        Row("a type that is not allowed", 400, code: "InvalidMimeType", 415, .permanent),
        Row("a bad key", 400, code: "InvalidKey", 400, "Invalid key: ü", .permanent),
        Row("a key that speaks of tokens", 400, code: "InvalidKey", 400, "Invalid key: jwt#", .permanent),
        Row("a bad bucket", 400, code: "InvalidBucketName", 400, .permanent),
        Row("an old signed URL", 400, code: "InvalidJWT", 400, #"\"exp\" claim timestamp"#, .expiredLink),
        Row("a signed URL of another key", 400, code: "InvalidSignature", 400, "Invalid signature", .expiredLink),
        Row("an old token of a link", 400, code: "ExpiredToken", 400, .expiredLink),
        Row("S3's signature", 400, code: "SignatureDoesNotMatch", 403, .denied(by: .storage)),
        Row("a bad upload id", 400, code: "InvalidUploadId", 400, .notThere(.upload)),
        Row("a bad upload signature", 400, code: "InvalidUploadSignature", 400, .notThere(.upload)),
        Row("a range behind the end", 416, code: "InvalidRange", 416, .permanent),
        Row("a request that makes no sense", 400, code: "InvalidRequest", 400, .permanent),
        Row("no route", 404, code: "InvalidRequest", 404, "Route GET:/object/x not found", .permanent),
        Row("no body arrived", 400, code: "InvalidRequest", 400, "No content provided", .retry(load: false)),
        Row("the body broke off", 400, code: "InvalidRequest", 400, "Request stream closed …", .retry(load: false)),
        Row("a parameter", 400, code: "InvalidParameter", 400, .permanent),
        Row("a checksum", 400, code: "InvalidChecksum", 400, .permanent),
        Row("a feature not bought", 400, code: "FeatureNotEnabled", 409, .unsupported),
        Row("a feature not there", 400, code: "NotSupported", 409, .unsupported),
        Row("no such project", 400, code: "TenantNotFound", 400, .permanent),
        Row("S3's key", 400, code: "InvalidAccessKeyId", 403, .denied(by: .storage)),
        Row("an unknown code with a passing status", 400, code: "Novelty", 503, .retry(load: true)),
        Row("an unknown code", 400, code: "Novelty", 422, .permanent),
    ]

    private static let withoutCode = [
        Row(
            "an old server: duplicate", 400, #"{"statusCode":"409","error":"Duplicate","message":"taken"}"#, .duplicate
        ),
        Row(
            "an old server: missing", 400, #"{"statusCode":"404","error":"not_found","message":"Object not found"}"#,
            .notThere(.object)),
        Row(
            "an old server: missing, in its words", 400,
            #"{"statusCode":"404","error":"Not found","message":"The resource was not found"}"#, .notThere(.object)),
        Row(
            "an old server: bucket", 400,
            #"{"statusCode":"404","error":"Bucket not found","message":"Bucket not found"}"#, .notThere(.bucket)),
        Row(
            "an old server: policy", 400,
            #"{"statusCode":"403","error":"Unauthorized","message":"new row violates row-level security policy"}"#,
            .denied(by: .storage)),
        Row(
            "an old server: token", 400, #"{"statusCode":"400","error":"Invalid JWT","message":"jwt expired"}"#, .signIn
        ),
        Row(
            "an old server: size", 413, #"{"statusCode":"413","error":"Payload too large","message":"exceeded"}"#,
            .tooLarge(by: .storage)),
        Row("a status as a number", 404, #"{"message":"Route GET:/x not found","statusCode":404}"#, .permanent),
        Row("a path that is no path", 400, #"{"code":"FST_ERR_BAD_URL","statusCode":400}"#, .permanent),
        Row("headers too large", 431, #"{"error":"Request Header Fields Too Large","statusCode":431}"#, .permanent),
        Row("resumable: exists", 409, "The resource already exists", .duplicate),
        Row("resumable: another offset is no duplicate", 409, "Upload-Offset conflict\n", .conflict),
        Row("resumable: unknown", 404, "The file for this url was not found\n", .notThere(.upload)),
        Row("resumable: gone", 410, "The file for this url no longer exists\n", .notThere(.upload)),
        Row("resumable: bucket", 404, "Bucket not found", .notThere(.bucket)),
        Row("resumable: too large", 413, "Maximum size exceeded\n", .tooLarge(by: .storage)),
        Row("resumable: more than announced", 413, "upload's size exceeded\n", .tooLarge(by: .storage)),
        Row("resumable: policy", 403, "new row violates row-level security policy", .denied(by: .storage)),
        Row("resumable: a header forgotten is no policy", 403, "Upload-Offset header required\n", .permanent),
        Row("resumable: type", 415, "mime type application/pdf is not supported", .permanent),
        Row("resumable: lock", 503, "acquiring lock timeout", .retry(load: true)),
        Row("resumable: another request came", 400, "Request aborted due to lock acquired", .retry(load: false)),
        Row("resumable: broke", 500, "Something went wrong receiving the file\n", .retry(load: false)),
        Row("resumable: signature", 400, "Missing x-signature header", .expiredLink),
        Row("resumable: concatenation", 501, "Concatenation extension is not (yet) supported.\n", .permanent),
        Row("JSON that is no object", 500, "[1]", .retry(load: false)),
        Row("fields of wrong types", 400, #"{"statusCode":{},"error":1,"message":null,"code":[]}"#, .permanent),
    ]

    private static let gateways = [
        Row("without a key", 401, #"{"message":"No API key found in request"}"#, .signIn),
        Row("with a wrong key", 401, #"{"message":"Invalid API key","hint":"Double check"}"#, .signIn),
        Row("over the plan", 402, #"{"message":"exceed_storage_size_quota"}"#, .destinationClosed(.quota)),
        Row("over the plan, as a page", 402, "<html>", .destinationClosed(.quota)),
        Row(
            "the disk is full", 507, #"{"statusCode":"507","message":"The disk of the storage is full"}"#,
            .destinationClosed(.diskFull)),
        Row("asleep", 540, "Project paused", .destinationClosed(.projectPaused)),
        Row("a page: too large", 413, "<html><h1>413 Request Entity Too Large</h1></html>", .tooLarge(by: .proxy)),
        Row("without words: too large", 413, "", .tooLarge(by: .proxy)),
        Row("a page: forbidden", 403, "\n<!DOCTYPE html><h1>Attention Required!</h1>", .denied(by: .proxy)),
        Row("a page: nothing behind it", 502, "<html>Bad gateway</html>", .retry(load: false)),
        Row("a page: too busy", 503, "<html>", .retry(load: true)),
        Row("a page: too slow", 504, "<html>", .retry(load: false)),
        Row("a page that is not there is no missing object", 404, "<html>404 Not Found</html>", .permanent),
        Row("a network's own sign-in", 511, "<html>", .retry(load: false)),
        Row("a network's own sign-in, elsewhere", 302, "", .retry(load: false)),
        Row("moved for good", 301, "", .permanent), Row("moved for good, method kept", 308, "", .permanent),
        Row("nothing, twice", 408, "", .retry(load: false)), Row("too early", 425, "", .retry(load: false)),
        Row("too many", 429, "", .retry(load: true)), Row("before the first own code", 519, "", .permanent),
        Row("its own first code", 520, "", .retry(load: false)), Row("its own last", 524, "", .retry(load: false)),
        Row("behind the last", 525, "", .permanent), Row("nothing at all", 400, "", .permanent),
    ]

    @Test(arguments: byCode + withoutCode + gateways)
    func anAnswerMeansOneThing(_ row: Row) {
        let refusal = StorageRefusal(HTTPResponse(status: row.status, body: Array(row.body.utf8)))
        #expect(refusal.answerClass == row.meaning)
        #expect(StorageError.refused(refusal).answerClass == row.meaning)
        #expect(refusal.isRetryable == row.meaning.isRetryable)
        let named = [refusal.isDuplicate, refusal.isMissing, refusal.isBucketMissing]
        #expect((named + [refusal.isSignIn, refusal.isDenied, refusal.isRetryable]).filter { $0 }.count <= 1)
    }

    @Test(
        arguments: [
            ("sb_secret_x", .wrongKind(.secret)), ("sb_publishable_x", .wrongKind(.publishable)), ("garbage", .signIn),
        ] as [(String, AnswerClass)])
    func aKeyForGatewaysIsNamedAsSuch(key: String, meaning: AnswerClass) {
        let body = #"{"statusCode":"403","error":"Unauthorized","message":"Invalid Compact JWS","code":"AccessDenied"}"#
        let answer = HTTPResponse(status: 400, body: Array(body.utf8))
        let refusal = StorageRefusal(answer, sentKey: KeyKind(key))
        #expect(refusal.answerClass == meaning)
        #expect(refusal.isSignIn)
        #expect("\(refusal)".contains("no gateway") == (meaning != .signIn))
    }

    @Test(arguments: [
        (402, "deleting"), (540, "wake it"), (413, "proxy"), (403, "proxy"), (404, "HTTP 404"),
    ])
    func theSentenceSaysWhatToDo(status: Int, word: String) {
        #expect("\(StorageRefusal(HTTPResponse(status: status, body: Array("<p>".utf8))))".contains(word))
    }
}

/// What a real service was seen to answer.
@Suite struct RecordedAnswerClassTests {
    @Test(
        arguments: [
            ("up-raw-upsert-capital", .duplicate), ("bucket-create-duplicate", .duplicate), ("tus-exists", .duplicate),
            ("get-public-missing", .notThere(.object)), ("sign-missing", .notThere(.object)),
            ("bucket-put-missing", .notThere(.bucket)), ("tus-nobucket", .notThere(.bucket)),
            ("tus-delete-twice", .notThere(.upload)), ("up-toolarge", .tooLarge(by: .storage)),
            ("tus-toolarge", .tooLarge(by: .storage)), ("health-noauth", .signIn), ("up-raw-noauth", .signIn),
            ("tus-patch-expired-jwt", .signIn), ("delete-user", .denied(by: .storage)),
            ("bucket-create-anon", .denied(by: .storage)), ("bucket-empty-user", .denied(by: .storage)),
            ("tus-user-denied", .denied(by: .storage)), ("tus-patch-nooffset", .permanent),
            ("tus-delete-done", .duplicate), ("tus-delete-done-upsert", .permanent),
            ("key-seg300", .retry(load: false)), ("mp-nofilename", .retry(load: false)),
            ("sign-get-expired", .expiredLink), ("upsign-put-expired", .expiredLink),
            ("tus-sign-otherkey", .expiredLink), ("up-mime-bad", .permanent), ("tus-badmime", .permanent),
            ("key-badpct", .permanent), ("head-missing", .permanent), ("tus-get", .permanent),
            ("render-disabled", .permanent), ("get-empty-range", .permanent),
        ] as [(String, AnswerClass)])
    func meansWhatItShould(name: String, meaning: AnswerClass) throws {
        let recorded = try #require(Reference.cases.first { $0.name == name })
        #expect(StorageRefusal(recorded.answer).answerClass == meaning)
    }

    @Test(arguments: Reference.distinct { $0.answer.status >= 400 })
    func onlyServerTroubleIsRepeated(_ recorded: Reference.Case) {
        let refusal = StorageRefusal(recorded.answer)
        let isBodyLost = refusal.message.hasPrefix("No content provided")
        #expect(refusal.isRetryable == (recorded.answer.status >= 500 && recorded.answer.status != 501 || isBodyLost))
    }
}
