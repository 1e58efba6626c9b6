import Catalog
import Cleansing
import Configuration
import FoundationEssentials
import Gallery
import Platform
import Reporting
import Text

extension Run {
    /// `sync`: one pass, then exit.
    func sync(_ request: SyncRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let paths = try directories(request.roots)
        guard !request.isDryRun else { return try await preview(paths, setup) }
        let reply = try await carryOut(.sync(paths: paths), setup)
        return try await conclude(reply.ending, setup)
    }

    /// The real paths of directories or files; throws where one does not exist.
    func directories(_ paths: [FilePath]) throws -> [FilePath] {
        try paths.map { path in
            do throws(SystemError) {
                return try surroundings.absolute(path).resolved()
            } catch {
                throw UsageError(message: "\(path): \(error.reason).", command: nil)
            }
        }
    }

    private func preview(_ paths: [FilePath], _ setup: Setup) async throws -> ExitCode {
        let reply = try await carryOut(.preview(paths: paths), setup)
        guard let files = reply.preview else { return try await conclude(reply.ending, setup) }
        if invocation.isJSON {
            try console.result(json: JSONDocument.bytes(Preview(files: files)))
            return .success
        }
        let bytes = Quantity.text(bytes: files.reduce(0) { $0 + $1.size })
        try console.result(
            files.map { "\(DisplayText.safe($0.path))  \(Quantity.text(bytes: $0.size))" }
                + ["Would look at \(Quantity.text(count: files.count)) new or changed files, \(bytes)."])
        return .success
    }

    private struct Preview: Encodable {
        let schema = "gallery-sync/preview/1"
        let files: [PreviewedFile]
    }

    /// Prints the report after a pass, and how the pass ended; the exit code.
    func conclude(_ ending: Ending, _ setup: Setup) async throws -> ExitCode {
        switch ending {
        case .usage, .needsHuman, .notPermitted: throw Refusal(ending)
        case .done, .someFailed, .someTooLarge, .held, .temporary, .full, .interrupted: break
        }
        let report = try await report(setup, .summary)
        if invocation.isJSON {
            try console.result(json: report.json())
        } else {
            let width = min(Terminal.columns(1) ?? 80, 100)
            try console.result(TextReport(report, width: width, paint: console.paint).lines)
        }
        if !ending.description.isEmpty { console.note("gallery-sync: " + surroundings.cleanser.text("\(ending)")) }
        return ExitCode(ending)
    }

    /// `watch`: background sync until stopped.
    func watch(_ roots: [FilePath]) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let paths = try directories(roots)
        guard case .taken(let lock) = try StateLock.acquire(setup.locations) else {
            throw LockHeld(processID: try StateLock.holder(setup.locations)?.processID)
        }
        // Where the kernel refuses, the watch runs at normal priority.
        if setup.settings.watch.polite { try? Priority.background() }
        let log = log(setup.settings.log)
        return try await withAgent(setup, lock: lock, mode: .watch) { agent in
            let ended = try await interruptible { try await agent.keepSafe(paths) }
            guard case .interrupted(let signal) = ended else { return .success }
            log.info("Stopping")
            return ExitCode(signal)
        }
    }
}
