import Catalog
import CommandLine
import Configuration
import Control
import FoundationEssentials
import Gallery
import Output
import Platform
import Queue
import Records
import Reporting
import Text

extension Run {
    /// `queue list|pause|resume|cancel`.
    func queue(_ request: QueueRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        switch request {
        case .list: return try await list(setup)
        case .pause:
            return try told(try await steer(PauseOrder(), setup), QueueDocument(action: "pause")) { _ in
                "Paused: nothing more is sent until \"gallery-sync queue resume\"."
            }
        case .resume(let now):
            return try told(try await steer(ResumeOrder(now: now), setup), QueueDocument(action: "resume")) { _ in
                "Resumed."
            }
        case .cancel(let files):
            let reply = try await steer(CancelOrder(paths: try files.map(named)), setup)
            // Files that wait for a disk are not there; if none waits, the check finds names that are wrong.
            if reply.answer == 0 { _ = try directories(files) }
            return try told(reply, QueueDocument(action: "cancel", files: reply.answer ?? 0)) { count in
                guard let count, count > 0 else { return "Nothing of it waits to be sent: nothing was cancelled." }
                return "Cancelled \(Quantity.text(count, "file")); \"gallery-sync reupload FILE\" brings them back."
            }
        }
    }

    /// The real path of a file, whose disk may be absent.
    private func named(_ file: FilePath) throws -> FilePath {
        let path = try real(file)
        return (try? path.resolved()) ?? path
    }

    /// Says what was done, or how the request ended without it, such as by a signal before the agent answered.
    private func told<Answer>(
        _ reply: AgentReply<Answer>, _ document: QueueDocument, _ sentence: (Answer?) -> String
    ) throws -> ExitCode {
        if case .interrupted = reply.ending {
            console.note("gallery-sync: stopped before the agent answered: it may still do that")
            return ExitCode(reply.ending)
        }
        guard reply.ending == .done else { return try conclude(reply.ending) }
        if invocation.isJSON {
            try console.result(json: JSONDocument.bytes(document))
        } else {
            remark(sentence(reply.answer))
        }
        return .success
    }

    /// Changes the queue by the running agent, or by one made for this alone, which sends nothing.
    private func steer<Asked: AgentRequest>(
        _ request: Asked, _ setup: Setup
    ) async throws -> AgentReply<Asked.Answer> {
        guard case .taken(let lock) = try StateLock.acquire(setup.locations) else {
            return try await carryOut(request, setup)
        }
        return try await withAgent(setup, lock: lock, mode: .steering) { try await $0.answer(request) }
    }

    private func list(_ setup: Setup) async throws -> ExitCode {
        let items: [Item]
        if try StateLock.holder(setup.locations) != nil {
            let reply = try await carryOut(ItemsOrder(), setup)
            guard let held = reply.answer else { return try conclude(reply.ending) }
            items = held
        } else if try FileFacts.existing(setup.locations.queue) != nil {
            items = try QueueStore(state: setup.locations.state).load().entries
        } else {
            items = []
        }
        let known = Set(items.map(\.id))
        let library = try Library.existing(at: setup.locations.library)
        if invocation.isJSON {
            let newline = [UInt8(ascii: "\n")]
            for item in items { try console.result(json: item.line() + newline) }
            try await library?.eachBlocked { [console] item in
                if !known.contains(item.id) { try console.result(json: item.line() + newline) }
            }
            return .success
        }
        let open = items.filter { $0.status != .completed }
        let waits = QueueWaits(
            wall: QueueSnapshot(items).wall, isPaused: try await library?.isPaused(at: Date()) ?? false)
        if !open.isEmpty { try console.result(open.map { line($0, waits) }) }
        let elsewhere = try await library?.eachBlocked { item in
            if !known.contains(item.id) { try console.result([line(item, waits)]) }
        }
        if open.isEmpty, elsewhere ?? 0 == 0 { try console.result(["Nothing waits."]) }
        return .success
    }

    private func line(_ item: Item, _ waits: QueueWaits) -> String {
        let size = DisplayText.right(Quantity.text(bytes: item.size), columns: 9)
        let path = DisplayText.safe("\(item.root)/\(item.path)")
        let what =
            item.role == .original ? path : "\(path) (thumbnail\(item.role.thumbnailSize.map { ", \($0) px" } ?? ""))"
        let state = DisplayText.left(waits.state(of: item), columns: Self.stateWidth)
        return "\(state)\(size)  \(what)" + reason(item)
    }

    /// The columns of the longest `BlockedTitle`, and a space.
    private static let stateWidth = 25

    private func reason(_ item: Item) -> String {
        guard let error = item.lastError else { return "" }
        let next = item.nextAttemptAt.map { ", next try \(ISO8601.text($0, digits: 0))" } ?? ""
        return console.paint.dim("  \(DisplayText.safe(error.message))\(next)")
    }
}

/// One document, `gallery-sync/queue/1`.
private struct QueueDocument: Encodable {
    var schema = "gallery-sync/queue/1"
    let action: String
    var files: Int?
}
