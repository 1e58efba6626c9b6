import Catalog
package import CommandLine
import Configuration
import Gallery
import Output
import Platform
import Queue
import Records
import Reporting
import Restoring
import Serving
import StorageServer
import Supabase
import Text
import Transfer

/// The demo on loopback: makes media, stores them despite faults, loses the state, restores, compares.
package struct Demo: Sendable {
    let run: Run
    let folder: FilePath
    let server: StorageServer
    let faults: DemoFaults
    let client: HTTPClient
    let settings: Settings
    let locations: Locations

    var gallery: FilePath { folder.appending("Pictures") }
    var restored: FilePath { folder.appending("Restored") }
    /// The report's path, outside the folder because the folder is removed at the end.
    var page: FilePath { FilePath(bytes: folder.bytes + Array("-report.html".utf8)) }

    /// Makes the folder, and a server in it that is not started yet.
    package init(_ run: Run) throws {
        self.run = run
        let temporary = run.surroundings.environment["TMPDIR"].map { FilePath($0) } ?? "/tmp"
        folder = temporary.appending("gallery-sync-demo-\(Randomness.bytes(4).hexadecimal)")
        try Directory.create(at: folder)
        let faults = DemoFaults()
        self.faults = faults
        server = try StorageServer(folder: folder.appending("storage")) { faults.fault(for: $0) }
        client = HTTPClient(userAgent: "gallery-sync/\(Version.text)")
        settings = Self.settings
        locations = try Locations(
            for: LocationRequest(
                environment: ["HOME": folder.display], stateDirectory: folder.appending("agent"),
                user: run.surroundings.user))
    }

    /// Short delays, so that the user need not wait for the demo.
    private static var settings: Settings {
        var settings = Settings()
        settings.scan.settle = .milliseconds(500)
        settings.retry.base = .milliseconds(300)
        settings.retry.factor = 2
        return settings
    }

    var url: String { "http://127.0.0.1:\(server.port ?? 0)" }

    var destination: Destination {
        Destination(endpoint: StorageEndpoint(base: url + "/storage/v1"), bucket: "media")
    }

    var credentials: StorageCredentials { StorageCredentials(key: server.serviceKey) }

    func say(_ sentence: String) throws { try run.console.result(prose: [sentence]) }

    /// Says what a step did, unless `-q` was given.
    func tell(_ label: String, _ text: String) throws { if !run.invocation.isQuiet { try say(label, text) } }

    /// Says something in a column beside its label.
    func say(_ label: String, _ text: String) throws {
        let column = label + String(repeating: " ", count: 11 - label.count)
        try run.console.result(prose: [column + text], indentation: column.count)
    }
}

// MARK: - The steps

extension Demo {
    /// Runs every step, and returns whether everything was proven.
    package func perform(keeps: Bool) async throws -> Bool {
        try server.start()
        try tell("Server", "\(url), data below \(folder)")
        let made = try await makeMedia()
        try tell("Made", "\(made) files with FFmpeg's encoders in \(gallery)")
        let (report, pictures) = try await watched()
        try Array(HTMLReport(report).text.utf8).written(to: page)
        try say("Report", "\(page)")
        faults.stop()
        let comparison = try await restoreFromNothing()
        let isRescued = try await DemoRescue(self).perform()
        let isProven = try conclude(report, pictures, comparison) && isRescued
        if keeps, isProven { try await keepRunning() }
        return isProven
    }

    /// Has the media worker encode the media, and returns the number of files.
    private func makeMedia() async throws -> Int {
        let nowhere = try OpenFile(appending: "/dev/null")
        let child = try ChildProcess.spawn(
            try Run.mediaProgram(), arguments: ["make", gallery.display], environment: run.surroundings.environment,
            descriptors: [1: nowhere.descriptor])
        // Otherwise it would go on making files in a folder that is removed.
        let exit = await withTaskCancellationHandler {
            await child.exit
        } onCancel: {
            child.kill()
        }
        try Task.checkCancellation()
        guard exit == .exited(0) else { throw DemoFailure(what: "gallery-sync-media make ended with \(exit)") }
        return try TreeComparison(gallery, with: gallery) { _ in true }.same
    }

