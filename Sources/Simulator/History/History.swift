import Simulation

/// All that befalls one agent from outside; drawn from a seed, made smaller by dropping parts of it.
struct History: Sendable {
    let seed: UInt64
    /// Whether the agent watches; otherwise it makes pass after pass.
    var isWatching: Bool
    /// Virtual seconds between two scans.
    var interval: Int
    /// Virtual seconds that anything temporary lasts at most.
    var longest: Int
    /// Files above this size are sent in pieces.
    var smallFileBytes: Int
    /// How probable each fault is, for each request, call or file.
    var faults: [Fault]
    /// In the order of their times.
    var acts: [Act]

    struct Fault: Hashable, Sendable {
        let kind: FaultKind
        let probability: Double
    }

    func probability(of kind: FaultKind) -> Double { faults.first { $0.kind == kind }?.probability ?? 0 }
}

/// What goes wrong by itself.
enum FaultKind: String, CaseIterable, Sendable {
    /// No connection.
    case unreachable
    /// The connection breaks while the request is on its way.
    case lostRequest
    /// The request took effect; its answer never arrives.
    case lostAnswer
    /// The request arrives twice.
    case doubled
    /// A proxy answers 429, 500, 502 or 503 by itself.
    case refused
    /// A proxy answers 200 with a page of its own, or the answer is cut.
    case damagedAnswer
    /// The answer takes minutes.
    case slow
    /// The request arrives only after the client gave it up.
    case late
    /// A call for the state's disk fails.
    case diskCall
    /// A decoder crashes, hangs or runs out of memory.
    case decoder
}

/// Something that happens once.
struct Act: Sendable {
    /// Virtual seconds after the start.
    let at: Int
    /// How many calls for files happen between that time and this act; `nil` for any.
    let calls: Int?
    let deed: Deed
}

/// What the user, other programs, the power or the server do.
///
/// Files have numbers.
enum Deed: Hashable, Sendable {
    case create(Int, content: UInt64, size: Int)
    /// Writes the first part, waits, and writes the rest.
    case grow(Int, content: UInt64, size: Int, pause: Int)
    /// Writes new content into the file.
    case overwrite(Int, content: UInt64, size: Int)
    /// Puts a new file in its place.
    case replace(Int, content: UInt64, size: Int)
    case rename(Int, to: Int)
    case delete(Int)
    /// Takes the gallery away for some seconds, and leaves something in its place.
    case unmount(seconds: Int, Leaving)
    case crash(Crash)
    /// The agent is told to stop, and starts again.
    case restart
    case serverRestart(seconds: Int)
    /// Another program stores an object where that file would go.
    case foreign(Int, content: UInt64)
    case order(Order)

    enum Leaving: String, Hashable, Sendable { case nothing, empty, otherDisk }
    enum Crash: String, Hashable, Sendable { case kill, powerCut }
    enum Order: String, Hashable, Sendable, CaseIterable { case sync, pause, resume, verify, repair }
}
