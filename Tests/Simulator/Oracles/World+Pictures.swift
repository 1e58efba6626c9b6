import Catalog
import Configuration
import Gallery
import MediaModel
import Platform
import Queue
import Records
import Simulation

/// What must hold of pictures.
extension World {
    /// Whether these bytes could not be decoded, or their picture is stored beside its usual key.
    private func mayLackPicture(_ file: UserFile, _ place: String, _ objects: [String: [UInt8]]) -> Bool {
        if undecodable.value.contains(file.sha256) || isForgetful.value { return true }
        guard isDecayed.value || storage.isForeign(file.key) else { return false }
        return objects.keys.contains { $0.hasPrefix(place) }
    }

    private func receipt(of key: String, in library: Library) async throws -> Receipt? {
        try await library.receipt(destination: storage.destination.name, key: ObjectKey(text: storage.prefix + key))
    }

    /// The picture of `file` below `place`, in any format: if there are several, the one that its user is shown.
    private func picture(
        of file: UserFile, _ size: Int, _ place: String, right: [UInt8], _ objects: [String: [UInt8]],
        _ library: Library
    ) async throws -> (key: String, bytes: [UInt8])? {
        let pictures = ThumbnailFormat.stored.compactMap { format in
            let key = "\(place).\(format.fileExtension)"
            return objects[key].map { (key, $0) }
        }
        guard pictures.count > 1 else { return pictures.first }
        let record = try await library.fileRecord(root: file.root.root, path: file.name)
        let shown = record?.receipts.first { $0.role == .thumbnail(size) }.map { StorageModel.bare($0.key.text) }
        return pictures.first { $0.0 == shown } ?? pictures.first { $0.1 == right } ?? pictures.first
    }

    /// Pictures of existing files that are missing or wrong.
    ///
    /// If none could be made of the new content, the old content's picture stays, and the library says so.
    func pictureProblems(_ objects: [String: [UInt8]], _ library: Library) async throws -> [String] {
        var problems: [String] = []
        for file in files where !Companionship.isSidecar(file.name.name) {
            for size in history.sizes {
                guard let problem = try await pictureProblem(of: file, size, objects, library) else { continue }
                problems.append(problem)
            }
        }
        return problems
    }

    private func pictureProblem(
        of file: UserFile, _ size: Int, _ objects: [String: [UInt8]], _ library: Library
    ) async throws -> String? {
        let place = ".thumbnails/\(size)/\(file.key)"
        let right = Array("picture of \(file.bytes.count) at \(size)".utf8)
        guard let (key, picture) = try await picture(of: file, size, place, right: right, objects, library) else {
            if mayLackPicture(file, place, objects) { return nil }
            let record = try await library.fileRecord(root: file.root.root, path: file.name)
            return "\(file.key) has no picture at \(size), \(record.map { "\($0.pictures)" } ?? "and no record")"
        }
        guard picture != right else { return nil }
        // A queue that decayed unnoticed has lost the new picture, or has sent it, so that it counts as foreign.
        if isForgetful.value { return nil }
        if isDecayed.value, objects.contains(where: { $0.key.hasPrefix(place) && $0.value == right }) { return nil }
        // Only that queue would have known that it had sent them: the next `verify` finds the difference.
        let known = try await receipt(of: key, in: library)
        if isDecayed.value, let known, known.sha256 != SHA256.hash(picture).hexadecimal { return nil }
        let record = try await library.fileRecord(root: file.root.root, path: file.name)
        let sha256 = file.sha256
        if record?.pictures == .failed, undecodable.value.contains(sha256) { return nil }
        return "the picture of \(file.key) at \(size) is \(picture.isEmpty ? "empty" : "another's")"
    }
}
