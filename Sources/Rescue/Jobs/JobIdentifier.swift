import Platform
package import Providers

/// Names one job in `jobs.json`, always the same for the same work, such as `fal:80e7…`.
package struct JobIdentifier: RawRepresentable, Hashable, Codable, Sendable {
    /// The text in `jobs.json` and on the command line: a provider, `link` or a table, then `:` and a name.
    package let rawValue: String

    /// An identifier as read from `jobs.json` or typed by the user; it may name no job.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Names a generation by its provider's reference.
    package init(_ reference: JobReference) {
        rawValue = "\(reference.provider.rawValue):\(reference.id)"
    }

    /// Names an order of ours by its idempotency key, before its provider has named it.
    init(_ intent: SubmitIntent) {
        rawValue = "\(intent.provider.rawValue):generate-\(intent.key.rawValue)"
    }

    /// Names a bare link; links that differ only in their signatures are one job.
    package init(link: String) {
        rawValue = "link:" + Self.digits(of: link)
    }

    /// Names a link in table rows; a row that gets another link later is another job.
    init(_ row: TableRow) {
        rawValue = "\(row.table):" + Self.digits(of: row.link)
    }

    /// 16 hex digits of the SHA-256 of the link's identity.
    private static func digits(of link: String) -> String {
        SHA256.hash(RemoteMedia(link, .unknown).identity.utf8).prefix(8).hexadecimal
    }
}

extension JobIdentifier: Comparable {
    /// In byte-wise order of the text, which breaks ties in listings.
    package static func < (one: JobIdentifier, other: JobIdentifier) -> Bool { one.rawValue < other.rawValue }
}
