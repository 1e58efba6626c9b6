import Catalog
import Configuration
import FoundationEssentials
import Gallery
import Platform
import Reporting
import Serving
import StorageServer
import Supabase
import Sync
import TestSupport
import Testing

/// Objects that we sent and that have no receipts.
@Suite struct LeftoverTests {
    private static let b = "/object/media/Pictures/b.jpg"

    /// `a.jpg` is stored; `b.jpg` was taken by the server without anybody hearing of it, and is gone here.
    ///
    /// - Parameter readBack: With `.never` nothing shows what the object holds, and it stays a leftover.
    private func withLeftover(
        readBack: Settings.ReadBack = .never, _ body: (Workshop) async throws -> Void
    ) async throws {
        try await Workshop.with(["a.jpg": "one"]) { workshop in
            var workshop = workshop
            workshop.settings.verify.readBack = readBack
            try await workshop.pass()
            try workshop.write("two", to: "b.jpg")
            try await workshop.killedPass(at: Self.b)
            try Directory(workshop.gallery).remove(file: "b.jpg")
            try await workshop.pass()
            #expect(try await workshop.objects().count == 2)
            try await body(workshop)
        }
    }

    @Test func theObjectOfADeletedFileGetsItsReceipt() async throws {
        try await withLeftover(readBack: .plainHTTP) { workshop in
            #expect(try await workshop.verifiedKeys() == ["Pictures/a.jpg", "Pictures/b.jpg"])
            let report = try await workshop.run { try await $0.report(.summary) }
            #expect(report.besides.remoteOnly == 1)
            #expect(try await attempts(workshop) == 0)
            let (listed, _) = try await workshop.run(.steering) { try await $0.prune(deleting: false) }
            #expect(listed.objects.map { "\($0.key) \($0.isLeftover)" } == ["Pictures/b.jpg false"])
        }
    }

    @Test func whatSomebodyPutInItsPlaceGetsNoReceipt() async throws {
        try await withLeftover { workshop in
            var workshop = workshop
            workshop.settings.verify.readBack = .always
            try await workshop.put(Array("theirs".utf8), at: "Pictures/b.jpg", replacing: true)
            try await workshop.pass()
            let report = try await workshop.run { try await $0.report(.summary) }
            #expect(report.besides.remoteOnly == 0)
            #expect(try await workshop.objects()["Pictures/b.jpg"] == Array("theirs".utf8))
        }
    }

    @Test func whatIsStoredUnderItsFilesNewNameGoesFromTheOldOne() async throws {
        try await Workshop.with(["a.jpg": "one"]) { workshop in
            try await workshop.pass()
            try workshop.write("two", to: "b.jpg")
            try await workshop.killedPass(at: Self.b)
            try Directory(workshop.gallery).rename("b.jpg", to: "c.jpg")
            try await workshop.pass()
            #expect(try await workshop.verifiedKeys() == ["Pictures/a.jpg", "Pictures/c.jpg"])
            #expect(try workshop.audit().count { $0.contains("\"action\":\"pruned\"") } == 1)
        }
    }

    /// New bytes lie under the receipt for the old ones, and belong under another name by now.
    @Test func newBytesUnderAnOldReceiptGoOnceTheyAreStoredWhereTheyBelong() async throws {
        try await Workshop.with(["a.jpg": "one", "b.jpg": "former"]) { workshop in
            try await workshop.pass()
            try workshop.write("two", to: "b.jpg")
            try await workshop.killedPass(at: Self.b)
            try Directory(workshop.gallery).rename("b.jpg", to: "c.jpg")
            try await workshop.pass()
            #expect(try await workshop.verifiedKeys() == ["Pictures/a.jpg", "Pictures/c.jpg"])
            #expect(try await workshop.objects()["Pictures/c.jpg"] == Array("two".utf8))
        }
    }

    /// Without another look the file would count as stored, since the receipt is for what it holds again.
    @Test func aFileThatIsItsFormerSelfAgainIsStoredAsSuch() async throws {
        try await Workshop.with(["a.jpg": "one", "b.jpg": "former"]) { workshop in
            try await workshop.pass()
            try workshop.write("two", to: "b.jpg")
            try await workshop.killedPass(at: Self.b)
            #expect(try await workshop.objects()["Pictures/b.jpg"] == Array("two".utf8))
            try workshop.write("former", to: "b.jpg")
            try await workshop.pass()
            #expect(try await workshop.objects()["Pictures/b.jpg"] == Array("former".utf8))
            #expect(try await workshop.verifiedKeys() == ["Pictures/a.jpg", "Pictures/b.jpg"])
        }
    }

