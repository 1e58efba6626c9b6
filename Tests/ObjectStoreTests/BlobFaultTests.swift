import Platform
import Serving
import TestSupport
import Testing

@testable import ObjectStore

/// Each call of the disk fails in turn below each way in which blobs are written, changed and removed.
@Suite struct BlobFaultTests {
    /// What is done while the disk fails.
    struct Deed: Sendable, CustomTestStringConvertible {
        typealias Act = @Sendable (Blobs, _ kept: IndexedObject) async throws -> [IndexedObject]

        let testDescription: String
        /// Whether the index knows of a blob that stays by a failure: as an upload, or as one to be removed.
        let isNoted: Bool
        /// Returns the rows that a client would be told are stored.
        let act: Act

        init(_ sentence: String, isNoted: Bool = false, act: @escaping Act) {
            (testDescription, self.isNoted, self.act) = (sentence, isNoted, act)
        }
    }

    private static let bytes = Array("the bytes of an upload".utf8)
    /// More than a file's attribute can hold, so that the row lies beside the blob.
    private static let longMetadata = #"{"path":"\#(String(repeating: "x", count: 70_000))"}"#

    static let deeds = [
        Deed("an upload is received") { blobs, _ in
            [try await blobs.receive(RequestBody(pieces: [bytes])) { { IndexedObject($0) } }]
        },
        Deed("an upload of nothing is received") { blobs, _ in
            [try await blobs.receive(RequestBody(pieces: [])) { { IndexedObject($0) } }]
        },
        Deed("an upload in pieces of a megabyte is received") { blobs, _ in
            let piece = [UInt8](repeating: 7, count: Blobs.pieceSize)
            return [try await blobs.receive(RequestBody(pieces: [piece, piece, [1]])) { { IndexedObject($0) } }]
        },
        Deed("an upload with long metadata is received") { blobs, _ in
            [try await blobs.receive(RequestBody(pieces: [bytes])) { { IndexedObject($0, metadata: longMetadata) } }]
        },
        Deed("an upload is lost in its middle") { blobs, _ in
            let body = RequestBody(pieces: [[UInt8](repeating: 7, count: Blobs.pieceSize), bytes], isLost: true)
            return [try await blobs.receive(body) { { IndexedObject($0) } }]
        },
        Deed("a blob is copied by a second name") { blobs, kept in
            [try await blobs.copy(kept.version) { IndexedObject($0, key: "copy") }]
        },
        Deed("a blob's bytes are copied") { blobs, kept in
            let version = "cc-a-copy"
            return [try await blobs.copyBytes(of: kept.version, as: version) { IndexedObject($0, key: "copy") }]
        },
        Deed("an upload in several requests grows", isNoted: true) { blobs, _ in
            let version = "ab-growing"
            try await blobs.begin(version)
            let digest = try await blobs.digest(of: version)
            for piece in [Array("first ".utf8), Array("second".utf8)] {
                _ = try await blobs.grow(version, by: RequestBody(pieces: [piece]), room: 100, digest: digest)
            }
            var row = IndexedObject(made: "grown", version: version, size: digest.count)
            row.content.eTag = digest.eTag
            try blobs.carry(row)
            return [row]
        },
        Deed("a row is replaced by a newer one") { blobs, kept in
            var row = kept
            (row.key, row.number) = ("moved", kept.number + 1)
            try blobs.carry(row)
            return [row]
        },
        Deed("a row is replaced by one that is too long") { blobs, kept in
            var row = kept
            (row.userMetadata, row.number) = (longMetadata, kept.number + 1)
            try blobs.carry(row)
            return [row]
        },
        Deed("another blob is removed", isNoted: true) { blobs, _ in
            let other = try await blobs.receive(RequestBody(pieces: [bytes])) { { IndexedObject($0, key: "other") } }
            _ = await blobs.pay([Debt(version: other.version, number: 1, row: nil)])
            return []
        },
    ]

    /// A folder with one blob, and what is done with it on a failing disk.
    private struct Trial {
        let folder: FilePath
        let kept: IndexedObject
        private let healthy: Blobs

        static let keptBytes = Array("what was stored before".utf8)

        init(_ folder: FilePath) async throws {
            self.folder = folder
            healthy = try Blobs(root: folder.appending("objects")) { path throws(SystemError) in
                try LocalDisk(directory: path)
            }
            kept = try await healthy.receive(RequestBody(pieces: [Self.keptBytes])) {
                { IndexedObject($0, key: "kept") }
            }
        }

        func blobs(on disk: FailingDisk) throws -> Blobs {
            try Blobs(root: folder.appending("objects")) { path throws(SystemError) in
                disk.directory(try LocalDisk(directory: path))
            }
        }

        /// The blobs that a start would find on a healthy disk.
        func found() throws -> [String] {
            var found: [String] = []
            try healthy.each { found.append($0) }
            return found.sorted()
        }

        func row(_ version: String) throws -> IndexedObject? { try healthy.row(of: version) }
        func bytes(_ version: String) async throws -> [UInt8]? { try await healthy.open(version)?.readAll() }
        func isWhole(_ row: IndexedObject) throws -> Bool { try healthy.isWhole(row) }
    }

