import Catalog
import Configuration
import Dashboard
import Gallery
import Platform
import Text

extension Run {
    /// `gallery`: the page of what is known, for reading only, until a signal comes.
    func gallery(_ request: GalleryRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        guard let library = try Library.existing(at: setup.locations.library) else {
            throw Refusal(.usage("Nothing was ever synced with this profile: run \"gallery-sync sync\" first"))
        }
        let roots = try await setup.roots(of: library)
        let gate = Gate()
        let host = StoredPage(setup: setup, library: library, roots: roots)
        let server = PageServer(gate: gate, host: host, port: request.port)
        try server.start()
        guard let link = gate.link() else { return .internalError }
        if invocation.isJSON {
            try console.result(json: JSONDocument.bytes(["schema": "gallery-sync/gallery/1", "url": link]))
        } else {
            try console.result([link])
            if !invocation.isQuiet { console.note("Open it in a browser; it lets one in, once. Ctrl-C ends the page.") }
        }
        let signal = await surroundings.interruption.wait()
        await server.stop()
        return signal.map { ExitCode($0) } ?? .success
    }
}
