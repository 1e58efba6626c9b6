/// What the user typed to sign in; never logged and never sent back.
package struct SetUpSignIn: Decodable, Hashable, Sendable {
    /// The destination, and the project's key, which its gateway requires.
    package let answers: SetUpAnswers
    /// The user's address.
    package let email: String
    /// Empty if a code is wanted instead.
    package let password: String
    /// The code from the e-mail, or its link; empty until it has arrived.
    package let code: String

    /// What to do with the typed values.
    package enum Way: String, Sendable {
        /// Have a code sent.
        case email
        /// Sign in with the password.
        case password
        /// Sign in with the code.
        case code
    }

    /// The code takes precedence, because the password may have been typed before the code was sent.
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
