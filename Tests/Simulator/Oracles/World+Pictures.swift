import Catalog
import Configuration
import Gallery
import Platform
import Queue
import Records
import Simulation

/// What must hold of pictures.
extension World {
    /// Whether no decoder made a picture of these bytes, or it lies beside the place that it should have.
    private func mayLackPicture(_ file: UserFile, _ objects: [String: [UInt8]]) -> Bool {
        if undecodable.value.contains(SHA256.hash(file.bytes).hexadecimal) || isForgetful.value { return true }
        guard isDecayed.value || storage.isForeign(file.key) else { return false }
        return objects.keys.contains { $0.hasPrefix(".thumbnails/512/\(file.key)") }
    }

    /// Whether the receipt of `key` is not of these bytes, so that the next `verify` finds them.
    ///
    /// Only a queue that decayed knew that it had sent them.
    private func isDisproved(_ bytes: [UInt8], at key: String, _ library: Library) async throws -> Bool {
        let place = ObjectKey(text: storage.prefix + key)
        let receipt = try await library.receipt(destination: storage.destination.name, key: place)
        return receipt.map { $0.sha256 != SHA256.hash(bytes).hexadecimal } ?? false
    }

    /// Pictures of files that are there, which are missing or not theirs.
    ///
    /// Where there is none of the new bytes, that of the old ones stays, and the library says so.
    func pictureProblems(_ objects: [String: [UInt8]], _ library: Library) async throws -> [String] {
        var problems: [String] = []
        for file in files {
            let (place, right) = (".thumbnails/512/\(file.key)", Array("picture of \(file.bytes.count) at 512".utf8))
            guard let picture = objects[place + ".jpg"] else {
                if mayLackPicture(file, objects) { continue }
                problems.append("\(file.key) has no picture")
                continue
            }
            guard picture != right else { continue }
            // A queue that decayed without a sign has lost the new one, or had sent it, so that it counts as foreign.
            if isForgetful.value { continue }
            if isDecayed.value, objects.contains(where: { $0.key.hasPrefix(place) && $0.value == right }) { continue }
            if isDecayed.value, try await isDisproved(picture, at: place + ".jpg", library) { continue }
            let record = try await library.fileRecord(root: file.root.root, path: FilePath(file.name))
            let sha256 = SHA256.hash(file.bytes).hexadecimal
            if record?.pictures == .failed, undecodable.value.contains(sha256) { continue }
            problems.append("the picture of \(file.key) is \(picture.isEmpty ? "empty" : "another's")")
        }
        return problems
    }
}
