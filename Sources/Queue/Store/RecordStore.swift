import FoundationEssentials
package import Platform

/// Entries on disk: a file such as `queue.json`, its journals, and the quarantine for unreadable parts.
///
/// Loading yields everything that was acknowledged, after whichever call a crash happened.
package struct RecordStore<Entry: Storable>: Sendable {
    private let disk: any Disk
    private let quarantine: any Disk

    /// A store in `disk`; unreadable bytes are copied to `quarantine`, a directory of their own.
    package init(disk: any Disk, quarantine: any Disk) {
        self.disk = disk
        self.quarantine = quarantine
    }

    /// What `load` found.
    package struct Loaded: Sendable {
        /// The entries after all journals were replayed.
        package var entries: [Entry]
        /// The file that was readable, if there was one.
        package var base: RecordBase?
        /// The number of the next journal.
        package var nextJournal: Int
        /// One sentence for each thing that could not be read; its bytes are in `quarantine/`.
        package var warnings: [String]
        /// Whether journals contained changes to the file.
        package var isReplayed: Bool

        /// Whether the store has never been written, or its files were deleted.
        package var isUntouched: Bool { base == nil && nextJournal == 1 && warnings.isEmpty }

        /// Whether the store may have held more than was found: no later loading shows that.
        package var isIncomplete: Bool { isUntouched || !warnings.isEmpty }

        /// The file that holds everything by itself; `nil` if it must first be folded.
        package var folded: RecordBase? {
            guard let base, base.name == RecordFile<Entry>.name, base.journal == nextJournal - 1 else { return nil }
            return isReplayed || !warnings.isEmpty ? nil : base
        }
    }
}

/// A readable file of a store, and the journal that continues it.
package struct RecordBase: Hashable, Sendable {
    /// The file's name: the current one, or the previous one where that is damaged.
    package let name: String
    /// The number of the journal that continues the file.
    package let journal: Int

    /// The file `name`, continued by journal number `journal`.
    package init(name: String, journal: Int) {
        self.name = name
        self.journal = journal
    }
}

// MARK: - Looking

extension RecordStore {
    private struct Head<Summary: Decodable>: Decodable {
        let journal: Int
        let summary: Summary?
    }

    /// The summary in the head of the file; `nil` where it has none or a journal contains changes.
    package func summary<Summary: Decodable>() throws -> Summary? {
        guard let bytes = try disk.read(RecordFile<Entry>.name) else { return nil }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        let data = Data(line + Array("]}".utf8))
        guard let head = try? QueueCoding.decoder.decode(Head<Summary>.self, from: data), let summary = head.summary,
            try disk.read(RecordFile<Entry>.journalName(head.journal))?.isEmpty ?? true
        else { return nil }
        return summary
    }
}

// MARK: - Loading

extension RecordStore {
    /// Reads the file, or the previous one when that is corrupt, and replays every journal from there on.
    package func load() throws -> Loaded {
        let journals = try disk.names().compactMap(RecordFile<Entry>.journalNumber).sorted()
        var warnings: [String] = []
        var replay = Replay()
        let (base, file) = try readBase(&warnings)
        for entry in file?.entries ?? [] { replay.apply(.set(entry)) }
        var isReplayed = false
        for number in journals where number >= base?.journal ?? 0 {
            for change in try changes(in: RecordFile<Entry>.journalName(number), &warnings) {
                replay.apply(change)
                isReplayed = true
            }
        }
        return Loaded(
            entries: replay.result, base: base, nextJournal: max(journals.last ?? 0, base?.journal ?? 0) + 1,
            warnings: warnings, isReplayed: isReplayed)
    }

    /// Entries by identifier, in the order of their first appearance.
    private struct Replay {
        private var entries: [Entry.ID: Entry] = [:]
        private var order: [Entry.ID] = []

        mutating func apply(_ change: RecordChange<Entry>) {
            switch change {
            case .set(let entry):
                if entries.updateValue(entry, forKey: entry.id) == nil { order.append(entry.id) }
            case .withdrawn(let id):
                entries[id] = nil
            }
        }

        var result: [Entry] {
            var seen: Set<Entry.ID> = []
            return order.compactMap { seen.insert($0).inserted ? entries[$0] : nil }
        }
    }

    private func readBase(_ warnings: inout [String]) throws -> (RecordBase?, RecordFile<Entry>?) {
        for name in [RecordFile<Entry>.name, RecordFile<Entry>.previousName] {
            guard let bytes = try disk.read(name) else { continue }
            do {
                let file = try RecordFile<Entry>(bytes)
                return (RecordBase(name: name, journal: file.journal), file)
            } catch let error as NewerRecords {
                throw error
            } catch {
                let copy = try keepCopy(bytes, of: name)
                warnings.append("\(name) is damaged: a copy is kept as \(copy), and all else goes on without it")
            }
        }
        return (nil, nil)
    }

    /// The changes of one journal; a torn last line was never acknowledged and is dropped.
    private func changes(in name: String, _ warnings: inout [String]) throws -> [RecordChange<Entry>] {
        guard let bytes = try disk.read(name) else { return [] }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        lines.removeLast()
        var changes: [RecordChange<Entry>] = []
        var damaged: [UInt8] = []
        for line in lines {
            do {
                changes.append(try RecordChange<Entry>(line: line))
            } catch {
                damaged += line + [UInt8(ascii: "\n")]
            }
        }
        if !damaged.isEmpty {
            let copy = try keepCopy(damaged, of: name)
            warnings.append("\(name) has damaged lines: they are kept as \(copy), and the rest of it was read")
        }
        return changes
    }

    /// Keeps unreadable bytes under a name made of their file's name and their hash.
    private func keepCopy(_ bytes: [UInt8], of name: String) throws -> String {
        let copy = "\(name).\(SHA256.hash(bytes).hexadecimal.prefix(8))"
        if try quarantine.read(copy) == nil { try quarantine.replace(copy, with: bytes) }
        return "quarantine/" + copy
    }
}

// MARK: - Folding

extension RecordStore {
    /// Starts journal `number`, writes `entries` as the file that it continues, and removes older journals.
    ///
    /// `base` is the file that was valid so far: it is kept as `.1`, with the journals that lead from it to here. A
    /// damaged file never takes its place.
    package func fold(_ entries: [Entry], journal number: Int, from base: RecordBase?) throws -> Journal {
        // The journal's name becomes durable together with that of the file that refers to it.
        let file = try disk.create(RecordFile<Entry>.journalName(number))
        let content = RecordFile<Entry>(journal: number, entries: entries)
        let keepsCurrent = base?.name == RecordFile<Entry>.name
        try disk.replace(
            RecordFile<Entry>.name, withParts: content.parts,
            keepingPrevious: keepsCurrent ? RecordFile<Entry>.previousName : nil)
        for name in try disk.names() {
            guard let old = RecordFile<Entry>.journalNumber(name), old < base?.journal ?? number else { continue }
            try disk.remove(name)
        }
        return Journal(file)
    }
}
