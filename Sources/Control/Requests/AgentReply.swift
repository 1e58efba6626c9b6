package import Records

/// How a request ended, and what its answer is.
package enum AgentReply<Answer: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// Carried out as far as the ending says.
    case answered(Answer, Ending = .done)
    /// There is no answer: only the ending matters, or a refusal or a signal came first.
    case ended(Ending)
}

extension AgentReply {
    /// How the request ended.
    package var ending: Ending {
        switch self {
        case .answered(_, let ending), .ended(let ending): ending
        }
    }

    /// The answer; `nil` if only the ending matters.
    package var answer: Answer? {
        if case .answered(let answer, _) = self { answer } else { nil }
    }
}
