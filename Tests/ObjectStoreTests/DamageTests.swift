import Database
import Platform
import TestSupport
import Testing

@testable import ObjectStore

/// Lines beside the blobs that were cut or changed on the disk are told from whole ones, whichever byte it is.
@Suite struct DamageTests {
    private static let row: IndexedObject = {
        var row = IndexedObject(made: "a/ä \"quoted\"", version: "ab-1", number: .max)
        row.content.robots = nil
        return row
    }()

    // MARK: What a blob carries

    @Test func aRowIsReadAsItWasCarried() throws {
        #expect(IndexedObject(carried: Self.row.carried) == Self.row)
        var bare = Self.row
        (bare.userMetadata, bare.owner, bare.content.robots) = (nil, "", "none")
        #expect(IndexedObject(carried: bare.carried) == bare)
        // The line end is of no account.
        #expect(IndexedObject(carried: bare.carried.dropLast()) == bare)
    }

    @Test func aRowThatIsCutAnywhereIsNone() {
        let carried = Self.row.carried
        for count in 0..<carried.count - 1 { #expect(IndexedObject(carried: Array(carried.prefix(count))) == nil) }
    }

    @Test func aRowWithAnyBitChangedIsNone() {
        let carried = Self.row.carried
        for place in carried.indices.dropLast() {
            for bit in 0..<8 {
                var changed = carried
                changed[place] ^= 1 << bit
                #expect(IndexedObject(carried: changed) == nil, "bit \(bit) of byte \(place)")
            }
        }
    }

    /// Each member of a row, left out of a line whose checksum is right.
    @Test(arguments: [
        ("bucket", true), ("key", true), ("id", true), ("version", true), ("owner", true), ("created_at", true),
        ("updated_at", true), ("size", true), ("type", true), ("etag", true), ("cache_control", true),
        ("modified_at", true), ("robots", false), ("user_metadata", false), ("number", false),
    ])
    func aRowNeedsItsMembers(name: String, isNeeded: Bool) throws {
        guard case .object(let members) = Self.row.rowJSON else { throw Unexpected() }
        #expect(members.contains { $0.name == name })
        let rest = JSON.object(members.filter { $0.name != name })
        let line = SealedLine.bytes("\"row\":\(rest.rendered)}")
        #expect((IndexedObject(carried: line) == nil) == isNeeded)
        // The same where it is of another kind.
        let other = JSON.object(members.map { $0.name == name ? JSON.Member(name: name, value: [:]) : $0 })
        #expect((IndexedObject(carried: SealedLine.bytes("\"row\":\(other.rendered)}")) == nil) == isNeeded)
    }

    private struct Unexpected: Error {}

    // MARK: The list of buckets

    private static let list = BucketList(
        number: 1_795_199_805_000_001,
        buckets: [
            IndexedBucket(
                id: "media", owner: "o", isPublic: true, sizeLimit: 7, allowedTypes: ["image/*", "a/b"], createdAt: 1,
                updatedAt: 2), IndexedBucket(named: "b"),
        ])

    @Test func aListOfBucketsThatIsCutIsNone() async throws {
        try await FileTree().withDirectory { folder in
            try Self.list.write(in: folder)
            #expect(try BucketList.read(in: folder) == Self.list)
            let disk = try LocalDisk(directory: folder)
            let whole = try #require(try disk.read(BucketList.name))
            for count in 0..<whole.count - 1 {
                try OpenFile(creating: folder.appending("cut")).append(Array(whole.prefix(count)))
                try disk.rename("cut", to: BucketList.name)
                #expect(try BucketList.read(in: folder) == nil, "\(count) bytes")
            }
            try disk.remove(BucketList.name)
            #expect(try BucketList.read(in: folder) == nil)
        }
    }

    /// One bucket that cannot be read makes the list useless: what it leaves out would be dropped.
    @Test(arguments: [
        ("no list", "{}"), ("a bucket that is none", "[7]"), ("a bucket without an id", #"[{"owner":""}]"#),
        (
            "one that is whole beside one that is not",
            #"[\#(IndexedBucket(named: "b").rowJSON.rendered),{"id":"c"}]"#
        ),
    ])
    func aListWithOtherThingsIsNone(why: String, buckets: String) async throws {
        try await FileTree().withDirectory { folder in
            let line = SealedLine.bytes("\"number\":1,\"buckets\":\(buckets)}")
            try LocalDisk(directory: folder).replace(BucketList.name, with: line)
            #expect(try BucketList.read(in: folder) == nil)
        }
    }

    // MARK: The note of the newest change

    @Test func aNoteThatIsCutSaysNothingThatWasNotMeant() {
        for isClean in [false, true] {
            let text = NewestNote.Text(number: 1_795_199_805_000_001, isClean: isClean)
            #expect(NewestNote.Text(text.bytes) == text)
            for count in 0..<text.bytes.count - 1 {
                let cut = NewestNote.Text(Array(text.bytes.prefix(count)))
                // The number is whole before the word begins, and the end counts as clean only with its whole word.
                #expect(cut == nil || cut?.number == text.number && cut?.isClean == false, "\(count) bytes")
            }
        }
    }

    @Test(arguments: [
        "", " ", "\n", "7", "7 \n", "running 7\n", "7 running more\n", "x running\n", "9223372036854775808 running\n",
        "0x7 running\n", "7.0 stopped\n",
    ])
    func whatIsNoNoteSaysNothing(text: String) { #expect(NewestNote.Text(Array(text.utf8)) == nil) }

    @Test(arguments: [0, 1, 1_795_199_805_000_001, Int64.max])
    func aNoteIsAlwaysAsLong(number: Int64) {
        let running = NewestNote.Text(number: number, isClean: false)
        let stopped = NewestNote.Text(number: number, isClean: true)
        #expect(running.bytes.count == 28)
        #expect(stopped.bytes.count == running.bytes.count)
        #expect(NewestNote.Text(stopped.bytes) == stopped)
    }
}

/// The journal of version 4, cut or changed at each byte.
@Suite struct OldJournalTests {
    private static let changes = [
        "{\"putBucket\":\(IndexedBucket(named: "b").rowJSON.rendered)}",
        "{\"put\":\(IndexedObject(made: "a", version: "v1").rowJSON.rendered)}",
        "{\"put\":\(IndexedObject(made: "c", version: "v2").rowJSON.rendered)}",
        #"{"remove":{"bucket":"b","key":"a"}}"#,
        #"{"removeBucket":"none"}"#,
    ]
    private static let lines =
        [SealedLine.bytes(#""n":0,"journal":"j","version":1}"#)]
        + changes.enumerated().map { SealedLine.bytes("\"n\":\($0 + 1),\"changes\":[\($1)]}") }
    /// The keys after as many changes.
    private static let keys = [[], [], ["a"], ["a", "c"], ["c"], ["c"]]

    private func index() throws -> Connection {
        let index = try IndexSchema.open(":memory:")
        try index.execute("CREATE TABLE IF NOT EXISTS journal (one INTEGER, id TEXT, number INTEGER, size INTEGER)")
        return index
    }

    private func keys(_ index: Connection) throws -> [String] {
        try index.rows("SELECT key FROM objects ORDER BY key") { $0.text(0) }
    }

    private func journal(_ bytes: [UInt8], in folder: FilePath) throws -> OldJournal? {
        let path = folder.appending(OldJournal.name)
        try Directory(folder).remove(file: FilePath(OldJournal.name))
        try OpenFile(creating: path).append(bytes)
        return try OldJournal(at: path)
    }

    @Test func aJournalThatIsCutCountsUpToItsLastWholeLine() async throws {
        try await FileTree().withDirectory { folder in
            let whole = Array(Self.lines.joined())
            for count in 0...whole.count {
                let journal = try journal(Array(whole.prefix(count)), in: folder)
                guard count >= Self.lines[0].count else {
                    #expect(journal == nil, "\(count) bytes")
                    continue
                }
                let ends = Self.lines.indices.map { Self.lines[...$0].joined().count }
                let changes = ends.dropFirst().count { $0 <= count }
                let index = try index()
                let outcome = try #require(try journal?.follow(with: index))
                #expect(outcome == OldJournal.Outcome(changes: changes, damaged: 0), "\(count) bytes")
                #expect(try keys(index) == Self.keys[changes], "\(count) bytes")
            }
        }
    }

    @Test func aChangedByteCostsItsLineAndNoOther() async throws {
        try await FileTree().withDirectory { folder in
            // The second object's line: neither the bucket nor the other object suffers.
            let before = Array(Self.lines[..<3].joined())
            for place in Self.lines[3].indices {
                var line = Self.lines[3]
                line[place] ^= 0x04
                let journal = try journal(before + line + Self.lines[5], in: folder)
                let index = try index()
                let outcome = try #require(try journal?.follow(with: index))
                #expect(outcome.damaged >= 1, "byte \(place)")
                // Without its line end it is one line with the next.
                #expect(outcome.changes == (place == line.count - 1 ? 2 : 3), "byte \(place)")
                #expect(try keys(index) == ["a"], "byte \(place)")
            }
        }
    }

    @Test func aBeginningThatIsDamagedIsNoJournal() async throws {
        try await FileTree().withDirectory { folder in
            let rest = Array(Self.lines[1...].joined())
            for place in Self.lines[0].indices.dropLast() {
                var line = Self.lines[0]
                line[place] ^= 0x04
                let journal = try journal(line + rest, in: folder)
                #expect(journal == nil, "byte \(place)")
            }
        }
    }

    /// What an index has applied already of the journal it knows, and of another one.
    @Test(
        arguments: [
            Fact("an index without a mark takes all", nil, (changes: 5, keys: ["c"])),
            Fact("one that has all takes nothing", ("j", 5, 6), (0, ["known"])),
            Fact("one that lacks the last two takes them", ("j", 3, 4), (2, ["known"])),
            Fact("one of an older journal takes all anew", ("other", 4, 1), (5, ["c"])),
            Fact("one that is newer than another journal takes nothing", ("other", 5, 1), (0, ["known"])),
            Fact("a mark beyond the end takes nothing", ("j", 5, 7), (0, ["known"])),
        ] as [Fact<(id: String, number: Int64, lines: Int)?, (changes: Int, keys: [String])>])
    func anIndexTakesWhatItLacks(
        _ fact: Fact<(id: String, number: Int64, lines: Int)?, (changes: Int, keys: [String])>
    ) async throws {
        try await FileTree().withDirectory { folder in
            let journal = try #require(try journal(Array(Self.lines.joined()), in: folder))
            let index = try index()
            try index.put(IndexedBucket(named: "b"))
            try index.put(IndexedObject(made: "known", version: "v0"))
            if let mark = fact.input {
                let size = Self.lines.prefix(mark.lines).joined().count + (mark.lines > Self.lines.count ? 1 : 0)
                try index.run(
                    "INSERT INTO journal VALUES (1,?,?,?)", .text(mark.id), .integer(mark.number), .integer(Int64(size))
                )
            }
            #expect(try journal.follow(with: index).changes == fact.output.changes)
            #expect(try keys(index) == fact.output.keys)
        }
    }
}
