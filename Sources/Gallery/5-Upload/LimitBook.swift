import FoundationEssentials
import Supabase
import Synchronization

/// What is known of a bucket's size limits, kept in the library.
package final class LimitBook: Sendable {
    private let limits = Mutex(SizeLimits())
    private let library: Library
    private let fact: String

    package init(library: Library, bucket: String) {
        self.library = library
        fact = "limits \(bucket)"
    }

    /// Reads what earlier runs learned; what cannot be read is learned again.
    func load() async throws {
        guard let text = try await library.fact(fact),
            let known = try? QueueCoding.decoder.decode(SizeLimits.self, from: Data(text.utf8))
        else { return }
        limits.withLock { $0 = known }
    }

    /// How `size` bytes go.
    func verdict(_ size: Int64, usual: SizeLimits.Way, at now: Date) -> SizeLimits.Verdict {
        limits.withLock { $0.verdict(size, usual: usual, at: now) }
    }

    /// When one file is to be tried again.
    var probeAt: Date? { limits.withLock { $0.probeAt } }

    /// Remembers a refusal durably.
    func learn(_ size: Int64, _ way: SizeLimits.Way, by speaker: AnswerClass.Speaker, at now: Date) async throws {
        limits.withLock { $0.learn(size, way, by: speaker, at: now) }
        try await save()
    }

    /// Takes in that so many bytes were taken; whether that was news.
    func passed(_ size: Int64) async throws -> Bool {
        guard limits.withLock({ $0.passed(size) }) else { return false }
        try await save()
        return true
    }

    /// The next file of any size is tried, in case somebody raised a limit; what is known stays until it is taken.
    func doubt() { limits.withLock { $0.doubt() } }

    /// Forgets all limits: everything is tried again.
    func forget() async throws {
        limits.withLock { $0 = SizeLimits() }
        try await library.setFact(fact, to: nil)
    }

    private func save() async throws {
        let text = try QueueCoding.encoder.encode(limits.withLock { $0 })
        try await library.setFact(fact, to: String(decoding: text, as: UTF8.self))
    }
}
