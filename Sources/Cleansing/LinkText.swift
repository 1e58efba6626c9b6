/// Links and parameters in text, without their credentials.
enum LinkText {
    /// Removes user, query and fragment of every link, even if its slashes are escaped as in JSON.
    static func withoutQueries(_ text: String) -> String {
        guard marks.contains(where: text.contains) else { return text }
        var result = ""
        var rest = text[...]
        while let start = firstMark(in: rest) {
            result += rest[..<start.upperBound]
            let link = rest[start.upperBound...].prefix { !isEnd($0) }
            let shown = link.prefix { $0 != "?" && $0 != "#" }
            let host = shown.prefix { $0 != "/" && $0 != "\\" }
            result += host.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
            result += shown[host.endIndex...]
            if shown.endIndex != link.endIndex { result += "?" + Cleanser.mark }
            rest = rest[link.endIndex...]
        }
        return result + rest
    }

    private static let marks = ["://", ":\\/\\/"]

    /// The range of the first link's mark in `text`, found in one pass.
    private static func firstMark(in text: Substring) -> Range<Substring.Index>? {
        var rest = text
        while let colon = rest.firstIndex(of: ":") {
            rest = rest[colon...]
            if let mark = marks.first(where: rest.hasPrefix) { return colon..<rest.index(colon, offsetBy: mark.count) }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// Replaces the values of parameters and headers that are known to be secret, such as `token=`.
    static func withoutValues(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for name in names { bytes = withoutValues(bytes, after: name) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func withoutValues(_ text: [UInt8], after name: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < text.count {
            guard matches(name, text, at: index) else {
                result.append(text[index])
                index += 1
                continue
            }
            let start = index + name.count
            let end = text[start...].firstIndex(where: isEnd) ?? text.count
            result += text[index..<start]
            if end > start { result += Array(Cleanser.mark.utf8) }
            index = max(end, start)
        }
        return result
    }

    /// Whether `name`, in either case, is at `index` and does not merely end a longer word.
    ///
    /// A capital after another letter begins a word, as in `accessToken`.
    private static func matches(_ name: [UInt8], _ text: [UInt8], at index: Int) -> Bool {
        guard index + name.count <= text.count else { return false }
        for (offset, byte) in name.enumerated() where lowercase(text[index + offset]) != byte { return false }
        guard index > 0, isLetter(text[index - 1]), isLetter(name[0]) else { return true }
        return isCapital(text[index]) && !isCapital(text[index - 1])
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 { isCapital(byte) ? byte | 0x20 : byte }
    private static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercase(byte))
    }

    private static func isEnd(_ character: Character) -> Bool {
        character.isWhitespace || "\"'<>`".contains(character)
    }

    private static func isEnd(_ byte: UInt8) -> Bool { byte <= 0x20 || ends.contains(byte) }
    private static let ends = Set("\"'<>`&,;\\".utf8)

    /// The names in lower case; the value after a name is removed up to white space, a quote or an ampersand.
    private static let names: [[UInt8]] = {
        let parameters = ["token", "jwt", "signature", "sig", "credential", "apikey", "api_key", "password", "secret"]
        let members = ["token", "apikey", "api_key", "api-key", "password", "secret"].flatMap {
            [$0 + "\":\"", $0 + "\": \""]
        }
        // Only after `authorization`, because these words before a key are common in other text.
        let headers = ["basic ", "key ", "token "].flatMap { kind in
            ["authorization: ", "authorization\":\"", "authorization\": \""].map { $0 + kind }
        }
        let others = ["?key=", "&key=", "bearer ", "apikey: ", "api-key: "]
        return (parameters.map { $0 + "=" } + members + headers + others).map { Array($0.utf8) }
    }()
}
