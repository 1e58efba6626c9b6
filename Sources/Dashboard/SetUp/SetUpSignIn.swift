/// What was typed to sign in; never logged and never sent back.
package struct SetUpSignIn: Decodable, Hashable, Sendable {
    /// The destination, and the project's key that its gateway wants.
    package let answers: SetUpAnswers
    /// Who signs in.
    package let email: String
    /// Empty where a code is wanted in its place.
    package let password: String
    /// What the e-mail says, or its link; empty until it has come.
    package let code: String

    /// What is to be done with what was typed.
    package enum Way: String, Sendable {
        /// Have a code sent.
        case email
        /// Sign in with the password.
        case password
        /// Sign in with the code.
        case code
    }

    /// The code comes first, since the password may have been typed before it was sent.
    package var way: Way {
        if !code.isEmpty { return .code }
        return password.isEmpty ? .email : .password
    }
}

/// How a sign-in went.
package struct SetUpSignInOutcome: Encodable, Hashable, Sendable {
    private let schema = "gallery-sync/setup-sign-in/1"
    /// Whether the user is signed in, and not just sent a code.
    package let isSignedIn: Bool
    private let sentence: String?
    private let troubles: [SetUpVerdict.Trouble]

    /// What was done, in a sentence.
    package init(sentence: String, isSignedIn: Bool) {
        (self.isSignedIn, self.sentence, troubles) = (isSignedIn, sentence, [])
    }

    /// Why it was refused.
    package init(troubles: [SetUpVerdict.Trouble]) {
        (isSignedIn, sentence, self.troubles) = (false, nil, troubles)
    }

    private enum CodingKeys: CodingKey { case schema, isSignedIn, sentence, troubles }
}
