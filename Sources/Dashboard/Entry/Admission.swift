import Serving

/// Whether a request comes from a page that this server gave to its owner's browser.
enum Admission: Hashable, Sendable {
    case admitted
    case refused(PageRefusal)

    /// Decides by the request's header alone.
    ///
    /// `Host` must be ours, else a foreign name that resolves to loopback could read everything (DNS rebinding). A
    /// request for a change must come from our own page, in a form that other sites' pages cannot send unasked.
    init(_ request: Request, gate: Gate) {
        guard let port = gate.port, let host = request.headers["host"], Self.hosts(port: port).contains(host) else {
            self = .refused(.foreignHost)
            return
        }
        if let origin = request.headers["origin"], origin != "http://\(host)" {
            self = .refused(.foreignOrigin)
            return
        }
        if let site = request.headers["sec-fetch-site"], site != "same-origin", site != "none", !Self.isVisit(request) {
            self = .refused(.foreignOrigin)
            return
        }
        guard gate.admits(cookies: request.headers["cookie"] ?? "") else {
            self = .refused(.strange)
            return
        }
        self = ["GET", "HEAD"].contains(request.method) ? .admitted : Self.change(request)
    }

    /// The names by which a browser on this computer may call the server.
    static func hosts(port: UInt16) -> Set<String> { ["127.0.0.1:\(port)", "localhost:\(port)"] }

    /// Whether a link of another page, such as the set-up's, opens us in the whole window; that page learns nothing.
    private static func isVisit(_ request: Request) -> Bool {
        request.method == "GET" && request.path == "/" && request.headers["sec-fetch-mode"] == "navigate"
            && request.headers["sec-fetch-dest"] == "document"
    }

    private static func change(_ request: Request) -> Admission {
        guard request.method == "POST" else { return .refused(.noSuchPlace) }
        guard request.headers["origin"] != nil else { return .refused(.foreignOrigin) }
        let type = request.headers["content-type"]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        return type == "application/json" ? .admitted : .refused(.unreadable("The request is not JSON."))
    }
}
