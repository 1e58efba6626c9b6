import Reporting
package import Serving

/// Answers the page's requests.
package struct PageRouter: Sendable {
    private let entrance: Entrance
    let host: any PageHost
    let contents: PageContents?
    let seen = SeenAssets()

    /// A router that asks `host` for what it does not know itself; without `contents` there is no timeline.
    package init(entrance: Entrance, host: any PageHost, contents: PageContents?) {
        self.entrance = entrance
        self.host = host
        self.contents = contents
    }

    /// The answer to any request, admitted or not; never throws.
    package func answer(_ request: Request) async -> Response {
        await entrance.answer(request) { try await admitted(request) }
    }

    private func admitted(_ request: Request) async throws -> Response {
        switch (request.method == "POST", request.path) {
        case (false, "/"): return try PageRoutes.file("index.html", for: request)
        case (false, "/api/1/status"): return .json(bytes: try await host.report(.details).json(isLine: true))
        case (false, "/api/1/events"): return EventFeed(contents: contents, host: host, seen: seen).response
        case (false, "/api/1/log"): return .json(LogDocument(host.log(after: 0)))
        case (false, "/api/1/actions"): return await ActionRoute(contents: contents, host: host).abilities()
        case (true, "/api/1/actions"): return try await ActionRoute(contents: contents, host: host).answer(request)
        case (false, _): return try await look(request)
        default: throw PageRefusal.noSuchPlace
        }
    }

    /// Answers what is asked of the timeline and its assets.
    private func look(_ request: Request) async throws -> Response {
        guard let contents else {
            throw PageRefusal.absent("There is no gallery yet.", next: "Run \"gallery-sync sync\".")
        }
        let folders = FolderRoutes(contents: contents)
        let (timeline, assets) = (TimelineRoutes(contents: contents), AssetRoutes(contents: contents, host: host))
        switch request.path {
        case "/api/1/timeline": return try await timeline.months(request)
        case "/api/1/timeline/ratios": return try await timeline.ratios(request)
        case "/api/1/timeline/assets": return try await timeline.columns(request) { seen.note($0) }
        case "/api/1/thumbnails": return try await assets.thumbnails(request)
        case "/api/1/facets": return try await timeline.facets(request)
        case "/api/1/folders": return try await folders.folders(request)
        case "/api/1/duplicates": return try await folders.duplicates(request)
        default: break
        }
        if let id = Self.asset.match(request.path)?.first { return try await assets.details(id) }
        if let id = Self.thumbnail.match(request.path)?.first { return try await assets.thumbnail(id, request) }
        if let id = Self.motion.match(request.path)?.first { return try await assets.motion(id, request) }
        if let id = Self.original.match(request.path)?.first { return try await assets.original(id, request) }
        throw PageRefusal.noSuchPlace
    }

    private static let asset = PathPattern("/api/1/assets/:")
    private static let thumbnail = PathPattern("/api/1/assets/:/thumbnail")
    private static let motion = PathPattern("/api/1/assets/:/motion")
    private static let original = PathPattern("/api/1/assets/:/original")
}
