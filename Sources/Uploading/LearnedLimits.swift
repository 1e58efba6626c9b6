package import Catalog
package import FoundationEssentials
import Queue
import Supabase
import Synchronization

/// A bucket's known size limits, kept in the library, and the probe: a file to test if they still hold.
package final class LearnedLimits: Sendable {
    private struct State {
        var limits = SizeLimits()
        var probe: Probe?
        /// The bucket's own limit, as the server states it.
        var bucketLimit: Int64?
    }

    /// One file is sent although it is known to be too large; all others wait until its attempt has ended.
    private enum Probe: Hashable {
        /// The next item of at most this many bytes becomes the probe.
        case wanted(atMost: Int64)
        case taken(ItemIdentifier)
    }

    private let state = Mutex(State())
    private let library: Library
    private let fact: String

    /// Knows no limits until `load`; keeps those of `bucket` in `library`.
    package init(library: Library, bucket: String) {
        self.library = library
        fact = Library.limitsFact(of: bucket)
    }

    /// Reads what earlier runs learned; what cannot be read is learned again.
    package func load() async throws {
        guard let text = try await library.fact(fact),
            let known = try? QueueCoding.decoder.decode(SizeLimits.self, from: Data(text.utf8))
        else { return }
        state.withLock { $0.limits = known }
    }

    /// How to send `item`: in the usual way, too, if it is the probe that tests whether a limit still holds.
    func verdict(_ item: Item, usual: SizeLimits.Way, at now: Date) -> SizeLimits.Verdict {
        state.withLock { state in
            let verdict = state.limits.verdict(item.size, usual: usual)
            guard verdict != .send(usual) else { return verdict }
            if state.probe == nil, state.limits.isDoubtful(at: now) { state.probe = .wanted(atMost: .max) }
            switch state.probe {
            case .taken(item.id): return .send(usual)
            case .wanted(let size) where item.size <= size:
                state.probe = .taken(item.id)
                return .send(usual)
            default: return verdict
            }
        }
    }

    /// Takes in the bucket's own limit, which only explains refusals, because the project's may be smaller.
    package func note(bucketLimit bytes: Int64?) { state.withLock { $0.bucketLimit = bytes } }

    /// Bytes of the largest file that may be taken: less than was refused, and at most the bucket's own limit.
    package var largestFile: Int64? {
        state.withLock { state in [state.bucketLimit, state.limits.refused.map { $0 - 1 }].compactMap(\.self).min() }
    }

    /// Why an item of `size` bytes waits, if files of `bytes` and more are refused.
    func failure(by speaker: AnswerClass.Speaker, from bytes: Int64, size: Int64) -> Item.Failure {
        let bucket = state.withLock(\.bucketLimit).flatMap { size > $0 ? $0 : nil }
        return SizeLimits.failure(by: speaker, from: bytes, bucket: bucket)
    }

    /// When one file is to be tried again.
    package var probeAt: Date? { state.withLock { $0.limits.probeAt } }

    /// Whether that time has come, or was set by a clock that was set back since.
    package func mayProbe(at now: Date) -> Bool {
        state.withLock { $0.limits.probeAt != nil && $0.limits.isDoubtful(at: now) }
    }

    /// Remembers a refusal durably.
    func learn(_ size: Int64, _ way: SizeLimits.Way, by speaker: AnswerClass.Speaker, at now: Date) async throws {
        state.withLock { state in
            state.limits.learn(size, way, by: speaker, at: now)
            // A probe refused in one request must still be tried in pieces, if those were refused before.
            if way == .pieces || !state.limits.refusesPieces(of: size) { state.probe = nil }
        }
        try await save()
    }

    /// Notes that the server accepted all of `item`; returns whether that lifts a limit.
    func passed(_ item: Item) async throws -> Bool {
        let (isNews, hasChanged) = state.withLock { state in
            let before = state.limits
            let isProbe = state.probe == .taken(item.id)
            if isProbe { state.probe = nil }
            let isNews = state.limits.passed(item.size, asUsual: isProbe)
            return (isNews, state.limits != before)
        }
        if hasChanged { try await save() }
        return isNews
    }

    /// Notes that `item` is not tried again; returns whether it was the probe, so that another item may become it.
    func release(_ item: Item) -> Bool {
        state.withLock { state in
            guard state.probe == .taken(item.id) else { return false }
            state.probe = nil
            return true
        }
    }

    /// Makes the next file of at most `size` bytes the probe, in case a limit was raised.
    ///
    /// The known limits stay until the server has accepted that file.
    func doubt(upTo size: Int64) { state.withLock { $0.probe = .wanted(atMost: size) } }

    /// Forgets all limits: everything is tried again.
    func forget() async throws {
        state.withLock { $0 = State() }
        try await library.setFact(fact, to: nil)
    }

    private func save() async throws {
        let text = try QueueCoding.encoder.encode(state.withLock { $0.limits })
        try await library.setFact(fact, to: String(decoding: text, as: UTF8.self))
    }
}
