package import Records

/// How a request ended, and what is to be told of it.
package enum AgentReply<Answer: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// Carried out as far as the ending says.
    case answered(Answer, Ending = .done)
    /// Nothing is to be told: the ending is all, or a refusal or a signal came first.
    case ended(Ending)
}

extension AgentReply {
    /// How the request ended.
    package var ending: Ending {
        switch self {
        case .answered(_, let ending), .ended(let ending): ending
        }
    }

    /// What is to be told; `nil` where the ending is all.
    package var answer: Answer? {
        if case .answered(let answer, _) = self { answer } else { nil }
    }
}
