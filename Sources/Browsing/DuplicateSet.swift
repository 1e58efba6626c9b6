import Catalog
import Database
import Platform
import Queue
import Records
import Tables

/// A content that several files have.
package struct DuplicateSet: Hashable, Sendable {
    /// The hash of the bytes, in hex.
    package let sha256: String
    /// How many files have it.
    package let count: Int
    /// Bytes of each.
    package let size: Int64

    /// The bytes that would be saved by keeping only one of them, or the largest number if that is less.
    package var waste: Int64 {
        let (product, isTooLarge) = size.multipliedReportingOverflow(by: Int64(count - 1))
        return isTooLarge ? .max : product
    }

    /// The parts in which hashes are looked at, by their first bits: of a million assets each query reads 16,000.
    static let parts = 64
    /// Files of one set that are shown at most.
    static let limit = 64
}

extension Library {
    /// The contents of a part, 0 to 63, that several assets of the timeline have.
    func duplicateSets(_ part: UInt8) throws -> [DuplicateSet] {
        let width = UInt8(256 / DuplicateSet.parts)
        // Hashes are compared as bytes, and a longer text sorts after its beginnings, so the end is longer than a hash.
        let (first, last) = ([part * width], [part * width + (width - 1)] + [UInt8](repeating: 255, count: 33))
        let groups = try queries.rows(
            """
            SELECT sha256, count(*) AS files FROM assets INDEXED BY assets_content
            WHERE sha256 IS NOT NULL AND \(Schema.isShown) AND sha256 >= ? AND sha256 < ?
            GROUP BY sha256 HAVING files > 1
            """, .blob(first), .blob(last)
        ) { ($0.blob(0), Int($0.integer(1))) }
        return try groups.compactMap { sha256, count in
            let size = try queries.first(
                "SELECT size FROM assets INDEXED BY assets_content WHERE sha256 = ? AND \(Schema.isShown) LIMIT 1",
                .blob(sha256)
            ) { $0.integer(0) }
            // All empty files have the same content, but are not copies of anything.
            guard let size, size > 0 else { return nil }
            return DuplicateSet(sha256: sha256.hexadecimal, count: count, size: size)
        }
    }

    /// The first files that have a content, in the order of their directories and names.
    func files(of set: DuplicateSet) throws -> [(asset: TimelineAsset, location: RootedPath)] {
        let places = try queries.rows(
            """
            SELECT directory, name FROM assets INDEXED BY assets_content WHERE sha256 = ? AND \(Schema.isShown)
            ORDER BY directory, name LIMIT \(DuplicateSet.limit)
            """, Value([UInt8](hexadecimal: set.sha256))
        ) { Asset.Place(at: 0, of: $0) }
        return try timelineAssets(at: places).compactMap { asset in
            try location(of: asset.place).map { (asset, RootedPath(root: $0.root, path: $0.path)) }
        }
    }
}
