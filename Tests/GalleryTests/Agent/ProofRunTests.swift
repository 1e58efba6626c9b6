import Configuration
import Foundation
import Platform
import Reconciling
import Records
import Roots
import Serving
import StorageServer
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Catalog
@testable import Gallery
@testable import Reporting

/// What counts as stored, over connections that corrupt bytes and with storage that proves little.
@Suite struct ProofRunTests {
    private static let large = Randomness.bytes(7_000_000)
    private static let key = "Pictures/large.mp4"
    private static let tree: FileTree = ["large.mp4": .file(large), "small.jpg": "one"]

    private func with(
        _ tree: FileTree = tree, line: @escaping @Sendable (HTTPClient) -> any Transport,
        isRemote: Bool = false, _ body: (AgentFixture) async throws -> Void
    ) async throws {
        try await AgentFixture.with(tree) { fixture in
            var fixture = fixture
            fixture.settings.retry.attempts = 10
            let (client, distant) = (fixture.client, fixture.distantDestination)
            fixture.equip = { setup in
                setup.transport = line(client)
                guard isRemote else { return }
                setup.destination = distant
                setup.settings.verify.readBack = .always
            }
            try await body(fixture)
        }
    }

    private func stored(_ fixture: AgentFixture, _ key: String = key) async throws -> [UInt8] {
        try await fixture.storage.download(bucket: "media", key: key, to: .memory(limit: 1 << 24)).body
    }

    private func proof(_ fixture: AgentFixture) async throws -> Report.Proof {
        try await fixture.run(.steering) { try await $0.report(.summary) }.proof
    }