    private func attempts(_ workshop: Workshop) async throws -> Int {
        try await workshop.run(.steering) { try await $0.library.attemptCount() }
    }

    @Test func itIsFoundListedAndDeleted() async throws {
        try await withLeftover { workshop in
            let (found, ending) = try await workshop.run(.steering) { try await $0.verify(VerifyOrder()) }
            #expect(found.findings.map { "\($0.problem.rawValue) \($0.key)" } == ["leftover Pictures/b.jpg"])
            #expect(ending == .done)
            let (listed, _) = try await workshop.run(.steering) { try await $0.prune(deleting: false) }
            #expect(listed.objects.map(\.path) == ["Pictures/b.jpg"])
            #expect(listed.objects.first?.isLeftover == true && listed.bytes == 3)
            let (deleted, _) = try await workshop.run(.steering) { try await $0.prune(deleting: true) }
            #expect(deleted.objects.count == 1)
            #expect(Set(try await workshop.objects().keys) == ["Pictures/a.jpg"])
            #expect(try await attempts(workshop) == 0)
        }
    }

    @Test func whatSomebodyPutInItsPlaceStays() async throws {
        try await withLeftover { workshop in
            try await workshop.put(Array("theirs".utf8), at: "Pictures/b.jpg", replacing: true)
            let (result, _) = try await workshop.run(.steering) { try await $0.prune(deleting: true) }
            #expect(result.objects.isEmpty)
            #expect(try await workshop.objects()["Pictures/b.jpg"] == Array("theirs".utf8))
        }
    }

    /// Restoring would bring the old content under the name, and the new one beside it.
    @Test func aNewFileOfItsNameTakesItsPlace() async throws {
        try await withLeftover { workshop in
            try workshop.write("another", to: "b.jpg")
            try await workshop.pass()
            let objects = try await workshop.objects()
            #expect(Set(objects.keys) == ["Pictures/a.jpg", "Pictures/b.jpg"])
            #expect(objects["Pictures/b.jpg"] == Array("another".utf8))
            #expect(try await attempts(workshop) == 0)
        }
    }

    @Test func itsBytesCountInTheBudget() async throws {
        try await withLeftover { workshop in
            var workshop = workshop
            workshop.settings.destination.storageBudget = .bytes(8)
            try workshop.write("four", to: "c.jpg")
            guard case .full = try await workshop.later.sync() else { return #expect(Bool(false), "not full") }
            _ = try await workshop.run(.steering) { try await $0.prune(deleting: true) }
            try await workshop.pass()
        }
    }

    @Test func whatIsNotThereIsForgottenOnceNothingCanBringIt() async throws {
        try await withLeftover { workshop in
            try await workshop.storage.delete(bucket: "media", key: "Pictures/b.jpg")
            try await workshop.pass()
            #expect(try await attempts(workshop) == 1)
            try await workshop.later.pass()
            #expect(try await attempts(workshop) == 0)
        }
    }

    @Test(
        arguments: [
            (["a", "b"], ["c", "d"], nil), (["a", "b"], ["a", "b"], "circles"), (["b"], ["a"], "circles"),
            (["a"], [], "circles"),
        ] as [([String], [String], String?)])
    func aListingHasToLeadOn(_ first: [String], _ second: [String], _ refusal: String?) throws {
        var progress = ListingProgress()
        #expect(try progress.next(after: page(first, "1")) == "1")
        do {
            #expect(try progress.next(after: page(second, "2")) == "2")
            #expect(refusal == nil)
        } catch {
            #expect(refusal.map("\(error)".contains) == true)
        }
    }

    @Test func aCursorThatComesAgainEndsAListing() throws {
        var progress = ListingProgress()
        _ = try progress.next(after: page(["a"], "1"))
        _ = try progress.next(after: page(["b"], "2"))
        #expect(throws: StorageError.self) { try progress.next(after: page(["c"], "1")) }
        #expect(try progress.next(after: page(["d"], nil)) == nil)
    }

    private func page(_ keys: [String], _ cursor: String?) throws -> ObjectPage {
        let objects = keys.map { "{\"name\":\"\($0)\"}" }.joined(separator: ",")
        let next = cursor.map { "\"hasNext\":true,\"nextCursor\":\"\($0)\"" } ?? "\"hasNext\":false"
        return try JSONDecoder().decode(ObjectPage.self, from: Data("{\(next),\"objects\":[\(objects)]}".utf8))
    }
}

extension Workshop {
    /// The same an hour later.
    var later: Workshop {
        var later = self
        let before = equip
        later.equip = { setup in
            before(&setup)
            setup.clock = { Date() + 3_600 }
        }
        return later
    }
}
