import Platform
import Supabase
import Transfer

/// Everything that the rows of a run share: a folder, the programs beside this one, and a stored gallery.
///
/// Rows run one after another; the gallery is made and stored for the first row that needs it.
actor Workbench {
    nonisolated let scale: Scale
    nonisolated let folder: FilePath
    /// The folder of the user's media files to measure on, if one was named.
    nonisolated let corpus: FilePath?
    nonisolated let programs: Programs
    private nonisolated let isTemporary: Bool
    private var stored: StoredGallery?

    /// - Parameter programs: The programs to measure; `nil` for those beside this one and on the search path.
    init(_ order: BenchmarkOrder, programs: Programs? = nil) throws {
        self.programs = try programs ?? .present()
        scale = order.scale
        corpus = try order.corpus?.resolved()
        isTemporary = order.folder == nil
        let temporary = FilePath(Environment["TMPDIR"] ?? "/tmp")
        let chosen = order.folder ?? temporary.appending("gallery-sync-bench-\(Randomness.bytes(4).hexadecimal)")
        try Directory.create(at: chosen)
        folder = try chosen.resolved()
    }

    /// Removes all files that were made, but keeps the media in a folder that the user named.
    func clear() async {
        let leftovers =
            isTemporary ? [folder] : Place.allCases.filter { $0 != .media }.map { folder.appending($0.rawValue) }
        for path in leftovers { try? await remove(path) }
    }

    /// The parts of the folder.
    enum Place: String, CaseIterable {
        case media, corpus, pictures, gallery, galleryState, uploads, state, server, queue, former
    }

    /// A fresh, empty directory for one use.
    nonisolated func fresh(_ place: Place) async throws -> FilePath {
        let path = folder.appending(place.rawValue)
        try await remove(path)
        try Directory.create(at: path)
        return path
    }

    /// A fresh, empty directory for many files: the former one is put aside until `clear()` instead of being deleted.
    ///
    /// This is because ext4 does not reuse the inodes of files that were deleted in the last 35 seconds, but looks at
    /// all of them first: right after thousands of deletions, the measured program would take several times as long.
    nonisolated func unused(_ place: Place) async throws -> FilePath {
        let path = folder.appending(place.rawValue)
        if try FileFacts.existing(path) != nil {
            let former = folder.appending(Place.former.rawValue)
            try Directory.create(at: former)
            try await Execution(
                programs.tool("mv"), [path.display, former.appending(Randomness.bytes(4).hexadecimal).display]
            ).succeed()
        }
        return try await fresh(place)
    }

    /// Removes the file or directory at `path`, if it exists.
    nonisolated func remove(_ path: FilePath) async throws {
        guard try FileFacts.existing(path) != nil else { return }
        try await Execution(programs.tool("rm"), ["-rf", path.display]).succeed()
    }

    /// A gallery of `scale.assets` stored files, with the figures of its first sync.
    func storedGallery() async throws -> StoredGallery {
        if let stored { return stored }
        let made = try await StoredGallery(on: self)
        stored = made
        return made
    }
}

// MARK: - Programs

extension Workbench {
    /// The agent, beside this program.
    nonisolated func agent() throws -> FilePath { try programs.ours("gallery-sync") }

    /// The media worker, beside this program.
    nonisolated func worker() throws -> FilePath { try programs.ours("gallery-sync-media") }
}
