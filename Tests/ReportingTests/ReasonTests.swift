import Catalog
import Foundation
import Queue
import Records
import Reporting
import Rescue
import Testing

/// What a monitor is told, and the headline that says the same.
@Suite struct ReasonTests {
    private static let maxAge = Duration.seconds(3600)

    /// All is stored, and a sync looked a minute ago.
    private static func report(_ change: (inout Report) -> Void = { _ in }) -> Report {
        var report = Reports.done
        report.agent = .init()
        report.lastRun = LastRun(.sync, began: Reports.now - 90).ended(.done, at: Reports.now - 60)
        report.lastScan = Reports.now - 60
        change(&report)
        return report
    }

    private static func ended(_ kind: Ending.Kind, _ message: String = "", _ command: LastRun.Command = .sync) -> Report
    {
        report { $0.lastRun = LastRun(command, began: Reports.now - 90).ended(kind, message, at: Reports.now - 60) }
    }

    private static func watched(_ change: (inout Report) -> Void = { _ in }) -> Report {
        report {
            $0.agent.running = true
            $0.lastRun = LastRun(.watch, began: Reports.now - 90_000)
            change(&$0)
        }
    }

    private static func rescue(_ danger: RescueSummary.Danger, failed: Int = 0) throws -> RescueSummary {
        let file =
            #"{"job":"1","file":"a.mp4","size":null,"received":0,"expires":null,"assumed":false,"message":null,"#
            + "\"danger\":\"\(danger.rawValue)\"}"
        let text = #"{"running":0,"open":1,"safe":0,"stored":0,"failed":\#(failed),"rate":null,"files":[\#(file)]}"#
        return try JSONDecoder().decode(RescueSummary.self, from: Data(text.utf8))
    }

    private static func replaced(waiting: Int) -> Report.Root {
        var root = Report.Root(name: "A", path: "/m/a", total: 2, stored: 2 - waiting)
        (root.replaced, root.waiting) = (true, waiting)
        return root
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let report: Report
        let kind: Ending.Kind
        /// What the first reason's sentence begins with.
        let start: String

        init(_ testDescription: String, _ report: Report, _ kind: Ending.Kind, _ start: String) {
            (self.testDescription, self.report, self.kind, self.start) = (testDescription, report, kind, start)
        }
    }

    @Test(arguments: [
        report(), watched(), report { $0.lastScan = Reports.now - 3600 },
        // A watch sees changes between its scans.
        watched { $0.lastScan = Reports.now - 9999 },
        // What waits is on its way.
        watched {
            $0.assets = .init(stored: 5, waiting: 1); $0.oldestWaiting = Reports.now - 3600
        },
        // So ends a watch.
        ended(.interrupted, "", .watch), report { $0.unscanned = 0 },
        // Where nothing is to be done, a disk that takes nothing stops nothing.
        report { $0.stateTrouble = "Read-only file system" },
        // Clocks are corrected by a little.
        report { $0.lastScan = Reports.now + 60 },
        watched {
            $0.assets = .init(stored: 5, waiting: 1); $0.oldestWaiting = Reports.now + 60
        },
    ])
    func nothingIsWrong(_ report: Report) {
        #expect(report.reasons(maxAge: Self.maxAge).isEmpty)
    }

