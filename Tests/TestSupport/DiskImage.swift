import FoundationEssentials

/// The content of a disk and its cache: files by number, and names that refer to them.
struct DiskImage {
    enum Call: Hashable {
        case create(String)
        case write(Int, String, [UInt8])
        case synchronize(Int, String)
        case setAttribute(Int, String, String, [UInt8])
        case link(String, String)
        case rename(String, String)
        case remove(String)
        case synchronizeDirectory
        case acknowledge(String)
    }

    private struct File {
        var content: [UInt8] = []
        /// How many of its bytes are durable.
        var durableCount = 0
        var attributes: [String: [UInt8]] = [:]
        var durableAttributes: [String: [UInt8]] = [:]

        mutating func synchronize() {
            durableCount = content.count
            durableAttributes = attributes
        }
    }

    /// An atomic change of names, which survives a power cut completely or not at all.
    private typealias Change = [(name: String, inode: Int?)]

    private var files: [Int: File] = [:]
    /// Names as processes see them.
    private(set) var names: [String: Int] = [:]
    private var durableNames: [String: Int] = [:]
    private var pending: [Change] = []

    init(_ contents: [String: [UInt8]]) {
        for (inode, (name, bytes)) in contents.sorted(by: { $0.key < $1.key }).enumerated() {
            files[inode] = File(content: bytes, durableCount: bytes.count)
            names[name] = inode
        }
        durableNames = names
    }

    var contents: [String: [UInt8]] {
        names.compactMapValues { files[$0]?.content }
    }

    func attributes(of inode: Int) -> [String: [UInt8]] { files[inode]?.attributes ?? [:] }

    mutating func apply(_ call: Call) {
        switch call {
        case .create(let name):
            files[files.count] = File()
            change([(name, files.count - 1)])
        case .write(let inode, _, let bytes):
            files[inode]?.content += bytes
        case .synchronize(let inode, _):
            files[inode]?.synchronize()
        case .setAttribute(let inode, _, let name, let value):
            files[inode]?.attributes[name] = value
        case .link(let source, let target):
            change([(target, names[source])])
        case .rename(let source, let target):
            change([(target, names[source]), (source, nil)])
        case .remove(let name):
            change([(name, nil)])
        case .synchronizeDirectory:
            durableNames = names
            pending = []
        case .acknowledge:
            break
        }
    }

    private mutating func change(_ change: Change) {
        for (name, inode) in change { names[name] = inode }
        pending.append(change)
    }
}

extension DiskImage {
    /// One state a power cut may leave.
    struct Survivor: CustomStringConvertible {
        let contents: [String: [UInt8]]
        let attributes: [String: [String: [UInt8]]]
        let description: String

        /// What tests see of a survivor, to find those that they cannot tell apart.
        ///
        /// It has `Data`, because arrays are hashed and compared byte by byte, which took most of these tests' time.
        fileprivate struct Look: Hashable {
            let contents: [String: Data]
            let attributes: [String: [String: Data]]
        }
        fileprivate var look: Look {
            Look(
                contents: contents.mapValues { Data($0) },
                attributes: attributes.mapValues { $0.mapValues { Data($0) } })
        }
    }

    /// What a power cut does to bytes that were written but not synchronized.
    private enum Unsynchronized: String, CaseIterable {
        case kept, dropped, torn, zeroed
    }

    /// Every state a power cut now may leave, each once.
    var survivors: [Survivor] {
        var seen: Set<Survivor.Look> = []
        return survivingChanges.flatMap { survived in
            Unsynchronized.allCases.map { fate in
                let kept = survived.isEmpty ? "none" : survived.map(String.init).joined(separator: ",")
                let names = survivingNames(survived)
                return Survivor(
                    contents: names.compactMapValues { files[$0].map { content(of: $0, fate) } },
                    attributes: names.compactMapValues {
                        fate == .kept ? files[$0]?.attributes : files[$0]?.durableAttributes
                    },
                    description: "unsynchronized bytes \(fate.rawValue), renames kept: \(kept) of \(pending.count)")
            }
        }.filter { seen.insert($0.look).inserted }
    }

    /// Every subset of the pending changes of names; of many changes, only every prefix and every suffix.
    private var survivingChanges: [[Int]] {
        guard pending.count > 6 else {
            return (0..<(1 << pending.count)).map { subset in
                pending.indices.filter { subset >> $0 & 1 == 1 }
            }
        }
        return (0...pending.count).flatMap { [Array(0..<$0), Array($0..<pending.count)] }
    }

    private func survivingNames(_ survived: [Int]) -> [String: Int] {
        var names = durableNames
        for index in survived {
            for (name, inode) in pending[index] { names[name] = inode }
        }
        return names
    }

    private func content(of file: File, _ fate: Unsynchronized) -> [UInt8] {
        let durable = Array(file.content[..<file.durableCount])
        let rest = file.content[file.durableCount...]
        return switch fate {
        case .kept: file.content
        case .dropped: durable
        case .torn: durable + rest.prefix(rest.count / 2)
        case .zeroed: durable + [UInt8](repeating: 0, count: rest.count)
        }
    }
}

extension DiskImage.Call: CustomStringConvertible {
    var description: String {
        switch self {
        case .create(let name): "create \(name)"
        case .write(_, let name, let bytes): "write \(bytes.count) \(name)"
        case .synchronize(_, let name): "synchronize \(name)"
        case .setAttribute(_, let name, let attribute, _): "set \(attribute) \(name)"
        case .link(let source, let target): "link \(source) \(target)"
        case .rename(let source, let target): "rename \(source) \(target)"
        case .remove(let name): "remove \(name)"
        case .synchronizeDirectory: "synchronize ."
        case .acknowledge(let promise): "acknowledge \(promise)"
        }
    }
}
