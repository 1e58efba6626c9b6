package import Platform
package import Restoring

/// A folder double that forwards every call; a test's own type implements the calls that are to differ.
package protocol ForwardingFolder: RestoreFolder {
    /// The folder that gets the call named `call`; throws if the call is to fail.
    func folder(for call: String) throws(SystemError) -> any RestoreFolder
}

extension ForwardingFolder {
    package func checkWriting() throws(SystemError) { try folder(for: "checkWriting").checkWriting() }

    package func facts(of path: FilePath) throws(SystemError) -> FileFacts? { try folder(for: "facts").facts(of: path) }

    package func lists(_ path: FilePath) throws(SystemError) -> Bool { try folder(for: "lists").lists(path) }

    package func names(in path: FilePath) throws(SystemError) -> [FilePath] { try folder(for: "names").names(in: path) }

    package func availableBytes() throws(SystemError) -> Int64 { try folder(for: "availableBytes").availableBytes() }

    package func open(_ path: FilePath) throws(SystemError) -> OpenFile { try folder(for: "open").open(path) }

    package func makeDirectories(_ path: FilePath) throws(SystemError) {
        try folder(for: "makeDirectories").makeDirectories(path)
    }

    package func openPart(_ path: FilePath) throws(SystemError) -> OpenFile? {
        try folder(for: "openPart").openPart(path)
    }

    package func cut(_ part: OpenFile, to size: Int64) throws(SystemError) {
        try folder(for: "cut").cut(part, to: size)
    }

    package func setModified(_ time: FileTime, of file: OpenFile) throws(SystemError) {
        try folder(for: "setModified").setModified(time, of: file)
    }

    package func synchronize(_ file: OpenFile) throws(SystemError) { try folder(for: "synchronize").synchronize(file) }

    package func place(_ part: FilePath, as path: FilePath) throws(SystemError) {
        try folder(for: "place").place(part, as: path)
    }

    package func remove(_ path: FilePath) throws(SystemError) { try folder(for: "remove").remove(path) }

    package func synchronize(directory path: FilePath) throws(SystemError) {
        try folder(for: "synchronize directory").synchronize(directory: path)
    }
}
