package import FoundationEssentials
package import Platform

/// How one walk of a root ended.
package enum ScanOutcome: Hashable, Sendable {
    /// Everything below was looked at.
    case complete(ScanChanges)
    /// The root is not there, or is an empty mount point: nothing was concluded.
    case vanished(reason: String)
}

/// Stage 1: walks a root and writes what it finds to the library as `seen`.
package struct Scanner: Sendable {
    let library: Library
    let bell: Bell
    let clock: @Sendable () -> Date

    /// A scanner that writes to `library`, and rings `bell` when something new was found.
    package init(library: Library, bell: Bell, clock: @escaping @Sendable () -> Date) {
        self.library = library
        self.bell = bell
        self.clock = clock
    }

    /// Files of a batch; one call of the library merges a batch.
    private static let batchSize = 2_000

    /// A walk's look at one directory, and those of its files that are still being written.
    struct Look: Sendable {
        var directories: [DirectorySighting] = []
        var unsettled: [FilePath] = []
        var files = 0
    }

    /// Walks `root` below `top` and merges what it finds; the library is durable when this returns.
    ///
    /// - Parameters:
    ///   - settle: Files changed more recently than this are left for later, and handed to `unsettled`.
    package func scan(
        _ root: Root, below top: FilePath = FilePath(bytes: []), origin: Asset.Rank.Origin,
        settle: Duration = .zero, unsettled: @Sendable (FilePath) -> Void = { _ in }
    ) async throws -> ScanOutcome {
        if let reason = try await absence(of: root) { return .vanished(reason: reason) }
        var changes = ScanChanges()
        var visited: Set<FilePath> = []
        let failure = try await walk(root, below: top, settle: settle) { look in
            visited.formUnion(look.directories.map(\.path))
            for path in look.unsettled { unsettled(path) }
            let merged = try await library.merge(look.directories, root: root.known.id, origin: origin, at: clock())
            changes += merged
            if merged.seen > 0 { bell.ring() }
        }
        if let failure { return .vanished(reason: failure.description) }
        changes.missing += try await library.missDirectories(of: root.known.id, below: top, notIn: visited)
        try await library.commit()
        return .complete(changes)
    }

    /// The files below `top` that a scan would find new or changed; nothing is written.
    package func preview(_ root: Root, below top: FilePath = FilePath(bytes: [])) async throws -> [(FilePath, Int64)] {
        var found: [(FilePath, Int64)] = []
        let failure = try await walk(root, below: top, settle: .zero) { look in
            for directory in look.directories {
                let news = try await library.preview(directory, root: root.known.id)
                found += news.map { (directory.path.appending($0.name), $0.size) }
            }
        }
        if let failure { throw failure }
        return found
    }

    /// Hands every look of a walk to `visit`, while a thread walks on; why the root could not be walked, if so.
    private func walk(
        _ root: Root, below top: FilePath, settle: Duration, _ visit: (Look) async throws -> Void
    ) async throws -> SystemError? {
        let channel = Channel<Result<Look, SystemError>>(capacity: 4)
        let now = FileTime(clock())
        let fresh = FileTime(nanoseconds: now.nanoseconds - settle.nanoseconds)..<now
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await Blocking.run { Self.walk(root, top, fresh: fresh, into: channel) } }
            defer { channel.abandon() }
            while let next = await channel.receive() {
                try Task.checkCancellation()
                switch next {
                case .success(let look): try await visit(look)
                case .failure(let error): return error
                }
            }
            return nil
        }
    }

    /// Why nothing may be concluded from what lies at the root now, or `nil`.
    private func absence(of root: Root) async throws -> String? {
        let path = root.known.path
        let state: RootState
        do {
            state = try await Blocking.run { () throws(SystemError) in try RootState(of: path) }
        } catch {
            return error.isAbsence ? "\(path.display) is not there" : error.description
        }
        let hadFiles = try await library.holdsFiles(below: root.known.id)
        let wasMountPoint = try await library.fact(RootState.fact(root)) == RootState.mountPoint
        if hadFiles, wasMountPoint, !state.isMountPoint { return "\(path.display) is not mounted" }
        if hadFiles, state.isEmpty {
            return "\(path.display) is empty, though files were there: is its disk mounted?"
        }
        if state.isMountPoint != wasMountPoint {
            try await library.setFact(RootState.fact(root), to: state.isMountPoint ? RootState.mountPoint : nil)
        }
        return nil
    }
}

/// What a root looks like from outside.
struct RootState {
    let isMountPoint: Bool
    let isEmpty: Bool

    static let mountPoint = "mount point"
    static func fact(_ root: Root) -> String { "root.\(root.name)" }

    /// Looks at the root at `path`.
    init(of path: FilePath) throws(SystemError) {
        let directory = try Directory(path)
        let own = try FileFacts(of: path)
        let parent = path.parent.isEmpty ? FilePath("/") : path.parent
        isMountPoint = try own.device != FileFacts(of: parent).device
        isEmpty = try directory.names().isEmpty
    }
}

// MARK: - The walk, on a thread that may block

extension Scanner {
    private static func walk(
        _ root: Root, _ top: FilePath, fresh: Range<FileTime>, into channel: Channel<Result<Look, SystemError>>
    ) {
        defer { channel.finish() }
        var look = Look()
        do {
            let directory = try root.open()
            let start = top.isEmpty ? directory : try directory.open(directory: top)
            struct Abandoned: Error {}
            try TreeWalk.walk(
                start, enter: { root.rules.reasonForName(at: top.appending($0)) == nil },
                visit: { (listing: DirectoryListing) throws(Abandoned) in
                    look.add(listing, below: top, root.rules, fresh: fresh)
                    guard look.files >= batchSize else { return }
                    guard channel.send(.success(look)) else { throw Abandoned() }
                    look = Look()
                })
            _ = channel.send(.success(look))
        } catch let error as SystemError {
            _ = channel.send(.failure(error))
        } catch {
            // Nobody listens any more.
        }
    }
}

extension Scanner.Look {
    fileprivate mutating func add(
        _ listing: DirectoryListing, below top: FilePath, _ rules: IgnoreRules, fresh: Range<FileTime>
    ) {
        let path = top.appending(listing.path)
        var found: [Sighting] = []
        var ignored = 0
        for entry in listing.entries {
            guard entry.kind == .file || entry.kind == .directory, rules.reason(forName: entry.name, in: path) == nil
            else {
                ignored += 1
                continue
            }
            guard entry.kind == .file else { continue }
            guard let facts = entry.facts else { continue }
            // A time in the future was set by somebody who was done writing.
            let isSettled = !fresh.contains(facts.modifiedAt)
            found.append(
                Sighting(name: entry.name, size: facts.size, modifiedAt: facts.modifiedAt, isSettled: isSettled))
            if !isSettled { unsettled.append(path.appending(entry.name)) }
        }
        directories.append(
            DirectorySighting(path: path, files: found, ignored: ignored, failure: listing.failure))
        files += 1 + listing.entries.count
    }
}

extension Duration {
    package var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
