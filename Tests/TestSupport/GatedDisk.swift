import Foundation
package import Platform

/// A disk in memory that makes files durable only while it is open.
package final class GatedDisk: Disk {
    private let contents = RecordingDisk()
    private let gate = Gate()

    /// An open disk without files.
    package init() {}

    /// Whether anything waits for the disk to open.
    package var isWaiting: Bool { gate.isWaiting }
    /// How often a call asked for durability.
    package var synchronizations: Int { gate.arrivals }
    /// Lets nothing become durable.
    package func close() { gate.set(isClosed: true) }
    /// Lets everything that waits become durable, and everything that follows.
    package func open() { gate.set(isClosed: false) }

    package func read(_ name: String) -> [UInt8]? { contents.read(name) }
    package func names() -> [String] { contents.names() }
    package func create(_ name: String) -> any DiskFile { File(gate: gate, file: contents.create(name)) }
    package func append(_ name: String) -> any DiskFile { File(gate: gate, file: contents.append(name)) }
    package func open(_ name: String) throws(SystemError) -> any DiskFile {
        File(gate: gate, file: try contents.open(name))
    }
    package func link(_ source: String, to target: String) throws(SystemError) {
        try contents.link(source, to: target)
    }
    package func rename(_ source: String, to target: String) throws(SystemError) {
        try contents.rename(source, to: target)
    }
    package func remove(_ name: String) { contents.remove(name) }
    package func synchronizeDirectory() { contents.synchronizeDirectory() }

    private struct File: DiskFile {
        let gate: Gate
        let file: any DiskFile

        func write(_ bytes: [UInt8]) throws(SystemError) { try file.write(bytes) }
        func synchronize() throws(SystemError) {
            gate.pass()
            try file.synchronize()
        }
    }

    /// Holds threads while it is closed, 100 seconds at most.
    private final class Gate: @unchecked Sendable {
        private let condition = NSCondition()
        private var isClosed = false
        private var waiting = 0
        private var count = 0

        var isWaiting: Bool { condition.withLock { waiting > 0 } }
        var arrivals: Int { condition.withLock { count } }

        func set(isClosed: Bool) {
            condition.withLock { self.isClosed = isClosed }
            condition.broadcast()
        }

        func pass() {
            condition.withLock {
                (waiting, count) = (waiting + 1, count + 1)
                defer { waiting -= 1 }
                let end = Date() + 100
                while isClosed, condition.wait(until: end) {}
            }
        }
    }
}
