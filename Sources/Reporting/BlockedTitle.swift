package import Queue
import Supabase

/// What keeps items waiting, in two or three words for people.
package enum BlockedTitle {
    /// The title for the queue's word and the code behind it; a word that is not known is its own title.
    package static func of(_ reason: String, code: FailureCode? = nil) -> String {
        code.flatMap { special[$0] } ?? plain[reason] ?? reason
    }

    private static let plain = [
        "offline": "No connection", "budget": "Storage budget used up", "paused": "Paused", "signIn": "Not signed in",
        "tooLarge": "Too large for the bucket", "bucket": "No bucket", "metered": "Metered network",
        "away": "Disk not mounted", "brake": "Held by the brake",
    ]

    /// One for each of `BlockedCause.tellingCodes` whose reason says too little.
    private static let special: [FailureCode: String] = [
        .http(540): "Project paused", .network(.untrusted): "Server not trusted", .http(402): "Plan used up",
        .http(507): "No room at the destination",
        .limit(.proxy): "Too large for the proxy", .storage(.accessDenied): "No permission",
        .storage(.unseen): "No permission to read", .http(403): "No permission", .http(401): "Not signed in",
    ]
}
