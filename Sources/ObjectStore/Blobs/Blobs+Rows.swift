package import Platform
import Synchronization

/// Every blob carries its row, so that an index can be rebuilt from the blobs alone.
///
/// The row is an extended attribute of the blob. If the file system keeps none of that size, and for a second name of
/// the same file, it is a small file beside the blob instead: `<version>.row`, which takes precedence.
extension Blobs {
    static let attribute = "user.gallery-sync.row"

    /// The name of the row file beside the blob of `version`.
    static func rowName(_ version: String) -> String { version + rowSuffix }
    static let rowSuffix = ".row"

    /// The row that the blob of `version` carries; `nil` where it is missing, damaged or another blob's.
    func row(of version: String) throws(SystemError) -> IndexedObject? {
        let disk = try disk(of: version)
        if let row = try Self.rowBeside(version, on: disk) { return row }
        return try Self.row(in: disk.open(version), of: version)
    }

    private static func rowBeside(_ version: String, on disk: any Disk) throws(SystemError) -> IndexedObject? {
        guard let bytes = try disk.read(rowName(version)), let row = IndexedObject(carried: bytes) else { return nil }
        return row.version == version ? row : nil
    }

    /// - Parameter version: The version that the row must have; `nil` accepts any.
    private static func row(in file: any DiskFile, of version: String?) throws(SystemError) -> IndexedObject? {
        guard let bytes = try file.attribute(attribute), let row = IndexedObject(carried: bytes) else { return nil }
        return version == nil || row.version == version ? row : nil
    }

    /// Stores `row` in `file`, its future blob; durable once the file and its directory are.
    static func put(_ row: IndexedObject, into file: any DiskFile, on disk: any Disk) throws(SystemError) {
        do throws(SystemError) {
            try file.setAttribute(attribute, to: row.carried)
        } catch {
            guard error.refusesAttribute else { throw error }
            try putBeside(row, on: disk)
        }
    }

    /// Writes the row file beside the blob of `row`; durable when this returns.
    static func putBeside(_ row: IndexedObject, on disk: any Disk) throws(SystemError) {
        try disk.replace(rowName(row.version), with: row.carried)
    }

    /// Stores `row` with its blob, unless the blob carries a newer one or is gone.
    ///
    /// - Parameter isDurable: Whether to wait for the disk; else the caller waits once for many rows.
    package func carry(_ row: IndexedObject, isDurable: Bool = true) throws(SystemError) {
        let disk = try disk(of: row.version)
        let file: any DiskFile
        do throws(SystemError) {
            file = try disk.open(row.version)
        } catch {
            guard error.isMissing else { throw error }
            return
        }
        // One row at a time, so that the newer of two wins in any order; waiting for the disk happens outside the lock.
        try carrying.lock.withLock { _ throws(SystemError) in
            let beside = try Self.rowBeside(row.version, on: disk)
            let inside = try Self.row(in: file, of: nil)
            let isOwn = inside == nil || inside?.version == row.version
            let present = beside ?? (isOwn ? inside : nil)
            if let present, present == row || present.number > row.number { return }
            if beside == nil, isOwn {
                try Self.put(row, into: file, on: disk)
            } else {
                try Self.putBeside(row, on: disk)
            }
        }
        if isDurable { try file.synchronizeAll() }
    }
}

// MARK: What a change of the index requires of the blobs

/// What a change of the index still requires of one blob, recorded with the change itself.
package struct Debt: Hashable, Sendable {
    let version: String
    /// The number of the change, which distinguishes a debt that was paid from a later one.
    let number: Int64
    /// The row that the blob must carry; `nil` where the blob must be removed.
    let row: IndexedObject?
}

extension Blobs {
    /// Carries out `debts` durably; returns those that succeeded.
    package func pay(_ debts: [Debt]) async -> [Debt] {
        await Blocking.run { paid(debts) }
    }

    /// The same, on this thread.
    func paid(_ debts: [Debt]) -> [Debt] {
        var paid: [Debt] = []
        let (kept, gone) = (debts.filter { $0.row != nil }, debts.filter { $0.row == nil })
        for (_, group) in Dictionary(grouping: gone, by: { $0.version.prefix(2) }) {
            let result = Result { () throws(SystemError) in try remove(group.map(\.version)) }
            if case .success = result { paid += group }
        }
        for debt in kept {
            guard let row = debt.row else { continue }
            let result = Result { () throws(SystemError) in try carry(row) }
            if case .success = result { paid.append(debt) }
        }
        return paid
    }

    /// Removes the blobs of `versions`, all of one directory; durable when this returns.
    private func remove(_ versions: [String]) throws(SystemError) {
        guard let first = versions.first else { return }
        let disk = try disk(of: first)
        for version in versions {
            // The row last: a row without a blob does no harm, but a blob without a row would become lost.
            try disk.remove(version)
            try disk.remove(Self.rowName(version))
        }
        try disk.synchronizeDirectory()
    }
}
