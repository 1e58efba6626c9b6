import CommandLine
import Configuration
import Control
import FoundationEssentials
import Gallery
import Output
import Platform
import Records
import Reporting
import Roots
import Supabase
import Text

extension Run {
    /// `sync`: makes one pass over the roots.
    func sync(_ request: SyncRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let paths = try directories(request.roots)
        guard !request.isDryRun else { return try await preview(paths, setup) }
        let rate = setup.settings.upload.limitRate.flatMap { limit in
            setup.loaded.ofOptions.contains("upload.limitRate") ? limit.rate(at: Date()) : nil
        }
        let reply = try await carryOut(SyncOrder(paths: paths, rate: rate), setup, remembering: .sync)
        if let summary = reply.answer {
            if let events {
                events.conclude(with: ["run": .object(Event.fields(summary.tally, summary.time))])
            } else {
                try tell(summary, after: reply.ending)
            }
        }
        let beside = reply.ending == .done && paths.isEmpty ? try await reportBeside(setup) : nil
        if let reason = beside?.outdatedAgent {
            complain(reason.message, next: reason.next, ExitCode(reason.kind))
            return ExitCode(reason.kind)
        }
        return try await conclude(reply.ending, setup, beside)
    }

    /// Says what a run did, which a program reads from the status document.
    func tell(_ summary: RunSummary, after ending: Ending) throws {
        guard !invocation.isQuiet, !invocation.isJSON else { return }
        try console.result(prose: [summary.sentence(after: ending)])
    }

    /// The report of a running agent, which may not have done what the configuration says now; `nil` without one.
    private func reportBeside(_ setup: Setup) async throws -> Report? {
        try StateLock.holder(setup.locations) == nil ? nil : try await report(setup, .summary)
    }

    /// Lists new and changed files as they are found, so that no more than a batch of them is in memory.
    private func preview(_ paths: [FilePath], _ setup: Setup) async throws -> ExitCode {
        let preview = try await StoredPreview(setup)
        let ended = try await interruptible {
            var listing = PreviewListing(console, isJSON: invocation.isJSON)
            let (waiting, ending) = try await preview.files(in: paths) { try listing.add($0) }
            try listing.end(waiting)
            return ending
        }
        switch ended {
        case .finished(let ending): return try conclude(ending)
        case .interrupted(let signal): return try conclude(.interrupted(signal.rawValue))
        }
    }
}
