import Database
import Platform
import Serving
import TestSupport
import Testing

@testable import ObjectStore

/// What a start makes of one blob, for everything that a crash, an old index or a lost file may have left of it.
@Suite struct SettlementTests {
    /// Where the bytes are.
    enum Place: CaseIterable { case nowhere, objects, lost }

    /// How the note beside the blobs compares with the index.
    enum Note: CaseIterable { case clean, running, newer, none }

    struct Case: Sendable, CustomTestStringConvertible {
        let place: Place
        let note: Note
        /// The number of the index's row; `nil` where it has none.
        let known: Int64?
        /// The number of the row that the blob carries; `nil` where it carries none.
        let carried: Int64?

        var testDescription: String {
            "bytes: \(place), note: \(note), row of the index: \(known.map(String.init) ?? "none"), "
                + "of the blob: \(carried.map(String.init) ?? "none")"
        }

        static let all: [Case] = {
            var all: [Case] = []
            let (rows, carried): ([Int64?], [Int64?]) = ([nil, 5], [nil, 4, 5, 6])
            for place in Place.allCases {
                for note in Note.allCases {
                    for known in rows {
                        // Without bytes nothing carries a row.
                        for carried in place == .nowhere ? [nil] : carried {
                            all.append(Case(place: place, note: note, known: known, carried: carried))
                        }
                    }
                }
            }
            return all
        }()
    }

    /// What is to come of a case.
    struct Outcome: Equatable {
        /// The number of the row of the index afterwards.
        var number: Int64?
        var place: Place
        /// How many sentences say what was wrong.
        var findings: Int
    }

    /// The rules, stated once more without any of the code that keeps them.
    private static func expected(_ row: Case) -> Outcome {
        let unchanged = Outcome(number: row.known, place: row.place, findings: 0)
        if row.note == .clean { return unchanged }
        let isAll = row.note != .running
        switch (row.place, row.known, row.carried) {
        case (.nowhere, nil, _), (.lost, nil, _): return unchanged
        // Bytes that a row names are looked for in `lost`; where all blobs are asked, so are these.
        case (.lost, let known?, let carried):
            let isNewer = isAll && carried ?? 0 > known
            return Outcome(number: isNewer ? carried : known, place: .objects, findings: isNewer ? 1 : 0)
        case (.nowhere, _?, _): return Outcome(number: nil, place: .nowhere, findings: 1)
        case (.objects, nil, nil): return Outcome(number: nil, place: .lost, findings: 1)
        case (.objects, nil, let carried?): return Outcome(number: carried, place: .objects, findings: 1)
        case (.objects, let known?, let carried):
            guard isAll, let carried, carried > known else { return unchanged }
            return Outcome(number: carried, place: .objects, findings: 1)
        }
    }

    /// A folder with an index in memory, the bucket `b`, and bytes where a test puts them.
    struct Bench {
        let index: Connection
        let blobs: Blobs
        let folder: FilePath
        static let bytes: [UInt8] = [1, 2, 3]
        static let eTag = "\"\(MD5.hash(bytes).hexadecimal)\""
        static let version = "ab-version"

        init(_ folder: FilePath) throws {
            self.folder = folder
            index = try IndexSchema.open(":memory:")
            blobs = try Blobs(root: folder.appending("objects")) { path throws(SystemError) in
                try LocalDisk(directory: path)
            }
            try index.put(IndexedBucket(named: "b"))
            try index.set(number: 10)
            try BucketList(number: 10, buckets: index.buckets()).write(in: blobs.root)
        }

        static func row(_ number: Int64, key: String = "a", version: String = version) -> IndexedObject {
            var row = IndexedObject(made: key, version: version, number: number)
            row.content.eTag = eTag
            return row
        }

        func put(_ row: IndexedObject?, version: String = version, in place: Place, bytes: [UInt8] = bytes) throws {
            guard place != .nowhere else { return }
            let path =
                place == .objects
                ? blobs.path(of: version) : folder.appending("lost").appending(version)
            try Directory.create(at: path.parent)
            let file = try OpenFile(creating: path)
            try file.append(bytes)
            if let row { try file.setAttribute(Blobs.attribute, to: row.carried) }
        }

