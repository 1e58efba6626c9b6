package import Platform

/// The writer of a store: appends changes to the journal, and folds it when it has grown.
///
/// After a failed fold, every change throws: the disk then holds what was acknowledged, or more.
package struct RecordWriter<Entry: Storable>: Sendable {
    private let store: RecordStore<Entry>
    /// The size in bytes above which a journal is folded into the file.
    private let foldSize: Int
    private var base: RecordBase
    /// `nil` until the first change: a run that changes nothing writes nothing.
    private var journal: Journal?
    /// The last line that was passed to a journal.
    package private(set) var last: Commit?
    private var failure: (any Error)?

    /// Continues from `loaded`; writes `entries` at once where the file does not hold all of them.
    ///
    /// - Parameter isLazy: Whether a store that was never written stays without a file.
    package init(
        _ store: RecordStore<Entry>, after loaded: RecordStore<Entry>.Loaded, entries: [Entry], foldSize: Int,
        isLazy: Bool = false
    ) throws {
        self.store = store
        self.foldSize = foldSize
        if let folded = loaded.folded, entries == loaded.entries {
            base = folded
        } else if isLazy, loaded.isUntouched {
            base = RecordBase(name: RecordFile<Entry>.name, journal: 0)
        } else {
            base = RecordBase(name: RecordFile<Entry>.name, journal: loaded.nextJournal)
            journal = try store.fold(entries, journal: loaded.nextJournal, from: loaded.base)
        }
    }

    /// Appends `changes`, which `all` already contains; returns the commit after which all is durable.
    package mutating func record(_ changes: [RecordChange<Entry>], all: () -> [Entry]) throws -> Commit? {
        if let failure { throw failure }
        guard !changes.isEmpty else { return last }
        var journal = try self.journal ?? fold(all())
        if journal.byteCount > foldSize { journal = try fold(all()) }
        for change in changes { last = journal.append(change.encoded()) }
        return last
    }

    /// Folds the journal into the file; for a clean stop.
    package mutating func close(_ all: () -> [Entry]) throws {
        guard journal != nil else { return }
        _ = try fold(all())
    }

    private mutating func fold(_ entries: [Entry]) throws -> Journal {
        if let failure { throw failure }
        let next = RecordBase(name: RecordFile<Entry>.name, journal: base.journal + 1)
        do {
            let fresh = try store.fold(entries, journal: next.journal, from: base)
            journal = fresh
            base = next
            return fresh
        } catch {
            // It is unknown which file is valid now, so another line could go to the wrong journal.
            failure = error
            throw error
        }
    }
}
