import Cleansing
package import Supabase

/// Why an attempt failed, as one word that stays the same from version to version.
///
/// Decisions are made on the cases; files, the library and reports hold `text`, such as `http.503`.
package enum FailureCode: Hashable, Sendable {
    /// The status of an answer that has no code of its own.
    case http(Int)
    case storage(StorageCode)
    case network(Network)
    /// What the system said about a file: the errno's name, or its number.
    case file(String)
    case auth(Auth)
    case verify(Verify)
    case limit(Limit)
    /// A word that no decision in this module depends on, or that another version wrote.
    case other(String)

    /// Two reads of a file that looked the same gave different bytes.
    package static let unsteady = FailureCode.file("unsteady")

    /// Why no answer came.
    package enum Network: String, Sendable {
        case unreachable, lost, timedOut, secure, untrusted, cancelled, tooLarge, sourceShrank, unsendable
        case forbiddenPeer, local
    }

    /// Why a sign-in does not count.
    package enum Auth: String, Sendable { case signedOut, refused, wrongKind }

    /// What an object that was sent turned out to be.
    package enum Verify: String, Sendable { case missing, size, hash, readBack }

    /// Whose limit an item exceeds.
    package enum Limit: String, Sendable { case storage, proxy, budget }
}

// MARK: - As text

extension FailureCode {
    /// The kind, a full stop, and the word.
    package var text: String {
        switch self {
        case .http(let status): "http.\(status)"
        case .storage(let code): "storage.\(code.rawValue)"
        case .network(let word): "network.\(word.rawValue)"
        case .file(let word): "file.\(word)"
        case .auth(let word): "auth.\(word.rawValue)"
        case .verify(let word): "verify.\(word.rawValue)"
        case .limit(let word): "limit.\(word.rawValue)"
        case .other(let text): text
        }
    }

    /// Reads what `text` wrote; anything else is kept as it is.
    package init(_ text: String) {
        let known = Self.known(text)
        // A number such as 0503 would be written differently the next time.
        self = known?.text == text ? known ?? .other(text) : .other(text)
    }

    private static func known(_ text: String) -> FailureCode? {
        guard let stop = text.firstIndex(of: ".") else { return nil }
        let word = String(text[text.index(after: stop)...])
        return switch text[..<stop] {
        case "http": Int(word).map { .http($0) }
        case "storage": .storage(StorageCode(rawValue: word))
        case "network": Network(rawValue: word).map { .network($0) }
        case "file": .file(word)
        case "auth": Auth(rawValue: word).map { .auth($0) }
        case "verify": Verify(rawValue: word).map { .verify($0) }
        case "limit": Limit(rawValue: word).map { .limit($0) }
        default: nil
        }
    }
}

extension FailureCode: CustomStringConvertible {
    /// The same as `text`.
    package var description: String { text }
}

extension FailureCode: Codable {
    /// Reads its text; earlier versions kept the other side's words as they came.
    package init(from decoder: any Decoder) throws {
        self.init(Cleanser().text(try decoder.singleValueContainer().decode(String.self), limit: 100))
    }

    /// Writes its text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

// MARK: - What decisions ask

extension FailureCode {
    /// Whether reading the file failed, on this computer.
    package var isOfFile: Bool { if case .file = self { true } else { false } }
    /// Whether the file cannot be read as it is, so that looking at it again may help.
    package var isOfAccess: Bool { isOfFile && self != .unsteady }
    /// Whether the sign-in itself was refused, and not one object by a policy.
    package var isOfSignIn: Bool { if case .auth = self { true } else { false } }
    /// Whether the server held something else than was sent.
    package var isOfProof: Bool { if case .verify = self { true } else { false } }
    /// Whether a limit of bytes forbade it.
    package var isOfLimit: Bool { if case .limit = self { true } else { false } }

    /// What the other side's answer asked for, as far as the code tells.
    package var answerClass: AnswerClass? {
        switch self {
        case .http(let status): AnswerClass(status: status)
        case .storage(let code): AnswerClass(code: code)
        default: nil
        }
    }
}
