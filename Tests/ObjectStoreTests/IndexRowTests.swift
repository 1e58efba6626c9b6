import Database
import TestSupport
import Testing

@testable import ObjectStore

/// What the index takes, refuses and notes as owed to the blobs, change by change.
@Suite struct IndexRowTests {
    private static func index() throws -> Connection {
        let index = try IndexSchema.open(":memory:")
        try index.put(IndexedBucket(named: "b"))
        return index
    }

    private static func upload(_ version: String, at time: Int64 = 5, isFinished: Bool = false) -> Upload {
        Upload(
            version: version, bucket: "b", key: "k", owner: "me", length: 9, metadata: "objectName YQ==",
            createdAt: time, isFinished: isFinished, parts: [5, 4])
    }

    @Test func anObjectUnderAFreeKeyIsStoredAsItIs() throws {
        let index = try Self.index()
        let object = IndexedObject(made: "a", version: "v1")
        for replacing in [false, true] {
            #expect(try index.store(object, replacing: replacing) == object)
            #expect(try index.object("a", in: "b") == object)
            #expect(try index.debts().isEmpty)
            try index.removeObject("a", in: "b")
            try index.execute("DELETE FROM debts")
        }
    }

    @Test func aKeyThatIsTakenIsRefusedWhereNothingIsToBeReplaced() throws {
        let index = try Self.index()
        let first = try index.store(IndexedObject(made: "a", version: "v1"), replacing: false)
        #expect(throws: ProtocolRefusal.keyExists) {
            try index.store(IndexedObject(made: "a", version: "v2"), replacing: false)
        }
        #expect(try index.object("a", in: "b") == first)
        #expect(try index.debts().isEmpty, "the blob that was there stays")
    }

    @Test(arguments: [false, true])
    func nothingIsStoredInABucketThatIsNotThere(replacing: Bool) throws {
        let index = try Self.index()
        var object = IndexedObject(made: "a", version: "v1")
        object.bucket = "gone"
        #expect(throws: ProtocolRefusal.noRelated) { try index.store(object, replacing: replacing) }
        #expect(try index.count(of: "objects") == 0)
    }

    /// The id and the time of creation are the object's, all else the upload's.
    @Test func whatIsReplacedKeepsItsIDAndItsTimeOfCreation() throws {
        let index = try Self.index()
        let old = try index.store(IndexedObject(made: "a", version: "v1", number: 7), replacing: false)
        var new = IndexedObject(made: "a", version: "v2", size: 9, number: 8)
        (new.id, new.createdAt, new.updatedAt) = ("another", 99, 100)
        let stored = try index.store(new, replacing: true)
        #expect(stored.id == old.id)
        #expect(stored.createdAt == old.createdAt)
        #expect((stored.version, stored.updatedAt, stored.content.size, stored.number) == ("v2", 100, 9, 8))
        #expect(try index.object("a", in: "b") == stored)
        let debts = try index.takeDebts(number: 3)
        // The old blob is to go, and the new one carries a row with its own id.
        #expect(
            Set(debts) == [
                Debt(version: "v1", number: 3, row: nil), Debt(version: "v2", number: 3, row: stored),
            ])
    }

    /// A blob that carries the row it is to have owes nothing.
    @Test func whereIDAndTimeAgreeOnlyTheOldBlobIsOwed() throws {
        let index = try Self.index()
        let old = try index.store(IndexedObject(made: "a", version: "v1"), replacing: false)
        let new = IndexedObject(made: "a", version: "v2", number: 8)
        #expect(new.id == old.id)
        _ = try index.store(new, replacing: true)
        #expect(try index.takeDebts(number: 3).map(\.version) == ["v1"])
    }

    /// Each change of a row, and whether its blob is to carry another one afterwards, or to go.
    @Test(
        arguments: [
            Fact("a row that comes", "", [:]),
            Fact("a row that goes", "DELETE FROM objects", ["v": false]),
            Fact("a row with another key", "UPDATE objects SET key = 'z'", ["v": true]),
            Fact(
                "a row of another blob", "UPDATE objects SET version = 'w'", ["v": false, "w": true]),
            Fact("an unfinished upload that goes", "DELETE FROM uploads WHERE version = 'u'", ["u": false]),
            Fact("a finished upload that goes", "DELETE FROM uploads WHERE version = 'f'", [:]),
            Fact("an upload that is finished", "UPDATE uploads SET finished = 1", [:]),
            Fact("a bucket that changes", "UPDATE buckets SET public = 1", [:]),
        ] as [Fact<String, [String: Bool]>])
    func eachChangeNotesWhatItOwes(_ fact: Fact<String, [String: Bool]>) throws {
        let index = try Self.index()
        try index.put(IndexedObject(made: "a", version: "v"))
        try index.put(Self.upload("u"))
        try index.put(Self.upload("f", isFinished: true))
        try index.execute(fact.input)
        let debts = try index.takeDebts(number: 4)
        #expect(Dictionary(uniqueKeysWithValues: debts.map { ($0.version, $0.row != nil) }) == fact.output)
        for debt in debts { #expect(try debt.row == index.object(version: debt.version)) }
        #expect(try index.takeDebts(number: 5).isEmpty, "each is taken once")
        #expect(try index.debts().count == fact.output.count, "and kept until it is paid")
    }

    /// Of two debts of one blob, paying the first does not settle the second.
    @Test func aDebtThatWasMadeSinceIsNotForgotten() throws {
        let index = try Self.index()
        try index.put(IndexedObject(made: "a", version: "v"))
        try index.owe("v")
        let first = try index.takeDebts(number: 1)
        try index.execute("UPDATE objects SET key = 'z'")
        let second = try index.takeDebts(number: 2)
        try index.forget(first)
        #expect(try index.debts() == second)
        try index.forget(second)
        #expect(try index.debts().isEmpty)
        // One that no commit has numbered counts as the number 0.
        try index.owe("v")
        try index.forget(try index.debts())
        #expect(try index.debts().isEmpty)
    }

    /// A number is asked for only where something is owed.
    @Test func aChangeThatOwesNothingTakesNoNumber() throws {
        let index = try Self.index()
        var asked = 0
        func number() -> Int64 {
            asked += 1
            return 1
        }
        _ = try index.takeDebts(number: number())
        #expect(asked == 0)
        try index.owe("v")
        _ = try index.takeDebts(number: number())
        #expect(asked == 1)
    }

    @Test(arguments: [(4, []), (5, []), (6, ["u"]), (7, ["u", "w"])] as [(Int64, [String])])
    func uploadsBegunBeforeAMomentGo(time: Int64, gone: [String]) throws {
        let index = try Self.index()
        try index.put(Self.upload("u", at: 5))
        try index.put(Self.upload("f", at: 5, isFinished: true))
        try index.put(Self.upload("w", at: 6))
        #expect(try index.removeUploads(before: time) == gone)
        #expect(try index.upload("u") == (time > 5 ? nil : Self.upload("u", at: 5)))
        #expect(try index.upload("f") == (time > 5 ? nil : Self.upload("f", at: 5, isFinished: true)))
        #expect(
            try index.takeDebts(number: 1).map(\.version).sorted() == gone, "bytes of a finished one are an object's")
    }

    @Test(
        arguments: [
            Upload(
                version: "v", bucket: "b", key: "a/ä", owner: "", length: nil, metadata: "", createdAt: 0,
                isFinished: false), upload("v", at: .max), upload("v", isFinished: true),
        ])
    func anUploadIsReadAsItWasWritten(_ upload: Upload) throws {
        let index = try Self.index()
        try index.put(upload)
        #expect(try index.upload(upload.version) == upload)
        var next = upload
        (next.length, next.parts) = (12, [])
        try index.put(next)
        #expect(try index.upload(upload.version) == next)
    }

    @Test(
        arguments: [
            IndexedBucket(named: "b"),
            IndexedBucket(
                id: "b", owner: "me", isPublic: true, sizeLimit: 0, allowedTypes: [], createdAt: 3, updatedAt: 4),
            IndexedBucket(
                id: "b", owner: "me", isPublic: true, sizeLimit: .max, allowedTypes: ["image/*", "a/b"], createdAt: 3,
                updatedAt: 4),
        ])
    func aBucketIsReadAsItWasWrittenAlsoBesideTheBlobs(_ bucket: IndexedBucket) throws {
        let index = try IndexSchema.open(":memory:")
        try index.put(bucket)
        #expect(try index.bucket("b") == bucket)
        #expect(IndexedBucket(row: bucket.rowJSON) == bucket)
    }

    @Test(
        arguments: [
            Fact("no limit of its own", nil, IndexedBucket.serverLimit), Fact("a smaller one", 7, 7),
            Fact("none", 0, 0),
            Fact("the server's own", IndexedBucket.serverLimit, IndexedBucket.serverLimit),
            Fact("a larger one", IndexedBucket.serverLimit + 1, IndexedBucket.serverLimit),
        ] as [Fact<Int64?, Int64>])
    func theServersLimitHoldsForEachBucket(_ fact: Fact<Int64?, Int64>) {
        var bucket = IndexedBucket(named: "b")
        bucket.sizeLimit = fact.input
        #expect(bucket.limit == fact.output)
    }
}
