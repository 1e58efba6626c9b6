import Configuration
import Platform

/// A copy of a read-only state, for agents that must write to one; it is thrown away afterwards.
///
/// A sign-in is not copied, because a renewed one would be lost with the copy.
struct StateCopy: Sendable {
    /// The locations of the profile, with the copy as its state.
    let locations: Locations
    private let folder: FilePath
    /// Keeps the original from being written meanwhile, which can happen if its disk is mounted a second time.
    private let original: FileLock

    /// Whether the state at `locations` is there and can only be read, as on a disk that is full.
    static func isNeeded(for locations: Locations) -> Bool { refusal(of: locations) != nil }

    /// Why nothing can be written in the state that is there at `locations`; `nil` if rights and room permit it.
    static func refusal(of locations: Locations) -> SystemError? {
        let refusal = Directory.refusal(at: locations.state, room: LocalStorage.leastRoom)
        return refusal.flatMap { $0.isMissing ? nil : $0 }
    }

    /// Copies the state to a new folder below `temporary`; `nil` while a process holds its lock.
    static func make(of locations: Locations, below temporary: FilePath) async throws -> StateCopy? {
        guard let original = try FileLock.share(locations.lock) else { return nil }
        let folder = temporary.appending("gallery-sync-state-\(Randomness.bytes(16).hexadecimal)")
        let copy = StateCopy(locations: locations.withState(below: folder), folder: folder, original: original)
        do {
            try await Blocking.run { () throws(SystemError) in
                try Directory.create(at: copy.locations.state)
                let (from, to) = (try Directory(locations.state), try Directory(copy.locations.state))
                for name in try from.names() {
                    guard !name.isLeftOut, try from.facts(of: name).kind == .file else { continue }
                    try Self.copy(from.open(file: name), to: to.create(file: name))
                }
            }
        } catch {
            copy.remove()
            throw error
        }
        return copy
    }

    private static func copy(_ source: OpenFile, to target: OpenFile) throws(SystemError) {
        var offset: Int64 = 0
        while true {
            let piece = try source.read(at: offset, upTo: 1 << 20)
            guard !piece.isEmpty else { return }
            try target.write(piece, at: offset)
            offset += Int64(piece.count)
        }
    }

    /// Removes the copy, as far as that is possible.
    func remove() {
        _ = Result { () throws(SystemError) in try Directory.removeTree(at: folder) }
    }
}

extension FilePath {
    /// Whether the copy does not need it: the lock, the sign-in, the file for the user's own scripts, and the index
    /// that SQLite makes anew from its log.
    fileprivate var isLeftOut: Bool {
        ["lock", "session.json", "audit.jsonl", "library.sqlite-shm"].contains { self == FilePath($0) }
    }
}
