package import Platform
import Restoring
import Synchronization

/// A real folder one of whose calls fails, to be run in a loop over all calls; those after it fail too, or not.
package final class FailingFolder: RestoreFolder {
    private let folder: LocalRestoreFolder
    private let callsBeforeFailure: Int
    private let code: Int32
    private let staysBroken: Bool
    private let names = Mutex<[String]>([])

    package init(
        _ path: FilePath, callsBeforeFailure: Int, code: Int32, staysBroken: Bool = true, locksParts: Bool = true
    ) throws {
        folder = LocalRestoreFolder(try Directory(path), locksParts: locksParts)
        self.callsBeforeFailure = callsBeforeFailure
        self.code = code
        self.staysBroken = staysBroken
    }

    /// Whether a call failed by now.
    package var hasFailed: Bool { names.withLock { $0.count > callsBeforeFailure } }

    /// The call that failed first.
    package var failedCall: String {
        names.withLock { $0.count > callsBeforeFailure ? $0[callsBeforeFailure] : "none" }
    }

    private func count(_ call: String) throws(SystemError) {
        let number = names.withLock { names in
            names.append(call)
            return names.count - 1
        }
        guard number == callsBeforeFailure || staysBroken && number > callsBeforeFailure else { return }
        throw SystemError(call: call, code: code)
    }

    package func facts(of path: FilePath) throws(SystemError) -> FileFacts? {
        try count("facts")
        return try folder.facts(of: path)
    }

    package func names(in path: FilePath) throws(SystemError) -> [FilePath] {
        try count("names")
        return try folder.names(in: path)
    }

    package func availableBytes() throws(SystemError) -> Int64 {
        try count("availableBytes")
        return try folder.availableBytes()
    }

    package func open(_ path: FilePath) throws(SystemError) -> OpenFile {
        try count("open")
        return try folder.open(path)
    }

    package func makeDirectories(_ path: FilePath) throws(SystemError) {
        try count("makeDirectories")
        try folder.makeDirectories(path)
    }

    package func openPart(_ path: FilePath) throws(SystemError) -> OpenFile? {
        try count("openPart")
        return try folder.openPart(path)
    }

    package func cut(_ part: OpenFile, to size: Int64) throws(SystemError) {
        try count("cut")
        try folder.cut(part, to: size)
    }

    package func setModified(_ time: FileTime, of file: OpenFile) throws(SystemError) {
        try count("setModified")
        try folder.setModified(time, of: file)
    }

    package func synchronize(_ file: OpenFile) throws(SystemError) {
        try count("synchronize")
        try folder.synchronize(file)
    }

    package func place(_ part: FilePath, as path: FilePath) throws(SystemError) {
        try count("place")
        try folder.place(part, as: path)
    }

    package func remove(_ path: FilePath) throws(SystemError) {
        try count("remove")
        try folder.remove(path)
    }

    package func synchronize(directory path: FilePath) throws(SystemError) {
        try count("synchronize directory")
        try folder.synchronize(directory: path)
    }
}
