import Platform

/// Media that the worker's encoder makes, of one kind and size.
struct MediaFiles: Sendable {
    let folder: FilePath
    let paths: [FilePath]

    /// Makes `count` files of `format`, unless an earlier run left them.
    init(_ format: String, size: String, count: Int, seconds: Int = 10, on bench: Workbench) async throws {
        folder = bench.folder.appending("media/\(format)-\(size)-\(count)")
        if try FileFacts.existing(folder) == nil {
            Output.note("  making \(count) × \(format) of \(size)")
            let growing = FilePath("\(folder.display).part")
            try Directory.create(at: growing)
            try await Execution(
                try bench.worker(),
                [
                    "make", growing.display, "--only", format, "--size", size, "--count", "\(count)", "--seconds",
                    "\(seconds)",
                ]
            ).succeed()
            let above = try Directory(folder.parent)
            try above.rename(FilePath(bytes: growing.name), to: FilePath(bytes: folder.name))
        }
        let folder = folder
        paths = try Directory(folder).names().sorted().map { folder.appending($0) }
    }
}
