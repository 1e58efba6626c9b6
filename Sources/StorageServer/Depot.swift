import Database
import Formats
import FoundationEssentials
import ObjectStore
import Platform
import Serving

/// The stored buckets and objects, with the protocol's operations on them.
///
/// One extension per family of routes.
struct Depot: Sendable {
    let index: Index
    let blobs: Blobs
    let token: Token
    let resumption: Resumption
    let signIns: SignInService
    let eTags: ETagRule
    /// Whether requests that would change anything are refused before their bodies are read.
    let isReadOnly: Bool
    /// Sentences about what the start found wrong and repaired.
    let findings: [String]
    /// Milliseconds since 1970.
    let clock: @Sendable () -> Int64
}

// MARK: From request to answer

extension Depot {
    /// The prefix of the protocol's paths behind a gateway.
    private static let gatewayPrefix = "/storage/v1"
    /// The most bytes of header lines that the reference server accepts.
    private static let headerLimit = 16 << 10

    func answer(_ request: Request, misreport: Int64 = 0) async -> Response {
        guard request.headerSize <= Self.headerLimit else { return Self.headerTooLarge }
        var target = request.target
        if target.hasPrefix(Self.gatewayPrefix + "/") { target.removeFirst(Self.gatewayPrefix.count) }
        let path = target.prefix { $0 != "?" && $0 != "#" }
        guard PercentEncoding.decoded(path) != nil else { return Self.badPath(String(path)) }
        guard let (route, rawParts) = Self.route(request.method, path) else {
            return Route.unknown(request.method, target)
        }
        guard !isReadOnly || route.isReading else { return ProtocolRefusal.readOnly.response }
        let parts = rawParts.map { String(decoding: PercentEncoding.decoded($0) ?? [], as: UTF8.self) }
        let call = RoutedRequest(
            request: request, target: target, rawParts: rawParts, parts: parts, misreport: misreport)
        do {
            return try await route.answer(self, call)
        } catch let refusal as ProtocolRefusal {
            return refusal.response
        } catch {
            return ProtocolRefusal.of(error).response
        }
    }

    private static func route(_ method: String, _ path: Substring) -> (Route, [Substring])? {
        for route in Route.all where route.method == method {
            if let parts = route.match(path) { return (route, parts) }
        }
        return nil
    }

    private static let headerTooLarge = Response.json(
        status: 431, headers: Response.bareJSON,
        [
            "error": "Request Header Fields Too Large", "message": "Exceeded maximum allowed HTTP header size",
            "statusCode": 431,
        ])

    private static func badPath(_ path: String) -> Response {
        .json(
            status: 400, headers: Response.bareJSON,
            [
                "error": "Bad Request", "code": "FST_ERR_BAD_URL",
                "message": .text("'\(path)' is not a valid url component"), "statusCode": 400,
            ])
    }
}

// MARK: Changing

extension Depot {
    /// Applies `change` atomically, then what it requires of the blobs; returns when all of it is durable.
    func change<T: Sendable>(_ change: @Sendable (Connection) throws -> T) async throws -> T {
        let (result, debts) = try await index.writer.write(change)
        if !debts.isEmpty { await index.writer.forget(blobs.pay(debts)) }
        return result
    }
}

// MARK: What most routes need

extension Depot {
    private static let bearer = "bearer "

    /// The caller of a route that requires a token.
    func caller(of call: RoutedRequest) throws(ProtocolRefusal) -> Caller {
        guard call.hasHeaderAuthorization else {
            throw .schema("headers must have required property 'authorization'")
        }
        return try verifiedCaller(of: call)
    }

    /// The caller named by the request's token; a missing token counts as an invalid one.
    func verifiedCaller(of call: RoutedRequest) throws(ProtocolRefusal) -> Caller {
        let header = call.header("authorization") ?? ""
        let text = header.lowercased().hasPrefix(Self.bearer) ? String(header.dropFirst(Self.bearer.count)) : header
        do {
            return Caller(claims: try token.claims(of: text, now: clock() / 1000))
        } catch {
            throw .denied(error.message)
        }
    }

    /// The caller of a route without a required token; an invalid token counts as none.
    func anyCaller(of call: RoutedRequest) -> Caller {
        (try? verifiedCaller(of: call)) ?? .anyone
    }

    /// The bucket `id`, which must exist.
    func bucket(_ id: String) async throws -> IndexedBucket {
        guard Names.isBucket(id) else { throw ProtocolRefusal.badBucketName }
        guard let bucket = try await index.read({ try $0.bucket(id) }) else { throw ProtocolRefusal.noBucket }
        return bucket
    }

    /// The object `key`, which must exist and be visible to the caller.
    func object(_ key: String, in bucket: String, for caller: Caller) async throws -> IndexedObject {
        guard Names.isKey(key) else { throw ProtocolRefusal.badKey(key) }
        guard caller.owns(key), let object = try await index.read({ try $0.object(key, in: bucket) }) else {
            throw ProtocolRefusal.noObject
        }
        return object
    }

    /// The object that took the place of `object` since it was read; `nil` where none has.
    func replacement(of object: IndexedObject) async throws -> IndexedObject? {
        let now = try await index.read { try $0.object(object.key, in: object.bucket) }
        return now.flatMap { $0.version == object.version ? nil : $0 }
    }
}
