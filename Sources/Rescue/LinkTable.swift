import Records
package import Supabase

/// Reads links to rescue from tables of the project's database, and writes the new URLs back.
///
/// A row that was edited meanwhile is left alone.
package struct LinkTable: Sendable {
    /// Whether the rows of a stored file were updated.
    package enum WriteBack: Hashable, Sendable {
        /// This many rows have the new link.
        case written(Int)
        /// No row holds the old link any more.
        case edited
    }

    private let client: RestClient
    /// Links that begin with this are in our storage already.
    private let own: String

    /// Reads tables through `client`; links that begin with `own`, the storage's URL, are left out.
    package init(_ client: RestClient, own: String) {
        self.client = client
        self.own = own
    }
}

extension LinkTable: RowKeeping {
    /// Reads every link in the column of `order` that leads elsewhere.
    ///
    /// Throws `Refusal`: a usage error where the table or column does not exist, temporary where a retry may help.
    package func rows(_ order: TableOrder) async throws -> [TableRow] {
        if let fault = order.fault { throw Refusal(.usage(fault)) }
        do throws(RestError) {
            return try await links(order).map { TableRow(order, link: $0) }
        } catch {
            throw Refusal(Self.ending(error, at: order))
        }
    }

    /// Writes the link into the rows that it belongs to; an answer that may pass becomes `waiting`.
    package func write(_ link: RowLink, to row: TableRow) async -> RowOutcome {
        do throws(RestError) {
            switch try await put(link, into: row) {
            case .written: return .written
            case .edited: return .left("it holds another link now")
            }
        } catch {
            return error.isRetryable ? .waiting("\(error)") : .left("\(error)")
        }
    }

    private static func ending(_ error: RestError, at order: TableOrder) -> Ending {
        let sentence = "The links of \(order.table).\(order.column) cannot be read: \(error)"
        if error.isRetryable { return .temporary(sentence) }
        return error.refusal?.code == "PGRST205" || error.isUnknownColumn ? .usage(sentence) : .notPermitted(sentence)
    }
}

extension LinkTable {
    /// Each distinct link in the column of `order` that leads elsewhere, in the database's text order.
    package func links(_ order: TableOrder) async throws(RestError) -> [String] {
        var links: [String] = []
        var last = ""
        while true {
            let page = try await client.select(
                [order.column], from: order.table, where: [.greater(order.column, last)],
                order: "\(order.column).asc", limit: Self.page)
            let found = page.compactMap { $0[order.column]?.string }
            for link in found where link != links.last && !link.hasPrefix(own) { links.append(link) }
            // A project may give fewer rows than asked for, so only an empty page is the last one.
            guard let end = found.last, end != last else { return links }
            last = end
        }
    }

    /// Puts the link, and the thumbnail's if there is one, into the rows that hold a link known to be theirs.
    ///
    /// A table without the column for thumbnails gets the link alone. Idempotent even if an answer was lost: a row that
    /// already holds the new link counts as written.
    package func put(_ link: RowLink, into row: TableRow) async throws(RestError) -> WriteBack {
        var values: RestClient.Row = [row.column: .string(link.url)]
        if let column = row.thumbnailColumn, let thumbnail = link.thumbnail { values[column] = .string(thumbnail) }
        let known = link.held.isEmpty ? [row.link] : link.held
        let filters = [RestFilter.among(row.column, known + [link.url])]
        let rows: [RestClient.Row]
        do throws(RestError) {
            rows = try await client.update(row.table, set: values, where: filters)
        } catch {
            guard let column = row.thumbnailColumn, values[column] != nil, error.isUnknownColumn else { throw error }
            rows = try await client.update(row.table, set: [row.column: .string(link.url)], where: filters)
        }
        return rows.isEmpty ? .edited : .written(rows.count)
    }

    /// Rows that one request reads; PostgREST's usual limit is 1,000.
    private static let page = 500
}

extension RestError {
    /// Whether the table lacks a column, by the codes of PostgREST and PostgreSQL.
    fileprivate var isUnknownColumn: Bool { ["PGRST204", "42703"].contains(refusal?.code) }
}
