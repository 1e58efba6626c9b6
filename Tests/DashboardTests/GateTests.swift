import FoundationEssentials
import Synchronization
import Testing

@testable import Dashboard

@Suite struct GateTests {
    @Test func aLinkLetsOneBrowserInOnce() throws {
        let gate = Gate.opened()
        let token = try gate.token()
        let cookie = try #require(gate.enter(with: token))
        #expect(gate.admits(cookies: cookie))
        #expect(gate.admits(cookies: "other=1; \(cookie); more=2"))
        #expect(gate.enter(with: token) == nil)
    }

    @Test func aLinkEndsWithItsTime() throws {
        let clock = Mutex(Date(timeIntervalSince1970: 1_000_000))
        let gate = Gate.opened { clock.withLock { $0 } }
        let (token, other) = (try gate.token(lifetime: 60), try gate.token(lifetime: 60))
        clock.withLock { $0 += 59 }
        #expect(gate.enter(with: token) != nil)
        clock.withLock { $0 += 1 }
        #expect(gate.enter(with: other) == nil)
    }

    @Test func noLinkIsMadeBeforeTheServerListens() {
        #expect(Gate().link() == nil)
        #expect(!Gate().admits(cookies: "gallery-sync-0="))
    }

    @Test(arguments: ["", "gallery-sync-4000=", "gallery-sync-4000=AAAA", "gallery-sync-4001=", "gallery-sync=x"])
    func aCookieThatNamesNoSessionIsRefused(_ cookies: String) throws {
        let gate = Gate.opened()
        _ = gate.enter(with: try gate.token())
        #expect(!gate.admits(cookies: cookies))
    }

    @Test func theOldestLinksAndSessionsEnd() throws {
        let gate = Gate.opened()
        let first = try gate.token()
        for _ in 0..<16 { _ = gate.link() }
        #expect(gate.enter(with: first) == nil)
        let cookie = try #require(gate.enter(with: try gate.token()))
        for _ in 0..<64 { _ = gate.enter(with: try gate.token()) }
        #expect(!gate.admits(cookies: cookie))
    }
}

extension Gate {
    /// A gate whose server listens on port 4000.
    static func opened(now: @escaping @Sendable () -> Date = { Date() }) -> Gate {
        let gate = Gate(now: now)
        gate.open(on: 4000)
        return gate
    }

    /// The token of a fresh link.
    func token(lifetime: TimeInterval? = nil) throws -> String {
        let link = try #require(self.link(lifetime: lifetime))
        return String(link.split(separator: "/").last ?? "")
    }

    /// The cookie of a browser that was let in.
    func cookie() throws -> String { try #require(enter(with: try token())) }
}
