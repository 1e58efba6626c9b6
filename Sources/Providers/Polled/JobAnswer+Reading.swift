import Cleansing
import Formats
import FoundationEssentials
import Supabase

extension JobAnswer {
    /// The state that the answer, or a list's row, names.
    func state(in body: JSONValue) -> JobState {
        guard let value = body.first(at: state) else { return absent }
        if let isDone = value.flag {
            guard isDone else { return .running }
            return failure.flatMap { body.all(at: $0).first } == nil ? .succeeded : .failed
        }
        let word = value.text ?? ""
        return words[word.lowercased()] ?? JobState(word: word)
    }

    /// When the job of the row ended, or else when it was accepted.
    func ending(of row: JSONValue) -> Date? {
        [ended, created].lazy.compactMap { $0.flatMap { row.all(at: $0).first?.moment } }.first
    }

    /// What the answer says about the job, apart from its files.
    func status(in body: JSONValue, cleanser: Cleanser) -> JobStatus {
        var status = JobStatus(state(in: body))
        switch progress {
        case .share(let path): status.progress = body.all(at: path).first?.decimal.map { max(0, min($0, 1)) }
        case .percent(let path): status.progress = JobStatus.share(percent: body.all(at: path).first?.decimal)
        case nil: break
        }
        status.createdAt = created.flatMap { body.all(at: $0).first?.moment }
        status.endedAt = ended.flatMap { body.all(at: $0).first?.moment }
        if status.state == .failed { status.error = error(in: body, cleanser: cleanser) }
        return status
    }

    private func error(in body: JSONValue, cleanser: Cleanser) -> ProviderError {
        let code = code.flatMap { body.all(at: $0).first?.text }
        var error = ProviderError(body: body, code: code, cleanser: cleanser)
        let word = body.first(at: state)?.text ?? ""
        if let words = reason.flatMap({ body.all(at: $0).first?.text }) {
            error.message = cleanser.text(words, limit: 500)
        } else if words[word.lowercased()] != nil, error.message == ProviderError.noReason {
            error.message = "The provider says of it: \(cleanser.word(word))."
        }
        return error
    }

    /// The error in an answer that arrived as a success; `nil` if it really is one.
    func refusal(in body: JSONValue, by name: ProviderName, cleanser: Cleanser) -> ProviderError? {
        if let gone, body.first(at: state)?.text?.lowercased() == gone {
            return ProviderError(.missing, "\(name.rawValue) does not know the job, or no more.", isRetryable: true)
        }
        guard let refusal, let code = body.all(at: refusal.code).first?.text, code != refusal.success else {
            return nil
        }
        let words = body.all(at: refusal.message).first?.text ?? ProviderError.noReason
        let kind = refusal.kinds[code] ?? .unavailable
        var error = ProviderError(
            kind, cleanser.text(words, limit: 500), isRetryable: kind == .unavailable || kind == .rateLimited)
        error.code = cleanser.word(code)
        return error
    }

    /// The files in the answer itself, as text in base64.
    func inlined(in body: JSONValue) -> [Substring] {
        let links = (inline + dataLinks).flatMap { body.all(at: $0) }.compactMap { $0.string?.base64OfDataLink }
        return links
            + inline.flatMap { body.all(at: $0) }.compactMap { value in
                value.string.flatMap { $0.isEmpty || $0.hasPrefix("data:") ? nil : Substring($0) }
            }
    }

    /// Adds what the answer says about the video.
    func describe(_ file: inout RemoteMedia, by body: JSONValue) {
        guard file.kind == .video else { return }
        file.duration = file.duration ?? duration.flatMap { body.all(at: $0).first?.decimal }
        let sides =
            size.flatMap { body.all(at: $0).first?.text }?.split(separator: "x").compactMap { Int(digits: $0) } ?? []
        if sides.count == 2 { (file.width, file.height) = (sides[0], sides[1]) }
    }
}

extension String {
    /// The text after `;base64,` in a `data:` link (RFC 2397); `nil` in any other text.
    fileprivate var base64OfDataLink: Substring? {
        guard hasPrefix("data:"), let mark = prefix(200).firstRange(of: ";base64,") else { return nil }
        return self[mark.upperBound...]
    }
}
