import Platform
package import Providers

/// Names one job in `jobs.json`, always the same for the same work, such as `fal:80e7…`.
package struct JobIdentifier: RawRepresentable, Hashable, Codable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A generation at a provider.
    package init(_ reference: JobReference) {
        rawValue = "\(reference.provider.rawValue):\(reference.id)"
    }

    /// A generation of ours that the provider has not named yet.
    package init(_ intent: SubmitIntent) {
        rawValue = "\(intent.provider.rawValue):generate-\(intent.key.rawValue)"
    }

    /// A bare link: links that differ only in their query are one.
    package init(link: String) {
        rawValue = "link:" + Self.digits(of: link)
    }

    /// A link of a table's rows; a row that gets another link later is another job.
    package init(_ row: TableRow) {
        rawValue = "\(row.table):" + Self.digits(of: row.link)
    }

    /// 16 hex digits of the SHA-256 of what makes two links one file.
    private static func digits(of link: String) -> String {
        SHA256.hash(RemoteMedia(link, .unknown).identity.utf8).prefix(8).hexadecimal
    }
}

extension JobIdentifier: Comparable {
    package static func < (one: JobIdentifier, other: JobIdentifier) -> Bool { one.rawValue < other.rawValue }
}
