import FoundationEssentials
import Platform
import Queue
import Uploading

/// Where an object's file belongs below the target directory: `<root>/<path>`.
struct RestorePlace: Hashable, Sendable {
    /// What the place was read from.
    enum Source: Hashable, Sendable {
        /// The key alone says it.
        case key
        /// The key was shortened; our metadata says it, and agrees with the key.
        case metadata
        /// The key is not one of ours, or its metadata is missing: the text of the key is the path.
        case literal
    }

    let path: FilePath
    let source: Source
    /// The place that the file had when it was stored, if the key is one beside another object's; else `nil`.
    var wanted: FilePath?

    /// Works out where the object under `key` belongs; refuses a key that names no file below a directory.
    ///
    /// A key that can be read back counts more than the metadata, because an object that was moved on the server keeps
    /// the metadata of its old name. No result leads out of a directory, even for a hostile key.
    init(key: String, prefix: String, metadata: ObjectMetadata?) throws(RestoreRefusal) {
        if let location = ObjectKey(text: key).location(prefix: prefix) {
            path = FilePath(bytes: location.root).appending(location.path)
            source = .key
            if let metadata { wanted = Self.wanted(location.path, in: location.root, by: metadata) }
            return
        }
        let segments = try Self.segments(of: key, prefix: prefix)
        if let metadata, let path = Self.path(in: segments, by: metadata, prefix: prefix) {
            self.path = path.path
            (source, wanted) = (.metadata, path.wanted)
        } else {
            path = FilePath(bytes: Array(segments.joined(separator: [UInt8(ascii: "/")])))
            source = .literal
        }
    }
}

extension RestorePlace {
    /// The deepest nesting of folders; keys of ours, with at most 1,024 bytes, have fewer.
    private static let depthLimit = 512
    /// Bytes of a path that programs can use (`PATH_MAX`, with the NUL).
    private static let pathLimit = 4_096

    /// Why `path` below `directory` is too deep or too long to be made; `nil` where it may be made.
    static func excess(_ path: FilePath, below directory: FilePath) -> String? {
        let depth = path.components.count - 1
        if depth > depthLimit { return "it lies \(depth) folders deep, and at most \(depthLimit) are made" }
        let longest = directory.bytes.count + 1 + path.bytes.count - path.name.count
        // The part that gathers the bytes may have a longer name.
        let bytes = longest + max(path.name.count, RestoreTarget.partLength)
        return bytes < pathLimit ? nil : "its path would have \(bytes) bytes, more than programs can open"
    }

    /// Whether the object under `key` is a thumbnail: `[<user id>/].thumbnails/…` below the prefix.
    static func isThumbnail(_ key: String, prefix: String) -> Bool {
        let rest = key.utf8.dropFirst(prefix.isEmpty ? 0 : prefix.utf8.count + 1)
        let segments = rest.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
        if ObjectKey.thumbnail(in: segments) != nil { return true }
        guard UUID(uuidString: String(decoding: segments[0], as: UTF8.self)) != nil else { return false }
        return ObjectKey.thumbnail(in: segments.dropFirst()) != nil
    }

    /// Whether `metadata` shows that the object under `key` is a thumbnail of another prefix, such as another computer's.
    ///
    /// It is not if the path in the metadata contains a folder of that name, which then lies in the root itself.
    static func isThumbnailElsewhere(_ key: String, _ metadata: ObjectMetadata) -> Bool {
        guard mayBeThumbnail(key) else { return false }
        let segments = key.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
        let folder = Array(ObjectKey.thumbnailFolder.utf8)
        guard let place = segments.firstIndex(of: folder), ObjectKey.thumbnail(in: segments[place...]) != nil
        else { return false }
        return !metadata.filePath.components.contains { $0.elementsEqual(folder) }
    }

    /// Whether the key alone leaves open whether the object is a thumbnail.
    static func mayBeThumbnail(_ key: String) -> Bool { key.contains(ObjectKey.thumbnailFolder) }

