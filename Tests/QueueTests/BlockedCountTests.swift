import Fixtures
import Platform
import Queue
import Testing

@Suite struct BlockedCountTests {
    private static func item(_ path: FilePath, _ size: Int64, _ message: String?, _ role: Item.Role = .original) -> Item
    {
        Items.with(Items.pending(path, size: size, role: role)) {
            $0.blocked = .tooLarge
            $0.lastError = message.map { Item.Failure(code: "limit.storage", message: $0, retryable: false) }
        }
    }

    @Test func filesAndPicturesAreCountedApart() {
        var count = BlockedCount()
        count.add(Self.item("a.jpg", 9, nil))
        count.add(Self.item("a.jpg", 3, nil, .thumbnail(512)))
        count.add(Self.item("b.jpg", 7, nil))
        #expect((count.files, count.pictures) == (2, 1))
    }

    @Test func theSmallestItemWithAMessageTellsTheCause() {
        var count = BlockedCount()
        count.add(Self.item("silent.jpg", 1, nil))
        count.add(Self.item("large.mov", 900, "of 900"))
        count.add(Self.item("small.mov", 500, "of 500"))
        #expect(count.message == "of 500")
        #expect(count.path.hasSuffix("/small.mov"))
    }

    @Test func theSumOfTwoCountsIsToldByTheSmallerOne() {
        var (here, there) = (BlockedCount(), BlockedCount())
        here.add(Self.item("large.mov", 900, "of 900"))
        there.add(Self.item("small.mov", 500, "of 500"))
        for sum in [here.adding(there), there.adding(here)] {
            #expect(sum.files == 2)
            #expect(sum.message == "of 500")
        }
    }
}
