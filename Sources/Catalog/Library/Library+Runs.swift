import Database
package import FoundationEssentials
package import Platform
import Queue
package import Records
import Text

extension Library {
    /// The key of the fact that the user has paused the queue.
    package static let pausedFact = "paused"
    private static let runFact = "run"
    /// Begins the value of the fact where the pause ends by itself; a time in RFC 3339 follows.
    private static let pauseEndMark = "until "
    /// Comes before the time at which that pause began; earlier versions did not write it down.
    private static let pauseStartMark = " since "

    /// Notes at `now` that the user has paused the queue, until `end` or until told otherwise.
    package func pause(until end: Date? = nil, at now: Date) throws {
        let term = end.map {
            Self.pauseEndMark + ISO8601.text($0) + Self.pauseStartMark + ISO8601.text(now)
        }
        try setFact(Self.pausedFact, to: term ?? "by the user")
    }

    /// When the user's pause ends by itself; `nil` where there is none, or it does not.
    package func pauseEnd() throws -> Date? { try pauseTerm()?.end }

    /// Restarts a pause at `now` if it began before the clock was set back, because its end may lie years ahead.
    package func redatePause(at now: Date) throws {
        guard let (start, end) = try pauseTerm(), let start, start > now + DatedWait.correction else { return }
        try pause(until: now + max(0, end.timeIntervalSince(start)), at: now)
    }

    /// From when to when the user's pause lasts; `nil` where there is none, or it does not end by itself.
    private func pauseTerm() throws -> (start: Date?, end: Date)? {
        guard let pause = try fact(Self.pausedFact), pause.hasPrefix(Self.pauseEndMark) else { return nil }
        let dates = pause.dropFirst(Self.pauseEndMark.count).split(separator: Self.pauseStartMark)
        guard let end = dates.first.flatMap({ ISO8601.date($0) }) else { return nil }
        return (dates.count > 1 ? ISO8601.date(dates[1]) : nil, end)
    }

    /// Whether the user's pause holds at `now`.
    package func isPaused(at now: Date) throws -> Bool {
        try fact(Self.pausedFact) != nil && (try pauseEnd().map { now < $0 } ?? true)
    }

    /// How the last pass or watch went; `nil` where none is remembered.
    package func lastRun() throws -> LastRun? {
        // A run that a later version wrote down in other words counts as none.
        try fact(Self.runFact).flatMap { try? QueueCoding.decoder.decode(LastRun.self, from: Data($0.utf8)) }
    }

    /// Remembers durably how a pass or watch goes, in place of the one before it; `nil` for none.
    package func remember(_ run: LastRun?) throws {
        let text = try run.map { String(decoding: try QueueCoding.encoder.encode($0), as: UTF8.self) }
        try setFact(Self.runFact, to: text)
    }

    /// Remembers durably when the directory at `path`, a root or a part of one, was last looked at completely.
    package func rememberScan(of path: FilePath, at now: Date) throws {
        try setFact(Self.scanFact(path), to: ISO8601.text(now))
    }

    /// When the directory at `path` was last looked at completely, by itself or as a part of one above it.
    package func lastScan(of path: FilePath) throws -> Date? {
        var (path, dates) = (path, [Date]())
        while !path.isEmpty {
            if let date = try fact(Self.scanFact(path)).flatMap({ ISO8601.date($0) }) { dates.append(date) }
            path = path == "/" ? "" : path.parent
        }
        return dates.max()
    }

    /// Forgets with the next commit when the directory at `path` was last looked at.
    func forgetScan(of path: FilePath) throws {
        try write("DELETE FROM facts WHERE name = ?", .text(Self.scanFact(path)))
    }

    private static func scanFact(_ path: FilePath) -> String { "scanned." + path.display }
}