        func settle(_ note: Note = .none) throws -> Settlement {
            let text: NewestNote.Text? =
                switch note {
                case .clean: NewestNote.Text(number: 10, isClean: true)
                case .running: NewestNote.Text(number: 10, isClean: false)
                case .newer: NewestNote.Text(number: 11, isClean: true)
                case .none: nil
                }
            return try Settlement(of: index, with: blobs, note: text)
        }

        var place: Place {
            get throws {
                if try FileFacts.existing(blobs.path(of: Self.version)) != nil { return .objects }
                let lost = folder.appending("lost").appending(Self.version)
                return try FileFacts.existing(lost) == nil ? .nowhere : .lost
            }
        }

        func keys() throws -> [String] {
            try index.rows("SELECT key FROM objects ORDER BY key") { $0.text(0) }
        }
    }

    @Test(arguments: Case.all)
    func oneBlob(_ row: Case) async throws {
        try await FileTree().withDirectory { folder in
            let bench = try Bench(folder)
            if let known = row.known { try bench.index.put(Bench.row(known)) }
            try bench.put(row.carried.map { Bench.row($0) }, in: row.place)
            let settlement = try bench.settle(row.note)
            let object = try bench.index.object("a", in: "b")
            let outcome = Outcome(
                number: object?.number, place: try bench.place, findings: settlement.findings.count)
            #expect(outcome == Self.expected(row), "\(settlement.findings)")
            // A second start finds nothing more to say, and changes nothing.
            try bench.index.execute("DROP TABLE temp.present")
            let again = try bench.settle(row.note)
            #expect(again.findings.isEmpty)
            #expect(try bench.index.object("a", in: "b") == object)
            #expect(try bench.place == outcome.place)
            // Where every blob is looked at, each carries the row that counts.
            if row.note == .newer || row.note == .none, let object {
                #expect(try bench.blobs.row(of: Bench.version) == object)
            }
        }
    }

    /// Two blobs that carry rows of one key: the newer counts, however the index came to lag.
    @Test(
        arguments: [
            Fact("the index has neither", nil, "new"), Fact("the index has the older", "old", "new"),
            Fact("the index has the newer", "new", "new"),
        ] as [Fact<String?, String>])
    func ofTwoBlobsOfAKeyTheNewerCounts(_ fact: Fact<String?, String>) async throws {
        try await FileTree().withDirectory { folder in
            let bench = try Bench(folder)
            let rows = ["old": Bench.row(5, version: "ab-old"), "new": Bench.row(6, version: "cd-new")]
            for row in rows.values { try bench.put(row, version: row.version, in: .objects) }
            if let known = fact.input.flatMap({ rows[$0] }) { try bench.index.put(known) }
            _ = try bench.settle()
            #expect(try bench.index.object("a", in: "b") == rows[fact.output])
            #expect(try Directory(folder.appending("lost")).names() == ["ab-old"])
        }
    }

    /// Bytes that are not those of their row are never served in their place.
    @Test(
        arguments: [
            Fact("as many bytes as the row says, and others", [1, 2, 4], [Note.running: false, .none: true]),
            Fact("one byte too few", [1, 2], [.running: false, .none: false]),
            Fact("one byte too many", [1, 2, 3, 4], [.running: false, .none: false]),
            Fact("none at all", [], [.running: false, .none: false]),
            Fact("those of the row", [1, 2, 3], [.running: true, .none: true]),
        ] as [Fact<[UInt8], [Note: Bool]>])
    func aBlobIsTakenWithTheBytesOfItsRow(_ fact: Fact<[UInt8], [Note: Bool]>) async throws {
        for (note, isTaken) in fact.output {
            try await FileTree().withDirectory { folder in
                let bench = try Bench(folder)
                try bench.put(Bench.row(6), in: .objects, bytes: fact.input)
                _ = try bench.settle(note)
                #expect(try bench.keys() == (isTaken ? ["a"] : []), "\(note)")
                #expect(try bench.place == (isTaken ? .objects : .lost), "\(note)")
            }
        }
    }

