package import Records
package import Supabase
import Sync
import Uploading

/// The result of one check by the doctor.
package struct Finding: Hashable, Sendable {
    /// How a check came out; the words stand in the JSON output.
    package enum Result: String, Hashable, Encodable, Sendable {
        case fine
        /// It works, but the user should know.
        case doubtful
        case wrong
    }

    /// What was checked, in one or two words.
    package let name: String
    /// How the check came out.
    package let result: Result
    /// What was found and, where it is not fine, what to do.
    package let sentence: String
    /// What to run in the project's SQL editor; `nil` where no SQL helps.
    package let sql: String?
    /// The ending of commands that store, because of this finding; `nil` if they go on.
    package let ending: Ending?

    /// A finding with all parts; `fine`, `doubtful` and `wrong` make the usual ones.
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

    /// Writes name, result, sentence and SQL; `ending` is the exit code and not written.
    package func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: CodingKeys.self)
        try keys.encode(name, forKey: .name)
        try keys.encode(result, forKey: .result)
        try keys.encode(sentence, forKey: .sentence)
        try keys.encodeIfPresent(sql, forKey: .sql)
    }
}

extension Finding {
    /// A check that found nothing wrong.
    package static func fine(_ name: String, _ sentence: String) -> Finding {
        Finding(name: name, result: .fine, sentence: sentence)
    }

    /// A check that found something that works, but that the user should know about.
    package static func doubtful(_ name: String, _ sentence: String) -> Finding {
        Finding(name: name, result: .doubtful, sentence: sentence)
    }

    /// A check that found something that must be corrected.
    package static func wrong(
        _ name: String, _ sentence: String, sql: String? = nil, ending: Ending? = nil
    ) -> Finding {
        Finding(name: name, result: .wrong, sentence: sentence, sql: sql, ending: ending)
    }
}

extension Finding {
    /// A check that ended with an error of the destination, and the ending of commands that would store there.
    package static func wrong(_ name: String, _ error: StorageError) -> Finding {
        wrong(name, error.untrustedSentence ?? "\(error)", ending: Ending(error))
    }
}

extension Ending {
    /// The ending of a command after this answer of the destination.
    package init(_ error: StorageError) {
        let reason = error.untrustedSentence ?? "\(error)"
        switch error.answerClass {
        case nil: self = error.untrustedSentence == nil ? .temporary(reason) : .needsHuman(reason)
        case .retry, .conflict: self = .temporary(reason)
        case .signIn, .wrongKind, .denied, .expiredLink: self = .notPermitted(reason)
        case .destinationClosed(.quota), .destinationClosed(.diskFull): self = .full(reason)
        case .destinationClosed(.projectPaused), .duplicate, .notThere, .tooLarge, .unsupported, .permanent:
            self = .needsHuman(reason)
        }
    }
}
