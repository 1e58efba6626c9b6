import Fixtures
import Platform
import Records
import Sync
import Testing
import Uploading

@testable import Catalog
@testable import Narration
@testable import Queue

@Suite struct StandstillTests {
    private static func still(_ change: (inout Standstill) -> Void) -> Standstill {
        var still = Standstill()
        still.words = "words"
        still.waiting = "3 of 12 files wait"
        still.destination = "https://h"
        still.patience = 60
        change(&still)
        return still
    }

    private static func hold(_ files: Int, _ message: String) -> Standstill.Hold {
        Standstill.Hold(files: files, message: message)
    }

    /// Without the items themselves.
    private static func words(_ holds: [Item.Blocked: Standstill.Hold]) -> [Item.Blocked: Standstill.Hold] {
        holds.mapValues { hold($0.files, $0.message) }
    }

    @Test(
        arguments: [
            ("no user is signed in", still { $0.obstacle = .signIn }, .notPermitted("words")),
            ("402", still { $0.obstacle = .quota }, .full("words")),
            ("a stranger's certificate", still { $0.obstacle = .untrusted }, .needsHuman("words")),
            ("540", still { $0.obstacle = .projectPaused }, .needsHuman("words")),
            (
                "a policy, though others wait",
                still {
                    $0.holds[.signIn] = hold(1, "denied"); $0.isUnfinished = true
                },
                .notPermitted("denied")
            ),
            (
                "silence", still { $0.obstacle = .offline },
                .temporary("words. 3 of 12 files wait")
            ),
            (
                "load", still { $0.obstacle = .overloaded },
                .temporary("3 of 12 files wait, and the next try is more than 60 s away (words)")
            ),
            (
                "room, but others back off",
                still {
                    $0.isUnfinished = true; $0.holds[.budget] = hold(1, "b")
                },
                .temporary("3 of 12 files wait, and the next try is more than 60 s away (words)")
            ),
            (
                "a disk alone", still { $0.holds = [.away: hold(1, "a"), .budget: hold(1, "b")] },
                .absent("3 of 12 files wait, and the next try is more than 60 s away (words)")
            ),
            (
                "a disk, and others back off",
                still {
                    $0.holds = [.away: hold(1, "a")]; $0.isUnfinished = true
                },
                .temporary("3 of 12 files wait, and the next try is more than 60 s away (words)")
            ),
            (
                "room alone", still { $0.holds = [.budget: hold(2, "No room"), .tooLarge: hold(1, "x")] },
                .full("No room. Raise destination.storageBudget to what the plan allows; 3 of 12 files wait")
            ),
            ("too large alone", still { $0.holds[.tooLarge] = hold(2, "x") }, .someTooLarge(2, "x")),
            (
                "too large, and others failed",
                still {
                    $0.holds[.tooLarge] = hold(2, "x"); $0.troubled = 3
                }, .someFailed(5)
            ),
            (
                "paused",
                still {
                    $0.isPaused = true; $0.isUnfinished = true
                },
                .temporary("The queue is paused: run \"gallery-sync queue resume\"")
            ),
        ] as [(String, Standstill, Ending)])
    func howAPassEnds(why: String, still: Standstill, ending: Ending) {
        #expect(still.ending == ending, "\(why)")
    }

    @Test(arguments: [
        (3, 12, 0, "3 of 12 files wait"), (1, 39, 7, "1 of 39 files waits"),
        (0, 39, 2, "39 files stored, and 2 thumbnails wait"), (0, 1, 1, "1 file stored, and 1 thumbnail waits"),
        (0, 39, 0, "39 files stored, and the proof of what was sent waits"),
    ])
    func whatWaitsIsNamed(files: Int, total: Int, pictures: Int, words: String) {
        #expect(Standstill.waiting(files: files, of: total, pictures: pictures) == words)
    }

    @Test func onlyPendingItemsHoldAndThumbnailsAreNoFiles() {
        func item(_ path: FilePath, _ blocked: Item.Blocked?, _ role: Item.Role = .original) -> Item {
            Items.with(Items.pending(path, role: role)) { item in
                item.blocked = blocked
                item.lastError = Item.Failure(code: "limit.storage", message: path.display, retryable: false)
            }
        }
        let holds = Standstill.holds([
            item("a", nil), item("b", .tooLarge), item("c", .tooLarge, .thumbnail(512)), item("d", .budget),
        ])
        #expect(Self.words(holds) == [.tooLarge: Self.hold(1, "b"), .budget: Self.hold(1, "d")])
    }

    @Test func whatWaitsInTheLibraryCountsAndTheSmallestOfAllSaysWhy() {
        func item(_ path: FilePath, _ size: Int64) -> Item {
            Items.with(Items.pending(path, size: size)) { item in
                item.blocked = .budget
                item.lastError = Item.Failure(code: "limit.budget", message: path.display, retryable: false)
            }
        }
        func sum(_ reason: Item.Blocked?, _ smallest: Item) -> BlockedSum {
            BlockedSum(reason: reason, code: "limit.budget", count: 30, files: 10, smallest: smallest)
        }
        let (small, large) = (item("small", 1), item("large", 9))
        for holds in [
            Standstill.holds([large], [sum(.budget, small)]), Standstill.holds([small], [sum(.budget, large)]),
        ] {
            #expect(Self.words(holds) == [.budget: Self.hold(11, "small")])
            #expect(holds[.budget]?.smallest == small)
        }
        #expect(Standstill.holds([], [sum(nil, small)]).isEmpty, "what goes back into the queue is not held")
    }
}
