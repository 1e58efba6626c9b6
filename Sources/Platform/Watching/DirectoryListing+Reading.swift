import Dispatch
import Glibc

extension DirectoryListing {
    /// Reads the directory `path` below `root`.
    static func read(_ path: FilePath, below root: Directory) -> DirectoryListing {
        do throws(SystemError) {
            let directory = try root.open(directory: path)
            let place = try directory.place()
            let found = sorted(try directory.entries())
            return DirectoryListing(path: path, entries: entries(found, in: directory), place: place)
        } catch {
            return DirectoryListing(path: path, entries: [], failure: error)
        }
    }

    /// The entries in byte order; nearly all names differ in their first 16 bytes, which are compared as two numbers.
    private static func sorted(_ entries: [DirectoryEntry]) -> [DirectoryEntry] {
        let keys = entries.indices.map { index in
            let name = entries[index].name
            return (first: number(name, from: 0), second: number(name, from: 8), index: index)
        }
        let order = keys.sorted { left, right in
            if left.first != right.first { return left.first < right.first }
            if left.second != right.second { return left.second < right.second }
            return entries[left.index].name.lexicographicallyPrecedes(entries[right.index].name)
        }
        return order.map { entries[$0.index] }
    }

    /// Eight bytes of `name` as a number that sorts as they do, with zeros after the name's end.
    private static func number(_ name: [UInt8], from start: Int) -> UInt64 {
        var number: UInt64 = 0
        for (position, byte) in name.dropFirst(start).prefix(8).enumerated() {
            number |= UInt64(byte) << (56 - position * 8)
        }
        return number
    }

    /// Reads the facts of every name, on several cores where there are many; vanished names are left out.
    private static func entries(_ found: [DirectoryEntry], in directory: Directory) -> [Entry] {
        let piece = 1024
        guard found.count > 2 * piece else { return found.map { entry($0, in: directory) }.filter(isPresent) }
        let entries = [Entry](unsafeUninitializedCapacity: found.count) { buffer, count in
            nonisolated(unsafe) let buffer = buffer
            DispatchQueue.concurrentPerform(iterations: (found.count + piece - 1) / piece) { part in
                for index in (part * piece)..<min((part + 1) * piece, found.count) {
                    buffer.initializeElement(at: index, to: entry(found[index], in: directory))
                }
            }
            count = found.count
        }
        return entries.allSatisfy(isPresent) ? entries : entries.filter(isPresent)
    }

    private static func isPresent(_ entry: Entry) -> Bool { entry.failure?.code != ENOENT }

    private static func entry(_ found: DirectoryEntry, in directory: Directory) -> Entry {
        if let kind = found.kind, kind != .file { return Entry(name: found.name, kind: kind) }
        var status = stat()
        let isKnown = found.name.withCString { fstatat(directory.descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) == 0 }
        guard isKnown else {
            let failure = SystemError(call: "fstatat", code: errno, path: directory.path.appending(found.name))
            return Entry(name: found.name, kind: found.kind ?? .other, failure: failure)
        }
        let facts = FileFacts(status)
        return Entry(name: found.name, kind: facts.kind, facts: facts.kind == .file ? facts : nil)
    }
}
