import Queue
import Text

/// How many files came to which end in a span of time; differences of two are tallies, too.
package struct Tally: Codable, Hashable, Sendable {
    /// Files of which nothing was stored before.
    package var new = 0
    /// Files whose other content was stored before.
    package var changed = 0
    /// Files whose same content was stored once more.
    package var again = 0
    /// Files that storage held already, without a receipt, so that nothing was sent.
    package var found = 0
    /// Files that were moved on the server, because they were moved here.
    package var moved = 0
    /// Pictures stored, moved and found ones left out.
    package var thumbnails = 0
    /// Providers' files that got their receipt; they count as files, too.
    package var rescued = 0
    /// Files that could not be stored.
    package var failed = 0
    /// Bytes of the files stored; moved and found ones and pictures left out.
    package var bytes: Int64 = 0

    /// Nothing happened yet.
    package init() {}

    /// Files stored, moved and found ones left out.
    package var stored: Int { new + changed + again }

    /// Whether nothing happened.
    package var isEmpty: Bool { self == Tally() }

    /// What happened after `earlier`.
    package static func - (later: Tally, earlier: Tally) -> Tally {
        var tally = later
        tally.new -= earlier.new
        tally.changed -= earlier.changed
        tally.again -= earlier.again
        tally.found -= earlier.found
        tally.moved -= earlier.moved
        tally.thumbnails -= earlier.thumbnails
        tally.rescued -= earlier.rescued
        tally.failed -= earlier.failed
        tally.bytes -= earlier.bytes
        return tally
    }

    /// Counts one event.
    package mutating func note(_ event: FileEvent) {
        switch event.fate {
        case .stored(let standing, _): note(standing, event)
        case .failed: failed += event.role == .original ? 1 : 0
        case .held, .withdrawn: break
        }
    }

    private mutating func note(_ standing: FileEvent.Standing, _ event: FileEvent) {
        guard event.role == .original else {
            thumbnails += standing.isSent ? 1 : 0
            return
        }
        switch standing {
        case .new: new += 1
        case .changed: changed += 1
        case .again: again += 1
        case .found: found += 1
        case .moved: moved += 1
        }
        if standing.isSent { bytes += event.size }
    }
}

extension FileEvent.Standing {
    /// Whether the bytes were stored just then, by sending them or by a copy on the server.
    fileprivate var isSent: Bool { self != .moved && self != .found }
}

extension Tally {
    /// Such as `212 new, 3 changed, 1.2 GB in 41 s; 2 failed`; `nothing to do` for an empty one.
    package func words(in time: Duration) -> String {
        let kinds = [(new, "new"), (changed, "changed"), (again, "sent again")]
        return isEmpty ? "nothing to do" : words(kinds.compactMap { Self.part($0, $1) }, in: time)
    }

    /// Such as `Stored 215 files, 1.2 GB in 41 s; 2 failed`, as one line of a log.
    package func line(in time: Duration) -> String {
        let text = words(stored > 0 ? [Quantity.text(stored, "file")] : [], in: time)
        if stored + thumbnails + moved > 0 { return "Stored " + text }
        return rescued + found > 0 ? text.prefix(1).uppercased() + text.dropFirst() : "Stored nothing; " + text
    }

    private func words(_ files: [String], in time: Duration) -> String {
        var parts = files
        if thumbnails > 0 { parts.append(Quantity.text(thumbnails, "thumbnail")) }
        let others = [(found, "found in storage"), (moved, "moved"), (rescued, "rescued")]
        parts += others.compactMap { Self.part($0, $1) }
        if !parts.isEmpty {
            let span = Quantity.text(max(.seconds(1), time))
            if stored > 0 { parts.append(Quantity.text(bytes: bytes)) }
            parts[parts.count - 1] += " in \(span)"
        }
        let done = parts.joined(separator: ", ")
        return [done.isEmpty ? nil : done, Self.part(failed, "failed")].compactMap(\.self).joined(separator: "; ")
    }

    private static func part(_ count: Int, _ word: String) -> String? {
        count > 0 ? "\(Quantity.text(count: count)) \(word)" : nil
    }
}
