package import FoundationEssentials
package import Providers

/// What a rescue is to bring into storage.
package struct RescueOrder: Hashable, Codable, Sendable {
    /// Where the files are found.
    package enum What: Hashable, Codable, Sendable {
        case links([RescueLink])
        /// Finished jobs that the provider lists, since this date.
        case provider(ProviderName, since: Date?)
        case table(TableOrder)
        /// What earlier orders named and storage does not hold yet.
        case known
        /// The jobs in the registry with these identifiers, such as those that a plan has recorded.
        case jobs([JobIdentifier])
    }

    /// Where the files are found.
    package var what: What
    /// Whether only the listing is wanted; nothing is recorded or fetched then.
    package var dryRun: Bool

    private enum CodingKeys: String, CodingKey { case what, dryRun }

    /// An order as given on the command line; nothing is looked up yet.
    package init(_ what: What, dryRun: Bool = false) {
        self.what = what
        self.dryRun = dryRun
    }
}

/// A link to a finished file.
package struct RescueLink: Hashable, Codable, Sendable {
    /// The link as the user gave it, query included, which may be a secret.
    package let url: String
    /// When it expires, as the user said; `nil` where that is taken from the link itself.
    package let expires: Date?

    private enum CodingKeys: String, CodingKey { case url, expires }

    /// A link as named by the user or a list; not checked yet.
    package init(_ url: String, expires: Date? = nil) {
        self.url = url
        self.expires = expires
    }
}

/// The part of a database that a rescue needs: rows that hold links.
package protocol RowKeeping: Sendable {
    /// Rows whose column holds a link that does not lead to this storage.
    ///
    /// Throws `Refusal` where they cannot be read.
    func rows(_ order: TableOrder) async throws -> [TableRow]
    /// Puts the link to a stored file into its row, if the row still holds a link known to be its own; idempotent.
    func write(_ link: RowLink, to row: TableRow) async -> RowOutcome
}

extension RowKeeping {
    /// The row as it is now, found by its link without the query; `nil` if no row holds that link any more.
    ///
    /// Throws `Refusal` where it cannot be read.
    func current(_ row: TableRow) async throws -> TableRow? {
        let order = TableOrder(table: row.table, column: row.column, thumbnailColumn: row.thumbnailColumn)
        let identity = RemoteMedia(row.link, .unknown).identity
        let found = try await rows(order).filter { RemoteMedia($0.link, .unknown).identity == identity }
        return found.first { $0.link != row.link } ?? found.first
    }
}
