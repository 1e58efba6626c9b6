import Dashboard
import Gallery
import Records
import Restoring
import Sync
import Synchronization
import Text

/// The restores that the page asked for, which run one after the other.
final class PageRestores: Sendable {
    private struct State {
        var works: [PageWork] = []
        var running: (id: Int, restorer: Restorer)?
        var last = 0

        /// Forgets the oldest restores that ended, if there are too many.
        mutating func forgetEnded() {
            while works.count > PageRestores.remembered,
                let oldest = works.firstIndex(where: { $0.sentence != nil })
            {
                works.remove(at: oldest)
            }
        }
    }

    /// How many restores are remembered; beyond that, those that ended are forgotten.
    private static let remembered = 8
    private let state = Mutex(State())
    private let wanted: AsyncStream<(Int, Restorer)>
    private let queue: AsyncStream<(Int, Restorer)>.Continuation

    init() { (wanted, queue) = AsyncStream.makeStream() }

    /// The restores under way, and those that ended lately.
    var works: [PageWork] {
        state.withLock { state in
            guard let (id, restorer) = state.running else { return state.works }
            let done = restorer.progress.counts.first { $0.step == .download }?.done ?? 0
            return state.works.map { work in
                var work = work
                if work.id == id { work.done = min(done, work.total) }
                return work
            }
        }
    }

    /// Has the restore run after those that were asked for before.
    func begin(_ restorer: Restorer, title: String, total: Int) {
        let id = state.withLock { state in
            state.last += 1
            state.works.append(PageWork(id: state.last, title: title, total: total))
            state.forgetEnded()
            return state.last
        }
        queue.yield((id, restorer))
    }

    /// Runs the restores that were asked for, until it is cancelled; one that fails ends only itself.
    func run(for agent: Agent) async throws {
        for await (id, restorer) in wanted {
            state.withLock { $0.running = (id, restorer) }
            do {
                let result = try await restorer.run()
                end(id, Self.sentences(of: result), isFailure: result.ending != .done)
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                agent.setup.log.warning("The restore has ended: \(error)")
                end(id, Self.sentences(of: error), isFailure: true)
            }
        }
    }

    /// What was restored, the first of what was not, why it ended early, and what to do.
    static func sentences(of result: RestoreResult) -> String {
        var sentences = [result.sentence] + (result.refused + result.failed).prefix(3).map { "\($0.problem)." }
        if let stopped = result.stopped { sentences.append("\(stopped)" + ("\(stopped)".hasSuffix(".") ? "" : ".")) }
        return (sentences + (result.nextStep.map { [$0] } ?? [])).joined(separator: " ")
    }

    /// Why the restore did not go on, and what to do; a reason that ends with a full stop says that itself.
    static func sentences(of error: any Error) -> String {
        let reason = "\(error)"
        return "The restore has ended: \(reason)"
            + (reason.hasSuffix(".") ? "" : ". Ask for it again, and it goes on from there.")
    }

    private func end(_ id: Int, _ sentence: String, isFailure: Bool) {
        state.withLock { state in
            state.running = nil
            guard let index = state.works.firstIndex(where: { $0.id == id }) else { return }
            state.works[index].sentence = sentence
            state.works[index].isFailure = isFailure
            if !isFailure { state.works[index].done = state.works[index].total }
            state.forgetEnded()
        }
    }
}
