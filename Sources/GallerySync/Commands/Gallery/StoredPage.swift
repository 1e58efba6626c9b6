import Catalog
import CommandLine
import Configuration
import Dashboard
import Gallery
import Platform
import Queue
import Reporting
import Text

/// The page's side of a profile that no agent of this process works on: what its files say, for reading only.
struct StoredPage: PageHost {
    let setup: Setup
    let library: Library
    let roots: RootRegistry

    func report(_ depth: Reporter.Depth) async throws -> Report { try await StoredReport(setup).report(depth) }

    func reasons(for path: FilePath) async throws -> [String] {
        let items = try QueueStore(state: setup.locations.state).load().entries
        let isRunning = try StateLock.holder(setup.locations) != nil
        return try await Explanation(
            of: path, root: roots.root(holding: path), library: library, items: items, isRunning: isRunning
        ).decisions
    }

    /// Storage is not asked: looking needs no sign-in.
    func stored(_ key: ObjectKey, at offset: Int64, count: Int) async throws -> [UInt8]? { nil }

    func perform(_ action: PageAction) async throws -> PageActionResult {
        throw PageRefusal(status: 503, message: Self.readingOnly, next: Self.next)
    }

    func refusal(of action: PageAction.Name) async -> String? { "\(Self.readingOnly) \(Self.next)" }

    var works: [PageWork] { [] }

    func log(after number: Int) -> [LogTail.Entry] { [] }

    private static let readingOnly = "No agent is asked from here: this page is for reading only."
    private static let next = "Start \"gallery-sync watch\", then run \"gallery-sync open\"."
}
