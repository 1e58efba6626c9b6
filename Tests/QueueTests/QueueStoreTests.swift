import Fixtures
import Foundation
import Platform
import TestSupport
import Testing

@testable import Queue

@Suite struct QueueStoreTests {
    static let items = (0..<4).map { Items.pending(FilePath("\($0).jpg"), made: Items.now + Double($0)) }
    static let uploading = Items.with(items[0]) { $0.status = .uploading }

    static func file(_ journal: Int, _ items: Item...) -> [UInt8] {
        QueueFile(journal: journal, entries: items).encoded()
    }

    static func lines(_ changes: QueueChange...) -> [UInt8] {
        changes.flatMap { $0.encoded() + [UInt8(ascii: "\n")] }
    }

    static func load(
        _ contents: [String: [UInt8]], quarantine: RecordingDisk = RecordingDisk()
    ) throws -> QueueStore.Loaded {
        try QueueStore(disk: RecordingDisk(contents), quarantine: quarantine).load()
    }

    // MARK: Loading

    @Test func aFirstStartFindsNothing() throws {
        let loaded = try Self.load([:])
        #expect(loaded.entries.isEmpty && loaded.base == nil && loaded.nextJournal == 1 && loaded.warnings.isEmpty)
    }

    @Test func journalsAreReplayedInTheirOrderFromTheOneThatIsNamed() throws {
        let loaded = try Self.load([
            "queue.json": Self.file(9, Self.items[0], Self.items[1]),
            "queue.journal.8.jsonl": Self.lines(.withdrawn(Self.items[0].id), .set(Self.items[3])),
            "queue.journal.9.jsonl": Self.lines(.set(Self.uploading), .set(Self.items[2])),
            "queue.journal.10.jsonl": Self.lines(.withdrawn(Self.items[1].id)),
        ])
        #expect(loaded.entries == [Self.uploading, Self.items[2]])
        #expect(loaded.base == .init(name: "queue.json", journal: 9) && loaded.nextJournal == 11)
        #expect(loaded.warnings.isEmpty)
    }

    @Test func aWithdrawnItemMayComeBack() throws {
        let loaded = try Self.load([
            "queue.json": Self.file(1, Self.items[0], Self.items[1]),
            "queue.journal.1.jsonl": Self.lines(.withdrawn(Self.items[0].id), .set(Self.items[0])),
        ])
        #expect(loaded.entries == [Self.items[0], Self.items[1]])
    }

    @Test func replayingTwiceChangesNothing() throws {
        let changes = Self.lines(.set(Self.uploading), .withdrawn(Self.items[1].id), .set(Self.items[2]))
        let base = Self.file(1, Self.items[0], Self.items[1])
        let once = try Self.load(["queue.json": base, "queue.journal.1.jsonl": changes])
        let twice = try Self.load(["queue.json": base, "queue.journal.1.jsonl": changes + changes])
        #expect(once.entries == twice.entries)
    }

    // MARK: Damage

    @Test func everyTornLastLineIsDroppedInSilence() throws {
        let last = QueueChange.set(Self.items[1]).encoded()
        for count in 0...last.count {
            let loaded = try Self.load([
                "queue.json": Self.file(1),
                "queue.journal.1.jsonl": Self.lines(.set(Self.items[0])) + last.prefix(count),
            ])
            #expect(loaded.entries == [Self.items[0]] && loaded.warnings.isEmpty)
        }
    }

