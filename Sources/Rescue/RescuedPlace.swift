import FoundationEssentials
import Platform
import Providers
import Text

/// Where a job's files lie below the root of rescued files, such as `fal/2026-11/80e7.mp4`.
struct RescuedPlace: Hashable, Sendable {
    private let stem: FilePath

    /// The place of file number `index`; always the same for the same job.
    ///
    /// - Parameter given: The name that the server gave the file; used if the only other name is the link's hash.
    init(_ job: Job, _ index: Int, given: String? = nil) {
        let (folder, name) = Self.names(of: job)
        let kept = given.flatMap { job.isBareLink ? Self.kept($0) : nil }
        let month = ISO8601.text(job.createdAt ?? job.addedAt, digits: 0).prefix(7)
        let number = index == 0 ? "" : "-\(index + 1)"
        let own = Self.isNumbered(name) ? Self.hashed(name) : Self.plain(name)
        stem = FilePath(Self.plain(folder)).appending(String(month)).appending((kept ?? own) + number)
    }

    private static func names(of job: Job) -> (folder: String, name: String) {
        if let reference = job.reference { return (reference.provider.rawValue, reference.id) }
        if let row = job.row { return (row.table, String(job.id.rawValue.suffix(16))) }
        return ("link", job.id.rawValue.split(separator: ":").last.map(String.init) ?? job.id.rawValue)
    }

    /// A name from outside, cleansed where it came in: not hidden, at most 100 bytes; `nil` if nothing is left.
    private static func kept(_ given: String) -> String? {
        // By scalars, because a slash with an accent is another character that contains the same byte.
        let plain = withoutExtension(given).unicodeScalars.filter { $0 != "/" && $0 != "\0" }
        var name = String(String.UnicodeScalarView(plain)).drop { $0 == "." || $0.isWhitespace }
        while name.utf8.count > 100 || name.last?.isWhitespace == true { name = name.dropLast() }
        return name.isEmpty ? nil : String(name)
    }

    private static func withoutExtension(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            RemoteMedia.Kind(fileExtension: String(name[name.index(after: dot)...])) != nil
        else { return name }
        return String(name[..<dot])
    }

    /// Where the bytes are collected until the file is complete.
    var part: FilePath { named(".part") }
    /// Where the sidecar is written before it gets its name.
    var sidecarPart: FilePath { named(".json.part") }

    func named(_ suffix: String) -> FilePath {
        stem.parent.appending(stem.name + Array(suffix.utf8))
    }

    /// `text` as a file name: ASCII letters, digits, dot, dash, underscore; not hidden, at most 100 bytes.
    ///
    /// A text that had to be changed gets eight hex digits of its hash, so that different texts get different names.
    static func plain(_ text: String) -> String {
        let plain = text.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789.-_".unicodeScalars.contains(scalar))
                ? Character(scalar) : "-"
        }
        let name = String(plain).drop { $0 == "." || $0 == "-" }.prefix(90)
        return name == text && !name.isEmpty ? text : hashed(text, String(name))
    }

    private static func hashed(_ text: String, _ name: String? = nil) -> String {
        let name = (name ?? text).prefix(80)
        return (name.isEmpty ? "" : name + "-") + SHA256.hash(text.utf8).prefix(4).hexadecimal
    }

    /// Whether a job of this name would take the place of the second or a later file of another job.
    private static func isNumbered(_ name: String) -> Bool {
        let digits = name.reversed().prefix { "0"..."9" ~= $0 }
        guard 1...6 ~= digits.count, digits.last != "0", String(digits) != "1" else { return false }
        return name.dropLast(digits.count).last == "-" && plain(name) == name
    }
}

extension Job {
    /// Whether it is known by a link alone.
    var isBareLink: Bool { reference == nil && row == nil && submission == nil }
}