    @Test(arguments: [
        Row("no destination", report { $0.destination = nil }, .needsHuman, "No destination is chosen. Run"),
        Row(
            "never",
            report {
                $0.lastRun = nil; $0.lastScan = nil
            }, .temporary, "No sync is remembered. Run"),
        Row("a root never looked at", report { $0.lastScan = nil }, .temporary, "Not every folder was looked at yet."),
        Row("the first scan is under way", watched { $0.lastScan = nil }, .temporary, "The first look at the folders"),
        Row(
            "a folder that the agent does not know", watched { $0.unwatched = "/h/Videos" }, .needsHuman,
            "The running agent does not know /h/Videos, which the configuration names. Restart it"),
        Row(
            "a killed sync", report { $0.lastRun = LastRun(.sync, began: Reports.now - 90) }, .temporary,
            "The last sync, begun 1 min 30 s ago, was cut off."),
        Row("a sync stopped by a signal", ended(.interrupted), .temporary, "The last sync, 1 min ago, was stopped"),
        Row(
            "not signed in", ended(.notPermitted, "Not signed in."), .notPermitted,
            "The last sync, 1 min ago, was refused: Not signed in. When that is mended"),
        Row("a quota", ended(.full, "No room"), .full, "The last sync, 1 min ago, was refused: No room."),
        Row(
            "a watch that the disk ended", ended(.disk, "write: full", .watch), .disk,
            "The last watch, 1 min ago, failed: write: full. See"),
        Row(
            "a disk too full to write down how the run ended",
            report {
                $0.lastRun = LastRun(.sync, began: Reports.now - 90)
                ($0.stateTrouble, $0.unscanned) = ("No space left on device", 3)
            },
            .disk, "The state on disk cannot be written: No space left on device. See \"gallery-sync doctor\", then"),
        Row(
            "a person is asked first",
            report { ($0.stateTrouble, $0.storedElsewhere) = ("Read-only file system", "elsewhere") }, .needsHuman,
            "That is in elsewhere,"),
        Row(
            "nothing answered", ended(.temporary, "3 of 12 files wait"), .temporary,
            "The last sync, 1 min ago, did not finish: 3 of 12 files wait. Run"),
        Row(
            "a pause", ended(.temporary, "The queue is paused: run \"gallery-sync queue resume\""), .temporary,
            "The last sync, 1 min ago, did not finish: The queue is paused: run \"gallery-sync queue resume\". When"),
        Row(
            "a second too old", report { $0.lastScan = Reports.now - 3601 }, .temporary,
            "The folders were last looked at 1 h ago"),
        // Ages by a clock that was years ahead would be young for years.
        Row(
            "looked at in time to come", report { $0.lastScan = Reports.now + 61 }, .temporary,
            "The folders were last looked at by a clock that was set back since. Run"),
        Row(
            "found in time to come",
            watched {
                $0.assets = .init(waiting: 1); $0.oldestWaiting = Reports.now + 61
            },
            .temporary, "The file that waits longest was found by a clock that was set back since. See"),
        Row("a new file", report { $0.unscanned = 1 }, .temporary, "1 file on disk is new or changed since"),
        Row(
            "a pause, though nothing waits", report { $0.queue.paused = true }, .temporary,
            "The queue is paused. Run \"gallery-sync queue resume\"."),
        Row(
            "a root is away", watched { $0.roots = [.init(name: "A", path: "/m/a", paused: "/m/a is not mounted")] },
            .temporary, "/m/a is not mounted. Mount"),
        Row(
            "a run that found it away says less",
            report {
                $0.lastRun = LastRun(.sync, began: Reports.now - 90)
                    .ended(.temporary, "It was away", awaitsDisk: true, at: Reports.now - 60)
                $0.roots = [.init(name: "A", path: "/m/a", paused: "/m/a is not mounted")]
            },
            .temporary, "/m/a is not mounted. Mount"),
        Row(
            "a run that ended for another cause is told first",
            report {
                $0.lastRun = LastRun(.sync, began: Reports.now - 90)
                    .ended(.temporary, "/m/a is not mounted. More", at: Reports.now - 60)
                $0.roots = [.init(name: "A", path: "/m/a", paused: "/m/a is not mounted")]
            },
            .temporary, "The last sync, 1 min ago, did not finish: /m/a is not mounted. More"),
        Row(
            "a file waits for a disk that another one has replaced", watched { $0.roots = [replaced(waiting: 1)] },
            .temporary, "1 file of A waits for its disk, since another one is at its place. Mount that disk, or,"),
        Row(
            "also where no agent runs",
            report {
                $0.assets = .init(waiting: 2); $0.roots = [replaced(waiting: 2)]
            },
            .temporary, "2 files of A wait for its disk, since another one is at its place. Mount that disk, or,"),
        Row(
            "a run that ended for it says less",
            report {
                $0.lastRun = LastRun(.sync, began: Reports.now - 90)
                    .ended(.temporary, "It waits", awaitsDisk: true, at: Reports.now - 60)
                ($0.assets, $0.roots) = (.init(stored: 1, waiting: 1), [replaced(waiting: 1)])
            },
            .temporary, "1 file of A waits for its disk, since another one is at its place. Mount that disk, or,"),
        Row(
            "a second too long",
            watched {
                $0.assets = .init(waiting: 1); $0.oldestWaiting = Reports.now - 3601
            },
            .temporary, "The file that waits longest was found 1 h"),
        Row(
            "young, but nothing sends it", report { $0.assets = .init(waiting: 1) }, .temporary,
            "1 file waits, and no agent runs."),
        Row(
            "young, but a sign-in is needed", watched { $0.blocked = [.init(reason: "signIn", files: 2)] },
            .notPermitted, "2 files wait for a sign-in"),
        Row(
            "a bucket that is gone", watched { $0.blocked = [.init(reason: "bucket", files: 1)] }, .needsHuman,
            "1 file waits for the bucket. Make the bucket"),
        Row("no room", watched { $0.blocked = [.init(reason: "budget", files: 1)] }, .full, "1 file waits for room"),
        Row("too large", watched { $0.blocked = [.init(reason: "tooLarge", files: 1)] }, .someFailed, "1 file waits"),
        Row(
            "failed", watched { $0.assets = .init(stored: 5, failed: 1, unreadable: 1) }, .someFailed,
            "2 files failed or could not be read."),
        Row(
            "a folder that cannot be listed",
            watched { $0.failures = [.init(path: "A/b", code: "directory.unreadable", message: "denied")] },
            .someFailed, "1 folder could not be listed. Let this user"),
        Row(
            "the step for a file, though more folders failed",
            watched {
                $0.assets = .init(stored: 5, unreadable: 1)
                $0.failures = [
                    .init(path: "A/b", code: "directory.unreadable", message: "denied", count: 2),
                    .init(path: "A/c.jpg", code: "file.EIO", message: "an I/O error"),
                ]
            },
            .someFailed, "1 file failed or could not be read. The disk"),
        Row(
            "the brake",
            watched {
                $0.assets = .init(waiting: 3); $0.brake = .init(count: 3, reason: "r", files: [])
            },
            .someFailed, "3 changed files are held by the brake. Look"),
        Row(
            "late before failed",
            watched {
                $0.assets = .init(waiting: 1, failed: 1); $0.oldestWaiting = .distantPast
            },
            .temporary, "The file that waits longest"),
        Row("thumbnails", watched { $0.picturesOwed = 2 }, .someFailed, "2 stored files lack a thumbnail."),
        Row(
            "thumbnails that are refused", watched { $0.queue.pictures.count(.failed, 1) }, .someFailed,
            "1 thumbnail could not be stored. \"gallery-sync doctor\" looks for the cause;"),
        Row(
            "an object that is gone", verified([.missing: 1]), .someFailed,
            "1 stored object is missing, as was seen 1 min ago. Run \"gallery-sync verify --repair\"."),
        Row(
            "objects of several kinds", verified([.missing: 2, .different: 1, .unreadable: 3]), .someFailed,
            "2 stored objects are missing, 1 different, 3 unreadable, as was seen 1 min ago. Run"),
        Row(
            "what a download shows only", verified([.different: 1], isDeep: true), .someFailed,
            "1 stored object is different, as was seen 1 min ago. Run \"gallery-sync verify --deep 100 --repair\"."
        ),
        Row(
            "a file that rots on this disk", verified([.damaged: 1], isDeep: true), .someFailed,
            "The bytes of 1 file changed on this disk, though its time did not. Check this disk; "),
        Row(
            "several of them", verified([.damaged: 2], isDeep: true), .someFailed,
            "The bytes of 2 files changed on this disk, though their times did not."),
    ])
    func isSaid(_ row: Row) throws {
        let reason = try #require(row.report.reasons(maxAge: Self.maxAge).first)
        #expect(reason.kind == row.kind)
        #expect(reason.sentence.hasPrefix(row.start), "\(reason.sentence)")
        #expect(reason.sentence.hasSuffix("."))
    }

