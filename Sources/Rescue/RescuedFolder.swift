import Platform
import Restoring
import Synchronization
import Uploading

/// The root of rescued files, as downloads change it; names are durable when a call returns.
struct RescuedFolder: Sendable {
    let folder: any RestoreFolder

    /// Opens a part, cut to the `size` bytes that are known to be durable; `nil` where it holds fewer.
    func part(_ path: FilePath, holding size: Int64) async throws(SystemError) -> OpenFile? {
        let folder = folder
        return try await Blocking.run { () throws(SystemError) -> OpenFile? in
            try folder.makeDirectories(path.parent)
            guard let part = try folder.openPart(path) else { throw SystemError(call: "flock", code: 11, path: path) }
            let held = try part.facts().size
            if held > size { try folder.cut(part, to: size) }
            return held < size ? nil : part
        }
    }

    /// Makes the first `size` bytes of a part durable, and drops the rest.
    func keep(_ part: OpenFile, _ size: Int64) async throws(SystemError) {
        let folder = folder
        try await Blocking.run { () throws(SystemError) in
            if try part.facts().size > size { try folder.cut(part, to: size) }
            try folder.synchronize(part)
        }
    }

    /// Renames a part to its final name; idempotent.
    ///
    /// Throws `EEXIST` where another file has the name.
    func place(_ part: FilePath, as path: FilePath) async throws(SystemError) {
        let folder = folder
        try await Blocking.run { () throws(SystemError) in
            try folder.place(part, as: path)
            try folder.synchronize(directory: path.parent)
        }
    }

    /// Writes `bytes` under a name, replacing any file there; `draft` is a name that nothing else uses.
    func write(_ bytes: [UInt8], as path: FilePath, by draft: FilePath) async throws(SystemError) {
        let folder = folder
        try await Blocking.run { () throws(SystemError) in
            try Self.write(bytes, to: draft, in: folder)
            try folder.remove(path)
            try folder.place(draft, as: path)
            try folder.synchronize(directory: path.parent)
        }
    }

    /// Writes `bytes` under a name that is free; `false` if something has it.
    func write(_ bytes: [UInt8], asFree path: FilePath, by draft: FilePath) async throws(SystemError) -> Bool {
        let folder = folder
        return try await Blocking.run { () throws(SystemError) -> Bool in
            try Self.write(bytes, to: draft, in: folder)
            let isFree = try folder.placeIfFree(draft, as: path)
            if !isFree { try folder.remove(draft) }
            try folder.synchronize(directory: path.parent)
            return isFree
        }
    }

    private static func write(
        _ bytes: [UInt8], to draft: FilePath, in folder: any RestoreFolder
    ) throws(SystemError) {
        try folder.makeDirectories(draft.parent)
        guard let file = try folder.openPart(draft) else { throw SystemError(call: "flock", code: 11, path: draft) }
        try folder.cut(file, to: 0)
        try file.write(bytes, at: 0)
        try folder.synchronize(file)
    }

    func remove(_ path: FilePath) async throws(SystemError) {
        let folder = folder
        try await Blocking.run { () throws(SystemError) in try folder.remove(path) }
    }

    /// Whether there is a file at `path`, as far as can be seen.
    func holds(_ path: FilePath) async -> Bool {
        let folder = folder
        return await Blocking.run { (try? folder.facts(of: path))?.kind == .file }
    }

    /// The SHA-256 of the file at `path`; `nil` where there is none.
    ///
    /// Throws only `SystemError` and `CancellationError`.
    func digest(of path: FilePath) async throws -> String? {
        let folder = folder
        let file = try await Blocking.run { () throws(SystemError) -> OpenFile? in
            try folder.facts(of: path)?.kind == .file ? try folder.open(path) : nil
        }
        guard let file else { return nil }
        return try await ContentProof.sha256("").digest(of: file)
    }
}
