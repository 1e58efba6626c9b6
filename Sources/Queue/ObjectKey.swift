package import MediaModel
package import Platform

/// The name under which storage holds an object: `[<user id>/]<root name>/<path below root>`, escaped.
///
/// Every byte outside letters, digits and `. _ - ( ) '` and space becomes `!XX`, so a key is legal
/// for storage (contract, section 3) and two paths never share one. The rules are design.md's, "Keys".
package struct ObjectKey: Hashable, Sendable {
    /// The key as storage knows it, without a slash at its start.
    package let text: String

    /// A key read back from state or storage, taken as it is.
    package init(text: String) {
        self.text = text
    }

    /// Bucket and key in one text, by which the queue finds the item that is to fill the key.
    package func place(in bucket: String) -> String { bucket + "/" + text }
}

extension ObjectKey {
    /// The most bytes of a segment; a longer one is shortened.
    static let segmentLimit = 200
    /// The most bytes of a key; in a longer one the middle directories are shortened.
    static let keyLimit = 800

    /// The key of the file at `path` below the root called `root`.
    ///
    /// `prefix` comes first: the user id, the destination's prefix, or both; it is not escaped.
    package init(prefix: String = "", root: String, path: FilePath) {
        let segments = [Array(root.utf8)] + path.components
        let escaped = segments.map(Self.segment)
        let head = prefix.isEmpty ? [] : [prefix]
        let whole = (head + escaped).joined(separator: "/")
        guard whole.utf8.count > Self.keyLimit, segments.count > 2 else {
            self.init(text: whole)
            return
        }
        let middle = segments[1..<(segments.count - 1)].joined(separator: [UInt8(ascii: "/")])
        let short = head + [escaped[0], "!!" + Self.digest(Array(middle)), escaped[escaped.count - 1]]
        self.init(text: short.joined(separator: "/"))
    }

    /// The key of a thumbnail of the object under `original`, which starts with `prefix`.
    package init(
        thumbnail size: Int, of original: ObjectKey, prefix: String = "", format: ThumbnailFormat = .jpeg
    ) {
        let rest = prefix.isEmpty ? Substring(original.text) : original.text.dropFirst(prefix.count + 1)
        let head = prefix.isEmpty ? "" : prefix + "/"
        self.init(text: "\(head)\(Self.thumbnailFolder)/\(size)/\(rest).\(format.fileExtension)")
    }

    /// The format of the thumbnail under this key, by its end; `nil` where that names none.
    package var thumbnailFormat: ThumbnailFormat? {
        ThumbnailFormat.stored.first { text.hasSuffix(".\($0.fileExtension)") }
    }

    /// The folder, directly below the prefix, that holds thumbnails.
    package static let thumbnailFolder = ".thumbnails"

    /// The root's name and the path, or `nil` when the key was shortened and only the metadata has them.
    ///
    /// Also `nil` for a key that this program would not have made, so that no foreign key leads out of a directory.
    package func location(prefix: String = "") -> (root: [UInt8], path: FilePath)? {
        guard prefix.isEmpty || text.hasPrefix(prefix + "/") else { return nil }
        let rest = prefix.isEmpty ? Substring(text) : text.dropFirst(prefix.count + 1)
        var segments: [[UInt8]] = []
        for segment in rest.split(separator: "/", omittingEmptySubsequences: false) {
            guard let bytes = Self.unescaped(segment), Self.isName(bytes),
                Self.segment(bytes) == segment || Self.isLongBeside(segment, bytes)
            else { return nil }
            segments.append(bytes)
        }
        guard segments.count > 1 else { return nil }
        return (segments[0], FilePath(bytes: Array(segments.dropFirst().joined(separator: [UInt8(ascii: "/")]))))
    }

    /// The file that the object belongs to, and whether it is the original or a thumbnail; `nil` as for `location`.
    package func file(prefix: String = "") -> (root: String, path: FilePath, role: Item.Role)? {
        guard let location = location(prefix: prefix) else { return nil }
        guard location.root.elementsEqual(Self.thumbnailFolder.utf8) else {
            return (String(decoding: location.root, as: UTF8.self), location.path, .original)
        }
        guard let (size, original) = Self.thumbnail(in: [location.root] + location.path.components),
            let root = original.first, original.count > 1, let format = thumbnailFormat
        else { return nil }
        let path = original.dropFirst().joined(separator: [UInt8(ascii: "/")])
            .dropLast(format.fileExtension.utf8.count + 1)
        return (String(decoding: root, as: UTF8.self), FilePath(bytes: Array(path)), .thumbnail(size))
    }

