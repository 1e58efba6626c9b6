import Access
import FoundationEssentials
import Platform
import Simulation
import StorageServer
import Supabase
import Transfer

/// The user's sign-in, if the agent has no permanent key.
extension World {
    /// The session of a life, which renews its tokens over `line`; `nil` if the agent has a key.
    ///
    /// If there is no session yet, or it has ended, the user signs in.
    func session(of life: Life, over line: any Transport) async throws -> Session? {
        guard history.tokenLifetime != nil else { return nil }
        let file = Self.sessionFile(of: life)
        let saved = try await signedIn(file)
        return Session(saved, file: file, auth: auth(over: line), clock: { Date() })
    }

    /// Signs in again if the sign-in has ended, as the user is advised; returns whether there is a sign-in at all.
    func signInAgain() async throws -> Bool {
        guard history.tokenLifetime != nil else { return false }
        if isSignedOut(life.value) { life.value.wasSignedOut.value = true }
        _ = try await signedIn(Self.sessionFile(of: life.value))
        return true
    }

    /// Whether the sign-in of that life has ended, which can happen if an earlier life died during a renewal.
    func isSignedOut(_ life: Life) -> Bool { (try? Self.sessionFile(of: life).read())?.ended != nil }

    /// Whether that sign-in has ended, even if the user has signed in again since.
    func wasSignedOut(_ life: Life) -> Bool { life.wasSignedOut.value || isSignedOut(life) }

    private func signedIn(_ file: SessionFile) async throws -> SavedSession {
        if let saved = try? file.read() {
            guard let reason = saved.ended else { return saved }
            note("signed out: \(reason)")
            if mayNotEnd { blame("the sign-in ended although every renewal was answered: \(reason)") }
        }
        while !storage.isUp { try await Task.sleep(for: .seconds(10)) }
        let auth = auth(over: StraightLine(to: storage))
        let session = try await auth.signIn(email: StorageModel.user.email, password: StorageModel.password)
        let saved = SavedSession(server: auth.base, session: session)
        try file.write(saved)
        note("signed in")
        return saved
    }

    private func auth(over line: any Transport) -> AuthClient {
        AuthClient(base: StorageModel.auth, apiKey: storage.anonKey, transport: line, clock: { Date() })
    }

    private static func sessionFile(of life: Life) -> SessionFile { SessionFile(disk: life.state, lockPath: nil) }

    /// Whether nothing in this history can come between a renewal and its answer, or between the answer and the disk.
    private var mayNotEnd: Bool {
        history.faults.isEmpty
            && history.acts.allSatisfy { act in
                switch act.deed {
                case .crash, .restart, .disconnect, .serverRestart, .serverCrash, .clock, .fullDisk: false
                default: true
                }
            }
    }
}
