import Fixtures
import Foundation
import Platform
import TestSupport
import Testing
import Text

@testable import Queue

@Suite struct QueueFileTests {
    /// The item of design.md, "On disk", with every key it documents, and the time of the user's request.
    static let documented = Items.with(Items.pending(content: 0)) {
        $0.status = .pending
        $0.retryCount = 1
        $0.blocked = .offline
        $0.lastError = Items.busy
        $0.lastAttemptAt = Items.now
        $0.nextAttemptAt = Items.now + 2.5
        $0.completedAt = Items.now + 3
        $0.forcedAt = Items.now - 660
        $0.resume = Items.resume
    }

    static func text(_ item: Item) -> String { String(decoding: QueueChange.set(item).encoded(), as: UTF8.self) }

    static func object(_ bytes: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    // MARK: Format

    @Test func aLineIsAsDocumentedKeyByKey() {
        let id = Self.documented.id.text
        let hash = String(repeating: "0", count: 64)
        #expect(
            Self.text(Self.documented) == """
                {"id":"\(id)","root":"Pictures","path":"2026/IMG_1.jpg","role":"original","contentType":"image/jpeg",\
                "size":1000,"sha256":"\(hash)","modifiedAt":"2026-11-20T09:00:00.000Z",\
                "bucket":"media","objectKey":"Pictures/2026/IMG_1.jpg","status":"pending","retryCount":1,\
                "blocked":"offline","lastError":{"code":"http.503","message":"busy","retryable":true},\
                "createdAt":"2026-11-20T09:50:00.000Z","forcedAt":"2026-11-20T09:49:00.000Z",\
                "lastAttemptAt":"2026-11-20T10:00:00.000Z",\
                "nextAttemptAt":"2026-11-20T10:00:02.500Z","completedAt":"2026-11-20T10:00:03.000Z",\
                "sent":false,"resume":{"uploadID":"u1","createdAt":"2026-11-20T09:59:00.000Z","offset":6291456}}
                """)
    }

