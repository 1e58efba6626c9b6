package import FoundationEssentials
package import MediaModel
package import Platform
package import Queue
package import Supabase
import Text

/// What every object of ours carries as user metadata, so that a bucket alone suffices to restore.
///
/// The path is the one below the root: never GPS, never the home directory.
package struct ObjectMetadata: Codable, Hashable, Sendable {
    /// Below the root; only for display if it is not UTF-8.
    package var path: String
    /// The path's bytes in base64, only where they are not UTF-8.
    package var pathBytes: String?
    /// The root's name, only where the key does not tell it, because its segment is shortened.
    package var root: String?
    /// Of the object's bytes, 64 lowercase hex digits.
    package var sha256: String
    /// When the file last changed, to the nanosecond.
    package var mtime: FileTime
    /// Pixels as shown.
    package var width: Int?
    /// Pixels as shown.
    package var height: Int?
    /// Seconds.
    package var duration: Double?
    /// When the picture was taken, by its file's own metadata.
    package var takenAt: Date?
    /// The identity of the computer that stored it, as in `Sender.computer`; `nil` from versions that did not name it.
    package var computer: String?

    /// What the object of `item` is to carry; `facts` count for originals only.
    package init(_ item: Item, facts: MediaFacts?, computer: String? = nil) {
        self.computer = computer
        path = item.path
        pathBytes = item.pathBytes
        if ObjectKey(root: item.root, path: "x").location() == nil { root = item.root }
        sha256 = item.sha256
        mtime = item.modifiedAt
        guard item.role == .original else { return }
        width = facts?.width
        height = facts?.height
        duration = facts?.duration
        takenAt = facts?.takenAt
    }

    /// Reads what an object carries; `nil` where that is not metadata of ours.
    package init?(_ metadata: [String: JSONValue]?) {
        guard let metadata, let data = try? JSONEncoder().encode(metadata),
            let read = try? QueueCoding.decoder.decode(ObjectMetadata.self, from: data)
        else { return nil }
        self = read
    }

    /// The metadata in the form in which requests carry it.
    package var values: [String: JSONValue] {
        var values: [String: JSONValue] = [
            "path": .string(path), "sha256": .string(sha256),
            "mtime": .string(ISO8601.text(mtime, digits: mtime.digits)),
        ]
        values["pathBytes"] = pathBytes.map { .string($0) }
        values["root"] = root.map { .string($0) }
        values["computer"] = computer.map { .string($0) }
        values["width"] = width.map { .integer(Int64($0)) }
        values["height"] = height.map { .integer(Int64($0)) }
        values["duration"] = duration.map { .number($0) }
        values["takenAt"] = takenAt.map { .string(ISO8601.text($0)) }
        return values
    }

    /// The path below the root, byte for byte.
    package var filePath: FilePath {
        guard let bytes = pathBytes.flatMap({ Data(base64Encoded: $0) }) else { return FilePath(path) }
        return FilePath(bytes: Array(bytes))
    }
}
