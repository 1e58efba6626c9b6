package import FoundationEssentials
import Text

/// The link that a row gets once its file is stored.
package struct RowLink: Hashable, Codable, Sendable {
    /// What the column for the link gets; a signed one is a secret.
    package let url: String
    /// What the column for the thumbnail gets; `nil` without one.
    let thumbnail: String?
    /// When it was signed, and when it ends; `nil` for a link that does not end.
    package let term: Term?
    /// Other links that the row may hold until this one is known to have been written, the oldest first.
    package private(set) var held: [String] = []

    private enum CodingKeys: String, CodingKey { case url, thumbnail, term, held }

    /// From when to when a signed link works.
    package struct Term: Hashable, Codable, Sendable {
        /// When it was signed.
        package let start: Date
        /// When it ends.
        let end: Date

        private enum CodingKeys: String, CodingKey { case start, end }

        /// A term of `seconds`, above 0, from `start` on.
        package init(from start: Date, seconds: Double) {
            self.start = start
            end = start + seconds
        }
    }

    /// A link that no row holds yet.
    package init(url: String, thumbnail: String?, term: Term? = nil) {
        self.url = url
        self.thumbnail = thumbnail
        self.term = term
    }
}

extension RowLink.Term {
    /// When another link is to be signed: at half of its term or with a day left, whichever is sooner.
    ///
    /// If the term is not much longer than a day, a day left would come at once, each time; then half of it counts.
    package var renewal: Date {
        let length = end.timeIntervalSince(start)
        let beforeLastDay = length - 86_400
        return start + (beforeLastDay >= length / 4 ? min(length / 2, beforeLastDay) : length / 2)
    }
}

extension RowLink {
    /// Whether another one is to take its place.
    func isDue(at now: Date) -> Bool {
        term.map { DatedWait(from: $0.start, seconds: $0.renewal.timeIntervalSince($0.start)).isOver(at: now) } ?? false
    }

    /// This link in place of `before`, or of the provider's link in `row` if there was none before.
    func following(_ before: RowLink?, in row: TableRow) -> RowLink {
        var link = self
        let all = before.map { $0.held + [$0.url] } ?? [row.link]
        // The first link was seen in the row; of those that followed, it is unknown which were written.
        link.held = Array(all.prefix(1) + all.dropFirst().suffix(3))
        return link
    }

    /// The link once the row holds it; `nil` for one that does not end.
    var written: RowLink? {
        guard term != nil else { return nil }
        var link = self
        link.held = []
        return link
    }
}
