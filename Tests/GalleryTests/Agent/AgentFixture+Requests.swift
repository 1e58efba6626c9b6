import Catalog
import Configuration
import Gallery
import Platform
import Queue
import Reconciling
import Records
import Serving
import StorageServer
import Supabase
import TestSupport
import Testing
import Transfer

/// The requests to a fixture's server while something ran.
struct Asked: Sendable {
    var lines: [(method: String, path: String)] = []

    /// Requests that carry an object's bytes.
    var uploads: [String] {
        lines.filter { $0.path.hasPrefix("/object/media/") && ["POST", "PUT"].contains($0.method) }.map(\.path)
    }

    /// Requests that change what the bucket holds.
    var changes: [String] {
        uploads
            + lines.filter { $0.method == "DELETE" || $0.path == "/object/move" || $0.path == "/object/copy" }.map(
                \.path)
    }

    /// Keys that were asked about before anything was sent to them; what is asked later is the proof.
    var questions: Set<String> {
        var (asked, sent): (Set<String>, Set<String>) = ([], [])
        for line in lines {
            let name = line.path.split(separator: "/").last.map(String.init) ?? ""
            if line.path.hasPrefix("/object/media/") { sent.insert(name) }
            if line.path.hasPrefix("/object/info/"), !sent.contains(name) { asked.insert(name) }
        }
        return asked
    }

    func count(_ method: String, _ path: String) -> Int {
        lines.count { $0.method == method && $0.path == path }
    }
}

extension Fault {
    /// The answer of row-level security.
    static var denied: Fault {
        .answer(
            Response(
                status: 400, headers: ["content-type": "application/json"],
                body: .bytes(
                    Array(
                        """
                        {"statusCode":"403","error":"Unauthorized",\
                        "message":"new row violates row-level security policy","code":"AccessDenied"}
                        """.utf8))))
    }
}

extension AgentFixture {
    /// The requests to the server while `body` runs, with the faults of `failing`.
    func requests(
        failing: @escaping @Sendable (Request) -> Fault? = { _ in nil }, _ body: () async throws -> Void
    ) async throws -> Asked {
        let asked = Shared(Asked())
        faults.change {
            $0 = { request in
                asked.change { $0.lines.append((String(request.method), String(request.path))) }
                return failing(request)
            }
        }
        defer { faults.change { $0 = { _ in nil } } }
        try await body()
        return asked.value
    }

    /// One pass over the gallery, as by a new process.
    func sync() async throws -> Ending { try await run { try await $0.sync([gallery]) } }

    /// A pass that must end with `done`.
    func pass(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let ending = try await sync()
        #expect(ending == .done, sourceLocation: sourceLocation)
    }

    /// The same gallery with a sync that waits for nothing, once that many of its files are queued while the user pauses.
    func paused(untilQueued count: Int) async throws -> Self {
        var paused = self
        paused.settings.sync.patience = .zero
        let hasty = paused
        try await eventually("they are read") {
            _ = try await hasty.sync()
            return try await hasty.run(.steering) { try await $0.library.counts()[.queued] } == count
        }
        return hasty
    }

    /// A pass that is killed at the first request to a path that begins with `path`.
    ///
    /// - Parameters:
    ///   - method: The method of that request; `nil` for any.
    ///   - hasEffect: Whether the server still carries out that request; no later one reaches the server.
    ///   - retry: After three failures a file is sent instead of moved, so most tests want nothing tried again.
    func killedPass(
        at path: String, by method: String? = nil, hasEffect: Bool = true, retry: Duration = .seconds(1)
    ) async throws {
        var killed = self
        killed.settings.sync.patience = .zero
        killed.settings.scan.settle = .zero
        killed.settings.retry.base = retry
        let isOver = Shared(false)
        _ = try await requests(failing: { request in
            if isOver.value { return .drop(afterReading: 0) }
            guard request.path.hasPrefix(path), method.map({ $0 == String(request.method) }) ?? true else { return nil }
            isOver.change { $0 = true }
            return hasEffect ? .cutAnswer(after: 0) : .drop(afterReading: 0)
        }) { _ = try await killed.sync() }
    }

    /// Verifies the bucket, as `verify`, `verify --deep` and `verify --repair` do.
    func verify(
        percent: Double? = nil, repairing: Bool = false
    ) async throws -> (result: VerifyResult, ending: Ending) {
        var order = VerifyOrder()
        order.percent = percent
        order.isRepairing = repairing
        let wanted = order
        return try await run(repairing ? .pass : .steering) { try await $0.verify(wanted) }
    }

    /// Every key of the bucket, after a verification without findings.
    func verifiedKeys(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Set<String> {
        let (result, ending) = try await verify()
        #expect(ending == .done, sourceLocation: sourceLocation)
        #expect(result.findings.isEmpty, sourceLocation: sourceLocation)
        return Set(try await objects().keys)
    }

    /// Puts an object of another client into the bucket.
    func put(_ bytes: [UInt8], at key: String, replacing: Bool = false) async throws {
        _ = try await storage.upload(
            .bytes(bytes), bucket: "media", key: key, contentType: "image/jpeg", replacing: replacing)
    }

    /// Writes a file of the gallery again.
    func write(_ text: String, to path: FilePath) throws {
        try OpenFile(creating: gallery.appending(path)).append(Array(text.utf8))
    }

    /// The lines of the audit log.
    func audit() throws -> [String] {
        let text = try OpenFile(reading: locations.state.appending("audit.jsonl")).readAll()
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
