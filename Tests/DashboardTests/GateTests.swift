import FoundationEssentials
import Serving
import Synchronization
import TestSupport
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

    /// A link of a minute must not work for years because the clock was set back; a small correction ends none.
    @Test(arguments: [
        Fact("at once", 0, true), Fact("just before its end", 59, true), Fact("at its end", 60, false),
        Fact("the clock was corrected by a minute", -60, true), Fact("it was set back by more", -61, false),
        Fact("it was set back by years", -100_000_000, false),
    ])
    func aLinkEndsThoughTheClockWasSetBack(_ fact: Fact<Double, Bool>) throws {
        let clock = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        let gate = Gate.opened { clock.withLock { $0 } }
        let (token, lasting) = (try gate.token(lifetime: 60), try gate.token())
        clock.withLock { $0 += fact.input }
        #expect((gate.enter(with: token) != nil) == fact.output)
        #expect(gate.enter(with: lasting) != nil, "it works for as long as the program runs")
    }

    /// Looked at once while the clock was wrong, it stays ended when the clock is right again.
    @Test func aLinkThatHasEndedStaysEnded() throws {
        let clock = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        let gate = Gate.opened { clock.withLock { $0 } }
        let token = try gate.token(lifetime: 60)
        for (shift, isRight) in [(-1_000.0, false), (1_000, true)] {
            clock.withLock { $0 += shift }
            #expect(gate.enter(with: token) == nil, "the clock is right: \(isRight)")
        }
    }

    /// Cookies do not tell ports apart: another server of this computer may have set one of that name for a longer path,
    /// which a browser sends first.
    @Test(arguments: ["gallery-sync-4000=", "gallery-sync-4000=AAAA", "gallery-sync-4000=%", "gallery-sync-4000"])
    func aStrangeCookieOfTheSameNameShutsNobodyOut(_ strange: String) throws {
        let gate = Gate.opened()
        let cookie = try gate.cookie()
        #expect(gate.admits(cookies: "\(strange); \(cookie)"))
        #expect(gate.admits(cookies: "\(cookie); \(strange)"))
        #expect(!gate.admits(cookies: "\(strange); \(strange)"))
    }

    /// No part of a secret lets anyone in, and none that differs by a bit.
    @Test func aTokenThatIsNearlyRightIsWrong() throws {
        let gate = Gate(secret: { (0..<32).map { UInt8($0) } })
        gate.open(on: 4000)
        let token = try gate.token()
        let secret = try #require(Base64URL.decode(token))
        var others = (0..<256).map { bit in
            var other = secret
            other[bit / 8] ^= 1 << (bit % 8)
            return other
        }
        others += [
            [], Array(secret.dropLast()), Array(secret.dropFirst()), secret + [0], [0] + secret, secret + secret,
        ]
        for other in others { #expect(gate.enter(with: Base64URL.encode(other)) == nil, "\(other)") }
        for text in ["", " ", token + " ", "\(token)\(token)", "é"] {
            #expect(gate.enter(with: text) == nil, "\(text)")
        }
        #expect(gate.enter(with: token) != nil, "all of that has not used it up")
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
