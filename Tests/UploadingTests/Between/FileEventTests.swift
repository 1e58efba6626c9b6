import Catalog
import Fixtures
import Foundation
import Platform
import Queue
import Records
import Synchronization
import TestSupport
import Testing
import Text

@testable import Uploading

/// What is told of files, to the log, to a listener and in the tally.
@Suite struct FileEventTests {
    private static let item = Items.pending("a.jpg")
    private static let failed = Items.with(item) { ($0.status, $0.lastError) = (.failed, Items.tooLarge) }
    /// An item whose last attempt ended with what `Items.busy` says.
    private static let busy = Items.with(item) { $0.lastError = Items.busy }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let item: Item
        let outcome: UploadOutcome
        let next: Item?
        let event: FileEvent?

        init(_ sentence: String, _ item: Item, _ outcome: UploadOutcome, _ next: Item?, _ event: FileEvent?) {
            (testDescription, self.item, self.outcome, self.next, self.event) = (sentence, item, outcome, next, event)
        }
    }

    @Test(arguments: [
        Row("a file that went away", item, .withdrawn, nil, FileEvent(item, .withdrawn)),
        Row(
            "a cause that is new", item, .blocked(.budget, Items.tooLarge), item,
            FileEvent(item, .held(.budget, Items.tooLarge))),
        Row(
            "another cause than before", busy, .blocked(.budget, Items.tooLarge), busy,
            FileEvent(busy, .held(.budget, Items.tooLarge))),
        Row("the same cause as before is no news", busy, .blocked(.budget, Items.busy), busy, nil),
        Row("one that is tried again by itself", item, .retry(Items.busy, after: nil), busy, nil),
        Row(
            "the last attempt", item, .retry(Items.busy, after: nil), failed,
            FileEvent(failed, .failed(Items.tooLarge))),
        Row("a refusal", item, .refused(Items.tooLarge), failed, FileEvent(failed, .failed(Items.tooLarge))),
        Row("what the queue does not have any more", item, .refused(Items.tooLarge), nil, nil),
        Row("what was there already", item, .verified, nil, nil),
        Row("a stop", item, .interrupted, item, nil),
        Row("a server that is away", item, .unreachable(Items.busy), busy, nil),
        Row("another key", item, .moved(item.objectKey), item, nil),
    ])
    func whatAnAttemptIsWorthTelling(_ row: Row) {
        #expect(FileEvent(row.item, after: row.outcome, row.next) == row.event)
    }

    /// What the log has of each kind, and the order: counted first, then told.
    @Test(
        arguments: [
            Fact(
                "a new file", FileEvent(item, .stored(.new, .md5)),
                "Stored path=Pictures/a.jpg role=original size=1000 standing=new proof=md5"),
            Fact(
                "one that was moved", FileEvent(item, .stored(.moved, .size)),
                "Moved path=Pictures/a.jpg role=original size=1000 standing=moved proof=size"),
            Fact(
                "one that storage held already", FileEvent(item, .stored(.found, .size)),
                "Found path=Pictures/a.jpg role=original size=1000 standing=found proof=size"),
            Fact(
                "a picture", FileEvent(Items.pending("a.jpg", role: .thumbnail(512)), .stored(.again, .readBack)),
                "Stored path=Pictures/a.jpg role=thumbnail-512 size=1000 standing=again proof=readBack"),
            Fact(
                "a failure", FileEvent(item, .failed(Items.tooLarge)),
                "Failed path=Pictures/a.jpg role=original size=1000 code=storage.EntityTooLarge reason=too large"),
            Fact(
                "one that waits", FileEvent(item, .held(.offline, Items.busy)),
                "Refused path=Pictures/a.jpg role=original size=1000 code=http.503 reason=busy"),
            Fact(
                "one that went away", FileEvent(item, .withdrawn),
                "Withdrawn path=Pictures/a.jpg role=original size=1000"),
        ])
    func eachIsALineOfDetail(_ fact: Fact<FileEvent, String>) {
        let lines = Mutex<[String]>([])
        let log = Log(level: .debug) { line in
            let details = line.details.map { " \($0.name)=\($0.value)" }.joined()
            lines.withLock { $0.append("\(line.level.rawValue): \(line.message)\(details)") }
        }
        let heard = Mutex<[FileEvent]>([])
        let counter = EventCounter(log: log, clock: { Items.now }) { event in heard.withLock { $0.append(event) } }
        #expect(counter.changedAt == nil && counter.tally.isEmpty)
        counter.note(fact.input)
        #expect(lines.withLock { $0 } == ["debug: " + fact.output])
        #expect(heard.withLock { $0 } == [fact.input])
        #expect(counter.changedAt == Items.now)
        var tally = Tally()
        tally.note(fact.input)
        #expect(counter.tally == tally)
    }

    /// Rescued files are counted beside the events, and are no event of their own.
    @Test func aRescuedFileIsCountedAlone() {
        let counter = EventCounter(clock: { Items.now })
        counter.noteRescued()
        counter.noteRescued()
        #expect(counter.tally.rescued == 2 && counter.tally.stored == 0)
        #expect(counter.changedAt == nil)
    }
}
