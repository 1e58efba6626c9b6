import ObjectStore
import Serving

extension Route {
    static let serviceRoutes = [
        Route("GET", "/status") { _, _ in Response(status: 200) },
        Route("HEAD", "/status") { _, _ in Response(status: 200) },
        Route("GET", "/version") { _, _ in
            Response(
                status: 200, headers: ["Content-Type": "text/plain; charset=utf-8"],
                body: .bytes(Array(Depot.version.utf8)))
        },
        Route("GET", "/health") { depot, call in
            _ = try depot.verifiedCaller(of: call)
            return .json(["healthy": true])
        },
    ]
}

extension Depot {
    /// The version of the reference server whose answers are imitated.
    static let version = "1.70.6"
}
