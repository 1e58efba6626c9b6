import FoundationEssentials
import Platform
import Queue
import TestSupport
import Testing

@testable import Benchmarks

/// The rows on small input: with the programs that were built, and with some that fail.
@Suite struct RowTests {
    private static func whats(_ rows: [Measurement]) -> [String] { rows.map(\.what) }

    /// The parts of a row that was measured.
    private static func sides(_ row: Measurement) -> (ours: Figure, peer: Measurement.Counterpart?)? {
        if case .measured(let ours, let peer, _) = row.outcome { (ours, peer) } else { nil }
    }

    @Test func uploadsAreMeasuredBesideCurl() async throws {
        try await Bench.with("--uploads 10 --rounds 1") { bench in
            let rows = await UploadRow.benchmark.measurements(on: bench.bench)
            #expect(Self.whats(rows) == ["10.0 uploads of 64 KiB", "the same: requests"])
            let speed = try #require(Self.sides(rows[0]))
            #expect(speed.ours.value > 0 && speed.peer?.name == "curl")
            // Ten files are sent, and some are asked for.
            let requests = try #require(Self.sides(rows[1]))
            #expect(requests.ours.unit == .requestsPerObject && requests.ours.value >= 1)
        }
    }

    @Test func aPeerThatFailsFailsItsRow() async throws {
        try await Bench.with(others: ["curl": "#!/bin/sh\nexit 22\n"], "--uploads 10 --rounds 1") { bench in
            let rows = await UploadRow.benchmark.measurements(on: bench.bench)
            #expect(rows.map(\.verdict) == [.failed] && BenchmarkExit(rows) == .failure)
            guard case .failed(let words) = rows[0].outcome else { return }
            #expect(words.hasSuffix("path/curl ended with exited(22)"), "\(words)")
        }
    }

    @Test func withoutThePeerOursIsShownAlone() async throws {
        try await Bench.with(hidden: ["curl"], "--uploads 10 --rounds 1") { bench in
            let rows = await UploadRow.benchmark.measurements(on: bench.bench)
            #expect(rows.map(\.verdict).first == .unmeasured)
            guard case .alone(let ours, let missing) = rows[0].outcome else { return }
            #expect(ours.value > 0 && missing == "curl not installed: apt install curl")
        }
    }

