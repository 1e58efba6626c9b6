import FoundationEssentials
import Providers
import Serving

extension ProviderState {
    /// The path of each provider, with the function that answers its requests.
    private static let sites: [(name: ProviderName, answer: @Sendable (inout ProviderState, SiteRequest) -> Response)] =
        [
            (.fal, { $0.fal($1) }), (.rendio, { $0.rendio($1) }), (.storyToVideo, { $0.storyToVideo($1) }),
            (.gemini, { $0.gemini($1) }), (.openAI, { $0.openAI($1) }), (.runway, { $0.runway($1) }),
            (.luma, { $0.luma($1) }), (.replicate, { $0.replicate($1) }), (.xAI, { $0.xAI($1) }),
            (.seedance, { $0.seedance($1) }), (.wan, { $0.wan($1) }), (.vidu, { $0.vidu($1) }),
            (.miniMax, { $0.miniMax($1) }), (.together, { $0.together($1) }), (.lumaAgents, { $0.lumaAgents($1) }),
            (.kling, { $0.kling($1) }), (.vertex, { $0.vertex($1) }),
        ]

    /// The answer to any request, from its provider or with a file.
    mutating func answer(_ request: Request, body: [UInt8], now: Date, effect: Trouble.Effect? = nil) -> Response {
        if request.path.hasPrefix("/files/") {
            let call = SiteRequest(request, body: body, now: now, prefix: "/files")
            var count: Int?
            if case .shortened(let bytes) = effect { count = bytes }
            let response = file(call, shortenedTo: count)
            if case .replaced(_, let bytes) = effect { hosted.replace(String(request.path), by: bytes) }
            return response
        }
        for site in Self.sites where request.path.hasPrefix("/\(site.name.rawValue)/") {
            let prefix = Self.prefix(of: site.name, in: request.path)
            return site.answer(&self, SiteRequest(request, body: body, now: now, prefix: prefix))
        }
        return Response(status: 404)
    }

    /// What precedes the paths of the provider's table; includes the API's version if an SDK added it.
    private static func prefix(of site: ProviderName, in path: Substring) -> String {
        let version = site.api?.base?.split(separator: "/").last ?? ""
        let versioned = "/\(site.rawValue)/\(version)"
        return version.hasPrefix("v") && path.hasPrefix(versioned + "/") ? versioned : "/\(site.rawValue)"
    }

    /// Whether a header contains the key, after `scheme`.
    func shows(_ call: SiteRequest, _ header: String, scheme: String = "") -> Bool {
        call.header(header) == scheme + key
    }
}
