import Foundation
import Rescue
import Sync
import Synchronization
import Testing
import Text

@Suite struct ProgressTests {
    @Test(
        arguments: [
            ("half at one per second", Int64(50), Int64(100), 1.0, Duration.seconds(50)),
            ("rounded up", 0, 10, 3, .seconds(4)),
            ("nothing left", 100, 100, 1, nil),
            ("more done than was known", 110, 100, 1, nil),
            ("nothing moves", 0, 100, 0, nil),
            ("less than a byte a second", 0, 100, 0.5, nil),
            ("a day less than a month", 0, 29 * 86_400, 1, .seconds(29 * 86_400)),
            ("a month", 0, 30 * 86_400, 1, nil),
            ("a broken rate", 0, 100, .nan, nil),
        ] as [(String, Int64, Int64, Double, Duration?)])
    func timeLeft(_ row: (why: String, done: Int64, total: Int64, rate: Double, left: Duration?)) {
        let progress = Progress(bytesDone: row.done, bytesTotal: row.total, rate: row.rate)
        #expect(progress.timeLeft == row.left, "\(row.why)")
    }

    @Test func aProgressSurvivesEncoding() throws {
        let progress = Progress(
            counts: [.init(.scan, done: 3), .init(.upload, done: 1, of: 3, failed: 1)], bytesDone: 5, bytesTotal: 9,
            rate: 2.5, current: [.init(path: "a/写真.jpg", step: .upload, done: 2, size: 4)], retriesWaiting: 1,
            nextAttempt: Date(timeIntervalSince1970: 5), note: "offline")
        let copy = try JSONDecoder().decode(Progress.self, from: JSONEncoder().encode(progress))
        #expect(copy == progress)
    }
}

@Suite struct RateMeterTests {
    /// The rate after notes of (second, total).
    static func rate(_ notes: [(Double, Int64)]) -> Double {
        var meter = RateMeter(window: .seconds(8))
        for (second, total) in notes { meter.note(total, at: Date(timeIntervalSince1970: second)) }
        return meter.rate
    }

    @Test(
        arguments: [
            ("nothing noted", [], 0),
            ("one moment is no rate", [(0, 100)], 0),
            ("two moments", [(0, 0), (2, 100)], 50),
            ("the same moment twice", [(1, 0), (1, 100)], 0),
            ("old moments are forgotten", [(0, 0), (1, 1000), (20, 1000), (24, 1040), (28, 1080)], 10),
            ("standing still", [(0, 100), (4, 100), (8, 100)], 0),
            ("a number that falls starts anew", [(0, 100), (1, 0), (2, 7)], 7),
            ("a clock that goes back starts anew", [(10, 0), (5, 10), (6, 13)], 3),
        ] as [(String, [(Double, Int64)], Double)])
    func rate(_ row: (why: String, notes: [(Double, Int64)], rate: Double)) {
        #expect(Self.rate(row.notes) == row.rate, "\(row.why)")
    }

    @Test(
        arguments: [
            ("nothing noted", [], false), ("the first moment", [(0, 0)], false),
            ("the first seconds", [(0, 0), (2.9, 900)], false), ("three seconds", [(0, 0), (3, 900)], true),
            ("nothing moves", [(0, 100), (9, 100)], false),
            ("nothing moves any more", [(0, 0), (1, 100), (20, 100), (29, 100)], false),
            ("it began anew", [(0, 100), (5, 0), (6, 10)], false),
        ] as [(String, [(Double, Int64)], Bool)])
    func isTelling(_ row: (why: String, notes: [(Double, Int64)], isTelling: Bool)) {
        var meter = RateMeter(window: .seconds(8))
        for (second, total) in row.notes { meter.note(total, at: Date(timeIntervalSince1970: second)) }
        #expect(meter.isTelling == row.isTelling, "\(row.why)")
    }
}

@Suite struct LogTests {
    /// The levels that a log of this level passes on, of one message on every level.
    static func heard(at level: LogLevel) -> [LogLevel] {
        let lines = Mutex<[Log.Line]>([])
        let log = Log(level: level) { line in lines.withLock { $0.append(line) } }
        log.error("e")
        log.warning("w")
        log.info("i")
        log.debug("d")
        log.trace("t")
        return lines.withLock { $0.map(\.level) }
    }

    @Test(arguments: LogLevel.allCases)
    func aLevelIncludesThoseBeforeIt(_ level: LogLevel) {
        #expect(Self.heard(at: level) == LogLevel.allCases.filter { $0 <= level })
    }

    @Test func detailsKeepTheirOrder() {
        let lines = Mutex<[Log.Line]>([])
        Log(level: .info) { line in lines.withLock { $0.append(line) } }
            .info("stored", ["path": "a.jpg", "bytes": "12", "attempt": "1"])
        #expect(lines.withLock { $0.first?.details.map(\.name) } == ["path", "bytes", "attempt"])
    }

    @Test func whatIsNotSaidIsNotPutTogether() {
        let log = Log(level: .error) { _ in }
        log.debug(
            {
                Issue.record("put together"); return ""
            }())
    }
}
