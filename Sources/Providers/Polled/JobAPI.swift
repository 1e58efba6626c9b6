/// What is known about a provider's API: the calls that ask about jobs, and where each value is in the answers.
///
/// A provider without signatures, sockets or uploads needs nothing but such a table; see `PolledProvider`.
package struct JobAPI: Hashable, Sendable {
    /// How a request shows the account's key.
    package enum Authentication: Hashable, Sendable {
        case none
        /// A header whose value is `prefix` and the key.
        case header(String, prefix: String)
        /// A bearer token that is signed for each request with a key like `ACCESS:SECRET`; any other is the token.
        case signed

        /// The key as a bearer token.
        static let bearer = Authentication.header("authorization", prefix: "Bearer ")
    }

    /// The call that asks for a new job, and where the answer has its id.
    package struct Order: Hashable, Sendable {
        /// The path of the POST.
        package let path: CallPath
        /// The new job's id in the answer.
        let id: AnswerPath
        /// The member of the input that names the model.
        var model = "model"
        /// Further headers of this call.
        var headers: [String: String] = [:]
    }

    /// The name that jobs, settings and reports use.
    package let name: ProviderName
    /// The usual base URL; `nil` where the user has to name it.
    package var base: String?
    /// How the key is sent.
    package var authentication = Authentication.bearer
    /// Headers of every call, such as the API's version.
    package var headers: [String: String] = [:]
    /// How a job is submitted; `nil` where jobs are submitted elsewhere.
    package var order: Order?
    /// The call that asks about a job.
    var ask: CallPath
    /// The calls for jobs whose id begins with the key, which is removed from the id in the call.
    var asks: [String: CallPath] = [:]
    /// How the question is asked if it is a POST; `ask` is its path.
    var query: JobQuery?
    /// How its jobs are listed; `nil` where they are not.
    package var list: JobListing?
    /// How a job is cancelled; `nil` where it cannot be.
    package var cancel: JobCall?
    /// Where each value is in the answer about a job.
    package var answer = JobAnswer()
    /// Where the files of a finished job are; all that are found count.
    package var results: [ResultPlace]
    /// Where the file is if `results` finds none.
    package var otherwise: ResultPlace?
    /// How long files are kept; a deadline that is computed from it is said to be assumed.
    package var lifetime: Duration?
    /// The least time between two questions about one job.
    package var leastWait = Duration.zero
    /// How long answered questions may be refused in a row before a job is given up.
    package var patience = Duration.seconds(24 * 3_600)

    /// A table with the usual facts, except for those given.
    package init(_ name: ProviderName, base: String? = nil, ask: CallPath, results: [ResultPlace]) {
        self.name = name
        self.base = base
        self.ask = ask
        self.results = results
    }

    /// A copy with further facts.
    func with(_ change: (inout JobAPI) -> Void) -> JobAPI {
        var api = self
        change(&api)
        return api
    }

    /// The id in a link to the job at the provider; `nil` where the link is of another form.
    func id(in address: WebAddress) -> String? {
        let words = address.path.split(separator: "/").map(String.init)
        for (prefix, path) in asks {
            if let id = Self.id(in: words, behind: path.collection) { return prefix + id }
        }
        return Self.id(in: words, behind: ask.collection)
    }

    private static func id(in words: [String], behind collection: String?) -> String? {
        guard let start = words.lastIndex(where: { $0 == collection }), start + 1 < words.count else { return nil }
        return words[start + 1]
    }
}

/// Where to find the files of a finished job.
package enum ResultPlace: Hashable, Sendable {
    /// Every link below a place: one link, a list, a map of lists; of this kind unless something else tells the kind.
    case links(AnswerPath, RemoteMedia.Kind)
    /// Every address below a place that the user has named.
    case named(AnswerPath)
    /// The links at a place, and nothing else.
    case link(AnswerPath, RemoteMedia.Kind)
    /// A call below the base that returns the file itself.
    case call(CallPath, RemoteMedia.Kind)
    /// The id of a file, and the call whose answer has its link.
    case file(AnswerPath, CallPath, link: AnswerPath, RemoteMedia.Kind)
}

/// Where each value is in the answer about a job.
package struct JobAnswer: Hashable, Sendable {
    /// How far the job has come.
    package enum Progress: Hashable, Sendable {
        /// From 0 to 1.
        case share(AnswerPath)
        /// From 0 to 100.
        case percent(AnswerPath)
    }

    /// An error that arrives with a success status.
    package struct Refusal: Hashable, Sendable {
        /// Where its code is.
        let code: AnswerPath
        /// The code of a success.
        let success: String
        /// Where its sentence is.
        let message: AnswerPath
        /// What each code means; errors with any other code may pass.
        let kinds: [String: ProviderError.Kind]
    }

    /// The part of the answer that holds all other values; `nil` for the whole answer.
    var root: AnswerPath?
    /// The word for the job's state, or whether it is done; the first of these that is present.
    package var state: [AnswerPath] = ["status"]
    /// The state of an answer that has no word for it.
    var absent = JobState.unknown("")
    /// Words of this provider, in lower case, in addition to the usual ones.
    package var words: [String: JobState] = [:]
    /// The word for a job that the provider does not know, or no longer knows.
    var gone: String?
    /// How far it has come.
    package var progress: Progress?
    /// When the provider accepted the job.
    package var created: AnswerPath?
    /// When it ended.
    package var ended: AnswerPath?
    /// When its files expire.
    package var expires: AnswerPath?
    /// Why it failed, if the answer says so in an unusual place.
    package var reason: AnswerPath?
    /// The provider's word for why it failed.
    var code: AnswerPath?
    /// A value that only a job which is done but failed has.
    var failure: AnswerPath?
    /// Where a filter says why it removed the file; `nil` if a finished job without a file has no special meaning.
    var filtered: AnswerPath?
    /// Where the file itself is, in base64.
    var inline: [AnswerPath] = []
    /// Where a link may be a `data:` link, which holds the file itself in base64.
    var dataLinks: [AnswerPath] = []
    /// Where addresses in the user's own bucket are; files there do not expire.
    var kept: AnswerPath?
    /// How to recognise an error that arrives as a success.
    var refusal: Refusal?
    /// Seconds of the video.
    var duration: AnswerPath?
    /// The sides of the picture, such as `1280x720`.
    var size: AnswerPath?

    /// The usual places, and only the state's.
    init() {}
}
