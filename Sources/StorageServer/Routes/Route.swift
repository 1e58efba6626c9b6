import ObjectStore
import Serving

/// One path of the protocol and the function that answers it.
struct Route: Sendable {
    typealias Answer = @Sendable (Depot, RoutedRequest) async throws -> Response

    let method: String
    let pattern: PathPattern
    /// Whether it never changes anything that is stored.
    let isReading: Bool
    let answer: Answer

    init(_ method: String, _ pattern: String, _ answer: @escaping Answer) {
        self.method = method
        self.pattern = PathPattern(pattern)
        // Lists and links of objects are asked for with POST, because these requests have a body.
        isReading =
            ["GET", "HEAD", "OPTIONS"].contains(method) || pattern.hasPrefix("/object/list")
            || pattern.hasPrefix("/object/sign/")
        self.answer = answer
    }

    /// The segments that `:` and `*` stand for, still encoded; `nil` when `path` does not match.
    func match(_ path: Substring) -> [Substring]? { pattern.match(path) }
}

extension Route {
    /// All routes; of several that match, the first is used.
    static let all: [Route] =
        serviceRoutes + bucketRoutes + moveRoutes + signRoutes + listRoutes + infoRoutes
        + downloadRoutes + deleteRoutes + uploadRoutes + resumableRoutes + authRoutes

    /// Families whose unknown paths are answered in the protocol's form.
    private static let families: Set<Substring> = ["object", "bucket", "render"]

    /// The answer to a path without a route; outside the families it is the web framework's.
    static func unknown(_ method: String, _ target: String) -> Response {
        let path = target.prefix { $0 != "?" }
        if let family = path.split(separator: "/").first, families.contains(family) {
            return ProtocolRefusal.noRoute(method, target).response(headers: Response.bareJSON)
        }
        return .json(
            status: 404,
            [
                "message": .text("Route \(method):\(target) not found"), "error": "Not Found", "statusCode": 404,
            ])
    }
}
