import Fixtures
import Foundation
import Platform
import Providers
import Queue
import Records
import TestSupport
import Testing

@testable import Audit
@testable import Catalog

@Suite struct AuditLogTests {
    private static let now = Items.now
    private static let moment = "2026-11-20T10:00:00.000Z"

    private static let receipt = Receipt(
        destination: "here", key: ObjectKey(text: "Pictures/a.jpg"), role: .original, item: ItemIdentifier(at: now),
        sha256: "ab", size: 7, objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: now)

    private static func ledgerLine(_ stage: Ledger.Stage, amount: Int64 = 1_500_000) -> Ledger.Line {
        Ledger.Line(at: now, key: IdempotencyKey(rawValue: "k-1"), stage: stage, amount: amount, bound: 3_000_000)
    }

    /// The lines of a log, each of which has to be one object of JSON.
    private func entries(_ folder: FilePath, _ name: String = "audit.jsonl") throws -> [[String: AnyHashable]] {
        let text = try OpenFile(reading: folder.appending(name)).readAll()
        #expect(text.last == UInt8(ascii: "\n"))
        return try text.split(separator: UInt8(ascii: "\n")).map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: AnyHashable]
            return try #require(object)
        }
    }

    // MARK: What a line says

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let act: @Sendable (AuditLog) async throws -> Void
        let entry: [String: String]

        init(
            _ sentence: String, _ entry: [String: String], act: @escaping @Sendable (AuditLog) async throws -> Void
        ) {
            (testDescription, self.entry, self.act) = (sentence, entry, act)
        }
    }

    private static func object(_ action: String, path: String = "Pictures/2026/IMG_1.jpg") -> [String: String] {
        [
            "action": action, "at": moment, "key": "Pictures/2026/IMG_1.jpg", "path": path, "size": "1000",
            "sha256": Items.pending().sha256,
        ]
    }

    private static func money(_ action: String) -> [String: String] {
        [
            "action": action, "at": moment, "provider": "fal", "intent": "k-1", "millionths": "1500000",
            "bound": "3000000",
        ]
    }

    static let rows = [
        Row("an object was stored", object("stored")) { try await $0.note(.stored, [Items.pending()], at: now) },
        Row("an object took another's place", object("replaced")) {
            try await $0.note(.replaced, [Items.pending()], at: now)
        },
        Row("an item was lost with the queue", object("lost")) { try await $0.note(.lost, [Items.pending()], at: now) },
        Row("an item was cancelled", object("cancelled")) {
            try await $0.note(.cancelled, [Items.pending()], at: now)
        },
        Row("an object was moved", object("moved")) { try await $0.note(.moved, [Items.pending()], at: now) },
        Row(
            "an object without a file was deleted",
            [
                "action": "pruned", "at": moment, "key": "Pictures/a.jpg", "path": "Old/b.jpg", "size": "7",
                "sha256": "ab",
            ]
        ) { try await $0.notePruned([Duplicate(receipt: receipt, root: "Old", path: "b.jpg")], at: now) },
        Row(
            "an object without a receipt was deleted",
            ["action": "pruned", "at": moment, "key": "k", "path": "p", "size": "5", "sha256": "cd"]
        ) { try await $0.notePruned("k", path: "p", size: 5, "cd", at: now) },
        Row(
            "an object held other bytes",
            [
                "action": "damaged", "at": moment, "key": "Pictures/a.jpg", "path": "Pictures/a.jpg", "size": "7",
                "sha256": "ab",
            ]
        ) { try await $0.noteDamaged(receipt, at: now) },
        Row("money was set aside", money("reserved")) { try await $0.note(ledgerLine(.reserved), at: .fal) },
        Row("money was spent", money("committed")) { try await $0.note(ledgerLine(.committed), at: .fal) },
        Row("money was not needed", money("released")) { try await $0.note(ledgerLine(.released), at: .fal) },
    ]

    @Test(arguments: rows)
    func aLineSaysWhatWasDone(_ row: Row) async throws {
        try await FileTree().withDirectory { folder in
            try await row.act(AuditLog(state: folder))
            let entry = try #require(try entries(folder).first)
            #expect(entry.mapValues { "\($0)" } == row.entry)
        }
    }

    /// Names are the user's, and any byte may be in them: a line stays one line, and names the file.
    @Test(
        arguments: [
            Fact("a line feed", "a\nb.jpg", "a\nb.jpg"), Fact("a quotation mark", "\"a\".jpg", "\"a\".jpg"),
            Fact("a backslash", "a\\n.jpg", "a\\n.jpg"), Fact("a NUL's neighbour", "a\u{1}.jpg", "a\u{1}.jpg"),
            Fact("a line separator", "a\u{2028}b.jpg", "a\u{2028}b.jpg"),
            Fact("another direction", "a\u{202E}gpj.exe", "a\u{202E}gpj.exe"),
            Fact("no UTF-8", FilePath(bytes: [0x61, 0xFF, 0x62]), "a\u{FFFD}b"),
            Fact("a name that ends like a line", "a.jpg\"}\n{\"action\":\"pruned", "a.jpg\"}\n{\"action\":\"pruned"),
        ] as [Fact<FilePath, String>])
    func anyNameIsOneLine(_ fact: Fact<FilePath, String>) async throws {
        try await FileTree().withDirectory { folder in
            let log = AuditLog(state: folder)
            try await log.note(.stored, [Items.pending(fact.input), Items.pending("after.jpg")], at: Self.now)
            let paths = try entries(folder).map { $0["path"] as? String }
            #expect(paths == ["Pictures/\(fact.output)", "Pictures/after.jpg"])
        }
    }

    @Test func nothingDoneIsNoFile() async throws {
        try await FileTree().withDirectory { folder in
            let log = AuditLog(state: folder)
            try await log.note(.stored, [], at: Self.now)
            try await log.notePruned([], at: Self.now)
            #expect(try FileTree(at: folder).names.isEmpty)
        }
    }

    @Test func onlyTheOwnerReadsIt() async throws {
        try await FileTree().withDirectory { folder in
            try await AuditLog(state: folder).note(.stored, [Items.pending()], at: Self.now)
            let path = folder.appending("audit.jsonl").display
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    // MARK: What was there before

    /// A power cut or a full disk leaves a part of a line: what follows is not lost with it.
    @Test func aLineThatWasCutOffAnywhereCostsNoOther() async throws {
        let whole = try await FileTree().withDirectory { folder in
            try await AuditLog(state: folder).note(.stored, [Items.pending("cut.jpg")], at: Self.now)
            return try OpenFile(reading: folder.appending("audit.jsonl")).readAll()
        }
        for count in 0...whole.count {
            try await FileTree().withDirectory { folder in
                let file = try OpenFile(creating: folder.appending("audit.jsonl"))
                try file.append(whole + whole.prefix(count))
                let log = AuditLog(state: folder)
                try await log.note(.stored, [Items.pending("next.jpg")], at: Self.now)
                try await log.note(.stored, [Items.pending("last.jpg")], at: Self.now)
                let lines = try file.readAll().split(separator: UInt8(ascii: "\n")).map {
                    String(decoding: $0, as: UTF8.self)
                }
                #expect(lines.first?.contains("cut.jpg") == true, "\(count) bytes")
                #expect(
                    lines.suffix(2).map { $0.hasPrefix("{") && $0.hasSuffix("}") } == [true, true], "\(count) bytes")
                #expect(lines.suffix(2).map { $0.contains("next.jpg") } == [true, false], "\(count) bytes")
                #expect(lines.count == (count == 0 ? 3 : 4), "\(count) bytes")
            }
        }
    }

    @Test func anotherRunGoesOnWhereOneStopped() async throws {
        try await FileTree().withDirectory { folder in
            for name in ["a.jpg", "b.jpg", "c.jpg"] {
                try await AuditLog(state: folder).note(.stored, [Items.pending(FilePath(name))], at: Self.now)
            }
            #expect(try entries(folder).map { $0["path"] as? String } == ["a", "b", "c"].map { "Pictures/\($0).jpg" })
        }
    }

    // MARK: When it is full

    /// A log of `size` bytes, without taking that much of the disk.
    private func fill(_ folder: FilePath, to size: Int64) throws {
        let file = try OpenFile(creating: folder.appending("audit.jsonl"))
        try file.truncate(to: size - 1)
        try file.write([UInt8(ascii: "\n")], at: size - 1)
    }

    private func size(_ folder: FilePath, _ name: String) throws -> Int64? {
        try FileFacts.existing(folder.appending(name))?.size
    }

    @Test(arguments: [-1, 0, 1] as [Int64])
    func aFullLogIsPutAside(beyond: Int64) async throws {
        try await FileTree().withDirectory { folder in
            try fill(folder, to: AuditLog.limit + beyond)
            let log = AuditLog(state: folder)
            // The first line of a run goes to the log as it is: its size is known only then.
            try await log.note(.stored, [Items.pending("a.jpg")], at: Self.now)
            let first = try #require(try size(folder, "audit.jsonl"))
            #expect(first > AuditLog.limit + beyond)
            #expect(try size(folder, "audit.jsonl.1") == nil)
            try await log.note(.stored, [Items.pending("b.jpg")], at: Self.now)
            #expect(try size(folder, "audit.jsonl.1") == first)
            #expect(try entries(folder).map { $0["path"] as? String } == ["Pictures/b.jpg"])
        }
    }

    @Test func theLogBeforeTheLastOneGoes() async throws {
        try await FileTree().withDirectory { folder in
            try OpenFile(creating: folder.appending("audit.jsonl.1")).append(Array("older\n".utf8))
            try fill(folder, to: AuditLog.limit)
            let log = AuditLog(state: folder)
            for _ in 0..<3 { try await log.note(.stored, [Items.pending()], at: Self.now) }
            #expect(try size(folder, "audit.jsonl.1") ?? 0 > AuditLog.limit)
            #expect(try entries(folder).count == 2)
            #expect(try FileTree(at: folder).names == ["audit.jsonl", "audit.jsonl.1"])
        }
    }

    /// The user's own clean-up, or another program's, took the log away while it was full.
    @Test func aFullLogThatWasTakenAwayIsBegunAnew() async throws {
        try await FileTree().withDirectory { folder in
            try fill(folder, to: AuditLog.limit)
            let log = AuditLog(state: folder)
            try await log.note(.stored, [Items.pending("a.jpg")], at: Self.now)
            try Directory(folder).remove(file: "audit.jsonl")
            try await log.note(.stored, [Items.pending("b.jpg")], at: Self.now)
            try await log.note(Self.ledgerLine(.reserved), at: .fal)
            #expect(try entries(folder).map { $0["action"] as? String } == ["stored", "reserved"])
        }
    }

    /// A state directory that cannot be written is told, and the log goes on once it can be.
    @Test func aLogThatCouldNotBeWrittenGoesOn() async throws {
        try await FileTree().withDirectory { folder in
            let state = folder.appending("state")
            let log = AuditLog(state: state)
            await #expect(throws: SystemError.self) { try await log.note(.stored, [Items.pending()], at: Self.now) }
            try Directory.create(at: state)
            try await log.note(.stored, [Items.pending("b.jpg")], at: Self.now)
            #expect(try entries(state).map { $0["path"] as? String } == ["Pictures/b.jpg"])
        }
    }

    @Test func linesOfManyWritersAreWhole() async throws {
        try await FileTree().withDirectory { folder in
            let log = AuditLog(state: folder)
            try await withThrowingDiscardingTaskGroup { group in
                for writer in 0..<8 {
                    group.addTask {
                        for number in 0..<20 {
                            let items = (0..<3).map { Items.pending(FilePath("\(writer)-\(number)-\($0).jpg")) }
                            try await log.note(.stored, items, at: Self.now)
                        }
                    }
                }
            }
            let paths = try entries(folder).compactMap { $0["path"] as? String }
            #expect(Set(paths).count == 480)
            #expect(paths.count == 480)
            // What was noted together stands together.
            for start in stride(from: 0, to: 480, by: 3) {
                let stems = Set(paths[start..<start + 3].map { $0.split(separator: "-").prefix(2).joined() })
                #expect(stems.count == 1)
            }
        }
    }
}
