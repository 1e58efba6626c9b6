package import Platform
import Synchronization

/// What is remembered of the directory that a root is and of the disks mounted below it, shared by its copies.
package final class RootIdentity: Sendable {
    private struct State {
        var identity: DirectoryIdentity?
        var mounts: [FilePath: DirectoryIdentity] = [:]
        /// Where the root was when it was last made sure of.
        var place: (DirectoryPlace, fileSystem: UInt64)?
        var absence: RootAbsence?
    }

    private let state = Mutex(State())
    /// Hears when the root goes away, and when it is back: with `nil`.
    private let hearsOf: @Sendable (RootAbsence?) -> Void

    package init(hearsOf: @escaping @Sendable (RootAbsence?) -> Void = { _ in }) {
        self.hearsOf = hearsOf
    }

    /// What the root's own directory is; `nil` until a good look.
    package var identity: DirectoryIdentity? { state.withLock { $0.identity } }
    /// The disks mounted below it, by path.
    package var mounts: [FilePath: DirectoryIdentity] { state.withLock { $0.mounts } }
    /// Why nothing may be concluded from what lies there now, where that is so.
    package var absence: RootAbsence? {
        get { state.withLock { $0.absence } }
        set {
            let isNews = state.withLock { state in
                defer { state.absence = newValue }
                return (state.absence == nil) != (newValue == nil)
            }
            if isNews { hearsOf(newValue) }
        }
    }

    /// Takes over what the library remembers: the root itself under the empty path.
    package func remember(_ disks: [FilePath: DirectoryIdentity]) {
        state.withLock { state in
            state.identity = disks[FilePath(bytes: [])]
            state.mounts = disks.filter { !$0.key.isEmpty }
            state.place = nil
        }
    }

    package func remember(_ identity: DirectoryIdentity?, at path: FilePath) {
        state.withLock { state in
            if path.isEmpty {
                state.identity = identity
                state.place = nil
            } else {
                state.mounts[path] = identity
            }
        }
    }

    /// Whether `directory` may be the root: it is no other than the one that is remembered.
    ///
    /// Costs three calls where it is the directory that was made sure of last.
    func admits(_ directory: Directory) throws(SystemError) -> Bool {
        guard let identity else { return true }
        let place = try directory.place()
        let fileSystem = try directory.fileSystemNumber()
        let isKnown = state.withLock { $0.place.map { $0.0 == place && $0.fileSystem == fileSystem } ?? false }
        if isKnown { return true }
        guard try directory.identity().likeness(to: identity) != .other else { return false }
        state.withLock { $0.place = (place, fileSystem) }
        return true
    }
}

/// Why a root cannot be looked at.
package struct RootAbsence: Error, Hashable, Sendable {
    /// In one sentence, without its end.
    package let reason: String
    /// Whether time does not help: another disk is at its place.
    package let needsHuman: Bool

    package init(_ reason: String, needsHuman: Bool = false) {
        self.reason = reason
        self.needsHuman = needsHuman
    }

    /// The library's word for why a root is away, for whoever asks after the run.
    package static func fact(_ root: KnownRoot) -> String { "away.\(root.id)" }

    /// How a pass ends that met it.
    package var ending: Ending {
        if needsHuman { return .needsHuman(reason) }
        return .temporary("\(reason): nothing of it was concluded, and nothing remote was changed")
    }

    /// Another disk, or another directory, is where the root was.
    package static func other(_ root: Root, at path: FilePath) -> RootAbsence {
        RootAbsence(
            "\(path.display) is not the disk that the root \(root.name) was on; "
                + "\"gallery-sync init \(root.known.path.display)\" takes it as a new one", needsHuman: true)
    }
}
