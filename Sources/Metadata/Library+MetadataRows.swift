package import Catalog
package import Configuration
import Database
import FoundationEssentials
import MediaModel
import Platform
import Queue
import Records
package import Supabase
import Tables
import Text

/// The last receipt whose row was written to the project's database, or which receipt is meant.
package struct MetadataMark: Hashable, Codable, Sendable {
    /// Nanoseconds; receipts are taken in this order, then by key.
    let verified: Int64
    let key: String
}

/// Database rows for some receipts.
package struct MetadataBatch: Hashable, Sendable {
    /// One row for each object, all with the same columns.
    package let rows: [RestClient.Row]
    /// The receipts that were looked at; empty where no row is missing.
    package let receipts: [MetadataMark]
    let sort: Sort

    enum Sort: Hashable {
        /// Receipts that were written down after the mark had passed their dates, in the order of their keys.
        case late
        /// The next ones after this mark, in its order.
        case after(MetadataMark?)
    }
}

extension Library {
    private func mark(_ destination: Destination, _ table: String) -> String {
        "\(RowFact.mark)\(table) \(destination.name)"
    }

    /// The next rows that `table` lacks: those of originals whose own receipt, or that of a thumbnail, is newer than the
    /// mark of the table, or was written down after the mark had passed it.
    package func metadataBatch(
        _ destination: Destination, in table: String, limit: Int = 500
    ) throws -> MetadataBatch {
        let late = try late(destination, limit)
        guard late.isEmpty else { return try batch(of: late, destination, .late) }
        let mark = try fact(mark(destination, table)).flatMap {
            try? JSONDecoder().decode(MetadataMark.self, from: Data($0.utf8))
        }
        return try batch(of: receipts(destination, after: mark, limit: limit), destination, .after(mark))
    }

    /// Notes durably that the rows of a batch were written.
    package func settle(_ batch: MetadataBatch, _ destination: Destination, in table: String) throws {
        switch batch.sort {
        case .late:
            // What was written down again meanwhile has another date.
            let settled = try batch.receipts.filter { try fact(late($0, destination)) == "\($0.verified)" }
            try setFacts(settled.map { (late($0, destination), nil) })
        case .after(let mark):
            try move(mark, past: batch.receipts, destination, table)
        }
    }

    private func late(_ receipt: MetadataMark, _ destination: Destination) -> String {
        "\(RowFact.late)\(destination.name) \(receipt.key)"
    }

    private func move(
        _ former: MetadataMark?, past sent: [MetadataMark], _ destination: Destination, _ table: String
    ) throws {
        guard let last = sent.last else { return }
        // What was written down meanwhile, and is dated before `last`, was not late by the former mark.
        let present = try receipts(destination, after: former, upTo: last.verified, limit: .max).map(\.mark)
        let passed = present.filter { $0.verified < last.verified || $0.key <= last.key }
        let missed = Set(passed).subtracting(sent).map { (late($0, destination), "\($0.verified)") }
        let text = String(decoding: try JSONEncoder().encode(last), as: UTF8.self)
        try setFacts(missed + [(mark(destination, table), text)])
    }

    private func batch(
        of found: [Found], _ destination: Destination, _ sort: MetadataBatch.Sort
    ) throws -> MetadataBatch {
        var rows: [String: RestClient.Row] = [:]
        for one in found {
            guard let place = one.place else { continue }
            let key = one.role == .original ? one.mark.key : try originalKey(of: place, destination)
            guard let key, rows[key] == nil else { continue }
            rows[key] = try metadataRow(key, place, destination)
        }
        return MetadataBatch(
            rows: rows.sorted { $0.key < $1.key }.map(\.value), receipts: found.map(\.mark), sort: sort)
    }

