import CSimulation

/// A call for a file that a simulated program is about to make.
package struct FileCall: Hashable, Sendable {
    /// What the call does; the values are those of `CSimulation`.
    package enum Kind: Int32, Hashable, Sendable {
        case open = 1
        case list, look, read, write, synchronize, rename
    }

    /// Whose file the call is for; the values are those of `CSimulation`.
    package enum Domain: Int32, Hashable, Sendable {
        case gallery = 1
        case state, storage
        /// The kernel's queues of events about watched directories: a call that fails loses those that wait.
        case events
    }

    /// What it does.
    package let kind: Kind
    /// Whose file it is for.
    package let domain: Domain
}

extension Simulation {
    /// Reports calls for files below `folder` to `beforeFileCall`; the string is never freed.
    package static func watch(_ folder: String) {
        let bytes = UnsafeMutablePointer<CChar>.allocate(capacity: folder.utf8.count + 1)
        for (index, byte) in (Array(folder.utf8) + [0]).enumerated() { bytes[index] = CChar(bitPattern: byte) }
        csimulation_watch(bytes)
    }

    /// Runs `body`, whose calls for files belong to the simulated world and are not reported.
    package static func outside<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        csimulation_step_outside(1)
        defer { csimulation_step_outside(-1) }
        return try body()
    }

    /// Makes all files look as if they were created at this time, like files restored from a backup.
    package static func setBirth(_ seconds: Int) { csimulation_set_birth(Int64(seconds)) }

    /// Lets programs watch directories from now on, or no more than they do already, as if the kernel's limit were reached.
    package static func setInotify(_ isThere: Bool) { csimulation_set_inotify(isThere) }

    /// Whether other programs of this user have used up the kernel's real limit, so that a watch was refused.
    package static var hasLostInotify: Bool { csimulation_has_lost_inotify() }

    /// Has programs use files only as their rights say, which this process itself may override; `false` if it may not.
    package static func obeyRights() -> Bool {
        guard csimulation_can_override_rights() else { return false }
        csimulation_set_obeys_rights(true)
        return true
    }

    /// Sets the computer's clock wrong by some seconds; waits for a span of time are not affected.
    package static func setClockError(_ seconds: Int) {
        csimulation_set_clock_error(Int64(seconds))
    }
}

/// Called before each call for a file; returns the error that the call fails with, or 0.
@_cdecl("csimulation_meet") func meetCall(
    _ context: UnsafeMutableRawPointer, _ kind: Int32, _ domain: Int32
) -> Int32 {
    guard let kind = FileCall.Kind(rawValue: kind), let domain = FileCall.Domain(rawValue: domain) else { return 0 }
    return Simulation.outside {
        Simulation.of(context).beforeFileCall?(FileCall(kind: kind, domain: domain)) ?? 0
    }
}
