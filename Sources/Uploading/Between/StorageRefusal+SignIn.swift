package import FoundationEssentials
package import Supabase
import Transfer

extension StorageRefusal {
    /// Why the sign-in is refused, and what to do; a wrong clock comes first: it looks like a bad token.
    func signInSentence(at now: Date) -> String {
        let said = "The server says: \(message)"
        if let serverTime, let warning = ClockSkew(server: serverTime, now: now).warning { return "\(warning) \(said)" }
        if case .user = sentKey { return "The sign-in is refused. Run \"gallery-sync login\". \(said)" }
        let key = keyOrigin.map { "The key from \($0) is refused. Put the right one there" }
        return "\(key ?? "The key is refused. Set a new GALLERY_SYNC_KEY"), or run \"gallery-sync login\". \(said)"
    }

    /// Why nothing is stored without a bucket.
    var bucketSentence: String {
        "The bucket does not exist, or this sign-in may not use it: \"gallery-sync doctor\" prints the SQL that makes it. "
            + "The server says: \(message)"
    }

    /// Why the user or the key, though known to the server, may not do this.
    var deniedSentence: String {
        if let advice { return advice }
        let who = if case .user = sentKey { "The signed-in user" } else { "The \(sentKey)" }
        return "\(who) may not write here: a policy of the bucket is missing. \"gallery-sync doctor\" prints its SQL. "
            + "The server says: \(message)"
    }
}

extension StorageError {
    /// What to do when the server cannot prove to be the destination; `nil` for any other error.
    package var untrustedSentence: String? {
        guard case .noAnswer(let lost) = self, lost.kind == .untrusted else { return nil }
        return "\(lost.message). Nothing was sent there. "
            + "Check this computer's clock, destination.url and the server's certificate."
    }

    /// The sentence for people; a refused sign-in says what to do about it.
    package func sentence(at now: Date) -> String {
        guard let refusal, refusal.answerClass == .signIn else { return "\(self)" }
        return refusal.signInSentence(at: now)
    }
}
