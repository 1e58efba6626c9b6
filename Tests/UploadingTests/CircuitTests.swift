import Fixtures
import Foundation
import TestSupport
import Testing

@testable import Queue
@testable import Uploading

@Suite struct CircuitTests {
    static let now = Items.now
    private var circuit = Circuit(unit: .seconds(2))

    /// Notes `signs` one second apart; returns the reasons that ended.
    private mutating func note(_ signs: Circuit.Sign..., at start: Date = now) -> [Circuit.Reason] {
        signs.enumerated().compactMap { circuit.note($1, at: start + Double($0), random: 0.5) }
    }

    @Test mutating func aBurstOfFailuresDoesNotOpenItAndOneMoreDoes() {
        for _ in 1..<Circuit.threshold { _ = note(.busy(after: nil)) }
        #expect(!circuit.isOpen)
        _ = note(.fine)
        for _ in 1..<Circuit.threshold { _ = note(.busy(after: nil)) }
        #expect(!circuit.isOpen, "an answer in between counts from the beginning")
        _ = note(.busy(after: nil))
        #expect(circuit.reason == .overloaded)
        #expect(circuit.probeAt == Self.now + 2)
    }

    @Test mutating func oneProbeAtATimeAndEachFailureDoublesTheWait() {
        for _ in 0..<Circuit.threshold { _ = note(.busy(after: nil)) }
        #expect(!circuit.mayProbe(at: Self.now + 1.9))
        var (at, waits) = (Self.now, [Double]())
        for _ in 0..<7 {
            at = circuit.probeAt ?? .distantFuture
            #expect(circuit.mayProbe(at: at))
            circuit.probe()
            #expect(!circuit.mayProbe(at: at), "one is under way")
            _ = note(.busy(after: nil), at: at)
            waits.append(circuit.probeAt?.timeIntervalSince(at) ?? 0)
        }
        #expect(waits == [4, 8, 16, 32, 60, 60, 60])
        circuit.probe()
        #expect(note(.fine, at: at) == [.overloaded])
        #expect(!circuit.isOpen)
    }

    @Test mutating func theServersWordOnWhenToComeAgainIsKeptTo() {
        for _ in 1..<Circuit.threshold { _ = note(.busy(after: nil)) }
        _ = note(.busy(after: .seconds(120)))
        #expect(circuit.probeAt == Self.now + 120)
        circuit.probe()
        _ = note(.busy(after: .seconds(1_000_000)))
        #expect(circuit.probeAt == Self.now + Circuit.hour)
    }

    enum Event: Sendable {
        case heard(Circuit.Sign, at: Double)
        case probed
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let events: [Event]
        /// What ended on the way.
        var ended: [Circuit.Reason] = []
        /// Why it is open then, since when, and when a probe may be sent; `nil` where it is closed.
        var state: State?

        struct State: Equatable, Sendable {
            let reason: Circuit.Reason
            let since: Double
            let probeAt: Double
            var isDoubtful = false
        }
    }

    private static let overload = [Event](repeating: .heard(.busy(after: nil), at: 0), count: Circuit.threshold)

