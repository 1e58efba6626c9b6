import Supabase
import Testing
import Transfer

@Suite struct StorageRefusalTests {
    /// What a refusal may mean to a caller.
    enum Meaning: String, CaseIterable {
        case duplicate, missing, bucketMissing, tooLarge, signIn, denied, retryable

        static func all(of refusal: StorageRefusal) -> Set<Meaning> {
            let facts: [(Meaning, Bool)] = [
                (.duplicate, refusal.isDuplicate), (.missing, refusal.isMissing),
                (.bucketMissing, refusal.isBucketMissing), (.tooLarge, refusal.isTooLarge),
                (.signIn, refusal.isSignIn), (.denied, refusal.isDenied), (.retryable, refusal.isRetryable),
            ]
            return Set(facts.filter(\.1).map(\.0))
        }
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let status: Int
        let body: String
        let meanings: Set<Meaning>

        init(_ description: String, _ status: Int, _ body: String, _ meanings: Meaning...) {
            (testDescription, self.status, self.body) = (description, status, body)
            self.meanings = Set(meanings)
        }

        init(
            _ description: String, _ status: Int, code: String, _ statusCode: Int, _ message: String,
            _ meanings: Meaning...
        ) {
            testDescription = description
            self.status = status
            body = #"{"statusCode":"\#(statusCode)","error":"e","message":"\#(message)","code":"\#(code)"}"#
            self.meanings = Set(meanings)
        }
    }

