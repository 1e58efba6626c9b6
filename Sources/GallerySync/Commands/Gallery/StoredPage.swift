import Catalog
import CommandLine
import Configuration
import Control
import Dashboard
import FoundationEssentials
import Gallery
import Platform
import Queue
import Records
import Reporting
import Roots
import Text

/// A read-only host for the page of a profile without an agent in this process: it answers from the profile's files.
struct StoredPage: PageHost {
    let setup: Setup
    let library: Library
    let roots: RootRegistry
    /// Opens storage for looking; `nil` if storage is this computer, or if there is neither key nor sign-in.
    let place: Workplace?

    func report(_ depth: Reporter.Depth) async throws -> Report {
        try await StoredReport(setup, library: library).report(depth)
    }

    func reasons(for path: FilePath) async throws -> [String] {
        let items = try QueueStore(state: setup.locations.state).load().entries
        let isRunning = try StateLock.holder(setup.locations) != nil
        return try await Explanation(
            of: path, root: roots.root(holding: path), library: library, items: items, isRunning: isRunning
        ).decisions
    }

    func stored(_ key: ObjectKey, at offset: Int64, count: Int) async throws -> [UInt8]? {
        guard let place else { return nil }
        return try await place.storage.piece(of: key, in: place.destination.bucket, at: offset, count: count)
    }

    func perform(_ action: PageAction) async throws -> PageActionResult {
        guard case .link(let files, let seconds) = action, let place else {
            throw PageRefusal(status: 503, message: Self.readingOnly, next: Self.next)
        }
        let linker = Linker(library: library, storage: place.storage, destination: place.destination)
        let (links, refusal) = try await linker.links(to: files, seconds: seconds, now: Date())
        guard links.isEmpty, let refusal else { return PageActionResult(links, of: files.count) }
        throw PageRefusal(status: 409, message: "\(refusal).", next: "Mend what it names, then try again.")
    }

    /// Allows only links, because a link changes nothing, neither here nor in storage.
    func ability(of action: PageAction.Name) async -> PageAbility {
        action == .link && place != nil ? .allowed : .absent
    }

    var works: [PageWork] { [] }

    func log(after number: Int) -> [LogTail.Entry] { [] }

    private static let readingOnly = "No agent is asked from here: this page is for reading only."
    private static let next = "Start \"gallery-sync watch\", then run \"gallery-sync open\"."
}
