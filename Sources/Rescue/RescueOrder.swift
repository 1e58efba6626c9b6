package import FoundationEssentials
package import Providers

/// What a rescue is to bring into storage.
package struct RescueOrder: Hashable, Codable, Sendable {
    /// Where the files are found.
    package enum What: Hashable, Codable, Sendable {
        case links([RescueLink])
        /// The provider's finished jobs that it can list, since then.
        case provider(ProviderName, since: Date?)
        case table(TableOrder)
        /// What earlier orders named and is not stored yet.
        case known
        /// Those in the book by these names, such as a plan wrote down.
        case jobs([JobIdentifier])
    }

    package var what: What
    /// Only the listing is wanted; nothing is written down or fetched.
    package var dryRun: Bool

    private enum CodingKeys: String, CodingKey { case what, dryRun }

    package init(_ what: What, dryRun: Bool = false) {
        self.what = what
        self.dryRun = dryRun
    }
}

/// A link to a finished file.
package struct RescueLink: Hashable, Codable, Sendable {
    package let url: String
    /// When it dies, by the user's word.
    package let expires: Date?

    private enum CodingKeys: String, CodingKey { case url, expires }

    package init(_ url: String, expires: Date? = nil) {
        self.url = url
        self.expires = expires
    }
}

/// The database whose rows hold links, as a rescue needs it.
package protocol RowKeeping: Sendable {
    /// Rows whose column holds a link that leads elsewhere than to this storage.
    ///
    /// Throws `Refusal`.
    func rows(_ order: TableOrder) async throws -> [TableRow]
    /// Puts a stored file's address into its row, if that still holds the old link; harmless when repeated.
    func write(_ file: JobFile, of row: TableRow) async -> RowOutcome
}
