import Fixtures
import Platform
import Supabase
import TestSupport
import Testing

@testable import Restoring
@testable import Sync
@testable import Text
@testable import Uploading

@Suite struct RestoreTargetTests {
    static func target(_ thing: StoredThing) throws -> RestoreTarget {
        try RestoreTarget(try thing.read, key: thing.key, prefix: "")
    }

    /// An object of ours, five bytes long.
    static func ours() throws -> StoredThing { try StoredThing("2026/a.jpg", "hello") }
    static let tagged = StoredThing(key: "shop/a.jpg", "hello", eTag: "\"5d41402abc4b2a76b9719d911017c592\"")
    static let bare = StoredThing(key: "shop/a.jpg", "hello", eTag: "\"5d41402abc4b2a76b9719d911017c592-2\"")
    static let storedAt = ISO8601.time(StoredThing.storedAt)

    // MARK: What it has to be

    @Test func ofOursTheMetadataSaysEverything() throws {
        let target = try Self.target(Self.ours())
        #expect(target.place == "Pictures/2026/a.jpg")
        #expect(target.size == 5)
        #expect(target.proof == .sha256(SHA256.hash("hello".utf8).hexadecimal))
        #expect(target.modifiedAt == StoredThing.usualTime)
        #expect(target.isOurs)
    }

    @Test(
        arguments: [
            ("an MD5 for an eTag", tagged, .md5("5d41402abc4b2a76b9719d911017c592")),
            ("an eTag of parts", bare, .none),
            ("no eTag", bare.with { $0.eTag = nil }, .none),
            (
                "metadata of another client", tagged.with { $0.metadata = ["sha256": "abc"] },
                .md5("5d41402abc4b2a76b9719d911017c592")
            ),
            (
                "metadata with half a hash",
                bare.with { $0.metadata = ["path": "x", "mtime": "2026-01-01T00:00:00Z", "sha256": "abcd"] }, .none
            ),
        ] as [(String, StoredThing, ContentProof)])
    func ofOthersTheServerSaysSomething(_ row: (why: String, thing: StoredThing, proof: ContentProof)) throws {
        let target = try Self.target(row.thing)
        #expect(target.place == "shop/a.jpg")
        #expect(target.proof == row.proof, "\(row.why)")
        #expect(target.modifiedAt == Self.storedAt)
        #expect(!target.isOurs)
    }

    @Test func aHashInCapitalsIsTheSame() throws {
        var thing = try Self.ours()
        thing.metadata?["sha256"] = .string(SHA256.hash("hello".utf8).hexadecimal.uppercased())
        #expect(try Self.target(thing).proof == .sha256(SHA256.hash("hello".utf8).hexadecimal))
    }

    // MARK: The part

    @Test func thePartIsHiddenBesideTheFileAndShort() throws {
        let name = String(repeating: "n", count: 255)
        let part = try Self.target(StoredThing(key: "Pictures/\(name)", "x")).part
        #expect(part.parent == "Pictures")
        #expect(part.isPart)
        #expect(part.name.count < 80)
    }

    @Test func thePartNamesTheFileAndTheContent() throws {
        let ours = try Self.ours()
        var parts: Set<FilePath> = []
        for thing in [
            ours, try StoredThing("2026/b.jpg", "hello"), try StoredThing("2026/a.jpg", "other"),
            Self.tagged, Self.bare, Self.bare.with { $0.version = "v2" }, Self.bare.with { $0.eTag = "\"2\"" },
            Self.bare.with { $0.claimedSize = 6 },
        ] {
            #expect(parts.insert(try Self.target(thing).part).inserted, "\(thing)")
        }
        // The same bytes stored again have the same part.
        #expect(!parts.insert(try Self.target(ours.with { $0.version = "v2" }).part).inserted)
    }

    @Test(
        arguments: [
            ("nothing held", nil, 0, 0), ("some of it", nil, 3, 3), ("all of it", nil, 5, 5),
            ("more than there is", nil, 6, 0),
        ] as [(String, Int?, Int64, Int64)])
    func whatIsHeldIsGoneOnWith(_ row: (why: String, claimed: Int?, held: Int64, start: Int64)) throws {
        for thing in [try Self.ours(), Self.tagged] {
            #expect(try Self.target(thing).start(held: row.held, isOwn: false) == row.start, "\(row.why)")
        }
        let bare = try Self.target(Self.bare)
        #expect(bare.start(held: row.held, isOwn: true) == row.start, "\(row.why)")
        #expect(bare.start(held: row.held, isOwn: false) == 0, "nothing would prove what an earlier run left")
    }

    // MARK: What is there already

    static func facts(_ kind: FileKind = .file, size: Int64 = 5, at time: FileTime = .init(nanoseconds: 0)) -> FileFacts
    {
        FileFacts(kind: kind, size: size, modifiedAt: time)
    }

