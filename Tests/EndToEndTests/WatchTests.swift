import Platform
import Reporting
import TestSupport
import Testing

/// `watch` through every kind of change to a folder.
@Suite struct WatchTests {
    @Test func aFileWrittenSlowlyIsSentOnceAndWhole() async throws {
        try await ProgramFixture.local(["there.jpg": "x"]) { fixture in
            try await fixture.watching(storing: 1) { _ in
                do {
                    let file = try OpenFile(creating: fixture.gallery.appending("slow.jpg"))
                    for piece in 0..<5 { try file.append([UInt8](repeating: UInt8(piece), count: 10_000)) }
                    try OpenFile(creating: fixture.gallery.appending("other.jpg")).append([1])
                    // The file is being written for as long as the other file takes to be stored.
                    try await eventually("the other file is stored") { try await fixture.status().assets.stored == 2 }
                    for piece in 5..<10 { try file.append([UInt8](repeating: UInt8(piece), count: 10_000)) }
                }
                try await eventually("the slow file is stored") { try await fixture.status().assets.stored == 3 }
                let writes = try Requests(of: fixture.storage).writes(below: "Pictures/slow")
                #expect(writes.map(\.bytesIn) == [100_000])
            }
        }
    }

    @Test func aBurstAndADirectoryRenamedInAreStored() async throws {
        try await ProgramFixture.local(["there.jpg": "x"]) { fixture in
            let count = 200 * Built.scale
            try await fixture.watching(storing: 1) { _ in
                try Directory.create(at: fixture.gallery.appending("burst"))
                for number in 0..<count {
                    try OpenFile(creating: fixture.gallery.appending("burst/\(number).jpg"))
                        .append(Array("burst \(number)".utf8))
                }
                let outside: FileTree = ["inside": ["a.jpg": "a", "deep": ["b.jpg": "b"]]]
                try outside.write(to: fixture.folder)
                try Directory(fixture.folder).rename("inside", to: "Pictures/inside")
                try await eventually("all are stored") { try await fixture.status().assets.stored == count + 3 }
            }
        }
    }

    /// As "nohup" starts it.
    @Test func aHangupThatIsIgnoredEndsNothing() async throws {
        try await ProgramFixture.local(["there.jpg": "x"]) { fixture in
            let words = [
                "-c", "trap '' HUP; exec \"$0\" \"$@\"", Built.agent.display, "watch", fixture.gallery.display,
            ]
            let watch = try GallerySyncProcess(
                "/bin/sh", words + fixture.common, environment: fixture.environment, writingTo: fixture.folder)
            try await eventually("the first file is stored") { try await fixture.status().assets.stored == 1 }
            watch.signal(.hangup)
            try OpenFile(creating: fixture.gallery.appending("later.jpg")).append(Array("later".utf8))
            try await eventually("the next file is stored") { try await fixture.status().assets.stored == 2 }
            watch.signal(.terminate)
            #expect(try await watch.end().code == 143)
        }
    }

    @Test func syncBesideAWatchWaitsForEverythingSavedBefore() async throws {
        try await ProgramFixture.local(["there.jpg": "x"]) { fixture in
            try await fixture.watching(storing: 1) { _ in
                try OpenFile(creating: fixture.gallery.appending("now.jpg")).append(Array("now".utf8))
                let end = try await fixture.run("sync", fixture.gallery.display)
                #expect(end.code == 0)
                // By its own events the watch may leave the file alone for a moment longer, and says so.
                let moment = "; 1 file may still be written to"
                #expect(end.results.replacing(moment, with: "").contains("All 2 files are stored."))
                #expect(try Requests(of: fixture.storage).writes(below: "Pictures/now.jpg").count == 1)
            }
        }
    }

    @Test func aRootRenamedAwayPausesAndChangesNothingRemote() async throws {
        try await ProgramFixture.local(["a.jpg": "x", "b.jpg": "y"]) { fixture in
            try await fixture.watching(storing: 2) { _ in
                try Directory(fixture.folder).rename("Pictures", to: "Elsewhere")
                try await eventually("it pauses") { try await fixture.status().agent.paused }
                let report = try await fixture.status()
                #expect(report.agent.reason?.contains("Pictures") == true)
                #expect(report.assets == Report.Assets(stored: 2))
                #expect(report.besides.remoteOnly == 0)
                #expect(try Requests(of: fixture.storage).lines.allSatisfy { $0.method != "DELETE" })
                try Directory(fixture.folder).rename("Elsewhere", to: "Pictures")
                try await eventually("it goes on") { try await !fixture.status().agent.paused }
            }
        }
    }

