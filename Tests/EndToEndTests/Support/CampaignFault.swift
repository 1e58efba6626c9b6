import ProviderServer
import Providers

/// A passing fault that one job meets, on one kind of call.
struct CampaignFault: Sendable {
    /// Such as `503 on a question`.
    let name: String
    /// The faults for the job of that name at the site.
    let troubles: @Sendable (ProviderName, String) -> [Trouble]

    /// On the questions, on the downloads, and on the question that follows a dead link.
    static let all: [CampaignFault] = questions + downloads + renewals

    private static let statuses = [401, 403, 404, 408, 409, 410, 425, 429, 500, 502, 503, 504]

    private static let broken: [(name: String, effect: Trouble.Effect)] = [
        ("dropped", .dropped), ("answer lost", .lostAnswer), ("cut", .cut(after: 10)),
        ("stalled", .stalled(after: 5, .milliseconds(50))),
        ("a page", .instead(contentType: "text/html", "<html>Sign in</html>")),
        ("half of a document", .instead(contentType: "application/json", #"{"status":"#)),
        ("an empty answer", .instead(contentType: "application/json", "")),
    ]

    private static func status(_ status: Int) -> Trouble.Effect {
        .status(status, retryAfter: status == 429 ? 1 : nil, body: #"{"detail":"Not now"}"#)
    }

    private static var questions: [CampaignFault] {
        let effects = statuses.map { (name: "\($0)", effect: status($0)) } + broken
        return effects.map { fault in
            CampaignFault(name: "\(fault.name) on a question") { site, job in
                [Trouble(fault.effect, path: question(site, job), times: 1)]
            }
        }
    }

    private static var downloads: [CampaignFault] {
        let more: [(name: String, effect: Trouble.Effect)] = [
            ("cut in the middle", .cut(after: 30_000)), ("shortened", .shortened(to: 30_000)),
            ("400", status(400)),
        ]
        let effects = statuses.map { (name: "\($0)", effect: status($0)) } + broken.dropLast() + more
        return effects.map { fault in
            CampaignFault(name: "\(fault.name) on a download") { site, job in
                [Trouble(fault.effect, path: file(site, job), times: 1)]
            }
        }
    }

    private static var renewals: [CampaignFault] {
        ([401, 404, 429, 500, 503].map { (name: "\($0)", effect: status($0)) } + broken.prefix(3)).map { fault in
            CampaignFault(name: "a dead link, then \(fault.name)") { site, job in
                [
                    Trouble(status(403), path: file(site, job), times: 1),
                    Trouble(fault.effect, path: question(site, job), sparing: 1, times: 1),
                ]
            }
        }
    }

    /// Where the site is asked about the job; its name is not in the path everywhere.
    private static func question(_ site: ProviderName, _ job: String) -> String {
        switch site {
        case .gemini: "/gemini/models/*\(job)"
        case .openAI: "/openai/videos/\(job)"
        case .miniMax: "/minimax/query/*"
        case .rendio: "/rendio/functions/*"
        default: "/\(site.rawValue)/*\(job)*"
        }
    }

    private static func file(_ site: ProviderName, _ job: String) -> String {
        switch site {
        case .gemini: "/gemini/files/*\(job)*"
        case .openAI: "/openai/videos/\(job)/content"
        case .vertex: question(site, job)
        default: "/files/\(site.rawValue)/\(job)/*"
        }
    }
}