    @Test(arguments: [
        Row(
            testDescription: "silence opens at once, and what was under way adds nothing",
            events: [.heard(.silent, at: 0), .heard(.silent, at: 1)],
            state: Row.State(reason: .offline, since: 0, probeAt: 1)),
        Row(
            testDescription: "any answer ends it", events: [.heard(.silent, at: 0), .heard(.fine, at: 1)],
            ended: [.offline]),
        Row(
            testDescription: "silence keeps its first moment",
            events: [.heard(.silent, at: 0), .probed, .heard(.silent, at: 10)],
            state: Row.State(reason: .offline, since: 0, probeAt: 12)),
        Row(
            testDescription: "a probe that never got there may be made again",
            events: [.heard(.silent, at: 0), .probed, .heard(.none, at: 0)],
            state: Row.State(reason: .offline, since: 0, probeAt: 1)),
        Row(
            testDescription: "a probe that finds the host busy instead of silent says so",
            events: [.heard(.silent, at: 0), .probed, .heard(.busy(after: nil), at: 1)], ended: [.offline],
            state: Row.State(reason: .overloaded, since: 1, probeAt: 5)),
        Row(
            testDescription: "a late answer does not close what an overload opened",
            events: overload + [.heard(.fine, at: 1)],
            state: Row.State(reason: .overloaded, since: 0, probeAt: 2)),
        Row(
            testDescription: "the answer to a probe does", events: overload + [.probed, .heard(.fine, at: 2)],
            ended: [.overloaded]),
        Row(
            testDescription: "a second look that hears something else means it, too",
            events: [.heard(.closed(.signIn), at: 0), .probed, .heard(.closed(.projectPaused), at: 0)],
            state: Row.State(reason: .projectPaused, since: 0, probeAt: 3_600)),
    ])
    mutating func whatIsHeard(_ row: Row) {
        var ended: [Circuit.Reason] = []
        for event in row.events {
            switch event {
            case .heard(let sign, let second): ended += note(sign, at: Self.now + second)
            case .probed: circuit.probe()
            }
        }
        #expect(ended == row.ended)
        let state = circuit.reason.map {
            Row.State(
                reason: $0, since: circuit.since?.timeIntervalSince(Self.now) ?? -1,
                probeAt: circuit.probeAt?.timeIntervalSince(Self.now) ?? -1, isDoubtful: circuit.isDoubtful)
        }
        #expect(state == row.state && circuit.isOpen == (row.state != nil))
        if let state {
            #expect(circuit.mayProbe(at: Self.now + state.probeAt))
            #expect(!circuit.mayProbe(at: Self.now + state.probeAt - 0.001))
        }
    }

    @Test(
        arguments: [
            (Circuit.Reason.quota, 3_600.0), (.projectPaused, 3_600), (.bucketMissing, 3_600), (.signIn, 3_600),
            (.untrusted, 60),
        ] as [(Circuit.Reason, Double)])
    mutating func aClosedDestinationIsAskedOnceInAWhile(reason: Circuit.Reason, wait: Double) {
        _ = note(.closed(reason))
        if circuit.isDoubtful {
            circuit.probe()
            _ = note(.closed(reason))
        }
        #expect(circuit.reason == reason)
        #expect(circuit.probeAt == Self.now + wait)
        #expect(circuit.mayProbe(at: Self.now + wait) && !circuit.mayProbe(at: Self.now + wait - 0.001))
        #expect(note(.fine) == [], "an answer to an older request")
        #expect(circuit.reset() == reason)
        #expect(!circuit.isOpen)
    }

    /// A clock that began in other years was set right: no wait is longer than an hour, whatever it was counted from.
    @Test(
        arguments: [
            Fact("years ahead", 1e8, 0), Fact("two hours ahead", 7_200, 0),
            Fact("a minute and more beyond an hour", 61, 0),
            Fact("a minute ahead", 60, 3_660), Fact("right", 0, 3_600), Fact("years behind", -1e8, 0),
        ] as [Fact<Double, Double>])
    mutating func aWaitOfAnotherClockIsNone(_ fact: Fact<Double, Double>) {
        _ = note(.closed(.quota), at: Self.now + fact.input)
        let next = circuit.nextProbe(at: Self.now)
        #expect(next.map { max(0, $0.timeIntervalSince(Self.now)) } == fact.output)
        #expect(circuit.mayProbe(at: Self.now) == (fact.output == 0))
        circuit.probe()
        #expect(!circuit.mayProbe(at: Self.now), "one is under way")
        _ = note(.closed(.quota))
        #expect(circuit.nextProbe(at: Self.now) == Self.now + 3_600)
    }

