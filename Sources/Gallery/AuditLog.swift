package import FoundationEssentials
package import Platform

/// What was done to the destination, one line of JSON each: `audit.jsonl`, and the one before it.
///
/// For people and their scripts; nothing reads it back, so its lines are not synced one by one.
package actor AuditLog {
    /// What happened to an object.
    package enum Action: String, Codable, Hashable, Sendable {
        case stored, replaced, lost, cancelled, moved, pruned
    }

    private struct Entry: Encodable {
        let at: String
        let action: Action
        let key: String
        let path: String
        let size: Int64
        let sha256: String
    }

    private let thread = SerialThread(name: "audit")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }
    private let path: FilePath
    private var file: OpenFile?
    private var size: Int64 = 0

    /// Bytes at which the file becomes `audit.jsonl.1`.
    static let limit: Int64 = 16 << 20

    /// A log in the state directory `state`; the file is made with the first entry.
    package init(state: FilePath) {
        path = state.appending("audit.jsonl")
    }

    /// Writes down that `action` was taken for each of `items`, at `now`.
    package func note(_ action: Action, _ items: [Item], at now: Date) throws {
        guard !items.isEmpty else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var lines: [UInt8] = []
        let moment = ISO8601.text(now)
        for item in items {
            let entry = Entry(
                at: moment, action: action, key: item.objectKey.text, path: "\(item.root)/\(item.path)",
                size: item.size, sha256: item.sha256)
            lines += Array(try encoder.encode(entry)) + [UInt8(ascii: "\n")]
        }
        try open().append(lines)
        size += Int64(lines.count)
    }

    private func open() throws(SystemError) -> OpenFile {
        if size >= Self.limit {
            let directory = try Directory(path.parent)
            try directory.rename(FilePath(bytes: path.name), to: FilePath(bytes: path.name + Array(".1".utf8)))
            file = nil
        }
        if let file { return file }
        let opened = try OpenFile(appending: path)
        size = try opened.facts().size
        file = opened
        return opened
    }
}
