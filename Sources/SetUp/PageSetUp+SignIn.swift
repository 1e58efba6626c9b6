import Access
import CommandLine
import Configuration
package import Dashboard
import Records
import Supabase
import Text
import Transfer

extension PageSetUp {
    /// Signs in within the set-up, as `login` does; the session is saved before anything else is written.
    package func signIn(_ typed: SetUpSignIn) async throws -> SetUpSignInOutcome {
        let edit = try edit()
        var (answers, troubles) = try read(typed.answers, edit)
        // A sign-in does not depend on the choice of folders.
        troubles.removeAll { $0.field == "folders" }
        answers.draft.roots = []
        if case .refused(let reason) = AnswerReading.email(typed.email) { troubles.append(.init("email", reason)) }
        guard troubles.isEmpty else { return SetUpSignInOutcome(troubles: troubles) }
        let client = HTTPClient(userAgent: "gallery-sync/\(Version.text)")
        defer { client.close() }
        do {
            let setup = try edit.setup(answers.draft, run.invocation, in: run.surroundings)
            let auth = try await run.auth(for: setup, key: answers.typedKey, over: client)
            return try await outcome(of: typed, SignIn(auth: auth, locations: locations))
        } catch let refusal as Refusal {
            return SetUpSignInOutcome(troubles: [.init(typed.way.rawValue, DisplayText.safe("\(refusal)"))])
        }
    }

    private func outcome(of typed: SetUpSignIn, _ signIn: SignIn) async throws -> SetUpSignInOutcome {
        let user: AuthUser
        switch typed.way {
        case .email:
            try await signIn.sendCode(to: typed.email)
            return SetUpSignInOutcome(
                sentence: "An e-mail is on its way to \(DisplayText.safe(typed.email)).", isSignedIn: false)
        case .password: user = try await signIn.run(email: typed.email, password: typed.password)
        case .code: user = try await signIn.run(email: typed.email, answer: typed.code)
        }
        return SetUpSignInOutcome(
            sentence: "Signed in as \(DisplayText.safe(user.email ?? user.id)).", isSignedIn: true)
    }
}
