/// A path with placeholders, such as `/object/:/*`.
package struct PathPattern: Hashable, Sendable {
    /// The segments to match: a literal, `:` for one segment, `*` at the end for the whole rest.
    private let segments: [Substring]

    /// Parses `pattern`, whose `:` and `*` must be whole segments.
    package init(_ pattern: String) {
        segments = pattern.split(separator: "/")
    }

    /// The segments that `:` and `*` stand for, still percent-encoded; `nil` when `path` does not match.
    package func match(_ path: Substring) -> [Substring]? {
        guard path.first == "/" else { return nil }
        var rest: Substring? = path.dropFirst()
        var found: [Substring] = []
        for (index, wanted) in segments.enumerated() {
            guard let here = rest else { return nil }
            if wanted == "*" {
                found.append(here)
                return index == segments.count - 1 ? found : nil
            }
            let slash = here.firstIndex(of: "/")
            let segment = here[..<(slash ?? here.endIndex)]
            rest = slash.map { here[here.index(after: $0)...] }
            if wanted == ":" {
                guard !segment.isEmpty else { return nil }
                found.append(segment)
            } else if segment != wanted {
                return nil
            }
        }
        return rest == nil ? found : nil
    }
}
