import Catalog
import CommandLine
import Configuration
import Control
import Gallery
import Output
import Platform
import Reporting
import Roots
import Supabase
import Text

extension Run {
    /// `sync`: one pass, then exit.
    func sync(_ request: SyncRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let paths = try directories(request.roots)
        guard !request.isDryRun else { return try await preview(paths, setup) }
        let reply = try await carryOut(SyncOrder(paths: paths), setup, remembering: .sync)
        if let summary = reply.answer {
            if let events {
                events.conclude(with: ["run": .object(Event.fields(summary.tally, summary.time))])
            } else if !invocation.isQuiet {
                try console.result([summary.sentence(after: reply.ending)])
            }
        }
        if reply.ending == .done, paths.isEmpty, let unwatched = try await unwatchedRoot(setup) {
            complain(
                "The running agent does not know \(unwatched), which the configuration names.",
                next: "Restart it: \"systemctl --user restart gallery-sync\", or end it and run "
                    + "\"gallery-sync watch\".",
                .configuration)
            return .configuration
        }
        return try await conclude(reply.ending, setup)
    }

    /// A configured folder that a running agent, which read the configuration at its start, does not know.
    private func unwatchedRoot(_ setup: Setup) async throws -> FilePath? {
        // Most calls are beside no agent, and need no report.
        guard try StateLock.holder(setup.locations) != nil else { return nil }
        let report = try await report(setup, .summary)
        guard report.agent.running else { return nil }
        let known = report.roots.map { FilePath($0.path) }
        // One that is not there is awaited, and in no report.
        return try setup.settings.roots.map(\.path).first { path in
            try !known.contains { $0 == path || path.relative(to: $0) != nil } && FileFacts.existing(path) != nil
        }
    }

    /// Lists what is new or changed while it is found: of a million files, no more than a batch is in memory.
    private func preview(_ paths: [FilePath], _ setup: Setup) async throws -> ExitCode {
        let preview = try await StoredPreview(setup)
        let ended = try await interruptible {
            var listing = PreviewListing(console, isJSON: invocation.isJSON)
            let ending = try await preview.files(in: paths) { try listing.add($0) }
            try listing.end()
            return ending
        }
        switch ended {
        case .finished(let ending): return try conclude(ending)
        case .interrupted(let signal): return try conclude(.interrupted(signal.rawValue))
        }
    }
}
