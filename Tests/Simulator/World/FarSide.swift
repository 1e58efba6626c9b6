import Serving
import Transfer

/// The server at the other end of a line.
protocol FarSide: Sendable {
    var isUp: Bool { get }
    /// Its answer; `nil` if it is down, or went down meanwhile.
    func answer(_ request: Request) async -> Response?
}
