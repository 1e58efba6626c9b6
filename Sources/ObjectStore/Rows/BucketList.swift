import Platform

/// `objects/buckets.json`: the rows of all buckets, beside the blobs, after the last change of one.
///
///     {"sum":"…","number":1795199805000001,"buckets":[{…}]}
struct BucketList: Hashable, Sendable {
    /// The number of the last change that it includes.
    var number: Int64
    var buckets: [IndexedBucket]

    static let name = "buckets.json"

    /// The list in `root`; `nil` when it is missing or damaged.
    static func read(in root: FilePath) throws -> BucketList? {
        guard let bytes = try LocalDisk(directory: root).read(name), let json = SealedLine.json(bytes[...]),
            let number = json["number"]?.whole, case .list(let rows) = json["buckets"]
        else { return nil }
        let buckets = rows.compactMap { IndexedBucket(row: $0) }
        return buckets.count == rows.count ? BucketList(number: number, buckets: buckets) : nil
    }

    /// Replaces the list; durable when this returns.
    func write(in root: FilePath) throws {
        let rows = JSON.list(buckets.map(\.rowJSON)).rendered
        let line = SealedLine.bytes("\"number\":\(number),\"buckets\":\(rows)}")
        try LocalDisk(directory: root).replace(Self.name, with: line)
    }
}
