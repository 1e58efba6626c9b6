import Database
package import FoundationEssentials
package import MediaModel
import Platform
package import Queue
import Records
package import Roots
import Tables

extension Library {
    /// Notes durably that the pictures among `items` were not stored, so that they are made again.
    ///
    /// While other pictures of the file are still being made, the state `lost` keeps their success from hiding this.
    package func losePictures(of items: [Item]) throws {
        let pictures = items.filter { $0.role != .original }
        guard !pictures.isEmpty else { return }
        for item in pictures {
            if let place = try place(root: item.root, path: item.filePath) { try losePicture(at: place) }
        }
        try commit()
    }

    /// Notes with the next commit that a picture of the file at `place` is not stored any more.
    func losePicture(at place: Asset.Place) throws {
        try write(
            """
            UPDATE assets SET thumbnails = CASE WHEN thumbnails IN \(pictures: .owed) THEN \(picture: .lost) ELSE \(picture: .wanted) END
            WHERE directory = ? AND name = ?
                AND state IN \(assets: [.seen, .identifying, .queued, .stored] + .failures)
                AND thumbnails IN \(pictures: [.wanted, .made, .lost])
            """, .integer(place.directory), .blob(place.name))
    }

    /// What is known of the pictures of a file before any are made.
    package struct KnownPictures: Sendable {
        /// The formats of those that are stored, or kept here until they can be sent.
        package let formats: [Item.Role: Set<ThumbnailFormat>]
        /// What was found out about its content when its pictures were made; `nil` where none were.
        package let facts: MediaFacts?
    }

    /// What is known of the pictures of the file at `place` and of its content, in one call.
    package func knownPictures(of place: Asset.Place, content sha256: String) throws -> KnownPictures {
        KnownPictures(formats: try pictureFormats(of: place), facts: try content(sha256)?.facts)
    }

    private func pictureFormats(of place: Asset.Place) throws -> [Item.Role: Set<ThumbnailFormat>] {
        let rows = try database.rows(
            """
            SELECT role, key FROM receipts WHERE directory = ?1 AND name = ?2 AND role != 'original'
            UNION ALL SELECT role, key FROM blocked WHERE directory = ?1 AND name = ?2 AND role != 'original'
            """, .integer(place.directory), .blob(place.name)
        ) { (Item.Role(rawValue: $0.text(0)), ObjectKey(text: $0.text(1)).thumbnailFormat) }
        return rows.reduce(into: [:]) { formats, row in
            if let format = row.1 { formats[row.0, default: []].insert(format) }
        }
    }

    /// How many stored files still need pictures, including those whose pictures earlier versions lost.
    package func picturesOwed(roles: [Item.Role]) throws -> Int {
        guard !roles.isEmpty else { return 0 }
        let wanted =
            try database.first(
                """
                SELECT count(*) FROM assets WHERE thumbnails IN \(pictures: .owed) AND state = \(asset: .stored)
                """
            ) {
                Int($0.integer(0))
            } ?? 0
        guard try fact(Self.picturesFact) == nil, let destination = try fact(Self.destinationFact)
        else { return wanted }
        let condition = "\(Self.isUnpictured(roles, in: [.stored])) OR \(Self.isUnread(in: [.stored]))"
        let missing = try database.first("SELECT count(*) FROM assets WHERE \(condition)", .text(destination)) {
            Int($0.integer(0))
        }
        return wanted + (missing ?? 0)
    }

    /// How often the workers of one content may be killed before its pictures count as failed.
    package static let killLimit = 5

    /// Counts that the workers of this content were killed; returns how often they were so far.
    package func countKill(of sha256: String) throws -> Int {
        let name = "killed.\(sha256)"
        let count = (try fact(name).flatMap { Int($0) } ?? 0) + 1
        try setFact(name, to: String(count))
        return count
    }

    /// Has the next `findOwedPictures` look at all files, because a damaged queue lost pictures without a trace.
    package func doubtPictures() throws {
        try setFact(Self.picturesFact, to: nil)
    }

    /// Has the next `findOwedPictures` look at all files if the last one looked for other sizes.
    ///
    /// To be called before pictures are made: a run that makes some may end before it looks. With thumbnails off there are
    /// no `roles`: then no pictures are owed, until they are on again.
    package func expectPictures(roles: [Item.Role], destination: String) throws {
        if roles.isEmpty {
            try write("UPDATE assets SET thumbnails = \(picture: .unwanted) WHERE thumbnails IN \(pictures: .owed)")
        }
        guard let looked = try fact(Self.picturesFact), looked != Self.wanted(roles, destination) else { return }
        try doubtPictures()
    }

