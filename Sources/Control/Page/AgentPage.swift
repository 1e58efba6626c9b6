package import Catalog
import Configuration
package import Dashboard
import Desktop
import FoundationEssentials
package import Gallery
package import Platform
package import Queue
import Records
package import Reporting
import Roots
import Supabase
import Sync
package import Text
import Transfer

/// The page's side of a running agent: everything it does goes through the agent's requests.
package struct AgentPage: PageHost {
    let agent: Agent
    /// The page's own library for looking things up, so that no browser waits for what the agent writes.
    let library: Library
    /// The directory that `~/` stands for.
    let home: FilePath
    /// The desktop's file manager; `nil` if the desktop is ignored.
    let browser: (any FileBrowsing)?
    /// What restores that were asked for are doing.
    let restores = PageRestores()
    private let passes: AsyncStream<Void>
    private let wanted: AsyncStream<Void>.Continuation
    private let looks: AsyncStream<Void>
    private let looked: AsyncStream<Void>.Continuation

    /// The side of `agent`, with its library opened a second time for reading; passes and restores run in `work`.
    package init(_ agent: Agent, _ library: Library, home: FilePath) {
        self.init(agent, library, home: home, browser: agent.setup.hooks.host == nil ? nil : BusFileBrowser())
    }

    init(_ agent: Agent, _ library: Library, home: FilePath, browser: (any FileBrowsing)?) {
        (self.agent, self.library, self.home, self.browser) = (agent, library, home, browser)
        (passes, wanted) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (looks, looked) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// The report by what is committed; later writes are in the next one.
    package func report(_ depth: Reporter.Depth) async throws -> Report {
        looked.yield()
        return try await agent.report(depth, from: library)
    }

    /// The decisions taken about a file.
    package func reasons(for path: FilePath) async throws -> [String] {
        try await Explanation(
            of: path, root: agent.roots.root(holding: path), library: library, items: await agent.queue.all(),
            isRunning: true
        ).decisions
    }

    /// Bytes of a stored object, read with the agent's own credentials.
    package func stored(_ key: ObjectKey, at offset: Int64, count: Int) async throws -> [UInt8]? {
        try await agent.storage.piece(of: key, in: agent.setup.destination.bucket, at: offset, count: count)
    }

    /// Carries out the passes and restores that were asked for, until it is cancelled.
    package func work() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pass() }
            group.addTask { for await _ in looks { try await agent.library.commit() } }
            group.addTask { try await restores.run(for: agent) }
            try await group.waitForAll()
        }
    }

    private func pass() async throws {
        for await _ in passes {
            let reply = try await agent.answer(SyncOrder(paths: []))
            if reply.ending.isRefusal { agent.setup.log.warning("\(reply.ending)") }
        }
    }

    /// What this process logged lately.
    package func log(after number: Int) -> [LogTail.Entry] { agent.setup.hooks.tail?.lines(after: number) ?? [] }

    /// What restores are doing, and how the last ones ended.
    package var works: [PageWork] { restores.works }

    /// Carries out what the user asked for; throws `PageRefusal` with the agent's words.
    package func perform(_ action: PageAction) async throws -> PageActionResult {
        switch action {
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
        default: return try await performOnFiles(action)
        }
    }

    /// Throws the agent's words if it did not do what it was asked to do.
    static func check<Answer>(_ reply: AgentReply<Answer>) throws {
        if reply.ending != .done { throw refusal(reply.ending) }
    }

    /// What the page is told where an answer ended with `ending`.
    static func refusal(_ ending: Ending) -> PageRefusal {
        PageRefusal(status: 409, message: "\(ending).", next: "Mend what it names, then try again.")
    }
}