    /// A file that waits for its disk is sent by no agent, however long it runs.
    @Test(arguments: [(2, [] as [String]), (3, ["1 file waits, and no agent runs"])])
    func onlyWhatCouldBeSentWaitsForAnAgent(waiting: Int, expected: [String]) {
        let report = Self.report {
            $0.assets = .init(waiting: waiting)
            $0.roots = [Self.replaced(waiting: 2)]
        }
        let clauses = report.reasons(maxAge: Self.maxAge).map(\.clause)
        #expect(Array(clauses.dropFirst()) == expected, "\(clauses)")
    }

    @Test(arguments: [
        (RescueSummary.Danger.lost, 14, false, "14 rescued files were lost."),
        (.lost, 0, true, "1 rescued file was lost."), (.none, 2, true, "2 rescued files were lost."),
        (.late, 0, true, "1 rescued file will be lost: its link expires"),
        (.soon, 0, false, "1 rescued file will be lost: its link expires"), (.soon, 0, true, ""), (.none, 0, false, ""),
    ])
    func rescuedFiles(_ danger: RescueSummary.Danger, failed: Int, isWatched: Bool, start: String) throws {
        var report = isWatched ? Self.watched() : Self.report()
        report.rescue = try Self.rescue(danger, failed: failed)
        let first = report.reasons(maxAge: Self.maxAge).first
        #expect(start.isEmpty ? first == nil : first?.sentence.hasPrefix(start) == true)
    }

