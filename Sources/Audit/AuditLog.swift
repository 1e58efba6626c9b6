import Catalog
package import FoundationEssentials
package import Platform
package import Providers
package import Queue
package import Records
import Text

/// What was done to the destination, one line of JSON for each action: `audit.jsonl`, and the file before it.
///
/// For the user and their scripts. The agent never reads it, so only lines about money are synced one by one.
package actor AuditLog {
    /// What happened to an object.
    package enum Action: String, Codable, Hashable, Sendable {
        case stored, replaced, lost, cancelled, moved, pruned, damaged
    }

    private struct Entry: Encodable {
        let at: String
        let action: Action
        let key: String
        let path: String
        let size: Int64
        let sha256: String
    }

    private struct Spending: Encodable {
        let at: String
        let action: String
        let provider: String
        let intent: String
        let millionths: Int64
        let bound: Int64
    }

    private let thread = SerialThread(name: "audit")
    /// The log's own thread, so that waiting for the disk blocks no other task.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }
    private let path: FilePath
    private var file: OpenFile?
    private var size: Int64 = 0
    /// Whether the directory that names the file is synced.
    private var isNamed = false

    /// Bytes at which the file becomes `audit.jsonl.1`.
    static let limit: Int64 = 16 << 20

    /// A log in the state directory `state`; the file is made with the first entry.
    package init(state: FilePath) {
        path = state.appending("audit.jsonl")
    }

    /// Writes down that `action` was taken for each of `items`, at `now`.
    package func note(_ action: Action, _ items: [Item], at now: Date) throws {
        let moment = ISO8601.text(now)
        try append(
            items.map {
                Entry(
                    at: moment, action: action, key: $0.objectKey.text, path: "\($0.root)/\($0.path)", size: $0.size,
                    sha256: $0.sha256)
            })
    }

    /// Writes down that the objects of these receipts were deleted, at `now`.
    package func notePruned(_ duplicates: [Duplicate], at now: Date) throws {
        let moment = ISO8601.text(now)
        try append(
            duplicates.map {
                Entry(
                    at: moment, action: .pruned, key: $0.receipt.key.text, path: $0.name, size: $0.receipt.size,
                    sha256: $0.receipt.sha256)
            })
    }

    /// Writes down that the object of a receipt turned out to hold other bytes, at `now`.
    package func noteDamaged(_ receipt: Receipt, at now: Date) throws {
        try append([
            Entry(
                at: ISO8601.text(now), action: .damaged, key: receipt.key.text, path: receipt.key.text,
                size: receipt.size, sha256: receipt.sha256)
        ])
    }

    /// Writes down that an object without a receipt was deleted, at `now`.
    package func notePruned(_ key: String, path: String, size: Int64, _ sha256: String, at now: Date) throws {
        try append([
            Entry(at: ISO8601.text(now), action: .pruned, key: key, path: path, size: size, sha256: sha256)
        ])
    }

    /// Writes down that an amount was reserved, committed or released for a video at `provider`; durably.
    package func note(_ line: Ledger.Line, at provider: ProviderName) throws {
        try append([
            Spending(
                at: ISO8601.text(line.at), action: line.stage.rawValue, provider: provider.rawValue,
                intent: line.key.rawValue, millionths: line.amount, bound: line.bound)
        ])
        try file?.synchronize()
        if !isNamed { try Directory(path.parent).synchronize() }
        isNamed = true
    }

    private func append(_ entries: [some Encodable]) throws {
        guard !entries.isEmpty else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var lines: [UInt8] = []
        for entry in entries { lines += Array(try encoder.encode(entry)) + [Self.lineEnd] }
        let file = try open()
        do {
            try file.append(lines)
        } catch {
            // A part of the lines may be written: the next line begins after it.
            self.file = nil
            throw error
        }
        size += Int64(lines.count)
    }

    private func open() throws(SystemError) -> OpenFile {
        if size >= Self.limit { try putAside() }
        if let file { return file }
        let opened = try OpenFile(appending: path)
        size = try opened.facts().size
        // A power cut or a full disk may have left part of a line.
        if size > 0, try opened.read(at: size - 1, upTo: 1) != [Self.lineEnd] {
            try opened.append([Self.lineEnd])
            size += 1
        }
        file = opened
        return opened
    }

    /// Renames the full log to its second name, unless another program has taken it away.
    private func putAside() throws(SystemError) {
        let (directory, name) = (try Directory(path.parent), FilePath(bytes: path.name))
        if try directory.existingFacts(of: name) != nil {
            try directory.rename(name, to: FilePath(bytes: path.name + Array(".1".utf8)))
        }
        (file, size, isNamed) = (nil, 0, false)
    }

    private static let lineEnd = UInt8(ascii: "\n")
}
