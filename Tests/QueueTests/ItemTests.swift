import Fixtures
import Foundation
import Platform
import TestSupport
import Testing
import Text

@testable import Queue

@Suite struct ItemTests {
    @Test(
        arguments: [
            ("plain", "2026/a.jpg", nil), ("Japanese", "写真/東京.jpg", nil), ("decomposed", "e\u{301}.jpg", nil),
            ("not UTF-8", FilePath(bytes: [0x61, 0xFF, 0x2F, 0x62]), "Yf8vYg=="),
        ] as [(String, FilePath, String?)])
    func aPathIsKeptByteForByte(_ row: (why: String, path: FilePath, bytes: String?)) {
        let item = Items.pending(row.path)
        #expect(item.filePath == row.path, "\(row.why)")
        #expect(item.pathBytes == row.bytes, "\(row.why)")
        #expect(item.path == row.path.display)
    }

    @Test func aNewItemIsDueAtOnceAndSpeaksOfNothingSentYet() {
        let item = Items.pending()
        #expect(item.status == .pending && item.isOpen && item.isDue(at: Items.now))
        #expect(item.retryCount == 0 && !item.sent && item.resume == nil && !item.mayHaveArrived)
        #expect(item.place == "media/Pictures/2026/IMG_1.jpg")
    }

    @Test func rolesNameTheirSize() {
        #expect(Item.Role.original.thumbnailSize == nil)
        #expect(Item.Role.thumbnail(512).rawValue == "thumbnail-512")
        #expect(Item.Role.thumbnail(512).thumbnailSize == 512)
        #expect(Item.Role(rawValue: "thumbnail-x").thumbnailSize == nil)
    }

    @Test func identifiersSortByTheTimeTheyWereMade() {
        let dates = [0, 1, 31, 32, 1_023, 1_024, 1_795_168_800_000, 1_795_168_800_001].map {
            Date(timeIntervalSince1970: Double($0) / 1_000)
        }
        let texts = dates.map { ItemIdentifier(at: $0).text }
        #expect(texts == texts.sorted())
        #expect(texts.allSatisfy { $0.utf8.count == 26 })
        #expect(texts[2].hasPrefix("000000000Z") && texts[3].hasPrefix("0000000010"))
    }

    @Test(arguments: [(-1.0, true), (0, true), (0.001, false), (1, false)])
    func anIdentifierTellsToTheMillisecondSinceWhenItIs(_ seconds: Double, _ isMade: Bool) {
        #expect(ItemIdentifier(at: Items.now).isMade(since: FileTime(Items.now + seconds)) == isMade)
    }

    @Test func anIdentifierWithAnotherTimeIsOtherwiseTheSame() {
        let identifier = ItemIdentifier(at: Items.now)
        let later = identifier.redated(at: Items.now + 1)
        #expect(later.text.prefix(10) == ItemIdentifier(at: Items.now + 1).text.prefix(10))
        #expect(later.text.dropFirst(10) == identifier.text.dropFirst(10))
        #expect(later.redated(at: Items.now) == identifier)
        #expect(later != identifier && later.isSame(as: identifier))
        #expect(!identifier.isSame(as: ItemIdentifier(at: Items.now)))
    }

    @Test func identifiersOfOneMomentDiffer() {
        var generator = SeededGenerator(seed: 3)
        let identifiers = (0..<2_000).map { _ in ItemIdentifier(at: Items.now, using: &generator) }
        #expect(Set(identifiers).count == 2_000)
        let letters = Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        #expect(identifiers.allSatisfy { $0.text.allSatisfy(letters.contains) })
        // Every position of the random part takes every letter.
        for place in 10..<26 {
            #expect(Set(identifiers.map { Array($0.text)[place] }) == letters)
        }
    }

    @Test(
        arguments: [
            ("a missing right is reported", 13, "file.EACCES", false),
            ("a full table of files passes", 24, "file.EMFILE", true),
            ("a stale handle passes", 116, "file.ESTALE", true), ("an error we do not name", 99, "file.99", false),
        ] as [(String, Int32, FailureCode, Bool)])
    func whatTheSystemSaid(_ row: (why: String, errno: Int32, code: FailureCode, retryable: Bool)) {
        let failure = Item.Failure(SystemError(call: "openat", code: row.errno, path: "a.jpg"))
        #expect(failure.code == row.code && failure.retryable == row.retryable, "\(row.why)")
        #expect(!failure.message.contains("a.jpg"), "the path stands beside it")
    }
}
