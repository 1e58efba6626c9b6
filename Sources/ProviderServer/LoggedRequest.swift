package import FoundationEssentials
package import Serving

/// One request that the server has seen, with all its headers.
package struct LoggedRequest: Sendable {
    package let at: Date
    package let method: String
    /// Path and query as sent.
    package let target: String
    package let headers: Headers
    package let body: [UInt8]
    /// What it was answered; 0 when the connection was closed instead.
    package let status: Int

    /// The target without its query.
    package var path: Substring { target.prefix { $0 != "?" } }

    /// Whether `text` occurs anywhere in it.
    package func contains(_ text: String) -> Bool {
        let lines = headers.lines.map { "\($0.name): \($0.value)" }
        return ([target, String(decoding: body, as: UTF8.self)] + lines).contains { $0.contains(text) }
    }
}
