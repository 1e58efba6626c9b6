import FoundationEssentials
package import Serving

/// One request that the server received, with all its headers and its body.
package struct LoggedRequest: Sendable {
    /// When the whole body had arrived, by the server's clock.
    let at: Date
    /// The verb as sent, such as `GET`.
    package let method: String
    /// Path and query exactly as sent.
    let target: String
    /// All header lines, credentials included.
    package let headers: Headers
    /// The whole body; empty if there was none.
    package let body: [UInt8]
    /// The status of the answer; 0 if the connection was closed instead.
    package let status: Int

    /// The target without its query.
    package var path: Substring { target.prefix { $0 != "?" } }

    /// Whether `text` occurs in the target, in a header or in the body.
    package func contains(_ text: String) -> Bool {
        let lines = headers.lines.map { "\($0.name): \($0.value)" }
        return ([target, String(decoding: body, as: UTF8.self)] + lines).contains { $0.contains(text) }
    }
}
