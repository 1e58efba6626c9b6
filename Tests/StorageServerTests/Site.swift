import Database
import Platform
import Serving
import TestSupport
import Testing

@testable import ObjectStore
@testable import StorageServer

/// A depot in a fresh folder, and the ways tests ask it without a network.
///
/// The folder is removed with the site.
final class Site: Sendable {
    let depot: Depot
    let folder: FilePath
    private let directory: TemporaryDirectory
    private let signIns: SignInRules
    private let eTags: ETagRule
    private let disk: Blobs.OpenDisk?
    private let time = Shared(Site.start)

    /// The start time, 2026-11-20T18:36:45.000Z.
    static let start: Int64 = 1_795_199_805_000
    static let secret = "a secret of the tests, and long enough"
    static let token = Token(secret: secret)
    static let service = token.sign(["role": "service_role"])
    static let anonymous = token.sign(["role": "anon"])
    static let userID = "317eadce-631a-4429-a0bb-f19a7a517b4a"
    static let user = token.sign(["role": "authenticated", "sub": .text(userID)])

    init(signIns: SignInRules = SignInRules(), eTags: ETagRule = .md5, disk: Blobs.OpenDisk? = nil) throws {
        directory = try TemporaryDirectory()
        folder = directory.path
        self.signIns = signIns
        self.eTags = eTags
        self.disk = disk
        depot = try Self.depot(folder, time, signIns, eTags, disk)
    }

    deinit { directory.remove() }

    private static func depot(
        _ folder: FilePath, _ time: Shared<Int64>, _ signIns: SignInRules, _ eTags: ETagRule,
        _ disk: Blobs.OpenDisk?
    ) throws -> Depot {
        let local: Blobs.OpenDisk = { path throws(SystemError) in try LocalDisk(directory: path) }
        return try Depot(
            try DataFolder(folder, secret: secret), signIns: signIns, eTags: eTags, clock: { time.value },
            disk: disk ?? local)
    }

    /// The depot of a server that starts on this folder now.
    ///
    /// - Parameter isMended: Whether it uses a healthy disk, whatever the disk of the site is.
    func reopened(isMended: Bool = true) throws -> Depot {
        try Self.depot(folder, time, signIns, eTags, isMended ? nil : disk)
    }

    /// Advances the time by `milliseconds`.
    func pass(_ milliseconds: Int64) { time.change { $0 += milliseconds } }
}

// MARK: Asking

/// An answer as tests compare it.
struct Answer: Equatable {
    var status: Int
    var headers: Headers
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSON { JSON(parsing: body) ?? .null }
    /// `statusCode code: message` of a refusal.
    var refusal: String {
        "\(json["statusCode"]?.string ?? "-") \(json["code"]?.string ?? "-"): \(json["message"]?.string ?? "-")"
    }

    init(_ response: Response) async throws {
        status = response.status
        headers = response.headers
        switch response.body {
        case .none, .announced: body = []
        case .bytes(let bytes): body = bytes
        case .file(let file, let offset, let length): body = try file.read(at: offset, upTo: Int(length))
        case .stream(_, let next):
            body = []
            while let piece = try await next() { body += piece }
        }
    }
}

extension Site {
    func ask(
        _ method: String, _ target: String, as token: String? = Site.service, _ headers: Headers = [:],
        body: [UInt8] = [], of depot: Depot? = nil
    ) async throws -> Answer {
        var headers = headers
        if let token { headers["Authorization"] = "Bearer \(token)" }
        let request = Request(method: method, target: target, headers: headers, body: RequestBody(body))
        return try await Answer(await (depot ?? self.depot).answer(request))
    }

    func get(_ target: String, as token: String? = Site.service, _ headers: Headers = [:]) async throws -> Answer {
        try await ask("GET", target, as: token, headers)
    }

    /// Sends `json` as the body.
    func send(
        _ method: String, _ target: String, as token: String? = Site.service, _ json: JSON, _ headers: Headers = [:]
    ) async throws -> Answer {
        var headers = headers
        headers["Content-Type"] = "application/json"
        return try await ask(method, target, as: token, headers, body: json.bytes)
    }

    func post(_ target: String, as token: String? = Site.service, _ json: JSON) async throws -> Answer {
        try await send("POST", target, as: token, json)
    }

    @discardableResult
    func upload(
        _ path: String, _ text: String = "hello", as token: String? = Site.service, _ headers: Headers = [:],
        method: String = "POST"
    ) async throws -> Answer {
        var headers = headers
        headers["Content-Type"] = headers["Content-Type"] ?? "text/plain"
        return try await ask(method, "/object/\(path)", as: token, headers, body: Array(text.utf8))
    }

    func makeBucket(_ name: String, isPublic: Bool = false, _ more: JSON = [:]) async throws {
        guard case .object(let fields) = more else { return }
        let named: JSON = ["name": .text(name), "public": .flag(isPublic)]
        guard case .object(let first) = named else { return }
        #expect(try await post("/bucket", .object(first + fields)).status == 200)
    }

    /// Removes from an index what version 5 added.
    static let downgrade = """
        DROP TABLE mark; DROP TABLE debts; DROP TRIGGER object_removed; DROP TRIGGER object_changed;
        DROP TRIGGER upload_removed; ALTER TABLE objects DROP COLUMN number;

        """

    /// The names of all blobs, unfinished ones included, without the rows beside them.
    func blobs() throws -> [String] {
        let root = try Directory(folder.appending("objects"))
        return try root.names().filter { $0.bytes.count == 2 }
            .flatMap { try root.open(directory: $0).names().map(\.display) }
            .filter { !$0.hasSuffix(Blobs.rowSuffix) }.sorted()
    }

    func object(_ bucket: String, _ key: String) async throws -> IndexedObject {
        try #require(try await depot.index.read { try $0.object(key, in: bucket) })
    }

    /// The versions of all rows.
    func versions() async throws -> [String] {
        try await depot.index.read { index in
            try index.rows("SELECT version FROM objects ORDER BY version") { $0.text(0) }
        }
    }
}

extension RequestBody {
    /// A body that is available at once, in one piece.
    init(_ bytes: [UInt8], length: Int64?? = nil) {
        let pieces = Shared(bytes.isEmpty ? [] : [bytes])
        self.init(length: length ?? Int64(bytes.count)) { () throws(BodyFailure) in
            pieces.change { $0.isEmpty ? nil : $0.removeFirst() }
        }
    }
}
