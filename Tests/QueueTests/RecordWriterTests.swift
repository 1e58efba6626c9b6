import Fixtures
import Platform
import TestSupport
import Testing

@testable import Queue

/// When a store is written, and when it is left as it is.
@Suite struct RecordWriterTests {
    private static func store(_ disk: any Disk) -> QueueStore { QueueStore(disk: disk, quarantine: RecordingDisk()) }

    private static func writer(
        _ disk: any Disk, entries: [Item]? = nil, foldSize: Int = 8 << 20, isLazy: Bool = false
    ) throws -> (RecordWriter<Item>, [Item]) {
        let loaded = try store(disk).load()
        let entries = entries ?? loaded.entries
        return (
            try RecordWriter(store(disk), after: loaded, entries: entries, foldSize: foldSize, isLazy: isLazy), entries
        )
    }

    /// A store that was written once; its writer has ended well.
    private static func written(_ items: [Item]) throws -> RecordingDisk {
        let disk = RecordingDisk()
        _ = try writer(disk, entries: items)
        return RecordingDisk(disk.contents)
    }

    @Test(arguments: [false, true])
    func aNewStoreIsWrittenAtOnceUnlessItIsLazy(isLazy: Bool) throws {
        let disk = RecordingDisk()
        var (writer, _) = try Self.writer(disk, isLazy: isLazy)
        #expect((disk.contents[QueueFile.name] == nil) == isLazy)
        #expect(try writer.record([]) { [] } == nil)
        try writer.close { [] }
        #expect((disk.contents[QueueFile.name] == nil) == isLazy, "a run without a change")
        let item = Items.pending()
        _ = try writer.record([.set(item)]) { [item] }
        try writer.close { [item] }
        #expect(try Self.store(disk).load().entries == [item])
    }

    /// A start that finds everything in the file does not touch it.
    @Test func whatIsThereAlreadyIsNotWrittenAgain() throws {
        let items = [Items.pending("a.jpg"), Items.pending("b.jpg")]
        let disk = try Self.written(items)
        var (writer, entries) = try Self.writer(disk)
        #expect(entries == items)
        try writer.close { items }
        #expect(disk.calls.isEmpty)
    }

    @Test(
        arguments: [
            Fact("another entry", [Items.pending("a.jpg"), Items.pending("c.jpg", made: Items.now)], true),
            Fact("one entry less", [], true),
        ] as [Fact<[Item], Bool>])
    func whatDiffersFromTheFileIsWrittenAtOnce(_ fact: Fact<[Item], Bool>) throws {
        let disk = try Self.written([Items.pending("a.jpg")])
        _ = try Self.writer(disk, entries: fact.input)
        #expect(disk.calls.isEmpty != fact.output)
        #expect(try Self.store(disk).load().entries == fact.input)
    }

    /// What only a journal holds is folded at the start, so that journals do not pile up.
    @Test func aJournalIsFoldedAtTheStart() async throws {
        let disk = try Self.written([])
        var (writer, _) = try Self.writer(disk)
        let item = Items.pending()
        // No clean end follows.
        try await writer.record([.set(item)]) { [item] }?.wait()
        let again = RecordingDisk(disk.contents)
        _ = try Self.writer(again)
        let folded = try Self.store(again).load()
        #expect(folded.entries == [item])
        #expect(!folded.isReplayed)
    }

    /// The bytes of a journal above which it is folded: the change that finds more of them begins the next.
    @Test(arguments: [0, 1])
    func aJournalIsFoldedOnceItIsLarger(isLarger: Int) throws {
        let item = Items.pending()
        let line = QueueChange.set(item).encoded().count + 1
        let disk = try Self.written([])
        var (writer, _) = try Self.writer(disk, foldSize: line - isLarger)
        for _ in 0..<2 { _ = try writer.record([.set(item)]) { [item] } }
        let folds = disk.calls.count { $0.hasPrefix("rename \(QueueFile.name).new ") }
        // The first change of a run folds; the second one folds where the first is more than the size.
        #expect(folds == 1 + isLarger)
    }

    /// After a fold that failed it is unknown which file counts: no later change is promised.
    @Test func aFailedFoldIsRememberedByChangesAndByTheEnd() throws {
        let item = Items.pending()
        for callsBeforeFailure in 0... {
            let contents = try Self.written([])
            let loaded = try Self.store(contents).load()
            let disk = FailingDisk(contents, callsBeforeFailure: callsBeforeFailure, afterwards: .recovers)
            var writer = try RecordWriter(
                Self.store(disk), after: loaded, entries: loaded.entries, foldSize: 8 << 20)
            let first = Result { try writer.record([.set(item)]) { [item] } }
            guard disk.hasFailed, case .failure = first else {
                #expect(callsBeforeFailure > 4)
                break
            }
            #expect(throws: SystemError.self) { try writer.record([.set(item)]) { [item] } }
            #expect(throws: SystemError.self) { try writer.record([]) { [item] } }
            // What was promised before, nothing, is there, or more.
            let found = try Self.store(contents).load()
            #expect(found.entries.isEmpty || found.entries == [item])
            #expect(found.warnings.isEmpty)
        }
    }
}
