import TestSupport
import Testing

@testable import Platform

@Suite struct WatchEventBufferTests {
    /// What a receiver gets after `events` were sent and the buffer was finished.
    static func received(_ events: [WatchEvent], capacity: Int = 100) async -> [WatchEvent] {
        let buffer = WatchEventBuffer(capacity: capacity)
        for event in events { buffer.send(event) }
        buffer.finish()
        var received: [WatchEvent] = []
        while let event = await buffer.next() { received.append(event) }
        return received
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let sent: [WatchEvent]
        let received: [WatchEvent]

        init(_ sentence: String, _ sent: [WatchEvent], _ received: [WatchEvent]) {
            (testDescription, self.sent, self.received) = (sentence, sent, received)
        }
    }

    private static let many = (0..<11).map { WatchEvent.written(FilePath("\($0)")) }

    @Test(arguments: [
        Row("order is kept", [.written("a"), .removed("b"), .written("a")], [.written("a"), .removed("b")]),
        Row(
            "one file's writes are one", [.modified("a"), .modified("a"), .written("a")],
            [.modified("a"), .written("a")]),
        Row(
            "what happened in between counts", [.modified("a"), .removed("a"), .modified("a")],
            [.modified("a"), .removed("a"), .modified("a")]),
        Row("files are told apart", [.modified("a"), .modified("b")], [.modified("a"), .modified("b")]),
        Row("what has no path is kept", [.overflow, .overflow, .rootVanished], [.overflow, .overflow, .rootVanished]),
        Row("as many as there is room for", Array(many.prefix(10)), Array(many.prefix(10))),
        Row("one more is an overflow, and it is told after that", many, [.overflow, .written("10")]),
        Row("equal ones take no room", Array(many.prefix(10)) + many[..<10], Array(many.prefix(10))),
    ])
    func whatSaysNothingNewIsLeftOut(_ row: Row) async {
        #expect(await Self.received(row.sent, capacity: 10) == row.received)
    }

    @Test func anEventTakenMayComeAgain() async {
        let buffer = WatchEventBuffer()
        for _ in 0..<3 {
            buffer.send(.modified("a"))
            #expect(await buffer.next() == .modified("a"))
        }
    }

    @Test func aWaitingReceiverGetsTheEventAtOnce() async {
        let buffer = WatchEventBuffer()
        async let event = buffer.next()
        buffer.send(.written("a"))
        #expect(await event == .written("a"))
        async let end = buffer.next()
        buffer.finish()
        #expect(await end == nil)
    }

    @Test func cancellationEndsTheWait() async {
        let buffer = WatchEventBuffer()
        await withTaskGroup { group in
            group.addTask { #expect(await buffer.next() == nil) }
            group.cancelAll()
        }
    }
}