    /// The gallery is stored once, by a sync that may end before anything is looked at.
    @Test func aStoredGalleryServesItsRows() async throws {
        try await Bench.with("--assets 200 --uploads 10 --rounds 1") { bench in
            let gallery = try await bench.bench.storedGallery()
            let first = gallery.firstSync
            #expect(first.newestSeconds.isFinite && first.newestSeconds <= first.seconds + 1)
            #expect(first.queueBytes > 0 && first.peakBytes > 0)
            #expect(
                Self.whats(await FirstSyncRow.benchmark.measurements(on: bench.bench)) == [
                    "200 files: newest 100 stored after", "first sync of 200 files: queue.json",
                    "first sync of 200 files: agent's peak",
                ])
            // What another row stores between them is stored elsewhere.
            _ = await UploadRow.benchmark.measurements(on: bench.bench)
            let rescan = await RescanRow.benchmark.measurements(on: bench.bench)
            #expect(rescan.first.flatMap(Self.sides)?.peer?.name == "find")
            let status = await StatusRow.benchmark.measurements(on: bench.bench)
            #expect(status.first.flatMap(Self.sides)?.ours.unit == .seconds)
            let again = try await bench.bench.storedGallery()
            #expect(again.state == gallery.state)
        }
    }

    @Test func aFirstSyncThatFailsEndsItsServer() async throws {
        let script = Script.server().replacing("#!/bin/sh\n", with: "#!/bin/sh\n[ \"$1\" = serve ] || exit 5\n")
        try await Bench.with(ours: ["gallery-sync": script], "--assets 200") { bench in
            let rows = await FirstSyncRow.benchmark.measurements(on: bench.bench)
            #expect(rows.map(\.verdict) == [.failed])
            let pid = try OpenFile(reading: bench.bench.folder.appending("galleryState/pid")).readAll()
            let process = Int32(String(decoding: pid, as: UTF8.self).filter(\.isNumber)) ?? 0
            #expect(process > 1 && ProcessGauge(process).peakBytes == nil)
        }
    }

    @Test(arguments: [
        ("thumbnails", "gallery-sync-media is not built"), ("status", "gallery-sync is not built"),
    ])
    func withoutOurProgramsNothingIsMeasured(row: String, words: String) async throws {
        try await Bench.with(ours: ["another": "#!/bin/sh\n"], "--assets 200 --media 2") { bench in
            let benchmark = try #require(Benchmark.all.first { $0.name == row })
            let rows = await benchmark.measurements(on: bench.bench)
            #expect(rows.map(\.outcome) == [.unmeasured(words)] && rows.map(\.row) == [row])
            #expect(BenchmarkExit(rows) == .success)
        }
    }

    @Test func thumbnailsHaveARowForEachPeer() async throws {
        let worker = "#!/bin/sh\nfor n in 1 2; do : > \"$2/p$n.$4\"; done\n"
        let peers = ["vipsthumbnail": Script.vipsthumbnail, "ffmpegthumbnailer": Script.ffmpegthumbnailer]
        try await Bench.with(
            ours: ["gallery-sync": Script.agent, "gallery-sync-media": worker], others: peers, "--media 2 --rounds 1"
        ) { bench in
            let rows = await ThumbnailRow.benchmark.measurements(on: bench.bench)
            #expect(
                rows.compactMap { Self.sides($0)?.peer?.name } == [
                    "vipsthumbnail", "ffmpegthumbnailer", "vipsthumbnail", "vipsthumbnail",
                ])
        }
    }

    @Test func aBenchmarkThatFailsSaysWhy() async throws {
        struct Odd: Error, CustomStringConvertible { let description = "it is odd" }
        try await Bench.with { bench in
            let rows = await Benchmark("odd", "odd things") { _ in throw Odd() }.measurements(on: bench.bench)
            #expect(rows == [Measurement(what: "odd things", outcome: .failed("it is odd")).named("odd")])
            let whole = await Benchmark("two", "") { _ in
                [
                    Measurement("a", Figure(1, .files), goal: .atLeast(1)),
                    Measurement("b", Figure(1, .files), goal: .atLeast(2)),
                ]
            }.measurements(on: bench.bench)
            #expect(whole.map(\.row) == ["two", "two"] && whole.map(\.verdict) == [.reached, .missed])
        }
    }
}

/// Changes of the queue are counted as they are made.
@Suite struct QueueRowTests {
    private static func with(_ body: (UploadQueue) async throws -> Void) async throws {
        try await FileTree().withDirectory { state in
            let queue = try UploadQueue(store: try QueueStore(state: state), now: Date())
            try await body(queue)
            try await queue.close()
        }
    }

    @Test func anItemPassesInFourChanges() async throws {
        try await Self.with { queue in
            let changes = try await QueueRow.pass(QueueRow.item(1), through: queue)
            #expect(changes == 4)
            let counts = await queue.count()
            #expect(counts.completed == 1)
        }
    }

    /// Another task has the only item: neither was it added once more nor is there one to claim.
    @Test func whatIsNotClaimedDoesNotCount() async throws {
        try await Self.with { queue in
            _ = try await queue.add(QueueRow.item(1), origin: .backlog, now: Date())
            let claimed = try await queue.claim(now: Date())
            #expect(claimed != nil)
            let changes = try await QueueRow.pass(QueueRow.item(1), through: queue)
            #expect(changes == 0)
        }
    }

    /// Another task's item that waits is claimed in place of one that was known already.
    @Test func whatAnotherAddedCountsWhereItIsClaimed() async throws {
        try await Self.with { queue in
            _ = try await queue.add(QueueRow.item(1), origin: .backlog, now: Date())
            let changes = try await QueueRow.pass(QueueRow.item(1), through: queue)
            #expect(changes == 3)
        }
    }

    @Test func theRateIsMeasuredInEachRound() async throws {
        try await Bench.with("--transitions 1000 --rounds 2") { bench in
            let rows = await QueueRow.benchmark.measurements(on: bench.bench)
            guard case .measured(let ours, nil, .atLeast(50_000)) = rows.first?.outcome else {
                Issue.record("\(rows)")
                return
            }
            #expect(ours.value > 0 && ours.unit == .changesPerSecond)
            let kept = try Directory(bench.bench.folder.appending("queue")).names().map(\.display).sorted()
            #expect(kept == ["0", "1"])
        }
    }
}
