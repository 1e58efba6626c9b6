import FoundationEssentials
import Gallery
import Platform
import Serving
import StorageServer

extension Run {
    /// `serve`: the embedded storage server on its own, until a signal comes.
    func serve(_ request: ServeRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let folder = request.data.map(surroundings.absolute) ?? setup.locations.storage
        let secret = surroundings.environment["GALLERY_SYNC_JWT_SECRET"].flatMap { $0.isEmpty ? nil : $0 }
        let server: StorageServer
        do {
            let plan = try request.faults.map {
                try FaultPlan(json5: OpenFile(reading: surroundings.absolute($0)).readAll())
            }
            server = try StorageServer(
                folder: folder, secret: secret, listening: [.loopback(port: request.port)], faults: plan?.fault)
        } catch let error as FaultPlanError {
            console.note("gallery-sync: \(request.faults ?? "faults"): \(error).")
            return .configuration
        } catch let error as StorageFolderInUse {
            console.note("gallery-sync: \(error)")
            return .locked
        }
        try server.start()
        try tell(server, folder)
        let signal = await surroundings.interruption.wait()
        await server.stop()
        return signal.map { ExitCode($0) } ?? .success
    }

    private func tell(_ server: StorageServer, _ folder: FilePath) throws {
        let url = "http://127.0.0.1:\(server.port ?? 0)"
        let keys = (service: folder.appending("service.key").display, anonymous: folder.appending("anon.key").display)
        if invocation.isJSON {
            let document = [
                "schema": "gallery-sync/serve/1", "url": url, "serviceKeyFile": keys.service,
                "anonKeyFile": keys.anonymous, "folder": folder.display,
            ]
            return try console.result(bytes: JSONDocument.bytes(document))
        }
        try console.result([
            "Serving \(folder) at \(url)", "Service key: \(keys.service)", "Anon key:    \(keys.anonymous)",
        ])
    }
}
