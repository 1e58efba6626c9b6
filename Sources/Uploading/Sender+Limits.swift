import Configuration
import Queue
import Supabase

extension Sender {
    /// Sends what no known limit forbids; a refusal for size is remembered.
    ///
    /// A file that is too large for one request is tried in pieces, whose limit may be another (contract 5).
    func uploadWithinLimits(
        _ item: Item, from source: Source, replacing: Bool, _ reports: Reports
    ) async throws -> Sending {
        let usual: SizeLimits.Way = item.size > settings.smallFileBytes ? .pieces : .whole
        switch limits.verdict(item, usual: usual, at: clock()) {
        case .tooLarge(let refused):
            let speaker: AnswerClass.Speaker = refused.byProxy ? .proxy : .storage
            let failure = limits.failure(by: speaker, from: refused.bytes, size: item.size)
            return .ended(.blocked(.tooLarge, failure))
        case .send(.pieces): return try await piecesWithinLimits(item, source, replacing, reports)
        case .send(.whole): break
        }
        do {
            return try await uploadWhole(item, from: source, replacing: replacing, reports)
        } catch let error as StorageError {
            guard case .tooLarge(let speaker) = error.answerClass, item.size > 0 else { throw error }
            try await limits.learn(item.size, .whole, by: speaker, at: clock())
            return try await piecesWithinLimits(item, source, replacing, reports, afterRefusalBy: speaker)
        }
    }

    /// - Parameter speaker: The side that refused it as a whole; that refusal stands if the server takes no pieces.
    private func piecesWithinLimits(
        _ item: Item, _ source: Source, _ replacing: Bool, _ reports: Reports,
        afterRefusalBy speaker: AnswerClass.Speaker? = nil
    ) async throws -> Sending {
        do {
            return try await uploadInPieces(item, from: source, replacing: replacing, reports)
        } catch let error as StorageError {
            switch (error.answerClass, speaker) {
            case (.tooLarge(let speaker), _): return try await tooLarge(item, speaker)
            case (.permanent, let speaker?), (.unsupported, let speaker?), (.notThere, let speaker?):
                return try await tooLarge(item, speaker)
            default: throw error
            }
        }
    }

    /// Storage judges the whole length, and a proxy the piece that it saw.
    private func tooLarge(_ item: Item, _ speaker: AnswerClass.Speaker) async throws -> Sending {
        let size = speaker == .proxy ? min(item.size, ResumableUpload.chunkSize) : item.size
        try await limits.learn(size, .pieces, by: speaker, at: clock())
        return .ended(.blocked(.tooLarge, limits.failure(by: speaker, from: size, size: item.size)))
    }
}
