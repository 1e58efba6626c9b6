import FoundationEssentials
import Platform
import Sync
import Testing

@Suite struct SettlingTests {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    /// What happens to one file, in seconds from the start.
    enum Step: Sendable {
        case written(Double)
        case open(Double)
        case removed(Double)
    }

    @Test(
        arguments: [
            ("closed: after the settling time", [.written(0)], 1.9, false), ("and not before", [.written(0)], 2, true),
            ("written again: from then on", [.written(0), .written(1)], 2.5, false),
            ("still open: a writer may be slow", [.open(0)], 59.9, false), ("but not for ever", [.open(0)], 60, true),
            ("each write of an open file counts", [.open(0), .open(30)], 89.9, false),
            ("closed in the end", [.open(0), .open(3), .written(4)], 6, true),
            ("opened anew before it settled", [.written(0), .open(1)], 30, false),
            ("removed, and perhaps about to be written", [.removed(0)], 1.9, false),
            ("removed for good", [.removed(0)], 2, true),
            ("removed while it was open", [.open(0), .removed(1)], 3, true),
            ("removed and written anew", [.removed(0), .open(1)], 30, false),
            ("the clock was corrected by a little", [.written(0)], -59, false),
            ("the clock was set back by years", [.written(0)], -100_000_000, true),
        ] as [(String, [Step], Double, Bool)])
    func whenAFileIsReady(_ row: (why: String, steps: [Step], at: Double, isReady: Bool)) {
        var settling = Settling(settle: .seconds(2))
        for step in row.steps {
            switch step {
            case .written(let time): settling.touch("a.jpg", at: Self.start + time)
            case .removed(let time): settling.touch(removed: "a.jpg", at: Self.start + time)
            case .open(let time): settling.touch("a.jpg", isOpen: true, at: Self.start + time)
            }
        }
        #expect(settling.settled(by: Self.start + row.at).isEmpty != row.isReady, "\(row.why)")
    }

    /// A removal shows after two seconds, however long files are left alone, or as soon as those are.
    @Test(arguments: [(0.0, 0.0), (1, 1), (2, 2), (3_600, 2)])
    func aRemovalIsToldSoon(settle: Double, ready: Double) {
        var settling = Settling(settle: .seconds(settle))
        settling.touch(removed: "a.jpg", at: Self.start)
        #expect(settling.next == Self.start + ready)
    }

    /// What was written anew is told as removed once more only after another removal.
    @Test func aRemovalIsToldOnceWithItsFile() {
        var settling = Settling(settle: .seconds(2))
        settling.touch(removed: "b.jpg", at: Self.start)
        settling.touch("b.jpg", at: Self.start)
        settling.touch("a.jpg", at: Self.start)
        #expect(settling.settled(by: Self.start + 2).map(\.path) == ["a.jpg", "b.jpg"])
        for wasRemoved in [true, false] {
            if wasRemoved { settling.touch(removed: "b.jpg", at: Self.start + 2) }
            settling.touch("b.jpg", at: Self.start + 2)
            #expect(settling.settled(by: Self.start + 4).map(\.wasRemoved) == [wasRemoved])
        }
    }
}
