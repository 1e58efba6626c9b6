package import FoundationEssentials
import Platform
import Queue
package import Supabase
import Transfer

/// A user's sign-in, kept fresh: the source of credentials for every request.
///
/// A token is renewed 60 to 90 s before it expires, by one caller while the others wait, and saved before it is
/// used. A renewal without an answer changes nothing; one that the server refuses for good ends the sign-in,
/// until `login` writes another one.
package actor Session {
    /// The user, whose id is the first segment of keys; never changes.
    package nonisolated let user: AuthUser
    private let file: SessionFile
    private let auth: AuthClient
    private let apiKey: String?
    private let clock: @Sendable () -> Date
    private let pause: @Sendable () async throws -> Void
    /// Seconds before its expiry at which a token is renewed.
    private let lead: Double
    private let wake = WakeEvent()

    private var saved: SavedSession
    /// A renewed session that could not be saved yet, and when it came; it is not used before it is saved.
    private var unsaved: (saved: SavedSession, since: Date)?
    private var isRenewing = false
    /// The earliest time of the next renewal, after a renewal that got no answer or did not help.
    private var nextRenewal = Date.distantPast
    /// Seconds between two renewals at most.
    private static let longestPause = 60.0
    /// Why the last renewal failed; thrown to every caller that waited for it.
    private var failure: StorageError?

    /// Continues the sign-in `saved`, as read from `file`.
    ///
    /// - Parameters:
    ///   - random: From 0 to 1; spreads the renewals of several computers.
    ///   - pause: Waits briefly while another process renews.
    package init(
        _ saved: SavedSession, file: SessionFile, auth: AuthClient, clock: @escaping @Sendable () -> Date,
        random: Double = .random(in: 0...1),
        pause: @escaping @Sendable () async throws -> Void = {
            try await ContinuousClock().sleep(for: .milliseconds(250))
        }
    ) {
        user = saved.session.user
        self.saved = saved
        self.file = file
        self.auth = auth
        apiKey = auth.apiKey
        self.clock = clock
        self.pause = pause
        lead = 60 + 30 * random
    }

    /// The closure that clients call for the credentials of each request.
    package nonisolated var source: CredentialsSource {
        { refused throws(StorageError) in try await self.credentials(after: refused) }
    }

    /// The credentials for the next request; renewed if they are about to expire, or if `refused` are the current ones.
    ///
    /// Throws `signedOut` if the sign-in has ended, and `noAnswer` if a necessary renewal got no answer.
    package func credentials(
        after refused: StorageCredentials? = nil
    ) async throws(StorageError) -> StorageCredentials {
        while true {
            switch try next(after: refused) {
            case .use(let credentials): return credentials
            case .wait(let wakeups): await wake.wait(after: wakeups)
            case .renew: try await renew()
            }
            if Task.isCancelled { throw .noAnswer(TransferError(.cancelled, "Cancelled.", mayHaveArrived: false)) }
        }
    }
}

extension Session {
    func endOnServer(_ token: String) async throws(AuthError) { try await auth.logout(accessToken: token) }

    /// Removes the sign-in here, unless another one has replaced it meanwhile.
    func forget() throws {
        try file.change {
            let found: SavedSession?
            do {
                found = try file.read()
            } catch is SessionFile.Unreadable {
                found = nil
            }
            if let found, found.server != saved.server || found.session.user.id != user.id { return }
            try file.remove()
        }
    }
}

// MARK: - What to do next

extension Session {
    private enum Step {
        case use(StorageCredentials)
        /// Another task is renewing: wait for its event.
        case wait(Int)
        case renew
    }

    private func next(after refused: StorageCredentials?) throws(StorageError) -> Step {
        if saved.ended != nil { try adopt() }
        if let ended = saved.ended { throw .signedOut(ended) }
        let (session, now) = (saved.session, clock())
        let isRefused = refused?.bearer == session.accessToken
        let isDue = now + lead >= session.expiresAt
        guard isRefused || isDue || unsaved != nil else { return .use(credentials) }
        // A time farther ahead than the longest pause was set before the clock was set back, and does not count.
        if now < nextRenewal, nextRenewal <= now + Self.longestPause {
            // The renewal of a refused token got no answer, which may be temporary and does not end the sign-in.
            if isRefused, let failure { throw failure }
            // While a token cannot be renewed, it is used as long as it is valid.
            if now < session.expiresAt || isRefused { return .use(credentials) }
            if let failure { throw failure }
        }
        if isRenewing { return .wait(wake.wakeups) }
        isRenewing = true
        return .renew
    }

    private var credentials: StorageCredentials {
        StorageCredentials(bearer: saved.session.accessToken, apiKey: apiKey)
    }

    /// Takes over the sign-in that another process saved for the same user; throws if it is another user's.
    ///
    /// - Returns: Whether it differs from the one we had.
    @discardableResult
    private func adopt() throws(StorageError) -> Bool {
        let found = try onDisk()
        guard found != saved else { return false }
        saved = found
        return true
    }

