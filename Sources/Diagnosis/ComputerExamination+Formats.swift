import Configuration
import MediaModel
import Platform
import Sync
import Uploading

extension ComputerExamination {
    /// Which formats the media worker can decode; a sample of each is encoded first.
    func formats(_ names: [String] = Self.formatNames) async -> [Finding] {
        let folder = locations.cache.appending("doctor-" + Randomness.bytes(8).hexadecimal)
        do throws(SystemError) {
            try Directory.create(at: folder)
        } catch {
            return [
                .doubtful(
                    "formats", "not tried, since \(locations.cache.display) cannot be written: \(error.reason).")
            ]
        }
        let pool = MediaWorkerPool(program: program, limits: MediaWorkerPool.Limits(count: 1))
        var results: [(name: String, trial: FormatTrial)] = []
        for name in names where !Task.isCancelled {
            results.append((name, await trial(name, in: folder, by: pool)))
        }
        let wanted = settings.thumbnails.format
        let made = await madeFormat(for: wanted, in: folder, by: pool)
        await pool.close()
        // If this fails, small files stay in the cache, which may be removed at any time.
        try? Directory.removeTree(at: folder)
        return [Self.formats(results)] + Self.thumbnails(wanted, made: made)
    }

    /// The finding if thumbnails have another format than the one in the settings.
    static func thumbnails(_ wanted: ThumbnailFormat, made: ThumbnailFormat?) -> [Finding] {
        guard let made, made != wanted else { return [] }
        return [
            .doubtful(
                "thumbnails",
                "come as \(made.rawValue), since this computer has no encoder for \(wanted.rawValue) "
                    + "(Debian: libheif-plugin-aomenc).")
        ]
    }

    /// The format of a thumbnail that the worker makes when asked for `format`; `nil` if it makes none.
    private func madeFormat(
        for format: ThumbnailFormat, in folder: FilePath, by pool: MediaWorkerPool
    ) async -> ThumbnailFormat? {
        guard format != .jpeg, let file = try? await make("jpeg", in: folder.appending("thumbnail")) else { return nil }
        let spec = ThumbnailSpec(longSide: 64, format: format)
        guard case .examined(_, let pictures) = await pool.examine(file, MediaJob(type: .jpeg, specs: [spec])) else {
            return nil
        }
        return pictures.first?.spec.format
    }

    /// The result for one format.
    enum FormatTrial: Hashable {
        case read
        /// The sample was not decoded, for this reason given by the decoder.
        case unread(String)
        /// No sample of it could be encoded.
        case untried
    }

    /// One finding about all formats.
    static func formats(_ results: [(name: String, trial: FormatTrial)]) -> Finding {
        let read = results.filter { $0.trial == .read }.map(\.name).joined(separator: " ")
        let unread = results.compactMap { result in
            if case .unread(let reason) = result.trial { "\(result.name) (\(reason))" } else { nil }
        }
        let untried = results.filter { $0.trial == .untried }.map(\.name)
        let note = untried.isEmpty ? "" : "; not tried: \(untried.joined(separator: " "))"
        guard !read.isEmpty || !unread.isEmpty else {
            return .doubtful("formats", "no sample could be made, so none was tried: see the other lines")
        }
        guard !unread.isEmpty else { return .fine("formats", "reads \(read)\(note)") }
        return .doubtful(
            "formats",
            "reads \(read.isEmpty ? "nothing" : read), not \(unread.joined(separator: ", "))\(note). Such files are "
                + "stored without thumbnails.")
    }

    /// The formats that `gallery-sync-media make` can encode.
    static let formatNames = [
        "jpeg", "png", "webp", "gif", "bmp", "tiff", "jxl", "heic", "avif", "mp4", "mov", "webm", "mkv", "avi", "ts",
    ]

    private func trial(_ name: String, in folder: FilePath, by pool: MediaWorkerPool) async -> FormatTrial {
        do {
            guard let file = try await make(name, in: folder),
                let identity = MediaIdentity(
                    header: try file.read(at: 0, upTo: MediaIdentity.headerLength), fileExtension: Array(name.utf8))
            else { return .untried }
            let job = MediaJob(type: identity.type, specs: [ThumbnailSpec(longSide: 64)])
            let outcome = await pool.examine(file, job)
            guard case .examined(let facts, let pictures) = outcome else { return .unread(outcome.reason) }
            return pictures.isEmpty ? .unread(facts.notes.first ?? "no picture") : .read
        } catch {
            return .untried
        }
    }

    /// A small sample; `nil` where it cannot be encoded.
    private func make(_ name: String, in folder: FilePath) async throws -> OpenFile? {
        let place = folder.appending(name)
        let silence = try OpenFile(appending: "/dev/null")
        let child = try ChildProcess.spawn(
            program,
            arguments: ["make", place.display, "--only", name, "--size", "64x64", "--seconds", "2", "--fps", "25"],
            descriptors: [1: silence.descriptor, 2: silence.descriptor])
        guard await child.exit == .exited(0), let file = try Directory(place).names().first else { return nil }
        return try OpenFile(reading: place.appending(file.bytes))
    }
}