    /// An object in parts has no hash of the whole: its size must do.
    @Test func anObjectInPartsIsTakenByItsSize() async throws {
        try await FileTree().withDirectory { folder in
            let bench = try Bench(folder)
            var row = Bench.row(6)
            row.content.eTag = "\"00000000000000000000000000000000-2\""
            try bench.put(row, in: .objects)
            _ = try bench.settle(.running)
            #expect(try bench.keys() == ["a"])
        }
    }

    /// What else may lie below `objects`, and what becomes of it.
    @Test(
        arguments: [
            Fact("an upload that was cut off", "ab/ab-x.part", nil),
            Fact("a row that was being written", "ab/ab-x.row.new", nil),
            Fact("a row without a blob", "ab/ab-x.row", nil), Fact("a file of another name", "ab/stray", "stray"),
            Fact("a blob without a row", "ab/ab-x", "ab-x"),
            Fact("a file beside the directories", "notes.txt", "objects/notes.txt"),
            Fact("a blob in another's directory", "cd/ab-x", "ab-x"),
        ] as [Fact<FilePath, FilePath?>])
    func whatIsNoObject(_ fact: Fact<FilePath, FilePath?>) async throws {
        try await FileTree().withDirectory { folder in
            let bench = try Bench(folder)
            let path = bench.blobs.root.appending(fact.input)
            try Directory.create(at: path.parent)
            try OpenFile(creating: path).append([7])
            let findings = try bench.settle().findings
            let kept = fact.output.map { $0.bytes.contains(UInt8(ascii: "/")) ? $0 : FilePath("lost").appending($0) }
            let found = try FileTree(at: folder).files.filter { $0.value == [7] }.map(\.key)
            #expect(found == (kept.map { [$0] } ?? []))
            #expect(findings.count == (kept?.parent == "lost" ? 1 : 0))
        }
    }

    /// What a start sets aside takes the place of nothing that was set aside before, and no start fails for it.
    @Test(
        arguments: [
            Fact("one of that name", ["ab/x"], ["x"]), Fact("two of one name", ["ab/x", "cd/x"], ["x", "x.2"]),
            Fact("many of one name", ["01/x", "02/x", "03/x", "04/x"], ["x", "x.2", "x.3", "x.4"]),
            Fact("one that is called like the second", ["ab/x", "cd/x.2", "ef/x"], ["x", "x.2", "x.3"]),
            Fact("a blob that was copied there and back", ["ab/ab-1", "lost/ab-1"], ["ab-1", "ab-1.2"]),
            Fact("beside a row that lies there alone", ["ab/ab-1", "lost/ab-1.row"], ["ab-1.2", "ab-1.row"]),
        ] as [Fact<[FilePath], [FilePath]>])
    func whatIsSetAsideReplacesNothing(_ fact: Fact<[FilePath], [FilePath]>) async throws {
        try await FileTree().withDirectory { folder in
            let bench = try Bench(folder)
            for (number, place) in fact.input.enumerated() {
                let isLost = place.components.first == Array("lost".utf8)
                let path = (isLost ? folder : bench.blobs.root).appending(place)
                try Directory.create(at: path.parent)
                try OpenFile(creating: path).append([UInt8(number)])
            }
            let findings = try bench.settle().findings
            #expect(findings.count == 1)
            let lost = try FileTree(at: folder.appending("lost")).files
            #expect(lost.keys.sorted() == fact.output)
            #expect(Set(lost.values) == Set(fact.input.indices.map { [UInt8($0)] }))
            try bench.index.execute("DROP TABLE temp.present")
            #expect(try bench.settle().findings.isEmpty)
        }
    }

