import FoundationEssentials
import Providers
import TestSupport
import Testing

@Suite struct LedgerTests {
    private let now = Date(timeIntervalSince1970: 0)
    private let key = IdempotencyKey(rawValue: "a")
    private let other = IdempotencyKey(rawValue: "b")

    private func reserved(_ amount: Int64 = 40, limit: Int64 = 100) throws -> Ledger {
        var ledger = Ledger()
        _ = try ledger.reserve(amount, for: key, at: .fal, limit: limit, now: now)
        return ledger
    }

    @Test func eachChangeGivesOneLine() throws {
        var ledger = Ledger()
        let reserve = try ledger.reserve(40, for: key, at: .fal, limit: 100, now: now)
        #expect(reserve?.facts == "a reserved 40, bound 40")
        #expect(try ledger.reserve(40, for: key, at: .fal, limit: 100, now: now) == nil)
        let commit = try ledger.commit(key, actual: 35, now: now)
        #expect(commit?.facts == "a committed 35, bound 35")
        #expect(try ledger.commit(key, actual: 99, now: now) == nil)
        #expect(ledger.bound == 35)
    }

    @Test func whatIsReleasedIsFreeAgain() throws {
        var ledger = try reserved(100)
        #expect(throws: Ledger.Refusal.overLimit(amount: 1, bound: 100, limit: 100)) {
            try ledger.reserve(1, for: other, at: .fal, limit: 100, now: now)
        }
        #expect(try ledger.release(key, now: now)?.bound == 0)
        #expect(try ledger.release(key, now: now) == nil)
        #expect(try ledger.reserve(100, for: other, at: .fal, limit: 100, now: now)?.bound == 100)
        #expect(ledger[key]?.stage == .released)
    }

    @Test(
        arguments: [(100, 100, true), (101, 100, false), (0, 0, true), (1, 0, false), (1, -5, false)]
            as [(Int64, Int64, Bool)])
    func theLimitIsKeptToTheLastMillionth(amount: Int64, limit: Int64, fits: Bool) {
        let result = Result { try reserved(amount, limit: limit) }
        #expect(((try? result.get()) != nil) == fits)
    }

    @Test(arguments: [-1, .min, .max, 1_000_000_000_001] as [Int64])
    func impossibleAmountsChangeNothing(amount: Int64) throws {
        #expect(throws: Ledger.Refusal.impossible(amount)) { try reserved(amount, limit: .max) }
        var ledger = try reserved()
        #expect(throws: Ledger.Refusal.impossible(amount)) { try ledger.commit(key, actual: amount, now: now) }
        #expect(ledger[key]?.stage == .reserved)
    }

    @Test func whatIsSettledStays() throws {
        var ledger = try reserved()
        #expect(throws: Ledger.Refusal.notReserved) { try ledger.commit(other, now: now) }
        _ = try ledger.commit(key, now: now)
        #expect(throws: Ledger.Refusal.settled(.committed)) { try ledger.release(key, now: now) }
        #expect(throws: Ledger.Refusal.settled(.committed)) {
            try ledger.reserve(1, for: key, at: .fal, limit: 100, now: now)
        }
        #expect(ledger.sum(of: .committed) == 40)
    }

    @Test func anyOrderOfChangesAddsUp() {
        var random = SeededGenerator(seed: 5)
        var ledger = Ledger()
        var lines: [Ledger.Line] = []
        for _ in 0..<500 {
            let key = IdempotencyKey(rawValue: "\(UInt8.random(in: 0..<20, using: &random))")
            let line: Ledger.Line?? =
                switch UInt8.random(in: 0..<3, using: &random) {
                case 0: try? ledger.reserve(10, for: key, at: .fal, limit: 150, now: now)
                case 1: try? ledger.commit(key, now: now)
                default: try? ledger.release(key, now: now)
                }
            if let line = line ?? nil { lines.append(line) }
            #expect(ledger.bound <= 150)
        }
        let last = Dictionary(lines.map { ($0.key, $0) }) { _, last in last }
        #expect(lines.last?.bound == ledger.bound)
        #expect(last.values.filter { $0.stage != .released }.reduce(0) { $0 + $1.amount } == ledger.bound)
        #expect(lines.count > 20)
    }

    @Test func aStoredLedgerComesBack() throws {
        var ledger = try reserved()
        _ = try ledger.reserve(5, for: other, at: .rendio, limit: 100, now: now)
        _ = try ledger.commit(other, now: now)
        let stored = try JSONEncoder().encode(ledger)
        #expect(try JSONDecoder().decode(Ledger.self, from: stored) == ledger)
    }

    @Test func aRefusalNamesTheSettingToChange() {
        let refusal = Ledger.Refusal.overLimit(amount: 1_500_000, bound: 9_000_000, limit: 10_000_000)
        #expect(
            "\(refusal)"
                == "It may cost 1.50, and 9.00 of the limit of 10.00 are bound already; raise maxSpend to go on.")
        #expect("\(Ledger.Refusal.impossible(-50_000))" == "-0.05 is no cost.")
    }
}

extension Ledger.Line {
    fileprivate var facts: String { "\(key.rawValue) \(stage.rawValue) \(amount), bound \(bound)" }
}
