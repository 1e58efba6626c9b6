package import Catalog
package import Supabase
import Sync

/// One thing that was looked at, and how it is.
package struct Finding: Hashable, Sendable {
    package enum Result: String, Hashable, Encodable, Sendable {
        case fine
        /// It works, but somebody should know.
        case doubtful
        case wrong
    }

    /// What was looked at, in one or two words.
    package let name: String
    package let result: Result
    /// How it is and, where it is not fine, what to do.
    package let sentence: String
    /// What to run in the project's SQL editor.
    package let sql: String?
    /// How commands that store end because of it, where they do.
    package let ending: Ending?

    package init(
        name: String, result: Result, sentence: String, sql: String? = nil, ending: Ending? = nil
    ) {
        self.name = name
        self.result = result
        self.sentence = sentence
        self.sql = sql
        self.ending = ending
    }
}

extension Finding: Encodable {
    private enum CodingKeys: CodingKey {
        case name, result, sentence, sql
    }

    package func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: CodingKeys.self)
        try keys.encode(name, forKey: .name)
        try keys.encode(result, forKey: .result)
        try keys.encode(sentence, forKey: .sentence)
        try keys.encodeIfPresent(sql, forKey: .sql)
    }
}

extension Finding {
    package static func fine(_ name: String, _ sentence: String) -> Finding {
        Finding(name: name, result: .fine, sentence: sentence)
    }

    package static func doubtful(_ name: String, _ sentence: String) -> Finding {
        Finding(name: name, result: .doubtful, sentence: sentence)
    }

    package static func wrong(
        _ name: String, _ sentence: String, sql: String? = nil, ending: Ending? = nil
    ) -> Finding {
        Finding(name: name, result: .wrong, sentence: sentence, sql: sql, ending: ending)
    }
}

extension Finding {
    /// What `error` of the destination means for everything that stores there.
    package static func wrong(_ name: String, _ error: StorageError) -> Finding {
        wrong(name, error.untrustedSentence ?? "\(error)", ending: Ending(error))
    }
}

extension Ending {
    /// How a command ends that the destination answers like that.
    package init(_ error: StorageError) {
        let reason = error.untrustedSentence ?? "\(error)"
        switch error.answerClass {
        case nil: self = error.untrustedSentence == nil ? .temporary(reason) : .needsHuman(reason)
        case .retry, .conflict: self = .temporary(reason)
        case .signIn, .wrongKind, .denied, .expiredLink: self = .notPermitted(reason)
        case .destinationClosed(.quota): self = .full(reason)
        case .destinationClosed(.projectPaused), .duplicate, .notThere, .tooLarge, .unsupported, .permanent:
            self = .needsHuman(reason)
        }
    }
}