    /// What `findOwedPictures` looks for; the number is raised where it looks for more than an earlier version did.
    private static func wanted(_ roles: [Item.Role], _ destination: String) -> String {
        (["2", destination] + roles.map(\.rawValue)).joined(separator: " ")
    }

    /// Has pictures without a receipt made again, and those of files that came while thumbnails were off, once for each
    /// destination and each set of sizes.
    ///
    /// Earlier versions lost pictures without a trace; this one writes down what it loses.
    ///
    /// - Parameter dropped: Roots that take no part, whose pictures are looked for once they do again (`takeUp`).
    package func findOwedPictures(
        roles: [Item.Role], destination: String, besides dropped: [KnownRoot] = []
    ) throws {
        try findKilled()
        let looked = Self.wanted(roles, destination)
        guard !roles.isEmpty, try fact(Self.picturesFact) != looked else { return }
        // The original of a lost picture may still be on its way.
        let unpictured = Self.isUnpictured(roles, in: [.queued, .stored])
        let unread = Self.isUnread(in: [.queued, .stored, .indexed])
        let others = dropped.map { "\($0.id)" }.joined(separator: ", ")
        try write(
            """
            UPDATE assets SET thumbnails = \(picture: .wanted) WHERE (\(unpictured) OR \(unread))
                AND directory NOT IN (SELECT id FROM directories WHERE root IN (\(others)))
            """, .text(destination))
        for root in dropped { try noteUnsentPictures(of: root) }
        try setFact(Self.picturesFact, to: looked)
    }

    /// Earlier versions took the kill of a worker by another program for a crash, and never made these pictures.
    private func findKilled() throws {
        let note = Asset.noThumbnail("the decoder crashed (signal 9)")
        guard try database.exists("SELECT 1 FROM assets WHERE note = '\(note)' LIMIT 1") else { return }
        try write(
            """
            UPDATE assets SET thumbnails = \(picture: .wanted), note = NULL
            WHERE note = ? AND thumbnails = \(picture: .failed) AND state IN \(assets: [.queued, .stored, .indexed])
            """, .text(note))
    }

    /// The name of the fact that says for which destination and sizes `findOwedPictures` was done.
    private static let picturesFact = "pictures"

    /// Counts the receipt of the content that the file of `asset` has again as earned at `now`, with the next commit.
    ///
    /// Otherwise pictures of what the file held in between would be newer than it, and count as this content's. Does
    /// nothing unless the file was last known to have other content. To be called before the asset is settled.
    package func renewReceipt(of asset: Asset, content sha256: String, at now: Date) throws {
        let place = asset.place
        let receipts = try database.rows(
            """
            SELECT \(Self.receiptColumns) FROM receipts WHERE directory = ?1 AND name = ?2 AND role = 'original'
                AND sha256 = ?3 AND EXISTS (
                    SELECT 1 FROM assets WHERE directory = ?1 AND name = ?2 AND sha256 != ?3)
            """, .integer(place.directory), .blob(place.name), Value([UInt8](hexadecimal: sha256)),
            read: Self.receipt)
        for receipt in receipts { try redate(receipt, at: now) }
    }

    /// A condition on rows of `assets` in these states: pictures are made, and one has no receipt at the destination `?1`.
    ///
    /// A receipt that was earned before the original's shows the file's former content. Until the original is stored,
    /// any may do so. Items are compared by the millisecond in which they were made (`ItemIdentifier`).
    private static func isUnpictured(_ roles: [Item.Role], in states: [Asset.State]) -> String {
        let missing = roles.map { role in
            """
            NOT EXISTS (SELECT 1 FROM receipts r WHERE r.directory = assets.directory AND r.name = assets.name
                AND r.role = '\(role.rawValue)' AND r.destination = ?1 AND NOT EXISTS (
                    SELECT 1 FROM receipts o WHERE o.directory = r.directory AND o.name = r.name
                        AND o.role = 'original' AND o.destination = r.destination
                        AND substr(o.item, 1, 10) > substr(r.item, 1, 10)))
            """
        }
        let condition = ["state = \(asset: .queued)"] + missing
        return """
            thumbnails = \(picture: .made) AND state IN \(assets: states) AND (\(condition.joined(separator: " OR ")))
            """
    }

    /// A condition on rows of `assets` in these states: they came while thumbnails were off, so that nothing was made or
    /// read of them; files that were read, and have no picture to show, are none of these.
    private static func isUnread(in states: [Asset.State]) -> String {
        let plain = [MediaKind.audio, .sidecar].map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return """
            thumbnails = \(picture: .unwanted) AND state IN \(assets: states) AND NOT EXISTS (
                SELECT 1 FROM contents c
                WHERE c.sha256 = assets.sha256 AND json_extract(c.facts, '$.kind') IN (\(plain)))
            """
    }
}
