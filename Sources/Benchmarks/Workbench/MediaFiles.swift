import Platform

/// Media files of one kind and size, made by the media worker's encoder.
struct MediaFiles: Sendable {
    let folder: FilePath
    let paths: [FilePath]

    /// The number of files to encode; the others are hard links, because no measured program sees the difference.
    private static let distinct = 12

    /// Makes `count` files of `format`, unless an earlier run has left them.
    init(
        _ format: String, size: String, count: Int, seconds: Int = 10, framesPerSecond: Int = 25,
        on bench: Workbench
    ) async throws {
        folder = bench.folder.appending("media/\(format)-\(size)-\(seconds)s-\(framesPerSecond)fps-\(count)")
        if try FileFacts.existing(folder) == nil {
            let encoded = min(count, Self.distinct)
            Output.note("  making \(encoded) × \(format) of \(size)")
            let growing = FilePath("\(folder.display).part")
            try await bench.remove(growing)
            try Directory.create(at: growing)
            try await Execution(
                try bench.worker(),
                [
                    "make", growing.display, "--only", format, "--size", size, "--count", "\(encoded)", "--seconds",
                    "\(seconds)", "--fps", "\(framesPerSecond)",
                ]
            ).succeed()
            try await Self.name(again: growing, until: count, by: try bench.programs.tool("ln"))
            let above = try Directory(folder.parent)
            try above.rename(FilePath(bytes: growing.name), to: FilePath(bytes: folder.name))
        }
        let folder = folder
        paths = try Directory(folder).names().sorted().map { folder.appending($0) }
    }

    /// Adds hard links to the files in `folder` in turn until there are `count`.
    private static func name(again folder: FilePath, until count: Int, by tool: FilePath) async throws {
        let names = try Directory(folder).names().sorted()
        guard names.count < count, !names.isEmpty else { return }
        for number in names.count..<count {
            let source = folder.appending(names[number % names.count])
            let link = folder.appending("again-\(number)-\(source.nameText)")
            try await Execution(tool, [source.display, link.display]).succeed()
        }
    }
}

extension FilePath {
    fileprivate var nameText: String { String(decoding: name, as: UTF8.self) }
}
