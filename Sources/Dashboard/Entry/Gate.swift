package import FoundationEssentials
import Platform
import Serving
import Synchronization
import Text

/// Lets browsers in: one-time links become sessions, and a session is a cookie.
///
/// Everything is kept in memory only, so the end of the program ends every session.
package final class Gate: Sendable {
    private struct State {
        var port: UInt16?
        var links: [Link] = []
        /// The secrets of the sessions, the newest last.
        var sessions: [[UInt8]] = []
    }

    private struct Link {
        let secret: [UInt8]
        /// How long the link works; `nil` for as long as the program runs.
        let wait: DatedWait?
    }

    /// Links and sessions beyond these numbers end the oldest ones.
    private static let linkLimit = 16
    private static let sessionLimit = 64
    /// Seconds for which a link works that a browser is opened with: the browser may have to start first.
    package static let linkLifetime: TimeInterval = 300

    private let state = Mutex(State())
    private let secret: @Sendable () -> [UInt8]
    private let now: @Sendable () -> Date

    /// A gate without links; `secret` returns 32 bytes that cannot be guessed.
    package init(
        secret: @escaping @Sendable () -> [UInt8] = { Randomness.bytes(32) },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.secret = secret
        self.now = now
    }

    /// The loopback port that links name; `nil` until the server listens.
    var port: UInt16? { state.withLock { $0.port } }

    /// From now on, links name this port.
    package func open(on port: UInt16) {
        state.withLock { $0.port = port }
    }

    /// A link that lets one browser in, once; `nil` until the server listens.
    ///
    /// - Parameter lifetime: Seconds until it stops working; `nil` for as long as the program runs.
    package func link(lifetime: TimeInterval? = nil) -> String? {
        let fresh = secret()
        let wait = lifetime.map { DatedWait(from: now(), seconds: $0) }
        return state.withLock { state in
            guard let port = state.port else { return nil }
            state.links.append(Link(secret: fresh, wait: wait))
            state.links.removeFirst(max(0, state.links.count - Self.linkLimit))
            return "http://127.0.0.1:\(port)/enter/\(Base64URL.encode(fresh))"
        }
    }

    /// The cookie of a new session for the token of an unused link; `nil` for any other token.
    func enter(with token: some StringProtocol) -> String? {
        guard let offered = Base64URL.decode(token) else { return nil }
        let fresh = secret()
        let moment = now()
        return state.withLock { state in
            state.links.removeAll { link in link.wait?.isOver(at: moment) ?? false }
            guard let index = Self.index(of: offered, in: state.links.map(\.secret)), let port = state.port else {
                return nil
            }
            state.links.remove(at: index)
            state.sessions.append(fresh)
            state.sessions.removeFirst(max(0, state.sessions.count - Self.sessionLimit))
            return "\(Self.cookieName(port: port))=\(Base64URL.encode(fresh))"
        }
    }

    /// Whether the value of a `Cookie` header names a session.
    func admits(cookies: String) -> Bool {
        state.withLock { state in
            guard let port = state.port else { return false }
            let name = Self.cookieName(port: port)
            // Another server on this computer may have set a cookie of the same name, which may come first.
            return cookies.split(separator: ";").map { $0.drop { $0 == " " } }.contains { cookie in
                guard cookie.hasPrefix(name + "="), let secret = Base64URL.decode(cookie.dropFirst(name.count + 1))
                else { return false }
                return Self.index(of: secret, in: state.sessions) != nil
            }
        }
    }

    /// Browsers send cookies to every port, so the name contains the port: two profiles may be open in one browser.
    private static func cookieName(port: UInt16) -> String { "gallery-sync-\(port)" }

    /// The index of `offered` in `secrets`; takes the same time whichever matches, and however much of it matches.
    private static func index(of offered: [UInt8], in secrets: [[UInt8]]) -> Int? {
        var found: Int?
        for (index, secret) in secrets.enumerated() where secret.count == offered.count {
            let difference = zip(secret, offered).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) }
            if difference == 0 { found = index }
        }
        return found
    }
}
