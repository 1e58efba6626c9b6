import Glibc
import TestSupport
import Testing

@testable import Platform

/// What a flood of events may not carry away.
@Suite struct WatchOverflowTests {
    private static let full = SystemError(call: "inotify_add_watch", code: ENOSPC)
    private static let denied = SystemError(call: "openat2", code: EACCES)

    private static func files(_ count: Int, from start: Int = 0) -> [WatchEvent] {
        (start..<start + count).map { .written(FilePath("\($0)")) }
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let sent: [WatchEvent]
        /// Of four places.
        let received: [WatchEvent]

        init(_ words: String, _ sent: [WatchEvent], _ received: [WatchEvent]) {
            (testDescription, self.sent, self.received) = (words, sent, received)
        }
    }

    /// That no more can be watched is told once, so it must arrive; what cannot be read, the scan finds again.
    @Test(arguments: [
        Row(
            "there is room for all", [.unwatched("a", full)] + files(3), [.unwatched("a", full)] + files(3)),
        Row(
            "one more than there is room for", [.unwatched("a", full)] + files(4),
            [.overflow, .unwatched("a", full), .written("3")]),
        Row(
            "it came in the midst", files(2) + [.unwatched("a", full)] + files(4, from: 2),
            [.overflow, .unwatched("a", full), .written("5")]),
        Row(
            "again and again", [.unwatched("a", full)] + files(12),
            [.overflow, .unwatched("a", full), .written("11")]),
        Row("it is itself one too many", files(4) + [.unwatched("a", full)], [.overflow, .unwatched("a", full)]),
        Row(
            "a directory that cannot be read", [.unwatched("a", denied)] + files(4), [.overflow, .written("3")]),
        Row(
            "the root went away in it", files(4) + [.rootVanished], [.overflow, .rootVanished]),
    ])
    func whatIsToldOnceIsKept(_ row: Row) async {
        #expect(await WatchEventBufferTests.received(row.sent, capacity: 4) == row.received)
    }

    /// However many there are, the buffer has its size: the task that handles them may be held up for hours.
    @Test func theBufferDoesNotGrow() async {
        let events = (0..<100).map { WatchEvent.unwatched(FilePath("\($0)"), Self.full) } + Self.files(3)
        let received = await WatchEventBufferTests.received(events, capacity: 4)
        #expect(received.count <= 5 && received.last == .written("2"))
        #expect(received.contains { if case .unwatched = $0 { true } else { false } })
        #expect(received.contains(.overflow))
    }
}