    /// The key's segments below the prefix, each fit to be a name.
    private static func segments(of key: String, prefix: String) throws(RestoreRefusal) -> [[UInt8]] {
        let head = prefix.isEmpty ? [] : Array(prefix.utf8) + [UInt8(ascii: "/")]
        let bytes = Array(key.utf8)
        guard bytes.starts(with: head) else { throw RestoreRefusal("its key does not begin with \(prefix)/") }
        let segments = bytes.dropFirst(head.count).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for segment in segments {
            guard !segment.isEmpty else { throw RestoreRefusal("its key has an empty part") }
            guard !segment.elementsEqual([UInt8(ascii: ".")]), !segment.elementsEqual("..".utf8) else {
                throw RestoreRefusal("its key would lead out of the directory")
            }
            guard !segment.contains(0) else { throw RestoreRefusal("its key contains a NUL") }
        }
        return segments.map(Array.init)
    }

    /// The original place of the file stored under `path`, if it was stored beside another object that has its key.
    ///
    /// Such a key ends in the hash of the object's bytes, whatever path the metadata names, because a moved object
    /// keeps the path of its former name. But a file may also have such a name of its own.
    private static func wanted(_ path: FilePath, in root: [UInt8], by metadata: ObjectMetadata) -> FilePath? {
        guard metadata.filePath != path, let own = ObjectKey.besideWhich(path), beside(own, metadata.sha256) == path
        else {
            return nil
        }
        return FilePath(bytes: root).appending(own)
    }

    /// Root and path by our metadata, if the key of a file there would end in the same segments.
    ///
    /// With the original place of the file, if the key is one beside it.
    private static func path(
        in segments: [[UInt8]], by metadata: ObjectMetadata, prefix: String
    ) -> (path: FilePath, wanted: FilePath?)? {
        guard segments.count > 1, let first = segments.first else { return nil }
        let known = FilePath(bytes: Array(metadata.filePath.components.joined(separator: [UInt8(ascii: "/")])))
        guard !known.components.contains(where: isDots) else { return nil }
        let root = root(of: first, by: metadata)
        let usual = ObjectKey(prefix: prefix, root: String(decoding: root, as: UTF8.self), path: known)
        let wanted = segments.dropFirst()
        let own = FilePath(bytes: root).appending(known)
        if tail(of: usual, prefix: prefix) == wanted { return (own, nil) }
        guard tail(of: usual.beside(metadata.sha256), prefix: prefix) == wanted else { return nil }
        return (FilePath(bytes: root).appending(beside(known, metadata.sha256)), own)
    }

    /// The root's name: by its segment, else by the metadata if the segment was shortened, else the segment itself.
    private static func root(of segment: [UInt8], by metadata: ObjectMetadata) -> [UInt8] {
        if let root = ObjectKey(text: String(decoding: segment, as: UTF8.self) + "/x").location()?.root { return root }
        guard let root = metadata.root, !root.utf8.contains(UInt8(ascii: "/")), !root.utf8.contains(0),
            ObjectKey(root: root, path: "x").text.utf8.dropLast(2).elementsEqual(segment)
        else { return segment }
        return Array(root.utf8)
    }

    /// The path with `--` and eight hash digits before its extension, as in keys beside other objects.
    static func beside(_ path: FilePath, _ hash: String) -> FilePath {
        named(path, path.name.dropLast(path.fileExtension.count), "--\(hash.prefix(8))".utf8 + path.fileExtension)
    }

    /// The path with another last name, whose first part is shortened so that disks take the whole.
    static func named(_ path: FilePath, _ head: some Collection<UInt8>, _ end: some Collection<UInt8>) -> FilePath {
        var kept = Array(head.prefix(max(0, nameLimit - end.count)))
        if kept.count < head.count {
            // No character may be cut in two.
            while let last = kept.last, last & 0xC0 == 0x80 { kept.removeLast() }
            if let last = kept.last, last & 0xC0 == 0xC0 { kept.removeLast() }
        }
        return path.parent.appending(kept + end)
    }

    /// Bytes of the longest name that file systems take.
    private static let nameLimit = 255

    /// The key's segments after the root.
    private static func tail(of key: ObjectKey, prefix: String) -> ArraySlice<[UInt8]> {
        let rest = key.text.utf8.dropFirst(prefix.isEmpty ? 0 : prefix.utf8.count + 1)
        return rest.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init).dropFirst()
    }

    private static func isDots(_ name: [UInt8]) -> Bool {
        name == [UInt8(ascii: ".")] || name == Array("..".utf8)
    }
}
