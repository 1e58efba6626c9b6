import Configuration
import Fixtures
import Foundation
import Platform
import Restoring
import TestSupport
import Testing

@testable import Rescue

/// Downloaded files that get their names and sidecars, whatever has these names already.
@Suite(.timeLimit(.minutes(5))) struct PlacementTests {
    /// A download that is complete, of a name that the server gave.
    struct Piece: Sendable {
        let job: Job
        let file: JobFile
        let bytes: [UInt8]

        init(_ job: Job, _ text: String, as given: String? = nil, _ suffix: String = ".mp4") {
            self.job = job
            bytes = Array(text.utf8)
            var file = Jobs.link().files[0]
            file.stage = .probed
            file.link = job.files.first?.link ?? file.link
            file.sha256 = SHA256.hash(bytes).hexadecimal
            (file.bytes, file.received, file.fileName) = (Int64(bytes.count), Int64(bytes.count), given)
            file.path = RescuedPlace(job, 0, given: given).named(suffix)
            self.file = file
        }

        var part: FilePath { RescuedPlace(job, 0).part }
    }

    /// The root of rescued files; `folder` decides what happens to its operations.
    struct Bench: Sendable {
        let root: FilePath

        func placement(_ wrap: (any RestoreFolder) -> any RestoreFolder = { $0 }) throws -> Placement {
            let folder = LocalRestoreFolder(try Directory(root))
            return Placement(folder: RescuedFolder(folder: wrap(folder)), workers: nil, settings: Settings().thumbnails)
        }

        func download(_ piece: Piece) throws {
            let part = root.appending(piece.part)
            try Directory.create(at: part.parent)
            try OpenFile(creating: part).append(piece.bytes)
        }

        /// The file once it is safe, as the rescuer gets it there.
        func safe(_ piece: Piece, _ placement: Placement) async throws -> JobFile {
            var file = piece.file
            for _ in 0..<100 where file.stage == .probed {
                file = try await placement.placed(file, of: piece.job, 0)
            }
            return file
        }

        /// Expects the bytes of `piece` and its own sidecar under the name of `file`.
        func expect(_ piece: Piece, under file: JobFile) throws {
            #expect(file.stage == .safe)
            let path = root.appending(try #require(file.path))
            #expect(try OpenFile(reading: path).readAll() == piece.bytes)
            let stem = path.bytes.dropLast(path.fileExtension.count)
            let sidecar = try OpenFile(reading: FilePath(bytes: stem + Array(".json".utf8))).readAll()
            #expect(try JSONDecoder().decode(Sidecar.self, from: Data(sidecar)) == Sidecar(file, of: piece.job))
        }

        func names() throws -> [String] {
            try Directory(root.appending("link/2026-11")).names().map(\.display).sorted()
        }
    }

    static func with(_ body: (Bench) async throws -> Void) async throws {
        try await FileTree().withDirectory { try await body(Bench(root: $0)) }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let pieces: [Piece]

        init(_ fact: String, _ pieces: [Piece]) { (testDescription, self.pieces) = (fact, pieces) }
    }

    private static func many(_ count: Int, _ make: (Int, Job) -> Piece) -> [Piece] {
        (0..<count).map { make($0, Jobs.link("n\($0)")) }
    }

    static let rows = [
        Row("one file", many(1) { Piece($1, "a", as: "clip.mp4") }),
        Row("many of one name, all different", many(20) { Piece($1, "\($0)", as: "clip.mp4") }),
        Row("many of one name and with the same bytes", many(30) { Piece($1, "same", as: "clip.mp4") }),
        Row("of one name, but of two types", many(2) { Piece($1, "\($0)", as: "clip", $0 == 0 ? ".mp4" : ".png") }),
        Row("of one name and of many types", many(9) { Piece($1, "\($0)", as: "clip", ".t\($0)") }),
        Row("of the longest name", many(20) { Piece($1, "same", as: String(repeating: "é", count: 300)) }),
        Row(
            "a name such as those that are made here",
            many(6) {
                Piece(
                    $1, "same", as: $0 < 3 ? "clip" : "clip--\(SHA256.hash(Array("same".utf8)).hexadecimal.prefix(8))")
            }),
        Row("a name such as that of a sidecar", many(3) { Piece($1, "\($0)", as: $0 == 0 ? "clip" : "clip.json") }),
        Row("a name such as that of a part", many(3) { Piece($1, "\($0)", as: "clip.part") }),
        Row("without a name from the server", many(5) { Piece($1, "\($0)") }),
    ]

    @Test(arguments: rows)
    func eachHasItsBytesAndItsSidecar(_ row: Row) async throws {
        try await Self.with { bench in
            let placement = try bench.placement()
            for piece in row.pieces { try bench.download(piece) }
            var files: [JobFile] = []
            for piece in row.pieces { files.append(try await bench.safe(piece, placement)) }
            for (piece, file) in zip(row.pieces, files) { try bench.expect(piece, under: file) }
            #expect(Set(files.compactMap(\.path)).count == row.pieces.count)
            #expect(try bench.names().count == 2 * row.pieces.count)
        }
    }

    @Test(arguments: rows)
    func eachHasThemAlsoWhenAllArePlacedAtOnce(_ row: Row) async throws {
        for _ in 0..<2 {
            try await Self.with { bench in
                for piece in row.pieces { try bench.download(piece) }
                let placement = try bench.placement { SlowLook(folder: $0) }
                try await withThrowingDiscardingTaskGroup { group in
                    for piece in row.pieces {
                        group.addTask { try bench.expect(piece, under: try await bench.safe(piece, placement)) }
                    }
                }
                #expect(try bench.names().count == 2 * row.pieces.count)
            }
        }
    }

    /// A crash, or a disk in trouble, before any operation; afterwards another file of the name comes first.
    @Test(arguments: rows)
    func anInterruptionAnywhereLosesNothing(_ row: Row) async throws {
        guard let first = row.pieces.first else { return }
        for count in 0... {
            let isThrough = Shared(false)
            try await Self.with { bench in
                for piece in row.pieces { try bench.download(piece) }
                let failing = FillingFolder(callsBeforeFailure: count)
                let broken = try bench.placement { failing.over($0) }
                var file = first.file
                do {
                    while file.stage == .probed { file = try await broken.placed(file, of: first.job, 0) }
                } catch let error as SystemError {
                    #expect(error.isDiskFull)
                }
                isThrough.change { $0 = !failing.hasFailed }
                let placement = try bench.placement()
                var files: [JobFile] = []
                for piece in row.pieces.dropFirst() { files.append(try await bench.safe(piece, placement)) }
                while file.stage == .probed { file = try await placement.placed(file, of: first.job, 0) }
                for (piece, file) in zip(row.pieces, [file] + files) { try bench.expect(piece, under: file) }
                #expect(try bench.names().count == 2 * row.pieces.count, "after \(count) calls")
            }
            if isThrough.value { return #expect(count > 5) }
        }
    }

    /// As of a user who put files there.
    @Test(arguments: ["clip.mp4", "clip.json", "clip"])
    func whatElseHasTheNameStays(name: String) async throws {
        for isDirectory in [false, true] {
            try await Self.with { bench in
                let piece = Piece(Jobs.link(), "a", as: "clip.mp4")
                try bench.download(piece)
                let path = bench.root.appending("link/2026-11").appending(FilePath(name))
                if isDirectory {
                    try Directory.create(at: path)
                } else {
                    try OpenFile(creating: path).append(Array("mine".utf8))
                }
                let file = try await bench.safe(piece, bench.placement())
                try bench.expect(piece, under: file)
                #expect(try FileFacts(of: path).kind == (isDirectory ? .directory : .file))
                if !isDirectory { #expect(try OpenFile(reading: path).readAll() == Array("mine".utf8)) }
                #expect(try bench.names().count == 3)
            }
        }
    }

    @Test func bytesThatAreGoneLeaveNoSidecar() async throws {
        try await Self.with { bench in
            let piece = Piece(Jobs.link(), "a", as: "clip.mp4")
            try bench.download(piece)
            try Directory(bench.root).remove(file: piece.part)
            let placement = try bench.placement()
            await #expect(throws: (any Error).self) { try await placement.placed(piece.file, of: piece.job, 0) }
            #expect(try bench.names() == [])
        }
    }
}

/// Gives others time after each look.
private struct SlowLook: ForwardingFolder {
    let folder: any RestoreFolder

    func folder(for call: String) -> any RestoreFolder { folder }
    func facts(of path: FilePath) throws(SystemError) -> FileFacts? {
        let facts = try folder.facts(of: path)
        Thread.sleep(forTimeInterval: 0.02)
        return facts
    }
}

/// A folder whose disk is full from one call on.
private struct FillingFolder: ForwardingFolder {
    let callsBeforeFailure: Int
    let calls = Shared(0)
    var folder: (any RestoreFolder)?

    init(callsBeforeFailure: Int) { self.callsBeforeFailure = callsBeforeFailure }

    func over(_ folder: any RestoreFolder) -> FillingFolder {
        var copy = self
        copy.folder = folder
        return copy
    }

    var hasFailed: Bool { calls.value > callsBeforeFailure }

    func folder(for call: String) throws(SystemError) -> any RestoreFolder {
        calls.change { $0 += 1 }
        guard let folder, !hasFailed else { throw SystemError(call: "write", code: 28, path: "folder") }
        return folder
    }
}