    struct Line: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// How many transfers of the large file are spoilt.
        let spoilt: Int
        /// Whether storage tells no eTag, so that its bytes are read back, and spoilt, too.
        var isReadBack = false
        /// Why the large file is not stored; `nil` where it is.
        var failure: String?
        let proof: Report.Proof
    }

    @Test(arguments: [
        Line(
            testDescription: "a piece that is spoilt on the way is sent again", spoilt: 1, proof: Report.Proof(md5: 2)),
        Line(
            testDescription: "what is spoilt each time is never called stored", spoilt: .max, failure: "verify.hash",
            proof: Report.Proof(md5: 1)),
        Line(
            testDescription: "what only its size proves is read back", spoilt: 0, isReadBack: true,
            proof: Report.Proof(readBack: 2)),
        Line(
            testDescription: "what comes back wrong is sent again and written down", spoilt: 1, isReadBack: true,
            proof: Report.Proof(readBack: 2)),
        Line(
            testDescription: "what comes back wrong each time is failed", spoilt: .max, isReadBack: true,
            failure: "verify.readBack", proof: Report.Proof(readBack: 1)),
    ])
    func nothingSpoiltIsCalledStored(_ row: Line) async throws {
        let left = Shared(row.spoilt)
        try await with(
            line: { client in
                let line: any Transport = CorruptingLine(server: client, left: left)
                return row.isReadBack ? RetaggingLine(server: line) { _ in nil } : line
            }, isRemote: row.isReadBack
        ) { fixture in
            #expect(try await fixture.sync() == (row.failure == nil ? .done : .someFailed(1)))
            #expect(left.value < row.spoilt, "the line was used")
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.proof == row.proof)
            #expect(report.assets == (row.failure == nil ? .init(stored: 2) : .init(stored: 1, failed: 1)))
            #expect(report.failures.map(\.code) == [row.failure].compactMap(\.self))
            if row.failure == nil { #expect(try await stored(fixture) == Self.large) }
            let damaged = try fixture.audit().filter { $0.contains("\"action\":\"damaged\"") }
            guard row.isReadBack, row.spoilt == 1 else { return }
            #expect(damaged.count == 1 && damaged.first?.contains(Self.key) == true)
        }
    }

    @Test func aTagOfPartsThatFitsIsProof() async throws {
        // 7,000,000 bytes are sent as 6 MiB and the rest; the small file is one part, too.
        let parts = [Array(Self.large[..<6_291_456]), Array(Self.large[6_291_456...])].map { MD5.hash($0) }
        let large = MD5.hash(Self.large).hexadecimal
        let tag = "\(MD5.hash(parts.joined()).hexadecimal)-2"
        try await with(line: { RetaggingLine(server: $0) { $0 == large ? tag : $0 } }) { fixture in
            try await fixture.pass()
            #expect(try await proof(fixture) == Report.Proof(md5: 1, multipartMD5: 1))
            // A copy has the eTag of its source here, so its bytes are known.
            try OpenFile(creating: fixture.gallery.appending("copy.mp4")).append(Self.large)
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.count("POST", "/object/copy") == 1)
            #expect(try await proof(fixture) == Report.Proof(md5: 1, multipartMD5: 2))
        }
    }

    @Test func aTagOfPartsThatDoesNotFitIsNoProofAndSaid() async throws {
        let tag = String(repeating: "ab", count: 16) + "-2"
        try await with(line: { RetaggingLine(server: $0) { _ in tag } }) { fixture in
            try await fixture.pass()
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.proof == Report.Proof(size: 2))
            #expect(report.notes.contains { $0.hasPrefix("2 of 2 objects proven by size only") })
            let (library, path) = (
                try Library(path: fixture.locations.library), fixture.gallery.appending("small.jpg")
            )
            let known = try await library.root(at: fixture.gallery).root
            let why = try await Explanation(
                of: path, root: (Root(known: known), "small.jpg"), library: library, items: [])
            #expect(why.decisions.contains { $0.hasSuffix("proven by its size only.") })
        }
    }

    /// One file is requested by itself, many are listed first.
    @Test(arguments: [1, 40])
    func anOddTagIsAskedForOnceFromTheObjectItself(files: Int) async throws {
        let tree = FileTree(
            Dictionary(uniqueKeysWithValues: (0..<files).map { (FilePath("\($0).jpg"), .file(Array("\($0)".utf8))) }))
        try await with(tree, line: { RetaggingLine(server: $0) { _ in "odd" } }) { fixture in
            let asked = try await fixture.requests { try await fixture.pass() }
            for number in 0..<files {
                #expect(asked.lines.count { $0.path == "/object/info/authenticated/media/Pictures/\(number).jpg" } == 1)
            }
        }
    }

    @Test func aDuplicateThatHoldsOtherBytesIsNotCopied() async throws {
        let (left, isBlind) = (Shared(1), Shared(true))
        try await with(line: { client in
            RetaggingLine(server: CorruptingLine(server: client, left: left)) { isBlind.value ? nil : $0 }
        }) { fixture in
            try await fixture.pass()
            #expect(try await stored(fixture) != Self.large, "the first one is spoilt, and nothing tells")
            isBlind.change { $0 = false }
            try OpenFile(creating: fixture.gallery.appending("second.mp4")).append(Self.large)
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.count("POST", "/object/copy") == 0)
            #expect(try await stored(fixture, "Pictures/second.mp4") == Self.large)
        }
    }

    @Test func damagedBytesAreFoundByADeepLookAndTheGoodFileIsSent() async throws {
        try await with(["a.jpg": "one", "b.jpg": "one"], line: { $0 }) { fixture in
            try await fixture.pass()
            // Both blobs are damaged, while the server still returns the same metadata.
            for blob in try FileTree(at: fixture.folder.appending("storage/objects")).blobs {
                let path = fixture.folder.appending("storage/objects").appending(blob)
                try OpenFile(creating: path).append(Array("0ne".utf8))
            }
            let (result, ending) = try await fixture.verify(percent: 100, repairing: true)
            #expect(result.count(.different) == 2)
            #expect(ending == .done)
            #expect(Set(try await fixture.objects().values) == [Array("one".utf8)])
        }
    }
}

extension FileTree {
    /// Every file below, by path.
    fileprivate var blobs: [FilePath] {
        nodes.flatMap { name, node -> [FilePath] in
            if case .directory(let tree) = node { return tree.blobs.map { name.appending($0) } }
            return [name]
        }
    }
}