    @Test(
        arguments: [
            ("nothing", nil, .fetch), ("a directory", facts(.directory), .taken),
            ("a symlink", facts(.symlink), .refused("a symlink has its name")),
            ("a pipe", facts(.other), .refused("something that is no file has its name")),
            (
                "another size", facts(size: 4),
                .refused("a different file is there, with 4 bytes instead of 5")
            ),
            ("the same size", facts(), .compare),
        ] as [(String, FileFacts?, RestoreTarget.Step)])
    func besideWhatIsThere(_ row: (why: String, facts: FileFacts?, step: RestoreTarget.Step)) throws {
        #expect(try Self.target(Self.ours()).step(beside: row.facts) == row.step, "\(row.why)")
    }

    @Test func withoutAHashOnlySizeAndTimeCanTell() throws {
        let bare = try Self.target(Self.bare)
        let storedAt = try #require(Self.storedAt)
        #expect(bare.step(beside: Self.facts(at: storedAt)) == .known)
        guard case .refused = bare.step(beside: Self.facts()) else { return #expect(Bool(false), "not refused") }
    }

    @Test func theHashDecides() throws {
        let same = SHA256.hash("hello".utf8).hexadecimal
        let ours = try Self.target(Self.ours())
        #expect(ours.step(beside: Self.facts(), digest: same) == .known)
        #expect(ours.step(beside: Self.facts(), digest: "00") == .refused("a different file is there"))
        let known = Self.facts(at: StoredThing.usualTime)
        #expect(ours.step(beside: known, digest: "00") == .refused("a different file is there"), "time proves nothing")
    }

    @Test func whatLooksLikeAnMD5MayBeNone() throws {
        let tagged = try Self.target(Self.tagged)
        let storedAt = try #require(Self.storedAt)
        #expect(tagged.step(beside: Self.facts(), digest: "5d41402abc4b2a76b9719d911017c592") == .known)
        #expect(tagged.step(beside: Self.facts(at: storedAt), digest: "00") == .known)
        #expect(tagged.step(beside: Self.facts(), digest: "00") == .refused("a different file is there"))
    }

    @Test func onlyOurMetadataKnowsTheTimeOfAFileThatIsThere() throws {
        let other = FileTime(nanoseconds: 5)
        #expect(try Self.target(Self.ours()).time(insteadOf: other) == StoredThing.usualTime)
        #expect(try Self.target(Self.ours()).time(insteadOf: StoredThing.usualTime) == nil)
        #expect(try Self.target(Self.tagged).time(insteadOf: other) == nil)
    }

    // MARK: What arrived

    static let sha256 = SHA256.hash("hello".utf8).hexadecimal
    static let md5 = "5d41402abc4b2a76b9719d911017c592"

    @Test(
        arguments: [
            ("the right bytes", 5, sha256, true, .right), ("the right bytes in two pieces", 5, sha256, false, .right),
            ("other bytes", 5, "00", true, .wrong), ("a byte too few", 4, "00", true, .short),
            ("a byte too many", 6, "00", true, .wrong),
        ] as [(String, Int64, String, Bool, RestoreTarget.Finding)])
    func findings(_ row: (why: String, size: Int64, digest: String, isWhole: Bool, finding: RestoreTarget.Finding))
        throws
    {
        let found = try Self.target(Self.ours()).finding(size: row.size, digest: row.digest, isWhole: row.isWhole)
        #expect(found == row.finding, "\(row.why)")
    }

    @Test func withoutOurHashPiecesNeedAProofAndAWholeDoesNot() throws {
        let (tagged, bare) = (try Self.target(Self.tagged), try Self.target(Self.bare))
        #expect(tagged.finding(size: 5, digest: Self.md5, isWhole: false) == .right)
        #expect(tagged.finding(size: 5, digest: "00", isWhole: false) == .wrong)
        #expect(tagged.finding(size: 5, digest: "00", isWhole: true) == .unproven)
        #expect(bare.finding(size: 5, digest: nil, isWhole: true) == .unproven)
        #expect(bare.finding(size: 4, digest: nil, isWhole: true) == .short)
    }

    @Test(arguments: [0, 1, 100_000])
    func aDigestIsOfTheWholeFile(count: Int) async throws {
        let bytes = [UInt8](repeating: 7, count: count)
        try await FileTree(["a": .file(bytes)]).withDirectory { root in
            let file = try OpenFile(reading: root.appending("a"))
            #expect(try await ContentProof.sha256("").digest(of: file) == SHA256.hash(bytes).hexadecimal)
            #expect(try await ContentProof.md5("").digest(of: file) == MD5.hash(bytes).hexadecimal)
            #expect(try await ContentProof.none.digest(of: file) == nil)
        }
    }
}