    @Test(arguments: [Circuit.Reason.signIn, .projectPaused])
    mutating func aSecondLookDecidesWhetherOneAnswerWasASlip(reason: Circuit.Reason) {
        _ = note(.closed(reason), .closed(reason), .fine)
        #expect(circuit.isDoubtful, "what was under way knows no more")
        #expect(circuit.mayProbe(at: Self.now + 3))
        circuit.probe()
        #expect(note(.fine) == [reason])
        #expect(!circuit.isOpen)

        _ = note(.closed(reason))
        circuit.probe()
        _ = note(.closed(reason), at: Self.now + 1)
        #expect(circuit.isOpen && !circuit.isDoubtful)
        #expect(!circuit.mayProbe(at: Self.now + 2))
    }

    @Test mutating func whatAnEarlierRunFoundClosedIsTriedByOneOnceItMay() {
        circuit.suspect(.quota, at: Self.now, mayProbe: false)
        #expect(circuit.isDoubtful && !circuit.mayProbe(at: Self.now))
        circuit.suspect(.quota, at: Self.now, mayProbe: true)
        #expect(circuit.mayProbe(at: Self.now))
        circuit.probe()
        _ = note(.closed(.quota))
        #expect(!circuit.isDoubtful)
        circuit.suspect(.quota, at: Self.now, mayProbe: true)
        #expect(circuit.probeAt == Self.now + Circuit.hour, "it was just seen")
    }

    @Test mutating func aFileThatDoesNotFitEndsTheSuspicionOfAClosedDestination() {
        circuit.suspect(.quota, at: Self.now, mayProbe: true)
        circuit.probe()
        #expect(note(.cramped) == [.quota])
        #expect(circuit.reason == nil)
    }

    @Test func aFullDiskClosesOnlyOnceNothingFits() {
        var circuit = Circuit()
        func note(_ sign: Circuit.Sign) { _ = circuit.note(sign, at: Items.now, random: 0.5) }
        for _ in 1..<Circuit.threshold { note(.cramped) }
        #expect(circuit.reason == nil)
        note(.fine)
        for _ in 1..<Circuit.threshold { note(.cramped) }
        #expect(circuit.reason == nil)
        note(.cramped)
        #expect(circuit.reason == .quota)
        circuit.probe()
        note(.cramped)
        #expect(circuit.reason == .quota)
        circuit.probe()
        note(.fine)
        #expect(circuit.reason == nil)
    }

    private static func failure(_ code: FailureCode) -> Item.Failure {
        Item.Failure(code: code, message: "", retryable: true)
    }

    @Test(
        arguments: [
            ("503 is load", .retry(failure("http.503"), after: nil), .busy(after: nil)),
            ("502 is the other side's", .retry(failure("http.502"), after: .seconds(3)), .busy(after: .seconds(3))),
            ("too many connections", .retry(failure("storage.SlowDown"), after: nil), .busy(after: nil)),
            ("a break", .retry(failure("network.lost"), after: nil), .busy(after: nil)),
            ("a lock says nothing of the host", .retry(failure("storage.ResourceLocked"), after: nil), .fine),
            ("the host is down", .unreachable(failure("network.unreachable")), .silent),
            ("540", .unreachable(failure("http.540")), .closed(.projectPaused)),
            ("402", .blocked(.budget, failure("http.402")), .closed(.quota)),
            ("507", .blocked(.budget, failure("http.507")), .cramped),
            ("no bucket", .blocked(.bucket, failure("storage.NoSuchBucket")), .closed(.bucketMissing)),
            ("our own budget", .blocked(.budget, failure("limit.budget")), .none),
            ("a refused token", .blocked(.signIn, failure("auth.refused")), .closed(.signIn)),
            ("a policy against one object", .blocked(.signIn, failure("storage.AccessDenied")), .fine),
            ("a refusal is an answer", .refused(failure("storage.InvalidKey")), .fine),
            ("the file could not be read", .refused(failure("file.EACCES")), .none), ("cancelled", .interrupted, .none),
        ] as [(String, UploadOutcome, Circuit.Sign)])
    func whatAnOutcomeTells(why: String, outcome: UploadOutcome, sign: Circuit.Sign) {
        #expect(Circuit.Sign(outcome) == sign, "\(why)")
    }
}
