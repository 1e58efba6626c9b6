package import Queue
import Supabase
import Uploading

extension NextStep {
    /// What the user can do about the cause that keeps items waiting: the queue's word, and the code behind it.
    package static func after(blocked reason: String, code: FailureCode? = nil) -> String {
        if let code, let step = special[code] { return step }
        return plain[reason] ?? "See \"gallery-sync queue list\"."
    }

    private static let plain = [
        "offline": "Check the network, then run \"gallery-sync sync\"; a running \"watch\" goes on by itself.",
        "budget": "Raise destination.storageBudget to what the plan allows; what fits goes on.",
        "paused": "Run \"gallery-sync queue resume\".",
        "signIn": "Run \"gallery-sync login\", or set a new GALLERY_SYNC_KEY.",
        "tooLarge": "Raise the size limit of the bucket or project, then run \"gallery-sync sync\"; "
            + "it is tried once a day.",
        "bucket": "Make the bucket (\"gallery-sync doctor\" prints the SQL), then run \"gallery-sync sync\"; it is "
            + "looked at once an hour.",
        "metered": "It goes on by itself on another network, at once with \"gallery-sync queue resume --now\".",
        "away": "Mount the disk that the files lie on, then run \"gallery-sync sync\"; a running \"watch\" goes on by "
            + "itself.",
    ]

    /// One for each of `BlockedCause.tellingCodes`.
    static let special: [FailureCode: String] = [
        .http(540): "Wake the project in the dashboard; it is looked at once an hour.",
        .network(.untrusted): "Check this computer's clock, destination.url and the server's certificate; "
            + "it is tried once a minute.",
        .http(402): "Settle the plan in the dashboard: until then reading and deleting are refused, too.",
        .http(507): "Once its disk has room, run \"gallery-sync sync\"; it is tried once an hour.",
        .limit(.proxy): "Raise the size limit of the proxy before the storage, then run \"gallery-sync sync\"; "
            + "it is tried once a day.",
        .storage(.accessDenied): denied,
        .storage(.unseen): "Give the key or the signed-in user the right to read this bucket (\"gallery-sync doctor\" "
            + "prints the SQL), then run \"gallery-sync sync\"; it is tried once an hour.",
        .http(403): denied,
        .http(401): "Run \"gallery-sync login\", or set a new GALLERY_SYNC_KEY.",
    ]

    private static let denied =
        "Give the key or the signed-in user the right to write to this bucket (\"gallery-sync doctor\" prints the SQL), "
        + "then run \"gallery-sync sync\"; it is tried once an hour."
}

extension Uploader.Obstacle {
    /// One sentence for the user.
    package var sentence: String {
        switch reason {
        case .offline: failure?.message ?? "The destination cannot be reached"
        case .overloaded: "The destination has too much to do: \(failure?.message ?? "it fails again and again")"
        case .quota, .projectPaused, .signIn, .bucketMissing, .untrusted: failure?.message ?? reason.rawValue
        }
    }

    /// A word or a sentence, for the progress line.
    package var words: String { reason == .offline ? "offline" : sentence }
}
