import Platform
import Simulation

/// A directory of the state's disk; a power cut may lose, tear or zero whatever is not synchronized.
///
/// Each life has its own: after a crash the next life gets another, made of what is left.
final class ModelDisk: Disk {
    final class Contents: Sendable {
        let bytes = Simulated<[UInt8]>([])
        let durable = Simulated<[UInt8]>([])
    }

    private let names_ = Simulated<[String: Contents]>([:])
    private let durableNames = Simulated<[String: Contents]>([:])
    /// Changes of names that are not durable yet; each one is atomic.
    private let pending = Simulated<[[(name: String, contents: Contents?)]]>([])
    /// Called before each call; returns the error that the call fails with, or 0.
    let meets: @Sendable (Seam) -> Int32

    init(_ files: [String: [UInt8]] = [:], meets: @escaping @Sendable (Seam) -> Int32) {
        self.meets = meets
        for (name, bytes) in files {
            let contents = Contents()
            contents.bytes.value = bytes
            contents.durable.value = bytes
            names_.value[name] = contents
        }
        durableNames.value = names_.value
    }

    /// The files that a process sees if it starts after a kill.
    var files: [String: [UInt8]] { names_.value.mapValues(\.bytes.value) }

    /// The files that would be left if everything that is not durable were lost.
    var durableFiles: [String: [UInt8]] { durableNames.value.mapValues(\.durable.value) }

    /// The files that a process sees after a kill, with one of them missing, cut off, or full of other bytes.
    func decayed(_ random: inout SplitMix) -> [String: [UInt8]] {
        var left = files
        guard let name = left.keys.sorted().randomElement(using: &random), let bytes = left[name] else { return left }
        switch random.next() % 3 {
        case 0: left[name] = nil
        case 1: left[name] = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
        default: left[name] = bytes.map { $0 ^ UInt8(truncatingIfNeeded: random.next()) }
        }
        return left
    }

    /// The files that are left after a power cut.
    func survivors(_ random: inout SplitMix) -> [String: [UInt8]] {
        var names = durableNames.value
        let isOrdered = random.happens(0.5)
        let kept = Int.random(in: 0...pending.value.count, using: &random)
        for (number, change) in pending.value.enumerated() {
            guard isOrdered ? number < kept : random.happens(0.5) else { continue }
            for (name, contents) in change { names[name] = contents }
        }
        var left: [String: [UInt8]] = [:]
        for (name, contents) in names.sorted(by: { $0.key < $1.key }) {
            left[name] = Self.left(of: contents, &random)
        }
        return left
    }

    private static func left(of contents: Contents, _ random: inout SplitMix) -> [UInt8] {
        let (now, durable) = (contents.bytes.value, contents.durable.value)
        guard now != durable else { return durable }
        let rest = now.dropFirst(durable.count)
        switch random.next() % 4 {
        case 0: return now
        case 1: return durable
        case 2: return durable + rest.prefix(Int.random(in: 0...rest.count, using: &random))
        default: return durable + [UInt8](repeating: 0, count: rest.count)
        }
    }

    private func call(_ name: String, _ seam: Seam) throws(SystemError) {
        let code = meets(seam)
        if code != 0 { throw SystemError(call: name, code: code) }
    }

    private func change(_ change: [(name: String, contents: Contents?)]) {
        for (name, contents) in change { names_.value[name] = contents }
        pending.value.append(change)
    }
}

extension ModelDisk {
    func read(_ name: String) throws(SystemError) -> [UInt8]? { names_.value[name]?.bytes.value }

    func names() throws(SystemError) -> [String] { names_.value.keys.sorted() }

    func create(_ name: String) throws(SystemError) -> any DiskFile {
        try call("openat", .queueWrite)
        let contents = Contents()
        change([(name, contents)])
        return ModelFile(disk: self, contents: contents)
    }

    func append(_ name: String) throws(SystemError) -> any DiskFile {
        guard let contents = names_.value[name] else { return try create(name) }
        return ModelFile(disk: self, contents: contents)
    }

    func open(_ name: String) throws(SystemError) -> any DiskFile {
        guard let contents = names_.value[name] else { throw SystemError(call: "openat", code: 2) }
        return ModelFile(disk: self, contents: contents)
    }

    func link(_ source: String, to target: String) throws(SystemError) {
        try call("linkat", .queueRename)
        guard let contents = names_.value[source] else { throw SystemError(call: "linkat", code: 2) }
        guard names_.value[target] == nil else { throw SystemError(call: "linkat", code: 17) }
        change([(target, contents)])
    }

    func rename(_ source: String, to target: String) throws(SystemError) {
        try call("renameat", .queueRename)
        guard let contents = names_.value[source] else { throw SystemError(call: "renameat", code: 2) }
        change([(target, contents), (source, nil)])
    }

    func remove(_ name: String) throws(SystemError) {
        guard names_.value[name] != nil else { return }
        try call("unlinkat", .queueRename)
        change([(name, nil)])
    }

    func synchronizeDirectory() throws(SystemError) {
        try call("fsync", .queueDirectory)
        durableNames.value = names_.value
        pending.value = []
    }

    private struct ModelFile: DiskFile {
        let disk: ModelDisk
        let contents: Contents

        func write(_ bytes: [UInt8]) throws(SystemError) {
            try disk.call("write", .queueWrite)
            contents.bytes.value += bytes
        }

        func synchronize() throws(SystemError) {
            try disk.call("fdatasync", .queueSynchronize)
            contents.durable.value = contents.bytes.value
        }
    }
}
