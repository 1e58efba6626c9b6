import Catalog
import CommandLine
import Gallery
import Output
import Platform
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
        return try await conclude(reply.ending, setup)
    }

    private func preview(_ paths: [FilePath], _ setup: Setup) async throws -> ExitCode {
        let reply = try await carryOut(PreviewOrder(paths: paths), setup)
        guard let files = reply.answer else { return try await conclude(reply.ending, setup) }
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
}
