import Browsing
import Catalog
import CommandLine
import Configuration
import Dashboard
import Gallery
import Output
import Platform
import Records
import Text

extension Run {
    /// `gallery`: serves a read-only page of what is known, until a signal comes.
    func gallery(_ request: GalleryRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        try await bringUpToDate(setup)
        guard let library = try Library.existing(at: setup.locations.library) else {
            throw Refusal(.needsHuman("Nothing was ever synced with this profile: run \"gallery-sync sync\" first"))
        }
        let roots = try await setup.roots(of: library)
        let gate = Gate()
        let place = try await storage(of: setup, library)
        let host = StoredPage(setup: setup, library: library, roots: roots, place: place)
        let contents = PageContents(timeline: try await timeline(setup), roots: roots, in: setup)
        let server = PageServer(
            gate: gate, host: host, contents: contents, port: request.port, log: log(setup.settings.log))
        do throws(SystemError) {
            try server.start()
        } catch {
            throw Refusal(listening: error, on: request.port) ?? error
        }
        guard let link = gate.link() else { return .internalError }
        if invocation.isJSON {
            try console.result(json: JSONDocument.bytes(["schema": "gallery-sync/gallery/1", "url": link]))
        } else {
            try console.result([link])
            if !invocation.isQuiet { console.note("Open it in a browser; it lets one in, once. Ctrl-C ends the page.") }
        }
        let signal = await surroundings.interruption.wait()
        await server.stop()
        await place?.close()
        return signal.map { ExitCode($0) } ?? .success
    }

    /// The storage, if the profile can open it for looking; `nil` if it is on this computer, where the agent serves it.
    private func storage(of setup: Setup, _ library: Library) async throws -> Workplace? {
        let isLocal = try await library.fact(Library.destinationFact)?.hasPrefix("local ") == true
        guard !setup.settings.destination.local, !isLocal else { return nil }
        do {
            return try await Workplace(setup, in: surroundings, isForReading: true)
        } catch {
            // The page still shows the files on this computer.
            if !invocation.isQuiet { console.note("Only what is on this computer is shown: \(error)") }
            return nil
        }
    }

    /// Brings a library of an earlier version up to date, unless an agent holds the lock.
    private func bringUpToDate(_ setup: Setup) async throws {
        guard let library = try Library.existing(at: setup.locations.library), try await library.isOutdated,
            case .taken(let lock) = try StateLock.acquire(setup.locations)
        else { return }
        defer { withExtendedLifetime(lock) {} }
        try await Library(path: setup.locations.library).close()
    }

    private func timeline(_ setup: Setup) async throws -> Timeline {
        do {
            return try await Timeline(at: setup.locations.library)
        } catch let outdated as OutdatedLibrary {
            throw Refusal(.needsHuman("\(outdated)"))
        }
    }
}
