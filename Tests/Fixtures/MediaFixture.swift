import Foundation
package import MediaModel
package import Platform
package import Sync
import TestSupport
import Testing

/// The built media worker, files for it, and stand-ins that behave as badly as any worker can.
package struct MediaFixture: Sendable {
    package let folder: FilePath

    package static func with(_ body: (MediaFixture) async throws -> Void) async throws {
        try await FileTree().withDirectory { folder in try await body(MediaFixture(folder: folder)) }
    }

    /// The media worker, which lies beside the program that runs the tests.
    package static func program() throws -> FilePath {
        try Host.executable().parent.appending("gallery-sync-media")
    }

    /// A pool of the real worker.
    package func pool(
        count: Int = 1, memory: Int = 1 << 30, processorTime: Int = 60, time: Duration = .seconds(120),
        idle: Duration = .seconds(600)
    ) throws -> MediaWorkerPool {
        MediaWorkerPool(
            program: try Self.program(),
            limits: MediaWorkerPool.Limits(
                count: count, memory: memory, processorTime: processorTime, time: time, idle: idle))
    }

    /// A pool whose worker is a shell script; the socket is its descriptor 3.
    package func pool(script: String, memory: Int = 1 << 30, time: Duration = .seconds(120)) async throws
        -> MediaWorkerPool
    {
        let path = folder.appending("worker.sh")
        try await Executable.write("#!/bin/sh\n\(script)\n", at: path)
        return MediaWorkerPool(
            program: path, limits: MediaWorkerPool.Limits(count: 1, memory: memory, processorTime: 60, time: time))
    }

    /// A file that `gallery-sync-media make` encodes.
    package func made(_ format: String, size: String) async throws -> OpenFile {
        let arguments = ["make", folder.display, "--only", format, "--size", size, "--seconds", "1", "--fps", "5"]
        let names = folder.appending("made.txt")
        let output = try OpenFile(creating: names)
        let child = try ChildProcess.spawn(
            try Self.program(), arguments: arguments, descriptors: [1: output.descriptor])
        defer { child.kill() }
        let exit = try await child.end("\(format) is encoded")
        try #require(exit == .exited(0))
        let name = try output.readAll().prefix { $0 != UInt8(ascii: "\n") }
        return try OpenFile(reading: folder.appending(Array(name)))
    }

    /// A drawing that repeats its noise a hundred thousand times, a thousand of which take half a second.
    package func endless() throws -> OpenFile {
        let file = try OpenFile(creating: folder.appending("endless.svg"))
        let head = """
            <svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000"><filter id="f" x="0" y="0" width="1" \
            height="1"><feTurbulence baseFrequency="0.9" numOctaves="9"/></filter>
            """
        let noise = String(repeating: #"<rect width="100%" height="100%" filter="url(#f)"/>"#, count: 1000)
        let again = String(repeating: ##"<use href="#g"/>"##, count: 99)
        try file.write(Array("\(head)<g id=\"g\">\(noise)</g>\(again)</svg>".utf8), at: 0)
        return file
    }

    package static func job(_ type: MediaType) -> MediaJob {
        MediaJob(type: type, specs: [ThumbnailSpec(longSide: 32)])
    }
}

extension MediaOutcome {
    /// Whether the outcome has facts and one thumbnail.
    package var isPicture: Bool {
        guard case .examined(_, let thumbnails) = self else { return false }
        return thumbnails.count == 1
    }
}
