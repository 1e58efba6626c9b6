import Browsing
import Catalog
import Cleansing
import Fixtures
import Foundation
import Platform
import Queue
import Reporting
import Roots
import Serving
import Sync
import Synchronization
import TestSupport
import Testing
import Text
import Uploading

@testable import Dashboard

/// A page over a made gallery, asked without a network by a browser that was let in.
struct PageFixture {
    let folder: FilePath
    let library: Library
    let router: PageRouter
    let host: HostDouble
    let cookie: String

    /// Two photos that are here, one only in storage, and a symlink that a file was exchanged for.
    static func with(log: Log = .silent, _ body: (PageFixture) async throws -> Void) async throws {
        let tree: FileTree = [
            "Pictures": ["a.jpg": "0123456789", "<b>\"\n.jpg": "b", "c.jpg": .symlink(to: "/etc/passwd")],
            "cache": [:],
        ]
        try await tree.withDirectory { folder in
            try await body(PageFixture(in: folder, log))
        }
    }

    private init(in folder: FilePath, _ log: Log) async throws {
        self.folder = folder
        let path = folder.appending("library.sqlite")
        library = try Library(path: path)
        let root = try await library.root(at: folder.appending("Pictures")).root
        let names = ["a.jpg", "<b>\"\n.jpg", "c.jpg", "gone.jpg"]
        let assets = names.enumerated().map { number, name in
            MadeAsset(
                FilePath(name), takenAt: 1_779_966_000 - Double(number),
                state: name == "gone.jpg" ? .remoteOnly : .stored)
        }
        try await library.make(assets, below: root)
        let cache = ThumbnailCache(folder: folder.appending("cache"))
        let contents = PageContents(
            timeline: try await Timeline(at: path), roots: RootRegistry([Root(known: root)]), thumbnails: cache,
            sizes: [512, 256], kept: KeptPieces(folder: folder.appending("originals"), limit: 10_000_000))
        let gate = Gate.opened()
        host = HostDouble()
        router = PageRouter(entrance: Entrance(gate: gate, log: log), host: host, contents: contents)
        cookie = try gate.cookie()
    }

    /// Has the library know more of the same folder.
    func add(_ assets: [MadeAsset]) async throws {
        try await library.make(assets, below: try await library.roots()[0])
    }

    /// What is answered to a GET by the page, or to a POST with `body`.
    func ask(_ target: String, body: String? = nil, _ more: [(String, String)] = []) async -> Response {
        await router.answer(.ofPage(target, cookie: cookie, body: body, more))
    }

    /// The asset's identifier in the API.
    func id(_ name: String) async throws -> String {
        let columns = try Columns(await ask("/api/1/timeline/assets"))
        return columns.ids[try #require(columns.names.firstIndex(of: name))]
    }
}

extension Request {
    /// What a page on port 4000 asks: a GET, or a POST with `body`.
    static func ofPage(
        _ target: String, cookie: String, body: String? = nil, _ more: [(String, String)] = []
    ) -> Request {
        var headers: Headers = ["host": "127.0.0.1:4000", "cookie": cookie]
        for (name, value) in more { headers.append(name, value) }
        guard let body else { return Request(method: "GET", target: target, headers: headers) }
        headers.append("origin", "http://127.0.0.1:4000")
        headers.append("content-type", "application/json")
        let rest = Mutex<[UInt8]?>(Array(body.utf8))
        let bytes = RequestBody(length: Int64(body.utf8.count)) { () throws(BodyFailure) in
            rest.withLock { rest in
                defer { rest = nil }
                return rest
            }
        }
        return Request(method: "POST", target: target, headers: headers, body: bytes)
    }
}

/// A page of assets as the page reads it.
struct Columns: Decodable {
    let revision: String
    let from: Int
    let ids: [String]
    let names: [String]
    let states: [String]
    let notes: [String?]
    let away: [Bool]
    let kept: [Bool]

    init(_ response: Response) throws {
        self = try JSONDecoder().decode(Columns.self, from: Data(response.bytes))
    }
}

extension Response {
    /// The bytes after the header; those of a file are read, those of a stream are not.
    var bytes: [UInt8] {
        get throws {
            switch body {
            case .none, .announced, .stream: []
            case .bytes(let bytes): bytes
            case .file(let file, let offset, let length): try file.read(at: offset, upTo: Int(length))
            }
        }
    }

    var text: String { get throws { String(decoding: try bytes, as: UTF8.self) } }
}

struct HostBroken: Error {}

/// A program without an agent that notes what is asked of it.
final class HostDouble: PageHost {
    private struct State {
        var actions: [PageAction] = []
        var result = PageActionResult(count: 1, sentence: "Done.")
        var stored: [String: [UInt8]] = [:]
        var works: [PageWork] = []
        var isBroken = false
        var isOffline = false
    }
    private let state = Mutex(State())

    /// Whether it cannot make a report.
    var isBroken: Bool {
        get { state.withLock { $0.isBroken } }
        set { state.withLock { $0.isBroken = newValue } }
    }

    /// Whether storage cannot be asked.
    var isOffline: Bool {
        get { state.withLock { $0.isOffline } }
        set { state.withLock { $0.isOffline = newValue } }
    }

    private struct Offline: Error {}

    let tail = LogTail(cleanser: Cleanser(hiding: ["s3cret-k3y"]))

    var actions: [PageAction] { state.withLock { $0.actions } }

    /// Has storage hold bytes under a key.
    func hold(_ bytes: [UInt8], at key: String) { state.withLock { $0.stored[key] = bytes } }

    /// What it notes of a file wherever it is asked for more than counts.
    static let noteOfFile = "No thumbnail: Pictures/a.jpg"

    func report(_ depth: Reporter.Depth) async throws -> Report {
        if isBroken { throw HostBroken() }
        var report = Report(createdAt: Date(timeIntervalSince1970: 0), profile: "default", destination: nil)
        if depth >= .summary { report.notes = [Self.noteOfFile] }
        return report
    }

    func reasons(for path: FilePath) async throws -> [String] { ["It is \(path.display)."] }

    func stored(_ key: ObjectKey, at offset: Int64, count: Int) async throws -> [UInt8]? {
        guard !isOffline else { throw Offline() }
        return state.withLock { $0.stored[key.text] }.map { Array($0.dropFirst(Int(offset)).prefix(count)) }
    }

    func log(after number: Int) -> [LogTail.Entry] { tail.lines(after: number) }

    var works: [PageWork] { state.withLock { $0.works } }

    /// Has it tell of something that goes on.
    func tell(_ works: [PageWork]) { state.withLock { $0.works = works } }

    /// Most is carried out here.
    func ability(of action: PageAction.Name) async -> PageAbility {
        switch action {
        case .show: .refused("There is no file manager.")
        case .sync: .absent
        default: .allowed
        }
    }

    /// What it answers to every action.
    var result: PageActionResult {
        get { state.withLock { $0.result } }
        set { state.withLock { $0.result = newValue } }
    }

    func perform(_ action: PageAction) async throws -> PageActionResult {
        state.withLock {
            $0.actions.append(action)
            return $0.result
        }
    }
}