    @Test(arguments: deeds, [FailingDisk.Afterwards.recovers, .staysBroken])
    func whateverCallFailsWhatWasStoredStays(_ deed: Deed, _ afterwards: FailingDisk.Afterwards) async throws {
        for callsBeforeFailure in 0... {
            let hasFailed = try await FileTree().withDirectory { folder in
                let trial = try await Trial(folder)
                let disk = FailingDisk(callsBeforeFailure: callsBeforeFailure, afterwards: afterwards)
                let blobs = try trial.blobs(on: disk)
                let told: [IndexedObject]
                do {
                    told = try await deed.act(blobs, trial.kept)
                } catch {
                    told = []
                    #expect(error is SystemError || error is BodyFailure)
                }
                let place = "failure after \(callsBeforeFailure) calls"
                #expect(try await trial.bytes(trial.kept.version) == Trial.keptBytes, "\(place)")
                let carried = try #require(try trial.row(trial.kept.version), "\(place)")
                #expect(
                    told.contains(carried) || carried == trial.kept || carried.number > trial.kept.number, "\(place)")
                for row in told where row.version != trial.kept.version {
                    #expect(try trial.row(row.version) == row, "\(place)")
                    #expect(try trial.isWhole(row), "\(place)")
                }
                // What no client was told of is gone, unless its removal failed, too: then the next start looks for it.
                let known = [trial.kept.version] + told.map(\.version)
                let left = try trial.found().filter { !known.contains($0) }
                #expect(left.isEmpty || blobs.hasLeftovers || deed.isNoted, "\(place): \(left)")
                return disk.hasFailed
            }
            if !hasFailed { break }
        }
    }

    /// The row names the blob, and a blob of another name has none of it.
    @Test func aRowOfAnotherBlobIsNoRow() async throws {
        try await FileTree().withDirectory { folder in
            let trial = try await Trial(folder)
            let other = "aa-other"
            let part = folder.appending("objects/aa")
            try Directory.create(at: part)
            try OpenFile(creating: part.appending(other)).setAttribute(Blobs.attribute, to: trial.kept.carried)
            #expect(try trial.row(other) == nil)
            try LocalDisk(directory: part).replace(Blobs.rowName(other), with: trial.kept.carried)
            #expect(try trial.row(other) == nil)
        }
    }
}

/// What an answered request has stored is there after a power cut at any later moment.
@Suite struct BlobPowerTests {
    /// A single directory in memory takes the place of all of them.
    private func blobs(_ disk: RecordingDisk, _ folder: FilePath) throws -> Blobs {
        try Blobs(root: folder.appending("objects")) { _ in disk }
    }

    /// Whether a cut disk holds `row` and its bytes.
    private func holds(_ cut: PowerCut, _ row: IndexedObject, _ bytes: [UInt8]) -> Bool {
        let beside = cut.contents[Blobs.rowName(row.version)]
        let inside = cut.attributes[row.version]?[Blobs.attribute]
        return cut.contents[row.version] == bytes
            && (beside ?? inside).flatMap { IndexedObject(carried: $0) } == row
    }

    @Test(arguments: [0, 1, 3])
    func anAnsweredUploadSurvives(pieces: Int) async throws {
        try await FileTree().withDirectory { folder in
            let disk = RecordingDisk()
            let blobs = try blobs(disk, folder)
            let body = (0..<pieces).map { [UInt8](repeating: UInt8($0), count: Blobs.pieceSize / 2 + 1) }
            let row = try await blobs.receive(RequestBody(pieces: body)) { { IndexedObject($0) } }
            disk.acknowledge("stored")
            var count = 0
            for cut in disk.powerCuts() where !cut.acknowledged.isEmpty {
                #expect(holds(cut, row, Array(body.joined())), "\(cut)")
                count += 1
            }
            #expect(count > 0)
        }
    }

    @Test func aRowIsTheOldOrTheNewAndTheNewOnceItIsAnswered() async throws {
        try await FileTree().withDirectory { folder in
            let disk = RecordingDisk()
            let blobs = try blobs(disk, folder)
            let row = try await blobs.receive(RequestBody(pieces: [[1, 2]])) { { IndexedObject($0) } }
            disk.acknowledge("stored")
            var moved = row
            (moved.key, moved.number) = ("there", row.number + 1)
            try blobs.carry(moved)
            disk.acknowledge("moved")
            for cut in disk.powerCuts() {
                switch cut.acknowledged.last {
                case "moved": #expect(holds(cut, moved, [1, 2]), "\(cut)")
                case "stored": #expect(holds(cut, row, [1, 2]) || holds(cut, moved, [1, 2]), "\(cut)")
                default: break
                }
            }
        }
    }

    @Test func aRemovedBlobStaysRemoved() async throws {
        try await FileTree().withDirectory { folder in
            let disk = RecordingDisk()
            let blobs = try blobs(disk, folder)
            let row = try await blobs.receive(RequestBody(pieces: [[1, 2]])) {
                { IndexedObject($0, metadata: #"{"a":"\#(String(repeating: "x", count: 70_000))"}"#) }
            }
            #expect(await blobs.pay([Debt(version: row.version, number: 1, row: nil)]).count == 1)
            disk.acknowledge("removed")
            for cut in disk.powerCuts() where !cut.acknowledged.isEmpty {
                #expect(cut.contents.isEmpty, "\(cut)")
            }
        }
    }

    /// What has arrived of an upload in pieces is never more than what its digest has seen.
    @Test func whatHasArrivedIsThereAndNothingElse() async throws {
        try await FileTree().withDirectory { folder in
            let disk = RecordingDisk()
            let blobs = try blobs(disk, folder)
            try await blobs.begin("ab-1")
            let digest = try await blobs.digest(of: "ab-1")
            for piece in ["first", "second"] {
                _ = try await blobs.grow("ab-1", by: RequestBody(pieces: [Array(piece.utf8)]), room: 99, digest: digest)
                disk.acknowledge("\(digest.count)")
            }
            let all = Array("firstsecond".utf8)
            for cut in disk.powerCuts() {
                guard let promised = cut.acknowledged.last.flatMap({ Int($0) }) else { continue }
                let held = cut.contents["ab-1"] ?? []
                #expect(held.prefix(promised) == all.prefix(promised), "\(cut)")
            }
        }
    }
}
