import FoundationEssentials

/// The pairs of `Upload-Metadata`: names with values in base64, separated by commas without blanks.
package struct UploadMetadataPairs: Hashable {
    private struct Pair: Hashable {
        let name: String
        var value: String?
    }

    private var pairs: [Pair] = []

    /// Parses `line`; `nil` where it contains anything but pairs.
    package init?(_ line: String) {
        guard !line.isEmpty else { return nil }
        for part in line.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count <= 2, let name = words.first, !name.isEmpty, !has(String(name)) else { return nil }
            guard words.count == 2 else {
                pairs.append(Pair(name: String(name)))
                continue
            }
            guard let data = Data(base64Encoded: String(words[1])) else { return nil }
            pairs.append(Pair(name: String(name), value: String(decoding: data, as: UTF8.self)))
        }
    }

    private func has(_ name: String) -> Bool { pairs.contains { $0.name == name } }

    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// The `bucketName`.
    package var bucket: String? { self["bucketName"] }
    /// The `objectName`; empty where there is none.
    package var key: String { self["objectName"] ?? "" }
    /// The `contentType`.
    package var type: String? { self["contentType"] }
    /// `max-age=N` where the value is a whole number N, else `no-cache`.
    var cacheControl: String {
        guard let text = self["cacheControl"] else { return "no-cache" }
        if text.hasPrefix("max-age="), Int64(text.dropFirst(8)) != nil, isSettled { return text }
        return Int64(text).map { "max-age=\($0)" } ?? "no-cache"
    }
    /// The text of a JSON object, or `nil`.
    var userMetadata: String? {
        guard let json = self["metadata"].flatMap({ JSON(parsing: Array($0.utf8)) }), json.isObject else { return nil }
        return json.rendered
    }

    /// Whether the cache control already has its final form.
    private var isSettled = false

    /// The same pairs with the cache control as it will be served.
    package var settled: UploadMetadataPairs {
        var settled = self
        let control = Pair(name: "cacheControl", value: cacheControl)
        if let index = pairs.firstIndex(where: { $0.name == control.name }) {
            settled.pairs[index] = control
        } else {
            settled.pairs.append(control)
        }
        settled.isSettled = true
        return settled
    }

    /// Parses a line that was made by `settled.line`.
    init?(settled line: String) {
        self.init(line)
        isSettled = true
    }

    /// The pairs as the header has them.
    package var line: String {
        pairs.map { pair in
            guard let value = pair.value else { return pair.name }
            return "\(pair.name) \(Data(value.utf8).base64EncodedString())"
        }.joined(separator: ",")
    }
}
