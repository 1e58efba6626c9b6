/// Cases whose own words name them in the page's API.
package protocol NamedByWord: CaseIterable {}

extension NamedByWord {
    /// The word for it in the page's API.
    package var word: String { "\(self)" }

    /// The case of that word; `nil` for a word that is none.
    package init?(word: String) {
        guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = found
    }
}
