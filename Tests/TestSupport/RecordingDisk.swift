package import Platform
import Synchronization

/// A disk in memory that records every call, and computes the states after a power cut.
///
/// Tests call `acknowledge` when the code under test has acknowledged something; every power cut lists what was
/// acknowledged before it.
package final class RecordingDisk: Disk {
    private struct State {
        var image: DiskImage
        var calls: [DiskImage.Call] = []
    }

    private let initial: DiskImage
    private let state: Mutex<State>

    /// Starts with `contents`, all of it durable.
    package init(_ contents: [String: [UInt8]] = [:]) {
        let image = DiskImage(contents)
        initial = image
        state = Mutex(State(image: image))
    }

    /// The content that processes see now.
    package var contents: [String: [UInt8]] { state.withLock { $0.image.contents } }

    fileprivate func attributes(of inode: Int) -> [String: [UInt8]] {
        state.withLock { $0.image.attributes(of: inode) }
    }

    /// The calls that change something, in order, such as `rename queue.json.new queue.json`.
    package var calls: [String] { state.withLock { $0.calls.map(\.description) } }

    /// Notes that the code under test has acknowledged `promise` by now.
    package func acknowledge(_ promise: String) {
        record(.acknowledge(promise))
    }

    /// All possible states after a power cut: every way to lose unsynchronized data after every prefix of the calls.
    package func powerCuts() -> [PowerCut] {
        let calls = state.withLock { $0.calls }
        var image = initial
        var cuts = image.survivors.map { PowerCut(after: [], leaving: $0) }
        for (index, call) in calls.enumerated() {
            image.apply(call)
            cuts += image.survivors.map { PowerCut(after: Array(calls[...index]), leaving: $0) }
        }
        return cuts
    }

    fileprivate func record(_ call: DiskImage.Call) {
        state.withLock { state in
            state.image.apply(call)
            state.calls.append(call)
        }
    }

    package func read(_ name: String) -> [UInt8]? { contents[name] }

    package func names() -> [String] { contents.keys.sorted() }

    package func create(_ name: String) -> any DiskFile {
        open(name, .create(name))
    }

    package func append(_ name: String) -> any DiskFile {
        open(name, contents[name] == nil ? .create(name) : nil)
    }

    private func open(_ name: String, _ call: DiskImage.Call?) -> any DiskFile {
        if let call { record(call) }
        return RecordingFile(disk: self, inode: state.withLock { $0.image.names[name] ?? 0 }, name: name)
    }

    package func open(_ name: String) throws(SystemError) -> any DiskFile {
        guard contents[name] != nil else { throw SystemError(call: "openat", code: 2) }
        return open(name, nil)
    }

    package func link(_ source: String, to target: String) throws(SystemError) {
        let contents = contents
        if contents[source] == nil { throw SystemError(call: "linkat", code: 2) }
        if contents[target] != nil { throw SystemError(call: "linkat", code: 17) }
        record(.link(source, target))
    }

    package func rename(_ source: String, to target: String) throws(SystemError) {
        if contents[source] == nil { throw SystemError(call: "renameat", code: 2) }
        record(.rename(source, target))
    }

    package func remove(_ name: String) {
        if contents[name] != nil { record(.remove(name)) }
    }

    package func synchronizeDirectory() {
        record(.synchronizeDirectory)
    }
}

private struct RecordingFile: DiskFile {
    let disk: RecordingDisk
    let inode: Int
    let name: String

    func write(_ bytes: [UInt8]) { disk.record(.write(inode, name, bytes)) }
    func synchronize() { disk.record(.synchronize(inode, name)) }
    func setAttribute(_ attribute: String, to value: [UInt8]) {
        disk.record(.setAttribute(inode, name, attribute, value))
    }
    func attribute(_ attribute: String) -> [UInt8]? { disk.attributes(of: inode)[attribute] }
}

/// One way the disk may look when the power comes back.
package struct PowerCut: Sendable, CustomStringConvertible {
    /// The calls made before the cut.
    package let calls: [String]
    /// What was acknowledged before the cut.
    package let acknowledged: [String]
    /// What happened to the unsynchronized data.
    package let survival: String
    package let contents: [String: [UInt8]]
    /// The extended attributes of every file.
    package let attributes: [String: [String: [UInt8]]]

    fileprivate init(after calls: [DiskImage.Call], leaving survivor: DiskImage.Survivor) {
        self.calls = calls.map(\.description)
        acknowledged = calls.compactMap { if case .acknowledge(let promise) = $0 { promise } else { nil } }
        survival = survivor.description
        (contents, attributes) = (survivor.contents, survivor.attributes)
    }

    /// A disk on which the machine starts again.
    package var disk: RecordingDisk { RecordingDisk(contents) }

    package var description: String {
        "power cut after \(calls.count) calls (\(calls.last ?? "none")), \(survival)"
    }
}