    @Test func whatANewItemDoesNotHaveIsLeftOutButForBlocked() throws {
        let keys = try Self.object(QueueChange.set(Items.pending()).encoded()).keys
        #expect(
            Set(keys) == [
                "id", "root", "path", "role", "contentType", "size", "sha256", "modifiedAt", "bucket", "objectKey",
                "status", "retryCount", "blocked", "createdAt", "sent",
            ])
        #expect(Self.text(Items.pending()).contains(#""blocked":null"#))
        #expect(Self.text(Items.pending(FilePath(bytes: [0xFF]))).contains(#""pathBytes":"/w==""#))
    }

    @Test func aFileIsOneDocumentWithOneItemALine() throws {
        let items = (0..<3).map { Items.pending(FilePath("\($0).jpg")) }
        let bytes = QueueFile(journal: 7, entries: items).encoded()
        let document = try Self.object(bytes)
        #expect(document["version"] as? Int == 1 && document["journal"] as? Int == 7)
        #expect((document["items"] as? [Any])?.count == 3)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines.count == 5)
        #expect(lines[0].hasPrefix(#"{"version":1,"journal":7,"#) && lines[0].hasSuffix(#""items":["#))
        #expect(lines.last == "]}")
        for (line, item) in zip(lines.dropFirst(), items) { #expect(line.hasPrefix(Self.text(item))) }
    }

    @Test func anEmptyQueueIsADocumentToo() throws {
        let file = QueueFile(journal: 1, entries: [])
        #expect(try QueueFile(file.encoded()) == file)
    }

    /// Every hundredth of them is encoded, which takes a hundredth of the time.
    @Test func twelveThousandItemsWithLongNamesStayBelowTenMegabytes() {
        let items = stride(from: 99, to: 12_000, by: 100).map { number in
            let path = FilePath(
                "Fotos/2026/07 Sommerurlaub in Süddeutschland/Kamera \(number % 9)/IMG_2026071\(number).HEIC")
            return Items.with(Items.pending(path, size: 12_345_678)) {
                $0.status = number < 10_000 ? .pending : .failed
                $0.retryCount = 3
                $0.lastError = Item.Failure(
                    code: "storage.SlowDown", message: "Too many requests: please reduce your rate", retryable: true)
                $0.lastAttemptAt = Items.now
                $0.nextAttemptAt = Items.now + 512.25
            }
        }
        #expect(QueueFile(journal: 100_000, entries: items).encoded().count * 100 <= 10_000_000)
    }

    @Test(arguments: [0, 1, 2_000])
    func itIsWrittenInPartsThatAreItsText(count: Int) {
        let items = (0..<count).map { Items.pending(FilePath("\($0).jpg")) }
        let file = QueueFile(journal: 3, entries: items)
        let parts = Array(file.parts)
        #expect(Array(parts.joined()) == file.encoded())
        #expect(parts.allSatisfy { $0.count < 66 << 10 })
        #expect(parts.dropLast().allSatisfy { $0.count >= 64 << 10 })
        #expect((parts.count > 1) == (count > 1))
    }

    // MARK: Round trips

    /// Items with every kind of name, message and number.
    static func random(_ generator: inout SeededGenerator) -> Item {
        func some<Value>(_ value: @autoclosure () -> Value) -> Value? {
            Bool.random(using: &generator) ? value() : nil
        }
        func text(_ length: Int) -> String {
            let pieces = [
                "a", "é", "e\u{301}", "写", "👨‍👩‍👧", "\"", "\\", "/", "\u{0}", "\u{1F}", "\u{7F}", "\n", "\u{2028}", "<",
                "!",
            ]
            return (0..<length).compactMap { _ in pieces.randomElement(using: &generator) }.joined()
        }
        func date() -> Date {
            FileTime(nanoseconds: Int64.random(in: 0...4_000_000_000_000, using: &generator) * 1_000_000).date
        }
        let name = (0..<20).map { _ in UInt8.random(in: 1...255, using: &generator) }
        var item = Item(
            root: text(4), path: FilePath(bytes: name), role: .thumbnail(512), contentType: text(3),
            size: Int64.random(in: 0...Int64.max, using: &generator), sha256: text(2),
            modifiedAt: FileTime(nanoseconds: Int64.random(in: Int64.min...Int64.max, using: &generator)),
            bucket: text(1),
            objectKey: ObjectKey(text: text(5)), now: date())
        item.status = Item.Status.allCases.randomElement(using: &generator) ?? .pending
        item.retryCount = Int.random(in: 0...12, using: &generator)
        item.blocked = some(.metered)
        // Text from outside is cleansed before it is stored, and again when it is read.
        func words(_ length: Int) -> String {
            let steering: Set<Unicode.Scalar> = ["\u{0}", "\u{1F}", "\u{7F}", "\n", "\u{2028}"]
            return String(String.UnicodeScalarView(text(length).unicodeScalars.filter { !steering.contains($0) }))
        }
        item.lastError = some(
            Item.Failure(code: FailureCode(words(3)), message: words(30), retryable: Bool.random(using: &generator)))
        item.forcedAt = some(date())
        item.lastAttemptAt = some(date())
        item.nextAttemptAt = some(date())
        item.completedAt = some(date())
        item.sent = Bool.random(using: &generator)
        let pieces = [6, 12, 15].reduce(SentPieces()) { $0.reaching($1) ?? $0 }
        item.resume = some(Item.Resume(uploadID: text(6), createdAt: date(), offset: 15, pieces: some(pieces)))
        return item
    }

    @Test func whatAnEarlierVersionWroteDownOfAServersWordsIsCleansedWhenItIsRead() throws {
        let key = "eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.q7Zt3xP0rLwY5kNc8bE2uVd6"
        let item = Items.with(Items.pending()) {
            $0.lastError = Item.Failure(code: "http.400", message: "sent \(key)\u{1B}[31m", retryable: false)
        }
        let read = try QueueFile(QueueFile(journal: 1, entries: [item]).encoded()).entries.first
        #expect(read?.lastError?.message == "sent …·[31m")
    }

    @Test func everyItemReadsBackAsItself() throws {
        var generator = SeededGenerator(seed: 4)
        let items = (0..<500).map { _ in Self.random(&generator) }
        let file = QueueFile(journal: 3, entries: items)
        #expect(try QueueFile(file.encoded()) == file)
        for item in items { #expect(try QueueChange(line: QueueChange.set(item).encoded()) == .set(item)) }
    }

    @Test func aLineSaysWhatFoundationWouldSay() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            let item = Self.random(&generator)
            let ours = QueueChange.set(item).encoded()
            #expect(!ours.contains(UInt8(ascii: "\n")))
            var read = try Self.object(ours)
            if read["blocked"] is NSNull { read["blocked"] = nil }
            let theirs = try Self.object(Array(try QueueCoding.encoder.encode(item)))
            #expect(NSDictionary(dictionary: read) == NSDictionary(dictionary: theirs))
        }
    }

    @Test func aWithdrawalIsALineOfItsOwn() throws {
        let change = QueueChange.withdrawn(ItemIdentifier(text: "01J"))
        #expect(String(decoding: change.encoded(), as: UTF8.self) == #"{"withdrawn":"01J"}"#)
        #expect(try QueueChange(line: change.encoded()) == change)
    }

    // MARK: Damage

    @Test(arguments: [
        ("nothing", ""), ("no JSON", "{"), ("no items", #"{"version":1,"journal":1}"#),
        ("half an item", #"{"version":1,"journal":1,"items":[{"id":"1"}]}"#),
        ("no version", #"{"journal":1,"items":[]}"#),
        ("a version that never was", #"{"version":0,"journal":1,"items":[]}"#),
        ("a journal below zero", #"{"version":1,"journal":-1,"items":[]}"#),
        ("a journal beyond all numbers", #"{"version":1,"journal":9223372036854775807,"items":[]}"#),
    ])
    func damageIsAnError(_ row: (why: String, text: String)) {
        #expect(throws: DecodingError.self, "\(row.why)") { try QueueFile(Array(row.text.utf8)) }
    }

    @Test(arguments: [
        #"{"version":2,"journal":1,"items":[]}"#, #"{"version":2,"entries":{"a":1}}"#,
        #"{"version":3,"journal":1,"items":[{"id":7}]}"#,
    ])
    func aLaterVersionIsNotTakenForDamage(_ text: String) {
        #expect(throws: NewerRecords.self) { try QueueFile(Array(text.utf8)) }
    }

    @Test(arguments: ["", "{}", #"{"withdrawn":7}"#, #"{"withdrawn":"1""#, "\u{0}\u{0}\u{0}"])
    func aDamagedLineIsAnError(_ text: String) {
        #expect(throws: DecodingError.self) { try QueueChange(line: Array(text.utf8)) }
    }

    @Test(
        arguments: [
            ("queue.journal.0.jsonl", 0), ("queue.journal.12.jsonl", 12), ("queue.journal.-1.jsonl", nil),
            ("queue.journal.07.jsonl", nil), ("queue.journal..jsonl", nil), ("queue.journal.7.jsonl.new", nil),
            ("queue.journal.9223372036854775807.jsonl", nil), ("queue.json", nil), ("queue.journal.x.jsonl", nil),
        ] as [(String, Int?)])
    func journalNames(name: String, number: Int?) {
        #expect(QueueFile.journalNumber(name) == number)
        if let number { #expect(QueueFile.journalName(number) == name) }
    }
}