    private func receipts(
        _ destination: Destination, after mark: MetadataMark?, upTo last: Int64 = .max, limit: Int
    ) throws -> [Found] {
        try queries.rows(
            """
            SELECT verified, key, role, directory, name FROM receipts
            WHERE destination = ?1 AND verified >= ?2 AND verified <= ?4 AND (verified > ?2
                OR key > ?3) ORDER BY verified, key LIMIT ?5
            """, .text(destination.name), .integer(mark?.verified ?? .min), .text(mark?.key ?? ""), .integer(last),
            .integer(Int64(limit)), read: Self.found)
    }

    /// Receipts, or what became of them, that were written down after the mark had passed their dates.
    private func late(_ destination: Destination, _ limit: Int) throws -> [Found] {
        let prefix = RowFact.late + destination.name + " "
        return try queries.rows(
            """
            SELECT CAST(f.value AS INTEGER), substr(f.name, length(?1) + 1), r.role, r.directory, r.name FROM facts f
            LEFT JOIN receipts r ON r.destination = ?3 AND r.key = substr(f.name, length(?1) + 1)
            WHERE f.name >= ?1 AND f.name < ?2 ORDER BY f.name LIMIT ?4
            """, .text(prefix), .text(prefix + "\u{10FFFF}"), .text(destination.name), .integer(Int64(limit)),
            read: Self.found)
    }

    private static func found(_ row: Row) -> Found {
        let place = row.integerOrNil(3).map { Asset.Place(directory: $0, name: row.blob(4)) }
        return Found(
            mark: MetadataMark(verified: row.integer(0), key: row.text(1)),
            role: place == nil ? .original : Item.Role(rawValue: row.text(2)), place: place)
    }

    private struct Found {
        let mark: MetadataMark
        let role: Item.Role
        /// `nil` if the receipt is gone.
        let place: Asset.Place?
    }

    private func originalKey(of place: Asset.Place, _ destination: Destination) throws -> String? {
        try queries.first(
            """
            SELECT key FROM receipts WHERE destination = ? AND directory = ? AND name = ? AND role = 'original'
            ORDER BY verified DESC LIMIT 1
            """, .text(destination.name), .integer(place.directory), .blob(place.name)
        ) { $0.text(0) }
    }

    private func thumbnailKey(of place: Asset.Place, _ destination: Destination) throws -> String? {
        try queries.first(
            """
            SELECT key FROM receipts WHERE destination = ? AND directory = ? AND name = ? AND role LIKE 'thumbnail-%'
            ORDER BY length(role), role, item DESC LIMIT 1
            """, .text(destination.name), .integer(place.directory), .blob(place.name)
        ) { $0.text(0) }
    }

    private func metadataRow(_ key: String, _ place: Asset.Place, _ destination: Destination) throws -> RestClient.Row?
    {
        guard let receipt = try receipt(destination: destination.name, key: ObjectKey(text: key)),
            let location = try location(of: place)
        else { return nil }
        let content = try content(receipt.sha256)
        let facts = content?.facts
        let modified = try queries.first(
            "SELECT mtime FROM assets WHERE directory = ? AND name = ?", .integer(place.directory), .blob(place.name)
        ) { FileTime(nanoseconds: $0.integer(0)) }
        return [
            "bucket": .string(destination.bucket), "object_key": .string(key),
            "path": .string("\(location.root)/\(location.path.display)"), "sha256": .string(receipt.sha256),
            "size": .integer(receipt.size), "content_type": .string(content?.type ?? "application/octet-stream"),
            "width": JSONValue(facts?.width), "height": JSONValue(facts?.height),
            "duration": facts?.duration.map(JSONValue.number) ?? .null,
            "taken_at": facts?.takenAt.map { .string(ISO8601.text($0)) } ?? .null,
            "modified_at": .string(modified.map { ISO8601.text($0) } ?? ISO8601.text(receipt.verifiedAt)),
            "stored_at": .string(ISO8601.text(receipt.verifiedAt)),
            "thumbnail_key": try thumbnailKey(of: place, destination).map(JSONValue.string) ?? .null,
        ]
    }
}

extension JSONValue {
    fileprivate init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
}
