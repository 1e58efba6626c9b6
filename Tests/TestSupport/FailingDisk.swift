package import Platform

/// A disk on which one call fails, to be run in a loop over all calls.
///
///     for callsBeforeFailure in 0... {
///         let disk = FailingDisk(callsBeforeFailure: callsBeforeFailure)
///         …
///         if !disk.hasFailed { break }
///     }
package final class FailingDisk: Disk {
    /// What happens after the failed call.
    package enum Afterwards: Sendable {
        case recovers, staysBroken
    }

    /// The disk that holds what was written.
    package let contents: any Disk
    private let callsBeforeFailure: Int
    private let code: Int32
    private let afterwards: Afterwards
    /// Shared by the directories of one disk.
    private let calls: Shared<Int>

    /// Lets `callsBeforeFailure` calls succeed; the next fails with `code`, a write after half its bytes.
    package init(
        _ contents: any Disk = RecordingDisk(), callsBeforeFailure: Int, code: Int32 = 28,
        afterwards: Afterwards = .staysBroken
    ) {
        self.contents = contents
        self.callsBeforeFailure = callsBeforeFailure
        self.code = code
        self.afterwards = afterwards
        calls = Shared(0)
    }

    private init(_ contents: any Disk, of whole: FailingDisk) {
        self.contents = contents
        (callsBeforeFailure, code, afterwards) = (whole.callsBeforeFailure, whole.code, whole.afterwards)
        calls = whole.calls
    }

    /// Another directory of the same disk: its calls count with those of all others.
    package func directory(_ contents: any Disk) -> FailingDisk { FailingDisk(contents, of: self) }

    /// Whether a call failed by now.
    package var hasFailed: Bool { calls.value > callsBeforeFailure }

    fileprivate func count(_ call: String) throws(SystemError) {
        let number = calls.change { calls in
            defer { calls += 1 }
            return calls
        }
        let fails = afterwards == .recovers ? number == callsBeforeFailure : number >= callsBeforeFailure
        if fails { throw SystemError(call: call, code: code) }
    }

    package func read(_ name: String) throws(SystemError) -> [UInt8]? {
        try count("read")
        return try contents.read(name)
    }

    package func names() throws(SystemError) -> [String] {
        try count("names")
        return try contents.names()
    }

    package func create(_ name: String) throws(SystemError) -> any DiskFile {
        try count("create")
        return FailingFile(file: try contents.create(name), disk: self)
    }

    package func append(_ name: String) throws(SystemError) -> any DiskFile {
        try count("append")
        return FailingFile(file: try contents.append(name), disk: self)
    }

    package func open(_ name: String) throws(SystemError) -> any DiskFile {
        try count("open")
        return FailingFile(file: try contents.open(name), disk: self)
    }

    package func link(_ source: String, to target: String) throws(SystemError) {
        try count("link")
        try contents.link(source, to: target)
    }

    package func rename(_ source: String, to target: String) throws(SystemError) {
        try count("rename")
        try contents.rename(source, to: target)
    }

    package func remove(_ name: String) throws(SystemError) {
        try count("remove")
        try contents.remove(name)
    }

    package func synchronizeDirectory() throws(SystemError) {
        try count("fsync")
        try contents.synchronizeDirectory()
    }
}

private struct FailingFile: DiskFile {
    let file: any DiskFile
    let disk: FailingDisk

    func write(_ bytes: [UInt8]) throws(SystemError) {
        do {
            try disk.count("write")
        } catch {
            try file.write(Array(bytes.prefix(bytes.count / 2)))
            throw error
        }
        try file.write(bytes)
    }

    func synchronize() throws(SystemError) {
        try disk.count("fdatasync")
        try file.synchronize()
    }

    func synchronizeAll() throws(SystemError) {
        try disk.count("fsync")
        try file.synchronizeAll()
    }

    func setAttribute(_ name: String, to value: [UInt8]) throws(SystemError) {
        try disk.count("fsetxattr")
        try file.setAttribute(name, to: value)
    }

    func attribute(_ name: String) throws(SystemError) -> [UInt8]? {
        try disk.count("fgetxattr")
        return try file.attribute(name)
    }
}
