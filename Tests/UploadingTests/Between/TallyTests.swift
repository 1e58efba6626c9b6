import Catalog
import Fixtures
import Queue
import Records
import Testing
import Uploading

@Suite struct TallyTests {
    private static func tally(_ change: (inout Tally) -> Void) -> Tally {
        var tally = Tally()
        change(&tally)
        return tally
    }

    @Test(arguments: [
        (
            FileEvent(Items.pending(), .stored(.new, .md5)),
            tally {
                $0.new = 1; $0.bytes = 1_000
            }
        ),
        (
            FileEvent(Items.pending(), .stored(.changed, .md5)),
            tally {
                $0.changed = 1; $0.bytes = 1_000
            }
        ),
        (
            FileEvent(Items.pending(), .stored(.again, .size)),
            tally {
                $0.again = 1; $0.bytes = 1_000
            }
        ),
        (FileEvent(Items.pending(), .stored(.moved, .md5)), tally { $0.moved = 1 }),
        (FileEvent(Items.pending(), .stored(.found, .md5)), tally { $0.found = 1 }),
        (FileEvent(Items.pending(role: .thumbnail(512)), .stored(.new, .md5)), tally { $0.thumbnails = 1 }),
        (FileEvent(Items.pending(role: .thumbnail(512)), .stored(.moved, .md5)), Tally()),
        (FileEvent(Items.pending(role: .thumbnail(512)), .stored(.found, .md5)), Tally()),
        (FileEvent(Items.pending(), .failed(Items.tooLarge)), tally { $0.failed = 1 }),
        (FileEvent(Items.pending(role: .thumbnail(512)), .failed(Items.tooLarge)), Tally()),
        (FileEvent(Items.pending(), .held(.tooLarge, Items.tooLarge)), Tally()),
        (FileEvent(Items.pending(), .withdrawn), Tally()),
    ])
    func anEventCountsOnce(_ event: FileEvent, _ counted: Tally) {
        var tally = Tally()
        tally.note(event)
        #expect(tally == counted)
        var twice = tally
        twice.note(event)
        #expect(twice - tally == counted)
    }

    @Test(arguments: [
        (Tally(), 0, "nothing to do"),
        (
            tally {
                $0.new = 212; $0.changed = 3; $0.bytes = 1_200_000_000; $0.failed = 2
            }, 41,
            "212 new, 3 changed, 1.2 GB in 41 s; 2 failed"
        ),
        (
            tally {
                $0.new = 1; $0.thumbnails = 1; $0.bytes = 5
            }, 0, "1 new, 1 thumbnail, 5 B in 1 s"
        ),
        (tally { $0.moved = 4 }, 2, "4 moved in 2 s"),
        (tally { $0.found = 9 }, 2, "9 found in storage in 2 s"),
        (
            tally {
                $0.new = 1; $0.rescued = 1; $0.bytes = 7_000
            }, 61, "1 new, 1 rescued, 7 kB in 1 min 1 s"
        ),
        (
            tally {
                $0.again = 2; $0.bytes = 10
            }, 3, "2 sent again, 10 B in 3 s"
        ),
        (tally { $0.failed = 1 }, 9, "1 failed"),
    ])
    func aRunIsOneSentence(_ tally: Tally, _ seconds: Int, _ words: String) {
        #expect(tally.words(in: .seconds(seconds)) == words)
    }

    @Test(arguments: [
        (
            tally {
                $0.new = 209; $0.changed = 3; $0.bytes = 1_200_000_000
            }, "Stored 212 files, 1.2 GB in 41 s"
        ),
        (
            tally {
                $0.new = 1; $0.thumbnails = 1; $0.bytes = 5; $0.failed = 2
            },
            "Stored 1 file, 1 thumbnail, 5 B in 41 s; 2 failed"
        ),
        (tally { $0.moved = 2 }, "Stored 2 moved in 41 s"),
        (tally { $0.found = 2 }, "2 found in storage in 41 s"),
        (tally { $0.failed = 1_000 }, "Stored nothing; 1,000 failed"),
    ])
    func aBatchIsOneLine(_ tally: Tally, _ line: String) {
        #expect(tally.line(in: .seconds(41)) == line)
    }
}
