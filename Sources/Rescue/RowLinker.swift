package import Configuration
package import FoundationEssentials
package import Supabase
import Text

/// Makes the links that rows get, of the kind that `rescue.table.link` names.
package struct RowLinker: Sendable {
    /// What came of making the link to one file.
    package enum Answer: Hashable, Sendable {
        case link(RowLink)
        /// There is no link, for now or for good.
        case none(RowOutcome)
    }

    let storage: StorageClient
    let bucket: String
    let table: Settings.RescueTable
    let clock: @Sendable () -> Date

    /// A maker of links to objects in `bucket`, which are signed by the service.
    package init(
        storage: StorageClient, bucket: String, table: Settings.RescueTable, clock: @escaping @Sendable () -> Date
    ) {
        self.storage = storage
        self.bucket = bucket
        self.table = table
        self.clock = clock
    }

    /// Objects that one request signs at most (contract 1.5).
    private static let batch = 1_000
}

extension RowLinker {
    /// Why no row can get a link that works; `nil` where nothing is in the way.
    ///
    /// If links are to be public, the bucket is asked about; a bucket that this sign-in cannot see counts as private.
    /// Throws `StorageError` if there was no clear answer.
    func refusal() async throws -> String? {
        guard table.link == .public else { return nil }
        do throws(StorageError) {
            if try await storage.bucket(bucket).isPublic { return nil }
        } catch {
            if error.isRetryable { throw error }
        }
        return Settings.RescueTable.privateBucket(bucket)
    }

    /// The link to one file; what the service answers becomes an outcome.
    func link(to file: JobFile) async -> Answer {
        do {
            return try await links(to: [file])[0]
        } catch {
            return .none(.waiting("no link to the file can be made: \(error)"))
        }
    }

    /// The links to stored files, in their order, signed with as few requests as possible.
    ///
    /// Throws `StorageError` where there was no clear answer.
    func links(to files: [JobFile]) async throws -> [Answer] {
        if let refusal = try await refusal() { return files.map { _ in .none(.waiting(refusal)) } }
        guard table.link == .signed else { return files.map(unsigned) }
        let term = RowLink.Term(from: clock(), seconds: Double(table.linkTime.components.seconds))
        let keys = Array(Set(files.flatMap { [$0.objectKey, $0.thumbnailKey].compactMap(\.self) })).sorted()
        var signed: [String: String] = [:]
        for start in stride(from: 0, to: keys.count, by: Self.batch) {
            let some = Array(keys[start..<min(start + Self.batch, keys.count)])
            let urls = try await storage.sign(bucket: bucket, keys: some, expiresIn: table.linkTime)
            for (key, url) in zip(some, urls) { signed[key] = url }
        }
        return files.map { file in
            guard let url = file.objectKey.flatMap({ signed[$0] }) else {
                return .none(.left("storage does not have the file any more, or this sign-in may not read it"))
            }
            return .link(RowLink(url: url, thumbnail: file.thumbnailKey.flatMap { signed[$0] }, term: term))
        }
    }

    private func unsigned(_ file: JobFile) -> Answer {
        guard let key = file.objectKey, let address = file.storedURL else {
            return .none(.waiting("the file has no address yet"))
        }
        guard table.link == .public else { return .link(RowLink(url: address, thumbnail: file.thumbnailURL)) }
        let thumbnail = file.thumbnailKey.map { storage.publicURL(bucket: bucket, key: $0) }
        return .link(RowLink(url: storage.publicURL(bucket: bucket, key: key), thumbnail: thumbnail))
    }
}
