import Catalog
import Platform
import Records
import Roots

/// Checks that the directories of a walk lie on the remembered disks, and closes those that do not.
///
/// A disk mounted below a root is remembered when it is first met. Nothing is concluded from a directory where that
/// disk is missing, where another disk is in its place, or where a disk covers files that are known.
struct MountSurvey {
    private let root: Root
    private let library: Library
    private let known: [FilePath: DirectoryIdentity]
    /// Where the walk began, and the mount points it met.
    private(set) var places: [FilePath: DirectoryPlace] = [:]
    private var start: FilePath?
    private var closed: [FilePath: RootAbsence] = [:]
    private var isSurveyed: Bool?

    init(root: Root, library: Library) {
        self.root = root
        self.library = library
        known = root.sight.mounts
    }

    /// Why a disk below the root is away; `nil` where none is.
    var absence: RootAbsence? { closed.min { $0.key < $1.key }?.value }

    /// Whether nothing is concluded from what lies at `path`.
    func closes(_ path: FilePath) -> Bool { closed.keys.contains { path == $0 || path.relative(to: $0) != nil } }

    /// Leaves out directories below closed ones; a directory that this call closes comes with its failure.
    ///
    /// A directory must come before those inside it.
    mutating func admitted(_ directories: [DirectoryObservation]) async throws -> [DirectoryObservation] {
        var admitted: [DirectoryObservation] = []
        for directory in directories where !closes(directory.path) {
            guard let absence = try await absence(of: directory) else {
                admitted.append(directory)
                continue
            }
            admitted.append(try await close(directory.path, absence))
        }
        return admitted
    }

    /// Closes the remembered disks that the walk below `top` did not meet.
    mutating func finish(below top: FilePath, isPartial: Bool) async throws -> [DirectoryObservation] {
        var missing: [DirectoryObservation] = []
        for path in known.keys.sorted() where places[path] == nil && !closes(path) {
            guard top.isEmpty || path.relative(to: top) != nil else { continue }
            missing.append(try await close(path, notMounted(path)))
        }
        if !isPartial, try await !isSurveyedBefore() { try await library.setFact(fact, to: "surveyed") }
        return missing
    }

    private mutating func absence(of directory: DirectoryObservation) async throws -> RootAbsence? {
        let path = directory.path
        // A directory that could not be opened proves nothing by itself.
        guard let place = directory.place else { return nil }
        guard start != nil else {
            start = path
            places[path] = place
            return nil
        }
        guard place.isMounted(below: containing(path)) else { return known[path].map { _ in notMounted(path) } }
        places[path] = place
        guard let identity = try await identity(at: path) else { return notMounted(path) }
        if let remembered = known[path] {
            return identity.likeness(to: remembered) == .other ? otherDisk(path) : nil
        }
        if try await isSurveyedBefore(), try await library.holdsFiles(inOrBelow: path, of: root.known.id) {
            return otherDisk(path)
        }
        try await library.remember(identity, of: root.known.id, at: path)
        root.sight.remember(identity, at: path)
        return nil
    }

    /// The place of the disk that holds the directory above `path`.
    private func containing(_ path: FilePath) -> DirectoryPlace {
        var above = path
        while !above.isEmpty {
            above = above.parent
            if let place = places[above] { return place }
        }
        return start.flatMap { places[$0] } ?? DirectoryPlace(device: 0, inode: 0)
    }

    private func identity(at path: FilePath) async throws -> DirectoryIdentity? {
        do {
            return try await Blocking.run { [root] () throws(SystemError) in
                try root.open().open(directory: path).identity()
            }
        } catch {
            return nil
        }
    }

    private mutating func close(_ path: FilePath, _ absence: RootAbsence) async throws -> DirectoryObservation {
        closed[path] = absence
        await library.beginAbsence(of: root.known.id, below: path)
        return DirectoryObservation(
            path: path, files: [], leftOut: [:], failure: .diskAway(root.known.path.appending(path)))
    }

    private func notMounted(_ path: FilePath) -> RootAbsence {
        let place = root.known.path.appending(path).display
        return RootAbsence(
            "\(place) is not mounted (if its disk is gone for good, \"gallery-sync init \(place)\" takes it as it is)")
    }

    private func otherDisk(_ path: FilePath) -> RootAbsence {
        let place = root.known.path.appending(path).display
        return RootAbsence(
            "\(place) is not the disk that was there; \"gallery-sync init \(place)\" takes it as it is",
            needsHuman: true)
    }

    /// Whether a complete walk has looked for disks before; until then every disk that is there is accepted.
    private mutating func isSurveyedBefore() async throws -> Bool {
        if let isSurveyed { return isSurveyed }
        let isNoted = try await library.fact(fact) != nil
        isSurveyed = isNoted
        return isNoted
    }

    private var fact: String { "disks.\(root.known.id)" }
}