    /// The same user's sign-in from the file; throws if it was removed, or is another user's.
    private func onDisk() throws(StorageError) -> SavedSession {
        let found: SavedSession?
        do {
            found = try file.read()
        } catch let error as SystemError {
            throw .noAnswer(TransferError(.local(error), "\(error)", mayHaveArrived: false))
        } catch {
            throw .signedOut("\(error)")
        }
        guard let found, found.server == saved.server else { throw .signedOut(Self.forgotten) }
        guard found.session.user.id == user.id else { throw .signedOut(Self.otherUser) }
        return found
    }

    /// The message if a sign-in was removed while it was in use.
    package static let forgotten = "Not signed in any more. Run \"gallery-sync login\"."
    private static let otherUser = "Another user signed in meanwhile; the next command goes on as them."
    static let signInAgain = "Run \"gallery-sync login\" to sign in again; what waits goes on then."
}

// MARK: - Renewing

extension Session {
    private func renew() async throws(StorageError) {
        defer { renewed() }
        if try keep() { return }
        let turn = try await turn()
        defer { withExtendedLifetime(turn) {} }
        // Another process may have renewed, or signed in, while this one waited.
        if try adopt(), clock() + lead < saved.session.expiresAt { return }
        let answer: Result<AuthSession, AuthError>
        do {
            answer = .success(try await auth.refresh(saved.session.refreshToken))
        } catch {
            answer = .failure(error)
        }
        try settle(answer)
    }

    private func renewed() {
        isRenewing = false
        wake.notify()
    }

    private func settle(_ answer: Result<AuthSession, AuthError>) throws(StorageError) {
        switch answer {
        case .success(let session):
            unsaved = (SavedSession(server: saved.server, session: session), clock())
            _ = try keep()
        case .failure(let error): try failed(error)
        }
    }

    /// Saves a renewed session, then uses it; returns whether there was one.
    private func keep() throws(StorageError) -> Bool {
        guard let (fresh, since) = unsaved else { return false }
        let other = try changing { () throws -> SavedSession? in
            let other = try replacement(of: fresh)
            if other == nil { try file.write(fresh) }
            return other
        }
        if let other {
            (unsaved, failure, saved) = (nil, nil, other)
            return true
        }
        unsaved = nil
        failure = nil
        saved = fresh
        // If a new token is refused all the same, it must not be renewed again and again.
        nextRenewal = since + Self.longestPause
        return true
    }

    /// Reads and changes the file while no other process does.
    private func changing<Value>(_ body: () throws -> Value) throws(StorageError) -> Value {
        do {
            return try file.change(body)
        } catch let error as StorageError {
            throw error
        } catch let error as SystemError {
            throw .noAnswer(TransferError(.local(error), "The sign-in: \(error)", mayHaveArrived: false))
        } catch let busy as SessionFile.Busy {
            throw .noAnswer(TransferError(.timedOut, "\(busy)", mayHaveArrived: false))
        } catch {
            throw .signedOut("The sign-in cannot be written: \(error)")
        }
    }

    /// A sign-in that was written while the answer was on its way; `nil` if `fresh` continues the one in the file.
    ///
    /// Signing in and out do not wait for a renewal, so a renewal must not undo them.
    private func replacement(of fresh: SavedSession) throws(StorageError) -> SavedSession? {
        let found: SavedSession
        do {
            found = try onDisk()
        } catch {
            if case .signedOut = error { unsaved = nil }
            throw error
        }
        // After a failed write the file may contain the fresh one, though not durably.
        let ours = [saved.session.refreshToken, fresh.session.refreshToken]
        return ours.contains(found.session.refreshToken) ? nil : found
    }

    /// Ends the sign-in after a permanent refusal; any other error leaves it as it is.
    private func failed(_ error: AuthError) throws(StorageError) {
        if let refusal = error.refusal, refusal.endsSession {
            let isOther = try changing { () throws -> Bool in
                if try adopt() { return true }
                saved.ended = "\(refusal) \(Self.signInAgain)"
                // If this cannot be saved, the next renewal is refused again.
                try? file.write(saved)
                return false
            }
            if isOther { return }
            throw .signedOut(saved.ended ?? "")
        }
        let failure = Self.failure(of: error)
        if case .noAnswer(let lost) = error, lost.kind == .cancelled { throw failure }
        self.failure = failure
        nextRenewal = clock() + 10
        if clock() >= saved.session.expiresAt { throw failure }
    }

    private static func failure(of error: AuthError) -> StorageError {
        if case .noAnswer(let lost) = error { return .noAnswer(lost) }
        if let refusal = error.refusal, !refusal.answerClass.isRetryable { return .signedOut("\(refusal)") }
        return .noAnswer(TransferError(.unreachable, "The sign-in cannot be renewed: \(error)", mayHaveArrived: false))
    }

    /// Waits until no other process renews.
    private func turn() async throws(StorageError) -> FileLock? {
        for _ in 0..<240 {
            do {
                if case .mine(let lock) = try file.lock() { return lock }
            } catch {
                throw .noAnswer(TransferError(.local(error), "\(error)", mayHaveArrived: false))
            }
            do {
                try await pause()
            } catch {
                throw .noAnswer(TransferError(.cancelled, "Cancelled.", mayHaveArrived: false))
            }
        }
        throw .noAnswer(
            TransferError(
                .timedOut, "Another process has been renewing the sign-in for a minute.", mayHaveArrived: false))
    }
}
