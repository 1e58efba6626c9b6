package import Platform

/// The writing end of a store: hands changes to the journal, and folds it where it has grown.
///
/// After a fold that failed every change throws: what the disk holds then is what was acknowledged, or more.
package struct RecordWriter<Entry: Storable>: Sendable {
    private let store: RecordStore<Entry>
    /// Bytes of a journal at which it is folded into the file.
    private let foldSize: Int
    private var base: RecordBase
    /// `nil` until the first change: a run that changes nothing writes nothing.
    private var journal: Journal?
    /// The last line handed to a journal.
    package private(set) var last: Commit?
    private var failure: (any Error)?

    /// Goes on from what was `loaded`; writes `entries` at once where the file does not say all of that.
    ///
    /// - Parameter isLazy: Whether a store that never held anything has no file.
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

    /// Hands over `changes`, which `all` contains already; what to wait for until all so far is durable.
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
            // Which file is valid now nobody knows: a line more would be in the wrong journal.
            failure = error
            throw error
        }
    }
}
