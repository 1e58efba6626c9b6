package import Configuration
import Database
package import FoundationEssentials
import MediaModel
import Platform
import Queue
import Records
package import Supabase
import Text

/// The last receipt whose row was written to the project's database.
package struct MetadataMark: Hashable, Codable, Sendable {
    /// Nanoseconds; receipts are taken in this order, then by key.
    let verified: Int64
    let key: String
}

extension MetadataMark {
    /// A mark after every receipt that a clock which shows `now` can have dated.
    package init(behind now: Date) {
        (verified, key) = (Self.last(at: now), "\u{10FFFF}")
    }

    /// Whether its receipt was dated before the clock was set back: new receipts would be dated before the mark, and
    /// missed, until the clock gets there again.
    package func isAhead(of now: Date) -> Bool { verified > Self.last(at: now) }

    fileprivate static func last(at now: Date) -> Int64 { FileTime(now + DatedWait.correction).nanoseconds }
}

/// Database rows for the receipts up to a mark.
package struct MetadataBatch: Hashable, Sendable {
    /// One row for each object, all with the same columns.
    package let rows: [RestClient.Row]
    /// The last receipt looked at; `nil` where no receipt follows the mark before.
    package let mark: MetadataMark?
}

extension Library {
    /// The rows of originals whose own receipt, or that of a thumbnail, is newer than `mark`.
    ///
    /// - Parameter now: Leaves out what a clock that was set back since has dated; `nil` leaves out nothing.
    package func metadataBatch(
        _ destination: Destination, after mark: MetadataMark?, by now: Date? = nil, limit: Int = 500
    ) throws -> MetadataBatch {
        let found = try database.rows(
            """
            SELECT verified, key, role, directory, name FROM receipts
            WHERE destination = ?1 AND verified >= ?2 AND verified <= ?4 AND (verified > ?2
                OR key > ?3) ORDER BY verified, key LIMIT \(limit)
            """, .text(destination.name), .integer(mark?.verified ?? .min), .text(mark?.key ?? ""),
            .integer(now.map(MetadataMark.last) ?? .max)
        ) {
            Found(
                mark: MetadataMark(verified: $0.integer(0), key: $0.text(1)), role: Item.Role(rawValue: $0.text(2)),
                place: Asset.Place(directory: $0.integer(3), name: $0.blob(4)))
        }
        var rows: [String: RestClient.Row] = [:]
        for one in found {
            let isOriginal = one.role == .original
            let key = isOriginal ? one.mark.key : try originalKey(of: one.place, destination)
            guard let key, rows[key] == nil else { continue }
            rows[key] = try metadataRow(key, one.place, destination)
        }
        return MetadataBatch(rows: rows.sorted { $0.key < $1.key }.map(\.value), mark: found.last?.mark)
    }

    private struct Found {
        let mark: MetadataMark
        let role: Item.Role
        let place: Asset.Place
    }

    private func originalKey(of place: Asset.Place, _ destination: Destination) throws -> String? {
        try database.first(
            """
            SELECT key FROM receipts WHERE destination = ? AND directory = ? AND name = ? AND role = 'original'
            ORDER BY verified DESC LIMIT 1
            """, .text(destination.name), .integer(place.directory), .blob(place.name)
        ) { $0.text(0) }
    }

    private func thumbnailKey(of place: Asset.Place, _ destination: Destination) throws -> String? {
        try database.first(
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
        let modified = try database.first(
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