    /// A suspended watch does not read its events; the kernel drops those that exceed its queue.
    @Test func lostEventsAreSaidAndEverythingIsFoundAllTheSame() async throws {
        try await ProgramFixture.local(["there.jpg": "x"]) { fixture in
            try await fixture.watching(storing: 1) { watch in
                watch.signal(Signal(rawValue: 19))  // SIGSTOP
                try flood(fixture.gallery)
                watch.signal(Signal(rawValue: 18))  // SIGCONT
                try await eventually("the late file is stored") { try await fixture.status().assets.stored == 2 }
                #expect(try watch.notes.contains("Too many changes at once in Pictures: scanning it again"))
            }
        }
    }

    /// Twice the events that the kernel keeps, since suspending takes time; then a file without an event.
    private func flood(_ gallery: FilePath) throws {
        let limit = try OpenFile(reading: "/proc/sys/fs/inotify/max_queued_events").readAll()
        let events = Int(String(decoding: limit.filter { $0 > 0x20 }, as: UTF8.self)) ?? 16_384
        let directory = try Directory(gallery)
        for _ in 0...(events / 2) {
            try directory.rename("there.jpg", to: "gone.jpg")
            try directory.rename("gone.jpg", to: "there.jpg")
        }
        try OpenFile(creating: gallery.appending("late.jpg")).append(Array("late".utf8))
    }

    /// As when other programs of the user have as many watches as the kernel grants, and then end.
    @Test(.enabled(if: Namespaces.areAllowed, "unshare -Ur is not permitted here"))
    func whereNothingCanBeWatchedItSaysSoAndTriesAgain() async throws {
        try await ProgramFixture.local(["1.jpg": "1"]) { fixture in
            let freed = fixture.gallery.parent.appending("freed")
            let watch = try fixture.unshared(
                """
                echo 0 > /proc/sys/user/max_inotify_instances
                (until test -e '\(freed.display)'; do sleep 0.1; done; echo 9 > /proc/sys/user/max_inotify_instances) &
                exec "$AGENT" watch '\(fixture.gallery.display)' $COMMON --set scan.interval=1s
                """)
            let words = "no directory can be watched (raise fs.inotify.max_user_instances)"
            try await eventually("it says so") { try watch.notes.contains(words) }
            try await eventually("it is stored") { try await fixture.status().assets.stored == 1 }
            try OpenFile(creating: fixture.gallery.appending("2.jpg")).append(Array("2".utf8))
            try await eventually("a scan finds what no event told") { try await fixture.status().assets.stored == 2 }
            #expect(try await fixture.status().notes.contains { $0.contains(words) })
            _ = try OpenFile(creating: freed)
            try await eventually("it is watched") { try watch.notes.contains("is watched now") }
            #expect(try await fixture.status().notes.allSatisfy { !$0.contains(words) })
            watch.signal(.terminate)
            #expect(try await watch.end().exit == .exited(143))
        }
    }

    @Test(.enabled(if: Namespaces.areAllowed, "unshare -Ur is not permitted here"))
    func withTheWatchLimitUsedUpItSaysSoScansAndTriesAgain() async throws {
        let tree: FileTree = ["a": ["1.jpg": "1"], "b": ["2.jpg": "2"], "c": ["3.jpg": "3"], "d": ["4.jpg": "4"]]
        try await ProgramFixture.local(tree) { fixture in
            let raised = fixture.gallery.parent.appending("raised")
            // The agent's other watches, such as those of its settings, take six: some of the five directories get one.
            let watch = try fixture.unshared(
                """
                echo 8 > /proc/sys/user/max_inotify_watches
                (until test -e '\(raised.display)'; do sleep 0.1; done; echo 99 > /proc/sys/user/max_inotify_watches) &
                exec "$AGENT" watch '\(fixture.gallery.display)' $COMMON --set scan.interval=1s
                """)
            try await eventually("all are stored") { try await fixture.status().assets.stored == 4 }
            let words = "not every directory can be watched (raise fs.inotify.max_user_watches)"
            try await eventually("it says so") { try watch.notes.contains(words) }
            try OpenFile(creating: fixture.gallery.appending("d/5.jpg")).append(Array("5".utf8))
            try await eventually("a scan finds what no event told") {
                try await fixture.status().assets == Report.Assets(stored: 5)
            }
            #expect(try await fixture.status().notes.contains { $0.contains(words) })
            _ = try OpenFile(creating: raised)
            try await eventually("all are watched") { try watch.notes.contains("is watched now") }
            #expect(try await fixture.status().notes.allSatisfy { !$0.contains(words) })
            watch.signal(.terminate)
            #expect(try await watch.end().exit == .exited(143))
        }
    }
}
