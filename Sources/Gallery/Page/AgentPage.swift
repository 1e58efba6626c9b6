import Catalog
import Configuration
package import Dashboard
import FoundationEssentials
package import Platform
package import Queue
package import Reporting
import Supabase
import Sync
import Text
import Transfer

/// The page's side of a running agent: everything it does goes through the agent's requests.
package struct AgentPage: PageHost {
    private let agent: Agent
    private let passes: AsyncStream<Void>
    private let wanted: AsyncStream<Void>.Continuation

    /// The side of `agent`; passes that the page asks for run in `work`.
    package init(_ agent: Agent) {
        self.agent = agent
        (passes, wanted) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// The report as the running agent knows it.
    package func report(_ depth: Reporter.Depth) async throws -> Report { try await agent.report(depth) }

    /// The decisions taken about a file.
    package func reasons(for path: FilePath) async throws -> [String] {
        try await Explanation(
            of: path, root: agent.roots.root(holding: path), library: agent.library, items: await agent.queue.all(),
            isRunning: true
        ).decisions
    }

    /// Bytes of a stored object, read with the agent's own credentials.
    package func stored(_ key: ObjectKey, at offset: Int64, count: Int) async throws -> [UInt8]? {
        guard count > 0 else { return [] }
        let object = try await agent.storage.download(
            bucket: agent.setup.destination.bucket, key: key.text, to: .memory(limit: count),
            range: .between(offset, count: Int64(count)))
        // A server that ignores ranges sent its first bytes.
        return object.offset == offset ? object.body : []
    }

    /// Carries out the passes that were asked for, one after the other, until it is cancelled.
    package func work() async throws {
        for await _ in passes {
            let reply = try await agent.answer(SyncOrder(paths: []))
            if reply.ending.isRefusal { agent.setup.log.warning("\(reply.ending)") }
        }
    }

    /// Carries out what the user asked for; throws `PageRefusal` with the agent's words.
    package func perform(_ action: PageAction) async throws -> PageActionResult {
        switch action {
        case .retry(let paths):
            var selection = Selection()
            selection.which = .all
            selection.paths = paths
            return try await send(selection, done: "sent again")
        case .releaseBrake:
            var selection = Selection()
            selection.which = .changed
            return try await send(selection, done: "sent now, changed as they are")
        case .pause(let minutes):
            let length = minutes.map { Duration.seconds(60 * $0) }
            let end = length.map { agent.setup.clock() + Double($0.components.seconds) }
            try Self.check(try await agent.answer(PauseOrder(until: end)))
            let words = length.map { "for \(Quantity.text($0))" } ?? "until it is resumed"
            return PageActionResult(sentence: "Paused: nothing more is sent \(words).")
        case .resume:
            try Self.check(try await agent.answer(ResumeOrder()))
            return PageActionResult(sentence: "Resumed.")
        case .sync:
            wanted.yield()
            return PageActionResult(sentence: "All folders are looked at now.")
        }
    }

    private func send(_ selection: Selection, done: String) async throws -> PageActionResult {
        let reply = try await agent.answer(ReuploadOrder(selection, isAwaited: false))
        try Self.check(reply)
        let count = reply.answer?.files ?? 0
        guard count > 0 else {
            return PageActionResult(sentence: "Nothing is sent: these files are not here, or nothing holds them.")
        }
        return PageActionResult(
            count: count, sentence: "\(Quantity.text(count, "file")) \(count == 1 ? "is" : "are") \(done).")
    }

    private static func check<Answer>(_ reply: AgentReply<Answer>) throws {
        guard reply.ending != .done else { return }
        throw PageRefusal(
            status: 409, message: "\(reply.ending).", next: "Mend what it names, then try again.")
    }
}

extension Agent {
    /// Makes links to the page that this process serves; `nil` where it serves none.
    package var gate: Gate? { setup.gate }
}
