/// A walk through a directory tree, by descriptor and without following a symlink.
package enum TreeWalk {
    /// Calls `visit` with `root` and every directory below it, a directory before those inside it.
    ///
    /// Both closures run on the calling thread, which blocks; a second thread reads ahead. Directories that do
    /// not contain one another come in any order, and a directory that cannot be read is visited with its
    /// failure.
    ///
    /// - Parameter enter: Whether to visit the directory at that path, relative to the root.
    package static func walk<Failure: Error>(
        _ root: Directory, enter: (FilePath) -> Bool = { _ in true },
        visit: (DirectoryListing) throws(Failure) -> Void
    ) throws(Failure) {
        let reader = ReadAhead(root)
        defer { reader.stop() }
        while let listing = reader.next() {
            try visit(listing)
            let children = listing.entries.filter { $0.kind == .directory }
                .map { listing.path.appending($0.name) }.filter(enter)
            reader.visited(adding: children)
        }
    }
}

/// The directories still to be read, and the listings that a second thread has read ahead.
private final class ReadAhead: Sendable {
    private struct State {
        var waiting: [FilePath] = [""]
        var ready: [DirectoryListing] = []
        /// Directories the second thread is reading now.
        var reading = 0
        var isHelped = false
        var isStopped = false
    }

    private enum Step {
        case visit(DirectoryListing)
        case read(FilePath)
        case end
    }

    /// The most listings that wait to be visited, so that a slow visitor does not exhaust the memory.
    private static let mostReady = 64

    private let root: Directory
    private let state = Monitor(State())

    init(_ root: Directory) {
        self.root = root
    }

    /// The next listing: one read ahead, else one read here; `nil` at the end of the walk.
    func next() -> DirectoryListing? {
        let step = state.wait(while: { $0.ready.isEmpty && $0.waiting.isEmpty && $0.reading > 0 }) { state in
            if let listing = state.ready.popLast() { return Step.visit(listing) }
            return state.waiting.popLast().map(Step.read) ?? .end
        }
        switch step {
        case .visit(let listing): return listing
        case .read(let path): return DirectoryListing.read(path, below: root)
        case .end: return nil
        }
    }

    /// Adds the directories found in the listing just visited.
    func visited(adding children: [FilePath]) {
        let wantsHelp = state.withLock { state in
            state.waiting += children.reversed()
            defer { state.isHelped = state.isHelped || state.waiting.count > 1 }
            return state.waiting.count > 1 && !state.isHelped
        }
        state.broadcast()
        if wantsHelp {
            // Without a second thread the walk is merely slower.
            try? SystemThread.start("walk") { [self] in help() }
        }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        state.broadcast()
    }

    private func help() {
        while let path = nextToRead() {
            let listing = DirectoryListing.read(path, below: root)
            state.withLock { state in
                state.ready.append(listing)
                state.reading -= 1
            }
            state.broadcast()
        }
    }

    private func nextToRead() -> FilePath? {
        state.wait(while: { !$0.isStopped && ($0.waiting.isEmpty || $0.ready.count >= Self.mostReady) }) { state in
            guard !state.isStopped, let path = state.waiting.popLast() else { return nil }
            state.reading += 1
            return path
        }
    }
}