    private static let byCode = [
        Row("a taken key", 400, code: "KeyAlreadyExists", 409, "The resource already exists", .duplicate),
        Row("a taken destination", 400, code: "ResourceAlreadyExists", 409, "The resource already exists", .duplicate),
        Row("a taken bucket", 400, code: "BucketAlreadyExists", 409, "The resource already exists", .duplicate),
        Row("a bucket that is not empty is no duplicate", 400, code: "ResourceNotEmpty", 409, "not empty"),
        Row("no object", 400, code: "NoSuchKey", 404, "Object not found", .missing),
        Row("no bytes for the row", 400, code: "NoSuchKey", 404, "The resource was not found", .missing),
        Row("no bucket", 400, code: "NoSuchBucket", 404, "Bucket not found", .bucketMissing),
        Row("no route", 404, code: "InvalidRequest", 404, "Route GET:/object/x not found"),
        Row("too large", 400, code: "EntityTooLarge", 413, "The object exceeded the maximum allowed size", .tooLarge),
        Row("JSON too large", 413, code: "EntityTooLarge", 413, "Request body is too large", .tooLarge),
        Row("no policy", 400, code: "AccessDenied", 403, "new row violates row-level security policy", .denied),
        Row("wrong role", 403, code: "AccessDenied", 403, "Access denied: Invalid role", .denied),
        Row("no token at all", 400, code: "AccessDenied", 403, "Invalid Compact JWS", .signIn),
        Row("a forged token", 400, code: "AccessDenied", 403, "signature verification failed", .signIn),
        Row("an old token", 400, code: "AccessDenied", 403, #"\"exp\" claim timestamp check failed"#, .signIn),
        Row(
            "no header", 400, code: "InvalidRequest", 400, "headers must have required property 'authorization'",
            .signIn),
        Row(
            "an old signed URL is not signed in for", 400, code: "InvalidJWT", 400,
            #"\"exp\" claim timestamp check failed"#),
        Row("a signed URL of another key", 400, code: "InvalidSignature", 400, "Invalid signature"),
        Row("a bad key", 400, code: "InvalidKey", 400, "Invalid key: ü"),
        Row("a key that speaks of tokens", 400, code: "InvalidKey", 400, "Invalid key: jwt#"),
        Row("a type that is not allowed", 400, code: "InvalidMimeType", 415, "mime type x/y is not supported"),
        Row("a range behind the end", 416, code: "InvalidRange", 416, "invalid range provided"),
        Row("no body arrived", 400, code: "InvalidRequest", 400, "No content provided", .retryable),
        Row(
            "the body broke off", 400, code: "InvalidRequest", 400, "Request stream closed before upload could begin",
            .retryable),
        Row("a locked object", 400, code: "ResourceLocked", 423, "The resource is locked", .retryable),
        Row("a lock not got", 400, code: "LockTimeout", 503, "acquiring lock timeout", .retryable),
        Row(
            "too many connections", 429, code: "SlowDown", 429, "Too many connections issued to the database",
            .retryable),
        Row(
            "a slow database", 544, code: "DatabaseTimeout", 544, "The connection to the database timed out", .retryable
        ),
        Row("a full database", 400, code: "DatabaseReadOnly", 503, "read-only mode", .retryable),
        Row("a lost transaction", 500, code: "DatabaseTransactionAborted", 500, "…", .retryable),
        Row("a conflict of transactions", 400, code: "TransactionError", 409, "…", .retryable),
        Row("a wrong schema", 400, code: "DatabaseSchemaMismatch", 503, "Please run migrations"),
        Row("a broken schema", 400, code: "DatabaseInvalidObjectDefinition", 503, "The database schema is invalid"),
        Row("a fault within", 500, code: "InternalError", 500, "Internal Server Error", .retryable),
        Row("given up", 500, code: "AbortedTerminate", 500, "…", .retryable),
        Row("the store behind it", 400, code: "S3Error", 503, "…", .retryable),
        Row("a refusal of the store behind it", 400, code: "S3Error", 412, "…"),
        Row("no such project", 400, code: "TenantNotFound", 400, "Missing tenant config for tenant x"),
        Row("an unknown code with a passing status", 400, code: "Novelty", 503, "…", .retryable),
        Row("an unknown code", 400, code: "Novelty", 422, "…"),
    ]

    private static let withoutCode = [
        Row(
            "an old server: duplicate", 400,
            #"{"statusCode":"409","error":"Duplicate","message":"The resource already exists"}"#, .duplicate),
        Row(
            "an old server: missing", 400, #"{"statusCode":"404","error":"not_found","message":"Object not found"}"#,
            .missing),
        Row(
            "an old server: missing, in its words", 400,
            #"{"statusCode":"404","error":"Not found","message":"The resource was not found"}"#, .missing),
        Row(
            "an old server: bucket", 400,
            #"{"statusCode":"404","error":"Bucket not found","message":"Bucket not found"}"#, .bucketMissing),
        Row(
            "an old server: policy", 400,
            #"{"statusCode":"403","error":"Unauthorized","message":"new row violates row-level security policy"}"#,
            .denied),
        Row(
            "an old server: token", 400, #"{"statusCode":"400","error":"Invalid JWT","message":"jwt expired"}"#, .signIn
        ),
        Row(
            "an old server: size", 413,
            #"{"statusCode":"413","error":"Payload too large","message":"The object exceeded"}"#, .tooLarge),
        Row(
            "a status as a number", 404,
            #"{"message":"Route GET:/nope not found","error":"Not Found","statusCode":404}"#),
        Row(
            "a path that is no path", 400,
            #"{"error":"Bad Request","code":"FST_ERR_BAD_URL","message":"no url","statusCode":400}"#),
        Row(
            "headers too large", 431,
            #"{"error":"Request Header Fields Too Large","message":"Exceeded maximum","statusCode":431}"#),
        Row("a gateway without a key", 401, #"{"message":"No API key found in request"}"#, .signIn),
        Row("a gateway with a wrong key", 401, #"{"message":"Invalid API key","hint":"Double check"}"#, .signIn),
        Row("a gateway's page: too large", 413, "<html><h1>413 Request Entity Too Large</h1></html>", .tooLarge),
        Row("a gateway's page: nobody behind it", 502, "<html>Bad gateway</html>", .retryable),
        Row("a gateway's page: its own timeouts", 522, "<!DOCTYPE html>", .retryable),
        Row("a page that is not there is no missing object", 404, "<html>404 Not Found</html>"),
        Row("nothing, twice", 408, "", .retryable),
        Row("too early", 425, "", .retryable),
        Row("too many", 429, "", .retryable),
        Row("nothing at all", 400, ""),
        Row("forbidden", 403, "", .denied),
        Row("resumable: exists", 409, "The resource already exists", .duplicate),
        Row("resumable: another offset is no duplicate", 409, "Upload-Offset conflict\n"),
        Row("resumable: unknown", 404, "The file for this url was not found\n", .missing),
        Row("resumable: bucket", 404, "Bucket not found", .bucketMissing),
        Row("resumable: too large", 413, "Maximum size exceeded\n", .tooLarge),
        Row("resumable: policy", 403, "new row violates row-level security policy", .denied),
        Row("resumable: lock", 503, "acquiring lock timeout", .retryable),
        Row("JSON that is no object", 500, "[1]", .retryable),
        Row("fields of wrong types", 400, #"{"statusCode":{},"error":1,"message":null,"code":[]}"#),
    ]

    @Test(arguments: byCode + withoutCode)
    func aRefusalMeans(_ row: Row) {
        let refusal = StorageRefusal(HTTPResponse(status: row.status, body: Array(row.body.utf8)))
        #expect(Meaning.all(of: refusal) == row.meanings)
    }

    @Test func theFourKeysAreRead() {
        let body = #"{"code":"NoSuchKey","message":"Object not found","statusCode":"404","error":"not_found"}"#
        let refusal = StorageRefusal(HTTPResponse(status: 400, headers: ["Retry-After": "3"], body: Array(body.utf8)))
        #expect(refusal.httpStatus == 400)
        #expect(refusal.statusCode == 404)
        #expect(refusal.code == .noSuchKey)
        #expect(refusal.label == "not_found")
        #expect(refusal.message == "Object not found")
        #expect(refusal.retryAfter == .seconds(3))
        #expect(refusal.body == body)
        #expect("\(refusal)" == "Object not found (NoSuchKey)")
    }

    @Test(arguments: [
        (502, "<html>Bad gateway</html>", "HTTP 502"), (500, "", "HTTP 500"),
        (413, "Maximum size exceeded\n", "Maximum size exceeded"),
        (500, #"{"error":"only this"}"#, "only this"), (500, #"{"broken"#, "HTTP 500"), (400, "\n\n  \n", "  "),
    ])
    func thereIsAlwaysSomethingToSay(status: Int, body: String, message: String) {
        #expect(StorageRefusal(HTTPResponse(status: status, body: Array(body.utf8))).message == message)
    }

    @Test func ofAPageOnlyTheBeginningIsKept() {
        let page = "<html>" + String(repeating: "é", count: 5000)
        #expect(StorageRefusal(HTTPResponse(status: 500, body: Array(page.utf8))).body.count == 2000)
    }

    @Test func bytesThatAreNotTextAreSurvived() {
        let refusal = StorageRefusal(HTTPResponse(status: 500, body: [0xFF, 0xFE, 0]))
        #expect(refusal.isRetryable)
        #expect(refusal.code == nil)
    }
}

/// Every error that a real service was seen to give.
@Suite(.enabled(if: Reference.isPresent, "the recordings are not beside this project"))
struct RecordedRefusalTests {
    @Test(arguments: Reference.distinct { $0.answer.status >= 400 })
    func isReadInFull(_ recorded: Reference.Case) throws {
        let refusal = StorageRefusal(recorded.answer)
        let text = String(decoding: recorded.answer.body, as: UTF8.self)
        #expect(refusal.httpStatus == recorded.answer.status)
        guard text.hasPrefix("{") else {
            #expect(refusal.code == nil && refusal.statusCode == recorded.answer.status)
            return
        }
        #expect(text.contains(#""code":"\#(refusal.code?.rawValue ?? "")""#) == (refusal.code != nil))
        #expect(text.contains(#""code""#) == (refusal.code != nil))
        #expect(
            text.contains(#""statusCode":"\#(refusal.statusCode)""#)
                || text.contains(#""statusCode":\#(refusal.statusCode)"#))
        #expect(!refusal.message.isEmpty && !refusal.label.isEmpty)
    }

    @Test(arguments: Reference.distinct { $0.answer.status >= 400 })
    func meansAtMostOneThing(_ recorded: Reference.Case) {
        let meanings = StorageRefusalTests.Meaning.all(of: StorageRefusal(recorded.answer))
        #expect(meanings.count <= 1)
    }

    @Test(
        arguments: [
            ("up-raw-upsert-capital", .duplicate), ("bucket-create-duplicate", .duplicate), ("tus-exists", .duplicate),
            ("get-public-missing", .missing), ("sign-missing", .missing), ("bucket-put-missing", .bucketMissing),
            ("tus-nobucket", .bucketMissing), ("up-toolarge", .tooLarge), ("tus-toolarge", .tooLarge),
            ("health-noauth", .signIn), ("up-raw-noauth", .signIn), ("tus-patch-expired-jwt", .signIn),
            ("delete-user", .denied), ("bucket-create-anon", .denied), ("bucket-empty-user", .denied),
            ("tus-user-denied", .denied), ("key-seg300", .retryable), ("mp-nofilename", .retryable),
            ("sign-get-expired", nil), ("up-mime-bad", nil), ("key-badpct", nil), ("head-missing", nil),
            ("tus-get", nil),
        ] as [(String, StorageRefusalTests.Meaning?)])
    func meansWhatItShould(name: String, meaning: StorageRefusalTests.Meaning?) throws {
        let recorded = try #require(Reference.cases.first { $0.name == name })
        #expect(
            StorageRefusalTests.Meaning.all(of: StorageRefusal(recorded.answer)) == Set([meaning].compactMap(\.self)))
    }
}
