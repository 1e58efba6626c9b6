package import Platform
import Synchronization

/// What is remembered of a root's directory and of the disks mounted below it; shared by all copies of the root.
package final class RootIdentity: Sendable {
    private struct State {
        var identity: DirectoryIdentity?
        var mounts: [FilePath: DirectoryIdentity] = [:]
        /// Directory and file system of the root when its identity was last checked.
        var place: (DirectoryPlace, fileSystem: UInt64)?
        var absence: RootAbsence?
    }

    private let state = Mutex(State())

    /// Remembers nothing yet.
    init() {}

    /// The identity of the root's own directory; `nil` until it was looked at successfully.
    package var identity: DirectoryIdentity? { state.withLock { $0.identity } }
    /// The disks mounted below it, by path.
    package var mounts: [FilePath: DirectoryIdentity] { state.withLock { $0.mounts } }
    /// Why nothing may be concluded from what lies there now; `nil` while the root is present.
    package var absence: RootAbsence? {
        get { state.withLock { $0.absence } }
        set { state.withLock { $0.absence = newValue } }
    }

    /// Takes over what the library remembers: the root itself under the empty path.
    package func remember(_ disks: [FilePath: DirectoryIdentity]) {
        state.withLock { state in
            state.identity = disks[FilePath(bytes: [])]
            state.mounts = disks.filter { !$0.key.isEmpty }
            state.place = nil
        }
    }

    /// Remembers the disk at `path` below the root, or forgets it with `nil`; the empty path is the root.
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

    /// Whether `directory` may be the root: it is not known to be another directory than the remembered one.
    ///
    /// Costs three calls if it is the directory that was checked last.
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
    /// One sentence without its full stop.
    package let reason: String
    /// Whether waiting does not help, because another disk is in its place.
    package let needsHuman: Bool
    /// What to do before it is looked at again, a clause that begins with a capital.
    package let advice: String
    /// Whether it was never there, so that nothing of it is stored.
    package let isNew: Bool

    /// A root that is away because of `reason`, a sentence without its full stop.
    package init(
        _ reason: String, needsHuman: Bool = false, advice: String = "Mount its disk", isNew: Bool = false
    ) {
        self.reason = reason
        self.needsHuman = needsHuman
        self.advice = advice
        self.isNew = isNew
    }

    /// A root where a look failed with `error`.
    package init(_ error: SystemError) {
        self.init(
            error.description, advice: error.isDenied ? "Let this user list and enter it" : "Mount its disk")
    }

    /// The name of the fact that says why a root is away, for reports after the run.
    package static func fact(_ root: KnownRoot) -> String { "away.\(root.id)" }

    /// The name of the fact that the user has accepted the root as empty.
    package static func emptiedFact(_ root: KnownRoot) -> String { "emptied.\(root.id)" }

    /// Why a folder that is no root yet cannot become one now; `nil` if it is there.
    package static func ofNew(_ path: FilePath) async -> RootAbsence? {
        let look = await Blocking.run {
            Result { () throws(SystemError) in try FileFacts.existing(path) != nil }
        }
        let advice = "Create it, mount its disk, or take it out of the configuration"
        switch look {
        case .success(true): return nil
        case .success(false): return RootAbsence("\(path.display) is not there", advice: advice, isNew: true)
        // The server of a share may be gone, which must not keep other directories waiting.
        case .failure(let error):
            return RootAbsence(
                "\(path.display) cannot be looked for: \(error.reason)", advice: advice, isNew: true)
        }
    }

    /// Another disk, or another directory, is where the root was.
    package static func other(_ root: Root, at path: FilePath) -> RootAbsence {
        RootAbsence(
            "\(path.display) is not the disk that the root \(root.name) was on; "
                + "\"gallery-sync init \(root.known.path.display)\" takes it as a new one", needsHuman: true)
    }
}