    @Test(arguments: [
        ("half a line", Array(#"{"id":"01J"#.utf8)), ("zeros", [UInt8](repeating: 0, count: 40)), ("an empty line", []),
        ("a user's note", Array("# do not edit".utf8)), ("not UTF-8", [0xFF, 0xFE]),
    ])
    func aDamagedLineIsKeptAsideAndTheRestIsRead(_ row: (why: String, line: [UInt8])) throws {
        let quarantine = RecordingDisk()
        let damaged = row.line + [UInt8(ascii: "\n")]
        let contents = [
            "queue.json": Self.file(1),
            "queue.journal.1.jsonl": Self.lines(.set(Self.items[0])) + damaged + Self.lines(.set(Self.items[1])),
        ]
        for _ in 0..<2 {
            let loaded = try Self.load(contents, quarantine: quarantine)
            #expect(loaded.entries == [Self.items[0], Self.items[1]], "\(row.why)")
            let name = try #require(quarantine.contents.keys.first)
            #expect(loaded.warnings.count == 1 && loaded.warnings[0].contains("quarantine/\(name)"))
            #expect(quarantine.contents == [name: damaged])
        }
    }

    @Test(arguments: [
        ("cut short", Array(file(2, items[0], items[1]).dropLast(5))), ("emptied", []),
        ("zeroed", [UInt8](repeating: 0, count: 512)), ("overwritten", Array("hello".utf8)),
    ])
    func ofADamagedFileThePreviousOneAndTheJournalsTellTheSame(_ row: (why: String, bytes: [UInt8])) throws {
        let quarantine = RecordingDisk()
        let loaded = try Self.load(
            [
                "queue.json": row.bytes, "queue.json.1": Self.file(1, Self.items[0]),
                "queue.journal.1.jsonl": Self.lines(.set(Self.items[1])),
                "queue.journal.2.jsonl": Self.lines(.set(Self.items[2]), .withdrawn(Self.items[0].id)),
            ], quarantine: quarantine)
        #expect(loaded.entries == [Self.items[1], Self.items[2]], "\(row.why)")
        #expect(loaded.base == .init(name: "queue.json.1", journal: 1) && loaded.nextJournal == 3)
        #expect(loaded.warnings.count == 1 && loaded.warnings[0].hasPrefix("queue.json is damaged"))
        #expect(Array(quarantine.contents.values) == [row.bytes])
    }

    @Test func whenBothFilesAreDamagedTheJournalsRemain() throws {
        let loaded = try Self.load([
            "queue.json": [1], "queue.json.1": [2], "queue.journal.3.jsonl": Self.lines(.set(Self.items[3])),
        ])
        #expect(loaded.entries == [Self.items[3]] && loaded.base == nil && loaded.nextJournal == 4)
        #expect(loaded.warnings.count == 2)
    }

    @Test func aLaterVersionsQueueIsLeftAlone() throws {
        let disk = RecordingDisk(["queue.json": Array(#"{"version":2,"journal":1,"items":[]}"#.utf8)])
        let quarantine = RecordingDisk()
        let store = QueueStore(disk: disk, quarantine: quarantine)
        #expect(throws: NewerRecords.self) { try UploadQueue(store: store, now: Items.now) }
        #expect(disk.calls.isEmpty && quarantine.calls.isEmpty)
    }

    // MARK: Folding

    @Test func aFoldKeepsThePreviousFileWithItsJournal() throws {
        let disk = RecordingDisk([
            "queue.json": Self.file(4, Self.items[0]), "queue.json.1": Self.file(3),
            "queue.journal.3.jsonl": [], "queue.journal.4.jsonl": Self.lines(.set(Self.items[1])), "other": [7],
        ])
        let store = QueueStore(disk: disk, quarantine: RecordingDisk())
        let loaded = try store.load()
        _ = try store.fold(loaded.entries, journal: loaded.nextJournal, from: loaded.base)
        #expect(
            disk.contents == [
                "queue.json": Self.file(5, Self.items[0], Self.items[1]), "queue.json.1": Self.file(4, Self.items[0]),
                "queue.journal.4.jsonl": Self.lines(.set(Self.items[1])), "queue.journal.5.jsonl": [], "other": [7],
            ])
    }

    @Test func aDamagedFileNeverTakesThePlaceOfThePreviousOne() throws {
        let disk = RecordingDisk([
            "queue.json": [1], "queue.json.1": Self.file(3, Self.items[0]),
            "queue.journal.3.jsonl": Self.lines(.set(Self.items[1])),
            "queue.journal.4.jsonl": Self.lines(.set(Self.items[2])),
        ])
        _ = try UploadQueue(store: QueueStore(disk: disk, quarantine: RecordingDisk()), now: Items.now)
        var contents = disk.contents
        #expect(contents["queue.json.1"] == Self.file(3, Self.items[0]))
        // If the new file were damaged as well, nothing would be lost.
        contents["queue.json"] = [2]
        #expect(try Self.load(contents).entries == Array(Self.items.prefix(3)))
    }

    @Test func theFileNeverDisappearsWhateverCallThePowerFails() async throws {
        let disk = RecordingDisk(["queue.json": Self.file(1, Self.items[0]), "queue.journal.1.jsonl": []])
        for _ in 0..<3 {
            _ = try UploadQueue(store: QueueStore(disk: disk, quarantine: RecordingDisk()), now: Items.now)
        }
        for cut in disk.powerCuts() {
            let bytes = try #require(cut.contents["queue.json"], "\(cut)")
            #expect(try QueueFile(bytes).entries == [Self.items[0]], "\(cut)")
        }
    }
}
