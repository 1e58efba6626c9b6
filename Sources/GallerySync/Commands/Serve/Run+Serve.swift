import Access
import CommandLine
import Configuration
import FoundationEssentials
import Gallery
import ObjectStore
import Output
import Platform
import Records
import Serving
import StorageServer
import Text

extension Run {
    /// `serve`: runs the embedded storage server alone, until a signal arrives.
    func serve(_ request: ServeRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let folder = try request.data.map(folder) ?? setup.locations.storage
        do {
            if request.rebuildsIndex { return try rebuildIndex(of: folder) }
            return try await serve(folder, request)
        } catch let error as FaultPlanError {
            complain("\(request.faults ?? "faults"): \(error).", .configuration)
            return .configuration
        } catch let error as StorageFolderInUse {
            complain("\(error).", next: "Stop that one, or name another folder with --data.", .locked)
            return .locked
        } catch {
            throw Refusal(storage: error, in: folder) ?? error
        }
    }

    private func serve(_ folder: FilePath, _ request: ServeRequest) async throws -> ExitCode {
        let secret = surroundings.environment["GALLERY_SYNC_JWT_SECRET"].flatMap { $0.isEmpty ? nil : $0 }
        let plan = try request.faults.map { try FaultPlan(json5: contents(of: $0)) }
        let signIns = try await signInRules(request)
        let server = try StorageServer(
            folder: folder, secret: secret, listening: [.loopback(port: request.port)], signIns: signIns,
            eTags: request.eTags,
            faults: plan?.fault)
        tell(findings: server.findings)
        do throws(SystemError) {
            try server.start()
        } catch {
            throw Refusal(listening: error, on: request.port) ?? error
        }
        try tell(server, folder, users: request.users)
        let signal = await surroundings.interruption.wait()
        await server.stop()
        return signal.map { ExitCode($0) } ?? .success
    }

    /// The rules for signing in: who may, with a password that is kept in memory only.
    private func signInRules(_ request: ServeRequest) async throws -> SignInRules {
        guard !request.users.isEmpty else { return SignInRules() }
        let password = try await servePassword(request)
        var rules = SignInRules(users: request.users.map { StorageUser(email: $0, password: password) })
        if let time = request.sessionTime {
            rules.sessionLifetime = time
            // An access token outlives its session, so it must be short for clients to notice the end in time.
            rules.accessLifetime = .seconds(max(1, min(3600, time.components.seconds / 2)))
        }
        return rules
    }

    private func servePassword(_ request: ServeRequest) async throws -> String {
        if let password = surroundings.environment[Surroundings.servePasswordVariable], !password.isEmpty {
            return password
        }
        if let file = request.passwordFile, file != "-" {
            return try PasswordFile.read(try surroundings.absolute(file), user: surroundings.user)
        }
        let names = request.users.joined(separator: ", ")
        if let typed = try await answer(to: "Password of \(names) (not shown): ", isSecret: true), !typed.isEmpty {
            return typed
        }
        throw UsageError(
            message:
                "Nothing can be asked here; add --password-file FILE, or set \(Surroundings.servePasswordVariable).",
            command: "serve"
        )
    }

    /// `serve --rebuild-index`: rebuilds the index, and lists the files that belong to no object.
    private func rebuildIndex(of folder: FilePath) throws -> ExitCode {
        let rebuild = try IndexRebuild(of: folder)
        tell(findings: rebuild.findings)
        if invocation.isJSON {
            try console.result(json: JSONDocument.bytes(RebuildDocument(rebuild, of: folder)))
        } else {
            try console.result(
                [
                    "Made \(folder)/index.sqlite anew: \(Quantity.text(rebuild.objects, "object"))"
                        + " in \(Quantity.text(rebuild.buckets, "bucket"))."
                ]
                    + (rebuild.keptIndex.map { ["The index before is kept as \($0)."] } ?? [])
                    + rebuild.unplaced.map { "It carries no row that counts: objects/\($0)" })
        }
        return rebuild.isWhole ? .success : .someFailed
    }

    private func tell(_ server: StorageServer, _ folder: FilePath, users: [String]) throws {
        let url = "http://127.0.0.1:\(server.port ?? 0)"
        let keys = (service: folder.appending("service.key").display, anonymous: folder.appending("anon.key").display)
        if invocation.isJSON {
            let document = [
                "schema": "gallery-sync/serve/1", "url": url, "serviceKeyFile": keys.service,
                "anonKeyFile": keys.anonymous, "folder": folder.display,
            ]
            return try console.result(json: JSONDocument.bytes(document))
        }
        try console.result(
            [
                "Serving \(folder) at \(url)", "Service key: \(keys.service)", "Anon key:    \(keys.anonymous)",
            ] + users.map { "User:        \($0) (codes by e-mail are written to \(folder)/outbox.jsonl)" })
    }
}

/// The output of `serve --rebuild-index --json`.
private struct RebuildDocument: Encodable {
    let schema = "gallery-sync/rebuild-index/1"
    let folder: String
    let buckets: Int
    let objects: Int
    let keptIndex: String?
    let unplaced: [String]

    init(_ rebuild: IndexRebuild, of folder: FilePath) {
        self.folder = folder.display
        buckets = rebuild.buckets
        objects = rebuild.objects
        keptIndex = rebuild.keptIndex?.display
        unplaced = rebuild.unplaced
    }
}
