import Formats
import Platform
import Queue

extension FuzzTarget {
    static let keys = [
        FuzzTarget("key", texts: ["Pictures\02026/IMG 1.jpg", "r\0a/..b/ü%!.HEIC", "p/q/!2E!2E/x!FF"]) { text in
            let bytes = Array(text.utf8)
            return keyOfPath(bytes) ?? pathOfKey(text)
        },
        FuzzTarget("key-of-bytes", seeds: { [[0x50, 0, 0xFF, 0x2F, 0x80]] }, read: keyOfPath),
        FuzzTarget("escapes", texts: ["a%20b/%C3%BC?#", "%", "%4", "100%25+;,:@&=", "%zz/%00"], read: escapes),
    ]

    /// A path becomes a key, and a key that was not shortened becomes the same path again.
    private static func keyOfPath(_ bytes: [UInt8]) -> String? {
        let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let root = String(validating: parts[0], as: UTF8.self), isName(parts[0]) else {
            return nil
        }
        let names = FilePath(bytes: Array(parts[1])).components
        guard !names.isEmpty, names.allSatisfy({ isName($0[...]) }) else { return nil }
        let path = FilePath(bytes: Array(names.joined(separator: [UInt8(ascii: "/")])))
        let key = ObjectKey(root: root, path: path)
        guard key.text.utf8.count <= 1_000, key.text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            return "the key \(key.text) is too long, or not ASCII"
        }
        guard !key.text.contains("!!") else { return nil }
        let location = key.location()
        return unless(
            location?.root == Array(root.utf8) && location?.path == path, "\(key.text) leads to \(location as Any)")
    }

    /// A key from which a path can be read is the key of that path.
    private static func pathOfKey(_ text: String) -> String? {
        guard let location = ObjectKey(text: text).location(),
            let root = String(validating: location.root, as: UTF8.self)
        else { return nil }
        guard location.path.components.allSatisfy({ isName($0[...]) }), !location.path.isAbsolute else {
            return "\(text) leads out of the directory"
        }
        let key = ObjectKey(root: root, path: location.path)
        return unless(key.text == text, "\(text) leads to a path whose key is \(key.text)")
    }

    private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        !name.isEmpty && !name.contains(UInt8(ascii: "/")) && !name.contains(0)
            && !(name.count <= 2 && name.allSatisfy { $0 == UInt8(ascii: ".") })
    }

    private static func escapes(_ text: String) -> String? {
        for encoding in [PercentEncoding.component, .path, .signing, .file] {
            let encoded = encoding.encoded(text)
            guard PercentEncoding.decoded(encoded) == Array(text.utf8) else { return "\(encoded) is another text" }
        }
        let lenient = PercentEncoding.decodedLeniently(Array(text.utf8))
        if let strict = PercentEncoding.decoded(text), strict != lenient { return "\(text) has two meanings" }
        _ = PercentEncoding.decodedURI(text)
        return nil
    }
}
