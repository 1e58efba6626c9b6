import Fixtures
import Foundation
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

    @Test mutating func silenceOpensAtOnceAndAnyAnswerEndsIt() {
        _ = note(.silent, .silent)
        #expect(circuit.reason == .offline)
        #expect(circuit.since == Self.now)
        #expect(circuit.probeAt == Self.now + 1, "requests that were under way add nothing")
        #expect(note(.fine) == [.offline])
        #expect(!circuit.isOpen)
    }

    @Test mutating func silenceKeepsItsFirstMoment() {
        _ = note(.silent)
        circuit.probe()
        _ = note(.silent, at: Self.now + 10)
        #expect(circuit.since == Self.now)
        #expect(circuit.probeAt == Self.now + 12)
    }

    @Test mutating func aLateAnswerDoesNotCloseWhatAnOverloadOpened() {
        for _ in 0..<Circuit.threshold { _ = note(.busy(after: nil)) }
        #expect(note(.fine) == [])
        #expect(circuit.reason == .overloaded)
    }

    @Test(
        arguments: [
            (Circuit.Reason.quota, 3_600.0), (.projectPaused, 3_600), (.bucketMissing, 3_600), (.signIn, nil),
            (.untrusted, 60),
        ] as [(Circuit.Reason, Double?)])
    mutating func aClosedDestinationIsAskedOnceInAWhileAndAMissingSignInNever(reason: Circuit.Reason, wait: Double?) {
        _ = note(.closed(reason))
        if circuit.isDoubtful {
            circuit.probe()
            _ = note(.closed(reason))
        }
        #expect(circuit.reason == reason)
        #expect(circuit.probeAt == wait.map { Self.now + $0 })
        #expect(circuit.mayProbe(at: Self.now + 3_600) == (wait != nil))
        #expect(note(.fine) == [], "an answer to an older request")
        #expect(circuit.reset() == reason)
        #expect(!circuit.isOpen)
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

    @Test mutating func aSecondLookThatHearsSomethingElseMeansItToo() {
        _ = note(.closed(.signIn))
        circuit.probe()
        _ = note(.closed(.projectPaused))
        #expect(circuit.reason == .projectPaused && !circuit.isDoubtful)
    }

    @Test mutating func aProbeThatNeverGotThereMayBeMadeAgain() {
        _ = note(.silent)
        circuit.probe()
        _ = note(.none)
        #expect(circuit.mayProbe(at: Self.now + 1))
    }

    @Test mutating func aProbeThatFindsTheHostBusyInsteadOfSilentSaysSo() {
        _ = note(.silent)
        circuit.probe()
        #expect(note(.busy(after: nil), at: Self.now + 1) == [.offline])
        #expect(circuit.reason == .overloaded)
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
