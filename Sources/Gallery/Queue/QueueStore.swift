import FoundationEssentials
package import Platform

/// The queue on disk: `queue.json`, its journals, and what was unreadable in them.
///
/// What loads holds everything that was acknowledged, whatever call a crash fell after.
package struct QueueStore: Sendable {
    private let disk: any Disk
    private let quarantine: any Disk

    /// A store in `disk`; unreadable bytes are copied to `quarantine`, a directory of their own.
    package init(disk: any Disk, quarantine: any Disk) {
        self.disk = disk
        self.quarantine = quarantine
    }

    /// What a start found.
    package struct Loaded: Sendable {
        package var items: [Item]
        /// The file that was readable, if there was one.
        package var base: Base?
        /// The number the next journal takes.
        package var nextJournal: Int
        /// One sentence for each thing that could not be read; its bytes are in `quarantine/`.
        package var warnings: [String]
        /// Whether journals changed what the file says.
        package var isReplayed: Bool

        /// The file that says all of it, with nothing after it; `nil` where a fold is due.
        package var folded: Base? {
            guard let base, base.name == QueueFile.name, base.journal == nextJournal - 1 else { return nil }
            return isReplayed || !warnings.isEmpty ? nil : base
        }
    }

    /// A readable file of the queue, and the journal that continues it.
    package struct Base: Hashable, Sendable {
        package let name: String
        package let journal: Int

        /// The file `name`, continued by journal number `journal`.
        package init(name: String = QueueFile.name, journal: Int) {
            self.name = name
            self.journal = journal
        }
    }
}

// MARK: - Loading

extension QueueStore {
    /// Reads `queue.json`, or the previous one when that is corrupt, and replays every journal from there on.
    package func load() throws -> Loaded {
        let journals = try disk.names().compactMap(QueueFile.journalNumber).sorted()
        var warnings: [String] = []
        var replay = Replay()
        let (base, file) = try readBase(&warnings)
        for item in file?.items ?? [] { replay.apply(.set(item)) }
        var isReplayed = false
        for number in journals where number >= base?.journal ?? 0 {
            for change in try changes(in: QueueFile.journalName(number), &warnings) {
                replay.apply(change)
                isReplayed = true
            }
        }
        return Loaded(
            items: replay.result, base: base, nextJournal: max(journals.last ?? 0, base?.journal ?? 0) + 1,
            warnings: warnings, isReplayed: isReplayed)
    }

    /// Items by identifier, in the order they first came up.
    private struct Replay {
        private var items: [ItemIdentifier: Item] = [:]
        private var order: [ItemIdentifier] = []

        mutating func apply(_ change: QueueChange) {
            switch change {
            case .set(let item):
                if items.updateValue(item, forKey: item.id) == nil { order.append(item.id) }
            case .withdrawn(let id):
                items[id] = nil
            }
        }

        var result: [Item] {
            var seen: Set<ItemIdentifier> = []
            return order.compactMap { seen.insert($0).inserted ? items[$0] : nil }
        }
    }

    private func readBase(_ warnings: inout [String]) throws -> (Base?, QueueFile?) {
        for name in [QueueFile.name, QueueFile.previousName] {
            guard let bytes = try disk.read(name) else { continue }
            do {
                let file = try QueueFile(bytes)
                return (Base(name: name, journal: file.journal), file)
            } catch let error as QueueFile.NewerQueue {
                throw error
            } catch {
                let copy = try keepCopy(bytes, of: name)
                warnings.append("\(name) is damaged: a copy is kept as \(copy), and the queue goes on without it")
            }
        }
        return (nil, nil)
    }

    /// The changes of one journal; a torn last line was never acknowledged and is dropped.
    private func changes(in name: String, _ warnings: inout [String]) throws -> [QueueChange] {
        guard let bytes = try disk.read(name) else { return [] }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        lines.removeLast()
        var changes: [QueueChange] = []
        var damaged: [UInt8] = []
        for line in lines {
            do {
                changes.append(try QueueChange(line: line))
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

    /// Keeps unreadable bytes under a name that tells their origin and content.
    private func keepCopy(_ bytes: [UInt8], of name: String) throws -> String {
        let copy = "\(name).\(SHA256.hash(bytes).hexadecimal.prefix(8))"
        if try quarantine.read(copy) == nil { try quarantine.replace(copy, with: bytes) }
        return "quarantine/" + copy
    }
}

// MARK: - Folding

extension QueueStore {
    /// Starts journal `number`, writes `items` as the `queue.json` that it continues, and removes older journals.
    ///
    /// `base` is the file that was valid so far: as `queue.json.1` it stays, with the journals that led from it
    /// to here. A damaged `queue.json` never takes its place.
    package func fold(_ items: [Item], journal number: Int, from base: Base?) throws -> Journal {
        // Its name becomes durable with that of the file that speaks of it.
        let file = try disk.create(QueueFile.journalName(number))
        let content = QueueFile(journal: number, items: items).encoded()
        let keepsCurrent = base?.name == QueueFile.name
        try disk.replace(
            QueueFile.name, with: content, keepingPrevious: keepsCurrent ? QueueFile.previousName : nil)
        for name in try disk.names() {
            guard let old = QueueFile.journalNumber(name), old < base?.journal ?? number else { continue }
            try disk.remove(name)
        }
        return try Journal(file)
    }
}