    /// Watches the folder while files change and the server fails; returns the report and thumbnail count.
    private func watched() async throws -> (Report, Int) {
        guard case .taken(let lock) = try StateLock.acquire(locations) else { throw LockHeld(processID: nil) }
        let agent = try await agent(lock)
        return try await agent.run(.watch) { agent in
            let ending = try await run.showing({ try await agent.progress() }) { try await agent.sync([gallery]) }
            guard ending == .done else { throw DemoFailure(what: "the first pass ended with: \(ending)") }
            let first = try await quiet(agent) { $0.assets.total >= 25 }
            try tell("Stored", "\(first.assets.stored) files, \(Quantity.text(bytes: first.bytes.stored))")
            try change()
            let second = try await quiet(agent) { $0.assets.stored >= first.assets.stored + 2 }
            let (refused, dropped) = faults.count
            try tell("Changed", "one file replaced, two added while it watched: \(second.assets.stored) stored")
            try tell("Trouble", "\(refused) uploads refused (503), \(dropped) connections cut: retried, all recovered")
            let pictures = try await agent.library.receiptCount(
                destination: destination.name, prefix: ObjectKey.thumbnailFolder + "/")
            return (try await agent.report(.page), pictures)
        }
    }

    private func agent(_ lock: StateLock) async throws -> Agent {
        try await Agent(try parts(), lock: lock)
    }

    /// The setup of the demo's agents.
    func parts() throws -> Agent.Setup {
        var parts = Agent.Setup(
            settings: settings, locations: locations, destination: destination, credentials: credentials,
            transport: client, workers: try run.mediaWorkers(settings))
        parts.profile = "demo"
        return parts
    }

    /// Waits until `condition` holds, and nothing is under way or about to begin.
    private func quiet(_ agent: Agent, _ condition: @escaping @Sendable (Report) -> Bool) async throws -> Report {
        try await run.showing({ try await agent.progress() }) {
            try await agent.report { report in
                condition(report) && report.settling == 0 && report.assets.waiting == 0
                    && report.queue.pending + report.queue.uploading == 0
            }
        }
    }

    /// Replaces one file and adds two, as a user and a camera would.
    private func change() throws {
        let photo = try OpenFile(reading: gallery.appending("2026/06/IMG_0002.jpg")).readAll()
        try photo.written(to: gallery.appending("2026/06/IMG_0003.jpg"))
        try Directory.create(at: gallery.appending("2026/11"))
        try photo.written(to: gallery.appending("2026/11/新しい 📷.jpg"))
        let clip = try OpenFile(reading: gallery.appending("Downloads/clip.webm")).readAll()
        try clip.written(to: gallery.appending("2026/11/clip.webm"))
    }

    /// Deletes the agent's state, restores every object, and compares the files.
    private func restoreFromNothing() async throws -> TreeComparison {
        try Directory.removeTree(at: folder.appending("agent"))
        try tell("Lost", "the agent's state, all of it")
        let restorer = Restorer(
            Restorer.Setup(
                storage: StorageClient(
                    endpoint: destination.endpoint, credentials: credentials, transport: client),
                destination: destination, directory: restored))
        let result = try await run.showing({ restorer.progress }) { try await restorer.run() }
        let bytes = Quantity.text(bytes: result.restoredBytes)
        try tell("Restored", "\(result.restored) files, \(bytes), into \(restored)")
        let (gallery, restored) = (gallery, restored)
        return try await Blocking.run {
            try TreeComparison(gallery, with: restored.appending("Pictures")) { $0.fileExtension != Array(".txt".utf8) }
        }
    }

    private func conclude(_ report: Report, _ pictures: Int, _ comparison: TreeComparison) throws -> Bool {
        for difference in comparison.differences { try say("Differs", "\(difference)") }
        let (refused, dropped) = faults.count
        let isProven = comparison.differences.isEmpty && comparison.same == report.assets.stored && refused > 0
        guard isProven else {
            try say("Not proven: \(comparison.same) of \(report.assets.stored) stored files came back the same.")
            return false
        }
        try run.confirm([
            "Proven: \(comparison.same) files and \(pictures) thumbnails were stored through "
                + "\(refused + dropped) failures; with the agent's state lost, all came back with the same names, "
                + "times and bytes."
        ])
        return true
    }

    /// Keeps the server running until a signal arrives.
    private func keepRunning() async throws {
        try say("Running on at \(url) until Ctrl-C. Keys: \(folder.appending("storage/service.key"))")
        _ = await run.surroundings.interruption.wait()
    }

    /// Stops the server; without `keeps`, removes everything but the page.
    package func close(keeps: Bool) async throws {
        client.close()
        await server.stop()
        if !keeps { try Directory.removeTree(at: folder) }
    }
}

/// A step of the demo that failed.
struct DemoFailure: Error, CustomStringConvertible {
    let what: String
    var description: String { what }
}

extension [UInt8] {
    /// Writes these bytes as the file at `path`, and replaces an existing one.
    fileprivate func written(to path: FilePath) throws(SystemError) {
        try OpenFile(creating: path, mode: 0o644).append(self)
    }
}