    /// Such things are of other programs, or of a disk that was damaged; all else is served in spite of them.
    @Test(
        arguments: [
            Fact("a name that is not UTF-8", FilePath(bytes: Array("ab/".utf8) + [0xE9]), 1),
            Fact("a directory that is called like a piece of an upload", "ab/x.part/a", 1),
            Fact("a directory that is called like a row", "ab/x.row/a", 1), Fact("a directory", "ab/x/a", 1),
        ] as [Fact<FilePath, Int>])
    func nothingStrangeKeepsItFromStarting(_ fact: Fact<FilePath, Int>) async throws {
        try await FileTree().withDirectory { folder in
            let bench = try Bench(folder)
            try bench.put(Bench.row(6), in: .objects)
            let path = bench.blobs.root.appending(fact.input)
            try Directory.create(at: path.parent)
            try OpenFile(creating: path).append([7])
            let settlement = try bench.settle(.running)
            #expect(try bench.keys() == ["a"])
            // One sentence is about the object that was taken.
            #expect(settlement.findings.count == 1 + fact.output)
            let kept = try FileTree(at: folder).files.filter { $0.value == [7] }
            #expect(kept.count == 1)
        }
    }

    /// Buckets by the list beside the blobs, compared with the index.
    @Test(
        arguments: [
            Fact("a newer list adds a bucket", (11, ["b", "c"]), ["b", "c"]),
            Fact("an older list adds none", (9, ["b", "c"]), ["b"]),
            Fact("one as old adds none", (10, ["b", "c"]), ["b"]),
            Fact("a newer list takes an empty bucket away", (11, []), []),
            Fact("an older list takes none away", (9, []), ["b"]),
        ] as [Fact<(number: Int64, ids: [String]), [String]>])
    func theNewerListOfBucketsCounts(_ fact: Fact<(number: Int64, ids: [String]), [String]>) async throws {
        for note in Note.allCases {
            try await FileTree().withDirectory { folder in
                let bench = try Bench(folder)
                let list = BucketList(
                    number: fact.input.number, buckets: fact.input.ids.map { IndexedBucket(named: $0) })
                try list.write(in: bench.blobs.root)
                _ = try bench.settle(note)
                #expect(try bench.index.buckets().map(\.id) == fact.output, "\(note)")
            }
        }
    }

    @Test func aBucketWithObjectsStaysThoughTheListLacksIt() async throws {
        try await FileTree().withDirectory { folder in
            let bench = try Bench(folder)
            try bench.index.put(Bench.row(5))
            try bench.put(Bench.row(5), in: .objects)
            try BucketList(number: 11, buckets: []).write(in: bench.blobs.root)
            _ = try bench.settle()
            #expect(try bench.index.buckets().map(\.id) == ["b"])
            #expect(try bench.keys() == ["a"])
        }
    }

    /// Debts of the server before are paid first, so that what was deleted does not come back.
    @Test(arguments: Note.allCases)
    func whatIsOwedIsPaidBeforeAnythingIsLookedFor(_ note: Note) async throws {
        try await FileTree().withDirectory { folder in
            let bench = try Bench(folder)
            try bench.index.put(Bench.row(5))
            try bench.put(Bench.row(5), in: .objects)
            try bench.index.removeObject("a", in: "b")
            let settlement = try bench.settle(note)
            #expect(settlement.findings.isEmpty)
            #expect(try bench.place == .nowhere)
            #expect(try bench.index.debts().isEmpty)
        }
    }

    /// The bytes of an unfinished upload are no object yet, and are not set aside either.
    @Test(arguments: [(false, SettlementTests.Place.objects), (true, .lost)])
    func theBytesOfAnUpload(isFinished: Bool, place: Place) async throws {
        try await FileTree().withDirectory { folder in
            let bench = try Bench(folder)
            try bench.index.put(
                Upload(
                    version: Bench.version, bucket: "b", key: "a", owner: "", length: 9, metadata: "objectName YQ==",
                    createdAt: 1, isFinished: isFinished))
            try bench.put(nil, in: .objects)
            _ = try bench.settle()
            #expect(try bench.place == place)
        }
    }

    @Test(arguments: [(0, ""), (1, "0"), (20, "19"), (21, "19 and 1 more"), (1000, "19 and 980 more")])
    func manyNamesAreTheFirstTwenty(count: Int, end: String) {
        let list = Settlement.list((0..<count).map(String.init))
        #expect(list.hasSuffix(end))
        #expect(list.split(separator: ",").count == min(count, 20))
    }
}
