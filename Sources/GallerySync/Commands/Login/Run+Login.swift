import Access
import Catalog
import CommandLine
import Configuration
import Control
import Diagnosis
import Gallery
import Output
import Platform
import Records
import SetUp
import Supabase
import Text
import Transfer

extension Run {
    /// `login`: signs in and saves the session.
    func login(_ request: LoginRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let client = HTTPClient(userAgent: "gallery-sync/\(Version.text)")
        defer { client.close() }
        let auth = try await auth(for: setup, over: client)
        let signIn = SignIn(auth: auth, locations: setup.locations)
        let email = try await email(request)
        let user: AuthUser
        if let password = try await password(request, of: email) {
            user = try await signIn.run(email: email, password: password)
        } else {
            try await signIn.sendCode(to: email)
            console.note("An e-mail is on its way to \(DisplayText.safe(email)).")
            let answer = try await line("The code in it, or its link (not opened): ", option: nil)
            user = try await signIn.run(email: email, answer: answer)
        }
        let keyed = try await holderWithKey(setup)
        let library = try Library.existing(at: setup.locations.library)
        let elsewhere = if let library { try await setup.storedElsewhere(library) } else { nil as String? }
        let isNext = keyed == nil && elsewhere == nil
        try tell(user, at: auth.base, next: isNext ? command("sync", profile: setup.loaded.profile) : nil)
        if let elsewhere { console.note(Finding.storedElsewhere(elsewhere).sentence) }
        if let keyed {
            console.note(
                "The running agent, process \(keyed.processID), goes on with the key that it began with. To store as this "
                    + "user, into a folder of their own, end it and run it again.")
        }
        return .success
    }
}

extension Run {
    /// Tells a running agent to resume what waited for a sign-in; without an answer, it resumes at its next start.
    ///
    /// Returns the agent if it stores with a key, because a sign-in changes nothing for it then.
    private func holderWithKey(_ setup: Setup) async throws -> StateLock.Holder? {
        guard let holder = try StateLock.holder(setup.locations) else { return nil }
        let client = HTTPClient()
        defer { client.close() }
        let control = ControlClient(socket: holder.controlSocket, transport: client)
        return (try? await control.ask(SignInNotice(), within: .seconds(5)).answer) == false ? holder : nil
    }

    private func email(_ request: LoginRequest) async throws -> String {
        if let email = request.email { return email }
        return try await line("E-mail address: ", option: "--email ADDRESS")
    }

    /// The password, from a file, standard input or the terminal; `nil` if a code is wanted instead.
    private func password(_ request: LoginRequest, of email: String) async throws -> String? {
        if request.sendsCode { return nil }
        if let file = request.passwordFile, file != "-" {
            return try PasswordFile.read(try surroundings.absolute(file), user: surroundings.user)
        }
        let question = "Password of \(DisplayText.safe(email)) (not shown; empty to get a code by e-mail): "
        let typed = try await line(question, isSecret: true, option: "--password-file FILE")
        return typed.isEmpty && surroundings.isInteractive ? nil : typed
    }

    /// The next line of standard input; on a terminal, after asking the question.
    private func line(_ question: String, isSecret: Bool = false, option: String?) async throws -> String {
        if let answer = try await answer(to: question, isSecret: isSecret) { return answer }
        throw UsageError(
            message: "Nothing can be asked here" + (option.map { "; add \($0)." } ?? "."), command: "login")
    }

    private func tell(_ user: AuthUser, at server: String, next: String?) throws {
        if invocation.isJSON {
            let document = LoginDocument(server: server, user: user)
            return try console.result(json: JSONDocument.bytes(document))
        }
        let lines = ["Signed in as \(user.email ?? user.id)."] + (next.map { ["Next: \($0)"] } ?? [])
        try confirm(lines.map(DisplayText.safe))
    }
}

/// One document, `gallery-sync/login/1`.
private struct LoginDocument: Encodable {
    var schema = "gallery-sync/login/1"
    let server: String
    let user: AuthUser
}
