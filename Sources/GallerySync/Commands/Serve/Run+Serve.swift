import Catalog
import Configuration
import FoundationEssentials
import Gallery
import Platform
import Serving
import StorageServer
import Text

extension Run {
    /// `serve`: runs the embedded storage server alone, until a signal arrives.
    func serve(_ request: ServeRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let folder = request.data.map(surroundings.absolute) ?? setup.locations.storage
        do {
            if request.rebuildsIndex { return try rebuildIndex(of: folder) }
            return try await serve(folder, request)
        } catch let error as FaultPlanError {
            console.note("gallery-sync: \(request.faults ?? "faults"): \(error).")
            return .configuration
        } catch let error as StorageFolderInUse {
            console.note("gallery-sync: \(error)")
            return .locked
        } catch {
            throw Refusal(storage: error) ?? error
        }
    }

    private func serve(_ folder: FilePath, _ request: ServeRequest) async throws -> ExitCode {
        let secret = surroundings.environment["GALLERY_SYNC_JWT_SECRET"].flatMap { $0.isEmpty ? nil : $0 }
        let plan = try request.faults.map {
            try FaultPlan(json5: OpenFile(reading: surroundings.absolute($0)).readAll())
        }
        let server = try StorageServer(
            folder: folder, secret: secret, listening: [.loopback(port: request.port)], eTags: request.eTags,
            faults: plan?.fault)
        tell(findings: server.findings)
        try server.start()
        try tell(server, folder)
        let signal = await surroundings.interruption.wait()
        await server.stop()
        return signal.map { ExitCode($0) } ?? .success
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

    private func tell(_ server: StorageServer, _ folder: FilePath) throws {
        let url = "http://127.0.0.1:\(server.port ?? 0)"
        let keys = (service: folder.appending("service.key").display, anonymous: folder.appending("anon.key").display)
        if invocation.isJSON {
            let document = [
                "schema": "gallery-sync/serve/1", "url": url, "serviceKeyFile": keys.service,
                "anonKeyFile": keys.anonymous, "folder": folder.display,
            ]
            return try console.result(json: JSONDocument.bytes(document))
        }
        try console.result([
            "Serving \(folder) at \(url)", "Service key: \(keys.service)", "Anon key:    \(keys.anonymous)",
        ])
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
