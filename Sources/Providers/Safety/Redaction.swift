/// Takes out of text what opens doors: the queries of links, signatures, keys.
package enum Redaction {
    /// `text` for logs, reports and state files; `secrets` are replaced wherever they stand.
    ///
    /// Every link loses its query and fragment, also with slashes escaped as in JSON.
    package static func text(_ text: String, hiding secrets: [String] = []) -> String {
        var text = text
        for secret in secrets where secret.utf8.count >= 4 { text = text.replacing(secret, with: "…") }
        text = cut(text, atQueriesAfter: ["://", ":\\/\\/"])
        for name in parameters { text = blank(text, after: name) }
        return text
    }

    /// A link as people may see it.
    package static func link(_ link: String) -> String { text(link) }

    /// Drops what follows a question mark or fragment sign until the link's end.
    private static func cut(_ text: String, atQueriesAfter marks: [String]) -> String {
        var result = ""
        var rest = text[...]
        while let start = marks.compactMap({ rest.firstRange(of: $0) }).min(by: { $0.lowerBound < $1.lowerBound }) {
            result += rest[..<start.upperBound]
            let link = rest[start.upperBound...].prefix { !isEnd($0) }
            let shown = link.prefix { $0 != "?" && $0 != "#" }
            result += shown.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
            if shown.endIndex != link.endIndex { result += "?…" }
            rest = rest[link.endIndex...]
        }
        return result + rest
    }

    /// Replaces the value behind each `name`, such as `token=`.
    private static func blank(_ text: String, after name: String) -> String {
        var result = ""
        var rest = text[...]
        while let range = rest.firstRange(of: name) {
            let value = rest[range.upperBound...].prefix { !isEnd($0) && $0 != "&" }
            result += rest[..<range.upperBound] + "…"
            rest = rest[value.endIndex...]
        }
        return result + rest
    }

    private static func isEnd(_ character: Character) -> Bool {
        character.isWhitespace || "\"'<>`".contains(character)
    }

    private static let parameters = [
        "X-Amz-Signature=", "X-Amz-Credential=", "X-Amz-Security-Token=", "X-Goog-Signature=", "_jwt=", "Bearer ",
        "token=", "?key=", "&key=",
    ]
}