    /// Its links die meanwhile, so a monitor is not content.
    @Test func aProviderThatRefusesItsKeyNeedsAPerson() throws {
        var report = Self.watched()
        report.rescue = try Self.rescue(.none, failed: 0)
        report.rescue?.blocked = ["fal refuses the key (HTTP 401): renew it"]
        let reason = try #require(report.reasons(maxAge: Self.maxAge).first)
        #expect(reason.kind == .notPermitted)
        #expect(reason.sentence == "Fal refuses the key (HTTP 401): renew it. Until then nothing of it is fetched.")
    }

    /// A report after a verification that found that much, a minute ago.
    private static func verified(_ found: [Discrepancy.Kind: Int], isDeep: Bool = false) -> Report {
        report {
            var counts = DiscrepancyCounts()
            (counts.byKind, counts.isDeep, counts.foundAt) = (found, isDeep, Reports.now - 60)
            $0.discrepancies = Report.Discrepancies(counts)
        }
    }

    @Test func whatWasVerifiedAndIsInOrderIsNotSaid() {
        #expect(Report.Discrepancies(DiscrepancyCounts()) == nil)
    }

    @Test func theHeadlineSaysBoth() throws {
        var report = Self.report()
        #expect(report.headline == "All 1,200 files are stored.")
        report.rescue = try Self.rescue(.lost, failed: 14)
        #expect(report.headline == "All 1,200 files are stored, but 14 rescued files were lost.")
        report.lastRun = report.lastRun?.ended(.notPermitted, "Not signed in.", at: Reports.now)
        #expect(
            report.headline == "All 1,200 files are stored, but the last sync, just now, was refused: Not signed in.")
    }

    @Test func aRedactedReportKeepsTheLastRunsWordsToItself() {
        let report = Self.ended(.needsHuman, "/home/ada is away").redacted
        #expect(report.reasons().first?.clause == "the last sync, 1 min ago, was refused")
    }
}
