/// Finds the name that the user probably meant.
package enum Spelling {
    /// The valid name nearest to `word`, or `nil` when none is near enough.
    ///
    /// Near enough means that at most a third of the letters, or two, are wrong, missing, added or swapped; in a word
    /// of up to four letters, one. Letter case and the separators `- _ .` do not count.
    package static func nearest(to word: String, among names: some Sequence<String>) -> String? {
        let wanted = plain(word)
        let limit = wanted.count > 4 ? max(2, wanted.count / 3) : 1
        var best: (name: String, distance: Int)?
        for name in names {
            let candidate = plain(name)
            let isStart = wanted.count >= 3 && candidate.starts(with: wanted)
            let distance = isStart ? 1 : distance(wanted, candidate)
            // Words must share a letter, so that "ab" does not mean "go".
            guard distance <= limit, distance < max(wanted.count, candidate.count) else { continue }
            if distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// ` Did you mean "x"?`, or nothing.
    package static func suggestion(for word: String, among names: some Sequence<String>) -> String {
        nearest(to: word, among: names).map { " Did you mean \"\($0)\"?" } ?? ""
    }

    private static func plain(_ word: String) -> [Character] {
        word.lowercased().filter { !"-_.".contains($0) }
    }

    /// The number of insertions, deletions, replacements and swaps of neighbours that turn `left` into `right`.
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for i in left.indices {
            var current = [i + 1]
            for j in right.indices {
                let replaced = previous[j] + (left[i] == right[j] ? 0 : 1)
                var cost = min(replaced, previous[j + 1] + 1, current[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    cost = min(cost, beforePrevious[j - 1] + 1)
                }
                current.append(cost)
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
