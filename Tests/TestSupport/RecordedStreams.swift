package import Platform

/// Files in place of standard output and standard error.
package struct RecordedStreams {
    package let directory: TemporaryDirectory
    package let results: OpenFile
    package let notes: OpenFile

    package init() throws {
        directory = try TemporaryDirectory()
        results = try OpenFile(creating: directory.path.appending("results"))
        notes = try OpenFile(creating: directory.path.appending("notes"))
    }

    package var resultText: String { get throws { String(decoding: try results.readAll(), as: UTF8.self) } }
    package var noteText: String { get throws { String(decoding: try notes.readAll(), as: UTF8.self) } }
}