    /// The thumbnail's size, and its original's segments with the format's extension, by the key's segments from the
    /// thumbnail folder on; `nil` where no thumbnail has such a key.
    package static func thumbnail(
        in segments: some Collection<[UInt8]>
    ) -> (size: Int, original: [[UInt8]])? {
        let segments = Array(segments)
        guard segments.count > 2, segments[0].elementsEqual(thumbnailFolder.utf8),
            segments[1].allSatisfy({ (0x30...0x39).contains($0) }),
            let size = Int(String(decoding: segments[1], as: UTF8.self))
        else { return nil }
        return (size, Array(segments[2...]))
    }

    /// Whether a directory can hold a file of that name.
    private static func isName(_ bytes: [UInt8]) -> Bool {
        !bytes.isEmpty && !isDots(bytes) && !bytes.contains(UInt8(ascii: "/")) && !bytes.contains(0)
    }

    /// The key with `--<8 hex>` before its extension, for an object beside one that is not ours.
    package func beside(_ sha256: String) -> ObjectKey {
        let name = text.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        let head = text.prefix(text.count - name.count)
        return ObjectKey(text: "\(head)\(name[..<dot])--\(sha256.prefix(8))\(name[dot...])")
    }

    /// Whether this is already a key beside another one, made for bytes with that hash.
    package func isBeside(_ sha256: String) -> Bool { text.contains("--\(sha256.prefix(8))") }

    /// The place of the file at `path` if its key is one beside another object's, which only the metadata tells; `nil` if
    /// the name shows that it is not.
    package static func besideWhich(_ path: FilePath) -> FilePath? {
        let suffix = path.fileExtension
        let stem = path.name.dropLast(suffix.count)
        guard stem.count > 10, stem.dropLast(8).suffix(2).elementsEqual("--".utf8),
            stem.suffix(8).allSatisfy({ Set("0123456789abcdef".utf8).contains($0) })
        else { return nil }
        return path.parent.appending(stem.dropLast(10) + suffix)
    }

    /// Whether a segment is too long for a name because it is that of a key beside another one.
    private static func isLongBeside(_ segment: Substring, _ bytes: [UInt8]) -> Bool {
        guard escaped(bytes) == segment, let own = besideWhich(FilePath(bytes: bytes)) else { return false }
        return Self.segment(own.bytes) == escaped(own.bytes)
    }

    private static func segment(_ bytes: [UInt8]) -> String {
        let whole = escaped(bytes)
        guard whole.utf8.count > segmentLimit else { return whole }
        var head = whole.prefix(60)
        if let escape = head.lastIndex(of: "!"), head.distance(from: escape, to: head.endIndex) < 3 {
            head = head[..<escape]
        }
        let suffix = escaped(FilePath(bytes: bytes).fileExtension)
        return head + "!!" + digest(bytes) + (suffix.utf8.count <= 40 ? suffix : "")
    }

    /// `.` and `..` as whole segments are escaped too: storage refuses them.
    private static func escaped(_ bytes: [UInt8]) -> String {
        if isDots(bytes) { return String(repeating: "!2E", count: bytes.count) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            if isPlain(byte) {
                text.append(byte)
            } else {
                text += [UInt8(ascii: "!"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func isDots(_ bytes: [UInt8]) -> Bool {
        (1...2).contains(bytes.count) && bytes.allSatisfy { $0 == UInt8(ascii: ".") }
    }

    private static func unescaped(_ segment: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(segment.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "!") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexadecimal.firstIndex),
                let low = rest.popFirst().flatMap(hexadecimal.firstIndex)
            else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
            UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "'"), UInt8(ascii: " "):
            true
        default: false
        }
    }

    /// The first 32 hex digits of the bytes' SHA-256.
    private static func digest(_ bytes: [UInt8]) -> String {
        String(SHA256.hash(bytes).hexadecimal.prefix(32))
    }
}
